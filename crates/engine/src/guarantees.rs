//! What noise promises, as documents state it.

use mingle_dp::Guarantee;
use mingle_dp::semantics::BayesianSemantics;
use mingle_record::{GuaranteeAmounts, SemanticsStatement};

/// ε, ε with δ, or ρ.
pub fn guarantee_amounts(guarantee: Guarantee) -> GuaranteeAmounts {
    let (mut epsilon, mut delta, mut rho) = (None, None, None);
    match guarantee {
        Guarantee::Pure { epsilon: e } => epsilon = Some(e.to_string()),
        Guarantee::Approximate {
            epsilon: e,
            delta: d,
        } => {
            epsilon = Some(e.to_string());
            delta = Some(d.to_string());
        }
        Guarantee::Concentrated { rho: r } => rho = Some(r.to_string()),
    }
    GuaranteeAmounts {
        epsilon,
        delta,
        rho,
    }
}

/// How far beliefs about one person can move.
pub fn semantics_statement(semantics: BayesianSemantics) -> SemanticsStatement {
    let difference = semantics.difference();
    let for_each = match semantics {
        BayesianSemantics::Approximate { for_each, .. } => Some(for_each),
        BayesianSemantics::Pure { .. } => None,
    };
    SemanticsStatement {
        statement: semantics.source().to_owned(),
        difference: difference.is_finite().then_some(difference),
        vacuous: semantics.is_vacuous(),
        delta_per_person: for_each,
        delta_all: for_each.map(|_| "O(n sqrt(delta))".to_owned()),
    }
}
