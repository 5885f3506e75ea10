//! Everything that no honest provider or board sends, each with somebody who does: a typed error
//! that names who it was, and nothing published anywhere.

use super::disk::Disk;
use super::network::Network;
use super::wire::{
    BAG, CHECKPOINT, CIPHERTEXTS, COMMITMENT, HELLO, KEYS, PARTIALS, READY, RESUME, SUMS, WireFrame,
};
use super::world::{World, column};
use mingle_dp::{Amount, Epsilon};
use mingle_model::{Missing, Role};
use mingle_privacy::{Attribute, K, L, M, Promise, Rule};
use mingle_protocol::horizontal::{
    BoardLimits, Caps, CutRule, HorizontalTerms, KeptRecord, RelayBoard, RevealLevel, SharedSchema,
};
use mingle_protocol::{Error, Reason, Status, Violation};
use std::sync::Arc;

/// Four providers, forty rows each.
fn world(level: RevealLevel) -> World {
    world_of(level, 4)
}

fn world_of(level: RevealLevel, providers: usize) -> World {
    let ages = (0..16).map(|age| age.to_string()).collect();
    let zips: Vec<String> = (0..12)
        .map(|zip| format!("1{}{}", zip / 4, zip % 4))
        .collect();
    let values = (0..4).map(|value| format!("illness {value}")).collect();
    let columns = vec![
        column("age", Role::QuasiIdentifier, ages, None),
        column("zip", Role::QuasiIdentifier, zips, Some(2)),
        column("disease", Role::Sensitive, values, None),
    ];
    let schema = Arc::new(SharedSchema::new(columns, Missing::default()).expect("a schema"));
    let row = |seat: usize, at: usize| {
        let mix = at * 7 + seat * 3;
        vec![
            (mix % 16) as u32,
            (mix / 3 % 12) as u32,
            (mix / 5 % 4) as u32,
        ]
    };
    let rows = (0..providers)
        .map(|seat| (0..40).map(|at| row(seat, at)).collect())
        .collect();
    let promise = |rule, attribute| Promise { rule, attribute };
    World {
        schema,
        rows,
        seed: 77,
        terms: HorizontalTerms {
            policy: [1; 32],
            promises: vec![
                promise(Rule::k_anonymity(K(3)), None),
                promise(Rule::distinct_diversity(L(2)), Some(Attribute::Column(0))),
            ],
            m: M(1),
            site_diversity: 1,
            level,
            caps: Caps::Single,
            cuts: CutRule::Noisy {
                epsilon: Epsilon(Amount::parse("8").expect("an amount")),
                delta: Amount::BILLIONTH,
                levels: 3,
            },
            depth: 3,
        },
    }
}

const RUN: [u8; 32] = [77; 32];

/// Changes the bodies of a seat's messages of a kind, signed by that seat.
fn lie(
    seat: usize,
    kind: u8,
    change: impl Fn(&mut Vec<u8>),
) -> impl FnMut(usize, WireFrame) -> Vec<WireFrame> {
    move |_, frame| {
        if frame.kind != kind
            || !frame.is_message()
            || frame.seat() != seat
            || frame.payload[6] == 1
        {
            return vec![frame];
        }
        let mut body = frame.body().to_vec();
        change(&mut body);
        vec![frame.with_body(&RUN, &body)]
    }
}

/// Whether some provider ended the run with this error, and nobody published.
#[track_caller]
fn assert_refused(
    world: &World,
    tamper: &mut dyn FnMut(usize, WireFrame) -> Vec<WireFrame>,
    expected: &Error,
) {
    let mut network = Network::new(world);
    network.run_tampered(tamper);
    let statuses = network.statuses();
    let named = |status: &Status| *status == Status::Aborted(expected.clone());
    assert!(statuses.iter().any(named), "{statuses:?}");
    for (disk, status) in network.disks.iter().zip(&statuses) {
        assert!(disk.lock().expect("a disk").published.is_empty());
        assert!(*status != Status::Published);
    }
}

