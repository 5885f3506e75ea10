//! Falls: how many providers it takes to break a promise about a group.
//!
//! A larger coalition reaches everything a smaller one does, so one number per group, the size of
//! its smallest breaching coalition, tells for all sizes whether the group falls. Where the search
//! for it is cut short, bisection finds from which size on the question is open.

use mingle_model::{Entry, ProviderId, Published};
use mingle_privacy::{
    Attack, Attribute, Check, Constraint, Error, GroupCounts, Promise, Requirement, Shares,
};
use mingle_privacy::{Breach, M, smallest_coalition};

/// What it takes to break a promise about a group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fall {
    /// The smallest coalition found.
    pub breached: Option<Breached>,
    /// From this size on, and below that of the coalition found, it is not known whether the group
    /// falls.
    pub open_from: Option<u64>,
}

/// A promise that a coalition breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breached {
    /// The promise's place in the policy.
    pub constraint: usize,
    /// The members, in order of their names; nobody for the outsider.
    pub coalition: Vec<ProviderId>,
    /// How many records are left when it has taken out those of its own that stand in its way.
    pub left: u64,
    /// How many people are left, where they may have several rows.
    pub people_left: Option<u64>,
}

impl Fall {
    /// The size of the smallest coalition found.
    pub fn size(&self) -> Option<u64> {
        self.breached
            .as_ref()
            .map(|breached| breached.coalition.len() as u64)
    }

    /// Whether it is not known if coalitions of at most this size break a promise.
    pub fn undecided_at(&self, size: u64) -> bool {
        self.open_from.is_some_and(|open| open <= size)
            && self.size().is_none_or(|found| size < found)
    }
}

/// The promises about a published table.
pub(super) struct Promised<'a> {
    pub(super) published: &'a Published,
    pub(super) requirement: Requirement,
}

impl<'a> Promised<'a> {
    pub(super) fn new(published: &'a Published, promises: &[Promise]) -> Result<Self, Error> {
        if promises.is_empty() {
            return Err(Error::NothingPromised);
        }
        // without sensitive columns there is one combination, the empty one
        let mut table = vec![
            0u64;
            published
                .sensitive()
                .first()
                .map_or(1, |column| column.codes.len())
        ];
        for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
            let count = &mut table[entry.sensitive as usize];
            *count = count.checked_add(entry.count).ok_or(Error::TooManyRows)?;
        }
        Ok(Promised {
            published,
            requirement: Requirement::bind(promises, published.sensitive(), &table)?,
        })
    }

    /// What it takes at most `up_to` providers to break a promise about a group.
    pub(super) fn fall(&self, group: usize, up_to: u64) -> Fall {
        let mut fall = Fall::default();
        let mut seen: Option<(Option<Attribute>, Shares)> = None;
        for (place, constraint) in self.requirement.constraints().enumerate() {
            let Some(most) = fall.size().map_or(Some(up_to), |size| size.checked_sub(1)) else {
                break;
            };
            let attribute = constraint.attribute();
            let shares = match seen.take() {
                Some((of, shares)) if of == attribute => shares,
                _ => self.shares(group, attribute),
            };
            let (found, open_from) = weigh(constraint, &shares, most);
            let named = |breach: Breach| Breached {
                constraint: place,
                coalition: breach
                    .coalition
                    .iter()
                    .map(|&member| shares.provider(member))
                    .collect(),
                left: breach.left,
                people_left: None,
            };
            fall.breached = found.map(named).or(fall.breached);
            fall.open_from = fall.open_from.into_iter().chain(open_from).min();
            seen = Some((attribute, shares));
        }
        // what was open for one constraint may be known from another
        fall.open_from = fall.open_from.filter(|&open| fall.undecided_at(open));
        fall
    }

    fn shares(&self, group: usize, attribute: Option<Attribute>) -> Shares {
        let entries = self.published.entries(group).iter();
        Shares::new(entries.map(|entry| {
            (
                entry.provider,
                attribute.map(|a| self.code(a, entry)),
                entry.count,
            )
        }))
    }

    fn code(&self, attribute: Attribute, entry: &Entry) -> u32 {
        match attribute {
            Attribute::Column(column) => self.published.sensitive()[column]
                .codes
                .get(entry.sensitive as usize),
            Attribute::Joint => entry.sensitive,
        }
    }

    /// Whether some promise fails for these rows as they are.
    pub(super) fn fails<'e>(&self, rows: impl Iterator<Item = &'e Entry> + Clone) -> bool {
        self.failing(rows).is_some()
    }

    /// The first promise of the policy that fails for these rows as they are.
    pub(super) fn failing<'e>(
        &self,
        rows: impl Iterator<Item = &'e Entry> + Clone,
    ) -> Option<usize> {
        let size = rows.clone().map(|entry| entry.count).sum();
        let check = |constraint: &dyn Constraint| {
            let Some(attribute) = constraint.attribute() else {
                return constraint.check(GroupCounts { size, values: &[] });
            };
            let mut values: Vec<(u32, u64)> = rows
                .clone()
                .map(|e| (self.code(attribute, e), e.count))
                .collect();
            values.sort_unstable_by_key(|&(code, _)| code);
            values.dedup_by(|later, first| {
                let same = later.0 == first.0;
                first.1 += if same { later.1 } else { 0 };
                same
            });
            constraint.check(GroupCounts {
                size,
                values: &values,
            })
        };
        self.requirement
            .constraints()
            .position(|constraint| check(constraint) == Check::Fails)
    }
}

