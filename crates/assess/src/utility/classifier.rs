//! What a model learns from a release: a logistic regression trained on the original and one trained
//! on the release, both asked about the same rows of the original.
//!
//! The target is one sensitive column, the features are the quasi-identifiers. Each becomes up to
//! [`MOST_BINS`] indicators: its values, or neighbouring values taken together so that bins have about
//! as many rows. A published label is spread evenly over the original's values that it covers, as in
//! [`query_error`](super::query_error), so that its indicators are shares. The model is multinomial
//! with classes for the [`MOST_CLASSES`] − 1 most frequent values and one for all others; weights
//! minimize the mean log loss plus λ/2 of their squares (λ = 0.0001) by a fixed number of
//! accelerated gradient steps (Nesterov 1983) from zero. All sums run in a fixed order: same rows and
//! seed, same figures.
//!
//! One row in five of the original is held out, drawn by the seed; the original's model never sees
//! these, and the release's model has them among its people, because nobody can say which published
//! row is whose. So the comparison is a little kind to the release, the more so the smaller its groups
//! are. Beside both stands the share of the most frequent class, which needs no quasi-identifier.
//!
//! Cost: O(steps × rows × quasi-identifiers × classes) for at most [`MOST_ROWS`] rows of each, drawn
//! by the seed.

use super::comparison::Comparison;
use mingle_model::{Code, Reading};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The most indicators of a column.
pub const MOST_BINS: usize = 16;
/// The most classes of the target.
pub const MOST_CLASSES: usize = 10;
/// The most rows that a model is trained on, or asked about.
pub const MOST_ROWS: usize = 10_000;

const STEPS: usize = 200;
const RIDGE: f64 = 1e-4;

/// How two models do on the same rows.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelComparison {
    /// The classes of the target, all others counted as one.
    pub classes: usize,
    /// Rows of the original that a model was trained on.
    pub original_rows: usize,
    /// Rows of the release that the other was trained on.
    pub released_rows: usize,
    /// Rows of the original that both were asked about.
    pub asked: usize,
    /// The share that is right for whoever always says the most frequent class.
    pub baseline: f64,
    /// The share that the model of the original gets right.
    pub original: f64,
    /// The share that the model of the release gets right.
    pub released: f64,
}

/// Why there is nothing to compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelProblem {
    /// The release does not have the column beside its quasi-identifiers.
    #[error("it is no sensitive column that the release has beside its quasi-identifiers")]
    NoTarget,
    /// There is nothing to tell apart, or nobody to ask about.
    #[error("it has a single value, or too few rows")]
    TooLittle,
}

/// A row: the places of its indicators with their shares, and its class.
struct Example {
    features: Vec<(u32, f64)>,
    class: usize,
}

/// Trains both and asks both.
pub fn compare(
    comparison: &Comparison<'_>,
    target: &str,
    seed: u64,
) -> Result<ModelComparison, ModelProblem> {
    let cube = comparison.original();
    let published = comparison.published();
    let here = cube.sensitive().iter().find(|c| c.name == target);
    let there = published.sensitive().iter().find(|c| c.name == target);
    let (Some(here), Some(there)) = (here, there) else {
        return Err(ModelProblem::NoTarget);
    };
    let mut values = Vec::new();
    for record in cube.records() {
        values.push((here.codes.get(record.sensitive as usize), record.count));
    }
    let classes = Classes::new(here.domain.len(), &values);
    let indicators = Indicators::new(comparison);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut train, mut asked) = (Vec::new(), Vec::new());
    for tuple in 0..cube.tuples() {
        let features = indicators.of_tuple(comparison, tuple);
        for at in cube.records_of(tuple) {
            let record = &cube.records()[at];
            let class = classes.of(here.codes.get(record.sensitive as usize));
            for _ in 0..record.count {
                let example = Drawn {
                    key: rng.next_u64(),
                    features: features.clone(),
                    class,
                };
                if rng.next_u64() % 5 == 0 {
                    keep(&mut asked, example);
                } else {
                    keep(&mut train, example);
                }
            }
        }
    }
    // the release's own codes name the same values by their texts
    let mut class_there = Vec::new();
    for code in 0..there.domain.len() {
        let text = there.domain.text(code as Code);
        let same = (0..here.domain.len()).find(|&c| here.domain.text(c as Code) == text);
        class_there.push(same.map_or(classes.count - 1, |c| classes.of(c as Code)));
    }
    let mut released = Vec::new();
    for group in 0..published.groups() {
        let features = indicators.of_group(comparison, group);
        for entry in published.entries(group) {
            let class = class_there[there.codes.get(entry.sensitive as usize) as usize];
            for _ in 0..entry.count {
                let example = Drawn {
                    key: rng.next_u64(),
                    features: features.clone(),
                    class,
                };
                keep(&mut released, example);
            }
        }
    }
    let [train, asked, released] = [train, asked, released].map(drawn);
    if classes.count < 2 || train.is_empty() || asked.is_empty() || released.is_empty() {
        return Err(ModelProblem::TooLittle);
    }
    let shape = (classes.count, indicators.width, comparison.columns().len());
    let mut of_class = vec![0usize; classes.count];
    for example in &asked {
        of_class[example.class] += 1;
    }
    let most = of_class.iter().max().copied().unwrap_or(0);
    Ok(ModelComparison {
        classes: classes.count,
        original_rows: train.len(),
        released_rows: released.len(),
        asked: asked.len(),
        baseline: most as f64 / asked.len() as f64,
        original: Model::trained(&train, shape).share_right(&asked),
        released: Model::trained(&released, shape).share_right(&asked),
    })
}

