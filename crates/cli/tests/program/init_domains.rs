//! Proposed domains: round, marked, and refused until somebody vouches for them.

use crate::common::Bench;

fn clinic() -> String {
    let row = |i: usize| {
        format!(
            "p{i},{},{},{:05},{}.{},19{:02}-0{}-1{},d{},{}\n",
            18 + i % 60,
            ["f", "m", ""][i % 3],
            1000 + i * 37 % 900,
            60 + i % 40,
            i % 10,
            40 + i % 50,
            1 + i % 9,
            i % 10,
            i % 6,
            ["r0", "r1"][i % 2]
        )
    };
    let header = "patient_id,age,sex,zip,weight,date_of_birth,diagnosis,region\n";
    format!("{header}{}", (0..400).map(row).collect::<String>())
}

fn proposed(bench: &Bench) -> (String, toml::Table) {
    bench
        .run(&[
            "init",
            "clinic.csv",
            "--domains",
            "--out",
            "policy.toml",
            "--force",
        ])
        .exits(0)
        .says(&["confirm its domains"]);
    let text = bench.read("policy.toml");
    let parsed = text.parse().unwrap();
    (text, parsed)
}

#[test]
fn domains_are_proposed_from_the_data_and_say_so() {
    let bench = Bench::with(&[
        ("clinic.csv", &clinic()),
        ("region.csv", "r0;north\nr1;north\n"),
    ]);
    let (text, parsed) = proposed(&bench);
    let domain = |column: &str| parsed["columns"][column].get("domain").cloned();
    let shown = |column: &str| domain(column).unwrap().to_string();
    assert_eq!(domain("patient_id"), None, "identifiers are dropped");
    let age = domain("age").unwrap();
    assert_eq!(
        (
            age["from"].as_integer(),
            age["to"].as_integer(),
            age["width"].as_integer()
        ),
        (Some(15), Some(80), Some(5))
    );
    let sex = domain("sex").unwrap();
    assert_eq!(sex["values"].as_array().unwrap().len(), 2);
    assert_eq!(
        (sex["missing"].as_bool(), sex["other"].as_str()),
        (Some(true), Some("Other"))
    );
    let zip = domain("zip").unwrap();
    assert!(
        zip["values"]
            .as_array()
            .unwrap()
            .iter()
            .all(|zip| zip.as_str().unwrap().len() == 5),
        "codes stay codes"
    );
    assert!(
        shown("weight").contains("step = 0.1"),
        "{}",
        shown("weight")
    );
    assert!(
        shown("date_of_birth").contains("\"1940-01-01\""),
        "{}",
        shown("date_of_birth")
    );
    assert_eq!(domain("region").unwrap().as_str(), Some("hierarchy"));
    let from_data = ["age", "sex", "zip", "weight", "date_of_birth", "diagnosis"];
    assert!(
        from_data
            .iter()
            .all(|column| domain(column).unwrap()["confirmed"].as_bool() == Some(false))
    );
    assert_eq!(
        text.matches("# FROM THE DATA: replace by what is publicly known")
            .count(),
        from_data.len()
    );
    assert!(text.contains("occur in fewer than 5 rows"), "{text}");
    assert!(
        parsed.get("privacy").is_none() && parsed["dp"]["ledger"].as_str() == Some("clinic.ledger")
    );
    assert!(
        text.contains("mingle dp budget \"clinic.ledger\" --create")
            && text.contains("# person = \"patient_id\"")
    );
}

#[test]
fn a_proposal_is_refused_until_it_is_confirmed() {
    let bench = Bench::with(&[("clinic.csv", &clinic())]);
    let (text, _) = proposed(&bench);
    bench
        .run(&[
            "dp",
            "budget",
            "clinic.ledger",
            "--create",
            "--epsilon",
            "1",
            "--delta",
            "1e-9",
        ])
        .exits(0);
    let run = bench.run(&["publish", "policy.toml", "--out", "r"]);
    run.refuses(
        2,
        "MG0123",
        &["7 columns", "`age`", "`diagnosis`", "confirmed = true"],
    );
    // one that was overlooked is enough
    bench.write("policy.toml", text.replacen(", confirmed = false", "", 6));
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .refuses(2, "MG0123", &["1 column", "`region`"]);
    bench.write(
        "policy.toml",
        text.replace(", confirmed = false", "")
            .replacen("# person", "person", 1),
    );
    let run = bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    assert!(
        !run.err.contains("\noutside "),
        "a proposal covers what was seen:\n{}",
        run.err
    );
    assert_eq!(
        bench.read("r/public/data.csv").lines().next(),
        Some("age,sex,zip,weight,date_of_birth,diagnosis,region")
    );
}

#[test]
fn what_cannot_be_proposed_is_said() {
    let rows: String = (0..6000)
        .map(|i| format!("{},street {},\n", 20 + i % 60, i % 1500))
        .collect();
    let bench = Bench::with(&[("clinic.csv", &format!("age,way,empty\n{rows}"))]);
    let (text, parsed) = proposed(&bench);
    assert!(
        text.contains("# 1500 different values are too many to list"),
        "{text}"
    );
    assert_eq!(parsed["columns"]["way"].get("domain"), None);
    // without any value it is left out until somebody decides
    assert_eq!(parsed["columns"]["empty"]["role"].as_str(), Some("drop"));
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .refuses(2, "MG0121", &["1 have none: `way`"]);
}

#[test]
fn words_of_all_kinds_read_back() {
    let rows: String = ["\"a \"\"b\"\"\"", "c\\d", "é, ü", "Other", "'=1"]
        .map(|w| format!("\"{}\",1\n", w.trim_matches('"')))
        .concat();
    let bench = Bench::with(&[("clinic.csv", &format!("word,n\n{}", rows.repeat(20)))]);
    let (_, parsed) = proposed(&bench);
    let domain = &parsed["columns"]["word"]["domain"];
    assert_eq!(domain["values"].as_array().unwrap().len(), 5);
    assert_eq!(domain["other"].as_str(), Some("(other)"));
    bench.run(&["init", "clinic.csv"]).exits(0);
}

/// Of a hierarchy's column everything is public but that values are missing.
#[test]
fn missing_values_of_a_hierarchy_are_read_off_the_data() {
    let rows: String = (0..400)
        .map(|i| format!("{},{}\n", 20 + i % 60, ["r0", "r1", ""][i % 3]))
        .collect();
    let bench = Bench::with(&[
        ("clinic.csv", &format!("age,region\n{rows}")),
        ("region.csv", "r0;north\nr1;north\n"),
    ]);
    let (text, parsed) = proposed(&bench);
    let region = &parsed["columns"]["region"]["domain"];
    assert_eq!(
        (region["missing"].as_bool(), region["confirmed"].as_bool()),
        (Some(true), Some(false)),
        "{text}"
    );
    assert!(
        text.contains("# FROM THE DATA: that values are missing"),
        "{text}"
    );
    bench.write(
        "policy.toml",
        text.replacen("width = 5, confirmed = false", "width = 5", 1),
    );
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .refuses(2, "MG0123", &["1 column", "`region`"]);
}

#[test]
fn long_lists_are_broken_without_trailing_blanks() {
    let rows: String = (0..4000)
        .map(|i| format!("{},some longer word {}\n", i % 60, i % 40))
        .collect();
    let bench = Bench::with(&[("clinic.csv", &format!("age,word\n{rows}"))]);
    let (text, parsed) = proposed(&bench);
    assert_eq!(
        parsed["columns"]["word"]["domain"]["values"]
            .as_array()
            .unwrap()
            .len(),
        40
    );
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}
