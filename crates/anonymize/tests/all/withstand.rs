//! Partitions that are changed until they withstand other releases: the limits hold, the promises
//! still do, or nothing could be done.

use crate::common::{EncodeTexts, bind, promises, publish, table};
use mingle_anonymize::{Against, Error, METHODS, MethodOptions, method, withstand};
use mingle_model::{Cell, Code, Column, Cube, Missing, Partition, Published, Table};
use mingle_privacy::composition::{
    Audit, CompositionLimits, Location, Overlay, People, Reader, audit,
};
use mingle_privacy::{Insiders, K, M, Promise, Ratio, Reach, Rule, verify};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Some rows of a table.
fn some_rows(table: &Table, rows: &[usize]) -> Table {
    let column = |c: &Column| {
        let texts: Vec<String> = rows
            .iter()
            .map(|&r| c.domain.text(c.codes.get(r)).to_owned())
            .collect();
        Column::encode_texts(c.spec.clone(), &texts)
    };
    Table {
        columns: table.columns.iter().map(column).collect(),
        providers: table.providers.clone(),
        provider_of: rows.iter().map(|&r| table.provider_of.get(r)).collect(),
        person_of: None,
    }
}

fn random_rows(rng: &mut ChaCha8Rng, table: &Table, share: f64) -> Table {
    let rows: Vec<usize> = (0..table.rows())
        .filter(|_| rng.random_bool(share))
        .collect();
    some_rows(table, &rows)
}

/// Some release of the table.
fn released(rng: &mut ChaCha8Rng, table: &Table) -> Option<Published> {
    let cube = Cube::new(table.clone());
    let k = Promise {
        rule: Rule::k_anonymity(K(rng.random_range(1..6))),
        attribute: None,
    };
    let partition = method("mondrian")?
        .partition(&cube, &bind(&cube, &[k]), &MethodOptions::default())
        .ok()?;
    Some(publish(&cube, &partition))
}

fn overlay<'a>(cube: &'a Cube, missing: &'a Missing, others: &[Published]) -> Overlay<'a> {
    let mut overlay = Overlay::new(
        People {
            cube,
            missing,
            hierarchies: Vec::new(),
        },
        "ill",
    );
    for other in others {
        overlay
            .add(&Reader::new("other"), other)
            .expect("labels can be read");
    }
    overlay
}

fn random_limits(rng: &mut ChaCha8Rng) -> CompositionLimits {
    let share = Ratio::new(rng.random_range(0..4), 20).expect("not zero");
    CompositionLimits {
        max_perfect_breach: rng.random_bool(0.8).then_some(share),
        min_posterior: rng.random_bool(0.4).then(|| rng.random_range(1..4)),
        except_already_exposed: rng.random_bool(0.5),
    }
}

/// Everybody in one group.
fn one_group(cube: &Cube) -> Partition {
    let all = |qi: &mingle_model::QuasiIdentifier| Cell::Span {
        lo: 0,
        hi: qi.domain.len() as Code - 1,
    };
    Partition {
        group_of: vec![0; cube.records().len()],
        cells: cube.quasi_identifiers().iter().map(all).collect(),
    }
}

#[test]
fn limits_and_promises_hold_or_nothing_could_be_done() {
    let missing = Missing::default();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut changed, mut untouched, mut impossible) = (0, 0, 0);
    for round in 0..400 {
        let rows = rng.random_range(20..160);
        let everyone = table(&mut rng, rows);
        let own = random_rows(&mut rng, &everyone, 0.7);
        let others: Vec<Published> = (0..rng.random_range(1..3))
            .filter_map(|_| {
                let theirs = random_rows(&mut rng, &everyone, 0.7);
                released(&mut rng, &theirs)
            })
            .collect();
        let promises = promises(&mut rng);
        let cube = Cube::new(own.clone());
        let insiders = if rng.random_bool(0.3) {
            Insiders::victim(M(1))
        } else {
            Insiders::NONE
        };
        let against = |cube: &Cube| bind(cube, &promises).against(insiders);
        let requirement = against(&cube);
        let name = METHODS[rng.random_range(0..METHODS.len())].name;
        let method = method(name).expect("known");
        let cube = if method.wants_rows(&requirement) {
            cube.into_rows()
        } else {
            cube
        };
        let Ok(partition) = method.partition(&cube, &requirement, &MethodOptions::default()) else {
            continue;
        };
        let limits = random_limits(&mut rng);
        let mut overlays = [overlay(&cube, &missing, &others)];
        let judge = |overlays: &mut [Overlay<'_>; 1], partition: &Partition| -> Audit {
            audit(
                &mut overlays[0],
                &publish(&cube, partition),
                Location::Containment,
                &limits,
            )
            .expect("labels can be read")
        };
        let before = judge(&mut overlays, &partition);
        let mut also = |_: &Published| Vec::new();
        let mut against = Against {
            overlays: &mut overlays,
            limits,
            missing: &missing,
            also: &mut also,
        };
        match withstand(
            &Arc::new(cube.clone()),
            &requirement,
            &partition,
            &mut against,
            &MethodOptions::default(),
        ) {
            Ok(result) => {
                assert!(
                    judge(&mut overlays, &result).holds,
                    "round {round}, {name}, {limits:?}"
                );
                let verified = verify(publish(&cube, &result), &promises, insiders, Reach::Stated);
                assert!(
                    verified
                        .expect("parameters are in range")
                        .into_verified()
                        .is_ok(),
                    "round {round}, {name}"
                );
                let kept = result.group_of.iter().all(|&g| g != Partition::SUPPRESSED);
                assert!(kept, "round {round}: nobody is left out");
                if before.holds {
                    untouched += 1
                } else {
                    changed += 1
                }
            }
            Err(Error::Exposed { people }) => {
                assert!(people > 0 && !before.holds, "round {round}");
                // against insiders groups may not be united at will
                let could =
                    judge(&mut overlays, &one_group(&cube)).holds && insiders == Insiders::NONE;
                assert!(!could, "round {round}, {name}, {limits:?}");
                impossible += 1;
            }
            Err(other) => panic!("round {round}, {name}: {other}"),
        }
    }
    assert!(
        changed > 50 && untouched > 20 && impossible > 20,
        "{changed} {untouched} {impossible}"
    );
}

