//! A ledger on a disk that fails, in hands that err, and with many who want the last of it.
#![allow(clippy::disallowed_methods, reason = "tests damage files on purpose")]

mod concurrent;
mod crash;
mod damage;
mod sums;

use super::*;
use crate::amount::Amount;
use crate::guarantee::Epsilon;
use std::fs;
use tempfile::TempDir;

pub(super) const AT: &str = "2026-01-02T03:04:05Z";

pub(super) fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

pub(super) fn pure(epsilon: &str) -> Guarantee {
    Guarantee::Pure {
        epsilon: Epsilon(amount(epsilon)),
    }
}

pub(super) fn approximate(epsilon: &str, delta: &str) -> Guarantee {
    Guarantee::Approximate {
        epsilon: Epsilon(amount(epsilon)),
        delta: amount(delta),
    }
}

pub(super) fn rho(rho: &str) -> Guarantee {
    Guarantee::Concentrated { rho: amount(rho) }
}

pub(super) fn spending(guarantee: Guarantee) -> Spending {
    Spending {
        release: "synthetic".to_owned(),
        guarantee,
        leaves_cells_out: false,
        records_per_person: 1,
        identified: false,
        label: "out".to_owned(),
        at: AT.to_owned(),
    }
}

/// A ledger of its own, in a folder of its own.
pub(super) struct Book {
    pub(super) home: TempDir,
    pub(super) path: PathBuf,
}

impl Book {
    pub(super) fn new(accounting: Accounting) -> Book {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("patients.ledger");
        Ledger::create(&path, "patients", accounting, AT, Ledger::WAIT).unwrap();
        Book { home, path }
    }

    pub(super) fn pure(epsilon: &str) -> Book {
        Book::new(Accounting::of(Epsilon(amount(epsilon)), Amount::ZERO))
    }

    pub(super) fn spend(&self, guarantee: Guarantee) -> Result<Receipt, LedgerProblem> {
        super::spend(
            &self.path,
            &spending(guarantee),
            Duration::from_millis(50),
            &Real,
        )
    }

    pub(super) fn read(&self) -> Ledger {
        Ledger::read(&self.path).unwrap()
    }

    pub(super) fn problem(&self) -> LedgerProblem {
        match super::read(&self.path, &Real) {
            Ok(_) => panic!("the ledger was read"),
            Err(problem) => problem,
        }
    }

    /// What is in the folder, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.home.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_receipt_is_for_an_entry() {
    let book = Book::pure("1");
    let receipt = book.spend(pure("0.25")).unwrap();
    let ledger = book.read();
    assert_eq!(
        (receipt.entry(), receipt.guarantee()),
        (Some(1), pure("0.25"))
    );
    assert_eq!(receipt.sha256(), ledger.sha256(1));
    assert_eq!((ledger.sha256(0), ledger.sha256(2)), (None, None));
    let entry = &ledger.entries()[0];
    assert_eq!(
        (
            entry.label.as_str(),
            entry.release.as_str(),
            entry.at.as_str()
        ),
        ("out", "synthetic", AT)
    );
    assert_eq!(ledger.header().name, "patients");
    assert_eq!(Receipt::for_experiment(pure("1")).sha256(), None);
}

