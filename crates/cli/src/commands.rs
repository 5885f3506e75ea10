//! One file per command. A command turns arguments into calls of the rooms and results into text.

mod apply;
pub mod attack;
mod completions;
mod dp;
mod explain;
mod hierarchy;
mod history;
pub mod init;
mod lab;
mod man;
pub mod measure;
pub mod publish;
mod report;
mod serve;
mod show;
mod sign;
mod site;
mod synth;
mod verify;

use crate::args::Command;
use crate::message::{Exit, Problem, Screen};

/// Runs a command.
pub fn run(command: Command, screen: Screen) -> Result<Exit, Problem> {
    match command {
        Command::Init(args) => init::run(&args, screen),
        Command::Publish(args) => publish::run(&args, screen),
        Command::Apply(args) => apply::run(&args, screen),
        Command::Verify(args) => verify::run(&args, screen),
        Command::Show(args) => show::run(&args, screen),
        Command::Sign(args) => sign::run(&args, screen),
        Command::Report(args) => report::run(&args, screen),
        Command::Measure(args) => measure::run(&args, screen),
        Command::Attack(args) => attack::run(&args, screen),
        Command::Hierarchy(args) => hierarchy::run(&args, screen),
        Command::History(args) => history::run(&args, screen),
        Command::Dp(args) => dp::run(&args, screen),
        Command::Site(args) => site::run(&args, screen),
        Command::Serve(args) => serve::run(&args, screen),
        Command::Synth(args) => synth::run(&args, screen),
        Command::Lab(args) => lab::run(&args, screen),
        Command::Explain(args) => explain::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args, screen),
    }
}
