//! A table that some tool has anonymized, whose cells hold several values: `a;b;c`.
//!
//! As in an original, such a row is a person with several values and becomes one row for each of
//! them, alike in all other columns. The sensitive columns are read that way, which says of every
//! row from which one it was made; what was read beside them follows. Cost: 4 bytes per row.

use crate::failure;
use crate::inputs::separated;
use mingle_io::{ReadOptions, Scan, Selection, Undeclared, WantedColumn};
use mingle_model::{Codes, Column, ColumnSpec, Table};
use mingle_policy::Policy;
use mingle_record::{Problem, ProblemCode};

/// The sensitive columns after cells were taken apart.
pub(super) struct TakenApartRows {
    /// They, with one value a row.
    pub(super) columns: Vec<Column>,
    /// Per row the one that it was made from.
    row_of: Codes,
    /// How many those were.
    rows_before: usize,
}

impl TakenApartRows {
    /// Reads sensitive columns, one of which has a separator; `None` where none has.
    pub(super) fn read(
        policy: &Policy,
        source: &dyn Scan,
        provider_column: Option<&str>,
        sensitive: &[ColumnSpec],
        options: &ReadOptions<'_>,
    ) -> Result<Option<TakenApartRows>, Problem> {
        let Some(separated) = separated(policy) else {
            return Ok(None);
        };
        let mut columns = Vec::new();
        for spec in sensitive {
            columns.push(WantedColumn::from(spec.clone()));
        }
        let selection = Selection {
            provider_column,
            columns,
            undeclared: Undeclared::Drop,
            // so that the people who are read are the rows
            person: None,
            separated: Some(separated),
        };
        let options = ReadOptions {
            missing: policy.data.missing.clone(),
            ..options.clone()
        };
        let read = mingle_io::read_selection(&[source], &selection, &options);
        let read = read.map_err(|e| failure::io(&e))?;
        let (Some(row_of), Some(rows)) = (read.table.person_of, read.people) else {
            return Ok(None);
        };
        Ok(Some(TakenApartRows {
            columns: read.table.columns,
            row_of,
            rows_before: rows.people as usize,
        }))
    }

    /// Whether some cell held several values. Where none did, the table may be one whose rows were
    /// taken apart already, as those that this program publishes are.
    pub(super) fn had_sets(&self) -> bool {
        self.row_of.len() > self.rows_before
    }

    /// Gives the rows of a table that was read beside them their values.
    pub(super) fn spread_table(&self, table: &mut Table) {
        for column in &mut table.columns {
            self.spread_column(column);
        }
        table.provider_of = self.spread(&table.provider_of, table.providers.len());
    }

    pub(super) fn spread_column(&self, column: &mut Column) {
        column.codes = self.spread(&column.codes, column.domain.len());
    }

    /// Whose the rows are: of whom they were, or of the row that they were made from.
    pub(super) fn person_of(&self, whose: Option<&Codes>) -> Codes {
        match whose {
            Some(whose) => self.spread(whose, self.rows_before),
            None => self.row_of.clone(),
        }
    }

    fn spread(&self, codes: &Codes, distinct: usize) -> Codes {
        let mut spread = Codes::with_capacity(distinct, self.row_of.len());
        for row in self.row_of.iter() {
            spread.push(codes.get(row as usize));
        }
        spread
    }
}

/// Why a table is refused of which nobody can tell whose its rows are.
pub(crate) fn refuse_without_sets(policy: &Policy, file: &str) -> Problem {
    let column = policy.separated().map_or("", |column| &column.spec.name);
    let text = format!(
        "{file}: no cell of column {column:?} holds several values; where they were taken apart into rows before, whose \
         the rows are is not known"
    );
    let hint = "check a table with all values of a person in one cell, or name an identifier that is still in it as `person` \
                in [data]; if each row is one person with one value, take `separator` out";
    Problem::new(
        ProblemCode::SetsNotVerified,
        failure::printable(&text),
        hint,
    )
}

/// Why a table is refused that lacks the column whose values would be its rows.
pub(crate) fn refuse_without_column(policy: &Policy, file: &str) -> Problem {
    let column = policy.separated().map_or("", |column| &column.spec.name);
    let text = format!(
        "{file} lacks column {column:?}, whose cells hold several values: how many rows of the original one of its rows \
         stands for is not known"
    );
    let hint = "keep the column in the table, or take `separator` out and compare with a table of one row a person";
    Problem::new(
        ProblemCode::SetsNotVerified,
        failure::printable(&text),
        hint,
    )
}
