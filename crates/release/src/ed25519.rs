//! Ed25519 (RFC 8032) as releases use it: one strict way to check a signature, and one way to write
//! keys, digests and signatures as text.
//!
//! The signatures of two sites, of n providers and of stewards differ in what they sign, behind a
//! prefix each, and in nothing else.

use ed25519_dalek::{Signature, VerifyingKey};

/// Whether a key has signed a message. Strict: keys and signatures of which several forms would
/// pass are refused.
pub(crate) fn has_signed(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = Signature::from_bytes(signature);
    VerifyingKey::from_bytes(key).is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Exactly `N` bytes from hexadecimal digits.
pub(crate) fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let bytes: Option<Vec<u8>> = text
        .as_bytes()
        .chunks(2)
        .map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?))
        .collect();
    bytes?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_exactly() {
        assert_eq!(from_hex::<2>("00ff"), Some([0, 255]));
        for text in [
            "", "0", "00f", "00ff0", "00fg", "+0ff", "0 ff", "00ff00", "äöüß",
        ] {
            assert_eq!(from_hex::<2>(text), None, "{text}");
        }
    }
}
