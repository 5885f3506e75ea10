//! Workbooks of OpenDocument (`.ods`, ODF 1.2 part 1, chapter 9).
//!
//! All sheets stand one behind the other in one part, so that it is read once to see which of them
//! hold cells, and again up to the one that is wanted. Rows and cells that repeat are written once
//! with a count; only those that hold something are repeated here.

use super::archive::Archive;
use super::cell::{self, CellText};
use super::sheet::{HiddenColumns, MAX_ROWS, SheetEntry, SheetReader, SheetRow, letters};
use super::xml::{Element, Mark, Xml};
use mingle_io::{CellFlaw, Limits, SheetFlaw};

/// What the part `mimetype` of such a workbook holds.
pub(super) const MEDIA_TYPE: &str = "application/vnd.oasis.opendocument.spreadsheet";

/// Columns that a sheet can have.
const MAX_COLUMNS: u64 = 1 << 14;

/// A workbook whose sheets are known.
pub(super) struct Ods {
    archive: Archive,
    limits: Limits,
    sheets: Vec<SheetEntry>,
}

impl Ods {
    /// Reads the names of the sheets.
    pub(super) fn open(archive: &Archive, limits: &Limits) -> Result<Ods, SheetFlaw> {
        refuse_encrypted(archive, limits)?;
        let mut sheets = Vec::new();
        let mut hidden_styles = Vec::new();
        let mut xml = content(archive, limits)?;
        let mut style = None;
        while let Some(at) = next_table_or_style(&mut xml)? {
            match at {
                At::Style(name) => style = name,
                At::TableProperties { is_hidden } => {
                    hidden_styles.extend(style.take().filter(|_| is_hidden));
                }
                At::Table {
                    name,
                    style: Some(style),
                } => {
                    let is_hidden = hidden_styles.contains(&style);
                    sheets.push(SheetEntry { name, is_hidden });
                    xml.skip()?;
                }
                At::Table { name, style: None } => {
                    let is_hidden = false;
                    sheets.push(SheetEntry { name, is_hidden });
                    xml.skip()?;
                }
            }
        }
        Ok(Ods {
            archive: archive.clone(),
            limits: *limits,
            sheets,
        })
    }

    pub(super) fn sheets(&self) -> impl Iterator<Item = &SheetEntry> {
        self.sheets.iter()
    }

    /// Starts to read a sheet.
    pub(super) fn rows(&self, sheet: usize) -> Result<Box<dyn SheetReader>, SheetFlaw> {
        let mut xml = content(&self.archive, &self.limits)?;
        let mut before = sheet;
        while let Some(at) = next_table_or_style(&mut xml)? {
            match at {
                At::Table { .. } if before == 0 => {
                    return Ok(Box::new(OdsRows::new(xml, &self.limits)));
                }
                At::Table { .. } => {
                    before -= 1;
                    xml.skip()?;
                }
                At::Style(_) | At::TableProperties { .. } => {}
            }
        }
        Err(SheetFlaw::Damaged)
    }
}

fn content(archive: &Archive, limits: &Limits) -> Result<Xml, SheetFlaw> {
    let part = archive.open("content.xml")?.ok_or(SheetFlaw::Damaged)?;
    Ok(Xml::new(part, limits))
}

