use super::*;
use crate::utility::example::{MISSING, table};
use mingle_model::{ColumnSpec, Cube, Kind, Published, Role};
use mingle_privacy::Ratio;
use mingle_privacy::composition::{People, Reader as Release};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};

/// Age and disease of a person.
type Row = (u32, &'static str);

fn cube(people: &[Row]) -> Cube {
    let specs = [
        ColumnSpec {
            kind: Some(Kind::Integer),
            ..ColumnSpec::new("age", Role::QuasiIdentifier)
        },
        ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("disease", Role::Sensitive)
        },
    ];
    let row = |&(age, disease): &Row| vec![age.to_string(), disease.to_owned(), "P".to_owned()];
    Cube::new(table(&specs, &people.iter().map(row).collect::<Vec<_>>()))
}

/// A release: from an age to an age, and the diseases of the rows.
pub(super) type Groups = Vec<((u32, u32), Vec<&'static str>)>;

pub(super) fn published(groups: &Groups) -> Published {
    let specs = [
        ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("age", Role::QuasiIdentifier)
        },
        ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("disease", Role::Sensitive)
        },
    ];
    let row =
        |(lo, hi): (u32, u32), d: &str| vec![format!("[{lo}-{hi}]"), d.to_owned(), "P".to_owned()];
    let rows: Vec<Vec<String>> = groups
        .iter()
        .flat_map(|(ages, all)| all.iter().map(|d| row(*ages, d)))
        .collect();
    Published::from_table(&table(&specs, &rows))
}

pub(super) fn overlay<'a>(cube: &'a Cube, releases: &[Groups]) -> Overlay<'a> {
    let mut overlay = Overlay::new(
        People {
            cube,
            missing: &MISSING,
            hierarchies: Vec::new(),
        },
        "disease",
    );
    releases.iter().for_each(|r| {
        overlay
            .add(&Release::new("release"), &published(r))
            .unwrap()
    });
    overlay
}

const DISEASES: [&str; 6] = ["flu", "gout", "cold", "AIDS", "cancer", "?"];

pub(super) fn below(random: &mut ChaCha8Rng, n: u32) -> u32 {
    random.next_u32() % n
}

pub(super) fn disease(random: &mut ChaCha8Rng, among: u32) -> &'static str {
    DISEASES[below(random, among) as usize]
}

pub(super) fn release(random: &mut ChaCha8Rng) -> Groups {
    let mut ages = BTreeSet::new();
    while ages.len() < 3 {
        let low = below(random, 20);
        // no label stands for one age, so that equal labels mean equal ranges
        ages.insert((low, low + 1 + below(random, 8)));
    }
    let rows = |random: &mut _| {
        // a value that all releases have, so that they are coded alike
        let more = 1 + below(random, 4);
        ["flu"]
            .into_iter()
            .chain((0..more).map(|_| disease(random, 4)))
            .collect()
    };
    ages.into_iter().map(|ages| (ages, rows(random))).collect()
}

/// The groups that a reader takes, by the definition.
fn taken<'g>(
    reader: IntersectionChoice,
    release: &'g Groups,
    (age, own): Row,
    ages: &BTreeSet<u32>,
) -> Vec<&'g [&'static str]> {
    let knows = reader == IntersectionChoice::True && own != "?";
    let fits = |((lo, hi), values): &&((u32, u32), Vec<&'static str>)| {
        *lo <= age && age <= *hi && (!knows || values.contains(&own))
    };
    let fitting: Vec<_> = release.iter().filter(fits).collect();
    let width = |(lo, hi): (u32, u32)| ages.range(lo..=hi).count();
    let least = fitting.iter().map(|g| width(g.0)).min();
    let specific = |g: &&((u32, u32), Vec<&'static str>)| {
        reader == IntersectionChoice::Union || Some(width(g.0)) == least
    };
    fitting
        .into_iter()
        .filter(specific)
        .map(|g| &g.1[..])
        .collect()
}

