//! `mingle report`: the reports of a release made anew, in their places or one of them in a file of
//! its own.
//!
//! What is there stays until the new report is complete, so that neither Ctrl-C nor a full disk
//! takes it away.

use crate::args::Report;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen};
use crate::progress::terminal_run;
use mingle::failure;
use mingle::reports::{not_made, open_whole};
use mingle::results;
use mingle_record::Code;
use mingle_release::{Error as ReleaseError, ReportPlaces};
use mingle_report::facts::{PrivateFacts, PublicFacts, VerdictFacts};
use std::path::Path;

pub fn run(args: &Report, screen: Screen) -> Result<Exit, Problem> {
    let release = &args.release;
    if let Some(out) = &args.out {
        results::check(&[out], &[release], None, args.force)?;
    }
    interrupt::listen();
    let run = terminal_run(screen);
    run.step("reading");
    drop(open_whole(release)?);
    interrupt::check()?;
    run.step("making the report");
    let places = ReportPlaces::of(release);
    let (written, verdict) = match &args.out {
        Some(out) => one(args, &places, out)?,
        None => both(release, &places)?,
    };
    drop(run);
    screen.note(&format!("written: {}", written.join(", ")));
    if !verdict.holds() {
        let text = format!(
            "the report says that a promise is broken or undecided: {}",
            verdict.words
        );
        screen.warning(&Problem::new(
            Code::ConstraintFails,
            text,
            "`mingle verify` names the group; do not hand it out",
        ));
    }
    Ok(Exit::Fine)
}

/// One report in a file of its own.
fn one(
    args: &Report,
    places: &ReportPlaces,
    out: &Path,
) -> Result<(Vec<String>, VerdictFacts), Problem> {
    let (html, verdict) = match args.private {
        true => {
            let facts = PrivateFacts::open(&args.release).map_err(|e| not_made(&e))?;
            (facts.to_html(), facts.public.verdict)
        }
        false => handed_out(places)?,
    };
    interrupt::check()?;
    results::write(out, html.as_bytes(), args.force)?;
    Ok((vec![out.display().to_string()], verdict))
}

/// Both reports, or that of `public/` where nothing else is there; none is replaced before all are
/// made.
fn both(release: &Path, places: &ReportPlaces) -> Result<(Vec<String>, VerdictFacts), Problem> {
    let (html, kept, verdict) = match places.private() {
        Some(path) => {
            let (public, private) = PrivateFacts::open_both(release).map_err(|e| not_made(&e))?;
            (
                public.to_html(),
                Some((path, private.to_html())),
                private.public.verdict,
            )
        }
        None => {
            let (html, verdict) = handed_out(places)?;
            (html, None, verdict)
        }
    };
    interrupt::check()?;
    let all = [(places.public(), html)].into_iter().chain(kept);
    let written = all.map(|(path, html)| {
        places.replace(&path, &html).map_err(|e| unwritable(&e))?;
        Ok(path.display().to_string())
    });
    Ok((written.collect::<Result<_, Problem>>()?, verdict))
}

fn handed_out(places: &ReportPlaces) -> Result<(String, VerdictFacts), Problem> {
    let path = places.public();
    let facts =
        PublicFacts::open(path.parent().unwrap_or(Path::new("."))).map_err(|e| not_made(&e))?;
    Ok((facts.to_html(), facts.verdict))
}

/// The release may be on a medium that takes nothing.
fn unwritable(error: &ReleaseError) -> Problem {
    match error {
        ReleaseError::Io { path, source } if !error.is_disk_full() => {
            let text = format!(
                "cannot write {}: {}",
                path.display(),
                failure::reason(source)
            );
            Problem::new(
                Code::OutputUnwritable,
                text,
                "write the report elsewhere with --out FILE",
            )
        }
        ReleaseError::Io { path, source } => {
            let text = format!(
                "cannot write {}: {}",
                path.display(),
                failure::reason(source)
            );
            Problem::new(
                Code::DiskFull,
                text,
                "make room and run the command again; the old report is still there",
            )
        }
        other => failure::release(other),
    }
}
