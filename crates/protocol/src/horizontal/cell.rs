//! Cells: boxes of declared values, and where they can be cut.
//!
//! Everything here follows from the declared domains alone. A cell is a range of codes per
//! quasi-identifier; codes follow the order of numbers, of declared lists, or of the hierarchy's
//! leaves, so that every node of a hierarchy is a range. A cut leaves the codes up to one of its
//! *places* on the left and the others on the right. There are at most 15 places, so that a
//! histogram has at most 16 bins: with a hierarchy the ends of the children of the lowest node above
//! the cell, otherwise bins of equal width.

use super::shared::SharedColumn;
use mingle_model::{Cell as Label, Code};

/// The most bins of a histogram.
pub(crate) const MOST_BINS: usize = 16;

/// A range of codes per quasi-identifier, both ends included.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CellBox(pub(crate) Vec<(Code, Code)>);

impl CellBox {
    /// All declared values.
    pub(crate) fn whole(columns: &[SharedColumn]) -> CellBox {
        let last = |column: &SharedColumn| (0, column.domain.len() as Code - 1);
        CellBox(columns.iter().map(last).collect())
    }

    /// The ranges, in the order of the quasi-identifiers.
    pub fn ranges(&self) -> &[(Code, Code)] {
        &self.0
    }

    /// The two sides of a cut.
    pub(crate) fn sides(&self, cut: Cut) -> [CellBox; 2] {
        let (mut left, mut right) = (self.clone(), self.clone());
        left.0[cut.attribute].1 = cut.last;
        right.0[cut.attribute].0 = cut.last + 1;
        [left, right]
    }

    /// Attributes that can be cut, the widest first: by the share of its declared values that the
    /// cell spans; equally wide ones in the policy's order.
    pub(crate) fn by_width(&self, columns: &[SharedColumn]) -> Vec<usize> {
        let mut attributes: Vec<usize> = Vec::new();
        for (attribute, &(lo, hi)) in self.0.iter().enumerate() {
            if lo < hi {
                attributes.push(attribute);
            }
        }
        let span = |attribute: usize| u128::from(self.0[attribute].1 - self.0[attribute].0);
        let all = |attribute: usize| columns[attribute].domain.len() as u128 - 1;
        // a/b against c/d without fractions; sorting is stable
        attributes.sort_by(|&a, &b| (span(b) * all(a)).cmp(&(span(a) * all(b))));
        attributes
    }

    /// How it is written: one label per quasi-identifier.
    pub fn labels(&self, columns: &[SharedColumn]) -> Vec<String> {
        let mut labels = Vec::with_capacity(columns.len());
        for (column, &(lo, hi)) in columns.iter().zip(&self.0) {
            labels.push(column.domain.label(&Label::Span { lo, hi }));
        }
        labels
    }
}

/// A cut of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cut {
    pub(crate) attribute: usize,
    /// The last code of the left side.
    pub(crate) last: Code,
}

/// Where a range of codes can be cut: the last codes of all bins but the last, ascending.
pub(crate) fn places(column: &SharedColumn, (lo, hi): (Code, Code)) -> Vec<Code> {
    let mut ends: Vec<Code> = Vec::new();
    match column.domain.hierarchy() {
        Some(tree) => {
            let (level, _) = tree.lowest_common_ancestor(lo, hi);
            let mut code = lo;
            while code < hi {
                let below = level.saturating_sub(1);
                let (_, last) = tree.leaves(below, tree.ancestor(code, below));
                if last >= hi {
                    break;
                }
                ends.push(last);
                code = last + 1;
            }
        }
        None => {
            let width = u64::from(hi - lo) + 1;
            let bins = width.min(MOST_BINS as u64);
            for bin in 1..bins {
                ends.push(lo + (width * bin / bins) as Code - 1);
            }
        }
    }
    if ends.len() < MOST_BINS {
        return ends;
    }
    // too many children: every so many of them
    let (all, kept) = (ends.len() + 1, MOST_BINS);
    (1..kept).map(|bin| ends[all * bin / kept - 1]).collect()
}

/// The place that divides the declared values most evenly; the lower of two.
pub(crate) fn middle(column: &SharedColumn, range: (Code, Code)) -> Option<Code> {
    let width = i64::from(range.1) - i64::from(range.0) + 1;
    if column.domain.hierarchy().is_none() && width >= 2 {
        return Some(range.0 + (width / 2) as Code - 1);
    }
    let unevenness = |last: &Code| (2 * (i64::from(*last) - i64::from(range.0) + 1) - width).abs();
    places(column, range).into_iter().min_by_key(unevenness)
}

/// The bin of a code among places.
pub(crate) fn bin(places: &[Code], code: Code) -> usize {
    places.partition_point(|&last| last < code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{ColumnSpec, HierarchySource, Missing, Role};

    fn column(values: &[&str], hierarchy: Option<HierarchySource>) -> SharedColumn {
        let spec = ColumnSpec {
            hierarchy,
            ..ColumnSpec::new("c", Role::QuasiIdentifier)
        };
        let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
        SharedColumn::declare(spec, &values, &Missing::default())
            .ok()
            .expect("a column")
    }

    fn numbers(n: usize) -> SharedColumn {
        let texts: Vec<String> = (0..n).map(|i| i.to_string()).collect();
        column(&texts.iter().map(String::as_str).collect::<Vec<_>>(), None)
    }

    #[test]
    fn places_cut_every_range_into_few_bins() {
        let plain = numbers(100);
        let mask = column(
            &["100", "101", "110", "111", "200", "310", "311", "320"],
            Some(HierarchySource::Mask(2)),
        );
        for column in [&plain, &mask] {
            let codes = column.domain.len() as Code;
            for lo in 0..codes {
                for hi in lo + 1..codes {
                    let ends = places(column, (lo, hi));
                    assert!(!ends.is_empty() && ends.len() < MOST_BINS, "{lo} {hi}");
                    assert!(ends.is_sorted_by(|a, b| a < b));
                    assert!(ends[0] >= lo && *ends.last().expect("some") < hi);
                    let middle = middle(column, (lo, hi)).expect("a middle");
                    assert!(lo <= middle && middle < hi);
                    assert_eq!((bin(&ends, lo), bin(&ends, hi)), (0, ends.len()));
                }
            }
        }
        // children of the root, then children of 1**
        assert_eq!(places(&mask, (0, 7)), [3, 4]);
        assert_eq!(places(&mask, (0, 3)), [1]);
        assert_eq!(middle(&plain, (10, 19)), Some(14));
    }

    #[test]
    fn the_widest_attribute_comes_first() {
        let columns = [numbers(11), numbers(101), numbers(11)];
        let cell = CellBox(vec![(0, 5), (0, 60), (2, 7)]);
        assert_eq!(cell.by_width(&columns), [1, 0, 2]);
        let cell = CellBox(vec![(3, 3), (0, 50), (0, 10)]);
        assert_eq!(cell.by_width(&columns), [2, 1]);
        let [left, right] = cell.sides(Cut {
            attribute: 1,
            last: 24,
        });
        assert_eq!((left.0[1], right.0[1]), ((0, 24), (25, 50)));
        assert_eq!(
            left.labels(&columns),
            ["3", "[0-24]", "*"].map(|s| if s == "*" {
                "[0-10]".to_owned()
            } else {
                s.to_owned()
            })
        );
    }
}
