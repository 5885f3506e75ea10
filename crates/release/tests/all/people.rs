//! Releases whose people have several rows: what is written about them, and which lies are found.

use crate::check::rewrite;
use crate::common::*;
use mingle_io::{Format, HashingWriter, OutColumn, OutKind, ReadOptions, RowWriter, Source};
use mingle_model::{Codes, Missing, Partition, PersonRows, Published};
use mingle_privacy::{Insiders, Knows, M, Promise, Reach, Verdict, Verified, verify};
use mingle_record::manifest::{
    PeopleCounts, PeopleEntry, StatedKnowledge, StatedPersonRows, StatedScope, ToldApartBy,
};
use mingle_release::manifest::ManifestMeaning;
use mingle_release::{Bundle, Error, Facts, Finding, Release};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Age, zip, disease, provider and whose row it is: seven people at two hospitals, two of them at
/// both, in two groups by age.
const VISITS: [([&str; 4], u32); 12] = [
    (["21", "10", "Flu", "P1"], 0),
    (["21", "11", "Cancer", "P2"], 0),
    (["22", "10", "Asthma", "P1"], 1),
    (["23", "10", "Flu", "P1"], 2),
    (["24", "12", "Cancer", "P2"], 3),
    (["41", "20", "Flu", "P1"], 4),
    (["41", "20", "Asthma", "P2"], 4),
    (["42", "21", "Cancer", "P1"], 5),
    (["43", "21", "Asthma", "P2"], 6),
    (["44", "21", "Flu", "P2"], 7),
    (["22", "13", "Asthma", "P1"], 1),
    (["45", "21", "Flu", "P2"], 8),
];

const JOINT: PeopleEntry = PeopleEntry {
    told_apart_by: ToldApartBy::Identifier,
    scope: Some(StatedScope::Joint),
    rows: StatedPersonRows::Together,
    knows: StatedKnowledge::People,
};

/// The visits; `person` says whose each is.
fn visits(person: impl Fn(usize) -> u32) -> Made {
    let rows = VISITS.map(|(cells, _)| cells.to_vec());
    let mut table = table(&hospital_specs(), &rows);
    table.person_of = Some((0..VISITS.len()).map(person).collect::<Codes>());
    Made::new(table)
}

fn by_patient() -> Made {
    visits(|row| VISITS[row].1)
}

fn young_or_not(age: &str) -> u32 {
    u32::from(age.starts_with('4'))
}

fn people_facts(entry: PeopleEntry) -> Facts {
    Facts {
        people: Some(entry),
        ..facts(Format::Csv)
    }
}

const PROMISES: fn() -> [Promise; 2] = || [k(4), distinct(2)];

fn written() -> (tempfile::TempDir, PathBuf) {
    let made = by_patient();
    let verified = made.verified(&made.partition(young_or_not), &PROMISES());
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    made.publish(&verified, &people_facts(JOINT), &folder)
        .unwrap();
    (home, folder)
}

