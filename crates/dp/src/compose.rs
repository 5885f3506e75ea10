//! Several releases about the same people add up, whoever made them.
//!
//! Each release is one [`Part`]. Two ways to add are known, and any part may go either way:
//!
//! * **basic**: Σε and Σδ;
//! * **concentrated**: Σρ and Σδ₀, then ε at what is left of δ, by the conversion of
//!   [`guarantee`](crate::guarantee). A pure part is ε²/2. An (ε, δ) part that this program made
//!   has a ρ that is known. One made elsewhere is ε²/2 with δ₀ = δ, because every (ε, δ) pair of
//!   distributions is what one can make of a pair that keeps ε but for a probability of δ (Kairouz,
//!   Oh and Viswanath 2015). With that, the advanced composition of Dwork, Rothblum and Vadhan adds
//!   nothing.
//!
//! [`compose`] takes the best of: all basic, all concentrated, and the parts with the smallest ρ
//! concentrated and the rest basic (**mixed**). Every choice is a true bound.
//!
//! The data sets may differ: what is bounded is what everything together says about one person,
//! with all records of that person in all of the data sets. The bound is about these releases with
//! parameters that did not depend on one another. Where somebody chooses how much to spend after
//! looking at what others have published, a total that was agreed beforehand, as in a
//! [`ledger`](crate::ledger), is what holds.
//!
//! Sums are exact; what is rounded leans to the safe side. Cost: one conversion per choice, at most
//! 66.

use crate::amount::Amount;
use crate::guarantee::{Epsilon, Guarantee, epsilon_of, pure_as_rho};

/// One release, as far as adding up is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    guarantee: Guarantee,
    rho: Amount,
    direct_delta: Amount,
}

impl Part {
    /// A release of this program, whose ρ is known.
    pub fn made_here(guarantee: Guarantee, leaves_cells_out: bool) -> Part {
        let direct_delta = if leaves_cells_out {
            guarantee.direct_delta()
        } else {
            Amount::ZERO
        };
        Part {
            guarantee,
            rho: guarantee.rho(),
            direct_delta,
        }
    }

    /// A release of which nothing but the promise is known.
    pub fn made_elsewhere(guarantee: Guarantee) -> Part {
        let rho = guarantee.epsilon().map_or(guarantee.rho(), pure_as_rho);
        Part {
            guarantee,
            rho,
            direct_delta: guarantee.delta(),
        }
    }

    /// What it promises by itself.
    pub fn guarantee(self) -> Guarantee {
        self.guarantee
    }

    /// The ρ that it amounts to.
    pub fn rho(self) -> Amount {
        self.rho
    }

    /// The δ₀ up to which it amounts to that ρ.
    pub fn direct_delta(self) -> Amount {
        self.direct_delta
    }
}

/// What several releases amount to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composed {
    /// How many they are.
    pub releases: usize,
    /// Σε and Σδ; `None` where a release promises ρ alone, or ε is beyond the scale.
    pub basic: Option<(Epsilon, Amount)>,
    /// Σρ and Σδ₀; `None` where ρ is beyond the scale.
    pub concentrated: Option<(Amount, Amount)>,
    /// The δ at which ε is stated.
    pub delta: Amount,
    /// The smallest ε that is known at that δ, and by which rule; `None` where δ is too small for
    /// any.
    pub best: Option<(Epsilon, AccountingRule)>,
    /// The ε of each rule at that δ.
    pub by_rule: Vec<(AccountingRule, Epsilon)>,
}

/// How releases were added up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AccountingRule {
    /// Σε and Σδ.
    Basic,
    /// Σρ, then ε at δ.
    Concentrated,
    /// Some this way, some that way.
    Mixed,
}

impl AccountingRule {
    /// The word used in documents.
    pub fn name(self) -> &'static str {
        match self {
            AccountingRule::Basic => "basic",
            AccountingRule::Concentrated => "concentrated",
            AccountingRule::Mixed => "mixed",
        }
    }
}

/// The δ at which to state ε where nobody says one: what the releases promise together, or 10⁻⁹
/// where they promise ρ alone.
pub fn usual_delta(parts: &[Part]) -> Amount {
    let promised: Amount = parts.iter().map(|part| part.guarantee.delta()).sum();
    let needs_one = parts.iter().any(|part| part.guarantee.epsilon().is_none());
    if needs_one {
        promised + Amount::BILLIONTH
    } else {
        promised
    }
}

