//! Memory: no peer makes a site hold more than the agreed sizes allow.

use super::peer::{Outcome, ask, refused, worked_example};
use super::scripted::Scripted;
use crate::common::talk;
use crate::wire::{Frame, KINDS, OVERHEAD, most, number, stray};
use mingle_protocol::hazmat::held;
use mingle_protocol::{Party, Status, Synchronizer, Violation};
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A site that waits for a greeting, or for the first message of a session.
fn waiting(greeted: bool) -> Outcome {
    let ([mut honest, mut other], [disk, _]) = worked_example(&ask(Synchronizer::Merge));
    let mut heard = Frame::cut(&honest.connect());
    if greeted {
        heard.extend(Frame::cut(&honest.receive(&other.connect())));
    }
    Outcome {
        honest,
        disk,
        heard,
    }
}

#[test]
fn a_length_that_no_message_has_is_refused_by_its_first_five_bytes() {
    for kind in KINDS {
        for greeted in [false, true] {
            let most = (25 + most(kind, 16) + 8) as u64;
            for length in [most + 1, u64::from(u32::MAX)] {
                let mut outcome = waiting(greeted);
                let header = [&(length as u32).to_le_bytes()[..], &[number(kind)]].concat();
                let answer = outcome.honest.receive(&header);
                outcome.heard.extend(Frame::cut(&answer));
                let expected = if greeted || may_greet(kind) {
                    Violation::Oversized { length, most }
                } else {
                    Violation::Unexpected { expected: "hello" }
                };
                refused(kind, outcome, &expected.into());
            }
        }
    }
}

/// Nothing else is read before the greeting, however short.
fn may_greet(kind: &str) -> bool {
    matches!(kind, "hello" | "abort")
}

/// A message that never ends, in drops. What is kept stays within the message's longest.
#[test]
fn dripping_messages_are_bounded() {
    for kind in KINDS {
        for greeted in [false, true]
            .into_iter()
            .filter(|&greeted| greeted || may_greet(kind))
        {
            let mut outcome = waiting(greeted);
            let status = outcome.honest.status();
            let length = 25 + most(kind, 16) + 8;
            let before = held(&outcome.honest);
            let mut bytes = [&(length as u32).to_le_bytes()[..], &[number(kind)]].concat();
            bytes.resize(4 + length - 1, 0x5a);
            for drop in bytes.chunks(997) {
                assert!(outcome.honest.receive(drop).is_empty(), "{kind}");
                assert!(
                    held(&outcome.honest) <= before + length + 4,
                    "{kind}: {}",
                    held(&outcome.honest)
                );
            }
            assert_eq!(outcome.honest.status(), status, "{kind}: waits");
            // the last drop makes it whole, and it is not what it says
            let answer = outcome.honest.receive(&[0x5a]);
            outcome.heard.extend(Frame::cut(&answer));
            refused(kind, outcome, &Violation::Damaged.into());
        }
    }
}

#[test]
fn garbage_is_refused_or_waited_for_within_bounds() {
    let mut generator = rand_chacha::ChaCha20Rng::seed_from_u64(4);
    let mut refusals = 0;
    for round in 0..400 {
        let mut outcome = waiting(round % 2 == 0);
        let mut garbage = vec![0; 1 << 15];
        generator.fill_bytes(&mut garbage);
        if round % 4 == 0 {
            // short enough a length, and a kind that there is, to get further
            garbage[2..5].copy_from_slice(&[0, 0, (round % 16) as u8]);
        }
        for part in garbage.chunks(1 << 12) {
            outcome.honest.receive(part);
            assert!(held(&outcome.honest) <= 3 << 20);
        }
        refusals += usize::from(matches!(
            outcome.honest.status(),
            Status::Aborted(mingle_protocol::Error::Violation(
                Violation::Damaged | Violation::Oversized { .. } | Violation::Unexpected { .. }
            ))
        ));
        assert!(outcome.disk.lock().expect("a disk").history.is_empty());
    }
    assert!(refusals > 350, "{refusals}");
}

/// Many small messages at once: the first that is wrong ends it, and the rest is not kept.
#[test]
fn a_flood_of_messages_is_cut_off() {
    let mut outcome = waiting(true);
    let flood = Frame {
        kind: number("abort"),
        session: [0; 16],
        sequence: 0,
        payload: vec![77],
    }
    .bytes()
    .repeat(20_000);
    let answer = outcome.honest.receive(&flood);
    outcome.heard.extend(Frame::cut(&answer));
    refused(
        "flood",
        outcome,
        &Violation::Malformed { kind: "abort" }.into(),
    );
}

/// Cutting an honest conversation into single bytes changes nothing.
#[test]
fn single_bytes_are_enough() {
    let ([mut first, mut second], _) = worked_example(&ask(Synchronizer::Repair));
    let mut to = [second.connect(), first.connect()];
    let drip = |party: &mut Party, bytes: Vec<u8>| -> Vec<u8> {
        bytes
            .iter()
            .flat_map(|byte| party.receive(std::slice::from_ref(byte)))
            .collect()
    };
    while to.iter().any(|bytes| !bytes.is_empty()) {
        let [to_first, to_second] = to;
        let from_second = drip(&mut second, to_second);
        let from_first = drip(&mut first, to_first);
        to = [from_second, from_first];
    }
    assert_eq!(
        [first.status(), second.status()],
        [Status::Published, Status::Published]
    );
    let (mut sites, _) = worked_example(&ask(Synchronizer::Repair));
    assert_eq!(talk(&mut sites), [Status::Published, Status::Published]);
}

/// A peer that is never content: the rounds end when both hierarchies do.
#[test]
fn rounds_have_an_end() {
    let mut peer = Scripted::greet(|_| ());
    peer.find_everybody();
    let mut rounds = 0;
    while peer.honest.status() == Status::Working {
        peer.intersect("partition", 999, &[vec![rounds]], 1);
        rounds += 1;
    }
    assert_eq!(
        rounds, 7,
        "as many steps as both hierarchies have, and one more comparison"
    );
    refused(
        "never content",
        peer.outcome(),
        &Violation::Inconsistent {
            what: "still unequal at the roots",
        }
        .into(),
    );
}

/// The same with a peer that claims more steps than any hierarchy has: refused before anything is
/// sent.
#[test]
fn a_peer_cannot_claim_endless_hierarchies() {
    for steps in [256, u32::MAX] {
        let peer = Scripted::greet(|hello| hello["offer"]["steps"] = steps.into());
        refused(
            "endless",
            peer.outcome(),
            &Violation::Malformed { kind: "hello" }.into(),
        );
    }
}

/// As many steps as may be claimed: what is kept per round does not grow with the table.
#[test]
fn long_conversations_are_bounded() {
    let mut peer = Scripted::greet(|hello| hello["offer"]["steps"] = 255.into());
    peer.find_everybody();
    let mut rounds = 0u32;
    while peer.honest.status() == Status::Working {
        peer.intersect("partition", 999, &[rounds.to_le_bytes().to_vec()], 1);
        assert!(held(&peer.honest) <= 4096);
        rounds += 1;
    }
    assert_eq!(rounds, 3 + 255 + 1);
    refused(
        "long",
        peer.outcome(),
        &Violation::Inconsistent {
            what: "still unequal at the roots",
        }
        .into(),
    );
}

#[test]
fn frames_here_are_as_long_as_there() {
    let frame = Frame {
        kind: 0,
        session: [0; 16],
        sequence: 0,
        payload: stray(1).to_vec(),
    };
    assert_eq!(frame.bytes().len(), OVERHEAD + 32);
}
