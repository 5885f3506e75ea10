//! `mingle dp compose`: what several releases about the same people amount to.

use super::words::{meaning, promise, short, statement, statement_json};
use crate::args::DpCompose;
use crate::message::{Exit, Problem, Screen, print, print_json, wrap};
use mingle::failure;
use mingle_dp::Amount;
use mingle_dp::compose::{Composed, Part, Rule, compose, usual_delta};
use mingle_dp::ledger::{Entry, Ledger};
use mingle_dp::semantics::{Semantics, posterior_bound};
use mingle_record::Code;
use mingle_release::noisy::{LedgerCheck, NoisyRelease, Opened, open_any};
use serde_json::{Value, json};
use std::path::Path;

/// One release that is added up.
struct Line {
    /// Where it was found.
    name: String,
    kind: String,
    /// `None` for a release without differential privacy.
    part: Option<Part>,
    records_per_person: u64,
    /// Whether an identifier keeps the bound.
    identified: bool,
    /// The hash of its public manifest, and of its entry in a ledger, as far as they are known.
    hashes: Vec<String>,
}

pub fn run(args: &DpCompose, screen: Screen) -> Result<Exit, Problem> {
    let mut lines: Vec<Line> = Vec::new();
    // ledgers first: a release that is found in one of them is named after it
    let (ledgers, releases): (Vec<&Path>, Vec<&Path>) = args
        .parts
        .iter()
        .map(|path| path.as_path())
        .partition(|path| !path.is_dir());
    for path in ledgers {
        let ledger = Ledger::read(path).map_err(|e| failure::dp(&e))?;
        let entries = ledger
            .entries()
            .iter()
            .map(|entry| of_entry(path, entry, &ledger));
        entries.for_each(|line| add(&mut lines, line, screen));
    }
    for path in releases {
        add(&mut lines, of_release(path)?, screen);
    }
    let parts: Vec<Part> = lines.iter().filter_map(|line| line.part).collect();
    let composed = compose(&parts, args.delta.unwrap_or_else(|| usual_delta(&parts)));
    let bound = composed.best.filter(|_| parts.len() == lines.len());
    warn_of_units(&lines, screen);
    match args.json {
        true => print_json(&document(
            &lines,
            &composed,
            bound.map(|(epsilon, _)| epsilon),
        ))?,
        false => print(&text(&lines, &composed, bound.map(|(epsilon, _)| epsilon)))?,
    }
    match bound {
        Some(_) => Ok(Exit::Fine),
        None => Err(no_bound(&lines, &composed)),
    }
}

fn of_entry(path: &Path, entry: &Entry, ledger: &Ledger) -> Line {
    Line {
        name: format!("{}, entry {}", path.display(), entry.entry),
        kind: entry.release.clone(),
        part: Some(Part::made_here(entry.guarantee, entry.leaves_cells_out)),
        records_per_person: entry.records_per_person,
        identified: entry.identified,
        hashes: ledger
            .sha256(entry.entry)
            .map(str::to_owned)
            .into_iter()
            .collect(),
    }
}

fn of_release(path: &Path) -> Result<Line, Problem> {
    let name = path.display().to_string();
    match open_any(path).map_err(|e| failure::release(&e))? {
        Opened::Noisy(release) => of_noisy(name, &release),
        Opened::Grouped(_) => Ok(Line {
            name,
            kind: "groups".to_owned(),
            part: None,
            records_per_person: 1,
            identified: false,
            hashes: Vec::new(),
        }),
    }
}

fn of_noisy(name: String, release: &NoisyRelease) -> Result<Line, Problem> {
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let findings = release.check();
    if let Some(first) = findings.problems.first() {
        let text = format!("{name}: {first}");
        return Err(Problem::new(
            Code::ReleaseDamaged,
            text,
            "add up what was published; this is something else",
        ));
    }
    // the private part's word that this is an entry of some ledger counts where that ledger says so
    let private = release
        .private_manifest()
        .filter(|_| findings.ledger == Some(LedgerCheck::Paid));
    let entry = private.map(|private| private.entry_hash.clone());
    let leaves_cells_out = manifest
        .tables
        .iter()
        .any(|table| table.threshold.is_some());
    Ok(Line {
        name,
        kind: manifest.kind.name().to_owned(),
        part: Some(Part::made_here(manifest.guarantee(), leaves_cells_out)),
        records_per_person: manifest.neighbouring.records_per_person,
        identified: manifest.neighbouring.enforced,
        hashes: std::iter::once(release.sha256().to_owned())
            .chain(entry)
            .collect(),
    })
}

/// Counts a release once, however often it is named.
fn add(lines: &mut Vec<Line>, line: Line, screen: Screen) {
    let same = lines
        .iter_mut()
        .find(|known| line.hashes.iter().any(|hash| known.hashes.contains(hash)));
    match same {
        Some(known) => {
            let text = format!("{} is {}: counted once", line.name, known.name);
            screen.warning(&Problem::new(
                Code::SameRelease,
                text,
                "name each release once",
            ));
            known.hashes.extend(line.hashes);
        }
        None => lines.push(line),
    }
}

fn warn_of_units(lines: &[Line], screen: Screen) {
    let unit = |line: &Line| (line.records_per_person, line.identified);
    if lines
        .windows(2)
        .any(|pair| unit(&pair[0]) != unit(&pair[1]))
    {
        let hint = "what holds for all of them is the weakest; see `mingle explain MG0711`";
        screen.warning(&Problem::new(Code::DifferentUnits, weakest(lines), hint));
    }
}