fn by(seat: usize, violation: Violation) -> Error {
    Error::Provider {
        provider: format!("hospital {seat}"),
        violation,
    }
}

#[test]
fn honest_providers_publish() {
    for level in RevealLevel::ALL {
        let mut network = Network::new(&world(level));
        network.run();
        assert!(network.outcome().is_ok());
        assert!(network.parties.iter().all(|party| party.is_finished()));
    }
}

/// Bodies are covered, so that a lie on the wire comes out as something that nobody chose: what
/// exactly is refused about it is for chance, and `elgamal.rs` has each case.
#[track_caller]
fn assert_blamed(world: &World, seat: usize, kind: u8, change: impl Fn(&mut Vec<u8>)) {
    let mut network = Network::new(world);
    network.run_tampered(&mut lie(seat, kind, change));
    let name = format!("hospital {seat}");
    let blamed = |status: &Status| match status {
        Status::Aborted(Error::Provider {
            provider,
            violation,
        }) => {
            *provider == name
                && matches!(
                    violation,
                    Violation::BadPoint
                        | Violation::IdentityPoint
                        | Violation::BadProof
                        | Violation::Copied
                        | Violation::WrongCount { .. }
                        | Violation::Malformed { .. }
                )
        }
        _ => false,
    };
    assert!(
        network.statuses().iter().any(blamed),
        "{:?}",
        network.statuses()
    );
    assert!(
        network
            .disks
            .iter()
            .all(|disk| disk.lock().expect("a disk").published.is_empty())
    );
}

#[test]
fn bad_points_and_bags_are_refused() {
    let world = world(RevealLevel::Bits);
    for seat in [0, 2, 3] {
        assert_blamed(&world, seat, BAG, |body| body.fill(0xff));
        assert_blamed(&world, seat, BAG, |body| body.truncate(body.len() - 64));
        assert_blamed(&world, seat, BAG, |body| body.extend_from_slice(&[1; 64]));
    }
}

#[test]
fn bad_keys_are_refused() {
    let world = world(RevealLevel::Bits);
    assert_blamed(&world, 1, KEYS, |body| body[64] ^= 1);
    assert_blamed(&world, 1, KEYS, |body| body[..32].fill(0));
    assert_blamed(&world, 1, KEYS, |body| body.truncate(95));
}

/// A provider that announces the mask key of another one, as it is or in other words: whoever sits
/// between the two would add and take away the same mask, and send its counts as they are.
#[test]
fn another_ones_mask_key_is_refused_in_any_words() {
    let world = world(RevealLevel::Sums);
    let mut theirs: Option<Vec<u8>> = None;
    Network::new(&world).run_tampered(&mut |_, frame| {
        if frame.kind == HELLO && frame.is_message() && frame.seat() == 0 {
            theirs = Some(frame.body().to_vec());
        }
        vec![frame]
    });
    let key_of = |body: &[u8]| {
        let text = String::from_utf8(body.to_vec()).expect("text");
        let from = text.find("\"mask_key\":[").expect("a key") + 12;
        let to = from + text[from..].find(']').expect("an end");
        let bytes = text[from..to]
            .split(',')
            .map(|n| n.parse::<u8>().expect("a byte"));
        (bytes.collect::<Vec<u8>>(), from, to)
    };
    let (first, _, _) = key_of(&theirs.expect("a statement"));
    for unused_bit in [0, 0x80] {
        let change = |body: &mut Vec<u8>| {
            let (_, from, to) = key_of(body);
            let mut key = first.clone();
            key[31] |= unused_bit;
            let words: Vec<String> = key.iter().map(u8::to_string).collect();
            body.splice(from..to, words.join(",").into_bytes());
        };
        assert_refused(
            &world,
            &mut lie(3, HELLO, change),
            &by(3, Violation::Copied),
        );
    }
}

