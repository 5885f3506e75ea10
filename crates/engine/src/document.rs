//! Results as JSON documents and as text: verdicts, constraints, witnesses.

use crate::insiders::names;
use mingle_model::Published;
use mingle_privacy::{
    AttackNumber, FragmentsVerification, Insiders, Promise, Semantics, Verdict, Verification,
    Witness,
};
use mingle_release::manifest::PromiseEntry;
use mingle_release::promise_entry::entry_of;
use serde_json::{Value, json};

/// What a verification found, and what is known about the providers.
pub struct Checked<'a> {
    /// The verdicts; `None` when the table could not be read, and for fragments that nothing links.
    pub verification: Option<&'a Verification>,
    /// The verdicts for the reader of a fragmented release.
    pub fragments: Option<&'a FragmentsVerification>,
    /// What is promised about sensitive columns together and cannot be decided here, because
    /// nothing links them.
    pub unlinked: &'a [Promise],
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
        let linked = self.verification.map(|v| v.verdict().name());
        let names = || {
            linked
                .into_iter()
                .chain(self.fragments.map(|f| f.verdict().name()))
        };
        let any = |name: &str| names().any(|n| n == name);
        match names().next() {
            _ if !self.problems.is_empty() || any("fails") => "fails",
            Some(_) if !any("undecided") && !self.lacks_providers() && !self.lacks_links() => {
                "holds"
            }
            _ => "undecided",
        }
    }

    /// Whether a promise about columns together should have been checked and could not be.
    pub fn lacks_links(&self) -> bool {
        !self.unlinked.is_empty()
    }

    /// The failure that the verdict is about.
    pub fn witness(&self) -> Option<&Witness> {
        self.verification
            .and_then(Verification::witness)
            .or_else(|| self.fragments.and_then(|f| f.witness()))
    }

    fn groups(&self) -> Option<usize> {
        self.verification
            .map(Verification::groups)
            .or_else(|| self.fragments.map(FragmentsVerification::groups))
    }

    fn records(&self) -> Option<u64> {
        self.verification
            .map(Verification::records)
            .or_else(|| self.fragments.map(FragmentsVerification::records))
    }

    /// A group as its reader sees it, with the gid where there is one.
    fn describe(&self, group: usize) -> Vec<(String, String)> {
        let owned = |name: &str, label: &str| (name.to_owned(), label.to_owned());
        match (self.fragments, self.verification) {
            (Some(fragments), _) => fragments
                .describe(group)
                .map(|(name, label)| owned(name, &label))
                .collect(),
            (None, Some(v)) => v
                .published()
                .describe(group)
                .map(|(name, label)| owned(name, label))
                .collect(),
            (None, None) => Vec::new(),
        }
    }

    /// Who takes part in a witness.
    fn coalition(&self, witness: &Witness) -> Vec<&str> {
        let name = |&id| {
            self.verification
                .map(|v| v.published().providers().name(id))
        };
        witness.coalition.iter().filter_map(name).collect()
    }

    /// Every constraint with its verdict, in the policy's order; those that cannot be decided here
    /// come last.
    fn constraints(&self) -> Vec<Value> {
        if let Some(verification) = self.verification {
            return constraint_list(verification, self.stated, self.knows_providers);
        }
        let Some(fragments) = self.fragments else {
            return Vec::new();
        };
        let sensitive: Vec<&str> = fragments
            .fragments()
            .sensitive()
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        let decided = fragments
            .promises()
            .iter()
            .zip(fragments.verdicts().iter().map(Verdict::name));
        let open = self.unlinked.iter().map(|p| (p, "undecided"));
        let mut all: Vec<Value> = decided
            .chain(open)
            .map(|(p, verdict)| constraint(p, &sensitive, verdict))
            .collect();
        if let Some(number) = self.stated.semantics.site_diversity() {
            let verdict = if self.stated.fewest_providers() < 2 {
                "holds"
            } else {
                "undecided"
            };
            all.push(site_constraint(number, verdict));
        }
        all
    }

    /// Whether insiders should have been checked and could not be.
    pub fn lacks_providers(&self) -> bool {
        self.stated.need_providers() && !self.knows_providers
    }

    /// The smallest coalition that succeeds, and whether a smaller one may have been missed.
    fn attack_number(&self) -> AttackNumber {
        let unknown = AttackNumber {
            found: None,
            open: true,
        };
        let attack = self
            .verification
            .map_or(unknown, Verification::attack_number);
        AttackNumber {
            open: attack.found != Some(0) && (attack.open || !self.knows_providers),
            ..attack
        }
    }

    /// The document `mingle.verify/1`.
    pub fn to_json(&self) -> Value {
        let attack = self.attack_number();
        let mut document = json!({
            "schema": "mingle.verify/1",
            "verdict": self.verdict(),
            "groups": self.groups(),
            "records": self.records(),
            "providers": self.providers,
            "m": self.stated.m,
            "attack_number": attack.found,
        });
        if attack.open {
            document["attack_number_undecided"] = true.into();
        }
        if self.fragments.is_some() {
            document["fragmented"] = true.into();
        }
        document["constraints"] = self.constraints().into();
        if let Some(witness) = self.witness() {
            document["witness"] = self.witness_json(witness);
        }
        if !self.problems.is_empty() {
            document["problems"] = json!(self.problems);
        }
        document
    }

    /// The same for people.
    pub fn to_text(&self) -> String {
        let semantics = if self.stated.semantics == Semantics::Victim {
            ""
        } else {
            ", strict semantics"
        };
        let mut text = format!(
            "verdict: {} (m = {}{semantics})\n",
            self.verdict(),
            self.stated.m
        );
        for problem in &self.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        let (Some(groups), Some(records)) = (self.groups(), self.records()) else {
            return text;
        };
        for entry in self.constraints() {
            let verdict = entry["verdict"].as_str().unwrap_or_default();
            text.push_str(&format!("  {verdict:<9} {}\n", constraint_text(&entry)));
        }
        text.push_str(
            &self
                .witness()
                .map_or(String::new(), |w| self.witness_text(w)),
        );
        text.push_str(&self.attack_text());
        let providers = self
            .providers
            .map_or("unknown".to_owned(), |n| n.to_string());
        let tables = if self.fragments.is_some() {
            ", in fragments"
        } else {
            ""
        };
        text.push_str(&format!(
            "groups {groups}, records {records}, providers {providers}{tables}\n"
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
            (Some(0), _) => {
                "insiders: nobody needs to collude, an outsider can break a promise already\n"
                    .to_owned()
            }
            (Some(n), _) if open => {
                format!(
                    "insiders: some {} can break a promise; whether fewer could is undecided\n",
                    of(n)
                )
            }
            (Some(1), _) => format!("insiders: {} alone can break a promise\n", of(1)),
            (Some(n), _) => format!(
                "insiders: no coalition of up to {} can break a promise; {n} could\n",
                of(n - 1)
            ),
            (None, _) if !self.knows_providers => {
                "insiders: not checked, because nothing here says who contributed which row\n"
                    .to_owned()
            }
            (None, _) if open => {
                "insiders: whether a coalition can break a promise is undecided\n".to_owned()
            }
            (None, Some(0 | 1)) => {
                "insiders: there is one provider, nobody can collude\n".to_owned()
            }
            (None, _) => {
                "insiders: no coalition can break a promise, not even all providers but one\n"
                    .to_owned()
            }
        }
    }
}

