//! Everything that can be wrong with what comes in: the exit code, a code, the place, a hint, no
//! cell, nothing written.

use crate::common::{Bench, CANARY, Run};

const POLICY: &str = r#"
[data]
path = "t.csv"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.city]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[privacy]
k = 2
l = { distinct = 2 }
"#;

/// Six rows whose every text is a canary.
fn table() -> String {
    let row = |i: usize| {
        format!(
            "{CANARY}n{i},{},{CANARY}c{},{CANARY}d{}\n",
            20 + i,
            i % 2,
            i % 3
        )
    };
    format!(
        "name,age,city,disease\n{}",
        (0..6).map(row).collect::<String>()
    )
}

/// Publishes, and insists that a refusal leaves the folder as it was.
#[track_caller]
fn publish(bench: &Bench, more: &[&str]) -> Run {
    let before = bench.contents();
    let run = bench.run(&[&["publish", "policy.toml", "--out", "out"], more].concat());
    if run.exit != Some(0) {
        assert!(before == bench.contents(), "something was left behind");
    }
    run
}

#[track_caller]
fn of_table(text: impl AsRef<[u8]>) -> Run {
    let bench = Bench::with(&[("policy.toml", POLICY)]);
    bench.write("t.csv", text);
    publish(&bench, &[])
}

#[track_caller]
fn of_policy(policy: &str) -> Run {
    publish(
        &Bench::with(&[("policy.toml", policy), ("t.csv", &table())]),
        &[],
    )
}

#[test]
fn the_table_itself_is_fine() {
    of_table(table()).exits(0).shows_no_cell();
}

#[test]
fn missing_column() {
    of_table(table().replace("city", "town")).refuses(
        2,
        "MG0204",
        &["t.csv", "\"city\"", "\"town\""],
    );
}

#[test]
fn undeclared_column() {
    let wide = table()
        .replace("disease\n", "disease,extra\n")
        .replace("d0\n", "d0,x\n")
        .replace("d1\n", "d1,x\n");
    let wide = wide.replace("d2\n", "d2,x\n");
    of_table(&wide).refuses(
        2,
        "MG0205",
        &["t.csv", "\"extra\"", "undeclared = \"drop\""],
    );
    let bench = Bench::with(&[
        (
            "policy.toml",
            &POLICY.replace("[data]", "[data]\nundeclared = \"drop\""),
        ),
        ("t.csv", &wide),
    ]);
    publish(&bench, &[]).exits(0);
    assert!(!bench.read("out/public/data.csv").contains("extra"));
}

#[test]
fn wrong_kind() {
    let policy = POLICY.replace("[columns.age]", "[columns.age]\nkind = \"integer\"");
    let bench = Bench::with(&[
        ("policy.toml", &policy),
        ("t.csv", &table().replace("22", CANARY)),
    ]);
    publish(&bench, &[]).refuses(2, "MG0209", &["\"age\"", "t.csv, line 4", "an integer"]);
}

#[test]
fn ragged_row() {
    of_table(table() + CANARY + ",1\n").refuses(2, "MG0207", &["t.csv, line 8", "2 fields", "4"]);
}

#[test]
fn unclosed_quote() {
    of_table(table() + "\"" + CANARY + ",1,2,3\n").refuses(2, "MG0207", &["t.csv, line 8"]);
}

#[test]
fn invalid_utf8() {
    let mut bytes = table().into_bytes();
    bytes.extend(b"zqxcanary\xff,1,zqxcanary\xff,zqxcanary\n");
    of_table(&bytes).refuses(2, "MG0208", &["t.csv, line 8", "\"name\""]);
}

#[test]
fn empty_tables() {
    of_table("").refuses(2, "MG0202", &["t.csv"]);
    of_table("name,age,city,disease\n").refuses(2, "MG0203", &["t.csv"]);
}

#[test]
fn not_a_table() {
    of_table(b"PK\x03\x04zqxcanary".as_slice()).refuses(2, "MG0202", &["t.csv"]);
    of_table(b"PAR1zqxcanary".as_slice()).refuses(2, "MG0217", &["t.csv", "parquet"]);
    of_table(b"\x1f\x8bzqxcanary".as_slice()).refuses(2, "MG0202", &["t.csv"]);
}

