//! The main job: tables and a policy in, a verified release out.
//!
//! [`plan`] finds what would be published and verifies it, [`Plan::publish`] makes a release of it,
//! a value that has no place yet, and [`NewRelease::write`] puts it there, whole or not at all.
//! [`preview`] is a plan that only looks: it locks nothing and cannot be published.

pub(crate) mod accepted;
mod assumption;
mod composition;
mod database;
pub(crate) mod history;
pub mod little_left;
mod planned;
mod same_rows;
mod summary;
mod target;
pub(crate) mod telling;
pub mod warnings;

use crate::failure;
use crate::inputs::Inputs;
use crate::insiders;
use crate::measure::{Figures, distributions};
use crate::people;
use crate::report;
use crate::run::Run;
use crate::strict;
use crate::tables::Original;
use history::Past;
use mingle_model::Cube;
use mingle_policy::Policy;
use mingle_privacy::{Verified, VerifiedFragments};
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Bundle, Facts};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(crate) use composition::earlier_versions;
pub use composition::{Beside, CompositionFindings};
pub use database::{DatabaseTarget, verify_in_database};
pub use planned::{Planned, fragment, make, make_part};
pub use summary::PublishSummary;
pub(crate) use summary::ranges as ranges_in_words;
pub use target::ReleaseFolder;

/// Plans and publishes in one step, on all processors.
pub fn publish<'a>(policy: &'a Policy, inputs: Inputs) -> Result<NewRelease<'a>, Problem> {
    let plan = plan(policy, inputs, &Run::default());
    plan.map_err(|failed| *failed.problem)?.publish()
}

/// Finds what would be published, and verifies it. Where the policy names a history, it is locked
/// until the plan or its release is dropped, so that two runs cannot miss each other.
pub fn plan<'a>(policy: &'a Policy, inputs: Inputs, run: &Run) -> Result<Plan<'a>, Failed> {
    run.install(|| Plan::make(policy, inputs, run, Purpose::Publish))
}

/// The same to look at: nothing is locked.
pub fn preview<'a>(policy: &'a Policy, inputs: Inputs, run: &Run) -> Result<Preview<'a>, Failed> {
    run.install(|| Plan::make(policy, inputs, run, Purpose::Look).map(Preview))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Look,
    Publish,
}

/// What would be published, verified: what it would protect and cost.
pub struct Plan<'a> {
    policy: &'a Policy,
    run: Run,
    started: Instant,
    original: Original,
    beside: Option<Beside<'a>>,
    planned: Planned,
    fragments: Option<VerifiedFragments>,
    contributors: u64,
    utility: Figures,
    warnings: Vec<Problem>,
}

