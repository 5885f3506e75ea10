//! Sources that count their rows by themselves give the release that their rows would give.

use super::Inputs;
use crate::publish::{ReleaseFolder, publish};
use arrow_array::{RecordBatch, StringArray};
use mingle_io::{ArrowTable, Counts, Error, Pass, ReadOptions, Scan};
use mingle_policy::Policy;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAMES: [&str; 4] = ["name", "age", "zip", "disease"];

/// A table that can count its distinct rows, as a database does.
struct GroupingTable {
    cells: Vec<[String; 4]>,
    rows: ArrowTable,
    /// Whether it is asked in vain.
    only_rows: bool,
    asked: Arc<AtomicUsize>,
}

impl GroupingTable {
    fn new(cells: Vec<[String; 4]>, only_rows: bool, asked: &Arc<AtomicUsize>) -> GroupingTable {
        let mut columns = Vec::new();
        for (place, name) in NAMES.iter().enumerate() {
            columns.push((*name, cells.iter().map(|row| row[place].clone()).collect()));
        }
        let batch = batch(columns);
        GroupingTable {
            rows: ArrowTable::new("grouping", batch.schema(), vec![batch]),
            cells,
            only_rows,
            asked: asked.clone(),
        }
    }
}

fn batch(columns: Vec<(&str, Vec<String>)>) -> RecordBatch {
    let mut arrays = Vec::new();
    for (name, texts) in columns {
        let array: arrow_array::ArrayRef = Arc::new(StringArray::from(texts));
        arrays.push((name, array));
    }
    RecordBatch::try_from_iter(arrays).unwrap()
}

impl Scan for GroupingTable {
    fn name(&self) -> &str {
        "grouping"
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        self.rows.open(options)
    }

    fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
        if self.only_rows {
            return None;
        }
        self.asked.fetch_add(1, Ordering::Relaxed);
        let places: Vec<usize> = columns
            .iter()
            .map(|column| NAMES.iter().position(|name| name == column).unwrap())
            .collect();
        let mut groups: BTreeMap<Vec<&String>, u64> = BTreeMap::new();
        for row in &self.cells {
            let key = places.iter().map(|&place| &row[place]).collect();
            *groups.entry(key).or_default() += 1;
        }
        let mut counted = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            let texts = groups.keys().map(|key| key[place].clone()).collect();
            counted.push((*column, texts));
        }
        let rows = batch(counted);
        Some(Ok(Counts {
            schema: rows.schema(),
            rows: vec![rows],
            counts: groups.into_values().collect(),
            hash: None,
        }))
    }
}

/// People of whom many are alike.
fn people(from: usize, to: usize) -> Vec<[String; 4]> {
    let mut rows = Vec::new();
    for person in from..to {
        rows.push([
            format!("n{person}"),
            (20 + person * person % 7).to_string(),
            format!("13{}", person % 3),
            format!("d{}", person % 4),
        ]);
    }
    rows
}

#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
fn policy(roles: [&str; 4], rest: &str) -> Policy {
    let mut text = String::new();
    for (name, role) in NAMES.iter().zip(roles) {
        if !role.is_empty() {
            text.push_str(&format!("[columns.{name}]\nrole = \"{role}\"\n"));
        }
    }
    text.push_str(rest);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    Policy::load(file.path(), &[]).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Every file of a release, and how often sources were asked to count.
fn released(policy: &Policy, only_rows: [bool; 2]) -> (BTreeMap<String, Vec<u8>>, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let tables = [
        (
            "P1",
            GroupingTable::new(people(0, 90), only_rows[0], &asked),
        ),
        (
            "P2",
            GroupingTable::new(people(40, 150), only_rows[1], &asked),
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("release");
    publish(policy, Inputs::tables(tables))
        .and_then(|mut release| release.write(ReleaseFolder::at(&out)))
        .unwrap_or_else(|e| panic!("{e}"));
    let mut files = BTreeMap::new();
    for part in ["public", "private"] {
        collect(&out.join(part), part, &mut files);
    }
    assert!(files.contains_key("public/data.csv"));
    (files, asked.load(Ordering::Relaxed))
}

fn collect(folder: &Path, part: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        files.insert(format!("{part}/{name}"), fs::read(&path).unwrap());
    }
}

const QI: &str = "quasi-identifier";

#[test]
fn counts_and_rows_give_the_same_release() {
    let roles = ["", QI, QI, "sensitive"];
    for (promised, method) in [
        ("m = 0\nk = 5\nl = { distinct = 2 }", "agglomerative"),
        ("m = 1\nk = 3", "agglomerative"),
        (
            "m = 0\nk = 3\nt = { max = 0.4, distance = \"equal\" }",
            "agglomerative",
        ),
        ("m = 1\nk = 3\nl = { distinct = 2 }", "mondrian"),
        ("m = 0\nk = 4", "microaggregation"),
    ] {
        let rest = format!(
            "[data]\nundeclared = \"drop\"\n[privacy]\n{promised}\n[method]\nname = \"{method}\"\n"
        );
        let policy = policy(roles, &rest);
        let (by_rows, _) = released(&policy, [true, true]);
        let (by_counts, asked) = released(&policy, [false, false]);
        assert_eq!(asked, 2, "{promised}, {method}");
        assert!(by_rows == by_counts, "{promised}, {method}");
        // a source that cannot count stands beside one that can
        let (mixed, asked) = released(&policy, [true, false]);
        assert_eq!(asked, 1, "{promised}, {method}");
        assert!(by_rows == mixed, "{promised}, {method}");
    }
}

/// What a row carries along, and whether an identifier repeats, only rows can tell.
#[test]
fn nobody_is_asked_to_count_where_rows_are_needed() {
    let each_row = "person = \"row\"";
    // names are unique at each provider, and some are at both
    let by_name = "person = \"name\"\nperson_scope = \"provider\"";
    for (roles, person) in [
        (["", QI, "insensitive", "sensitive"], each_row),
        (["identifier", QI, QI, "sensitive"], each_row),
        (["identifier", QI, QI, "sensitive"], by_name),
    ] {
        let rest = format!("[data]\nundeclared = \"drop\"\n{person}\n[privacy]\nm = 0\nk = 5\n");
        let policy = policy(roles, &rest);
        let (by_rows, _) = released(&policy, [true, true]);
        let (asked_in_vain, asked) = released(&policy, [false, false]);
        assert_eq!(asked, 0, "{roles:?}");
        assert!(by_rows == asked_in_vain, "{roles:?}");
    }
}
