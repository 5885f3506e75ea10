//! Fragmented releases: what is written, what is refused, and what a reader notices.

use crate::common::*;
use mingle_io::Format;
use mingle_model::{
    Cell, ColumnSpec, Fragments, HierarchySource, Partition, Published, Role, Table,
    hierarchy::HierarchyRows,
};
use mingle_privacy::{
    Attribute, Distance, Insiders, L, M, Promise, Ratio, Rule, Verdict, Verified,
    VerifiedFragments, verify_fragments,
};
use mingle_release::manifest::{ManifestProblem, checksum};
use mingle_release::{Bundle, Error, Finding, FragmentsProblem, GroupedManifests, Release, Target};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The paper's seven patients: ZIP code, age, disease, treatment, and the provider.
const PATIENTS: [[&str; 5]; 7] = [
    ["12345", "23", "Gastric ulcer", "Antacid", "A"],
    ["12345", "29", "Gastritis", "Acid-reducing drug", "B"],
    ["12363", "41", "Flu", "Antipyretic drug", "A"],
    ["12361", "43", "Stomach cancer", "Cytostatic drug", "A"],
    ["12362", "59", "Pneumonia", "Antibiotics", "B"],
    ["12471", "52", "Bronchitis", "Antibiotics", "B"],
    ["12473", "55", "Flu", "Antipyretic drug", "A"],
];

fn tree(rows: &[&str]) -> Option<HierarchySource> {
    let rows = (1..)
        .zip(
            rows.iter()
                .map(|r| r.split(';').map(str::to_owned).collect()),
        )
        .collect();
    Some(HierarchySource::Rows(HierarchyRows {
        file: "tree.csv".into(),
        rows,
    }))
}

fn patient_specs() -> Vec<ColumnSpec> {
    let zip = tree(&[
        "12345;1234*;*",
        "12361;1236*;*",
        "12362;1236*;*",
        "12363;1236*;*",
        "12471;1247*;*",
        "12473;1247*;*",
    ]);
    let age = tree(&[
        "23;[20-29];*",
        "29;[20-29];*",
        "41;[40-59];*",
        "43;[40-59];*",
        "52;[40-59];*",
        "55;[40-59];*",
        "59;[40-59];*",
    ]);
    let category = |name, hierarchy| ColumnSpec {
        hierarchy,
        kind: Some(mingle_model::Kind::Category),
        ..spec(name, Role::QuasiIdentifier)
    };
    vec![
        category("ZIP", zip),
        category("AGE", age),
        spec("DISEASE", Role::Sensitive),
        spec("TREATMENT", Role::Sensitive),
    ]
}

fn patients(order: &[usize]) -> Made {
    Made::new(table(
        &patient_specs(),
        &order
            .iter()
            .map(|&i| PATIENTS[i].to_vec())
            .collect::<Vec<_>>(),
    ))
}

/// {1, 2} under 1234*, [20-29] and {3..7} under *, [40-59], as in the paper's Table 5c.
fn merged(made: &Made) -> Partition {
    let qi = made.cube.quasi_identifiers();
    let old = |tuple: usize| qi[0].domain.text(qi[0].codes.get(tuple)) != "12345";
    let mut group_of = Vec::new();
    for tuple in 0..made.cube.tuples() {
        group_of.extend(made.cube.records_of(tuple).map(|_| u32::from(old(tuple))));
    }
    let node = |place: usize, text: &str, level| {
        let domain = &qi[place].domain;
        let code = (0..domain.len() as u32)
            .find(|&c| domain.text(c) == text)
            .unwrap();
        Cell::Node {
            level,
            node: domain.hierarchy().unwrap().ancestor(code, level.into()),
        }
    };
    let cells = vec![
        node(0, "12345", 1),
        node(1, "23", 1),
        Cell::All,
        node(1, "41", 1),
    ];
    Partition { group_of, cells }
}

fn t(place: usize, max: &str) -> Promise {
    let rule = Rule::t_closeness(Ratio::parse(max).unwrap(), Distance::Equal);
    Promise {
        rule,
        attribute: Some(Attribute::Column(place)),
    }
}

