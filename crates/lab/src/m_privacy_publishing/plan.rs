//! Which releases are made.

use super::{K, L, M, METHODS, PROVIDERS};
use crate::Extent;
use mingle_privacy::{Insiders, Semantics, Strategy};
use mingle_synth::Distribution;

/// One setting: a table, promises and how they are to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublishingCell {
    /// The paper's figure.
    pub figure: u32,
    /// How rows are spread over providers.
    pub distribution: Distribution,
    /// Rows of the table.
    pub rows: usize,
    /// How the table is partitioned.
    pub method: &'static str,
    /// Against whom.
    pub insiders: Insiders,
    /// How that is decided.
    pub strategy: Strategy,
    /// The smallest group.
    pub k: u64,
    /// The smallest number of sensitive values.
    pub l: u64,
}

impl PublishingCell {
    /// Whether a group must have m + 1 contributors.
    pub fn is_strict(&self) -> bool {
        self.insiders.semantics != Semantics::Victim
    }

    /// The same release: figure and verification strategy do not change what is published.
    pub fn same_release(&self, other: &PublishingCell) -> bool {
        PublishingCell {
            figure: other.figure,
            strategy: other.strategy,
            ..*self
        } == *other
    }
}

/// What each figure varies.
struct Ranges {
    m: Vec<u64>,
    rows: Vec<usize>,
    strategy_rows: Vec<usize>,
    k: Vec<u64>,
    l: Vec<u64>,
}

fn ranges(extent: Extent, rows: usize) -> Ranges {
    let up_to = |steps: &[usize]| {
        steps
            .iter()
            .copied()
            .filter(|&n| n < rows)
            .chain([rows])
            .collect()
    };
    match extent {
        Extent::Full => Ranges {
            m: (0..=9).collect(),
            rows: up_to(&[5_000, 10_000, 20_000, 30_000]),
            strategy_rows: up_to(&[100, 300, 1_000, 3_000, 10_000]),
            k: vec![10, 20, 30, 50, 75, 100],
            l: (2..=8).collect(),
        },
        Extent::Quick => Ranges {
            m: vec![0, 1, 3, 5, 9],
            rows: up_to(&[1_500, 3_000]),
            strategy_rows: up_to(&[100, 300, 1_000]),
            k: vec![10, 30, 50],
            l: vec![2, 4, 6],
        },
        Extent::Smoke => Ranges {
            m: vec![0, 2],
            rows: up_to(&[400]),
            strategy_rows: up_to(&[100]),
            k: vec![10, 30],
            l: vec![2, 4],
        },
    }
}

/// Method and strategy of the curves over time: everything exact, and the paper's two with the
/// paper's search.
pub const TIMED: [(&str, Strategy); 5] = [
    (METHODS[0], Strategy::Exact),
    (METHODS[1], Strategy::Exact),
    (METHODS[2], Strategy::Exact),
    (METHODS[0], Strategy::Adaptive),
    (METHODS[1], Strategy::Adaptive),
];

/// The strategies of Figure 11.
pub const STRATEGIES: [Strategy; 4] = [
    Strategy::Binary,
    Strategy::TopDown,
    Strategy::Adaptive,
    Strategy::Exact,
];

/// All cells.
pub fn plan(extent: Extent, rows: usize) -> Vec<PublishingCell> {
    let ranges = ranges(extent, rows);
    let usual = PublishingCell {
        figure: 9,
        distribution: Distribution::Exponential,
        rows,
        method: METHODS[0],
        insiders: Insiders::victim(mingle_privacy::M(M)),
        strategy: Strategy::Exact,
        k: K,
        l: L,
    };
    let mut plan = figure_9(usual, &ranges);
    for rows in ranges.rows {
        plan.extend(timed(PublishingCell {
            figure: 10,
            rows,
            ..usual
        }));
    }
    for rows in ranges.strategy_rows {
        let cell = PublishingCell {
            figure: 11,
            rows,
            method: METHODS[1],
            ..usual
        };
        plan.extend(STRATEGIES.map(|strategy| PublishingCell { strategy, ..cell }));
    }
    // k = 30 with l = 4 is on both curves, but made once
    let others = ranges
        .l
        .iter()
        .filter(|&&l| l != L || !ranges.k.contains(&K));
    for (k, l) in ranges
        .k
        .iter()
        .map(|&k| (k, L))
        .chain(others.map(|&l| (K, l)))
    {
        plan.extend(METHODS.map(|method| PublishingCell {
            figure: 12,
            method,
            k,
            l,
            ..usual
        }));
    }
    plan
}

fn figure_9(usual: PublishingCell, ranges: &Ranges) -> Vec<PublishingCell> {
    let mut plan = Vec::new();
    for distribution in [Distribution::Exponential, Distribution::Uniform] {
        for &m in &ranges.m {
            let cell = PublishingCell {
                distribution,
                ..usual
            };
            plan.extend(timed(PublishingCell {
                insiders: Insiders::victim(mingle_privacy::M(m)),
                ..cell
            }));
            let insiders = Insiders::strict(mingle_privacy::M(m.min(u64::from(PROVIDERS) - 1)), 1);
            plan.extend(METHODS.map(|method| PublishingCell {
                method,
                insiders,
                ..cell
            }));
        }
    }
    plan
}

fn timed(cell: PublishingCell) -> impl Iterator<Item = PublishingCell> {
    let of = move |(method, strategy)| PublishingCell {
        method,
        strategy,
        ..cell
    };
    TIMED.into_iter().map(of)
}
