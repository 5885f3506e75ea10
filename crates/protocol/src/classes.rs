//! Partitions of the common people, and the algebra that synchronizers are made of.
//!
//! People are numbered `0..n` in an order that both sites know. MEET has the non-empty
//! intersections of two partitions' classes; JOIN has the connected components of "shares a class":
//! the finest partition that both refine. Classes are numbered by their first member, so equal
//! partitions are equal values whoever made them. Cost O(n) each.

use std::collections::HashMap;

/// A partition of the people `0..n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Classes {
    class_of: Vec<u32>,
    sizes: Vec<u32>,
}

impl Classes {
    /// Any numbering of the classes, per person.
    pub fn new(labels: impl IntoIterator<Item = u32>) -> Classes {
        let mut number: HashMap<u32, u32, ahash::RandomState> = HashMap::default();
        Classes::numbered(labels, |label, next| *number.entry(label).or_insert(next))
    }

    /// Everybody in one class.
    pub fn whole(people: usize) -> Classes {
        Classes::new(std::iter::repeat_n(0, people))
    }

    fn numbered<T>(
        labels: impl IntoIterator<Item = T>,
        mut number: impl FnMut(T, u32) -> u32,
    ) -> Classes {
        let mut sizes: Vec<u32> = Vec::new();
        let class_of = labels
            .into_iter()
            .map(|label| {
                let class = number(label, sizes.len() as u32);
                if class as usize == sizes.len() {
                    sizes.push(0);
                }
                sizes[class as usize] += 1;
                class
            })
            .collect();
        Classes { class_of, sizes }
    }

    /// How many people.
    pub fn people(&self) -> usize {
        self.class_of.len()
    }

    /// How many classes.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Per person the class.
    pub fn class_of(&self) -> &[u32] {
        &self.class_of
    }

    /// Per class how many people.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The size of the smallest class; 0 where there is none.
    pub fn smallest(&self) -> u64 {
        self.sizes.iter().copied().min().unwrap_or(0).into()
    }

    /// Per class its people, ascending.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = self
            .sizes
            .iter()
            .map(|&size| Vec::with_capacity(size as usize))
            .collect();
        (0..)
            .zip(&self.class_of)
            .for_each(|(person, &class)| members[class as usize].push(person));
        members
    }

    /// The non-empty intersections of classes.
    pub fn meet(&self, other: &Classes) -> Classes {
        let mut number: HashMap<(u32, u32), u32, ahash::RandomState> = HashMap::default();
        let pairs = self
            .class_of
            .iter()
            .copied()
            .zip(other.class_of.iter().copied());
        Classes::numbered(pairs, |pair, next| *number.entry(pair).or_insert(next))
    }

    /// The connected components of "shares a class".
    pub fn join(&self, other: &Classes) -> Classes {
        let mut components = Components::new(self.len() + other.len());
        for (&mine, &theirs) in self.class_of.iter().zip(&other.class_of) {
            components.unite(mine as usize, self.len() + theirs as usize);
        }
        Classes::new(
            self.class_of
                .iter()
                .map(|&class| components.root(class as usize) as u32),
        )
    }

    /// Whether every class lies within a class of the other.
    pub fn refines(&self, coarser: &Classes) -> bool {
        self.meet(coarser).len() == self.len()
    }
}

/// Disjoint sets.
pub(crate) struct Components(Vec<u32>);

impl Components {
    pub(crate) fn new(len: usize) -> Components {
        Components((0..len as u32).collect())
    }

    pub(crate) fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] as usize != at {
            self.0[at] = self.0[self.0[at] as usize];
            at = self.0[at] as usize;
        }
        at
    }

    /// The smaller root wins.
    pub(crate) fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// From the definitions, pair by pair.
    fn together(classes: &Classes, a: usize, b: usize) -> bool {
        classes.class_of[a] == classes.class_of[b]
    }

    fn oracle_join(p: &Classes, q: &Classes) -> Vec<Vec<bool>> {
        let n = p.people();
        let mut reach: Vec<Vec<bool>> = (0..n)
            .map(|a| {
                (0..n)
                    .map(|b| together(p, a, b) || together(q, a, b))
                    .collect()
            })
            .collect();
        for via in 0..n {
            for a in 0..n {
                for b in 0..n {
                    reach[a][b] |= reach[a][via] && reach[via][b];
                }
            }
        }
        reach
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn meet_and_join_follow_their_definitions(pairs in prop::collection::vec((0u32..6, 0u32..6), 1..14)) {
            let p = Classes::new(pairs.iter().map(|x| x.0));
            let q = Classes::new(pairs.iter().map(|x| x.1));
            let (meet, join, reach) = (p.meet(&q), p.join(&q), oracle_join(&p, &q));
            for (a, reached) in reach.iter().enumerate() {
                for (b, &connected) in reached.iter().enumerate() {
                    prop_assert_eq!(together(&meet, a, b), together(&p, a, b) && together(&q, a, b));
                    prop_assert_eq!(together(&join, a, b), connected);
                }
            }
            prop_assert!(meet.refines(&p) && p.refines(&join) && q.refines(&join));
            prop_assert_eq!(&meet, &q.meet(&p));
            prop_assert_eq!(&join, &q.join(&p));
        }
    }

    #[test]
    fn equal_partitions_are_equal_values() {
        assert_eq!(Classes::new([7, 7, 3]), Classes::new([0, 0, 9]));
        assert_ne!(Classes::new([7, 3, 3]), Classes::new([0, 0, 9]));
    }
}
