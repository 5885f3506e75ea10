//! Junction trees: a model over many attributes as overlapping tables that fit into memory.
//!
//! A graph of attributes is triangulated by eliminating, again and again, the attribute whose
//! neighbours make the smallest table; the cliques are joined by a spanning tree of largest
//! separators, which has the running intersection property (Lauritzen and Spiegelhalter 1988).
//! Attributes without an edge are cliques of one, joined by empty separators.

/// A junction tree; clique 0 is the root, and every other clique comes after its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// Per clique its attributes, ascending.
    pub cliques: Vec<Vec<usize>>,
    /// Per clique its parent; the root is its own.
    pub parent: Vec<usize>,
}

impl Tree {
    /// The tree of a graph, or `None` if its tables would have more than `most` cells.
    pub(crate) fn new(cells: &[usize], edges: &[(usize, usize)], most: u64) -> Option<Tree> {
        let cliques = triangulate(cells, edges);
        let size = |clique: &Vec<usize>| {
            clique
                .iter()
                .fold(1u128, |all, &a| all.saturating_mul(cells[a] as u128))
        };
        let all = cliques.iter().map(size).fold(0u128, u128::saturating_add);
        // a graph without edges must always do: its tables are those of single attributes
        (all <= u128::from(most) || edges.is_empty()).then(|| join(cliques))
    }

    /// What a clique shares with its parent, ascending; empty for the root.
    pub(crate) fn separator(&self, clique: usize) -> Vec<usize> {
        let parent = self.parent[clique];
        if parent == clique {
            return Vec::new();
        }
        self.cliques[clique]
            .iter()
            .copied()
            .filter(|a| self.cliques[parent].contains(a))
            .collect()
    }

    /// A clique that has all of some attributes: the one with the fewest, where there are several.
    pub(crate) fn holding(&self, attributes: &[usize]) -> Option<usize> {
        let holds = |clique: &Vec<usize>| attributes.iter().all(|a| clique.contains(a));
        let holding = (0..self.cliques.len()).filter(|&c| holds(&self.cliques[c]));
        holding.min_by_key(|&c| self.cliques[c].len())
    }
}

fn triangulate(cells: &[usize], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let n = cells.len();
    let mut near = vec![vec![false; n]; n];
    for &(a, b) in edges.iter().filter(|(a, b)| a != b) {
        near[a][b] = true;
        near[b][a] = true;
    }
    let mut left: Vec<usize> = (0..n).collect();
    let mut cliques: Vec<Vec<usize>> = Vec::new();
    while !left.is_empty() {
        let weight = |&a: &usize| {
            let others = left
                .iter()
                .filter(|&&b| near[a][b])
                .map(|&b| (cells[b] as f64).ln())
                .sum::<f64>();
            others + (cells[a] as f64).ln()
        };
        let weights: Vec<f64> = left.iter().map(weight).collect();
        let at = (0..left.len())
            .min_by(|&i, &j| weights[i].total_cmp(&weights[j]))
            .expect("someone is left");
        let gone = left.remove(at);
        let around: Vec<usize> = left.iter().copied().filter(|&b| near[gone][b]).collect();
        for (i, &a) in around.iter().enumerate() {
            for &b in &around[i + 1..] {
                near[a][b] = true;
                near[b][a] = true;
            }
        }
        let mut clique = around;
        clique.push(gone);
        clique.sort_unstable();
        if !cliques
            .iter()
            .any(|other| clique.iter().all(|a| other.contains(a)))
        {
            cliques.push(clique);
        }
    }
    cliques
}

/// Prim's algorithm on the sizes of separators, from the first clique.
fn join(cliques: Vec<Vec<usize>>) -> Tree {
    let shared = |a: &[usize], b: &[usize]| a.iter().filter(|x| b.contains(x)).count();
    let mut placed = vec![0];
    let mut parent = vec![0];
    let mut open: Vec<usize> = (1..cliques.len()).collect();
    // per open clique the best place so far, in the numbering of `placed`
    let mut best: Vec<(usize, usize)> = open
        .iter()
        .map(|&c| (shared(&cliques[c], &cliques[0]), 0))
        .collect();
    while !open.is_empty() {
        let at = (0..open.len())
            .max_by_key(|&i| (best[i].0, std::cmp::Reverse(open[i])))
            .expect("someone is open");
        let (next, (_, to)) = (open.remove(at), best.remove(at));
        parent.push(to);
        placed.push(next);
        for (&c, best) in open.iter().zip(&mut best) {
            let size = shared(&cliques[c], &cliques[next]);
            if size > best.0 {
                *best = (size, placed.len() - 1);
            }
        }
    }
    let mut cliques: Vec<Option<Vec<usize>>> = cliques.into_iter().map(Some).collect();
    let cliques = placed
        .iter()
        .map(|&c| cliques[c].take().expect("each is placed once"))
        .collect();
    Tree { cliques, parent }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every edge is in a clique, every attribute somewhere, and what two cliques share is in
        /// every clique between.
        #[test]
        fn trees_are_junction_trees(n in 1..9usize, edges in prop::collection::vec((0..9usize, 0..9usize), 0..20)) {
            let edges: Vec<(usize, usize)> = edges.into_iter().map(|(a, b)| (a % n, b % n)).collect();
            let cells: Vec<usize> = (0..n).map(|a| 2 + a % 4).collect();
            let tree = Tree::new(&cells, &edges, u64::MAX).expect("no limit");
            for &(a, b) in &edges {
                prop_assert!(tree.holding(&[a, b]).is_some());
            }
            prop_assert!((0..n).all(|a| tree.holding(&[a]).is_some()));
            prop_assert_eq!(tree.parent[0], 0);
            for c in 1..tree.cliques.len() {
                prop_assert!(tree.parent[c] < c);
            }
            let path = |mut c: usize| {
                let mut up = vec![c];
                while tree.parent[c] != c {
                    c = tree.parent[c];
                    up.push(c);
                }
                up
            };
            for i in 0..tree.cliques.len() {
                for j in 0..tree.cliques.len() {
                    let (up_i, up_j) = (path(i), path(j));
                    let meet = *up_i.iter().find(|c| up_j.contains(c)).expect("one root");
                    let between = up_i.iter().take_while(|&&c| c != meet).chain(up_j.iter().take_while(|&&c| c != meet));
                    for a in tree.cliques[i].iter().filter(|a| tree.cliques[j].contains(a)) {
                        prop_assert!(between.clone().chain([&meet]).all(|&c| tree.cliques[c].contains(a)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_tree_that_is_too_large_is_refused() {
        let cells = [100, 100, 100];
        assert!(Tree::new(&cells, &[(0, 1), (1, 2), (0, 2)], 999_999).is_none());
        assert!(Tree::new(&cells, &[(0, 1), (1, 2)], 20_000).is_some());
        assert!(
            Tree::new(&cells, &[], 1).is_some(),
            "single attributes always do"
        );
    }
}
