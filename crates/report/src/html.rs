//! The facts as one HTML page: semantic, without script, for screens of any width, for paper and
//! for those who listen.
//!
//! Every text from data passes [`text`](crate::text) before maud escapes it; charts escape for
//! themselves. Each chart has its numbers in a table beside it. Long lists are cut and say by how
//! much, so a page stays small for any release.

mod charts;
mod cover;
mod private;
mod public;
mod style;

use crate::facts::{PublicFacts, Statement, StewardFacts};
use crate::number::{counted, percent, whole};
use crate::text::cut;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use mingle_record::answer::{ShownExtent, ShownFinding, ShownShape};
use mingle_record::{WarningNotice, WarningsRecorded};

/// The most warnings that are listed.
const LISTED: usize = 200;

/// A section with its heading: id, title, content.
struct Section(&'static str, String, Markup);

/// The page that is handed out.
pub fn public(facts: &PublicFacts) -> String {
    let lists = (&facts.protected[..], &facts.unprotected[..]);
    let mut sections = Vec::new();
    sections.extend(cover::handed_out(facts));
    sections.push(Section(
        "protection",
        "What is protected, and what is not".into(),
        protection(facts, lists),
    ));
    sections.extend(public::sections(facts));
    sections.push(cover::glossary(false));
    sections.extend(public::closing((&facts.repeat, &facts.policy), facts));
    let head = Head {
        title: "Report on a release",
        about: facts.about.title.as_deref(),
        keep: None,
        with_insiders: true,
        warnings: &facts.warnings,
        recorded: WarningsRecorded::of(None, facts.records_warnings),
    };
    page(&head, facts, &sections)
}

/// The page that the steward keeps.
pub fn private(facts: &StewardFacts) -> String {
    let lists = (&facts.protected[..], &facts.unprotected[..]);
    let protected = protection(&facts.public, lists);
    let mut sections = vec![
        cover::kept(facts),
        Section(
            "protection",
            "What is protected, and what is not".into(),
            protected,
        ),
        cover::choices(facts),
    ];
    sections.extend(private::insiders(facts));
    sections.extend(public::sections(&facts.public));
    sections.extend(private::sections(facts));
    let closing = public::closing((&facts.repeat, &facts.policy), &facts.public);
    let sign_off = cover::sign_off(facts);
    // the checklist names sections before and behind it
    let at = sections.len();
    sections.push(sign_off);
    sections.push(cover::glossary(true));
    sections.extend(closing);
    let checklist = cover::checklist(facts, &sections);
    sections.insert(at, checklist);
    let keep = "Private. This report names providers and compares with the original data. Keep it; hand out the one in public/.";
    let warnings = facts.all_warnings();
    let head = Head {
        title: "Private report on a release",
        about: facts.about.title.as_deref(),
        keep: Some(keep),
        with_insiders: !facts.of_one_provider(),
        warnings: &warnings,
        recorded: WarningsRecorded::All,
    };
    page(&head, &facts.public, &sections)
}

/// What stands above the sections.
struct Head<'a> {
    title: &'a str,
    /// What the steward calls the release.
    about: Option<&'a str>,
    /// Who may read the page, where not everybody may.
    keep: Option<&'a str>,
    /// Whether there may be providers who could collude.
    with_insiders: bool,
    /// What deserves attention.
    warnings: &'a [WarningNotice],
    /// How much of what the steward was warned of is at hand.
    recorded: WarningsRecorded,
}

fn page(head: &Head<'_>, facts: &PublicFacts, sections: &[Section]) -> String {
    let title = head.title;
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(style::sheet())) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                header {
                    p.kicker { (crate::text::label(&facts.tool)) " · " (kind(facts.shape)) }
                    h1 { @match head.about { Some(about) => (cut(about, 200)), None => (title) } }
                    @if head.about.is_some() { p.kicker { (title) } }
                    @if let Some(keep) = head.keep { p.keep role="note" { (keep) } }
                    (banner(facts, head))
                    (warnings(head))
                    (tiles(facts))
                }
                nav aria-label="Sections" {
                    ul { @for Section(id, title, _) in sections { li { a href={ "#" (id) } { (title) } } } }
                }
                main id="main" {
                    @for Section(id, title, content) in sections {
                        section aria-labelledby={ (id) "-heading" } id=(id) {
                            h2 id={ (id) "-heading" } { (title) }
                            (content)
                        }
                    }
                }
                footer {
                    p {
                        "Made from the files of the release and from nothing else: the same release gives the same report. "
                        "Figures are rounded for reading; whether a promise holds was decided exactly."
                    }
                }
            }
        }
    };
    page.into_string()
}

fn kind(shape: ShownShape) -> &'static str {
    match shape {
        ShownShape::Groups => "one table of groups",
        ShownShape::Centroids => "one table of groups, shown by their middle",
        ShownShape::Fragments => "fragmented: one table per sensitive column",
        ShownShape::Synthetic => "made-up records with noise",
        ShownShape::Marginals => "noisy tables of counts",
        ShownShape::Histogram => "a noisy histogram",
    }
}