/// Where serving a few people would unite everybody, or is impossible, these are left out if they may
/// be: limits and promises hold, no more are left out than may be, and many groups stay.
#[test]
fn a_few_people_do_not_ruin_the_table_for_all() {
    let missing = Missing::default();
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut ruined, mut rescued) = (0, 0);
    for round in 0..90 {
        let everyone = table(&mut rng, 160);
        let own = random_rows(&mut rng, &everyone, 0.8);
        let theirs = random_rows(&mut rng, &everyone, 0.8);
        let Some(other) = released(&mut rng, &theirs) else {
            continue;
        };
        let cube = Arc::new(Cube::new(own));
        let promises = [Promise {
            rule: Rule::k_anonymity(K(3)),
            attribute: None,
        }];
        let requirement = bind(&cube, &promises);
        let partition = method("mondrian")
            .unwrap()
            .partition(&cube, &requirement, &MethodOptions::default())
            .unwrap();
        let planned = publish(&cube, &partition).groups();
        let limits = CompositionLimits {
            max_perfect_breach: Some(Ratio::from(0)),
            min_posterior: rng.random_bool(0.5).then_some(2),
            except_already_exposed: rng.random_bool(0.5),
        };
        let mut overlays = [overlay(&cube, &missing, &[other])];
        let mut also = |_: &Published| Vec::new();
        let most = cube.rows() / 5;
        let mut made = Vec::new();
        for max_suppressed in [0, most] {
            let mut against = Against {
                overlays: &mut overlays,
                limits,
                missing: &missing,
                also: &mut also,
            };
            let options = MethodOptions {
                max_suppressed,
                ..MethodOptions::default()
            };
            let result = withstand(&cube, &requirement, &partition, &mut against, &options);
            let Ok(result) = result else {
                made.push(0);
                continue;
            };
            let published = publish(&cube, &result);
            assert!(published.suppressed() <= max_suppressed, "round {round}");
            let found = audit(&mut overlays[0], &published, Location::Containment, &limits);
            assert!(found.expect("labels can be read").holds, "round {round}");
            made.push(published.groups());
            let verified = verify(published, &promises, Insiders::NONE, Reach::Stated);
            let verified = verified.expect("parameters are in range").into_verified();
            assert!(verified.is_ok(), "round {round}");
        }
        assert!(made[0] == 0 || made[1] > 0, "round {round}: {made:?}");
        if planned >= 10 && made[0] <= 1 {
            ruined += 1;
            rescued += usize::from(made[1] >= planned / 3);
        }
    }
    assert!(ruined >= 20 && rescued >= 8, "{rescued} of {ruined}");
}

#[test]
fn a_partition_that_withstands_keeps_its_groups() {
    let missing = Missing::default();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let own = table(&mut rng, 200);
    let cube = Cube::new(own.clone());
    let k = Promise {
        rule: Rule::k_anonymity(K(4)),
        attribute: None,
    };
    let requirement = bind(&cube, &[k]);
    let partition = method("mondrian")
        .unwrap()
        .partition(&cube, &requirement, &MethodOptions::default())
        .unwrap();
    let mut overlays = [overlay(&cube, &missing, &[])];
    let mut also = |_: &Published| Vec::new();
    let mut against = Against {
        overlays: &mut overlays,
        limits: CompositionLimits::default(),
        missing: &missing,
        also: &mut also,
    };
    let result = withstand(
        &Arc::new(cube.clone()),
        &requirement,
        &partition,
        &mut against,
        &MethodOptions::default(),
    )
    .unwrap();
    assert_eq!(
        publish(&cube, &result).groups(),
        publish(&cube, &partition).groups()
    );
}

#[test]
fn groups_that_must_not_stay_are_united() {
    let missing = Missing::default();
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let own = table(&mut rng, 200);
    let cube = Cube::new(own.clone());
    let k = Promise {
        rule: Rule::k_anonymity(K(4)),
        attribute: None,
    };
    let requirement = bind(&cube, &[k]);
    let partition = method("mondrian")
        .unwrap()
        .partition(&cube, &requirement, &MethodOptions::default())
        .unwrap();
    let groups = publish(&cube, &partition).groups();
    let mut asked = 0;
    let mut also = |_: &Published| {
        asked += 1;
        if asked < 4 { vec![0, 1] } else { Vec::new() }
    };
    let mut against = Against {
        overlays: &mut [],
        limits: CompositionLimits::default(),
        missing: &missing,
        also: &mut also,
    };
    let result = withstand(
        &Arc::new(cube.clone()),
        &requirement,
        &partition,
        &mut against,
        &MethodOptions::default(),
    )
    .unwrap();
    assert!(publish(&cube, &result).groups() < groups);
    assert_eq!(asked, 4);
}
