//! Hierarchies that fit the quasi-identifiers of the made-up tables.

use super::places::PLACES;
use super::{EDUCATION, MARITAL, RACE, SEX, WORKCLASS};

/// One row per value of a category, from the value to the root; `None` for age, which has
/// intervals, and for what is not a quasi-identifier.
pub fn hierarchy(column: &str) -> Option<Vec<Vec<String>>> {
    let with = |values: &[&str], parents: &[&str]| -> Vec<Vec<String>> {
        values
            .iter()
            .zip(parents)
            .map(|(value, parent)| path(&[value, parent, "*"]))
            .collect()
    };
    let flat = |values: &[&str]| -> Vec<Vec<String>> {
        values.iter().map(|value| path(&[value, "*"])).collect()
    };
    match column {
        "workclass" => Some(with(
            &WORKCLASS,
            &[
                "No work",
                "Wages",
                "Wages",
                "Without wages",
                "Without wages",
            ],
        )),
        "education" => Some(
            EDUCATION
                .iter()
                .zip(0..)
                .map(|(value, at)| schooling(value, at))
                .collect(),
        ),
        "marital_status" => {
            let once = "Once married";
            Some(with(
                &MARITAL,
                &["Single", "Married", "Married", once, once, once],
            ))
        }
        "race" => Some(flat(&RACE)),
        "sex" => Some(flat(&SEX)),
        "birthplace" => Some(
            PLACES
                .iter()
                .map(|(place, region, _)| path(&[place, region.name(), "*"]))
                .collect(),
        ),
        _ => None,
    }
}

fn schooling(value: &str, at: u32) -> Vec<String> {
    let (school, stage) = match at {
        0 | 1 => ("Before school", "Elementary"),
        2 | 3 => ("Grade 1-8", "Elementary"),
        4..=7 => ("High school", "Secondary"),
        _ => ("College", "Higher"),
    };
    path(&[value, school, stage, "*"])
}

fn path(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
}
