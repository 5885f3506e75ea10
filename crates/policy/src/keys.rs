//! The names of a policy's sections and keys, for all who read or change one.
//!
//! The strict reader, the outline that is shown of a policy that does not make sense yet, and edits
//! share them. The keys of constraints are the catalogue's.

pub(crate) const DATA: &str = "data";
pub(crate) const COLUMNS: &str = "columns";
pub(crate) const PRIVACY: &str = "privacy";
pub(crate) const METHOD: &str = "method";
pub(crate) const RELEASE: &str = "release";
pub(crate) const PROTOCOL: &str = "protocol";
pub(crate) const COMPOSITION: &str = "composition";
pub(crate) const DP: &str = "dp";
pub(crate) const ABOUT: &str = "about";
pub(crate) const RISK: &str = "risk";

/// All sections, in the order in which a message lists them.
pub(crate) const SECTIONS: &[&str] = &[
    DATA,
    COLUMNS,
    PRIVACY,
    METHOD,
    RELEASE,
    PROTOCOL,
    COMPOSITION,
    DP,
    RISK,
    ABOUT,
];

/// Of `[data]`.
pub(crate) mod data {
    pub const PROVIDERS: &str = "providers";
    pub const PATH: &str = "path";
    /// Tables in databases.
    pub const SOURCE: &str = "source";
    pub const TABLE: &str = "table";
    pub const QUERY: &str = "query";
    pub const KIND: &str = "kind";
    pub const SERVICE: &str = "service";
    pub const OF_SOURCE: &[&str] = &[KIND, SERVICE];
    /// What says how a file is written, and nothing about a database.
    pub const OF_FILES: &[&str] = &[
        FORMAT,
        SHEET,
        ENCODING,
        DELIMITER,
        DECIMAL,
        DATE_FORMAT,
        HEADER,
        NAMES,
    ];
    pub const PROVIDER_COLUMN: &str = "provider_column";
    pub const MISSING: &str = "missing";
    pub const UNDECLARED: &str = "undeclared";
    pub const PERSON: &str = "person";
    pub const PERSON_SCOPE: &str = "person_scope";
    /// How tables are written: for all, and of a provider.
    pub const FORMAT: &str = "format";
    pub const SHEET: &str = "sheet";
    pub const ENCODING: &str = "encoding";
    pub const DELIMITER: &str = "delimiter";
    pub const DECIMAL: &str = "decimal";
    pub const DATE_FORMAT: &str = "date_format";
    pub const HEADER: &str = "header";
    pub const NAMES: &str = "names";
    pub const COLUMNS: &str = "columns";
    /// How much of the tables is taken.
    pub const LIMITS: &str = "limits";
    pub const ROWS: &str = "rows";
    pub const UNPACKED_BYTES: &str = "unpacked_bytes";
    pub const MEMORY_BYTES: &str = "memory_bytes";
    pub const OF_LIMITS: &[&str] = &[ROWS, UNPACKED_BYTES, MEMORY_BYTES];

    /// Of a provider.
    pub const NAME: &str = "name";

    /// Some keys, and those that say how tables are written.
    macro_rules! with_format {
        ($($own:ident),*) => {
            &[
                $($own,)* FORMAT, SHEET, ENCODING, DELIMITER, DECIMAL, DATE_FORMAT, HEADER, NAMES,
                COLUMNS,
            ]
        };
    }
    pub const ALL: &[&str] = with_format![
        PROVIDERS,
        PATH,
        SOURCE,
        TABLE,
        QUERY,
        PROVIDER_COLUMN,
        PERSON,
        PERSON_SCOPE,
        MISSING,
        UNDECLARED,
        LIMITS
    ];
    pub const OF_PROVIDER: &[&str] = with_format![NAME, PATH, SOURCE, TABLE, QUERY, MISSING];
}

/// Of a column.
pub(crate) mod column {
    pub const ROLE: &str = "role";
    pub const KIND: &str = "kind";
    pub const HIERARCHY: &str = "hierarchy";
    pub const ORDER: &str = "order";
    pub const DOMAIN: &str = "domain";
    pub const OPTIONAL: &str = "optional";
    pub const SEPARATOR: &str = "separator";
    pub const GRID: &str = "grid";
    pub const SPELLING: &str = "spelling";
    pub const ALL: &[&str] = &[
        ROLE, KIND, HIERARCHY, ORDER, DOMAIN, OPTIONAL, SEPARATOR, GRID, SPELLING,
    ];

    /// A kind beside the model's: categories that are bands of numbers, in their order.
    pub const BAND: &str = "band";
}

/// Of a hierarchy that is made from the values themselves.
pub(crate) mod hierarchy {
    pub const MASK: &str = "mask";
    pub const INTERVALS: &str = "intervals";
    pub const DATES: &str = "dates";
    pub const PREFIX: &str = "prefix";
    pub const BANDS: &str = "bands";
    pub const AGE: &str = "age";
    pub const TEMPLATE: &str = "template";
    pub const ALL: &[&str] = &[MASK, INTERVALS, DATES, PREFIX, BANDS, AGE, TEMPLATE];
}

/// Of `[privacy]`, beside the catalogue's.
pub(crate) mod privacy {
    pub const M: &str = "m";
    pub const SEMANTICS: &str = "semantics";
    pub const SITE_DIVERSITY: &str = "site_diversity";
    pub const JOINT: &str = "joint";
    pub const SENSITIVE: &str = "sensitive";
    pub const ROWS: &str = "rows";
    pub const KNOWS: &str = "knows";
}

/// Of `[method]`.
pub(crate) mod method {
    pub const NAME: &str = "name";
    pub const VERIFICATION: &str = "verification";
    pub const SEED: &str = "seed";
    pub const RANGES: &str = "ranges";
    pub const OUTPUT: &str = "output";
    pub const MAX_SUPPRESSED: &str = "max_suppressed";
    pub const EFFORT: &str = "effort";
    pub const OPTIMIZE: &str = "optimize";
    pub const LABELS: &str = "labels";
    pub const MAX_LABEL_VALUES: &str = "max_label_values";
    pub const ALL: &[&str] = &[
        NAME,
        VERIFICATION,
        SEED,
        RANGES,
        OUTPUT,
        MAX_SUPPRESSED,
        EFFORT,
        OPTIMIZE,
        LABELS,
        MAX_LABEL_VALUES,
    ];
}

/// Of `[release]`.
pub(crate) mod release {
    pub const FORMAT: &str = "format";
    pub const FRAGMENTED: &str = "fragmented";
    pub const PUBLISH_UTILITY: &str = "publish_utility";
    pub const STRICT: &str = "strict";
    pub const READERS: &str = "readers";
    pub const ALL: &[&str] = &[FORMAT, FRAGMENTED, PUBLISH_UTILITY, STRICT, READERS];
}
