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
use mingle_io::{DateFormat, DecimalMark};
use mingle_model::{Column, Domain, Kind, ProviderId, Table};
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
    let table = &original.table;
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
                "column {name:?}: provider {provider:?} writes {way}, others do not, so its rows can be told"
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

const NATIONAL_DATE: u8 = 1;
const DECIMAL_COMMA: u8 = 2;

/// The first provider all of whose values are national dates or decimals with a comma, where
/// another provider has values that are not.
fn written_otherwise(table: &Table, column: &Column) -> Option<(ProviderId, &'static str)> {
    let ways = ways_of_values(&column.domain);
    if ways.iter().all(|&way| way == 0) {
        return None;
    }
    let missing = column.domain.missing();
    let mut of_provider = vec![NATIONAL_DATE | DECIMAL_COMMA; table.providers.len()];
    let mut has_values = vec![false; table.providers.len()];
    for (code, provider) in column.codes.iter().zip(table.provider_of.iter()) {
        if Some(code) == missing {
            continue;
        }
        of_provider[provider as usize] &= ways[code as usize];
        has_values[provider as usize] = true;
    }
    for (bit, way) in [
        (NATIONAL_DATE, "days in a national way"),
        (DECIMAL_COMMA, "decimals with a comma"),
    ] {
        let mut with = None;
        let mut without = false;
        for (provider, &ways) in of_provider.iter().enumerate() {
            if !has_values[provider] {
                continue;
            }
            if ways & bit == 0 {
                without = true;
            } else if with.is_none() {
                with = Some(ProviderId(provider as u32));
            }
        }
        if let (Some(provider), true) = (with, without) {
            return Some((provider, way));
        }
    }
    None
}

fn ways_of_values(domain: &Domain) -> Vec<u8> {
    let mut national = Vec::new();
    for pattern in DateFormat::COMMON {
        if !pattern.starts_with("yyyy") {
            national.extend(DateFormat::new(pattern));
        }
    }
    let mut ways = Vec::with_capacity(domain.len());
    for code in 0..domain.len() as u32 {
        let text = domain.text(code);
        let mut way = 0;
        // a cheap look first: most values of a category have no digit
        if text.bytes().any(|byte| byte.is_ascii_digit()) {
            if national.iter().any(|format| format.day(text).is_some()) {
                way |= NATIONAL_DATE;
            }
            if text.contains(',') && DecimalMark::Comma.reads(text) {
                way |= DECIMAL_COMMA;
            }
        }
        ways.push(way);
    }
    ways
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
