//! Every method against colluding providers: what is published must withstand them, and its labels
//! must not tell what the counts hide.

use crate::common::{EncodeTexts, bind, leaving_out, promises, publish, table};
use mingle_anonymize::{Error, METHODS, MethodOptions, Ranges, method, method_names, suppress};
use mingle_model::{
    Cell, Code, Column, ColumnSpec, Cube, Partition, ProviderId, Providers, Published, Role, Table,
};
use mingle_privacy::oracle::{self, Row};
use mingle_privacy::{Attribute, Insiders, K, M, Promise, Ratio, Reach, Requirement, Rule, verify};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn prepared(
    name: &str,
    table: &Table,
    promises: &[Promise],
    insiders: Insiders,
) -> (Cube, Requirement) {
    let against = |cube: &Cube| bind(cube, promises).against(insiders);
    let cube = Cube::new(table.clone());
    let wants_rows = method(name).expect("known").wants_rows(&against(&cube));
    let cube = if wants_rows { cube.into_rows() } else { cube };
    let requirement = against(&cube);
    (cube, requirement)
}

fn random_insiders(rng: &mut ChaCha8Rng) -> Insiders {
    let m = rng.random_range(1..4);
    if rng.random_bool(0.3) {
        Insiders::strict(M(m.min(2)), 1)
    } else {
        Insiders::victim(M(m))
    }
}

/// The rows of a group that are left when some providers take out all of theirs.
fn left(published: &Published, group: usize, coalition: &BTreeSet<ProviderId>) -> Vec<Row> {
    let entries = published
        .entries(group)
        .iter()
        .filter(|e| !coalition.contains(&e.provider));
    let row = |e: u32| -> Row {
        published
            .sensitive()
            .iter()
            .map(|c| c.codes.get(e as usize))
            .collect()
    };
    entries
        .flat_map(|e| (0..e.count).map(move |_| row(e.sensitive)))
        .collect()
}

/// Word by word: no coalition of at most m that leaves out a contributor breaks a promise by taking
/// out all its rows.
fn withstands_removal(published: &Published, promises: &[Promise], insiders: Insiders) -> bool {
    let all: Vec<Row> = (0..published.groups())
        .flat_map(|g| oracle::rows(published, g))
        .collect();
    (0..published.groups()).all(|group| {
        let present: Vec<ProviderId> = published
            .entries(group)
            .iter()
            .map(|e| e.provider)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let enough = present.len() as u64 >= insiders.fewest_providers();
        let coalitions = (0u32..1 << present.len()).filter(|set| {
            u64::from(set.count_ones()) <= insiders.m.0
                && (set.count_ones() as usize) < present.len()
        });
        enough
            && coalitions.into_iter().all(|set| {
                let members = present
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| set >> at & 1 == 1)
                    .map(|(_, &p)| p)
                    .collect();
                let rest = left(published, group, &members);
                promises
                    .iter()
                    .all(|p| oracle::holds(p, published.sensitive(), &rest, &all))
            })
    })
}

#[test]
fn what_is_published_withstands_coalitions_or_nothing_could() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut held, mut impossible) = (0, 0);
    for round in 0..300 {
        let rows = rng.random_range(1..160);
        let table = table(&mut rng, rows);
        let promises = promises(&mut rng);
        let insiders = random_insiders(&mut rng);
        for name in method_names() {
            let (cube, requirement) = prepared(name, &table, &promises, insiders);
            match method(name).expect("known").partition(
                &cube,
                &requirement,
                &MethodOptions::default(),
            ) {
                Ok(partition) => {
                    let published = publish(&cube, &partition);
                    assert_eq!(published.rows(), rows as u64);
                    assert!(
                        withstands_removal(&published, &promises, insiders),
                        "{name}, round {round}"
                    );
                    let verification =
                        verify(published, &promises, insiders, Reach::Stated).expect("not empty");
                    assert!(
                        verification.into_verified().is_ok(),
                        "{name}, round {round}"
                    );
                    held += 1;
                }
                Err(error) => {
                    assert_eq!(error, Error::Unsatisfiable);
                    let everything = Partition {
                        group_of: vec![0; cube.records().len()],
                        cells: vec![Cell::All; cube.quasi_identifiers().len()],
                    };
                    let published = publish(&cube, &everything);
                    let one_group =
                        verify(published, &promises, insiders, Reach::Stated).expect("not empty");
                    assert!(
                        one_group.into_verified().is_err(),
                        "{name} gave up in round {round}, one group would do"
                    );
                    impossible += 1;
                }
            }
        }
    }
    assert!(
        held > 300 && impossible > 100,
        "{held} held, {impossible} impossible"
    );
}

