//! Signatures of a finished release: who vouches for it, in `signed.json` beside each manifest.
//!
//! A signature (Ed25519, RFC 8032) is over a short text that names the SHA-256 of `manifest.json`,
//! and of `report.json` where there is one. The manifest holds the hashes of all published tables,
//! so one signature covers everything in `public/` but `report.html`, which follows from the rest
//! and is checked by making it again. In `private/` there is a file of the same form over the
//! private manifest, which names the audit and the public manifest; it is never handed out, and what
//! is in `public/` does not depend on it.
//!
//! What it says: whoever holds the key has signed these bytes. Whose key it is has to be known from
//! elsewhere, the name beside it is what the signer wrote, and nothing says when it was signed. A
//! checksum says less: whoever changes a file can compute it anew.
//!
//! Several people may sign; their signatures stand in the order of their keys, so that the file does
//! not depend on who was first. The two sites of a joint release sign with other keys while they
//! publish, in `signatures.json`: see [`joint`](crate::stage).

mod document;
mod key;
mod pem;

pub use document::SIGNED_FILE;
pub use key::{KeyError, ReleaseKey, SignerKey};

use crate::error::Error;
use crate::finding::Finding;
use crate::manifest::checksum::sha256;
use crate::open::parts;
use crate::reports::REPORT_DOCUMENT;
use document::SignedEntry;
use mingle_record::signature::{ShownSignature, SignatureState};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The longest name of a signer, in characters.
pub const LONGEST_SIGNER_NAME: usize = 200;
/// A thousand signatures are below this.
const MAX_BYTES: u64 = 1 << 20;

/// A part of a release, which is signed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Public,
    Private,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Public => "public",
            Part::Private => "private",
        }
    }
}

/// A signature as it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundSignature {
    /// What the signer calls itself; nobody checks it.
    pub name: Option<String>,
    /// Its public key.
    pub key: SignerKey,
    /// How it fits what is there.
    pub state: SignatureState,
}

impl FoundSignature {
    /// What documents say of it.
    pub fn shown(&self) -> ShownSignature {
        ShownSignature {
            name: self.name.clone(),
            key: self.key.to_string(),
            state: self.state,
        }
    }
}

/// The signatures of a release.
#[derive(Default)]
pub struct FoundSignatures {
    /// Those of `public/`, in the order of their keys.
    pub public: Vec<FoundSignature>,
    /// Those of `private/`.
    pub private: Vec<FoundSignature>,
    /// What is wrong with them.
    pub problems: Vec<Finding>,
}

impl FoundSignatures {
    /// Whether a key has signed what is handed out, as it is there.
    pub fn is_signed_by(&self, key: SignerKey) -> bool {
        let by_it = |found: &FoundSignature| found.key == key && found.state.holds();
        self.public.iter().any(by_it)
    }
}

/// Looks at the signatures of a release folder, or of the `public/` folder of one. A folder without
/// any has none, and that is no problem.
pub fn signatures_of(folder: &Path) -> FoundSignatures {
    let mut found = FoundSignatures::default();
    let (public, private) = parts(folder);
    found.public = look(&public, Part::Public, &mut found.problems);
    if let Some(private) = private.filter(|folder| folder.is_dir()) {
        found.private = look(&private, Part::Private, &mut found.problems);
    }
    found
}

/// The signatures of one part, and what is wrong with them.
fn look(folder: &Path, part: Part, problems: &mut Vec<Finding>) -> Vec<FoundSignature> {
    let file = match part {
        Part::Public => SIGNED_FILE.to_owned(),
        Part::Private => format!("private/{SIGNED_FILE}"),
    };
    if crate::check::is_link(&folder.join(SIGNED_FILE)) {
        problems.push(Finding::Link { file });
        return Vec::new();
    }
    let entries = match entries_in(folder) {
        Ok(Some(entries)) => entries,
        Ok(None) => return Vec::new(),
        Err(Unusable::Form) => {
            problems.push(Finding::SignedFile { file });
            return Vec::new();
        }
        Err(Unusable::Io(source)) => {
            let reason = format!("cannot read {file}: {source}");
            problems.push(Finding::Unreadable { file, reason });
            return Vec::new();
        }
    };
    let subject = match Subject::of(folder, part) {
        Ok(subject) => subject,
        Err(source) => {
            let reason = format!("{file}: cannot read what is signed: {source}");
            problems.push(Finding::Unreadable { file, reason });
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for entry in entries {
        let state = subject.state_of(&entry);
        let by = entry.key.to_string();
        match state {
            SignatureState::Holds | SignatureState::HoldsWithoutReport => {}
            SignatureState::Stale => problems.push(Finding::StaleSignature {
                file: file.clone(),
                key: by,
            }),
            SignatureState::Wrong => problems.push(Finding::ForgedSignature {
                file: file.clone(),
                key: by,
            }),
        }
        found.push(FoundSignature {
            name: entry.name,
            key: entry.key,
            state,
        });
    }
    found
}

/// Why there is no list of signatures in a file that is there.
enum Unusable {
    Form,
    Io(io::Error),
}

/// What `signed.json` holds; `None` where there is none.
fn entries_in(folder: &Path) -> Result<Option<Vec<SignedEntry>>, Unusable> {
    let mut bytes = Vec::new();
    match File::open(folder.join(SIGNED_FILE)) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Unusable::Io(source)),
        Ok(file) => {
            let read = file.take(MAX_BYTES).read_to_end(&mut bytes);
            read.map_err(Unusable::Io)?;
        }
    }
    document::decode(&bytes).map(Some).ok_or(Unusable::Form)
}

