//! How many people have how many values.

/// People by a number of values, as a whole distribution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sizes(Vec<u64>);

impl Sizes {
    /// So many more people with this number of values.
    pub fn count(&mut self, size: u32, people: u64) {
        let at = size as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        self.0[at] += people;
    }

    /// Both together.
    pub fn add(&mut self, other: &Sizes) {
        other
            .iter()
            .for_each(|(size, people)| self.count(size, people));
    }

    /// Sizes that somebody has, ascending, with how many have them.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..)
            .zip(self.0.iter().copied())
            .filter(|&(_, people)| people > 0)
    }

    /// Everybody.
    pub fn people(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Those with exactly so many.
    pub fn exactly(&self, size: u32) -> u64 {
        self.0.get(size as usize).copied().unwrap_or(0)
    }

    /// Those with at most so many.
    pub fn at_most(&self, size: u32) -> u64 {
        self.0.iter().take(size as usize + 1).sum()
    }

    /// The fewest that anybody has.
    pub fn least(&self) -> Option<u32> {
        self.iter().next().map(|(size, _)| size)
    }

    /// The most that anybody has.
    pub fn most(&self) -> Option<u32> {
        self.iter().last().map(|(size, _)| size)
    }

    /// The average; `None` of nobody.
    pub fn mean(&self) -> Option<f64> {
        let people = self.people();
        let sum: u128 = self
            .iter()
            .map(|(size, people)| u128::from(size) * u128::from(people))
            .sum();
        (people > 0).then(|| sum as f64 / people as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_and_some() {
        let mut sizes = Sizes::default();
        assert_eq!(
            (
                sizes.people(),
                sizes.mean(),
                sizes.least(),
                sizes.at_most(9)
            ),
            (0, None, None, 0)
        );
        sizes.count(3, 2);
        sizes.count(1, 1);
        let mut twice = sizes.clone();
        twice.add(&sizes);
        assert_eq!(twice.iter().collect::<Vec<_>>(), [(1, 2), (3, 4)]);
        assert_eq!(
            (twice.least(), twice.most(), twice.people()),
            (Some(1), Some(3), 6)
        );
        assert_eq!(
            (
                twice.at_most(0),
                twice.at_most(2),
                twice.at_most(3),
                twice.at_most(u32::MAX)
            ),
            (0, 2, 6, 6)
        );
        assert_eq!((twice.exactly(3), twice.exactly(4)), (4, 0));
        assert_eq!(twice.mean(), Some(14.0 / 6.0));
    }
}
