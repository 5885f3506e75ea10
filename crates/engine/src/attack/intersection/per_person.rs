//! What the worst reader learns about each person, as CSV in the order of the population.

use super::{Attribute, Played};
use crate::failure;
use mingle_assess::attack::intersection::{Person, Truths};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_privacy::composition::Scratch;
use mingle_record::Problem;
use rayon::prelude::*;
use std::collections::HashMap;

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
    // per attribute and record the codes of its cells
    let mut cells: Vec<Vec<Vec<u32>>> = Vec::new();
    for attribute in &played.attributes {
        let code = |row: Vec<String>| {
            row.into_iter()
                .zip(&mut dictionaries)
                .map(|(t, d)| d.code(t))
                .collect()
        };
        cells.push(
            of_records(played, attribute)
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
    for cells in &cells {
        for (row, &record) in record_of.iter().enumerate() {
            let identifiers = people.identifiers.iter().map(|c| c.codes.get(row));
            let codes = [row as u32]
                .into_iter()
                .chain(identifiers)
                .chain(cells[record as usize].iter().copied());
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

/// The cells of every record, read on all cores.
fn of_records(played: &Played<'_>, attribute: &Attribute<'_>) -> Vec<Vec<String>> {
    let (cube, overlay, reader) = (
        &played.population.cube,
        &attribute.overlay,
        attribute.worst().reader,
    );
    let truths = Truths::new(overlay);
    let probabilistic = is_probabilistic(played);
    let tuple = |scratch: &mut Scratch, tuple: usize| {
        let one = |record: usize| {
            let person = Person::new(
                overlay,
                &truths,
                reader,
                (tuple, record),
                probabilistic,
                scratch,
            );
            cells(played, attribute, &person)
        };
        cube.records_of(tuple).map(one).collect::<Vec<_>>()
    };
    (0..cube.tuples())
        .into_par_iter()
        .map_init(Scratch::default, tuple)
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
