//! The composition engine against a naive reference on texts and sets, on thousands of generated
//! releases.

use crate::composition_naive::labels::Sort;
use crate::composition_naive::world::{Release, World};
use crate::composition_naive::{
    Group, canonical, fits, groups, intersect, likelihoods, most_specific, nearest, volumes,
};
use mingle_model::{Cube, Missing};
use mingle_privacy::composition::{Choice, Error, Location, Overlay, People, Reader, Scratch};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// A person's texts as the cube has them, by tuple.
fn texts(cube: &Cube, tuple: usize) -> Vec<String> {
    cube.quasi_identifiers()
        .iter()
        .map(|qi| qi.domain.text(qi.codes.get(tuple)).to_owned())
        .collect()
}

/// Which tuple a person is.
fn tuple_of(cube: &Cube, person: &[String]) -> usize {
    let same = |a: &str, b: &str| {
        canonical(a) == canonical(b) || a.parse::<f64>().is_ok_and(|n| b.parse() == Ok(n))
    };
    let found =
        (0..cube.tuples()).find(|&t| texts(cube, t).iter().zip(person).all(|(a, b)| same(a, b)));
    found.expect("everybody is in the cube")
}

struct Laid<'a> {
    world: &'a World,
    cube: &'a Cube,
    releases: &'a [Release],
    groups: Vec<Vec<Group>>,
    overlay: Overlay<'a>,
}

impl Laid<'_> {
    /// The groups that fit by the definition, release by release; checked against the engine's.
    fn fitting(&self, person: &[String], tuple: usize, scratch: &mut Scratch) -> Vec<Vec<usize>> {
        let one = |(j, release): (usize, &Release)| {
            let engine: Vec<usize> = self
                .overlay
                .fitting(j, tuple, scratch)
                .iter()
                .map(|&g| g as usize)
                .collect();
            let groups = &self.groups[j];
            if release.centroids {
                let near = nearest(self.world, release, groups, person);
                // exact ties may be split by rounding, but nothing that is farther may be taken
                let of = |found: &[usize]| {
                    found
                        .iter()
                        .map(|&g| groups[g].0.clone())
                        .collect::<Vec<_>>()
                };
                let good = !engine.is_empty() && engine.iter().all(|g| near.contains(g));
                assert!(
                    good,
                    "{person:?} of {:?}: {:?} and not {:?}",
                    self.world.names(release),
                    of(&engine),
                    of(&near)
                );
                return engine;
            }
            let all: Vec<usize> = (0..groups.len())
                .filter(|&g| fits(self.world, release, &groups[g], person))
                .collect();
            let differ: Vec<&Vec<String>> = (0..groups.len())
                .filter(|g| engine.contains(g) != all.contains(g))
                .map(|g| &groups[g].0)
                .collect();
            assert!(
                engine == all,
                "{person:?} of {:?} in {differ:?}?",
                self.world.names(release)
            );
            all
        };
        self.releases.iter().enumerate().map(one).collect()
    }

    fn compare(
        &self,
        tuple: usize,
        choice: Choice<'_>,
        taken: &[Vec<usize>],
        scratch: &mut Scratch,
    ) {
        let expected = intersect(&self.groups, taken);
        let found = self.overlay.person(tuple, choice, scratch);
        assert_eq!(
            (found.releases, found.prior),
            (expected.releases, expected.prior()),
            "{choice:?}"
        );
        assert_eq!(
            (scratch.priors(), scratch.fits()),
            (&expected.priors[..], &expected.fits[..]),
            "{choice:?}"
        );
        let text = |&value: &u32| canonical(self.overlay.value(value)).to_owned();
        let left: BTreeSet<String> = scratch.candidates().iter().map(text).collect();
        let expected_left: BTreeSet<String> = expected
            .candidates
            .iter()
            .map(|v| canonical(v).to_owned())
            .collect();
        assert_eq!(
            (left, found.posterior as usize),
            (expected_left, expected.candidates.len()),
            "{choice:?}"
        );
        let shares = self.overlay.likelihoods(tuple, choice, scratch);
        let expected_shares = likelihoods(&self.groups, taken);
        assert_eq!(shares.len(), expected_shares.len());
        for (value, share) in scratch.candidates().to_vec().iter().zip(shares) {
            let (_, expected) = expected_shares
                .iter()
                .find(|(v, _)| canonical(v) == text(value))
                .unwrap();
            assert!((share - expected).abs() < 1e-9, "{share} {expected}");
        }
    }
}