/// Every constraint with its parameters and its verdict; the last is what strict semantics asks
/// for.
pub fn constraints(verification: &Verification, stated: Insiders, knows_providers: bool) -> Value {
    Value::Array(constraint_list(verification, stated, knows_providers))
}

fn constraint_list(
    verification: &Verification,
    stated: Insiders,
    knows_providers: bool,
) -> Vec<Value> {
    let sensitive = sensitive(verification.published());
    let decided = verification.promises().iter().zip(verification.verdicts());
    let mut all: Vec<Value> = decided
        .map(|(p, verdict)| constraint(p, &sensitive, verdict.name()))
        .collect();
    if let Some((number, verdict)) = site_diversity(verification, stated, knows_providers) {
        all.push(site_constraint(number, verdict));
    }
    all
}

fn constraint(promise: &Promise, sensitive: &[&str], verdict: &str) -> Value {
    let mut entry = json!(entry_of(promise, sensitive));
    entry["verdict"] = verdict.into();
    entry
}

fn site_constraint(number: u64, verdict: &str) -> Value {
    json!({ "name": Insiders::SITE_DIVERSITY, "site_diversity": number, "verdict": verdict })
}

/// With strict semantics: how many contributors a group needs beyond m, and whether every group has
/// them.
fn site_diversity(
    verification: &Verification,
    stated: Insiders,
    knows_providers: bool,
) -> Option<(u64, &'static str)> {
    let verdict = match verification.site_diversity() {
        Some(verdict) => verdict.name(),
        None if knows_providers || stated.fewest_providers() < 2 => "holds",
        None => "undecided",
    };
    stated
        .semantics
        .site_diversity()
        .map(|number| (number, verdict))
}

