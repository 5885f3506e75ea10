//! What the tables look like, and a policy to start from.

use super::seen::{SeenColumn, SeenTables, TableReading};
use super::{Bench, problem_view, view};
use mingle::propose;
use mingle_io::Source;
use mingle_model::{Column, Kind, Missing, Number, Role, date};
use mingle_page::protocol::{
    ColumnProfile, LabelledCount, PolicyAnswer, PolicyView, ProfileAnswer, ProposeRequest,
};
use mingle_policy::PolicyOutline;
use mingle_policy::edit::{self, change};
use mingle_record::Problem;
use mingle_record::policy_document::PolicyValue;
use std::path::PathBuf;

/// The most bars of a column.
const BARS: usize = 24;

/// Looks at the tables that a policy names, whether or not the rest of it makes sense.
pub fn answer(bench: &Bench, text: &str) -> ProfileAnswer {
    let Some(policy) = view::of(bench, text) else {
        return nothing(None);
    };
    let sources = sources(bench, text);
    if sources.is_empty() {
        return nothing(None);
    }
    let reading = TableReading::of(text);
    match SeenTables::of(bench, &sources, &reading) {
        Err(problem) => nothing(Some(&problem)),
        Ok(seen) => profile(&seen, &policy, &sources, &reading.missing),
    }
}

fn nothing(problem: Option<&Problem>) -> ProfileAnswer {
    let problem = problem.map(problem_view);
    ProfileAnswer {
        rows: 0.0,
        providers: Vec::new(),
        columns: Vec::new(),
        sample_rows: 0.0,
        alone_together: 0.0,
        problem,
    }
}

/// The tables that a policy names.
pub fn sources(bench: &Bench, text: &str) -> Vec<Source> {
    let folders = bench.folders();
    let mut sources = Vec::new();
    let Some(outline) = PolicyOutline::of_text(text) else {
        return sources;
    };
    for table in outline.tables {
        let source = Source::new(folders.find_table(&table.file), table.file);
        let mut source = source.written_as(table.format);
        source.provider = table.provider;
        sources.push(source);
    }
    sources
}

fn profile(
    seen: &SeenTables,
    policy: &PolicyView,
    sources: &[Source],
    missing: &Missing,
) -> ProfileAnswer {
    let named = |source: &Source| {
        source
            .provider
            .clone()
            .unwrap_or_else(|| source.display.clone())
    };
    let by_file = sources.iter().map(named).zip(&seen.rows_of);
    let providers = match policy
        .provider_column
        .as_ref()
        .and_then(|name| seen.column(name).ok())
    {
        Some(column) => column
            .counted(|_| true)
            .map(|(name, rows)| bar(name, rows))
            .collect(),
        None => by_file.map(|(name, &rows)| bar(&name, rows)).collect(),
    };
    let looked_at: Vec<propose::Profile> = seen
        .columns
        .iter()
        .map(|column| outside(column, policy, missing))
        .collect();
    let columns = seen.columns.iter().zip(
        looked_at
            .iter()
            .zip(propose::roles(&looked_at, &seen.sample)),
    );
    ProfileAnswer {
        rows: seen.rows as f64,
        providers,
        columns: columns
            .map(|(column, (look, role))| column_profile(column, look, role, missing))
            .collect(),
        sample_rows: seen.sample.rows() as f64,
        alone_together: alone_together(seen, policy) as f64,
        problem: None,
    }
}

/// Rows of the sample that no other row equals in all quasi-identifiers; none without any.
fn alone_together(seen: &SeenTables, policy: &PolicyView) -> usize {
    let mut places = Vec::new();
    for column in &policy.columns {
        if column.role != Role::QuasiIdentifier.name() {
            continue;
        }
        places.extend(seen.columns.iter().position(|c| c.name == column.name));
    }
    if places.is_empty() {
        return 0;
    }
    propose::alone_in_all(&seen.sample, &places)
}

fn bar(label: &str, count: u64) -> LabelledCount {
    LabelledCount {
        label: label.to_owned(),
        count: count as f64,
    }
}