/// A row that is kept if its key is among the smallest: a sample of fixed size in one pass.
struct Drawn {
    key: u64,
    features: Vec<(u32, f64)>,
    class: usize,
}

/// Keeps at most twice as many as wanted before the largest keys go.
fn keep(kept: &mut Vec<Drawn>, row: Drawn) {
    kept.push(row);
    if kept.len() >= 2 * MOST_ROWS {
        kept.sort_by_key(|row| row.key);
        kept.truncate(MOST_ROWS);
    }
}

fn drawn(mut kept: Vec<Drawn>) -> Vec<Example> {
    kept.sort_by_key(|row| row.key);
    kept.truncate(MOST_ROWS);
    let mut examples = Vec::new();
    for row in kept {
        examples.push(Example {
            features: row.features,
            class: row.class,
        });
    }
    examples
}

/// Which class each value of the target is.
struct Classes {
    of_value: Vec<usize>,
    count: usize,
}

impl Classes {
    fn new(values: usize, counted: &[(Code, u64)]) -> Classes {
        let mut rows = vec![0u64; values];
        for &(code, count) in counted {
            rows[code as usize] += count;
        }
        let mut order: Vec<usize> = (0..values).collect();
        order.sort_by_key(|&value| (u64::MAX - rows[value], value));
        let mut of_value = vec![0; values];
        for (rank, value) in order.into_iter().enumerate() {
            of_value[value] = rank.min(MOST_CLASSES - 1);
        }
        Classes {
            of_value,
            count: values.min(MOST_CLASSES),
        }
    }

    fn of(&self, code: Code) -> usize {
        self.of_value[code as usize]
    }
}

/// Where the indicators of each value of each column are.
struct Indicators {
    /// Per column and value the place of its bin.
    bin_of: Vec<Vec<u32>>,
    width: usize,
}

impl Indicators {
    fn new(comparison: &Comparison<'_>) -> Indicators {
        let mut bin_of = Vec::new();
        let mut width = 0u32;
        for column in comparison.columns() {
            let rows = column.frequencies();
            let all: u64 = rows.iter().sum();
            let mut bins = Vec::with_capacity(rows.len());
            let mut before = 0u64;
            for (value, count) in rows.iter().enumerate() {
                let bin = if rows.len() <= MOST_BINS {
                    value as u64
                } else {
                    (before as u128 * MOST_BINS as u128 / u128::from(all.max(1))) as u64
                };
                bins.push(width + bin as u32);
                before += count;
            }
            width = bins.last().map_or(width, |&last| last + 1);
            bin_of.push(bins);
        }
        Indicators {
            bin_of,
            width: width as usize,
        }
    }

    fn of_tuple(&self, comparison: &Comparison<'_>, tuple: usize) -> Vec<(u32, f64)> {
        let mut features = Vec::new();
        for (bins, column) in self.bin_of.iter().zip(comparison.columns()) {
            let code = column.original().codes.get(tuple);
            features.push((bins[code as usize], 1.0));
        }
        features
    }

    fn of_group(&self, comparison: &Comparison<'_>, group: usize) -> Vec<(u32, f64)> {
        let labels = comparison.published().labels(group);
        let mut features = Vec::new();
        for (bins, column) in self.bin_of.iter().zip(comparison.columns()) {
            let reading = &column.readings()[labels[column.place()] as usize];
            spread(bins, reading, &mut features);
        }
        features
    }
}

/// A label's indicators: the share of its values in each bin.
fn spread(bins: &[u32], reading: &Reading, features: &mut Vec<(u32, f64)>) {
    let each = 1.0 / reading.count().max(1) as f64;
    let mut current: Option<(u32, u64)> = None;
    for &(low, high) in &reading.ranges {
        for code in low..=high {
            let bin = bins[code as usize];
            current = match current {
                Some((same, count)) if same == bin => Some((bin, count + 1)),
                other => {
                    features.extend(other.map(|(bin, count)| (bin, count as f64 * each)));
                    Some((bin, 1))
                }
            };
        }
    }
    features.extend(current.map(|(bin, count)| (bin, count as f64 * each)));
}

/// Weights, class after class: one for each indicator, and the last for all rows.
struct Model {
    weights: Vec<f64>,
    classes: usize,
    width: usize,
}

