//! Workbooks made by hand, so that every flaw can be put into one.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// A ZIP archive in the making.
#[derive(Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

/// What the directory says about a part.
pub struct Part<'a> {
    pub name: &'a str,
    pub content: &'a [u8],
    /// Said instead of the true size.
    pub claimed: Option<u32>,
    pub flags: u16,
}

impl Zip {
    pub fn add(mut self, name: &str, content: impl AsRef<[u8]>) -> Zip {
        self.add_part(&Part {
            name,
            content: content.as_ref(),
            claimed: None,
            flags: 0,
        });
        self
    }

    pub fn add_part(&mut self, part: &Part<'_>) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
        encoder.write_all(part.content).unwrap();
        let packed = encoder.finish().unwrap();
        let mut checksum = Crc::new();
        checksum.update(part.content);
        let size = part.claimed.unwrap_or(part.content.len() as u32);
        let mut common = Vec::new();
        common.extend(20u16.to_le_bytes());
        common.extend(part.flags.to_le_bytes());
        common.extend(8u16.to_le_bytes());
        common.extend([0; 4]);
        common.extend(checksum.sum().to_le_bytes());
        common.extend((packed.len() as u32).to_le_bytes());
        common.extend(size.to_le_bytes());
        common.extend((part.name.len() as u16).to_le_bytes());
        common.extend([0; 2]);
        let offset = self.bytes.len() as u32;
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&common);
        self.bytes.extend(part.name.as_bytes());
        self.bytes.extend(&packed);
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&common);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(part.name.as_bytes());
        self.entries += 1;
    }

    pub fn finish(mut self) -> Vec<u8> {
        let start = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes.extend(self.entries.to_le_bytes());
        self.bytes
            .extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(start.to_le_bytes());
        self.bytes.extend([0; 2]);
        self.bytes
    }
}

/// A workbook of Excel: sheets as they stand inside `<worksheet>`.
pub struct Xlsx {
    pub sheets: Vec<(&'static str, &'static str, String)>,
    pub shared_texts: Vec<&'static str>,
    pub from_1904: bool,
}

/// Formats of cells: 0 general, 1 a built-in date, 2 one that the workbook declares, 3 a length of
/// time, 4 percent.
const STYLES: &str = r#"<styleSheet><numFmts count="2"><numFmt numFmtId="164" formatCode="dd\.mm\.yyyy\ hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="9"/></cellXfs></styleSheet>"#;

impl Xlsx {
    /// One sheet, given as the inside of `<sheetData>`.
    pub fn of(rows: &str) -> Xlsx {
        Xlsx::of_sheet(&format!("<sheetData>{rows}</sheetData>"))
    }

    pub fn of_sheet(sheet: &str) -> Xlsx {
        Xlsx {
            sheets: vec![("Sheet1", "visible", sheet.to_owned())],
            shared_texts: Vec::new(),
            from_1904: false,
        }
    }

    pub fn zip(&self) -> Zip {
        let mut list = String::new();
        let mut relations = String::new();
        for (at, (name, state, _)) in self.sheets.iter().enumerate() {
            list.push_str(&format!(
                r#"<sheet name="{name}" sheetId="{0}" state="{state}" r:id="rId{0}"/>"#,
                at + 1
            ));
            relations.push_str(&format!(
                r#"<Relationship Id="rId{0}" Type="http://x/relationships/worksheet" Target="worksheets/sheet{0}.xml"/>"#,
                at + 1
            ));
        }
        relations.push_str(r#"<Relationship Id="s" Type="http://x/styles" Target="styles.xml"/><Relationship Id="t" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/>"#);
        let mut texts = String::new();
        for text in &self.shared_texts {
            texts.push_str(&format!("<si>{text}</si>"));
        }
        let mut zip = Zip::default()
            .add("[Content_Types].xml", "<Types/>")
            .add("_rels/.rels", r#"<?xml version="1.0"?><Relationships><Relationship Id="a" Type="http://x/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#)
            .add("xl/workbook.xml", format!(r#"<workbook xmlns:r="y"><workbookPr date1904="{}"/><sheets>{list}</sheets></workbook>"#, self.from_1904))
            .add("xl/_rels/workbook.xml.rels", format!("<Relationships>{relations}</Relationships>"))
            .add("xl/styles.xml", STYLES)
            .add("xl/sharedStrings.xml", format!("<sst>{texts}</sst>"));
        for (at, (_, _, sheet)) in self.sheets.iter().enumerate() {
            zip = zip.add(
                &format!("xl/worksheets/sheet{}.xml", at + 1),
                format!("<worksheet>{sheet}</worksheet>"),
            );
        }
        zip
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.zip().finish()
    }
}

/// A row of texts inside of a sheet of Excel.
pub fn row(number: usize, texts: &[&str]) -> String {
    let mut cells = String::new();
    for (at, text) in texts.iter().enumerate() {
        if text.is_empty() {
            continue;
        }
        let column = char::from(b'A' + at as u8);
        cells.push_str(&format!(
            r#"<c r="{column}{number}" t="inlineStr"><is><t>{text}</t></is></c>"#
        ));
    }
    format!(r#"<row r="{number}">{cells}</row>"#)
}

/// A workbook of LibreOffice, given as the insides of its tables.
pub fn ods(tables: &[(&str, &str)]) -> Vec<u8> {
    ods_zip(tables).finish()
}

pub fn ods_zip(tables: &[(&str, &str)]) -> Zip {
    let mut body = String::new();
    for (attributes, rows) in tables {
        body.push_str(&format!("<table:table {attributes}>{rows}</table:table>"));
    }
    Zip::default()
        .add("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        .add("META-INF/manifest.xml", "<manifest:manifest/>")
        .add("content.xml", format!(r#"<office:document-content><office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:tracked-changes><table:table-cell><text:p>zqxcanary</text:p></table:table-cell></table:tracked-changes>{body}<table:dde-links><table:table table:name="d"><table:table-row/></table:table></table:dde-links></office:spreadsheet></office:body></office:document-content>"#))
}

/// A row of texts inside of a sheet of LibreOffice.
pub fn ods_row(texts: &[&str]) -> String {
    let mut cells = String::new();
    for text in texts {
        if text.is_empty() {
            cells.push_str("<table:table-cell/>");
        } else {
            cells.push_str(&format!(r#"<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>"#));
        }
    }
    format!("<table:table-row>{cells}</table:table-row>")
}
