//! `[privacy]`: what is promised, as rules for each sensitive attribute.
//!
//! Order of the promises, which decides ties between witnesses: k-anonymity; then, sensitive column
//! by sensitive column in the policy's order, what `[privacy]` says in the order written; then what
//! holds for all sensitive columns together.

use super::columns::{DeclaredColumn, DeclaredHierarchy};
use super::tree::{Entry, Fields, Node, Value};
use crate::explain::Code;
use crate::message::{Problem, closest};
use mingle_model::Role;
use mingle_privacy::constraint::{
    Absent, DistinctDiversity, EntropyDiversity, Equal, Ground, KAnonymity, MaxFrequency,
    RecursiveDiversity, TCloseness,
};
use mingle_privacy::{L, K, Attribute, Distance, Promise, Rule, Semantics};

/// What is promised, and against whom.
#[derive(Debug)]
pub struct Privacy {
    /// How many providers may collude, where the policy says it.
    pub m: Option<u64>,
    /// What a group with few contributors counts as.
    pub semantics: Semantics,
    /// The constraints, in their order.
    pub promises: Vec<Promise>,
    /// The same before they are spread over columns: k, then what holds for every sensitive
    /// attribute.
    pub general: Vec<Rule>,
}

const KEYS: &[&str] = &[
    "m",
    "k",
    "l",
    "t",
    "max_frequency",
    "semantics",
    "site_diversity",
    "joint",
    "sensitive",
];
const PER_ATTRIBUTE: &[&str] = &["l", "t", "max_frequency"];

impl Privacy {
    /// Reads the section; columns say which attributes are sensitive. With a partner, who may have
    /// sensitive columns where this policy has none, a promise about them is no mistake.
    pub fn read(
        section: &Node,
        columns: &[DeclaredColumn],
        with_partner: bool,
    ) -> Result<Privacy, Problem> {
        let fields = section.fields(KEYS)?;
        let m = fields.get("m").map(|node| node.whole(0)).transpose()?;
        let semantics = semantics(&fields)?;
        let sensitive: Vec<&DeclaredColumn> = columns
            .iter()
            .filter(|c| c.spec.role == Role::Sensitive)
            .collect();
        let mut promises: Vec<Promise> = k_anonymity(&fields)?.into_iter().collect();
        let general: Vec<&Entry> = fields
            .entries
            .iter()
            .filter(|e| PER_ATTRIBUTE.contains(&e.key.as_str()))
            .collect();
        if let (Some(entry), true) = (general.first(), sensitive.is_empty() && !with_partner) {
            let text = format!(
                "`{}` needs a sensitive column, and none is declared",
                entry.node.path
            );
            let hint = "give a column role = \"sensitive\", or take the constraint out";
            return Err(entry.place.problem(Code::NoSensitive, text, hint));
        }
        let overrides = overrides(&fields, &sensitive)?;
        for (index, column) in sensitive.iter().enumerate() {
            let own = overrides
                .iter()
                .find(|(name, _)| *name == column.spec.name)
                .map_or(&[][..], |(_, own)| own);
            for entry in merged(&general, own) {
                check_distance(entry, column)?;
                promises.extend(
                    rules(entry)?
                        .into_iter()
                        .map(|rule| about(rule, Attribute::Column(index))),
                );
            }
        }
        promises.extend(joint(&fields, &general, sensitive.len())?);
        if promises.is_empty() {
            let hint = "add at least k, such as k = 5";
            return Err(section.problem(Code::NothingPromised, "[privacy] promises nothing", hint));
        }
        let general = general_rules(&promises, &general)?;
        Ok(Privacy {
            m,
            semantics,
            promises,
            general,
        })
    }

    /// The promised group size; 1 where none is promised.
    pub fn k(&self) -> u64 {
        let k = |promise: &Promise| match promise.rule {
            Rule::KAnonymity { k } => Some(k),
            _ => None,
        };
        self.promises.iter().find_map(k).unwrap_or(1)
    }
}

