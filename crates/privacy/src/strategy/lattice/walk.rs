//! All remainders of one size that no pruned coalition accounts for, and none of the others.
//!
//! When a coalition does not breach, none of its sub-coalitions does. Seen from the remainders:
//! what contains a sufficient remainder is sufficient and need not be visited. The walk goes down a
//! tree of remainders, the strongest member first and children by ascending strength, so that the
//! remainders of the strongest coalitions come first. At each node it keeps, of every sufficient
//! remainder that could still be completed below, what is missing: where that is a single provider,
//! this provider is banned. So a remainder that contains a sufficient one is never reached, and a
//! child costs what its parent has not ruled out. Sufficient remainders may be added while walking.
//!
//! Upward pruning is kept the same way: at each node, the remainders known to fail that contain the
//! path so far, which then fails as well.

use super::{Lattice, Places};
use crate::constraint::Limit;

/// A walk and where it stands.
pub struct Walk<const W: usize> {
    size: usize,
    providers: usize,
    /// The providers of the remainder by their numbers, descending.
    path: Vec<usize>,
    /// How much of the path has been put into the lattice.
    put: usize,
    /// Where the path goes on, for each length from none.
    nodes: Vec<Node<W>>,
}

struct Node<const W: usize> {
    /// What the sufficient remainders lack, two providers or more, all with smaller numbers than
    /// the path's.
    lacking: Vec<Places<W>>,
    /// Who would complete a sufficient remainder.
    banned: Places<W>,
    /// Remainders that fail and contain the path.
    failing: Vec<Places<W>>,
    /// No smaller child is to be visited.
    next: usize,
}

impl<const W: usize> Walk<W> {
    /// Among so many providers.
    pub fn new(providers: usize) -> Walk<W> {
        let node = || Node {
            lacking: Vec::new(),
            banned: Places::NONE,
            failing: Vec::new(),
            next: 0,
        };
        let nodes = (0..providers.max(1)).map(|_| node()).collect();
        Walk {
            size: 0,
            providers,
            path: Vec::with_capacity(providers),
            put: 0,
            nodes,
        }
    }

    /// Starts over: remainders of `size` providers, at least one, whose strongest has at least the
    /// number `from`, that contain none of the sufficient ones.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn begin(
        &mut self,
        size: usize,
        from: usize,
        sufficient: &[Places<W>],
        failing: &[Places<W>],
        lattice: &mut Lattice,
    ) {
        self.clear(lattice);
        self.size = size;
        let root = &mut self.nodes[0];
        root.next = from;
        root.banned = Places::NONE;
        root.lacking.clear();
        for remainder in sufficient {
            match remainder.len() {
                1 => root.banned.join(remainder),
                _ => root.lacking.push(*remainder),
            }
        }
        root.failing.clear();
        root.failing.extend_from_slice(failing);
    }

    /// Stands nowhere: the remainder has no rows.
    pub fn clear(&mut self, lattice: &mut Lattice) {
        self.leave(0, lattice);
    }

    /// The strongest member of the remainder it stands at.
    pub fn strongest(&self) -> usize {
        self.path[0]
    }

    /// Goes on to the next remainder and puts its rows into the lattice; `false` when there is
    /// none.
    pub fn advance(&mut self, lattice: &mut Lattice) -> Result<bool, Limit> {
        if self.path.len() == self.size {
            self.leave(self.size - 1, lattice);
        }
        loop {
            let depth = self.path.len();
            match self.child() {
                Some(child) => {
                    self.nodes[depth].next = child + 1;
                    if depth + 1 < self.size {
                        let (above, below) = self.nodes.split_at_mut(depth + 1);
                        lattice.spend(below[0].enter(
                            &above[depth],
                            child,
                            self.size - depth - 1,
                        ))?;
                    }
                    self.path.push(child);
                    if depth + 1 == self.size {
                        self.stand(self.size, lattice);
                        return Ok(true);
                    }
                }
                None if depth == 0 => return Ok(false),
                None => self.leave(depth - 1, lattice),
            }
        }
    }

    /// The next provider for the path below which enough others are left.
    fn child(&self) -> Option<usize> {
        let node = &self.nodes[self.path.len()];
        let more = self.size - self.path.len() - 1;
        let end = self.path.last().copied().unwrap_or(self.providers);
        (node.next.max(more)..end)
            .find(|&x| !node.banned.contains(x) && (more == 0 || x - node.banned.below(x) >= more))
    }

    /// Puts exactly the strongest `depth` of the remainder it stands at into the lattice.
    pub fn stand(&mut self, depth: usize, lattice: &mut Lattice) {
        while self.put < depth {
            lattice.put(self.path[self.put]);
            self.put += 1;
        }
        while self.put > depth {
            self.put -= 1;
            lattice.take(self.path[self.put]);
        }
    }

    fn leave(&mut self, depth: usize, lattice: &mut Lattice) {
        self.stand(self.put.min(depth), lattice);
        self.path.truncate(depth);
    }

    /// How many of the strongest of the remainder it stands at are known to fail by themselves;
    /// nobody always does.
    pub fn known_to_fail(&self) -> usize {
        (1..self.size)
            .rev()
            .find(|&depth| !self.nodes[depth].failing.is_empty())
            .unwrap_or(0)
    }

    /// Remembers that the strongest `depth` of the remainder it stands at fail by themselves.
    pub fn fails(&mut self, depth: usize) -> Places<W> {
        let failing = Places::of(&self.path[..depth]);
        self.nodes[..=depth]
            .iter_mut()
            .for_each(|node| node.failing.push(failing));
        failing
    }

    /// Remembers that the strongest `depth` of the remainder it stands at are sufficient, and
    /// leaves all that contain them.
    pub fn suffices(&mut self, depth: usize, lattice: &mut Lattice) -> Places<W> {
        let sufficient = Places::of(&self.path[..depth]);
        let mut lacking = sufficient;
        // a remainder of full size is in no other
        let above = if depth < self.size { depth } else { 0 };
        for (node, &member) in self.nodes.iter_mut().zip(&self.path[..above]) {
            match lacking.len() {
                1 => node.banned.join(&lacking),
                _ => node.lacking.push(lacking),
            }
            lacking = lacking.without(member);
        }
        self.leave(depth - 1, lattice);
        sufficient
    }
}

