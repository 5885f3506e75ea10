//! Labels that are fixed before anybody's rows are seen.
//!
//! A column's public vocabulary: `*`; the missing value; a column of numbers or dates without a
//! hierarchy has the ranges of the grid that the policy declares, and no single values unless the
//! grid has them; a column with a hierarchy has its nodes and leaves; any other has its single
//! values. Such a label says in which part of the vocabulary a group lies. It has no end and no
//! element that is there because somebody attains it.

use crate::column::Column;
use crate::domain::Domain;
use crate::grid::DeclaredGrid;
use crate::hierarchy::ROOT;
use crate::label::{Cell, LabelReader};
use crate::number::Number;
use crate::schema::{ColumnSpec, Kind, Missing, Role};

impl DeclaredGrid {
    /// The first of some labels that is not in the vocabulary of a column with this grid, by its place.
    /// Needs no values: for a release that is read back. `None` also where the grid is not for this kind.
    pub fn first_foreign_label(
        &self,
        kind: Kind,
        labels: &[String],
        missing: &Missing,
    ) -> Option<usize> {
        // any value as precise as the grid makes a column that has it
        let value = match (self, kind) {
            (_, Kind::Date) => "2000-01-01".to_owned(),
            (DeclaredGrid::Multiples(step), _) => Number::text(step.mantissa, step.scale),
            (DeclaredGrid::Periods(_), _) => return None,
        };
        let spec = ColumnSpec {
            kind: Some(kind),
            grid: Some(self.clone()),
            ..ColumnSpec::new("", Role::QuasiIdentifier)
        };
        let column = Column::from_texts(spec, [value.as_str()], missing).ok()?;
        let reader = LabelReader::new(&column.domain, missing);
        labels.iter().position(|label| {
            if label == ROOT || missing.contains(label) {
                return false;
            }
            let grid = column.domain.declared_grid();
            let bounds = reader.read(label).and_then(|reading| reading.bounds);
            let (Some((lo, hi)), Some(grid)) = (bounds, grid) else {
                return true;
            };
            // read with more decimal places, an end would have been rounded
            !grid.has(lo, hi) || column.domain.label(&Cell::Between { lo, hi }) != *label
        })
    }
}

impl Domain {
    /// Per label whether it belongs to the column's public vocabulary.
    pub(crate) fn in_vocabulary(&self, labels: &[String], missing: &Missing) -> Vec<bool> {
        let reader = LabelReader::new(self, missing);
        let mut known = Vec::with_capacity(labels.len());
        for label in labels {
            known.push(self.has_word(&reader, label));
        }
        known
    }

    fn has_word(&self, reader: &LabelReader<'_>, label: &str) -> bool {
        if label == ROOT {
            return true;
        }
        let Some(reading) = reader.read(label) else {
            return false;
        };
        let is_value = reading.count() == 1;
        if let Some(tree) = self.hierarchy() {
            return tree.find(label).is_some() || is_value;
        }
        if !self.kind().is_numeric() {
            return is_value;
        }
        match (reading.bounds, self.declared_grid()) {
            (Some((low, high)), Some(grid)) => grid.has(low, high),
            // only the missing value has no bounds
            (None, _) => is_value,
            (Some(_), None) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::date::Level;
    use crate::hierarchy::HierarchySource;

    fn known(spec: ColumnSpec, values: &[&str], labels: &[&str]) -> Vec<bool> {
        let missing = Missing::default();
        let column = Column::from_texts(spec, values.iter().copied(), &missing);
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        column.ok().unwrap().domain.in_vocabulary(&labels, &missing)
    }

    fn spec() -> ColumnSpec {
        ColumnSpec::new("q", Role::QuasiIdentifier)
    }

    #[test]
    fn numbers_have_the_ranges_of_the_declared_grid() {
        let grid = Number::parse("5").map(DeclaredGrid::Multiples);
        let declared = ColumnSpec { grid, ..spec() };
        let labels = [
            "*", "", "[20-24]", "[20-29]", "[20-23]", "[21-24]", "20", "[15-20]",
        ];
        let values = ["20", "21", "29", ""];
        assert_eq!(
            known(declared, &values, &labels),
            [true, true, true, true, false, false, false, false]
        );
        assert_eq!(
            known(spec(), &values, &labels[..3]),
            [true, true, false],
            "no grid is declared"
        );
    }

    #[test]
    fn labels_that_are_read_back_are_compared_with_the_grid_alone() {
        let missing = Missing::default();
        let first = |grid: &DeclaredGrid, kind, labels: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            grid.first_foreign_label(kind, &labels, &missing)
        };
        let fives = Number::parse("5").map(DeclaredGrid::Multiples).unwrap();
        let fine = ["*", "?", "[20-24]", "[-5-9]"];
        assert_eq!(first(&fives, Kind::Integer, &fine), None);
        for told in ["22", "[20-23]", "[20-24.5]", "{20|22}", "tall"] {
            assert_eq!(
                first(&fives, Kind::Integer, &["*", told]),
                Some(1),
                "{told}"
            );
        }
        let months = DeclaredGrid::Periods(Level::Month);
        let label = "[2001-03-01/2001-04-30]";
        assert_eq!(first(&months, Kind::Date, &[label]), None);
        assert_eq!(
            first(&months, Kind::Date, &["[2001-03-02/2001-04-30]"]),
            Some(0)
        );
        let halves = Number::parse("0.5").map(DeclaredGrid::Multiples).unwrap();
        assert_eq!(
            first(&halves, Kind::Decimal, &["[0.5-0.9]", "[0.5-1]"]),
            Some(1)
        );
    }

    #[test]
    fn categories_have_their_values_and_nodes() {
        let labels = ["*", "a1", "{a1|b1}", "a*"];
        let values = ["a1", "a2", "b1"];
        assert_eq!(
            known(spec(), &values, &labels[..3]),
            [true, true, false],
            "a set lists who is there"
        );
        let masked = ColumnSpec {
            hierarchy: Some(HierarchySource::Mask(2)),
            ..spec()
        };
        assert_eq!(known(masked, &values, &labels), [true, true, false, true]);
    }
}
