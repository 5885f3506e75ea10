//! Publishes a table that was never in a file: a policy built in code, rows in memory.
//!
//! `cargo run -p mingle --example in_memory -- FOLDER` writes the release to a new folder.

use mingle::{Inputs, Policy, ReleaseFolder, Role, Run, TextTable};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a new folder")?;
    let policy = Policy::builder()
        .column("age", Role::QuasiIdentifier)
        .column("zip", Role::QuasiIdentifier)
        .set("columns.zip.kind", "category")
        .set("columns.zip.hierarchy.mask", 5)
        .column("disease", Role::Sensitive)
        .k(3)
        .set("privacy.l.distinct", 2)
        .m(1)
        .build()?;
    let inputs = Inputs::tables([
        ("North", hospital("north", 20)?),
        ("South", hospital("south", 25)?),
        ("West", hospital("west", 30)?),
    ]);

    let plan = mingle::plan(&policy, inputs, &Run::default())?;
    for warning in plan.warnings() {
        println!("{warning}");
    }
    let mut release = plan.publish()?;
    release.write(ReleaseFolder::at(folder))?;
    println!("{}", release.summary().to_text());
    Ok(())
}

/// Forty patients, made up.
fn hospital(name: &str, youngest: usize) -> Result<TextTable, Box<dyn Error>> {
    const DISEASES: [&str; 4] = ["asthma", "cancer", "epilepsy", "flu"];
    let mut ages = Vec::new();
    let mut zips = Vec::new();
    let mut diseases = Vec::new();
    for patient in 0..40 {
        ages.push((youngest + patient).to_string());
        zips.push(format!("{:05}", 12_000 + patient % 7 * 130));
        diseases.push(DISEASES[patient % DISEASES.len()].to_owned());
    }
    let columns = [("age", ages), ("zip", zips), ("disease", diseases)];
    Ok(TextTable::new(name, columns)?)
}
