//! Every method, on generated tables in which people have several rows: whatever it promises must
//! hold for people, and a person's rows stay together.

use crate::common::{EncodeTexts, leaving_out};
use mingle_anonymize::{Error, METHODS, MethodOptions, Ranges, method, method_names, suppress};
use mingle_model::{
    Cell, Codes, Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Partition,
    PartitionError, PersonRows, Providers, Published, Role, Table,
};
use mingle_privacy::{
    Attribute, Distance, Insiders, K, Knows, L, M, Promise, Ratio, Reach, Requirement, Rule,
    Verified, verify,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// A row: whose it is, its cells, and who contributed it.
#[derive(Clone)]
struct Visit {
    person: u32,
    cells: [String; 4],
    provider: u32,
}

const PROVIDERS: u32 = 4;

/// People with up to `most` rows each: some columns change from row to row, some people are at
/// several providers.
fn visits(rng: &mut ChaCha8Rng, people: u32, most: u32) -> Vec<Visit> {
    let mut rows = Vec::new();
    for person in 0..people {
        let (age, job) = (rng.random_range(20..80), rng.random_range(0..5));
        let mut zip = rng.random_range(0..200) * rng.random_range(0..200) / 200;
        let mut provider = rng.random_range(0..PROVIDERS);
        let ill = rng.random_range(0..6);
        for _ in 0..rng.random_range(1..=most) {
            if rng.random_range(0..5) == 0 {
                zip = rng.random_range(0..200);
            }
            if rng.random_range(0..6) == 0 {
                provider = rng.random_range(0..PROVIDERS);
            }
            let older = age + rng.random_range(0..2);
            let ill = match rng.random_range(0..3) {
                0 => rng.random_range(0..6),
                _ => ill,
            };
            let cell = |value: u32, missing: bool| {
                if missing {
                    "?".to_owned()
                } else {
                    (value + 100).to_string()
                }
            };
            let rare = rng.random_range(0..40);
            rows.push(Visit {
                person,
                cells: [
                    cell(older, rare == 0),
                    cell(zip, false),
                    cell(job, rare == 1),
                    cell(ill, rare == 2),
                ],
                provider,
            });
        }
    }
    rows
}

fn table(rows: &[Visit]) -> Table {
    let spec = |name: &str, role, hierarchy, kind| ColumnSpec {
        hierarchy,
        kind: Some(kind),
        ..ColumnSpec::new(name, role)
    };
    let qi = Role::QuasiIdentifier;
    let specs = [
        spec("age", qi, None, Kind::Integer),
        spec("zip", qi, Some(HierarchySource::Mask(3)), Kind::Category),
        spec("job", qi, None, Kind::Category),
        spec("ill", Role::Sensitive, None, Kind::Category),
    ];
    let mut columns = Vec::new();
    for (at, spec) in specs.into_iter().enumerate() {
        let texts: Vec<String> = rows.iter().map(|row| row.cells[at].clone()).collect();
        columns.push(Column::encode_texts(spec, &texts));
    }
    Table {
        columns,
        providers: Providers::new(["A", "B", "C", "D"].map(str::to_owned).to_vec()),
        provider_of: rows.iter().map(|row| row.provider).collect(),
        person_of: Some(rows.iter().map(|row| row.person).collect::<Codes>()),
    }
}

fn about(rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

fn ratio(text: &str) -> Ratio {
    Ratio::parse(text).expect("a number")
}

/// One of each kind of promise.
fn all_promises(size: u64) -> Vec<Vec<Promise>> {
    vec![
        vec![k(size)],
        vec![k(size), about(Rule::distinct_diversity(L(3)))],
        vec![k(2), about(Rule::entropy_diversity(ratio("1.8")))],
        vec![k(2), about(Rule::max_frequency(ratio("0.7")))],
        vec![
            k(2),
            about(Rule::t_closeness(ratio("0.5"), Distance::Equal)),
        ],
        vec![k(2), about(Rule::recursive_diversity(ratio("3"), L(2)))],
    ]
}

fn bind(cube: &Cube, promises: &[Promise], insiders: Insiders, rows: PersonRows) -> Requirement {
    let kinds = cube.people().expect("people have several rows").kinds();
    Requirement::bind_people(promises, cube.sensitive(), kinds, rows)
        .expect("parameters are in range")
        .against(insiders)
}

/// The cube in the form that the method wants, and the requirement bound to it.
fn prepared(
    name: &str,
    table: &Table,
    promises: &[Promise],
    insiders: Insiders,
) -> (Arc<Cube>, Requirement) {
    let cube = Cube::new(table.clone());
    let requirement = bind(&cube, promises, insiders, PersonRows::Together);
    if !method(name).expect("known").wants_rows(&requirement) {
        return (Arc::new(cube), requirement);
    }
    let cube = cube.into_rows();
    let requirement = bind(&cube, promises, insiders, PersonRows::Together);
    (Arc::new(cube), requirement)
}

fn verified(
    cube: &Arc<Cube>,
    partition: &Partition,
    promises: &[Promise],
    insiders: Insiders,
) -> Option<Verified> {
    let published = Published::from_partition(cube, partition, &Missing::default())
        .expect("labels cover their groups, and nobody is split");
    let found = verify(published, promises, insiders, Reach::Stated).expect("promised");
    found.into_verified().ok()
}

fn everything(cube: &Cube) -> Partition {
    Partition {
        group_of: vec![0; cube.records().len()],
        cells: vec![Cell::All; cube.quasi_identifiers().len()],
    }
}

#[test]
fn people_stay_together_and_every_promise_holds_or_nothing_could() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let (mut held, mut impossible, mut groups) = (0, 0, 0);
    for round in 0..18 {
        let people = rng.random_range(4..60);
        let rows = visits(&mut rng, people, 4);
        let table = table(&rows);
        for promises in all_promises(rng.random_range(2..5)) {
            for m in 0..3 {
                for name in method_names() {
                    let at = format!("{name}, m = {m}, round {round}, {promises:?}");
                    let insiders = Insiders::victim(M(m));
                    let (cube, requirement) = prepared(name, &table, &promises, insiders);
                    let whole = everything(&cube);
                    let possible = verified(&cube, &whole, &promises, insiders).is_some();
                    let options = MethodOptions::default();
                    let method = method(name).expect("known");
                    match method.partition(&cube, &requirement, &options) {
                        Ok(partition) => {
                            let found = verified(&cube, &partition, &promises, insiders);
                            let found = found.unwrap_or_else(|| panic!("{at}"));
                            assert_eq!(found.published().rows(), rows.len() as u64, "{at}");
                            let counted = found.published().people().expect("people");
                            assert_eq!(counted.published(), Some(u64::from(people)), "{at}");
                            held += 1;
                            groups += found.published().groups();
                        }
                        Err(error) => {
                            assert_eq!(error, Error::Unsatisfiable, "{at}");
                            assert!(!possible, "{at}: one group would do");
                            impossible += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(
        held > 800 && impossible > 100 && groups > 3 * held,
        "{held} held, {impossible} impossible, {groups} groups"
    );
}

#[test]
fn insiders_who_know_rows_and_strict_semantics() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let mut held = 0;
    for round in 0..12 {
        let rows = visits(&mut rng, 60, 4);
        let table = table(&rows);
        let promises = vec![k(3), about(Rule::distinct_diversity(L(2)))];
        for insiders in [
            Insiders::victim(M(1)).knowing(Knows::Rows),
            Insiders::victim(M(2)).knowing(Knows::Rows),
            Insiders::strict(M(1), 1),
        ] {
            for name in method_names() {
                let (cube, requirement) = prepared(name, &table, &promises, insiders);
                let method = method(name).expect("known");
                let options = MethodOptions::default();
                let Ok(partition) = method.partition(&cube, &requirement, &options) else {
                    let whole = everything(&cube);
                    assert!(verified(&cube, &whole, &promises, insiders).is_none());
                    continue;
                };
                let found = verified(&cube, &partition, &promises, insiders);
                assert!(found.is_some(), "{name}, {insiders:?}, round {round}");
                held += 1;
            }
        }
    }
    assert!(held > 100, "{held}");
}

/// What is published of each row: its labels, by the row's own cells and person.
fn labels_of_rows(
    rows: &[Visit],
    name: &str,
    promises: &[Promise],
    insiders: Insiders,
) -> Vec<String> {
    let table = table(rows);
    let (cube, requirement) = prepared(name, &table, promises, insiders);
    let method = method(name).expect("known");
    let partition = method.partition(&cube, &requirement, &MethodOptions::default());
    let found = verified(&cube, &partition.expect("satisfiable"), promises, insiders);
    let found = found.expect("verified");
    let published = found.published();
    let mut lines = Vec::new();
    for group in 0..published.groups() {
        for entry in published.entries(group) {
            let labels: Vec<_> = published.describe(group).collect();
            lines.push(format!("{labels:?} {entry:?}"));
        }
    }
    lines.sort();
    lines
}

#[test]
fn neither_the_order_of_rows_nor_the_names_of_people_matter() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    for promises in all_promises(3) {
        for m in 0..2 {
            let insiders = Insiders::victim(M(m));
            let rows = visits(&mut rng, 200, 4);
            let mut renamed: Vec<u32> = (0..200).collect();
            renamed.shuffle(&mut rng);
            let mut others = rows.clone();
            for row in &mut others {
                row.person = renamed[row.person as usize];
            }
            others.shuffle(&mut rng);
            for name in method_names() {
                assert_eq!(
                    labels_of_rows(&rows, name, &promises, insiders),
                    labels_of_rows(&others, name, &promises, insiders),
                    "{name}, m = {m}, {promises:?}"
                );
            }
        }
    }
}

#[test]
fn one_row_a_person_is_as_if_nobody_had_said_whose_they_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    let rows = visits(&mut rng, 300, 1);
    let said = table(&rows);
    let mut silent = said.clone();
    silent.person_of = None;
    let (said, silent) = (Cube::new(said), Cube::new(silent));
    assert!(said.people().is_none());
    for promises in all_promises(3) {
        for name in method_names() {
            let of = |cube: &Cube| {
                let counts = cube.combinations();
                let requirement = Requirement::bind(&promises, cube.sensitive(), &counts);
                let requirement = requirement.expect("parameters are in range");
                let method = method(name).expect("known");
                let cube = if method.wants_rows(&requirement) {
                    cube.clone().into_rows()
                } else {
                    cube.clone()
                };
                let made = method.partition(&cube, &requirement, &MethodOptions::default());
                let made = made.expect("300 rows are enough");
                (made.group_of, made.cells)
            };
            assert!(of(&said) == of(&silent), "{name}");
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(45);
    let table = table(&visits(&mut rng, 1_500, 4));
    for (promises, m) in [
        (vec![k(4)], 0),
        (vec![k(4), about(Rule::distinct_diversity(L(2)))], 1),
        (
            vec![
                k(4),
                about(Rule::t_closeness(ratio("0.4"), Distance::Equal)),
            ],
            0,
        ),
    ] {
        for name in method_names() {
            let (cube, requirement) = prepared(name, &table, &promises, Insiders::victim(M(m)));
            let run = |threads| {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("threads can start");
                let method = method(name).expect("known");
                let options = MethodOptions::default();
                let partition = pool.install(|| method.partition(&cube, &requirement, &options));
                let partition = partition.expect("the whole table satisfies this");
                (partition.group_of, partition.cells)
            };
            assert!(run(1) == run(16), "{name}");
        }
    }
}

#[test]
fn a_person_who_is_split_is_not_published() {
    let mut rng = ChaCha8Rng::seed_from_u64(46);
    let table = table(&visits(&mut rng, 100, 4));
    let promises = [k(3)];
    for name in method_names() {
        let (cube, requirement) = prepared(name, &table, &promises, Insiders::NONE);
        let method = method(name).expect("known");
        let mut partition = method
            .partition(&cube, &requirement, &MethodOptions::default())
            .expect("satisfiable");
        let people = cube.people().expect("people");
        let several = (0..people.kinds().len()).find(|&kind| people.records_of(kind).len() > 1);
        let record = people.records_of(several.expect("several rows"))[0] as usize;
        // a group that covers everything, so that only the person is wrong
        let columns = cube.quasi_identifiers().len();
        let everywhere = (partition.cells.len() / columns) as u32;
        partition
            .cells
            .extend(std::iter::repeat_n(Cell::All, columns));
        partition.group_of[record] = everywhere;
        let refused = Published::from_partition(&cube, &partition, &Missing::default());
        assert_eq!(refused.err(), Some(PartitionError::SplitPerson), "{name}");
        partition.group_of[record] = Partition::SUPPRESSED;
        let refused = Published::from_partition(&cube, &partition, &Missing::default());
        assert_eq!(refused.err(), Some(PartitionError::SplitPerson), "{name}");
    }
}

#[test]
fn whole_people_are_left_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(47);
    let mut left_out = 0;
    for _ in 0..6 {
        let rows = visits(&mut rng, 120, 4);
        let table = table(&rows);
        let promises = [k(3), about(Rule::distinct_diversity(L(2)))];
        for entry in METHODS {
            let name = entry.name;
            let (cube, requirement) = prepared(name, &table, &promises, Insiders::NONE);
            let options = leaving_out(rows.len() as u64 / 10);
            let mut partition = method(name)
                .expect("known")
                .partition(&cube, &requirement, &options)
                .expect("satisfiable");
            if !entry.capabilities.suppresses {
                suppress(&cube, &requirement, &mut partition, &options);
            }
            let found = verified(&cube, &partition, &promises, Insiders::NONE);
            let found = found.unwrap_or_else(|| panic!("{name}"));
            assert!(found.published().suppressed() <= options.max_suppressed);
            left_out += found.published().people().expect("people").suppressed();
        }
    }
    assert!(left_out > 20, "{left_out}");
}

#[test]
fn what_cannot_be_done_for_people_is_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(48);
    let mut rows = visits(&mut rng, 50, 3);
    // everybody has a twin, so that there are fewer kinds than people
    for mut row in rows.clone() {
        row.person += 50;
        rows.push(row);
    }
    let table = table(&rows);
    let promises = [k(3)];
    let (cube, requirement) = prepared("mondrian", &table, &promises, Insiders::NONE);
    let cells = MethodOptions {
        ranges: Ranges::Cell,
        ..MethodOptions::default()
    };
    let mondrian = method("mondrian").expect("known");
    let refused = mondrian.partition(&cube, &requirement, &cells);
    assert_eq!(refused.err(), Some(Error::CellsOfPeople));
    // a requirement that was bound before every person became a kind of her own
    let single = Arc::unwrap_or_clone(cube).into_rows();
    for name in method_names() {
        let method = method(name).expect("known");
        let refused = method.partition(&single, &requirement, &MethodOptions::default());
        assert_eq!(refused.err(), Some(Error::OtherPeople), "{name}");
    }
}

#[test]
fn rows_apart_are_counted_as_people_in_every_group() {
    let mut rng = ChaCha8Rng::seed_from_u64(49);
    let (mut held, mut impossible, mut split) = (0, 0, 0);
    for round in 0..8 {
        let people = rng.random_range(10..80);
        let rows = visits(&mut rng, people, 4);
        let table = table(&rows);
        for promises in all_promises(3) {
            for m in 0..2 {
                for name in method_names() {
                    let at = format!("{name}, m = {m}, round {round}, {promises:?}");
                    let insiders = Insiders::victim(M(m));
                    let method = method(name).expect("known");
                    let mut cube = Cube::new(table.clone());
                    let bound = |cube: &Cube| bind(cube, &promises, insiders, PersonRows::Apart);
                    if method.wants_rows(&bound(&cube)) {
                        cube = cube.into_rows();
                    }
                    let cube = Arc::new(cube);
                    let requirement = bound(&cube);
                    let options = leaving_out(3);
                    let mut planned = match method.partition(&cube, &requirement, &options) {
                        Ok(planned) => planned,
                        Err(error) => {
                            assert_eq!(error, Error::Unsatisfiable, "{at}");
                            impossible += 1;
                            continue;
                        }
                    };
                    // nothing is left out of what cannot be counted
                    let left_out = suppress(&cube, &requirement, &mut planned, &options);
                    assert_eq!(left_out, 0, "{at}");
                    let missing = Missing::default();
                    let published = Published::from_partition_apart(&cube, &planned, &missing);
                    let published = published.expect("labels cover their groups");
                    let counted = published.people().expect("people");
                    split += counted.split().expect("it is known who is who");
                    let found = verify(published, &promises, insiders, Reach::Stated);
                    let found = found.expect("promised");
                    assert!(found.into_verified().is_ok(), "{at}");
                    held += 1;
                }
            }
        }
    }
    assert!(
        held > 200 && split > 200,
        "{held} held, {impossible} impossible, {split} split"
    );
}
