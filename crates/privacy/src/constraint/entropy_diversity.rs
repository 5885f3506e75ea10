//! Entropy l-diversity (Machanavajjhala et al. 2007): the entropy of a group's sensitive values is
//! at least log l.
//!
//! With counts c_s, N rows and l = p/q: H >= log l iff N^N q^N >= p^N prod c_s^c_s. A missing value
//! is a value like any other here. Not group-monotone: adding rows of one value lowers the entropy.
//!
//! Decided in this order, each step exact: by the number of values (H <= log d, with equality only
//! for equal counts), by the most frequent value (H >= log N/c_max), by floating-point numbers with
//! an error bound, and close to the boundary with big integers. Numbers of more than
//! [`EntropyDiversity::MAX_BITS`] bits are not tried: the answer is then undecided. Phi(c) = N log
//! N - sum c log c - N log l is homogeneous, so a common divisor of the counts does not matter and
//! is taken out before. Cost O(values present) logarithms; the last step up to about 0.2 s.
//! Coalitions are another matter, see [`coalition`]; people with several rows as well, see [`people`].

mod coalition;
mod kept;
mod people;
mod raised;
mod ranges;

use super::{Attribute, Check, Constraint, GroupCounts, Limit, beside_one, outsider};
use crate::breach::Attack;
use crate::catalogue::{
    About, ConstraintKind, KindWords, ParameterForm, ParameterSpec, PolicyKey, Protection,
};
use crate::combinations::Combinations;
use crate::error::Error;
use crate::insiders::Knows;
use crate::people::{Crowd, PeopleGlance, Weights, conjunction, counts, hitting};
use crate::ratio::{Ratio, gcd};
use crate::rule::{ParameterValue, Rule};
use crate::shares::Shares;
use num_bigint::BigUint;
use std::cmp::Ordering;

/// Entropy at least log `l`.
#[derive(Clone, Copy, Debug)]
pub struct EntropyDiversity {
    attribute: Attribute,
    l: Ratio,
}

impl EntropyDiversity {
    /// The constraint's stable name.
    pub const NAME: &str = "entropy-l-diversity";

    /// How long the integers of an exact decision may become.
    pub const MAX_BITS: u64 = 1 << 22;

    /// `l` is at least 1.
    pub fn new(attribute: Attribute, l: Ratio) -> Result<EntropyDiversity, Error> {
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: "l",
            expected: "at least 1",
        };
        if l < Ratio::from(1) {
            Err(range)
        } else {
            Ok(EntropyDiversity { attribute, l })
        }
    }

    fn log_l(&self) -> f64 {
        (self.l.numerator() as f64).ln() - (self.l.denominator() as f64).ln()
    }

    /// Whether Phi >= 0, where bounds on the entropy settle it.
    fn by_bounds(&self, group: GroupCounts<'_>) -> Option<bool> {
        let counts = || group.values.iter().map(|&(_, count)| count);
        let (most, least) = (counts().max()?, counts().min()?);
        let compare =
            |n: u64, d: u64| cross(n, self.l.denominator()).cmp(&cross(self.l.numerator(), d));
        match compare(group.values.len() as u64, 1) {
            Ordering::Less => Some(false),
            Ordering::Equal => Some(most == least),
            Ordering::Greater => compare(group.size, most).is_ge().then_some(true),
        }
    }

    /// Whether Phi >= 0, where floating-point numbers are sure of it.
    ///
    /// gap = ln N - (sum c ln c) / N - ln p + ln q. Counts as f64 and each operation are right to
    /// 2^-53 relatively, and `ln` is taken to be right to 2^-48 only, 32 times worse than any
    /// library in use. All c ln c are >= 0, so their sum is right to (d + 2) 2^-53 + 2^-48, and it
    /// is at most N ln N: no term is larger than those in `scale`.
    fn by_floats(&self, group: GroupCounts<'_>) -> Option<bool> {
        let ln = |n: u64| (n as f64).ln();
        let sum: f64 = group.values.iter().map(|&(_, c)| c as f64 * ln(c)).sum();
        let (log_n, log_p, log_q) = (
            ln(group.size),
            ln(self.l.numerator()),
            ln(self.l.denominator()),
        );
        let gap = log_n - sum / group.size as f64 - log_p + log_q;
        let scale = 2.0 * log_n + log_p + log_q + 1.0;
        let error = scale * (group.values.len() as f64 + 64.0) * f64::EPSILON;
        (gap.abs() > error).then_some(gap > 0.0)
    }

    /// Whether Phi >= 0 by N^N q^N >= p^N prod c^c; `None` when these numbers would be too long.
    fn by_integers(&self, group: GroupCounts<'_>) -> Option<bool> {
        let divisor = group.values.iter().fold(0, |g, &(_, count)| gcd(count, g));
        let n = group.size / divisor;
        let (p, q) = (self.l.numerator(), self.l.denominator());
        // both sides are at most (N max(p, q))^N
        let bits = u128::from(n) * u128::from(bits(n) + bits(p).max(bits(q)));
        if bits > Self::MAX_BITS.into() {
            return None;
        }
        let n32 = u32::try_from(n).ok()?;
        let powers = group
            .values
            .iter()
            .map(|&(_, count)| count / divisor)
            .filter(|&c| c > 1);
        let powers: Option<Vec<BigUint>> = powers
            .map(|c| Some(BigUint::from(c).pow(u32::try_from(c).ok()?)))
            .collect();
        let right = BigUint::from(p).pow(n32) * product(powers?);
        Some((BigUint::from(n) * q).pow(n32) >= right)
    }
}

