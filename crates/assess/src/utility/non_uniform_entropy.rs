//! Non-uniform entropy, after Gionis and Tassa, *k-Anonymization with minimal loss of information*
//! (TKDE 2009), normalized as in ARX.
//!
//! There, a cell with original value v and label S costs −log2(f(v) / f(S)), where f counts rows of
//! the original column. Which v stands behind a published S is known to the publisher only; for a
//! table that another tool made it is known to nobody. So that both give the same figure, a cell
//! costs what is *expected* when v is distributed like the original values that S covers:
//!
//! > cost(S) = Σ_{v in S} f(v)/f(S) · log2(f(S)/f(v)),
//!
//! the entropy of the original column within S. The two sums agree whenever all rows with a value
//! below S carry S, as in full-domain recoding. `*` and suppressed rows cost the column's entropy H
//! = cost(all values).
//!
//! The loss of a column is the sum over rows over n·H, the overall loss the sum over rows and
//! columns over the sum of n·H; 0 is no loss, 1 is total generalization, lower is better. With
//! local recoding the expectation may exceed the total in odd cases; it is then cut at 1. A column
//! with a single value has nothing to lose: 0.
//!
//! Cost: O(values) once per column, then O(ranges) per label.

use super::comparison::{ComparedColumn, Comparison};
use super::{ColumnLoss, Loss};
use mingle_model::Reading;

/// The loss of every column, and over all of them.
pub fn loss(comparison: &Comparison<'_>) -> Loss {
    let mut all = Share {
        lost: 0.0,
        total: 0.0,
    };
    let mut columns = Vec::with_capacity(comparison.columns().len());
    for column in comparison.columns() {
        let share = column_share(column, comparison);
        all = Share {
            lost: all.lost + share.lost,
            total: all.total + share.total,
        };
        columns.push(ColumnLoss {
            column: column.name().to_owned(),
            loss: share.ratio(),
        });
    }
    Loss {
        overall: all.ratio(),
        columns,
    }
}

/// Bits lost, out of the bits there were.
struct Share {
    lost: f64,
    total: f64,
}

impl Share {
    fn ratio(&self) -> f64 {
        if self.total > 0.0 {
            (self.lost / self.total).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

fn column_share(column: &ComparedColumn<'_>, comparison: &Comparison<'_>) -> Share {
    let sums = Sums::new(column.frequencies());
    let everything = sums.entropy(&[(0, column.frequencies().len().saturating_sub(1) as u32)]);
    let labels = column.readings().iter().zip(column.rows());
    let of_label = |(reading, &rows): (&Reading, &u64)| rows as f64 * sums.entropy(&reading.ranges);
    let published: f64 = labels.map(of_label).sum();
    Share {
        lost: published + comparison.suppressed() as f64 * everything,
        total: comparison.rows() as f64 * everything,
    }
}

/// Running sums of f and of f·log2 f, so that the entropy within a range of codes takes constant
/// time.
struct Sums {
    rows: Vec<u64>,
    logs: Vec<f64>,
}

impl Sums {
    fn new(frequencies: &[u64]) -> Sums {
        let mut sums = Sums {
            rows: vec![0],
            logs: vec![0.0],
        };
        let (mut rows, mut logs) = (0, 0.0);
        for &f in frequencies {
            rows += f;
            logs += if f > 0 {
                f as f64 * (f as f64).log2()
            } else {
                0.0
            };
            sums.rows.push(rows);
            sums.logs.push(logs);
        }
        sums
    }

    /// log2 F − (Σ f log2 f) / F over the values in these ranges.
    fn entropy(&self, ranges: &[(u32, u32)]) -> f64 {
        let (mut rows, mut logs) = (0, 0.0);
        for &(lo, hi) in ranges {
            if lo == hi && ranges.len() == 1 {
                return 0.0; // exactly, whatever the rounding of the running sums
            }
            let end = (hi as usize + 1).min(self.rows.len() - 1);
            rows += self.rows[end] - self.rows[lo as usize];
            logs += self.logs[end] - self.logs[lo as usize];
        }
        if rows == 0 {
            0.0
        } else {
            ((rows as f64).log2() - logs / rows as f64).max(0.0)
        }
    }
}
