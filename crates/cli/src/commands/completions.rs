//! `mingle completions`: a script that completes commands and flags.

use crate::args::{Cli, Completions};
use crate::message::{Exit, Problem, print};
use clap::CommandFactory;

pub fn run(args: &Completions) -> Result<Exit, Problem> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mingle", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Fine)
}
