//! Fitting: the distribution of largest entropy on a junction tree whose tables are the given ones.
//!
//! Iterative proportional fitting (Deming and Stephan 1940; on junction trees Jiroušek and Přeučil
//! 1995): every clique holds its table of the joint distribution; a given table scales the clique
//! that holds it, and what changed travels along separators. Given tables that contradict each
//! other a little, as noisy ones do, are met as well as the last sweeps leave them. Cost: per sweep
//! two passes over a clique for each table given to it.

use super::tree::Tree;
use crate::Error;
use crate::error::stop_if;
use std::sync::atomic::AtomicBool;

/// A table that the model is to have: attributes ascending, cells row-major and not negative.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub attributes: Vec<usize>,
    pub counts: Vec<f64>,
}

/// Tables over the cliques of a tree that agree on their separators.
pub(crate) struct Model {
    pub(crate) tree: Tree,
    pub(crate) tables: Vec<Vec<f64>>,
}

/// Fits a model. It starts at independence with the given 1-way tables, which all have the same
/// total.
#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
pub(crate) fn fit(
    tree: Tree,
    cells: &[usize],
    one_way: &[Vec<f64>],
    targets: &[Target],
    sweeps: usize,
    cancel: &AtomicBool,
) -> Result<Model, Error> {
    let tables = tree
        .cliques
        .iter()
        .map(|clique| product(clique, one_way))
        .collect();
    let mut given: Vec<Vec<Given<'_>>> = tree.cliques.iter().map(|_| Vec::new()).collect();
    for target in targets {
        let Some(at) = tree.holding(&target.attributes) else {
            continue;
        };
        let cell = projection(&tree.cliques[at], &target.attributes, cells);
        given[at].push(Given {
            cell,
            counts: &target.counts,
        });
    }
    let mut links = Vec::new();
    let mut children: Vec<Vec<usize>> = tree.cliques.iter().map(|_| Vec::new()).collect();
    for clique in 0..tree.cliques.len() {
        let (separator, parent) = (tree.separator(clique), tree.parent[clique]);
        if parent != clique {
            children[parent].push(clique);
        }
        links.push(Link {
            below: projection(&tree.cliques[clique], &separator, cells),
            above: projection(&tree.cliques[parent], &separator, cells),
            cells: separator.iter().map(|&a| cells[a]).product(),
        });
    }
    let mut sweep = Sweep {
        tree: &tree,
        tables,
        given,
        links,
        children,
    };
    for _ in 0..sweeps {
        stop_if(cancel)?;
        if sweep.visit(0) < CLOSE {
            break;
        }
    }
    sweep.distribute(0);
    let tables = sweep.tables;
    Ok(Model { tree, tables })
}

/// A sweep that changes no given table by more than this share of the records is the last.
const CLOSE: f64 = 1e-5;

struct Given<'a> {
    cell: Vec<u32>,
    counts: &'a [f64],
}

/// Where the cells of a clique and of its parent are in their separator.
struct Link {
    below: Vec<u32>,
    above: Vec<u32>,
    cells: usize,
}

struct Sweep<'a> {
    tree: &'a Tree,
    tables: Vec<Vec<f64>>,
    given: Vec<Vec<Given<'a>>>,
    links: Vec<Link>,
    children: Vec<Vec<usize>>,
}

impl Sweep<'_> {
    /// Scales a clique to its given tables, then each child and back. Says by how much the worst
    /// was off, as a share.
    fn visit(&mut self, clique: usize) -> f64 {
        let mut worst: f64 = 0.0;
        for given in &self.given[clique] {
            worst = worst.max(scale(&mut self.tables[clique], &given.cell, given.counts));
        }
        for child in self.children[clique].clone() {
            self.down(child);
            worst = worst.max(self.visit(child));
            self.up(child);
        }
        worst
    }

    fn distribute(&mut self, clique: usize) {
        for child in self.children[clique].clone() {
            self.down(child);
            self.distribute(child);
        }
    }

    fn down(&mut self, child: usize) {
        let (link, parent) = (&self.links[child], self.tree.parent[child]);
        let shared = sums(&self.tables[parent], &link.above, link.cells);
        scale(&mut self.tables[child], &link.below, &shared);
    }

    fn up(&mut self, child: usize) {
        let (link, parent) = (&self.links[child], self.tree.parent[child]);
        let shared = sums(&self.tables[child], &link.below, link.cells);
        scale(&mut self.tables[parent], &link.above, &shared);
    }
}

/// Brings the sums of a table to what they should be; cells without weight stay so. Says how far
/// they were, as a share.
fn scale(table: &mut [f64], cell: &[u32], wanted: &[f64]) -> f64 {
    let mut ratios = sums(table, cell, wanted.len());
    let (mut off, mut all) = (0.0, 0.0);
    for (ratio, &wanted) in ratios.iter_mut().zip(wanted) {
        off += (*ratio - wanted).abs();
        all += wanted;
        *ratio = if *ratio > 0.0 { wanted / *ratio } else { 0.0 };
    }
    table
        .iter_mut()
        .zip(cell)
        .for_each(|(value, &at)| *value *= ratios[at as usize]);
    if all > 0.0 { off / all } else { 0.0 }
}

pub(crate) fn sums(table: &[f64], cell: &[u32], cells: usize) -> Vec<f64> {
    let mut sums = vec![0.0; cells];
    table
        .iter()
        .zip(cell)
        .for_each(|(value, &at)| sums[at as usize] += value);
    sums
}

/// Per cell of a table over `of`, row-major, its cell in the table over `onto`, which are some of
/// them in any order.
pub(crate) fn projection(of: &[usize], onto: &[usize], cells: &[usize]) -> Vec<u32> {
    let mut stride = vec![0usize; of.len()];
    let mut step = 1;
    for &a in onto.iter().rev() {
        let place = of
            .iter()
            .position(|&b| b == a)
            .expect("a part of the clique");
        stride[place] = step;
        step *= cells[a];
    }
    let mut projected = vec![0u32];
    for (place, &a) in of.iter().enumerate() {
        let values = cells[a];
        let mut next = Vec::with_capacity(projected.len() * values);
        for &at in &projected {
            next.extend((0..values).map(|value| at + (value * stride[place]) as u32));
        }
        projected = next;
    }
    projected
}

/// The table of independent attributes.
fn product(clique: &[usize], one_way: &[Vec<f64>]) -> Vec<f64> {
    let mut table = vec![1.0];
    for (place, &a) in clique.iter().enumerate() {
        let total: f64 = one_way[a].iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let by = if place == 0 { 1.0 } else { total };
        table = table
            .iter()
            .flat_map(|value| one_way[a].iter().map(move |count| value * count / by))
            .collect();
    }
    table
}
