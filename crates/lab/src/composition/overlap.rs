//! Subsets of a population that have some people in common.
//!
//! Everybody is put in random order. The first are the common people, who are in every subset; the
//! others are dealt so that each subset reaches its size. With [`Rest::Apart`] nobody else is in
//! two subsets: two subsets of 17,581 with 5,000 in common are all 30,162 people of Adult. With
//! [`Rest::Free`] each subset draws its rest from all others, so that any number of subsets can
//! have that size, and some of the rest are in two or more.

use crate::deal::shuffled;
use crate::error::Error;

/// Who else is in a subset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rest {
    /// People of no other subset.
    Apart,
    /// Anybody, drawn for each subset anew.
    Free,
}

impl Rest {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Rest::Apart => "apart",
            Rest::Free => "free",
        }
    }
}

/// How subsets are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Overlap {
    /// People in all subsets.
    pub common: usize,
    /// People in each subset.
    pub size: usize,
    /// How many subsets.
    pub subsets: usize,
    /// Who else is in them.
    pub rest: Rest,
}

impl Overlap {
    /// Subsets as large as they can be when only the common people are in more than one.
    pub fn of_all(people: usize, common: usize, subsets: usize) -> Overlap {
        let size = common + people.saturating_sub(common) / subsets;
        Overlap {
            common,
            size,
            subsets,
            rest: Rest::Apart,
        }
    }

    /// The rows of every subset, those of the common people first and in the same order.
    pub fn draw(&self, people: usize, seed: u64, draw: u64) -> Result<Vec<Vec<u32>>, Error> {
        let own = self.size.saturating_sub(self.common);
        let needed = match self.rest {
            Rest::Apart => self.common + own * self.subsets,
            Rest::Free => self.common + own,
        };
        if needed > people {
            return Err(Error::TooFewRows {
                rows: people,
                needed,
            });
        }
        let order: Vec<u32> = shuffled(people, seed, draw)
            .into_iter()
            .map(|row| row as u32)
            .collect();
        let (common, others) = order.split_at(self.common);
        let rest = |subset: usize| -> Vec<u32> {
            match self.rest {
                Rest::Apart => others[subset * own..(subset + 1) * own].to_vec(),
                Rest::Free => {
                    // a stream of its own for each subset, away from those of the draws
                    let order = shuffled(others.len(), seed, (draw + 1) << 16 | subset as u64);
                    order[..own].iter().map(|&at| others[at]).collect()
                }
            }
        };
        Ok((0..self.subsets)
            .map(|subset| [common, &rest(subset)].concat())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn times(subsets: &[Vec<u32>]) -> HashMap<u32, usize> {
        let mut times = HashMap::new();
        subsets
            .iter()
            .flatten()
            .for_each(|&row| *times.entry(row).or_default() += 1);
        times
    }

    #[test]
    fn two_subsets_of_adult_are_everybody() {
        let overlap = Overlap::of_all(30_162, 5_000, 2);
        assert_eq!(overlap.size, 17_581);
        let subsets = overlap.draw(30_162, 0, 0).unwrap();
        let times = times(&subsets);
        assert_eq!(times.len(), 30_162);
        assert!(subsets[0][..5_000].iter().all(|row| times[row] == 2));
        assert_eq!(times.values().filter(|&&n| n == 2).count(), 5_000);
    }

    #[test]
    fn everybody_is_in_a_subset_once_and_the_common_people_in_all() {
        for rest in [Rest::Apart, Rest::Free] {
            let overlap = Overlap {
                common: 20,
                size: 50,
                subsets: 4,
                rest,
            };
            let subsets = overlap.draw(150, 3, 1).unwrap();
            for subset in &subsets {
                assert_eq!(subset.len(), 50);
                assert!(
                    times(std::slice::from_ref(subset))
                        .values()
                        .all(|&n| n == 1)
                );
                assert_eq!(subset[..20], subsets[0][..20]);
            }
            let more = times(&subsets)
                .into_iter()
                .filter(|(row, n)| *n > 1 && !subsets[0][..20].contains(row))
                .count();
            assert_eq!(more > 0, rest == Rest::Free);
        }
    }

    #[test]
    fn draws_follow_seed_and_number() {
        let overlap = Overlap {
            common: 20,
            size: 50,
            subsets: 2,
            rest: Rest::Free,
        };
        let draw = |seed, draw| overlap.draw(150, seed, draw).unwrap();
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(1, 0), draw(2, 0));
    }

    #[test]
    fn too_few_people_are_refused() {
        let apart = Overlap {
            common: 20,
            size: 50,
            subsets: 4,
            rest: Rest::Apart,
        };
        assert!(matches!(
            apart.draw(139, 0, 0),
            Err(Error::TooFewRows {
                rows: 139,
                needed: 140
            })
        ));
        assert!(apart.draw(140, 0, 0).is_ok());
        let free = Overlap {
            rest: Rest::Free,
            ..apart
        };
        assert!(matches!(
            free.draw(49, 0, 0),
            Err(Error::TooFewRows { needed: 50, .. })
        ));
        assert!(free.draw(50, 0, 0).is_ok());
    }
}
