//! What is found, warned of and refused about people, on tables in memory.

use super::*;
use crate::inputs::Inputs;
use crate::publish::plan;
use crate::run::Run;
use mingle_io::TextTable;

const POLICY: &str = "[columns.id]\nrole = \"identifier\"\n[columns.sex]\nrole = \"quasi-identifier\"\n\
                      [columns.birth_year]\nrole = \"quasi-identifier\"\n[columns.zip]\nrole = \"quasi-identifier\"\n\
                      [columns.ill]\nrole = \"sensitive\"\n[privacy]\nk = 2\n";

fn policy(data: &str) -> Policy {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = format!("[data]\n{data}\n{POLICY}");
    std::io::Write::write_all(&mut file.as_file(), text.as_bytes()).unwrap();
    Policy::read(file.path()).unwrap_or_else(|e| panic!("{e}"))
}

type Person = (&'static str, &'static str, &'static str);

/// Identifier, sex and year of birth of each row.
fn inputs(rows: &[Person]) -> Inputs {
    let cells = |cell: fn(&Person) -> String| rows.iter().map(cell).collect::<Vec<_>>();
    let columns = [
        ("id", cells(|row| row.0.to_owned())),
        ("sex", cells(|row| row.1.to_owned())),
        ("birth_year", cells(|row| row.2.to_owned())),
        ("zip", cells(|_| "12345".to_owned())),
        ("ill", cells(|row| format!("of {}", row.2))),
    ];
    Inputs::table(TextTable::new("m", columns).ok().unwrap())
}

const ONE_EACH: &[Person] = &[("a", "f", "1950"), ("b", "m", "1960"), ("c", "f", "1970")];
const VISITS: &[Person] = &[
    ("a", "f", "1950"),
    ("b", "m", "1960"),
    ("a", "m", "1950"),
    ("A ", "f", "1970"),
    ("b", "?", "1960"),
];

/// The code of a plan that fails, and the codes of its warnings.
fn failed(data: &str, rows: &[Person]) -> (ProblemCode, Vec<ProblemCode>) {
    let policy = policy(data);
    let failed = plan(&policy, inputs(rows), &Run::default()).err().unwrap();
    let warnings = failed.warnings.iter().map(Problem::code).collect();
    (failed.problem.code(), warnings)
}

#[test]
fn repeats_are_a_finding_unless_somebody_has_said_whose_rows_they_are() {
    let (code, _) = failed("", VISITS);
    assert_eq!(code, ProblemCode::RowsAreNotPeople);
    let policy = policy("");
    let failed = plan(&policy, inputs(VISITS), &Run::default())
        .err()
        .unwrap();
    let text = failed.problem.text();
    let said =
        "column \"id\" repeats: 5 rows have 3 different identifiers, up to 2 have the same one";
    assert!(text.starts_with(said), "{text}");
    for data in ["person = \"row\"", "undeclared = \"drop\""] {
        let policy = self::policy(data);
        let rows = if data.starts_with("person") {
            VISITS
        } else {
            ONE_EACH
        };
        assert!(
            plan(&policy, inputs(rows), &Run::default()).is_ok(),
            "{data}"
        );
    }
}

#[test]
fn what_is_odd_about_people_is_warned_of_without_names() {
    let policy = policy("person = \"id\"");
    let plan = plan(&policy, inputs(VISITS), &Run::default());
    let plan = plan.unwrap_or_else(|e| panic!("{}", e.problem));
    let codes: Vec<ProblemCode> = plan.warnings().iter().map(Problem::code).collect();
    assert_eq!(
        codes,
        [
            ProblemCode::PersonSpelledApart,
            ProblemCode::ChangesWithinPerson
        ]
    );
    let texts: Vec<&str> = plan.warnings().iter().map(Problem::text).collect();
    assert_eq!(
        texts[0],
        "column \"id\": 3 identifiers become 2 when case is ignored"
    );
    // b has a missing sex beside the one that is known, which is no other one
    assert_eq!(
        texts[1],
        "column \"sex\" differs between the rows of one person for 1 of 3 people"
    );
}

#[test]
fn one_row_a_person_is_published_as_without_a_person() {
    let mut tables = Vec::new();
    for data in [
        "",
        "person = \"row\"",
        "person = \"id\"",
        "person = \"id\"\nperson_scope = \"provider\"",
    ] {
        let policy = policy(data);
        let plan = plan(&policy, inputs(ONE_EACH), &Run::default());
        let release = plan
            .unwrap_or_else(|e| panic!("{}", e.problem))
            .publish()
            .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut release = release;
        release
            .write(crate::publish::ReleaseFolder::at(&out))
            .unwrap_or_else(|e| panic!("{e}"));
        tables.push(std::fs::read(out.join("public/data.csv")).unwrap());
    }
    assert!(tables.iter().all(|table| *table == tables[0]));
}

#[test]
fn a_person_with_very_many_rows_is_warned_of() {
    let mut rows = vec![("a", "f", "1950"); 10_000];
    rows.push(("b", "m", "1960"));
    // nobody may own more than half of a group's rows, and she owns more than half of all
    let (code, warnings) = failed("person = \"id\"", &rows);
    assert_eq!(code, ProblemCode::NoRelease);
    assert_eq!(warnings, [ProblemCode::ManyRowsOfOne]);
    rows.extend(vec![("b", "m", "1960"); 10_000]);
    rows.push(("c", "m", "1960"));
    let policy = policy("person = \"id\"");
    let plan = plan(&policy, inputs(&rows), &Run::default());
    let plan = plan.unwrap_or_else(|e| panic!("{}", e.problem));
    let codes: Vec<ProblemCode> = plan.warnings().iter().map(Problem::code).collect();
    assert_eq!(codes, [ProblemCode::ManyRowsOfOne]);
}

#[test]
fn missing_identifiers_and_one_for_all_are_refused() {
    let (code, _) = failed("person = \"id\"", &[("a", "f", "1950"), ("", "m", "1960")]);
    assert_eq!(code, ProblemCode::PersonMissing);
    let (code, _) = failed("person = \"id\"", &[("a", "f", "1950"), ("a", "m", "1960")]);
    assert_eq!(code, ProblemCode::EverybodyIsOne);
}

/// From the definition: the rows that have her one value are exactly hers, and she has several.
fn linked_by_definition(rows: &[[usize; 2]]) -> (u64, u64) {
    let (mut linked, mut several) = (0, 0);
    for person in 0..6 {
        let hers: Vec<usize> = (0..rows.len()).filter(|&r| rows[r][0] == person).collect();
        if hers.len() < 2 {
            continue;
        }
        several += 1;
        for value in 1..5 {
            let with: Vec<usize> = (0..rows.len()).filter(|&r| rows[r][1] == value).collect();
            linked += u64::from(with == hers);
        }
    }
    (linked, several)
}

#[test]
fn columns_that_link_rows_are_warned_of_as_the_definition_says() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let policy = "[data]\nperson = \"id\"\n[columns.id]\nrole = \"identifier\"\n[columns.ward]\n\
                  role = \"insensitive\"\nkind = \"category\"\n[privacy]\nk = 2\n";
    std::io::Write::write_all(&mut file.as_file(), policy.as_bytes()).unwrap();
    let policy = Policy::read(file.path()).unwrap_or_else(|e| panic!("{e}"));
    let (mut seed, mut found, mut silent) = (18u64, 0, 0);
    for _ in 0..300 {
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % below) as usize
        };
        let mut rows: Vec<[usize; 2]> = Vec::new();
        // a home ward for most, so that some are linked
        for _ in 0..4 + draw(8) {
            let person = draw(6);
            let ward = if draw(3) > 0 { person % 5 } else { draw(5) };
            rows.push([person, ward]);
        }
        let (ids, wards): (Vec<String>, Vec<String>) = rows
            .iter()
            .map(|&[person, ward]| {
                // the ward 0 is a missing value, which links nobody
                let ward = if ward == 0 {
                    String::new()
                } else {
                    format!("w{ward}")
                };
                (format!("p{person}"), ward)
            })
            .unzip();
        if ids.iter().all(|id| *id == ids[0]) {
            continue;
        }
        let table = TextTable::new("m", [("id", ids), ("ward", wards)])
            .ok()
            .unwrap();
        let warnings = match plan(&policy, Inputs::table(table), &Run::default()) {
            Ok(plan) => plan.warnings().to_vec(),
            Err(failed) => failed.warnings,
        };
        let said = warnings
            .iter()
            .find(|warning| warning.code() == ProblemCode::RowsLinked)
            .map(Problem::text);
        let (linked, several) = linked_by_definition(&rows);
        if linked == 0 {
            assert_eq!(said, None, "{rows:?}");
            silent += 1;
            continue;
        }
        let expected = format!("links the rows of {linked} of {several} people who have several");
        assert!(
            said.is_some_and(|text| text.ends_with(&expected)),
            "{rows:?} {said:?} {expected}"
        );
        found += 1;
    }
    assert!(found > 50 && silent > 50, "{found} {silent}");
}

