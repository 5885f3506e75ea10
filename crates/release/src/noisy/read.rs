//! A release of noisy counts on disk, read without trust.

use super::{NoisyManifest, NoisyMeaning, NoisyPrivateManifest, NoisyTable};
use crate::error::Error;
use crate::manifest::{self, FileFormat, Found, ManifestProblem};
use crate::open::{self, Release};
use mingle_dp::universe::{CellId, Place};
use mingle_dp::{DeclaredAttribute, DeclaredValues};
use mingle_io::{ReadOptions, Source, Undeclared, read_header, read_table};
use mingle_model::{Code, Column, ColumnSpec, Kind, Missing, Role};
use mingle_model::{counted, plural};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A release of either kind.
pub enum Opened {
    /// Groups of people.
    Grouped(Box<Release>),
    /// Noisy counts.
    Noisy(Box<NoisyRelease>),
}

/// Opens a release folder, or the `public/` folder of one, of whichever kind.
pub fn open_any(folder: &Path) -> Result<Opened, Error> {
    match Release::open(folder) {
        Err(Error::Noisy { .. }) => {
            NoisyRelease::open(folder).map(|release| Opened::Noisy(Box::new(release)))
        }
        other => other.map(|release| Opened::Grouped(Box::new(release))),
    }
}

/// A folder with noisy counts, or only its `public/` part as it was handed out.
pub struct NoisyRelease {
    pub(super) public_folder: PathBuf,
    pub(super) public: Found<NoisyManifest>,
    /// `None` when there is no private part, `Some(None)` when it has no manifest.
    pub(super) private: Option<Option<Found<NoisyPrivateManifest>>>,
}

/// A table in cells of the declared domains. No `Debug`: it has cells.
#[derive(Clone, PartialEq)]
pub struct CellCounts {
    /// The attributes, by place.
    pub attributes: Vec<usize>,
    /// Per attribute a cell for each line.
    pub cells: Vec<Vec<CellId>>,
    /// A count for each line; made-up records count one each.
    pub counts: Vec<f64>,
}

/// What is wrong with a table. Lines and columns, never cells.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CountsProblem {
    /// Lines with a value that the declared domain does not have.
    #[error("column {column}: {} with a value outside of its declared domain", counted(.rows, "row"))]
    OutsideDomain {
        /// The column.
        column: String,
        /// How many.
        rows: u64,
    },
    /// Counts that are negative or no numbers.
    #[error(
        "{} {}",
        counted(.rows, "count"),
        plural(.rows, "that is negative or no number", "that are negative or no numbers")
    )]
    NotCounts {
        /// How many.
        rows: u64,
    },
}

impl NoisyRelease {
    /// Opens a release folder, or the `public/` folder of one.
    ///
    /// A damaged manifest is not an error here but a finding of [`check`](NoisyRelease::check).
    pub fn open(folder: &Path) -> Result<NoisyRelease, Error> {
        let (public_folder, private_folder) = open::parts(folder);
        let path = public_folder.join("manifest.json");
        if !manifest::is_noisy(&path) {
            return Err(Error::NotARelease {
                path: folder.to_owned(),
            });
        }
        let public = manifest::read(&path).map_err(Error::io(&path))?;
        let private = private_folder
            .filter(|f| f.is_dir())
            .map(|f| private(&f))
            .transpose()?;
        Ok(NoisyRelease {
            public_folder,
            public,
            private,
        })
    }

    /// The public manifest, unless it is beyond use.
    pub fn manifest(&self) -> Result<&NoisyManifest, Error> {
        let problem = |p: &ManifestProblem| Error::Manifest {
            file: "manifest.json".to_owned(),
            problem: p.clone(),
        };
        self.public.manifest.as_ref().map_err(problem)
    }

    /// SHA-256 of the public manifest.
    pub fn sha256(&self) -> &str {
        &self.public.sha256
    }

    /// The private manifest, where there is one that can be used.
    pub fn private_manifest(&self) -> Option<&NoisyPrivateManifest> {
        self.private.as_ref()?.as_ref()?.manifest.as_ref().ok()
    }

    /// All tables, in the manifest's order. A value outside of its domain, or a count that is none,
    /// is an error.
    pub fn tables(&self) -> Result<Vec<CellCounts>, Error> {
        let manifest = self.manifest()?;
        let attributes = manifest.attributes();
        manifest
            .tables
            .iter()
            .map(|table| self.table(manifest, &attributes, table))
            .collect()
    }

    /// Made-up records as they are published, every column as texts, in the manifest's order; of
    /// other releases the first table with its counts.
    pub fn records(&self) -> Result<Vec<Column>, Error> {
        let manifest = self.manifest()?;
        manifest
            .tables
            .first()
            .map_or(Ok(Vec::new()), |table| self.texts(manifest, table))
    }

