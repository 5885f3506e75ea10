//! The rows that experiments run on: Adult, or a census that was made up.
//!
//! Both have the same columns: seven quasi-identifiers and occupation as the sensitive column (the
//! papers name only the latter). Rows with a missing value are left out, as the papers do. Adult's
//! categories are generalized along the hierarchies that lie beside it, age and made-up categories
//! without any.

use crate::deal::{amounts, shuffled};
use crate::error::Error;
use mingle_io::{Format, ReadOptions, Source, Undeclared, read_hierarchy, read_table};
use mingle_model::{Codes, Column, ColumnSpec, HierarchySource, Missing, Providers, Role, Table};
use mingle_synth::Distribution;
use std::path::Path;

/// The quasi-identifiers.
pub const QUASI_IDENTIFIERS: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "native_country",
];

/// The sensitive column.
pub const SENSITIVE: &str = "occupation";

/// Rows of people, not yet of anybody in particular.
pub struct PeopleRows {
    /// How titles call it.
    pub name: &'static str,
    table: Table,
    /// Rows without a missing value.
    complete: Vec<usize>,
}

impl PeopleRows {
    /// Adult from `folder`, or `made_up` rows.
    pub fn load(folder: Option<&Path>, made_up: usize, seed: u64) -> Result<PeopleRows, Error> {
        match folder {
            Some(folder) => PeopleRows::adult(folder),
            None => PeopleRows::census(made_up, seed),
        }
    }

    fn adult(folder: &Path) -> Result<PeopleRows, Error> {
        let file = "adult/adult_all_clean.csv";
        let path = folder.join(file);
        if !path.is_file() {
            return Err(Error::NoData {
                folder: folder.display().to_string(),
                file: file.to_owned(),
            });
        }
        let hierarchies = folder.join("hierarchies/adult_arx");
        let hierarchy = |column: &str| -> Result<Option<HierarchySource>, Error> {
            let file = hierarchies.join(format!("{column}.csv"));
            if column == "age" || !file.is_file() {
                return Ok(None);
            }
            Ok(Some(HierarchySource::Rows(read_hierarchy(
                &file,
                &format!("{column}.csv"),
            )?)))
        };
        PeopleRows::read("Adult", &path, specs(hierarchy)?)
    }

    fn census(rows: usize, seed: u64) -> Result<PeopleRows, Error> {
        let written = |source| Error::Write {
            file: "a temporary file".into(),
            source,
        };
        let file = tempfile::NamedTempFile::new().map_err(written)?;
        let file = mingle_synth::write(
            &mingle_synth::census(rows as u64, seed),
            Format::Csv,
            file,
            None,
        )?;
        PeopleRows::read("made-up census", file.path(), specs(|_| Ok(None))?)
    }

    fn read(name: &'static str, path: &Path, specs: Vec<ColumnSpec>) -> Result<PeopleRows, Error> {
        let source = Source::new(path, name);
        let table = read_table(
            &[source],
            None,
            &specs,
            Undeclared::Drop,
            &ReadOptions::default(),
        )?
        .table;
        let is_missing = |c: &Column, row| c.domain.missing() == Some(c.codes.get(row));
        let complete = (0..table.rows())
            .filter(|&row| !table.columns.iter().any(|c| is_missing(c, row)))
            .collect();
        Ok(PeopleRows {
            name,
            table,
            complete,
        })
    }

    /// The same rows with categories that are generalized to sets.
    pub fn without_hierarchies(mut self) -> PeopleRows {
        self.table
            .columns
            .iter_mut()
            .for_each(|column| column.spec.hierarchy = None);
        self
    }

    /// Complete rows.
    pub fn rows(&self) -> usize {
        self.complete.len()
    }

