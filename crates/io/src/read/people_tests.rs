//! People in tables: numbers from identifiers, and cells with several values.

use super::tests::Files;
use super::*;
use mingle_model::Role;

/// Per row the number of the first different identifier; `None` where one is missing or there is
/// only one for several rows.
pub(super) fn by_definition(identifiers: &[&str]) -> Option<Vec<Code>> {
    let mut met: Vec<&str> = Vec::new();
    let mut people = Vec::new();
    for identifier in identifiers {
        if identifier.trim().is_empty() || *identifier == "?" {
            return None;
        }
        let known = met.iter().position(|other| other == identifier);
        people.push(known.unwrap_or(met.len()) as Code);
        if known.is_none() {
            met.push(identifier);
        }
    }
    (met.len() > 1 || people.len() < 2).then_some(people)
}

/// Who the rows belong to; of other columns nothing is wanted.
pub(super) fn read<S: Scan>(
    sources: &[S],
    column: &str,
    per_provider: bool,
    options: &ReadOptions<'_>,
) -> Result<(Vec<Code>, SeenPeople), Error> {
    let spec = ColumnSpec::new(column, Role::Identifier);
    let selection = Selection {
        provider_column: None,
        columns: vec![WantedColumn::from(spec)],
        undeclared: Undeclared::Drop,
        person: Some(WantedPerson::new(column, per_provider)?),
        separated: None,
    };
    let input = read_selection(sources, &selection, options)?;
    assert!(input.repeated_identifiers.is_empty());
    let people = input
        .table
        .person_of
        .expect("a person column was asked for");
    let seen = input.people.expect("a person column was asked for");
    Ok((people.iter().collect(), seen))
}

fn people_of(files: &Files, per_provider: bool) -> Result<(Vec<Code>, SeenPeople), Error> {
    read(&files.sources, "who", per_provider, &ReadOptions::default())
}

#[test]
fn an_identifier_is_one_person_in_all_files_and_formats() {
    let files = Files::new()
        .with("who,a\nann,1\nbob,2\nann,3\n", Some("P"))
        .with(
            "{\"a\": 1, \"who\": \"bob\"}\n{\"a\": 1, \"who\": \"7\"}\n{\"a\": 2, \"who\": 7}\n",
            Some("Q"),
        );
    let (people, seen) = people_of(&files, false).ok().unwrap();
    assert_eq!(people, [0, 1, 0, 1, 2, 2]);
    let expected = SeenPeople {
        rows: 6,
        people: 3,
        most_rows: 2,
        folded: 3,
        of_nobody: 0,
    };
    assert_eq!(seen, expected);
    let (people, seen) = people_of(&files, true).ok().unwrap();
    assert_eq!(people, [0, 1, 0, 2, 3, 3]);
    assert_eq!((seen.people, seen.folded), (4, 4));
}

#[test]
fn what_nobody_sees_does_not_count_and_case_is_counted() {
    let files = Files::new()
        .with("who\nP7\np7\n p7\nQ1\n", Some("P"))
        .with("who\nP7 \nq1\nQ\u{200b}1\n", Some("Q"));
    let (people, seen) = people_of(&files, false).ok().unwrap();
    assert_eq!(people, [0, 1, 1, 2, 0, 3, 2]);
    assert_eq!((seen.people, seen.folded), (4, 2));
    // at two providers they are two people anyway
    let (_, seen) = people_of(&files, true).ok().unwrap();
    assert_eq!((seen.people, seen.folded), (6, 4));
}

#[test]
fn a_missing_identifier_is_refused_with_its_file_and_number() {
    let files = Files::new()
        .with("who,a\nann,1\nbob,1\n", Some("P"))
        .with("who,a\n,1\nann,1\n?,2\n  ,3\n", Some("Q"));
    let error = people_of(&files, false).err().unwrap();
    let text = error.to_string();
    assert_eq!(
        text,
        "f2, column \"who\": 3 rows do not say whose they are, of 6 in all"
    );
    let both = files.with("who,a\n,1\n", Some("R"));
    let text = people_of(&both, false).err().unwrap().to_string();
    assert!(text.ends_with("4 of 7 rows in 2 files"), "{text}");
}

#[test]
fn what_is_missing_is_missing_whatever_nobody_sees_of_it() {
    let files = Files::new().with("who,a\nann,1\n ? ,1\n?\u{200b},2\n\u{a0},2\n", Some("P"));
    let text = people_of(&files, false).err().unwrap().to_string();
    assert!(text.contains("3 rows do not say whose they are, of 4 in all"), "{text}");
}

#[test]
fn words_for_nobody_are_counted() {
    let files = Files::new()
        .with("who,a\nann,1\nNULL,1\nnull,2\n", Some("P"))
        .with("who,a\nUnknown ,1\nnullmann,1\n0,1\n", Some("Q"));
    let (_, seen) = people_of(&files, false).ok().unwrap();
    assert_eq!(seen.of_nobody, 3);
}

