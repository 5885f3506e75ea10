//! Names of dropped files: what a request may call a file, checked before anything looks at a disk.
//!
//! A plain name is a relative path of at most 8 parts with `/` between them that means the same file on every system and
//! stays below the folder it is put into: no part is empty, `.` or `..`, begins or ends with a dot or white space, names a device or a drive, or
//! has a character that a system takes for a separator, that looks like one, or that is invisible and reorders text. Names
//! in addresses are percent-decoded exactly once. Linear in the length of the name.

use crate::Error;
use std::fmt;

const MOST_PARTS: usize = 8;
const LONGEST_PART: usize = 200;

/// A relative path that is safe below any folder.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlainName(String);

impl PlainName {
    /// Checks a name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        for (index, part) in name.split('/').enumerate() {
            if index == MOST_PARTS {
                return Err(Error::NameDeep { limit: MOST_PARTS });
            }
            check(part, index + 1)?;
        }
        Ok(Self(name.to_owned()))
    }

    /// Checks a name that may have no folder in it.
    pub fn single(name: &str) -> Result<Self, Error> {
        if name.contains('/') { Err(Error::NameFolder) } else { Self::parse(name) }
    }

    /// Reads a name from the path of an address.
    pub fn from_address(path: &str) -> Result<Self, Error> {
        Self::parse(&decode(path)?)
    }

    /// The name, with `/` between its parts.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PlainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlainName")
    }
}

fn check(part: &str, number: usize) -> Result<(), Error> {
    let edge = |c: char| c == '.' || c.is_whitespace();
    if part.is_empty() || part.starts_with(edge) || part.ends_with(edge) {
        return Err(Error::NamePart { part: number });
    }
    if part.len() > LONGEST_PART {
        return Err(Error::NameLong { part: number, limit: LONGEST_PART });
    }
    if part.chars().any(forbidden) {
        return Err(Error::NameCharacter { part: number });
    }
    if is_device(part) {
        return Err(Error::NameDevice { part: number });
    }
    Ok(())
}

/// Separators of any system, what normalizes to one (NFKC) or looks like one, and what is not seen: control characters and
/// those that reorder text. A colon names a drive or a stream.
fn forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\\' | ':')
        || matches!(c, '\u{2044}' | '\u{2215}' | '\u{2216}' | '\u{29f5}' | '\u{29f8}' | '\u{29f9}')
        || matches!(c, '\u{ff0f}' | '\u{ff3c}' | '\u{fe68}' | '\u{ff1a}' | '\u{fe55}' | '\u{fe13}')
        || matches!(c, '\u{2024}'..='\u{2026}' | '\u{fe52}' | '\u{ff0e}' | '\u{fe19}')
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Names that Windows keeps for devices, whatever follows the first dot.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$")
        || numbered("COM")
        || numbered("LPT")
}

/// Percent-decodes, once.
fn decode(path: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hex(rest.next())? << 4 | hex(rest.next())? } else { byte });
    }
    String::from_utf8(bytes).map_err(|_| Error::Encoding)
}

fn hex(digit: Option<u8>) -> Result<u8, Error> {
    let value = digit.and_then(|d| char::from(d).to_digit(16)).ok_or(Error::Encoding)?;
    Ok(u8::try_from(value).expect("a hexadecimal digit is below 16"))
}
