//! What a policy says in outline, read without asking whether it makes sense.
//!
//! A policy that is refused, because its last sensitive column was just given another role, still
//! has columns to show. So nothing here fails: what is not there, or of another type than its key
//! takes, is left out or has its default. The keys are those of the strict reader.

use super::format::FormatKeys;
use super::json::written;
use super::keys;
use super::source::PolicyText;
use super::tree::Node;
use mingle_anonymize::METHODS;
use mingle_io::{Format, TableFormat};
use mingle_model::Role;
use mingle_privacy::{Catalogue, Distance, Semantics};
use mingle_record::policy_document::PolicyValue;

/// What a policy says.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyOutline {
    /// The tables: one, or one per provider.
    pub tables: Vec<OutlinedTable>,
    /// The column that names the provider.
    pub provider_column: Option<String>,
    /// The identifier that tells people apart, or `row`, as written.
    pub person: Option<String>,
    /// The columns, in the order written.
    pub columns: Vec<OutlinedColumn>,
    /// What `[privacy]` promises, where there is such a section.
    pub limits: Option<OutlinedLimits>,
    /// The anonymizer.
    pub method: String,
    /// The largest share of rows that may be left out.
    pub max_suppressed: f64,
    /// The format of the published tables.
    pub format: String,
    /// Whether sensitive columns are published in tables of their own.
    pub fragmented: bool,
}

/// A table that a policy names.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlinedTable {
    /// The provider; none for one table of all.
    pub provider: Option<String>,
    /// The file, as written.
    pub file: String,
    /// How it is written, as far as that can be read.
    pub format: TableFormat,
}

/// A column as far as it is declared.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlinedColumn {
    /// Its name.
    pub name: String,
    /// Its role, as written; empty where there is none.
    pub role: String,
    /// Its kind, as written.
    pub kind: Option<String>,
    /// How its values generalize.
    pub hierarchy: Option<OutlinedHierarchy>,
    /// The order of a category.
    pub order: Option<Vec<String>>,
}

/// A hierarchy as declared.
#[derive(Clone, PartialEq, Debug)]
pub enum OutlinedHierarchy {
    /// A file, as written.
    File(String),
    /// So many digits are masked from the right.
    Mask(f64),
    /// Intervals of these widths, as texts.
    Intervals(Vec<String>),
    /// Levels of dates.
    Dates,
    /// So many first characters on each level.
    Prefix(Vec<f64>),
    /// Bounds of bands on each level, as texts.
    Bands(Vec<Vec<String>>),
    /// Years of age on a day, and bounds of bands of them.
    Age {
        /// The day, as written.
        at: String,
        /// Bounds on each level, as texts.
        bands: Vec<Vec<String>>,
    },
    /// The name of a public code system.
    Template(String),
}

/// What `[privacy]` promises.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlinedLimits {
    /// The largest coalition.
    pub m: Option<f64>,
    /// The group size.
    pub k: Option<f64>,
    /// What a group with few contributors counts as.
    pub semantics: String,
    /// What holds for each sensitive column.
    pub sensitive: Vec<OutlinedSensitive>,
}

/// What is promised about a sensitive column: its own words count more than those for all.
#[derive(Clone, PartialEq, Debug)]
pub struct OutlinedSensitive {
    /// Its name.
    pub column: String,
    /// At least so many distinct values.
    pub l_distinct: Option<f64>,
    /// Entropy l-diversity.
    pub l_entropy: Option<f64>,
    /// Recursive (c, l)-diversity.
    pub l_recursive: Option<(f64, f64)>,
    /// t-closeness.
    pub t: Option<f64>,
    /// The distance of t-closeness.
    pub t_distance: Option<String>,
    /// The largest share of one value.
    pub max_frequency: Option<f64>,
    /// The keys that the policy says about this column alone.
    pub own: Vec<String>,
}

