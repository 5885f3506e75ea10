//! Full-domain generalization: one level of its hierarchy per column, the same for everybody.
//!
//! Units (rows, or weighted tuples) are published with the ancestors of their values at the current
//! levels, and those that then look alike are a class. This is Sweeney's full-domain recoding
//! (Datafly, 1997; Samarati 2001): no label follows from the rows of its class, only from the
//! levels. Levels start at 0, the values themselves, and only rise, so every later class is a union
//! of earlier ones.
//!
//! Values without a hierarchy have one level above them, `*`. A missing value is a value of its own
//! and meets others only at the root, unless the hierarchy's file has a place for it. A level
//! beyond [`HIGHEST`] is taken for the root.
//!
//! Cost: a number per unit and column in memory; a step and a look at the classes cost O(units ×
//! columns).

use mingle_model::{Cell, Code, Codes, Domain};
use std::collections::HashMap;

/// A cell holds its level in a byte; no table that people fill in comes near.
const HIGHEST: usize = u8::MAX as usize;

/// Rows (or weighted tuples), each quasi-identifier at one level of its hierarchy for all of them.
#[derive(Clone)]
pub struct FullDomain<'a> {
    columns: Vec<Column<'a>>,
    levels: Vec<usize>,
}

#[derive(Clone)]
struct Column<'a> {
    domain: &'a Domain,
    codes: &'a Codes,
    height: usize,
    /// Per unit its node at the current level.
    nodes: Vec<u32>,
    /// How many nodes the current level has.
    width: usize,
}

impl<'a> FullDomain<'a> {
    /// All levels 0. A column is its values' meaning and a code per unit. A column without a
    /// hierarchy has height 1: value, then `*`.
    pub fn new(columns: Vec<(&'a Domain, &'a Codes)>) -> Self {
        let columns: Vec<Column> = columns
            .into_iter()
            .map(|(domain, codes)| Column::new(domain, codes))
            .collect();
        FullDomain {
            levels: vec![0; columns.len()],
            columns,
        }
    }

    /// The level of each column; 0 are the values themselves.
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// The level of each column's root.
    pub fn heights(&self) -> Vec<usize> {
        self.columns.iter().map(|column| column.height).collect()
    }

    /// Whether every column is at its root.
    pub fn is_root(&self) -> bool {
        (0..self.columns.len()).all(|column| self.is_at_root(column))
    }

    /// Raises by one level the not yet fully generalized column with the most distinct *current*
    /// values among these units; ties go to the first column. Which one; `None` at the root.
    pub fn step(&mut self, units: &[u32]) -> Option<usize> {
        let open = (0..self.columns.len()).filter(|&column| !self.is_at_root(column));
        let distinct = open.map(|column| (self.columns[column].distinct(units), column));
        let (_, column) =
            distinct.reduce(|best, other| if other.0 > best.0 { other } else { best })?;
        self.levels[column] += 1;
        self.columns[column].rise_to(self.levels[column]);
        Some(column)
    }

    /// The classes of these units: equal at the current levels. Per unit, parallel to `units`, its
    /// class; classes are numbered by their first member.
    pub fn classes(&self, units: &[u32]) -> Vec<u32> {
        let mut keys = vec![0u64; units.len()];
        let mut range = 1u64;
        for column in self.columns.iter().filter(|column| column.width > 1) {
            let width = column.width as u64;
            range = match range.checked_mul(width) {
                Some(range) => range,
                // as many numbers as units at most, so that any further column fits
                None => number_by_first(&mut keys, range).saturating_mul(width),
            };
            keys.iter_mut()
                .zip(units)
                .for_each(|(key, &u)| *key = *key * width + u64::from(column.nodes[u as usize]));
        }
        number_by_first(&mut keys, range);
        keys.into_iter().map(|class| class as u32).collect()
    }

    /// The lowest cell that covers the *current* (generalized) values of all these units in a
    /// column: the node at the current level if they agree, else their lowest common ancestor.
    /// Never lower than the current level; `*` for no units at all.
    pub fn cover(&self, column: usize, units: impl Iterator<Item = u32>) -> Cell {
        self.cover_span(column, self.span(column, units))
    }

    /// The first and the last node of these units at the current level of a column, in the order of
    /// its hierarchy; the first is behind the last for no units at all.
    pub(crate) fn span(&self, column: usize, units: impl Iterator<Item = u32>) -> (u32, u32) {
        let nodes = units.map(|unit| self.columns[column].nodes[unit as usize]);
        nodes.fold((u32::MAX, 0), |(lo, hi), node| (lo.min(node), hi.max(node)))
    }