fn fragmented(verified: &Verified) -> VerifiedFragments {
    let fragments = Fragments::from_published(verified.published()).unwrap();
    let single: Vec<Promise> = verified
        .promises()
        .iter()
        .copied()
        .filter(|p| p.attribute != Some(Attribute::Joint))
        .collect();
    verify_fragments(fragments, &single)
        .unwrap()
        .into_verified()
        .unwrap()
}

fn publish(verified: &Verified, format: Format, folder: &Path) -> Result<GroupedManifests, Error> {
    let (fragments, facts) = (fragmented(verified), facts(format));
    let bundle = Bundle::fragmented(verified, &fragments, &facts)?;
    Ok(bundle.write(Target::folder(folder))?.manifests)
}

fn patient_release(order: &[usize], format: Format) -> (tempfile::TempDir, PathBuf) {
    let made = patients(order);
    let verified = made.verified(&merged(&made), &[k(2), t(0, "0.75"), t(1, "0.75")]);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    publish(&verified, format, &folder).unwrap();
    (home, folder)
}

const IN_ORDER: [usize; 7] = [0, 1, 2, 3, 4, 5, 6];

const QI: &str = "gid,ZIP,AGE\n1,*,[40-59]\n1,*,[40-59]\n1,*,[40-59]\n1,*,[40-59]\n1,*,[40-59]\n\
                  2,1234*,[20-29]\n2,1234*,[20-29]\n";
const DISEASE: &str = "gid,DISEASE\n1,Bronchitis\n1,Flu\n1,Flu\n1,Pneumonia\n1,Stomach cancer\n2,Gastric ulcer\n2,Gastritis\n";
const TREATMENT: &str = "gid,TREATMENT\n1,Antibiotics\n1,Antibiotics\n1,Antipyretic drug\n1,Antipyretic drug\n\
                         1,Cytostatic drug\n2,Acid-reducing drug\n2,Antacid\n";

#[test]
fn the_papers_table_with_values_in_order() {
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    let text = |file: &str| fs::read_to_string(folder.join("public").join(file)).unwrap();
    assert_eq!(
        (
            text("qi.csv"),
            text("sa_DISEASE.csv"),
            text("sa_TREATMENT.csv")
        ),
        (QI.into(), DISEASE.into(), TREATMENT.into())
    );
    let names: Vec<String> = files(&folder).into_iter().map(|(name, _)| name).collect();
    let expected = [
        "private/audit.parquet",
        "private/manifest.json",
        "public/manifest.json",
        "public/qi.csv",
        "public/sa_DISEASE.csv",
        "public/sa_TREATMENT.csv",
    ];
    assert_eq!(names, expected);
    let manifest: Value = serde_json::from_str(&text("manifest.json")).unwrap();
    let tables = json!([
        { "file": "qi.csv", "columns": ["gid", "ZIP", "AGE"] },
        { "file": "sa_DISEASE.csv", "columns": ["gid", "DISEASE"] },
        { "file": "sa_TREATMENT.csv", "columns": ["gid", "TREATMENT"] },
    ]);
    assert_eq!(
        (&manifest["fragmented"], &manifest["tables"]),
        (&json!(true), &tables)
    );
    assert_eq!(
        (&manifest["rows"], &manifest["groups"]),
        (&json!(7), &json!(2))
    );
    assert_eq!(manifest.get("protocol"), None);
    let findings = Release::open(&folder).unwrap().check();
    assert!(
        findings.is_clean() && findings.audited && findings.knows_providers,
        "{:?}",
        findings.problems
    );
}

/// Writing values in the order of the people, as the paper prints them, would give another file for
/// each order.
#[test]
fn the_order_of_people_leaves_no_trace() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = patient_release(&IN_ORDER, format);
        let expected = files(&folder.join("public"));
        for order in [
            [6, 5, 4, 3, 2, 1, 0],
            [1, 0, 3, 2, 4, 6, 5],
            [4, 2, 0, 6, 1, 3, 5],
        ] {
            let (_home, folder) = patient_release(&order, format);
            assert!(
                files(&folder.join("public")) == expected,
                "{format:?} {order:?}"
            );
        }
    }
}

