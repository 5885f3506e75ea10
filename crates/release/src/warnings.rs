//! What deserves attention about a release and follows from what is handed out: its public manifest
//! and its published rows, nothing else.
//!
//! These are the warnings that may stand in `public/`. Because everybody who has the release can
//! find them again, a manifest that leaves them out hides nothing. Warnings about the input are the
//! program's to give, and go to `private/`.
//!
//! Cost: one look at each insensitive column.

use crate::error::Error;
use crate::noisy::NoisyMeaning;
use mingle_dp::Epsilon;
use mingle_dp::odds::{DIGITS, times};
use mingle_model::{Code as CellCode, Column, Partition, Rendered, Role, Table};
use mingle_record::manifest::{ColumnRole, NoisyManifest, PublicManifest};
use mingle_record::{Problem, ProblemCode, WarningNotice};
use std::collections::HashSet;

/// An insensitive column with more distinct values than this can single people out; in small tables
/// fewer are enough.
const MANY: u64 = 100;

/// Beyond this ε a promise says little.
const LARGE: f64 = 10.0;

/// How many different values an insensitive column shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValues {
    /// The column's name.
    pub column: String,
    /// How many.
    pub distinct: u64,
}

/// About a release of groups, in a fixed order. `shown` are its insensitive columns.
pub fn of_groups(manifest: &PublicManifest, shown: &[ShownValues]) -> Vec<WarningNotice> {
    let mut warnings = Vec::new();
    for values in shown {
        warnings.extend(revealing(&values.column, values.distinct, manifest.rows));
    }
    let sensitive = manifest.named(ColumnRole::Sensitive).len();
    warnings.extend(background_join(sensitive, manifest.fragmented));
    let quasi_identifiers = manifest.named(ColumnRole::QuasiIdentifier).len();
    warnings.extend(no_quasi_identifiers(quasi_identifiers));
    notices(&warnings)
}

/// About a release of noisy counts.
pub fn of_noise(manifest: &NoisyManifest) -> Vec<WarningNotice> {
    let (epsilon, _) = manifest.said();
    let mut warnings = Vec::new();
    warnings.extend(large_epsilon(epsilon));
    notices(&warnings)
}

fn notices(warnings: &[Problem]) -> Vec<WarningNotice> {
    warnings.iter().map(WarningNotice::from).collect()
}

/// A column that is published unchanged and could single people out.
pub fn revealing(column: &str, distinct: u64, rows: u64) -> Option<Problem> {
    let is_much_of_a_small_table = distinct > 10 && distinct * 10 > rows;
    if distinct <= MANY && !is_much_of_a_small_table {
        return None;
    }
    let text =
        format!("column {column:?} is published unchanged and has {distinct} distinct values");
    let hint = "make it a quasi-identifier or an identifier if it can single out people";
    Some(Problem::new(ProblemCode::RevealingColumn, text, hint))
}

/// Several sensitive columns side by side.
pub fn background_join(sensitive: usize, fragmented: bool) -> Option<Problem> {
    if sensitive < 2 || fragmented {
        return None;
    }
    let text = format!(
        "{sensitive} sensitive columns in one table: who knows one value can narrow down the others"
    );
    let hint =
        "set fragmented = true in [release] to publish each in a table of its own; see MG0503";
    Some(Problem::new(ProblemCode::BackgroundJoin, text, hint))
}

/// Nothing that others may know.
pub fn no_quasi_identifiers(quasi_identifiers: usize) -> Option<Problem> {
    if quasi_identifiers > 0 {
        return None;
    }
    let text = "no column is a quasi-identifier, so nothing is generalized";
    let hint = "give role = \"quasi-identifier\" to what others may know, such as age or ZIP code";
    Some(Problem::new(ProblemCode::NoQuasiIdentifiers, text, hint))
}

/// A promise that says little.
pub fn large_epsilon(epsilon: Epsilon) -> Option<Problem> {
    if epsilon.0.to_f64() <= LARGE {
        return None;
    }
    let odds = times(epsilon);
    let text = format!(
        "epsilon = {} protects hardly anybody: what is seen may be {odds} times as likely with a \
         person's records as without",
        epsilon.0.ceil_to(DIGITS)
    );
    let hint = "1 or less is a strong promise, beyond 10 it is hardly one";
    Some(Problem::new(ProblemCode::LargeEpsilon, text, hint))
}

/// What the insensitive columns of a release show, from its rows as they were read back.
pub(crate) fn shown_in(manifest: &PublicManifest, table: &Table) -> Vec<ShownValues> {
    let mut shown = Vec::new();
    for (declared, column) in manifest.columns.iter().zip(&table.columns) {
        if declared.role == ColumnRole::Insensitive {
            let rows = 0..column.codes.len();
            shown.push(values_of(column, rows));
        }
    }
    shown
}

/// The same before it is written, from the rows that will be published: a value that only left-out
/// rows have is not shown to anybody.
pub(crate) fn shown_by(rendered: &Rendered) -> Result<Vec<ShownValues>, Error> {
    let (table, cube) = (rendered.table(), rendered.cube());
    if table.with_role(Role::Insensitive).next().is_none() {
        return Ok(Vec::new());
    }
    let record_of_row = cube
        .record_of_row()
        .filter(|rows| rows.len() == table.rows())
        .ok_or(Error::OtherTable)?;
    let mut published = Vec::new();
    for (row, &record) in record_of_row.iter().enumerate() {
        if rendered.group_of()[record as usize] != Partition::SUPPRESSED {
            published.push(row);
        }
    }
    let mut shown = Vec::new();
    for column in table.with_role(Role::Insensitive) {
        shown.push(values_of(column, published.iter().copied()));
    }
    Ok(shown)
}

fn values_of(column: &Column, rows: impl Iterator<Item = usize>) -> ShownValues {
    let mut used = vec![false; column.domain.len()];
    for row in rows {
        used[column.codes.get(row) as usize] = true;
    }
    // values that are written alike are one to a reader
    let mut texts = HashSet::new();
    for (code, _) in used.iter().enumerate().filter(|(_, used)| **used) {
        texts.insert(column.domain.text(code as CellCode));
    }
    ShownValues {
        column: column.spec.name.clone(),
        distinct: texts.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_dp::Amount;

    #[test]
    fn many_values_and_few_rows_reveal() {
        assert!(revealing("a", 101, 1_000_000).is_some());
        assert!(revealing("a", 100, 1_000_000).is_none());
        assert!(revealing("a", 11, 109).is_some());
        assert!(revealing("a", 11, 110).is_none());
        assert!(revealing("a", 10, 10).is_none());
    }

    #[test]
    fn every_rule_is_in_the_table_of_public_warnings() {
        let epsilon = Epsilon(Amount::parse("11").unwrap());
        for warning in [
            revealing("a", 101, 1_000),
            background_join(2, false),
            no_quasi_identifiers(0),
            large_epsilon(epsilon),
        ] {
            let code = warning.unwrap().code();
            assert!(code.is_public_warning(), "{code}");
        }
        assert!(background_join(2, true).is_none() && background_join(1, false).is_none());
        assert!(large_epsilon(Epsilon(Amount::parse("10").unwrap())).is_none());
        assert!(no_quasi_identifiers(1).is_none());
    }
}
