//! Plays a reader who compares all versions.

use super::{pending, replay_record, versions};
use crate::failure;
use mingle_privacy::Ratio;
use mingle_privacy::composition::CompositionLimits;
use mingle_privacy::composition::versions::{Version, replay};
use mingle_record::answer::HistoryCheckAnswer;
use mingle_record::schema::HistoryCheckSchema;
use mingle_record::{Judgement, Problem};
use mingle_release::history::{History, PeopleTable, attributes, timeline};
use std::path::Path;

/// What all versions say together, read side by side by somebody who knows who is in which.
pub fn check(folder: &Path, limits: &CompositionLimits) -> Result<HistoryCheckAnswer, Problem> {
    let history = History::open(folder).map_err(|e| failure::release(&e))?;
    pending::refuse(&history)?;
    history.check_releases().map_err(|e| failure::release(&e))?;
    let people = versions(&history)?;
    let people: Vec<&PeopleTable> = people.iter().collect();
    let mut columns = Vec::new();
    for column in attributes(people.iter().copied()) {
        let timeline = timeline(&people, &column);
        let versions: Vec<&Version> = timeline.iter().map(|(_, version)| version).collect();
        columns.push(replay_record(&column, &replay(&versions, limits)));
    }
    let holds = columns.iter().all(|column| column.holds);
    Ok(HistoryCheckAnswer {
        schema: HistoryCheckSchema,
        verdict: Judgement::holds_if(holds),
        versions: people.len(),
        max_perfect_breach: limits.max_perfect_breach.map(Ratio::to_f64),
        min_posterior: limits.min_posterior,
        columns,
    })
}
