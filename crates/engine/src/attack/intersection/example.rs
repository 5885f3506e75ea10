//! One person of whom a single value is left, in words.

use super::{Attribute, Played};
use mingle_assess::attack::intersection::{IntersectionPlay, Person, Truths, first_perfect};
use mingle_model::Column;
use mingle_privacy::composition::{Overlay, Scratch};

/// Somebody of whom a single value is left.
pub struct Example {
    /// Which unit and member of the population.
    pub unit: usize,
    pub member: usize,
    pub person: Person,
}

impl Example {
    /// The first in the order of units; rather one of whom no release says it alone.
    pub fn find(overlay: &Overlay<'_>, worst: &IntersectionPlay) -> Option<Example> {
        let newly = worst.perfect() > worst.perfect_already;
        let (unit, member) = first_perfect(overlay, worst.reader, newly)?;
        let mut scratch = Scratch::default();
        let person = Person::new(
            overlay,
            &Truths::new(overlay),
            (unit, member),
            (worst.reader, false),
            &mut scratch,
        );
        Some(Example {
            unit,
            member,
            person,
        })
    }

    /// The person's row in the population, from 1.
    pub fn row(&self, played: &Played<'_>) -> Option<usize> {
        let cube = &played.population.cube;
        if cube.people().is_some() {
            return None;
        }
        let combination = cube.records()[self.member].sensitive;
        played.population.row_of(self.unit, combination)
    }

    /// `the person in row 1 of people.csv can be in 1 group of a.csv with 3 values …: a single one
    /// is in all of them`.
    pub fn sentence(&self, played: &Played<'_>, attribute: &Attribute<'_>) -> String {
        let name = attribute.name();
        let one = |(j, release): (usize, &super::Given)| {
            let (groups, values) = (self.person.fits[j], self.person.priors[j]);
            let group = if groups == 1 {
                "1 group".to_owned()
            } else {
                format!("{groups} groups")
            };
            let value = if values == 1 {
                "1 value"
            } else {
                &format!("{values} values")
            };
            (groups > 0).then(|| format!("{group} of {} with {value}", release.name()))
        };
        let parts: Vec<String> = played.releases.iter().enumerate().filter_map(one).collect();
        let who = match self.row(played) {
            Some(row) => format!(
                "the person in row {row} of {}{}",
                played.population.name,
                self.names(played, row)
            ),
            None => "a person".to_owned(),
        };
        let left = if played.show_values {
            format!(": {}", self.value(attribute))
        } else {
            String::new()
        };
        format!(
            "{who} can be in {}: a single {name} is in all of them{left}",
            parts.join(" and in ")
        )
    }

    pub fn value<'o>(&self, attribute: &'o Attribute<'_>) -> &'o str {
        self.person
            .candidates
            .first()
            .map_or("", |&value| attribute.overlay.value(value))
    }

    /// Who it is, where values are shown and the population says it.
    pub fn names(&self, played: &Played<'_>, row: usize) -> String {
        let text = |c: &Column| c.domain.text(c.codes.get(row - 1)).to_owned();
        if played.show_values && !played.population.identifiers.is_empty() {
            format!(
                " ({})",
                played
                    .population
                    .identifiers
                    .iter()
                    .map(text)
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        } else {
            String::new()
        }
    }
}
