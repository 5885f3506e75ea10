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
//!   groups are [`carve`]d out with a mix of sensitive values near to that of the rest, from the
//!   whole table or from the parts that cuts leave ([`proportions`]); then rows of equal sensitive
//!   value change places.
//!
//! Against insiders, groups are large, and three things change. Providers whose rows are better
//! kept apart do not share groups ([`blocks`]). Where groups need many tuples, they start as pieces
//! of the table that is [`cut`] where that saves most, because long chains of mergers go astray.
//! And columns count by how much a generalized label misleads ([`unevenness`](crate::unevenness)),
//! since large groups generalize much.
//!
//! The goal is one sum: rows × loss per row (NCP over all columns) plus a price for crowding, since
//! smaller groups serve both discernibility and queries. All searches run in parallel and are
//! applied in a fixed order, so the result does not depend on the number of threads. Large tables are
//! searched in [`pieces`]. Cost: about `n log n` in distinct tuples; carving is quadratic in a
//! cell's rows.

use crate::index::Index;
use crate::labels::LabelRules;
use crate::loss::GeneralizationCosts;
use crate::profiles::check_people;
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    SearchAim, SearchEffort, apart, plan, unevenness,
};
use blocks::Blocks;
use clusters::{Clusters, Parts, Task};
use decoys::Secret;
use graph::Graph;
use mingle_model::{Cube, Partition, PersonRows};
use mingle_privacy::{Constraint, Requirement, Tally};
use pieces::{Cutting, PieceSizes};
use rayon::prelude::*;
use refine::Improving;

mod births;
mod blocks;
mod carve;
mod clusters;
mod cut;
mod decoys;
mod distances;
mod graph;
mod lattice;
mod merge;
mod pieces;
#[cfg(test)]
mod pieces_tests;
mod proportions;
mod refine;
mod rivals;

/// Grows groups from the rows that are most alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agglomerative;

/// What the policy's effort allows, counted in steps, so that the result does not depend on the
/// machine.
struct Budget {
    /// How many neighbours a tuple knows: more find better company, at more cost.
    neighbours: usize,
    /// At most so many rounds of improvement.
    rounds: usize,
    /// In so many of them new groups are born; later ones find few.
    births: usize,
    /// A round that improves the sum by less than this share is the last.
    worthwhile: f64,
    /// How many units the start from level vectors may look at.
    level_visits: u64,
}

impl Budget {
    fn of(effort: SearchEffort, tuples: usize) -> Budget {
        match effort {
            SearchEffort::Quick => Budget {
                neighbours: 8,
                rounds: 2,
                births: 1,
                worthwhile: 0.01,
                level_visits: 0,
            },
            SearchEffort::Normal => Budget {
                // who finds nobody among them asks farther away: see [`Task::among_many`]
                neighbours: if tuples > PieceSizes::USUAL.whole {
                    10
                } else {
                    20
                },
                rounds: 12,
                births: 2,
                worthwhile: 0.001,
                level_visits: 1 << 23,
            },
            SearchEffort::Best => Budget {
                neighbours: 48,
                rounds: 48,
                births: 6,
                worthwhile: 0.0001,
                level_visits: 1 << 27,
            },
        }
    }
}

/// Where fewer level vectors than this could be looked at, they are no start.
const FEWEST_VECTORS: u64 = 128;
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
        !merges(requirement)
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        Agglomerative::in_pieces(cube, requirement, options, PieceSizes::USUAL)
    }
}

impl Agglomerative {
    fn in_pieces(
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
        sizes: PieceSizes,
    ) -> Result<Partition, Error> {
        if options.ranges == Ranges::Cell {
            return Err(Error::NoCells);
        }
        check_people(cube, requirement)?;
        if let Some(planned) = apart::partition(&Agglomerative, cube, requirement, options)? {
            return Ok(planned);
        }
        if cube.quasi_identifiers().is_empty() {
            return plan::one_group(cube, requirement);
        }
        // coalitions make for large groups, whose labels mislead most where values are uneven
        let misleads = requirement.insiders().m.0 > 0 || options.aim == SearchAim::Queries;
        let weights = if misleads {
            unevenness::weights(cube)
        } else {
            vec![1.0; cube.quasi_identifiers().len()]
        };
        let loss = GeneralizationCosts::weighted(cube, &weights, LabelRules::of(options));
        let search = Search {
            loss: &loss,
            budget: Budget::of(options.effort, cube.tuples()),
            requirement,
            options,
            secret: Secret::of(cube, requirement),
            sizes,
        };
        if !merges(requirement) {
            return proportions::partition(&search);
        }
        let mut best: Option<(f64, Partition)> = None;
        for division in search.promising(blocks::choose(cube, requirement))? {
            let groups = search.divided(Parts::of(cube, requirement, &division))?;
            let partition = plan::of_records(
                cube,
                requirement,
                options,
                &groups,
                &plan::tuple_of_record(cube),
            );
            let cost = loss.of_partition(&partition);
            if best.as_ref().is_none_or(|b| cost < b.0) {
                best = Some((cost, partition));
            }
        }
        search.or_rival(best.ok_or(Error::Unsatisfiable)?.1)
    }
}

