//! Proposed roles beside what a careful person would choose, written down in `expected/`.
//!
//! Real tables are looked for in the folder that `MINGLE_DATA` names, or in `../shared/data` beside
//! the repository; where they are not, the test says so and passes. Made-up tables are made here.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking and its files need not last"
)]

mod schemas;

use mingle::Run;
use mingle::propose;
use mingle_record::answer::InitAnswer;
use std::path::{Path, PathBuf};

/// How a proposal stands beside the expected one.
#[derive(Default, Debug)]
struct Agreement {
    /// Columns with the first choice.
    chosen: usize,
    /// Columns with another role that would be accepted.
    accepted: usize,
    /// The others: column, what was proposed, what was expected.
    against: Vec<String>,
    /// Of these, what would publish something that must not be.
    dangerous: Vec<String>,
}

fn answer_for(table: &Path) -> InitAnswer {
    let proposed = propose::policy(
        &[table.to_owned()],
        table.parent().unwrap(),
        &propose::ProposalRequest::default(),
        &Run::default(),
    );
    match proposed {
        Ok(proposed) => proposed.answer,
        Err(problem) => panic!("{}: {problem}", table.display()),
    }
}

fn compare(name: &str, answer: &InitAnswer) -> Agreement {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/propose/expected")
        .join(format!("{name}.toml"));
    let expected: toml::Table = std::fs::read_to_string(file).unwrap().parse().unwrap();
    let names: Vec<&str> = answer.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(
        names.len(),
        expected.len(),
        "{name}: the table has {names:?}"
    );
    let mut agreement = Agreement::default();
    for column in &answer.columns {
        let roles: Vec<&str> = expected[&column.name]
            .as_array()
            .unwrap()
            .iter()
            .map(|role| role.as_str().unwrap())
            .collect();
        let proposed = match (column.decide, answer.provider_column.as_ref()) {
            (true, _) => "decide",
            (_, Some(provider)) if *provider == column.name => "identifier",
            _ => column.role.as_str(),
        };
        if roles[0] == proposed {
            agreement.chosen += 1;
        } else if roles.contains(&proposed) {
            agreement.accepted += 1;
        } else {
            let line = format!(
                "{name}.{}: {proposed} ({}: {}) instead of {roles:?}",
                column.name, column.recognised, column.reason
            );
            let hidden = |role: &str| ["identifier", "drop", "decide"].contains(&role);
            // what is published as it stands although it should not, or is published at all
            let harmful = !hidden(proposed)
                && (roles.iter().all(|role| hidden(role)) || proposed == "sensitive");
            if harmful {
                agreement.dangerous.push(line.clone());
            }
            agreement.against.push(line);
        }
    }
    agreement
}

fn check(name: &str, answer: &InitAnswer) -> Agreement {
    let agreement = compare(name, answer);
    let columns = answer.columns.len();
    println!(
        "{name}: {} of {columns} as chosen, {} accepted, {} against",
        agreement.chosen,
        agreement.accepted,
        agreement.against.len()
    );
    for line in &agreement.against {
        println!("  {line}");
    }
    assert!(agreement.dangerous.is_empty(), "{:#?}", agreement.dangerous);
    let quasi = answer
        .columns
        .iter()
        .filter(|c| c.role == "quasi-identifier");
    assert!(quasi.count() <= 8, "{name}");
    for line in answer.policy.lines() {
        // where the table is may be as long as it likes
        let fits = line.chars().count() <= 80 || line.starts_with("path = ");
        assert!(fits, "{name}: {line}");
    }
    agreement
}

/// The folder with real tables, if it is here.
fn data() -> Option<PathBuf> {
    let named = std::env::var_os("MINGLE_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    named
        .into_iter()
        .chain([beside])
        .find(|folder| folder.is_dir())
}

/// A real table under another folder's name, so that no hierarchy beside it is found.
fn real(name: &str, file: &str) -> Option<Agreement> {
    let Some(table) = data().map(|data| data.join(file)).filter(|t| t.is_file()) else {
        println!("skipped: {file} is not here; set MINGLE_DATA");
        return None;
    };
    Some(check(name, &answer_for(&table)))
}

#[test]
fn encounters() {
    let Some(agreement) = real("encounters", "diabetes/diabetic_data.csv.gz") else {
        return;
    };
    assert!(agreement.against.is_empty(), "{:#?}", agreement.against);
}

#[test]
fn adult() {
    let Some(agreement) = real("adult", "adult/adult_all_clean.csv") else {
        return;
    };
    assert!(agreement.against.is_empty(), "{:#?}", agreement.against);
}

#[test]
fn ipums() {
    let Some(agreement) = real("ipums", "ipums/ipums_la_97_98_99_small_qi.csv") else {
        return;
    };
    assert!(agreement.against.is_empty(), "{:#?}", agreement.against);
}

#[test]
fn made_up_tables() {
    let folder = tempfile::tempdir().unwrap();
    let mut against = Vec::new();
    let mut columns = 0;
    let mut chosen = 0;
    for (name, table) in schemas::all() {
        let file = folder.path().join(format!("{name}.csv"));
        std::fs::write(&file, table).unwrap();
        let answer = answer_for(&file);
        let agreement = check(name, &answer);
        columns += answer.columns.len();
        chosen += agreement.chosen;
        against.extend(agreement.against);
    }
    println!("{chosen} of {columns} as chosen, {} against", against.len());
    assert!(against.is_empty(), "{against:#?}");
}
