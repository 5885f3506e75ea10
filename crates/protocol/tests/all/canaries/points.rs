//! Points and orders: nothing links two sessions, two uses or two lists.

use super::people::{Session, identifier, in_common};
use crate::common::{Ask, Field};
use crate::wire::{Frame, decode, encode, hash_to_group, scalar};
use mingle_model::Role;
use mingle_protocol::{Seat, Setup, Synchronizer, canonical};
use std::collections::HashSet;

/// The points of a site's messages of a kind, message by message.
fn lists(session: &Session, site: usize, kind: &str) -> Vec<Vec<[u8; 32]>> {
    let (skip, stride) = match kind {
        "points" => (0, 32),
        "answers" => (32, 32),
        _ => (0, 36),
    };
    let point = |entry: &[u8]| entry[..32].try_into().expect("a point");
    session
        .payloads(site, kind)
        .iter()
        .map(|p| p[skip..].chunks(stride).map(point).collect())
        .collect()
}

fn all_points(session: &Session, kinds: &[&str]) -> Vec<[u8; 32]> {
    let both = [0, 1].into_iter().flat_map(|site| {
        kinds
            .iter()
            .flat_map(move |kind| lists(session, site, kind))
    });
    both.flatten().collect()
}

#[test]
fn sessions_share_no_point() {
    let every = ["points", "answers", "tagged-points", "returned-points"];
    let mut seen: HashSet<[u8; 32]> = HashSet::new();
    // another seed for every session: with the same, padding would be the same
    for (synchronizer, seed) in Synchronizer::ALL.into_iter().zip(0..) {
        for again in 0..2 {
            let session = Session::run(synchronizer, 100 + 2 * seed + again);
            let here: HashSet<[u8; 32]> = all_points(&session, &every).into_iter().collect();
            assert!(
                here.len() >= 64 && here.is_disjoint(&seen),
                "{}",
                synchronizer.name()
            );
            seen.extend(here);
        }
    }
}

/// Whoever is in several lists of a session looks different in each.
#[test]
fn uses_and_rounds_share_no_point() {
    for synchronizer in Synchronizer::ALL {
        let session = Session::run(synchronizer, 9);
        let hidden = all_points(&session, &["points", "tagged-points"]);
        let distinct: HashSet<&[u8; 32]> = hidden.iter().collect();
        assert_eq!(distinct.len(), hidden.len(), "{}", synchronizer.name());
    }
}

/// Where a person is in a list that a site sent, found by trying everything that the site drew.
fn place(
    session: &Session,
    site: usize,
    purpose: &str,
    person: &str,
    list: &[[u8; 32]],
) -> Option<usize> {
    let point = hash_to_group(&session.id, purpose, 0, canonical(person).as_bytes());
    session.secrets[site].iter().find_map(|secret| {
        let raised = encode(&(point * scalar(secret)));
        list.iter().position(|&found| found == raised)
    })
}

/// Per place of the list that site 1 sent, its place in what site 0 returned.
fn moves(session: &Session, returned: &[[u8; 32]]) -> Option<Vec<usize>> {
    let sent = &lists(session, 1, "tagged-points")[0];
    session.secrets[0].iter().find_map(|secret| {
        let secret = scalar(secret);
        let place = |point: &[u8; 32]| {
            let raised = encode(&(decode(point) * secret));
            returned.iter().position(|&found| found == raised)
        };
        sent.iter().map(place).collect()
    })
}

/// More people in their old place than chance leaves there: of twenty, nine or more once in 300,000
/// orders.
fn is_in_order(places: &[usize]) -> bool {
    places
        .iter()
        .enumerate()
        .filter(|(before, after)| before == *after)
        .count()
        > 8
}

