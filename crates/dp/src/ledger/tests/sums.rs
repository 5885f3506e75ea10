//! What is charged, what is left, and that no sum is ever above its limit.

use super::*;
use proptest::prelude::*;

#[test]
fn ten_tenths_are_one() {
    let book = Book::pure("1");
    for entry in 1..=10 {
        assert_eq!(book.spend(pure("0.1")).unwrap().entry(), Some(entry));
    }
    let before = fs::read(&book.path).unwrap();
    let Err(LedgerProblem::Exhausted { asked, left }) = book.spend(pure("1e-30")) else {
        panic!("over-spent")
    };
    assert_eq!((asked.amount, left.amount), (amount("1e-30"), Amount::ZERO));
    assert_eq!(
        fs::read(&book.path).unwrap(),
        before,
        "a refusal writes nothing"
    );
    assert_eq!(
        book.read().possible(),
        Possible {
            pure: None,
            approximate: None,
            leaving_cells_out: None,
            rho: None
        }
    );
}

#[test]
fn a_budget_pays_for_one_release_of_its_own_parameters() {
    for (accounting, guarantee) in [
        (
            Accounting::of(Epsilon(amount("1")), Amount::ZERO),
            pure("1"),
        ),
        (
            Accounting::of(Epsilon(amount("1")), amount("1e-9")),
            approximate("1", "1e-9"),
        ),
        (
            Accounting::Epsilon {
                epsilon: Epsilon(amount("1")),
                delta: amount("1e-9"),
            },
            approximate("1", "1e-9"),
        ),
        (Accounting::Rho { rho: amount("0.1") }, rho("0.1")),
    ] {
        let book = Book::new(accounting);
        let leaves_cells_out = matches!(guarantee, Guarantee::Approximate { .. });
        let whole = Spending {
            leaves_cells_out,
            ..spending(guarantee)
        };
        Ledger::spend(&book.path, &whole, Ledger::WAIT).unwrap();
        assert!(
            book.read().remaining().amount.is_zero() && book.read().remaining().delta.is_zero(),
            "{accounting:?}"
        );
        assert!(
            matches!(
                book.spend(pure("1e-9")),
                Err(LedgerProblem::Exhausted { .. })
            ),
            "{accounting:?}"
        );
    }
}

#[test]
fn cells_left_out_cost_a_tenth_of_delta() {
    let book = Book::new(Accounting::of(Epsilon(amount("3")), amount("1e-9")));
    book.spend(approximate("1", "1e-9")).unwrap();
    assert_eq!(book.read().spent().delta, Amount::ZERO);
    let sparse = Spending {
        leaves_cells_out: true,
        ..spending(approximate("1", "1e-9"))
    };
    Ledger::spend(&book.path, &sparse, Ledger::WAIT).unwrap();
    assert_eq!(book.read().spent().delta, amount("1e-10"));
    // ρ is left, and no δ
    let again = Ledger::spend(&book.path, &sparse, Ledger::WAIT);
    assert!(matches!(
        again,
        Err(Error::Ledger {
            problem: LedgerProblem::Exhausted { .. },
            ..
        })
    ));
    book.spend(approximate("1", "1e-9")).unwrap();
}

