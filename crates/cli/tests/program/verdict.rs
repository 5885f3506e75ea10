//! Warnings are part of the verdict, and errors are documents where documents were asked for.

use crate::common::{Bench, Run, collect};
use mingle_record::answer::{ErrorAnswer, PublishAnswer, VerifyAnswer};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Identifiers repeat, one provider has no row, and a column that is published unchanged has as many
/// values as rows: one warning of each kind, the last of which is public.
fn odd_tables() -> Bench {
    let bench = Bench::new();
    bench.write("policy.toml", POLICY);
    let mut rows = String::from("id,age,note,disease\n");
    for at in 0..60 {
        let disease = ["flu", "cough", "fever"][at % 3];
        rows += &format!("p{},{},note{at},{disease}\n", at / 2, 20 + at % 4);
    }
    bench.write("a.csv", rows);
    bench.write("b.csv", "id,age,note,disease\n");
    bench
}

const POLICY: &str = "\
[data]
person = \"row\"
providers = [{ name = \"zqxnorth\", path = \"a.csv\" }, { name = \"zqxempty\", path = \"b.csv\" }]
[columns.id]
role = \"identifier\"
[columns.age]
role = \"quasi-identifier\"
[columns.note]
role = \"insensitive\"
[columns.disease]
role = \"sensitive\"
[privacy]
k = 3
m = 0
";

/// Nothing to warn of.
fn plain_tables() -> Bench {
    let bench = odd_tables();
    let text = bench.read("a.csv");
    let mut rows = String::new();
    for (at, line) in text.lines().enumerate() {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if at > 0 {
            cells[0] = format!("p{at}");
            cells[2] = "same".to_owned();
        }
        rows += &(cells.join(",") + "\n");
    }
    bench.write("a.csv", rows);
    let one = POLICY.replace(", { name = \"zqxempty\", path = \"b.csv\" }", "");
    bench.write("policy.toml", one);
    bench
}

fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

fn holds(files: &BTreeMap<String, Vec<u8>>, part: &str) -> bool {
    let mut texts = files.values().map(|bytes| String::from_utf8_lossy(bytes));
    texts.any(|text| text.contains(part))
}

fn error_of(run: &Run) -> ErrorAnswer {
    let answer: ErrorAnswer = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.exit, Some(i32::from(answer.exit)), "{}", run.out);
    answer
}

/// Twelve columns of twelve values that have nothing to do with one another: hardly anything is left
/// of them.
fn wide_table() -> Bench {
    let bench = Bench::new();
    let mut policy = String::from("[data]\npath = \"wide.csv\"\n");
    let mut rows = String::new();
    for column in 0..12 {
        policy += &format!("[columns.zqx{column}]\nrole = \"quasi-identifier\"\n");
        rows += &format!("zqx{column},");
    }
    policy += "[columns.s]\nrole = \"sensitive\"\n[privacy]\nk = 20\nm = 0\n";
    rows += "s\n";
    for row in 0..60u64 {
        for column in 0..12u64 {
            let drawn = (row * 7919 + column * 104_729 + row * row * (column + 3)) % 1009 % 12;
            rows += &format!("v{drawn},");
        }
        rows += "ill\n";
    }
    bench.write("policy.toml", policy);
    bench.write("wide.csv", rows);
    bench
}

#[test]
fn a_release_of_too_many_columns_is_said_to_say_little() {
    let bench = wide_table();
    for more in [&["--dry-run"][..], &["--out", "r"][..]] {
        let run = bench.run(&[&["publish", "policy.toml", "--json"], more].concat());
        let answer: PublishAnswer = serde_json::from_str(&run.exits(0).out).unwrap();
        let [warning] = &answer.warnings[..] else {
            panic!("{:?}", answer.warnings);
        };
        assert_eq!(warning.code.to_string(), "MG0540");
        assert!(
            warning
                .text
                .starts_with("12 quasi-identifiers leave little: NCP "),
            "{}",
            warning.text
        );
        assert!(
            warning
                .text
                .contains(" % of their cells are published as *"),
            "{}",
            warning.text
        );
        assert_eq!(warning.text.matches("\"zqx").count(), 3, "{}", warning.text);
    }
    assert!(holds(
        &files_below(&bench.path("r/private")),
        "leave little"
    ));
    let public = files_below(&bench.path("r/public"));
    assert!(!holds(&public, "leave little") && !holds(&public, "MG0540"));
    bench
        .run(&["publish", "policy.toml", "--out", "strict", "--strict"])
        .refuses(1, "MG0309", &["MG0540"]);
    assert!(!bench.path("strict").exists());
    // as many as are usual, in groups as small, are nobody's mistake
    let few = bench
        .read("policy.toml")
        .replace("[data]", "[data]\nundeclared = \"drop\"");
    let at = few.find("[columns.zqx8]").unwrap();
    let end = few.find("[columns.s]").unwrap();
    bench.write("few.toml", [&few[..at], &few[end..]].concat());
    let run = bench.run(&["publish", "few.toml", "--dry-run", "--json"]);
    let answer: PublishAnswer = serde_json::from_str(&run.exits(0).out).unwrap();
    assert!(answer.warnings.is_empty());
}

#[test]
fn what_tells_of_the_input_never_reaches_the_public() {
    let bench = odd_tables();
    let run = bench
        .run(&["publish", "policy.toml", "--out", "r", "--json"])
        .exits(0);
    let answer: PublishAnswer = serde_json::from_str(&run.out).unwrap();
    let codes: Vec<String> = answer.warnings.iter().map(|w| w.code.to_string()).collect();
    assert_eq!(codes, ["MG0501", "MG0502", "MG0508"]);
    let public = files_below(&bench.path("r/public"));
    let private = files_below(&bench.path("r/private"));
    for warning in &answer.warnings {
        let code = warning.code.to_string();
        assert!(holds(&private, &code), "{code} is in no private file");
        assert!(!warning.hint.is_empty(), "{code}");
        let is_public = warning.code.is_public_warning();
        assert_eq!(holds(&public, &code), is_public, "{code}");
        if !is_public {
            assert!(!holds(&public, &warning.hint), "{code}");
        }
    }
    for part in [
        "zqxempty",
        "zqxnorth",
        "repeat an identifier",
        "without any row",
    ] {
        assert!(!holds(&public, part), "{part} is public");
    }
    // what is public can be found again by whoever has nothing else
    std::fs::remove_dir_all(bench.path("r/private")).unwrap();
    let run = bench.run(&["verify", "r/public", "--json"]).exits(0);
    let document = run.json();
    assert_eq!(document["warnings"].as_array().unwrap().len(), 1);
    assert_eq!(document["warnings"][0]["code"], "MG0502");
    assert_eq!(document["warnings_recorded"], "public");
}

#[test]
fn verify_and_show_repeat_what_publish_said() {
    let bench = odd_tables();
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    let run = bench.run(&["verify", "r"]).exits(0).says(&[
        "warning[MG0501]: column \"id\": 30 rows repeat",
        "warning[MG0502]: column \"note\"",
        "warning[MG0508]: 1 provider without any row: \"zqxempty\"",
        "hint: check that the right tables are listed",
    ]);
    assert!(
        run.out.contains("warnings: 3 (MG0502, MG0501, MG0508)"),
        "{}",
        run.out
    );
    let document = bench.run(&["verify", "r", "--json"]).exits(0).json();
    assert_eq!(document["warnings_recorded"], "all");
    let answer: VerifyAnswer = serde_json::from_value(document).unwrap();
    assert!(matches!(answer, VerifyAnswer::Groups(_)));
    let shown = bench.run(&["show", "r"]).exits(0);
    let (warnings, protected) = (shown.out.find("Warnings"), shown.out.find("\nProtected"));
    assert!(warnings.is_some() && warnings < protected, "{}", shown.out);
    assert!(shown.out.contains("MG0508"));
    let document = bench.run(&["show", "r", "--json"]).exits(0).json();
    assert_eq!(document["warnings"].as_array().unwrap().len(), 3);
    for report in ["r/public/report.html", "r/private/report.html"] {
        let html = bench.read(report);
        let (warnings, main) = (html.find("id=\"warnings\""), html.find("<main"));
        assert!(warnings.is_some() && warnings < main, "{report}");
    }
}

/// A release of 0.1.0 has no such key in its public part.
#[test]
fn nothing_recorded_is_not_nothing() {
    let bench = Bench::new();
    let older =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../release/tests/releases-0.1.0/grouped");
    let whole = older.display().to_string();
    let run = bench.run(&["verify", &whole, "--json"]).exits(0);
    assert_eq!(run.json()["warnings_recorded"], "all");
    let public = older.join("public").display().to_string();
    let run = bench.run(&["verify", &public]);
    assert!(
        run.out
            .replace('\n', " ")
            .contains("warnings: none; nothing here records"),
        "{}",
        run.out
    );
    assert_eq!(
        bench.run(&["verify", &public, "--json"]).json()["warnings_recorded"],
        "nothing"
    );
    bench
        .run(&["report", &public, "--out", "report.html"])
        .exits(0);
    assert!(bench.read("report.html").contains("nothing here records"));
}

#[test]
fn strict_publishes_nothing_and_says_why() {
    let bench = odd_tables();
    let before = bench.contents();
    let in_file = POLICY.to_owned() + "[release]\nstrict = true\n";
    bench.write("strict.toml", &in_file);
    for args in [
        &["publish", "policy.toml", "--out", "r", "--strict"][..],
        &["publish", "policy.toml", "--dry-run", "--strict"],
        &["publish", "strict.toml", "--out", "r", "-q"],
    ] {
        bench
            .run(args)
            .refuses(1, "MG0309", &["MG0501, MG0502, MG0508", "warning[MG0508]"]);
    }
    let run = bench.run(&["publish", "strict.toml", "--out", "r", "--json"]);
    let answer = error_of(&run);
    assert_eq!((answer.code.to_string(), answer.exit), ("MG0309".into(), 1));
    assert_eq!(answer.warnings.len(), 3);
    std::fs::remove_file(bench.path("strict.toml")).unwrap();
    assert!(before == bench.contents(), "something was written");
    bench.write("strict.toml", in_file);
    let unset = ["--set", "release.strict=false", "--out", "r"];
    bench
        .run(&[&["publish", "strict.toml"][..], &unset].concat())
        .exits(0);
    // strict is the steward's: readers are not told whether there was anything to be strict about
    assert!(!holds(
        &files_below(&bench.path("r/public")),
        "strict\": true"
    ));

    let plain = plain_tables();
    plain
        .run(&["publish", "policy.toml", "--out", "r", "--strict"])
        .exits(0);
    plain.run(&["verify", "r", "--strict"]).exits(0);
}

#[test]
fn strict_verification_fails_on_warnings() {
    let bench = odd_tables();
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    bench.run(&["verify", "r"]).exits(0);
    bench
        .run(&["verify", "r", "--strict"])
        .refuses(1, "MG0309", &["MG0502"]);
    let run = bench.run(&["verify", "r", "--strict", "--json"]).exits(1);
    let document = run.json();
    assert_eq!(document["schema"], "mingle.verify/1");
    assert_eq!(document["verdict"], "fails");
    assert_eq!(document["constraints"][0]["verdict"], "holds");
    let table = [
        "verify",
        "--table",
        "r/public/data.csv",
        "--policy",
        "policy.toml",
    ];
    let run = bench.run(&[&table[..], &["--json"]].concat()).exits(0);
    assert_eq!(run.json()["warnings"][0]["code"], "MG0502");
    assert_eq!(run.json()["warnings_recorded"], "nothing");
    bench
        .run(&[&table[..], &["--strict"]].concat())
        .refuses(1, "MG0309", &["MG0502"]);
}

#[test]
fn quiet_is_not_silent_about_warnings() {
    let bench = odd_tables();
    let run = bench
        .run(&["publish", "policy.toml", "--out", "r", "-q"])
        .exits(0)
        .says(&["warning[MG0501]", "warning[MG0508]", "hint: "]);
    assert!(!run.err.contains("protected against"), "{}", run.err);
    bench
        .run(&["verify", "r", "-q"])
        .exits(0)
        .says(&["warning[MG0502]"]);
}

#[test]
fn errors_are_documents_where_documents_were_asked_for() {
    let bench = odd_tables();
    bench.write("unknown.toml", POLICY.replace("k = 3", "kk = 3"));
    bench.write("broken.csv", "id,age,note,disease\np1,20,zqxcell\n");
    let one = "[data]\npath = \"broken.csv\"\n".to_owned()
        + &POLICY[POLICY.find("[columns.id]").unwrap()..];
    bench.write("broken.toml", one);
    bench.write("lacking.csv", "id,age,note\np1,20,zqxcell\n");
    bench.write(
        "lacking.toml",
        bench
            .read("broken.toml")
            .replace("broken.csv", "lacking.csv"),
    );
    let cases: [(&[&str], &str, i32); 9] = [
        (
            &["publish", "nowhere.toml", "--dry-run", "--json"],
            "MG0101",
            2,
        ),
        (
            &["publish", "unknown.toml", "--dry-run", "--json"],
            "MG0103",
            2,
        ),
        (
            &["publish", "broken.toml", "--dry-run", "--json"],
            "MG0207",
            2,
        ),
        (
            &["publish", "lacking.toml", "--dry-run", "--json"],
            "MG0204",
            2,
        ),
        (&["verify", "a.csv", "--json"], "MG0404", 2),
        (&["verify", "--json"], "MG0601", 2),
        (&["publish", "--json", "--unheard-of"], "MG0601", 2),
        (&["explain", "MG9999", "--json"], "MG0604", 2),
        (&["show", "--json", "nowhere"], "MG0404", 2),
    ];
    for (args, code, exit) in cases {
        let run = bench.run(args).refuses(exit, code, &[]);
        let answer = error_of(&run);
        assert_eq!(answer.code.to_string(), code, "{args:?}");
        assert!(
            !answer.message.is_empty() && !run.out.contains("zqxcell"),
            "{args:?}"
        );
    }
    let place = |policy: &str| {
        let run = bench.run(&["publish", policy, "--dry-run", "--json"]);
        error_of(&run).place.unwrap()
    };
    let unknown = place("unknown.toml");
    assert_eq!(unknown.file.as_deref(), Some("unknown.toml"));
    assert!(unknown.line.is_some() && unknown.column == Some(1));
    let broken = place("broken.toml");
    assert_eq!(
        (broken.file.as_deref(), broken.line),
        (Some("broken.csv"), Some(2))
    );
    // who did not ask for JSON gets none
    assert_eq!(bench.run(&["publish", "nowhere.toml", "--dry-run"]).out, "");
    assert_eq!(bench.run(&["publish", "--unheard-of"]).out, "");
}

/// A finding whose document exists is that document, once.
#[test]
fn findings_are_no_errors() {
    let bench = odd_tables();
    bench.write("t.csv", "age,note,disease\n20,a,flu\n21,a,flu\n");
    let table = [
        "verify",
        "--table",
        "t.csv",
        "--policy",
        "policy.toml",
        "--json",
    ];
    let document = bench.run(&table).exits(1).json();
    assert_eq!(document["schema"], "mingle.verify/1");
    assert_eq!(document["verdict"], "fails");
}

/// Whenever the signal comes, a document is printed: the result's or the error's.
#[cfg(unix)]
#[test]
fn an_interrupt_is_a_document() {
    let bench = odd_tables();
    let mut rows = String::from("id,age,note,disease\n");
    for at in 0..200_000 {
        // ages that are nearly all different keep even a fast machine busy for a while
        rows += &format!("p{at},{},same,d{}\n", at * 7 % 150_001, at % 7);
    }
    bench.write("a.csv", rows);
    let mut interrupted = 0;
    for delay in [20, 60, 150, 300, 600] {
        let child = std::process::Command::new(env!("CARGO_BIN_EXE_mingle"))
            .current_dir(bench.path(""))
            .args(["publish", "policy.toml", "--dry-run", "--json"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(delay));
        let pid = child.id().to_string();
        let kill = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(kill.unwrap().success() || interrupted > 0);
        let run = Run::new(child.wait_with_output().unwrap());
        match run.exit {
            Some(130) => {
                assert_eq!(error_of(&run).code.to_string(), "MG0602");
                interrupted += 1;
            }
            Some(0) => assert_eq!(run.json()["schema"], "mingle.publish/1"),
            // before the program listens, the signal ends it
            None => assert_eq!(run.out, ""),
            Some(other) => panic!("exit {other}: {}", run.err),
        }
    }
    assert!(interrupted > 0, "no signal arrived in time");
}

/// Every command that is new to it prints one document of its own schema.
#[test]
fn every_result_is_a_document() {
    let bench = plain_tables();
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    let cases: [(&[&str], &str); 8] = [
        (&["explain", "MG0502", "--json"], "mingle.explain/1"),
        (&["explain", "--json"], "mingle.explain/1"),
        (&["report", "r", "--json"], "mingle.report/1"),
        (
            &["synth", "census", "--rows", "5", "--out", "s.csv", "--json"],
            "mingle.synth/1",
        ),
        (&["history", "init", "h", "--json"], "mingle.history-init/1"),
        (
            &[
                "history",
                "add",
                "h",
                "r",
                "--policy",
                "policy.toml",
                "--person",
                "id",
                "--json",
            ],
            "mingle.history-add/1",
        ),
        (
            &["history", "forget", "h", "v1", "--yes", "--json"],
            "mingle.history-forget/1",
        ),
        (
            &["site", "init", "site", "--name", "north", "--json"],
            "mingle.site-init/1",
        ),
    ];
    for (args, schema) in cases {
        let run = bench.run(args).exits(0);
        assert_eq!(run.json()["schema"], schema, "{args:?}");
    }
    bench
        .run(&["site", "init", "other", "--name", "south", "--json"])
        .exits(0);
    let settings = PathBuf::from("site/site.toml").display().to_string();
    let other = bench
        .run(&["site", "fingerprint", "other/site.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(other["schema"], "mingle.site-fingerprint/1");
    let fingerprint = other["fingerprint"].as_str().unwrap().to_owned();
    let trusted = bench
        .run(&["site", "trust", &settings, &fingerprint, "--json"])
        .exits(0)
        .json();
    assert_eq!(trusted["schema"], "mingle.site-trust/1");
    assert_eq!(trusted["fingerprint"], fingerprint.as_str());
    let demo = bench
        .run(&["site", "demo", "--synchronizer", "merge", "--json"])
        .exits(0)
        .json();
    assert_eq!(demo["schema"], "mingle.site-demo/1");
    assert_eq!(demo["plays"].as_array().unwrap().len(), 1);
}
