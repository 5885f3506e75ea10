//! Files that are no ledger, and ledgers that somebody has been at.

use super::*;
use serde_json::json;

/// Two entries, as text.
fn written() -> (Book, String) {
    let book = Book::pure("1");
    book.spend(pure("0.5")).unwrap();
    book.spend(pure("0.25")).unwrap();
    let text = fs::read_to_string(&book.path).unwrap();
    (book, text)
}

#[test]
fn no_byte_changes_unnoticed() {
    let (book, text) = written();
    for at in 0..text.len() {
        for flip in [1u8, 0x20, 0x80, text.as_bytes()[at]] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= flip;
            fs::write(&book.path, &bytes).unwrap();
            assert!(Ledger::read(&book.path).is_err(), "byte {at} ^ {flip}");
        }
    }
    fs::write(&book.path, &text).unwrap();
    assert_eq!(book.read().entries().len(), 2);
}

#[test]
fn no_line_is_moved_or_taken_out_unnoticed() {
    let (book, text) = written();
    let lines: Vec<&str> = text.lines().collect();
    let [header, first, second] = lines[..] else {
        panic!("three lines")
    };
    let other = Book::pure("1");
    other.spend(pure("0.75")).unwrap();
    let foreign = fs::read_to_string(&other.path).unwrap();
    let foreign = foreign.lines().last().unwrap();
    for (kept, line) in [
        (vec![header, second], 2),
        (vec![header, second, first], 2),
        (vec![header, first, first], 3),
        (vec![header, first, second, second], 4),
        (vec![header, first, foreign], 3),
        (vec![header, header], 2),
    ] {
        fs::write(&book.path, kept.join("\n") + "\n").unwrap();
        assert!(
            matches!(book.problem(), LedgerProblem::Changed { line: found } if found == line),
            "{kept:?}"
        );
    }
    // what is taken off the end is seen by the lock alone
    fs::write(&book.path, [header, first].join("\n") + "\n").unwrap();
    assert!(Ledger::read(&book.path).is_err());
    assert!(matches!(
        book.spend(pure("0.5")),
        Err(LedgerProblem::OlderCopy { .. })
    ));
    fs::remove_file(format!("{}.lock", book.path.display())).unwrap();
    assert_eq!(book.read().entries().len(), 1);
}

#[test]
fn every_cut_is_noticed() {
    let (book, text) = written();
    for length in 0..text.len() {
        fs::write(&book.path, &text[..length]).unwrap();
        assert!(
            Ledger::read(&book.path).is_err() && book.spend(pure("0.01")).is_err(),
            "{length}"
        );
        // without the lock's memory, whole lines that are missing at the end are not
        assert_eq!(
            super::super::read(&book.path, &Real).is_ok(),
            text[..length].ends_with('\n'),
            "{length}"
        );
    }
}

#[test]
fn other_files_are_refused_with_their_line() {
    use LedgerProblem as P;
    let (book, text) = written();
    type Refused = fn(&P) -> bool;
    let cases: [(Vec<u8>, Refused); 12] = [
        (b"".to_vec(), |p| matches!(p, P::Empty)),
        (vec![0; 4096], |p| matches!(p, P::NotALedger)),
        (b"name,age\nx,1\n".to_vec(), |p| matches!(p, P::NotALedger)),
        (b"{\"schema\":\"mingle.release/1\"}\n".to_vec(), |p| {
            matches!(p, P::NotALedger)
        }),
        (text.replacen("ledger/1", "ledger/2", 1).into_bytes(), |p| {
            matches!(p, P::OtherVersion)
        }),
        (text.replace('\n', "\r\n").into_bytes(), |p| {
            matches!(p, P::Unreadable { line: 1 })
        }),
        (text.trim_end().as_bytes().to_vec(), |p| {
            matches!(p, P::CutShort { line: 3 })
        }),
        ([text.as_bytes(), b"\n"].concat(), |p| {
            matches!(p, P::Unreadable { line: 4 })
        }),
        ([text.as_bytes(), b"\0\0\0\0"].concat(), |p| {
            matches!(p, P::CutShort { line: 4 })
        }),
        ([text.as_bytes(), &[0xff, b'\n']].concat(), |p| {
            matches!(p, P::NotUtf8 { line: 4 })
        }),
        ([text.as_bytes(), b"{}\n"].concat(), |p| {
            matches!(p, P::Unreadable { line: 4 })
        }),
        (["\u{feff}".as_bytes(), text.as_bytes()].concat(), |p| {
            matches!(p, P::NotALedger)
        }),
    ];
    for (at, (bytes, refused)) in cases.into_iter().enumerate() {
        fs::write(&book.path, &bytes).unwrap();
        let problem = book.problem();
        assert!(refused(&problem), "case {at}: {problem}");
        assert!(book.spend(pure("0.1")).is_err());
        assert_eq!(
            fs::read(&book.path).unwrap(),
            bytes,
            "what cannot be read is not touched"
        );
    }
}

#[test]
fn what_is_not_a_file_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let read = |path: &Path| super::super::read(path, &Real).unwrap_err();
    assert!(matches!(read(home.path()), LedgerProblem::NotAFile));
    assert!(matches!(
        read(&home.path().join("none")),
        LedgerProblem::Missing
    ));
    let file = home.path().join("huge");
    fs::File::create(&file).unwrap().set_len(1 << 30).unwrap();
    assert!(matches!(read(&file), LedgerProblem::TooLarge { .. }));
    assert!(matches!(
        read(&file.join("below")),
        LedgerProblem::Io { .. }
    ));
    let pipe = home.path().join("pipe");
    if std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .is_ok_and(|status| status.success())
    {
        assert!(
            matches!(read(&pipe), LedgerProblem::NotAFile),
            "and nobody waits for a writer"
        );
    }
}

