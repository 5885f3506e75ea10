//! The key under which a history knows people: HMAC-SHA-256 (RFC 2104) of the identifier, cut to
//! 128 bits.
//!
//! Without the key nobody can test whether an identifier is in a history. Whoever has the folder
//! has the key.

use sha2::{Digest, Sha256};

/// The file's name.
pub(super) const FILE: &str = "key";

/// Turns identifiers into people. No `Debug`: it is a secret.
pub struct PersonKey([u8; 32]);

impl PersonKey {
    pub(super) fn random() -> PersonKey {
        let mut key = [0; 32];
        getrandom::fill(&mut key)
            .expect("without the operating system's generator nothing secret can be made");
        PersonKey(key)
    }

    /// The person with this identifier.
    pub fn person(&self, identifier: &str) -> u128 {
        let mac = hmac(&self.0, b"person", identifier.as_bytes());
        u128::from_be_bytes(mac[..16].try_into().expect("a digest has 32 bytes"))
    }

    /// Tells another key from this one and says nothing else about it.
    pub(super) fn check(&self) -> String {
        hex(&hmac(&self.0, b"check", b""))
    }

    pub(super) fn to_text(&self) -> String {
        format!("{}\n", hex(&self.0))
    }

    pub(super) fn parse(text: &str) -> Option<PersonKey> {
        let digits = text.strip_suffix('\n').unwrap_or(text).as_bytes();
        let mut key = [0; 32];
        if digits.len() != 64 {
            return None;
        }
        for (byte, pair) in key.iter_mut().zip(digits.chunks(2)) {
            let digit = |c: u8| char::from(c).to_digit(16).map(|d| d as u8);
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(PersonKey(key))
    }
}

/// Of the purpose, a zero byte, and the text.
fn hmac(key: &[u8; 32], purpose: &[u8], text: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block
            .iter_mut()
            .zip(key)
            .for_each(|(block, key)| *block ^= key);
        block
    };
    let inner = Sha256::new()
        .chain_update(padded(0x36))
        .chain_update(purpose)
        .chain_update([0])
        .chain_update(text);
    let outer = Sha256::new()
        .chain_update(padded(0x5c))
        .chain_update(inner.finalize());
    outer.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed with Python's hmac module.
    #[test]
    fn it_is_hmac_sha256() {
        let key: [u8; 32] = std::array::from_fn(|at| at as u8);
        assert_eq!(hex(&hmac(&key, b"person", b"P-17")), EXPECTED);
        assert_eq!(
            PersonKey(key).person("P-17"),
            u128::from_str_radix(&EXPECTED[..32], 16).unwrap()
        );
    }

    const EXPECTED: &str = "74d16220c8122661e4d338f5f63075f920840a1d164aeb7d5ea89bbfbe10037f";

    #[test]
    fn a_key_survives_its_text_and_nothing_else_does() {
        let key = PersonKey::random();
        let text = key.to_text();
        assert_eq!(PersonKey::parse(&text).unwrap().check(), key.check());
        assert_ne!(PersonKey::random().check(), key.check());
        assert_ne!(PersonKey::random().person("a"), key.person("a"));
        for broken in [
            "",
            "00",
            &text[1..],
            &format!("{text}0"),
            &text.replace(|c: char| c.is_ascii_hexdigit(), "g"),
        ] {
            assert!(PersonKey::parse(broken).is_none(), "{broken}");
        }
    }
}
