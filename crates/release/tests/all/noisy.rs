//! Releases of noisy counts: what is public, what is private, what is refused, and what a check
//! finds.

use mingle_dp::guarantee::Guarantee;
use mingle_dp::histogram::Histogram;
use mingle_dp::ledger::{Accounting, Ledger, Receipt, Spending};
use mingle_dp::marginals::Marginal;
use mingle_dp::noise::Shape;
use mingle_dp::records::UndeclaredValues;
use mingle_dp::synthetic::Synthetic;
use mingle_dp::{
    Amount, Bins, Content, DeclaredAttribute, DeclaredValues, Encoded, Epsilon, Output,
};
use mingle_io::{FileHash, Format};
use mingle_model::{Kind, Role};
use mingle_record::policy_document::PolicyDocument;
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::manifest::checksum;
use mingle_release::noisy::{LedgerCheck, NoisyMeaning, check_domains};
use mingle_release::{
    Bundle, Error, Finding, InputFile, NoisyFacts, NoisyManifests, NoisyRelease, Opened, Release,
    Target, WrittenRelease, open_any,
};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

static GO: AtomicBool = AtomicBool::new(false);

fn amount(text: &str) -> Amount {
    Amount::parse(text).unwrap()
}

fn guarantee() -> Guarantee {
    Guarantee::Approximate {
        epsilon: Epsilon(amount("0.5")),
        delta: amount("1e-9"),
    }
}

fn words(name: &str, role: Role, labels: &[&str]) -> DeclaredAttribute {
    let domain =
        DeclaredValues::categories(labels.iter().map(|l| (*l).to_owned()).collect()).unwrap();
    DeclaredAttribute {
        name: name.into(),
        role,
        kind: Kind::Category,
        domain,
        other: None,
        missing: None,
    }
}

fn attributes() -> Vec<DeclaredAttribute> {
    let age = DeclaredAttribute {
        domain: DeclaredValues::Bins(Bins::of_width(0, 1, 10, 100, 10).unwrap()),
        kind: Kind::Integer,
        missing: Some("?".into()),
        ..words("age", Role::QuasiIdentifier, &["x"])
    };
    let count = DeclaredAttribute {
        other: Some("elsewhere".into()),
        ..words("count", Role::QuasiIdentifier, &["=1+1", "b,\"c\""])
    };
    vec![
        age,
        count,
        words("disease", Role::Sensitive, &["flu", "cancer"]),
    ]
}

fn spend(ledger: &Path, kind: &str, leaves_cells_out: bool) -> Receipt {
    if !ledger.exists() {
        let accounting = Accounting::of(Epsilon(amount("10")), amount("1e-6"));
        Ledger::create(ledger, "patients", accounting, "2026-01-01", Duration::ZERO).unwrap();
    }
    let spending = Spending {
        release: kind.into(),
        guarantee: guarantee(),
        leaves_cells_out,
        records_per_person: 2,
        identified: true,
        label: "out".into(),
        at: "2026-01-02".into(),
    };
    Ledger::spend(ledger, &spending, Duration::from_secs(5)).unwrap()
}

fn output(content: Content, receipt: Receipt) -> Output {
    let (attributes, guarantee) = (attributes(), receipt.guarantee());
    Output {
        attributes,
        guarantee,
        records_per_person: 2,
        shape: Shape::Gaussian,
        content,
        receipt,
    }
}

fn synthetic() -> Content {
    Content::Synthetic(Synthetic {
        columns: vec![
            vec![8, 0, 9, 0, 0],
            vec![0, 1, 2, 1, 0],
            vec![1, 0, 0, 0, 1],
        ],
        numbers: vec![Some(vec![100, 12, 0, 12, 19]), None, None],
        measured: vec![vec![0, 1], vec![2]],
    })
}

fn histogram(threshold: Option<u64>) -> Content {
    let cells = vec![(vec![0, 2], 12), (vec![3, 0], 40), (vec![9, 1], 12)];
    Content::Histogram(Histogram {
        attributes: vec![0, 1],
        cells,
        threshold,
        deviation: 3.5,
    })
}

