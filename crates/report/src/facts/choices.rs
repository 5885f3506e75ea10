//! What was chosen for a release, and why, in the steward's own words.
//!
//! The choices follow from manifest and policy; the reasons stand in `[about.why]` and are nobody's
//! but the steward's. A choice without a reason is shown with a blank: it is asked for, not hidden.

use super::PublicFacts;
use super::words::listed;
use crate::number::{counted, percent, written_percent};
use mingle_record::about::AboutRelease;
use mingle_record::answer::{RiskMeasure, RiskReader, ShownChoice, ShownFinding, ShownRiskLimit};
use mingle_record::manifest::ColumnRole;
use mingle_record::policy_document::{PolicyDocument, PolicyValue};

/// The choices of a release, in the order in which they are asked about.
pub(super) fn of(
    facts: &PublicFacts,
    policy: &PolicyDocument,
    about: &AboutRelease,
) -> Vec<ShownChoice> {
    let mut choices = Choices {
        about,
        choices: Vec::new(),
    };
    for (role, choice, words) in [
        (
            ColumnRole::QuasiIdentifier,
            "quasi_identifiers",
            "Quasi-identifiers: what a reader may know about a person",
        ),
        (
            ColumnRole::Sensitive,
            "sensitive",
            "Sensitive columns: what no reader may learn",
        ),
        (
            ColumnRole::Insensitive,
            "insensitive",
            "Columns that are published unchanged",
        ),
    ] {
        let names = facts.columns.iter().filter(|column| column.role == role);
        let names = listed(names.map(|column| column.name.as_str()), "and");
        if !names.is_empty() {
            choices.add(choice, words, names);
        } else if role != ColumnRole::Insensitive {
            choices.add(choice, words, "none".to_owned());
        }
    }
    if let Some(noise) = &facts.noise {
        choices.add(
            "noise",
            "Noise: what is promised about one person",
            noise.promise.clone(),
        );
        return choices.choices;
    }
    let person = if facts.counts_people {
        "people may have several rows, and promises count people"
    } else {
        "each row is taken for one person"
    };
    choices.add("people", "Who is one person", person.to_owned());
    choices.promises(facts);
    if let Some(m) = facts.verdict.m {
        let chosen = match m {
            0 => "m = 0: none".to_owned(),
            1 => "m = 1: any single one".to_owned(),
            m => format!("m = {m}: any {} together", counted(m, "provider")),
        };
        choices.add("m", "How many colluding providers are withstood", chosen);
    }
    let generalized = facts
        .columns
        .iter()
        .filter(|c| c.role == ColumnRole::QuasiIdentifier);
    let ways: Vec<String> = generalized
        .map(|c| format!("{}: {}", c.name, c.how))
        .collect();
    if !ways.is_empty() {
        choices.add(
            "hierarchies",
            "How values are made coarser",
            ways.join("; "),
        );
    }
    choices.add(
        "suppression",
        "Share of rows that may be left out",
        percent(max_suppressed(policy)),
    );
    if facts.risk_limits.is_empty() {
        choices.add(
            "risk",
            "Risks that are accepted",
            "no limit is set".to_owned(),
        );
    } else {
        let limits: Vec<String> = facts.risk_limits.iter().map(limit_words).collect();
        choices.add("risk", "Risks that are accepted", limits.join("; "));
    }
    choices.choices
}

/// A limit in words: `highest chance of a prosecutor: at most 9 %`.
pub(crate) fn limit_words(limit: &ShownRiskLimit) -> String {
    format!(
        "{}: at most {}",
        limit_name(limit),
        written_percent(limit.limit)
    )
}

/// What was found of a limit: `Accepted: highest chance to name somebody is 8.3 %, at most 9 %`.
pub(super) fn judged_words(limit: &ShownRiskLimit) -> String {
    let (name, most) = (limit_name(limit), written_percent(limit.limit));
    let verdict = match limit.finding {
        ShownFinding::Holds => "Accepted",
        ShownFinding::Fails => "Not accepted",
        ShownFinding::Stated => "Accepted, as stated at publishing",
        ShownFinding::Undecided => "Undecided",
    };
    match limit.found {
        Some(found) => format!(
            "{verdict}: {name} is {}, at most {most} allowed.",
            percent(found)
        ),
        None => format!("{verdict}: {name}, at most {most} allowed."),
    }
}

/// What a limit is about.
pub(crate) fn limit_name(limit: &ShownRiskLimit) -> &'static str {
    match (limit.reader, limit.measure) {
        (RiskReader::Prosecutor, RiskMeasure::Highest) => "highest chance to name somebody",
        (RiskReader::Prosecutor, RiskMeasure::Average) => "average chance to name somebody",
        (RiskReader::Journalist, RiskMeasure::Highest) => "highest chance of a journalist",
        (RiskReader::Journalist, RiskMeasure::Average) => "average chance of a journalist",
        (RiskReader::Marketer, _) => "share that a marketer links rightly",
    }
}

struct Choices<'a> {
    about: &'a AboutRelease,
    choices: Vec<ShownChoice>,
}

impl Choices<'_> {
    fn add(&mut self, choice: &str, about: &str, chosen: String) {
        self.choices.push(ShownChoice {
            choice: choice.to_owned(),
            about: about.to_owned(),
            chosen,
            why: self.about.reason(choice).map(str::to_owned),
        });
    }

    /// The promises, those of one key together: the steward gives one reason for them.
    fn promises(&mut self, facts: &PublicFacts) {
        for (choice, part, words) in [
            ("k", "k-anonymity", "How many must look alike"),
            ("l", "l-diversity", "How different sensitive values must be"),
            (
                "max_frequency",
                "frequency",
                "The largest share of one sensitive value",
            ),
            (
                "t",
                "t-closeness",
                "How far groups may differ from the table",
            ),
        ] {
            let promises = facts.promises.iter().filter(|p| p.name.contains(part));
            let names: Vec<&str> = promises.map(|p| p.name.as_str()).collect();
            if !names.is_empty() {
                self.add(choice, words, names.join("; "));
            }
        }
    }
}

fn max_suppressed(policy: &PolicyDocument) -> f64 {
    let method = policy.section("method").and_then(PolicyValue::as_table);
    match method.and_then(|method| method.get("max_suppressed")) {
        Some(PolicyValue::Float(share)) => *share,
        Some(PolicyValue::Integer(share)) => *share as f64,
        _ => 0.0,
    }
}
