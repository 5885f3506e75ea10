//! The table as a release may look at it: every record in cells of the declared domains, and no more records per person
//! than the bound.

use crate::Error;
use crate::universe::{Attribute, CellId, Place};
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
    /// Rows left out because their person has more than the bound.
    pub beyond_bound: u64,
    /// Per attribute what was not declared.
    pub columns: Vec<Undeclared>,
}

/// Values of one attribute that its declaration does not have, in rows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Undeclared {
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
    /// Per row whose it is. Without it the bound is the steward's word.
    pub person_of: Option<&'a [u32]>,
}

impl PerPerson<'_> {
    /// Every record is a person.
    pub const ONE: PerPerson<'static> = PerPerson { most: 1, person_of: None };
}

impl Records {
    /// Reads a table through declarations. The table's columns are looked up by name and read as text, whatever they hold.
    pub fn encode(attributes: &[Attribute], table: &Table, bound: PerPerson<'_>) -> Result<(Records, Encoded), Error> {
        let rows = table.rows();
        let columns: Vec<&Column> = attributes
            .iter()
            .map(|a| table.columns.iter().find(|c| c.spec.name == a.name))
            .collect::<Option<_>>()
            .ok_or(Error::OtherTable)?;
        if bound.person_of.is_some_and(|people| people.len() != rows) || bound.most == 0 {
            return Err(Error::OtherTable);
        }
        let maps: Vec<Vec<Place>> = attributes.iter().zip(&columns).map(|(a, c)| places(a, c)).collect();
        let mut keep = vec![true; rows];
        for (map, column) in maps.iter().zip(&columns) {
            if map.contains(&Place::Nowhere) {
                let nowhere = |code: Code| map[code as usize] == Place::Nowhere;
                keep.iter_mut().zip(column.codes.iter()).for_each(|(keep, code)| *keep &= !nowhere(code));
            }
        }
        let inside = keep.iter().filter(|&&keep| keep).count();
        if let Some(people) = bound.person_of {
            // the first ones of each person: which, depends on that person's records alone
            let mut seen = vec![0u64; people.iter().max().map_or(0, |&last| last as usize + 1)];
            for (keep, &person) in keep.iter_mut().zip(people).filter(|(keep, _)| **keep) {
                let seen = &mut seen[person as usize];
                *seen += 1;
                *keep = *seen <= bound.most;
            }
        }
        let kept = keep.iter().filter(|&&keep| keep).count();
        let encoded = Encoded {
            rows: rows as u64,
            left_out: (rows - inside) as u64,
            beyond_bound: (inside - kept) as u64,
            columns: attributes.iter().zip(&maps).zip(&columns).map(|((a, map), c)| undeclared(a, map, c)).collect(),
        };
        let everything = kept == rows;
        let column = |(map, column): (&Vec<Place>, &&Column)| -> Vec<CellId> {
            let cell: Vec<CellId> = map.iter().map(|place| cell(*place)).collect();
            let codes = column.codes.iter().map(|code| cell[code as usize]);
            if everything {
                codes.collect()
            } else {
                codes.zip(&keep).filter_map(|(c, &keep)| keep.then_some(c)).collect()
            }
        };
        let records = Records {
            columns: maps.par_iter().zip(&columns).map(column).collect(),
            cells: attributes.iter().map(Attribute::len).collect(),
            per_person: bound.most,
        };
        Ok((records, encoded))
    }

    /// Records given as cells, column by column.
    pub fn from_columns(columns: Vec<Vec<CellId>>, cells: Vec<usize>, per_person: u64) -> Records {
        Records { columns, cells, per_person }
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
        self.columns[attribute].iter_mut().for_each(|cell| *cell = into[usize::from(*cell)]);
        self.cells[attribute] = cells;
    }
}

fn places(attribute: &Attribute, column: &Column) -> Vec<Place> {
    let missing = column.domain.missing();
    let place = |code: Code| attribute.place(column.domain.text(code), missing == Some(code));
    (0..column.domain.len() as Code).into_par_iter().map(place).collect()
}

fn cell(place: Place) -> CellId {
    match place {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => cell,
        Place::Nowhere => 0,
    }
}

fn undeclared(attribute: &Attribute, map: &[Place], column: &Column) -> Undeclared {
    let mut found = Undeclared { column: attribute.name.clone(), ..Undeclared::default() };
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