    fn texts(&self, manifest: &NoisyManifest, table: &NoisyTable) -> Result<Vec<Column>, Error> {
        let names = table.columns.iter().chain(&table.count_column);
        let opaque = |name: &String| ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(name, Role::Insensitive)
        };
        let specs: Vec<ColumnSpec> = names.map(opaque).collect();
        let unreadable = |source| Error::Unreadable {
            file: table.file.clone(),
            source,
        };
        let source = self.source(&table.file)?;
        match read_table(
            &[source],
            None,
            &specs,
            Undeclared::Error,
            &options(manifest),
        ) {
            Ok(read) => Ok(read.table.columns),
            // a histogram of which no cell reached the threshold
            Err(mingle_io::Error::NoRows { .. }) if table.rows == 0 => {
                let none = |spec| Column::from_texts(spec, [], &options(manifest).missing);
                Ok(specs
                    .into_iter()
                    .map(|spec| none(spec).expect("no value is no category"))
                    .collect())
            }
            Err(source) => Err(unreadable(source)),
        }
    }

    pub(super) fn table(
        &self,
        manifest: &NoisyManifest,
        attributes: &[DeclaredAttribute],
        table: &NoisyTable,
    ) -> Result<CellCounts, Error> {
        let columns = self.texts(manifest, table)?;
        let wrong = |problem| Error::Counts {
            file: table.file.clone(),
            problem,
        };
        let column = |name: &String| {
            columns
                .iter()
                .find(|c| c.spec.name == *name)
                .expect("all columns were asked for")
        };
        let places = manifest.places(table);
        let made_up = table.count_column.is_none();
        let cells = places
            .iter()
            .zip(&table.columns)
            .map(|(&a, name)| cells(&attributes[a], column(name), made_up));
        let cells: Vec<Vec<CellId>> = cells.collect::<Result<_, _>>().map_err(wrong)?;
        let counts = match &table.count_column {
            Some(name) => counts(column(name)).map_err(wrong)?,
            None => vec![1.0; cells.first().map_or(0, Vec::len)],
        };
        Ok(CellCounts {
            attributes: places,
            cells,
            counts,
        })
    }

    /// The names of a file's columns, in its order.
    pub(super) fn header(
        &self,
        manifest: &NoisyManifest,
        file: &str,
    ) -> Result<Vec<String>, Error> {
        let unreadable = |source| Error::Unreadable {
            file: file.to_owned(),
            source,
        };
        read_header(&self.source(file)?, &options(manifest)).map_err(unreadable)
    }

    fn source(&self, file: &str) -> Result<Source, Error> {
        let path = self.public_folder.join(file);
        if path.is_file() {
            Ok(Source::of_release(path, file))
        } else {
            Err(Error::MissingFile {
                file: file.to_owned(),
            })
        }
    }
}

fn private(folder: &Path) -> Result<Option<Found<NoisyPrivateManifest>>, Error> {
    let path = folder.join("manifest.json");
    match manifest::read(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some).map_err(Error::io(&path)),
    }
}

/// Stands for a null of Parquet; in CSV a missing value is the text that its column declares.
const NULL: &str = "\0";

fn options(manifest: &NoisyManifest) -> ReadOptions<'static> {
    let nulls = (manifest.format == FileFormat::Parquet).then(|| NULL.to_owned());
    ReadOptions {
        missing: Missing::new(nulls.into_iter().collect()),
        unguard: open::formula_guard(manifest.formula_guard.as_deref()),
        ..ReadOptions::default()
    }
}

fn cells(
    attribute: &DeclaredAttribute,
    column: &Column,
    made_up: bool,
) -> Result<Vec<CellId>, CountsProblem> {
    let labels = labels(attribute, made_up);
    let cell = |code: Code| {
        if column.domain.missing() == Some(code) {
            attribute.missing_cell()
        } else {
            cell(attribute, &labels, column.domain.text(code), made_up)
        }
    };
    let map: Vec<Option<CellId>> = (0..column.domain.len() as Code).map(cell).collect();
    let cells: Vec<CellId> = column
        .codes
        .iter()
        .filter_map(|code| map[code as usize])
        .collect();
    match column.codes.len() - cells.len() {
        0 => Ok(cells),
        rows => Err(CountsProblem::OutsideDomain {
            column: attribute.name.clone(),
            rows: rows as u64,
        }),
    }
}

/// The cells that are published by their label: all of them in tables of counts, none of the bins
/// in made-up records.
fn labels(attribute: &DeclaredAttribute, made_up: bool) -> HashMap<String, CellId> {
    let first = match &attribute.domain {
        DeclaredValues::Bins(bins) if made_up => bins.starts.len(),
        _ => 0,
    };
    (first..attribute.len())
        .map(|cell| (attribute.label(cell as CellId), cell as CellId))
        .collect()
}

/// The cell that a text of made-up records is in.
pub fn cell_of(attribute: &DeclaredAttribute, text: &str) -> Option<CellId> {
    cell(attribute, &labels(attribute, true), text, true)
}

fn cell(
    attribute: &DeclaredAttribute,
    labels: &HashMap<String, CellId>,
    text: &str,
    made_up: bool,
) -> Option<CellId> {
    let number = || match attribute.place(text, false) {
        Place::Cell(cell) if made_up && matches!(attribute.domain, DeclaredValues::Bins(_)) => {
            Some(cell)
        }
        _ => None,
    };
    labels.get(text).copied().or_else(number)
}

fn counts(column: &Column) -> Result<Vec<f64>, CountsProblem> {
    let count = |text: &str| {
        text.parse::<f64>()
            .ok()
            .filter(|n| n.is_finite() && *n >= 0.0)
    };
    let map: Vec<Option<f64>> = (0..column.domain.len() as Code)
        .map(|code| count(column.domain.text(code)))
        .collect();
    let counts: Vec<f64> = column
        .codes
        .iter()
        .filter_map(|code| map[code as usize])
        .collect();
    match column.codes.len() - counts.len() {
        0 => Ok(counts),
        rows => Err(CountsProblem::NotCounts { rows: rows as u64 }),
    }
}
