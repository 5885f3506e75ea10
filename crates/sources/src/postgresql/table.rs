//! A table of PostgreSQL, a view, or the rows of a query, as something to scan.
//!
//! Cells are texts, written as `COPY … TO … (FORMAT csv)` writes them: a boolean is `t` or `f`, a
//! numeric has its digits, a day is ISO, an instant with a time zone is in UTC. A null is missing,
//! as an empty text is by default. `char(n)` comes without its padding, which SQL does not count as
//! part of the value. Types that are no cell are refused, and only where their column is wanted.
//!
//! Cost: one pass of the server over the rows, about two mebibytes of memory here for each of the
//! four pieces that may wait. Grouping, where that is all that is needed, happens at the server, by
//! the texts: two values that SQL calls equal and writes differently stay apart.

use super::Session;
use super::Sessions;
use super::connection::{CopiedRows, QueryColumn, Stopped};
use super::name::{TableName, quoted};
use super::rows::RowDecoder;
use crate::database::{DatabaseRows, DatabaseTable};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use mingle_io::{
    Batch, Counts, DatabaseFlaw, Error, FileHash, Pass, ReadOptions, Scan, TableFormat,
};
use std::sync::Arc;
use tokio_postgres::types::{Kind, Type};

/// Rows that a server has.
pub(crate) struct PostgresTable {
    name: String,
    table: DatabaseTable,
    sessions: Arc<Sessions>,
}

impl PostgresTable {
    pub(crate) fn new(table: DatabaseTable, sessions: Arc<Sessions>) -> PostgresTable {
        PostgresTable {
            name: table.display(),
            table,
            sessions,
        }
    }

    fn error(&self, stopped: Stopped) -> Error {
        match stopped {
            Stopped::Cancelled => Error::Cancelled,
            Stopped::Flaw(flaw) => Error::Database {
                file: self.name.clone(),
                flaw,
            },
        }
    }

    /// Looks at the columns. A query is first taken by itself: one that is not complete could lead
    /// out of the parentheses that it is put into afterwards.
    fn look(&self) -> Result<QueriedTable, Stopped> {
        let session = self.sessions.session(self.table.service.as_deref())?;
        let (alone, from) = match &self.table.rows {
            DatabaseRows::Table(name) => {
                let name = TableName::read(name)?.quoted();
                (format!("SELECT * FROM {name}"), name)
            }
            DatabaseRows::Query(query) => {
                let query = query.trim().trim_end_matches(';');
                (query.to_owned(), format!("({query}\n)"))
            }
        };
        let columns = session.describe(alone)?;
        Ok(QueriedTable {
            session,
            from,
            columns,
        })
    }

    fn count(&self, columns: &[&str]) -> Result<Counts, Error> {
        let table = self.look().map_err(|stopped| self.error(stopped))?;
        let mut wanted = Vec::with_capacity(columns.len());
        for name in columns {
            let column = table.columns.iter().find(|column| column.name == *name);
            // the caller has compared the names before
            wanted.push(column.ok_or_else(|| self.error(DatabaseFlaw::NotARow.into()))?);
        }
        let counted = table.count(&wanted);
        counted.map_err(|stopped| self.error(stopped))
    }
}

impl Scan for PostgresTable {
    fn name(&self) -> &str {
        &self.name
    }

    fn provider(&self) -> Option<&str> {
        self.table.provider.as_deref()
    }

    fn format(&self) -> &TableFormat {
        &self.table.format
    }

    fn open<'s>(&'s self, _options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        let queried = self.look().map_err(|stopped| self.error(stopped))?;
        let mut fields = Vec::with_capacity(queried.columns.len());
        for column in &queried.columns {
            fields.push(Field::new(&column.name, DataType::Utf8, true));
        }
        Ok(Box::new(PostgresPass {
            table: self,
            schema: Arc::new(Schema::new(fields)),
            wanted: vec![true; queried.columns.len()],
            queried,
            reading: None,
            hash: None,
            rows: 0,
            bytes: 0,
        }))
    }

    fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
        // what is translated afterwards must be seen row by row
        if !self.table.format.renamed.is_empty()
            || !self.table.format.missing.is_empty()
            || columns.is_empty()
        {
            return None;
        }
        Some(self.count(columns))
    }
}

/// A table whose columns are known.
struct QueriedTable {
    session: Arc<Session>,
    /// What stands behind FROM.
    from: String,
    columns: Vec<QueryColumn>,
}

impl QueriedTable {
    fn count(&self, wanted: &[&QueryColumn]) -> Result<Counts, Stopped> {
        let mut expressions = Vec::with_capacity(wanted.len());
        let mut places = Vec::with_capacity(wanted.len());
        for (place, column) in wanted.iter().enumerate() {
            expressions.push(cell(column)?);
            places.push((place + 1).to_string());
        }
        let query = format!(
            "COPY (SELECT {}, count(*) FROM {} AS mingle_rows GROUP BY {}) TO STDOUT",
            expressions.join(", "),
            self.from,
            places.join(", ")
        );
        let schema = schema_of(wanted.iter().copied());
        let mut decoder = RowDecoder::new(schema.clone(), true);
        let mut pieces = self.session.copy(query)?;
        let mut rows = Vec::new();
        while let Some(piece) = pieces.next()? {
            rows.push(decoder.decode(&piece)?);
        }
        let (counts, hash) = decoder.finish();
        Ok(Counts {
            schema,
            rows,
            counts,
            hash: Some(hash),
        })
    }
}

