//! A release beside the joined table it was made from: groups, and which combinations of sensitive
//! values each holds.
//!
//! A linked release says the combinations itself. A fragmented one does not; its counterpart is
//! found by putting the original's people back into its groups, and is refused where that can be
//! done in several ways ([`Error::Ambiguous`]): the private part of a release knows, and
//! [`Joined::linked`] takes it.
//!
//! Values are those of the original: a release that holds anything else was made from another
//! table.

use super::cover::{Covered, Labels};
use super::error::Error;
use super::people::{JoinedPeople, ProfileCover, full_cover};
use super::putting_back::put_back;
use crate::utility;
use mingle_model::{
    Code, Cube, Domain, Fragments, GID, LabelReader, Missing, PeopleOfCube, Published,
    SensitiveColumn,
};
use std::collections::{BTreeMap, HashMap};

/// Groups with the people in them. No `Debug`: it has cells.
pub struct Joined<'a> {
    original: &'a Cube,
    labels: Labels,
    groups: Vec<Vec<Held>>,
    /// Per record of the original whether it may be in the release.
    present: Vec<bool>,
    /// Who is in which group, where people have several rows.
    people: Option<JoinedPeople>,
}

/// People of one group who agree in all sensitive values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Held {
    /// Which combination, as in [`Cube::sensitive`].
    pub combination: u32,
    /// How many people.
    pub count: u64,
}

impl<'a> Joined<'a> {
    /// A linked release, or what the private part of a fragmented one says about its groups: a
    /// column called [`GID`] then only tells groups apart.
    pub fn linked(
        original: &'a Cube,
        missing: &Missing,
        published: &Published,
    ) -> Result<Self, Error> {
        let is_label = |name: &str| {
            name != GID || original.quasi_identifiers().iter().any(|qi| qi.name == GID)
        };
        let names: Vec<&str> = published
            .columns()
            .iter()
            .map(|c| c.name.as_str())
            .filter(|n| is_label(n))
            .collect();
        let texts = |g: usize| {
            published
                .describe(g)
                .filter(|(name, _)| is_label(name))
                .map(|(_, l)| l)
                .collect()
        };
        let texts: Vec<Vec<&str>> = (0..published.groups()).map(texts).collect();
        let labels = Labels::new(original, missing, &names, &texts)?;
        let values = Values::new(
            original,
            missing,
            published.sensitive().iter().map(|s| (&*s.name, &s.domain)),
        )?;
        let codes = |combination: u32| {
            published
                .sensitive()
                .iter()
                .map(move |s| s.codes.get(combination as usize))
        };
        let group = |g: usize| {
            let mut held: BTreeMap<u32, u64> = BTreeMap::new();
            for entry in published.entries(g) {
                let combination = values.combination(codes(entry.sensitive));
                *held
                    .entry(combination.ok_or(Error::ForeignValue { group: g + 1 })?)
                    .or_default() += entry.count;
            }
            Ok(held
                .into_iter()
                .map(|(combination, count)| Held { combination, count })
                .collect())
        };
        let groups = (0..published.groups())
            .map(group)
            .collect::<Result<_, Error>>()?;
        let people = JoinedPeople::new(original, published, |combination| {
            values.combination(codes(combination))
        })?;
        Joined {
            original,
            labels,
            groups,
            present: Vec::new(),
            people,
        }
        .checked()
    }

    /// The linked counterpart of a fragmented release.
    pub fn relinked(
        original: &'a Cube,
        missing: &Missing,
        fragments: &Fragments,
    ) -> Result<Self, Error> {
        if original.people().is_some() {
            return Err(Error::WhoseRows { of: "release" });
        }
        if fragments.sensitive().is_empty() {
            return Err(Error::NothingToJoin { columns: 0 });
        }
        let names: Vec<&str> = fragments
            .quasi_identifiers()
            .iter()
            .map(String::as_str)
            .collect();
        let texts = fragments
            .groups()
            .iter()
            .map(|g| g.labels.iter().map(String::as_str).collect());
        let texts: Vec<Vec<&str>> = texts.collect();
        let labels = Labels::new(original, missing, &names, &texts)?;
        let values = Values::new(
            original,
            missing,
            fragments.sensitive().iter().map(|s| (&*s.name, &s.domain)),
        )?;
        let cover = labels.cover(original, &all_columns(original));
        let counts = fragments.groups().iter().enumerate().map(|(g, group)| {
            let places = values.counts(&group.values);
            places.ok_or(Error::ForeignValue { group: g + 1 })
        });
        let groups = put_back(original, &cover, counts.collect::<Result<_, _>>()?)?;
        Joined {
            original,
            labels,
            groups,
            present: Vec::new(),
            people: None,
        }
        .checked()
    }

