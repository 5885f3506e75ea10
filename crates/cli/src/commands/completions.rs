//! `mingle completions`: a script that completes commands and flags.

use crate::args::Completions;
use crate::examples;
use crate::message::{Exit, Problem, print};

pub fn run(args: &Completions) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut examples::command(), "mingle", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
