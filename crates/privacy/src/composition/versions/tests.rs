use super::clues::{Clues, Lives};
use super::oracle::possible;
use super::*;
use crate::ratio::Ratio;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// (person, group, value).
type Row = (u128, u32, u32);

fn version(rows: &[Row]) -> Version {
    let groups = rows.iter().map(|r| r.1 as usize + 1).max().unwrap_or(0);
    let member = |&(person, group, value): &Row| Member {
        person,
        value,
        group,
    };
    Version::new(groups, rows.iter().map(member).collect())
        .ok()
        .unwrap()
}

/// Draws all conclusions.
fn draw(clues: &mut Clues<'_>, versions: usize) {
    for at in 0..versions {
        for before in 0..at {
            clues.compare(before, at);
        }
        clues.meet(at);
    }
}

/// Per life what both inferences leave.
fn inferred(versions: &[&Version]) -> Vec<(u128, u32, BTreeSet<u32>)> {
    let lives = Lives::new(versions);
    let mut clues = Clues::new(versions, &lives);
    draw(&mut clues, versions.len());
    let members: BTreeSet<(u128, u32)> = versions
        .iter()
        .flat_map(|v| v.members())
        .map(|m| (m.person, m.value))
        .collect();
    let left = |(life, &(person, value)): (usize, &(u128, u32))| {
        (
            person,
            value,
            clues.values(life).unwrap().into_iter().collect(),
        )
    };
    members.iter().enumerate().map(left).collect()
}

const VALUES: u32 = 3;

/// Up to three versions of up to seven people who keep their values, and who are in groups at
/// random.
fn random_history(rng: &mut ChaCha8Rng, versions: usize) -> Vec<Version> {
    let people = rng.random_range(2..8);
    let values: Vec<u32> = (0..people).map(|_| rng.random_range(0..VALUES)).collect();
    let groups = rng.random_range(1..4);
    let stays = rng.random_range(0.3..1.0);
    let mut group_of: Vec<u32> = (0..people).map(|_| rng.random_range(0..groups)).collect();
    let one = |rng: &mut ChaCha8Rng, group_of: &mut Vec<u32>| {
        let mut rows = Vec::new();
        for person in 0..people {
            if rng.random_bool(0.2) {
                group_of[person] = rng.random_range(0..groups);
            }
            if rng.random_bool(stays) {
                rows.push((person as u128, group_of[person], values[person]));
            }
        }
        version(&rows)
    };
    (0..versions).map(|_| one(rng, &mut group_of)).collect()
}

#[test]
fn nothing_is_concluded_that_an_assignment_contradicts() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut as_exact, mut weaker) = (0, 0);
    for round in 0..6_000 {
        let history = random_history(&mut rng, 2 + round % 2);
        let versions: Vec<&Version> = history.iter().collect();
        let possible = possible(&versions, VALUES);
        for (person, value, left) in inferred(&versions) {
            assert!(
                left.contains(&value),
                "round {round}: the true value was ruled out"
            );
            assert!(possible[&person].is_subset(&left), "round {round}");
            if possible[&person] == left {
                as_exact += 1
            } else {
                weaker += 1
            }
        }
    }
    assert!(
        as_exact > 3 * weaker,
        "{as_exact} as exact as the definition, {weaker} weaker"
    );
}

/// Groups keep their people but for those who come and go, and nothing that came equals what went.
#[test]
fn where_nothing_cancels_and_groups_stay_it_is_exact() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let mut narrowed = 0;
    for round in 0..3_000 {
        let (mut before, mut after, mut person) = (Vec::new(), Vec::new(), 0);
        for group in 0..2 {
            let split = rng.random_range(0..=VALUES);
            for _ in 0..rng.random_range(1..5) {
                let (fate, value) = (rng.random_range(0..4), rng.random_range(0..VALUES));
                // what comes is below the split, what goes is not
                match fate {
                    0 if value < split => after.push((person, group, value)),
                    1 if value >= split => before.push((person, group, value)),
                    _ => {
                        before.push((person, group, value));
                        after.push((person, group, value));
                    }
                }
                person += 1;
            }
        }
        let (before, after) = (version(&before), version(&after));
        let versions = [&before, &after];
        let possible = possible(&versions, VALUES);
        for (person, _, left) in inferred(&versions) {
            assert_eq!(possible[&person], left, "round {round}, person {person}");
            narrowed += usize::from(left.len() == 1);
        }
    }
    assert!(narrowed > 1_000, "{narrowed}");
}

