//! Tables that are searched in pieces, and whose divisions are compared on samples: small ones, for which
//! small sizes are enough.

use super::Agglomerative;
use super::pieces::PieceSizes;
use crate::MethodOptions;
use mingle_model::{
    Codes, Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, PersonRows, Providers, Role,
    Table,
};
use mingle_privacy::{Attribute, Insiders, K, L, M, Promise, Requirement, Rule};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SMALL: PieceSizes = PieceSizes {
    largest: 150,
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

/// What is published of each record of the cube, on so many threads.
fn published(rows: &[Row], with_people: bool, m: u64, threads: usize) -> (Vec<u32>, Vec<String>) {
    let cube = cube(rows, with_people);
    let requirement = requirement(&cube, m);
    let options = MethodOptions::default();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("threads can start");
    let planned = pool.install(|| Agglomerative::in_pieces(&cube, &requirement, &options, SMALL));
    let planned = planned.expect("the whole table satisfies this");
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
            assert!(
                first == published(&rows, with_people, m, 2),
                "threads, m = {m}"
            );
            let other = published(&shuffled, with_people, m, 2);
            assert!(first == other, "order, m = {m}, people: {with_people}");
        }
    }
}
