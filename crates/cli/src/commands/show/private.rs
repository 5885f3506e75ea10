//! What only the steward may see of a release.

use super::grid::{TextGrid, said, section};
use super::public::LINES;
use mingle_record::answer::{
    ShownAudit, ShownBudget, ShownComposition, ShownExposure, ShownPeople, ShownUtility,
};
use mingle_record::distributions::Distributions;
use mingle_report::facts::{StewardFacts, people_lines};
use mingle_report::number::{counted, figure, percent, whole};
use mingle_report::text::label;

/// How many providers, coalitions and pairs are named.
const NAMED: usize = 8;

pub fn text(facts: &StewardFacts) -> String {
    let mut text = section("Private: providers", &providers(facts));
    let people = facts.people.as_ref().map_or(String::new(), people);
    text += &section("Private: people", &people);
    text += &section(
        "Private: exposure to coalitions",
        &facts.exposure.as_ref().map_or(String::new(), exposure),
    );
    text += &section(
        "Private: utility",
        &facts.utility.as_ref().map_or(String::new(), utility),
    );
    let compared = facts
        .distributions
        .as_ref()
        .map_or(String::new(), distributions);
    text += &section("Private: distance from the original", &compared);
    text += &section(
        "Private: beside other releases",
        &facts
            .composition
            .as_ref()
            .map_or(String::new(), composition),
    );
    text += &section(
        "Private: budget",
        &facts.budget.as_ref().map_or(String::new(), budget),
    );
    text
}

fn providers(facts: &StewardFacts) -> String {
    let site = facts
        .site
        .as_ref()
        .map_or(String::new(), |site| said("kept by", &label(site)));
    let suppressed = facts.suppressed_rows.filter(|rows| *rows > 0);
    let suppressed = suppressed.map_or(String::new(), |rows| {
        said("suppressed", &counted(rows, "row"))
    });
    let mut grid = TextGrid::new(&["provider ", "rows", "published"]);
    for provider in &facts.providers {
        grid.row([
            label(&provider.name),
            whole(provider.rows),
            whole(provider.published_rows),
        ]);
    }
    site + &suppressed
        + &if facts.providers.is_empty() {
            String::new()
        } else {
            grid.to_text(NAMED)
        }
}

fn people(people: &ShownPeople) -> String {
    let mut text = String::new();
    for (name, value) in people_lines(people) {
        text += &said(&name, &value);
    }
    text
}

fn exposure(exposure: &ShownExposure) -> String {
    let mut grid = TextGrid::new(&[
        "colluding",
        "groups that fall",
        "undecided",
        "people in them",
        "exposed for certain",
    ]);
    let of = |number: u64, all: u64| {
        format!(
            "{} ({})",
            whole(number),
            percent(number as f64 / all.max(1) as f64)
        )
    };
    for size in &exposure.sizes {
        grid.row([
            whole(size.size),
            of(size.groups, exposure.groups),
            whole(size.undecided),
            of(size.people, exposure.people),
            of(size.exposed, exposure.people),
        ]);
    }
    let mut text = grid.to_text(LINES);
    for coalition in exposure
        .worst
        .iter()
        .filter(|coalition| coalition.groups > 0)
        .take(NAMED)
    {
        let names: Vec<String> = coalition.members.iter().map(|name| label(name)).collect();
        let groups = counted(coalition.groups, "group");
        let worst = if coalition.exact {
            "worst"
        } else {
            "worst found"
        };
        text += &said(
            worst,
            &format!(
                "{}: {groups}, {} exposed",
                names.join(", "),
                whole(coalition.exposed)
            ),
        );
    }
    text
}

fn utility(utility: &ShownUtility) -> String {
    let over_people = format!("{} over people", utility.loss_name.name());
    let size_over_k = match utility.loss_of_people {
        None => "group size over k",
        Some(_) => "rows of a group over k",
    };
    let figures = [
        (utility.loss_name.name(), utility.loss),
        (&over_people, utility.loss_of_people),
        ("entropy loss", utility.non_uniform_entropy),
        ("discernibility", utility.discernibility),
        (size_over_k, utility.average_group_size),
    ];
    let mut text: String = figures
        .iter()
        .filter_map(|(name, value)| Some(said(name, &figure((*value)?))))
        .collect();
    if let Some(error) = &utility.query_error {
        let (mean, median) = (figure(error.mean), figure(error.median));
        text += &said(
            "query error",
            &format!(
                "mean {mean}, median {median} ({} queries)",
                whole(error.queries)
            ),
        );
    }
    let mut grid = TextGrid::new(&["column ", utility.loss_name.name(), "entropy loss"]);
    for column in &utility.columns {
        let entropy = column.non_uniform_entropy.map_or("–".to_owned(), figure);
        grid.row([label(&column.column), figure(column.loss), entropy]);
    }
    text + &if utility.columns.is_empty() {
        String::new()
    } else {
        grid.to_text(LINES)
    }
}

