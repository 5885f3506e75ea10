//! The least loss that k-anonymity allows on a small table, proven.
//!
//! A release is a partition of the rows into groups of at least k; a group of 2k or more can be cut
//! in two without losing anything, because a part's label is never wider, so groups of k to 2k − 1
//! rows suffice. That is set partitioning: choose groups that hold every row once, at least total
//! cost.
//!
//! All groups are listed with their costs. Prices of rows such that no group costs less than its
//! rows' prices bound every partition from below by the sum of prices (linear programming duality);
//! subgradient steps look for good prices. A group whose cost exceeds its rows' prices by more than
//! the distance between the best partition found and the bound is in no better one, and goes. What
//! is left is searched depth first: the open row with the fewest groups, its groups by excess,
//! bounded by the open rows' prices. Cost: exponential in the worst case, so steps are counted and
//! the search gives up at a limit.

/// The least total cost, proven, and what was clear before any search.
pub struct ExactCost {
    /// The least total cost.
    pub least: f64,
    /// Every row at the cheapest group that it could be in: no partition costs less.
    pub row_by_row: f64,
}

/// Listing more groups than this takes too much memory.
const MOST_GROUPS: usize = 4_000_000;
/// Steps of the search.
const MOST_STEPS: u64 = 40_000_000;
const SUBGRADIENT_STEPS: usize = 600;
/// Costs that differ by less are equal.
const TINY: f64 = 1e-9;

struct ListedGroup {
    rows: u64,
    cost: f64,
    /// Cost over the rows' prices.
    excess: f64,
}

/// The least total cost of a partition of `rows` rows (at most 64) into groups of at least `k`.
/// `cost` says what a group costs in all; it must not be less than what the group's parts cost.
/// `None` where steps or memory run out.
pub fn least_cost(rows: usize, k: usize, cost: impl Fn(&[usize]) -> f64) -> Option<ExactCost> {
    assert!(rows <= 64 && k >= 1 && rows >= k);
    let mut groups = list_groups(rows, k, &cost)?;
    let mut best = greedy_partition(rows, &groups);
    let shares = cheapest_shares(rows, &groups);
    let row_by_row = shares.iter().sum();
    let (prices, bound) = price_rows(shares, &groups, best);
    for group in &mut groups {
        group.excess = group.cost - price_of(group.rows, &prices);
    }
    groups.retain(|group| bound + group.excess < best - TINY);
    groups.sort_by(|a, b| a.excess.total_cmp(&b.excess));
    let mut by_row: Vec<Vec<usize>> = vec![Vec::new(); rows];
    for (number, group) in groups.iter().enumerate() {
        for (row, of_row) in by_row.iter_mut().enumerate() {
            if group.rows >> row & 1 == 1 {
                of_row.push(number);
            }
        }
    }
    let mut search = PartitionSearch {
        groups: &groups,
        by_row: &by_row,
        steps: 0,
        best: &mut best,
    };
    let everybody = if rows == 64 {
        u64::MAX
    } else {
        (1 << rows) - 1
    };
    search.open(everybody, bound);
    if search.steps > MOST_STEPS {
        return None;
    }
    Some(ExactCost {
        least: best,
        row_by_row,
    })
}

/// Every set of k to 2k − 1 rows; `None` if there are too many.
fn list_groups(rows: usize, k: usize, cost: &impl Fn(&[usize]) -> f64) -> Option<Vec<ListedGroup>> {
    let mut groups = Vec::new();
    for size in k..(2 * k).min(rows + 1) {
        let mut chosen: Vec<usize> = (0..size).collect();
        loop {
            if groups.len() == MOST_GROUPS {
                return None;
            }
            let mut bits = 0;
            for &row in &chosen {
                bits |= 1 << row;
            }
            groups.push(ListedGroup {
                rows: bits,
                cost: cost(&chosen),
                excess: 0.0,
            });
            if !next_combination(&mut chosen, rows) {
                break;
            }
        }
    }
    Some(groups)
}

/// The next ascending choice of places; false after the last.
fn next_combination(chosen: &mut [usize], places: usize) -> bool {
    let size = chosen.len();
    for at in (0..size).rev() {
        if chosen[at] + size - at < places {
            chosen[at] += 1;
            for later in at + 1..size {
                chosen[later] = chosen[later - 1] + 1;
            }
            return true;
        }
    }
    false
}

