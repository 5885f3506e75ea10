//! How many people of a population are alone with their quasi-identifiers, estimated from a sample.
//!
//! A row that is alone in the table need not be alone in the population that the table was drawn
//! from. What is known is how many classes of equal quasi-identifiers have i rows, s_i; u = Σ s_i
//! classes, n = Σ i s_i rows, of a population of N, π = n / N. Three estimates of the number of
//! population uniques:
//!
//! * **Pitman** (Hoshino, *Applying Pitman's sampling formula to microdata disclosure risk
//!   assessment*, JOS 2001): the partition into classes follows Pitman's formula with θ and α, fitted
//!   by maximum likelihood. E S_1 = N Γ(θ+α+N−1) Γ(θ+1) / (Γ(θ+α) Γ(θ+N)).
//! * **SNB** (Chen and Keller-McNulty, *Estimation of identification disclosure risk in microdata*,
//!   JOS 1998): sizes of the K population classes are one plus a negative binomial number. Here it is
//!   fitted so that the expected n, u and s_1 of a sample that takes each person with probability π
//!   are those of the table. E S_1 = K β^α.
//! * **Zayatz** (1991): a class of the sample is as likely of size i in the population as in the
//!   sample, so a sample unique is a population unique with probability s_1 / Σ s_i i (1−π)^(i−1).
//!
//! Dankar, El Emam, Neisa and Roffey (*Estimating the re-identification risk of clinical data sets*,
//! 2012) compared them and give a rule: up to π = 0.1 Pitman, where it has a value, else Zayatz;
//! above, the smaller of Zayatz and SNB, where SNB has a value, else Zayatz. [`decide`] is this rule.
//!
//! Assumptions: a simple random sample without selection, each row one person, and a population of
//! which the model is a fair picture. None can be checked on the sample; estimates of models differ
//! by factors. So every one is shown, and where a fit does not settle inside of its range the model
//! says nothing rather than something.
//!
//! Cost: O(distinct class sizes) for each of some ten thousand evaluations.

use std::collections::BTreeMap;

/// A share above which Dankar's rule does not take Pitman.
const MOST_FOR_PITMAN: f64 = 0.1;

/// How many classes of a sample have which size, and how large the population is.
#[derive(Clone, PartialEq, Debug)]
pub struct ClassSizes {
    /// Sizes, ascending, with how many classes have each.
    sizes: Vec<(u64, u64)>,
    classes: u64,
    rows: u64,
    population: u64,
}

/// Why there is nothing to estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleProblem {
    /// Nobody is in it.
    #[error("the table has no rows")]
    Empty,
    /// It cannot be a sample of so few.
    #[error("the population has {population} people and the table {rows}")]
    LargerThanPopulation {
        /// Rows of the table.
        rows: u64,
        /// People of the population.
        population: u64,
    },
}

impl ClassSizes {
    /// From the size of every class.
    pub fn new(
        sizes: impl IntoIterator<Item = u64>,
        population: u64,
    ) -> Result<ClassSizes, SampleProblem> {
        let mut counted: BTreeMap<u64, u64> = BTreeMap::new();
        for size in sizes {
            if size > 0 {
                *counted.entry(size).or_default() += 1;
            }
        }
        let classes = counted.values().sum();
        let rows = counted.iter().map(|(size, count)| size * count).sum();
        if rows == 0 {
            return Err(SampleProblem::Empty);
        }
        if rows > population {
            return Err(SampleProblem::LargerThanPopulation { rows, population });
        }
        Ok(ClassSizes {
            sizes: counted.into_iter().collect(),
            classes,
            rows,
            population,
        })
    }

    /// Rows that are alone in the sample.
    pub fn sample_uniques(&self) -> u64 {
        self.sizes
            .first()
            .map_or(0, |&(size, count)| if size == 1 { count } else { 0 })
    }

    /// The share of the population that is in the sample.
    pub fn sampling_fraction(&self) -> f64 {
        self.rows as f64 / self.population as f64
    }
}

