//! What a site remembers of a release that two sites must publish or not publish together.
//!
//! One small file beside the output folder, replaced at once at every step:
//!
//! | state | means | what the next run does |
//! |---|---|---|
//! | no file | nothing was promised to the partner | starts anew |
//! | `ready` | staged and signed; the partner may rely on it | stays in doubt until the partner tells |
//! | `publishing` | the partner's signature is here, so it will publish | puts the release in its place |
//! | `published` | the release is in its place | lets a partner in doubt know |
//! | `confirmed` | the partner's is too | may start anew |
//!
//! The file holds digests, signatures and the partner's public key: nothing of the data.

use crate::error::Error;
use crate::hex;
use mingle_protocol::OutputRecord;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// What the journal says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) state: State,
    pub(crate) record: OutputRecord,
    /// The partner's public key.
    pub(crate) peer: [u8; 32],
}

/// How far a release is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    Ready,
    /// With the partner's signature.
    Publishing([u8; 64]),
    Published([u8; 64]),
    /// The same, and the partner is known to have published too.
    Confirmed([u8; 64]),
}

/// The journal of an output folder.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    entry: Option<Entry>,
}

impl Journal {
    /// Reads the journal, if there is one.
    pub(crate) fn open(path: PathBuf) -> Result<Journal, Error> {
        let entry = match mingle_io::read_small_file(&path) {
            Ok(text) => Some(parse(&text).ok_or_else(|| Error::Journal { path: path.clone() })?),
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) if e.kind() == io::ErrorKind::InvalidData => {
                return Err(Error::Journal { path });
            }
            Err(e) => return Err(Error::io(&path)(e)),
        };
        Ok(Journal { path, entry })
    }

    /// What it says.
    pub(crate) fn entry(&self) -> Option<&Entry> {
        self.entry.as_ref()
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes down the next state.
    pub(crate) fn write(&mut self, entry: Entry) -> Result<(), Error> {
        let mut text =
            serde_json::to_string_pretty(&Stored::new(&entry)).expect("text and nothing else");
        text.push('\n');
        mingle_disk::replace(&self.path, text.as_bytes())?;
        self.entry = Some(entry);
        Ok(())
    }

    /// Takes a state for written that could not be: where the one on the disk leads to the same
    /// end.
    pub(crate) fn assume(&mut self, entry: Entry) {
        self.entry = Some(entry);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) -> Result<(), Error> {
        mingle_disk::remove(&self.path)?;
        self.entry = None;
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    schema: String,
    state: String,
    session: String,
    digest: String,
    signature: String,
    peer_key: String,
    peer_signature: Option<String>,
}

const SCHEMA: &str = "mingle.site-journal/1";

impl Stored {
    fn new(entry: &Entry) -> Stored {
        let (state, peer_signature) = match &entry.state {
            State::Ready => ("ready", None),
            State::Publishing(signature) => ("publishing", Some(hex::encode(signature))),
            State::Published(signature) => ("published", Some(hex::encode(signature))),
            State::Confirmed(signature) => ("confirmed", Some(hex::encode(signature))),
        };
        Stored {
            schema: SCHEMA.to_owned(),
            state: state.to_owned(),
            session: hex::encode(&entry.record.session),
            digest: hex::encode(&entry.record.digest),
            signature: hex::encode(&entry.record.signature),
            peer_key: hex::encode(&entry.peer),
            peer_signature,
        }
    }
}

/// What a text says, where it is a journal.
pub(crate) fn parse(text: &str) -> Option<Entry> {
    let stored: Stored = serde_json::from_str(text).ok()?;
    if stored.schema != SCHEMA {
        return None;
    }
    let peer_signature = || hex::decode(stored.peer_signature.as_deref()?);
    let state = match stored.state.as_str() {
        "ready" if stored.peer_signature.is_none() => State::Ready,
        "publishing" => State::Publishing(peer_signature()?),
        "published" => State::Published(peer_signature()?),
        "confirmed" => State::Confirmed(peer_signature()?),
        _ => return None,
    };
    let record = OutputRecord {
        session: hex::decode(&stored.session)?,
        digest: hex::decode(&stored.digest)?,
        signature: hex::decode(&stored.signature)?,
    };
    Some(Entry {
        state,
        record,
        peer: hex::decode(&stored.peer_key)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(state: State) -> Entry {
        Entry {
            state,
            record: OutputRecord {
                session: [1; 32],
                digest: [2; 32],
                signature: [3; 64],
            },
            peer: [4; 32],
        }
    }

    #[test]
    fn every_state_survives() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join(".out.journal");
        assert_eq!(Journal::open(path.clone()).expect("none").entry(), None);
        for state in [
            State::Ready,
            State::Publishing([5; 64]),
            State::Published([5; 64]),
            State::Confirmed([5; 64]),
        ] {
            Journal::open(path.clone())
                .expect("open")
                .write(entry(state))
                .expect("written");
            assert_eq!(
                Journal::open(path.clone()).expect("read").entry(),
                Some(&entry(state))
            );
        }
        Journal::open(path.clone())
            .expect("open")
            .clear()
            .expect("cleared");
        assert!(!path.exists());
    }

    #[test]
    fn what_was_not_written_here_is_refused() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join(".out.journal");
        let sound =
            serde_json::to_string(&Stored::new(&entry(State::Publishing([5; 64])))).expect("text");
        let broken = [
            String::new(),
            sound[..sound.len() - 1].to_owned(),
            sound.replace("journal/1", "journal/2"),
            sound.replace("publishing", "ready"),
            sound.replace("publishing", "forgotten"),
            sound.replace("0101", "01"),
            sound.replace("0202", "zz02"),
            sound.replace("\"state\"", "\"mood\""),
            serde_json::to_string(&Stored::new(&entry(State::Ready)))
                .expect("text")
                .replace("ready", "published"),
        ];
        for text in broken {
            mingle_disk::replace(&path, text.as_bytes()).expect("written");
            assert!(
                matches!(Journal::open(path.clone()), Err(Error::Journal { .. })),
                "{text}"
            );
        }
    }
}
