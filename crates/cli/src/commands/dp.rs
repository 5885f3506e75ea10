//! `mingle dp`: releases with noise, the ledgers that they spend from, and what several of them
//! amount to.

mod budget;
mod compose;
mod release;
mod summary;
pub mod words;

pub use release::{NoiseJob, make};

use crate::args::{DpCommand, DpStep};
use crate::message::{Exit, Problem, Screen};
use mingle_policy::ReleaseKind;

pub fn run(args: &DpCommand, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        DpStep::Synthetic(args) => release::run(ReleaseKind::Synthetic, args, screen),
        DpStep::Marginals(args) => release::run(ReleaseKind::Marginals, args, screen),
        DpStep::Histogram(args) => release::run(ReleaseKind::Histogram, args, screen),
        DpStep::Budget(args) => budget::run(args, screen),
        DpStep::Compose(args) => compose::run(args, screen),
    }
}
