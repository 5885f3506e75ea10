//! How long something takes: the median of several runs.

use std::time::{Duration, Instant};

/// How often and how long something is repeated.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// At most so many samples, at least one.
    pub samples: usize,
    /// No further sample after so long.
    pub budget: Duration,
}

/// The last answer, and the median number of seconds an answer took. What takes less than a few
/// microseconds is asked many times per sample, so that reading the clock does not count.
pub fn median_seconds<T>(patience: Patience, mut answer: impl FnMut() -> T) -> (T, f64) {
    let started = Instant::now();
    let mut last = answer();
    let first = started.elapsed();
    // the first answer also pays for cold caches: it counts only if it is all there is
    let mut samples = vec![first.as_secs_f64()];
    let per_sample = if first < Duration::from_micros(50) {
        16
    } else {
        1
    };
    while samples.len() < patience.samples && started.elapsed() < patience.budget {
        let sample = Instant::now();
        for _ in 0..per_sample {
            last = answer();
        }
        samples.push(sample.elapsed().as_secs_f64() / f64::from(per_sample));
    }
    samples.sort_by(f64::total_cmp);
    (last, samples[(samples.len() - 1) / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_once_and_not_for_ever() {
        let mut asked = 0;
        let none = Patience {
            samples: 0,
            budget: Duration::ZERO,
        };
        let (answer, seconds) = median_seconds(none, || {
            asked += 1;
            std::thread::sleep(Duration::from_millis(2));
            asked
        });
        assert_eq!(answer, 1);
        assert!(seconds >= 0.002);
    }

    #[test]
    fn as_many_samples_as_asked_for() {
        let mut asked = 0;
        median_seconds(
            Patience {
                samples: 3,
                budget: Duration::from_secs(5),
            },
            || {
                asked += 1;
                std::thread::sleep(Duration::from_millis(1));
            },
        );
        assert_eq!(asked, 3);
    }
}