/// The manifest says of each part that is encrypted how.
fn refuse_encrypted(archive: &Archive, limits: &Limits) -> Result<(), SheetFlaw> {
    let Some(part) = archive.open("META-INF/manifest.xml")? else {
        return Ok(());
    };
    let mut xml = Xml::new(part, limits);
    loop {
        match xml.next()? {
            Mark::Start(element) if element.name() == "encryption-data" => {
                return Err(SheetFlaw::Encrypted);
            }
            Mark::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// What is of interest outside of sheets.
enum At {
    /// A style starts.
    Style(Option<String>),
    /// What the style says about a sheet.
    TableProperties { is_hidden: bool },
    /// A sheet starts.
    Table { name: String, style: Option<String> },
}

fn next_table_or_style(xml: &mut Xml) -> Result<Option<At>, SheetFlaw> {
    loop {
        match xml.next()? {
            Mark::Start(element) => match element.name() {
                "style" => {
                    let name = element.attribute("style:name")?;
                    return Ok(Some(At::Style(name.map(|name| name.into_owned()))));
                }
                "table-properties" => {
                    let display = element.attribute("table:display")?;
                    let is_hidden = display.as_deref() == Some("false");
                    return Ok(Some(At::TableProperties { is_hidden }));
                }
                "table" => {
                    let name = element.attribute("table:name")?.unwrap_or_default();
                    let style = element.attribute("table:style-name")?;
                    return Ok(Some(At::Table {
                        name: name.into_owned(),
                        style: style.map(|style| style.into_owned()),
                    }));
                }
                // earlier states of cells, and tables that other programs sent
                "tracked-changes" | "dde-links" => xml.skip()?,
                _ => {}
            },
            Mark::Eof => return Ok(None),
            Mark::End(_) | Mark::Text(_) | Mark::Other => {}
        }
    }
}

struct OdsRows {
    xml: Xml,
    /// The most bytes of a row.
    limit: usize,
    hidden_columns: HiddenColumns,
    /// Columns whose widths and styles were met.
    columns: u64,
    /// The number of the last row that was met.
    last_row: u64,
    /// A row that stands for several, and how often it is still to be handed out.
    repeated: SheetRow,
    repeats: u64,
    /// Whether the end of the sheet was met: other sheets follow it in the same part.
    at_end: bool,
}

/// What the start of a cell says about it.
struct CellStart {
    kind: CellKind,
    is_formula: bool,
    /// Repeated to the right so many times.
    repeats: u64,
}

/// How the value of a cell is written.
enum CellKind {
    /// In an attribute.
    Known(CellText),
    /// As the text inside.
    Text,
    /// Not at all, unless there is a text inside.
    Nothing,
}

impl SheetReader for OdsRows {
    fn next_row(&mut self, row: &mut SheetRow) -> Result<bool, SheetFlaw> {
        if self.repeats > 0 {
            self.repeats -= 1;
            self.repeated.number += 1;
            row.copy_from(&self.repeated);
            return Ok(true);
        }
        if self.at_end {
            return Ok(false);
        }
        loop {
            match self.xml.next()? {
                Mark::Start(element) => match element.name() {
                    "table-row" => {
                        let is_visible = is_visible(&element)?;
                        let repeats = repeats(&element, "table:number-rows-repeated")?;
                        row.start(self.last_row.saturating_add(1));
                        self.read_cells(row)?;
                        self.last_row = self.last_row.saturating_add(repeats);
                        if row.is_empty() {
                            continue;
                        }
                        if self.last_row > MAX_ROWS {
                            return Err(SheetFlaw::Rows { limit: MAX_ROWS });
                        }
                        if !is_visible {
                            return Err(SheetFlaw::HiddenRow { row: row.number });
                        }
                        self.hidden_columns.refuse(row)?;
                        self.repeats = repeats - 1;
                        if self.repeats > 0 {
                            self.repeated.copy_from(row);
                        }
                        return Ok(true);
                    }
                    "table-column" => {
                        let repeats = repeats(&element, "table:number-columns-repeated")?;
                        let next = self.columns.saturating_add(repeats);
                        if !is_visible(&element)? {
                            self.hidden_columns.add(self.columns, next - 1);
                        }
                        self.columns = next;
                    }
                    // pictures and charts, which may hold texts and tables of their own
                    "shapes" | "forms" => self.xml.skip()?,
                    _ => {}
                },
                Mark::End(end) if end.name() == "table" => {
                    self.at_end = true;
                    return Ok(false);
                }
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::End(_) | Mark::Text(_) | Mark::Other => {}
            }
        }
    }
}

impl OdsRows {
    fn new(xml: Xml, limits: &Limits) -> Self {
        OdsRows {
            xml,
            limit: limits.record,
            hidden_columns: HiddenColumns::default(),
            columns: 0,
            last_row: 0,
            repeated: SheetRow::new(limits.record),
            repeats: 0,
            at_end: false,
        }
    }

    fn read_cells(&mut self, row: &mut SheetRow) -> Result<(), SheetFlaw> {
        let mut column = 0;
        loop {
            let start = match self.xml.next()? {
                Mark::Start(element) => match element.name() {
                    "table-cell" | "covered-table-cell" => {
                        refuse_merged(&element, row.number, column)?;
                        cell_start(&element)?
                    }
                    _ => {
                        self.xml.skip()?;
                        continue;
                    }
                },
                Mark::End(_) => return Ok(()),
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Text(_) | Mark::Other => continue,
            };
            let repeats = start.repeats;
            let text = self.read_cell(start)?;
            let next: u64 = column.saturating_add(repeats);
            let Some(text) = text else {
                column = next;
                continue;
            };
            if next > MAX_COLUMNS {
                return Err(SheetFlaw::Damaged);
            }
            for at in column..next {
                row.push(at as usize, text.clone())?;
            }
            column = next;
        }
    }

    /// The text of a cell; `None` if it holds nothing.
    fn read_cell(&mut self, start: CellStart) -> Result<Option<CellText>, SheetFlaw> {
        let inside = self.read_paragraphs()?;
        let text = match start.kind {
            CellKind::Known(text) => text,
            CellKind::Text => Ok(inside),
            CellKind::Nothing if start.is_formula => Err(CellFlaw::NoResult),
            CellKind::Nothing => Ok(inside),
        };
        Ok(Some(text).filter(|text| !matches!(text, Ok(text) if text.is_empty())))
    }

    /// The paragraphs of a cell, a line each; notes and pictures in it are not its text.
    fn read_paragraphs(&mut self) -> Result<String, SheetFlaw> {
        let mut text = String::new();
        let mut paragraphs = 0;
        loop {
            match self.xml.next()? {
                Mark::Start(element) if element.name() == "p" => {
                    if paragraphs > 0 {
                        text.push('\n');
                    }
                    paragraphs += 1;
                    self.read_paragraph(&mut text)?;
                }
                Mark::Start(_) => self.xml.skip()?,
                Mark::End(_) => return Ok(text),
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Text(_) | Mark::Other => {}
            }
        }
    }

    /// The text of a paragraph. Links and fonts inside of it are part of it; spaces, tabs and line
    /// ends that XML would not keep are elements.
    fn read_paragraph(&mut self, text: &mut String) -> Result<(), SheetFlaw> {
        let mut depth = 1u64;
        while depth > 0 {
            match self.xml.next()? {
                Mark::Start(element) => {
                    depth += 1;
                    match element.name() {
                        "s" => {
                            let spaces = element.number("text:c")?.unwrap_or(1);
                            let spaces = usize::try_from(spaces).unwrap_or(usize::MAX);
                            // one more than there may be is refused below
                            text.push_str(&" ".repeat(spaces.min(self.limit + 1)));
                        }
                        "tab" => text.push('\t'),
                        "line-break" => text.push('\n'),
                        "annotation" | "note" => {
                            self.xml.skip()?;
                            depth -= 1;
                        }
                        _ => {}
                    }
                }
                Mark::Text(more) => text.push_str(&more),
                Mark::End(_) => depth -= 1,
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Other => {}
            }
            if text.len() > self.limit {
                return Err(SheetFlaw::TooLong { limit: self.limit });
            }
        }
        Ok(())
    }
}

fn is_visible(element: &Element<'_>) -> Result<bool, SheetFlaw> {
    let visibility = element.attribute("table:visibility")?;
    Ok(matches!(visibility.as_deref(), None | Some("visible")))
}

/// How many rows or columns an element stands for.
fn repeats(element: &Element<'_>, attribute: &str) -> Result<u64, SheetFlaw> {
    match element.number(attribute)? {
        Some(0) => Err(SheetFlaw::Damaged),
        Some(repeats) => Ok(repeats),
        None => Ok(1),
    }
}

fn refuse_merged(element: &Element<'_>, row: u64, column: u64) -> Result<(), SheetFlaw> {
    let columns = element.number("table:number-columns-spanned")?;
    let rows = element.number("table:number-rows-spanned")?;
    let (columns, rows) = (columns.unwrap_or(1).max(1), rows.unwrap_or(1).max(1));
    if columns == 1 && rows == 1 {
        return Ok(());
    }
    let last_column = column.saturating_add(columns - 1).min(MAX_COLUMNS);
    let first = letters(column as usize);
    let last = letters(last_column as usize);
    let last_row = row.saturating_add(rows - 1);
    let range = format!("{first}{row}:{last}{last_row}");
    Err(SheetFlaw::MergedCells { range })
}

fn cell_start(element: &Element<'_>) -> Result<CellStart, SheetFlaw> {
    let value_type = element.attribute("office:value-type")?;
    let extended_type = element.attribute("calcext:value-type")?;
    let kind = if extended_type.as_deref() == Some("error") {
        CellKind::Known(Err(CellFlaw::ErrorValue))
    } else {
        match value_type.as_deref() {
            None => CellKind::Nothing,
            Some("string") => match element.attribute("office:string-value")? {
                Some(text) if !text.is_empty() => CellKind::Known(Ok(text.into_owned())),
                _ => CellKind::Text,
            },
            Some("float" | "percentage" | "currency") => {
                let value = element.attribute("office:value")?;
                let number = value.as_deref().and_then(|value| value.trim().parse().ok());
                CellKind::Known(number.map_or(Err(CellFlaw::Unknown), cell::number))
            }
            Some("boolean") => match element.attribute("office:boolean-value")?.as_deref() {
                Some("true") => CellKind::Known(Ok("true".to_owned())),
                Some("false") => CellKind::Known(Ok("false".to_owned())),
                _ => CellKind::Known(Err(CellFlaw::Unknown)),
            },
            Some("date") => {
                let value = element.attribute("office:date-value")?.unwrap_or_default();
                CellKind::Known(cell::iso_date(value.trim()))
            }
            Some("time") => {
                let value = element.attribute("office:time-value")?.unwrap_or_default();
                CellKind::Known(cell::iso_duration(value.trim()))
            }
            Some(_) => CellKind::Known(Err(CellFlaw::Unknown)),
        }
    };
    Ok(CellStart {
        kind,
        is_formula: element.attribute("table:formula")?.is_some(),
        repeats: repeats(element, "table:number-columns-repeated")?,
    })
}
