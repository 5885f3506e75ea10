//! What a partner reads out over the telephone: the SHA-256 of a site's certificate.
//!
//! Written `sha256:` and 64 hexadecimal digits, which may be set apart by colons, blanks or dashes,
//! as other tools print them. A certificate is accepted when its digest equals the pinned one in
//! all 256 bits, compared in constant time.

use crate::error::Error;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;
use subtle::ConstantTimeEq;

/// The SHA-256 of a certificate in DER.
#[derive(Clone, Copy)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The fingerprint of a certificate in DER.
    pub fn of(certificate: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::digest(certificate).into())
    }

    pub(crate) fn from_bytes(bytes: [u8; 32]) -> Fingerprint {
        Fingerprint(bytes)
    }

    /// The digest itself.
    pub fn bytes(&self) -> [u8; 32] {
        self.0
    }
}

impl PartialEq for Fingerprint {
    fn eq(&self, other: &Fingerprint) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for Fingerprint {}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", crate::hex::encode(&self.0))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fingerprint {
    type Err = Error;

    fn from_str(text: &str) -> Result<Fingerprint, Error> {
        let typed = text.trim();
        let digits = match typed.split_at_checked("sha256:".len()) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case("sha256:") => rest,
            _ => typed,
        };
        let digits: String = digits
            .chars()
            .filter(|c| !matches!(c, ':' | ' ' | '-'))
            .collect();
        crate::hex::decode(&digits)
            .map(Fingerprint)
            .ok_or(Error::BadFingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn it_is_the_digest_that_other_tools_print() {
        assert_eq!(Fingerprint::of(b"abc").to_string(), format!("sha256:{HEX}"));
    }

    #[test]
    fn spellings_of_the_same_digits_are_the_same() {
        let colons: String = HEX
            .as_bytes()
            .chunks(2)
            .map(|c| format!("{}:", String::from_utf8_lossy(c)))
            .collect();
        let colons = colons.trim_end_matches(':').to_uppercase();
        for typed in [
            HEX,
            &format!("sha256:{HEX}"),
            &format!(" SHA256:{colons} "),
            &HEX.replace("ea", " ea-"),
        ] {
            assert_eq!(
                typed.parse::<Fingerprint>().expect(typed),
                Fingerprint::of(b"abc"),
                "{typed}"
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for typed in [
            "",
            "sha256:",
            &HEX[1..],
            &format!("{HEX}0"),
            &HEX.replace('b', "g"),
            &format!("md5:{HEX}"),
            "é",
        ] {
            assert!(
                matches!(typed.parse::<Fingerprint>(), Err(Error::BadFingerprint)),
                "{typed:?}"
            );
        }
        let mut other = HEX.to_owned();
        other.replace_range(63.., "c");
        assert_ne!(
            other.parse::<Fingerprint>().expect("sound"),
            Fingerprint::of(b"abc")
        );
    }
}
