//! The slow truth: constraints decided word by word from their definitions.
//!
//! For tests, in this crate and in others. Rows are written out one by one, shares are fractions of
//! big integers, the earth mover's distance is the cheapest transport found by search, and nothing
//! is shared with the code that is tested. Cost: fit for dozens of rows, not for thousands.

pub mod people;
mod transport;

use crate::constraint::Attribute;
use crate::ratio::Ratio;
use crate::rule::{Distance, L, Promise};
use mingle_model::{Code, Published, SensitiveColumn};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// One person: a code for each sensitive attribute.
pub type Row = Vec<Code>;

/// A row's value of an attribute: one code, or for all attributes together all of them.
type Value = Vec<Code>;

/// The rows of a published group, one by one.
pub fn rows(published: &Published, group: usize) -> Vec<Row> {
    let row = |combination: u32| -> Row {
        published
            .sensitive()
            .iter()
            .map(|column| column.codes.get(combination as usize))
            .collect()
    };
    let entries = published.entries(group).iter();
    entries
        .flat_map(|e| (0..e.count).map(|_| row(e.sensitive)).collect::<Vec<_>>())
        .collect()
}

/// Every failure, as places of constraint and group: by constraint, then by group.
pub fn failures(published: &Published, promises: &[Promise]) -> Vec<(usize, usize)> {
    let groups: Vec<Vec<Row>> = (0..published.groups())
        .map(|group| rows(published, group))
        .collect();
    let table = groups.concat();
    let mut failures = Vec::new();
    for (constraint, promise) in promises.iter().enumerate() {
        for (group, rows) in groups.iter().enumerate() {
            if !holds(promise, published.sensitive(), rows, &table) {
                failures.push((constraint, group));
            }
        }
    }
    failures
}

/// Whether a group satisfies a promise.
///
/// # Panics
/// When the promise does not fit the columns, as [`Requirement::bind`](crate::Requirement::bind)
/// would have said, or when the constraint's definition was not written down here.
pub fn holds(
    promise: &Promise,
    sensitive: &[SensitiveColumn],
    group: &[Row],
    table: &[Row],
) -> bool {
    if group.is_empty() {
        return false;
    }
    let rule = promise.rule;
    if let Some(k) = rule.as_k_anonymity() {
        return group.len() as u64 >= k.0;
    }
    if let Some(max) = rule.as_max_share_of_rows() {
        // each row is one person
        return at_most((BigUint::ONE, group.len().into()), fraction(max));
    }
    let attribute = promise
        .attribute
        .expect("all other constraints are about an attribute");
    let values = project(attribute, group);
    if let Some(l) = rule.as_distinct_diversity() {
        let complete = |value: &&Value| !has_missing(attribute, sensitive, value);
        let different: BTreeSet<&Value> = values.iter().filter(complete).collect();
        return different.len() as u64 >= l.0;
    }
    if let Some(l) = rule.as_entropy_diversity() {
        return entropy_at_least(&values, l);
    }
    if let Some((c, L(l))) = rule.as_recursive_diversity() {
        return recursive(&values, c, l);
    }
    if let Some(max) = rule.as_max_frequency() {
        let share = |value: &Value| (occurrences(value, &values), count(&values));
        return values
            .iter()
            .all(|value| at_most(share(value), fraction(max)));
    }
    if let Some((max, ground)) = rule.as_t_closeness() {
        let apart = distance(attribute, ground, sensitive, group, table);
        return apart.is_some_and(|d| at_most(d, fraction(max)));
    }
    panic!("the definition of {} is not written down here", rule.name())
}

/// The earth mover's distance of a group to the table as a fraction; `None` where a value has no
/// place in the table's order.
///
/// # Panics
/// When the ground distance does not fit the attribute, or a list of rows is empty.
pub fn distance(
    attribute: Attribute,
    ground: Distance,
    sensitive: &[SensitiveColumn],
    group: &[Row],
    table: &[Row],
) -> Option<(BigUint, BigUint)> {
    let (group, table) = (project(attribute, group), project(attribute, table));
    let values: Vec<Value> = group
        .iter()
        .chain(&table)
        .cloned()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    if ground == Distance::Ordered && group.iter().any(|value| !table.contains(value)) {
        return None;
    }
    let (apart, unit) = ground_distance(attribute, ground, sensitive, &values);
    let amount = |value: &Value, of: &[Value], times: usize| {
        of.iter().filter(|other| *other == value).count() as u64 * times as u64
    };
    let supply: Vec<u64> = values
        .iter()
        .map(|v| amount(v, &group, table.len()))
        .collect();
    let demand: Vec<u64> = values
        .iter()
        .map(|v| amount(v, &table, group.len()))
        .collect();
    let cost = transport::cheapest(&supply, &demand, &apart);
    Some((cost.into(), BigUint::from(group.len()) * table.len() * unit))
}

