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
    /// Bytes of what is kept in memory as a whole: a workbook as it is packed, the texts that its
    /// sheets share, standard input. Default 1 GiB.
    pub in_memory: usize,
    /// Bytes of one part of a workbook once it is unpacked; it is not kept. Default 4 GiB.
    pub unpacked: u64,
    /// Bytes of the text of one table that is packed with gzip, once it is unpacked. Default 64 GiB.
    pub unpacked_text: u64,
    /// Bytes of what is kept of all rows together, as an estimate: four for each cell of a column that is
    /// kept, and the distinct texts. Default 16 GiB.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            columns: 4_096,
            cell: 1 << 20,
            record: 16 << 20,
            rows: u32::MAX.into(),
            in_memory: 1 << 30,
            unpacked: 4 << 30,
            unpacked_text: 64 << 30,
            memory: 16 << 30,
        }
    }
}
