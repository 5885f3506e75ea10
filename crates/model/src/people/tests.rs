use super::*;
use crate::column::Column;
use crate::cube::{Cube, Record};
use crate::label::Cell;
use crate::partition::{Partition, PartitionError};
use crate::provider::Providers;
use crate::published::{CountedPerson, Published};
use crate::schema::{ColumnSpec, Missing, Role};
use crate::table::Table;
use proptest::prelude::*;
use std::sync::Arc;

/// Person, quasi-identifier, sensitive value, what is carried along, provider.
type Row = [u32; 5];

fn column(rows: &[Row], at: usize, role: Role) -> Column {
    let spec = ColumnSpec::new(format!("c{at}"), role);
    let missing = Missing::default();
    let mut column = Column::from_texts(spec, ["0", "1", "2", "3"], &missing)
        .ok()
        .unwrap();
    column.codes = rows.iter().map(|row| row[at]).collect();
    column
}

fn table(rows: &[Row], carrying: bool) -> Table {
    let mut columns = vec![
        column(rows, 1, Role::QuasiIdentifier),
        column(rows, 2, Role::Sensitive),
    ];
    if carrying {
        columns.push(column(rows, 3, Role::Insensitive));
    }
    Table {
        columns,
        providers: Providers::new(vec!["A".to_owned(), "B".to_owned(), "C".to_owned()]),
        provider_of: rows.iter().map(|row| row[4]).collect(),
        person_of: Some(rows.iter().map(|row| row[0]).collect()),
    }
}

fn without_people(rows: &[Row]) -> Table {
    Table {
        person_of: None,
        ..table(rows, false)
    }
}

/// Everything that a cube shows.
fn seen(cube: &Cube) -> (Vec<Record>, Vec<String>) {
    let mut lines = Vec::new();
    for tuple in 0..cube.tuples() {
        let codes = cube.quasi_identifiers().iter();
        let codes: Vec<u32> = codes.map(|qi| qi.codes.get(tuple)).collect();
        lines.push(format!(
            "{codes:?} {:?} {}",
            cube.records_of(tuple),
            cube.weight(tuple)
        ));
    }
    if let Some(people) = cube.people() {
        for kind in 0..people.kinds().len() {
            let (alike, profile) = (people.kinds().get(kind), people.profile_of(kind));
            assert!(people.kinds_of(profile).contains(&kind));
            lines.push(format!(
                "{alike:?} {:?} {:?}",
                people.records_of(kind),
                people.tuples_of(profile)
            ));
        }
    }
    (cube.records().to_vec(), lines)
}

fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let row = (0u32..5, 0u32..3, 0u32..3, 0u32..3, 0u32..3);
    let row = row.prop_map(|(a, b, c, d, e)| [a, b, c, d, e]);
    prop::collection::vec(row, 1..most)
}

proptest! {
    #[test]
    fn neither_the_order_of_rows_nor_identifiers_leave_a_trace(
        rows in rows(12), seed in any::<u64>(), carrying in any::<bool>(),
    ) {
        let mut shuffled = rows.clone();
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, (seed.rotate_left(at as u32 * 7) % (at as u64 + 1)) as usize);
        }
        for row in &mut shuffled {
            row[0] = (row[0] + 2) % 5;
        }
        let (one, other) = (Cube::new(table(&rows, carrying)), Cube::new(table(&shuffled, carrying)));
        prop_assert_eq!(seen(&one), seen(&other));
        // what is carried along is dealt to the same groups
        let dealt = |cube: &Cube| -> Vec<(u32, u32)> {
            let table = cube.table();
            let carried: Vec<_> = table.with_role(Role::Insensitive).collect();
            let mut pairs: Vec<(u32, u32)> = cube.record_of_row().into_iter().flatten().enumerate()
                .map(|(row, &record)| (record, carried[0].codes.get(row))).collect();
            pairs.sort_unstable();
            pairs
        };
        prop_assert_eq!(dealt(&one), dealt(&other));
        prop_assume!(one.people().is_some());
        let (one, other) = (one.into_rows(), other.into_rows());
        prop_assert_eq!(seen(&one), seen(&other));
        prop_assert_eq!(dealt(&one), dealt(&other));
    }

    #[test]
    fn records_and_kinds_are_the_rows(rows in rows(14)) {
        for cube in [Cube::new(table(&rows, true)), Cube::new(table(&rows, true)).into_rows()] {
            prop_assert_eq!(cube.rows(), rows.len() as u64);
            let counted: u64 = cube.records().iter().map(|record| record.count).sum();
            prop_assert_eq!(counted, rows.len() as u64);
            let record_of = cube.record_of_row().unwrap();
            let mut found = vec![0; cube.records().len()];
            for (row, &record) in rows.iter().zip(record_of) {
                let own = cube.records()[record as usize];
                prop_assert_eq!((own.sensitive, own.provider.0), (sensitive_code(&rows, row[2]), row[4]));
                found[record as usize] += 1;
            }
            let counts: Vec<u64> = cube.records().iter().map(|record| record.count).collect();
            prop_assert_eq!(found, counts);
            let Some(people) = cube.people() else { continue };
            let mut persons: Vec<u32> = rows.iter().map(|row| row[0]).collect();
            persons.sort_unstable();
            persons.dedup();
            prop_assert_eq!(people.count(), persons.len() as u64);
            // the rows of one person are in records of one kind, and as many as the kind says
            for person in persons {
                let own: Vec<usize> = rows.iter().zip(record_of)
                    .filter(|(row, _)| row[0] == person).map(|(_, &record)| record as usize).collect();
                let kind = people.kind_of(own[0]);
                prop_assert!(own.iter().all(|&record| people.kind_of(record) == kind));
                prop_assert_eq!(own.len() as u64, people.kinds().get(kind).rows());
                for &record in people.records_of(kind) {
                    let each = own.iter().filter(|&&other| other == record as usize).count() as u64;
                    prop_assert_eq!(cube.records()[record as usize].count, each * people.kinds().get(kind).people);
                }
            }
        }
    }

    #[test]
    fn one_row_a_person_is_no_people_at_all(rows in rows(12)) {
        let mut rows = rows;
        for (row, person) in rows.iter_mut().zip(0..) {
            row[0] = person;
        }
        let (with, without) = (Cube::new(table(&rows, false)), Cube::new(without_people(&rows)));
        prop_assert!(with.people().is_none());
        prop_assert_eq!(seen(&with), seen(&without));
        prop_assert!(Published::from_table(&table(&rows, false)).people().is_none());
    }

    #[test]
    fn an_audit_reads_back_as_what_was_published(rows in rows(14), apart in any::<bool>()) {
        let (published, mode) = if apart {
            (Published::from_table(&table(&rows, false)).with_rows_apart(), PersonRows::Apart)
        } else {
            let cube = Arc::new(Cube::new(table(&rows, false)));
            let group_of = vec![0; cube.records().len()];
            let partition = Partition { group_of, cells: vec![Cell::All] };
            let published = Published::from_partition(&cube, &partition, &Missing::default());
            (published.ok().unwrap(), PersonRows::Together)
        };
        let Some(people) = published.people() else { return Ok(()) };
        let mut audit: Vec<Row> = Vec::new();
        let mut counts: Vec<CountedPerson> = Vec::new();
        for group in 0..published.groups() {
            for (counted, sensitive, provider) in people.counted(group) {
                let value = published.sensitive()[0].codes.get(sensitive as usize);
                audit.push([0, group as u32, value, 0, provider.0]);
                counts.push(counted);
            }
        }
        let read = Published::from_people_counts(&without_people(&audit), &counts, mode).unwrap();
        let shown = |published: &Published| -> Vec<Vec<String>> {
            (0..published.groups()).map(|group| {
                let people = published.people().unwrap();
                let mut lines: Vec<String> = people.of(group).map(|alike| format!("{alike:?}")).collect();
                lines.push(format!("{:?}", published.entries(group)));
                lines
            }).collect()
        };
        prop_assert_eq!(shown(&published), shown(&read));
        prop_assert_eq!(people.split() == Some(0) || mode == PersonRows::Apart, true);
    }
}

