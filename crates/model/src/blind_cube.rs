//! A cube in which nobody has a name.
//!
//! Providers are numbered in the order of their names, and the single rows of a cube lie in the order of
//! what they carry along. A method that breaks a tie by the first of several records would so break it
//! by a name, by an insensitive value, or, where both agree, by the order of the input. A blind cube has
//! the same records with the providers numbered by *what they contributed*, and below each tuple in the
//! order of sensitive values and these numbers. Providers with the same contribution are
//! interchangeable, and so are records that agree: whichever comes first, the same is published.
//!
//! Assumption: each row is one person. Who has several may have rows of several providers, and is left
//! as she is. Cost O(records) time and memory.

use crate::cube::{Cube, Record};
use crate::partition::Partition;
use crate::provider::ProviderId;

/// A cube without names, and where its records come from.
pub struct BlindCube {
    cube: Cube,
    /// Per record the one of the cube that it was made from.
    record_of: Vec<u32>,
}

impl BlindCube {
    /// The same records for eyes that must not see names; `None` where people have several rows.
    pub fn new(cube: &Cube) -> Option<BlindCube> {
        if cube.people().is_some() {
            return None;
        }
        let number_of = numbers_by_contribution(cube);
        let mut record_of: Vec<u32> = Vec::with_capacity(cube.records().len());
        for tuple in 0..cube.tuples() {
            let own = cube.records_of(tuple);
            let start = record_of.len();
            record_of.extend(own.map(|record| record as u32));
            // a stable sort: rows of one provider stay in the order of what they carry along
            record_of[start..].sort_by_key(|&record| {
                let record = &cube.records()[record as usize];
                (record.sensitive, number_of[record.provider.0 as usize])
            });
        }
        let mut records = Vec::with_capacity(record_of.len());
        for &record in &record_of {
            let record = cube.records()[record as usize];
            records.push(Record {
                provider: number_of[record.provider.0 as usize],
                ..record
            });
        }
        Some(BlindCube {
            cube: cube.with_records(records),
            record_of,
        })
    }

    /// The cube. Its numbers of providers are not those of its table.
    pub fn cube(&self) -> &Cube {
        &self.cube
    }

    /// A plan for the blind cube as one for the cube that it was made from.
    pub fn plan(&self, blind: Partition) -> Partition {
        let mut group_of = vec![Partition::SUPPRESSED; blind.group_of.len()];
        for (&record, &group) in self.record_of.iter().zip(&blind.group_of) {
            group_of[record as usize] = group;
        }
        Partition {
            group_of,
            cells: blind.cells,
        }
    }
}

/// Per provider its number in the order of contributions.
fn numbers_by_contribution(cube: &Cube) -> Vec<ProviderId> {
    let providers = cube.providers().len();
    let mut contributions: Vec<Vec<(u32, u32, u64)>> = vec![Vec::new(); providers];
    for tuple in 0..cube.tuples() {
        for record in &cube.records()[cube.records_of(tuple)] {
            let own = &mut contributions[record.provider.0 as usize];
            let key = (tuple as u32, record.sensitive);
            match own.last_mut() {
                // single rows that agree
                Some((tuple, sensitive, count)) if (*tuple, *sensitive) == key => {
                    *count += record.count;
                }
                _ => own.push((key.0, key.1, record.count)),
            }
        }
    }
    let mut order: Vec<usize> = (0..providers).collect();
    order.sort_by(|&a, &b| contributions[a].cmp(&contributions[b]));
    let mut number_of = vec![ProviderId(0); providers];
    for (number, &provider) in (0..).zip(&order) {
        number_of[provider] = ProviderId(number);
    }
    number_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::provider::Providers;
    use crate::schema::{ColumnSpec, Missing, Role};
    use crate::table::Table;
    use proptest::prelude::*;

    /// Place, disease, note and provider.
    type Row = (u8, u8, u8, u8);

    fn cube(rows: &[Row], names: [&str; 4]) -> Cube {
        let column = |name: &str, role, texts: Vec<String>| {
            let spec = ColumnSpec::new(name, role);
            let texts = texts.iter().map(String::as_str);
            Column::from_texts(spec, texts, &Missing::default())
                .ok()
                .unwrap()
        };
        let text = |number: u8| format!("t{number}");
        let columns = vec![
            column(
                "q",
                Role::QuasiIdentifier,
                rows.iter().map(|r| text(r.0)).collect(),
            ),
            column(
                "s",
                Role::Sensitive,
                rows.iter().map(|r| text(r.1)).collect(),
            ),
            column(
                "note",
                Role::Insensitive,
                rows.iter().map(|r| text(r.2)).collect(),
            ),
        ];
        let providers = Providers::new(names.map(str::to_owned).to_vec());
        let id = |row: &Row| providers.id(names[usize::from(row.3)]).unwrap().0;
        let provider_of = rows.iter().map(id).collect();
        Cube::new(Table {
            columns,
            providers,
            provider_of,
            person_of: None,
        })
    }

    fn seen(cube: &Cube) -> Vec<(usize, Record)> {
        let mut seen = Vec::new();
        for tuple in 0..cube.tuples() {
            for record in &cube.records()[cube.records_of(tuple)] {
                seen.push((tuple, *record));
            }
        }
        seen
    }

    proptest! {
        #[test]
        fn neither_names_nor_notes_nor_order_are_seen(
            rows in prop::collection::vec((0u8..3, 0u8..3, 0u8..4, 0u8..4), 1..40),
            seed in any::<u64>(),
        ) {
            let mut others = rows.clone();
            for at in 0..others.len() {
                let to = (seed.rotate_left(at as u32) % others.len() as u64) as usize;
                others.swap(at, to);
            }
            for row in &mut others {
                row.2 = (row.2 + row.0) % 4;
            }
            let plain = cube(&rows, ["A", "B", "C", "D"]).into_rows();
            let changed = cube(&others, ["Z", "B", "Y", "A"]).into_rows();
            let blind = BlindCube::new(&plain).unwrap();
            let other = BlindCube::new(&changed).unwrap();
            prop_assert_eq!(seen(blind.cube()), seen(other.cube()));

            // a plan finds its way back: the same sensitive values and tuples, record by record
            let numbers: Vec<u32> = (0..plain.records().len() as u32).collect();
            let back = blind.plan(Partition { group_of: numbers, cells: Vec::new() });
            for tuple in 0..plain.tuples() {
                for record in plain.records_of(tuple) {
                    let image = back.group_of[record] as usize;
                    prop_assert!(blind.cube().records_of(tuple).contains(&image));
                    let (one, two) = (plain.records()[record], blind.cube().records()[image]);
                    prop_assert_eq!((one.sensitive, one.count), (two.sensitive, two.count));
                }
            }
        }
    }
}
