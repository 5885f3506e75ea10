//! Prices of rows: how much of the loss no method can save, as a number.
//!
//! Where labels come from hierarchies, every row chooses a *cell*: a vector of levels, and with it
//! the rows that agree with it under that vector. A cell costs each of its rows the same penalty
//! and may be used only by at least k rows. (Facility location with lower bounds.) Give every row a
//! price. Whoever used a cell would pay its penalty and get the prices of its rows, so the sum of
//! all prices, less what could be gained by using each cell by itself, is below the loss of every
//! release (Lagrangian relaxation of "each row is in one cell"): also of one that tears equal rows
//! apart. Subgradient steps raise the prices of rows that no cell wants and lower those that several
//! want; any prices give a valid bound, better ones a tighter one.
//!
//! Cost: rounds × pairs of a distinct tuple and a cell.

/// Rounds of subgradient steps.
const ROUNDS: usize = 240;
/// After so many rounds without a better bound, steps become shorter.
const PATIENCE: usize = 12;
/// How much of the last direction is kept: successive subgradients point to and fro.
const MOMENTUM: f64 = 0.5;
/// The bound that steps aim at, as a multiple of the best one so far.
const AIM: f64 = 1.1;

/// Who could share a label, for each label that at least k rows could share.
#[derive(Default)]
pub struct SharedLabels {
    penalties: Vec<f64>,
    /// The tuples of label `i` are `tuples[ends[i - 1]..ends[i]]`.
    ends: Vec<usize>,
    tuples: Vec<u32>,
}

impl SharedLabels {
    /// A label that costs each row so much, and the tuples that could have it.
    pub fn push(&mut self, penalty: f64, tuples: impl Iterator<Item = u32>) {
        self.penalties.push(penalty);
        self.tuples.extend(tuples);
        self.ends.push(self.tuples.len());
    }

    /// Pairs of a tuple and a label.
    pub fn pairs(&self) -> usize {
        self.tuples.len()
    }

    fn each(&self) -> impl Iterator<Item = (f64, &[u32])> {
        let mut start = 0;
        self.penalties
            .iter()
            .zip(&self.ends)
            .map(move |(&penalty, &end)| {
                let tuples = &self.tuples[start..end];
                start = end;
                (penalty, tuples)
            })
    }
}

/// A bound on the sum of penalties over all rows. `weights` says how many rows each tuple has,
/// `prices` what a row costs at least, where the steps begin.
pub fn bound(labels: &SharedLabels, weights: &[f64], k: f64, prices: Vec<f64>) -> f64 {
    let mut prices = prices;
    let mut best_prices = prices.clone();
    let mut best = relaxed(labels, weights, k, &prices).bound;
    let mut direction = vec![0.0; prices.len()];
    let mut length = 1.0;
    let mut without_gain = 0;
    for _ in 0..ROUNDS {
        let found = relaxed(labels, weights, k, &prices);
        if found.bound > best {
            best = found.bound;
            best_prices.clone_from(&prices);
            without_gain = 0;
        } else {
            without_gain += 1;
        }
        if without_gain >= PATIENCE {
            length /= 2.0;
            without_gain = 0;
            prices.clone_from(&best_prices);
            direction.fill(0.0);
            continue;
        }
        let mut norm = 0.0;
        for (tuple, own) in direction.iter_mut().enumerate() {
            // rows that no cell took are worth more, rows that several took are worth less
            let wanted = found.taken[tuple] / weights[tuple];
            *own = MOMENTUM * *own + (1.0 - MOMENTUM) * (1.0 - wanted);
            norm += weights[tuple] * *own * *own;
        }
        if norm == 0.0 {
            // every row is in one cell: these prices are the optimum's
            break;
        }
        let step = length * (AIM * best - found.bound) / norm;
        for (price, own) in prices.iter_mut().zip(&direction) {
            *price = (*price + step * own).max(0.0);
        }
    }
    best
}

/// What certain prices say.
struct Relaxed {
    bound: f64,
    /// Per tuple how many rows the cells would take that are worth using by themselves.
    taken: Vec<f64>,
}

