//! Releases written by hand, of every kind, and one that was really published.
#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    reason = "helpers of tests, each file uses some"
)]

use mingle_io::{FileHash, Format};
use mingle_model::{
    Cell, Code, Codes, Column, ColumnSpec, Cube, Missing, Partition, Providers, Published, Role,
    Table,
};
use mingle_privacy::{Attribute, Insiders, K, L, M, Promise, Reach, Rule, verify};
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Bundle, Facts, InputFile, Target};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn write(path: &Path, bytes: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path)
        .unwrap()
        .write_all(bytes.as_bytes())
        .unwrap();
}

/// A `public/` folder with this manifest and these files, in a folder of its own.
pub fn handed_out(manifest: &Value, files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("public");
    write(
        &folder.join("manifest.json"),
        &serde_json::to_string_pretty(manifest).unwrap(),
    );
    files
        .iter()
        .for_each(|(name, text)| write(&folder.join(name), text));
    (home, folder)
}

fn column(name: &str, role: &str, kind: &str) -> Value {
    json!({ "name": name, "role": role, "kind": kind })
}

/// Age and ZIP code are known, disease is sensitive, ward is carried along.
pub fn manifest() -> Value {
    json!({
        "schema": "mingle.release/1", "tool": "mingle 0.1.0", "rows": 6, "groups": 2,
        "columns": [
            column("age", "quasi-identifier", "integer"), column("zip", "quasi-identifier", "category"),
            column("disease", "sensitive", "category"), column("ward", "insensitive", "category"),
        ],
        "missing": "",
        "promises": [{ "name": "k-anonymity", "k": 3 }, { "name": "distinct-l-diversity", "column": "disease", "l": 2 }],
        "m": 0, "semantics": "victim", "verdict": "holds", "method": "mondrian", "ranges": "tight", "format": "csv",
        "files": [{ "name": "data.csv", "sha256": "00", "bytes": 1 }],
        "policy": { "privacy": { "k": 3, "l": { "distinct": 2 } }, "method": { "name": "mondrian" } },
        "checksum": "",
    })
}

pub const DATA: &str = "age,zip,disease,ward\n[20-29],*,Flu,A\n[20-29],*,Flu,B\n[20-29],*,,A\n[20-29],*,Cancer,A\n\
                        [30-39],12***,Flu,B\n[30-39],12***,Asthma,A\n[30-39],12***,Cancer,A\n";

pub fn groups() -> (Value, Vec<(&'static str, &'static str)>) {
    (manifest(), vec![("data.csv", DATA)])
}

/// The same in two tables, as two sites or one publish it.
pub fn fragmented(joint: bool) -> (Value, Vec<(&'static str, &'static str)>) {
    let mut fragmented = manifest();
    fragmented["fragmented"] = true.into();
    fragmented["columns"].as_array_mut().unwrap().pop();
    fragmented["tables"] = json!([
        { "file": "qi.csv", "columns": ["gid", "age", "zip"] }, { "file": "sa_disease.csv", "columns": ["gid", "disease"] },
    ]);
    let file = |name: &str| json!({ "name": name, "sha256": "00", "bytes": 1 });
    fragmented["files"] = json!([file("qi.csv"), file("sa_disease.csv")]);
    if joint {
        let site = |name: &str, digit: &str| json!({ "name": name, "key": digit.repeat(64), "fingerprint": format!("sha256:{digit}") });
        fragmented["protocol"] = json!({
            "synchronizer": "merge", "leak_level": "L1", "reveals": "the table of classes to one evaluator", "rounds": 1,
            "session": "ab", "sites": [site("clinic", "a"), site("insurer", "b")],
        });
    }
    let qi = "gid,age,zip\n1,[20-29],*\n1,[20-29],*\n1,[20-29],*\n2,[30-39],12***\n2,[30-39],12***\n2,[30-39],12***\n";
    let sa = "gid,disease\n1,Cancer\n1,Flu\n1,Flu\n2,Asthma\n2,Cancer\n2,Flu\n";
    (fragmented, vec![("qi.csv", qi), ("sa_disease.csv", sa)])
}

