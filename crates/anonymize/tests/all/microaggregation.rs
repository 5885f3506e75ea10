//! Microaggregation against MDAV written down naively, and what must hold for whatever it makes.

use crate::common::{EncodeTexts, bind, promises, publish, table};
use crate::microaggregation_oracle::{Bug, Groups, Kind, Oracle};
use mingle_anonymize::{Error, GroupRepresentative, Method, MethodOptions, Microaggregation};
use mingle_model::{
    Column, ColumnSpec, Cube, HierarchySource, Partition, Providers, Published, Role, Table,
};
use mingle_privacy::{Attribute, Insiders, K, L, M, Promise, Ratio, Requirement, Rule, oracle};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn l(l: u64) -> Promise {
    Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    }
}

/// A few columns of different kinds with missing values, and a sensitive one without.
fn mixed(rng: &mut ChaCha8Rng, rows: usize) -> (Vec<Kind>, Table) {
    let kinds: Vec<Kind> = (0..rng.random_range(1..4))
        .map(|_| {
            [
                Kind::Number,
                Kind::Date,
                Kind::Masked(2),
                Kind::Masked(1),
                Kind::Flat,
            ][rng.random_range(0..5)]
        })
        .collect();
    let width = rng.random_range(2..14);
    let missing = rng.random_range(0..30);
    let mut columns: Vec<Column> = Vec::new();
    for (c, kind) in kinds.iter().enumerate() {
        let texts: Vec<String> = (0..rows)
            .map(|_| {
                if rng.random_range(0..100) < missing {
                    "?".to_owned()
                } else {
                    text(rng, *kind, width)
                }
            })
            .collect();
        let hierarchy = if let Kind::Masked(n) = kind {
            Some(HierarchySource::Mask(*n))
        } else {
            None
        };
        let spec = ColumnSpec {
            hierarchy,
            ..ColumnSpec::new(format!("q{c}"), Role::QuasiIdentifier)
        };
        let kind = match kind {
            Kind::Number => mingle_model::Kind::Decimal,
            Kind::Date => mingle_model::Kind::Date,
            _ => mingle_model::Kind::Category,
        };
        columns.push(Column::encode_texts(
            ColumnSpec {
                kind: Some(kind),
                ..spec
            },
            &texts,
        ));
    }
    let ill: Vec<String> = (0..rows)
        .map(|_| ["a", "b", "c"][rng.random_range(0..3)].to_owned())
        .collect();
    columns.push(Column::encode_texts(
        ColumnSpec::new("ill", Role::Sensitive),
        &ill,
    ));
    let provider_of = (0..rows).map(|_| 0).collect();
    (
        kinds,
        Table {
            columns,
            providers: Providers::new(vec!["A".into()]),
            provider_of,
            person_of: None,
        },
    )
}

fn text(rng: &mut ChaCha8Rng, kind: Kind, width: u32) -> String {
    match kind {
        Kind::Number => format!(
            "{}.5",
            rng.random_range(0..width) * rng.random_range(0..width)
        ),
        Kind::Date => {
            let month = rng.random_range(1..13);
            format!(
                "{}-{month:02}-{:02}",
                2000 + rng.random_range(0..4),
                rng.random_range(1..width + 1)
            )
        }
        // of three characters, so that the root is a level of its own
        Kind::Masked(_) => (0..3)
            .map(|_| char::from(b'0' + rng.random_range(0..width.min(4)) as u8))
            .collect(),
        Kind::Flat => format!("v{:02}", rng.random_range(0..width)),
    }
}

/// Groups as sets of records, whatever their order.
fn sorted(mut groups: Groups) -> Groups {
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable();
    groups
}

fn found(cube: &Cube, requirement: &Requirement) -> Option<Groups> {
    let mdav = Microaggregation {
        within_parts: false,
        ..Microaggregation::default()
    };
    match mdav.partition(cube, requirement, &MethodOptions::default()) {
        Ok(partition) => Some(sorted(groups_of(&partition))),
        Err(error) => {
            assert_eq!(error, Error::Unsatisfiable);
            None
        }
    }
}

fn groups_of(partition: &Partition) -> Groups {
    let groups = partition
        .group_of
        .iter()
        .max()
        .map_or(0, |&last| last as usize + 1);
    let mut members: Groups = vec![Vec::new(); groups];
    partition
        .group_of
        .iter()
        .enumerate()
        .for_each(|(record, &group)| members[group as usize].push(record));
    members
}

/// In how many of the rounds the method and the oracle disagree.
fn disagreements(bug: Bug) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let differs = |_| {
        let rows = rng.random_range(1..70);
        let (kinds, table) = mixed(&mut rng, rows);
        let cube = Cube::new(table.clone()).into_rows();
        let (least, diverse) = (rng.random_range(1..7), rng.random_range(1..4));
        let requirement = bind(&cube, &[k(least), l(diverse)]);
        let naive = Oracle::new(&cube, &kinds, bug).groups(least as usize, diverse as usize);
        usize::from(found(&cube, &requirement) != naive.map(sorted))
    };
    (0..600).map(differs).sum()
}

