//! The people whose columns two sites share out among themselves: the rows of one table.
//!
//! Adult's training rows without missing values and the hierarchies of Fung, Wang and Yu, with
//! occupation and income as sensitive columns; or a made-up census, which has neither relationship
//! nor income: there age takes part and marital status is the second sensitive column. Made-up
//! categories have hierarchies made from their values: neighbours in alphabetical order, four at a
//! time, then all; age has intervals. Rows with a missing value are left out.

use super::column_set::ColumnSet;
use crate::error::Error;
use mingle_anonymize::FullDomain;
use mingle_io::{Format, ReadOptions, Source, Undeclared, read_hierarchy, read_table};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Code, Column, ColumnSpec, Cube, HierarchySource, Missing, Number, Providers, Role, Table,
};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

const ADULT: &str = "Adult";

/// The paper's quasi-identifiers, in its order.
const OF_ADULT: [&str; 7] = [
    "workclass",
    "education",
    "marital_status",
    "relationship",
    "race",
    "sex",
    "native_country",
];

/// Site 0's sensitive column, then site 1's.
const SENSITIVE_OF_ADULT: [&str; 2] = ["occupation", "income"];

/// What a made-up census has of them.
const OF_CENSUS: [&str; 6] = [
    "age",
    "workclass",
    "education",
    "race",
    "sex",
    "native_country",
];

const SENSITIVE_OF_CENSUS: [&str; 2] = ["occupation", "marital_status"];

/// So many neighbours have a common parent in a hierarchy that was made up.
const SIBLINGS: usize = 4;

/// A table of people: each row is one of them, and their number is the row's.
pub struct SplitPeople {
    /// How titles call it.
    pub name: &'static str,
    /// Quasi-identifiers, then the two sensitive columns.
    cube: Arc<Cube>,
    /// Per person the tuple of quasi-identifiers in the cube.
    tuple_of: Vec<u32>,
}

impl SplitPeople {
    /// Adult from `folder`, or `made_up` rows.
    pub fn load(folder: Option<&Path>, made_up: usize, seed: u64) -> Result<SplitPeople, Error> {
        match folder {
            Some(folder) => SplitPeople::adult(folder),
            None => SplitPeople::census(made_up, seed),
        }
    }

    fn adult(folder: &Path) -> Result<SplitPeople, Error> {
        let file = |name: &str| {
            let path = folder.join(name);
            let missing = || Error::NoData {
                folder: folder.display().to_string(),
                file: name.to_owned(),
            };
            path.is_file().then_some(path).ok_or_else(missing)
        };
        let rows = file("adult/adult_train_clean.csv")?;
        let hierarchy = |column: &str| -> Result<Option<HierarchySource>, Error> {
            let path = file(&format!("hierarchies/adult_fung_tds/{column}.csv"))?;
            Ok(Some(HierarchySource::Rows(read_hierarchy(
                &path,
                &format!("{column}.csv"),
            )?)))
        };
        let columns = read(
            ADULT,
            &rows,
            &specs(&OF_ADULT, &SENSITIVE_OF_ADULT, hierarchy)?,
        )?;
        Ok(SplitPeople::new(ADULT, columns))
    }

    fn census(rows: usize, seed: u64) -> Result<SplitPeople, Error> {
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
        let plain = read(
            "made-up census",
            file.path(),
            &specs(&OF_CENSUS, &SENSITIVE_OF_CENSUS, |_| Ok(None))?,
        )?;
        Ok(SplitPeople::new(
            "made-up census",
            plain
                .iter()
                .map(with_made_up_hierarchy)
                .collect::<Result<_, _>>()?,
        ))
    }

    /// Columns of the same people, quasi-identifiers first, then one sensitive column for each
    /// site.
    pub fn new(name: &'static str, columns: Vec<Column>) -> SplitPeople {
        let rows = columns.first().map_or(0, |column| column.codes.len());
        let providers = Providers::new(vec![String::new()]);
        let table = Table {
            columns,
            providers,
            provider_of: std::iter::repeat_n(0, rows).collect(),
            person_of: None,
        };
        let cube = Arc::new(Cube::new(table));
        let tuple_of = tuples(cube.table(), &cube);
        SplitPeople {
            name,
            cube,
            tuple_of,
        }
    }

    /// The same people without one of the quasi-identifiers.
    pub fn without(&self, column: usize) -> SplitPeople {
        let mut columns = self.cube.table().columns.clone();
        columns.remove(column);
        SplitPeople::new(self.name, columns)
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.cube.table().rows()
    }