fn distributions(found: &Distributions) -> String {
    let (one, two) = (found.one_way, found.two_way);
    let summary =
        |mean: f64, max: f64| format!("mean {}, max {} total variation", figure(mean), figure(max));
    let mut text = said("single columns", &summary(one.mean, one.max))
        + &said("pairs", &summary(two.mean, two.max));
    let uncovered = found.pairs.iter().filter(|pair| !pair.covered).count() as u64;
    if uncovered > 0 {
        text += &said(
            "not counted",
            &format!("{} of these pairs: taken for independent", whole(uncovered)),
        );
    }
    if found.pairs_left_out > 0 {
        text += &said("not compared", &counted(found.pairs_left_out, "pair"));
    }
    let mut grid = TextGrid::new(&["column or pair ", "total variation"]);
    for column in &found.columns {
        grid.row([label(&column.column), figure(column.total_variation)]);
    }
    let mut pairs: Vec<_> = found
        .pairs
        .iter()
        .filter(|pair| pair.grid.is_some())
        .collect();
    pairs.sort_by(|a, b| b.total_variation.total_cmp(&a.total_variation));
    for pair in pairs {
        let [first, second] = &pair.columns;
        grid.row([
            format!("{} × {}", label(first), label(second)),
            figure(pair.total_variation),
        ]);
    }
    text + &grid.to_text(LINES)
}

fn composition(composition: &ShownComposition) -> String {
    let mut text = String::new();
    if composition.mitigated {
        text += &said("mitigated", "groups were merged until the limits held");
    }
    if let Some(history) = &composition.history {
        let version = history
            .version
            .as_deref()
            .map_or(String::new(), |version| format!("{}, ", label(version)));
        text += &said(
            "history",
            &format!(
                "{version}{}",
                counted(history.earlier, "own earlier version")
            ),
        );
    }
    let mut grid = TextGrid::new(&[
        "column ",
        "reader ",
        "limits ",
        "people",
        "one value left",
        "least left",
    ]);
    let history = composition
        .history
        .iter()
        .flat_map(|history| &history.columns);
    for audit in composition.audits.iter().chain(history) {
        readers(&mut grid, audit);
    }
    text + &grid.to_text(LINES)
}

fn readers(grid: &mut TextGrid, audit: &ShownAudit) {
    for reader in &audit.readers {
        grid.row([
            label(&audit.column),
            reader.reader.clone(),
            if audit.holds { "hold" } else { "do not hold" }.to_owned(),
            whole(reader.targets),
            whole(reader.perfect),
            reader.least.map_or("–".to_owned(), whole),
        ]);
    }
}

fn budget(budget: &ShownBudget) -> String {
    let mut text = said("paid", &budget.paid);
    text += &said(
        "ledger",
        &format!(
            "{}, entry {}, {}",
            label(&budget.ledger),
            budget.entry,
            budget.time
        ),
    );
    text += &said("rows", &whole(budget.rows));
    for (rows, why) in [
        (budget.left_out, "left out: a value is not declared"),
        (
            budget.beyond_bound,
            "left out: more than the bound of a person",
        ),
        (budget.of_unknown, "left out: whose they are is not known"),
    ] {
        if rows > 0 {
            text += &said("", &format!("{} {why}", whole(rows)));
        }
    }
    let mut grid = TextGrid::new(&["column ", "clamped", "other", "left out"]);
    for column in budget
        .columns
        .iter()
        .filter(|c| c.clamped + c.other + c.left_out > 0)
    {
        grid.row([
            label(&column.column),
            whole(column.clamped),
            whole(column.other),
            whole(column.left_out),
        ]);
    }
    text + &if grid.is_empty() {
        String::new()
    } else {
        grid.to_text(LINES)
    }
}
