//! People with several rows, counted person by person from the definition.

use super::tests::{Groups, below, disease, overlay, release};
use super::*;
use crate::utility::example::table;
use mingle_model::{Codes, ColumnSpec, Cube, Kind, Role};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::{BTreeMap, BTreeSet};

/// Age and disease of each of somebody's rows.
type Visits = Vec<(u32, &'static str)>;

fn cube(people: &[Visits]) -> Cube {
    let column = |name, role, kind| ColumnSpec {
        kind: Some(kind),
        ..ColumnSpec::new(name, role)
    };
    let specs = [
        column("age", Role::QuasiIdentifier, Kind::Integer),
        column("disease", Role::Sensitive, Kind::Category),
    ];
    let (mut rows, mut whose) = (Vec::new(), Vec::new());
    for (person, visits) in people.iter().enumerate() {
        for (age, disease) in visits {
            rows.push(vec![age.to_string(), (*disease).to_owned(), "P".to_owned()]);
            whose.push(person as u32);
        }
    }
    let mut table = table(&specs, &rows);
    table.person_of = Some(whose.into_iter().collect::<Codes>());
    Cube::new(table)
}

/// What one reader makes of one person who may know one of her values: by release the groups that
/// are taken, the smallest prior, and what is left.
struct Made {
    taken: Vec<usize>,
    prior: usize,
    left: BTreeSet<&'static str>,
}

impl Made {
    fn releases(&self) -> usize {
        self.taken.iter().filter(|&&groups| groups > 0).count()
    }
}

fn make(
    reader: IntersectionChoice,
    releases: &[Groups],
    visits: &Visits,
    (ages, knows): (&BTreeSet<u32>, Option<&str>),
) -> Made {
    let mut made = Made {
        taken: Vec::new(),
        prior: usize::MAX,
        left: BTreeSet::new(),
    };
    let mut first = true;
    for groups in releases {
        // how many of her rows each group covers, as far as it holds what is known
        let mut fitting = Vec::new();
        for ((low, high), values) in groups {
            let own: BTreeSet<u32> = visits.iter().map(|visit| visit.0).collect();
            let covered = own.range(low..=high).count();
            if covered > 0 && knows.is_none_or(|value| values.contains(&value)) {
                fitting.push((covered, ages.range(low..=high).count(), values));
            }
        }
        if reader != IntersectionChoice::Union {
            let most = fitting.iter().map(|group| group.0).max();
            fitting.retain(|group| Some(group.0) == most);
            let least = fitting.iter().map(|group| group.1).min();
            fitting.retain(|group| Some(group.1) == least);
        }
        made.taken.push(fitting.len());
        if fitting.is_empty() {
            continue;
        }
        let held: BTreeSet<&'static str> = fitting
            .iter()
            .flat_map(|group| group.2.iter().copied())
            .collect();
        made.prior = made.prior.min(held.len());
        made.left = if first {
            held
        } else {
            made.left.intersection(&held).copied().collect()
        };
        first = false;
    }
    made
}

/// The counts, by name.
fn naive(
    people: &[Visits],
    releases: &[Groups],
    reader: IntersectionChoice,
) -> BTreeMap<&'static str, u64> {
    let ages: BTreeSet<u32> = people.iter().flatten().map(|visit| visit.0).collect();
    let mut counts = BTreeMap::new();
    let mut count = |name| *counts.entry(name).or_insert(0) += 1;
    for visits in people {
        let values: BTreeSet<&str> = visits.iter().map(|visit| visit.1).collect();
        let known: BTreeSet<&str> = values.iter().copied().filter(|&v| v != "?").collect();
        // whoever is told the right groups knows one of her values: the one that leaves least
        let mut all = Vec::new();
        if reader == IntersectionChoice::True && !known.is_empty() {
            for &value in &known {
                all.push(make(reader, releases, visits, (&ages, Some(value))));
            }
        } else {
            all.push(make(reader, releases, visits, (&ages, None)));
        }
        let badness = |made: &Made| (made.releases() < 2 || made.left.is_empty(), made.left.len());
        let least = all.iter().map(badness).min().unwrap();
        let made = all.iter().find(|made| badness(made) == least).unwrap();
        count("people");
        if made.releases() < 2 {
            count("alone");
            continue;
        }
        if !known.is_empty() {
            count("known");
        }
        if made.left.is_empty() {
            count("apart");
            continue;
        }
        if made.left.len() == 1 {
            count("perfect");
            if made.prior == 1 {
                count("already");
            }
        }
        if made.left.len() < made.prior {
            count("vulnerable");
        }
        if made.left.iter().any(|value| known.contains(value)) {
            count("among");
            if made.left.len() == 1 {
                count("right");
            }
        }
    }
    counts
}

