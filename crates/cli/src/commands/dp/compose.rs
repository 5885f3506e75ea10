//! `mingle dp compose`: what several releases about the same people amount to.

use super::words::{DIGITS, meaning, promise, short, statement};
use crate::args::DpCompose;
use crate::commands::publish::say_failed;
use crate::message::{Exit, Problem, Screen, print, print_json, wrap};
use mingle::noise::compose::{Together, compose};
use mingle_dp::compose::AccountingRule;
use mingle_dp::semantics::BayesianSemantics;

pub fn run(args: &DpCompose, screen: Screen) -> Result<Exit, Problem> {
    let (together, warnings) = match compose(&args.parts, args.delta) {
        Ok(found) => found,
        Err(failed) => return Err(say_failed(failed, screen)),
    };
    screen.warnings(&warnings);
    if args.json {
        print_json(&together.answer(&warnings))?;
    } else {
        print(&text(&together))?;
    }
    match together.no_bound() {
        None => Ok(Exit::Fine),
        Some(problem) => Err(problem),
    }
}

fn text(together: &Together) -> String {
    let mut out = String::from(
        "release                          kind       promise                amounts to\n",
    );
    for release in &together.releases {
        let (promised, rho) = match release.part {
            Some(part) => (
                promise(part.guarantee()),
                format!("ρ {}", part.rho().ceil_to(DIGITS)),
            ),
            None => ("none".to_owned(), String::new()),
        };
        let row = format!(
            "{:<32} {:<10} {:<22} {rho}",
            short(&release.name, 32),
            short(&release.kind, 10),
            short(&promised, 22)
        );
        out += &format!("{}\n", row.trim_end());
    }
    let Some(epsilon) = together.bound else {
        return out;
    };
    let delta = together.composed.delta;
    out += &format!("\n{}", totals(together));
    let shown = epsilon.0.ceil_to(DIGITS);
    out += &format!("together      ε {shown} at δ {delta}\n\n");
    out += &wrap(&meaning(epsilon, delta));
    out += &wrap(&statement(BayesianSemantics::of(epsilon, delta, None)));
    out += &wrap(&together.covers());
    out
}

/// What each rule gives; mixing only where it gives the least.
fn totals(together: &Together) -> String {
    let composed = &together.composed;
    let delta = composed.delta;
    let mut out = String::new();
    if let Some(epsilon) = together.by_rule(AccountingRule::Basic) {
        let epsilon = epsilon.0.ceil_to(DIGITS);
        out += &format!("basic         ε {epsilon} at δ {delta}: ε and δ added up\n");
    } else if let Some((epsilon, sum)) = composed.basic {
        let epsilon = epsilon.0.ceil_to(DIGITS);
        out += &format!("basic         ε {epsilon} at δ {sum}, not at δ {delta}\n");
    }
    if let Some((rho, _)) = composed.concentrated {
        let said = match together.by_rule(AccountingRule::Concentrated) {
            Some(epsilon) => format!("ε {} at δ {delta}", epsilon.0.ceil_to(DIGITS)),
            None => format!("nothing at δ {delta}"),
        };
        let rho = rho.ceil_to(DIGITS);
        out += &format!("concentrated  {said}: ρ added up to {rho}\n");
    }
    if let Some((epsilon, AccountingRule::Mixed)) = composed.best {
        let epsilon = epsilon.0.ceil_to(DIGITS);
        out += &format!("mixed         ε {epsilon} at δ {delta}: some this way, some that way\n");
    }
    out
}
