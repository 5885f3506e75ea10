//! The document `mingle.attack-background-join/1`; see `docs/reference/attack-background-join.md`.

use super::{Played, sentence};
use mingle_assess::attack::background_join::reconstruction::{Estimate, Inferred, Reconstruction};
use mingle_assess::attack::background_join::{Example, Play, View};
use mingle_model::Code;
use serde_json::{Map, Value, json};

impl Played<'_> {
    pub fn to_json(&self) -> Value {
        let found = &self.found;
        let quasi_identifiers: Vec<&str> = match &self.options.quasi_identifiers {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => self
                .joined
                .original()
                .quasi_identifiers()
                .iter()
                .map(|qi| qi.name.as_str())
                .collect(),
        };
        let worst = found.worst(self.form);
        let example = worst.and_then(|play| Some((play, play.view(self.form).example.as_ref()?)));
        json!({
            "schema": "mingle.attack-background-join/1",
            "verdict": self.verdict(),
            "form": self.form.name(),
            "k": self.options.k,
            "groups": self.joined.groups().len(),
            "records": self.joined.rows(),
            "people": found.people,
            "left_out": found.left_out,
            "overlapping": found.overlapping,
            "quasi_identifiers": quasi_identifiers,
            "plays": found.plays.iter().map(|play| self.play_document(play)).collect::<Vec<_>>(),
            "inference": example.map(|(play, example)| self.inference_document(play, example)),
            "reconstructions": found.reconstructions.iter().map(|r| self.reconstruction_document(r)).collect::<Vec<_>>(),
            "not_reconstructed": found.not_reconstructed.iter().map(|pair| self.columns(pair)).collect::<Vec<_>>(),
        })
    }

    fn columns(&self, columns: &[usize]) -> Vec<&str> {
        columns.iter().map(|&column| self.name(column)).collect()
    }

    fn play_document(&self, play: &Play) -> Value {
        json!({
            "knows": self.columns(&play.known),
            "target": self.name(play.target),
            "people": play.people,
            "outsider": view(&play.outsider),
            "linked": view(&play.linked),
            "fragmented": view(&play.fragmented),
        })
    }

    fn inference_document(&self, play: &Play, example: &Example) -> Value {
        let group = |&group: &u32| -> Map<String, Value> {
            self.joined
                .describe(group as usize)
                .map(|(column, label)| (column.to_owned(), label.into()))
                .collect()
        };
        let mut document = json!({
            "knows": self.columns(&play.known),
            "target": self.name(play.target),
            "groups": example.groups.iter().map(group).collect::<Vec<_>>(),
            "candidates": example.candidates,
            "rows": example.rows,
        });
        if self.show_values {
            let known = play
                .known
                .iter()
                .copied()
                .zip(example.known.iter().copied());
            let value = |(column, code): (usize, Code)| {
                let text = self.joined.sensitive()[column].domain.text(code);
                (self.name(column).to_owned(), Value::from(text))
            };
            document["values"] = Value::Object(
                known
                    .chain([(play.target, example.value)])
                    .map(value)
                    .collect(),
            );
        }
        document["text"] = sentence::inference(self, play, example).into();
        document
    }

    fn reconstruction_document(&self, found: &Reconstruction) -> Value {
        let share = |people: f64| rounded(people / found.people.max(1) as f64);
        json!({
            "columns": self.columns(&found.columns),
            "people": found.people,
            "plain_share": share(found.plain as f64),
            "chance_share": share(found.chance),
            "estimates": found.estimates.iter().map(|estimate| self.estimate_document(found, estimate)).collect::<Vec<_>>(),
        })
    }

    fn estimate_document(&self, found: &Reconstruction, estimate: &Estimate) -> Value {
        let share = |people: f64| rounded(people / found.people.max(1) as f64);
        json!({
            "rounds": estimate.rounds,
            "settled": estimate.settled,
            "right": estimate.right,
            "right_share": share(estimate.right as f64),
            "blind_share": share(estimate.blind),
            "inferred": estimate.inferences.iter().map(|one| self.inferred_document(one)).collect::<Vec<_>>(),
        })
    }

    fn inferred_document(&self, one: &Inferred) -> Value {
        json!({
            "knows": self.name(one.known),
            "target": self.name(one.target),
            "people": one.people,
            "mean_posterior": rounded(one.mean_posterior),
            "mean_without": rounded(one.mean_without),
            "determined": one.determined,
            "newly": one.newly,
            "misled": one.misled,
        })
    }
}

fn view(view: &View) -> Value {
    json!({
        "certain": view.certain,
        "newly": view.newly,
        "below_k": view.below_k,
        "alone": view.alone,
        "mean_posterior": rounded(view.mean_posterior),
        "largest_posterior": rounded(view.largest_posterior),
    })
}

/// Four places are enough for a share.
pub fn rounded(share: f64) -> f64 {
    (share * 10_000.0).round() / 10_000.0
}
