//! Edits of a policy's text that leave everything else as it is: comments, order and spelling.

use super::json::written;
use super::source::PolicyText;
use super::tree::Node;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::{PolicyTable, PolicyValue};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Sets or removes one key.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyEdit {
    /// The keys from the top: `["privacy", "k"]`. Tables on the way are made.
    pub path: Vec<String>,
    /// What it is set to; nothing takes the key out.
    pub value: PolicyValue,
}

/// The text after all edits; a text that is no TOML is not edited.
pub fn apply(text: &str, edits: &[PolicyEdit]) -> Result<String, Problem> {
    if edits.is_empty() {
        return Ok(text.to_owned());
    }
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        let source = PolicyText::file("policy.toml".to_owned(), text.to_owned());
        // our own parser says where
        return Err(Node::parse(&source)
            .err()
            .unwrap_or_else(|| refused("the policy")));
    };
    for edit in edits {
        apply_one(document.as_table_mut(), edit).ok_or_else(|| refused(&edit.path.join(".")))?;
    }
    Ok(document.to_string())
}

/// Sets a key, or takes it out where the value is nothing.
pub fn change(path: &[&str], value: PolicyValue) -> PolicyEdit {
    PolicyEdit {
        path: path.iter().map(|&key| key.to_owned()).collect(),
        value,
    }
}

/// What a text says at a key, whatever else is wrong with it.
pub fn said(text: &str, path: &[&str]) -> Option<PolicyValue> {
    let table: toml::Table = text.parse().ok()?;
    let root = toml::Value::Table(table);
    let found = path.iter().try_fold(&root, |value, key| value.get(key))?;
    Some(to_policy_value(found))
}

fn to_policy_value(value: &toml::Value) -> PolicyValue {
    match value {
        toml::Value::String(text) => PolicyValue::Text(text.clone()),
        toml::Value::Integer(number) => PolicyValue::Integer((*number).into()),
        toml::Value::Float(number) if number.is_finite() => PolicyValue::Float(*number),
        toml::Value::Boolean(value) => PolicyValue::Boolean(*value),
        // no key takes an infinity, a date or a time
        toml::Value::Float(_) | toml::Value::Datetime(_) => PolicyValue::Nothing,
        toml::Value::Array(items) => PolicyValue::List(items.iter().map(to_policy_value).collect()),
        toml::Value::Table(entries) => {
            let mut table = PolicyTable::default();
            for (key, value) in entries {
                table.set(key, to_policy_value(value));
            }
            PolicyValue::Table(table)
        }
    }
}

fn refused(what: &str) -> Problem {
    Problem::new(
        ProblemCode::WrongEdit,
        format!("{what} cannot be changed that way"),
        "edit the policy's text instead",
    )
}

fn apply_one(root: &mut Table, edit: &PolicyEdit) -> Option<()> {
    let (key, way) = edit.path.split_last()?;
    let mut table: &mut dyn TableLike = root;
    for (depth, step) in way.iter().enumerate() {
        if edit.value == PolicyValue::Nothing && !table.contains_key(step) {
            return Some(());
        }
        table = enter(table, step, depth + 1 == way.len())?;
    }
    match &edit.value {
        PolicyValue::Nothing => {
            table.remove(key);
        }
        value => set(table, key, to_toml(value)?),
    }
    Some(())
}

/// The table of that name. `[columns]` itself is never written, only what is in it.
fn enter<'a>(table: &'a mut dyn TableLike, key: &str, last: bool) -> Option<&'a mut dyn TableLike> {
    let item = table.entry(key).or_insert_with(|| {
        let mut made = Table::new();
        made.set_implicit(!last);
        Item::Table(made)
    });
    item.as_table_like_mut()
}

