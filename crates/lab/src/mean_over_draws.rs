//! What an experiment that is repeated with other draws of people reports: the mean of a measure
//! and the standard deviation of the draws.

/// A mean over draws and how far they are spread around it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeanOverDraws {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the draws; 0 for a single one.
    pub spread: f64,
}

impl MeanOverDraws {
    /// Of one value a draw; `None` without draws.
    pub fn of(values: &[f64]) -> Option<MeanOverDraws> {
        if values.is_empty() {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let spread = if values.len() > 1 {
            (squares / (count - 1.0)).sqrt()
        } else {
            0.0
        };
        Some(MeanOverDraws { mean, spread })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        let of = |values: &[f64]| MeanOverDraws::of(values).map(|m| (m.mean, m.spread));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0]), Some((3.0, 0.0)));
        assert_eq!(of(&[1.0, 3.0, 5.0]), Some((3.0, 2.0)));
    }
}
