//! The document `mingle.attack-minimality/1`; see `docs/reference/attack-minimality.md`.

use super::Played;
use crate::attack::rounded;
use mingle_assess::attack::minimality::{Example, Level, Named, Play, Rule, Tally, Target};
use mingle_record::GroupLabels;
use mingle_record::answer::{
    MinimalityAnswer, MinimalityInference, MinimalityLevel, MinimalityMeans, MinimalityPlay,
    MinimalityRule, MinimalityTarget, NamedPeople, UnitTally,
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
            people: self.joined.original().rows(),
            smallest: found.smallest,
            m: self.insiders.m.0,
            plays: found.plays.iter().map(|play| self.play(play)).collect(),
            sizes_alone_not_played: self.not_run,
            inference: self.worst_inference(),
        }
    }

    fn play(&self, play: &Play) -> MinimalityPlay {
        MinimalityPlay {
            rule: rule(play.rule),
            units: tally(play.units),
            failing: tally(play.failing),
            flagged: tally(play.flagged),
            flagged_failing: tally(play.flagged_failing),
            for_insiders: tally(play.for_insiders),
            unplaced: tally(play.unplaced),
            cleared: tally(play.cleared),
            estimated: tally(play.estimated),
            base_rate: finite(play.base_rate()),
            precision: finite(play.precision()),
            likelihood_ratio: finite(play.likelihood_ratio()),
            targets: play.targets.iter().map(|t| self.target(t)).collect(),
        }
    }

    fn target(&self, target: &Target) -> MinimalityTarget {
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
            rule: rule(play.rule),
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

    pub fn value(&self, target: &Target, example: &Example) -> &str {
        let column = &self.joined.sensitive()[target.column];
        column.domain.text(example.value)
    }
}

fn rule(rule: Rule) -> MinimalityRule {
    match rule {
        Rule::DenseTuple => MinimalityRule::DenseTuple,
        Rule::SizesAlone => MinimalityRule::SizesAlone,
    }
}

/// JSON has no infinite number.
fn finite(ratio: Option<f64>) -> Option<f64> {
    ratio.filter(|ratio| ratio.is_finite()).map(rounded)
}

fn tally(tally: Tally) -> UnitTally {
    UnitTally {
        units: tally.units,
        people: tally.people,
    }
}

fn named(named: Named) -> NamedPeople {
    NamedPeople {
        people: named.people,
        right: named.right,
    }
}

fn level(level: &Level) -> MinimalityLevel {
    MinimalityLevel {
        confidence: level.confidence,
        frequency: named(level.frequency),
        naive: named(level.naive),
        calibrated: named(level.calibrated),
    }
}
