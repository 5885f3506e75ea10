//! Results, and means over draws.

use super::loss::Loss;
use super::plan::{Family, Job, Scheme, families};
use super::reader::Exposure;

/// What came out of one setting in one draw; nothing where no release can keep the promise.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The setting.
    pub job: Job,
    /// What the first release loses.
    pub loss: Option<Loss>,
    /// What both give away.
    pub exposure: Option<Exposure>,
}

/// A mean over draws and the standard deviation of the draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The spread.
    pub spread: f64,
}

/// What is looked at; `None` where it means nothing.
pub type Measure = fn(&Loss, &Exposure) -> Option<f64>;

/// All results.
#[derive(Clone, Copy)]
pub struct Results<'a>(pub &'a [Measured]);

impl<'a> Results<'a> {
    /// The settings of a family, in the order of the plan.
    pub fn schemes(&self, family: Family) -> Vec<Scheme> {
        let mut schemes: Vec<Scheme> = Vec::new();
        for result in self.0.iter().filter(|r| r.job.scheme.family() == family) {
            if !schemes.contains(&result.job.scheme) {
                schemes.push(result.job.scheme);
            }
        }
        schemes
    }

    /// Every setting with its family.
    pub fn all(&self) -> Vec<(Family, Scheme)> {
        families()
            .into_iter()
            .flat_map(|family| self.schemes(family).into_iter().map(move |s| (family, s)))
            .collect()
    }

    /// The mean over the draws of a setting.
    pub fn mean(&self, scheme: Scheme, of: Measure) -> Option<Mean> {
        let some = self.0.iter().filter(|r| r.job.scheme == scheme);
        let values: Vec<f64> = some
            .filter_map(|r| of(r.loss.as_ref()?, r.exposure.as_ref()?))
            .collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let spread = if values.len() > 1 {
            (squares / (count - 1.0)).sqrt()
        } else {
            0.0
        };
        (!values.is_empty()).then_some(Mean { mean, spread })
    }

    /// A measure against what is varied in a family, ascending.
    pub fn curve(&self, family: Family, of: Measure) -> Vec<(f64, f64)> {
        let point = |scheme: Scheme| Some((scheme.varied(), self.mean(scheme, of)?.mean));
        let mut points: Vec<(f64, f64)> =
            self.schemes(family).into_iter().filter_map(point).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    }

    /// One measure against another, in the order of what is varied in a family.
    pub fn trade(&self, family: Family, x: Measure, y: Measure) -> Vec<(f64, f64)> {
        let mut schemes = self.schemes(family);
        schemes.sort_by(|a, b| a.varied().total_cmp(&b.varied()));
        let point = |scheme: Scheme| Some((self.mean(scheme, x)?.mean, self.mean(scheme, y)?.mean));
        schemes.into_iter().filter_map(point).collect()
    }
}

/// The measures of tables and figures.
pub mod measures {
    use super::Measure;

    /// Mean error of the queries, in per cent.
    pub const QUERY: Measure = |l, _| Some(100.0 * l.query_error);
    /// Its median.
    pub const MEDIAN: Measure = |l, _| Some(100.0 * l.median_query_error);
    /// Mean distance of the tables of one column.
    pub const ONE_WAY: Measure = |l, _| Some(l.one_way);
    /// Mean distance of the tables of two columns.
    pub const TWO_WAY: Measure = |l, _| Some(l.two_way);
    /// People in both of whom one value is left for who knows the groups, in per cent.
    pub const TOLD: Measure = |_, e| e.told.map(|told| 100.0 * told);
    /// People in both of whom one value is left, in per cent.
    pub const CLAIMED: Measure = |_, e| Some(100.0 * e.both.claimed);
    /// And is theirs.
    pub const RIGHT: Measure = |_, e| Some(100.0 * e.both.claimed_right);
    /// The same of people in neither.
    pub const RIGHT_CONTROL: Measure = |_, e| Some(100.0 * e.neither.claimed_right);
    /// People in both of whom at most four are left, in per cent.
    pub const QUARTER: Measure = |_, e| Some(100.0 * e.both.quarter);
    /// And theirs is one of them.
    pub const QUARTER_RIGHT: Measure = |_, e| Some(100.0 * e.both.quarter_right);
    /// People in both whose value is guessed, in per cent.
    pub const GUESSED: Measure = |_, e| Some(100.0 * e.both.guessed);
    /// The same of people in neither.
    pub const GUESSED_CONTROL: Measure = |_, e| Some(100.0 * e.neither.guessed);
    /// What being in both tables adds to that, in percentage points.
    pub const ADVANTAGE: Measure = |_, e| Some(100.0 * (e.both.guessed - e.neither.guessed));
}
