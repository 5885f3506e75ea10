//! Values by names that come from the data's columns: a JSON object whose keys are not known here.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Names with their values, in order; each name once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByName<T>(pub Vec<(String, T)>);

/// A group as its reader sees it: every column with its label.
pub type GroupLabels = ByName<String>;

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(entries: I) -> ByName<T> {
        ByName(entries.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ByName<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ByNameVisitor(PhantomData))
    }
}

struct ByNameVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ByNameVisitor<T> {
    type Value = ByName<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName<T>, A::Error> {
        let mut entries: Vec<(String, T)> = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, T>()? {
            if entries.iter().any(|(other, _)| *other == name) {
                return Err(A::Error::custom("a name is there twice"));
            }
            entries.push((name, value));
        }
        Ok(ByName(entries))
    }
}
