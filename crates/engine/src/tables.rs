//! From a policy to tables: which files, which columns, and how each is read.

pub(crate) mod taken_apart;

use crate::failure;
use crate::inputs::Inputs;
use crate::run::Run;
use mingle_io::{
    DetectedFormat, FormulaGuard, ReadOptions, RepeatedIdentifier, Scan, SeenPeople, Selection,
    Source, TableFormat, Undeclared, WantedColumn, WantedPerson,
};
use mingle_model::{Column, ColumnSpec, HierarchySource, Kind, Missing, Role, Table};
use mingle_policy::{DeclaredColumn, DeclaredHierarchy, NamedFile, PersonScope, Policy, Tables};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::InputFile;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use taken_apart::TakenApartRows;

/// The providers' rows, read and encoded.
pub struct Original {
    /// The rows.
    pub table: Arc<Table>,
    /// The files they came from.
    pub files: Vec<InputFile>,
    /// Identifier columns with repeated values, beside the one that tells people apart.
    pub repeated_identifiers: Vec<RepeatedIdentifier>,
    /// What was seen of people, where the policy says whose each row is.
    pub people: Option<SeenPeople>,
    /// Optional columns that a table lacks, with the provider whose table it is.
    pub absent: Vec<(String, String)>,
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
    /// Identifier columns that are still in the table and have repeated values, where they were
    /// asked for.
    pub repeated_identifiers: Vec<RepeatedIdentifier>,
    /// What was seen of people, where that was asked for and the policy names their column.
    pub people: Option<SeenPeople>,
    /// Whether cells that hold several values were taken apart; `None` where the policy says of no
    /// column that its cells do.
    pub has_sets: Option<bool>,
}

/// Where a table is that some tool has anonymized. It is read several times.
#[derive(Clone, Copy)]
pub enum ForeignTable<'a> {
    /// A file, written as the policy says.
    File(&'a Path),
    /// What somebody has at hand, such as Arrow batches in memory.
    Given(&'a dyn Scan),
}

impl<'a> ForeignTable<'a> {
    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            ForeignTable::File(path) => path.display().to_string(),
            ForeignTable::Given(table) => table.name().to_owned(),
        }
    }

    /// The same as something to scan.
    pub(crate) fn scan(&self, policy: &Policy) -> Box<dyn Scan + 'a> {
        match *self {
            ForeignTable::File(path) => {
                let source = Source::new(path, self.name());
                table(source.written_as(policy.data.foreign_format()))
            }
            ForeignTable::Given(table) => Box::new(table),
        }
    }
}

/// Reads an anonymized table: quasi-identifier cells are opaque text, other columns are ignored.
///
/// Quasi-identifiers are read without missing texts, because a reader of the table tells `""` and
/// `?` apart; sensitive columns with them, because a missing value is never one of the l. Hence two
/// passes.
pub fn read_anonymized(
    policy: &Policy,
    table: ForeignTable<'_>,
    roles: &[Role],
) -> Result<Anonymized, Problem> {
    read_table(policy, table, roles, |_| false, FormulaGuard::None)
}

/// The same for a table that is laid over people: insensitive columns that are known about them are
/// read like quasi-identifiers, and the guard that our own CSV puts before what a spreadsheet would
/// run is taken off.
pub fn read_known(
    policy: &Policy,
    table: ForeignTable<'_>,
    roles: &[Role],
    is_known: impl Fn(&str) -> bool,
) -> Result<Anonymized, Problem> {
    read_table(policy, table, roles, is_known, FormulaGuard::Parts)
}