/// Adds releases up and states ε at a δ.
pub fn compose(parts: &[Part], delta: Amount) -> Composed {
    let sorted = Sorted::new(parts);
    let all = sorted.0.len();
    let mut by_rule: Vec<(AccountingRule, Epsilon)> = Vec::new();
    let choices = [
        (AccountingRule::Basic, 0),
        (AccountingRule::Concentrated, all),
    ]
    .into_iter();
    let mixed = sorted.choices().map(|split| (AccountingRule::Mixed, split));
    for (rule, split) in choices.chain(mixed) {
        let Some(epsilon) = sorted.epsilon(split, delta) else {
            continue;
        };
        match by_rule.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, least)) => *least = epsilon.min(*least),
            None => by_rule.push((rule, epsilon)),
        }
    }
    // the simplest rule wins a tie
    let best = by_rule.iter().map(|&(rule, epsilon)| (epsilon, rule)).min();
    let sum_of_deltas = parts.iter().map(|part| part.guarantee.delta()).sum();
    let basic = sum_of_epsilons(parts)
        .filter(in_scale)
        .map(|epsilon| (Epsilon(epsilon), sum_of_deltas));
    let rho = Some(parts.iter().map(|part| part.rho).sum()).filter(in_scale);
    let concentrated = rho.map(|rho| (rho, parts.iter().map(|part| part.direct_delta).sum()));
    Composed {
        releases: parts.len(),
        basic,
        concentrated,
        delta,
        best,
        by_rule,
    }
}

/// Σε; `None` where a release promises ρ alone.
fn sum_of_epsilons(parts: &[Part]) -> Option<Amount> {
    let mut sum = Amount::ZERO;
    for part in parts {
        let Epsilon(epsilon) = part.guarantee.epsilon()?;
        sum = sum + epsilon;
    }
    Some(sum)
}

/// At the end of the scale an amount stands for more than it says.
fn in_scale(amount: &Amount) -> bool {
    *amount < Amount::MAX
}

/// The parts that must be concentrated first, the others by ρ: the small ones gain most by it.
struct Sorted(Vec<Part>);

impl Sorted {
    /// More choices than these are not tried.
    const MOST_CHOICES: usize = 64;

    fn new(parts: &[Part]) -> Sorted {
        let mut parts = parts.to_vec();
        let order = |p: &Part| (p.guarantee.epsilon(), p.guarantee.delta(), p.direct_delta);
        parts.sort_by_key(|part| (part.guarantee.epsilon().is_some(), part.rho, order(part)));
        Sorted(parts)
    }

    /// Where to split the parts into concentrated ones and the rest.
    fn choices(&self) -> impl Iterator<Item = usize> {
        let inner = self.0.len().saturating_sub(1);
        let step = inner.div_ceil(Sorted::MOST_CHOICES).max(1);
        (1..=inner).step_by(step)
    }

