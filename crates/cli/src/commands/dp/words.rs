//! Promises and charges in words, and what they mean for one person.

pub use mingle_dp::odds::{DIGITS, times};

use crate::message::visible;
use mingle_dp::ledger::Charge;
use mingle_dp::odds::bound;
use mingle_dp::semantics::{BayesianSemantics, posterior_bound};
use mingle_dp::{Amount, Epsilon, Guarantee};

/// `ε 1, δ 1e-9`, `ε 1` or `ρ 0.02`.
pub fn promise(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Pure { epsilon } => format!("ε {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => format!("ε {epsilon}, δ {delta}"),
        Guarantee::Concentrated { rho } => format!("ρ {rho}"),
    }
}

/// What is spent, `ε 0.5` or `ρ 0.0125, δ 1e-10`: never less than it is.
pub fn spent(charge: Charge) -> String {
    charge.ceil_to(DIGITS).to_string()
}

/// What is left: never more than it is.
pub fn left(charge: Charge) -> String {
    charge.floor_to(DIGITS).to_string()
}

/// The standard deviation of noise, which may be next to none.
pub fn deviation(deviation: f64) -> String {
    match deviation {
        d if d >= 0.01 => format!("{d:.2}"),
        d if d > 1e-300 => format!("{d:.1e}"),
        _ => "nearly 0".to_owned(),
    }
}

/// Without what steers a terminal, and cut.
pub fn short(text: &str, width: usize) -> String {
    let text = visible(text).replace('\n', " ");
    if text.chars().count() > width {
        text.chars().take(width - 1).chain(['…']).collect()
    } else {
        text
    }
}

/// What ε and δ mean, in sentences that a steward can repeat.
pub fn meaning(epsilon: Epsilon, delta: Amount) -> String {
    let odds = epsilon.0.to_f64();
    let [presence, value] = [odds, 2.0 * odds].map(|odds| percent(posterior_bound(0.5, odds)));
    let but = if delta.is_zero() {
        String::new()
    } else {
        // about a value there are two steps, and the second multiplies what the first leaves open
        let two = bound(delta.to_f64() * (1.0 + odds.exp()));
        format!(
            "; δ: a release is drawn by such a rule but for a part of weight {delta}, or {two} about a value"
        )
    };
    format!(
        "whatever anyone knows already: a suspicion of 50 % that somebody is in the data becomes at most {presence}, \
         and of 50 % that somebody in the data has one value and not another at most {value}{but}"
    )
}

/// The paper's statement in words.
pub fn statement(semantics: BayesianSemantics) -> String {
    let source = semantics.source();
    let said = match semantics {
        BayesianSemantics::Pure { difference } => format!("ε̂ = e^ε − 1 = {}", bound(difference)),
        BayesianSemantics::Approximate {
            difference,
            for_each,
            ..
        } => format!(
            "ε′ = e^(3ε) − 1 + 2√δ = {}; δ′ of the order n√δ for n people, by Lemma 18 as printed {} for each",
            bound(difference),
            bound(for_each)
        ),
    };
    let vacuous = if semantics.is_vacuous() {
        " (vacuous at this ε: no difference of beliefs is above 1)"
    } else {
        ""
    };
    format!("{source}: {said}{vacuous}")
}

/// Rounded up, so that a bound stays one.
fn percent(share: f64) -> String {
    let tenths = (share * 1000.0 - 1e-9).ceil() / 10.0;
    // certainty is never reached by a finite ε
    if tenths >= 100.0 {
        "nearly 100 %".to_owned()
    } else {
        format!("{tenths} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_dp::ledger::Unit;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    #[test]
    fn spent_is_rounded_up_and_left_down() {
        for (text, up, down) in [
            ("100000000", "100000000", "100000000"),
            ("49.414141", "49.42", "49.41"),
            ("0.0123456", "0.01235", "0.01234"),
            ("1.23456e-7", "1.235e-7", "1.234e-7"),
        ] {
            let charge = Charge {
                unit: Unit::Rho,
                amount: amount(text),
                delta: Amount::ZERO,
            };
            assert_eq!(
                (spent(charge), left(charge)),
                (format!("ρ {up}"), format!("ρ {down}"))
            );
        }
        let both = Charge {
            unit: Unit::Epsilon,
            amount: amount("1"),
            delta: amount("1.23456e-7"),
        };
        assert_eq!(
            (spent(both), left(both)),
            ("ε 1, δ 1.235e-7".to_owned(), "ε 1, δ 1.234e-7".to_owned())
        );
    }

    #[test]
    fn little_is_not_nothing() {
        let shown = [1234.5678, 1.0, 4.3e-7, 0.0].map(deviation);
        assert_eq!(shown, ["1234.57", "1.00", "4.3e-7", "nearly 0"]);
    }
}
