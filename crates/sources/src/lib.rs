//! Tables in other systems behind the one way in, [`mingle_io::Scan`], each behind a feature.
//!
//! * `workbook`: sheets of Excel (`.xlsx`) and LibreOffice (`.ods`), as [`Workbook`].
//! * `postgresql`: tables of PostgreSQL, by [`Databases`].
//!
//! [`table`] takes any file and chooses by its first bytes who reads it.
#![forbid(unsafe_code)]

mod database;
#[cfg(feature = "postgresql")]
mod postgresql;
mod stored;
#[cfg(feature = "workbook")]
mod workbook;

pub use database::{DatabasePlace, DatabaseRows, DatabaseTable, Databases};
pub use stored::ReleaseSchemas;

#[cfg(feature = "workbook")]
pub use workbook::Workbook;

use mingle_io::{DetectedFormat, Error, ReadOptions, Scan, Source};

/// A file as something to scan, whatever holds its table: text and Parquet are read by
/// [`Source`] itself, workbooks by [`Workbook`].
///
/// A file that cannot be looked at is left to [`Source`], which says why when it is opened.
pub fn table(source: Source) -> Box<dyn Scan> {
    #[cfg(feature = "workbook")]
    if Workbook::is_one(&source) {
        return Box::new(Workbook::new(source));
    }
    Box::new(source)
}

/// Looks at the start of a file and proposes how it is written, whatever holds its table: see
/// [`mingle_io::detect`]. Of a workbook there is nothing to propose but that it is one.
pub fn detect(source: &Source, options: &ReadOptions<'_>) -> Result<DetectedFormat, Error> {
    #[cfg(feature = "workbook")]
    if Workbook::is_one(source) {
        return Workbook::new(source.clone()).detect(options);
    }
    mingle_io::detect(source, options)
}
