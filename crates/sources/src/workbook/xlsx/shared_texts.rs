//! Texts that the sheets of a workbook share: a cell names one by its number.

use super::super::archive::Archive;
use super::super::xml::{Mark, Xml};
use mingle_io::{Limits, SheetFlaw};

/// All texts, one behind the other. No `Debug`: they are cells.
pub(super) struct SharedTexts {
    all: String,
    ends: Vec<usize>,
}

impl SharedTexts {
    /// Reads them, if there is such a part.
    pub(super) fn read(
        archive: &Archive,
        part: Option<&str>,
        limits: &Limits,
    ) -> Result<SharedTexts, SheetFlaw> {
        let mut texts = SharedTexts {
            all: String::new(),
            ends: Vec::new(),
        };
        let Some(part) = part else {
            return Ok(texts);
        };
        let part = archive.open(part)?.ok_or(SheetFlaw::Damaged)?;
        let mut xml = Xml::new(part, limits);
        loop {
            match xml.next()? {
                Mark::Start(element) if element.name() == "si" => {
                    let start = texts.all.len();
                    rich_text_into(&mut xml, &mut texts.all)?;
                    let text = unescaped(&texts.all[start..]);
                    if let Some(text) = text {
                        texts.all.truncate(start);
                        texts.all.push_str(&text);
                    }
                    texts.ends.push(texts.all.len());
                }
                Mark::Eof => return Ok(texts),
                _ => {}
            }
            let bytes = texts.all.len() + texts.ends.len() * size_of::<usize>();
            if bytes > limits.in_memory {
                let limit = limits.in_memory;
                return Err(SheetFlaw::SharedTexts { limit });
            }
        }
    }

    /// The text of a number; `None` if there is none.
    pub(super) fn text(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)?;
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        Some(&self.all[start..end])
    }
}

/// Appends the text of the element that has just started: pieces in several fonts are one text, and
/// how it is pronounced is not part of it.
pub(super) fn rich_text_into(xml: &mut Xml, text: &mut String) -> Result<(), SheetFlaw> {
    let mut depth = 1;
    while depth > 0 {
        match xml.next()? {
            Mark::Start(element) => match element.name() {
                "t" => xml.text_into(text)?,
                "rPh" => xml.skip()?,
                _ => depth += 1,
            },
            Mark::End(_) => depth -= 1,
            Mark::Eof => return Err(SheetFlaw::Damaged),
            Mark::Text(_) | Mark::Other => {}
        }
    }
    Ok(())
}

/// A text in which characters that XML cannot hold are written as `_x000D_`; `None` if it has none.
pub(super) fn unescaped(text: &str) -> Option<String> {
    if !text.contains("_x") {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("_x") {
        out.push_str(&rest[..at]);
        let escape = rest.get(at..at + 7).filter(|escape| escape.ends_with('_'));
        let digits = escape.map(|escape| &escape[2..6]);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32) {
            Some(character) => {
                out.push(character);
                rest = &rest[at + 7..];
            }
            None => {
                out.push_str("_x");
                rest = &rest[at + 2..];
            }
        }
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn characters_that_xml_cannot_hold() {
        assert_eq!(unescaped("plain"), None);
        for (text, meant) in [
            ("a_x000D_b", "a\rb"),
            ("_x005F_x000D_", "_x000D_"),
            ("_xy", "_xy"),
            ("_x00", "_x00"),
            ("_xD800_", "_xD800_"),
            ("é_x00e9_é", "ééé"),
            ("_xé000_", "_xé000_"),
            ("_x000g_", "_x000g_"),
        ] {
            assert_eq!(unescaped(text).as_deref(), Some(meant));
        }
    }
}
