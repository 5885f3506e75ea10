//! Joint releases: the same bytes at both ends, two phases, two signatures.

use crate::common::{files, k, overwrite};
use ed25519_dalek::{Signer, SigningKey};
use mingle_io::{FileHash, Format};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Code, Column, ColumnSpec, FragmentColumn, FragmentGroup, Fragments, HierarchySource, Missing,
    Role,
};
use mingle_privacy::{Attribute, Distance, Promise, Ratio, Rule, verify_fragments};
use mingle_record::policy_document::PolicyDocument;
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::manifest::{
    ColumnKind, ManifestColumn, ManifestProblem, ProtocolEntry, SiteEntry, column_role,
};
use mingle_release::{
    Error, Finding, InputFile, Joint, PrivateFacts, Release, SiteSignature, Staged, committed,
    signed_bytes, stage,
};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const SESSION: &str = "5e551011/../x";

const DISEASES: [&str; 6] = [
    "Bronchitis",
    "Flu",
    "Gastric ulcer",
    "Gastritis",
    "Pneumonia",
    "Stomach cancer",
];
const TREATMENTS: [&str; 5] = [
    "Acid-reducing drug",
    "Antacid",
    "Antibiotics",
    "Antipyretic drug",
    "Cytostatic drug",
];

fn key(site: usize) -> SigningKey {
    SigningKey::from_bytes(&[site as u8 + 1; 32])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

fn site(at: usize) -> SiteEntry {
    let name = ["clinic", "insurer"][at].to_owned();
    SiteEntry {
        name,
        key: hex(key(at).verifying_key().as_bytes()),
        fingerprint: format!("sha256:{at}"),
    }
}

fn protocol() -> ProtocolEntry {
    ProtocolEntry {
        synchronizer: "merge".into(),
        leak_level: "L1".into(),
        reveals: "the table of classes to one evaluator".into(),
        rounds: 1,
        session: SESSION.into(),
        sites: vec![site(0), site(1)],
        providers: None,
    }
}

/// The values of a column as a site knows them: in an order of its own, perhaps with some that
/// nobody published has.
fn domain(name: &str, values: &[&str], at: usize) -> FragmentColumn {
    let mut rows: Vec<Vec<String>> = values
        .iter()
        .map(|v| vec![(*v).to_owned(), format!("kind {}", &v[..1]), "*".into()])
        .collect();
    let mut texts: Vec<&str> = values.to_vec();
    if at == 1 {
        rows.reverse();
        rows.insert(1, vec!["unpublished".into(), "kind u".into(), "*".into()]);
        texts.push("unpublished");
    }
    let hierarchy = HierarchyRows {
        file: format!("{at}.csv"),
        rows: (1..).zip(rows).collect(),
    };
    let spec = ColumnSpec {
        hierarchy: Some(HierarchySource::Rows(hierarchy)),
        ..ColumnSpec::new(name, Role::Sensitive)
    };
    let column = Column::from_texts(spec, texts, &Missing::default())
        .ok()
        .unwrap();
    FragmentColumn {
        name: name.into(),
        domain: column.domain,
    }
}

/// The paper's two groups in the codes of a site.
fn fragments(at: usize) -> Fragments {
    let columns = vec![
        domain("DISEASE", &DISEASES, at),
        domain("TREATMENT", &TREATMENTS, at),
    ];
    let code = |place: usize, text: &str| {
        let domain = &columns[place].domain;
        (0..domain.len() as Code)
            .find(|&c| domain.text(c) == text)
            .unwrap()
    };
    let group = |labels: [&str; 2], people: &[[usize; 2]]| FragmentGroup {
        labels: labels.map(str::to_owned).to_vec(),
        size: people.len() as u64,
        values: vec![
            people
                .iter()
                .map(|p| (code(0, DISEASES[p[0]]), 1))
                .collect(),
            people
                .iter()
                .map(|p| (code(1, TREATMENTS[p[1]]), 1))
                .collect(),
        ],
    };
    let mut young = vec![[2, 1], [3, 0]];
    let mut old = vec![[1, 3], [5, 4], [4, 2], [0, 2], [1, 3]];
    if at == 1 {
        young.reverse();
        old.reverse();
    }
    let mut groups = vec![
        group(["1234*", "[20-29]"], &young),
        group(["*", "[40-59]"], &old),
    ];
    groups.rotate_left(at);
    Fragments::new(vec!["ZIP".into(), "AGE".into()], columns, groups).unwrap()
}

fn manifest_column(name: &str, role: Role) -> ManifestColumn {
    ManifestColumn {
        name: name.into(),
        role: column_role(role),
        kind: ColumnKind::Category,
        hierarchy: None,
        order: None,
        hierarchy_rows: None,
    }
}

fn policy(document: Value) -> PolicyDocument {
    serde_json::from_value(document).unwrap()
}

fn joint(at: usize, format: Format) -> Joint {
    let t = |place| Promise {
        rule: Rule::t_closeness(Ratio::from(1), Distance::Hierarchical),
        attribute: Some(Attribute::Column(place)),
    };
    let columns = ["ZIP", "AGE", "DISEASE", "TREATMENT"].iter().zip([
        Role::QuasiIdentifier,
        Role::QuasiIdentifier,
        Role::Sensitive,
        Role::Sensitive,
    ]);
    Joint {
        fragments: verify_fragments(fragments(at), &[k(2), t(0), t(1)])
            .unwrap()
            .into_verified()
            .unwrap(),
        protocol: protocol(),
        columns: columns
            .map(|(name, role)| manifest_column(name, role))
            .collect(),
        missing: Some("?".into()),
        policy: policy(json!({ "privacy": { "k": 2 }, "protocol": { "synchronizer": "merge" } })),
        method: "datafly".into(),
        ranges: "tight".into(),
        format,
        tool_version: "0.1.0".into(),
        reports: None,
        private: PrivateFacts {
            site: site(at).name,
            inputs: vec![InputFile {
                name: format!("secret-{at}.csv"),
                hash: FileHash {
                    sha256: at.to_string().repeat(64),
                    bytes: 1,
                },
            }],
            warnings: vec![RecordedWarning::from(&Problem::new(
                ProblemCode::SameRows,
                format!("secret warning {at}"),
                "",
            ))],
            policy: Some(policy(
                json!({ "data": { "path": format!("secret-{at}.csv") } }),
            )),
        },
    }
}

fn signatures(digest: &[u8; 32]) -> [SiteSignature; 2] {
    [0, 1].map(|at| {
        let signature = key(at).sign(&signed_bytes(digest)).to_bytes();
        SiteSignature {
            site: site(at).name,
            key: key(at).verifying_key().to_bytes(),
            signature,
        }
    })
}

fn published(at: usize, format: Format) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let staged = stage(&joint(at, format), &folder, SESSION).unwrap();
    let signatures = signatures(&staged.digest());
    staged.commit(&signatures, false).unwrap();
    (home, folder)
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn both_sites_publish_the_same_bytes() {
    for format in [Format::Csv, Format::Parquet] {
        let [(home, first), (_other_home, second)] = [0, 1].map(|at| published(at, format));
        let public = files(&first.join("public"));
        assert!(public == files(&second.join("public")));
        let names: Vec<&str> = public.iter().map(|(name, _)| name.as_str()).collect();
        let table = |name: &str| format!("{name}.{}", format.name());
        assert_eq!(
            names,
            [
                "manifest.json",
                &table("qi"),
                &table("sa_DISEASE"),
                &table("sa_TREATMENT"),
                "signatures.json"
            ]
        );
        assert!(files(&first.join("private")) != files(&second.join("private")));
        for (name, bytes) in &public {
            for token in ["secret", "unpublished", "/"] {
                let plain = token != "/" || name.ends_with(".csv");
                assert!(
                    !plain || !crate::common::holds(bytes, token),
                    "{token} in {name}"
                );
            }
        }
        assert_eq!(entries(home.path()), ["out"]);
        for folder in [first.clone(), second, first.join("public")] {
            let findings = Release::open(&folder).unwrap().check();
            assert!(
                findings.is_clean() && !findings.audited,
                "{:?}",
                findings.problems
            );
            assert_eq!(findings.fragments.unwrap().groups(), 2);
        }
    }
}

#[test]
fn the_manifest_says_how_it_came_about() {
    let (_home, folder) = published(0, Format::Csv);
    let manifest: Value =
        serde_json::from_slice(&fs::read(folder.join("public/manifest.json")).unwrap()).unwrap();
    let sites = json!([site(0), site(1)]);
    let expected = json!({
        "synchronizer": "merge", "leak_level": "L1", "reveals": "the table of classes to one evaluator", "rounds": 1,
        "session": SESSION, "sites": sites,
    });
    assert_eq!(manifest["protocol"], expected);
    assert_eq!(
        manifest["columns"][3]["hierarchy_rows"][0],
        json!(["Acid-reducing drug", "kind A", "*"])
    );
    let private: Value =
        serde_json::from_slice(&fs::read(folder.join("private/manifest.json")).unwrap()).unwrap();
    assert_eq!(
        (&private["site"], private.get("audit")),
        (&json!("clinic"), None)
    );
}

#[test]
fn nothing_is_published_before_the_commit_and_a_crash_forgets_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    assert!(Staged::reopen(&folder, SESSION).unwrap().is_none());
    let staged = stage(&joint(0, Format::Csv), &folder, SESSION).unwrap();
    let digest = staged.digest();
    drop(staged);
    assert!(!folder.exists());
    assert_eq!(committed(&folder, SESSION).unwrap(), None);
    assert!(
        Staged::reopen(&folder, "another session")
            .unwrap()
            .is_none()
    );
    let again = Staged::reopen(&folder, SESSION).unwrap().unwrap();
    assert_eq!((again.digest(), again.protocol().sites.len()), (digest, 2));
    // the same once more is the same; the peer's order of values makes no difference
    assert_eq!(
        stage(&joint(1, Format::Csv), &folder, SESSION)
            .unwrap()
            .digest(),
        digest
    );
    assert_eq!(entries(home.path()).len(), 1);
    again.commit(&signatures(&digest), false).unwrap();
    assert_eq!(committed(&folder, SESSION).unwrap(), Some(digest));
    assert_eq!(committed(&folder, "another session").unwrap(), None);
    assert!(Staged::reopen(&folder, SESSION).unwrap().is_none());
    assert_eq!(entries(home.path()), ["out"]);
}

