//! A reader of tables of some columns, who combines what each says about a person's occupation.
//!
//! A value is left where every table that has the sensitive column counts at least half a person
//! with it beside what the person is known to be. Its likelihood is the value's own share times,
//! for each such table, how often people with the value are like the person: as if columns depended
//! on each other through the value alone. Both releases multiply.

use super::reader::{LearntShares, PeopleFound};
use mingle_dp::universe::{CellId, Place};
use mingle_dp::{Content, DeclaredAttribute, Output, marginals::Marginal};
use mingle_model::{Column, Role, Table};

/// Two releases of tables.
pub struct NoisyTables<'a> {
    attributes: &'a [DeclaredAttribute],
    sensitive: usize,
    releases: Vec<Vec<View<'a>>>,
    common: Option<CellId>,
}

/// A table that has the sensitive column: its other columns, and counts by their cells and the
/// value.
struct View<'a> {
    table: &'a Marginal,
    others: Vec<usize>,
}

/// Less than this many people are none.
const SOMEBODY: f64 = 0.5;

impl<'a> NoisyTables<'a> {
    /// Takes the tables that say something about the sensitive column.
    pub fn new(releases: [&'a Output; 2]) -> NoisyTables<'a> {
        let attributes = &releases[0].attributes;
        let is_sensitive = |a: &DeclaredAttribute| a.role == Role::Sensitive;
        let sensitive = attributes
            .iter()
            .position(is_sensitive)
            .expect("there is a sensitive column");
        let views = |output: &'a Output| -> Vec<View<'a>> {
            let Content::Marginals(tables) = &output.content else {
                return Vec::new();
            };
            let with = tables.iter().filter(|t| t.attributes.contains(&sensitive));
            with.map(|table| View::new(table, sensitive)).collect()
        };
        let releases: Vec<Vec<View<'a>>> = releases.into_iter().map(views).collect();
        let mut all = NoisyTables {
            attributes,
            sensitive,
            releases,
            common: None,
        };
        all.common =
            (0..all.values() as CellId).max_by(|&a, &b| all.share(a).total_cmp(&all.share(b)));
        all
    }

    fn values(&self) -> usize {
        self.attributes[self.sensitive].len()
    }

    /// How many people have a value, by the first table.
    fn share(&self, value: CellId) -> f64 {
        let table = self.releases.iter().flatten().next();
        table.map_or(0.0, |view| {
            view.with(self.attributes, self.sensitive, value)
        })
    }

    /// Reads everybody of a table.
    pub fn learnt(&self, people: &Table) -> LearntShares {
        let cells: Vec<Vec<CellId>> = self.attributes.iter().map(|a| cells(a, people)).collect();
        let shares: Vec<Vec<Vec<f64>>> = self
            .releases
            .iter()
            .map(|views| self.totals(views))
            .collect();
        let mut tally = PeopleFound::default();
        for (row, &own) in cells[self.sensitive].iter().enumerate() {
            let person = |attribute: usize| cells[attribute][row];
            let mut left: Vec<(bool, f64)> = Vec::new();
            for value in 0..self.values() as CellId {
                let likely = self.likely(&person, value, &shares);
                if likely > 0.0 {
                    left.push((value == own, likely));
                }
            }
            let by_both = self.releases.iter().all(|views| !views.is_empty());
            tally.count(&left, by_both, Some(own) == self.common, 1);
        }
        tally.learnt()
    }

    /// By view and value how many people have the value.
    fn totals(&self, views: &[View]) -> Vec<Vec<f64>> {
        let of = |view: &View| {
            (0..self.values() as CellId)
                .map(|v| view.with(self.attributes, self.sensitive, v))
                .collect()
        };
        views.iter().map(of).collect()
    }

    /// How likely a value is for a person; 0 where a table has nobody with it.
    fn likely(
        &self,
        person: &impl Fn(usize) -> CellId,
        value: CellId,
        totals: &[Vec<Vec<f64>>],
    ) -> f64 {
        let mut likely = 1.0;
        for (views, totals) in self.releases.iter().zip(totals) {
            let Some(of_first) = totals.first() else {
                continue;
            };
            likely *= of_first[usize::from(value)].max(0.0);
            for (view, totals) in views.iter().zip(totals) {
                let count = view.count(self.attributes, self.sensitive, person, value);
                likely *= if count < SOMEBODY {
                    0.0
                } else {
                    count / totals[usize::from(value)]
                };
            }
        }
        likely
    }
}

impl<'a> View<'a> {
    fn new(table: &'a Marginal, sensitive: usize) -> View<'a> {
        let others = table
            .attributes
            .iter()
            .copied()
            .filter(|&a| a != sensitive)
            .collect();
        View { table, others }
    }

    /// The count of people like a person who have a value.
    fn count(
        &self,
        attributes: &[DeclaredAttribute],
        sensitive: usize,
        person: &impl Fn(usize) -> CellId,
        value: CellId,
    ) -> f64 {
        let cell = |a: usize| if a == sensitive { value } else { person(a) };
        let place = |at: usize, &a: &usize| at * attributes[a].len() + usize::from(cell(a));
        self.table.counts[self.table.attributes.iter().fold(0, place)]
    }

    /// The count of people who have a value.
    fn with(&self, attributes: &[DeclaredAttribute], sensitive: usize, value: CellId) -> f64 {
        let combinations: usize = self.others.iter().map(|&a| attributes[a].len()).product();
        let of = |at: usize| {
            let person = |attribute: usize| {
                let later = self.others.iter().skip_while(|&&a| a != attribute).skip(1);
                let step: usize = later.map(|&a| attributes[a].len()).product();
                (at / step % attributes[attribute].len()) as CellId
            };
            self.count(attributes, sensitive, &person, value)
        };
        (0..combinations).map(of).sum()
    }
}

/// A column's cells, row by row.
fn cells(attribute: &DeclaredAttribute, table: &Table) -> Vec<CellId> {
    let named = |column: &&Column| column.spec.name == attribute.name;
    let column = table
        .columns
        .iter()
        .find(named)
        .expect("the releases have the columns of the people");
    let place = |code: u32| match attribute.place(column.domain.text(code), false) {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => cell,
        Place::Nowhere => 0,
    };
    let map: Vec<CellId> = (0..column.domain.len() as u32).map(place).collect();
    column.codes.iter().map(|code| map[code as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_dp::ledger::Receipt;
    use mingle_dp::noise::Shape;
    use mingle_dp::{Amount, Epsilon, Guarantee};
    use mingle_model::{ColumnSpec, Missing, Providers};

    const QUASI_IDENTIFIERS: [&str; 2] = ["sex", "race"];

    fn attributes() -> Vec<DeclaredAttribute> {
        let of = |name: &str, role| crate::codebook::declared(name).unwrap().attribute(role);
        let mut all: Vec<DeclaredAttribute> = QUASI_IDENTIFIERS
            .iter()
            .map(|name| of(name, Role::QuasiIdentifier))
            .collect();
        all.push(of("occupation", Role::Sensitive));
        all
    }

    /// Counts of sex or race by occupation.
    fn table(attribute: usize, counts: impl Fn(usize, usize) -> f64) -> Marginal {
        let cells = attributes()[attribute].len();
        let counts = (0..cells)
            .flat_map(|cell| (0..14).map(move |value| (cell, value)))
            .map(|(c, v)| counts(c, v));
        Marginal {
            attributes: vec![attribute, 2],
            counts: counts.collect(),
            deviation: 0.0,
        }
    }

    fn release(tables: Vec<Marginal>) -> Output {
        let guarantee = Guarantee::Pure {
            epsilon: Epsilon(Amount::parse("1").unwrap()),
        };
        Output {
            attributes: attributes(),
            guarantee,
            records_per_person: 1,
            shape: Shape::Laplace,
            content: Content::Marginals(tables),
            receipt: Receipt::for_experiment(guarantee),
        }
    }

    fn people(rows: &[[&str; 3]]) -> Table {
        let column = |at: usize, name: &str, role| {
            Column::from_texts(
                ColumnSpec::new(name, role),
                rows.iter().map(|row| row[at]),
                &Missing::default(),
            )
        };
        let columns = vec![
            column(0, "sex", Role::QuasiIdentifier).unwrap(),
            column(1, "race", Role::QuasiIdentifier).unwrap(),
            column(2, "occupation", Role::Sensitive).unwrap(),
        ];
        let provider_of = std::iter::repeat_n(0, rows.len()).collect();
        Table {
            columns,
            providers: Providers::new(vec![String::new()]),
            provider_of,
            person_of: None,
        }
    }

    #[test]
    fn tables_together_leave_one_value() {
        // women have one of the first two occupations, people of the first race the second or third
        let sexes = |cell: usize, value: usize| {
            if (cell == 0) == (value < 2) {
                10.0
            } else {
                0.0
            }
        };
        let races = |cell: usize, value: usize| {
            if (cell == 0) == (value == 1 || value == 2) {
                10.0
            } else {
                0.0
            }
        };
        let both = release(vec![table(0, sexes), table(1, races)]);
        let found = |rows: &[[&str; 3]]| NoisyTables::new([&both, &both]).learnt(&people(rows));
        let right = found(&[["Female", "White", "Craft-repair"]]);
        assert_eq!(
            (right.claimed, right.claimed_right, right.guessed),
            (1.0, 1.0, 1.0)
        );
        let wrong = found(&[["Female", "White", "Sales"]]);
        assert_eq!(
            (wrong.claimed, wrong.claimed_right, wrong.guessed),
            (1.0, 0.0, 0.0)
        );
        let open = found(&[["Male", "Black", "Sales"]]);
        assert_eq!((open.claimed, open.quarter), (0.0, 0.0));
    }

    #[test]
    fn the_likeliest_value_follows_all_tables() {
        let sexes = |_: usize, value: usize| if value == 3 { 30.0 } else { 20.0 };
        let races = |cell: usize, value: usize| if (cell, value) == (4, 5) { 90.0 } else { 10.0 };
        let both = release(vec![table(0, sexes), table(1, races)]);
        let found = |rows: &[[&str; 3]]| {
            NoisyTables::new([&both, &both])
                .learnt(&people(rows))
                .guessed
        };
        assert_eq!(
            found(&[
                ["Male", "White", "Sales"],
                ["Male", "Black", "Prof-specialty"]
            ]),
            1.0
        );
        assert_eq!(
            found(&[
                ["Male", "White", "Prof-specialty"],
                ["Male", "Black", "Sales"]
            ]),
            0.0
        );
    }

    #[test]
    fn tables_without_the_column_say_nothing() {
        let counts = vec![5.0; 10];
        let both = release(vec![Marginal {
            attributes: vec![0, 1],
            counts,
            deviation: 0.0,
        }]);
        let found = NoisyTables::new([&both, &both]).learnt(&people(&[["Male", "White", "Sales"]]));
        assert_eq!((found.claimed, found.quarter), (0.0, 0.0));
    }
}
