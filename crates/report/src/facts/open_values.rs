//! What is left open about rows and sensitive values: what no promise covers, and what the rows
//! give away all the same.

use super::coverage::Coverage;
use super::promises::Counts;
use super::words::{listed, statement};
use super::{PublicFacts, Statement};
use crate::number::percent;
use mingle_record::answer::{ShownBalance, ShownShape};
use mingle_record::manifest::PublicManifest;
use mingle_record::policy_document::PolicyValue;

/// Statements about what is not protected.
pub(super) fn of(manifest: &PublicManifest, facts: &PublicFacts) -> Vec<Statement> {
    let coverage = Coverage::new(manifest, &facts.promises);
    let mut said = Vec::new();
    said.extend(rows(&coverage, Counts::of(manifest)));
    said.extend(promised(manifest, &coverage));
    said.extend(seen(facts, &coverage));
    said.extend(side_by_side(manifest, facts));
    said.extend(labels(manifest));
    said
}

/// What insiders read in labels, unless the policy fixes all of them.
fn labels(manifest: &PublicManifest) -> Option<Statement> {
    let method = manifest
        .policy
        .section("method")
        .and_then(PolicyValue::as_table);
    let form = method.and_then(|method| method.get("labels"));
    if manifest.m == 0 || form.and_then(PolicyValue::as_text) == Some("public") {
        return None;
    }
    let text = "An end of a range is a value that somebody in the group has, unless it lies on the column's grid, and so is \
                each element of a set. A provider that has no such row knows that it is somebody else's.";
    Some(statement("Labels", text))
}

fn rows(coverage: &Coverage<'_>, counts: Counts) -> Option<Statement> {
    if coverage.bounds_rows() {
        return None;
    }
    let text = match (counts, coverage.hides_rows()) {
        (Counts::Rows, true) => "How many rows look alike is not bounded by a promise of its own.",
        (Counts::People, true) => {
            "How many people look alike is not bounded by a promise of its own."
        }
        (Counts::Rows, false) => {
            "A row may look like no other. Whoever knows the person then knows which row it is."
        }
        (Counts::People, false) => {
            "All rows that look alike may be one person's. Whoever knows the person then knows which rows they are."
        }
    };
    Some(statement("Finding somebody", text))
}

/// Columns of which nothing is promised, and those of which it is not enough.
fn promised(manifest: &PublicManifest, coverage: &Coverage<'_>) -> Vec<Statement> {
    let open = manifest
        .sensitive()
        .into_iter()
        .filter(|column| !coverage.uncertain(column));
    let (some, none): (Vec<&str>, Vec<&str>) = open.partition(|column| coverage.mentions(column));
    let names =
        |columns: Vec<&str>| (!columns.is_empty()).then(|| listed(columns.into_iter(), "and"));
    let all = match Counts::of(manifest) {
        Counts::Rows => "all rows that look alike",
        Counts::People => "all people who look alike",
    };
    let none = names(none)
        .map(|names| format!("Nothing is promised about {names}: {all} may have the same value."));
    let some = names(some).map(|names| {
        format!(
            "What is promised about {names} does not rule out that {all} have the same value, which is then certain."
        )
    });
    none.into_iter()
        .chain(some)
        .map(|text| statement("Sensitive values", text))
        .collect()
}

/// Where a value is certain or likely: seen in the rows, whatever was promised.
fn seen(facts: &PublicFacts, coverage: &Coverage<'_>) -> Vec<Statement> {
    let balances = || facts.groups.iter().flat_map(|groups| &groups.balance);
    let known: Vec<&str> = balances()
        .filter(|b| b.largest_share >= 1.0)
        .map(|b| b.column.as_str())
        .collect();
    let mut said = Vec::new();
    if !known.is_empty() {
        let names = listed(known.into_iter(), "or");
        let text = format!(
            "In some group all rows have the same value of {names}: it is known of everybody in it."
        );
        said.push(statement("Known values", text));
    }
    let worrying = |b: &&ShownBalance| {
        b.largest_share > 0.5 && b.largest_share < 1.0 && !coverage.bounds_shares(&b.column)
    };
    said.extend(
        balances()
            .filter(worrying)
            .map(|b| likely(b, coverage.uncertain(&b.column))),
    );
    said
}

fn likely(balance: &ShownBalance, uncertain: bool) -> Statement {
    let (share, column) = (
        percent(balance.largest_share),
        crate::text::cut(&balance.column, 40),
    );
    let text = if uncertain {
        format!(
            "Not certain does not mean unlikely: in one group {share} of the rows have the same value of {column}."
        )
    } else {
        format!("In one group {share} of the rows have the same value of {column}.")
    };
    statement("Likely values", text)
}

fn side_by_side(manifest: &PublicManifest, facts: &PublicFacts) -> Option<Statement> {
    let sensitive = manifest.sensitive();
    if facts.shape == ShownShape::Fragments {
        let text = "Where the labels of several groups cover a person, whoever knows one of the person's sensitive values can \
                    rule out groups without it.";
        return Some(statement("Labels that overlap", text));
    }
    (sensitive.len() > 1).then(|| {
        let text = format!(
            "{} stand side by side in a row. Whoever knows one of them about a person may learn the others.",
            listed(sensitive.into_iter(), "and")
        );
        statement("Values side by side", text)
    })
}
