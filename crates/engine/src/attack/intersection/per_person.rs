//! What the worst reader learns about each person, as CSV in the order of the population. Somebody
//! with several rows stands there once, at her first.

use super::{Attribute, Played};
use crate::failure;
use mingle_assess::attack::intersection::{Person, Truths};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::Table;
use mingle_privacy::composition::Scratch;
use mingle_record::Problem;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// A column's distinct texts in the order in which they were met.
#[derive(Default)]
struct Dictionary {
    codes: HashMap<String, u32>,
    texts: Vec<String>,
}

impl Dictionary {
    fn code(&mut self, text: String) -> u32 {
        *self.codes.entry(text).or_insert_with_key(|text| {
            self.texts.push(text.clone());
            self.texts.len() as u32 - 1
        })
    }
}

/// The whole file: for each sensitive column everybody.
pub fn table(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let people = played.population;
    let record_of = people
        .cube
        .record_of_row()
        .ok_or_else(|| failure::defect("people cannot be found again"))?;
    let names = names(played);
    let mut dictionaries: Vec<Dictionary> = names.iter().map(|_| Dictionary::default()).collect();
    // per attribute and member of the crowd the codes of its cells
    let mut cells: Vec<Vec<Vec<u32>>> = Vec::new();
    for attribute in &played.attributes {
        let code = |row: Vec<String>| {
            row.into_iter()
                .zip(&mut dictionaries)
                .map(|(t, d)| d.code(t))
                .collect()
        };
        cells.push(
            of_members(played, attribute)
                .into_iter()
                .map(code)
                .collect(),
        );
    }
    let rows = (1..=record_of.len()).map(|row| row.to_string()).collect();
    let identifier = |c: &mingle_model::Column| {
        (
            c.spec.name.clone(),
            (0..c.domain.len() as u32)
                .map(|code| c.domain.text(code).to_owned())
                .collect(),
        )
    };
    let first = [("row".to_owned(), rows)]
        .into_iter()
        .chain(people.identifiers.iter().map(identifier));
    let columns = first.chain(
        names
            .into_iter()
            .zip(dictionaries.into_iter().map(|d| d.texts)),
    );
    let out = |(name, texts): (String, Vec<String>)| OutColumn {
        name,
        kind: OutKind::Text,
        texts,
        missing: None,
    };
    let mut writer = RowWriter::new(Format::Csv, Vec::new(), columns.map(out).collect())
        .map_err(|e| failure::io(&e))?;
    let member_of = |record: u32| match people.cube.people() {
        None => record as usize,
        Some(own) => own.kind_of(record as usize),
    };
    let is_first = first_rows(people.cube.table());
    for cells in &cells {
        for (row, &record) in record_of.iter().enumerate() {
            if !is_first[row] {
                continue;
            }
            let identifiers = people.identifiers.iter().map(|c| c.codes.get(row));
            let codes = [row as u32]
                .into_iter()
                .chain(identifiers)
                .chain(cells[member_of(record)].iter().copied());
            writer
                .row(&codes.collect::<Vec<u32>>(), 1)
                .map_err(|e| failure::io(&e))?;
        }
    }
    writer.finish().map_err(|e| failure::io(&e))
}

/// The columns after the row's number and the identifiers.
fn names(played: &Played<'_>) -> Vec<String> {
    let of_release = |j: usize| [format!("groups_{j}"), format!("prior_{j}")];
    let mut names: Vec<String> = vec!["sensitive".to_owned(), "choice".to_owned()];
    names.extend((1..=played.releases.len()).flat_map(of_release));
    names.extend(["posterior", "drop", "perfect"].map(str::to_owned));
    if is_probabilistic(played) {
        names.push("likelihood".to_owned());
    }
    if played.show_values {
        names.push("left".to_owned());
    }
    names
}

fn is_probabilistic(played: &Played<'_>) -> bool {
    played
        .attributes
        .iter()
        .any(|attribute| attribute.worst().likely.is_some())
}

/// Whether each row is the first of its person.
fn first_rows(table: &Table) -> Vec<bool> {
    let Some(person_of) = &table.person_of else {
        return vec![true; table.rows()];
    };
    let mut seen = HashSet::new();
    person_of.iter().map(|person| seen.insert(person)).collect()
}

/// The cells of every member of the crowd, read on all cores.
fn of_members(played: &Played<'_>, attribute: &Attribute<'_>) -> Vec<Vec<String>> {
    let (overlay, reader) = (&attribute.overlay, attribute.worst().reader);
    let truths = Truths::new(overlay);
    let read = (reader, is_probabilistic(played));
    let of_unit = |scratch: &mut Scratch, unit: usize| {
        let mut of_unit = Vec::new();
        for member in overlay.crowd().members_of(unit) {
            let person = Person::new(overlay, &truths, (unit, member), read, scratch);
            of_unit.push(cells(played, attribute, &person));
        }
        of_unit
    };
    (0..overlay.crowd().units())
        .into_par_iter()
        .map_init(Scratch::default, of_unit)
        .flatten_iter()
        .collect()
}

/// Empty where there is nothing to intersect.
fn cells(played: &Played<'_>, attribute: &Attribute<'_>, person: &Person) -> Vec<String> {
    let found = person.found;
    let composed = |text: String| {
        if found.is_composed() {
            text
        } else {
            String::new()
        }
    };
    let mut cells = vec![
        attribute.name().to_owned(),
        attribute.worst().reader.name().to_owned(),
    ];
    cells.extend(
        person
            .fits
            .iter()
            .zip(&person.priors)
            .flat_map(|(g, p)| [g.to_string(), p.to_string()]),
    );
    cells.push(composed(found.posterior.to_string()));
    cells.push(if found.posterior > 0 {
        composed((found.prior - found.posterior).to_string())
    } else {
        String::new()
    });
    cells.push(if found.is_perfect() { "yes" } else { "no" }.to_owned());
    if is_probabilistic(played) {
        let best = person.likelihoods.iter().copied().reduce(f64::max);
        cells.push(composed(best.map_or(String::new(), |p| format!("{p:.4}"))));
    }
    if played.show_values {
        cells.push(composed(left(attribute, person)));
    }
    cells
}

/// The values that are left, likeliest first where that is known.
fn left(attribute: &Attribute<'_>, person: &Person) -> String {
    let mut order: Vec<usize> = (0..person.candidates.len()).collect();
    if !person.likelihoods.is_empty() {
        order.sort_by(|&a, &b| person.likelihoods[b].total_cmp(&person.likelihoods[a]));
    }
    let text = |&at: &usize| {
        attribute
            .overlay
            .value(person.candidates[at])
            .replace('\\', "\\\\")
            .replace('|', "\\|")
    };
    order.iter().map(text).collect::<Vec<_>>().join("|")
}
