//! Hierarchies from what a steward types or pastes: widths, lengths, bounds, groups, an order.
//!
//! Each way is a function of plain texts and answers a hierarchy or what is wrong with the texts,
//! so that a form can try while somebody is typing. Nothing here looks at the column's values.

use mingle_model::hierarchy::{Ages, Bands, HierarchyRows, ROOT, Template, check_lengths};
use mingle_model::{HierarchyError, HierarchySource, Number, date};
use mingle_record::Problem;
use mingle_record::ProblemCode;

fn refused(text: impl Into<String>, hint: &str) -> Problem {
    Problem::new(ProblemCode::OutOfRange, text, hint)
}

fn broken(error: &HierarchyError) -> Problem {
    refused(
        error.to_string(),
        "`mingle explain MG0210` says what a hierarchy needs",
    )
}

/// Intervals of growing widths.
pub fn intervals(widths: &[String]) -> Result<HierarchySource, Problem> {
    let number = |text: &String| Number::parse(text.trim()).filter(|n| n.mantissa > 0);
    let widths: Option<Vec<Number>> = widths.iter().map(number).collect();
    widths.map(HierarchySource::Intervals).ok_or_else(|| {
        refused(
            "a width is not a number above 0",
            "each width a multiple of the one before: 5, 10, 20",
        )
    })
}

/// The first characters of codes.
pub fn prefix(lengths: &[u32]) -> Result<HierarchySource, Problem> {
    let lengths: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
    check_lengths(&lengths).map_err(|error| broken(&error))?;
    Ok(HierarchySource::Prefix(lengths))
}

/// Bands between bounds: numbers, or days.
pub fn bands(levels: &[Vec<String>]) -> Result<HierarchySource, Problem> {
    let is_day = |bound: &String| date::parse(bound.trim()).is_some();
    let days = levels.iter().any(|level| level.iter().any(is_day));
    let made = if days {
        Bands::of_days(bounds(levels, date::parse, "a day such as 2001-03-02")?)
    } else {
        Bands::of_numbers(bounds(levels, Number::parse, "a number")?)
    };
    made.map(HierarchySource::Bands)
        .map_err(|error| broken(&error))
}

/// Years of age on a day, then bands of them where there are any.
pub fn age(at: &str, levels: &[Vec<String>]) -> Result<HierarchySource, Problem> {
    let at = date::parse(at.trim()).ok_or_else(|| {
        refused(
            "the day at which ages are taken is no day",
            "write the year first, such as 2024-12-31",
        )
    })?;
    let bands = if levels.is_empty() {
        None
    } else {
        let whole = |text: &str| Number::parse_integer(text).filter(|n| n.mantissa >= 0);
        let levels = bounds(levels, whole, "a whole number of years")?;
        Some(Bands::of_numbers(levels).map_err(|error| broken(&error))?)
    };
    Ok(HierarchySource::Age(Ages { at, bands }))
}

fn bounds<T>(
    levels: &[Vec<String>],
    read: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<Vec<Vec<T>>, Problem> {
    let mut all = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        let mut bounds = Vec::new();
        for (place, bound) in level.iter().enumerate() {
            let Some(bound) = read(bound.trim()) else {
                let (level, place) = (index + 1, place + 1);
                let text = format!("bound {place} of level {level} is not {expected}");
                return Err(refused(text, "ascending bounds, such as 0, 18, 65"));
            };
            bounds.push(bound);
        }
        all.push(bounds);
    }
    Ok(all)
}

/// A public code system.
pub fn template(name: &str) -> Result<HierarchySource, Problem> {
    for template in Template::ALL {
        if template.name() == name {
            return Ok(HierarchySource::Template(template));
        }
    }
    let names = Template::ALL.map(Template::name).join(", ");
    let text = "no template of that name";
    Err(refused(text, &format!("choose one of {names}")))
}

/// Rows as they would stand in the column's file.
pub fn rows(column: &str, rows: Vec<Vec<String>>) -> HierarchySource {
    HierarchySource::Rows(HierarchyRows {
        file: format!("{column}.hierarchy.csv"),
        rows: (1..).zip(rows).collect(),
    })
}

/// Groups as they are pasted from a table: a value or a range, its group, groups of groups. The
/// root is added where the last column is not one.
pub fn groups(column: &str, text: &str) -> Result<HierarchySource, Problem> {
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if !line.trim().is_empty() {
            lines.push((at as u64 + 1, line));
        }
    }
    let Some((_, first)) = lines.first() else {
        let hint = "paste lines such as: value, group";
        return Err(refused("no groups were pasted", hint));
    };
    let separator = ['\t', ';', ',']
        .into_iter()
        .find(|&separator| first.contains(separator));
    let Some(separator) = separator else {
        let text = "line 1 has a value and no group";
        let hint = "separate them by a tab, a semicolon or a comma";
        return Err(refused(text, hint));
    };
    let mut pasted: Vec<(u64, Vec<String>)> = Vec::new();
    for (line, text) in lines {
        let fields = text.split(separator).map(|field| field.trim().to_owned());
        pasted.push((line, fields.collect()));
    }
    if !has_one_root(&pasted) {
        for (_, row) in &mut pasted {
            row.push(ROOT.to_owned());
        }
    }
    Ok(HierarchySource::Rows(HierarchyRows {
        file: format!("{column}.hierarchy.csv"),
        rows: pasted,
    }))
}

