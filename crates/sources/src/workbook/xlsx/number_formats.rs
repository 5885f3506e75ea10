//! Which numbers are days: said by nothing but the format in which a cell is shown.
//!
//! A cell names a format of the workbook, which names a built-in code (ECMA-376 part 1, 18.8.30) or
//! one that the workbook declares. A code with letters for years, months, days, hours, minutes or
//! seconds shows a day or a time; one with hours, minutes or seconds in brackets a length of time.

use super::super::archive::Archive;
use super::super::xml::{Mark, Xml};
use mingle_io::{Limits, SheetFlaw};
use std::collections::HashMap;

/// What a number of a cell is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberKind {
    Number,
    Date,
    Duration,
}

/// Per format of a workbook's cells what it shows.
pub(super) struct NumberFormats {
    kinds: Vec<NumberKind>,
}

impl NumberFormats {
    /// Reads them, if there is such a part.
    pub(super) fn read(
        archive: &Archive,
        part: Option<&str>,
        limits: &Limits,
    ) -> Result<NumberFormats, SheetFlaw> {
        let mut kinds = Vec::new();
        let Some(part) = part else {
            return Ok(NumberFormats { kinds });
        };
        let part = archive.open(part)?.ok_or(SheetFlaw::Damaged)?;
        let mut xml = Xml::new(part, limits);
        let mut declared: HashMap<u64, NumberKind> = HashMap::new();
        // formats of named styles look the same and are not what cells name
        let mut among_cell_formats = false;
        loop {
            match xml.next()? {
                Mark::Start(element) => match element.name() {
                    "numFmt" => {
                        let id = element.number("numFmtId")?.ok_or(SheetFlaw::Damaged)?;
                        let code = element.attribute("formatCode")?;
                        declared.insert(id, kind_of_code(code.as_deref().unwrap_or_default()));
                    }
                    "cellXfs" => among_cell_formats = true,
                    "xf" if among_cell_formats => {
                        let id = element.number("numFmtId")?.unwrap_or(0);
                        let declared = declared.get(&id).copied();
                        kinds.push(declared.unwrap_or_else(|| kind_of_built_in(id)));
                    }
                    _ => {}
                },
                Mark::End(end) if end.name() == "cellXfs" => among_cell_formats = false,
                Mark::Eof => return Ok(NumberFormats { kinds }),
                _ => {}
            }
        }
    }

    /// What a cell with this format, or with none, shows; `None` for a format that is not there.
    pub(super) fn kind(&self, format: Option<usize>) -> Option<NumberKind> {
        match format {
            None => Some(NumberKind::Number),
            // a workbook without formats shows everything as it is
            Some(0) if self.kinds.is_empty() => Some(NumberKind::Number),
            Some(format) => self.kinds.get(format).copied(),
        }
    }
}

fn kind_of_built_in(id: u64) -> NumberKind {
    match id {
        14..=22 | 27..=36 | 45 | 47 | 50..=58 => NumberKind::Date,
        46 => NumberKind::Duration,
        _ => NumberKind::Number,
    }
}

fn kind_of_code(code: &str) -> NumberKind {
    if code.eq_ignore_ascii_case("general") {
        return NumberKind::Number;
    }
    let mut kind = NumberKind::Number;
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match character.to_ascii_lowercase() {
            // further sections are for negative numbers, zero and texts
            ';' => break,
            '"' => {
                let _ = characters.by_ref().find(|&quote| quote == '"');
            }
            // the next character is shown, left as room, or repeated
            '\\' | '_' | '*' => {
                let _ = characters.next();
            }
            '[' => {
                let inside: String = characters.by_ref().take_while(|&end| end != ']').collect();
                let inside = inside.to_ascii_lowercase();
                let is_elapsed = !inside.is_empty()
                    && ["h", "m", "s"]
                        .iter()
                        .any(|unit| inside.replace(unit, "").is_empty());
                if is_elapsed {
                    return NumberKind::Duration;
                }
            }
            'd' | 'm' | 'y' | 'h' | 's' => kind = NumberKind::Date,
            _ => {}
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_days_and_of_numbers() {
        for code in [
            "yyyy-mm-dd",
            "DD/MM/YYYY",
            "[$-409]d-mmm-yy",
            "h:mm AM/PM",
            "mm:ss.0",
            "\"day\" d",
            "yyyy\\-mm\\-dd;@",
        ] {
            assert_eq!(kind_of_code(code), NumberKind::Date, "{code}");
        }
        for code in [
            "General",
            "0.00",
            "#,##0",
            "0%",
            "0.00E+00",
            "\"days\" 0",
            "[Red]0",
            "0\\d",
            "_d0",
            "#,##0 [$EUR]",
            "0;yyyy",
            "@",
        ] {
            assert_eq!(kind_of_code(code), NumberKind::Number, "{code}");
        }
        for code in ["[h]:mm:ss", "[mm]:ss", "[SS]"] {
            assert_eq!(kind_of_code(code), NumberKind::Duration, "{code}");
        }
    }
}