fn price_of(rows: u64, prices: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut left = rows;
    while left != 0 {
        sum += prices[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    sum
}

/// Some partition: the group that is cheapest by row, again and again, as long as the rest can
/// still be divided. Infinite if that leads nowhere, which only costs time.
fn greedy_partition(rows: usize, groups: &[ListedGroup]) -> f64 {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    let by_row = |group: &ListedGroup| group.cost / f64::from(group.rows.count_ones());
    order.sort_by(|&a, &b| by_row(&groups[a]).total_cmp(&by_row(&groups[b])));
    let k = groups
        .iter()
        .map(|g| g.rows.count_ones())
        .min()
        .unwrap_or(1);
    let (mut taken, mut total) = (0u64, 0.0);
    for at in order {
        let group = &groups[at];
        if group.rows & taken != 0 {
            continue;
        }
        let left = rows as u32 - (taken | group.rows).count_ones();
        if left == 0 || left >= k {
            taken |= group.rows;
            total += group.cost;
        }
    }
    if taken.count_ones() as usize == rows {
        total
    } else {
        f64::INFINITY
    }
}

/// What each row costs in the cheapest group that it could be in.
fn cheapest_shares(rows: usize, groups: &[ListedGroup]) -> Vec<f64> {
    let mut shares = vec![f64::INFINITY; rows];
    for group in groups {
        let share = group.cost / f64::from(group.rows.count_ones());
        for (row, cheapest) in shares.iter_mut().enumerate() {
            if group.rows >> row & 1 == 1 {
                *cheapest = cheapest.min(share);
            }
        }
    }
    shares
}

/// Prices of rows and the bound that they prove. Starts with each row's cheapest share of a group,
/// which no group undercuts; then moves prices by how often the rows are held by groups that are
/// cheaper than their prices, and mends what that breaks.
fn price_rows(mut prices: Vec<f64>, groups: &[ListedGroup], best: f64) -> (Vec<f64>, f64) {
    let rows = prices.len();
    let mut kept = prices.clone();
    let mut bound: f64 = kept.iter().sum();
    let target = if best.is_finite() {
        best
    } else {
        bound * 1.2 + 1.0
    };
    let mut pace = 1.0;
    for step in 0..SUBGRADIENT_STEPS {
        // how much each price must fall so that no group is undercut, shared by the group's rows
        let mut fall = vec![0.0f64; rows];
        let mut held = vec![0.0f64; rows];
        for group in groups {
            let over = price_of(group.rows, &prices) - group.cost;
            if over <= 0.0 {
                continue;
            }
            let share = over / f64::from(group.rows.count_ones());
            for row in 0..rows {
                if group.rows >> row & 1 == 1 {
                    fall[row] = fall[row].max(share);
                    held[row] += 1.0;
                }
            }
        }
        let proven: f64 = prices
            .iter()
            .zip(&fall)
            .map(|(price, fall)| price - fall)
            .sum();
        if proven > bound + TINY {
            bound = proven;
            kept = prices
                .iter()
                .zip(&fall)
                .map(|(price, fall)| price - fall)
                .collect();
        } else if step % 20 == 19 {
            pace *= 0.7;
        }
        let most_held = held.iter().copied().fold(0.0, f64::max);
        let stride = pace * (target - bound).max(0.0) / rows as f64;
        for row in 0..rows {
            if held[row] == 0.0 {
                prices[row] += stride;
            } else {
                prices[row] -= stride * held[row] / most_held + 0.5 * fall[row];
            }
        }
    }
    (kept, bound)
}

struct PartitionSearch<'a> {
    groups: &'a [ListedGroup],
    by_row: &'a [Vec<usize>],
    steps: u64,
    best: &'a mut f64,
}

impl PartitionSearch<'_> {
    /// Divides the open rows; `bound` is what the groups taken cost plus the open rows' prices.
    fn open(&mut self, open: u64, bound: f64) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        if open == 0 {
            *self.best = self.best.min(bound);
            return;
        }
        let row = self.tightest_row(open);
        let by_row = self.by_row;
        for &number in &by_row[row] {
            let group = &self.groups[number];
            // groups come by excess: all that follow are worse
            if bound + group.excess >= *self.best - TINY {
                break;
            }
            if group.rows & !open == 0 {
                self.open(open & !group.rows, bound + group.excess);
            }
        }
    }

    /// The open row whose cheapest possible group has the largest excess: it decides most.
    fn tightest_row(&self, open: u64) -> usize {
        let mut tightest = (f64::NEG_INFINITY, open.trailing_zeros() as usize);
        let mut left = open;
        while left != 0 {
            let row = left.trailing_zeros() as usize;
            left &= left - 1;
            let mut cheapest = f64::INFINITY;
            for &number in &self.by_row[row] {
                if self.groups[number].rows & !open == 0 {
                    cheapest = self.groups[number].excess;
                    break;
                }
            }
            if cheapest > tightest.0 {
                tightest = (cheapest, row);
            }
        }
        tightest.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// All partitions, one after the other: the first open row with every set of others.
    fn brute_force(rows: usize, k: usize, cost: &dyn Fn(&[usize]) -> f64) -> f64 {
        fn divide(open: u64, k: u32, cost: &dyn Fn(&[usize]) -> f64) -> f64 {
            if open == 0 {
                return 0.0;
            }
            let first = open & open.wrapping_neg();
            let others = open ^ first;
            let mut best = f64::INFINITY;
            let mut part = others;
            loop {
                let group = part | first;
                if group.count_ones() >= k {
                    let members: Vec<usize> = (0..64).filter(|r| group >> r & 1 == 1).collect();
                    best = best.min(cost(&members) + divide(open ^ group, k, cost));
                }
                if part == 0 {
                    return best;
                }
                part = (part - 1) & others;
            }
        }
        divide((1 << rows) - 1, k as u32, cost)
    }

    #[test]
    fn as_all_partitions_say() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        for (rows, k) in [(2, 2), (5, 2), (7, 3), (9, 2), (10, 3), (9, 4), (6, 1)] {
            for _ in 0..12 {
                let points: Vec<[f64; 3]> = (0..rows)
                    .map(|_| [0; 3].map(|_: i32| f64::from(random.random_range(0..6u8))))
                    .collect();
                let cost = |members: &[usize]| {
                    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
                    for &member in members {
                        for (column, &value) in points[member].iter().enumerate() {
                            low[column] = low[column].min(value);
                            high[column] = high[column].max(value);
                        }
                    }
                    let widths: f64 = high.iter().zip(&low).map(|(h, l)| h - l).sum();
                    widths * members.len() as f64
                };
                let found = least_cost(rows, k, cost).expect("small tables are solved");
                assert!(found.row_by_row < found.least + 1e-9);
                let found = found.least;
                let expected = brute_force(rows, k, &cost);
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{rows} {k}: {found} {expected}"
                );
            }
        }
    }
}
