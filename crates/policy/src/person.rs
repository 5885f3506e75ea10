//! `person` and what goes with it: whose rows belong together, and who knows what about them.
//!
//! `[data] person` names an identifier: its rows are one person, and promises count people. `"row"`
//! says that each row is one person. Nothing said means the same, but as an assumption, which
//! identifiers that repeat contradict. What cannot be promised about people is refused here, before
//! a table is read, so that nobody believes that people were counted where rows were.

use super::Policy;
use super::closest::closest;
use super::columns::DeclaredColumn;
use super::keys;
use super::source::PlaceInPolicy;
use super::tree::{Fields, Node};
use mingle_anonymize::GroupRepresentative;
use mingle_model::{PersonRows, Role};
use mingle_privacy::Knows;
use mingle_record::{Problem, ProblemCode};

/// What `person` says where each row is one person.
pub(crate) const ROW: &str = "row";

/// Whose rows belong together.
#[derive(Clone, Debug)]
pub enum DeclaredPeople {
    /// Nothing is said: each row is assumed to be one person.
    Unsaid,
    /// Somebody says that each row is one person.
    EachRow,
    /// Rows with the same identifier are one person's.
    Column(PersonColumn),
}

/// The identifier that tells people apart.
#[derive(Clone, Debug)]
pub struct PersonColumn {
    /// The column.
    pub name: String,
    /// Whether two providers mean the same person by the same identifier.
    pub scope: PersonScope,
    /// Where it is named.
    pub place: PlaceInPolicy,
}

/// Whether two providers mean the same person by the same identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PersonScope {
    /// They do: a number of the whole country.
    #[default]
    Joint,
    /// They do not: every provider counts for itself.
    Provider,
}

impl PersonScope {
    /// Both.
    pub const ALL: [PersonScope; 2] = [PersonScope::Joint, PersonScope::Provider];

    /// As a policy says it.
    pub fn name(self) -> &'static str {
        match self {
            PersonScope::Joint => "joint",
            PersonScope::Provider => "provider",
        }
    }
}

/// Where `[privacy]` says that the rows of a person are published.
pub(crate) fn read_rows(fields: &Fields<'_>) -> Result<PersonRows, Problem> {
    match fields.get(keys::privacy::ROWS) {
        Some(node) => node.choice(&PersonRows::ALL.map(|rows| (rows.name(), rows))),
        None => Ok(PersonRows::default()),
    }
}

/// What `[privacy]` says that providers who collude know about the people whose rows they have.
pub(crate) fn read_knows(fields: &Fields<'_>) -> Result<Knows, Problem> {
    match fields.get(keys::privacy::KNOWS) {
        Some(node) => node.choice(&Knows::ALL.map(|knows| (knows.name(), knows))),
        None => Ok(Knows::default()),
    }
}

impl DeclaredPeople {
    /// The identifier that tells people apart, where one is named.
    pub fn column(&self) -> Option<&PersonColumn> {
        match self {
            DeclaredPeople::Column(column) => Some(column),
            DeclaredPeople::Unsaid | DeclaredPeople::EachRow => None,
        }
    }

    /// Reads the keys of `[data]`.
    pub(crate) fn read(
        fields: &Fields<'_>,
        columns: &[DeclaredColumn],
    ) -> Result<DeclaredPeople, Problem> {
        let scope = match fields.get(keys::data::PERSON_SCOPE) {
            Some(node) => node.choice(&PersonScope::ALL.map(|scope| (scope.name(), scope)))?,
            None => PersonScope::default(),
        };
        let Some(node) = fields.get(keys::data::PERSON) else {
            return Ok(DeclaredPeople::Unsaid);
        };
        let name = node.text()?;
        if name == ROW {
            refuse_column_called_row(node, columns)?;
            return Ok(DeclaredPeople::EachRow);
        }
        check_column(node, name, columns)?;
        Ok(DeclaredPeople::Column(PersonColumn {
            name: name.to_owned(),
            scope,
            place: node.place.clone(),
        }))
    }
}

/// `"row"` is a word here. Where an identifier is really called so, nobody could say which of the
/// two is meant, and one of them counts rows as people.
fn refuse_column_called_row(node: &Node, columns: &[DeclaredColumn]) -> Result<(), Problem> {
    let is_identifier =
        |column: &DeclaredColumn| column.spec.name == ROW && column.spec.role == Role::Identifier;
    if !columns.iter().any(is_identifier) {
        return Ok(());
    }
    let text = "`data.person` is \"row\", which says that each row is one person, and an identifier column is called `row`";
    let hint = "call the column something else: columns = { \"row\" = \"row_id\" } in [data] and [columns.row_id]; then \
                person = \"row_id\" for whose rows belong together, or person = \"row\" if each row is one person";
    Err(node.problem(ProblemCode::Contradiction, text, hint))
}

fn check_column(node: &Node, name: &str, columns: &[DeclaredColumn]) -> Result<(), Problem> {
    let Some(column) = columns.iter().find(|column| column.spec.name == name) else {
        let mut identifiers = Vec::new();
        for column in columns {
            if column.spec.role == Role::Identifier {
                identifiers.push(column.spec.name.as_str());
            }
        }
        let close = match closest(name, identifiers.iter().copied()) {
            Some(meant) => format!("did you mean \"{meant}\"? "),
            None => String::new(),
        };
        let text = format!("`data.person`: there is no column `{name}` in [columns]");
        let hint = format!(
            "{close}declare it with role = \"identifier\", or write person = \"row\" if each row is one person"
        );
        return Err(node.problem(ProblemCode::UnknownWord, text, hint));
    };
    let role = column.spec.role;
    if role != Role::Identifier {
        let text = format!(
            "`data.person` is column `{name}`, whose role is {}",
            role.name()
        );
        let hint = match role {
            Role::QuasiIdentifier => format!(
                "what tells people apart is never published: write role = \"identifier\" in [columns.{name}]; if others know \
                 part of it, such as a year, copy that part into a column of its own"
            ),
            _ => format!("write role = \"identifier\" in [columns.{name}]"),
        };
        return Err(node.problem(ProblemCode::Contradiction, text, hint));
    }
    if column.optional {
        let text =
            format!("`data.person` is column `{name}`, which a table may lack (optional = true)");
        let hint = "rows without it would be nobody's: take `optional` out, and bring the column into every table";
        return Err(node.problem(ProblemCode::Contradiction, text, hint));
    }
    Ok(())
}