impl PolicyOutline {
    /// What a text says, if it is TOML.
    pub fn of_text(text: &str) -> Option<PolicyOutline> {
        let source = PolicyText::file("policy.toml".to_owned(), text.to_owned());
        let root = Node::parse(&source).ok()?;
        Some(PolicyOutline::of(&root))
    }

    /// What a tree says.
    pub fn of(root: &Node) -> PolicyOutline {
        let document = root.to_policy_value();
        let data = Said(Some(&document)).key(keys::DATA);
        let privacy = Said(Some(&document)).key(keys::PRIVACY);
        let method = Said(Some(&document)).key(keys::METHOD);
        let release = Said(Some(&document)).key(keys::RELEASE);
        let mut columns = Vec::new();
        for (name, column) in Said(Some(&document)).key(keys::COLUMNS).entries() {
            columns.push(outlined_column(name, column));
        }
        PolicyOutline {
            tables: tables(data, root),
            provider_column: data.key(keys::data::PROVIDER_COLUMN).owned_text(),
            person: data.key(keys::data::PERSON).owned_text(),
            limits: privacy.0.map(|_| limits(privacy, &columns)),
            columns,
            method: method
                .key(keys::method::NAME)
                .text()
                .unwrap_or(METHODS[0].name)
                .to_owned(),
            max_suppressed: method
                .key(keys::method::MAX_SUPPRESSED)
                .number()
                .unwrap_or(0.0),
            format: release
                .key(keys::release::FORMAT)
                .text()
                .unwrap_or(Format::Csv.name())
                .to_owned(),
            fragmented: release.key(keys::release::FRAGMENTED).0
                == Some(&PolicyValue::Boolean(true)),
        }
    }
}

/// What a policy says somewhere, if anything.
#[derive(Clone, Copy)]
struct Said<'a>(Option<&'a PolicyValue>);

impl<'a> Said<'a> {
    fn key(self, key: &str) -> Said<'a> {
        let table = self.0.and_then(PolicyValue::as_table);
        Said(table.and_then(|table| table.get(key)))
    }

    fn text(self) -> Option<&'a str> {
        self.0?.as_text()
    }

    fn owned_text(self) -> Option<String> {
        self.text().map(str::to_owned)
    }

    /// Numbers of a policy are kept as they were written, so that a text may be one.
    fn number(self) -> Option<f64> {
        match self.0? {
            PolicyValue::Integer(number) => Some(*number as f64),
            PolicyValue::Float(number) => Some(*number),
            PolicyValue::Text(text) => text.parse().ok(),
            _ => None,
        }
    }

    fn list(self) -> Option<&'a [PolicyValue]> {
        self.0?.as_list()
    }

    fn entries(self) -> Vec<(&'a str, Said<'a>)> {
        let mut entries = Vec::new();
        if let Some(table) = self.0.and_then(PolicyValue::as_table) {
            for (key, value) in table.iter() {
                entries.push((key, Said(Some(value))));
            }
        }
        entries
    }
}

fn tables(data: Said<'_>, root: &Node) -> Vec<OutlinedTable> {
    let all = FormatKeys::read_what_can_be(root.under(keys::DATA)).of_all();
    if let Some(file) = data.key(keys::data::PATH).owned_text() {
        return vec![OutlinedTable {
            provider: None,
            file,
            format: all.format(),
        }];
    }
    let nodes = root.at([keys::DATA, keys::data::PROVIDERS]);
    let nodes = nodes.and_then(|node| node.list().ok()).unwrap_or_default();
    let mut tables = Vec::new();
    let said = data.key(keys::data::PROVIDERS).list().unwrap_or_default();
    for (provider, node) in said.iter().zip(nodes) {
        let provider = Said(Some(provider));
        let format = FormatKeys::read_what_can_be(Some(node)).or(&all).format();
        tables.push(OutlinedTable {
            format,
            provider: provider.key(keys::data::NAME).owned_text(),
            file: provider
                .key(keys::data::PATH)
                .owned_text()
                .unwrap_or_default(),
        });
    }
    tables
}

