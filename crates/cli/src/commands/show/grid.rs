//! Tables of text that fit a terminal.

use crate::message::{columns_of_output, wrap_to};
use mingle_report::text::cut;

/// The widest line where nothing is known of a terminal.
const PLAIN: usize = 79;

/// The widest line of a table on a terminal: eyes lose longer ones.
const WIDEST_TABLE: usize = 160;

/// The widest line of text on a terminal.
const WIDEST_TEXT: usize = 100;

/// The widest line of a table on this standard output.
fn table_width() -> usize {
    columns_of_output().map_or(PLAIN, |columns| columns.clamp(60, WIDEST_TABLE))
}

/// The widest line of text on this standard output.
pub fn text_width() -> usize {
    columns_of_output().map_or(PLAIN, |columns| columns.clamp(50, WIDEST_TEXT))
}

/// How far everything below a title is moved in.
const INDENT: &str = "  ";

/// Lines of cells below a header. Columns whose name ends in a space are of words, to the left; the
/// others of numbers, to the right. Where a table is too wide, its widest column of words is cut.
pub struct TextGrid {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl TextGrid {
    pub fn new(header: &[&'static str]) -> TextGrid {
        TextGrid {
            header: header.to_vec(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table; where it has more lines than `most`, it says how many are left out.
    pub fn to_text(&self, most: usize) -> String {
        self.to_text_within(most, table_width())
    }

    fn to_text_within(&self, most: usize, width: usize) -> String {
        let shown = &self.rows[..self.rows.len().min(most)];
        let widths = self.widths(shown, width);
        let header: Vec<String> = self
            .header
            .iter()
            .map(|name| name.trim_end().to_owned())
            .collect();
        let mut text = self.line(&header, &widths);
        shown
            .iter()
            .for_each(|row| text.push_str(&self.line(row, &widths)));
        if self.rows.len() > most {
            text.push_str(&format!("{INDENT}and {} more\n", self.rows.len() - most));
        }
        text
    }

    fn is_words(&self, column: usize) -> bool {
        self.header[column].ends_with(' ')
    }

    fn widths(&self, rows: &[Vec<String>], width: usize) -> Vec<usize> {
        let widest = |c: usize| {
            let cells = rows.iter().map(|row| row[c].chars().count());
            cells
                .max()
                .unwrap_or(0)
                .max(self.header[c].trim_end().chars().count())
        };
        let mut widths: Vec<usize> = (0..self.header.len()).map(widest).collect();
        loop {
            let over = (INDENT.len() + widths.iter().sum::<usize>() + 2 * (widths.len() - 1))
                .saturating_sub(width);
            let words = (0..widths.len()).filter(|&c| self.is_words(c) && widths[c] > 8);
            let Some(widest) = words.max_by_key(|&c| widths[c]).filter(|_| over > 0) else {
                return widths;
            };
            widths[widest] = (widths[widest] - 1).max(8);
        }
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let cell = |(c, text): (usize, &String)| {
            let (text, width) = (cut(text, widths[c]), widths[c]);
            if self.is_words(c) {
                format!("{text:<width$}")
            } else {
                format!("{text:>width$}")
            }
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        format!("{INDENT}{}\n", cells.join("  ").trim_end())
    }
}

/// A title with what is below it, or nothing at all.
pub fn section(title: &str, body: &str) -> String {
    if body.is_empty() {
        String::new()
    } else {
        format!("\n{title}\n{body}")
    }
}

/// A name and what is said of it, broken into lines beside it.
pub fn said(name: &str, text: &str) -> String {
    said_within(name, text, text_width())
}

fn said_within(name: &str, text: &str, width: usize) -> String {
    const BESIDE: usize = 20;
    let name = wrap_to(name, BESIDE);
    let text = wrap_to(text, width - INDENT.len() - BESIDE - 1);
    let (mut names, mut texts) = (name.lines(), text.trim_end().lines());
    let mut out = String::new();
    loop {
        let (name, text) = (names.next(), texts.next());
        if name.is_none() && text.is_none() {
            return out;
        }
        let line = format!(
            "{INDENT}{:<BESIDE$} {}",
            cut(name.unwrap_or_default(), BESIDE),
            text.unwrap_or_default()
        );
        out.push_str(&format!("{}\n", line.trim_end()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_are_cut_where_words_are() {
        let mut grid = TextGrid::new(&["name ", "how ", "rows"]);
        grid.row([
            "x".repeat(300),
            "as it is".to_owned(),
            "1,234,567".to_owned(),
        ]);
        grid.row(["short".to_owned(), "y".repeat(90), "1".to_owned()]);
        for width in [PLAIN, 120] {
            let text = grid.to_text_within(10, width);
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert_eq!(longest, Some(width), "{text}");
        }
        let text = grid.to_text_within(10, PLAIN);
        assert!(text.contains("1,234,567") && text.contains('…'), "{text}");
        assert!(grid.to_text(1).ends_with("and 1 more\n"));
    }

    #[test]
    fn what_is_said_fits_beside_its_name() {
        let lines = |width| said_within("a name that is much too long", &"word ".repeat(40), width);
        for width in [PLAIN, WIDEST_TEXT] {
            let text = lines(width);
            assert!(
                text.lines().all(|line| line.chars().count() <= width),
                "{text}"
            );
        }
        assert!(lines(WIDEST_TEXT).lines().count() < lines(PLAIN).lines().count());
        assert_eq!(section("title", ""), "");
    }
}
