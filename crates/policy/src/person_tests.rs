//! What a policy may say about people, and what is refused.

use super::*;
use std::path::Path;

const COLUMNS: &str = "[columns.patient_id]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                       [columns.disease]\nrole = \"sensitive\"\n";

fn policy(text: &str) -> Result<Policy, Problem> {
    let folders = crate::Folders::of(Path::new("policy.toml"));
    Policy::parse_at(Path::new("policy.toml"), text.to_owned(), &[], &folders)
}

fn said(data: &str, privacy: &str) -> Result<Policy, Problem> {
    policy(&format!(
        "[data]\n{data}\n{COLUMNS}[privacy]\nk = 2\n{privacy}\n"
    ))
}

/// The code, the line and whether the text and the hint say what they should.
fn refused(text: &str, code: ProblemCode, expected: &[&str]) {
    let problem = policy(text).err().unwrap_or_else(|| panic!("read: {text}"));
    assert_eq!(problem.code(), code, "{problem:?}");
    let shown = format!("{problem:?}").replace("\\\"", "\"");
    for word in expected {
        assert!(shown.contains(word), "{word} is not in {shown}");
    }
}

#[test]
fn what_is_not_said_has_its_default() {
    let policy = said("", "").unwrap();
    assert!(matches!(policy.data.people, DeclaredPeople::Unsaid));
    let privacy = policy.privacy().unwrap();
    assert_eq!(privacy.rows, PersonRows::Together);
    assert_eq!(privacy.knows, Knows::People);
    let policy = said("person = \"row\"", "").unwrap();
    assert!(matches!(policy.data.people, DeclaredPeople::EachRow));
}

#[test]
fn all_keys_are_read() {
    let policy = said(
        "person = \"patient_id\"\nperson_scope = \"provider\"",
        "rows = \"apart\"\nknows = \"rows\"",
    );
    let policy = policy.unwrap();
    let column = policy.data.people.column().unwrap();
    assert_eq!(column.name, "patient_id");
    assert_eq!(column.scope, PersonScope::Provider);
    let privacy = policy.privacy().unwrap();
    assert_eq!(privacy.rows, PersonRows::Apart);
    assert_eq!(privacy.knows, Knows::Rows);
    let outline = format!("[data]\nperson = \"patient_id\"\n{COLUMNS}");
    let outline = crate::PolicyOutline::of_text(&outline).unwrap();
    assert_eq!(outline.person.as_deref(), Some("patient_id"));
}

#[test]
fn a_builder_says_the_same() {
    let built = Policy::builder()
        .column("patient_id", Role::Identifier)
        .column("age", Role::QuasiIdentifier)
        .k(2)
        .person("patient_id")
        .person_scope(PersonScope::Provider)
        .rows_of_person(PersonRows::Apart)
        .coalition_knows(Knows::Rows)
        .build()
        .unwrap();
    let column = built.data.people.column().unwrap();
    assert_eq!(
        (column.name.as_str(), column.scope),
        ("patient_id", PersonScope::Provider)
    );
    assert_eq!(built.privacy().unwrap().rows, PersonRows::Apart);
    assert_eq!(built.privacy().unwrap().knows, Knows::Rows);
    let each = Policy::builder().column("age", Role::QuasiIdentifier).k(2);
    let each = each.each_row_is_one_person().build().unwrap();
    assert!(matches!(each.data.people, DeclaredPeople::EachRow));
}

#[test]
fn a_person_column_is_a_declared_identifier_that_every_table_has() {
    let with = |person: &str, columns: &str| {
        format!("[data]\nperson = \"{person}\"\n{columns}[privacy]\nk = 2\n")
    };
    refused(
        &with("patent_id", COLUMNS),
        ProblemCode::UnknownWord,
        &[
            "policy.toml:2",
            "no column `patent_id`",
            "did you mean \"patient_id\"",
            "person = \"row\"",
        ],
    );
    refused(
        &with("age", COLUMNS),
        ProblemCode::Contradiction,
        &[
            "policy.toml:2",
            "whose role is quasi-identifier",
            "role = \"identifier\" in [columns.age]",
        ],
    );
    refused(
        &with("disease", COLUMNS),
        ProblemCode::Contradiction,
        &["whose role is sensitive", "[columns.disease]"],
    );
    let optional = COLUMNS.replace("\"identifier\"\n", "\"identifier\"\noptional = true\n");
    refused(
        &with("patient_id", &optional),
        ProblemCode::Contradiction,
        &["optional = true", "every table"],
    );
}

#[test]
fn an_identifier_called_row_is_a_question() {
    let columns = COLUMNS.replace("patient_id", "row");
    refused(
        &format!("[data]\nperson = \"row\"\n{columns}[privacy]\nk = 2\n"),
        ProblemCode::Contradiction,
        &[
            "an identifier column is called `row`",
            "columns = { \"row\" = \"row_id\" }",
        ],
    );
    // in any other role it is no candidate
    let columns = format!("{COLUMNS}[columns.row]\nrole = \"drop\"\n");
    let other = policy(&format!(
        "[data]\nperson = \"row\"\n{columns}[privacy]\nk = 2\n"
    ));
    assert!(matches!(
        other.unwrap().data.people,
        DeclaredPeople::EachRow
    ));
}

