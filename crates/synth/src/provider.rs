//! Who contributes how much.

use crate::alias::Alias;
use mingle_io::{OutColumn, OutKind};

/// The most providers a column can have.
pub(crate) const LIMIT: u32 = 100_000;

/// How rows are distributed among providers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distribution {
    /// The same for all.
    Uniform,
    /// Provider i of n gets a share in proportion to exp(−3i/n): few large ones, many small ones.
    Exponential,
}

impl Distribution {
    /// The word used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Distribution::Uniform => "uniform",
            Distribution::Exponential => "exponential",
        }
    }

    pub(crate) fn alias(self, providers: u32) -> Alias {
        let weight = |i: u32| match self {
            Distribution::Uniform => 1,
            // rounded to a millionth, so that the last bits of a processor's exponential do not
            // matter
            Distribution::Exponential => {
                (1e6 * (-3.0 * f64::from(i) / f64::from(providers)).exp()).round() as u64
            }
        };
        Alias::new(&(0..providers).map(weight).collect::<Vec<_>>())
    }
}

pub(crate) fn column(providers: u32) -> OutColumn {
    OutColumn {
        name: "provider".to_owned(),
        kind: OutKind::Text,
        texts: (1..=providers).map(|i| format!("P{i}")).collect(),
        missing: None,
    }
}
