//! The people of a publication, group by group.
//!
//! To the reader people of one group differ in nothing but their sensitive values, so kinds are
//! counted anew within each group, without quasi-identifiers. With rows together a person is in one
//! group; with rows apart she is counted in each group by her rows there, and providers who have
//! other rows of hers know her there as well. Cost O(entries log entries).

use super::across::{AcrossGroups, GroupsOfPeople};
use super::counted::LaidOutRows;
use super::{Entry, Published};
use crate::cube::Record;
use crate::partition::{Partition, PartitionError};
use crate::people::{Alike, Kinds, PeopleOfCube, PersonRows};
use crate::provider::ProviderId;
use crate::table::Table;

/// Who is in which group.
#[derive(Clone)]
pub struct PublishedPeople {
    kinds: Kinds,
    /// Where the kinds of a group end.
    ends: Vec<usize>,
    rows: PersonRows,
    published: Option<u64>,
    suppressed: u64,
    split: Option<u64>,
    /// The first group with a person who has rows in another one.
    first_split: Option<u32>,
    /// Among how few those are who are in several groups.
    across: Option<AcrossGroups>,
}

/// What one counted row of people says beside its cells: the form in which an audit keeps people.
///
/// A row stands for `people` people of its group who have `rows_each` such rows each; rows of one
/// group with the same `kind` are the same people's. A row with `rows_each` = 0 only says that its
/// provider knows them, by rows in another group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedPerson {
    /// Number of the kind within its group.
    pub kind: u32,
    /// How many people.
    pub people: u64,
    /// How many such rows each of them has.
    pub rows_each: u64,
}

impl PublishedPeople {
    /// All kinds, group by group.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// Which kinds are those of a group.
    pub fn kinds_of(&self, group: usize) -> std::ops::Range<usize> {
        group.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[group]
    }

    /// The people of a group.
    pub fn of(&self, group: usize) -> impl Iterator<Item = Alike<'_>> + Clone {
        self.kinds_of(group).map(|kind| self.kinds.get(kind))
    }

    /// How many people a group has.
    pub fn size(&self, group: usize) -> u64 {
        self.of(group).map(|alike| alike.people).sum()
    }

    /// Where the rows of a person may be.
    pub fn rows(&self) -> PersonRows {
        self.rows
    }

    /// How many people are published; `None` where rows are apart and it is not known who is who in
    /// different groups.
    pub fn published(&self) -> Option<u64> {
        self.published
    }

    /// How many people were left out.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// How many people have rows in several groups; `None` where that is not known.
    pub fn split(&self) -> Option<u64> {
        self.split
    }

    /// The first group with a person who has rows in another one.
    pub fn first_split(&self) -> Option<usize> {
        self.first_split.map(|group| group as usize)
    }

    /// Among how few people somebody is found who is in several groups; `None` where nobody is, or
    /// where it is not known who is who in different groups.
    pub fn across(&self) -> Option<AcrossGroups> {
        self.across
    }

    /// The rows of a group as an audit keeps them: kind, sensitive values, provider.
    pub fn counted(&self, group: usize) -> Vec<(CountedPerson, u32, ProviderId)> {
        let mut rows = Vec::new();
        for (alike, kind) in self.of(group).zip(0..) {
            let counted = |rows_each: u64| CountedPerson {
                kind,
                people: alike.people,
                rows_each,
            };
            for entry in alike.entries {
                rows.push((counted(entry.count), entry.sensitive, entry.provider));
            }
            for &provider in alike.providers {
                if alike.entries.iter().all(|entry| entry.provider != provider) {
                    rows.push((counted(0), alike.entries[0].sensitive, provider));
                }
            }
        }
        rows
    }

    /// From the people of a cube and the published group of each record.
    pub(super) fn new(
        people: &PeopleOfCube,
        records: &[Record],
        group_of: &[u32],
        groups: usize,
        rows: PersonRows,
    ) -> Result<PublishedPeople, PartitionError> {
        let mut drafts = Kinds::default();
        let mut group_of_draft: Vec<(u32, u32)> = Vec::new();
        let (mut published, mut suppressed, mut split) = (0, 0, 0);
        let mut first_split: Option<u32> = None;
        let mut own: Vec<(u32, Entry)> = Vec::new();
        let mut groups_of_people: Vec<GroupsOfPeople> = Vec::new();
        for kind in 0..people.kinds().len() {
            let alike = people.kinds().get(kind);
            own.clear();
            for &record in people.records_of(kind) {
                let mut entry = records[record as usize].entry();
                entry.count /= alike.people;
                own.push((group_of[record as usize], entry));
            }
            own.sort_unstable();
            let several = own[0].0 != own[own.len() - 1].0;
            if several && rows == PersonRows::Together {
                return Err(PartitionError::SplitPerson);
            }
            // suppressed is the largest number a group can have
            if own[0].0 == Partition::SUPPRESSED {
                suppressed += alike.people;
                continue;
            }
            published += alike.people;
            let mut own_groups = Vec::new();
            for part in own.chunk_by(|a, b| a.0 == b.0) {
                if part[0].0 == Partition::SUPPRESSED {
                    continue;
                }
                own_groups.push(part[0].0);
                group_of_draft.push((part[0].0, drafts.len() as u32));
                let entries = part.iter().map(|(_, entry)| *entry);
                drafts.push(alike.people, entries, alike.providers.iter().copied());
            }
            if own_groups.len() > 1 {
                split += alike.people;
                first_split = first_split.into_iter().chain([own[0].0]).min();
                // whoever is in one group only is in no two of somebody's
                groups_of_people.push(GroupsOfPeople {
                    people: alike.people,
                    groups: own_groups,
                });
            }
        }
        let (kinds, ends) = drafts.merged(group_of_draft, groups);
        Ok(PublishedPeople {
            kinds,
            ends,
            rows,
            published: Some(published),
            suppressed,
            split: Some(split),
            first_split,
            across: AcrossGroups::count(&groups_of_people),
        })
    }

    /// The same for who accepts that the rows of a person are in several groups, or not.
    pub(super) fn with_rows(mut self, rows: PersonRows) -> PublishedPeople {
        self.rows = rows;
        self
    }
}

