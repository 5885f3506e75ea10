//! `mingle synth`: realistic made-up tables, streamed into a file that appears when it is complete.

use crate::args::{Synth, SynthDistribution, SynthKind};
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json};
use crate::progress::terminal_run;
use mingle::Length;
use mingle::failure;
use mingle_disk::{IfTaken, PendingFile};
use mingle_io::Format;
use mingle_model::counted;
use mingle_record::ProblemCode;
use mingle_record::answer::SynthAnswer;
use mingle_record::schema::SynthSchema;
use mingle_release::manifest::format_entry;
use mingle_synth::{Distribution, Recipe, TableTopic};
use std::io::{self, Write};
use std::path::Path;

pub fn run(args: &Synth, screen: Screen) -> Result<Exit, Problem> {
    let shown = args.out.display().to_string();
    let format = format(&args.out)?;
    if !args.force && args.out.symlink_metadata().is_ok() {
        let text = format!("{shown} exists");
        return Err(Problem::new(
            ProblemCode::OutputExists,
            text,
            "choose another name, or overwrite it with --force",
        ));
    }
    interrupt::listen();
    let file =
        PendingFile::beside(&args.out).map_err(|e| failure::write(&shown, &e.into_source()))?;
    let run = terminal_run(screen);
    run.begin("writing", Length::Rows(args.rows));
    let count = run.counter();
    let written = mingle_synth::write(&recipe(args), format, Stoppable(file), Some(&count));
    interrupt::check()?;
    let Stoppable(file) = written.map_err(|e| not_made(&e, &shown))?;
    file.commit_result(IfTaken::replace_if(args.force))
        .map_err(|e| failure::write(&shown, &e.into_source()))?;
    drop(run);
    screen.note(&format!("{} written to {shown}", counted(args.rows, "row")));
    if args.json {
        print_json(&SynthAnswer {
            schema: SynthSchema,
            file: shown,
            format: format_entry(format),
            rows: args.rows,
            providers: args.providers,
            seed: args.seed,
        })?;
    }
    Ok(Exit::Fine)
}

fn format(out: &Path) -> Result<Format, Problem> {
    match out.extension().and_then(|ending| ending.to_str()) {
        Some("csv") => Ok(Format::Csv),
        Some("parquet") => Ok(Format::Parquet),
        _ => {
            let text = format!(
                "{}: cannot tell the format from the file extension",
                out.display()
            );
            Err(Problem::new(
                ProblemCode::Usage,
                text,
                "use a name that ends in .csv or .parquet",
            ))
        }
    }
}

fn recipe(args: &Synth) -> Recipe {
    let kind = match args.kind {
        SynthKind::Census => TableTopic::Census,
        SynthKind::Hospital => TableTopic::Hospital,
        SynthKind::IpumsLike => TableTopic::IpumsLike,
    };
    let distribution = match args.distribution {
        SynthDistribution::Uniform => Distribution::Uniform,
        SynthDistribution::Exponential => Distribution::Exponential,
    };
    let providers = (args.providers > 1).then_some((args.providers, distribution));
    Recipe {
        kind,
        rows: args.rows,
        seed: args.seed,
        providers,
        visits: args.visits,
    }
}

fn not_made(error: &mingle_synth::Error, shown: &str) -> Problem {
    match error {
        mingle_synth::Error::Io(mingle_io::Error::Write(e)) => failure::write(shown, e),
        mingle_synth::Error::Io(e) => failure::io(e),
        mingle_synth::Error::Visits { .. } => Problem::new(
            ProblemCode::Usage,
            error.to_string(),
            "write `mingle synth hospital --visits N`, or remove --visits",
        ),
        other => Problem::new(ProblemCode::Usage, other.to_string(), "ask for fewer"),
    }
}

/// A file that takes no more bytes once somebody has asked to stop.
struct Stoppable(PendingFile);

impl Write for Stoppable {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // not `Interrupted`, which writers take as a reason to try again
        interrupt::check().map_err(|_| io::Error::other("stopped"))?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
