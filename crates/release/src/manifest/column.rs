//! Columns between the table and a manifest.

use super::{ColumnKind, ColumnRole, ManifestColumn};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{Code, Column, ColumnSpec, Domain, HierarchySource, Kind, Role};

/// How a manifest calls a role.
pub fn column_role(role: Role) -> ColumnRole {
    match role {
        Role::Identifier => ColumnRole::Identifier,
        Role::QuasiIdentifier => ColumnRole::QuasiIdentifier,
        Role::Sensitive => ColumnRole::Sensitive,
        Role::Insensitive => ColumnRole::Insensitive,
        Role::Drop => ColumnRole::Drop,
    }
}

/// The role that a manifest means.
pub fn role_of(role: ColumnRole) -> Role {
    match role {
        ColumnRole::Identifier => Role::Identifier,
        ColumnRole::QuasiIdentifier => Role::QuasiIdentifier,
        ColumnRole::Sensitive => Role::Sensitive,
        ColumnRole::Insensitive => Role::Insensitive,
        ColumnRole::Drop => Role::Drop,
    }
}

/// How a manifest calls a kind.
pub fn column_kind(kind: Kind) -> ColumnKind {
    match kind {
        Kind::Integer => ColumnKind::Integer,
        Kind::Decimal => ColumnKind::Decimal,
        Kind::Date => ColumnKind::Date,
        Kind::Category => ColumnKind::Category,
    }
}

/// The kind that a manifest means.
pub fn kind_of(kind: ColumnKind) -> Kind {
    match kind {
        ColumnKind::Integer => Kind::Integer,
        ColumnKind::Decimal => Kind::Decimal,
        ColumnKind::Date => Kind::Date,
        ColumnKind::Category => Kind::Category,
    }
}

/// A column of the table, without what a distance needs.
pub fn column_entry(column: &Column) -> ManifestColumn {
    let hierarchy = column.spec.hierarchy.as_ref();
    ManifestColumn {
        name: column.spec.name.clone(),
        role: column_role(column.spec.role),
        kind: column_kind(shown_kind(column)),
        hierarchy: hierarchy.map(HierarchySource::describe),
        order: None,
        hierarchy_rows: None,
    }
}

/// The kind of the values behind a column. Where the cells are labels already, their texts are a
/// category and only the declaration says what they are labels of.
pub(crate) fn shown_kind(column: &Column) -> Kind {
    column.spec.kind.unwrap_or(column.domain.kind())
}

/// Adds the order of the values for which `published` holds. A value that only suppressed rows have
/// stays out.
pub fn add_order(column: &mut ManifestColumn, domain: &Domain, published: impl Fn(Code) -> bool) {
    if domain.kind().is_numeric() {
        return;
    }
    let mut texts = Vec::new();
    for code in 0..domain.len() as Code {
        if published(code) && domain.missing() != Some(code) {
            texts.push(domain.text(code).to_owned());
        }
    }
    column.order = Some(texts);
}

/// Adds the ancestors of the values for which `published` holds.
pub fn add_hierarchy(
    column: &mut ManifestColumn,
    domain: &Domain,
    published: impl Fn(Code) -> bool,
) {
    let listed = (0..domain.len() as Code).filter(|&code| published(code));
    column.hierarchy_rows = listed.map(|code| domain.path(code)).collect();
}

/// How to read the published column: quasi-identifiers are opaque texts, sensitive values mean what
/// they meant.
pub(crate) fn spec(column: &ManifestColumn) -> ColumnSpec {
    let role = role_of(column.role);
    let opaque = ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(&column.name, role)
    };
    if role != Role::Sensitive {
        return opaque;
    }
    let hierarchy = column.hierarchy_rows.as_ref().map(|rows| {
        HierarchySource::Rows(HierarchyRows {
            file: "manifest.json".to_owned(),
            rows: (1..).zip(rows.iter().cloned()).collect(),
        })
    });
    ColumnSpec {
        kind: Some(kind_of(column.kind)),
        order: column.order.clone(),
        hierarchy,
        ..opaque
    }
}
