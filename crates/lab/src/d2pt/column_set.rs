//! Which quasi-identifiers a site holds, as a set of their places.

/// Some of at most 32 columns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ColumnSet(u32);

impl ColumnSet {
    /// The first `count` columns.
    pub fn first(count: usize) -> ColumnSet {
        ColumnSet((1 << count) - 1)
    }

    /// How many.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the column at this place is one of them.
    pub fn contains(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }

    /// The columns that `self` has and `part` does not.
    pub fn without(self, part: ColumnSet) -> ColumnSet {
        ColumnSet(self.0 & !part.0)
    }

    /// Every way to deal all of these columns to two sites with at least one each, up to which site
    /// is which: the part that has the first column. 2^(n−1) − 1 of them.
    pub fn halves(self) -> Vec<ColumnSet> {
        let lowest = self.0 & self.0.wrapping_neg();
        (1..self.0)
            .filter(|part| part & !self.0 == 0 && part & lowest != 0)
            .map(ColumnSet)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_way_to_deal_columns_occurs_once() {
        for count in 1..=7 {
            let all = ColumnSet::first(count);
            let both: Vec<[ColumnSet; 2]> = all
                .halves()
                .into_iter()
                .flat_map(|half| [[half, all.without(half)], [all.without(half), half]])
                .collect();
            assert_eq!(both.len(), (1 << count) - 2);
            assert_eq!(both.iter().collect::<HashSet<_>>().len(), both.len());
            for [one, other] in both {
                assert!(one.len() > 0 && other.len() > 0 && one.len() + other.len() == count);
                assert!((0..count).all(|place| one.contains(place) != other.contains(place)));
            }
        }
    }
}
