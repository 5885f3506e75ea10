//! How characters are bytes: four encodings, read strictly.
//!
//! A byte that an encoding has no character for means that the file is in another one, or in two:
//! guessing would make two values of one. Latin-1 has control characters from 0x80 to 0x9f, which
//! no table holds but which Windows uses for letters and quotes, so they are refused as well. Cost:
//! one look at each byte; UTF-8 is not decoded at all.

/// How characters are bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Encoding {
    /// UTF-8, with or without a byte-order mark.
    #[default]
    Utf8,
    /// ISO 8859-1.
    Latin1,
    /// The Western code page of Windows.
    Windows1252,
    /// UTF-16 whose byte-order mark says which of the two it is.
    Utf16,
    /// UTF-16, the lower byte first.
    Utf16LittleEndian,
    /// UTF-16, the higher byte first.
    Utf16BigEndian,
}

impl Encoding {
    /// All of them, in the order in which messages list them.
    pub const ALL: [Encoding; 6] = [
        Encoding::Utf8,
        Encoding::Latin1,
        Encoding::Windows1252,
        Encoding::Utf16,
        Encoding::Utf16LittleEndian,
        Encoding::Utf16BigEndian,
    ];

    /// The word in policies.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin-1",
            Encoding::Windows1252 => "windows-1252",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf16LittleEndian => "utf-16le",
            Encoding::Utf16BigEndian => "utf-16be",
        }
    }
}

/// The characters of Windows-1252 from 0x80 to 0x9f; `\0` where there is none.
const WINDOWS_1252: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘',
    '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

/// Turns bytes of an encoding into UTF-8, piece by piece.
pub(crate) struct Decoder {
    kind: DecoderKind,
    /// The start of a character whose end has not come yet.
    rest: Vec<u8>,
    is_first: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DecoderKind {
    Latin1,
    Windows1252,
    Utf16 { order: Option<ByteOrder> },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteOrder {
    LittleEndian,
    BigEndian,
}

/// Bytes that are no character. What was decoded before them stands in the output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoCharacter;

impl Decoder {
    /// `None` for UTF-8, which needs none.
    pub(crate) fn new(encoding: Encoding) -> Option<Decoder> {
        let kind = match encoding {
            Encoding::Utf8 => return None,
            Encoding::Latin1 => DecoderKind::Latin1,
            Encoding::Windows1252 => DecoderKind::Windows1252,
            Encoding::Utf16 => DecoderKind::Utf16 { order: None },
            Encoding::Utf16LittleEndian => DecoderKind::Utf16 {
                order: Some(ByteOrder::LittleEndian),
            },
            Encoding::Utf16BigEndian => DecoderKind::Utf16 {
                order: Some(ByteOrder::BigEndian),
            },
        };
        Some(Decoder {
            kind,
            rest: Vec::new(),
            is_first: true,
        })
    }

    /// Appends what bytes say; `last`: none will follow.
    pub(crate) fn decode(
        &mut self,
        bytes: &[u8],
        last: bool,
        to: &mut Vec<u8>,
    ) -> Result<(), NoCharacter> {
        match self.kind {
            DecoderKind::Utf16 { order } => self.decode_utf16(order, bytes, last, to),
            _ => self.decode_single(bytes, to),
        }
    }

    fn decode_single(&mut self, bytes: &[u8], to: &mut Vec<u8>) -> Result<(), NoCharacter> {
        for &byte in bytes {
            let character = match byte {
                0..=0x7f => {
                    to.push(byte);
                    continue;
                }
                0x80..=0x9f if self.kind == DecoderKind::Latin1 => return Err(NoCharacter),
                0x80..=0x9f => match WINDOWS_1252[usize::from(byte - 0x80)] {
                    '\0' => return Err(NoCharacter),
                    character => character,
                },
                _ => char::from(byte),
            };
            push(character, to);
        }
        Ok(())
    }

    fn decode_utf16(
        &mut self,
        order: Option<ByteOrder>,
        bytes: &[u8],
        last: bool,
        to: &mut Vec<u8>,
    ) -> Result<(), NoCharacter> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut start = 0;
        let mut order = order;
        if self.is_first && all.len() >= 2 {
            self.is_first = false;
            let mark = match all[..2] {
                [0xff, 0xfe] => Some(ByteOrder::LittleEndian),
                [0xfe, 0xff] => Some(ByteOrder::BigEndian),
                _ => None,
            };
            if mark.is_some() {
                start = 2;
            }
            order = match (order, mark) {
                // without a mark nobody knows, and a mark that says otherwise is a contradiction
                (None, None) => return Err(NoCharacter),
                (Some(declared), Some(found)) if declared != found => return Err(NoCharacter),
                (declared, found) => declared.or(found),
            };
            self.kind = DecoderKind::Utf16 { order };
        }
        let little = order == Some(ByteOrder::LittleEndian);
        let unit = |at: usize| {
            let pair = [all[at], all[at + 1]];
            if little {
                u16::from_le_bytes(pair)
            } else {
                u16::from_be_bytes(pair)
            }
        };
        let mut at = start;
        while !self.is_first && at + 2 <= all.len() {
            let first = unit(at);
            let is_high = (0xd800..0xdc00).contains(&first);
            if is_high && at + 4 > all.len() {
                break;
            }
            let length = if is_high { 4 } else { 2 };
            let second = if is_high { unit(at + 2) } else { 0 };
            let units = [first, second];
            let mut characters = char::decode_utf16(units[..length / 2].iter().copied());
            let Some(Ok(character)) = characters.next() else {
                return Err(NoCharacter);
            };
            push(character, to);
            at += length;
        }
        self.rest = all[at..].to_vec();
        if last && !self.rest.is_empty() {
            return Err(NoCharacter);
        }
        Ok(())
    }
}

fn push(character: char, to: &mut Vec<u8>) {
    let mut bytes = [0; 4];
    to.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(encoding: Encoding, bytes: &[u8], pieces: usize) -> Result<String, NoCharacter> {
        let mut decoder = Decoder::new(encoding).unwrap();
        let mut text = Vec::new();
        for piece in bytes.chunks(pieces) {
            decoder.decode(piece, false, &mut text)?;
        }
        decoder.decode(&[], true, &mut text)?;
        Ok(String::from_utf8(text).unwrap())
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for unit in text.encode_utf16() {
            let pair = if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            };
            bytes.extend(pair);
        }
        bytes
    }