/// Lines whose hashes fit, and which this program would not write.
#[test]
fn a_good_hash_does_not_make_a_good_line() {
    let header = json!({ "schema": "mingle.ledger/1", "name": "x", "created": AT,
        "accounting": { "epsilon": { "epsilon": "1", "delta": "0" } } });
    let entry = json!({ "entry": 1, "at": AT, "release": "synthetic", "guarantee": { "pure": { "epsilon": "0.5" } },
        "leaves_cells_out": false, "charged": { "unit": "epsilon", "amount": "0.5", "delta": "0" },
        "records_per_person": 1, "identified": false, "label": "out" });
    let with = |base: &serde_json::Value, pointer: &str, value: serde_json::Value| {
        let mut changed = base.clone();
        let (object, key) = pointer.rsplit_once('/').unwrap();
        changed.pointer_mut(object).unwrap()[key] = value;
        changed
    };
    let cases = [
        (vec![header.clone(), entry.clone()], None),
        (vec![with(&header, "/extra", json!(1))], Some(1)),
        (
            vec![with(
                &header,
                "/accounting",
                json!({ "epsilon": { "epsilon": "0", "delta": "0" } }),
            )],
            Some(1),
        ),
        (
            vec![with(
                &header,
                "/accounting",
                json!({ "moments": { "epsilon": "1" } }),
            )],
            Some(1),
        ),
        (
            vec![header.clone(), with(&entry, "/extra", json!(1))],
            Some(2),
        ),
        (
            vec![header.clone(), with(&entry, "/entry", json!(2))],
            Some(2),
        ),
        (
            vec![
                header.clone(),
                with(&entry, "/charged/amount", json!("0.4")),
            ],
            Some(2),
        ),
        (
            vec![header.clone(), with(&entry, "/charged/amount", json!("-1"))],
            Some(2),
        ),
        (
            vec![header.clone(), with(&entry, "/charged/amount", json!(0.5))],
            Some(2),
        ),
        (
            vec![header.clone(), with(&entry, "/charged/unit", json!("rho"))],
            Some(2),
        ),
        (
            vec![
                header.clone(),
                with(
                    &entry,
                    "/guarantee",
                    json!({ "concentrated": { "rho": "0.5" } }),
                ),
            ],
            Some(2),
        ),
        (
            vec![
                header.clone(),
                with(&entry, "/records_per_person", json!(-1)),
            ],
            Some(2),
        ),
    ];
    let book = Book::pure("1");
    for (at, (lines, refused)) in cases.into_iter().enumerate() {
        let mut chain = Chain::default();
        lines.iter().for_each(|line| chain.push(line).unwrap());
        fs::write(&book.path, chain.text()).unwrap();
        match (super::super::read(&book.path, &Real), refused) {
            (Ok(_), None) => {}
            (Err(LedgerProblem::Unreadable { line }), Some(expected)) if line == expected => {}
            (Ok(_), _) => panic!("case {at} was read"),
            (Err(problem), _) => panic!("case {at}: {problem}"),
        }
    }
}

#[test]
fn messages_do_not_repeat_the_file() {
    let (book, text) = written();
    fs::write(&book.path, text.replace("\"out\"", "\"secret\"")).unwrap();
    let message = Ledger::read(&book.path).unwrap_err().to_string();
    assert!(
        message.contains("line 2") && !message.contains("secret"),
        "{message}"
    );
}

/// The lock is written to: a link in its place would have something else written over.
#[test]
fn a_lock_that_is_a_link_is_refused() {
    let (book, _) = written();
    let lock = PathBuf::from(format!("{}.lock", book.path.display()));
    let victim = book.path.with_file_name("victim");
    fs::write(&victim, "precious").unwrap();
    fs::remove_file(&lock).unwrap();
    std::os::unix::fs::symlink(&victim, &lock).unwrap();
    assert!(matches!(
        book.spend(pure("0.125")).unwrap_err(),
        LedgerProblem::LockNotAFile
    ));
    fs::remove_file(&lock).unwrap();
    fs::hard_link(&victim, &lock).unwrap();
    assert!(matches!(
        book.spend(pure("0.125")).unwrap_err(),
        LedgerProblem::LockNotAFile
    ));
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(book.read().entries().len(), 2);
}

#[test]
fn those_who_share_a_ledger_go_on_sharing_it() {
    use std::os::unix::fs::PermissionsExt;
    let (book, _) = written();
    let mode = || fs::metadata(&book.path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&book.path, fs::Permissions::from_mode(0o660)).unwrap();
    book.spend(pure("0.125")).unwrap();
    assert_eq!(mode(), 0o660);
}

/// Two runs never write at the same time, even if somebody takes the lock's file away from under
/// one of them.
#[test]
fn removing_the_lock_lets_nobody_in() {
    let (book, _) = written();
    let held = Lock::take(&book.path.canonicalize().unwrap(), Ledger::WAIT).unwrap();
    fs::remove_file(format!("{}.lock", book.path.display())).unwrap();
    let soon = Duration::from_millis(30);
    let spent = spend(&book.path, &spending(pure("0.125")), soon, &Real);
    assert!(matches!(spent, Err(LedgerProblem::Locked { .. })));
    drop(held);
    assert!(spend(&book.path, &spending(pure("0.125")), soon, &Real).is_ok());
}
