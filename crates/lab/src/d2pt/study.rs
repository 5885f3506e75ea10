//! One table and everything that is measured about it.

use super::closeness::Closeness;
use super::column_set::ColumnSet;
use super::loss::{discernibility, loss};
use super::path::{Path, after};
use super::people::SplitPeople;
use super::plan::{Bound, StudyPlan};
use super::site::SiteColumns;
use super::split::{Key, Split, key};
use crate::error::Error;
use mingle_assess::utility;
use mingle_protocol::{Classes, Local, Synchronizer, Traffic};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whose partitions were made one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// Those of two sites, which were equal from the start.
    Same,
    /// Those of two sites, which were not.
    Different,
    /// One site has all columns.
    Central,
}

impl Case {
    /// The paper's word.
    pub fn name(self) -> &'static str {
        match self {
            Case::Same => "SAME",
            Case::Different => "DIFF",
            Case::Central => "central",
        }
    }
}

/// A setting and what came out.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasuredSplit {
    /// Whose partitions.
    pub case: Case,
    /// The quasi-identifiers of site 0.
    pub columns: ColumnSet,
    /// The smallest group.
    pub k: u64,
    /// The promise about sensitive values.
    pub bound: Bound,
    /// How two partitions became one.
    pub synchronizer: Option<Synchronizer>,
    /// How often they were compared.
    pub rounds: usize,
    /// Groups of the release.
    pub groups: usize,
    /// Sum of squared group sizes, normalized.
    pub discernibility: f64,
    /// Normalized certainty penalty.
    pub ncp: f64,
    /// Mean relative error of the queries.
    pub query_error: f64,
    /// What the sites sent.
    pub traffic: Traffic,
}

/// A table, what is promised about it and what is measured.
pub struct Study<'a> {
    /// The table.
    pub people: SplitPeople,
    /// What is measured.
    pub plan: StudyPlan,
    /// Per site its sensitive column.
    pub closeness: [Closeness; 2],
    /// For the queries.
    pub options: utility::UtilityOptions,
    /// What of earlier settings may be used again.
    pub key: fn(&SplitSetting) -> Key,
    cancel: Option<&'a AtomicBool>,
}

/// What is promised about a split, and how many steps that takes each site.
#[derive(Clone, Copy, Debug)]
pub struct SplitSetting {
    /// The smallest group.
    pub k: u64,
    /// The promise about sensitive values, by its place in the plan.
    pub bound: usize,
    /// How two partitions become one.
    pub synchronizer: Synchronizer,
    /// Per site.
    pub steps: [usize; 2],
}

impl<'a> Study<'a> {
    /// Refuses a table with fewer people than some k.
    pub fn new(
        people: SplitPeople,
        plan: StudyPlan,
        seed: u64,
        cancel: Option<&'a AtomicBool>,
    ) -> Result<Study<'a>, Error> {
        let needed = plan.ks.iter().copied().max().unwrap_or(1) as usize;
        if people.count() < needed {
            return Err(Error::TooFewRows {
                rows: people.count(),
                needed,
            });
        }
        let closeness = [
            Closeness::new(&people, 0, &plan.bounds)?,
            Closeness::new(&people, 1, &plan.bounds)?,
        ];
        let options = utility::UtilityOptions {
            seed,
            queries: plan.queries,
        };
        Ok(Study {
            people,
            plan,
            closeness,
            options,
            key,
            cancel,
        })
    }

    /// Every setting of one split, and then with the sites' columns swapped.
    pub fn both_ways(&self, half: ColumnSet) -> Result<Vec<MeasuredSplit>, Error> {
        let halves = [half, self.people.columns().without(half)];
        let [one, other] = halves.map(|columns| self.path(columns));
        let mut results = self.split([halves[0], halves[1]], [&one, &other])?;
        results.extend(self.split([halves[1], halves[0]], [&other, &one])?);
        Ok(results)
    }

    fn split(
        &self,
        columns: [ColumnSet; 2],
        paths: [&Path; 2],
    ) -> Result<Vec<MeasuredSplit>, Error> {
        let mut split = Split::new(self, columns);
        let mut results = Vec::new();
        for (bound, promised) in self.plan.bounds.iter().enumerate() {
            for &k in &self.plan.ks {
                self.check_cancelled()?;
                let steps = [0, 1].map(|site: usize| end(paths[site], k, site, bound));
                for &synchronizer in &self.plan.synchronizers {
                    // DPP2GA keeps k and nothing else
                    if synchronizer != Synchronizer::Dpp2ga || promised.always_holds() {
                        results.push(split.measure(SplitSetting {
                            k,
                            bound,
                            synchronizer,
                            steps,
                        })?);
                    }
                }
            }
        }
        Ok(results)
    }

    /// Datafly by somebody who has all columns, with both sensitive ones as far from everybody's as
    /// promised.
    pub fn central(&self) -> Result<Vec<MeasuredSplit>, Error> {
        let columns = self.people.columns();
        let path = self.path(columns);
        let settings = (0..self.plan.bounds.len())
            .flat_map(|bound| self.plan.ks.iter().map(move |&k| (bound, k)));
        settings
            .map(|(bound, k)| self.central_release(&path, columns, k, bound))
            .collect()
    }

    fn central_release(
        &self,
        path: &Path,
        columns: ColumnSet,
        k: u64,
        bound: usize,
    ) -> Result<MeasuredSplit, Error> {
        self.check_cancelled()?;
        let steps = [0, 1].map(|sensitive| end(path, k, sensitive, bound));
        let levels = after(&self.people, columns, steps[0].max(steps[1]));
        let site = SiteColumns::new(levels, self.people.count(), &self.closeness[0], bound, k);
        let groups = Classes::new(site.classes(&self.people.everybody()));
        let members = groups.members();
        let cells = members
            .iter()
            .flat_map(|group| (0..columns.len()).map(|c| site.cell(c, 0, group)));
        let loss = loss(&self.people, &groups, cells.collect(), self.options)?;
        Ok(MeasuredSplit {
            case: Case::Central,
            columns,
            k,
            bound: self.plan.bounds[bound],
            synchronizer: None,
            rounds: 0,
            groups: groups.len(),
            discernibility: discernibility(&groups),
            ncp: loss.ncp,
            query_error: loss.query_error,
            traffic: Traffic::default(),
        })
    }

    fn path(&self, columns: ColumnSet) -> Path {
        Path::new(
            &self.people,
            columns,
            &self.closeness,
            self.plan.bounds.len(),
        )
    }

    fn check_cancelled(&self) -> Result<(), Error> {
        if self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Err(Error::Cancelled)
        } else {
            Ok(())
        }
    }
}

fn end(path: &Path, k: u64, sensitive: usize, bound: usize) -> usize {
    path.end(k, sensitive, bound)
        .expect("a study has at least k people, and one class of all of them holds")
}
