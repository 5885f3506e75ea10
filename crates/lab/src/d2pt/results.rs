//! Results, and means over some of them.

use super::plan::Bound;
use super::study::{Case, MeasuredSplit};
use crate::outcome::significant;
use mingle_privacy::Distance;
use mingle_protocol::Synchronizer;

/// Some results.
#[derive(Clone)]
pub struct SplitResults<'a>(Vec<&'a MeasuredSplit>);

/// How t is written.
pub fn written(bound: Bound) -> String {
    significant(bound.t.to_f64(), 6)
}

impl<'a> SplitResults<'a> {
    /// All of a study.
    pub fn new(all: &'a [MeasuredSplit]) -> SplitResults<'a> {
        SplitResults(all.iter().collect())
    }

    fn only(&self, keep: impl Fn(&MeasuredSplit) -> bool) -> SplitResults<'a> {
        SplitResults(self.0.iter().copied().filter(|r| keep(r)).collect())
    }

    /// Those of two sites.
    pub fn of_two_sites(&self) -> SplitResults<'a> {
        self.only(|r| r.case != Case::Central)
    }

    /// Those by a synchronizer, or central ones.
    pub fn by(&self, synchronizer: Option<Synchronizer>) -> SplitResults<'a> {
        self.only(|r| r.synchronizer == synchronizer)
    }

    /// Those of a case, or all.
    pub fn case(&self, case: Option<Case>) -> SplitResults<'a> {
        self.only(|r| case.is_none_or(|case| r.case == case))
    }

    /// Those with this k.
    pub fn k(&self, k: u64) -> SplitResults<'a> {
        self.only(|r| r.k == k)
    }

    /// Those with this t.
    pub fn t(&self, t: &str) -> SplitResults<'a> {
        self.only(|r| written(r.bound) == t)
    }

    /// Those with this distance.
    pub fn distance(&self, distance: Distance) -> SplitResults<'a> {
        self.only(|r| r.bound.distance == distance)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'a MeasuredSplit> {
        self.0.iter().copied()
    }

    /// The mean, if there are any.
    pub fn mean(&self, of: impl Fn(&MeasuredSplit) -> f64) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.iter().map(of).sum::<f64>() / self.0.len() as f64)
    }

    /// The share in percent, if there are any.
    pub fn percent(&self, of: impl Fn(&MeasuredSplit) -> bool) -> Option<f64> {
        self.mean(|r| if of(r) { 100.0 } else { 0.0 })
    }

    /// The share of splits that were equal from the start, in percent: the same for every
    /// synchronizer.
    pub fn same(&self) -> Option<f64> {
        self.by(Some(Synchronizer::Merge))
            .percent(|r| r.case == Case::Same)
    }
}
