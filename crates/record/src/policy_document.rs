//! A policy as manifests keep it: what the file says, as a tree of values in the order written.
//!
//! What the keys mean is `policy`'s to say. Here are only the few questions that readers of a
//! release ask of one.

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A whole policy, or the part of it that is public.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PolicyDocument {
    /// Its sections.
    pub sections: PolicyTable,
}

/// Keys with their values, in the order written; every key is there once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PolicyTable {
    entries: Vec<(String, PolicyValue)>,
}

/// What a key of a policy is set to.
#[derive(Clone, PartialEq, Debug)]
pub enum PolicyValue {
    /// A value that no key takes, and that says nothing.
    Nothing,
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number of at most 64 bits.
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<PolicyValue>),
    /// A table of keys of its own.
    Table(PolicyTable),
}

/// What stands for a group in a release, as `output` of `[method]` says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PublishedOutput {
    /// What covers the group.
    Range,
    /// The group's middle.
    Centroid,
}

impl PolicyDocument {
    /// A section, such as `method`.
    pub fn section(&self, name: &str) -> Option<&PolicyValue> {
        self.sections.get(name)
    }

    /// What stands for groups; ranges unless the policy says otherwise.
    pub fn output(&self) -> PublishedOutput {
        let method = self.section("method").and_then(PolicyValue::as_table);
        let output = method.and_then(|method| method.get("output"));
        match output.and_then(PolicyValue::as_text) {
            Some("centroid") => PublishedOutput::Centroid,
            _ => PublishedOutput::Range,
        }
    }
}

impl PolicyTable {
    /// What a key is set to.
    pub fn get(&self, key: &str) -> Option<&PolicyValue> {
        let entry = self.entries.iter().find(|(name, _)| name == key)?;
        Some(&entry.1)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut PolicyValue> {
        let entry = self.entries.iter_mut().find(|(name, _)| name == key)?;
        Some(&mut entry.1)
    }

    /// Sets a key: in its place where it is there already, else behind the others.
    pub fn set(&mut self, key: impl Into<String>, value: PolicyValue) {
        let key = key.into();
        match self.get_mut(&key) {
            Some(place) => *place = value,
            None => self.entries.push((key, value)),
        }
    }

    /// Keys and values, in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PolicyValue)> {
        self.entries
            .iter()
            .map(|(key, value)| (key.as_str(), value))
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl<K: Into<String>> FromIterator<(K, PolicyValue)> for PolicyTable {
    fn from_iter<I: IntoIterator<Item = (K, PolicyValue)>>(entries: I) -> PolicyTable {
        let mut table = PolicyTable::default();
        for (key, value) in entries {
            table.set(key, value);
        }
        table
    }
}

impl PolicyValue {
    /// The text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            PolicyValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The list, where it is one.
    pub fn as_list(&self) -> Option<&[PolicyValue]> {
        match self {
            PolicyValue::List(items) => Some(items),
            _ => None,
        }
    }

    /// The table, where it is one.
    pub fn as_table(&self) -> Option<&PolicyTable> {
        match self {
            PolicyValue::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn as_table_mut(&mut self) -> Option<&mut PolicyTable> {
        match self {
            PolicyValue::Table(table) => Some(table),
            _ => None,
        }
    }
}

impl From<&str> for PolicyValue {
    fn from(text: &str) -> PolicyValue {
        PolicyValue::Text(text.to_owned())
    }
}

impl From<bool> for PolicyValue {
    fn from(value: bool) -> PolicyValue {
        PolicyValue::Boolean(value)
    }
}

impl From<u64> for PolicyValue {
    fn from(number: u64) -> PolicyValue {
        PolicyValue::Integer(number.into())
    }
}

impl From<PolicyTable> for PolicyValue {
    fn from(table: PolicyTable) -> PolicyValue {
        PolicyValue::Table(table)
    }
}

impl Serialize for PolicyDocument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.sections.serialize(serializer)
    }
}

impl Serialize for PolicyTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.entries.len()))?;
        for (key, value) in &self.entries {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Serialize for PolicyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PolicyValue::Nothing => serializer.serialize_unit(),
            PolicyValue::Boolean(value) => serializer.serialize_bool(*value),
            PolicyValue::Integer(number) => {
                match (u64::try_from(*number), i64::try_from(*number)) {
                    (Ok(number), _) => serializer.serialize_u64(number),
                    (_, Ok(number)) => serializer.serialize_i64(number),
                    _ => Err(serde::ser::Error::custom("a number of more than 64 bits")),
                }
            }
            PolicyValue::Float(number) => serializer.serialize_f64(*number),
            PolicyValue::Text(text) => serializer.serialize_str(text),
            PolicyValue::List(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            PolicyValue::Table(table) => table.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PolicyDocument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sections = PolicyTable::deserialize(deserializer)?;
        Ok(PolicyDocument { sections })
    }
}

impl<'de> Deserialize<'de> for PolicyTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match PolicyValue::deserialize(deserializer)? {
            PolicyValue::Table(table) => Ok(table),
            _ => Err(D::Error::custom("not a table of keys")),
        }
    }
}

impl<'de> Deserialize<'de> for PolicyValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PolicyVisitor)
    }
}

struct PolicyVisitor;

impl<'de> Visitor<'de> for PolicyVisitor {
    type Value = PolicyValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of a policy")
    }

    fn visit_unit<E: Error>(self) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Nothing)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Boolean(value))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Integer(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Integer(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PolicyValue, E> {
        Ok(PolicyValue::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<PolicyValue, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(PolicyValue::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PolicyValue, A::Error> {
        let mut entries: Vec<(String, PolicyValue)> = Vec::new();
        let mut keys = std::collections::HashSet::new();
        while let Some((key, value)) = map.next_entry::<String, PolicyValue>()? {
            // a key that is there twice says two things, of which readers would see one each
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom("a key is there twice"));
            }
            entries.push((key, value));
        }
        Ok(PolicyValue::Table(PolicyTable { entries }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_in_its_order() {
        let text = r#"{"method":{"name":"microaggregation","output":"centroid","seed":18446744073709551615},"columns":{"b":{"role":"sensitive"},"a":{"intervals":[-5,0.5,1e+300]}},"privacy":{"joint":true,"odd":null}}"#;
        let document: PolicyDocument = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&document).unwrap(), text);
        assert_eq!(document.output(), PublishedOutput::Centroid);
        assert_eq!(PolicyDocument::default().output(), PublishedOutput::Range);
    }

    #[test]
    fn what_is_no_policy() {
        for text in [
            "null",
            "[]",
            "1",
            r#"{"a":1,"a":2}"#,
            r#"{"a":{"b":1,"b":2}}"#,
        ] {
            assert!(
                serde_json::from_str::<PolicyDocument>(text).is_err(),
                "{text}"
            );
        }
    }

    #[test]
    fn setting_a_key_again_keeps_its_place() {
        let mut table: PolicyTable = [("a", 1u64.into()), ("b", 2u64.into())]
            .into_iter()
            .collect();
        table.set("a", true.into());
        let keys: Vec<&str> = table.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["a", "b"]);
        assert_eq!(table.get("a"), Some(&PolicyValue::Boolean(true)));
    }
}
