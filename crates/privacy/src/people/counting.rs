//! The counting reader: who knows how many rows the victim has.
//!
//! If she has more rows than there are rows without any of l - 1 values, one of hers has one of these
//! values, whoever's the rows are. So r_v, the rows of somebody whom the coalition does not know, must
//! not exceed the rows outside of L, for every set L of l - 1 values. A missing value is outside of every
//! L. A coalition takes out all it can: where people are known, everybody it knows; where rows are known,
//! its own rows outside of L, though not those of the victim, which she would miss as well.
//!
//! Where people are known, a coalition settles which rows are left, and the worst L is then the l - 1
//! commonest values of those: coalitions are gone through, at O(values and rows that it knows) each. Only where
//! there are more than [`COALITIONS`] of them are sets of values gone through instead.

use super::coalition::{Covers, Removal};
use super::crowd::{Crowd, CrowdMember};
use super::sets::{OWN_ROWS, SetSearch, outside_at_least, own_rows_at_least};
use super::vertices::next_combination;
use super::weights::Weights;
use crate::breach::{Attack, Breach};
use crate::constraint::Limit;
use crate::insiders::Knows;

/// No more coalitions are gone through one by one.
const COALITIONS: u64 = 1 << 12;

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
    if out_of_reach(crowd, room, most) {
        return Ok(None);
    }
    if few_coalitions(crowd.providers(), most) {
        return Ok(by_coalitions(crowd, room, most));
    }
    by_sets(crowd, room, most)
}

/// Whether even the largest providers leave more rows outside of the commonest values than anybody has.
fn out_of_reach(crowd: &Crowd, room: usize, most: usize) -> bool {
    let mut of_provider = vec![0; crowd.providers()];
    let mut largest = 0;
    for member in &crowd.members {
        largest = largest.max(member.rows);
        for &provider in &member.known_to {
            // shared people are counted at each of their providers, which only takes out more
            of_provider[provider as usize] += member.rows * member.people;
        }
    }
    let taken = sum_of_largest(&mut of_provider, most);
    let named = sum_of_largest(&mut named_rows(crowd, &rows_of_values(crowd)), room);
    crowd.rows() >= largest.saturating_add(taken).saturating_add(named)
}

/// Rows of each value, by place.
fn rows_of_values(crowd: &Crowd) -> Vec<u64> {
    let mut rows_of = vec![0; crowd.values()];
    for member in &crowd.members {
        for &(value, rows) in &member.values {
            rows_of[value as usize] += rows * member.people;
        }
    }
    rows_of
}

/// The same without missing values, which are in no L.
fn named_rows(crowd: &Crowd, rows_of: &[u64]) -> Vec<u64> {
    let values = rows_of.iter().zip(&crowd.absent);
    let named = values.filter(|&(_, &is_absent)| !is_absent);
    named.map(|(&rows, _)| rows).collect()
}

fn sum_of_largest(amounts: &mut [u64], number: usize) -> u64 {
    if number == 0 || amounts.is_empty() {
        return 0;
    }
    if number < amounts.len() {
        amounts.select_nth_unstable_by(number - 1, |a, b| b.cmp(a));
    }
    // too large is careful: nobody is then said to be out of reach
    let largest = amounts.iter().take(number);
    largest.fold(0, |sum: u64, &amount| sum.saturating_add(amount))
}

/// Whether no more than [`COALITIONS`] coalitions have at most so many members.
fn few_coalitions(providers: usize, most: usize) -> bool {
    let (mut of_size, mut all) = (1u64, 1u64);
    for size in 1..=most.min(providers) as u64 {
        // exact: a product of so many successive numbers can be divided by so many
        of_size = of_size * (providers as u64 - size + 1) / size;
        all += of_size;
        if all > COALITIONS {
            return false;
        }
    }
    true
}

