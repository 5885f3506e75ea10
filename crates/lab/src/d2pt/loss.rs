//! What a joint release costs its readers.
//!
//! Discernibility is the paper's: the sum of squared group sizes over the square of the number of
//! people. NCP and query error are those of any release, taken from the published labels. Groups
//! that came out with equal labels are one there, which changes neither: both add up over people.

use super::people::SplitPeople;
use crate::error::Error;
use mingle_assess::utility::{Comparison, UtilityOptions, ncp, query_error};
use mingle_model::{Cell, Missing, Partition, Published};
use mingle_protocol::Classes;

/// What follows from sizes and labels of groups.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SplitLoss {
    /// Normalized certainty penalty.
    pub ncp: f64,
    /// Mean relative error of the queries.
    pub query_error: f64,
}

/// Sum of squared sizes over the square of their sum: 1 where everybody is in one group.
pub fn discernibility(groups: &Classes) -> f64 {
    let squares: u64 = groups
        .sizes()
        .iter()
        .map(|&size| u64::from(size).pow(2))
        .sum();
    squares as f64 / (groups.people() as f64).powi(2)
}

/// Measures groups of people with their labels, group by group and column by column.
pub fn loss(
    people: &SplitPeople,
    groups: &Classes,
    cells: Vec<Cell>,
    options: UtilityOptions,
) -> Result<SplitLoss, Error> {
    let partition = Partition {
        group_of: group_of_records(people, groups)?,
        cells,
    };
    let missing = Missing::default();
    let published =
        Published::from_partition(people.cube(), &partition, &missing).map_err(|_| defect())?;
    let comparison = Comparison::new(people.cube(), &missing, &published)?;
    let query_error = query_error::error(&comparison, options).mean;
    Ok(SplitLoss {
        ncp: ncp::loss(&comparison).overall,
        query_error,
    })
}

/// People with equal quasi-identifiers are in the same class at both sites and so in the same
/// group.
fn group_of_records(people: &SplitPeople, groups: &Classes) -> Result<Vec<u32>, Error> {
    let cube = people.cube();
    let mut group_of_tuple = vec![u32::MAX; cube.tuples()];
    for (&tuple, &group) in people.tuple_of().iter().zip(groups.class_of()) {
        let known = &mut group_of_tuple[tuple as usize];
        if *known != u32::MAX && *known != group {
            return Err(defect());
        }
        *known = group;
    }
    let records =
        |tuple: usize| std::iter::repeat_n(group_of_tuple[tuple], cube.records_of(tuple).len());
    Ok((0..cube.tuples()).flat_map(records).collect())
}

fn defect() -> Error {
    let (one, other) = ("groups".to_owned(), "labels".to_owned());
    Error::Disagreement {
        cell: "a joint release".to_owned(),
        one,
        other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discernibility_is_normalized() {
        assert_eq!(discernibility(&Classes::whole(9)), 1.0);
        assert_eq!(discernibility(&Classes::new([0, 1, 1, 1])), 10.0 / 16.0);
        assert_eq!(discernibility(&Classes::new(0..8)), 1.0 / 8.0);
    }

    #[test]
    fn everything_generalized_loses_everything_and_nothing_nothing() {
        let people = SplitPeople::load(None, 200, 0).unwrap();
        let options = UtilityOptions {
            seed: 0,
            queries: 30,
        };
        let cells = |level: &dyn Fn(usize, u32) -> Cell, groups: &Classes| -> Vec<Cell> {
            groups
                .members()
                .iter()
                .flat_map(|m| (0..6).map(|c| level(c, m[0])).collect::<Vec<_>>())
                .collect()
        };
        let whole = Classes::whole(200);
        let all = loss(&people, &whole, cells(&|_, _| Cell::All, &whole), options).unwrap();
        assert_eq!(all.ncp, 1.0);
        assert!(all.query_error > 0.5);
        let tuples = Classes::new(people.tuple_of().iter().copied());
        let columns: Vec<_> = people.quasi_identifiers().collect();
        let exact = |c: usize, person: u32| Cell::Node {
            level: 0,
            node: columns[c].codes.get(person as usize),
        };
        let none = loss(&people, &tuples, cells(&exact, &tuples), options).unwrap();
        assert_eq!(
            none,
            SplitLoss {
                ncp: 0.0,
                query_error: 0.0
            }
        );
    }

    #[test]
    fn groups_that_tear_equal_people_apart_are_refused() {
        let people = SplitPeople::load(None, 200, 0).unwrap();
        let apart = Classes::new(0..200);
        assert!(apart.len() > people.cube().tuples(), "some are equal");
        let cells = vec![Cell::All; 200 * 6];
        let options = UtilityOptions {
            seed: 0,
            queries: 1,
        };
        assert!(matches!(
            loss(&people, &apart, cells, options),
            Err(Error::Disagreement { .. })
        ));
    }
}
