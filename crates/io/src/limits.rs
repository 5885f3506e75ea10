//! How much of an untrusted file is taken.

/// Bounds on what is read; reaching one is an error for which
/// [`Error::is_limit`](crate::Error::is_limit) holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Columns of a file. Default 4,096.
    pub columns: usize,
    /// Bytes of a cell. Default 1 MiB.
    pub cell: usize,
    /// Bytes of a CSV record, so that an unclosed quote does not swallow a file. Default 16 MiB.
    pub record: usize,
    /// Rows of all files together. Default 4,294,967,295: rows are numbered in 32 bits.
    pub rows: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            columns: 4_096,
            cell: 1 << 20,
            record: 16 << 20,
            rows: u32::MAX.into(),
        }
    }
}