/// Refuses what goes with people, or with sets of values, only in appearance.
pub(crate) fn check(policy: &Policy, root: &Node) -> Result<(), Problem> {
    check_separators(policy, root)?;
    let separated = policy.separated();
    if policy.data.people.column().is_none() {
        refuse_without_person(root, separated.is_some())?;
    }
    let said = match (policy.data.people.column(), separated) {
        (Some(_), _) => root.at([keys::DATA, keys::data::PERSON]),
        (None, Some(column)) => separator_node(root, column),
        (None, None) => None,
    };
    let Some(node) = said else {
        return Ok(());
    };
    let Some((reason, hint)) = refused_with_people(policy) else {
        return check_history(policy);
    };
    let text = format!("`{}` does not go with {reason}", node.path);
    Err(node.problem(ProblemCode::PersonRefused, text, hint))
}

/// What else the policy says that cannot be promised about people who have several rows, and what to
/// do about it.
fn refused_with_people(policy: &Policy) -> Option<(&'static str, &'static str)> {
    if policy.noise().is_some() {
        return Some((
            "[dp]: noise for people with several rows is bounded there",
            "take it out, and write person and records_per_person in [dp]",
        ));
    }
    if policy.protocol.is_some() {
        return Some((
            "[protocol]: two sites publish one row a person",
            "take it out, and bring one row a person to each site",
        ));
    }
    if policy.release.fragmented {
        return Some((
            "fragmented = true: fragments count rows",
            "take out `fragmented`, or bring one row a person and write person = \"row\"",
        ));
    }
    if policy.method.output == GroupRepresentative::Centroid {
        return Some((
            "output = \"centroid\": a mean over rows counts somebody several times",
            "use output = \"range\", or bring one row a person and write person = \"row\"",
        ));
    }
    let composition = policy.composition.as_ref()?;
    if policy.person_rows() == PersonRows::Apart {
        return Some((
            "[composition] and rows = \"apart\": it is not clear which of a person's groups to compare with the others",
            "use rows = \"together\", or take out [composition]",
        ));
    }
    if composition.history.is_some() && policy.separated().is_some() {
        return Some((
            "a history: it keeps one value for each row",
            "bring a row for each value, or take `history` out",
        ));
    }
    let local = |column: &PersonColumn| column.scope == PersonScope::Provider;
    if composition.history.is_some() && policy.data.people.column().is_some_and(local) {
        return Some((
            "a history and person_scope = \"provider\": it tells people apart by the identifier alone",
            "use identifiers that are the same at all providers, or take `history` out",
        ));
    }
    None
}

/// Keys that say something about people where nobody says who they are.
fn refuse_without_person(root: &Node, separated: bool) -> Result<(), Problem> {
    for path in [
        [keys::DATA, keys::data::PERSON_SCOPE],
        [keys::PRIVACY, keys::privacy::ROWS],
        [keys::PRIVACY, keys::privacy::KNOWS],
    ] {
        // a row that is taken apart at separators is a person with several rows
        if separated && path[1] == keys::privacy::ROWS {
            continue;
        }
        if let Some(node) = root.at(path) {
            let text = format!(
                "`{}` is about people with several rows, and [data] names no person column",
                node.path
            );
            let hint = format!(
                "add person = \"COLUMN\" to [data], or take `{}` out",
                path[1]
            );
            return Err(node.problem(ProblemCode::UselessKey, text, hint));
        }
    }
    Ok(())
}

/// The values of one column can be told apart into rows; those of two would have to be paired, and
/// nobody says how.
fn check_separators(policy: &Policy, root: &Node) -> Result<(), Problem> {
    let mut separated = policy.columns.iter().filter(|c| c.separator.is_some());
    let (Some(first), Some(second)) = (separated.next(), separated.next()) else {
        return Ok(());
    };
    let text = format!(
        "columns `{}` and `{}` both have a separator: which value of one goes with which of the other is not known",
        first.spec.name, second.spec.name
    );
    let hint = "keep one, and bring the other as one row for each value";
    let node = separator_node(root, second).unwrap_or(root);
    Err(node.problem(ProblemCode::Contradiction, text, hint))
}

fn separator_node<'a>(root: &'a Node, column: &DeclaredColumn) -> Option<&'a Node> {
    let columns = root.at([keys::COLUMNS, &column.spec.name])?;
    columns.under(keys::column::SEPARATOR)
}

/// The same people are meant in a history and in the table.
fn check_history(policy: &Policy) -> Result<(), Problem> {
    let own = policy.composition.as_ref().and_then(|c| c.history.as_ref());
    let (Some(own), Some(column)) = (own, policy.data.people.column()) else {
        return Ok(());
    };
    if own.person == column.name {
        return Ok(());
    }
    let text = format!(
        "`data.person` is `{}` and `composition.person` is `{}`",
        column.name, own.person
    );
    let hint = "name the same column in both: they are the same people";
    Err(column.place.problem(ProblemCode::Contradiction, text, hint))
}

#[cfg(test)]
#[path = "person_tests.rs"]
mod tests;
