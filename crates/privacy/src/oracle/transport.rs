//! The transportation problem, solved by successive shortest paths (Bellman and Ford) on the
//! residual network.
//!
//! Each augmentation is along a cheapest path, so the flow is the cheapest of its amount at any
//! time.

/// The cost of the cheapest way to carry `supply` to `demand`, which have the same sum.
pub(super) fn cheapest(supply: &[u64], demand: &[u64], apart: &[Vec<u64>]) -> u128 {
    let mut network = Network::new(supply, demand, apart);
    let mut cost = 0;
    while let Some((path, price)) = network.cheapest_path() {
        cost += price * network.push(&path);
    }
    u128::try_from(cost).expect("carrying costs nothing or more")
}

/// Room left on each edge and its cost; node 0 is the source, the last node the sink.
struct Network {
    room: Vec<Vec<i128>>,
    cost: Vec<Vec<i128>>,
}

impl Network {
    fn new(supply: &[u64], demand: &[u64], apart: &[Vec<u64>]) -> Network {
        let (from, to) = (|s: usize| 1 + s, |d: usize| 1 + supply.len() + d);
        let sink = to(demand.len());
        let mut network = Network {
            room: vec![vec![0; sink + 1]; sink + 1],
            cost: vec![vec![0; sink + 1]; sink + 1],
        };
        for (s, &amount) in supply.iter().enumerate() {
            network.room[0][from(s)] = amount.into();
            for (d, &cost) in apart[s].iter().enumerate() {
                network.room[from(s)][to(d)] = amount.into();
                network.cost[from(s)][to(d)] = cost.into();
                network.cost[to(d)][from(s)] = -i128::from(cost);
            }
        }
        demand
            .iter()
            .enumerate()
            .for_each(|(d, &amount)| network.room[to(d)][sink] = amount.into());
        network
    }

    /// The nodes of a cheapest path with room from source to sink, and its cost for each unit.
    fn cheapest_path(&self) -> Option<(Vec<usize>, i128)> {
        let nodes = self.room.len();
        let mut best: Vec<Option<i128>> = vec![None; nodes];
        let mut before = vec![0; nodes];
        best[0] = Some(0);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for a in 0..nodes {
                let Some(here) = best[a] else { continue };
                for b in 0..nodes {
                    let there = here + self.cost[a][b];
                    if self.room[a][b] > 0 && best[b].is_none_or(|known| there < known) {
                        (best[b], before[b], changed) = (Some(there), a, true);
                    }
                }
            }
        }
        let price = best[nodes - 1]?;
        let mut path = vec![nodes - 1];
        while let Some(&node) = path.last().filter(|&&node| node != 0) {
            path.push(before[node]);
        }
        path.reverse();
        Some((path, price))
    }

    /// Fills a path and says how much went through.
    fn push(&mut self, path: &[usize]) -> i128 {
        let room = |edge: &[usize]| self.room[edge[0]][edge[1]];
        let amount = path.windows(2).map(room).min().expect("a path has an edge");
        for edge in path.windows(2) {
            self.room[edge[0]][edge[1]] -= amount;
            self.room[edge[1]][edge[0]] += amount;
        }
        amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_transports() {
        let line = |n: usize| {
            (0..n)
                .map(|a| (0..n).map(|b| a.abs_diff(b) as u64).collect())
                .collect::<Vec<_>>()
        };
        assert_eq!(cheapest(&[3, 0], &[0, 3], &line(2)), 3);
        assert_eq!(cheapest(&[1, 1, 0], &[0, 1, 1], &line(3)), 2);
        assert_eq!(cheapest(&[5], &[5], &line(1)), 0);
        // the greedy choice for the first supplier must be undone
        assert_eq!(cheapest(&[1, 1], &[1, 1], &[vec![1, 2], vec![1, 9]]), 3);
    }
}
