//! Equal ground distance: all different values are 1 apart.
//!
//! The earth mover's distance is then total variation, half the sum of |P(s) - Q(s)|. Both sum to
//! 1, so that is also the sum of the positive differences, which only values of the group have:
//! cost O(values present), whatever the domain; nothing is allocated. The sum is at most N T and
//! fits into 128 bits.

use super::ladder::{Ladder, Pieces};
use super::{Cost, Distance, excess};
use crate::constraint::GroupCounts;
use mingle_model::Code;

/// The table's counts, by code.
#[derive(Clone, Debug)]
pub struct Equal {
    table: Vec<u64>,
    rows: u64,
}

impl Equal {
    /// From the table's counts by code; their sum fits into 64 bits.
    pub fn new(table: Vec<u64>) -> Equal {
        let rows = table.iter().sum();
        Equal { table, rows }
    }

    #[inline]
    pub(super) fn distance(&self, group: GroupCounts<'_>) -> Distance {
        let cost = |&(code, count): &(u32, u64)| {
            excess(count, group.size, self.table[code as usize], self.rows)
        };
        let cost = group.values.iter().map(cost).sum();
        Distance {
            cost: Cost::Narrow(cost),
            unit: [group.size, self.rows, 1],
        }
    }

    /// One step for each value.
    pub(super) fn pieces(&self, values: &[(Code, u64)]) -> Pieces {
        let ladder = |(place, &(code, _)): (usize, &(Code, u64))| Ladder {
            set: place..place + 1,
            weight: 1,
            steps: vec![self.table[code as usize]],
        };
        Pieces {
            order: (0..values.len()).collect(),
            ladders: values.iter().enumerate().map(ladder).collect(),
            lines: Vec::new(),
            rows: self.rows,
            constant: 1,
        }
    }
}
