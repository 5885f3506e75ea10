//! Hierarchies: how a value becomes less precise, step by step, up to `*`.
//!
//! All leaves are at the same depth (as in the ARX format and in Li et al. 2007, who define the
//! hierarchical distance on it). Codes follow the depth-first order of the tree, so that every node
//! is a range of codes and the lowest common ancestor of a group is that of its smallest and
//! largest code. Cost: memory `O(values × levels)`, ancestor look-up `O(1)`, lowest common ancestor
//! `O(levels)`.

mod bands;
mod prefix;
mod rows;
mod rule;
mod template;

pub use bands::{Ages, Bands};
pub use prefix::{ELLIPSIS, check_lengths};
pub(crate) use rows::{RowIndex, RowPlace};
pub(crate) use rule::{PathRule, Rung};
pub use template::{OTHER_CODES, Template};

use crate::codes::Code;
use crate::column::Position;
use crate::counted;
use crate::date;
use crate::number::Number;
use crate::schema::Kind;
use std::collections::HashMap;
use thiserror::Error;

/// The label of every root, whatever the file calls it.
pub const ROOT: &str = "*";

/// Where a column's hierarchy comes from.
#[derive(Clone, Debug)]
pub enum HierarchySource {
    /// Rows of a file, leaf first, root last (the ARX format).
    Rows(HierarchyRows),
    /// The last 1, 2, … n characters replaced by `*`.
    Mask(usize),
    /// Intervals of these widths from zero on, each a multiple of the one before.
    Intervals(Vec<Number>),
    /// Months, quarters, years, decades.
    Dates(Vec<date::Level>),
    /// The first characters, so many on each level, from many to few.
    Prefix(Vec<usize>),
    /// Between bounds that the policy names, the outermost bands open.
    Bands(Bands),
    /// Years of age from dates of birth, then bands of them.
    Age(Ages),
    /// By the structure of a public code system.
    Template(Template),
}

impl HierarchySource {
    /// No column's hierarchy of this source is higher, whatever its values are.
    pub fn most_levels(&self) -> usize {
        match self {
            HierarchySource::Rows(source) => source
                .rows
                .first()
                .map_or(0, |(_, row)| row.len().saturating_sub(1)),
            HierarchySource::Mask(n) => n + 1,
            HierarchySource::Intervals(widths) => widths.len() + 1,
            HierarchySource::Dates(levels) => levels.len() + 1,
            HierarchySource::Prefix(lengths) => lengths.len() + 1,
            HierarchySource::Bands(bands) => bands.height() + 1,
            HierarchySource::Age(ages) => ages.height() + 1,
            HierarchySource::Template(template) => template.height() + 1,
        }
    }

    /// The kind of values that it is for, where there is only one. Codes are text even where all
    /// of them look like numbers: 250.80 is not 250.8.
    pub fn implied_kind(&self) -> Option<Kind> {
        match self {
            HierarchySource::Prefix(_) | HierarchySource::Template(_) => Some(Kind::Category),
            HierarchySource::Age(_) => Some(Kind::Date),
            _ => None,
        }
    }

    /// The rule in its own words; a file only as such, because its path is private.
    pub fn describe(&self) -> String {
        match self {
            HierarchySource::Rows(_) => "file".to_owned(),
            HierarchySource::Mask(n) => format!("mask {n}"),
            HierarchySource::Intervals(widths) => {
                let widths: Vec<String> = widths
                    .iter()
                    .map(|w| Number::text(w.mantissa, w.scale))
                    .collect();
                format!("intervals {}", widths.join(", "))
            }
            HierarchySource::Dates(levels) => {
                let levels: Vec<&str> = levels.iter().map(|l| l.name()).collect();
                format!("dates {}", levels.join(", "))
            }
            HierarchySource::Prefix(lengths) => {
                let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
                format!("prefix {}", lengths.join(", "))
            }
            HierarchySource::Bands(bands) => format!("bands {}", bands.describe()),
            HierarchySource::Age(ages) => format!("age {}", ages.describe()),
            HierarchySource::Template(template) => format!("template {}", template.name()),
        }
    }
}

/// The rows of a hierarchy file.
#[derive(Clone, Debug)]
pub struct HierarchyRows {
    /// The file's name, for messages.
    pub file: String,
    /// Line number and fields of each row.
    pub rows: Vec<(u64, Vec<String>)>,
}

