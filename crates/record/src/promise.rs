//! Promises as documents state them: name, column and parameters, as plain data.
//!
//! Which parameters there are depends on the name, and what they mean is the catalogue's to say.
//! Numbers are exact, as a JSON number where its decimal form reads back exactly, else as the text
//! `a/b`.

use crate::Judgement;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// One promise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PromiseEntry {
    /// The constraint's stable name.
    pub name: String,
    /// The sensitive column it is about.
    pub column: Option<String>,
    /// Whether it is about all sensitive columns together.
    pub joint: bool,
    /// By name, in the constraint's order.
    pub parameters: Vec<(String, ParameterEntry)>,
}

/// A promise as it is shown to somebody who chooses one: in words, and whether it says anything.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StatedPromise {
    /// The promise itself: its parameters are keys beside its name.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "{ name: string, column?: string, joint?: boolean, [parameter: string]: unknown }"
        )
    )]
    pub promise: PromiseEntry,
    /// The same in words.
    pub words: String,
    /// Whether some table would break it. Groups of at least one row, say, are what every table
    /// has, and must not pass for protection.
    pub says_something: bool,
}

/// A parameter of a promise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParameterEntry {
    /// A number.
    Number(ExactNumber),
    /// A word, such as the name of a distance.
    Word(String),
}

/// `numerator / denominator`, in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactNumber {
    numerator: u64,
    denominator: u64,
}

impl PromiseEntry {
    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&ParameterEntry> {
        self.parameters
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }
}

impl ExactNumber {
    /// In lowest terms; `None` for a denominator of zero.
    pub fn new(numerator: u64, denominator: u64) -> Option<ExactNumber> {
        if denominator == 0 {
            return None;
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        Some(ExactNumber {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    /// The upper part.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The lower part, never zero.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// Reads `3`, `0.25` or `2.5e-7` exactly; at most 19 decimal places, none below zero.
    fn parse_decimal(text: &str) -> Option<ExactNumber> {
        let (body, exponent) = match text.split_once(['e', 'E']) {
            Some((body, exponent)) => (body, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = body.split_once('.').unwrap_or((body, ""));
        let mut digits: u128 = format!("{whole}{fraction}").parse().ok()?;
        let mut places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        while places > 0 && digits.is_multiple_of(10) {
            digits /= 10;
            places -= 1;
        }
        while places < 0 && digits > 0 {
            digits = digits.checked_mul(10)?;
            places += 1;
        }
        let unit = 10u64.checked_pow(places.max(0).try_into().ok()?)?;
        ExactNumber::new(digits.try_into().ok()?, unit)
    }

    /// The nearest float, where its shortest decimal form is exactly this number.
    ///
    /// Readers of JSON are exact up to fifteen digits and differ in the last bit beyond, so a
    /// longer number is not written as one.
    fn to_float(self) -> Option<f64> {
        let text = self.to_decimal()?;
        let digits = text.trim_start_matches(['0', '.']).replace('.', "");
        if digits.len() > 15 {
            return None;
        }
        let float: f64 = text.parse().ok()?;
        (ExactNumber::parse_decimal(&format!("{float:?}")) == Some(self)).then_some(float)
    }

    /// As a decimal number, where it has a finite form that fits.
    fn to_decimal(self) -> Option<String> {
        let (mut digits, mut unit, mut places) = (u128::from(self.numerator), 1u128, 0usize);
        while !unit.is_multiple_of(self.denominator.into()) {
            // a denominator of 64 bits divides a power of ten with fewer places, or none
            if places == 30 {
                return None;
            }
            unit *= 10;
            places += 1;
        }
        digits = digits.checked_mul(unit / u128::from(self.denominator))?;
        let text = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = text.split_at(text.len() - places);
        if places == 0 {
            return Some(text);
        }
        Some(format!("{whole}.{fraction}"))
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

impl fmt::Display for ExactNumber {
    /// As documents show it: `3`, `0.2` or `1/3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_float() {
            _ if self.denominator == 1 => write!(f, "{}", self.numerator),
            // the shortest form that reads back, as JSON writes it: `1e-7`, not `0.0000001`
            Some(float) if (1e-5..1e16).contains(&float) => write!(f, "{float}"),
            Some(float) => write!(f, "{float:e}"),
            None => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

impl Serialize for ExactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.to_float() {
            _ if self.denominator == 1 => serializer.serialize_u64(self.numerator),
            Some(float) => serializer.serialize_f64(float),
            None => serializer.collect_str(self),
        }
    }
}

impl Serialize for ParameterEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ParameterEntry::Number(number) => number.serialize(serializer),
            ParameterEntry::Word(word) => serializer.serialize_str(word),
        }
    }
}

impl<'de> Deserialize<'de> for ParameterEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Read {
            Whole(u64),
            Float(f64),
            Text(String),
        }
        let number = match Read::deserialize(deserializer)? {
            Read::Whole(number) => ExactNumber::new(number, 1),
            Read::Float(number) => ExactNumber::parse_decimal(&format!("{number:?}")),
            Read::Text(text) => match text.split_once('/') {
                Some((numerator, denominator)) => numerator
                    .parse()
                    .ok()
                    .zip(denominator.parse().ok())
                    .and_then(|(numerator, denominator)| ExactNumber::new(numerator, denominator)),
                None => return Ok(ParameterEntry::Word(text)),
            },
        };
        let number = number.ok_or_else(|| D::Error::custom("no parameter"))?;
        Ok(ParameterEntry::Number(number))
    }
}

/// A promise, and whether it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstraintVerdict {
    /// What is promised.
    pub promise: PromiseEntry,
    /// Whether it holds.
    pub verdict: Judgement,
}

impl Serialize for PromiseEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_into(&mut map)?;
        map.end()
    }
}

