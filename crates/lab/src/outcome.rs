//! What an experiment leaves behind: every number as CSV, figures as SVG, and a summary for the
//! screen.

use crate::error::Error;
use mingle_disk::{IfTaken, PendingFile};
use std::fmt;
use std::io::Write;
use std::path::Path;

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was measured, and on which data.
    pub title: String,
    /// What one must know to read the numbers.
    pub notes: Vec<String>,
    /// Every number.
    pub sheet: Sheet,
    /// The main ones.
    pub views: Vec<View>,
    /// As pictures.
    pub figures: Vec<Figure>,
}

/// A table of results, one row per measured setting.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// As many values as columns.
    pub rows: Vec<Vec<SheetValue>>,
}

/// A value of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetValue {
    /// A word.
    Word(String),
    /// A whole number.
    Count(u64),
    /// A measured number.
    Measure(f64),
    /// Nothing was measured.
    Missing,
}

impl From<&str> for SheetValue {
    fn from(word: &str) -> SheetValue {
        SheetValue::Word(word.to_owned())
    }
}

impl From<u64> for SheetValue {
    fn from(count: u64) -> SheetValue {
        SheetValue::Count(count)
    }
}

impl From<usize> for SheetValue {
    fn from(count: usize) -> SheetValue {
        SheetValue::Count(count as u64)
    }
}

impl From<f64> for SheetValue {
    fn from(measure: f64) -> SheetValue {
        SheetValue::Measure(measure)
    }
}

impl<T: Into<SheetValue>> From<Option<T>> for SheetValue {
    fn from(value: Option<T>) -> SheetValue {
        value.map_or(SheetValue::Missing, Into::into)
    }
}

impl fmt::Display for SheetValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SheetValue::Word(word) => f.write_str(word),
            SheetValue::Count(count) => write!(f, "{count}"),
            SheetValue::Measure(measure) => write!(f, "{}", significant(*measure, 6)),
            SheetValue::Missing => Ok(()),
        }
    }
}

/// A small table for the screen.
#[derive(Clone, Debug)]
pub struct View {
    /// What it shows.
    pub title: String,
    /// Header line and rows; all of the same length.
    pub lines: Vec<Vec<String>>,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The file's name, without its ending.
    pub name: String,
    /// The picture.
    pub svg: String,
}

impl Outcome {
    /// Writes `results.csv` and the figures into a folder, replacing those of an earlier run;
    /// returns the files' names.
    pub fn write(&self, folder: &Path) -> Result<Vec<String>, Error> {
        let failed = |source| Error::Write {
            file: folder.display().to_string(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let figures = self
            .figures
            .iter()
            .map(|f| (format!("{}.svg", f.name), f.svg.clone()));
        let mut names = Vec::new();
        for (name, text) in
            std::iter::once(("results.csv".to_owned(), self.sheet.to_csv())).chain(figures)
        {
            write(folder, &name, &text)?;
            names.push(name);
        }
        Ok(names)
    }

    /// Title, views and notes, in lines of at most 80 columns.
    pub fn to_text(&self) -> String {
        let notes = self
            .notes
            .iter()
            .map(|note| wrapped("* ", note))
            .collect::<Vec<_>>()
            .join("\n");
        let mut parts = vec![wrapped("", &self.title)];
        parts.extend(self.views.iter().map(View::to_text));
        parts.push(notes);
        parts.join("\n\n") + "\n"
    }
}

/// `text` after a mark, broken at spaces; further lines are indented under the first.
fn wrapped(mark: &str, text: &str) -> String {
    let indent = format!("\n{}", " ".repeat(mark.len()));
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        if !line.is_empty() && mark.len() + line.chars().count() + 1 + word.chars().count() > 79 {
            lines.push(word.to_owned());
        } else {
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(word);
        }
    }
    format!("{mark}{}", lines.join(&indent))
}

/// A file that is there completely or not at all.
fn write(folder: &Path, name: &str, text: &str) -> Result<(), Error> {
    let failed = |source| Error::Write {
        file: name.to_owned(),
        source,
    };
    let place = folder.join(name);
    let mut file = PendingFile::beside(&place).map_err(|e| failed(e.into_source()))?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.commit_result(IfTaken::Replace)
        .map_err(|e| failed(e.into_source()))
}

impl Sheet {
    /// Comma-separated, with a header line; a missing value is an empty cell.
    pub fn to_csv(&self) -> String {
        let line = |values: &[SheetValue]| {
            values
                .iter()
                .map(|v| quoted(&v.to_string()))
                .collect::<Vec<_>>()
                .join(",")
        };
        let header = self.columns.join(",");
        std::iter::once(header)
            .chain(self.rows.iter().map(|row| line(row)))
            .map(|line| line + "\n")
            .collect()
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

impl View {
    /// Columns aligned to the right under their names.
    pub fn to_text(&self) -> String {
        let columns = self.lines.first().map_or(0, Vec::len);
        let cell = |line: &Vec<String>, at: usize| line[at].chars().count();
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                self.lines
                    .iter()
                    .map(|line| cell(line, at))
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        let text = |line: &Vec<String>| {
            let cells = line
                .iter()
                .zip(&widths)
                .map(|(cell, &width)| format!("{cell:>width$}"));
            cells.collect::<Vec<_>>().join("  ")
        };
        let lines: Vec<String> = self.lines.iter().map(text).collect();
        format!("{}\n{}", self.title, lines.join("\n"))
    }
}

/// `value` with so many significant digits, never in exponents.
pub fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let decimals = (digits - 1 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_they_are_sure() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (0.123456789, "0.123457"),
            (1234567.8, "1234568"),
            (2.5e-7, "0.00000025"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value, 6), text);
        }
    }

    #[test]
    fn long_lines_are_broken() {
        let text = wrapped("* ", &"word ".repeat(40));
        assert!(
            text.lines().all(|line| line.chars().count() <= 80) && text.lines().count() == 3,
            "{text}"
        );
        assert!(text.starts_with("* word") && text.contains("\n  word"));
    }

    #[test]
    fn csv_keeps_words_apart_and_leaves_gaps() {
        let row = vec![
            "a, \"b\"".into(),
            3u64.into(),
            0.5.into(),
            SheetValue::Missing,
        ];
        let sheet = Sheet {
            columns: vec!["w", "c", "m", "x"],
            rows: vec![row],
        };
        assert_eq!(sheet.to_csv(), "w,c,m,x\n\"a, \"\"b\"\"\",3,0.5,\n");
    }

    #[test]
    fn views_are_aligned() {
        let lines = [["m", "exact"], ["10", "1"]].map(|line| line.map(str::to_owned).to_vec());
        assert_eq!(
            View {
                title: "t".into(),
                lines: lines.to_vec()
            }
            .to_text(),
            "t\n m  exact\n10      1"
        );
    }
}
