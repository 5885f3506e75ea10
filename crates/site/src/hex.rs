//! Bytes as lower-case hexadecimal digits, for fingerprints and the journal.

/// Two digits a byte.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Exactly as many bytes as asked for, from digits of either case.
pub(crate) fn decode<const N: usize>(digits: &str) -> Option<[u8; N]> {
    decode_any(digits)?.try_into().ok()
}

/// Any number of bytes.
pub(crate) fn decode_any(digits: &str) -> Option<Vec<u8>> {
    let nibble = |digit: &u8| char::from(*digit).to_digit(16).map(|n| n as u8);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(nibble(high)? << 4 | nibble(low)?),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode_any(&encode(&all)), Some(all));
        assert_eq!(decode("00fF"), Some([0, 255]));
        for bad in ["0", "000", "0g", "é0", "+1"] {
            assert_eq!(decode_any(bad), None, "{bad}");
        }
        assert_eq!(decode::<2>("000000"), None);
    }
}
