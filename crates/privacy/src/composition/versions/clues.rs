//! What is left of everybody's values, clue by clue.
//!
//! Somebody's rows that came with the same version are a *bundle*: each clue bounds how many of them
//! may have a value. [`fewest_values`] is what the bounds of all clues leave of it. With one row a
//! person a bound is 0 or 1, and what is left is the values with 1.

use super::difference::{Components, Difference};
use super::{Fate, PersonRows, Version, contains, fates};
use std::ops::Range;

/// Per value, ascending, how many rows of a bundle may have it at most, and never more than the
/// bundle has. What is not there is 0.
type Bounds = Vec<(u32, u32)>;

/// The smallest number of values of which a bundle of so many rows surely has one: outside of them
/// too few rows fit for all to be there.
fn fewest_values(bounds: &Bounds, rows: u32) -> u32 {
    let mut counts: Vec<u64> = bounds.iter().map(|&(_, count)| u64::from(count)).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let mut outside: u64 = counts.iter().sum();
    let mut values = 0;
    for count in counts {
        if outside < u64::from(rows) {
            break;
        }
        outside -= count;
        values += 1;
    }
    values
}

/// Rows of a person that came with the same version.
#[derive(Clone, Copy)]
pub struct RowBundle {
    /// The first version that has them.
    pub arrived: usize,
    /// How many.
    pub rows: u32,
}

/// People with the rows they had. As long as somebody's rows stay and others only join them, that is
/// one *life*; where rows are gone or changed, another one begins.
pub struct Lives {
    /// Per life its bundles.
    bundles_of: Vec<Range<usize>>,
    bundles: Vec<RowBundle>,
    /// Per person the lives.
    lives_of: Vec<Range<usize>>,
    /// Per version and person in it the life.
    life_of: Vec<Vec<u32>>,
}

impl Lives {
    /// Those of all versions.
    pub fn new(versions: &[&Version]) -> Lives {
        let mut stays: Vec<(u128, usize, usize)> = Vec::new();
        for (at, version) in versions.iter().enumerate() {
            for place in 0..version.people() {
                stays.push((version.person(place).person, at, place));
            }
        }
        stays.sort_unstable();
        let life_of = versions.iter().map(|version| vec![0; version.people()]);
        let mut lives = Lives {
            bundles_of: Vec::new(),
            bundles: Vec::new(),
            lives_of: Vec::new(),
            life_of: life_of.collect(),
        };
        for of_person in stays.chunk_by(|a, b| a.0 == b.0) {
            lives.live(versions, of_person);
        }
        lives
    }

