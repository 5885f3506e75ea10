//! `mingle report`: the reports of a release made anew, in their places or one of them in a file of its own.
//!
//! What is there stays until the new report is complete, so that neither Ctrl-C nor a full disk takes it away.

use crate::args::Report;
use crate::commands::attack::results;
use crate::explain::Code;
use crate::failure;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen};
use crate::progress::Progress;
use crate::reports::{not_made, open_whole};
use mingle_release::{Error as ReleaseError, ReportPlaces};
use std::path::Path;

pub fn run(args: &Report, screen: Screen) -> Result<Exit, Problem> {
    let release = &args.release;
    if let Some(out) = &args.out {
        results::check(&[out], &[release], None, args.force)?;
    }
    interrupt::listen();
    let progress = Progress::new(screen);
    progress.step("reading");
    drop(open_whole(release)?);
    interrupt::check()?;
    progress.step("making the report");
    let places = ReportPlaces::of(release);
    let written = match &args.out {
        Some(out) => vec![one(args, &places, out)?],
        None => both(release, &places)?,
    };
    drop(progress);
    screen.note(&format!("written: {}", written.join(", ")));
    Ok(Exit::Fine)
}

/// One report in a file of its own.
fn one(args: &Report, places: &ReportPlaces, out: &Path) -> Result<String, Problem> {
    let made = match args.private {
        true => private(&args.release)?,
        false => public(places)?,
    };
    interrupt::check()?;
    results::write(out, made.as_bytes(), args.force)?;
    Ok(out.display().to_string())
}

/// Both reports, or that of `public/` where nothing else is there; none is replaced before all are made.
fn both(release: &Path, places: &ReportPlaces) -> Result<Vec<String>, Problem> {
    let kept = || places.private().map(|path| Ok((path, private(release)?))).transpose();
    let (handed_out, kept) = rayon::join(|| public(places), kept);
    let (handed_out, kept) = (handed_out?, kept?);
    interrupt::check()?;
    let all = [(places.public(), handed_out)].into_iter().chain(kept);
    all.map(|(path, html)| {
        places.replace(&path, &html).map_err(|e| unwritable(&e))?;
        Ok(path.display().to_string())
    })
    .collect()
}

fn public(places: &ReportPlaces) -> Result<String, Problem> {
    let path = places.public();
    mingle_report::public(path.parent().unwrap_or(Path::new("."))).map_err(|e| not_made(&e))
}

fn private(release: &Path) -> Result<String, Problem> {
    mingle_report::private(release).map_err(|e| not_made(&e))
}

/// The release may be on a medium that takes nothing.
fn unwritable(error: &ReleaseError) -> Problem {
    match error {
        ReleaseError::Io { path, source } if !error.is_disk_full() => {
            let text = format!("cannot write {}: {}", path.display(), failure::reason(source));
            Problem::new(Code::OutputUnwritable, text, "write the report elsewhere with --out FILE")
        }
        ReleaseError::Io { path, source } => {
            let text = format!("cannot write {}: {}", path.display(), failure::reason(source));
            Problem::new(Code::DiskFull, text, "make room and run the command again; the old report is still there")
        }
        other => failure::release(other),
    }
}
