//! The sections that only the steward may see.

use super::{Section, charts, table};
use crate::facts::{StewardFacts, people_lines};
use crate::number::{bytes, counted, figure, percent, whole};
use crate::text::{cut, label};
use maud::{Markup, html};
use mingle_record::answer::{
    ShownAudit, ShownBudget, ShownComposition, ShownExposure, ShownPeople, ShownReader,
    ShownUtility,
};
use mingle_record::distributions::Distributions;

/// The most providers, files and pairs that are listed.
const LISTED: usize = 200;
/// The most columns whose distribution is drawn.
const DRAWN: usize = 24;

/// Exposure and who the providers are.
pub fn insiders(facts: &StewardFacts) -> Vec<Section> {
    let mut sections = Vec::new();
    if facts.public.noise.is_none() {
        let content = match &facts.exposure {
            Some(exposure) if exposure.providers > 1 => {
                exposed(exposure, facts.public.verdict.m.unwrap_or(0))
            }
            Some(_) => {
                html! { p { "All rows are of one provider: there is nobody who could collude." } }
            }
            None if facts.public.joint.is_some() => html! {
                p { "This release was made by sites that did not show each other who contributed what, so nobody can play coalitions." }
            },
            None if facts.people.is_some() => html! {
                p { "People have several rows, and what coalitions of other sizes than the stated one could do to people was \
                     not counted. What is promised against coalitions was verified on people: see the verdict." }
            },
            None => {
                html! { p { "There is no audit that says who contributed what, so coalitions cannot be played." } }
            }
        };
        sections.push(Section(
            "exposure-by-coalition",
            "If providers collude".into(),
            content,
        ));
    }
    if let Some(people) = &facts.people {
        sections.push(Section("people", "People".into(), crowd(facts, people)));
    }
    if !facts.providers.is_empty() {
        sections.push(Section("providers", "Providers".into(), providers(facts)));
    }
    sections
}

fn providers(facts: &StewardFacts) -> Markup {
    let row = |p: &mingle_record::manifest::ProviderRows| {
        vec![
            label(&p.name),
            whole(p.rows),
            whole(p.published_rows),
            whole(p.rows.saturating_sub(p.published_rows)),
        ]
    };
    let rows: Vec<Vec<String>> = facts.providers.iter().take(LISTED).map(row).collect();
    let more = facts.providers.len().saturating_sub(LISTED) as u64;
    html! {
        @if let Some(site) = &facts.site { p { "This copy is kept by " (label(site)) "." } }
        (table("Rows by provider", &["provider", "read", "published", "left out"], &rows, more))
        @if let Some(suppressed) = facts.suppressed_rows { p { "Rows left out of the release in all: " strong { (whole(suppressed)) } "." } }
    }
}

/// How many people there are, and how easily they are named.
fn crowd(facts: &StewardFacts, people: &ShownPeople) -> Markup {
    let lines = people_lines(people);
    let rows: Vec<Vec<String>> = lines
        .into_iter()
        .map(|(name, value)| vec![name, value])
        .collect();
    html! {
        p { "Promises count people. How many a group has does not follow from the published rows, so it stands here only." }
        (table("People", &["", ""], &rows, 0))
        (super::public::accepted(&facts.public))
        @if let Some(sizes) = &people.sizes {
            (charts::bins("people-in-groups", "Groups by people", ("people in a group", "people"), &sizes.bins, None))
        }
    }
}

