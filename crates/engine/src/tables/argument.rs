//! A table as a command line names it: a file, or a place in a database.

use super::{ForeignTable, table_at};
use crate::run::Run;
use mingle_io::{Scan, TableFormat};
use mingle_record::Problem;
use mingle_sources::DatabasePlace;
use std::path::Path;

/// What is given for a table that some tool has anonymized.
pub struct TableArgument<'a> {
    path: &'a Path,
    /// The rows, if they are in a database.
    rows: Option<Box<dyn Scan>>,
}

impl<'a> TableArgument<'a> {
    /// Reads `FILE` or `postgresql:SERVICE/SCHEMA.TABLE`; the table itself is read later.
    pub fn new(path: &'a Path, run: &Run) -> Result<TableArgument<'a>, Problem> {
        let text = path.to_string_lossy();
        let rows = if DatabasePlace::is_one(&text) {
            Some(table_at(&text, TableFormat::default(), run)?)
        } else {
            None
        };
        Ok(TableArgument { path, rows })
    }

    /// The table.
    pub fn foreign(&self) -> ForeignTable<'_> {
        match &self.rows {
            Some(rows) => ForeignTable::Given(rows.as_ref()),
            None => ForeignTable::File(self.path),
        }
    }
}
