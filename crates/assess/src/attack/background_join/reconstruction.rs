//! Re-linking fragmented sensitive attributes by conditional probability (Nielsen et al., D2Pt,
//! section 3.7).
//!
//! **The adversary** has the fragmented tables and nothing else. Inside a group any pairing of two
//! attributes' values is possible, but over many groups the tables tell which values go together
//! (`fit`); in each group the adversary then bets on the likeliest pairing (`pairing`). Fragmenting
//! does not prevent that, and neither does t-closeness: it compares each attribute's counts with
//! those of the table, and no pairing changes them. The stronger two attributes depend on each
//! other, the more is re-linked.
//!
//! **The measures.** *Right*: people whose pair is in the guess, counted as multisets group by
//! group (the overlap of guessed and true counts), over all people. *Chance*: the same for a random
//! pairing. *Plain*: the same bet without an estimate, on the mean of all pairings. *Blind*: what
//! the guess would get right, on average, if the true pairing were random: where the values have
//! nothing to do with each other, right scatters around it. What is right beyond plain was learnt;
//! below it the estimate did more harm than good. Two adversaries are played, one who estimates
//! once and one who goes on until nothing changes.
//!
//! Then the estimate as background knowledge: a reader who knows one value of a person, and the
//! person's group, takes the other from the estimated counts beside it. A value is *determined*
//! where that gives it at least [`DETERMINED`]. Estimates can be wrong: those who are given another
//! value that firmly are counted as *misled*.
//!
//! Cost: see `fit`; refused beyond [`CELLS`] pairs of values within groups.

mod chance;
mod fit;
mod pairing;

use super::joined::Joined;
use fit::{Fit, Margins};
use mingle_model::Code;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::BTreeMap;

/// The probability from which a value counts as determined.
pub const DETERMINED: f64 = 0.95;

/// More pairs of values within groups are not played.
pub const CELLS: usize = 5_000_000;

/// Visits of pairs that an estimate may take.
const BUDGET: u64 = 3_000_000_000;

/// How well two sensitive columns are re-linked.
#[derive(Clone, PartialEq, Debug)]
pub struct Reconstruction {
    /// The columns' places, ascending.
    pub columns: [usize; 2],
    /// How many people are published.
    pub people: u64,
    /// What a random pairing gets right on average.
    pub chance: f64,
    /// People whose pair is right where the mean of all pairings is bet on.
    pub plain: u64,
    /// By the first round of the estimate, and by all of them.
    pub estimates: [Estimate; 2],
}

/// What one estimate is good for.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// How many rounds it took.
    pub rounds: usize,
    /// Whether further rounds would have changed nothing.
    pub settled: bool,
    /// People whose pair is re-linked rightly.
    pub right: u64,
    /// What the same guess would get right on average if the true pairing were random.
    pub blind: f64,
    /// Who knows the first column about the second, and the other way round.
    pub inferences: [Inferred; 2],
}

/// What the estimate tells a reader who knows a person's group and one value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Inferred {
    /// The column that is known.
    pub known: usize,
    /// The column that is inferred.
    pub target: usize,
    /// People who have a value there.
    pub people: u64,
    /// The estimated posterior of the true value, mean over people.
    pub mean_posterior: f64,
    /// The mean where nothing is estimated: the value's share of the group.
    pub mean_without: f64,
    /// People whose true value is determined.
    pub determined: u64,
    /// Those of them whose value the group alone does not determine.
    pub newly: u64,
    /// People of whom another value seems determined.
    pub misled: u64,
}

/// Re-links two columns; `None` if there are too many pairs.
pub(super) fn reconstruct(
    joined: &Joined<'_>,
    columns: [usize; 2],
    seed: u64,
) -> Option<Reconstruction> {
    let groups: Vec<Truth> = (0..joined.groups().len())
        .map(|group| Truth::new(joined, group, columns))
        .collect();
    if groups
        .iter()
        .map(|group| group.margins.cells())
        .sum::<usize>()
        > CELLS
    {
        return None;
    }
    let (margins, pairs): (Vec<Margins>, Vec<Vec<u64>>) =
        groups.into_iter().map(|g| (g.margins, g.pairs)).unzip();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let plain: Vec<Vec<f64>> = margins.iter().map(Margins::independent).collect();
    let plain = guesses(&margins, &plain, &mut rng);
    let estimate = |fit: Fit| {
        let guesses = guesses(&margins, &fit.tables, &mut rng);
        let infer = |known, target| {
            infer(
                joined,
                (&margins, &fit.tables, &pairs),
                known,
                target,
                known > target,
            )
        };
        Estimate {
            rounds: fit.rounds,
            settled: fit.settled,
            right: overlap(&guesses, &pairs),
            blind: by_chance(&margins, &guesses),
            inferences: [infer(columns[0], columns[1]), infer(columns[1], columns[0])],
        }
    };
    Some(Reconstruction {
        columns,
        people: joined.rows(),
        chance: by_chance(&margins, &pairs),
        plain: overlap(&plain, &pairs),
        estimates: fit::fit(&margins, BUDGET).map(estimate),
    })
}