/// Whom the bound covers.
fn weakest(lines: &[Line]) -> String {
    let word = lines
        .iter()
        .filter(|line| !line.identified)
        .map(|line| line.records_per_person)
        .min();
    match word {
        None => {
            "everybody is covered: identifiers keep the number of records per person".to_owned()
        }
        Some(1) => {
            "covered is who has one record in each release, by the stewards' word".to_owned()
        }
        Some(n) => {
            format!("covered is who has at most {n} records in each release, by the stewards' word")
        }
    }
}

fn no_bound(lines: &[Line], composed: &Composed) -> Problem {
    let without: Vec<&str> = lines
        .iter()
        .filter(|l| l.part.is_none())
        .map(|l| l.name.as_str())
        .collect();
    if without.is_empty() {
        let text = format!(
            "at δ = {} nothing is promised by these releases together",
            composed.delta
        );
        return Problem::new(
            Code::NoCommonBound,
            text,
            "give another --delta below 1, or none",
        );
    }
    let text = format!(
        "no bound: not differentially private: {}",
        without.join(", ")
    );
    Problem::new(
        Code::NoCommonBound,
        text,
        "`mingle attack intersection` plays a reader who has all of them",
    )
}

const DIGITS: u32 = 4;

fn text(lines: &[Line], composed: &Composed, bound: Option<Amount>) -> String {
    let mut out = String::from(
        "release                          kind       promise                amounts to\n",
    );
    for line in lines {
        let (promised, rho) = match line.part {
            Some(part) => (
                promise(part.guarantee()),
                format!("ρ {}", part.rho().ceil_to(DIGITS)),
            ),
            None => ("none".to_owned(), String::new()),
        };
        let row = format!(
            "{:<32} {:<10} {:<22} {rho}",
            short(&line.name, 32),
            short(&line.kind, 10),
            short(&promised, 22)
        );
        out += &format!("{}\n", row.trim_end());
    }
    let Some(epsilon) = bound else { return out };
    out += &format!("\n{}", totals(composed));
    let shown = epsilon.ceil_to(DIGITS);
    out += &format!("together      ε {shown} at δ {}\n\n", composed.delta);
    out += &wrap(&meaning(epsilon, composed.delta));
    out += &wrap(&statement(Semantics::of(epsilon, composed.delta, None)));
    out += &wrap(&weakest(lines));
    out
}

/// What each rule gives; mixing only where it gives the least.
fn totals(composed: &Composed) -> String {
    let delta = composed.delta;
    let at = |rule| {
        composed
            .by_rule
            .iter()
            .find(|(known, _)| *known == rule)
            .map(|(_, epsilon)| epsilon.ceil_to(DIGITS))
    };
    let (basic, concentrated) = (at(Rule::Basic), at(Rule::Concentrated));
    let mut out = String::new();
    out += &match (basic, composed.basic) {
        (Some(epsilon), _) => format!("basic         ε {epsilon} at δ {delta}: ε and δ added up\n"),
        (None, Some((epsilon, sum))) => {
            format!(
                "basic         ε {} at δ {sum}, not at δ {delta}\n",
                epsilon.ceil_to(DIGITS)
            )
        }
        (None, None) => String::new(),
    };
    if let Some((rho, _)) = composed.concentrated {
        let said = concentrated.map_or(format!("nothing at δ {delta}"), |epsilon| {
            format!("ε {epsilon} at δ {delta}")
        });
        out += &format!(
            "concentrated  {said}: ρ added up to {}\n",
            rho.ceil_to(DIGITS)
        );
    }
    if let Some((epsilon, Rule::Mixed)) = composed.best {
        out += &format!(
            "mixed         ε {} at δ {delta}: some this way, some that way\n",
            epsilon.ceil_to(DIGITS)
        );
    }
    out
}

fn document(lines: &[Line], composed: &Composed, bound: Option<Amount>) -> Value {
    let line = |line: &Line| {
        json!({
            "name": line.name, "kind": line.kind,
            "guarantee": line.part.map(Part::guarantee), "rho": line.part.map(Part::rho),
            "records_per_person": line.records_per_person, "identified": line.identified,
        })
    };
    let by_rule: serde_json::Map<String, Value> = composed
        .by_rule
        .iter()
        .map(|(rule, epsilon)| (rule.name().to_owned(), json!(epsilon)))
        .collect();
    let rule = composed.best.map(|(_, rule)| rule.name());
    let odds = |epsilon: Amount| {
        let [presence, value] =
            [1.0, 2.0].map(|steps| posterior_bound(0.5, steps * epsilon.to_f64()));
        json!({ "prior": 0.5, "presence": presence, "value": value })
    };
    json!({
        "schema": "mingle.dp-compose/1",
        "releases": lines.iter().map(line).collect::<Vec<_>>(),
        "delta": composed.delta, "epsilon": bound, "rule": bound.and(rule),
        "by_rule": by_rule,
        "basic": composed.basic.map(|(epsilon, delta)| json!({ "epsilon": epsilon, "delta": delta })),
        "concentrated": composed.concentrated.map(|(rho, delta)| json!({ "rho": rho, "delta": delta })),
        "semantics": bound.map(|epsilon| statement_json(Semantics::of(epsilon, composed.delta, None))),
        "posterior": bound.map(odds),
        "covers": weakest(lines),
    })
}
