//! Names that try to get out of a folder, generated: pieces of attacks, joined by pieces of
//! separators, encoded in turn. The same seed gives the same names.

const PIECES: &[&str] = &[
    "..",
    "..",
    "..",
    ".",
    "...",
    "",
    "a",
    "data.csv",
    "etc",
    "passwd",
    "~",
    "~root",
    "$HOME",
    "C:",
    "c:",
    "C:\\Windows",
    "con",
    "NUL",
    "nul.txt",
    "COM1",
    "lpt9.csv",
    "com¹",
    "aux .txt",
    "file:",
    "a:b",
    "a::$DATA",
    ".ssh",
    ".bashrc",
    "a.",
    "a ",
    " a",
    "\t",
    "\u{202e}vsc.a",
    "..\0",
    "a\0.csv",
    "\n",
    "\r\nX: y",
    "\u{7f}",
    "\u{85}",
    "．．",
    "‥",
    "․․",
    "%2e%2e",
    "%2E.",
    ".%2e",
    "%",
    "%2",
    "%zz",
    "%u002e",
    "+",
    "*",
    "?",
    "#",
    "\u{feff}..",
    "..\u{200b}",
    "a/../../b",
    "....//",
    "..;",
    "\\\\host\\share",
    "\\\\?\\C:",
    "/dev/null",
    "/proc/self/environ",
];
const SEPARATORS: &[&str] = &[
    "/", "/", "/", "//", "\\", "/./", "／", "∕", "⁄", "＼", "%2f", "%5c", "/../", "\\..\\",
];
/// Bytes that are no UTF-8: overlong forms of `.`, `/` and `\`, lone continuations and surrogates.
const BROKEN: &[&str] = &[
    "%c0%ae",
    "%c0%af",
    "%c1%9c",
    "%e0%80%ae",
    "%e0%80%af",
    "%f0%80%80%af",
    "%80",
    "%ff",
    "%ed%a0%80",
    "%fe",
];

/// A source of choices.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Below `bound` (SplitMix64).
    pub fn roll(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

/// A name as it would be decoded, before any encoding.
pub fn name(dice: &mut Dice) -> String {
    let mut name = if dice.roll(6) == 0 {
        "/".to_owned()
    } else {
        String::new()
    };
    let most = if dice.roll(20) == 0 { 40 } else { 5 };
    let parts = 1 + dice.roll(most);
    for part in 0..parts {
        if part > 0 {
            name += dice.pick(SEPARATORS);
        }
        match dice.roll(30) {
            0 => name += &"x".repeat(190 + dice.roll(30)),
            1 => name += &"é".repeat(90 + dice.roll(30)),
            _ => name += dice.pick(PIECES),
        }
    }
    name
}

/// A name encoded for the path of an address, once or twice, in full or where needed, sometimes
/// broken.
pub fn address(dice: &mut Dice) -> String {
    let name = name(dice);
    let (times, always) = (1 + usize::from(dice.roll(4) == 0), dice.roll(3) == 0);
    let mut address = (0..times).fold(name, |text, _| encode(&text, always));
    if dice.roll(8) == 0 {
        let cut = dice.roll(address.len() + 1);
        address.insert_str(cut, dice.pick(BROKEN));
    }
    address
}

fn encode(text: &str, always: bool) -> String {
    text.bytes()
        .map(|byte| {
            let plain = byte.is_ascii_alphanumeric()
                || b"-._~/".contains(&byte)
                || (byte == b'\\' && !always);
            if plain && !(always && matches!(byte, b'.' | b'/')) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Whether a folder joined with a name as it is would leave the folder, on this system or another:
/// the oracle, which shares nothing with the check.
pub fn escapes(name: &str) -> bool {
    let mut depth = 0i64;
    if name.starts_with(['/', '\\']) || name.contains(':') {
        return true;
    }
    for part in name.split(['/', '\\']) {
        match part {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}