#[test]
fn what_a_ledger_cannot_pay_for_is_refused_by_name() {
    use LedgerProblem as P;
    let (only_pure, basic) = (
        Accounting::of(Epsilon(amount("9")), Amount::ZERO),
        Accounting::Epsilon {
            epsilon: Epsilon(amount("9")),
            delta: amount("0.1"),
        },
    );
    let (concentrated, in_rho) = (
        Accounting::of(Epsilon(amount("9")), amount("0.1")),
        Accounting::Rho { rho: amount("9") },
    );
    type Refused = fn(&P) -> bool;
    let cases: [(Accounting, Guarantee, bool, Refused); 12] = [
        (only_pure, approximate("1", "1e-9"), false, |p| {
            matches!(p, P::DeltaFromPure)
        }),
        (only_pure, rho("0.1"), false, |p| {
            matches!(p, P::RhoFromEpsilon)
        }),
        (basic, rho("0.1"), false, |p| matches!(p, P::RhoFromEpsilon)),
        (in_rho, approximate("1", "1e-9"), true, |p| {
            matches!(p, P::CellsFromRho)
        }),
        (in_rho, pure("1"), true, |p| matches!(p, P::CellsNeedDelta)),
        (concentrated, pure("1"), true, |p| {
            matches!(p, P::CellsNeedDelta)
        }),
        (concentrated, pure("0"), false, |p| {
            matches!(p, P::OutOfRange { what: "ε" })
        }),
        (concentrated, approximate("1", "0"), false, |p| {
            matches!(p, P::OutOfRange { what: "δ" })
        }),
        (concentrated, approximate("1", "1"), false, |p| {
            matches!(p, P::OutOfRange { what: "δ" })
        }),
        (concentrated, rho("0"), false, |p| {
            matches!(p, P::OutOfRange { what: "ρ" })
        }),
        // ε²/2 is beyond the scale: what is written would be less than what is spent
        (in_rho, pure("100000"), false, |p| {
            matches!(p, P::OutOfRange { .. })
        }),
        (concentrated, pure("10"), false, |p| {
            matches!(p, P::Exhausted { .. })
        }),
    ];
    for (accounting, guarantee, leaves_cells_out, refused) in cases {
        let book = Book::new(accounting);
        let asked = Spending {
            leaves_cells_out,
            ..spending(guarantee)
        };
        let problem = super::super::spend(&book.path, &asked, Ledger::WAIT, &Real).unwrap_err();
        assert!(refused(&problem), "{accounting:?} {guarantee:?}: {problem}");
        assert!(book.read().entries().is_empty());
        assert!(book.read().quote(&asked).is_err());
    }
}

#[test]
fn budgets_that_mean_nothing_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("x");
    for accounting in [
        Accounting::of(Epsilon(Amount::ZERO), Amount::ZERO),
        Accounting::of(Epsilon(amount("1")), amount("1")),
        Accounting::of(Epsilon(amount("1")), amount("1.5")),
        Accounting::of(Epsilon(Amount::ZERO), amount("1e-9")),
        Accounting::Rho { rho: Amount::ZERO },
    ] {
        assert!(
            Ledger::create(&path, "x", accounting, AT, Ledger::WAIT).is_err(),
            "{accounting:?}"
        );
        assert!(!path.exists());
    }
    let nobody = Spending {
        records_per_person: 0,
        ..spending(pure("1"))
    };
    let book = Book::pure("1");
    assert!(matches!(
        book.read().quote(&nobody),
        Err(Error::Ledger {
            problem: LedgerProblem::NoRecords,
            ..
        })
    ));
}

/// What is said to be possible is paid for, and a little more is not.
#[test]
fn what_is_possible_is_possible_and_no_more() {
    for accounting in [
        Accounting::of(Epsilon(amount("2")), Amount::ZERO),
        Accounting::Epsilon {
            epsilon: Epsilon(amount("2")),
            delta: amount("1e-6"),
        },
        Accounting::of(Epsilon(amount("2")), amount("1e-6")),
        Accounting::Rho { rho: amount("0.3") },
    ] {
        let book = Book::new(accounting);
        for round in 0..2 {
            let ledger = book.read();
            let possible = ledger.possible();
            let fits = |guarantee, leaves_cells_out| {
                ledger
                    .quote(&Spending {
                        leaves_cells_out,
                        ..spending(guarantee)
                    })
                    .is_ok()
            };
            let more = |amount: Amount| Amount::ceil(amount.to_f64() * 1.002);
            let epsilon = possible.pure.unwrap();
            assert!(
                fits(Guarantee::Pure { epsilon }, false),
                "{accounting:?} {round}"
            );
            assert!(
                !fits(
                    Guarantee::Pure {
                        epsilon: Epsilon(more(epsilon.0))
                    },
                    false
                ),
                "{accounting:?} {round}"
            );
            for (pair, out) in [
                (possible.approximate, false),
                (possible.leaving_cells_out, true),
            ] {
                let Some((epsilon, delta)) = pair else {
                    continue;
                };
                assert!(
                    fits(Guarantee::Approximate { epsilon, delta }, out),
                    "{accounting:?} {round}"
                );
                assert!(
                    !fits(
                        Guarantee::Approximate {
                            epsilon: Epsilon(more(epsilon.0)),
                            delta
                        },
                        out
                    ),
                    "{accounting:?} {round}"
                );
            }
            if let Some(rho) = possible.rho {
                assert!(fits(Guarantee::Concentrated { rho }, false));
                assert!(!fits(Guarantee::Concentrated { rho: more(rho) }, false));
            }
            book.spend(pure("0.25")).unwrap();
        }
    }
    let whole = Book::new(Accounting::of(Epsilon(amount("2")), amount("1e-6")))
        .read()
        .possible();
    assert_eq!(
        whole.approximate,
        Some((Epsilon(amount("2")), amount("1e-6")))
    );
    assert_eq!(
        whole.leaving_cells_out,
        Some((Epsilon(amount("2")), amount("1e-6")))
    );
}