#[test]
fn weights_that_are_too_wide_are_a_limit_and_no_failure() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let text = "[data]\nperson = \"id\"\n[columns.id]\nrole = \"identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
                [privacy]\nk = 2\nt = { max = 0.9, distance = \"equal\" }\n";
    std::io::Write::write_all(&mut file.as_file(), text.as_bytes()).unwrap();
    let policy = Policy::read(file.path()).unwrap_or_else(|e| panic!("{e}"));
    // up to so many people, who have 1, 2, 3, … different values
    for (people, expected) in [(6, None), (50, Some(ProblemCode::Undecided))] {
        let (mut ids, mut ills) = (Vec::new(), Vec::new());
        for person in 0..people {
            for ill in 0..=person {
                ids.push(format!("p{person}"));
                ills.push(format!("d{ill}"));
            }
        }
        let table = TextTable::new("m", [("id", ids), ("ill", ills)])
            .ok()
            .unwrap();
        let failed = plan(&policy, Inputs::table(table), &Run::default()).err();
        assert_eq!(
            failed.map(|failed| failed.problem.code()),
            expected,
            "{people}"
        );
    }
}

#[test]
fn words_for_nobody_are_warned_of() {
    let rows = [
        ("a", "f", "1950"),
        ("unknown", "m", "1960"),
        ("Unknown", "f", "1970"),
        ("a", "f", "1950"),
    ];
    let policy = policy("person = \"id\"");
    let warnings = match plan(&policy, inputs(&rows), &Run::default()) {
        Ok(plan) => plan.warnings().to_vec(),
        Err(failed) => failed.warnings,
    };
    let said = warnings
        .iter()
        .find(|warning| warning.code() == ProblemCode::WordForNobody)
        .map(Problem::text);
    assert_eq!(
        said,
        Some(
            "column \"id\": 2 of 4 rows have a word that stands for nobody, such as unknown, in place of an identifier"
        )
    );
}

#[test]
fn what_does_not_change_is_known_by_its_name() {
    for name in [
        "sex",
        "Gender",
        "birth_date",
        "dateOfBirth",
        "dob",
        "Geburtsdatum",
    ] {
        assert!(propose::cannot_change(name), "{name}");
    }
    for name in ["birth_weight", "birth_place", "zip", "age", "sextant"] {
        assert!(!propose::cannot_change(name), "{name}");
    }
}