#[test]
fn ends_of_ranges_are_attained_by_more_than_m_or_lie_on_the_grid() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let table = table(&mut rng, 2_000);
    let promises = [Promise {
        rule: Rule::k_anonymity(K(5)),
        attribute: None,
    }];
    let (mut tight, mut widened) = (0, 0);
    for (name, m) in method_names().flat_map(|name| [1, 2].map(|m| (name, m))) {
        let (cube, requirement) = prepared(name, &table, &promises, Insiders::victim(M(m)));
        let partition =
            method(name)
                .expect("known")
                .partition(&cube, &requirement, &MethodOptions::default());
        let partition = partition.expect("2,000 rows are enough");
        let age = &cube.quasi_identifiers()[0];
        let grid = age.domain.grid().expect("age is a number");
        for (group, cells) in partition.cells.chunks(3).enumerate() {
            let attain = |number: i128| {
                let records = (0..cube.tuples())
                    .filter(|&t| age.domain.number(age.codes.get(t)) == Some(number));
                let records = records
                    .flat_map(|t| cube.records_of(t))
                    .filter(|&r| partition.group_of[r] == group as u32);
                records
                    .map(|r| cube.records()[r].provider)
                    .collect::<BTreeSet<_>>()
                    .len() as u64
            };
            let (lo, hi) = match cells[0] {
                Cell::Span { lo, hi } => match (age.domain.number(lo), age.domain.number(hi)) {
                    (Some(lo), Some(hi)) => (lo, hi),
                    // a missing value: published as *
                    _ => continue,
                },
                Cell::Between { lo, hi } => (lo, hi),
                _ => continue,
            };
            for (end, on_grid) in [(lo, grid.floor(lo) == lo), (hi, grid.ceil(hi) == hi)] {
                let enough = attain(end) > m;
                assert!(enough || on_grid, "{name}, m = {m}");
                tight += usize::from(enough);
                widened += usize::from(!enough);
            }
        }
    }
    assert!(
        tight > 100 && widened > 100,
        "{tight} tight, {widened} widened"
    );
}

#[test]
fn threads_change_nothing_against_insiders() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let table = table(&mut rng, 3_000);
    let k = Promise {
        rule: Rule::k_anonymity(K(4)),
        attribute: None,
    };
    let max = Ratio::parse("0.8").expect("a number");
    let frequency = Promise {
        rule: Rule::max_frequency(max),
        attribute: Some(Attribute::Column(0)),
    };
    for promises in [vec![k], vec![k, frequency]] {
        for name in method_names() {
            let (cube, requirement) = prepared(name, &table, &promises, Insiders::victim(M(1)));
            let run = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("threads can start");
                let method = method(name).expect("known");
                let partition = pool
                    .install(|| method.partition(&cube, &requirement, &MethodOptions::default()));
                let partition = partition.expect("3,000 rows satisfy this");
                (partition.group_of, partition.cells)
            };
            assert!(run(1) == run(16), "{name}");
        }
    }
}

