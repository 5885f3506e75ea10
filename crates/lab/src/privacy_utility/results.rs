//! Results, and means over draws.

use super::loss::SchemeLoss;
use super::plan::{Family, PublicationScheme, SchemeJob, families};
use super::reader::PairExposure;
use crate::mean_over_draws::MeanOverDraws;

/// What came out of one setting in one draw; nothing where no release can keep the promise.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredScheme {
    /// The setting.
    pub job: SchemeJob,
    /// What the first release loses.
    pub loss: Option<SchemeLoss>,
    /// What both give away.
    pub exposure: Option<PairExposure>,
}

/// What is looked at; `None` where it means nothing.
pub type PrivacyUtilityMeasure = fn(&SchemeLoss, &PairExposure) -> Option<f64>;

/// All results.
#[derive(Clone, Copy)]
pub struct PrivacyUtilityResults<'a>(pub &'a [MeasuredScheme]);

impl<'a> PrivacyUtilityResults<'a> {
    /// The settings of a family, in the order of the plan.
    pub fn schemes(&self, family: Family) -> Vec<PublicationScheme> {
        let mut schemes: Vec<PublicationScheme> = Vec::new();
        for result in self.0.iter().filter(|r| r.job.scheme.family() == family) {
            if !schemes.contains(&result.job.scheme) {
                schemes.push(result.job.scheme);
            }
        }
        schemes
    }

    /// Every setting with its family.
    pub fn all(&self) -> Vec<(Family, PublicationScheme)> {
        families()
            .into_iter()
            .flat_map(|family| self.schemes(family).into_iter().map(move |s| (family, s)))
            .collect()
    }

    /// The mean over the draws of a setting.
    pub fn mean(
        &self,
        scheme: PublicationScheme,
        of: PrivacyUtilityMeasure,
    ) -> Option<MeanOverDraws> {
        let some = self.0.iter().filter(|r| r.job.scheme == scheme);
        let values: Vec<f64> = some
            .filter_map(|r| of(r.loss.as_ref()?, r.exposure.as_ref()?))
            .collect();
        MeanOverDraws::of(&values)
    }

    /// A measure against what is varied in a family, ascending.
    pub fn curve(&self, family: Family, of: PrivacyUtilityMeasure) -> Vec<(f64, f64)> {
        let point =
            |scheme: PublicationScheme| Some((scheme.varied(), self.mean(scheme, of)?.mean));
        let mut points: Vec<(f64, f64)> =
            self.schemes(family).into_iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// One measure against another, in the order of what is varied in a family.
    pub fn trade(
        &self,
        family: Family,
        x: PrivacyUtilityMeasure,
        y: PrivacyUtilityMeasure,
    ) -> Vec<(f64, f64)> {
        let mut schemes = self.schemes(family);
        schemes.sort_by(|a, b| a.varied().total_cmp(&b.varied()));
        let point = |scheme: PublicationScheme| {
            Some((self.mean(scheme, x)?.mean, self.mean(scheme, y)?.mean))
        };
        schemes.into_iter().filter_map(point).collect()
    }
}

/// The measures of tables and figures.
pub mod measures {
    use super::PrivacyUtilityMeasure;

    /// Mean error of the queries, in per cent.
    pub const QUERY: PrivacyUtilityMeasure = |l, _| Some(100.0 * l.query_error);
    /// Its median.
    pub const MEDIAN: PrivacyUtilityMeasure = |l, _| Some(100.0 * l.median_query_error);
    /// Mean distance of the tables of one column.
    pub const ONE_WAY: PrivacyUtilityMeasure = |l, _| Some(l.one_way);
    /// Mean distance of the tables of two columns.
    pub const TWO_WAY: PrivacyUtilityMeasure = |l, _| Some(l.two_way);
    /// People in both of whom one value is left for who knows the groups, in per cent.
    pub const TOLD: PrivacyUtilityMeasure = |_, e| e.told.map(|told| 100.0 * told);
    /// People in both of whom one value is left, in per cent.
    pub const CLAIMED: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.both.claimed);
    /// And is theirs.
    pub const RIGHT: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.both.claimed_right);
    /// The same of people in neither.
    pub const RIGHT_CONTROL: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.neither.claimed_right);
    /// People in both of whom at most four are left, in per cent.
    pub const QUARTER: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.both.quarter);
    /// And theirs is one of them.
    pub const QUARTER_RIGHT: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.both.quarter_right);
    /// People in both whose value is guessed, in per cent.
    pub const GUESSED: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.both.guessed);
    /// The same of people in neither.
    pub const GUESSED_CONTROL: PrivacyUtilityMeasure = |_, e| Some(100.0 * e.neither.guessed);
    /// What being in both tables adds to that, in percentage points.
    pub const ADVANTAGE: PrivacyUtilityMeasure =
        |_, e| Some(100.0 * (e.both.guessed - e.neither.guessed));
}
