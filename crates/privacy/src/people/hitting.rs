//! Distinct diversity over people: can few values and few providers touch everybody?
//!
//! Nobody may be able to name l - 1 values of which the victim surely has one: no set L of l - 1 values
//! meets S_v of everybody whose S_v is not empty. A coalition breaches this iff for some L everybody
//! whom L misses is taken out by it. So each person is touched by one of her values, or by who knows
//! her: a person who is not touched yet has few ways to be, and these are tried in turn. The depth is
//! at most l - 1 + m, shared people are nothing special, and whoever is found with a smaller coalition
//! or fewer values leaves the same victim unknown, so that nothing is missed.
//!
//! A node is given up where too many people have no value in common: of q such people, at most those
//! of the m providers with most of them are taken out, and each other one needs a value of her own.
//! More than [`STEPS`] visits of people are not made. Where insiders know rows, a person is no longer
//! counted once all rows of hers that are not missing were taken out.

use super::crowd::Crowd;
use crate::breach::Attack;
use crate::constraint::Limit;
use crate::insiders::Knows;

/// How many people are looked at in one search.
const STEPS: u64 = 1 << 24;

/// A person, or several who are touched by the same.
struct Target<'a> {
    values: &'a [u32],
    /// Who takes her out: any of them where people are known, all of them where rows are.
    providers: Vec<u32>,
}

struct Search<'a> {
    crowd: &'a Crowd,
    targets: Vec<Target<'a>>,
    /// L, by place.
    named: Vec<bool>,
    inside: Vec<bool>,
    steps: u64,
}

/// Looks for fewer than `l` values, and at most `most` providers, that touch everybody.
pub(crate) fn hitting(crowd: &Crowd, l: u64, most: usize) -> Attack {
    let mut targets = Vec::new();
    for member in crowd.members.iter().filter(|m| !m.named.is_empty()) {
        let providers = match crowd.knows {
            Knows::People => member.known_to.clone(),
            Knows::Rows => {
                let named = |&&(_, value, _): &&(u32, u32, u64)| !crowd.absent[value as usize];
                let mut own: Vec<u32> = member.holdings.iter().filter(named).map(|h| h.0).collect();
                own.dedup();
                own
            }
        };
        targets.push(Target {
            values: &member.named,
            providers,
        });
    }
    targets.sort_unstable_by(|a, b| {
        let (a_size, b_size) = (a.values.len(), b.values.len());
        (a_size, a.values, &a.providers).cmp(&(b_size, b.values, &b.providers))
    });
    targets.dedup_by(|a, b| a.values == b.values && a.providers == b.providers);
    let mut search = Search {
        crowd,
        targets,
        named: vec![false; crowd.values()],
        inside: vec![false; crowd.providers()],
        steps: 0,
    };
    let room = usize::try_from(l.saturating_sub(1)).unwrap_or(usize::MAX);
    match search.touch(room, most) {
        Err(limit) => Attack::Undecided(limit),
        Ok(false) => Attack::Withstood,
        Ok(true) => {
            let inside = (0..crowd.providers()).filter(|&place| search.inside[place]);
            Attack::Breach(crowd.breach(inside.collect(), |_| true))
        }
    }
}

impl Search<'_> {
    /// Whether so many more values and providers touch everybody and leave somebody unknown.
    fn touch(&mut self, values: usize, providers: usize) -> Result<bool, Limit> {
        self.steps += self.targets.len() as u64 + 1;
        if self.steps > STEPS {
            return Err(Limit::SearchSteps(STEPS));
        }
        let open: Vec<usize> = (0..self.targets.len())
            .filter(|&at| !self.is_touched(&self.targets[at]))
            .collect();
        if open.is_empty() {
            // nobody joins who would leave no victim
            return Ok(true);
        }
        if self.out_of_reach(&open, values, providers) {
            return Ok(false);
        }
        let ways = |at: usize| {
            let target = &self.targets[at];
            let by_value = if values > 0 { target.values.len() } else { 0 };
            by_value
                + if providers > 0 {
                    target.providers.len()
                } else {
                    0
                }
        };
        let Some(next) = open.into_iter().min_by_key(|&at| ways(at)) else {
            return Ok(false);
        };
        if values > 0 {
            let own = self.targets[next].values;
            for &value in own {
                self.named[value as usize] = true;
                if self.touch(values - 1, providers)? {
                    return Ok(true);
                }
                self.named[value as usize] = false;
            }
        }
        let missing: Vec<u32> = {
            let own = self.targets[next].providers.iter();
            own.copied().filter(|&p| !self.inside[p as usize]).collect()
        };
        let choices: Vec<&[u32]> = match self.crowd.knows {
            Knows::People => missing.chunks(1).collect(),
            Knows::Rows => vec![&missing],
        };
        for choice in choices {
            if choice.len() > providers {
                continue;
            }
            choice.iter().for_each(|&p| self.inside[p as usize] = true);
            if self.leaves_somebody() && self.touch(values, providers - choice.len())? {
                return Ok(true);
            }
            choice.iter().for_each(|&p| self.inside[p as usize] = false);
        }
        Ok(false)
    }

    fn is_touched(&self, target: &Target<'_>) -> bool {
        let mut own = target.providers.iter().map(|&p| self.inside[p as usize]);
        let taken_out = match self.crowd.knows {
            Knows::People => own.any(|inside| inside),
            Knows::Rows => own.all(|inside| inside),
        };
        taken_out
            || target
                .values
                .iter()
                .any(|&value| self.named[value as usize])
    }

    fn leaves_somebody(&self) -> bool {
        let unknown = |member| !self.crowd.is_known(member, &self.inside);
        self.crowd.members.iter().any(unknown)
    }

    /// Whether people without a common value are too many for what is left.
    fn out_of_reach(&self, open: &[usize], values: usize, providers: usize) -> bool {
        let mut used = vec![false; self.named.len()];
        let mut of_provider = vec![0usize; self.inside.len()];
        let mut apart = 0;
        for &at in open {
            let target = &self.targets[at];
            if target.values.iter().any(|&value| used[value as usize]) {
                continue;
            }
            target
                .values
                .iter()
                .for_each(|&value| used[value as usize] = true);
            target
                .providers
                .iter()
                .for_each(|&p| of_provider[p as usize] += 1);
            apart += 1;
        }
        of_provider.sort_unstable_by(|a, b| b.cmp(a));
        let taken: usize = of_provider.iter().take(providers).sum();
        apart > values.saturating_add(taken)
    }
}
