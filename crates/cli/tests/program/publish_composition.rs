//! `[composition]`: a table is laid beside releases that are out already before it is published.

use crate::common::Bench;
use serde_json::Value;

/// The first hospital's release, as another tool wrote it: Table 1(a) of Ganta, Kasiviswanathan and
/// Smith.
const FIRST: &str = "zip,age,condition
130**,<30,AIDS
130**,<30,Heart Disease
130**,<30,Viral Infection
130**,<30,Viral Infection
130**,≥40,Cancer
130**,≥40,Heart Disease
130**,≥40,Viral Infection
130**,≥40,Viral Infection
130**,3*,Cancer
130**,3*,Cancer
130**,3*,Cancer
130**,3*,Cancer
";

/// The second hospital's patients.
const SECOND: &str = "zip,age,condition
13012,28,AIDS
13015,25,Tuberculosis
13022,24,Flu
13035,29,Tuberculosis
13041,27,Cancer
13053,26,Cancer
13012,45,Cancer
13015,47,Cancer
13022,52,Heart Disease
13035,61,Tuberculosis
13041,44,Viral Infection
13053,58,Viral Infection
";

fn policy(more: &str) -> String {
    format!(
        "[data]\npath = \"second.csv\"\n\
         [columns.zip]\nrole = \"quasi-identifier\"\nkind = \"category\"\nhierarchy = {{ mask = 5 }}\n\
         [columns.age]\nrole = \"quasi-identifier\"\n\
         [columns.condition]\nrole = \"sensitive\"\n\
         [privacy]\nk = 3\n[method]\nname = \"mondrian\"\n{more}"
    )
}

fn hospitals(more: &str) -> Bench {
    Bench::with(&[
        ("first.csv", FIRST),
        ("second.csv", SECOND),
        ("policy.toml", &policy(more)),
    ])
}

const AGAINST: &str = "[composition]\nagainst = [\"first.csv\"]\n";

#[test]
fn a_release_that_others_would_break_is_refused() {
    let bench = hospitals(AGAINST);
    let run = bench.run(&["publish", "policy.toml", "--out", "out"]);
    let said = run
        .refuses(1, "MG0308", &["first.csv", "condition", "mitigate = true"])
        .err;
    for cell in ["AIDS", "Cancer", "13012"] {
        assert!(!said.contains(cell), "{said}");
    }
    assert!(!bench.path("out").exists());
    bench
        .run(&["publish", "policy.toml", "--dry-run"])
        .refuses(1, "MG0308", &[]);
}

#[test]
fn mitigating_changes_groups_until_the_limits_hold() {
    let more = format!("{AGAINST}mitigate = true\nmax_perfect_breach = 0.1\n");
    let bench = hospitals(&more);
    let document: Value = bench
        .run(&["publish", "policy.toml", "--out", "out", "--json"])
        .json();
    let composition = &document["composition"];
    assert_eq!(composition["mitigated"], true);
    for reader in ["union", "most-specific", "told"] {
        let found = &composition["audits"][0]["readers"][reader];
        assert_eq!(found["targets"], 12);
        assert!(found["perfect"].as_u64().unwrap() <= 1, "{document}");
    }
    // what it was laid beside stays private
    let public = std::fs::read_to_string(bench.path("out/public/manifest.json")).unwrap();
    assert!(
        !public.contains("first.csv") && !public.contains("composition"),
        "{public}"
    );
    let private = std::fs::read_to_string(bench.path("out/private/manifest.json")).unwrap();
    assert!(private.contains("\"mitigated\""));
    bench.run(&["verify", "out"]).exits(0);
    // the same with nothing to change
    let document: Value = bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "loose",
            "--json",
            "--set",
            "composition.max_perfect_breach=1",
        ])
        .json();
    assert_eq!(document["composition"]["mitigated"], false);
}

#[test]
fn what_cannot_be_mended_is_said() {
    // the oldest patients of the first hospital leave nothing but cancer
    let second = format!("{SECOND}13012,35,Cancer\n13015,36,Cancer\n13022,34,Flu\n");
    let more = format!("{AGAINST}mitigate = true\n");
    let bench = Bench::with(&[
        ("first.csv", FIRST),
        ("second.csv", &second),
        ("policy.toml", &policy(&more)),
    ]);
    let run = bench.run(&["publish", "policy.toml", "--out", "out"]);
    run.refuses(1, "MG0308", &["except_already_exposed"]);
    assert!(!bench.path("out").exists());
    let flag = ["--set", "composition.except_already_exposed=true"];
    let run = bench.run(
        &[
            &["publish", "policy.toml", "--out", "out", "--json"],
            &flag[..],
        ]
        .concat(),
    );
    let told: Value = run.json();
    let told = &told["composition"]["audits"][0]["readers"]["told"];
    assert_eq!(told["perfect"], told["perfect_already"]);
}

#[test]
fn releases_that_do_not_fit_are_refused_with_their_name() {
    for (first, says, code) in [
        (
            FIRST.replace("condition", "diagnosis"),
            "condition",
            "MG0204",
        ),
        (
            FIRST.replace("<30", "young"),
            "first.csv, line 2: the label of column \"age\"",
            "MG0411",
        ),
        (
            FIRST
                .replace(",AIDS", ",a")
                .replace(",Heart Disease", ",b")
                .replace(",Viral Infection", ",c")
                .replace(",Cancer", ",d"),
            "",
            "MG0411",
        ),
        ("zip,age,condition\n".to_owned(), "", "MG0203"),
    ] {
        let bench = Bench::with(&[
            ("first.csv", &first),
            ("second.csv", SECOND),
            ("policy.toml", &policy(AGAINST)),
        ]);
        let run = bench
            .run(&["publish", "policy.toml", "--out", "out"])
            .exits(2);
        let said = run.says(&["first.csv", says, code]).err;
        assert!(!said.contains("young"), "{said}");
        assert!(!bench.path("out").exists());
    }
    let bench = hospitals("[composition]\nagainst = [\"nowhere/\"]\n");
    bench
        .run(&["publish", "policy.toml", "--out", "out"])
        .refuses(2, "MG0201", &["nowhere/"]);
}

