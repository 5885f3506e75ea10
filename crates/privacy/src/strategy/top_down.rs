//! Top-down: from the largest coalitions to smaller and smaller ones.
//!
//! Goryczka, Xiong and Fung (2011), Section III-B. A coalition that does not breach speaks for all of its
//! sub-coalitions, which are not visited. The search ends when a coalition of the stated size breaches, or when none
//! is left. Within a size the order matters only at the last one, where the strongest coalitions come first. Cost: at
//! most the sum of C(n, i) for i from m to n - 1, and n where no provider is needed by the others.

use super::lattice::{Lattice, Places, Walk};
use super::{Decision, most};
use crate::constraint::Limit;

pub(super) fn search<const W: usize>(lattice: &mut Lattice, m: u64) -> Result<Decision, Limit> {
    let n = lattice.providers();
    let largest = n - most(n, m);
    let mut walk = Walk::<W>::new(n);
    let mut sufficient: Vec<Places<W>> = Vec::new();
    for size in 1..=largest {
        walk.begin(size, 0, &sufficient, &[], lattice);
        let mut visited = false;
        while walk.advance(lattice)? {
            visited = true;
            if !lattice.breached()? {
                sufficient.push(walk.remainder());
            } else if size == largest {
                return Ok(lattice.breach());
            }
        }
        if !visited {
            break;
        }
    }
    Ok(Decision::Holds)
}
