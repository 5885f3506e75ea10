//! Labels read from their texts alone.

use super::world::World;

/// What a column's values are.
#[derive(Clone, Debug)]
pub enum Sort {
    Number,
    Day,
    /// Codes whose last characters are hidden.
    Code,
    /// Leaves with the node above each; above these the root.
    Tree(Vec<(&'static str, &'static str)>),
    Word,
}

pub fn is_missing(text: &str) -> bool {
    text.is_empty() || text == "?"
}

/// Whether a value can stand behind a label.
pub fn covers(sort: &Sort, label: &str, value: &str) -> bool {
    if !label.is_empty() && label.chars().all(|c| c == '*') {
        return true;
    }
    if let Some(inner) = label.strip_prefix('{').and_then(|l| l.strip_suffix('}')) {
        return inner.split('|').any(|element| same(sort, element, value));
    }
    if is_missing(value) || is_missing(label) {
        return is_missing(value) && is_missing(label);
    }
    match sort {
        Sort::Number => number_covers(label, value),
        Sort::Day => day_covers(label, value),
        Sort::Code => masked(label, value),
        Sort::Tree(leaves) => {
            same(sort, label, value)
                || leaves
                    .iter()
                    .any(|(leaf, up)| leaf == &value && up == &label)
        }
        Sort::Word => same(sort, label, value),
    }
}

fn same(sort: &Sort, text: &str, value: &str) -> bool {
    match sort {
        _ if is_missing(text) || is_missing(value) => is_missing(text) && is_missing(value),
        Sort::Number => number(text) == number(value),
        _ => text == value,
    }
}

/// A number in thousandths.
pub fn number(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let good = |t: &str| t.chars().all(|c| c.is_ascii_digit());
    let part = format!("{part:0<3}");
    (!whole.is_empty() && good(whole) && good(&part) && part.len() == 3)
        .then(|| sign * (whole.parse::<i64>().unwrap() * 1000 + part.parse::<i64>().unwrap()))
}

fn number_covers(label: &str, value: &str) -> bool {
    let n = number(value).unwrap();
    let after = |prefix: &str| label.strip_prefix(prefix).and_then(number);
    if let Some(most) = after("<=").or_else(|| after("≤")) {
        return n <= most;
    }
    if let Some(least) = after(">=").or_else(|| after("≥")) {
        return n >= least;
    }
    if let Some(end) = after("<") {
        return n < end;
    }
    if let Some(start) = after(">") {
        return n > start;
    }
    if label.contains('*') {
        return masked(label, value);
    }
    if let Some(exact) = number(label) {
        return n == exact;
    }
    let (open, close) = (label.chars().next().unwrap(), label.chars().last().unwrap());
    if let Some((low, high)) = label.split_once(", ") {
        let (low, high) = (
            number(&low[1..]).unwrap(),
            number(&high[..high.len() - 1]).unwrap(),
        );
        return (low < n || (open == '[' && low == n)) && (n < high || (close == ']' && n == high));
    }
    let inner = label.trim_start_matches('[').trim_end_matches(']');
    // a sign is not what separates two numbers
    let at = inner
        .char_indices()
        .skip(1)
        .find(|&(_, c)| c == '-')
        .unwrap()
        .0;
    let (low, high) = (
        number(&inner[..at]).unwrap(),
        number(&inner[at + 1..]).unwrap(),
    );
    low <= n && n <= high
}

fn day_covers(label: &str, value: &str) -> bool {
    match label
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split_once('/')
    {
        // years first, all digits there: texts compare like days
        Some((first, last)) => first <= value && value <= last,
        None => value.starts_with(label),
    }
}

fn masked(label: &str, value: &str) -> bool {
    label.chars().count() == value.chars().count()
        && label
            .chars()
            .zip(value.chars())
            .all(|(l, v)| l == '*' || l == v)
}

/// How far a value is from a centroid's label, in the units of microaggregation.
pub fn distance(world: &World, c: usize, label: &str, value: &str) -> f64 {
    let sort = world.sort(c);
    let exact = |text: &str| match sort {
        Sort::Number => number(text).map(|n| n as f64 / 1000.0),
        Sort::Day => days(text),
        _ => None,
    };
    match (exact(label), exact(value)) {
        (Some(point), Some(n)) => (point - n).abs() / world.deviation(c, exact),
        (Some(_), None) => 1.0,
        _ if covers(sort, label, value) => 0.0,
        // people below a label decide how near it is: one that nobody is below is as far as
        // anything
        _ if !world.people.iter().any(|p| covers(sort, label, &p.0[c])) => 1.0,
        _ if is_missing(value) || is_missing(label) => 1.0,
        _ => up_to_meet(sort, label, value),
    }
}

/// How far up the hierarchy two values meet, as a share of its height.
fn up_to_meet(sort: &Sort, label: &str, value: &str) -> f64 {
    match sort {
        Sort::Tree(leaves) => {
            let up = |text: &str| {
                leaves
                    .iter()
                    .find(|(leaf, up)| leaf == &text || up == &text)
                    .unwrap()
                    .1
            };
            if up(label) == up(value) { 0.5 } else { 1.0 }
        }
        // two characters can be hidden before all are
        Sort::Code => {
            let hidden = 5 - label
                .chars()
                .zip(value.chars())
                .take_while(|(a, b)| a == b)
                .count();
            if hidden <= 2 {
                hidden as f64 / 3.0
            } else {
                1.0
            }
        }
        _ => 1.0,
    }
}

/// The day of the month; all days are of one month.
pub fn days(text: &str) -> Option<f64> {
    let parts: Vec<i64> = text
        .split('-')
        .map(|p| p.parse().ok())
        .collect::<Option<_>>()?;
    match parts[..] {
        [2001, 3, day] => Some(day as f64),
        _ => None,
    }
}
