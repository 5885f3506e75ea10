//! `mingle history check`: plays a reader who compares all versions.

use crate::args::HistoryCheck;
use crate::message::{Exit, Problem, print, print_json, visible};
use mingle::failure;
use mingle::history::{pending, replay_record, replay_lines, versions};
use mingle_privacy::Ratio;
use mingle_privacy::composition::Limits;
use mingle_privacy::composition::versions::{Replay, Version, replay};
use mingle_record::Code;
use mingle_release::history::{History, PeopleTable, attributes, timeline};
use serde_json::{Value, json};

pub fn run(args: &HistoryCheck) -> Result<Exit, Problem> {
    let limits = limits(args)?;
    let history = History::open(&args.folder).map_err(|e| failure::release(&e))?;
    pending::refuse(&history)?;
    history.check_releases().map_err(|e| failure::release(&e))?;
    let people = versions(&history)?;
    let people: Vec<&PeopleTable> = people.iter().collect();
    let found: Vec<(String, Replay)> = attributes(people.iter().copied())
        .into_iter()
        .map(|column| {
            let versions = timeline(&people, &column);
            let versions: Vec<&Version> = versions.iter().map(|(_, version)| version).collect();
            (column, replay(&versions, &limits))
        })
        .collect();
    let holds = found.iter().all(|(_, found)| found.holds);
    match args.json {
        true => print_json(&document(people.len(), &limits, &found, holds))?,
        false => print(&text(people.len(), &found, holds))?,
    }
    Ok(if holds { Exit::Fine } else { Exit::Finding })
}

fn limits(args: &HistoryCheck) -> Result<Limits, Problem> {
    let share = args.max_perfect_breach.as_deref().map(|text| {
        Ratio::parse(text)
            .filter(|&share| share <= Ratio::from(1))
            .ok_or_else(|| {
                Problem::new(
                    Code::Usage,
                    "--max-perfect-breach is a share from 0 to 1",
                    "write 0.01 for one in a hundred",
                )
            })
    });
    let share = share.transpose()?;
    let strict = share.is_none() && args.min_posterior.is_none();
    Ok(Limits {
        max_perfect_breach: share.or_else(|| strict.then(|| Ratio::from(0))),
        min_posterior: args.min_posterior,
        except_already_exposed: false,
    })
}

fn text(versions: usize, found: &[(String, Replay)], holds: bool) -> String {
    let mut out =
        format!("{versions} version(s), read side by side by somebody who knows who is in which\n");
    for (column, found) in found {
        replay_lines(&visible(column), found)
            .iter()
            .for_each(|line| out += &format!("{line}\n"));
    }
    out + if holds {
        "verdict: holds\n"
    } else {
        "verdict: fails\n"
    }
}

fn document(versions: usize, limits: &Limits, found: &[(String, Replay)], holds: bool) -> Value {
    json!({
        "schema": "mingle.history-check/1",
        "verdict": if holds { "holds" } else { "fails" },
        "versions": versions,
        "max_perfect_breach": limits.max_perfect_breach.map(Ratio::to_f64),
        "min_posterior": limits.min_posterior,
        "columns": found.iter().map(|(column, found)| replay_record(column, found)).collect::<Vec<_>>(),
    })
}