#[test]
fn a_reader_gets_the_fragments_back() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = patient_release(&IN_ORDER, format);
        for folder in [folder.clone(), folder.join("public")] {
            let release = Release::open(&folder).unwrap();
            let made = patients(&IN_ORDER);
            let expected =
                Fragments::from_published(&made.published(&merged(&made)).unwrap()).unwrap();
            assert_eq!(
                shown(&release.fragments().unwrap().unwrap()),
                shown(&expected)
            );
            let published = release.published().unwrap();
            assert_eq!(
                (
                    published.groups(),
                    published.rows(),
                    published.sensitive().len()
                ),
                (2, 7, 0)
            );
            assert!(published.describe(0).eq([("ZIP", "*"), ("AGE", "[40-59]")]));
        }
        let audited = Release::open(&folder).unwrap().audited().unwrap().unwrap();
        assert_eq!(
            (audited.groups(), audited.rows(), audited.providers().len()),
            (2, 7, 2)
        );
        assert!(
            audited
                .describe(1)
                .eq([("ZIP", "1234*"), ("AGE", "[20-29]")])
        );
        let linked = audited
            .sensitive()
            .iter()
            .map(|c| c.name.as_str())
            .collect::<Vec<_>>();
        assert_eq!(linked, ["DISEASE", "TREATMENT"]);
    }
}

#[test]
fn a_release_of_one_table_has_no_fragments() {
    let (_home, folder) = hospital_release(Format::Csv);
    assert!(
        Release::open(&folder)
            .unwrap()
            .fragments()
            .unwrap()
            .is_none()
    );
}

/// Everything in texts.
type Shown = Vec<(Vec<String>, u64, Vec<Vec<(String, u64)>>)>;

fn shown(fragments: &Fragments) -> Shown {
    let group = |g: &mingle_model::FragmentGroup| {
        let texts = g
            .values
            .iter()
            .zip(fragments.sensitive())
            .map(|(values, column)| {
                let mut texts: Vec<(String, u64)> = values
                    .iter()
                    .map(|&(code, n)| (column.domain.text(code).to_owned(), n))
                    .collect();
                texts.sort();
                texts
            });
        (g.labels.clone(), g.size, texts.collect())
    };
    fragments.groups().iter().map(group).collect()
}

/// Rewrites a file of `public/` and makes the manifest fit again, as a forger would.
fn forge(folder: &Path, file: &str, text: &str, change: impl Fn(&mut Value)) {
    let public = folder.join("public");
    overwrite(&public.join(file), text.as_bytes());
    rewrite(&public.join("manifest.json"), |manifest| {
        for entry in manifest["files"].as_array_mut().unwrap() {
            if entry["name"] == file {
                entry["sha256"] = json!(checksum::sha256(text.as_bytes()));
                entry["bytes"] = json!(text.len());
            }
        }
        change(manifest);
    });
}

/// Changes a manifest and seals it again.
fn rewrite(path: &Path, change: impl Fn(&mut Value)) {
    let mut manifest: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut manifest);
    manifest.as_object_mut().unwrap().shift_remove("checksum");
    manifest["checksum"] = json!("0".repeat(64));
    let text = serde_json::to_string_pretty(&manifest).unwrap() + "\n";
    let sum = checksum::sha256(text.as_bytes());
    let sealed = text.replace(
        &format!("\"checksum\": \"{}\"", "0".repeat(64)),
        &format!("\"checksum\": \"{sum}\""),
    );
    overwrite(path, sealed.as_bytes());
}

fn problems(folder: &Path) -> Vec<Finding> {
    Release::open(folder).unwrap().check().problems
}