fn relaxed(labels: &SharedLabels, weights: &[f64], k: f64, prices: &[f64]) -> Relaxed {
    let mut bound = 0.0;
    for (price, weight) in prices.iter().zip(weights) {
        bound += price * weight;
    }
    let mut taken = vec![0.0; prices.len()];
    let mut below = Vec::new();
    for (penalty, tuples) in labels.each() {
        let mut gain = 0.0;
        let mut rows = 0.0;
        for &tuple in tuples {
            let over = prices[tuple as usize] - penalty;
            if over > 0.0 {
                gain += over * weights[tuple as usize];
                rows += weights[tuple as usize];
            }
        }
        if gain == 0.0 {
            continue;
        }
        // too few gain by the label: the dearest of the others make up the number
        below.clear();
        let mut joined = Vec::new();
        if rows < k {
            below.extend(tuples.iter().filter(|&&t| prices[t as usize] <= penalty));
            below.sort_unstable_by(|&a: &u32, &b: &u32| {
                prices[b as usize].total_cmp(&prices[a as usize])
            });
            for &tuple in &below {
                let more = weights[tuple as usize].min(k - rows);
                gain -= more * (penalty - prices[tuple as usize]);
                rows += more;
                joined.push((tuple, more));
                if rows >= k || gain <= 0.0 {
                    break;
                }
            }
        }
        if gain <= 0.0 {
            continue;
        }
        bound -= gain;
        for &tuple in tuples {
            if prices[tuple as usize] > penalty {
                taken[tuple as usize] += weights[tuple as usize];
            }
        }
        for (tuple, more) in joined {
            taken[tuple as usize] += more;
        }
    }
    Relaxed { bound, taken }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight rows in two columns of two values; labels are a value or anything, at 0 and 1 each.
    fn labels(rows: &[[u32; 2]], k: usize) -> SharedLabels {
        let mut labels = SharedLabels::default();
        for vector in 0..4u32 {
            for node in 0..4u32 {
                let kept = !vector & 3;
                if node & !kept != 0 {
                    continue;
                }
                let alike = |row: &[u32; 2]| (row[0] | row[1] << 1) & kept == node;
                let members: Vec<u32> = (0..rows.len() as u32)
                    .filter(|&row| alike(&rows[row as usize]))
                    .collect();
                if members.len() >= k {
                    labels.push(f64::from(vector.count_ones()), members.into_iter());
                }
            }
        }
        labels
    }

    /// The least sum of penalties: every row tries every label, and each label in use has k rows.
    fn optimum(labels: &SharedLabels, rows: usize, k: usize) -> f64 {
        let all: Vec<(f64, &[u32])> = labels.each().collect();
        let mut best = f64::INFINITY;
        let mut choice = vec![0; rows];
        loop {
            let mut users = vec![0; all.len()];
            let mut cost = 0.0;
            let mut allowed = true;
            for (row, &label) in choice.iter().enumerate() {
                allowed &= all[label].1.contains(&(row as u32));
                users[label] += 1;
                cost += all[label].0;
            }
            if allowed && users.iter().all(|&u| u == 0 || u >= k) {
                best = best.min(cost);
            }
            let Some(place) = choice.iter().position(|&label| label + 1 < all.len()) else {
                return best;
            };
            choice[place] += 1;
            choice[..place].fill(0);
        }
    }

    #[test]
    fn no_choice_of_labels_is_below_the_bound() {
        let mut tighter = 0;
        for seed in 0..60u32 {
            let bits = seed.wrapping_mul(0x9E37_79B9) >> 12;
            let rows: Vec<[u32; 2]> = (0..6)
                .map(|r| [bits >> r & 1, bits >> (r + 8) & 1])
                .collect();
            let labels = labels(&rows, 2);
            let mut row_by_row = vec![f64::INFINITY; rows.len()];
            for (penalty, tuples) in labels.each() {
                for &tuple in tuples {
                    row_by_row[tuple as usize] = row_by_row[tuple as usize].min(penalty);
                }
            }
            let floor: f64 = row_by_row.iter().sum();
            let bound = bound(&labels, &vec![1.0; rows.len()], 2.0, row_by_row);
            let least = optimum(&labels, rows.len(), 2);
            assert!(bound <= least + 1e-9, "{bound} above {least}, seed {seed}");
            assert!(bound >= floor - 1e-9, "{bound} below {floor}, seed {seed}");
            tighter += usize::from(bound > floor + 1e-3);
        }
        assert!(tighter > 0, "prices never said more than rows one by one");
    }
}
