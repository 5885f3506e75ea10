//! One line of JSON Lines: an object whose values are cells.
//!
//! Numbers are kept as they are written, exponents apart, so that what a column is follows from its
//! texts as it does in CSV. Keys are borrowed where they have no escapes, and a value that nobody wants is checked
//! and not decoded.

use mingle_model::Number;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// What a value is.
pub(super) enum JsonCell<'j> {
    Text(Cow<'j, str>),
    Null,
    /// An object or a list.
    Nested,
}

/// Takes the keys and values of an object. An error ends the reading of the line.
pub(super) trait TakeFields {
    /// What went wrong.
    type Flaw;

    /// A key; returns whether its value is wanted.
    fn key(&mut self, key: &str) -> Result<bool, Self::Flaw>;

    /// The value of the key before, if it was wanted.
    fn value(&mut self, value: JsonCell<'_>) -> Result<(), Self::Flaw>;
}

/// Why a line is refused.
pub(super) enum Refusal<F> {
    /// It is not one JSON object.
    NotAnObject,
    /// Whoever takes the fields does not want them.
    ByTaker(F),
}

/// Reads a line.
pub(super) fn read_object<T: TakeFields>(line: &str, take: &mut T) -> Result<(), Refusal<T::Flaw>> {
    let mut fields = Fields { take, flaw: None };
    let mut json = serde_json::Deserializer::from_str(line);
    let read = json.deserialize_map(&mut fields).and_then(|()| json.end());
    match (read, fields.flaw) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(flaw)) => Err(Refusal::ByTaker(flaw)),
        // what the reader says may quote the line
        (Err(_), None) => Err(Refusal::NotAnObject),
    }
}

struct Fields<'t, T: TakeFields> {
    take: &'t mut T,
    flaw: Option<T::Flaw>,
}

impl<'de, T: TakeFields> Visitor<'de> for &mut Fields<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Text)? {
            let taken = match self.take.key(&key) {
                Ok(false) => {
                    map.next_value::<serde::de::IgnoredAny>()?;
                    continue;
                }
                Ok(true) => {
                    let raw: &RawValue = map.next_value()?;
                    let value = cell(raw.get()).ok_or_else(|| A::Error::custom("no text"))?;
                    self.take.value(value)
                }
                Err(flaw) => Err(flaw),
            };
            if let Err(flaw) = taken {
                self.flaw = Some(flaw);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

/// A value by its first character; `None` for a text that means no characters.
fn cell(raw: &str) -> Option<JsonCell<'_>> {
    Some(match raw.as_bytes().first()? {
        b'"' if !raw.contains('\\') => JsonCell::Text(Cow::Borrowed(&raw[1..raw.len() - 1])),
        b'"' => JsonCell::Text(Cow::Owned(serde_json::from_str(raw).ok()?)),
        b'n' => JsonCell::Null,
        b'{' | b'[' => JsonCell::Nested,
        b't' | b'f' => JsonCell::Text(Cow::Borrowed(raw)),
        _ => JsonCell::Text(number(raw)),
    })
}

/// A number as it is written, except that what is certainly a number here would look like a code in
/// CSV: `1e5` is 100000 and `-0` is 0.
fn number(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['e', 'E']) && !raw.starts_with("-0") {
        return Cow::Borrowed(raw);
    }
    match Number::parse(raw) {
        Some(number) => Cow::Owned(Number::text(number.mantissa, number.scale)),
        // too large or too fine for a number of the model
        None => Cow::Borrowed(raw),
    }
}

/// A text, borrowed if it can be.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Default)]
    struct All(Vec<(String, String)>);

    impl TakeFields for All {
        type Flaw = ();

        fn key(&mut self, key: &str) -> Result<bool, ()> {
            self.0.push((key.to_owned(), "unread".to_owned()));
            Ok(!key.starts_with("skipped"))
        }

        fn value(&mut self, value: JsonCell<'_>) -> Result<(), ()> {
            let last = self.0.last_mut().unwrap();
            last.1 = match value {
                JsonCell::Text(text) => text.into_owned(),
                JsonCell::Null => "null".to_owned(),
                JsonCell::Nested => return Err(()),
            };
            Ok(())
        }
    }

    fn read(line: &str) -> Option<Vec<(String, String)>> {
        let mut all = All::default();
        read_object(line, &mut all).ok()?;
        Some(all.0)
    }

    #[test]
    fn values_as_they_are_written() {
        let line = r#" {"a":1.50, "b" : "x\"\u00e9\ud83d\ude00", "c":null,"d":true,"e":"","f\u0041":-0, "g":1.5e3, "h":-0.5, "i":1e99, "skipped":[1,{}]} "#;
        let fields = read(line).unwrap();
        let values: Vec<&str> = fields.iter().map(|(_, value)| value.as_str()).collect();
        let expected = [
            "1.50",
            "x\"é😀",
            "null",
            "true",
            "",
            "0",
            "1500",
            "-0.5",
            "1e99",
            "unread",
        ];
        assert_eq!(values, expected);
        assert_eq!(fields[5].0, "fA");
        assert_eq!(read("{}"), Some(Vec::new()));
    }

    #[test]
    fn lines_that_are_no_objects() {
        for line in [
            "",
            "[]",
            "1",
            "null",
            "\"a\"",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1} {}",
            "{\"a\":01}",
            "{\"a\":nan}",
            "{\"a\":'x'}",
            "{a:1}",
            "{\"a\":\"\\ud800\"}",
            "{\"a\":[1}",
            "{\"a\":{}}",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    proptest! {
        /// What another reader makes of the same line.
        #[test]
        fn strings_and_numbers_agree_with_a_tree(
            fields in prop::collection::vec((".{0,8}", ".{0,12}", any::<i64>()), 0..5)
        ) {
            let mut line = String::from("{");
            let mut expected = Vec::new();
            for (at, (key, text, number)) in fields.iter().enumerate() {
                let key = format!("{at}{key}");
                let key_json = serde_json::to_string(&key).unwrap();
                let text_json = serde_json::to_string(text).unwrap();
                line.push_str(&format!("{key_json}:{text_json},\"n{at}\":{number},"));
                expected.push((key, text.clone()));
                expected.push((format!("n{at}"), number.to_string()));
            }
            let line = format!("{}}}", line.strip_suffix(',').unwrap_or(&line));
            prop_assert_eq!(read(&line), Some(expected));
        }

        #[test]
        fn any_line_is_read_or_refused(line in "[{}\\[\\]\",:a1\\\\u ]{0,40}") {
            let is_flat = match serde_json::from_str::<serde_json::Value>(&line) {
                Ok(serde_json::Value::Object(map)) => {
                    map.values().all(|value| !value.is_object() && !value.is_array())
                }
                _ => false,
            };
            // a key that stands there twice is one in a tree
            if is_flat {
                prop_assert!(read(&line).is_some());
            }
            if serde_json::from_str::<serde_json::Value>(&line).is_err() {
                prop_assert!(read(&line).is_none());
            }
        }
    }
}
