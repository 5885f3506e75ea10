//! The library and the program are one: the same policy and tables give the same release, byte for
//! byte, whether the tables come from files or from memory.

use crate::common::{Bench, collect};
use mingle::{Inputs, Policy, ReleaseFolder, Run, TextTable};
use std::collections::BTreeMap;
use std::path::Path;

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    assert!(!found.is_empty(), "nothing was written");
    found
}

/// Columns of a CSV file without quotes, as a program that has them in memory would hand them over.
fn in_memory(path: &Path) -> TextTable {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let mut columns = Vec::new();
    for (place, &name) in names.iter().enumerate() {
        let texts: Vec<&str> = rows.iter().map(|row| row[place]).collect();
        columns.push((name, texts));
    }
    TextTable::new(path.display().to_string(), columns).unwrap()
}

#[test]
fn a_release_of_the_library_is_that_of_the_program() {
    let bench = Bench::hospitals();
    bench
        .run(&["publish", "policy.toml", "--out", "program"])
        .exits(0);

    let policy = Policy::read(bench.path("policy.toml")).unwrap();
    let plan = mingle::plan(&policy, Inputs::of(&policy), &Run::default()).unwrap();
    plan.publish()
        .unwrap()
        .write(ReleaseFolder::at(bench.path("library")))
        .unwrap();
    assert_eq!(files(&bench.path("library")), files(&bench.path("program")));
}

#[test]
fn tables_in_memory_give_the_same_public_part() {
    let bench = Bench::hospitals();
    let (from_files, from_memory) = (bench.path("files"), bench.path("memory"));
    let policy = Policy::read(bench.path("policy.toml")).unwrap();
    mingle::publish(&policy, Inputs::of(&policy))
        .unwrap()
        .write(from_files.as_path())
        .unwrap();

    let tables = ["p1", "p2", "p3", "p4"].map(|name| {
        let table = in_memory(&bench.path(&format!("{name}.csv")));
        (name.to_uppercase(), table)
    });
    mingle::publish(&policy, Inputs::tables(tables))
        .unwrap()
        .write(from_memory.as_path())
        .unwrap();
    assert_eq!(
        files(&from_memory.join("public")),
        files(&from_files.join("public"))
    );
}

#[test]
fn a_preview_cannot_be_published_and_writes_nothing() {
    let bench = Bench::hospitals();
    let before = bench.contents();
    let policy = Policy::read(bench.path("policy.toml")).unwrap();
    let preview = mingle::preview(&policy, Inputs::of(&policy), &Run::default()).unwrap();
    let answer = preview.summary().answer(preview.warnings());
    assert_eq!((answer.release, answer.groups), (None, 2));
    assert_eq!(bench.contents(), before);
}
