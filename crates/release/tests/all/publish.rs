//! What is written, what is refused, and what must never be seen in `public/`.

use crate::common::*;
use mingle_io::Format;
use mingle_model::{
    Cell, HierarchySource, Kind, Partition, PartitionError, Role, hierarchy::HierarchyRows,
};
use mingle_privacy::{Distance, Insiders, M, Ratio, Reach, Rule, verify};
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Bundle, Error, Release, Target};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

#[test]
fn four_hospitals() {
    let (_home, folder) = hospital_release(Format::Csv);
    let csv = fs::read_to_string(folder.join("public/data.csv")).unwrap();
    let expected = "age,zip,disease
[20-31],[12300-98745],Asthma
[20-31],[12300-98745],Cancer
[20-31],[12300-98745],Epilepsy
[20-31],[12300-98745],Flu
[32-35],[12337-12388],Asthma
[32-35],[12337-12388],Asthma
[32-35],[12337-12388],Cancer
[37-39],[12389-98708],Cancer
[37-39],[12389-98708],Flu
[37-39],[12389-98708],Flu
";
    assert_eq!(csv, expected);
    let names: Vec<String> = files(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "private/audit.parquet",
            "private/manifest.json",
            "public/data.csv",
            "public/manifest.json"
        ]
    );
}

