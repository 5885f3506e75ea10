//! Messages out of place: of another session, out of their turn, too early, too late.

use super::peer::{Change, Expect, Outcome, View, ask, attack, refused, worked_example};
use crate::common::talk;
use crate::wire::{Frame, number};
use mingle_protocol::Seat::{One, Zero};
use mingle_protocol::Synchronizer::Merge;
use mingle_protocol::{Error, Reason, Seat, Status, Synchronizer, Violation};
use serde_json::Value;

/// A message that is changed as a whole, and what must be noticed.
type Case = (&'static str, (&'static str, usize), Change, Expect);

fn run(cases: &[Case]) {
    for hostile in [Zero, One] {
        for (name, (kind, nth), change, expected) in cases {
            let outcome = attack(Merge, hostile, kind, *nth, *change);
            refused(
                &format!("{kind}: {name}, site {}", hostile.number()),
                outcome,
                expected,
            );
        }
    }
}

const POINTS: (&str, usize) = ("points", 0);
const READY: (&str, usize) = ("ready", 0);
const DONE: (&str, usize) = ("done", 0);

fn gap(expected: u64, found: u64) -> Expect {
    Violation::SequenceGap { expected, found }.into()
}

fn unexpected(expected: &'static str) -> Error {
    Violation::Unexpected { expected }.into()
}

fn malformed(kind: &'static str) -> Error {
    Violation::Malformed { kind }.into()
}

fn rekind(frame: &Frame, kind: &str, payload: Vec<u8>) -> Frame {
    Frame {
        kind: number(kind),
        payload,
        ..frame.clone()
    }
}

#[test]
fn other_sessions() {
    let unknown = || Expect::from(Violation::UnknownSession);
    run(&[
        (
            "no session",
            POINTS,
            Change::Frame(|_, f| f.session = [0; 16]),
            unknown(),
        ),
        (
            "another session",
            POINTS,
            Change::Frame(|_, f| f.session[15] ^= 1),
            unknown(),
        ),
        (
            "another session later",
            ("tagged-points", 0),
            Change::Frame(|_, f| f.session[0] ^= 1),
            unknown(),
        ),
        (
            "another session at the end",
            ("fragments", 0),
            Change::Frame(|_, f| f.session = [7; 16]),
            unknown(),
        ),
    ]);
}

#[test]
fn other_sequences() {
    run(&[
        (
            "skipped one",
            POINTS,
            Change::Frame(|_, f| f.sequence += 1),
            gap(0, 1),
        ),
        (
            "skipped many",
            POINTS,
            Change::Frame(|_, f| f.sequence = u64::MAX),
            gap(0, u64::MAX),
        ),
        (
            "back to the start",
            ("answers", 0),
            Change::Frame(|_, f| f.sequence = 0),
            gap(2, 0),
        ),
        (
            "repeated",
            POINTS,
            Change::Bytes(|_, f| f.bytes().repeat(2)),
            gap(1, 0),
        ),
        (
            "repeated later",
            ("checkpoint", 0),
            Change::Bytes(|_, f| f.bytes().repeat(2)),
            gap(4, 3),
        ),
        (
            "repeated with the next number",
            POINTS,
            Change::Bytes(with_next),
            unexpected("commitment").into(),
        ),
    ]);
}

fn with_next(_: &View, frame: &Frame) -> Vec<u8> {
    let next = Frame {
        sequence: frame.sequence + 1,
        ..frame.clone()
    };
    [frame.bytes(), next.bytes()].concat()
}

/// The first two messages change places.
#[test]
fn swapped_messages() {
    for hostile in [Zero, One] {
        let mut held = None;
        let outcome = super::peer::rewrite(Merge, hostile, &mut |_, frame| match frame.kind() {
            "points" => {
                held = Some(frame.bytes());
                Vec::new()
            }
            "commitment" => [frame.bytes(), held.take().expect("points come first")].concat(),
            _ => frame.bytes(),
        });
        refused("swapped", outcome, &gap(0, 1));
    }
}

