//! How time and memory grow: with distinct tuples, columns, cardinality, providers.
//!
//! Tables are drawn from a hundred kinds of people ([`made::latent`]), so that rows hang together
//! without repeating. One property grows at a time; `publish --dry-run` plans, verifies and
//! measures, and writes nothing. The slope of the line through logarithms is the exponent: 1 is
//! linear.

use crate::made::{self, LatentShape};
use crate::program::{self, CommandCost, CommandEnd, mingle, watch_within};
use mingle_chart::{Axis, Chart, Panels, Series};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The default method and the quickest.
const METHODS: [&str; 2] = [mingle_anonymize::METHODS[0].name, "mondrian"];

/// What is asked for.
pub struct GrowthOptions<'a> {
    /// Where CSV and SVG go.
    pub out: Option<&'a Path>,
    /// The most distinct tuples.
    pub tuples: usize,
    /// Seconds by the clock after which a command is stopped; larger tables are then left out.
    pub limit: f64,
    /// A tenth of all rows.
    pub quick: bool,
}

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growing {
    Tuples,
    Columns,
    Cardinality,
    Providers,
}

impl Growing {
    const ALL: [Growing; 4] = [
        Growing::Tuples,
        Growing::Columns,
        Growing::Cardinality,
        Growing::Providers,
    ];

    fn words(self) -> &'static str {
        match self {
            Growing::Tuples => "distinct tuples, 8 columns of 10 to 100 values",
            Growing::Columns => "columns of 10 to 100 values",
            Growing::Cardinality => "values in each of 6 columns of categories",
            Growing::Providers => "providers, 8 columns, m = 1",
        }
    }

    fn sizes(self, most_tuples: usize) -> Vec<usize> {
        match self {
            Growing::Tuples => {
                let mut sizes = Vec::new();
                let mut size = 10_000;
                while size <= most_tuples {
                    sizes.extend([size, size * 3].into_iter().filter(|&s| s <= most_tuples));
                    size *= 10;
                }
                sizes
            }
            Growing::Columns => vec![5, 10, 20, 40],
            Growing::Cardinality => vec![10, 50, 250, 1_000, 5_000],
            Growing::Providers => vec![2, 10, 50, 250],
        }
    }

    fn shape(self, size: usize) -> LatentShape {
        let (rows, columns, fixed) = match self {
            Growing::Tuples => (size, 8, None),
            Growing::Columns => (20_000, size, None),
            Growing::Cardinality => (20_000, 6, Some(size)),
            Growing::Providers => (50_000, 8, None),
        };
        let mut cardinalities = Vec::new();
        for column in 0..columns {
            cardinalities.push(fixed.unwrap_or([10, 20, 40, 100][column % 4]));
        }
        LatentShape {
            rows,
            cardinalities,
            seed: 17_100 + size as u64,
        }
    }
}

/// One measured command.
struct GrowthPoint {
    growing: Growing,
    method: &'static str,
    size: usize,
    cost: CommandCost,
}

/// Measures everything and prints a table.
pub fn run(options: &GrowthOptions<'_>, scratch: &Path) {
    println!("| grows | method | size | CPU-s | seconds | peak MiB |\n|---|---|--:|--:|--:|--:|");
    let mut points = Vec::new();
    for growing in Growing::ALL {
        points.extend(grow(growing, options, scratch));
    }
    println!("\n| grows | method | exponent of CPU-seconds |\n|---|---|--:|");
    for growing in Growing::ALL {
        for method in METHODS {
            let line = line_of(&points, growing, method);
            let exponent = slope(&line).map_or("–".to_owned(), |s| format!("{s:.2}"));
            println!("| {} | {method} | {exponent} |", growing.words());
        }
    }
    if let Some(out) = options.out {
        std::fs::create_dir_all(out).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
        program::write(&out.join("growth.csv"), &as_csv(&points));
        program::write(&out.join("growth.svg"), &figure(&points));
    }
}

