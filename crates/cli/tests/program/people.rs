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
            &["which says whose row it is", "data.person=row"],
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
        .says(&[
            "warning[MG0520]: column \"patient_id\": 3 identifiers become 2 when case is ignored",
        ]);
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
            "--set",
            "privacy.max_share_of_rows=1",
        ])
        .says(&["3 published of 2 people"]);
}

#[test]
fn k_alone_bounds_the_share_of_one_persons_rows() {
    let table = "patient_id,sex,age,disease\nzqx1,f,30,flu\nzqx1,f,30,cough\nzqx2,f,31,flu\n";
    let bench = bench("person = \"patient_id\"", table);
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .refuses(
            1,
            "MG0301",
            &["one person has more of all rows than max-share-of-rows, max = 0.5 allows"],
        );
    bench.write("t.csv", visits(3));
    bench
        .run(&["publish", "policy.toml", "--out", "r"])
        .exits(0)
        .says(&["max-share-of-rows, max = 0.5"]);
}

/// A cell `a;b` is a person with several values, in whoever's table.
#[test]
fn sets_in_a_table_are_verified_and_measured_over_people() {
    let bench = Bench::new();
    let columns = COLUMNS.strip_prefix("[columns.patient_id]\nrole = \"identifier\"\n");
    let columns = columns.unwrap().replace(
        "role = \"sensitive\"\n",
        "role = \"sensitive\"\nseparator = \";\"\nhierarchy = \"h.csv\"\n",
    );
    bench.write(
        "policy.toml",
        format!("[data]\npath = \"t.csv\"\n{columns}l = {{ distinct = 2 }}\n"),
    );
    bench.write("h.csv", "flu;x;*\ncough;x;*\nfever;y;*\n");
    let sets = "sex,age,disease\nf,30,flu;cough\nf,30,fever\nm,40,flu;fever\nm,40,flu\n";
    bench.write("t.csv", sets);
    // flu is everybody's in the second group, whose rows have two values
    let run = bench.run(&VERIFY).exits(1);
    for said in [
        "  holds     k-anonymity, k = 2",
        "  fails     distinct-l-diversity, l = 2, column disease",
        "which has 3 records of 2 people",
        "groups 2, records 6 of 4 people",
    ] {
        assert!(run.out.contains(said), "{said}: {}", run.out);
    }
    let fine = sets.replace("m,40,flu\n", "m,40,cough\n");
    bench.write("t.csv", &fine);
    bench.run(&VERIFY).exits(0);
    // rows that were taken apart already are nobody's
    bench.write("apart.csv", "sex,age,disease\nf,30,flu\nf,30,cough\n");
    bench
        .run(&["verify", "--table", "apart.csv", "--policy", "policy.toml"])
        .refuses(2, "MG0311", &["whose the rows are is not known"]);
    // the original has six rows in four people, measured against itself
    let run = bench.run(&["measure", "--table", "t.csv", "--policy", "policy.toml"]);
    let run = run.exits(0);
    assert!(run.out.contains("6 of 6, 0 left out"), "{}", run.out);
    assert!(
        run.out.contains("NCP over people      0.0000"),
        "{}",
        run.out
    );
    bench.write("without.csv", "sex,age\nf,30\nm,40\n");
    bench
        .run(&[
            "measure",
            "--table",
            "without.csv",
            "--policy",
            "policy.toml",
        ])
        .refuses(2, "MG0311", &["lacks column \"disease\""]);
    let run = bench.run(&["hierarchy", "check", "policy.toml"]);
    assert!(!run.out.contains("has no row for"), "{}", run.out);
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

#[test]
fn a_person_with_most_rows_is_said_to_be_the_reason() {
    let mut table = visits(1);
    for _ in 0..200 {
        table += "zqxbig,f,33,flu\nzqxbig,f,33,cough\n";
    }
    let bench = bench("person = \"patient_id\"", &table);
    let said = [
        "one person has 400 of 420 rows",
        "take those rows out of the table",
    ];
    let l = ["--set", "privacy.l={distinct=2}"];
    let publish = ["publish", "policy.toml", "--out", "r"];
    let run = bench.run(&[&publish[..], &l].concat());
    let run = run.refuses(1, "MG0301", &said);
    assert!(!run.err.contains("zqx"), "{}", run.err);
    // leaving out at the end comes too late for her
    let leaving_out = ["--set", "method.max_suppressed=0.97"];
    let run = bench.run(&[&publish[..], &l, &leaving_out].concat());
    run.refuses(1, "MG0306", &said);
    assert!(!bench.path("r").exists());
}

#[test]
fn apart_costs_no_more_than_together() {
    let mut table = "patient_id,hospital,sex,age,disease\n".to_owned();
    let mut seed = 3u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for patient in 0..120 {
        let (home, age, sex) = (draw(3), 20 + draw(60), ["f", "m"][draw(2) as usize]);
        for _ in 0..1 + draw(4) {
            // one visit in five is at any hospital, and ages grow
            let hospital = if draw(5) > 0 { home } else { draw(3) };
            let hospital = ["A", "B", "C"][hospital as usize];
            let disease = ["flu", "cough", "fever", "cold"][draw(4) as usize];
            table += &format!("p{patient},{hospital},{sex},{},{disease}\n", age + draw(3));
        }
    }
    let data = "person = \"patient_id\"";
    let bench = published(data, "m = 1\nk = 4\nl = { distinct = 2 }\n", &table);
    let mut costs = Vec::new();
    for rows in ["together", "apart"] {
        let set = format!("privacy.rows={rows}");
        let run = bench.run(&[
            "publish",
            "policy.toml",
            "--dry-run",
            "--json",
            "--set",
            &set,
        ]);
        let document = run.exits(0).json();
        costs.push(document["utility"]["ncp"]["overall"].as_f64().unwrap());
    }
    assert!(costs[1] <= costs[0], "{costs:?}");
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
    // somebody has three of a group's five rows
    let bench = published("person = \"patient_id\"", "m = 0\nk = 3\n", PUBLISHED);
    let run = bench.run(&VERIFY).exits(1);
    assert!(
        run.out.contains("  fails     max-share-of-rows, max = 0.5"),
        "{}",
        run.out
    );
    let any_share = "m = 0\nk = 3\nmax_share_of_rows = 1\n";
    let bench = published("person = \"patient_id\"", any_share, PUBLISHED);
    let run = bench.run(&VERIFY).exits(0);
    assert_eq!(
        run.out.lines().collect::<Vec<_>>()[..4],
        [
            "verdict: holds (m = 0)",
            "  holds     k-anonymity, k = 3",
            "  holds     max-share-of-rows, max = 1",
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
    let privacy = "m = 1\nk = 2\nmax_share_of_rows = 1\n";
    let bench = published("person = \"patient_id\"", privacy, PUBLISHED);
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
                { "name": "max-share-of-rows", "max": 1, "verdict": "holds" },
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

/// What `publish --json` says, figures of time and cost left out.
#[test]
fn the_document_of_a_release_with_people() {
    let bench = bench("person = \"patient_id\"", &visits(3));
    let run = bench.run(&["publish", "policy.toml", "--out", "r", "--json"]);
    let answer: serde_json::Value = serde_json::from_str(&run.exits(0).out).unwrap();
    assert_eq!(
        answer["people"],
        serde_json::json!({
            "stated": {
                "told_apart_by": "identifier", "scope": "joint", "rows": "together", "knows": "people"
            },
            "counts": {
                "people": 20, "published_people": 20, "suppressed_people": 0, "people_in_groups": 20,
                "most_rows": 3, "smallest_group": 2, "shared_people": 0,
            },
        })
    );
    assert_eq!(
        answer["constraints"],
        serde_json::json!([
            { "name": "k-anonymity", "k": 2, "verdict": "holds" },
            { "name": "max-share-of-rows", "max": 0.5, "verdict": "holds" },
            { "name": "rows-together", "verdict": "holds" },
        ])
    );
}

const INSIDER: [&str; 6] = [
    "attack",
    "insider",
    "--table",
    "t.csv",
    "--policy",
    "policy.toml",
];

/// One of the three women is a patient of both hospitals.
#[test]
fn insiders_take_out_people() {
    let privacy = "m = 1\nk = 2\nmax_share_of_rows = 1\n";
    let bench = published("person = \"patient_id\"", privacy, PUBLISHED);
    let run = bench.run(&INSIDER).exits(1);
    let said = unbroken(&run.out);
    for part in [
        "groups 2, records 9, people 6, providers 2",
        "knows = \"rows\"",
        "shared: people about whom they and others have records",
    ] {
        assert!(said.contains(part), "{part}: {}", run.out);
    }
    assert!(!run.out.contains("zqx") && !run.out.contains("fever"));
    let run = bench.run(&[&INSIDER[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (
            &answer["people"],
            &answer["knows"],
            &answer["attack_number"]
        ),
        (&6.into(), &"people".into(), &1.into())
    );
    // A knows two of three women, so the third is isolated, and B the same; of the men A knows one
    // of three, and B two
    assert_eq!(
        answer["exposure"][1],
        serde_json::json!({
            "size": 1, "groups": 2, "share": 1.0, "undecided": 0, "records": 9, "people": 6,
            "identity": 3, "attribute": { "disease": 3 }, "exposed": 3,
        })
    );
    // the shared woman is known to neither: A leaves her and the woman of B, who both had a fever, and
    // B leaves her and the woman of A, who both coughed; of the men B leaves one
    assert_eq!(answer["beside"]["knows"], "rows");
    assert_eq!(
        answer["beside"]["exposure"][1],
        serde_json::json!({
            "size": 1, "groups": 1, "share": 0.5, "undecided": 0, "records": 4, "people": 3,
            "identity": 1, "attribute": { "disease": 4 }, "exposed": 4,
        })
    );
    assert_eq!(
        answer["shared"],
        serde_json::json!({ "people": 1, "sizes": [ { "size": 1, "exact": true, "coalitions": [
            { "members": ["A"], "people": 1, "records": 1, "learnt": 1, "attribute": { "disease": 1 }, "certain": 1 },
            { "members": ["B"], "people": 1, "records": 2, "learnt": 1, "attribute": { "disease": 1 }, "certain": 1 },
        ] } ] })
    );
}

/// What the audit keeps is enough, and says the same as the table.
#[test]
fn insiders_are_played_from_the_audit_as_well() {
    let bench = bench(
        "person = \"patient_id\"\nprovider_column = \"hospital\"",
        &visits(3)
            .lines()
            .enumerate()
            .map(|(row, line)| match row {
                0 => format!("{line},hospital\n"),
                row => format!("{line},{}\n", ["A", "B", "C"][(row - 1) / 20]),
            })
            .collect::<String>(),
    );
    let publish = [
        "publish",
        "policy.toml",
        "--out",
        "r",
        "--set",
        "privacy.m=0",
    ];
    bench.run(&publish).exits(0);
    let run = bench.run(&["attack", "insider", "r", "--json"]).exits(0);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&answer["people"], &answer["records"], &answer["verdict"]),
        (&20.into(), &60.into(), &"holds".into())
    );
    // each has a visit at every hospital
    assert_eq!(answer["shared"]["people"], 20);
    assert_eq!(answer["shared"]["sizes"][0]["coalitions"][0]["records"], 40);
    // ends of ranges are looked at by people: everybody is known to every hospital, so an end that is
    // off the grid gives somebody away
    let ends = [
        "attack",
        "insider",
        "r",
        "--policy",
        "policy.toml",
        "--json",
    ];
    let run = bench.run(&ends).exits(0);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let ends = &answer["label_ends"];
    assert_eq!(ends["explained_by_at_most"], 1);
    assert!(ends["checked"].as_u64().unwrap() > 0, "{ends}");
}
