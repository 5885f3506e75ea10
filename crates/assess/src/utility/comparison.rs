//! A release beside its original: what each published label stands for among the original values.
//!
//! Labels are read once per distinct text. A label that cannot be read, or that covers no value of
//! the original, is an error: a figure about a table that is no generalization of the original
//! would mean nothing.

use mingle_model::{Cube, Domain, LabelReader, Missing, Published, QuasiIdentifier, Reading};
use rayon::prelude::*;
use thiserror::Error;

/// Why a release cannot be measured. Columns and group numbers, never values.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum Error {
    /// The release has a quasi-identifier that the original lacks, or the other way round.
    #[error("column {column} is a quasi-identifier of only one of release and original")]
    Column {
        /// The column that has no partner.
        column: String,
    },
    /// A label that is none of the column's.
    #[error("column {column}, group {group}: the label cannot be read")]
    Unreadable {
        /// The quasi-identifier.
        column: String,
        /// The first such group in published order, counted from 1.
        group: usize,
    },
    /// A label that stands for no value of the original.
    #[error("column {column}, group {group}: the label covers no value of the original")]
    CoversNothing {
        /// The quasi-identifier.
        column: String,
        /// The first such group in published order, counted from 1.
        group: usize,
    },
    /// The release cannot come from this original.
    #[error("the release has {published} rows, more than the {original} rows of the original")]
    MoreRows {
        /// Rows of the release.
        published: u64,
        /// Rows of the original.
        original: u64,
    },
}

/// Release and original, column by column.
pub struct Comparison<'a> {
    original: &'a Cube,
    published: &'a Published,
    columns: Vec<ComparedColumn<'a>>,
    sizes: Vec<u64>,
    published_rows: u64,
}

/// A quasi-identifier of both tables.
pub struct ComparedColumn<'a> {
    original: &'a QuasiIdentifier,
    place: usize,
    readings: Vec<Reading>,
    rows: Vec<u64>,
    frequencies: Vec<u64>,
}

/// How a label is read.
type ReadLabel = fn(&LabelReader<'_>, &str) -> Option<Reading>;

impl<'a> Comparison<'a> {
    /// Matches columns by name and reads every label that a row carries.
    pub fn new(
        original: &'a Cube,
        missing: &Missing,
        published: &'a Published,
    ) -> Result<Self, Error> {
        Comparison::read(original, missing, published, |reader, label| {
            reader.read(label)
        })
    }

    /// The same for a release whose numbers are centroids, which need not occur in the original.
    pub fn of_centroids(
        original: &'a Cube,
        missing: &Missing,
        published: &'a Published,
    ) -> Result<Self, Error> {
        Comparison::read(original, missing, published, |reader, label| {
            reader.read_centroid(label)
        })
    }

    fn read(
        original: &'a Cube,
        missing: &Missing,
        published: &'a Published,
        read: ReadLabel,
    ) -> Result<Self, Error> {
        let sizes: Vec<u64> = (0..published.groups()).map(|g| published.size(g)).collect();
        let published_rows = sizes.iter().sum();
        if published_rows > original.rows() {
            return Err(Error::MoreRows {
                published: published_rows,
                original: original.rows(),
            });
        }
        let names = || original.quasi_identifiers().iter().map(|qi| &qi.name);
        if let Some(extra) = published
            .columns()
            .iter()
            .find(|c| names().all(|name| *name != c.name))
        {
            return Err(Error::Column {
                column: extra.name.clone(),
            });
        }
        let column = |qi| ComparedColumn::new(original, qi, (missing, read), published, &sizes);
        let columns = original
            .quasi_identifiers()
            .iter()
            .map(column)
            .collect::<Result<_, _>>()?;
        Ok(Comparison {
            original,
            published,
            columns,
            sizes,
            published_rows,
        })
    }

    /// The original.
    pub fn original(&self) -> &'a Cube {
        self.original
    }

    /// The release.
    pub fn published(&self) -> &'a Published {
        self.published
    }

    /// The quasi-identifiers in the original's order.
    pub fn columns(&self) -> &[ComparedColumn<'a>] {
        &self.columns
    }

    /// Published rows of each group.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Rows of the original.
    pub fn rows(&self) -> u64 {
        self.original.rows()
    }

    /// Rows of the release.
    pub fn published_rows(&self) -> u64 {
        self.published_rows
    }

    /// Rows of the original that the release does not have.
    pub fn suppressed(&self) -> u64 {
        self.rows() - self.published_rows
    }
}

impl<'a> ComparedColumn<'a> {
    fn new(
        cube: &Cube,
        original: &'a QuasiIdentifier,
        reader: (&Missing, ReadLabel),
        published: &Published,
        sizes: &[u64],
    ) -> Result<Self, Error> {
        let place = published
            .columns()
            .iter()
            .position(|c| c.name == original.name);
        let place = place.ok_or_else(|| Error::Column {
            column: original.name.clone(),
        })?;
        let labels = &published.columns()[place].labels;
        let mut rows = vec![0; labels.len()];
        for (group, size) in sizes.iter().enumerate() {
            rows[published.labels(group)[place] as usize] += size;
        }
        let readings =
            read(&original.domain, reader, labels, &rows).map_err(|(label, covers_nothing)| {
                let found = (0..published.groups())
                    .position(|g| published.labels(g)[place] as usize == label);
                let (column, group) = (original.name.clone(), found.map_or(0, |g| g + 1));
                if covers_nothing {
                    Error::CoversNothing { column, group }
                } else {
                    Error::Unreadable { column, group }
                }
            })?;
        let mut frequencies = vec![0; original.domain.len()];
        for tuple in 0..cube.tuples() {
            frequencies[original.codes.get(tuple) as usize] += cube.weight(tuple);
        }
        Ok(ComparedColumn {
            original,
            place,
            readings,
            rows,
            frequencies,
        })
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.original.name
    }

    /// The original column.
    pub fn original(&self) -> &'a QuasiIdentifier {
        self.original
    }

    /// The original values.
    pub fn domain(&self) -> &'a Domain {
        &self.original.domain
    }

    /// The column's place in the release.
    pub fn place(&self) -> usize {
        self.place
    }

    /// What each label stands for; empty for a label that no row carries.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Per label how many published rows carry it.
    pub fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// Per original value how many original rows have it.
    pub fn frequencies(&self) -> &[u64] {
        &self.frequencies
    }
}

/// Reads the labels that some row carries; the error is the first bad label and whether it covers
/// nothing.
fn read(
    domain: &Domain,
    (missing, read): (&Missing, ReadLabel),
    labels: &[String],
    rows: &[u64],
) -> Result<Vec<Reading>, (usize, bool)> {
    let reader = LabelReader::new(domain, missing);
    let one = |(label, &rows): (&String, &u64)| match rows {
        0 => Some(Reading {
            ranges: Vec::new(),
            bounds: None,
        }),
        _ => read(&reader, label),
    };
    let readings: Vec<Option<Reading>> = labels.par_iter().zip(rows).map(one).collect();
    let checked = readings
        .into_iter()
        .enumerate()
        .map(|(label, reading)| match reading {
            None => Err((label, false)),
            Some(reading) if rows[label] > 0 && reading.count() == 0 => Err((label, true)),
            Some(reading) => Ok(reading),
        });
    checked.collect()
}
