//! Lists of points: the same faults in every message that carries one.

use super::peer::{Change, View, attack, refused};
use crate::wire::stray;
use mingle_protocol::{Seat, Synchronizer, Violation};

/// A message with a list.
struct Place {
    name: &'static str,
    synchronizer: Synchronizer,
    hostile: &'static [Seat],
    kind: &'static str,
    nth: usize,
    /// Bytes per entry; the first 32 are the point.
    stride: usize,
    entries: usize,
}

const BOTH: &[Seat] = &[Seat::Zero, Seat::One];

const PLACES: [Place; 7] = [
    place(
        "identifiers",
        Synchronizer::Merge,
        BOTH,
        ("points", 0),
        32,
        16,
    ),
    place(
        "identity",
        Synchronizer::Identity,
        BOTH,
        ("points", 1),
        32,
        1,
    ),
    place(
        "identity, second round",
        Synchronizer::Identity,
        BOTH,
        ("points", 2),
        32,
        1,
    ),
    place("fork", Synchronizer::Fork, BOTH, ("points", 1), 32, 3),
    place(
        "merge",
        Synchronizer::Merge,
        BOTH,
        ("tagged-points", 0),
        36,
        7,
    ),
    place(
        "dpp2ga",
        Synchronizer::Dpp2ga,
        BOTH,
        ("tagged-points", 1),
        36,
        7,
    ),
    place(
        "returned",
        Synchronizer::Merge,
        &[Seat::Zero],
        ("returned-points", 0),
        36,
        7,
    ),
];

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
const fn place(
    name: &'static str,
    synchronizer: Synchronizer,
    hostile: &'static [Seat],
    (kind, nth): (&'static str, usize),
    stride: usize,
    entries: usize,
) -> Place {
    Place {
        name,
        synchronizer,
        hostile,
        kind,
        nth,
        stride,
        entries,
    }
}

/// A fault: what it does to the bytes of a list, and what must be noticed, given bytes per entry
/// and entries.
struct Fault {
    name: &'static str,
    /// Fewer entries cannot have it.
    least: usize,
    change: fn(&View, &mut Vec<u8>),
    expected: fn(usize, usize) -> Violation,
}

const FAULTS: [Fault; 13] = [
    fault(
        "bytes that encode nothing",
        1,
        |_, list| list[..32].fill(0xff),
        |_, _| Violation::BadPoint,
    ),
    fault(
        "zero, not reduced",
        1,
        |_, list| list[..32].copy_from_slice(&modulus()),
        |_, _| Violation::BadPoint,
    ),
    fault(
        "a negative encoding",
        1,
        |_, list| list[..32].copy_from_slice(&one()),
        |_, _| Violation::BadPoint,
    ),
    fault(
        "the identity",
        1,
        |_, list| list[..32].fill(0),
        |_, _| Violation::IdentityPoint,
    ),
    fault(
        "the identity last",
        2,
        |_, list| identity_last(list),
        |_, _| Violation::IdentityPoint,
    ),
    fault(
        "a point twice",
        2,
        |_, list| twice(list),
        |_, _| Violation::DuplicatePoint,
    ),
    fault(
        "one of our points",
        1,
        |view, list| ours(view, list),
        |_, _| Violation::OurOwnPoint,
    ),
    fault(
        "all of our points",
        1,
        |view, list| list.clone_from(&sent(view)),
        |_, _| Violation::OurOwnPoint,
    ),
    fault(
        "one more",
        1,
        |_, list| list.extend(one_more(list)),
        |stride, n| count(stride, n, stride * (n + 1)),
    ),
    fault(
        "one fewer",
        1,
        |_, list| list.truncate(list.len() - one_more(list).len()),
        |stride, n| count(stride, n, stride * (n - 1)),
    ),
    fault(
        "half a point more",
        1,
        |_, list| list.extend([9; 16]),
        |stride, n| count(stride, n, stride * n + 16),
    ),
    fault(
        "half a point less",
        1,
        |_, list| list.truncate(list.len() - 16),
        |stride, n| count(stride, n, stride * n - 16),
    ),
    fault(
        "nothing",
        1,
        |_, list| list.clear(),
        |stride, n| count(stride, n, 0),
    ),
];

const fn fault(
    name: &'static str,
    least: usize,
    change: fn(&View, &mut Vec<u8>),
    expected: fn(usize, usize) -> Violation,
) -> Fault {
    Fault {
        name,
        least,
        change,
        expected,
    }
}

fn count(stride: usize, entries: usize, found: usize) -> Violation {
    Violation::WrongCount {
        expected: stride * entries,
        found,
    }
}

/// The field's modulus, 2^255 - 19, which a lax decoder takes for zero.
fn modulus() -> [u8; 32] {
    let mut bytes = [0xff; 32];
    (bytes[0], bytes[31]) = (0xed, 0x7f);
    bytes
}

/// Odd numbers are negative and encode nothing.
fn one() -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = 1;
    bytes
}

/// Bytes per entry: lists of tagged points are those whose length 36 divides.
fn stride(list: &[u8]) -> usize {
    if list.len().is_multiple_of(36) {
        36
    } else {
        32
    }
}

fn identity_last(list: &mut [u8]) {
    let last = list.len() - stride(list);
    list[last..last + 32].fill(0);
}

fn twice(list: &mut [u8]) {
    let stride = stride(list);
    let first = list[..32].to_vec();
    list[stride..stride + 32].copy_from_slice(&first);
}

fn one_more(list: &[u8]) -> Vec<u8> {
    [stray(1).to_vec(), vec![0; stride(list) - 32]].concat()
}

fn sent(view: &View) -> Vec<u8> {
    view.last(&["points", "tagged-points"]).payload.clone()
}

fn ours(view: &View, list: &mut [u8]) {
    list[..32].copy_from_slice(&sent(view)[..32]);
}

#[test]
fn bad_lists_are_refused_wherever_they_are_sent() {
    let mut cases = 0;
    for place in &PLACES {
        for &hostile in place.hostile {
            for fault in FAULTS.iter().filter(|fault| place.entries >= fault.least) {
                let change = Change::Payload(fault.change);
                let outcome = attack(place.synchronizer, hostile, place.kind, place.nth, change);
                let expected = (fault.expected)(place.stride, place.entries);
                let name = format!("{}: {}, site {}", place.name, fault.name, hostile.number());
                refused(&name, outcome, &expected.into());
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 161);
}

/// Answers that were committed to and are opened truthfully, but are no answers.
#[test]
fn bad_answers_are_refused_although_they_were_committed_to() {
    fn answers(change: fn(&View, &mut Vec<u8>)) -> impl Fn(&View) -> Vec<u8> {
        move |view| {
            let mut list: Vec<u8> = (1..=16).flat_map(stray).collect();
            change(view, &mut list);
            list
        }
    }
    for fault in &FAULTS {
        for &hostile in BOTH {
            let make = answers(fault.change);
            let outcome = super::peer::commit(Synchronizer::Merge, hostile, 0, "answers", &make);
            refused(
                &format!("answers: {}", fault.name),
                outcome,
                &(fault.expected)(32, 16).into(),
            );
        }
    }
}
