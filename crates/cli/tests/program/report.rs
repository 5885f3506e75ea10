//! Reports: written with every release, made anew, found out when they are changed, and of
//! `public/` alone the same.

use crate::common::{Bench, is_root, unbroken};
use crate::partners::{Partners, SITES};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The four hospitals' release in `out`.
fn hospitals(more: &[&str]) -> Bench {
    let bench = Bench::hospitals();
    let args = [&["publish", "policy.toml", "--out", "out"], more].concat();
    bench.run(&args).exits(0).says(&[
        "out/public/report.html (to hand out)",
        "out/private/report.html (to keep)",
    ]);
    bench
}

/// Four releases of the hospitals: a table, Parquet, fragments, centroids.
const SHAPES: [&[&str]; 4] = [
    &[],
    &["--set", "release.format=parquet"],
    &["--set", "release.fragmented=true"],
    &[
        "--set",
        "privacy.m=0",
        "--set",
        "method.name=microaggregation",
        "--set",
        "method.output=centroid",
    ],
];

/// A release with noise in a folder named after its kind.
fn noisy(kind: &str) -> Bench {
    let rows: String = (0..400)
        .map(|i| format!("{},{}\n", i % 90, ["flu", "cold"][i % 2]))
        .collect();
    let policy = "[data]\npath = \"t.csv\"\n\
        [columns.age]\nrole = \"quasi-identifier\"\ndomain = { from = 0, to = 100, width = 20 }\n\
        [columns.disease]\nrole = \"sensitive\"\ndomain = [\"flu\", \"cold\"]\n\
        [dp]\nepsilon = 1\ndelta = 1e-6\nledger = \"l\"\n";
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
            "2",
            "--delta",
            "1e-5",
        ])
        .exits(0);
    bench
        .run(&["dp", kind, "policy.toml", "--out", "out"])
        .exits(0)
        .says(&["out/public/report.html"]);
    bench
}

/// What each report holds.
fn reports(bench: &Bench) -> [String; 2] {
    [
        bench.read("out/public/report.html"),
        bench.read("out/private/report.html"),
    ]
}

#[track_caller]
fn made_anew_it_is_the_same(bench: &Bench) {
    let before = reports(bench);
    bench.run(&["verify", "out"]).exits(0);
    for part in ["public", "private"] {
        let path = bench.path(&format!("out/{part}/report.html"));
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        std::fs::remove_file(path).unwrap();
    }
    bench.run(&["verify", "out"]).exits(0);
    bench
        .run(&["report", "out"])
        .exits(0)
        .says(&["written: out/public/report.html, out/private/report.html"]);
    assert!(reports(bench) == before);
    bench.run(&["verify", "out"]).exits(0);
    bench.run(&["show", "out"]).exits(0);
}

#[test]
fn every_shape_of_release_has_reports() {
    for shape in SHAPES {
        made_anew_it_is_the_same(&hospitals(shape));
    }
}

#[test]
fn releases_with_noise_have_reports() {
    for kind in ["synthetic", "marginals", "histogram"] {
        let bench = noisy(kind);
        made_anew_it_is_the_same(&bench);
        let private: serde_json::Value =
            serde_json::from_str(&bench.read("out/private/manifest.json")).unwrap();
        assert_eq!(
            private["distributions"]["columns"]
                .as_array()
                .unwrap()
                .len(),
            2,
            "{kind}"
        );
        assert!(
            !bench
                .read("out/public/manifest.json")
                .contains("distributions")
        );
    }
}

#[test]
fn both_sites_of_a_joint_release_have_the_same_report() {
    let partners = Partners::example();
    for run in partners.run(&[]) {
        run.exits(0)
            .says(&["release/public/report.html (to hand out)"]);
    }
    partners.assert_same();
    let read =
        |site: &str| std::fs::read(partners.release(site).join("public/report.html")).unwrap();
    assert!(read("hospital") == read("insurer"));
    for site in SITES {
        let release = format!("{site}/release");
        partners.bench.run(&["verify", &release]).exits(0);
        partners.bench.run(&["show", &release]).exits(0);
        partners.bench.run(&["report", &release]).exits(0);
    }
    assert!(read("hospital") == read("insurer"));
}