#[test]
fn what_was_committed_to_is_what_is_opened() {
    let world = world(RevealLevel::Bits);
    let flip = |body: &mut Vec<u8>| body[40] ^= 1;
    for kind in [CIPHERTEXTS, PARTIALS] {
        assert_refused(
            &world,
            &mut lie(1, kind, flip),
            &by(1, Violation::BrokenCommitment),
        );
    }
    assert_refused(
        &world,
        &mut lie(1, COMMITMENT, |body| flip_first(body)),
        &by(1, Violation::BrokenCommitment),
    );
}

fn flip_first(body: &mut [u8]) {
    body[0] ^= 1;
}

#[test]
fn other_transcripts_are_refused() {
    for level in RevealLevel::ALL {
        let world = world(level);
        assert_refused(
            &world,
            &mut lie(2, CHECKPOINT, |body| flip_first(body)),
            &by(2, Violation::TranscriptDiffers),
        );
        // provider 1 tells provider 3 something else than the others
        let mut split = |to: usize, frame: WireFrame| {
            if frame.kind == SUMS && frame.seat() == 1 && to == 3 {
                let mut body = frame.body().to_vec();
                body[0] ^= 1;
                return vec![frame.with_body(&RUN, &body)];
            }
            vec![frame]
        };
        let mut network = Network::new(&world);
        network.run_tampered(&mut split);
        let differs = |status: &Status| {
            matches!(
                status,
                Status::Aborted(Error::Provider {
                    violation: Violation::TranscriptDiffers,
                    ..
                })
            )
        };
        assert!(
            network.statuses().iter().any(differs),
            "{:?}",
            network.statuses()
        );
    }
}

#[test]
fn two_messages_of_one_number_are_refused() {
    let mut twice = |_: usize, frame: WireFrame| {
        if frame.kind == SUMS && frame.seat() == 1 {
            let mut body = frame.body().to_vec();
            body[0] ^= 1;
            let other = frame.with_body(&RUN, &body);
            return vec![frame, other];
        }
        vec![frame]
    };
    assert_refused(
        &world(RevealLevel::Sums),
        &mut twice,
        &by(1, Violation::Equivocation),
    );
}

#[test]
fn wrong_vectors_and_totals_are_refused() {
    let world = world(RevealLevel::Sums);
    let mut network = Network::new(&world);
    network.run_tampered(&mut lie(1, SUMS, |body| body.truncate(8)));
    let short = |status: &Status| {
        matches!(
            status,
            Status::Aborted(Error::Provider {
                violation: Violation::WrongCount { .. },
                ..
            })
        )
    };
    assert!(network.statuses().iter().any(short));
    // totals: the last vector of the run, from which provider 1 takes a thousand rows
    let mut last = 0;
    Network::new(&world).run_tampered(&mut |_, frame| {
        if frame.kind == SUMS && frame.seat() == 1 {
            last = last.max(frame.sequence);
        }
        vec![frame]
    });
    let mut steal = |_: usize, frame: WireFrame| {
        if frame.kind != SUMS || frame.sequence != last || frame.seat() != 1 {
            return vec![frame];
        }
        let mut body = frame.body().to_vec();
        for number in body.as_chunks_mut::<8>().0 {
            *number = u64::from_le_bytes(*number).wrapping_sub(1000).to_le_bytes();
        }
        vec![frame.with_body(&RUN, &body)]
    };
    assert_refused(
        &world,
        &mut steal,
        &Error::Violation(Violation::TotalsBelowOwn),
    );
}

