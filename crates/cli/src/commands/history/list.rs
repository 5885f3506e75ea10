//! `mingle history list`: the versions, and what changed between them.

use crate::args::HistoryList;
use crate::message::{Exit, Problem, print, print_json, visible};
use mingle::failure;
use mingle::history::versions;
use mingle_privacy::composition::versions::Changes;
use mingle_release::history::{History, PeopleTable, VersionEntry, attributes, timeline};
use serde_json::{Value, json};

/// What changed since the version before.
struct Since {
    /// People, not values: those whose value changed have stayed.
    stayed: u64,
    inserted: u64,
    deleted: u64,
    /// Per sensitive column whose value changed.
    changed: Vec<(String, u64)>,
}

pub fn run(args: &HistoryList) -> Result<Exit, Problem> {
    let history = History::open(&args.folder).map_err(|e| failure::release(&e))?;
    let people = versions(&history)?;
    let since: Vec<Option<Since>> = (0..people.len())
        .map(|at| {
            at.checked_sub(1)
                .map(|before| Since::between(&people[before], &people[at]))
        })
        .collect();
    let pending = history.pending().map_err(|e| failure::release(&e))?;
    let rows: Vec<(&VersionEntry, &Option<Since>)> =
        history.versions().iter().zip(&since).collect();
    match args.json {
        true => print_json(&document(&rows, pending.as_ref()))?,
        false => print(&text(&rows, pending.as_ref()))?,
    }
    Ok(Exit::Fine)
}

impl Since {
    fn between(before: &PeopleTable, after: &PeopleTable) -> Since {
        let both = [before, after];
        let (mut changed, mut counts) = (Vec::new(), Changes::default());
        for column in attributes(both) {
            let [(_, before), (_, after)] = &timeline(&both, &column)[..] else {
                continue;
            };
            counts = Changes::between(before, after);
            changed.push((column, counts.changed));
        }
        Since {
            stayed: counts.stayed + counts.changed,
            inserted: counts.inserted,
            deleted: counts.deleted,
            changed: changed
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .collect(),
        }
    }
}

fn text(rows: &[(&VersionEntry, &Option<Since>)], pending: Option<&PeopleTable>) -> String {
    let mut out = String::from(
        "version   added                     rows  groups   stayed inserted  deleted\n",
    );
    for (version, since) in rows {
        let (label, added) = (visible(&version.label), visible(&version.added));
        out += &format!(
            "{label:<9} {added:<20} {:>9} {:>7}",
            version.rows, version.groups
        );
        if let Some(since) = since {
            out += &format!(
                " {:>8} {:>8} {:>8}",
                since.stayed, since.inserted, since.deleted
            );
        }
        out += "\n";
        for (column, count) in since.iter().flat_map(|since| &since.changed) {
            out += &format!(
                "          {} changed its value for {count} people\n",
                visible(column)
            );
        }
        let release = version
            .release
            .as_deref()
            .map_or("replaced by a later version".to_owned(), visible);
        out += &format!("          {release}\n");
    }
    if let Some(pending) = pending {
        out += &format!(
            "not recorded: a run that was to write {} did not end\n",
            visible(pending.release())
        );
    }
    out
}

fn document(rows: &[(&VersionEntry, &Option<Since>)], pending: Option<&PeopleTable>) -> Value {
    let since = |since: &Since| {
        let changed: serde_json::Map<String, Value> = since
            .changed
            .iter()
            .map(|(column, count)| (column.clone(), (*count).into()))
            .collect();
        json!({ "stayed": since.stayed, "inserted": since.inserted, "deleted": since.deleted, "changed": changed })
    };
    let version = |(version, changes): &(&VersionEntry, &Option<Since>)| {
        json!({
            "label": version.label, "added": version.added, "release": version.release,
            "manifest_sha256": version.manifest_sha256, "rows": version.rows, "groups": version.groups,
            "since": changes.as_ref().map(since),
        })
    };
    json!({
        "schema": "mingle.history-list/1",
        "versions": rows.iter().map(version).collect::<Vec<_>>(),
        "pending": pending.map(PeopleTable::release),
    })
}
