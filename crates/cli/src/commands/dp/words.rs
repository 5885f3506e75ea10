//! Promises and charges in words, and what they mean for one person.

use crate::message::visible;
use mingle_dp::ledger::Charge;
use mingle_dp::semantics::{Semantics, posterior_bound};
use mingle_dp::{Amount, Guarantee};
use serde_json::{Value, json};

/// `ε 1, δ 1e-9`, `ε 1` or `ρ 0.02`.
pub fn promise(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Pure { epsilon } => format!("ε {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => format!("ε {epsilon}, δ {delta}"),
        Guarantee::Concentrated { rho } => format!("ρ {rho}"),
    }
}

/// `ε 0.5` or `ρ 0.0125, δ 1e-10`.
pub fn charge(charge: Charge) -> String {
    let main = format!("{} {}", charge.unit.letter(), charge.amount);
    if charge.delta.is_zero() { main } else { format!("{main}, δ {}", charge.delta) }
}

/// Without what steers a terminal, and cut.
pub fn short(text: &str, width: usize) -> String {
    let text = visible(text).replace('\n', " ");
    match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text,
    }
}

/// What ε and δ mean, in sentences that a steward can repeat.
pub fn meaning(epsilon: Amount, delta: Amount) -> String {
    let odds = epsilon.to_f64();
    let [presence, value] = [odds, 2.0 * odds].map(|odds| percent(posterior_bound(0.5, odds)));
    let but = match delta.is_zero() {
        true => String::new(),
        // about a value there are two steps, and the second multiplies what the first leaves open
        false => {
            let two = number(delta.to_f64() * (1.0 + odds.exp()));
            format!("; δ: a release is drawn by such a rule but for a part of weight {delta}, or {two} about a value")
        }
    };
    format!(
        "whatever anyone knows already: a suspicion of 50 % that somebody is in the data becomes at most {presence}, \
         and of 50 % that somebody in the data has one value and not another at most {value}{but}"
    )
}

/// The paper's statement in words.
pub fn statement(semantics: Semantics) -> String {
    let source = semantics.source();
    let said = match semantics {
        Semantics::Pure { difference } => format!("ε̂ = e^ε − 1 = {}", number(difference)),
        Semantics::Approximate { difference, for_each, .. } => format!(
            "ε′ = e^(3ε) − 1 + 2√δ = {}; δ′ of the order n√δ for n people, by Lemma 18 as printed {} for each",
            number(difference),
            number(for_each)
        ),
    };
    let vacuous = match semantics.is_vacuous() {
        true => " (vacuous at this ε: no difference of beliefs is above 1)",
        false => "",
    };
    format!("{source}: {said}{vacuous}")
}

/// The paper's statement as a document.
pub fn statement_json(semantics: Semantics) -> Value {
    let finite = |value: f64| value.is_finite().then_some(value);
    let mut object = json!({
        "statement": semantics.source(),
        "difference": finite(semantics.difference()),
        "vacuous": semantics.is_vacuous(),
    });
    if let Semantics::Approximate { for_each, .. } = semantics {
        object["delta_per_person"] = json!(for_each);
        object["delta_all"] = json!("O(n sqrt(delta))");
    }
    object
}

/// Rounded up, so that a bound stays one.
fn percent(share: f64) -> String {
    let tenths = (share * 1000.0 - 1e-9).ceil() / 10.0;
    // certainty is never reached by a finite ε
    if tenths >= 100.0 { "nearly 100 %".to_owned() } else { format!("{tenths} %") }
}

/// Three or four digits, rounded up.
fn number(value: f64) -> String {
    match value {
        v if !v.is_finite() => "beyond any number".to_owned(),
        v if !(1e-3..1e6).contains(&v) => {
            let power = v.log10().floor() as i32 - 2;
            format!("{:.2e}", (v / 10f64.powi(power)).ceil() * 10f64.powi(power))
        }
        v => format!("{}", (v * 1000.0).ceil() / 1000.0),
    }
}
