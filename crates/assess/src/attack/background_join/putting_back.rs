//! Who is in which group of a fragmented release, as far as its counts leave no choice.
//!
//! People of the original fit the groups whose labels cover them, and perhaps were left out. Two
//! rules, until neither says anything new: whoever fits one place only is there; and where as many
//! people fit a value's places in a group as the group has, all of them are there. Both hold in
//! every way to put people back, so what they decide is certain. What they leave open is refused,
//! never guessed.
//!
//! People who agree in known quasi-identifiers and all sensitive values move together: where the
//! truth splits them over groups, nothing is decided about them. Cost: rounds × people of different
//! kinds × the groups that cover them.

use super::cover::Covered;
use super::error::Error;
use super::joined::Held;
use mingle_model::{Code, Cube};
use std::collections::BTreeMap;

/// A group's free places, by sensitive column and value.
type Places = Vec<BTreeMap<Code, u64>>;

/// Puts everybody into a group. `counts` is what the fragments say, in the original's columns and
/// codes.
pub fn put_back(
    original: &Cube,
    cover: &[Covered],
    counts: Vec<Places>,
) -> Result<Vec<Vec<Held>>, Error> {
    let published: u64 = counts.iter().map(size).sum();
    let mut puzzle = Puzzle {
        original,
        held: vec![BTreeMap::new(); counts.len()],
        left_out: original.rows().saturating_sub(published),
        open: Vec::new(),
        free: counts,
    };
    puzzle.gather(cover)?;
    while puzzle.place_the_only_way()? | puzzle.fill_what_is_short()? {}
    match puzzle.open.iter().map(|kind| kind.people).sum() {
        0 => Ok(puzzle.held()),
        people => Err(Error::Ambiguous { people }),
    }
}

fn size(places: &Places) -> u64 {
    places.first().map_or(0, |values| values.values().sum())
}

/// People who fit the same groups and have the same values.
struct Kind {
    combination: u32,
    people: u64,
    /// Where they still fit.
    groups: Vec<u32>,
}

struct Puzzle<'a> {
    original: &'a Cube,
    free: Vec<Places>,
    held: Vec<BTreeMap<u32, u64>>,
    /// How many people are in no group and not yet accounted for.
    left_out: u64,
    open: Vec<Kind>,
}

impl Puzzle<'_> {
    /// Everybody is open at first; those whom no group covers were left out.
    fn gather(&mut self, cover: &[Covered]) -> Result<(), Error> {
        let mut uncovered = self.original.rows();
        for Covered { tuples, groups } in cover {
            let mut kinds: BTreeMap<u32, u64> = BTreeMap::new();
            for record in tuples
                .iter()
                .flat_map(|&t| &self.original.records()[self.original.records_of(t as usize)])
            {
                *kinds.entry(record.sensitive).or_default() += record.count;
            }
            uncovered -= kinds.values().sum::<u64>();
            let kind = |(combination, people)| Kind {
                combination,
                people,
                groups: groups.clone(),
            };
            self.open.extend(kinds.into_iter().map(kind));
        }
        self.leave_out(uncovered)
    }

    fn leave_out(&mut self, people: u64) -> Result<(), Error> {
        let too_many = Error::NotPublished {
            missing: people,
            left_out: self.left_out,
        };
        self.left_out = self.left_out.checked_sub(people).ok_or(too_many)?;
        Ok(())
    }

    /// The first rule. Says whether anybody was placed.
    fn place_the_only_way(&mut self) -> Result<bool, Error> {
        let mut open = std::mem::take(&mut self.open);
        let before = open.len();
        for kind in &mut open {
            kind.groups
                .retain(|&group| self.room(group, kind.combination) > 0);
            let rooms: Vec<u64> = kind
                .groups
                .iter()
                .map(|&group| self.room(group, kind.combination))
                .collect();
            if kind.groups.is_empty() {
                self.leave_out(std::mem::take(&mut kind.people))?;
            } else if self.left_out == 0
                && (rooms.len() == 1 || rooms.iter().sum::<u64>() == kind.people)
            {
                let people = if rooms.len() == 1 {
                    vec![kind.people]
                } else {
                    rooms
                };
                for (group, people) in kind.groups.clone().into_iter().zip(people) {
                    self.place(kind, group, people)?;
                }
            }
        }
        open.retain(|kind| kind.people > 0);
        self.open = open;
        Ok(self.open.len() < before)
    }

    /// The second rule. Says whether anybody was placed.
    fn fill_what_is_short(&mut self) -> Result<bool, Error> {
        let mut fitting: BTreeMap<(u32, usize, Code), u64> = BTreeMap::new();
        for kind in &self.open {
            for (column, value) in self.values(kind.combination) {
                let places = kind.groups.iter().map(|&group| (group, column, value));
                places.for_each(|place| *fitting.entry(place).or_default() += kind.people);
            }
        }
        for (group, places) in self.free.iter().enumerate() {
            let fits = |column, value| {
                fitting
                    .get(&(group as u32, column, value))
                    .copied()
                    .unwrap_or(0)
            };
            let short = |(column, values): (usize, &BTreeMap<Code, u64>)| {
                values.iter().any(|(&v, &n)| fits(column, v) < n)
            };
            if places.iter().enumerate().any(short) {
                return Err(Error::ForeignRow { group: group + 1 });
            }
        }
        let full = |kind: &Kind| {
            let free = |group: u32, column: usize, value| {
                self.free[group as usize][column].get(&value).copied()
            };
            let exact = |group: u32, (column, value)| {
                free(group, column, value) == Some(fitting[&(group, column, value)])
            };
            kind.groups
                .iter()
                .copied()
                .find(|&group| self.values(kind.combination).any(|own| exact(group, own)))
        };
        let decided: Vec<Option<u32>> = self.open.iter().map(full).collect();
        let mut open = std::mem::take(&mut self.open);
        for (kind, group) in open.iter_mut().zip(&decided) {
            group.map_or(Ok(()), |group| self.place(kind, group, kind.people))?;
        }
        open.retain(|kind| kind.people > 0);
        self.open = open;
        Ok(decided.iter().any(Option::is_some))
    }

    fn values(&self, combination: u32) -> impl Iterator<Item = (usize, Code)> {
        self.original
            .sensitive()
            .iter()
            .map(move |s| s.codes.get(combination as usize))
            .enumerate()
    }

    /// How many people of these values a group can take.
    fn room(&self, group: u32, combination: u32) -> u64 {
        let places = &self.free[group as usize];
        let free =
            |(column, value): (usize, Code)| places[column].get(&value).copied().unwrap_or(0);
        self.values(combination).map(free).min().unwrap_or(0)
    }

    fn place(&mut self, kind: &mut Kind, group: u32, people: u64) -> Result<(), Error> {
        if self.room(group, kind.combination) < people {
            return Err(Error::ForeignRow {
                group: group as usize + 1,
            });
        }
        let values: Vec<(usize, Code)> = self.values(kind.combination).collect();
        for (column, value) in values {
            self.free[group as usize][column]
                .entry(value)
                .and_modify(|free| *free -= people);
        }
        kind.people -= people;
        *self.held[group as usize]
            .entry(kind.combination)
            .or_default() += people;
        Ok(())
    }

    fn held(self) -> Vec<Vec<Held>> {
        let group = |held: BTreeMap<u32, u64>| {
            held.into_iter()
                .map(|(combination, count)| Held { combination, count })
        };
        self.held
            .into_iter()
            .map(|held| group(held).collect())
            .collect()
    }
}
