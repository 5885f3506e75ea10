//! `mingle dp budget`: what a data set's releases have spent, and what is left.

use super::words::{DIGITS, left, promise, short, spent};
use crate::args::{AccountingName, DpBudget};
use crate::message::{Exit, Problem, Screen, print, print_json, visible, wrap};
use mingle::failure;
use mingle::history::now;
use mingle_dp::Amount;
use mingle_dp::ledger::{Accounting, Charge, Entry, Ledger, Possible};
use mingle_record::Code;
use serde_json::{Value, json};

pub fn run(args: &DpBudget, screen: Screen) -> Result<Exit, Problem> {
    let ledger = if args.create {
        create(args, screen)?
    } else {
        read(args)?
    };
    match args.json {
        true => print_json(&document(&ledger))?,
        // that it was made is all there is to say
        false if args.create && screen.is_quiet() => {}
        false => print(&text(&ledger))?,
    }
    Ok(Exit::Fine)
}

fn read(args: &DpBudget) -> Result<Ledger, Problem> {
    Ledger::read(&args.ledger).map_err(|e| failure::dp(&e))
}

fn create(args: &DpBudget, screen: Screen) -> Result<Ledger, Problem> {
    let accounting = accounting(args)?;
    let name = args.name.as_deref().unwrap_or_default();
    let made = Ledger::create(&args.ledger, name, accounting, &now(), Ledger::WAIT);
    let ledger = made.map_err(|e| failure::dp(&e))?;
    let note = wrap(&format!(
        "a new ledger is in {}; keep it with the data, back it up, and make no second one for the same people\n\
         name it in the policy: [dp] ledger = \"…\"",
        args.ledger.display()
    ));
    screen.note(note.trim_end());
    Ok(ledger)
}

fn accounting(args: &DpBudget) -> Result<Accounting, Problem> {
    let delta = args.delta.unwrap_or(Amount::ZERO);
    let wrong = |flag: &str, text: &str, hint: &str| {
        Err(Problem::new(Code::Usage, format!("{flag} {text}"), hint))
    };
    for (flag, amount) in [("--epsilon", args.epsilon), ("--rho", args.rho)] {
        if amount.is_some_and(Amount::is_zero) {
            return wrong(
                flag,
                "must be above 0",
                "a budget of nothing pays for nothing",
            );
        }
    }
    if delta.to_f64() >= 1.0 {
        let hint = "1e-9 is a common choice: far below 1 in the number of people";
        return wrong("--delta", "must be 0 or more and below 1", hint);
    }
    match (args.epsilon, args.rho, args.accounting) {
        (Some(epsilon), None, Some(AccountingName::Basic)) => {
            Ok(Accounting::Epsilon { epsilon, delta })
        }
        (Some(epsilon), None, Some(AccountingName::Concentrated)) => {
            Ok(Accounting::Concentrated { epsilon, delta })
        }
        (Some(epsilon), None, None) => Ok(Accounting::of(epsilon, delta)),
        (None, Some(rho), _) => Ok(Accounting::Rho { rho }),
        _ => {
            let text = "a new ledger needs a budget";
            Err(Problem::new(
                Code::Usage,
                text,
                "add --epsilon 1 --delta 1e-9, or --epsilon 1, or --rho 0.015",
            ))
        }
    }
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
fn line(entry: &Entry) -> String {
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
    let pair = |(epsilon, delta): (Amount, Amount)| {
        format!(
            "ε {} at δ {}",
            epsilon.floor_to(DIGITS),
            delta.floor_to(DIGITS)
        )
    };
    kinds.extend(
        possible
            .approximate
            .map(|both| format!("{} with Gaussian noise", pair(both))),
    );
    let sparse = possible
        .leaving_cells_out
        .filter(|both| Some(*both) != possible.approximate);
    kinds.extend(sparse.map(|both| format!("{} where small cells are left out", pair(both))));
    kinds.extend(
        possible
            .pure
            .map(|epsilon| format!("pure ε {} with Laplace noise", epsilon.floor_to(DIGITS))),
    );
    kinds.extend(
        possible
            .rho
            .map(|rho| format!("ρ {}", rho.floor_to(DIGITS))),
    );
    match kinds.split_first() {
        None => "no further release can be paid for\n".to_owned(),
        Some((first, rest)) => {
            let rest: String = rest
                .iter()
                .map(|kind| format!("or       {kind}\n"))
                .collect();
            format!("one more {first}\n{rest}")
        }
    }
}

fn document(ledger: &Ledger) -> Value {
    let header = ledger.header();
    let charge = |charge: Charge| json!({ "unit": charge.unit, "amount": charge.amount, "delta": charge.delta });
    let pair = |both: Option<(Amount, Amount)>| {
        both.map(|(epsilon, delta)| json!({ "epsilon": epsilon, "delta": delta }))
    };
    let entry = |entry: &Entry| {
        let mut object = json!(entry);
        object["sha256"] = json!(ledger.sha256(entry.entry));
        object
    };
    let possible = ledger.possible();
    json!({
        "schema": "mingle.dp-budget/1",
        "name": header.name, "created": header.created,
        "accounting": header.accounting.name(), "budget": header.accounting.promise(),
        "limit": charge(header.accounting.limit()), "spent": charge(ledger.spent()), "left": charge(ledger.remaining()),
        "possible": {
            "pure": possible.pure, "approximate": pair(possible.approximate),
            "leaving_cells_out": pair(possible.leaving_cells_out), "rho": possible.rho,
        },
        "entries": ledger.entries().iter().map(entry).collect::<Vec<_>>(),
    })
}
