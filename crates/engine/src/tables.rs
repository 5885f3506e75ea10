//! From a policy to tables: which files, which columns, and how each is read.

use crate::failure;
use crate::inputs::Inputs;
use crate::run::Run;
use mingle_io::{ReadOptions, Source, Undeclared};
use mingle_model::{Column, ColumnSpec, HierarchySource, Kind, Missing, Role, Table};
use mingle_policy::{DeclaredColumn, DeclaredHierarchy, NamedFile, Policy, Tables};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::InputFile;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// The providers' rows, read and encoded.
pub struct Original {
    /// The rows.
    pub table: Arc<Table>,
    /// The files they came from.
    pub files: Vec<InputFile>,
    /// Identifier columns with repeated values, and how many rows repeat one.
    pub repeated_identifiers: Vec<(String, u64)>,
}

/// Reads the tables that a policy names.
pub fn read_original(policy: &Policy, run: &Run) -> Result<Original, Problem> {
    Inputs::of(policy).read(policy, run)
}

/// Reads the tables that a policy names as texts, whatever they hold, and the column that tells
/// people apart beside them.
pub fn read_texts(
    policy: &Policy,
    person: Option<&str>,
    run: &Run,
) -> Result<(Original, Option<Column>), Problem> {
    Inputs::of(policy).read_texts(policy, person, run)
}

/// Reads the table that a policy names together with its identifiers, one per row, which are not
/// part of it.
pub fn read_people(
    policy: &Policy,
    identifier: &str,
    run: &Run,
) -> Result<(Original, Vec<String>), Problem> {
    Inputs::of(policy).read_people(policy, identifier, run)
}

/// A table that some tool has anonymized.
pub struct Anonymized {
    /// Quasi-identifiers as opaque texts, sensitive columns with their meaning.
    pub table: Table,
    /// Whether it says who contributed each row, or there is nobody to tell apart.
    pub knows_providers: bool,
    /// Identifiers and undeclared columns that are still in the table.
    pub unchecked: Vec<String>,
    /// Insensitive columns that are in the table, as opaque texts, where they were asked for.
    pub insensitive: Vec<Column>,
}

/// Reads an anonymized table: quasi-identifier cells are opaque text, other columns are ignored.
///
/// Quasi-identifiers are read without missing texts, because a reader of the table tells `""` and
/// `?` apart; sensitive columns with them, because a missing value is never one of the l. Hence two
/// passes.
pub fn read_anonymized(
    policy: &Policy,
    file: &Path,
    roles: &[Role],
) -> Result<Anonymized, Problem> {
    read_table(policy, file, roles, |_| false, false)
}

/// The same for a table that is laid over people: insensitive columns that are known about them are
/// read like quasi-identifiers, and the guard that our own CSV puts before what a spreadsheet would
/// run is taken off.
pub fn read_known(
    policy: &Policy,
    file: &Path,
    roles: &[Role],
    is_known: impl Fn(&str) -> bool,
) -> Result<Anonymized, Problem> {
    read_table(policy, file, roles, is_known, true)
}

fn read_table(
    policy: &Policy,
    file: &Path,
    roles: &[Role],
    is_known: impl Fn(&str) -> bool,
    unguard: bool,
) -> Result<Anonymized, Problem> {
    let source = Source {
        path: file.to_owned(),
        display: file.display().to_string(),
        provider: None,
    };
    let options = ReadOptions {
        delimiter: policy.data.delimiter,
        unguard,
        ..ReadOptions::default()
    };
    let header = mingle_io::read_header(&source, &options).map_err(|e| failure::io(&e))?;
    let provider = policy
        .data
        .provider_column
        .as_deref()
        .filter(|name| header.iter().any(|h| h == name));
    let knows_providers = provider.is_some()
        || (policy.data.provider_column.is_none() && policy.data.listed_providers() < 2);
    let read = |specs: &[ColumnSpec], missing: Missing| {
        let options = ReadOptions {
            missing,
            ..options.clone()
        };
        mingle_io::read_table(
            std::slice::from_ref(&source),
            provider,
            specs,
            Undeclared::Drop,
            &options,
        )
        .map(|read| read.table)
        .map_err(|e| failure::io(&e))
    };
    let opaque = |c: &DeclaredColumn| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(c.spec.name.clone(), Role::QuasiIdentifier)
    };
    let is_read = |c: &&DeclaredColumn| match c.spec.role {
        Role::QuasiIdentifier => true,
        Role::Insensitive => is_known(&c.spec.name) && header.contains(&c.spec.name),
        _ => false,
    };
    let quasi: Vec<ColumnSpec> = policy.columns.iter().filter(is_read).map(opaque).collect();
    let mut table = read(&quasi, Missing::new(Vec::new()))?;
    if roles.contains(&Role::Sensitive) && policy.with_role(Role::Sensitive).next().is_some() {
        let sensitive: Vec<ColumnSpec> = policy
            .with_role(Role::Sensitive)
            .map(|c| with_hierarchy(policy, c))
            .collect::<Result<_, _>>()?;
        table
            .columns
            .extend(read(&sensitive, policy.data.missing.clone())?.columns);
    }
    let mut insensitive = Vec::new();
    if roles.contains(&Role::Insensitive) {
        let mut specs = Vec::new();
        for column in policy.with_role(Role::Insensitive) {
            if header.contains(&column.spec.name) {
                specs.push(opaque(column));
            }
        }
        if !specs.is_empty() {
            insensitive = read(&specs, Missing::new(Vec::new()))?.columns;
        }
    }
    Ok(Anonymized {
        table,
        knows_providers,
        unchecked: unchecked(policy, header),
        insensitive,
    })
}