/// Nine people of A and nine of B in two places. Entropy 2 with m = 1 fails for the whole table,
/// because C may keep only its x; cut in two, both parts hold.
#[test]
fn a_top_down_method_looks_through_a_whole_that_fails() {
    let row = |place: &str, value: &str, provider: u32, n: usize| {
        vec![(place.to_owned(), value.to_owned(), provider); n]
    };
    let mut rows = Vec::new();
    for provider in 0..2 {
        ["x", "y", "z"]
            .iter()
            .for_each(|value| rows.extend(row("10", value, provider, 1)));
    }
    rows.extend(row("20", "x", 2, 30));
    rows.extend(row("20", "y", 2, 30));
    let texts = |at: fn(&(String, String, u32)) -> String| rows.iter().map(at).collect::<Vec<_>>();
    let columns = vec![
        Column::encode_texts(
            ColumnSpec::new("place", Role::QuasiIdentifier),
            &texts(|r| r.0.clone()),
        ),
        Column::encode_texts(
            ColumnSpec::new("ill", Role::Sensitive),
            &texts(|r| r.1.clone()),
        ),
    ];
    let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
    let table = Table {
        columns,
        providers,
        provider_of: rows.iter().map(|r| r.2).collect(),
        person_of: None,
    };
    let promises = [Promise {
        rule: Rule::entropy_diversity(Ratio::from(2)),
        attribute: Some(Attribute::Column(0)),
    }];
    for name in method_names() {
        let (cube, requirement) = prepared(name, &table, &promises, Insiders::victim(M(1)));
        let partition =
            method(name)
                .expect("known")
                .partition(&cube, &requirement, &MethodOptions::default());
        let published = publish(&cube, &partition.unwrap_or_else(|e| panic!("{name}: {e}")));
        let verification =
            verify(published, &promises, Insiders::victim(M(1)), Reach::Stated).expect("not empty");
        assert!(verification.into_verified().is_ok(), "{name}");
    }
}

#[test]
fn single_provider_groups_need_victim_semantics() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let table = table(&mut rng, 600);
    let promises = [Promise {
        rule: Rule::k_anonymity(K(5)),
        attribute: None,
    }];
    for name in method_names() {
        let contributors = |insiders| {
            let (cube, requirement) = prepared(name, &table, &promises, insiders);
            let partition = method(name).expect("known").partition(
                &cube,
                &requirement,
                &MethodOptions::default(),
            );
            let published = publish(&cube, &partition.expect("600 rows are enough"));
            let of = |g| {
                published
                    .entries(g)
                    .iter()
                    .map(|e| e.provider)
                    .collect::<BTreeSet<_>>()
                    .len()
            };
            (0..published.groups()).map(of).min()
        };
        assert_eq!(contributors(Insiders::strict(M(2), 1)), Some(3), "{name}");
        assert!(
            ["mondrian", "datafly", "microaggregation"].contains(&name)
                || contributors(Insiders::victim(M(2))) == Some(1),
            "{name}"
        );
    }
}

/// With one column of a few categories there are hardly any labels to tell groups apart by.
#[test]
fn groups_that_cannot_be_told_apart_are_united() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let mut held = 0;
    for round in 0..300 {
        let rows = rng.random_range(8..60);
        let mut column = |name: &str, role, values: u32| {
            let texts: Vec<String> = (0..rows)
                .map(|_| format!("v{}", rng.random_range(0..values)))
                .collect();
            Column::encode_texts(ColumnSpec::new(name, role), &texts)
        };
        let columns = vec![
            column("job", Role::QuasiIdentifier, 4),
            column("ill", Role::Sensitive, 3),
        ];
        let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
        let provider_of = (0..rows).map(|_| rng.random_range(0..3)).collect();
        let table = Table {
            columns,
            providers,
            provider_of,
            person_of: None,
        };
        let about = |rule| Promise {
            rule,
            attribute: Some(Attribute::Column(0)),
        };
        let ratio = |n, d| Ratio::new(n, d).expect("the denominator is not zero");
        let promises = if rng.random_bool(0.5) {
            [about(Rule::entropy_diversity(ratio(
                rng.random_range(11..20),
                10,
            )))]
        } else {
            [about(Rule::max_frequency(ratio(
                rng.random_range(5..10),
                10,
            )))]
        };
        let insiders = Insiders::victim(M(rng.random_range(1..3)));
        for name in method_names() {
            let (cube, requirement) = prepared(name, &table, &promises, insiders);
            let Ok(partition) = method(name).expect("known").partition(
                &cube,
                &requirement,
                &MethodOptions::default(),
            ) else {
                continue;
            };
            let verification = verify(
                publish(&cube, &partition),
                &promises,
                insiders,
                Reach::Stated,
            );
            let verified = verification.expect("not empty").into_verified().is_ok();
            let everything = Partition {
                group_of: vec![0; cube.records().len()],
                cells: vec![Cell::All; cube.quasi_identifiers().len()],
            };
            let one = verify(
                publish(&cube, &everything),
                &promises,
                insiders,
                Reach::Stated,
            )
            .expect("not empty");
            assert!(
                verified || one.into_verified().is_err(),
                "{name}, round {round}: one group would do"
            );
            held += usize::from(verified);
        }
    }
    assert!(held > 300, "{held} held");
}

