//! Experiments from the command line, as small as they go.

use crate::common::Bench;

#[test]
fn without_a_name_experiments_are_listed() {
    let run = Bench::new().run(&["lab"]).exits(0);
    assert!(
        run.out.contains("m-privacy-verification\n") && run.out.contains("m-privacy-publishing\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("\nd2pt\n") && run.out.contains("\ncomposition\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("\nprivacy-utility\n"), "{}", run.out);
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    let json = Bench::new().run(&["lab", "--json"]).exits(0).json();
    assert_eq!(json["experiments"].as_array().unwrap().len(), 5);
}

#[test]
fn a_table_files_and_what_it_ran_on() {
    let bench = Bench::new();
    let run = bench
        .run(&["lab", "m-privacy-verification", "--smoke"])
        .exits(0);
    assert!(
        run.out.contains("made-up census") && run.out.contains("Figure 8"),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(run.err.contains("7 files"), "{}", run.err);
    let csv = bench.read("lab/m-privacy-verification/results.csv");
    assert!(
        csv.starts_with("figure,shares,records,providers,m,"),
        "{csv}"
    );
    assert!(
        bench
            .read("lab/m-privacy-verification/figure_7_uniform.svg")
            .contains("<svg")
    );
}

#[test]
fn the_document_has_every_result() {
    let bench = Bench::new();
    let args = [
        "lab",
        "m-privacy-publishing",
        "--smoke",
        "--seed",
        "7",
        "--out",
        "x",
        "--json",
    ];
    let json = bench.run(&args).exits(0).json();
    assert_eq!(
        (&json["schema"], &json["seed"]),
        (&"mingle.lab/1".into(), &7.into())
    );
    assert_eq!(json["made_up"], true);
    let results = json["results"].as_array().unwrap();
    assert_eq!(
        results.len(),
        bench.read("x/results.csv").lines().count() - 1
    );
    assert!(results.iter().all(|r| {
        r["ncp"]
            .as_f64()
            .is_some_and(|ncp| (0.0..=1.0).contains(&ncp))
    }));
    for file in json["files"].as_array().unwrap() {
        assert!(
            bench.path("x").join(file.as_str().unwrap()).is_file(),
            "{file}"
        );
    }
}

#[test]
fn two_sites_beside_the_paper() {
    let bench = Bench::new();
    let run = bench.run(&["lab", "d2pt", "--smoke"]).exits(0);
    assert!(
        run.out.contains("made-up census") && run.out.contains("6 of 62 splits"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("Figure 4a") && run.out.contains("paper"),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(run.err.contains("6 files"), "{}", run.err);
    let csv = bench.read("lab/d2pt/results.csv");
    assert!(
        csv.starts_with("left_out,site_0,case,k,t,distance,synchronizer,"),
        "{csv}"
    );
    let without = "adult/adult_train_clean.csv";
    std::fs::create_dir(bench.path("empty")).unwrap();
    bench
        .run(&["lab", "d2pt", "--data", "empty"])
        .refuses(2, "MG0201", &[without]);
}

#[test]
fn releases_side_by_side() {
    let bench = Bench::new();
    let run = bench.run(&["lab", "composition", "--smoke"]).exits(0);
    assert!(
        run.out.contains("made-up census like IPUMS") && run.out.contains("Figure 8"),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(run.err.contains("11 files"), "{}", run.err);
    let csv = bench.read("lab/composition/results.csv");
    assert!(
        csv.starts_with(
            "people,sensitive,rest,subsets,size,common,draw,releases,first,others,k,l,t,"
        ),
        "{csv}"
    );
}

#[test]
fn mistakes() {
    let bench = Bench::with(&[("taken", "precious")]);
    bench
        .run(&["lab", "m-privacy"])
        .refuses(2, "MG0601", &["m-privacy-publishing"]);
    bench
        .run(&["lab", "m-privacy-verification", "--data", "nowhere"])
        .refuses(2, "MG0201", &["nowhere"]);
    bench
        .run(&["lab", "m-privacy-verification", "--seed", "-1"])
        .refuses(2, "MG0601", &[]);
    bench
        .run(&["lab", "m-privacy-verification", "--smoke", "--out", "taken"])
        .refuses(2, "MG0402", &["taken"]);
    assert_eq!(bench.read("taken"), "precious");
}

#[test]
fn groups_and_noise() {
    let bench = Bench::new();
    let run = bench.run(&["lab", "privacy-utility", "--smoke"]).exits(0);
    assert!(
        run.out.contains("made-up census") && run.out.contains("synthetic, pure ε"),
        "{}",
        run.out
    );
    assert!(
        run.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        run.out
    );
    assert!(run.err.contains("5 files"), "{}", run.err);
    let csv = bench.read("lab/privacy-utility/results.csv");
    assert!(
        csv.starts_with("people,draw,promise,release,k,m,t,epsilon,delta,query_error,"),
        "{csv}"
    );
    assert!(bench.read("lab/privacy-utility/trade.svg").contains("<svg"));
}
