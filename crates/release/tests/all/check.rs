//! What a check finds: every kind of damage, and promises that do not hold.

use crate::common::*;
use mingle_io::Format;
use mingle_model::{
    ColumnSpec, Entry, HierarchySource, Partition, Published, Role, SensitiveColumn,
    hierarchy::HierarchyRows,
};
use mingle_privacy::{AttackNumber, Distance, Insiders, M, Ratio, Reach, Rule, Verdict};
use mingle_release::manifest::{ManifestMeaning, ManifestProblem, checksum, role_of};
use mingle_release::{Error, Finding, Release};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn problems(folder: &Path) -> Vec<Finding> {
    Release::open(folder).unwrap().check().problems
}

#[test]
fn a_fresh_release_is_clean() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = hospital_release(format);
        let findings = Release::open(&folder).unwrap().check();
        assert!(
            findings.is_clean() && findings.audited,
            "{:?}",
            findings.problems
        );
        let verification = findings.verification.unwrap();
        assert_eq!((verification.groups(), verification.records()), (3, 10));
    }
}

#[test]
fn public_alone_is_enough() {
    let (_home, folder) = hospital_release(Format::Csv);
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert!(handed_out.is_clean() && !handed_out.audited);
    fs::remove_dir_all(folder.join("private")).unwrap();
    let findings = Release::open(&folder).unwrap().check();
    assert!(findings.is_clean() && !findings.audited);
}

#[test]
fn roles_and_groups_for_measuring() {
    let (_home, folder) = hospital_release(Format::Csv);
    let release = Release::open(&folder).unwrap();
    let roles: Vec<Role> = release
        .manifest()
        .unwrap()
        .columns
        .iter()
        .map(|c| role_of(c.role))
        .collect();
    assert_eq!(
        roles,
        [
            Role::QuasiIdentifier,
            Role::QuasiIdentifier,
            Role::Sensitive
        ]
    );
    let published = release.published().unwrap();
    assert_eq!((published.groups(), published.rows()), (3, 10));
    assert!(
        published
            .describe(0)
            .eq([("age", "[20-31]"), ("zip", "[12300-98745]")])
    );
}

/// Sensitive values, provider and count in texts.
type Shown = (String, String, u64);

/// Everything in texts: groups with their labels, and below each who contributed which values how
/// often.
fn shown(published: &Published) -> Vec<(String, Vec<Shown>)> {
    let group = |g: usize| {
        let labels: Vec<&str> = published.describe(g).map(|(_, label)| label).collect();
        let entry = |e: &Entry| {
            let value =
                |c: &SensitiveColumn| c.domain.text(c.codes.get(e.sensitive as usize)).to_owned();
            let values: Vec<String> = published.sensitive().iter().map(value).collect();
            (
                values.join(","),
                published.providers().name(e.provider).to_owned(),
                e.count,
            )
        };
        let mut entries: Vec<_> = published.entries(g).iter().map(entry).collect();
        entries.sort();
        (labels.join(","), entries)
    };
    (0..published.groups()).map(group).collect()
}

#[test]
fn the_audit_knows_who_contributed_what() {
    for format in [Format::Csv, Format::Parquet] {
        let made = Made::new(hospitals());
        let verified = made.verified(&made.partition(by_age), &[k(3), distinct(2)]);
        let (_home, folder) = hospital_release(format);
        let audited = Release::open(&folder).unwrap().audited().unwrap().unwrap();
        assert_eq!(shown(&audited), shown(verified.published()));
        assert!(
            Release::open(&folder.join("public"))
                .unwrap()
                .audited()
                .unwrap()
                .is_none()
        );
    }
}

#[test]
fn every_changed_byte_is_noticed() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = hospital_release(format);
        for (file, bytes) in files(&folder) {
            let path = folder.join(&file);
            let (step, offset) = (if bytes.len() < 400 { 1 } else { 23 }, bytes.len() % 23);
            for at in (0..bytes.len()).filter(|at| at % step == offset % step) {
                let mut changed = bytes.clone();
                changed[at] ^= if at % 2 == 0 { 1 } else { 0x20 };
                overwrite(&path, &changed);
                let found = problems(&folder);
                let shown = file.strip_prefix("public/").unwrap_or(&file).to_owned();
                let noticed = |f: &Finding| match f {
                    Finding::ChangedFile { file } | Finding::Manifest { file, .. } => {
                        *file == shown
                    }
                    _ => false,
                };
                assert!(found.iter().any(noticed), "byte {at} of {file}: {found:?}");
            }
            overwrite(&path, &bytes);
        }
        assert!(problems(&folder).is_empty());
    }
}

