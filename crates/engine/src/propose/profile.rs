//! What a column looks like: counts and kinds; values only where domains are to be proposed.

use super::domain::Seen;
use super::hierarchy::{self, FoundHierarchy};
use crate::failure;
use mingle_model::{Column, ColumnSpec, Kind, Missing, RawColumn, Role};
use mingle_record::Problem;
use std::path::PathBuf;

/// A column from outside.
pub struct Profile {
    /// Its name.
    pub name: String,
    /// How many rows the tables have.
    pub rows: usize,
    /// How many different values occur, the missing one not counted.
    pub distinct: usize,
    /// How many rows have no value.
    pub missing: usize,
    /// The kind that fits all values.
    pub kind: Kind,
    /// The length that all values have, if they are codes of letters and digits of one length.
    pub code_length: Option<usize>,
    /// A hierarchy file that goes with the column.
    pub hierarchy: Option<FoundHierarchy>,
    /// Its values, where domains are to be proposed.
    pub seen: Option<Seen>,
}

impl Profile {
    /// Looks at a column; the files it came from say where a hierarchy might be.
    pub fn new(
        name: String,
        raw: RawColumn,
        missing: &Missing,
        data: &[PathBuf],
        domains: bool,
    ) -> Result<Profile, Problem> {
        let absent: Vec<bool> = raw
            .values
            .iter()
            .map(|v| missing.contains(&v.text))
            .collect();
        let missing_rows = raw.ids.iter().filter(|&id| absent[id as usize]).count();
        let distinct = absent.iter().filter(|&&absent| !absent).count();
        let code_length = code_length(&raw, &absent);
        let hierarchy = hierarchy::find(&name, &raw, missing, data);
        let seen = domains.then(|| Seen::of(&raw, &absent));
        let rows = raw.ids.len();
        let column = Column::encode(
            ColumnSpec::new(name.clone(), Role::Insensitive),
            raw,
            missing,
        );
        let column = column.map_err(|source| {
            failure::io(&mingle_io::Error::Column {
                column: name.clone(),
                source,
            })
        })?;
        let kind = column.domain.kind();
        Ok(Profile {
            name,
            rows,
            distinct,
            missing: missing_rows,
            kind,
            code_length,
            hierarchy,
            seen,
        })
    }

    /// Whether every row, or nearly every one, has a value of its own.
    pub fn is_unique(&self) -> bool {
        let present = self.rows - self.missing;
        present > 1 && self.distinct * 20 >= present * 19
    }

    /// The words of its name, in lower case: `patientId` and `patient_id` are both patient and id.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut previous_lower = false;
        for c in self.name.chars() {
            if !c.is_alphanumeric() || (c.is_uppercase() && previous_lower) {
                words.push(String::new());
            }
            if c.is_alphanumeric() {
                words
                    .last_mut()
                    .expect("never empty")
                    .extend(c.to_lowercase());
            }
            previous_lower = c.is_lowercase();
        }
        words.retain(|word| !word.is_empty());
        words
    }
}

fn code_length(raw: &RawColumn, absent: &[bool]) -> Option<usize> {
    let mut texts = raw
        .values
        .iter()
        .zip(absent)
        .filter(|(_, absent)| !**absent)
        .map(|(v, _)| &*v.text);
    let length = texts.next()?.chars().count();
    let alike = |t: &str| {
        t.chars().count() == length
            && t.chars()
                .all(|c| c.is_alphanumeric() || c == ' ' || c == '-')
    };
    raw.values
        .iter()
        .zip(absent)
        .filter(|(_, absent)| !**absent)
        .all(|(v, _)| alike(&v.text))
        .then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Position, RawValue};

    fn profile(name: &str, texts: &[&str]) -> Profile {
        let mut raw = RawColumn::default();
        for (line, text) in texts.iter().enumerate() {
            let known = raw.values.iter().position(|v| *v.text == **text);
            let position = Position {
                file: "f".into(),
                line: line as u64,
            };
            let id = known.unwrap_or_else(|| {
                raw.values.push(RawValue {
                    text: (*text).into(),
                    position,
                });
                raw.values.len() - 1
            });
            raw.ids.push(id as u32);
        }
        Profile::new(name.into(), raw, &Missing::default(), &[], false)
            .ok()
            .unwrap()
    }

    #[test]
    fn counts_leave_missing_values_out() {
        let p = profile("x", &["1", "2", "2", "?", ""]);
        assert_eq!(
            (p.rows, p.distinct, p.missing, p.kind),
            (5, 2, 2, Kind::Integer)
        );
        assert!(!p.is_unique());
        assert!(profile("x", &["a", "b", "?"]).is_unique());
        assert!(!profile("x", &["a"]).is_unique());
    }

    #[test]
    fn names_are_split_into_words() {
        for name in ["patientId", "patient_id", "Patient ID", "PATIENT-ID"] {
            assert_eq!(profile(name, &["1"]).words(), ["patient", "id"], "{name}");
        }
    }

    #[test]
    fn codes_have_one_length() {
        assert_eq!(profile("zip", &["01234", "98765", ""]).code_length, Some(5));
        assert_eq!(profile("zip", &["1234", "98765"]).code_length, None);
        assert_eq!(profile("zip", &["a.b", "c.d"]).code_length, None);
    }
}
