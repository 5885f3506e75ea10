//! Promises and charges as they are written down in answers.

use mingle_dp::compose::AccountingRule;
use mingle_dp::ledger::{Charge, Unit};
use mingle_dp::{Amount, Epsilon, Guarantee, Request};
use mingle_record::manifest::NoisyKind;
use mingle_record::noise::{
    BudgetCharge, BudgetUnit, CompositionRule, EpsilonAtDelta, ExactAmount, NoiseGuarantee,
};

/// With all of its digits.
pub fn amount(amount: Amount) -> ExactAmount {
    ExactAmount(amount.to_string())
}

/// What is promised.
pub fn guarantee(guarantee: Guarantee) -> NoiseGuarantee {
    match guarantee {
        Guarantee::Pure {
            epsilon: Epsilon(epsilon),
        } => NoiseGuarantee::Pure {
            epsilon: amount(epsilon),
        },
        Guarantee::Approximate {
            epsilon: Epsilon(epsilon),
            delta,
        } => NoiseGuarantee::Approximate {
            epsilon: amount(epsilon),
            delta: amount(delta),
        },
        Guarantee::Concentrated { rho } => NoiseGuarantee::Concentrated { rho: amount(rho) },
    }
}

/// What is spent or left.
pub fn charge(charge: Charge) -> BudgetCharge {
    let unit = match charge.unit {
        Unit::Epsilon => BudgetUnit::Epsilon,
        Unit::Rho => BudgetUnit::Rho,
    };
    BudgetCharge {
        unit,
        amount: amount(charge.amount),
        delta: amount(charge.delta),
    }
}

/// ε at a δ.
pub fn epsilon_at_delta((Epsilon(epsilon), delta): (Epsilon, Amount)) -> EpsilonAtDelta {
    EpsilonAtDelta {
        epsilon: amount(epsilon),
        delta: amount(delta),
    }
}

/// What is released.
pub fn kind(request: &Request) -> NoisyKind {
    match request {
        Request::Synthetic(_) => NoisyKind::Synthetic,
        Request::Marginals(_) => NoisyKind::Marginals,
        Request::Histogram(_) => NoisyKind::Histogram,
    }
}

/// How releases were added up.
pub fn rule(rule: AccountingRule) -> CompositionRule {
    match rule {
        AccountingRule::Basic => CompositionRule::Basic,
        AccountingRule::Concentrated => CompositionRule::Concentrated,
        AccountingRule::Mixed => CompositionRule::Mixed,
    }
}
