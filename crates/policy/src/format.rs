//! How tables are written: keys of `[data]`, which hold for all tables, and of a provider, which
//! win.

use super::columns::DeclaredColumn;
use super::keys::data as keys;
use super::tree::{Fields, Node};
use crate::closest::closest;
use mingle_io::{DateFormat, DecimalMark, Encoding, HeaderLine, InputFormat, TableFormat};
use mingle_model::{counted, plural};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::collections::HashSet;

/// What is said about how a table is written, before it is known what is said about all.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormatKeys {
    file: Option<InputFormat>,
    sheet: Option<String>,
    encoding: Option<Encoding>,
    delimiter: Option<u8>,
    decimal: Option<DecimalMark>,
    date_format: Option<DateFormat>,
    header: Option<bool>,
    names: Option<Vec<String>>,
    columns: Option<Vec<(String, String)>>,
    /// Of one provider; those for all are the policy's own.
    missing: Option<Vec<String>>,
}

impl FormatKeys {
    /// Reads the keys of a table; others are not its business.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<FormatKeys, Problem> {
        let mut said = FormatKeys::default();
        for entry in fields.entries {
            said.read_key(&entry.key, &entry.node)?;
        }
        Ok(said)
    }

    /// Reads what can be read of a table that need not make sense.
    pub(crate) fn read_what_can_be(node: Option<&Node>) -> FormatKeys {
        let mut said = FormatKeys::default();
        let entries = node.and_then(|node| node.entries().ok());
        for entry in entries.unwrap_or_default() {
            // what is wrong is left out, as everywhere in an outline
            _ = said.read_key(&entry.key, &entry.node);
        }
        said
    }

    fn read_key(&mut self, key: &str, node: &Node) -> Result<(), Problem> {
        match key {
            keys::FORMAT => {
                let formats = InputFormat::ALL.map(|format| (format.name(), format));
                self.file = Some(node.choice(&formats)?);
            }
            keys::SHEET => self.sheet = Some(node.text()?.to_owned()),
            keys::ENCODING => {
                let encodings = Encoding::ALL.map(|encoding| (encoding.name(), encoding));
                self.encoding = Some(node.choice(&encodings)?);
            }
            keys::DELIMITER => self.delimiter = Some(delimiter(node)?),
            keys::DECIMAL => {
                let marks = DecimalMark::ALL.map(|mark| (mark.text(), mark));
                self.decimal = Some(node.choice(&marks)?);
            }
            keys::DATE_FORMAT => self.date_format = Some(date_format(node)?),
            keys::HEADER => self.header = Some(node.boolean()?),
            keys::NAMES => self.names = Some(names(node)?),
            keys::COLUMNS => self.columns = Some(renamed(node)?),
            keys::MISSING => self.missing = Some(node.texts()?),
            _ => {}
        }
        Ok(())
    }

    /// What is said about all tables; its missing texts are the policy's.
    pub(crate) fn of_all(mut self) -> FormatKeys {
        self.missing = None;
        self
    }

    /// This, and what is said about all where nothing is said here.
    pub(crate) fn or(self, all: &FormatKeys) -> FormatKeys {
        let all = all.clone();
        FormatKeys {
            file: self.file.or(all.file),
            sheet: self.sheet.or(all.sheet),
            encoding: self.encoding.or(all.encoding),
            delimiter: self.delimiter.or(all.delimiter),
            decimal: self.decimal.or(all.decimal),
            date_format: self.date_format.or(all.date_format),
            header: self.header.or(all.header),
            names: self.names.or(all.names),
            columns: self.columns.or(all.columns),
            missing: self.missing.or(all.missing),
        }
    }

    /// The format; where the first line is a record and nobody names the columns, a look at it
    /// refuses it.
    pub(crate) fn format(self) -> TableFormat {
        let header = match (self.header, self.names) {
            (Some(true), _) => HeaderLine::Trusted,
            (Some(false), Some(names)) => HeaderLine::Absent(names),
            _ => HeaderLine::Looked,
        };
        TableFormat {
            file: self.file,
            sheet: self.sheet,
            encoding: self.encoding.unwrap_or_default(),
            delimiter: self.delimiter,
            decimal: self.decimal.unwrap_or_default(),
            date_format: self.date_format,
            header,
            renamed: self.columns.unwrap_or_default(),
            missing: self.missing.unwrap_or_default(),
        }
    }

    /// A table's format, if what is said about it fits together.
    pub(crate) fn checked(self, table: &Node) -> Result<TableFormat, Problem> {
        match (self.header, &self.names) {
            (Some(false), None) => {
                let text = format!("`{}` has header = false and no names", shown(table));
                let hint = "add names = [\"…\", \"…\"], one for each column in the file's order";
                return Err(table.problem(ProblemCode::MissingKey, text, hint));
            }
            (None | Some(true), Some(_)) => {
                let text = format!("`{}` has names but not header = false", shown(table));
                let hint = "add header = false if the first line is a record, or take `names` out";
                return Err(table.problem(ProblemCode::Contradiction, text, hint));
            }
            _ => {}
        }
        Ok(self.format())
    }
}

