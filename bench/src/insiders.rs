//! What protection against insiders costs: whole commands with m > 0 beside m = 0, and our method
//! beside the paper's two.

use crate::program::{self, ProgramRun, best_of, publish, synth_of};
use crate::settings::{adult_of_providers, census};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};

const METHODS: [&str; 3] = ["agglomerative", "mondrian", "provider-aware"];

/// How many rows the providers have: as many each, or each half of the one before.
const SHARES: [(&str, f64); 2] = [("uniform", 1.0), ("exponential", 0.5)];

/// Prints all tables.
pub fn run(data: &Path, rows: u64, scratch: &Path) {
    let tables = SHARES.map(|(name, factor)| deal(data, name, factor, scratch));
    time(data, rows, scratch, &tables);
    providers(data, rows / 10, scratch);
    loss(data, scratch, &tables);
}

fn time(data: &Path, rows: u64, scratch: &Path, tables: &[PathBuf; 2]) {
    println!("## Time of m = 3 over the time of m = 0, whole commands\n");
    println!("| table | method | m = 0, seconds | m = 3, seconds | ratio |\n|---|---|---|---|---|");
    let row = |name: &str, method: &str, [without, with]: [ProgramRun; 2]| {
        let ratio = with.seconds / without.seconds;
        println!(
            "| {name} | {method} | {:.3} | {:.3} | {ratio:.2} |",
            without.seconds, with.seconds
        );
    };
    for ((shares, _), table) in SHARES.iter().zip(tables) {
        for method in METHODS {
            let runs = ["m = 0", "m = 3"].map(|m| {
                let setting = adult_of_providers(data, table.clone(), m);
                best_of(5, &setting, method, scratch)
            });
            row(
                &format!("Adult, 45,222 rows, 10 providers, {shares}"),
                method,
                runs,
            );
        }
    }
    let table = scratch.join("census.csv");
    synth_of("census", rows, 1, Some(20), &table);
    for method in METHODS {
        row(
            &format!("synth census, {rows} rows, 20 providers"),
            method,
            with_and_without(data, &table, method, scratch),
        );
    }
}

fn providers(data: &Path, rows: u64, scratch: &Path) {
    println!("\n## Against the number of providers: synth census, {rows} rows, k = 5\n");
    println!("| providers | m = 0, seconds | m = 3, seconds | ratio |\n|---|---|---|---|");
    for providers in [10, 100, 1000] {
        let table = scratch.join("census.csv");
        synth_of("census", rows, 1, Some(providers), &table);
        let [without, with] = with_and_without(data, &table, METHODS[0], scratch);
        let ratio = with.seconds / without.seconds;
        println!(
            "| {providers} | {:.2} | {:.2} | {ratio:.2} |",
            without.seconds, with.seconds
        );
    }
}

fn with_and_without(data: &Path, table: &Path, method: &str, scratch: &Path) -> [ProgramRun; 2] {
    ["m = 0", "m = 3"].map(|m| {
        let mut setting = census(data, table.to_owned());
        setting.promises = format!("{m}\n{}", setting.promises);
        setting.provider = Some("provider");
        publish(&setting, method, scratch)
    })
}

fn loss(data: &Path, scratch: &Path, tables: &[PathBuf; 2]) {
    println!(
        "\n## Loss: Adult, 45,222 rows, 10 providers, k = 30, l = 4; NCP / mean query error\n"
    );
    println!(
        "| shares | semantics | m | {} |\n|---|---|---|---|---|---|",
        METHODS.join(" | ")
    );
    let mut sums = [[0.0f64; 2]; 3];
    let mut cells = 0.0;
    for ((shares, _), table) in SHARES.iter().zip(tables) {
        for semantics in ["victim", "strict"] {
            for m in [1, 3, 5, 9] {
                let insiders = format!("m = {m}\nsemantics = \"{semantics}\"");
                let setting = adult_of_providers(data, table.clone(), &insiders);
                let runs = METHODS.map(|method| publish(&setting, method, scratch));
                let cell = |run: &ProgramRun| format!("{:.4} / {:.3}", run.ncp, run.query_error);
                println!(
                    "| {shares} | {semantics} | {m} | {} |",
                    runs.each_ref().map(cell).join(" | ")
                );
                for (sum, run) in sums.iter_mut().zip(&runs) {
                    sum[0] += run.ncp;
                    sum[1] += run.query_error;
                }
                cells += 1.0;
            }
        }
    }
    let mean = |sum: &[f64; 2]| format!("{:.4} / {:.3}", sum[0] / cells, sum[1] / cells);
    println!("| mean | | | {} |", sums.each_ref().map(mean).join(" | "));
}

/// Adult with a provider for each row, each with `factor` times the rows of the one before.
fn deal(data: &Path, name: &str, factor: f64, scratch: &Path) -> PathBuf {
    let source = data.join("adult/adult_all_clean.csv");
    let text =
        std::fs::read_to_string(&source).unwrap_or_else(|e| panic!("{}: {e}", source.display()));
    let mut lines = text.lines();
    let mut dealt = format!("{},provider\n", lines.next().unwrap_or_default());
    let weights: Vec<f64> = (0..10).map(|p| factor.powi(p)).collect();
    let total: f64 = weights.iter().sum();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for line in lines {
        let mut at = rng.random::<f64>() * total;
        let provider = weights.iter().position(|w| {
            at -= w;
            at < 0.0
        });
        dealt.push_str(&format!("{line},P{}\n", provider.unwrap_or(0)));
    }
    let path = scratch.join(format!("adult_{name}.csv"));
    program::write(&path, &dealt);
    path
}
