//! Linear bounds on the cost of a group, for some switches decided and the others not, in
//! floating-point numbers.
//!
//! Costs are in rows here: divided by T and the constant of the ground distance, and less t N, so
//! that t-closeness fails where the excess is positive. A step that is on contributes its
//! difference x, one that is off nothing. One that is not decided contributes max(0, x), which
//! within the range [lo, hi] that coalitions can give to x is at most hi (x - lo) / (hi - lo). So
//! the whole is at most a linear form, and coalitions have an exact answer to those. The range
//! follows from M and the rows that nobody can take out: hi = (1 - b) t(M) - b rest_m(rows outside
//! of M), and lo the other way round.

use super::ladder::{Ladder, Pieces};
use crate::breach::{Holders, rest};
use crate::ratio::Ratio;
use crate::shares::Shares;

/// Per ladder: steps before the first number are on, from the second on they are off, between them
/// undecided.
pub(super) type State = Vec<(usize, usize)>;

/// A group's cost.
pub(super) struct Relaxation {
    steps: Vec<Steps>,
    /// By place in the order, the coefficients that do not depend on switches.
    fixed: Vec<f64>,
    order: Vec<usize>,
    /// What no coalition can change, as a state.
    pub root: State,
    /// All weights together, for the size of rounding errors.
    pub weight: f64,
}

/// A ladder's steps; sums are over the steps before.
struct Steps {
    from: usize,
    to: usize,
    weight: f64,
    /// B / T.
    b: Vec<f64>,
    b_sums: Vec<f64>,
    /// The chord slope x + offset.
    slope: Vec<f64>,
    offset: Vec<f64>,
    slope_sums: Vec<f64>,
    slope_b_sums: Vec<f64>,
    offset_sums: Vec<f64>,
}

/// What a set of values has, and what nobody can take out of it and of the others.
struct Reach {
    rows: u64,
    others: u64,
    least: u64,
    least_others: u64,
}

impl Relaxation {
    pub(super) fn new(group: &Shares, most: usize, pieces: &Pieces, max: Ratio) -> Relaxation {
        let reach = reaches(group, most, pieces);
        let unit = 1.0 / pieces.constant as f64;
        let table = pieces.rows as f64;
        let mut fixed = vec![-max.to_f64(); pieces.order.len()];
        for line in &pieces.lines {
            fixed
                .iter_mut()
                .for_each(|f| *f -= unit * line.table as f64 / table);
            fixed[line.set.clone()]
                .iter_mut()
                .for_each(|f| *f += unit * line.times as f64);
        }
        let root: State = pieces
            .ladders
            .iter()
            .zip(&reach)
            .map(|(l, r)| r.undecided(l, pieces.rows))
            .collect();
        let steps = pieces
            .ladders
            .iter()
            .zip(&reach)
            .map(|(l, r)| Steps::new(l, r, table, unit))
            .collect();
        let lines = pieces
            .lines
            .iter()
            .map(|line| line.times.unsigned_abs() as f64 + line.table.abs() as f64 / table);
        let switched = pieces
            .ladders
            .iter()
            .map(|l| (l.weight * l.steps.len() as u64) as f64);
        let weight = 1.0 + unit * lines.chain(switched).sum::<f64>();
        Relaxation {
            steps,
            fixed,
            order: pieces.order.clone(),
            root,
            weight,
        }
    }

    /// The form that bounds the excess in this state: its coefficients by value, and the constant.
    pub(super) fn form(&self, state: &State, alpha: &mut Vec<f64>) -> f64 {
        let mut rise = vec![0.0; self.order.len() + 1];
        let (mut everywhere, mut constant) = (0.0, 0.0);
        for (steps, &(on, off)) in self.steps.iter().zip(state) {
            let between = |sums: &[f64]| sums[off] - sums[on];
            let times = steps.weight * (on as f64 + between(&steps.slope_sums));
            rise[steps.from] += times;
            rise[steps.to] -= times;
            everywhere -= steps.weight * (steps.b_sums[on] + between(&steps.slope_b_sums));
            constant += steps.weight * between(&steps.offset_sums);
        }
        alpha.clear();
        alpha.resize(self.order.len(), 0.0);
        let mut here = everywhere;
        for (place, &value) in self.order.iter().enumerate() {
            here += rise[place];
            alpha[value] = here + self.fixed[place];
        }
        constant
    }

    /// The state in which every step is as these counts want it.
    pub(super) fn best(&self, counts: &[u64]) -> State {
        let sums = self.sums(counts);
        let size = sums[self.order.len()];
        let on = |steps: &Steps| {
            steps
                .b
                .partition_point(|b| b * size < sums[steps.to] - sums[steps.from])
        };
        self.steps
            .iter()
            .map(|steps| (on(steps), on(steps)))
            .collect()
    }

