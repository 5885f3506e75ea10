//! The versions, and what changed between them.

use super::versions;
use crate::failure;
use mingle_privacy::composition::versions::Changes;
use mingle_record::answer::{ChangesSince, HistoryListAnswer, HistoryVersion};
use mingle_record::schema::HistoryListSchema;
use mingle_record::{ByName, Problem};
use mingle_release::history::{History, PeopleTable, attributes, timeline};
use std::path::Path;

/// All versions of a history, the oldest first.
pub fn list(folder: &Path) -> Result<HistoryListAnswer, Problem> {
    let history = History::open(folder).map_err(|e| failure::release(&e))?;
    let people = versions(&history)?;
    let pending = history.pending().map_err(|e| failure::release(&e))?;
    let mut listed = Vec::new();
    for (at, version) in history.versions().iter().enumerate() {
        let before = at.checked_sub(1);
        let since = before.map(|before| changes_between(&people[before], &people[at]));
        listed.push(HistoryVersion {
            label: version.label.clone(),
            added: version.added.clone(),
            release: version.release.clone(),
            manifest_sha256: version.manifest_sha256.clone(),
            rows: version.rows,
            people: Some(people[at].people() as u64).filter(|&people| people != version.rows),
            groups: version.groups,
            since,
        });
    }
    Ok(HistoryListAnswer {
        schema: HistoryListSchema,
        versions: listed,
        pending: pending.map(|people| people.release().to_owned()),
    })
}

fn changes_between(before: &PeopleTable, after: &PeopleTable) -> ChangesSince {
    let both = [before, after];
    let mut counts = Changes::default();
    let mut grown = 0;
    let mut changed = Vec::new();
    for column in attributes(both) {
        let [(_, before), (_, after)] = &timeline(&both, &column)[..] else {
            continue;
        };
        counts = Changes::between(before, after);
        // whose value of this column changed may have grown in another
        grown = counts.grown.max(grown);
        if counts.changed > 0 {
            changed.push((column, counts.changed));
        }
    }
    // people are counted, not values: those whose value changed have stayed. Every column says the
    // same of them
    ChangesSince {
        stayed: counts.stayed + counts.changed,
        grown: Some(grown).filter(|&grown| grown > 0),
        inserted: counts.inserted,
        deleted: counts.deleted,
        changed: ByName(changed),
    }
}