#[test]
fn duplicate_column() {
    of_table(table().replace("city", "age")).refuses(2, "MG0206", &["t.csv", "columns 2, 3"]);
}

#[test]
fn k_larger_than_the_table() {
    let bench = Bench::with(&[("policy.toml", POLICY), ("t.csv", &table())]);
    publish(&bench, &["--set", "privacy.k=7"]).refuses(
        1,
        "MG0301",
        &["k = 7", "6 row", "no release can exist"],
    );
}

#[test]
fn a_constraint_that_nothing_satisfies() {
    for (set, name) in [
        ("privacy.l={ distinct = 4 }", "distinct-l-diversity"),
        ("privacy.l={ entropy = 3.01 }", "entropy-l-diversity"),
        (
            "privacy.l={ recursive = { c = 0.5, l = 2 } }",
            "recursive-l-diversity",
        ),
        ("privacy.max_frequency=0.3", "max-frequency"),
    ] {
        let bench = Bench::with(&[("policy.toml", POLICY), ("t.csv", &table())]);
        publish(&bench, &["--set", set]).refuses(
            1,
            "MG0301",
            &[name, "column disease", "no release can exist"],
        );
    }
}

#[test]
fn unknown_policy_key() {
    of_policy(&POLICY.replace("k = 2", "kk = 2")).refuses(
        2,
        "MG0103",
        &["policy.toml:13:1", "kk", "did you mean `k`?", "^^"],
    );
}

#[test]
fn a_policy_that_is_not_there() {
    Bench::new()
        .run(&["publish", "nowhere.toml", "--out", "out"])
        .refuses(2, "MG0101", &["nowhere.toml"]);
}

#[test]
fn a_policy_that_is_not_text() {
    let bench = Bench::new();
    bench.write("policy.toml", b"\xff\xfe");
    publish(&bench, &[]).refuses(2, "MG0101", &["policy.toml"]);
}

#[test]
fn hierarchies_that_do_not_fit() {
    let policy = POLICY.replace("[columns.city]", "[columns.city]\nhierarchy = \"city.csv\"");
    let gap = format!("{CANARY}c0;{CANARY}r;*\n");
    let parents =
        format!("{CANARY}c0;{CANARY}r;*\n{CANARY}c1;{CANARY}r;*\n{CANARY}c0;{CANARY}q;*\n");
    let roots = format!("{CANARY}c0;{CANARY}r;*\n{CANARY}c1;{CANARY}r;{CANARY}\n");
    let ragged = format!("{CANARY}c0;{CANARY}r;*\n{CANARY}c1;*\n");
    for (file, place) in [
        (gap, "t.csv, line 3"),
        (parents, "city.csv, line 3"),
        (roots, "city.csv, line 2"),
        (ragged, "city.csv, line 2"),
        (String::new(), "city.csv"),
    ] {
        let bench = Bench::with(&[
            ("policy.toml", &policy),
            ("t.csv", &table()),
            ("city.csv", &file),
        ]);
        publish(&bench, &[]).refuses(2, "MG0210", &["\"city\"", "city.csv", place]);
    }
    let bench = Bench::with(&[("policy.toml", &policy), ("t.csv", &table())]);
    publish(&bench, &[]).refuses(2, "MG0201", &["policy.toml:9:13", "city.csv"]);
}

#[test]
fn a_value_that_order_does_not_list() {
    let policy = POLICY.replace(
        "[columns.city]",
        &format!("[columns.city]\norder = [\"{CANARY}c0\"]"),
    );
    of_policy(&policy).refuses(2, "MG0212", &["\"city\"", "t.csv, line 3"]);
}

#[test]
fn an_ordered_distance_without_order() {
    let policy = POLICY.replace("k = 2", "k = 2\nt = { max = 0.5, distance = \"ordered\" }");
    of_policy(&policy).refuses(2, "MG0117", &["disease"]);
}

#[test]
fn provider_listed_twice() {
    let providers =
        r#"providers = [{ name = "a", path = "t.csv" }, { name = "a", path = "u.csv" }]"#;
    of_policy(&POLICY.replace("path = \"t.csv\"", providers)).refuses(
        2,
        "MG0110",
        &["policy.toml:3:55", "twice"],
    );
}

