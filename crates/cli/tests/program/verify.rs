//! Verifying releases and the tables of other tools.

use crate::common::{Bench, CANARY};
use serde_json::json;

/// Verifies a table of the paper; flags are keys of the policy.
fn of_paper(bench: &Bench, table: &str, sets: &[&str]) -> crate::common::Run {
    let flags = sets.iter().flat_map(|set| ["--set", set]);
    let args = [
        "verify",
        "--table",
        table,
        "--policy",
        "table.toml",
        "--json",
    ];
    bench.run(&args.into_iter().chain(flags).collect::<Vec<_>>())
}

fn paper_document(
    verdict: &str,
    m: u64,
    attack_number: u64,
    k: (u64, &str),
    l: &str,
) -> serde_json::Value {
    json!({
        "schema": "mingle.verify/1", "verdict": verdict, "groups": 3, "records": 10, "providers": 4, "m": m,
        "attack_number": attack_number,
        "constraints": [
            { "name": "k-anonymity", "k": k.0, "verdict": k.1 },
            { "name": "distinct-l-diversity", "column": "disease", "l": 2, "verdict": l },
        ],
    })
}

fn keys(document: &serde_json::Value) -> Vec<&String> {
    document.as_object().unwrap().keys().collect()
}

/// The last keys of a document about a table of which there is nothing to warn; a table records none.
fn without_warnings(mut document: serde_json::Value) -> serde_json::Value {
    document["warnings"] = json!([]);
    document["warnings_recorded"] = json!("nothing");
    document
}

