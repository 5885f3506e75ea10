//! The audit of a table that is to be published against a naive reference, on random partitions of
//! random people.

use crate::composition_naive::world::{Release, World};
use crate::composition_naive::{Group, fits, groups, intersect, most_specific, volumes};
use mingle_model::{Cell, Code, Cube, Missing, Partition, Published};
use mingle_privacy::Ratio;
use mingle_privacy::composition::{
    Audit, CompositionLimits, Error, Exposure, Location, Overlay, People, Reader, audit,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Groups at random, each with the smallest cells that cover it or wider ones; some records are
/// left out.
fn partition(cube: &Cube, random: &mut ChaCha8Rng) -> Partition {
    let groups = random.random_range(1..6u32);
    let mut group_of = Vec::new();
    for tuple in 0..cube.tuples() {
        let group = random.random_range(0..groups);
        for _ in cube.records_of(tuple) {
            let own = if random.random_bool(0.2) {
                random.random_range(0..groups)
            } else {
                group
            };
            group_of.push(if random.random_bool(0.1) {
                Partition::SUPPRESSED
            } else {
                own
            });
        }
    }
    let tuples_of = |group: u32| {
        let inside = |t: &usize| group_of[cube.records_of(*t)].contains(&group);
        (0..cube.tuples()).filter(inside).collect::<Vec<usize>>()
    };
    let mut cells = Vec::new();
    for group in 0..groups {
        for qi in cube.quasi_identifiers() {
            let codes: Vec<Code> = tuples_of(group)
                .into_iter()
                .map(|t| qi.codes.get(t))
                .collect();
            cells.push(match (codes.iter().min(), codes.iter().max()) {
                (Some(&lo), Some(&hi)) if random.random_bool(0.9) => Cell::Span { lo, hi },
                _ => Cell::All,
            });
        }
    }
    Partition { cells, group_of }
}

/// Our table as a release of texts, and per record its row there; none where it was left out.
fn own_release(world: &World, cube: &Cube, own: &Published) -> (Release, Vec<Option<Vec<String>>>) {
    let columns = (0..world.columns.len()).collect();
    let mut rows = Vec::new();
    let mut labels_of = Vec::new();
    for (record, &group) in cube.records().iter().zip(own.group_of()) {
        let labels = (group != Partition::SUPPRESSED).then(|| {
            own.describe(group as usize)
                .map(|(_, label)| label.to_owned())
                .collect::<Vec<String>>()
        });
        let column = &cube.sensitive()[0];
        let value = column
            .domain
            .text(column.codes.get(record.sensitive as usize))
            .to_owned();
        // the releases of the world spell a missing value like this
        let value = if value.is_empty() {
            "?".to_owned()
        } else {
            value
        };
        labels
            .iter()
            .for_each(|l| (0..record.count).for_each(|_| rows.push((l.clone(), value.clone()))));
        labels_of.push(labels);
    }
    (
        Release {
            columns,
            rows,
            centroids: false,
        },
        labels_of,
    )
}

/// The three readers, by the definitions.
fn naive(
    world: &World,
    cube: &Cube,
    others: &[Release],
    own: &Published,
    limits: &CompositionLimits,
) -> [Exposure; 3] {
    let (mine, labels_of) = own_release(world, cube, own);
    let releases: Vec<&Release> = others.iter().chain([&mine]).collect();
    let all: Vec<Vec<Group>> = releases.iter().map(|r| groups(r)).collect();
    let sizes: Vec<Vec<u128>> = releases
        .iter()
        .zip(&all)
        .map(|(r, g)| volumes(world, r, g))
        .collect();
    let mut exposures = [
        Exposure::default(),
        Exposure::default(),
        Exposure::default(),
    ];
    for tuple in 0..cube.tuples() {
        let person: Vec<String> = cube
            .quasi_identifiers()
            .iter()
            .map(|qi| qi.domain.text(qi.codes.get(tuple)).to_owned())
            .collect();
        let fitting = |j: usize| -> Vec<usize> {
            (0..all[j].len())
                .filter(|&g| fits(world, releases[j], &all[j][g], &person))
                .collect()
        };
        let union: Vec<Vec<usize>> = (0..releases.len()).map(fitting).collect();
        let specific: Vec<Vec<usize>> = union
            .iter()
            .zip(&sizes)
            .map(|(f, s)| most_specific(s, f))
            .collect();
        for record in cube.records_of(tuple) {
            let Some(labels) = &labels_of[record] else {
                continue;
            };
            let column = &cube.sensitive()[0];
            let value = column
                .domain
                .text(column.codes.get(cube.records()[record].sensitive as usize));
            let value = if value.is_empty() { "?" } else { value };
            let holding = |j: usize| {
                let holds = |&&g: &&usize| all[j][g].1.iter().any(|(v, _)| v == value);
                most_specific(
                    &sizes[j],
                    &union[j].iter().filter(holds).copied().collect::<Vec<_>>(),
                )
            };
            let mut told: Vec<Vec<usize>> = (0..releases.len()).map(holding).collect();
            *told.last_mut().unwrap() = vec![
                all.last()
                    .unwrap()
                    .iter()
                    .position(|g| g.0 == *labels)
                    .unwrap(),
            ];
            let people = cube.records()[record].count;
            for (exposure, taken) in exposures.iter_mut().zip([&union, &specific, &told]) {
                let others = intersect(&all[..others.len()], &taken[..others.len()])
                    .candidates
                    .len();
                let learnt = intersect(&all, taken);
                add(exposure, &learnt, others, people, limits);
            }
        }
    }
    exposures
}

fn add(
    e: &mut Exposure,
    learnt: &crate::composition_naive::Learnt,
    others: usize,
    people: u64,
    limits: &CompositionLimits,
) {
    e.targets += people;
    let (left, prior) = (learnt.candidates.len(), learnt.prior());
    match (learnt.releases, left) {
        (0 | 1, _) => e.alone += people,
        (_, 0) => e.apart += people,
        _ => {
            e.posteriors += left as u64 * people;
            e.priors += u64::from(prior) * people;
            e.vulnerable += if (left as u32) < prior { people } else { 0 };
            e.perfect += if left == 1 { people } else { 0 };
            e.perfect_already += if left == 1 && others == 1 { people } else { 0 };
            let below = limits.min_posterior.is_some_and(|min| (left as u64) < min);
            e.below += if below { people } else { 0 };
            e.below_already += if below && others == left { people } else { 0 };
            e.least = Some(e.least.map_or(left as u32, |least| least.min(left as u32)));
        }
    }
}

/// Whether limits hold, in words: neither share nor anybody above what is tolerated, whom others
/// expose left out where they do not count.
fn holds(e: &Exposure, limits: &CompositionLimits) -> bool {
    let except = limits.except_already_exposed;
    let perfect = e.perfect - if except { e.perfect_already } else { 0 };
    let below = e.below - if except { e.below_already } else { 0 };
    let few = limits.max_perfect_breach.is_none_or(|most| {
        u128::from(perfect) * u128::from(most.denominator())
            <= u128::from(e.targets) * u128::from(most.numerator())
    });
    few && below == 0
}

fn limits(random: &mut ChaCha8Rng) -> CompositionLimits {
    let shares = [
        None,
        Ratio::new(0, 1),
        Ratio::new(1, 10),
        Ratio::new(1, 3),
        Ratio::new(1, 1),
    ];
    CompositionLimits {
        max_perfect_breach: shares[random.random_range(0..shares.len())],
        min_posterior: [None, Some(1), Some(2), Some(3)][random.random_range(0..4)],
        except_already_exposed: random.random_bool(0.5),
    }
}

#[test]
fn the_audit_counts_what_the_definitions_say() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for _ in 0..1200 {
        let world = World::random(&mut random);
        let (cube, missing, sources) = (world.cube(), Missing::default(), world.hierarchies());
        let own = Published::from_partition(
            &Arc::new(cube.clone()),
            &partition(&cube, &mut random),
            &missing,
        )
        .unwrap();
        let others: Vec<Release> = (0..random.random_range(1..4))
            .map(|_| world.release(&mut random, false))
            .collect();
        let hierarchies = sources
            .iter()
            .map(|(name, source)| (*name, source))
            .collect();
        let mut overlay = Overlay::new(
            People {
                cube: &cube,
                missing: &missing,
                hierarchies,
            },
            "disease",
        );
        let laid = others
            .iter()
            .try_for_each(|r| overlay.add(&Reader::new("other"), &world.published(r)));
        let limits = limits(&mut random);
        let audited =
            match laid.and_then(|()| audit(&mut overlay, &own, Location::Containment, &limits)) {
                Ok(audited) => audited,
                Err(Error::Coding { .. }) => continue,
                Err(other) => panic!("{other}"),
            };
        assert_eq!(overlay.len(), others.len(), "the table is taken away again");
        let expected = naive(&world, &cube, &others, &own, &limits);
        let Audit {
            union,
            most_specific,
            told,
            holds: verdict,
        } = &audited;
        assert_eq!([union, most_specific, told], expected.each_ref());
        assert_eq!(
            *verdict,
            expected.iter().all(|e| holds(e, &limits)),
            "{limits:?}"
        );
        let worst = expected.iter().map(|e| (e.perfect, e.below)).max().unwrap();
        assert_eq!((audited.worst().1.perfect, audited.worst().1.below), worst);
        let cases: [(&str, bool); 6] = [
            ("holds", *verdict),
            ("fails", !verdict),
            ("already", told.perfect_already > 0),
            ("below", told.below > told.below_already),
            ("told knows more", told.perfect > most_specific.perfect),
            (
                "saved by the exception",
                *verdict && limits.except_already_exposed && told.perfect > 0,
            ),
        ];
        cases
            .iter()
            .filter(|(_, is)| *is)
            .for_each(|(case, _)| *seen.entry(case).or_default() += 1);
    }
    // every case is met, or its comparison means nothing
    assert!(
        seen.len() == 6 && seen.values().all(|&times| times >= 20),
        "{seen:?}"
    );
}

#[test]
fn a_table_of_other_people_is_refused() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let (world, missing) = (World::random(&mut random), Missing::default());
    let cube = world.cube();
    let mut overlay = Overlay::new(
        People {
            cube: &cube,
            missing: &missing,
            hierarchies: Vec::new(),
        },
        "disease",
    );
    let release = world.published(&world.release(&mut random, false));
    assert_eq!(
        audit(
            &mut overlay,
            &release,
            Location::Containment,
            &CompositionLimits::default()
        )
        .err(),
        Some(Error::NotOurs)
    );
}
