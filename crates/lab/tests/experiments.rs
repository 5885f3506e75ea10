//! Every experiment, as small as it goes, on made-up rows: it runs, leaves what it promises, and
//! says what it ran on.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mingle_lab::{EXPERIMENTS, Error, Extent, Outcome, Setting, SheetValue, experiment};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;

fn smoke(name: &str, seed: u64) -> Outcome {
    let setting = Setting {
        extent: Extent::Smoke,
        seed,
        ..Setting::default()
    };
    experiment(name)
        .expect("it exists")
        .run(&setting)
        .expect("it runs")
}

/// What does not depend on the machine.
fn without_times(outcome: &Outcome) -> Vec<Vec<String>> {
    let timed = |column: &str| column == "microseconds" || column == "seconds";
    let kept = |row: &Vec<SheetValue>| {
        let values = row
            .iter()
            .zip(&outcome.sheet.columns)
            .filter(|(_, column)| !timed(column));
        values.map(|(value, _)| value.to_string()).collect()
    };
    outcome.sheet.rows.iter().map(kept).collect()
}

fn assert_complete(outcome: &Outcome) {
    assert!(
        outcome.title.contains("made-up census"),
        "{}",
        outcome.title
    );
    for row in &outcome.sheet.rows {
        assert_eq!(row.len(), outcome.sheet.columns.len());
        assert!(
            row.iter()
                .all(|v| !matches!(v, SheetValue::Measure(m) if !m.is_finite())),
            "{row:?}"
        );
        assert!(
            row.iter().all(|v| *v != SheetValue::Missing),
            "nothing is out of reach at this size: {row:?}"
        );
    }
    for view in &outcome.views {
        assert!(view.lines.len() > 1, "{} is empty", view.title);
        assert!(
            view.to_text()
                .lines()
                .all(|line| line.chars().count() <= 80),
            "{}",
            view.to_text()
        );
    }
    for figure in &outcome.figures {
        assert!(
            !figure.svg.contains("NaN") && figure.svg.ends_with("</svg>\n"),
            "{}",
            figure.name
        );
        assert!(
            figure.svg.contains("made-up census"),
            "{} does not say what it ran on",
            figure.name
        );
    }
    let text = outcome.to_text();
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

fn assert_written(outcome: &Outcome, figures: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/down");
    let mut names = outcome.write(&out).unwrap();
    names.sort();
    let mut there: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, names);
    let mut expected: Vec<String> = figures.iter().map(|f| format!("{f}.svg")).collect();
    expected.push("results.csv".into());
    expected.sort();
    assert_eq!(names, expected);
    let csv = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert_eq!(csv.lines().count(), outcome.sheet.rows.len() + 1);
    outcome.write(&out).expect("an earlier run is replaced");
}

#[test]
fn verification() {
    let outcome = smoke("m-privacy-verification", 0);
    assert_complete(&outcome);
    let figures = [6, 7, 8].map(|f| ["exponential", "uniform"].map(|s| format!("figure_{f}_{s}")));
    assert_written(
        &outcome,
        &figures
            .iter()
            .flatten()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    assert_eq!(
        without_times(&outcome),
        without_times(&smoke("m-privacy-verification", 0))
    );
    assert_ne!(
        without_times(&outcome),
        without_times(&smoke("m-privacy-verification", 1))
    );
}

#[test]
fn publishing() {
    let outcome = smoke("m-privacy-publishing", 0);
    assert_complete(&outcome);
    let figures = [
        "figure_9_exponential",
        "figure_9_uniform",
        "figure_10",
        "figure_11",
        "figure_12",
    ];
    assert_written(&outcome, &figures);
    assert_eq!(
        without_times(&outcome),
        without_times(&smoke("m-privacy-publishing", 0))
    );
}

#[test]
fn two_sites() {
    let outcome = smoke("d2pt", 0);
    assert_complete(&outcome);
    assert_written(
        &outcome,
        &["figure_4a", "figure_4b", "figure_4c", "loss", "bytes"],
    );
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| smoke("d2pt", 0)).sheet.to_csv()
    };
    assert_eq!(outcome.sheet.to_csv(), with(1));
    assert_eq!(outcome.sheet.to_csv(), with(16));
    assert_ne!(outcome.sheet.to_csv(), smoke("d2pt", 1).sheet.to_csv());
}

#[test]
fn releases_side_by_side() {
    let outcome = smoke("composition", 0);
    assert_complete(&outcome);
    let figures: Vec<String> = (1..=8)
        .map(|n| format!("figure_{n}"))
        .chain(["sizes".into(), "cost".into()])
        .collect();
    assert_written(
        &outcome,
        &figures.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| smoke("composition", 0)).sheet.to_csv()
    };
    assert_eq!(outcome.sheet.to_csv(), with(1));
    assert_eq!(outcome.sheet.to_csv(), with(16));
    assert_ne!(
        outcome.sheet.to_csv(),
        smoke("composition", 1).sheet.to_csv()
    );
}

#[test]
fn groups_and_noise() {
    let outcome = smoke("privacy-utility", 0);
    assert_complete(&outcome);
    assert_written(&outcome, &["trade", "loss", "breach", "guesses"]);
    // noise is the system's and not the seed's
    let grouped = |seed: u64| -> Vec<Vec<String>> {
        let outcome = smoke("privacy-utility", seed);
        let k = outcome
            .sheet
            .columns
            .iter()
            .position(|&column| column == "k")
            .unwrap();
        without_times(&outcome)
            .into_iter()
            .filter(|row| row[k] != "-")
            .collect()
    };
    assert!(!grouped(0).is_empty());
    assert_eq!(grouped(0), grouped(0));
    assert_ne!(grouped(0), grouped(1));
}

#[test]
fn progress_counts_every_cell_and_can_be_stopped() {
    let told = RefCell::new(Vec::new());
    let tell = |done, total| told.borrow_mut().push((done, total));
    let setting = Setting {
        extent: Extent::Smoke,
        progress: Some(&tell),
        ..Setting::default()
    };
    experiment("m-privacy-verification")
        .unwrap()
        .run(&setting)
        .unwrap();
    let told = told.into_inner();
    let total = told[0].1;
    assert!(
        told.iter()
            .copied()
            .eq((0..=total).map(|done| (done, total))),
        "{told:?}"
    );

    let stop = AtomicBool::new(true);
    for experiment in EXPERIMENTS {
        let setting = Setting {
            extent: Extent::Smoke,
            cancel: Some(&stop),
            ..Setting::default()
        };
        assert!(
            matches!(experiment.run(&setting), Err(Error::Cancelled)),
            "{}",
            experiment.name()
        );
    }
}

#[test]
fn a_folder_without_data_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    for experiment in EXPERIMENTS {
        let setting = Setting {
            data: Some(empty.path()),
            extent: Extent::Smoke,
            ..Setting::default()
        };
        assert!(
            matches!(experiment.run(&setting), Err(Error::NoData { .. })),
            "{}",
            experiment.name()
        );
    }
    assert!(experiment("m-privacy").is_none());
}
