//! Which hierarchy could suit a column, by the form of its values.
//!
//! A rule is preferred to a file: it says nothing about who is in the table, and holds for the next
//! one as well. Widths and lengths are round numbers and not taken from single values.

use super::{SeenColumns, levels};
use crate::failure;
use crate::run::Run;
use mingle_model::hierarchy::{HierarchyRows, ROOT, Template};
use mingle_model::{Column, ColumnSpec, Domain, HierarchySource, Kind, Number, Role, date};
use mingle_policy::{Policy, rule_text};
use mingle_record::Problem;
use mingle_record::answer::HierarchyProposeAnswer;
use mingle_record::schema::HierarchyProposeSchema;
use std::path::Path;

/// Of ten values so many must be codes of a system for it to be proposed.
const KNOWN_OF_TEN: usize = 9;

/// A proposal, and the same as the rows of a file.
pub struct ProposedHierarchy {
    /// What is proposed; its `file` is empty until somebody writes one.
    pub answer: HierarchyProposeAnswer,
    /// The rows as a hierarchy file has them. They hold the column's values.
    pub file: String,
}

/// Proposes a hierarchy for a column of a table, read as a policy says where there is one.
pub fn propose(
    table: &Path,
    column: &str,
    policy: Option<&Policy>,
    run: &Run,
) -> Result<ProposedHierarchy, Problem> {
    let seen = SeenColumns::of_table(table, column, policy, run)?;
    let values = seen.values(column)?;
    let mut spec = ColumnSpec::new(column, Role::QuasiIdentifier);
    if let Some(policy) = policy {
        let declared = policy.columns.iter().find(|c| c.spec.name == column);
        if let Some(declared) = declared {
            spec.kind = declared.spec.kind;
            spec.bands = declared.spec.bands;
        }
    }
    let plain = Column::encode(spec.clone(), values.clone(), &seen.missing)
        .map_err(|error| failure::of_column(column, &error))?;
    let (source, reason) = suited(&plain.domain);
    let line = rule_text(&source).map(|rule| format!("hierarchy = {rule}"));
    spec.hierarchy = Some(source);
    let made = Column::encode(spec, values, &seen.missing)
        .map_err(|error| failure::of_column(column, &error))?;
    let answer = HierarchyProposeAnswer {
        schema: HierarchyProposeSchema,
        column: column.to_owned(),
        kind: made.domain.kind().name().to_owned(),
        line,
        reason,
        levels: levels(&made),
        file: None,
    };
    let file = rows_text(&made.domain);
    Ok(ProposedHierarchy { answer, file })
}

fn suited(domain: &Domain) -> (HierarchySource, String) {
    match domain.kind() {
        Kind::Date => {
            let source = HierarchySource::Dates(date::Level::ALL.to_vec());
            let reason = "dates by month, quarter, year and decade; for dates of birth write \
                          { age = \"YEAR-MM-DD\", bands = [18, 65] } with a day of your choice";
            (source, reason.to_owned())
        }
        Kind::Integer | Kind::Decimal => intervals(domain),
        Kind::Category => codes(domain).unwrap_or_else(|| words(domain)),
    }
}

/// Widths 1 : 2 : 4, the first about a twentieth of what occurs, rounded to 1, 2 or 5.
fn intervals(domain: &Domain) -> (HierarchySource, String) {
    let (low, high) = domain.extent().unwrap_or((0, 0));
    let part = ((high - low) / 20).max(1);
    let mut power = 1;
    while part / power >= 10 {
        power *= 10;
    }
    let digit = match part / power {
        ..2 => 1,
        2..5 => 2,
        _ => 5,
    };
    let width = (digit * power).max(2);
    let mut widths = Vec::new();
    for factor in [1, 2, 4] {
        let text = Number::text(width * factor, domain.scale());
        widths.extend(Number::parse(&text));
    }
    let reason =
        "numbers in round intervals; write { bands = [0, 18, 65] } for bounds that mean something";
    (HierarchySource::Intervals(widths), reason.to_owned())
}

fn codes(domain: &Domain) -> Option<(HierarchySource, String)> {
    let mut texts = Vec::new();
    for code in 0..domain.len() as u32 {
        if domain.missing() != Some(code) {
            texts.push(domain.text(code));
        }
    }
    if domain.has_bands() || texts.len() < 3 {
        return None;
    }
    // a code of medicines looks like a long one of diagnoses, not the other way round
    for template in [Template::Atc, Template::Icd10, Template::Icd9] {
        let known = texts.iter().filter(|text| template.knows(text)).count();
        // five digits may be a postal code: diagnoses have a dot or a letter somewhere
        let marked = |text: &&&str| text.contains('.') || text.contains(['V', 'E']);
        let is_marked = template != Template::Icd9 || texts.iter().any(|text| marked(&text));
        let is_long = template != Template::Atc || texts.iter().any(|text| text.len() == 7);
        if known * 10 >= texts.len() * KNOWN_OF_TEN && is_marked && is_long {
            let reason = format!(
                "{known} of {} values are codes of {}",
                texts.len(),
                template.name()
            );
            return Some((HierarchySource::Template(template), reason));
        }
    }
    let is_code = |text: &&&str| {
        text.chars().any(|c| c.is_ascii_digit()) && !text.contains(char::is_whitespace)
    };
    if !texts.iter().all(|text| is_code(&text)) {
        return None;
    }
    let longest = texts.iter().map(|text| text.chars().count()).max()?;
    let shortest = texts.iter().map(|text| text.chars().count()).min()?;
    if longest < 2 {
        return None;
    }
    if shortest == longest {
        let reason = format!("codes of {longest} characters, hidden from the right");
        return Some((HierarchySource::Mask(longest - 1), reason));
    }
    let lengths = match longest {
        2 | 3 => vec![1],
        4 | 5 => vec![3, 1],
        _ => vec![5, 3, 1],
    };
    let reason = format!(
        "codes of {shortest} to {longest} characters, aligned at the front; a mask would show how long each is"
    );
    Some((HierarchySource::Prefix(lengths), reason))
}

/// No rule suits words: a file to be filled in, every value below the root.
fn words(domain: &Domain) -> (HierarchySource, String) {
    let mut rows = Vec::new();
    for code in 0..domain.len() as u32 {
        if domain.missing() != Some(code) {
            let row = vec![domain.text(code).to_owned(), ROOT.to_owned()];
            rows.push((rows.len() as u64 + 1, row));
        }
    }
    let reason = if domain.has_bands() {
        "bands have their own order, and neighbours are published as one band: no hierarchy is needed"
    } else {
        "words: only you know their groups; write a file with --out and put columns of groups between value and *"
    };
    let file = "the proposal".to_owned();
    (
        HierarchySource::Rows(HierarchyRows { file, rows }),
        reason.to_owned(),
    )
}

/// Every value with its labels, as a hierarchy file has them.
fn rows_text(domain: &Domain) -> String {
    let mut text = String::new();
    for code in 0..domain.len() as u32 {
        if domain.missing() == Some(code) {
            continue;
        }
        let path = domain.path(code).unwrap_or_default();
        let fields: Vec<String> = path.iter().map(|field| quoted(field)).collect();
        text += &fields.join(";");
        text.push('\n');
    }
    text
}

fn quoted(field: &str) -> String {
    if field.contains([';', '"', '\n', '\r']) || field.trim() != field {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
