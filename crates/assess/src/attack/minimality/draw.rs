//! A draw: some people of a group, any choice of its people as likely as any other.
//!
//! The reader of a group knows what its people have ([`Holdings`]) and not who has what. For n
//! certain people every choice of n of the group's holdings is possible. Here: how likely such a
//! choice fails a constraint on sensitive values, and how likely one of the n has which holding if
//! it does. Counts of choices are hypergeometric: a_i of the c_i people of each kind, in
//! C(c_1, a_1) × C(c_2, a_2) × … ways.
//!
//! Exact for distinct l-diversity of one column with one row a person, by adding up ways over rows
//! taken and values seen, and for all other constraints where the choices of kinds can be
//! enumerated; else estimated from seeded random draws. Ways are kept as logarithms: C(30000, 200) has hundreds of digits.

use super::holdings::{HoldingCount, Holdings};
use mingle_model::{Code, Entry, ProviderId};
use mingle_privacy::{Attribute, Check, L, Requirement};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// At most so many choices of kinds are enumerated.
const ENUMERATED: u64 = 20_000;
/// For more people they are not even counted.
const COUNTED: usize = 1_000;
/// Otherwise so many are drawn.
const DRAWN: u64 = 10_000;
/// And so many where each has to be asked for sets that touch everybody.
const DRAWN_OF_PEOPLE: u64 = 2_000;
/// And so many rows at most in all.
const ROWS_DRAWN: u64 = 20_000_000;
/// Adding up ways takes at most so many steps.
const STEPS: u64 = 5_000_000;

/// What a draw comes to.
#[derive(Clone, PartialEq, Debug)]
pub struct FailingDraw {
    /// How likely it fails.
    pub failing: f64,
    /// Per holding of the group, in its order: how likely a certain one of the people has it if the
    /// draw fails. All 0 where it cannot.
    pub shares: Vec<f64>,
    /// Whether these are estimates.
    pub estimated: bool,
}

/// What is asked of a draw.
pub struct Question<'a> {
    requirement: &'a Requirement,
    /// The places of the constraints that look at sensitive values.
    constraints: Vec<usize>,
    holdings: &'a Holdings<'a>,
    /// The column and the l of distinct diversity, where that is all.
    distinct: Option<(usize, usize)>,
    /// Logarithms of factorials.
    factorials: Vec<f64>,
}

/// People of a group whom no constraint tells apart.
struct Kind {
    /// What one of them has.
    holding: u32,
    count: u64,
}

impl<'a> Question<'a> {
    /// Prepared for groups of at most `largest` people. Where people are counted, the first kinds that
    /// the requirement was bound to are the holdings.
    pub fn new(requirement: &'a Requirement, holdings: &'a Holdings<'a>, largest: u64) -> Self {
        let promises = requirement.promises();
        let constraints: Vec<usize> = (0..promises.len())
            .filter(|&at| promises[at].attribute.is_some())
            .collect();
        let mut factorials = vec![0.0];
        (1..=largest).for_each(|n| factorials.push(factorials[n as usize - 1] + (n as f64).ln()));
        Question {
            distinct: distinct(requirement),
            requirement,
            constraints,
            holdings,
            factorials,
        }
    }

