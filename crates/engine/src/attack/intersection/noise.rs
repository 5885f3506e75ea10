//! What is to be said when differentially private releases are among those that are intersected.
//!
//! A reader who takes made-up records for people is "certain" of somebody where only one value is
//! left. How often that is true is compared with what everybody knows without any release about
//! this person: guessing the commonest value, or any.

use super::Given;
use crate::failure;
use mingle_dp::universe::Place;
use mingle_dp::{DeclaredAttribute, DeclaredValues};
use mingle_model::{Code, Column, Cube, Missing, Table};
use mingle_privacy::composition::OverlaidPeople;
use mingle_record::answer::BaseRates;
use mingle_record::{Problem, ProblemCode};

/// The declared cells in which sensitive columns are to be looked at: those of the releases where
/// all are differentially private. Beside groups, whose values are published as they are, a column
/// in bins or in levels of a hierarchy has no value in common with them.
pub fn cells(releases: &[Given], columns: &[String]) -> Result<Vec<DeclaredAttribute>, Problem> {
    let mut cells = Vec::new();
    for column in columns {
        let declared = |release: &Given| {
            release
                .released
                .noise()
                .map(|noise| noise.attributes.iter().find(|a| a.name == *column).cloned())
        };
        let all: Vec<Option<Option<DeclaredAttribute>>> = releases.iter().map(declared).collect();
        let Some(first) = all.iter().flatten().flatten().next() else {
            continue;
        };
        let same = |other: &Option<Option<DeclaredAttribute>>| {
            other
                .as_ref()
                .and_then(Option::as_ref)
                .is_some_and(|a| a == first)
        };
        if all.iter().all(same) {
            cells.push(first.clone());
        } else if !all.iter().flatten().flatten().all(is_plain) {
            let text =
                format!("column {column:?} is counted in cells that not all of the releases have");
            let hint = "declare its values one by one in every policy, or choose another column with --sensitive";
            return Err(Problem::new(ProblemCode::NotAligned, text, hint));
        }
    }
    Ok(cells)
}

/// Words that stand for themselves.
fn is_plain(attribute: &DeclaredAttribute) -> bool {
    match &attribute.domain {
        DeclaredValues::Categories { labels, leaves } => leaves
            .iter()
            .all(|(leaf, &cell)| labels[usize::from(cell)] == *leaf),
        DeclaredValues::Bins(_) => false,
    }
}

/// Puts people's values of a column into declared cells; what no cell stands for stays as it is.
pub fn recode(table: &mut Table, attribute: &DeclaredAttribute) -> Result<(), Problem> {
    let Some(column) = table
        .columns
        .iter_mut()
        .find(|c| c.spec.name == attribute.name)
    else {
        return Ok(());
    };
    let missing = column.domain.missing();
    let label = |code: Code| match attribute.place(column.domain.text(code), missing == Some(code))
    {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => attribute.label(cell),
        Place::Nowhere => column.domain.text(code).to_owned(),
    };
    let labels: Vec<String> = (0..column.domain.len() as Code).map(label).collect();
    let spec = mingle_model::ColumnSpec {
        kind: Some(mingle_model::Kind::Category),
        ..mingle_model::ColumnSpec::new(&attribute.name, column.spec.role)
    };
    let texts = column
        .codes
        .iter()
        .map(|code| labels[code as usize].as_str());
    let recoded = Column::from_texts(
        spec,
        texts,
        &Missing::new(attribute.missing.iter().cloned().collect()),
    );
    *column = recoded.map_err(|_| failure::defect("words that are none"))?;
    Ok(())
}

/// How often a guess is right that says nothing about anybody: of people whose value is known, `None`
/// where it is not known of anybody.
pub fn base_rates(cube: &Cube, column: &str) -> Option<BaseRates> {
    let sensitive = cube.sensitive().iter().find(|s| s.name == column)?;
    let mut people = vec![0u64; sensitive.domain.len()];
    let crowd = OverlaidPeople::new(cube);
    let mut all = 0;
    for unit in 0..crowd.units() {
        for member in crowd.members_of(unit) {
            let combinations = crowd.combinations_of(member);
            let mut own: Vec<Code> = combinations
                .map(|combination| sensitive.codes.get(combination as usize))
                .filter(|&code| sensitive.domain.missing() != Some(code))
                .collect();
            // of somebody with several values a guess is right that is one of them
            own.sort_unstable();
            own.dedup();
            all += if own.is_empty() {
                0
            } else {
                crowd.people_of(member)
            };
            for code in own {
                people[code as usize] += crowd.people_of(member);
            }
        }
    }
    let values = people.iter().filter(|&&n| n > 0).count();
    let commonest = people.iter().copied().max().unwrap_or(0) as f64 / all.max(1) as f64;
    (all > 0).then_some(BaseRates {
        commonest,
        any: 1.0 / values as f64,
    })
}
