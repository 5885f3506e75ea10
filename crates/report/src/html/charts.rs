//! Facts as charts with their tables.

use super::{figure, table};
use crate::number::{counted, figure as number, percent, whole};
use crate::text::label;
use maud::{Markup, html};

use mingle_chart::inline::{BarRow, Bars, Columns, Frame, MARKS, StepLine, Steps, UprightColumn};
use mingle_record::answer::{ShownExposure, ShownShareBin, ShownSizeBin};
use mingle_record::distributions::{ColumnDistribution, ContingencyTable, Distributions};

/// How much of the heat colour the largest cell gets, in percent: more would swallow its number.
pub const HOTTEST: f64 = 55.0;

/// The most sizes of coalitions that are listed.
const SIZES: usize = 40;

/// The most sizes of coalitions that are drawn, from 0 on.
const STEPS: usize = 100;

fn frame(id: &str, title: &str, description: String) -> Frame {
    Frame {
        id: id.to_owned(),
        title: title.to_owned(),
        description,
    }
}

/// Groups by a whole number; `members` are rows or people.
pub fn bins(
    id: &str,
    title: &str,
    (across, members): (&str, &str),
    bins: &[ShownSizeBin],
    mark: Option<(f64, String)>,
) -> Markup {
    let range = |bin: &ShownSizeBin| {
        if bin.from == bin.to {
            whole(bin.from)
        } else {
            format!("{}–{}", whole(bin.from), whole(bin.to))
        }
    };
    let groups: u64 = bins.iter().map(|bin| bin.groups).sum();
    let ends = bins
        .first()
        .zip(bins.last())
        .map_or(String::new(), |(first, last)| {
            format!(
                "{across} from {} to {}, {} in all.",
                whole(first.from),
                whole(last.to),
                counted(groups, "group")
            )
        });
    let column = |bin: &ShownSizeBin| UprightColumn {
        label: range(bin),
        amount: bin.groups as f64,
        note: format!("{}: {}", range(bin), counted(bin.groups, "group")),
    };
    let widening = if bins.iter().any(|bin| bin.from != bin.to) {
        " (ranges grow)"
    } else {
        ""
    };
    let chart = Columns {
        frame: frame(id, title, ends),
        across: format!("{across}{widening}"),
        columns: bins.iter().map(column).collect(),
        mark,
    };
    let rows: Vec<Vec<String>> = bins
        .iter()
        .map(|b| vec![range(b), whole(b.groups), whole(b.rows)])
        .collect();
    figure(
        chart.to_svg(),
        title,
        None,
        table(title, &[across, "groups", members], &rows, 0),
    )
}

/// Groups by a figure in equal ranges.
pub fn shares(
    id: &str,
    title: &str,
    across: &str,
    shares: &[ShownShareBin],
    promised: Option<f64>,
) -> Markup {
    let edge = |value: f64| number((value * 1e6).round() / 1e6);
    let range = |share: &ShownShareBin| format!("{}–{}", edge(share.from), edge(share.to));
    let column = |share: &ShownShareBin| UprightColumn {
        label: edge(share.from),
        amount: share.groups as f64,
        note: format!("{}: {}", range(share), counted(share.groups, "group")),
    };
    let (low, high) = (
        shares.first().map_or(0.0, |s| s.from),
        shares.last().map_or(1.0, |s| s.to),
    );
    let mark = promised.map(|value| {
        (
            (value - low) / (high - low) * shares.len() as f64,
            format!("promised {}", edge(value)),
        )
    });
    let groups: u64 = shares.iter().map(|share| share.groups).sum();
    let chart = Columns {
        frame: frame(
            id,
            title,
            format!(
                "{across} from {} to {}, {} in all.",
                edge(low),
                edge(high),
                counted(groups, "group")
            ),
        ),
        across: format!("{across} (each range from its number on)"),
        columns: shares.iter().map(column).collect(),
        mark,
    };
    let some = shares.iter().filter(|share| share.groups > 0);
    let rows: Vec<Vec<String>> = some
        .map(|s| vec![range(s), whole(s.groups), whole(s.rows)])
        .collect();
    figure(
        chart.to_svg(),
        title,
        None,
        table(title, &[across, "groups", "rows"], &rows, 0),
    )
}