    /// Whether any constraint looks at sensitive values at all.
    pub fn is_asked(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// Whether people who have this fail, so many of each holding. Undecided counts as failing, as it
    /// does in publishing.
    pub fn fails(&self, people: impl Iterator<Item = (u32, u64)> + Clone) -> bool {
        let people = people.filter(|&(_, count)| count > 0);
        let tally = if self.requirement.counts_people() {
            let kinds = people.map(|(holding, count)| (holding as usize, count));
            self.requirement.tally_kinds(kinds)
        } else {
            // each holding is one row of this combination
            let entry = |(sensitive, count)| Entry {
                sensitive,
                provider: ProviderId(0),
                count,
            };
            self.requirement.tally(people.map(entry))
        };
        self.constraints
            .iter()
            .any(|&at| self.requirement.check(at, &tally) != Check::Holds)
    }

    /// `people` of a group's people.
    pub fn draw(&self, group: &[HoldingCount], people: u64, seed: u64) -> FailingDraw {
        let (kinds, kind_of) = self.kinds(group);
        let (failing, of_kinds, estimated) = match self.distinct {
            Some((column, l)) if steps(&kinds, people, l) <= STEPS => {
                let missing = self.holdings.sensitive()[column].domain.missing();
                let is_missing = |kind: &Kind| Some(self.code(column, kind.holding)) == missing;
                let counts: Vec<(u64, bool)> = kinds
                    .iter()
                    .map(|kind| (kind.count, !is_missing(kind)))
                    .collect();
                self.add_up(&counts, people as usize, l)
            }
            _ if choices(&kinds, people) <= ENUMERATED => self.enumerate(&kinds, people),
            _ => self.sample(&kinds, people, seed),
        };
        // within a kind everybody is as likely as anybody else
        let share = |(held, &kind): (&HoldingCount, &usize)| {
            of_kinds[kind] * held.people as f64 / kinds[kind].count as f64
        };
        FailingDraw {
            failing,
            shares: group.iter().zip(&kind_of).map(share).collect(),
            estimated,
        }
    }

    /// A combination's value; a holding of one row is its combination.
    fn code(&self, column: usize, combination: u32) -> Code {
        self.holdings.sensitive()[column]
            .codes
            .get(combination as usize)
    }

    /// The kinds of a group's people, and the kind of each holding.
    fn kinds(&self, group: &[HoldingCount]) -> (Vec<Kind>, Vec<usize>) {
        let mut places: BTreeMap<Vec<(Vec<u32>, u64)>, usize> = BTreeMap::new();
        let (mut kinds, mut kind_of) = (Vec::<Kind>::new(), Vec::new());
        for held in group {
            let place = *places.entry(self.seen(held.holding)).or_insert(kinds.len());
            if place == kinds.len() {
                kinds.push(Kind {
                    holding: held.holding,
                    count: 0,
                });
            }
            kinds[place].count += held.people;
            kind_of.push(place);
        }
        (kinds, kind_of)
    }

    /// What the constraints see of a holding: the values they look at, and in how many rows.
    fn seen(&self, holding: u32) -> Vec<(Vec<u32>, u64)> {
        let mut seen: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
        for row in self.holdings.rows(holding) {
            let code = |attribute: &Attribute| match *attribute {
                Attribute::Column(column) => self.code(column, row.combination),
                Attribute::Joint => row.combination,
            };
            let codes = self.requirement.attributes().iter().map(code).collect();
            *seen.entry(codes).or_default() += row.count;
        }
        seen.into_iter().collect()
    }

    fn ln_choose(&self, n: u64, k: u64) -> f64 {
        self.factorials[n as usize]
            - self.factorials[k as usize]
            - self.factorials[(n - k) as usize]
    }

    /// Draws with fewer than `l` values, given how many rows each kind has and whether it counts as
    /// a value.
    fn add_up(&self, kinds: &[(u64, bool)], people: usize, l: usize) -> (f64, Vec<f64>, bool) {
        let group = kinds.iter().map(|kind| kind.0).sum();
        let before = self.ways(kinds.iter(), people, l);
        let mut behind = self.ways(kinds.iter().rev(), people, l);
        // from "exactly so many values" to "at most"
        for ways in &mut behind {
            ways.iter_mut()
                .for_each(|seen| (1..l).for_each(|v| seen[v] = ln_add(seen[v], seen[v - 1])));
        }
        let all = behind[kinds.len()][people][l - 1];
        let share = |(at, &(count, is_value)): (usize, &(u64, bool))| {
            let rest = &behind[kinds.len() - at - 1];
            let mut ways = f64::NEG_INFINITY;
            for (taken, seen) in before[at].iter().enumerate() {
                for own in 1..=(people - taken).min(count as usize) {
                    let own_ways = self.ln_choose(count, own as u64) + (own as f64).ln();
                    for (values, &first) in seen.iter().enumerate().take(l - usize::from(is_value))
                    {
                        let others =
                            rest[people - taken - own][l - 1 - usize::from(is_value) - values];
                        ways = ln_add(ways, first + own_ways + others);
                    }
                }
            }
            (ways - all).exp() / people as f64
        };
        if all > f64::NEG_INFINITY {
            let failing = (all - self.ln_choose(group, people as u64)).exp().min(1.0);
            (
                failing,
                kinds.iter().enumerate().map(share).collect(),
                false,
            )
        } else {
            (0.0, vec![0.0; kinds.len()], false)
        }
    }

    /// After no kind, the first, the first two and so on: the ways to take so many rows with so
    /// many values.
    fn ways<'k>(
        &self,
        kinds: impl ExactSizeIterator<Item = &'k (u64, bool)>,
        people: usize,
        l: usize,
    ) -> Vec<Vec<Vec<f64>>> {
        let mut all = Vec::with_capacity(kinds.len() + 1);
        let mut last = vec![vec![f64::NEG_INFINITY; l]; people + 1];
        last[0][0] = 0.0;
        for &(count, is_value) in kinds {
            let mut next = last.clone();
            for taken in 0..=people {
                for own in 1..=(people - taken).min(count as usize) {
                    let own_ways = self.ln_choose(count, own as u64);
                    for values in 0..l - usize::from(is_value) {
                        let place = &mut next[taken + own][values + usize::from(is_value)];
                        *place = ln_add(*place, last[taken][values] + own_ways);
                    }
                }
            }
            all.push(std::mem::replace(&mut last, next));
        }
        all.push(last);
        all
    }

    fn enumerate(&self, kinds: &[Kind], people: u64) -> (f64, Vec<f64>, bool) {
        let group = kinds.iter().map(|kind| kind.count).sum();
        let mut found = Found {
            failing: 0.0,
            taken: vec![0.0; kinds.len()],
        };
        self.extend(
            kinds,
            people,
            -self.ln_choose(group, people),
            &mut Vec::new(),
            &mut found,
        );
        found.finish(people, false)
    }