/// What the module says that it does not see.
#[test]
fn some_conclusions_are_missed() {
    // person 0 is known to have value 0 by intersection, so person 1 of the same group has value 1
    let before = version(&[(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 2)]);
    let after = version(&[
        (0, 0, 0),
        (2, 0, 0),
        (3, 0, 2),
        (1, 1, 1),
        (4, 1, 0),
        (5, 1, 1),
    ]);
    let versions = [&before, &after];
    let possible = possible(&versions, VALUES);
    let left: Vec<_> = inferred(&versions)
        .into_iter()
        .map(|(person, _, left)| (person, left))
        .collect();
    assert_eq!(possible[&1], BTreeSet::from([1]));
    assert_eq!(left[1], (1, BTreeSet::from([0, 1])));
}

const GROUP: [Row; 3] = [(1, 0, 0), (2, 0, 1), (3, 0, 2)];

fn with(rows: &[Row], more: &[Row]) -> Version {
    version(&[rows, more].concat())
}

fn perfect(before: &Version, after: &Version) -> (u64, Vec<u32>, bool) {
    let found = replay(&[before, after], &CompositionLimits::default());
    (found.together.perfect, found.groups, found.holds)
}

#[test]
fn one_who_is_inserted_into_an_unchanged_group_is_found() {
    assert_eq!(
        perfect(&version(&GROUP), &with(&GROUP, &[(4, 0, 1)])),
        (1, vec![0], false)
    );
}

#[test]
fn one_who_is_deleted_from_an_unchanged_group_is_found() {
    assert_eq!(
        perfect(&with(&GROUP, &[(4, 0, 1)]), &version(&GROUP)),
        (1, vec![0], false)
    );
}

#[test]
fn several_with_one_value_are_found_and_with_two_are_not() {
    let with_two = |a, b| with(&GROUP, &[(4, 0, a), (5, 0, b)]);
    assert_eq!(
        perfect(&version(&GROUP), &with_two(1, 1)),
        (2, vec![0], false)
    );
    assert_eq!(
        perfect(&version(&GROUP), &with_two(0, 1)),
        (0, vec![], true)
    );
    let min = CompositionLimits {
        min_posterior: Some(3),
        ..CompositionLimits::default()
    };
    let found = replay(&[&version(&GROUP), &with_two(0, 1)], &min);
    assert_eq!(
        (found.difference.below, found.groups, found.holds),
        (2, vec![0], false)
    );
    assert_eq!(found.together.least, Some(2));
}

/// The group keeps its values, as m-invariance has it: who goes is replaced by somebody with the
/// same value.
#[test]
fn a_replacement_with_the_same_value_hides() {
    let after = version(&[(1, 0, 0), (2, 0, 1), (4, 0, 2)]);
    assert_eq!(perfect(&version(&GROUP), &after), (0, vec![], true));
}

/// With another value it is a gain of one value and a loss of another.
#[test]
fn a_replacement_with_another_value_does_not() {
    let after = version(&[(1, 0, 0), (2, 0, 1), (4, 0, 1)]);
    let (people, groups, holds) = perfect(&version(&GROUP), &after);
    assert_eq!((people, groups, holds), (2, vec![0], false));
}

#[test]
fn a_split_group_is_compared_with_its_whole() {
    let rows = [(1, 0, 0), (2, 0, 1), (3, 1, 2), (4, 1, 0)];
    let merged = rows.map(|(person, _, value)| (person, 0, value));
    assert_eq!(
        perfect(&version(&merged), &with(&rows, &[(5, 1, 1)])),
        (1, vec![1], false)
    );
    // the deleted person's old group is linked with both new ones
    assert_eq!(
        perfect(&with(&merged, &[(5, 0, 1)]), &version(&rows)),
        (1, vec![0, 1], false)
    );
}

/// Neither inference alone leaves a single value of person 4, both together do.
#[test]
fn both_inferences_are_put_together() {
    let first = version(&[(1, 0, 0), (2, 0, 1), (3, 0, 2)]);
    let second = version(&[(1, 0, 0), (2, 0, 1), (3, 0, 2), (4, 0, 0), (5, 0, 1)]);
    // 6 and 7 hide which values came since the first version
    let third = version(&[
        (3, 0, 2),
        (4, 0, 0),
        (1, 1, 0),
        (2, 1, 1),
        (5, 1, 1),
        (6, 1, 2),
        (7, 1, 0),
    ]);
    let found = replay(&[&first, &second, &third], &CompositionLimits::default());
    assert_eq!(
        (
            found.intersection.perfect,
            found.difference.perfect,
            found.together.perfect
        ),
        (0, 0, 1),
        "{found:?}"
    );
    let left = inferred(&[&first, &second, &third]);
    assert!(
        left.iter()
            .any(|(person, _, left)| *person == 4 && left.len() == 1)
    );
}

