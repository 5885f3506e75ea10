//! From declared domains to attributes: hierarchy files are read, missing values get their text.
//!
//! Nothing here looks at the tables: domains and hierarchies are public.

use crate::tables::with_hierarchy;
use mingle_dp::{DeclaredAttribute, DeclaredValues};
use mingle_model::HierarchySource;
use mingle_model::hierarchy::{HierarchyRows, ROOT};
use mingle_model::{counted, plural};
use mingle_policy::{DeclaredColumn, DeclaredDomain, DeclaredHierarchy, Form, Policy};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::collections::HashMap;

/// The attributes of a release with noise: every column that is not dropped, in the policy's order.
/// Refused until somebody vouches for all domains.
pub fn attributes(policy: &Policy) -> Result<Vec<DeclaredAttribute>, Problem> {
    check_confirmed(policy)?;
    let kept = policy
        .columns
        .iter()
        .filter(|column| column.spec.role.is_published());
    let all: Vec<DeclaredAttribute> = kept
        .filter_map(|column| attribute(policy, column).transpose())
        .collect::<Result<_, _>>()?;
    if all.is_empty() {
        let text = "every column is an identifier, so there is nothing to release";
        Err(Problem::new(
            ProblemCode::Contradiction,
            text,
            "give at least one column another role",
        ))
    } else {
        Ok(all)
    }
}

/// A column as it is looked at through its domain, where it declares one.
pub fn attribute(
    policy: &Policy,
    column: &DeclaredColumn,
) -> Result<Option<DeclaredAttribute>, Problem> {
    let Some(domain) = &column.domain else {
        return Ok(None);
    };
    let (name, missing) = (&column.spec.name, &policy.data.missing);
    let values = match &domain.form {
        Form::Words(values) => values.clone(),
        Form::Bins(_, bins) => DeclaredValues::Bins(bins.clone()),
        Form::Level(level) => labels(policy, column, domain, *level)?,
    };
    domain.check_missing(name, &values, missing)?;
    let missing = domain.missing.then(|| missing.canonical().to_owned());
    let (role, kind, other) = (column.spec.role, domain.kind(), domain.other.clone());
    Ok(Some(DeclaredAttribute {
        name: name.clone(),
        role,
        kind,
        domain: values,
        other,
        missing,
    }))
}

pub(crate) fn check_confirmed(policy: &Policy) -> Result<(), Problem> {
    let open = |c: &&DeclaredColumn| c.domain.as_ref().is_some_and(|domain| !domain.confirmed);
    let names: Vec<String> = policy
        .columns
        .iter()
        .filter(open)
        .map(|c| format!("`{}`", c.spec.name))
        .collect();
    let first = policy
        .columns
        .iter()
        .filter_map(|c| c.domain.as_ref())
        .find(|domain| !domain.confirmed);
    let Some(first) = first else { return Ok(()) };
    let text = format!(
        "the {} of {} {} taken from the data: {}",
        plural(names.len(), "domain", "domains"),
        counted(names.len(), "column"),
        plural(names.len(), "was", "were"),
        names.join(", ")
    );
    let hint = "compare each with what is publicly known and correct it; then set confirmed = true, or remove the key";
    Err(first
        .place
        .problem(ProblemCode::DomainUnconfirmed, text, hint))
}

/// The labels at a level of the column's hierarchy file, and the leaves below them.
fn labels(
    policy: &Policy,
    column: &DeclaredColumn,
    domain: &DeclaredDomain,
    level: usize,
) -> Result<DeclaredValues, Problem> {
    let name = &column.spec.name;
    let refused = |text: String, hint: &str| {
        domain
            .place
            .problem(ProblemCode::DomainUnusable, text, hint)
    };
    let Some(DeclaredHierarchy::File(..)) = &column.hierarchy else {
        let text = format!(
            "the domain of column `{name}` is its hierarchy's, and it names no hierarchy file"
        );
        return Err(refused(
            text,
            "add hierarchy = \"file.csv\", or list the values",
        ));
    };
    let Some(HierarchySource::Rows(rows)) = with_hierarchy(policy, column)?.hierarchy else {
        return Err(refused(
            format!("the hierarchy of column `{name}` has no rows"),
            "list the values",
        ));
    };
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut known: HashMap<&str, &str> = HashMap::new();
    for (line, row) in &rows.rows {
        let label = label(row, level, &rows).ok_or_else(|| {
            let levels = row.len().saturating_sub(1);
            let text = format!(
                "{}, line {line}: level {level} is asked for, the highest is {levels}",
                rows.file
            );
            refused(text, "0 are the leaves; choose a level that every row has")
        })?;
        if row[0] == ROOT {
            let text = format!(
                "{}, line {line}: a row for all other values lists none of them",
                rows.file
            );
            return Err(refused(text, "take it out and set `other` in the domain"));
        }
        // the same row twice says nothing new; leaves that mean "no value" are told by `missing`
        if policy.data.missing.contains(&row[0]) || known.insert(&row[0], label) == Some(label) {
            continue;
        }
        pairs.push((row[0].clone(), label.to_owned()));
    }
    let values =
        DeclaredValues::of_level(pairs).map_err(|problem| domain.problem(name, &problem))?;
    match (&values, &domain.other) {
        (DeclaredValues::Categories { labels, .. }, Some(other)) if labels.contains(other) => {
            Err(refused(
                format!("column `{name}`: `other` is a label of its hierarchy"),
                "choose another word",
            ))
        }
        _ => Ok(values),
    }
}

/// A row's label at a level, if all rows have one there.
fn label<'a>(row: &'a [String], level: usize, rows: &HierarchyRows) -> Option<&'a str> {
    let same_height = rows
        .rows
        .first()
        .is_some_and(|(_, first)| first.len() == row.len());
    let root = row.len() > 1 && level + 1 == row.len();
    row.get(level)
        .filter(|_| same_height)
        .map(|label| if root { ROOT } else { label.as_str() })
}