#[test]
fn tables_that_do_not_fit_together_are_noticed() {
    use FragmentsProblem::{Gids, Labels, Numbering, Order, Size};
    let gap = QI.replace("\n2,", "\n3,");
    let swapped =
        "gid,ZIP,AGE\n1,1234*,[20-29]\n1,1234*,[20-29]\n".to_owned() + &"2,*,[40-59]\n".repeat(5);
    let labels = Labels {
        column: "AGE".into(),
    };
    let cases: Vec<(&str, String, FragmentsProblem)> = vec![
        ("qi.csv", gap, Gids),
        ("qi.csv", QI.replace("\n1,", "\n0,"), Gids),
        ("qi.csv", QI.replace("\n2,", "\n02,"), Gids),
        ("qi.csv", QI.replace("\n2,", "\n-2,"), Gids),
        ("qi.csv", QI.replace("\n2,", "\nx,"), Gids),
        ("qi.csv", QI.replace("\n2,", "\n,"), Gids),
        (
            "qi.csv",
            QI.replace("\n2,", "\n18446744073709551616,"),
            Gids,
        ),
        (
            "qi.csv",
            QI.replacen("\n1,*,[40-59]", "", 1) + "1,*,[40-59]\n",
            Gids,
        ),
        (
            "qi.csv",
            QI.replacen("1,*,[40-59]\n2", "1,*,[20-29]\n2", 1),
            labels,
        ),
        ("qi.csv", QI.replacen("1,*,[40-59]\n", "", 1), Size),
        ("qi.csv", swapped, Size),
        ("sa_DISEASE.csv", DISEASE.replacen("1,Flu\n", "", 1), Size),
        (
            "sa_DISEASE.csv",
            DISEASE.replacen("1,Flu\n", "1,Flu\n1,Flu\n", 1),
            Size,
        ),
        (
            "sa_DISEASE.csv",
            DISEASE.replacen("\n2,Gastric ulcer\n2,Gastritis", "", 1),
            Size,
        ),
        ("sa_DISEASE.csv", DISEASE.to_owned() + "3,Flu\n", Gids),
        (
            "sa_DISEASE.csv",
            DISEASE.replacen("1,Bronchitis\n1,Flu\n", "1,Flu\n1,Bronchitis\n", 1),
            Order,
        ),
        (
            "sa_DISEASE.csv",
            "gid,DISEASE\n2,Gastric ulcer\n2,Gastritis\n".to_owned() + &DISEASE[12..75],
            Gids,
        ),
        (
            "sa_TREATMENT.csv",
            TREATMENT.replacen(
                "2,Acid-reducing drug\n2,Antacid\n",
                "2,Antacid\n2,Acid-reducing drug\n",
                1,
            ),
            Order,
        ),
    ];
    for (at, (file, text, problem)) in cases.into_iter().enumerate() {
        let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
        forge(&folder, file, &text, |_| {});
        let found = problems(&folder.join("public"));
        let noticed =
            |f: &Finding| matches!(f, Finding::Fragmented { problem: p, .. } if *p == problem);
        assert!(
            found.len() == 1 && noticed(&found[0]),
            "case {at}: {found:?}"
        );
        assert!(Release::open(&folder).unwrap().fragments().is_err());
    }
    // all tables agree, but the groups are numbered otherwise than what is published about them
    // demands
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    let turn = |text: &str| {
        let (header, rows) = text.split_once('\n').unwrap();
        let mut rows: Vec<String> = rows
            .lines()
            .map(|r| if r.starts_with('1') { "2" } else { "1" }.to_owned() + &r[1..])
            .collect();
        rows.sort();
        format!("{header}\n{}\n", rows.join("\n"))
    };
    for (file, text) in [
        ("qi.csv", QI),
        ("sa_DISEASE.csv", DISEASE),
        ("sa_TREATMENT.csv", TREATMENT),
    ] {
        forge(&folder, file, &turn(text), |_| {});
    }
    assert_eq!(
        problems(&folder.join("public")),
        [Finding::Fragmented {
            file: "qi.csv".into(),
            problem: Numbering
        }]
    );
}

