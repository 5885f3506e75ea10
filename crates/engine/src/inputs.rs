//! The tables that a piece of work is about: files that the policy names, or anything that can be
//! scanned, such as Arrow batches in memory.

use crate::failure;
use crate::run::Run;
use crate::tables::{self, Original, with_hierarchy};
use mingle_io::{
    Keep, Pass, ReadOptions, RepeatedIdentifier, Scan, Selection, SeparatedColumn, TableFormat,
    Undeclared, WantedColumn,
};
use mingle_model::{Column, ColumnSpec, CountsError, Cube, Kind, Role};
use mingle_policy::{DeclaredColumn, Policy};
use mingle_record::{Problem, ProblemCode};
use mingle_release::InputFile;
use std::sync::Arc;

/// The providers' tables.
pub struct Inputs {
    content: Content,
    /// What another system has seen of identifiers that it does not send; `None` where identifiers
    /// are among what is read.
    repeated: Option<Vec<RepeatedIdentifier>>,
}

enum Content {
    /// The files that the policy names.
    Named,
    /// What somebody has at hand.
    Given(Vec<Box<dyn Scan>>),
}

impl Inputs {
    /// The files that a policy names. Whether they can be read turns out when they are.
    pub fn of(_policy: &Policy) -> Inputs {
        Inputs {
            content: Content::Named,
            repeated: None,
        }
    }

    /// One table per provider, each under the provider's name.
    pub fn tables<Name, Table>(tables: impl IntoIterator<Item = (Name, Table)>) -> Inputs
    where
        Name: Into<String>,
        Table: Scan + 'static,
    {
        let mut given: Vec<Box<dyn Scan>> = Vec::new();
        for (provider, table) in tables {
            given.push(Box::new(OfProvider {
                provider: provider.into(),
                table: Box::new(table),
            }));
        }
        Inputs {
            content: Content::Given(given),
            repeated: None,
        }
    }

    /// One table; the policy's `provider_column`, if it names one, says who contributed a row.
    pub fn table(table: impl Scan + 'static) -> Inputs {
        Inputs {
            content: Content::Given(vec![Box::new(table)]),
            repeated: None,
        }
    }

    /// The same tables from a system that has looked at identifiers by itself, over all tables
    /// together, and does not send them: which columns repeat, and how often.
    pub fn with_identifiers_seen(self, repeated: Vec<RepeatedIdentifier>) -> Inputs {
        Inputs {
            repeated: Some(repeated),
            ..self
        }
    }

    /// Tables that name their providers themselves.
    pub(crate) fn scans(given: Vec<Box<dyn Scan>>) -> Inputs {
        Inputs {
            content: Content::Given(given),
            repeated: None,
        }
    }

    /// Reads all rows as the policy says.
    pub(crate) fn read(&self, policy: &Policy, run: &Run) -> Result<Original, Problem> {
        let columns = wanted_columns(policy)?;
        Ok(self.scan(policy, columns, run.threads(), run)?.original)
    }

    /// Reads all rows as the policy says, and groups them. Sources that group by themselves send
    /// counts, where nothing asks for single rows.
    pub(crate) fn read_cube(
        &self,
        policy: &Policy,
        run: &Run,
    ) -> Result<(Original, Cube), Problem> {
        let named;
        let countable = match &self.content {
            _ if needs_single_rows(policy) => None,
            Content::Given(given) => Some(given),
            // files cannot count by themselves
            Content::Named if policy.data.has_databases() => {
                named = tables::sources(policy, run)?;
                Some(&named)
            }
            Content::Named => None,
        };
        let counted = match countable {
            Some(given) => {
                let columns = self.without_identifiers(policy, wanted_columns(policy)?);
                let mut counted = count(policy, given, columns, run)?;
                if let Some(repeated) = &self.repeated {
                    counted.original.repeated_identifiers = repeated.clone();
                }
                counted
            }
            None => CountedOriginal {
                original: self.read(policy, run)?,
                counts: None,
            },
        };
        run.step("counting");
        counted.into_cube()
    }

    /// Reads all cells as texts, whatever they hold, and the column that tells people apart beside
    /// them.
    pub(crate) fn read_texts(
        &self,
        policy: &Policy,
        person: Option<&str>,
        run: &Run,
    ) -> Result<(Original, Option<Column>), Problem> {
        let mut columns = Vec::new();
        for column in &policy.columns {
            let spec = ColumnSpec {
                kind: Some(Kind::Category),
                ..ColumnSpec::new(column.spec.name.clone(), column.spec.role)
            };
            let mut wanted = wanted(column, spec);
            if person == Some(&column.spec.name) {
                wanted.keep = Keep::Beside;
            }
            columns.push(wanted);
        }
        let mut scanned = self.scan(policy, columns, run.threads(), run)?;
        Ok((scanned.original, scanned.beside.pop()))
    }