#[test]
fn only_the_owner_may_look() {
    use std::os::unix::fs::PermissionsExt;
    let book = Book::pure("1");
    book.spend(pure("0.25")).unwrap();
    for name in book.names() {
        let mode = fs::metadata(book.home.path().join(&name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777;
        assert_eq!(mode, 0o600, "{name}");
    }
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let book = Book::pure("1");
    book.spend(pure("0.5")).unwrap();
    let again = |path: &Path| {
        super::create(
            path,
            "x",
            Accounting::of(Epsilon(amount("9")), Amount::ZERO),
            AT,
            Ledger::WAIT,
            &Real,
        )
    };
    assert!(matches!(again(&book.path), Err(LedgerProblem::Exists)));
    assert_eq!(book.read().entries().len(), 1);
    let dangling = book.home.path().join("dangling");
    std::os::unix::fs::symlink(book.home.path().join("nowhere"), &dangling).unwrap();
    assert!(matches!(again(&dangling), Err(LedgerProblem::Exists)));
    assert!(matches!(
        again(Path::new("/")),
        Err(LedgerProblem::NotAFile)
    ));
    assert!(matches!(
        again(&book.home.path().join("no/such")),
        Err(LedgerProblem::Io { .. })
    ));
}

#[test]
fn deleting_a_ledger_brings_no_budget_back() {
    let book = Book::pure("1");
    book.spend(pure("0.5")).unwrap();
    fs::remove_file(&book.path).unwrap();
    assert!(matches!(
        book.spend(pure("0.5")),
        Err(LedgerProblem::Missing)
    ));
    let again = super::create(
        &book.path,
        "x",
        Accounting::of(Epsilon(amount("1")), Amount::ZERO),
        AT,
        Ledger::WAIT,
        &Real,
    );
    assert!(matches!(again, Err(LedgerProblem::Gone { entries: 1 })));
}

#[test]
fn an_old_copy_is_noticed() {
    let book = Book::pure("1");
    book.spend(pure("0.5")).unwrap();
    let old = fs::read(&book.path).unwrap();
    book.spend(pure("0.25")).unwrap();
    fs::write(&book.path, &old).unwrap();
    assert!(matches!(
        book.spend(pure("0.25")),
        Err(LedgerProblem::OlderCopy {
            found: 1,
            written: 2
        })
    ));
    // the same number of entries, but not the same ones
    let lock = book.home.path().join("patients.ledger.lock");
    fs::remove_file(&lock).unwrap();
    let mark = format!("1 {}\n", "0".repeat(64));
    fs::write(&lock, mark).unwrap();
    assert!(matches!(
        book.spend(pure("0.25")),
        Err(LedgerProblem::OtherCopy { entry: 1 })
    ));
    // half a mark is none
    fs::write(&lock, "7 0123").unwrap();
    assert_eq!(book.spend(pure("0.25")).unwrap().entry(), Some(2));
}

#[test]
fn links_lead_to_one_ledger() {
    let book = Book::pure("1");
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(&book.path, &link).unwrap();
    Ledger::spend(&link, &spending(pure("0.75")), Ledger::WAIT).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(matches!(
        book.spend(pure("0.5")),
        Err(LedgerProblem::Exhausted { .. })
    ));
    assert_eq!(
        fs::read_dir(elsewhere.path()).unwrap().count(),
        1,
        "the lock is beside the ledger"
    );
    fs::hard_link(&book.path, book.home.path().join("twin")).unwrap();
    assert!(matches!(
        book.spend(pure("0.1")),
        Err(LedgerProblem::HardLinks { names: 2 })
    ));
}

#[test]
fn a_held_lock_is_waited_for_and_named() {
    let book = Book::pure("1");
    let lock = Lock::take(&book.path.canonicalize().unwrap(), Duration::ZERO)
        .ok()
        .unwrap();
    assert!(matches!(
        book.spend(pure("0.5")),
        Err(LedgerProblem::Locked { seconds: 0 })
    ));
    assert_eq!(book.read().entries().len(), 0, "reading needs no lock");
    let holder = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        drop(lock);
    });
    Ledger::spend(&book.path, &spending(pure("0.5")), Ledger::WAIT).unwrap();
    holder.join().unwrap();
}

#[test]
fn long_and_strange_texts_are_kept_as_far_as_they_fit() {
    let book = Book::pure("1");
    let label = format!("a\"b\\\n\u{1b}[31m{}", "ä".repeat(1000));
    let spending = Spending {
        label: label.clone(),
        ..spending(pure("0.5"))
    };
    Ledger::spend(&book.path, &spending, Ledger::WAIT).unwrap();
    let kept: String = label.chars().take(200).collect();
    assert_eq!(book.read().entries()[0].label, kept);
}

#[test]
fn a_receipt_comes_again_for_what_was_paid_for_and_for_nothing_else() {
    let book = Book::new(Accounting::Epsilon {
        epsilon: Epsilon(amount("9")),
        delta: Amount::ZERO,
    });
    let asked = spending(pure("1"));
    let read = || Ledger::read(&book.path).unwrap();
    assert!(read().receipt_again(&asked).is_none(), "nothing was paid");
    let receipt = Ledger::spend(&book.path, &asked, Ledger::WAIT).unwrap();
    let later = Spending {
        at: "2027-01-02T03:04:05Z".to_owned(),
        ..asked.clone()
    };
    let again = read()
        .receipt_again(&later)
        .expect("the same but for the time");
    assert_eq!(
        (again.entry(), again.sha256()),
        (receipt.entry(), receipt.sha256())
    );
    assert!(again.covers("synthetic", 1, false));
    for other in [
        Spending {
            label: "another run".to_owned(),
            ..asked.clone()
        },
        Spending {
            guarantee: pure("2"),
            ..asked.clone()
        },
        Spending {
            records_per_person: 2,
            ..asked.clone()
        },
        Spending {
            identified: true,
            ..asked.clone()
        },
    ] {
        assert!(read().receipt_again(&other).is_none());
    }
}