#[test]
fn a_board_that_changes_messages_is_found() {
    let world = world(RevealLevel::Sums);
    let forged = Error::Board(Violation::Forged);
    let damaged = Error::Board(Violation::Damaged);
    type Change = fn(&mut WireFrame);
    let changes: [(Change, &Error); 6] = [
        (|frame| frame.payload[50] ^= 1, &forged),
        (|frame| frame.sequence += 1 << 20, &forged),
        (|frame| frame.payload[4] = 1, &forged),
        (
            |frame| frame.payload[2] = frame.payload[2].wrapping_add(1) % 3 + 20,
            &Error::Board(Violation::WrongSeat),
        ),
        (
            |frame| frame.session[0] ^= 1,
            &Error::Board(Violation::UnknownSession),
        ),
        (
            |frame| *frame.payload.last_mut().expect("a body") ^= 1,
            &damaged,
        ),
    ];
    for (change, expected) in changes {
        let mut tamper = |to: usize, mut frame: WireFrame| {
            if frame.kind == CHECKPOINT && to == 2 && frame.seat() == 0 {
                change(&mut frame);
            }
            vec![frame]
        };
        assert_refused(&world, &mut tamper, expected);
    }
    // a board that answers for a provider: what it says in our own name
    let mut echo = |to: usize, frame: WireFrame| {
        let mut own = frame.clone();
        if frame.kind == HELLO {
            own.payload[2..4].copy_from_slice(&(to as u16).to_le_bytes());
            return vec![own];
        }
        vec![frame]
    };
    assert_refused(&world, &mut echo, &Error::Board(Violation::WrongSeat));
}

#[test]
fn a_board_that_drops_or_reorders_gets_what_it_has_again() {
    for level in RevealLevel::ALL {
        let world = world(level);
        let mut network = Network::new(&world);
        let mut seen = 0;
        network.run_tampered(&mut |_, frame| {
            seen += 1;
            if seen % 11 == 0 && frame.kind != RESUME {
                vec![]
            } else {
                vec![frame]
            }
        });
        // what was lost is asked for when the next message comes, or on the next connection
        for _ in 0..200 {
            if network.parties.iter().all(|party| party.is_finished()) {
                break;
            }
            network.run();
        }
        assert!(network.outcome().is_ok());
    }
}

#[test]
fn whoever_is_silent_is_named() {
    let world = world(RevealLevel::Sums);
    let mut network = Network::new(&world);
    network.run_tampered(&mut |_, frame| {
        let silent = frame.is_message() && frame.seat() == 2 && frame.sequence > 3;
        if silent { vec![] } else { vec![frame] }
    });
    assert_eq!(network.parties[0].waiting_for(), ["hospital 2"]);
    let word = network.parties[0].give_up(Reason::Silence);
    assert!(!word.is_empty());
    let silent = Error::Silent {
        providers: vec!["hospital 2".to_owned()],
    };
    assert_eq!(network.parties[0].status(), Status::Aborted(silent));
    assert!(
        network
            .disks
            .iter()
            .all(|disk| disk.lock().expect("a disk").published.is_empty())
    );
}

/// The board keeps the last provider's signature from one of them: it is in doubt, publishes
/// nothing, and comes to the same release when it hears again.
#[test]
fn a_board_that_splits_published_from_in_doubt() {
    let world = world(RevealLevel::Sums);
    let mut network = Network::new(&world);
    network.run_tampered(&mut |to, frame| {
        let kept_back = to == 3 && (frame.kind == READY || frame.kind == super::wire::CERTIFICATE);
        if kept_back { vec![] } else { vec![frame] }
    });
    let statuses = network.statuses();
    assert_eq!(statuses[3], Status::InDoubt);
    assert!(
        statuses[..3]
            .iter()
            .all(|status| *status == Status::Published)
    );
    assert!(
        network.disks[3]
            .lock()
            .expect("a disk")
            .published
            .is_empty()
    );
    assert!(network.parties[3].give_up(Reason::Silence).is_empty());
    assert_eq!(network.parties[3].status(), Status::InDoubt);
    // it starts again from its disk, and all others have forgotten everything but their disks
    for seat in 0..4 {
        network.parties[seat] = world.party(seat, &network.disks[seat]).expect("a party");
    }
    network.run();
    assert!(network.outcome().is_ok());
}

