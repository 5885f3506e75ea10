//! Where the first label stands that cannot be read.

use super::given::Given;
use super::population::Population;
use crate::explain::Code;
use crate::message::Problem;
use crate::released::not_aligned;
use mingle_privacy::composition::Error;

/// Names file and line, never the label. Where the file cannot be read a second time, what the engine says.
pub fn problem(release: &Given, column: &str, population: &Population, error: &Error) -> Problem {
    let Some(line) = line(release, column, population) else { return not_aligned(error) };
    let text = format!("{line}: the label of column {column:?} cannot be read");
    let hint = "declare the column's kind and the hierarchy that the release was made with in the policy";
    Problem::new(Code::NotAligned, text, hint)
}

fn line(release: &Given, column: &str, population: &Population) -> Option<String> {
    let (source, options) = release.labels()?;
    let mut raw = mingle_io::read_raw(&[source], &options).ok()?;
    let place = raw.columns.iter().position(|(name, _)| name == column)?;
    let values = raw.columns.swap_remove(place).1.values;
    let reader = population.reader(column, release.released.hierarchy(column))?;
    let unreadable = values.iter().filter(|value| reader.read(&value.text).is_none());
    unreadable.map(|value| &value.position).min_by_key(|position| position.line).map(ToString::to_string)
}
