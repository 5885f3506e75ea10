//! Names of dropped files: what a request may call a file, checked before anything looks at a disk.
//!
//! A plain name is a relative path of at most 8 parts with `/` between them that means the same
//! file on every system and stays below the folder it is put into: no part is empty, `.` or `..`,
//! begins or ends with a dot or white space, names a device or a drive, or has a character that a
//! system takes for a separator, that looks like one, or that is invisible and reorders text. Names
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
        if name.contains('/') {
            Err(Error::NameFolder)
        } else {
            Self::parse(name)
        }
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
        return Err(Error::NameLong {
            part: number,
            limit: LONGEST_PART,
        });
    }
    if part.chars().any(forbidden) {
        return Err(Error::NameCharacter { part: number });
    }
    if is_device(part) {
        return Err(Error::NameDevice { part: number });
    }
    Ok(())
}

/// Separators of any system, what normalizes to one (NFKC) or looks like one, and what is not seen:
/// control characters and those that reorder text. A colon names a drive or a stream.
fn forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\\' | ':')
        || matches!(
            c,
            '\u{2044}' | '\u{2215}' | '\u{2216}' | '\u{29f5}' | '\u{29f8}' | '\u{29f9}'
        )
        || matches!(
            c,
            '\u{ff0f}' | '\u{ff3c}' | '\u{fe68}' | '\u{ff1a}' | '\u{fe55}' | '\u{fe13}'
        )
        || matches!(
            c,
            '\u{2024}'..='\u{2026}' | '\u{fe52}' | '\u{ff0e}' | '\u{fe19}'
        )
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Names that Windows keeps for devices, whatever follows the first dot.
fn is_device(part: &str) -> bool {
    let stem = part
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| {
            let mut rest = rest.chars();
            matches!(
                (rest.next(), rest.next()),
                (Some('0'..='9' | '¹' | '²' | '³'), None)
            )
        })
    };
    matches!(
        stem.as_str(),
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$"
    ) || numbered("COM")
        || numbered("LPT")
}

/// Percent-decodes, once.
fn decode(path: &str) -> Result<String, Error> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            hex(rest.next())? << 4 | hex(rest.next())?
        } else {
            byte
        });
    }
    String::from_utf8(bytes).map_err(|_| Error::Encoding)
}

fn hex(digit: Option<u8>) -> Result<u8, Error> {
    let value = digit
        .and_then(|d| char::from(d).to_digit(16))
        .ok_or(Error::Encoding)?;
    Ok(u8::try_from(value).expect("a hexadecimal digit is below 16"))
}

#[cfg(test)]
#[path = "../tests/common/hostile.rs"]
#[allow(dead_code, reason = "shared with the tests over sockets")]
mod hostile;

#[cfg(test)]
mod tests {
    use super::hostile::{Dice, address, escapes, name};
    use super::*;
    use std::path::{Component, Path};

    #[test]
    fn plain_names() {
        let longest = "x".repeat(LONGEST_PART);
        for name in [
            "a",
            "data.csv",
            "release/public/data.csv",
            "1/2/3/4/5/6/7/8",
            "a b.csv",
            "Müller.csv",
            "患者.csv",
            "a..b",
            "100%.csv",
            "%2e%2e",
            "console.csv",
            "com10",
            "con-1.csv",
            "comma.csv",
            "a+b",
            "~a",
            "a'b",
            longest.as_str(),
        ] {
            assert_eq!(PlainName::parse(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn other_names() {
        let long = "x".repeat(LONGEST_PART + 1);
        for name in [
            "",
            "/",
            "/a",
            "a/",
            "a//b",
            ".",
            "..",
            "../a",
            "a/..",
            "a/../b",
            "a/./b",
            ".a",
            "a.",
            " a",
            "a ",
            "a\u{a0}",
            "...",
            "a/.b/c",
            "C:",
            "C:a",
            "C:/a",
            "a:b",
            "a\\b",
            "\\a",
            "..\\a",
            "a\0",
            "a\nb",
            "a\u{7f}",
            "a\u{85}",
            "con",
            "CON",
            "Nul.txt",
            "nul.tar.gz",
            "a/aux",
            "com1",
            "LPT0.csv",
            "com¹",
            "conin$",
            "aux .txt",
            "1/2/3/4/5/6/7/8/9",
            "a／b",
            "a∕b",
            "a⁄b",
            "．．",
            "a＼b",
            "‥/a",
            "a\u{202e}b",
            "a\u{2066}b",
            "a\u{feff}b",
            "a\u{200b}",
            long.as_str(),
        ] {
            assert!(PlainName::parse(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_single_name_has_no_folder() {
        assert!(PlainName::single("a.toml").is_ok());
        assert!(matches!(PlainName::single("a/b"), Err(Error::NameFolder)));
        assert!(PlainName::single("..").is_err());
    }

    #[test]
    fn addresses_are_decoded_once() {
        let decoded = |address| PlainName::from_address(address).unwrap().0;
        assert_eq!(decoded("a%20b%2Fc.csv"), "a b/c.csv");
        assert_eq!(decoded("100%25.csv"), "100%.csv");
        assert_eq!(decoded("%252e%252e"), "%2e%2e");
        assert_eq!(decoded("a+b"), "a+b");
        for address in [
            "%",
            "%2",
            "%2g",
            "%zz",
            "%+1",
            "% 1",
            "a%c0%ae",
            "%ff",
            "%c0%af",
            "%ed%a0%80",
            "%e0%80%af",
        ] {
            assert!(
                matches!(PlainName::from_address(address), Err(Error::Encoding)),
                "{address}"
            );
        }
        for address in [
            "%2e%2e", "%2E%2E/a", "..%2fa", "%2fetc", "a%5cb", "a%00", "a%0d%0a",
        ] {
            assert!(PlainName::from_address(address).is_err(), "{address}");
        }
    }

    #[test]
    fn no_hostile_name_leaves_its_folder() {
        let (mut dice, mut hostile, mut kept) = (Dice::new(1), 0, 0);
        for _ in 0..10_000 {
            let name = name(&mut dice);
            hostile += usize::from(escapes(&name));
            let Ok(plain) = PlainName::parse(&name) else {
                continue;
            };
            kept += 1;
            assert!(!escapes(plain.as_str()), "{name:?}");
            assert!(
                Path::new(plain.as_str())
                    .components()
                    .all(|part| matches!(part, Component::Normal(_))),
                "{name:?}"
            );
        }
        assert!(
            hostile > 5_000 && kept > 100,
            "{hostile} would escape, {kept} are fine"
        );
    }

    #[test]
    fn no_hostile_address_leaves_its_folder() {
        let mut dice = Dice::new(2);
        for _ in 0..10_000 {
            let address = address(&mut dice);
            if let Ok(plain) = PlainName::from_address(&address) {
                assert!(!escapes(plain.as_str()), "{address:?}");
            }
        }
    }
}