#[test]
fn a_resumed_provider_says_the_same_and_other_rows_cannot_resume() {
    for level in RevealLevel::ALL {
        let world = world(level);
        let mut network = Network::new(&world);
        // everything from provider 1 stops after its tenth message
        network.run_tampered(&mut |_, frame| {
            let lost = frame.is_message() && frame.seat() == 1 && frame.sequence >= 10;
            if lost { vec![] } else { vec![frame] }
        });
        let kept = network.disks[1].lock().expect("a disk").kept.clone();
        assert!(
            kept.iter()
                .any(|record| matches!(record, KeptRecord::Sent { sequence: 9, .. }))
        );
        let honest = world.party(1, &network.disks[1]).expect("a party");
        network.parties[1] = honest;
        network.run();
        assert!(network.outcome().is_ok(), "{:?}", network.statuses());

        let mut network = Network::new(&world);
        network.run_tampered(&mut |_, frame| {
            let lost = frame.is_message() && frame.seat() == 1 && frame.sequence >= 10;
            if lost { vec![] } else { vec![frame] }
        });
        let mut other = world.clone();
        other.rows[1].pop();
        network.parties[1] = other.party(1, &network.disks[1]).expect("a party");
        network.run();
        let expected = Error::NotReproducible { sequence: 0 };
        assert_eq!(network.parties[1].status(), Status::Aborted(expected));
        assert!(network.outcome().is_err());
    }
}

