//! Proposed policies: sensible, free of cells, and ready to be published.

use crate::common::{Bench, CANARY};

fn clinic() -> String {
    let row = |i: usize| {
        format!(
            "{i},{CANARY}{i},{},{},{:05},19{:02}-0{}-1{},{CANARY}d{},{CANARY}r{}\n",
            18 + i % 60,
            ["f", "m"][i % 2],
            1000 + i * 37 % 900,
            40 + i % 50,
            1 + i % 9,
            i % 10,
            i % 6,
            i % 4
        )
    };
    let header = "patient_id,name,age,sex,zip,date_of_birth,diagnosis,region\n";
    format!("{header}{}", (0..200).map(row).collect::<String>())
}

#[test]
fn a_proposal_can_be_published_as_it_is() {
    let bench = Bench::with(&[("clinic.csv", &clinic())]);
    bench
        .run(&["init", "clinic.csv", "--out", "policy.toml"])
        .exits(0)
        .shows_no_cell()
        .says(&["policy.toml"]);
    let policy = bench.read("policy.toml");
    assert!(!policy.to_lowercase().contains(CANARY), "{policy}");
    let parsed: toml::Table = policy.parse().unwrap();
    let role = |column: &str| {
        parsed["columns"][column]["role"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for (column, expected) in [
        ("patient_id", "identifier"),
        ("name", "identifier"),
        ("age", "quasi-identifier"),
        ("sex", "quasi-identifier"),
        ("zip", "quasi-identifier"),
        ("date_of_birth", "quasi-identifier"),
        ("diagnosis", "sensitive"),
        ("region", "quasi-identifier"),
    ] {
        assert_eq!(role(column), expected, "{column}");
    }
    assert_eq!(
        parsed["columns"]["zip"]["hierarchy"]["mask"].as_integer(),
        Some(5)
    );
    assert_eq!(
        parsed["columns"]["date_of_birth"]["hierarchy"]["dates"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert_eq!(parsed["privacy"]["m"].as_integer(), Some(0));
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0)
        .shows_no_cell();
    bench.run(&["verify", "r"]).exits(0).shows_no_cell();
}

#[test]
fn every_column_says_why() {
    let bench = Bench::with(&[("clinic.csv", &clinic())]);
    let policy = bench.run(&["init", "clinic.csv"]).exits(0).out;
    let columns = policy.matches("[columns.").count();
    assert_eq!(
        (columns, policy.matches(" distinct").count()),
        (8, 9),
        "{policy}"
    );
    assert!(
        policy.lines().all(|line| line.chars().count() <= 100),
        "{policy}"
    );
}

#[test]
fn several_tables_are_several_providers() {
    let bench = Bench::hospitals();
    std::fs::remove_file(bench.path("policy.toml")).unwrap();
    bench
        .run(&[
            "init",
            "p1.csv",
            "p2.csv",
            "p3.csv",
            "p4.csv",
            "--out",
            "policy.toml",
        ])
        .exits(0);
    let parsed: toml::Table = bench.read("policy.toml").parse().unwrap();
    assert_eq!(parsed["data"]["providers"].as_array().unwrap().len(), 4);
    assert_eq!(parsed["privacy"]["m"].as_integer(), Some(1));
    let policy = bench.read("policy.toml");
    for part in [
        "how many of the 4 providers",
        "3: everybody against one",
        "semantics = \"strict\"",
        "privacy.m=3",
    ] {
        assert!(policy.contains(part), "{part} is not in\n{policy}");
    }
    assert!(
        policy.lines().all(|line| line.chars().count() <= 100),
        "{policy}"
    );
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0);
    bench
        .run(&["init", "t_a.csv", "--out", "one.toml"])
        .exits(0);
    let parsed: toml::Table = bench.read("one.toml").parse().unwrap();
    assert_eq!(parsed["data"]["provider_column"].as_str(), Some("provider"));
    assert_eq!(parsed["privacy"]["m"].as_integer(), Some(1));
    bench.run(&["publish", "one.toml", "--out", "r1"]).exits(0);
}

#[test]
fn paths_are_relative_to_the_policy() {
    let bench = Bench::with(&[("data/clinic.csv", &clinic()), ("policies/readme", "")]);
    bench
        .run(&["init", "data/clinic.csv", "--out", "policies/p.toml"])
        .exits(0);
    assert!(
        bench
            .read("policies/p.toml")
            .contains("path = \"../data/clinic.csv\"")
    );
    bench
        .run(&["publish", "policies/p.toml", "--dry-run"])
        .exits(0);
}

#[test]
fn hierarchies_are_picked_up_where_they_fit() {
    let bench = Bench::with(&[("clinic.csv", &clinic())]);
    let regions: String = (0..4)
        .map(|i| format!("{CANARY}r{i};half{};*\n", i / 2))
        .collect();
    bench.write("hierarchies/region.csv", &regions);
    bench.write("sex.csv", "f;*\n");
    bench
        .run(&["init", "clinic.csv", "--out", "p.toml"])
        .exits(0);
    let policy = bench.read("p.toml");
    let parsed: toml::Table = policy.parse().unwrap();
    assert_eq!(
        parsed["columns"]["region"]["hierarchy"].as_str(),
        Some("hierarchies/region.csv")
    );
    assert!(parsed["columns"]["sex"].get("hierarchy").is_none());
    assert!(
        policy.contains("sex.csv was found, but: ") && !policy.contains(CANARY),
        "{policy}"
    );
    bench.run(&["publish", "p.toml", "--dry-run"]).exits(0);
}

#[test]
fn odd_tables_still_give_a_policy_that_works() {
    for table in [
        "v\n1\n",
        "a,b\nx,y\nx,y\n",
        "\"a \"\"b\"\"\",\"c.d\"\n1,x\n2,x\n1,y\n",
        "s,e\nx,\ny,\nx,\n",
    ] {
        let bench = Bench::with(&[("t.csv", table)]);
        bench.run(&["init", "t.csv", "--out", "p.toml"]).exits(0);
        bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    }
}

#[test]
fn nothing_is_overwritten_unasked() {
    let bench = Bench::with(&[("clinic.csv", &clinic()), ("p.toml", "precious")]);
    bench
        .run(&["init", "clinic.csv", "--out", "p.toml"])
        .refuses(2, "MG0401", &["p.toml exists", "--force"]);
    assert_eq!(bench.read("p.toml"), "precious");
    bench
        .run(&["init", "clinic.csv", "--out", "p.toml", "--force"])
        .exits(0);
    assert_ne!(bench.read("p.toml"), "precious");
    bench
        .run(&["init", "clinic.csv", "--out", "no/p.toml"])
        .refuses(2, "MG0402", &["no/p.toml"]);
    bench.run(&["init", "clinic.csv", "./clinic.csv"]).refuses(
        2,
        "MG0110",
        &["clinic.csv", "twice"],
    );
    bench
        .run(&["init", "nowhere.csv"])
        .refuses(2, "MG0201", &["nowhere.csv"]);
}
