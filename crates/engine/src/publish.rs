//! The main job: tables and a policy in, a verified release out.

mod composition;
mod history;
mod plan;
mod same_rows;
mod summary;
pub mod warnings;

use crate::failure;
use crate::insiders;
use crate::measure::{Figures, distributions};
use crate::reports;
use crate::run::Run;
use crate::tables::{Original, read_original, read_people};
use history::Past;
use mingle_model::{Cube, Role};
use mingle_policy::Policy;
use mingle_privacy::{Verified, VerifiedFragments};
use mingle_record::Code;
use mingle_record::Problem;
use mingle_release::{Bundle, Facts, Target};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use summary::Summary;

pub use composition::{Beside, Composed};
pub use plan::{Planned, fragment, plan};

/// What is wanted beside the policy.
pub struct Work<'a> {
    /// Where the release goes; nothing is written without.
    pub out: Option<&'a Path>,
    /// Whether a release that is there already is replaced.
    pub force: bool,
}

/// What was published, or would have been.
pub struct Done<'a> {
    policy: &'a Policy,
    verified: Verified,
    contributors: u64,
    utility: Figures,
    composed: Option<Composed>,
    out: Option<&'a Path>,
    elapsed: Duration,
    /// What the steward should know.
    pub warnings: Vec<Problem>,
}

impl Done<'_> {
    /// What is said at the end.
    pub fn summary(&self) -> Summary<'_> {
        Summary {
            policy: self.policy,
            verified: &self.verified,
            contributors: self.contributors,
            utility: &self.utility,
            composed: self.composed.as_ref(),
            out: self.out,
            elapsed: self.elapsed,
        }
    }
}

/// Why nothing was published, with what is odd about the table: that may be the reason.
pub struct Failed {
    /// Why.
    pub problem: Box<Problem>,
    /// What is odd.
    pub warnings: Vec<Problem>,
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Failed {
        Failed {
            problem: Box::new(problem),
            warnings: Vec::new(),
        }
    }
}

/// From the tables to the release folder.
pub fn release<'a>(policy: &'a Policy, work: &Work<'a>, run: &Run) -> Result<Done<'a>, Failed> {
    let started = Instant::now();
    refuse_nothing(policy)?;
    let out = work.out;
    let target = out.map(|folder| Target {
        folder,
        force: work.force,
        cancelled: run.cancel().flag(),
    });
    if let Some(target) = target {
        // hours of work should not end at a folder that is in the way
        target.check().map_err(|e| failure::release(&e))?;
    }
    let mut beside = Beside::open(policy, target.is_some())?;
    let original = match beside.as_mut().and_then(Beside::past) {
        None => read_original(policy, run)?,
        Some(past) => {
            let (original, identifiers) = read_people(policy, past.person(), run)?;
            past.identify(&original.table, &identifiers)?;
            original
        }
    };
    let contributors = insiders::contributors(&original.table);
    let insiders = policy.insiders(contributors)?;
    insiders::check_sites(insiders, contributors)?;
    run.step("counting");
    let cube = Cube::new(&original.table);
    let mut warnings = warnings::of(policy, &original, &cube, insiders);
    warnings.extend(
        beside
            .as_mut()
            .and_then(Beside::past)
            .map(Past::warnings)
            .unwrap_or_default(),
    );
    let (rows, tuples) = (cube.rows(), cube.tuples());
    run.detail(&format!(
        "{rows} rows read, {tuples} distinct quasi-identifier tuples"
    ));
    run.step("anonymizing");
    let planned = match plan(
        policy,
        insiders,
        &original.table,
        Arc::new(cube),
        beside.as_ref(),
        run,
    ) {
        Ok(planned) => planned,
        Err(problem) if problem.code() == Code::Interrupted => return Err(problem.into()),
        Err(problem) => {
            return Err(Failed {
                problem: Box::new(problem),
                warnings,
            });
        }
    };
    let Planned {
        cube,
        verified,
        mut composed,
    } = planned;
    let fragments = policy
        .release
        .fragmented
        .then(|| fragment(policy, &verified))
        .transpose()?;
    run.step("measuring");
    let (published, tables) = (
        verified.published(),
        fragments.as_ref().map(VerifiedFragments::fragments),
    );
    let utility = Figures::take(policy, &cube, published, policy.method.output)?;
    // a picture for the steward: where labels cannot be laid over the original, the release does
    // without
    let compare =
        |_| distributions::of_groups(policy, &original.table, (&cube, published), tables).ok();
    let distributions = target.and_then(compare);
    run.check()?;
    if let Some(target) = target {
        run.step("writing");
        let facts = Facts {
            distributions,
            ..facts(policy, &original, &utility, composed.as_ref(), &warnings)
        };
        let mut past = beside.as_mut().and_then(Beside::past);
        if let Some(past) = &mut past {
            past.prepare(target.folder, &original.table, &cube, verified.published())?;
        }
        let mut announce =
            |sha256: &str| past.as_mut().map_or(Ok(()), |past| past.announce(sha256));
        let table = &original.table;
        let bundle = match &fragments {
            None => Bundle::grouped(&verified, table, &cube, &facts),
            Some(fragments) => Bundle::fragmented(&verified, fragments, table, &cube, &facts),
        };
        bundle
            .and_then(|bundle| bundle.write_announced(target, &mut announce))
            .map_err(|e| failure::release(&e))?;
        if let (Some(past), Some(composed)) = (past, &mut composed) {
            composed.recorded = Some(past.append(target.folder)?);
        }
    }
    Ok(Done {
        policy,
        verified,
        contributors,
        utility,
        composed,
        out,
        elapsed: started.elapsed(),
        warnings,
    })
}

/// A release needs a column that is not dropped.
fn refuse_nothing(policy: &Policy) -> Result<(), Problem> {
    if policy
        .columns
        .iter()
        .all(|column| column.spec.role == Role::Identifier)
    {
        let text = "every column is an identifier, so there is nothing to publish";
        return Err(Problem::new(
            Code::Contradiction,
            text,
            "give at least one column another role",
        ));
    }
    Ok(())
}

fn facts(
    policy: &Policy,
    original: &Original,
    utility: &Figures,
    composed: Option<&Composed>,
    warnings: &[Problem],
) -> Facts {
    Facts {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        format: policy.release.format,
        method: policy.method.name.to_owned(),
        ranges: summary::ranges(policy).to_owned(),
        missing: policy.data.missing.clone(),
        policy: policy.document.clone(),
        inputs: original.files.clone(),
        seed: policy.method.seed,
        utility: Some(utility.to_record()),
        publish_utility: policy.release.publish_utility,
        distributions: None,
        composition: composed.map(Composed::to_record),
        warnings: warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.code(), warning.text()))
            .collect(),
        reports: Some(reports::render),
    }
}
