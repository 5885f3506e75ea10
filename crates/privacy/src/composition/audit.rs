//! What a table that is to be published would say together with releases that are out already.
//!
//! Three readers are played, and limits must hold against each: one who takes all groups that fit,
//! one who takes the most specific, and one who knows each person's group in our release and takes,
//! of the other releases, only groups that hold the person's value. The last one cannot be misled
//! by a release that the person is not in. Of somebody with several values it takes each in turn to
//! be the one that all releases publish, and the one counts of which least is left. Cost: three
//! look-ups per distinct tuple, or profile, and release, on all cores.

use super::error::Error;
use super::known::{Location, Reader};
use super::limits::CompositionLimits;
use super::overlay::{Choice, Found, Overlay, Scratch};
use mingle_model::Published;
use std::cmp::Reverse;
use std::num::NonZero;
use std::ops::{AddAssign, Range};

/// What one reader finds out about everybody in the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exposure {
    /// People of our table who would be published.
    pub targets: u64,
    /// Those whom no group of the other releases fits.
    pub alone: u64,
    /// Those about whom the releases contradict one another.
    pub apart: u64,
    /// Those of whom a single value is left: perfect breaches.
    pub perfect: u64,
    /// Of these, those of whom the other releases by themselves leave a single value.
    pub perfect_already: u64,
    /// Those of whom fewer values than [`CompositionLimits::min_posterior`] are left, perfect
    /// breaches included.
    pub below: u64,
    /// Of these, those of whom the other releases by themselves leave as few.
    pub below_already: u64,
    /// How many values are left, added up over all who are neither alone nor apart.
    pub posteriors: u64,
    /// The smallest number of values in any release, added up over the same.
    pub priors: u64,
    /// Those with fewer values left than in any of the releases.
    pub vulnerable: u64,
    /// The fewest values left of anybody who is neither alone nor apart.
    pub least: Option<u32>,
}

/// What each reader finds, and whether the limits hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit {
    /// Takes all groups that fit.
    pub union: Exposure,
    /// Takes the most specific groups.
    pub most_specific: Exposure,
    /// Knows everybody's group in our release, and takes of the others the most specific that hold
    /// the person's value.
    pub told: Exposure,
    /// Whether the limits hold against all of them.
    pub holds: bool,
}

impl Audit {
    /// The readers with their names.
    pub fn readers(&self) -> [(&'static str, &Exposure); 3] {
        [
            ("union", &self.union),
            ("most-specific", &self.most_specific),
            ("told", &self.told),
        ]
    }

    /// The reader against whom most is lost.
    pub fn worst(&self) -> (&'static str, &Exposure) {
        let [first, rest @ ..] = self.readers();
        let badness = |e: &Exposure| (e.perfect, e.below);
        rest.into_iter().fold(first, |worst, next| {
            if badness(next.1) > badness(worst.1) {
                next
            } else {
                worst
            }
        })
    }
}

/// Lays `own`, made from the overlay's people, over them next to the other releases, and plays the
/// readers. `location` is how people are found in it.
pub fn audit(
    others: &mut Overlay<'_>,
    own: &Published,
    location: Location,
    limits: &CompositionLimits,
) -> Result<Audit, Error> {
    if own.group_of().len() != others.people().records().len() {
        return Err(Error::NotOurs);
    }
    let alone = |choice| {
        each_unit(others, |overlay, unit, scratch| {
            overlay.person(unit, choice, scratch).posterior
        })
    };
    let (alone_union, alone_specific) = (alone(Choice::Union), alone(Choice::MostSpecific));
    let alone_holding = each_value(others);
    others.add(
        &Reader {
            location,
            ..Reader::new("the table")
        },
        own,
    )?;
    let union = of_units(others, own, limits, Choice::Union, &alone_union);
    let most_specific = of_units(others, own, limits, Choice::MostSpecific, &alone_specific);
    let told = of_members(others, own, limits, &alone_holding);
    others.remove_last();
    let holds = [&union, &most_specific, &told]
        .iter()
        .all(|e| limits.hold(e));
    Ok(Audit {
        union,
        most_specific,
        told,
        holds,
    })
}

/// A reader to whom all people of a unit are alike.
fn of_units(
    overlay: &Overlay<'_>,
    own: &Published,
    limits: &CompositionLimits,
    choice: Choice<'_>,
    already: &[u32],
) -> Exposure {
    let crowd = overlay.crowd();
    added_up(overlay, |unit, scratch, sum| {
        let published = |member: &usize| crowd.group_of(*member, own).is_some();
        let members = crowd.members_of(unit).filter(published);
        let people = members.map(|member| crowd.people_of(member)).sum();
        if people > 0 {
            let found = overlay.person(unit, choice, scratch);
            sum.add(&found, people, already[unit], limits);
        }
    })
}

/// The reader who knows everybody's group in our release and, in the others, takes only groups that
/// hold the person's value: what is left always has it, and no release that lacks it can hide
/// somebody. Of several values the one counts of which least is left, and among equals the one of
/// which more was left before.
fn of_members(
    overlay: &Overlay<'_>,
    own: &Published,
    limits: &CompositionLimits,
    already: &[Vec<u32>],
) -> Exposure {
    let (crowd, values) = (overlay.crowd(), own_values(overlay));
    added_up(overlay, |unit, scratch, sum| {
        let mut told = vec![None; overlay.len()];
        for member in crowd.members_of(unit) {
            let Some(group) = crowd.group_of(member, own) else {
                continue;
            };
            told[overlay.len() - 1] = Some(group);
            let mut worst: Option<(Found, u32)> = None;
            let of_member = values_of(overlay, member, &values);
            for (value, &already) in of_member.into_iter().zip(&already[member]) {
                let choice = Choice::Informed {
                    groups: &told,
                    value,
                };
                let found = overlay.person(unit, choice, scratch);
                let badness = |found: &Found, already: u32| {
                    let clear = !found.is_composed() || found.is_apart();
                    (clear, found.posterior, Reverse(already))
                };
                let is_worse = |(worst, before): &(Found, u32)| {
                    badness(&found, already) < badness(worst, *before)
                };
                if worst.as_ref().is_none_or(is_worse) {
                    worst = Some((found, already));
                }
            }
            if let Some((found, already)) = worst {
                sum.add(&found, crowd.people_of(member), already, limits);
            }
        }
    })
}

/// The numbers of a member's values of the attribute, each once; `None` is one that no release has.
fn values_of(overlay: &Overlay<'_>, member: usize, values: &[Option<u32>]) -> Vec<Option<u32>> {
    let combinations = overlay.crowd().combinations_of(member);
    let mut of_member = Vec::new();
    for combination in combinations {
        of_member.push(values.get(combination as usize).copied().flatten());
    }
    of_member.sort_unstable();
    of_member.dedup();
    of_member
}

/// Per combination of sensitive values the number of the attribute's value.
fn own_values(overlay: &Overlay<'_>) -> Vec<Option<u32>> {
    let column = overlay
        .people()
        .sensitive()
        .iter()
        .find(|s| s.name == overlay.attribute());
    let numbers = overlay.own_values();
    column.map_or(Vec::new(), |column| {
        column
            .codes
            .iter()
            .map(|code| numbers[code as usize])
            .collect()
    })
}

/// How many values the other releases leave of each member, by the groups that hold a value of
/// theirs, for each of these in turn.
fn each_value(overlay: &Overlay<'_>) -> Vec<Vec<u32>> {
    let (crowd, values) = (overlay.crowd(), own_values(overlay));
    let of_unit = |overlay: &Overlay<'_>, unit: usize, scratch: &mut Scratch| {
        let mut of_members = Vec::new();
        for member in crowd.members_of(unit) {
            let mut left = Vec::new();
            for value in values_of(overlay, member, &values) {
                let found = overlay.person(unit, Choice::Holding(value), scratch);
                left.push(found.posterior);
            }
            of_members.push(left);
        }
        of_members
    };
    each_unit(overlay, of_unit).into_iter().flatten().collect()
}