/// What can be signed in a folder.
struct Subject {
    part: Part,
    manifest: String,
    report: Option<String>,
}

impl Subject {
    fn of(folder: &Path, part: Part) -> io::Result<Subject> {
        let manifest = sha256(&fs::read(folder.join("manifest.json"))?);
        let report = match fs::read(folder.join(REPORT_DOCUMENT)) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => None,
            other => Some(sha256(&other?)),
        };
        Ok(Subject {
            part,
            manifest,
            report,
        })
    }

    fn state_of(&self, entry: &SignedEntry) -> SignatureState {
        let message = message(self.part, entry);
        if !entry.key.has_signed(message.as_bytes(), &entry.signature) {
            return SignatureState::Wrong;
        }
        if entry.manifest != self.manifest {
            return SignatureState::Stale;
        }
        match (&entry.report, &self.report) {
            (None, _) if self.report.is_some() => SignatureState::HoldsWithoutReport,
            (signed, there) if signed == there => SignatureState::Holds,
            _ => SignatureState::Stale,
        }
    }
}

/// The text that is signed. A name has no line break, so that no two entries have the same text.
fn message(part: Part, entry: &SignedEntry) -> String {
    format!(
        "mingle signed release 1\npart: {}\nmanifest: {}\nreport: {}\nname: {}\n",
        part.name(),
        entry.manifest,
        entry.report.as_deref().unwrap_or("none"),
        entry.name.as_deref().unwrap_or(""),
    )
}

/// What a signer calls itself, if it fits on one line.
pub fn is_signer_name(name: &str) -> bool {
    let fits = !name.is_empty() && name.chars().count() <= LONGEST_SIGNER_NAME;
    fits && name.trim() == name && !name.chars().any(char::is_control)
}

/// A release that could not be signed.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Error),
    /// There are signatures that do not fit what is there.
    #[error("{first}")]
    Unfit {
        /// The first of them.
        first: Finding,
    },
}

/// What was there before, and is to be signed along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnfitSignatures {
    /// Those that do not fit what is there are an error.
    Refuse,
    /// They are taken out.
    Drop,
}

/// Signs every part that is there, and returns the files that were written. A key that has signed
/// before signs again, in the place of its earlier signature. The caller has looked whether the
/// release is as it was published.
///
/// `private/` is written first: what is handed out is signed last.
pub fn sign_release(
    folder: &Path,
    key: &ReleaseKey,
    name: Option<&str>,
    unfit: UnfitSignatures,
) -> Result<Vec<PathBuf>, SigningError> {
    let (public, private) = parts(folder);
    let mut places = Vec::new();
    if let Some(private) = private.filter(|folder| folder.join("manifest.json").exists()) {
        places.push((Part::Private, private));
    }
    places.push((Part::Public, public));
    let scratch = places[0].1.clone();
    let mut pending = Vec::new();
    for (part, place) in places {
        let bytes = signed(&place, part, key, (name, unfit))?;
        pending.push((place.join(SIGNED_FILE), bytes));
    }
    let mut written = Vec::new();
    for (path, bytes) in pending {
        mingle_disk::replace_via(&scratch, &path, &bytes).map_err(Error::from)?;
        written.push(path);
    }
    Ok(written)
}

/// What `signed.json` of a part is to hold.
fn signed(
    folder: &Path,
    part: Part,
    key: &ReleaseKey,
    (name, unfit): (Option<&str>, UnfitSignatures),
) -> Result<Vec<u8>, SigningError> {
    let io = |source| SigningError::Io {
        path: folder.to_owned(),
        source,
    };
    let subject = Subject::of(folder, part).map_err(io)?;
    let found = match entries_in(folder) {
        Ok(found) => found.unwrap_or_default(),
        Err(Unusable::Io(source)) => return Err(io(source)),
        Err(Unusable::Form) if unfit == UnfitSignatures::Drop => Vec::new(),
        Err(Unusable::Form) => {
            let file = folder.join(SIGNED_FILE).display().to_string();
            let first = Finding::SignedFile { file };
            return Err(SigningError::Unfit { first });
        }
    };
    let mut entries = Vec::new();
    for entry in found {
        // one's own signature is replaced in any case
        if entry.key == key.public() {
            continue;
        }
        if subject.state_of(&entry).holds() {
            entries.push(entry);
        } else if unfit == UnfitSignatures::Refuse {
            let first = Finding::StaleSignature {
                file: folder.join(SIGNED_FILE).display().to_string(),
                key: entry.key.to_string(),
            };
            return Err(SigningError::Unfit { first });
        }
    }
    let mut entry = SignedEntry {
        name: name.map(str::to_owned),
        key: key.public(),
        manifest: subject.manifest,
        report: subject.report,
        signature: [0; 64],
    };
    entry.signature = key.sign(message(part, &entry).as_bytes());
    entries.push(entry);
    entries.sort_by_key(|entry| entry.key);
    Ok(document::encode(&entries))
}
