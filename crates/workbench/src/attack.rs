//! A candidate beside releases that were dropped: what a reader of all of them finds out.
//!
//! The releases are written into the policy's `[composition]`, without limits, and the plan is made
//! as publishing would make it: the audit says what is left of everybody's values. Nothing is
//! mitigated here. Where most of our people fit no group of the others, labels were more likely
//! misread than people absent, and nothing is claimed.

use super::plan::{self, Board};
use super::{Bench, End, roles};
use mingle::publish::{Beside, CompositionFindings, Planned};
use mingle_model::Published;
use mingle_page::Sink;
use mingle_page::protocol::{AttackEvent, AttackFinding, AttackRequest};
use mingle_policy::PolicyEdit;
use mingle_policy::edit::{self, change};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::PolicyValue;

/// Lays the candidate beside the releases.
pub fn answer(
    bench: &Bench,
    request: &AttackRequest,
    sink: &dyn Sink<AttackEvent>,
) -> Result<(), End> {
    if request.releases.is_empty() {
        let hint = "drop the folder of another release";
        return Err(Problem::new(
            ProblemCode::Usage,
            "there is no other release to lay beside this one",
            hint,
        )
        .into());
    }
    let step = |step: &str| {
        sink.send(AttackEvent::Progress {
            step: step.to_owned(),
        })
    };
    step("reading")?;
    let against = against(&request.text, &request.releases);
    let text = edit::apply(&request.text, &unlimited(&against))?;
    let policy = plan::grouped(bench.read(&text, &[])?)?;
    roles::check_confirmed(&policy, request.confirmed)?;
    let loaded = plan::load(bench, &policy, &Board::new(), sink.cancelled())?;
    let beside = Beside::open(&policy, false)?;
    step("anonymizing")?;
    let insiders = policy.insiders(loaded.contributors)?;
    let Planned {
        verified, composed, ..
    } = mingle::publish::make(
        &policy,
        insiders,
        loaded.cube.clone(),
        beside.as_ref(),
        &Board::new().run(sink.cancelled()),
    )?;
    let findings = findings(verified.published(), composed.as_ref());
    let already = findings.iter().any(|finding| finding.already > 0.0);
    sink.send(AttackEvent::Answer {
        holds: findings.iter().all(|f| f.breached <= f.alone && !f.misread),
        policy_text: edit::apply(&request.text, &limited(&against, already))?,
        findings,
    })?;
    Ok(())
}

fn composition(key: &str, value: PolicyValue) -> PolicyEdit {
    change(&["composition", key], value)
}

/// The releases that the policy names already, as it names them, and the dropped ones.
pub fn against(text: &str, releases: &[String]) -> PolicyValue {
    let mut all = match edit::said(text, &["composition", "against"]) {
        Some(PolicyValue::List(named)) => named,
        _ => Vec::new(),
    };
    let mut known = Vec::new();
    for entry in &all {
        known.extend(path(entry).map(str::to_owned));
    }
    for release in releases {
        if !known.contains(release) {
            all.push(release.as_str().into());
        }
    }
    PolicyValue::List(all)
}

/// A release is named by its path, or by a table that has one.
fn path(entry: &PolicyValue) -> Option<&str> {
    match entry {
        PolicyValue::Table(table) => table.get("path")?.as_text(),
        _ => entry.as_text(),
    }
}

/// For looking: everything is let through and counted.
fn unlimited(against: &PolicyValue) -> Vec<PolicyEdit> {
    vec![
        change(&["composition"], PolicyValue::Nothing),
        composition("against", against.clone()),
        composition("max_perfect_breach", 1u64.into()),
        composition("max_alone", 1u64.into()),
    ]
}

/// For publishing: nobody is to be left with one value because of this release.
fn limited(against: &PolicyValue, already: bool) -> Vec<PolicyEdit> {
    let mut edits = vec![
        composition("against", against.clone()),
        composition("max_perfect_breach", 0u64.into()),
        composition("mitigate", true.into()),
    ];
    if already {
        edits.push(composition("except_already_exposed", true.into()));
    }
    edits
}

fn findings(published: &Published, composed: Option<&CompositionFindings>) -> Vec<AttackFinding> {
    let audits = composed.into_iter().flat_map(|composed| &composed.audits);
    let one = |(column, releases, audit): &(
        String,
        Vec<String>,
        mingle_privacy::composition::Audit,
    )| {
        let (_, worst) = audit.worst();
        let alone = alone(published, column);
        AttackFinding {
            column: column.clone(),
            releases: releases.clone(),
            people: worst.targets as f64,
            alone: alone as f64,
            breached: worst.perfect as f64,
            already: worst.perfect_already as f64,
            elsewhere: worst.alone as f64,
            // where publishing would refuse to rely on its own reading
            misread: 2 * worst.alone > worst.targets,
            summary: format!(
                "{column}: a single value is left for {} of {} people; with this release alone it would be {alone}, \
                 with the others alone {} of them",
                worst.perfect, worst.targets, worst.perfect_already
            ),
        }
    };
    audits.map(one).collect()
}

/// People of groups in which all rows have one value.
fn alone(published: &Published, column: &str) -> u64 {
    let Some(sensitive) = published.sensitive().iter().find(|s| s.name == column) else {
        return 0;
    };
    let single = |group: &usize| {
        let mut codes = published
            .entries(*group)
            .iter()
            .map(|entry| sensitive.codes.get(entry.sensitive as usize));
        let first = codes.next();
        first != sensitive.domain.missing() && codes.all(|code| Some(code) == first)
    };
    (0..published.groups())
        .filter(single)
        .map(|group| published.people_of(group))
        .sum()
}