    /// Reads all rows as the policy says, and the identifiers of one column, one per row, which are
    /// not part of the table.
    pub(crate) fn read_people(
        &self,
        policy: &Policy,
        identifier: &str,
        run: &Run,
    ) -> Result<(Original, Vec<String>), Problem> {
        let mut columns = Vec::new();
        for column in &policy.columns {
            if column.spec.name == identifier {
                let spec = ColumnSpec {
                    kind: Some(Kind::Category),
                    ..ColumnSpec::new(identifier.to_owned(), column.spec.role)
                };
                let mut identifiers = wanted(column, spec);
                identifiers.keep = Keep::Beside;
                columns.push(identifiers);
            } else {
                columns.push(wanted(column, with_hierarchy(policy, column)?));
            }
        }
        let mut scanned = self.scan(policy, columns, 0, run)?;
        let column = scanned.beside.pop();
        let column = column.ok_or_else(|| failure::defect("a column that was read is gone"))?;
        let mut people = Vec::with_capacity(column.codes.len());
        for code in column.codes.iter() {
            people.push(column.domain.text(code).to_owned());
        }
        Ok((scanned.original, people))
    }

    /// Identifiers that were looked at elsewhere need not be read; who contributed a row is.
    fn without_identifiers<'c>(
        &self,
        policy: &Policy,
        mut columns: Vec<WantedColumn<'c>>,
    ) -> Vec<WantedColumn<'c>> {
        if self.repeated.is_none() {
            return columns;
        }
        for column in &mut columns {
            let names_provider = policy.data.provider_column.as_ref() == Some(&column.spec.name);
            if matches!(column.keep, Keep::Hashed) && !names_provider {
                column.keep = Keep::Dropped;
            }
        }
        columns
    }

    fn scan(
        &self,
        policy: &Policy,
        columns: Vec<WantedColumn<'_>>,
        threads: usize,
        run: &Run,
    ) -> Result<Scanned, Problem> {
        match &self.content {
            Content::Named => scan(
                policy,
                &tables::sources(policy, run)?,
                columns,
                threads,
                run,
            ),
            Content::Given(given) => scan(policy, given, columns, threads, run),
        }
    }
}

/// What was read of a table, and the columns beside it.
struct Scanned {
    original: Original,
    beside: Vec<Column>,
}

fn scan<S: Scan>(
    policy: &Policy,
    sources: &[S],
    columns: Vec<WantedColumn<'_>>,
    threads: usize,
    run: &Run,
) -> Result<Scanned, Problem> {
    run.begin_reading(sources);
    let bytes = run.counter();
    let options = ReadOptions {
        threads,
        progress: Some(&bytes),
        ..read_options(policy, run)
    };
    let read = mingle_io::read_selection(sources, &selection(policy, columns)?, &options);
    let mut read = read.map_err(|e| failure::io(&e))?;
    let beside = std::mem::take(&mut read.beside);
    Ok(Scanned {
        original: original(sources, read),
        beside,
    })
}

/// What was read, and how often each row of it occurs where sources have counted.
struct CountedOriginal {
    original: Original,
    counts: Option<Vec<u64>>,
}

impl CountedOriginal {
    fn into_cube(mut self) -> Result<(Original, Cube), Problem> {
        let Some(counts) = self.counts else {
            let cube = Cube::new(self.original.table.clone());
            return Ok((self.original, cube));
        };
        let cube = Cube::from_counts(self.original.table, &counts).map_err(not_counted)?;
        self.original.table = cube.table().clone();
        Ok((self.original, cube))
    }
}

/// Reads tables of which some may have been counted where they are.
fn count(
    policy: &Policy,
    sources: &[Box<dyn Scan>],
    columns: Vec<WantedColumn<'_>>,
    run: &Run,
) -> Result<CountedOriginal, Problem> {
    run.begin_reading(sources);
    let bytes = run.counter();
    let options = ReadOptions {
        threads: run.threads(),
        progress: Some(&bytes),
        ..read_options(policy, run)
    };
    let read = mingle_io::read_counted(sources, &selection(policy, columns)?, &options);
    let read = read.map_err(|e| failure::io(&e))?;
    Ok(CountedOriginal {
        original: original(sources, read.input),
        counts: read.counts,
    })
}