#[test]
fn cut_longer_and_empty_files_are_noticed() {
    let (_home, folder) = hospital_release(Format::Parquet);
    for (file, bytes) in files(&folder) {
        for changed in [
            &bytes[..bytes.len() - 1],
            &[&bytes[..], b"\n"].concat(),
            b"",
            b"\xff\xfe",
            b"{}",
        ] {
            overwrite(&folder.join(&file), changed);
            assert!(!problems(&folder).is_empty(), "{file}");
        }
        overwrite(&folder.join(&file), &bytes);
    }
}

#[test]
#[cfg(unix)]
fn links_are_no_files_of_a_release() {
    for file in ["data.csv", "manifest.json"] {
        let (home, folder) = hospital_release(Format::Csv);
        let (there, elsewhere) = (folder.join("public").join(file), home.path().join(file));
        fs::rename(&there, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &there).unwrap();
        let link = Finding::Link { file: file.into() };
        assert_eq!(problems(&folder), [link]);
    }
}

#[test]
fn missing_and_unexpected_files() {
    let (_home, folder) = hospital_release(Format::Csv);
    overwrite(&folder.join("public/notes.txt"), b"");
    fs::create_dir(folder.join("public/more")).unwrap();
    let unexpected = |file: &str| Finding::UnexpectedFile { file: file.into() };
    assert_eq!(
        problems(&folder),
        [unexpected("more"), unexpected("notes.txt")]
    );
    fs::remove_file(folder.join("public/notes.txt")).unwrap();
    fs::remove_dir(folder.join("public/more")).unwrap();

    let missing = |file: &str| Finding::MissingFile { file: file.into() };
    fs::rename(
        folder.join("private/manifest.json"),
        folder.join("private/gone"),
    )
    .unwrap();
    assert_eq!(problems(&folder), [missing("private/manifest.json")]);
    fs::rename(
        folder.join("private/gone"),
        folder.join("private/manifest.json"),
    )
    .unwrap();
    fs::remove_file(folder.join("private/audit.parquet")).unwrap();
    assert_eq!(problems(&folder)[0], missing("private/audit.parquet"));
    fs::remove_file(folder.join("public/data.csv")).unwrap();
    let findings = Release::open(&folder).unwrap().check();
    assert_eq!(findings.problems[0], missing("data.csv"));
    assert!(findings.verification.is_none() && !findings.is_clean());
    fs::remove_file(folder.join("public/manifest.json")).unwrap();
    assert!(matches!(
        Release::open(&folder),
        Err(Error::NotARelease { .. })
    ));
    assert!(matches!(
        Release::open(&folder.join("nowhere")),
        Err(Error::NotARelease { .. })
    ));
}

#[test]
fn the_private_part_of_another_release() {
    let (_home, folder) = hospital_release(Format::Csv);
    let (_other_home, other) = hospital_release(Format::Parquet);
    for file in ["manifest.json", "audit.parquet"] {
        fs::copy(
            other.join("private").join(file),
            folder.join("private").join(file),
        )
        .unwrap();
    }
    assert_eq!(problems(&folder), [Finding::OtherRelease]);
}

/// Rewrites a file of `public/` and makes the manifest fit again, as a forger would.
fn forge(
    public: &Path,
    change_data: impl Fn(&str) -> String,
    change_manifest: impl Fn(&mut Value),
) {
    let data = change_data(&fs::read_to_string(public.join("data.csv")).unwrap());
    overwrite(&public.join("data.csv"), data.as_bytes());
    rewrite(&public.join("manifest.json"), |manifest| {
        manifest["files"][0]["sha256"] = json!(checksum::sha256(data.as_bytes()));
        manifest["files"][0]["bytes"] = json!(data.len());
        change_manifest(manifest);
    });
}

