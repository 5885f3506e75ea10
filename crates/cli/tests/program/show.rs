//! `mingle show`: what a release says about itself, for a terminal and for programs.

use crate::common::{Bench, Run};

fn hospitals(more: &[&str]) -> Bench {
    let bench = Bench::hospitals();
    bench
        .run(&[&["publish", "policy.toml", "--out", "out"], more].concat())
        .exits(0);
    bench
}

#[track_caller]
fn fits(run: Run) -> String {
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| !line.ends_with(' ')),
        "{}",
        run.out
    );
    run.out
}

/// Every title of the whole release, in order.
const TITLES: [&str; 12] = [
    "Verdict",
    "Protected",
    "Not protected",
    "Assumed",
    "Promises",
    "Columns",
    "Group sizes",
    "Risk of re-identification",
    "Private: providers",
    "Private: exposure to coalitions",
    "Private: utility",
    "Private: distance from the original",
];

#[test]
fn the_essentials_in_eighty_columns() {
    let bench = hospitals(&[]);
    let text = fits(bench.run(&["show", "out"]).exits(0));
    let places: Vec<usize> = TITLES
        .iter()
        .map(|title| text.find(&format!("\n{title}\n")).unwrap())
        .collect();
    assert!(places.is_sorted(), "{text}");
    for part in [
        "10 rows in 2 groups",
        "k-anonymity, k = 3",
        "P4",
        "query error",
        "age × disease",
        "m = 1",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
}

#[test]
fn of_public_alone_nothing_private_is_shown() {
    let bench = hospitals(&[]);
    let whole = bench.run(&["show", "out", "--json"]).exits(0).json();
    let handed_out = bench.run(&["show", "out/public", "--json"]).exits(0).json();
    for document in [&whole, &handed_out] {
        assert_eq!(document["schema"], "mingle.show/1");
        assert_eq!(document["public"]["rows"], 10);
        assert_eq!(document["public"]["groups"]["sizes"]["groups"], 2);
        assert_eq!(document["public"]["columns"][0]["name"], "age");
    }
    assert_eq!(whole["private"]["providers"].as_array().unwrap().len(), 4);
    assert_eq!(
        whole["private"]["distributions"]["columns"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    assert!(
        whole["private"]["public"].is_null(),
        "public facts are said once"
    );
    assert!(handed_out["private"].is_null());
    let text = fits(bench.run(&["show", "out/public"]).exits(0));
    assert!(!text.contains("Private:") && !text.contains("P4"), "{text}");
}

#[test]
fn other_shapes() {
    for (more, says) in [
        (
            &["--set", "release.fragmented=true"][..],
            "fragments, joined by the group's number only",
        ),
        (&["--set", "release.format=parquet"], "parquet"),
        (&["--set", "privacy.semantics=strict"], "strict"),
        (
            &[
                "--set",
                "privacy.m=0",
                "--set",
                "method.name=microaggregation",
                "--set",
                "method.output=centroid",
            ],
            "one table of group centroids",
        ),
    ] {
        let bench = hospitals(more);
        let text = fits(bench.run(&["show", "out"]).exits(0));
        assert!(text.contains(says), "{says}:\n{text}");
    }
}

#[test]
fn names_and_labels_of_any_length_fit() {
    let long = "x".repeat(300);
    let table = format!("{long},b\n1,{long}\n2,{long}\n3,\u{202e}y\n4,z\n");
    let policy = format!(
        "[data]\npath = \"t.csv\"\n[columns.{long}]\nrole = \"quasi-identifier\"\n[columns.b]\nrole = \"sensitive\"\n\
         [privacy]\nk = 2\n"
    );
    let bench = Bench::with(&[("t.csv", &table), ("policy.toml", &policy)]);
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let text = fits(bench.run(&["show", "out"]).exits(0));
    assert!(!text.contains('\u{202e}') && text.contains('…'), "{text}");
}

#[test]
fn with_noise() {
    let rows: String = (0..400)
        .map(|i| format!("{},{}\n", i % 90, ["flu", "cold"][i % 2]))
        .collect();
    let policy = "[data]\npath = \"t.csv\"\n\
        [columns.age]\nrole = \"quasi-identifier\"\ndomain = { from = 0, to = 100, width = 20 }\n\
        [columns.disease]\nrole = \"sensitive\"\ndomain = [\"flu\", \"cold\"]\n\
        [dp]\nepsilon = 0.5\ndelta = 1e-6\nledger = \"l\"\n";
    let bench = Bench::with(&[
        ("t.csv", &format!("age,disease\n{rows}")),
        ("policy.toml", policy),
    ]);
    bench
        .run(&[
            "dp",
            "budget",
            "l",
            "--create",
            "--epsilon",
            "3",
            "--delta",
            "1e-5",
        ])
        .exits(0);
    for kind in ["synthetic", "marginals", "histogram"] {
        bench
            .run(&["dp", kind, "policy.toml", "--out", kind])
            .exits(0);
        let text = fits(bench.run(&["show", kind]).exits(0));
        assert!(
            text.contains("\nNoise\n") && text.contains("Private: budget"),
            "{text}"
        );
        assert!(
            text.contains("Private: distance from the original"),
            "{text}"
        );
        let public = fits(bench.run(&["show", &format!("{kind}/public")]).exits(0));
        assert!(
            !public.contains("Private:") && !public.contains("entry"),
            "{public}"
        );
    }
}

#[test]
fn an_old_release_without_what_is_new() {
    let bench = hospitals(&[]);
    std::fs::remove_file(bench.path("out/public/report.html")).unwrap();
    std::fs::remove_file(bench.path("out/private/report.html")).unwrap();
    bench.run(&["show", "out"]).exits(0);
    bench.run(&["verify", "out"]).exits(0);
}

#[test]
fn what_is_no_release_is_said_plainly() {
    let bench = hospitals(&[]);
    bench
        .run(&["show", "gone"])
        .refuses(2, "MG0404", &["gone does not exist"]);
    bench
        .run(&["show", "p1.csv"])
        .refuses(2, "MG0404", &["p1.csv is not a folder"]);
    bench
        .run(&["show", "."])
        .refuses(2, "MG0404", &["is not a release of mingle"]);
    let manifest = bench.read("out/public/manifest.json");
    for broken in [
        &manifest[..manifest.len() / 2],
        "",
        "{}",
        "null",
        &manifest.replacen("\"rows\": 10", "\"rows\": 11", 1),
    ] {
        bench.write("out/public/manifest.json", broken);
        let run = bench.run(&["show", "out"]);
        let code = run.exit;
        assert!(matches!(code, Some(1 | 2)), "{broken}");
        run.says(&["error[MG0", "hint: "]).shows_no_cell();
    }
    bench.write("out/public/manifest.json", &manifest);
    bench.run(&["show", "out"]).exits(0);
    let private = bench.read("out/private/manifest.json");
    bench.write("out/private/manifest.json", private.replacen("P1", "P9", 1));
    bench
        .run(&["show", "out"])
        .refuses(1, "MG0304", &["private/manifest.json"]);
    bench.write("out/private/manifest.json", &private);
    std::fs::remove_file(bench.path("out/public/data.csv")).unwrap();
    bench
        .run(&["show", "out"])
        .refuses(1, "MG0304", &["data.csv is missing"]);
}
