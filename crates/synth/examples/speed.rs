//! How fast tables are made and read: `speed FOLDER ROWS`.

use mingle_io::{Format, ReadOptions, Source, Undeclared, read_table};
use mingle_model::{ColumnSpec, Role};
use mingle_synth::{Distribution, Recipe, census};
use std::fs::File;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: speed FOLDER ROWS")?;
    let rows: u64 = arguments
        .next()
        .ok_or("usage: speed FOLDER ROWS")?
        .parse()?;
    let recipe = Recipe {
        providers: Some((10, Distribution::Exponential)),
        ..census(rows, 1)
    };
    let columns = [
        "age",
        "workclass",
        "education",
        "marital_status",
        "race",
        "sex",
        "native_country",
        "occupation",
    ];
    let columns = columns.map(|c| ColumnSpec::new(c, Role::QuasiIdentifier));
    for format in [Format::Csv, Format::Parquet] {
        let path = Path::new(&folder).join(format!("speed.{}", format.name()));
        let start = Instant::now();
        mingle_synth::write(&recipe, format, File::create(&path)?, None)?;
        let made = start.elapsed();
        let bytes = path.metadata()?.len();
        let source = Source::new(path, "speed");
        let start = Instant::now();
        let input = read_table(
            &[source],
            Some("provider"),
            &columns,
            Undeclared::Error,
            &ReadOptions::default(),
        )?;
        let read = start.elapsed();
        println!(
            "{}: {} rows, {bytes} bytes, made in {made:.2?}, read in {read:.2?}",
            format.name(),
            input.table.rows()
        );
    }
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{}",
        peak.lines()
            .find(|l| l.starts_with("VmHWM"))
            .unwrap_or("peak memory unknown")
    );
    Ok(())
}