/// All choices on everybody.
fn compare(world: &World, releases: &[Release], random: &mut ChaCha8Rng) -> Option<u64> {
    let (cube, missing, sources) = (world.cube(), Missing::default(), world.hierarchies());
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
    for (j, release) in releases.iter().enumerate() {
        let location = if release.centroids {
            Location::Nearest
        } else {
            Location::Containment
        };
        let reader = Reader {
            location,
            ..Reader::new("release")
        };
        match overlay.add(&reader, &world.published(release)) {
            Ok(()) => {}
            Err(Error::Coding { .. }) => {
                let values =
                    |r: &Release| r.rows.iter().map(|r| r.1.clone()).collect::<BTreeSet<_>>();
                assert!(values(&releases[0]).is_disjoint(&values(&releases[j])));
                return None;
            }
            Err(other) => panic!("{other}"),
        }
    }
    let groups: Vec<Vec<Group>> = releases.iter().map(groups).collect();
    let volumes: Vec<Vec<u128>> = releases
        .iter()
        .zip(&groups)
        .map(|(r, g)| volumes(world, r, g))
        .collect();
    let laid = Laid {
        world,
        cube: &cube,
        releases,
        groups,
        overlay,
    };
    let mut scratch = Scratch::default();
    for (person, own) in &world.people {
        let tuple = tuple_of(laid.cube, person);
        let fitting = laid.fitting(person, tuple, &mut scratch);
        laid.compare(tuple, Choice::Union, &fitting, &mut scratch);
        // the nearest centroid is as specific as it gets
        let specific = |j: usize, fitting: &[usize]| {
            if releases[j].centroids {
                fitting.to_vec()
            } else {
                most_specific(&volumes[j], fitting)
            }
        };
        let closest: Vec<Vec<usize>> = fitting
            .iter()
            .enumerate()
            .map(|(j, f)| specific(j, f))
            .collect();
        laid.compare(tuple, Choice::MostSpecific, &closest, &mut scratch);
        let told: Vec<Option<u32>> = laid
            .groups
            .iter()
            .map(|groups| {
                random
                    .random_bool(0.5)
                    .then(|| random.random_range(0..groups.len() as u32))
            })
            .collect();
        let taken = |(j, told): (usize, &Option<u32>)| {
            told.map_or(closest[j].clone(), |g| vec![g as usize])
        };
        let taken: Vec<Vec<usize>> = told.iter().enumerate().map(taken).collect();
        laid.compare(tuple, Choice::Told(&told), &taken, &mut scratch);
        let holding = |(j, fitting): (usize, &Vec<usize>)| {
            let holds = |&&g: &&usize| laid.groups[j][g].1.contains_key(own);
            specific(
                j,
                &fitting.iter().filter(holds).copied().collect::<Vec<_>>(),
            )
        };
        let taken: Vec<Vec<usize>> = fitting.iter().enumerate().map(holding).collect();
        let value = (0..laid.overlay.values() as u32)
            .find(|&v| canonical(laid.overlay.value(v)) == canonical(own));
        laid.compare(tuple, Choice::Holding(value), &taken, &mut scratch);
    }
    Some(world.people.len() as u64)
}

#[test]
fn the_engine_finds_what_the_definitions_say() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut rounds, mut people) = (0, 0);
    for round in 0..2000 {
        let world = World::random(&mut random);
        let n = random.random_range(2..5);
        let centroids = round % 4 == 0;
        let release = |random: &mut ChaCha8Rng| {
            let nearest = centroids && random.random_bool(0.6);
            world.release(random, nearest)
        };
        let releases: Vec<Release> = (0..n).map(|_| release(&mut random)).collect();
        if let Some(compared) = compare(&world, &releases, &mut random) {
            rounds += 1;
            people += compared;
        }
    }
    // a comparison that hardly ever takes place finds nothing
    assert!(
        rounds > 1800 && people > 20_000,
        "{rounds} rounds, {people} people"
    );
}

