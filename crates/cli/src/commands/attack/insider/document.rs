//! The document `mingle.attack-insider/1`; see `docs/reference/attack-insider.md`.

use super::{Played, Target, explaining, sentence};
use mingle_assess::attack::insider::ends::Ends;
use mingle_assess::attack::insider::worst::{Coalition, Worst};
use mingle_assess::attack::insider::{Exposure, Inference, Learnt};
use mingle_model::{Code, ProviderId, Published};
use mingle_release::manifest::PromiseEntry;
use mingle_release::promise_entry::entry_of;
use serde_json::{Map, Value, json};

impl Played<'_> {
    pub fn to_json(&self) -> Value {
        let published = &self.target.published;
        let insider = &self.insider;
        let sensitive: Vec<&str> = published
            .sensitive()
            .iter()
            .map(|column| column.name.as_str())
            .collect();
        let promises: Vec<PromiseEntry> = self
            .target
            .promises
            .iter()
            .map(|promise| entry_of(promise, &sensitive))
            .collect();
        let found = insider
            .groups
            .iter()
            .filter_map(|group| group.fall.size())
            .min();
        let mut document = json!({
            "schema": "mingle.attack-insider/1",
            "verdict": self.verdict(),
            "m": self.target.insiders.m,
            "semantics": self.target.insiders.semantics.name(),
            "groups": published.groups(),
            "records": published.rows(),
            "providers": published.providers().len(),
            "single_provider_groups": insider.groups.iter().filter(|group| group.providers == 1).count(),
            "constraints": promises,
            "attack_number": found,
        });
        if self.attack_number_undecided(found) {
            document["attack_number_undecided"] = true.into();
        }
        if self.target.insiders.semantics.site_diversity().is_some() {
            document["short_of_providers"] = self.short_of_providers().into();
        }
        document["exposure"] = insider
            .exposure
            .iter()
            .map(|e| exposure(e, &sensitive, published.groups()))
            .collect();
        document["worst"] = insider
            .worst
            .iter()
            .map(|worst| self::worst(worst, published))
            .collect();
        document["inference"] = insider
            .inference
            .as_ref()
            .map_or(Value::Null, |i| self.inference_document(i));
        if let Some(found) = &self.ends {
            document["label_ends"] = label_ends(found, self.target);
        }
        document
    }

    /// Whether a smaller coalition, or one at all, may exist that was not found.
    fn attack_number_undecided(&self, found: Option<u64>) -> bool {
        let exposure = &self.insider.exposure;
        let before = exposure
            .iter()
            .take_while(|e| found.is_none_or(|found| e.size < found));
        let everyone = exposure.len() == self.target.published.providers().len().max(1);
        before.into_iter().any(|e| e.undecided > 0) || (found.is_none() && !everyone)
    }

    fn inference_document(&self, inference: &Inference) -> Value {
        let published = &self.target.published;
        let column = |column: usize| published.sensitive()[column].name.clone();
        let (learnt, columns): (&str, Vec<(usize, Code)>) = match &inference.learnt {
            Learnt::Identity(values) => ("identity", values.iter().copied().enumerate().collect()),
            Learnt::Attribute(column, code) => ("attribute", vec![(*column, *code)]),
            Learnt::Breach(_) => ("breach", Vec::new()),
        };
        let mut document = json!({
            "learnt": learnt,
            "coalition": names(published, &inference.coalition),
            "group": group(published, inference.group),
            "own_records": inference.own,
            "records_left": inference.left,
        });
        if let Learnt::Breach(constraint) = inference.learnt {
            document["constraint"] = self.target.promises[constraint].name().into();
        } else {
            document["columns"] = columns.iter().map(|&(place, _)| column(place)).collect();
        }
        if self.show_values && !columns.is_empty() {
            let value = |&(place, code): &(usize, Code)| {
                (
                    column(place),
                    Value::from(published.sensitive()[place].domain.text(code)),
                )
            };
            document["values"] = Value::Object(columns.iter().map(value).collect());
        }
        document["text"] = sentence::inference(self, inference).into();
        document
    }
}

fn exposure(exposure: &Exposure, sensitive: &[&str], groups: usize) -> Value {
    let attribute: Map<String, Value> = sensitive
        .iter()
        .zip(&exposure.attribute)
        .map(|(&name, &records)| (name.to_owned(), records.into()))
        .collect();
    json!({
        "size": exposure.size,
        "groups": exposure.groups,
        "share": share(exposure.groups, groups),
        "undecided": exposure.undecided,
        "records": exposure.records,
        "identity": exposure.identity,
        "attribute": attribute,
        "exposed": exposure.exposed,
    })
}

/// Four places are enough for a share.
pub fn share(groups: u64, all: usize) -> f64 {
    (groups as f64 / all.max(1) as f64 * 10_000.0).round() / 10_000.0
}

fn worst(worst: &Worst, published: &Published) -> Value {
    let one = |c: &Coalition| json!({ "members": names(published, &c.members), "exposed": c.exposed, "groups": c.groups });
    json!({ "size": worst.size, "exact": worst.exact, "coalitions": worst.coalitions.iter().map(one).collect::<Vec<_>>() })
}

fn label_ends(ends: &Ends, target: &Target) -> Value {
    let published = &target.published;
    let columns: Map<String, Value> = ends
        .columns
        .iter()
        .map(|(name, n)| (name.clone(), (*n).into()))
        .collect();
    let example = ends.example.as_ref().map(|end| {
        json!({
            "group": group(published, end.group),
            "column": published.columns()[end.column].name,
            "end": if end.upper { "upper" } else { "lower" },
            "explained_by": names(published, &end.explained_by),
            "text": sentence::end(published, end),
        })
    });
    json!({
        "explained_by_at_most": explaining(target),
        "checked": ends.checked,
        "given_away": ends.given_away,
        "groups": ends.groups,
        "columns": columns,
        "example": example,
    })
}

fn group(published: &Published, group: usize) -> Map<String, Value> {
    published
        .describe(group)
        .map(|(column, label)| (column.to_owned(), label.into()))
        .collect()
}

fn names<'a>(published: &'a Published, members: &[ProviderId]) -> Vec<&'a str> {
    members
        .iter()
        .map(|&id| published.providers().name(id))
        .collect()
}
