//! Values that tell the provider by the way they are written.
//!
//! Promises are about what a value says of a person. Which provider a row comes from may be told by
//! something else: a column that one provider lacks is missing in all of its rows; days or decimals
//! that only one provider writes in the national way carry its name, although everybody may agree
//! that the column is a category; and so do codes that nobody else uses. None of this is wrong by
//! itself, and all of it is worth a look before a release is handed out.
//!
//! Cost: a look at each distinct value, and rows of a column only until every provider was seen to
//! share a value.

use crate::tables::Original;
use mingle_io::{NUMBER, Ways, WaysOfWriting};
use mingle_model::{Column, Kind, ProviderId, Table};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// A provider with fewer distinct values may have none in common with others by chance.
const FEWEST_VALUES: usize = 3;

/// Where values hardly recur, providers share few of them anyway.
const ROWS_PER_VALUE: usize = 5;

/// Every so many rows are looked at first: in most tables they show that values are shared.
const STRIDE: usize = 61;

/// All warnings, column by column.
pub fn warnings(original: &Original) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for (provider, column) in &original.absent {
        let text = format!(
            "column {column:?}: the table of provider {provider:?} lacks it, so its rows can be told by the missing value"
        );
        let hint =
            "leave the column out, or make sure that other providers have missing values as well";
        warnings.push(Problem::new(ProblemCode::MissingTells, text, hint));
    }
    warnings.extend(of_table(&original.table));
    warnings
}

/// What the values of a table tell, column by column.
pub fn of_table(table: &Table) -> Vec<Problem> {
    let mut warnings = Vec::new();
    if table.providers.len() < 2 {
        return warnings;
    }
    for column in &table.columns {
        if !column.spec.role.is_published() || column.domain.kind() != Kind::Category {
            continue;
        }
        let name = &column.spec.name;
        if let Some((provider, way)) = written_otherwise(table, column) {
            let provider = table.providers.name(provider);
            let text = format!(
                "column {name:?}: provider {provider:?} has {way}, others do not, so its rows can be told"
            );
            let hint = "declare kind = \"date\" or \"decimal\", and date_format or decimal for that provider";
            warnings.push(Problem::new(ProblemCode::FormatTells, text, hint));
        } else if let Some(provider) = shares_nothing(table, column) {
            let provider = table.providers.name(provider);
            let text = format!(
                "column {name:?}: provider {provider:?} has no value in common with any other, so its rows can be told"
            );
            let hint = "translate its values to those of the others, or declare a hierarchy that joins them";
            warnings.push(Problem::new(ProblemCode::ValuesTell, text, hint));
        }
    }
    warnings
}

/// The first provider most of whose values are written in a way that is hardly anybody's elsewhere:
/// a national date, a decimal comma, or a number or ISO date among texts.
fn written_otherwise(table: &Table, column: &Column) -> Option<(ProviderId, String)> {
    let all = WaysOfWriting::new();
    let mut ways_of_value: Vec<Ways> = Vec::with_capacity(column.domain.len());
    for code in 0..column.domain.len() as u32 {
        ways_of_value.push(all.of(column.domain.text(code)));
    }
    for way in all.each() {
        // where a hierarchy joins values, numbers among other codes are one vocabulary
        let is_vocabulary = way == NUMBER && column.domain.hierarchy().is_some();
        if is_vocabulary || ways_of_value.iter().all(|ways| ways & way == 0) {
            continue;
        }
        if let Some(provider) = only_way_of(table, column, &ways_of_value, way) {
            return Some((provider, all.in_words(way)));
        }
    }
    None
}

/// The first provider half of whose values are written in a way that another has in less than one
/// in twenty.
fn only_way_of(
    table: &Table,
    column: &Column,
    ways_of_value: &[Ways],
    way: Ways,
) -> Option<ProviderId> {
    let missing = column.domain.missing();
    let mut values = vec![0u64; table.providers.len()];
    let mut in_this_way = vec![0u64; table.providers.len()];
    for (code, provider) in column.codes.iter().zip(table.provider_of.iter()) {
        if Some(code) == missing {
            continue;
        }
        values[provider as usize] += 1;
        in_this_way[provider as usize] += u64::from(ways_of_value[code as usize] & way != 0);
    }
    let mut with = None;
    let mut is_rare_elsewhere = false;
    for provider in 0..values.len() {
        if values[provider] == 0 {
            continue;
        }
        if in_this_way[provider] * 2 >= values[provider] {
            with = with.or(Some(ProviderId(provider as u32)));
        } else if in_this_way[provider] * 20 < values[provider] {
            is_rare_elsewhere = true;
        }
    }
    with.filter(|_| is_rare_elsewhere)
}

/// The first provider that has several values and shares none of them with another.
///
/// Values of a declared hierarchy are one vocabulary, whoever uses which part of it: hospitals of
/// different regions have other postcodes, and that is no way of writing.
fn shares_nothing(table: &Table, column: &Column) -> Option<ProviderId> {
    let recurs = table.rows() >= column.domain.len() * ROWS_PER_VALUE;
    if !recurs || column.domain.hierarchy().is_some() {
        return None;
    }
    let mut seen = Sharing::new(column.domain.len(), table.providers.len());
    let rows = table.rows();
    // rows of a provider mostly stand together, so a few of all places come first
    for row in (0..rows).step_by(STRIDE) {
        seen.see(column, table, row);
    }
    if seen.all_share() {
        return None;
    }
    for row in 0..rows {
        seen.see(column, table, row);
    }
    if seen.providers_with_values() < 2 {
        return None;
    }
    for provider in 0..table.providers.len() {
        if !seen.shares[provider] && seen.own_values[provider] >= FEWEST_VALUES {
            return Some(ProviderId(provider as u32));
        }
    }
    None
}

/// Who shares values with whom, as far as was seen.
struct Sharing {
    /// Per value the provider that was seen with it first.
    owner: Vec<Option<u32>>,
    shares: Vec<bool>,
    /// Per provider how many values it was seen with first.
    own_values: Vec<usize>,
    /// Who has a value at all: an empty table shares nothing, and tells nothing.
    has_values: Vec<bool>,
}

impl Sharing {
    fn new(values: usize, providers: usize) -> Self {
        Sharing {
            owner: vec![None; values],
            shares: vec![false; providers],
            own_values: vec![0; providers],
            has_values: vec![false; providers],
        }
    }

    fn see(&mut self, column: &Column, table: &Table, row: usize) {
        let code = column.codes.get(row);
        if column.domain.missing() == Some(code) {
            return;
        }
        let provider = table.provider_of.get(row);
        self.has_values[provider as usize] = true;
        match self.owner[code as usize] {
            None => {
                self.owner[code as usize] = Some(provider);
                self.own_values[provider as usize] += 1;
            }
            Some(owner) if owner != provider => {
                self.shares[owner as usize] = true;
                self.shares[provider as usize] = true;
            }
            Some(_) => {}
        }
    }

    fn providers_with_values(&self) -> usize {
        self.has_values.iter().filter(|&&has| has).count()
    }

    fn all_share(&self) -> bool {
        self.shares.iter().all(|&shares| shares)
    }
}
