//! What careless users and odd files did wrong once, and must not again.

use crate::common::{Bench, CANARY};

const POLICY: &str = "[data]\npath = \"t.csv\"\n[columns.q]\nrole = \"quasi-identifier\"\n\
                      [columns.s]\nrole = \"sensitive\"\n[privacy]\nk = 2\n";

#[test]
fn a_release_of_identifiers_alone_is_refused() {
    let bench = Bench::with(&[("ids.csv", "id\n1\n2\n3\n4\n")]);
    bench.run(&["init", "ids.csv", "--out", "p.toml"]).exits(0);
    bench
        .run(&["publish", "p.toml", "--out", "r"])
        .refuses(2, "MG0109", &["nothing to publish"]);
    assert!(!bench.path("r").exists());
}

#[test]
fn a_policy_does_not_overwrite_a_table() {
    let bench = Bench::with(&[("t.csv", "q,s\n1,a\n")]);
    bench
        .run(&["init", "t.csv", "--out", "t.csv", "--force"])
        .refuses(2, "MG0401", &["is one of the tables"]);
    assert_eq!(bench.read("t.csv"), "q,s\n1,a\n");
}

#[test]
fn a_release_is_not_checked_against_another_policy() {
    let bench = Bench::hospitals();
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    bench
        .run(&["verify", "r", "--policy", "policy.toml"])
        .refuses(2, "MG0601", &["its own promises"]);
}

#[test]
fn a_forgotten_header_shows_no_cells() {
    let table = format!("{CANARY}1,{CANARY}2\n{CANARY}3,{CANARY}4\n");
    let bench = Bench::with(&[("t.csv", &table), ("p.toml", POLICY)]);
    bench
        .run(&["publish", "p.toml", "--out", "r"])
        .refuses(2, "MG0204", &["header"])
        .shows_no_cell();
}

#[test]
fn labels_cannot_steer_the_terminal() {
    let bench = Bench::with(&[
        ("t.csv", "q,s\n\u{1b}[31mX\u{7},a\nY,b\nY,a\n"),
        ("p.toml", POLICY),
    ]);
    let run = bench
        .run(&["verify", "--table", "t.csv", "--policy", "p.toml"])
        .exits(1);
    assert!(
        run.out.contains("\\u{1b}[31mX")
            && !run.out.contains('\u{1b}')
            && !run.err.contains('\u{1b}')
    );
}

#[test]
fn columns_that_nobody_checks_are_named() {
    let policy = POLICY.replace(
        "[columns.q]",
        "[columns.id]\nrole = \"identifier\"\n[columns.q]",
    );
    let bench = Bench::with(&[
        ("t.csv", "id,q,s,z\n1,A,a,9\n2,A,b,8\n"),
        ("p.toml", &policy),
    ]);
    let run = bench
        .run(&["verify", "--table", "t.csv", "--policy", "p.toml"])
        .exits(0);
    assert!(
        run.err.contains("MG0505") && run.err.contains("id, z"),
        "{}",
        run.err
    );
}

#[test]
fn a_hierarchy_label_has_one_meaning() {
    let policy = POLICY.replace(
        "[columns.s]",
        "kind = \"category\"\nhierarchy = \"h.csv\"\n[columns.s]",
    );
    let files = [
        ("t.csv", "q,s\n10,a\n20,b\n30,a\n40,b\n"),
        ("h.csv", "10;20;*\n40;20;*\n20;a;*\n30;a;*\n"),
    ];
    let bench = Bench::with(&files);
    bench.write("p.toml", policy);
    bench.run(&["publish", "p.toml", "--out", "r"]).refuses(
        2,
        "MG0210",
        &["h.csv, line 1", "another level"],
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused_at_once() {
    let bench = Bench::with(&[("p.toml", POLICY)]);
    let made = std::process::Command::new("mkfifo")
        .arg(bench.path("t.csv"))
        .status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo here");
        return;
    }
    bench
        .run(&["publish", "p.toml", "--out", "r"])
        .refuses(2, "MG0201", &["not a regular file"]);
}

/// Rows that agree in everything but what they carry are dealt to groups by that alone.
#[test]
fn the_names_of_providers_leave_no_trace() {
    let a = "q,s,i\n1,x,A1\n1,x,A2\n1,y,A3\n2,x,A4\n2,y,A5\n";
    let b = "q,s,i\n1,x,B1\n1,y,B2\n2,x,B3\n2,x,B4\n2,y,B5\n3,y,B6\n";
    let public = |first: &str| {
        let bench = Bench::with(&[("a.csv", a), ("b.csv", b)]);
        bench.write(
            "p.toml",
            format!(
                "[data]\nproviders = [{{ name = \"{first}\", path = \"a.csv\" }}, {{ name = \"M\", path = \"b.csv\" }}]\n\
                 [columns.q]\nrole = \"quasi-identifier\"\n[columns.s]\nrole = \"sensitive\"\n\
                 [columns.i]\nrole = \"insensitive\"\n[privacy]\nm = 0\nk = 3\nt = {{ max = 0.15, distance = \"equal\" }}\n"
            ),
        );
        bench
            .run(&["publish", "p.toml", "--out", "r", "-q"])
            .exits(0);
        bench.read("r/public/data.csv")
    };
    assert_eq!(public("A"), public("Z"));
}

#[test]
fn results_never_replace_what_an_attack_reads() {
    let bench = Bench::hospitals();
    bench
        .run(&["publish", "policy.toml", "--out", "release"])
        .exits(0);
    let before = bench.contents();
    let name = |path: &str| -> Vec<String> { vec![path.to_owned()] };
    let tables = before
        .keys()
        .filter(|path| path.ends_with(".csv") && !path.contains('/'))
        .cloned();
    let targets: Vec<String> = tables
        .chain(name("policy.toml"))
        .chain(name("release/public/data.csv"))
        .chain(name("release/private/manifest.json"))
        .chain(name("release/public/new.csv"))
        .collect();
    let (mut refused, attack) = (0, ["--policy", "policy.toml", "--force"]);
    for target in &targets {
        for (kind, flag) in [("insider", "--csv"), ("minimality", "--csv")] {
            let run =
                bench.run(&[&["attack", kind, "release", flag, target], &attack[..]].concat());
            if run.err.contains("MG0401") {
                refused += 1;
            }
        }
    }
    let untouched: Vec<&String> = before
        .keys()
        .filter(|path| path.contains('/') || path.as_str() == "policy.toml")
        .collect();
    let after = bench.contents();
    for path in untouched {
        assert_eq!(before[path], after[path], "{path}");
    }
    assert_eq!(before["p1.csv"], after["p1.csv"]);
    assert!(refused >= 8, "{refused}");
}
