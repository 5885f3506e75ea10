//! How far a reader should trust that a merged unit failed.
//!
//! The naive reader trusts it fully. A calibrated one knows how often it is right: of the flagged units of about a size,
//! a certain number did fail. Which ones is unknown, but a group in which a random draw fails easily makes it likelier.
//! So the odds of each are those of a random draw times a factor that is the same for all units of a class, and the factor
//! is chosen so that the beliefs add up to the number that failed. No reader has that number; an estimate comes close,
//! so this is the reader to be afraid of.

/// Classes have at least so many units where there are as many.
const CLASS: usize = 20;
/// Halvings of the interval of logarithms in which the factor lies.
const HALVINGS: usize = 60;
const WIDEST: f64 = 80.0;

/// A flagged unit.
#[derive(Clone, Copy)]
pub struct Flagged {
    /// How many people.
    pub people: u64,
    /// How likely a random draw of them fails.
    pub drawn: f64,
    /// Whether they do.
    pub fails: bool,
}

/// For each unit how far to believe that it failed.
pub fn beliefs(units: &[Flagged]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&at| (units[at].people, at));
    let mut beliefs = vec![0.0; units.len()];
    for class in classes(units, &order) {
        let failed = class.iter().filter(|&&at| units[at].fails).count();
        let factor = factor(class.iter().map(|&at| units[at].drawn), failed);
        class.iter().for_each(|&at| beliefs[at] = believe(units[at].drawn, factor));
    }
    beliefs
}

/// Units of about a size: equal sizes stay together, and the largest join the last class.
fn classes<'o>(units: &[Flagged], order: &'o [usize]) -> Vec<&'o [usize]> {
    let mut ends = vec![0];
    for end in 1..order.len() {
        let parts = units[order[end]].people != units[order[end - 1]].people;
        if parts && end - ends[ends.len() - 1] >= CLASS && order.len() - end >= CLASS {
            ends.push(end);
        }
    }
    ends.push(order.len());
    ends.windows(2).map(|ends| &order[ends[0]..ends[1]]).collect()
}

/// The logarithm of the factor with which beliefs add up to the number that failed.
fn factor(drawn: impl Iterator<Item = f64> + Clone, failed: usize) -> f64 {
    let possible = drawn.clone().filter(|&drawn| drawn > 0.0).count();
    if failed >= possible {
        return f64::INFINITY;
    }
    if failed == 0 {
        return f64::NEG_INFINITY;
    }
    let (mut low, mut high) = (-WIDEST, WIDEST);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        let sum: f64 = drawn.clone().map(|drawn| believe(drawn, middle)).sum();
        if sum < failed as f64 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

fn believe(drawn: f64, factor: f64) -> f64 {
    match drawn {
        none if none <= 0.0 => 0.0,
        sure if sure >= 1.0 => 1.0,
        drawn => 1.0 / (1.0 + (-(factor + (drawn / (1.0 - drawn)).ln())).exp()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(people: u64, drawn: f64, fails: bool) -> Flagged {
        Flagged { people, drawn, fails }
    }

    #[test]
    fn beliefs_add_up_to_what_failed_and_follow_the_draws() {
        let units: Vec<Flagged> = (0..40).map(|at| unit(5, f64::from(at) / 50.0, at % 4 == 0)).collect();
        let beliefs = beliefs(&units);
        assert!((beliefs.iter().sum::<f64>() - 10.0).abs() < 1e-6);
        assert!(beliefs.windows(2).all(|pair| pair[0] < pair[1]) && beliefs[0] == 0.0);
    }

    #[test]
    fn all_or_none() {
        let all = [unit(5, 0.01, true), unit(6, 0.3, true), unit(7, 0.0, false)];
        assert_eq!(beliefs(&all), [1.0, 1.0, 0.0]);
        let none = [unit(5, 0.01, false), unit(6, 0.3, false)];
        assert_eq!(beliefs(&none), [0.0, 0.0]);
        assert_eq!(beliefs(&[]), [0.0; 0]);
    }

    #[test]
    fn sizes_are_told_apart_where_there_are_enough() {
        let mut units: Vec<Flagged> = (0..20).map(|at| unit(5, 0.2, at < 15)).collect();
        units.extend((0..20).map(|at| unit(9, 0.2, at < 5)));
        let found = beliefs(&units);
        assert!((found[0] - 0.75).abs() < 1e-6 && (found[39] - 0.25).abs() < 1e-6);
        // one fewer, and they are one class
        let found = beliefs(&units[..39]);
        assert!((found[0] - found[38]).abs() < 1e-9);
    }
}