/// Shares of a whole by name, with the axis up to 100 %.
pub fn whole_bars(id: &str, title: &str, rows: &[(String, f64)]) -> Markup {
    let row = |(name, share): &(String, f64)| BarRow {
        name: name.clone(),
        amounts: vec![(*share, percent(*share))],
    };
    let said: Vec<String> = rows
        .iter()
        .map(|(name, share)| format!("{name}: {}", percent(*share)))
        .collect();
    let rows_of = rows.iter().map(row).collect();
    let chart = Bars {
        frame: frame(id, title, said.join("; ")),
        rows: rows_of,
        shares: true,
        to_whole: true,
    };
    let numbers: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, share)| vec![name.clone(), percent(*share)])
        .collect();
    figure(
        chart.to_svg(),
        title,
        None,
        table(title, &["", "share"], &numbers, 0),
    )
}

fn legend(names: &[&str]) -> Markup {
    html! {
        ul.legend {
            @for (at, name) in names.iter().enumerate() {
                li { span class={ "k" (at % 4) } aria-hidden="true" { (MARKS[at % 4]) } " " (name) }
            }
        }
    }
}

/// What coalitions of each size could do, in shares of everybody.
pub fn exposure(facts: &ShownExposure, m: u64) -> Markup {
    let names = [
        "groups that fall",
        "people in them",
        "people exposed",
        "of these, row known",
    ];
    let share = |part: u64, all: u64| {
        if all == 0 {
            0.0
        } else {
            part as f64 / all as f64
        }
    };
    let (groups, people) = (facts.groups, facts.people);
    let line = |at: usize| StepLine {
        name: names[at].to_owned(),
        amounts: facts
            .sizes
            .iter()
            .take(STEPS)
            .map(|e| {
                [
                    share(e.groups, groups),
                    share(e.people, people),
                    share(e.exposed, people),
                    share(e.identity, people),
                ][at]
            })
            .collect(),
    };
    let title = "Exposure by size of the coalition";
    let said = facts.sizes.iter().take(SIZES).map(|e| {
        format!(
            "{} colluding: {} of groups fall, {} of people exposed",
            e.size,
            percent(share(e.groups, groups)),
            percent(share(e.exposed, people))
        )
    });
    let chart = Steps {
        frame: frame("exposure", title, said.collect::<Vec<_>>().join("; ")),
        across: "providers who collude, at most".to_owned(),
        lines: (0..names.len()).map(line).collect(),
        shares: true,
        // a mark beyond what is drawn would stand in the wrong place
        mark: ((m as usize) < STEPS).then(|| (m as f64, format!("promised: m = {m}"))),
    };
    let last = facts.sizes.last().filter(|_| facts.sizes.len() > STEPS);
    let of = |part: u64, all: u64| format!("{} ({})", whole(part), percent(share(part, all)));
    let rows: Vec<Vec<String>> = facts
        .sizes
        .iter()
        .take(SIZES)
        .map(|e| {
            let size = if e.size == 0 {
                "0 (outsider)".to_owned()
            } else {
                whole(e.size)
            };
            vec![
                size,
                of(e.groups, groups),
                whole(e.undecided),
                of(e.people, people),
                of(e.exposed, people),
                of(e.identity, people),
            ]
        })
        .collect();
    let heads = [
        "colluding",
        "groups that fall",
        "undecided",
        "people in them",
        "people exposed",
        "row known",
    ];
    let more = facts.sizes.len().saturating_sub(SIZES) as u64;
    let numbers = table(
        "People and groups by size of the coalition",
        &heads,
        &rows,
        more,
    );
    html! {
        figure.wide { figcaption { (title) } (legend(&names)) (maud::PreEscaped(chart.to_svg()))
            @if let Some(last) = last {
                p.more { "Drawn are coalitions of up to " (whole(STEPS as u64 - 1)) " of " (whole(facts.providers))
                    " providers. If " (whole(last.size)) " collude, " (percent(share(last.groups, groups))) " of groups fall and "
                    (percent(share(last.exposed, people))) " of people are exposed." }
            }
        }
        (numbers)
    }
}