#[test]
fn giving_up_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    stage(&joint(0, Format::Csv), &folder, SESSION)
        .unwrap()
        .discard()
        .unwrap();
    assert!(entries(home.path()).is_empty());
}

#[test]
fn one_session_has_one_result() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let first = stage(&joint(0, Format::Csv), &folder, SESSION).unwrap();
    let other = Joint {
        method: "another".into(),
        ..joint(0, Format::Csv)
    };
    assert!(matches!(
        stage(&other, &folder, SESSION),
        Err(Error::StagedDiffers { .. })
    ));
    assert_eq!(
        Staged::reopen(&folder, SESSION).unwrap().unwrap().digest(),
        first.digest()
    );
    assert!(matches!(
        stage(&joint(0, Format::Csv), &folder, "another"),
        Err(Error::OtherSession { .. })
    ));
    assert_eq!(entries(home.path()).len(), 1);
}

#[test]
fn what_was_damaged_meanwhile_is_never_published() {
    for file in [
        "public/manifest.json",
        "public/qi.csv",
        "public/sa_DISEASE.csv",
        "private/manifest.json",
    ] {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        stage(&joint(0, Format::Csv), &folder, SESSION).unwrap();
        let staged = home.path().join(&entries(home.path())[0]).join(file);
        let mut bytes = fs::read(&staged).unwrap();
        if file.starts_with("private") {
            fs::remove_file(&staged).unwrap()
        } else {
            bytes[20] ^= 1;
            overwrite(&staged, &bytes);
        }
        assert!(
            matches!(
                Staged::reopen(&folder, SESSION),
                Err(Error::StagedDamaged { .. })
            ),
            "{file}"
        );
    }
}