#[test]
fn groups_are_those_of_mdav() {
    assert_eq!(disagreements(Bug::None), 0);
}

#[test]
fn planted_bugs_are_noticed() {
    for bug in [
        Bug::SecondSeedFromAverage,
        Bug::OneRoundMore,
        Bug::LastOfEquals,
        Bug::NotStandardized,
        Bug::MissingIsZero,
        Bug::HierarchyIgnored,
        Bug::DenseSplit,
        Bug::AverageOfAll,
        Bug::MergeWithFirst,
        Bug::NeverAnew,
    ] {
        let noticed = disagreements(bug);
        assert!(noticed > 2, "{bug:?} was noticed {noticed} times");
    }
}

#[test]
fn without_equal_rows_groups_have_exactly_k() {
    let numbers: Vec<String> = (0..103)
        .map(|n| (n * n % 211 + 3 * n).to_string())
        .collect();
    let columns = vec![Column::encode_texts(
        ColumnSpec::new("q", Role::QuasiIdentifier),
        &numbers,
    )];
    let providers = Providers::new(vec!["A".into()]);
    let table = Table {
        columns,
        providers,
        provider_of: (0..103).map(|_| 0).collect(),
        person_of: None,
    };
    let cube = Cube::new(table.clone()).into_rows();
    assert_eq!(cube.tuples(), 103);
    let requirement = Requirement::bind(&[k(5)], &[], &[103]).expect("k is in range");
    for block in [20, 1000] {
        let partition = Microaggregation {
            block,
            ..Microaggregation::default()
        }
        .partition(&cube, &requirement, &MethodOptions::default());
        let sizes: Vec<usize> = groups_of(&partition.expect("103 rows"))
            .iter()
            .map(Vec::len)
            .collect();
        assert!(
            sizes.iter().all(|&size| (5..10).contains(&size)),
            "{sizes:?}"
        );
        let larger = sizes.iter().filter(|&&size| size > 5).count();
        // the last of each block
        assert!(larger <= 103_usize.div_ceil(block / 2), "{sizes:?}");
    }
}

#[test]
fn blocks_keep_every_promise() {
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    let mut held = 0;
    for round in 0..300 {
        let rows = rng.random_range(20..400);
        let table = table(&mut rng, rows);
        let promises = promises(&mut rng);
        let cube = Cube::new(table.clone()).into_rows();
        let block = rng.random_range(1..40);
        let partition = Microaggregation {
            block,
            ..Microaggregation::default()
        }
        .partition(&cube, &bind(&cube, &promises), &MethodOptions::default());
        let Ok(partition) = partition else { continue };
        let published = publish(&cube, &partition);
        assert_eq!(published.rows(), rows as u64);
        assert_eq!(oracle::failures(&published, &promises), [], "round {round}");
        held += 1;
    }
    assert!(held > 200, "{held} held");
}

/// A group's labels, and its sensitive values with their counts.
type Shown = (Vec<String>, Vec<(String, u64)>);

/// Everything that is published, in texts and without providers.
fn shown(published: &Published) -> Vec<Shown> {
    let group = |g: usize| {
        let labels = published
            .describe(g)
            .map(|(_, label)| label.to_owned())
            .collect();
        let ill = &published.sensitive()[0];
        let mut values: Vec<(String, u64)> = Vec::new();
        for entry in published.entries(g) {
            let value = ill
                .domain
                .text(ill.codes.get(entry.sensitive as usize))
                .to_owned();
            match values.iter_mut().find(|(known, _)| *known == value) {
                Some((_, count)) => *count += entry.count,
                None => values.push((value, entry.count)),
            }
        }
        (labels, values)
    };
    (0..published.groups()).map(group).collect()
}

/// The same people in another order, at providers of other names.
fn rearranged(table: &Table, rng: &mut ChaCha8Rng) -> Table {
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.shuffle(rng);
    let column = |c: &Column| {
        let texts: Vec<String> = order
            .iter()
            .map(|&row| c.domain.text(c.codes.get(row)).to_owned())
            .collect();
        let spec = ColumnSpec {
            kind: Some(c.domain.kind()),
            ..c.spec.clone()
        };
        Column::encode_texts(spec, &texts)
    };
    let last = table.providers.len() as u32 - 1;
    Table {
        columns: table.columns.iter().map(column).collect(),
        providers: table.providers.clone(),
        provider_of: order
            .iter()
            .map(|&row| last - table.provider_of.get(row))
            .collect(),
        person_of: None,
    }
}