pub fn noisy(kind: &str) -> (Value, Vec<(&'static str, &'static str)>) {
    let labels = |name: &str, role: &str, labels: &[&str]| json!({ "name": name, "role": role, "kind": "category", "labels": labels });
    let (file, table, text) = match kind {
        "synthetic" => (
            "data.csv",
            json!({ "file": "data.csv", "columns": ["sex", "disease"], "rows": 2 }),
            "sex,disease\nf,Flu\nm,Flu\n",
        ),
        "histogram" => (
            "data.csv",
            json!({ "file": "data.csv", "columns": ["sex", "disease"], "rows": 1, "count_column": "count", "deviation": 1.5, "threshold": 12 }),
            "sex,disease,count\nf,Flu,14\n",
        ),
        _ => (
            "marginal_01.csv",
            json!({ "file": "marginal_01.csv", "columns": ["sex"], "rows": 2, "count_column": "count", "deviation": 1.5 }),
            "sex,count\nf,14\nm,3\n",
        ),
    };
    let manifest = json!({
        "schema": "mingle.noisy/1", "tool": "mingle 0.1.0", "kind": kind, "guarantee": { "epsilon": "1" },
        "neighbouring": { "unit": "record", "records_per_person": 1, "enforced": false,
            "words": "one record more or less; every record is taken for a person of its own" },
        "noise": "discrete Laplace",
        "semantics": { "epsilon": "1", "delta": "0", "statement": "Proposition 14", "difference": 1f64.exp_m1(), "vacuous": true },
        "columns": [labels("sex", "quasi-identifier", &["f", "m"]), labels("disease", "sensitive", &["Flu", "Cancer"])],
        "tables": [table], "format": "csv", "files": [{ "name": file, "sha256": "00", "bytes": 1 }],
        "policy": { "dp": { "release": kind, "epsilon": 1 } }, "checksum": "",
    });
    (manifest, vec![(file, text)])
}

const PEOPLE: [[&str; 3]; 10] = [
    ["24", "Cancer", "North & South"],
    ["35", "Asthma", "North & South"],
    ["22", "Asthma", "North & South"],
    ["38", "Cancer", "Xylophone"],
    ["37", "Flu", "Xylophone"],
    ["31", "Flu", "Xylophone"],
    ["20", "Epilepsy", "Quagga <3>"],
    ["39", "Flu", "Quagga <3>"],
    ["32", "Cancer", "Zugzwang"],
    ["33", "Asthma", "Zugzwang"],
];

/// Four providers with odd names, published for real with an audit.
pub fn published(format: Format) -> (tempfile::TempDir, PathBuf) {
    let column = |at: usize, name: &str, role| {
        let texts = PEOPLE.iter().map(|row| row[at]);
        Column::from_texts(ColumnSpec::new(name, role), texts, &Missing::default())
            .ok()
            .unwrap()
    };
    let providers = Providers::new(PEOPLE.iter().map(|row| row[2].to_owned()).collect());
    let provider_of: Codes = PEOPLE
        .iter()
        .map(|row| providers.id(row[2]).unwrap().0)
        .collect();
    let columns = vec![
        column(0, "age", Role::QuasiIdentifier),
        column(1, "disease", Role::Sensitive),
    ];
    let table = Table {
        columns,
        providers,
        provider_of,
        person_of: None,
    };
    let cube = Cube::new(table);
    let qi = &cube.quasi_identifiers()[0];
    let old = |tuple: usize| qi.domain.text(qi.codes.get(tuple)).parse::<u32>().unwrap() > 32;
    let mut group_of = Vec::new();
    (0..cube.tuples()).for_each(|t| group_of.extend(cube.records_of(t).map(|_| u32::from(old(t)))));
    let code = |text: &str| {
        (0..qi.domain.len() as Code)
            .find(|&c| qi.domain.text(c) == text)
            .unwrap()
    };
    // ends on the grid, where no insider can pin one on anybody
    let grid = qi.domain.grid().unwrap();
    let between = |low: &str, high: &str| Cell::Between {
        lo: grid.floor(qi.domain.number(code(low)).unwrap()),
        hi: grid.ceil(qi.domain.number(code(high)).unwrap()),
    };
    let cells = vec![between("20", "32"), between("33", "39")];
    let plan = Partition { group_of, cells };
    let planned =
        Published::from_partition(&Arc::new(cube.clone()), &plan, &Missing::default()).unwrap();
    let distinct = Promise {
        rule: Rule::distinct_diversity(L(2)),
        attribute: Some(Attribute::Column(0)),
    };
    let promises = [
        Promise {
            rule: Rule::k_anonymity(K(3)),
            attribute: None,
        },
        distinct,
    ];
    let verified = verify(planned, &promises, Insiders::victim(M(1)), Reach::Stated)
        .unwrap()
        .into_verified()
        .unwrap();
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let bundle = Bundle::grouped(&verified, &facts(format)).unwrap();
    bundle.write(Target::folder(&folder)).unwrap();
    (home, folder)
}

