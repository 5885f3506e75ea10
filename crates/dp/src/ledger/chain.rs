//! Lines that hold one another: each ends with the hash of the one before and its own text.
//!
//! A line is a JSON object whose last key is `sha256`. The hash is over the previous line's hash, a
//! line feed, and the object without that key, byte by byte as it stands in the file: no byte can
//! change without the hash noticing.

use super::LedgerProblem;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The whole file, checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Chain {
    text: String,
    hashes: Vec<String>,
}

const KEY: &str = ",\"sha256\":\"";
const HEX: usize = 64;
/// `,"sha256":"` and the hash and `"}`.
const TAIL: usize = KEY.len() + HEX + 2;

impl Chain {
    /// Takes a file apart, down to the first line that does not fit.
    pub(super) fn parse(text: String) -> Result<Chain, LedgerProblem> {
        let mut hashes: Vec<String> = Vec::new();
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let number = at + 1;
            let line = line
                .strip_suffix('\n')
                .ok_or(LedgerProblem::CutShort { line: number })?;
            let (object, hash) =
                take_apart(line).ok_or(LedgerProblem::Unreadable { line: number })?;
            if hash_of(hashes.last(), &object) != hash {
                return Err(LedgerProblem::Changed { line: number });
            }
            hashes.push(hash.to_owned());
        }
        Ok(Chain { text, hashes })
    }

    /// Adds a line.
    pub(super) fn push(&mut self, object: &impl Serialize) -> Result<(), LedgerProblem> {
        let object = serde_json::to_string(object).map_err(|e| LedgerProblem::Io {
            doing: "write the entry",
            source: e.into(),
        })?;
        let hash = hash_of(self.hashes.last(), &object);
        let open = object.strip_suffix('}').expect("a struct is an object");
        self.text += &format!("{open}{KEY}{hash}\"}}\n");
        self.hashes.push(hash);
        Ok(())
    }

    /// The whole file.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The objects without their hashes, line by line.
    pub(super) fn objects(&self) -> impl Iterator<Item = String> {
        self.text
            .lines()
            .filter_map(|line| take_apart(line).map(|(object, _)| object))
    }

    /// The hash of a line, counted from 0.
    pub(super) fn hash(&self, line: usize) -> Option<&str> {
        self.hashes.get(line).map(String::as_str)
    }

    /// The hash of the last line.
    pub(super) fn last(&self) -> &str {
        self.hashes.last().map_or("", String::as_str)
    }
}

fn take_apart(line: &str) -> Option<(String, &str)> {
    let (open, tail) = line.split_at_checked(line.len().checked_sub(TAIL)?)?;
    let hash = tail.strip_prefix(KEY)?.strip_suffix("\"}")?;
    Some((format!("{open}}}"), hash))
}

fn hash_of(before: Option<&String>, object: &str) -> String {
    let mut hasher = Sha256::new();
    hasher.update(before.map_or("", String::as_str));
    hasher.update("\n");
    hasher.update(object);
    hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
