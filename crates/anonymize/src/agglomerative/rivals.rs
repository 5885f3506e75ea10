//! Other methods' groups, as a yardstick and as a further start.
//!
//! Growing groups from what is alike nearly always loses least, but not always: where labels are very
//! tight anyway, the price for crowding outweighs them. So the cheap methods run as well: [`mondrian`],
//! against insiders [`provider_aware`], and [`microaggregation`](crate::Microaggregation) where counts
//! are to be answered well, in tables that are not cut into pieces, and wherever the best effort is
//! asked for. Where one of them would lose less as published, its groups are a start like the others:
//! units move where that pays. Of its groups, of what they are improved to and of our own, those are
//! kept that lose least. Hence the result loses no more than any of these methods.
//!
//! Only where no promise looks at sensitive values. A cut that was not made because a side failed
//! tells a reader who reruns it with k alone who failed; [`decoys`](super::decoys) hide that for
//! tuples, and nothing would hide it for cuts. (Promises on proportions have starts of their own:
//! [`proportions`](super::proportions).)
//!
//! Cost: a rival's own, and a sum over its groups' labels. More only where a rival is ahead: then its
//! groups, which come in the order of cuts, are improved in runs.

use super::clusters::{Clusters, Parts, Task};
use super::{Groups, Search};
use crate::bisect::{Tuples, Units};
use crate::labels::LabelRules;
use crate::loss::GeneralizationCosts;
use crate::profiles::{Profiles, counted, records_of_kinds};
use crate::{Error, Microaggregation, SearchAim, SearchEffort, mondrian, plan, provider_aware};
use mingle_model::Partition;
use rayon::prelude::*;

/// What is made small, of groups as they are published.
struct Yardstick<'a> {
    loss: &'a GeneralizationCosts<'a>,
    /// What a row more costs each row of its group.
    crowding: f64,
}

impl Yardstick<'_> {
    fn of_partition(&self, partition: &Partition) -> f64 {
        let cube = self.loss.cube();
        let mut rows = vec![0.0f64; partition.cells.len() / self.loss.slots()];
        for (&group, record) in partition.group_of.iter().zip(cube.records()) {
            rows[group as usize] += record.count as f64;
        }
        let crowded: f64 = rows.iter().map(|rows| rows * rows).sum();
        self.loss.of_partition(partition) + self.crowding * crowded
    }

    /// The same before ends of ranges are widened, which costs no less: groups of records.
    fn at_least(&self, groups: &[Vec<u32>], tuple_of: &[u32]) -> f64 {
        let cube = self.loss.cube();
        let cost = |records: &Vec<u32>| {
            let mut rows = 0.0;
            let mut tuples = Vec::with_capacity(records.len());
            for &record in records {
                rows += cube.records()[record as usize].count as f64;
                tuples.push(tuple_of[record as usize]);
            }
            tuples.dedup();
            let mut extents = self.loss.extents();
            self.loss.push_box(&mut extents, &tuples);
            rows * (f64::from(self.loss.of(&extents, 0)) + self.crowding * rows)
        };
        // summed in a fixed order, whatever the number of threads
        let costs: Vec<f64> = groups.par_iter().map(cost).collect();
        costs.iter().sum()
    }
}