/// Why a hierarchy cannot be used. Positions, never values.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum HierarchyError {
    /// No rows at all.
    #[error("{file} has no rows")]
    Empty {
        /// The hierarchy file.
        file: String,
    },
    /// A row with another number of levels than the first.
    #[error("{file}, line {line}: {found} levels where the first row has {expected}")]
    Ragged {
        /// The hierarchy file.
        file: String,
        /// The row's line.
        line: u64,
        /// Levels of the first row.
        expected: usize,
        /// Levels of this row.
        found: usize,
    },
    /// Only leaves, nothing to generalize to.
    #[error("{file} has a single column: nothing to generalize to")]
    NoLevels {
        /// The hierarchy file.
        file: String,
    },
    /// A node below two different parents.
    #[error(
        "{file}, line {line}: the label at level {level} has another parent than at line {first}"
    )]
    TwoParents {
        /// The hierarchy file.
        file: String,
        /// The line that contradicts.
        line: u64,
        /// Level of the label, 0 is the leaf.
        level: usize,
        /// The line it contradicts.
        first: u64,
    },
    /// The last level has more than one label.
    #[error(
        "{file}, line {line}: the last level differs from line {first}: there must be one root"
    )]
    TwoRoots {
        /// The hierarchy file.
        file: String,
        /// The line that contradicts.
        line: u64,
        /// The line it contradicts.
        first: u64,
    },
    /// One label for different sets of values: a reader could not tell which is meant.
    #[error(
        "{file}, line {line}: the label at level {level} stands for other values at another level"
    )]
    Ambiguous {
        /// The hierarchy file.
        file: String,
        /// A line where the meanings differ.
        line: u64,
        /// Level of the label, 0 is the leaf.
        level: usize,
    },
    /// Values of the column that no leaf stands for.
    #[error(
        "{file} has no row for {} of the column, the first at {position}", counted(.missing, "distinct value")
    )]
    Gap {
        /// The hierarchy file.
        file: String,
        /// How many distinct values are not covered.
        missing: usize,
        /// Where the first of them stands.
        position: Position,
    },
    /// Widths that are not positive, ascending multiples.
    #[error("interval widths must be positive and each a multiple of the one before")]
    Widths,
    /// No widths, levels or masked characters at all.
    #[error("the hierarchy has no level")]
    NoLevel,
    /// A range of a file that ends before it begins.
    #[error("{file}, line {line}: the range ends before it begins")]
    RangeReversed {
        /// The hierarchy file.
        file: String,
        /// The row's line.
        line: u64,
    },
    /// Two rows of a file for one value.
    #[error("{file}, line {line}: the leaf overlaps with the one at line {first}")]
    RangesOverlap {
        /// The hierarchy file.
        file: String,
        /// The later row's line.
        line: u64,
        /// The line of the row that it overlaps with.
        first: u64,
    },
    /// A value that is spelled like a label for other values.
    #[error("{position}: a value is spelled like a label that stands for other values as well")]
    LabelIsValue {
        /// Where the value stands.
        position: Position,
    },
    /// Bands without a bound.
    #[error("the bands of level {level} have no bound")]
    NoBound {
        /// Counted from 1, the finest.
        level: usize,
    },
    /// Bounds that do not ascend.
    #[error("the bands of level {level} must ascend: bound {place} is not above the one before")]
    BoundsUnsorted {
        /// Counted from 1, the finest.
        level: usize,
        /// Which bound, counted from 1.
        place: usize,
    },
    /// A bound that cuts through a band of the level below.
    #[error("bound {place} of level {level} is no bound of the finer level before it")]
    BoundsNotNested {
        /// Counted from 1, the finest.
        level: usize,
        /// Which bound, counted from 1.
        place: usize,
    },
    /// A level that repeats the one below.
    #[error("the bands of level {level} are those of the level before")]
    SameBounds {
        /// Counted from 1, the finest.
        level: usize,
    },
    /// A bound between two whole numbers, for whole numbers.
    #[error("a bound is a fraction, but the column holds whole numbers")]
    FractionalBound,
    /// A beginning of no characters: that is the root.
    #[error("prefix length {place} must be at least 1")]
    PrefixOfNothing {
        /// Which length, counted from 1.
        place: usize,
    },
    /// Lengths that do not decrease.
    #[error("prefix lengths must decrease: length {place} is not below the one before")]
    PrefixUnsorted {
        /// Which length, counted from 1.
        place: usize,
    },
    /// Dates of birth after the day of reference.
    #[error(
        "{position}: a date after the one at which ages are taken ({} in all)", counted(.later, "distinct date")
    )]
    BornLater {
        /// How many distinct dates are later.
        later: usize,
        /// Where the first of them stands.
        position: Position,
    },
    /// A hierarchy for another kind of column.
    #[error("{needs} needs a column of {expected}")]
    WrongKind {
        /// What was asked for.
        needs: &'static str,
        /// The kinds it works with.
        expected: &'static str,
    },
}

/// A column's hierarchy over the values that occur, from the level above the leaves up to the root.
#[derive(Clone, PartialEq, Eq)]
pub struct Hierarchy {
    levels: Vec<Level>,
}

#[derive(Clone, PartialEq, Eq)]
struct Level {
    node_of: Vec<u32>,
    nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Eq)]
