//! Why a sheet of a workbook is not read as a table.
//!
//! A sheet can hold more than a table does: cells over several columns, results that were never
//! computed, rows that nobody sees. Whatever would have to be guessed at is refused, with where it
//! is. Rows are numbered as spreadsheets number them; sheets are told by their place among the
//! tabs, because the name of a sheet may be a person's.

use mingle_model::counted;
use thiserror::Error;

/// What is wrong with a workbook or one of its sheets. Shown behind the name of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum SheetFlaw {
    #[error(": the workbook is damaged or of an unknown kind")]
    Damaged,
    #[error(": the workbook is encrypted")]
    Encrypted,
    #[error(": none of its {} has the name that the policy gives", counted(.sheets, "sheet"))]
    NoSuchSheet { sheets: usize },
    #[error(": {} sheets hold cells ({})", .filled.len(), places(.filled))]
    SeveralSheets { filled: Vec<usize> },
    #[error(": the only sheet that holds cells is number {sheet}, and it is hidden")]
    OnlyHidden { sheet: usize },

    #[error(": the cells {range} are merged")]
    MergedCells { range: String },
    #[error(", row {row}: a hidden row")]
    HiddenRow { row: u64 },
    #[error(": column {letters} is hidden")]
    HiddenColumn { letters: String },
    #[error(", row {row}: rows follow below an empty one")]
    RowsBelowGap { row: u64 },
    #[error(", row {row}: a cell in column {letters}, which has no name")]
    UnnamedColumn { row: u64, letters: String },

    #[error(", row {row}, column {column:?}: {flaw}")]
    Cell {
        row: u64,
        column: String,
        flaw: CellFlaw,
    },

    #[error(": a part of more than {limit} bytes once it is unpacked")]
    Unpacked { limit: u64 },
    #[error(": texts of more than {limit} bytes that its sheets share")]
    SharedTexts { limit: usize },
    #[error(": more than {limit} parts in the workbook")]
    Parts { limit: usize },
    #[error(": more than {limit} bytes in a row or a text")]
    TooLong { limit: usize },
    #[error(": more than {limit} rows in a sheet")]
    Rows { limit: u64 },
}

impl SheetFlaw {
    /// The row and the column's name, as far as the flaw has them.
    pub fn place(&self) -> (Option<u64>, Option<&String>) {
        use SheetFlaw as F;
        match self {
            F::Cell { row, column, .. } => (Some(*row), Some(column)),
            F::HiddenRow { row } | F::RowsBelowGap { row } | F::UnnamedColumn { row, .. } => {
                (Some(*row), None)
            }
            _ => (None, None),
        }
    }

    /// Whether a limit of this program was reached, as opposed to a sheet that is wrong.
    pub fn is_limit(&self) -> bool {
        use SheetFlaw as F;
        matches!(
            self,
            F::Unpacked { .. }
                | F::SharedTexts { .. }
                | F::Parts { .. }
                | F::TooLong { .. }
                | F::Rows { .. }
        )
    }
}

/// Why a cell of a sheet has no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say what each variant is")]
pub enum CellFlaw {
    #[error("an error such as #N/A or #REF!")]
    ErrorValue,
    #[error("a formula whose result is not in the file")]
    NoResult,
    #[error("a number of more than 15 digits, which a sheet does not keep exactly")]
    LongNumber,
    #[error("a date that could be another one, or a time of day, in another program")]
    AmbiguousDate,
    #[error("a date outside the years 1900 to 9999, or none")]
    NoDate,
    #[error("a value of an unknown kind")]
    Unknown,
}

/// Where sheets are among the tabs; no more than a few of them.
fn places(sheets: &[usize]) -> String {
    const SHOWN: usize = 10;
    let mut text = String::from("by their place among the tabs: ");
    for (at, sheet) in sheets.iter().take(SHOWN).enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        text.push_str(&sheet.to_string());
    }
    if sheets.len() > SHOWN {
        text.push_str(" …");
    }
    text
}
