//! Whether the first line of a table names its columns or is a record.
//!
//! A record that is taken for names is published: names stand in policies, manifests, reports and
//! tables. So a name is doubted that is empty or means that a value is missing, that has digits but
//! no letter (numbers, days, bands, telephone numbers), that has an `@`, that stands as a value in
//! its own column, or that is written like most of the values below it (`E11.9` above `C50.1`).
//! What is doubted is named by the number of its column, never by itself.
//!
//! Where nothing is doubted, nothing may speak for a header either: a list of words that occur once
//! each. Then somebody has to say what the first line is, unless a policy that names the columns
//! has said it already. What speaks for a header is that cells below are written otherwise than
//! their name ([`CellStyles`]), or that they recur and the name is none of them.
//!
//! Assumption: a header has a name that looks like a value only by accident. Somebody can vouch
//! for it.

use super::Source;
use super::cell_style::CellStyles;
use super::record::Records;
use crate::error::Error;
use crate::format::HeaderLine;
use mingle_model::Missing;

/// Records below the first line that are looked at before anything is read.
pub(super) const SAMPLE: usize = 1_000;

/// Whether the names of a source come from a first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstLine {
    /// There is none, or it is a record: names come from elsewhere.
    None,
    /// It is looked at, and refused when in doubt.
    Looked,
    /// The format has a name for every column, and no line of them. Whoever made the table may have
    /// made the names from a record, so they are looked at as well.
    Own,
    /// Somebody says that it names the columns.
    Trusted,
}

impl FirstLine {
    /// Of text: what is said about its first line.
    pub fn of_text(header: &HeaderLine) -> FirstLine {
        match header {
            HeaderLine::Looked => FirstLine::Looked,
            HeaderLine::Trusted => FirstLine::Trusted,
            HeaderLine::Absent(_) => FirstLine::None,
        }
    }

    /// Of formats that have a name for every column.
    pub(super) fn of_names(header: &HeaderLine) -> FirstLine {
        match header {
            HeaderLine::Looked => FirstLine::Own,
            HeaderLine::Trusted | HeaderLine::Absent(_) => FirstLine::None,
        }
    }
}

/// Refuses `header = false` for a format that has a name for every column.
pub(super) fn refuse_names_given(source: &Source, format: &'static str) -> Result<(), Error> {
    match source.format.header {
        HeaderLine::Absent(_) => Err(Error::NamesItself {
            file: source.display.clone(),
            format,
        }),
        HeaderLine::Looked | HeaderLine::Trusted => Ok(()),
    }
}

/// The columns, counted from 1, whose names may be values by themselves.
pub(super) fn doubtful_names(names: &[String], missing: &Missing) -> Vec<usize> {
    let mut doubtful = Vec::new();
    for (name, number) in names.iter().zip(1..) {
        if looks_like_value(name, missing) {
            doubtful.push(number);
        }
    }
    doubtful
}

/// Refuses names that may be values by themselves, wherever they come from.
pub fn check_names(file: &str, names: &[String], missing: &Missing) -> Result<(), Error> {
    let columns = doubtful_names(names, missing);
    if columns.is_empty() {
        return Ok(());
    }
    Err(Error::HeaderDoubtful {
        file: file.to_owned(),
        columns,
    })
}

fn looks_like_value(name: &str, missing: &Missing) -> bool {
    let trimmed = name.trim();
    if trimmed.is_empty() || missing.contains(name) || trimmed.contains('@') {
        return true;
    }
    let has_digit = trimmed.chars().any(|c| c.is_ascii_digit());
    let has_letter = trimmed.chars().any(char::is_alphabetic);
    // an exponent is a letter of a number
    (has_digit && !has_letter) || mingle_model::Number::parse(trimmed).is_some()
}

/// What the cells below the first line say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum FirstLineVerdict {
    /// It names the columns.
    Names,
    /// The names of these columns, counted from 1, look like values.
    Values(Vec<usize>),
    /// Nothing tells it from the records below.
    Unclear,
}

/// Looks at cells below the first line.
pub(super) struct FirstLook<'n> {
    names: &'n [String],
    missing: &'n Missing,
    shapes: Vec<Option<String>>,
    /// Cells of each column that are written like its name.
    alike: Vec<u64>,
    stands_below: Vec<bool>,
    styles: CellStyles,
    rows: u64,
}

impl<'n> FirstLook<'n> {
    pub(super) fn new(names: &'n [String], missing: &'n Missing) -> Self {
        FirstLook {
            names,
            missing,
            shapes: names.iter().map(|name| code_shape(name)).collect(),
            alike: vec![0; names.len()],
            stands_below: vec![false; names.len()],
            styles: CellStyles::new(names.len()),
            rows: 0,
        }
    }

    /// Looks at records; broken ones are left for whoever reads them.
    pub(super) fn look(&mut self, records: &mut Records<'_>) {
        while self.wants_more() && records.next_record().is_some() {
            let mut cells = Vec::with_capacity(self.names.len());
            loop {
                let Ok((cell, last)) = records.field() else {
                    return;
                };
                cells.push(String::from_utf8_lossy(cell).into_owned());
                if last {
                    break;
                }
            }
            self.see(cells.iter().map(String::as_str).enumerate());
        }
    }

    /// Whether more rows would tell more.
    pub(super) fn wants_more(&self) -> bool {
        self.rows < SAMPLE as u64
    }