struct Node {
    label: String,
    first: Code,
    last: Code,
}

impl Hierarchy {
    /// Levels above the leaves; the root is at this level.
    pub fn height(&self) -> usize {
        self.levels.len()
    }

    /// How many nodes a level has; level 0 are the leaves.
    pub fn nodes(&self, level: usize) -> usize {
        match level {
            0 => self.levels[0].node_of.len(),
            _ => self.levels[level - 1].nodes.len(),
        }
    }

    /// The node above a code at a level; at level 0 the code itself.
    #[inline]
    pub fn ancestor(&self, code: Code, level: usize) -> u32 {
        if level == 0 {
            code
        } else {
            self.levels[level - 1].node_of[code as usize]
        }
    }

    /// The first and last code below a node.
    pub fn leaves(&self, level: usize, node: u32) -> (Code, Code) {
        if level == 0 {
            return (node, node);
        }
        let node = &self.levels[level - 1].nodes[node as usize];
        (node.first, node.last)
    }

    /// A node's label; `None` for leaves, whose text the column's domain has.
    pub fn label(&self, level: usize, node: u32) -> Option<&str> {
        match level {
            0 => None,
            l if l == self.height() => Some(ROOT),
            l => Some(&self.levels[l - 1].nodes[node as usize].label),
        }
    }

    /// Level and node of the lowest common ancestor of all codes from `lo` to `hi`.
    #[inline]
    pub fn lowest_common_ancestor(&self, lo: Code, hi: Code) -> (usize, u32) {
        (0..=self.height())
            .map(|level| (level, self.ancestor(lo, level)))
            .find(|&(level, node)| node == self.ancestor(hi, level))
            .expect("all codes meet at the root")
    }

    /// The codes below the highest inner node of that label, the file's own name of the root
    /// included.
    pub fn find(&self, label: &str) -> Option<(Code, Code)> {
        self.levels
            .iter()
            .rev()
            .flat_map(|l| &l.nodes)
            .find(|n| n.label == label)
            .map(|n| (n.first, n.last))
    }

    /// What [`find`](Hierarchy::find) says, for all labels at once.
    pub(crate) fn meanings(&self) -> HashMap<&str, (Code, Code)> {
        let mut meanings = HashMap::new();
        for level in &self.levels {
            for node in &level.nodes {
                meanings.insert(node.label.as_str(), (node.first, node.last));
            }
        }
        meanings
    }

    /// Orders values so that every node is a range, and builds the tree over them.
    ///
    /// `paths[i]` are the labels above value `i`, from its parent up to the root; values come in
    /// the order they should have among siblings. Returns the tree and the values' new order.
    pub(crate) fn build(paths: &[Vec<String>]) -> (Hierarchy, Vec<usize>) {
        let height = paths.first().map_or(0, Vec::len);
        // a node's rank is that of its first leaf, so the order of the values decides the order of
        // the nodes
        let mut first: Vec<HashMap<&str, usize>> = vec![HashMap::new(); height];
        for (rank, path) in paths.iter().enumerate() {
            for (level, label) in path.iter().enumerate() {
                first[level].entry(label).or_insert(rank);
            }
        }
        let mut order: Vec<usize> = (0..paths.len()).collect();
        let key = |&value: &usize| -> Vec<usize> {
            (0..height)
                .rev()
                .map(|level| first[level][paths[value][level].as_str()])
                .chain([value])
                .collect()
        };
        order.sort_by_cached_key(key);
        let levels = (0..height)
            .map(|level| Level::build(order.iter().map(|&v| &paths[v][level])))
            .collect();
        (Hierarchy { levels }, order)
    }
}

impl Level {
    fn build<'a>(labels: impl Iterator<Item = &'a String>) -> Level {
        let mut level = Level {
            node_of: Vec::new(),
            nodes: Vec::<Node>::new(),
        };
        for (code, label) in labels.enumerate() {
            let code = code as Code;
            match level.nodes.last_mut() {
                Some(node) if node.label == *label => node.last = code,
                _ => level.nodes.push(Node {
                    label: label.clone(),
                    first: code,
                    last: code,
                }),
            }
            level.node_of.push(level.nodes.len() as u32 - 1);
        }
        level
    }
}

