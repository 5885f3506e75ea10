//! Looks for canaries in bytes: in every spelling, hashed, and as points before blinding.

use super::people::{Session, age, disease, drug, everybody, identifier, in_common, job, zip};
use crate::wire::{encode, hash_to_group, hex};
use mingle_protocol::canonical;
use sha2::{Digest, Sha256, Sha512};
use std::collections::HashMap;

/// The shortest text that is looked for.
const KEY: usize = 8;

/// Rounds whose points are looked for; no session here has more.
const ROUNDS: u32 = 8;

struct Needle {
    bytes: Vec<u8>,
    what: String,
    /// The only kind of message it may be in.
    allowed: Option<&'static str>,
}

pub struct Inspector {
    needles: HashMap<[u8; KEY], Vec<Needle>>,
}

impl Inspector {
    pub fn new(session: &Session) -> Inspector {
        let mut inspector = Inspector {
            needles: HashMap::new(),
        };
        for person in everybody() {
            inspector.secret(session, "identifier", &identifier(person), None);
            inspector.secret(session, "value of ZIP", &zip(person), None);
            inspector.secret(session, "value of JOB", &job(person), None);
            inspector.secret(session, "value of AGE", &age(person), None);
            let published = in_common().contains(&person).then_some("fragments");
            inspector.secret(session, "value of DISEASE", &disease(person), published);
            inspector.secret(session, "value of DRUG", &drug(person), published);
        }
        let digests = session.partitions.iter().chain(&session.classes);
        digests.for_each(|digest| inspector.item(session, "a digest", digest));
        inspector
    }

    /// What is found in a message, in words.
    pub fn findings(&self, kind: &str, bytes: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        for at in 0..bytes.len().saturating_sub(KEY - 1) {
            let key: [u8; KEY] = bytes[at..at + KEY].try_into().expect("a key");
            let here = self.needles.get(&key).into_iter().flatten();
            let here = here.filter(|needle| {
                bytes[at..].starts_with(&needle.bytes) && needle.allowed != Some(kind)
            });
            found.extend(here.map(|needle| needle.what.clone()));
        }
        found
    }

    /// A text that may be published in one kind of message, or nowhere.
    fn secret(&mut self, session: &Session, what: &str, text: &str, allowed: Option<&'static str>) {
        for (how, bytes) in spellings(text) {
            // what is published is published as it is written
            let allowed = allowed.filter(|_| how == "as written" || how == "canonical");
            self.add(bytes, format!("{what}, {how}"), allowed);
        }
        for spelling in [text.to_owned(), canonical(text)] {
            self.item(session, what, spelling.as_bytes());
        }
    }

    /// Something that goes into the group: its digests and its points.
    fn item(&mut self, session: &Session, what: &str, item: &[u8]) {
        let length = (item.len() as u64).to_be_bytes();
        let messages = [
            item.to_vec(),
            [&session.id[..], item].concat(),
            [&session.id[..], &length, item].concat(),
        ];
        for message in messages {
            self.digest(&Sha256::digest(&message), format!("{what}, SHA-256"));
            self.digest(&Sha512::digest(&message), format!("{what}, SHA-512"));
        }
        if item.len() == 32 {
            self.digest(item, format!("{what}, itself"));
        }
        for purpose in ["identifiers", "partition", "classes", "tagged"] {
            let rounds = if purpose == "identifiers" { 1 } else { ROUNDS };
            for round in 0..rounds {
                let point = encode(&hash_to_group(&session.id, purpose, round, item));
                self.digest(
                    &point,
                    format!("{what}, unblinded point for {purpose} {round}"),
                );
            }
        }
    }

    /// Bytes that look random: 16 of them are enough.
    fn digest(&mut self, bytes: &[u8], what: String) {
        self.add(
            hex(&bytes[..16]).into_bytes(),
            format!("{what}, as hexadecimal"),
            None,
        );
        self.add(
            base64(bytes).into_bytes()[..20].to_vec(),
            format!("{what}, in base64"),
            None,
        );
        self.add(bytes[..16].to_vec(), what, None);
    }

    fn add(&mut self, bytes: Vec<u8>, what: String, allowed: Option<&'static str>) {
        let key: [u8; KEY] = bytes[..KEY].try_into().expect("canaries are long");
        self.needles.entry(key).or_default().push(Needle {
            bytes,
            what,
            allowed,
        });
    }
}

fn spellings(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
    let mut all = vec![
        ("as written", text.as_bytes().to_vec()),
        ("canonical", canonical(text).into_bytes()),
        ("in upper case", text.to_uppercase().into_bytes()),
        ("backwards", text.bytes().rev().collect()),
        ("in UTF-16", utf16(u16::to_le_bytes)),
        ("in UTF-16, big-endian", utf16(u16::to_be_bytes)),
        ("as hexadecimal", hex(text.as_bytes()).into_bytes()),
    ];
    // base64 takes three bytes at a time, so a text has three encodings; the ends depend on the
    // neighbours
    for before in 0..3 {
        let encoded = base64(&[&vec![0; before][..], text.as_bytes()].concat());
        let whole = &encoded[(before * 8).div_ceil(6)..encoded.len() - 4];
        all.push(("in base64", whole.as_bytes().to_vec()));
    }
    all
}

pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let padded = [
            three[0],
            *three.get(1).unwrap_or(&0),
            *three.get(2).unwrap_or(&0),
        ];
        let bits = u32::from_be_bytes([0, padded[0], padded[1], padded[2]]);
        let letter = |place: usize| {
            if place <= three.len() {
                char::from(LETTERS[(bits >> (18 - 6 * place)) as usize & 63])
            } else {
                '='
            }
        };
        (0..4).map(letter).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

#[test]
fn base64_follows_the_standard() {
    // RFC 4648, section 10
    let cases = [
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foobar", "Zm9vYmFy"),
    ];
    cases
        .into_iter()
        .for_each(|(text, encoded)| assert_eq!(base64(text.as_bytes()), encoded));
}
