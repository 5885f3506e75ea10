//! File names for sensitive columns: `sa_<column>.csv`, whatever the column is called.
//!
//! A name must work on every file system a release may be copied to: no separators or control
//! characters, none of the signs that Windows reserves, not too long, and no two that differ in
//! case only. Columns that come out alike are told apart by a number, in the order of the columns,
//! so the names follow from the columns alone.

use std::collections::HashSet;

/// Bytes of a column's name that are kept: file systems take 255 for the whole name.
const LONGEST: usize = 180;

/// A file name per column, all different.
pub(super) fn sensitive(columns: &[String], extension: &str) -> Vec<String> {
    let mut taken = HashSet::new();
    columns
        .iter()
        .map(|column| format!("{}.{extension}", free(&safe(column), &mut taken)))
        .collect()
}

fn safe(column: &str) -> String {
    let reserved = |c: char| c.is_control() || r#"/\<>:"|?*"#.contains(c);
    let mut name = String::from("sa_");
    for c in column.chars() {
        let c = if reserved(c) { '_' } else { c };
        if name.len() + c.len_utf8() > LONGEST {
            break;
        }
        name.push(c);
    }
    name
}

/// The name, with a number behind it if somebody has it already.
fn free(name: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2u64..).map(|n| format!("{name}_{n}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    names
        .find(|name| taken.insert(name.to_lowercase()))
        .expect("there are more numbers than columns")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(columns: &[&str]) -> Vec<String> {
        sensitive(
            &columns.iter().map(|c| (*c).to_owned()).collect::<Vec<_>>(),
            "csv",
        )
    }

    #[test]
    fn plain_names_stay() {
        assert_eq!(
            named(&["disease", "größe", "a b.c"]),
            ["sa_disease.csv", "sa_größe.csv", "sa_a b.c.csv"]
        );
    }

    #[test]
    fn names_never_leave_the_folder() {
        let names = named(&[
            "../../etc/passwd",
            "..",
            "a\\b",
            "nul\0byte",
            "line\nfeed",
            "",
            "C:",
            "*",
        ]);
        assert_eq!(names[0], "sa_.._.._etc_passwd.csv");
        assert!(
            names
                .iter()
                .all(|n| n.starts_with("sa_") && !n.contains(['/', '\\', '\0', '\n', ':', '*'])),
            "{names:?}"
        );
    }

    #[test]
    fn columns_that_come_out_alike_are_numbered() {
        let names = named(&["a/b", "a_b", "a_b_2", "A_B", "a\\b"]);
        assert_eq!(
            names,
            [
                "sa_a_b.csv",
                "sa_a_b_2.csv",
                "sa_a_b_2_2.csv",
                "sa_A_B_3.csv",
                "sa_a_b_4.csv"
            ]
        );
    }

    #[test]
    fn long_names_are_cut_at_a_character() {
        let long = "ü".repeat(400);
        let names = named(&[&long, &format!("{long}x")]);
        assert!(names.iter().all(|n| n.len() < 200), "{names:?}");
        assert_ne!(names[0], names[1]);
    }
}
