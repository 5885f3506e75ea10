//! Microaggregation: groups of the k rows that are nearest to one another, from the outside in.
//!
//! This is MDAV ("maximum distance to average vector") for mixed data, as Domingo-Ferrer and Torra,
//! *Ordinal, continuous and heterogeneous k-anonymity through microaggregation* (2005), give it as
//! MDAV-generic; see [`mdav`] for the steps and [`metric`] for what distance and average mean.
//! Groups have exactly k rows, k being the smallest group that the requirement allows, and only the
//! last of a block has up to 2k − 1. Three things are added:
//!
//! * **Dense tuples stay whole.** k or more rows that agree in all quasi-identifiers are a group
//!   already: taking k of them would gain nothing and leave the rest to be generalized with others.
//! * **Blocks.** MDAV is quadratic. A table with more distinct tuples than
//!   [`Microaggregation::block`] is cut at medians first, as [`Mondrian`](crate::Mondrian) does,
//!   and MDAV runs within each block, all blocks at the same time.
//! * **Other constraints, and insiders,** by merging: a group that fails takes in the nearest
//!   groups until it holds ([`merging`]), at last all of the table. Long chains of mergers go
//!   astray, so merging is also done within each of Mondrian's parts, where it ends at the latest
//!   with the part; of the two results the one with the tighter labels is kept.
//!
//! A group is published by what covers it, or by its centroid ([`GroupRepresentative`]).
//!
//! Equal rows may end in different groups, so it works on single rows ([`Cube::into_rows`]); which
//! of them goes where depends neither on their order in the input nor on names of providers
//! ([`dealing`]). Where people have several rows it is people that are dealt, k counts people, and a
//! person is where the median of her rows is. Cost: rows × block / k distances.

mod centroid;
mod dealing;
mod mdav;
mod merging;
mod metric;

use crate::bisect::{Units, median_cuts, partition_in_place};
use crate::loss::GeneralizationCosts;
use crate::profiles::check_people;
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges,
    apart, mondrian, plan,
};
use dealing::Dealing;
use merging::CandidateGroup;
use metric::Metric;
use mingle_model::{Cube, Partition};
use mingle_privacy::Requirement;
use rayon::prelude::*;

/// MDAV on mixed data.
#[derive(Clone, Copy, Debug)]
pub struct Microaggregation {
    /// A table of more distinct tuples is cut into blocks of at most so many. Up to here, groups
    /// are those of MDAV.
    pub block: usize,
    /// What stands for a group.
    pub output: GroupRepresentative,
    /// Whether groups are also merged within Mondrian's parts, and the better result is kept.
    pub within_parts: bool,
}

impl Default for Microaggregation {
    fn default() -> Self {
        Microaggregation {
            block: BLOCK,
            output: GroupRepresentative::Range,
            within_parts: true,
        }
    }
}

/// Larger blocks cost time in proportion and gain little: see docs/design/microaggregation.md.
const BLOCK: usize = 16_384;

impl CataloguedMethod for Microaggregation {
    const NAME: &'static str = "microaggregation";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: false,
        centroids: true,
        suppresses: false,
        full_domain: false,
        decoys: false,
        efforts: false,
        aims: false,
        sets: true,
        quick: false,
    };

    fn with_output(output: GroupRepresentative) -> Self {
        Microaggregation {
            output,
            ..Microaggregation::default()
        }
    }
}

impl Method for Microaggregation {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn wants_rows(&self, _requirement: &Requirement) -> bool {
        true
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
        if self.output == GroupRepresentative::Centroid && requirement.insiders().m.0 > 0 {
            return Err(Error::MeansTellInsiders);
        }
        check_people(cube, requirement)?;
        if let Some(planned) = apart::partition(self, cube, requirement, options)? {
            return Ok(planned);
        }
        if self.output == GroupRepresentative::Centroid && cube.people().is_some() {
            return Err(Error::CentroidsOfPeople);
        }
        if cube.quasi_identifiers().is_empty() {
            return plan::one_group(cube, requirement);
        }
        let (groups, partition) = self.best(cube, requirement, options)?;
        Ok(match self.output {
            GroupRepresentative::Range => partition,
            GroupRepresentative::Centroid => {
                centroid::partition(cube, &groups, &plan::tuple_of_record(cube))
            }
        })
    }
}

/// Groups of records.
type Groups = Vec<Vec<u32>>;