/// The policy with one table and a column `site`.
fn with_sites() -> String {
    POLICY.replace(
        "path = \"t.csv\"",
        "path = \"t.csv\"\nprovider_column = \"site\"",
    )
}

/// Six rows `repeat` times, each with a name of its own, dealt to so many providers in turn.
fn dealt(providers: usize, repeat: usize) -> String {
    let row = |i: usize| {
        let (age, city, disease, site) = (20 + i % 6, i % 2, i % 3, i / 3 % providers);
        format!("{CANARY}n{i},{age},{CANARY}c{city},{CANARY}d{disease},{CANARY}{site}\n")
    };
    format!(
        "name,age,city,disease,site\n{}",
        (0..6 * repeat).map(row).collect::<String>()
    )
}

#[test]
fn providers_that_say_nothing_about_m() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(2, 4))]);
    let run = publish(&bench, &[])
        .exits(0)
        .says(&["m = 1 is the default with several providers"]);
    run.shows_no_cell();
    let lines = dealt(2, 4) + &format!("{CANARY},22,{CANARY},{CANARY},\n");
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &lines)]);
    publish(&bench, &["--set", "privacy.m=0"]).refuses(
        2,
        "MG0211",
        &["t.csv, line 26", "\"site\""],
    );
}

#[test]
fn an_m_that_is_no_number_of_providers() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(2, 4))]);
    for m in ["-1", "1.5", "2.0", "1e3", "99999999999999999999"] {
        let flag = format!("privacy.m={m}");
        publish(&bench, &["--set", &flag]).refuses(
            2,
            "MG0107",
            &["--set privacy.m=", "a whole number, at least 0"],
        );
    }
    publish(&bench, &["--set", "privacy.m=all"]).refuses(
        2,
        "MG0105",
        &["--set privacy.m=all", "a whole number"],
    );
    let policy = with_sites().replace("k = 2", "k = 2\nm = -1");
    let bench = Bench::with(&[("policy.toml", &policy), ("t.csv", &dealt(2, 4))]);
    publish(&bench, &[]).refuses(2, "MG0107", &["policy.toml:15:5", "m = -1", "^^"]);
}

#[test]
fn an_m_beyond_the_number_of_providers() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(3, 10))]);
    for m in ["privacy.m=3", "privacy.m=18446744073709551615"] {
        let run = bench
            .run(&["publish", "policy.toml", "--dry-run", "--set", m])
            .exits(0);
        run.says(&[
            "warning[MG0506]",
            "m acts as 2",
            "everybody against one",
            "any 2 of 3 providers",
        ])
        .shows_no_cell();
    }
    let run = bench
        .run(&[
            "publish",
            "policy.toml",
            "--dry-run",
            "--set",
            "privacy.m=2",
        ])
        .exits(0);
    assert!(!run.err.contains("MG0506"));
}

#[test]
fn one_provider_cannot_collude() {
    let bench = Bench::with(&[("policy.toml", POLICY), ("t.csv", &table())]);
    let run = publish(&bench, &["--set", "privacy.m=2"]).exits(0);
    run.says(&[
        "warning[MG0507]",
        "m acts as 0",
        "one provider: nobody can collude",
    ])
    .shows_no_cell();
    assert!(bench.read("out/public/manifest.json").contains("\"m\": 2"));
    bench.run(&["verify", "out"]).exits(0);
}

#[test]
fn strict_semantics_that_nothing_satisfies() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(3, 10))]);
    let strict = ["--set", "privacy.semantics=strict"];
    let with = |more: &[&str]| publish(&bench, &[&strict, more].concat());
    let said = [
        "asks for 4 providers in every group",
        "3 have rows",
        "no release can exist",
        "semantics = \"victim\"",
    ];
    with(&["--set", "privacy.m=3"]).refuses(1, "MG0301", &said);
    with(&["--set", "privacy.site_diversity=3"]).refuses(1, "MG0301", &said);
    // leaving rows out does not help either
    with(&["--set", "privacy.m=3", "--set", "method.max_suppressed=1"]).refuses(1, "MG0301", &said);
    with(&["--set", "privacy.site_diversity=2"]).exits(0);
    let lone = ["--set", "privacy.site_diversity=2"];
    publish(&bench, &lone).refuses(2, "MG0109", &["site_diversity", "strict"]);
}

