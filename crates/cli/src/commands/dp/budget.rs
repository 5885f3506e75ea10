//! `mingle dp budget`: what a data set's releases have spent, and what is left.

use super::words::{DIGITS, left, promise, short, spent};
use crate::args::{AccountingName, DpBudget};
use crate::message::{Exit, Problem, Screen, print, print_json, visible, wrap};
use mingle::Run;
use mingle::noise::budget::{self, NewBudget};
use mingle_dp::ledger::{Accounting, Ledger, LedgerEntry, Possible};
use mingle_dp::{Amount, Epsilon};
use mingle_record::answer::DpBudgetRule;

pub fn run(args: &DpBudget, screen: Screen) -> Result<Exit, Problem> {
    let ledger = if args.create {
        create(args, screen)?
    } else {
        budget::read(&args.ledger)?
    };
    // that it was made is all there is to say
    let nothing_to_add = args.create && screen.is_quiet();
    if args.json {
        print_json(&budget::answer(&ledger))?;
    } else if !nothing_to_add {
        print(&text(&ledger))?;
    }
    Ok(Exit::Fine)
}

fn create(args: &DpBudget, screen: Screen) -> Result<Ledger, Problem> {
    let budget = NewBudget {
        name: args.name.as_deref().unwrap_or_default(),
        epsilon: args.epsilon.map(Epsilon),
        delta: args.delta,
        rho: args.rho,
        rule: args.accounting.map(|name| match name {
            AccountingName::Basic => DpBudgetRule::Basic,
            AccountingName::Concentrated => DpBudgetRule::Concentrated,
        }),
    };
    let ledger = budget::create(&args.ledger, &budget, &Run::default())?;
    let note = wrap(&format!(
        "a new ledger is in {}; keep it with the data, back it up, and never make a second one for the same people\n\
         name it in the policy: [dp] ledger = \"…\"",
        args.ledger.display()
    ));
    screen.note(note.trim_end());
    Ok(ledger)
}

fn text(ledger: &Ledger) -> String {
    let header = ledger.header();
    let mut out = String::new();
    let name = if header.name.is_empty() {
        "a data set without a name"
    } else {
        &header.name
    };
    out += &wrap(&visible(name).replace('\n', " "));
    out += &format!("budget   {}\n", promise(header.accounting.promise()));
    out += &format!("rule     {}\n", rule(header.accounting));
    out += &format!("made     {}\n\n", visible(&header.created));
    if ledger.entries().is_empty() {
        out += "nothing has been spent\n";
    } else {
        out += "entry time             release    promise                spent\n";
        out += &ledger.entries().iter().map(line).collect::<String>();
    }
    out += &format!("\nspent    {}\n", spent(ledger.spent()));
    out += &format!("left     {}\n", left(ledger.remaining()));
    out += &possible(ledger.possible());
    out
}

fn rule(accounting: Accounting) -> &'static str {
    match accounting {
        Accounting::Epsilon { delta, .. } if delta.is_zero() => {
            "ε is added up; every release must be pure"
        }
        Accounting::Epsilon { .. } => "ε and δ are added up",
        Accounting::Concentrated { .. } => "ρ is added up, within what keeps the budget",
        Accounting::Rho { .. } => "ρ is added up",
    }
}

/// One release in one line, and its label in another.
fn line(entry: &LedgerEntry) -> String {
    let mut line = format!(
        "{:>5} {:<16} {:<10} {:<22} {}\n",
        entry.entry,
        // to the minute
        visible(&entry.at).chars().take(16).collect::<String>(),
        short(&entry.release, 10),
        short(&promise(entry.guarantee), 22),
        spent(entry.charged)
    );
    let records = match (entry.records_per_person, entry.identified) {
        (1, false) => "each record a person".to_owned(),
        (n, true) => format!("at most {n} per person, kept by an identifier"),
        (n, false) => format!("at most {n} per person by the steward's word"),
    };
    line += &format!("      {}: {records}\n", short(&entry.label, 28));
    line
}

fn possible(possible: Possible) -> String {
    let mut kinds = Vec::new();
    if let Some(both) = possible.approximate {
        kinds.push(format!("{} with Gaussian noise", at_delta(both)));
    }
    if let Some(both) = possible.leaving_cells_out
        && possible.approximate != Some(both)
    {
        kinds.push(format!("{} where small cells are left out", at_delta(both)));
    }
    if let Some(Epsilon(epsilon)) = possible.pure {
        let epsilon = epsilon.floor_to(DIGITS);
        kinds.push(format!("pure ε {epsilon} with Laplace noise"));
    }
    if let Some(rho) = possible.rho {
        kinds.push(format!("ρ {}", rho.floor_to(DIGITS)));
    }
    if kinds.is_empty() {
        return "no further release can be paid for\n".to_owned();
    }
    format!("one more {}\n", kinds.join("\nor       "))
}

fn at_delta((Epsilon(epsilon), delta): (Epsilon, Amount)) -> String {
    let (epsilon, delta) = (epsilon.floor_to(DIGITS), delta.floor_to(DIGITS));
    format!("ε {epsilon} at δ {delta}")
}
