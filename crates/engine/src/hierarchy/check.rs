//! What is wrong or weak about a hierarchy.

use super::{SeenColumns, is_ragged_mask, levels};
use crate::failure::printable;
use crate::run::Run;
use crate::tables::with_hierarchy;
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Column, ColumnSpec, DomainError, HierarchyError, HierarchySource, Missing, Position, RawColumn,
    Role, hierarchy,
};
use mingle_model::{counted, plural};
use mingle_policy::Policy;
use mingle_record::answer::{
    CheckedHierarchy, HierarchyCheckAnswer, HierarchyFinding, HierarchyVerdict, HierarchyWeakness,
};
use mingle_record::schema::HierarchyCheckSchema;
use mingle_record::{Problem, ProblemCode};
use std::path::Path;

/// Fewer values are too few to tell whether a level is of use.
const ENOUGH_VALUES: u64 = 10;

/// Checks the hierarchies of a policy, or that of one column.
pub fn check_policy(
    policy: &Policy,
    column: Option<&str>,
    run: &Run,
) -> Result<HierarchyCheckAnswer, Problem> {
    let mut specs = Vec::new();
    let mut with_hierarchies = Vec::new();
    for declared in &policy.columns {
        let is_asked = column.is_none_or(|name| name == declared.spec.name);
        if declared.hierarchy.is_some() && is_asked {
            specs.push(with_hierarchy(policy, declared)?);
            with_hierarchies.push(declared);
        }
    }
    if specs.is_empty() {
        let text = match column {
            Some(name) => format!("the policy has no hierarchy for column {name:?}"),
            None => "the policy has no hierarchy".to_owned(),
        };
        let hint = "`mingle hierarchy propose TABLE --column NAME` proposes one";
        return Err(Problem::new(ProblemCode::Hierarchy, text, hint));
    }
    let seen = SeenColumns::of_policy(policy, &with_hierarchies, run)?;
    let mut columns = Vec::new();
    for spec in specs {
        let values = seen.values(&spec.name)?;
        columns.push(check_column(spec, values, &seen.missing));
    }
    Ok(answer(columns))
}

/// Checks a hierarchy file on a column of a table.
pub fn check_file(
    file: &Path,
    table: &Path,
    column: &str,
    run: &Run,
) -> Result<HierarchyCheckAnswer, Problem> {
    let name = file.display().to_string();
    let rows = mingle_io::read_hierarchy(file, &name).map_err(|e| crate::failure::io(&e))?;
    let seen = SeenColumns::of_table(table, column, None, run)?;
    let spec = ColumnSpec {
        hierarchy: Some(HierarchySource::Rows(rows)),
        ..ColumnSpec::new(column, Role::QuasiIdentifier)
    };
    let values = seen.values(column)?;
    Ok(answer(vec![check_column(spec, values, &seen.missing)]))
}

/// What to say at the end where something was found.
pub fn problem_of(answer: &HierarchyCheckAnswer) -> Option<Problem> {
    let mut findings = 0;
    for column in &answer.columns {
        findings += column.findings.len();
    }
    if findings == 0 {
        return None;
    }
    let text = format!(
        "{} about {} {}",
        counted(findings, "finding"),
        answer.columns.len(),
        plural(answer.columns.len(), "hierarchy", "hierarchies")
    );
    let hint =
        "correct them at the places above; `mingle explain MG0532` says what each finding means";
    Some(Problem::new(ProblemCode::HierarchyFindings, text, hint))
}

fn answer(columns: Vec<CheckedHierarchy>) -> HierarchyCheckAnswer {
    let fine = columns.iter().all(|column| column.findings.is_empty());
    HierarchyCheckAnswer {
        schema: HierarchyCheckSchema,
        verdict: if fine {
            HierarchyVerdict::Fine
        } else {
            HierarchyVerdict::Findings
        },
        columns,
    }
}

/// Checks the hierarchy of a column on its distinct values, each once.
pub fn check_column(spec: ColumnSpec, values: RawColumn, missing: &Missing) -> CheckedHierarchy {
    let hierarchy = spec.hierarchy.as_ref();
    let mut checked = CheckedHierarchy {
        column: spec.name.clone(),
        hierarchy: hierarchy.map_or_else(String::new, HierarchySource::describe),
        values: values.values.len() as u64,
        levels: Vec::new(),
        findings: Vec::new(),
    };
    match Column::encode(spec.clone(), values.clone(), missing) {
        Err(error) => checked.findings.push(unusable(&error)),
        Ok(column) => {
            checked.values = column.domain.len() as u64;
            checked.levels = levels(&column);
            let unlisted = first_unlisted(&spec, values, missing);
            checked.findings.extend(unlisted_finding(&column, unlisted));
            checked.findings.extend(misaligned(&column));
            checked.findings.extend(weak_levels(&checked));
        }
    }
    checked
}