impl Microaggregation {
    /// Groups of records.
    pub(crate) fn groups(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Groups, Error> {
        Ok(self.best(cube, requirement, options)?.0)
    }

    /// The better of two ways to merge, as groups and as they would be published by what covers
    /// them.
    fn best(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<(Groups, Partition), Error> {
        let search = Search {
            cube,
            requirement,
            options,
            block: self.block.max(1),
            loss: &GeneralizationCosts::new(cube),
            metric: &Metric::new(cube),
            dealing: &Dealing::new(cube, requirement),
            tuple_of: &plan::tuple_of_record(cube),
        };
        let mut ways: Vec<Groups> = Vec::new();
        ways.extend(search.merged_anywhere()?);
        // where only group sizes count, groups of k rows hold without merging
        let merges = !requirement.attributes().is_empty() || requirement.insiders().m.0 > 0;
        if self.within_parts && merges {
            ways.extend(search.merged_within_parts()?);
        }
        let mut best: Option<(f64, Groups, Partition)> = None;
        for groups in ways {
            let partition = plan::of_records(cube, requirement, options, &groups, search.tuple_of);
            let cost = search.loss.of_partition(&partition);
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, groups, partition));
            }
        }
        let (_, groups, partition) = best.ok_or(Error::Unsatisfiable)?;
        Ok((groups, partition))
    }
}

/// What stays the same throughout a run.
struct Search<'a> {
    cube: &'a Cube,
    requirement: &'a Requirement,
    options: &'a MethodOptions<'a>,
    block: usize,
    loss: &'a GeneralizationCosts<'a>,
    metric: &'a Metric<'a>,
    dealing: &'a Dealing<'a>,
    tuple_of: &'a [u32],
}

impl Search<'_> {
    /// Groups merged with whatever is near, if all hold in the end.
    fn merged_anywhere(&self) -> Result<Option<Groups>, Error> {
        let mut tuples: Vec<u32> = (0..self.dealing.len() as u32).collect();
        Ok(all_that_hold(self.solve(&mut tuples)?))
    }

    /// Groups merged within Mondrian's parts only, if there are such parts.
    fn merged_within_parts(&self) -> Result<Option<Groups>, Error> {
        let parts = mondrian::groups(self.cube, self.requirement, self.loss, self.options)?;
        let Some(mut parts) = parts else {
            return Ok(None);
        };
        let merged: Result<Vec<Vec<CandidateGroup>>, Error> = parts
            .par_iter_mut()
            .map(|tuples| self.solve(tuples))
            .collect();
        Ok(all_that_hold(merged?.into_iter().flatten().collect()))
    }

    /// Groups of these tuples. All hold, unless there is only one.
    fn solve(&self, tuples: &mut [u32]) -> Result<Vec<CandidateGroup>, Error> {
        self.options.check_cancelled()?;
        let units = self.dealing;
        let cuts = if tuples.len() > self.block {
            median_cuts(units, self.loss, tuples)
        } else {
            Vec::new()
        };
        let groups = match cuts.first() {
            None => self.of_block(tuples)?,
            Some(cut) => {
                let (left, right) =
                    partition_in_place(tuples, |t| units.code(cut.column, t) < cut.code);
                let (left, right) = rayon::join(|| self.solve(left), || self.solve(right));
                let mut groups = left?;
                groups.extend(right?);
                groups
            }
        };
        merging::settle(self, groups)
    }

    /// Dense tuples by themselves, the others by MDAV.
    fn of_block(&self, tuples: &[u32]) -> Result<Vec<CandidateGroup>, Error> {
        let k = self.requirement.smallest_group();
        let (dense, sparse): (Vec<u32>, Vec<u32>) =
            tuples.iter().partition(|&&t| self.dealing.weight(t) >= k);
        let dense = dense.iter().map(|&t| self.dealing.items_of(t).to_vec());
        let sparse = mdav::groups(self.metric, self.dealing, &sparse, k, self.options)?;
        Ok(dense
            .chain(sparse)
            .map(|items| CandidateGroup::new(self, self.dealing.records(items)))
            .collect())
    }
}

/// The records of groups, unless one of them fails.
fn all_that_hold(groups: Vec<CandidateGroup>) -> Option<Groups> {
    let mut records = Vec::with_capacity(groups.len());
    for group in groups {
        if !group.holds {
            return None;
        }
        records.push(group.records);
    }
    Some(records)
}
