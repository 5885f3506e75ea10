//! What a hierarchy would do to a column: labels of each value, and the values that have no place
//! in it.

use super::draft;
use super::seen::{SeenColumn, SeenTables, TableReading};
use super::{Bench, problem_view, profile, view};
use mingle::hierarchy::check_column;
use mingle_model::{Column, ColumnSpec, HierarchySource, Kind, Missing, Role, date};
use mingle_page::protocol::{
    HierarchyAnswer, HierarchyDraft, HierarchyRequest, HierarchyRow, HierarchyView,
};
use mingle_policy::edit;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::PolicyValue;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// How many values are listed where nobody asks for more or fewer; the others are only counted.
const LISTED: usize = 2_000;

/// The most that anybody may ask for.
const MOST: usize = 20_000;

/// Tries a hierarchy on the values of a column.
pub fn answer(bench: &Bench, request: &HierarchyRequest) -> Result<HierarchyAnswer, Problem> {
    let Some(policy) = view::of(bench, &request.text) else {
        return Err(Problem::new(
            ProblemCode::PolicySyntax,
            "the policy cannot be read",
            "fix its text first",
        ));
    };
    let reading = TableReading::of(&request.text);
    let seen = SeenTables::of(bench, &profile::sources(bench, &request.text), &reading)?;
    let column = seen.column(&request.column)?;
    let declared = policy.columns.iter().find(|c| c.name == request.column);
    let kind = declared
        .and_then(|c| c.kind.as_deref())
        .and_then(|name| Kind::ALL.into_iter().find(|k| k.name() == name));
    let drafted = match &request.draft {
        HierarchyDraft::Current => match declared.and_then(|c| c.hierarchy.as_ref()) {
            None => Ok(None),
            Some(declared) => {
                current(bench, declared, dates(&request.text, &request.column)).map(Some)
            }
        },
        draft => drafted(&request.column, draft).map(Some),
    };
    let most = request
        .limit
        .map_or(LISTED, |limit| limit as usize)
        .min(MOST);
    let tried = |source| tried(column, kind, source, &reading.missing, most);
    Ok(match drafted {
        Ok(source) => tried(source),
        Err(problem) => HierarchyAnswer {
            problem: Some(problem_view(&problem)),
            ..tried(None)
        },
    })
}

/// The hierarchy that the policy names.
fn current(
    bench: &Bench,
    declared: &HierarchyView,
    dates: Vec<date::Level>,
) -> Result<HierarchySource, Problem> {
    match declared {
        HierarchyView::File { name } => {
            let rows = mingle_io::read_hierarchy(&bench.folders().find(name), name);
            rows.map(HierarchySource::Rows)
                .map_err(|e| mingle::failure::io(&e))
        }
        HierarchyView::Mask { digits } => Ok(HierarchySource::Mask(*digits as usize)),
        HierarchyView::Intervals { widths } => draft::intervals(widths),
        HierarchyView::Prefix { lengths } => {
            let lengths: Vec<u32> = lengths.iter().map(|&length| length as u32).collect();
            draft::prefix(&lengths)
        }
        HierarchyView::Bands { levels } => draft::bands(levels),
        HierarchyView::Age { at, levels } => draft::age(at, levels),
        HierarchyView::Template { name } => draft::template(name),
        HierarchyView::Dates => Ok(HierarchySource::Dates(dates)),
    }
}

/// The declared levels of dates; all of them where none is named.
fn dates(text: &str, column: &str) -> Vec<date::Level> {
    let declared = edit::said(text, &["columns", column, "hierarchy", "dates"]);
    let named = |list: &[PolicyValue]| {
        let is_named =
            |level: &date::Level| list.iter().any(|name| name.as_text() == Some(level.name()));
        date::Level::ALL.into_iter().filter(is_named).collect()
    };
    declared
        .as_ref()
        .and_then(PolicyValue::as_list)
        .map_or_else(|| date::Level::ALL.to_vec(), named)
}

/// The hierarchy that is being built.
fn drafted(column: &str, draft: &HierarchyDraft) -> Result<HierarchySource, Problem> {
    match draft {
        HierarchyDraft::Current | HierarchyDraft::Dates => {
            Ok(HierarchySource::Dates(date::Level::ALL.to_vec()))
        }
        HierarchyDraft::Mask { digits } => Ok(HierarchySource::Mask(*digits as usize)),
        HierarchyDraft::Intervals { widths } => draft::intervals(widths),
        HierarchyDraft::Prefix { lengths } => draft::prefix(lengths),
        HierarchyDraft::Bands { levels } => draft::bands(levels),
        HierarchyDraft::Age { at, levels } => draft::age(at, levels),
        HierarchyDraft::Template { name } => draft::template(name),
        HierarchyDraft::Groups { text } => draft::groups(column, text),
        HierarchyDraft::Order { values, sizes } => draft::neighbours(column, values, sizes),
        HierarchyDraft::Table { rows } => Ok(draft::rows(column, rows.clone())),
    }
}

