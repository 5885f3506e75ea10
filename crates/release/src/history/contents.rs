//! What the groups of a release hold, to be compared with the people who are said to be in them.

use super::people::{PeopleColumn, PeopleTable};
use super::problem::HistoryProblem;
use crate::error::Error;
use crate::open::Release;
use mingle_model::Published;
use std::collections::{BTreeMap, HashMap};

/// A column's values in a group, with how many people have each.
pub(super) type Counts = BTreeMap<Option<String>, u64>;

/// Groups as a reader of the release sees them. No `Debug`: it has cells.
pub(super) struct Contents {
    /// The sensitive columns.
    pub(super) columns: Vec<String>,
    /// Per group its labels.
    pub(super) labels: Vec<Vec<String>>,
    /// Per group and sensitive column what it holds.
    pub(super) counts: Vec<Vec<Counts>>,
    /// The same to be searched by labels: the groups, and one of the sensitive columns.
    pub(super) published: Published,
}

/// Whether the people are those of the release: the same groups, and in each the same values.
pub fn check_people(people: &PeopleTable, release: &Release) -> Result<(), Error> {
    let contents = Contents::of(release)?;
    contents.check(people).map_err(|problem| Error::History {
        path: release.public_folder.clone(),
        problem,
    })
}

impl Contents {
    pub(super) fn of(release: &Release) -> Result<Contents, Error> {
        let Some(fragments) = release.fragments()? else {
            let published = release.published()?;
            let columns: Vec<String> = published
                .sensitive()
                .iter()
                .map(|c| c.name.clone())
                .collect();
            let per_column: Vec<_> = (0..columns.len())
                .map(|at| counts(&published, at))
                .collect();
            let labels = |group| {
                published
                    .describe(group)
                    .map(|(_, label)| label.to_owned())
                    .collect()
            };
            let labels = (0..published.groups()).map(labels).collect();
            return Ok(Contents {
                columns,
                labels,
                counts: by_group(per_column, published.groups()),
                published,
            });
        };
        let columns: Vec<String> = fragments
            .sensitive()
            .iter()
            .map(|c| c.name.clone())
            .collect();
        let per_column: Vec<_> = (0..columns.len())
            .map(|at| counts(&fragments.published(Some(at)), 0))
            .collect();
        let labels: Vec<Vec<String>> = fragments
            .groups()
            .iter()
            .map(|g| g.labels.clone())
            .collect();
        let counts = by_group(per_column, labels.len());
        Ok(Contents {
            published: fragments.published((!columns.is_empty()).then_some(0)),
            columns,
            labels,
            counts,
        })
    }

    fn check(&self, people: &PeopleTable) -> Result<(), HistoryProblem> {
        let names = || people.columns().iter().map(|c| &c.name);
        if !names().eq(&self.columns) {
            let unknown = names()
                .find(|name| !self.columns.contains(name))
                .or(self.columns.first());
            return Err(HistoryProblem::OtherColumns {
                column: unknown.cloned().unwrap_or_default(),
            });
        }
        let places: HashMap<&Vec<String>, usize> = self.labels.iter().zip(0..).collect();
        let found = people
            .groups()
            .iter()
            .map(|labels| places.get(labels))
            .collect::<Option<Vec<_>>>();
        let (release, groups) = (self.labels.len(), people.groups().len());
        let found = found.filter(|found| found.len() == release && places.len() == release);
        let found = found.ok_or(HistoryProblem::OtherGroups {
            release,
            people: groups,
        })?;
        let differs = |(held, place): &(&Vec<Counts>, &usize)| **held != self.counts[**place];
        match of_people(people).iter().zip(found).find(differs) {
            Some((_, place)) => Err(HistoryProblem::OtherPeople { group: place + 1 }),
            None => Ok(()),
        }
    }
}

fn by_group(per_column: Vec<Vec<Counts>>, groups: usize) -> Vec<Vec<Counts>> {
    (0..groups)
        .map(|group| {
            per_column
                .iter()
                .map(|counts| counts[group].clone())
                .collect()
        })
        .collect()
}

/// Per group the counts of a publication's sensitive column.
fn counts(published: &Published, at: usize) -> Vec<Counts> {
    let column = &published.sensitive()[at];
    let values = PeopleColumn::new(&column.name, &column.domain).values;
    let of_group = |group: usize| {
        let mut counts = Counts::new();
        for entry in published.entries(group) {
            let value = &values[column.codes.get(entry.sensitive as usize) as usize];
            *counts.entry(value.clone()).or_default() += entry.count;
        }
        counts
    };
    (0..published.groups()).map(of_group).collect()
}

/// Per group and sensitive column the counts of the people's values.
fn of_people(people: &PeopleTable) -> Vec<Vec<Counts>> {
    let mut groups = vec![vec![Counts::new(); people.columns().len()]; people.groups().len()];
    for member in people.members() {
        let columns = groups[member.group as usize]
            .iter_mut()
            .zip(people.columns());
        for ((counts, column), &value) in columns.zip(&member.values) {
            *counts
                .entry(column.values[value as usize].clone())
                .or_default() += 1;
        }
    }
    groups
}
