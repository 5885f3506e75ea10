//! `mingle dp budget`: what a data set's releases have spent, and what is left.

use crate::args::DpBudget;
use crate::failure;
use crate::message::{Exit, Problem, Screen};

pub fn run(_: &DpBudget, _: Screen) -> Result<Exit, Problem> {
    Err(failure::defect("not built yet"))
}
