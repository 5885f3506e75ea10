//! The rows of a sheet of Office Open XML, as its part is unpacked.

use super::super::cell::{self, CellText, DaySystem};
use super::super::sheet::{HiddenColumns, MAX_ROWS, SheetReader, SheetRow};
use super::super::xml::{Element, Mark, Xml};
use super::number_formats::{NumberFormats, NumberKind};
use super::shared_texts::{SharedTexts, rich_text_into, unescaped};
use mingle_io::{CellFlaw, SheetFlaw};
use std::sync::Arc;

/// Columns that a sheet can have.
const MAX_COLUMNS: usize = 1 << 14;

pub(super) struct XlsxRows {
    xml: Xml,
    days: DaySystem,
    shared_texts: Arc<SharedTexts>,
    number_formats: Arc<NumberFormats>,
    hidden_columns: HiddenColumns,
    among_rows: bool,
    /// The number of the last row that was met.
    last_row: u64,
    value: String,
}

/// What the start of a cell says about it.
struct CellStart {
    column: usize,
    format: Option<usize>,
    kind: CellKind,
}

/// How the value of a cell is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Number,
    SharedText,
    /// The text that a formula gave.
    FormulaText,
    InlineText,
    Boolean,
    Error,
    IsoDate,
    Unknown,
}

impl SheetReader for XlsxRows {
    fn next_row(&mut self, row: &mut SheetRow) -> Result<bool, SheetFlaw> {
        loop {
            match self.xml.next()? {
                Mark::Start(element) => match element.name() {
                    "sheetData" => self.among_rows = true,
                    // anchors of drawings have elements of this name as well
                    "row" if self.among_rows => {
                        row.start(row_number(&element, self.last_row)?);
                        let is_hidden = element.flag("hidden")?;
                        self.last_row = row.number;
                        self.read_cells(row)?;
                        if row.is_empty() {
                            continue;
                        }
                        if is_hidden {
                            return Err(SheetFlaw::HiddenRow { row: row.number });
                        }
                        self.hidden_columns.refuse(row)?;
                        return Ok(true);
                    }
                    "col" if element.flag("hidden")? => {
                        let first = element.number("min")?.ok_or(SheetFlaw::Damaged)?;
                        let last = element.number("max")?.ok_or(SheetFlaw::Damaged)?;
                        let first = first.checked_sub(1).ok_or(SheetFlaw::Damaged)?;
                        self.hidden_columns.add(first, last.saturating_sub(1));
                    }
                    // the list stands behind the rows, so that this is found at the end
                    "mergeCell" => {
                        let range = element.attribute("ref")?.ok_or(SheetFlaw::Damaged)?;
                        return Err(merged(&range));
                    }
                    _ => {}
                },
                Mark::End(end) if end.name() == "sheetData" => self.among_rows = false,
                Mark::Eof => return Ok(false),
                Mark::End(_) | Mark::Text(_) | Mark::Other => {}
            }
        }
    }
}

impl XlsxRows {
    pub(super) fn new(
        xml: Xml,
        days: DaySystem,
        shared_texts: Arc<SharedTexts>,
        number_formats: Arc<NumberFormats>,
    ) -> Self {
        XlsxRows {
            xml,
            days,
            shared_texts,
            number_formats,
            hidden_columns: HiddenColumns::default(),
            among_rows: false,
            last_row: 0,
            value: String::new(),
        }
    }

    fn read_cells(&mut self, row: &mut SheetRow) -> Result<(), SheetFlaw> {
        let mut next_column = 0;
        loop {
            let start = match self.xml.next()? {
                Mark::Start(element) if element.name() == "c" => {
                    cell_start(&element, row.number, next_column)?
                }
                Mark::Start(_) => {
                    self.xml.skip()?;
                    continue;
                }
                Mark::End(_) => return Ok(()),
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Text(_) | Mark::Other => continue,
            };
            next_column = start.column + 1;
            if let Some(text) = self.read_cell(&start)? {
                row.push(start.column, text)?;
            }
        }
    }

    /// The text of a cell; `None` if it holds nothing.
    fn read_cell(&mut self, start: &CellStart) -> Result<Option<CellText>, SheetFlaw> {
        self.value.clear();
        let mut has_value = false;
        let mut is_formula = false;
        loop {
            match self.xml.next()? {
                Mark::Start(element) => match element.name() {
                    "v" => {
                        has_value = true;
                        self.xml.text_into(&mut self.value)?;
                    }
                    "is" => {
                        has_value = true;
                        rich_text_into(&mut self.xml, &mut self.value)?;
                    }
                    "f" => {
                        is_formula = true;
                        self.xml.skip()?;
                    }
                    _ => self.xml.skip()?,
                },
                Mark::End(_) => break,
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Text(_) | Mark::Other => {}
            }
        }
        // a formula may give the empty text, and says then that it is a text
        if is_formula && (!has_value || (self.value.is_empty() && start.kind == CellKind::Number)) {
            return Ok(Some(Err(CellFlaw::NoResult)));
        }
        let text = self.text(start)?;
        Ok(text.filter(|text| !matches!(text, Ok(text) if text.is_empty())))
    }