/// Changes a manifest and seals it again.
pub fn rewrite(path: &Path, change: impl Fn(&mut Value)) {
    let mut manifest: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut manifest);
    // the checksum stays the last key, whatever was added
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

#[test]
fn providers_in_the_private_manifest_must_fit_the_audit() {
    type Change = fn(&mut Value);
    let cases: [(Change, u64); 4] = [
        (|m| m["providers"][0]["published_rows"] = json!(2), 1),
        (|m| m["providers"][0]["name"] = json!("P9"), 2),
        (|m| m["providers"].as_array_mut().unwrap().truncate(3), 1),
        (
            |m| {
                m["providers"]
                    .as_array_mut()
                    .unwrap()
                    .push(json!({ "name": "P5", "rows": 4, "published_rows": 4 }))
            },
            1,
        ),
    ];
    for (change, providers) in cases {
        let (_home, folder) = hospital_release(Format::Csv);
        rewrite(&folder.join("private/manifest.json"), change);
        assert_eq!(problems(&folder), [Finding::ProvidersDiffer { providers }]);
    }
}

fn without_last_row(data: &str) -> String {
    data.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n"
}

#[test]
fn a_forger_who_drops_a_row_breaks_the_promise_and_the_audit() {
    let (_home, folder) = hospital_release(Format::Csv);
    forge(&folder.join("public"), without_last_row, |m| {
        m["rows"] = json!(9)
    });
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert_eq!(handed_out.problems, []);
    let verification = handed_out.verification.as_ref().unwrap();
    assert!(
        matches!(verification.verdict(), Verdict::Fails(w) if w.name == "k-anonymity" && w.group == 2)
    );
    assert!(!handed_out.is_clean());
    assert_eq!(
        problems(&folder),
        [Finding::OtherRelease, Finding::AuditDiffers { tuples: 1 }]
    );
}

#[test]
fn a_forger_who_moves_a_value_is_caught_by_the_audit() {
    let (_home, folder) = hospital_release(Format::Csv);
    forge(
        &folder.join("public"),
        |data| data.replacen("Asthma", "Measles", 1),
        |_| {},
    );
    assert!(problems(&folder).contains(&Finding::AuditDiffers { tuples: 2 }));
}

#[test]
fn manifests_that_lie_or_make_no_sense() {
    let inconsistent = |what| Finding::Manifest {
        file: "manifest.json".into(),
        problem: ManifestProblem::Inconsistent { what },
    };
    let count = |what, declared, found| Finding::Count {
        what,
        declared,
        found,
    };
    let header = || Finding::Header {
        file: "data.csv".into(),
    };
    let schema = ManifestProblem::Schema {
        expected: "mingle.release/1",
    };
    type Change = fn(&mut Value);
    let cases: [(Change, Finding); 11] = [
        (|m| m["rows"] = json!(11), count("rows", 11, 10)),
        (|m| m["groups"] = json!(2), count("groups", 2, 3)),
        (
            |m| m["columns"].as_array_mut().unwrap().swap(0, 1),
            header(),
        ),
        (
            |m| m["files"][0]["name"] = json!("../../etc/passwd"),
            inconsistent("files"),
        ),
        (
            |m| m["files"].as_array_mut().unwrap().clear(),
            inconsistent("files"),
        ),
        (
            |m| m["promises"][0]["name"] = json!("no-such-promise"),
            inconsistent("promises"),
        ),
        (
            |m| m["promises"][1]["column"] = json!("age"),
            inconsistent("promises"),
        ),
        (
            |m| m["columns"][1]["name"] = json!("age"),
            inconsistent("columns"),
        ),
        (
            |m| m["semantics"] = json!("strict"),
            inconsistent("semantics"),
        ),
        (
            |m| m["site_diversity"] = json!(1),
            inconsistent("semantics"),
        ),
        (
            |m| m["schema"] = json!("mingle.release/2"),
            Finding::Manifest {
                file: "manifest.json".into(),
                problem: schema,
            },
        ),
    ];
    for (change, expected) in cases {
        let (_home, folder) = hospital_release(Format::Csv);
        let public = folder.join("public");
        forge(&public, str::to_owned, change);
        assert_eq!(problems(&public), [expected]);
    }
    let unknown: [Change; 4] = [
        |m| m["new_key"] = json!(1),
        |m| m["format"] = json!("../x"),
        |m| m["semantics"] = json!("lax"),
        |m| m["policy"] = json!(["odd"]),
    ];
    for change in unknown {
        let (_home, folder) = hospital_release(Format::Csv);
        forge(&folder.join("public"), str::to_owned, change);
        assert!(matches!(
            &problems(&folder.join("public"))[..],
            [Finding::Manifest {
                problem: ManifestProblem::Checksum | ManifestProblem::Malformed { .. },
                ..
            }]
        ));
    }
    let (_home, folder) = hospital_release(Format::Csv);
    forge(&folder.join("public"), str::to_owned, |m| {
        m["promises"] = json!([])
    });
    assert!(matches!(
        &problems(&folder.join("public"))[..],
        [Finding::Unverifiable { .. }]
    ));
}