#[test]
fn kinds_out_of_their_turn() {
    run(&[
        (
            "before the greeting",
            ("hello", 0),
            Change::Bytes(|_, f| rekind(f, "points", vec![]).bytes()),
            unexpected("hello").into(),
        ),
        (
            "done before the greeting",
            ("hello", 0),
            Change::Bytes(|_, f| rekind(f, "done", vec![]).bytes()),
            unexpected("hello").into(),
        ),
        (
            "ready before the greeting",
            ("hello", 0),
            Change::Bytes(|_, f| rekind(f, "ready", vec![0; 96]).bytes()),
            unexpected("hello").into(),
        ),
        (
            "a second greeting",
            ("hello", 0),
            Change::Bytes(|_, f| f.bytes().repeat(2)),
            unexpected("no second greeting").into(),
        ),
        (
            "a second greeting later",
            ("fragments", 0),
            Change::Frame(|_, f| *f = rekind(f, "hello", b"{}".to_vec())),
            unexpected("no second greeting").into(),
        ),
        (
            "ready before its turn",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "ready", vec![0; 96])),
            unexpected("a message of the session").into(),
        ),
        (
            "ready instead of tables",
            ("fragments", 0),
            Change::Frame(|_, f| *f = rekind(f, "ready", vec![0; 96])),
            unexpected("a message of the session").into(),
        ),
        (
            "done before ready",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "done", vec![])),
            unexpected("ready").into(),
        ),
        (
            "done instead of tables",
            ("fragments", 0),
            Change::Frame(|_, f| *f = rekind(f, "done", vec![])),
            unexpected("ready").into(),
        ),
        (
            "answers without a commitment",
            ("commitment", 0),
            Change::Frame(|_, f| *f = rekind(f, "answers", vec![0; 544])),
            unexpected("commitment").into(),
        ),
        (
            "verdicts in merge",
            ("components", 0),
            Change::Frame(|_, f| *f = rekind(f, "verdicts", vec![1; 3])),
            unexpected("components").into(),
        ),
        (
            "tables without a checkpoint",
            ("checkpoint", 1),
            Change::Frame(|_, f| *f = rekind(f, "fragments", b"{}".to_vec())),
            unexpected("checkpoint").into(),
        ),
    ]);
}

#[test]
fn the_finish() {
    let forged: Error = Violation::Inconsistent {
        what: "a signature that is not the other site's",
    }
    .into();
    run(&[
        (
            "another digest",
            READY,
            Change::Frame(|_, f| f.payload[0] ^= 1),
            Error::OutputsDiffer.into(),
        ),
        (
            "a forged signature",
            READY,
            Change::Frame(|_, f| f.payload[95] ^= 1),
            Expect::InDoubt(forged.clone()),
        ),
        (
            "our own, sent back",
            READY,
            Change::Frame(|v, f| f.payload.clone_from(&v.last(&["ready"]).payload)),
            Expect::InDoubt(forged),
        ),
        (
            "no signature",
            READY,
            Change::Frame(|_, f| f.payload.truncate(32)),
            Expect::InDoubt(malformed("ready")),
        ),
        (
            "half a digest",
            READY,
            Change::Frame(|_, f| f.payload.truncate(16)),
            Expect::InDoubt(malformed("ready")),
        ),
        (
            "too long",
            READY,
            Change::Frame(|_, f| f.payload.push(0)),
            Expect::InDoubt(malformed("ready")),
        ),
        (
            "of another session",
            READY,
            Change::Frame(|_, f| f.session[3] ^= 1),
            Expect::InDoubt(Violation::UnknownSession.into()),
        ),
        (
            "done without ready",
            READY,
            Change::Frame(|_, f| *f = rekind(f, "done", vec![])),
            Expect::InDoubt(unexpected("ready")),
        ),
        (
            "tables again",
            READY,
            Change::Frame(|_, f| *f = rekind(f, "fragments", b"{}".to_vec())),
            Expect::InDoubt(unexpected("ready")),
        ),
        (
            "a second greeting",
            READY,
            Change::Frame(|_, f| *f = rekind(f, "hello", b"{}".to_vec())),
            Expect::InDoubt(unexpected("no second greeting")),
        ),
        (
            "damaged",
            READY,
            Change::Bytes(|_, f| damaged(f)),
            Expect::InDoubt(Violation::Damaged.into()),
        ),
        (
            "ready after done",
            DONE,
            Change::Bytes(|_, f| [f.bytes(), rekind(f, "ready", vec![0; 96]).bytes()].concat()),
            Expect::Published(Violation::UnknownSession.into()),
        ),
        (
            "points after done",
            DONE,
            Change::Bytes(|_, f| [f.bytes(), rekind(f, "points", vec![]).bytes()].concat()),
            Expect::Published(Violation::UnknownSession.into()),
        ),
        (
            "a greeting after done",
            DONE,
            Change::Bytes(|_, f| [f.bytes(), rekind(f, "hello", vec![]).bytes()].concat()),
            Expect::Published(unexpected("no second greeting")),
        ),
        (
            "done of another session",
            DONE,
            Change::Frame(|_, f| f.session[0] ^= 1),
            Expect::Published(unexpected("ready")),
        ),
        (
            "garbage after done",
            DONE,
            Change::Bytes(|_, f| [f.bytes(), vec![0xff; 64]].concat()),
            Expect::Published(Violation::Damaged.into()),
        ),
    ]);
}

