//! What everybody may see of a release.

use super::grid::{TextGrid, said, section, text_width};
use crate::message::wrap_to;
use mingle_record::answer::{
    ShownBalance, ShownColumn, ShownExtent, ShownGroupSizes, ShownNoise, ShownNoiseTable,
    ShownReaderRisk, ShownRisk, ShownShape, ShownSizeBin,
};
use mingle_record::manifest::StatedSemantics;
use mingle_report::facts::{PublicFacts, Statement};
use mingle_report::number::{counted, figure, percent, whole};
use mingle_report::text::label;

/// The most lines of a table.
pub const LINES: usize = 20;

/// The most lines of a histogram.
const BARS: usize = 8;

pub fn text(
    facts: &PublicFacts,
    (protected, unprotected): (&[Statement], &[Statement]),
    warnings: &str,
) -> String {
    let statements = |all: &[Statement]| {
        all.iter()
            .map(|s| said(&s.about, &s.text))
            .collect::<String>()
    };
    let mut text = wrap_to(&head(facts), text_width());
    text += &section("Verdict", &verdict(facts));
    text += &section("Warnings", warnings);
    text += &section("Protected", &statements(protected));
    text += &section("Not protected", &statements(unprotected));
    text += &section("Assumed", &statements(&facts.assumed));
    text += &section("Promises", &promises(facts));
    text += &section("Noise", &facts.noise.as_ref().map_or(String::new(), noise));
    text += &section("Columns", &columns(&facts.columns));
    if let Some(groups) = &facts.groups {
        text += &section("Group sizes", &sizes(&groups.sizes));
        let named = groups.risk.as_ref().map_or(String::new(), risk);
        text += &section("Risk of re-identification", &named);
        let title = if facts.counts_people {
            "Balance of sensitive values over rows, in the worst group"
        } else {
            "Balance of sensitive values, in the worst group"
        };
        text += &section(title, &balance(&groups.balance));
    }
    let published: String = facts
        .utility
        .iter()
        .map(|(name, value)| said(name, &figure(*value)))
        .collect();
    text + &section("Published utility", &published)
}

fn head(facts: &PublicFacts) -> String {
    let what = match facts.shape {
        ShownShape::Groups => "one table in groups",
        ShownShape::Centroids => "one table of group centroids",
        ShownShape::Fragments => "fragments, joined by the group's number only",
        ShownShape::Synthetic => "synthetic records that follow noisy counts",
        ShownShape::Marginals => "noisy tables of counts",
        ShownShape::Histogram => "one noisy table of counts",
    };
    let groups = facts.groups.as_ref().map_or(String::new(), |g| {
        format!(" in {}", counted(g.sizes.groups, "group"))
    });
    let (rows, format) = (counted(facts.rows, "row"), facts.format.name());
    format!(
        "{what}: {rows}{groups}, {format}; {}, {}",
        facts.method, facts.tool
    )
}

fn verdict(facts: &PublicFacts) -> String {
    let verdict = &facts.verdict;
    let insiders = match verdict.m {
        Some(0) | None => String::new(),
        Some(m) => {
            let strict = if verdict.semantics == Some(StatedSemantics::Strict) {
                ", strict"
            } else {
                ""
            };
            said(&format!("m = {m}{strict}"), verdict.insiders.name())
        }
    };
    let covered = match (verdict.holds(), facts.extent) {
        (true, ShownExtent::Nothing) => said(
            "",
            "Nothing is protected: what is promised is true of every table.",
        ),
        (true, ShownExtent::Part) => said(
            "",
            "Protected in part: some rows or values may be certain to a reader; see what is not protected.",
        ),
        _ => String::new(),
    };
    let accepted: String = facts
        .risk_lines()
        .iter()
        .map(|line| said("risk", line))
        .collect();
    said("outsider", verdict.outsider.name())
        + &insiders
        + &covered
        + &said("", &verdict.words)
        + &accepted
}

fn promises(facts: &PublicFacts) -> String {
    let mut grid = TextGrid::new(&["promise ", "about ", "outsider "]);
    for promise in &facts.promises {
        let about = promise.column.as_deref().map_or("–".to_owned(), label);
        grid.row([
            promise.name.clone(),
            about,
            promise.verdict.name().to_owned(),
        ]);
    }
    if facts.promises.is_empty() {
        String::new()
    } else {
        grid.to_text(LINES)
    }
}

