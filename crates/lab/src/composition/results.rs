//! Results, and means over draws.

use super::attack::{CompositionReader, TargetExposure};
use super::overlap::Rest;
use super::plan::{AnonymizationScheme, CompositionCell, ReleasePromises, SubsetsJob};
use crate::mean_over_draws::MeanOverDraws;

/// What came out of one attack, `None` where a release could not exist.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredAttack {
    /// The draw; its list of cells is left empty.
    pub job: SubsetsJob,
    /// The releases.
    pub cell: CompositionCell,
    /// The reader.
    pub reader: CompositionReader,
    /// What they found.
    pub exposure: Option<TargetExposure>,
}

/// Some results.
#[derive(Clone)]
pub struct AttackResults<'a>(Vec<&'a MeasuredAttack>);

impl<'a> AttackResults<'a> {
    /// All of them.
    pub fn new(all: &'a [MeasuredAttack]) -> AttackResults<'a> {
        AttackResults(all.iter().collect())
    }

    /// Those of which this is so.
    pub fn only(&self, keep: impl Fn(&MeasuredAttack) -> bool) -> AttackResults<'a> {
        AttackResults(self.0.iter().copied().filter(|r| keep(r)).collect())
    }

    /// Those about these people and this column.
    pub fn about(&self, people: usize, sensitive: usize) -> AttackResults<'a> {
        self.only(|r| r.job.people == people && r.job.sensitive == sensitive)
    }

    /// Two subsets that are everybody.
    pub fn main(&self, size: usize) -> AttackResults<'a> {
        self.only(|r| {
            r.job.overlap.subsets == 2
                && r.job.overlap.size == size
                && r.job.overlap.rest == Rest::Apart
        })
    }

    /// Those of these schemes.
    pub fn by(&self, schemes: [AnonymizationScheme; 2]) -> AttackResults<'a> {
        self.only(|r| r.cell.schemes == schemes)
    }

    /// Those of this reader.
    pub fn read_by(&self, reader: CompositionReader) -> AttackResults<'a> {
        self.only(|r| r.reader == reader)
    }

    /// Those that promise this.
    pub fn promising(&self, promised: ReleasePromises) -> AttackResults<'a> {
        self.only(|r| r.cell.promised == promised)
    }

    /// Those that promise k alone.
    pub fn plain(&self) -> AttackResults<'a> {
        self.only(|r| r.cell.promised.is_plain())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'a MeasuredAttack> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean over draws, if there are any.
    pub fn mean(&self, of: impl Fn(&TargetExposure) -> f64) -> Option<MeanOverDraws> {
        let values: Vec<f64> = self
            .iter()
            .filter_map(|r| r.exposure.as_ref())
            .map(of)
            .collect();
        MeanOverDraws::of(&values)
    }

    /// Means against what is varied, ascending.
    pub fn curve(
        &self,
        x: impl Fn(&MeasuredAttack) -> Option<u64>,
        y: impl Fn(&TargetExposure) -> f64 + Copy,
    ) -> Vec<(u64, MeanOverDraws)> {
        let mut places: Vec<u64> = self.iter().filter_map(&x).collect();
        places.sort_unstable();
        places.dedup();
        let at = |place: u64| Some((place, self.only(|r| x(r) == Some(place)).mean(y)?));
        places.into_iter().filter_map(at).collect()
    }
}
