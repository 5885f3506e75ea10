//! Greetings and tables that must be refused, one file each under `vectors/bad/`.
//!
//! A file names the message (`hello_…` or `fragments_…`), who sends it in which synchronizer, what
//! is changed in what an honest site would have sent (`set` and `remove` by JSON pointer, `long`
//! for texts of so many characters, `payload` for the whole message), and the error and reason that
//! must come of it.

use super::peer::{Expect, refused, rewrite};
use mingle_protocol::{Error, Seat, Status, Synchronizer};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    what: String,
    #[serde(default = "merge")]
    synchronizer: String,
    #[serde(default = "one")]
    site: u8,
    #[serde(default)]
    set: BTreeMap<String, Value>,
    #[serde(default)]
    long: BTreeMap<String, usize>,
    #[serde(default)]
    remove: Vec<String>,
    payload: Option<String>,
    error: String,
    reason: String,
}

fn merge() -> String {
    "merge".into()
}

fn one() -> u8 {
    1
}

impl Vector {
    fn apply(&self, payload: &[u8]) -> Vec<u8> {
        if let Some(text) = &self.payload {
            return text.clone().into_bytes();
        }
        let mut message: Value = serde_json::from_slice(payload).expect("an honest message");
        for (pointer, value) in &self.set {
            put(&mut message, pointer, value.clone());
        }
        for (pointer, &characters) in &self.long {
            put(&mut message, pointer, "x".repeat(characters).into());
        }
        for pointer in &self.remove {
            let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
            match message.pointer_mut(parent).expect("there") {
                Value::Object(fields) => drop(fields.remove(key).expect("there")),
                Value::Array(items) => drop(items.remove(key.parse().expect("a place"))),
                _ => panic!("{pointer}"),
            }
        }
        serde_json::to_vec(&message).expect("JSON")
    }
}

/// Sets what is there, adds a key, or appends (`/-`) to a list.
fn put(message: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match message.pointer_mut(parent).expect("there") {
        Value::Object(fields) => drop(fields.insert(key.to_owned(), value)),
        Value::Array(items) if key == "-" => items.push(value),
        Value::Array(items) => items[key.parse::<usize>().expect("a place")] = value,
        _ => panic!("{pointer}"),
    }
}

fn vectors() -> Vec<(String, Vector)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/bad");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("vectors")
        .map(|e| e.expect("a file").path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = std::fs::read_to_string(path).expect("a vector");
        let vector = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, vector)
    };
    files.iter().map(read).collect()
}

#[test]
fn every_bad_message_is_refused_as_its_file_says() {
    let vectors = vectors();
    let of = |kind: &str| {
        vectors
            .iter()
            .filter(|(name, _)| name.starts_with(kind))
            .count()
    };
    assert!(
        of("hello_") >= 40 && of("fragments_") >= 30,
        "{} and {}",
        of("hello_"),
        of("fragments_")
    );
    for (name, vector) in vectors {
        let (kind, _) = name.split_once('_').expect("a kind");
        let synchronizer = Synchronizer::named(&vector.synchronizer).expect("a synchronizer");
        let hostile = [Seat::Zero, Seat::One][usize::from(vector.site)];
        let mut changed = false;
        let outcome = rewrite(synchronizer, hostile, &mut |_, mut frame| {
            if frame.kind() == kind {
                let before = std::mem::take(&mut frame.payload);
                frame.payload = vector.apply(&before);
                changed = frame.payload != before;
            }
            frame.bytes()
        });
        assert!(changed, "{name} changes nothing");
        let what = format!("{name}: {}", vector.what);
        let Status::Aborted(error) = outcome.honest.status() else {
            panic!(
                "{what}: {:?}, {:?}",
                outcome.honest.status(),
                outcome.honest.trouble()
            )
        };
        assert_eq!(
            (error.to_string(), error.reason().name()),
            (vector.error, vector.reason.as_str()),
            "{what}"
        );
        assert!(
            !matches!(error, Error::PeerAborted(_)),
            "{what}: found out by itself"
        );
        refused(&what, outcome, &Expect::Aborted(error));
    }
}
