//! `[data]`: which tables, who contributed them, and how they are read.

use super::columns::DeclaredColumn;
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
    PerProvider(Vec<(String, NamedFile)>),
    /// One table.
    One(Box<NamedFile>),
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
    /// The tables.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        let inputs = self.tables_named();
        inputs.into_iter().map(|input| input.path.as_path())
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
    fn tables_named(&self) -> Vec<&NamedFile> {
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
            if input.format.translates() {
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
    match (fields.get(keys::PROVIDERS), fields.get(keys::PATH)) {
        (Some(providers), Some(_)) => {
            let hint = "keep `providers` (a table each) or `path` (one table)";
            Err(providers.problem(
                ProblemCode::Contradiction,
                "both `data.providers` and `data.path` are given",
                hint,
            ))
        }
        (Some(providers), None) => {
            if let Some(node) = fields.get(keys::PROVIDER_COLUMN) {
                let text =
                    "`data.provider_column` goes with `data.path`, not with `data.providers`";
                return Err(node.problem(
                    ProblemCode::Contradiction,
                    text,
                    "remove one of the two",
                ));
            }
            let tables = per_provider(providers, folders, all)?;
            Ok(Some(Tables::PerProvider(tables)))
        }
        (None, Some(path)) => {
            let format = all.clone().checked(fields.node)?;
            let input = input(path, folders, format)?;
            Ok(Some(Tables::One(Box::new(input))))
        }
        (None, None) => Ok(None),
    }
}

fn per_provider(
    node: &Node,
    folders: &Folders,
    all: &FormatKeys,
) -> Result<Vec<(String, NamedFile)>, Problem> {
    let mut providers: Vec<(String, NamedFile)> = Vec::new();
    let (mut names, mut files) = (HashSet::new(), HashSet::new());
    for item in node.list()? {
        let fields = item.fields(keys::OF_PROVIDER)?;
        let name_node = fields.require(keys::NAME, "name = \"…\" to the provider")?;
        let name = name_node.text()?.to_owned();
        let format = FormatKeys::read(&fields)?.or(all).checked(item)?;
        let input = input(
            fields.require(keys::PATH, "path = \"…\" to the provider")?,
            folders,
            format,
        )?;
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
        if !files.insert(
            input
                .path
                .canonicalize()
                .unwrap_or_else(|_| input.path.clone()),
        ) {
            let text = format!("table {} is listed twice", input.name);
            return Err(input.place.problem(
                ProblemCode::ListedTwice,
                text,
                "list it once: every row may enter the release only once",
            ));
        }
        providers.push((name, input));
    }
    if providers.is_empty() {
        Err(node.problem(
            ProblemCode::WrongValue,
            "`data.providers` is empty",
            "list at least one provider",
        ))
    } else {
        Ok(providers)
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