fn damaged(frame: &Frame) -> Vec<u8> {
    let mut bytes = frame.bytes();
    bytes[40] ^= 4;
    bytes
}

#[test]
fn damage() {
    run(&[
        (
            "a bit",
            POINTS,
            Change::Bytes(|_, f| damaged(f)),
            Violation::Damaged.into(),
        ),
        (
            "a greeting",
            ("hello", 0),
            Change::Bytes(|_, f| damaged(f)),
            Violation::Damaged.into(),
        ),
        (
            "an unknown kind",
            POINTS,
            Change::Frame(|_, f| f.kind = 24),
            Violation::Damaged.into(),
        ),
        (
            "a kind that n providers have",
            POINTS,
            Change::Frame(|_, f| f.kind = 16),
            Violation::Damaged.into(),
        ),
        (
            "a kind far off",
            ("hello", 0),
            Change::Frame(|_, f| f.kind = 0xff),
            Violation::Damaged.into(),
        ),
        (
            "too short for a header",
            POINTS,
            Change::Bytes(|_, _| [32u32.to_le_bytes().to_vec(), vec![2; 32]].concat()),
            Violation::Damaged.into(),
        ),
        (
            "of length zero",
            ("hello", 0),
            Change::Bytes(|_, _| vec![0; 64]),
            Violation::Damaged.into(),
        ),
    ]);
}

#[test]
fn aborts() {
    run(&[
        (
            "an unknown reason",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![12])),
            malformed("abort").into(),
        ),
        (
            "a reason far off",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![255])),
            malformed("abort").into(),
        ),
        (
            "no reason",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![])),
            malformed("abort").into(),
        ),
        (
            "a speech",
            POINTS,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![0; 100])),
            malformed("abort").into(),
        ),
        (
            "instead of a greeting",
            ("hello", 0),
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![99])),
            malformed("abort").into(),
        ),
        (
            "when all is ready",
            READY,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![99])),
            Expect::InDoubt(malformed("abort")),
        ),
        (
            "when all is over",
            DONE,
            Change::Frame(|_, f| *f = rekind(f, "abort", vec![99])),
            Expect::Published(malformed("abort")),
        ),
    ]);
}

/// What is no violation: the other may stop at any time before it is ready. It is believed and not
/// answered.
#[test]
fn an_abort_with_a_reason_is_believed() {
    for (place, reason) in [
        (("hello", 0), Reason::Stopped),
        (("tagged-points", 0), Reason::Silence),
        (READY, Reason::Storage),
    ] {
        assert_eq!(
            Reason::ALL[8..11],
            [Reason::Storage, Reason::Silence, Reason::Stopped]
        );
        let change = match reason {
            Reason::Storage => Change::Frame(|_, f| *f = rekind(f, "abort", vec![8])),
            Reason::Silence => Change::Frame(|_, f| *f = rekind(f, "abort", vec![9])),
            _ => Change::Frame(|_, f| *f = rekind(f, "abort", vec![10])),
        };
        let outcome = attack(Merge, One, place.0, place.1, change);
        assert_eq!(
            outcome.honest.status(),
            Status::Aborted(Error::PeerAborted(reason))
        );
        assert!(outcome.heard.iter().all(|frame| frame.kind() != "abort"));
        let disk = outcome.disk.lock().expect("a disk");
        assert!(disk.staged.is_none() && disk.history.is_empty());
    }
}

/// An abort of another session than the one that is ready says nothing about it.
#[test]
fn an_abort_of_another_session_leaves_a_ready_site_in_doubt() {
    let change = Change::Frame(|_, f| {
        *f = Frame {
            session: [1; 16],
            ..rekind(f, "abort", vec![10])
        }
    });
    let outcome = attack(Merge, One, "ready", 0, change);
    assert_eq!(outcome.honest.status(), Status::InDoubt);
    assert!(outcome.honest.is_broken() && outcome.disk.lock().expect("a disk").history.is_empty());
}