#[test]
fn messages_never_quote_the_data() {
    let (_home, folder) = hospital_release(Format::Csv);
    for canary in [
        "[20-31],canary\n",
        "canary,canary,canary,canary\n",
        "\"canary\n",
        "canary\rcanary\n",
    ] {
        forge(
            &folder.join("public"),
            |_| format!("age,zip,disease\n{canary}"),
            |_| {},
        );
        let found = problems(&folder);
        assert!(
            !found.is_empty() && found.iter().all(|f| !f.to_string().contains("canary")),
            "{found:?}"
        );
    }
}

#[test]
fn the_audit_decides_about_insiders() {
    let made = Made::new(hospitals());
    let verified = made.verified_against(
        &made.partition(by_age),
        &[k(1), distinct(1)],
        Insiders::strict(M(1), 1),
    );
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    made.publish(&verified, &facts(Format::Csv), &folder)
        .unwrap();
    let findings = Release::open(&folder).unwrap().check();
    assert!(findings.is_clean());
    let verification = findings.verification.unwrap();
    assert_eq!(verification.insiders(), Insiders::strict(M(1), 1));
    assert_eq!(
        verification.attack_number(),
        AttackNumber {
            found: None,
            open: false
        }
    );
    assert_eq!(verification.site_diversity(), Some(&Verdict::Holds));
    let handed_out = Release::open(&folder.join("public")).unwrap().check();
    assert!(handed_out.is_clean() && !handed_out.audited);
    assert_eq!(handed_out.verification.unwrap().insiders(), Insiders::NONE);
}

#[test]
fn what_a_manifest_claims_about_insiders_is_not_believed() {
    // three groups of three and four rows: one provider leaves fewer than three in each
    type Change = fn(&mut Value);
    let cases: [(Change, &str, usize); 4] = [
        (|m| m["m"] = json!(1), "k-anonymity", 1),
        (|m| m["m"] = json!(u64::MAX), "k-anonymity", 1),
        (|m| m["promises"][0]["k"] = json!(4), "k-anonymity", 0),
        (
            |m| {
                m["semantics"] = json!("strict");
                m["site_diversity"] = json!(3);
            },
            "site-diversity",
            0,
        ),
    ];
    for (change, name, coalition) in cases {
        let (_home, folder) = hospital_release(Format::Csv);
        rewrite(&folder.join("public/manifest.json"), change);
        let findings = Release::open(&folder).unwrap().check();
        assert_eq!(findings.problems, [Finding::OtherRelease]);
        let verification = findings.verification.unwrap();
        let witness = verification.witness().unwrap();
        assert_eq!((witness.name, witness.coalition.len()), (name, coalition));
    }
}

#[test]
fn a_release_from_before_insiders_is_read() {
    let (_home, folder) = hospital_release(Format::Csv);
    rewrite(&folder.join("public/manifest.json"), |m| {
        drop(m.as_object_mut().unwrap().shift_remove("semantics"))
    });
    let release = Release::open(&folder).unwrap();
    assert_eq!(release.manifest().unwrap().insiders(), Some(Insiders::NONE));
    assert_eq!(release.check().problems, [Finding::OtherRelease]);
}