    /// The original.
    pub fn original(&self) -> &'a Cube {
        self.original
    }

    /// The groups in published order, each by ascending combination.
    pub fn groups(&self) -> &[Vec<Held>] {
        &self.groups
    }

    /// How many people a group has.
    pub fn size(&self, group: usize) -> u64 {
        self.groups[group].iter().map(|held| held.count).sum()
    }

    /// How many people are published.
    pub fn rows(&self) -> u64 {
        self.groups.iter().flatten().map(|held| held.count).sum()
    }

    /// A group's labels with their columns' names.
    pub fn describe(&self, group: usize) -> impl Iterator<Item = (&str, &str)> {
        self.original
            .quasi_identifiers()
            .iter()
            .map(|qi| qi.name.as_str())
            .zip(self.labels.texts(group))
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> &'a [SensitiveColumn] {
        self.original.sensitive()
    }

    /// Who is in which group, where people have several rows.
    pub(crate) fn people(&self) -> Option<&JoinedPeople> {
        self.people.as_ref()
    }

    /// Whether a record of the original may be in the release: some group that covers it holds its
    /// values.
    pub(super) fn is_present(&self, record: usize) -> bool {
        self.present[record]
    }

    /// Whether a group's labels stand for one tuple of the original only.
    pub(crate) fn is_exact(&self, group: usize) -> bool {
        self.labels.is_exact(group)
    }

    /// Which groups people may be in, for readers who know these quasi-identifiers.
    pub(crate) fn cover(&self, known: &[usize]) -> Vec<Covered> {
        self.labels.cover(self.original, known)
    }

    /// Which groups people may be in, for readers who know all quasi-identifiers of all their rows.
    pub(crate) fn profile_cover(&self, people: &PeopleOfCube) -> ProfileCover {
        full_cover(self, people)
    }

    /// Insists that the release can have been made from the original.
    fn checked(mut self) -> Result<Self, Error> {
        let (published, original) = (self.rows(), self.original.rows());
        if published > original {
            return Err(utility::Error::MoreRows {
                published,
                original,
            }
            .into());
        }
        let cover = self.cover(&all_columns(self.original));
        let mut spare: Vec<Vec<i128>> = self
            .groups
            .iter()
            .map(|held| held.iter().map(|h| -i128::from(h.count)).collect())
            .collect();
        self.present = vec![false; self.original.records().len()];
        let mut present = 0;
        for (record, group, held) in self.meetings(&cover) {
            let count = self.original.records()[record].count;
            spare[group][held] += i128::from(count);
            if !std::mem::replace(&mut self.present[record], true) {
                present += count;
            }
        }
        if let Some(group) = spare
            .iter()
            .position(|spare| spare.iter().any(|&count| count < 0))
        {
            return Err(Error::ForeignRow { group: group + 1 });
        }
        let (missing, left_out) = (original - present, original - published);
        if missing > left_out {
            return Err(Error::NotPublished { missing, left_out });
        }
        if let (Some(people), Some(own)) = (self.people.take(), self.original.people()) {
            let cover = full_cover(&self, own);
            self.people = Some(people.checked(own, &cover)?);
        }
        Ok(self)
    }

    /// Each record with each group that covers it and holds its values, and where the group has
    /// them.
    fn meetings(&self, cover: &[Covered]) -> Vec<(usize, usize, usize)> {
        let mut met = Vec::new();
        for Covered { tuples, groups } in cover {
            for record in tuples
                .iter()
                .flat_map(|&tuple| self.original.records_of(tuple as usize))
            {
                let combination = self.original.records()[record].sensitive;
                for &group in groups {
                    let held = self.groups[group as usize]
                        .binary_search_by_key(&combination, |held| held.combination);
                    met.extend(held.ok().map(|held| (record, group as usize, held)));
                }
            }
        }
        met
    }
}