#[test]
fn missing_changed_and_foreign_files_are_noticed() {
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    let public = folder.join("public");
    overwrite(&public.join("data.csv"), b"");
    overwrite(&public.join("signatures.json"), b"{}");
    let unexpected = |file: &str| Finding::UnexpectedFile { file: file.into() };
    assert_eq!(
        problems(&folder),
        [unexpected("data.csv"), unexpected("signatures.json")]
    );
    fs::remove_file(public.join("data.csv")).unwrap();
    fs::remove_file(public.join("signatures.json")).unwrap();
    overwrite(
        &public.join("sa_DISEASE.csv"),
        DISEASE.replace("Flu", "Gout").as_bytes(),
    );
    assert!(problems(&folder).contains(&Finding::ChangedFile {
        file: "sa_DISEASE.csv".into()
    }));
    fs::remove_file(public.join("sa_DISEASE.csv")).unwrap();
    assert_eq!(
        problems(&folder),
        [Finding::MissingFile {
            file: "sa_DISEASE.csv".into()
        }]
    );
}

#[test]
fn a_forger_who_moves_a_value_is_caught_by_the_audit() {
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    forge(
        &folder,
        "sa_DISEASE.csv",
        &DISEASE.replacen("1,Flu\n1,Pneu", "1,Gout\n1,Pneu", 1),
        |_| {},
    );
    assert!(problems(&folder.join("public")).is_empty());
    assert_eq!(
        problems(&folder),
        [Finding::OtherRelease, Finding::AuditDiffers { tuples: 2 }]
    );
}

#[test]
fn an_audit_of_other_people_is_noticed() {
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    let made = patients(&[0, 1, 2, 3, 4, 5, 5]);
    let verified = made.verified(&merged(&made), &[k(2)]);
    let other = folder.with_file_name("other");
    publish(&verified, Format::Csv, &other).unwrap();
    fs::copy(
        other.join("private/audit.parquet"),
        folder.join("private/audit.parquet"),
    )
    .unwrap();
    let found = problems(&folder);
    assert!(
        found.contains(&Finding::ChangedFile {
            file: "private/audit.parquet".into()
        }),
        "{found:?}"
    );
    // a patient with flu who got an antipyretic drug became a second one with bronchitis who got
    // antibiotics
    assert!(
        found.contains(&Finding::AuditDiffers { tuples: 4 }),
        "{found:?}"
    );
}

#[test]
fn promises_are_verified_by_gid() {
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    rewrite(&folder.join("public/manifest.json"), |m| {
        m["promises"][0]["k"] = json!(3)
    });
    for folder in [folder.join("public"), folder.clone()] {
        let findings = Release::open(&folder).unwrap().check();
        assert!(!findings.is_clean());
        let fragments = findings.fragments.unwrap();
        let witness = fragments.witness().unwrap();
        assert_eq!(
            (witness.name, witness.group, witness.records_left),
            ("k-anonymity", 1, 2)
        );
        assert!(fragments.describe(1).eq([
            ("gid", "2".to_owned()),
            ("ZIP", "1234*".into()),
            ("AGE", "[20-29]".into())
        ]));
        if let Some(verification) = findings.verification {
            assert_eq!(verification.witness().unwrap().group, 1);
        }
    }
}

