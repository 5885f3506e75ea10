//! Made-up tables.

use crate::common::Bench;

#[test]
fn tables_have_what_was_asked_for() {
    let bench = Bench::new();
    bench
        .run(&[
            "synth",
            "census",
            "--rows",
            "500",
            "--providers",
            "3",
            "--out",
            "c.csv",
        ])
        .exits(0);
    let text = bench.read("c.csv");
    assert_eq!(text.lines().count(), 501);
    assert!(text.starts_with(
        "age,workclass,education,marital_status,race,sex,native_country,occupation,provider\n"
    ));
    bench
        .run(&[
            "synth",
            "census",
            "--rows",
            "500",
            "--providers",
            "3",
            "--out",
            "again.csv",
        ])
        .exits(0);
    assert_eq!(text, bench.read("again.csv"));
    bench
        .run(&[
            "synth",
            "census",
            "--rows",
            "500",
            "--providers",
            "3",
            "--seed",
            "1",
            "--out",
            "other.csv",
        ])
        .exits(0);
    assert_ne!(text, bench.read("other.csv"));
}

#[test]
fn they_can_be_published() {
    for (kind, file) in [
        ("census", "t.csv"),
        ("census", "t.parquet"),
        ("hospital", "t.csv"),
        ("hospital", "t.parquet"),
    ] {
        let bench = Bench::new();
        bench
            .run(&[
                "synth",
                kind,
                "--rows",
                "2000",
                "--providers",
                "3",
                "--distribution",
                "exponential",
                "--out",
                file,
            ])
            .exits(0);
        bench.run(&["init", file, "--out", "p.toml"]).exits(0);
        bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
        bench.run(&["verify", "r"]).exits(0);
    }
}

#[test]
fn a_census_like_the_one_of_ipums() {
    let bench = Bench::new();
    bench
        .run(&["synth", "ipums-like", "--rows", "3000", "--out", "i.csv"])
        .exits(0);
    let text = bench.read("i.csv");
    let header =
        "age,workclass,education,marital_status,race,sex,birthplace,occupation,industry,income";
    assert_eq!(
        (text.lines().next(), text.lines().count()),
        (Some(header), 3_001)
    );
    let many = [
        "synth",
        "ipums-like",
        "--rows",
        "10000001",
        "--out",
        "many.csv",
    ];
    bench
        .run(&many)
        .refuses(2, "MG0601", &["at most 10000000 rows"]);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let bench = Bench::with(&[("t.csv", "precious")]);
    bench
        .run(&["synth", "census", "--rows", "5", "--out", "t.csv"])
        .refuses(2, "MG0401", &["t.csv exists"]);
    assert_eq!(bench.read("t.csv"), "precious");
    bench
        .run(&[
            "synth", "census", "--rows", "5", "--out", "t.csv", "--force",
        ])
        .exits(0);
    bench
        .run(&["synth", "census", "--rows", "5", "--out", "t.xlsx"])
        .refuses(2, "MG0601", &[".csv or .parquet"]);
    bench
        .run(&["synth", "census", "--rows", "5", "--out", "no/t.csv"])
        .refuses(2, "MG0402", &["no/t.csv"]);
    assert_eq!(bench.contents().len(), 1);
}

#[test]
fn a_full_disk_leaves_nothing() {
    let bench = Bench::new();
    let script = "trap '' XFSZ; ulimit -f 10; exec \"$0\" synth census --rows 100000 --out t.csv";
    let mut shell = assert_cmd::Command::new("bash");
    shell
        .current_dir(bench.path(""))
        .args(["-c", script, env!("CARGO_BIN_EXE_mingle")]);
    crate::common::Run::new(shell.output().unwrap()).refuses(4, "MG0403", &["t.csv"]);
    assert!(bench.contents().is_empty());
}