/// One column, original beside release.
pub fn distribution(at: usize, column: &ColumnDistribution) -> Markup {
    let title = format!(
        "{} (total variation {})",
        label(&column.column),
        number(column.total_variation)
    );
    let rest = (column.rest.original > 0.0 || column.rest.released > 0.0).then(|| {
        (
            "all others".to_owned(),
            column.rest.original,
            column.rest.released,
        )
    });
    let shown = column
        .bars
        .iter()
        .map(|bar| (label(&bar.label), bar.original, bar.released))
        .chain(rest);
    let shown: Vec<(String, f64, f64)> = shown.collect();
    let row = |(name, original, released): &(String, f64, f64)| BarRow {
        name: name.clone(),
        amounts: vec![
            (*original, percent(*original)),
            (*released, percent(*released)),
        ],
    };
    let description = format!(
        "Shares of rows in the original and in the release for {} values or ranges.",
        shown.len()
    );
    let chart = Bars {
        frame: frame(&format!("column-{at}"), &title, description),
        rows: shown.iter().map(row).collect(),
        shares: true,
        to_whole: false,
    };
    let rows: Vec<Vec<String>> = shown
        .iter()
        .map(|(name, o, r)| vec![name.clone(), percent(*o), percent(*r)])
        .collect();
    let numbers = table(&title, &["value", "original", "release"], &rows, 0);
    let legend = html! {
        ul.legend {
            li { span.k0 aria-hidden="true" { "▭" } " original" }
            li { span.k1 aria-hidden="true" { "■" } " release" }
        }
    };
    figure(chart.to_svg(), &title, Some(legend), numbers)
}

/// A pair of columns, original beside release, as tables whose cells are darker the more rows they
/// stand for.
pub fn pair(distributions: &Distributions) -> Markup {
    let grids = distributions
        .pairs
        .iter()
        .filter_map(|pair| Some((pair, pair.grid.as_ref()?)));
    html! {
        @for (pair, grid) in grids {
            h3 { (label(&pair.columns[0])) " and " (label(&pair.columns[1])) " (total variation " (number(pair.total_variation)) ")" }
            @if !pair.covered { p.quiet { "No published table has both columns: the release side assumes that they are independent." } }
            div.two {
                (heat("Original: share of rows", grid, &grid.original))
                (heat("Release: share of rows", grid, &grid.released))
            }
        }
    }
}

fn heat(caption: &str, grid: &ContingencyTable, cells: &[Vec<f64>]) -> Markup {
    let both = grid
        .original
        .iter()
        .chain(&grid.released)
        .flatten()
        .copied()
        .filter(|v| v.is_finite());
    let most = both.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    // one scale for both sides, so that equal shades mean equal shares
    let shade = |value: f64| format!("--v:{:.0}", (value / most * HOTTEST).clamp(0.0, HOTTEST));
    html! {
        div.scroll tabindex="0" role="region" aria-label=(caption) {
            table.heat {
                caption { (caption) }
                thead { tr { td {} @for name in &grid.columns { th scope="col" { (label(name)) } } } }
                tbody {
                    @for (name, row) in grid.rows.iter().zip(cells) {
                        tr { th scope="row" { (label(name)) } @for value in row { td style=(shade(*value)) { (percent(*value)) } } }
                    }
                }
            }
        }
    }
}
