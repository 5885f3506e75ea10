//! The ledger of a data set: what its releases have spent, and what is left.

use super::recorded;
use crate::failure;
use crate::run::Run;
use mingle_dp::ledger::{Accounting, Ledger};
use mingle_dp::{Amount, Epsilon};
use mingle_record::answer::{DpBudgetAnswer, DpBudgetEntry, DpBudgetPossible, DpBudgetRule};
use mingle_record::schema::DpBudgetSchema;
use mingle_record::{Problem, ProblemCode};
use std::path::Path;

/// What a new ledger may spend.
#[derive(Clone, Debug, Default)]
pub struct NewBudget<'a> {
    /// What the data set is called.
    pub name: &'a str,
    /// The largest ε of all releases together.
    pub epsilon: Option<Epsilon>,
    /// The largest δ of all releases together; none for pure ε.
    pub delta: Option<Amount>,
    /// Instead of ε and δ: the largest ρ of all releases together.
    pub rho: Option<Amount>,
    /// How releases are added up; where nobody says, by what allows more of them.
    pub rule: Option<DpBudgetRule>,
}

/// Reads a ledger.
pub fn read(path: &Path) -> Result<Ledger, Problem> {
    Ledger::read(path).map_err(|e| failure::dp(&e))
}

/// Makes a new ledger; an existing one is never overwritten.
pub fn create(path: &Path, budget: &NewBudget<'_>, run: &Run) -> Result<Ledger, Problem> {
    let accounting = accounting(budget)?;
    let made = Ledger::create(
        path,
        budget.name,
        accounting,
        &run.timestamp(),
        Ledger::WAIT,
    );
    made.map_err(|e| failure::dp(&e))
}

fn accounting(budget: &NewBudget<'_>) -> Result<Accounting, Problem> {
    let delta = budget.delta.unwrap_or(Amount::ZERO);
    for (flag, amount) in [
        ("--epsilon", budget.epsilon.map(|epsilon| epsilon.0)),
        ("--rho", budget.rho),
    ] {
        if amount.is_some_and(Amount::is_zero) {
            let text = format!("{flag} must be above 0");
            let hint = "use a number above 0, such as 1";
            return Err(Problem::new(ProblemCode::Usage, text, hint));
        }
    }
    if delta.to_f64() >= 1.0 {
        let text = "--delta must be 0 or more and below 1";
        let hint = "1e-9 is a common choice: far below 1 in the number of people";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    match (budget.epsilon, budget.rho, budget.rule) {
        (Some(epsilon), None, Some(DpBudgetRule::Basic)) => {
            Ok(Accounting::Epsilon { epsilon, delta })
        }
        (Some(epsilon), None, Some(DpBudgetRule::Concentrated)) => {
            Ok(Accounting::Concentrated { epsilon, delta })
        }
        (Some(epsilon), None, None) => Ok(Accounting::of(epsilon, delta)),
        (None, Some(rho), _) => Ok(Accounting::Rho { rho }),
        _ => {
            let text = "a new ledger needs a budget";
            let hint = "add --epsilon 1 --delta 1e-9, or --epsilon 1, or --rho 0.015";
            Err(Problem::new(ProblemCode::Usage, text, hint))
        }
    }
}

/// The document `mingle.dp-budget/1`.
pub fn answer(ledger: &Ledger) -> DpBudgetAnswer {
    let header = ledger.header();
    let accounting = match header.accounting {
        Accounting::Epsilon { .. } => DpBudgetRule::Basic,
        Accounting::Concentrated { .. } | Accounting::Rho { .. } => DpBudgetRule::Concentrated,
    };
    let possible = ledger.possible();
    DpBudgetAnswer {
        schema: DpBudgetSchema,
        name: header.name.clone(),
        created: header.created.clone(),
        accounting,
        budget: recorded::guarantee(header.accounting.promise()),
        limit: recorded::charge(header.accounting.limit()),
        spent: recorded::charge(ledger.spent()),
        left: recorded::charge(ledger.remaining()),
        possible: DpBudgetPossible {
            pure: possible
                .pure
                .map(|Epsilon(epsilon)| recorded::amount(epsilon)),
            approximate: possible.approximate.map(recorded::epsilon_at_delta),
            leaving_cells_out: possible.leaving_cells_out.map(recorded::epsilon_at_delta),
            rho: possible.rho.map(recorded::amount),
        },
        entries: entries(ledger),
    }
}

fn entries(ledger: &Ledger) -> Vec<DpBudgetEntry> {
    let mut entries = Vec::new();
    for entry in ledger.entries() {
        entries.push(DpBudgetEntry {
            entry: entry.entry,
            at: entry.at.clone(),
            release: entry.release.clone(),
            guarantee: recorded::guarantee(entry.guarantee),
            leaves_cells_out: entry.leaves_cells_out,
            charged: recorded::charge(entry.charged),
            records_per_person: entry.records_per_person,
            identified: entry.identified,
            label: entry.label.clone(),
            sha256: ledger.sha256(entry.entry).map(str::to_owned),
        });
    }
    entries
}