#[test]
fn what_would_count_rows_as_people_is_refused() {
    let person = "[data]\nperson = \"patient_id\"\n";
    let separated = COLUMNS.replace("\"sensitive\"\n", "\"sensitive\"\nseparator = \";\"\n");
    let protocol = "[privacy]\nk = 2\n[protocol]\nsynchronizer = \"merge\"\naccept_leak = \"L2\"\npadded_size = 10\n";
    let dp = "[dp]\nepsilon = 1\nperson = \"patient_id\"\nrelease = \"marginals\"\n";
    let fragmented = "[privacy]\nk = 2\n[release]\nfragmented = true\n";
    let centroid =
        "[privacy]\nk = 2\nm = 0\n[method]\nname = \"microaggregation\"\noutput = \"centroid\"\n";
    for (rest, reason) in [
        (protocol, "[protocol]"),
        (fragmented, "fragmented = true"),
        (centroid, "output = \"centroid\""),
    ] {
        let code = ProblemCode::PersonRefused;
        refused(
            &format!("{person}{COLUMNS}{rest}"),
            code,
            &["`data.person`", reason, "policy.toml:2"],
        );
        refused(
            &format!("{separated}{rest}"),
            code,
            &["`columns.disease.separator`", reason],
        );
        let each_row = person.replace("patient_id", "row");
        assert!(
            policy(&format!("{each_row}{COLUMNS}{rest}")).is_ok(),
            "{reason}"
        );
    }
    let columns = "[columns.patient_id]\nrole = \"identifier\"\n[columns.sex]\nrole = \"quasi-identifier\"\n\
                   domain = [\"f\", \"m\"]\n";
    let noisy = policy(&format!("{person}{columns}{dp}"));
    let problem = noisy.err().unwrap();
    assert_eq!(problem.code(), ProblemCode::PersonRefused, "{problem:?}");
    assert!(problem.text().contains("[dp]"), "{problem:?}");
}

#[test]
fn keys_about_people_need_people() {
    for (data, privacy, key) in [
        ("person_scope = \"joint\"", "", "data.person_scope"),
        ("", "rows = \"together\"", "privacy.rows"),
        ("", "knows = \"rows\"", "privacy.knows"),
        ("person = \"row\"", "knows = \"people\"", "privacy.knows"),
    ] {
        let problem = said(data, privacy).err().unwrap();
        assert_eq!(problem.code(), ProblemCode::UselessKey, "{problem:?}");
        assert!(problem.text().contains(key), "{problem:?}");
    }
    let unknown = said("person = \"patient_id\"", "knows = \"all\"")
        .err()
        .unwrap();
    assert_eq!(unknown.code(), ProblemCode::UnknownWord);
}

#[test]
fn a_separator_is_for_one_sensitive_column() {
    let with = |columns: &str| format!("{columns}[privacy]\nk = 2\n");
    let separated = COLUMNS.replace("\"sensitive\"\n", "\"sensitive\"\nseparator = \";\"\n");
    let read = policy(&with(&separated)).unwrap();
    assert_eq!(read.separated().unwrap().separator.as_deref(), Some(";"));
    assert!(policy(&format!("{}rows = \"apart\"\n", with(&separated))).is_ok());
    let quasi = COLUMNS.replace(
        "\"quasi-identifier\"\n",
        "\"quasi-identifier\"\nseparator = \";\"\n",
    );
    refused(
        &with(&quasi),
        ProblemCode::UselessKey,
        &["columns.age.separator"],
    );
    refused(
        &with(&separated.replace("\";\"", "\"x\"")),
        ProblemCode::WrongValue,
        &["columns.disease.separator"],
    );
    let two = format!("{separated}[columns.drug]\nrole = \"sensitive\"\nseparator = \"|\"\n");
    refused(
        &with(&two),
        ProblemCode::Contradiction,
        &["`disease` and `drug`"],
    );
}

#[test]
fn a_history_is_about_the_same_people() {
    let columns = format!("{COLUMNS}[columns.ssn]\nrole = \"identifier\"\n");
    let text = format!(
        "[data]\nperson = \"patient_id\"\n{columns}[privacy]\nk = 2\n\
         [composition]\nhistory = \"history/\"\nperson = \"ssn\"\n"
    );
    refused(
        &text,
        ProblemCode::Contradiction,
        &["`patient_id`", "`ssn`"],
    );
    assert!(policy(&text.replace("person = \"ssn\"", "person = \"patient_id\"")).is_ok());
}

/// The promises of a policy, by name.
fn promised(data: &str, privacy: &str) -> Vec<&'static str> {
    let policy = said(data, privacy).unwrap();
    let promises = &policy.privacy().unwrap().promises;
    promises.iter().map(|promise| promise.rule.name()).collect()
}

#[test]
fn k_alone_bounds_how_many_rows_are_one_persons() {
    let person = "person = \"patient_id\"";
    let (k, share) = ("k-anonymity", "max-share-of-rows");
    assert_eq!(promised(person, ""), [k, share]);
    let half = said(person, "").unwrap().privacy().unwrap().promises[1].rule;
    let max = half.as_max_share_of_rows().unwrap();
    assert_eq!((max.numerator(), max.denominator()), (1, 2));
    // each row is one person
    assert_eq!(promised("", ""), [k]);
    assert_eq!(promised("person = \"row\"", ""), [k]);
    // another share is said, or another promise about values, which counts rows as well
    assert_eq!(promised(person, "max_share_of_rows = 0.25"), [k, share]);
    let quarter = said(person, "max_share_of_rows = 0.25").unwrap();
    let max = quarter.privacy().unwrap().promises[1].rule;
    assert_eq!(max.as_max_share_of_rows().unwrap().denominator(), 4);
    let diverse = promised(person, "l = { distinct = 2 }");
    assert!(!diverse.contains(&share), "{diverse:?}");
}
