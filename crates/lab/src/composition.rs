//! What does a reader learn who lays two releases about the same people side by side? Figures 1 to
//! 8 of Ganta, Kasiviswanathan and Smith, *Composition Attacks and Auxiliary Information in Data
//! Privacy* (KDD 2008), Section 3.
//!
//! Subsets of a census that have 5,000 people in common are anonymized independently. For each of
//! the common people the reader takes the sensitive values of their group in every release, and
//! what is in all of these sets is what the person can have: Algorithm 1 of the paper. Its figures
//! assume that the right group is known ("In our attacks, we always assume locatability"); so do
//! these, and readers who have only the labels are measured beside it.
//!
//! Adult is the paper's first table. Its second, a census of IPUMS, is not to be had: in its place
//! stands a made-up table with the same domains and entropies, and beside it the small samples of
//! IPUMS where the folder has them. Draws are repeated, so every number has a spread.
//!
//! Cost: each release of a draw is made once, whatever the number of attacks on it.

mod attack;
mod overlap;
mod paper;
mod people;
mod pictures;
mod plan;
mod release;
mod report;
mod results;
mod sheet;
mod tables;
mod trees;

use crate::error::Error;
use crate::outcome::Outcome;
use crate::{Experiment, Extent, Setting};
use attack::{CompositionReader, Targets};
use people::{Census, CensusPeople};
use plan::{AnonymizationScheme, CompositionCell, ReleasePromises, SubsetsJob};
use rayon::prelude::*;
use release::{AttackedRelease, Publisher};
use results::MeasuredAttack;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Figures 1 to 8 of the composition paper.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompositionExperiment;

impl Experiment for CompositionExperiment {
    fn name(&self) -> &'static str {
        "composition"
    }

    fn about(&self) -> &'static str {
        "releases side by side (Ganta et al. 2008, figures 1 to 8)"
    }

    fn run(&self, setting: &Setting) -> Result<Outcome, Error> {
        let all = people(setting)?;
        let plan = plan::plan(setting.extent, &all);
        let results = setting.each(&plan, |job| measure(job, &all[job.people], setting))?;
        Ok(report::outcome(&all, &results.concat()))
    }
}

/// Every table there is.
fn people(setting: &Setting) -> Result<Vec<CensusPeople>, Error> {
    let (adult, ipums_like) = match setting.extent {
        Extent::Smoke => (700, 1_100),
        _ => (30_162, mingle_synth::IPUMS_LIKE_ROWS as usize),
    };
    let mut all = vec![
        CensusPeople::adult(setting.data, adult, setting.seed)?,
        CensusPeople::ipums_like(ipums_like, setting.seed)?,
    ];
    for census in [Census::Ipums97, Census::Ipums979899] {
        all.extend(CensusPeople::ipums(setting.data, census)?);
    }
    Ok(all)
}

/// A release of a draw: whose, how, and with which promises.
type Key = (usize, AnonymizationScheme, ReleasePromises);

/// Draws the subsets, publishes them and attacks what was published.
fn measure(
    job: &SubsetsJob,
    people: &CensusPeople,
    setting: &Setting,
) -> Result<Vec<MeasuredAttack>, Error> {
    let subsets = job.overlap.draw(people.count(), setting.seed, job.draw)?;
    let publishers: Result<Vec<Publisher>, Error> = subsets
        .par_iter()
        .map(|rows| Publisher::new(people, rows, job.sensitive))
        .collect();
    let releases = publish(job, &publishers?, setting.cancel)?;
    let common = &subsets[0][..job.overlap.common];
    let mut targets = vec![Targets::new(people, common, job.sensitive, false)?];
    if people.have_hierarchies() {
        targets.push(Targets::new(people, common, job.sensitive, true)?);
    }
    let of = |cell: &CompositionCell| attacked(job, cell, &targets, &releases);
    let results: Result<Vec<Vec<MeasuredAttack>>, Error> = job.cells.par_iter().map(of).collect();
    Ok(results?.concat())
}

/// Every release that the draw's cells need.
fn publish(
    job: &SubsetsJob,
    publishers: &[Publisher],
    cancel: Option<&AtomicBool>,
) -> Result<HashMap<Key, Option<AttackedRelease>>, Error> {
    let mut keys: Vec<Key> = Vec::new();
    for cell in &job.cells {
        keys.extend(
            (0..cell.releases).map(|release| (release, cell.scheme(release), cell.promised)),
        );
    }
    let mut seen = std::collections::HashSet::new();
    keys.retain(|&key| seen.insert(key));
    let looks = |key: &Key| matches!(key.1, AnonymizationScheme::Withstanding(_));
    let (after, before): (Vec<Key>, Vec<Key>) = keys.into_iter().partition(looks);
    let publish = |releases: &HashMap<Key, Option<AttackedRelease>>,
                   &(whose, scheme, promised): &Key| {
        let first = releases
            .get(&(0, AnonymizationScheme::Mondrian, promised))
            .and_then(Option::as_ref);
        Ok((
            (whose, scheme, promised),
            publishers[whose].publish(scheme, promised, first, cancel)?,
        ))
    };
    let none = HashMap::new();
    let mut releases: HashMap<Key, Option<AttackedRelease>> = before
        .par_iter()
        .map(|key| publish(&none, key))
        .collect::<Result<_, Error>>()?;
    let withstanding: Vec<(Key, Option<AttackedRelease>)> = after
        .par_iter()
        .map(|key| publish(&releases, key))
        .collect::<Result<_, Error>>()?;
    releases.extend(withstanding);
    Ok(releases)
}

fn attacked(
    job: &SubsetsJob,
    cell: &CompositionCell,
    targets: &[Targets],
    releases: &HashMap<Key, Option<AttackedRelease>>,
) -> Result<Vec<MeasuredAttack>, Error> {
    let readers = readers(job, cell);
    let of = |release: usize| releases[&(release, cell.scheme(release), cell.promised)].as_ref();
    let together: Option<Vec<&AttackedRelease>> = (0..cell.releases).map(of).collect();
    let targets = &targets[usize::from(cell.scheme(0).needs_hierarchies())];
    let exposures = match together {
        Some(releases) => targets
            .attack(&releases, readers)?
            .into_iter()
            .map(Some)
            .collect(),
        None => vec![None; readers.len()],
    };
    let job = SubsetsJob {
        cells: Vec::new(),
        ..job.clone()
    };
    let measured = |(&reader, exposure)| MeasuredAttack {
        job: job.clone(),
        cell: *cell,
        reader,
        exposure,
    };
    Ok(readers.iter().zip(exposures).map(measured).collect())
}

/// Who reads: always somebody who knows the groups, where the paper's text has figures also those
/// who have labels only.
fn readers(job: &SubsetsJob, cell: &CompositionCell) -> &'static [CompositionReader] {
    let of_text = [plan::K_OF_TEXT, plan::K_WITH_OTHERS]
        .map(ReleasePromises::k)
        .contains(&cell.promised);
    if !(job.located && of_text) {
        &[CompositionReader::Told]
    } else if cell.scheme(0) == AnonymizationScheme::Centroids {
        &[CompositionReader::Told, CompositionReader::Nearest]
    } else {
        &[
            CompositionReader::Told,
            CompositionReader::Union,
            CompositionReader::MostSpecific,
        ]
    }
}
