//! The people the subsets are drawn from: a census with seven quasi-identifiers and one or more
//! sensitive columns.
//!
//! Adult's training rows, or a made-up census in its place; a made-up table like the paper's census
//! of IPUMS; the small samples of IPUMS where the folder has them. In these a missing occupation
//! means that the person has none, so it is a value like any other: nobody is left out.

use crate::error::Error;
use mingle_io::{Format, ReadOptions, Source, Undeclared, read_hierarchy, read_table};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{Column, ColumnSpec, HierarchySource, Missing, Number, Providers, Role, Table};
use mingle_synth::Recipe;
use std::path::Path;

const OF_ADULT: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "native_country",
];
const OF_IPUMS_LIKE: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "birthplace",
];
const OF_IPUMS: [&str; 7] = [
    "age", "classwkg", "educrec", "marst", "raceg", "sex", "bplg",
];

const SENSITIVE_OF_ADULT: [&str; 1] = ["occupation"];
const SENSITIVE_OF_IPUMS_LIKE: [&str; 3] = ["occupation", "industry", "income"];
const SENSITIVE_OF_IPUMS: [&str; 3] = ["occ1950", "ind1950", "inctot"];

/// The widths of a hierarchy of ages, in years.
const AGES: [&str; 4] = ["5", "10", "20", "40"];

/// Which table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Census {
    /// Adult, or a made-up census in its place.
    Adult,
    /// Made up, with the domains and entropies of the paper's second table.
    IpumsLike,
    /// A tenth of the paper's second table.
    Ipums97,
    /// The same of three years.
    Ipums979899,
}

/// People and all that is known about them.
pub struct CensusPeople {
    /// Which table.
    pub census: Census,
    /// How titles call it.
    pub name: &'static str,
    quasi_identifiers: Vec<Column>,
    sensitive: Vec<Column>,
    /// Per quasi-identifier, where there is one.
    hierarchies: Vec<Option<HierarchySource>>,
}

impl CensusPeople {
    /// Adult from `folder`, or `made_up` rows.
    pub fn adult(folder: Option<&Path>, made_up: usize, seed: u64) -> Result<CensusPeople, Error> {
        let Some(folder) = folder else {
            let columns = made(
                &mingle_synth::census(made_up as u64, seed),
                &OF_ADULT,
                &SENSITIVE_OF_ADULT,
            )?;
            return Ok(CensusPeople::new(
                Census::Adult,
                "made-up census",
                columns,
                |_| None,
            ));
        };
        let file = "adult/adult_train_clean.csv";
        let missing = || Error::NoData {
            folder: folder.display().to_string(),
            file: file.to_owned(),
        };
        let path = Some(folder.join(file))
            .filter(|path| path.is_file())
            .ok_or_else(missing)?;
        let columns = read("Adult", &path, &OF_ADULT, &SENSITIVE_OF_ADULT)?;
        let mut hierarchies = Vec::new();
        for column in OF_ADULT {
            let path = folder.join(format!("hierarchies/adult_arx/{column}.csv"));
            let rows = path
                .is_file()
                .then(|| read_hierarchy(&path, &format!("{column}.csv")))
                .transpose()?;
            hierarchies.push((column, rows.map(HierarchySource::Rows)));
        }
        let of = |column: &str| {
            hierarchies
                .iter()
                .find(|(name, _)| *name == column)
                .and_then(|(_, h)| h.clone())
        };
        Ok(CensusPeople::new(Census::Adult, "Adult", columns, of))
    }

    /// Made-up rows like those of the paper's second table.
    pub fn ipums_like(rows: usize, seed: u64) -> Result<CensusPeople, Error> {
        let columns = made(
            &mingle_synth::ipums_like(rows as u64, seed),
            &OF_IPUMS_LIKE,
            &SENSITIVE_OF_IPUMS_LIKE,
        )?;
        let hierarchy = |column: &str| {
            let rows = mingle_synth::ipums_like_hierarchy(column)?;
            let rows = (1..).zip(rows).collect();
            Some(HierarchySource::Rows(HierarchyRows {
                file: "made up".to_owned(),
                rows,
            }))
        };
        Ok(CensusPeople::new(
            Census::IpumsLike,
            "made-up census like IPUMS",
            columns,
            hierarchy,
        ))
    }