fn schema_of<'c>(columns: impl Iterator<Item = &'c QueryColumn>) -> SchemaRef {
    let field = |column: &QueryColumn| Field::new(&column.name, DataType::Utf8, true);
    Arc::new(Schema::new(columns.map(field).collect::<Vec<_>>()))
}

/// One reading of a table.
struct PostgresPass<'s> {
    table: &'s PostgresTable,
    schema: SchemaRef,
    wanted: Vec<bool>,
    queried: QueriedTable,
    reading: Option<Reading>,
    hash: Option<FileHash>,
    rows: u64,
    bytes: u64,
}

struct Reading {
    pieces: CopiedRows,
    decoder: RowDecoder,
}

impl PostgresPass<'_> {
    fn start(&self) -> Result<Reading, Stopped> {
        let mut expressions = Vec::new();
        let mut columns = Vec::new();
        for (column, wanted) in self.queried.columns.iter().zip(&self.wanted) {
            if *wanted {
                expressions.push(cell(column)?);
                columns.push(column);
            }
        }
        let query = format!(
            "COPY (SELECT {} FROM {} AS mingle_rows) TO STDOUT",
            expressions.join(", "),
            self.queried.from
        );
        Ok(Reading {
            pieces: self.queried.session.copy(query)?,
            decoder: RowDecoder::new(schema_of(columns.into_iter()), false),
        })
    }

    fn next_piece(&mut self) -> Result<Option<Batch>, Stopped> {
        if self.hash.is_some() {
            return Ok(None);
        }
        let mut reading = match self.reading.take() {
            Some(reading) => reading,
            None => self.start()?,
        };
        let Some(piece) = reading.pieces.next()? else {
            self.hash = Some(reading.decoder.finish().1);
            return Ok(None);
        };
        let rows = reading.decoder.decode(&piece)?;
        let first = self.rows + 1;
        self.rows += rows.num_rows() as u64;
        self.bytes += piece.len() as u64;
        self.reading = Some(reading);
        Ok(Some(Batch::numbered(rows, first)))
    }
}

impl Pass for PostgresPass<'_> {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn format(&self) -> &'static str {
        "PostgreSQL"
    }

    fn project(&mut self, wanted: &[bool]) -> Result<(), Error> {
        self.wanted = wanted.to_vec();
        for (column, wanted) in self.queried.columns.iter().zip(wanted) {
            if *wanted {
                cell(column).map_err(|flaw| self.table.error(flaw.into()))?;
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        self.next_piece()
            .map_err(|stopped| self.table.error(stopped))
    }

    fn bytes_read(&mut self) -> u64 {
        self.bytes
    }

    fn hash(&mut self) -> Option<FileHash> {
        self.hash.clone()
    }
}

/// How a column's cells are asked for, so that they are equal exactly if their texts are; refused
/// where they are no cells.
fn cell(column: &QueryColumn) -> Result<String, DatabaseFlaw> {
    let name = quoted(&column.name);
    let mut base = &column.column_type;
    while let Kind::Domain(inner) = base.kind() {
        base = inner;
    }
    let is_simple = matches!(base.kind(), Kind::Simple);
    let text = match *base {
        Type::INT2 | Type::INT4 | Type::INT8 | Type::DATE | Type::UUID => name.clone(),
        Type::TIMESTAMP | Type::TIMESTAMPTZ => name.clone(),
        Type::BOOL => format!("CASE WHEN {name} THEN 't' WHEN NOT {name} THEN 'f' END"),
        // by their texts: 1.0 and 1.00 are two, and a collation may call two texts equal
        Type::NUMERIC | Type::FLOAT4 | Type::FLOAT8 => format!("{name}::text"),
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME => {
            format!("{name}::text COLLATE \"C\"")
        }
        _ if matches!(base.kind(), Kind::Enum(_)) => name.clone(),
        _ if is_simple && base.name() == "citext" => format!("{name}::text COLLATE \"C\""),
        _ => {
            return Err(DatabaseFlaw::ColumnType {
                column: column.name.clone(),
                type_name: type_name(&column.column_type),
            });
        }
    };
    Ok(format!("{text} AS {name}"))
}

/// What SQL calls a type.
fn type_name(column_type: &Type) -> String {
    match column_type.kind() {
        Kind::Array(inner) => format!("an array of {}", inner.name()),
        Kind::Composite(_) => format!("the composite {}", column_type.name()),
        Kind::Domain(inner) => format!("a domain over {}", type_name(inner)),
        _ => column_type.name().to_owned(),
    }
}
