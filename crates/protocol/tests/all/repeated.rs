//! A partner that starts anew in the same run: to ask about other people, or again and again.

use crate::common::{Ask, Disk, MemoryVault, Seeded, patients};
use mingle_protocol::{Error, Nobody, Party, Reason, Seat, Standing, Status, Synchronizer, hazmat};
use std::sync::{Arc, Mutex};

fn party(seat: Seat, people: std::ops::Range<usize>, seed: u64) -> (Party, Arc<Mutex<Disk>>) {
    party_with(&Ask::new(Synchronizer::Merge, 2), seat, people, seed)
}

fn party_with(
    ask: &Ask,
    seat: Seat,
    people: std::ops::Range<usize>,
    seed: u64,
) -> (Party, Arc<Mutex<Disk>>) {
    let (ids, first, second) = patients();
    let fields = if seat == Seat::Zero { first } else { second };
    let cut = |field: crate::common::Field| crate::common::Field {
        values: field.values[people.clone()].to_vec(),
        ..field
    };
    let fields: Vec<crate::common::Field> = fields.into_iter().map(cut).collect();
    let setup = ask.setup(seat, &ids[people.clone()], &fields);
    let disk = Arc::new(Mutex::new(Disk::default()));
    let vault = MemoryVault {
        seat,
        disk: disk.clone(),
    };
    let party = hazmat::party(
        setup,
        Box::new(vault),
        Arc::new(Nobody),
        Seeded::boxed(seed),
    )
    .expect("a sound setup");
    (party, disk)
}

/// Lets two talk for some turns, then the line breaks.
fn talk(honest: &mut Party, other: &mut Party, turns: usize) {
    let mut to = [other.connect(), honest.connect()];
    for _ in 0..turns {
        to = [other.receive(&to[1]), honest.receive(&to[0])];
    }
    honest.disconnect();
    other.disconnect();
}

#[test]
fn sessions_of_a_run_are_about_the_same_people() {
    for (second, expected) in [(0..6, Some(Error::OtherPeople)), (0..7, None)] {
        let (mut honest, disk) = party(Seat::Zero, 0..7, 1);
        let (mut curious, _) = party(Seat::One, 0..7, 2);
        talk(&mut honest, &mut curious, 6);
        assert_eq!(
            honest.status(),
            Status::Working,
            "the first session is not over"
        );
        drop(curious);
        let (mut again, _) = party(Seat::One, second, 3);
        talk(&mut honest, &mut again, 40);
        match expected {
            Some(error) => {
                assert_eq!(honest.status(), Status::Aborted(error));
                assert!(disk.lock().expect("a disk").history.is_empty());
            }
            None => assert_eq!(honest.status(), Status::Published),
        }
    }
}

#[test]
fn nobody_starts_anew_for_ever() {
    let (mut honest, _) = party(Seat::Zero, 0..7, 1);
    let sessions = (0..100).take_while(|&seed| {
        let (mut restless, _) = party(Seat::One, 0..7, seed + 2);
        talk(&mut honest, &mut restless, 3);
        honest.status() == Status::Working
    });
    assert_eq!(sessions.count(), 32);
    assert_eq!(
        honest.status(),
        Status::Aborted(Error::TooManySessions { sessions: 32 })
    );
}

/// A partner that has lost everything and now wants something else: the doubt is over all the same.
#[test]
fn a_doubt_ends_although_the_terms_have_changed() {
    let (mut honest, disk) = party(Seat::Zero, 0..7, 1);
    let (mut other, _) = party(Seat::One, 0..7, 2);
    let mut to = [other.connect(), honest.connect()];
    while !matches!(disk.lock().expect("a disk").standing, Standing::Ready(_)) {
        to = [other.receive(&to[1]), honest.receive(&to[0])];
    }
    honest.disconnect();
    drop(other);
    assert_eq!(honest.status(), Status::InDoubt);
    let (mut again, _) = party_with(&Ask::new(Synchronizer::Merge, 3), Seat::One, 0..7, 3);
    talk(&mut honest, &mut again, 6);
    assert_eq!(
        honest.status(),
        Status::Aborted(Error::PeerAborted(Reason::TermsDiffer))
    );
    assert_eq!(disk.lock().expect("a disk").standing, Standing::Nothing);
    assert!(disk.lock().expect("a disk").history.is_empty());
}

/// After a restart nothing is known but the journal: an abort that names no session must not be
/// taken for an answer.
#[test]
fn an_abort_that_names_no_session_leaves_a_restarted_site_in_doubt() {
    let (mut honest, disk) = party(Seat::Zero, 0..7, 1);
    let (mut other, _) = party(Seat::One, 0..7, 2);
    let mut to = [other.connect(), honest.connect()];
    while !matches!(disk.lock().expect("a disk").standing, Standing::Ready(_)) {
        to = [other.receive(&to[1]), honest.receive(&to[0])];
    }
    let (ids, fields, _) = patients();
    let setup = Ask::new(Synchronizer::Merge, 2).setup(Seat::Zero, &ids, &fields);
    let vault = MemoryVault {
        seat: Seat::Zero,
        disk: disk.clone(),
    };
    let mut restarted =
        Party::new(setup, Box::new(vault), Arc::new(Nobody)).expect("a sound setup");
    restarted.connect();
    // a site that cannot read our greeting ends it before there is a session
    let (mut puzzled, _) = party(Seat::One, 0..7, 3);
    puzzled.connect();
    let abort = puzzled.give_up(Reason::Version);
    assert!(!abort.is_empty());
    restarted.receive(&abort);
    assert_eq!(restarted.status(), Status::InDoubt);
}