/// The function that renders it receives only `public/`; here the whole program has nothing else.
#[test]
fn the_public_report_needs_nothing_but_public() {
    for shape in SHAPES {
        let bench = hospitals(shape);
        let before = bench.read("out/public/report.html");
        std::fs::remove_dir_all(bench.path("out/private")).unwrap();
        for input in ["p1.csv", "p2.csv", "p3.csv", "p4.csv", "policy.toml"] {
            std::fs::remove_file(bench.path(input)).unwrap();
        }
        std::fs::rename(bench.path("out/public"), bench.path("handed-out")).unwrap();
        std::fs::remove_file(bench.path("handed-out/report.html")).unwrap();
        bench
            .run(&["report", "handed-out"])
            .exits(0)
            .says(&["written: handed-out/report.html"]);
        assert!(bench.read("handed-out/report.html") == before, "{shape:?}");
        bench
            .run(&["report", "handed-out", "--out", "again.html"])
            .exits(0);
        assert!(bench.read("again.html") == before);
        let refused = bench.run(&["report", "handed-out", "--out", "more.html", "--private"]);
        refused.refuses(2, "MG0606", &["no private part"]);
        assert!(!bench.path("more.html").exists());
    }
}

#[test]
fn nothing_private_is_in_the_public_report() {
    let bench = Bench::hospitals();
    let policy = bench
        .read("policy.toml")
        .replace("name = \"P", "name = \"zqxcanary");
    bench.write(
        "policy.toml",
        policy.replace("[method]\n", "[method]\nseed = 918273645\n"),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let [public, private] = reports(&bench);
    let manifest: serde_json::Value =
        serde_json::from_str(&bench.read("out/private/manifest.json")).unwrap();
    let hash = manifest["inputs"][0]["sha256"].as_str().unwrap();
    for secret in ["zqxcanary", "918273645", hash, "p1.csv"] {
        assert!(!public.contains(secret), "{secret} is in the public report");
    }
    assert!(
        private.contains("zqxcanary"),
        "the steward sees who contributed"
    );
    assert!(
        manifest["distributions"]["columns"]
            .as_array()
            .unwrap()
            .len()
            == 3
    );
    for (name, bytes) in bench
        .contents()
        .iter()
        .filter(|(name, _)| name.starts_with("out/public/"))
    {
        assert!(
            !String::from_utf8_lossy(bytes).contains("distributions"),
            "{name}"
        );
    }
}

#[test]
fn a_changed_report_is_found() {
    let bench = hospitals(&[]);
    for part in ["public", "private"] {
        let file = format!("out/{part}/report.html");
        let before = bench.read(&file);
        let said = format!("{part}/report.html is not what this release says");
        for other in [
            before.replacen("<", "< ", 1),
            format!("{before} "),
            before[..before.len() / 2].to_owned(),
            String::new(),
        ] {
            bench.write(&file, &other);
            let run = bench
                .run(&["verify", "out"])
                .refuses(1, "MG0304", &[&said, "mingle report"]);
            assert!(run.out.starts_with("verdict: fails"), "{}", run.out);
            let run = bench.run(&["verify", "out", "--json"]).exits(1);
            assert!(
                run.json()["problems"][0]
                    .as_str()
                    .unwrap()
                    .starts_with(&said)
            );
        }
        bench.run(&["report", "out"]).exits(0);
        assert!(bench.read(&file) == before);
        bench.run(&["verify", "out"]).exits(0);
    }
    std::fs::remove_file(bench.path("out/public/report.html")).unwrap();
    std::fs::create_dir(bench.path("out/public/report.html")).unwrap();
    bench
        .run(&["verify", "out"])
        .refuses(1, "MG0304", &["cannot read public/report.html"]);
    let noisy = noisy("marginals");
    noisy.write("out/public/report.html", "another");
    noisy.run(&["verify", "out"]).refuses(
        1,
        "MG0304",
        &["public/report.html is not what this release says"],
    );
}

/// A manifest with its checksum as it should be: SHA-256 over its bytes with zeros in the
/// checksum's place.
fn sealed(manifest: &str) -> String {
    let start = manifest.rfind("\"checksum\": \"").unwrap() + 13;
    let with = |digits: &str| format!("{}{digits}{}", &manifest[..start], &manifest[start + 64..]);
    let mut hash = Command::new("sha256sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    hash.stdin
        .take()
        .unwrap()
        .write_all(with(&"0".repeat(64)).as_bytes())
        .unwrap();
    let digits = String::from_utf8(hash.wait_with_output().unwrap().stdout).unwrap();
    with(&digits[..64])
}

#[test]
fn reports_of_another_version_are_not_compared() {
    let bench = hospitals(&["--set", "privacy.m=0"]);
    std::fs::rename(bench.path("out/public"), bench.path("handed-out")).unwrap();
    let manifest = bench.read("handed-out/manifest.json");
    assert_eq!(sealed(&manifest), manifest);
    bench.write(
        "handed-out/manifest.json",
        sealed(&manifest.replace("\"mingle 0.", "\"mingle 9.")),
    );
    bench.write("handed-out/report.html", "what that version made of it");
    bench
        .run(&["-v", "verify", "handed-out"])
        .exits(0)
        .says(&["its reports were not compared"]);
    let run = bench.run(&["verify", "handed-out"]).exits(0);
    assert!(!run.err.contains("compared"), "{}", run.err);
    bench.run(&["show", "handed-out"]).exits(0);
    bench.write("handed-out/manifest.json", &manifest);
    bench
        .run(&["verify", "handed-out"])
        .refuses(1, "MG0304", &["public/report.html is not"]);
}

/// Of public/ alone: the manifest promises more than the rows keep, and its checksum is right.
#[test]
fn a_promise_that_the_rows_do_not_keep_is_a_finding() {
    let bench = hospitals(&["--set", "privacy.m=0"]);
    std::fs::rename(bench.path("out/public"), bench.path("handed-out")).unwrap();
    let manifest = bench.read("handed-out/manifest.json");
    let more = manifest.replacen("\"k\": 3", "\"k\": 9", 1);
    assert_ne!(manifest, more);
    bench.write("handed-out/manifest.json", sealed(&more));
    bench.run(&["show", "handed-out"]).exits(1);
    bench.run(&["show", "handed-out", "--json"]).exits(1);
    let run = bench
        .run(&["report", "handed-out"])
        .exits(0)
        .says(&["warning[MG0302]"]);
    assert!(run.err.contains("do not hand it out"), "{}", run.err);
    assert!(
        bench
            .read("handed-out/report.html")
            .contains("A promise does not hold")
    );
}

/// Another provider's rows, where the private manifest says so and all checksums are right.
#[test]
fn an_audit_of_other_rows_gives_no_verdict() {
    let bench = hospitals(&[]);
    let manifest = bench.read("out/private/manifest.json");
    let other = manifest.replacen("\"name\": \"P1\"", "\"name\": \"P9\"", 1);
    assert_ne!(manifest, other);
    bench.write("out/private/manifest.json", sealed(&other));
    for command in ["show", "report"] {
        bench.run(&[command, "out"]).refuses(
            1,
            "MG0304",
            &["the audit does not belong to these rows"],
        );
    }
    bench.run(&["show", "out/public"]).exits(0);
}

#[test]
fn damaged_releases_get_no_report() {
    let bench = hospitals(&[]);
    let before = reports(&bench);
    bench
        .run(&["report", "nowhere"])
        .refuses(2, "MG0404", &["nowhere does not exist"]);
    bench
        .run(&["report", "policy.toml"])
        .refuses(2, "MG0404", &["is not a folder"]);
    bench
        .run(&["report", "."])
        .refuses(2, "MG0404", &["not a release"]);
    let data = bench.read("out/public/data.csv");
    bench.write("out/public/data.csv", data.replacen('3', "4", 1));
    bench
        .run(&["report", "out"])
        .refuses(1, "MG0304", &["data.csv was changed"]);
    bench.write("out/public/data.csv", data);
    let manifest = bench.read("out/public/manifest.json");
    bench.write("out/public/manifest.json", &manifest[..manifest.len() / 2]);
    bench
        .run(&["report", "out"])
        .refuses(1, "MG0304", &["manifest.json"]);
    assert!(reports(&bench) == before);
}

#[test]
fn files_in_the_way_stay() {
    let bench = hospitals(&[]);
    bench.write("mine.html", "mine");
    bench
        .run(&["report", "out", "--out", "mine.html"])
        .refuses(2, "MG0401", &["mine.html exists"]);
    assert_eq!(bench.read("mine.html"), "mine");
    bench
        .run(&[
            "report",
            "out",
            "--out",
            "mine.html",
            "--force",
            "--private",
        ])
        .exits(0);
    assert!(bench.read("mine.html") == bench.read("out/private/report.html"));
    bench
        .run(&["report", "out", "--out", "out/public/data.csv", "--force"])
        .refuses(2, "MG0401", &["two things"]);
    bench
        .run(&["report", "out", "--out", "no/such/report.html"])
        .refuses(2, "MG0402", &["cannot write"]);
    bench
        .run(&["report", "out", "--private"])
        .exits(2)
        .says(&["--out <FILE>"]);
    std::fs::remove_file(bench.path("out/public/report.html")).unwrap();
    std::fs::create_dir(bench.path("out/public/report.html")).unwrap();
    bench
        .run(&["report", "out"])
        .refuses(2, "MG0402", &["out/public/report.html", "--out FILE"]);
    if !is_root() {
        let release = hospitals(&[]);
        for folder in ["out/public", "out/private"] {
            let path = release.path(folder);
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o500)).unwrap();
        }
        release
            .run(&["report", "out"])
            .refuses(2, "MG0402", &["cannot write", "--out FILE"]);
        release
            .run(&["report", "out", "--out", "elsewhere.html"])
            .exits(0);
    }
}

