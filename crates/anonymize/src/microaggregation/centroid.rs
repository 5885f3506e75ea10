//! Groups published by their centroids.
//!
//! In a column without a hierarchy, numbers and dates become their mean, rounded to the column's
//! own number of decimal places or to the day, halves to the even neighbour, and categories the
//! most frequent value, the first in the column's order among equals. With a hierarchy a group
//! becomes the lowest common ancestor as ever, which is true of all of its rows. Where some numbers
//! of a group are missing and others are not, it becomes `*`.
//!
//! Groups with the same centroids are one group to the reader. That is no harm to the outsider's
//! constraints, which are closed under union, and what is published is verified in any case.

use mingle_model::{Cell, Code, Cube, Partition, QuasiIdentifier};

/// Groups of records, given with the tuple of each record.
pub fn partition(cube: &Cube, groups: &[Vec<u32>], tuple_of: &[u32]) -> Partition {
    let mut group_of = vec![Partition::SUPPRESSED; cube.records().len()];
    let mut cells = Vec::with_capacity(groups.len() * cube.quasi_identifiers().len());
    for (group, records) in groups.iter().enumerate() {
        records
            .iter()
            .for_each(|&record| group_of[record as usize] = group as u32);
        for qi in cube.quasi_identifiers() {
            let code = |&record: &u32| qi.codes.get(tuple_of[record as usize] as usize);
            let rows = |&record: &u32| cube.records()[record as usize].count;
            cells.push(cell(
                qi,
                records
                    .iter()
                    .map(|record| (code(record), rows(record)))
                    .collect(),
            ));
        }
    }
    Partition { group_of, cells }
}

/// What stands for some rows, given as codes with numbers of rows.
fn cell(qi: &QuasiIdentifier, mut rows: Vec<(Code, u64)>) -> Cell {
    rows.sort_unstable();
    let (lo, hi) = (rows[0].0, rows[rows.len() - 1].0);
    if qi.domain.is_flat() {
        return Cell::Mode(most_frequent(&rows));
    }
    // the missing value comes before all numbers
    match qi.domain.number(lo) {
        Some(low) if qi.domain.hierarchy().is_none() => {
            let numbers = rows
                .iter()
                .filter_map(|&(code, rows)| Some((qi.domain.number(code)?, rows)));
            Cell::Centroid(mean(low, numbers))
        }
        _ => Cell::Span { lo, hi },
    }
}

fn most_frequent(sorted: &[(Code, u64)]) -> Code {
    let alike = sorted.chunk_by(|a, b| a.0 == b.0);
    let counted = alike.map(|alike| (alike[0].0, alike.iter().map(|&(_, rows)| rows).sum::<u64>()));
    counted
        .reduce(|most, next| if next.1 > most.1 { next } else { most })
        .expect("a group has rows")
        .0
}

/// The mean of numbers that are at least `low`, halves to even.
fn mean(low: i128, numbers: impl Iterator<Item = (i128, u64)> + Clone) -> i128 {
    let rows: i128 = numbers.clone().map(|(_, rows)| i128::from(rows)).sum();
    let above: i128 = numbers
        .map(|(number, rows)| (number - low) * i128::from(rows))
        .sum();
    let down = low + above / rows;
    match (2 * (above % rows)).cmp(&rows) {
        std::cmp::Ordering::Less => down,
        std::cmp::Ordering::Greater => down + 1,
        std::cmp::Ordering::Equal => down + down.rem_euclid(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::{Column, ColumnSpec, HierarchySource, Missing, Role};

    fn of(texts: &[&str], hierarchy: Option<HierarchySource>, group: &[usize]) -> String {
        let spec = ColumnSpec {
            hierarchy,
            ..ColumnSpec::new("q", Role::QuasiIdentifier)
        };
        let Column { domain, codes, .. } =
            Column::from_texts(spec, texts.iter().copied(), &Missing::default()).unwrap();
        let rows = group.iter().map(|&row| (codes.get(row), 1)).collect();
        let qi = QuasiIdentifier {
            name: "q".into(),
            domain,
            codes,
        };
        qi.domain.label(&cell(&qi, rows))
    }

    #[test]
    fn halves_go_to_the_even_neighbour() {
        let mean_of = |numbers: &[i128]| {
            let low = *numbers.iter().min().unwrap();
            mean(low, numbers.iter().map(|&number| (number, 1)))
        };
        assert_eq!(
            [[1, 2], [2, 3], [-1, -2], [-2, -3], [-1, 0], [0, 1]].map(|pair| mean_of(&pair)),
            [2, 2, -2, -2, 0, 0]
        );
        assert_eq!(
            (
                mean_of(&[1, 1, 2]),
                mean_of(&[1, 2, 2]),
                mean_of(&[-1, -1, -2])
            ),
            (1, 2, -1)
        );
        assert_eq!(mean_of(&[-(1 << 99), 1 << 99]), 0);
        assert_eq!(mean(3, [(3, 3), (5, 1)].into_iter()), 4);
        assert_eq!(mean(3, [(3, 7), (5, 1)].into_iter()), 3);
    }

    #[test]
    fn each_kind_has_its_middle() {
        assert_eq!(of(&["20", "25", "31", "?"], None, &[0, 1, 2]), "25");
        assert_eq!(of(&["2.5", "0.25", "7"], None, &[0, 1]), "1.38");
        assert_eq!(
            of(&["2001-03-01", "2001-03-05", "2001-04-01"], None, &[0, 1]),
            "2001-03-03"
        );
        assert_eq!(of(&["b", "a", "b", "c"], None, &[0, 1, 2]), "b");
        assert_eq!(of(&["b", "a", "c"], None, &[0, 1]), "a");
        assert_eq!(
            of(
                &["130", "131", "240"],
                Some(HierarchySource::Mask(2)),
                &[0, 1]
            ),
            "13*"
        );
    }

    #[test]
    fn missing_values_among_numbers_are_a_star() {
        assert_eq!(of(&["20", "25", "?"], None, &[0, 2]), "*");
        assert_eq!(of(&["20", "25", "?", "?"], None, &[2, 3]), "");
        assert_eq!(of(&["a", "?", "?"], None, &[0, 1, 2]), "");
    }
}
