//! Counts that are not negative, nearest to noisy ones and with the same sum.
//!
//! Raising negative counts to zero one by one adds, on average, to the sum: a table of a thousand
//! empty cells would seem to hold hundreds of people. The nearest table (in squares) among those
//! that are not negative and have a given sum takes the same amount from every cell and cuts at
//! zero, which is found by one sort: O(n log n).

/// Replaces values by the nearest ones that are not negative and add up to `sum`; all zero where
/// `sum` is not positive.
pub(crate) fn project(values: &mut [f64], sum: f64) {
    let taken = if sum > 0.0 {
        taken(values, sum)
    } else {
        f64::INFINITY
    };
    values
        .iter_mut()
        .for_each(|value| *value = (*value - taken).max(0.0));
}

/// What is taken from every value: the t with Σ max(value − t, 0) = sum.
fn taken(values: &[f64], sum: f64) -> f64 {
    if values.iter().all(|&value| value >= 0.0) {
        let excess = (values.iter().sum::<f64>() - sum) / values.len().max(1) as f64;
        if values.iter().all(|&value| value >= excess) {
            return excess;
        }
    }
    let mut falling = values.to_vec();
    falling.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut above = 0.0;
    let mut taken = f64::INFINITY;
    for (place, &value) in falling.iter().enumerate() {
        above += value;
        let candidate = (above - sum) / (place + 1) as f64;
        if place > 0 && candidate >= value {
            break;
        }
        taken = candidate;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_cases() {
        for (values, sum, expected) in [
            (vec![3.0, -1.0, 2.0], 4.0, vec![2.5, 0.0, 1.5]),
            (vec![1.0, 1.0], 4.0, vec![2.0, 2.0]),
            (vec![-5.0, -7.0], 2.0, vec![2.0, 0.0]),
            (vec![5.0], 0.0, vec![0.0]),
            (vec![5.0, -1.0], -3.0, vec![0.0, 0.0]),
        ] {
            let mut found = values.clone();
            project(&mut found, sum);
            assert_eq!(found, expected, "{values:?} {sum}");
        }
        project(&mut [], 1.0);
    }

    proptest! {
        /// Nearest among the allowed: no allowed table is nearer than what was found, random ones
        /// included.
        #[test]
        fn nothing_allowed_is_nearer(
            values in prop::collection::vec(-10.0..10.0f64, 1..8),
            other in prop::collection::vec(0.001..1.0f64, 8),
            sum in 0.1..30.0f64,
        ) {
            let mut found = values.clone();
            project(&mut found, sum);
            prop_assert!(found.iter().all(|&value| value >= 0.0));
            prop_assert!((found.iter().sum::<f64>() - sum).abs() < 1e-9);
            let other = &other[..values.len()];
            let all: f64 = other.iter().sum();
            let other: Vec<f64> = other.iter().map(|share| share / all * sum).collect();
            let distance = |to: &[f64]| values.iter().zip(to).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            prop_assert!(distance(&found) <= distance(&other) + 1e-9);
        }
    }
}