    /// The lives of one person, who is in these versions.
    fn live(&mut self, versions: &[&Version], stays: &[(u128, usize, usize)]) {
        let first = self.bundles_of.len();
        // per life its bundles and the last version and place in it, the latest life last
        let mut own: Vec<(u32, Vec<RowBundle>, PersonRows<'_>)> = Vec::new();
        for &(_, at, place) in stays {
            let rows = versions[at].person(place);
            let goes_on = |(_, _, last): &(u32, Vec<RowBundle>, PersonRows<'_>)| {
                contains(last.rows, rows.rows)
            };
            let (number, mut bundles, before) = match own.iter().rposition(goes_on) {
                Some(life) => {
                    let (number, bundles, last) = own.remove(life);
                    (number, bundles, last.rows.len())
                }
                None => ((first + own.len()) as u32, Vec::new(), 0),
            };
            if rows.rows.len() > before {
                bundles.push(RowBundle {
                    arrived: at,
                    rows: (rows.rows.len() - before) as u32,
                });
            }
            self.life_of[at][place] = number;
            own.push((number, bundles, rows));
        }
        own.sort_unstable_by_key(|(number, ..)| *number);
        for (_, bundles, _) in own {
            let start = self.bundles.len();
            self.bundles.extend(bundles);
            self.bundles_of.push(start..self.bundles.len());
        }
        self.lives_of.push(first..self.bundles_of.len());
    }

    /// The life that somebody has in a version.
    pub fn life_of(&self, version: usize, place: usize) -> usize {
        self.life_of[version][place] as usize
    }

    /// The bundles of a life that came with these versions.
    pub fn bundles(&self, life: usize, arrived: Range<usize>) -> impl Iterator<Item = usize> {
        let own = self.bundles_of[life].clone();
        own.filter(move |&bundle| arrived.contains(&self.bundles[bundle].arrived))
    }

    /// Each person's bundles, and whether there is more than one life.
    pub fn by_person(&self) -> impl Iterator<Item = (Range<usize>, bool)> {
        self.lives_of.iter().map(|lives| {
            let start = self.bundles_of[lives.start].start;
            let end = self.bundles_of[lives.end - 1].end;
            (start..end, lives.len() > 1)
        })
    }

    /// The bundle with this number.
    #[cfg(test)]
    pub fn bundle(&self, bundle: usize) -> RowBundle {
        self.bundles[bundle]
    }
}

/// How many values are left.
#[derive(Clone, Copy)]
pub struct Left {
    /// So many; all that one could think of where nothing is known.
    pub values: u32,
    /// The fewest that a group leaves.
    pub prior: u32,
    /// Whether several versions say so.
    pub composed: bool,
}

impl Left {
    /// Which of the three numbers is that of both inferences together; the first two are
    /// intersection and difference.
    pub const TOGETHER: usize = 2;
}

/// What is known about one bundle.
#[derive(Clone, Default)]
struct Clue {
    /// In how many versions.
    versions: u32,
    /// The fewest values that a group leaves.
    prior: u32,
    /// What all groups hold.
    groups: Option<Bounds>,
    /// What all differences leave.
    differences: Option<Bounds>,
    /// The same for a reader who knows that rows changed.
    changes: Option<Bounds>,
}

/// What is known about all bundles.
pub struct Clues<'l> {
    versions: &'l [&'l Version],
    lives: &'l Lives,
    clues: Vec<Clue>,
}

impl<'l> Clues<'l> {
    /// Nothing yet.
    pub fn new(versions: &'l [&'l Version], lives: &'l Lives) -> Clues<'l> {
        Clues {
            versions,
            lives,
            clues: vec![Clue::default(); lives.bundles.len()],
        }
    }

    /// Everybody's group in one more version.
    pub fn meet(&mut self, at: usize) {
        let version = self.versions[at];
        for place in 0..version.people() {
            let held = version.held(version.person(place).group);
            let life = self.lives.life_of(at, place);
            for bundle in self.lives.bundles(life, 0..at + 1) {
                let rows = self.lives.bundles[bundle].rows;
                let bounds = capped(held.iter().copied(), rows);
                let clue = &mut self.clues[bundle];
                let prior = fewest_values(&bounds, rows);
                clue.prior = if clue.versions == 0 {
                    prior
                } else {
                    clue.prior.min(prior)
                };
                clue.versions += 1;
                narrow(&mut clue.groups, bounds);
            }
        }
    }

    /// What two versions say about those whose rows are in one of them only.
    pub fn compare(&mut self, before: usize, after: usize) -> Components {
        let versions = self.versions;
        let (was_there, is_there) = (versions[before], versions[after]);
        let difference = Difference::new(was_there, is_there);
        for fate in fates(was_there, is_there) {
            match fate {
                Fate::Stayed(was, is) => {
                    let life = self.lives.life_of(after, is.place);
                    // whoever had another life in between may have lost rows and got them back
                    if is.rows.len() > was.rows.len()
                        && life == self.lives.life_of(before, was.place)
                    {
                        let learnt = Learning {
                            arrived: before + 1..after + 1,
                            held: is_there.held(is.group),
                            left: difference.inserted(is.group),
                            changed: false,
                        };
                        self.learn(life, &learnt);
                    }
                }
                Fate::Inserted(is) => self.came(after, is, &difference, false),
                Fate::Deleted(was) => self.went(before, was, &difference, false),
                Fate::Changed(was, is) => {
                    self.went(before, was, &difference, true);
                    self.came(after, is, &difference, true);
                }
            }
        }
        difference.components
    }

    /// All rows that somebody has in a version came since the other one.
    fn came(&mut self, at: usize, is: PersonRows<'_>, difference: &Difference, changed: bool) {
        let learnt = Learning {
            arrived: 0..at + 1,
            held: self.versions[at].held(is.group),
            left: difference.inserted(is.group),
            changed,
        };
        self.learn(self.lives.life_of(at, is.place), &learnt);
    }

