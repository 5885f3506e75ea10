//! The sections that follow from `public/` alone.

use super::{Section, charts, table};
use crate::facts::{PublicFacts, limit_name};
use crate::number::{bytes, counted, figure, percent, whole, written_percent};
use crate::text::{block, cut, label};
use maud::{Markup, html};
use mingle_record::answer::{
    ShownBalance, ShownColumn, ShownFinding, ShownGroups, ShownNoise, ShownNoiseTable,
    ShownPopulation, ShownRisk, ShownRiskLimit, ShownShape,
};
use mingle_record::manifest::StatedSemantics;

/// The most columns, tables and files that are listed.
const LISTED: usize = 200;
/// The most sensitive columns whose balance is drawn.
const DRAWN: usize = 12;
/// The longest policy that is shown, in characters.
const POLICY: usize = 40_000;

pub fn sections(facts: &PublicFacts) -> Vec<Section> {
    let mut sections = Vec::new();
    if !facts.promises.is_empty() {
        sections.push(Section(
            "promises",
            "Promises and verdict".into(),
            promises(facts),
        ));
    }
    if let Some(noise) = &facts.noise {
        sections.push(Section(
            "noise",
            "The promise behind the noise".into(),
            noisy(noise),
        ));
    }
    sections.push(Section("columns", "Columns".into(), columns(facts)));
    if let Some(groups) = &facts.groups {
        sections.push(Section(
            "sizes",
            "Sizes of groups".into(),
            sizes(facts, groups),
        ));
        if let Some(found) = &groups.risk {
            sections.push(Section(
                "risk",
                "Risk of re-identification".into(),
                risk(facts, found),
            ));
        }
        if !groups.balance.is_empty() {
            sections.push(Section(
                "balance",
                "Balance of sensitive values".into(),
                balance(facts, &groups.balance),
            ));
        }
    }
    if let Some(joint) = &facts.joint {
        let sites: Vec<Vec<String>> = joint
            .sites
            .iter()
            .map(|site| vec![label(&site.name), cut(&site.fingerprint, 120)])
            .collect();
        let content = html! {
            @if let Some(agreed) = &joint.providers {
                @if facts.noise.is_some() {
                p { "Made by " (counted(joint.sites.len() as u64, "provider")) " who each kept their rows and added a share \
                    of the noise, m = " (agreed.m) "." }
                } @else {
                p { "Made by " (counted(joint.sites.len() as u64, "provider")) " who each kept their rows; level "
                    (label(&joint.leak_level)) ", cuts: " (cut(&agreed.cuts, 200)) ", caps: " (label(&agreed.caps))
                    ", at most " (counted(agreed.depth, "cut")) " of a cell, m = " (agreed.m) "." }
                }
                ul { @for said in &agreed.statements { li { (cut(said, 600)) } } }
            } @else {
            p { "Made by two sites with the synchronizer " (label(&joint.synchronizer)) " in " (counted(joint.rounds, "round"))
                "; leak level " (label(&joint.leak_level)) ": " (cut(&joint.reveals, 600)) "." }
            }
            (table("The sites, who all sign the release", &["site", "fingerprint"], &sites, 0))
        };
        let title = if joint.providers.is_some() {
            "The providers"
        } else {
            "Two sites"
        };
        sections.push(Section("sites", title.into(), content));
    }
    if !facts.utility.is_empty() {
        let rows: Vec<Vec<String>> = facts
            .utility
            .iter()
            .map(|(name, value)| vec![label(&name.replace('_', " ")), figure(*value)])
            .collect();
        let content = table(
            "Chosen figures, rounded to two digits",
            &["figure", "value"],
            &rows,
            0,
        );
        sections.push(Section(
            "published-cost",
            "What it costs, as published".into(),
            content,
        ));
    }
    sections
}

/// How to repeat it, and what belongs to it.
pub fn closing((needed, policy): (&str, &str), facts: &PublicFacts) -> Vec<Section> {
    let repeat = html! {
        p { (cut(needed, 2_000)) }
        pre tabindex="0" { code { (block(&cut_block(policy))) } }
    };
    let rows: Vec<Vec<String>> = facts
        .files
        .iter()
        .take(LISTED)
        .map(|file| vec![label(&file.name), bytes(file.bytes), cut(&file.sha256, 64)])
        .collect();
    let more = facts.files.len().saturating_sub(LISTED) as u64;
    let files = table(
        "Files beside the manifest",
        &["file", "size", "SHA-256"],
        &rows,
        more,
    );
    vec![
        Section("policy", "The policy, to repeat it".into(), repeat),
        Section("files", "Files".into(), files),
    ]
}

fn cut_block(policy: &str) -> String {
    match policy.char_indices().nth(POLICY) {
        Some((end, _)) => {
            format!(
                "{}\n# … and {} more characters",
                &policy[..end],
                whole(policy[end..].chars().count() as u64)
            )
        }
        None => policy.to_owned(),
    }
}