/// k first, then the others in a fixed order, so that two policies that say the same compare as
/// equal.
fn general_rules(promises: &[Promise], general: &[&Entry]) -> Result<Vec<Rule>, Problem> {
    let k = promises
        .iter()
        .map(|promise| promise.rule)
        .filter(|rule| matches!(rule, Rule::KAnonymity { .. }));
    let mut all: Vec<Rule> = k.collect();
    for key in PER_ATTRIBUTE {
        for entry in general.iter().filter(|entry| entry.key == *key) {
            all.extend(rules(entry)?);
        }
    }
    Ok(all)
}

fn semantics(fields: &Fields<'_>) -> Result<Semantics, Problem> {
    let strict = fields.get("semantics").map_or(Ok(false), |node| {
        node.choice(&[("victim", false), ("strict", true)])
    })?;
    let site_diversity = fields
        .get("site_diversity")
        .map(|node| node.whole(1))
        .transpose()?;
    match (strict, fields.get("site_diversity")) {
        (true, _) => Ok(Semantics::Strict {
            site_diversity: site_diversity.unwrap_or(1),
        }),
        (false, None) => Ok(Semantics::Victim),
        (false, Some(node)) => {
            let text = "`privacy.site_diversity` goes with strict semantics only";
            let hint = "add semantics = \"strict\", or take `site_diversity` out";
            Err(node.problem(Code::Contradiction, text, hint))
        }
    }
}

fn k_anonymity(fields: &Fields<'_>) -> Result<Option<Promise>, Problem> {
    let Some(node) = fields.get("k") else {
        return Ok(None);
    };
    let k = node.whole(1)?;
    KAnonymity::new(k).map_err(|e| node.parameter(&e))?;
    Ok(Some(Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }))
}

/// The entries of each `[privacy.sensitive.NAME]`, by column.
fn overrides<'a>(
    fields: &Fields<'a>,
    sensitive: &[&DeclaredColumn],
) -> Result<Vec<(&'a str, &'a [Entry])>, Problem> {
    let Some(node) = fields.get("sensitive") else {
        return Ok(Vec::new());
    };
    let one = |entry: &'a Entry| {
        let names = || sensitive.iter().map(|c| c.spec.name.as_str());
        if !names().any(|name| name == entry.key) {
            let text = format!(
                "[privacy.sensitive.{}]: no sensitive column of that name",
                entry.key
            );
            let close = closest(&entry.key, names())
                .map_or(String::new(), |name| format!("did you mean `{name}`? "));
            let hint = format!(
                "{close}sensitive columns: {}",
                names().collect::<Vec<_>>().join(", ")
            );
            return Err(entry.place.problem(Code::NoSensitive, text, hint));
        }
        Ok((
            entry.key.as_str(),
            entry.node.fields(PER_ATTRIBUTE)?.entries,
        ))
    };
    node.entries()?.iter().map(one).collect()
}

/// What `[privacy]` says, with a column's own words in place of it, then what only the column says.
fn merged<'a>(general: &[&'a Entry], own: &'a [Entry]) -> Vec<&'a Entry> {
    let of_column = |key: &str| own.iter().find(|entry| entry.key == key);
    let mut all: Vec<&Entry> = general
        .iter()
        .map(|entry| of_column(&entry.key).unwrap_or(*entry))
        .collect();
    all.extend(
        own.iter()
            .filter(|entry| general.iter().all(|other| other.key != entry.key)),
    );
    all
}

/// The rules of `l`, `t` or `max_frequency`.
fn rules(entry: &Entry) -> Result<Vec<Rule>, Problem> {
    match entry.key.as_str() {
        "l" => diversity(&entry.node),
        "t" => closeness(&entry.node).map(|rule| vec![rule]),
        _ => {
            let max = entry.node.ratio()?;
            MaxFrequency::new(Attribute::Joint, max).map_err(|e| entry.node.parameter(&e))?;
            Ok(vec![Rule::max_frequency(max)])
        }
    }
}

