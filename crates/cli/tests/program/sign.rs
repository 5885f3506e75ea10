//! Signatures: made, checked, found out when anything they cover is changed; and the report for
//! programs, which they cover.

use crate::common::Bench;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The four hospitals' release in `out`, and two keys.
fn bench() -> Bench {
    let bench = Bench::hospitals();
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .exits(0);
    for key in ["ann.pem", "bob.pem"] {
        bench.run(&["sign", "--new-key", key]).exits(0);
    }
    bench
}

fn public_key(bench: &Bench, key: &str) -> String {
    let out = bench
        .run(&["sign", "out", "--key", key, "--json"])
        .exits(0)
        .json();
    out["key"].as_str().unwrap().to_owned()
}

fn append(bench: &Bench, file: &str, text: &str) {
    let whole = bench.read(file) + text;
    bench.write(file, whole);
}

#[test]
fn who_signs_is_said_and_asked_for() {
    let bench = bench();
    let before = bench.contents();
    // asked for and not there
    bench
        .run(&["verify", "out", "--signed-by", "ann.pem.pub"])
        .refuses(1, "MG0621", &["no signature"]);
    assert_eq!(before, bench.contents(), "verify writes nothing");
    bench
        .run(&["sign", "out", "--key", "ann.pem", "--name", "Ann, officer"])
        .exits(0)
        .says(&["out/public/signed.json", "out/private/signed.json"]);
    let ann = public_key(&bench, "ann.pem");
    bench
        .run(&["sign", "out", "--key", "ann.pem", "--name", "Ann, officer"])
        .exits(0);
    for folder in ["out", "out/public"] {
        for by in [ann.as_str(), "ann.pem.pub"] {
            let run = bench.run(&["verify", folder, "--signed-by", by]);
            let said = format!("signed by {ann} (Ann, officer): holds");
            assert!(run.out.contains(&said), "{} {}", run.out, run.err);
        }
        bench
            .run(&["verify", folder, "--signed-by", "bob.pem.pub"])
            .refuses(1, "MG0621", &["no signature"]);
        assert!(bench.run(&["show", folder]).exits(0).out.contains(&ann));
    }
    bench.run(&["verify", "out"]).exits(0);
    let answer = bench.run(&["verify", "out", "--json"]).exits(0).json();
    assert_eq!(answer["signatures"][0]["state"], "holds");
    assert_eq!(answer["signatures"][0]["name"], "Ann, officer");
    let page = bench.read("out/public/report.html");
    assert!(page.contains("id=\"signatures\"") && page.contains(&ann));
    // nothing but the signatures and the pages that name them has changed
    let after = bench.contents();
    for (name, bytes) in &before {
        if !name.ends_with("report.html") {
            assert_eq!(Some(bytes), after.get(name), "{name}");
        }
    }
    let mode = |file: &str| fs::metadata(bench.path(file)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("out/public/signed.json"), 0o600);
    assert_eq!(mode("ann.pem"), 0o600);
}

#[test]
fn several_sign_in_any_order() {
    let (one, other) = (bench(), bench());
    for file in ["ann.pem", "ann.pem.pub", "bob.pem", "bob.pem.pub"] {
        fs::copy(one.path(file), other.path(file)).unwrap();
    }
    for (bench, keys) in [
        (&one, ["ann.pem", "bob.pem"]),
        (&other, ["bob.pem", "ann.pem"]),
    ] {
        for key in keys {
            bench.run(&["sign", "out", "--key", key]).exits(0);
        }
        bench
            .run(&["verify", "out", "--signed-by", "ann.pem.pub"])
            .exits(0);
        let both = [
            "verify",
            "out",
            "--signed-by",
            "ann.pem.pub",
            "--signed-by",
            "bob.pem.pub",
        ];
        bench.run(&both).exits(0);
    }
    for part in ["public", "private"] {
        let file = format!("out/{part}/signed.json");
        assert_eq!(one.read(&file), other.read(&file));
    }
    // again: nothing new
    let before = one.contents();
    one.run(&["sign", "out", "--key", "bob.pem"]).exits(0);
    assert_eq!(before, one.contents());
}

