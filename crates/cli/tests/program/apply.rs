//! `mingle apply`: new rows in the groups of a release.

use crate::common::Bench;
use mingle_record::answer::ApplyAnswer;

const POLICY: &str = r#"
[data]
path = "january.csv"
provider_column = "hospital"
person = "row"
[columns]
name.role = "identifier"
age.role = "quasi-identifier"
disease.role = "sensitive"
[privacy]
k = 3
l = { distinct = 2 }
m = 1
[method]
name = "mondrian"
"#;

const HEADER: &str = "name,hospital,age,disease\n";
const JANUARY: &str = "a,North,21,flu\nb,North,24,asthma\nc,North,27,flu\nd,South,22,asthma\n\
    e,South,25,flu\nf,South,28,asthma\ng,North,51,flu\nh,North,54,asthma\ni,North,57,gout\n\
    j,South,52,asthma\nk,South,55,gout\nl,South,58,flu\n";
const FEBRUARY: &str = "n,North,23,flu\no,North,26,asthma\np,South,24,asthma\nq,South,27,flu\n";

fn january() -> Bench {
    let bench = Bench::with(&[
        ("policy.toml", POLICY),
        ("january.csv", &format!("{HEADER}{JANUARY}")),
        ("february.csv", &format!("{HEADER}{FEBRUARY}")),
        ("alone.csv", &format!("{HEADER}n,North,23,flu\n")),
        ("old.csv", &format!("{HEADER}{FEBRUARY}r,North,99,flu\n")),
    ]);
    bench
        .run(&["publish", "policy.toml", "--out", "january"])
        .exits(0);
    bench
}

#[test]
fn the_union_is_a_release_of_its_own() {
    let bench = january();
    let apply = [
        "apply",
        "january",
        "february.csv",
        "--policy",
        "policy.toml",
    ];
    let dry = bench.run(&[&apply[..], &["--dry-run"]].concat()).exits(0);
    dry.says(&["4 of 4 new rows", "nothing was written"]);
    assert!(!bench.path("february").exists());
    let made = bench
        .run(&[&apply[..], &["--out", "february", "--json"]].concat())
        .exits(0);
    let answer: ApplyAnswer = serde_json::from_str(&made.out).unwrap();
    assert_eq!((answer.published_rows, answer.grown_groups), (16, 1));
    // the document reads back as it was written
    let again = serde_json::to_value(&answer).unwrap();
    assert_eq!(again, made.json());
    bench.run(&["verify", "february"]).exits(0);
    bench.run(&["attack", "insider", "february"]).exits(0);
    bench.run(&["show", "february"]).exits(0);
    bench
        .run(&[&apply[..], &["--out", "february"]].concat())
        .refuses(2, "MG0401", &["february"]);
    bench
        .run(&[&apply[..], &["--out", "february", "--force"]].concat())
        .exits(0);
    bench.run(&["verify", "january"]).exits(0);
}

#[test]
fn refusals_have_codes_and_no_cells() {
    let bench = january();
    let refused = |table: &str, more: &[&str], exit: i32, code: &str, parts: &[&str]| {
        let args = [
            "apply",
            "january",
            table,
            "--policy",
            "policy.toml",
            "--out",
            "x",
        ];
        bench
            .run(&[&args[..], more].concat())
            .refuses(exit, code, parts)
            .shows_no_cell();
        assert!(!bench.path("x").exists());
    };
    refused("alone.csv", &[], 1, "MG0308", &["disease", "1 new row"]);
    refused("old.csv", &[], 1, "MG0312", &["1 of 5 new rows", "age"]);
    let other_k = ["--set", "privacy.k=2"];
    refused(
        "february.csv",
        &other_k,
        2,
        "MG0418",
        &["promise different things"],
    );
    let unsaid = ["--set", "data.person=name"];
    refused("february.csv", &unsaid, 2, "MG0135", &["person"]);
    refused("nowhere.csv", &[], 2, "MG0201", &["nowhere.csv"]);
    refused(
        "North=february.csv",
        &[],
        2,
        "MG0601",
        &["hospital", "give february.csv alone"],
    );
    bench
        .run(&[
            "apply",
            "january/public",
            "february.csv",
            "--policy",
            "policy.toml",
            "--dry-run",
        ])
        .refuses(2, "MG0606", &["private"]);
    let args = [
        "apply",
        "january",
        "alone.csv",
        "--policy",
        "policy.toml",
        "--dry-run",
    ];
    bench
        .run(&[&args[..], &["--never-handed-out"]].concat())
        .exits(0)
        .says(&["never handed out"]);
}
