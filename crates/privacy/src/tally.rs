//! Counts of a set of rows, in the form that a [`Requirement`](crate::Requirement) asks for.

use mingle_model::Code;

/// Size and, per attribute that a requirement looks at, how often each value occurs.
///
/// Sparse and sorted, so that small groups stay small whatever the size of the domain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub(crate) size: u64,
    pub(crate) counts: Vec<Vec<(Code, u64)>>,
}

impl Tally {
    /// How many rows.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Adds another set of rows.
    pub fn merge(&mut self, other: &Tally) {
        self.size += other.size;
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, theirs)| add_sorted(mine, theirs));
    }

    /// Takes away rows that are part of this set.
    pub fn subtract(&mut self, other: &Tally) {
        self.size -= other.size;
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            let mut left = theirs.iter().peekable();
            for (code, count) in mine.iter_mut() {
                if let Some((_, less)) = left.next_if(|(other, _)| other == code) {
                    *count -= less;
                }
            }
            mine.retain(|&(_, count)| count > 0);
        }
    }

    /// Ascending values with their counts, for the n-th attribute of [`Requirement::attributes`](crate::Requirement).
    pub fn values(&self, attribute: usize) -> &[(Code, u64)] {
        &self.counts[attribute]
    }
}

fn add_sorted(mine: &mut Vec<(Code, u64)>, theirs: &[(Code, u64)]) {
    for &(code, count) in theirs {
        match mine.binary_search_by_key(&code, |&(c, _)| c) {
            Ok(at) => mine[at].1 += count,
            Err(at) => mine.insert(at, (code, count)),
        }
    }
}