/// Only versions that a person is in count for the intersection.
#[test]
fn who_is_not_in_a_version_is_not_intersected_with_it() {
    let first = version(&[(1, 0, 0), (2, 0, 1)]);
    let second = version(&[(3, 0, 0), (4, 0, 2)]);
    let found = replay(&[&first, &second], &CompositionLimits::default());
    assert_eq!(
        (
            found.intersection.alone,
            found.difference.alone,
            found.together.targets
        ),
        (4, 4, 4)
    );
    assert!(found.holds);
}

#[test]
fn intersections_are_found() {
    let first = version(&[(1, 0, 0), (2, 0, 1), (3, 1, 0), (4, 1, 2)]);
    let second = version(&[(1, 0, 0), (4, 0, 2), (2, 1, 1), (3, 1, 0)]);
    let found = replay(&[&first, &second], &CompositionLimits::default());
    assert_eq!(
        (
            found.intersection.perfect,
            found.difference.perfect,
            found.holds
        ),
        (2, 0, false)
    );
    assert_eq!(
        (found.intersection.vulnerable, found.groups),
        (2, vec![0, 1])
    );
}

#[test]
fn what_was_out_already_is_told_apart() {
    let (before, after) = (version(&GROUP), with(&GROUP, &[(4, 0, 1)]));
    let same_again = with(&GROUP, &[(4, 0, 1)]);
    let limits = CompositionLimits {
        except_already_exposed: true,
        ..CompositionLimits::default()
    };
    let found = replay(&[&before, &after, &same_again], &limits);
    assert_eq!(
        (found.together.perfect, found.together.perfect_already),
        (1, 1)
    );
    assert!(found.holds && found.groups.is_empty());
    assert!(!replay(&[&before, &after], &limits).holds);
    assert!(
        !replay(
            &[&before, &after, &same_again],
            &CompositionLimits::default()
        )
        .holds
    );
}

#[test]
fn a_share_of_all_people_may_be_tolerated() {
    let (before, after) = (version(&GROUP), with(&GROUP, &[(4, 0, 1)]));
    let share = |n, d| CompositionLimits {
        max_perfect_breach: Ratio::new(n, d),
        ..CompositionLimits::default()
    };
    assert!(replay(&[&before, &after], &share(1, 4)).holds);
    assert!(!replay(&[&before, &after], &share(1, 5)).holds);
}

/// A changed value is not taken for an intersection, is counted, and does not break the sums of
/// others.
#[test]
fn changed_values_are_counted_apart() {
    let after = version(&[(1, 0, 0), (2, 0, 1), (3, 0, 3), (4, 0, 4)]);
    let found = replay(&[&version(&GROUP), &after], &CompositionLimits::default());
    assert_eq!((found.changed, found.changed_perfect), (1, 1));
    // the reader cannot tell the new person's value from the changed person's new one
    assert_eq!(
        (
            found.together.perfect,
            found.together.apart,
            found.together.least
        ),
        (0, 0, Some(2))
    );
    let changes = Changes::between(&version(&GROUP), &after);
    assert_eq!(
        changes,
        Changes {
            stayed: 2,
            grown: 0,
            changed: 1,
            inserted: 1,
            deleted: 0
        }
    );
}

/// What was concluded about a value stays a finding although the value changed afterwards.
#[test]
fn a_later_change_does_not_hide_an_earlier_breach() {
    let (before, after) = (version(&GROUP), with(&GROUP, &[(4, 0, 1)]));
    let changed = with(&GROUP, &[(4, 0, 2)]);
    let found = replay(&[&before, &after, &changed], &CompositionLimits::default());
    assert_eq!(
        (found.together.perfect, found.changed, found.holds),
        (1, 1, false)
    );
}

#[test]
fn one_version_or_none_says_nothing() {
    assert!(replay(&[], &CompositionLimits::default()).holds);
    let found = replay(
        &[&version(&[(1, 0, 0), (2, 0, 0)])],
        &CompositionLimits::default(),
    );
    assert_eq!(
        (found.together.alone, found.together.perfect, found.holds),
        (2, 0, true)
    );
}

#[test]
fn nobody_is_in_two_groups_or_nowhere() {
    let member = |person, group| Member {
        person,
        value: 0,
        group,
    };
    assert!(Version::new(2, vec![member(1, 0), member(1, 1)]).is_err());
    let twice = Version::new(1, vec![member(1, 0), member(1, 0)])
        .ok()
        .unwrap();
    assert_eq!((twice.people(), twice.members().len()), (1, 2));
    assert!(Version::new(1, vec![member(1, 1)]).is_err());
    assert!(Version::new(0, vec![]).is_ok());
    let gaps = Version::new(4, vec![member(1, 2)]).ok().unwrap();
    assert_eq!(
        (gaps.groups(), gaps.held(0), gaps.held(2), gaps.held(3)),
        (4, &[][..], &[(0, 1)][..], &[][..])
    );
}