#[test]
fn manifests_that_make_no_sense() {
    let inconsistent = |what| Finding::Manifest {
        file: "manifest.json".into(),
        problem: ManifestProblem::Inconsistent { what },
    };
    type Change = fn(&mut Value);
    let cases: Vec<(Change, &str)> = vec![
        (|m| m["fragmented"] = json!(false), "files"),
        (
            |m| drop(m.as_object_mut().unwrap().shift_remove("tables")),
            "tables",
        ),
        (
            |m| m["tables"][1]["file"] = json!("sa_TREATMENT.csv"),
            "tables",
        ),
        (
            |m| m["tables"].as_array_mut().unwrap().truncate(2),
            "tables",
        ),
        (
            |m| m["tables"][1]["columns"] = json!(["gid", "TREATMENT"]),
            "tables",
        ),
        (|m| m["columns"][0]["role"] = json!("insensitive"), "tables"),
        (|m| m["files"].as_array_mut().unwrap().truncate(2), "tables"),
        (|m| m["files"].as_array_mut().unwrap().swap(1, 2), "tables"),
        (|m| m["columns"][0]["name"] = json!("gid"), "tables"),
    ];
    for (change, what) in cases {
        let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
        rewrite(&folder.join("public/manifest.json"), change);
        assert_eq!(problems(&folder.join("public")), [inconsistent(what)]);
    }
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    rewrite(&folder.join("public/manifest.json"), |m| {
        m["rows"] = json!(8)
    });
    assert_eq!(
        problems(&folder.join("public")),
        [Finding::Count {
            what: "rows",
            declared: 8,
            found: 7
        }]
    );
    let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
    let turned: String = QI
        .lines()
        .map(|l| l.splitn(3, ',').collect::<Vec<_>>())
        .map(|c| format!("{},{},{}\n", c[0], c[2], c[1]))
        .collect();
    forge(&folder, "qi.csv", &turned, |_| {});
    assert_eq!(
        problems(&folder.join("public")),
        [Finding::Header {
            file: "qi.csv".into()
        }]
    );
    // a table of one piece that lists tables
    let (_home, folder) = hospital_release(Format::Csv);
    rewrite(&folder.join("public/manifest.json"), |m| {
        m["tables"] = json!([{ "file": "data.csv", "columns": ["age"] }])
    });
    assert_eq!(problems(&folder.join("public")), [inconsistent("tables")]);
}

#[test]
fn messages_never_quote_the_data() {
    for (file, text) in [
        ("qi.csv", "gid,ZIP,AGE\ncanary,canary,canary\n"),
        ("qi.csv", "gid,ZIP,AGE\n1,canary,a\n1,canary,b\n"),
        ("sa_DISEASE.csv", "gid,DISEASE\n1,canary,canary\n"),
        ("sa_DISEASE.csv", "gid,DISEASE\n1,canary2\n1,canary1\n"),
        ("sa_DISEASE.csv", "gid,DISEASE\ncanary,\"canary\n"),
    ] {
        let (_home, folder) = patient_release(&IN_ORDER, Format::Csv);
        forge(&folder, file, text, |_| {});
        let found = problems(&folder);
        assert!(
            !found.is_empty() && found.iter().all(|f| !f.to_string().contains("canary")),
            "{found:?}"
        );
    }
}

/// Four hospitals with a second sensitive column, in two groups that withstand one insider.
fn hospital_fragments(promises: &[Promise], insiders: Insiders) -> (tempfile::TempDir, PathBuf) {
    let mut specs = hospital_specs();
    specs.push(spec("stay", Role::Sensitive));
    let rows: Vec<Vec<&str>> = HOSPITALS
        .iter()
        .zip(["1", "2", "3"].iter().cycle())
        .map(|(r, stay)| vec![r[0], r[1], r[2], stay, r[3]])
        .collect();
    let made = Made::new(table(&specs, &rows));
    let partition = made.partition(|age| u32::from(age.parse::<u32>().unwrap() > 33));
    let verified = made.verified_against(&partition, promises, insiders);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    publish(&verified, Format::Csv, &folder).unwrap();
    (home, folder)
}

#[test]
fn insiders_are_decided_by_the_linked_audit() {
    let (_home, folder) = hospital_fragments(&[k(2), distinct(2)], Insiders::victim(M(1)));
    let findings = Release::open(&folder).unwrap().check();
    assert!(
        findings.is_clean() && findings.knows_providers,
        "{:?}",
        findings.problems
    );
    assert_eq!(
        findings.verification.unwrap().insiders(),
        Insiders::victim(M(1))
    );
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert!(
        handed_out.is_clean() && !handed_out.knows_providers && handed_out.verification.is_none()
    );
    assert_eq!(*handed_out.fragments.unwrap().verdict(), Verdict::Holds);
    // what the manifest claims is not believed
    rewrite(&folder.join("public/manifest.json"), |m| m["m"] = json!(3));
    let findings = Release::open(&folder).unwrap().check();
    let verification = findings.verification.unwrap();
    assert!(
        verification
            .witness()
            .is_some_and(|w| !w.coalition.is_empty())
    );
    assert_eq!(*findings.fragments.unwrap().verdict(), Verdict::Holds);
}