impl<'a> Plan<'a> {
    fn make(
        policy: &'a Policy,
        inputs: Inputs,
        run: &Run,
        purpose: Purpose,
    ) -> Result<Plan<'a>, Failed> {
        let started = Instant::now();
        refuse_nothing(policy)?;
        let mut beside = Beside::open(policy, purpose == Purpose::Publish)?;
        let (original, cube) = match beside.as_mut().and_then(Beside::past) {
            None => inputs.read_cube(policy, run)?,
            Some(past) => {
                let (original, identifiers) = inputs.read_people(policy, past.person(), run)?;
                past.identify(&original.table, &identifiers)?;
                run.step("counting");
                let cube = Cube::keeping_people(original.table.clone());
                (original, cube)
            }
        };
        let contributors = insiders::contributors(&original.table);
        let insiders = policy.insiders(contributors)?;
        insiders::check_sites(insiders, contributors)?;
        insiders::check_vocabulary(insiders, &cube)?;
        let mut warnings = warnings::of(policy, &original, &cube, insiders);
        if let Some(past) = beside.as_mut().and_then(Beside::past) {
            warnings.extend(past.warnings());
        }
        // nobody may take k rows for k people
        if let Some(problem) = people::finding(policy, &original.repeated_identifiers) {
            return Err(Failed {
                problem: Box::new(problem),
                warnings,
            });
        }
        // nothing that comes later mends a warning, and anonymizing may take long
        if let Some(problem) = strict::refused(policy.release.strict, &warnings) {
            return Err(Failed {
                problem: Box::new(problem),
                warnings,
            });
        }
        let (rows, tuples) = (cube.rows(), cube.tuples());
        run.detail(&format!(
            "{rows} rows read, {tuples} distinct quasi-identifier tuples"
        ));
        run.step("anonymizing");
        let cube = Arc::new(cube);
        let made = make(policy, insiders, cube, beside.as_ref(), run);
        let planned = match made {
            Ok(planned) => planned,
            Err(problem) if problem.code() == ProblemCode::Interrupted => {
                return Err(problem.into());
            }
            Err(problem) => {
                return Err(Failed {
                    problem: Box::new(problem),
                    warnings,
                });
            }
        };
        let fragments = if policy.release.fragmented {
            Some(fragment(policy, &planned.verified)?)
        } else {
            None
        };
        if let Err(problem) = accepted::check(policy, planned.verified.published()) {
            return Err(Failed {
                problem: Box::new(problem),
                warnings,
            });
        }
        run.step("measuring");
        let published = planned.verified.published();
        let utility = Figures::take(policy, &planned.cube, published, policy.method.output)?;
        run.check()?;
        // this one cannot be known earlier; the others were judged before
        if let Some(warning) = little_left::warning(&utility, published) {
            warnings.push(warning);
            if let Some(problem) = strict::refused(policy.release.strict, &warnings) {
                return Err(Failed {
                    problem: Box::new(problem),
                    warnings,
                });
            }
        }
        Ok(Plan {
            policy,
            run: run.clone(),
            started,
            original,
            beside,
            planned,
            fragments,
            contributors,
            utility,
            warnings,
        })
    }

    /// What a steward should know before handing the release out.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// What would be published, in words and figures.
    pub fn summary(&self) -> PublishSummary<'_> {
        self.summary_of(None, self.started.elapsed())
    }

    /// Makes the release: a value that [`NewRelease::write`] puts in its place.
    pub fn publish(self) -> Result<NewRelease<'a>, Problem> {
        // a picture for the steward: where labels cannot be laid over the original, the release
        // does without
        let run = self.run.clone();
        let pictures = run.install(|| {
            let published = self.planned.verified.published();
            let fragments = self.fragments.as_ref().map(VerifiedFragments::fragments);
            let pair = (&*self.planned.cube, published);
            distributions::of_groups(self.policy, &self.original.table, pair, fragments).ok()
        });
        run.check()?;
        let facts = Facts {
            distributions: pictures,
            ..self.facts()
        };
        Ok(NewRelease {
            plan: self,
            facts,
            written: None,
        })
    }

    fn summary_of<'s>(&'s self, out: Option<&'s Path>, elapsed: Duration) -> PublishSummary<'s> {
        PublishSummary {
            policy: self.policy,
            verified: &self.planned.verified,
            contributors: self.contributors,
            utility: &self.utility,
            composed: self.planned.composed.as_ref(),
            out,
            elapsed,
        }
    }

    fn facts(&self) -> Facts {
        let policy = self.policy;
        Facts {
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            format: policy.release.format,
            method: policy.method.name.to_owned(),
            ranges: summary::ranges(policy).to_owned(),
            missing: policy.data.missing.clone(),
            people: policy.people_entry(),
            policy: policy.document.clone(),
            inputs: self.original.files.clone(),
            left_out_before: BTreeMap::new(),
            seed: policy.method.seed,
            utility: Some(self.utility.to_record()),
            publish_utility: policy.release.publish_utility,
            distributions: None,
            composition: self
                .planned
                .composed
                .as_ref()
                .map(CompositionFindings::to_record),
            warnings: self.warnings.iter().map(RecordedWarning::from).collect(),
            reports: Some(report::render),
        }
    }
}

/// A plan that only looks.
pub struct Preview<'a>(Plan<'a>);

