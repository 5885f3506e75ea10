//! PEM as far as keys need it (RFC 7468): one block of base64 between two lines.

use zeroize::Zeroizing;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// One block, lines of 64 digits.
pub fn encode(label: &str, bytes: &[u8]) -> Zeroizing<String> {
    // large enough from the start: a text that grows leaves copies behind
    let mut text = Zeroizing::new(String::with_capacity(256 + 2 * bytes.len()));
    text.push_str(&format!("-----BEGIN {label}-----\n"));
    for (at, chunk) in bytes.chunks(3).enumerate() {
        if at > 0 && at % 16 == 0 {
            text.push('\n');
        }
        let mut bits = 0u32;
        for place in 0..3 {
            bits = bits << 8 | u32::from(chunk.get(place).copied().unwrap_or(0));
        }
        for digit in 0..4 {
            if digit <= chunk.len() {
                let six = bits >> (18 - 6 * digit) & 63;
                text.push(char::from(DIGITS[six as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text.push_str(&format!("\n-----END {label}-----\n"));
    text
}

/// The bytes of a file that holds one block with this label and nothing else but white space.
pub fn decode(label: &str, file: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let text = std::str::from_utf8(file).ok()?.trim();
    let body = text
        .strip_prefix(&format!("-----BEGIN {label}-----"))?
        .strip_suffix(&format!("-----END {label}-----"))?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(body.len()));
    let mut bits = 0u32;
    let mut digits = 0;
    let mut padding = 0;
    for byte in body.bytes() {
        if matches!(byte, b'\n' | b'\r' | b' ' | b'\t') {
            continue;
        }
        if byte == b'=' {
            padding += 1;
            continue;
        }
        if padding > 0 {
            return None;
        }
        let six = DIGITS.iter().position(|&digit| digit == byte)?;
        bits = bits << 6 | six as u32;
        digits += 1;
        if digits % 4 == 0 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            bits = 0;
        }
    }
    // what is left are no bits of a byte, and have to be zero: one form only
    let whole_bytes = match (digits % 4, padding) {
        (0, 0) => 0,
        (2, 2) if bits & 15 == 0 => 1,
        (3, 1) if bits & 3 == 0 => 2,
        _ => return None,
    };
    let left = bits << (6 * (4 - digits % 4) % 24);
    bytes.extend_from_slice(&left.to_be_bytes()[1..1 + whole_bytes]);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for length in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 37 + 250) as u8).collect();
            let text = encode("KEY", &bytes);
            assert!(text.lines().all(|line| line.len() <= 64), "{length}");
            assert_eq!(
                decode("KEY", text.as_bytes()).as_deref(),
                Some(&bytes),
                "{length}"
            );
        }
    }

    #[test]
    fn known_words() {
        // RFC 4648, section 10
        for (plain, coded) in [("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v")] {
            let text = encode("K", plain.as_bytes());
            assert_eq!(text.lines().nth(1), Some(coded));
        }
    }

    #[test]
    fn other_forms_are_refused() {
        let block = |body: &str| format!("-----BEGIN K-----\n{body}\n-----END K-----");
        for body in [
            "Zg=", "Zg", "Zh==", "Z", "Zg==Zg==", "Zm9v=", "Zm?v", "====",
        ] {
            assert!(decode("K", block(body).as_bytes()).is_none(), "{body}");
        }
        assert!(decode("L", block("Zg==").as_bytes()).is_none());
        assert!(decode("K", (block("Zg==") + "more").as_bytes()).is_none());
    }
}
