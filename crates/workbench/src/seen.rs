//! Tables as they are before anybody decides about them: each column's distinct values with their
//! counts.
//!
//! Enough for profiles and hierarchies, and small: rows are not kept. Cost: one reading of the
//! files.

use super::Bench;
use mingle::failure;
use mingle::propose::Sample;
use mingle::tables::table;
use mingle_io::{ReadOptions, Source};
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, RawColumn, RawValue, Role};
use mingle_policy::edit;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::PolicyValue;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// All columns of some tables.
pub struct SeenTables {
    /// Rows in all.
    pub rows: u64,
    /// Rows of each table.
    pub rows_of: Vec<u64>,
    /// Some rows, for what columns say together.
    pub sample: Sample,
    /// The columns, in the order of the first table.
    pub columns: Vec<SeenColumn>,
}

/// A column's values.
pub struct SeenColumn {
    /// Its name.
    pub name: String,
    /// The kind that fits all values.
    pub kind: Kind,
    values: Vec<RawValue>,
    counts: Vec<u64>,
}

impl SeenTables {
    /// Looks at tables; what was looked at last is at hand.
    pub fn of(
        bench: &Bench,
        sources: &[Source],
        reading: &TableReading,
    ) -> Result<Arc<SeenTables>, Problem> {
        let mut key = format!("{reading:?}");
        for source in sources {
            key += &stamp(&source.path);
            let _ = write!(key, "{:?};", source.format);
        }
        if let Some(seen) = bench.seen.get(&key) {
            return Ok(seen);
        }
        let mut tables = Vec::with_capacity(sources.len());
        for source in sources {
            tables.push(table(source.clone()));
        }
        let raw = mingle_io::read_raw(&tables, &ReadOptions::default());
        let raw = raw.map_err(|e| failure::io(&e))?;
        let sample = Sample::of(&raw);
        let columns = raw
            .columns
            .into_iter()
            .map(|(name, column)| SeenColumn::new(name, column, &reading.missing));
        let seen = Arc::new(SeenTables {
            rows: raw.rows,
            rows_of: raw.rows_of,
            sample,
            columns: columns.collect::<Result<_, _>>()?,
        });
        bench.seen.put(&key, seen.clone());
        Ok(seen)
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Result<&SeenColumn, Problem> {
        self.columns.iter().find(|c| c.name == name).ok_or_else(|| {
            let text = format!("the tables have no column {name:?}");
            Problem::new(
                ProblemCode::MissingColumns,
                text,
                "spell columns in the policy as in the header line",
            )
        })
    }
}

/// How a policy reads its tables.
#[derive(Debug)]
pub struct TableReading {
    /// The texts that mean "no value".
    pub missing: Missing,
}

impl TableReading {
    /// From a policy's text, whatever else is wrong with it.
    pub fn of(text: &str) -> TableReading {
        let missing = edit::said(text, &["data", "missing"]);
        let texts = |list: &[PolicyValue]| {
            list.iter()
                .filter_map(PolicyValue::as_text)
                .map(str::to_owned)
                .collect()
        };
        TableReading {
            missing: missing
                .as_ref()
                .and_then(PolicyValue::as_list)
                .map(texts)
                .map_or_else(Missing::default, Missing::new),
        }
    }
}

/// What changes when a file does.
pub fn stamp(path: &Path) -> String {
    let mut stamp = path.display().to_string();
    if let Ok(meta) = path.metadata() {
        // a copy with the old date is another file
        let _ = write!(
            stamp,
            "|{}|{:?}|{:?};",
            meta.len(),
            meta.modified().ok(),
            mingle_disk::change_stamp(&meta)
        );
    }
    stamp
}

impl SeenColumn {
    fn new(name: String, raw: RawColumn, missing: &Missing) -> Result<SeenColumn, Problem> {
        let mut counts = vec![0; raw.values.len()];
        raw.ids.iter().for_each(|id| counts[id as usize] += 1);
        let mut column = SeenColumn {
            name,
            kind: Kind::Category,
            values: raw.values,
            counts,
        };
        column.kind = column.encode(None, missing, |_| true)?.domain.kind();
        Ok(column)
    }

    /// Its distinct values as a column of one row each; `keep` may leave some out.
    pub fn encode(
        &self,
        spec: Option<ColumnSpec>,
        missing: &Missing,
        keep: impl Fn(&str) -> bool,
    ) -> Result<Column, Problem> {
        let spec = spec.unwrap_or_else(|| ColumnSpec::new(self.name.clone(), Role::Insensitive));
        let kept = self.values.iter().filter(|v| keep(&v.text));
        let values: Vec<RawValue> = kept
            .map(|v| RawValue {
                text: v.text.clone(),
                position: v.position.clone(),
            })
            .collect();
        let ids: Codes = (0..values.len() as u32).collect();
        Column::encode(spec, RawColumn { values, ids }, missing).map_err(|source| {
            failure::io(&mingle_io::Error::Column {
                column: self.name.clone(),
                source,
            })
        })
    }

    /// Its distinct values, each once, whatever they are.
    pub fn distinct(&self) -> RawColumn {
        RawColumn {
            values: self.values.clone(),
            ids: (0..self.values.len() as u32).collect(),
        }
    }

    /// The values that `keep` lets through with their counts, in the order in which
    /// [`encode`](SeenColumn::encode) has its rows.
    pub fn counted(&self, keep: impl Fn(&str) -> bool) -> impl Iterator<Item = (&str, u64)> {
        self.values
            .iter()
            .map(|v| &*v.text)
            .zip(self.counts.iter().copied())
            .filter(move |(text, _)| keep(text))
    }
}
