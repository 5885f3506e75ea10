//! `mingle dp compose`: what several releases about the same people amount to.

use crate::args::DpCompose;
use crate::failure;
use crate::message::{Exit, Problem, Screen};

pub fn run(_: &DpCompose, _: Screen) -> Result<Exit, Problem> {
    Err(failure::defect("not built yet"))
}
