//! The `mingle` program: arguments, policy file, messages and exit codes around the rooms that do
//! the work.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod defect;
mod interrupt;
mod message;
mod progress;

use message::{Exit, Screen};
use std::process::ExitCode;

fn main() -> ExitCode {
    defect::install_hook();
    let cli = match args::parse() {
        Ok(cli) => cli,
        Err(exit) => return ExitCode::from(exit as u8),
    };
    let screen = Screen::new(cli.common.quiet, cli.common.verbose);
    let exit = std::panic::catch_unwind(|| match commands::run(cli.command, screen) {
        Ok(exit) => exit,
        Err(problem) => {
            screen.problem(&problem);
            problem.code().exit()
        }
    });
    ExitCode::from(exit.unwrap_or(Exit::Defect) as u8)
}
