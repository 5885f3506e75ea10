//! Reports are written with the release, from what is staged, or nothing is written at all.

use crate::common::*;
use mingle_io::Format;
use mingle_record::distributions::Distributions;
use mingle_release::{Error, Facts, REPORT_FILE, Release, RenderedReport, ReportPlaces, Reports};
use serde_json::json;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Says what it was given: the names of all files, and whether the release can be read and is in
/// order.
fn listing(staged: &Path) -> Result<Reports, String> {
    let names: Vec<String> = files(staged).into_iter().map(|(name, _)| name).collect();
    let whole = Release::open(staged)
        .map_err(|e| e.to_string())?
        .check()
        .is_clean();
    Ok(Reports {
        public: page(format!("public, whole: {whole}")),
        private: page(names.join(" ")),
    })
}

fn page(html: String) -> RenderedReport {
    RenderedReport {
        html,
        json: "{}".to_owned(),
    }
}

fn refusing(_: &Path) -> Result<Reports, String> {
    Err("no ink".to_owned())
}

fn with_reports(render: mingle_release::Render) -> Facts {
    Facts {
        reports: Some(render),
        ..facts(Format::Csv)
    }
}

fn published(facts: &Facts, folder: &Path) -> Result<mingle_release::GroupedManifests, Error> {
    let made = Made::new(hospitals());
    made.publish(
        &made.verified(&made.partition(by_age), &[k(3)]),
        facts,
        folder,
    )
}

#[test]
fn they_are_made_from_the_staged_release() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    published(&with_reports(listing), &folder).unwrap();
    let read = |part: &str| fs::read_to_string(folder.join(part).join(REPORT_FILE)).unwrap();
    assert_eq!(read("public"), "public, whole: true");
    assert_eq!(
        read("private"),
        "private/audit.parquet private/manifest.json public/data.csv public/manifest.json"
    );
    for part in ["public", "private"] {
        let mode = fs::metadata(folder.join(part).join(REPORT_FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{part}");
    }
    assert!(
        Release::open(&folder).unwrap().check().is_clean(),
        "a report belongs to a release"
    );
    assert!(
        Release::open(&folder.join("public"))
            .unwrap()
            .check()
            .problems
            .is_empty()
    );
    assert!(Release::open(&folder).unwrap().damage().is_empty());
}

#[test]
fn a_report_that_cannot_be_made_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let refused = published(&with_reports(refusing), &folder);
    assert!(matches!(&refused, Err(Error::Report { reason }) if reason == "no ink"));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the report cannot be made: no ink"
    );
    assert_eq!(
        fs::read_dir(home.path()).unwrap().count(),
        0,
        "not even a staging folder"
    );
}

#[test]
fn without_them_a_release_is_as_before() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    published(&facts(Format::Csv), &folder).unwrap();
    let names: Vec<String> = files(&folder).into_iter().map(|(name, _)| name).collect();
    assert!(
        !names.iter().any(|name| name.ends_with(REPORT_FILE)),
        "{names:?}"
    );
    let manifest = fs::read_to_string(folder.join("private/manifest.json")).unwrap();
    assert!(
        !manifest.contains("distributions"),
        "what is not recorded leaves no key, and old checksums hold"
    );
    assert!(Release::open(&folder).unwrap().check().is_clean());
}

#[test]
fn distributions_are_private() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let distributions: Distributions = serde_json::from_value(json!({
        "one_way": { "mean": 0.123_456_789, "max": 0.2 }, "two_way": { "mean": 0.3, "max": 0.4 },
        "columns": [{ "column": "age", "ordered": true, "total_variation": 0.123_456_789,
            "bars": [{ "label": "zqxcanary", "original": 0.25, "released": 0.5 }],
            "rest": { "original": 0.75, "released": 0.5 } }],
        "pairs": [],
    }))
    .unwrap();
    let facts = Facts {
        distributions: Some(distributions.clone()),
        publish_utility: true,
        ..facts(Format::Csv)
    };
    published(&facts, &folder).unwrap();
    let release = Release::open(&folder).unwrap();
    assert_eq!(
        release.private_manifest().unwrap().distributions,
        Some(distributions)
    );
    for (name, bytes) in files(&folder.join("public")) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(
            !text.contains("zqxcanary") && !text.contains("0.1234567"),
            "{name}"
        );
    }
}

#[test]
fn a_report_is_replaced_whole_and_for_the_owner_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    published(&with_reports(listing), &folder).unwrap();
    let places = ReportPlaces::of(&folder);
    places.replace(&places.public(), "new").unwrap();
    places.replace(&places.private().unwrap(), "newer").unwrap();
    assert_eq!(
        fs::read_to_string(folder.join("public/report.html")).unwrap(),
        "new"
    );
    assert_eq!(
        fs::read_to_string(folder.join("private/report.html")).unwrap(),
        "newer"
    );
    assert_eq!(
        fs::metadata(places.public()).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        Release::open(&folder).unwrap().damage().is_empty(),
        "nothing else is left behind"
    );

    let public = ReportPlaces::of(&folder.join("public"));
    assert_eq!(
        (public.public(), public.private()),
        (folder.join("public/report.html"), None)
    );
    public.replace(&public.public(), "newest").unwrap();
    assert_eq!(
        fs::read_to_string(folder.join("public/report.html")).unwrap(),
        "newest"
    );
    assert_eq!(fs::read_dir(folder.join("public")).unwrap().count(), 4);

    // a folder in the way: the error names the file, and nothing else has changed
    fs::remove_file(places.public()).unwrap();
    fs::create_dir(places.public()).unwrap();
    let error = places.replace(&places.public(), "lost").unwrap_err();
    assert!(error.to_string().contains("public/report.html"), "{error}");
    assert_eq!(
        fs::read_dir(folder.join("private")).unwrap().count(),
        4,
        "no scrap is left"
    );
}

#[test]
fn damage_is_found_without_a_look_at_promises() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    published(&facts(Format::Csv), &folder).unwrap();
    let data = folder.join("public/data.csv");
    let text = fs::read_to_string(&data).unwrap().replace("Flu", "Flo");
    overwrite(&data, text.as_bytes());
    let found: Vec<String> = Release::open(&folder)
        .unwrap()
        .damage()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, ["data.csv was changed"]);
}