fn manifest(folder: &Path, part: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(part).join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn the_public_manifest_says_what_follows_from_rows_and_policy() {
    let (_home, folder) = hospital_release(Format::Csv);
    let public = manifest(&folder, "public");
    let keys: Vec<&str> = public
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = [
        "schema",
        "tool",
        "rows",
        "groups",
        "columns",
        "missing",
        "promises",
        "m",
        "semantics",
        "verdict",
        "method",
        "ranges",
        "format",
        "formula_guard",
        "files",
        "policy",
        "warnings",
        "checksum",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        (&public["rows"], &public["groups"], &public["m"]),
        (&json!(10), &json!(3), &json!(0))
    );
    assert_eq!(public["semantics"], "victim");
    assert_eq!(
        public["promises"][1],
        json!({ "name": "distinct-l-diversity", "column": "disease", "l": 2 })
    );
    assert_eq!(
        public["columns"][0],
        json!({ "name": "age", "role": "quasi-identifier", "kind": "integer" })
    );
    let expected =
        json!({ "privacy": { "k": 3, "l": { "distinct": 2 } }, "method": { "name": "by-hand" } });
    assert_eq!(public["policy"], expected);
    let text = fs::read_to_string(folder.join("public/manifest.json")).unwrap();
    assert!(
        text.starts_with("{\n  \"schema\": \"mingle.release/1\",\n") && text.ends_with("\"\n}\n")
    );
}

#[test]
fn the_private_manifest_has_the_rest() {
    let (_home, folder) = hospital_release(Format::Csv);
    let private = manifest(&folder, "private");
    assert_eq!(
        private["providers"][0],
        json!({ "name": "P1", "rows": 3, "published_rows": 3 })
    );
    assert_eq!(
        (&private["seed"], &private["suppressed_rows"]),
        (&json!(4711), &json!(0))
    );
    assert_eq!(private["inputs"][0]["name"], "p1.csv");
    assert_eq!(private["policy"]["data"]["providers"][0]["path"], "p1.csv");
    assert_eq!(
        private.as_object().unwrap().keys().next_back().unwrap(),
        "checksum"
    );
}

#[test]
fn what_was_verified_says_against_whom() {
    let made = Made::new(hospitals());
    for (insiders, semantics, site_diversity) in [
        (Insiders::victim(M(1)), json!("victim"), None),
        (Insiders::victim(M(9)), json!("victim"), None),
        (Insiders::strict(M(1), 1), json!("strict"), Some(json!(1))),
        (Insiders::strict(M(0), 2), json!("strict"), Some(json!(2))),
    ] {
        let verified = made.verified_against(&made.partition(by_age), &[k(1)], insiders);
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        made.publish(&verified, &facts(Format::Csv), &folder)
            .unwrap();
        let public = manifest(&folder, "public");
        assert_eq!(
            (&public["m"], &public["semantics"]),
            (&json!(insiders.m.0), &semantics)
        );
        assert_eq!(public.get("site_diversity"), site_diversity.as_ref());
        let private = manifest(&folder, "private");
        // only coalitions of the stated size were looked for, of four providers
        assert_eq!(private["attack_number"], json!(null));
        assert_eq!(
            private.get("attack_number_undecided"),
            (insiders.m.0 < 3).then_some(&json!(true))
        );
    }
}

#[test]
fn figures_are_public_only_on_demand_and_rounded() {
    let made = Made::new(hospitals());
    let verified = made.verified(&made.partition(by_age), &[k(3)]);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let facts = mingle_release::Facts {
        publish_utility: true,
        ..facts(Format::Csv)
    };
    let receipt = made.publish(&verified, &facts, &folder).unwrap();
    assert_eq!(
        manifest(&folder, "public")["utility"],
        json!({
            "ncp": 0.12, "average_group_size": 1.2, "non_uniform_entropy": 0.23,
            "query_error_mean": 0.5, "query_error_median": 0.25,
        })
    );
    assert_eq!(
        manifest(&folder, "public")["checksum"],
        receipt.public.checksum
    );
}

/// Rows with every kind of column, in this order of rows and with these providers.
fn varied(order: &[usize], provider: impl Fn(usize) -> String) -> Made {
    let specs = [
        spec("note", Role::Insensitive),
        spec("age", Role::QuasiIdentifier),
        spec("disease", Role::Sensitive),
        spec("income", Role::Sensitive),
        spec("visit", Role::Insensitive),
    ];
    let row = |&i: &usize| {
        let age = (20 + i % 9).to_string();
        let (disease, income) = (
            format!("d{}", i % 4),
            ["1.50", "-2", "?", "7"][i % 4].to_owned(),
        );
        let visit = ["2001-03-02", "2002-01-01", ""][i % 3].to_owned();
        vec![
            ["=1+1", "a,b", "\"q\"", "'x"][i % 4].to_owned(),
            age,
            disease,
            income,
            visit,
            provider(i),
        ]
    };
    Made::new(table(&specs, &order.iter().map(row).collect::<Vec<_>>()))
}

fn varied_public(
    order: &[usize],
    provider: impl Fn(usize) -> String,
    format: Format,
) -> Vec<(String, Vec<u8>)> {
    let made = varied(order, provider);
    let partition = made.partition(|age| age.parse::<u32>().unwrap() / 25);
    let verified = made.verified(&partition, &[k(2)]);
    let home = tempfile::tempdir().unwrap();
    made.publish(&verified, &facts(format), &home.path().join("out"))
        .unwrap();
    assert!(
        Release::open(&home.path().join("out"))
            .unwrap()
            .check()
            .is_clean()
    );
    files(&home.path().join("out/public"))
}

#[test]
fn order_of_rows_and_names_of_providers_leave_no_trace() {
    let straight: Vec<usize> = (0..48).collect();
    let shuffled: Vec<usize> = (0..48).map(|i| i * 29 % 48).collect();
    for format in [Format::Csv, Format::Parquet] {
        let first = varied_public(&straight, |i| format!("P{}", i % 3), format);
        let rows_moved = varied_public(&shuffled, |i| format!("P{}", i % 3), format);
        let providers_swapped = varied_public(&straight, |i| format!("P{}", 2 - i % 3), format);
        let renamed = varied_public(&shuffled, |i| format!("clinic {}", (i + 1) % 3), format);
        assert!(
            first == rows_moved && first == providers_swapped && first == renamed,
            "{format:?}"
        );
        let other_owners = varied_public(&straight, |i| format!("P{}", i % 5), format);
        assert!(first == other_owners, "{format:?}");
    }
}

#[test]
fn cells_that_a_spreadsheet_would_run_are_guarded_and_read_back() {
    let straight: Vec<usize> = (0..48).collect();
    let public = varied_public(&straight, |i| format!("P{}", i % 3), Format::Csv);
    let text = String::from_utf8(public[0].1.clone()).unwrap();
    assert!(text.contains("\n'=1+1,") && text.contains("\n\"a,b\",") && !text.contains("\n=1"));
}

/// Tokens that identify people, towns, a suppressed disease, the providers and the steward's own
/// files.
#[test]
fn canaries_stay_inside() {
    let rows: Vec<Vec<String>> = (0..8)
        .map(|i| {
            let suppressed = i == 7;
            let disease = if suppressed {
                "canary-disease".to_owned()
            } else {
                format!("d{}", i % 2)
            };
            let note = if suppressed {
                "canary-note".to_owned()
            } else {
                "seen-note".to_owned()
            };
            let age = if suppressed {
                "777777".to_owned()
            } else {
                format!("{}", 30 + i)
            };
            let town = format!("canary-town-{i}");
            vec![
                format!("canary-name-{i}"),
                age,
                town,
                disease,
                note,
                format!("canary-provider-{}", i % 2),
            ]
        })
        .collect();
    let town_rows = (0..8).map(|i| {
        (
            i + 1,
            vec![format!("canary-town-{i}"), "seen-north".into(), "*".into()],
        )
    });
    let disease_rows = ["d0", "d1", "canary-disease"];
    let disease_rows =
        disease_rows.map(|d| (1, vec![d.to_owned(), format!("above-{d}"), "*".into()]));
    let hierarchy = |rows: Vec<(u64, Vec<String>)>| {
        Some(HierarchySource::Rows(HierarchyRows {
            file: "canary-file.csv".into(),
            rows,
        }))
    };
    let specs = [
        spec("name", Role::Identifier),
        spec("age", Role::QuasiIdentifier),
        mingle_model::ColumnSpec {
            hierarchy: hierarchy(town_rows.collect()),
            ..spec("town", Role::QuasiIdentifier)
        },
        mingle_model::ColumnSpec {
            hierarchy: hierarchy(disease_rows.to_vec()),
            ..spec("disease", Role::Sensitive)
        },
        spec("note", Role::Insensitive),
    ];
    let mut facts = facts(Format::Csv);
    facts.policy = serde_json::from_value(json!({
        "data": { "providers": [{ "name": "canary-provider-0", "path": "canary-path.csv" }] },
        "columns": { "name": { "role": "identifier" }, "town": { "hierarchy": "canary-path.csv" } },
        "method": { "seed": 20_010_911 },
    }))
    .unwrap();
    facts.seed = 20_010_911;
    facts.inputs[0].name = "canary-path.csv".into();
    let warning = Problem::new(ProblemCode::SameRows, "canary-warning", "");
    facts.warnings = vec![RecordedWarning::from(&warning)];
    let distance = Distance::Hierarchical;
    let t = about_first(Rule::t_closeness(Ratio::from(1), distance));
    for format in [Format::Csv, Format::Parquet] {
        facts.format = format;
        let made = Made::new(table(&specs, &rows));
        let partition = made.partition(|age| {
            if age == "777777" {
                Partition::SUPPRESSED
            } else {
                0
            }
        });
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        made.publish(&made.verified(&partition, &[k(3), t]), &facts, &folder)
            .unwrap();
        assert!(Release::open(&folder).unwrap().check().is_clean());
        let public = files(&folder.join("public"));
        for (name, bytes) in &public {
            for token in [
                "canary",
                "777777",
                "20010911",
                "\"name\": \"name\"",
                "private",
            ] {
                assert!(!holds(bytes, token), "{token} in {name}");
            }
        }
        // the search itself works
        assert!(public.iter().any(|(_, bytes)| holds(bytes, "above-d0")));
        assert!(format == Format::Parquet || holds(&public[0].1, "seen-note"));
        let private = files(&folder.join("private"));
        assert!(
            private
                .iter()
                .any(|(_, bytes)| holds(bytes, "canary-path.csv"))
        );
    }
}

#[test]
fn a_row_in_a_group_that_does_not_cover_it_is_refused() {
    let made = Made::new(hospitals());
    let mut partition = made.partition(by_age);
    let last = partition.group_of.len() - 1;
    assert_ne!(partition.group_of[last], 0);
    partition.group_of[last] = 0;
    assert_eq!(
        made.published(&partition).err(),
        Some(PartitionError::NotCovered {
            column: "age".into()
        })
    );
}

#[test]
fn a_group_below_k_is_not_verified() {
    let made = Made::new(hospitals());
    let published = made.published(&made.partition(by_age)).unwrap();
    assert!(
        verify(published, &[k(4)], Insiders::NONE, Reach::Stated)
            .unwrap()
            .into_verified()
            .is_err()
    );
}

#[test]
fn groups_published_alike_are_one() {
    let made = Made::new(hospitals());
    let age = |a: &str| a.parse::<u32>().unwrap();
    // four planned groups, two of them below k, all labelled `*`
    let planned = made.partition(|a| age(a) % 4);
    let alike = Partition {
        cells: vec![Cell::All; planned.cells.len()],
        group_of: planned.group_of,
    };
    let verified = made.verified(&alike, &[k(10)]);
    let home = tempfile::tempdir().unwrap();
    let receipt = made
        .publish(&verified, &facts(Format::Csv), &home.path().join("out"))
        .unwrap();
    assert_eq!((receipt.public.groups, receipt.public.rows), (1, 10));
    assert!(
        Release::open(&home.path().join("out"))
            .unwrap()
            .check()
            .is_clean()
    );
}

/// The four hospitals with the provider's name in a column of this role.
fn with_provider_as(role: Role, name: impl Fn(usize) -> &'static str) -> Result<(), Error> {
    let mut specs = hospital_specs();
    specs.push(spec("site", role));
    let rows = HOSPITALS.iter().enumerate();
    let rows: Vec<Vec<&str>> = rows
        .map(|(i, r)| vec![r[0], r[1], r[2], name(i), r[3]])
        .collect();
    let made = Made::new(table(&specs, &rows));
    // every row its own group, so that no quasi-identifier is generalized
    let partition = made.partition(|age| age.parse::<u32>().unwrap() - 20);
    let home = tempfile::tempdir().unwrap();
    let verified = made.verified(&partition, &[k(1)]);
    let done = made
        .publish(&verified, &facts(Format::Csv), &home.path().join("out"))
        .map(|_| ());
    assert_eq!(done.is_ok(), home.path().join("out").exists());
    done
}

#[test]
fn a_provider_column_among_the_data_is_refused() {
    for role in [Role::Insensitive, Role::Sensitive, Role::QuasiIdentifier] {
        let refused = with_provider_as(role, |i| HOSPITALS[i][3]);
        assert!(
            matches!(refused, Err(Error::ProviderInData { column }) if column == "site"),
            "{role:?}"
        );
        with_provider_as(role, |i| if i == 0 { "P2" } else { HOSPITALS[i][3] }).unwrap();
    }
    // a column dropped as an identifier does no harm
    with_provider_as(Role::Identifier, |i| HOSPITALS[i][3]).unwrap();
}

#[test]
fn a_lone_provider_has_nothing_to_hide() {
    let mut specs = hospital_specs();
    specs.push(spec("site", Role::Insensitive));
    let made = Made::new(table(
        &specs,
        &HOSPITALS.map(|r| vec![r[0], r[1], r[2], "P1", "P1"]),
    ));
    let home = tempfile::tempdir().unwrap();
    let verified = made.verified(&made.partition(by_age), &[k(3)]);
    made.publish(&verified, &facts(Format::Csv), &home.path().join("out"))
        .unwrap();
}

#[test]
fn what_some_tool_has_written_has_no_rows_to_publish() {
    let foreign = mingle_model::Published::from_table(&hospitals());
    let foreign = verify(foreign, &[k(1)], Insiders::NONE, Reach::Stated)
        .unwrap()
        .into_verified()
        .unwrap();
    let refused = Bundle::grouped(&foreign, &facts(Format::Csv));
    assert!(matches!(refused, Err(Error::OtherTable)));
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let mut specs = hospital_specs();
    specs[2].name = "age".into();
    let made = Made::new(table(&specs, &HOSPITALS.map(|r| r.to_vec())));
    let verified = made.verified(&made.partition(by_age), &[k(3)]);
    let home = tempfile::tempdir().unwrap();
    let refused = made.publish(&verified, &facts(Format::Csv), &home.path().join("out"));
    assert!(matches!(refused, Err(Error::TwoColumns { column }) if column == "age"));
}

#[test]
fn giving_up_leaves_the_old_release() {
    let (home, folder) = hospital_release(Format::Csv);
    let before = files(&folder);
    let made = Made::new(hospitals());
    let verified = made.verified(&made.partition(|_| 0), &[k(3)]);
    let facts = facts(Format::Parquet);
    let attempt = |force, cancelled: bool| {
        let cancelled = AtomicBool::new(cancelled);
        let target = Target::folder(&folder).replacing(force);
        Bundle::grouped(&verified, &facts)?.write(target.cancelled_by(&cancelled))
    };
    assert!(matches!(attempt(true, true), Err(Error::Cancelled)));
    assert!(matches!(attempt(false, false), Err(Error::Exists { .. })));
    assert!(files(&folder) == before);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    attempt(true, false).unwrap();
    assert!(
        folder.join("public/data.parquet").exists() && !folder.join("public/data.csv").exists()
    );
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
}

#[test]
fn columns_called_like_those_of_the_audit() {
    let mut specs = hospital_specs();
    specs[0].name = "count".into();
    specs[1].name = "mingle.count".into();
    specs[2].name = "provider".into();
    let made = Made::new(table(&specs, &HOSPITALS.map(|r| r.to_vec())));
    let verified = made.verified(&made.partition(by_age), &[k(3)]);
    let home = tempfile::tempdir().unwrap();
    let receipt = made
        .publish(&verified, &facts(Format::Csv), &home.path().join("out"))
        .unwrap();
    assert_eq!(
        receipt.private.audit.as_ref().unwrap().provider_column,
        "mingle.provider"
    );
    assert_eq!(
        receipt.private.audit.as_ref().unwrap().count_column,
        "mingle.mingle.count"
    );
    let findings = Release::open(&home.path().join("out")).unwrap().check();
    assert!(
        findings.is_clean() && findings.audited,
        "{:?}",
        findings.problems
    );
}

#[test]
fn parquet_keeps_types_of_what_is_published_only() {
    // the only age that is no integer is suppressed, so the column may be one of integers
    let specs = [
        mingle_model::ColumnSpec {
            kind: Some(Kind::Integer),
            ..spec("age", Role::QuasiIdentifier)
        },
        spec("disease", Role::Sensitive),
    ];
    let rows = [["5", "a", "P"], ["5", "b", "P"], ["?", "c", "P"]].map(|r| r.to_vec());
    let made = Made::new(table(&specs, &rows));
    let partition = made.partition(|age| if age == "5" { 0 } else { Partition::SUPPRESSED });
    let home = tempfile::tempdir().unwrap();
    made.publish(
        &made.verified(&partition, &[k(2)]),
        &facts(Format::Parquet),
        &home.path().join("out"),
    )
    .unwrap();
    let kept = fs::read(home.path().join("out/public/data.parquet")).unwrap();
    let made = Made::new(table(&specs, &rows[..2]));
    let partition = made.partition(|_| 0);
    made.publish(
        &made.verified(&partition, &[k(2)]),
        &facts(Format::Parquet),
        &home.path().join("other"),
    )
    .unwrap();
    assert!(kept == fs::read(home.path().join("other/public/data.parquet")).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn public_rows_are_the_original_rows_with_labels(
        cells in prop::collection::vec((0u32..6, 0u32..3, 0u32..3, 0u32..3, 0u32..4), 1..30),
        groups in prop::collection::vec(0u32..4, 30),
        insensitive: bool,
        parquet: bool,
    ) {
        let specs = [
            spec("s", Role::Sensitive),
            spec("q", Role::QuasiIdentifier),
            spec("r", Role::QuasiIdentifier),
            spec("i", if insensitive { Role::Insensitive } else { Role::Identifier }),
        ];
        let text = |(q, r, s, i, p): &(u32, u32, u32, u32, u32)| {
            let s = if *s == 0 { String::new() } else { format!("-{s}") };
            vec![s, q.to_string(), format!("r{r},\""), format!("=i{i}"), format!("P{p}")]
        };
        let rows: Vec<Vec<String>> = cells.iter().map(text).collect();
        let made = Made::new(table(&specs, &rows));
        // group 3 is suppressed, unless everything would be
        let group = |q: &str| match groups[q.parse::<usize>().unwrap()] {
            3 if rows.iter().any(|r| groups[r[1].parse::<usize>().unwrap()] != 3) => Partition::SUPPRESSED,
            g => g,
        };
        let partition = made.partition(group);
        let format = if parquet { Format::Parquet } else { Format::Csv };
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        made.publish(&made.verified(&partition, &[k(1)]), &facts(format), &folder).unwrap();

        // the definition: every row that is kept, its quasi-identifiers replaced by labels of its
        // group
        let label = |group: u32, column: usize| {
            let domain = &made.cube.quasi_identifiers()[column].domain;
            domain.label(&partition.cells[group as usize * 2 + column])
        };
        let mut expected: Vec<Vec<String>> = Vec::new();
        for row in &rows {
            let group = group(&row[1]);
            if group != Partition::SUPPRESSED {
                let note = insensitive.then(|| row[3].clone());
                expected.push([row[0].clone(), label(group, 0), label(group, 1)].into_iter().chain(note).collect());
            }
        }
        expected.sort();
        let release = Release::open(&folder).unwrap();
        let table = release.table().unwrap();
        let cell = |row: usize| table.columns.iter().map(move |c| c.domain.text(c.codes.get(row)).to_owned());
        let found: Vec<Vec<String>> = (0..table.rows()).map(|row| cell(row).collect()).collect();
        prop_assert_eq!(found, expected);
        let findings = release.check();
        prop_assert!(findings.is_clean() && findings.audited, "{:?}", findings.problems);
    }
}

#[test]
fn a_release_in_memory_is_the_one_on_disk() {
    for format in [Format::Csv, Format::Parquet] {
        let made = Made::new(hospitals());
        let verified = made.verified(&made.partition(by_age), &[k(3), distinct(2)]);
        let bundle = Bundle::grouped(&verified, &facts(format)).unwrap();
        let memory = bundle.to_memory().unwrap();
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        let written = bundle.write(Target::folder(&folder)).unwrap();
        assert_eq!(memory.manifests, written.manifests);
        let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
        for (name, bytes) in memory.public {
            parts.push((format!("public/{name}"), bytes));
        }
        for (name, bytes) in memory.private {
            parts.push((format!("private/{name}"), bytes));
        }
        parts.sort();
        assert!(parts == files(&folder));
    }
}
