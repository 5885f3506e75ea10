//! `[data]`: which tables, who contributed them, and how they are read.

use super::columns::DeclaredColumn;
use super::database::{self, DatabaseSource, NamedRows};
use super::folders::Folders;
use super::format::{self, FormatKeys};
use super::keys::data as keys;
use super::person::DeclaredPeople;
use super::source::PlaceInPolicy;
use super::tree::{Fields, Node};
use mingle_io::{HeaderLine, Limits, TableFormat};
use mingle_model::Missing;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Which tables, and how to read them.
#[derive(Debug)]
pub struct Data {
    /// The tables; `None` in a policy that is only for verifying other tables.
    pub tables: Option<Tables>,
    /// The column that names the provider, whether or not a table is named.
    pub provider_column: Option<String>,
    /// Whose rows belong together.
    pub people: DeclaredPeople,
    /// The texts that mean "no value".
    pub missing: Missing,
    /// Whether columns without a role are dropped instead of refused.
    pub drop_undeclared: bool,
    /// How much of the tables is taken.
    pub limits: Limits,
    /// How tables are written where their providers do not say otherwise.
    pub format: TableFormat,
    /// Where the files that it names are.
    pub folders: Folders,
}

/// Where the rows come from.
#[derive(Debug)]
pub enum Tables {
    /// A table per provider.
    PerProvider(Vec<(String, NamedTable)>),
    /// One table.
    One(Box<NamedTable>),
}

/// A table that a policy names.
#[derive(Debug)]
pub enum NamedTable {
    /// In a file.
    File(NamedFile),
    /// In a database.
    Rows(NamedRows),
}

impl NamedTable {
    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            NamedTable::File(file) => file.name.clone(),
            NamedTable::Rows(rows) => rows.name(),
        }
    }

    /// How it is written.
    pub fn format(&self) -> &TableFormat {
        match self {
            NamedTable::File(file) => &file.format,
            NamedTable::Rows(rows) => &rows.format,
        }
    }

    /// The file, if it is one.
    pub fn file(&self) -> Option<&NamedFile> {
        match self {
            NamedTable::File(file) => Some(file),
            NamedTable::Rows(_) => None,
        }
    }
}

/// A file that a policy names.
#[derive(Debug)]
pub struct NamedFile {
    /// As written.
    pub name: String,
    /// Relative to the policy.
    pub path: PathBuf,
    /// Where it is named.
    pub place: PlaceInPolicy,
    /// How it is written.
    pub format: TableFormat,
}

