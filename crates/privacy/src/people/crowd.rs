//! The people of a group as one attribute sees them.
//!
//! Values and providers are called by their places among those of the group, in ascending order.
//! People who look the same to the attribute and are known to the same providers are one member of
//! the list.

use crate::breach::Breach;
use crate::constraint::Absent;
use crate::insiders::Knows;
use crate::shares::Shares;
use mingle_model::{Code, Entry, ProviderId};

/// People of a group.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    pub(crate) members: Vec<CrowdMember>,
    /// The codes of the attribute, by place; empty without one.
    pub(crate) codes: Vec<Code>,
    /// Which of them stand for a missing value.
    pub(crate) absent: Vec<bool>,
    pub(crate) providers: Vec<ProviderId>,
    pub(crate) knows: Knows,
    people: u64,
    rows: u64,
    shared: bool,
}

/// People who look the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct CrowdMember {
    /// Who knows them, by place, ascending.
    pub(crate) known_to: Vec<u32>,
    /// Values by place, missing ones included, with the rows of each person.
    pub(crate) values: Vec<(u32, u64)>,
    /// S_v: values by place without missing ones.
    pub(crate) named: Vec<u32>,
    /// Provider, value and rows of each person; only where insiders know rows.
    pub(crate) holdings: Vec<(u32, u32, u64)>,
    /// Rows of each person.
    pub(crate) rows: u64,
    /// How many people.
    pub(crate) people: u64,
}

/// How an attribute sees combinations of sensitive values; none where only people and rows count.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub codes: Option<(&'a [Code], &'a Absent)>,
    pub knows: Knows,
}

/// A kind of person and how many of them.
pub(crate) struct Counted<'a> {
    pub people: u64,
    pub entries: &'a [Entry],
    pub providers: &'a [ProviderId],
}

/// Who knows people: whoever has a row of theirs, wherever; where rows are known, those with rows here.
fn known_to(kind: &Counted<'_>, knows: Knows) -> impl Iterator<Item = ProviderId> {
    let (anywhere, here) = match knows {
        Knows::People => (kind.providers, &[][..]),
        Knows::Rows => (&[][..], kind.entries),
    };
    let here = here.iter().map(|entry: &Entry| entry.provider);
    anywhere.iter().copied().chain(here)
}

impl Crowd {
    pub(crate) fn new<'a>(
        kinds: impl Iterator<Item = Counted<'a>> + Clone,
        view: View<'_>,
    ) -> Crowd {
        let mut crowd = Crowd {
            knows: view.knows,
            ..Crowd::default()
        };
        let code = |entry: &Entry| view.codes.map(|(codes, _)| codes[entry.sensitive as usize]);
        for kind in kinds.clone() {
            crowd.codes.extend(kind.entries.iter().filter_map(code));
            crowd.providers.extend(known_to(&kind, view.knows));
        }
        crowd.codes.sort_unstable();
        crowd.codes.dedup();
        crowd.providers.sort_unstable();
        crowd.providers.dedup();
        if let Some((_, absent)) = view.codes {
            crowd.absent = crowd.codes.iter().map(|&code| absent.is(code)).collect();
        }
        for kind in kinds.filter(|kind| kind.people > 0) {
            let member = crowd.member(&kind, &code);
            crowd.people += member.people;
            crowd.rows += member.people * member.rows;
            crowd.shared |= member.known_to.len() > 1;
            crowd.members.push(member);
        }
        crowd.members.sort_unstable();
        crowd.members.dedup_by(|later, first| {
            let same = (&later.known_to, &later.values, &later.holdings, later.rows)
                == (&first.known_to, &first.values, &first.holdings, first.rows);
            first.people += if same { later.people } else { 0 };
            same
        });
        crowd
    }

    fn member(&self, kind: &Counted<'_>, code: &dyn Fn(&Entry) -> Option<Code>) -> CrowdMember {
        let place_of_code = |code: Code| self.codes.partition_point(|&other| other < code) as u32;
        let place = |p: ProviderId| self.providers.partition_point(|&other| other < p) as u32;
        // a search asks this of very many groups, and growing lists would be much of its time
        let mut member = CrowdMember {
            people: kind.people,
            known_to: Vec::with_capacity(kind.providers.len()),
            values: Vec::with_capacity(kind.entries.len()),
            ..CrowdMember::default()
        };
        member
            .known_to
            .extend(known_to(kind, self.knows).map(place));
        member.known_to.sort_unstable();
        member.known_to.dedup();
        for entry in kind.entries {
            let value = code(entry).map(place_of_code);
            member.rows += entry.count;
            member
                .values
                .extend(value.map(|value| (value, entry.count)));
            if self.knows == Knows::Rows {
                let holding = (place(entry.provider), value.unwrap_or(0), entry.count);
                member.holdings.push(holding);
            }
        }
        member.values.sort_unstable();
        member.values.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        member.holdings.sort_unstable();
        member.holdings.dedup_by(|later, first| {
            let same = (later.0, later.1) == (first.0, first.1);
            first.2 += if same { later.2 } else { 0 };
            same
        });
        member.named.reserve_exact(member.values.len());
        let named = member.values.iter().map(|&(value, _)| value);
        let is_there = |value: &u32| !self.absent[*value as usize];
        member.named.extend(named.filter(is_there));
        member
    }

    /// How many people.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// How many rows they have.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many providers know some of them.
    pub fn providers(&self) -> usize {
        self.providers.len()
    }

    /// Who stands at this place.
    pub fn provider(&self, place: usize) -> ProviderId {
        self.providers[place]
    }

    /// Whether somebody is known to several providers.
    pub fn shared(&self) -> bool {
        self.shared
    }

    /// How many values they have, missing ones included.
    pub(crate) fn values(&self) -> usize {
        self.codes.len()
    }

    /// Whether a coalition knows a member: any of her providers, or all of them, are in it.
    pub(crate) fn is_known(&self, member: &CrowdMember, inside: &[bool]) -> bool {
        let mut providers = member.known_to.iter().map(|&p| inside[p as usize]);
        match self.knows {
            Knows::People => providers.any(|inside| inside),
            Knows::Rows => providers.all(|inside| inside),
        }
    }

    /// The rows by provider, where insiders know rows.
    pub(crate) fn own_shares(&self) -> Shares {
        Shares::new(self.members.iter().flat_map(|member| {
            member.holdings.iter().map(|&(provider, value, rows)| {
                let code = self.codes.get(value as usize).copied();
                let provider = self.providers[provider as usize];
                (provider, code, rows * member.people)
            })
        }))
    }

    /// A coalition as a mark for each provider.
    pub(crate) fn inside(&self, coalition: &[usize]) -> Vec<bool> {
        let mut inside = vec![false; self.providers.len()];
        coalition.iter().for_each(|&place| inside[place] = true);
        inside
    }

    /// What a coalition leaves that takes out the people it knows of whom this is asked.
    pub(crate) fn breach(
        &self,
        mut coalition: Vec<usize>,
        leaves_out: impl Fn(usize) -> bool,
    ) -> Breach {
        coalition.sort_unstable();
        let inside = self.inside(&coalition);
        let (mut people, mut rows) = (0, 0);
        for (at, member) in self.members.iter().enumerate() {
            if !(self.is_known(member, &inside) && leaves_out(at)) {
                people += member.people;
                rows += member.people * member.rows;
            }
        }
        Breach {
            coalition,
            left: rows,
            people_left: Some(people),
        }
    }
}