#[test]
fn a_change_after_signing_is_found() {
    let bench = bench();
    bench.run(&["sign", "out", "--key", "ann.pem"]).exits(0);
    let signed = bench.read("out/public/signed.json");
    // another release at the same place, whole by itself
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "other",
            "--set",
            "privacy.k=4",
            "--set",
            "privacy.m=0",
        ])
        .exits(0);
    bench.write("other/public/signed.json", &signed);
    bench
        .run(&["verify", "other"])
        .refuses(1, "MG0304", &["has signed something else"]);
    bench
        .run(&["verify", "other", "--signed-by", "ann.pem.pub"])
        .exits(1);
    bench.run(&["show", "other"]).exits(1);
    bench.run(&["sign", "other", "--key", "bob.pem"]).refuses(
        1,
        "MG0623",
        &["has signed something else"],
    );
    bench
        .run(&["sign", "other", "--key", "bob.pem", "--drop-stale"])
        .exits(0);
    bench
        .run(&["verify", "other", "--signed-by", "bob.pem.pub"])
        .exits(0);
    // a signature under another key, another name, another part
    let ann = public_key(&bench, "ann.pem");
    let bob = public_key(&bench, "bob.pem");
    bench.run(&["sign", "out", "--key", "ann.pem"]).exits(0);
    let signed = bench.read("out/public/signed.json");
    let digit = if signed.contains("\"signature\": \"0") {
        "1"
    } else {
        "0"
    };
    let at = signed.rfind("\"signature\": \"").unwrap() + "\"signature\": \"".len();
    let flipped = format!("{}{digit}{}", &signed[..at], &signed[at + 1..]);
    for (what, forged) in [
        ("another key", signed.replace(&ann, &"1".repeat(64))),
        ("one digit", flipped),
        (
            "a name",
            signed.replace("\"key\"", "\"name\": \"Eve\",\n      \"key\""),
        ),
        ("another part", bench.read("out/private/signed.json")),
    ] {
        bench.write("out/public/signed.json", &forged);
        assert_ne!(forged, signed, "{what}");
        let run = bench.run(&["verify", "out"]).exits(1);
        assert!(
            run.err.contains("signature") || run.err.contains("signed"),
            "{what}: {}",
            run.err
        );
    }
    for damaged in ["", "{}", &signed[1..], &(signed.clone() + "\n")] {
        bench.write("out/public/signed.json", damaged);
        bench
            .run(&["verify", "out"])
            .refuses(1, "MG0304", &["no list of signatures"]);
    }
    assert_ne!(ann, bob);
}

#[test]
fn the_document_is_covered() {
    let bench = bench();
    bench.run(&["sign", "out", "--key", "ann.pem"]).exits(0);
    let document = bench.read("out/public/report.json");
    append(&bench, "out/public/report.json", " ");
    bench.run(&["verify", "out"]).exits(1);
    fs::remove_file(bench.path("out/public/report.json")).unwrap();
    bench
        .run(&["verify", "out"])
        .refuses(1, "MG0304", &["has signed something else"]);
    bench.write("out/public/report.json", &document);
    bench.run(&["verify", "out"]).exits(0);
    // made anew it is the same, so that the signature still holds
    bench.run(&["report", "out"]).exits(0);
    bench
        .run(&["verify", "out", "--signed-by", "ann.pem.pub"])
        .exits(0);
}

#[test]
fn releases_of_earlier_programs_have_no_document_and_can_be_signed() {
    let bench = bench();
    for part in ["public", "private"] {
        fs::remove_file(bench.path(&format!("out/{part}/report.json"))).unwrap();
    }
    bench.run(&["verify", "out"]).exits(0);
    bench.run(&["sign", "out", "--key", "ann.pem"]).exits(0);
    assert!(!bench.path("out/public/report.json").exists());
    bench.run(&["verify", "out"]).exits(0);
    bench.run(&["report", "out"]).exits(0);
    let answer = bench.run(&["verify", "out", "--json"]).exits(0).json();
    assert_eq!(answer["signatures"][0]["state"], "holds-without-report");
}

