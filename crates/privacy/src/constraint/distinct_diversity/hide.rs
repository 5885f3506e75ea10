//! Hiding values: can a coalition take out all rows of so many values that fewer than l are left?
//!
//! A value disappears iff all its holders are in the coalition. Seen from those who stay: they hold
//! at most l - 1 values together. So at most m providers breach iff some set L of l - 1 values
//! contains everything that at least n - m providers hold. Two observations settle nearly every
//! group in O(entries): a value with more than m holders cannot disappear, so l of those are
//! enough; and whoever holds l values has to be in the coalition, so more than m of those are
//! enough as well.
//!
//! The rest is NP-complete (Clique: providers are vertices, values are edges) and searched: choose
//! values for L one after another, the most promising first, and give up where even the best
//! remaining choice keeps too few providers. A search over more than [`STEPS`] provider visits is
//! cut short.

use crate::constraint::Limit;
use crate::shares::Shares;
use mingle_model::Code;

/// How many providers are looked at, all nodes of a search together.
const STEPS: u64 = 1 << 24;

/// The answer.
pub(super) enum Hidden {
    /// No coalition of that size can.
    Never,
    /// This one can; places in ascending order.
    By(Vec<usize>),
    /// The search was cut short.
    Undecided(Limit),
}

/// Looks for at most `most` of the providers, fewer than all, without whom fewer than `l` values
/// are left.
pub(super) fn hide(group: &Shares, absent: impl Fn(Code) -> bool, most: usize, l: usize) -> Hidden {
    let counts = |value: usize| !absent(group.values()[value].0);
    let stays = |value: usize| group.holders()[value] as usize > most && counts(value);
    let staying = (0..group.values().len())
        .filter(|&value| stays(value))
        .count();
    if staying >= l {
        return Hidden::Never;
    }
    let held = |p: usize| {
        group
            .of(p)
            .iter()
            .map(|&(value, _)| value as usize)
            .filter(|&value| counts(value))
    };
    if (0..group.providers())
        .filter(|&p| group.of(p).len() >= l && held(p).count() >= l)
        .count()
        > most
    {
        return Hidden::Never;
    }
    // what stays is in L anyhow
    let strip =
        |p: usize| -> Vec<u32> { held(p).filter(|&v| !stays(v)).map(|v| v as u32).collect() };
    let mut sets: Vec<Vec<u32>> = (0..group.providers()).map(strip).collect();
    sets.sort_unstable();
    let candidates: Vec<Candidate> = sets
        .chunk_by(|a, b| a == b)
        .map(|alike| Candidate {
            values: alike[0].clone(),
            weight: alike.len(),
        })
        .collect();
    let need = group.providers() - most;
    let mut search = Search {
        need,
        steps: 0,
        promise: vec![0.0; group.values().len()],
        chosen: Vec::new(),
    };
    match search.keep(&candidates, l - 1 - staying, 0) {
        Some(false) => Hidden::Never,
        None => Hidden::Undecided(Limit::SearchSteps(STEPS)),
        Some(true) => {
            let within =
                |p: usize| held(p).all(|v| stays(v) || search.chosen.contains(&(v as u32)));
            Hidden::By((0..group.providers()).filter(|&p| !within(p)).collect())
        }
    }
}

/// Providers that hold the same values, as far as these are not in L yet.
struct Candidate {
    values: Vec<u32>,
    weight: usize,
}

struct Search {
    /// So many providers must stay.
    need: usize,
    steps: u64,
    /// Scratch, by value.
    promise: Vec<f64>,
    /// L, without what stays in any case.
    chosen: Vec<u32>,
}

impl Search {
    /// Whether `room` more values can be chosen so that, with the `kept` ones, enough providers
    /// hold nothing else; `None` when the search was cut short.
    fn keep(&mut self, candidates: &[Candidate], room: usize, mut kept: usize) -> Option<bool> {
        self.steps += candidates.len() as u64 + 1;
        let mut open: Vec<&Candidate> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            match candidate.values.len() {
                0 => kept += candidate.weight,
                // whoever holds more than there is room for has to be in the coalition
                held if held > room => {}
                _ => open.push(candidate),
            }
        }
        if kept >= self.need {
            return Some(true);
        }
        if self.steps > STEPS {
            return None;
        }
        let Some(value) = self.most_promising(&open, room, kept) else {
            return Some(false);
        };
        self.chosen.push(value);
        if self.keep(&without(&open, value), room - 1, kept)? {
            return Some(true);
        }
        self.chosen.pop();
        let others: Vec<Candidate> = open
            .into_iter()
            .filter(|c| !c.values.contains(&value))
            .map(|c| Candidate {
                values: c.values.clone(),
                weight: c.weight,
            })
            .collect();
        self.keep(&others, room, kept)
    }

    /// The value that serves most providers, each counted by its share in what they hold; `None`
    /// when even the best values together cannot keep enough.
    fn most_promising(&mut self, open: &[&Candidate], room: usize, kept: usize) -> Option<u32> {
        let mut values: Vec<u32> = Vec::new();
        for candidate in open {
            let part = candidate.weight as f64 / candidate.values.len() as f64;
            for &value in &candidate.values {
                if self.promise[value as usize] == 0.0 {
                    values.push(value);
                }
                self.promise[value as usize] += part;
            }
        }
        let mut ranked: Vec<(f64, u32)> = values
            .iter()
            .map(|&v| (self.promise[v as usize], v))
            .collect();
        values.iter().for_each(|&v| self.promise[v as usize] = 0.0);
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let all: usize = open.iter().map(|c| c.weight).sum();
        let bound = ranked
            .iter()
            .take(room)
            .map(|r| r.0)
            .sum::<f64>()
            .min(all as f64);
        // a provider is kept whole or not at all; the margin is for rounding
        let reachable = kept as f64 + bound + 1e-6 >= self.need as f64;
        ranked
            .first()
            .map(|r| r.1)
            .filter(|_| reachable && room > 0)
    }
}

/// The candidates once a value is in L.
fn without(open: &[&Candidate], value: u32) -> Vec<Candidate> {
    let strip = |c: &&Candidate| Candidate {
        values: c.values.iter().copied().filter(|&v| v != value).collect(),
        weight: c.weight,
    };
    open.iter().map(strip).collect()
}
