//! Results as files: what every reader learns as CSV, and as a figure how many people's values are
//! how likely.

use super::BackgroundJoinOutcome;
use crate::attack::rounded;
use crate::results;
use mingle_assess::attack::background_join::{KnowledgePlay, LearntView, STEPS};
use mingle_chart::{Axis, Chart, Panels, Series};
use mingle_record::Problem;

/// More plays are not drawn.
const PANELS: usize = 4;
/// Hundredths from one marker of a line to the next.
const STRIDE: usize = 5;

fn readers(play: &KnowledgePlay) -> Vec<(&'static str, &LearntView)> {
    let mut readers = vec![("outsider", &play.outsider), ("linked", &play.linked)];
    if let Some(fragmented) = &play.fragmented {
        readers.push(("fragmented", fragmented));
    }
    if let Some(by_rows) = &play.by_rows {
        readers.push(("outsider by rows", &by_rows.outsider));
        readers.push(("linked by rows", &by_rows.linked));
    }
    readers
}

/// What every reader learns.
pub fn table(outcome: &BackgroundJoinOutcome) -> Result<Vec<u8>, Problem> {
    let names = [
        "knows",
        "target",
        "reader",
        "people",
        "certain",
        "newly",
        "below_k",
        "alone",
        "mean_posterior",
    ];
    let names = names
        .into_iter()
        .chain(["largest_posterior"])
        .map(str::to_owned)
        .collect();
    let mut rows = Vec::new();
    for play in &outcome.found.plays {
        let known: Vec<&str> = play
            .known
            .iter()
            .map(|&column| outcome.name(column))
            .collect();
        for (reader, view) in readers(play) {
            let texts = [
                known.join("|"),
                outcome.name(play.target).to_owned(),
                reader.to_owned(),
            ];
            let counts = [
                play.people,
                view.certain,
                view.newly,
                view.below_k,
                view.alone,
            ]
            .map(|n| n.to_string());
            let posteriors =
                [view.mean_posterior, view.largest_posterior].map(|p| rounded(p).to_string());
            rows.push(texts.into_iter().chain(counts).chain(posteriors).collect());
        }
    }
    results::csv(names, rows)
}

/// One panel per play.
pub fn figure(outcome: &BackgroundJoinOutcome) -> Panels {
    Panels(
        outcome
            .found
            .plays
            .iter()
            .take(PANELS)
            .map(|play| chart(outcome, play))
            .collect(),
    )
}

fn chart(outcome: &BackgroundJoinOutcome, play: &KnowledgePlay) -> Chart {
    let series = |(name, view): (&str, &LearntView)| {
        let points = (0..=STEPS)
            .step_by(STRIDE)
            .map(|i| (i as f64 / STEPS as f64, view.posteriors[i] as f64));
        Series::new(name, points)
    };
    Chart {
        title: format!(
            "{} of whom {} is known",
            outcome.name(play.target),
            outcome.names(&play.known)
        ),
        x: Axis::linear("probability of the true value, at least").range(0.0, 1.0),
        y: Axis::linear("people"),
        series: readers(play).into_iter().map(series).collect(),
    }
}
