//! How many people a release has, group by group: what the private manifest says, and what an audit
//! must agree with.
//!
//! With rows apart nobody can tell from an audit who is in two groups, so what is compared with it
//! counts people once in each group. Cost O(kinds of people).

use crate::error::Error;
use mingle_model::{PersonRows, Published, PublishedPeople};
use mingle_privacy::{M, Verified};
use mingle_record::manifest::{PeopleCounts, PeopleEntry, StatedPersonRows, StatedScope};

/// How many people a publication has. It must have been rendered from a cube here for those who were
/// left out to be counted.
pub fn people_counts(published: &Published, entry: &PeopleEntry) -> PeopleCounts {
    let groups = GroupPeople::count(published, entry);
    let apart = entry.rows == StatedPersonRows::Apart;
    let (published_people, suppressed_people, split) = match published.people() {
        // each row is one person
        None => (published.rows(), published.suppressed(), 0),
        Some(people) => (
            people.published().unwrap_or(groups.people),
            people.suppressed(),
            people.split().unwrap_or(0),
        ),
    };
    let across = published.people().and_then(PublishedPeople::across);
    let across = across.filter(|_| apart);
    PeopleCounts {
        people: published_people + suppressed_people,
        published_people,
        suppressed_people,
        people_in_groups: groups.people,
        most_rows: groups.most_rows,
        smallest_group: groups.smallest,
        shared_people: groups.shared,
        guaranteed_smallest_group: groups.guaranteed,
        split_people: apart.then_some(split),
        fewest_in_two_groups: across.and_then(|across| across.fewest_in_two),
        fewest_in_all_groups: across.map(|across| across.fewest_in_all),
        alone_in_all_groups: across.map(|across| across.alone_in_all),
    }
}

/// Whether the groups of an audit have the people that a private manifest says.
pub(crate) fn agree(audited: &Published, entry: &PeopleEntry, declared: &PeopleCounts) -> bool {
    let groups = GroupPeople::count(audited, entry);
    let found = PeopleCounts {
        people_in_groups: groups.people,
        most_rows: groups.most_rows,
        smallest_group: groups.smallest,
        shared_people: groups.shared,
        guaranteed_smallest_group: groups.guaranteed,
        ..*declared
    };
    let once = entry.rows == StatedPersonRows::Apart || declared.published_people == groups.people;
    let sum = declared
        .published_people
        .checked_add(declared.suppressed_people);
    found == *declared && once && sum == Some(declared.people)
}

/// People who have several rows are never published as if each row were one person.
pub(crate) fn refuse_unsaid(verified: &Verified, entry: Option<&PeopleEntry>) -> Result<(), Error> {
    let Some(people) = verified.published().people() else {
        return Ok(());
    };
    let insiders = verified.verification().insiders();
    let knows = |entry: &PeopleEntry| entry.knows.name() == insiders.knows.name();
    match entry {
        Some(entry) if insiders.m > M(0) && !knows(entry) => Err(Error::PeopleUnsaid),
        Some(entry) if person_rows(entry.rows) == people.rows() => Ok(()),
        _ => Err(Error::PeopleUnsaid),
    }
}

/// What is written, as something that can be verified.
pub(crate) fn person_rows(rows: StatedPersonRows) -> PersonRows {
    match rows {
        StatedPersonRows::Together => PersonRows::Together,
        StatedPersonRows::Apart => PersonRows::Apart,
    }
}

/// What groups show of people.
struct GroupPeople {
    people: u64,
    most_rows: u64,
    smallest: u64,
    shared: Option<u64>,
    guaranteed: Option<u64>,
}

impl GroupPeople {
    fn count(published: &Published, entry: &PeopleEntry) -> GroupPeople {
        let counted_twice = entry.scope == Some(StatedScope::Provider);
        let (mut people, mut shared, mut most_rows) = (0, 0, 0);
        let mut smallest: Option<u64> = None;
        let mut guaranteed: Option<u64> = None;
        for group in 0..published.groups() {
            let size = published.people_of(group);
            people += size;
            smallest = Some(smallest.map_or(size, |fewest| fewest.min(size)));
            // different people of one provider are different people
            let mut of_provider = vec![0; published.providers().len()];
            match published.people() {
                None => {
                    for entry in published.entries(group) {
                        of_provider[entry.provider.0 as usize] += entry.count;
                    }
                    most_rows = most_rows.max(1);
                }
                Some(kinds) => {
                    for alike in kinds.of(group) {
                        for provider in alike.providers {
                            of_provider[provider.0 as usize] += alike.people;
                        }
                        if alike.providers.len() > 1 {
                            shared += alike.people;
                        }
                        most_rows = most_rows.max(alike.rows());
                    }
                }
            }
            let most = of_provider.into_iter().max().unwrap_or(0);
            guaranteed = Some(guaranteed.map_or(most, |fewest| fewest.min(most)));
        }
        GroupPeople {
            people,
            most_rows,
            smallest: smallest.unwrap_or(0),
            shared: (!counted_twice).then_some(shared),
            guaranteed: guaranteed.filter(|_| counted_twice),
        }
    }
}
