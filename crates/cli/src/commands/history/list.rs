//! `mingle history list`: the versions, and what changed between them.

use crate::args::HistoryList;
use crate::message::{Exit, Problem, print, print_json, visible};
use mingle::history::list;
use mingle_record::answer::HistoryListAnswer;

pub fn run(args: &HistoryList) -> Result<Exit, Problem> {
    let answer = list(&args.folder)?;
    if args.json {
        print_json(&answer)?;
    } else {
        print(&text(&answer))?;
    }
    Ok(Exit::Fine)
}

fn text(answer: &HistoryListAnswer) -> String {
    let mut out = String::from(
        "version   added                     rows  groups   stayed inserted  deleted\n",
    );
    for version in &answer.versions {
        let (label, added) = (visible(&version.label), visible(&version.added));
        out += &format!(
            "{label:<9} {added:<20} {:>9} {:>7}",
            version.rows, version.groups
        );
        if let Some(since) = &version.since {
            out += &format!(
                " {:>8} {:>8} {:>8}",
                since.stayed, since.inserted, since.deleted
            );
        }
        out += "\n";
        if let Some(people) = version.people {
            out += &format!("          {people} people\n");
        }
        if let Some(since) = &version.since {
            if let Some(grown) = since.grown {
                out += &format!("          {grown} people have more rows than before\n");
            }
            for (column, count) in &since.changed.0 {
                let column = visible(column);
                out += &format!("          {column} changed its value for {count} people\n");
            }
        }
        let release = match &version.release {
            Some(release) => visible(release),
            None => "replaced by a later version".to_owned(),
        };
        out += &format!("          {release}\n");
    }
    if let Some(pending) = &answer.pending {
        out += &format!(
            "not recorded: a run that was to write {} did not end\n",
            visible(pending)
        );
    }
    out
}