    /// ε at δ, with the first parts concentrated and the rest basic. A δ of 1 is kept by anything,
    /// and says nothing.
    fn epsilon(&self, split: usize, delta: Amount) -> Option<Epsilon> {
        if delta.to_f64() >= 1.0 {
            return None;
        }
        let (concentrated, basic) = self.0.split_at(split);
        let direct: Amount = concentrated.iter().map(|part| part.direct_delta).sum();
        let promised: Amount = basic.iter().map(|part| part.guarantee.delta()).sum();
        let left = delta.minus(direct + promised)?;
        let rest = sum_of_epsilons(basic)?;
        let rho = Some(concentrated.iter().map(|part| part.rho).sum()).filter(in_scale)?;
        let converted = if concentrated.is_empty() {
            Amount::ZERO
        } else {
            Some(epsilon_of(rho, left).0).filter(in_scale)?
        };
        Some(converted + rest).filter(in_scale).map(Epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    fn pure(epsilon: &str) -> Part {
        Part::made_here(
            Guarantee::Pure {
                epsilon: Epsilon(amount(epsilon)),
            },
            false,
        )
    }

    fn approximate(epsilon: &str, delta: &str) -> Guarantee {
        Guarantee::Approximate {
            epsilon: Epsilon(amount(epsilon)),
            delta: amount(delta),
        }
    }

    #[test]
    fn pure_releases_add_up_exactly() {
        let composed = compose(&[pure("0.1"); 10], Amount::ZERO);
        assert_eq!(
            composed.best,
            Some((Epsilon(amount("1")), AccountingRule::Basic))
        );
        assert_eq!(composed.by_rule.len(), 1, "without δ nothing else is known");
        assert_eq!(composed.concentrated, Some((amount("0.05"), Amount::ZERO)));
    }

    #[test]
    fn many_small_ones_are_better_off_concentrated() {
        let composed = compose(&[pure("0.01"); 400], amount("1e-9"));
        let (epsilon, rule) = composed.best.expect("a bound");
        assert!(
            epsilon < Epsilon(amount("1.3"))
                && epsilon > Epsilon(amount("1"))
                && rule == AccountingRule::Concentrated,
            "{composed:?}"
        );
        assert_eq!(composed.basic, Some((Epsilon(amount("4")), Amount::ZERO)));
    }

    /// A large pure release, and many small ones: neither rule alone is best.
    #[test]
    fn mixing_can_beat_both() {
        let parts: Vec<Part> = (0..200).map(|_| pure("0.01")).chain([pure("2")]).collect();
        let composed = compose(&parts, amount("1e-9"));
        assert_eq!(
            composed.best.map(|(_, rule)| rule),
            Some(AccountingRule::Mixed),
            "{composed:?}"
        );
    }

    #[test]
    fn what_was_made_elsewhere_is_known_less_well() {
        let guarantee = approximate("0.1", "1e-9");
        let (here, elsewhere) = (
            [Part::made_here(guarantee, true); 200],
            [Part::made_elsewhere(guarantee); 200],
        );
        let at = |parts: &[Part]| compose(parts, amount("1e-6")).best.expect("a bound").0;
        assert!(at(&here) < at(&elsewhere) && at(&elsewhere) < Epsilon(amount("20")));
    }

    #[test]
    fn too_small_a_delta_gives_no_bound() {
        assert_eq!(
            compose(
                &[Part::made_elsewhere(approximate("1", "1e-6"))],
                amount("1e-7")
            )
            .best,
            None
        );
        let rho = Part::made_here(Guarantee::Concentrated { rho: amount("0.1") }, false);
        assert_eq!(compose(&[rho], Amount::ZERO).best, None);
        assert_eq!(compose(&[rho], Amount::ZERO).basic, None);
        assert_eq!(compose(&[rho, pure("1")], amount("1")).best, None);
        assert_eq!(usual_delta(&[rho]), amount("1e-9"));
        assert!(compose(&[rho, pure("1")], amount("1e-9")).best.is_some());
    }

    #[test]
    fn beyond_the_scale_nothing_is_said() {
        let parts = [pure("100000000"); 2];
        let composed = compose(&parts, amount("1e-9"));
        assert_eq!(
            (composed.best, composed.basic, composed.concentrated),
            (None, None, None)
        );
    }

    #[test]
    fn nothing_amounts_to_nothing() {
        assert_eq!(
            compose(&[], Amount::ZERO).best,
            Some((Epsilon(Amount::ZERO), AccountingRule::Basic))
        );
    }

    fn parts() -> impl Strategy<Value = Part> {
        let thousandths = (1..4000u32).prop_map(|n| amount(&format!("{n}e-3")));
        let epsilon = thousandths.clone().prop_map(Epsilon);
        let delta = (1..100u32).prop_map(|n| amount(&format!("{n}e-12")));
        prop_oneof![
            epsilon
                .clone()
                .prop_map(|epsilon| Part::made_here(Guarantee::Pure { epsilon }, false)),
            (epsilon.clone(), delta.clone(), any::<bool>()).prop_map(|(epsilon, delta, out)| {
                Part::made_here(Guarantee::Approximate { epsilon, delta }, out)
            }),
            (epsilon.clone(), delta).prop_map(|(epsilon, delta)| Part::made_elsewhere(
                Guarantee::Approximate { epsilon, delta }
            )),
            thousandths.prop_map(|rho| Part::made_here(Guarantee::Concentrated { rho }, false)),
        ]
    }

    fn best(parts: &[Part], delta: Amount) -> Amount {
        compose(parts, delta)
            .best
            .map_or(Amount::MAX, |(epsilon, _)| epsilon.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn more_releases_and_less_delta_are_never_better(
            parts in prop::collection::vec(parts(), 1..6),
            one_more in parts(),
        ) {
            let delta = amount("1e-9");
            let mut more = parts.clone();
            more.push(one_more);
            let all = best(&more, delta);
            prop_assert!(all >= best(&parts, delta));
            for &part in &more {
                prop_assert!(all >= best(&[part], delta), "never better than each part");
            }
            prop_assert!(best(&parts, amount("1e-10")) >= best(&parts, delta));
        }

        #[test]
        fn the_order_does_not_matter(parts in prop::collection::vec(parts(), 1..6)) {
            let mut turned = parts.clone();
            turned.reverse();
            prop_assert_eq!(compose(&parts, amount("1e-9")), compose(&turned, amount("1e-9")));
        }

        #[test]
        fn one_release_is_what_it_promises(part in parts()) {
            let composed = compose(&[part], usual_delta(&[part]));
            if let Some(epsilon) = part.guarantee().epsilon() {
                prop_assert!(composed.best.expect("a bound").0 <= epsilon);
                prop_assert_eq!(composed.basic, Some((epsilon, part.guarantee().delta())));
            }
            if let Guarantee::Concentrated { rho } = part.guarantee() {
                prop_assert_eq!(composed.best.expect("a bound").0, epsilon_of(rho, composed.delta));
            }
        }

        /// Randomized response composes exactly: the true ε at δ of k of them must not be above
        /// what is said.
        #[test]
        fn never_below_the_truth(k in 1..14usize, tenths in 1..20u32) {
            let parts = vec![pure(&format!("{tenths}e-1")); k];
            let delta = 1e-6;
            let said = best(&parts, amount("1e-6")).to_f64();
            let epsilon = f64::from(tenths) / 10.0;
            // of k answers i are truthful: probability by C(k,i) p^i q^(k-i), ratio exp((2i-k) ε)
            let p = epsilon.exp() / (1.0 + epsilon.exp());
            let mut choose = 1.0;
            let mut beyond = 0.0;
            for i in 0..=k {
                let weight = |p: f64| choose * p.powi(i as i32) * (1.0 - p).powi((k - i) as i32);
                beyond += (weight(p) - said.exp() * weight(1.0 - p)).max(0.0);
                choose *= (k - i) as f64 / (i + 1) as f64;
            }
            prop_assert!(beyond <= delta * (1.0 + 1e-6), "{said}: {beyond}");
        }
    }
}