#[test]
fn two_signatures_that_hold_or_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    stage(&joint(0, Format::Csv), &folder, SESSION).unwrap();
    let staged = || Staged::reopen(&folder, SESSION).unwrap().unwrap();
    let digest = staged().digest();
    let [a, b] = signatures(&digest);
    let other = signatures(&[0; 32]);
    let plain = SiteSignature {
        signature: key(1).sign(&digest).to_bytes(),
        ..b.clone()
    };
    let cases = [
        ([a.clone(), a.clone()], "insurer"),
        ([a.clone(), other[1].clone()], "insurer"),
        ([a.clone(), plain], "insurer"),
        (
            [
                a.clone(),
                SiteSignature {
                    signature: a.signature,
                    ..b.clone()
                },
            ],
            "insurer",
        ),
        (
            [
                SiteSignature {
                    key: b.key,
                    ..a.clone()
                },
                b.clone(),
            ],
            "clinic",
        ),
        (
            [
                SiteSignature {
                    site: "insurer".into(),
                    ..a.clone()
                },
                SiteSignature {
                    site: "clinic".into(),
                    ..b.clone()
                },
            ],
            "clinic",
        ),
        (
            [
                SiteSignature {
                    signature: [0; 64],
                    key: [0; 32],
                    ..a.clone()
                },
                b.clone(),
            ],
            "clinic",
        ),
    ];
    for (at, (signatures, name)) in cases.iter().enumerate() {
        let refused = staged().commit(signatures, true);
        assert!(
            matches!(refused, Err(Error::Signature { site }) if site == *name),
            "case {at}"
        );
        assert!(!folder.exists());
    }
    // in whatever order they come
    staged().commit(&[b, a], false).unwrap();
    let (_other_home, straight) = published(0, Format::Csv);
    assert!(files(&folder.join("public")) == files(&straight.join("public")));
}

