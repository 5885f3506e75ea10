//! How far a reader should believe that a flagged unit failed.
//!
//! The naive reader believes it fully. A calibrated one weighs it: where nothing is known but the
//! group's values, a random draw fails with some probability, and the flag multiplies its odds by
//! how much likelier a unit that fails is flagged than one that passes. With a factor of 1 nothing
//! is learnt beyond the group's frequency, so what this reader infers is what the method gives away
//! and nothing else.
//!
//! The factor is taken from the truth, for units of about a size. A reader can estimate it: what
//! fails is always flagged, and what is published by itself is seen to pass.

/// Classes have at least so many units where there are as many.
const CLASS: usize = 32;

/// A unit as the rule sees it.
#[derive(Clone, Copy)]
pub struct UnitSeen {
    /// How many people.
    pub people: u64,
    /// Whether it was not published by itself.
    pub flagged: bool,
    /// Whether it fails.
    pub fails: bool,
}

/// For each unit by what its flag multiplies the odds that it failed.
pub fn factors(units: &[UnitSeen]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&at| (units[at].people, at));
    let mut factors = vec![1.0; units.len()];
    for class in classes(units, &order) {
        let factor = factor(class.iter().map(|&at| units[at]));
        class.iter().for_each(|&at| factors[at] = factor);
    }
    factors
}

/// How far to believe that a flagged unit failed, if a random draw fails this likely.
pub fn belief(drawn: f64, factor: f64) -> f64 {
    match drawn {
        never if never <= 0.0 => 0.0,
        always if always >= 1.0 => 1.0,
        drawn => 1.0 / (1.0 + (1.0 - drawn) / drawn / factor),
    }
}

/// Units of about a size: equal sizes stay together, and the largest join the last class.
fn classes<'o>(units: &[UnitSeen], order: &'o [usize]) -> Vec<&'o [usize]> {
    let mut ends = vec![0];
    for end in 1..order.len() {
        let parts = units[order[end]].people != units[order[end - 1]].people;
        if parts && end - ends[ends.len() - 1] >= CLASS && order.len() - end >= CLASS {
            ends.push(end);
        }
    }
    ends.push(order.len());
    ends.windows(2)
        .map(|ends| &order[ends[0]..ends[1]])
        .collect()
}

/// How much likelier what fails is flagged than what passes; infinite where nothing that passes is.
fn factor(class: impl Iterator<Item = UnitSeen> + Clone) -> f64 {
    let flagged_of = |fails: bool| {
        let all = class.clone().filter(|unit| unit.fails == fails);
        let count = all.clone().count();
        (count > 0).then(|| all.filter(|unit| unit.flagged).count() as f64 / count as f64)
    };
    // without an example the reader relies on what the method does: what fails is never published
    // by itself
    let failing = flagged_of(true).unwrap_or(1.0);
    match flagged_of(false) {
        Some(passing) => failing / passing,
        // where nothing passes nothing can be compared, and nothing is learnt
        None => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(people: u64, flagged: bool, fails: bool, count: usize) -> Vec<UnitSeen> {
        vec![
            UnitSeen {
                people,
                flagged,
                fails
            };
            count
        ]
    }

    #[test]
    fn a_flag_weighs_as_much_as_it_is_rare_among_what_passes() {
        let all = [
            units(5, true, true, 4),
            units(5, true, false, 9),
            units(5, false, false, 27),
        ]
        .concat();
        assert!(factors(&all).iter().all(|&factor| factor == 4.0));
        assert_eq!(factors(&units(5, true, false, 9)), [1.0; 9]);
        assert_eq!(factors(&units(5, true, true, 2)), [1.0; 2]);
        assert_eq!(
            factors(&[units(5, true, true, 1), units(5, false, false, 1)].concat()),
            [f64::INFINITY; 2]
        );
        assert_eq!(factors(&[]), [0.0; 0]);
    }

    #[test]
    fn beliefs_follow_odds() {
        for factor in [0.5, 1.0, 4.0, 100.0] {
            for drawn in [0.01, 0.3, 0.9] {
                let odds = |p: f64| p / (1.0 - p);
                assert!((odds(belief(drawn, factor)) - factor * odds(drawn)).abs() < 1e-6);
            }
        }
        assert!((belief(0.3, 1.0) - 0.3).abs() < 1e-12);
        assert_eq!(
            [
                belief(0.0, f64::INFINITY),
                belief(1.0, 0.0),
                belief(0.2, 0.0)
            ],
            [0.0, 1.0, 0.0]
        );
        assert_eq!(belief(0.001, f64::INFINITY), 1.0);
    }

    #[test]
    fn sizes_are_told_apart_where_there_are_enough() {
        let small = [units(5, true, false, 16), units(5, false, false, 16)].concat();
        let large = [units(9, true, false, 4), units(9, false, false, 28)].concat();
        let found = factors(&[small.clone(), large.clone()].concat());
        assert_eq!((found[0], found[63]), (2.0, 8.0));
        // one fewer, and they are one class
        let found = factors(&[&small[..], &large[..31]].concat());
        assert_eq!(found[0], found[62]);
    }
}
