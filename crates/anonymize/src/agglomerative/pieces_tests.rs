//! Tables that are searched in pieces, and whose divisions are compared on samples: small ones, for which
//! small sizes are enough.

use super::Agglomerative;
use super::pieces::PieceSizes;
use crate::{MethodOptions, plan};
use mingle_model::{
    Codes, Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Partition, PersonRows,
    Providers, Role, Table,
};
use mingle_privacy::{Attribute, Insiders, K, L, M, Promise, Requirement, Rule};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

const SMALL: PieceSizes = PieceSizes {
    whole: 150,
    largest: 150,
    wanted: 60,
    groups: 4,
    parted: 0.2,
    place: 20,
};

/// Person, age, place, illness, provider.
type Row = [u32; 5];

fn rows(people: u32, most: u32) -> Vec<Row> {
    let mut rng = ChaCha8Rng::seed_from_u64(u64::from(most));
    let mut rows = Vec::new();
    for person in 0..people {
        let (age, zip) = (rng.random_range(20..80), rng.random_range(100..400));
        for _ in 0..rng.random_range(1..=most) {
            let (ill, provider) = (rng.random_range(0..6), rng.random_range(0..6) / 2);
            rows.push([person, age + rng.random_range(0..2), zip, ill, provider]);
        }
    }
    rows
}

fn cube(rows: &[Row], with_people: bool) -> Cube {
    let column = |name: &str, at: usize, role, hierarchy, kind| {
        let spec = ColumnSpec {
            kind: Some(kind),
            hierarchy,
            ..ColumnSpec::new(name, role)
        };
        let texts: Vec<String> = rows.iter().map(|row| row[at].to_string()).collect();
        let texts = texts.iter().map(String::as_str);
        Column::from_texts(spec, texts, &Missing::default()).expect("texts fit the kind")
    };
    let qi = Role::QuasiIdentifier;
    let mask = Some(HierarchySource::Mask(3));
    let people = rows.iter().map(|row| row[0]).collect::<Codes>();
    Cube::new(Table {
        columns: vec![
            column("age", 1, qi, None, Kind::Integer),
            column("zip", 2, qi, mask, Kind::Category),
            column("ill", 3, Role::Sensitive, None, Kind::Category),
        ],
        providers: Providers::new(["A", "B", "C"].map(str::to_owned).to_vec()),
        provider_of: rows.iter().map(|row| row[4]).collect(),
        person_of: with_people.then_some(people),
    })
}

fn requirement(cube: &Cube, m: u64) -> Requirement {
    let promises = [
        Promise {
            rule: Rule::k_anonymity(K(4)),
            attribute: None,
        },
        Promise {
            rule: Rule::distinct_diversity(L(2)),
            attribute: Some(Attribute::Column(0)),
        },
    ];
    let bound = match cube.people() {
        Some(people) => {
            let rows = PersonRows::Together;
            Requirement::bind_people(&promises, cube.sensitive(), people.kinds(), rows)
        }
        None => Requirement::bind(&promises, cube.sensitive(), &cube.combinations()),
    };
    let bound = bound.expect("parameters are in range");
    bound.against(Insiders::victim(M(m)))
}

/// Every group satisfies the requirement, and everybody is in one.
fn check_groups(cube: &Cube, requirement: &Requirement, planned: &Partition) {
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (record, &group) in (0..).zip(&planned.group_of) {
        assert_ne!(group, Partition::SUPPRESSED);
        groups.entry(group).or_default().push(record);
    }
    for records in groups.into_values() {
        let tally = plan::tally_records(cube, requirement, records.into_iter());
        assert!(requirement.holds(&tally));
    }
}

/// What is published of each record of the cube, on so many threads.
fn published(rows: &[Row], with_people: bool, m: u64, threads: usize) -> (Vec<u32>, Vec<String>) {
    let cube = cube(rows, with_people);
    let requirement = requirement(&cube, m);
    let options = MethodOptions::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads can start");
    let planned = pool.install(|| Agglomerative::in_pieces(&cube, &requirement, &options, SMALL));
    let planned = planned.expect("the whole table satisfies this");
    check_groups(&cube, &requirement, &planned);
    if let Some(people) = cube.people() {
        let mut group_of_kind = vec![None; people.kinds().len()];
        for (record, &group) in planned.group_of.iter().enumerate() {
            let own = group_of_kind[people.kind_of(record)].get_or_insert(group);
            assert_eq!(*own, group, "a person's rows are in one group");
        }
    }
    let cells = planned.cells.iter().map(|cell| format!("{cell:?}"));
    (planned.group_of.clone(), cells.collect())
}

#[test]
fn pieces_depend_neither_on_threads_nor_on_the_order_of_rows() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    for (with_people, most) in [(true, 4), (false, 1)] {
        let rows = rows(800, most);
        let mut shuffled = rows.clone();
        shuffled.shuffle(&mut rng);
        for m in 0..2 {
            let first = published(&rows, with_people, m, 1);
            for threads in [2, 16] {
                let other = published(&rows, with_people, m, threads);
                assert!(first == other, "{threads} threads, m = {m}");
            }
            let other = published(&shuffled, with_people, m, 16);
            assert!(first == other, "order, m = {m}, people: {with_people}");
        }
    }
}

/// Dense tuples: who fails alone is merged, and of those who pass a share is merged as well in every
/// piece, so that being merged tells little.
#[test]
fn decoys_are_drawn_in_every_piece() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    let mut rows: Vec<Row> = Vec::new();
    for tuple in 0..1_200 {
        let (age, zip) = (20 + tuple % 60, 100 + tuple / 60 * 15);
        let is_uniform = rng.random_range(0..20) == 0;
        for _ in 0..rng.random_range(4..8) {
            let ill = if is_uniform {
                3
            } else {
                rng.random_range(0..6)
            };
            rows.push([rows.len() as u32, age, zip, ill, 0]);
        }
    }
    let cube = cube(&rows, false);
    let requirement = requirement(&cube, 0);
    let options = MethodOptions::default();
    let planned = Agglomerative::in_pieces(&cube, &requirement, &options, SMALL);
    let planned = planned.expect("the whole table satisfies this");
    check_groups(&cube, &requirement, &planned);
    let mut tuples_of_group: BTreeMap<u32, usize> = BTreeMap::new();
    for tuple in 0..cube.tuples() {
        let group = planned.group_of[cube.records_of(tuple).start];
        *tuples_of_group.entry(group).or_default() += 1;
    }
    // ages below 50 and above are in different pieces, as are most places
    let mut passing = [0.0f64; 4];
    let mut merged = [0.0f64; 4];
    for tuple in 0..cube.tuples() {
        let records = cube.records_of(tuple);
        let is_merged = tuples_of_group[&planned.group_of[records.start]] > 1;
        let own = records.clone().map(|record| record as u32);
        let tally = plan::tally_records(&cube, &requirement, own);
        if !requirement.holds(&tally) {
            assert!(is_merged, "who fails alone is in company");
            continue;
        }
        let place = tuple * 4 / cube.tuples();
        passing[place] += 1.0;
        merged[place] += f64::from(u8::from(is_merged));
    }
    for (merged, passing) in merged.iter().zip(passing) {
        assert!(passing > 200.0);
        assert!(merged / passing > 0.08, "{merged} of {passing}");
    }
}
