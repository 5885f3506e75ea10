//! A policy built in code instead of read from a file.
//!
//! What is built is the tree that a file would be read into, and it is read by the same code: there
//! is one set of keys, one meaning and one list of refusals, whoever writes the policy.

use super::keys;
use crate::Policy;
use crate::folders::Folders;
use crate::person::{self, PersonScope};
use crate::source::{PlaceInPolicy, PolicyText};
use crate::tree::{KeyedNode, Node, Value};
use mingle_model::{PersonRows, Role};
use mingle_privacy::Knows;
use mingle_record::{Problem, ProblemCode};
use std::path::Path;

/// Where a policy that was built in code says that it stands.
const NAME: &str = "policy";

/// Collects the keys of a policy. Nothing is checked before [`build`](PolicyBuilder::build).
///
/// ```
/// use mingle_model::Role;
/// use mingle_policy::Policy;
///
/// let policy = Policy::builder()
///     .column("age", Role::QuasiIdentifier)
///     .column("zip", Role::QuasiIdentifier)
///     .set("columns.zip.hierarchy.mask", 5)
///     .column("disease", Role::Sensitive)
///     .k(3)
///     .set("privacy.l.distinct", 2)
///     .m(1)
///     .build()?;
/// assert_eq!(policy.k(), 3);
/// # Ok::<(), mingle_record::Problem>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    settings: Vec<(Vec<String>, BuiltValue)>,
}

impl PolicyBuilder {
    /// Declares a column; its kind and hierarchy are set by keys such as `columns.age.kind`.
    pub fn column(self, name: &str, role: Role) -> PolicyBuilder {
        self.put(&[keys::COLUMNS, name, keys::column::ROLE], role.name())
    }

    /// Promises groups of at least so many.
    pub fn k(self, k: u64) -> PolicyBuilder {
        self.put(&[keys::PRIVACY, "k"], k)
    }

    /// Promises it against any so many providers who collude.
    pub fn m(self, m: u64) -> PolicyBuilder {
        self.put(&[keys::PRIVACY, keys::privacy::M], m)
    }

    /// Says whose rows belong together: the identifier that tells people apart.
    pub fn person(self, column: &str) -> PolicyBuilder {
        self.put(&[keys::DATA, keys::data::PERSON], column)
    }

    /// Says that each row is one person.
    pub fn each_row_is_one_person(self) -> PolicyBuilder {
        self.put(&[keys::DATA, keys::data::PERSON], person::ROW)
    }

    /// Says whether two providers mean the same person by the same identifier.
    pub fn person_scope(self, scope: PersonScope) -> PolicyBuilder {
        self.put(&[keys::DATA, keys::data::PERSON_SCOPE], scope.name())
    }

    /// Says where the rows of a person are published.
    pub fn rows_of_person(self, rows: PersonRows) -> PolicyBuilder {
        self.put(&[keys::PRIVACY, keys::privacy::ROWS], rows.name())
    }

    /// Says what providers who collude know about the people whose rows they have.
    pub fn coalition_knows(self, knows: Knows) -> PolicyBuilder {
        self.put(&[keys::PRIVACY, keys::privacy::KNOWS], knows.name())
    }

    /// Chooses the method that makes groups.
    pub fn method(self, name: &str) -> PolicyBuilder {
        self.put(&[keys::METHOD, keys::method::NAME], name)
    }

    /// Sets any key of the policy file by its dotted path, such as `privacy.t.max`. A key that holds
    /// a point itself is set with [`put`](PolicyBuilder::put).
    pub fn set(self, path: &str, value: impl Into<BuiltValue>) -> PolicyBuilder {
        let keys: Vec<&str> = path.split('.').collect();
        self.put(&keys, value)
    }

    /// The same with the keys one by one.
    pub fn put(mut self, keys: &[&str], value: impl Into<BuiltValue>) -> PolicyBuilder {
        let keys = keys.iter().map(|&key| key.to_owned()).collect();
        self.settings.push((keys, value.into()));
        self
    }

    /// The policy, if it makes sense. Names of files in it are relative to the current folder.
    pub fn build(self) -> Result<Policy, Problem> {
        self.build_in(Path::new(""))
    }

    /// The same, with names of files relative to a folder.
    pub fn build_in(self, folder: &Path) -> Result<Policy, Problem> {
        let path = &folder.join(NAME);
        let source = PolicyText::own_flag(NAME, "");
        let place = PlaceInPolicy::new(&source, 0..0);
        let mut root = Node {
            path: String::new(),
            place,
            value: Value::Table(Vec::new()),
        };
        for (keys, value) in self.settings {
            let source = PolicyText::own_flag(&keys.join("."), "");
            let place = PlaceInPolicy::new(&source, 0..0);
            if keys.iter().any(String::is_empty) {
                let hint = "name every key on the way to the value";
                return Err(place.problem(ProblemCode::SetFlag, "an empty key", hint));
            }
            let node = value.into_node(keys.join("."), &place);
            root.replace(&keys, node, &place)?;
        }
        Policy::from_tree(path, root, &Folders::of(path))
    }
}