fn diversity(node: &Node) -> Result<Vec<Rule>, Problem> {
    let example = "write { distinct = 2 }, { entropy = 2 } or { recursive = { c = 3, l = 2 } }";
    let which = || {
        node.problem(
            Code::WrongValue,
            format!("`{}` must say which diversity", node.path),
            example,
        )
    };
    let Value::Table(_) = node.value else {
        return Err(which());
    };
    let fields = node.fields(&["distinct", "entropy", "recursive"])?;
    if fields.entries.is_empty() {
        return Err(which());
    }
    let rule = |entry: &Entry| match entry.key.as_str() {
        "distinct" => {
            let l = entry.node.whole(1)?;
            DistinctDiversity::new(Attribute::Joint, l, Absent::Never)
                .map_err(|e| entry.node.parameter(&e))?;
            Ok(Rule::distinct_diversity(L(l)))
        }
        "entropy" => {
            let l = entry.node.ratio()?;
            EntropyDiversity::new(Attribute::Joint, l).map_err(|e| entry.node.parameter(&e))?;
            Ok(Rule::entropy_diversity(l))
        }
        _ => {
            let fields = entry.node.fields(&["c", "l"])?;
            let c = fields.require("c", "c, such as c = 3")?.ratio()?;
            let l = fields.require("l", "l, such as l = 2")?.whole(1)?;
            RecursiveDiversity::new(Attribute::Joint, c, l)
                .map_err(|e| entry.node.parameter(&e))?;
            Ok(Rule::recursive_diversity(c, L(l)))
        }
    };
    fields.entries.iter().map(rule).collect()
}

fn closeness(node: &Node) -> Result<Rule, Problem> {
    let Value::Table(_) = node.value else {
        let text = format!("`{}` must say how far and by which distance", node.path);
        return Err(node.problem(
            Code::WrongValue,
            text,
            "write { max = 0.2, distance = \"equal\" }",
        ));
    };
    let fields = node.fields(&["max", "distance"])?;
    let max_node = fields.require("max", "max, such as max = 0.2")?;
    let max = max_node.ratio()?;
    let nowhere = Ground::Equal(Equal::new(Vec::new()));
    TCloseness::new(Attribute::Joint, max, nowhere).map_err(|e| max_node.parameter(&e))?;
    let distances = Distance::ALL.map(|distance| (distance.name(), distance));
    let distance = fields
        .get("distance")
        .map_or(Ok(Distance::Equal), |node| node.choice(&distances))?;
    Ok(Rule::t_closeness(max, distance))
}

/// A hierarchical distance without a hierarchy is known to fail before any table is read.
fn check_distance(entry: &Entry, column: &DeclaredColumn) -> Result<(), Problem> {
    let hierarchical = || {
        matches!(
            rules(entry).as_deref(),
            Ok([Rule::TCloseness {
                distance: Distance::Hierarchical,
                ..
            }])
        )
    };
    let has_hierarchy = matches!(
        column.hierarchy,
        Some(DeclaredHierarchy::File(..) | DeclaredHierarchy::Made(_))
    );
    if entry.key == "t" && !has_hierarchy && hierarchical() {
        let name = &column.spec.name;
        let text = format!("the hierarchical distance needs a hierarchy, column `{name}` has none");
        let hint =
            format!("add hierarchy = \"…\" to [columns.{name}], or use distance = \"equal\"");
        return Err(entry.place.problem(Code::Contradiction, text, hint));
    }
    Ok(())
}

/// What `joint = true` adds: diversity and frequency of all sensitive attributes together.
fn joint(
    fields: &Fields<'_>,
    general: &[&Entry],
    sensitive: usize,
) -> Result<Vec<Promise>, Problem> {
    let Some(node) = fields.get("joint") else {
        return Ok(Vec::new());
    };
    if !node.boolean()? {
        return Ok(Vec::new());
    }
    if sensitive < 2 {
        let text =
            format!("`privacy.joint` needs two or more sensitive columns, there are {sensitive}");
        return Err(node.problem(Code::NoSensitive, text, "take `joint` out"));
    }
    let mut promises = Vec::new();
    for entry in general.iter().filter(|entry| entry.key != "t") {
        promises.extend(
            rules(entry)?
                .into_iter()
                .map(|rule| about(rule, Attribute::Joint)),
        );
    }
    if promises.is_empty() {
        let text = "`privacy.joint` adds nothing without `privacy.l` or `privacy.max_frequency`";
        return Err(node.problem(
            Code::UselessKey,
            text,
            "add one of them, or take `joint` out",
        ));
    }
    Ok(promises)
}

fn about(rule: Rule, attribute: Attribute) -> Promise {
    Promise {
        rule,
        attribute: Some(attribute),
    }
}
