//! `mingle lab`: a paper's experiment, as a table on the screen and as CSV and SVG files.

use crate::args::Lab;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::progress::terminal_run;
use mingle::Length;
use mingle::failure;
use mingle_lab::{EXPERIMENTS, Error, Experiment, Extent, Outcome, Setting, SheetValue};
use mingle_record::answer::{LabAnswer, LabExperiment, LabList, LabResults, LabValue};
use mingle_record::schema::LabSchema;
use mingle_record::{ByName, ProblemCode};
use std::path::PathBuf;

pub fn run(args: &Lab, screen: Screen) -> Result<Exit, Problem> {
    let Some(name) = &args.name else {
        return list(args);
    };
    let experiment = mingle_lab::experiment(name).ok_or_else(|| unknown(name))?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("lab").join(experiment.name()));
    let outcome = measure(experiment, args, screen)?;
    let files = outcome.write(&out).map_err(|e| problem(&e))?;
    let note = format!("{} files written to {}", files.len(), out.display());
    if args.json {
        print_json(&LabAnswer::Results(LabResults {
            schema: LabSchema,
            experiment: experiment.name().to_owned(),
            title: outcome.title.clone(),
            made_up: args.data.is_none(),
            seed: args.seed,
            folder: out.display().to_string(),
            files,
            notes: outcome.notes.clone(),
            results: results(&outcome),
        }))?;
    } else {
        print(&outcome.to_text())?;
    }
    screen.note(&note);
    Ok(Exit::Fine)
}

fn list(args: &Lab) -> Result<Exit, Problem> {
    let mut experiments = Vec::new();
    let mut text = String::new();
    for experiment in EXPERIMENTS {
        let (name, about) = (experiment.name(), experiment.about());
        text += &format!("{name}\n    {about}\n");
        experiments.push(LabExperiment {
            name: name.to_owned(),
            about: about.to_owned(),
        });
    }
    if args.json {
        print_json(&LabAnswer::List(LabList {
            schema: LabSchema,
            experiments,
        }))?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Fine)
}

fn measure(experiment: &dyn Experiment, args: &Lab, screen: Screen) -> Result<Outcome, Problem> {
    let cancel = interrupt::listen();
    let run = terminal_run(screen);
    let count = run.counter();
    let tell = |done, total| {
        if done == 0 {
            run.begin("measuring", Length::Settings(total));
        }
        count(done);
    };
    let extent = match (args.smoke, args.quick) {
        (true, _) => Extent::Smoke,
        (_, true) => Extent::Quick,
        _ => Extent::Full,
    };
    let setting = Setting {
        data: args.data.as_deref(),
        extent,
        seed: args.seed,
        progress: Some(&tell),
        cancel: Some(cancel.flag()),
    };
    experiment.run(&setting).map_err(|e| problem(&e))
}

fn results(outcome: &Outcome) -> Vec<ByName<LabValue>> {
    let mut results = Vec::new();
    for row in &outcome.sheet.rows {
        let mut line = Vec::new();
        for (&column, value) in outcome.sheet.columns.iter().zip(row) {
            let value = match value {
                SheetValue::Word(word) => LabValue::Word(word.clone()),
                SheetValue::Count(count) => LabValue::Count(*count),
                SheetValue::Measure(measure) => LabValue::Measure(*measure),
                SheetValue::Missing => LabValue::Missing,
            };
            line.push((column.to_owned(), value));
        }
        results.push(ByName(line));
    }
    results
}

fn unknown(name: &str) -> Problem {
    let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name()).collect();
    Problem::new(
        ProblemCode::Usage,
        format!("there is no experiment {name:?}"),
        format!("one of: {}", names.join(", ")),
    )
}

fn problem(error: &Error) -> Problem {
    match error {
        Error::NoData { .. } => Problem::new(
            ProblemCode::InputUnreadable,
            error.to_string(),
            "leave out --data to use synthetic rows",
        ),
        Error::TooFewRows { .. } => Problem::new(
            ProblemCode::Usage,
            error.to_string(),
            "use all rows of Adult, or --quick",
        ),
        Error::Data(e) => failure::io(e),
        Error::Privacy(e) => failure::privacy(e),
        Error::Write { file, source } => failure::write(file, source),
        Error::Undecided { .. } => Problem::new(
            ProblemCode::Undecided,
            error.to_string(),
            "please report this",
        ),
        Error::Cancelled => failure::interrupted(),
        _ => failure::defect(&error.to_string()),
    }
}
