//! Playing insiders against releases and tables.

use crate::common::{Bench, CANARY, Run};
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

fn attack(bench: &Bench, args: &[&str]) -> Run {
    bench.run(&[&["attack", "insider"], args].concat())
}

/// A table of the paper with m = 1, k and distinct l = 2.
fn table(bench: &Bench, table: &str, k: u64, args: &[&str]) -> Run {
    let k = format!("privacy.k={k}");
    let set = [
        "--set",
        "privacy.m=1",
        "--set",
        &k,
        "--set",
        "privacy.l={ distinct = 2 }",
    ];
    attack(
        bench,
        &[
            &["--table", table, "--policy", "table.toml"],
            &set[..],
            args,
        ]
        .concat(),
    )
}

/// Compares with a document in `tests/golden`.
#[track_caller]
fn golden(run: &Run, name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    let expected: Value = serde_json::from_str(&expected).unwrap_or_default();
    assert_eq!(run.json(), expected, "{name} should be:\n{}", run.out);
}

#[test]
fn p1_alone_isolates_a_record_of_the_papers_first_table() {
    let bench = Bench::hospitals();
    let run = table(&bench, "t_a.csv", 2, &["--json"]).refuses(
        1,
        "MG0307",
        &["t_a.csv", "at most 1 provider"],
    );
    golden(&run, "attack_insider_t_a.json");
    assert!(!run.out.contains("Epilepsy"));
    let told = table(&bench, "t_a.csv", 2, &["--json", "--show-values"])
        .exits(1)
        .json();
    assert_eq!(
        told["inference"]["values"],
        json!({ "disease": "Epilepsy" })
    );
    let text = table(&bench, "t_a.csv", 2, &[]).exits(1);
    let sentence = "for example, P1 removes its 2 records from the group age [20-30], zip *****:\none record is left, its disease is known\n";
    assert!(text.out.contains(sentence), "{}", text.out);
    assert!(
        text.out
            .contains("1 provider (m)           2     67 %        6        2        2        2\n"),
        "{}",
        text.out
    );
    let told = table(&bench, "t_a.csv", 2, &["--show-values"]).exits(1).out;
    assert!(told.contains("its disease is known: Epilepsy\n"), "{told}");
}

#[test]
fn the_papers_second_table_withstands_anybody_alone() {
    let bench = Bench::hospitals();
    let run = table(&bench, "t_b.csv", 2, &["--json"]).exits(0);
    golden(&run, "attack_insider_t_b.json");
    assert_eq!(run.err, "");
    let text = table(&bench, "t_b.csv", 2, &[]).exits(0).out;
    assert!(
        text.contains("beyond m, for example, P2 and P3 remove their 2 records"),
        "{text}"
    );
}

