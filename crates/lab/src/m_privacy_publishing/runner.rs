//! Making, verifying and measuring one release.

use super::PROVIDERS;
use super::plan::PublishingCell;
use crate::data::PeopleRows;
use crate::error::Error;
use crate::stopwatch::{Patience, median_seconds};
use crate::{Extent, Setting};
use mingle::sequence::Sequence;
use mingle_anonymize::{Error as NoPartition, MethodOptions};
use mingle_assess::utility;
use mingle_model::{Cube, Missing, Partition, Published, Table};
use mingle_privacy::{Attribute, Insiders, K, L, M, Promise, Requirement, Rule};
use mingle_synth::Distribution;
use std::sync::Arc;
use std::time::Duration;

/// A setting and what came out, `None` where no release can exist.
pub struct MeasuredRelease {
    /// The setting.
    pub cell: PublishingCell,
    /// Time of partitioning, in seconds.
    pub seconds: f64,
    /// The release.
    pub release: Option<ReleaseFigures>,
}

/// What a release is like.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseFigures {
    /// Its groups.
    pub groups: usize,
    /// Normalized certainty penalty.
    pub ncp: f64,
    /// Mean relative error of the queries.
    pub query_error: f64,
    /// The median.
    pub median_query_error: f64,
    /// Contributing providers of a group, on average over groups.
    pub providers: f64,
    /// Share of the groups with a single contributor.
    pub single: f64,
}

pub struct PublishingRunner<'a> {
    data: &'a PeopleRows,
    setting: &'a Setting<'a>,
    patience: Patience,
    tables: Vec<((Distribution, usize), Table)>,
    releases: Vec<Release>,
}

/// A release that was measured: who needs the same again need not ask 2,500 queries again.
struct Release {
    cell: PublishingCell,
    group_of: Option<Vec<u32>>,
    figures: Option<ReleaseFigures>,
}