/// The columns that no constraint looks at and that nobody has called harmless.
fn unchecked(policy: &Policy, header: Vec<String>) -> Vec<String> {
    let looked_at = |name: &String| {
        let declared = policy.columns.iter().find(|c| c.spec.name == *name);
        policy.data.provider_column.as_ref() == Some(name)
            || declared.is_some_and(|c| c.spec.role != Role::Identifier)
    };
    header.into_iter().filter(|name| !looked_at(name)).collect()
}

/// The tables that a policy names, if they can be read.
pub fn sources(policy: &Policy) -> Result<Vec<Source>, Problem> {
    let source = |input: &NamedFile, provider: Option<&String>| {
        // a look without opening what is no file: a pipe can be opened once only
        let readable = |m: std::fs::Metadata| {
            if m.is_file() {
                File::open(&input.path).map(drop)
            } else {
                Ok(())
            }
        };
        if let Err(error) = input.path.metadata().and_then(readable) {
            let text = format!("cannot read {}: {}", input.name, failure::reason(&error));
            let hint = "check the path, which is relative to the policy, and who may read it";
            return Err(input
                .place
                .problem(ProblemCode::InputUnreadable, text, hint));
        }
        Ok(Source {
            path: input.path.clone(),
            display: input.name.clone(),
            provider: provider.cloned(),
        })
    };
    match &policy.data.tables {
        Some(Tables::One(input)) => Ok(vec![source(input, None)?]),
        Some(Tables::PerProvider(providers)) => providers
            .iter()
            .map(|(name, input)| source(input, Some(name)))
            .collect(),
        None => {
            let text = format!("{}: [data] names no table", policy.path.display());
            let hint = "add path = \"table.csv\", or providers = [{ name = \"…\", path = \"…\" }]";
            Err(Problem::new(ProblemCode::NoTables, text, hint))
        }
    }
}

/// A column's declaration with the rows of its hierarchy file.
pub fn with_hierarchy(policy: &Policy, column: &DeclaredColumn) -> Result<ColumnSpec, Problem> {
    let hierarchy = match &column.hierarchy {
        None => None,
        Some(DeclaredHierarchy::Made(source)) => Some(source.clone()),
        Some(DeclaredHierarchy::File(name, place)) => {
            let rows = mingle_io::read_hierarchy(&policy.data.folders.find(name), name);
            let rows = rows.map_err(|error| match error {
                mingle_io::Error::Unreadable { source, .. } => {
                    let text = format!("cannot read {name}: {}", failure::reason(&source));
                    place.problem(
                        ProblemCode::InputUnreadable,
                        text,
                        "check the path, which is relative to the policy",
                    )
                }
                empty @ mingle_io::Error::EmptyFile { .. } => {
                    let text = format!("column {:?}: {empty}", column.spec.name);
                    place.problem(
                        ProblemCode::Hierarchy,
                        text,
                        "see `mingle explain MG0210` for what a hierarchy needs",
                    )
                }
                other => failure::io(&other),
            })?;
            Some(HierarchySource::Rows(rows))
        }
    };
    Ok(ColumnSpec {
        hierarchy,
        ..column.spec.clone()
    })
}
