//! What providers run for: a table, a release with noise, or the verification of a table that exists.

use mingle_dp::ledger::Spending;
use mingle_privacy::M;
use mingle_protocol::horizontal::{
    ExistingTable, HorizontalSetup, HorizontalTerms, NoisyTask, OwnRows, RunMember, RunTask,
    SharedSchema,
};
use mingle_release::NoisyFacts;
use std::sync::Arc;

/// One provider's part of a run. No `Debug`: it has the data.
pub enum ProviderWork {
    /// Publish a table of everybody's rows.
    Table {
        /// What all must agree on.
        terms: HorizontalTerms,
        /// The declared columns.
        schema: Arc<SharedSchema>,
        /// This provider's rows.
        rows: Arc<OwnRows>,
    },
    /// Publish counts or made-up records with noise.
    Noise(Box<NoisyWork>),
    /// Find out whether a table that exists withstands a coalition.
    Verification(Box<VerificationWork>),
}

/// A release with noise, and what pays for it here.
pub struct NoisyWork {
    /// A digest of what all must have alike.
    pub policy: [u8; 32],
    /// The largest coalition that the promise must withstand.
    pub m: M,
    /// What is released, and this provider's records.
    pub task: NoisyTask,
    /// What is written beside the output; who made it is added here.
    pub facts: NoisyFacts,
    /// What the ledger that `facts` names is charged, but for the label, which is the run's.
    pub spending: Spending,
}

/// A table that exists, and what this provider contributed to it.
pub struct VerificationWork {
    /// What all must agree on.
    pub terms: HorizontalTerms,
    /// The columns, with the published values.
    pub schema: Arc<SharedSchema>,
    /// This provider's rows, as they were published.
    pub rows: Arc<OwnRows>,
    /// The groups of both.
    pub table: ExistingTable,
    /// A digest of the published table: labels, values and counts.
    pub digest: [u8; 32],
}

/// What is kept for the end of a run: all but the data.
pub(super) enum Product {
    Table,
    Noise(Box<PaidNoise>),
    Verification(VerifiedTable),
}

pub(super) struct PaidNoise {
    pub(super) facts: NoisyFacts,
    pub(super) spending: Spending,
}

pub(super) struct VerifiedTable {
    pub(super) terms: HorizontalTerms,
    pub(super) schema: Arc<SharedSchema>,
    pub(super) digest: [u8; 32],
    pub(super) statements: Vec<String>,
}

/// A run, a seat in it, and everybody else.
pub(super) struct Place {
    pub(super) run: [u8; 32],
    pub(super) seat: usize,
    pub(super) members: Vec<RunMember>,
}

impl ProviderWork {
    /// What the protocol needs, and what the vault needs.
    pub(super) fn divided(self, place: Place) -> (HorizontalSetup, Product) {
        let Place { run, seat, members } = place;
        match self {
            ProviderWork::Table {
                terms,
                schema,
                rows,
            } => {
                let setup = HorizontalSetup {
                    run,
                    seat,
                    members,
                    terms,
                    schema,
                    rows,
                    task: RunTask::Publish,
                };
                (setup, Product::Table)
            }
            ProviderWork::Noise(noise) => {
                let NoisyWork {
                    policy,
                    m,
                    task,
                    facts,
                    spending,
                } = *noise;
                let setup = HorizontalSetup::noisy(run, seat, members, (policy, m), task);
                let label = format!(
                    "run {}, {}",
                    &crate::hex::encode(&run)[..32],
                    spending.label
                );
                let spending = Spending { label, ..spending };
                (
                    setup,
                    Product::Noise(Box::new(PaidNoise { facts, spending })),
                )
            }
            ProviderWork::Verification(work) => {
                let VerificationWork {
                    terms,
                    schema,
                    rows,
                    table,
                    digest,
                } = *work;
                let setup = HorizontalSetup {
                    run,
                    seat,
                    members,
                    terms: terms.clone(),
                    schema: schema.clone(),
                    rows,
                    task: RunTask::Verify(table),
                };
                let verified = VerifiedTable {
                    terms,
                    schema,
                    digest,
                    statements: setup.statements(),
                };
                (setup, Product::Verification(verified))
            }
        }
    }
}