impl<'a> PublishingRunner<'a> {
    pub fn new(data: &'a PeopleRows, setting: &'a Setting<'a>) -> PublishingRunner<'a> {
        let samples = if setting.extent == Extent::Full { 5 } else { 1 };
        let patience = Patience {
            samples,
            budget: Duration::from_millis(500),
        };
        PublishingRunner {
            data,
            setting,
            patience,
            tables: Vec::new(),
            releases: Vec::new(),
        }
    }

    pub fn measure(&mut self, cell: PublishingCell) -> Result<MeasuredRelease, Error> {
        let seed = self.setting.seed;
        let key = (cell.distribution, cell.rows);
        if !self.tables.iter().any(|(other, _)| *other == key) {
            self.tables.push((
                key,
                self.data
                    .dealt(cell.rows, PROVIDERS, cell.distribution, seed, 0)?,
            ));
        }
        let table = self
            .tables
            .iter()
            .find(|(other, _)| *other == key)
            .map(|(_, table)| table);
        let cube = Cube::new(table.expect("the table was just made").clone());
        let promises = promises(&cell);
        let requirement = Requirement::bind(&promises, cube.sensitive(), &cube.combinations())?;
        let requirement = requirement
            .against(cell.insiders)
            .decided_by(cell.strategy)?;
        let method =
            mingle_anonymize::method(cell.method).expect("the plan names methods that exist");
        let missing = Missing::default();
        let sequence = Sequence::new(method.as_ref(), requirement, Arc::new(cube), &missing)
            .expect("the rows of a table that was made here can be numbered");
        let (partition, seconds) = self.partition(&sequence)?;
        let published = partition.map(|partition| sequence.render(&partition));
        let published = published.transpose().map_err(|_| refused(&cell))?;
        let release = self.figures(&cell, &sequence, published)?;
        Ok(MeasuredRelease {
            cell,
            seconds,
            release,
        })
    }

    fn partition(&self, sequence: &Sequence<'_>) -> Result<(Option<Partition>, f64), Error> {
        let options = MethodOptions {
            cancel: self.setting.cancel,
            ..MethodOptions::default()
        };
        let (partition, seconds) = median_seconds(self.patience, || sequence.partition(&options));
        match partition {
            Ok(partition) => Ok((Some(partition), seconds)),
            Err(NoPartition::Cancelled) => Err(Error::Cancelled),
            Err(_) => Ok((None, seconds)),
        }
    }

    /// Verifies a release and measures it, unless the same one was measured before: then it must be
    /// the same again.
    fn figures(
        &mut self,
        cell: &PublishingCell,
        sequence: &Sequence<'_>,
        published: Option<Published>,
    ) -> Result<Option<ReleaseFigures>, Error> {
        let group_of = published.as_ref().map(|p| p.group_of().to_vec());
        if let Some(before) = self.releases.iter().find(|r| r.cell.same_release(cell)) {
            return if before.group_of == group_of {
                Ok(before.figures.clone())
            } else {
                Err(disagreement(cell, &before.cell))
            };
        }
        let figures = published
            .map(|p| self.verified_figures(cell, sequence, p))
            .transpose()?;
        self.releases.push(Release {
            cell: *cell,
            group_of,
            figures: figures.clone(),
        });
        Ok(figures)
    }

    fn verified_figures(
        &self,
        cell: &PublishingCell,
        sequence: &Sequence<'_>,
        published: Published,
    ) -> Result<ReleaseFigures, Error> {
        let verified = sequence.verify(published)?.into_verified();
        let verified = verified.map_err(|_| refused(cell))?;
        let cube = sequence.cube();
        let published = verified.published();
        let queries = match self.setting.extent {
            Extent::Smoke => 50,
            _ => utility::UtilityOptions::default().queries,
        };
        let options = utility::UtilityOptions {
            seed: self.setting.seed,
            queries,
        };
        let utility = utility::measure(cube, &Missing::default(), published, cell.k, options)?;
        let contributors: Vec<usize> = (0..published.groups())
            .map(|g| contributors(published, g))
            .collect();
        let groups = contributors.len().max(1) as f64;
        Ok(ReleaseFigures {
            groups: utility.groups,
            ncp: utility.ncp.overall,
            query_error: utility.query_error.mean,
            median_query_error: utility.query_error.median,
            providers: contributors.iter().sum::<usize>() as f64 / groups,
            single: contributors.iter().filter(|&&n| n == 1).count() as f64 / groups,
        })
    }
}

fn promises(cell: &PublishingCell) -> [Promise; 2] {
    let diversity = Rule::distinct_diversity(L(cell.l));
    [
        Promise {
            rule: Rule::k_anonymity(K(cell.k)),
            attribute: None,
        },
        Promise {
            rule: diversity,
            attribute: Some(Attribute::Column(0)),
        },
    ]
}

fn contributors(published: &Published, group: usize) -> usize {
    let mut providers: Vec<_> = published
        .entries(group)
        .iter()
        .map(|entry| entry.provider)
        .collect();
    providers.sort_unstable();
    providers.dedup();
    providers.len()
}

fn refused(cell: &PublishingCell) -> Error {
    Error::Refused {
        cell: described(cell),
        method: cell.method,
    }
}

fn disagreement(one: &PublishingCell, other: &PublishingCell) -> Error {
    let way = |cell: &PublishingCell| format!("{} with {}", cell.method, cell.strategy.name());
    Error::Disagreement {
        cell: described(one),
        one: way(one),
        other: way(other),
    }
}

fn described(cell: &PublishingCell) -> String {
    let PublishingCell {
        figure,
        distribution,
        rows,
        insiders,
        k,
        l,
        ..
    } = cell;
    let Insiders {
        m: M(m), semantics, ..
    } = insiders;
    let (shares, semantics) = (distribution.name(), semantics.name());
    format!(
        "figure {figure}, {rows} rows, {shares} shares, k = {k}, l = {l}, m = {m}, {semantics} semantics"
    )
}
