//! Whose rows belong together: identifiers become person numbers while they are read.
//!
//! A cell is hashed under a key that is drawn for the run, and only the hash is kept: SHA-256 over
//! the key and the cell, cut to 128 bits. Two of n people share a hash with a probability of at
//! most n² / 2^129, which for 10^9 people is below 2e-21; with the 64 bits that suffice to notice
//! repeats it would be about 3 %, and two people would silently be one. The key has a fixed length
//! before the cell, and hashes never leave this crate, so that nothing is gained by HMAC.
//!
//! People are numbered 0, 1, … in the order in which they are first met. Cost: a hash per row, 4
//! bytes per row, and about 70 bytes per person.

use super::merge::Runs;
use super::scan::Scan;
use crate::error::Error;
use ahash::{AHashMap, AHashSet};
use mingle_model::{Code, Codes, Missing, RawColumn, Spelling};
use sha2::{Digest, Sha256};

/// What tables write where nobody is known. Such a word is somebody's identifier to a program, and all who have it are
/// one person. Folded, as identifiers are.
const NOBODY: [&str; 15] = [
    "null",
    "none",
    "nil",
    "nan",
    "na",
    "n/a",
    "#n/a",
    "unknown",
    "unk",
    "anonymous",
    "unbekannt",
    "missing",
    "-",
    "--",
    ".",
];

/// Digits of a hash.
const DIGITS: usize = 32;

/// The column that says whose each row is.
#[derive(Clone, Copy)]
pub struct WantedPerson<'a> {
    /// The column, which is among the wanted ones.
    pub column: &'a str,
    /// Whether the same identifier at two providers is two people.
    pub per_provider: bool,
    pub(super) secret: PersonSecret,
}

impl<'a> WantedPerson<'a> {
    /// A column, with a key of its own.
    pub fn new(column: &'a str, per_provider: bool) -> Result<Self, Error> {
        Ok(WantedPerson {
            column,
            per_provider,
            secret: PersonSecret::draw()?,
        })
    }
}

/// What was seen of the people of a table: numbers, never who.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenPeople {
    /// How many rows there are.
    pub rows: u64,
    /// How many people.
    pub people: u64,
    /// The most rows of one person.
    pub most_rows: u64,
    /// How many people there would be if case and surrounding blanks did not count.
    pub folded: u64,
    /// How many rows have a word for nobody in place of an identifier, such as "unknown".
    pub of_nobody: u64,
}

/// A key that is forgotten after the run. No `Debug`: it would undo the hashes.
#[derive(Clone, Copy)]
pub(super) struct PersonSecret([u8; 32]);

impl PersonSecret {
    fn draw() -> Result<Self, Error> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|_| Error::NoRandomness)?;
        Ok(PersonSecret(key))
    }

    /// What is kept of an identifier: the digits of its hash, and those of its folded form where
    /// that is another text. Nothing for one that is missing.
    pub(super) fn digits(&self, text: &str, missing: &Missing, into: &mut Vec<u8>) {
        into.clear();
        // the same to everybody who reads it: blanks at the ends, characters that nobody sees
        let canonical = Spelling::Trimmed.canonical(text);
        let text = canonical.as_ref();
        if text.is_empty() || missing.contains(text) {
            return;
        }
        self.push_digits(text, into);
        let folded = fold(text);
        if folded != text {
            self.push_digits(&folded, into);
        }
    }

    fn push_digits(&self, text: &str, into: &mut Vec<u8>) {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update(text.as_bytes());
        for byte in &hasher.finalize()[..DIGITS / 2] {
            into.push(b"0123456789abcdef"[usize::from(byte >> 4)]);
            into.push(b"0123456789abcdef"[usize::from(byte & 15)]);
        }
    }
}

fn fold(text: &str) -> String {
    Spelling::Folded.canonical(text).into_owned()
}

/// A person column as it was read.
pub(super) struct PersonCells<'a> {
    pub(super) column: &'a str,
    /// Digits where it was hashed, identifiers where somebody else needs them.
    pub(super) raw: &'a RawColumn,
    pub(super) is_hashed: bool,
    pub(super) missing: &'a Missing,
    pub(super) secret: &'a PersonSecret,
}

/// Who contributed each row, and from which source it is.
pub(super) struct RowOrigins<'a> {
    pub(super) sources: &'a [&'a dyn Scan],
    pub(super) runs: &'a Runs,
    /// Where the same identifier at two providers is two people.
    pub(super) provider_of: Option<&'a Codes>,
}

