//! What a table that is to be published would say together with releases that are out already.
//!
//! Three readers are played, and limits must hold against each: one who takes all groups that fit,
//! one who takes the most specific, and one who knows each person's group in our release and takes,
//! of the other releases, only groups that hold the person's value. The last one cannot be misled
//! by a release that the person is not in. Cost: three look-ups per distinct tuple and release, on
//! all cores.

use super::error::Error;
use super::known::{Location, Reader};
use super::limits::CompositionLimits;
use super::overlay::{Choice, Found, Overlay, Scratch};
use mingle_model::{Partition, Published, Record};
use std::num::NonZero;
use std::ops::{AddAssign, Range};

/// What one reader finds out about everybody in the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exposure {
    /// Rows of our table that would be published.
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
        each_tuple(others, |overlay, tuple, scratch| {
            overlay.person(tuple, choice, scratch).posterior
        })
    };
    let (alone_union, alone_specific) = (alone(Choice::Union), alone(Choice::MostSpecific));
    let alone_holding = each_record(others);
    others.add(
        &Reader {
            location,
            ..Reader::new("the table")
        },
        own,
    )?;
    let union = of_tuples(others, own, limits, Choice::Union, &alone_union);
    let most_specific = of_tuples(others, own, limits, Choice::MostSpecific, &alone_specific);
    let told = of_records(others, own, limits, &alone_holding);
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

/// A reader to whom all people of a tuple are alike.
fn of_tuples(
    overlay: &Overlay<'_>,
    own: &Published,
    limits: &CompositionLimits,
    choice: Choice<'_>,
    already: &[u32],
) -> Exposure {
    added_up(overlay, |tuple, scratch, sum| {
        let published = |&record: &usize| own.group_of()[record] != Partition::SUPPRESSED;
        let records = overlay.people().records_of(tuple).filter(published);
        let people = records
            .map(|record| overlay.people().records()[record].count)
            .sum();
        if people > 0 {
            sum.add(
                &overlay.person(tuple, choice, scratch),
                people,
                already[tuple],
                limits,
            );
        }
    })
}

/// The reader who knows everybody's group in our release and, in the others, takes only groups that
/// hold the person's value: what is left always has it, and no release that lacks it can hide
/// somebody.
fn of_records(
    overlay: &Overlay<'_>,
    own: &Published,
    limits: &CompositionLimits,
    already: &[u32],
) -> Exposure {
    let values = own_values(overlay);
    added_up(overlay, |tuple, scratch, sum| {
        let mut told = vec![None; overlay.len()];
        for record in overlay.people().records_of(tuple) {
            let group = own.group_of()[record];
            if group == Partition::SUPPRESSED {
                continue;
            }
            told[overlay.len() - 1] = Some(group);
            let Record {
                sensitive, count, ..
            } = overlay.people().records()[record];
            let choice = Choice::Informed {
                groups: &told,
                value: values[sensitive as usize],
            };
            sum.add(
                &overlay.person(tuple, choice, scratch),
                count,
                already[record],
                limits,
            );
        }
    })
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

/// How many values the other releases leave of each record's people, by the groups that hold their
/// value.
fn each_record(overlay: &Overlay<'_>) -> Vec<u32> {
    let (values, people) = (own_values(overlay), overlay.people());
    let of_tuple = |overlay: &Overlay<'_>, tuple: usize, scratch: &mut Scratch| {
        let value = |record: usize| {
            values
                .get(people.records()[record].sensitive as usize)
                .copied()
                .flatten()
        };
        let left = |record| {
            overlay
                .person(tuple, Choice::Holding(value(record)), scratch)
                .posterior
        };
        people.records_of(tuple).map(left).collect::<Vec<u32>>()
    };
    each_tuple(overlay, of_tuple)
        .into_iter()
        .flatten()
        .collect()
}

fn added_up(
    overlay: &Overlay<'_>,
    of: impl Fn(usize, &mut Scratch, &mut Exposure) + Sync,
) -> Exposure {
    let parts = in_parallel(overlay.people().tuples(), |tuples| {
        let (mut sum, mut scratch) = (Exposure::default(), Scratch::default());
        tuples.for_each(|tuple| of(tuple, &mut scratch, &mut sum));
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

/// Something about every tuple.
fn each_tuple<R: Send>(
    overlay: &Overlay<'_>,
    of: impl Fn(&Overlay<'_>, usize, &mut Scratch) -> R + Sync,
) -> Vec<R> {
    let parts = in_parallel(overlay.people().tuples(), |tuples| {
        let mut scratch = Scratch::default();
        tuples
            .map(|tuple| of(overlay, tuple, &mut scratch))
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
