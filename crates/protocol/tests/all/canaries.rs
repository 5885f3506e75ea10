//! What the frames of a session give away, looked at before they are encrypted.
//!
//! Every cell and every identifier is a canary: a text that nobody would write by chance. An
//! inspector knows their spellings, their plain hashes and their points before blinding, and looks
//! for them in everything that is sent, in every synchronizer. Planted frames show that it would
//! find them. What is published may be in `fragments` messages, and nowhere else; what nobody
//! publishes may be nowhere.

mod inspector;
mod people;
mod points;
mod texts;

use crate::wire::{Frame, encode, hash_to_group, hex};
use inspector::Inspector;
use mingle_protocol::{Status, Synchronizer, canonical};
use people::{Session, everybody, identifier};

#[test]
fn no_frame_gives_a_canary_away() {
    for synchronizer in Synchronizer::ALL {
        let session = Session::run(synchronizer, 5);
        assert_eq!(
            session.statuses,
            [Status::Published, Status::Published],
            "{}",
            synchronizer.name()
        );
        let inspector = Inspector::new(&session);
        assert!(session.frames.len() >= 20, "both sites' frames were seen");
        for (kind, bytes) in &session.frames {
            assert_eq!(
                inspector.findings(kind, bytes),
                [""; 0],
                "{}: {kind}",
                synchronizer.name()
            );
        }
        for text in &session.learned {
            assert_eq!(
                inspector.findings("learned", text.as_bytes()),
                [""; 0],
                "{}",
                synchronizer.name()
            );
        }
        // what is about to be public is where it may be, so the inspector sees values when they are
        // there
        let tables = session
            .frames
            .iter()
            .filter(|(kind, _)| kind == "fragments");
        let seen: Vec<String> = tables
            .flat_map(|(_, bytes)| inspector.findings("points", bytes))
            .collect();
        assert!(
            seen.iter().any(|what| what.starts_with("value of DISEASE")),
            "{seen:?}"
        );
    }
}

/// What a careless site would send; the inspector must catch every single one.
#[test]
fn planted_frames_are_caught() {
    use sha2::{Digest, Sha256, Sha512};
    let session = Session::run(Synchronizer::Merge, 5);
    let inspector = Inspector::new(&session);
    let id = identifier(7);
    let clear = canonical(&id);
    let point = |purpose: &str, round, item: &[u8]| {
        encode(&hash_to_group(&session.id, purpose, round, item)).to_vec()
    };
    let with_session = [&session.id[..], clear.as_bytes()].concat();
    let utf16 = |big: bool| -> Vec<u8> {
        let unit = |u: u16| {
            if big {
                u.to_be_bytes()
            } else {
                u.to_le_bytes()
            }
        };
        id.encode_utf16().flat_map(unit).collect()
    };
    let plants: Vec<(&str, &str, Vec<u8>)> = vec![
        ("H(id)", "points", point("identifiers", 0, clear.as_bytes())),
        (
            "H(id) for tags",
            "tagged-points",
            point("tagged", 0, clear.as_bytes()),
        ),
        (
            "H(id) for tags, third round",
            "tagged-points",
            point("tagged", 2, clear.as_bytes()),
        ),
        (
            "H(id) as written",
            "points",
            point("identifiers", 0, id.as_bytes()),
        ),
        (
            "H(id) as hexadecimal",
            "hello",
            hex(&point("identifiers", 0, clear.as_bytes())).into_bytes(),
        ),
        (
            "H(quasi-identifier)",
            "points",
            point("identifiers", 0, people::zip(7).as_bytes()),
        ),
        (
            "H(partition)",
            "points",
            point("partition", 0, &session.partitions[0]),
        ),
        (
            "H(class)",
            "points",
            point("classes", 1, &session.classes[0]),
        ),
        (
            "a partition's digest",
            "commitment",
            session.partitions[1].clone(),
        ),
        ("a class's digest", "commitment", session.classes[1].clone()),
        ("SHA-256(id)", "points", Sha256::digest(&clear).to_vec()),
        (
            "SHA-256(id) as written",
            "points",
            Sha256::digest(&id).to_vec(),
        ),
        (
            "SHA-256(id), cut",
            "checkpoint",
            Sha256::digest(&clear)[..16].to_vec(),
        ),
        (
            "SHA-256(id) as hexadecimal",
            "fragments",
            hex(&Sha256::digest(&clear)).into_bytes(),
        ),
        ("SHA-512(id)", "points", Sha512::digest(&clear).to_vec()),
        (
            "SHA-256(session, id)",
            "points",
            Sha256::digest(&with_session).to_vec(),
        ),
        (
            "SHA-512(session, id)",
            "answers",
            Sha512::digest(&with_session).to_vec(),
        ),
        (
            "SHA-256(quasi-identifier)",
            "points",
            Sha256::digest(people::zip(9)).to_vec(),
        ),
        (
            "SHA-256(value)",
            "fragments",
            Sha256::digest(people::disease(9)).to_vec(),
        ),
        ("an identifier", "fragments", id.clone().into_bytes()),
        (
            "a canonical identifier",
            "points",
            clear.clone().into_bytes(),
        ),
        ("in upper case", "points", id.to_uppercase().into_bytes()),
        ("in UTF-16", "points", utf16(false)),
        ("in UTF-16, big-endian", "points", utf16(true)),
        (
            "in base64",
            "hello",
            inspector::base64(id.as_bytes()).into_bytes(),
        ),
        (
            "in base64, further on",
            "hello",
            inspector::base64(format!("id={id}").as_bytes()).into_bytes(),
        ),
        ("as hexadecimal", "hello", hex(id.as_bytes()).into_bytes()),
        ("backwards", "points", id.bytes().rev().collect()),
        (
            "a quasi-identifier in JSON",
            "fragments",
            format!(r#"{{"labels":[["{}"]]}}"#, people::zip(8)).into_bytes(),
        ),
        (
            "site 1's quasi-identifier",
            "fragments",
            people::age(8).into_bytes(),
        ),
        (
            "a value out of place",
            "verdicts",
            people::disease(8).into_bytes(),
        ),
        (
            "a value of somebody who is not in common",
            "fragments",
            people::disease(0).into_bytes(),
        ),
        (
            "a person who is not in common",
            "points",
            point("identifiers", 0, canonical(&identifier(1)).as_bytes()),
        ),
    ];
    for (name, kind, planted) in plants {
        let body = [&[0xab; 5], &planted[..], &[0xcd; 3]].concat();
        let frame = Frame::new(kind, &session.id, 3, body).bytes();
        assert!(
            !inspector.findings(kind, &frame).is_empty(),
            "{name} was not caught"
        );
    }
    let harmless = Frame::new(
        "points",
        &session.id,
        3,
        (1..200).flat_map(crate::wire::stray).collect(),
    )
    .bytes();
    assert_eq!(
        inspector.findings("points", &harmless),
        [""; 0],
        "and nothing else is"
    );
}

/// The canaries are where they should be: in the sites' tables, each of them found by the
/// inspector.
#[test]
fn the_inspector_knows_every_cell() {
    let session = Session::run(Synchronizer::Identity, 6);
    let inspector = Inspector::new(&session);
    for person in everybody() {
        let cells = [
            identifier(person),
            people::zip(person),
            people::job(person),
            people::age(person),
        ];
        for cell in cells
            .iter()
            .chain([&people::disease(person), &people::drug(person)])
        {
            assert!(
                !inspector.findings("points", cell.as_bytes()).is_empty(),
                "person {person}"
            );
        }
    }
}