fn exposed(exposure: &ShownExposure, m: u64) -> Markup {
    let rows: Vec<Vec<String>> = exposure
        .worst
        .iter()
        .map(|c| {
            let members = c
                .members
                .iter()
                .map(|name| label(name))
                .collect::<Vec<_>>()
                .join(" + ");
            vec![
                members,
                whole(c.groups),
                whole(c.exposed),
                if c.exact { "yes" } else { "at least" }.to_owned(),
            ]
        })
        .collect();
    html! {
        p { "Providers can take out the rows that they contributed and look at what is left. A group " em { "falls" } " if some \
             coalition of at most this size can break a promise there; a person is " em { "exposed" } " if it then knows the \
             person's sensitive value, or the row, for certain." }
        (charts::exposure(exposure, m))
        @match exposure.smallest {
            Some(0) => { p { "Outsiders alone can break a promise." } }
            Some(size) => { p { "The smallest coalition that breaks a promise somewhere has " strong { (counted(size, "member")) }
                @if exposure.smallest_undecided { "; a search was cut short, so there may be a smaller one" } "." } }
            None if exposure.smallest_undecided => { p { "No coalition was found that breaks a promise, but a search was cut short." } }
            None => { p { "No coalition of any size breaks a promise." } }
        }
        @if rows.is_empty() { p { "No coalition of up to " (counted(exposure.named_up_to, "provider")) " achieves anything that fewer could not." } }
        @else { (table(&format!("The worst coalitions of up to {}", counted(exposure.named_up_to, "member")), &["coalition", "groups broken", "people exposed", "exact"], &rows, 0)) }
    }
}

pub fn sections(facts: &StewardFacts) -> Vec<Section> {
    let mut sections = Vec::new();
    if let Some(utility) = &facts.utility {
        sections.push(Section("cost", "What it costs".into(), cost(utility)));
    }
    let shown = facts.distributions.as_ref().map(distributions);
    let shown = shown.unwrap_or_else(|| html! { p { "Not recorded with this release." } });
    sections.push(Section(
        "distributions",
        "Original against release".into(),
        shown,
    ));
    if let Some(composition) = &facts.composition {
        sections.push(Section(
            "composition",
            "Beside other releases".into(),
            beside(composition),
        ));
    }
    if let Some(budget) = &facts.budget {
        sections.push(Section("budget", "Budget".into(), paid(budget)));
    }
    let rows: Vec<Vec<String>> = facts
        .inputs
        .iter()
        .take(LISTED)
        .map(|f| vec![label(&f.name), bytes(f.bytes), cut(&f.sha256, 64)])
        .collect();
    let more = facts.inputs.len().saturating_sub(LISTED) as u64;
    let content = html! {
        (table("Files that were read", &["file", "size", "SHA-256"], &rows, more))
        @if let Some(seed) = facts.seed { p { "Seed of tie-breaks and sampling: " (seed) "." } }
    };
    sections.push(Section("inputs", "Input".into(), content));
    sections
}

