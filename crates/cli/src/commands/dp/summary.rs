//! What was released with noise, or would be, for the steward: a compact summary.

use super::words::{self, DIGITS, deviation};
use crate::message::beside;
use mingle::noise::{NoiseOutcome, NoiseTerms};
use mingle::report;
use mingle_dp::ledger::Ledger;
use mingle_dp::marginals::MarginalsChoice;
use mingle_dp::purse::Purse;
use mingle_dp::{Content, Encoded, Guarantee, Output, Request, histogram};
use mingle_model::counted;

/// Where values start.
const INDENT: usize = 14;

/// To whom the promise is made. A coalition that knows all records but one is a reader who knows
/// much.
const AGAINST: &str = "every reader, with any side information: outsiders, any coalition of providers up to all but one, \
                       and readers of other releases (their budgets add up)";

/// Everything that is said at the end.
pub fn text(outcome: &NoiseOutcome<'_>) -> String {
    let terms = &outcome.terms;
    let seconds = outcome.elapsed.as_secs_f64();
    let lines = [
        ("promised", promised(terms.guarantee)),
        ("in words", in_words(terms.guarantee)),
        ("against", AGAINST.to_owned()),
        ("assumed", assumed(terms)),
        ("ledger", ledger(outcome)),
        ("rows", rows(&outcome.encoded, terms.dp.records_per_person)),
        ("outside", outside(&outcome.encoded)),
        ("noise", noise(outcome)),
        ("bins", bins(terms)),
        ("made", made(outcome)),
        ("time", format!("{seconds:.2} s")),
        ("release", place(outcome)),
        (
            "report",
            outcome
                .reported()
                .map_or(String::new(), report::report_line),
        ),
    ];
    let mut shown = Vec::new();
    for (name, value) in &lines {
        if !value.is_empty() {
            shown.push(beside(name, value, INDENT));
        }
    }
    shown.join("\n")
}

fn promised(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Pure { epsilon } => format!("epsilon = {epsilon} (pure differential privacy)"),
        Guarantee::Approximate { epsilon, delta } => {
            format!("epsilon = {epsilon}, delta = {delta}")
        }
        Guarantee::Concentrated { rho } => {
            let (epsilon, delta) = guarantee.said();
            format!(
                "rho = {rho} (zero-concentrated); that is epsilon = {} at delta = {delta}",
                epsilon.0.ceil_to(DIGITS)
            )
        }
    }
}

/// The definition of (ε, δ), said in words: no more, no less.
fn in_words(guarantee: Guarantee) -> String {
    let (epsilon, delta) = guarantee.said();
    let factor = words::times(epsilon);
    let chance = if delta.is_zero() {
        String::new()
    } else {
        format!(" (plus {delta})")
    };
    format!(
        "whatever anyone knows or will learn: anything that can be seen of this release is at most {factor} times as \
         likely{chance} with one person's records in the tables as without them, and the other way round"
    )
}

fn assumed(terms: &NoiseTerms<'_>) -> String {
    let records = terms.dp.records_per_person;
    match &terms.dp.person {
        Some(column) => format!(
            "a person is a value of column {column:?} in canonical form, limited to {}",
            counted(records, "record")
        ),
        None if records == 1 => {
            "each row is one person: nothing in the policy tells people apart".to_owned()
        }
        None => format!(
            "nobody has more than {records} rows: your word, nothing in the policy tells people apart"
        ),
    }
}

fn ledger(outcome: &NoiseOutcome<'_>) -> String {
    let terms = &outcome.terms;
    let (name, charge) = (&terms.ledger_name, words::spent(terms.charge));
    match &outcome.made {
        None => {
            let left = words::left(terms.ledger.remaining());
            let room = room(&terms.ledger);
            format!("{name}: {left} left, {room}; this would spend {charge}")
        }
        Some(made) => {
            let entry = made.entry;
            let mut text = format!("{name}: {charge} spent as entry {entry}");
            // read anew, since other runs may have spent as well
            if let Ok(ledger) = Ledger::read(terms.ledger.path()) {
                let left = words::left(ledger.remaining());
                text += &format!("; {left} left, {}", room(&ledger));
            }
            text
        }
    }
}

/// The largest release that a ledger still pays for.
fn room(ledger: &Ledger) -> String {
    let possible = ledger.possible();
    match (possible.approximate, possible.pure, possible.rho) {
        (Some((epsilon, delta)), ..) => {
            format!("enough for epsilon = {epsilon} at delta = {delta}")
        }
        (None, Some(epsilon), _) => format!("enough for epsilon = {epsilon}"),
        (None, None, Some(rho)) => format!("enough for rho = {rho}"),
        (None, None, None) => "enough for nothing".to_owned(),
    }
}

