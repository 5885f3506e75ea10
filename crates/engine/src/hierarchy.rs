//! Hierarchies before anything is published: what they do to a column, and which could suit it.
//!
//! Looks at the distinct values of a column, each once. What is said about them are counts and
//! places; only a file that a steward asks for holds values.

mod check;
mod propose;

pub use check::{check_column, check_file, check_policy, problem_of};
pub use propose::{ProposedHierarchy, propose};

use crate::failure;
use crate::run::Run;
use crate::tables::sources;
use mingle_io::{ReadOptions, Scan, Source};
use mingle_model::{Codes, Column, HierarchySource, Missing, RawColumn};
use mingle_policy::Policy;
use mingle_record::answer::HierarchyLevel;
use mingle_record::{Problem, ProblemCode};
use std::path::Path;

/// The columns of some tables, by name.
struct SeenColumns {
    columns: Vec<(String, RawColumn)>,
    missing: Missing,
}

impl SeenColumns {
    /// The tables that a policy names.
    fn of_policy(policy: &Policy, run: &Run) -> Result<SeenColumns, Problem> {
        SeenColumns::read(&sources(policy)?, Some(policy), run)
    }

    /// One table, read as a policy says where there is one.
    fn of_table(table: &Path, policy: Option<&Policy>, run: &Run) -> Result<SeenColumns, Problem> {
        let mut source = Source::new(table, table.display().to_string());
        if let Some(policy) = policy {
            source = source.written_as(policy.data.foreign_format());
        }
        SeenColumns::read(&[source], policy, run)
    }

    fn read<S: Scan>(
        tables: &[S],
        policy: Option<&Policy>,
        run: &Run,
    ) -> Result<SeenColumns, Problem> {
        let missing = policy.map_or_else(Missing::default, |policy| policy.data.missing.clone());
        let options = ReadOptions {
            missing: missing.clone(),
            cancel: Some(run.cancel().flag()),
            ..ReadOptions::default()
        };
        let raw = mingle_io::read_raw(tables, &options).map_err(|e| failure::io(&e))?;
        let columns = raw.columns.into_iter().collect();
        Ok(SeenColumns { columns, missing })
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
