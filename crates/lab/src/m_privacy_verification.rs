//! How fast is m-privacy verified? Figures 6, 7 and 8 of Goryczka, Xiong and Fung, *m-Privacy for
//! Collaborative Data Publishing* (2011), Section V-B, with our exact check beside the paper's
//! searches.
//!
//! A group of random records is dealt to providers; k-anonymity with k = 50 and distinct
//! l-diversity with l = 4 must withstand m of them (Table II: m = 5, 15 providers, 150 or 750
//! records). Figure 6 varies m, Figure 7 the number of providers, Figure 8 the number of records
//! per provider. The paper took one group per setting; here several are drawn and the median is
//! reported. It does not say which m Figure 7 uses: the default, 5, is taken. All strategies must
//! give the same verdict for every group.

mod plan;
mod report;
mod runner;

use crate::data::PeopleRows;
use crate::error::Error;
use crate::outcome::Outcome;
use crate::{Experiment, Setting};
use mingle_privacy::Strategy;

/// Figures 6 to 8 of the m-privacy paper.
#[derive(Clone, Copy, Debug, Default)]
pub struct MPrivacyVerification;

/// The paper's parameters, Table II.
const K: u64 = 50;
const L: u64 = 4;
const ALPHA: f64 = 0.3;
const M: u64 = 5;
const PROVIDERS: u32 = 15;
const GROUPS: [usize; 2] = [150, 750];
/// Rows to make up where no data are given.
const MADE_UP: usize = 10_000;

const STRATEGIES: [Strategy; 6] = [
    Strategy::Direct,
    Strategy::BottomUp,
    Strategy::TopDown,
    Strategy::Binary,
    Strategy::Adaptive,
    Strategy::Exact,
];

impl Experiment for MPrivacyVerification {
    fn name(&self) -> &'static str {
        "m-privacy-verification"
    }

    fn about(&self) -> &'static str {
        "time and checks of verification (Goryczka et al. 2011, figures 6 to 8)"
    }

    fn run(&self, setting: &Setting) -> Result<Outcome, Error> {
        let data = PeopleRows::load(setting.data, MADE_UP, setting.seed)?;
        let plan = plan::plan(setting.extent);
        let mut runner = runner::VerificationRunner::new(&data, setting);
        let results = setting.each(&plan, |cell| runner.measure(*cell))?;
        Ok(report::outcome(&data, &results, runner.rules()))
    }
}
