//! What a steward should know before handing a release out, though nothing is wrong with it.

use super::same_rows;
use crate::insiders::{self, contributors, names};
use crate::tables::Original;
use mingle_model::{Column, Cube, Role};
use mingle_policy::Policy;
use mingle_privacy::Insiders;
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// An insensitive column with more distinct values than this can single people out; in small tables
/// fewer are enough.
const MANY: usize = 100;

/// All warnings about a table, in a fixed order.
pub fn of(policy: &Policy, original: &Original, cube: &Cube, insiders: Insiders) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = original.repeated_identifiers.iter().map(repeated).collect();
    warnings.extend(
        original
            .table
            .with_role(Role::Insensitive)
            .filter_map(revealing),
    );
    let sensitive = policy.with_role(Role::Sensitive).count();
    if sensitive > 1 && !policy.release.fragmented {
        let text = format!(
            "{sensitive} sensitive columns in one table: who knows one value can narrow down the others"
        );
        let hint =
            "set fragmented = true in [release] to publish each in a table of its own; see MG0503";
        warnings.push(Problem::new(ProblemCode::BackgroundJoin, text, hint));
    }
    if policy.with_role(Role::QuasiIdentifier).next().is_none() {
        let text = "no column is a quasi-identifier, so nothing is generalized";
        let hint =
            "give role = \"quasi-identifier\" to what others may know, such as age or ZIP code";
        warnings.push(Problem::new(ProblemCode::NoQuasiIdentifiers, text, hint));
    }
    warnings.extend(without_hierarchy(policy, original));
    warnings.extend(insiders::warning(insiders, contributors(&original.table)));
    warnings.extend(without_rows(original));
    warnings.extend(same_rows::warning(policy, original, cube));
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
    (policy.composition.is_some() && insiders.m > 0).then(|| {
        let text = "[composition] is decided for outsiders: who takes out own rows first may be left with fewer values";
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
            "{}: {} column(s) without a hierarchy can only become *: {listed}",
            policy.method.name,
            columns.len()
        );
        let hint = "declare hierarchy = { intervals = [5, 10, 20] } for numbers, { dates = true } for dates, \
                    { mask = 3 } for codes, or a file";
        Problem::new(ProblemCode::NoHierarchy, text, hint)
    })
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
            "{} provider(s) without any row: {}",
            empty.len(),
            names(empty.into_iter())
        );
        Problem::new(
            ProblemCode::ProviderWithoutRows,
            text,
            "check that the right tables are listed, or take these out",
        )
    })
}

fn repeated((column, rows): &(String, u64)) -> Problem {
    let text = format!(
        "column {column:?}: {rows} row(s) repeat an identifier, but each row is taken to be one person"
    );
    Problem::new(
        ProblemCode::RepeatedIdentifier,
        text,
        "merge the rows of a person, or k counts one person several times",
    )
}

fn revealing(column: &Column) -> Option<Problem> {
    let distinct = column.domain.len();
    let many = distinct > MANY || (distinct > 10 && distinct * 10 > column.codes.len());
    many.then(|| {
        let text = format!(
            "column {:?} is published unchanged and has {distinct} distinct values",
            column.spec.name
        );
        Problem::new(
            ProblemCode::RevealingColumn,
            text,
            "make it a quasi-identifier or an identifier if it can single out people",
        )
    })
}