#[test]
fn insiders_that_are_too_strong() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(2, 1))]);
    let hint = "lower m or k, weaken another constraint, or add providers or rows";
    publish(&bench, &["--set", "privacy.k=4"]).refuses(
        1,
        "MG0306",
        &["withstands m = 1 insiders", hint],
    );
    let strict = ["--set", "privacy.k=4", "--set", "privacy.semantics=strict"];
    publish(&bench, &strict).refuses(1, "MG0306", &["strict semantics", "site_diversity"]);
    publish(&bench, &["--set", "privacy.k=4", "--set", "privacy.m=0"]).exits(0);
    // what no outsider's release can be is said as before
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(2, 1))]);
    publish(&bench, &["--set", "privacy.k=7"]).refuses(
        1,
        "MG0301",
        &["k = 7", "no release can exist"],
    );
}

#[test]
fn a_search_that_does_not_fit_the_constraint() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(3, 10))]);
    let set = [
        "--set",
        "privacy.l={ entropy = 2 }",
        "--set",
        "method.verification=binary",
    ];
    let said = [
        "the binary verification",
        "not so for entropy-l-diversity",
        "verification = \"exact\"",
    ];
    publish(&bench, &set).refuses(2, "MG0109", &said);
}

#[test]
fn every_search_publishes_the_same() {
    let bench = Bench::with(&[("policy.toml", &with_sites()), ("t.csv", &dealt(3, 4))]);
    let data = [
        "exact",
        "adaptive",
        "binary",
        "top-down",
        "bottom-up",
        "direct",
        "brute-force",
    ]
    .map(|name| {
        let set = format!("method.verification={name}");
        bench
            .run(&["publish", "policy.toml", "--out", name, "--set", &set])
            .exits(0);
        bench.run(&["verify", name]).exits(0);
        bench.read(&format!("{name}/public/data.csv"))
    });
    assert!(data.iter().all(|other| *other == data[0]));
}

/// Two providers with a table each.
fn two_tables(first: &str, second: &str) -> Bench {
    let providers = "providers = [{ name = \"north\", path = \"t.csv\" }, { name = \"south\", path = \"u.csv\" }]";
    let policy = POLICY.replace("path = \"t.csv\"", providers);
    Bench::with(&[
        ("policy.toml", &policy),
        ("t.csv", first),
        ("u.csv", second),
    ])
}

/// As many rows as asked, numbered from a start on: no two alike.
fn people(from: usize, to: usize) -> String {
    let row = |i: usize| {
        format!(
            "{CANARY}n{i},{},{CANARY}c{},{CANARY}d{}\n",
            i % 90,
            i % 7,
            i % 5
        )
    };
    format!(
        "name,age,city,disease\n{}",
        (from..to).map(row).collect::<String>()
    )
}

#[test]
fn a_provider_without_rows() {
    let bench = two_tables(&people(0, 40), "name,age,city,disease\n");
    publish(&bench, &[])
        .exits(0)
        .says(&["warning[MG0508]", "1 provider without any row: \"south\""])
        .shows_no_cell();
    bench.run(&["verify", "out"]).exits(0);
    let bench = two_tables("name,age,city,disease\n", "name,age,city,disease\n");
    publish(&bench, &[]).refuses(2, "MG0203", &["t.csv"]);
}

#[test]
fn the_same_rows_at_two_providers() {
    let shares = |first: &str, second: &str, rows: &str| {
        let bench = two_tables(first, second);
        let said = ["warning[MG0509]", "\"north\" and \"south\"", rows];
        publish(
            &bench,
            &["--set", "privacy.m=0", "--set", "data.person=row"],
        )
        .exits(0)
        .says(&said)
        .shows_no_cell();
    };
    shares(&people(0, 40), &people(0, 40), "share 40 rows");
    shares(&table(), &table(), "share 6 rows");
    // in another order, and only half of them
    let mut lines: Vec<String> = people(0, 40).lines().map(str::to_owned).collect();
    lines[1..].reverse();
    shares(&people(0, 40), &(lines.join("\n") + "\n"), "share 40 rows");
    shares(&people(0, 400), &people(380, 420), "share 20 rows");
}

