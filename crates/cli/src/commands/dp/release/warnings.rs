//! What a steward should know before the budget is spent, though nothing is wrong.

use super::Looked;
use super::plan::Plan;
use crate::explain::Code;
use crate::message::Problem;
use mingle_dp::records::Undeclared;

/// Beyond this ε a promise says little.
const LARGE: f64 = 10.0;

/// All warnings, in a fixed order.
pub fn of(plan: &Plan<'_>, looked: &Looked) -> Vec<Problem> {
    let mut warnings: Vec<Problem> = large_epsilon(plan).into_iter().chain(other_unit(plan)).collect();
    if plan.dp.person.is_none() {
        warnings.extend(looked.repeated_identifiers.iter().map(|repeated| unnamed(plan, repeated)));
    }
    warnings.extend(looked.encoded.columns.iter().filter_map(|column| outside(column, looked.encoded.rows)));
    warnings
}

fn large_epsilon(plan: &Plan<'_>) -> Option<Problem> {
    let epsilon = plan.guarantee.said().0.to_f64();
    (epsilon > LARGE).then(|| {
        let odds = match epsilon.exp() {
            odds if odds < 1e6 => format!("{odds:.0}"),
            odds if odds.is_finite() => format!("{odds:.0e}"),
            _ => "more than 1e308".to_owned(),
        };
        let text = format!(
            "epsilon = {} protects hardly anybody: what is seen may be {odds} times as likely with a person's records as \
             without",
            plan.guarantee.said().0
        );
        Problem::new(Code::LargeEpsilon, text, "1 or less is a strong promise, beyond 10 it is hardly one")
    })
}

/// Sums over releases hold for the weakest of their units.
fn other_unit(plan: &Plan<'_>) -> Option<Problem> {
    let ours = (plan.spending.records_per_person, plan.spending.identified);
    let other = plan.ledger.entries().iter().find(|entry| (entry.records_per_person, entry.identified) != ours)?;
    let text = format!(
        "entry {} of the ledger counts other records per person than this release: their sum holds for who is within \
         both bounds",
        other.entry
    );
    Some(Problem::new(Code::DifferentUnits, text, "use one `person` and one `records_per_person` for all releases"))
}

fn unnamed(plan: &Plan<'_>, (column, rows): &(String, u64)) -> Problem {
    let bound = plan.dp.records_per_person;
    let text = format!(
        "column {column:?}: {rows} row(s) repeat an identifier, and no `person` is named: the promise is about {bound} \
         record(s), not about a person with more"
    );
    let hint = format!("set person = {column:?} in [dp], and records_per_person to how many shall count");
    Problem::new(Code::PersonUnnamed, text, hint)
}

/// Many values that the declaration does not have: perhaps it is wrong.
fn outside(found: &Undeclared, rows: u64) -> Option<Problem> {
    let changed = found.clamped + found.other + found.left_out;
    (changed * 20 > rows).then(|| {
        let share = changed as f64 / rows as f64 * 100.0;
        let text = format!("column {:?}: {share:.0} % of its values are outside the declared domain", found.column);
        Problem::new(Code::OutsideDomain, text, "check the spelling and the bounds of the domain, and `missing`")
    })
}
