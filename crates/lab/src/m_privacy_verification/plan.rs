//! Which groups are verified.

use super::{GROUPS, M, PROVIDERS};
use crate::Extent;
use mingle_synth::Distribution;

/// One setting: a kind of group and an m.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerificationCell {
    /// The paper's figure.
    pub figure: u32,
    /// How records are spread over providers.
    pub distribution: Distribution,
    /// Records of the group.
    pub records: usize,
    /// Contributing providers.
    pub providers: u32,
    /// Colluding ones.
    pub m: mingle_privacy::M,
}

impl VerificationCell {
    /// What the figure varies.
    pub fn x(&self) -> f64 {
        match self.figure {
            6 => self.m.0 as f64,
            7 => f64::from(self.providers),
            _ => self.records as f64 / f64::from(self.providers),
        }
    }
}

/// What each figure varies.
struct Ranges {
    m: Vec<u64>,
    providers: Vec<u32>,
    records_per_provider: Vec<usize>,
}

fn ranges(extent: Extent) -> Ranges {
    match extent {
        Extent::Full => Ranges {
            m: (1..=14).collect(),
            providers: (2..=25).collect(),
            records_per_provider: (1..=12).map(|i| 5 * i).collect(),
        },
        Extent::Quick => Ranges {
            m: vec![1, 3, 5, 7, 9, 11, 14],
            providers: vec![2, 5, 10, 13, 16, 18],
            records_per_provider: vec![5, 10, 15, 20, 30, 50],
        },
        Extent::Smoke => Ranges {
            m: vec![1, 3],
            providers: vec![2, 8],
            records_per_provider: vec![4, 8],
        },
    }
}

/// All cells; within a figure's curve, providers grow.
pub fn plan(extent: Extent) -> Vec<VerificationCell> {
    let Ranges {
        m,
        providers,
        records_per_provider,
    } = ranges(extent);
    let mut plan = Vec::new();
    for distribution in [Distribution::Exponential, Distribution::Uniform] {
        let cell = VerificationCell {
            figure: 6,
            distribution,
            records: GROUPS[0],
            providers: PROVIDERS,
            m: mingle_privacy::M(M),
        };
        for records in GROUPS {
            plan.extend(m.iter().map(|&m| VerificationCell {
                m: mingle_privacy::M(m),
                records,
                ..cell
            }));
            plan.extend(providers.iter().map(|&providers| VerificationCell {
                figure: 7,
                providers,
                records,
                ..cell
            }));
        }
        let all = |each: usize| each * PROVIDERS as usize;
        plan.extend(records_per_provider.iter().map(|&each| VerificationCell {
            figure: 8,
            records: all(each),
            ..cell
        }));
    }
    plan
}