/// A record from the JSON that manifests have of it.
fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn reader(vulnerable: u64) -> Value {
    json!({
        "targets": 10, "alone": 0, "apart": 0, "perfect": 0, "perfect_already": 0, "below": 0, "below_already": 0,
        "vulnerable": vulnerable, "least": 2, "mean_prior": 3.5, "mean_posterior": 2.5,
    })
}

fn inference(vulnerable: u64) -> Value {
    json!({
        "targets": 10, "perfect": 0, "perfect_already": 0, "below": 0, "below_already": 0,
        "vulnerable": vulnerable, "least": 2,
    })
}

fn facts(format: Format) -> Facts {
    Facts {
        tool_version: "0.1.0".into(),
        format,
        method: "by-hand".into(),
        ranges: "tight".into(),
        missing: Missing::default(),
        people: None,
        policy: read(json!({
            "data": { "providers": [{ "name": "Xylophone", "path": "secret-input.csv" }] },
            "columns": { "age": { "role": "quasi-identifier" }, "disease": { "role": "sensitive" } },
            "privacy": { "m": 1, "k": 3, "l": { "distinct": 2 } },
            "method": { "name": "by-hand", "seed": 471_147 },
        })),
        inputs: vec![InputFile {
            name: "secret-input.csv".into(),
            hash: FileHash {
                sha256: "abad1dea".repeat(8),
                bytes: 17,
            },
        }],
        left_out_before: Default::default(),
        seed: 471_147,
        utility: read(json!({
            "rows": 10, "published_rows": 10, "suppressed_rows": 0, "groups": 2,
            "ncp": { "overall": 0.432_198, "columns": [{ "column": "age", "loss": 0.432_198 }] },
            "discernibility": 52, "average_group_size": 1.666_7,
            "non_uniform_entropy": { "overall": 0.3, "columns": [{ "column": "age", "loss": 0.3 }] },
            "query_error": { "mean": 0.777_123, "median": 0.5, "queries": 2500, "seed": 0 },
        })),
        distributions: read(json!({
            "one_way": { "mean": 0.1, "max": 0.2 }, "two_way": { "mean": 0.3, "max": 0.4 },
            "columns": [{ "column": "age", "ordered": true, "total_variation": 0.2,
                "bars": [{ "label": "<script>alert(1)</script>", "original": 0.25, "released": 0.5 }],
                "rest": { "original": 0.75, "released": 0.5 } }],
            "pairs": [{ "columns": ["age", "disease"], "total_variation": 0.4, "covered": true, "grid":
                { "rows": ["a", "b"], "columns": ["x"], "original": [[0.25], [0.75]], "released": [[0.5], [0.5]] } }],
        })),
        composition: read(json!({
            "mitigated": true,
            "audits": [{ "column": "disease", "against": ["other-release"], "holds": true, "readers": {
                "union": reader(3), "most-specific": reader(2), "told": reader(1) } }],
            "history": { "folder": "h", "earlier": 2, "version": "third", "columns": [
                { "column": "disease", "holds": true, "people": 10, "intersection": inference(0), "difference": inference(0),
                  "together": inference(1), "changed": 0, "changed_perfect": 0 }] },
        })),
        publish_utility: false,
        warnings: vec![RecordedWarning::from(&Problem::new(
            ProblemCode::SameRows,
            "a warning for the steward",
            "",
        ))],
        reports: None,
    }
}
