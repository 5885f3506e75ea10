//! End-to-end sensitivity: one person more or less, and the same answers.
//!
//! A release is made from a table, and every look at it is written down. Then it is made from a
//! neighbouring table, with the answers of before in place of fresh noise: by adaptive composition
//! this is what the proof is about. The looks must ask for the same noise (what is asked follows
//! from earlier answers alone), and what the differences of exact answers cost, summed over all
//! looks and all cells without any rounding, must not be above the budget: Σ |x − x′| / scale in ε,
//! Σ (x − x′)² / 2 scale² in ρ.

use super::{approximate, concentrated, pure};
use crate::bins::planned_cells;
use crate::consistent::tests::generator;
use crate::guarantee::Guarantee;
use crate::ledger::Receipt;
use crate::noise::tests_only::{Look, answered_by, recorded};
use crate::noise::{Shape, Tampered, tests_only};
use crate::records::{PerPerson, Records};
use crate::release::{Request, release};
use crate::universe::{Bins, CellId, DeclaredAttribute, DeclaredValues};
use crate::{histogram, marginals, synthetic};
use dashu::integer::{IBig, UBig};
use dashu::rational::RBig;
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Providers, Role, Table};
use std::sync::atomic::AtomicBool;

/// Two columns of words and a number with bins to be found.
fn attributes() -> Vec<DeclaredAttribute> {
    let words = |count: usize| {
        DeclaredValues::categories((0..count).map(|i| format!("w{i}")).collect()).expect("words")
    };
    let numbers = DeclaredValues::Bins(Bins::to_be_found(0, 1, 0, 49, 4).expect("bounds"));
    let attribute = |name: &str, kind, domain| DeclaredAttribute {
        name: name.into(),
        role: Role::QuasiIdentifier,
        kind,
        domain,
        other: None,
        missing: None,
    };
    vec![
        attribute("a", Kind::Category, words(3)),
        attribute("b", Kind::Category, words(4)),
        attribute("c", Kind::Integer, numbers),
    ]
}

/// Some rows that depend on each other.
fn rows(count: usize, seed: u64) -> Vec<[CellId; 3]> {
    let mut next = generator(seed);
    (0..count)
        .map(|_| {
            let (a, other) = (next() * 3.0, next());
            [
                a as CellId,
                if other < 0.6 {
                    a as CellId
                } else {
                    (next() * 4.0) as CellId
                },
                (next() * 50.0) as CellId,
            ]
        })
        .collect()
}

fn records(rows: &[[CellId; 3]], per_person: u64) -> Records {
    let cells = attributes().iter().map(DeclaredAttribute::len).collect();
    Records::from_columns(
        (0..3)
            .map(|a| rows.iter().map(|row| row[a]).collect())
            .collect(),
        cells,
        per_person,
    )
}

fn requests() -> Vec<Request> {
    let of = |choice| {
        Request::Marginals(marginals::MarginalsOptions {
            choice,
            ..Default::default()
        })
    };
    vec![
        of(marginals::MarginalsChoice::Named(vec![vec![0, 2], vec![1]])),
        of(marginals::MarginalsChoice::All(3)),
        of(marginals::MarginalsChoice::Selected(2)),
        of(marginals::MarginalsChoice::Selected(3)),
        Request::Histogram(histogram::HistogramOptions::default()),
        Request::Synthetic(synthetic::SyntheticOptions::default()),
        Request::Synthetic(synthetic::SyntheticOptions {
            rows: Some(50),
            model_cells: 6,
        }),
    ]
}

fn made(records: Records, request: &Request, guarantee: Guarantee) {
    let receipt = Receipt::for_experiment(guarantee);
    release(
        &attributes(),
        records,
        request,
        receipt,
        &AtomicBool::new(false),
    )
    .expect("a release");
}

/// The looks at two tables, the second one answered like the first.
fn looks(
    here: Records,
    there: Records,
    request: &Request,
    guarantee: Guarantee,
) -> (Vec<Look>, Vec<Look>) {
    let ((), before) = recorded(|| made(here, request, guarantee));
    let ((), after) = answered_by(&before, || made(there, request, guarantee));
    (before, after)
}

