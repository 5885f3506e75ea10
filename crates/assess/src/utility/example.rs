//! Tables for tests: four hospitals, and generated ones that know what each label covers without
//! reading it.

use super::comparison::Comparison;
use mingle_model::{
    Cell, Code, Codes, Column, ColumnSpec, Cube, HierarchySource, Missing, Partition, Providers,
    Published, Role, Table,
};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::LazyLock;

pub static MISSING: LazyLock<Missing> = LazyLock::new(Missing::default);

/// Rows of texts; the columns of `specs` in order, the last text is the provider.
pub fn table(specs: &[ColumnSpec], rows: &[Vec<String>]) -> Table {
    let column = |(c, spec): (usize, &ColumnSpec)| {
        Column::from_texts(spec.clone(), rows.iter().map(|r| r[c].as_str()), &MISSING)
            .ok()
            .unwrap()
    };
    let providers = Providers::new(rows.iter().map(|r| r.last().unwrap().clone()).collect());
    let provider_of = rows
        .iter()
        .map(|r| providers.id(r.last().unwrap()).unwrap().0)
        .collect::<Codes>();
    Table {
        columns: specs.iter().enumerate().map(column).collect(),
        providers,
        provider_of,
        person_of: None,
    }
}

/// Age and ZIP code as plain numbers, and disease.
pub fn hospitals() -> Table {
    let rows = [
        ("24", "98745", "Cancer", "P1"),
        ("35", "12367", "Asthma", "P1"),
        ("22", "98712", "Asthma", "P1"),
        ("38", "98701", "Cancer", "P2"),
        ("37", "12389", "Flu", "P2"),
        ("31", "12399", "Flu", "P2"),
        ("20", "12300", "Epilepsy", "P3"),
        ("39", "98708", "Flu", "P3"),
        ("32", "12337", "Cancer", "P4"),
        ("33", "12388", "Asthma", "P4"),
    ];
    let rows = rows.map(|(a, z, d, p)| [a, z, d, p].map(str::to_owned).to_vec());
    let specs = [
        ColumnSpec::new("age", Role::QuasiIdentifier),
        ColumnSpec::new("zip", Role::QuasiIdentifier),
        ColumnSpec::new("disease", Role::Sensitive),
    ];
    table(&specs, &rows)
}

/// Puts each row of the four hospitals into the group that `assign` names by its age.
pub fn partition(cube: &Cube, assign: impl Fn(&str) -> u32) -> Partition {
    let age = &cube.quasi_identifiers()[0];
    let mut group_of = Vec::new();
    for tuple in 0..cube.tuples() {
        let group = assign(age.domain.text(age.codes.get(tuple)));
        group_of.extend(cube.records_of(tuple).map(|_| group));
    }
    let groups = group_of
        .iter()
        .filter(|g| **g != Partition::SUPPRESSED)
        .max()
        .map_or(0, |g| g + 1);
    Partition {
        cells: spans(cube, &group_of, groups),
        group_of,
    }
}

/// The smallest span of each group and column; a group without rows gets `*`.
fn spans(cube: &Cube, group_of: &[u32], groups: u32) -> Vec<Cell> {
    let mut cells = Vec::new();
    for group in 0..groups {
        for qi in cube.quasi_identifiers() {
            let here =
                (0..cube.tuples()).filter(|&t| cube.records_of(t).any(|r| group_of[r] == group));
            let codes: Vec<Code> = here.map(|t| qi.codes.get(t)).collect();
            cells.push(match (codes.iter().min(), codes.iter().max()) {
                (Some(&lo), Some(&hi)) => Cell::Span { lo, hi },
                _ => Cell::All,
            });
        }
    }
    cells
}

/// A generated table with a generated release.
pub struct Made {
    pub rows: Vec<Vec<String>>,
    pub table: Table,
    pub cube: Cube,
    pub partition: Partition,
    pub published: Published,
}

impl std::fmt::Debug for Made {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} in groups {:?}", self.rows, self.partition.group_of)
    }
}

