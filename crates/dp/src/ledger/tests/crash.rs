//! A run that ends at any step: never over-spent, never lost, and a receipt only for an entry that
//! is on the disk.

use super::*;
use mingle_disk::WriteStep;
use std::io;
use std::process::Command;

const STEPS: [Step; 8] = [
    Step::Locked,
    Step::Read,
    Step::Replacing(WriteStep::Created),
    Step::Replacing(WriteStep::Written),
    Step::Replacing(WriteStep::Flushed),
    Step::Replacing(WriteStep::Renamed),
    Step::Replacing(WriteStep::FolderFlushed),
    Step::Marked,
];

/// The system refuses after a step.
struct RefusesAfter(Step);

impl Disk for RefusesAfter {
    fn after(&self, step: Step) -> io::Result<()> {
        if step == self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

/// The process ends after a step, without so much as unwinding.
struct EndsAfter(Step);

impl Disk for EndsAfter {
    fn after(&self, step: Step) -> io::Result<()> {
        if step == self.0 {
            std::process::abort();
        }
        Ok(())
    }
}

/// Whether the entry has taken its place by the end of a step.
fn is_spent_by(step: Step) -> bool {
    is_renamed_by(step) || step == Step::Marked
}

/// Whether what was written can no longer be taken back.
fn is_renamed_by(step: Step) -> bool {
    use WriteStep::{FolderFlushed, Renamed};
    matches!(step, Step::Replacing(Renamed | FolderFlushed))
}

/// After a crash the ledger can be read, has all that was confirmed, and pays for the rest and no
/// more.
fn goes_on(book: &Book, spent: bool) {
    let entries = book.read().entries().len();
    assert_eq!(entries, 1 + usize::from(spent));
    let rest = if spent { "0.25" } else { "0.5" };
    let more = if spent { "0.2501" } else { "0.5001" };
    assert!(matches!(
        book.spend(pure(more)),
        Err(LedgerProblem::Exhausted { .. })
    ));
    assert_eq!(
        book.spend(pure(rest)).unwrap().entry(),
        Some(entries as u64 + 1)
    );
    assert!(book.read().remaining().amount.is_zero());
    assert_eq!(
        book.names(),
        ["patients.ledger", "patients.ledger.lock"],
        "nothing is left lying about"
    );
}

#[test]
fn the_system_may_refuse_at_any_step() {
    for step in STEPS {
        let book = Book::pure("1");
        book.spend(pure("0.5")).unwrap();
        let spent = super::super::spend(
            &book.path,
            &spending(pure("0.25")),
            Ledger::WAIT,
            &RefusesAfter(step),
        );
        let problem = spent.unwrap_err();
        let said_so = matches!(problem, LedgerProblem::Unflushed { .. });
        assert_eq!(said_so, is_renamed_by(step), "{step:?}: {problem}");
        assert_eq!(
            book.names(),
            ["patients.ledger", "patients.ledger.lock"],
            "{step:?}"
        );
        goes_on(&book, is_spent_by(step));
    }
}

#[test]
fn making_a_ledger_may_fail_at_any_step() {
    for step in STEPS {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("new.ledger");
        let made = super::super::create(
            &path,
            "x",
            Accounting::of(Epsilon(amount("1")), Amount::ZERO),
            AT,
            Ledger::WAIT,
            &RefusesAfter(step),
        );
        let never = matches!(step, Step::Read | Step::Marked);
        assert_eq!(made.is_ok(), never, "{step:?}");
        assert_eq!(path.exists(), never || is_spent_by(step), "{step:?}");
        if path.exists() {
            assert!(Ledger::read(&path).unwrap().entries().is_empty());
        } else {
            Ledger::create(
                &path,
                "x",
                Accounting::of(Epsilon(amount("1")), Amount::ZERO),
                AT,
                Ledger::WAIT,
            )
            .unwrap();
        }
    }
}

/// Not a test by itself: what the test below runs in a process of its own, to its end.
#[test]
fn ends_where_it_is_told_to() {
    let (Ok(path), Ok(step)) = (
        std::env::var("MINGLE_TEST_LEDGER"),
        std::env::var("MINGLE_TEST_STEP"),
    ) else {
        return;
    };
    let step = STEPS[step.parse::<usize>().unwrap()];
    let receipt = super::super::spend(
        Path::new(&path),
        &spending(pure("0.25")),
        Ledger::WAIT,
        &EndsAfter(step),
    );
    panic!("it should have ended: {receipt:?}");
}

#[test]
fn the_process_may_end_at_any_step() {
    for (at, step) in STEPS.into_iter().enumerate() {
        let book = Book::pure("1");
        book.spend(pure("0.5")).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "ledger::tests::crash::ends_where_it_is_told_to"]);
        child
            .env("MINGLE_TEST_LEDGER", &book.path)
            .env("MINGLE_TEST_STEP", at.to_string());
        let ended = child.output().unwrap();
        assert_eq!(
            ended.status.code(),
            None,
            "{step:?} ended by a signal: {}",
            String::from_utf8_lossy(&ended.stdout)
        );
        goes_on(&book, is_spent_by(step));
    }
}