    #[test]
    fn the_pieces_in_which_bytes_come_do_not_matter() {
        let text = "Jürgen, 😀 Łódź\n";
        for pieces in 1..9 {
            for (encoding, little, marked) in [
                (Encoding::Utf16LittleEndian, true, false),
                (Encoding::Utf16LittleEndian, true, true),
                (Encoding::Utf16BigEndian, false, false),
                (Encoding::Utf16, true, true),
                (Encoding::Utf16, false, true),
            ] {
                let marked_text = format!("\u{feff}{text}");
                let bytes = utf16(if marked { &marked_text } else { text }, little);
                assert_eq!(decode(encoding, &bytes, pieces).unwrap(), text);
            }
        }
        assert_eq!(decode(Encoding::Latin1, b"J\xfcrgen", 2).unwrap(), "Jürgen");
        assert_eq!(
            decode(Encoding::Windows1252, b"\x80 \x93x\x94 \xfc", 1).unwrap(),
            "€ “x” ü"
        );
    }

    #[test]
    fn bytes_without_a_character_are_refused() {
        assert!(decode(Encoding::Latin1, b"a\x80", 1).is_err());
        assert!(decode(Encoding::Windows1252, b"a\x81", 1).is_err());
        assert!(decode(Encoding::Utf16, b"a\0b\0", 2).is_err());
        assert!(decode(Encoding::Utf16BigEndian, &utf16("\u{feff}a", true), 2).is_err());
        assert!(decode(Encoding::Utf16LittleEndian, b"a\0b", 2).is_err());
        assert!(decode(Encoding::Utf16LittleEndian, &[0x00, 0xdc, 0x41, 0x00], 4).is_err());
        assert!(decode(Encoding::Utf16LittleEndian, &[0x00, 0xd8], 2).is_err());
    }
}
