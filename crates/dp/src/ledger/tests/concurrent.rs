//! Many who want the last of a budget: as many get it as it has room for.

use super::*;
use std::thread;

#[test]
fn a_thousand_threads_and_room_for_a_hundred() {
    let book = Book::pure("1");
    let paid: Vec<Result<Receipt, Error>> = thread::scope(|scope| {
        let one = || {
            Ledger::spend(
                &book.path,
                &spending(pure("0.01")),
                Duration::from_secs(120),
            )
        };
        let threads: Vec<_> = (0..1000).map(|_| scope.spawn(one)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let mut entries: Vec<u64> = paid.iter().flatten().filter_map(Receipt::entry).collect();
    entries.sort_unstable();
    assert_eq!(
        entries,
        (1..=100).collect::<Vec<u64>>(),
        "each entry has one receipt"
    );
    let refused = |result: &&Result<Receipt, Error>| {
        matches!(
            result,
            Err(Error::Ledger {
                problem: LedgerProblem::Exhausted { .. },
                ..
            })
        )
    };
    assert_eq!(paid.iter().filter(refused).count(), 900);
    let ledger = book.read();
    assert_eq!(
        (ledger.spent().amount, ledger.remaining().amount),
        (amount("1"), Amount::ZERO)
    );
    for receipt in paid.iter().flatten() {
        assert_eq!(receipt.sha256(), ledger.sha256(receipt.entry().unwrap()));
    }
}
