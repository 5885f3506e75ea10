//! A candidate beside releases that were dropped: what a reader of all of them finds out.
//!
//! The releases are written into the policy's `[composition]`, without limits, and the plan is made
//! as publishing would make it: the audit says what is left of everybody's values. Nothing is
//! mitigated here. Where most of our people fit no group of the others, labels were more likely
//! misread than people absent, and nothing is claimed.

use super::edit::{self, change};
use super::plan::{self, Board};
use super::{Bench, End};
use mingle::publish::{Beside, Composed, Planned};
use mingle_model::Published;
use mingle_page::Sink;
use mingle_page::protocol::{AttackEvent, AttackFinding, AttackRequest, Edit};
use mingle_record::Code;
use mingle_record::Problem;
use serde_json::{Value as Json, json};

/// Lays the candidate beside the releases.
pub fn answer(
    bench: &Bench,
    request: &AttackRequest,
    sink: &dyn Sink<AttackEvent>,
) -> Result<(), End> {
    if request.releases.is_empty() {
        let hint = "drop the folder of another release";
        return Err(Problem::new(
            Code::Usage,
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

fn composition(key: &str, value: Json) -> Edit {
    change(&["composition", key], value)
}

/// The releases that the policy names already, as it names them, and the dropped ones.
pub fn against(text: &str, releases: &[String]) -> Json {
    let named = edit::said(text, &["composition", "against"]);
    let mut all: Vec<Json> = named
        .as_ref()
        .and_then(Json::as_array)
        .cloned()
        .unwrap_or_default();
    let path = |entry: &Json| {
        entry
            .as_str()
            .or_else(|| entry["path"].as_str())
            .map(str::to_owned)
    };
    let known: Vec<String> = all.iter().filter_map(path).collect();
    all.extend(
        releases
            .iter()
            .filter(|release| !known.contains(release))
            .map(|release| json!(release)),
    );
    Json::Array(all)
}

/// For looking: everything is let through and counted.
fn unlimited(against: &Json) -> Vec<Edit> {
    vec![
        change(&["composition"], Json::Null),
        composition("against", against.clone()),
        composition("max_perfect_breach", json!(1)),
        composition("max_alone", json!(1)),
    ]
}

/// For publishing: nobody is to be left with one value because of this release.
fn limited(against: &Json, already: bool) -> Vec<Edit> {
    let mut edits = vec![
        composition("against", against.clone()),
        composition("max_perfect_breach", json!(0)),
        composition("mitigate", json!(true)),
    ];
    if already {
        edits.push(composition("except_already_exposed", json!(true)));
    }
    edits
}

fn findings(published: &Published, composed: Option<&Composed>) -> Vec<AttackFinding> {
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

/// Rows of groups in which all have one value.
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
        .map(|group| published.size(group))
        .sum()
}
