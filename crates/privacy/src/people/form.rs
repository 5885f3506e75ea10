//! A linear form over people, and the worst that a coalition can do to it.
//!
//! The form is kappa + sum over people of a_v; the promise fails where it is above 0, or not below.
//! Whoever raises it stays, whoever lowers it is left out where the coalition knows her: Theorem 1
//! with people.

use super::coalition::{Covers, Removal};
use super::crowd::Crowd;
use crate::breach::Breach;
use crate::constraint::Limit;
use crate::insiders::Knows;
use crate::ratio::Ratio;

/// kappa + sum over people of a_v > 0 fails, or >= 0.
pub(crate) struct Form {
    pub kappa: i128,
    /// a_v of each member of the crowd.
    pub amounts: Vec<i128>,
    /// Whether 0 fails as well.
    pub at_zero: bool,
}

/// An error where amounts times a parameter might need more than 127 bits.
pub(crate) fn in_range(parameter: Ratio, amounts: u64) -> Result<(), Limit> {
    let bits = |n: u64| u64::BITS - n.leading_zeros();
    let wide = bits(parameter.numerator().max(parameter.denominator())) + bits(amounts);
    if wide > 124 {
        return Err(Limit::IntegerBits(127));
    }
    Ok(())
}

/// A coalition of at most `most` providers that makes the form fail. Where insiders know rows, it must
/// be so that people who are known in part count as before.
pub(crate) fn worst(crowd: &Crowd, form: &Form, most: usize) -> Result<Option<Breach>, Limit> {
    let people = |at: usize| i128::from(crowd.members[at].people);
    let mut value = form.kappa;
    for (at, &amount) in form.amounts.iter().enumerate() {
        value += amount * people(at);
    }
    // the form fails once so much was taken out
    let need = if form.at_zero { -value } else { 1 - value };
    if need > 0 && most == 0 {
        return Ok(None);
    }
    let covers = match crowd.knows {
        Knows::People => Covers::Any,
        Knows::Rows => Covers::All,
    };
    let members = crowd.members.iter().zip(&form.amounts).enumerate();
    let amounts = members.map(|(at, (member, &amount))| {
        let taken = (-amount).max(0) * people(at);
        (&member.known_to[..], taken)
    });
    let removal = Removal::new(amounts, covers, None);
    let coalition = removal.find(crowd, need, most)?;
    Ok(coalition.map(|coalition| crowd.breach(coalition, |at| form.amounts[at] < 0)))
}
