//! Groups that would be published alike are told apart.
//!
//! To the reader, groups with the same labels are one group, and are verified as one. Where the
//! requirement is not closed under union (constraints on proportions, against insiders) two groups
//! may hold and their union fail: one of them is then published with the next coarser label in the
//! column where that costs least. Cost O(groups × columns) labels, and nothing where the
//! requirement is closed under union.

use crate::loss::GeneralizationCosts;
use crate::plan;
use mingle_model::{Cell, Code, Cube, Domain, Grid, Hierarchy, Partition, published_values};
use mingle_privacy::Requirement;
use std::collections::{BTreeMap, HashMap};

/// A group's labels stop being made coarser after so many steps.
const STEPS: usize = 64;

/// Makes labels coarser until no union of groups that look alike fails; where no free label is
/// left, such groups are united with others, in the end with all of them.
pub fn separate(cube: &Cube, requirement: &Requirement, partition: &mut Partition) {
    let q = cube.quasi_identifiers().len();
    if requirement.closed_under_union() || q == 0 {
        return;
    }
    let mut taken = by_labels(cube, partition);
    let loss = GeneralizationCosts::new(cube);
    let mut steps = Vec::with_capacity(q);
    for column in 0..q {
        steps.push(PublishedExtent::new(cube, column, &partition.group_of));
    }
    for group in failing(cube, requirement, partition, &taken)
        .iter()
        .flat_map(|groups| &groups[1..])
    {
        let cells = &mut partition.cells[*group as usize * q..][..q];
        if let Some(apart) = find_free(&steps, &loss, cells, &taken) {
            taken.insert(labels(cube, &apart), vec![*group]);
            cells.clone_from_slice(&apart);
        }
    }
    // each round leaves fewer groups with rows
    while let Some(groups) =
        failing(cube, requirement, partition, &by_labels(cube, partition)).first()
    {
        unite(cube, requirement, partition, groups);
    }
}

/// The groups that have rows, by their labels.
fn by_labels(cube: &Cube, partition: &Partition) -> HashMap<Vec<String>, Vec<u32>> {
    let q = cube.quasi_identifiers().len();
    let mut has_rows = vec![false; partition.cells.len() / q];
    let kept = partition
        .group_of
        .iter()
        .filter(|&&group| group != Partition::SUPPRESSED);
    kept.for_each(|&group| has_rows[group as usize] = true);
    let mut groups: HashMap<Vec<String>, Vec<u32>> = HashMap::new();
    for (group, cells) in partition
        .cells
        .chunks(q)
        .enumerate()
        .filter(|(group, _)| has_rows[*group])
    {
        groups
            .entry(labels(cube, cells))
            .or_default()
            .push(group as u32);
    }
    groups
}

/// Groups that look alike and fail together.
fn failing(
    cube: &Cube,
    requirement: &Requirement,
    partition: &Partition,
    taken: &HashMap<Vec<String>, Vec<u32>>,
) -> Vec<Vec<u32>> {
    let alike: Vec<&Vec<u32>> = taken.values().filter(|groups| groups.len() > 1).collect();
    let records = records_of(
        partition,
        alike.iter().flat_map(|groups| groups.iter().copied()),
    );
    let mut failing: Vec<Vec<u32>> = alike
        .into_iter()
        .filter(|groups| !holds(cube, requirement, &records, groups))
        .cloned()
        .collect();
    failing.sort_unstable();
    failing
}

fn holds(
    cube: &Cube,
    requirement: &Requirement,
    records: &BTreeMap<u32, Vec<u32>>,
    groups: &[u32],
) -> bool {
    let all = groups
        .iter()
        .flat_map(|group| records[group].iter().copied());
    requirement.holds(&plan::tally_records(cube, requirement, all))
}

/// Puts groups together with the smallest other one with which they hold, or with all others if
/// there is none.
fn unite(cube: &Cube, requirement: &Requirement, partition: &mut Partition, groups: &[u32]) {
    let q = cube.quasi_identifiers().len();
    let all = (0..(partition.cells.len() / q) as u32).collect::<Vec<_>>();
    let records = records_of(partition, all.iter().copied());
    let mut others: Vec<u32> = all
        .iter()
        .copied()
        .filter(|g| !groups.contains(g) && !records[g].is_empty())
        .collect();
    others.sort_by_key(|group| records[group].len());
    let with = |other: u32| groups.iter().copied().chain([other]).collect::<Vec<u32>>();
    let found = others
        .iter()
        .map(|&other| with(other))
        .find(|both| holds(cube, requirement, &records, both));
    let united = found.unwrap_or(all);
    let first = united[0] as usize;
    for column in 0..q {
        let cell = |group: u32| &partition.cells[group as usize * q + column];
        if united.iter().any(|&group| cell(group) != cell(united[0])) {
            partition.cells[first * q + column] = Cell::All;
        }
    }
    let members = partition
        .group_of
        .iter_mut()
        .filter(|group| united.contains(group));
    members.for_each(|group| *group = first as u32);
}