/// The smallest breaching coalition found, and from which size on it is open whether there is a
/// smaller one.
fn weigh(constraint: &dyn Constraint, shares: &Shares, most: u64) -> (Option<Breach>, Option<u64>) {
    let (attack, sure) = smallest_coalition(constraint, shares, M(most));
    let mut found = match attack {
        Attack::Breach(breach) => Some(breach),
        _ => None,
    };
    if sure {
        return (found, None);
    }
    let most = most.min(shares.providers() as u64 - 1);
    // all sizes below `low` are withstood; the size `open` is not decided, or none that was asked
    // is
    let (mut low, mut open) = (0, most + 1);
    let mut high = found
        .as_ref()
        .map_or(most + 1, |breach| breach.coalition.len() as u64);
    while low < high.min(open) {
        let middle = low + (high.min(open) - low) / 2;
        match constraint.breach(shares, middle as usize) {
            Attack::Withstood => low = middle + 1,
            Attack::Undecided(_) => open = middle,
            Attack::Breach(breach) => {
                high = breach.coalition.len() as u64;
                found = Some(breach);
            }
        }
    }
    (found, (open < high).then_some(open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_privacy::catalogue::ConstraintKind;
    use mingle_privacy::{Limit, toy};

    /// Breaks from `breaks` members on; searches from `open` on, below `closed`, are cut short.
    #[derive(Debug)]
    struct Hard {
        breaks: usize,
        open: usize,
        closed: usize,
    }

    impl Constraint for Hard {
        fn kind(&self) -> &'static dyn ConstraintKind {
            &toy::ToyKind
        }

        fn attribute(&self) -> Option<Attribute> {
            None
        }

        fn check(&self, _: GroupCounts<'_>) -> Check {
            Check::Holds
        }

        fn breach(&self, _: &Shares, most: usize) -> Attack {
            match most {
                _ if (self.open..self.closed).contains(&most) => {
                    Attack::Undecided(Limit::SearchSteps(0))
                }
                _ if most < self.breaks => Attack::Withstood,
                _ => Attack::Breach(Breach {
                    coalition: (0..self.breaks).collect(),
                    left: 1,
                    people_left: None,
                }),
            }
        }

        fn fitness(&self, _: GroupCounts<'_>) -> f64 {
            1.0
        }
    }

    #[test]
    fn what_stays_open_is_found() {
        let shares = Shares::new((0..9).map(|provider| (ProviderId(provider), None, 1)));
        for (breaks, open, closed) in
            (0..11).flat_map(|b| (0..10).flat_map(move |o| (o..11).map(move |c| (b, o, c))))
        {
            let hard = Hard {
                breaks,
                open,
                closed,
            };
            let (found, from) = weigh(&hard, &shares, 20);
            let found = found.map(|breach| breach.coalition.len() as u64);
            let fall = Fall {
                breached: found.map(|n| Breached {
                    constraint: 0,
                    coalition: vec![ProviderId(0); n as usize],
                    left: 1,
                    people_left: None,
                }),
                open_from: from,
            };
            for size in 0..9 {
                // never says more than is known, and knows what one question tells
                let falls = fall.size().is_some_and(|found| found <= size);
                assert!(!falls || breaks as u64 <= size, "{hard:?}: {size}");
                let asked = hard.breach(&shares, size as usize);
                let decided = !falls && !fall.undecided_at(size);
                assert!(
                    !decided || asked == Attack::Withstood || breaks as u64 > size,
                    "{hard:?}: {size}"
                );
                let open_now = matches!(asked, Attack::Undecided(_));
                assert!(
                    open_now || falls == (breaks as u64 <= size) || fall.undecided_at(size),
                    "{hard:?}: {size}"
                );
            }
        }
    }
}