/// Alice, and the two hospitals of the paper.
fn two_hospitals() -> (World, [Release; 2]) {
    let columns = vec![("zip", Sort::Code), ("age", Sort::Number)];
    let alice = (vec!["13012".to_owned(), "28".to_owned()], "AIDS".to_owned());
    let world = World {
        columns,
        people: vec![alice],
        distances: Default::default(),
    };
    let release = |rows: &[(&str, &[&str])]| {
        let row = |(age, values): &(&str, &[&str])| {
            let labels = vec!["130**".to_owned(), (*age).to_owned()];
            values
                .iter()
                .map(|v| (labels.clone(), (*v).to_owned()))
                .collect::<Vec<_>>()
        };
        Release {
            columns: vec![0, 1],
            rows: rows.iter().flat_map(row).collect(),
            centroids: false,
        }
    };
    let first = release(&[
        (
            "<30",
            &[
                "AIDS",
                "Heart Disease",
                "Viral Infection",
                "Viral Infection",
            ],
        ),
        (
            "≥40",
            &[
                "Cancer",
                "Heart Disease",
                "Viral Infection",
                "Viral Infection",
            ],
        ),
        ("3*", &["Cancer", "Cancer", "Cancer", "Cancer"]),
    ]);
    let second = release(&[
        (
            "<35",
            &[
                "AIDS",
                "Tuberculosis",
                "Flu",
                "Tuberculosis",
                "Cancer",
                "Cancer",
            ],
        ),
        (
            "≥35",
            &[
                "Cancer",
                "Cancer",
                "Cancer",
                "Tuberculosis",
                "Viral Infection",
                "Viral Infection",
            ],
        ),
    ]);
    (world, [first, second])
}

/// What is left of the world's first person.
fn left(world: &World, releases: &[Release]) -> BTreeSet<String> {
    let (cube, missing) = (world.cube(), Missing::default());
    let mut overlay = Overlay::new(
        People {
            cube: &cube,
            missing: &missing,
            hierarchies: Vec::new(),
        },
        "disease",
    );
    releases.iter().for_each(|r| {
        overlay
            .add(&Reader::new("hospital"), &world.published(r))
            .unwrap()
    });
    let mut scratch = Scratch::default();
    let found = overlay.person(
        tuple_of(&cube, &world.people[0].0),
        Choice::Union,
        &mut scratch,
    );
    assert_eq!(
        (found.releases, found.posterior as usize),
        (2, scratch.candidates().len())
    );
    scratch
        .candidates()
        .iter()
        .map(|&value| overlay.value(value).to_owned())
        .collect()
}

#[test]
fn a_release_that_must_be_broken_is() {
    let (world, hospitals) = two_hospitals();
    assert_eq!(
        left(&world, &hospitals),
        BTreeSet::from(["AIDS".to_owned()])
    );
}

#[test]
fn a_release_that_must_not_be_broken_is_not() {
    let (mut world, hospitals) = two_hospitals();
    // one row of the second hospital as the first has it
    let [first, mut second] = hospitals;
    second.rows[2].1 = "Viral Infection".to_owned();
    assert_eq!(
        left(&world, &[first, second]),
        BTreeSet::from(["AIDS".to_owned(), "Viral Infection".to_owned()])
    );
    // a reader who does not know the age
    let (_, [first, second]) = two_hospitals();
    world.people[0].0[1] = "?".to_owned();
    let (cube, missing) = (world.cube(), Missing::default());
    let mut overlay = Overlay::new(
        People {
            cube: &cube,
            missing: &missing,
            hierarchies: Vec::new(),
        },
        "disease",
    );
    let age = ["age".to_owned()];
    for release in [first, second] {
        overlay
            .add(
                &Reader {
                    without: &age,
                    ..Reader::new("hospital")
                },
                &world.published(&release),
            )
            .unwrap();
    }
    assert_eq!(
        overlay
            .person(0, Choice::Union, &mut Scratch::default())
            .posterior,
        3
    );
    assert_eq!(
        overlay
            .person(0, Choice::MostSpecific, &mut Scratch::default())
            .posterior,
        3
    );
}
