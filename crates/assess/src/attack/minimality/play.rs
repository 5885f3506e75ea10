//! One rule played: who is flagged, what each reader makes of it, and what is true.

use super::calibration::{UnitSeen, belief, factors};
use super::draw::{FailingDraw, Question};
use super::holdings::Holdings;
use super::units::PeopleUnit;
use super::{LEVELS, MinimalityRule, UnitTally};
use mingle_model::Code;
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Probabilities this close are equal: they come from sums of floating-point numbers.
const CLOSE: f64 = 1e-9;

/// What a rule finds.
#[derive(Clone, PartialEq, Debug)]
pub struct FlaggingPlay {
    /// By what units are found.
    pub rule: MinimalityRule,
    /// People who could have been published by themselves.
    pub units: UnitTally,
    /// Of these, those that fail a constraint on sensitive values.
    pub failing: UnitTally,
    /// Those that were not published by themselves.
    pub flagged: UnitTally,
    /// Those of them that fail.
    pub flagged_failing: UnitTally,
    /// Flagged units that pass for the outsider and fail because of coalitions.
    pub for_insiders: UnitTally,
    /// Flagged units that no single group can hold: nothing is inferred about them.
    pub unplaced: UnitTally,
    /// Flagged units that cannot have failed, by the values of the groups they may be in.
    pub cleared: UnitTally,
    /// Flagged units whose chances are estimates.
    pub estimated: UnitTally,
    /// By sensitive column what readers infer.
    pub targets: Vec<InferredColumn>,
}

/// What readers infer about one sensitive column of the people of flagged units.
#[derive(Clone, PartialEq, Debug)]
pub struct InferredColumn {
    /// The column's place among the sensitive ones.
    pub column: usize,
    /// People of flagged units that a group can hold.
    pub people: u64,
    /// The mean probability of the true value, or of all values of a person who has several: by the
    /// group's frequency, for the naive and for the calibrated reader.
    pub mean: [f64; 3],
    /// At each confidence how many people's values are named.
    pub levels: Vec<NamedAtConfidence>,
    /// What the calibrated reader infers at the chosen confidence.
    pub inferred: Named,
    /// The unit of which that reader learns most.
    pub example: Option<InferredUnit>,
}

/// Whose values are named at some confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedAtConfidence {
    /// How sure the reader is at least.
    pub confidence: f64,
    /// By the group's frequency alone.
    pub frequency: Named,
    /// By the naive reader, and not by frequency.
    pub naive: Named,
    /// By the calibrated reader, and not by frequency.
    pub calibrated: Named,
}

/// People whose value is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Named {
    /// How many.
    pub people: u64,
    /// How many of them have it.
    pub right: u64,
}

/// A unit of which something is inferred.
#[derive(Clone, PartialEq, Debug)]
pub struct InferredUnit {
    /// The groups it may be in.
    pub groups: Vec<u32>,
    /// How many people.
    pub people: u64,
    /// The value that is named.
    pub value: Code,
    /// The frequency of that value, and how likely the naive and the calibrated reader hold it.
    pub posterior: [f64; 3],
    /// How many of the people have it.
    pub right: u64,
}

impl FlaggingPlay {
    /// The share of flagged units that fail: how often the naive reader is right.
    pub fn precision(&self) -> Option<f64> {
        share(self.flagged_failing.units, self.flagged.units)
    }

    /// The share of all units that fail.
    pub fn base_rate(&self) -> Option<f64> {
        share(self.failing.units, self.units.units)
    }