    /// What covers all nodes between two.
    pub(crate) fn cover_span(&self, column: usize, (lo, hi): (u32, u32)) -> Cell {
        let (level, column) = (self.levels[column], &self.columns[column]);
        if lo > hi {
            Cell::All
        } else if lo == hi {
            column.cell(level, lo)
        } else {
            column.ancestor(level, lo, hi)
        }
    }

    fn is_at_root(&self, column: usize) -> bool {
        self.levels[column] == self.columns[column].height
    }
}

impl<'a> Column<'a> {
    fn new(domain: &'a Domain, codes: &'a Codes) -> Self {
        let height = domain
            .hierarchy()
            .map_or(1, |tree| tree.height().min(HIGHEST));
        Column {
            domain,
            codes,
            height,
            nodes: codes.iter().collect(),
            width: domain.len(),
        }
    }

    fn rise_to(&mut self, level: usize) {
        match self.domain.hierarchy().filter(|_| level < self.height) {
            None => {
                self.nodes.fill(0);
                self.width = 1;
            }
            Some(tree) => {
                self.nodes
                    .iter_mut()
                    .zip(self.codes.iter())
                    .for_each(|(node, c)| *node = tree.ancestor(c, level));
                self.width = tree.nodes(level);
            }
        }
    }

    fn distinct(&self, units: &[u32]) -> usize {
        let mut seen = vec![false; self.width];
        units
            .iter()
            .filter(|&&unit| {
                !std::mem::replace(&mut seen[self.nodes[unit as usize] as usize], true)
            })
            .count()
    }

    fn cell(&self, level: usize, node: u32) -> Cell {
        match self.domain.hierarchy() {
            _ if level >= self.height => Cell::All,
            Some(_) => Cell::Node {
                level: level as u8,
                node,
            },
            None => Cell::Span { lo: node, hi: node },
        }
    }

    /// The lowest node above two different ones of the same level; nodes are in depth-first order.
    fn ancestor(&self, level: usize, lo: u32, hi: u32) -> Cell {
        let Some(tree) = self.domain.hierarchy() else {
            return Cell::All;
        };
        let (first, last): (Code, Code) = (tree.leaves(level, lo).0, tree.leaves(level, hi).1);
        let (level, node) = tree.lowest_common_ancestor(first, last);
        self.cell(level, node)
    }
}

/// Replaces keys below `range` by numbers from 0 on in order of first appearance; returns how many
/// there are.
fn number_by_first(keys: &mut [u64], range: u64) -> u64 {
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        next
    };
    if range <= DENSE * keys.len() as u64 {
        let mut numbers = vec![0u64; range as usize];
        for key in keys {
            let number = &mut numbers[*key as usize];
            if *number == 0 {
                *number = fresh();
            }
            *key = *number - 1;
        }
    } else {
        let mut numbers: HashMap<u64, u64> = HashMap::new();
        keys.iter_mut()
            .for_each(|key| *key = *numbers.entry(*key).or_insert_with(&mut fresh) - 1);
    }
    next
}

