//! Marginals: a query is answered by the tables that have its columns.
//!
//! Tables are taken one after the other: the one with the most columns of the query that are still
//! open, of those the one with the most columns that are answered already, then the first. The
//! first table says which share of all counts is inside of its predicates; each further one which
//! share of the counts inside of the predicates that it shares with those before is also inside of
//! the new ones, as if nothing else mattered (conditional independence). A column that no table has
//! is taken for uniform over its cells. The estimate is the total times all shares.

use super::Query;
use super::answering::{Answering, Estimate, Stands};
use crate::utility::marginals::CountTables;

/// Marginals, and what their cells stand for among the values of the original's quasi-identifiers.
pub struct Marginals<'a> {
    tables: &'a CountTables,
    /// Per quasi-identifier its place among the tables' columns.
    places: Vec<usize>,
    stands: Vec<Vec<Stands>>,
}

impl<'a> Marginals<'a> {
    /// `columns` are the original's quasi-identifiers in their order: the place among the tables'
    /// columns, and per cell what it stands for.
    pub fn new(
        tables: &'a CountTables,
        columns: impl IntoIterator<Item = (usize, Vec<Stands>)>,
    ) -> Marginals<'a> {
        let (places, stands) = columns.into_iter().unzip();
        Marginals {
            tables,
            places,
            stands,
        }
    }

    /// Which tables answer a set of columns, each with the columns it shares with those before and
    /// those it adds.
    fn plan(&self, columns: &[usize]) -> Vec<Step> {
        let mut open: Vec<usize> = columns.to_vec();
        let mut steps = Vec::new();
        while !open.is_empty() {
            let has =
                |table: usize, c: usize| self.tables.tables()[table].0.contains(&self.places[c]);
            let adds = |t: usize| open.iter().filter(|&&c| has(t, c)).count();
            let shares = |t: usize| {
                columns
                    .iter()
                    .filter(|c| !open.contains(c) && has(t, **c))
                    .count()
            };
            let best = (0..self.tables.tables().len())
                .rev()
                .max_by_key(|&t| (adds(t), shares(t)));
            let Some(table) = best.filter(|&t| adds(t) > 0) else {
                steps.push(Step {
                    table: None,
                    shared: Vec::new(),
                    added: std::mem::take(&mut open),
                });
                break;
            };
            let shared = columns
                .iter()
                .copied()
                .filter(|&c| !open.contains(&c) && has(table, c))
                .collect();
            let added: Vec<usize> = open.iter().copied().filter(|&c| has(table, c)).collect();
            open.retain(|c| !added.contains(c));
            steps.push(Step {
                table: Some(table),
                shared,
                added,
            });
        }
        steps
    }

    /// The counts of a table inside of the predicates on these columns.
    fn inside(&self, table: usize, columns: &[usize], shares: &[(usize, Vec<f64>)]) -> f64 {
        let table = &self.tables.tables()[table];
        let place = |c: usize| table.0.iter().position(|&other| other == self.places[c]);
        let of = |&c: &usize| {
            Some((
                place(c)?,
                &shares.iter().find(|(column, _)| *column == c)?.1,
            ))
        };
        let weights: Vec<(usize, &Vec<f64>)> = columns.iter().filter_map(of).collect();
        let mut sum = 0.0;
        self.tables.visit(table, |at, count| {
            sum += weights
                .iter()
                .fold(count, |count, (place, weights)| count * weights[at[*place]]);
        });
        sum
    }

    fn share(&self, step: &Step, shares: &[(usize, Vec<f64>)]) -> f64 {
        let Some(table) = step.table else {
            let mean =
                |weights: &Vec<f64>| weights.iter().sum::<f64>() / weights.len().max(1) as f64;
            return shares
                .iter()
                .filter(|(c, _)| step.added.contains(c))
                .map(|(_, w)| mean(w))
                .product();
        };
        let before = self.inside(table, &step.shared, shares);
        let both: Vec<usize> = step.shared.iter().chain(&step.added).copied().collect();
        if before > 0.0 {
            self.inside(table, &both, shares) / before
        } else {
            0.0
        }
    }
}

/// A table, or none, with the columns it has in common with earlier ones and those it adds.
struct Step {
    table: Option<usize>,
    shared: Vec<usize>,
    added: Vec<usize>,
}

impl Answering for Marginals<'_> {
    fn reduced<'s>(&'s self, columns: &[usize]) -> Box<Estimate<'s>> {
        let (steps, total) = (self.plan(columns), self.tables.total());
        Box::new(move |query: &Query| {
            let share = |p: &super::Predicate| {
                (
                    p.column,
                    self.stands[p.column]
                        .iter()
                        .map(|s| s.within(p.lo, p.hi))
                        .collect(),
                )
            };
            let shares: Vec<(usize, Vec<f64>)> = query.predicates.iter().map(share).collect();
            steps
                .iter()
                .fold(total, |estimate, step| estimate * self.share(step, &shares))
        })
    }
}
