//! The people whom the reader knows.

use super::given::Given;
use super::noise;
use crate::failure;
use crate::inputs::separated;
use crate::run::Run;
use crate::tables::{ForeignTable, sources, wanted_person, with_hierarchy};
use mingle_dp::DeclaredAttribute;
use mingle_io::{ReadOptions, Scan, Selection, Source, Undeclared, WantedColumn, WantedPerson};
use mingle_model::{
    Codes, Column, ColumnSpec, Cube, ForeignReader, HierarchySource, Kind, Missing,
    QuasiIdentifier, Role, Table,
};
use mingle_policy::{DeclaredColumn, Policy};
use mingle_privacy::composition::OverlaidPeople;
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// What is known about people.
const ROLE: Role = Role::QuasiIdentifier;

/// What is to be known about people.
pub struct Wanted<'a> {
    /// A table of people; otherwise the policy's own tables.
    pub table: Option<ForeignTable<'a>>,
    /// Quasi-identifiers, each with a release that has it.
    pub quasi_identifiers: Vec<(String, String)>,
    /// Whether people are to be found again by their rows.
    pub rows: bool,
    /// Whether identifiers are kept.
    pub identifiers: bool,
    /// Sensitive columns that are looked at through declared cells.
    pub cells: Vec<DeclaredAttribute>,
}

/// People, read and encoded. No `Debug`: it has cells.
pub struct Population {
    /// What messages call it.
    pub name: String,
    pub cube: Cube,
    pub missing: Missing,
    /// Identifier columns, where they were asked for.
    pub identifiers: Vec<Column>,
}

/// The quasi-identifiers of all releases that the reader knows, each with the first release that
/// has it.
pub fn needed(
    releases: &[Given],
    without: &[String],
    policy: &Policy,
) -> Result<Vec<(String, String)>, Problem> {
    let mut needed: Vec<(String, String)> = Vec::new();
    for release in releases {
        for column in release.released.quasi_identifiers() {
            if without.iter().any(|w| w == column) || needed.iter().any(|(name, _)| name == column)
            {
                continue;
            }
            if !policy
                .with_role(ROLE)
                .any(|declared| declared.spec.name == column)
            {
                let text = format!(
                    "{}: the policy does not declare its quasi-identifier {column:?}",
                    release.name()
                );
                let hint = format!(
                    "declare it, or assume a reader who does not know it: --without {}",
                    quoted(column)
                );
                return Err(Problem::new(ProblemCode::NotAligned, text, hint));
            }
            needed.push((column.to_owned(), release.name().to_owned()));
        }
    }
    Ok(needed)
}

