//! Adaptive: binary where providers are weak, top-down where they are strong.
//!
//! Goryczka, Xiong and Fung (2011), Section V-B: with an average fitness of the providers' own rows
//! below 0.85 a coalition is likely to breach and pruning in both directions pays; otherwise large
//! coalitions are likely to settle everything below them. The fitness is Equation 1 without the
//! clamp of Definition 3.1, under which the threshold would never be reached.

use super::lattice::Lattice;
use super::{Decision, binary, top_down};
use crate::constraint::Limit;
use crate::insiders::M;

const THRESHOLD: f64 = 0.85;

pub(super) fn search<const W: usize>(lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
    if lattice.fitness() < THRESHOLD {
        binary::search::<W>(lattice, m)
    } else {
        top_down::search::<W>(lattice, m)
    }
}
