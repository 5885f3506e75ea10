//! One cell, anonymized by itself and verified against the whole table.

use super::TablePart;
use crate::failure;
use crate::publish::make_part;
use crate::run::Run;
use mingle_model::{Codes, Column, Cube, Partition, Published, Rendered, Role, Table};
use mingle_privacy::{LabelPromise, ReferenceTable, Verified};
use mingle_record::{Problem, ProblemCode};
use std::sync::Arc;

/// The groups of one cell.
pub struct AnonymizedCell {
    verified: Verified,
}

/// Rows of a cell that look alike and are of one provider.
pub struct AnonymizedLine<'a> {
    /// The labels of the quasi-identifiers, in the policy's order.
    pub labels: Vec<&'a str>,
    /// Who contributed the rows.
    pub provider: &'a str,
    /// The sensitive values, in the policy's order.
    pub sensitive: Vec<&'a str>,
    /// What is carried along, in the policy's order.
    pub insensitive: Vec<&'a str>,
    /// How many rows.
    pub count: u64,
}

impl TablePart<'_> {
    /// Anonymizes all rows of the part, which are one cell, with the policy's method.
    pub fn anonymize(&self, run: &Run) -> Result<AnonymizedCell, Problem> {
        let cube = Arc::new(self.cube()?);
        let whole = ReferenceTable::around(cube.sensitive(), &self.combinations);
        let whole = whole.ok_or_else(|| {
            Problem::new(
                ProblemCode::InputChanged,
                "a cell has sensitive values that were not there in the first pass",
                "publish from a table that nobody writes to, such as a snapshot",
            )
        })?;
        let planned = make_part(self.policy, self.insiders, cube, &whole, run)?;
        Ok(AnonymizedCell {
            verified: planned.verified,
        })
    }

    /// Whether ends of ranges are moved to the boundaries of the whole table, as one machine moves
    /// them. The grid follows from published values: where rows may be left out, a cell does not know
    /// which values the others publish, and nobody who is left out may show in a label. Where labels
    /// are public, the policy has declared the grid.
    pub(super) fn has_common_grid(&self) -> bool {
        self.policy.method.max_suppressed.numerator() == 0
            && self.insiders.labels != LabelPromise::Public
    }

    /// The rows of the part without those that stand for the whole table. What is carried along by
    /// row needs every row by itself.
    fn cube(&self) -> Result<Cube, Problem> {
        let carries = self.table.with_role(Role::Insensitive).next().is_some();
        let mut rows = Vec::with_capacity(self.counts.len());
        for (place, &count) in self.counts.iter().enumerate() {
            let times = if carries { count } else { 1 };
            rows.extend((0..times).map(|_| self.standing + place));
        }
        let pick = |codes: &Codes| rows.iter().map(|&row| codes.get(row)).collect::<Codes>();
        let mut columns = Vec::with_capacity(self.table.columns.len());
        for column in &self.table.columns {
            let mut domain = column.domain.clone();
            if self.has_common_grid() {
                domain = domain.with_grid_of_all_values();
            }
            columns.push(Column {
                spec: column.spec.clone(),
                domain,
                codes: pick(&column.codes),
            });
        }
        let table = Table {
            columns,
            providers: self.table.providers.clone(),
            provider_of: pick(&self.table.provider_of),
            person_of: None,
        };
        if carries {
            return Ok(Cube::new(table));
        }
        let cube = Cube::from_counts(table, &self.counts);
        cube.map_err(|_| failure::defect("the rows of a cell cannot be counted"))
    }
}

impl AnonymizedCell {
    /// What is published of the cell, in an order that depends on nothing but its rows.
    pub fn lines(&self) -> Result<Vec<AnonymizedLine<'_>>, Problem> {
        let published = self.verified.published();
        let rendered = published.rendered();
        let rendered = rendered.ok_or_else(|| failure::defect("a cell was not rendered"))?;
        let carried: Vec<&Column> = rendered.table().with_role(Role::Insensitive).collect();
        if carried.is_empty() {
            return Ok(counted_lines(published));
        }
        single_lines(published, rendered, &carried)
    }

    /// How many rows were left out.
    pub fn suppressed(&self) -> u64 {
        self.verified.published().suppressed()
    }
}

fn counted_lines(published: &Published) -> Vec<AnonymizedLine<'_>> {
    let mut lines = Vec::new();
    for group in 0..published.groups() {
        for entry in published.entries(group) {
            lines.push(AnonymizedLine {
                labels: published.describe(group).map(|(_, label)| label).collect(),
                provider: published.providers().name(entry.provider),
                sensitive: values(published, entry.sensitive),
                insensitive: Vec::new(),
                count: entry.count,
            });
        }
    }
    lines
}

fn single_lines<'a>(
    published: &'a Published,
    rendered: &'a Rendered,
    carried: &[&'a Column],
) -> Result<Vec<AnonymizedLine<'a>>, Problem> {
    let records = rendered.cube().record_of_row();
    let records = records.ok_or_else(|| failure::defect("rows of a cell are not known"))?;
    let mut lines = Vec::with_capacity(records.len());
    for (row, &record) in records.iter().enumerate() {
        let group = rendered.group_of()[record as usize];
        if group == Partition::SUPPRESSED {
            continue;
        }
        let record = rendered.cube().records()[record as usize];
        let described = published.describe(group as usize);
        lines.push(AnonymizedLine {
            labels: described.map(|(_, label)| label).collect(),
            provider: published.providers().name(record.provider),
            sensitive: values(published, record.sensitive),
            insensitive: carried
                .iter()
                .map(|column| column.domain.text(column.codes.get(row)))
                .collect(),
            count: 1,
        });
    }
    Ok(lines)
}

fn values(published: &Published, combination: u32) -> Vec<&str> {
    let mut values = Vec::with_capacity(published.sensitive().len());
    for column in published.sensitive() {
        values.push(column.domain.text(column.codes.get(combination as usize)));
    }
    values
}