fn outlined_column(name: &str, column: Said<'_>) -> OutlinedColumn {
    let order = column.key(keys::column::ORDER).list().map(|listed| {
        let texts = listed.iter().filter_map(PolicyValue::as_text);
        texts.map(str::to_owned).collect()
    });
    OutlinedColumn {
        name: name.to_owned(),
        role: column
            .key(keys::column::ROLE)
            .owned_text()
            .unwrap_or_default(),
        kind: column.key(keys::column::KIND).owned_text(),
        hierarchy: hierarchy(column.key(keys::column::HIERARCHY)),
        order,
    }
}

fn hierarchy(declared: Said<'_>) -> Option<OutlinedHierarchy> {
    if let Some(name) = declared.owned_text() {
        return Some(OutlinedHierarchy::File(name));
    }
    // an age may have bands beside it, in any order
    if let Some(at) = declared.key(keys::hierarchy::AGE).owned_text() {
        let bands = levels(declared.key(keys::hierarchy::BANDS)).unwrap_or_default();
        return Some(OutlinedHierarchy::Age { at, bands });
    }
    let &(kind, value) = declared.entries().first()?;
    match kind {
        keys::hierarchy::MASK => value.number().map(OutlinedHierarchy::Mask),
        keys::hierarchy::INTERVALS => Some(OutlinedHierarchy::Intervals(texts(value.list()?))),
        keys::hierarchy::PREFIX => {
            let mut lengths = Vec::new();
            for length in value.list()? {
                lengths.push(Said(Some(length)).number()?);
            }
            Some(OutlinedHierarchy::Prefix(lengths))
        }
        keys::hierarchy::BANDS => levels(value).map(OutlinedHierarchy::Bands),
        keys::hierarchy::AGE => None,
        keys::hierarchy::TEMPLATE => value.owned_text().map(OutlinedHierarchy::Template),
        _ => Some(OutlinedHierarchy::Dates),
    }
}

/// One list of bounds, or one on each level.
fn levels(declared: Said<'_>) -> Option<Vec<Vec<String>>> {
    let list = declared.list()?;
    if !list.iter().any(|item| item.as_list().is_some()) {
        return Some(vec![texts(list)]);
    }
    let mut levels = Vec::new();
    for level in list {
        levels.push(texts(level.as_list().unwrap_or_default()));
    }
    Some(levels)
}

fn texts(list: &[PolicyValue]) -> Vec<String> {
    let mut texts = Vec::new();
    for item in list {
        texts.push(item.as_text().map_or_else(|| written(item), str::to_owned));
    }
    texts
}

/// The catalogue's keys that an outline has fields for, and what stands below them.
const K: &str = "k";
const L: &str = "l";
const L_DISTINCT: &str = "distinct";
const L_ENTROPY: &str = "entropy";
const L_RECURSIVE: &str = "recursive";
const RECURSIVE_C: &str = "c";
const RECURSIVE_L: &str = "l";
const T: &str = "t";
const T_MAX: &str = "max";
const T_DISTANCE: &str = "distance";
const MAX_FREQUENCY: &str = "max_frequency";

fn limits(privacy: Said<'_>, columns: &[OutlinedColumn]) -> OutlinedLimits {
    let mut sensitive = Vec::new();
    for column in columns {
        if column.role == Role::Sensitive.name() {
            sensitive.push(outlined_sensitive(&column.name, privacy));
        }
    }
    OutlinedLimits {
        m: privacy.key(keys::privacy::M).number(),
        k: privacy.key(K).number(),
        semantics: privacy
            .key(keys::privacy::SEMANTICS)
            .text()
            .unwrap_or(Semantics::Victim.name())
            .to_owned(),
        sensitive,
    }
}