#[test]
fn a_full_disk_leaves_the_old_report() {
    let bench = hospitals(&[]);
    let before = bench.contents();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" report out";
    let mut run = Command::new("bash");
    run.current_dir(bench.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")]);
    let run = crate::common::Run::new(run.output().unwrap());
    // a report that fits into a block is no test of a full disk
    if bench.read("out/private/report.html").len() > 1024 {
        run.exits(4)
            .says(&["error[MG0403]", "the old report is still there"]);
        assert!(bench.contents() == before);
    }
}

/// Killed at any moment, the folder has the old release with its report or the new one with its
/// own.
#[test]
fn killed_while_publishing_a_release_and_its_report_belong_together() {
    let bench = hospitals(&["--set", "privacy.k=4"]);
    let old = reports(&bench);
    let scratch = Bench::hospitals();
    scratch
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let new = reports(&scratch);
    assert!(old[0] != new[0]);
    let (mut kept, mut replaced) = (0, 0);
    for wait in 0..24 {
        let mut run = Command::new(env!("CARGO_BIN_EXE_mingle"))
            .current_dir(bench.path(""))
            .args(["publish", "policy.toml", "--out", "out", "--force"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait * 4));
        let _ = run.kill();
        run.wait().unwrap();
        let found = bench.read("out/public/report.html");
        if found == old[0] {
            kept += 1
        } else {
            assert!(found == new[0], "after {} ms", wait * 4);
            replaced += 1;
        }
        bench.run(&["verify", "out"]).exits(0);
        bench
            .run(&[
                "publish",
                "policy.toml",
                "--out",
                "out",
                "--force",
                "--set",
                "privacy.k=4",
            ])
            .exits(0);
    }
    assert!(
        kept > 0,
        "never killed before the release was in its place: {kept} and {replaced}"
    );
}

#[test]
fn a_risk_above_what_is_accepted_is_a_finding_and_writes_nothing() {
    let bench = Bench::hospitals();
    let accepts = |limit: &str, out: &str| {
        bench.run(&["publish", "policy.toml", "--out", out, "--set", limit])
    };
    accepts("risk.maximum=0.01", "refused")
        .exits(1)
        .says(&["MG0610", "k = 100"]);
    accepts("risk.average=0.01", "refused")
        .exits(1)
        .says(&["MG0610", "raise k"]);
    assert!(!bench.path("refused").exists());
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--dry-run",
            "--set",
            "risk.maximum=0.01",
        ])
        .exits(1);
    accepts("risk.maximum=1", "out")
        .exits(0)
        .says(&["highest chance to name somebody"]);
    for report in reports(&bench) {
        assert!(report.contains("Accepted: highest chance to name somebody"));
    }
    let shown = bench.run(&["show", "out"]).exits(0);
    assert!(unbroken(&shown.out).contains("at most 100 % allowed"));
}

