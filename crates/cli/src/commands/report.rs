//! `mingle report`: the reports of a release made anew, in their places or one of them in a file of
//! its own.

mod pdf;

use crate::args::Report;
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::Run;
use mingle::report::{self, ReportPart, broken_promise};
use mingle::results;
use mingle_record::answer::{ReportAnswer, ShownVerdict, WarningNotice};
use mingle_record::schema::ReportSchema;
use std::path::Path;

pub fn run(args: &Report, screen: Screen) -> Result<Exit, Problem> {
    if let Some(out) = &args.out {
        results::check(&[out], &[&args.release], None, args.force)?;
    }
    let run = terminal_run(screen);
    let written = match &args.out {
        Some(out) => one(args, out, &run),
        None => both(args, &run),
    };
    run.end();
    let (written, verdict) = written?;
    screen.note(&format!("written: {}", written.join(", ")));
    let warning = broken_promise(&verdict);
    screen.warnings(&warning);
    if args.json {
        print_json(&ReportAnswer {
            schema: ReportSchema,
            release: args.release.display().to_string(),
            written,
            holds: verdict.holds(),
            warnings: warning.iter().map(WarningNotice::from).collect(),
        })?;
    }
    Ok(Exit::Fine)
}

/// One report in a file of its own.
fn one(args: &Report, out: &Path, run: &Run) -> Result<(Vec<String>, ShownVerdict), Problem> {
    let part = if args.private {
        ReportPart::Private
    } else {
        ReportPart::Public
    };
    let made = report::make(&args.release, part, run)?;
    let bytes = if args.pdf {
        pdf::print(&made.html, run)?
    } else {
        made.html.into_bytes()
    };
    results::write(out, &bytes, args.force)?;
    Ok((vec![out.display().to_string()], made.verdict))
}

/// All reports in their places.
fn both(args: &Report, run: &Run) -> Result<(Vec<String>, ShownVerdict), Problem> {
    let replaced = report::replace(&args.release, run)?;
    let mut written = Vec::new();
    for file in &replaced.files {
        written.push(file.display().to_string());
    }
    Ok((written, replaced.verdict))
}
