//! Columns as the policy declares them: name, role, kind, hierarchy.

use crate::grid::DeclaredGrid;
use crate::hierarchy::HierarchySource;
use crate::spelling::Spelling;

/// What a column means for privacy. Every column has exactly one role.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Role {
    /// Names a person (name, insurance number). Dropped, never published.
    Identifier,
    /// Known to the reader from elsewhere (age, ZIP code). Generalized.
    QuasiIdentifier,
    /// What must not be learnt about a person (disease). Published as it is.
    Sensitive,
    /// Neither: carried along by row and published unchanged.
    Insensitive,
    /// Of no use for the release: not read, never published.
    Drop,
}

impl Role {
    /// All roles, in the order in which messages list them.
    pub const ALL: [Role; 5] = [
        Role::Identifier,
        Role::QuasiIdentifier,
        Role::Sensitive,
        Role::Insensitive,
        Role::Drop,
    ];

    /// The word used in the policy file and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Role::Identifier => "identifier",
            Role::QuasiIdentifier => "quasi-identifier",
            Role::Sensitive => "sensitive",
            Role::Insensitive => "insensitive",
            Role::Drop => "drop",
        }
    }

    /// Whether a release has values of the column, generalized or as they are.
    pub fn is_published(self) -> bool {
        match self {
            Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive => true,
            Role::Identifier | Role::Drop => false,
        }
    }
}

/// How a column's values are read and ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// Whole numbers without leading zeros.
    Integer,
    /// Decimal fractions, kept exactly.
    Decimal,
    /// Calendar days, `2001-03-02`.
    Date,
    /// Anything else: text.
    Category,
}

impl Kind {
    /// All kinds, from the narrowest to the widest: inference takes the first that fits every
    /// value.
    pub const ALL: [Kind; 4] = [Kind::Integer, Kind::Decimal, Kind::Date, Kind::Category];

    /// The word used in the policy file and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Decimal => "decimal",
            Kind::Date => "date",
            Kind::Category => "category",
        }
    }

    /// Numbers and dates: values with a distance between them.
    pub fn is_numeric(self) -> bool {
        self != Kind::Category
    }
}

/// One column of the policy.
#[derive(Clone, Debug)]
pub struct ColumnSpec {
    /// The column's name in the tables and in the release.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its kind, or `None` to infer it from the values.
    pub kind: Option<Kind>,
    /// How its values generalize; `None` means ranges for numbers and dates, sets for categories.
    pub hierarchy: Option<HierarchySource>,
    /// The order of a category's values, for cuts and for the ordered distance of t-closeness.
    pub order: Option<Vec<String>>,
    /// The values are bands such as `70-79` or `65+`, ordered as such; any other is refused. Where
    /// this is not said, bands are recognized if neither a kind nor an order is.
    pub bands: bool,
    /// Where ranges of a column of numbers or dates may begin and end; `None` means where the published
    /// values suggest.
    pub grid: Option<DeclaredGrid>,
    /// Which spellings are one value.
    pub spelling: Spelling,
}

impl ColumnSpec {
    /// A column with nothing but a name and a role.
    pub fn new(name: impl Into<String>, role: Role) -> Self {
        ColumnSpec {
            name: name.into(),
            role,
            kind: None,
            hierarchy: None,
            order: None,
            bands: false,
            grid: None,
            spelling: Spelling::Exact,
        }
    }

    /// The kind that is declared, or the only one that the hierarchy is for.
    pub fn declared_kind(&self) -> Option<Kind> {
        let implied = || {
            self.hierarchy
                .as_ref()
                .and_then(HierarchySource::implied_kind)
        };
        self.kind.or_else(implied)
    }
}

/// The texts that mean "no value here".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(Vec<String>);

impl Default for Missing {
    fn default() -> Self {
        Missing(vec![String::new(), "?".to_owned()])
    }
}

impl Missing {
    /// The first text is the one that is published.
    pub fn new(texts: Vec<String>) -> Self {
        Missing(texts)
    }

    /// Whether this text stands for a missing value.
    pub fn contains(&self, text: &str) -> bool {
        self.0.iter().any(|m| m == text)
    }

    /// How a missing value is published: one text for all of them, because which spelling a
    /// provider uses would tell the provider.
    pub fn canonical(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// The texts, as configured.
    pub fn texts(&self) -> &[String] {
        &self.0
    }
}