impl Model {
    fn trained(examples: &[Example], (classes, width, columns): (usize, usize, usize)) -> Model {
        let mut model = Model {
            weights: vec![0.0; classes * (width + 1)],
            classes,
            width,
        };
        // the second derivative is at most half of the squared length of a row, which has one in
        // each column and one for all
        let step = 1.0 / (0.5 * (columns + 1) as f64 + RIDGE);
        let mut before = model.weights.clone();
        for round in 0..STEPS {
            let momentum = round as f64 / (round + 3) as f64;
            let mut ahead = Vec::with_capacity(before.len());
            for (now, then) in model.weights.iter().zip(&before) {
                ahead.push(now + momentum * (now - then));
            }
            before = std::mem::replace(&mut model.weights, ahead);
            let slope = model.slope(examples);
            for (weight, slope) in model.weights.iter_mut().zip(slope) {
                *weight -= step * slope;
            }
        }
        model
    }

    /// The first derivative of what is minimized.
    fn slope(&self, examples: &[Example]) -> Vec<f64> {
        let mut slope = vec![0.0; self.weights.len()];
        for example in examples {
            let mut chances = self.scores(&example.features);
            softmax(&mut chances);
            chances[example.class] -= 1.0;
            for (class, miss) in chances.iter().enumerate() {
                let of_class = &mut slope[class * (self.width + 1)..][..=self.width];
                for &(at, share) in &example.features {
                    of_class[at as usize] += miss * share;
                }
                of_class[self.width] += miss;
            }
        }
        for (slope, weight) in slope.iter_mut().zip(&self.weights) {
            *slope = *slope / examples.len() as f64 + RIDGE * weight;
        }
        slope
    }

    fn scores(&self, features: &[(u32, f64)]) -> Vec<f64> {
        let mut scores = Vec::with_capacity(self.classes);
        for of_class in self.weights.chunks_exact(self.width + 1) {
            let mut score = of_class[self.width];
            for &(at, share) in features {
                score += of_class[at as usize] * share;
            }
            scores.push(score);
        }
        scores
    }

    fn share_right(&self, asked: &[Example]) -> f64 {
        let mut right = 0usize;
        for example in asked {
            let scores = self.scores(&example.features);
            let mut best = 0;
            for class in 1..scores.len() {
                if scores[class] > scores[best] {
                    best = class;
                }
            }
            right += usize::from(best == example.class);
        }
        right as f64 / asked.len() as f64
    }
}

fn softmax(scores: &mut [f64]) {
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(features: &[u32], class: usize) -> Example {
        Example {
            features: features.iter().map(|&at| (at, 1.0)).collect(),
            class,
        }
    }

    fn loss(model: &Model, examples: &[Example]) -> f64 {
        let mut sum = 0.0;
        for example in examples {
            let mut chances = model.scores(&example.features);
            softmax(&mut chances);
            sum -= chances[example.class].ln();
        }
        let squares: f64 = model.weights.iter().map(|w| w * w).sum();
        sum / examples.len() as f64 + RIDGE / 2.0 * squares
    }

    fn noisy_rows() -> Vec<Example> {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut rows = Vec::new();
        for _ in 0..400 {
            let (a, b) = ((rng.next_u64() % 3) as u32, (rng.next_u64() % 2) as u32);
            let class = if rng.next_u64() % 10 < 8 {
                a as usize
            } else {
                (rng.next_u64() % 3) as usize
            };
            rows.push(example(&[a, 3 + b], class));
        }
        rows
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        let rows = noisy_rows();
        let mut model = Model {
            weights: (0..18).map(|at| f64::from(at % 5) / 7.0).collect(),
            classes: 3,
            width: 5,
        };
        let slope = model.slope(&rows);
        for (at, found) in slope.iter().enumerate() {
            let weight = model.weights[at];
            model.weights[at] = weight + 1e-5;
            let above = loss(&model, &rows);
            model.weights[at] = weight - 1e-5;
            let below = loss(&model, &rows);
            model.weights[at] = weight;
            assert!((found - (above - below) / 2e-5).abs() < 1e-7, "{at}");
        }
    }

    #[test]
    fn training_ends_near_the_minimum() {
        let rows = noisy_rows();
        let model = Model::trained(&rows, (3, 5, 2));
        let steepest = model
            .slope(&rows)
            .into_iter()
            .fold(0.0, |a: f64, b| a.max(b.abs()));
        assert!(steepest < 1e-3, "{steepest}");
        assert!(model.share_right(&rows) > 0.75);
    }

    #[test]
    fn labels_are_spread_evenly() {
        let reading = Reading {
            ranges: vec![(0, 2), (4, 4)],
            bounds: None,
        };
        let mut features = Vec::new();
        spread(&[7, 7, 8, 8, 9], &reading, &mut features);
        assert_eq!(features, [(7, 0.5), (8, 0.25), (9, 0.25)]);
    }

    #[test]
    fn rare_values_are_one_class() {
        let counted: Vec<(Code, u64)> = (0..30).map(|c| (c, u64::from(c) + 1)).collect();
        let classes = Classes::new(30, &counted);
        assert_eq!((classes.count, classes.of(29), classes.of(21)), (10, 0, 8));
        assert!((0..21).all(|code| classes.of(code) == 9));
    }
}
