//! `mingle dp`: releases with noise, the ledgers that they spend from, and what several of them amount to.

mod budget;
mod compose;

use crate::args::{Dp, DpStep};
use crate::message::{Exit, Problem, Screen};

pub fn run(args: &Dp, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        DpStep::Budget(args) => budget::run(args, screen),
        DpStep::Compose(args) => compose::run(args, screen),
    }
}