/// Checks a file's rows: equal length, one parent each, one root.
///
/// Returns for each leaf its place in the file and the row's index.
pub(crate) fn check_rows(source: &HierarchyRows) -> Result<HashMap<&str, usize>, HierarchyError> {
    let file = || source.file.clone();
    let Some((first_line, first_row)) = source.rows.first() else {
        return Err(HierarchyError::Empty { file: file() });
    };
    if first_row.len() < 2 {
        return Err(HierarchyError::NoLevels { file: file() });
    }
    let mut leaves = HashMap::new();
    let mut parents: Vec<HashMap<&str, (&str, u64)>> = vec![HashMap::new(); first_row.len() - 1];
    for (index, (line, row)) in source.rows.iter().enumerate() {
        if row.len() != first_row.len() {
            return Err(HierarchyError::Ragged {
                file: file(),
                line: *line,
                expected: first_row.len(),
                found: row.len(),
            });
        }
        for (level, pair) in row.windows(2).enumerate() {
            let &mut (parent, first) = parents[level].entry(&pair[0]).or_insert((&pair[1], *line));
            if parent != pair[1] {
                return Err(HierarchyError::TwoParents {
                    file: file(),
                    line: *line,
                    level,
                    first,
                });
            }
        }
        if row.last() != first_row.last() {
            return Err(HierarchyError::TwoRoots {
                file: file(),
                line: *line,
                first: *first_line,
            });
        }
        leaves.entry(row[0].as_str()).or_insert(index);
    }
    check_labels(source)?;
    Ok(leaves)
}

/// A label may stand at several levels (a node and its only child), but then for the same values.
/// Labels that are all stars are read as everything wherever they stand, so a value may not be
/// called that.
fn check_labels(source: &HierarchyRows) -> Result<(), HierarchyError> {
    let mut levels_of: HashMap<&str, Vec<usize>> = HashMap::new();
    for (_, row) in &source.rows {
        for (level, label) in row.iter().enumerate() {
            let levels = levels_of.entry(label).or_default();
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
    }
    for (line, row) in &source.rows {
        let differs = |(level, label): &(usize, &String)| {
            if rows::is_only_stars(label) {
                // the leaf `*` is the place of all values that have no row
                *level == 0 && label.as_str() != ROOT
            } else {
                levels_of[label.as_str()]
                    .iter()
                    .any(|&other| row[other] != **label)
            }
        };
        if let Some((level, _)) = row.iter().enumerate().find(differs) {
            return Err(HierarchyError::Ambiguous {
                file: source.file.clone(),
                line: *line,
                level,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> HierarchyRows {
        let rows = text.lines().enumerate();
        let rows = rows
            .map(|(i, l)| (i as u64 + 1, l.split(';').map(str::to_owned).collect()))
            .collect();
        HierarchyRows {
            file: "h.csv".into(),
            rows,
        }
    }

    #[test]
    fn a_tree_orders_its_leaves_depth_first() {
        let source = rows("a;x;*\nb;y;*\nc;x;*");
        let paths: Vec<_> = source.rows.iter().map(|(_, r)| r[1..].to_vec()).collect();
        let (tree, order) = Hierarchy::build(&paths);
        assert_eq!(order, [0, 2, 1]);
        assert_eq!(tree.lowest_common_ancestor(0, 1), (1, 0));
        assert_eq!(tree.lowest_common_ancestor(1, 2), (2, 0));
        assert_eq!(tree.lowest_common_ancestor(2, 2), (0, 2));
        assert_eq!((tree.label(1, 0), tree.label(2, 0)), (Some("x"), Some("*")));
        assert_eq!(tree.find("x"), Some((0, 1)));
    }

    #[test]
    fn what_a_file_may_not_say() {
        let fails = |text: &str| check_rows(&rows(text)).unwrap_err();
        assert!(matches!(fails(""), HierarchyError::Empty { .. }));
        assert!(matches!(fails("a\nb"), HierarchyError::NoLevels { .. }));
        assert!(matches!(
            fails("a;x;*\nb;*"),
            HierarchyError::Ragged {
                line: 2,
                expected: 3,
                found: 2,
                ..
            }
        ));
        assert!(matches!(
            fails("a;x;*\nb;x;*\na;y;*"),
            HierarchyError::TwoParents {
                line: 3,
                level: 0,
                first: 1,
                ..
            }
        ));
        assert!(matches!(
            fails("a;x;p;*\nb;x;q;*"),
            HierarchyError::TwoParents {
                line: 2,
                level: 1,
                first: 1,
                ..
            }
        ));
        assert!(matches!(
            fails("a;x\nb;y"),
            HierarchyError::TwoRoots {
                line: 2,
                first: 1,
                ..
            }
        ));
        assert!(matches!(
            fails("10;20;*\n40;20;*\n20;a;*"),
            HierarchyError::Ambiguous {
                line: 1,
                level: 1,
                ..
            }
        ));
        assert!(matches!(
            fails("10;x;y;*\n20;w;x;*"),
            HierarchyError::Ambiguous {
                line: 1,
                level: 1,
                ..
            }
        ));
        assert!(matches!(
            fails("**;a;all\n20;a;all"),
            HierarchyError::Ambiguous {
                line: 1,
                level: 0,
                ..
            }
        ));
        assert!(check_rows(&rows("a;x;*\na;x;*")).is_ok());
        assert!(check_rows(&rows("a;a;*\nb;x;*")).is_ok());
    }
}