    /// A sample of IPUMS, if the folder has it.
    pub fn ipums(folder: Option<&Path>, census: Census) -> Result<Option<CensusPeople>, Error> {
        let (file, name) = match census {
            Census::Ipums97 => ("ipums/ipums_la_97_small_qi.csv", "IPUMS 97 sample"),
            _ => ("ipums/ipums_la_97_98_99_small_qi.csv", "IPUMS 97-99 sample"),
        };
        let Some(path) = folder
            .map(|folder| folder.join(file))
            .filter(|path| path.is_file())
        else {
            return Ok(None);
        };
        let columns = read(name, &path, &OF_IPUMS, &SENSITIVE_OF_IPUMS)?;
        Ok(Some(CensusPeople::new(census, name, columns, |_| None)))
    }

    fn new(
        census: Census,
        name: &'static str,
        columns: Vec<Column>,
        hierarchy: impl Fn(&str) -> Option<HierarchySource>,
    ) -> CensusPeople {
        let (quasi_identifiers, sensitive): (Vec<Column>, Vec<Column>) = columns
            .into_iter()
            .partition(|column| column.spec.role == Role::QuasiIdentifier);
        let of = |column: &Column| {
            if column.domain.kind().is_numeric() {
                Some(ages())
            } else {
                hierarchy(&column.spec.name)
            }
        };
        let hierarchies = quasi_identifiers.iter().map(of).collect();
        CensusPeople {
            census,
            name,
            quasi_identifiers,
            sensitive,
            hierarchies,
        }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.sensitive[0].codes.len()
    }

    /// Whether every quasi-identifier has a hierarchy.
    pub fn have_hierarchies(&self) -> bool {
        self.hierarchies.iter().all(Option::is_some)
    }