#[test]
fn an_old_release_is_replaced_only_by_force() {
    let (home, folder) = published(0, Format::Parquet);
    let before = files(&folder);
    let later = |at: usize| {
        let joint = joint(at, Format::Csv);
        Joint {
            protocol: ProtocolEntry {
                session: "2".into(),
                ..joint.protocol.clone()
            },
            ..joint
        }
    };
    let staged = stage(&later(0), &folder, "2").unwrap();
    let signatures = signatures(&staged.digest());
    assert!(matches!(
        staged.commit(&signatures, false),
        Err(Error::Exists { .. })
    ));
    assert!(files(&folder) == before);
    let again = Staged::reopen(&folder, "2").unwrap().unwrap();
    again.commit(&signatures, true).unwrap();
    assert!(folder.join("public/qi.csv").exists());
    assert!(Release::open(&folder).unwrap().check().is_clean());
    assert_eq!(entries(home.path()), ["out"]);
}

#[test]
fn a_crash_right_after_the_exchange_is_cleaned_up() {
    let (home, folder) = published(0, Format::Csv);
    // the old release, of another session, stands where this session's was staged
    let old = home.path().join("old");
    fs::create_dir_all(old.join("public")).unwrap();
    overwrite(
        &old.join("public/manifest.json"),
        br#"{"schema":"mingle.release/1"}"#,
    );
    let name = {
        stage(&joint(0, Format::Csv), &folder, SESSION).unwrap();
        let name = entries(home.path())
            .into_iter()
            .find(|n| n.contains("joint"))
            .unwrap();
        fs::remove_dir_all(home.path().join(&name)).unwrap();
        name
    };
    fs::rename(&old, home.path().join(&name)).unwrap();
    assert!(Staged::reopen(&folder, SESSION).unwrap().is_none());
    assert_eq!(entries(home.path()), ["out"]);
    assert!(Release::open(&folder).unwrap().check().is_clean());
}

