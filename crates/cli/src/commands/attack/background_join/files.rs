//! Results as files: what every reader learns as CSV, and as a figure how many people's values are
//! how likely.

use super::{Played, document::rounded};
use crate::args::AttackBackgroundJoin;
use crate::message::{Problem, Screen};
use mingle::results;
use mingle_assess::attack::background_join::{Play, STEPS, View};
use mingle_chart::{Axis, Chart, Panels, Series};
use std::path::Path;

/// More plays are not drawn.
const PANELS: usize = 4;
/// Hundredths from one marker of a line to the next.
const STRIDE: usize = 5;

/// Which files to write.
pub struct Outputs<'a> {
    csv: Option<&'a Path>,
    svg: Option<&'a Path>,
    force: bool,
}

impl<'a> Outputs<'a> {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(args: &'a AttackBackgroundJoin) -> Result<Outputs<'a>, Problem> {
        let (csv, svg) = (args.csv.as_deref(), args.svg.as_deref());
        let files: Vec<&Path> = [csv, svg].into_iter().flatten().collect();
        let read: Vec<&Path> = args
            .subject
            .table
            .iter()
            .chain(&args.subject.release)
            .map(AsRef::as_ref)
            .collect();
        results::check(&files, &read, Some(&args.policy), args.force)?;
        Ok(Outputs {
            csv,
            svg,
            force: args.force,
        })
    }

    /// Writes what was asked for.
    pub fn write(&self, played: &Played<'_>, screen: Screen) -> Result<(), Problem> {
        if let Some(file) = self.csv {
            results::write(file, &table(played)?, self.force)?;
            screen.note(&format!("written to {}", file.display()));
        }
        if let Some(file) = self.svg {
            results::write(file, figure(played).to_svg().as_bytes(), self.force)?;
            screen.note(&format!("written to {}", file.display()));
        }
        Ok(())
    }
}

fn readers(play: &Play) -> [(&'static str, &View); 3] {
    [
        ("outsider", &play.outsider),
        ("linked", &play.linked),
        ("fragmented", &play.fragmented),
    ]
}

fn table(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
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
    for play in &played.found.plays {
        let known: Vec<&str> = play
            .known
            .iter()
            .map(|&column| played.name(column))
            .collect();
        for (reader, view) in readers(play) {
            let texts = [
                known.join("|"),
                played.name(play.target).to_owned(),
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
fn figure(played: &Played<'_>) -> Panels {
    Panels(
        played
            .found
            .plays
            .iter()
            .take(PANELS)
            .map(|play| chart(played, play))
            .collect(),
    )
}

fn chart(played: &Played<'_>, play: &Play) -> Chart {
    let series = |(name, view): (&str, &View)| {
        let points = (0..=STEPS)
            .step_by(STRIDE)
            .map(|i| (i as f64 / STEPS as f64, view.posteriors[i] as f64));
        Series::new(name, points)
    };
    Chart {
        title: format!(
            "{} of whom {} is known",
            played.name(play.target),
            played.names(&play.known)
        ),
        x: Axis::linear("probability of the true value, at least").range(0.0, 1.0),
        y: Axis::linear("people"),
        series: readers(play).map(series).into(),
    }
}
