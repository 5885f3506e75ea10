//! New rows in the groups of a release that is there already: what was agreed once goes on.
//!
//! Next month's rows are put under the labels of existing groups, each row into the narrowest group
//! whose labels cover all of its quasi-identifiers. The published rows and the new ones together,
//! the *union*, are verified like any release, with the providers that the private audit names, and
//! are written like any release: `mingle verify` checks the result from its own bytes. No label is
//! changed and none is made; a row that no group has a place for is left out where the policy allows
//! that, and otherwise everything is refused.
//!
//! What is promised of the union is what was promised of the release: same columns, same promises,
//! same m. The distribution that t-closeness compares with is the union's own. Ends of ranges stay
//! safe: whoever attained one still does, and more providers may.
//!
//! **A reader who has both releases subtracts one from the other** and sees the new rows of each
//! group by themselves. So these are looked at too (`difference.rs`), unless the earlier release was
//! never handed out; where the policy names a history, all its versions are replayed instead.
//!
//! Assumptions: each row is one person, and nobody has a row in both. A history checks that; without
//! one the policy must say person = "row", or have no identifier that could tell.
//!
//! Refused, because it cannot be promised: people with several rows, fragments, centroids, noise,
//! joint releases, releases beside others, and a policy that says something else than the release.
//!
//! Cost: reading the release and the new rows, a look-up for each distinct new tuple, and a
//! verification of the union.

mod agreement;
mod difference;
mod placing;
mod summary;
mod union;

pub use summary::ApplySummary;

use crate::failure;
use crate::inputs::Inputs;
use crate::insiders;
use crate::people;
use crate::promises::promise_text;
use crate::publish::history::Past;
use crate::publish::{
    CompositionFindings, Failed, MadeRelease, ReleaseFolder, accepted, earlier_versions,
    put_in_place, telling,
};
use crate::report;
use crate::run::Run;
use crate::strict;
use crate::tables::Original;
use crate::whole::whole_release;
use agreement::Earlier;
use difference::Difference;
use mingle_model::{Cube, Published};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, Reach, Verification, Verified, verify};
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Facts, InputFile};
use placing::Placed;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use union::Union;

/// Which rows go into which release.
pub struct ApplyRequest<'a, 'r> {
    /// The folder of the release, with its private part.
    pub release: &'r Path,
    /// The policy that it was made by.
    pub policy: &'a Policy,
    /// The new rows. What the policy itself names is not read.
    pub new_rows: &'r Inputs,
    /// Whether nobody has the earlier release, so that nobody can subtract it.
    pub never_handed_out: bool,
    /// Whether nothing is to be written: a history is then read and not locked.
    pub only_look: bool,
}

/// Puts new rows into the groups of a release, and verifies the union.
pub fn apply<'a>(request: &ApplyRequest<'a, '_>, run: &Run) -> Result<AppliedRelease<'a>, Failed> {
    run.install(|| AppliedRelease::make(request, run))
}

/// A verified union that has no place yet.
pub struct AppliedRelease<'a> {
    policy: &'a Policy,
    run: Run,
    started: Instant,
    earlier: PathBuf,
    past: Option<Past<'a>>,
    composed: Option<CompositionFindings>,
    difference: Option<Difference>,
    verified: Verified,
    facts: Facts,
    counts: UnionCounts,
    warnings: Vec<Problem>,
    written: Option<(PathBuf, Duration)>,
}

/// How many rows and providers there were and are.
#[derive(Clone, Copy, Debug)]
struct UnionCounts {
    earlier_rows: u64,
    new_rows: u64,
    placed_rows: u64,
    grown_groups: u64,
    new_providers: u64,
    contributors: u64,
}