    /// Everybody's number.
    pub fn everybody(&self) -> Vec<u32> {
        (0..self.count() as u32).collect()
    }

    /// All quasi-identifiers.
    pub fn columns(&self) -> ColumnSet {
        ColumnSet::first(self.quasi_identifiers().count())
    }

    /// The quasi-identifiers.
    pub fn quasi_identifiers(&self) -> impl Iterator<Item = &Column> {
        self.cube.table().with_role(Role::QuasiIdentifier)
    }

    /// The sensitive column of a site.
    pub fn sensitive(&self, site: usize) -> &Column {
        self.cube
            .table()
            .with_role(Role::Sensitive)
            .nth(site)
            .expect("there is one for each of two sites")
    }

    /// Names of some quasi-identifiers.
    pub fn names(&self, columns: ColumnSet) -> String {
        let names: Vec<&str> = self
            .chosen(columns)
            .map(|column| column.spec.name.as_str())
            .collect();
        names.join("+")
    }

    /// Some quasi-identifiers of everybody, all levels 0.
    pub fn full_domain(&self, columns: ColumnSet) -> FullDomain<'_> {
        FullDomain::new(
            self.chosen(columns)
                .map(|column| (&column.domain, &column.codes))
                .collect(),
        )
    }

    fn chosen(&self, columns: ColumnSet) -> impl Iterator<Item = &Column> {
        self.quasi_identifiers()
            .enumerate()
            .filter(move |(place, _)| columns.contains(*place))
            .map(|(_, column)| column)
    }

    /// Whose hierarchies these are.
    pub fn hierarchies(&self) -> &'static str {
        match self.name {
            ADULT => "hierarchies: the taxonomy trees of Fung, Wang and Yu",
            _ => {
                "hierarchies: four neighbours in alphabetical order, then all; age by 10, 20 and 40 years, then all"
            }
        }
    }

    /// The table as weighted distinct rows.
    pub fn cube(&self) -> &Arc<Cube> {
        &self.cube
    }

    /// Per person the tuple in the cube.
    pub fn tuple_of(&self) -> &[u32] {
        &self.tuple_of
    }

    /// What a site holds, as a table of its own.
    #[cfg(test)]
    pub fn at_site(&self, columns: ColumnSet, site: usize) -> Table {
        let columns = self
            .chosen(columns)
            .chain([self.sensitive(site)])
            .cloned()
            .collect();
        Table {
            columns,
            providers: self.cube.table().providers.clone(),
            provider_of: self.cube.table().provider_of.clone(),
            person_of: None,
        }
    }
}

fn specs(
    quasi_identifiers: &[&str],
    sensitive: &[&str],
    hierarchy: impl Fn(&str) -> Result<Option<HierarchySource>, Error>,
) -> Result<Vec<ColumnSpec>, Error> {
    let roles = quasi_identifiers
        .iter()
        .map(|name| (name, Role::QuasiIdentifier));
    let roles = roles.chain(sensitive.iter().map(|name| (name, Role::Sensitive)));
    roles
        .map(|(name, role)| {
            Ok(ColumnSpec {
                hierarchy: hierarchy(name)?,
                ..ColumnSpec::new(*name, role)
            })
        })
        .collect()
}

/// The columns of a file, only rows without a missing value.
fn read(name: &str, path: &Path, specs: &[ColumnSpec]) -> Result<Vec<Column>, Error> {
    let source = Source::new(path, name);
    let table = read_table(
        &[source],
        None,
        specs,
        Undeclared::Drop,
        &ReadOptions::default(),
    )?
    .table;
    let is_missing = |c: &Column, row| c.domain.missing() == Some(c.codes.get(row));
    let complete: Vec<usize> = (0..table.rows())
        .filter(|&row| !table.columns.iter().any(|c| is_missing(c, row)))
        .collect();
    let kept = |column: &Column| encoded(column, column.spec.clone(), &complete);
    table.columns.iter().map(kept).collect()
}

/// Some rows of a column, encoded anew.
fn encoded(column: &Column, spec: ColumnSpec, rows: &[usize]) -> Result<Column, Error> {
    let named = |source| Error::Column {
        column: column.spec.name.clone(),
        source,
    };
    let texts = rows
        .iter()
        .map(|&row| column.domain.text(column.codes.get(row)));
    Column::from_texts(spec, texts, &Missing::default()).map_err(named)
}