/// The estimates of all models; `None` where one says nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PopulationUniques {
    /// By Pitman's formula.
    pub pitman: Option<f64>,
    /// By the shifted negative binomial model.
    pub snb: Option<f64>,
    /// By Zayatz's.
    pub zayatz: f64,
    /// By Dankar's rule.
    pub decided: f64,
}

/// Asks every model.
pub fn population_uniques(sample: &ClassSizes) -> PopulationUniques {
    let pitman = pitman(sample);
    let snb = snb(sample);
    let zayatz = zayatz(sample);
    PopulationUniques {
        pitman,
        snb,
        zayatz,
        decided: decide(sample.sampling_fraction(), pitman, snb, zayatz),
    }
}

/// Dankar's rule.
pub fn decide(fraction: f64, pitman: Option<f64>, snb: Option<f64>, zayatz: f64) -> f64 {
    if fraction <= MOST_FOR_PITMAN {
        pitman.unwrap_or(zayatz)
    } else {
        snb.map_or(zayatz, |snb| snb.min(zayatz))
    }
}

/// Zayatz's estimate: the population uniques that are expected.
fn zayatz(sample: &ClassSizes) -> f64 {
    let fraction = sample.sampling_fraction();
    let mut in_the_sample_once = 0.0;
    for &(size, count) in &sample.sizes {
        let others_left_out = (1.0 - fraction).powf(size as f64 - 1.0);
        in_the_sample_once += count as f64 * size as f64 * others_left_out;
    }
    let uniques = sample.sample_uniques() as f64;
    if uniques == 0.0 {
        return 0.0;
    }
    uniques * (uniques / in_the_sample_once) / fraction
}

/// Pitman's estimate, where the likelihood has its maximum inside of the range that was searched.
fn pitman(sample: &ClassSizes) -> Option<f64> {
    // with all alone, or all in one class, the likelihood grows without end
    if sample.classes == sample.rows || sample.classes == 1 {
        return None;
    }
    let n = sample.population as f64;
    let best_for = |alpha: f64| {
        maximum(LOG_LOWEST, LOG_HIGHEST, |log| {
            likelihood(sample, alpha, log.exp() - alpha)
        })
    };
    let (alpha, _) = maximum(0.0, MOST_ALPHA, |alpha| best_for(alpha).1);
    let (log, _) = best_for(alpha);
    let settled = log > LOG_LOWEST + EDGE && log < LOG_HIGHEST - EDGE && alpha < MOST_ALPHA - 1e-4;
    if !settled {
        return None;
    }
    let theta = log.exp() - alpha;
    let logarithm = n.ln() + ln_gamma(theta + alpha + n - 1.0) + ln_gamma(theta + 1.0)
        - ln_gamma(theta + alpha)
        - ln_gamma(theta + n);
    let expected = logarithm.exp();
    (expected.is_finite() && expected <= n).then_some(expected)
}

/// ln(θ + α) is searched between these.
const LOG_LOWEST: f64 = -15.0;
const LOG_HIGHEST: f64 = 25.0;
const EDGE: f64 = 0.01;
const MOST_ALPHA: f64 = 0.999;

/// The logarithm of Pitman's formula, without what does not depend on θ and α.
fn likelihood(sample: &ClassSizes, alpha: f64, theta: f64) -> f64 {
    let (u, n) = (sample.classes as f64, sample.rows as f64);
    // Σ ln(θ + iα) for 0 < i < u
    let new_classes = if alpha > 1e-6 {
        (u - 1.0) * alpha.ln() + ln_gamma(theta / alpha + u) - ln_gamma(theta / alpha + 1.0)
    } else {
        // θ/α is too large to subtract; the sum is that of a line
        (u - 1.0) * (theta + alpha * u / 2.0).ln()
    };
    let mut sum = new_classes - (ln_gamma(theta + n) - ln_gamma(theta + 1.0));
    for &(size, count) in &sample.sizes {
        if size > 1 {
            let within = ln_gamma(size as f64 - alpha) - ln_gamma(1.0 - alpha);
            sum += count as f64 * within;
        }
    }
    sum
}

