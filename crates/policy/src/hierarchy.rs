//! `hierarchy = …` of a column: a file, or a rule by which values become less precise.
//!
//! A rule is one table with one key; `age` may have `bands` beside it. What it says is checked
//! here as far as it can be without the column's values, so that a message has a place.

use super::keys;
use super::source::PlaceInPolicy;
use super::tree::{Fields, Node, Value};
use mingle_model::hierarchy::{Ages, Bands, Template, check_lengths};
use mingle_model::{HierarchyError, HierarchySource, Kind, Number, date};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// A hierarchy as declared.
#[derive(Clone, Debug)]
pub enum DeclaredHierarchy {
    /// A file, relative to the policy, and where it is named.
    File(String, PlaceInPolicy),
    /// Made from the values themselves.
    Made(HierarchySource),
}

const EXAMPLE: &str = "write \"file.csv\", { mask = 5 }, { prefix = [3, 1] }, \
                       { intervals = [5, 10, 20] }, { bands = [0, 18, 65] }, { dates = true }, \
                       { age = \"2024-12-31\", bands = [18, 65] } or { template = \"icd-10\" }";

/// Reads a declaration; `kind` is what the column's entry says.
pub fn read(node: &Node, kind: Option<Kind>) -> Result<DeclaredHierarchy, Problem> {
    if let Value::Text(file) = &node.value {
        return Ok(DeclaredHierarchy::File(file.clone(), node.place.clone()));
    }
    let Value::Table(_) = node.value else {
        return Err(no_rule(node));
    };
    let fields = node.fields(keys::hierarchy::ALL)?;
    let made = match fields.entries {
        [entry] => rule(&entry.key, &entry.node)?,
        [_, _] => age_in_bands(&fields)?,
        _ => return Err(no_rule(node)),
    };
    check_kind(node, &made, kind)?;
    Ok(DeclaredHierarchy::Made(made))
}

/// A rule as it stands in a policy; `None` for the rows of a file.
pub fn rule_text(source: &HierarchySource) -> Option<String> {
    let described = source.describe();
    let (key, said) = described.split_once(' ')?;
    Some(match source {
        HierarchySource::Rows(_) => return None,
        HierarchySource::Mask(_) => format!("{{ {key} = {said} }}"),
        HierarchySource::Intervals(_) | HierarchySource::Prefix(_) => {
            format!("{{ {key} = [{said}] }}")
        }
        HierarchySource::Template(_) => format!("{{ {key} = \"{said}\" }}"),
        HierarchySource::Dates(_) => format!("{{ {key} = [{}] }}", quoted(said)),
        HierarchySource::Bands(_) => format!("{{ {key} = {} }}", bounds_text(said)),
        HierarchySource::Age(_) => match said.split_once(" / ") {
            None => format!("{{ {key} = \"{said}\" }}"),
            Some((at, years)) => {
                format!("{{ {key} = \"{at}\", bands = {} }}", bounds_text(years))
            }
        },
    })
}

fn bounds_text(said: &str) -> String {
    let mut levels = Vec::new();
    for level in said.split(" / ") {
        let days = level.split(", ").any(|bound| date::parse(bound).is_some());
        let bounds = if days {
            quoted(level)
        } else {
            level.to_owned()
        };
        levels.push(format!("[{bounds}]"));
    }
    match &levels[..] {
        [level] => level.clone(),
        _ => format!("[{}]", levels.join(", ")),
    }
}

fn quoted(said: &str) -> String {
    let words: Vec<String> = said.split(", ").map(|word| format!("{word:?}")).collect();
    words.join(", ")
}

fn no_rule(node: &Node) -> Problem {
    let text = format!(
        "`{}` must be a file name or one of {}",
        node.path,
        keys::hierarchy::ALL.join(", ")
    );
    node.problem(ProblemCode::WrongValue, text, EXAMPLE)
}

