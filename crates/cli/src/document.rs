//! Results as JSON documents and as text: verdicts, constraints, witnesses.

use mingle_model::Published;
use mingle_privacy::{Promise, Verdict, Verification, Witness};
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
    /// How many of them may collude.
    pub m: u64,
}

impl Checked<'_> {
    /// `holds`, `fails` or `undecided`, for the stated m.
    pub fn verdict(&self) -> &'static str {
        let constraints = self.verification.map_or("undecided", |v| v.verdict().name());
        match constraints {
            _ if !self.problems.is_empty() => "fails",
            // only outsiders are checked
            "holds" if self.m > 0 => "undecided",
            other => other,
        }
    }

    /// The document `mingle.verify/1`.
    pub fn to_json(&self) -> Value {
        let outsider = self.verification.is_some_and(|v| v.witness().is_some());
        let mut document = json!({
            "schema": "mingle.verify/1",
            "verdict": self.verdict(),
            "groups": self.verification.map(Verification::groups),
            "records": self.verification.map(Verification::records),
            "providers": self.providers,
            "m": self.m,
            "attack_number": outsider.then_some(0),
        });
        // coalitions are not searched, so with several providers nobody knows whether one of them succeeds
        if !outsider && self.providers != Some(1) {
            document["attack_number_undecided"] = true.into();
        }
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
        let mut text = format!("verdict: {} (m = {})\n", self.verdict(), self.m);
        for problem in &self.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        let Some(verification) = self.verification else { return text };
        for (promise, verdict) in verification.promises().iter().zip(verification.verdicts()) {
            text.push_str(&format!("  {:<9} {}\n", verdict.name(), promise_text(promise, verification.published())));
        }
        if let Some(witness) = verification.witness() {
            let labels = verification.published().describe(witness.group);
            let labels: Vec<String> = labels.map(|(column, label)| format!("{column} = {label}")).collect();
            text.push_str(&format!("witness: {} fails in the group\n  ", witness.name));
            text.push_str(&format!("{}\n  which has {} record(s)\n", labels.join(", "), witness.records_left));
        }
        let providers = self.providers.map_or("unknown".to_owned(), |n| n.to_string());
        text.push_str(&format!(
            "groups {}, records {}, providers {providers}\n",
            verification.groups(),
            verification.records()
        ));
        text
    }
}

/// Every constraint with its parameters and its verdict.
pub fn constraints(verification: &Verification) -> Value {
    let sensitive = sensitive(verification.published());
    let one = |(promise, verdict): (&Promise, &Verdict)| {
        let mut entry = json!(PromiseEntry::new(promise, &sensitive));
        entry["verdict"] = verdict.name().into();
        entry
    };
    verification.promises().iter().zip(verification.verdicts()).map(one).collect()
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

fn witness(published: &Published, witness: &Witness) -> Value {
    let group: serde_json::Map<String, Value> =
        published.describe(witness.group).map(|(column, label)| (column.to_owned(), label.into())).collect();
    let coalition: Vec<&str> = witness.coalition.iter().map(|&id| published.providers().name(id)).collect();
    json!({ "constraint": witness.name, "group": group, "coalition": coalition, "records_left": witness.records_left })
}
