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
        policy.lines().all(|line| line.chars().count() <= 80),
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
        policy.lines().all(|line| line.chars().count() <= 80),
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
        bench
            .run(&["init", "t.csv", "--header", "--out", "p.toml"])
            .exits(0);
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

/// A hospital's encounters: a number for each patient that repeats, and many columns.
fn encounters() -> String {
    let mut table = String::from("encounter_id,patient_nbr,age,sex,zip,diag_1,number_diagnoses");
    for drug in 0..12 {
        table += &format!(",measure_{drug}");
    }
    table.push('\n');
    for i in 0..1200usize {
        let patient = 55_000_000 + (i * 7919 % 800) * 131;
        let code = 100 + i * 31 % 300;
        table += &format!(
            "{},{patient},[{}0-{}0),{},{:05},{code}.{},{}",
            900_000 + i * 17,
            i % 9,
            i % 9 + 1,
            ["f", "m"][i / 3 % 2],
            10_000 + i * 13 % 200,
            i % 10,
            i % 9
        );
        for drug in 0..12 {
            table += &format!(",{}", ["No", "Up", "Down"][(i / (drug + 1)) % 3]);
        }
        table.push('\n');
    }
    table
}

/// On 0.1.0 `patient_nbr` was a quasi-identifier, and numbers of patients stood in the public table
/// as ends of ranges.
#[test]
fn numbers_of_patients_are_not_published() {
    let bench = Bench::with(&[("encounters.csv", &encounters())]);
    bench
        .run(&["init", "encounters.csv", "--out", "p.toml"])
        .exits(0)
        .says(&[
            "MG0541",
            "`patient_nbr` repeats: 800 different",
            "for you to decide",
            "people",
            "800 by patient_nbr, 1.5 rows each, up to 2",
        ]);
    let parsed: toml::Table = bench.read("p.toml").parse().unwrap();
    let role = |column: &str| parsed["columns"][column]["role"].as_str().unwrap();
    assert_eq!(role("patient_nbr"), "identifier");
    assert_eq!(role("encounter_id"), "identifier");
    assert_eq!(role("diag_1"), "sensitive");
    assert_ne!(role("number_diagnoses"), "sensitive");
    let columns = parsed["columns"].as_table().unwrap();
    let quasi = columns
        .values()
        .filter(|c| c["role"].as_str() == Some("quasi-identifier"));
    assert!((3..=8).contains(&quasi.count()));
    assert_eq!(parsed["data"]["person"].as_str(), Some("patient_nbr"));
    bench
        .run(&["publish", "p.toml", "--out", "r"])
        .exits(0)
        .says(&["1200 published of 800 people"]);
    let published = bench.read("r/public/data.csv") + &bench.read("r/public/manifest.json");
    let policy = bench.read("p.toml");
    for i in 0..1200usize {
        let patient = (55_000_000 + (i * 7919 % 800) * 131).to_string();
        assert!(!published.contains(&patient) && !policy.contains(&patient));
    }
}

#[test]
fn the_answer_is_a_document() {
    let bench = Bench::with(&[("encounters.csv", &encounters())]);
    let run = bench
        .run(&["init", "encounters.csv", "--json", "--out", "p.toml"])
        .exits(0);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["schema"], "mingle.init/1");
    assert_eq!(
        answer["policy"].as_str(),
        Some(bench.read("p.toml").as_str())
    );
    assert_eq!(answer["people"]["column"], "patient_nbr");
    assert_eq!(answer["people"]["people"], 800);
    assert_eq!(answer["columns"].as_array().unwrap().len(), 19);
    let to_decide = answer["to_decide"].as_array().unwrap();
    for column in answer["columns"].as_array().unwrap() {
        let decide = to_decide.contains(&column["name"]);
        assert_eq!(column["decide"].as_bool(), Some(decide), "{column}");
        assert!(!decide || column["role"] == "drop", "{column}");
    }
    let dry_run = &answer["dry_run"];
    assert_eq!(dry_run["sample_rows"], 1200);
    assert!((0.0..=1.0).contains(&dry_run["ncp"].as_f64().unwrap()));
    assert!(!dry_run["costliest"].as_array().unwrap().is_empty());
}

/// What is proposed does not depend on how many threads have read the table.
#[test]
fn a_proposal_is_the_same_every_time() {
    let bench = Bench::with(&[("encounters.csv", &encounters())]);
    let once = bench
        .run(&["init", "encounters.csv", "--json"])
        .exits(0)
        .out;
    let again = bench
        .run(&["init", "encounters.csv", "--json"])
        .exits(0)
        .out;
    assert_eq!(once, again);
}
