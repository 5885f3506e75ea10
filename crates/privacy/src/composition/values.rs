//! Sensitive values of several releases under one numbering.
//!
//! Values are matched by their texts; numbers by what they are, however many digits they are
//! written with. A column that one release has as numbers may be text in another, where one more
//! value is none: codes such as `250` are matched there too, by the shortest text of the number.

use mingle_model::{Code, Domain, Number};
use std::collections::HashMap;

/// The values of one sensitive attribute, numbered in the order in which they were met. No `Debug`:
/// it has cells.
#[derive(Default)]
pub struct Values {
    numbers: HashMap<Key, u32>,
    texts: Vec<String>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Missing,
    Text(String),
}

impl Values {
    /// The numbers of all values of a domain, by code.
    pub fn of(&mut self, domain: &Domain) -> Vec<u32> {
        (0..domain.len() as Code)
            .map(|code| self.number(domain, code))
            .collect()
    }

    /// The same without taking up new values.
    pub fn find(&self, domain: &Domain) -> Vec<Option<u32>> {
        (0..domain.len() as Code)
            .map(|code| self.numbers.get(&key(domain, code)).copied())
            .collect()
    }

    fn number(&mut self, domain: &Domain, code: Code) -> u32 {
        let next = self.texts.len() as u32;
        let number = *self.numbers.entry(key(domain, code)).or_insert(next);
        if number == next {
            self.texts.push(domain.text(code).to_owned());
        }
        number
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// A value as the first release that has it writes it.
    pub fn text(&self, value: u32) -> &str {
        &self.texts[value as usize]
    }
}

fn key(domain: &Domain, code: Code) -> Key {
    if domain.missing() == Some(code) {
        return Key::Missing;
    }
    // dates write themselves in one way only
    match Number::parse(domain.text(code)).filter(|_| domain.number(code).is_some()) {
        Some(number) => Key::Text(Number::text(number.mantissa, number.scale)),
        None => Key::Text(domain.text(code).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Column, ColumnSpec, Missing, Role};

    fn domain(texts: &[&str]) -> Domain {
        let spec = ColumnSpec::new("c", Role::Sensitive);
        Column::from_texts(spec, texts.iter().copied(), &Missing::default())
            .expect("any texts")
            .domain
    }

    /// The texts that two releases have in common, as the first writes them.
    fn common(first: &[&str], second: &[&str]) -> Vec<String> {
        let mut values = Values::default();
        let (first, second) = (values.of(&domain(first)), values.of(&domain(second)));
        let both = first.iter().filter(|value| second.contains(value));
        both.map(|&value| values.text(value).to_owned()).collect()
    }

    #[test]
    fn the_same_value_in_other_words() {
        assert_eq!(common(&["flu", "gout"], &["gout", "cold"]), ["gout"]);
        assert_eq!(common(&["1", "2"], &["1.0", "2.5"]), ["1"]);
        assert_eq!(common(&["1", "?"], &["", "3"]), [""]);
        // codes of one release are numbers only because it has no other
        assert_eq!(common(&["250", "401"], &["250", "V30"]), ["250"]);
        assert_eq!(common(&["250", "V30"], &["250", "401"]), ["250"]);
    }

    #[test]
    fn what_differs_stays_apart() {
        assert_eq!(common(&["01", "x"], &["1", "2"]), [""; 0]);
        assert_eq!(common(&["1", "1.0", "x"], &["y", "1.0"]), ["1.0"]);
        assert_eq!(common(&["Flu"], &["flu"]), [""; 0]);
    }
}