#[test]
fn what_a_steward_says_is_handed_out_only_where_the_policy_lists_it() {
    let bench = Bench::hospitals();
    let about = "[about]\ntitle = \"Stays of 2025\"\ncontroller = \"Quagga clinic\"\ncontact = \"office\"\n\
                 [about.why]\nk = \"Zugzwang reason\"\n";
    let policy = std::fs::read_to_string(bench.path("policy.toml")).unwrap();
    bench.write("policy.toml", format!("{policy}\n{about}"));
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    let [public, private] = reports(&bench);
    let manifest = std::fs::read_to_string(bench.path("out/public/manifest.json")).unwrap();
    for (text, handed_out) in [
        ("Stays of 2025", true),
        ("office", true),
        ("Quagga clinic", false),
        ("Zugzwang reason", false),
    ] {
        assert_eq!(public.contains(text), handed_out, "{text}");
        assert_eq!(manifest.contains(text), handed_out, "{text}");
        assert!(private.contains(text), "{text}");
    }
    assert!(private.contains("to be filled in"));
    bench.run(&["verify", "out"]).exits(0);
}

/// A program that prints as browsers do, or does something else.
fn browser(bench: &Bench, name: &str, does: &str) -> std::path::PathBuf {
    let script = format!(
        "#!/bin/sh\nfor word in \"$@\"; do case $word in --print-to-pdf=*) to=${{word#*=}} ;; *.html) page=$word ;; esac; done\n{does}\n"
    );
    bench.write(name, script);
    let path = bench.path(name);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn printed(bench: &Bench, browser: &str, out: &str) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_mingle"))
        .args(["report", "out", "--pdf", "--private", "--out", out])
        .current_dir(bench.path("."))
        .env("MINGLE_BROWSER", browser)
        .env(
            "PATH",
            if browser.is_empty() {
                ""
            } else {
                "/usr/bin:/bin"
            },
        )
        .output()
        .unwrap()
}

