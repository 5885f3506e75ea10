//! Who is in which table: a quarter of the people in both, a quarter in the first alone, a quarter
//! in the second alone, and a quarter in neither.

use crate::data::PeopleRows;
use crate::deal::shuffled;
use crate::error::Error;
use mingle_model::Table;
use mingle_synth::Distribution;

/// How many providers the m-private tables have.
pub const PROVIDERS: u32 = 10;

/// Some of the people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeoplePart {
    /// The first organisation's.
    First,
    /// The second organisation's.
    Second,
    /// Those of both.
    Common,
    /// Those of neither.
    Neither,
}

/// One way of dealing people to the tables.
pub struct Draw {
    /// Which draw it is.
    pub number: u64,
    /// Of one provider: first, second, common, neither.
    tables: [Table; 4],
    /// First and second, dealt to providers.
    dealt: [Table; 2],
}

impl Draw {
    /// Deals `rows` people, or all that there are.
    pub fn new(data: &PeopleRows, rows: usize, seed: u64, number: u64) -> Result<Draw, Error> {
        let order = shuffled(data.rows(), seed, number);
        let order = &order[..rows.min(data.rows()) / 4 * 4];
        // one by one, so that everybody's place in a table is random
        let part = |quarters: &[usize]| -> Vec<usize> {
            let theirs = order
                .iter()
                .enumerate()
                .filter(|(at, _)| quarters.contains(&(at % 4)));
            theirs.map(|(_, &row)| row).collect()
        };
        let [first, second, common, neither] = [&[0, 1][..], &[0, 2], &[0], &[3]].map(part);
        let alone = |rows: &[usize]| data.some(rows, 1, Distribution::Uniform);
        let dealt = |rows: &[usize]| data.some(rows, PROVIDERS, Distribution::Exponential);
        Ok(Draw {
            number,
            dealt: [dealt(&first)?, dealt(&second)?],
            tables: [
                alone(&first)?,
                alone(&second)?,
                alone(&common)?,
                alone(&neither)?,
            ],
        })
    }

    /// A table. Only the organisations' own can be dealt to providers.
    pub fn table(&self, part: PeoplePart, dealt: bool) -> &Table {
        match (part, dealt) {
            (PeoplePart::First, true) => &self.dealt[0],
            (PeoplePart::Second, true) => &self.dealt[1],
            (part, _) => &self.tables[part as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(table: &Table) -> Vec<String> {
        let text = |row| {
            table
                .columns
                .iter()
                .map(move |c| c.domain.text(c.codes.get(row)))
        };
        (0..table.rows())
            .map(|row| text(row).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn half_of_each_table_is_in_both_and_a_quarter_in_none() {
        let data = PeopleRows::load(None, 1_000, 3).unwrap();
        let draw = Draw::new(&data, 1_000, 0, 0).unwrap();
        let [first, second, common, neither] = [
            PeoplePart::First,
            PeoplePart::Second,
            PeoplePart::Common,
            PeoplePart::Neither,
        ]
        .map(|part| people(draw.table(part, false)));
        assert_eq!(
            [first.len(), second.len(), common.len(), neither.len()],
            [500, 500, 250, 250]
        );
        for mine in [&first, &second] {
            assert!(
                mine.iter().step_by(2).eq(&common),
                "every other one, in the same order"
            );
        }
        assert_eq!(people(draw.table(PeoplePart::First, true)), first);
        let mut all = [&first[..], &neither].concat();
        all.extend(second.iter().skip(1).step_by(2).cloned());
        let mut everybody = people(
            &data
                .some(&(0..1_000).collect::<Vec<_>>(), 1, Distribution::Uniform)
                .unwrap(),
        );
        all.sort();
        everybody.sort();
        assert_eq!(all, everybody, "everybody is somewhere, once");
    }

    #[test]
    fn draws_differ() {
        let data = PeopleRows::load(None, 400, 3).unwrap();
        let first = |seed, number| {
            people(
                Draw::new(&data, 400, seed, number)
                    .unwrap()
                    .table(PeoplePart::First, false),
            )
        };
        assert_eq!(first(1, 0), first(1, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
    }
}