/// Where a function with one peak is highest, and how high: golden section.
fn maximum(from: f64, to: f64, of: impl Fn(f64) -> f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (from, to);
    let (mut left, mut right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
    let (mut at_left, mut at_right) = (of(left), of(right));
    for _ in 0..80 {
        if at_left < at_right {
            low = left;
            left = right;
            at_left = at_right;
            right = low + GOLDEN * (high - low);
            at_right = of(right);
        } else {
            high = right;
            right = left;
            at_right = at_left;
            left = high - GOLDEN * (high - low);
            at_left = of(left);
        }
    }
    let middle = (low + high) / 2.0;
    (middle, of(middle))
}

/// The shifted negative binomial model's estimate, where exactly one choice of it fits.
fn snb(sample: &ClassSizes) -> Option<f64> {
    let fraction = sample.sampling_fraction();
    let (u, s_1) = (sample.classes as f64, sample.sample_uniques() as f64);
    // the whole population is here, or nothing tells K from u
    if fraction >= 1.0 || s_1 == 0.0 {
        return None;
    }
    let miss = |classes: f64| -> Option<f64> {
        let fit = ShiftedNegativeBinomial::with_classes(sample, classes)?;
        Some(fit.expected_sample_uniques(fraction) - s_1)
    };
    // K runs from u to where every class of the population has one person
    let most = (u / fraction).min(sample.population as f64);
    let step = |at: u32| u * (most / u).powf(f64::from(at) / f64::from(STEPS));
    let mut crossings = Vec::new();
    let mut before: Option<(f64, f64)> = None;
    for at in 0..=STEPS {
        let classes = step(at);
        let Some(value) = miss(classes) else {
            before = None;
            continue;
        };
        if let Some((earlier, its)) = before
            && (its < 0.0) != (value < 0.0)
        {
            crossings.push((earlier, classes));
        }
        before = Some((classes, value));
    }
    let [(mut low, mut high)] = crossings[..] else {
        return None;
    };
    let rises = miss(low)? < 0.0;
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if (miss(middle)? < 0.0) == rises {
            low = middle;
        } else {
            high = middle;
        }
    }
    let fit = ShiftedNegativeBinomial::with_classes(sample, (low + high) / 2.0)?;
    let expected = fit.expected_uniques();
    (expected.is_finite() && expected <= sample.population as f64).then_some(expected)
}

const STEPS: u32 = 400;

/// K classes of 1 + X people, X negative binomial with mean μ and shape α: G(z) = E z^F =
/// z (1 + (1−z) μ/α)^−α.
struct ShiftedNegativeBinomial {
    classes: f64,
    mean: f64,
    shape: f64,
}

