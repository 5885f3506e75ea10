//! What is measured: splits, promises and synchronizers.

use super::column_set::ColumnSet;
use super::people::SplitPeople;
use crate::Extent;
use mingle_assess::utility;
use mingle_privacy::{Distance, Ratio};
use mingle_protocol::Synchronizer;

/// A promise of t-closeness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The largest distance from the distribution of all people.
    pub t: Ratio,
    /// Between values.
    pub distance: Distance,
}

impl Bound {
    /// No distance is larger than 1.
    pub fn always_holds(self) -> bool {
        self.t.numerator() >= self.t.denominator()
    }
}

/// Everything that is measured about one table.
pub struct StudyPlan {
    /// The smallest groups.
    pub ks: Vec<u64>,
    /// The promises about sensitive values.
    pub bounds: Vec<Bound>,
    /// The ways to synchronize.
    pub synchronizers: Vec<Synchronizer>,
    /// The splits, up to which site is which.
    pub halves: Vec<ColumnSet>,
    /// How many queries a release is asked.
    pub queries: usize,
}

/// t and k where one column is left out.
pub const ONE_LEFT_OUT: (&str, [u64; 2]) = ("0.7", [5, 100]);

impl StudyPlan {
    /// The paper's evaluation, and what we add to it.
    pub fn all_columns(extent: Extent, people: &SplitPeople) -> StudyPlan {
        let ks = match extent {
            Extent::Full => vec![2, 5, 10, 20, 50, 100],
            Extent::Quick => vec![2, 10, 100],
            Extent::Smoke => vec![2, 10],
        };
        let ts = match extent {
            Extent::Smoke => &["0.2", "1"][..],
            _ => &["0.15", "0.2", "0.7", "1"],
        };
        let distances = [Distance::Hierarchical, Distance::Equal];
        let bounds = ts
            .iter()
            .flat_map(|t| distances.map(|distance| bound(t, distance)))
            .collect();
        let halves = spread(&people.columns().halves(), extent);
        StudyPlan {
            ks,
            bounds,
            synchronizers: Synchronizer::ALL.to_vec(),
            halves,
            queries: queries(extent),
        }
    }

    /// Fewer promises, for every table with one column left out.
    pub fn one_left_out(extent: Extent, people: &SplitPeople) -> StudyPlan {
        let (t, ks) = ONE_LEFT_OUT;
        StudyPlan {
            ks: ks
                .into_iter()
                .filter(|&k| extent != Extent::Smoke || k < 100)
                .collect(),
            bounds: vec![bound(t, Distance::Hierarchical)],
            synchronizers: vec![Synchronizer::Merge, Synchronizer::Repair],
            halves: spread(&people.columns().halves(), extent),
            queries: queries(extent),
        }
    }
}

fn bound(t: &str, distance: Distance) -> Bound {
    Bound {
        t: Ratio::parse(t).expect("the plan's t are numbers"),
        distance,
    }
}

fn queries(extent: Extent) -> usize {
    match extent {
        Extent::Full => utility::UtilityOptions::default().queries,
        Extent::Quick => 500,
        Extent::Smoke => 50,
    }
}

/// All, or some at equal distances.
fn spread(halves: &[ColumnSet], extent: Extent) -> Vec<ColumnSet> {
    let most = match extent {
        Extent::Full => halves.len(),
        Extent::Quick => 9,
        Extent::Smoke => 3,
    };
    halves
        .iter()
        .copied()
        .step_by(halves.len().div_ceil(most).max(1))
        .collect()
}