fn noise(noise: &ShownNoise) -> String {
    let factor = noise.factor.map_or("any number".to_owned(), figure);
    let times = format!("{factor} times as likely with one person's records as without, at most");
    let bound = if noise.enforced {
        "kept by the program"
    } else {
        "the steward's word"
    };
    let mut grid = TextGrid::new(&["table ", "columns ", "lines", "deviation", "least count"]);
    let dash = || "–".to_owned();
    for ShownNoiseTable {
        file,
        columns,
        rows,
        deviation,
        threshold,
    } in &noise.tables
    {
        let columns = columns.join(", ");
        grid.row([
            file.clone(),
            columns,
            whole(*rows),
            deviation.map_or_else(dash, figure),
            threshold.map_or_else(dash, whole),
        ]);
    }
    [
        said("promised", &noise.promise),
        said("that is", &times),
        said("between", &noise.neighbouring),
        said("records per person", bound),
        grid.to_text(LINES),
    ]
    .concat()
}

fn columns(columns: &[ShownColumn]) -> String {
    let mut grid = TextGrid::new(&["column ", "role ", "how ", "labels", "stars", "such as "]);
    for column in columns {
        grid.row([
            label(&column.name),
            column.role.name().to_owned(),
            column.how.clone(),
            whole(column.distinct),
            column.starred.map_or("–".to_owned(), percent),
            column.example().map_or(String::new(), label),
        ]);
    }
    grid.to_text(LINES)
}

fn sizes(sizes: &ShownGroupSizes) -> String {
    let (smallest, largest) = (whole(sizes.smallest), whole(sizes.largest));
    let summary = format!(
        "{smallest} to {largest}, median {}, mean {}",
        whole(sizes.median),
        figure(sizes.mean)
    );
    let mut grid = TextGrid::new(&["rows of a group", "groups", "rows", "of all rows"]);
    for bins in sizes.bins.chunks(sizes.bins.len().div_ceil(BARS).max(1)) {
        let sum = |of: fn(&ShownSizeBin) -> u64| bins.iter().map(of).sum::<u64>();
        let (from, to) = (bins[0].from, bins[bins.len() - 1].to);
        let name = if from == to {
            whole(from)
        } else {
            format!("{}–{}", whole(from), whole(to))
        };
        let rows = sum(|bin| bin.rows);
        let share = percent(rows as f64 / sizes.rows.max(1) as f64);
        grid.row([name, whole(sum(|bin| bin.groups)), whole(rows), share]);
    }
    said(&counted(sizes.groups, "group"), &summary) + &grid.to_text(BARS)
}

fn risk(risk: &ShownRisk) -> String {
    let mut grid = TextGrid::new(&["reader ", "highest", "average", "rows above 1/5"]);
    let above = |reader: &ShownReaderRisk| {
        let above = reader.above.iter().find(|above| above.one_in == 5);
        above.map_or("–".to_owned(), |above| {
            format!("{} ({})", whole(above.rows), percent(above.share))
        })
    };
    for (name, reader) in [
        (
            "prosecutor: knows that the person is in the table",
            &risk.prosecutor,
        ),
        ("journalist: does not know who is in it", &risk.journalist),
    ] {
        grid.row([
            name.to_owned(),
            percent(reader.highest),
            percent(reader.average),
            above(reader),
        ]);
    }
    let dash = "–".to_owned();
    grid.row([
        "marketer: links everybody".to_owned(),
        dash.clone(),
        percent(risk.marketer),
        dash,
    ]);
    grid.to_text(LINES)
}

fn balance(columns: &[ShownBalance]) -> String {
    let mut grid = TextGrid::new(&[
        "column ",
        "values",
        "entropy l",
        "largest share",
        "distance",
        "promised",
        "by ",
    ]);
    for column in columns {
        grid.row([
            label(&column.column),
            whole(column.fewest_distinct),
            figure(column.smallest_entropy_l),
            percent(column.largest_share),
            figure(column.largest_distance),
            column.promised_distance.map_or("–".to_owned(), figure),
            column.distance.to_owned(),
        ]);
    }
    if columns.is_empty() {
        String::new()
    } else {
        grid.to_text(LINES)
    }
}
