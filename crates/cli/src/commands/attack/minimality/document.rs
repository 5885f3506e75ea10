//! The document `mingle.attack-minimality/1`; see `docs/reference/attack-minimality.md`.

use super::Played;
use crate::commands::attack::background_join::rounded;
use mingle_assess::attack::minimality::{Example, Level, Named, Play, Tally, Target};
use serde_json::{Map, Value, json};

impl Played<'_> {
    pub fn to_json(&self) -> Value {
        let found = &self.found;
        json!({
            "schema": "mingle.attack-minimality/1",
            "verdict": self.verdict(),
            "confidence": found.confidence,
            "groups": self.joined.groups().len(),
            "records": self.joined.rows(),
            "people": self.joined.original().rows(),
            "smallest": found.smallest,
            "m": self.insiders.m,
            "plays": found.plays.iter().map(|play| self.play_document(play)).collect::<Vec<_>>(),
            "sizes_alone_not_played": self.not_run,
            "inference": found.worst().and_then(|(play, target)| {
                target.example.as_ref().map(|example| self.inference_document(play, target, example))
            }),
        })
    }

    fn play_document(&self, play: &Play) -> Value {
        let finite = |ratio: Option<f64>| ratio.filter(|ratio| ratio.is_finite()).map(rounded);
        json!({
            "rule": play.rule.name(),
            "units": tally(play.units),
            "failing": tally(play.failing),
            "flagged": tally(play.flagged),
            "flagged_failing": tally(play.flagged_failing),
            "for_insiders": tally(play.for_insiders),
            "unplaced": tally(play.unplaced),
            "cleared": tally(play.cleared),
            "estimated": tally(play.estimated),
            "base_rate": finite(play.base_rate()),
            "precision": finite(play.precision()),
            "likelihood_ratio": finite(play.likelihood_ratio()),
            "targets": play.targets.iter().map(|target| self.target_document(target)).collect::<Vec<_>>(),
        })
    }

    fn target_document(&self, target: &Target) -> Value {
        let [frequency, naive, calibrated] = target.mean.map(rounded);
        json!({
            "column": self.name(target.column),
            "people": target.people,
            "mean": { "frequency": frequency, "naive": naive, "calibrated": calibrated },
            "levels": target.levels.iter().map(level).collect::<Vec<_>>(),
            "inferred": named(target.inferred),
        })
    }

    fn inference_document(&self, play: &Play, target: &Target, example: &Example) -> Value {
        let group = |&group: &u32| -> Map<String, Value> {
            self.joined
                .describe(group as usize)
                .map(|(column, label)| (column.to_owned(), label.into()))
                .collect()
        };
        let [frequency, naive, calibrated] = example.posterior.map(rounded);
        let mut document = json!({
            "rule": play.rule.name(),
            "column": self.name(target.column),
            "groups": example.groups.iter().map(group).collect::<Vec<_>>(),
            "people": example.people,
            "right": example.right,
            "frequency": frequency,
            "naive": naive,
            "calibrated": calibrated,
        });
        if self.show_values {
            document["value"] = self.joined.sensitive()[target.column]
                .domain
                .text(example.value)
                .into();
        }
        document["text"] = self.inference(play, target, example).into();
        document
    }
}

fn tally(tally: Tally) -> Value {
    json!({ "units": tally.units, "people": tally.people })
}

fn named(named: Named) -> Value {
    json!({ "people": named.people, "right": named.right })
}

fn level(level: &Level) -> Value {
    json!({
        "confidence": level.confidence,
        "frequency": named(level.frequency),
        "naive": named(level.naive),
        "calibrated": named(level.calibrated),
    })
}
