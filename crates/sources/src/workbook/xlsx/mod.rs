//! Workbooks of Office Open XML (`.xlsx`, ECMA-376 part 1, chapter 18).
//!
//! The archive's relations say where the parts are: a list of sheets, texts that sheets share,
//! formats that tell days from numbers, and a part per sheet. Only the sheet that is wanted is
//! unpacked.

mod number_formats;
mod rows;
mod shared_texts;

use super::archive::Archive;
use super::cell::DaySystem;
use super::sheet::{SheetEntry, SheetReader};
use super::xml::{Mark, Xml};
use mingle_io::{Limits, SheetFlaw};
use number_formats::NumberFormats;
use rows::XlsxRows;
use shared_texts::SharedTexts;
use std::sync::Arc;

/// A workbook whose sheets are known.
pub(super) struct Xlsx {
    archive: Archive,
    limits: Limits,
    days: DaySystem,
    sheets: Vec<(SheetEntry, String)>,
    shared_texts: Arc<SharedTexts>,
    number_formats: Arc<NumberFormats>,
}

/// A relation of a part to another one.
struct Relation {
    id: String,
    /// The last word of its kind: the rest differs between editions of the standard.
    kind: String,
    /// The name of the other part.
    target: String,
}

impl Xlsx {
    /// Where the workbook's main part is; `None` if the archive is no such workbook.
    pub(super) fn main_part(
        archive: &Archive,
        limits: &Limits,
    ) -> Result<Option<String>, SheetFlaw> {
        for relation in relations(archive, "", limits)? {
            if relation.kind == "officeDocument" {
                return Ok(Some(relation.target));
            }
        }
        Ok(None)
    }

    /// Reads everything but the sheets.
    pub(super) fn open(
        archive: &Archive,
        main_part: &str,
        limits: &Limits,
    ) -> Result<Xlsx, SheetFlaw> {
        let relations = relations(archive, main_part, limits)?;
        let (days, listed) = read_main_part(archive, main_part, limits)?;
        let mut sheets = Vec::new();
        for (entry, id) in listed {
            let relation = relations.iter().find(|relation| relation.id == id);
            let relation = relation.ok_or(SheetFlaw::Damaged)?;
            // sheets of charts and macros hold no cells
            if relation.kind == "worksheet" {
                sheets.push((entry, relation.target.clone()));
            }
        }
        let part_of = |kind: &str| {
            let mut all = relations.iter();
            let relation = all.find(|relation| relation.kind == kind)?;
            Some(relation.target.as_str())
        };
        Ok(Xlsx {
            archive: archive.clone(),
            limits: *limits,
            days,
            sheets,
            shared_texts: Arc::new(SharedTexts::read(
                archive,
                part_of("sharedStrings"),
                limits,
            )?),
            number_formats: Arc::new(NumberFormats::read(archive, part_of("styles"), limits)?),
        })
    }

    pub(super) fn sheets(&self) -> impl Iterator<Item = &SheetEntry> {
        self.sheets.iter().map(|(entry, _)| entry)
    }

    /// Starts to read a sheet.
    pub(super) fn rows(&self, sheet: usize) -> Result<Box<dyn SheetReader>, SheetFlaw> {
        let (_, part) = &self.sheets[sheet];
        let part = self.archive.open(part)?.ok_or(SheetFlaw::Damaged)?;
        Ok(Box::new(XlsxRows::new(
            Xml::new(part, &self.limits),
            self.days,
            self.shared_texts.clone(),
            self.number_formats.clone(),
        )))
    }
}

/// The relations of a part; those of the archive itself for `""`. None are no flaw.
fn relations(archive: &Archive, part: &str, limits: &Limits) -> Result<Vec<Relation>, SheetFlaw> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let list = resolve(folder, &format!("_rels/{name}.rels"));
    let Some(part) = archive.open(&list)? else {
        return Ok(Vec::new());
    };
    let mut xml = Xml::new(part, limits);
    let mut relations = Vec::new();
    loop {
        match xml.next()? {
            Mark::Start(element) if element.name() == "Relationship" => {
                // what lies outside of the archive is not read
                if element.attribute("TargetMode")?.as_deref() == Some("External") {
                    continue;
                }
                let id = element.attribute("Id")?.ok_or(SheetFlaw::Damaged)?;
                let kind = element.attribute("Type")?.ok_or(SheetFlaw::Damaged)?;
                let target = element.attribute("Target")?.ok_or(SheetFlaw::Damaged)?;
                relations.push(Relation {
                    id: id.into_owned(),
                    kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                    target: resolve(folder, &target),
                });
            }
            Mark::Eof => return Ok(relations),
            _ => {}
        }
    }
}

/// The name of a part that is named from a folder.
fn resolve(folder: &str, target: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    if !target.starts_with('/') {
        steps.extend(folder.split('/').filter(|step| !step.is_empty()));
    }
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// Which days are counted, and the sheets in the order of the tabs with the relation of each.
type MainPart = (DaySystem, Vec<(SheetEntry, String)>);

fn read_main_part(archive: &Archive, name: &str, limits: &Limits) -> Result<MainPart, SheetFlaw> {
    let part = archive.open(name)?.ok_or(SheetFlaw::Damaged)?;
    let mut xml = Xml::new(part, limits);
    let mut days = DaySystem::From1900;
    let mut sheets = Vec::new();
    loop {
        match xml.next()? {
            Mark::Start(element) if element.name() == "workbookPr" => {
                let counts_from_1904 = element.flag("date1904")?;
                days = if counts_from_1904 {
                    DaySystem::From1904
                } else {
                    DaySystem::From1900
                };
            }
            Mark::Start(element) if element.name() == "sheet" => {
                let name = element.attribute("name")?.ok_or(SheetFlaw::Damaged)?;
                let relation = element.prefixed("id")?.ok_or(SheetFlaw::Damaged)?;
                let state = element.attribute("state")?;
                let entry = SheetEntry {
                    name: name.into_owned(),
                    is_hidden: !matches!(state.as_deref(), None | Some("visible")),
                };
                sheets.push((entry, relation.into_owned()));
            }
            Mark::Eof => return Ok((days, sheets)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn parts_are_named_from_where_they_are_named() {
        assert_eq!(resolve("xl", "worksheets/a.xml"), "xl/worksheets/a.xml");
        assert_eq!(resolve("xl", "/xl/a.xml"), "xl/a.xml");
        assert_eq!(resolve("xl/worksheets", "../a.xml"), "xl/a.xml");
        assert_eq!(resolve("", "../../a.xml"), "a.xml");
        assert_eq!(resolve("", "./xl//a.xml"), "xl/a.xml");
    }
}
