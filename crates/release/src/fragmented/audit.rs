//! The audit of a fragmented release: who contributed which values to which gid. Private.
//!
//! One row per (gid, provider, tuple of sensitive values) with its count. It links what `public/`
//! keeps apart, so that promises against insiders, and about attributes together, can be decided by
//! those who may see it. Added up over everything else it must equal each public table, attribute
//! by attribute.

use crate::audit as linked;
use crate::manifest::{ColumnRole, PublicManifest, column};
use mingle_model::{
    Code, Codes, Column, ColumnSpec, Fragments, GID, Kind, Missing, Published, Role, Table,
};

/// The audit with the labels of its groups in front: gid, quasi-identifiers, sensitive columns,
/// counts.
///
/// `None` when it names a group that the fragments do not have.
pub(crate) fn labelled(audit: &Table, fragments: &Fragments, missing: &Missing) -> Option<Table> {
    let view = fragments.published(None);
    let (gid, others) = audit.columns.split_first()?;
    let group = |code: Code| {
        gid.domain
            .text(code)
            .parse::<usize>()
            .ok()?
            .checked_sub(1)
            .filter(|&g| g < view.groups())
    };
    let of_code: Option<Vec<usize>> = (0..gid.domain.len() as Code).map(group).collect();
    let of_code = of_code?;
    let of_row: Vec<usize> = gid
        .codes
        .iter()
        .map(|code| of_code[code as usize])
        .collect();
    let columns = view.columns().iter().enumerate().map(|(place, column)| {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(&column.name, Role::QuasiIdentifier)
        };
        let text = |&g: &usize| column.labels[view.labels(g)[place] as usize].as_str();
        Column::from_texts(spec, of_row.iter().map(text), missing).expect("any text is a category")
    });
    Some(with_columns(
        audit,
        columns.chain(others.iter().cloned()).collect(),
    ))
}

fn with_columns(audit: &Table, columns: Vec<Column>) -> Table {
    Table {
        columns,
        providers: audit.providers.clone(),
        provider_of: audit.provider_of.iter().collect::<Codes>(),
        person_of: None,
    }
}

/// How many (gid, value) pairs occur another number of times in the labelled audit than in public,
/// over all attributes.
///
/// `None` when a count is no number.
pub(crate) fn differences(fragments: &Fragments, labelled: &Table) -> Option<u64> {
    let attributes = fragments.sensitive().len();
    let (keys, rest) = labelled
        .columns
        .split_at(fragments.quasi_identifiers().len() + 1);
    let count = rest.last()?;
    let about = |attribute: Option<usize>| {
        let value = attribute.map(|a| rest[a].clone());
        let table = with_columns(
            labelled,
            keys.iter()
                .cloned()
                .chain(value)
                .chain([count.clone()])
                .collect(),
        );
        linked::differences(&fragments.published(attribute), &table)
    };
    match attributes {
        0 => about(None),
        _ => (0..attributes).map(|a| about(Some(a))).sum(),
    }
}

/// The groups with their providers, told apart by gid.
pub(crate) fn by_gid(labelled: &Table) -> Option<Published> {
    linked::published(labelled)
}

/// The groups with their providers as the labels alone tell them apart, to be compared with an
/// original.
pub(crate) fn by_labels(labelled: &Table) -> Option<Published> {
    let columns = labelled
        .columns
        .iter()
        .filter(|c| c.spec.name != GID)
        .cloned()
        .collect();
    linked::published(&with_columns(labelled, columns))
}

/// How the file is to be read: gid, sensitive columns with their meaning, the counts last.
pub(crate) fn specs(manifest: &PublicManifest, count: ColumnSpec) -> Vec<ColumnSpec> {
    let sensitive = manifest
        .columns
        .iter()
        .filter(|c| c.role == ColumnRole::Sensitive)
        .map(column::spec);
    [gid_spec()]
        .into_iter()
        .chain(sensitive)
        .chain([count])
        .collect()
}

/// The group number as an opaque text.
pub(crate) fn gid_spec() -> ColumnSpec {
    ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(GID, Role::QuasiIdentifier)
    }
}