impl Preview<'_> {
    /// What a steward should know before handing such a release out.
    pub fn warnings(&self) -> &[Problem] {
        self.0.warnings()
    }

    /// What would be published, in words and figures.
    pub fn summary(&self) -> PublishSummary<'_> {
        self.0.summary()
    }
}

/// A verified release that has no place yet.
pub struct NewRelease<'a> {
    plan: Plan<'a>,
    facts: Facts,
    written: Option<Written>,
}

/// Where the release was put, and how long everything took.
struct Written {
    folder: PathBuf,
    elapsed: Duration,
}

impl NewRelease<'_> {
    /// What a steward should know before handing the release out.
    pub fn warnings(&self) -> &[Problem] {
        self.plan.warnings()
    }

    /// What is published, in words and figures.
    pub fn summary(&self) -> PublishSummary<'_> {
        match &self.written {
            Some(written) => self.plan.summary_of(Some(&written.folder), written.elapsed),
            None => self.plan.summary(),
        }
    }

    /// Puts the release in its place, with its reports, and writes it down in the policy's history.
    /// On an error the place is as it was before.
    pub fn write(&mut self, target: impl Into<ReleaseFolder>) -> Result<(), Problem> {
        let run = self.plan.run.clone();
        let target = target.into();
        run.install(|| self.write_to(&target))
    }

    fn write_to(&mut self, target: &ReleaseFolder) -> Result<(), Problem> {
        let NewRelease { plan, facts, .. } = self;
        let made = MadeRelease {
            verified: &plan.planned.verified,
            fragments: plan.fragments.as_ref(),
            facts,
        };
        let past = plan.beside.as_mut().and_then(Beside::past);
        let recorded = put_in_place(&made, past, target, &plan.run)?;
        if let Some(composed) = &mut plan.planned.composed {
            composed.recorded = recorded;
        }
        self.written = Some(Written {
            folder: target.path().to_owned(),
            elapsed: self.plan.started.elapsed(),
        });
        Ok(())
    }
}

/// A release that is ready to be written.
pub(crate) struct MadeRelease<'a> {
    /// What was verified.
    pub verified: &'a Verified,
    /// The same in tables of their own, where the policy asks for that.
    pub fragments: Option<&'a VerifiedFragments>,
    /// What the manifests say besides.
    pub facts: &'a Facts,
}

/// Puts a release in its place, whole or not at all. A history knows who is in it before it is
/// there, and has it as a version after; returns what that is called.
pub(crate) fn put_in_place(
    made: &MadeRelease<'_>,
    mut past: Option<&mut Past<'_>>,
    target: &ReleaseFolder,
    run: &Run,
) -> Result<Option<String>, Problem> {
    run.step("writing");
    if let Some(past) = &mut past {
        past.prepare(target.path(), made.verified.published())?;
    }
    let mut announce = |sha256: &str| match &mut past {
        Some(past) => past.announce(sha256),
        None => Ok(()),
    };
    let bundle = match made.fragments {
        None => Bundle::grouped(made.verified, made.facts),
        Some(fragments) => Bundle::fragmented(made.verified, fragments, made.facts),
    };
    bundle
        .and_then(|bundle| bundle.write_announced(target.place(run), &mut announce))
        .map_err(|e| failure::release(&e))?;
    match past {
        Some(past) => Ok(Some(past.append(target.path())?)),
        None => Ok(None),
    }
}

/// Why nothing was published, with what is odd about the table: that may be the reason.
#[derive(Debug)]
pub struct Failed {
    /// Why.
    pub problem: Box<Problem>,
    /// What is odd.
    pub warnings: Vec<Problem>,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Failed {
        Failed {
            problem: Box::new(problem),
            warnings: Vec::new(),
        }
    }
}

/// A release needs a column that is not dropped.
fn refuse_nothing(policy: &Policy) -> Result<(), Problem> {
    if policy
        .columns
        .iter()
        .all(|column| !column.spec.role.is_published())
    {
        let text = "every column is an identifier, so there is nothing to publish";
        return Err(Problem::new(
            ProblemCode::Contradiction,
            text,
            "give at least one column another role",
        ));
    }
    Ok(())
}