fn rows(encoded: &Encoded, most: u64) -> String {
    let mut text = format!("{} read", encoded.rows);
    let left_out = [
        (
            encoded.left_out,
            "a value is not declared and there is no `other`".to_owned(),
        ),
        (
            encoded.of_unknown,
            "without the identifier of a person".to_owned(),
        ),
        (
            encoded.beyond_bound,
            format!("more than {most} of a person"),
        ),
    ];
    for (rows, why) in left_out {
        if rows > 0 {
            text += &format!(", {rows} left out: {why}");
        }
    }
    text
}

/// Values that the domains do not have. Private, like all of this.
fn outside(encoded: &Encoded) -> String {
    let mut columns = Vec::new();
    for found in &encoded.columns {
        let mut counts = Vec::new();
        for (values, what) in [
            (found.clamped, "clamped"),
            (found.other, "counted as other"),
            (found.left_out, "left out"),
        ] {
            if values > 0 {
                counts.push(format!("{values} {what}"));
            }
        }
        if !counts.is_empty() {
            columns.push(format!("{}: {}", found.column, counts.join(", ")));
        }
    }
    columns.join("; ")
}

fn noise(outcome: &NoiseOutcome<'_>) -> String {
    let terms = &outcome.terms;
    let shape = Purse::new(terms.guarantee).shape().name();
    let made = outcome.made.as_ref();
    match made.and_then(|made| deviations(&made.output)) {
        Some((least, most)) if most > least => format!(
            "{shape}, of a standard deviation from {} to {} per count and table",
            deviation(least),
            deviation(most)
        ),
        Some((same, _)) => format!(
            "{shape}, of a standard deviation of {} per count",
            deviation(same)
        ),
        None => format!(
            "{shape}, of a standard deviation of {} or more per count",
            deviation(terms.least_deviation())
        ),
    }
}

/// The smallest and the largest noise of the published tables, where they say it.
fn deviations(output: &Output) -> Option<(f64, f64)> {
    match &output.content {
        Content::Marginals(tables) => {
            let mut range: Option<(f64, f64)> = None;
            for table in tables {
                let (least, most) = range.unwrap_or((table.deviation, table.deviation));
                range = Some((least.min(table.deviation), most.max(table.deviation)));
            }
            range
        }
        Content::Histogram(table) => Some((table.deviation, table.deviation)),
        Content::Synthetic(_) => None,
    }
}

fn bins(terms: &NoiseTerms<'_>) -> String {
    let columns = terms.private_bins();
    if columns.is_empty() {
        return String::new();
    }
    format!(
        "a part of the budget finds the bins of {}",
        columns.join(", ")
    )
}

fn made(outcome: &NoiseOutcome<'_>) -> String {
    let Some(made) = &outcome.made else {
        return planned(&outcome.terms);
    };
    match &made.output.content {
        Content::Marginals(tables) => {
            let cells: usize = tables.iter().map(|table| table.counts.len()).sum();
            format!(
                "{} with {}",
                counted(tables.len(), "table"),
                counted(cells, "cell")
            )
        }
        Content::Histogram(table) => {
            let cells = counted(table.cells.len(), "cell");
            match table.threshold {
                None => format!("{cells} with a count above zero"),
                Some(least) => format!("{cells} with a count of {least} or more"),
            }
        }
        Content::Synthetic(made) => {
            let tables = counted(made.measured.len(), "measured table");
            format!("{}, from {tables}", counted(made.rows(), "record"))
        }
    }
}

/// Which tables are looked at, as far as that is known beforehand.
fn planned(terms: &NoiseTerms<'_>) -> String {
    let cells = terms.cells();
    let columns = counted(cells.len(), "column");
    match &terms.request {
        Request::Histogram(options) => {
            let cells = histogram::size(&cells, options);
            if terms.spending.leaves_cells_out {
                format!(
                    "a table of {cells} cells; only those that hold someone are looked at, small ones left out"
                )
            } else {
                format!("a table of {}", counted(cells, "cell"))
            }
        }
        Request::Marginals(options) => match &options.choice {
            MarginalsChoice::Named(sets) => counted(sets.len(), "table"),
            MarginalsChoice::All(ways) => format!("all tables of up to {ways} of {columns}"),
            MarginalsChoice::Selected(ways) => {
                format!("tables of up to {ways} of {columns}, chosen by noisy scores")
            }
        },
        Request::Synthetic(_) => {
            let tables = counted(cells.len(), "table");
            format!("{tables} of one column, and pairs chosen by noisy scores")
        }
    }
}

fn place(outcome: &NoiseOutcome<'_>) -> String {
    match outcome.out {
        Some(folder) => report::release_line(folder),
        None => "dry run: nothing was spent, drawn or written".to_owned(),
    }
}