#[test]
fn promises_about_attributes_together_need_the_audit() {
    let joint = Promise {
        rule: Rule::distinct_diversity(L(3)),
        attribute: Some(Attribute::Joint),
    };
    let (_home, folder) = hospital_fragments(&[k(2), joint, distinct(2)], Insiders::NONE);
    let findings = Release::open(&folder).unwrap().check();
    assert!(
        findings.is_clean() && findings.unlinked.is_empty(),
        "{:?}",
        findings.problems
    );
    assert_eq!(findings.verification.unwrap().promises().len(), 3);
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert_eq!(handed_out.unlinked, [joint]);
    assert_eq!(
        handed_out.fragments.unwrap().promises(),
        [k(2), distinct(2)]
    );
    rewrite(&folder.join("public/manifest.json"), |m| {
        m["promises"][1]["l"] = json!(9)
    });
    let findings = Release::open(&folder).unwrap().check();
    assert_eq!(
        findings
            .verification
            .unwrap()
            .witness()
            .map(|w| w.constraint),
        Some(1)
    );
}

fn refused(
    made: &Made,
    partition: &Partition,
    fragments: impl Fn(&Verified) -> VerifiedFragments,
) -> Error {
    let verified = made.verified(partition, &[k(1)]);
    let home = tempfile::tempdir().unwrap();
    let (fragments, facts) = (fragments(&verified), facts(Format::Csv));
    let bundle = Bundle::fragmented(&verified, &fragments, &facts);
    let refused = bundle.and_then(|bundle| bundle.write(Target::folder(&home.path().join("out"))));
    assert!(fs::read_dir(home.path()).unwrap().next().is_none());
    refused.err().unwrap()
}

#[test]
fn what_cannot_be_published_in_fragments() {
    let mut specs = hospital_specs();
    specs[1].role = Role::Insensitive;
    let made = Made::new(table(&specs, &HOSPITALS.map(|r| r.to_vec())));
    let error = refused(&made, &made.partition(by_age), fragmented);
    assert!(matches!(error, Error::Insensitive { column } if column == "zip"));

    let made = Made::new(hospitals());
    let other = |_: &Verified| fragmented(&made.verified(&made.partition(|_| 0), &[k(1)]));
    assert!(matches!(
        refused(&made, &made.partition(by_age), other),
        Error::OtherTable
    ));
    let less = |v: &Verified| {
        verify_fragments(
            Fragments::from_published(v.published()).unwrap(),
            &[k(1), k(2)],
        )
        .unwrap()
        .into_verified()
        .unwrap()
    };
    assert!(matches!(
        refused(&made, &made.partition(by_age), less),
        Error::OtherTable
    ));

    let mut specs = hospital_specs();
    specs[2].name = "gid".into();
    let made = Made::new(table(&specs, &HOSPITALS.map(|r| r.to_vec())));
    let any = |_: &Verified| {
        let made = Made::new(hospitals());
        fragmented(&made.verified(&made.partition(|_| 0), &[k(1)]))
    };
    assert!(matches!(
        refused(&made, &made.partition(by_age), any),
        Error::Fragments(_)
    ));
}