fn outlined_sensitive(column: &str, privacy: Said<'_>) -> OutlinedSensitive {
    let own = privacy.key(keys::privacy::SENSITIVE).key(column);
    let (l, t) = (limit(own, privacy, L), limit(own, privacy, T));
    let recursive = l.key(L_RECURSIVE);
    let is_table = t.0.is_some_and(|value| value.as_table().is_some());
    let distance = t.key(T_DISTANCE).text();
    let mut own_keys = Catalogue::standard().keys(false);
    own_keys.retain(|key| own.key(key).0.is_some());
    OutlinedSensitive {
        column: column.to_owned(),
        l_distinct: l.key(L_DISTINCT).number(),
        l_entropy: l.key(L_ENTROPY).number(),
        l_recursive: recursive
            .key(RECURSIVE_C)
            .number()
            .zip(recursive.key(RECURSIVE_L).number()),
        t: t.key(T_MAX).number(),
        t_distance: is_table.then(|| distance.unwrap_or(Distance::default().name()).to_owned()),
        max_frequency: limit(own, privacy, MAX_FREQUENCY).number(),
        own: own_keys.into_iter().map(str::to_owned).collect(),
    }
}

/// A column's own word, or else the one for all.
fn limit<'a>(own: Said<'a>, privacy: Said<'a>, key: &str) -> Said<'a> {
    Said(own.key(key).0.or(privacy.key(key).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outlined_is_in_the_catalogue() {
        let has = |key: &str, variant: Option<&str>, parameter: &str| {
            Catalogue::standard().with_key(key).any(|kind| {
                let named = kind.policy().variant == variant;
                named && kind.parameters().iter().any(|spec| spec.name == parameter)
            })
        };
        assert!(Catalogue::standard().with_key(K).next().is_some());
        assert!(
            Catalogue::standard()
                .with_key(MAX_FREQUENCY)
                .next()
                .is_some()
        );
        for variant in [L_DISTINCT, L_ENTROPY] {
            let mut kinds = Catalogue::standard().with_key(L);
            assert!(kinds.any(|kind| kind.policy().variant == Some(variant)));
        }
        assert!(has(L, Some(L_RECURSIVE), RECURSIVE_C));
        assert!(has(L, Some(L_RECURSIVE), RECURSIVE_L));
        assert!(has(T, None, T_MAX));
        assert!(has(T, None, T_DISTANCE));
    }

    #[test]
    fn a_policy_that_is_refused_still_has_an_outline() {
        let text = "[data]\nproviders = [{ name = \"P1\", path = \"p1.csv\" }, 7]\n\
                    [columns.zip]\nrole = \"nonsense\"\nhierarchy = { intervals = [5, 0.10, \"x\", true] }\n\
                    [columns.disease]\nrole = \"sensitive\"\norder = [\"a\", 1, \"b\"]\n\
                    [privacy]\nk = +3\nt = { max = 0.2 }\nunknown = 1\n\
                    [privacy.sensitive.disease]\nl = { recursive = { c = 3, l = 2 } }\n\
                    [release]\nfragmented = 1\n";
        let outline = PolicyOutline::of_text(text).unwrap();
        let files: Vec<&str> = outline.tables.iter().map(|t| t.file.as_str()).collect();
        assert_eq!(files, ["p1.csv", ""]);
        let widths = ["5", "0.1", "x", "true"].map(str::to_owned).to_vec();
        assert_eq!(
            outline.columns[0].hierarchy,
            Some(OutlinedHierarchy::Intervals(widths))
        );
        assert_eq!(
            outline.columns[1].order,
            Some(vec!["a".to_owned(), "b".to_owned()])
        );
        let limits = outline.limits.unwrap();
        assert_eq!((limits.m, limits.k), (None, Some(3.0)));
        let disease = &limits.sensitive[0];
        assert_eq!(disease.l_recursive, Some((3.0, 2.0)));
        assert_eq!(disease.t_distance.as_deref(), Some("equal"));
        assert_eq!(disease.own, ["l"]);
        assert!(!outline.fragmented);
        assert_eq!(PolicyOutline::of_text("[data"), None);
        assert_eq!(PolicyOutline::of_text("privacy = 1").unwrap().columns, []);
    }
}