/// The code that the cube gives to a sensitive value: combinations are numbered as they occur.
fn sensitive_code(rows: &[Row], value: u32) -> u32 {
    let mut values: Vec<u32> = rows.iter().map(|row| row[2]).collect();
    values.sort_unstable();
    values.dedup();
    values.iter().position(|&other| other == value).unwrap() as u32
}

/// Person 0 visits twice at A and once at B, person 1 and 2 have one row each.
const VISITS: [Row; 5] = [
    [0, 1, 0, 0, 0],
    [0, 2, 0, 0, 1],
    [1, 1, 1, 0, 0],
    [0, 1, 0, 0, 0],
    [2, 1, 1, 0, 0],
];

#[test]
fn kinds_and_profiles() {
    let cube = Cube::new(table(&VISITS, false));
    let people = cube.people().unwrap();
    let kinds: Vec<(u64, u64, usize)> = people
        .kinds()
        .iter()
        .map(|alike| (alike.people, alike.rows(), alike.providers.len()))
        .collect();
    assert_eq!(kinds, [(2, 1, 1), (1, 3, 2)]);
    assert_eq!(people.profiles(), 2);
    assert_eq!(
        (people.tuples_of(0), people.tuples_of(1)),
        (&[0][..], &[0, 1][..])
    );
    let counts: Vec<u64> = cube.records().iter().map(|record| record.count).collect();
    assert_eq!(counts, [2, 2, 1]);
    assert_eq!(cube.into_rows().records().len(), 4);
}

#[test]
fn a_person_is_not_split_over_two_groups() {
    let cube = Arc::new(Cube::new(table(&VISITS, false)));
    let publish = |group_of: &[u32], cells: &[Cell]| {
        let partition = Partition {
            group_of: group_of.to_vec(),
            cells: cells.to_vec(),
        };
        Published::from_partition(&cube, &partition, &Missing::default()).map(|_| ())
    };
    let point = |code: u32| Cell::Span { lo: code, hi: code };
    let split = Err(PartitionError::SplitPerson);
    assert_eq!(publish(&[0, 0, 1], &[point(1), point(2)]), split);
    assert_eq!(publish(&[0, 0, u32::MAX], &[Cell::All]), split);
    assert_eq!(publish(&[0, 0, 0], &[Cell::All]), Ok(()));
    // groups that look alike are one group
    assert_eq!(publish(&[0, 0, 1], &[Cell::All, Cell::All]), Ok(()));
    assert_eq!(publish(&[u32::MAX, 0, u32::MAX], &[Cell::All]), Ok(()));
    let partition = Partition {
        group_of: vec![0, 0, 1],
        cells: vec![point(1), point(2)],
    };
    let apart = Published::from_partition_apart(&cube, &partition, &Missing::default());
    let apart = apart.ok().unwrap();
    let people = apart.people().unwrap();
    assert_eq!((people.size(0), people.size(1)), (3, 1));
    assert_eq!((people.published(), people.split()), (Some(3), Some(1)));
    // B's other rows make it know her in the first group
    let known: Vec<usize> = people.of(0).map(|alike| alike.providers.len()).collect();
    assert_eq!(known, [2, 1]);
    let foreign = Published::from_table(cube.table());
    assert_eq!(foreign.people().unwrap().first_split(), Some(0));
}
