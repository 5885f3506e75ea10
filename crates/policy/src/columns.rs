//! `[columns.NAME]`: role, kind, hierarchy, order, grid and domain of each column.

use super::domain::DeclaredDomain;
use super::hierarchy::{self, DeclaredHierarchy};
use super::keys;
use super::tree::{Fields, KeyedNode, Node, Value};
use mingle_model::date::Level;
use mingle_model::{ColumnSpec, DeclaredGrid, Kind, Role, Spelling};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// A column as declared.
#[derive(Clone, Debug)]
pub struct DeclaredColumn {
    /// Name, role, kind and order. Its hierarchy is only set once it has been loaded.
    pub spec: ColumnSpec,
    /// How its values generalize.
    pub hierarchy: Option<DeclaredHierarchy>,
    /// Which values it can have, as far as everybody knows.
    pub domain: Option<DeclaredDomain>,
    /// Whether a provider's table may lack it.
    pub optional: bool,
    /// What stands between the values of a cell that holds several.
    pub separator: Option<String>,
}

impl DeclaredColumn {
    /// What its values are, as far as the policy says so.
    pub fn meaning(&self) -> Option<Kind> {
        self.spec
            .kind
            .or(self.domain.as_ref().map(DeclaredDomain::kind))
    }
}

/// Reads all columns, in the order written.
pub fn read(section: &Node) -> Result<Vec<DeclaredColumn>, Problem> {
    let columns: Vec<DeclaredColumn> = section
        .entries()?
        .iter()
        .map(column)
        .collect::<Result<_, _>>()?;
    if columns.is_empty() {
        let hint = "add a [columns.NAME] section for every column";
        return Err(section.problem(ProblemCode::MissingKey, "no column is declared", hint));
    }
    Ok(columns)
}

fn column(entry: &KeyedNode) -> Result<DeclaredColumn, Problem> {
    let fields = entry.node.fields(keys::column::ALL)?;
    let roles = Role::ALL.map(|role| (role.name(), role));
    let mut kinds: Vec<(&str, (Kind, bool))> = Vec::new();
    for kind in Kind::ALL {
        kinds.push((kind.name(), (kind, false)));
    }
    kinds.push((keys::column::BAND, (Kind::Category, true)));
    let role = fields.get(keys::column::ROLE).ok_or_else(|| {
        let hint =
            "add role = \"identifier\", \"quasi-identifier\", \"sensitive\", \"insensitive\" or \"drop\"";
        entry.place.problem(
            ProblemCode::MissingKey,
            format!("column `{}` has no role", entry.key),
            hint,
        )
    })?;
    let role = role.choice(&roles)?;
    let declared = match fields.get(keys::column::KIND) {
        Some(node) => Some(node.choice(&kinds)?),
        None => None,
    };
    let kind = declared.map(|(kind, _)| kind);
    let bands = declared.is_some_and(|(_, bands)| bands);
    let column = DeclaredColumn {
        spec: ColumnSpec {
            kind,
            order: order(&fields, kind, bands)?,
            bands,
            grid: grid(&fields, kind)?,
            spelling: spelling(&fields, role)?,
            ..ColumnSpec::new(entry.key.clone(), role)
        },
        hierarchy: fields
            .get(keys::column::HIERARCHY)
            .map(|node| hierarchy::read(node, kind))
            .transpose()?,
        domain: fields
            .get(keys::column::DOMAIN)
            .map(|node| DeclaredDomain::read(node, kind))
            .transpose()?,
        optional: match fields.get(keys::column::OPTIONAL) {
            Some(node) => node.boolean()?,
            None => false,
        },
        separator: match fields.get(keys::column::SEPARATOR) {
            Some(node) => Some(separator(node)?),
            None => None,
        },
    };
    check_use(&fields, role)?;
    Ok(column)
}