    /// The excess at these counts.
    pub(super) fn excess(&self, counts: &[u64]) -> f64 {
        let sums = self.sums(counts);
        let size = sums[self.order.len()];
        let switched = self.steps.iter().map(|steps| {
            let rows = sums[steps.to] - sums[steps.from];
            let on = steps.b.partition_point(|b| b * size < rows);
            steps.weight * (on as f64 * rows - steps.b_sums[on] * size)
        });
        let fixed = self
            .order
            .iter()
            .zip(&self.fixed)
            .map(|(&value, fixed)| fixed * counts[value] as f64);
        switched.chain(fixed).sum()
    }

    /// The undecided step about which the bound is most wrong at these counts, and whether they
    /// want it on.
    pub(super) fn loosest(&self, state: &State, counts: &[u64]) -> Option<(usize, usize, bool)> {
        let sums = self.sums(counts);
        let size = sums[self.order.len()];
        let mut loosest = None;
        let mut widest = f64::NEG_INFINITY;
        for (ladder, (steps, &(on, off))) in self.steps.iter().zip(state).enumerate() {
            let rows = sums[steps.to] - sums[steps.from];
            for step in on..off {
                let x = rows - steps.b[step] * size;
                let gap = steps.weight * (steps.slope[step] * x + steps.offset[step] - x.max(0.0));
                if gap > widest {
                    (widest, loosest) = (gap, Some((ladder, step, x > 0.0)));
                }
            }
        }
        loosest
    }

    /// Sums of the counts in order.
    fn sums(&self, counts: &[u64]) -> Vec<f64> {
        let rows = self.order.iter().scan(0, |sum, &value| {
            *sum += counts[value];
            Some(*sum as f64)
        });
        [0.0].into_iter().chain(rows).collect()
    }
}

impl Steps {
    fn new(ladder: &Ladder, reach: &Reach, table: f64, unit: f64) -> Steps {
        let b: Vec<f64> = ladder
            .steps
            .iter()
            .map(|&rows| rows as f64 / table)
            .collect();
        let (slope, offset): (Vec<f64>, Vec<f64>) = b.iter().map(|&b| reach.chord(b)).unzip();
        Steps {
            from: ladder.set.start,
            to: ladder.set.end,
            weight: unit * ladder.weight as f64,
            b_sums: sums(b.iter().copied()),
            slope_sums: sums(slope.iter().copied()),
            slope_b_sums: sums(slope.iter().zip(&b).map(|(slope, b)| slope * b)),
            offset_sums: sums(offset.iter().copied()),
            b,
            slope,
            offset,
        }
    }
}

impl Reach {
    /// Which steps can be on and off, in exact integers: x is nowhere negative before the first of
    /// them and nowhere positive after the last.
    fn undecided(&self, ladder: &Ladder, table: u64) -> (usize, usize) {
        let times = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let always = |&b: &u64| times(table - b, self.least) >= times(b, self.others);
        let sometimes = |&b: &u64| times(table - b, self.rows) > times(b, self.least_others);
        let on = ladder.steps.partition_point(always);
        (on, ladder.steps.partition_point(sometimes).max(on))
    }

    fn chord(&self, b: f64) -> (f64, f64) {
        let high = (1.0 - b) * self.rows as f64 - b * self.least_others as f64;
        let low = (1.0 - b) * self.least as f64 - b * self.others as f64;
        let slope = if low < 0.0 && high > 0.0 {
            high / (high - low)
        } else {
            f64::from(high > 0.0)
        };
        (
            slope,
            if low < 0.0 && high > 0.0 {
                -slope * low
            } else {
                0.0
            },
        )
    }
}

/// By ladder. O(entries of its values + providers) each.
fn reaches(group: &Shares, most: usize, pieces: &Pieces) -> Vec<Reach> {
    let holders = Holders::new(group);
    let mut inside = vec![0; group.providers()];
    let reach = |ladder: &Ladder| {
        inside.fill(0);
        let entries = pieces.order[ladder.set.clone()]
            .iter()
            .flat_map(|&value| holders.of(value));
        entries.for_each(|&(provider, n)| inside[provider as usize] += n);
        let rows = inside.iter().sum();
        let mut outside: Vec<u64> = group
            .sizes()
            .iter()
            .zip(&inside)
            .map(|(size, n)| size - n)
            .collect();
        let least_others = rest(&mut outside, most);
        Reach {
            rows,
            others: group.size() - rows,
            least: rest(&mut inside, most),
            least_others,
        }
    };
    pieces.ladders.iter().map(reach).collect()
}

fn sums(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let sums = numbers.scan(0.0, |sum, number| {
        *sum += number;
        Some(*sum)
    });
    [0.0].into_iter().chain(sums).collect()
}
