//! Whether the first line of a table names its columns or is a record.
//!
//! A record that is taken for names is published: names stand in policies, manifests, reports and
//! tables. So a name is doubted that is empty or means that a value is missing, that has digits but
//! no letter (numbers, days, bands, telephone numbers), that has an `@`, that stands as a value in
//! its own column, or that is written like most of the values below it (`E11.9` above `C50.1`).
//! What is doubted is named by the number of its column, never by itself.
//!
//! Assumption: a header has at least one name of this kind only by accident. Somebody can vouch for
//! it. A headerless table of texts that occur once each, without digits, is not recognized.

use super::record::Records;
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
    /// Somebody says that it names the columns.
    Trusted,
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

/// Looks at cells below the first line.
pub(super) struct FirstLook<'n> {
    names: &'n [String],
    shapes: Vec<Option<String>>,
    /// Cells of each column that are written like its name.
    alike: Vec<u64>,
    stands_below: Vec<bool>,
    rows: u64,
}

impl<'n> FirstLook<'n> {
    pub(super) fn new(names: &'n [String]) -> Self {
        FirstLook {
            names,
            shapes: names.iter().map(|name| code_shape(name)).collect(),
            alike: vec![0; names.len()],
            stands_below: vec![false; names.len()],
            rows: 0,
        }
    }

    /// Looks at records; broken ones are left for whoever reads them.
    pub(super) fn look(&mut self, records: &mut Records<'_>) {
        while self.rows < SAMPLE as u64 && records.next_record().is_some() {
            self.rows += 1;
            let mut below = Vec::new();
            let mut at = 0;
            loop {
                let Ok((cell, last)) = records.field() else {
                    return;
                };
                if self.is_name(at, cell) {
                    below.push(at);
                }
                at += 1;
                if last {
                    break;
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
    }

    /// Whether a cell is the name of its column; counts cells that are written like it.
    fn is_name(&mut self, at: usize, cell: &[u8]) -> bool {
        let Some(name) = self.names.get(at) else {
            return false;
        };
        if let Some(shape) = &self.shapes[at]
            && let Ok(text) = std::str::from_utf8(cell)
            && code_shape(text).as_ref() == Some(shape)
        {
            self.alike[at] += 1;
        }
        name.as_bytes() == cell
    }

    /// The columns, counted from 1, whose names are like what stands below them.
    pub(super) fn doubtful(&self) -> Vec<usize> {
        let mut doubtful = Vec::new();
        for at in 0..self.names.len() {
            let is_alike = self.alike[at] > 0 && self.alike[at] * 2 >= self.rows;
            if self.stands_below[at] || is_alike {
                doubtful.push(at + 1);
            }
        }
        doubtful
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

    fn looked(text: &str) -> Vec<usize> {
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
        let mut look = FirstLook::new(&first);
        look.look(&mut records);
        look.doubtful()
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
        assert_eq!(looked("Female,Flu\nMale,Cold\nFemale,Acne\n"), [1]);
        assert_eq!(looked("sex,E11.9\nMale,C50.1\nFemale,J45.0\n"), [2]);
        assert_eq!(
            looked("sex,icd10\nMale,C50.1\nFemale,J45.0\n"),
            Vec::<usize>::new()
        );
        assert_eq!(looked("sex,disease\n"), Vec::<usize>::new());
    }
}