/// All quasi-identifiers.
pub(crate) fn all_columns(original: &Cube) -> Vec<usize> {
    (0..original.quasi_identifiers().len()).collect()
}

/// Sensitive values of a release as values of the original.
struct Values<'a> {
    /// In the release's order.
    columns: Vec<ColumnValues>,
    combinations: HashMap<Vec<Code>, u32>,
    original: &'a Cube,
}

struct ColumnValues {
    /// Its place in the original.
    column: usize,
    /// Per code of the release the original's, if it has the value.
    codes: Vec<Option<Code>>,
}

impl<'a> Values<'a> {
    fn new<'r>(
        original: &'a Cube,
        missing: &Missing,
        columns: impl Iterator<Item = (&'r str, &'r Domain)>,
    ) -> Result<Values<'a>, Error> {
        let sensitive = original.sensitive();
        let column = |(name, domain): (&str, &Domain)| {
            let column = sensitive.iter().position(|s| s.name == name);
            let column = column.ok_or_else(|| Error::SensitiveColumn {
                column: name.to_owned(),
            })?;
            Ok(ColumnValues {
                column,
                codes: translate(domain, &sensitive[column].domain, missing),
            })
        };
        let columns: Vec<ColumnValues> = columns.map(column).collect::<Result<_, Error>>()?;
        let lacking = (0..sensitive.len()).find(|place| columns.iter().all(|c| c.column != *place));
        if let Some(place) = lacking {
            return Err(Error::SensitiveColumn {
                column: sensitive[place].name.clone(),
            });
        }
        let combinations = sensitive.first().map_or(1, |s| s.codes.len());
        let codes = |at: usize| {
            sensitive
                .iter()
                .map(|s| s.codes.get(at))
                .collect::<Vec<Code>>()
        };
        Ok(Values {
            columns,
            combinations: (0..combinations).map(|at| (codes(at), at as u32)).collect(),
            original,
        })
    }

    /// The original's combination of the release's codes.
    fn combination(&self, codes: impl Iterator<Item = Code>) -> Option<u32> {
        let mut own = vec![0; self.original.sensitive().len()];
        for (column, code) in self.columns.iter().zip(codes) {
            own[column.column] = column.codes[code as usize]?;
        }
        self.combinations.get(&own).copied()
    }

    /// A group's counts by the original's columns and codes.
    fn counts(&self, values: &[Vec<(Code, u64)>]) -> Option<Vec<BTreeMap<Code, u64>>> {
        let mut counts = vec![BTreeMap::new(); self.columns.len()];
        for (column, values) in self.columns.iter().zip(values) {
            for &(code, count) in values {
                *counts[column.column]
                    .entry(column.codes[code as usize]?)
                    .or_default() += count;
            }
        }
        Some(counts)
    }
}

/// Values are matched by their texts; numbers also where they are written with more or fewer
/// digits.
fn translate(release: &Domain, original: &Domain, missing: &Missing) -> Vec<Option<Code>> {
    let by_text: HashMap<&str, Code> = (0..original.len() as Code)
        .map(|code| (original.text(code), code))
        .collect();
    let reader = LabelReader::new(original, missing);
    let number = |text: &str| {
        let reading = reader
            .read(text)
            .filter(|reading| original.kind().is_numeric() && reading.count() == 1)?;
        reading.ranges.first().map(|&(code, _)| code)
    };
    let code = |code: Code| {
        if release.missing() == Some(code) {
            original.missing()
        } else {
            by_text
                .get(release.text(code))
                .copied()
                .or_else(|| number(release.text(code)))
        }
    };
    (0..release.len() as Code).map(code).collect()
}
