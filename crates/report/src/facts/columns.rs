//! The published columns: their roles, how they are generalized, and what that looks like.

use mingle_model::{Code, Column, Fragments, Table};
use mingle_record::answer::{ShownColumn, ShownLabel, ShownShape};
use mingle_record::manifest::{ColumnRole, ManifestColumn, PublicManifest};

/// How many of a column's labels are shown.
const SHOWN: usize = 8;

fn column_shown(
    manifest: &PublicManifest,
    column: &ManifestColumn,
    counts: Vec<(&str, u64)>,
) -> ShownColumn {
    let rows: u64 = counts.iter().map(|(_, count)| count).sum();
    let starred: u64 = counts
        .iter()
        .filter(|(label, _)| is_starred(label))
        .map(|(_, count)| count)
        .sum();
    let generalized = column.role == ColumnRole::QuasiIdentifier;
    ShownColumn {
        name: column.name.clone(),
        role: column.role,
        kind: column.kind,
        how: how(manifest, column),
        distinct: counts.len() as u64,
        starred: generalized.then(|| {
            if rows == 0 {
                0.0
            } else {
                starred as f64 / rows as f64
            }
        }),
        common: commonest(counts, manifest.missing.as_deref()),
    }
}

/// The columns of one table, each with how many rows have each of its texts.
pub(super) fn of_table(manifest: &PublicManifest, table: &Table) -> Vec<ShownColumn> {
    let facts = |(declared, column): (&ManifestColumn, &Column)| {
        column_shown(manifest, declared, counts(column))
    };
    manifest
        .columns
        .iter()
        .zip(&table.columns)
        .map(facts)
        .collect()
}

/// The same of fragments.
pub(super) fn of_fragments(manifest: &PublicManifest, fragments: &Fragments) -> Vec<ShownColumn> {
    let linked = fragments.published(None);
    let label = |name: &str| {
        let place = linked.columns().iter().position(|c| c.name == name)?;
        let column = &linked.columns()[place];
        let mut counts = vec![0; column.labels.len()];
        (0..linked.groups())
            .for_each(|g| counts[linked.labels(g)[place] as usize] += linked.size(g));
        Some(seen(column.labels.iter().map(String::as_str).zip(counts)))
    };
    let value = |name: &str| {
        let place = fragments.sensitive().iter().position(|c| c.name == name)?;
        let domain = &fragments.sensitive()[place].domain;
        let mut counts = vec![0; domain.len()];
        let values = fragments
            .groups()
            .iter()
            .flat_map(|group| &group.values[place]);
        values.for_each(|&(code, count)| counts[code as usize] += count);
        Some(seen(
            (0..domain.len() as Code)
                .map(|code| domain.text(code))
                .zip(counts),
        ))
    };
    let counts = |c: &ManifestColumn| match c.role {
        ColumnRole::Sensitive => value(&c.name),
        _ => label(&c.name),
    };
    let facts = |c: &ManifestColumn| column_shown(manifest, c, counts(c).unwrap_or_default());
    manifest.columns.iter().map(facts).collect()
}

/// How many rows have each text.
fn counts(column: &Column) -> Vec<(&str, u64)> {
    let mut counts = vec![0; column.domain.len()];
    column
        .codes
        .iter()
        .for_each(|code| counts[code as usize] += 1);
    seen(
        (0..column.domain.len() as Code)
            .map(|code| column.domain.text(code))
            .zip(counts),
    )
}

fn seen<'a>(counts: impl Iterator<Item = (&'a str, u64)>) -> Vec<(&'a str, u64)> {
    counts.filter(|(_, count)| *count > 0).collect()
}

fn commonest(mut counts: Vec<(&str, u64)>, missing: Option<&str>) -> Vec<ShownLabel> {
    counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let shown = |text: &str| {
        if missing == Some(text) {
            "(missing)".to_owned()
        } else {
            text.to_owned()
        }
    };
    counts
        .into_iter()
        .take(SHOWN)
        .map(|(label, rows)| ShownLabel {
            label: shown(label),
            rows,
        })
        .collect()
}

/// A label that says nothing: stars, and nothing else.
fn is_starred(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|c| c == '*')
}

fn how(manifest: &PublicManifest, column: &ManifestColumn) -> String {
    let centroid = super::shape(manifest) == ShownShape::Centroids;
    match (column.role, column.hierarchy.as_deref()) {
        (ColumnRole::Insensitive, _) => "as it is, row by row".to_owned(),
        (ColumnRole::Sensitive, _) if manifest.fragmented => {
            "as it is, in a table of its own".to_owned()
        }
        (ColumnRole::Sensitive, _) => "as it is".to_owned(),
        (_, Some("file")) => "by a hierarchy of terms".to_owned(),
        (_, Some(hierarchy)) => format!("by {}", in_words(hierarchy)),
        (_, None) if centroid && column.kind.is_numeric() => "as the mean of the group".to_owned(),
        (_, None) if centroid => "as the most frequent value of the group".to_owned(),
        (_, None) if column.kind.is_numeric() => "as ranges".to_owned(),
        (_, None) => "as sets of values".to_owned(),
    }
}

/// `mask 5`, `intervals 5, 10`, `bands 0, 18, 65` and the like as a sentence goes on.
fn in_words(hierarchy: &str) -> String {
    match hierarchy.split_once(' ') {
        Some(("mask", places)) => format!("masking up to {places} characters from the right"),
        Some(("intervals", widths)) => format!("intervals of width {widths}"),
        Some(("dates", levels)) => format!("calendar levels: {levels}"),
        Some(("prefix", lengths)) => format!("the first characters of codes: {lengths}"),
        Some(("bands", bounds)) => format!("bands with the bounds {bounds}"),
        Some(("age", day)) => match day.split_once(" / ") {
            Some((day, bounds)) => {
                format!("age in whole years on {day}, then bands with the bounds {bounds}")
            }
            None => format!("age in whole years on {day}"),
        },
        Some(("template", system)) => format!("the structure of the code system {system}"),
        _ => hierarchy.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stars_say_nothing() {
        assert!(is_starred("*") && is_starred("*****"));
        assert!(!is_starred("") && !is_starred("1****") && !is_starred("{*|a}"));
    }

    #[test]
    fn the_commonest_come_first_and_ties_in_order() {
        let counts = vec![("b", 2), ("a", 2), ("", 7), ("c", 1)];
        let common = commonest(counts, Some(""));
        let shown: Vec<(&str, u64)> = common.iter().map(|c| (c.label.as_str(), c.rows)).collect();
        assert_eq!(shown, [("(missing)", 7), ("a", 2), ("b", 2), ("c", 1)]);
    }
}
