//! One inference in words. Names, labels and counts; a sensitive value only when asked for.

use super::InsiderOutcome;
use crate::attack::list;
use crate::promises::promise_text;
use mingle_assess::attack::insider::ends::ExplainedEnd;
use mingle_assess::attack::insider::{Inference, Learnt};
use mingle_model::{Code, ProviderId, Published};

/// Names beyond these are counted.
const NAMED: usize = 5;

/// `P1 removes its 2 records from the group age [20-30], zip *****: one record is left, its disease
/// is known`.
pub fn inference(outcome: &InsiderOutcome, inference: &Inference) -> String {
    let published = &outcome.published;
    let left = left(outcome, inference);
    match inference.coalition.len() {
        0 => format!(
            "anybody who reads {}: {left}",
            group(published, inference.group)
        ),
        n => {
            let verb = if n == 1 { "removes" } else { "remove" };
            let who = names(published, &inference.coalition);
            format!(
                "{who} {verb} {} from {}: {left}",
                removed(inference, published),
                group(published, inference.group)
            )
        }
    }
}

/// What an end of a range tells, for a person who may know the providers.
pub fn end(published: &Published, end: &ExplainedEnd) -> String {
    let column = &published.columns()[end.column];
    let label = &column.labels[published.labels(end.group)[end.column] as usize];
    let who = names(published, &end.explained_by);
    let has = if end.explained_by.len() == 1 {
        "has"
    } else {
        "have"
    };
    format!(
        "in {}: only {who} {has} a record that explains the {} end of {} {label}; whoever takes out other records knows \
         that somebody there has exactly {}",
        group(published, end.group),
        if end.upper { "upper" } else { "lower" },
        column.name,
        end.text
    )
}

fn removed(inference: &Inference, published: &Published) -> String {
    let removed = published.size(inference.group) - inference.left;
    let whose = if inference.coalition.len() == 1 {
        "its"
    } else {
        "their"
    };
    if removed == inference.own {
        format!("{whose} {}", records(removed))
    } else {
        format!("{removed} of {whose} {}", records(inference.own))
    }
}

fn left(outcome: &InsiderOutcome, inference: &Inference) -> String {
    let published = &outcome.published;
    let outsider = inference.coalition.is_empty();
    let count = match (outsider, inference.left) {
        (true, 1) => "it has one record".to_owned(),
        (true, n) => format!("it has {n} records"),
        (false, 1) => "one record is left".to_owned(),
        (false, n) => format!("{n} records are left"),
    };
    match &inference.learnt {
        Learnt::Identity(values) => format!("{count}, {}", identity(outcome, values)),
        Learnt::Attribute(column, code) => {
            let name = &published.sensitive()[*column].name;
            let known = match inference.without_value(published) {
                0 => format!("and all have the same {name}"),
                without => format!(
                    "and all {} that have a {name} have the same",
                    inference.left - without
                ),
            };
            format!("{count}, {known}{}", shown(outcome, &[(*column, *code)]))
        }
        Learnt::Breach(constraint) => {
            let promise = promise_text(&outcome.promises[*constraint], published);
            format!("{count}, and {promise} fails")
        }
    }
}

fn identity(outcome: &InsiderOutcome, values: &[Code]) -> String {
    let columns = outcome.published.sensitive();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let known: Vec<(usize, Code)> = values.iter().copied().enumerate().collect();
    match names.as_slice() {
        [] => "and it is known whose it is".to_owned(),
        [name] => format!("its {name} is known{}", shown(outcome, &known)),
        _ => format!("its {} are known{}", list(&names), shown(outcome, &known)),
    }
}

/// The values, where they may be shown.
fn shown(outcome: &InsiderOutcome, known: &[(usize, Code)]) -> String {
    let text = |&(column, code): &(usize, Code)| {
        outcome.published.sensitive()[column]
            .domain
            .text(code)
            .to_owned()
    };
    if outcome.show_values {
        format!(
            ": {}",
            known.iter().map(text).collect::<Vec<_>>().join(", ")
        )
    } else {
        String::new()
    }
}

fn group(published: &Published, group: usize) -> String {
    let labels: Vec<String> = published
        .describe(group)
        .map(|(column, label)| format!("{column} {label}"))
        .collect();
    if labels.is_empty() {
        "the table, which is one group".to_owned()
    } else {
        format!("the group {}", labels.join(", "))
    }
}

/// Some names; a long list is cut.
pub fn names(published: &Published, members: &[ProviderId]) -> String {
    let mut shown: Vec<String> = members
        .iter()
        .take(NAMED)
        .map(|&id| published.providers().name(id).to_owned())
        .collect();
    if members.len() > NAMED {
        shown.push(format!("{} more", members.len() - NAMED));
    }
    list(&shown.iter().map(String::as_str).collect::<Vec<_>>())
}

fn records(n: u64) -> String {
    if n == 1 {
        "record".to_owned()
    } else {
        format!("{n} records")
    }
}