impl Serialize for ConstraintVerdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.promise.serialize_into(&mut map)?;
        map.serialize_entry("verdict", &self.verdict)?;
        map.end()
    }
}

impl PromiseEntry {
    fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("name", &self.name)?;
        if let Some(column) = &self.column {
            map.serialize_entry("column", column)?;
        }
        if self.joint {
            map.serialize_entry("joint", &true)?;
        }
        for (name, value) in &self.parameters {
            map.serialize_entry(name, value)?;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for PromiseEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = PromiseVisitor {
            with_verdict: false,
        };
        let (promise, _) = deserializer.deserialize_map(visitor)?;
        Ok(promise)
    }
}

impl<'de> Deserialize<'de> for ConstraintVerdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = PromiseVisitor { with_verdict: true };
        let (promise, verdict) = deserializer.deserialize_map(visitor)?;
        let verdict = verdict.ok_or_else(|| D::Error::missing_field("verdict"))?;
        Ok(ConstraintVerdict { promise, verdict })
    }
}

/// Reads a promise, and the verdict that stands among its keys where one may.
struct PromiseVisitor {
    with_verdict: bool,
}

impl<'de> Visitor<'de> for PromiseVisitor {
    type Value = (PromiseEntry, Option<Judgement>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a promise")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entry = PromiseEntry::default();
        let mut verdict = None;
        let mut seen: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            // a key that is there twice would mean two promises, of which one is read
            if seen.contains(&key) {
                return Err(A::Error::custom("a parameter is there twice"));
            }
            match key.as_str() {
                "name" => entry.name = map.next_value()?,
                "column" => entry.column = map.next_value()?,
                "joint" => entry.joint = map.next_value()?,
                "verdict" if self.with_verdict => verdict = Some(map.next_value()?),
                _ => entry.parameters.push((key.clone(), map.next_value()?)),
            }
            seen.push(key);
        }
        if !seen.iter().any(|key| key == "name") {
            return Err(A::Error::missing_field("name"));
        }
        Ok((entry, verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, numerator, denominator) in [
            ("0.2", 1, 5),
            ("3", 3, 1),
            ("100000.0", 100_000, 1),
            ("1e-7", 1, 10_000_000),
            ("2.5e-3", 1, 400),
            ("1e5", 100_000, 1),
            ("0.0", 0, 1),
        ] {
            let expected = ExactNumber::new(numerator, denominator);
            assert_eq!(ExactNumber::parse_decimal(text), expected, "{text}");
        }
        for text in [
            "",
            "-1",
            "1e-25",
            "1e99999999999",
            "99999999999999999999",
            "x",
            "1/2",
        ] {
            assert_eq!(ExactNumber::parse_decimal(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_so_that_they_read_back() {
        for (numerator, denominator, expected) in [
            (1, 5, json!(0.2)),
            (3, 1, json!(3)),
            (u64::MAX, 1, json!(u64::MAX)),
            (1, 3, json!("1/3")),
            (
                u64::MAX,
                1 << 63,
                json!(format!("{}/{}", u64::MAX, 1u64 << 63)),
            ),
        ] {
            let number = ParameterEntry::Number(ExactNumber::new(numerator, denominator).unwrap());
            let written = serde_json::to_value(&number).unwrap();
            assert_eq!(written, expected);
            assert_eq!(
                serde_json::from_value::<ParameterEntry>(written).unwrap(),
                number
            );
        }
        for bad in [
            json!("1/0"),
            json!("x/y"),
            json!(-1),
            json!([1]),
            json!(null),
        ] {
            assert!(
                serde_json::from_value::<ParameterEntry>(bad.clone()).is_err(),
                "{bad}"
            );
        }
    }

    #[test]
    fn every_key_is_there_once() {
        assert!(serde_json::from_str::<PromiseEntry>(r#"{ "k": 3 }"#).is_err());
        let twice = r#"{ "name": "k-anonymity", "k": 3, "k": 2 }"#;
        assert!(serde_json::from_str::<PromiseEntry>(twice).is_err());
        let text = r#"{"name":"t-closeness","column":"b","max":0.2,"distance":"ordered"}"#;
        let entry: PromiseEntry = serde_json::from_str(text).unwrap();
        assert_eq!(
            entry.parameter("distance"),
            Some(&ParameterEntry::Word("ordered".into()))
        );
        assert_eq!(serde_json::to_string(&entry).unwrap(), text);
    }
}
