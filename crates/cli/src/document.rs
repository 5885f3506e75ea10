//! Results as JSON documents and as text: verdicts, constraints, witnesses.

use crate::insiders::names;
use mingle_model::Published;
use mingle_privacy::{AttackNumber, Insiders, Promise, Semantics, Verdict, Verification, Witness};
use mingle_release::manifest::PromiseEntry;
use serde_json::{Value, json};

/// What a verification found, and what is known about the providers.
pub struct Checked<'a> {
    /// The verdicts; `None` when the table could not be read.
    pub verification: Option<&'a Verification>,
    /// What else is wrong, in words.
    pub problems: Vec<String>,
    /// How many providers there are, where that is known.
    pub providers: Option<u64>,
    /// Against whom it should hold.
    pub stated: Insiders,
    /// Whether it is known who contributed each row. Otherwise only the outsider was checked.
    pub knows_providers: bool,
}

impl Checked<'_> {
    /// `holds`, `fails` or `undecided`, for the stated m.
    pub fn verdict(&self) -> &'static str {
        let constraints = self.verification.map_or("undecided", |v| v.verdict().name());
        match constraints {
            _ if !self.problems.is_empty() => "fails",
            "holds" if self.lacks_providers() => "undecided",
            other => other,
        }
    }

    /// Whether insiders should have been checked and could not be.
    pub fn lacks_providers(&self) -> bool {
        self.stated.need_providers() && !self.knows_providers
    }

    /// The smallest coalition that succeeds, and whether a smaller one may have been missed.
    fn attack_number(&self) -> AttackNumber {
        let unknown = AttackNumber { found: None, open: true };
        let attack = self.verification.map_or(unknown, Verification::attack_number);
        AttackNumber { open: attack.found != Some(0) && (attack.open || !self.knows_providers), ..attack }
    }

    /// The document `mingle.verify/1`.
    pub fn to_json(&self) -> Value {
        let attack = self.attack_number();
        let mut document = json!({
            "schema": "mingle.verify/1",
            "verdict": self.verdict(),
            "groups": self.verification.map(Verification::groups),
            "records": self.verification.map(Verification::records),
            "providers": self.providers,
            "m": self.stated.m,
            "attack_number": attack.found,
        });
        if attack.open {
            document["attack_number_undecided"] = true.into();
        }
        let constraints = |v| constraints(v, self.stated, self.knows_providers);
        document["constraints"] = self.verification.map_or_else(|| json!([]), constraints);
        if let Some((verification, witness)) = self.verification.and_then(|v| v.witness().map(|w| (v, w))) {
            document["witness"] = self::witness(verification.published(), witness);
        }
        if !self.problems.is_empty() {
            document["problems"] = json!(self.problems);
        }
        document
    }

    /// The same for people.
    pub fn to_text(&self) -> String {
        let semantics = if self.stated.semantics == Semantics::Victim { "" } else { ", strict semantics" };
        let mut text = format!("verdict: {} (m = {}{semantics})\n", self.verdict(), self.stated.m);
        for problem in &self.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        let Some(verification) = self.verification else { return text };
        for (promise, verdict) in verification.promises().iter().zip(verification.verdicts()) {
            text.push_str(&format!("  {:<9} {}\n", verdict.name(), promise_text(promise, verification.published())));
        }
        if let Some((number, verdict)) = site_diversity(verification, self.stated, self.knows_providers) {
            let name = Insiders::SITE_DIVERSITY;
            text.push_str(&format!("  {verdict:<9} {name}, site_diversity = {number}\n"));
        }
        text.push_str(&verification.witness().map_or(String::new(), |w| witness_text(verification.published(), w)));
        text.push_str(&self.attack_text());
        let providers = self.providers.map_or("unknown".to_owned(), |n| n.to_string());
        text.push_str(&format!(
            "groups {}, records {}, providers {providers}\n",
            verification.groups(),
            verification.records()
        ));
        text
    }
}