fn shown(table: &Node) -> &str {
    if table.path.is_empty() {
        super::keys::DATA
    } else {
        &table.path
    }
}

/// Whatever is renamed must become a column that the policy knows: a misspelled name would leave
/// the column out.
pub(crate) fn check_renamed(
    fields: &Fields<'_>,
    declared: &[DeclaredColumn],
    provider_column: Option<&str>,
) -> Result<(), Problem> {
    let Some(node) = fields.get(keys::COLUMNS) else {
        return Ok(());
    };
    for entry in node.entries()? {
        let ours = entry.node.text()?;
        let known = declared.iter().any(|column| column.spec.name == ours);
        if known || provider_column == Some(ours) {
            continue;
        }
        let names = declared.iter().map(|column| column.spec.name.as_str());
        let suggestion = match closest(ours, names) {
            Some(name) => format!("did you mean \"{name}\"? "),
            None => String::new(),
        };
        let text = format!(
            "`{}` renames to \"{ours}\", which is not declared",
            node.path
        );
        let hint = format!("{suggestion}write {{ \"their name\" = \"our name\" }}");
        return Err(entry.node.problem(ProblemCode::UnknownWord, text, hint));
    }
    Ok(())
}

/// Where texts are translated, it must be known which of them are numbers and days: `1,5` may be a
/// list, and 01/02/2003 is two days.
pub(crate) fn check_kinds(node: &Node, declared: &[DeclaredColumn]) -> Result<(), Problem> {
    let mut without = Vec::new();
    for column in declared {
        if column.spec.role.is_published() && column.meaning().is_none() {
            without.push(format!("`{}`", column.spec.name));
        }
    }
    if without.is_empty() {
        return Ok(());
    }
    let text = format!(
        "`{}` says how numbers or days are written, and {} {} no kind: {}",
        node.path,
        counted(without.len(), "column"),
        plural(without.len(), "has", "have"),
        without.join(", ")
    );
    let hint = "add kind = \"integer\", \"decimal\", \"date\" or \"category\" to each of them";
    Err(node.problem(ProblemCode::MissingKey, text, hint))
}

fn delimiter(node: &Node) -> Result<u8, Problem> {
    if let &[byte] = node.text()?.as_bytes()
        && byte.is_ascii()
        && !byte.is_ascii_alphanumeric()
        && !b"\"\r\n\0".contains(&byte)
    {
        return Ok(byte);
    }
    let text = format!(
        "`{}` must be one ASCII character that no cell is made of",
        node.path
    );
    let hint = "write \",\", \";\", \"|\" or \"\\t\"";
    Err(node.problem(ProblemCode::WrongValue, text, hint))
}

fn date_format(node: &Node) -> Result<DateFormat, Problem> {
    let pattern = node.text()?;
    if let Some(format) = DateFormat::new(pattern) {
        return Ok(format);
    }
    let text = format!(
        "`{}` must have yyyy, mm and dd once each, with separators or without",
        node.path
    );
    let hint = "write \"dd.mm.yyyy\", \"mm/dd/yyyy\", \"yyyymmdd\" or, with a time of day that is \
                dropped, \"dd.mm.yyyy hh:mm\"";
    Err(node.problem(ProblemCode::WrongValue, text, hint))
}

fn names(node: &Node) -> Result<Vec<String>, Problem> {
    let names = node.texts()?;
    let mut seen = HashSet::new();
    for name in &names {
        if name.is_empty() || !seen.insert(name) {
            let text = format!("`{}` has an empty name or one that occurs twice", node.path);
            let hint = "name every column of the file once, in the file's order";
            return Err(node.problem(ProblemCode::WrongValue, text, hint));
        }
    }
    if names.is_empty() {
        let text = format!("`{}` is empty", node.path);
        let hint = "name every column of the file, in the file's order";
        return Err(node.problem(ProblemCode::WrongValue, text, hint));
    }
    Ok(names)
}

fn renamed(node: &Node) -> Result<Vec<(String, String)>, Problem> {
    let mut renamed: Vec<(String, String)> = Vec::new();
    for entry in node.entries()? {
        let ours = entry.node.text()?.to_owned();
        if renamed.iter().any(|(_, other)| *other == ours) {
            let text = format!("`{}` gives two columns the name \"{ours}\"", node.path);
            let hint = "every column of the release comes from one column of the table";
            return Err(entry.node.problem(ProblemCode::Contradiction, text, hint));
        }
        renamed.push((entry.key.clone(), ours));
    }
    Ok(renamed)
}
