//! All coalitions of one size, each made from the one before by exchanging one member.
//!
//! Revolving-door order (Knuth, The Art of Computer Programming 7.2.1.3, Algorithm R). It starts
//! with the members 0, 1, …, t - 1, and all coalitions among the first j come before any with a
//! later member.

/// Where the enumeration stands.
pub struct RevolvingDoor {
    /// Ascending members, then the number of providers.
    members: Vec<usize>,
}

impl RevolvingDoor {
    /// The first coalition of `t` among `n`, fewer than all of them.
    pub fn new(t: usize, n: usize) -> RevolvingDoor {
        RevolvingDoor {
            members: (0..t).chain([n]).collect(),
        }
    }

    /// The coalition, ascending.
    pub fn members(&self) -> &[usize] {
        &self.members[..self.members.len() - 1]
    }

    /// Goes on to the next coalition: who leaves, who joins. `None` after the last.
    #[inline]
    pub fn turn(&mut self) -> Option<(usize, usize)> {
        let odd = self.members().len() % 2 == 1;
        let c = &mut self.members;
        let t = c.len() - 1;
        if t == 0 {
            return None;
        }
        if odd && c[0] + 1 < c[1] {
            c[0] += 1;
            return Some((c[0] - 1, c[0]));
        }
        if !odd && c[0] > 0 {
            c[0] -= 1;
            return Some((c[0] + 1, c[0]));
        }
        let mut decrease = odd;
        for j in 1..t {
            if decrease && c[j] > j {
                let exchange = (c[j], j - 1);
                (c[j], c[j - 1]) = (c[j - 1], j - 1);
                return Some(exchange);
            }
            if !decrease && c[j] + 1 < c[j + 1] {
                let exchange = (c[j - 1], c[j] + 1);
                (c[j - 1], c[j]) = (c[j], c[j] + 1);
                return Some(exchange);
            }
            decrease = !decrease;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_coalition_once_by_exchanging_one_member() {
        for n in 1..10 {
            for t in 0..n {
                let mut door = RevolvingDoor::new(t, n);
                let mut current: BTreeSet<usize> = (0..t).collect();
                let mut seen = BTreeSet::from([current.clone()]);
                while let Some((leaves, joins)) = door.turn() {
                    assert!(current.remove(&leaves) && current.insert(joins) && joins < n);
                    assert!(current.iter().copied().eq(door.members().iter().copied()));
                    assert!(seen.insert(current.clone()), "{t} of {n}: twice");
                }
                let all = (0..t).fold(1, |product, i| product * (n - i) / (i + 1));
                assert_eq!(seen.len(), all, "{t} of {n}");
            }
        }
    }
}