/// Whether something is known by row that counts do not have: what a row carries along, or people
/// who have several rows or are looked for in other releases.
fn needs_single_rows(policy: &Policy) -> bool {
    policy.with_role(Role::Insensitive).next().is_some()
        || policy.composition.is_some()
        || policy.data.people.column().is_some()
        || policy.separated().is_some()
}

fn not_counted(error: CountsError) -> Problem {
    match error {
        CountsError::TooManyRows => Problem::new(
            ProblemCode::InputLimit,
            error.to_string(),
            "check the counts that the sources send",
        ),
        CountsError::Shape | CountsError::Insensitive => failure::defect(&error.to_string()),
    }
}

/// The columns of a policy, as they are read.
fn wanted_columns(policy: &Policy) -> Result<Vec<WantedColumn<'_>>, Problem> {
    let mut columns = Vec::new();
    for column in &policy.columns {
        let spec = if policy.noise().is_some() {
            ungeneralized(column)
        } else {
            with_hierarchy(policy, column)?
        };
        columns.push(wanted(column, spec));
    }
    Ok(columns)
}

fn read_options<'a>(policy: &Policy, run: &'a Run) -> ReadOptions<'a> {
    ReadOptions {
        missing: policy.data.missing.clone(),
        limits: policy.data.limits,
        cancel: Some(run.cancel().flag()),
        ..ReadOptions::default()
    }
}

fn selection<'a>(
    policy: &'a Policy,
    columns: Vec<WantedColumn<'a>>,
) -> Result<Selection<'a>, Problem> {
    let undeclared = if policy.data.drop_undeclared {
        Undeclared::Drop
    } else {
        Undeclared::Error
    };
    Ok(Selection {
        provider_column: policy.data.provider_column.as_deref(),
        columns,
        undeclared,
        person: tables::wanted_person(policy)?,
        separated: separated(policy),
    })
}

/// The column whose cells hold several values.
pub(crate) fn separated(policy: &Policy) -> Option<SeparatedColumn<'_>> {
    let column = policy.separated()?;
    Some(SeparatedColumn {
        column: &column.spec.name,
        separator: column.separator.as_deref()?,
    })
}

/// What was read, with the files that it came from.
fn original<S: Scan>(sources: &[S], read: mingle_io::Input) -> Original {
    let mut files = Vec::new();
    for (source, hash) in sources.iter().zip(read.hashes) {
        // what came from memory has no bytes that anybody could compare later
        if let Some(hash) = hash {
            let name = source.name().to_owned();
            files.push(InputFile { name, hash });
        }
    }
    let mut absent = Vec::new();
    for (source, column) in read.absent {
        let provider = sources[source].provider();
        let provider = provider.unwrap_or_else(|| sources[source].name());
        absent.push((provider.to_owned(), column));
    }
    Original {
        table: Arc::new(read.table),
        files,
        repeated_identifiers: read.repeated_identifiers,
        people: read.people,
        absent,
    }
}

/// A column as the policy wants it read.
fn wanted(declared: &DeclaredColumn, spec: ColumnSpec) -> WantedColumn<'static> {
    let mut wanted = WantedColumn::from(spec);
    wanted.meaning = declared.meaning();
    wanted.optional |= declared.optional;
    wanted
}

/// A column of a policy for releases with noise: declared words are taken as they stand, numbers
/// and days by what they are if all of them can be read. Whatever a cell holds is somewhere in the
/// domain, so none is an error.
fn ungeneralized(column: &DeclaredColumn) -> ColumnSpec {
    let words = match &column.domain {
        Some(domain) => domain.kind() == Kind::Category,
        None => true,
    };
    ColumnSpec {
        kind: words.then_some(Kind::Category),
        ..ColumnSpec::new(column.spec.name.clone(), column.spec.role)
    }
}

/// A table with the name of the provider whose rows it has.
struct OfProvider {
    provider: String,
    table: Box<dyn Scan>,
}

impl Scan for OfProvider {
    fn name(&self) -> &str {
        self.table.name()
    }

    fn provider(&self) -> Option<&str> {
        Some(&self.provider)
    }

    fn format(&self) -> &TableFormat {
        self.table.format()
    }

    fn size(&self) -> Option<u64> {
        self.table.size()
    }

    fn open<'s>(
        &'s self,
        options: &'s ReadOptions<'s>,
    ) -> Result<Box<dyn Pass + 's>, mingle_io::Error> {
        self.table.open(options)
    }

    fn count_distinct(
        &self,
        columns: &[&str],
    ) -> Option<Result<mingle_io::Counts, mingle_io::Error>> {
        self.table.count_distinct(columns)
    }
}

#[cfg(test)]
mod tests;
