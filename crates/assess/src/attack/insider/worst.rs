//! The worst coalitions: which providers, together, expose most people and break most groups.
//!
//! A coalition is played as it would act: in every group it takes out all of its rows and looks at
//! what is left. It exposes the records left if there is only one, or if all have the same
//! sensitive value; it breaks a group if a promise fails for the rows left, or if it contains the
//! group's smallest breaching coalition. Listed are coalitions in which every member matters:
//! without it, less would be achieved.
//!
//! Only groups that some coalition of that size can attack at all are looked at, and only
//! coalitions of their contributors; in a release that withstands m insiders there is little to do
//! up to m. There are C(n, c) coalitions of c among n providers: all of them are played while that
//! costs at most [`VISITS`] visits of entries. Beyond, only coalitions put together from the
//! groups' own smallest ones are, those that serve most groups first, and the figures are lower
//! bounds: [`Worst::exact`] says which. They are lower bounds of the groups, too, where a promise
//! is not group-monotone, since leaving some rows in may break more.

use super::chosen::disclosed;
use super::disclosure::{Held, isolating_coalition};
use super::fall::Promised;
use super::{GroupAttack, InsiderOptions, contributors};
use mingle_model::{Entry, ProviderId};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How many entries of groups are visited before the search stops being exhaustive.
pub const VISITS: f64 = 2e7;

/// The worst coalitions of one size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worst {
    /// The number of members.
    pub size: u64,
    /// Whether there is no worse one.
    pub exact: bool,
    /// Most records exposed first, then most groups broken, then by name.
    pub coalitions: Vec<CoalitionGain>,
}

/// What a coalition achieves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoalitionGain {
    /// Its members, in order of their names.
    pub members: Vec<ProviderId>,
    /// How many groups it breaks.
    pub groups: u64,
    /// How many records of others it exposes to identity or attribute disclosure.
    pub exposed: u64,
}

impl CoalitionGain {
    fn rank(&self) -> (Reverse<u64>, Reverse<u64>, &[ProviderId]) {
        (Reverse(self.exposed), Reverse(self.groups), &self.members)
    }
}

/// Groups that can be played: of rows, or of people who may have several.
pub(super) trait PlayedGroups: Sync {
    /// What is known about each group.
    fn groups(&self) -> &[GroupAttack];

    /// Who may take something out of a group, ascending.
    fn providers_of(&self, group: usize) -> Vec<ProviderId>;

    /// How many entries a coalition looks at in a group.
    fn entries_of(&self, group: usize) -> usize;

    /// Whether a coalition, ascending, breaks a group (1 or 0), and how many it exposes there.
    fn attack(&self, group: usize, members: &[ProviderId]) -> (u64, u64);

    /// Some of the smallest coalitions that achieve something in a group.
    fn smallest_coalitions(&self, group: usize) -> Vec<Vec<ProviderId>>;

    /// Whether no coalition breaks more groups than its attack says.
    fn is_exact(&self) -> bool;
}

/// The worst coalitions of each size from 1 up to [`InsiderOptions::name_up_to`].
pub(super) fn coalitions(played: &dyn PlayedGroups, options: InsiderOptions) -> Vec<Worst> {
    (1..=options.name_up_to)
        .map(|size| of_size(played, size, options.named))
        .collect()
}

fn of_size(played: &dyn PlayedGroups, size: u64, named: usize) -> Worst {
    let board = Board::new(played, size);
    let exhaustive = board.visits(size) <= VISITS;
    let coalitions = if exhaustive {
        board.all(size as usize, named)
    } else {
        board.likely(size as usize, named)
    };
    Worst {
        size,
        exact: exhaustive && played.is_exact(),
        coalitions,
    }
}

/// Groups of rows.
pub(super) struct RowGroups<'a> {
    pub(super) promised: &'a Promised<'a>,
    pub(super) groups: &'a [GroupAttack],
}