impl PersonCells<'_> {
    /// Numbers the people.
    pub(super) fn number(&self, origins: &RowOrigins<'_>) -> Result<(Codes, SeenPeople), Error> {
        self.refuse_nobody(origins)?;
        let rows = self.raw.ids.len();
        // the same identifier, whatever its case and blanks, has the same number here
        let mut folded_of: Vec<Code> = Vec::with_capacity(self.raw.values.len());
        let mut folds: AHashMap<String, Code> = AHashMap::new();
        for value in &self.raw.values {
            let next = folds.len() as Code;
            folded_of.push(*folds.entry(self.folded(&value.text)).or_insert(next));
        }
        let (person_of, rows_of, folded) = match origins.provider_of {
            None => self.of_all(folds.len()),
            Some(provider_of) => self.of_providers(provider_of, &folded_of),
        };
        let seen = SeenPeople {
            rows: rows as u64,
            people: rows_of.len() as u64,
            most_rows: rows_of.iter().copied().max().unwrap_or(0),
            folded: folded as u64,
            of_nobody: self.rows_of_nobody(),
        };
        if self.raw.values.len() == 1 && seen.people < seen.rows {
            return Err(Error::EverybodyIsOne {
                column: self.column.to_owned(),
                rows: seen.rows,
            });
        }
        Ok((person_of, seen))
    }

    /// How many rows have a word for nobody.
    fn rows_of_nobody(&self) -> u64 {
        let mut words: AHashSet<String> = AHashSet::new();
        for word in NOBODY {
            if self.is_hashed {
                let mut digits = Vec::new();
                self.secret.push_digits(word, &mut digits);
                words.insert(String::from_utf8(digits).expect("digits are text"));
            } else {
                words.insert(word.to_owned());
            }
        }
        let mut is_nobody = Vec::with_capacity(self.raw.values.len());
        for value in &self.raw.values {
            is_nobody.push(words.contains(&self.folded(&value.text)));
        }
        if !is_nobody.contains(&true) {
            return 0;
        }
        let rows = self.raw.ids.iter().filter(|&id| is_nobody[id as usize]);
        rows.count() as u64
    }

    /// An identifier is one person: identifiers are numbered already.
    fn of_all(&self, folds: usize) -> (Codes, Vec<u64>, usize) {
        let mut rows_of = vec![0; self.raw.values.len()];
        for id in self.raw.ids.iter() {
            rows_of[id as usize] += 1;
        }
        (self.raw.ids.clone(), rows_of, folds)
    }

    /// An identifier of a provider is one person.
    fn of_providers(&self, provider_of: &Codes, folded_of: &[Code]) -> (Codes, Vec<u64>, usize) {
        let mut numbers: AHashMap<(Code, Code), Code> = AHashMap::new();
        let mut folded: AHashSet<(Code, Code)> = AHashSet::new();
        let mut rows_of: Vec<u64> = Vec::new();
        let mut person_of = Codes::with_capacity(self.raw.values.len(), self.raw.ids.len());
        for (id, provider) in self.raw.ids.iter().zip(provider_of.iter()) {
            let next = rows_of.len() as Code;
            let number = *numbers.entry((provider, id)).or_insert(next);
            if number == next {
                rows_of.push(0);
                folded.insert((provider, folded_of[id as usize]));
            }
            rows_of[number as usize] += 1;
            person_of.push(number);
        }
        (person_of, rows_of, folded.len())
    }

    fn folded(&self, text: &str) -> String {
        if self.is_hashed {
            text[text.len() - DIGITS..].to_owned()
        } else {
            fold(text)
        }
    }

    /// A row without an identifier is nobody's, and never a person of its own.
    fn refuse_nobody(&self, origins: &RowOrigins<'_>) -> Result<(), Error> {
        let mut is_nobody = Vec::with_capacity(self.raw.values.len());
        for value in &self.raw.values {
            let text = Spelling::Trimmed.canonical(&value.text);
            let is_missing = !self.is_hashed && self.missing.contains(&text);
            is_nobody.push(is_missing || text.is_empty());
        }
        if !is_nobody.contains(&true) {
            return Ok(());
        }
        let mut missing_in = vec![0; origins.sources.len()];
        let mut row = 0;
        for &(source, rows) in origins.runs {
            for _ in 0..rows {
                let id = self.raw.ids.get(row);
                missing_in[source] += u64::from(is_nobody[id as usize]);
                row += 1;
            }
        }
        let Some(first) = missing_in.iter().position(|&missing| missing > 0) else {
            return Ok(());
        };
        Err(Error::MissingPerson {
            file: origins.sources[first].name().to_owned(),
            column: self.column.to_owned(),
            missing: missing_in[first],
            files: missing_in.iter().filter(|&&missing| missing > 0).count(),
            in_all: missing_in.iter().sum(),
            rows: row as u64,
        })
    }
}
