//! The minimality attack: what a reader learns from the fact that a group was not published more
//! precisely.
//!
//! **The adversary** (Wong, Fu, Wang and Pei, *Minimality attack in privacy preserving data
//! publishing*, VLDB 2007) knows everybody's quasi-identifiers and the method, and no sensitive
//! value. Methods generalize no more than they must. So where people could have been published by
//! themselves and were not, they must have failed a constraint on sensitive values, and share few
//! of them. By one of two rules the reader finds such people, called units here:
//!
//! * [`MinimalityRule::DenseTuple`]: a tuple of quasi-identifiers that enough people share was not
//!   published as it is.
//! * [`MinimalityRule::SizesAlone`]: the reader runs the method with the promised sizes alone,
//!   which takes no sensitive value; a group of that run was not published. Only for m = 0: who
//!   contributed which row is unknown to the reader.
//!
//! **The inference.** The n people of a flagged unit have n of the rows of a group that covers
//! them, or what n of its people have; any choice is as likely as any other ([`FailingDraw`]). Given that the choice failed, some
//! values become likelier than their share of the group, which is what the release admits anyway.
//! The naive reader believes that every flagged unit failed. The calibrated one weighs the flag by
//! how much likelier it is of a unit that fails than of one that passes (`calibration`), and what
//! that reader infers decides. Where several groups cover a unit, each of their rows is as likely
//! to be a certain person's as any other.
//!
//! **The truth** is known here: how many units failed, and what people have. [`FlaggingPlay`] says
//! how good the rule is (precision, base rate, likelihood ratio), and how many people are inferred
//! beyond the group's frequency, how surely, and how often rightly.
//!
//! **People with several rows.** The reader knows everybody's profile, the tuples of all of
//! somebody's rows, and can link the rows of a person in the release: it sees what each person of a
//! group has ([`Holdings`]) and not who she is. Units are people who share a profile, or the people
//! of a group of the run with sizes alone. A value is inferred that somebody has in some row.
//!
//! **Assumptions.** Each row is one person, unless the tables say whose each row is. A unit is in
//! one group as a whole, or nothing is inferred about it. The reader does not know how many rows
//! somebody has beyond the tuples of her profile, and so rules out nobody by her number of rows. Constraints are those for the outsider: with m > 0 a tuple may also have been
//! merged because of coalitions, which the reader cannot tell apart; such tuples count as passing
//! ([`FlaggingPlay::for_insiders`]).
//!
//! Cost: finding the groups that cover each tuple, and a draw for each pair of a group and a number
//! of people.

mod calibration;
mod draw;
mod holdings;
mod play;
mod units;

pub use draw::{FailingDraw, Question};
pub use holdings::{HoldingCount, Holdings};
pub use mingle_record::answer::{MinimalityRule, UnitTally};
pub use play::{FlaggingPlay, InferredColumn, InferredUnit, Named, NamedAtConfidence};

use super::background_join::Joined;
use mingle_model::{PersonRows, Published};
use mingle_privacy::{Error, Insiders, Promise, Requirement};
use units::UnitSearch;

/// The confidences that are always reported.
pub const LEVELS: [f64; 7] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0];

/// What is promised, and by which method it can be played.
#[derive(Clone, Copy)]
pub struct MinimalityOptions<'a> {
    /// What is promised about the release.
    pub promises: &'a [Promise],
    /// Against whom.
    pub insiders: Insiders,
    /// What the method makes of the original if only the promised sizes are asked for.
    pub sizes_alone: Option<&'a Published>,
    /// How sure the reader must be of a value to be said to have inferred it.
    pub confidence: f64,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Minimality {
    /// How sure the reader must be.
    pub confidence: f64,
    /// The fewest people that can be published by themselves.
    pub smallest: u64,
    /// One by each rule; none where no constraint looks at sensitive values.
    pub plays: Vec<FlaggingPlay>,
}

impl Minimality {
    /// The play and the column in which most people are inferred at the chosen confidence; the
    /// first of equals.
    pub fn worst(&self) -> Option<(&FlaggingPlay, &InferredColumn)> {
        let all = self
            .plays
            .iter()
            .flat_map(|play| play.targets.iter().map(move |target| (play, target)));
        all.filter(|(_, target)| target.inferred.people > 0)
            .rev()
            .max_by_key(|(_, target)| target.inferred.people)
    }
}

/// Plays the reader.
pub fn play(joined: &Joined<'_>, options: MinimalityOptions<'_>) -> Result<Minimality, Error> {
    let holdings = Holdings::new(joined);
    let requirement = bound(joined, &holdings, options.promises)?;
    let against = bound(joined, &holdings, options.promises)?.against(options.insiders);
    let question = Question::new(&requirement, &holdings, holdings.largest());
    let smallest = requirement.smallest_group();
    let units = UnitSearch {
        joined,
        holdings: &holdings,
        question: &question,
        against: &against,
        smallest,
    };
    let mut plays = Vec::new();
    if question.is_asked() {
        plays.push(play::play(
            &holdings,
            &question,
            MinimalityRule::DenseTuple,
            units.dense_tuples(),
            options.confidence,
        ));
        let by_sizes = options.sizes_alone.map(|alone| units.sizes_alone(alone));
        plays.extend(by_sizes.map(|units| {
            play::play(
                &holdings,
                &question,
                MinimalityRule::SizesAlone,
                units,
                options.confidence,
            )
        }));
    }
    Ok(Minimality {
        confidence: options.confidence,
        smallest,
        plays,
    })
}

/// The promises, bound to what is published: t-closeness compares with that.
fn bound(
    joined: &Joined<'_>,
    holdings: &Holdings<'_>,
    promises: &[Promise],
) -> Result<Requirement, Error> {
    let original = joined.original();
    let Some(people) = original.people() else {
        let mut published = vec![0; original.combinations().len()];
        for held in joined.groups().iter().flatten() {
            published[held.combination as usize] += held.count;
        }
        return Requirement::bind(promises, original.sensitive(), &published);
    };
    let mut kinds = holdings.published_kinds();
    // behind them the people of the original with their providers, as nobody: units are made of them
    for alike in people.kinds().iter() {
        let providers = alike.providers.iter().copied();
        kinds.push(0, alike.entries.iter().copied(), providers);
    }
    Requirement::bind_people(promises, original.sensitive(), &kinds, PersonRows::Together)
}

#[cfg(test)]
mod people_tests;
#[cfg(test)]
mod tests;
