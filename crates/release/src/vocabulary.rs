//! Whether all labels are those that the policy fixes, where the manifest says so.
//!
//! Read from `public/` alone: the declared grid of a column of numbers or dates stands in the public
//! policy. Nodes of hierarchies are not public, so of categories it is only seen that no set lists
//! several values.

use crate::finding::Finding;
use crate::manifest::{ManifestMeaning, PublicManifest};
use mingle_model::date::Level;
use mingle_model::{DeclaredGrid, Kind, Number, Published};
use mingle_record::policy_document::{PolicyDocument, PolicyValue};

/// The columns with a label that the policy does not fix.
pub(crate) fn foreign_labels(manifest: &PublicManifest, published: &Published) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !has_public_labels(&manifest.policy) {
        return findings;
    }
    for column in published.columns() {
        let kind = manifest.columns.iter().find(|c| c.name == column.name);
        let kind = kind.and_then(|c| crate::manifest::column::spec(c).kind);
        let is_fixed = match declared_grid(&manifest.policy, &column.name) {
            Some(grid) => grid
                .first_foreign_label(
                    kind.unwrap_or(Kind::Integer),
                    &column.labels,
                    &manifest.missing(),
                )
                .is_none(),
            None => !column.labels.iter().any(|label| lists_values(label)),
        };
        if !is_fixed {
            findings.push(Finding::ForeignLabel {
                column: column.name.clone(),
            });
        }
    }
    findings
}

fn has_public_labels(policy: &PolicyDocument) -> bool {
    let method = policy.section("method").and_then(PolicyValue::as_table);
    let labels = method.and_then(|method| method.get("labels"));
    labels.and_then(PolicyValue::as_text) == Some("public")
}

fn declared_grid(policy: &PolicyDocument, column: &str) -> Option<DeclaredGrid> {
    let columns = policy.section("columns")?.as_table()?;
    match columns.get(column)?.as_table()?.get("grid")? {
        PolicyValue::Text(name) => {
            let level = Level::ALL.into_iter().find(|level| level.name() == name)?;
            Some(DeclaredGrid::Periods(level))
        }
        PolicyValue::Integer(step) => Number::parse(&step.to_string()).map(DeclaredGrid::Multiples),
        PolicyValue::Float(step) => Number::parse(&step.to_string()).map(DeclaredGrid::Multiples),
        _ => None,
    }
}

/// Whether a label is a set of several values: `{a|b}`, where `\\` escapes.
fn lists_values(label: &str) -> bool {
    let Some(inner) = label
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return false;
    };
    let mut is_escaped = false;
    for character in inner.chars() {
        if character == '|' && !is_escaped {
            return true;
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_several_values() {
        assert!(lists_values("{a|b}") && lists_values(r"{a\\|b}"));
        assert!(!lists_values(r"{a\|b}") && !lists_values("{a*}") && !lists_values("a|b"));
    }
}
