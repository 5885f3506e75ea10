//! Results, and means over draws.

use super::attack::{Exposure, Reader};
use super::overlap::Rest;
use super::plan::{Cell, Job, Promised, Scheme};

/// What came out of one attack, `None` where a release could not exist.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The draw; its list of cells is left empty.
    pub job: Job,
    /// The releases.
    pub cell: Cell,
    /// The reader.
    pub reader: Reader,
    /// What they found.
    pub exposure: Option<Exposure>,
}

/// Some results.
#[derive(Clone)]
pub struct Results<'a>(Vec<&'a Measured>);

/// A mean over draws and how far they are spread around it (standard deviation of the draws).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The spread.
    pub spread: f64,
}

impl<'a> Results<'a> {
    /// All of them.
    pub fn new(all: &'a [Measured]) -> Results<'a> {
        Results(all.iter().collect())
    }

    /// Those of which this is so.
    pub fn only(&self, keep: impl Fn(&Measured) -> bool) -> Results<'a> {
        Results(self.0.iter().copied().filter(|r| keep(r)).collect())
    }

    /// Those about these people and this column.
    pub fn about(&self, people: usize, sensitive: usize) -> Results<'a> {
        self.only(|r| r.job.people == people && r.job.sensitive == sensitive)
    }

    /// Two subsets that are everybody.
    pub fn main(&self, size: usize) -> Results<'a> {
        self.only(|r| {
            r.job.overlap.subsets == 2
                && r.job.overlap.size == size
                && r.job.overlap.rest == Rest::Apart
        })
    }

    /// Those of these schemes.
    pub fn by(&self, schemes: [Scheme; 2]) -> Results<'a> {
        self.only(|r| r.cell.schemes == schemes)
    }

    /// Those of this reader.
    pub fn read_by(&self, reader: Reader) -> Results<'a> {
        self.only(|r| r.reader == reader)
    }

    /// Those that promise this.
    pub fn promising(&self, promised: Promised) -> Results<'a> {
        self.only(|r| r.cell.promised == promised)
    }

    /// Those that promise k alone.
    pub fn plain(&self) -> Results<'a> {
        self.only(|r| r.cell.promised.is_plain())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &'a Measured> {
        self.0.iter().copied()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mean over draws, if there are any.
    pub fn mean(&self, of: impl Fn(&Exposure) -> f64) -> Option<Mean> {
        let values: Vec<f64> = self
            .iter()
            .filter_map(|r| r.exposure.as_ref())
            .map(of)
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

    /// Means against what is varied, ascending.
    pub fn curve(
        &self,
        x: impl Fn(&Measured) -> Option<u64>,
        y: impl Fn(&Exposure) -> f64 + Copy,
    ) -> Vec<(u64, Mean)> {
        let mut places: Vec<u64> = self.iter().filter_map(&x).collect();
        places.sort_unstable();
        places.dedup();
        let at = |place: u64| Some((place, self.only(|r| x(r) == Some(place)).mean(y)?));
        places.into_iter().filter_map(at).collect()
    }
}