/// A single group of all is no root, unless it is called so or has groups below it.
fn has_one_root(rows: &[(u64, Vec<String>)]) -> bool {
    let last = rows.first().and_then(|(_, row)| row.last());
    let is_shared = rows.iter().all(|(_, row)| row.last() == last);
    let is_root = last.is_some_and(|label| label == ROOT);
    is_root || (is_shared && rows.iter().all(|(_, row)| row.len() > 2))
}

/// Neighbours in an order, so many to a group on each level. A group is called by its first and
/// last value.
pub fn neighbours(
    column: &str,
    values: &[String],
    sizes: &[u32],
) -> Result<HierarchySource, Problem> {
    let mut before = 1;
    for (place, &size) in sizes.iter().enumerate() {
        if size <= before || size % before != 0 {
            let text = format!("group size {} does not fit the one before", place + 1);
            let hint = "each size a multiple of the one before, the first at least 2: 2, 4, 8";
            return Err(refused(text, hint));
        }
        before = size;
    }
    if values.is_empty() || sizes.is_empty() {
        let hint = "list the values and say how many make a group";
        return Err(refused("nothing to group", hint));
    }
    let mut rows_of_values = Vec::new();
    for (place, value) in values.iter().enumerate() {
        let mut row = vec![value.clone()];
        for &size in sizes {
            let first = place / size as usize * size as usize;
            let last = (first + size as usize - 1).min(values.len() - 1);
            row.push(if first == last {
                value.clone()
            } else {
                format!("{} to {}", values[first], values[last])
            });
        }
        row.push(ROOT.to_owned());
        rows_of_values.push(row);
    }
    Ok(rows(column, rows_of_values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    fn listed(source: HierarchySource) -> Vec<String> {
        let HierarchySource::Rows(rows) = source else {
            panic!("no rows");
        };
        let line = |(line, row): &(u64, Vec<String>)| format!("{line}:{}", row.join(";"));
        rows.rows.iter().map(line).collect()
    }

    #[test]
    fn pasted_groups() {
        let made = groups("job", "nurse\tcare\n\n typist\toffice \n").unwrap();
        assert_eq!(listed(made), ["1:nurse;care;*", "3:typist;office;*"]);
        let made = groups("icd", "390-459;circulatory;*").unwrap();
        assert_eq!(listed(made), ["1:390-459;circulatory;*"]);
        let made = groups("x", "a,g\nb,g").unwrap();
        assert_eq!(listed(made), ["1:a;g;*", "2:b;g;*"]);
        let made = groups("x", "a,g,all\nb,h,all").unwrap();
        assert_eq!(listed(made), ["1:a;g;all", "2:b;h;all"]);
        assert!(groups("x", " \n").is_err() && groups("x", "a\nb").is_err());
    }

    #[test]
    fn neighbours_in_an_order() {
        let order = texts(&["low", "mid", "high", "top", "max"]);
        let made = neighbours("x", &order, &[2, 4]).unwrap();
        assert_eq!(
            listed(made),
            [
                "1:low;low to mid;low to top;*",
                "2:mid;low to mid;low to top;*",
                "3:high;high to top;low to top;*",
                "4:top;high to top;low to top;*",
                "5:max;max;max;*",
            ]
        );
        for sizes in [&[][..], &[1], &[2, 3], &[2, 2], &[0]] {
            assert!(neighbours("x", &order, sizes).is_err(), "{sizes:?}");
        }
        assert!(neighbours("x", &[], &[2]).is_err());
    }

    #[test]
    fn rules_from_texts() {
        let described = |made: Result<HierarchySource, Problem>| made.unwrap().describe();
        assert_eq!(described(prefix(&[3, 1])), "prefix 3, 1");
        let levels = [texts(&["0", "18 ", "65.5"]), texts(&["18"])];
        assert_eq!(described(bands(&levels)), "bands 0, 18, 65.5 / 18");
        let days = [texts(&["2000-01-01", "2010-01-01"])];
        assert_eq!(described(bands(&days)), "bands 2000-01-01, 2010-01-01");
        let years = [texts(&["18", "65"])];
        assert_eq!(
            described(age("2024-12-31", &years)),
            "age 2024-12-31 / 18, 65"
        );
        assert_eq!(described(age("2024-12-31", &[])), "age 2024-12-31");
        assert_eq!(described(template("atc")), "template atc");
        let wrong = |made: Result<HierarchySource, Problem>| assert!(made.is_err());
        wrong(prefix(&[]));
        wrong(bands(&[texts(&["18", "0"])]));
        wrong(bands(&[texts(&["18", "x"])]));
        wrong(bands(&[texts(&["18", "2000-01-01"])]));
        wrong(age("31.12.2024", &[]));
        wrong(age("2024-12-31", &[texts(&["1.5"])]));
        wrong(template("icd"));
    }
}
