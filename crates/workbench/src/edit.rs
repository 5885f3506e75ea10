//! Edits of a policy's text that leave everything else as it is: comments, order and spelling.

use mingle_page::protocol::Edit;
use mingle_policy::{Node, Source};
use mingle_record::Code;
use mingle_record::Problem;
use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// The text after all edits; a text that is no TOML is not edited.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Problem> {
    if edits.is_empty() {
        return Ok(text.to_owned());
    }
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        let source = Source::file("policy.toml".to_owned(), text.to_owned());
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

/// Sets a key, or takes it out where the value is null.
pub fn change(path: &[&str], value: Json) -> Edit {
    Edit {
        path: path.iter().map(|&key| key.to_owned()).collect(),
        value,
    }
}

/// What a text says at a key, whatever else is wrong with it.
pub fn said(text: &str, path: &[&str]) -> Option<Json> {
    let table: toml::Table = text.parse().ok()?;
    let root = toml::Value::Table(table);
    let found = path.iter().try_fold(&root, |value, key| value.get(key))?;
    serde_json::to_value(found).ok()
}

fn refused(what: &str) -> Problem {
    Problem::new(
        Code::WrongEdit,
        format!("{what} cannot be changed that way"),
        "edit the policy's text instead",
    )
}

fn apply_one(root: &mut Table, edit: &Edit) -> Option<()> {
    let (key, way) = edit.path.split_last()?;
    let mut table: &mut dyn TableLike = root;
    for (depth, step) in way.iter().enumerate() {
        if edit.value.is_null() && !table.contains_key(step) {
            return Some(());
        }
        table = enter(table, step, depth + 1 == way.len())?;
    }
    match &edit.value {
        Json::Null => {
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
fn to_toml(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(flag) => (*flag).into(),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => whole.into(),
            None => number.to_string().parse().ok()?,
        },
        Json::String(text) => text.as_str().into(),
        Json::Array(items) => Value::Array(items.iter().map(to_toml).collect::<Option<Array>>()?),
        Json::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, value) in entries {
                table.insert(key, to_toml(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edited(text: &str, path: &[&str], value: Json) -> Result<String, Problem> {
        apply(
            text,
            &[Edit {
                path: path.iter().map(|&p| p.to_owned()).collect(),
                value,
            }],
        )
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
            Some(Code::PolicySyntax)
        );
        assert_eq!(
            code(edited("a = 1", &["a", "b"], json!(2))),
            Some(Code::WrongEdit)
        );
        assert_eq!(code(edited("a = 1", &[], json!(2))), Some(Code::WrongEdit));
        assert_eq!(
            code(edited("", &["a"], json!([null]))),
            Some(Code::WrongEdit)
        );
    }
}
