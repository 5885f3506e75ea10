//! One split of the columns over two sites, under all promises.
//!
//! What two sites come to depends on less than the whole setting: IDENTITY, FORK and MERGE on where
//! both sites start (their promises only put them there), DPP2GA also on k, REPAIR on k and t.
//! Within a split each such case is synchronized once ([`Key`]), and each distinct release is
//! measured once. Every agreement is checked against the promises of both sites under every setting
//! it serves.

use super::column_set::ColumnSet;
use super::loss::{SplitLoss, discernibility, loss};
use super::path::after;
use super::site::SiteColumns;
use super::study::{Case, MeasuredSplit, SplitSetting, Study};
use crate::error::Error;
use mingle_model::Cell;
use mingle_privacy::Tally;
use mingle_protocol::{Agreement, Classes, Synchronizer, synchronize, volume};
use std::collections::HashMap;
use std::rc::Rc;

/// What the agreement of a split depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    /// How two partitions become one.
    pub synchronizer: Synchronizer,
    /// How many steps each site has taken before.
    pub steps: [usize; 2],
    /// Where it matters again.
    pub k: Option<u64>,
    /// Where it matters again.
    pub bound: Option<usize>,
}

/// What the agreement of a setting depends on.
pub fn key(setting: &SplitSetting) -> Key {
    let (k, bound) = match setting.synchronizer {
        Synchronizer::Identity | Synchronizer::Fork | Synchronizer::Merge => (None, None),
        Synchronizer::Dpp2ga => (Some(setting.k), None),
        Synchronizer::Repair => (Some(setting.k), Some(setting.bound)),
    };
    Key {
        synchronizer: setting.synchronizer,
        steps: setting.steps,
        k,
        bound,
    }
}

/// A split and what is known about it.
pub struct Split<'a> {
    study: &'a Study<'a>,
    columns: [ColumnSet; 2],
    same: HashMap<[usize; 2], bool>,
    agreed: HashMap<Key, Rc<Agreed>>,
    losses: HashMap<(Vec<u32>, Vec<Cell>), SplitLoss>,
}

/// An agreement and what follows from it.
struct Agreed {
    agreement: Agreement,
    /// Per site its counts of every group.
    tallies: [Vec<Tally>; 2],
    loss: SplitLoss,
}

impl<'a> Split<'a> {
    /// Nothing is known yet.
    pub fn new(study: &'a Study<'a>, columns: [ColumnSet; 2]) -> Split<'a> {
        Split {
            study,
            columns,
            same: HashMap::new(),
            agreed: HashMap::new(),
            losses: HashMap::new(),
        }
    }

    /// What the sites come to, and what that costs.
    pub fn measure(&mut self, setting: SplitSetting) -> Result<MeasuredSplit, Error> {
        let agreed = self.agreed(&setting)?;
        self.check(&agreed, &setting)?;
        let Agreed {
            agreement, loss, ..
        } = &*agreed;
        Ok(MeasuredSplit {
            case: if self.is_same(setting.steps) {
                Case::Same
            } else {
                Case::Different
            },
            columns: self.columns[0],
            k: setting.k,
            bound: self.study.plan.bounds[setting.bound],
            synchronizer: Some(setting.synchronizer),
            rounds: agreement.rounds.len(),
            groups: agreement.groups.len(),
            discernibility: discernibility(&agreement.groups),
            ncp: loss.ncp,
            query_error: loss.query_error,
            traffic: volume(
                setting.synchronizer,
                self.study.people.count() as u32,
                setting.k,
                agreement,
            ),
        })
    }

    fn agreed(&mut self, setting: &SplitSetting) -> Result<Rc<Agreed>, Error> {
        let key = (self.study.key)(setting);
        if let Some(agreed) = self.agreed.get(&key) {
            return Ok(agreed.clone());
        }
        let agreed = Rc::new(self.agree(setting)?);
        self.agreed.insert(key, agreed.clone());
        Ok(agreed)
    }

    fn agree(&mut self, setting: &SplitSetting) -> Result<Agreed, Error> {
        let [mut first, mut second] = [0, 1].map(|site: usize| self.site(site, setting));
        let agreement = synchronize(setting.synchronizer, [&mut first, &mut second], setting.k);
        let sites = [first, second];
        let members = agreement.groups.members();
        let tallies = |site: usize| {
            members
                .iter()
                .map(|group| self.study.closeness[site].tally(group))
                .collect()
        };
        let tallies = [tallies(0), tallies(1)];
        let cells = self.cells(&sites, &agreement, &members);
        let loss = self.loss(&agreement.groups, cells)?;
        Ok(Agreed {
            agreement,
            tallies,
            loss,
        })
    }

    fn site(&self, site: usize, setting: &SplitSetting) -> SiteColumns<'a> {
        let people = &self.study.people;
        let start = after(people, self.columns[site], setting.steps[site]);
        SiteColumns::new(
            start,
            people.count(),
            &self.study.closeness[site],
            setting.bound,
            setting.k,
        )
    }

    /// Labels in the table's order of columns, each by the site that has the column.
    fn cells(
        &self,
        sites: &[SiteColumns; 2],
        agreement: &Agreement,
        members: &[Vec<u32>],
    ) -> Vec<Cell> {
        let place = |column: usize| {
            let site = usize::from(self.columns[1].contains(column));
            (
                site,
                (0..column)
                    .filter(|&before| self.columns[site].contains(before))
                    .count(),
            )
        };
        let places: Vec<(usize, usize)> =
            (0..self.study.people.columns().len()).map(place).collect();
        let groups = members.iter().zip(&agreement.round_of);
        let label = |(group, &round): (&Vec<u32>, &u32)| -> Vec<Cell> {
            places
                .iter()
                .map(|&(site, column)| sites[site].cell(column, round, group))
                .collect()
        };
        groups.flat_map(label).collect()
    }

    fn loss(&mut self, groups: &Classes, cells: Vec<Cell>) -> Result<SplitLoss, Error> {
        let release = (groups.sizes().to_vec(), cells);
        if let Some(&known) = self.losses.get(&release) {
            return Ok(known);
        }
        let measured = loss(
            &self.study.people,
            groups,
            release.1.clone(),
            self.study.options,
        )?;
        self.losses.insert(release, measured);
        Ok(measured)
    }

    /// A group that is too small or too far from everybody would be a defect of a synchronizer.
    fn check(&self, agreed: &Agreed, setting: &SplitSetting) -> Result<(), Error> {
        let holds = |site: usize, tally: &Tally| {
            tally.size() >= setting.k && self.study.closeness[site].holds(setting.bound, tally)
        };
        if (0..2).all(|site| agreed.tallies[site].iter().all(|tally| holds(site, tally))) {
            Ok(())
        } else {
            Err(Error::Refused {
                cell: self.described(setting),
                method: setting.synchronizer.name(),
            })
        }
    }

    /// Whether both sites have the same classes before they synchronize.
    fn is_same(&mut self, steps: [usize; 2]) -> bool {
        let people = &self.study.people;
        let classes = |site: usize| {
            Classes::new(
                after(people, self.columns[site], steps[site]).classes(&people.everybody()),
            )
        };
        *self
            .same
            .entry(steps)
            .or_insert_with(|| classes(0) == classes(1))
    }

    fn described(&self, setting: &SplitSetting) -> String {
        let bound = self.study.plan.bounds[setting.bound];
        let names = self.study.people.names(self.columns[0]);
        let (k, t, distance) = (setting.k, bound.t.to_f64(), bound.distance.name());
        format!("{names} at site 0, k = {k}, t = {t}, {distance} distance")
    }
}
