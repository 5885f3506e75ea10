//! Tables in databases: `source`, with `table` or `query`, for all tables or of one provider.

use super::credentials;
use super::keys::data as keys;
use super::source::PlaceInPolicy;
use super::tree::Fields;
use mingle_io::TableFormat;
use mingle_record::{Problem, ProblemCode};

/// Rows in a database that a policy names.
#[derive(Clone, Debug)]
pub struct NamedRows {
    /// Which section of the user's file says where the server is; `None` leaves it to the
    /// environment.
    pub service: Option<String>,
    /// The table or view, as SQL names it, or a query.
    pub rows: RowsText,
    /// Where they are named.
    pub place: PlaceInPolicy,
    /// What columns are called, and which texts are missing.
    pub format: TableFormat,
}

/// How rows in a database are named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RowsText {
    /// By a table or view.
    Table(String),
    /// By a query.
    Query(String),
}

impl NamedRows {
    /// What messages call them.
    pub fn name(&self) -> String {
        let service = self.service.as_deref().unwrap_or_default();
        match &self.rows {
            RowsText::Table(table) => format!("postgresql:{service}/{table}"),
            RowsText::Query(_) => format!("postgresql:{service} (a query)"),
        }
    }
}

/// Where a server is, as far as a policy says it.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseSource {
    service: Option<String>,
}

impl DatabaseSource {
    /// Reads `source`, where it is there.
    pub(crate) fn read(fields: &Fields<'_>) -> Result<Option<DatabaseSource>, Problem> {
        let Some(node) = fields.get(keys::SOURCE) else {
            return Ok(None);
        };
        if let Ok(text) = node.text() {
            // an address is often written so, with a password in it
            if text.contains("://") || credentials::may_hold_one(text) {
                let text = format!("`{}` is an address", node.path);
                return Err(credentials::refused(node, &text));
            }
            let hint = "write source = { kind = \"postgresql\", service = \"…\" }";
            let text = format!("`{}` must be a table", node.path);
            return Err(node.problem(ProblemCode::WrongValue, text, hint));
        }
        credentials::refuse_keys(node)?;
        let source = node.fields(keys::OF_SOURCE)?;
        let kind = source.require(keys::KIND, "kind = \"postgresql\" to the source")?;
        kind.choice(&[("postgresql", ())])?;
        let Some(service) = source.get(keys::SERVICE) else {
            return Ok(Some(DatabaseSource { service: None }));
        };
        let name = service.text()?;
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '.';
        if name.is_empty() || !name.chars().all(is_name) {
            let text = format!("`{}` is no name of a service", service.path);
            return Err(credentials::refused(service, &text));
        }
        Ok(Some(DatabaseSource {
            service: Some(name.to_owned()),
        }))
    }
}

/// Reads `table` or `query`, where one of them is there.
pub(crate) fn rows(
    fields: &Fields<'_>,
    own: Option<DatabaseSource>,
    all: Option<&DatabaseSource>,
    format: TableFormat,
) -> Result<Option<NamedRows>, Problem> {
    let (node, rows) = match (fields.get(keys::TABLE), fields.get(keys::QUERY)) {
        (Some(table), Some(_)) => {
            let text = format!("`{}` stands beside `query`", table.path);
            let hint = "keep `table` or `query`";
            return Err(table.problem(ProblemCode::Contradiction, text, hint));
        }
        (Some(table), None) => (table, RowsText::Table(table.text()?.to_owned())),
        (None, Some(query)) => {
            credentials::refuse_text(query)?;
            (query, RowsText::Query(query.text()?.to_owned()))
        }
        (None, None) => {
            let Some(source) = fields.get(keys::SOURCE).filter(|_| own.is_some()) else {
                return Ok(None);
            };
            let text = format!("`{}` has no rows", source.path);
            let hint = "add table = \"schema.table\" or query = \"SELECT …\"";
            return Err(source.problem(ProblemCode::MissingKey, text, hint));
        }
    };
    if let Some(path) = fields.get(keys::PATH) {
        let text = format!("`{}` and `{}` are both given", path.path, node.path);
        let hint = "keep `path` for a file, or `table` or `query` for a database";
        return Err(path.problem(ProblemCode::Contradiction, text, hint));
    }
    if node.text()?.trim().is_empty() {
        let text = format!("`{}` is empty", node.path);
        return Err(node.problem(
            ProblemCode::WrongValue,
            text,
            "name a table, or write a query",
        ));
    }
    let Some(source) = own.as_ref().or(all) else {
        let text = format!(
            "`{}` is in a database, and no `source` says in which",
            node.path
        );
        let hint =
            "add source = { kind = \"postgresql\", service = \"…\" } to [data] or to the provider";
        return Err(node.problem(ProblemCode::MissingKey, text, hint));
    };
    for key in keys::OF_FILES {
        if let Some(useless) = fields.get(key) {
            let text = format!(
                "`{}` is about files, and this table is in a database",
                useless.path
            );
            let hint = "take it out; `columns` and `missing` hold for tables of databases as well";
            return Err(useless.problem(ProblemCode::UselessKey, text, hint));
        }
    }
    // how files are written says nothing about a database
    let format = TableFormat {
        renamed: format.renamed,
        missing: format.missing,
        ..TableFormat::default()
    };
    Ok(Some(NamedRows {
        service: source.service.clone(),
        rows,
        place: node.place.clone(),
        format,
    }))
}