/// A matrix of whole numbers and what they must be divided by.
fn ground_distance(
    attribute: Attribute,
    ground: Distance,
    sensitive: &[SensitiveColumn],
    values: &[Value],
) -> (Vec<Vec<u64>>, u64) {
    let domain = || match attribute {
        Attribute::Column(column) => &sensitive[column].domain,
        Attribute::Joint => {
            panic!("only the equal distance is defined for several attributes together")
        }
    };
    let matrix = |apart: &dyn Fn(&Value, &Value) -> u64| -> Vec<Vec<u64>> {
        values
            .iter()
            .map(|a| values.iter().map(|b| apart(a, b)).collect())
            .collect()
    };
    match ground {
        Distance::Equal => (matrix(&|a, b| u64::from(a != b)), 1),
        Distance::Ordered => {
            let place = |v: &Value| {
                if domain().missing() == Some(v[0]) {
                    (0, 0, 0)
                } else {
                    (1, domain().number(v[0]).unwrap_or(0), v[0])
                }
            };
            let rank = |v: &Value| {
                values
                    .iter()
                    .filter(|other| place(other) < place(v))
                    .count() as u64
            };
            (
                matrix(&|a, b| rank(a).abs_diff(rank(b))),
                (values.len() as u64 - 1).max(1),
            )
        }
        Distance::Hierarchical => {
            let tree = domain()
                .hierarchy()
                .expect("the hierarchical distance needs a hierarchy");
            let climb = |a: &Value, b: &Value| {
                (0..=tree.height())
                    .find(|&level| tree.ancestor(a[0], level) == tree.ancestor(b[0], level))
            };
            (
                matrix(&|a, b| climb(a, b).expect("all meet at the root") as u64),
                tree.height() as u64,
            )
        }
    }
}

fn project(attribute: Attribute, rows: &[Row]) -> Vec<Value> {
    let value = |row: &Row| match attribute {
        Attribute::Column(column) => vec![row[column]],
        Attribute::Joint => row.clone(),
    };
    rows.iter().map(value).collect()
}

fn has_missing(attribute: Attribute, sensitive: &[SensitiveColumn], value: &Value) -> bool {
    let missing = |column: usize, code: Code| sensitive[column].domain.missing() == Some(code);
    match attribute {
        Attribute::Column(column) => missing(column, value[0]),
        Attribute::Joint => value
            .iter()
            .enumerate()
            .any(|(column, &code)| missing(column, code)),
    }
}

/// H = sum over rows of (1/N) log (N / occurrences), at least log (p/q). Times N and without
/// logarithms: the product over rows of N / occurrences is at least that of p/q.
fn entropy_at_least(values: &[Value], l: Ratio) -> bool {
    let (p, q) = fraction(l);
    let mut left = (BigUint::ONE, BigUint::ONE);
    let mut right = (BigUint::ONE, BigUint::ONE);
    for value in values {
        left = (left.0 * count(values), left.1 * occurrences(value, values));
        right = (right.0 * &p, right.1 * &q);
    }
    at_most(right, left)
}

fn recursive(values: &[Value], c: Ratio, l: u64) -> bool {
    let mut counts: BTreeMap<&Value, u64> = BTreeMap::new();
    values
        .iter()
        .for_each(|value| *counts.entry(value).or_default() += 1);
    let mut descending: Vec<u64> = counts.into_values().collect();
    descending.sort_unstable();
    descending.reverse();
    let tail: u64 = descending.iter().skip(l as usize - 1).sum();
    let (c, over) = fraction(c);
    over * descending[0] < c * tail
}

fn occurrences(value: &Value, values: &[Value]) -> BigUint {
    values.iter().filter(|other| *other == value).count().into()
}

fn count(values: &[Value]) -> BigUint {
    values.len().into()
}

fn fraction(ratio: Ratio) -> (BigUint, BigUint) {
    (ratio.numerator().into(), ratio.denominator().into())
}

fn at_most(less: (BigUint, BigUint), more: (BigUint, BigUint)) -> bool {
    less.0 * more.1 <= more.0 * less.1
}
