//! A column as a manifest describes it.

use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{Code, Column, ColumnSpec, Domain, HierarchySource, Kind, Role};
use serde::{Deserialize, Serialize};

/// Name, role and kind, how the column generalizes, and what a reader needs to check t-closeness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestColumn {
    /// The column's name.
    pub name: String,
    /// Its role.
    #[serde(with = "role")]
    pub role: Role,
    /// Its kind: declared, or inferred from all rows that were read, suppressed ones included.
    #[serde(with = "kind")]
    pub kind: Kind,
    /// In words: how its values generalize.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
    /// The published values in their order, where a distance needs one that the values do not have
    /// themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Vec<String>>,
    /// The published values, each with its ancestors up to the root, where a distance needs the
    /// hierarchy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hierarchy_rows: Option<Vec<Vec<String>>>,
}

impl ManifestColumn {
    /// A column of the table, without what a distance needs.
    pub fn new(column: &Column) -> ManifestColumn {
        ManifestColumn {
            name: column.spec.name.clone(),
            role: column.spec.role,
            kind: column.domain.kind(),
            hierarchy: column
                .spec
                .hierarchy
                .as_ref()
                .map(HierarchySource::describe),
            order: None,
            hierarchy_rows: None,
        }
    }

    /// Adds the order of the values for which `published` holds. A value that only suppressed rows
    /// have stays out.
    pub(crate) fn add_order(&mut self, domain: &Domain, published: impl Fn(Code) -> bool) {
        let listed = |&code: &Code| published(code) && domain.missing() != Some(code);
        let texts = (0..domain.len() as Code)
            .filter(listed)
            .map(|code| domain.text(code).to_owned());
        self.order = (!domain.kind().is_numeric()).then(|| texts.collect());
    }

    /// Adds the ancestors of the values for which `published` holds.
    pub(crate) fn add_hierarchy(&mut self, domain: &Domain, published: impl Fn(Code) -> bool) {
        let rows = (0..domain.len() as Code)
            .filter(|&code| published(code))
            .map(|code| domain.path(code));
        self.hierarchy_rows = rows.collect();
    }

    /// How to read the published column: quasi-identifiers are opaque texts, sensitive values mean
    /// what they meant.
    pub(crate) fn spec(&self) -> ColumnSpec {
        let opaque = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(&self.name, self.role)
        };
        if self.role != Role::Sensitive {
            return opaque;
        }
        let rows = |rows: &Vec<Vec<String>>| {
            let rows = (1..).zip(rows.iter().cloned()).collect();
            HierarchySource::Rows(HierarchyRows {
                file: "manifest.json".to_owned(),
                rows,
            })
        };
        ColumnSpec {
            kind: Some(self.kind),
            order: self.order.clone(),
            hierarchy: self.hierarchy_rows.as_ref().map(rows),
            ..opaque
        }
    }
}

pub(crate) mod role {
    use super::Role;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(role.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Role, D::Error> {
        let name = String::deserialize(deserializer)?;
        Role::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or_else(|| D::Error::custom("no role"))
    }
}

pub(crate) mod kind {
    use super::Kind;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        let name = String::deserialize(deserializer)?;
        Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| D::Error::custom("no kind"))
    }
}
