//! The counting reader: who knows how many rows the victim has.
//!
//! If she has more rows than there are rows without any of l - 1 values, one of hers has one of these
//! values, whoever's the rows are. So r_v, the rows of somebody whom the coalition does not know, must
//! not exceed the rows outside of L, for every set L of l - 1 values. A missing value is outside of every
//! L. A coalition takes out all it can: where people are known, everybody it knows; where rows are known,
//! its own rows outside of L, though not those of the victim, which she would miss as well.

use super::coalition::{Covers, Removal};
use super::crowd::{Crowd, CrowdMember};
use super::sets::{OWN_ROWS, SetSearch, outside_at_least, own_rows_at_least};
use super::weights::Weights;
use crate::breach::{Attack, Breach};
use crate::constraint::Limit;
use crate::insiders::Knows;

/// Looks for a coalition of at most `most` providers that may count the rows of somebody.
pub(crate) fn counting_reader(crowd: &Crowd, l: u64, most: usize) -> Attack {
    let room = usize::try_from(l.saturating_sub(1)).unwrap_or(usize::MAX);
    let found = match crowd.knows {
        Knows::People => known_people(crowd, room, most),
        Knows::Rows => known_rows(crowd, room, most),
    };
    match found {
        Err(limit) => Attack::Undecided(limit),
        Ok(None) => Attack::Withstood,
        Ok(Some(breach)) => Attack::Breach(breach),
    }
}

/// Rows of a member's people outside of L.
fn outside(member: &CrowdMember, inside: &[u32]) -> i128 {
    let kept = member
        .values
        .iter()
        .filter(|(value, _)| !inside.contains(value));
    let rows: u64 = kept.map(|&(_, rows)| rows).sum();
    i128::from(rows)
}

fn known_people(crowd: &Crowd, room: usize, most: usize) -> Result<Option<Breach>, Limit> {
    // of the victims with the same providers only the one with most rows matters
    let mut victims: Vec<(&[u32], u64)> = Vec::new();
    for member in &crowd.members {
        match victims
            .iter_mut()
            .find(|victim| victim.0 == member.known_to)
        {
            Some(victim) => victim.1 = victim.1.max(member.rows),
            None => victims.push((&member.known_to, member.rows)),
        }
    }
    let Some(largest) = victims.iter().map(|victim| victim.1).max() else {
        return Ok(None);
    };
    let least = outside_at_least(crowd, &Weights::rows(crowd), most);
    let mut search = SetSearch::new(&least, |value| !crowd.absent[value as usize]);
    search.visit(room, i128::from(largest) - 1, &mut |inside| {
        let rows = |member: &CrowdMember| outside(member, inside) * i128::from(member.people);
        let all: i128 = crowd.members.iter().map(rows).sum();
        for &(providers, own) in &victims {
            let need = all - i128::from(own) + 1;
            let amounts = crowd.members.iter().map(|m| (&m.known_to[..], rows(m)));
            let removal = Removal::new(amounts, Covers::Any, Some(providers));
            if let Some(coalition) = removal.find(crowd, need, most)? {
                return Ok(Some(crowd.breach(coalition, |_| true)));
            }
        }
        Ok(None)
    })
}

fn known_rows(crowd: &Crowd, room: usize, most: usize) -> Result<Option<Breach>, Limit> {
    let Some(largest) = crowd.members.iter().map(|member| member.rows).max() else {
        return Ok(None);
    };
    // those of the victim stay, so what is certain to be outside counts them at their provider
    let least = own_rows_at_least(crowd, most);
    let single: Vec<u32> = (0..crowd.providers() as u32).collect();
    let mut search = SetSearch::new(&least, |value| !crowd.absent[value as usize]);
    search.visit(room, i128::from(largest) - 1, &mut |inside| {
        let mut of_provider = vec![0i128; crowd.providers()];
        for member in &crowd.members {
            for &(provider, value, rows) in &member.holdings {
                if !inside.contains(&value) {
                    of_provider[provider as usize] += i128::from(rows) * i128::from(member.people);
                }
            }
        }
        let mut largest = of_provider.clone();
        largest.sort_unstable_by(|a, b| b.cmp(a));
        let at_most: i128 = largest.iter().take(most).sum();
        let outside_of_all: i128 = of_provider.iter().sum();
        for victim in &crowd.members {
            // her own rows outside count neither for nor against her
            if outside_of_all - i128::from(victim.rows) + 1 > at_most {
                continue;
            }
            let mut others = of_provider.clone();
            for &(provider, value, rows) in &victim.holdings {
                if !inside.contains(&value) {
                    others[provider as usize] -= i128::from(rows);
                }
            }
            let all: i128 = others.iter().sum();
            let own = i128::from(victim.rows) - outside(victim, inside);
            let need = all - own + 1;
            let amounts = single.chunks(1).zip(others.iter().copied());
            let removal = Removal::new(amounts, OWN_ROWS, Some(&victim.known_to));
            if let Some(coalition) = removal.find(crowd, need, most)? {
                return Ok(Some(crowd.breach(coalition, |_| true)));
            }
        }
        Ok(None)
    })
}