/// As a shell takes it.
fn quoted(name: &str) -> String {
    let plain = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    if plain {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}

impl Population {
    pub fn read(policy: &Policy, wanted: &Wanted<'_>, run: &Run) -> Result<Population, Problem> {
        let (sources, name) = of(policy, wanted.table)?;
        let bytes = run.counter();
        run.begin_reading(&sources);
        let options = ReadOptions {
            missing: policy.data.missing.clone(),
            progress: Some(&bytes),
            cancel: Some(run.cancel().flag()),
            ..ReadOptions::default()
        };
        let header = mingle_io::read_header(&sources[0], &options).map_err(|e| failure::io(&e))?;
        let mut columns = Vec::new();
        for spec in specs(policy, wanted, &header, &name)? {
            columns.push(WantedColumn::from(spec));
        }
        let person = whose(policy, &header, &name)?;
        if wanted.table.is_some() && person.as_ref().is_some_and(|person| person.per_provider) {
            local_identifiers_need_providers(policy, &header, &name)?;
        }
        if let Some(person) = &person
            && !columns
                .iter()
                .any(|column| column.spec.name == person.column)
        {
            let identifier = ColumnSpec::new(person.column, Role::Identifier);
            columns.push(WantedColumn::from(identifier));
        }
        let there = |column: &str| header.iter().any(|h| h == column);
        let provider = policy.data.provider_column.as_deref();
        let selection = Selection {
            provider_column: provider.filter(|column| person.is_some() && there(column)),
            columns,
            undeclared: Undeclared::Drop,
            person,
            separated: separated(policy).filter(|separated| there(separated.column)),
        };
        let read = mingle_io::read_selection(&sources, &selection, &options);
        let mut table = read.map_err(|e| failure::io(&e))?.table;
        wanted
            .cells
            .iter()
            .try_for_each(|attribute| noise::recode(&mut table, attribute))?;
        run.step("folding people");
        let (cube, identifiers) = fold(table, wanted.rows);
        Ok(Population {
            name,
            cube,
            missing: policy.data.missing.clone(),
            identifiers,
        })
    }

    /// Hierarchies as declared.
    pub fn hierarchies(&self) -> Vec<(&str, &HierarchySource)> {
        self.cube
            .table()
            .with_role(ROLE)
            .filter_map(|c| Some((c.spec.name.as_str(), c.spec.hierarchy.as_ref()?)))
            .collect()
    }

    /// Reads labels of a column.
    pub fn reader<'s>(
        &'s self,
        column: &str,
        theirs: Option<&'s HierarchySource>,
    ) -> Option<ForeignReader<'s>> {
        let mut columns = self.cube.table().with_role(ROLE);
        let known = columns.find(|c| c.spec.name == column)?;
        Some(ForeignReader::new(
            &known.domain,
            known.spec.hierarchy.as_ref(),
            theirs,
            &self.missing,
        ))
    }

    /// How many people lack a value that a release is read by; of somebody with several rows, in
    /// one of them.
    pub fn incomplete(&self) -> u64 {
        let quasi = self.cube.quasi_identifiers();
        let lacks = |tuple: &u32| {
            let missing =
                |qi: &QuasiIdentifier| qi.domain.missing() == Some(qi.codes.get(*tuple as usize));
            quasi.iter().any(missing)
        };
        let crowd = OverlaidPeople::new(&self.cube);
        let mut incomplete = 0;
        for unit in 0..crowd.units() {
            if crowd.tuples_of(unit).iter().any(lacks) {
                incomplete += crowd.people_of_unit(unit);
            }
        }
        incomplete
    }

    /// How many people there are.
    pub fn people(&self) -> u64 {
        OverlaidPeople::new(&self.cube).count()
    }

    /// How many rows they have, where somebody has several.
    pub fn rows_of_people(&self) -> Option<u64> {
        self.cube.people().map(|_| self.cube.rows())
    }

    /// The first row of people of a tuple with these sensitive values, from 1.
    pub fn row_of(&self, tuple: usize, combination: u32) -> Option<usize> {
        let table = self.cube.table();
        let quasi = table.with_role(ROLE).zip(self.cube.quasi_identifiers());
        let sensitive = table.with_role(Role::Sensitive).zip(self.cube.sensitive());
        let wanted: Vec<(&Codes, u32)> = quasi
            .map(|(column, qi)| (&column.codes, qi.codes.get(tuple)))
            .chain(sensitive.map(|(column, s)| (&column.codes, s.codes.get(combination as usize))))
            .collect();
        (0..table.rows())
            .find(|&row| wanted.iter().all(|(codes, code)| codes.get(row) == *code))
            .map(|r| r + 1)
    }
}

fn of<'a>(
    policy: &Policy,
    people: Option<ForeignTable<'a>>,
) -> Result<(Vec<Box<dyn Scan + 'a>>, String), Problem> {
    let Some(people) = people else {
        if policy.data.tables.is_none() {
            let text = format!(
                "nothing says whom the reader knows: {} names no table",
                policy.path.display()
            );
            return Err(Problem::new(
                ProblemCode::NoTables,
                text,
                "name a table of people with --population",
            ));
        }
        return Ok((sources(policy)?, "the policy's tables".to_owned()));
    };
    let name = people.name();
    if let ForeignTable::File(file) = people
        && !Source::new(file, &name).is_standard_input()
        && let Err(error) = file.metadata()
    {
        let text = format!("cannot read {name}: {}", failure::reason(&error));
        return Err(Problem::new(
            ProblemCode::InputUnreadable,
            text,
            "name a table of people with --population",
        ));
    }
    Ok((vec![people.scan(policy)], name))
}