#[test]
fn differences_are_named_by_parameter_and_column() {
    let here = world(RevealLevel::Sums);
    let differs = |change: &dyn Fn(&mut World)| {
        let mut there = here.clone();
        change(&mut there);
        let mut network = Network::new(&here);
        let disk = Disk::default();
        network.parties[2] = there.party(2, &disk).expect("a party");
        network.disks[2] = disk;
        network.run();
        match network.parties[0].status() {
            Status::Aborted(Error::ProviderDiffers { provider, what, .. }) => {
                assert_eq!(provider, "hospital 2");
                what
            }
            Status::Aborted(Error::ProviderAborted { .. }) => match network.parties[2].status() {
                Status::Aborted(Error::ProviderDiffers { what, .. }) => what,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    let k = |world: &mut World| world.terms.promises[0].rule = Rule::k_anonymity(K(4));
    assert_eq!(differs(&k), "what is promised");
    assert_eq!(differs(&|world| world.terms.m = M(0)), "m");
    assert_eq!(
        differs(&|world| world.terms.level = RevealLevel::Bits),
        "level"
    );
    assert_eq!(differs(&|world| world.terms.depth = 2), "depth");
    assert_eq!(differs(&|world| world.terms.policy = [2; 32]), "policy");
    assert_eq!(differs(&|world| world.terms.caps = Caps::Exact), "caps");
    assert_eq!(
        differs(&|world| world.terms.cuts = CutRule::Middles),
        "cuts"
    );
    let other_column = |at: usize, values: Vec<String>, mask: Option<usize>| {
        move |world: &mut World| {
            let mut columns: Vec<_> = world
                .schema
                .quasi_identifiers()
                .iter()
                .chain(world.schema.sensitive())
                .cloned()
                .collect();
            let (name, role) = (columns[at].spec.name.clone(), columns[at].spec.role);
            columns[at] = column(&name, role, values.clone(), mask);
            world.schema =
                Arc::new(SharedSchema::new(columns, Missing::default()).expect("a schema"));
        }
    };
    let zips: Vec<String> = (0..12)
        .map(|zip| format!("1{}{}", zip / 4, zip % 4))
        .collect();
    assert_eq!(
        differs(&other_column(1, zips, Some(1))),
        "the hierarchy of column zip"
    );
    let ages = (0..17).map(|age| age.to_string()).collect();
    assert_eq!(
        differs(&other_column(0, ages, None)),
        "the declared values of column age"
    );
}

#[test]
fn impossible_setups_are_refused_before_a_byte() {
    let refused = |world: &World, seat: usize| world.party(seat, &Disk::default()).err();
    let two = world_of(RevealLevel::Sums, 2);
    assert_eq!(
        refused(&two, 0),
        Some(Error::TooFewProviders { providers: 2 })
    );
    let mut three = world_of(RevealLevel::Sums, 3);
    three.terms.m = M(2);
    assert_eq!(
        refused(&three, 0),
        Some(Error::CoalitionTooLarge { m: 2, providers: 3 })
    );
    let mut bits = world(RevealLevel::Bits);
    bits.terms.cuts = CutRule::Exact;
    assert!(matches!(refused(&bits, 0), Some(Error::Promise(_))));
    let mut many_values = world(RevealLevel::Bits);
    many_values.terms.promises[1].rule = Rule::distinct_diversity(L(5));
    assert!(matches!(refused(&many_values, 0), Some(Error::Promise(_))));
    let mut setup = world(RevealLevel::Sums).setup(0);
    setup.members[2] = setup.members[1].clone();
    let signer = Box::new(super::world::KnownSigner::of_seat(0));
    let vault = Box::new(super::disk::MemoryVault::new(Disk::default(), 0));
    let nobody = Arc::new(mingle_protocol::Nobody);
    let twice = mingle_protocol::horizontal::ProviderParty::new(setup, vault, signer, nobody);
    assert!(matches!(twice.err(), Some(Error::Same { .. })));
}

#[test]
fn empty_full_and_many_providers() {
    let mut one_has_none = world(RevealLevel::Bits);
    one_has_none.rows[2].clear();
    let mut network = Network::new(&one_has_none);
    network.run();
    assert!(network.outcome().is_ok());

    let mut one_has_all = world(RevealLevel::Sums);
    for seat in 1..4 {
        one_has_all.rows[seat].clear();
    }
    let mut network = Network::new(&one_has_all);
    network.run();
    assert_eq!(network.outcome(), Err(Error::Unsatisfiable));

    let mut many = world_of(RevealLevel::Sums, 100);
    many.terms.cuts = CutRule::Middles;
    many.terms.depth = 1;
    let mut network = Network::new(&many);
    network.run();
    assert!(network.outcome().is_ok());
}

/// Two runs on one board do not hear each other, and strangers are refused.
#[test]
fn a_board_keeps_runs_apart_and_is_bounded() {
    let mut board = RelayBoard::new(BoardLimits {
        runs: 2,
        connections: 8,
    });
    let mut first = world(RevealLevel::Sums);
    first.rows.truncate(3);
    let mut second = first.clone();
    second.seed = 78;
    let mut parties = Vec::new();
    let mut wires = std::collections::VecDeque::new();
    for world in [&first, &second] {
        for seat in 0..3 {
            parties.push(world.party(seat, &Disk::default()).expect("a party"));
        }
    }
    for (link, party) in parties.iter_mut().enumerate() {
        assert!(board.connect(link as u64));
        wires.push_back((link, party.connect()));
    }
    while let Some((link, bytes)) = wires.pop_front() {
        for (to, bytes) in board.receive(link as u64, &bytes) {
            assert_eq!(to / 3, link as u64 / 3);
            wires.push_back((to as usize, parties[to as usize].receive(&bytes)));
        }
    }
    assert!(
        parties
            .iter()
            .all(|party| party.status() == Status::Published)
    );
    assert_eq!((board.runs(), board.seats_taken()), (2, vec![3, 3]));
    // a third run, garbage, and a message before joining
    let mut third = first.clone();
    third.seed = 79;
    let bytes = third.party(0, &Disk::default()).expect("a party").connect();
    assert!(board.connect(6));
    assert!(board.receive(6, &bytes).is_empty() && board.is_refused(6).is_some());
    assert!(board.connect(7));
    assert!(board.receive(7, &[0xee; 400]).is_empty() && board.is_refused(7).is_some());
    assert!(!board.connect(8), "no more than eight connections");
    board.disconnect(7);
    assert!(board.connect(7));
    let frames = WireFrame::all(&bytes);
    assert!(board.receive(7, &frames[1].bytes()).is_empty() && board.is_refused(7).is_some());
}