/// Entropy l-diversity in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct EntropyDiversityKind;

impl Rule {
    /// Entropy of the values at least log `l`: as uncertain as `l` equally frequent values.
    pub fn entropy_diversity(l: Ratio) -> Rule {
        Rule::of(&EntropyDiversityKind, &[ParameterValue::Ratio(l)])
    }

    /// The l of entropy l-diversity.
    pub fn as_entropy_diversity(&self) -> Option<Ratio> {
        self.is(&EntropyDiversityKind).then(|| self.ratio(0))
    }
}

impl ConstraintKind for EntropyDiversityKind {
    fn name(&self) -> &'static str {
        EntropyDiversity::NAME
    }

    fn policy(&self) -> PolicyKey {
        PolicyKey {
            key: "l",
            variant: Some("entropy"),
            asks: "which diversity",
            example: "{ entropy = 2 }",
        }
    }

    fn parameters(&self) -> &'static [ParameterSpec] {
        &[ParameterSpec {
            name: "l",
            symbol: "l",
            form: ParameterForm::Ratio,
            example: "2",
        }]
    }

    fn about(&self) -> About {
        About::Values { joint: true }
    }

    fn group_monotone(&self) -> bool {
        false
    }

    fn check(&self, rule: &Rule) -> Result<(), Error> {
        EntropyDiversity::new(Attribute::Joint, rule.ratio(0)).map(|_| ())
    }

    fn bind(
        &self,
        rule: &Rule,
        attribute: Option<Attribute>,
        table: &Combinations<'_>,
    ) -> Result<Box<dyn Constraint>, Error> {
        let attribute = table.attribute(self.name(), attribute)?;
        Ok(Box::new(EntropyDiversity::new(attribute, rule.ratio(0))?))
    }

    fn smallest_group(&self, rule: &Rule) -> u64 {
        // n rows have an entropy of at most log n
        let l = rule.ratio(0);
        l.numerator().div_ceil(l.denominator())
    }

    fn protection(&self, rule: &Rule) -> Protection {
        let several_values = rule.ratio(0) > Ratio::from(1);
        Protection {
            says_something: several_values,
            rules_out_certainty: several_values,
            bounds_rows: false,
            bounds_shares: false,
        }
    }

    fn implies(&self, rule: &Rule, weaker: &Rule) -> bool {
        rule.ratio(0) >= weaker.ratio(0)
    }

    fn words(&self) -> KindWords {
        KindWords {
            meaning: "their values of {about} are at least as uncertain as {l} equally frequent ones",
            heading: "What is learned about {about}",
            promise: "Among the rows that look alike, {about} is at least as uncertain as a choice between {l} equally \
                      frequent values.",
        }
    }

    fn words_of_people(&self) -> KindWords {
        KindWords {
            meaning: "their values of {about}, counted by people and by rows, are at least as uncertain as {l} equally frequent ones, and it takes at least {l} of them to be sure of one that somebody has",
            heading: "What is learned about {about}",
            promise: "Among the people who look alike, and among their rows, {about} is at least as uncertain as a choice between \
                      {l} equally frequent values, and it takes at least {l} of them to be sure of one that somebody has. A person with \
                      several values counts for each of them in equal parts.",
        }
    }
}