/// One column of each meaning, the last row suppressed.
fn release_with(
    sensitive: ColumnSpec,
    values: [&str; 5],
    distance: Distance,
    max: &str,
) -> (tempfile::TempDir, bool) {
    let specs = [spec("age", Role::QuasiIdentifier), sensitive];
    let rows: Vec<Vec<&str>> = ["20", "21", "30", "31", "99"]
        .iter()
        .zip(values)
        .map(|(age, v)| vec![*age, v, "P"])
        .collect();
    let made = Made::new(table(&specs, &rows));
    let group = |age: &str| match age.as_bytes()[0] {
        b'9' => Partition::SUPPRESSED,
        decade => u32::from(decade - b'2'),
    };
    let t = about_first(Rule::t_closeness(Ratio::parse(max).unwrap(), distance));
    let home = tempfile::tempdir().unwrap();
    let published = made.published(&made.partition(group)).unwrap();
    let verified = mingle_privacy::verify(published, &[k(2), t], Insiders::NONE, Reach::Stated)
        .unwrap()
        .into_verified();
    let holds = verified.is_ok();
    if let Ok(verified) = verified {
        made.publish(&verified, &facts(Format::Csv), &home.path().join("out"))
            .unwrap();
        let findings = Release::open(&home.path().join("out/public"))
            .unwrap()
            .check();
        assert!(findings.is_clean(), "{:?}", findings.problems);
    }
    (home, holds)
}

fn column_of(home: &tempfile::TempDir) -> Value {
    let manifest = fs::read(home.path().join("out/public/manifest.json")).unwrap();
    serde_json::from_slice::<Value>(&manifest).unwrap()["columns"][1].clone()
}

#[test]
fn closeness_can_be_verified_from_public_alone() {
    // an order: low low | mid high, distance 3/4 of the way to the whole table on three ranks
    let order = Some(
        ["high", "unseen", "mid", "low", "secret"]
            .map(String::from)
            .to_vec(),
    );
    let ordered = ColumnSpec {
        order,
        ..spec("level", Role::Sensitive)
    };
    let values = ["low", "mid", "mid", "high", "secret"];
    let (home, holds) = release_with(ordered.clone(), values, Distance::Ordered, "0.25");
    assert!(holds);
    assert_eq!(column_of(&home)["order"], json!(["high", "mid", "low"]));
    assert!(!release_with(ordered, values, Distance::Ordered, "0.24").1);

    let rows = ["a;x;*", "b;x;*", "c;y;*", "secret;z;*"];
    let rows = rows
        .iter()
        .zip(1..)
        .map(|(r, line)| (line, r.split(';').map(str::to_owned).collect()))
        .collect();
    let hierarchy = Some(HierarchySource::Rows(HierarchyRows {
        file: "h.csv".into(),
        rows,
    }));
    let hierarchical = ColumnSpec {
        hierarchy,
        ..spec("level", Role::Sensitive)
    };
    let values = ["a", "c", "b", "c", "secret"];
    let (home, holds) = release_with(
        hierarchical.clone(),
        values,
        Distance::Hierarchical,
        "0.125",
    );
    assert!(holds);
    let expected = json!([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]);
    assert_eq!(
        (
            &column_of(&home)["hierarchy_rows"],
            &column_of(&home)["hierarchy"]
        ),
        (&expected, &json!("file"))
    );
    assert!(!release_with(hierarchical, values, Distance::Hierarchical, "0.124").1);

    let numbers = ColumnSpec {
        hierarchy: Some(HierarchySource::Mask(2)),
        ..spec("level", Role::Sensitive)
    };
    for distance in Distance::ALL {
        let values = ["10", "?", "11", "?", "7777"];
        let (home, holds) = release_with(numbers.clone(), values, distance, "1");
        assert!(holds);
        assert!(!holds_anywhere(&home, "7777"));
    }
}

fn holds_anywhere(home: &tempfile::TempDir, token: &str) -> bool {
    files(&home.path().join("out/public"))
        .iter()
        .any(|(_, bytes)| holds(bytes, token))
}