impl<const W: usize> Node<W> {
    /// Becomes the child of a node, where `more` providers are to follow; says how much it looked
    /// at.
    fn enter(&mut self, parent: &Node<W>, child: usize, more: usize) -> u64 {
        self.next = 0;
        self.banned = parent.banned;
        self.lacking.clear();
        for lacking in &parent.lacking {
            // with a stronger one missing it cannot be completed any more
            let rest = match lacking.last() {
                Some(last) if last > child => continue,
                Some(last) if last == child => lacking.without(child),
                _ => *lacking,
            };
            match rest.len() {
                1 => self.banned.join(&rest),
                lack if lack <= more && !rest.meets(&self.banned) => self.lacking.push(rest),
                _ => {}
            }
        }
        self.failing.clear();
        self.failing.extend(
            parent
                .failing
                .iter()
                .filter(|failing| failing.contains(child)),
        );
        (W * (parent.lacking.len() + parent.failing.len())) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Insiders, K, M, Promise, Requirement, Rule};
    use mingle_model::{Entry, ProviderId};

    const N: usize = 8;

    /// Walks among providers with one row each.
    fn walk(check: impl FnOnce(&mut Walk<1>, &mut Lattice)) {
        let one = Promise {
            rule: Rule::k_anonymity(K(1)),
            attribute: None,
        };
        let requirement = Requirement::bind(&[one], &[], &[N as u64])
            .unwrap()
            .against(Insiders::victim(M(1)));
        let row = |provider| Entry {
            sensitive: 0,
            provider: ProviderId(provider),
            count: 1,
        };
        let tally = requirement.tally((0..N as u32).map(row));
        let mut effort = Effort::default();
        check(
            &mut Walk::new(N),
            &mut Lattice::new(&requirement, &tally, 0.3, &mut effort),
        );
    }

    fn set(bits: u32) -> Places<1> {
        Places::of(&(0..N).filter(|n| bits >> n & 1 == 1).collect::<Vec<_>>())
    }

    fn bits(path: &[usize]) -> u32 {
        path.iter().map(|&number| 1 << number).sum()
    }

    /// Some sets of two to four providers.
    fn some(seed: u32) -> Vec<u32> {
        let mixed = (1..40u32).map(|i| (seed * 97 + i).wrapping_mul(2_654_435_761) >> 7 & 0xff);
        mixed
            .filter(|set| (2..=4).contains(&set.count_ones()))
            .take(seed as usize % 9)
            .collect()
    }

    #[test]
    fn exactly_what_contains_no_sufficient_remainder_is_visited_in_ascending_order() {
        walk(|walk, lattice| {
            for (seed, size) in (0..200).flat_map(|seed| (1..N).map(move |size| (seed, size))) {
                let sufficient = some(seed);
                let sets: Vec<Places<1>> = sufficient.iter().map(|&bits| set(bits)).collect();
                walk.begin(size, 0, &sets, &[], lattice);
                let mut visited = Vec::new();
                while walk.advance(lattice).unwrap() {
                    visited.push(bits(&walk.path));
                }
                let open = |set: &u32| sufficient.iter().all(|s| s & set != *s);
                let all = (0..1u32 << N).filter(|set| set.count_ones() as usize == size);
                assert_eq!(
                    visited,
                    all.filter(open).collect::<Vec<_>>(),
                    "{size}, {sufficient:?}"
                );
            }
        });
    }

    #[test]
    fn what_is_settled_on_the_way_is_not_visited() {
        walk(|walk, lattice| {
            for (seed, size) in (0..200).flat_map(|seed| (1..N).map(move |size| (seed, size))) {
                walk.begin(size, 0, &[], &[], lattice);
                let mut settled: Vec<(u32, bool)> = Vec::new();
                let mut visited = Vec::new();
                while walk.advance(lattice).unwrap() {
                    let here = bits(&walk.path);
                    assert!(
                        settled
                            .iter()
                            .all(|&(set, sufficient)| !sufficient || set & here != set)
                    );
                    let fails = |depth: usize| {
                        settled.iter().any(|&(set, sufficient)| {
                            !sufficient && bits(&walk.path[..depth]) & !set == 0
                        })
                    };
                    assert_eq!(
                        walk.known_to_fail(),
                        (1..size).rev().find(|&depth| fails(depth)).unwrap_or(0)
                    );
                    visited.push(here);
                    let depth = 1 + (here.wrapping_mul(seed * 2 + 1) >> 3) as usize % size;
                    if depth > 1 {
                        settled.push((bits(&walk.path[..depth - 1]), false));
                        walk.fails(depth - 1);
                    }
                    settled.push((bits(&walk.path[..depth]), true));
                    walk.suffices(depth, lattice);
                }
                let open = |set: &u32| {
                    settled
                        .iter()
                        .all(|&(s, sufficient)| !sufficient || s & set != s)
                };
                let missed = (0..1u32 << N)
                    .filter(|set| set.count_ones() as usize == size)
                    .find(open);
                assert_eq!(missed, None, "neither visited nor settled");
                assert!(visited.is_sorted_by(|a, b| a < b));
            }
        });
    }
}
