//! Results as a file: whose values are named at each confidence, by each rule and reader, as CSV.

use super::MinimalityOutcome;
use crate::results;
use mingle_record::Problem;

/// The whole file.
pub fn table(outcome: &MinimalityOutcome) -> Result<Vec<u8>, Problem> {
    let names = ["rule", "column", "reader", "confidence", "people", "right"]
        .map(str::to_owned)
        .into();
    let mut rows = Vec::new();
    for play in &outcome.found.plays {
        for (target, level) in play
            .targets
            .iter()
            .flat_map(|target| target.levels.iter().map(move |l| (target, l)))
        {
            let readers = [
                ("frequency", level.frequency),
                ("naive", level.naive),
                ("calibrated", level.calibrated),
            ];
            for (reader, named) in readers {
                let texts =
                    [play.rule.name(), outcome.name(target.column), reader].map(str::to_owned);
                let figures = [
                    level.confidence.to_string(),
                    named.people.to_string(),
                    named.right.to_string(),
                ];
                rows.push(texts.into_iter().chain(figures).collect());
            }
        }
    }
    results::csv(names, rows)
}