#[test]
fn lists_are_in_no_order_that_means_something() {
    let session = Session::run(Synchronizer::Merge, 10);
    for (site, first) in [(0, 0), (1, 4)] {
        // by row
        let list = &lists(&session, site, "points")[0];
        let row = |row: usize| {
            place(
                &session,
                site,
                "identifiers",
                &identifier(first + row),
                list,
            )
            .expect("sent")
        };
        assert!(!is_in_order(&(0..24).map(row).collect::<Vec<_>>()));
        // by identifier
        let list = &lists(&session, site, "tagged-points")[0];
        let rank = |person: usize| {
            place(&session, site, "tagged", &identifier(person), list).expect("sent")
        };
        assert!(!is_in_order(&in_common().map(rank).collect::<Vec<_>>()));
    }
    let returned = &lists(&session, 0, "returned-points")[0];
    assert!(!is_in_order(
        &moves(&session, returned).expect("everybody is returned")
    ));
}

/// The planted bug: the list is raised and returned as it came.
#[test]
fn a_returned_list_that_was_not_shuffled_is_caught() {
    let session = Session::run(Synchronizer::Merge, 10);
    let returned = &lists(&session, 0, "returned-points")[0];
    let moved = moves(&session, returned).expect("everybody is returned");
    let planted: Vec<[u8; 32]> = moved.iter().map(|&place| returned[place]).collect();
    assert!(is_in_order(
        &moves(&session, &planted).expect("everybody is returned")
    ));
}

/// Four people, two classes at either site: small enough for many sessions.
fn four(synchronizer: Synchronizer) -> [Setup; 2] {
    let ids: Vec<String> = (0..4).map(identifier).collect();
    let halves = |value: &str| vec![format!("half {}", value > "b"), "*".to_owned()];
    let field = |name| {
        vec![Field::new(name, Role::QuasiIdentifier, &["a", "b", "c", "d"]).with_paths(halves)]
    };
    let ask = Ask {
        padded_size: 6,
        ..Ask::new(synchronizer, 2)
    };
    [
        ask.setup(Seat::Zero, &ids, &field("ZIP")),
        ask.setup(Seat::One, &ids, &field("AGE")),
    ]
}

/// Over many sessions, a person is in every place equally often; six standard deviations are
/// allowed.
#[test]
fn every_place_comes_up_as_often() {
    const SESSIONS: usize = 600;
    let (mut identifiers, mut tagged, mut returned) = ([0; 6], [0; 4], [0; 4]);
    for seed in 0..SESSIONS as u64 {
        let session = Session::of(four(Synchronizer::Merge), 1000 + seed);
        let find = |kind: &str, purpose: &str| {
            place(
                &session,
                0,
                purpose,
                &identifier(2),
                &lists(&session, 0, kind)[0],
            )
            .expect("sent")
        };
        identifiers[find("points", "identifiers")] += 1;
        tagged[find("tagged-points", "tagged")] += 1;
        returned
            [moves(&session, &lists(&session, 0, "returned-points")[0]).expect("returned")[0]] += 1;
    }
    for counts in [&identifiers[..], &tagged, &returned] {
        let share = 1.0 / counts.len() as f64;
        let expected = SESSIONS as f64 * share;
        let deviation = (expected * (1.0 - share)).sqrt();
        let fair = |&count: &i32| (f64::from(count) - expected).abs() < 6.0 * deviation;
        assert!(counts.iter().all(fair), "{counts:?}");
    }
}

/// Tags name classes at random: in which class somebody is does not show in the number.
#[test]
fn every_tag_comes_up_as_often() {
    const SESSIONS: usize = 300;
    let mut tags = [0i32; 2];
    for seed in 0..SESSIONS as u64 {
        let session = Session::of(four(Synchronizer::Merge), 5000 + seed);
        let at = place(
            &session,
            0,
            "tagged",
            &identifier(0),
            &lists(&session, 0, "tagged-points")[0],
        )
        .expect("sent");
        tags[usize::from(session.payloads(0, "tagged-points")[0][at * 36 + 32])] += 1;
    }
    // six standard deviations of a fair coin
    assert!((tags[0] - tags[1]).abs() < 104, "{tags:?}");
}

/// Frames are cut as they were made: what the inspector reads is what is sent.
#[test]
fn frames_are_read_as_they_were_written() {
    let session = Session::run(Synchronizer::Repair, 3);
    for (kind, bytes) in &session.frames {
        let frames = Frame::cut(bytes);
        assert_eq!((frames.len(), frames[0].kind()), (1, kind.as_str()));
        assert_eq!(&frames[0].bytes(), bytes);
    }
}