#[test]
fn different_people_who_look_alike_are_no_news() {
    for (first, second) in [
        (people(0, 40), people(40, 80)),
        (people(0, 40), people(35, 80)),
        // the same but for the names: other people
        (
            people(0, 40),
            people(0, 40).replace(&format!("{CANARY}n"), "other"),
        ),
    ] {
        let bench = two_tables(&first, &second);
        let set = ["--set", "privacy.m=0", "--set", "data.person=row"];
        let run = publish(&bench, &set).exits(0);
        assert!(!run.err.contains("MG0509"), "{}", run.err);
    }
}

#[test]
fn ten_thousand_providers() {
    let header = "name,age,city,disease,site\n";
    let row = |i: usize| {
        format!(
            "n{i},{},c{},{CANARY}d{},{CANARY}{}\n",
            i % 90,
            i % 40,
            i % 5,
            i % 10_000
        )
    };
    let lines: String = (0..20_000).map(row).collect();
    let bench = Bench::with(&[
        ("policy.toml", &with_sites()),
        ("t.csv", &format!("{header}{lines}")),
    ]);
    let run = publish(&bench, &["--set", "method.name=mondrian"]).exits(0);
    run.says(&["any 1 of 10000 providers"]).shows_no_cell();
    let run = bench.run(&["verify", "out", "--json"]).exits(0);
    assert_eq!(
        (&run.json()["providers"], &run.json()["verdict"]),
        (&10_000.into(), &"holds".into())
    );
}

#[test]
fn a_table_that_is_not_there() {
    let bench = Bench::with(&[("policy.toml", POLICY)]);
    publish(&bench, &[]).refuses(2, "MG0201", &["policy.toml:3:8", "t.csv", "no such file"]);
    let bench = Bench::with(&[("policy.toml", &POLICY.replace("path = \"t.csv\"", ""))]);
    publish(&bench, &[]).refuses(2, "MG0116", &["policy.toml"]);
}

#[test]
fn unreadable_files() {
    if crate::common::is_root() {
        eprintln!("skipped: permissions do not stop this user");
    } else {
        let bench = Bench::with(&[("policy.toml", POLICY), ("t.csv", &table())]);
        crate::common::forbid(&bench.path("t.csv"));
        let run = bench.run(&["publish", "policy.toml", "--out", "out"]);
        run.refuses(
            2,
            "MG0201",
            &["policy.toml:3:8", "t.csv", "permission denied"],
        );
    }
    let bench = Bench::with(&[("policy.toml", POLICY)]);
    std::fs::create_dir(bench.path("t.csv")).unwrap();
    publish(&bench, &[]).refuses(2, "MG0201", &["t.csv"]);
}

#[test]
fn output_that_is_in_the_way() {
    let bench = Bench::with(&[("policy.toml", POLICY), ("out/mine.txt", "precious")]);
    // the table is not there: the output is looked at first
    publish(&bench, &[]).refuses(2, "MG0401", &["out", "--force"]);
    publish(&bench, &["--force"]).refuses(2, "MG0404", &["out"]);
    assert_eq!(bench.read("out/mine.txt"), "precious");
    let bench = Bench::with(&[("policy.toml", POLICY), ("out", "precious")]);
    publish(&bench, &[]).refuses(2, "MG0401", &["out"]);
    publish(&bench, &["--force"]).refuses(2, "MG0404", &["out"]);
}

#[test]
fn output_that_cannot_be_written() {
    let bench = Bench::with(&[("policy.toml", POLICY), ("file", "")]);
    bench
        .run(&["publish", "policy.toml", "--out", "nowhere/out"])
        .refuses(2, "MG0402", &["nowhere"]);
    bench
        .run(&["publish", "policy.toml", "--out", "file/out"])
        .refuses(2, "MG0402", &["file"]);
    bench
        .run(&["publish", "policy.toml", "--out", "/"])
        .refuses(2, "MG0402", &["/"]);
    let frozen = "/proc/sys/out";
    bench
        .run(&["publish", "policy.toml", "--out", frozen])
        .refuses(2, "MG0402", &["/proc/sys"]);
}