fn rule(key: &str, node: &Node) -> Result<HierarchySource, Problem> {
    match key {
        keys::hierarchy::MASK => {
            let hidden = usize::try_from(node.whole(1)?).unwrap_or(usize::MAX);
            Ok(HierarchySource::Mask(hidden))
        }
        keys::hierarchy::INTERVALS => intervals(node),
        keys::hierarchy::PREFIX => prefix(node),
        keys::hierarchy::BANDS => bands(node).map(HierarchySource::Bands),
        keys::hierarchy::AGE => {
            let (at, bands) = (day(node)?, None);
            Ok(HierarchySource::Age(Ages { at, bands }))
        }
        keys::hierarchy::TEMPLATE => {
            let choices = Template::ALL.map(|template| (template.name(), template));
            Ok(HierarchySource::Template(node.choice(&choices)?))
        }
        _ => Ok(HierarchySource::Dates(levels(node)?)),
    }
}

/// Two keys go together only as ages in bands.
fn age_in_bands(fields: &Fields<'_>) -> Result<HierarchySource, Problem> {
    let (age, years) = (
        fields.get(keys::hierarchy::AGE),
        fields.get(keys::hierarchy::BANDS),
    );
    let (Some(age), Some(years)) = (age, years) else {
        return Err(no_rule(fields.node));
    };
    let bounds = bounds_by_level(years)?;
    let whole = |level: &[Node]| -> Result<Vec<Number>, Problem> {
        let numbers = level.iter().map(|bound| bound.whole(0));
        let number = |years: u64| Number {
            mantissa: years.into(),
            scale: 0,
        };
        numbers.map(|years| years.map(number)).collect()
    };
    let levels: Vec<Vec<Number>> = bounds.into_iter().map(whole).collect::<Result<_, _>>()?;
    let bands = Bands::of_numbers(levels).map_err(|error| refused(years, &error))?;
    Ok(HierarchySource::Age(Ages {
        at: day(age)?,
        bands: Some(bands),
    }))
}

/// Codes are text and ages come from dates, whatever else is declared.
fn check_kind(node: &Node, made: &HierarchySource, kind: Option<Kind>) -> Result<(), Problem> {
    let (Some(declared), Some(implied)) = (kind, made.implied_kind()) else {
        return Ok(());
    };
    if declared == implied {
        return Ok(());
    }
    let text = format!(
        "kind = \"{}\", but `{}` is for kind {}",
        declared.name(),
        node.path,
        implied.name()
    );
    let hint = format!("take `kind` out, or write kind = \"{}\"", implied.name());
    Err(node.problem(ProblemCode::Contradiction, text, hint))
}

fn refused(node: &Node, error: &HierarchyError) -> Problem {
    let text = format!("`{}`: {error}", node.path);
    node.problem(ProblemCode::OutOfRange, text, EXAMPLE)
}

fn prefix(node: &Node) -> Result<HierarchySource, Problem> {
    let mut lengths = Vec::new();
    for length in node.list()? {
        lengths.push(usize::try_from(length.whole(0)?).unwrap_or(usize::MAX));
    }
    check_lengths(&lengths).map_err(|error| refused(node, &error))?;
    Ok(HierarchySource::Prefix(lengths))
}

/// One list of bounds, or a list of such lists from fine to coarse.
fn bounds_by_level(node: &Node) -> Result<Vec<&[Node]>, Problem> {
    let list = node.list()?;
    if !list.iter().any(|item| matches!(item.value, Value::List(_))) {
        return Ok(vec![list]);
    }
    list.iter().map(Node::list).collect()
}

fn bands(node: &Node) -> Result<Bands, Problem> {
    let levels = bounds_by_level(node)?;
    let is_day = |bound: &Node| matches!(bound.value, Value::Text(_) | Value::Time);
    let days = levels.iter().any(|level| level.iter().any(is_day));
    let made = if days {
        let read = |level: &&[Node]| level.iter().map(day).collect::<Result<Vec<_>, _>>();
        Bands::of_days(levels.iter().map(read).collect::<Result<_, _>>()?)
    } else {
        let read = |level: &&[Node]| {
            level
                .iter()
                .map(Node::number)
                .collect::<Result<Vec<_>, _>>()
        };
        Bands::of_numbers(levels.iter().map(read).collect::<Result<_, _>>()?)
    };
    made.map_err(|error| refused(node, &error))
}