impl ShiftedNegativeBinomial {
    /// The one with K classes that has the sample's n and u; `None` where no shape does.
    fn with_classes(sample: &ClassSizes, classes: f64) -> Option<ShiftedNegativeBinomial> {
        let fraction = sample.sampling_fraction();
        let mean = sample.population as f64 / classes - 1.0;
        if mean <= 0.0 {
            return None;
        }
        let with_shape = |shape: f64| ShiftedNegativeBinomial {
            classes,
            mean,
            shape,
        };
        let u = sample.classes as f64;
        // more even classes, more of them in the sample
        let (mut low, mut high) = (1e-9_f64, 1e9_f64);
        let at = |shape: f64| with_shape(shape).expected_sample_classes(fraction);
        if at(low) > u || at(high) < u {
            return None;
        }
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            if at(middle) < u {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(with_shape((low * high).sqrt()))
    }

    /// (1 + (1−z) μ/α)^−α
    fn power(&self, z: f64) -> f64 {
        (-self.shape * ((1.0 - z) * self.mean / self.shape).ln_1p()).exp()
    }

    /// u = K (1 − G(1−π))
    fn expected_sample_classes(&self, fraction: f64) -> f64 {
        let z = 1.0 - fraction;
        self.classes * (1.0 - z * self.power(z))
    }

    /// s_1 = K π G'(1−π)
    fn expected_sample_uniques(&self, fraction: f64) -> f64 {
        let z = 1.0 - fraction;
        let slope = z * self.mean / (1.0 + fraction * self.mean / self.shape);
        self.classes * fraction * self.power(z) * (1.0 + slope)
    }

    /// K G'(0)
    fn expected_uniques(&self) -> f64 {
        self.classes * self.power(0.0)
    }
}

/// ln Γ(x) for x > 0: Stirling's series from 10 upwards, and the recurrence below.
fn ln_gamma(x: f64) -> f64 {
    let mut product = 1.0;
    let mut at = x;
    while at < 10.0 {
        product *= at;
        at += 1.0;
    }
    let inverse = 1.0 / at;
    let square = inverse * inverse;
    let series = inverse
        * (1.0 / 12.0
            - square
                * (1.0 / 360.0
                    - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))));
    (at - 0.5) * at.ln() - at + 0.918_938_533_204_672_8 + series - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    fn unit(rng: &mut ChaCha8Rng) -> f64 {
        (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn the_gamma_function() {
        for (x, expected) in [
            (1.0, 0.0),
            (2.0, 0.0),
            (0.5, 0.572_364_942_924_700_1),
            (5.0, 3.178_053_830_347_945_6),
            (100.0, 359.134_205_369_575_4),
        ] {
            assert!((ln_gamma(x) - expected).abs() < 1e-11, "{x}");
        }
        for at in 1..200 {
            let x = f64::from(at) * 0.37;
            assert!((ln_gamma(x + 1.0) - ln_gamma(x) - x.ln()).abs() < 1e-10);
        }
    }

    /// Pitman's formula by its definition, term by term.
    fn likelihood_by_definition(sizes: &[u64], alpha: f64, theta: f64) -> f64 {
        let n: u64 = sizes.iter().sum();
        let mut sum = 0.0;
        for i in 1..sizes.len() {
            sum += (theta + i as f64 * alpha).ln();
        }
        for i in 1..n {
            sum -= (theta + i as f64).ln();
        }
        for &size in sizes {
            for i in 1..size {
                sum += (i as f64 - alpha).ln();
            }
        }
        sum
    }

    #[test]
    fn the_likelihood_is_that_of_the_definition() {
        let sizes = [1, 1, 1, 2, 2, 3, 7, 20];
        let sample = ClassSizes::new(sizes, 1000).unwrap();
        for alpha in [0.0, 0.1, 0.5, 0.9] {
            for theta in [0.2, 3.0, 50.0] {
                let fast = likelihood(&sample, alpha, theta);
                let slow = likelihood_by_definition(&sizes, alpha, theta);
                assert!((fast - slow).abs() < 1e-8, "{alpha} {theta}: {fast} {slow}");
            }
        }
    }

    /// A population by the process that Pitman's formula describes: the classes of all people.
    fn pitman_population(
        rng: &mut ChaCha8Rng,
        people: usize,
        (theta, alpha): (f64, f64),
    ) -> Vec<u32> {
        let mut class_of: Vec<u32> = Vec::with_capacity(people);
        let mut classes = 0u32;
        for i in 0..people {
            let is_new = unit(rng) * (theta + i as f64) < theta + alpha * f64::from(classes);
            if is_new {
                class_of.push(classes);
                classes += 1;
                continue;
            }
            // an old class with weight size − α: somebody at random, refused where it is the first
            // of its class with probability α
            loop {
                let other = (unit(rng) * i as f64) as usize;
                let class = class_of[other];
                let is_first = class_of[..other].iter().rev().all(|&c| c != class);
                if is_first && unit(rng) < alpha {
                    continue;
                }
                class_of.push(class);
                break;
            }
        }
        class_of
    }

    /// K classes of one and a geometric number more: SNB with shape 1.
    fn geometric_population(rng: &mut ChaCha8Rng, classes: u32, mean: f64) -> Vec<u32> {
        let stay = mean / (1.0 + mean);
        let mut class_of = Vec::new();
        for class in 0..classes {
            class_of.push(class);
            while unit(rng) < stay {
                class_of.push(class);
            }
        }
        class_of
    }

    fn sizes(of: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut counted: BTreeMap<u32, u64> = BTreeMap::new();
        for class in of {
            *counted.entry(class).or_default() += 1;
        }
        counted.into_values().collect()
    }

    /// What is true of a population, and what a sample of it says.
    fn truth_and_sample(
        rng: &mut ChaCha8Rng,
        population: &mut [u32],
        rows: usize,
    ) -> (f64, ClassSizes) {
        let whole = sizes(population.iter().copied());
        let uniques = whole.iter().filter(|&&size| size == 1).count() as f64;
        for at in 0..rows {
            let other = at + (unit(rng) * (population.len() - at) as f64) as usize;
            population.swap(at, other);
        }
        let drawn = sizes(population[..rows].iter().copied());
        (
            uniques,
            ClassSizes::new(drawn, population.len() as u64).unwrap(),
        )
    }

    #[test]
    fn pitman_finds_the_uniques_of_a_population_that_it_describes() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (theta, alpha) in [(100.0, 0.3), (20.0, 0.6)] {
            let mut population = pitman_population(&mut rng, 8_000, (theta, alpha));
            let (truth, sample) = truth_and_sample(&mut rng, &mut population, 1_600);
            let found = pitman(&sample).unwrap();
            assert!(
                (found / truth - 1.0).abs() < 0.2,
                "{alpha}: {found} of {truth}"
            );
        }
    }

    #[test]
    fn snb_finds_the_uniques_of_a_population_that_it_describes() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for (classes, mean) in [(20_000, 2.0), (5_000, 6.0)] {
            let mut population = geometric_population(&mut rng, classes, mean);
            let rows = population.len() / 4;
            let (truth, sample) = truth_and_sample(&mut rng, &mut population, rows);
            let found = snb(&sample).unwrap();
            assert!(
                (found / truth - 1.0).abs() < 0.2,
                "{classes}: {found} of {truth}"
            );
        }
    }

    #[test]
    fn the_whole_population_needs_no_model() {
        let sample = ClassSizes::new([1, 1, 2, 3], 7).unwrap();
        assert!((zayatz(&sample) - 2.0).abs() < 1e-12);
        assert_eq!(snb(&sample), None);
    }

    #[test]
    fn who_is_never_alone_in_the_sample_is_no_unique_that_zayatz_sees() {
        let sample = ClassSizes::new([3, 3, 5, 8], 1000).unwrap();
        assert_eq!((zayatz(&sample), snb(&sample)), (0.0, None));
    }

    #[test]
    fn where_nothing_settles_nothing_is_said() {
        let all_alone = ClassSizes::new(vec![1; 50], 1000).unwrap();
        assert_eq!((pitman(&all_alone), snb(&all_alone)), (None, None));
        let all_alike = ClassSizes::new([50], 1000).unwrap();
        assert_eq!((pitman(&all_alike), snb(&all_alike)), (None, None));
        assert_eq!(ClassSizes::new([], 10), Err(SampleProblem::Empty));
        assert_eq!(
            ClassSizes::new([5, 6], 10),
            Err(SampleProblem::LargerThanPopulation {
                rows: 11,
                population: 10
            })
        );
    }

    #[test]
    fn the_rule() {
        assert_eq!(decide(0.1, Some(5.0), Some(2.0), 3.0), 5.0);
        assert_eq!(decide(0.1, None, Some(2.0), 3.0), 3.0);
        assert_eq!(decide(0.2, Some(5.0), Some(2.0), 3.0), 2.0);
        assert_eq!(decide(0.2, Some(5.0), Some(4.0), 3.0), 3.0);
        assert_eq!(decide(0.2, Some(5.0), None, 3.0), 3.0);
    }
}
