//! `[columns.NAME]`: role, kind, hierarchy, order and domain of each column.

use super::domain::DeclaredDomain;
use super::keys;
use super::source::PlaceInPolicy;
use super::tree::{Fields, KeyedNode, Node, Value};
use mingle_model::{ColumnSpec, HierarchySource, Kind, Role, date};
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
}

/// A hierarchy as declared.
#[derive(Clone, Debug)]
pub enum DeclaredHierarchy {
    /// A file, relative to the policy, and where it is named.
    File(String, PlaceInPolicy),
    /// Made from the values themselves.
    Made(HierarchySource),
}

const EXAMPLE: &str =
    "write \"file.csv\", { mask = 5 }, { intervals = [5, 10, 20] } or { dates = true }";

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
    let kinds = Kind::ALL.map(|kind| (kind.name(), kind));
    let role = fields.get(keys::column::ROLE).ok_or_else(|| {
        let hint =
            "add role = \"identifier\", \"quasi-identifier\", \"sensitive\" or \"insensitive\"";
        entry.place.problem(
            ProblemCode::MissingKey,
            format!("column `{}` has no role", entry.key),
            hint,
        )
    })?;
    let role = role.choice(&roles)?;
    let kind = fields
        .get(keys::column::KIND)
        .map(|node| node.choice(&kinds))
        .transpose()?;
    let column = DeclaredColumn {
        spec: ColumnSpec {
            kind,
            order: order(&fields, kind)?,
            ..ColumnSpec::new(entry.key.clone(), role)
        },
        hierarchy: fields
            .get(keys::column::HIERARCHY)
            .map(hierarchy)
            .transpose()?,
        domain: fields
            .get(keys::column::DOMAIN)
            .map(|node| DeclaredDomain::read(node, kind))
            .transpose()?,
    };
    check_use(&fields, role)?;
    Ok(column)
}

/// A hierarchy or an order on a column that never generalizes would be ignored: better to say so.
fn check_use(fields: &Fields<'_>, role: Role) -> Result<(), Problem> {
    let useless = match role {
        Role::Identifier => fields.entries.iter().find(|e| e.key != keys::column::ROLE),
        Role::Insensitive => fields
            .entries
            .iter()
            .find(|e| [keys::column::HIERARCHY, keys::column::ORDER].contains(&e.key.as_str())),
        Role::QuasiIdentifier | Role::Sensitive => None,
    };
    useless.map_or(Ok(()), |entry| {
        let fate = if role == Role::Identifier {
            "is dropped"
        } else {
            "is published unchanged"
        };
        let text = format!(
            "`{}` on a column whose role is {}",
            entry.node.path,
            role.name()
        );
        let hint = format!("the column {fate}, so take the key out or change the role");
        Err(entry.place.problem(ProblemCode::UselessKey, text, hint))
    })
}

fn order(fields: &Fields<'_>, kind: Option<Kind>) -> Result<Option<Vec<String>>, Problem> {
    let Some(node) = fields.get(keys::column::ORDER) else {
        return Ok(None);
    };
    if kind.is_some_and(Kind::is_numeric) {
        let text = format!(
            "`{}` is for categories; numbers and dates have an order of their own",
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

fn hierarchy(node: &Node) -> Result<DeclaredHierarchy, Problem> {
    if let Value::Text(file) = &node.value {
        return Ok(DeclaredHierarchy::File(file.clone(), node.place.clone()));
    }
    let one = || {
        let text = format!(
            "`{}` must be a file name or one of mask, intervals, dates",
            node.path
        );
        node.problem(ProblemCode::WrongValue, text, EXAMPLE)
    };
    let Value::Table(_) = node.value else {
        return Err(one());
    };
    let [entry] = node.fields(keys::hierarchy::ALL)?.entries else {
        return Err(one());
    };
    let made = match entry.key.as_str() {
        keys::hierarchy::MASK => {
            HierarchySource::Mask(usize::try_from(entry.node.whole(1)?).unwrap_or(usize::MAX))
        }
        keys::hierarchy::INTERVALS => intervals(&entry.node)?,
        _ => HierarchySource::Dates(levels(&entry.node)?),
    };
    Ok(DeclaredHierarchy::Made(made))
}

fn intervals(node: &Node) -> Result<HierarchySource, Problem> {
    let widths: Vec<_> = node
        .list()?
        .iter()
        .map(Node::number)
        .collect::<Result<_, _>>()?;
    let positive = !widths.is_empty()
        && widths.iter().all(|w| w.mantissa > 0)
        && widths.is_sorted_by(|a, b| a < b);
    if positive {
        Ok(HierarchySource::Intervals(widths))
    } else {
        let text = format!("`{}` must be ascending widths above 0", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "each width a multiple of the one before: [5, 10, 20]",
        ))
    }
}

fn levels(node: &Node) -> Result<Vec<date::Level>, Problem> {
    match node.value {
        Value::Boolean(true) => return Ok(date::Level::ALL.to_vec()),
        Value::List(_) => {}
        _ => return Err(node.wrong("true or a list of levels")),
    }
    let choices = date::Level::ALL.map(|level| (level.name(), level));
    let levels: Vec<_> = node
        .list()?
        .iter()
        .map(|item| item.choice(&choices))
        .collect::<Result<_, _>>()?;
    if !levels.is_empty() && levels.is_sorted_by(|a, b| a < b) {
        Ok(levels)
    } else {
        let text = format!("`{}` must go from fine to coarse", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "write [\"month\", \"quarter\", \"year\", \"decade\"] or a part",
        ))
    }
}
