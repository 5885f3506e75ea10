//! What a budget would still pay for.

use super::{Accounting, Charge};
use crate::amount::Amount;
use crate::guarantee::{Epsilon, Guarantee, converted, epsilon_of};
use dashu::integer::UBig;

/// The largest releases that would still be paid for, one or the other. `None` where there is none
/// of the kind, or where the ledger does not pay for such releases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Possible {
    /// The largest ε of a release with pure noise.
    pub pure: Option<Epsilon>,
    /// The largest (ε, δ) of a release that shows all cells.
    pub approximate: Option<(Epsilon, Amount)>,
    /// The largest (ε, δ) of a release that leaves cells out.
    pub leaving_cells_out: Option<(Epsilon, Amount)>,
    /// The largest ρ.
    pub rho: Option<Amount>,
}

/// ε is given in this many digits, rounded down.
const DIGITS: u32 = 4;

pub(super) fn possible(accounting: Accounting, left: Charge) -> Possible {
    let some = |amount: Amount| (!amount.is_zero()).then_some(amount);
    match accounting {
        Accounting::Epsilon { .. } => {
            let pure = some(left.amount).map(Epsilon);
            let approximate = pure.zip(some(left.delta));
            Possible {
                pure,
                approximate,
                leaving_cells_out: approximate,
                rho: None,
            }
        }
        Accounting::Concentrated { delta, .. } => {
            let sparse = left.delta.times(10);
            Possible {
                pure: some(pure_within(left.amount)).map(Epsilon),
                approximate: largest(accounting, left, delta, false),
                leaving_cells_out: largest(accounting, left, sparse, true),
                rho: some(left.amount),
            }
        }
        Accounting::Rho { .. } => Possible {
            pure: some(pure_within(left.amount)).map(Epsilon),
            approximate: None,
            leaving_cells_out: None,
            rho: some(left.amount),
        },
    }
}

/// The largest ε with ε²/2 ≤ ρ.
fn pure_within(rho: Amount) -> Amount {
    let square = UBig::from(rho.units()) * UBig::from(2u8) * UBig::from(10u8).pow(30);
    let units = u128::try_from(dashu::base::SquareRoot::sqrt(&square)).unwrap_or(u128::MAX);
    Amount::from_units(units).floor_to(DIGITS)
}

/// The largest ε at a δ whose charge fits.
fn largest(
    accounting: Accounting,
    left: Charge,
    delta: Amount,
    leaves_cells_out: bool,
) -> Option<(Epsilon, Amount)> {
    if left.amount.is_zero() || delta.is_zero() {
        return None;
    }
    let fits = |epsilon: Epsilon| {
        let guarantee = Guarantee::Approximate { epsilon, delta };
        accounting
            .charge(guarantee, leaves_cells_out)
            .is_ok_and(|charge| charge.within(left))
    };
    // a whole budget pays for exactly its own parameters; otherwise the conversion leans to the
    // safe side by 10⁻⁹
    let Epsilon(about) = epsilon_of(left.amount, converted(delta));
    let nearest = Amount::floor(about.to_f64() * (1.0 + 1e-7)).floor_to(DIGITS);
    let below = Amount::floor(about.to_f64() * (1.0 - 1e-7)).floor_to(DIGITS);
    [nearest, below]
        .into_iter()
        .map(Epsilon)
        .find(|&epsilon| !epsilon.0.is_zero() && fits(epsilon))
        .map(|epsilon| (epsilon, delta))
}
