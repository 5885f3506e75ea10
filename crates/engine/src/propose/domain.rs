//! Proposing public domains: what a column's values look like, to be compared with what is publicly
//! known.
//!
//! A proposal that is read off the data tells something of it, so each is marked as not confirmed
//! and refused until the steward vouches for it. A hierarchy file is public, and so are its leaves.

use super::hierarchy::FoundHierarchy;
use super::profile::Profile;
use super::proposal::ColumnProposal;
use super::render::quoted;
use mingle_model::{Kind, Number, RawColumn, date};

/// More words than this are no list that a person checks.
const MOST_WORDS: usize = 1_000;
/// Numbers and years get about this many bins.
const BINS: i128 = 20;
/// A value that fewer rows hold may tell who is in the table.
const RARE: u64 = 5;
/// Numbers beyond are no quantities.
const LARGEST: i128 = 1 << 60;

/// The values of a column. No `Debug`: it has cells.
pub struct Seen {
    /// The words with how many rows have each, in order; only their number where there are too
    /// many.
    words: Result<Vec<(String, u64)>, usize>,
    /// The smallest and the largest number, at a number of decimal places.
    numbers: Option<(i128, i128, u8)>,
    /// The first and the last day.
    days: Option<(date::Day, date::Day)>,
}

impl Seen {
    /// Looks at a column; `absent` says which of its values mean that there is none.
    pub fn of(raw: &RawColumn, absent: &[bool]) -> Seen {
        let present = || {
            raw.values
                .iter()
                .zip(absent)
                .filter(|(_, absent)| !**absent)
                .map(|(v, _)| &*v.text)
        };
        let numbers: Option<Vec<Number>> = present().map(Number::parse).collect();
        let days: Option<Vec<date::Day>> = present().map(date::parse).collect();
        Seen {
            words: words(raw, absent),
            numbers: numbers.and_then(|numbers| range(&numbers)),
            days: days.and_then(|days| days.iter().copied().min().zip(days.iter().copied().max())),
        }
    }
}

fn words(raw: &RawColumn, absent: &[bool]) -> Result<Vec<(String, u64)>, usize> {
    let distinct = absent.iter().filter(|&&absent| !absent).count();
    if distinct > MOST_WORDS {
        return Err(distinct);
    }
    let mut rows = vec![0u64; raw.values.len()];
    raw.ids.iter().for_each(|id| rows[id as usize] += 1);
    let counted = raw
        .values
        .iter()
        .zip(rows)
        .zip(absent)
        .filter(|(_, absent)| !**absent);
    let mut words: Vec<(String, u64)> = counted
        .map(|((value, rows), _)| (value.text.to_string(), rows))
        .collect();
    words.sort();
    Ok(words)
}

/// A round width that cuts numbers into few parts; `None` where there is nothing to cut.
pub fn round_width(numbers: &[Number]) -> Option<Number> {
    let (lowest, highest, scale) = range(numbers)?;
    let width = round(highest - lowest);
    (highest > lowest).then_some(Number {
        mantissa: width,
        scale,
    })
}

fn range(numbers: &[Number]) -> Option<(i128, i128, u8)> {
    let scale = numbers.iter().map(|number| number.scale).max()?;
    let at_scale: Option<Vec<i128>> = numbers
        .iter()
        .map(|number| number.at_scale(scale))
        .collect();
    let at_scale = at_scale.filter(|all| all.iter().all(|value| value.abs() < LARGEST))?;
    Some((*at_scale.iter().min()?, *at_scale.iter().max()?, scale))
}

/// The lines of a column's domain.
pub fn lines(profile: &Profile, proposal: &ColumnProposal) -> String {
    let Some(seen) = &profile.seen else {
        return String::new();
    };
    let missing = if profile.missing > 0 {
        ", missing = true"
    } else {
        ""
    };
    if matches!(profile.hierarchy, Some(FoundHierarchy::Fits(_))) {
        // the leaves are public, that some are missing was seen
        return if missing.is_empty() {
            "domain = \"hierarchy\"\n".to_owned()
        } else {
            format!("{MISSING_SEEN}domain = {{ level = 0{missing}, confirmed = false }}\n")
        };
    }
    let kind = proposal.kind;
    let (values, remark) = match (kind, seen.numbers, seen.days) {
        (Kind::Integer | Kind::Decimal, Some(range), _) => (bins(range), String::new()),
        (Kind::Date, _, Some((first, last))) => (years(first, last), String::new()),
        (Kind::Category, ..) => match &seen.words {
            Ok(words) if !words.is_empty() => listed(words),
            Ok(_) => return NO_VALUE.to_owned(),
            Err(distinct) => return too_many(*distinct),
        },
        _ => return NO_VALUE.to_owned(),
    };
    format!(
        "# FROM THE DATA: replace by what is publicly known, then delete this line\n\
         # and `confirmed`\n\
         {remark}domain = {{ {values}{missing}, confirmed = false }}\n"
    )
}