#[test]
fn awkward_column_names_and_no_quasi_identifiers() {
    let specs = [
        spec("../a", Role::Sensitive),
        spec(".._a", Role::Sensitive),
        spec("=b,\"c\"\n", Role::Sensitive),
    ];
    let rows = [
        ["1", "x", "=1", "P"],
        ["2", "y", "", "P"],
        ["1", "x", "?", "Q"],
    ]
    .map(|r| r.to_vec());
    for format in [Format::Csv, Format::Parquet] {
        let made = Made::new(table(&specs, &rows));
        let partition = Partition {
            group_of: vec![0; made.cube.records().len()],
            cells: vec![],
        };
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        publish(&made.verified(&partition, &[k(3)]), format, &folder).unwrap();
        let findings = Release::open(&folder).unwrap().check();
        assert!(
            findings.is_clean() && findings.knows_providers,
            "{:?}",
            findings.problems
        );
        let expected =
            ["qi", "sa_.._a", "sa_.._a_2", "sa_=b,_c__"].map(|n| format!("{n}.{}", format.name()));
        let manifest = Release::open(&folder).unwrap().manifest().unwrap().clone();
        assert!(
            manifest.tables.iter().map(|t| &t.file).eq(&expected),
            "{:?}",
            manifest.tables
        );
    }
}

#[test]
fn suppressed_people_leave_no_trace() {
    let kept = |rows: usize| {
        let specs = hospital_specs();
        let made = Made::new(table(
            &specs,
            &HOSPITALS[..rows]
                .iter()
                .map(|r| r.to_vec())
                .collect::<Vec<_>>(),
        ));
        let partition = made.partition(|age| {
            if age == "33" {
                Partition::SUPPRESSED
            } else {
                0
            }
        });
        let home = tempfile::tempdir().unwrap();
        let verified = made.verified(&partition, &[k(3), distinct(2)]);
        let receipt = publish(&verified, Format::Parquet, &home.path().join("out")).unwrap();
        assert!(
            Release::open(&home.path().join("out"))
                .unwrap()
                .check()
                .is_clean()
        );
        (
            files(&home.path().join("out/public")),
            receipt.private.suppressed_rows,
        )
    };
    let (with, without) = (kept(10), kept(9));
    assert!(with.0 == without.0);
    assert_eq!((with.1, without.1), (1, 0));
}

fn generated(cells: &[(u32, u32, u32, u32)]) -> Table {
    let specs = [
        spec("s", Role::Sensitive),
        spec("q", Role::QuasiIdentifier),
        ColumnSpec {
            kind: Some(mingle_model::Kind::Decimal),
            ..spec("t", Role::Sensitive)
        },
    ];
    let text = |(q, s, t, p): &(u32, u32, u32, u32)| {
        let number = ["", "-1.50", "10", "9", "0.25"][*t as usize].to_owned();
        vec![format!("={s},\""), q.to_string(), number, format!("P{p}")]
    };
    table(&specs, &cells.iter().map(text).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn fragments_are_read_back_and_input_order_gives_nothing_away(
        mut cells in prop::collection::vec((0u32..6, 0u32..3, 0u32..5, 0u32..3), 1..30),
        groups in prop::collection::vec(0u32..4, 6),
        parquet: bool,
        turn in 0usize..30,
    ) {
        let format = if parquet { Format::Parquet } else { Format::Csv };
        let home = tempfile::tempdir().unwrap();
        let publish_as = |cells: &[(u32, u32, u32, u32)], name: &str| {
            let made = Made::new(generated(cells));
            let partition = made.partition(|q| groups[q.parse::<usize>().unwrap()]);
            let verified = made.verified(&partition, &[k(1)]);
            publish(&verified, format, &home.path().join(name)).unwrap();
            Fragments::from_published(verified.published()).unwrap()
        };
        let fragments = publish_as(&cells, "out");
        let release = Release::open(&home.path().join("out")).unwrap();
        prop_assert_eq!(shown(&release.fragments().unwrap().unwrap()), shown(&fragments));
        let findings = release.check();
        prop_assert!(findings.is_clean() && findings.knows_providers, "{:?}", findings.problems);
        prop_assert_eq!(release.published().unwrap().rows(), cells.len() as u64);
        let rows: u64 = release.audited().unwrap().map_or(0, |p: Published| p.rows());
        prop_assert_eq!(rows, cells.len() as u64);

        let turn = turn % cells.len();
        cells.rotate_left(turn);
        cells.reverse();
        publish_as(&cells, "moved");
        prop_assert!(files(&home.path().join("out/public")) == files(&home.path().join("moved/public")));
    }
}