fn marginals() -> Content {
    let by_count = Marginal {
        attributes: vec![1],
        counts: vec![3.0, 0.0, 7.25],
        deviation: 2.0,
    };
    let both = vec![1.0, 2.0, 0.0, 0.0, 4.0, 3.25];
    let both = Marginal {
        attributes: vec![1, 2],
        counts: both,
        deviation: 4.0,
    };
    let disease = Marginal {
        attributes: vec![2],
        counts: vec![5.0, 5.25],
        deviation: 2.0,
    };
    Content::Marginals(vec![by_count, both, disease])
}

/// A policy whose private keys are these.
fn policy(path: &str, identifier: &str, ledger: &str) -> PolicyDocument {
    let policy = json!({
        "data": { "path": path },
        "columns": { identifier: { "role": "identifier" }, "age": { "role": "quasi-identifier" } },
        "dp": { "release": "synthetic", "epsilon": "0.5", "ledger": ledger, "person": identifier },
    });
    serde_json::from_value(policy).unwrap()
}

fn facts(ledger: &Path, format: Format) -> NoisyFacts {
    let hash = FileHash {
        sha256: "c0ffee".repeat(10),
        bytes: 4711,
    };
    let policy = policy("secret-input.csv", "secret-id", "secret.ledger");
    let figures = json!({
        "rows": 1, "published_rows": 1, "suppressed_rows": 0, "groups": 1,
        "ncp": { "overall": 0.123, "columns": [{ "column": "secret-column", "loss": 0.123 }] },
        "discernibility": 1, "average_group_size": 1.0,
        "non_uniform_entropy": { "overall": 0.123, "columns": [] },
        "query_error": { "mean": 0.123, "median": 0.123, "queries": 1, "seed": 1 },
    });
    let bars = json!({
        "one_way": { "mean": 0.456, "max": 0.456 }, "two_way": { "mean": 0.456, "max": 0.456 },
        "columns": [], "pairs": [], "pairs_left_out": 0,
    });
    NoisyFacts {
        tool_version: "0.0.0".into(),
        format,
        person_known: true,
        policy,
        ledger: ledger.to_owned(),
        inputs: vec![InputFile {
            name: "secret-input.csv".into(),
            hash,
        }],
        encoded: Encoded {
            rows: 987_654,
            left_out: 321,
            beyond_bound: 3,
            of_unknown: 1_234,
            columns: vec![UndeclaredValues {
                column: "age".into(),
                clamped: 77,
                other: 0,
                left_out: 321,
            }],
        },
        utility: serde_json::from_value(figures).unwrap(),
        distributions: serde_json::from_value(bars).unwrap(),
        warnings: vec![RecordedWarning::from(&Problem::new(
            ProblemCode::OutsideDomain,
            "secret-warning",
            "",
        ))],
        time: "secret-time".into(),
        reports: None,
        protocol: None,
    }
}

struct Home {
    _folder: tempfile::TempDir,
    out: PathBuf,
    ledger: PathBuf,
}

fn home() -> Home {
    let folder = tempfile::tempdir().unwrap();
    Home {
        out: folder.path().join("out"),
        ledger: folder.path().join("secret.ledger"),
        _folder: folder,
    }
}

fn publish_noisy(
    output: &Output,
    facts: &NoisyFacts,
    target: Target<'_>,
) -> Result<WrittenRelease<NoisyManifests>, Error> {
    Bundle::noisy(output, facts)?.write(target)
}

fn target(folder: &Path) -> Target<'_> {
    Target {
        folder,
        force: false,
        cancelled: &GO,
    }
}

fn published(home: &Home, content: Content, format: Format) -> NoisyManifests {
    let (kind, leaves_out) = match &content {
        Content::Marginals(_) => ("marginals", false),
        Content::Histogram(h) => ("histogram", h.threshold.is_some()),
        Content::Synthetic(_) => ("synthetic", false),
    };
    let output = output(content, spend(&home.ledger, kind, leaves_out));
    publish_noisy(&output, &facts(&home.ledger, format), target(&home.out))
        .unwrap()
        .manifests
}

