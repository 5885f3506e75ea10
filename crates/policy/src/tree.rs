//! A policy as a tree of values that know where they stand.
//!
//! TOML is parsed once; numbers stay the text they were written as, so that 0.2 becomes 1/5 and not
//! a binary fraction. `--set` flags replace single values of the tree, each keeping its flag as its
//! place.

use super::source::{PlaceInPolicy, PolicyText};
use crate::closest::closest;
use crate::json::number;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::{PolicyDocument, PolicyTable, PolicyValue};
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// The dotted path of its key, such as `privacy.k`.
    pub path: String,
    /// Where the value stands.
    pub place: PlaceInPolicy,
    /// The value.
    pub value: Value,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// A whole number in decimal digits.
    Integer(String),
    /// A number with a point or an exponent, as written.
    Float(String),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or time, which no key takes.
    Time,
    /// `[…]`
    List(Vec<Node>),
    /// `{…}` or a section.
    Table(Vec<KeyedNode>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct KeyedNode {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: PlaceInPolicy,
    /// What it is set to.
    pub node: Node,
}

impl Node {
    /// Parses a policy file.
    pub fn parse(source: &Arc<PolicyText>) -> Result<Node, Problem> {
        let table = DeTable::parse(source.text()).map_err(|e| syntax(source, &e))?;
        let place = PlaceInPolicy::new(source, 0..0);
        Ok(Node {
            path: String::new(),
            place,
            value: Value::Table(entries("", source, table.get_ref())),
        })
    }

    /// Applies `--set privacy.k=10`: values are TOML, and a bare word is a string.
    pub fn set(&mut self, flag: &str) -> Result<(), Problem> {
        let source = PolicyText::flag(flag);
        let whole = PlaceInPolicy::new(&source, 0..flag.len());
        let malformed = || {
            whole.problem(
                ProblemCode::SetFlag,
                "not of the form KEY=VALUE",
                "write a dotted key, such as --set privacy.k=10",
            )
        };
        let (key, value) = flag.split_once('=').ok_or_else(malformed)?;
        let keys = dotted(key).ok_or_else(malformed)?;
        let path = keys.join(".");
        let place = PlaceInPolicy::new(&source, key.len() + 1..flag.len());
        let value = match DeValue::parse(value.trim()) {
            Ok(parsed) => convert(&path, &source, parsed.get_ref()),
            Err(_) => Value::Text(value.trim().to_owned()),
        };
        let mut node = Node { path, place, value };
        node.stand_at(&whole);
        self.replace(&keys, node, &whole)
    }

    /// Applies a command's own flag, such as `--epsilon 1`, to a key of a section.
    pub fn put(
        &mut self,
        [section, key]: [&str; 2],
        flag: &str,
        value: Value,
    ) -> Result<(), Problem> {
        let shown = match &value {
            Value::Text(text) | Value::Integer(text) | Value::Float(text) => text.as_str(),
            _ => "",
        };
        let source = PolicyText::own_flag(flag, shown);
        let place = PlaceInPolicy::new(&source, 0..shown.len());
        let node = Node {
            path: join(section, key),
            place: place.clone(),
            value,
        };
        self.replace(&[section.to_owned(), key.to_owned()], node, &place)
    }

    /// What a key of a section is set to.
    pub fn at(&self, [section, key]: [&str; 2]) -> Option<&Node> {
        self.under(section)?.under(key)
    }

    /// What a key of this table is set to.
    pub fn under(&self, key: &str) -> Option<&Node> {
        let entries = self.entries().ok()?;
        let entry = entries.iter().find(|entry| entry.key == key)?;
        Some(&entry.node)
    }

    /// Takes a key of a section out, where it is there.
    pub fn take_out(&mut self, [section, key]: [&str; 2]) {
        let Value::Table(sections) = &mut self.value else {
            return;
        };
        for entry in sections.iter_mut().filter(|entry| entry.key == section) {
            if let Value::Table(entries) = &mut entry.node.value {
                entries.retain(|entry| entry.key != key);
            }
        }
    }

    /// Values inside of a flag have no lines of their own: all of them stand at the flag.
    fn stand_at(&mut self, whole: &PlaceInPolicy) {
        self.place = whole.clone();
        match &mut self.value {
            Value::List(nodes) => nodes.iter_mut().for_each(|node| node.stand_at(whole)),
            Value::Table(entries) => entries.iter_mut().for_each(|entry| {
                entry.place = whole.clone();
                entry.node.stand_at(whole);
            }),
            _ => {}
        }
    }

    /// Sets a key, and makes the tables on the way to it.
    pub(crate) fn replace(
        &mut self,
        keys: &[String],
        new: Node,
        flag: &PlaceInPolicy,
    ) -> Result<(), Problem> {
        let path = self.path.clone();
        let Value::Table(entries) = &mut self.value else {
            let text = format!("`{path}` is {}, it has no keys", self.value.kind());
            return Err(flag.problem(ProblemCode::SetFlag, text, "set the whole value instead"));
        };
        let (key, rest) = keys
            .split_first()
            .expect("a dotted key has at least one part");
        let at = entries
            .iter()
            .position(|entry| entry.key == *key)
            .unwrap_or_else(|| {
                let node = Node {
                    path: join(&path, key),
                    place: flag.clone(),
                    value: Value::Table(Vec::new()),
                };
                entries.push(KeyedNode {
                    key: key.clone(),
                    place: flag.clone(),
                    node,
                });
                entries.len() - 1
            });
        match rest {
            [] => {
                entries[at].place = flag.clone();
                entries[at].node = new;
                Ok(())
            }
            _ => entries[at].node.replace(rest, new, flag),
        }
    }

    /// The entries of a table whose keys must all be known.
    pub fn fields(&self, known: &[&str]) -> Result<Fields<'_>, Problem> {
        let entries = self.entries()?;
        for entry in entries {
            if !known.contains(&entry.key.as_str()) {
                return Err(unknown_key(entry, &self.path, known));
            }
        }
        Ok(Fields {
            node: self,
            entries,
        })
    }

    /// The entries of a table of any keys.
    pub fn entries(&self) -> Result<&[KeyedNode], Problem> {
        match &self.value {
            Value::Table(entries) => Ok(entries),
            _ => Err(self.wrong("a table, such as { key = value }")),
        }
    }

    /// The same as manifests keep it.
    pub fn to_policy_value(&self) -> PolicyValue {
        match &self.value {
            Value::Text(text) => PolicyValue::Text(text.clone()),
            Value::Integer(digits) | Value::Float(digits) => number(digits),
            Value::Boolean(value) => PolicyValue::Boolean(*value),
            Value::Time => PolicyValue::Nothing,
            Value::List(items) => {
                PolicyValue::List(items.iter().map(Node::to_policy_value).collect())
            }
            Value::Table(entries) => {
                let mut table = PolicyTable::default();
                for entry in entries {
                    table.set(&entry.key, entry.node.to_policy_value());
                }
                PolicyValue::Table(table)
            }
        }
    }

    /// The whole tree as manifests keep it.
    pub fn to_document(&self) -> PolicyDocument {
        match self.to_policy_value() {
            PolicyValue::Table(sections) => PolicyDocument { sections },
            _ => PolicyDocument::default(),
        }
    }

    /// A problem with this value.
    pub fn problem(
        &self,
        code: ProblemCode,
        text: impl AsRef<str>,
        hint: impl Into<String>,
    ) -> Problem {
        self.place.problem(code, text, hint)
    }

    /// The value is of another type than the key takes.
    pub fn wrong(&self, expected: &str) -> Problem {
        let text = format!(
            "`{}` must be {expected}, found {}",
            self.path,
            self.value.kind()
        );
        self.problem(ProblemCode::WrongValue, text, format!("write {expected}"))
    }
}