/// The pairing to bet on in each group.
fn guesses(groups: &[Margins], tables: &[Vec<f64>], rng: &mut ChaCha8Rng) -> Vec<Vec<u64>> {
    groups
        .iter()
        .zip(tables)
        .map(|(group, table)| pairing::pairing(group, table, rng))
        .collect()
}

/// How many pairs two pairings have in common, group by group.
fn overlap(guesses: &[Vec<u64>], pairs: &[Vec<u64>]) -> u64 {
    guesses
        .iter()
        .flatten()
        .zip(pairs.iter().flatten())
        .map(|(guessed, held)| guessed.min(held))
        .sum()
}

/// What a group's fragments say, and what they do not: how many people have each pair, row by row.
struct Truth {
    margins: Margins,
    pairs: Vec<u64>,
}

impl Truth {
    fn new(joined: &Joined<'_>, group: usize, columns: [usize; 2]) -> Truth {
        let codes = columns.map(|column| &joined.sensitive()[column].codes);
        let mut held: BTreeMap<(Code, Code), u64> = BTreeMap::new();
        let (mut rows, mut across) = (BTreeMap::new(), BTreeMap::new());
        for h in &joined.groups()[group] {
            let [a, b] = codes.map(|codes| codes.get(h.combination as usize));
            *held.entry((a, b)).or_default() += h.count;
            *rows.entry(a).or_default() += h.count;
            *across.entry(b).or_default() += h.count;
        }
        let pair = |a: Code, b: Code| held.get(&(a, b)).copied().unwrap_or(0);
        let pairs = rows
            .keys()
            .flat_map(|&a| across.keys().map(move |&b| pair(a, b)))
            .collect();
        let size = joined.size(group);
        Truth {
            margins: Margins {
                rows: rows.into_iter().collect(),
                columns: across.into_iter().collect(),
                size,
            },
            pairs,
        }
    }
}

/// How many of the counted pairs a random pairing has, on average.
fn by_chance(groups: &[Margins], pairs: &[Vec<u64>]) -> f64 {
    let of_group = |(group, pairs): (&Margins, &Vec<u64>)| -> f64 {
        let width = group.columns.len();
        let counted = pairs.iter().enumerate().filter(|(_, count)| **count > 0);
        let mean = |(cell, &count): (usize, &u64)| {
            chance::overlap(
                group.size,
                group.rows[cell / width].1,
                group.columns[cell % width].1,
                count,
            )
        };
        counted.map(mean).sum()
    };
    groups.iter().zip(pairs).map(of_group).sum()
}

/// Margins, estimated tables and true pairs, group by group.
type Tables<'a> = (&'a [Margins], &'a [Vec<f64>], &'a [Vec<u64>]);

/// `across`: the known column is the second of the tables.
fn infer(
    joined: &Joined<'_>,
    tables: Tables<'_>,
    known: usize,
    target: usize,
    across: bool,
) -> Inferred {
    let missing = joined.sensitive()[target].domain.missing();
    let mut inferred = Inferred {
        known,
        target,
        ..Inferred::default()
    };
    let (mut sum, mut without) = (0.0, 0.0);
    for ((group, estimated), pairs) in tables.0.iter().zip(tables.1).zip(tables.2) {
        let (knowns, targets) = if across {
            (&group.columns, &group.rows)
        } else {
            (&group.rows, &group.columns)
        };
        let cell = |k: usize, t: usize| {
            if across {
                t * knowns.len() + k
            } else {
                k * targets.len() + t
            }
        };
        let told: Vec<usize> = (0..targets.len())
            .filter(|&t| Some(targets[t].0) != missing)
            .collect();
        let shares = distribution(told.iter().map(|&t| targets[t].1 as f64));
        for k in 0..knowns.len() {
            let posteriors = distribution(told.iter().map(|&t| estimated[cell(k, t)]));
            for (place, &t) in told.iter().enumerate() {
                let people = pairs[cell(k, t)];
                inferred.people += people;
                sum += posteriors[place] * people as f64;
                without += shares[place] * people as f64;
                let determined = posteriors[place] >= DETERMINED;
                let other = posteriors
                    .iter()
                    .enumerate()
                    .any(|(at, &p)| at != place && p >= DETERMINED);
                inferred.determined += if determined { people } else { 0 };
                inferred.newly += if determined && shares[place] < DETERMINED {
                    people
                } else {
                    0
                };
                inferred.misled += if other { people } else { 0 };
            }
        }
    }
    let people = inferred.people.max(1) as f64;
    Inferred {
        mean_posterior: sum / people,
        mean_without: without / people,
        ..inferred
    }
}

/// Counts as shares of their sum.
fn distribution(counts: impl Iterator<Item = f64>) -> Vec<f64> {
    let counts: Vec<f64> = counts.collect();
    let sum: f64 = counts.iter().sum();
    counts
        .into_iter()
        .map(|count| if sum > 0.0 { count / sum } else { 0.0 })
        .collect()
}
