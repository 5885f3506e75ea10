//! People whose rows grow from version to version, against every assignment of values to rows that
//! agrees with what was published.

use super::clues::{Clues, Lives};
use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

const VALUES: u32 = 3;

/// A row: whose, the version with which it came, and its value, which the reader does not know.
#[derive(Clone, Copy, Debug)]
struct KnownRow {
    person: usize,
    arrived: usize,
    value: u32,
}

/// What happened: everybody's rows, and per version and person the group, if she is in it.
#[derive(Debug)]
struct Past {
    rows: Vec<KnownRow>,
    group_of: Vec<Vec<Option<u32>>>,
}

/// Person and version with which rows are first seen, and the sets of values that they may have.
type PossibleValues = ((usize, usize), Vec<BTreeSet<u32>>);

impl Past {
    /// The rows that are in a version.
    fn rows_in(&self, version: usize) -> impl Iterator<Item = (usize, u32)> {
        let groups = &self.group_of[version];
        self.rows.iter().enumerate().filter_map(move |(at, row)| {
            let is_there = row.arrived <= version;
            groups[row.person]
                .filter(|_| is_there)
                .map(|group| (at, group))
        })
    }

    /// Every group's values under an assignment of values to rows.
    fn published(&self, version: usize, values: &[u32]) -> Vec<(u32, u32)> {
        let mut published = Vec::new();
        for (row, group) in self.rows_in(version) {
            published.push((group, values[row]));
        }
        published.sort_unstable();
        published
    }

    fn version(&self, version: usize) -> Version {
        let mut members = Vec::new();
        for (row, group) in self.rows_in(version) {
            members.push(Member {
                person: self.rows[row].person as u128,
                value: self.rows[row].value,
                group,
            });
        }
        Version::new(4, members).ok().unwrap()
    }

    /// The version with which a row is first seen.
    fn seen(&self, row: &KnownRow) -> Option<usize> {
        (row.arrived..self.group_of.len()).find(|&at| self.group_of[at][row.person].is_some())
    }

    /// Per person and version with which rows are first seen, the sets of values that these rows
    /// have under the assignments that agree with everything published: the definition.
    fn possible(&self) -> Vec<PossibleValues> {
        let truth: Vec<u32> = self.rows.iter().map(|row| row.value).collect();
        let mut bundles: BTreeSet<(usize, usize)> = BTreeSet::new();
        for row in &self.rows {
            bundles.extend(self.seen(row).map(|seen| (row.person, seen)));
        }
        let mut possible: Vec<_> = bundles.into_iter().map(|b| (b, Vec::new())).collect();
        let versions = self.group_of.len();
        let mut values = vec![0; self.rows.len()];
        loop {
            if (0..versions).all(|at| self.published(at, &values) == self.published(at, &truth)) {
                for ((person, seen), sets) in &mut possible {
                    let mut set = BTreeSet::new();
                    for (row, &value) in self.rows.iter().zip(&values) {
                        if row.person == *person && self.seen(row) == Some(*seen) {
                            set.insert(value);
                        }
                    }
                    sets.push(set);
                }
            }
            let Some(next) = values.iter().position(|&value| value + 1 < VALUES) else {
                return possible;
            };
            values[next] += 1;
            values[..next].fill(0);
        }
    }
}

/// The fewest values of which every set has one.
fn hitting_number(sets: &[BTreeSet<u32>]) -> u32 {
    let mut fewest = VALUES;
    for chosen in 0u32..1 << VALUES {
        let hits = |set: &BTreeSet<u32>| set.iter().any(|&value| chosen >> value & 1 == 1);
        if sets.iter().all(hits) {
            fewest = fewest.min(chosen.count_ones());
        }
    }
    fewest
}

fn random_past(rng: &mut ChaCha8Rng, versions: usize) -> Past {
    let people = rng.random_range(2..5);
    let groups = rng.random_range(1..3u32);
    let mut rows = Vec::new();
    for person in 0..people {
        let mut of_person = 1;
        while of_person < 3 && rng.random_bool(0.4) {
            of_person += 1;
        }
        for row in 0..of_person {
            // everybody has a row from the beginning
            let arrived = if row == 0 {
                0
            } else {
                rng.random_range(0..versions)
            };
            rows.push(KnownRow {
                person,
                arrived,
                value: rng.random_range(0..VALUES),
            });
        }
    }
    rows.truncate(8);
    let stays = rng.random_range(0.4..1.0);
    let mut home: Vec<u32> = (0..people).map(|_| rng.random_range(0..groups)).collect();
    let mut group_of = Vec::new();
    for _ in 0..versions {
        let mut now = Vec::new();
        for own in &mut home {
            if rng.random_bool(0.2) {
                *own = rng.random_range(0..groups);
            }
            now.push(rng.random_bool(stays).then_some(*own));
        }
        group_of.push(now);
    }
    Past { rows, group_of }
}