fn guarantees() -> impl Strategy<Value = (Guarantee, bool)> {
    let thousandths = (1..600u32).prop_map(|n| amount(&format!("{n}e-3")));
    let epsilon = thousandths.clone().prop_map(Epsilon);
    let delta = (1..500u32).prop_map(|n| amount(&format!("{n}e-10")));
    prop_oneof![
        epsilon
            .clone()
            .prop_map(|epsilon| (Guarantee::Pure { epsilon }, false)),
        (epsilon.clone(), delta, any::<bool>())
            .prop_map(|(epsilon, delta, out)| (Guarantee::Approximate { epsilon, delta }, out)),
        thousandths.prop_map(|rho| (Guarantee::Concentrated { rho }, false)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// A list and two sums, and nothing else, decide the same.
    #[test]
    fn decisions_are_those_of_two_sums(asked in prop::collection::vec(guarantees(), 1..14), kind in 0..3) {
        let (epsilon, delta) = (Epsilon(amount("1.2")), amount("1e-7"));
        let accounting = match kind {
            0 => Accounting::Epsilon { epsilon, delta },
            1 => Accounting::Concentrated { epsilon, delta },
            _ => Accounting::Rho { rho: amount("0.4") },
        };
        let book = Book::new(accounting);
        let (most, most_delta) = match kind {
            0 => (epsilon.0.units(), delta.units()),
            1 => (approximate("1.2", "1e-7").rho().units(), delta.units() / 10),
            _ => (amount("0.4").units(), 0),
        };
        let (mut sum, mut sum_delta, mut entries) = (0u128, 0u128, 0);
        for (guarantee, leaves_cells_out) in asked {
            let cost = match (kind, guarantee) {
                (0, Guarantee::Concentrated { .. }) => None,
                (0, other) => Some((other.epsilon().unwrap().0.units(), other.delta().units())),
                (2, _) if leaves_cells_out => None,
                (_, other) => Some((other.rho().units(), if leaves_cells_out { other.delta().units() / 10 } else { 0 })),
            };
            let pays = cost.filter(|(cost, delta)| sum + cost <= most && sum_delta + delta <= most_delta);
            let asked = Spending { leaves_cells_out, ..spending(guarantee) };
            let receipt = Ledger::spend(&book.path, &asked, Ledger::WAIT);
            prop_assert_eq!(receipt.is_ok(), pays.is_some(), "{:?} {:?}", guarantee, receipt);
            if let Some((cost, delta)) = pays {
                (sum, sum_delta, entries) = (sum + cost, sum_delta + delta, entries + 1);
            }
        }
        let ledger = book.read();
        prop_assert_eq!(ledger.entries().len(), entries);
        prop_assert_eq!((ledger.spent().amount.units(), ledger.spent().delta.units()), (sum, sum_delta));
        prop_assert_eq!(ledger.remaining().amount.units(), most - sum);
    }
}