#[test]
fn the_papers_k_of_three_does_not_survive_anybody() {
    let bench = Bench::hospitals();
    let run = table(&bench, "t_b.csv", 3, &["--json"]).exits(1);
    golden(&run, "attack_insider_t_b_k3.json");
    // nobody is exposed yet: two records are left
    let alone = &run.json()["exposure"][1];
    assert_eq!(
        (&alone["groups"], &alone["exposed"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(
        run.json()["inference"]["text"]
            .as_str()
            .unwrap()
            .matches("2 records are left")
            .count(),
        1
    );
}

#[test]
fn text_fits_eighty_columns() {
    let bench = Bench::hospitals();
    for name in ["t_a.csv", "t_b.csv"] {
        let out = table(&bench, name, 2, &[]).out;
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
    let long = "x".repeat(100);
    let policy = POLICY.replace("columns.s]", &format!("columns.{long}]"));
    let rows: String = (0..12)
        .map(|i| format!("{},{},{long}{i}\n", i / 4, i % 3, i = i))
        .collect();
    let bench = Bench::with(&[
        ("p.toml", &policy),
        ("t.csv", &format!("q,{long},p\n{rows}")),
    ]);
    let out = attack(&bench, &["--table", "t.csv", "--policy", "p.toml"])
        .exits(0)
        .out;
    let table = out.lines().filter(|line| !line.contains(&long));
    assert!(
        table.clone().count() > 5 && table.clone().all(|line| line.chars().count() <= 80),
        "{out}"
    );
}

const POLICY: &str = "
[data]
provider_column = \"p\"
[columns.q]
role = \"quasi-identifier\"
[columns.s]
role = \"sensitive\"
[privacy]
k = 2
";

fn attack_table(policy: &str, table: &str, args: &[&str]) -> Run {
    let bench = Bench::with(&[("p.toml", policy), ("t.csv", table)]);
    attack(
        &bench,
        &[&["--table", "t.csv", "--policy", "p.toml"], args].concat(),
    )
}

#[test]
fn a_release_that_withstands_and_one_that_does_not() {
    let bench = Bench::hospitals();
    for (m, name) in [("0", "outsider"), ("1", "insider")] {
        let m = format!("privacy.m={m}");
        bench
            .run(&[
                "publish",
                "policy.toml",
                "--out",
                name,
                "--set",
                &m,
                "--set",
                "privacy.k=2",
            ])
            .exits(0);
    }
    let outsider = attack(&bench, &["outsider", "--json"]).exits(0).json();
    assert_eq!(
        (&outsider["verdict"], &outsider["m"]),
        (&json!("holds"), &json!(0))
    );
    assert!(
        outsider["exposure"][1]["exposed"].as_u64() > Some(0),
        "{outsider}"
    );
    let insider = attack(&bench, &["insider", "--json", "--policy", "policy.toml"])
        .exits(0)
        .json();
    assert_eq!(
        (&insider["verdict"], &insider["m"], &insider["providers"]),
        (&json!("holds"), &json!(1), &json!(4))
    );
    assert_eq!(
        (
            &insider["exposure"][1]["groups"],
            &insider["exposure"][1]["exposed"]
        ),
        (&json!(0), &json!(0))
    );
    assert_eq!(insider["label_ends"]["given_away"], 0);
    assert!(insider["label_ends"]["checked"].as_u64() > Some(0));
    assert!(outsider.get("label_ends").is_none());
}

/// Ages from 20 to 99 in two groups; only A has the lowest age of each.
fn ages() -> Bench {
    let rows = |ages: &[u32]| {
        ages.iter()
            .zip(0..)
            .map(|(a, i)| format!("{a},s{}\n", i % 3))
            .collect::<String>()
    };
    let policy = "
[data]
providers = [{ name = \"A\", path = \"a.csv\" }, { name = \"B\", path = \"b.csv\" }, { name = \"C\", path = \"c.csv\" }]
[columns.age]
role = \"quasi-identifier\"
[columns.s]
role = \"sensitive\"
[privacy]
m = 0
k = 6
[method]
name = \"mondrian\"
";
    Bench::with(&[
        ("p.toml", policy),
        (
            "a.csv",
            &format!("age,s\n{}", rows(&[21, 30, 44, 61, 70, 83])),
        ),
        (
            "b.csv",
            &format!("age,s\n{}", rows(&[25, 33, 48, 66, 77, 98])),
        ),
        (
            "c.csv",
            &format!("age,s\n{}", rows(&[26, 36, 48, 67, 79, 98])),
        ),
    ])
}

#[test]
fn ends_that_only_one_provider_explains() {
    let bench = ages();
    bench.run(&["publish", "p.toml", "--out", "tight"]).exits(0);
    let run = attack(&bench, &["tight", "--policy", "p.toml", "--json"]).exits(0);
    let ends = &run.json()["label_ends"];
    assert!(
        ends["given_away"].as_u64() > Some(0) && ends["columns"]["age"] == ends["given_away"],
        "{}",
        run.out
    );
    assert_eq!(ends["example"]["explained_by"], json!(["A"]));
    let text = attack(&bench, &["tight", "--policy", "p.toml"])
        .exits(0)
        .out;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("somebody there has exactly 21"), "{text}");
    bench
        .run(&["publish", "p.toml", "--out", "wide", "--set", "privacy.m=1"])
        .exits(0);
    let run = attack(&bench, &["wide", "--policy", "p.toml", "--json"]).exits(0);
    assert_eq!(run.json()["label_ends"]["given_away"], 0, "{}", run.out);
}

#[test]
fn the_original_must_be_the_original() {
    let bench = ages();
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    bench.write("a.csv", "age,s\n1,s0\n2,s1\n");
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(2, "MG0406", &["more than"]);
    bench.write("b.csv", "nothing,s\n1,2\n");
    attack(&bench, &["r", "--policy", "p.toml"]).refuses(2, "MG0204", &["age"]);
    attack(&bench, &["r", "--policy", "gone.toml"]).refuses(2, "MG0101", &["gone.toml"]);
    attack(&bench, &["r", "--set", "privacy.k=9"]).refuses(2, "MG0601", &["own promises"]);
}

#[test]
fn insiders_need_the_private_part() {
    let bench = ages();
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    attack(&bench, &["r/public"]).refuses(2, "MG0408", &["r/public", "private"]);
    std::fs::rename(bench.path("r/private"), bench.path("kept")).unwrap();
    attack(&bench, &["r", "--json"]).refuses(2, "MG0408", &["private"]);
    std::fs::rename(bench.path("kept"), bench.path("r/private")).unwrap();
    let data = bench.read("r/public/data.csv");
    bench.write("r/public/data.csv", data.replacen("s1", "s2", 1));
    attack(&bench, &["r"]).refuses(1, "MG0304", &["r: "]);
}

#[test]
fn a_table_must_say_who_contributed() {
    attack_table(POLICY, "q,s\n1,a\n1,b\n", &[]).refuses(2, "MG0408", &["t.csv", "\"p\""]);
    let listed = POLICY.replace(
        "provider_column = \"p\"",
        "providers = [{ name = \"A\", path = \"a.csv\" }, { name = \"B\", path = \"b.csv\" }]",
    );
    attack_table(&listed, "q,s,p\n1,a,A\n1,b,B\n", &[]).refuses(
        2,
        "MG0408",
        &["policy names no column"],
    );
}

#[test]
fn wrong_files() {
    let bench = Bench::hospitals();
    attack(&bench, &["nowhere"]).refuses(2, "MG0404", &["nowhere"]);
    attack(&bench, &["."]).refuses(2, "MG0404", &[]);
    attack(&bench, &["t_a.csv"]).exits(2);
    attack(&bench, &["--table", "gone.csv", "--policy", "table.toml"]).refuses(
        2,
        "MG0201",
        &["gone.csv"],
    );
    attack(&bench, &["--table", "p1.csv", "--policy", "policy.toml"]).exits(2);
    attack(&bench, &["--table", "t_a.csv"]).refuses(2, "MG0601", &["--policy"]);
    attack(&bench, &[]).refuses(2, "MG0601", &[]);
    attack(
        &bench,
        &["release", "--table", "t_a.csv", "--policy", "table.toml"],
    )
    .refuses(2, "MG0601", &[]);
    bench.run(&["attack"]).exits(2);
    bench.run(&["attack", "outsider"]).exits(2);
}

#[test]
fn coalitions_leave_somebody_out() {
    let bench = Bench::hospitals();
    for up_to in ["4", "99", "18446744073709551615"] {
        let run = table(&bench, "t_a.csv", 2, &["--up-to", up_to]);
        run.refuses(2, "MG0601", &["one of 4 providers", "at most 3 members"]);
    }
    for up_to in ["-1", "1.5", "many"] {
        table(&bench, "t_a.csv", 2, &[&format!("--up-to={up_to}")]).exits(2);
    }
    let far = table(&bench, "t_b.csv", 2, &["--up-to", "3", "--json"])
        .exits(0)
        .json();
    assert_eq!(far["exposure"].as_array().unwrap().len(), 4);
    // less far than promised is no verdict
    let near =
        table(&bench, "t_b.csv", 2, &["--up-to", "0", "--json"]).refuses(4, "MG0305", &["t_b.csv"]);
    assert_eq!(
        (&near.json()["verdict"], &near.json()["attack_number"]),
        (&json!("undecided"), &Value::Null)
    );
    assert_eq!(near.json()["attack_number_undecided"], true);
}

#[test]
fn more_insiders_than_providers_mean_everybody_against_one() {
    let bench = Bench::hospitals();
    let args = [
        "--table",
        "t_b.csv",
        "--policy",
        "table.toml",
        "--set",
        "privacy.k=2",
        "--json",
    ];
    for m in ["4", "1000000", "18446744073709551615"] {
        let set = format!("privacy.m={m}");
        let run = attack(&bench, &[&args[..], &["--set", &set]].concat()).exits(1);
        assert_eq!(run.json()["exposure"].as_array().unwrap().len(), 4);
        assert!(run.err.contains("warning[MG0506]"), "{}", run.err);
    }
}

#[test]
fn one_provider_has_nobody_to_collude_with() {
    let run = attack_table(POLICY, "q,s,p\n1,a,x\n1,b,x\n", &["--json"]).exits(0);
    let document = run.json();
    assert_eq!(document["exposure"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&document["inference"], &document["worst"]),
        (&Value::Null, &json!([]))
    );
    assert_eq!(
        (
            document.get("attack_number_undecided"),
            &document["single_provider_groups"]
        ),
        (None, &json!(1))
    );
    let text = attack_table(POLICY, "q,s,p\n1,a,x\n1,b,x\n", &[])
        .exits(0)
        .out;
    assert!(
        text.contains("nobody up to this size learns anything"),
        "{text}"
    );
    // the outsider sees what everybody sees
    let open = attack_table(POLICY, "q,s,p\n1,a,x\n1,a,x\n2,b,x\n", &["--json"])
        .exits(1)
        .json();
    assert_eq!(
        (&open["attack_number"], &open["exposure"][0]["exposed"]),
        (&json!(0), &json!(3))
    );
    assert!(
        open["inference"]["text"]
            .as_str()
            .unwrap()
            .starts_with("anybody who reads the group q 2: it has one record")
    );
}

#[test]
fn strict_semantics_asks_for_contributors() {
    let strict = POLICY.replace("k = 2", "m = 1\nk = 1\nsemantics = \"strict\"");
    let rows = "q,s,p\n1,a,x\n1,b,x\n2,a,x\n2,b,y\n";
    let run = attack_table(&strict, rows, &["--json"]).refuses(
        1,
        "MG0307",
        &["1 group with too few contributors"],
    );
    assert_eq!(
        (&run.json()["short_of_providers"], &run.json()["verdict"]),
        (&json!(1), &json!("fails"))
    );
    let text = attack_table(&strict, rows, &[]).exits(1).out;
    assert!(
        text.contains("origin: 1 group with fewer than 2 contributors"),
        "{text}"
    );
    let victim = POLICY.replace("k = 2", "m = 1\nk = 1");
    let run = attack_table(&victim, rows, &[]).exits(0);
    assert!(
        run.out.contains("origin: 1 group from one provider"),
        "{}",
        run.out
    );
    attack_table(&strict, "q,s,p\n2,a,x\n2,b,y\n", &["--json"]).exits(0);
}

#[test]
fn ten_thousand_providers_are_quick() {
    let rows: String = (0..40_000)
        .map(|i| format!("{},s{},P{}\n", i / 20, i % 7, (i * 7919) % 10_000))
        .collect();
    let table = format!("q,s,p\n{rows}");
    let policy = POLICY.replace("k = 2", "m = 3\nk = 5\nl = { distinct = 3 }");
    let started = Instant::now();
    let run = attack_table(&policy, &table, &["--json"]).exits(0);
    assert_eq!(run.json()["providers"], 10_000);
    let everybody = attack_table(&policy, &table, &["--json", "--up-to", "9999"]).exits(0);
    assert_eq!(everybody.json()["exposure"][9999]["identity"], 40_000);
    // one group of everybody
    let one: String = (0..10_000)
        .map(|i| format!("1,s{},P{i}\n", i % 7))
        .collect();
    attack_table(
        &policy,
        &format!("q,s,p\n{one}"),
        &["--json", "--up-to", "9999"],
    )
    .exits(0);
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn every_constraint_can_be_attacked() {
    let bench = Bench::hospitals();
    let l = "privacy.l={ entropy = 1.2, recursive = { c = 3, l = 2 } }";
    let t = "privacy.t={ max = 0.9, distance = \"equal\" }";
    let args = [
        "--set",
        l,
        "--set",
        t,
        "--set",
        "privacy.max_frequency=0.9",
        "--json",
    ];
    let run = table(&bench, "t_a.csv", 2, &args).exits(1);
    assert_eq!(
        (
            &run.json()["attack_number"],
            &run.json()["exposure"][1]["groups"]
        ),
        (&json!(1), &json!(2))
    );
    assert_eq!(run.json()["worst"][0]["exact"], false);
}

#[test]
fn files_are_written_once_and_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::hospitals();
    let outputs = ["--csv", "e.csv", "--groups", "g.csv", "--svg", "e.svg"];
    table(&bench, "t_a.csv", 2, &outputs).exits(1).says(&[
        "written to e.csv",
        "written to g.csv",
        "written to e.svg",
    ]);
    let exposure = bench.read("e.csv");
    assert_eq!(
        exposure.lines().next().unwrap(),
        "size,groups,share,undecided,records,identity,attribute.disease,exposed"
    );
    assert_eq!(exposure.lines().nth(2).unwrap(), "1,2,0.6667,0,6,2,2,2");
    let groups = bench.read("g.csv");
    assert_eq!(
        groups.lines().nth(1).unwrap(),
        "[20-30],*****,3,2,1,k-anonymity,P1,,1,1"
    );
    assert_eq!(groups.lines().count(), 4);
    let svg = bench.read("e.svg");
    assert!(
        svg.starts_with("<svg")
            && svg.contains("providers in the coalition")
            && svg.contains("disease"),
        "{svg}"
    );
    for file in ["e.csv", "g.csv", "e.svg"] {
        assert_eq!(
            std::fs::metadata(bench.path(file))
                .unwrap()
                .permissions()
                .mode()
                & 0o077,
            0,
            "{file}"
        );
    }
    let before = bench.contents();
    for (flag, file) in [
        ("--csv", "e.csv"),
        ("--groups", "g.csv"),
        ("--svg", "e.svg"),
    ] {
        table(&bench, "t_a.csv", 2, &[flag, file]).refuses(2, "MG0401", &[file]);
    }
    table(&bench, "t_a.csv", 2, &["--csv", "t_a.csv", "--force"]).refuses(
        2,
        "MG0401",
        &["t_a.csv"],
    );
    table(
        &bench,
        "t_a.csv",
        2,
        &["--csv", "e.csv", "--svg", "e.csv", "--force"],
    )
    .refuses(2, "MG0401", &["e.csv"]);
    table(&bench, "t_a.csv", 2, &["--svg", "no/where.svg"]).refuses(2, "MG0402", &["no/where.svg"]);
    assert_eq!(bench.contents(), before);
    table(&bench, "t_a.csv", 2, &["--csv", "e.csv", "--force"]).exits(1);
}

#[test]
fn values_come_out_only_when_asked_for() {
    let table = format!("q,s,p\n1,{CANARY},A\n1,other,B\n1,other,B\n");
    for args in [&["--json"][..], &[], &["-v"], &["--groups", "g.csv"]] {
        attack_table(POLICY, &table, args).exits(1).shows_no_cell();
    }
    let shown = attack_table(POLICY, &table, &["--show-values"])
        .exits(1)
        .out;
    assert!(shown.contains(CANARY), "{shown}");
}
