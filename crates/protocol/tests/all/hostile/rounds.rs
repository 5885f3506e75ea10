//! What a synchronizer's messages say: tags, components, blocks, orders, partitions, verdicts; and
//! commitments and transcripts.

use super::peer::{Change, Expect, View, attack, commit, refused};
use crate::wire::stray;
use mingle_protocol::Seat::{One, Zero};
use mingle_protocol::Synchronizer::{Dpp2ga, Fork, Identity, Merge, Repair};
use mingle_protocol::{Error, Seat, Status, Synchronizer, Violation};

/// A message whose payload is changed, and what must be noticed.
type Case = (
    &'static str,
    Synchronizer,
    Seat,
    (&'static str, usize),
    fn(&View, &mut Vec<u8>),
    Violation,
);

fn run(cases: &[Case]) {
    for (name, synchronizer, hostile, (kind, nth), change, expected) in cases {
        let outcome = attack(
            *synchronizer,
            *hostile,
            kind,
            *nth,
            Change::Payload(*change),
        );
        let expected: Expect = expected.clone().into();
        refused(
            &format!(
                "{kind}: {name}, {}, site {}",
                synchronizer.name(),
                hostile.number()
            ),
            outcome,
            &expected,
        );
    }
}

const TAGGED: (&str, usize) = ("tagged-points", 0);
const RETURNED: (&str, usize) = ("returned-points", 0);
const COMPONENTS: (&str, usize) = ("components", 0);
/// The round of DPP2GA in which the worked example is settled.
const SETTLED: (&str, usize) = ("blocks", 1);
const OPENING: (&str, usize) = ("opening", 0);
const VERDICTS: (&str, usize) = ("verdicts", 0);

const fn inconsistent(what: &'static str) -> Violation {
    Violation::Inconsistent { what }
}

const fn small(size: u64) -> Violation {
    Violation::SmallClass { size, k: 2 }
}

const fn count(expected: usize, found: usize) -> Violation {
    Violation::WrongCount { expected, found }
}

/// Gives the person at this place of a list of tagged points another tag.
fn retag(list: &mut [u8], place: usize, tag: u32) {
    list[place * 36 + 32..][..4].copy_from_slice(&tag.to_le_bytes());
}

fn tag(list: &[u8], place: usize) -> u32 {
    u32::from_le_bytes(list[place * 36 + 32..][..4].try_into().expect("a tag"))
}

fn all_tags(list: &mut [u8], tag: fn(u32) -> u32) {
    (0..7).for_each(|place| retag(list, place as usize, tag(place)));
}

fn bump(list: &mut [u8]) {
    let next = (tag(list, 0) + 1) % 3;
    retag(list, 0, next);
}

/// Two people of different classes change their tags.
fn swap_tags(list: &mut [u8]) {
    let first = tag(list, 0);
    let other = (1..7)
        .find(|&place| tag(list, place) != first)
        .expect("several classes");
    let second = tag(list, other);
    retag(list, 0, second);
    retag(list, other, first);
}

fn numbers(payload: &mut [u8], place: usize, number: u32) {
    payload[place * 4..][..4].copy_from_slice(&number.to_le_bytes());
}

#[test]
fn tags() {
    let cases: Vec<Case> = [(Merge, Zero), (Merge, One), (Dpp2ga, Zero), (Dpp2ga, One)]
        .into_iter()
        .flat_map(|(sync, site)| -> [Case; 6] {
            [
                (
                    "everybody alone",
                    sync,
                    site,
                    TAGGED,
                    |_, l| all_tags(l, |place| place),
                    small(1),
                ),
                (
                    "one alone",
                    sync,
                    site,
                    TAGGED,
                    |_, l| all_tags(l, |place| u32::from(place == 3)),
                    small(1),
                ),
                (
                    "a class of nobody",
                    sync,
                    site,
                    TAGGED,
                    |_, l| all_tags(l, |_| 1),
                    small(0),
                ),
                (
                    "a gap",
                    sync,
                    site,
                    TAGGED,
                    |_, l| all_tags(l, |place| 2 * (place / 4)),
                    small(0),
                ),
                (
                    "as many tags as people",
                    sync,
                    site,
                    TAGGED,
                    |_, l| retag(l, 6, 7),
                    inconsistent("a tag out of range"),
                ),
                (
                    "a huge tag",
                    sync,
                    site,
                    TAGGED,
                    |_, l| retag(l, 0, u32::MAX),
                    inconsistent("a tag out of range"),
                ),
            ]
        })
        .collect();
    run(&cases);
}

#[test]
fn returned_lists() {
    let changed = inconsistent("tags came back changed");
    let unknown = inconsistent("a person that only one site has");
    run(&[
        (
            "a tag changed",
            Merge,
            Zero,
            RETURNED,
            |_, l| all_tags(l, |place| place % 3),
            changed.clone(),
        ),
        (
            "a tag changed",
            Dpp2ga,
            Zero,
            RETURNED,
            |_, l| bump(l),
            changed.clone(),
        ),
        (
            "an impossible tag",
            Merge,
            Zero,
            RETURNED,
            |_, l| retag(l, 2, u32::MAX),
            changed,
        ),
        (
            "somebody is missing",
            Merge,
            Zero,
            RETURNED,
            |_, l| l[..32].copy_from_slice(&stray(3)),
            unknown.clone(),
        ),
        (
            "somebody is missing",
            Dpp2ga,
            Zero,
            RETURNED,
            |_, l| l[..32].copy_from_slice(&stray(3)),
            unknown.clone(),
        ),
        (
            "not raised",
            Merge,
            Zero,
            RETURNED,
            |v, l| l.clone_from(&v.last(&["tagged-points"]).payload),
            own(),
        ),
        (
            "nothing",
            Dpp2ga,
            Zero,
            RETURNED,
            |_, l| l.clear(),
            count(252, 0),
        ),
        (
            "not site 1's to say",
            Merge,
            One,
            RETURNED,
            |_, l| l.extend([0; 36]),
            count(0, 36),
        ),
        (
            "not site 1's to say",
            Dpp2ga,
            One,
            RETURNED,
            |_, l| l.push(0),
            count(0, 1),
        ),
    ]);
}

fn own() -> Violation {
    Violation::OurOwnPoint
}

/// Nobody sees at once that tags were exchanged; but then the two sites come to different groups.
#[test]
fn exchanged_tags_are_noticed_by_what_comes_out() {
    for (synchronizer, round) in [(Dpp2ga, 0), (Dpp2ga, 1), (Merge, 0)] {
        let outcome = attack(
            synchronizer,
            Zero,
            "returned-points",
            round,
            Change::Payload(|_, l| swap_tags(l)),
        );
        let Status::Aborted(Error::Violation(violation)) = outcome.honest.status() else {
            panic!("not noticed")
        };
        let known = [differs(), inconsistent("a block of several classes")];
        assert!(
            known.contains(&violation),
            "{}: {violation:?}",
            synchronizer.name()
        );
        refused("exchanged tags", outcome, &violation.into());
    }
}

#[test]
fn components() {
    let range = || inconsistent("a component out of range");
    run(&[
        (
            "out of range",
            Merge,
            One,
            COMPONENTS,
            |_, p| numbers(p, 0, 3),
            range(),
        ),
        (
            "huge",
            Merge,
            One,
            COMPONENTS,
            |_, p| numbers(p, 2, u32::MAX),
            range(),
        ),
        (
            "one more",
            Merge,
            One,
            COMPONENTS,
            |_, p| p.extend([0; 4]),
            count(12, 16),
        ),
        (
            "one fewer",
            Merge,
            One,
            COMPONENTS,
            |_, p| p.truncate(8),
            count(12, 8),
        ),
        (
            "half a number",
            Merge,
            One,
            COMPONENTS,
            |_, p| p.truncate(10),
            count(12, 10),
        ),
        (
            "nothing",
            Merge,
            One,
            COMPONENTS,
            |_, p| p.clear(),
            count(12, 0),
        ),
        (
            "not site 0's to say",
            Merge,
            Zero,
            COMPONENTS,
            |_, p| p.extend([0; 12]),
            count(0, 12),
        ),
        (
            "everybody together",
            Merge,
            One,
            COMPONENTS,
            |_, p| p.fill(0),
            Violation::TranscriptDiffers,
        ),
        (
            "everybody apart",
            Merge,
            One,
            COMPONENTS,
            |_, p| (0..3).for_each(|c| numbers(p, c as usize, c)),
            differs(),
        ),
    ]);
}

fn differs() -> Violation {
    Violation::TranscriptDiffers
}

#[test]
fn blocks_and_orders() {
    let order = || inconsistent("an order that is none");
    let across = || inconsistent("a block of several classes");
    run(&[
        (
            "everybody in one",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| p.fill(0),
            across(),
        ),
        (
            "everybody alone",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| (0..7).for_each(|n| numbers(p, n as usize, n)),
            small(1),
        ),
        (
            "one alone",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| numbers(p, 4, u32::MAX),
            small(1),
        ),
        (
            "one more",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| p.extend([0; 4]),
            count(28, 32),
        ),
        (
            "one fewer",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| p.truncate(24),
            count(28, 24),
        ),
        (
            "half a number",
            Dpp2ga,
            One,
            SETTLED,
            |_, p| p.truncate(26),
            count(28, 26),
        ),
        (
            "not site 0's to say",
            Dpp2ga,
            Zero,
            SETTLED,
            |_, p| p.extend([0; 28]),
            count(0, 28),
        ),
        (
            "a place twice",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| (numbers(p, 0, 1), numbers(p, 1, 1)).0,
            order(),
        ),
        (
            "a place that is none",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| numbers(p, 0, 7),
            order(),
        ),
        (
            "a huge place",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| numbers(p, 6, u32::MAX),
            order(),
        ),
        (
            "one more",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| p.extend([0; 4]),
            count(28, 32),
        ),
        (
            "one fewer",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| p.truncate(24),
            count(28, 24),
        ),
        (
            "nothing",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| p.clear(),
            count(28, 0),
        ),
        (
            "not site 1's to say",
            Dpp2ga,
            One,
            OPENING,
            |_, p| p.extend([0; 28]),
            count(0, 28),
        ),
        (
            "another order",
            Dpp2ga,
            Zero,
            OPENING,
            |_, p| p.rotate_left(4),
            across(),
        ),
    ]);
}

#[test]
fn verdicts() {
    let malformed = || Violation::Malformed { kind: "verdicts" };
    run(&[
        (
            "neither yes nor no",
            Repair,
            Zero,
            VERDICTS,
            |_, p| p[0] = 2,
            malformed(),
        ),
        (
            "a letter",
            Repair,
            One,
            VERDICTS,
            |_, p| p[0] = b'1',
            malformed(),
        ),
        (
            "one more",
            Repair,
            Zero,
            VERDICTS,
            |_, p| p.push(1),
            count(3, 4),
        ),
        (
            "one fewer",
            Repair,
            One,
            VERDICTS,
            |_, p| p.truncate(2),
            count(3, 2),
        ),
        (
            "nothing",
            Repair,
            Zero,
            VERDICTS,
            |_, p| p.clear(),
            count(3, 0),
        ),
    ]);
}

#[test]
fn partitions() {
    type Make = fn(&View) -> Vec<u8>;
    let canonical = inconsistent("classes not numbered by their first member");
    let cases: [(&str, Make, Violation); 8] = [
        ("one alone", |_| encode(&[0, 0, 1, 1, 2, 3, 3]), small(1)),
        (
            "everybody alone",
            |_| encode(&[0, 1, 2, 3, 4, 5, 6]),
            small(1),
        ),
        (
            "numbered from 1",
            |_| encode(&[1, 1, 2, 2, 2, 3, 3]),
            canonical.clone(),
        ),
        (
            "numbered backwards",
            |_| encode(&[2, 2, 1, 1, 1, 0, 0]),
            canonical.clone(),
        ),
        ("huge numbers", |_| encode(&[u32::MAX; 7]), canonical),
        ("one more", |_| encode(&[0; 8]), count(28, 32)),
        ("one fewer", |_| encode(&[0; 6]), count(28, 24)),
        ("nothing", |_| Vec::new(), count(28, 0)),
    ];
    for (name, make, expected) in cases {
        for hostile in [Zero, One] {
            refused(
                &format!("partition: {name}"),
                commit(Repair, hostile, 1, "partition", &make),
                &expected.clone().into(),
            );
        }
    }
}

fn encode(classes: &[u32]) -> Vec<u8> {
    classes.iter().flat_map(|c| c.to_le_bytes()).collect()
}

#[test]
fn commitments_and_what_is_opened() {
    let broken = || Violation::BrokenCommitment;
    let commitment = ("commitment", 0);
    let answers = ("answers", 0);
    let mut cases: Vec<Case> = Vec::new();
    for site in [Zero, One] {
        cases.extend::<[Case; 10]>([
            (
                "to something else",
                Merge,
                site,
                commitment,
                |_, p| p[31] ^= 1,
                broken(),
            ),
            (
                "too short",
                Merge,
                site,
                commitment,
                |_, p| p.truncate(31),
                broken(),
            ),
            (
                "too long",
                Merge,
                site,
                commitment,
                |_, p| p.push(0),
                broken(),
            ),
            ("empty", Merge, site, commitment, |_, p| p.clear(), broken()),
            (
                "ours, sent back",
                Merge,
                site,
                commitment,
                |v, p| p.clone_from(&v.last(&["commitment"]).payload),
                broken(),
            ),
            (
                "another nonce",
                Merge,
                site,
                answers,
                |_, p| p[0] ^= 1,
                broken(),
            ),
            (
                "two answers exchanged",
                Merge,
                site,
                answers,
                |_, p| p[32..96].rotate_left(32),
                broken(),
            ),
            (
                "cut within the nonce",
                Merge,
                site,
                answers,
                |_, p| p.truncate(20),
                broken(),
            ),
            ("nothing", Merge, site, answers, |_, p| p.clear(), broken()),
            (
                "ours, sent back",
                Merge,
                site,
                answers,
                |v, p| p.clone_from(&v.last(&["answers"]).payload),
                broken(),
            ),
        ]);
        cases.extend::<[Case; 4]>([
            (
                "another partition",
                Repair,
                site,
                ("partition", 0),
                |_, p| p[32..].fill(0),
                broken(),
            ),
            (
                "another point",
                Identity,
                site,
                ("answers", 1),
                |_, p| p[32..].copy_from_slice(&stray(4)),
                broken(),
            ),
            (
                "another class",
                Fork,
                site,
                ("answers", 1),
                |_, p| p[32..64].copy_from_slice(&stray(4)),
                broken(),
            ),
            (
                "late in the session",
                Fork,
                site,
                ("commitment", 2),
                |_, p| p.fill(0),
                broken(),
            ),
        ]);
    }
    run(&cases);
}

/// Our commitment and, in its turn, our opening, both sent back: only the bound sender tells them
/// apart.
#[test]
fn a_mirror_is_refused() {
    for hostile in [Zero, One] {
        let outcome = super::peer::rewrite(Merge, hostile, &mut |view, mut frame| {
            if matches!(frame.kind(), "commitment" | "answers") {
                frame
                    .payload
                    .clone_from(&view.last(&[frame.kind()]).payload);
            }
            frame.bytes()
        });
        refused("mirror", outcome, &Violation::BrokenCommitment.into());
    }
}

#[test]
fn transcripts() {
    let mut cases: Vec<Case> = Vec::new();
    for (sync, site) in Synchronizer::ALL
        .into_iter()
        .flat_map(|s| [(s, Zero), (s, One)])
    {
        cases.extend::<[Case; 4]>([
            (
                "of another conversation",
                sync,
                site,
                ("checkpoint", 0),
                |_, p| p[0] ^= 0x80,
                differs(),
            ),
            (
                "of another conversation",
                sync,
                site,
                ("checkpoint", 1),
                |_, p| p[31] ^= 1,
                differs(),
            ),
            (
                "too short",
                sync,
                site,
                ("checkpoint", 0),
                |_, p| p.truncate(31),
                differs(),
            ),
            (
                "empty",
                sync,
                site,
                ("checkpoint", 1),
                |_, p| p.clear(),
                differs(),
            ),
        ]);
    }
    run(&cases);
}