/// A hierarchy or an order on a column that never generalizes would be ignored: better to say so.
fn check_use(fields: &Fields<'_>, role: Role) -> Result<(), Problem> {
    let useless = match role {
        Role::Identifier => fields.entries.iter().find(|e| {
            // a table without the identifier repeats nobody
            ![keys::column::ROLE, keys::column::OPTIONAL].contains(&e.key.as_str())
        }),
        Role::Drop => fields.entries.iter().find(|e| e.key != keys::column::ROLE),
        Role::Insensitive => {
            let generalizing = [
                keys::column::HIERARCHY,
                keys::column::ORDER,
                keys::column::GRID,
            ];
            let mut entries = fields.entries.iter();
            entries.find(|e| generalizing.contains(&e.key.as_str()))
        }
        // its values are published as they are
        Role::Sensitive => fields.entries.iter().find(|e| e.key == keys::column::GRID),
        Role::QuasiIdentifier => None,
    };
    if let (Some(node), Role::QuasiIdentifier | Role::Insensitive) =
        (fields.get(keys::column::SEPARATOR), role)
    {
        let text = format!("`{}` on a column that is not sensitive", node.path);
        let hint = "only cells of sensitive columns are split: remove the key, or use role = \"sensitive\"";
        return Err(node.problem(ProblemCode::UselessKey, text, hint));
    }
    useless.map_or(Ok(()), |entry| {
        let fate = if role.is_published() {
            "is published unchanged"
        } else {
            "is dropped"
        };
        let text = format!(
            "`{}` on a column whose role is {}",
            entry.node.path,
            role.name()
        );
        let hint = format!("the column {fate}: remove the key or change the role");
        Err(entry.place.problem(ProblemCode::UselessKey, text, hint))
    })
}

/// What stands between values, which no value can be made of.
fn separator(node: &Node) -> Result<String, Problem> {
    let separator = node.text()?;
    if separator.is_empty() || separator.chars().any(char::is_alphanumeric) {
        let text = format!(
            "`{}` must be what stands between two values, without letters or digits",
            node.path
        );
        let hint = "write \";\", \"|\" or \" / \"";
        return Err(node.problem(ProblemCode::WrongValue, text, hint));
    }
    Ok(separator.to_owned())
}

/// Which spellings of a sensitive value are one: nobody may be hidden among spellings of one disease.
fn spelling(fields: &Fields<'_>, role: Role) -> Result<Spelling, Problem> {
    let Some(node) = fields.get(keys::column::SPELLING) else {
        return Ok(match role {
            Role::Sensitive => Spelling::Trimmed,
            _ => Spelling::Exact,
        });
    };
    if role != Role::Sensitive {
        let text = format!("`{}` on a column that is not sensitive", node.path);
        let hint = "only values of sensitive columns have a canonical form: remove the key";
        return Err(node.problem(ProblemCode::UselessKey, text, hint));
    }
    node.choice(&Spelling::ALL.map(|spelling| (spelling.name(), spelling)))
}

/// Where ranges begin and end: a step of numbers or days, or a period.
fn grid(fields: &Fields<'_>, kind: Option<Kind>) -> Result<Option<DeclaredGrid>, Problem> {
    let Some(node) = fields.get(keys::column::GRID) else {
        return Ok(None);
    };
    if kind == Some(Kind::Category) || fields.get(keys::column::HIERARCHY).is_some() {
        let text = format!(
            "`{}` is for ranges of numbers or dates; this column has none",
            node.path
        );
        return Err(node.problem(ProblemCode::UselessKey, text, "take `grid` out"));
    }
    if let Value::Text(_) = node.value {
        let periods = Level::ALL.map(|level| (level.name(), level));
        return Ok(Some(DeclaredGrid::Periods(node.choice(&periods)?)));
    }
    let step = node.number()?;
    if step.mantissa < 1 {
        let text = format!("`{}` must be above 0", node.path);
        let hint = "write the width of the narrowest range, such as 5, 0.5 or \"month\"";
        return Err(node.problem(ProblemCode::OutOfRange, text, hint));
    }
    Ok(Some(DeclaredGrid::Multiples(step)))
}

fn order(
    fields: &Fields<'_>,
    kind: Option<Kind>,
    bands: bool,
) -> Result<Option<Vec<String>>, Problem> {
    let Some(node) = fields.get(keys::column::ORDER) else {
        return Ok(None);
    };
    if bands || kind.is_some_and(Kind::is_numeric) {
        let text = format!(
            "`{}` is for categories; numbers, dates and bands have an order of their own",
            node.path
        );
        return Err(node.problem(ProblemCode::UselessKey, text, "take `order` out"));
    }
    let texts = node.texts()?;
    let repeated = (1..texts.len()).find(|&i| texts[..i].contains(&texts[i]));
    match repeated {
        Some(i) => {
            let text = format!("`{}` lists a value twice, at place {}", node.path, i + 1);
            Err(node.problem(ProblemCode::WrongValue, text, "list every value once"))
        }
        None => Ok(Some(texts)),
    }
}
