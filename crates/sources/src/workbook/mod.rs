//! A sheet of a workbook as a table.
//!
//! The first row that holds something names the columns; rows follow it without a gap. What would
//! have to be guessed at is refused, with where it is: merged cells, errors, formulas without a
//! result, hidden rows and columns (they may hold those who were filtered out, or what nobody meant
//! to hand on), a second sheet with cells. Cells become the texts that a CSV file of the same table
//! has: see [`cell`].
//!
//! The formats are read here rather than by a library: limits have to hold while parts are
//! unpacked, and everything that is refused has to be seen. Cost: one pass over the sheet (two for
//! LibreOffice, whose sheets are one part). Memory: the packed file, the texts that sheets share,
//! and a batch of rows.

mod archive;
mod cell;
mod ods;
mod sheet;
mod xlsx;
mod xml;

use archive::Archive;
use arrow_array::builder::{ArrayBuilder, LargeStringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use mingle_io::{
    Batch, DetectedFormat, Error, FileHash, FileStamp, FirstLine, HeaderLine, InputFormat, Limits,
    Pass, ReadOptions, Scan, SheetFlaw, Source, TableFormat, check_names, read_header,
};
use ods::Ods;
use sheet::{SheetReader, SheetRow, letters};
use std::io::Read;
use std::sync::Arc;
use xlsx::Xlsx;

/// Rows and bytes of texts that are handed on at once.
const BATCH_ROWS: usize = 1 << 13;
const BATCH_BYTES: usize = 8 << 20;

const ZIP_START: &[u8] = b"PK\x03\x04";
const COMPOUND_FILE_START: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// A sheet of a workbook: `.xlsx` or `.ods`, whatever its name says.
pub struct Workbook {
    source: Source,
}

impl Workbook {
    /// The sheet that the source's format names, or the only one.
    pub fn new(source: Source) -> Workbook {
        Workbook { source }
    }

    /// Whether a file is a workbook, or something that only this reader can name: its first bytes
    /// are those of a ZIP archive or of a compound file.
    pub fn is_one(source: &Source) -> bool {
        let start = source.first_bytes(COMPOUND_FILE_START.len());
        start.is_ok_and(|start| {
            start.starts_with(ZIP_START) || start.starts_with(COMPOUND_FILE_START)
        })
    }

    /// What the workbook is, and the names of the sheet's columns.
    pub(crate) fn detect(&self, options: &ReadOptions<'_>) -> Result<DetectedFormat, Error> {
        let bytes = self.source.read_whole(options.limits.in_memory)?;
        let file = self.content(&bytes, &options.limits)?.format();
        let names = read_header(self, options)?;
        let mut detected = DetectedFormat::typed(file, names);
        detected.format.sheet = self.source.format.sheet.clone();
        Ok(detected)
    }

    fn content(&self, bytes: &Arc<[u8]>, limits: &Limits) -> Result<Content, Error> {
        Content::open(bytes, limits).map_err(|refused| match refused {
            Refused::Flaw(flaw) => self.flaw(flaw),
            Refused::Other(found) => Error::UnsupportedFile {
                file: self.source.display.clone(),
                found,
            },
        })
    }

    fn flaw(&self, flaw: SheetFlaw) -> Error {
        let file = self.source.display.clone();
        Error::Sheet { file, flaw }
    }
}

impl Scan for Workbook {
    fn name(&self) -> &str {
        &self.source.display
    }

    fn provider(&self) -> Option<&str> {
        self.source.provider.as_deref()
    }

    fn format(&self) -> &TableFormat {
        &self.source.format
    }

    fn size(&self) -> Option<u64> {
        self.source.size()
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        let limits = &options.limits;
        let stamp = self.source.stamp()?;
        let bytes = self.source.read_whole(limits.in_memory)?;
        let hash = FileHash::of(&bytes);
        let content = self.content(&bytes, limits)?;
        self.source.check_format(content.format())?;
        let rows = content.chosen_rows(self.source.format.sheet.as_deref(), limits);
        let rows = rows.map_err(|flaw| self.flaw(flaw))?;
        let table = SheetTable::open(rows, self, limits)?;
        if self.source.format.header == HeaderLine::Looked {
            check_names(&self.source.display, &table.names, &options.missing)?;
        }
        Ok(Box::new(WorkbookPass {
            table,
            hash,
            stamp,
            at_end: false,
        }))
    }
}

/// A workbook in one of the formats.
enum Content {
    Xlsx(Xlsx),
    Ods(Ods),
}

/// Why there is no workbook.
enum Refused {
    Flaw(SheetFlaw),
    /// It is something else.
    Other(&'static str),
}

impl From<SheetFlaw> for Refused {
    fn from(flaw: SheetFlaw) -> Self {
        Refused::Flaw(flaw)
    }
}

impl Content {
    fn open(bytes: &Arc<[u8]>, limits: &Limits) -> Result<Content, Refused> {
        if bytes.starts_with(COMPOUND_FILE_START) {
            return Err(compound_file(bytes));
        }
        let archive = Archive::new(bytes.clone(), limits)?;
        if archive.has_encrypted_parts() {
            return Err(SheetFlaw::Encrypted.into());
        }
        if let Some(media_type) = media_type(&archive)? {
            if media_type.starts_with(ods::MEDIA_TYPE) {
                return Ok(Content::Ods(Ods::open(&archive, limits)?));
            }
            return Err(Refused::Other("a document that is no workbook"));
        }
        let main_part = Xlsx::main_part(&archive, limits)?;
        match main_part.as_deref() {
            Some("xl/workbook.bin") => Err(Refused::Other("a binary workbook (.xlsb)")),
            Some(part) if part.starts_with("xl/") => {
                Ok(Content::Xlsx(Xlsx::open(&archive, part, limits)?))
            }
            Some(_) => Err(Refused::Other("a document that is no workbook")),
            None => Err(Refused::Other("a ZIP archive that is no workbook")),
        }
    }

    /// Starts to read the sheet of this name, or the only one that holds cells.
    ///
    /// A hidden sheet is read only when it is named: whoever looks at the workbook does not see it.
    fn chosen_rows(
        &self,
        name: Option<&str>,
        limits: &Limits,
    ) -> Result<Box<dyn SheetReader>, SheetFlaw> {
        let sheets: Vec<&sheet::SheetEntry> = match self {
            Content::Xlsx(xlsx) => xlsx.sheets().collect(),
            Content::Ods(ods) => ods.sheets().collect(),
        };
        if let Some(name) = name {
            let found = sheets.iter().position(|sheet| sheet.name == name);
            let sheet = found.ok_or(SheetFlaw::NoSuchSheet {
                sheets: sheets.len(),
            })?;
            return self.rows(sheet);
        }
        let mut filled = Vec::new();
        for sheet in 0..sheets.len() {
            if holds_cells(self.rows(sheet)?, limits)? {
                filled.push(sheet);
            }
        }
        match filled[..] {
            // an empty sheet is an empty table
            [] if sheets.is_empty() => Err(SheetFlaw::Damaged),
            [] => self.rows(0),
            [only] if sheets[only].is_hidden => Err(SheetFlaw::OnlyHidden { sheet: only + 1 }),
            [only] => self.rows(only),
            _ => Err(SheetFlaw::SeveralSheets {
                filled: filled.iter().map(|sheet| sheet + 1).collect(),
            }),
        }
    }

    fn format(&self) -> InputFormat {
        match self {
            Content::Xlsx(_) => InputFormat::Xlsx,
            Content::Ods(_) => InputFormat::Ods,
        }
    }

    fn rows(&self, sheet: usize) -> Result<Box<dyn SheetReader>, SheetFlaw> {
        match self {
            Content::Xlsx(xlsx) => xlsx.rows(sheet),
            Content::Ods(ods) => ods.rows(sheet),
        }
    }
}

/// A sheet whose first rows are hidden holds cells all the same.
fn holds_cells(mut rows: Box<dyn SheetReader>, limits: &Limits) -> Result<bool, SheetFlaw> {
    let mut row = SheetRow::new(limits.record);
    match rows.next_row(&mut row) {
        Err(SheetFlaw::HiddenRow { .. } | SheetFlaw::HiddenColumn { .. }) => Ok(true),
        Err(SheetFlaw::MergedCells { .. }) => Ok(true),
        other => other,
    }
}

/// Old workbooks are compound files, and so is the envelope of one that is encrypted.
fn compound_file(bytes: &[u8]) -> Refused {
    let mut envelope = Vec::new();
    for unit in "EncryptedPackage".encode_utf16() {
        envelope.extend(unit.to_le_bytes());
    }
    if bytes.windows(envelope.len()).any(|at| at == envelope) {
        Refused::Flaw(SheetFlaw::Encrypted)
    } else {
        Refused::Other("an old workbook (.xls)")
    }
}

/// What documents of OpenDocument say they are.
fn media_type(archive: &Archive) -> Result<Option<String>, SheetFlaw> {
    let Some(part) = archive.open("mimetype")? else {
        return Ok(None);
    };
    let mut text = String::new();
    let read = part.take(256).read_to_string(&mut text);
    read.map_err(|_| SheetFlaw::Damaged)?;
    Ok(Some(text))
}

/// A sheet as names of columns and rows of cells.
struct SheetTable<'s> {
    workbook: &'s Workbook,
    rows: Box<dyn SheetReader>,
    /// The row that was read last.
    row: SheetRow,
    /// Whether it is still to be handed on.
    is_pending: bool,
    /// Per column of the sheet the number of the column of the table.
    columns: Vec<Option<usize>>,
    names: Vec<String>,
    /// Per column of the table where it goes among those that are wanted.
    wanted: Vec<Option<usize>>,
    /// The number of the last row of the table, the header included.
    last_row: u64,
}

impl<'s> SheetTable<'s> {
    /// Reads the names.
    fn open(
        rows: Box<dyn SheetReader>,
        workbook: &'s Workbook,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let mut table = SheetTable {
            workbook,
            rows,
            row: SheetRow::new(limits.record),
            is_pending: false,
            columns: Vec::new(),
            names: Vec::new(),
            wanted: Vec::new(),
            last_row: 0,
        };
        if !table.read_row()? {
            let file = workbook.source.display.clone();
            return Err(Error::EmptyFile { file });
        }
        table.last_row = table.row.number;
        match &workbook.source.format.header {
            HeaderLine::Absent(names) => {
                // the first row is a record, and the columns are those of the sheet from A on
                table.columns = (0..names.len()).map(Some).collect();
                table.names = names.clone();
                table.is_pending = true;
            }
            HeaderLine::Looked | HeaderLine::Trusted => table.read_names(limits)?,
        }
        Ok(table)
    }

    fn read_names(&mut self, limits: &Limits) -> Result<(), Error> {
        for (column, text) in self.row.cells() {
            self.columns.resize(*column, None);
            self.columns.push(Some(self.names.len()));
            match text {
                Ok(name) => self.names.push(name.clone()),
                Err(flaw) => {
                    return Err(self.workbook.flaw(SheetFlaw::Cell {
                        row: self.row.number,
                        column: letters(*column),
                        flaw: *flaw,
                    }));
                }
            }
        }
        if self.names.len() > limits.columns {
            return Err(Error::TooManyColumns {
                file: self.workbook.source.display.clone(),
                limit: limits.columns,
            });
        }
        Ok(())
    }

    fn read_row(&mut self) -> Result<bool, Error> {
        let read = self.rows.next_row(&mut self.row);
        read.map_err(|flaw| self.workbook.flaw(flaw))
    }

    /// The next row, if there is one below the last.
    fn next_row(&mut self) -> Result<bool, Error> {
        if self.is_pending {
            self.is_pending = false;
            return Ok(true);
        }
        if !self.read_row()? {
            return Ok(false);
        }
        if self.row.number != self.last_row + 1 {
            let row = self.last_row + 1;
            return Err(self.layout_flaw(SheetFlaw::RowsBelowGap { row }));
        }
        self.last_row = self.row.number;
        Ok(true)
    }

    /// Something does not look like a table. Merged cells are a frequent cause, and are listed
    /// behind the rows: they are the better message.
    fn layout_flaw(&mut self, flaw: SheetFlaw) -> Error {
        loop {
            match self.rows.next_row(&mut self.row) {
                Ok(true) => {}
                Err(merged @ SheetFlaw::MergedCells { .. }) => return self.workbook.flaw(merged),
                Ok(false) | Err(_) => return self.workbook.flaw(flaw),
            }
        }
    }

    /// Some rows of the wanted columns, and the number of the first; `None` at the end.
    fn next_batch(&mut self, schema: &SchemaRef) -> Result<Option<Batch>, Error> {
        let mut columns: Vec<LargeStringBuilder> = Vec::new();
        columns.resize_with(schema.fields().len(), LargeStringBuilder::new);
        let (mut rows, mut bytes) = (0, 0);
        let mut first_row = 0;
        while rows < BATCH_ROWS && bytes < BATCH_BYTES && self.next_row()? {
            if rows == 0 {
                first_row = self.row.number;
            }
            rows += 1;
            bytes += self.row.bytes();
            self.append_row(&mut columns)?;
            for column in &mut columns {
                if column.len() < rows {
                    column.append_null();
                }
            }
        }
        if rows == 0 {
            return Ok(None);
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
        for mut column in columns {
            arrays.push(Arc::new(column.finish()));
        }
        let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options);
        let batch = batch.expect("every column has a text or a null per row");
        Ok(Some(Batch::numbered(batch, first_row)))
    }

    /// Appends the cells of the row to the columns that are wanted.
    fn append_row(&mut self, columns: &mut [LargeStringBuilder]) -> Result<(), Error> {
        let mut unnamed = None;
        for (column, text) in self.row.cells() {
            let Some(&Some(of_table)) = self.columns.get(*column) else {
                unnamed = Some(*column);
                break;
            };
            let Some(wanted) = self.wanted[of_table] else {
                continue;
            };
            match text {
                Ok(text) => columns[wanted].append_value(text),
                Err(flaw) => {
                    return Err(self.workbook.flaw(SheetFlaw::Cell {
                        row: self.row.number,
                        column: self.names[of_table].clone(),
                        flaw: *flaw,
                    }));
                }
            }
        }
        match unnamed {
            None => Ok(()),
            Some(column) => {
                let (row, letters) = (self.row.number, letters(column));
                Err(self.layout_flaw(SheetFlaw::UnnamedColumn { row, letters }))
            }
        }
    }
}