fn found_words(found: ShownFinding) -> &'static str {
    match found {
        ShownFinding::Holds => "✓ holds",
        ShownFinding::Fails => "✗ fails",
        ShownFinding::Undecided => "? undecided",
        ShownFinding::Stated => "stated at publishing",
    }
}

fn promises(facts: &PublicFacts) -> Markup {
    let verdict = &facts.verdict;
    html! {
        @if facts.counts_people {
            p { "Each of them is about the people who look alike: those whose rows have the same published values in all \
                 columns that others may know. Somebody with several rows is one person." }
        } @else {
            p { "Each of them is about the rows that look alike: those with the same published values in all columns that \
                 others may know." }
        }
        div.words {
            (table("Promises", &["promise", "means", "for outsiders"], &facts.promises.iter().take(LISTED).map(|p| {
                vec![label(&p.name), cut(&p.words, 400), found_words(p.verdict).to_owned()]
            }).collect::<Vec<_>>(), facts.promises.len().saturating_sub(LISTED) as u64))
        }
        @if let Some(m) = verdict.m {
            p { "Stated number of colluding providers, m: " strong { (whole(m)) }
                @if m > 0 { " (" (verdict.semantics.unwrap_or(StatedSemantics::Victim).name()) " semantics)" }
                ". For m: " strong { (found_words(verdict.insiders)) } "." }
        }
    }
}

fn columns(facts: &PublicFacts) -> Markup {
    let noisy = facts.noise.is_some();
    let count = if noisy { "cells" } else { "labels or values" };
    html! {
        div.scroll.words tabindex="0" role="region" aria-label="Columns" {
            table {
                caption { "Roles, and how columns are published" }
                thead { tr {
                    th scope="col" { "column" } th scope="col" { "role" } th scope="col" { "kind" } th scope="col" { "published" }
                    th scope="col" { (count) } @if !noisy { th scope="col" { "rows with *" } th scope="col" { "commonest" } }
                } }
                tbody { @for column in facts.columns.iter().take(LISTED) { (row(column, noisy)) } }
            }
        }
        @let more = facts.columns.len().saturating_sub(LISTED);
        @if more > 0 { p.more { "and " (whole(more as u64)) " more" } }
        @if !noisy {
            details {
                summary { "The commonest labels and values of each column" }
                @for column in facts.columns.iter().take(LISTED.min(60)) {
                    (table(&format!("{}: {}", label(&column.name), counted(column.distinct, "label")), &["label", "rows"],
                        &column.common.iter().map(|c| vec![label(&c.label), whole(c.rows)]).collect::<Vec<_>>(),
                        column.distinct - column.common.len() as u64))
                }
            }
        }
    }
}

fn row(column: &ShownColumn, noisy: bool) -> Markup {
    html! {
        tr {
            th scope="row" { (label(&column.name)) }
            td { span.role.(column.role.name()) { (column.role.name()) } }
            td { (column.kind.name()) }
            td { (column.how) }
            td { (whole(column.distinct)) }
            @if !noisy {
                td { (column.starred.map_or("–".to_owned(), percent)) }
                td { (column.example().map_or("–".to_owned(), |text| cut(text, 30))) }
            }
        }
    }
}

fn sizes(facts: &PublicFacts, groups: &ShownGroups) -> Markup {
    let sizes = &groups.sizes;
    html! {
        p { "A group are the rows that look alike. There are " (whole(sizes.groups)) "; the smallest has "
            (counted(sizes.smallest, "row")) ", half of them have at most " (whole(sizes.median)) ", the largest "
            (whole(sizes.largest)) ", on average " (figure(sizes.mean)) "."
            @if facts.shape == ShownShape::Fragments { " Groups are told apart by their number; where two have the same labels, a reader \
                faces more rows than these." }
            @if facts.counts_people { " These are rows: how many people a group has is not published." } }
        (charts::bins("group-sizes", "Groups by size", ("rows in a group", "rows"), &sizes.bins, None))
    }
}

fn risk(facts: &PublicFacts, risk: &ShownRisk) -> Markup {
    let stands = match risk.population {
        ShownPopulation::Release => {
            "No table of the population is at hand, so the release stands for it. The population is never \
                                smaller: for journalist and marketer these are upper bounds."
        }
        ShownPopulation::Table => "The population was counted in a table of its own.",
    };
    let reader = |name: &str, knows: &str, highest: Option<f64>, average: f64| {
        vec![
            name.to_owned(),
            knows.to_owned(),
            highest.map_or("–".to_owned(), percent),
            percent(average),
        ]
    };
    let rows = [
        reader(
            "prosecutor",
            "looks for a person who is known to be in the table",
            Some(risk.prosecutor.highest),
            risk.prosecutor.average,
        ),
        reader(
            "journalist",
            "wants to name anybody, and does not know who is in the table",
            Some(risk.journalist.highest),
            risk.journalist.average,
        ),
        reader(
            "marketer",
            "links everybody, and does not mind mistakes",
            None,
            risk.marketer,
        ),
    ];
    let above: Vec<(String, f64)> = risk
        .prosecutor
        .above
        .iter()
        .map(|above| (format!("above 1/{}", above.one_in), above.share))
        .collect();
    html! {
        p { "How likely a reader who knows the quasi-identifiers exactly puts a name on the right row: one over the rows that \
             look alike. The marketer's figure is the expected share of all rows that are linked rightly." }
        div.words { (table("Three readers", &["reader", "who", "highest chance", "average chance"], &rows, 0)) }
        p.quiet { (stands) }
        (accepted(facts))
        (charts::whole_bars("risk-above", "Share of rows whose chance to be named is above a threshold", &above))
    }
}

