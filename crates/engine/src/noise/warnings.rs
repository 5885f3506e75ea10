//! What a steward should know before the budget is spent, though nothing is wrong.

use super::Looked;
use super::terms::NoiseTerms;
use mingle_dp::records::UndeclaredValues;
use mingle_model::{counted, plural};
use mingle_record::{Problem, ProblemCode};
use mingle_release::warnings::large_epsilon;

/// All warnings, in a fixed order.
pub fn of(terms: &NoiseTerms<'_>, looked: &Looked) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = Vec::new();
    warnings.extend(large_epsilon(terms.guarantee.said().0));
    warnings.extend(other_unit(terms));
    match (&terms.dp.person, looked.people) {
        (None, _) => {
            for column in &looked.repeated_identifiers {
                warnings.push(unnamed(terms, &column.column, column.repeats()));
            }
        }
        (Some(column), Some(tally)) => {
            warnings.extend(unknown(column, tally.unknown));
            warnings.extend(respelled(column, tally.respelled));
        }
        (Some(_), None) => {}
    }
    for column in &looked.encoded.columns {
        warnings.extend(outside(column, looked.encoded.rows));
    }
    warnings
}

/// Sums over releases hold for the weakest of their units.
fn other_unit(terms: &NoiseTerms<'_>) -> Option<Problem> {
    let ours = (terms.spending.records_per_person, terms.spending.identified);
    let other = terms
        .ledger
        .entries()
        .iter()
        .find(|entry| (entry.records_per_person, entry.identified) != ours)?;
    let text = format!(
        "entry {} of the ledger counts other records per person than this release: their sum holds for who is within \
         both bounds",
        other.entry
    );
    Some(Problem::new(
        ProblemCode::DifferentUnits,
        text,
        "use one `person` and one `records_per_person` for all releases",
    ))
}

fn unnamed(terms: &NoiseTerms<'_>, column: &str, rows: u64) -> Problem {
    let bound = terms.dp.records_per_person;
    let text = format!(
        "column {column:?}: {} {} an identifier, and no `person` is named: the promise is about {}, not about a \
         person with more",
        counted(rows, "row"),
        plural(rows, "repeats", "repeat"),
        counted(bound, "record")
    );
    let hint =
        format!("set person = {column:?} in [dp], and records_per_person to how many shall count");
    Problem::new(ProblemCode::PersonUnnamed, text, hint)
}

/// Rows that are left out since no bound could be kept for them.
fn unknown(column: &str, rows: u64) -> Option<Problem> {
    (rows > 0).then(|| {
        let text = format!(
            "column {column:?} has no value in {}: nobody knows whose they are, so they are left out",
            counted(rows, "row")
        );
        Problem::new(
            ProblemCode::PersonUnknown,
            text,
            "give every row an identifier; see `mingle explain MG0133`",
        )
    })
}

/// Two people who are taken for one share one bound.
fn respelled(column: &str, people: u64) -> Option<Problem> {
    (people > 0).then(|| {
        let text =
            format!(
                "column {column:?}: {} {} spelled in several ways, each taken for one person",
                counted(people, "identifier"),
                plural(people, "is", "are")
            );
        let hint = "if case or blanks tell people apart, give them other identifiers; see `mingle explain MG0134`";
        Problem::new(ProblemCode::PersonSpellings, text, hint)
    })
}

/// Many values that the declaration does not have: perhaps it is wrong.
fn outside(found: &UndeclaredValues, rows: u64) -> Option<Problem> {
    let changed = found.clamped + found.other + found.left_out;
    (changed * 20 > rows).then(|| {
        let share = changed as f64 / rows as f64 * 100.0;
        let text = format!(
            "column {:?}: {share:.0} % of its values are outside the declared domain",
            found.column
        );
        Problem::new(
            ProblemCode::OutsideDomain,
            text,
            "check the spelling and the bounds of the domain, and `missing`",
        )
    })
}