    /// All rows that somebody has in a version are gone in the other one.
    fn went(&mut self, at: usize, was: PersonRows<'_>, difference: &Difference, changed: bool) {
        let learnt = Learning {
            arrived: 0..at + 1,
            held: self.versions[at].held(was.group),
            left: difference.deleted(was.group),
            changed,
        };
        self.learn(self.lives.life_of(at, was.place), &learnt);
    }

    /// Takes down what a difference leaves of the own group's values, if that is less.
    fn learn(&mut self, life: usize, learnt: &Learning<'_>) {
        for bundle in self.lives.bundles(life, learnt.arrived.clone()) {
            let rows = self.lives.bundles[bundle].rows;
            let held = capped(learnt.held.iter().copied(), rows);
            let mut left = Some(held.clone());
            narrow(&mut left, capped(learnt.left.iter().copied(), rows));
            let Some(left) = left.filter(|left| *left != held) else {
                continue;
            };
            let clue = &mut self.clues[bundle];
            narrow(
                if learnt.changed {
                    &mut clue.changes
                } else {
                    &mut clue.differences
                },
                left,
            );
        }
    }

    /// What is left of each bundle by intersection, by difference, and by both.
    pub fn left(&self) -> Vec<[Left; 3]> {
        let clues = self.clues.iter().zip(&self.lives.bundles);
        clues.map(|(clue, bundle)| clue.left(bundle.rows)).collect()
    }

    /// What is left of one for a reader who knows that rows changed; `None` where this says
    /// nothing.
    pub fn change_left(&self, bundle: usize) -> Option<u32> {
        let clue = &self.clues[bundle];
        let mut left = clue.changes.clone();
        left.as_ref()?;
        for bounds in clue.groups.iter().chain(&clue.differences) {
            narrow(&mut left, bounds.clone());
        }
        left.map(|left| fewest_values(&left, self.lives.bundles[bundle].rows))
    }

    /// The values that may be those of a bundle by both inferences; `None` where it is in no
    /// version.
    #[cfg(test)]
    pub fn values(&self, bundle: usize) -> Option<Vec<u32>> {
        let bounds = self.clues[bundle].together()?;
        Some(bounds.into_iter().map(|(value, _)| value).collect())
    }
}

/// What one difference says about somebody.
struct Learning<'d> {
    /// The versions with which the rows came of which it says something.
    arrived: Range<usize>,
    /// What the own group holds.
    held: &'d [(u32, u64)],
    /// What the difference leaves.
    left: &'d [(u32, u64)],
    /// Whether it takes knowing that rows changed.
    changed: bool,
}

impl Clue {
    fn together(&self) -> Option<Bounds> {
        let mut left = self.groups.clone();
        if let Some(bounds) = &self.differences {
            narrow(&mut left, bounds.clone());
        }
        left
    }

    fn left(&self, rows: u32) -> [Left; 3] {
        let (several, differs) = (self.versions > 1, self.differences.is_some());
        let left = |bounds: Option<&Bounds>, composed| Left {
            values: bounds.map_or(u32::MAX, |bounds| fewest_values(bounds, rows)),
            prior: self.prior,
            composed,
        };
        let difference = self.differences.as_ref().or(self.groups.as_ref());
        [
            left(self.groups.as_ref(), several),
            left(difference, differs),
            left(self.together().as_ref(), several || differs),
        ]
    }
}

/// Counts as bounds on a bundle of so many rows.
fn capped(counts: impl Iterator<Item = (u32, u64)>, rows: u32) -> Bounds {
    counts
        .map(|(value, count)| (value, count.min(u64::from(rows)) as u32))
        .collect()
}

/// Keeps what is in both, at most as often as in either; ascending.
fn narrow(left: &mut Option<Bounds>, bounds: Bounds) {
    let Some(left) = left else {
        *left = Some(bounds);
        return;
    };
    let mut bounds = bounds.into_iter().peekable();
    left.retain_mut(|(value, count)| {
        while bounds.next_if(|(other, _)| *other < *value).is_some() {}
        match bounds.peek() {
            Some(&(other, most)) if other == *value => {
                *count = most.min(*count);
                true
            }
            _ => false,
        }
    });
}