/// The verdict, in a few large words. Green only where every row and value is covered.
fn banner(facts: &PublicFacts, head: &Head<'_>) -> Markup {
    let verdict = &facts.verdict;
    let (class, mark) = match (verdict.holds(), verdict.outsider, facts.extent) {
        (true, ..) if facts.is_risk_too_high() => ("fails", "✗"),
        (true, ShownFinding::Stated, _) => ("stated", "✓"),
        (true, _, ShownExtent::Whole) => ("holds", "✓"),
        (true, _, ShownExtent::Part) => ("part", "!"),
        (true, _, ShownExtent::Nothing) => ("fails", "!"),
        (false, ..) if verdict.fails() => ("fails", "✗"),
        (false, ..) => ("fails", "?"),
    };
    let more = match facts.extent {
        ShownExtent::Nothing if verdict.holds() => Some("What is promised is true of every table."),
        ShownExtent::Part if verdict.holds() => {
            Some("Some rows or values may be certain to a reader: see what is not protected.")
        }
        _ => None,
    };
    html! {
        div.banner.(class) {
            p.said { span.mark aria-hidden="true" { (mark) } " " (facts.headline(head.with_insiders)) }
            @if let Some(more) = more { p { (more) } }
            p { (verdict.words) }
            @for line in facts.risk_lines() { p.risk { (line) } }
            @match head.warnings.len() {
                0 => {},
                count => { p { a href="#warnings" { (counted(count as u64, "warning")) } ", right below." } }
            }
        }
    }
}

/// What deserves attention, right below the verdict. That nothing was recorded is said: it is not
/// to say that there was nothing.
fn warnings(head: &Head<'_>) -> Markup {
    let unknown = match head.recorded {
        WarningsRecorded::Nothing => head.recorded.words(),
        WarningsRecorded::All | WarningsRecorded::Public => None,
    };
    if head.warnings.is_empty() && unknown.is_none() {
        return html! {};
    }
    let count = head.warnings.len() as u64;
    let more = count.saturating_sub(LISTED as u64);
    html! {
        section.warnings aria-labelledby="warnings-heading" id="warnings" {
            h2 id="warnings-heading" {
                @if count > 0 { (counted(count, "warning")) } @else { "Warnings" }
            }
            @if count > 0 {
                ul {
                    @for warning in head.warnings.iter().take(LISTED) {
                        li {
                            code { (warning.code.to_string()) } " " (cut(&warning.text, 1_000))
                            @if !warning.hint.is_empty() { span.hint { (cut(&warning.hint, 600)) } }
                        }
                    }
                }
            }
            @if more > 0 { p.more { "and " (whole(more)) " more" } }
            @if let Some(unknown) = unknown { p { (unknown) } }
        }
    }
}

/// The figures that everybody asks for first.
fn tiles(facts: &PublicFacts) -> Markup {
    let mut shown: Vec<(String, String)> = Vec::new();
    match (&facts.groups, &facts.noise) {
        (Some(groups), _) => {
            shown.push((whole(facts.rows), "published rows".into()));
            shown.push((
                whole(groups.sizes.groups),
                "groups of rows that look alike".into(),
            ));
            shown.push((
                whole(groups.sizes.smallest),
                "rows in the smallest group".into(),
            ));
            if let Some(risk) = &groups.risk {
                shown.push((
                    percent(risk.prosecutor.highest),
                    "highest chance to name the right row".into(),
                ));
            }
        }
        (None, Some(noise)) => {
            shown.push((noise.promise.clone(), "promised about one person".into()));
            shown.push((whole(facts.rows), "published lines".into()));
            shown.push((noise.tables.len().to_string(), "tables".into()));
        }
        (None, None) => {}
    }
    html! {
        dl.tiles { @for (figure, words) in shown { div { dt { (words) } dd { (figure) } } } }
    }
}

fn protection(
    facts: &PublicFacts,
    (protected, unprotected): (&[Statement], &[Statement]),
) -> Markup {
    html! {
        div.two {
            div.card.good { h3 { span aria-hidden="true" { "✓ " } "Protected" } (statements(protected))
                @if protected.is_empty() { p { "Nothing." } } }
            div.card.bad { h3 { span aria-hidden="true" { "! " } "Not protected" } (statements(unprotected)) }
        }
        h3 { "Taken for granted" }
        (statements(&facts.assumed))
    }
}

fn statements(said: &[Statement]) -> Markup {
    html! {
        dl.said { @for s in said { div { dt { (crate::text::label(&s.about)) } dd { (crate::text::cut(&s.text, 2_000)) } } } }
    }
}

/// A table in a box of its own, which scrolls where the screen is narrow. The first cell of a row
/// names it.
fn table(caption: &str, heads: &[&str], rows: &[Vec<String>], more: u64) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table {
                caption { (caption) }
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (at, cell) in row.iter().enumerate() {
                                @if at == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
        @if more > 0 { p.more { "and " (whole(more)) " more" } }
    }
}

/// A chart, and its numbers to unfold.
fn figure(svg: String, caption: &str, legend: Option<Markup>, numbers: Markup) -> Markup {
    html! {
        figure {
            figcaption { (caption) }
            @if let Some(legend) = legend { (legend) }
            (PreEscaped(svg))
            details { summary { "The numbers" } (numbers) }
        }
    }
}
