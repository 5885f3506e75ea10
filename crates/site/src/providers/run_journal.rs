//! What a provider remembers of a run: lines that are only ever added, each flushed before the run
//! goes on.
//!
//! The first line names the run. What the protocol keeps follows, among it secrets (the seed, the
//! noise), which are taken out when the run is over; and how far the release is, as for two sites:
//! ready, publishing with all signatures, published, confirmed. A line that a crash has cut short was
//! never relied on and is dropped. The file is readable by its owner only.

use crate::error::Error;
use crate::hex;
use mingle_protocol::OutputRecord;
use mingle_protocol::horizontal::KeptRecord;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

const SCHEMA: &str = "mingle.run-journal/1";

/// How far the release of a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RunState {
    Open,
    Ready(OutputRecord),
    /// With everybody's signatures, in the order of seats.
    Publishing(OutputRecord, Vec<[u8; 64]>),
    Published(OutputRecord, Vec<[u8; 64]>),
    /// The same, and all others are known to have published too.
    Confirmed(OutputRecord, Vec<[u8; 64]>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Run {
        schema: String,
        run: String,
    },
    Kept(KeptRecord),
    Ready {
        session: String,
        digest: String,
        signature: String,
    },
    Publishing {
        signatures: Vec<String>,
    },
    Published,
    Confirmed,
    Discarded,
}

/// The journal of a run.
pub(crate) struct RunJournal {
    path: PathBuf,
    file: File,
    length: u64,
    run: [u8; 32],
    kept: Vec<KeptRecord>,
    state: RunState,
}