/// The entries of a table with known keys.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    /// The table.
    pub node: &'a Node,
    /// Its entries, in the order written.
    pub entries: &'a [KeyedNode],
}

impl<'a> Fields<'a> {
    /// What a key is set to.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// A key and what it is set to.
    pub fn entry(&self, key: &str) -> Option<&'a KeyedNode> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// What a key that must be there is set to.
    pub fn require(&self, key: &str, example: &str) -> Result<&'a Node, Problem> {
        self.get(key).ok_or_else(|| {
            let text = format!("`{}` is missing", join(&self.node.path, key));
            self.node
                .problem(ProblemCode::MissingKey, text, format!("add {example}"))
        })
    }
}

impl Value {
    /// What it is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a string",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a decimal number",
            Value::Boolean(_) => "true or false",
            Value::Time => "a date or time",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// Keys of `[privacy]` that stand in every talk about anonymity.
const PROMISES: &[&str] = &["k", "l", "m", "t"];

fn unknown_key(entry: &KeyedNode, parent: &str, known: &[&str]) -> Problem {
    let place = if parent.is_empty() {
        "at the top".to_owned()
    } else {
        format!("in `{parent}`")
    };
    let suggestion = closest(&entry.key, known.iter().copied());
    let suggestion = suggestion.map_or(String::new(), |name| format!("did you mean `{name}`? "));
    // what people mean most often where they leave the section out
    let suggestion = if parent.is_empty() && PROMISES.contains(&entry.key.as_str()) {
        format!("did you mean `privacy.{}`? ", entry.key)
    } else {
        suggestion
    };
    let text = format!("unknown key `{}` {place}", entry.key);
    entry.place.problem(
        ProblemCode::UnknownKey,
        text,
        format!("{suggestion}valid keys: {}", known.join(", ")),
    )
}

fn entries(path: &str, source: &Arc<PolicyText>, table: &DeTable<'_>) -> Vec<KeyedNode> {
    let entry =
        |(key, value): (&Spanned<std::borrow::Cow<'_, str>>, &Spanned<DeValue<'_>>)| KeyedNode {
            key: key.get_ref().to_string(),
            place: PlaceInPolicy::new(source, key.span()),
            node: node(join(path, key.get_ref()), source, value),
        };
    table.iter().map(entry).collect()
}

fn node(path: String, source: &Arc<PolicyText>, value: &Spanned<DeValue<'_>>) -> Node {
    let place = PlaceInPolicy::new(source, value.span());
    let value = convert(&path, source, value.get_ref());
    Node { path, place, value }
}

fn convert(path: &str, source: &Arc<PolicyText>, value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(n) => match (n.radix(), i64::from_str_radix(n.as_str(), n.radix())) {
            (10, _) | (_, Err(_)) => Value::Integer(n.as_str().to_owned()),
            (_, Ok(n)) => Value::Integer(n.to_string()),
        },
        DeValue::Float(n) => Value::Float(n.as_str().to_owned()),
        DeValue::Boolean(b) => Value::Boolean(*b),
        DeValue::Datetime(_) => Value::Time,
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| node(path.to_owned(), source, item))
                .collect(),
        ),
        DeValue::Table(table) => Value::Table(entries(path, source, table)),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// The parts of a dotted key, quoted ones included.
fn dotted(key: &str) -> Option<Vec<String>> {
    let document = format!("{key} = 0");
    let table = DeTable::parse(&document).ok()?;
    let mut table = table.get_ref();
    let mut keys = Vec::new();
    loop {
        let (key, value) = table.iter().next().filter(|_| table.len() == 1)?;
        keys.push(key.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(keys),
        }
    }
}

fn syntax(source: &Arc<PolicyText>, error: &toml::de::Error) -> Problem {
    let place = PlaceInPolicy::new(source, error.span().unwrap_or(0..0));
    let text = error.message().lines().collect::<Vec<_>>().join(", ");
    place.problem_unseen(
        ProblemCode::PolicySyntax,
        text,
        "a policy is a TOML file, not a table; `mingle init TABLE` writes one",
    )
}