    /// How much likelier a unit that fails is flagged than one that passes; infinite where none
    /// that passes is.
    pub fn likelihood_ratio(&self) -> Option<f64> {
        let failing = share(self.flagged_failing.units, self.failing.units)?;
        let passing = share(
            self.flagged.units - self.flagged_failing.units,
            self.units.units - self.failing.units,
        )?;
        (failing > 0.0 || passing > 0.0).then_some(failing / passing)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Plays both readers on the flagged ones of these units.
pub fn play(
    holdings: &Holdings<'_>,
    question: &Question<'_>,
    rule: MinimalityRule,
    units: Vec<PeopleUnit>,
    confidence: f64,
) -> FlaggingPlay {
    let flagged: Vec<&PeopleUnit> = units.iter().filter(|unit| !unit.published).collect();
    let placed: Vec<&PeopleUnit> = flagged
        .iter()
        .copied()
        .filter(|unit| !unit.groups.is_empty())
        .collect();
    let draws = draws(holdings, question, &placed);
    let views: Vec<View> = placed
        .par_iter()
        .map(|unit| View::new(holdings, unit, &draws))
        .collect();
    let beliefs = beliefs(&units, &views);
    let estimated = |unit: &PeopleUnit| {
        unit.groups
            .iter()
            .any(|&group| draws[&(group, unit.people)].estimated)
    };
    let columns = 0..holdings.sensitive().len();
    FlaggingPlay {
        rule,
        units: tally(&units, |_| true),
        failing: tally(&units, |unit| unit.fails),
        flagged: tally(flagged.iter().copied(), |_| true),
        flagged_failing: tally(flagged.iter().copied(), |unit| unit.fails),
        for_insiders: tally(flagged.iter().copied(), |unit| unit.for_insiders),
        unplaced: tally(flagged.iter().copied(), |unit| unit.groups.is_empty()),
        cleared: tally(
            views
                .iter()
                .filter(|view| view.failing <= 0.0)
                .map(|view| view.unit),
            |_| true,
        ),
        estimated: tally(placed.iter().copied(), estimated),
        targets: columns
            .map(|column| target(holdings, &views, &beliefs, column, confidence))
            .collect(),
    }
}

fn tally<'u>(
    units: impl IntoIterator<Item = &'u PeopleUnit>,
    which: impl Fn(&PeopleUnit) -> bool,
) -> UnitTally {
    let add = |sum: UnitTally, unit: &PeopleUnit| UnitTally {
        units: sum.units + 1,
        people: sum.people + unit.people,
    };
    units
        .into_iter()
        .filter(|unit| which(unit))
        .fold(UnitTally::default(), add)
}

/// How far the calibrated reader believes that each of the placed units failed.
fn beliefs(units: &[PeopleUnit], views: &[View<'_>]) -> Vec<f64> {
    let seen = |unit: &PeopleUnit| UnitSeen {
        people: unit.people,
        flagged: !unit.published,
        fails: unit.fails,
    };
    let factors = factors(&units.iter().map(seen).collect::<Vec<_>>());
    let placed = |(unit, _): &(&PeopleUnit, f64)| !unit.published && !unit.groups.is_empty();
    let of_views = units
        .iter()
        .zip(factors)
        .filter(placed)
        .map(|(_, factor)| factor);
    views
        .iter()
        .zip(of_views)
        .map(|(view, factor)| belief(view.failing, factor))
        .collect()
}

/// One draw for each group and number of people that occur together.
fn draws(
    holdings: &Holdings<'_>,
    question: &Question<'_>,
    units: &[&PeopleUnit],
) -> HashMap<(u32, u64), FailingDraw> {
    let mut pairs: Vec<(u32, u64)> = units
        .iter()
        .flat_map(|unit| unit.groups.iter().map(|&group| (group, unit.people)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let draw = |&(group, people): &(u32, u64)| {
        let seed = u64::from(group) << 32 ^ people;
        (
            (group, people),
            question.draw(&holdings.groups()[group as usize], people, seed),
        )
    };
    pairs.par_iter().map(draw).collect()
}

/// What the groups that may hold a unit say about its people.
struct View<'u> {
    unit: &'u PeopleUnit,
    /// How likely a random draw fails.
    failing: f64,
    /// Per holding its frequency, and how likely a person has it if the unit failed.
    holdings: BTreeMap<u32, [f64; 2]>,
}

impl<'u> View<'u> {
    /// Every holding of these groups is as likely to be a certain person's as any other.
    fn new(
        holdings: &Holdings<'_>,
        unit: &'u PeopleUnit,
        draws: &HashMap<(u32, u64), FailingDraw>,
    ) -> Self {
        let all: u64 = unit
            .groups
            .iter()
            .map(|&group| holdings.size(group as usize))
            .sum();
        let mut view = View {
            unit,
            failing: 0.0,
            holdings: BTreeMap::new(),
        };
        for &group in &unit.groups {
            let draw = &draws[&(group, unit.people)];
            let weight = holdings.size(group as usize) as f64 / all as f64 * draw.failing;
            view.failing += weight;
            for (held, share) in holdings.groups()[group as usize].iter().zip(&draw.shares) {
                let [frequency, failed] = view.holdings.entry(held.holding).or_default();
                *frequency += held.people as f64 / all as f64;
                *failed += weight * share;
            }
        }
        if view.failing > 0.0 {
            view.holdings
                .values_mut()
                .for_each(|[_, failed]| *failed /= view.failing);
        }
        view
    }

    /// Per value of a column how likely a person of the unit has it: by frequency, naively, and
    /// calibrated.
    fn values(
        &self,
        holdings: &Holdings<'_>,
        column: usize,
        belief: f64,
    ) -> BTreeMap<Code, [f64; 3]> {
        let mut values: BTreeMap<Code, [f64; 2]> = BTreeMap::new();
        for (&holding, own) in &self.holdings {
            for code in holdings.values(holding, column) {
                let sum = values.entry(code).or_default();
                (sum[0], sum[1]) = (sum[0] + own[0], sum[1] + own[1]);
            }
        }
        let posterior = |[frequency, failed]: [f64; 2]| {
            if self.failing <= 0.0 {
                return [frequency; 3];
            }
            let passed = if self.failing < 1.0 {
                ((frequency - self.failing * failed) / (1.0 - self.failing)).max(0.0)
            } else {
                failed
            };
            [frequency, failed, belief * failed + (1.0 - belief) * passed]
        };
        values
            .into_iter()
            .map(|(code, own)| (code, posterior(own)))
            .collect()
    }
}

/// What readers infer about a column.
fn target(
    holdings: &Holdings<'_>,
    views: &[View<'_>],
    beliefs: &[f64],
    column: usize,
    confidence: f64,
) -> InferredColumn {
    let at = |confidence| NamedAtConfidence {
        confidence,
        frequency: Named::default(),
        naive: Named::default(),
        calibrated: Named::default(),
    };
    let mut chosen = at(confidence);
    let mut found = InferredColumn {
        column,
        people: views.iter().map(|view| view.unit.people).sum(),
        mean: [0.0; 3],
        levels: LEVELS.map(at).into(),
        inferred: Named::default(),
        example: None,
    };
    let missing = holdings.sensitive()[column].domain.missing();
    for (view, &belief) in views.iter().zip(beliefs) {
        let values = view.values(holdings, column, belief);
        let truth = truth(holdings, view.unit, column);
        for held in &view.unit.held {
            let own = holdings.values(held.holding, column);
            let weight = held.people as f64 / own.len() as f64;
            for code in own {
                let posterior = values.get(&code).copied().unwrap_or_default();
                for (mean, p) in found.mean.iter_mut().zip(posterior) {
                    *mean += p * weight;
                }
            }
        }
        // a missing value is nothing to be learnt
        let learnt = || values.iter().filter(|(code, _)| Some(**code) != missing);
        let bets = [0, 1, 2].map(|reader| bet(learnt(), reader, &truth));
        found
            .levels
            .iter_mut()
            .chain([&mut chosen])
            .for_each(|level| level.add(view.unit.people, &bets));
        let [_, _, calibrated] = bets;
        if let Some(bet) = calibrated.filter(|bet| bet.is_beyond(2, confidence)) {
            let (groups, people) = (view.unit.groups.clone(), view.unit.people);
            let example = InferredUnit {
                groups,
                people,
                value: bet.value,
                posterior: bet.posterior,
                right: bet.right,
            };
            found.example = Some(
                found
                    .example
                    .take()
                    .map_or(example.clone(), |other| other.or(example)),
            );
        }
    }
    found.inferred = chosen.calibrated;
    found.mean = found.mean.map(|sum| sum / found.people.max(1) as f64);
    found
}

/// What a reader would say that a person has.
#[derive(Clone, Copy)]
struct Bet {
    value: Code,
    /// How likely it is by frequency, naively, and calibrated.
    posterior: [f64; 3],
    /// How many of the unit's people have it.
    right: u64,
}

impl Bet {
    /// Whether a reader is sure enough of it and the frequency is not.
    fn is_beyond(&self, reader: usize, confidence: f64) -> bool {
        self.posterior[reader] + CLOSE >= confidence && self.posterior[0] + CLOSE < confidence
    }
}

/// The likeliest value for one of the readers, the first of equals.
fn bet<'v>(
    values: impl Iterator<Item = (&'v Code, &'v [f64; 3])>,
    reader: usize,
    truth: &BTreeMap<Code, u64>,
) -> Option<Bet> {
    let right = |value: Code| truth.get(&value).copied().unwrap_or(0);
    let better = |best: Option<Bet>, (&value, &posterior): (&Code, &[f64; 3])| match best {
        Some(best) if best.posterior[reader] + CLOSE >= posterior[reader] => Some(best),
        _ => Some(Bet {
            value,
            posterior,
            right: right(value),
        }),
    };
    values.fold(None, better)
}

impl NamedAtConfidence {
    /// Adds a unit, given the bets of all readers.
    fn add(&mut self, people: u64, [frequency, naive, calibrated]: &[Option<Bet>; 3]) {
        let confidence = self.confidence;
        let frequency = frequency.filter(|bet| bet.posterior[0] + CLOSE >= confidence);
        self.frequency.add(people, frequency);
        self.naive
            .add(people, naive.filter(|bet| bet.is_beyond(1, confidence)));
        self.calibrated.add(
            people,
            calibrated.filter(|bet| bet.is_beyond(2, confidence)),
        );
    }
}

impl Named {
    fn add(&mut self, people: u64, bet: Option<Bet>) {
        self.people += bet.map_or(0, |_| people);
        self.right += bet.map_or(0, |bet| bet.right);
    }
}

impl InferredUnit {
    /// The one of which more is learnt.
    fn or(self, other: InferredUnit) -> InferredUnit {
        let gain = |example: &InferredUnit| example.posterior[2] - example.posterior[0];
        if gain(&other) > gain(&self) + CLOSE {
            other
        } else {
            self
        }
    }
}

/// How many people of a unit have each value.
fn truth(holdings: &Holdings<'_>, unit: &PeopleUnit, column: usize) -> BTreeMap<Code, u64> {
    let mut values = BTreeMap::new();
    for held in &unit.held {
        for code in holdings.values(held.holding, column) {
            *values.entry(code).or_default() += held.people;
        }
    }
    values
}