#[test]
fn what_is_in_the_way_or_does_not_fit_is_an_error_at_once() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let refused = |joint: &Joint, folder: &Path| {
        let error = stage(joint, folder, SESSION).err().unwrap();
        let staged = entries(home.path())
            .into_iter()
            .filter(|n| n.starts_with('.'))
            .count();
        assert_eq!(staged, 0);
        error
    };
    let fine = || joint(0, Format::Csv);
    assert!(matches!(
        refused(&fine(), &home.path().join("no/such/out")),
        Error::NoParent { .. }
    ));
    assert!(matches!(
        refused(&fine(), Path::new("/")),
        Error::BadName { .. }
    ));
    overwrite(&home.path().join("file"), b"thesis");
    assert!(matches!(
        refused(&fine(), &home.path().join("file")),
        Error::NotARelease { .. }
    ));

    let mut fewer = fine();
    fewer.columns.pop();
    assert!(matches!(refused(&fewer, &folder), Error::Columns));
    let mut swapped = fine();
    swapped.columns.swap(0, 1);
    assert!(matches!(refused(&swapped, &folder), Error::Columns));
    let mut more = fine();
    more.columns
        .push(manifest_column("note", Role::Insensitive));
    assert!(matches!(refused(&more, &folder), Error::Columns));

    type Change = fn(&mut ProtocolEntry);
    let changes: [Change; 5] = [
        |p| p.sites[1] = p.sites[0].clone(),
        |p| p.sites[1].key = p.sites[0].key.clone(),
        |p| p.sites[0].key = "zz".repeat(32),
        |p| p.sites[0].name.clear(),
        |p| p.synchronizer.clear(),
    ];
    for change in changes {
        let mut joint = fine();
        change(&mut joint.protocol);
        let error = refused(&joint, &folder);
        assert!(
            matches!(
                error,
                Error::Manifest {
                    problem: ManifestProblem::Inconsistent { what: "protocol" },
                    ..
                }
            ),
            "{error}"
        );
    }
}

#[test]
fn signatures_are_checked() {
    let (_home, folder) = published(0, Format::Csv);
    let path = folder.join("public/signatures.json");
    let text = fs::read_to_string(&path).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let problems = |change: &dyn Fn(&mut Value)| {
        let mut changed = document.clone();
        change(&mut changed);
        overwrite(
            &path,
            (serde_json::to_string_pretty(&changed).unwrap() + "\n").as_bytes(),
        );
        Release::open(&folder).unwrap().check().problems
    };
    let wrong = |site: &str| Finding::WrongSignature { site: site.into() };
    let swap = |key: &'static str| {
        move |d: &mut Value| {
            let (a, b) = (
                d["signatures"][0][key].clone(),
                d["signatures"][1][key].clone(),
            );
            d["signatures"][0][key] = b;
            d["signatures"][1][key] = a;
        }
    };
    assert_eq!(problems(&|_| {}), []);
    assert_eq!(
        problems(&|d| drop(d["signatures"].as_array_mut().unwrap().pop())),
        [Finding::Unsigned {
            site: "insurer".into()
        }]
    );
    let unsigned = ["clinic", "insurer"].map(|site| Finding::Unsigned { site: site.into() });
    assert_eq!(problems(&|d| d["signatures"] = json!([])), unsigned);
    assert_eq!(
        problems(&swap("signature")),
        [wrong("clinic"), wrong("insurer")]
    );
    assert_eq!(
        problems(&swap("key")),
        ["clinic", "insurer"].map(|site| Finding::OtherKey { site: site.into() })
    );
    assert_eq!(problems(&swap("site")), [Finding::Signatures]);
    assert_eq!(
        problems(&|d| d["signatures"].as_array_mut().unwrap().swap(0, 1)),
        [Finding::Signatures]
    );
    assert_eq!(
        problems(&|d| d["signatures"][1] = d["signatures"][0].clone()),
        [Finding::Unsigned {
            site: "insurer".into()
        }]
    );
    assert_eq!(
        problems(&|d| d["signatures"][0]["signature"] = json!("00".repeat(64))),
        [wrong("clinic")]
    );
    assert_eq!(
        problems(&|d| d["signatures"][0]["site"] = json!("stranger")),
        [Finding::Signatures]
    );
    assert_eq!(
        problems(&|d| d["signatures"][0]["key"] = json!("00")),
        [Finding::Signatures]
    );
    overwrite(&path, &[text.as_bytes(), b" "].concat());
    assert_eq!(
        Release::open(&folder).unwrap().check().problems,
        [Finding::Signatures]
    );
    fs::remove_file(&path).unwrap();
    let missing = Finding::MissingFile {
        file: "signatures.json".into(),
    };
    assert_eq!(Release::open(&folder).unwrap().check().problems, [missing]);
}