fn read_table(
    policy: &Policy,
    foreign: ForeignTable<'_>,
    roles: &[Role],
    is_known: impl Fn(&str) -> bool,
    unguard: FormulaGuard,
) -> Result<Anonymized, Problem> {
    let source = foreign.scan(policy);
    let options = ReadOptions {
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
    let mut apart = None;
    if roles.contains(&Role::Sensitive) && policy.with_role(Role::Sensitive).next().is_some() {
        let sensitive: Vec<ColumnSpec> = policy
            .with_role(Role::Sensitive)
            .map(|c| with_hierarchy(policy, c))
            .collect::<Result<_, _>>()?;
        apart = TakenApartRows::read(policy, &source, provider, &sensitive, &options)?;
        let columns = match &mut apart {
            Some(apart) => {
                apart.spread_table(&mut table);
                std::mem::take(&mut apart.columns)
            }
            None => read(&sensitive, policy.data.missing.clone())?.columns,
        };
        table.columns.extend(columns);
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
    let mut repeated_identifiers = Vec::new();
    let mut people = None;
    if roles.contains(&Role::Identifier) {
        let identifiers = IdentifiersOf {
            policy,
            source: &source,
            header: &header,
            provider,
        };
        let read = identifiers.read(&options)?;
        if let Some(read) = read {
            table.person_of = read.table.person_of;
            repeated_identifiers = read.repeated_identifiers;
            people = read.people;
        }
    }
    let has_sets = apart.as_ref().map(TakenApartRows::had_sets);
    if let Some(apart) = &apart {
        for column in &mut insensitive {
            apart.spread_column(column);
        }
        table.person_of = match &table.person_of {
            // somebody has all rows with her identifier
            Some(whose) => Some(apart.person_of(Some(whose))),
            None => apart.had_sets().then(|| apart.person_of(None)),
        };
    }
    Ok(Anonymized {
        table,
        knows_providers,
        unchecked: unchecked(policy, header),
        insensitive,
        repeated_identifiers,
        people,
        has_sets,
    })
}

/// The identifiers of a table that some tool has anonymized.
struct IdentifiersOf<'a> {
    policy: &'a Policy,
    source: &'a dyn Scan,
    header: &'a [String],
    provider: Option<&'a str>,
}

impl IdentifiersOf<'_> {
    /// Whether they repeat, and whose each row is; `None` where the table has none.
    fn read(&self, options: &ReadOptions<'_>) -> Result<Option<mingle_io::Input>, Problem> {
        let person = wanted_person(self.policy)?;
        if let Some(person) = &person
            && !self.header.iter().any(|name| name == person.column)
        {
            let text = format!(
                "{} has no column {:?}, which says whose row it is: promises about people cannot be checked",
                self.source.name(),
                person.column
            );
            let hint = "keep the column in the table that is checked, or --set data.person=row if each row is one person";
            return Err(Problem::new(
                ProblemCode::MissingColumns,
                failure::printable(&text),
                hint,
            ));
        }
        let mut columns = Vec::new();
        for column in self.policy.with_role(Role::Identifier) {
            if self.header.contains(&column.spec.name) {
                columns.push(WantedColumn::from(column.spec.clone()));
            }
        }
        if columns.is_empty() {
            return Ok(None);
        }
        let selection = Selection {
            provider_column: self.provider,
            columns,
            undeclared: Undeclared::Drop,
            person,
            separated: None,
        };
        let options = ReadOptions {
            missing: self.policy.data.missing.clone(),
            ..options.clone()
        };
        let read = mingle_io::read_selection(&[self.source], &selection, &options);
        read.map(Some).map_err(|e| failure::io(&e))
    }
}

/// The column that tells people apart, with a key for this run.
pub fn wanted_person(policy: &Policy) -> Result<Option<WantedPerson<'_>>, Problem> {
    let Some(person) = policy.data.people.column() else {
        return Ok(None);
    };
    let per_provider = person.scope == PersonScope::Provider;
    let wanted = WantedPerson::new(&person.name, per_provider);
    wanted.map(Some).map_err(|e| failure::io(&e))
}

/// The columns that no constraint looks at and that nobody has called harmless.
fn unchecked(policy: &Policy, header: Vec<String>) -> Vec<String> {
    let looked_at = |name: &String| {
        let declared = policy.columns.iter().find(|c| c.spec.name == *name);
        policy.data.provider_column.as_ref() == Some(name)
            || declared.is_some_and(|c| c.spec.role.is_published())
    };
    header.into_iter().filter(|name| !looked_at(name)).collect()
}

