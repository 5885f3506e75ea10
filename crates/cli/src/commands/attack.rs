//! `mingle attack`: plays the adversary. One file per adversary.

mod background_join;
mod insider;
mod intersection;
mod minimality;

use crate::args::{Adversary, Attack};
use crate::message::{Exit, Problem, Screen};

pub fn run(args: &Attack, screen: Screen) -> Result<Exit, Problem> {
    match &args.adversary {
        Adversary::Insider(args) => insider::run(args, screen),
        Adversary::Intersection(args) => intersection::run(args, screen),
        Adversary::BackgroundJoin(args) => background_join::run(args, screen),
        Adversary::Minimality(args) => minimality::run(args, screen),
    }
}
