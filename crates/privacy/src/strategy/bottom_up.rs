//! Bottom-up: from the outsider to larger and larger coalitions.
//!
//! Goryczka, Xiong and Fung (2011), Section III-B. The first coalition that breaches ends the
//! search, since all that contain it breach as well; it is one of the smallest. Cost: the sum of
//! C(n, i) for i up to m.

use super::direct::level;
use super::lattice::Lattice;
use super::{Decision, most};
use crate::constraint::Limit;
use crate::insiders::M;

pub(super) fn search(lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
    let n = lattice.providers();
    (0..n).for_each(|number| lattice.put(number));
    for size in 0..=most(n, m) {
        if level(lattice, size)? {
            return Ok(lattice.breach());
        }
    }
    Ok(Decision::Holds)
}
