//! Agglomerative: groups grow from the rows that are most alike. Ours, and the default.
//!
//! Mondrian's cuts leave groups twice as large as needed and go through dense places that need no generalization at
//! all. Here every distinct tuple starts as a group of its own, and those that satisfy the requirement already may stay
//! as they are. Two ways from there:
//!
//! * **Group-monotone requirements** (k-anonymity, distinct l-diversity: a group that satisfies them may only gain by
//!   more rows). Each tuple learns its nearest tuples once ([`graph`]); groups that still fail [`merge`] with the
//!   neighbour whose company costs least; then, in rounds, tuples move or change places where that pays ([`refine`]),
//!   and new groups are made of what others can spare ([`births`]).
//! * **Requirements on proportions** (entropy, recursive, frequency, t-closeness). Likeness alone leads nowhere, because
//!   alike people have alike sensitive values. Rows are taken singly, and groups are [`carve`]d out with a mix of
//!   sensitive values near to that of the rest; then rows of equal sensitive value change places.
//!
//! The goal is one sum: rows × loss per row (NCP over all columns) plus a price for crowding, since smaller groups serve
//! both discernibility and queries. All searches run in parallel and are applied in a fixed order, so the result does
//! not depend on the number of threads. Cost: about `n log n` in distinct tuples; carving is quadratic in a cell's rows.

use crate::loss::Loss;
use crate::{Error, Method, Options, Ranges, plan};
use clusters::{Clusters, Task};
use graph::Graph;
use mingle_model::{Cube, Partition};
use mingle_privacy::Requirement;

mod births;
mod carve;
mod clusters;
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
/// What a row more costs each row of a group of the smallest size, all rows together: half a column.
const CROWDING: f32 = 0.5;

impl Method for Agglomerative {
    fn name(&self) -> &'static str {
        "agglomerative"
    }

    fn wants_rows(&self, requirement: &Requirement) -> bool {
        !requirement.group_monotone()
    }

    fn partition(&self, cube: &Cube, requirement: &Requirement, options: &Options) -> Result<Partition, Error> {
        if options.ranges == Ranges::Cell {
            return Err(Error::NoCells);
        }
        if !requirement.holds(&plan::whole(cube, requirement)) {
            return Err(Error::Unsatisfiable);
        }
        let loss = Loss::new(cube);
        let crowding = CROWDING / requirement.smallest_group() as f32;
        match requirement.group_monotone() {
            true => from_tuples(&Task::of_tuples(&loss, requirement, crowding), options),
            false => from_rows(&Task::of_records(&loss, requirement, crowding), options),
        }
    }
}

fn from_tuples(task: &Task, options: &Options) -> Result<Partition, Error> {
    let mut clusters = Clusters::singletons(task);
    let graph = Graph::new(task, &clusters.satisfied, DEGREE);
    options.check_cancelled()?;
    merge::merge(task, &graph, &mut clusters, options)?;
    clusters.compact(task);
    improve(task, &graph, &mut clusters, options, true)?;
    clusters.compact(task);
    Ok(plan::of_tuples(task.loss.cube(), task.requirement, &clusters.members))
}

fn from_rows(task: &Task, options: &Options) -> Result<Partition, Error> {
    let cube = task.loss.cube();
    let groups = carve::carve(task, options)?;
    let mut clusters = Clusters::of_groups(task, groups);
    let graph = Graph::new(task, &vec![false; task.rows.len()], DEGREE);
    improve(task, &graph, &mut clusters, options, false)?;
    clusters.compact(task);
    Ok(plan::of_records(cube, task.requirement, &clusters.members, &plan::tuple_of_record(cube)))
}

/// Rounds of improvement until one is not worth its time.
fn improve(task: &Task, graph: &Graph, clusters: &mut Clusters, options: &Options, births: bool) -> Result<(), Error> {
    let mut active = vec![true; clusters.len()];
    let mut total = clusters.cost(task);
    for round in 0..ROUNDS {
        options.check_cancelled()?;
        refine::refine(task, graph, clusters, &mut active);
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
