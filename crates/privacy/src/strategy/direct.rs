//! Direct: every coalition of the largest size takes out all of its rows.
//!
//! Goryczka, Xiong and Fung (2011), Section III-A: for a group-monotone requirement the
//! sub-coalitions need no check. The strongest coalitions come first, and the first that breaches
//! ends the search. Cost: C(n, m) checks.

use super::lattice::{Lattice, RevolvingDoor};
use super::{Decision, most};
use crate::constraint::Limit;
use crate::insiders::M;

pub(super) fn search(lattice: &mut Lattice, m: M) -> Result<Decision, Limit> {
    let n = lattice.providers();
    (0..n).for_each(|number| lattice.put(number));
    let breaches = level(lattice, most(n, m))?;
    Ok(if breaches {
        lattice.breach()
    } else {
        Decision::Holds
    })
}

/// Whether some coalition of this size breaches; starts and, if none does, ends with all rows in
/// the remainder.
pub(super) fn level(lattice: &mut Lattice, size: usize) -> Result<bool, Limit> {
    let n = lattice.providers();
    let number = |strength: usize| n - 1 - strength;
    let mut door = RevolvingDoor::new(size, n);
    door.members()
        .iter()
        .for_each(|&member| lattice.take(number(member)));
    loop {
        if lattice.breached()? {
            return Ok(true);
        }
        let Some((leaves, joins)) = door.turn() else {
            break;
        };
        lattice.put(number(leaves));
        lattice.take(number(joins));
    }
    door.members()
        .iter()
        .for_each(|&member| lattice.put(number(member)));
    Ok(false)
}