#[test]
fn a_browser_prints_the_report_or_nothing_is_written() {
    let bench = hospitals(&[]);
    let prints = browser(
        &bench,
        "prints",
        "{ printf '%%PDF-'; cat \"$page\"; } > \"$to\"",
    );
    let done = printed(&bench, prints.to_str().unwrap(), "report.pdf");
    assert_eq!(
        done.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let [_, private] = reports(&bench);
    assert_eq!(bench.read("report.pdf"), format!("%PDF-{private}"));
    for (name, does) in [
        ("fails", "echo zqxcanary >&2; exit 3"),
        ("silent", "exit 0"),
        ("no-pdf", "cat \"$page\" > \"$to\""),
    ] {
        let path = browser(&bench, name, does);
        let done = printed(&bench, path.to_str().unwrap(), "not.pdf");
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{name}: {said}");
        assert!(
            said.contains("MG0402") && said.contains("MINGLE_BROWSER"),
            "{said}"
        );
        assert!(!said.contains("zqxcanary") && !bench.path("not.pdf").exists());
    }
    let done = printed(&bench, "", "not.pdf");
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(2));
    assert!(
        said.contains("needs a browser") && !bench.path("not.pdf").exists(),
        "{said}"
    );
    bench.run(&["report", "out", "--pdf"]).exits(2);
}