const MISSING_SEEN: &str = "# FROM THE DATA: that values are missing. Is it publicly known? Then delete\n\
                            # this line and `confirmed`, otherwise `missing` as well\n";

const NO_VALUE: &str = "# no value was seen from which a domain could be proposed: write one, or drop\n\
     # the column\n";

fn too_many(distinct: usize) -> String {
    format!(
        "# {distinct} different values are too many to list: write a hierarchy file\n\
         # and domain = {{ level = 1 }}, or drop the column (role = \"drop\")\n"
    )
}

fn listed(words: &[(String, u64)]) -> (String, String) {
    let rare = words.iter().filter(|(_, rows)| *rows < RARE).count();
    let remark = match rare {
        0 => String::new(),
        _ => format!(
            "# {rare} of the values occur in fewer than {RARE} rows: are they really public?\n"
        ),
    };
    let taken = |word: &&str| words.iter().any(|(known, _)| known == word);
    let other = ["Other", "(other)", "(any other)"]
        .into_iter()
        .find(|word| !taken(word))
        .unwrap_or("(none of these)");
    let mut list = String::new();
    let mut width = 0;
    for (word, _) in words {
        let word = quoted(word);
        if width > 0 {
            let breaks = width + word.len() > 100;
            list.push_str(if breaks { ",\n  " } else { ", " });
            width = if breaks { 0 } else { width };
        }
        width += word.len() + 2;
        list.push_str(&word);
    }
    (
        format!("values = [{list}], other = {}", quoted(other)),
        remark,
    )
}

/// Round bounds and a round width; few whole numbers get a bin each.
fn bins((lowest, highest, scale): (i128, i128, u8)) -> String {
    let text = |value| Number::text(value, scale);
    let step = if scale == 0 {
        String::new()
    } else {
        format!(", step = {}", text(1))
    };
    let span = highest - lowest;
    if scale == 0 && span < BINS {
        let highest = highest.max(lowest + 1);
        return format!(
            "from = {lowest}, to = {highest}, bins = {}",
            highest - lowest + 1
        );
    }
    let width = round(span);
    let from = lowest.div_euclid(width) * width;
    let to = from + ((highest - from + width - 1) / width).max(1) * width;
    format!(
        "from = {}, to = {}, width = {}{step}",
        text(from),
        text(to),
        text(width)
    )
}

/// The smallest of 1, 2, 5, 10, 20, … that cuts a span into few enough parts.
fn round(span: i128) -> i128 {
    let mut power = 1;
    loop {
        if let Some(width) = [1, 2, 5]
            .map(|n| n * power)
            .into_iter()
            .find(|width| span <= width * BINS)
        {
            return width;
        }
        power *= 10;
    }
}

/// Whole years, or so many together that few enough bins come out.
fn years(first: date::Day, last: date::Day) -> String {
    let year = |day| {
        date::text(day)
            .get(..4)
            .and_then(|year| year.parse::<i128>().ok())
            .unwrap_or_default()
    };
    let (first, last) = (year(first), year(last));
    let width = round(last - first + 1);
    let start = first.div_euclid(width) * width;
    let starts = (0..)
        .map(|n| start + n * width)
        .take_while(|&year| year <= last);
    let edges: Vec<String> = starts.map(|year| format!("\"{year:04}-01-01\"")).collect();
    let end = (start + (edges.len() as i128) * width - 1).min(9999);
    format!("edges = [{}, \"{end:04}-12-31\"]", edges.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_round_and_cover_what_was_seen() {
        for (range, expected) in [
            ((17, 90, 0), "from = 15, to = 90, width = 5"),
            ((0, 3, 0), "from = 0, to = 3, bins = 4"),
            ((7, 7, 0), "from = 7, to = 8, bins = 2"),
            ((-12, 7, 0), "from = -12, to = 7, bins = 20"),
            ((-13, 407, 0), "from = -50, to = 450, width = 50"),
            ((5, 995, 1), "from = 0, to = 100, width = 5, step = 0.1"),
            (
                (1234, 1234, 2),
                "from = 12.34, to = 12.35, width = 0.01, step = 0.01",
            ),
        ] {
            assert_eq!(bins(range), expected);
        }
    }

    #[test]
    fn days_are_proposed_in_years() {
        let day = |text| date::parse(text).unwrap();
        let few = years(day("2023-01-05"), day("2024-12-30"));
        assert_eq!(
            few,
            "edges = [\"2023-01-01\", \"2024-01-01\", \"2024-12-31\"]"
        );
        let many = years(day("1922-03-01"), day("2024-12-30"));
        assert!(
            many.starts_with("edges = [\"1920-01-01\", \"1930-01-01\"")
                && many.ends_with("\"2029-12-31\"]"),
            "{many}"
        );
    }

    #[test]
    fn other_is_no_listed_word() {
        let words = [("Other".to_owned(), 9), ("x".to_owned(), 2)];
        let (values, remark) = listed(&words);
        assert_eq!(values, "values = [\"Other\", \"x\"], other = \"(other)\"");
        assert!(remark.starts_with("# 1 of the values"));
    }
}