#[test]
fn people_are_counted_by_the_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(18);
    let (mut perfect, mut right) = (0, 0);
    for round in 0..600 {
        let mut people = Vec::new();
        for _ in 0..1 + below(&mut random, 6) {
            let mut visits = Vec::new();
            for _ in 0..1 + below(&mut random, 3) {
                let age = below(&mut random, 24);
                let own = below(&mut random, 6) as usize;
                visits.push((age, ["flu", "gout", "cold", "AIDS", "cancer", "?"][own]));
            }
            people.push(visits);
        }
        // somebody has several rows
        people[0].push((3, disease(&mut random, 4)));
        let cube = cube(&people);
        assert!(cube.people().is_some());
        let releases: Vec<Groups> = (0..2 + below(&mut random, 2))
            .map(|_| release(&mut random))
            .collect();
        let overlay = overlay(&cube, &releases);
        for reader in IntersectionChoice::ALL {
            let options = IntersectionOptions {
                probabilistic: true,
            };
            let found = play(&overlay, reader, options);
            let expected = naive(&people, &releases, reader);
            let of = |name| expected.get(name).copied().unwrap_or(0);
            let figures = [
                ("people", found.people),
                ("alone", found.alone()),
                ("apart", found.apart),
                ("perfect", found.perfect()),
                ("already", found.perfect_already),
                ("vulnerable", found.vulnerable()),
            ];
            for (name, figure) in figures {
                assert_eq!(figure, of(name), "round {round}, {reader:?}: {name}");
            }
            // where nobody's value is known nothing is scored
            let score = found.score.unwrap_or_default();
            let scored = [score.known, score.among, score.perfect_right];
            assert_eq!(
                scored,
                ["known", "among", "right"].map(of),
                "round {round}, {reader:?}"
            );
            let perfect_one = first_perfect(&overlay, reader, false);
            assert_eq!(perfect_one.is_some(), found.perfect() > 0);
            perfect += found.perfect();
            right += score.perfect_right;
        }
    }
    assert!(perfect > 300 && right > 100, "{perfect} {right}");
}

/// Two visits, two ages: she is in one group of each release, and one disease is in both.
#[test]
fn somebody_with_two_rows_is_found_out() {
    let first: Groups = vec![((20, 29), vec!["flu", "gout"]), ((30, 39), vec!["cold"])];
    let second: Groups = vec![((20, 39), vec!["gout", "cancer"]), ((40, 49), vec!["cold"])];
    let releases = [first, second];
    let people = [vec![(25, "gout"), (26, "flu")], vec![(45, "cold")]];
    let cube = cube(&people);
    let overlay = overlay(&cube, &releases);
    for reader in IntersectionChoice::ALL {
        let found = play(&overlay, reader, IntersectionOptions::default());
        assert_eq!((found.people, found.perfect()), (2, 1), "{reader:?}");
        let score = found.score.unwrap();
        assert_eq!((score.perfect, score.perfect_right), (1, 1), "{reader:?}");
    }
}

/// Her two values are both in both releases: whichever it is that stayed, two are left.
#[test]
fn a_release_that_withstands() {
    let first: Groups = vec![((20, 29), vec!["flu", "gout", "cold"])];
    let second: Groups = vec![((20, 39), vec!["gout", "flu", "cancer"])];
    let releases = [first, second];
    let people = [vec![(25, "gout"), (26, "flu")]];
    let cube = cube(&people);
    let overlay = overlay(&cube, &releases);
    for reader in IntersectionChoice::ALL {
        let found = play(&overlay, reader, IntersectionOptions::default());
        assert_eq!((found.people, found.perfect()), (1, 0), "{reader:?}");
        assert_eq!(found.posterior.least(), Some(2));
    }
}
