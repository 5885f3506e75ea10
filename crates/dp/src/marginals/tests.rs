use super::*;
use crate::amount::Amount;
use crate::consistent::tests::correlated;
use crate::count::count;
use crate::guarantee::{Epsilon, Guarantee};
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

fn options(choice: MarginalsChoice) -> MarginalsOptions {
    MarginalsOptions {
        choice,
        ..MarginalsOptions::default()
    }
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

const SIZES: [usize; 5] = [9, 8, 16, 2, 6];

fn sets(tables: &[Marginal]) -> Vec<Vec<usize>> {
    tables
        .iter()
        .map(|table| table.attributes.clone())
        .collect()
}

/// With noise that is next to nothing, tables are what a loop counts.
#[test]
fn without_noise_the_truth_comes_out() {
    let records = correlated(&SIZES, 3_000, 1);
    for choice in [
        MarginalsChoice::All(3),
        MarginalsChoice::Selected(3),
        MarginalsChoice::Named(vec![vec![4, 0], vec![2], vec![0, 4]]),
    ] {
        let made = tests_only::with(Tampered::Off, || {
            make(
                &records,
                &options(choice.clone()),
                &mut purse("1000"),
                &never(),
            )
            .expect("within the budget")
        });
        let truth = count(&records, &sets(&made));
        for (table, truth) in made.iter().zip(&truth) {
            for (count, truth) in table.counts.iter().zip(truth) {
                assert!(
                    (count - *truth as f64).abs() < 0.5,
                    "{choice:?} {:?}: {count} {truth}",
                    table.attributes
                );
            }
        }
    }
}

#[test]
fn sets_come_sorted_and_once() {
    let records = correlated(&SIZES, 100, 1);
    let named = MarginalsChoice::Named(vec![vec![4, 0], vec![2], vec![0, 4], vec![1, 1], vec![]]);
    let made =
        make(&records, &options(named), &mut purse("1"), &never()).expect("within the budget");
    assert_eq!(sets(&made), [vec![1], vec![2], vec![0, 4]]);
    let made = make(
        &records,
        &options(MarginalsChoice::All(2)),
        &mut purse("1"),
        &never(),
    )
    .expect("within the budget");
    assert_eq!(made.len(), 15);
    let made = make(
        &records,
        &options(MarginalsChoice::All(9)),
        &mut purse("1"),
        &never(),
    )
    .expect("within the budget");
    assert_eq!(made.len(), 31);
    let made = make(
        &records,
        &options(MarginalsChoice::All(0)),
        &mut purse("1"),
        &never(),
    )
    .expect("nothing to do");
    assert_eq!(made.len(), 0);
}

/// Published as text and read back, tables still agree.
#[test]
fn texts_agree() {
    let records = correlated(&SIZES, 5_000, 1);
    let made = make(
        &records,
        &options(MarginalsChoice::All(3)),
        &mut purse("0.5"),
        &never(),
    )
    .expect("within the budget");
    let read = |count: &f64| {
        let text = format!("{count:.PLACES$}");
        assert!(!text.starts_with('-'), "{text}");
        text.parse::<f64>().expect("a number")
    };
    let tables: Vec<Measured> = made
        .iter()
        .map(|table| Measured {
            attributes: table.attributes.clone(),
            counts: table.counts.iter().map(read).collect(),
            deviation: 1.0,
        })
        .collect();
    assert!(crate::consistent::tests::disagreement(&SIZES, &tables) <= TOLERANCE);
}

#[test]
fn the_whole_budget_is_spent_and_no_more() {
    let records = correlated(&SIZES, 1_000, 3);
    for choice in [
        MarginalsChoice::All(2),
        MarginalsChoice::Selected(1),
        MarginalsChoice::Selected(2),
        MarginalsChoice::Selected(3),
    ] {
        let mut purse = purse("1");
        make(&records, &options(choice.clone()), &mut purse, &never()).expect("within the budget");
        assert!(purse.left() < 1e-4, "{choice:?}: {}", purse.left());
    }
}

/// Independent attributes: the pair is not worth its noise, and everything goes into single ones.
/// Chosen in error, its score would have to be 7 standard deviations off.
#[test]
fn independence_selects_nothing() {
    let rows = 20_000;
    let columns = (0..2)
        .map(|a| {
            (0..rows)
                .map(|i: usize| (i / 4usize.pow(a) % 4) as u16)
                .collect()
        })
        .collect();
    let records = Records::from_columns(columns, vec![4; 2], 1);
    let mut purse = purse("1");
    let made = make(
        &records,
        &options(MarginalsChoice::Selected(3)),
        &mut purse,
        &never(),
    )
    .expect("within the budget");
    assert_eq!(sets(&made), [vec![0], vec![1]]);
    assert!(purse.left() < 1e-4);
    assert!(made[0].deviation < 12.0, "{}", made[0].deviation);
}

/// The second follows the first, the third does not; noise is off, and reckoned with all the same.
#[test]
fn dependence_is_selected() {
    let rows = 20_000;
    let first: Vec<u16> = (0..rows).map(|i| (i % 4) as u16).collect();
    let third = (0..rows).map(|i| (i / 4 % 4) as u16).collect();
    let records = Records::from_columns(vec![first.clone(), first, third], vec![4; 3], 1);
    let made = tests_only::with(Tampered::Off, || {
        make(
            &records,
            &options(MarginalsChoice::Selected(3)),
            &mut purse("1"),
            &never(),
        )
        .expect("within the budget")
    });
    assert_eq!(sets(&made), [vec![0], vec![1], vec![2], vec![0, 1]]);
}

#[test]
fn triples_of_chosen_pairs() {
    let rows = 50_000;
    let column: Vec<u16> = (0..rows).map(|i| (i % 3) as u16).collect();
    let records = Records::from_columns(vec![column; 4], vec![3; 4], 1);
    let made = make(
        &records,
        &options(MarginalsChoice::Selected(3)),
        &mut purse("1"),
        &never(),
    )
    .expect("within the budget");
    assert_eq!(made.len(), 4 + 6 + 4);
    let small = MarginalsOptions {
        most_cells: 9,
        ..options(MarginalsChoice::Selected(3))
    };
    let made = make(&records, &small, &mut purse("1"), &never()).expect("within the budget");
    assert_eq!(made.len(), 4 + 6, "27 cells are too many");
}

#[test]
fn sizes_are_refused_with_their_number() {
    let error = |cells: &[usize], choice| match check(cells, &options(choice)) {
        Err(Error::TooManyCells { cells, most, .. }) => (cells, most),
        other => panic!("{other:?}"),
    };
    let most = u128::from(MOST_CELLS);
    assert_eq!(
        error(&[10_000; 3], MarginalsChoice::All(3)),
        (1_000_000_000_000, most)
    );
    assert_eq!(
        error(
            &[65_536; 20],
            MarginalsChoice::Named(vec![(0..20).collect()])
        ),
        (u128::MAX, most)
    );
    assert_eq!(
        error(
            &[1000, 2000],
            MarginalsChoice::Named(vec![vec![0], vec![0, 1]])
        ),
        (2_000_000, most)
    );
    let together = u128::from(MOST_TOGETHER);
    assert_eq!(
        error(&[1000; 100], MarginalsChoice::All(2)),
        (100_000 + 4950 * 1_000_000, together)
    );
    assert_eq!(
        error(&[2; 5000], MarginalsChoice::All(3)).1,
        together,
        "found without going through all of them"
    );
    assert!(
        check(&[10_000; 3], &options(MarginalsChoice::Selected(3))).is_ok(),
        "what is too large is not selected"
    );
    let small = MarginalsOptions {
        choice: MarginalsChoice::All(1),
        most_cells: 5,
    };
    assert!(matches!(
        check(&[6], &small),
        Err(Error::TooManyCells {
            cells: 6,
            most: 5,
            ..
        })
    ));
}

#[test]
fn a_refusal_spends_nothing() {
    let records = Records::from_columns(vec![vec![0], vec![0]], vec![2000, 2000], 1);
    let mut purse = purse("1");
    assert!(
        make(
            &records,
            &options(MarginalsChoice::All(2)),
            &mut purse,
            &never()
        )
        .is_err()
    );
    assert_eq!(purse.left(), 1.0);
}

#[test]
fn sizes_of_all_are_what_a_loop_adds() {
    let cells = [3, 1, 4, 5, 9];
    for ways in 0..=5 {
        let sizes: Vec<u128> = sets_up_to(5, ways)
            .iter()
            .map(|set| crate::count::cells_of(&cells, set).expect("small") as u128)
            .collect();
        assert_eq!(
            sizes_of_all(&cells, ways),
            (sizes.iter().copied().max().unwrap_or(1), sizes.iter().sum()),
            "{ways}"
        );
    }
}
