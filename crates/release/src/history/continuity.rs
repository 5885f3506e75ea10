//! Whether a new version is still about the people and the values of the earlier ones.
//!
//! A history recognizes people by their identifier and values by their text. Where either is
//! written otherwise than before, a comparison finds nobody, or takes everybody for changed, and
//! everything seems to be safe. A version that shares nobody or no value with the last one is
//! therefore refused; one in which the values of many changed is told of. A table that was recoded
//! in part, or by a permutation of codes, is not refused.
//!
//! Cost: one pass over two versions per sensitive column.

use super::people::PeopleTable;
use super::problem::HistoryProblem;
use super::timeline::{Writing, attributes, timeline, writings};
use mingle_privacy::composition::versions::Changes;
use std::collections::HashSet;

/// A sensitive column in which more than a tenth of those who stayed have another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recoded {
    /// The column.
    pub column: String,
    /// Whose value changed.
    pub changed: u64,
    /// Who is in both versions, with the same value or another.
    pub both: u64,
}

/// Compares a new version with the last of the earlier ones, and each of its columns with the last
/// that has it.
pub fn continuity(
    earlier: &[PeopleTable],
    new: &PeopleTable,
) -> Result<Vec<Recoded>, HistoryProblem> {
    let Some(last) = earlier.last() else {
        return Ok(Vec::new());
    };
    if !share_people(last, new) {
        return Err(HistoryProblem::NobodyStayed);
    }
    let (known, columns) = (attributes(earlier), attributes([new]));
    if !known.is_empty()
        && !columns.is_empty()
        && !columns.iter().any(|column| known.contains(column))
    {
        return Err(HistoryProblem::NoColumnStayed);
    }
    let mut recoded = Vec::new();
    for column in columns {
        let has = |people: &&PeopleTable| people.columns().iter().any(|c| c.name == column);
        let Some(before) = earlier.iter().rev().find(has) else {
            continue;
        };
        recoded.extend(compare(before, new, column)?);
    }
    Ok(recoded)
}

fn compare(
    before: &PeopleTable,
    new: &PeopleTable,
    column: String,
) -> Result<Option<Recoded>, HistoryProblem> {
    let both = [before, new];
    let [old, now] = &writings(&both, &column)[..] else {
        return Ok(None);
    };
    let (old, now) = (held(before, old), held(new, now));
    if !old.is_empty() && old.is_disjoint(&now) {
        return Err(HistoryProblem::NoValueStayed { column });
    }
    let [(_, old), (_, now)] = &timeline(&both, &column)[..] else {
        return Ok(None);
    };
    let changes = Changes::between(old, now);
    let (changed, both) = (changes.changed, changes.stayed + changes.changed);
    Ok((changed * 10 > both).then_some(Recoded {
        column,
        changed,
        both,
    }))
}

/// Both are in the order of people.
fn share_people(before: &PeopleTable, new: &PeopleTable) -> bool {
    let there = |person: u128| {
        new.members()
            .binary_search_by_key(&person, |m| m.person)
            .is_ok()
    };
    before.members().iter().any(|member| there(member.person))
}

/// The values that somebody has; a missing one says nothing about how values are written.
fn held<'w>(people: &PeopleTable, writing: &'w Writing) -> HashSet<&'w str> {
    let value = |code: u32| writing.values[code as usize].as_deref();
    people
        .members()
        .iter()
        .filter_map(|member| value(member.values[writing.at]))
        .collect()
}