/// The hierarchy on the values that have a place in it, the others beside them.
fn tried(
    column: &SeenColumn,
    kind: Option<Kind>,
    source: Option<HierarchySource>,
    missing: &Missing,
    most: usize,
) -> HierarchyAnswer {
    let spec = |hierarchy| ColumnSpec {
        kind,
        hierarchy,
        ..ColumnSpec::new(column.name.clone(), Role::QuasiIdentifier)
    };
    let placed = source
        .as_ref()
        .and_then(|source| placed(column, kind, source, missing));
    let has_place = |text: &str| {
        let known = |placed: &HashMap<String, bool>| placed.get(text).copied().unwrap_or(false);
        missing.contains(text) || placed.as_ref().is_none_or(known)
    };
    let file = source.as_ref().and_then(file);
    let findings = match &source {
        Some(_) => check_column(spec(source.clone()), column.distinct(), missing).findings,
        None => Vec::new(),
    };
    let made = column.encode(Some(spec(source)), missing, has_place);
    let (encoded, problem) = match made {
        Ok(encoded) => (Some(encoded), None),
        Err(problem) => (
            column.encode(Some(spec(None)), missing, has_place).ok(),
            Some(problem),
        ),
    };
    let gaps: Vec<(&str, u64)> = column.counted(|text| !has_place(text)).collect();
    let mut rows = encoded.as_ref().map_or(Vec::new(), |e| {
        labelled(e, column.counted(has_place).map(|(_, n)| n), missing)
    });
    let distinct = encoded
        .as_ref()
        .map_or(Vec::new(), |encoded| distinct(encoded, &rows));
    let values = rows.len() + gaps.len();
    let gap = |&(text, count): &(&str, u64)| HierarchyRow {
        labels: vec![text.to_owned()],
        count: count as f64,
        gap: true,
    };
    // what has no place is what the steward has to see
    let mut listed: Vec<HierarchyRow> = gaps.iter().take(most).map(gap).collect();
    rows.truncate(most - listed.len());
    listed.append(&mut rows);
    HierarchyAnswer {
        column_kind: encoded
            .as_ref()
            .map_or(column.kind, |e| e.domain.kind())
            .name()
            .to_owned(),
        distinct,
        rows: listed,
        values: values as f64,
        gaps: gaps.len() as f64,
        problem: problem.as_ref().map(problem_view),
        findings,
        file,
    }
}

/// Which values a hierarchy of rows has a place for; `None` where every value has one by itself,
/// and where the rows are no hierarchy, which is a problem of its own.
fn placed(
    column: &SeenColumn,
    kind: Option<Kind>,
    source: &HierarchySource,
    missing: &Missing,
) -> Option<HashMap<String, bool>> {
    let HierarchySource::Rows(rows) = source else {
        return None;
    };
    let spec = ColumnSpec {
        kind,
        ..ColumnSpec::new(column.name.clone(), Role::QuasiIdentifier)
    };
    let present = |text: &str| !missing.contains(text);
    let values = column.encode(Some(spec), missing, present).ok()?;
    let by_code = values.domain.placed_in(rows).ok()?;
    let mut placed = HashMap::new();
    for ((text, _), code) in column.counted(present).zip(values.codes.iter()) {
        placed.insert(text.to_owned(), by_code[code as usize]);
    }
    Some(placed)
}

/// Every value with its labels, in the column's order; spellings of one value are one.
fn labelled(
    column: &Column,
    counts: impl Iterator<Item = u64>,
    missing: &Missing,
) -> Vec<HierarchyRow> {
    let mut rows: BTreeMap<u32, u64> = BTreeMap::new();
    column
        .codes
        .iter()
        .zip(counts)
        .for_each(|(code, count)| *rows.entry(code).or_default() += count);
    let row = |(code, count): (u32, u64)| {
        let labels = if Some(code) == column.domain.missing() {
            vec![missing.canonical().to_owned()]
        } else {
            column
                .domain
                .path(code)
                .unwrap_or_else(|| vec![column.domain.text(code).to_owned()])
        };
        HierarchyRow {
            labels,
            count: count as f64,
            gap: false,
        }
    };
    rows.into_iter().map(row).collect()
}

fn distinct(column: &Column, rows: &[HierarchyRow]) -> Vec<f64> {
    let levels = column
        .domain
        .hierarchy()
        .map_or(1, |hierarchy| hierarchy.height() + 1);
    let labels = |level: usize| {
        rows.iter()
            .filter_map(move |row| row.labels.get(level))
            .collect::<HashSet<_>>()
            .len()
    };
    (0..levels).map(|level| labels(level) as f64).collect()
}

/// A hierarchy of rows as the file that it would be.
fn file(source: &HierarchySource) -> Option<String> {
    let HierarchySource::Rows(rows) = source else {
        return None;
    };
    let quoted = |field: &String| {
        if field.contains([';', '"', '\n', '\r']) || field.trim() != field {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    let mut text = String::new();
    for (_, row) in &rows.rows {
        let _ = writeln!(
            text,
            "{}",
            row.iter().map(quoted).collect::<Vec<_>>().join(";")
        );
    }
    Some(text)
}