    fn text(&self, start: &CellStart) -> Result<Option<CellText>, SheetFlaw> {
        let value = self.value.as_str();
        if value.is_empty() {
            return Ok(None);
        }
        Ok(Some(match start.kind {
            CellKind::Number => self.number(start, value)?,
            CellKind::SharedText => {
                let number = value.trim().parse().map_err(|_| SheetFlaw::Damaged)?;
                let text = self.shared_texts.text(number).ok_or(SheetFlaw::Damaged)?;
                Ok(text.to_owned())
            }
            CellKind::FormulaText | CellKind::InlineText => {
                Ok(unescaped(value).unwrap_or_else(|| value.to_owned()))
            }
            CellKind::Boolean => match value.trim() {
                "1" | "true" => Ok("true".to_owned()),
                "0" | "false" => Ok("false".to_owned()),
                _ => Err(CellFlaw::Unknown),
            },
            CellKind::Error => Err(CellFlaw::ErrorValue),
            CellKind::IsoDate => cell::iso_date(value.trim()),
            CellKind::Unknown => Err(CellFlaw::Unknown),
        }))
    }

    fn number(&self, start: &CellStart, value: &str) -> Result<CellText, SheetFlaw> {
        let Ok(number) = value.trim().parse::<f64>() else {
            return Ok(Err(CellFlaw::Unknown));
        };
        let kind = self.number_formats.kind(start.format);
        Ok(match kind.ok_or(SheetFlaw::Damaged)? {
            NumberKind::Number => cell::number(number),
            NumberKind::Date => cell::serial_date(number, self.days),
            NumberKind::Duration => cell::serial_duration(number),
        })
    }
}

/// The number of a row, which follows the one before it if it does not say otherwise.
fn row_number(element: &Element<'_>, last_row: u64) -> Result<u64, SheetFlaw> {
    let number = element.number("r")?.unwrap_or(last_row + 1);
    if number > MAX_ROWS {
        return Err(SheetFlaw::Rows { limit: MAX_ROWS });
    }
    if number <= last_row {
        return Err(SheetFlaw::Damaged);
    }
    Ok(number)
}

/// Where a cell stands and how it is written. A cell that does not say where it stands follows the
/// one before it; cells that go back are refused, because one of two would be lost.
fn cell_start(element: &Element<'_>, row: u64, next_column: usize) -> Result<CellStart, SheetFlaw> {
    let column = match element.attribute("r")? {
        None => next_column,
        Some(reference) => {
            let (column, of_row) = position(&reference).ok_or(SheetFlaw::Damaged)?;
            if of_row != row || column < next_column {
                return Err(SheetFlaw::Damaged);
            }
            column
        }
    };
    if column >= MAX_COLUMNS {
        return Err(SheetFlaw::Damaged);
    }
    let format = element.number("s")?;
    let format = format.map(|format| usize::try_from(format).unwrap_or(usize::MAX));
    let kind = match element.attribute("t")?.as_deref() {
        None | Some("n") => CellKind::Number,
        Some("s") => CellKind::SharedText,
        Some("str") => CellKind::FormulaText,
        Some("inlineStr") => CellKind::InlineText,
        Some("b") => CellKind::Boolean,
        Some("e") => CellKind::Error,
        Some("d") => CellKind::IsoDate,
        Some(_) => CellKind::Unknown,
    };
    Ok(CellStart {
        column,
        format,
        kind,
    })
}

/// `AB12` as column 27 and row 12.
fn position(reference: &str) -> Option<(usize, u64)> {
    let digits = reference.find(|c: char| c.is_ascii_digit())?;
    let (letters, row) = reference.split_at(digits);
    if letters.is_empty() || letters.len() > 3 {
        return None;
    }
    let mut column = 0;
    for letter in letters.bytes() {
        if !letter.is_ascii_alphabetic() {
            return None;
        }
        column = column * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    }
    let row = row.parse().ok()?;
    (1..=MAX_ROWS).contains(&row).then_some((column - 1, row))
}

/// The range is repeated only if it is one: it comes from outside.
fn merged(range: &str) -> SheetFlaw {
    let is_range = match range.split_once(':') {
        Some((first, last)) => position(first).is_some() && position(last).is_some(),
        None => position(range).is_some(),
    };
    if is_range {
        let range = range.to_owned();
        SheetFlaw::MergedCells { range }
    } else {
        SheetFlaw::Damaged
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn positions() {
        assert_eq!(position("A1"), Some((0, 1)));
        assert_eq!(position("AB12"), Some((27, 12)));
        assert_eq!(position("XFD1048576"), Some((16_383, 1_048_576)));
        for reference in [
            "", "A", "1", "A0", "A1048577", "ABCD1", "A1B", "Ä1", "A-1", "A1:B2",
        ] {
            assert_eq!(position(reference), None, "{reference}");
        }
    }
}
