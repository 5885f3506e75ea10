//! Everything a provider brings to a run.

use super::joint_counts::CountedTables;
use super::joint_noise::NoisyTask;
use super::joint_verification::ExistingTable;
use super::output::{statements, verification_statements};
use super::shared::{OwnRows, SharedSchema};
use super::terms::{HorizontalTerms, Rules};
use crate::error::Error;
use crate::terms::printable;
use mingle_privacy::M;
use std::sync::Arc;

/// A provider as the others know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunMember {
    /// Its name, which the release will show.
    pub name: String,
    /// Its Ed25519 key, pinned by everybody.
    pub key: [u8; 32],
}

/// Who takes part in which run.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    pub(crate) run: [u8; 32],
    /// In seat order.
    pub(crate) all: Vec<RunMember>,
}

impl Members {
    pub(crate) fn name(&self, seat: usize) -> String {
        let name = self.all.get(seat).map(|member| printable(&member.name));
        name.unwrap_or_else(|| format!("of seat {seat}"))
    }
}

/// What a run is for.
#[derive(Default)]
pub enum RunTask {
    /// Publish a table made from everybody's rows.
    #[default]
    Publish,
    /// Find out whether a table that exists withstands a coalition.
    Verify(ExistingTable),
    /// Add up counts with noise.
    Count(CountedTables),
    /// Publish marginals, a histogram or made-up records with noise.
    Noisy(NoisyTask),
}

/// One provider's part. No `Debug`: it has the data.
pub struct HorizontalSetup {
    /// The run's name: 32 random bytes from the invitation, used once.
    pub run: [u8; 32],
    /// Which of the members this is.
    pub seat: usize,
    /// All providers, in the same order everywhere.
    pub members: Vec<RunMember>,
    /// What all must agree on.
    pub terms: HorizontalTerms,
    /// The declared columns.
    pub schema: Arc<SharedSchema>,
    /// This provider's rows; none where the task has its own counts.
    pub rows: Arc<OwnRows>,
    /// What the run is for.
    pub task: RunTask,
}

/// A setup whose parts fit together.
pub(crate) struct CheckedRun {
    pub(crate) setup: HorizontalSetup,
    pub(crate) members: Arc<Members>,
    /// Where the task is about groups.
    rules: Option<Rules>,
}

impl CheckedRun {
    pub(crate) fn rules(&self) -> Result<&Rules, Error> {
        self.rules.as_ref().ok_or(Error::NoK)
    }
}

impl HorizontalSetup {
    /// A run that publishes with noise: no groups, no cuts, and no rows but those of the task.
    /// `policy` is the digest that all must have.
    pub fn noisy(
        run: [u8; 32],
        seat: usize,
        members: Vec<RunMember>,
        (policy, m): ([u8; 32], M),
        task: NoisyTask,
    ) -> HorizontalSetup {
        HorizontalSetup {
            run,
            seat,
            members,
            terms: HorizontalTerms::without_groups(policy, m),
            schema: Arc::new(SharedSchema::none()),
            rows: Arc::new(OwnRows::none()),
            task: RunTask::Noisy(task),
        }
    }

    /// What the run reveals and promises: to be said before the first byte.
    pub fn statements(&self) -> Vec<String> {
        match &self.task {
            RunTask::Noisy(task) => task.statements(self.terms.m, self.members.len()),
            RunTask::Verify(_) => verification_statements(&self.terms, self.members.len()),
            _ => statements(&self.terms, self.members.len()),
        }
    }

    /// Whether a run could start: errors here are this provider's own.
    pub(crate) fn check(self) -> Result<CheckedRun, Error> {
        let providers = self.members.len();
        self.terms.coalition(providers)?;
        let rules = match &self.task {
            RunTask::Publish | RunTask::Verify(_) => {
                Some(self.terms.rules(&self.schema, providers)?)
            }
            RunTask::Count(_) | RunTask::Noisy(_) => None,
        };
        if self.seat >= self.members.len() {
            return Err(Error::Defect("a seat that there is not"));
        }
        for (seat, member) in self.members.iter().enumerate() {
            for other in &self.members[..seat] {
                if other.key == member.key || other.name == member.name {
                    return Err(Error::Same {
                        what: format!(
                            "the key or the name of provider {}",
                            printable(&member.name)
                        ),
                    });
                }
            }
        }
        if self.rows.quasi_identifiers.len() != self.schema.quasi_identifiers().len() {
            return Err(Error::Defect("rows of another schema"));
        }
        match &self.task {
            RunTask::Publish => {}
            RunTask::Verify(existing) => existing.check(&self.schema)?,
            RunTask::Count(tables) => tables.check()?,
            RunTask::Noisy(task) => task.check(&self.terms, providers)?,
        }
        let members = Arc::new(Members {
            run: self.run,
            all: self.members.clone(),
        });
        Ok(CheckedRun {
            setup: self,
            members,
            rules,
        })
    }
}
