//! `mingle init`: looks at tables and proposes a policy.

use crate::args::Init;
use crate::message::{Exit, Problem, Screen, print};
use crate::progress::terminal_run;
use mingle::{propose, results};
use mingle_record::ProblemCode;
use std::path::Path;

pub fn run(args: &Init, screen: Screen) -> Result<Exit, Problem> {
    refuse_existing(args)?;
    propose::refuse_repeated(&args.data)?;
    refuse_overwriting(args)?;
    let folder = args
        .out
        .as_deref()
        .and_then(Path::parent)
        .unwrap_or(Path::new(""));
    let text = propose::policy(&args.data, folder, args.domains, &terminal_run(screen))?;
    let Some(out) = &args.out else {
        print(&text)?;
        return Ok(Exit::Fine);
    };
    results::write(out, text.as_bytes(), args.force)?;
    let out = out.display();
    let step = if args.domains {
        "read it and vouch for its domains"
    } else {
        "read it"
    };
    screen.note(&format!(
        "policy written to {out}; {step}, then: mingle publish {out} --out release"
    ));
    Ok(Exit::Fine)
}

fn refuse_existing(args: &Init) -> Result<(), Problem> {
    let Some(out) = &args.out else { return Ok(()) };
    if args.force || out.symlink_metadata().is_err() {
        return Ok(());
    }
    let text = format!("{} exists", out.display());
    let hint = "choose another name, or overwrite it with --force";
    Err(Problem::new(ProblemCode::OutputExists, text, hint))
}

/// `--force` is for an old policy, not for a table.
fn refuse_overwriting(args: &Init) -> Result<(), Problem> {
    let Some(out) = args.out.as_deref().and_then(|out| out.canonicalize().ok()) else {
        return Ok(());
    };
    if args
        .data
        .iter()
        .any(|table| table.canonicalize().is_ok_and(|table| table == out))
    {
        let text = format!("{} is one of the tables", out.display());
        Err(Problem::new(
            ProblemCode::OutputExists,
            text,
            "choose another name for the policy",
        ))
    } else {
        Ok(())
    }
}
