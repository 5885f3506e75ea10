//! A release as microaggregation was first meant: every group by its centroid.
//!
//! A number is the mean of the group, rounded to hundredths, a category the group's most common value, the first of
//! equals. Such labels need not cover the people behind them, so people are found by the nearest centroid; the paper says
//! that this is right for about 70 % of the people. Groups with the same centroid are one.

use mingle_model::{Code, Column, ColumnSpec, Cube, DomainError, Kind, Missing, Published, Role, Table};

/// The groups of a table by their centroids.
pub struct Centroids {
    /// What everybody sees.
    pub published: Published,
    /// Per row of the table the group.
    pub group_of: Vec<u32>,
}

impl Centroids {
    /// `group_of` says for each row which of `groups` groups it is in.
    pub fn new(table: &Table, group_of: &[u32], groups: usize) -> Result<Centroids, DomainError> {
        let mut columns = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            columns.push(match column.spec.role {
                Role::QuasiIdentifier => labelled(column, group_of, groups)?,
                _ => column.clone(),
            });
        }
        let (providers, provider_of) = (table.providers.clone(), table.provider_of.clone());
        let table = Table { columns, providers, provider_of };
        let cube = Cube::new(&table);
        let tuple_of: Vec<u32> = (0..cube.tuples())
            .flat_map(|tuple| std::iter::repeat_n(tuple as u32, cube.records_of(tuple).len()))
            .collect();
        let records = cube.record_of_row().expect("the table has a column to keep rows for");
        let group_of = records.iter().map(|&record| tuple_of[record as usize]).collect();
        Ok(Centroids { published: Published::from_table(&table), group_of })
    }
}

/// A column with every row's value replaced by that of its group's centroid.
fn labelled(column: &Column, group_of: &[u32], groups: usize) -> Result<Column, DomainError> {
    let mut members: Vec<Vec<Code>> = vec![Vec::new(); groups];
    group_of.iter().zip(column.codes.iter()).for_each(|(&group, code)| members[group as usize].push(code));
    let labels: Vec<String> = members.iter().map(|codes| centroid(column, codes)).collect();
    let spec =
        ColumnSpec { kind: Some(Kind::Category), ..ColumnSpec::new(column.spec.name.clone(), Role::QuasiIdentifier) };
    Column::from_texts(spec, group_of.iter().map(|&group| labels[group as usize].as_str()), &Missing::default())
}

fn centroid(column: &Column, codes: &[Code]) -> String {
    let numbers: Option<Vec<i128>> = codes.iter().map(|&code| column.domain.number(code)).collect();
    match numbers.filter(|numbers| !numbers.is_empty()) {
        Some(numbers) => {
            let sum = numbers.iter().sum::<i128>() as f64 / 10f64.powi(column.domain.scale().into());
            format!("{:.2}", sum / numbers.len() as f64)
        }
        None => {
            let mut codes = codes.to_vec();
            codes.sort_unstable();
            let most = codes.chunk_by(|a, b| a == b).rev().max_by_key(|run| run.len());
            most.map_or_else(String::new, |run| column.domain.text(run[0]).to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::people::People;
    use super::*;

    #[test]
    fn groups_are_labelled_by_means_and_most_common_values() {
        let people = People::adult(None, 60, 1).unwrap();
        let rows: Vec<u32> = (0..60).collect();
        let table = people.table(&rows, 0, false).unwrap();
        let group_of: Vec<u32> = rows.iter().map(|row| row / 20).collect();
        let made = Centroids::new(&table, &group_of, 3).unwrap();
        assert_eq!((made.published.groups(), made.published.rows()), (3, 60));
        for (row, &group) in made.group_of.iter().enumerate() {
            let alike: Vec<usize> = (0..60).filter(|&other| group_of[other] == group_of[row]).collect();
            let (age, sex) = (&table.columns[0], &table.columns[5]);
            let ages = alike.iter().map(|&other| age.domain.text(age.codes.get(other)).parse::<f64>().unwrap());
            let women = alike.iter().filter(|&&other| sex.domain.text(sex.codes.get(other)) == "Female").count();
            let labels: Vec<&str> = made.published.describe(group as usize).map(|(_, label)| label).collect();
            assert_eq!(labels[0], format!("{:.2}", ages.sum::<f64>() / alike.len() as f64));
            assert_eq!(labels[5], if 2 * women >= alike.len() { "Female" } else { "Male" });
        }
    }
}