#[test]
fn the_order_of_rows_and_the_names_of_providers_leave_no_trace() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    for (round, m) in (0..60).flat_map(|round| [0, 1, 2].map(|m| (round, m))) {
        let table = table(&mut rng, 150);
        let other = rearranged(&table, &mut rng);
        let max = Ratio::parse("0.8").expect("a number");
        let frequency = Promise {
            rule: Rule::max_frequency(max),
            attribute: Some(Attribute::Column(0)),
        };
        let promises = [k(3), frequency];
        let [one, other] = [&table, &other].map(|table| {
            let cube = Cube::new(table.clone()).into_rows();
            let requirement = bind(&cube, &promises).against(Insiders::victim(M(m)));
            let made = Microaggregation {
                block: 40,
                ..Microaggregation::default()
            }
            .partition(&cube, &requirement, &MethodOptions::default());
            made.ok()
                .map(|partition| shown(&publish(&cube, &partition)))
        });
        assert!(one == other, "round {round}, m = {m}");
    }
}

#[test]
fn threads_change_nothing_with_many_blocks() {
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let table = table(&mut rng, 4_000);
    let cube = Cube::new(table.clone()).into_rows();
    for promises in [vec![k(4)], vec![k(3), l(3)]] {
        let requirement = bind(&cube, &promises);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .expect("threads can start");
            let method = Microaggregation {
                block: 100,
                ..Microaggregation::default()
            };
            let partition =
                pool.install(|| method.partition(&cube, &requirement, &MethodOptions::default()));
            let partition = partition.expect("the whole table satisfies this");
            (partition.group_of, partition.cells)
        };
        assert!(run(1) == run(16));
    }
}

#[test]
fn dense_tuples_stay_as_they_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let (mut dense, mut split) = (0, 0);
    for _ in 0..100 {
        let rows = rng.random_range(30..200);
        let (_, table) = mixed(&mut rng, rows);
        let cube = Cube::new(table.clone()).into_rows();
        let Some(groups) = found(&cube, &bind(&cube, &[k(4)])) else {
            continue;
        };
        for tuple in 0..cube.tuples() {
            let homes = groups
                .iter()
                .filter(|group| cube.records_of(tuple).any(|r| group.contains(&r)))
                .count();
            if cube.weight(tuple) >= 4 {
                assert_eq!(homes, 1);
                dense += 1;
            }
            split += usize::from(homes > 1);
        }
    }
    assert!(dense > 100 && split > 20, "{dense} dense, {split} split");
}

#[test]
fn more_than_the_table_has_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(26);
    let table = table(&mut rng, 30);
    let cube = Cube::new(table.clone()).into_rows();
    for promise in [k(31), k(u64::MAX), l(30)] {
        let made = Microaggregation::default().partition(
            &cube,
            &bind(&cube, &[promise]),
            &MethodOptions::default(),
        );
        assert_eq!(made.err(), Some(Error::Unsatisfiable));
    }
    let whole = Microaggregation::default().partition(
        &cube,
        &bind(&cube, &[k(30)]),
        &MethodOptions::default(),
    );
    assert_eq!(groups_of(&whole.expect("30 rows are enough")).len(), 1);
}

const CENTROIDS: Microaggregation = Microaggregation {
    block: 50,
    output: GroupRepresentative::Centroid,
    within_parts: true,
};

#[test]
fn centroids_keep_every_promise_as_they_are_published() {
    let mut rng = ChaCha8Rng::seed_from_u64(27);
    let (mut held, mut united) = (0, 0);
    for round in 0..300 {
        let rows = rng.random_range(5..300);
        let table = table(&mut rng, rows);
        let promises = promises(&mut rng);
        let cube = Cube::new(table.clone()).into_rows();
        let requirement = bind(&cube, &promises);
        let Ok(partition) = CENTROIDS.partition(&cube, &requirement, &MethodOptions::default())
        else {
            continue;
        };
        let published = publish(&cube, &partition);
        assert_eq!(published.rows(), rows as u64);
        assert_eq!(oracle::failures(&published, &promises), [], "round {round}");
        let ranges = Microaggregation {
            output: GroupRepresentative::Range,
            ..CENTROIDS
        };
        let same = ranges
            .partition(&cube, &requirement, &MethodOptions::default())
            .expect("only the output differs");
        assert_eq!(partition.group_of, same.group_of);
        united += usize::from(published.groups() < groups_of(&partition).len());
        held += 1;
    }
    assert!(
        held > 200 && united > 20,
        "{held} held, {united} with equal centroids"
    );
}

#[test]
fn centroids_are_not_for_insiders() {
    let mut rng = ChaCha8Rng::seed_from_u64(28);
    let table = table(&mut rng, 100);
    let cube = Cube::new(table.clone()).into_rows();
    let against = |m| bind(&cube, &[k(2)]).against(Insiders::victim(M(m)));
    let made = |m| CENTROIDS.partition(&cube, &against(m), &MethodOptions::default());
    assert_eq!(made(1).err(), Some(Error::MeansTellInsiders));
    assert!(made(0).is_ok());
}