#[test]
fn a_signature_covers_every_byte_of_public() {
    let (_home, folder) = published(0, Format::Csv);
    let path = folder.join("public/manifest.json");
    let bytes = fs::read(&path).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    // sealed anew, as a forger would
    let forged = text.replacen("\"rounds\": 1", "\"rounds\": 2", 1);
    let unsealed = forged.split("\"checksum\": \"").next().unwrap().to_owned()
        + "\"checksum\": \""
        + &"0".repeat(64)
        + "\"\n}\n";
    let sum = mingle_release::manifest::checksum::sha256(unsealed.as_bytes());
    overwrite(&path, unsealed.replace(&"0".repeat(64), &sum).as_bytes());
    let found = Release::open(&folder.join("public"))
        .unwrap()
        .check()
        .problems;
    assert_eq!(
        found,
        ["clinic", "insurer"].map(|site| Finding::WrongSignature { site: site.into() })
    );
}

#[test]
fn every_changed_byte_of_public_is_noticed() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = published(0, format);
        let public = folder.join("public");
        for (file, bytes) in files(&public) {
            for at in (0..bytes.len()).filter(|at| bytes.len() < 400 || at % 11 == 3) {
                let mut changed = bytes.clone();
                changed[at] ^= if at % 2 == 0 { 1 } else { 0x20 };
                overwrite(&public.join(&file), &changed);
                assert!(
                    !Release::open(&public).unwrap().check().is_clean(),
                    "byte {at} of {file}"
                );
            }
            overwrite(&public.join(&file), &bytes);
        }
        assert!(Release::open(&public).unwrap().check().is_clean());
    }
}

fn pages(staged: &Path) -> Result<mingle_release::Reports, String> {
    let manifest =
        fs::read_to_string(staged.join("public/manifest.json")).map_err(|e| e.to_string())?;
    let private =
        fs::read_to_string(staged.join("private/manifest.json")).map_err(|e| e.to_string())?;
    Ok(mingle_release::Reports {
        public: format!("<p>{}</p>", manifest.len()),
        private,
    })
}

#[test]
fn both_sites_get_the_same_public_report() {
    let read = |at: usize| {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        let joint = Joint {
            reports: Some(pages),
            ..joint(at, Format::Csv)
        };
        let staged = stage(&joint, &folder, SESSION).unwrap();
        let digest = staged.digest();
        staged.commit(&signatures(&digest), false).unwrap();
        assert!(Release::open(&folder).unwrap().check().problems.is_empty());
        ["public", "private"]
            .map(|part| fs::read_to_string(folder.join(part).join("report.html")).unwrap())
    };
    let [first, second] = [read(0), read(1)];
    assert_eq!(first[0], second[0]);
    assert_ne!(first[1], second[1]);
}

#[test]
fn a_joint_release_without_its_report_is_not_staged() {
    let home = tempfile::tempdir().unwrap();
    let joint = Joint {
        reports: Some(|_| Err("no ink".to_owned())),
        ..joint(0, Format::Csv)
    };
    assert!(matches!(
        stage(&joint, &home.path().join("out"), SESSION),
        Err(Error::Report { .. })
    ));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}