fn cost(utility: &ShownUtility) -> Markup {
    let optional =
        |name: &str, value: Option<String>| value.map(|value| vec![name.to_owned(), value]);
    let rows: Vec<Vec<String>> = [
        optional(
            &format!(
                "{} over all columns (0 nothing lost, 1 everything)",
                utility.loss_name.name()
            ),
            utility.loss.map(figure),
        ),
        optional(
            &format!("{} with everybody counted once", utility.loss_name.name()),
            utility.loss_of_people.map(figure),
        ),
        optional(
            "non-uniform entropy (0 nothing lost, 1 everything)",
            utility.non_uniform_entropy.map(figure),
        ),
        optional(
            "discernibility: sum of squared group sizes",
            utility.discernibility.map(figure),
        ),
        optional(
            match utility.loss_of_people {
                None => "average group size over k",
                Some(_) => "average rows of a group over k",
            },
            utility.average_group_size.map(figure),
        ),
        optional("rows left out", utility.suppressed_rows.map(whole)),
        optional(
            "mean relative error of counting queries",
            utility.query_error.map(|q| percent(q.mean)),
        ),
        optional(
            "median relative error of counting queries",
            utility.query_error.map(|q| percent(q.median)),
        ),
        optional(
            "queries asked",
            utility.query_error.map(|q| whole(q.queries)),
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let columns: Vec<(String, f64)> = utility
        .columns
        .iter()
        .take(LISTED)
        .map(|c| (label(&c.column), c.loss))
        .collect();
    html! {
        (table("Figures against the original", &["figure", "value"], &rows, 0))
        @if !columns.is_empty() {
            (charts::whole_bars("loss", &format!("{} by column: the share of detail that is lost", utility.loss_name.name()), &columns))
        }
    }
}

fn distributions(found: &Distributions) -> Markup {
    let mut pairs: Vec<_> = found.pairs.iter().collect();
    pairs.sort_by(|a, b| b.total_variation.total_cmp(&a.total_variation));
    let row = |p: &&mingle_record::distributions::PairDistribution| {
        let name = format!("{} and {}", label(&p.columns[0]), label(&p.columns[1]));
        vec![
            name,
            figure(p.total_variation),
            if p.covered { "yes" } else { "no" }.to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = pairs.iter().take(40).map(row).collect();
    let more = pairs.len().saturating_sub(40) as u64 + found.pairs_left_out;
    let columns = found.columns.len().saturating_sub(DRAWN);
    html! {
        p { "Total variation is half of the sum of the differences of shares: 0 is the same distribution, 1 nothing in common. \
             Columns: mean " (figure(found.one_way.mean)) ", largest " (figure(found.one_way.max)) ". Pairs of columns: mean "
            (figure(found.two_way.mean)) ", largest " (figure(found.two_way.max)) "." }
        div.two { @for (at, column) in found.columns.iter().take(DRAWN).enumerate() { (charts::distribution(at, column)) } }
        @if columns > 0 { p.more { "and " (whole(columns as u64)) " more columns" } }
        @if !rows.is_empty() {
            (charts::pair(found))
            details { summary { "All pairs" } (table("Pairs of columns", &["pair", "total variation", "counted together"], &rows, more)) }
        }
    }
}

fn beside(composition: &ShownComposition) -> Markup {
    let heads = [
        "reader",
        "people",
        "one value left",
        "of these by the others alone",
        "fewer values than in any",
        "fewest values left",
    ];
    let rows = |audit: &ShownAudit| -> Vec<Vec<String>> {
        let row = |r: &ShownReader| {
            let least = r.least.map_or("–".to_owned(), whole);
            vec![
                label(&r.reader),
                whole(r.targets),
                whole(r.perfect),
                whole(r.perfect_already),
                whole(r.vulnerable),
                least,
            ]
        };
        audit.readers.iter().map(row).collect()
    };
    let limits = |audit: &ShownAudit| {
        if audit.holds {
            "the policy's limits hold"
        } else {
            "the policy's limits do not hold"
        }
    };
    html! {
        @if composition.mitigated { p { "Groups were changed until the limits held." } }
        @for audit in composition.audits.iter().take(LISTED) {
            h3 { (label(&audit.column)) ": " (limits(audit)) }
            p { "Laid beside " (cut(&audit.against.iter().map(|n| label(n)).collect::<Vec<_>>().join(", "), 600)) "." }
            (table("What readers of all of them find", &heads, &rows(audit), 0))
        }
        @if let Some(history) = &composition.history {
            h3 { "Own earlier versions: " (whole(history.earlier)) }
            @if let Some(version) = &history.version { p { "This one is " (label(version)) "." } }
            @for audit in history.columns.iter().take(LISTED) {
                p { (label(&audit.column)) ": " (limits(audit)) "." }
                (table("What a reader of all versions finds", &heads, &rows(audit), 0))
            }
        }
    }
}

fn paid(budget: &ShownBudget) -> Markup {
    let rows = [
        ("paid", budget.paid.clone()),
        ("ledger", label(&budget.ledger)),
        ("entry", whole(budget.entry)),
        ("hash of the entry", cut(&budget.entry_hash, 64)),
        ("made", cut(&budget.time, 60)),
        ("rows read", whole(budget.rows)),
        ("left out: value not declared", whole(budget.left_out)),
        (
            "left out: beyond the bound of their person",
            whole(budget.beyond_bound),
        ),
        ("left out: person not known", whole(budget.of_unknown)),
    ]
    .map(|(name, value)| vec![name.to_owned(), value]);
    let columns: Vec<Vec<String>> = budget
        .columns
        .iter()
        .take(LISTED)
        .map(|c| {
            vec![
                label(&c.column),
                whole(c.clamped),
                whole(c.other),
                whole(c.left_out),
            ]
        })
        .collect();
    html! {
        p { "What was taken from the ledger for this release. What is left of it, the ledger says." }
        (table("Paid", &["", "value"], &rows, 0))
        @if !columns.is_empty() {
            (table("Values that were not declared", &["column", "counted in the nearest range", "counted as other", "left out"], &columns, 0))
        }
    }
}
