//! Falls where people are counted: how many providers it takes to break a promise about a group.

use super::GroupPeople;
use crate::attack::insider::fall::{Breached, Fall};
use mingle_model::{Published, PublishedPeople};
use mingle_privacy::{
    Breach, Check, Decision, Error, Insiders, Knows, M, Promise, Requirement, Tally,
};

/// The promises about people.
pub(in crate::attack::insider) struct PromisedToPeople<'a> {
    pub(in crate::attack::insider) people: &'a PublishedPeople,
    pub(in crate::attack::insider) knows: Knows,
    promises: Vec<Promise>,
    requirement: Requirement,
    /// Where insiders know rows, a promise may be undecidable; those that are not, with their places
    /// in the policy.
    decidable: Option<(Requirement, Vec<usize>)>,
}

impl<'a> PromisedToPeople<'a> {
    pub(in crate::attack::insider) fn new(
        published: &Published,
        people: &'a PublishedPeople,
        promises: &[Promise],
        knows: Knows,
    ) -> Result<PromisedToPeople<'a>, Error> {
        if promises.is_empty() {
            return Err(Error::NothingPromised);
        }
        let everyone = M((published.providers().len() as u64).saturating_sub(1));
        let insiders = Insiders::victim(everyone.max(M(1))).knowing(knows);
        let bind = |promises: &[Promise]| -> Result<Requirement, Error> {
            let (sensitive, kinds) = (published.sensitive(), people.kinds());
            let bound = Requirement::bind_people(promises, sensitive, kinds, people.rows())?;
            Ok(bound.against(insiders))
        };
        let (mut some, mut places) = (Vec::new(), Vec::new());
        for (place, promise) in promises.iter().enumerate() {
            if insiders.check_promises(&[*promise]).is_ok() {
                some.push(*promise);
                places.push(place);
            }
        }
        let decidable = if some.len() == promises.len() {
            None
        } else {
            Some((bind(&some)?, places))
        };
        Ok(PromisedToPeople {
            people,
            knows,
            promises: promises.to_vec(),
            requirement: bind(promises)?,
            decidable,
        })
    }

    /// What it takes at most `up_to` providers to break a promise about a group.
    pub(in crate::attack::insider) fn fall(
        &self,
        number: usize,
        group: &GroupPeople,
        up_to: u64,
    ) -> Fall {
        let kinds = self.people.kinds_of(number);
        let everybody = kinds.map(|kind| (kind, self.people.kinds().get(kind).people));
        let Some((decidable, places)) = &self.decidable else {
            let tally = self.requirement.tally_kinds(everybody);
            let (found, open_from) = weigh(&self.requirement, &tally, up_to, group);
            return Fall {
                breached: found.map(|(place, breach)| breached(place, &breach, group)),
                open_from,
            };
        };
        let tally = self.requirement.tally_kinds(everybody.clone());
        let (outsider, open_from) = weigh(&self.requirement, &tally, 0, group);
        if outsider.is_some() || open_from.is_some() {
            return Fall {
                breached: outsider.map(|(place, breach)| breached(place, &breach, group)),
                open_from,
            };
        }
        let tally = decidable.tally_kinds(everybody);
        let (found, _) = weigh(decidable, &tally, up_to, group);
        let found = found.map(|(place, breach)| breached(places[place], &breach, group));
        let mut fall = Fall {
            breached: found,
            open_from: None,
        };
        // what the others do against insiders nobody knows
        let insiders = up_to > 0 && group.providers.len() > 1;
        if insiders && fall.size() != Some(1) {
            fall.open_from = Some(1);
        }
        fall
    }

    /// The first promise of the policy that fails for these people as they are.
    pub(in crate::attack::insider) fn failing(
        &self,
        kinds: impl Iterator<Item = (usize, u64)>,
    ) -> Option<usize> {
        let tally = self.requirement.tally_kinds(kinds);
        let fails = |&at: &usize| self.requirement.check(at, &tally) == Check::Fails;
        (0..self.promises.len()).find(fails)
    }

    /// Whether whoever knows more people than a coalition that breaks this promise, but not
    /// everybody, breaks it as well: nobody in particular is the victim.
    pub(in crate::attack::insider) fn has_no_victim(&self, promise: usize) -> bool {
        let rule = self.promises[promise].rule;
        rule.as_distinct_diversity().is_none() && rule.as_max_share_of_rows().is_none()
    }

    pub(in crate::attack::insider) fn promises(&self) -> &[Promise] {
        &self.promises
    }
}

fn breached(constraint: usize, breach: &Breach, group: &GroupPeople) -> Breached {
    let members = breach.coalition.iter();
    Breached {
        constraint,
        coalition: members.map(|&place| group.providers[place]).collect(),
        left: breach.left,
        people_left: breach.people_left,
    }
}

/// A promise by its place, and what breaks it.
type FoundBreach = (usize, Breach);

/// The smallest breaching coalition found, and from which size on it is open whether there is a
/// smaller one.
fn weigh(
    requirement: &Requirement,
    tally: &Tally,
    up_to: u64,
    group: &GroupPeople,
) -> (Option<FoundBreach>, Option<u64>) {
    let (decision, proven_smallest) = requirement.smallest_breach(tally, M(up_to));
    let mut found = match decision {
        Decision::Breach(place, breach) => Some((place, breach)),
        _ => None,
    };
    if proven_smallest {
        return (found, None);
    }
    let most = up_to.min((group.providers.len() as u64).saturating_sub(1));
    // all sizes below `low` are withstood; the size `open` is not decided, or none that was asked is
    let (mut low, mut open) = (0, most + 1);
    let mut high = match &found {
        Some((_, breach)) => breach.coalition.len() as u64,
        None => most + 1,
    };
    while low < high.min(open) {
        let middle = low + (high.min(open) - low) / 2;
        match requirement.smallest_breach(tally, M(middle)) {
            (Decision::Holds, _) => low = middle + 1,
            (Decision::Undecided(_), _) => open = middle,
            (Decision::Breach(place, breach), _) => {
                high = breach.coalition.len() as u64;
                found = Some((place, breach));
            }
        }
    }
    (found, (open < high).then_some(open))
}
