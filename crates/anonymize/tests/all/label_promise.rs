//! What labels promise: public ones are fixed by the policy, and the bounds of cells do not show the
//! extremes of the table.

use crate::common::{bind, publish, table};
use mingle_anonymize::{LabelForm, METHODS, MethodOptions, Ranges, method, suppress};
use mingle_model::{
    Cell, Column, Cube, DeclaredGrid, Kind, Missing, Number, Partition, Published, Table,
};
use mingle_privacy::{Insiders, K, LabelPromise, M, Promise, Reach, Rule, Verification, verify};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn k(k: u64) -> [Promise; 1] {
    [Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }]
}

/// The table with a grid of fives for ages.
fn with_grid(mut table: Table) -> Table {
    let age = &table.columns[0];
    let mut spec = age.spec.clone();
    spec.grid = Number::parse("5").map(DeclaredGrid::Multiples);
    let codes = age.codes.iter();
    let texts: Vec<String> = codes.map(|code| age.domain.text(code).to_owned()).collect();
    let texts = texts.iter().map(String::as_str);
    table.columns[0] = Column::from_texts(spec, texts, &Missing::default()).expect("ages");
    table
}

fn verified(published: Published, insiders: Insiders) -> Verification {
    verify(published, &k(3), insiders, Reach::Stated).expect("not empty")
}

/// A planted mistake: somebody's label lists what the group has.
fn told(cube: &Cube, partition: &Partition) -> Option<Partition> {
    let q = cube.quasi_identifiers().len();
    let mut cells = partition.cells.clone();
    for tuple in 0..cube.tuples() {
        for &group in &partition.group_of[cube.records_of(tuple)] {
            let place = group as usize * q;
            if group == Partition::SUPPRESSED || !matches!(cells[place], Cell::Between { .. }) {
                continue;
            }
            let numbers: Vec<i128> = (0..cube.tuples())
                .filter(|&t| partition.group_of[cube.records_of(t)].contains(&group))
                .filter_map(|t| {
                    let age = &cube.quasi_identifiers()[0];
                    age.domain.number(age.codes.get(t))
                })
                .collect();
            let (lo, hi) = (*numbers.iter().min()?, *numbers.iter().max()?);
            cells[place] = Cell::Between { lo, hi };
            let group_of = partition.group_of.clone();
            return (lo % 5 != 0 || hi % 5 != 4).then_some(Partition { group_of, cells });
        }
    }
    None
}

#[test]
fn public_labels_are_those_of_the_policy() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let (mut fine, mut noticed) = (0, 0);
    for round in 0..60 {
        let rows = rng.random_range(20..200);
        let cube = Cube::new(with_grid(table(&mut rng, rows)));
        let insiders = Insiders::victim(M(rng.random_range(0..3))).reading(LabelPromise::Public);
        let requirement = bind(&cube, &k(3)).against(insiders);
        let options = MethodOptions {
            labels: LabelForm::Public,
            max_suppressed: rows as u64 / 20,
            ..MethodOptions::default()
        };
        for entry in METHODS.iter().filter(|entry| entry.capabilities.sets) {
            let found = method(entry.name)
                .expect("known")
                .partition(&cube, &requirement, &options);
            let Ok(mut partition) = found else {
                continue;
            };
            let foreign = |partition: &Partition| {
                verified(publish(&cube, partition), insiders).foreign_label()
            };
            assert_eq!(foreign(&partition), None, "{}, round {round}", entry.name);
            suppress(&cube, &requirement, &mut partition, &options);
            assert_eq!(foreign(&partition), None, "{}, round {round}", entry.name);
            fine += 1;
            if let Some(told) = told(&cube, &partition) {
                assert!(foreign(&told).is_some(), "{}, round {round}", entry.name);
                let verification = verified(publish(&cube, &told), insiders);
                assert!(verification.into_verified().is_err());
                noticed += 1;
            }
        }
    }
    assert!(fine > 100 && noticed > 50, "{fine} fine, {noticed} noticed");
}

/// A grid that nobody declared is no vocabulary.
#[test]
fn tight_labels_are_not_public() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let cube = Cube::new(table(&mut rng, 200));
    let insiders = Insiders::victim(M(1));
    let requirement = bind(&cube, &k(3)).against(insiders);
    let partition = method("agglomerative")
        .expect("known")
        .partition(&cube, &requirement, &MethodOptions::default())
        .expect("200 rows are enough");
    let tight = verified(publish(&cube, &partition), insiders);
    assert_eq!(
        tight.foreign_label(),
        None,
        "nothing of the kind is promised"
    );
    let public = insiders.reading(LabelPromise::Public);
    assert!(
        verified(publish(&cube, &partition), public)
            .foreign_label()
            .is_some()
    );
}

#[test]
fn bounds_of_cells_do_not_show_the_extremes_of_the_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let mut outermost = 0;
    for _ in 0..30 {
        let cube = Cube::new(table(&mut rng, 300));
        let requirement = bind(&cube, &k(4)).against(Insiders::victim(M(rng.random_range(0..2))));
        let options = MethodOptions {
            ranges: Ranges::Cell,
            ..MethodOptions::default()
        };
        let partition = method("mondrian")
            .expect("known")
            .partition(&cube, &requirement, &options)
            .expect("300 rows are enough");
        let age = &cube.quasi_identifiers()[0].domain;
        assert_eq!(age.kind(), Kind::Integer);
        let (low, high) = age.extent().expect("ages");
        let grid = age.grid().expect("ages are published in ranges");
        let q = cube.quasi_identifiers().len();
        for cells in partition.cells.chunks(q) {
            let (lo, hi) = match cells[0] {
                Cell::Span { lo, hi } => match age.number(lo).zip(age.number(hi)) {
                    Some(ends) => ends,
                    None => continue,
                },
                Cell::Between { lo, hi } => (lo, hi),
                _ => continue,
            };
            if lo == hi {
                continue;
            }
            assert!(lo != low || grid.floor(low) == low, "the youngest shows");
            assert!(hi != high || grid.ceil(high) == high, "the oldest shows");
            outermost += usize::from(lo < low || hi > high);
        }
    }
    assert!(outermost > 10, "{outermost} cells at the edge of the table");
}