/// What it costs to tell two tables apart by their looks, exactly.
fn cost(before: &[Look], after: &[Look]) -> RBig {
    assert_eq!(before.len(), after.len(), "as many looks");
    let mut cost = RBig::ZERO;
    for (before, after) in before.iter().zip(after) {
        assert_eq!(
            (before.shape, &before.scale),
            (after.shape, &after.scale),
            "the same noise"
        );
        assert_eq!(before.exact.len(), after.exact.len(), "as many questions");
        let moved = before
            .exact
            .iter()
            .zip(&after.exact)
            .map(|(x, y)| u128::from(x.abs_diff(*y)));
        cost += match before.shape {
            Shape::Laplace => RBig::from(moved.sum::<u128>()) / &before.scale,
            Shape::Gaussian => {
                RBig::from(moved.map(|x| x * x).sum::<u128>())
                    / (before.scale.clone() * &before.scale * RBig::from(2))
            }
        };
    }
    cost
}

fn budget(guarantee: Guarantee) -> RBig {
    let amount = match guarantee {
        Guarantee::Pure { epsilon } => epsilon.0,
        other => other.rho(),
    };
    RBig::from_parts(IBig::from(amount.units()), UBig::from(10u8).pow(30))
}

fn guarantees() -> [Guarantee; 4] {
    [
        pure("1"),
        approximate("1", "1e-9"),
        approximate("30", "1e-6"),
        concentrated("0.1"),
    ]
}

/// One person of one to three records comes or goes; everything that is looked at stays within the
/// budget, and hardly anything of the budget is for nothing: all records of a person in one cell
/// use up what was paid for.
#[test]
fn whoever_comes_or_goes_the_budget_covers_it() {
    for (number, request) in requests().iter().enumerate() {
        for guarantee in guarantees() {
            let mut most = RBig::ZERO;
            for (tried, per_person) in [1u64, 1, 3, 3, 3].into_iter().enumerate() {
                let rows = rows(200, (number * 10 + tried) as u64);
                // the last one has all records in one cell
                let mut person = rows[..per_person as usize].to_vec();
                if tried == 4 {
                    person.fill(rows[0]);
                }
                let without = records(&rows[3..], per_person);
                let with = records(&[&rows[3..], &person[..]].concat(), per_person);
                let (before, after) = match tried % 2 {
                    0 => looks(with, without, request, guarantee),
                    _ => looks(without, with, request, guarantee),
                };
                let cost = cost(&before, &after);
                assert!(
                    cost <= budget(guarantee),
                    "{} {guarantee:?}: {cost}",
                    request.name()
                );
                most = most.max(cost);
            }
            assert!(
                most * RBig::from(2) > budget(guarantee),
                "{} {guarantee:?}: nothing is seen",
                request.name()
            );
        }
    }
}

/// The same with noise switched off, where every choice hangs on exact answers.
#[test]
fn without_noise_the_budget_covers_it_too() {
    tests_only::with(Tampered::Off, || {
        for request in &requests() {
            for seed in 0..4 {
                let rows = rows(60, seed);
                let guarantee = approximate("30", "1e-6");
                let (before, after) = looks(
                    records(&rows, 2),
                    records(&rows[2..], 2),
                    request,
                    guarantee,
                );
                assert!(
                    cost(&before, &after) <= budget(guarantee),
                    "{}",
                    request.name()
                );
            }
        }
    });
}

/// Two people at once, or one with more records than the bound: the test must see it.
#[test]
fn more_than_one_person_is_noticed() {
    for request in requests() {
        for guarantee in guarantees() {
            let mut rows = rows(200, 7);
            let person = rows[0];
            rows[..2].fill(person);
            let (before, after) = looks(
                records(&rows, 1),
                records(&rows[2..], 1),
                &request,
                guarantee,
            );
            assert!(
                cost(&before, &after) > budget(guarantee),
                "{} {guarantee:?}",
                request.name()
            );
        }
    }
}