/// `distinct-l-diversity, l = 2, column disease`.
pub fn promise_text(promise: &Promise, published: &Published) -> String {
    entry_text(&entry_of(promise, &sensitive(published)))
}

/// The same for a promise as a manifest has it.
pub fn entry_text(promise: &PromiseEntry) -> String {
    constraint_text(&json!(promise))
}

/// The same for one in a document.
fn constraint_text(entry: &Value) -> String {
    let mut text = entry["name"].as_str().unwrap_or_default().to_owned();
    // everything but these is a parameter, in the constraint's order
    const NO_PARAMETERS: [&str; 4] = ["name", "column", "joint", "verdict"];
    for (key, value) in entry.as_object().into_iter().flatten() {
        match value {
            _ if NO_PARAMETERS.contains(&key.as_str()) => {}
            Value::Null => {}
            Value::String(word) => text.push_str(&format!(", {key} = {word}")),
            number => text.push_str(&format!(", {key} = {number}")),
        }
    }
    if let Some(column) = entry["column"].as_str() {
        text.push_str(&format!(", column {column}"));
    }
    if entry["joint"] == true {
        text.push_str(", all sensitive columns together");
    }
    text
}

fn sensitive(published: &Published) -> Vec<&str> {
    published
        .sensitive()
        .iter()
        .map(|column| column.name.as_str())
        .collect()
}

impl Checked<'_> {
    /// Which group, and who would see what in it.
    fn witness_text(&self, witness: &Witness) -> String {
        let label = |(column, label): (String, String)| format!("{column} = {label}");
        let labels: Vec<String> = self
            .describe(witness.group)
            .into_iter()
            .map(label)
            .collect();
        let who = self.coalition(witness);
        let left = witness.records_left;
        let left = match who.len() {
            0 => format!("which has {left} record(s)"),
            1 => format!(
                "where {} takes out its own records and {left} record(s) are left",
                names(who.into_iter())
            ),
            _ => format!(
                "where {} take out their own records and {left} record(s) are left",
                names(who.into_iter())
            ),
        };
        format!(
            "witness: {} fails in the group\n  {}\n  {left}\n",
            witness.name,
            labels.join(", ")
        )
    }

    fn witness_json(&self, witness: &Witness) -> Value {
        let labels = self
            .describe(witness.group)
            .into_iter()
            .map(|(column, label)| (column, label.into()));
        let group: serde_json::Map<String, Value> = labels.collect();
        let coalition = self.coalition(witness);
        json!({
            "constraint": witness.name, "group": group, "coalition": coalition, "records_left": witness.records_left,
        })
    }
}