/// The measures, person by person.
fn naive(people: &[Row], releases: &[Groups], reader: IntersectionChoice) -> IntersectionPlay {
    let ages: BTreeSet<u32> = people.iter().map(|p| p.0).collect();
    let mut play = IntersectionPlay {
        reader,
        people: people.len() as u64,
        by_releases: vec![0; releases.len() + 1],
        releases: vec![InRelease::default(); releases.len()],
        several: 0,
        apart: 0,
        prior: Sizes::default(),
        posterior: Sizes::default(),
        drop: Sizes::default(),
        perfect_already: 0,
        partial: 0,
        score: people.iter().any(|p| p.1 != "?").then(Score::default),
        likely: Some(Likely::default()),
    };
    for &person in people {
        let groups: Vec<_> = releases
            .iter()
            .map(|r| taken(reader, r, person, &ages))
            .collect();
        let sets: Vec<BTreeSet<&str>> = groups
            .iter()
            .map(|g| g.iter().copied().flatten().copied().collect())
            .collect();
        let spoken: Vec<&BTreeSet<&str>> = sets.iter().filter(|s| !s.is_empty()).collect();
        play.by_releases[spoken.len()] += 1;
        play.several += u64::from(groups.iter().any(|g| g.len() > 1));
        for (release, groups) in play.releases.iter_mut().zip(&groups) {
            release.fitting += u64::from(!groups.is_empty());
            release.several += u64::from(groups.len() > 1);
        }
        if spoken.len() < 2 {
            continue;
        }
        let left: Vec<&str> = spoken[0]
            .iter()
            .copied()
            .filter(|v| spoken.iter().all(|s| s.contains(v)))
            .collect();
        if let Some(score) = play.score.as_mut().filter(|_| person.1 != "?") {
            score.known += 1;
            score.among += u64::from(left.contains(&person.1));
            score.perfect += u64::from(left.len() == 1);
            score.perfect_right += u64::from(left == [person.1]);
        }
        if left.is_empty() {
            play.apart += 1;
            continue;
        }
        let prior = spoken.iter().map(|s| s.len()).min().unwrap();
        play.prior.count(prior as u32, 1);
        play.posterior.count(left.len() as u32, 1);
        play.drop.count((prior - left.len()) as u32, 1);
        let said = play
            .releases
            .iter_mut()
            .zip(&sets)
            .filter(|(_, s)| !s.is_empty());
        said.for_each(|(release, set)| release.prior.count(set.len() as u32, 1));
        play.perfect_already += u64::from(prior == 1);
        play.partial += u64::from(left.len() > 1 && left.len() < prior);
        likeliest(play.likely.as_mut().unwrap(), &groups, &left, person.1);
    }
    play
}

/// Multiplies shares; by then the sum of confidences and of right guesses is only near what another
/// order gives.
fn likeliest(likely: &mut Likely, groups: &[Vec<&[&'static str]>], left: &[&str], own: &str) {
    let share = |value: &str, groups: &[&[&str]]| {
        let rows = || groups.iter().copied().flatten();
        rows().filter(|v| **v == value).count() as f64 / rows().count() as f64
    };
    let spoken = || groups.iter().filter(|g| !g.is_empty());
    let mut weight: BTreeMap<&str, f64> = left
        .iter()
        .map(|v| (*v, spoken().map(|g| share(v, g)).product()))
        .collect();
    let total: f64 = weight.values().sum();
    weight.values_mut().for_each(|w| *w /= total);
    let best = weight.values().copied().fold(0.0, f64::max);
    let alike: Vec<&str> = weight
        .iter()
        .filter(|(_, w)| (**w - best).abs() < 1e-9)
        .map(|(v, _)| *v)
        .collect();
    let right = if alike.contains(&own) {
        1.0 / alike.len() as f64
    } else {
        0.0
    };
    likely.guess(best, (own != "?").then_some(right), 1);
}

#[test]
fn the_measures_are_what_the_definitions_say() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut perfect = 0;
    for round in 0..600 {
        let people: Vec<Row> = (0..1 + below(&mut random, 30))
            .map(|_| (below(&mut random, 25), disease(&mut random, 6)))
            .collect();
        let releases: Vec<Groups> = (0..2 + below(&mut random, 3))
            .map(|_| release(&mut random))
            .collect();
        let cube = cube(&people);
        let laid = overlay(&cube, &releases);
        for reader in IntersectionChoice::ALL {
            let mut found = play(
                &laid,
                reader,
                IntersectionOptions {
                    probabilistic: true,
                },
            );
            let mut expected = naive(&people, &releases, reader);
            let (mine, theirs) = (
                found.likely.take().unwrap(),
                expected.likely.take().unwrap(),
            );
            assert_eq!(found, expected, "round {round}");
            assert_eq!(
                (mine.people, mine.known, &mine.confident),
                (theirs.people, theirs.known, &theirs.confident)
            );
            let near = |a: Option<f64>, b: Option<f64>| {
                a.is_some() == b.is_some() && a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-9)
            };
            assert!(
                near(mine.mean_confidence(), theirs.mean_confidence())
                    && near(mine.accuracy(), theirs.accuracy())
            );
            assert_eq!(
                found.people,
                found.alone() + found.apart + found.intersected()
            );
            assert!(
                found.vulnerable() <= found.intersected()
                    && found.perfect_already <= found.perfect()
            );
            perfect += found.perfect();
        }
    }
    assert!(
        perfect > 500,
        "{perfect} perfect breaches are too few to compare"
    );
}