impl Data {
    /// The files of tables.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let inputs = self.tables_named();
        let files = inputs.into_iter().filter_map(NamedTable::file);
        files.map(|file| file.path.as_path())
    }

    /// Whether some table is in a database.
    pub fn has_databases(&self) -> bool {
        let is_file = |table: &&NamedTable| table.file().is_some();
        !self.tables_named().iter().all(is_file)
    }

    /// Reads the section; one that is not there has no tables.
    pub fn read(
        section: Option<&Node>,
        folders: &Folders,
        columns: &[DeclaredColumn],
    ) -> Result<Data, Problem> {
        let mut data = Data {
            tables: None,
            provider_column: None,
            people: DeclaredPeople::Unsaid,
            missing: Missing::default(),
            drop_undeclared: false,
            limits: Limits::default(),
            format: TableFormat::default(),
            folders: folders.clone(),
        };
        let Some(section) = section else {
            return Ok(data);
        };
        let fields = section.fields(keys::ALL)?;
        data.provider_column = provider_column(&fields, columns)?;
        data.people = DeclaredPeople::read(&fields, columns)?;
        let all = FormatKeys::read(&fields)?.of_all();
        format::check_renamed(&fields, columns, data.provider_column.as_deref())?;
        data.format = all.clone().format();
        if let Some(node) = fields.get(keys::PROVIDERS) {
            for item in node.list()? {
                format::check_renamed(&item.fields(keys::OF_PROVIDER)?, columns, None)?;
            }
        }
        data.tables = tables(&fields, folders, &all)?;
        data.check_formats(section, columns)?;
        if let Some(node) = fields.get(keys::MISSING) {
            data.missing = Missing::new(node.texts()?);
        }
        if let Some(node) = fields.get(keys::UNDECLARED) {
            data.drop_undeclared = node.choice(&[("drop", true), ("error", false)])?;
        }
        if let Some(node) = fields.get(keys::LIMITS) {
            data.limits = limits(node)?;
        }
        Ok(data)
    }

    /// How a table is read that the policy does not name, such as one that another tool has
    /// anonymized: it has our names and our way of writing, if perhaps another delimiter.
    pub fn foreign_format(&self) -> TableFormat {
        let header = match self.format.header {
            HeaderLine::Trusted => HeaderLine::Trusted,
            HeaderLine::Looked | HeaderLine::Absent(_) => HeaderLine::Looked,
        };
        TableFormat {
            delimiter: self.format.delimiter,
            header,
            ..TableFormat::default()
        }
    }

    /// All tables with their formats.
    fn tables_named(&self) -> Vec<&NamedTable> {
        match &self.tables {
            None => Vec::new(),
            Some(Tables::One(input)) => vec![input.as_ref()],
            Some(Tables::PerProvider(providers)) => {
                providers.iter().map(|(_, input)| input).collect()
            }
        }
    }

    fn check_formats(&self, section: &Node, columns: &[DeclaredColumn]) -> Result<(), Problem> {
        for input in self.tables_named() {
            if input.format().translates() {
                return format::check_kinds(section, columns);
            }
        }
        Ok(())
    }

    /// How many providers the policy lists.
    pub fn listed_providers(&self) -> usize {
        match &self.tables {
            Some(Tables::PerProvider(providers)) => providers.len(),
            _ => 0,
        }
    }
}

/// How much of the tables is taken, where that is said.
fn limits(node: &Node) -> Result<Limits, Problem> {
    let fields = node.fields(keys::OF_LIMITS)?;
    let mut limits = Limits::default();
    if let Some(node) = fields.get(keys::ROWS) {
        // rows are numbered in 32 bits
        limits.rows = node.whole(1)?.min(limits.rows);
    }
    if let Some(node) = fields.get(keys::UNPACKED_BYTES) {
        limits.unpacked_text = node.whole(1)?;
    }
    if let Some(node) = fields.get(keys::MEMORY_BYTES) {
        limits.memory = node.whole(1)?;
    }
    Ok(limits)
}

fn provider_column(
    fields: &Fields<'_>,
    columns: &[DeclaredColumn],
) -> Result<Option<String>, Problem> {
    let Some(node) = fields.get(keys::PROVIDER_COLUMN) else {
        return Ok(None);
    };
    let name = node.text()?;
    if columns.iter().any(|column| column.spec.name == name) {
        let text =
            format!("column `{name}` names the provider and is declared in [columns] as well");
        let hint = format!("take out [columns.{name}]: the provider is never published");
        return Err(node.problem(ProblemCode::Contradiction, text, hint));
    }
    Ok(Some(name.to_owned()))
}

