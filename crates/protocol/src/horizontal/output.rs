//! What a run comes to, before it is written.

use super::joint_counts::JointCounts;
use super::joint_noise::NoisyOutput;
use super::joint_verification::JointVerification;
use super::publish::HorizontalTable;
use super::shared::SharedSchema;
use super::terms::{HorizontalTerms, RevealLevel};
use super::tree::CutCounts;
use mingle_dp::{Amount, Epsilon};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The joint release as all providers have it, and what this one may say about how it came about.
pub struct HorizontalOutput {
    /// The session's name, the same everywhere.
    pub session: [u8; 32],
    /// Which of the providers this is.
    pub seat: usize,
    /// The providers' names in seat order.
    pub members: Vec<String>,
    /// What they agreed on.
    pub terms: HorizontalTerms,
    /// The declared columns.
    pub schema: Arc<SharedSchema>,
    /// The table, verified for outsiders.
    pub table: HorizontalTable,
    /// How the cuts went; the same everywhere.
    pub cuts: CutCounts,
    /// What the cut histograms keep against the largest coalition.
    pub reached: Option<(Epsilon, Amount)>,
    /// What this took at this provider.
    pub traffic: RunTraffic,
}

impl HorizontalOutput {
    /// A digest of what must be equal everywhere: session and table.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::new_with_prefix(b"mingle joint table\0")
            .chain_update(self.session)
            .chain_update(self.table.canonical())
            .finalize()
            .into()
    }

    /// What was revealed on the way and what nobody can check alone, in words.
    pub fn statements(&self) -> Vec<String> {
        statements(&self.terms, self.members.len())
    }
}

/// What a run comes to, by its task.
pub enum RunResult {
    /// A table to be published.
    Table(Box<HorizontalOutput>),
    /// Whether a table that exists withstands a coalition.
    Verification(JointVerification),
    /// Counts with noise.
    Counts(JointCounts),
    /// Marginals, a histogram or made-up records with noise.
    Noisy(Box<NoisyOutput>),
}

impl RunResult {
    /// A digest of what must be equal everywhere.
    pub fn digest(&self) -> [u8; 32] {
        match self {
            RunResult::Table(output) => output.digest(),
            RunResult::Verification(verdict) => verdict.digest(),
            RunResult::Counts(counts) => counts.digest(),
            RunResult::Noisy(output) => output.digest(),
        }
    }

    /// The session's name, the same everywhere.
    pub fn session(&self) -> [u8; 32] {
        match self {
            RunResult::Table(output) => output.session,
            RunResult::Verification(verdict) => verdict.session,
            RunResult::Counts(counts) => counts.session,
            RunResult::Noisy(output) => output.session,
        }
    }
}

/// What a run with these terms reveals: to be said before the first byte, in the manifest and in
/// the report.
pub fn statements(terms: &HorizontalTerms, providers: usize) -> Vec<String> {
    let mut said = Vec::new();
    said.push(match terms.level {
        RevealLevel::Bits => format!(
            "level bits: every provider learns the cut histograms ({}), for each proposed side one \
             bit per cap for k and the number of thin buckets for l, and where these do not show l \
             one bit whether more than m providers hold l values; exactly, also of cells smaller \
             than any published group",
            terms.cuts.describe()
        ),
        RevealLevel::Sums => format!(
            "level sums: every provider learns the cut histograms ({}) and the exact capped totals \
             and numbers of holders of every proposed cell, also of rejected ones",
            terms.cuts.describe()
        ),
    });
    said.push(
        "every provider learns the final totals (also if the release is then refused), who takes \
         part and the agreed sizes; no epsilon is claimed for the run or the release"
            .to_owned(),
    );
    said.push(format!(
        "k and distinct l hold against any {} of the {providers} providers, counted in rows; every \
         other promise holds for outsiders; no single provider can check the former alone",
        terms.m.0
    ));
    said.push(
        "providers are assumed to follow the protocol with the rows that they committed to, and at \
         least two not to collude; a provider that lies about its counts can break k and l"
            .to_owned(),
    );
    said
}

/// What the verification of a table that exists reveals: to be said before the first byte, and beside
/// its answer.
pub fn verification_statements(terms: &HorizontalTerms, providers: usize) -> Vec<String> {
    let learns = match terms.level {
        RevealLevel::Bits => {
            "level bits: every provider learns in how many cells the contributions are not the table, \
             and if in none, of how many groups k is not shown and per group the number of thin \
             buckets for l, of all groups where these do not show l together how many are not shown; \
             with several caps, for each group which of them show k"
        }
        RevealLevel::Sums => {
            "level sums: every provider learns the sums of what all say they contributed to each \
             cell, and per group the exact capped total and numbers of holders"
        }
    };
    vec![
        learns.to_owned(),
        format!(
            "what is asked: do k and distinct l hold for what is left of every group after any {} of \
             the {providers} providers take their own rows out; the answer is proved, or not shown, \
             which is not to say that they fail",
            terms.m.0
        ),
        "providers are assumed to follow the protocol and to name the rows that they contributed, and \
         at least two not to collude; one that lies can have a table proved that is not private"
            .to_owned(),
    ]
}

/// How much a run moved, at one provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunTraffic {
    /// Messages that everybody waited for, one after the other.
    pub rounds: u64,
    /// Bytes sent, frames included.
    pub sent: u64,
    /// Bytes received.
    pub received: u64,
    /// Ciphertexts in bags.
    pub ciphertexts: u64,
    /// Masked sums.
    pub sums: u64,
}