/// The column that tells people apart, where the policy names one. Without it rows would pass for
/// people.
fn whose<'p>(
    policy: &'p Policy,
    header: &[String],
    name: &str,
) -> Result<Option<WantedPerson<'p>>, Problem> {
    let person = wanted_person(policy)?;
    if let Some(person) = &person
        && !header.iter().any(|column| column == person.column)
    {
        let text = format!(
            "{name} has no column {:?}, which says whose row it is",
            person.column
        );
        let hint =
            "add it to the table of people, or --set data.person=row if each row is one person";
        return Err(Problem::new(
            ProblemCode::MissingColumns,
            failure::printable(&text),
            hint,
        ));
    }
    Ok(person)
}

/// Two providers' people with the same local identifier would become one.
fn local_identifiers_need_providers(
    policy: &Policy,
    header: &[String],
    name: &str,
) -> Result<(), Problem> {
    let provider = policy.data.provider_column.as_ref();
    if provider.is_some_and(|provider| header.contains(provider)) {
        return Ok(());
    }
    let text = format!(
        "{name} does not say whose patient each row is, and identifiers are each provider's own (person_scope)"
    );
    let hint = "add the column of `provider_column`, or bring identifiers that are the same at all providers";
    Err(Problem::new(
        ProblemCode::MissingColumns,
        failure::printable(&text),
        hint,
    ))
}

/// Quasi-identifiers that are needed, and sensitive columns and identifiers that are there.
fn specs(
    policy: &Policy,
    wanted: &Wanted<'_>,
    header: &[String],
    name: &str,
) -> Result<Vec<ColumnSpec>, Problem> {
    let is_there = |column: &str| header.iter().any(|h| h == column);
    if let Some((column, release)) = wanted
        .quasi_identifiers
        .iter()
        .find(|(column, _)| !is_there(column))
    {
        let text =
            format!("{name} has no column {column:?}, which is a quasi-identifier of {release}");
        let hint = format!(
            "add it, or assume a reader who does not know it: --without {}",
            quoted(column)
        );
        return Err(Problem::new(ProblemCode::MissingColumns, text, hint));
    }
    let mut specs = Vec::new();
    for declared in &policy.columns {
        let column = declared.spec.name.as_str();
        match declared.spec.role {
            Role::QuasiIdentifier
                if wanted
                    .quasi_identifiers
                    .iter()
                    .any(|(name, _)| name == column) =>
            {
                specs.push(with_hierarchy(policy, declared)?);
            }
            Role::Sensitive if is_there(column) => specs.push(with_hierarchy(policy, declared)?),
            Role::Identifier if wanted.identifiers && is_there(column) => {
                specs.push(kept(declared))
            }
            _ => {}
        }
    }
    Ok(specs)
}

/// An identifier is not kept by reading, so it passes for a column of texts.
fn kept(declared: &DeclaredColumn) -> ColumnSpec {
    let name = declared.spec.name.clone();
    ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, Role::Insensitive)
    }
}

/// Takes identifiers out. Columns that are carried along make the cube keep which row is in which
/// record; one with a single value does, and costs no order among rows.
fn fold(mut table: Table, rows: bool) -> (Cube, Vec<Column>) {
    let (identifiers, columns) = std::mem::take(&mut table.columns)
        .into_iter()
        .partition(|c: &Column| c.spec.role == Role::Insensitive);
    table.columns = columns;
    if rows {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("row", Role::Insensitive)
        };
        let same = Column::from_texts(
            spec,
            std::iter::repeat_n("row", table.rows()),
            &Missing::new(Vec::new()),
        );
        table.columns.extend(same.ok());
    }
    (Cube::new(table), identifiers)
}
