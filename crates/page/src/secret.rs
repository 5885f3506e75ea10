//! A secret: 256 bits from the operating system's generator, as 64 hexadecimal digits.
//!
//! It compares in constant time, is wiped when dropped, and has no `Debug`, `Display` or
//! `Serialize`.

use std::fmt::Write;
use std::io;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A secret.
pub(crate) struct Secret(Zeroizing<String>);

impl Secret {
    /// A fresh one; fails only where the system has no generator.
    pub(crate) fn new() -> io::Result<Self> {
        let mut bytes = Zeroizing::new([0u8; 32]);
        getrandom::fill(bytes.as_mut_slice())
            .map_err(|_| io::Error::other("no random generator"))?;
        // the whole length at once: growing would leave copies behind
        let mut text = Zeroizing::new(String::with_capacity(64));
        for byte in bytes.iter() {
            write!(text, "{byte:02x}").expect("a string takes what is written");
        }
        Ok(Self(text))
    }

    /// For whom it is meant.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes as long for a near miss as for a far one.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_itself_and_nothing_else() {
        let (secret, other) = (Secret::new().unwrap(), Secret::new().unwrap());
        let text = secret.reveal().to_owned();
        assert_eq!(text.len(), 64);
        assert!(text.bytes().all(|b| b.is_ascii_hexdigit()));
        assert!(secret.is(&text) && !other.is(&text));
        assert!(!secret.is("") && !secret.is(&text[..63]) && !secret.is(&format!("{text}0")));
        assert!(!secret.is(&text.to_uppercase()) || text.bytes().all(|b| b.is_ascii_digit()));
    }
}
