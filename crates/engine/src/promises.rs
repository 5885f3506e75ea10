//! Promises as documents state them, and in words.

use mingle_model::Published;
use mingle_privacy::{Insiders, Promise, Verdict, Verification};
use mingle_record::{
    ConstraintVerdict, ExactNumber, Judgement, ParameterEntry, PromiseEntry, StatedPromise,
};
use mingle_release::promise_entry::entry_of;

/// A promise about the sensitive columns of a publication.
pub fn promise_entry(promise: &Promise, sensitive: &[&str]) -> PromiseEntry {
    entry_of(promise, sensitive)
}

/// What strict semantics asks for: so many contributors in every group beyond m.
pub fn site_diversity_verdict(number: u64, verdict: Judgement) -> ConstraintVerdict {
    let promise = site_diversity_entry(number);
    ConstraintVerdict { promise, verdict }
}

fn site_diversity_entry(number: u64) -> PromiseEntry {
    let number = ExactNumber::new(number, 1).expect("one is not zero");
    PromiseEntry {
        name: Insiders::SITE_DIVERSITY.to_owned(),
        column: None,
        joint: false,
        parameters: vec![("site_diversity".to_owned(), ParameterEntry::Number(number))],
    }
}

/// Whether everybody's rows are in one group.
pub fn rows_together_verdict(verdict: Judgement) -> ConstraintVerdict {
    let promise = PromiseEntry {
        name: Verification::ROWS_TOGETHER.to_owned(),
        column: None,
        joint: false,
        parameters: Vec::new(),
    };
    ConstraintVerdict { promise, verdict }
}

/// A verdict as documents state it.
pub fn judgement(verdict: &Verdict) -> Judgement {
    match verdict {
        Verdict::Holds => Judgement::Holds,
        Verdict::Fails(_) => Judgement::Fails,
        Verdict::Undecided(_) => Judgement::Undecided,
    }
}

/// A promise in words, and whether it says anything, as the catalogue has it.
pub fn stated_promise(promise: &Promise, published: &Published) -> StatedPromise {
    let entry = promise_entry(promise, &sensitive_names(published));
    StatedPromise {
        words: promise_entry_text(&entry),
        says_something: promise.rule.kind().protection(&promise.rule).says_something,
        promise: entry,
    }
}

/// What strict semantics promises beside the others; nothing with victim semantics.
pub fn stated_site_diversity(insiders: Insiders) -> Option<StatedPromise> {
    let number = insiders.semantics.site_diversity()?;
    let promise = site_diversity_entry(number);
    Some(StatedPromise {
        words: promise_entry_text(&promise),
        // a group of one contributor is in every table that has a provider
        says_something: insiders.m.0.saturating_add(number) > 1,
        promise,
    })
}

/// `distinct-l-diversity, l = 2, column disease`.
pub fn promise_text(promise: &Promise, published: &Published) -> String {
    promise_entry_text(&promise_entry(promise, &sensitive_names(published)))
}

/// The same for one in a document.
pub fn promise_entry_text(promise: &PromiseEntry) -> String {
    let mut text = promise.name.clone();
    for (name, value) in &promise.parameters {
        match value {
            ParameterEntry::Number(number) => text.push_str(&format!(", {name} = {number}")),
            ParameterEntry::Word(word) => text.push_str(&format!(", {name} = {word}")),
        }
    }
    if let Some(column) = &promise.column {
        text.push_str(&format!(", column {column}"));
    }
    if promise.joint {
        text.push_str(", all sensitive columns together");
    }
    text
}

/// The sensitive columns of a publication by name.
pub fn sensitive_names(published: &Published) -> Vec<&str> {
    published
        .sensitive()
        .iter()
        .map(|column| column.name.as_str())
        .collect()
}