/// Per person and version with which rows came, how many values are left.
fn inferred(past: &Past) -> Vec<((usize, usize), u32)> {
    let versions: Vec<Version> = (0..past.group_of.len())
        .map(|at| past.version(at))
        .collect();
    let versions: Vec<&Version> = versions.iter().collect();
    let lives = Lives::new(&versions);
    let mut clues = Clues::new(&versions, &lives);
    for at in 0..versions.len() {
        for before in 0..at {
            clues.compare(before, at);
        }
        clues.meet(at);
    }
    let mut there: BTreeSet<usize> = BTreeSet::new();
    for version in &versions {
        there.extend(version.members().iter().map(|m| m.person as usize));
    }
    let left = clues.left();
    let mut found = Vec::new();
    for (person, (bundles, has_changed)) in there.into_iter().zip(lives.by_person()) {
        assert!(!has_changed);
        for bundle in bundles {
            let values = left[bundle][Left::TOGETHER].values;
            found.push(((person, lives.bundle(bundle).arrived), values));
        }
    }
    found
}

#[test]
fn nothing_is_concluded_that_an_assignment_contradicts() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut as_exact, mut weaker, mut found_out) = (0, 0, 0);
    for round in 0..1_500 {
        let past = random_past(&mut rng, 2 + round % 2);
        let (inferred, possible) = (inferred(&past), past.possible());
        assert_eq!(inferred.len(), possible.len(), "round {round}");
        for ((bundle, values), (expected, sets)) in inferred.iter().zip(&possible) {
            assert_eq!(bundle, expected);
            let exact = hitting_number(sets);
            // a smaller number would name values of which she may have none
            assert!(*values >= exact, "round {round}: {bundle:?} {past:?}");
            if *values == exact {
                as_exact += 1;
            } else {
                weaker += 1;
            }
            found_out += u32::from(*values == 1);
        }
    }
    assert!(
        as_exact > 3 * weaker && found_out > 300,
        "{as_exact} as exact as the definition, {weaker} weaker, {found_out} found out"
    );
}

/// (person, group, value).
type Row = (u128, u32, u32);

fn version(rows: &[Row]) -> Version {
    let member = |&(person, group, value): &Row| Member {
        person,
        value,
        group,
    };
    Version::new(3, rows.iter().map(member).collect())
        .ok()
        .unwrap()
}

fn perfect(before: &Version, after: &Version) -> u64 {
    replay(&[before, after], &CompositionLimits::default())
        .together
        .perfect
}

const GROUP: [Row; 6] = [
    (1, 0, 0),
    (1, 0, 1),
    (2, 0, 1),
    (2, 0, 2),
    (3, 0, 0),
    (3, 0, 2),
];

fn with(more: &[Row]) -> Version {
    version(&[&GROUP[..], more].concat())
}

/// A single new visit is found out, although nobody came and her other values are hidden.
#[test]
fn a_row_that_joins_alone_is_found_out() {
    assert_eq!(perfect(&with(&[]), &with(&[(2, 0, 0)])), 1);
    // with another one of the same value both are, with one of another value neither
    assert_eq!(perfect(&with(&[]), &with(&[(2, 0, 0), (3, 0, 0)])), 2);
    assert_eq!(perfect(&with(&[]), &with(&[(2, 0, 0), (3, 0, 1)])), 0);
}

/// Somebody who comes alone with two rows of different values has both: no value is hidden by the
/// other one.
#[test]
fn several_values_of_one_person_do_not_hide_her() {
    assert_eq!(perfect(&with(&[]), &with(&[(4, 0, 0), (4, 0, 1)])), 1);
    // of three rows of two people, who knows that one has two knows that she has the common value
    let after = with(&[(4, 0, 0), (4, 0, 1), (5, 0, 0)]);
    assert_eq!(perfect(&with(&[]), &after), 1);
    // two people with two rows each, all different: nobody can say anything
    let after = with(&[(4, 0, 0), (4, 0, 1), (5, 0, 2), (5, 0, 3)]);
    assert_eq!(perfect(&with(&[]), &after), 0);
}

/// Taking the set for one value that stays would rule out the truth: what her groups have in common
/// are her earlier values, and the new one need not be among them.
#[test]
fn a_set_that_grows_is_not_intersected_as_if_one_value_stayed() {
    let before = version(&[(1, 0, 0), (2, 0, 1)]);
    let after = version(&[(1, 0, 0), (1, 0, 2), (3, 0, 3), (2, 1, 1), (4, 1, 4)]);
    let found = replay(&[&before, &after], &CompositionLimits::default());
    // 0 is all that her two groups have in common: she had it, and the new value is one of two
    assert_eq!(found.intersection.perfect, 2);
    assert_eq!(found.changed, 0);
    let changes = Changes::between(&before, &after);
    assert_eq!((changes.stayed, changes.grown, changes.inserted), (2, 1, 2));
}

/// Rows that are gone are no growth: told apart, and the sums of others stay right.
#[test]
fn rows_that_are_gone_are_a_change() {
    let after = version(&[(1, 0, 0), (2, 0, 1), (2, 0, 2), (3, 0, 0), (3, 0, 2)]);
    let found = replay(&[&with(&[]), &after], &CompositionLimits::default());
    assert_eq!((found.changed, found.together.perfect), (1, 0));
    assert_eq!(Changes::between(&with(&[]), &after).changed, 1);
}
