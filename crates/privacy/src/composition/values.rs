//! Sensitive values of several releases under one numbering.
//!
//! Values are matched by their texts; numbers by what they are, however many digits they are written with.

use mingle_model::{Code, Domain, Number};
use std::collections::HashMap;

/// The values of one sensitive attribute, numbered in the order in which they were met. No `Debug`: it has cells.
#[derive(Default)]
pub struct Values {
    numbers: HashMap<Key, u32>,
    texts: Vec<String>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Missing,
    Number(i128, u8),
    Text(String),
}

impl Values {
    /// The numbers of all values of a domain, by code.
    pub fn of(&mut self, domain: &Domain) -> Vec<u32> {
        (0..domain.len() as Code).map(|code| self.number(domain, code)).collect()
    }

    /// The same without taking up new values.
    pub fn find(&self, domain: &Domain) -> Vec<Option<u32>> {
        (0..domain.len() as Code).map(|code| self.numbers.get(&key(domain, code)).copied()).collect()
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
        Some(Number { mut mantissa, mut scale }) => {
            while scale > 0 && mantissa % 10 == 0 {
                (mantissa, scale) = (mantissa / 10, scale - 1);
            }
            Key::Number(mantissa, scale)
        }
        None => Key::Text(domain.text(code).to_owned()),
    }
}
