//! Joint verification of a table that exists, and counts with shares of noise.

use super::disk::Disk;
use super::network::Network;
use super::world::{KnownNoise, World};
use crate::simulation::Dice;
use mingle_dp::{Amount, Epsilon};
use mingle_privacy::{Attribute, L};
use mingle_protocol::horizontal::{
    BoardLimits, Caps, CountedTables, ExistingTable, KeptRecord, RelayBoard, RevealLevel, RunTask,
};
use mingle_protocol::{Error, Status};
use std::collections::BTreeSet;

/// Per provider, group and combination a count.
type Contributions = Vec<Vec<Vec<u64>>>;

fn contributions(dice: &mut Dice, world: &World) -> Contributions {
    let combinations = world.schema.combinations();
    let groups = 1 + dice.below(5) as usize;
    let mut all = Vec::new();
    for _ in 0..world.providers() {
        let count = |dice: &mut Dice| if dice.once_in(2) { 0 } else { dice.below(6) };
        let group = |dice: &mut Dice| (0..combinations).map(|_| count(dice)).collect::<Vec<u64>>();
        all.push((0..groups).map(|_| group(dice)).collect());
    }
    all
}

fn published(all: &Contributions) -> Vec<Vec<u64>> {
    let mut sum = vec![vec![0; all[0][0].len()]; all[0].len()];
    for own in all {
        for (sum, group) in sum.iter_mut().zip(own) {
            for (sum, count) in sum.iter_mut().zip(group) {
                *sum += count;
            }
        }
    }
    sum
}

fn network(world: &World, task: impl Fn(usize) -> RunTask) -> Network {
    let mut network = Network {
        parties: Vec::new(),
        disks: Vec::new(),
        board: RelayBoard::new(BoardLimits::default()),
    };
    for seat in 0..world.providers() {
        let disk = Disk::default();
        network
            .parties
            .push(world.party_for(seat, &disk, task(seat)).expect("a party"));
        network.disks.push(disk);
    }
    network
}

/// Every coalition of at most m takes its own out of a group: rows and values that are left.
fn withstands(all: &Contributions, group: usize, m: u64, holds: &dyn Fn(&[u64]) -> bool) -> bool {
    for coalition in 0u32..1 << all.len() {
        if u64::from(coalition.count_ones()) > m {
            continue;
        }
        let mut left = vec![0; all[0][group].len()];
        for (seat, own) in all.iter().enumerate() {
            if coalition >> seat & 1 == 0 {
                for (left, count) in left.iter_mut().zip(&own[group]) {
                    *left += count;
                }
            }
        }
        if !holds(&left) {
            return false;
        }
    }
    true
}

fn codes(world: &World, combination: usize, at: usize) -> usize {
    let sizes: Vec<usize> = world
        .schema
        .sensitive()
        .iter()
        .map(|c| c.domain.len())
        .collect();
    let below: usize = sizes[at + 1..].iter().product();
    combination / below % sizes[at]
}