impl Search<'_> {
    /// A partition, or one that starts from another method's groups and loses less.
    pub(super) fn or_rival(&self, own: Partition) -> Result<Partition, Error> {
        if self.secret.is_some() || self.options.effort == SearchEffort::Quick {
            return Ok(own);
        }
        let cube = self.loss.cube();
        // searches may weigh columns; a policy that asks for a small loss means all alike
        let alike = vec![1.0; cube.quasi_identifiers().len()];
        let plain = GeneralizationCosts::weighted(cube, &alike, LabelRules::of(self.options));
        let yardstick = match self.options.aim {
            SearchAim::Ncp => Yardstick {
                loss: &plain,
                crowding: 0.0,
            },
            SearchAim::Queries => Yardstick {
                loss: self.loss,
                crowding: f64::from(self.crowding()),
            },
        };
        let tuple_of = plan::tuple_of_record(cube);
        let mut best = (yardstick.of_partition(&own), own);
        for groups in self.rivals()? {
            if yardstick.at_least(&groups, &tuple_of) >= best.0 {
                continue;
            }
            let improved = self.started_from(&groups, &tuple_of)?;
            for groups in [groups, improved] {
                let (requirement, options) = (self.requirement, self.options);
                let partition = plan::of_records(cube, requirement, options, &groups, &tuple_of);
                let cost = yardstick.of_partition(&partition);
                if cost < best.0 {
                    best = (cost, partition);
                }
            }
        }
        Ok(best.1)
    }

    /// The groups of records that other methods make, as far as they find any.
    fn rivals(&self) -> Result<Vec<Groups>, Error> {
        let (cube, requirement, options) = (self.loss.cube(), self.requirement, self.options);
        let people = counted(cube, requirement);
        // the methods' own cuts are those of unweighted columns
        let plain = GeneralizationCosts::new(cube);
        let mut rivals = Vec::new();
        if let Some(groups) = mondrian::groups(cube, requirement, &plain, options)? {
            rivals.push(match people {
                None => Tuples(cube).records_of_groups(&groups),
                Some(people) => Profiles::new(cube, people).records_of_groups(&groups),
            });
        }
        if requirement.insiders().m.0 > 0
            && let Some(groups) = provider_aware::groups(cube, requirement, &plain, options)?
        {
            rivals.push(match people {
                None => groups,
                Some(people) => records_of_kinds(people, &groups),
            });
        }
        // its own cost is that of a search, and grows with the size of its blocks
        let is_small = cube.tuples() <= self.sizes.whole;
        let counts = options.aim == SearchAim::Queries && is_small;
        if counts || options.effort == SearchEffort::Best {
            match Microaggregation::default().groups(cube, requirement, options) {
                Ok(groups) => rivals.push(groups),
                Err(Error::Unsatisfiable) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(rivals)
    }

    /// Groups that start from these, after units have moved where that pays.
    fn started_from(&self, groups: &Groups, tuple_of: &[u32]) -> Result<Groups, Error> {
        let runs = self.runs(groups, tuple_of);
        let found: Result<Vec<Groups>, Error> = runs
            .par_iter()
            .map(|run| self.improved_run(&run.parts, &run.groups))
            .collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// Cuts groups into runs of about as many units as a piece has.
    fn runs(&self, groups: &Groups, tuple_of: &[u32]) -> Vec<Run> {
        let people = counted(self.loss.cube(), self.requirement);
        let number_of = |record: u32| match people {
            None => tuple_of[record as usize],
            Some(people) => people.profile_of(people.kind_of(record as usize)) as u32,
        };
        let mut runs = Vec::new();
        let mut run = Run::default();
        for records in groups {
            let mut numbered: Vec<(u32, u32)> = Vec::with_capacity(records.len());
            for &record in records {
                numbered.push((number_of(record), record));
            }
            numbered.sort_unstable();
            let first = run.parts.len() as u32;
            for alike in numbered.chunk_by(|a, b| a.0 == b.0) {
                let records = alike.iter().map(|&(_, record)| record);
                run.parts.push(alike[0].0, records);
            }
            run.groups.push((first..run.parts.len() as u32).collect());
            if run.parts.len() >= self.sizes.wanted {
                runs.push(std::mem::take(&mut run));
            }
        }
        runs.push(run);
        runs
    }

    fn improved_run(&self, parts: &Parts, groups: &Groups) -> Result<Groups, Error> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let task = Task::of_tuples(self.loss, self.requirement, parts, self.crowding());
        let graph = self.graph(&task, &vec![false; task.rows.len()])?;
        let clusters = Clusters::of_groups(&task, groups.clone());
        let improved = self.improved(&task, &graph, clusters, true)?;
        let mut groups = Vec::with_capacity(improved.len());
        for members in &improved.members {
            groups.push(parts.records_of(members.iter().copied()));
        }
        Ok(groups)
    }
}

/// Some groups: their units, and which of these belong together.
#[derive(Default)]
struct Run {
    parts: Parts,
    groups: Groups,
}
