//! Writes the reports of a release folder to standard output: `render public FOLDER`, `render
//! private FOLDER` or `render facts FOLDER`, the last as JSON.

use mingle_report::facts::StewardFacts;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    let folder: PathBuf = arguments
        .next()
        .ok_or("a release folder is missing")?
        .into();
    let text = match what.as_str() {
        "public" => mingle_report::public(&folder.join("public"))?,
        "private" => mingle_report::private(&folder)?,
        "facts" => serde_json::to_string_pretty(&StewardFacts::open(&folder)?.shown())?,
        _ => return Err("one of public, private, facts".into()),
    };
    println!("{text}");
    Ok(())
}
