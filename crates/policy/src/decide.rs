//! Columns that a proposal leaves to somebody: a mark in the comment above their role.
//!
//! The mark is part of the text, so that a policy is read with it wherever it is opened, and
//! disappears from the text once somebody has decided.

use toml_edit::{Decor, DocumentMut, Item};

/// Begins the reason of a role that is not decided about.
pub const MARK: &str = "DECIDE: ";

/// The columns that wait for a decision, in the order of the text; none where it is no TOML.
pub fn waiting(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let Ok(document) = text.parse::<DocumentMut>() else {
        return names;
    };
    let Some(columns) = document.get("columns").and_then(Item::as_table_like) else {
        return names;
    };
    for (name, column) in columns.iter() {
        let role = column.as_table_like().and_then(|column| column.key("role"));
        let above = role.map(|key| comment(key.leaf_decor()));
        if above.is_some_and(|above| above.lines().any(is_marked)) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The text with the column decided about: its reason stays, without the mark.
pub fn decided(text: &str, column: &str) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else {
        return text.to_owned();
    };
    let entry = document.get_mut("columns").and_then(|columns| {
        let columns = columns.as_table_like_mut()?;
        columns.get_mut(column)?.as_table_like_mut()
    });
    let Some(mut role) = entry.and_then(|entry| entry.key_mut("role")) else {
        return text.to_owned();
    };
    let above = comment(role.leaf_decor());
    let mut without = String::with_capacity(above.len());
    for line in above.split_inclusive('\n') {
        if is_marked(line) {
            without += &line.replacen(MARK, "", 1);
        } else {
            without += line;
        }
    }
    role.leaf_decor_mut().set_prefix(without);
    document.to_string()
}

/// What stands before a key.
fn comment(decor: &Decor) -> String {
    let text = decor.prefix().and_then(|prefix| prefix.as_str());
    text.unwrap_or_default().to_owned()
}

fn is_marked(line: &str) -> bool {
    let comment = line.trim_start().strip_prefix('#');
    comment.is_some_and(|comment| comment.trim_start().starts_with(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# 2 columns are left out: look for DECIDE: here
[columns.\"a b\"]
# code: 3 distinct
# DECIDE: a code of few rows; eight others are
# better known
role = \"drop\"

[columns.c]
# a person DECIDE: d
role = \"drop\"

[columns]
d = { role = \"drop\" }

[columns.e]
  #   DECIDE: twice
role = \"drop\"             # as long as it lasts
";

    #[test]
    fn only_marks_above_a_role_count() {
        assert_eq!(waiting(TEXT), ["a b", "e"]);
        assert_eq!(waiting("role = "), [""; 0]);
        assert_eq!(waiting("columns = 3"), [""; 0]);
    }

    #[test]
    fn a_decision_takes_the_mark_and_nothing_else() {
        let text = decided(TEXT, "a b");
        assert_eq!(waiting(&text), ["e"]);
        assert_eq!(text, TEXT.replace("# DECIDE: a code", "# a code"));
        let text = decided(&text, "e");
        assert_eq!(waiting(&text), [""; 0]);
        for other in ["c", "d", "nobody"] {
            assert_eq!(decided(TEXT, other), TEXT, "{other}");
        }
        assert_eq!(decided("[", "c"), "[");
    }
}