impl Made {
    pub fn comparison(&self) -> Comparison<'_> {
        Comparison::new(&self.cube, &MISSING, &self.published).unwrap()
    }

    pub fn q(&self) -> usize {
        self.cube.quasi_identifiers().len()
    }

    /// Per published row and column the codes its label covers, from the definition of each
    /// column's labels.
    pub fn published_rows(&self) -> Vec<Vec<Vec<Code>>> {
        self.expanded(|group| group != Partition::SUPPRESSED)
            .map(|(_, group)| self.covered(group))
            .collect()
    }

    /// (tuple, group) of each original row that passes.
    pub fn expanded(&self, keep: impl Fn(u32) -> bool) -> impl Iterator<Item = (usize, u32)> {
        let tuples =
            (0..self.cube.tuples()).flat_map(|t| self.cube.records_of(t).map(move |r| (t, r)));
        let rows = tuples.flat_map(|(t, r)| {
            let group = self.partition.group_of[r];
            (0..self.cube.records()[r].count).map(move |_| (t, group))
        });
        rows.filter(move |(_, group)| keep(*group))
    }

    /// Per column the codes that a group's label covers.
    pub fn covered(&self, group: u32) -> Vec<Vec<Code>> {
        (0..self.q()).map(|c| self.covered_in(group, c)).collect()
    }

    fn covered_in(&self, group: u32, column: usize) -> Vec<Code> {
        let qi = &self.cube.quasi_identifiers()[column];
        let all = 0..qi.domain.len() as Code;
        let Cell::Span { lo, hi } = self.partition.cells[group as usize * self.q() + column] else {
            return all.collect();
        };
        match qi.name.as_str() {
            // a missing value and a number together are `*`
            "number" if lo != hi && qi.domain.missing() == Some(lo) => all.collect(),
            "number" | "set" => (lo..=hi).collect(),
            _ if lo == hi => vec![lo],
            _ => {
                let (a, b) = (qi.domain.text(lo), qi.domain.text(hi));
                let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
                all.filter(|&c| qi.domain.text(c).starts_with(&a[..shared]))
                    .collect()
            }
        }
    }
}

fn specs() -> [ColumnSpec; 4] {
    let qi = |name| ColumnSpec::new(name, Role::QuasiIdentifier);
    let masked = ColumnSpec {
        hierarchy: Some(HierarchySource::Mask(3)),
        ..qi("masked")
    };
    [
        qi("number"),
        qi("set"),
        masked,
        ColumnSpec::new("sensitive", Role::Sensitive),
    ]
}

/// Columns `number`, `set`, `masked`, `sensitive`, and the provider.
fn any_row() -> impl Strategy<Value = Vec<String>> {
    (0u32..9, 0u32..5, 0u32..12, 0u32..3, 0u32..3).prop_map(
        |(number, set, masked, sensitive, provider)| {
            let number = if number == 0 {
                "?".to_owned()
            } else {
                (number * number).to_string()
            };
            let masked = format!("{}{}{}", masked / 6, masked % 6 / 2, masked % 2);
            vec![
                number,
                format!("s{set}"),
                masked,
                format!("d{sensitive}"),
                format!("P{provider}"),
            ]
        },
    )
}

fn any_groups() -> impl Strategy<Value = Vec<u32>> {
    let group = prop_oneof![6 => 0u32..5, 1 => Just(Partition::SUPPRESSED)];
    prop::collection::vec(group, 40)
}

/// Up to 40 rows of up to twelve people, each with all rows in one of up to five groups, or left out. Where rows are
/// apart, each row is where it likes.
pub fn any_release_of_people(apart: bool) -> impl Strategy<Value = (Vec<u32>, Made)> {
    let rows = prop::collection::vec((any_row(), 0u32..12), 2..40);
    (rows, any_groups()).prop_map(move |(rows, groups)| {
        let (mut rows, persons): (Vec<Vec<String>>, Vec<u32>) = rows.into_iter().unzip();
        // where something is carried along, a cube keeps which record each row is
        let mut specs = specs().to_vec();
        specs.push(ColumnSpec::new("carried", Role::Insensitive));
        for row in &mut rows {
            row.insert(4, "x".to_owned());
        }
        let mut table = table(&specs, &rows);
        table.person_of = Some(persons.iter().copied().collect());
        let cube = Cube::new(table.clone());
        let group = |record: usize| match cube.people() {
            Some(people) if !apart => groups[people.kind_of(record) % groups.len()],
            _ => groups[record],
        };
        let group_of: Vec<u32> = (0..cube.records().len()).map(group).collect();
        let partition = Partition {
            cells: spans(&cube, &group_of, 5),
            group_of,
        };
        let shared = Arc::new(cube.clone());
        let published = if apart {
            Published::from_partition_apart(&shared, &partition, &MISSING)
        } else {
            Published::from_partition(&shared, &partition, &MISSING)
        };
        let made = Made {
            rows,
            table,
            cube,
            partition,
            published: published.unwrap(),
        };
        (persons, made)
    })
}

/// Up to 40 rows in up to five groups, some rows suppressed.
pub fn any_release() -> impl Strategy<Value = Made> {
    let rows = prop::collection::vec(any_row(), 1..40);
    (rows, any_groups()).prop_map(|(rows, groups)| {
        let table = table(&specs(), &rows);
        let cube = Cube::new(table.clone());
        let group_of: Vec<u32> = groups[..cube.records().len()].to_vec();
        let partition = Partition {
            cells: spans(&cube, &group_of, 5),
            group_of,
        };
        let published =
            Published::from_partition(&Arc::new(cube.clone()), &partition, &MISSING).unwrap();
        Made {
            rows,
            table,
            cube,
            partition,
            published,
        }
    })
}