/// The limits of the policy and what was found; nothing where there is none.
pub fn accepted(facts: &PublicFacts) -> Markup {
    let row = |limit: &ShownRiskLimit| {
        let found = limit.found.map_or("–".to_owned(), percent);
        let name = limit_name(limit).to_owned();
        vec![
            name,
            written_percent(limit.limit),
            found,
            found_words(limit.finding).to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = facts.risk_limits.iter().map(row).collect();
    let counted = if facts.counts_people {
        "people"
    } else {
        "rows, each taken for one person"
    };
    html! {
        @if !rows.is_empty() {
            (table("What the policy accepts", &["risk", "at most", "found", "verdict"], &rows, 0))
            p.quiet { "Counted by " (counted) ". Limits are compared exactly, not as rounded here." }
        }
    }
}

fn balance(facts: &PublicFacts, balances: &[ShownBalance]) -> Markup {
    html! {
        p { "What the rows that look alike say about a sensitive column. Few different values, or one that most of them have, \
             let a reader guess; a large distance from the whole table says more about the group than about everybody."
            @if facts.counts_people { " Counted by rows, of which somebody may have several: whose they are is not published." } }
        @for (at, b) in balances.iter().take(DRAWN).enumerate() {
            h3 { (label(&b.column)) }
            dl.tiles {
                div { dt { "fewest different values in a group" } dd { (whole(b.fewest_distinct)) } }
                div { dt { "fewest as effective number (e to the entropy)" } dd { (figure(b.smallest_entropy_l)) } }
                div { dt { "largest share of one value" } dd { (percent(b.largest_share)) } }
                div { dt { "largest distance from the table (" (b.distance) ")"
                    @if let Some(t) = b.promised_distance { ", promised " (figure(t)) } } dd { (figure(b.largest_distance)) } }
            }
            div.two {
                (charts::bins(&format!("distinct-{at}"), "Groups by number of different values", ("different values", "rows"), &b.distinct, None))
                (charts::shares(&format!("entropy-{at}"), "Groups by effective number of values", "effective number", &b.entropy, None))
                (charts::shares(&format!("share-{at}"), "Groups by share of the commonest value", "share", &b.shares, None))
                (charts::shares(&format!("distance-{at}"), "Groups by distance from the table", "distance", &b.distances, b.promised_distance))
            }
        }
        @let more = balances.len().saturating_sub(DRAWN);
        @if more > 0 { p.more { "and " (counted(more as u64, "more sensitive column")) } }
    }
}

fn noisy(noise: &ShownNoise) -> Markup {
    let table_row = |t: &ShownNoiseTable| {
        let names = t
            .columns
            .iter()
            .map(|c| label(c))
            .collect::<Vec<_>>()
            .join(", ");
        vec![
            label(&t.file),
            cut(&names, 200),
            whole(t.rows),
            t.deviation.map_or("–".to_owned(), figure),
            t.threshold.map_or("–".to_owned(), whole),
        ]
    };
    let rows: Vec<Vec<String>> = noise.tables.iter().take(LISTED).map(table_row).collect();
    let more = noise.tables.len().saturating_sub(LISTED) as u64;
    let odds = [
        ("is in the data".to_owned(), rounded_up(noise.presence)),
        ("has a certain value".to_owned(), rounded_up(noise.value)),
    ];
    html! {
        p { "Promised: " strong { (noise.promise) } ", " (noise.noise) " noise. Compared are tables with " (cut(&noise.neighbouring, 300)) "." }
        (charts::whole_bars("odds", "What a suspicion of 50 % about somebody can become at most", &odds))
        (table("Tables", &["file", "columns", "lines", "noise of one count (standard deviation)", "smallest count shown"], &rows, more))
        @if !noise.measured.is_empty() {
            p { "Made-up records follow noisy counts of: "
                (cut(&noise.measured.iter().map(|set| set.iter().map(|c| label(c)).collect::<Vec<_>>().join(" × ")).collect::<Vec<_>>().join("; "), 1_500)) "." }
        }
    }
}

/// To a tenth of a percent, upwards: a bound stays one.
fn rounded_up(share: f64) -> f64 {
    ((share * 1_000.0 - 1e-9).ceil() / 1_000.0).min(0.999_9)
}