fn tables(
    fields: &Fields<'_>,
    folders: &Folders,
    all: &FormatKeys,
) -> Result<Option<Tables>, Problem> {
    let source = DatabaseSource::read(fields)?;
    if let Some(providers) = fields.get(keys::PROVIDERS) {
        for key in [keys::PATH, keys::TABLE, keys::QUERY] {
            if fields.get(key).is_some() {
                let text = format!("both `data.providers` and `data.{key}` are given");
                let hint = format!("keep `providers` (a table each) or `{key}` (one table)");
                return Err(providers.problem(ProblemCode::Contradiction, text, hint));
            }
        }
        if let Some(node) = fields.get(keys::PROVIDER_COLUMN) {
            let text = "`data.provider_column` goes with `data.path`, not with `data.providers`";
            return Err(node.problem(ProblemCode::Contradiction, text, "remove one of the two"));
        }
        let tables = PerProvider {
            folders,
            all,
            source: source.as_ref(),
        };
        return Ok(Some(Tables::PerProvider(tables.read(providers)?)));
    }
    let format = || all.clone().checked(fields.node);
    if let Some(rows) = database::rows(fields, source, None, all.clone().format())? {
        return Ok(Some(Tables::One(Box::new(NamedTable::Rows(rows)))));
    }
    let Some(path) = fields.get(keys::PATH) else {
        return Ok(None);
    };
    let file = input(path, folders, format()?)?;
    Ok(Some(Tables::One(Box::new(NamedTable::File(file)))))
}

/// What is said about the tables of all providers.
struct PerProvider<'a> {
    folders: &'a Folders,
    all: &'a FormatKeys,
    source: Option<&'a DatabaseSource>,
}

impl PerProvider<'_> {
    fn read(&self, node: &Node) -> Result<Vec<(String, NamedTable)>, Problem> {
        let mut providers: Vec<(String, NamedTable)> = Vec::new();
        let (mut names, mut tables) = (HashSet::new(), HashSet::new());
        for item in node.list()? {
            let fields = item.fields(keys::OF_PROVIDER)?;
            let name_node = fields.require(keys::NAME, "name = \"…\" to the provider")?;
            let name = name_node.text()?.to_owned();
            let table = self.table(item, &fields)?;
            if name.is_empty() {
                return Err(name_node.problem(
                    ProblemCode::WrongValue,
                    "a provider's name is empty",
                    "give it a name",
                ));
            }
            if !names.insert(name.clone()) {
                let text = format!("provider \"{name}\" is listed twice");
                return Err(name_node.problem(
                    ProblemCode::ListedTwice,
                    text,
                    "list every provider once, with one table",
                ));
            }
            let (identity, place) = match &table {
                NamedTable::File(file) => {
                    let path = file.path.canonicalize();
                    let path = path.unwrap_or_else(|_| file.path.clone());
                    (path.into_os_string(), &file.place)
                }
                NamedTable::Rows(rows) => {
                    let rows_text = format!("\0{:?}{:?}", rows.service, rows.rows);
                    (rows_text.into(), &rows.place)
                }
            };
            if !tables.insert(identity) {
                let text = format!("table {} is listed twice", table.name());
                return Err(place.problem(
                    ProblemCode::ListedTwice,
                    text,
                    "list it once: every row may enter the release only once",
                ));
            }
            providers.push((name, table));
        }
        if providers.is_empty() {
            return Err(node.problem(
                ProblemCode::WrongValue,
                "`data.providers` is empty",
                "list at least one provider",
            ));
        }
        Ok(providers)
    }

    fn table(&self, item: &Node, fields: &Fields<'_>) -> Result<NamedTable, Problem> {
        let said = FormatKeys::read(fields)?.or(self.all);
        let own = DatabaseSource::read(fields)?;
        if let Some(rows) = database::rows(fields, own, self.source, said.clone().format())? {
            return Ok(NamedTable::Rows(rows));
        }
        let path = fields.require(keys::PATH, "path = \"…\" to the provider")?;
        let format = said.checked(item)?;
        Ok(NamedTable::File(input(path, self.folders, format)?))
    }
}

fn input(node: &Node, folders: &Folders, format: TableFormat) -> Result<NamedFile, Problem> {
    let name = node.text()?;
    if name.is_empty() {
        Err(node.problem(
            ProblemCode::WrongValue,
            format!("`{}` is empty", node.path),
            "name a file",
        ))
    } else {
        Ok(NamedFile {
            name: name.to_owned(),
            path: folders.find_table(name),
            place: node.place.clone(),
            format,
        })
    }
}