impl Checked<'_> {
    /// The attack number in words.
    fn attack_text(&self) -> String {
        let AttackNumber { found, open } = self.attack_number();
        let of = |n: u64| match self.providers {
            Some(all) => format!("{n} of {all} providers"),
            None => format!("{n} provider(s)"),
        };
        match (found, self.providers) {
            (Some(0), _) => "insiders: nobody needs to collude, an outsider can break a promise already\n".to_owned(),
            (Some(n), _) if open => {
                format!("insiders: some {} can break a promise; whether fewer could is undecided\n", of(n))
            }
            (Some(1), _) => format!("insiders: {} alone can break a promise\n", of(1)),
            (Some(n), _) => format!("insiders: no coalition of up to {} can break a promise; {n} could\n", of(n - 1)),
            (None, _) if !self.knows_providers => {
                "insiders: not checked, because nothing here says who contributed which row\n".to_owned()
            }
            (None, _) if open => "insiders: whether a coalition can break a promise is undecided\n".to_owned(),
            (None, Some(0 | 1)) => "insiders: there is one provider, nobody can collude\n".to_owned(),
            (None, _) => "insiders: no coalition can break a promise, not even all providers but one\n".to_owned(),
        }
    }
}

/// Every constraint with its parameters and its verdict; the last is what strict semantics asks for.
pub fn constraints(verification: &Verification, stated: Insiders, knows_providers: bool) -> Value {
    let sensitive = sensitive(verification.published());
    let one = |(promise, verdict): (&Promise, &Verdict)| {
        let mut entry = json!(PromiseEntry::new(promise, &sensitive));
        entry["verdict"] = verdict.name().into();
        entry
    };
    let mut all: Vec<Value> = verification.promises().iter().zip(verification.verdicts()).map(one).collect();
    if let Some((number, verdict)) = site_diversity(verification, stated, knows_providers) {
        all.push(json!({ "name": Insiders::SITE_DIVERSITY, "site_diversity": number, "verdict": verdict }));
    }
    Value::Array(all)
}

/// With strict semantics: how many contributors a group needs beyond m, and whether every group has them.
fn site_diversity(verification: &Verification, stated: Insiders, knows_providers: bool) -> Option<(u64, &'static str)> {
    let verdict = match verification.site_diversity() {
        Some(verdict) => verdict.name(),
        None if knows_providers || stated.fewest_providers() < 2 => "holds",
        None => "undecided",
    };
    stated.semantics.site_diversity().map(|number| (number, verdict))
}

/// `distinct-l-diversity, l = 2, column disease`.
pub fn promise_text(promise: &Promise, published: &Published) -> String {
    entry_text(&PromiseEntry::new(promise, &sensitive(published)))
}

/// The same for a promise as a manifest has it.
pub fn entry_text(promise: &PromiseEntry) -> String {
    let entry = json!(promise);
    let mut text = promise.name.clone();
    for key in ["k", "c", "l", "max", "distance"] {
        match &entry[key] {
            Value::Null => {}
            Value::String(word) => text.push_str(&format!(", {key} = {word}")),
            number => text.push_str(&format!(", {key} = {number}")),
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

fn sensitive(published: &Published) -> Vec<&str> {
    published.sensitive().iter().map(|column| column.name.as_str()).collect()
}

/// Which group, and who would see what in it.
fn witness_text(published: &Published, witness: &Witness) -> String {
    let labels: Vec<String> =
        published.describe(witness.group).map(|(column, label)| format!("{column} = {label}")).collect();
    let who: Vec<&str> = witness.coalition.iter().map(|&id| published.providers().name(id)).collect();
    let left = witness.records_left;
    let left = match who.len() {
        0 => format!("which has {left} record(s)"),
        1 => format!("where {} takes out its own records and {left} record(s) are left", names(who.into_iter())),
        _ => format!("where {} take out their own records and {left} record(s) are left", names(who.into_iter())),
    };
    format!("witness: {} fails in the group\n  {}\n  {left}\n", witness.name, labels.join(", "))
}

fn witness(published: &Published, witness: &Witness) -> Value {
    let group: serde_json::Map<String, Value> =
        published.describe(witness.group).map(|(column, label)| (column.to_owned(), label.into())).collect();
    let coalition: Vec<&str> = witness.coalition.iter().map(|&id| published.providers().name(id)).collect();
    json!({ "constraint": witness.name, "group": group, "coalition": coalition, "records_left": witness.records_left })
}
