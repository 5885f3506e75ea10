//! The table as a release may look at it: every record in cells of the declared domains, and no
//! more records per person than the bound.

use crate::Error;
use crate::universe::{CellId, DeclaredAttribute, Place};
use mingle_model::{Code, Column, Table};
use rayon::prelude::*;

/// Records in declared cells. No `Debug`: it has cells.
#[derive(Clone)]
pub struct Records {
    columns: Vec<Vec<CellId>>,
    cells: Vec<usize>,
    per_person: u64,
}

/// What happened on the way, for the steward alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoded {
    /// Rows of the tables.
    pub rows: u64,
    /// Rows left out because a value is not declared and nothing stands for it.
    pub left_out: u64,
    /// Rows left out because nobody knows whose they are.
    pub of_unknown: u64,
    /// Rows left out because their person has more than the bound.
    pub beyond_bound: u64,
    /// Per attribute what was not declared.
    pub columns: Vec<UndeclaredValues>,
}

/// Values of one attribute that its declaration does not have, in rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UndeclaredValues {
    /// The attribute's name.
    pub column: String,
    /// Counted in the nearest bin.
    pub clamped: u64,
    /// Counted as `other`.
    pub other: u64,
    /// With their row left out.
    pub left_out: u64,
}

/// How many records one person can have.
#[derive(Clone, Copy, Debug)]
pub struct PerPerson<'a> {
    /// The bound, at least 1.
    pub most: u64,
    /// Per row whose it is, or [`PerPerson::UNKNOWN`]. Without it the bound is the steward's word.
    pub person_of: Option<&'a [u32]>,
}

impl PerPerson<'_> {
    /// A row whose person is not known. It is left out: counted as one person, all such rows would
    /// share one bound, and who leaves would make room for somebody else.
    pub const UNKNOWN: u32 = u32::MAX;

    /// Every record is a person.
    pub const ONE: PerPerson<'static> = PerPerson {
        most: 1,
        person_of: None,
    };
}

impl Records {
    /// Reads a table through declarations. The table's columns are looked up by name and read as
    /// text, whatever they hold.
    pub fn encode(
        attributes: &[DeclaredAttribute],
        table: &Table,
        bound: PerPerson<'_>,
    ) -> Result<(Records, Encoded), Error> {
        let rows = table.rows();
        let columns: Vec<&Column> = attributes
            .iter()
            .map(|a| table.columns.iter().find(|c| c.spec.name == a.name))
            .collect::<Option<_>>()
            .ok_or(Error::OtherTable)?;
        if bound.person_of.is_some_and(|people| people.len() != rows) || bound.most == 0 {
            return Err(Error::OtherTable);
        }
        let maps: Vec<Vec<Place>> = attributes
            .iter()
            .zip(&columns)
            .map(|(a, c)| places(a, c))
            .collect();
        let mut keep = vec![true; rows];
        for (map, column) in maps.iter().zip(&columns) {
            if map.contains(&Place::Nowhere) {
                let nowhere = |code: Code| map[code as usize] == Place::Nowhere;
                keep.iter_mut()
                    .zip(column.codes.iter())
                    .for_each(|(keep, code)| *keep &= !nowhere(code));
            }
        }
        let kept = |keep: &[bool]| keep.iter().filter(|&&keep| keep).count();
        let inside = kept(&keep);
        let mut known = inside;
        if let Some(people) = bound.person_of {
            keep.iter_mut()
                .zip(people)
                .for_each(|(keep, &person)| *keep &= person != PerPerson::UNKNOWN);
            known = kept(&keep);
            // the first ones of each person: which, depends on that person's records alone
            let named = people
                .iter()
                .filter(|&&person| person != PerPerson::UNKNOWN);
            let mut seen = vec![0u64; named.max().map_or(0, |&last| last as usize + 1)];
            for (keep, &person) in keep.iter_mut().zip(people).filter(|(keep, _)| **keep) {
                let seen = &mut seen[person as usize];
                *seen += 1;
                *keep = *seen <= bound.most;
            }
        }
        let kept = kept(&keep);
        let encoded = Encoded {
            rows: rows as u64,
            left_out: (rows - inside) as u64,
            of_unknown: (inside - known) as u64,
            beyond_bound: (known - kept) as u64,
            columns: attributes
                .iter()
                .zip(&maps)
                .zip(&columns)
                .map(|((a, map), c)| undeclared(a, map, c))
                .collect(),
        };
        let everything = kept == rows;
        let column = |(map, column): (&Vec<Place>, &&Column)| -> Vec<CellId> {
            let cell: Vec<CellId> = map.iter().map(|place| cell(*place)).collect();
            let codes = column.codes.iter().map(|code| cell[code as usize]);
            if everything {
                codes.collect()
            } else {
                codes
                    .zip(&keep)
                    .filter_map(|(c, &keep)| keep.then_some(c))
                    .collect()
            }
        };
        let records = Records {
            columns: maps.par_iter().zip(&columns).map(column).collect(),
            cells: attributes.iter().map(DeclaredAttribute::len).collect(),
            per_person: bound.most,
        };
        Ok((records, encoded))
    }