/// A file as something to scan, whichever kind of file it is: the one place where that is chosen.
pub fn table(source: Source) -> Box<dyn Scan> {
    mingle_sources::table(source)
}

/// How a file is written, as far as its start shows, with the evidence.
pub fn detect(source: &Source, options: &ReadOptions<'_>) -> Result<DetectedFormat, Problem> {
    mingle_sources::detect(source, options).map_err(|e| failure::io(&e))
}

/// The tables that a policy names, if they can be read.
pub fn sources(policy: &Policy) -> Result<Vec<Box<dyn Scan>>, Problem> {
    let scan = |input: &NamedFile, provider: Option<&String>| {
        let mut source = Source::new(&input.path, &input.name).written_as(input.format.clone());
        source.provider = provider.cloned();
        // what somebody pipes in is read when it is opened
        if source.is_standard_input() {
            return Ok(table(source));
        }
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
            let hint =
                "check the path (it is relative to the policy) and that you may read the file";
            return Err(input
                .place
                .problem(ProblemCode::InputUnreadable, text, hint));
        }
        Ok(table(source))
    };
    match &policy.data.tables {
        Some(Tables::One(input)) => Ok(vec![scan(input, None)?]),
        Some(Tables::PerProvider(providers)) => providers
            .iter()
            .map(|(name, input)| scan(input, Some(name)))
            .collect(),
        None => {
            let text = format!("{}: [data] names no table", policy.path.display());
            let hint = "add path = \"table.csv\", or providers = [{ name = \"…\", path = \"…\" }]";
            Err(Problem::new(ProblemCode::NoTables, text, hint))
        }
    }
}

/// Tables of new rows, which the policy does not name: `TABLE`, or `NAME=TABLE` with the provider
/// whose rows they are. They are written as the policy says of that provider's table.
pub fn new_tables(policy: &Policy, arguments: &[String]) -> Result<Inputs, Problem> {
    let mut given: Vec<Box<dyn Scan>> = Vec::new();
    for argument in arguments {
        let (provider, path) = match argument.split_once('=') {
            // a file may have the sign in its name
            Some((name, path)) if !Path::new(argument).exists() => (Some(name), path),
            _ => (None, argument.as_str()),
        };
        if let (Some(name), Some(column)) = (provider, &policy.data.provider_column) {
            let text = format!(
                "{name}={path}: the policy says that column {column:?} names the provider of each row"
            );
            let hint = format!("give {path} alone, with that column in it");
            return Err(Problem::new(
                ProblemCode::Usage,
                failure::printable(&text),
                failure::printable(&hint),
            ));
        }
        let mut source = Source::new(path, path).written_as(new_format(policy, provider));
        source.provider = provider.map(str::to_owned);
        given.push(table(source));
    }
    Ok(Inputs::scans(given))
}

/// How rows of a provider are written that come as another file than the policy names, such as new
/// ones: as that provider's table, or as the policy says of all.
pub fn new_format(policy: &Policy, provider: Option<&str>) -> TableFormat {
    match (&policy.data.tables, provider) {
        (Some(Tables::One(input)), _) => input.format.clone(),
        (Some(Tables::PerProvider(inputs)), Some(provider)) => {
            let of_provider = inputs.iter().find(|(name, _)| name == provider);
            match of_provider {
                Some((_, input)) => input.format.clone(),
                None => policy.data.format.clone(),
            }
        }
        _ => policy.data.format.clone(),
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
                        "check the path; it is relative to the policy",
                    )
                }
                empty @ mingle_io::Error::EmptyFile { .. } => {
                    let text = format!("column {:?}: {empty}", column.spec.name);
                    place.problem(
                        ProblemCode::Hierarchy,
                        text,
                        "`mingle explain MG0210` says what a hierarchy needs",
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