impl Constraint for EntropyDiversity {
    fn kind(&self) -> &'static dyn ConstraintKind {
        &EntropyDiversityKind
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    #[inline]
    fn check(&self, group: GroupCounts<'_>) -> Check {
        if group.values.is_empty() {
            return Check::Fails;
        }
        let sure = self
            .by_bounds(group)
            .or_else(|| self.by_floats(group))
            .or_else(|| self.by_integers(group));
        sure.map_or(
            Check::Undecided(Limit::IntegerBits(Self::MAX_BITS)),
            Check::of,
        )
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        let attack = outsider(self.check(group.counts()), group.size());
        if most == 0 || matches!(attack, Attack::Breach(_)) {
            return attack;
        }
        match (coalition::breach(self, group, most), attack) {
            // the whole group is within everyone's reach
            (Attack::Withstood, unsure) => unsure,
            (found, _) => found,
        }
    }

    /// By the weights of people, by rows, and with a hitting number of at least l, which weights alone
    /// do not imply.
    fn breach_people(&self, group: &Crowd, most: usize) -> Attack {
        if group.knows == Knows::Rows && most > 0 {
            return Attack::Undecided(Limit::SearchSteps(0));
        }
        let l = self.l.numerator().div_ceil(self.l.denominator());
        conjunction(&[
            &|| hitting(group, l, most),
            &|| match Weights::people(group) {
                Ok(weights) => people::breach(self, group, &weights, most),
                Err(limit) => Attack::Undecided(limit),
            },
            &|| people::breach(self, group, &Weights::rows(group), most),
        ])
    }

    fn glance(&self, group: &PeopleGlance<'_>) -> Option<bool> {
        let weights = group.weights()?;
        match self.check(counts(&weights)) {
            Check::Fails => Some(false),
            // what the rows show holds already where a glance is asked for
            Check::Holds if group.most == 0 => group
                .many_have_only_one_value(self.l.numerator().div_ceil(self.l.denominator()))
                .then_some(true),
            Check::Holds | Check::Undecided(_) => None,
        }
    }

    fn weighs_people(&self) -> bool {
        true
    }

    /// The effective number of values over l: exp(H) / l.
    fn fitness(&self, group: GroupCounts<'_>) -> f64 {
        if group.values.is_empty() {
            return 0.0;
        }
        let size = group.size as f64;
        let sum: f64 = group
            .values
            .iter()
            .map(|&(_, c)| c as f64 * (c as f64).ln())
            .sum();
        beside_one((size.ln() - sum / size - self.log_l()).exp(), || {
            self.check(group)
        })
    }
}