/// Why it cannot be used; messages of the model hold places and no values.
fn unusable(error: &DomainError) -> HierarchyFinding {
    let text = printable(&error.to_string());
    let (kind, values, place) = match error {
        DomainError::Hierarchy(HierarchyError::Gap {
            missing, position, ..
        }) => (
            HierarchyWeakness::NotCovered,
            Some(*missing as u64),
            Some(position),
        ),
        DomainError::Hierarchy(HierarchyError::BornLater { later, position }) => (
            HierarchyWeakness::NotCovered,
            Some(*later as u64),
            Some(position),
        ),
        _ => (HierarchyWeakness::Unusable, None, None),
    };
    HierarchyFinding {
        kind,
        text,
        values,
        place: place.map(|place| printable(&place.to_string())),
    }
}

/// Where the first value stands that the hierarchy does not know.
fn first_unlisted(spec: &ColumnSpec, values: RawColumn, missing: &Missing) -> Option<Position> {
    let positions: Vec<Position> = values.values.iter().map(|v| v.position.clone()).collect();
    let is_listed: Vec<bool> = match &spec.hierarchy {
        Some(HierarchySource::Template(template)) => {
            let known = |text: &str| missing.contains(text) || template.knows(text);
            values
                .values
                .iter()
                .map(|value| known(&value.text))
                .collect()
        }
        Some(HierarchySource::Rows(rows)) => {
            let mut listed: HierarchyRows = rows.clone();
            let is_default =
                |row: &[String]| row.first().is_some_and(|leaf| leaf == hierarchy::ROOT);
            listed.rows.retain(|(_, row)| !is_default(row));
            if listed.rows.is_empty() {
                return positions.into_iter().next();
            }
            let plain = ColumnSpec {
                hierarchy: None,
                ..spec.clone()
            };
            let column = Column::encode(plain, values, missing).ok()?;
            let placed = column.domain.placed_in(&listed).ok()?;
            column
                .codes
                .iter()
                .map(|code| placed[code as usize])
                .collect()
        }
        _ => return None,
    };
    let mut first: Option<Position> = None;
    for (position, is_listed) in positions.into_iter().zip(is_listed) {
        let is_earlier = first
            .as_ref()
            .is_none_or(|first| (&position.file, position.line) < (&first.file, first.line));
        if !is_listed && is_earlier {
            first = Some(position);
        }
    }
    first
}

fn unlisted_finding(column: &Column, first: Option<Position>) -> Option<HierarchyFinding> {
    let unlisted = column.domain.unlisted();
    if unlisted == 0 {
        return None;
    }
    Some(HierarchyFinding {
        kind: HierarchyWeakness::Unlisted,
        text: format!(
            "{} {} not in it, and all such values generalize together",
            counted(unlisted, "value"),
            plural(unlisted, "is", "are")
        ),
        values: Some(unlisted as u64),
        place: first.map(|first| printable(&first.to_string())),
    })
}

fn misaligned(column: &Column) -> Option<HierarchyFinding> {
    is_ragged_mask(column).then(|| HierarchyFinding {
        kind: HierarchyWeakness::Misaligned,
        text: "codes of different lengths: stars show how long each is; use { prefix = [3, 1] }"
            .to_owned(),
        values: None,
        place: None,
    })
}

/// Levels that join nothing, and labels that stand for nearly everything below the root.
fn weak_levels(checked: &CheckedHierarchy) -> Vec<HierarchyFinding> {
    let mut findings = Vec::new();
    let top = checked.levels.len().saturating_sub(1);
    for level in 1..top {
        let (below, this) = (&checked.levels[level - 1], &checked.levels[level]);
        if this.labels == below.labels && checked.values >= ENOUGH_VALUES {
            findings.push(HierarchyFinding {
                kind: HierarchyWeakness::IdleLevel,
                text: format!(
                    "level {level} joins no values that level {} tells apart",
                    level - 1
                ),
                values: None,
                place: None,
            });
        }
        let nearly_all = this.largest * 10 > checked.values * 9;
        if nearly_all && checked.values >= ENOUGH_VALUES {
            findings.push(HierarchyFinding {
                kind: HierarchyWeakness::Unbalanced,
                text: format!(
                    "level {level}: one label stands for {} of {} values",
                    this.largest, checked.values
                ),
                values: Some(this.largest),
                place: None,
            });
        }
    }
    findings
}