fn table(rows: &[[CellId; 3]]) -> Table {
    let column = |a: usize| {
        let name = ["a", "b", "c"][a];
        let text = |row: &[CellId; 3]| {
            if a < 2 {
                format!("w{}", row[a])
            } else {
                row[a].to_string()
            }
        };
        let texts: Vec<String> = rows.iter().map(text).collect();
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(name, Role::Sensitive)
        };
        match Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default()) {
            Ok(column) => column,
            Err(_) => panic!("a column"),
        }
    };
    let provider_of: Codes = std::iter::repeat_n(0, rows.len()).collect();
    Table {
        columns: (0..3).map(column).collect(),
        providers: Providers::new(vec!["p".into()]),
        provider_of,
        person_of: None,
    }
}

/// From the table on: a person with nine records is cut to the bound, and leaves with all nine.
#[test]
fn a_person_with_many_records_is_cut_to_the_bound() {
    let rows = rows(150, 3);
    let people: Vec<u32> = (0..150)
        .map(|row| if row % 16 == 5 { 1000 } else { row / 2 })
        .collect();
    let read = |gone: Option<u32>| {
        let stays: Vec<usize> = (0..150).filter(|&row| Some(people[row]) != gone).collect();
        let table = table(&stays.iter().map(|&row| rows[row]).collect::<Vec<_>>());
        let people: Vec<u32> = stays.iter().map(|&row| people[row]).collect();
        let bound = PerPerson {
            most: 3,
            person_of: Some(&people),
        };
        Records::encode(&attributes(), &table, bound)
            .expect("the table")
            .0
    };
    assert_eq!(read(None).len() - read(Some(1000)).len(), 3);
    for request in requests() {
        for guarantee in guarantees() {
            let (before, after) = looks(read(None), read(Some(1000)), &request, guarantee);
            assert!(
                cost(&before, &after) <= budget(guarantee),
                "{} {guarantee:?}",
                request.name()
            );
        }
    }
}

/// The order of records is nobody's business.
#[test]
fn looks_do_not_depend_on_the_order_of_records() {
    for request in requests() {
        let rows = rows(100, 5);
        let mut turned = rows.clone();
        turned.reverse();
        let (before, after) = looks(records(&rows, 1), records(&turned, 1), &request, pure("1"));
        assert_eq!(cost(&before, &after), RBig::ZERO, "{}", request.name());
    }
}

/// Sparse: the cells that both tables have are looked at alike, and whatever one person is alone in
/// is at most so many cells of so many records.
#[test]
fn sparse_cells_of_one_person_are_few_and_small() {
    for seed in 0..200 {
        let rows = rows(40, seed);
        let cells = |rows: &[[CellId; 3]]| crate::occupied::occupied(&records(rows, 3), &[0, 1, 2]);
        let (with, without) = (cells(&rows), cells(&rows[3..]));
        let count = |cells: &[(Vec<CellId>, u64)], cell: &Vec<CellId>| {
            cells
                .iter()
                .find(|(here, _)| here == cell)
                .map_or(0, |(_, count)| *count)
        };
        assert!(without.iter().all(|(cell, _)| count(&with, cell) > 0));
        let alone: Vec<u64> = with
            .iter()
            .filter(|(cell, _)| count(&without, cell) == 0)
            .map(|cell| cell.1)
            .collect();
        assert!(alone.len() <= 3 && alone.iter().sum::<u64>() <= 3);
        assert!(
            with.iter()
                .map(|(cell, here)| here - count(&without, cell))
                .sum::<u64>()
                <= 3
        );
    }
}

#[test]
fn bins_come_out_as_planned() {
    let attributes = attributes();
    let request = Request::Histogram(histogram::HistogramOptions::default());
    let made = release(
        &attributes,
        records(&rows(30, 1), 1),
        &request,
        Receipt::for_experiment(pure("1")),
        &AtomicBool::new(false),
    )
    .expect("a release");
    assert_eq!(
        planned_cells(&attributes),
        made.attributes
            .iter()
            .map(DeclaredAttribute::len)
            .collect::<Vec<_>>()
    );
}