fn cross(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

fn bits(n: u64) -> u32 {
    u64::BITS - n.leading_zeros()
}

/// Neighbours first: multiplying numbers of like length is what fast multiplication is fast at.
fn product(mut factors: Vec<BigUint>) -> BigUint {
    while factors.len() > 1 {
        factors = factors
            .chunks(2)
            .map(|pair| pair.iter().product())
            .collect();
    }
    factors.pop().unwrap_or(BigUint::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::Code;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn values(counts: &[u64]) -> (u64, Vec<(Code, u64)>) {
        (
            counts.iter().sum(),
            counts.iter().zip(0..).map(|(&n, code)| (code, n)).collect(),
        )
    }

    fn rule(numerator: u64, denominator: u64) -> EntropyDiversity {
        EntropyDiversity::new(
            Attribute::Joint,
            Ratio::new(numerator, denominator).unwrap(),
        )
        .unwrap()
    }

    #[test]
    fn ties_need_integers_and_hold() {
        for scale in [1, 1_000_000_007, u64::from(u32::MAX)] {
            let (size, values) = values(&[4 * scale, scale, scale, scale, scale]);
            let group = GroupCounts {
                size,
                values: &values,
            };
            let rule = rule(4, 1);
            assert_eq!((rule.by_bounds(group), rule.by_floats(group)), (None, None));
            assert_eq!(rule.check(group), Check::Holds);
        }
    }

    #[test]
    fn one_row_off_a_tie() {
        let (size, one_more) = values(&[4001, 1000, 1000, 1000, 1000]);
        assert_eq!(
            rule(4, 1).check(GroupCounts {
                size,
                values: &one_more
            }),
            Check::Fails
        );
        let (size, one_less) = values(&[3999, 1000, 1000, 1000, 1000]);
        assert_eq!(
            rule(4, 1).check(GroupCounts {
                size,
                values: &one_less
            }),
            Check::Holds
        );
    }

    #[test]
    fn nearly_equal_counts_are_decided_at_any_size() {
        let (size, values) = values(&[1 << 40, 1 << 40, (1 << 40) - 1]);
        assert_eq!(
            rule(3, 1).check(GroupCounts {
                size,
                values: &values
            }),
            Check::Fails
        );
        assert_eq!(
            rule(2, 1).check(GroupCounts {
                size,
                values: &values
            }),
            Check::Holds
        );
    }

    /// A tie whose counts have no common divisor: one half and 2^k equal parts of the rest, l =
    /// 2^((k + 2)/2).
    #[test]
    fn too_long_is_undecided() {
        let mut counts = vec![1 << 20];
        counts.extend(std::iter::repeat_n(1, 1 << 20));
        let (size, values) = values(&counts);
        let group = GroupCounts {
            size,
            values: &values,
        };
        let limit = Limit::IntegerBits(EntropyDiversity::MAX_BITS);
        assert_eq!(rule(1 << 11, 1).check(group), Check::Undecided(limit));
        assert_eq!(rule((1 << 11) + 1, 1).check(group), Check::Fails);
        assert_eq!(rule((1 << 11) - 1, 1).check(group), Check::Holds);
    }

    /// Fractions close to the effective number of values, from far enough to too close for
    /// floating-point numbers.
    #[test]
    fn floats_are_right_or_silent() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut sure, mut silent) = (0, 0);
        for case in 0..1_000 {
            let counts: Vec<u64> = (0..rng.random_range(3..20))
                .map(|_| rng.random_range(1..60))
                .collect();
            let (size, values) = values(&counts);
            let share = |c: u64| c as f64 / size as f64;
            let effective = counts
                .iter()
                .map(|&c| -share(c) * share(c).ln())
                .sum::<f64>()
                .exp();
            let denominator = 10u64.pow(4 + case % 14);
            let numerator = (effective * denominator as f64) as u64 + rng.random_range(0..3);
            let (rule, group) = (
                rule(numerator.max(denominator), denominator),
                GroupCounts {
                    size,
                    values: &values,
                },
            );
            match rule.by_floats(group) {
                Some(holds) => assert_eq!(rule.by_integers(group), Some(holds)),
                None => silent += 1,
            }
            sure += usize::from(rule.by_floats(group).is_some());
        }
        assert!(sure > 300 && silent > 100, "{sure} sure, {silent} silent");
    }

    /// The longest integers that are tried, in few and in many factors.
    #[test]
    fn exact_decisions_are_quick() {
        let mut halves = vec![1 << 16];
        halves.extend(std::iter::repeat_n(1, 1 << 16));
        let many: Vec<u64> = (1..540).collect();
        for (counts, l) in [(&halves, 1 << 9), (&many, 430)] {
            let (size, values) = values(counts);
            let start = std::time::Instant::now();
            assert!(
                rule(l, 1)
                    .by_integers(GroupCounts {
                        size,
                        values: &values
                    })
                    .is_some()
            );
            assert!(start.elapsed().as_secs_f64() < 2.0, "{:?}", start.elapsed());
        }
    }

    #[test]
    fn products_of_any_number_of_factors() {
        for n in 0..9u32 {
            let factors = (1..=n).map(BigUint::from).collect();
            assert_eq!(product(factors), (1..=n).product::<u32>().into());
        }
    }
}