impl<'a> AppliedRelease<'a> {
    fn make(request: &ApplyRequest<'a, '_>, run: &Run) -> Result<AppliedRelease<'a>, Failed> {
        let started = Instant::now();
        let policy = request.policy;
        agreement::refuse_policy(policy)?;
        run.step("reading the release");
        let hint = "name a release of groups; this is something else";
        let (release, _) = whole_release(request.release, hint)?;
        let earlier = Earlier::read(&release, request.release, policy)?;
        let mut past = open_history(policy, &earlier, request.only_look)?;
        let (original, identifiers) = match &past {
            None => (request.new_rows.read(policy, run)?, Vec::new()),
            Some(past) => request.new_rows.read_people(policy, past.person(), run)?,
        };
        agreement::check_new_rows(&earlier, &original.table)?;
        if let Some(problem) = people::finding(policy, &original.repeated_identifiers) {
            return Err(problem.into());
        }
        let mut warnings = warnings_of(policy, &original);
        run.step("placing");
        let cube = Cube::new(original.table.clone());
        let placed = Placed::find(policy, &earlier, &cube)?;
        let left_out = placed.left_out(policy, &earlier, &original.table)?;
        let union = Union::of(&earlier, &original.table, &placed)?;
        if let Some(past) = &mut past {
            let new = (&identifiers[..], &placed.group_of_row[..]);
            past.identify_more(&union.table, union.earlier_rows, new)?;
            warnings.extend(past.warnings());
        }
        run.check()?;
        let contributors = insiders::contributors(&union.table);
        let insiders = agreement::insiders(policy, &earlier, contributors)?;
        warnings.extend(insiders::warning(insiders, contributors));
        if let Some(problem) = strict::refused(policy.release.strict, &warnings) {
            let problem = Box::new(problem);
            return Err(Failed { problem, warnings });
        }
        run.step("verifying");
        let cube = Arc::new(Cube::new(union.table));
        let published = Published::from_labels(&cube)
            .ok_or_else(|| failure::defect("a union with people who have several rows"))?;
        let counts = UnionCounts {
            earlier_rows: union.earlier_rows as u64,
            new_rows: original.table.rows() as u64,
            placed_rows: placed.rows(),
            grown_groups: placed.grown_groups(),
            new_providers: union.new_providers,
            contributors,
        };
        let verified = verified(policy, published, insiders)?;
        accepted::check(policy, verified.published())?;
        let composed = match &past {
            None => None,
            Some(past) => Some(earlier_versions(past, verified.published())?),
        };
        let mut seen = None;
        if past.is_none() && !request.never_handed_out {
            let found = Difference::between(&verified, union.earlier_rows, insiders)?;
            found.refuse_exposed(insiders)?;
            seen = Some(found);
        }
        let facts = facts(policy, &earlier, &original, (&warnings, left_out));
        let facts = Facts {
            composition: composed.as_ref().map(CompositionFindings::to_record),
            ..facts
        };
        Ok(AppliedRelease {
            policy,
            run: run.clone(),
            started,
            earlier: request.release.to_owned(),
            past,
            composed,
            difference: seen,
            verified,
            facts,
            counts,
            warnings,
            written: None,
        })
    }

    /// What a steward should know before handing the release out.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// What is published, in words and figures.
    pub fn summary(&self) -> ApplySummary<'_> {
        ApplySummary::of(self)
    }

    /// Puts the release in its place, with its reports, and writes it down in the policy's history.
    /// On an error the place is as it was before.
    pub fn write(&mut self, target: impl Into<ReleaseFolder>) -> Result<(), Problem> {
        let run = self.run.clone();
        let target = target.into();
        run.install(|| {
            let made = MadeRelease {
                verified: &self.verified,
                fragments: None,
                facts: &self.facts,
            };
            let recorded = put_in_place(&made, self.past.as_mut(), &target, &run)?;
            if let Some(composed) = &mut self.composed {
                composed.recorded = recorded;
            }
            self.written = Some((target.path().to_owned(), self.started.elapsed()));
            Ok(())
        })
    }
}

/// The history that the policy names, whose last version the release must be.
fn open_history<'a>(
    policy: &'a Policy,
    earlier: &Earlier<'_>,
    only_look: bool,
) -> Result<Option<Past<'a>>, Problem> {
    let Some(composition) = &policy.composition else {
        return Ok(None);
    };
    let Some(own) = &composition.history else {
        return Ok(None);
    };
    let past = Past::open(policy, own, composition.limits, !only_look)?;
    past.check_last(earlier.release, &earlier.name)?;
    Ok(Some(past))
}

/// What is odd about the new rows.
fn warnings_of(policy: &Policy, original: &Original) -> Vec<Problem> {
    let mut warnings = people::warnings(policy, original);
    warnings.extend(telling::of_table(&original.table));
    warnings
}

/// Nobody takes anybody's word: what would be published is verified.
fn verified(
    policy: &Policy,
    published: Published,
    insiders: Insiders,
) -> Result<Verified, Problem> {
    let promises = &policy.privacy()?.promises;
    let verification =
        verify(published, promises, insiders, Reach::Stated).map_err(|e| failure::privacy(&e))?;
    verification
        .into_verified()
        .map_err(|verification| breaks(&verification))
}

/// Which promise fails, and who would make use of it; never a cell.
fn breaks(verification: &Verification) -> Problem {
    let Some(witness) = verification.witness() else {
        let text = "whether every promise holds with the new rows could not be decided";
        let hint = "publish all rows again; see MG0305";
        return Problem::new(ProblemCode::Undecided, text, hint);
    };
    let published = verification.published();
    let promise = match verification.promises().get(witness.constraint) {
        Some(promise) => promise_text(promise, published),
        None => witness.name.to_owned(),
    };
    let who = match witness.coalition.len() {
        0 => "fails in a group".to_owned(),
        1 => "fails in a group once a provider takes out its rows".to_owned(),
        n => format!("fails in a group once {n} providers take out theirs"),
    };
    let text = format!("with the new rows, {promise} {who}");
    let hint = "nothing was written; wait for more rows, or publish all rows again; see MG0313";
    Problem::new(ProblemCode::UnionBreaks, text, hint)
}

fn facts(
    policy: &Policy,
    earlier: &Earlier<'_>,
    original: &Original,
    (warnings, left_out_before): (&[Problem], BTreeMap<String, u64>),
) -> Facts {
    let mut inputs: Vec<InputFile> = earlier.inputs();
    inputs.extend(original.files.iter().cloned());
    // what was odd about the earlier rows is odd about the union
    let mut recorded = earlier.private.warnings.clone();
    for warning in warnings.iter().map(RecordedWarning::from) {
        if !recorded.contains(&warning) {
            recorded.push(warning);
        }
    }
    Facts {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        format: policy.release.format,
        method: earlier.manifest.method.clone(),
        ranges: earlier.manifest.ranges.clone(),
        missing: policy.data.missing.clone(),
        people: None,
        policy: policy.document.clone(),
        inputs,
        left_out_before,
        seed: earlier.private.seed,
        // the original of the earlier rows is not here: nothing can be compared with it
        utility: None,
        publish_utility: false,
        distributions: None,
        composition: None,
        warnings: recorded,
        reports: Some(report::render),
    }
}

#[cfg(test)]
mod tests;
