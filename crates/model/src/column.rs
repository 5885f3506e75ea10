//! Encoded columns, and the raw columns they are made from.

use crate::codes::{Code, Codes};
use crate::domain::{Domain, DomainError};
use crate::schema::{ColumnSpec, Missing};
use std::fmt;
use std::sync::Arc;

/// Where in the input something stands: a file and a line (CSV) or row (Parquet), counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The file's name as the policy gives it.
    pub file: Arc<str>,
    /// Line of the file, header included.
    pub line: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)
    }
}

/// A distinct text of a column, and where it was seen first. No `Debug`: it is a cell.
#[derive(Clone)]
pub struct RawValue {
    /// The cell as it was read.
    pub text: Box<str>,
    /// The first place where it stands.
    pub position: Position,
}

/// A column as read: distinct texts in any order, and for each row which of them it holds.
#[derive(Clone, Default)]
pub struct RawColumn {
    /// The distinct texts.
    pub values: Vec<RawValue>,
    /// Per row an index into `values`.
    pub ids: Codes,
}

/// A column of ordered codes with the domain that gives them meaning.
#[derive(Clone)]
pub struct Column {
    /// What the policy says about it.
    pub spec: ColumnSpec,
    /// Its values.
    pub domain: Domain,
    /// A code per row.
    pub codes: Codes,
}

impl Column {
    /// Infers the kind, orders the values, attaches the hierarchy.
    pub fn encode(
        spec: ColumnSpec,
        raw: RawColumn,
        missing: &Missing,
    ) -> Result<Column, DomainError> {
        let (domain, map) = Domain::build(&spec, &raw.values, missing)?;
        let mut codes = Codes::with_capacity(domain.len(), raw.ids.len());
        codes.extend_mapped(&raw.ids, &map);
        Ok(Column {
            spec,
            domain,
            codes,
        })
    }

    /// A column from plain texts, for tests and for tables made in memory.
    pub fn from_texts<'a>(
        spec: ColumnSpec,
        texts: impl IntoIterator<Item = &'a str>,
        missing: &Missing,
    ) -> Result<Column, DomainError> {
        let file: Arc<str> = "memory".into();
        let mut seen = std::collections::HashMap::new();
        let mut raw = RawColumn::default();
        for (row, text) in texts.into_iter().enumerate() {
            let id = *seen.entry(text).or_insert_with(|| {
                let position = Position {
                    file: file.clone(),
                    line: row as u64 + 1,
                };
                raw.values.push(RawValue {
                    text: text.into(),
                    position,
                });
                raw.values.len() as Code - 1
            });
            raw.ids.push(id);
        }
        Column::encode(spec, raw, missing)
    }
}
