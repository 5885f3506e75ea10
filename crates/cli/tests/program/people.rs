//! Whose rows belong together: exit codes and texts.

use crate::common::{Bench, unbroken};

const COLUMNS: &str = "[columns.patient_id]\nrole = \"identifier\"\n[columns.sex]\nrole = \"quasi-identifier\"\n\
                       [columns.age]\nrole = \"quasi-identifier\"\n[columns.disease]\nrole = \"sensitive\"\n\
                       [privacy]\nk = 2\n";

/// Twenty patients with so many visits each.
fn visits(each: usize) -> String {
    let mut rows = "patient_id,sex,age,disease\n".to_owned();
    for row in 0..20 * each {
        let patient = row % 20;
        rows += &format!(
            "zqx{patient},{},{},{}\n",
            ["f", "m"][patient % 2],
            30 + patient,
            ["flu", "cough", "fever"][row % 3]
        );
    }
    rows
}

fn bench(data: &str, table: &str) -> Bench {
    let bench = Bench::new();
    bench.write(
        "policy.toml",
        format!("[data]\npath = \"t.csv\"\n{data}\n{COLUMNS}"),
    );
    bench.write("t.csv", table);
    bench
}

#[test]
fn repeats_without_a_person_are_a_finding_that_cannot_be_silenced() {
    let bench = bench("", &visits(3));
    let said = [
        "column \"patient_id\" repeats: 60 rows have 20 different identifiers, up to 3 have the same one",
        "person = \"patient_id\" in [data]",
        "person = \"row\"",
    ];
    for more in [
        &["--out", "r"][..],
        &["--out", "r", "-q"],
        &["--dry-run"],
        &["--dry-run", "-q", "--json"],
    ] {
        let run = bench.run(&[&["publish", "policy.toml"], more].concat());
        let run = run.refuses(1, "MG0310", &said);
        assert!(!run.err.contains("zqx"), "{}", run.err);
    }
    assert!(!bench.path("r").exists());
    bench
        .run(&[
            "verify",
            "--table",
            "t.csv",
            "--policy",
            "policy.toml",
            "-q",
        ])
        .refuses(1, "MG0310", &said);
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "r",
            "--set",
            "data.person=row",
        ])
        .exits(0)
        .says(&["warning[MG0501]: column \"patient_id\": 40 rows repeat"]);
    bench.run(&["explain", "MG0310"]).exits(0);
}

#[test]
fn a_table_without_its_identifiers_is_verified_as_before() {
    let bench = bench("", &visits(3));
    bench.write("published.csv", "sex,age,disease\nf,*,flu\nf,*,cough\n");
    bench
        .run(&[
            "verify",
            "--table",
            "published.csv",
            "--policy",
            "policy.toml",
        ])
        .exits(0);
    bench
        .run(&[
            "verify",
            "--table",
            "published.csv",
            "--policy",
            "policy.toml",
            "--set",
            "data.person=patient_id",
        ])
        .refuses(
            2,
            "MG0204",
            &["which says whose each row is", "data.person=row"],
        );
}

#[test]
fn people_with_several_rows_are_published_and_verified_over_people() {
    let bench = bench("person = \"patient_id\"", &visits(3));
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0)
        .says(&["60 published of 20 people"]);
    bench.run(&["verify", "r"]).exits(0);
    let public = bench.read("r/public/data.csv") + &bench.read("r/public/manifest.json");
    assert!(!public.contains("zqx"), "an identifier was published");
}

#[test]
fn one_row_a_person_gives_the_same_bytes() {
    let bench = bench("", &visits(1));
    let mut tables = Vec::new();
    for person in ["row", "patient_id"] {
        let set = format!("data.person={person}");
        bench
            .run(&["publish", "policy.toml", "--out", person, "--set", &set])
            .exits(0);
        tables.push(bench.read(&format!("{person}/public/data.csv")));
    }
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn what_is_wrong_with_identifiers_is_said_with_numbers_and_never_who() {
    for (table, code, said) in [
        (
            "patient_id,sex,age,disease\nzqx1,f,30,flu\n,f,31,flu\n?,m,32,cough\n",
            "MG0218",
            "t.csv, column \"patient_id\": 2 rows do not say whose they are, of 3 in all",
        ),
        (
            "patient_id,sex,age,disease\nzqx1,f,30,flu\nzqx1,f,31,flu\nzqx1,m,32,cough\n",
            "MG0219",
            "column \"patient_id\" has the same value in all 3 rows",
        ),
    ] {
        let bench = bench("person = \"patient_id\"", table);
        let run = bench.run(&["publish", "policy.toml", "--out", "r"]);
        let run = run.refuses(2, code, &[said]);
        assert!(!run.err.contains("zqx"), "{}", run.err);
    }
    let table = "patient_id,sex,age,disease\nzqx1,f,30,flu\nZQX1,f,31,flu\nzqx2,m,32,cough\n zqx2,m,33,cough\n";
    bench("person = \"patient_id\"", table)
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0)
        .says(&["warning[MG0520]: column \"patient_id\": 4 identifiers become 2 when case and blanks are ignored"]);
}