fn day(node: &Node) -> Result<date::Day, Problem> {
    let Value::Text(text) = &node.value else {
        return Err(node.wrong("a day in quotes, such as \"2024-12-31\""));
    };
    date::parse(text).ok_or_else(|| {
        let text = format!("`{}` is no day", node.path);
        let hint = "write days in quotes, year first, such as \"2024-12-31\"";
        node.problem(ProblemCode::WrongValue, text, hint)
    })
}

fn intervals(node: &Node) -> Result<HierarchySource, Problem> {
    let widths: Vec<_> = node
        .list()?
        .iter()
        .map(Node::number)
        .collect::<Result<_, _>>()?;
    let positive = !widths.is_empty()
        && widths.iter().all(|w| w.mantissa > 0)
        && widths.is_sorted_by(|a, b| a < b);
    if positive {
        Ok(HierarchySource::Intervals(widths))
    } else {
        let text = format!("`{}` must be ascending widths above 0", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "each width a multiple of the one before: [5, 10, 20]",
        ))
    }
}

fn levels(node: &Node) -> Result<Vec<date::Level>, Problem> {
    match node.value {
        Value::Boolean(true) => return Ok(date::Level::ALL.to_vec()),
        Value::List(_) => {}
        _ => return Err(node.wrong("true or a list of levels")),
    }
    let choices = date::Level::ALL.map(|level| (level.name(), level));
    let levels: Vec<_> = node
        .list()?
        .iter()
        .map(|item| item.choice(&choices))
        .collect::<Result<_, _>>()?;
    if !levels.is_empty() && levels.is_sorted_by(|a, b| a < b) {
        Ok(levels)
    } else {
        let text = format!("`{}` must go from fine to coarse", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "write [\"month\", \"quarter\", \"year\", \"decade\"] or a part",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Policy;
    use mingle_model::Role;
    use std::path::Path;

    fn read_rule(rule: &str) -> Result<HierarchySource, Problem> {
        let text = format!(
            "[columns.c]\nrole = \"quasi-identifier\"\nhierarchy = {rule}\n[privacy]\nk = 2\n"
        );
        let policy = Policy::parse(Path::new("policy.toml"), text, &[])?;
        let column = policy.with_role(Role::QuasiIdentifier).next();
        match column.and_then(|column| column.hierarchy.clone()) {
            Some(DeclaredHierarchy::Made(source)) => Ok(source),
            _ => panic!("{rule} is no rule"),
        }
    }

    #[test]
    fn a_rule_is_written_as_it_is_read() {
        for rule in [
            "{ mask = 5 }",
            "{ intervals = [0.5, 10] }",
            "{ dates = [\"month\", \"year\"] }",
            "{ prefix = [3, 1] }",
            "{ bands = [-5, 0, 18.5] }",
            "{ bands = [[0, 18, 65], [18]] }",
            "{ bands = [\"2000-01-01\", \"2010-01-01\"] }",
            "{ age = \"2024-12-31\" }",
            "{ age = \"2024-12-31\", bands = [18, 65] }",
            "{ age = \"2024-12-31\", bands = [[18, 65], [18]] }",
            "{ template = \"icd-9\" }",
        ] {
            let source = read_rule(rule).unwrap_or_else(|e| panic!("{rule}: {}", e.text()));
            assert_eq!(rule_text(&source).as_deref(), Some(rule));
        }
    }

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let source = read_rule("{ bands = [18], age = \"2024-12-31\" }").unwrap();
        assert_eq!(source.describe(), "age 2024-12-31 / 18");
    }
}
