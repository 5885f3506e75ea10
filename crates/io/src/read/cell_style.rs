//! How cells are written, to tell the names of columns from what stands below them.
//!
//! Names and values are mostly written by different people: `sex` above `Male` and `Female`,
//! `diagnosis` above `E11.9`. So cells that agree among themselves in a feature that the name does
//! not have speak for a header, and so do values that recur while the name is none of them: of a
//! column in which one value in twenty occurs once, about one first line in twenty would be new.
//!
//! Cost: a pass over the characters of each cell that is looked at, and a hash of it.

/// Features of a text.
const FEATURES: usize = 5;
/// Fewer cells of a column agree by chance.
const FEWEST_OF_COLUMN: u64 = 6;
/// Fewer cells of all columns together agree by chance, and differ from all names.
const FEWEST_OF_ALL: u64 = 4;
/// Fewer values recur by chance.
const FEWEST_TO_RECUR: u64 = 10;

/// The styles of the cells of all columns.
pub(super) struct CellStyles {
    columns: Vec<ColumnStyle>,
    hasher: ahash::RandomState,
}

#[derive(Default)]
struct ColumnStyle {
    cells: u64,
    /// Cells without a letter: numbers, days, bands.
    without_letter: u64,
    /// Per feature the cells that have it.
    with_feature: [u64; FEATURES],
    /// Hashes of the texts, and how often each occurs.
    occurs: std::collections::HashMap<u64, u64>,
}

impl CellStyles {
    pub(super) fn new(columns: usize) -> Self {
        let mut all = Vec::new();
        all.resize_with(columns, ColumnStyle::default);
        CellStyles {
            columns: all,
            // the same on every machine
            hasher: ahash::RandomState::with_seeds(1, 2, 3, 4),
        }
    }

    /// Looks at a cell that holds a value.
    pub(super) fn see(&mut self, at: usize, cell: &str) {
        let hash = self.hasher.hash_one(cell);
        let column = &mut self.columns[at];
        column.cells += 1;
        column.without_letter += u64::from(!cell.chars().any(char::is_alphabetic));
        for (count, has) in column.with_feature.iter_mut().zip(features(cell)) {
            *count += u64::from(has);
        }
        *column.occurs.entry(hash).or_default() += 1;
    }

    /// Whether something tells these names from the cells below them. Where all of them are missing
    /// there is nothing that they could be told from.
    pub(super) fn speak_for(&self, names: &[String]) -> bool {
        if self.columns.iter().all(|column| column.cells == 0) {
            return true;
        }
        for (column, name) in self.columns.iter().zip(names) {
            if column.has_numbers_below(name)
                || column.recurs()
                || column.is_written_otherwise(name)
            {
                return true;
            }
        }
        self.all_are_written_otherwise(names)
    }

    /// Of a few rows no column says much by itself, but all of them together do.
    fn all_are_written_otherwise(&self, names: &[String]) -> bool {
        let cells: u64 = self.columns.iter().map(|column| column.cells).sum();
        for feature in 0..FEATURES {
            let mut with_feature = 0;
            for column in &self.columns {
                with_feature += column.with_feature[feature];
            }
            let mut named_otherwise = 0;
            for name in names {
                let differs = differs(features(name)[feature], with_feature, cells);
                named_otherwise += usize::from(differs);
            }
            if cells >= FEWEST_OF_ALL && named_otherwise == names.len() {
                return true;
            }
        }
        false
    }
}

impl ColumnStyle {
    /// Whether the name is a word above numbers, days or bands. A name with digits may be a code
    /// among them, as `V58` is among `250` and `401`, so hardly a cell may have a letter then.
    fn has_numbers_below(&self, name: &str) -> bool {
        if self.cells == 0 || !name.chars().any(char::is_alphabetic) {
            return false;
        }
        if name.bytes().any(|byte| byte.is_ascii_digit()) {
            nearly_all(self.without_letter, self.cells)
        } else {
            self.without_letter * 2 >= self.cells
        }
    }

    /// Whether hardly a value occurs only once.
    fn recurs(&self) -> bool {
        let once = self.occurs.values().filter(|&&count| count == 1).count() as u64;
        self.cells >= FEWEST_TO_RECUR && once * 20 <= self.cells
    }

    fn is_written_otherwise(&self, name: &str) -> bool {
        if self.cells < FEWEST_OF_COLUMN {
            return false;
        }
        let of_name = features(name);
        for (feature, &with_feature) in self.with_feature.iter().enumerate() {
            if differs(of_name[feature], with_feature, self.cells) {
                return true;
            }
        }
        false
    }
}

/// Whether cells agree in having a feature that the name lacks, or in lacking one that it has.
fn differs(name_has: bool, with_feature: u64, cells: u64) -> bool {
    let other = if name_has {
        cells - with_feature
    } else {
        with_feature
    };
    nearly_all(other, cells)
}

fn nearly_all(part: u64, all: u64) -> bool {
    part * 20 >= all * 19
}

fn features(text: &str) -> [bool; FEATURES] {
    [
        text.bytes().any(|byte| byte.is_ascii_digit()),
        text.chars().next().is_some_and(char::is_uppercase),
        text.chars().any(char::is_lowercase),
        text.contains(' '),
        text.contains('_'),
    ]
}