/// Whether groups form by merging what is alike. Where people have several rows, a newcomer may own
/// too many of a group's rows, but that is mended by others, and merging goes on until all groups hold.
/// Where their rows may be apart, it is rows that are planned.
fn merges(requirement: &Requirement) -> bool {
    match requirement.person_rows() {
        None => requirement.group_monotone(),
        Some(PersonRows::Together) => {
            let nearly_monotone = |c: &dyn Constraint| c.people_closed_under_union();
            requirement.constraints().all(nearly_monotone)
        }
        Some(PersonRows::Apart) => {
            let monotone = |c: &dyn Constraint| c.group_monotone();
            requirement.constraints().all(monotone)
        }
    }
}

/// Groups of records.
type Groups = Vec<Vec<u32>>;

struct Search<'a> {
    loss: &'a GeneralizationCosts<'a>,
    budget: Budget,
    requirement: &'a Requirement,
    options: &'a MethodOptions<'a>,
    /// What decoys are drawn by, where there are any.
    secret: Option<Secret>,
    sizes: PieceSizes,
}

impl Search<'_> {
    fn cutting(&self) -> Cutting<'_> {
        Cutting {
            loss: self.loss,
            requirement: self.requirement,
            options: self.options,
            sizes: self.sizes,
        }
    }

    /// Of several divisions of a large table the one that is cheapest in a few places of it; all of
    /// them where the table is small, or where a place could not be divided like the whole.
    fn promising(&self, divisions: Vec<Blocks>) -> Result<Vec<Blocks>, Error> {
        let cube = self.loss.cube();
        let together = vec![0; cube.providers().len()];
        if divisions.len() < 2 || cube.tuples() == 0 {
            return Ok(divisions);
        }
        let whole = Parts::of(cube, self.requirement, &together);
        let Some(sample) = self.cutting().sample(&whole[0])? else {
            return Ok(divisions);
        };
        let tuple_of = plan::tuple_of_record(cube);
        let labelling = plan::GroupLabelling::of_everybody(cube, self.requirement, self.options);
        let mut best: Option<(f64, &Blocks)> = None;
        for division in &divisions {
            let units = sample.iter().map(|&number| number as usize);
            let parts = Parts::of_some(cube, self.requirement, division, units);
            if !parts.iter().all(|part| self.cutting().holds(part)) {
                return Ok(divisions);
            }
            let mut cost = 0.0;
            for records in self.divided(parts)? {
                let rows = records.iter().map(|&r| cube.records()[r as usize].count);
                let rows = rows.sum::<u64>() as f64;
                let cells = labelling.of_records(&records, &tuple_of);
                for (column, cell) in cells.iter().enumerate() {
                    cost += rows * f64::from(self.loss.of_cell(column, cell));
                }
            }
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, division));
            }
        }
        Ok(best
            .into_iter()
            .map(|(_, division)| division.clone())
            .collect())
    }

    /// Groups within blocks of providers.
    fn divided(&self, parts: Vec<Parts>) -> Result<Groups, Error> {
        let units: usize = parts.iter().map(Parts::len).sum();
        if units <= self.sizes.whole {
            let found: Result<Vec<Groups>, Error> = parts
                .par_iter()
                .map(|part| self.of_piece(part, part.len()))
                .collect();
            return Ok(found?.into_iter().flatten().collect());
        }
        let mut groups = Vec::new();
        for part in parts {
            let units = part.len();
            let pieces = self.cutting().pieces(part)?;
            // many small ones at the same time; of large ones, which have work enough for all
            // threads, no two are in memory
            for together in pieces.chunk_by(|a, b| a.len().max(b.len()) <= self.sizes.whole) {
                let found: Result<Vec<Groups>, Error> = together
                    .par_iter()
                    .map(|piece| self.of_piece(piece, units))
                    .collect();
                groups.extend(found?.into_iter().flatten());
            }
        }
        Ok(groups)
    }

    fn crowding(&self) -> f32 {
        CROWDING / clusters::smallest_rows(self.loss.cube(), self.requirement)
    }

    /// Groups of a piece of a part of the table that has so many units.
    fn of_piece(&self, part: &Parts, units: usize) -> Result<Groups, Error> {
        let task = Task::of_tuples(self.loss, self.requirement, part, self.crowding());
        let decoys = decoys::choose(&task, &part.numbers, self.secret.as_ref())?;
        let task = Task {
            decoys,
            among_many: self.loss.cube().tuples() > self.sizes.whole,
            ..task
        };
        let order = arranged(&task);
        let clusters = self.of_tuples(&task.part(&order), units)?;
        let mut groups = Vec::with_capacity(clusters.len());
        for members in &clusters.members {
            let units = members.iter().map(|&unit| order[unit as usize]);
            groups.push(part.records_of(units));
        }
        Ok(groups)
    }

    /// The better of two starts, each improved: merging or cutting, and level vectors where columns
    /// have hierarchies. The task is a piece of a part of the table that has so many units.
    fn of_tuples(&self, task: &Task, units: usize) -> Result<Clusters, Error> {
        let (graph, first) = if self.groups_are_large(task) {
            let whole = Tally::sum(task.tallies.iter());
            let graph = self.graph(task, &vec![false; task.rows.len()])?;
            let pieces = Clusters::of_groups(task, cut::cut(task, whole, self.options)?);
            let first = self.improved(task, &graph, pieces, true)?;
            (graph, first)
        } else {
            let singletons = Clusters::singletons(task);
            let graph = self.graph(task, &singletons.satisfied)?;
            let first = self.merged(task, &graph, singletons)?;
            (graph, first)
        };
        // as many in each piece as the whole part could have
        let vectors = self.budget.level_visits / units.max(1) as u64;
        if vectors < FEWEST_VECTORS || !lattice::has_levels(task) {
            return Ok(first);
        }
        let by_levels = lattice::groups(task, vectors * task.rows.len() as u64, self.options)?;
        let mut groups = by_levels.groups;
        for unit in by_levels.left {
            groups.push(vec![unit]);
        }
        let by_levels = self.merged(task, &graph, Clusters::of_groups(task, groups))?;
        if self.aimed(task, &by_levels) < self.aimed(task, &first) {
            Ok(by_levels)
        } else {
            Ok(first)
        }
    }

    /// Whether groups against insiders are to be expected of more than [`MANY`] units.
    fn groups_are_large(&self, task: &Task) -> bool {
        if self.requirement.insiders().m.0 == 0 {
            return false;
        }
        let whole = Tally::sum(task.tallies.iter());
        task.rows.len() as f32 > MANY * task.expected_groups(&whole)
    }

    /// What the policy wants small. A price for crowding guides every search, since small groups
    /// have tight labels; of two results the better one has the smaller loss, or, for queries, the
    /// smaller sum.
    fn aimed(&self, task: &Task, clusters: &Clusters) -> f64 {
        match self.options.aim {
            SearchAim::Ncp => clusters.loss(),
            SearchAim::Queries => clusters.cost(task),
        }
    }

    fn graph(&self, task: &Task, satisfied: &[bool]) -> Result<Graph, Error> {
        Graph::new(task, satisfied, self.budget.neighbours, self.options)
    }

    /// Merges the groups that fail until none does, and improves the result.
    fn merged(
        &self,
        task: &Task,
        graph: &Graph,
        mut clusters: Clusters,
    ) -> Result<Clusters, Error> {
        merge::merge(task, graph, &mut clusters, self.options)?;
        clusters.compact(task);
        self.improved(task, graph, clusters, true)
    }

    /// Rounds of improvement until one is not worth its time.
    fn improved(
        &self,
        task: &Task,
        graph: &Graph,
        mut clusters: Clusters,
        births: bool,
    ) -> Result<Clusters, Error> {
        let mut improving = Improving::new(task, &clusters);
        let mut total = clusters.cost(task);
        for round in 0..self.budget.rounds {
            refine::refine(task, graph, &mut clusters, &mut improving, self.options)?;
            if births && round < self.budget.births {
                births::births(task, &mut clusters, &mut improving.active, self.options)?;
            }
            let after = clusters.cost(task);
            if total - after < self.budget.worthwhile * total {
                break;
            }
            total = after;
        }
        clusters.compact(task);
        Ok(clusters)
    }
}

/// An order in which units that are alike stand close to each other: the searches look at
/// neighbours all the time, and find them in the processor's cache.
fn arranged(task: &Task) -> Vec<u32> {
    let units = (0..task.rows.len() as u32).collect();
    let index = Index::new(task.loss, &task.extents, &task.rows, units);
    index.items().to_vec()
}
