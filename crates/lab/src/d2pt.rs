//! How do two sites with different columns agree, and at what price? The evaluation of Nielsen,
//! Janusz, Taeschner and Freytag, *D2Pt: Privacy-Aware Multiparty Data Publication* (BTW 2015),
//! Section 4, Figure 4, with our REPAIR and central Datafly beside the paper's synchronizers.
//!
//! Seven quasi-identifiers of Adult are dealt to two sites in all 126 ways. Site 0 has occupation
//! and site 1 income; since both ways to deal a split are measured, this covers either assignment.
//! Each site runs Datafly until k-anonymity and t-closeness hold for its own columns, then a
//! synchronizer makes the two partitions one. Partitions are computed centrally, by the reference
//! that the protocol's sessions are tested against; bytes come from the protocol's own size
//! function.
//!
//! Cost: a walk to the root per set of columns, then a synchronization per case that differs: see
//! [`split`].

mod closeness;
mod column_set;
mod loss;
mod paper;
mod path;
mod people;
mod pictures;
mod plan;
mod report;
mod results;
mod site;
mod split;
mod study;

use crate::error::Error;
use crate::outcome::Outcome;
use crate::{Experiment, Extent, Setting};
use column_set::ColumnSet;
use people::SplitPeople;
use plan::StudyPlan;
use rayon::prelude::*;
use study::{MeasuredSplit, Study};

/// The evaluation of the D2Pt paper.
#[derive(Clone, Copy, Debug, Default)]
pub struct D2pt;

impl Experiment for D2pt {
    fn name(&self) -> &'static str {
        "d2pt"
    }

    fn about(&self) -> &'static str {
        "two sites with different columns (Nielsen et al. 2015, figure 4)"
    }

    fn run(&self, setting: &Setting) -> Result<Outcome, Error> {
        let made_up = match setting.extent {
            Extent::Full => 30_162,
            Extent::Quick => 6_000,
            Extent::Smoke => 600,
        };
        let people = SplitPeople::load(setting.data, made_up, setting.seed)?;
        let studies = studies(people, setting)?;
        let jobs = jobs(&studies);
        let results = setting.each(&jobs, |job| Ok((job.study, job.run(&studies[job.study])?)))?;
        let mut all: Vec<Vec<MeasuredSplit>> = studies.iter().map(|_| Vec::new()).collect();
        results
            .into_iter()
            .for_each(|(study, measured)| all[study].extend(measured));
        Ok(report::outcome(&studies, &all))
    }
}

/// The table with all columns, then the tables with one left out.
fn studies<'a>(people: SplitPeople, setting: &Setting<'a>) -> Result<Vec<Study<'a>>, Error> {
    let study = |people, plan| Study::new(people, plan, setting.seed, setting.cancel);
    let less: Vec<SplitPeople> = (0..people.columns().len())
        .map(|column| people.without(column))
        .collect();
    let plan = StudyPlan::all_columns(setting.extent, &people);
    let mut studies = vec![study(people, plan)?];
    for people in less {
        let plan = StudyPlan::one_left_out(setting.extent, &people);
        studies.push(study(people, plan)?);
    }
    Ok(studies)
}

/// So many splits at a time, so that there is something to tell in between.
const AT_A_TIME: usize = 8;

/// Some work on a study.
struct Job {
    study: usize,
    /// Splits, or none for the central release.
    halves: Vec<ColumnSet>,
}

fn jobs(studies: &[Study]) -> Vec<Job> {
    let of_study = |(study, of): (usize, &Study)| -> Vec<Job> {
        let splits = of.plan.halves.chunks(AT_A_TIME).map(<[ColumnSet]>::to_vec);
        std::iter::once(Vec::new())
            .chain(splits)
            .map(|halves| Job { study, halves })
            .collect()
    };
    studies.iter().enumerate().flat_map(of_study).collect()
}

impl Job {
    fn run(&self, study: &Study) -> Result<Vec<MeasuredSplit>, Error> {
        if self.halves.is_empty() {
            return study.central();
        }
        let results: Result<Vec<Vec<MeasuredSplit>>, Error> = self
            .halves
            .par_iter()
            .map(|&half| study.both_ways(half))
            .collect();
        Ok(results?.concat())
    }
}

#[cfg(test)]
mod tests;