fn added_up(
    overlay: &Overlay<'_>,
    of: impl Fn(usize, &mut Scratch, &mut Exposure) + Sync,
) -> Exposure {
    let parts = in_parallel(overlay.crowd().units(), |units| {
        let (mut sum, mut scratch) = (Exposure::default(), Scratch::default());
        units.for_each(|unit| of(unit, &mut scratch, &mut sum));
        sum
    });
    parts
        .into_iter()
        .fold(Exposure::default(), |mut sum, part| {
            sum += part;
            sum
        })
}

impl Exposure {
    /// So many people of whom this was found, and of whom the other releases leave `already`
    /// values.
    pub(super) fn add(
        &mut self,
        found: &Found,
        people: u64,
        already: u32,
        limits: &CompositionLimits,
    ) {
        self.targets += people;
        if !found.is_composed() {
            self.alone += people;
            return;
        }
        if found.is_apart() {
            self.apart += people;
            return;
        }
        if found.is_perfect() {
            self.perfect += people;
            self.perfect_already += if already == 1 { people } else { 0 };
        }
        if limits
            .min_posterior
            .is_some_and(|min| u64::from(found.posterior) < min)
        {
            self.below += people;
            self.below_already += if already <= found.posterior {
                people
            } else {
                0
            };
        }
        self.vulnerable += if found.posterior < found.prior {
            people
        } else {
            0
        };
        self.posteriors += u64::from(found.posterior) * people;
        self.priors += u64::from(found.prior) * people;
        self.least = Some(
            self.least
                .map_or(found.posterior, |least| least.min(found.posterior)),
        );
    }
}

impl AddAssign for Exposure {
    fn add_assign(&mut self, other: Exposure) {
        self.targets += other.targets;
        self.alone += other.alone;
        self.apart += other.apart;
        self.perfect += other.perfect;
        self.perfect_already += other.perfect_already;
        self.below += other.below;
        self.below_already += other.below_already;
        self.posteriors += other.posteriors;
        self.priors += other.priors;
        self.vulnerable += other.vulnerable;
        self.least = self.least.into_iter().chain(other.least).min();
    }
}

/// Something about every unit.
fn each_unit<R: Send>(
    overlay: &Overlay<'_>,
    of: impl Fn(&Overlay<'_>, usize, &mut Scratch) -> R + Sync,
) -> Vec<R> {
    let parts = in_parallel(overlay.crowd().units(), |units| {
        let mut scratch = Scratch::default();
        units
            .map(|unit| of(overlay, unit, &mut scratch))
            .collect::<Vec<R>>()
    });
    parts.into_iter().flatten().collect()
}

/// Divides `0..n` among the cores; the parts come back in order.
fn in_parallel<R: Send>(n: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism()
        .map_or(1, NonZero::get)
        .clamp(1, n / 1024 + 1);
    let part = |at: usize| n * at / threads..n * (at + 1) / threads;
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (1..threads)
            .map(|at| scope.spawn(move || work(part(at))))
            .collect();
        let first = work(part(0));
        let joined = running
            .into_iter()
            .map(|thread| thread.join().expect("a reader does not panic"));
        std::iter::once(first).chain(joined).collect()
    })
}