#[test]
fn keys_are_kept_and_refused() {
    let bench = bench();
    let before = bench.contents();
    bench
        .run(&["sign", "--new-key", "ann.pem"])
        .refuses(2, "MG0401", &["ann.pem exists"]);
    fs::remove_file(bench.path("bob.pem")).unwrap();
    bench
        .run(&["sign", "--new-key", "bob.pem"])
        .refuses(2, "MG0401", &["bob.pem.pub exists"]);
    assert_eq!(before.get("ann.pem"), bench.contents().get("ann.pem"));
    assert!(!bench.path("bob.pem").exists());
    for (file, text) in [
        ("damaged.pem", bench.read("ann.pem").replace("MC4C", "MC4D")),
        ("public.pem", bench.read("ann.pem.pub")),
        ("empty.pem", String::new()),
    ] {
        bench.write(file, text);
        fs::set_permissions(bench.path(file), fs::Permissions::from_mode(0o600)).unwrap();
        bench
            .run(&["sign", "out", "--key", file])
            .refuses(2, "MG0620", &[file]);
    }
    fs::set_permissions(bench.path("ann.pem"), fs::Permissions::from_mode(0o644)).unwrap();
    bench.run(&["sign", "out", "--key", "ann.pem"]).refuses(
        2,
        "MG0620",
        &["may be read by others"],
    );
    bench
        .run(&["sign", "out", "--key", "none.pem"])
        .refuses(2, "MG0620", &["none.pem"]);
    bench
        .run(&["verify", "out", "--signed-by", "p1.csv"])
        .refuses(2, "MG0620", &["p1.csv"]);
    bench
        .run(&["sign", "out", "--key", "empty.pem", "--name", "two\nlines"])
        .refuses(2, "MG0601", &["--name"]);
    bench.run(&["sign", "out"]).exits(2);
    assert!(!bench.path("out/public/signed.json").exists());
}

#[test]
fn what_is_damaged_is_not_signed() {
    let bench = bench();
    append(&bench, "out/public/data.csv", "*,*,flu\n");
    bench
        .run(&["sign", "out", "--key", "ann.pem"])
        .refuses(1, "MG0304", &["data.csv"]);
    assert!(!bench.path("out/public/signed.json").exists());
}

#[test]
fn the_document_says_what_show_says() {
    let bench = bench();
    let shown = bench.run(&["show", "out", "--json"]).exits(0).json();
    let read = |part: &str| -> serde_json::Value {
        let text = bench.read(&format!("out/{part}/report.json"));
        serde_json::from_str(&text).unwrap()
    };
    let (public, private) = (read("public"), read("private"));
    assert_eq!(public["schema"], "mingle.release-report/1");
    assert_eq!(private["schema"], "mingle.release-report-private/1");
    assert_eq!(private["public"], shown["public"]);
    assert_eq!(private["private"], shown["private"]);
    assert_eq!(private["warnings"], shown["warnings"]);
    let alone = bench.run(&["show", "out/public", "--json"]).exits(0).json();
    assert_eq!(public["public"], alone["public"]);
    assert_eq!(public["warnings"], alone["warnings"]);
    assert!(public.get("private").is_none());
    // what is handed out names no provider, no input and no seed
    let handed_out = bench.read("out/public/report.json");
    for secret in ["p1.csv", "\"seed\"", "\"providers\""] {
        assert!(!handed_out.contains(secret), "{secret}");
    }
    for (document, part) in [(&public, "public"), (&private, "private")] {
        let page = bench.read(&format!("out/{part}/report.html"));
        let headline = document["headline"].as_str().unwrap();
        assert!(page.contains(headline), "{part}: {headline}");
        for promise in document["public"]["promises"].as_array().unwrap() {
            assert!(page.contains(promise["name"].as_str().unwrap()));
        }
    }
    // a byte of it is noticed, and it can be made again
    append(&bench, "out/public/report.json", " ");
    bench
        .run(&["verify", "out"])
        .refuses(1, "MG0304", &["public/report.json is not what"]);
    bench.run(&["report", "out"]).exits(0);
    bench.run(&["verify", "out"]).exits(0);
}
