//! Tables that the bench makes up itself, with hierarchies for them.
//!
//! Each has one property that tables of people have and that methods stumble over: a sensitive
//! value held by half of the people, columns of many codes, decimals that hardly repeat, values
//! that go with one another, many columns. Shares and bounds are round figures, chosen before any
//! method was run on them. Rows follow from the seed alone; nobody in them exists.

use crate::program;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A table in memory: names of the columns and texts by row.
pub struct MadeTable {
    /// One name per column.
    pub names: Vec<String>,
    /// All rows.
    pub rows: Vec<Vec<String>>,
}

impl MadeTable {
    fn new(names: &[&str]) -> MadeTable {
        MadeTable {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Writes a CSV file; no value of these tables needs quotes.
    pub fn write(&self, path: &Path) {
        let mut text = self.names.join(",") + "\n";
        for row in &self.rows {
            text.push_str(&row.join(","));
            text.push('\n');
        }
        program::write(path, &text);
    }
}

/// Numbers drawn with given weights.
pub struct Weighted {
    sums: Vec<f64>,
}

impl Weighted {
    /// One weight for each number from 0 on.
    pub fn new(weights: impl IntoIterator<Item = f64>) -> Weighted {
        let mut sums = Vec::new();
        let mut sum = 0.0;
        for weight in weights {
            sum += weight;
            sums.push(sum);
        }
        Weighted { sums }
    }

    /// Zipf's law: the n-th value is drawn in proportion to 1 / n^exponent.
    pub fn zipf(values: usize, exponent: f64) -> Weighted {
        Weighted::new((1..=values).map(|rank| (rank as f64).powf(-exponent)))
    }

    /// A number.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> usize {
        let all = self.sums.last().copied().unwrap_or(0.0);
        let at = random.random::<f64>() * all;
        let place = self.sums.partition_point(|&sum| sum <= at);
        place.min(self.sums.len() - 1)
    }
}

/// Nearly the normal distribution: the sum of twelve uniform numbers.
fn normal(random: &mut ChaCha8Rng, mean: f64, deviation: f64) -> f64 {
    let mut sum = -6.0;
    for _ in 0..12 {
        sum += random.random::<f64>();
    }
    mean + deviation * sum
}

/// Ages from 0 to 89, fewer from 60 on.
fn draw_age(random: &mut ChaCha8Rng) -> u32 {
    loop {
        let age = random.random_range(0..90);
        if age < 60 || random.random_range(0..30) < 90 - age {
            return age;
        }
    }
}

/// The columns of [`dominant`] that somebody may know.
pub const DOMINANT: [&str; 9] = [
    "age",
    "sex",
    "region",
    "education",
    "marital",
    "household",
    "industry",
    "birthplace",
    "class",
];

/// A census in which half of the people, the young and the old among them, hold one and the same
/// sensitive value.
pub fn dominant(rows: usize) -> MadeTable {
    let mut random = ChaCha8Rng::seed_from_u64(17_001);
    let mut table = MadeTable::new(&DOMINANT);
    table.names.push("benefit".to_owned());
    let (region, education) = (Weighted::zipf(50, 0.8), Weighted::zipf(16, 0.6));
    let (marital, household) = (Weighted::zipf(6, 0.9), Weighted::zipf(8, 0.9));
    let (industry, birthplace) = (Weighted::zipf(24, 0.8), Weighted::zipf(40, 2.0));
    let (class, benefit) = (Weighted::zipf(9, 1.0), Weighted::zipf(19, 0.7));
    for _ in 0..rows {
        let age = draw_age(&mut random);
        let is_child = age < 16;
        let holds_none = match age {
            0..=15 => 0.98,
            16..=65 => 0.3,
            _ => 0.7,
        };
        let sensitive = if random.random::<f64>() < holds_none {
            0
        } else {
            1 + benefit.draw(&mut random)
        };
        let grown = |drawn: usize| if is_child { 0 } else { drawn };
        table.rows.push(vec![
            age.to_string(),
            ["female", "male"][random.random_range(0..2)].to_owned(),
            format!("region{:02}", region.draw(&mut random)),
            format!("school{:02}", grown(education.draw(&mut random))),
            format!("status{}", grown(marital.draw(&mut random))),
            format!("home{}", household.draw(&mut random)),
            format!("industry{:02}", grown(industry.draw(&mut random))),
            format!("country{:02}", birthplace.draw(&mut random)),
            format!("class{}", grown(class.draw(&mut random))),
            format!("benefit{sensitive:02}"),
        ]);
    }
    table
}

/// The columns of [`codes`] that somebody may know.
pub const CODES: [&str; 6] = [
    "diagnosis",
    "procedure",
    "age",
    "sex",
    "admission",
    "weekday",
];
const CODES_EACH: usize = 750;

/// Patients with a diagnosis and a procedure, each one of 750 codes; six in ten procedures belong
/// to the diagnosis's chapter.
pub fn codes(rows: usize) -> MadeTable {
    let mut random = ChaCha8Rng::seed_from_u64(17_002);
    let mut table = MadeTable::new(&CODES);
    table.names.push("outcome".to_owned());
    let (diagnosis, admission) = (Weighted::zipf(CODES_EACH, 0.9), Weighted::zipf(6, 1.0));
    let outcome = Weighted::zipf(12, 0.8);
    let chapter = CODES_EACH / 25;
    for _ in 0..rows {
        // neighbouring ranks of Zipf's law are spread over all chapters
        let code = diagnosis.draw(&mut random) * 7 % CODES_EACH;
        let procedure = if random.random::<f64>() < 0.6 {
            code / chapter * chapter + random.random_range(0..chapter)
        } else {
            random.random_range(0..CODES_EACH)
        };
        table.rows.push(vec![
            code_text('D', code),
            code_text('P', procedure),
            draw_age(&mut random).to_string(),
            ["female", "male"][random.random_range(0..2)].to_owned(),
            format!("way{}", admission.draw(&mut random)),
            format!("day{}", random.random_range(0..7)),
            format!("outcome{:02}", outcome.draw(&mut random)),
        ]);
    }
    table
}

/// A letter for the chapter of 30 codes, then two digits.
fn code_text(system: char, code: usize) -> String {
    let letter = char::from(b'A' + (code / 30) as u8);
    format!("{system}{letter}{:02}", code % 30)
}

/// The columns of [`survey`] that somebody may know.
pub const SURVEY: [&str; 10] = [
    "bmi",
    "sleep",
    "sick_days",
    "low_days",
    "age_band",
    "health",
    "smoker",
    "drinker",
    "walker",
    "sex",
];

/// A health survey: decimals that hardly repeat, yes and no, bands of age.
pub fn survey(rows: usize) -> MadeTable {
    let mut random = ChaCha8Rng::seed_from_u64(17_003);
    let mut table = MadeTable::new(&SURVEY);
    table.names.push("condition".to_owned());
    let days = Weighted::new((0..31).map(|day| if day == 0 { 20.0 } else { 10.0 / (day as f64) }));
    let yes_or_no = |random: &mut ChaCha8Rng, share: f64| {
        let word = if random.random::<f64>() < share {
            "yes"
        } else {
            "no"
        };
        word.to_owned()
    };
    for _ in 0..rows {
        let band = random.random_range(0..13);
        let bmi = normal(&mut random, 27.0, 5.0).clamp(13.0, 60.0);
        let is_ill = random.random::<f64>() < 0.03 + 0.015 * f64::from(band);
        let low = 18 + 5 * band;
        table.rows.push(vec![
            format!("{bmi:.2}"),
            format!("{:.1}", (normal(&mut random, 7.0, 1.4) * 2.0).round() / 2.0),
            days.draw(&mut random).to_string(),
            days.draw(&mut random).to_string(),
            format!("{low}-{}", low + 4),
            format!("health{}", random.random_range(0..3) + usize::from(is_ill)),
            yes_or_no(&mut random, 0.4),
            yes_or_no(&mut random, 0.07),
            yes_or_no(&mut random, if is_ill { 0.5 } else { 0.8 }),
            ["female", "male"][random.random_range(0..2)].to_owned(),
            if is_ill { "ill" } else { "well" }.to_owned(),
        ]);
    }
    table
}

/// The columns of [`skewed`] that somebody may know.
pub const SKEWED: [&str; 7] = [
    "age", "sex", "work", "school", "status", "origin", "country",
];

/// A census of few distinct people in which the sensitive value mostly follows from the work, so
/// that people who are alike hold the same value.
pub fn skewed(rows: usize) -> MadeTable {
    let mut random = ChaCha8Rng::seed_from_u64(17_004);
    let mut table = MadeTable::new(&SKEWED);
    table.names.push("disease".to_owned());
    let (work, school) = (Weighted::zipf(9, 1.4), Weighted::zipf(16, 1.0));
    let (status, origin) = (Weighted::zipf(7, 1.2), Weighted::zipf(5, 2.0));
    let (country, disease) = (Weighted::zipf(40, 2.2), Weighted::zipf(14, 0.6));
    for _ in 0..rows {
        let job = work.draw(&mut random);
        let ill = if random.random::<f64>() < 0.85 {
            job
        } else {
            disease.draw(&mut random)
        };
        table.rows.push(vec![
            (17 + draw_age(&mut random) * 4 / 5).to_string(),
            ["female", "male"][random.random_range(0..2)].to_owned(),
            format!("work{job}"),
            format!("school{:02}", school.draw(&mut random)),
            format!("status{}", status.draw(&mut random)),
            format!("origin{}", origin.draw(&mut random)),
            format!("country{:02}", country.draw(&mut random)),
            format!("disease{ill:02}"),
        ]);
    }
    table
}

/// How a table of [`latent`] looks.
pub struct LatentShape {
    /// Rows.
    pub rows: usize,
    /// Distinct values of each column; more than 40 are whole numbers, others words.
    pub cardinalities: Vec<usize>,
    /// What the rows are drawn from.
    pub seed: u64,
}

/// People of a hundred kinds: six in ten values are near what the person's kind has in that column,
/// the others are drawn from all. Columns are called trait_a, trait_b, …, trait_z, trait_ba, …
pub fn latent(shape: &LatentShape) -> MadeTable {
    let mut random = ChaCha8Rng::seed_from_u64(shape.seed);
    let kinds = Weighted::zipf(100, 0.7);
    let mut centres: Vec<Vec<usize>> = Vec::new();
    for _ in 0..100 {
        let mut centre = Vec::new();
        for &values in &shape.cardinalities {
            centre.push(random.random_range(0..values));
        }
        centres.push(centre);
    }
    let mut table = MadeTable::new(&[]);
    for column in 0..shape.cardinalities.len() {
        table.names.push(format!("trait_{}", letters(column)));
    }
    for _ in 0..shape.rows {
        let kind = kinds.draw(&mut random);
        let mut row = Vec::new();
        for (column, &values) in shape.cardinalities.iter().enumerate() {
            let near = values.div_ceil(10);
            let value = if random.random::<f64>() < 0.6 {
                (centres[kind][column] + random.random_range(0..near)) % values
            } else {
                random.random_range(0..values)
            };
            row.push(if values > 40 {
                value.to_string()
            } else {
                format!("v{value:02}")
            });
        }
        table.rows.push(row);
    }
    table
}

/// A number in the digits a to z: names with digits look like codes, and the program refuses a
/// header that looks like the values below it.
fn letters(number: usize) -> String {
    let last = char::from(b'a' + (number % 26) as u8);
    if number < 26 {
        last.to_string()
    } else {
        format!("{}{last}", letters(number / 26))
    }
}

/// Writes a hierarchy file in a folder: every distinct value of a column, then what `above` puts
/// over it, then `*`.
pub fn write_hierarchy(
    table: &MadeTable,
    column: &str,
    folder: &Path,
    above: impl Fn(&str) -> Vec<String>,
) -> PathBuf {
    let place = table.names.iter().position(|name| name == column);
    let place = place.unwrap_or_else(|| panic!("no column {column}"));
    let mut values: Vec<&str> = Vec::new();
    for row in &table.rows {
        values.push(&row[place]);
    }
    values.sort_unstable();
    values.dedup();
    let mut text = String::new();
    for value in values {
        let mut levels = vec![value.to_owned()];
        levels.extend(above(value));
        levels.push("*".to_owned());
        let _ = writeln!(text, "{}", levels.join(";"));
    }
    let path = folder.join(format!("{column}.csv"));
    program::write(&path, &text);
    path
}

/// Labels of numbers by intervals, the finest first.
pub fn intervals(widths: &[f64]) -> impl Fn(&str) -> Vec<String> + '_ {
    move |text: &str| {
        let number: f64 = text.parse().unwrap_or_else(|_| panic!("a number"));
        let mut labels = Vec::new();
        for &width in widths {
            let low = (number / width).floor() * width;
            // half-open, so that it holds whatever decimals there are
            labels.push(format!("[{low}-{})", low + width));
        }
        labels
    }
}