    /// Records given as cells, column by column.
    pub fn from_columns(columns: Vec<Vec<CellId>>, cells: Vec<usize>, per_person: u64) -> Records {
        Records {
            columns,
            cells,
            per_person,
        }
    }

    /// How many records there are. Not public.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Per attribute its number of cells.
    pub fn cells(&self) -> &[usize] {
        &self.cells
    }

    /// The most records that one person has.
    pub fn per_person(&self) -> u64 {
        self.per_person
    }

    /// The cells of one attribute, record by record.
    pub fn column(&self, attribute: usize) -> &[CellId] {
        &self.columns[attribute]
    }

    /// The same records with the cells of one attribute united.
    pub fn united(&mut self, attribute: usize, into: &[CellId], cells: usize) {
        self.columns[attribute]
            .iter_mut()
            .for_each(|cell| *cell = into[usize::from(*cell)]);
        self.cells[attribute] = cells;
    }
}

fn places(attribute: &DeclaredAttribute, column: &Column) -> Vec<Place> {
    let missing = column.domain.missing();
    let place = |code: Code| attribute.place(column.domain.text(code), missing == Some(code));
    (0..column.domain.len() as Code)
        .into_par_iter()
        .map(place)
        .collect()
}

fn cell(place: Place) -> CellId {
    match place {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => cell,
        Place::Nowhere => 0,
    }
}