impl PlayedGroups for RowGroups<'_> {
    fn groups(&self) -> &[GroupAttack] {
        self.groups
    }

    fn providers_of(&self, group: usize) -> Vec<ProviderId> {
        contributors(self.promised.published, group)
    }

    fn entries_of(&self, group: usize) -> usize {
        self.promised.published.entries(group).len()
    }

    fn attack(&self, group: usize, members: &[ProviderId]) -> (u64, u64) {
        let entries = self.promised.published.entries(group);
        let left = entries
            .iter()
            .filter(|entry| members.binary_search(&entry.provider).is_err());
        match left.clone().map(|entry| entry.count).sum() {
            0 => (0, 0),
            1 => (self.falls(group, members, left).into(), 1),
            _ => (
                self.falls(group, members, left.clone()).into(),
                disclosed(self.promised.published, left),
            ),
        }
    }

    fn smallest_coalitions(&self, group: usize) -> Vec<Vec<ProviderId>> {
        let published = self.promised.published;
        let breached = self.groups[group].fall.breached.as_ref();
        let fall = breached.map(|breached| breached.coalition.clone());
        let mut found: Vec<Vec<ProviderId>> = fall.into_iter().collect();
        found.extend(isolating_coalition(published, group));
        for column in 0..published.sensitive().len() {
            let telling = Held::new(published, group, column).smallest_coalition();
            found.extend(telling.map(|(members, _)| members));
        }
        found
    }

    fn is_exact(&self) -> bool {
        self.promised.requirement.group_monotone()
    }
}

impl RowGroups<'_> {
    fn falls<'e>(
        &self,
        group: usize,
        members: &[ProviderId],
        left: impl Iterator<Item = &'e Entry> + Clone,
    ) -> bool {
        let fall = &self.groups[group].fall;
        let contains =
            |smaller: &[ProviderId]| smaller.iter().all(|p| members.binary_search(p).is_ok());
        match &fall.breached {
            Some(breached) if contains(&breached.coalition) => true,
            None if fall.open_from.is_none() => false,
            _ => self.promised.fails(left),
        }
    }
}

/// The groups that coalitions of one size can attack.
struct Board<'a> {
    played: &'a dyn PlayedGroups,
    open: Vec<usize>,
    /// Who may take something out of open groups, and out of which.
    reach: BTreeMap<ProviderId, Vec<usize>>,
    /// By open group, how many may.
    providers: Vec<usize>,
    /// What the outsider achieves, by open group and in all.
    outsider: Vec<(u64, u64)>,
    all_outsider: (u64, u64),
}