/// A column of days and one of decimals beside the usual ones.
fn with_dates(rng: &mut ChaCha8Rng, rows: usize) -> Table {
    let mut table = table(rng, rows);
    let days: Vec<String> = (0..rows)
        .map(|_| match rng.random_range(0..30) {
            0 => "?".to_owned(),
            _ => format!(
                "20{:02}-{:02}-{:02}",
                rng.random_range(0..12),
                rng.random_range(1..13),
                rng.random_range(1..29)
            ),
        })
        .collect();
    let decimals: Vec<String> = (0..rows)
        .map(|_| format!("{}.{}", rng.random_range(-3..4), rng.random_range(0..10)))
        .collect();
    for (name, texts) in [("day", days), ("level", decimals)] {
        let spec = ColumnSpec::new(name, Role::QuasiIdentifier);
        table.columns.insert(0, Column::encode_texts(spec, &texts));
    }
    table
}

/// The trusted room looks at labels as well: it has nothing to say against any method, and notices
/// when ends were not widened.
#[test]
fn no_label_gives_a_victim_away_and_one_that_would_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let (mut fine, mut noticed) = (0, 0);
    for round in 0..60 {
        let rows = rng.random_range(20..300);
        let table = with_dates(&mut rng, rows);
        let promises = promises(&mut rng);
        let insiders = random_insiders(&mut rng);
        for (entry, ranges) in METHODS.iter().flat_map(|entry| {
            let cells = entry.capabilities.cells.then_some(Ranges::Cell);
            [Ranges::Tight]
                .into_iter()
                .chain(cells)
                .map(move |r| (entry, r))
        }) {
            let name = entry.name;
            let (cube, requirement) = prepared(name, &table, &promises, insiders);
            let options = MethodOptions {
                ranges,
                max_suppressed: rows as u64 / 10,
                ..MethodOptions::default()
            };
            let found = method(name)
                .expect("known")
                .partition(&cube, &requirement, &options);
            let Ok(mut partition) = found else {
                continue;
            };
            let narrow_end = |partition: &Partition| {
                let published = publish(&cube, partition);
                verify(published, &promises, insiders, Reach::Stated)
                    .expect("not empty")
                    .narrow_end()
            };
            assert_eq!(narrow_end(&partition), None, "{name}, round {round}");
            if ranges == Ranges::Tight && !entry.capabilities.suppresses {
                suppress(
                    &cube,
                    &requirement,
                    &mut partition,
                    &leaving_out(rows as u64 / 20),
                );
                assert_eq!(narrow_end(&partition), None, "{name}, round {round}");
            }
            fine += 1;
            noticed += u64::from(narrow_end(&tightened(&cube, &partition)).is_some());
        }
    }
    assert!(
        fine > 150 && noticed > 100,
        "{fine} fine, {noticed} noticed"
    );
}

/// A planted mistake: what was widened is published as tightly as it can be.
fn tightened(cube: &Cube, partition: &Partition) -> Partition {
    let q = cube.quasi_identifiers().len();
    let mut cells = partition.cells.clone();
    for (column, qi) in cube.quasi_identifiers().iter().enumerate() {
        let mut spans = vec![(Code::MAX, 0); cells.len() / q];
        for tuple in 0..cube.tuples() {
            let code = qi.codes.get(tuple);
            for &group in &partition.group_of[cube.records_of(tuple)] {
                if let Some((lo, hi)) = spans.get_mut(group as usize) {
                    (*lo, *hi) = (code.min(*lo), code.max(*hi));
                }
            }
        }
        for (group, &(lo, hi)) in spans.iter().enumerate() {
            let cell = &mut cells[group * q + column];
            if matches!(cell, Cell::Between { .. }) {
                *cell = Cell::Span { lo, hi };
            }
        }
    }
    Partition {
        group_of: partition.group_of.clone(),
        cells,
    }
}