fn with_made_up_hierarchy(column: &Column) -> Result<Column, Error> {
    let hierarchy = if column.domain.kind().is_numeric() {
        let widths = ["10", "20", "40"]
            .iter()
            .map(|width| Number::parse(width).expect("a number"));
        HierarchySource::Intervals(widths.collect())
    } else {
        HierarchySource::Rows(neighbours(column))
    };
    let rows: Vec<usize> = (0..column.codes.len()).collect();
    encoded(
        column,
        ColumnSpec {
            hierarchy: Some(hierarchy),
            ..column.spec.clone()
        },
        &rows,
    )
}

fn neighbours(column: &Column) -> HierarchyRows {
    let mut values: Vec<&str> = (0..column.domain.len())
        .map(|code| column.domain.text(code as Code))
        .collect();
    values.sort_unstable();
    let row = |(at, value): (usize, &&str)| {
        let group = format!("{} {}", column.spec.name, at / SIBLINGS + 1);
        (
            at as u64 + 1,
            vec![(*value).to_owned(), group, "any".to_owned()],
        )
    };
    HierarchyRows {
        file: "made up".to_owned(),
        rows: values.iter().enumerate().map(row).collect(),
    }
}

/// Each row's tuple in the cube.
fn tuples(table: &Table, cube: &Cube) -> Vec<u32> {
    let columns: Vec<&Column> = table.with_role(Role::QuasiIdentifier).collect();
    let codes = |tuple| -> Vec<Code> {
        cube.quasi_identifiers()
            .iter()
            .map(|qi| qi.codes.get(tuple))
            .collect()
    };
    let number: HashMap<Vec<Code>, u32> = (0..cube.tuples())
        .map(|tuple| (codes(tuple), tuple as u32))
        .collect();
    let tuple = |row| {
        number[&columns
            .iter()
            .map(|c| c.codes.get(row))
            .collect::<Vec<Code>>()]
    };
    (0..table.rows()).map(tuple).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_people_have_what_two_sites_need() {
        let people = SplitPeople::load(None, 300, 1).unwrap();
        assert_eq!(
            (people.count(), people.name, people.columns().len()),
            (300, "made-up census", 6)
        );
        assert_eq!(people.names(people.columns()), OF_CENSUS.join("+"));
        for column in people
            .quasi_identifiers()
            .chain([people.sensitive(0), people.sensitive(1)])
        {
            assert!(column.domain.hierarchy().is_some(), "{}", column.spec.name);
        }
        let less = people.without(0);
        assert_eq!(less.names(less.columns()), OF_CENSUS[1..].join("+"));
        assert_eq!(less.sensitive(1).spec.name, "marital_status");
    }

    #[test]
    fn everybody_has_their_tuple() {
        let people = SplitPeople::load(None, 300, 1).unwrap();
        for (person, &tuple) in people.tuple_of().iter().enumerate() {
            for (column, qi) in people
                .quasi_identifiers()
                .zip(people.cube().quasi_identifiers())
            {
                assert_eq!(column.codes.get(person), qi.codes.get(tuple as usize));
            }
        }
    }

    #[test]
    fn adult_needs_its_rows_and_every_hierarchy() {
        let folder = tempfile::tempdir().unwrap();
        let is_missing = |name: &str| match SplitPeople::load(Some(folder.path()), 0, 0) {
            Err(Error::NoData { file, .. }) => file == name,
            _ => false,
        };
        assert!(is_missing("adult/adult_train_clean.csv"));
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::io::Write::write_all(&mut std::fs::File::create(path).unwrap(), text.as_bytes())
                .unwrap();
        };
        let header = [&OF_ADULT[..], &SENSITIVE_OF_ADULT].concat().join(",");
        write(
            "adult/adult_train_clean.csv",
            &format!("{header}\na,b,c,d,e,f,g,h,i\na,b,c,d,e,f,g,h,?\n"),
        );
        assert!(is_missing("hierarchies/adult_fung_tds/workclass.csv"));
        for (column, leaf) in [&OF_ADULT[..], &SENSITIVE_OF_ADULT]
            .concat()
            .iter()
            .zip('a'..)
        {
            write(
                &format!("hierarchies/adult_fung_tds/{column}.csv"),
                &format!("{leaf};any\n"),
            );
        }
        let people = SplitPeople::load(Some(folder.path()), 0, 0).unwrap();
        assert_eq!(
            (people.count(), people.name),
            (1, "Adult"),
            "the row with a missing value is left out"
        );
    }
}