impl<'a> Board<'a> {
    fn new(played: &'a dyn PlayedGroups, size: u64) -> Board<'a> {
        let groups = played.groups();
        let attackable = |g: &usize| {
            groups[*g]
                .smallest()
                .is_some_and(|smallest| smallest <= size)
        };
        let open: Vec<usize> = (0..groups.len()).filter(attackable).collect();
        let mut reach: BTreeMap<ProviderId, Vec<usize>> = BTreeMap::new();
        let mut providers = Vec::with_capacity(open.len());
        for (at, &group) in open.iter().enumerate() {
            let own = played.providers_of(group);
            providers.push(own.len());
            for provider in own {
                reach.entry(provider).or_default().push(at);
            }
        }
        let mut board = Board {
            played,
            open,
            reach,
            providers,
            outsider: Vec::new(),
            all_outsider: (0, 0),
        };
        board.outsider = (0..board.open.len())
            .map(|at| board.attack(at, &[]))
            .collect();
        board.all_outsider = board
            .outsider
            .iter()
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        board
    }

    /// How many entries playing all coalitions of a size would visit: each group once for every
    /// coalition that has a member among its contributors.
    fn visits(&self, size: u64) -> f64 {
        let n = self.reach.len() as f64;
        let coalitions = choose(n, size);
        let mut visits = coalitions;
        for (&group, &providers) in self.open.iter().zip(&self.providers) {
            let others = choose(n - providers as f64, size);
            visits += self.played.entries_of(group) as f64 * (coalitions - others);
        }
        visits
    }

    fn all(&self, size: usize, named: usize) -> Vec<CoalitionGain> {
        let providers: Vec<ProviderId> = self.reach.keys().copied().collect();
        let with_first = |first: usize| {
            let mut best = Best::new(named);
            let mut members = vec![providers[first]];
            self.extend(&providers[first + 1..], size, &mut members, &mut best);
            best
        };
        let all = (0..providers.len()).into_par_iter().map(with_first);
        all.reduce(|| Best::new(named), Best::merge).coalitions
    }

    /// All coalitions of these members and some of the others.
    fn extend(
        &self,
        others: &[ProviderId],
        size: usize,
        members: &mut Vec<ProviderId>,
        best: &mut Best,
    ) {
        if members.len() == size {
            return best.offer(self, self.play(members));
        }
        for (at, &next) in others.iter().enumerate() {
            members.push(next);
            self.extend(&others[at + 1..], size, members, best);
            members.pop();
        }
    }

    /// Coalitions put together from the smallest ones of the groups.
    fn likely(&self, size: usize, named: usize) -> Vec<CoalitionGain> {
        let entries: usize = self
            .open
            .iter()
            .map(|&group| self.played.entries_of(group))
            .sum();
        let affordable = ((VISITS / entries.max(1) as f64) as usize).clamp(named, 200);
        let smallest = self.smallest(size);
        let filled = |seed: &Vec<ProviderId>| {
            let mut members = seed.clone();
            for other in smallest.iter().take(1000) {
                let missing = other.iter().filter(|p| !members.contains(p)).count();
                if members.len() + missing <= size {
                    members.extend(other);
                    members.sort_unstable();
                    members.dedup();
                }
            }
            members
        };
        let mut candidates: Vec<Vec<ProviderId>> =
            smallest.iter().take(affordable).map(filled).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut best = Best::new(named);
        let full = candidates.iter().filter(|members| members.len() == size);
        full.for_each(|members| best.offer(self, self.play(members)));
        best.coalitions
    }

    /// The smallest coalitions of the open groups, those of most groups first.
    fn smallest(&self, size: usize) -> Vec<Vec<ProviderId>> {
        let mut counts: BTreeMap<Vec<ProviderId>, u64> = BTreeMap::new();
        for &group in &self.open {
            for members in self.played.smallest_coalitions(group) {
                if (1..=size).contains(&members.len()) {
                    *counts.entry(members).or_default() += 1;
                }
            }
        }
        let mut ranked: Vec<(Vec<ProviderId>, u64)> = counts.into_iter().collect();
        ranked.sort_by_key(|&(_, groups)| Reverse(groups));
        ranked.into_iter().map(|(members, _)| members).collect()
    }

    /// What a coalition achieves in all groups.
    fn play(&self, members: &[ProviderId]) -> CoalitionGain {
        let mut touched: Vec<usize> = members
            .iter()
            .filter_map(|p| self.reach.get(p))
            .flatten()
            .copied()
            .collect();
        touched.sort_unstable();
        touched.dedup();
        let (mut groups, mut exposed) = self.all_outsider;
        for at in touched {
            let (falls, records) = self.attack(at, members);
            groups = groups + falls - self.outsider[at].0;
            exposed = exposed + records - self.outsider[at].1;
        }
        CoalitionGain {
            members: members.to_vec(),
            groups,
            exposed,
        }
    }

    /// Whether a coalition breaks an open group (1 or 0), and how many it exposes there.
    fn attack(&self, at: usize, members: &[ProviderId]) -> (u64, u64) {
        self.played.attack(self.open[at], members)
    }

    /// Whether it would achieve less without any one of its members.
    fn everybody_matters(&self, coalition: &CoalitionGain) -> bool {
        (0..coalition.members.len()).all(|member| {
            let mut fewer = coalition.members.clone();
            fewer.remove(member);
            let fewer = self.play(&fewer);
            fewer.exposed < coalition.exposed || fewer.groups < coalition.groups
        })
    }
}

/// The best few.
struct Best {
    room: usize,
    coalitions: Vec<CoalitionGain>,
}

impl Best {
    fn new(room: usize) -> Best {
        Best {
            room,
            coalitions: Vec::new(),
        }
    }

    fn offer(&mut self, board: &Board<'_>, coalition: CoalitionGain) {
        let place = self
            .coalitions
            .partition_point(|other| other.rank() < coalition.rank());
        if place < self.room && board.everybody_matters(&coalition) {
            self.coalitions.insert(place, coalition);
            self.coalitions.truncate(self.room);
        }
    }

    fn merge(mut self, other: Best) -> Best {
        self.coalitions.extend(other.coalitions);
        self.coalitions.sort_by(|a, b| a.rank().cmp(&b.rank()));
        self.coalitions.truncate(self.room);
        self
    }
}

/// How many sets of `size` among `n`; large ones rounded.
fn choose(n: f64, size: u64) -> f64 {
    (0..size)
        .map(|i| ((n - i as f64) / (size - i) as f64).max(0.0))
        .product()
}