    /// Chooses how many rows of the next kind.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    fn extend(
        &self,
        kinds: &[Kind],
        left: u64,
        ways: f64,
        chosen: &mut Vec<u64>,
        found: &mut Found,
    ) {
        let at = chosen.len();
        if at == kinds.len() {
            let rows = kinds
                .iter()
                .map(|kind| kind.holding)
                .zip(chosen.iter().copied());
            if left == 0 && self.fails(rows) {
                found.add(ways.exp(), chosen);
            }
            return;
        }
        let behind: u64 = kinds[at + 1..].iter().map(|kind| kind.count).sum();
        for own in left.saturating_sub(behind)..=left.min(kinds[at].count) {
            chosen.push(own);
            self.extend(
                kinds,
                left - own,
                ways + self.ln_choose(kinds[at].count, own),
                chosen,
                found,
            );
            chosen.pop();
        }
    }

    fn sample(&self, kinds: &[Kind], people: u64, seed: u64) -> (f64, Vec<f64>, bool) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows: Vec<usize> = kinds
            .iter()
            .enumerate()
            .flat_map(|(at, kind)| std::iter::repeat_n(at, kind.count as usize))
            .collect();
        let most = if self.requirement.counts_people() {
            DRAWN_OF_PEOPLE
        } else {
            DRAWN
        };
        let draws = most.min(ROWS_DRAWN / people.max(1)).max(1);
        let mut found = Found {
            failing: 0.0,
            taken: vec![0.0; kinds.len()],
        };
        for _ in 0..draws {
            let mut chosen = vec![0; kinds.len()];
            for at in 0..people as usize {
                let other = at + below(&mut rng, (rows.len() - at) as u64) as usize;
                rows.swap(at, other);
                chosen[rows[at]] += 1;
            }
            if self.fails(
                kinds
                    .iter()
                    .map(|kind| kind.holding)
                    .zip(chosen.iter().copied()),
            ) {
                found.add(1.0 / draws as f64, &chosen);
            }
        }
        found.finish(people, true)
    }
}

/// Draws that failed, added up.
struct Found {
    failing: f64,
    /// Rows of each kind, weighted.
    taken: Vec<f64>,
}

impl Found {
    fn add(&mut self, weight: f64, chosen: &[u64]) {
        self.failing += weight;
        self.taken
            .iter_mut()
            .zip(chosen)
            .for_each(|(taken, &own)| *taken += weight * own as f64);
    }

    fn finish(self, people: u64, estimated: bool) -> (f64, Vec<f64>, bool) {
        let all = self.failing * people as f64;
        let share = |taken: f64| if all > 0.0 { taken / all } else { 0.0 };
        (
            self.failing.min(1.0),
            self.taken.into_iter().map(share).collect(),
            estimated,
        )
    }
}

/// The column and the largest l, where distinct diversity of one column is all that is asked.
fn distinct(requirement: &Requirement) -> Option<(usize, usize)> {
    if requirement.counts_people() {
        return None;
    }
    let mut all = None;
    for promise in requirement.promises() {
        all = match (promise.rule.as_distinct_diversity(), promise.attribute, all) {
            (_, None, all) => all,
            (Some(L(l)), Some(Attribute::Column(column)), None) => Some((column, l as usize)),
            (Some(L(l)), Some(Attribute::Column(column)), Some((same, most))) if same == column => {
                Some((column, most.max(l as usize)))
            }
            _ => return None,
        };
    }
    all.filter(|&(_, l)| l > 0)
}

/// What adding up ways costs.
fn steps(kinds: &[Kind], people: u64, l: usize) -> u64 {
    let rows: u64 = kinds.iter().map(|kind| kind.count.min(people)).sum();
    rows.saturating_mul(people).saturating_mul(l as u64)
}

/// In how many ways so many rows can be divided among kinds.
fn choices(kinds: &[Kind], people: u64) -> u64 {
    // counting alone costs the square
    let Some(people) = usize::try_from(people)
        .ok()
        .filter(|&people| people <= COUNTED)
    else {
        return u64::MAX;
    };
    let mut ways = vec![0u64; people + 1];
    ways[0] = 1;
    for kind in kinds {
        let before = ways.clone();
        for (taken, ways) in ways.iter_mut().enumerate() {
            let least = taken.saturating_sub(usize::try_from(kind.count).unwrap_or(usize::MAX));
            *ways = before[least..=taken]
                .iter()
                .fold(0, |sum: u64, &one| sum.saturating_add(one));
        }
    }
    ways[people]
}

fn ln_add(a: f64, b: f64) -> f64 {
    let (less, more) = if a < b { (a, b) } else { (b, a) };
    if less == f64::NEG_INFINITY {
        more
    } else {
        more + (less - more).exp().ln_1p()
    }
}

/// A uniform number below `n`.
fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let unbiased = u64::MAX - u64::MAX % n;
    loop {
        let drawn = rng.next_u64();
        if drawn < unbiased {
            return drawn % n;
        }
    }
}
