//! What is left of everybody's values, clue by clue.

use super::difference::{Components, Difference};
use super::{Fate, Member, Version, fates};
use std::ops::Range;

/// People with the values they had: a person whose value changed has several.
pub struct Lives(Vec<(u128, u32)>);

impl Lives {
    /// Those of all versions.
    pub fn new(versions: &[&Version]) -> Lives {
        let members = versions.iter().flat_map(|version| version.members());
        let mut lives: Vec<(u128, u32)> = members.map(|m| (m.person, m.value)).collect();
        lives.sort_unstable();
        lives.dedup();
        Lives(lives)
    }

    /// A member's place among them.
    pub fn find(&self, member: &Member) -> usize {
        let key = (member.person, member.value);
        self.0
            .binary_search(&key)
            .expect("every member of every version is there")
    }

    /// Each person's places.
    pub fn by_person(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.0.chunk_by(|a, b| a.0 == b.0).map(move |lives| {
            end += lives.len();
            end - lives.len()..end
        })
    }
}

/// How many values are left.
#[derive(Clone, Copy)]
pub struct Left {
    /// So many; all that one could think of where nothing is known.
    pub values: u32,
    /// The fewest that a group holds.
    pub prior: u32,
    /// Whether several versions say so.
    pub composed: bool,
}

impl Left {
    /// Which of the three numbers is that of both inferences together; the first two are
    /// intersection and difference.
    pub const TOGETHER: usize = 2;
}

/// What is known about one life.
#[derive(Clone, Default)]
struct Clue {
    /// In how many versions.
    versions: u32,
    /// The fewest values of a group.
    prior: u32,
    /// Values that all groups hold.
    groups: Option<Vec<u32>>,
    /// Values that all differences leave.
    differences: Option<Vec<u32>>,
    /// The same for a reader who knows that the value changed.
    changes: Option<Vec<u32>>,
}

/// What is known about all lives.
pub struct Clues<'l> {
    lives: &'l Lives,
    clues: Vec<Clue>,
}

impl<'l> Clues<'l> {
    /// Nothing yet.
    pub fn new(lives: &'l Lives) -> Clues<'l> {
        Clues {
            lives,
            clues: vec![Clue::default(); lives.0.len()],
        }
    }

    /// Everybody's group in one more version.
    pub fn meet(&mut self, version: &Version) {
        for member in version.members() {
            let held = version.held(member.group);
            let clue = &mut self.clues[self.lives.find(member)];
            let prior = held.len() as u32;
            clue.prior = if clue.versions == 0 {
                prior
            } else {
                clue.prior.min(prior)
            };
            clue.versions += 1;
            narrow(&mut clue.groups, held.iter().map(|&(value, _)| value));
        }
    }

    /// What two versions say about those who are in one of them only.
    pub fn compare(&mut self, before: &Version, after: &Version) -> Components {
        let difference = Difference::new(before, after);
        for fate in fates(before, after) {
            match fate {
                Fate::Stayed(..) => {}
                Fate::Inserted(is) => self.learn(is, after, difference.inserted(is.group), false),
                Fate::Deleted(was) => self.learn(was, before, difference.deleted(was.group), false),
                Fate::Changed(was, is) => {
                    self.learn(was, before, difference.deleted(was.group), true);
                    self.learn(is, after, difference.inserted(is.group), true);
                }
            }
        }
        difference.components
    }

    /// Takes down what a difference leaves of the own group's values, if that is less.
    fn learn(&mut self, member: &Member, version: &Version, values: &[u32], changed: bool) {
        let held = version.held(member.group);
        let left = || {
            held.iter()
                .map(|&(value, _)| value)
                .filter(|value| values.binary_search(value).is_ok())
        };
        if left().count() == held.len() {
            return;
        }
        let clue = &mut self.clues[self.lives.find(member)];
        narrow(
            if changed {
                &mut clue.changes
            } else {
                &mut clue.differences
            },
            left(),
        );
    }

    /// What is left of each by intersection, by difference, and by both.
    pub fn left(&self) -> Vec<[Left; 3]> {
        self.clues.iter().map(Clue::left).collect()
    }

    /// What is left of one for a reader who knows that the value changed; `None` where this says
    /// nothing.
    pub fn change_left(&self, life: usize) -> Option<u32> {
        let clue = &self.clues[life];
        let mut left = clue.changes.clone();
        left.as_ref()?;
        clue.groups
            .iter()
            .chain(&clue.differences)
            .for_each(|values| narrow(&mut left, values.iter().copied()));
        left.map(|values| values.len() as u32)
    }

    /// The values that are left of a life by both inferences; `None` where it is in no version.
    #[cfg(test)]
    pub fn values(&self, life: usize) -> Option<Vec<u32>> {
        self.clues[life].together()
    }
}

impl Clue {
    fn together(&self) -> Option<Vec<u32>> {
        let mut left = self.groups.clone();
        self.differences
            .iter()
            .for_each(|values| narrow(&mut left, values.iter().copied()));
        left
    }

    fn left(&self) -> [Left; 3] {
        let (several, differs) = (self.versions > 1, self.differences.is_some());
        let left = |values: Option<&Vec<u32>>, composed| Left {
            values: values.map_or(u32::MAX, |values| values.len() as u32),
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

/// Keeps what is in both; ascending.
fn narrow(left: &mut Option<Vec<u32>>, values: impl Iterator<Item = u32>) {
    match left {
        None => *left = Some(values.collect()),
        Some(left) => {
            let mut values = values.peekable();
            left.retain(|value| {
                while values.next_if(|other| other < value).is_some() {}
                values.peek() == Some(value)
            });
        }
    }
}
