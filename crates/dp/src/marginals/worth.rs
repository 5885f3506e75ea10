//! Which sets of attributes are worth their noise: taken one by one while what a set adds to the
//! expected error of all tables together is less than the error of not publishing it.

use super::MOST_TOGETHER;
use crate::noise::Shape;
use std::collections::BTreeMap;

/// The expected absolute value of noise of deviation 1, where it is wide.
pub(super) fn absolute(shape: Shape) -> f64 {
    match shape {
        Shape::Gaussian => 0.798,
        Shape::Laplace => 0.707,
    }
}

/// Sets that are worth their noise.
pub(super) struct Chosen<'a> {
    cells: &'a [usize],
    most_cells: u64,
    /// The expected absolute error of one cell that is measured with the whole budget.
    error: f64,
    /// With budgets ∝ cells^power, the expected error of all cells together is (Σ
    /// cells^power)^(1/power) times as much.
    power: f64,
    weight: f64,
    together: u64,
    /// What was chosen.
    pub(super) sets: Vec<Vec<usize>>,
    scores: Vec<f64>,
}

impl Chosen<'_> {
    /// Nothing yet, where noise for one cell from the whole budget has a deviation.
    pub(super) fn new(
        cells: &[usize],
        most_cells: u64,
        deviation: f64,
        shape: Shape,
    ) -> Chosen<'_> {
        let (error, sets, scores) = (deviation * absolute(shape), Vec::new(), Vec::new());
        Chosen {
            cells,
            most_cells,
            error,
            power: shape.power(),
            weight: 0.0,
            together: 0,
            sets,
            scores,
        }
    }

    /// Takes a set if it is small enough and what it adds to the expected error is less than it is
    /// worth.
    fn add(&mut self, set: Vec<usize>, worth: f64) {
        let size = set
            .iter()
            .map(|&a| self.cells[a] as u64)
            .fold(1, u64::saturating_mul);
        if size > self.most_cells || self.together + size > MOST_TOGETHER / 2 {
            return;
        }
        let weight = self.weight + (size as f64).powf(self.power);
        let error = |weight: f64| self.error * weight.powf(1.0 / self.power);
        if error(weight) - error(self.weight) < worth {
            (self.weight, self.together) = (weight, self.together + size);
            self.sets.push(set);
            self.scores.push(worth);
        }
    }

    /// A pair is worth its score: the error of publishing it as independent.
    pub(super) fn add_pairs(&mut self, scores: &[((usize, usize), f64)]) {
        let mut ranked = scores.to_vec();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
            .into_iter()
            .for_each(|((a, b), score)| self.add(vec![a, b], score));
    }

    /// Triples all of whose pairs were chosen, those with the strongest weakest pair first.
    pub(super) fn add_triples(&mut self, worth: f64) {
        let mut score = BTreeMap::new();
        for (set, worth) in self.sets.iter().zip(&self.scores) {
            score.insert((set[0], set[1]), *worth);
        }
        let mut triples: Vec<(f64, Vec<usize>)> = Vec::new();
        for (&(a, b), first) in &score {
            for (&(_, c), second) in score.range((b, 0)..(b + 1, 0)) {
                if let Some(third) = score.get(&(a, c)) {
                    triples.push((first.min(*second).min(*third), vec![a, b, c]));
                }
            }
        }
        triples.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        triples
            .into_iter()
            .for_each(|(_, triple)| self.add(triple, worth));
    }
}
