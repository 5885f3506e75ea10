//! Hierarchies before anything is published: what they do to a column, and which could suit it.
//!
//! Looks at the distinct values of a column, each once. What is said about them are counts and
//! places; only a file that a steward asks for holds values.

mod check;
mod propose;

pub use check::{check_column, check_file, check_policy, problem_of};
pub use propose::{ProposedHierarchy, propose};

use crate::failure;
use crate::inputs::separated;
use crate::propose::SeenFormat;
use crate::run::Run;
use crate::tables::{self, sources};
use mingle_io::{HeaderLine, Keep, ReadOptions, Scan, Selection, Source, Undeclared, WantedColumn};
use mingle_model::{Codes, Column, ColumnSpec, HierarchySource, Missing, RawColumn};
use mingle_policy::{DeclaredColumn, Policy};
use mingle_record::answer::HierarchyLevel;
use mingle_record::{Problem, ProblemCode};
use std::path::Path;

/// The columns of some tables, by name.
struct SeenColumns {
    columns: Vec<(String, RawColumn)>,
    missing: Missing,
}

impl SeenColumns {
    /// These columns of the tables that a policy names, as publishing reads them.
    fn of_policy(
        policy: &Policy,
        declared: &[&DeclaredColumn],
        run: &Run,
    ) -> Result<SeenColumns, Problem> {
        SeenColumns::declared(&sources(policy, run)?, policy, declared, run)
    }

    /// A column of one table, read as a policy says where it declares it, and by the way the table
    /// looks where there is no policy.
    fn of_table(
        table: &Path,
        column: &str,
        policy: Option<&Policy>,
        run: &Run,
    ) -> Result<SeenColumns, Problem> {
        let mut source = Source::new(table, table.display().to_string());
        let Some(policy) = policy else {
            let options = options(&Missing::default(), run);
            // whoever calls a column by its name has seen the header
            source.format.header = HeaderLine::Trusted;
            SeenFormat::of(&mut source, &options)?;
            return SeenColumns::found(tables::table(source), &options);
        };
        let table = tables::table(source.written_as(policy.data.foreign_format()));
        let declared = policy.columns.iter().find(|c| c.spec.name == column);
        match declared {
            Some(declared) => SeenColumns::declared(&[table], policy, &[declared], run),
            None => SeenColumns::found(table, &options(&policy.data.missing, run)),
        }
    }

    fn declared<S: Scan>(
        tables: &[S],
        policy: &Policy,
        declared: &[&DeclaredColumn],
        run: &Run,
    ) -> Result<SeenColumns, Problem> {
        let mut columns = Vec::new();
        for column in declared {
            let spec = ColumnSpec {
                kind: column.spec.kind,
                ..ColumnSpec::new(column.spec.name.clone(), column.spec.role)
            };
            let mut wanted = WantedColumn::kept(spec, Keep::Values);
            wanted.meaning = column.meaning();
            wanted.optional = column.optional;
            columns.push(wanted);
        }
        let selection = Selection {
            provider_column: None,
            columns,
            undeclared: Undeclared::Drop,
            person: None,
            separated: None,
        };
        let options = options(&policy.data.missing, run);
        let raw = mingle_io::read_raw_selection(tables, &selection, &options);
        let raw = raw.map_err(|e| failure::io(&e))?;
        let separated = separated(policy);
        let mut columns = Vec::new();
        for (name, column) in raw.columns {
            // a hierarchy is of values, not of cells that hold several
            let column = match separated {
                Some(separated) if separated.column == name => {
                    let single = separated.single_values(column, &options);
                    single.map_err(|e| failure::io(&e))?
                }
                _ => column,
            };
            columns.push((name, column));
        }
        Ok(SeenColumns {
            columns,
            missing: options.missing,
        })
    }

    /// All columns of a table of which nobody has declared any.
    fn found(table: Box<dyn Scan>, options: &ReadOptions<'_>) -> Result<SeenColumns, Problem> {
        let raw = mingle_io::read_raw(&[table], options).map_err(|e| failure::io(&e))?;
        Ok(SeenColumns {
            columns: raw.columns,
            missing: options.missing.clone(),
        })
    }

    /// A column's distinct values, each once.
    fn values(&self, name: &str) -> Result<RawColumn, Problem> {
        let Some((_, column)) = self.columns.iter().find(|(column, _)| column == name) else {
            let text = format!("the tables have no column {name:?}");
            let hint = "check the name; capitals count";
            return Err(Problem::new(ProblemCode::MissingColumns, text, hint));
        };
        let mut ids = Codes::with_capacity(column.values.len(), column.values.len());
        for id in 0..column.values.len() {
            ids.push(id as u32);
        }
        let values = column.values.clone();
        Ok(RawColumn { values, ids })
    }
}

fn options<'r>(missing: &Missing, run: &'r Run) -> ReadOptions<'r> {
    ReadOptions {
        missing: missing.clone(),
        cancel: Some(run.cancel().flag()),
        ..ReadOptions::default()
    }
}

/// What a column's hierarchy does, from the values up to the root.
fn levels(column: &Column) -> Vec<HierarchyLevel> {
    let Some(tree) = column.domain.hierarchy() else {
        return Vec::new();
    };
    let mut levels = Vec::new();
    for level in 0..=tree.height() {
        let mut largest = 0;
        for node in 0..tree.nodes(level) as u32 {
            let (first, last) = tree.leaves(level, node);
            largest = largest.max(u64::from(last - first) + 1);
        }
        levels.push(HierarchyLevel {
            labels: tree.nodes(level) as u64,
            largest,
        });
    }
    levels
}

/// Whether a mask hides characters of values that differ in length: stars then show the length.
pub(crate) fn is_ragged_mask(column: &Column) -> bool {
    let Some(HierarchySource::Mask(_)) = &column.spec.hierarchy else {
        return false;
    };
    let mut length = None;
    for code in 0..column.domain.len() as u32 {
        if column.domain.missing() == Some(code) {
            continue;
        }
        let this = column.domain.text(code).chars().count();
        if *length.get_or_insert(this) != this {
            return true;
        }
    }
    false
}
