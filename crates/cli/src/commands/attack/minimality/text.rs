//! The result for people: at most 80 columns.

use crate::message::wrap;
use mingle::attack::minimality::MinimalityOutcome;
use mingle_assess::attack::minimality::{
    FlaggingPlay, InferredColumn, MinimalityRule, Named, NamedAtConfidence, UnitTally,
};

/// What is shown of an attack.
pub struct MinimalityText<'a>(pub &'a MinimalityOutcome);

impl MinimalityText<'_> {
    pub fn to_text(&self) -> String {
        let mut parts = vec![self.heading()];
        parts.extend(self.0.found.plays.iter().map(|play| self.play(play)));
        parts.extend([self.remarks(), self.example()]);
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn heading(&self) -> String {
        let heading = format!(
            "minimality, by a reader who knows all quasi-identifiers and the method: {}\ngroups {}, people {}, published {}; \
             {} people can be published by themselves",
            self.0.answer.verdict,
            self.0.answer.groups,
            self.0.answer.people,
            self.0.answer.records,
            self.0.found.smallest
        );
        wrap(&heading)
    }

    fn play(&self, play: &FlaggingPlay) -> String {
        let (title, units) = match play.rule {
            MinimalityRule::DenseTuple => (
                "dense tuples, flagged where not published as they are",
                "dense tuples",
            ),
            MinimalityRule::SizesAlone => (
                "groups by sizes alone, flagged where not published",
                "groups by sizes alone",
            ),
        };
        let mut text = format!("{title}\n  {:<34}{:>10}{:>10}\n", "", "number", "people");
        let lines = [
            (units, play.units),
            ("that fail", play.failing),
            ("flagged", play.flagged),
            ("flagged that fail", play.flagged_failing),
            ("flagged for insiders only", play.for_insiders),
            ("flagged that cannot have failed", play.cleared),
            ("flagged that no one group can hold", play.unplaced),
            ("flagged, chances estimated", play.estimated),
        ];
        let shown = lines
            .into_iter()
            .enumerate()
            .filter(|(at, (_, tally))| *at < 4 || tally.units > 0);
        shown.for_each(|(_, (name, tally))| text.push_str(&line(name, tally)));
        text.push_str(&format!(
            "  base rate {}, precision {}, likelihood ratio {}\n",
            share(play.base_rate()),
            share(play.precision()),
            ratio(play.likelihood_ratio())
        ));
        play.targets
            .iter()
            .filter(|target| target.people > 0)
            .for_each(|target| text.push_str(&self.target(target)));
        text
    }

    fn target(&self, target: &InferredColumn) -> String {
        let [frequency, naive, calibrated] = target.mean.map(|mean| format!("{mean:.4}"));
        let mut text = format!(
            "\n  {} of {} people\n",
            self.0.name(target.column),
            target.people
        );
        text.push_str(&format!(
            "  {:<12}{:>20}{:>20}{:>20}\n  {:<12}{}\n",
            "",
            "by frequency",
            "naive, newly",
            "calibrated, newly",
            "at least",
            format!("{:>12}{:>8}", "people", "right").repeat(3)
        ));
        target
            .levels
            .iter()
            .for_each(|level| text.push_str(&level_line(level)));
        text.push_str(&format!(
            "  {:<12}{frequency:>20}{naive:>20}{calibrated:>20}\n",
            "mean"
        ));
        text
    }

    fn remarks(&self) -> String {
        if self.0.found.plays.is_empty() {
            return wrap(
                "no constraint looks at sensitive values, so that a tuple was merged tells nothing about them",
            );
        }
        let mut text = wrap(
            "flagged: could have been published alone and was not; fail: have too few values by what is promised. by \
             frequency: people whose value has at least this share of their group; naive: believes that all that is \
             flagged failed; calibrated: weighs a flag by how much likelier what fails is flagged than what passes, at about \
             that size; newly: and not by frequency; right: people who have the value; mean: how likely the true value is \
             held",
        );
        if let Some(reason) = self.0.answer.sizes_alone_not_played {
            text.push_str(&wrap(&format!(
                "the method was not run with sizes alone: {reason}"
            )));
        }
        if self.0.answer.m > 0 {
            text.push_str(&wrap(&format!(
                "m = {}: a tuple may also have been merged because of insiders, and the reader cannot tell",
                self.0.answer.m
            )));
        }
        text
    }

    fn example(&self) -> String {
        if self.0.found.plays.is_empty() {
            return String::new();
        }
        match &self.0.answer.inference {
            None => wrap(&format!(
                "nobody's value is held at least {:.0} % likely whose group's frequency does not say so",
                100.0 * self.0.found.confidence
            )),
            Some(inference) => wrap(&format!("for example, {}", inference.text)),
        }
    }
}

fn line(name: &str, tally: UnitTally) -> String {
    format!("  {name:<34}{:>10}{:>10}\n", tally.units, tally.people)
}

fn level_line(level: &NamedAtConfidence) -> String {
    let named = |named: Named| format!("{:>12}{:>8}", named.people, named.right);
    let readers = [level.frequency, level.naive, level.calibrated]
        .map(named)
        .concat();
    format!(
        "  {:<12}{readers}\n",
        format!("{:.0} %", 100.0 * level.confidence)
    )
}

fn share(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{share:.4}"))
}

fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "–".to_owned(),
        Some(ratio) if ratio.is_infinite() => "infinite".to_owned(),
        Some(ratio) => format!("{ratio:.1}"),
    }
}
