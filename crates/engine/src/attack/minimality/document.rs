//! The document `mingle.attack-minimality/1`; see `docs/reference/attack-minimality.md`.

use super::Played;
use crate::attack::rounded;
use mingle_assess::attack::minimality::{
    FlaggingPlay, InferredColumn, InferredUnit, Named, NamedAtConfidence,
};
use mingle_record::GroupLabels;
use mingle_record::answer::{
    MinimalityAnswer, MinimalityInference, MinimalityLevel, MinimalityMeans, MinimalityPlay,
    MinimalityTarget, NamedPeople,
};
use mingle_record::schema::AttackMinimalitySchema;

impl Played<'_> {
    pub fn answer(&self) -> MinimalityAnswer {
        let found = self.found;
        MinimalityAnswer {
            schema: AttackMinimalitySchema,
            verdict: self.verdict(),
            confidence: found.confidence,
            groups: self.joined.groups().len() as u64,
            records: self.joined.rows(),
            people: self.people(),
            smallest: found.smallest,
            m: self.insiders.m.0,
            plays: found.plays.iter().map(|play| self.play(play)).collect(),
            sizes_alone_not_played: self.not_run,
            inference: self.worst_inference(),
        }
    }

    /// People of the original.
    fn people(&self) -> u64 {
        let original = self.joined.original();
        let people = original.people();
        people.map_or(original.rows(), |people| people.count())
    }

    fn play(&self, play: &FlaggingPlay) -> MinimalityPlay {
        MinimalityPlay {
            rule: play.rule,
            units: play.units,
            failing: play.failing,
            flagged: play.flagged,
            flagged_failing: play.flagged_failing,
            for_insiders: play.for_insiders,
            unplaced: play.unplaced,
            cleared: play.cleared,
            estimated: play.estimated,
            base_rate: finite(play.base_rate()),
            precision: finite(play.precision()),
            likelihood_ratio: finite(play.likelihood_ratio()),
            targets: play.targets.iter().map(|t| self.target(t)).collect(),
        }
    }

    fn target(&self, target: &InferredColumn) -> MinimalityTarget {
        let [frequency, naive, calibrated] = target.mean.map(rounded);
        MinimalityTarget {
            column: self.name(target.column).to_owned(),
            people: target.people,
            mean: MinimalityMeans {
                frequency,
                naive,
                calibrated,
            },
            levels: target.levels.iter().map(level).collect(),
            inferred: named(target.inferred),
        }
    }

    fn worst_inference(&self) -> Option<MinimalityInference> {
        let (play, target) = self.found.worst()?;
        let example = target.example.as_ref()?;
        let [frequency, naive, calibrated] = example.posterior.map(rounded);
        let groups = example.groups.iter();
        Some(MinimalityInference {
            rule: play.rule,
            column: self.name(target.column).to_owned(),
            groups: groups.map(|&group| self.group(group)).collect(),
            people: example.people,
            right: example.right,
            frequency,
            naive,
            calibrated,
            value: self
                .show_values
                .then(|| self.value(target, example).to_owned()),
            text: self.inference(play, target, example),
        })
    }

    fn group(&self, group: u32) -> GroupLabels {
        self.joined
            .describe(group as usize)
            .map(|(column, label)| (column.to_owned(), label.to_owned()))
            .collect()
    }

    pub fn value(&self, target: &InferredColumn, example: &InferredUnit) -> &str {
        let column = &self.joined.sensitive()[target.column];
        column.domain.text(example.value)
    }
}

/// JSON has no infinite number.
fn finite(ratio: Option<f64>) -> Option<f64> {
    ratio.filter(|ratio| ratio.is_finite()).map(rounded)
}

fn named(named: Named) -> NamedPeople {
    NamedPeople {
        people: named.people,
        right: named.right,
    }
}

fn level(level: &NamedAtConfidence) -> MinimalityLevel {
    MinimalityLevel {
        confidence: level.confidence,
        frequency: named(level.frequency),
        naive: named(level.naive),
        calibrated: named(level.calibrated),
    }
}