#[test]
fn policies_that_would_count_rows_as_people_are_refused() {
    let bench = bench("person = \"patient_id\"", &visits(1));
    for (set, code, said) in [
        ("release.fragmented=true", "MG0135", "fragments count rows"),
        (
            "data.person=age",
            "MG0109",
            "whose role is quasi-identifier",
        ),
        (
            "data.person=nobody",
            "MG0106",
            "there is no column `nobody`",
        ),
    ] {
        bench
            .run(&["publish", "policy.toml", "--out", "r", "--set", set])
            .refuses(2, code, &[said]);
    }
}

#[test]
fn cells_with_several_values_are_people_with_several_rows() {
    let table = "patient_id,sex,age,disease\nzqx1,f,30,flu;cough\nzqx2,f,31,flu\n";
    let bench = bench("", table);
    bench
        .run(&[
            "publish",
            "policy.toml",
            "--out",
            "r",
            "--set",
            "columns.disease.separator=\";\"",
        ])
        .says(&["3 published of 2 people"]);
}

#[test]
fn made_up_visits_are_proposed_with_their_person() {
    let bench = Bench::new();
    bench
        .run(&[
            "synth", "hospital", "--rows", "3000", "--visits", "3", "--out", "v.csv",
        ])
        .exits(0);
    let run = bench
        .run(&["init", "v.csv", "--out", "p.toml", "--json"])
        .exits(0);
    let people = &run.json()["people"];
    assert_eq!(people["column"], "patient_id");
    assert_eq!(people["rows"], 3000);
    assert!(people["most_rows"].as_u64().unwrap() > 5);
    let changes = people["changes"].as_array().unwrap();
    let zip = changes
        .iter()
        .find(|change| change["column"] == "zip")
        .unwrap();
    assert!(zip["people"].as_u64().unwrap() > 0 && zip["ncp"].as_f64().unwrap() > 0.0);
    assert!(
        changes
            .iter()
            .all(|change| change["column"] != "date_of_birth")
    );
    let policy: toml::Table = bench.read("p.toml").parse().unwrap();
    assert_eq!(policy["data"]["person"].as_str(), Some("patient_id"));
    assert!(bench.read("p.toml").contains("changes within"));
    bench
        .run(&[
            "synth", "census", "--rows", "10", "--visits", "3", "--out", "c.csv",
        ])
        .refuses(2, "MG0601", &["visits are of a hospital's patients"]);
}

#[test]
fn repeats_that_are_nobodys_are_left_to_the_steward() {
    let mut rows = "name,sex,age,disease\n".to_owned();
    for row in 0..60 {
        let name = ["Ann Smith", "Bob Jones", "Cid Brown", "Dora King"][row % 4];
        rows += &format!(
            "{name},{},{},{}\n",
            ["f", "m"][row % 2],
            30 + row % 7,
            ["flu", "cough"][row % 2]
        );
    }
    let bench = Bench::with(&[("t.csv", &rows)]);
    bench.run(&["init", "t.csv", "--out", "p.toml"]).exits(0);
    let policy = bench.read("p.toml");
    assert!(policy.contains("DECIDE: \"name\" repeats"), "{policy}");
    bench.run(&["publish", "p.toml", "--out", "r"]).refuses(
        1,
        "MG0310",
        &["column \"name\" repeats"],
    );
}

/// Six patients in two groups that any tool may have made; the first has three visits, at two hospitals.
const PUBLISHED: &str = "patient_id,hospital,sex,age,disease\n\
    zqx1,A,f,[30-39],flu\nzqx1,A,f,[30-39],cough\nzqx1,B,f,[30-39],fever\n\
    zqx2,A,f,[30-39],cough\nzqx3,B,f,[30-39],fever\n\
    zqx4,A,m,[30-39],flu\nzqx5,B,m,[30-39],cough\nzqx6,B,m,[30-39],fever\nzqx6,B,m,[30-39],flu\n";