fn text(home: &Home, file: &str) -> String {
    fs::read_to_string(home.out.join(file)).unwrap()
}

fn noisy(folder: &Path) -> NoisyRelease {
    match open_any(folder).unwrap() {
        Opened::Noisy(release) => *release,
        Opened::Grouped(_) => panic!("a release of groups"),
    }
}

/// Every file below `public/`, with its bytes.
fn public(out: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(out.join("public"))
        .unwrap()
        .map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|e| {
            (
                e.file_name().into_string().unwrap(),
                fs::read(e.path()).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn what_is_paid_for_is_published_without_a_report_that_cannot_be_made() {
    let home = home();
    let output = output(synthetic(), spend(&home.ledger, "synthetic", false));
    let facts = NoisyFacts {
        reports: Some(|_| Err("no ink".to_owned())),
        ..facts(&home.ledger, Format::Csv)
    };
    let receipt = publish_noisy(&output, &facts, target(&home.out)).unwrap();
    assert_eq!(receipt.no_report.as_deref(), Some("no ink"));
    assert!(
        public(&home.out)
            .iter()
            .all(|(name, _)| name != "report.html")
    );
    assert!(noisy(&home.out).check().problems.is_empty());
}

#[test]
fn made_up_records_are_sorted_and_guarded() {
    let home = home();
    published(&home, synthetic(), Format::Csv);
    let expected = "age,count,disease\n100,'=1+1,cancer\n12,\"b,\"\"c\"\"\",flu\n12,\"b,\"\"c\"\"\",flu\n\
                    19,'=1+1,cancer\n?,elsewhere,flu\n";
    assert_eq!(text(&home, "public/data.csv"), expected);
}

#[test]
fn histograms_list_cells_and_a_count_under_a_free_name() {
    let home = home();
    published(&home, histogram(Some(12)), Format::Csv);
    let expected =
        "age,count,mingle.count\n[10-19],elsewhere,12\n[40-49],'=1+1,40\n?,\"b,\"\"c\"\"\",12\n";
    assert_eq!(text(&home, "public/data.csv"), expected);
}

#[test]
fn marginals_have_every_cell_in_order() {
    let home = home();
    published(&home, marginals(), Format::Csv);
    let file = |n| text(&home, &format!("public/marginal_0{n}.csv"));
    assert_eq!(
        file(1),
        "count,mingle.count\n'=1+1,3.000000000\n\"b,\"\"c\"\"\",0.000000000\nelsewhere,7.250000000\n"
    );
    assert_eq!(
        file(3),
        "disease,mingle.count\nflu,5.000000000\ncancer,5.250000000\n"
    );
    assert_eq!(file(2).lines().count(), 7);
}

#[test]
fn every_kind_and_format_is_read_back_as_it_was() {
    for format in [Format::Csv, Format::Parquet] {
        for content in [
            synthetic(),
            histogram(None),
            histogram(Some(12)),
            marginals(),
        ] {
            let home = home();
            let receipt = published(&home, content.clone(), format);
            let release = noisy(&home.out);
            assert!(*release.manifest().unwrap() == receipt.public);
            assert_eq!(release.manifest().unwrap().guarantee(), guarantee());
            assert!(release.manifest().unwrap().attributes() == attributes());
            let findings = release.check();
            assert!(findings.is_clean(), "{:?}", findings.problems);
            assert_eq!(findings.ledger, Some(LedgerCheck::Paid));
            let tables = release.tables().unwrap();
            match content {
                Content::Histogram(h) => {
                    assert_eq!(tables[0].counts, [12.0, 40.0, 12.0]);
                    assert_eq!(tables[0].cells, [vec![0, 3, 9], vec![2, 0, 1]]);
                    assert_eq!(tables[0].attributes, h.attributes);
                }
                Content::Marginals(all) => {
                    all.iter()
                        .zip(&tables)
                        .for_each(|(m, t)| assert_eq!(m.counts, t.counts));
                }
                // sorted by text
                Content::Synthetic(_) => assert_eq!(tables[0].cells[0], [8, 0, 0, 0, 9]),
            }
        }
    }
}

#[test]
fn what_is_public_follows_from_the_output_and_the_public_policy_alone() {
    for format in [Format::Csv, Format::Parquet] {
        for content in [synthetic(), histogram(Some(12)), marginals()] {
            let (one, other) = (home(), home());
            let first = output(content.clone(), spend(&one.ledger, "synthetic", true));
            publish_noisy(&first, &facts(&one.ledger, format), target(&one.out)).unwrap();
            // other inputs, another place in another ledger, another day
            spend(&other.ledger, "marginals", false);
            let second = output(content, spend(&other.ledger, "synthetic", true));
            let hash = FileHash {
                sha256: "beef".into(),
                bytes: 1,
            };
            let facts = NoisyFacts {
                policy: policy("another.csv", "another-id", "another.ledger"),
                inputs: vec![InputFile {
                    name: "another.csv".into(),
                    hash,
                }],
                encoded: Encoded {
                    rows: 3,
                    ..Encoded::default()
                },
                utility: None,
                warnings: Vec::new(),
                time: "another".into(),
                ..facts(&other.ledger, format)
            };
            publish_noisy(&second, &facts, target(&other.out)).unwrap();
            assert_ne!(first.receipt, second.receipt);
            assert!(public(&one.out) == public(&other.out));
        }
    }
}

#[test]
fn nothing_private_is_in_public() {
    for content in [synthetic(), histogram(Some(12)), marginals()] {
        let home = home();
        let receipt = published(&home, content, Format::Csv);
        let hash = receipt.private.entry_hash.clone();
        let forbidden = [
            "secret", "c0ffee", "4711", "987654", "1234", "321", "ledger", "entry", "77", "0.123",
            "0.456", &hash,
        ];
        for (file, bytes) in public(&home.out) {
            let mut text = String::from_utf8(bytes).unwrap();
            // digests are made of public bytes, and may have any digits
            if let Ok(manifest) = serde_json::from_str::<Value>(&text) {
                let mut manifest = manifest;
                manifest["checksum"] = Value::Null;
                manifest["files"] = Value::Null;
                text = manifest.to_string();
            }
            for word in forbidden {
                assert!(!text.contains(word), "{file}: {word}");
            }
        }
        let private = text(&home, "private/manifest.json");
        for word in [
            "secret-input.csv",
            "987654",
            "secret-time",
            "secret-warning",
            "secret-column",
            &hash,
        ] {
            assert!(private.contains(word), "{word}");
        }
    }
}

#[test]
fn only_the_owner_may_look() {
    let home = home();
    published(&home, marginals(), Format::Csv);
    let mode = |path: &str| {
        fs::metadata(home.out.join(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(
        (mode(""), mode("public"), mode("private")),
        (0o700, 0o700, 0o700)
    );
    for file in [
        "public/manifest.json",
        "public/marginal_02.csv",
        "private/manifest.json",
    ] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn what_nobody_paid_for_is_refused() {
    let home = home();
    let refused = |output: &Output| {
        let error = publish_noisy(output, &facts(&home.ledger, Format::Csv), target(&home.out))
            .err()
            .unwrap();
        assert!(matches!(error, Error::NothingSpent), "{error}");
        assert!(!home.out.exists());
    };
    refused(&output(synthetic(), Receipt::for_experiment(guarantee())));
    // a receipt for less than what is promised
    let mut cheap = output(synthetic(), spend(&home.ledger, "synthetic", false));
    cheap.guarantee = Guarantee::Pure {
        epsilon: Epsilon(amount("0.1")),
    };
    refused(&cheap);
}

#[test]
fn cells_that_are_written_alike_are_refused() {
    let age = || attributes().swap_remove(0);
    let twice = DeclaredAttribute {
        other: Some("flu".into()),
        ..words("disease", Role::Sensitive, &["flu"])
    };
    assert!(
        matches!(check_domains(&[age(), twice]), Err(Error::TwoLabels { column }) if column == "disease")
    );
    let bin = DeclaredAttribute {
        missing: Some("[20-29]".into()),
        ..age()
    };
    assert!(matches!(check_domains(&[bin]), Err(Error::TwoLabels { column }) if column == "age"));
    assert!(
        matches!(check_domains(&[age(), age()]), Err(Error::TwoColumns { column }) if column == "age")
    );
    assert!(check_domains(&attributes()).is_ok());
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let home = home();
    let stop = AtomicBool::new(true);
    let output = output(synthetic(), spend(&home.ledger, "synthetic", false));
    let target = Target {
        folder: &home.out,
        force: false,
        cancelled: &stop,
    };
    let error = publish_noisy(&output, &facts(&home.ledger, Format::Csv), target)
        .err()
        .unwrap();
    assert!(matches!(error, Error::Cancelled));
    let left: Vec<_> = fs::read_dir(home.out.parent().unwrap())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert!(
        left.iter()
            .all(|name| name.to_string_lossy().starts_with("secret.ledger")),
        "{left:?}"
    );
}

#[test]
fn a_release_of_one_kind_is_replaced_only_by_force_and_is_not_the_other_kind() {
    let home = home();
    published(&home, marginals(), Format::Csv);
    let output = output(synthetic(), spend(&home.ledger, "synthetic", false));
    let facts = facts(&home.ledger, Format::Csv);
    assert!(matches!(
        publish_noisy(&output, &facts, target(&home.out)),
        Err(Error::Exists { .. })
    ));
    let forced = Target {
        force: true,
        ..target(&home.out)
    };
    publish_noisy(&output, &facts, forced).unwrap();
    let names: Vec<String> = public(&home.out)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["data.csv", "manifest.json"]);
    assert!(matches!(Release::open(&home.out), Err(Error::Noisy { .. })));
    assert!(matches!(
        Release::open(&home.out.join("public")),
        Err(Error::Noisy { .. })
    ));
    assert!(matches!(
        NoisyRelease::open(home.out.parent().unwrap()),
        Err(Error::NotARelease { .. })
    ));
}

#[test]
fn public_alone_is_enough_to_check() {
    let home = home();
    published(&home, marginals(), Format::Parquet);
    let findings = noisy(&home.out.join("public")).check();
    assert!(findings.is_clean() && findings.ledger.is_none());
    fs::remove_file(home.out.join("private/manifest.json")).unwrap();
    assert_eq!(noisy(&home.out).check().problems.len(), 1);
    fs::remove_dir(home.out.join("private")).unwrap();
    assert!(noisy(&home.out).check().is_clean());
}

/// Changes a file of `public/` and what the manifests say about it, as a forger would.
fn forge(
    home: &Home,
    file: &str,
    change: impl Fn(&str) -> String,
    manifest: impl Fn(&mut Value),
) -> Vec<Finding> {
    let path = home.out.join("public").join(file);
    let changed = change(&fs::read_to_string(&path).unwrap());
    fs::write(&path, &changed).unwrap();
    fs::remove_dir_all(home.out.join("private")).ok();
    let path = home.out.join("public/manifest.json");
    let mut value: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for entry in value["files"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .filter(|e| e["name"] == file)
    {
        entry["sha256"] = json!(checksum::sha256(changed.as_bytes()));
        entry["bytes"] = json!(changed.len());
    }
    manifest(&mut value);
    let zeros = "0".repeat(64);
    value.as_object_mut().unwrap().remove("checksum");
    let mut text = serde_json::to_string_pretty(&value).unwrap();
    text.truncate(text.trim_end_matches("\n}").len());
    let unsealed = format!("{text},\n  \"checksum\": \"{zeros}\"\n}}\n");
    let sum = checksum::sha256(unsealed.as_bytes());
    fs::write(&path, unsealed.replace(&zeros, &sum)).unwrap();
    noisy(&home.out).check().problems
}

fn forged(
    content: Content,
    file: &str,
    change: impl Fn(&str) -> String,
    manifest: impl Fn(&mut Value),
) -> String {
    let home = home();
    published(&home, content, Format::Csv);
    let found: Vec<String> = forge(&home, file, change, manifest)
        .iter()
        .map(ToString::to_string)
        .collect();
    found.join("; ")
}

#[test]
fn a_forger_who_seals_anew_is_still_found_where_the_tables_say_so() {
    let same = |text: &str| text.to_owned();
    let swap = |from: &'static str, to: &'static str| move |text: &str| text.replacen(from, to, 1);
    assert_eq!(forged(synthetic(), "data.csv", same, |_| {}), "");
    for (content, file, from, to, expected) in [
        (
            synthetic(),
            "data.csv",
            "100,",
            "101,",
            "1 row with a value outside of its declared domain",
        ),
        (
            synthetic(),
            "data.csv",
            "\n19,",
            "\nnobody,",
            "1 row with a value outside",
        ),
        (
            synthetic(),
            "data.csv",
            "cancer",
            "gout",
            "column disease: 1 row",
        ),
        (synthetic(), "data.csv", "\n19,", "\n,", "column age: 1 row"),
        (
            synthetic(),
            "data.csv",
            "19,'=1+1,cancer\n",
            "",
            "says 5 rows, the data has 4",
        ),
        (
            synthetic(),
            "data.csv",
            "age,count",
            "count,age",
            "other columns",
        ),
        (
            histogram(Some(12)),
            "data.csv",
            ",40",
            ",11",
            "below its threshold",
        ),
        (
            histogram(None),
            "data.csv",
            ",40",
            ",0",
            "below its threshold",
        ),
        (
            histogram(None),
            "data.csv",
            ",40",
            ",-4",
            "negative or no number",
        ),
        (histogram(None), "data.csv", ",40", ",4.5", "not whole"),
        (histogram(None), "data.csv", ",40", ",many", "no number"),
        (
            histogram(None),
            "data.csv",
            "[40-49],'=1+1",
            "[10-19],elsewhere",
            "do not list the cells",
        ),
        (
            histogram(None),
            "data.csv",
            "[40-49]",
            "45",
            "outside of its declared domain",
        ),
        (
            marginals(),
            "marginal_03.csv",
            "5.250000000",
            "5.252000000",
            "do not add up to the same counts",
        ),
        (
            marginals(),
            "marginal_03.csv",
            "5.250000000",
            "nan",
            "no number",
        ),
        (
            marginals(),
            "marginal_03.csv",
            "5.250000000",
            "-1",
            "negative",
        ),
        (
            marginals(),
            "marginal_03.csv",
            "flu",
            "cancer",
            "does not list the cells",
        ),
        (
            marginals(),
            "marginal_03.csv",
            "flu,5.000000000\n",
            "",
            "does not list the cells",
        ),
    ] {
        let found = forged(content, file, swap(from, to), |_| {});
        let expected = expected.replace("do not list", "does not list");
        assert!(found.contains(&expected), "{from} → {to}: {found:?}");
    }
}

#[test]
fn manifests_that_cannot_be_are_refused() {
    let same = |text: &str| text.to_owned();
    type Change = (&'static str, fn(&mut Value));
    let changes: [Change; 17] = [
        ("not a manifest", |m| m["surprise"] = json!(1)),
        ("not a manifest", |m| m["guarantee"]["sigma"] = json!("1")),
        ("guarantee does not fit", |m| m["guarantee"] = json!({})),
        ("guarantee does not fit", |m| {
            m["guarantee"]["rho"] = json!("1")
        }),
        ("guarantee does not fit", |m| {
            m["guarantee"]["epsilon"] = json!("-1")
        }),
        ("neighbouring does not fit", |m| {
            m["neighbouring"]["records_per_person"] = json!(0)
        }),
        ("semantics does not fit", |m| {
            m["semantics"]["difference"] = json!(0.5)
        }),
        ("not a manifest", |m| m["noise"] = json!("none")),
        ("columns does not fit", |m| {
            m["columns"][0]["bins"]["starts"] = json!([])
        }),
        ("columns does not fit", |m| {
            m["columns"][2]["labels"] = json!(["flu", "flu"])
        }),
        ("columns does not fit", |m| {
            m["columns"][2]["name"] = json!("age")
        }),
        ("tables does not fit", |m| m["kind"] = json!("marginals")),
        ("tables does not fit", |m| {
            m["tables"][0]["columns"] = json!(["age", "nobody"])
        }),
        ("tables does not fit", |m| m["tables"] = json!([])),
        ("files does not fit", |m| {
            m["files"][0]["name"] = json!("../data.csv")
        }),
        ("files does not fit", |m| {
            m["tables"][0]["file"] = json!("manifest.json")
        }),
        ("not a manifest", |m| m["format"] = json!("xml")),
    ];
    for (expected, change) in changes {
        let found = forged(synthetic(), "data.csv", same, change);
        assert!(found.contains(expected), "{expected}: {found:?}");
    }
}

#[test]
fn damage_and_mix_ups_are_found() {
    let home = home();
    published(&home, synthetic(), Format::Csv);
    let check = || -> Vec<String> {
        noisy(&home.out)
            .check()
            .problems
            .iter()
            .map(ToString::to_string)
            .collect()
    };
    let change = |file: &str, from: &str, to: &str| {
        let path = home.out.join(file);
        let before = fs::read(&path).unwrap();
        fs::write(&path, text(&home, file).replacen(from, to, 1)).unwrap();
        let found = check();
        fs::write(&path, before).unwrap();
        found
    };
    assert_eq!(
        change("public/data.csv", "19", "18"),
        ["data.csv was changed"]
    );
    let found = change(
        "public/manifest.json",
        "\"records_per_person\": 2",
        "\"records_per_person\": 1",
    );
    assert!(
        found.contains(&"manifest.json: the checksum does not match".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"the private part belongs to another release".to_owned()),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|f| f.contains("paid for another bound per person")),
        "{found:?}"
    );
    let found = change("private/manifest.json", "\"entry\": 1", "\"entry\": 2");
    assert!(
        found.iter().any(|f| f.contains("entry 2 is not there")),
        "{found:?}"
    );
    let hash = text(&home, "private/manifest.json")
        .split("entry_hash\": \"")
        .nth(1)
        .unwrap()[..8]
        .to_owned();
    let found = change("private/manifest.json", &hash, "00000000");
    assert!(
        found
            .iter()
            .any(|f| f.contains("is not the one that was written")),
        "{found:?}"
    );
    fs::write(home.out.join("public/notes.txt"), "x").unwrap();
    assert_eq!(check(), ["notes.txt does not belong to the release"]);
    fs::remove_file(home.out.join("public/notes.txt")).unwrap();
    fs::remove_file(home.out.join("public/data.csv")).unwrap();
    assert_eq!(check(), ["data.csv is missing"]);
}

#[test]
fn a_ledger_out_of_reach_is_no_finding_and_a_broken_one_is() {
    let home = home();
    published(&home, synthetic(), Format::Csv);
    let ledger = fs::read(&home.ledger).unwrap();
    fs::write(&home.ledger, "nonsense").unwrap();
    let findings = noisy(&home.out).check();
    assert!(matches!(findings.ledger, Some(LedgerCheck::Differs { .. })) && !findings.is_clean());
    fs::remove_file(&home.ledger).unwrap();
    let findings = noisy(&home.out).check();
    assert!(findings.is_clean(), "{:?}", findings.problems);
    assert!(matches!(
        findings.ledger,
        Some(LedgerCheck::OutOfReach { .. })
    ));
    fs::write(&home.ledger, ledger).unwrap();
    assert_eq!(noisy(&home.out).check().ledger, Some(LedgerCheck::Paid));
}
