//! The checksum in the last field of a manifest: SHA-256 over the file's bytes with the digits of
//! the checksum itself replaced by zeros. It detects damage, not a forger.

use mingle_io::HashingWriter;
use std::io::Write;

/// What a manifest holds until it is sealed.
pub const UNSEALED: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const BEFORE: &[u8] = b"\"checksum\": \"";
const AFTER: &[u8] = b"\"\n}\n";

/// SHA-256 in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut writer = HashingWriter::new(std::io::sink());
    writer.write_all(bytes).expect("a sink takes everything");
    writer.finish().1.sha256
}

/// Lower-case hexadecimal digits only.
pub(crate) fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Puts the checksum where the zeros are, which is the last field of a document.
pub fn seal(bytes: &mut [u8]) -> String {
    let digits = digits(bytes).expect("a manifest ends with its checksum");
    let sum = sha256(bytes);
    bytes[digits].copy_from_slice(sum.as_bytes());
    sum
}

/// Whether the bytes are those that were sealed.
pub fn holds(bytes: &[u8]) -> bool {
    let Some(digits) = digits(bytes) else {
        return false;
    };
    let mut zeroed = bytes.to_vec();
    zeroed[digits.clone()].copy_from_slice(UNSEALED.as_bytes());
    sha256(&zeroed).as_bytes() == &bytes[digits]
}

/// Where the digits stand: they are the last field of the document.
fn digits(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let end = bytes.strip_suffix(AFTER)?.len();
    let start = end.checked_sub(UNSEALED.len())?;
    bytes[..start].ends_with(BEFORE).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        let mut bytes =
            format!("{{\n  \"a\": 1,\n  \"checksum\": \"{UNSEALED}\"\n}}\n").into_bytes();
        assert!(!holds(&bytes));
        seal(&mut bytes);
        assert!(holds(&bytes));
        for at in 0..bytes.len() {
            for flip in [1, 0x20, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                assert!(!holds(&changed), "byte {at}");
            }
        }
        assert!(!holds(&bytes[1..]) && !holds(&bytes[..bytes.len() - 1]) && !holds(b""));
        bytes.push(b'\n');
        assert!(!holds(&bytes));
    }
}
