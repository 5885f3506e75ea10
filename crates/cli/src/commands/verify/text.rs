//! What was found about groups, for people.

use crate::message::wrap;
use mingle::insiders::names;
use mingle::promises::promise_entry_text;
use mingle::verify::{GroupsOutcome, VerifyRemarks};
use mingle::words::counted_people;
use mingle_model::{counted, plural};
use mingle_privacy::Semantics;
use mingle_record::answer::{PeopleVerified, VerifyWitness};
use mingle_record::manifest::{ProtocolEntry, StatedPersonRows};

/// Verdict, constraints, the witness, insiders and sizes.
pub fn of_groups(outcome: &GroupsOutcome) -> String {
    let answer = &outcome.answer;
    let semantics = if outcome.semantics == Semantics::Victim {
        ""
    } else {
        ", strict semantics"
    };
    let mut text = format!(
        "verdict: {} (m = {}{semantics})\n",
        answer.verdict, answer.m
    );
    for problem in &answer.problems {
        text.push_str(&format!("  {problem}\n"));
    }
    let (Some(groups), Some(records)) = (answer.groups, answer.records) else {
        return text;
    };
    for constraint in &answer.constraints {
        let promise = promise_entry_text(&constraint.promise);
        text.push_str(&format!("  {:<9} {promise}\n", constraint.verdict));
    }
    if let Some(witness) = &answer.witness {
        text.push_str(&witness_text(witness));
    }
    text.push_str(&attack_text(outcome));
    if let Some(protocol) = &outcome.made_by {
        text.push_str(&providers_text(protocol));
    }
    let providers = match answer.providers {
        Some(providers) => providers.to_string(),
        None => "unknown".to_owned(),
    };
    let tables = if answer.fragmented {
        ", in fragments"
    } else {
        ""
    };
    let of_people = match answer.people.and_then(|counted| counted.people) {
        Some(people) => format!(" of {}", counted_people(people)),
        None => String::new(),
    };
    text.push_str(&format!(
        "groups {groups}, records {records}{of_people}, providers {providers}{tables}\n"
    ));
    if let Some(people) = &answer.people {
        text.push_str(&people_text(people));
    }
    text
}

/// Who made a release of n providers, what they showed each other, and what nobody can check again.
fn providers_text(protocol: &ProtocolEntry) -> String {
    let Some(agreed) = &protocol.providers else {
        return String::new();
    };
    wrap(&format!(
        "made by: {}; whether all {} have signed is part of the verdict, and whether the keys are theirs is for you to ask \
         them; level {}: k and distinct l against any {} of them were shown in the run, and nobody can check that again \
         from the files",
        protocol.names(),
        protocol.sites.len(),
        protocol.leak_level,
        agreed.m
    ))
}

/// How many people the smallest group has, and how sure that is.
fn people_text(people: &PeopleVerified) -> String {
    let said = match (people.smallest_group, people.guaranteed_smallest_group) {
        (None, _) => "not counted, because nothing here says whose rows belong together".to_owned(),
        (Some(smallest), None) => {
            format!("the smallest group has {}", counted_people(smallest))
        }
        (Some(smallest), Some(sure)) => format!(
            "the smallest group has {}; people who are at two providers count twice, and sure is that every group has {}",
            counted_people(smallest),
            counted_people(sure)
        ),
    };
    let apart = match people.stated.rows {
        StatedPersonRows::Together => "",
        StatedPersonRows::Apart => {
            "; the rows of a person may be in several groups, and who knows two of them can intersect those"
        }
    };
    wrap(&format!("people: {said}{apart}"))
}

/// How many warnings there are, by code, and what is not known of them: a table has none that were
/// recorded, and an older release may have had some.
pub fn of_warnings(remarks: &VerifyRemarks) -> String {
    let mut codes = Vec::new();
    for warning in &remarks.warnings {
        codes.push(warning.code.to_string());
    }
    let found = match codes.len() {
        0 => "none".to_owned(),
        n => format!("{n} ({})", codes.join(", ")),
    };
    let unknown = match remarks.recorded.words() {
        Some(words) => format!("; {words}"),
        None => String::new(),
    };
    wrap(&format!("warnings: {found}{unknown}"))
}

/// The attack number in words.
fn attack_text(outcome: &GroupsOutcome) -> String {
    let answer = &outcome.answer;
    let of = |n: u64| match answer.providers {
        Some(all) => format!("{n} of {all} providers"),
        None => counted(n, "provider"),
    };
    let undecided = answer.attack_number_undecided;
    let said = match (answer.attack_number, answer.providers) {
        (Some(0), _) => {
            "nobody needs to collude, an outsider can break a promise already".to_owned()
        }
        (Some(n), _) if undecided => format!(
            "some {} can break a promise; whether fewer could is undecided",
            of(n)
        ),
        (Some(1), _) => format!("{} alone can break a promise", of(1)),
        (Some(n), _) => format!(
            "no coalition of up to {} can break a promise; {n} could",
            of(n - 1)
        ),
        (None, _) if !outcome.knows_providers => {
            "not checked, because nothing here says who contributed which row".to_owned()
        }
        (None, _) if undecided => "whether a coalition can break a promise is undecided".to_owned(),
        (None, Some(0 | 1)) => "there is one provider, nobody can collude".to_owned(),
        (None, _) => "no coalition can break a promise, not even all providers but one".to_owned(),
    };
    format!("insiders: {said}\n")
}

/// Which group, and who would see what in it.
fn witness_text(witness: &VerifyWitness) -> String {
    let mut labels = Vec::new();
    for (column, label) in &witness.group.0 {
        labels.push(format!("{column} = {label}"));
    }
    let who = names(witness.coalition.iter().map(String::as_str));
    let mut left = counted(witness.records_left, "record");
    if let Some(people) = witness.people_left {
        left = format!("{left} of {}", counted_people(people));
    }
    let are = plural(witness.records_left, "is", "are");
    let left = match witness.coalition.len() {
        0 => format!("which has {left}"),
        1 => format!("where {who} takes out its own records and {left} {are} left"),
        _ => format!("where {who} take out their own records and {left} {are} left"),
    };
    format!(
        "witness: {} fails in the group\n  {}\n  {left}\n",
        witness.constraint,
        labels.join(", ")
    )
}