    /// The hierarchies by column.
    pub fn hierarchies(&self) -> impl Iterator<Item = (&str, &HierarchySource)> {
        let columns = self.quasi_identifiers.iter().zip(&self.hierarchies);
        columns.filter_map(|(column, hierarchy)| {
            Some((column.spec.name.as_str(), hierarchy.as_ref()?))
        })
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> &[Column] {
        &self.sensitive
    }

    /// The table of somebody who has only these rows: domains are those of the values that occur in
    /// them. One sensitive column, and a column that says nothing but makes the cube keep which row
    /// is where.
    pub fn table(
        &self,
        rows: &[u32],
        sensitive: usize,
        along_hierarchies: bool,
    ) -> Result<Table, Error> {
        let mut columns = Vec::with_capacity(9);
        for (column, hierarchy) in self.quasi_identifiers.iter().zip(&self.hierarchies) {
            let hierarchy = hierarchy.clone().filter(|_| along_hierarchies);
            columns.push(some_rows(
                column,
                ColumnSpec {
                    hierarchy,
                    ..column.spec.clone()
                },
                rows,
            )?);
        }
        let column = &self.sensitive[sensitive];
        columns.push(some_rows(column, column.spec.clone(), rows)?);
        let nothing = std::iter::repeat_n("-", rows.len());
        let spec = ColumnSpec::new("", Role::Insensitive);
        columns.push(
            Column::from_texts(spec, nothing, &Missing::default()).map_err(|e| of_column("", e))?,
        );
        let providers = Providers::new(vec![String::new()]);
        Ok(Table {
            columns,
            providers,
            provider_of: std::iter::repeat_n(0, rows.len()).collect(),
            person_of: None,
        })
    }

    /// Entropy of a sensitive column in bits.
    pub fn entropy(&self, sensitive: usize) -> f64 {
        let column = &self.sensitive[sensitive];
        let mut counts = vec![0u64; column.domain.len()];
        column
            .codes
            .iter()
            .for_each(|code| counts[code as usize] += 1);
        let rows = self.count() as f64;
        counts
            .iter()
            .filter(|&&n| n > 0)
            .map(|&n| n as f64 / rows * (rows / n as f64).log2())
            .sum()
    }
}

fn ages() -> HierarchySource {
    HierarchySource::Intervals(
        AGES.iter()
            .map(|width| Number::parse(width).expect("a number"))
            .collect(),
    )
}

/// Some rows of a column, encoded anew.
fn some_rows(column: &Column, spec: ColumnSpec, rows: &[u32]) -> Result<Column, Error> {
    let texts = rows
        .iter()
        .map(|&row| column.domain.text(column.codes.get(row as usize)));
    Column::from_texts(spec, texts, &Missing::default())
        .map_err(|e| of_column(&column.spec.name, e))
}

fn of_column(column: &str, source: mingle_model::DomainError) -> Error {
    Error::Column {
        column: column.to_owned(),
        source,
    }
}

fn made(
    recipe: &Recipe,
    quasi_identifiers: &[&str],
    sensitive: &[&str],
) -> Result<Vec<Column>, Error> {
    let written = |source| Error::Write {
        file: "a temporary file".into(),
        source,
    };
    let file = tempfile::NamedTempFile::new().map_err(written)?;
    let file = mingle_synth::write(recipe, Format::Csv, file, None)?;
    read("made-up rows", file.path(), quasi_identifiers, sensitive)
}

fn read(
    name: &str,
    path: &Path,
    quasi_identifiers: &[&str],
    sensitive: &[&str],
) -> Result<Vec<Column>, Error> {
    let with = |role: Role| move |name: &&str| ColumnSpec::new(*name, role);
    let specs: Vec<ColumnSpec> = quasi_identifiers
        .iter()
        .map(with(Role::QuasiIdentifier))
        .chain(sensitive.iter().map(with(Role::Sensitive)))
        .collect();
    let source = Source::new(path, name);
    Ok(read_table(
        &[source],
        None,
        &specs,
        Undeclared::Drop,
        &ReadOptions::default(),
    )?
    .table
    .columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_people_have_the_papers_entropies() {
        let people = CensusPeople::ipums_like(mingle_synth::IPUMS_LIKE_ROWS as usize, 0).unwrap();
        let found: Vec<(usize, String)> = (0..3)
            .map(|at| {
                (
                    people.sensitive()[at].domain.len(),
                    format!("{:.2}", people.entropy(at)),
                )
            })
            .collect();
        let expected = [(247, "4.30"), (145, "4.35"), (471, "5.56")]
            .map(|(values, bits)| (values, bits.to_owned()));
        assert_eq!(found, expected);
        assert!(people.have_hierarchies());
    }

    #[test]
    fn a_table_of_some_rows_knows_only_their_values() {
        let people = CensusPeople::adult(None, 400, 0).unwrap();
        assert!(
            !people.have_hierarchies(),
            "categories of the made-up census have none"
        );
        let table = people.table(&[5, 7, 11], 0, false).unwrap();
        assert_eq!((table.rows(), table.columns.len()), (3, 9));
        assert!(table.columns.iter().all(|column| column.domain.len() <= 3));
        for (at, &row) in [5, 7, 11].iter().enumerate() {
            let (before, after) = (&people.sensitive[0], &table.columns[7]);
            assert_eq!(
                before.domain.text(before.codes.get(row)),
                after.domain.text(after.codes.get(at))
            );
        }
    }

    #[test]
    fn a_folder_need_not_have_samples_but_adult() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            CensusPeople::adult(Some(folder.path()), 0, 0),
            Err(Error::NoData { .. })
        ));
        assert!(
            CensusPeople::ipums(Some(folder.path()), Census::Ipums97)
                .unwrap()
                .is_none()
        );
        assert!(
            CensusPeople::ipums(None, Census::Ipums97)
                .unwrap()
                .is_none()
        );
        std::fs::create_dir(folder.path().join("ipums")).unwrap();
        let rows = "year,age,sex,raceg,marst,educrec,bplg,classwkg,occ1950,ind1950,relateg,inctot\n\
                    97,3,Male,White,Never,?,California,?,?,?,Child,999999\n\
                    97,30,Male,White,Never,?,California,Wages,Cook,Food,Head,50\n";
        let mut file =
            std::fs::File::create(folder.path().join("ipums/ipums_la_97_small_qi.csv")).unwrap();
        std::io::Write::write_all(&mut file, rows.as_bytes()).unwrap();
        let people = CensusPeople::ipums(Some(folder.path()), Census::Ipums97)
            .unwrap()
            .unwrap();
        assert_eq!(
            (people.count(), people.entropy(0)),
            (2, 1.0),
            "having no occupation is a value"
        );
    }
}
