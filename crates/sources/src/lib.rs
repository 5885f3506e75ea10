//! Tables in other systems behind the one way in, [`mingle_io::Scan`], each behind a feature.
//!
//! * `workbook`: sheets of Excel (`.xlsx`) and LibreOffice (`.ods`), as [`Workbook`].
//!
//! [`table`] takes any file and chooses by its first bytes who reads it.
#![forbid(unsafe_code)]

#[cfg(feature = "workbook")]
mod workbook;

#[cfg(feature = "workbook")]
pub use workbook::Workbook;

use mingle_io::{Scan, Source};

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