/// What a key is set to.
#[derive(Clone, Debug, PartialEq)]
pub enum BuiltValue {
    /// A word or a text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number; its shortest decimal form is taken exactly, 0.2 is one fifth.
    Decimal(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A list.
    List(Vec<BuiltValue>),
    /// A table of keys, in the order written.
    Table(Vec<(String, BuiltValue)>),
}

impl BuiltValue {
    fn into_node(self, path: String, place: &PlaceInPolicy) -> Node {
        let value = match self {
            BuiltValue::Text(text) => Value::Text(text),
            BuiltValue::Whole(number) => Value::Integer(number.to_string()),
            BuiltValue::Decimal(number) => Value::Float(format!("{number:?}")),
            BuiltValue::Flag(flag) => Value::Boolean(flag),
            BuiltValue::List(items) => {
                let mut nodes = Vec::new();
                for item in items {
                    nodes.push(item.into_node(path.clone(), place));
                }
                Value::List(nodes)
            }
            BuiltValue::Table(entries) => {
                let mut nodes = Vec::new();
                for (key, value) in entries {
                    let below = format!("{path}.{key}");
                    nodes.push(KeyedNode {
                        node: value.into_node(below, place),
                        place: place.clone(),
                        key,
                    });
                }
                Value::Table(nodes)
            }
        };
        Node {
            path,
            place: place.clone(),
            value,
        }
    }
}

impl From<&str> for BuiltValue {
    fn from(text: &str) -> BuiltValue {
        BuiltValue::Text(text.to_owned())
    }
}

impl From<String> for BuiltValue {
    fn from(text: String) -> BuiltValue {
        BuiltValue::Text(text)
    }
}

impl From<i32> for BuiltValue {
    fn from(number: i32) -> BuiltValue {
        BuiltValue::Whole(number.into())
    }
}

impl From<i64> for BuiltValue {
    fn from(number: i64) -> BuiltValue {
        BuiltValue::Whole(number)
    }
}

impl From<u64> for BuiltValue {
    /// No key takes a number that does not fit; such a one is refused like any that is too large.
    fn from(number: u64) -> BuiltValue {
        BuiltValue::Whole(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<f64> for BuiltValue {
    fn from(number: f64) -> BuiltValue {
        BuiltValue::Decimal(number)
    }
}

impl From<bool> for BuiltValue {
    fn from(flag: bool) -> BuiltValue {
        BuiltValue::Flag(flag)
    }
}

impl<T: Into<BuiltValue>> From<Vec<T>> for BuiltValue {
    fn from(items: Vec<T>) -> BuiltValue {
        BuiltValue::List(items.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn medical() -> PolicyBuilder {
        Policy::builder()
            .column("age", Role::QuasiIdentifier)
            .column("disease", Role::Sensitive)
            .k(3)
    }

    #[test]
    fn what_is_built_is_what_a_file_says() {
        let built = medical()
            .m(1)
            .set("privacy.l.entropy", 2.5)
            .set("privacy.t.max", 0.2)
            .set("columns.age.hierarchy.intervals", vec![5, 10])
            .set("release.fragmented", true)
            .method("mondrian")
            .build()
            .unwrap();
        let text = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [5, 10] }\n\
                    [columns.disease]\nrole = \"sensitive\"\n\
                    [privacy]\nk = 3\nm = 1\nl = { entropy = 2.5 }\nt = { max = 0.2 }\n\
                    [release]\nfragmented = true\n[method]\nname = \"mondrian\"\n";
        let path = Path::new("p.toml");
        let read = Policy::parse_at(path, text.to_owned(), &[], &Folders::of(path)).unwrap();
        assert_eq!(
            built.privacy().unwrap().promises,
            read.privacy().unwrap().promises
        );
        assert_eq!(built.privacy().unwrap().m, read.privacy().unwrap().m);
        assert_eq!(built.method.name, read.method.name);
        assert_eq!(built.document, read.document);
    }

    #[test]
    fn what_a_file_may_not_say_is_refused_as_well() {
        let code = |builder: PolicyBuilder| builder.build().err().map(|problem| problem.code());
        assert_eq!(
            code(medical().set("privacy.kk", 3)),
            Some(ProblemCode::UnknownKey)
        );
        assert_eq!(code(medical().k(0)), Some(ProblemCode::OutOfRange));
        assert_eq!(
            code(medical().set("privacy.t.max", f64::NAN)),
            Some(ProblemCode::OutOfRange)
        );
        assert_eq!(
            code(medical().set("privacy..k", 3)),
            Some(ProblemCode::SetFlag)
        );
        assert_eq!(code(Policy::builder().k(3)), Some(ProblemCode::MissingKey));
    }

    #[test]
    fn a_refusal_names_the_key() {
        let problem = medical().set("privacy.kk", 3).build().err().unwrap();
        assert!(problem.text().contains("privacy.kk"), "{problem}");
    }
}