/// The connection breaks in the middle, and the other claims to have received what it cannot have.
#[test]
fn impossible_resumptions() {
    for (received, oldest) in [(4u64, 1u64), (u64::MAX, 1), (0, 1)] {
        let ([mut honest, mut other], disks) = worked_example(&ask(Merge));
        let (greeting, answer) = (honest.connect(), other.connect());
        let mut to_other = honest.receive(&answer);
        let mut to_honest = other.receive(&greeting);
        for _ in 0..2 {
            let next = honest.receive(&to_honest);
            to_honest = other.receive(&to_other);
            to_other = next;
        }
        honest.disconnect();
        other.disconnect();
        honest.connect();
        let mut hello = Frame::cut(&other.connect()).remove(0);
        let mut said: Value = serde_json::from_slice(&hello.payload).expect("a greeting");
        said["live"]["received"] = received.into();
        hello.payload = serde_json::to_vec(&said).expect("JSON");
        let heard = Frame::cut(&honest.receive(&hello.bytes()));
        let outcome = Outcome {
            honest,
            disk: disks[0].clone(),
            heard,
        };
        refused("resumption", outcome, &gap(oldest, received));
    }
}

/// A site that is ready cannot be talked into publishing on a later connection, nor into something
/// else.
#[test]
fn a_ready_site_believes_only_a_genuine_signature() {
    type Forgery = (&'static str, fn(&mut Value), Expect);
    let cases: [Forgery; 3] = [
        (
            "forged",
            |record| record["signature"] = "00".repeat(64).into(),
            Expect::InDoubt(
                Violation::Inconsistent {
                    what: "a signature that is not the other site's",
                }
                .into(),
            ),
        ),
        (
            "another digest",
            |record| record["digest"] = "00".repeat(32).into(),
            Error::OutputsDiffer.into(),
        ),
        (
            "no record",
            |record| record["signature"] = "".into(),
            Expect::InDoubt(malformed("hello")),
        ),
    ];
    for (name, change, expected) in cases {
        for standing in ["ready", "published"] {
            let (outcome, hello) = in_doubt();
            let Outcome {
                mut honest, disk, ..
            } = outcome;
            let mut said: Value = serde_json::from_slice(&hello.payload).expect("a greeting");
            let mut record = said["standing"]["ready"].clone();
            change(&mut record);
            said["standing"] = [(standing.to_owned(), record)].into_iter().collect();
            let hello = Frame {
                payload: serde_json::to_vec(&said).expect("JSON"),
                ..hello
            };
            let heard = Frame::cut(&honest.receive(&hello.bytes()));
            refused(
                name,
                Outcome {
                    honest,
                    disk,
                    heard,
                },
                &expected,
            );
        }
    }
}

/// A site whose peer's "ready" was lost, connected again, and the greeting that an honest peer
/// would send now.
fn in_doubt() -> (Outcome, Frame) {
    let ([mut honest, mut other], disks) = worked_example(&ask(Merge));
    let (mut to_other, mut to_honest) = (honest.connect(), other.connect());
    while [honest.status(), other.status()] != [Status::InDoubt, Status::InDoubt] {
        let next = without_ready(honest.receive(&to_honest));
        to_honest = without_ready(other.receive(&to_other));
        to_other = next;
    }
    honest.connect();
    let hello = Frame::cut(&other.connect()).remove(0);
    (
        Outcome {
            honest,
            disk: disks[0].clone(),
            heard: Vec::new(),
        },
        hello,
    )
}

fn without_ready(bytes: Vec<u8>) -> Vec<u8> {
    Frame::cut(&bytes)
        .iter()
        .filter(|frame| frame.kind() != "ready")
        .flat_map(Frame::bytes)
        .collect()
}

/// The control: nothing is changed and all is published.
#[test]
fn an_honest_peer_is_not_refused() {
    for synchronizer in Synchronizer::ALL {
        for hostile in [Seat::Zero, Seat::One] {
            let outcome = attack(synchronizer, hostile, "none", 0, Change::Frame(|_, _| ()));
            assert_eq!(
                (outcome.honest.status(), outcome.honest.trouble()),
                (Status::Published, None)
            );
        }
        let (mut sites, _) = worked_example(&ask(synchronizer));
        assert_eq!(talk(&mut sites), [Status::Published, Status::Published]);
    }
}