#[test]
fn one_person_alone_is_refused() {
    let files = Files::new().with("who,a\nann,1\nann,2\n", None);
    for per_provider in [false, true] {
        let error = people_of(&files, per_provider).err().unwrap();
        assert!(
            matches!(error, Error::EverybodyIsOne { rows: 2, .. }),
            "{error}"
        );
        assert!(!error.to_string().contains("ann"));
    }
    let one = Files::new().with("who,a\nann,1\n", None);
    assert_eq!(people_of(&one, false).ok().unwrap().0, [0]);
}

#[test]
fn ten_thousand_rows_of_one_person_are_counted_on_any_number_of_threads() {
    let mut text = "who,a\n".to_owned();
    for row in 0..30_000 {
        if row % 3 == 0 {
            text += "the one with many,1\n";
        } else {
            text += &format!("p{row},2\n");
        }
    }
    let files = Files::new().with(&text, None).with_trusted_headers();
    let mut results = Vec::new();
    for threads in [1, 4] {
        let options = ReadOptions {
            threads,
            block: 4_096,
            ..ReadOptions::default()
        };
        results.push(read(&files.sources, "who", false, &options).ok().unwrap());
    }
    assert!(results[0] == results[1]);
    let seen = results[0].1;
    assert_eq!((seen.people, seen.most_rows), (20_001, 10_000));
}

#[test]
fn an_identifier_that_is_kept_beside_the_table_numbers_people_as_well() {
    let files = Files::new().with("who,a\nann,1\nbob,1\nann,2\n", None);
    let spec = ColumnSpec::new("who", Role::Identifier);
    let selection = Selection {
        provider_column: None,
        columns: vec![WantedColumn::kept(spec, Keep::Beside)],
        undeclared: Undeclared::Drop,
        person: Some(WantedPerson::new("who", false).ok().unwrap()),
        separated: None,
    };
    let input = read_selection(&files.sources, &selection, &ReadOptions::default());
    let input = input.ok().unwrap();
    assert_eq!(input.beside.len(), 1);
    let people: Vec<Code> = input.table.person_of.unwrap().iter().collect();
    assert_eq!(people, [0, 1, 0]);
}

fn taken_apart(text: &str, person: Option<&str>) -> Result<Input, Error> {
    let files = Files::new().with(text, None);
    let mut columns = vec![
        WantedColumn::from(ColumnSpec::new("age", Role::QuasiIdentifier)),
        WantedColumn::from(ColumnSpec::new("ill", Role::Sensitive)),
    ];
    if let Some(person) = person {
        columns.push(WantedColumn::from(ColumnSpec::new(
            person,
            Role::Identifier,
        )));
    }
    let person = match person {
        Some(column) => Some(WantedPerson::new(column, false)?),
        None => None,
    };
    let selection = Selection {
        provider_column: None,
        columns,
        undeclared: Undeclared::Drop,
        person,
        separated: Some(SeparatedColumn {
            column: "ill",
            separator: ";",
        }),
    };
    read_selection(&files.sources, &selection, &ReadOptions::default())
}

/// Age, value and person of each row.
fn rows_of(input: &Input) -> Vec<(String, String, Code)> {
    let [age, ill] = &input.table.columns[..] else {
        panic!("two columns are read");
    };
    let person_of = input.table.person_of.as_ref().unwrap();
    let mut rows = Vec::new();
    for row in 0..input.table.rows() {
        rows.push((
            age.domain.text(age.codes.get(row)).to_owned(),
            ill.domain.text(ill.codes.get(row)).to_owned(),
            person_of.get(row),
        ));
    }
    rows
}

#[test]
fn a_cell_with_several_values_is_several_rows_of_one_person() {
    let text = "who,age,ill\nann,30,flu; cold;flu;\nbob,40,\nann,31,;?;\ncid,50,cold\n";
    let row = |age: &str, ill: &str, person| (age.to_owned(), ill.to_owned(), person);
    let input = taken_apart(text, None).unwrap_or_else(|e| panic!("{e}"));
    let expected = [
        row("30", "flu", 0),
        row("30", "cold", 0),
        row("40", "", 1),
        row("31", "", 2),
        row("50", "cold", 3),
    ];
    assert_eq!(rows_of(&input), expected);
    let seen = input.people.unwrap();
    assert_eq!((seen.rows, seen.people, seen.most_rows), (5, 4, 2));
    let input = taken_apart(text, Some("who")).unwrap_or_else(|e| panic!("{e}"));
    let people: Vec<Code> = rows_of(&input).iter().map(|row| row.2).collect();
    assert_eq!(people, [0, 0, 1, 0, 2]);
    let seen = input.people.unwrap();
    assert_eq!((seen.rows, seen.people, seen.most_rows), (5, 3, 3));
}