/// Up to so many times the number of keys, a table is quicker than a map.
const DENSE: u64 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Column as Encoded, ColumnSpec, HierarchySource, Missing, Number, Role};

    fn column(texts: &[&str], hierarchy: Option<HierarchySource>) -> Encoded {
        let spec = ColumnSpec {
            hierarchy,
            ..ColumnSpec::new("q", Role::QuasiIdentifier)
        };
        Encoded::from_texts(spec, texts.iter().copied(), &Missing::default())
            .ok()
            .unwrap()
    }

    fn intervals(widths: &[&str]) -> Option<HierarchySource> {
        Some(HierarchySource::Intervals(
            widths.iter().map(|w| Number::parse(w).unwrap()).collect(),
        ))
    }

    fn of(columns: &[Encoded]) -> FullDomain<'_> {
        FullDomain::new(columns.iter().map(|c| (&c.domain, &c.codes)).collect())
    }

    fn label(columns: &[Encoded], full: &FullDomain, column: usize, units: &[u32]) -> String {
        columns[column]
            .domain
            .label(&full.cover(column, units.iter().copied()))
    }

    fn seven_patients() -> [Encoded; 2] {
        let zip = [
            "12345", "12345", "12363", "12361", "12362", "12471", "12473",
        ];
        let age = ["23", "29", "41", "43", "59", "52", "55"];
        [
            column(&zip, Some(HierarchySource::Mask(2))),
            column(&age, intervals(&["10", "20"])),
        ]
    }

    #[test]
    fn the_column_with_most_current_values_rises_first() {
        let columns = seven_patients();
        let all = [0, 1, 2, 3, 4, 5, 6];
        let mut full = of(&columns);
        assert_eq!(full.heights(), [3, 3]);
        // 6 and 7 values, then 6 and 3, then a tie of 3 and 3, then 2 and 3, then 2 and 2, then 1
        // and 2
        let steps: Vec<_> = std::iter::from_fn(|| full.step(&all)).collect();
        assert_eq!(steps, [1, 0, 0, 1, 0, 1]);
        assert!(full.is_root() && full.step(&all).is_none());
        assert_eq!(full.levels(), [3, 3]);
        assert_eq!(full.classes(&all), [0; 7]);
    }

    #[test]
    fn only_the_given_units_are_counted() {
        let columns = [
            column(&["a", "a", "a", "b", "c"], None),
            column(&["x", "y", "z", "z", "z"], None),
        ];
        assert_eq!(
            of(&columns).step(&[0, 1, 2, 3, 4]),
            Some(0),
            "a tie goes to the first column"
        );
        assert_eq!(of(&columns).step(&[0, 1, 2]), Some(1));
        assert_eq!(of(&columns).step(&[2, 3, 4]), Some(0));
        assert_eq!(of(&columns).step(&[]), Some(0));
    }

    #[test]
    fn classes_are_numbered_by_their_first_member() {
        let columns = seven_patients();
        let mut full = of(&columns[..1]);
        assert_eq!(full.classes(&[6, 0, 1, 6, 3]), [0, 1, 1, 0, 2]);
        full.step(&[0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(full.classes(&[0, 1, 2, 3, 4, 5, 6]), [0, 0, 1, 1, 1, 2, 2]);
        assert_eq!(full.classes(&[5, 4, 3, 0]), [0, 1, 1, 2]);
        assert!(full.classes(&[]).is_empty());
        assert_eq!(FullDomain::new(Vec::new()).classes(&[0, 1]), [0, 0]);
    }

    #[test]
    fn labels_are_those_of_the_level_and_never_lower() {
        let columns = seven_patients();
        let mut full = of(&columns);
        let all = [0, 1, 2, 3, 4, 5, 6];
        assert_eq!(label(&columns, &full, 0, &[0, 1]), "12345");
        assert_eq!(label(&columns, &full, 0, &[2, 3]), "1236*");
        (0..2).for_each(|_| assert!(full.step(&all).is_some()));
        assert_eq!(full.levels(), [1, 1]);
        assert_eq!(
            label(&columns, &full, 0, &[0]),
            "1234*",
            "a single value is published at its level"
        );
        assert_eq!(label(&columns, &full, 0, &[0, 2]), "123**");
        assert_eq!(label(&columns, &full, 0, &[2, 3, 4, 5, 6]), "*");
        assert_eq!(label(&columns, &full, 1, &[2, 3, 4, 5, 6]), "[40-59]");
        assert_eq!(label(&columns, &full, 1, &[]), "*");
    }

    #[test]
    fn a_missing_value_meets_others_only_at_the_root() {
        let columns = [
            column(&["?", "20", "25", "?"], intervals(&["10", "20"])),
            column(&["?", "u", "v", "?"], None),
        ];
        let mut full = of(&columns);
        let all = [0, 1, 2, 3];
        assert_eq!([full.step(&all), full.step(&all)], [Some(0), Some(1)]);
        assert_eq!(full.classes(&all), [0, 1, 1, 0]);
        assert_eq!(label(&columns, &full, 0, &[0, 3]), "");
        assert_eq!(label(&columns, &full, 0, &[0, 1]), "*");
        assert_eq!(
            label(&columns, &full, 1, &[0]),
            "*",
            "without a hierarchy there is one level"
        );
        assert_eq!(label(&columns, &of(&columns), 1, &[0, 3]), "");
        assert_eq!(label(&columns, &of(&columns), 1, &[1, 2]), "*");
    }

    #[test]
    fn any_number_of_columns_and_levels_fits() {
        let texts: Vec<String> = (0..200).map(|i| format!("{i:0>300}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let long = column(&texts, Some(HierarchySource::Mask(299)));
        let columns: Vec<Encoded> = std::iter::repeat_n(long, 9).collect();
        let all: Vec<u32> = (0..200).collect();
        let mut full = of(&columns);
        assert_eq!(
            full.classes(&all),
            all,
            "200 to the power of 9 needs more than 64 bits"
        );
        assert_eq!(full.heights(), [HIGHEST; 9]);
        while full.step(&all).is_some() {}
        assert_eq!(full.cover(0, all.iter().copied()), Cell::All);
    }
}