#[test]
fn a_reader_who_takes_all_groups_is_never_wrong_about_people_of_all_releases() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..200 {
        let people: Vec<Row> = (0..24)
            .map(|_| (below(&mut random, 40), disease(&mut random, 5)))
            .collect();
        // the same people in runs of their order by age, cut at other places
        let cut = |at: usize| -> Groups {
            let mut sorted = people.clone();
            sorted.sort_unstable();
            let (first, rest) = sorted.split_at(at);
            let group = |rows: &[Row]| {
                (
                    (rows[0].0, rows[rows.len() - 1].0 + 1),
                    rows.iter().map(|r| r.1).collect(),
                )
            };
            [first]
                .into_iter()
                .chain(rest.chunks(4))
                .map(group)
                .collect()
        };
        let cube = cube(&people);
        let found = play(
            &overlay(&cube, &[cut(4), cut(2), cut(3)]),
            IntersectionChoice::Union,
            IntersectionOptions::default(),
        );
        let score = found.score.unwrap();
        assert_eq!((found.apart, found.alone(), found.everywhere()), (0, 0, 24));
        assert_eq!(
            (score.among, score.perfect_right),
            (score.known, score.perfect)
        );
        assert!(found.likely.is_none());
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let people: Vec<Row> = (0..9000)
        .map(|_| (below(&mut random, 6000), disease(&mut random, 6)))
        .collect();
    let cut = |random: &mut _, width: u32| -> Groups {
        let rows = |random: &mut _| (0..4).map(|_| disease(random, 6)).collect();
        (0..6000 / width)
            .map(|g| ((g * width, g * width + width - 1), rows(random)))
            .collect()
    };
    let releases = [cut(&mut random, 40), cut(&mut random, 25)];
    let cube = cube(&people);
    assert!(cube.tuples() > 2 * CHUNK);
    let laid = overlay(&cube, &releases);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            play(
                &laid,
                IntersectionChoice::True,
                IntersectionOptions {
                    probabilistic: true,
                },
            )
        })
    };
    // to the last bit: sums of fractions included
    assert_eq!(with(1), with(7));
}

#[test]
fn limits_are_decided_at_the_boundary() {
    let people = [(1, "flu"), (2, "flu"), (3, "flu"), (4, "flu")];
    // one person of four is left with a single value, three with two
    let releases = [
        vec![
            ((1, 2), vec!["flu", "cold", "gout"]),
            ((3, 5), vec!["flu", "cold"]),
        ],
        vec![((0, 1), vec!["flu", "AIDS"]), ((2, 6), vec!["flu", "cold"])],
    ];
    let cube = cube(&people);
    let found = play(
        &overlay(&cube, &releases),
        IntersectionChoice::Union,
        IntersectionOptions::default(),
    );
    assert_eq!(
        (
            found.perfect(),
            found.partial,
            found.vulnerable(),
            found.perfect_already
        ),
        (1, 0, 1, 0)
    );
    assert_eq!(found.posterior.iter().collect::<Vec<_>>(), [(1, 1), (2, 3)]);
    let share = |numerator, denominator| CompositionLimits {
        max_perfect_breach: Ratio::new(numerator, denominator),
        ..CompositionLimits::default()
    };
    assert!(
        found.is_within(&share(1, 4))
            && !found.is_within(&share(249, 1000))
            && !found.is_within(&CompositionLimits::default())
    );
    let fewest = |n| CompositionLimits {
        max_perfect_breach: None,
        min_posterior: Some(n),
        ..CompositionLimits::default()
    };
    assert!(found.is_within(&fewest(1)) && !found.is_within(&fewest(2)));
    assert!(found.is_within(&CompositionLimits {
        max_perfect_breach: None,
        ..CompositionLimits::default()
    }));
}

#[test]
fn the_worst_reader_is_the_one_who_breaches_most() {
    // who takes both groups of the first release has two values left; the narrower alone has one of
    // them
    let releases = [
        vec![
            ((1, 2), vec!["flu", "cold"]),
            ((1, 9), vec!["gout", "cancer"]),
        ],
        vec![((0, 9), vec!["flu", "gout"])],
    ];
    let people = [(1, "gout"), (9, "gout")];
    let cube = cube(&people);
    let laid = overlay(&cube, &releases);
    let plays: Vec<IntersectionPlay> = IntersectionChoice::ALL
        .iter()
        .map(|&reader| play(&laid, reader, IntersectionOptions::default()))
        .collect();
    assert_eq!(
        plays
            .iter()
            .map(IntersectionPlay::perfect)
            .collect::<Vec<_>>(),
        [1, 2, 2]
    );
    assert_eq!(
        worst(&plays).map(|play| play.reader),
        Some(IntersectionChoice::MostSpecific)
    );
    // the narrow group is the wrong one, and whoever knows the value knows that
    assert_eq!(
        plays
            .iter()
            .map(|p| p.score.unwrap().perfect_right)
            .collect::<Vec<_>>(),
        [1, 1, 2]
    );
    assert!(worst(&[]).is_none());
}
