//! `mingle lab`: a paper's experiment, as a table on the screen and as CSV and SVG files.

use crate::args::Lab;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json};
use crate::progress::terminal_run;
use mingle::Length;
use mingle::failure;
use mingle_lab::{EXPERIMENTS, Error, Experiment, Extent, Outcome, Setting, Value};
use mingle_record::Code;
use serde_json::{Map, Value as Json, json};
use std::path::{Path, PathBuf};

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
    match args.json {
        true => print_json(&document(experiment, args, &out, &outcome, &files))?,
        false => print(&outcome.to_text())?,
    }
    screen.note(&format!(
        "{} files written to {}",
        files.len(),
        out.display()
    ));
    Ok(Exit::Fine)
}

fn list(args: &Lab) -> Result<Exit, Problem> {
    let entry = |e: &&dyn Experiment| json!({ "name": e.name(), "about": e.about() });
    let line = |e: &&dyn Experiment| format!("{}\n    {}\n", e.name(), e.about());
    match args.json {
        true => print_json(&json!({
            "schema": "mingle.lab/1",
            "experiments": EXPERIMENTS.iter().map(entry).collect::<Vec<_>>(),
        }))?,
        false => print(&EXPERIMENTS.iter().map(line).collect::<String>())?,
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

fn document(
    experiment: &dyn Experiment,
    args: &Lab,
    out: &Path,
    outcome: &Outcome,
    files: &[String],
) -> Json {
    let value = |value: &Value| match value {
        Value::Word(word) => json!(word),
        Value::Count(count) => json!(count),
        Value::Measure(measure) => json!(measure),
        Value::Missing => Json::Null,
    };
    let row = |row: &Vec<Value>| -> Map<String, Json> {
        outcome
            .sheet
            .columns
            .iter()
            .map(|&column| column.to_owned())
            .zip(row.iter().map(value))
            .collect()
    };
    json!({
        "schema": "mingle.lab/1",
        "experiment": experiment.name(),
        "title": outcome.title,
        "made_up": args.data.is_none(),
        "seed": args.seed,
        "folder": out.display().to_string(),
        "files": files,
        "notes": outcome.notes,
        "results": outcome.sheet.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn unknown(name: &str) -> Problem {
    let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name()).collect();
    Problem::new(
        Code::Usage,
        format!("there is no experiment {name:?}"),
        format!("one of: {}", names.join(", ")),
    )
}

fn problem(error: &Error) -> Problem {
    match error {
        Error::NoData { .. } => Problem::new(
            Code::InputUnreadable,
            error.to_string(),
            "leave --data out to make rows up",
        ),
        Error::TooFewRows { .. } => Problem::new(
            Code::Usage,
            error.to_string(),
            "give all rows of Adult, or use --quick",
        ),
        Error::Data(e) => failure::io(e),
        Error::Privacy(e) => failure::privacy(e),
        Error::Write { file, source } => failure::write(file, source),
        Error::Undecided { .. } => {
            Problem::new(Code::Undecided, error.to_string(), "please report this")
        }
        Error::Cancelled => failure::interrupted(),
        _ => failure::defect(&error.to_string()),
    }
}
