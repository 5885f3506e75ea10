//! The largest risks of re-identification that a policy accepts.
//!
//! Readers are those of El Emam (2013): the prosecutor, who knows that somebody is in the table,
//! the journalist, who does not, and the marketer, who links everybody. What a limit is about is
//! counted by people. Limits are exact, as the parameters of constraints are: a chance of one in
//! ten is not above 0.1.

use crate::Ratio;

/// What is accepted; `None` where nothing is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RiskLimits {
    /// The highest chance of anybody: the prosecutor's, which no other reader's exceeds.
    pub maximum: Option<Ratio>,
    /// The prosecutor's chance, on average over people.
    pub average: Option<Ratio>,
    /// The journalist's highest chance.
    pub journalist_maximum: Option<Ratio>,
    /// The journalist's chance, on average.
    pub journalist_average: Option<Ratio>,
    /// The share of people whom the marketer links rightly, as expected.
    pub marketer: Option<Ratio>,
}

impl Ratio {
    /// Whether `part` of `whole` is at most this; nothing of nothing is.
    pub fn bounds_share(self, part: u64, whole: u64) -> bool {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        product(part, self.denominator()) <= product(self.numerator(), whole)
    }

    /// The fewest people among whom a chance of one is at most this; `None` where no number is
    /// enough.
    pub fn fewest_people(self) -> Option<u64> {
        (self.numerator() > 0).then(|| self.denominator().div_ceil(self.numerator()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_are_exact() {
        let tenth = Ratio::parse("0.1").unwrap();
        assert!(tenth.bounds_share(1, 10) && !tenth.bounds_share(1, 9));
        assert!(tenth.bounds_share(0, 0) && !tenth.bounds_share(1, 0));
        assert_eq!(tenth.fewest_people(), Some(10));
        assert_eq!(Ratio::parse("0.09").unwrap().fewest_people(), Some(12));
        assert_eq!(Ratio::from(0).fewest_people(), None);
        // the double nearest to both is the same
        assert!(
            !Ratio::parse("0.3333333333333333")
                .unwrap()
                .bounds_share(1, 3)
        );
    }

    #[test]
    fn the_fewest_are_enough_and_one_less_is_not() {
        for numerator in 1..60 {
            for denominator in 1..200 {
                let limit = Ratio::new(numerator, denominator).unwrap();
                let fewest = limit.fewest_people().unwrap();
                assert!(limit.bounds_share(1, fewest), "{limit}");
                assert!(fewest == 1 || !limit.bounds_share(1, fewest - 1), "{limit}");
            }
        }
    }
}
