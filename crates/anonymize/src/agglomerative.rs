//! Agglomerative: groups grow from the rows that are most alike. Ours, and the default.
//!
//! Mondrian's cuts leave groups twice as large as needed and go through dense places that need no
//! generalization at all. Here every distinct tuple starts as a group of its own, and those that
//! satisfy the requirement already may stay as they are, but for a secret share of [`decoys`] where
//! the requirement looks at sensitive values: otherwise a tuple that did not stay would be known to
//! have failed. Two ways from there:
//!
//! * **Group-monotone requirements** (k-anonymity, distinct l-diversity: a group that satisfies
//!   them may only gain by more rows). Each tuple learns its nearest tuples once ([`graph`]);
//!   groups that still fail [`merge`] with the neighbour whose company costs least; then, in
//!   rounds, tuples move or change places where that pays ([`refine`]), and new groups are made of
//!   what others can spare ([`births`]).
//! * **Requirements on proportions** (entropy, recursive, frequency, t-closeness). Likeness alone
//!   leads nowhere, because alike people have alike sensitive values. Rows are taken singly, and
//!   groups are [`carve`]d out with a mix of sensitive values near to that of the rest; then rows
//!   of equal sensitive value change places.
//!
//! Against insiders, groups are large, and three things change. Providers whose rows are better
//! kept apart do not share groups ([`blocks`]). Where groups need many tuples, they start as pieces
//! of the table that is [`cut`] where that saves most, because long chains of mergers go astray.
//! And columns count by how much a generalized label misleads ([`unevenness`](crate::unevenness)),
//! since large groups generalize much.
//!
//! The goal is one sum: rows × loss per row (NCP over all columns) plus a price for crowding, since
//! smaller groups serve both discernibility and queries. All searches run in parallel and are
//! applied in a fixed order, so the result does not depend on the number of threads. Cost: about `n
//! log n` in distinct tuples; carving is quadratic in a cell's rows.

use crate::loss::GeneralizationCosts;
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    plan, unevenness,
};
use blocks::Blocks;
use clusters::{Clusters, Parts, Task};
use decoys::Secret;
use graph::Graph;
use mingle_model::{Cell, Cube, Partition};
use mingle_privacy::{Requirement, Tally};
use rayon::prelude::*;

mod births;
mod blocks;
mod carve;
mod clusters;
mod cut;
mod decoys;
mod graph;
mod merge;
mod refine;

/// Grows groups from the rows that are most alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agglomerative;

/// How many neighbours a tuple knows: more find better company, at more cost.
const DEGREE: usize = 20;
/// At most so many rounds of improvement.
const ROUNDS: usize = 12;
/// In so many of them new groups are born; later ones find few.
const BIRTHS: usize = 2;
/// A round that improves the sum by less than this share is the last.
const WORTHWHILE: f64 = 0.001;
/// Where groups are to be expected of more units than this, cutting makes better ones than merging.
const MANY: f32 = 16.0;
/// What a row more costs each row of a group of the smallest size, all rows together: half a
/// column.
const CROWDING: f32 = 0.5;

impl CataloguedMethod for Agglomerative {
    const NAME: &'static str = "agglomerative";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: false,
        centroids: false,
        suppresses: false,
        full_domain: false,
        decoys: true,
        efforts: true,
        aims: true,
        sets: true,
        quick: false,
    };

    fn with_output(_: GroupRepresentative) -> Self {
        Agglomerative
    }
}

impl Method for Agglomerative {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn wants_rows(&self, requirement: &Requirement) -> bool {
        !requirement.group_monotone()
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        if options.ranges == Ranges::Cell {
            return Err(Error::NoCells);
        }
        if cube.quasi_identifiers().is_empty() {
            return plan::one_group(cube, requirement);
        }
        // coalitions make for large groups, whose labels mislead most where values are uneven
        let loss = match requirement.insiders().m.0 {
            0 => GeneralizationCosts::new(cube),
            _ => GeneralizationCosts::weighted(cube, &unevenness::weights(cube)),
        };
        let search = Search {
            loss: &loss,
            requirement,
            options,
            secret: Secret::of(cube, requirement),
        };
        let mut best: Option<(f64, Partition)> = None;
        for division in blocks::choose(cube, requirement) {
            let groups = search.divided(&division)?;
            let partition = plan::of_records(
                cube,
                requirement,
                options,
                &groups,
                &plan::tuple_of_record(cube),
            );
            let cost = search.cost(&partition);
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, partition));
            }
        }
        Ok(best.ok_or(Error::Unsatisfiable)?.1)
    }
}

