//! What a recogniser is told about a column.

use mingle_model::Kind;

/// So many of a hundred values must have a shape for the column to have it: tables have slips.
const MOSTLY: usize = 95;
/// A category with at most this many values is few-valued, whatever the number of rows.
const FEW: usize = 50;

/// Counts of a column, the words of its name, and some of its values. No `Debug`: it has cells.
pub struct SeenFacts<'a> {
    /// The words of its name, in lower case.
    pub words: &'a [String],
    /// The kind that fits all values.
    pub kind: Kind,
    /// How many rows the tables have.
    pub rows: usize,
    /// How many of them have a value.
    pub present: usize,
    /// How many different values occur.
    pub distinct: usize,
    /// All different values, or a fixed choice where there are many.
    pub texts: &'a [&'a str],
}

impl SeenFacts<'_> {
    /// The first of these words that is in the name, with its place in the list. A word that ends
    /// with `*` fits the beginning of a name's word, one that starts with it the end.
    pub fn word(&self, list: &[&'static str]) -> Option<(usize, &'static str)> {
        word_of(self.words, list)
    }

    /// Whether one of these words is the last of the name, figures behind it not counted.
    pub fn last_word(&self, list: &[&'static str]) -> Option<&'static str> {
        let last = self.words.iter().rev().find(|word| !is_figure(word))?;
        list.iter().copied().find(|word| last == word)
    }

    /// How many of a hundred values have a shape.
    pub fn percent(&self, has_shape: impl Fn(&str) -> bool) -> usize {
        if self.texts.is_empty() {
            return 0;
        }
        let matching = self.texts.iter().filter(|text| has_shape(text)).count();
        matching * 100 / self.texts.len()
    }

    /// Whether nearly all values have a shape.
    pub fn mostly(&self, has_shape: impl Fn(&str) -> bool) -> bool {
        self.percent(has_shape) >= MOSTLY
    }

    /// Whether every row, or nearly every one, has a value of its own.
    pub fn is_unique(&self) -> bool {
        self.present > 1 && self.distinct * 20 >= self.present * 19
    }

    /// Whether it is a list that a person could learn: few values, or each in very many rows.
    pub fn is_few_valued(&self) -> bool {
        self.distinct <= FEW || self.distinct * 100 <= self.present
    }
}

/// The first pattern of a list that fits one of a name's words, and its place in the list.
pub fn word_of(words: &[String], list: &[&'static str]) -> Option<(usize, &'static str)> {
    for (place, pattern) in list.iter().enumerate() {
        for word in words {
            let found = match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
                (Some(end), _) => word.ends_with(end),
                (_, Some(start)) => word.starts_with(start),
                _ => word == pattern,
            };
            if found {
                return Some((place, pattern.trim_matches('*')));
            }
        }
    }
    None
}

fn is_figure(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The words of a name, in lower case: `patientId` and `patient_id` are both patient and id, `dx1`
/// is dx and 1.
pub fn split_into_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous: Option<char> = None;
    for c in name.chars() {
        let starts_word = match previous {
            Some(before) => {
                (c.is_uppercase() && before.is_lowercase())
                    || (c.is_ascii_digit() && before.is_alphabetic())
                    || (c.is_alphabetic() && before.is_ascii_digit())
            }
            None => false,
        };
        if !c.is_alphanumeric() || starts_word {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            let word = words.last_mut().expect("there is one from the start");
            word.extend(c.to_lowercase());
        }
        previous = Some(c);
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for name in ["patientId", "patient_id", "Patient ID", "PATIENT-ID"] {
            assert_eq!(split_into_words(name), ["patient", "id"], "{name}");
        }
        assert_eq!(split_into_words("dx1"), ["dx", "1"]);
        assert_eq!(split_into_words("A1Cresult"), ["a", "1", "cresult"]);
        assert_eq!(split_into_words("Kostenträger"), ["kostenträger"]);
    }
}