impl RunJournal {
    /// Reads the journal, if there is one.
    pub(crate) fn read(path: &Path) -> Result<Option<RunJournal>, Error> {
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let mut file = match opened {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(Error::io(path))?,
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(Error::io(path))?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        let damaged = || Error::Journal {
            path: path.to_owned(),
        };
        let mut run = None;
        let (mut kept, mut state) = (Vec::new(), RunState::Open);
        for text in bytes[..whole].split(|&byte| byte == b'\n') {
            if text.is_empty() {
                continue;
            }
            let line: Line = serde_json::from_slice(text).map_err(|_| damaged())?;
            match (&run, line) {
                (None, Line::Run { schema, run: name }) if schema == SCHEMA => {
                    run = Some(hex::decode(&name).ok_or_else(damaged)?);
                }
                (Some(_), Line::Kept(record)) => kept.push(record),
                (Some(_), line) => state = next(state, &line).ok_or_else(damaged)?,
                _ => return Err(damaged()),
            }
        }
        let Some(run) = run else {
            // cut short before it had said anything
            drop(file);
            mingle_disk::remove(path)?;
            return Ok(None);
        };
        file.set_len(whole as u64).map_err(Error::io(path))?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(Error::io(path))?;
        Ok(Some(RunJournal {
            path: path.to_owned(),
            file,
            length: whole as u64,
            run,
            kept,
            state,
        }))
    }

    /// Begins the journal of a run, in the place of an earlier one's.
    pub(crate) fn begin(path: &Path, run: [u8; 32]) -> Result<RunJournal, Error> {
        let text = to_text(&[Line::Run {
            schema: SCHEMA.to_owned(),
            run: hex::encode(&run),
        }]);
        mingle_disk::replace(path, &text)?;
        let file = OpenOptions::new()
            .append(true)
            .open(path)
            .map_err(Error::io(path))?;
        Ok(RunJournal {
            path: path.to_owned(),
            file,
            length: text.len() as u64,
            run,
            kept: Vec::new(),
            state: RunState::Open,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn run(&self) -> [u8; 32] {
        self.run
    }

    pub(crate) fn kept(&self) -> &[KeptRecord] {
        &self.kept
    }

    pub(crate) fn state(&self) -> &RunState {
        &self.state
    }

    /// Adds what the protocol keeps.
    pub(crate) fn keep(&mut self, record: &KeptRecord) -> Result<(), Error> {
        self.add(&Line::Kept(record.clone()))?;
        self.kept.push(record.clone());
        Ok(())
    }

    pub(crate) fn ready(&mut self, record: &OutputRecord) -> Result<(), Error> {
        self.step(&Line::Ready {
            session: hex::encode(&record.session),
            digest: hex::encode(&record.digest),
            signature: hex::encode(&record.signature),
        })
    }

    pub(crate) fn publishing(&mut self, signatures: &[[u8; 64]]) -> Result<(), Error> {
        let mut written = Vec::with_capacity(signatures.len());
        for signature in signatures {
            written.push(hex::encode(signature));
        }
        self.step(&Line::Publishing {
            signatures: written,
        })
    }

    pub(crate) fn published(&mut self) -> Result<(), Error> {
        self.step(&Line::Published)
    }

    /// Takes it for written that could not be: the line before leads to the same end.
    pub(crate) fn assume_published(&mut self) {
        if let Some(state) = next(self.state.clone(), &Line::Published) {
            self.state = state;
        }
    }

    pub(crate) fn confirmed(&mut self) -> Result<(), Error> {
        self.step(&Line::Confirmed)
    }

    pub(crate) fn discarded(&mut self) -> Result<(), Error> {
        self.step(&Line::Discarded)
    }

    /// Takes the secrets out. Where that fails, they stay for the next time.
    pub(crate) fn forget_secrets(&mut self) -> Result<(), Error> {
        self.kept
            .retain(|record| !matches!(record, KeptRecord::Seed(_) | KeptRecord::Noise { .. }));
        let mut lines = vec![Line::Run {
            schema: SCHEMA.to_owned(),
            run: hex::encode(&self.run),
        }];
        for record in &self.kept {
            lines.push(Line::Kept(record.clone()));
        }
        lines.extend(lines_of(&self.state));
        let text = to_text(&lines);
        mingle_disk::replace(&self.path, &text)?;
        self.file = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .map_err(Error::io(&self.path))?;
        self.length = text.len() as u64;
        Ok(())
    }

    fn step(&mut self, line: &Line) -> Result<(), Error> {
        let state = next(self.state.clone(), line).ok_or(Error::Defect)?;
        self.add(line)?;
        self.state = state;
        Ok(())
    }

    fn add(&mut self, line: &Line) -> Result<(), Error> {
        let text = to_text(std::slice::from_ref(line));
        let written = self
            .file
            .write_all(&text)
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // half a line must not stand before the next one
            let _ = self.file.set_len(self.length);
            return Err(Error::io(&self.path)(error));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

fn to_text(lines: &[Line]) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        text.extend(serde_json::to_vec(line).expect("text, numbers and nothing else"));
        text.push(b'\n');
    }
    text
}

fn lines_of(state: &RunState) -> Vec<Line> {
    let (record, signatures, last) = match state {
        RunState::Open => return Vec::new(),
        RunState::Ready(record) => (record, None, None),
        RunState::Publishing(record, all) => (record, Some(all), None),
        RunState::Published(record, all) => (record, Some(all), Some(Line::Published)),
        RunState::Confirmed(record, all) => (record, Some(all), Some(Line::Confirmed)),
    };
    let mut lines = vec![Line::Ready {
        session: hex::encode(&record.session),
        digest: hex::encode(&record.digest),
        signature: hex::encode(&record.signature),
    }];
    if let Some(all) = signatures {
        let signatures = all.iter().map(|signature| hex::encode(signature)).collect();
        lines.push(Line::Publishing { signatures });
    }
    if matches!(last, Some(Line::Confirmed)) {
        lines.push(Line::Published);
    }
    lines.extend(last);
    lines
}

/// The state after a line; `None` where the line cannot follow.
fn next(state: RunState, line: &Line) -> Option<RunState> {
    match (state, line) {
        (
            RunState::Open,
            Line::Ready {
                session,
                digest,
                signature,
            },
        ) => Some(RunState::Ready(OutputRecord {
            session: hex::decode(session)?,
            digest: hex::decode(digest)?,
            signature: hex::decode(signature)?,
        })),
        (
            RunState::Ready(record) | RunState::Publishing(record, _),
            Line::Publishing { signatures },
        ) => {
            let all: Option<Vec<[u8; 64]>> =
                signatures.iter().map(|text| hex::decode(text)).collect();
            Some(RunState::Publishing(record, all?))
        }
        (RunState::Ready(_), Line::Discarded) => Some(RunState::Open),
        (RunState::Publishing(record, all) | RunState::Published(record, all), Line::Published) => {
            Some(RunState::Published(record, all))
        }
        (RunState::Published(record, all) | RunState::Confirmed(record, all), Line::Confirmed) => {
            Some(RunState::Confirmed(record, all))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> OutputRecord {
        OutputRecord {
            session: [1; 32],
            digest: [2; 32],
            signature: [3; 64],
        }
    }

    #[test]
    fn what_was_added_is_there_after_a_restart_and_secrets_go() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("journal");
        assert!(RunJournal::read(&path).expect("none").is_none());
        let mut journal = RunJournal::begin(&path, [7; 32]).expect("begun");
        let noise = KeptRecord::Noise {
            look: 0,
            draws: vec![-3, 4],
        };
        journal.keep(&KeptRecord::Seed([9; 32])).expect("kept");
        journal.keep(&noise).expect("kept");
        journal.keep(&KeptRecord::TotalsOpened).expect("kept");
        journal.ready(&record()).expect("ready");
        let mut journal = RunJournal::read(&path).expect("read").expect("there");
        assert_eq!(journal.run(), [7; 32]);
        assert!(journal.kept().len() == 3 && journal.kept()[1] == noise);
        assert_eq!(*journal.state(), RunState::Ready(record()));
        journal.publishing(&[[4; 64], [5; 64]]).expect("publishing");
        journal.published().expect("published");
        journal.forget_secrets().expect("forgotten");
        journal.confirmed().expect("confirmed");
        let text = std::fs::read_to_string(&path).expect("text");
        assert!(!text.contains("seed") && !text.contains("noise"), "{text}");
        let journal = RunJournal::read(&path).expect("read").expect("there");
        let all = vec![[4; 64], [5; 64]];
        assert_eq!(*journal.state(), RunState::Confirmed(record(), all));
        assert!(journal.kept() == [KeptRecord::TotalsOpened]);
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests damage files on purpose")]
    fn a_line_cut_short_is_dropped_and_a_damaged_one_is_refused() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("journal");
        let mut journal = RunJournal::begin(&path, [7; 32]).expect("begun");
        journal.keep(&KeptRecord::TotalsOpened).expect("kept");
        let whole = std::fs::read(&path).expect("bytes");
        for cut in 1..whole.len() {
            std::fs::write(&path, &whole[..whole.len() - cut]).expect("written");
            if let Some(mut journal) = RunJournal::read(&path).expect("cut short is no damage") {
                assert!(journal.kept().is_empty());
                journal.keep(&KeptRecord::NoiseSpent).expect("kept");
                let again = RunJournal::read(&path).expect("sound").expect("there");
                assert!(again.kept() == [KeptRecord::NoiseSpent]);
            }
        }
        let text = String::from_utf8(whole).expect("text");
        for (from, to) in [
            ("journal/1", "journal/2"),
            ("totals_opened", "totals_closed"),
            ("0707", "07"),
            ("\"run\"", "\"ran\""),
        ] {
            std::fs::write(&path, text.replace(from, to)).expect("written");
            assert!(
                matches!(RunJournal::read(&path), Err(Error::Journal { .. })),
                "{to}"
            );
        }
    }
}