/// A value that is there keeps the comment behind it.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// Numbers as JSON writes them: 0.2 stays 0.2.
fn to_toml(value: &PolicyValue) -> Option<Value> {
    Some(match value {
        PolicyValue::Nothing => return None,
        PolicyValue::Boolean(flag) => (*flag).into(),
        PolicyValue::Integer(number) => match i64::try_from(*number) {
            Ok(whole) => whole.into(),
            // TOML's whole numbers have 64 bits with a sign: its own reader refuses what has more
            Err(_) => number.to_string().parse().ok()?,
        },
        PolicyValue::Float(_) => written(value).parse().ok()?,
        PolicyValue::Text(text) => text.as_str().into(),
        PolicyValue::List(items) => {
            Value::Array(items.iter().map(to_toml).collect::<Option<Array>>()?)
        }
        PolicyValue::Table(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries.iter() {
                table.insert(key, to_toml(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn edited(text: &str, path: &[&str], value: Json) -> Result<String, Problem> {
        let value = serde_json::from_value(value).unwrap();
        apply(text, &[change(path, value)])
    }

    #[test]
    fn comments_and_order_stay() {
        let text = "# top\n[privacy]\nm = 1    # insiders\nk = 3\n\n[columns.zip]   # a code\nrole = \"sensitive\" # secret\n";
        let text = edited(text, &["privacy", "m"], json!(2)).unwrap();
        let text = edited(
            &text,
            &["columns", "zip", "role"],
            json!("quasi-identifier"),
        )
        .unwrap();
        let text = edited(
            &text,
            &["columns", "zip", "hierarchy"],
            json!({ "mask": 5 }),
        )
        .unwrap();
        let text = edited(
            &text,
            &["privacy", "t"],
            json!({ "max": 0.2, "distance": "equal" }),
        )
        .unwrap();
        assert_eq!(
            text,
            "# top\n[privacy]\nm = 2    # insiders\nk = 3\nt = { max = 0.2, distance = \"equal\" }\n\n[columns.zip]   # a code\n\
             role = \"quasi-identifier\" # secret\nhierarchy = { mask = 5 }\n"
        );
    }

    #[test]
    fn keys_and_sections_come_and_go() {
        let text = edited("", &["columns", "a b", "role"], json!("sensitive")).unwrap();
        assert_eq!(text, "[columns.\"a b\"]\nrole = \"sensitive\"\n");
        assert_eq!(edited(&text, &["columns", "a b"], Json::Null).unwrap(), "");
        assert_eq!(
            edited("[a]\nb = 1\n", &["a", "c", "d"], Json::Null).unwrap(),
            "[a]\nb = 1\n"
        );
        assert_eq!(
            edited("[a]\nb = 1\n", &["a", "b"], Json::Null).unwrap(),
            "[a]\n"
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let code = |result: Result<String, Problem>| result.err().map(|p| p.code());
        assert_eq!(
            code(edited("[a\nb = 1", &["a", "b"], json!(2))),
            Some(ProblemCode::PolicySyntax)
        );
        assert_eq!(
            code(edited("a = 1", &["a", "b"], json!(2))),
            Some(ProblemCode::WrongEdit)
        );
        assert_eq!(
            code(edited("a = 1", &[], json!(2))),
            Some(ProblemCode::WrongEdit)
        );
        assert_eq!(
            code(edited("", &["a"], json!([null]))),
            Some(ProblemCode::WrongEdit)
        );
    }

    #[test]
    fn numbers_are_written_as_json_writes_them() {
        for (number, shown) in [
            ("5", "5"),
            ("-5", "-5"),
            ("0.2", "0.2"),
            ("1.0", "1.0"),
            ("-0.0", "-0.0"),
            ("0.00001", "0.00001"),
            ("1e300", "1e+300"),
        ] {
            let value: Json = serde_json::from_str(number).unwrap();
            let text = edited("", &["a"], value).unwrap();
            assert_eq!(text, format!("a = {shown}\n"), "{number}");
        }
        // beyond TOML's 64 bits
        assert!(edited("", &["a"], json!(u64::MAX)).is_err());
        for number in [f64::NAN, f64::INFINITY] {
            let edit = change(&["a"], PolicyValue::Float(number));
            assert!(apply("", &[edit]).is_err());
        }
    }

    #[test]
    fn what_is_said_can_be_written_again() {
        let text = "[a]\nb = [1, 0.5, \"x\", { c = true }]\n";
        let value = said(text, &["a", "b"]).unwrap();
        assert_eq!(apply(text, &[change(&["a", "b"], value)]).unwrap(), text);
        assert_eq!(said(text, &["a", "c"]), None);
        assert_eq!(said("[a", &["a"]), None);
    }
}