#[test]
fn in_the_papers_first_table_one_hospital_isolates_a_record() {
    let bench = Bench::hospitals();
    let run = of_paper(&bench, "t_a.csv", &[]).refuses(
        1,
        "MG0302",
        &["t_a.csv", "k-anonymity", "a coalition of 1"],
    );
    let mut expected = paper_document("fails", 1, 1, (2, "fails"), "fails");
    expected["witness"] = json!({
        "constraint": "k-anonymity", "group": { "age": "[20-30]", "zip": "*****" }, "coalition": ["P1"],
        "records_left": 1,
    });
    let expected = without_warnings(expected);
    assert_eq!(run.json(), expected);
    assert_eq!(keys(&run.json()), keys(&expected));
    let text = bench
        .run(&["verify", "--table", "t_a.csv", "--policy", "table.toml"])
        .exits(1)
        .out;
    for part in [
        "verdict: fails (m = 1)",
        "fails     k-anonymity, k = 2",
        "age = [20-30], zip = *****",
        "\"P1\" takes out its own records and 1 record is left",
        "1 of 4 providers alone can break a promise",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn the_papers_second_table_withstands_one_hospital_for_k_of_two_only() {
    let bench = Bench::hospitals();
    let run = of_paper(&bench, "t_b.csv", &[]).exits(0);
    assert_eq!(
        run.json(),
        without_warnings(paper_document("holds", 1, 2, (2, "holds"), "holds"))
    );
    assert_eq!(run.err, "");
    let text = bench
        .run(&["verify", "--table", "t_b.csv", "--policy", "table.toml"])
        .exits(0)
        .out;
    assert!(
        text.contains("no coalition of up to 1 of 4 providers can break a promise; 2 could"),
        "{text}"
    );
    // the paper says k = 3, but every one of its groups of three loses a record to one provider
    let mut expected = paper_document("fails", 1, 1, (3, "fails"), "holds");
    expected["witness"] = json!({
        "constraint": "k-anonymity", "group": { "age": "[20-40]", "zip": "*****" }, "coalition": ["P1"],
        "records_left": 2,
    });
    assert_eq!(
        of_paper(&bench, "t_b.csv", &["privacy.k=3"])
            .exits(1)
            .json(),
        without_warnings(expected)
    );
}

#[test]
fn both_tables_of_the_paper_hold_against_outsiders() {
    let bench = Bench::hospitals();
    for table in ["t_a.csv", "t_b.csv"] {
        let run = of_paper(&bench, table, &["privacy.k=3", "privacy.m=0"]).exits(0);
        assert_eq!(
            run.json(),
            without_warnings(paper_document("holds", 0, 1, (3, "holds"), "holds")),
            "{table}"
        );
        assert_eq!(run.err, "");
    }
}

#[test]
fn an_outsider_needs_nobody() {
    let bench = Bench::hospitals();
    for m in ["privacy.m=0", "privacy.m=3"] {
        let run = of_paper(&bench, "t_b.csv", &["privacy.k=4", m]).refuses(
            1,
            "MG0302",
            &["k-anonymity fails"],
        );
        let document = run.json();
        assert_eq!(document["attack_number"], 0);
        let group = json!({ "age": "[20-40]", "zip": "*****" });
        let expected = json!({ "constraint": "k-anonymity", "group": group, "coalition": [], "records_left": 3 });
        assert_eq!(document["witness"], expected);
    }
}

#[test]
fn larger_coalitions_and_one_that_is_too_large() {
    let bench = Bench::hospitals();
    let run = of_paper(&bench, "t_b.csv", &["privacy.m=2"]).exits(1);
    assert_eq!(
        (
            &run.json()["attack_number"],
            run.json()["witness"]["coalition"].as_array().unwrap().len()
        ),
        (&json!(2), 2)
    );
    let run = of_paper(
        &bench,
        "t_b.csv",
        &["privacy.m=4", "privacy.k=1", "privacy.l={ distinct = 1 }"],
    )
    .exits(0);
    assert_eq!(
        (&run.json()["attack_number"], &run.json()["m"]),
        (&json!(null), &json!(4))
    );
    assert_eq!(run.json().get("attack_number_undecided"), None);
    run.says(&["warning[MG0506]", "m acts as 3", "everybody against one"]);
}

#[test]
fn strict_semantics_ask_for_sites() {
    let bench = Bench::hospitals();
    let run = of_paper(&bench, "t_b.csv", &["privacy.semantics=strict"]).exits(0);
    let sites = json!({ "name": "site-diversity", "site_diversity": 1, "verdict": "holds" });
    assert_eq!(run.json()["constraints"][2], sites);
    let run = of_paper(
        &bench,
        "t_b.csv",
        &["privacy.semantics=strict", "privacy.site_diversity=3"],
    );
    let run = run.refuses(1, "MG0302", &["site-diversity fails"]);
    let document = run.json();
    // it does not set the attack number: nobody's record is told
    assert_eq!(
        (&document["verdict"], &document["attack_number"]),
        (&json!("fails"), &json!(2))
    );
    assert_eq!(document["constraints"][2]["verdict"], "fails");
    let expected = json!({
        "constraint": "site-diversity", "group": { "age": "[20-40]", "zip": "*****" }, "coalition": [],
        "records_left": 3,
    });
    assert_eq!(document["witness"], expected);
    // a constraint that fails is the worse news
    let both = of_paper(
        &bench,
        "t_a.csv",
        &["privacy.semantics=strict", "privacy.site_diversity=3"],
    )
    .exits(1);
    assert_eq!(both.json()["witness"]["coalition"], json!(["P1"]));
}

#[test]
fn parameters_are_in_the_document() {
    let bench = Bench::hospitals();
    let run = bench.run(&[
        "verify",
        "--table",
        "t_a.csv",
        "--policy",
        "table.toml",
        "--json",
        "--set",
        "privacy.l={ recursive = { c = 2.5, l = 2 }, entropy = 1.5 }",
        "--set",
        "privacy.t={ max = 0.2, distance = \"equal\" }",
        "--set",
        "privacy.max_frequency=0.75",
    ]);
    let document = run.exits(1).json();
    let parameters: Vec<_> = document["constraints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| {
            let mut c = c.clone();
            c.as_object_mut().unwrap().remove("verdict");
            c
        })
        .collect();
    let expected = [
        json!({ "name": "k-anonymity", "k": 2 }),
        json!({ "name": "recursive-l-diversity", "column": "disease", "c": 2.5, "l": 2 }),
        json!({ "name": "entropy-l-diversity", "column": "disease", "l": 1.5 }),
        json!({ "name": "t-closeness", "column": "disease", "max": 0.2, "distance": "equal" }),
        json!({ "name": "max-frequency", "column": "disease", "max": 0.75 }),
    ];
    assert_eq!(parameters, expected);
}

/// k = 2 over one quasi-identifier `q`, with `table` below the header `q,s`.
fn verify_table(policy: &str, table: &str) -> crate::common::Run {
    let bench = Bench::with(&[("p.toml", policy), ("t.csv", table)]);
    bench.run(&["verify", "--table", "t.csv", "--policy", "p.toml", "--json"])
}

const TABLE_POLICY: &str = "
[columns.id]
role = \"identifier\"
[columns.q]
role = \"quasi-identifier\"
kind = \"integer\"
hierarchy = \"not/there.csv\"
[columns.s]
role = \"sensitive\"
[privacy]
k = 2
";

#[test]
fn quasi_identifiers_are_opaque_text() {
    // equal as numbers, different as texts; and none of them need be an integer
    assert_eq!(
        verify_table(TABLE_POLICY, "q,s\n1,a\n1,b\n1.0,a\n")
            .exits(1)
            .json()["groups"],
        2
    );
    assert_eq!(
        verify_table(TABLE_POLICY, "q,s\n5-9,a\n5-9,b\n")
            .exits(0)
            .json()["groups"],
        1
    );
    // both are missing texts, but a reader tells them apart
    assert_eq!(
        verify_table(TABLE_POLICY, "q,s\n?,a\n?,b\n\"\",a\n")
            .exits(1)
            .json()["groups"],
        2
    );
}

#[test]
fn missing_sensitive_values_are_not_counted() {
    let policy = TABLE_POLICY.replace("k = 2", "l = { distinct = 2 }");
    verify_table(&policy, "q,s\n1,a\n1,?\n").exits(1);
    verify_table(&policy, "q,s\n1,a\n1,b\n").exits(0);
}

#[test]
fn other_columns_and_tables_are_ignored() {
    let policy = TABLE_POLICY.to_owned() + "[data]\npath = \"gone.csv\"\nprovider_column = \"p\"\n";
    let alone = verify_table(TABLE_POLICY, "q,other,s\n1,x,a\n1,y,b\n")
        .exits(0)
        .json();
    assert_eq!(
        (
            alone["providers"].clone(),
            alone.get("attack_number_undecided")
        ),
        (json!(1), None)
    );
    let named = verify_table(&policy, "q,s,p\n1,a,x\n1,b,x\n").exits(0);
    assert_eq!(
        (&named.json()["providers"], &named.json()["m"]),
        (&json!(1), &json!(0))
    );
    let two = verify_table(&policy, "q,s,p\n1,a,x\n1,b,y\n").exits(1);
    assert_eq!(
        (&two.json()["providers"], &two.json()["m"]),
        (&json!(2), &json!(1))
    );
    verify_table(TABLE_POLICY, "q,other\n1,x\n").refuses(2, "MG0204", &["\"s\""]);
}

#[test]
fn a_table_that_does_not_say_who_contributed_a_row() {
    let policy = TABLE_POLICY.to_owned() + "[data]\nprovider_column = \"p\"\n";
    let table = "q,s\n1,a\n1,b\n";
    let run = verify_table(&policy, table).refuses(
        4,
        "MG0305",
        &["t.csv has no column \"p\"", "undecided for insiders"],
    );
    let document = run.json();
    assert_eq!(
        (&document["verdict"], &document["m"]),
        (&json!("undecided"), &json!(1))
    );
    assert_eq!(
        (
            &document["attack_number"],
            &document["attack_number_undecided"]
        ),
        (&json!(null), &json!(true))
    );
    assert_eq!(
        (
            &document["providers"],
            &document["constraints"][0]["verdict"]
        ),
        (&json!(null), &json!("holds"))
    );
    // outsiders need no providers, and a failure is a failure
    let outsiders = policy.replace("k = 2", "k = 2\nm = 0");
    assert_eq!(
        verify_table(&outsiders, table).exits(0).json()["attack_number_undecided"],
        true
    );
    verify_table(&policy, "q,s\n1,a\n").refuses(1, "MG0302", &["k-anonymity"]);
    let strict = policy.replace(
        "k = 2",
        "k = 2\nm = 0\nsemantics = \"strict\"\nsite_diversity = 2",
    );
    let run = verify_table(&strict, table).exits(4);
    assert_eq!(run.json()["constraints"][1]["verdict"], "undecided");
    let listed = TABLE_POLICY.to_owned()
        + "[data]\nproviders = [{ name = \"a\", path = \"a.csv\" }, { name = \"b\", path = \"b.csv\" }]\n";
    verify_table(&listed, table).refuses(4, "MG0305", &["provider_column"]);
}

#[test]
fn distances_of_sensitive_columns() {
    let policy = |distance: &str| {
        format!(
            "[columns.q]\nrole = \"quasi-identifier\"\n[columns.s]\nrole = \"sensitive\"\norder = [\"low\", \"mid\", \"high\"]\n\
             hierarchy = \"s.csv\"\n[privacy]\nt = {{ max = 0.5, distance = \"{distance}\" }}\n"
        )
    };
    // group 1 is all low: equal 1/2, ordered 1/2, and with a hierarchy low and mid are close
    let table = "q,s\n1,low\n1,low\n2,high\n2,high\n";
    for (distance, exit) in [("equal", 0), ("ordered", 0), ("hierarchical", 0)] {
        let bench = Bench::with(&[
            ("p.toml", &policy(distance)),
            ("t.csv", table),
            ("s.csv", "low;l;*\nmid;l;*\nhigh;h;*\n"),
        ]);
        bench
            .run(&["verify", "--table", "t.csv", "--policy", "p.toml"])
            .exits(exit);
        let strict = bench.run(&[
            "verify",
            "--table",
            "t.csv",
            "--policy",
            "p.toml",
            "--set",
            "privacy.t.max=0.49",
        ]);
        strict.exits(1);
    }
}

fn released() -> Bench {
    let bench = Bench::hospitals();
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    bench
}

#[test]
fn a_release_is_verified_by_itself() {
    let bench = released();
    let document = bench.run(&["verify", "r", "--json"]).exits(0).json();
    assert_eq!(
        (&document["verdict"], &document["providers"]),
        (&json!("holds"), &json!(4))
    );
    assert_eq!(
        (&document["m"], &document["attack_number"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(document.get("attack_number_undecided"), None);
    let public = bench.run(&["verify", "r/public", "--json"]).refuses(
        4,
        "MG0305",
        &["no audit", "private part"],
    );
    assert_eq!(
        (&public.json()["verdict"], &public.json()["providers"]),
        (&json!("undecided"), &json!(null))
    );
    assert_eq!(public.json()["attack_number_undecided"], true);
    assert_eq!(public.json()["constraints"][0]["verdict"], "holds");
    assert!(
        bench
            .run(&["verify", "r/public"])
            .out
            .contains("insiders: not checked")
    );
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "outsiders",
            "--set",
            "privacy.m=0",
        ])
        .exits(0);
    bench.run(&["verify", "outsiders/public"]).exits(0);
    bench
        .run(&["verify", "r", "--set", "privacy.k=9"])
        .refuses(2, "MG0601", &["--set"]);
    bench
        .run(&["verify", "."])
        .refuses(2, "MG0404", &["not a release"]);
    bench
        .run(&["verify", "nowhere"])
        .refuses(2, "MG0404", &["nowhere"]);
}

#[test]
fn a_strict_release_is_verified_as_such() {
    let bench = Bench::hospitals();
    let strict = [
        "--set",
        "privacy.semantics=strict",
        "--set",
        "privacy.site_diversity=2",
    ];
    bench
        .run(&[&["publish", "policy.toml", "--out", "r"][..], &strict].concat())
        .exits(0)
        .says(&["strict semantics"]);
    let run = bench.run(&["verify", "r", "--json"]).exits(0);
    let sites = json!({ "name": "site-diversity", "site_diversity": 2, "verdict": "holds" });
    assert_eq!(run.json()["constraints"][2], sites);
    let public = bench.run(&["verify", "r/public", "--json"]).exits(4).json();
    assert_eq!(public["constraints"][2]["verdict"], "undecided");
    let text = bench.run(&["verify", "r"]).exits(0).out;
    assert!(
        text.contains("(m = 1, strict semantics)")
            && text.contains("site-diversity, site_diversity = 2"),
        "{text}"
    );
}

#[test]
fn every_changed_byte_is_found() {
    let bench = released();
    for file in [
        "r/public/data.csv",
        "r/public/manifest.json",
        "r/private/audit.parquet",
        "r/private/manifest.json",
    ] {
        let good = std::fs::read(bench.path(file)).unwrap();
        for at in (0..good.len()).step_by(good.len() / 8) {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(bench.path(file), &bad).unwrap();
            let run = bench.run(&["verify", "r", "--json"]).exits(1);
            assert_eq!(run.json()["verdict"], "fails", "{file}, byte {at}");
            run.refuses(1, "MG0304", &[]);
        }
        std::fs::write(bench.path(file), good).unwrap();
    }
    bench.run(&["verify", "r"]).exits(0);
}

#[test]
fn missing_and_foreign_files_are_found() {
    let bench = released();
    bench.write("r/public/names.csv", CANARY);
    bench
        .run(&["verify", "r"])
        .refuses(1, "MG0304", &["names.csv"]);
    std::fs::remove_file(bench.path("r/public/names.csv")).unwrap();
    for file in [
        "r/public/data.csv",
        "r/private/audit.parquet",
        "r/private/manifest.json",
    ] {
        std::fs::rename(bench.path(file), bench.path("aside")).unwrap();
        bench
            .run(&["verify", "r"])
            .refuses(1, "MG0304", &["is missing"]);
        std::fs::rename(bench.path("aside"), bench.path(file)).unwrap();
    }
    // private part of another release
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "other",
            "--set",
            "privacy.k=7",
        ])
        .exits(0);
    std::fs::remove_dir_all(bench.path("r/private")).unwrap();
    std::fs::rename(bench.path("other/private"), bench.path("r/private")).unwrap();
    bench
        .run(&["verify", "r"])
        .refuses(1, "MG0304", &["another release"]);
}

#[test]
fn values_that_tell_the_provider_are_warned_of_in_any_table() {
    let policy = r#"
[data]
path = "original.csv"
provider_column = "hospital"
[columns.age]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[privacy]
k = 2
m = 0
"#;
    let mut table = "hospital,age,disease\n".to_owned();
    for row in 0..40 {
        let disease = ["flu", "cold", "gout"][row % 3];
        table += &format!("North,[20-30],{disease}\n");
        table += &format!("South,[20-30],S-{disease}\n");
    }
    let bench = Bench::with(&[("policy.toml", policy), ("t.csv", &table)]);
    let args = ["verify", "--table", "t.csv", "--policy", "policy.toml"];
    bench.run(&args).says(&["MG0519", "\"disease\""]);
    bench
        .run(&[&args[..], &["--strict"]].concat())
        .exits(1)
        .says(&["MG0519"]);
    bench.write("t.csv", table.replace("S-", ""));
    let run = bench.run(&args).exits(0);
    assert!(!run.err.contains("MG0519"), "{}", run.err);
}
