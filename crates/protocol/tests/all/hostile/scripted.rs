//! A site written from the description alone: it shares no code with the library and says whatever
//! a test wants.
//!
//! It speaks IDENTITY about the worked example, as site 1. It sees everything: tests know the data.

use super::peer::{Outcome, ask, worked_example};
use crate::common::{Disk, patients};
use crate::wire::{Frame, commitment, decode, encode, hash_to_group, scalar, session_id, stray};
use mingle_protocol::{Party, Seat, Synchronizer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The classes of site 0's postal codes after its first step.
pub const CLASSES: [u32; 7] = [0, 0, 1, 1, 1, 2, 2];

pub struct Scripted {
    pub honest: Party,
    pub disk: Arc<Mutex<Disk>>,
    pub session: [u8; 32],
    /// Everything the honest site said, and what of it was not answered yet.
    heard: Vec<Frame>,
    waiting: VecDeque<Frame>,
    sequence: u64,
    transcript: Sha256,
}

impl Scripted {
    /// Greets as site 1 would, with changes.
    pub fn greet(change: impl Fn(&mut Value)) -> Scripted {
        let ([mut honest, mut other], [disk, _]) = worked_example(&ask(Synchronizer::Identity));
        let theirs = Frame::cut(&honest.connect()).remove(0);
        let mut hello = Frame::cut(&other.connect()).remove(0);
        let mut said: Value = serde_json::from_slice(&hello.payload).expect("a greeting");
        change(&mut said);
        hello.payload = serde_json::to_vec(&said).expect("JSON");
        let session = session_id([&theirs.payload, &hello.payload], [[1; 32], [2; 32]]);
        let transcript = Sha256::new_with_prefix(session);
        let (heard, waiting) = (Vec::new(), VecDeque::new());
        let mut scripted = Scripted {
            honest,
            disk,
            session,
            heard,
            waiting,
            sequence: 0,
            transcript,
        };
        scripted.send(&hello.bytes());
        scripted
    }

    pub fn send(&mut self, bytes: &[u8]) {
        let frames = Frame::cut(&self.honest.receive(bytes));
        self.heard.extend(frames.iter().cloned());
        self.waiting.extend(frames);
    }

    /// What the honest site has said in this turn already.
    pub fn peek(&self) -> &Frame {
        self.waiting.front().expect("the honest site spoke first")
    }

    /// One turn; returns what the honest site said in it.
    pub fn turn(&mut self, kind: &str, payload: Vec<u8>) -> Vec<u8> {
        let theirs = self
            .waiting
            .pop_front()
            .expect("the honest site spoke first");
        assert_eq!(theirs.kind(), kind);
        [&theirs.payload, &payload]
            .into_iter()
            .for_each(|said| self.transcript.update(Sha256::digest(said)));
        let frame = Frame::new(kind, &self.session, self.sequence, payload);
        self.sequence += 1;
        self.send(&frame.bytes());
        theirs.payload
    }

    /// Sends points and returns what an honest site answers to the other's, and the other's
    /// answers.
    pub fn intersect(&mut self, purpose: &str, round: u32, items: &[Vec<u8>], padded: usize) {
        let secret = scalar(&[5; 64]);
        let raised = items
            .iter()
            .map(|item| encode(&(hash_to_group(&self.session, purpose, round, item) * secret)));
        let mine: Vec<[u8; 32]> = raised.chain((1..).map(stray)).take(padded).collect();
        let theirs = self.turn("points", mine.concat());
        let answers: Vec<u8> = theirs
            .chunks(32)
            .flat_map(|point| encode(&(decode(point) * secret)))
            .collect();
        self.open("answers", &answers);
    }

    /// Commits and opens.
    pub fn open(&mut self, kind: &str, payload: &[u8]) -> Vec<u8> {
        let opening = [&[7; 32], payload].concat();
        self.turn(
            "commitment",
            commitment(&self.session, Seat::One, kind, &opening),
        );
        self.turn(kind, opening).split_off(32)
    }

    pub fn conclude(&mut self, what: &[u8]) {
        self.transcript.update((what.len() as u64).to_le_bytes());
        self.transcript.update(what);
    }

    pub fn checkpoint(&mut self) {
        let transcript = self
            .transcript
            .clone()
            .chain_update([1])
            .finalize()
            .to_vec();
        self.turn("checkpoint", transcript);
    }

    /// Everybody is in common.
    pub fn find_everybody(&mut self) {
        let ids: Vec<Vec<u8>> = patients().0.into_iter().map(String::into_bytes).collect();
        self.intersect("identifiers", 0, &ids, 16);
        self.conclude(&7u64.to_le_bytes());
        self.checkpoint();
    }

    /// Goes as far as the published tables, claiming the same classes as the honest site.
    pub fn agree(change: impl Fn(&mut Value)) -> Scripted {
        let mut site = Scripted::greet(change);
        site.find_everybody();
        let classes: Vec<u8> = CLASSES
            .iter()
            .flat_map(|class| class.to_le_bytes())
            .collect();
        let digest = Sha256::digest([&b"mingle partition\0"[..], &classes].concat()).to_vec();
        site.intersect("partition", 0, &[digest], 1);
        site.conclude(&classes);
        site.checkpoint();
        site
    }

    pub fn outcome(self) -> Outcome {
        Outcome {
            honest: self.honest,
            disk: self.disk,
            heard: self.heard,
        }
    }
}

/// Tables as site 1 would send them: a value list per sensitive column, counts per group.
pub fn tables(kind: &str, texts: &[&str], counts: [&[(u32, u64)]; 3]) -> Value {
    json!({
        "columns": [
            { "name": "AGE", "role": "quasi-identifier", "kind": "category", "hierarchy": "file", "order": null, "hierarchy_rows": null },
            { "name": "TREATMENT", "role": "sensitive", "kind": kind, "hierarchy": null, "order": null, "hierarchy_rows": null },
        ],
        "labels": [["young"], ["old"], ["older"]],
        "values": [{ "texts": texts, "groups": counts }],
    })
}