/// One reading of a sheet.
struct WorkbookPass<'s> {
    table: SheetTable<'s>,
    hash: FileHash,
    stamp: Option<FileStamp>,
    at_end: bool,
}

impl WorkbookPass<'_> {
    fn schema_of(&self, is_wanted: impl Fn(usize) -> bool) -> SchemaRef {
        let mut fields = Vec::new();
        for (at, name) in self.table.names.iter().enumerate() {
            if is_wanted(at) {
                fields.push(Field::new(name, DataType::LargeUtf8, true));
            }
        }
        Arc::new(Schema::new(fields))
    }
}

impl Pass for WorkbookPass<'_> {
    fn schema(&self) -> SchemaRef {
        self.schema_of(|_| true)
    }

    fn format(&self) -> &'static str {
        "workbook"
    }

    fn first_line(&self) -> FirstLine {
        FirstLine::of_text(&self.table.workbook.source.format.header)
    }

    fn stamp(&self) -> Option<FileStamp> {
        self.stamp.clone()
    }

    fn project(&mut self, wanted: &[bool]) -> Result<(), Error> {
        let mut next = 0;
        for &is_wanted in wanted {
            self.table.wanted.push(is_wanted.then_some(next));
            next += usize::from(is_wanted);
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Batch>, Error> {
        let schema = self.schema_of(|at| self.table.wanted[at].is_some());
        let batch = self.table.next_batch(&schema)?;
        self.at_end = batch.is_none();
        Ok(batch)
    }

    /// The file is read as a whole before its first row.
    fn bytes_read(&mut self) -> u64 {
        self.hash.bytes
    }

    fn hash(&mut self) -> Option<FileHash> {
        self.at_end.then(|| self.hash.clone())
    }
}
