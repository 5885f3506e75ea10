//! A column as a manifest describes it.

use serde::{Deserialize, Serialize};

/// Name, role and kind, how the column generalizes, and what a reader needs to check t-closeness.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestColumn {
    /// The column's name.
    pub name: String,
    /// Its role.
    pub role: ColumnRole,
    /// Its kind: declared, or inferred from all rows that were read, suppressed ones included.
    pub kind: ColumnKind,
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

/// What a column means for privacy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ColumnRole {
    /// Names a person; never published.
    Identifier,
    /// Known to the reader from elsewhere.
    QuasiIdentifier,
    /// What must not be learned about a person.
    Sensitive,
    /// Neither.
    Insensitive,
    /// Of no use for the release; never published.
    Drop,
}

/// What a column's values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnKind {
    /// Whole numbers.
    Integer,
    /// Decimal fractions.
    Decimal,
    /// Calendar days.
    Date,
    /// Texts.
    Category,
}

impl ColumnRole {
    /// The word in policies and documents.
    pub fn name(self) -> &'static str {
        match self {
            ColumnRole::Identifier => "identifier",
            ColumnRole::QuasiIdentifier => "quasi-identifier",
            ColumnRole::Sensitive => "sensitive",
            ColumnRole::Insensitive => "insensitive",
            ColumnRole::Drop => "drop",
        }
    }
}

impl ColumnKind {
    /// Whether values lie on a line: numbers and days.
    pub fn is_numeric(self) -> bool {
        self != ColumnKind::Category
    }

    /// The word in policies and documents.
    pub fn name(self) -> &'static str {
        match self {
            ColumnKind::Integer => "integer",
            ColumnKind::Decimal => "decimal",
            ColumnKind::Date => "date",
            ColumnKind::Category => "category",
        }
    }
}