fn labels(cube: &Cube, cells: &[Cell]) -> Vec<String> {
    cube.quasi_identifiers()
        .iter()
        .zip(cells)
        .map(|(qi, cell)| qi.domain.label(cell))
        .collect()
}

/// The records of some groups.
fn records_of(partition: &Partition, groups: impl Iterator<Item = u32>) -> BTreeMap<u32, Vec<u32>> {
    let mut records: BTreeMap<u32, Vec<u32>> = groups.map(|group| (group, Vec::new())).collect();
    for (record, group) in (0..).zip(&partition.group_of) {
        if let Some(own) = records.get_mut(group) {
            own.push(record);
        }
    }
    records
}

/// Coarser cells whose labels nobody has, found step by step along the cheapest columns.
fn find_free(
    steps_of: &[PublishedExtent],
    loss: &GeneralizationCosts,
    cells: &[Cell],
    taken: &HashMap<Vec<String>, Vec<u32>>,
) -> Option<Vec<Cell>> {
    let cube = loss.cube();
    let mut cells = cells.to_vec();
    for _ in 0..STEPS {
        let step = |column: usize| {
            let wider = steps_of[column]
                .coarser(&cube.quasi_identifiers()[column].domain, &cells[column])?;
            Some((
                loss.of_cell(column, &wider) - loss.of_cell(column, &cells[column]),
                column,
                wider,
            ))
        };
        let mut steps: Vec<(f32, usize, Cell)> = (0..cells.len()).filter_map(step).collect();
        steps.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, column, wider) in &steps {
            let mut next = cells.clone();
            next[*column] = wider.clone();
            if !taken.contains_key(&labels(cube, &next)) {
                return Some(next);
            }
        }
        let (_, column, wider) = steps.into_iter().next()?;
        cells[column] = wider;
    }
    None
}

/// The lowest node over the values of a set, which says less than the set.
fn covering_node(tree: &Hierarchy, codes: &[Code]) -> Cell {
    let (Some(&lo), Some(&hi)) = (codes.first(), codes.last()) else {
        return Cell::All;
    };
    let (level, node) = tree.lowest_common_ancestor(lo, hi);
    Cell::Node {
        level: level as u8,
        node,
    }
}

/// How far a column's labels may be widened: as the published rows say, not those left out.
struct PublishedExtent {
    grid: Option<Grid>,
    extent: Option<(i128, i128)>,
}

impl PublishedExtent {
    fn new(cube: &Cube, column: usize, group_of: &[u32]) -> PublishedExtent {
        let domain = &cube.quasi_identifiers()[column].domain;
        let published = published_values(cube, column, group_of);
        let mut extent: Option<(i128, i128)> = None;
        for code in 0..domain.len() as Code {
            let number = domain.number(code).filter(|_| published[code as usize]);
            if let Some(number) = number {
                let (low, high) = extent.unwrap_or((number, number));
                extent = Some((low.min(number), high.max(number)));
            }
        }
        PublishedExtent {
            grid: domain.grid_among(|code| published[code as usize]),
            extent,
        }
    }

    /// The next coarser label of the column; `None` for `*`.
    fn coarser(&self, domain: &Domain, cell: &Cell) -> Option<Cell> {
        if let Some(tree) = domain.hierarchy() {
            let (level, node) = match *cell {
                Cell::Span { lo, hi } => tree.lowest_common_ancestor(lo, hi),
                Cell::Node { level, node } => (usize::from(level), node),
                Cell::Set(ref codes) => return Some(covering_node(tree, codes)),
                _ => return None,
            };
            let leaf = tree.leaves(level, node).0;
            return (level < tree.height()).then(|| Cell::Node {
                level: level as u8 + 1,
                node: tree.ancestor(leaf, level + 1),
            });
        }
        let bounds = match *cell {
            Cell::All => return None,
            Cell::Between { lo, hi } => Some((lo, hi)),
            Cell::Span { lo, hi } => domain.number(lo).zip(domain.number(hi)),
            _ => None,
        };
        let (grid, (lo, hi), (low, high)) = match (self.grid, bounds, self.extent) {
            (Some(grid), Some(bounds), Some(extent)) => (grid, bounds, extent),
            _ => return Some(Cell::All),
        };
        match (lo > low, hi < high) {
            (false, false) => Some(Cell::All),
            (true, _) => Some(Cell::Between {
                lo: grid.floor(lo - 1),
                hi,
            }),
            (_, true) => Some(Cell::Between {
                lo,
                hi: grid.ceil(hi + 1),
            }),
        }
    }
}