/// A limit on file sizes stands for a full disk: the system refuses a write in the middle.
#[test]
fn disk_full() {
    let bench = Bench::with(&[("policy.toml", POLICY)]);
    let rows = |i: usize| format!("n{i},{},{CANARY}c{},{CANARY}{}\n", 20 + i % 7, i % 2, i % 3);
    bench.write(
        "t.csv",
        format!(
            "name,age,city,disease\n{}",
            (0..40_000).map(rows).collect::<String>()
        ),
    );
    let before = bench.contents();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" publish policy.toml --out out";
    let mut shell = assert_cmd::Command::new("bash");
    shell
        .current_dir(bench.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")]);
    Run::new(shell.output().unwrap()).refuses(4, "MG0403", &["free some space"]);
    assert!(before == bench.contents(), "something was left behind");
}

#[test]
fn ten_thousand_columns() {
    let header: Vec<String> = (0..10_000).map(|i| format!("c{i}")).collect();
    let cells = vec![CANARY; 10_000].join(",");
    of_table(format!("{}\n{cells}\n", header.join(","))).refuses(
        4,
        "MG0290",
        &["t.csv", "columns"],
    );
}

#[test]
fn a_huge_cell() {
    // a hundred megabytes when asked for, enough to pass the limit otherwise
    let size = if std::env::var_os("MINGLE_TEST_HUGE").is_some() {
        100 << 20
    } else {
        3 << 20
    };
    let cell = CANARY.repeat(size / CANARY.len());
    of_table(format!("{}n,20,{cell},d\n", table())).refuses(
        4,
        "MG0290",
        &["t.csv, line 8", "\"city\""],
    );
    of_table(format!("{}n,20,\"{cell}\n{cell}\",d\n", table())).refuses(
        4,
        "MG0290",
        &["t.csv, line"],
    );
}

/// Four gigabytes of NUL bytes without a line end, in a file that takes no room on disk: it is no
/// text, and memory and time stay bounded.
#[test]
fn an_endless_line() {
    let bench = Bench::with(&[
        ("policy.toml", POLICY),
        ("t.csv", "name,age,city,disease\n"),
    ]);
    std::fs::File::options()
        .append(true)
        .open(bench.path("t.csv"))
        .unwrap()
        .set_len(4 << 30)
        .unwrap();
    let mut shell = assert_cmd::Command::new("bash");
    let script = "ulimit -v 2000000; exec \"$0\" publish policy.toml --out out";
    shell
        .current_dir(bench.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")]);
    Run::new(shell.output().unwrap()).refuses(2, "MG0208", &["t.csv, line 2"]);
    assert!(!bench.path("out").exists());
}

#[test]
fn a_provider_left_in_the_data() {
    let policy = POLICY
        .replace(
            "path = \"t.csv\"",
            "providers = [{ name = \"north\", path = \"t.csv\" }, { name = \"south\", path = \"u.csv\" }]",
        )
        .replace("k = 2", "k = 2\nm = 0")
        .replace("[columns.city]\nrole = \"quasi-identifier\"", "[columns.city]\nrole = \"insensitive\"");
    let named = |name: &str| {
        table()
            .replace(&format!("{CANARY}c0"), name)
            .replace(&format!("{CANARY}c1"), name)
    };
    let bench = Bench::with(&[
        ("policy.toml", &policy),
        ("t.csv", &named("north")),
        ("u.csv", &named("south")),
    ]);
    publish(&bench, &["--set", "data.person=row"]).refuses(2, "MG0407", &["city"]);
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    for args in [
        &["publish"][..],
        &["publish", "p.toml"],
        &["publish", "p.toml", "--out", "x", "--threads", "0"],
        &["verify"],
        &["verify", "--table", "t.csv"],
        &["verify", "r", "--table", "t.csv", "--policy", "p.toml"],
        &["measure", "r"],
        &["publsh", "p.toml"],
        &["synth", "census", "--rows", "many", "--out", "x.csv"],
        &["-q", "-v", "explain"],
    ] {
        bench.run(args).refuses(2, "MG0601", &[]);
    }
    bench.run(&["explain", "MG9999"]).refuses(2, "MG0604", &[]);
}
