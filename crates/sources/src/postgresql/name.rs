//! Names of tables and schemas as SQL has them: `patients`, `clinic.patients`, `"Clinic"."a.b"`.
//!
//! A name without quotes is folded to lower case, as the server does it. Whatever is sent to the
//! server is quoted again, so that a name can never be anything but a name.

use mingle_io::DatabaseFlaw;

/// A table, perhaps with its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableName {
    parts: Vec<String>,
}

impl TableName {
    /// One name or two, with a dot in between.
    pub(crate) fn read(text: &str) -> Result<TableName, DatabaseFlaw> {
        let wrong = || DatabaseFlaw::Name(text.to_owned());
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            let (name, after) = first_name(rest).ok_or_else(wrong)?;
            parts.push(name);
            match after.strip_prefix('.') {
                Some(next) => rest = next,
                None if after.is_empty() => break,
                None => return Err(wrong()),
            }
        }
        if parts.len() > 2 {
            return Err(wrong());
        }
        Ok(TableName { parts })
    }

    /// As the server takes it.
    pub(crate) fn quoted(&self) -> String {
        let mut text = String::new();
        for part in &self.parts {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&quoted(part));
        }
        text
    }

    /// The name, if it is one without a schema.
    pub(crate) fn single(mut self) -> Option<String> {
        if self.parts.len() == 1 {
            self.parts.pop()
        } else {
            None
        }
    }
}

/// An identifier in double quotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text as a constant, whatever `standard_conforming_strings` says.
pub(crate) fn literal(text: &str) -> String {
    let doubled = text.replace('\\', "\\\\").replace('\'', "''");
    format!("E'{doubled}'")
}

/// The name that a text starts with, and what follows it.
fn first_name(text: &str) -> Option<(String, &str)> {
    if let Some(inside) = text.strip_prefix('"') {
        let mut name = String::new();
        let mut rest = inside;
        loop {
            let end = rest.find('"')?;
            name.push_str(&rest[..end]);
            rest = &rest[end + 1..];
            match rest.strip_prefix('"') {
                Some(after) => {
                    name.push('"');
                    rest = after;
                }
                None => break,
            }
        }
        let usable = !name.is_empty() && !name.contains('\0');
        return usable.then_some((name, rest));
    }
    let end = text.find('.').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut characters = name.chars();
    let starts = characters
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_');
    let goes_on = characters.all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    // the server folds ASCII only where its encoding has several bytes a character
    (starts && goes_on).then(|| (name.to_ascii_lowercase(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_sql_reads_them() {
        for (text, quoted) in [
            ("patients", r#""patients""#),
            ("Clinic.Patients", r#""clinic"."patients""#),
            (r#""Clinic"."a.b""#, r#""Clinic"."a.b""#),
            (r#""say ""hi""""#, r#""say ""hi""""#),
            ("été", r#""été""#),
        ] {
            assert_eq!(TableName::read(text).unwrap().quoted(), quoted);
        }
        for text in [
            "",
            ".",
            "a.",
            ".a",
            "a b",
            "a;drop table x",
            "\"a",
            "\"\"",
            "1a",
            "a.b.c",
            "a\"b\"",
            "a--",
            "\"a\"b",
        ] {
            assert!(TableName::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn constants_cannot_be_left() {
        assert_eq!(literal(r"a'b\'c"), r"E'a''b\\''c'");
    }
}
