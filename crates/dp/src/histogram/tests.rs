use super::*;
use crate::guarantee::Epsilon;
use crate::noise::{Tampered, tests_only};

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn purse(epsilon: &str) -> Purse {
    Purse::new(Guarantee::Approximate {
        epsilon: Epsilon(amount(epsilon)),
        delta: amount("1e-9"),
    })
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// Three attributes; most records are in a few cells.
fn records() -> Records {
    let row = |i: u16| [i % 3, i % 7 / 4, i % 50 / 49];
    let columns = (0..3)
        .map(|a| (0..2000).map(|i| row(i)[a]).collect())
        .collect();
    Records::from_columns(columns, vec![3, 2, 2], 1)
}

fn options(most_cells: u64) -> HistogramOptions {
    HistogramOptions {
        attributes: Vec::new(),
        most_cells,
    }
}

#[test]
fn dense_counts_are_what_a_loop_counts() {
    let made = tests_only::with(Tampered::Off, || {
        let options = HistogramOptions {
            attributes: vec![2, 0, 2],
            ..HistogramOptions::default()
        };
        make(
            &records(),
            &options,
            &mut purse("1"),
            Amount::ZERO,
            &never(),
        )
        .expect("a histogram")
    });
    assert_eq!((&made.attributes[..], made.threshold), (&[0, 2][..], None));
    let mut expected = std::collections::BTreeMap::new();
    let records = records();
    for row in 0..records.len() {
        *expected
            .entry(vec![records.column(0)[row], records.column(2)[row]])
            .or_insert(0) += 1;
    }
    assert_eq!(made.cells, expected.into_iter().collect::<Vec<_>>());
}

/// Nothing but noise: about half of the empty cells show up in a dense histogram, and none in a
/// sparse one.
#[test]
fn empty_cells_get_noise_unless_the_histogram_is_sparse() {
    let one = Records::from_columns(vec![vec![5u16]], vec![1000], 1);
    let dense = make(
        &one,
        &options(1000),
        &mut purse("1"),
        amount("1e-10"),
        &never(),
    )
    .expect("a histogram");
    // by the binomial distribution, off these bounds with less than 1e-9
    assert!(
        (300..600).contains(&dense.cells.len()),
        "{}",
        dense.cells.len()
    );
    assert!(dense.cells.iter().all(|(_, count)| *count > 0));
    assert!(dense.cells.is_sorted());
    let sparse = make(
        &one,
        &options(999),
        &mut purse("1"),
        amount("1e-10"),
        &never(),
    )
    .expect("a histogram");
    assert!(
        sparse.cells.is_empty(),
        "one person's cell is published with 1e-10"
    );
    assert!(
        sparse
            .threshold
            .is_some_and(|least| least > 30 && least < 60),
        "{:?}",
        sparse.threshold
    );
}

#[test]
fn sparse_counts_above_the_threshold_stay() {
    let made = tests_only::with(Tampered::Off, || {
        make(
            &records(),
            &options(1),
            &mut purse("1"),
            amount("1e-10"),
            &never(),
        )
        .expect("a histogram")
    });
    let least = made.threshold.expect("sparse");
    let dense = tests_only::with(Tampered::Off, || {
        make(
            &records(),
            &options(100),
            &mut purse("1"),
            amount("1e-10"),
            &never(),
        )
        .expect("a histogram")
    });
    let (stay, go): (Vec<_>, Vec<_>) = dense
        .cells
        .into_iter()
        .partition(|(_, count)| *count >= least);
    assert!(!stay.is_empty() && !go.is_empty());
    assert_eq!(made.cells, stay);
}

/// Wider domains than 64 bits can number, let alone be written down.
#[test]
fn enormous_domains_go_sparse_or_are_refused() {
    let columns = vec![vec![65_535u16; 3000]; 20];
    let records = Records::from_columns(columns, vec![65_536; 20], 1);
    let made = make(
        &records,
        &HistogramOptions::default(),
        &mut purse("1"),
        amount("1e-10"),
        &never(),
    )
    .expect("a histogram");
    assert_eq!(made.cells.len(), 1);
    assert_eq!(made.cells[0].0, [65_535; 20]);
    assert!((2800..3200).contains(&made.cells[0].1));
    let mut purse = purse("1");
    let refused = make(
        &records,
        &HistogramOptions::default(),
        &mut purse,
        Amount::ZERO,
        &never(),
    );
    assert!(matches!(
        refused,
        Err(Error::TooManyCells {
            cells: u128::MAX,
            ..
        })
    ));
    assert_eq!(purse.left(), 1.0, "nothing was spent");
}

#[test]
fn what_is_checked_is_what_is_made() {
    let approximate = Guarantee::Approximate {
        epsilon: Epsilon(amount("1")),
        delta: amount("1e-9"),
    };
    let others = [
        Guarantee::Pure {
            epsilon: Epsilon(amount("1")),
        },
        Guarantee::Concentrated { rho: amount("1") },
    ];
    let cells = [10_000, 10_000, 10_000];
    assert_eq!(
        size(&cells, &HistogramOptions::default()),
        1_000_000_000_000
    );
    assert!(check(&cells, &HistogramOptions::default(), approximate).is_ok());
    for guarantee in others {
        let refused = check(&cells, &HistogramOptions::default(), guarantee);
        assert!(matches!(
            refused,
            Err(Error::TooManyCells {
                cells: 1_000_000_000_000,
                most: 1_048_576,
                ..
            })
        ));
        // no wish makes a table that fills the memory
        let refused = check(&cells, &options(u64::MAX), guarantee);
        assert!(
            matches!(refused, Err(Error::TooManyCells { most, .. }) if most == u128::from(MOST_DENSE))
        );
        assert!(
            check(
                &cells,
                &HistogramOptions {
                    attributes: vec![1],
                    most_cells: 10_000
                },
                guarantee
            )
            .is_ok()
        );
        assert!(
            check(
                &cells,
                &HistogramOptions {
                    attributes: vec![1],
                    most_cells: 9_999
                },
                guarantee
            )
            .is_err()
        );
    }
}

/// δ₀ so small that no threshold could be kept is no threshold of zero.
#[test]
fn delta_is_needed_to_leave_cells_out() {
    let tiny = make(
        &records(),
        &options(1),
        &mut purse("1"),
        amount("1e-30"),
        &never(),
    )
    .expect("a histogram");
    assert!(tiny.threshold.is_some_and(|least| least > 60));
    assert!(
        make(
            &records(),
            &options(1),
            &mut purse("1"),
            Amount::ZERO,
            &never()
        )
        .is_err()
    );
}

#[test]
fn the_order_of_records_does_not_show() {
    let mut turned: Vec<Vec<CellId>> = (0..3).map(|a| records().column(a).to_vec()).collect();
    turned.iter_mut().for_each(|column| column.reverse());
    let turned = Records::from_columns(turned, vec![3, 2, 2], 1);
    for most_cells in [1, 100] {
        let cells = |records: &Records| {
            tests_only::with(Tampered::Off, || {
                make(
                    records,
                    &options(most_cells),
                    &mut purse("1"),
                    amount("1e-10"),
                    &never(),
                )
                .expect("a histogram")
            })
        };
        assert_eq!(cells(&records()), cells(&turned));
    }
}

#[test]
fn stops_when_asked() {
    for most_cells in [1, 100] {
        let made = make(
            &records(),
            &options(most_cells),
            &mut purse("1"),
            amount("1e-10"),
            &AtomicBool::new(true),
        );
        assert!(matches!(made, Err(Error::Cancelled)));
    }
}
