//! One inference in words. Names, labels and counts; a sensitive value only when asked for.

use super::InsiderOutcome;
use crate::attack::list;
use crate::promises::promise_text;
use mingle_assess::attack::insider::ends::ExplainedEnd;
use mingle_assess::attack::insider::{Inference, Learnt, PeopleInferred};
use mingle_model::{Code, ProviderId, Published, SensitiveColumn, counted};
use mingle_privacy::Knows;

/// Names beyond these are counted.
const NAMED: usize = 5;

/// `P1 removes its 2 records from the group age [20-30], zip *****: one record is left, its disease
/// is known`.
pub fn inference(outcome: &InsiderOutcome, inference: &Inference) -> String {
    if let Some(people) = inference.people {
        return inference_about_people(outcome, inference, people);
    }
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

/// The values of a column as one text.
pub fn texts(column: &SensitiveColumn, codes: &[Code]) -> String {
    let texts: Vec<&str> = codes.iter().map(|&code| column.domain.text(code)).collect();
    texts.join("; ")
}

/// The same where people may have several records: `P1 leaves out the 2 people it knows from …: one
/// person is left, with 3 records, her disease is known`.
fn inference_about_people(
    outcome: &InsiderOutcome,
    inference: &Inference,
    people: PeopleInferred,
) -> String {
    let published = &outcome.published;
    let place = group(published, inference.group);
    let left = left_of_people(outcome, inference, people);
    let who = names(published, &inference.coalition);
    let verb = match inference.coalition.len() {
        0 => return format!("anybody who reads {place}: {left}"),
        1 => "leaves out",
        _ => "leave out",
    };
    let taken = published.people_of(inference.group) - people.left;
    let knows = if inference.coalition.len() == 1 {
        "it knows"
    } else {
        "they know"
    };
    let whom = match (taken == people.known, people.known) {
        (true, 1) => format!("the one person {knows}"),
        (true, known) => format!("the {known} people {knows}"),
        (false, known) => format!("{taken} of the {known} people {knows}"),
    };
    format!("{who} {verb} {whom} in {place}: {left}")
}

fn left_of_people(
    outcome: &InsiderOutcome,
    inference: &Inference,
    people: PeopleInferred,
) -> String {
    let published = &outcome.published;
    let rows = counted(inference.left, "record");
    let count = match (inference.coalition.is_empty(), people.left) {
        (true, 1) => format!("it has one person, with {rows}"),
        (true, n) => format!("it has {n} people"),
        (false, 1) => format!("one person is left, with {rows}"),
        (false, n) => format!("{n} people are left"),
    };
    match &inference.learnt {
        Learnt::Identity(values) => format!("{count}, {}", identity(outcome, values, "her")),
        Learnt::Attribute(column, code) => {
            let name = &published.sensitive()[*column].name;
            let all = match people.without_value {
                0 => "all".to_owned(),
                without => format!("all {} who have a {name}", people.left - without),
            };
            let known = format!("and one {name} is among those of {all}");
            format!(
                "{count}, {known}{}",
                shown(outcome, &[(*column, vec![*code])])
            )
        }
        Learnt::Breach(constraint) => {
            let promise = promise_text(&outcome.promises[*constraint], published);
            format!("{count}, and {promise} fails")
        }
    }
}

/// What an end of a range tells, for a person who may know the providers.
pub fn end(published: &Published, knows: Knows, end: &ExplainedEnd) -> String {
    let column = &published.columns()[end.column];
    let label = &column.labels[published.labels(end.group)[end.column] as usize];
    let who = names(published, &end.explained_by);
    let has = if end.explained_by.len() == 1 {
        "has"
    } else {
        "have"
    };
    if published.people().is_some() && knows == Knows::People {
        let know = if end.explained_by.len() == 1 {
            "knows"
        } else {
            "know"
        };
        return format!(
            "in {}: {who} {know} everybody who attains the {} end of {} {label}; whoever knows others there knows that \
             somebody has exactly {}",
            group(published, end.group),
            if end.upper { "upper" } else { "lower" },
            column.name,
            end.text
        );
    }
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
        Learnt::Identity(values) => format!("{count}, {}", identity(outcome, values, "its")),
        Learnt::Attribute(column, code) => {
            let name = &published.sensitive()[*column].name;
            let known = match inference.without_value(published) {
                0 => format!("and all have the same {name}"),
                without => format!(
                    "and all {} that have a {name} have the same",
                    inference.left - without
                ),
            };
            format!(
                "{count}, {known}{}",
                shown(outcome, &[(*column, vec![*code])])
            )
        }
        Learnt::Breach(constraint) => {
            let promise = promise_text(&outcome.promises[*constraint], published);
            format!("{count}, and {promise} fails")
        }
    }
}

fn identity(outcome: &InsiderOutcome, values: &[Vec<Code>], whose: &str) -> String {
    let columns = outcome.published.sensitive();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let known: Vec<(usize, Vec<Code>)> = values.iter().cloned().enumerate().collect();
    match names.as_slice() {
        [] => "and it is known whose it is".to_owned(),
        [name] => format!("{whose} {name} is known{}", shown(outcome, &known)),
        _ => format!(
            "{whose} {} are known{}",
            list(&names),
            shown(outcome, &known)
        ),
    }
}

/// The values, where they may be shown.
fn shown(outcome: &InsiderOutcome, known: &[(usize, Vec<Code>)]) -> String {
    let text = |(column, codes): &(usize, Vec<Code>)| {
        texts(&outcome.published.sensitive()[*column], codes)
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