fn verify(level: RevealLevel, cases: u64) {
    let (mut proved, mut not_shown) = (0, 0);
    for seed in 0..cases {
        let world = World::generated(seed, level);
        let mut dice = Dice::new(seed + 5000);
        let all = contributions(&mut dice, &world);
        let table = published(&all);
        let task = |seat: usize| {
            RunTask::Verify(ExistingTable {
                published: table.clone(),
                own: all[seat].clone(),
            })
        };
        let mut network = network(&world, task);
        network.run();
        assert!(
            network.statuses().iter().all(|s| *s == Status::Published),
            "{:?}",
            network.statuses()
        );
        let verdict = network.disks[0]
            .lock()
            .expect("a disk")
            .verification
            .clone()
            .expect("a verdict");
        let terms = &world.terms;
        let k = terms.k().expect("a k").0;
        let mut k_fails = 0;
        for group in 0..table.len() {
            k_fails += u64::from(!withstands(&all, group, terms.m.0, &|left| {
                left.iter().sum::<u64>() >= k
            }));
        }
        assert!(
            verdict.k_not_shown >= k_fails,
            "seed {seed}: k is claimed and does not hold"
        );
        if terms.caps == Caps::Exact {
            assert_eq!(verdict.k_not_shown, k_fails, "seed {seed}");
        }
        let promised = terms
            .promises
            .iter()
            .filter_map(|p| Some((p.rule.as_distinct_diversity()?, p.attribute)));
        let promised: Vec<(L, Option<Attribute>)> = promised.collect();
        assert_eq!(promised.len(), verdict.l_not_shown.len());
        for ((l, attribute), shown) in promised.into_iter().zip(&verdict.l_not_shown) {
            let Some(Attribute::Column(at)) = attribute else {
                continue;
            };
            let distinct = |left: &[u64]| {
                let held = left.iter().enumerate().filter(|(_, count)| **count > 0);
                let missing = world.schema.sensitive()[at].domain.missing();
                held.map(|(c, _)| codes(&world, c, at))
                    .filter(|&code| missing != Some(code as u32))
                    .collect::<BTreeSet<usize>>()
                    .len() as u64
                    >= l.0
            };
            let mut fails = 0;
            for group in 0..table.len() {
                fails += u64::from(!withstands(&all, group, terms.m.0, &distinct));
            }
            assert!(
                *shown >= fails,
                "seed {seed}: l is claimed and does not hold"
            );
        }
        proved += u64::from(verdict.is_proved());
        not_shown += u64::from(!verdict.is_proved());
    }
    assert!(proved > 0 && not_shown > 0, "{proved} {not_shown}");
}

#[test]
fn what_is_proved_withstands_every_coalition() {
    verify(RevealLevel::Sums, 80);
    verify(RevealLevel::Bits, 25);
}

#[test]
fn contributions_that_do_not_add_up_are_refused() {
    for level in RevealLevel::ALL {
        let world = World::generated(4, level);
        let mut dice = Dice::new(1);
        let all = contributions(&mut dice, &world);
        let mut table = published(&all);
        table[0][0] += 1;
        let task = |seat: usize| {
            RunTask::Verify(ExistingTable {
                published: table.clone(),
                own: all[seat].clone(),
            })
        };
        let mut network = network(&world, task);
        network.run();
        let expected = Status::Aborted(Error::DoesNotAddUp { cells: 1 });
        assert!(
            network.statuses().contains(&expected),
            "{:?}",
            network.statuses()
        );
    }
}

#[test]
fn counts_are_the_sum_with_everybodys_noise() {
    for seed in 0..20 {
        let world = World::generated(seed, RevealLevel::Sums);
        let mut dice = Dice::new(seed);
        let own: Vec<Vec<Vec<u64>>> = (0..world.providers())
            .map(|_| vec![vec![dice.below(50); 6], vec![dice.below(9); 3]])
            .collect();
        let task = |seat: usize| {
            RunTask::Count(CountedTables {
                names: vec!["age".to_owned(), "sex".to_owned()],
                own: own[seat].clone(),
                epsilon: Epsilon(Amount::parse("1").expect("an amount")),
                delta: Amount::BILLIONTH,
                weights: vec![2, 1],
            })
        };
        let mut network = network(&world, task);
        network.run();
        assert!(network.statuses().iter().all(|s| *s == Status::Published));
        for (look, cells) in [6usize, 3].into_iter().enumerate() {
            let mut expected = vec![0i64; cells];
            for (seat, own) in own.iter().enumerate() {
                let draws = KnownNoise::draws(seat, look as u64, cells);
                for (at, sum) in expected.iter_mut().enumerate() {
                    *sum += own[look][at] as i64 + draws[at];
                }
            }
            for disk in &network.disks {
                let disk = disk.lock().expect("a disk");
                let counts = disk.counts.as_ref().expect("counts");
                assert_eq!(counts.tables[look], expected, "seed {seed}");
                assert_eq!(counts.colluding, world.terms.m.0.max(1));
                // charged once, and before anything noisy was said
                let spent = |record: &&KeptRecord| matches!(record, KeptRecord::NoiseSpent);
                assert_eq!(disk.kept.iter().filter(spent).count(), 1);
            }
        }
    }
}