fn manifest(folder: &Path, part: &str) -> Value {
    let path = folder.join(part).join("manifest.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// People, their values with provider and rows, and how many providers know them.
type SeenKind = (u64, Vec<(String, String, u64)>, usize);

/// People of each group, by what they have.
fn crowds(published: &Published) -> Vec<Vec<SeenKind>> {
    let people = published.people().unwrap();
    let disease = &published.sensitive()[0];
    let mut groups = Vec::new();
    for group in 0..published.groups() {
        let mut crowd = Vec::new();
        for alike in people.of(group) {
            let mut rows = Vec::new();
            for entry in alike.entries {
                let value = disease.codes.get(entry.sensitive as usize);
                let provider = published.providers().name(entry.provider);
                let value = disease.domain.text(value).to_owned();
                rows.push((value, provider.to_owned(), entry.count));
            }
            rows.sort();
            crowd.push((alike.people, rows, alike.providers.len()));
        }
        crowd.sort();
        groups.push(crowd);
    }
    groups
}

#[test]
fn people_are_read_back_as_they_were_written() {
    let (_home, folder) = written();
    let made = by_patient();
    let published = made.published(&made.partition(young_or_not)).unwrap();
    let release = Release::open(&folder).unwrap();
    let audited = release.audited().unwrap().unwrap();
    assert_eq!(crowds(&audited), crowds(&published));
    let findings = release.check();
    assert_eq!(findings.problems, []);
    assert!(findings.is_clean() && findings.knows_providers && !findings.lacks_people);
    let verification = findings.verification.unwrap();
    assert_eq!((verification.groups(), verification.records()), (2, 12));
    assert!(verification.published().people().is_some());
}

#[test]
fn manifests_say_what_counts_as_a_person_and_only_the_private_one_how_many() {
    let (_home, folder) = written();
    let public = manifest(&folder, "public");
    let stated = json!({
        "told_apart_by": "identifier", "scope": "joint", "rows": "together", "knows": "people"
    });
    assert_eq!(public["people"], stated);
    let private = manifest(&folder, "private");
    let counts = json!({
        "people": 9, "published_people": 9, "suppressed_people": 0, "people_in_groups": 9,
        "most_rows": 2, "smallest_group": 4, "shared_people": 2,
    });
    assert_eq!(private["people"], counts);
    let columns = json!({
        "kind_column": "kind", "people_column": "people", "rows_each_column": "rows_each",
    });
    assert_eq!(private["audit"]["people"], columns);
    let reads: PeopleCounts = serde_json::from_value(counts).unwrap();
    assert_eq!(reads.people, 9);
}

#[test]
fn with_public_alone_nothing_is_known_about_people() {
    let (_home, folder) = written();
    let findings = Release::open(&folder.join("public")).unwrap().check();
    assert_eq!(findings.problems, []);
    assert!(findings.lacks_people && !findings.is_clean());
    // what fails for rows fails for people, who are no more
    let verdict = findings.verification.unwrap();
    assert_eq!(*verdict.verdict(), Verdict::Holds);
}

/// One patient with five visits is no crowd, though five rows look alike.
#[test]
fn a_promise_that_rows_keep_and_people_break_is_not_published() {
    let made = visits(|row| u32::from(VISITS[row].0[0] > "4"));
    let published = made.published(&made.partition(young_or_not)).unwrap();
    let verification = verify(published, &[k(4)], Insiders::NONE, Reach::Stated).unwrap();
    let Verdict::Fails(witness) = verification.verdict() else {
        panic!("one person is not four")
    };
    assert_eq!(witness.people_left, Some(1));
    assert!(verification.into_verified().is_err());
}

/// The audit as rows of texts, so that a test can play the forger.
fn audit_rows(folder: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let path = folder.join("private/audit.parquet");
    let options = ReadOptions {
        missing: Missing::new(Vec::new()),
        ..ReadOptions::default()
    };
    let raw = mingle_io::read_raw(&[Source::of_release(path, "audit")], &options).unwrap();
    let names: Vec<String> = raw.columns.iter().map(|(name, _)| name.clone()).collect();
    let mut rows = Vec::new();
    for row in 0..raw.columns[0].1.ids.len() {
        let mut cells = Vec::new();
        for (_, column) in &raw.columns {
            let id = column.ids.get(row) as usize;
            cells.push(column.values[id].text.to_string());
        }
        rows.push(cells);
    }
    (names, rows)
}

/// Writes another audit, and makes the private manifest fit, as a forger would.
fn forge_audit(folder: &Path, change: impl Fn(&mut Vec<Vec<String>>, &dyn Fn(&str) -> usize)) {
    let (names, mut rows) = audit_rows(folder);
    let place = |name: &str| names.iter().position(|other| other == name).unwrap();
    change(&mut rows, &place);
    let numbers = ["kind", "people", "rows_each", "count"];
    let mut columns = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let mut texts: Vec<String> = rows.iter().map(|row| row[at].clone()).collect();
        texts.sort();
        texts.dedup();
        let kind = if numbers.contains(&name.as_str()) {
            OutKind::Integer
        } else {
            OutKind::Text
        };
        columns.push(OutColumn {
            name: name.clone(),
            kind,
            texts,
            missing: None,
        });
    }
    let mut all_codes = Vec::new();
    for row in &rows {
        let code = |(at, cell): (usize, &String)| {
            columns[at]
                .texts
                .iter()
                .position(|text| text == cell)
                .unwrap() as u32
        };
        all_codes.push(row.iter().enumerate().map(code).collect::<Vec<u32>>());
    }
    let out = HashingWriter::new(Vec::new());
    let mut writer = RowWriter::new(Format::Parquet, out, columns).unwrap();
    for codes in &all_codes {
        writer.row(codes, 1).unwrap();
    }
    let (bytes, hash) = writer.finish().unwrap().finish();
    overwrite(&folder.join("private/audit.parquet"), &bytes);
    rewrite(&folder.join("private/manifest.json"), |manifest| {
        manifest["audit"]["file"]["sha256"] = json!(hash.sha256);
        manifest["audit"]["file"]["bytes"] = json!(hash.bytes);
    });
}

fn problems(folder: &Path) -> Vec<Finding> {
    Release::open(folder).unwrap().check().problems
}

#[test]
fn an_audit_that_is_written_again_unchanged_is_fine() {
    let (_home, folder) = written();
    forge_audit(&folder, |_, _| {});
    assert_eq!(problems(&folder), []);
}

/// The first row of somebody who has two, in a kind of one person.
fn row_of_two(rows: &[Vec<String>], place: &dyn Fn(&str) -> usize) -> usize {
    let same_kind = |a: &[String], b: &[String]| {
        let keys = [place("age"), place("zip"), place("kind")];
        keys.iter().all(|&key| a[key] == b[key])
    };
    let others = |at: usize| rows.iter().filter(|row| same_kind(row, &rows[at])).count();
    (0..rows.len()).find(|&at| others(at) == 2).unwrap()
}

#[test]
fn an_audit_that_lies_about_people_is_found_out() {
    type Change = fn(&mut Vec<Vec<String>>, &dyn Fn(&str) -> usize);
    let lies: [(&str, Change); 7] = [
        ("a person split in two", |rows, place| {
            let at = row_of_two(rows, place);
            rows[at][place("kind")] = "77".into();
        }),
        ("one more person of a kind", |rows, place| {
            rows[0][place("people")] = "2".into();
        }),
        ("one more person, with the count to match", |rows, place| {
            rows[0][place("people")] = "2".into();
            rows[0][place("count")] = "2".into();
        }),
        ("a row moved to another person", |rows, place| {
            let at = row_of_two(rows, place);
            let (age, kind) = (place("age"), place("kind"));
            let own = rows[at].clone();
            let other = |row: &&Vec<String>| row[age] == own[age] && row[kind] != own[kind];
            let other = rows.iter().find(other).unwrap()[kind].clone();
            rows[at][kind] = other;
        }),
        ("two people made one", |rows, place| {
            let (age, kind) = (place("age"), place("kind"));
            let group = rows[0][age].clone();
            for row in rows.iter_mut().filter(|row| row[age] == group) {
                row[kind] = "0".into();
            }
        }),
        ("a kind with no rows", |rows, place| {
            let mut row = rows[0].clone();
            row[place("kind")] = "78".into();
            row[place("rows_each")] = "0".into();
            row[place("count")] = "0".into();
            rows.push(row);
        }),
        ("people that are no number", |rows, place| {
            rows[0][place("people")] = "-1".into();
        }),
    ];
    for (what, lie) in lies {
        let (_home, folder) = written();
        forge_audit(&folder, lie);
        let release = Release::open(&folder).unwrap();
        let findings = release.check();
        assert!(!findings.problems.is_empty(), "{what}");
        assert!(findings.lacks_people && !findings.knows_providers, "{what}");
        assert!(release.audited().is_err(), "{what}");
    }
}

/// One kind of two people written as two kinds of one: the same people, but not what is written.
#[test]
fn the_same_people_in_two_kinds_are_found_out() {
    let made = visits(|row| VISITS[row].1);
    let mut rows: Vec<Vec<&str>> = VISITS.iter().map(|(cells, _)| cells.to_vec()).collect();
    rows.push(vec!["45", "21", "Flu", "P2"]);
    let mut table = table(&hospital_specs(), &rows);
    table.person_of = Some(
        (0..13)
            .map(|row| if row < 12 { VISITS[row].1 } else { 9 })
            .collect(),
    );
    drop(made);
    let made = Made::new(table);
    let verified = made.verified(&made.partition(young_or_not), &PROMISES());
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    made.publish(&verified, &people_facts(JOINT), &folder)
        .unwrap();
    assert_eq!(problems(&folder), []);
    forge_audit(&folder, |rows, place| {
        let (people, kind) = (place("people"), place("kind"));
        let at = rows.iter().position(|row| row[people] != "1").unwrap();
        assert_eq!(
            (&*rows[at][people], &*rows[at][place("rows_each")]),
            ("3", "1")
        );
        let mut half = rows[at].clone();
        half[kind] = "77".into();
        half[people] = "1".into();
        half[place("count")] = "1".into();
        rows[at][people] = "2".into();
        rows[at][place("count")] = "2".into();
        rows.push(half);
    });
    assert_eq!(problems(&folder), [Finding::PeopleDiffer]);
}

#[test]
fn manifests_that_lie_about_people() {
    type Change = fn(&mut Value);
    let private: [Change; 5] = [
        |m| m["people"]["people_in_groups"] = json!(10),
        |m| m["people"]["published_people"] = json!(8),
        |m| m["people"]["most_rows"] = json!(3),
        |m| m["people"]["smallest_group"] = json!(5),
        |m| {
            m.as_object_mut().unwrap().shift_remove("people");
        },
    ];
    for change in private {
        let (_home, folder) = written();
        rewrite(&folder.join("private/manifest.json"), change);
        assert_eq!(problems(&folder), [Finding::PeopleDiffer]);
    }
    let public: [Change; 2] = [
        |m| {
            m.as_object_mut().unwrap().shift_remove("people");
        },
        |m| m["people"]["scope"] = Value::Null,
    ];
    for change in public {
        let (_home, folder) = written();
        rewrite(&folder.join("public/manifest.json"), change);
        assert!(!problems(&folder).is_empty());
    }
}

#[test]
fn people_are_never_written_as_rows() {
    let made = by_patient();
    let verified = made.verified(&made.partition(young_or_not), &PROMISES());
    let refused = |facts: &Facts| Bundle::grouped(&verified, facts).err();
    assert!(matches!(
        refused(&facts(Format::Csv)),
        Some(Error::PeopleUnsaid)
    ));
    let apart = PeopleEntry {
        rows: StatedPersonRows::Apart,
        ..JOINT
    };
    assert!(matches!(
        refused(&people_facts(apart)),
        Some(Error::PeopleUnsaid)
    ));
}

#[test]
fn what_coalitions_know_is_what_was_verified() {
    let made = by_patient();
    let insiders = Insiders::victim(M(1)).knowing(Knows::Rows);
    let verified = made.verified_against(&made.partition(|_| 0), &[k(3)], insiders);
    let knowing = |knows| {
        let entry = PeopleEntry { knows, ..JOINT };
        Bundle::grouped(&verified, &people_facts(entry))
    };
    let wrong = knowing(StatedKnowledge::People).err();
    assert!(matches!(wrong, Some(Error::PeopleUnsaid)));
    let bundle = knowing(StatedKnowledge::Rows).ok().unwrap();
    let stated = bundle.to_memory().unwrap().manifests.public.insiders();
    assert_eq!(stated, Some(insiders));
}

/// With one row a person the tables are the bytes of a release that says nothing about people.
#[test]
fn one_row_a_person_is_written_as_ever() {
    let bytes = |made: &Made, facts: &Facts| {
        let verified = made.verified(&made.partition(young_or_not), &PROMISES());
        let memory = Bundle::grouped(&verified, facts)
            .unwrap()
            .to_memory()
            .unwrap();
        let parts = memory.public.into_iter().chain(memory.private);
        parts
            .filter(|(name, _)| name != "manifest.json")
            .collect::<Vec<_>>()
    };
    let rows = VISITS.map(|(cells, _)| cells.to_vec());
    let unsaid = Made::new(table(&hospital_specs(), &rows));
    let each = visits(|row| row as u32);
    assert_eq!(
        bytes(&unsaid, &facts(Format::Csv)),
        bytes(&each, &people_facts(JOINT))
    );
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let verified = each.verified(&each.partition(young_or_not), &PROMISES());
    each.publish(&verified, &people_facts(JOINT), &folder)
        .unwrap();
    assert_eq!(problems(&folder), []);
    assert_eq!(manifest(&folder, "private")["people"]["people"], json!(12));
    // from public/ alone nobody knows that
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert!(handed_out.lacks_people);
}

/// Identifiers that are local: who is at two hospitals counts twice, and what is sure is counted at
/// one of them.
#[test]
fn local_identifiers_guarantee_the_people_of_one_provider() {
    let made = visits(|row| VISITS[row].1 * 2 + u32::from(VISITS[row].0[3] == "P2"));
    let verified = made.verified(&made.partition(young_or_not), &PROMISES());
    let entry = PeopleEntry {
        scope: Some(StatedScope::Provider),
        ..JOINT
    };
    let bundle = Bundle::grouped(&verified, &people_facts(entry)).unwrap();
    let counts = bundle.to_memory().unwrap().manifests.private.people;
    let counts = counts.unwrap();
    assert_eq!((counts.people, counts.smallest_group), (11, 5));
    assert_eq!(counts.shared_people, None);
    assert_eq!(counts.guaranteed_smallest_group, Some(3));
}

/// With rows apart a person is counted in each of her groups, and is known there to whoever has other
/// rows of hers.
#[test]
fn rows_apart_are_read_back_with_who_knows_them() {
    let made = by_patient();
    let by_zip = |group: u32| if group == 11 || group == 13 { 1 } else { 0 };
    let zip = &made.cube.quasi_identifiers()[1];
    let mut group_of = Vec::new();
    for tuple in 0..made.cube.tuples() {
        let number = zip.domain.text(zip.codes.get(tuple)).parse().unwrap();
        let group = by_zip(number);
        group_of.extend(made.cube.records_of(tuple).map(|_| group));
    }
    let partition: Partition = made.spans(group_of);
    let missing = Missing::default();
    assert!(made.published(&partition).is_err());
    let published = Published::from_partition_apart(&made.cube, &partition, &missing).unwrap();
    let written = crowds(&published);
    let verified: Verified = verify(published, &[k(2)], Insiders::NONE, Reach::Stated)
        .unwrap()
        .into_verified()
        .unwrap();
    let entry = PeopleEntry {
        rows: StatedPersonRows::Apart,
        ..JOINT
    };
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    made.publish(&verified, &people_facts(entry), &folder)
        .unwrap();
    let release = Release::open(&folder).unwrap();
    assert_eq!(release.check().problems, []);
    let audited = release.audited().unwrap().unwrap();
    assert_eq!(audited.people().unwrap().rows(), PersonRows::Apart);
    assert_eq!(crowds(&audited), written);
    // the first patient's visit to the other hospital is in another group
    assert!(
        written
            .iter()
            .flatten()
            .any(|(_, rows, known)| rows.len() < *known)
    );
    let counts = manifest(&folder, "private")["people"].clone();
    assert_eq!(counts["split_people"], json!(2));
    assert_eq!(counts["published_people"], json!(9));
    assert_eq!(counts["people_in_groups"], json!(11));
}

#[test]
fn no_file_shows_who_anybody_is() {
    let (_home, folder) = written();
    let (names, _) = audit_rows(&folder);
    let expected = [
        "age",
        "zip",
        "kind",
        "provider",
        "disease",
        "people",
        "rows_each",
        "count",
    ];
    assert_eq!(names, expected);
}
