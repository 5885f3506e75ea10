//! What n providers must come to, computed by somebody who sees everything: the yardstick for the
//! protocol.

use super::counts::OwnCounts;
use super::publish::{HorizontalTable, publish};
use super::shared::{OwnRows, SharedSchema};
use super::terms::HorizontalTerms;
use super::tree::{CutCounts, CutTree, Question};
use crate::error::Error;
use std::sync::Arc;

/// The sum of all providers' noise for one look: the look's number and how many counts it has.
pub type TotalNoise<'a> = dyn FnMut(u64, usize) -> Vec<i64> + 'a;

/// The joint table as a trusted third party would make it, with the same noise.
pub struct HorizontalReference {
    /// The table.
    pub table: HorizontalTable,
    /// How the cuts went.
    pub cuts: CutCounts,
    /// How many levels were cut.
    pub levels: u32,
}

/// Runs everything in one place.
pub fn horizontal_reference(
    schema: &Arc<SharedSchema>,
    providers: &[Arc<OwnRows>],
    terms: &HorizontalTerms,
    noise: &mut TotalNoise<'_>,
) -> Result<HorizontalReference, Error> {
    let rules = terms.rules(schema, providers.len())?;
    let mut tree = CutTree::new(schema.clone(), rules);
    let mut all: Vec<OwnCounts> = Vec::new();
    for rows in providers {
        all.push(OwnCounts::new(schema.clone(), rows.clone()));
    }
    let mut look = 0;
    loop {
        match tree.question() {
            Question::Histograms(questions) => {
                let mut sums: Vec<Vec<i64>> = Vec::new();
                for question in &questions {
                    let mut sum = vec![0i64; question.places.len() + 1];
                    for own in &mut all {
                        for (sum, count) in sum.iter_mut().zip(own.histogram(&tree, question)) {
                            *sum += count as i64;
                        }
                    }
                    sums.push(sum);
                }
                let counts = sums.iter().map(Vec::len).sum();
                let draws = noise(look, counts);
                look += 1;
                for (sum, draw) in sums.iter_mut().flatten().zip(draws) {
                    *sum += draw;
                }
                tree.answer_histograms(&sums)?;
            }
            Question::Tests(tests) => {
                let mut below = Vec::with_capacity(tests.len());
                for test in &tests {
                    let (sums, threshold) = test.thresholds(tree.rules());
                    let mut sum = vec![0u64; sums];
                    for own in &mut all {
                        for (sum, summand) in sum.iter_mut().zip(own.summands(&tree, test)) {
                            *sum += summand;
                        }
                    }
                    below.push(sum.iter().filter(|&&sum| sum < threshold).count() as u64);
                }
                tree.answer_tests(&below)?;
            }
            Question::Totals(leaves) => {
                let mut totals = Vec::with_capacity(leaves.len());
                for &leaf in &leaves {
                    let mut sum = vec![0u64; schema.combinations()];
                    for own in &mut all {
                        for (sum, count) in sum.iter_mut().zip(own.totals(&tree, leaf)) {
                            *sum += count;
                        }
                    }
                    totals.push(sum);
                }
                let table = publish(schema, &tree, totals, &terms.promises)?;
                return Ok(HorizontalReference {
                    table,
                    cuts: tree.counts(),
                    levels: tree.level(),
                });
            }
        }
    }
}