/// Labels of numbered words by tens, as `region3x`; words of one digit have no level between.
pub fn tens(text: &str) -> Vec<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if digits < 2 {
        return Vec::new();
    }
    vec![format!("{}x", &text[..text.len() - 1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_same_each_time_and_as_described() {
        for make in [dominant, codes, survey, skewed] {
            let (table, again) = (make(3_000), make(3_000));
            assert_eq!(table.rows, again.rows);
            assert!(table.rows.iter().all(|row| row.len() == table.names.len()));
        }
        let table = dominant(20_000);
        let held = |row: &&Vec<String>| row[9] == "benefit00";
        let share = table.rows.iter().filter(held).count() as f64 / 20_000.0;
        assert!((0.45..0.6).contains(&share), "{share}");
        let mut distinct = survey(20_000).rows;
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 15_000, "{}", distinct.len());
    }

    #[test]
    fn weights_are_followed() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let weighted = Weighted::new([1.0, 0.0, 3.0]);
        let mut counts = [0; 3];
        for _ in 0..40_000 {
            counts[weighted.draw(&mut random)] += 1;
        }
        assert!(
            (9_000..11_000).contains(&counts[0]) && counts[1] == 0,
            "{counts:?}"
        );
    }

    #[test]
    fn labels_above_values() {
        assert_eq!(intervals(&[5.0, 10.0])("17"), ["[15-20)", "[10-20)"]);
        assert_eq!(intervals(&[2.5])("27.31"), ["[25-27.5)"]);
        assert_eq!(
            (tens("region37"), tens("home3")),
            (vec!["region3x".to_owned()], vec![])
        );
    }
}