fn published(data: &str, privacy: &str, table: &str) -> Bench {
    let bench = Bench::new();
    let columns = COLUMNS.replace("k = 2\n", privacy);
    bench.write(
        "policy.toml",
        format!("[data]\npath = \"t.csv\"\nprovider_column = \"hospital\"\n{data}\n{columns}"),
    );
    bench.write("t.csv", table);
    bench
}

const VERIFY: [&str; 5] = ["verify", "--table", "t.csv", "--policy", "policy.toml"];

#[test]
fn any_tools_table_is_verified_over_people() {
    let bench = published("person = \"patient_id\"", "m = 0\nk = 3\n", PUBLISHED);
    let run = bench.run(&VERIFY).exits(0);
    assert_eq!(
        run.out.lines().collect::<Vec<_>>()[..3],
        [
            "verdict: holds (m = 0)",
            "  holds     k-anonymity, k = 3",
            "  holds     rows-together",
        ]
    );
    assert!(
        run.out.contains("records 9 of 6 people, providers 2"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("people: the smallest group has 3 people"),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    // five rows look alike, and they are three people
    let run = bench
        .run(&[&VERIFY[..], &["--set", "privacy.k=4"]].concat())
        .exits(1);
    assert!(
        run.out.contains("which has 5 records of 3 people"),
        "{}",
        run.out
    );
    let run = bench.run(
        &[
            &VERIFY[..],
            &["--set", "data.person=row", "--set", "privacy.k=4"],
        ]
        .concat(),
    );
    run.exits(0);
}

#[test]
fn the_document_of_a_table_with_people() {
    let bench = published("person = \"patient_id\"", "m = 1\nk = 2\n", PUBLISHED);
    let run = bench.run(&[&VERIFY[..], &["--json"]].concat());
    let mut answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let answer = answer.as_object_mut().unwrap();
    answer.remove("warnings");
    assert_eq!(
        serde_json::Value::Object(answer.clone()),
        serde_json::json!({
            "schema": "mingle.verify/1", "verdict": "fails", "groups": 2, "records": 9,
            "people": {
                "stated": {
                    "told_apart_by": "identifier", "scope": "joint", "rows": "together", "knows": "people"
                },
                "people": 6, "smallest_group": 3,
            },
            "providers": 2, "m": 1, "attack_number": 1,
            "constraints": [
                { "name": "k-anonymity", "k": 2, "verdict": "fails" },
                { "name": "rows-together", "verdict": "holds" },
            ],
            "witness": {
                "constraint": "k-anonymity", "group": { "sex": "f", "age": "[30-39]" },
                "coalition": ["A"], "records_left": 1, "people_left": 1,
            },
            "warnings_recorded": "nothing",
        })
    );
}

#[test]
fn a_person_in_two_groups_is_a_failure_unless_rows_are_apart() {
    let split = PUBLISHED.replace("zqx6,B,m,[30-39],flu", "zqx6,B,f,[30-39],flu");
    let bench = published("person = \"patient_id\"", "m = 0\nk = 2\n", &split);
    let run = bench.run(&VERIFY).exits(1);
    assert!(run.out.contains("  fails     rows-together"), "{}", run.out);
    let apart = bench.run(&[&VERIFY[..], &["--set", "privacy.rows=apart"]].concat());
    let apart = apart.exits(0);
    assert!(!apart.out.contains("rows-together"), "{}", apart.out);
    let said = unbroken(&apart.out);
    assert!(said.contains("may be in several groups"), "{said}");
}

#[test]
fn local_identifiers_say_what_is_guaranteed() {
    let data = "person = \"patient_id\"\nperson_scope = \"provider\"";
    let bench = published(data, "m = 0\nk = 3\n", PUBLISHED);
    let run = bench.run(&VERIFY).exits(0);
    let said = run.out.replace('\n', " ");
    assert!(said.contains("every group has 2 people"), "{said}");
}

#[test]
fn attacks_that_count_rows_refuse_people() {
    let bench = published("person = \"patient_id\"", "m = 0\nk = 2\n", PUBLISHED);
    for attack in ["insider", "background-join", "minimality"] {
        bench
            .run(&[
                "attack",
                attack,
                "--table",
                "t.csv",
                "--policy",
                "policy.toml",
            ])
            .refuses(2, "MG0135", &["counts rows"]);
    }
}