fn undeclared(attribute: &DeclaredAttribute, map: &[Place], column: &Column) -> UndeclaredValues {
    let mut found = UndeclaredValues {
        column: attribute.name.clone(),
        ..UndeclaredValues::default()
    };
    if map.iter().any(|place| !matches!(place, Place::Cell(_))) {
        for code in column.codes.iter() {
            match map[code as usize] {
                Place::Cell(_) => {}
                Place::Clamped(_) => found.clamped += 1,
                Place::Other(_) => found.other += 1,
                Place::Nowhere => found.left_out += 1,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::universe::DeclaredValues;
    use mingle_model::{Codes, ColumnSpec, Kind, Missing, Providers, Role};

    fn words(name: &str, labels: &[&str], other: Option<&str>) -> DeclaredAttribute {
        let domain = DeclaredValues::categories(labels.iter().map(|&l| l.to_owned()).collect())
            .expect("words");
        let (role, kind) = (Role::Sensitive, Kind::Category);
        DeclaredAttribute {
            name: name.into(),
            role,
            kind,
            domain,
            other: other.map(str::to_owned),
            missing: None,
        }
    }

    fn table(columns: &[(&str, &[&str])]) -> Table {
        let column = |&(name, texts): &(&str, &[&str])| {
            let spec = ColumnSpec {
                kind: Some(Kind::Category),
                ..ColumnSpec::new(name, Role::Sensitive)
            };
            Column::from_texts(spec, texts.iter().copied(), &Missing::default()).expect("a column")
        };
        let provider_of: Codes = std::iter::repeat_n(0, columns[0].1.len()).collect();
        Table {
            columns: columns.iter().map(column).collect(),
            providers: Providers::new(vec!["p".into()]),
            provider_of,
            person_of: None,
        }
    }

    #[test]
    fn what_is_not_declared_is_other_or_leaves_its_row_out() {
        let table = table(&[
            ("a", &["x", "y", "z", "x", ""]),
            ("b", &["1", "9", "1", "2", "1"]),
        ]);
        let attributes = [
            words("a", &["x", "y"], None),
            words("b", &["1", "2"], Some("more")),
        ];
        let (records, encoded) =
            Records::encode(&attributes, &table, PerPerson::ONE).expect("a table");
        assert_eq!((records.len(), records.cells()), (3, &[2, 3][..]));
        assert_eq!(
            (records.column(0), records.column(1)),
            (&[0, 1, 0][..], &[0, 2, 1][..])
        );
        assert_eq!(
            (
                encoded.rows,
                encoded.left_out,
                encoded.columns[0].left_out,
                encoded.columns[1].other
            ),
            (5, 2, 2, 1)
        );
    }

    #[test]
    fn nobody_has_more_records_than_the_bound() {
        let table = table(&[("a", &["x", "y", "x", "y", "x", "y"])]);
        let attributes = [words("a", &["x", "y"], None)];
        let people = [7, 7, 3, 7, PerPerson::UNKNOWN, PerPerson::UNKNOWN];
        let bound = PerPerson {
            most: 2,
            person_of: Some(&people),
        };
        let (records, encoded) = Records::encode(&attributes, &table, bound).expect("a table");
        assert_eq!(records.column(0), [0, 1, 0]);
        assert_eq!((encoded.of_unknown, encoded.beyond_bound), (2, 1));
        assert_eq!(records.per_person(), 2);
    }

    /// Whoever leaves, the records of everybody else are what they were.
    #[test]
    fn one_person_more_or_less_changes_nobody_else() {
        let texts = ["x", "y", "x", "y", "y", "x", "y", "x"];
        let people = [1, 2, PerPerson::UNKNOWN, 1, 2, 1, 3, PerPerson::UNKNOWN];
        let encode = |gone: Option<u32>| {
            let stays: Vec<usize> = (0..8).filter(|&row| Some(people[row]) != gone).collect();
            let table = table(&[(
                "a",
                &stays.iter().map(|&row| texts[row]).collect::<Vec<_>>(),
            )]);
            let people: Vec<u32> = stays.iter().map(|&row| people[row]).collect();
            let bound = PerPerson {
                most: 2,
                person_of: Some(&people),
            };
            let (records, _) =
                Records::encode(&[words("a", &["x", "y"], None)], &table, bound).expect("a table");
            crate::count::count(&records, &[vec![0]]).remove(0)
        };
        let all = encode(None);
        for gone in [1, 2, 3] {
            let moved: u64 = all
                .iter()
                .zip(encode(Some(gone)))
                .map(|(a, b)| a.abs_diff(b))
                .sum();
            assert!(moved <= 2, "{gone} {moved}");
        }
    }

    #[test]
    fn another_table_is_refused() {
        let table = table(&[("a", &["x"])]);
        assert!(Records::encode(&[words("b", &["x"], None)], &table, PerPerson::ONE).is_err());
        let short = PerPerson {
            most: 1,
            person_of: Some(&[]),
        };
        assert!(Records::encode(&[words("a", &["x"], None)], &table, short).is_err());
        assert!(
            Records::encode(
                &[words("a", &["x"], None)],
                &table,
                PerPerson {
                    most: 0,
                    person_of: None
                }
            )
            .is_err()
        );
    }
}
