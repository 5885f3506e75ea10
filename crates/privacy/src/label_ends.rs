//! Ends of published ranges: no coalition may be able to pin one on a victim.
//!
//! The range `[22-29]` says that somebody in the group has exactly 22. Where at most m of the
//! group's providers have a row with that value, a coalition of m may know that none of its own
//! rows has it, or all but one of those that have it may be in the coalition: the value is a
//! victim's. Such an end must lie where it would lie whoever has which value, on the column's
//! [`Grid`](mingle_model::Grid): a lower end at the largest boundary that is not above it, an upper
//! end just before the next one. An end that more than m providers attain stays true whatever m of
//! them take out.
//!
//! Looked at are ranges of numbers and dates without a hierarchy, of groups as they are published:
//! rows that look alike are one group. A label that is a single value says the same of everybody in
//! the group, whoever contributed, and is no end. Nodes of a hierarchy and elements of sets are not
//! looked at either, see `docs/threat-model.md`.
//!
//! This shares nothing with the code that widens ends. It reads the published texts and counts in
//! the table that they were made from; where that is not known, as for a release that is read back,
//! there is nothing to find. Cost O(records × columns with a grid), and sorting those records that
//! attain an end off the grid.

use mingle_model::{Cube, LabelReader, Missing, Partition, ProviderId, Published, QuasiIdentifier};

/// An end of a range that is off the grid although few providers attain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NarrowEnd {
    /// The group's place in published order.
    pub group: usize,
    /// The quasi-identifier's place.
    pub column: usize,
    /// Whether it is the upper end.
    pub upper: bool,
    /// How many of the group's providers have a row with exactly this value.
    pub attained_by: u64,
}

/// The first end that at most `m` of its group's providers attain and that is off the grid.
pub(crate) fn first_narrow_end(published: &Published, m: u64) -> Option<NarrowEnd> {
    let original = published.original()?;
    // without insiders an end may be anybody's
    if m == 0 {
        return None;
    }
    for (column, quasi_identifier) in original.quasi_identifiers().iter().enumerate() {
        let Some(off_grid) = ends_off_grid(published, column, quasi_identifier) else {
            continue;
        };
        let attained = Attained::new(published, original, column, &off_grid);
        for group in 0..published.groups() {
            let ends = off_grid[published.labels(group)[column] as usize];
            for (upper, end) in [(false, ends.lower), (true, ends.upper)] {
                if end.is_none() {
                    continue;
                }
                let attained_by = attained.by(group, upper);
                if attained_by <= m {
                    return Some(NarrowEnd {
                        group,
                        column,
                        upper,
                        attained_by,
                    });
                }
            }
        }
    }
    None
}

/// Those ends of a label that are not where widening would have put them.
#[derive(Clone, Copy, Default)]
struct EndsOffGrid {
    lower: Option<i128>,
    upper: Option<i128>,
}

/// By label; `None` for a column that is not published in ranges.
fn ends_off_grid(
    published: &Published,
    column: usize,
    quasi_identifier: &QuasiIdentifier,
) -> Option<Vec<EndsOffGrid>> {
    let grid = quasi_identifier.domain.grid()?;
    // which texts mean a missing value does not matter to a range
    let missing = Missing::default();
    let reader = LabelReader::new(&quasi_identifier.domain, &missing);
    let mut off_grid = Vec::new();
    for label in &published.columns()[column].labels {
        let mut ends = EndsOffGrid::default();
        // `*` can be read as a range as well, from the smallest to the largest value there is; it
        // does not say so
        let bounds = reader.read(label).and_then(|reading| reading.bounds);
        if let Some((lower, upper)) = bounds
            && label.starts_with('[')
            && lower < upper
        {
            ends.lower = Some(lower).filter(|&lower| grid.floor(lower) != lower);
            ends.upper = Some(upper).filter(|&upper| grid.ceil(upper) != upper);
        }
        off_grid.push(ends);
    }
    Some(off_grid)
}

/// Who attains the ends of one column's labels.
struct Attained {
    /// Group, end and provider, ascending, each once.
    by: Vec<(u32, bool, ProviderId)>,
}

impl Attained {
    fn new(
        published: &Published,
        original: &Cube,
        column: usize,
        off_grid: &[EndsOffGrid],
    ) -> Attained {
        let quasi_identifier = &original.quasi_identifiers()[column];
        let mut by = Vec::new();
        for tuple in 0..original.tuples() {
            let code = quasi_identifier.codes.get(tuple);
            let Some(number) = quasi_identifier.domain.number(code) else {
                continue;
            };
            for record in original.records_of(tuple) {
                let group = published.group_of()[record];
                if group == Partition::SUPPRESSED {
                    continue;
                }
                let label = published.labels(group as usize)[column];
                let ends = off_grid[label as usize];
                let provider = original.records()[record].provider;
                if ends.lower == Some(number) {
                    by.push((group, false, provider));
                }
                if ends.upper == Some(number) {
                    by.push((group, true, provider));
                }
            }
        }
        by.sort_unstable();
        by.dedup();
        Attained { by }
    }

    /// How many providers attain an end.
    fn by(&self, group: usize, upper: bool) -> u64 {
        let end = (group as u32, upper);
        let from = self.by.partition_point(|&(g, u, _)| (g, u) < end);
        let to = self.by.partition_point(|&(g, u, _)| (g, u) <= end);
        (to - from) as u64
    }
}
