//! The risks that a policy accepts: a release above one of them is not written.
//!
//! Methods look for groups that keep the promises, and know nothing of these limits; what they
//! found is judged afterwards. A highest risk becomes certain with k, an average one does not, so
//! the hint differs.

use mingle_assess::risk::{judge_limits, risk};
use mingle_model::Published;
use mingle_policy::Policy;
use mingle_privacy::RiskLimits;
use mingle_record::answer::{RiskMeasure, RiskReader, ShownFinding, ShownRiskLimit};
use mingle_record::{Problem, ProblemCode};

/// Refuses a table whose risk is above what the policy accepts.
pub(crate) fn check(policy: &Policy, published: &Published) -> Result<(), Problem> {
    let Some(limits) = &policy.risk else {
        return Ok(());
    };
    let judged = judge_limits(limits, Some(&risk(published)));
    let failed: Vec<&ShownRiskLimit> = judged
        .iter()
        .filter(|limit| limit.finding == ShownFinding::Fails)
        .collect();
    let Some(first) = failed.first() else {
        return Ok(());
    };
    let words: Vec<String> = failed.iter().map(|limit| words(limit)).collect();
    let text = format!(
        "the risk is above what [risk] accepts: {}",
        words.join("; ")
    );
    Err(Problem::new(
        ProblemCode::RiskTooHigh,
        text,
        hint(policy, limits, first.measure),
    ))
}

/// What was found, for people; nothing where the policy sets no limit.
pub(crate) fn summary(policy: &Policy, published: &Published) -> String {
    let Some(limits) = &policy.risk else {
        return String::new();
    };
    let judged = judge_limits(limits, Some(&risk(published)));
    judged.iter().map(words).collect::<Vec<_>>().join("\n")
}

fn words(limit: &ShownRiskLimit) -> String {
    let name = match (limit.reader, limit.measure) {
        (RiskReader::Prosecutor, RiskMeasure::Highest) => "highest chance to name somebody",
        (RiskReader::Prosecutor, RiskMeasure::Average) => "average chance to name somebody",
        (RiskReader::Journalist, RiskMeasure::Highest) => "highest chance of a journalist",
        (RiskReader::Journalist, RiskMeasure::Average) => "average chance of a journalist",
        (RiskReader::Marketer, _) => "share that a marketer links rightly",
    };
    let found = limit.found.unwrap_or(1.0);
    format!("{name} {found:.4}, accepted {}", limit.limit)
}

fn hint(policy: &Policy, limits: &RiskLimits, failed: RiskMeasure) -> String {
    let highest = limits
        .maximum
        .into_iter()
        .chain(limits.journalist_maximum)
        .min();
    match (failed, highest.and_then(|limit| limit.fewest_people())) {
        (RiskMeasure::Highest, Some(k)) => {
            format!(
                "k = {k} in [privacy] keeps the highest chance within it; the policy has k = {}",
                policy.k()
            )
        }
        _ => format!(
            "raise k, which is {}: an average falls as groups grow; or accept more",
            policy.k()
        ),
    }
}