    /// Looks at a row: cells with the places of their columns.
    pub(super) fn see<'c>(&mut self, cells: impl Iterator<Item = (usize, &'c str)>) {
        self.rows += 1;
        let mut below = Vec::new();
        for (at, cell) in cells {
            if self.is_name(at, cell) {
                below.push(at);
            }
        }
        // a whole header among the records is no doubt about the first one: it is refused by
        // whoever reads all records, with its line
        if below.len() == 1 || below.len() < self.names.len() {
            for column in below {
                self.stands_below[column] = true;
            }
        }
    }

    /// Whether a cell is the name of its column; counts cells that are written like it.
    fn is_name(&mut self, at: usize, cell: &str) -> bool {
        let Some(name) = self.names.get(at) else {
            return false;
        };
        if let Some(shape) = &self.shapes[at]
            && code_shape(cell).as_ref() == Some(shape)
        {
            self.alike[at] += 1;
        }
        if !self.missing.contains(cell) {
            self.styles.see(at, cell);
        }
        name == cell
    }

    /// What all of it says.
    pub(super) fn verdict(&self) -> FirstLineVerdict {
        let mut doubtful = doubtful_names(self.names, self.missing);
        for at in 0..self.names.len() {
            let is_alike = self.alike[at] > 0 && self.alike[at] * 2 >= self.rows;
            if self.stands_below[at] || is_alike {
                doubtful.push(at + 1);
            }
        }
        if !doubtful.is_empty() {
            doubtful.sort_unstable();
            doubtful.dedup();
            return FirstLineVerdict::Values(doubtful);
        }
        if self.rows > 0 && !self.styles.speak_for(self.names) {
            return FirstLineVerdict::Unclear;
        }
        FirstLineVerdict::Names
    }
}

/// How a text with letters and at least two digits is written, as codes are: `E11.9` is `a99.9`.
fn code_shape(text: &str) -> Option<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits < 2 || text.len() > 64 {
        return None;
    }
    let mut shape = String::with_capacity(text.len());
    for c in text.chars() {
        shape.push(match c {
            _ if c.is_ascii_digit() => '9',
            _ if c.is_alphabetic() => 'a',
            other => other,
        });
    }
    Some(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|&name| name.to_owned()).collect()
    }

    fn looked(text: &str) -> FirstLineVerdict {
        let mut records = Records::new(text.as_bytes(), b',', 1);
        records.next_record();
        let mut first = Vec::new();
        loop {
            let (cell, last) = records.field().unwrap();
            first.push(String::from_utf8(cell.to_vec()).unwrap());
            if last {
                break;
            }
        }
        let missing = Missing::default();
        let mut look = FirstLook::new(&first, &missing);
        look.look(&mut records);
        look.verdict()
    }

    #[test]
    fn names_that_are_values_are_doubted() {
        let missing = Missing::default();
        let values = [
            "",
            " ",
            "?",
            "42",
            "-1.5",
            "1,5",
            "1e5",
            "2001-03-02",
            "02.03.2001",
            "[70-80)",
            "65+",
            "030/12345",
            "ann@example.org",
            "100%",
        ];
        let all: Vec<usize> = (1..=values.len()).collect();
        assert_eq!(doubtful_names(&names(&values), &missing), all);
        let headers = [
            "age",
            "diag_1",
            "Q1",
            "größe",
            "年齢",
            "#",
            "max_glu_serum",
            "2nd_visit",
            "A1Cresult",
            "e-mail",
            "E11.9",
        ];
        assert_eq!(
            doubtful_names(&names(&headers), &missing),
            Vec::<usize>::new()
        );
    }

    #[test]
    fn names_like_what_stands_below_are_doubted() {
        use FirstLineVerdict::{Names, Values};
        assert_eq!(
            looked("Female,Flu\nMale,Cold\nFemale,Acne\n"),
            Values(vec![1])
        );
        assert_eq!(
            looked("sex,E11.9\nMale,C50.1\nFemale,J45.0\n"),
            Values(vec![2])
        );
        assert_eq!(looked("sex,icd10\nMale,C50.1\nFemale,J45.0\n"), Names);
        assert_eq!(looked("sex,disease\n"), Names);
    }

    /// Words that nobody repeats.
    fn unique_words(start: char, count: u32) -> String {
        let mut text = String::new();
        for row in 0..count {
            let tail = char::from_u32(u32::from('a') + row % 26).unwrap();
            let more = char::from_u32(u32::from('a') + row / 26).unwrap();
            text += &format!("{start}{tail}{more}x,{start}{more}{tail}y\n");
        }
        text
    }

    #[test]
    fn a_list_of_words_is_unclear_until_something_tells_names_from_values() {
        use FirstLineVerdict::{Names, Unclear};
        assert_eq!(looked("Flu,Anna\nCold,Bert\nGout,Carl\n"), Unclear);
        assert_eq!(looked(&unique_words('q', 60)), Unclear);
        assert_eq!(looked(&unique_words('Q', 60)), Unclear);
        // written otherwise
        let below = unique_words('Q', 60);
        assert_eq!(looked(&format!("name,city\n{below}")), Names);
        assert_eq!(looked(&format!("first_name,Xy\n{below}")), Names);
        assert_eq!(
            looked("disease,name\nCold,Bert\nGout,Carl\nFlu,Dora\n"),
            Names
        );
        assert_eq!(looked("age,name\n20,bert\n"), Names);
        assert_eq!(looked("age,name\n20,bert\nunknown,carl\n"), Names);
        // a code among numbers is none
        let mut codes = "V58,zoe\n".to_owned();
        for (row, name) in ["ada", "bea", "cleo", "dora", "eve", "fay"]
            .iter()
            .enumerate()
        {
            codes += &format!("{},{name}\n", 250 + row);
        }
        codes += "V61,gwen\n";
        assert_eq!(looked(&codes), Unclear);
        // values that recur, and the name is none of them
        let recurring = "fly,oak\nbee,elm\n".repeat(10);
        assert_eq!(looked(&format!("ant,ash\n{recurring}")), Names);
        assert_eq!(looked("ant,ash\nfly,oak\nbee,elm\n"), Unclear);
    }
}
