//! Made-up records and histograms: every line is inside of a query by the product of its labels'
//! shares, and counts as often as it says.

use super::answering::{Answering, Estimate, Stands};
use super::histogram::Histogram;
use super::{Predicate, Query};
use mingle_model::Code;

/// Lines of a release, with a label for each quasi-identifier of the original. No `Debug`: it has
/// cells.
pub struct QueryLines {
    labels: Vec<Vec<Code>>,
    stands: Vec<Vec<Stands>>,
    counts: Vec<u64>,
}

impl QueryLines {
    /// `columns` are the original's quasi-identifiers in their order: per line a label, and per
    /// label what it stands for.
    pub fn new(
        columns: impl IntoIterator<Item = (Vec<Code>, Vec<Stands>)>,
        counts: Vec<u64>,
    ) -> QueryLines {
        let (labels, stands) = columns.into_iter().unzip();
        QueryLines {
            labels,
            stands,
            counts,
        }
    }
}

impl Answering for QueryLines {
    fn reduced<'s>(&'s self, columns: &[usize]) -> Box<Estimate<'s>> {
        let widths: Vec<usize> = columns.iter().map(|&c| self.stands[c].len()).collect();
        let labels: Vec<&[Code]> = columns.iter().map(|&c| self.labels[c].as_slice()).collect();
        let lines = Histogram::new(&widths, &labels, &self.counts);
        let share = |p: &Predicate| -> Vec<f64> {
            self.stands[p.column]
                .iter()
                .map(|s| s.within(p.lo, p.hi))
                .collect()
        };
        Box::new(move |query: &Query| {
            lines.weighted(&query.predicates.iter().map(share).collect::<Vec<_>>())
        })
    }
}