impl Published {
    /// Like [`from_counts`](Published::from_counts), where each row of the table stands for people
    /// as `counts` says: what an audit with people is read back with.
    ///
    /// `None` when there is not one count per row, when the rows of one kind disagree on how many
    /// people they are, when a kind has no rows at all, or when there are more rows than can be
    /// counted.
    pub fn from_people_counts(
        table: &Table,
        counts: &[CountedPerson],
        rows: PersonRows,
    ) -> Option<Published> {
        if counts.len() != table.rows() {
            return None;
        }
        let mut all = 0u64;
        for count in counts {
            all = all.checked_add(count.people.checked_mul(count.rows_each)?)?;
        }
        let laid_out = LaidOutRows::new(table);
        let gathered = laid_out.gather(|row| counts[row].people * counts[row].rows_each);
        let group_of = &laid_out.group_of;

        let mut order: Vec<usize> = (0..table.rows()).collect();
        order.sort_unstable_by_key(|&row| (group_of[row], counts[row].kind, row));
        let mut drafts = Kinds::default();
        let mut group_of_draft = Vec::new();
        let kind = |row: usize| (group_of[row], counts[row].kind);
        for own in order.chunk_by(|&a, &b| kind(a) == kind(b)) {
            let people = counts[own[0]].people;
            let agree = own.iter().all(|&row| counts[row].people == people);
            let somewhere = own.iter().any(|&row| counts[row].rows_each > 0);
            if !agree || people == 0 || !somewhere {
                return None;
            }
            let entries = own
                .iter()
                .map(|&row| laid_out.entry(row, counts[row].rows_each));
            let providers = own.iter().map(|&row| laid_out.entry(row, 0).provider);
            let group = gathered.number[group_of[own[0]] as usize];
            group_of_draft.push((group, drafts.len() as u32));
            drafts.push(people, entries, providers);
        }
        let groups = gathered.starts.len() - 1;
        let (kinds, ends) = drafts.merged(group_of_draft, groups);
        let together = rows == PersonRows::Together;
        let people = PublishedPeople {
            published: together.then(|| kinds.people()),
            split: together.then_some(0),
            kinds,
            ends,
            rows,
            suppressed: 0,
            first_split: None,
            across: None,
        };
        Some(laid_out.published(gathered, Some(people)))
    }

    /// The same for who accepts that the rows of a person are in several groups.
    pub fn with_rows_apart(mut self) -> Published {
        let people = self.people.take();
        self.people = people.map(|people| people.with_rows(PersonRows::Apart));
        self
    }

    /// Who is in which group, where people may have several rows; `None`: each row is one person.
    pub fn people(&self) -> Option<&PublishedPeople> {
        self.people.as_ref()
    }

    /// How many people a group has.
    pub fn people_of(&self, group: usize) -> u64 {
        self.people
            .as_ref()
            .map_or_else(|| self.size(group), |people| people.size(group))
    }
}