/// Goes through coalitions, small ones first: of what is left, the commonest values are in L.
fn by_coalitions(crowd: &Crowd, room: usize, most: usize) -> Option<Breach> {
    let all = rows_of_values(crowd);
    for size in 0..=most.min(crowd.providers()) {
        let mut coalition: Vec<usize> = (0..size).collect();
        loop {
            if succeeds(crowd, &all, room, &coalition) {
                return Some(crowd.breach(coalition, |_| true));
            }
            if !next_combination(&mut coalition, crowd.providers()) {
                break;
            }
        }
    }
    None
}

/// Whether somebody whom the coalition does not know has more rows than there are outside of some L.
fn succeeds(crowd: &Crowd, rows_of_values: &[u64], room: usize, coalition: &[usize]) -> bool {
    let inside = crowd.inside(coalition);
    let mut left = rows_of_values.to_vec();
    let mut left_in_all = crowd.rows();
    let mut largest = 0;
    for member in &crowd.members {
        if !crowd.is_known(member, &inside) {
            largest = largest.max(member.rows);
            continue;
        }
        left_in_all -= member.rows * member.people;
        for &(value, rows) in &member.values {
            left[value as usize] -= rows * member.people;
        }
    }
    let in_l = sum_of_largest(&mut named_rows(crowd, &left), room);
    largest > left_in_all - in_l
}

/// Goes through sets of values, and for each looks for a coalition.
fn by_sets(crowd: &Crowd, room: usize, most: usize) -> Result<Option<Breach>, Limit> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Absent;
    use crate::people::crowd::{Counted, View};
    use mingle_model::{Code, Entry, ProviderId};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Up to eight kinds of people of five values, the last of which is missing, at four providers.
    fn crowd(rng: &mut ChaCha8Rng) -> Crowd {
        let mut kinds: Vec<(u64, Vec<Entry>, Vec<ProviderId>)> = Vec::new();
        for _ in 0..rng.random_range(1..=8) {
            let mut entries = Vec::new();
            for _ in 0..rng.random_range(1..=3) {
                entries.push(Entry {
                    sensitive: rng.random_range(0..5),
                    provider: ProviderId(rng.random_range(0..4)),
                    count: rng.random_range(1..=3),
                });
            }
            let mut providers: Vec<ProviderId> = entries.iter().map(|e| e.provider).collect();
            providers.sort_unstable();
            providers.dedup();
            kinds.push((rng.random_range(1..=2), entries, providers));
        }
        let codes: Vec<Code> = (0..5).collect();
        let absent = Absent::Code(4);
        let counted = kinds.iter().map(|(people, entries, providers)| Counted {
            people: *people,
            entries,
            providers,
        });
        let view = View {
            codes: Some((&codes, &absent)),
            knows: Knows::People,
        };
        Crowd::new(counted, view)
    }

    #[test]
    fn coalitions_and_sets_of_values_give_the_same_answer() {
        let mut rng = ChaCha8Rng::seed_from_u64(18);
        let (mut found, mut bounded) = (0, 0);
        for _ in 0..3_000 {
            let crowd = crowd(&mut rng);
            let (room, most) = (rng.random_range(0..4), rng.random_range(0..4));
            let most = most.min(crowd.providers() - 1);
            let by_coalitions = by_coalitions(&crowd, room, most).is_some();
            let by_sets = by_sets(&crowd, room, most).expect("few sets").is_some();
            assert_eq!(by_coalitions, by_sets, "{crowd:?} {room} {most}");
            found += usize::from(by_sets);
            if out_of_reach(&crowd, room, most) {
                assert!(!by_sets, "{crowd:?} {room} {most}");
                bounded += 1;
            }
        }
        assert!((300..2_700).contains(&found), "{found}");
        assert!(bounded > 300, "{bounded}");
    }

    #[test]
    fn coalitions_are_counted() {
        assert!(few_coalitions(4_095, 1));
        assert!(!few_coalitions(4_096, 1));
        assert!(few_coalitions(12, 12));
        assert!(!few_coalitions(13, 12));
    }
}
