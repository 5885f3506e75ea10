//! Results as a file: whose values are named at each confidence, by each rule and reader, as CSV.

use super::Played;
use crate::args::AttackMinimality;
use crate::message::{Problem, Screen};
use mingle::results;
use std::path::Path;

/// Which file to write.
pub struct Outputs<'a> {
    csv: Option<&'a Path>,
    force: bool,
}

impl<'a> Outputs<'a> {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(args: &'a AttackMinimality) -> Result<Outputs<'a>, Problem> {
        let csv = args.csv.as_deref();
        let read: Vec<&Path> = args
            .subject
            .table
            .iter()
            .chain(&args.subject.release)
            .map(AsRef::as_ref)
            .collect();
        results::check(
            &csv.into_iter().collect::<Vec<_>>(),
            &read,
            Some(&args.policy),
            args.force,
        )?;
        Ok(Outputs {
            csv,
            force: args.force,
        })
    }

    /// Writes what was asked for.
    pub fn write(&self, played: &Played<'_>, screen: Screen) -> Result<(), Problem> {
        if let Some(file) = self.csv {
            results::write(file, &table(played)?, self.force)?;
            screen.note(&format!("written to {}", file.display()));
        }
        Ok(())
    }
}

fn table(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let names = ["rule", "column", "reader", "confidence", "people", "right"]
        .map(str::to_owned)
        .into();
    let mut rows = Vec::new();
    for play in &played.found.plays {
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
                    [play.rule.name(), played.name(target.column), reader].map(str::to_owned);
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