/// A column as `mingle init` sees it; codes that the policy calls categories are no numbers.
fn outside(column: &SeenColumn, policy: &PolicyView, missing: &Missing) -> propose::Profile {
    let declared = policy
        .columns
        .iter()
        .find(|c| c.name == column.name)
        .and_then(|c| c.kind.as_deref());
    let kind = if declared == Some(Kind::Category.name()) {
        Kind::Category
    } else {
        column.kind
    };
    let values: Vec<(&str, u64)> = column.counted(|_| true).collect();
    propose::Profile::counted(column.name.clone(), kind, values.iter().copied(), missing)
}

fn column_profile(
    column: &SeenColumn,
    look: &propose::Profile,
    proposed: propose::ProposedRole,
    missing: &Missing,
) -> ColumnProfile {
    let (bars, ordered) = bars(column, look.kind, missing);
    let shown: f64 = bars.iter().map(|bar| bar.count).sum();
    ColumnProfile {
        name: column.name.clone(),
        kind: look.kind.name().to_owned(),
        distinct: look.distinct as f64,
        missing: look.missing as f64,
        rest: ((look.rows - look.missing) as f64 - shown).max(0.0),
        bars,
        ordered,
        unique: look.is_unique(),
        alone: look.unique as f64,
        rare: look.rare as f64,
        recognised: look.recognition.meaning.name().to_owned(),
        proposed_role: proposed.role.name().to_owned(),
        proposed_kind: proposed.kind.to_owned(),
        decide: proposed.decide,
        reason: proposed.reason,
    }
}

/// Numbers and days in intervals of equal width, categories by frequency.
fn bars(column: &SeenColumn, kind: Kind, missing: &Missing) -> (Vec<LabelledCount>, bool) {
    let keep = |text: &str| !missing.contains(text);
    if kind.is_numeric()
        && let Ok(encoded) = column.encode(None, missing, keep)
        && let Some(bars) = intervals(&encoded, column.counted(keep).map(|(_, count)| count))
    {
        return (bars, true);
    }
    let mut counted: Vec<(&str, u64)> = column.counted(keep).collect();
    counted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    (
        counted
            .into_iter()
            .take(BARS)
            .map(|(text, count)| bar(text, count))
            .collect(),
        false,
    )
}

fn intervals(column: &Column, counts: impl Iterator<Item = u64>) -> Option<Vec<LabelledCount>> {
    let domain = &column.domain;
    let (lo, hi) = domain.extent()?;
    // numbers that are too far apart to count are shown as categories
    let values = hi.checked_sub(lo)?.checked_add(BARS as i128)? - BARS as i128 + 1;
    let width = (values + BARS as i128 - 1) / BARS as i128;
    let bins = ((values + width - 1) / width) as usize;
    let mut sums = vec![0u64; bins];
    for (code, count) in column.codes.iter().zip(counts) {
        let Some(number) = domain.number(code) else {
            continue;
        };
        sums[((number - lo) / width) as usize] += count;
    }
    let text = |number: i128| match domain.kind() {
        Kind::Date => date::Day::try_from(number)
            .map(date::text)
            .unwrap_or_default(),
        _ => Number::text(number, domain.scale()),
    };
    let label = |bin: usize| {
        let from = lo + bin as i128 * width;
        let to = (from + width - 1).min(hi);
        if from == to {
            text(from)
        } else {
            format!("{} – {}", text(from), text(to))
        }
    };
    Some(
        sums.into_iter()
            .enumerate()
            .map(|(bin, count)| bar(&label(bin), count))
            .collect(),
    )
}

/// A policy by `mingle init` for files that were dropped.
pub fn propose(bench: &Bench, request: &ProposeRequest) -> Result<PolicyAnswer, Problem> {
    let folder = bench.dropped.folder();
    let files: Vec<PathBuf> = request
        .files
        .iter()
        .map(|name| bench.dropped.place(name))
        .collect::<Result<_, _>>()?;
    let text = propose::proposed(&files, folder)?;
    let text = match &request.provider_column {
        None => text,
        Some(column) => {
            let named = change(&["data", "provider_column"], column.as_str().into());
            let undeclared = change(&["columns", column], PolicyValue::Nothing);
            edit::apply(&text, &[named, undeclared])?
        }
    };
    Ok(view::answer(bench, text))
}
