//! The `mingle` program: arguments, policy file, messages and exit codes around the rooms that do
//! the work.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod defect;
mod document;
mod examples;
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
    if document::is_asked_for() {
        interrupt::watch();
    }
    let screen = Screen::new(cli.common.quiet, cli.common.verbose);
    let exit = std::panic::catch_unwind(|| match commands::run(cli.command, screen) {
        Ok(exit) => exit,
        Err(problem) => {
            screen.problem(&problem);
            document::print_error(&problem);
            problem.code().exit()
        }
    });
    let exit = exit.unwrap_or_else(|_| {
        // the hook has said it on standard error
        document::print_error(&defect::problem());
        Exit::Defect
    });
    ExitCode::from(exit as u8)
}