    /// `rows` random rows, dealt to `providers`. The rows of a smaller sample of the same draw are
    /// part of a larger one.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn dealt(
        &self,
        rows: usize,
        providers: u32,
        distribution: Distribution,
        seed: u64,
        draw: u64,
    ) -> Result<Table, Error> {
        if rows > self.rows() {
            return Err(Error::TooFewRows {
                rows: self.rows(),
                needed: rows,
            });
        }
        self.some(
            &shuffled(self.rows(), seed, draw)[..rows],
            providers,
            distribution,
        )
    }

    /// Some of the complete rows, by place among them, dealt to `providers` in this order.
    pub fn some(
        &self,
        rows: &[usize],
        providers: u32,
        distribution: Distribution,
    ) -> Result<Table, Error> {
        let picked: Vec<usize> = rows.iter().map(|&place| self.complete[place]).collect();
        let columns = self
            .table
            .columns
            .iter()
            .map(|c| sampled(c, &picked))
            .collect::<Result<_, _>>()?;
        let amounts = amounts(rows.len(), providers, distribution);
        let provider_of: Codes = (0..)
            .zip(&amounts)
            .flat_map(|(p, &amount)| std::iter::repeat_n(p, amount))
            .collect();
        // names in the order of their numbers, so that ids are the numbers
        let providers = Providers::new((1..=providers).map(|i| format!("P{i:04}")).collect());
        Ok(Table {
            columns,
            providers,
            provider_of,
            person_of: None,
        })
    }
}

fn specs(
    hierarchy: impl Fn(&str) -> Result<Option<HierarchySource>, Error>,
) -> Result<Vec<ColumnSpec>, Error> {
    let mut specs = Vec::new();
    for name in QUASI_IDENTIFIERS {
        specs.push(ColumnSpec {
            hierarchy: hierarchy(name)?,
            ..ColumnSpec::new(name, Role::QuasiIdentifier)
        });
    }
    specs.push(ColumnSpec::new(SENSITIVE, Role::Sensitive));
    Ok(specs)
}

/// Some rows of a column, encoded anew: a sample has the domain of its own values.
fn sampled(column: &Column, rows: &[usize]) -> Result<Column, Error> {
    let texts = rows
        .iter()
        .map(|&row| column.domain.text(column.codes.get(row)));
    let named = |source| Error::Column {
        column: column.spec.name.clone(),
        source,
    };
    Column::from_texts(column.spec.clone(), texts, &Missing::default()).map_err(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_what_was_asked_for() {
        let data = PeopleRows::load(None, 400, 3).unwrap();
        assert_eq!((data.rows(), data.name), (400, "made-up census"));
        let table = data
            .dealt(120, 15, Distribution::Exponential, 1, 0)
            .unwrap();
        assert_eq!(
            (table.rows(), table.providers.len(), table.columns.len()),
            (120, 15, 8)
        );
        let of_first = table.provider_of.iter().filter(|&p| p == 0).count();
        assert!(of_first > 15, "{of_first}");
    }

    #[test]
    fn more_than_there_is_and_no_data_are_refused() {
        let data = PeopleRows::load(None, 50, 0).unwrap();
        assert!(matches!(
            data.dealt(51, 2, Distribution::Uniform, 0, 0),
            Err(Error::TooFewRows {
                rows: 50,
                needed: 51
            })
        ));
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(
            PeopleRows::load(Some(empty.path()), 50, 0),
            Err(Error::NoData { .. })
        ));
    }

    #[test]
    fn incomplete_rows_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("adult")).unwrap();
        let rows = "age,workclass,education,marital_status,race,sex,native_country,occupation,income\n\
                    30,a,b,c,d,e,f,g,h\n31,?,b,c,d,e,f,g,h\n32,a,b,c,d,e,f,?,h\n33,a,b,c,d,e,f,g,?\n";
        let mut file =
            std::fs::File::create(folder.path().join("adult/adult_all_clean.csv")).unwrap();
        std::io::Write::write_all(&mut file, rows.as_bytes()).unwrap();
        let data = PeopleRows::load(Some(folder.path()), 0, 0).unwrap();
        assert_eq!((data.rows(), data.name), (2, "Adult"));
    }
}
