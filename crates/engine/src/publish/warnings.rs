//! What a steward should know before handing a release out, though nothing is wrong with it.

use super::{same_rows, telling};
use crate::hierarchy;
use crate::insiders::{self, contributors, names};
use crate::people;
use crate::tables::Original;
use mingle_model::counted;
use mingle_model::{Code, Column, Cube, Role, skeleton};
use mingle_policy::Policy;
use mingle_privacy::Insiders;
use mingle_record::{Problem, ProblemCode};
use mingle_release::warnings::{background_join, no_quasi_identifiers, revealing};
use std::collections::HashSet;

/// All warnings about a table, in a fixed order.
pub fn of(policy: &Policy, original: &Original, cube: &Cube, insiders: Insiders) -> Vec<Problem> {
    let mut warnings = people::warnings(policy, original);
    for column in original.table.with_role(Role::Insensitive) {
        let distinct = column.domain.len() as u64;
        let rows = column.codes.len() as u64;
        warnings.extend(revealing(&column.spec.name, distinct, rows));
    }
    let sensitive = policy.with_role(Role::Sensitive).count();
    warnings.extend(background_join(sensitive, policy.release.fragmented));
    let quasi_identifiers = policy.with_role(Role::QuasiIdentifier).count();
    warnings.extend(no_quasi_identifiers(quasi_identifiers));
    warnings.extend(without_hierarchy(policy, original));
    for column in &original.table.columns {
        warnings.extend(unlisted(column));
        warnings.extend(mask_tells_length(column));
    }
    for column in original.table.with_role(Role::Sensitive) {
        warnings.extend(look_alike(column));
    }
    warnings.extend(insiders::warning(insiders, contributors(&original.table)));
    warnings.extend(without_rows(original));
    warnings.extend(same_rows::warning(policy, original, cube));
    warnings.extend(telling::warnings(original));
    warnings.extend(protocol_ignored(policy));
    warnings.extend(insiders_beside(policy, insiders));
    warnings
}

/// A policy for publishing with a partner, used alone.
fn protocol_ignored(policy: &Policy) -> Option<Problem> {
    policy.protocol.as_ref().map(|_| {
        let text = "[protocol] is for `mingle site run`; this table is published alone";
        Problem::new(
            ProblemCode::ProtocolIgnored,
            text,
            "to publish with a partner: mingle site run SITE_TOML",
        )
    })
}

/// Limits on intersections are about outsiders.
fn insiders_beside(policy: &Policy, insiders: Insiders) -> Option<Problem> {
    (policy.composition.is_some() && insiders.m.0 > 0).then(|| {
        let text = "[composition] is decided for outsiders: for a provider who removes its own rows first, fewer values may remain";
        Problem::new(
            ProblemCode::InsidersBeside,
            text,
            "raise min_posterior or l to leave a margin",
        )
    })
}

/// A method that works on whole levels has none between such a column's values and `*`; for two
/// values there could be none.
fn without_hierarchy(policy: &Policy, original: &Original) -> Option<Problem> {
    let flat = |column: &&Column| column.domain.hierarchy().is_none() && column.domain.len() > 2;
    let columns = original.table.with_role(Role::QuasiIdentifier).filter(flat);
    let columns: Vec<&str> = columns.map(|column| column.spec.name.as_str()).collect();
    (policy.method.capabilities().full_domain && !columns.is_empty()).then(|| {
        let listed = names(columns.iter().copied());
        let text = format!(
            "{}: {} without a hierarchy can only become *: {listed}",
            policy.method.name,
            counted(columns.len(), "column")
        );
        let hint = "declare hierarchy = { intervals = [5, 10, 20] } for numbers, { dates = true } for dates, \
                    { mask = 3 } for codes, or a file";
        Problem::new(ProblemCode::NoHierarchy, text, hint)
    })
}

/// Values that the hierarchy does not know have a place, and nobody would notice them there.
fn unlisted(column: &Column) -> Option<Problem> {
    let unlisted = column.domain.unlisted();
    if unlisted == 0 {
        return None;
    }
    let text = format!(
        "column {:?}: {unlisted} of {} distinct values are not in its hierarchy and generalize together",
        column.spec.name,
        column.domain.len()
    );
    let hint = "`mingle hierarchy check` says where; add or correct them";
    Some(Problem::new(ProblemCode::UnlistedCodes, text, hint))
}

/// Values that a reader takes for one count as several for diversity.
fn look_alike(column: &Column) -> Option<Problem> {
    if column.domain.kind().is_numeric() {
        return None;
    }
    let values = column.domain.len();
    let mut skeletons = HashSet::with_capacity(values);
    for code in 0..values as Code {
        skeletons.insert(skeleton(column.domain.text(code)));
    }
    let alike = values - skeletons.len();
    if alike == 0 {
        return None;
    }
    let text = format!(
        "column {:?}: {} of {values} distinct values look like another one but for case, blanks or letters of another \
         alphabet, and count as different",
        column.spec.name, alike
    );
    let hint =
        "write them alike, or set spelling = \"folded\" in the column's entry if only case differs";
    Some(Problem::new(ProblemCode::ValuesLookAlike, text, hint))
}

/// Stars that are counted tell how long a code is.
fn mask_tells_length(column: &Column) -> Option<Problem> {
    if column.spec.role != Role::QuasiIdentifier || !hierarchy::is_ragged_mask(column) {
        return None;
    }
    let text = format!(
        "column {:?}: a mask on codes of different lengths shows how long each is",
        column.spec.name
    );
    let hint = "use hierarchy = { prefix = [3, 1] }, which aligns codes at the front";
    Some(Problem::new(ProblemCode::MaskTellsLength, text, hint))
}

fn without_rows(original: &Original) -> Option<Problem> {
    let rows = original.table.rows_by_provider();
    let empty: Vec<&str> = original
        .table
        .providers
        .names()
        .zip(rows)
        .filter(|(_, n)| *n == 0)
        .map(|(p, _)| p)
        .collect();
    (!empty.is_empty()).then(|| {
        let text = format!(
            "{} without any row: {}",
            counted(empty.len(), "provider"),
            names(empty.into_iter())
        );
        Problem::new(
            ProblemCode::ProviderWithoutRows,
            text,
            "check that the right tables are listed, or remove these",
        )
    })
}