fn grow(growing: Growing, options: &GrowthOptions<'_>, scratch: &Path) -> Vec<GrowthPoint> {
    let table = scratch.join("growth.csv");
    let mut points = Vec::new();
    let mut stopped: Vec<&str> = Vec::new();
    for size in growing.sizes(options.tuples) {
        let mut shape = growing.shape(size);
        let mut measured_size = size;
        if options.quick {
            shape.rows /= 10;
            if growing == Growing::Tuples {
                measured_size = shape.rows;
            }
        }
        let mut made = made::latent(&shape);
        let names = made.names.clone();
        if growing == Growing::Providers {
            made.names.push("provider".to_owned());
            for (number, row) in made.rows.iter_mut().enumerate() {
                row.push(format!("P{}", number % size));
            }
        }
        made.write(&table);
        drop(made);
        for method in METHODS {
            if stopped.contains(&method) {
                continue;
            }
            let text = policy(&table, &names, growing, method);
            match plan(&text, options.limit, scratch) {
                CommandEnd::Done(cost) => {
                    println!(
                        "| {} | {method} | {measured_size} | {:.2} | {:.2} | {:.0} |",
                        growing.words(),
                        cost.cpu_seconds,
                        cost.seconds,
                        cost.memory
                    );
                    points.push(GrowthPoint {
                        growing,
                        method,
                        size: measured_size,
                        cost,
                    });
                }
                CommandEnd::Failed(code, _) => {
                    println!(
                        "| {} | {method} | {measured_size} | failed, exit {code:?} | | |",
                        growing.words()
                    );
                }
                CommandEnd::Stopped => {
                    println!(
                        "| {} | {method} | {measured_size} | stopped after {:.0} s | | |",
                        growing.words(),
                        options.limit
                    );
                    stopped.push(method);
                }
            }
        }
    }
    points
}

fn policy(table: &Path, names: &[String], growing: Growing, method: &str) -> String {
    let mut text = format!("[data]\npath = {table:?}\n");
    if growing == Growing::Providers {
        text.push_str("provider_column = \"provider\"\n");
    }
    for name in names {
        let _ = writeln!(text, "[columns.{name}]\nrole = \"quasi-identifier\"");
        // many values are hard where they are codes; of numbers only the ends are published
        if growing == Growing::Cardinality {
            text.push_str("kind = \"category\"\n");
        }
    }
    let m = u32::from(growing == Growing::Providers);
    let _ = writeln!(
        text,
        "[privacy]\nm = {m}\nk = 5\n[method]\nname = \"{method}\""
    );
    text
}

fn plan(policy: &str, limit: f64, scratch: &Path) -> CommandEnd {
    let path = scratch.join("growth.toml");
    program::write(&path, policy);
    let mut command = Command::new(mingle());
    command
        .arg("publish")
        .arg(&path)
        .args(["--dry-run", "--json", "-q"]);
    watch_within(&mut command, limit)
}

fn line_of(points: &[GrowthPoint], growing: Growing, method: &str) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    for point in points {
        if point.growing == growing && point.method == method {
            line.push((point.size as f64, point.cost.cpu_seconds));
        }
    }
    line
}

/// The slope of the least-squares line through the logarithms. What takes less than a tenth of a
/// second is starting up and not growth, so it is left out; `None` for fewer than two points.
fn slope(line: &[(f64, f64)]) -> Option<f64> {
    let mut logarithms: Vec<(f64, f64)> = Vec::new();
    for &(size, seconds) in line {
        if seconds >= 0.1 {
            logarithms.push((size.ln(), seconds.ln()));
        }
    }
    if logarithms.len() < 2 {
        return None;
    }
    let n = logarithms.len() as f64;
    let mean_x = logarithms.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = logarithms.iter().map(|p| p.1).sum::<f64>() / n;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (x, y) in logarithms {
        covariance += (x - mean_x) * (y - mean_y);
        variance += (x - mean_x) * (x - mean_x);
    }
    Some(covariance / variance)
}

fn as_csv(points: &[GrowthPoint]) -> String {
    let mut text = String::from("grows,method,size,cpu_seconds,seconds,peak_mib\n");
    for point in points {
        let _ = writeln!(
            text,
            "\"{}\",{},{},{:.2},{:.3},{:.1}",
            point.growing.words(),
            point.method,
            point.size,
            point.cost.cpu_seconds,
            point.cost.seconds,
            point.cost.memory
        );
    }
    text
}

fn figure(points: &[GrowthPoint]) -> String {
    let mut panels = Vec::new();
    for growing in Growing::ALL {
        let mut series = Vec::new();
        for method in METHODS {
            series.push(Series::new(method, line_of(points, growing, method)));
        }
        panels.push(Chart {
            title: growing.words().to_owned(),
            x: Axis::log("size"),
            y: Axis::log("CPU-seconds"),
            series,
        });
    }
    Panels(panels).to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes() {
        let quadratic: Vec<(f64, f64)> = [1.0, 2.0, 4.0, 8.0].map(|x| (x, 3.0 * x * x)).into();
        assert!((slope(&quadratic).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(slope(&[(1.0, 0.01), (2.0, 5.0)]), None);
    }

    #[test]
    fn sizes_reach_the_most() {
        assert_eq!(
            Growing::Tuples.sizes(1_000_000),
            [10_000, 30_000, 100_000, 300_000, 1_000_000]
        );
    }
}