#[test]
fn own_releases_are_laid_beside_each_other_whatever_their_form() {
    let bench = hospitals("");
    bench.write(
        "policy2.toml",
        policy("[composition]\nagainst = [\"one\"]\nmax_perfect_breach = 1\n"),
    );
    for (form, flags) in [
        ("csv", &[][..]),
        ("parquet", &["--set", "release.format=parquet"]),
        ("fragmented", &["--set", "release.fragmented=true"]),
    ] {
        bench
            .run(
                &[
                    &["publish", "policy.toml", "--out", "one", "--force"],
                    flags,
                ]
                .concat(),
            )
            .exits(0);
        let document: Value = bench
            .run(&["publish", "policy2.toml", "--dry-run", "--json"])
            .json();
        // the same table, published the same way twice: who takes every group that fits loses
        // nothing
        let union = &document["composition"]["audits"][0]["readers"]["union"];
        assert_eq!(
            (&union["vulnerable"], &union["alone"]),
            (&0.into(), &0.into()),
            "{form}: {document}"
        );
    }
    let manifest = bench.path("one/public/manifest.json");
    let damaged = std::fs::read_to_string(&manifest)
        .unwrap()
        .replace("holds", "fails");
    std::fs::write(&manifest, damaged).unwrap();
    bench
        .run(&["publish", "policy2.toml", "--dry-run"])
        .refuses(1, "MG0304", &["one"]);
}

/// Six people whose sex and age are known; half of the aids patients would be found out.
const OURS: &str = "sex,age,ill
M,20,aids
M,21,flu
M,22,flu
F,40,cold
F,41,gout
F,42,gout
";

fn ours(more: &str) -> String {
    format!(
        "[data]\npath = \"ours.csv\"\n[columns.sex]\nrole = \"quasi-identifier\"\n\
         [columns.age]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
         [privacy]\nk = 3\n[composition]\n{more}"
    )
}

#[test]
fn one_more_release_never_makes_a_refused_table_pass() {
    let first = "sex,age,ill\nM,[20-30],aids\nM,[20-30],cold\nM,[20-30],gout\nF,[40-50],gout\nF,[40-50],cold\n";
    // nobody of ours is in the second: its values contradict what the first leaves
    let second = "sex,age,ill\n*,*,flu\n*,*,gout\n*,*,cold\n";
    let policy = |against: &str| ours(&format!("against = [{against}]\n"));
    let files = [
        ("ours.csv", OURS),
        ("first.csv", first),
        ("second.csv", second),
    ];
    let bench = Bench::with(&files);
    bench.write("one.toml", policy("\"first.csv\""));
    bench.write("both.toml", policy("\"first.csv\", \"second.csv\""));
    bench
        .run(&["publish", "one.toml", "--out", "out"])
        .refuses(1, "MG0308", &["first.csv"]);
    bench
        .run(&["publish", "both.toml", "--out", "out"])
        .refuses(1, "MG0308", &["first.csv, second.csv"]);
}

#[test]
fn labels_that_cover_hardly_anybody_are_no_proof_of_safety() {
    let first = "sex,age,ill\nMale,[20-30],aids\nMale,[20-30],cold\nFemale,[40-50],gout\nFemale,[40-50],cold\n";
    let bench = Bench::with(&[("ours.csv", OURS), ("first.csv", first)]);
    bench.write("policy.toml", ours("against = [\"first.csv\"]\n"));
    let run = bench.run(&["publish", "policy.toml", "--out", "out"]);
    run.refuses(
        2,
        "MG0411",
        &[
            "first.csv: none of its groups fits 6 of our 6 people",
            "max_alone",
        ],
    );
    // the steward's word that they are other people
    let accepted = bench.run(&[
        "publish",
        "policy.toml",
        "--out",
        "out",
        "--set",
        "composition.max_alone=1",
    ]);
    accepted.exits(0).says(&["6 fit no group of the others"]);
}

#[test]
fn labels_are_read_by_the_hierarchy_they_were_made_with() {
    let first = "sex,age,ill\n*,young,aids\n*,young,cold\n*,old,gout\n*,old,cold\n";
    let ages: String = (20..50)
        .map(|age| format!("{age};{};*\n", if age < 35 { "young" } else { "old" }))
        .collect();
    let bench = Bench::with(&[
        ("ours.csv", OURS),
        ("first.csv", first),
        ("ages.csv", &ages),
    ]);
    let theirs = "[columns.sex]\nrole = \"quasi-identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                  hierarchy = \"ages.csv\"\n[columns.ill]\nrole = \"sensitive\"\n[privacy]\nk = 2\n";
    bench.write("theirs.toml", theirs);
    bench.write("plain.toml", ours("against = [\"first.csv\"]\n"));
    bench.write(
        "read.toml",
        ours("against = [{ path = \"first.csv\", policy = \"theirs.toml\" }]\n"),
    );
    bench
        .run(&["publish", "plain.toml", "--out", "out"])
        .refuses(2, "MG0411", &["age", "cannot be read"]);
    bench
        .run(&["publish", "read.toml", "--out", "out"])
        .refuses(1, "MG0308", &["first.csv"]);
}