/// Groups of records.
type Groups = Vec<Vec<u32>>;

struct Search<'a> {
    loss: &'a GeneralizationCosts<'a>,
    requirement: &'a Requirement,
    options: &'a MethodOptions<'a>,
    /// What decoys are drawn by, where there are any.
    secret: Option<Secret>,
}

impl Search<'_> {
    /// Groups within blocks of providers.
    fn divided(&self, blocks: &Blocks) -> Result<Groups, Error> {
        let parts = Parts::of(self.loss.cube(), blocks);
        let found: Result<Vec<Groups>, Error> =
            parts.par_iter().map(|part| self.of_block(part)).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// What a partition costs as it would be published, widened ends and all.
    fn cost(&self, partition: &Partition) -> f64 {
        let q = self.loss.slots();
        let mut rows = vec![0.0f64; partition.cells.len() / q];
        let counts = self.loss.cube().records().iter().map(|r| r.count as f64);
        partition
            .group_of
            .iter()
            .zip(counts)
            .for_each(|(&group, count)| rows[group as usize] += count);
        let loss =
            |cells: &[Cell]| -> f32 { (0..q).map(|c| self.loss.of_cell(c, &cells[c])).sum() };
        let of = |(cells, rows): (&[Cell], &f64)| rows * f64::from(loss(cells));
        partition.cells.chunks(q).zip(&rows).map(of).sum()
    }

    fn crowding(&self) -> f32 {
        CROWDING / self.requirement.smallest_group() as f32
    }

    fn of_block(&self, part: &Parts) -> Result<Groups, Error> {
        let crowding = self.crowding();
        if self.requirement.group_monotone() {
            let task = Task::of_tuples(self.loss, self.requirement, part, crowding);
            let decoys = decoys::choose(&task, &part.tuples, self.secret.as_ref())?;
            let task = Task { decoys, ..task };
            let clusters = self.of_tuples(&task)?;
            let records = |members: &Vec<u32>| -> Vec<u32> {
                members
                    .iter()
                    .flat_map(|&unit| part.records(unit as usize))
                    .copied()
                    .collect()
            };
            Ok(clusters.members.iter().map(records).collect())
        } else {
            let task = Task::of_records(self.loss, self.requirement, part, crowding);
            let clusters = self.of_rows(&task)?;
            let record = |&unit: &u32| part.all_records()[unit as usize];
            Ok(clusters
                .members
                .iter()
                .map(|members| members.iter().map(record).collect())
                .collect())
        }
    }

    fn of_tuples(&self, task: &Task) -> Result<Clusters, Error> {
        let whole = (self.requirement.insiders().m.0 > 0).then(|| Tally::sum(task.tallies.iter()));
        let many = |whole: &Tally| task.rows.len() as f32 > MANY * task.expected_groups(whole);
        let (graph, mut clusters) = match whole.filter(many) {
            Some(whole) => {
                let clusters = Clusters::of_groups(task, cut::cut(task, whole, self.options)?);
                (
                    Graph::new(task, &vec![false; task.rows.len()], DEGREE, self.options)?,
                    clusters,
                )
            }
            None => {
                let mut clusters = Clusters::singletons(task);
                let graph = Graph::new(task, &clusters.satisfied, DEGREE, self.options)?;
                merge::merge(task, &graph, &mut clusters, self.options)?;
                clusters.compact(task);
                (graph, clusters)
            }
        };
        improve(task, &graph, &mut clusters, self.options, true)?;
        clusters.compact(task);
        Ok(clusters)
    }

    fn of_rows(&self, task: &Task) -> Result<Clusters, Error> {
        let groups = carve::carve(task, self.options)?;
        let mut clusters = Clusters::of_groups(task, groups);
        let graph = Graph::new(task, &vec![false; task.rows.len()], DEGREE, self.options)?;
        improve(task, &graph, &mut clusters, self.options, false)?;
        clusters.compact(task);
        Ok(clusters)
    }
}

/// Rounds of improvement until one is not worth its time.
fn improve(
    task: &Task,
    graph: &Graph,
    clusters: &mut Clusters,
    options: &MethodOptions,
    births: bool,
) -> Result<(), Error> {
    let mut active = vec![true; clusters.len()];
    let mut total = clusters.cost(task);
    for round in 0..ROUNDS {
        refine::refine(task, graph, clusters, &mut active, options)?;
        if births && round < BIRTHS {
            births::births(task, clusters, &mut active, options)?;
        }
        let after = clusters.cost(task);
        if total - after < WORTHWHILE * total {
            break;
        }
        total = after;
    }
    Ok(())
}
