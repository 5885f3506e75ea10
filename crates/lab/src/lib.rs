//! The papers' experiments as code: one file per experiment.
//!
//! An experiment is a plan (a list of cells, each one setting), a runner that measures a cell, and
//! what is made of the results: a [`Sheet`] with every number (CSV), [`View`]s for the screen and
//! [`Figure`]s (SVG). It runs on real data where a folder holds them and on made-up rows otherwise,
//! and always says which.
//!
//! Figures are what was measured: a search that was given up is a gap, never a guess, and where two
//! ways must agree (verdicts of strategies, partitions for any strategy) a difference is an
//! [`Error`] and ends the experiment. Times depend on the machine; everything else only on data and
//! seed.
#![forbid(unsafe_code)]

pub mod codebook;
mod composition;
mod d2pt;
mod data;
mod deal;
mod error;
mod m_privacy_publishing;
mod m_privacy_verification;
mod mean_over_draws;
mod outcome;
mod privacy_utility;
mod stopwatch;

pub use composition::CompositionExperiment;
pub use d2pt::D2pt;
pub use error::Error;
pub use m_privacy_publishing::MPrivacyPublishing;
pub use m_privacy_verification::MPrivacyVerification;
pub use outcome::{Figure, Outcome, Sheet, SheetValue, View};
pub use privacy_utility::PrivacyUtility;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// An experiment of a paper.
pub trait Experiment: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// What it repeats, in a line.
    fn about(&self) -> &'static str;

    /// Measures every cell of the plan.
    fn run(&self, setting: &Setting) -> Result<Outcome, Error>;
}

/// All experiments.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &MPrivacyVerification,
    &MPrivacyPublishing,
    &D2pt,
    &CompositionExperiment,
    &PrivacyUtility,
];

/// The experiment of that name.
pub fn experiment(name: &str) -> Option<&'static dyn Experiment> {
    EXPERIMENTS.iter().copied().find(|e| e.name() == name)
}

/// How much is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Extent {
    /// What the paper measured.
    #[default]
    Full,
    /// Fewer cells and rows: the shape of the curves within a minute.
    Quick,
    /// Hardly anything: whether it runs at all.
    Smoke,
}

/// On what an experiment runs, and who is told.
#[derive(Clone, Copy, Default)]
pub struct Setting<'a> {
    /// A folder with `adult/adult_all_clean.csv` and, if categories are to be generalized along
    /// them, hierarchies in `hierarchies/adult_arx/`; for [`D2pt`] with
    /// `adult/adult_train_clean.csv` and hierarchies in `hierarchies/adult_fung_tds/`; for
    /// [`CompositionExperiment`] with `adult/adult_train_clean.csv` and, if there,
    /// `hierarchies/adult_arx/` and `ipums/`. Without it, rows are made up.
    pub data: Option<&'a Path>,
    /// How much is measured.
    pub extent: Extent,
    /// Where sampling, dealing to providers and queries start.
    pub seed: u64,
    /// Told how many cells of how many are done.
    pub progress: Option<&'a dyn Fn(u64, u64)>,
    /// Set from outside to stop.
    pub cancel: Option<&'a AtomicBool>,
}

impl Setting<'_> {
    /// Measures the cells one after the other.
    fn each<C, R>(
        &self,
        plan: &[C],
        mut measure: impl FnMut(&C) -> Result<R, Error>,
    ) -> Result<Vec<R>, Error> {
        let tell = |done: usize| {
            self.progress
                .iter()
                .for_each(|tell| tell(done as u64, plan.len() as u64))
        };
        let mut results = Vec::with_capacity(plan.len());
        for (done, cell) in plan.iter().enumerate() {
            tell(done);
            if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Error::Cancelled);
            }
            results.push(measure(cell)?);
        }
        tell(plan.len());
        Ok(results)
    }
}
