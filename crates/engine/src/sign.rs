//! Signing a release that is in its place, and the keys for it.
//!
//! What is signed is looked at first, as `mingle verify` does: a release that is damaged or breaks a
//! promise is not signed. Where only `public/` is at hand, insiders cannot be checked; whoever signs
//! it signs what is handed out.

use crate::failure;
use crate::report::{name_signers, signatures_shown};
use crate::run::Run;
use crate::verify;
use mingle_record::answer::SignAnswer;
use mingle_record::schema::SignSchema;
use mingle_record::{Judgement, Problem, ProblemCode};
use mingle_release::{
    KeyError, LONGEST_SIGNER_NAME, ReleaseKey, SignerKey, SigningError, UnfitSignatures,
    is_signer_name, sign_release, signatures_of,
};
use std::path::{Path, PathBuf};

/// A new key in its files.
pub struct NewReleaseKey {
    /// What others may know.
    pub public: SignerKey,
    /// The private key, which only its owner may read, and the public one.
    pub files: [PathBuf; 2],
}

impl NewReleaseKey {
    /// The document `mingle.sign/1`.
    pub fn answer(&self) -> SignAnswer {
        SignAnswer {
            schema: SignSchema,
            release: None,
            key: self.public.to_string(),
            written: shown(&self.files),
            signatures: Vec::new(),
        }
    }
}

/// Makes a key: `file` and `file.pub`. Neither may be there.
pub fn new_key(file: &Path) -> Result<NewReleaseKey, Problem> {
    let mut public_name = file.as_os_str().to_owned();
    public_name.push(".pub");
    let public_file = PathBuf::from(public_name);
    for taken in [file, &public_file] {
        if taken.symlink_metadata().is_ok() {
            let hint = "choose another name; a key is never overwritten";
            let text = format!("{} exists", taken.display());
            return Err(Problem::new(ProblemCode::OutputExists, text, hint));
        }
    }
    let key = ReleaseKey::generate().map_err(|e| unusable(&e))?;
    let public = key.public();
    let written = mingle_disk::create(file, key.to_pem().as_bytes())
        .and_then(|()| mingle_disk::create(&public_file, public.to_pem().as_bytes()));
    written.map_err(|e| failure::release(&e.into()))?;
    Ok(NewReleaseKey {
        public,
        files: [file.to_owned(), public_file],
    })
}

/// The public key that `--signed-by` names: 64 digits, or a file.
pub fn signer(named: &str) -> Result<SignerKey, Problem> {
    match SignerKey::from_digits(named) {
        Some(key) => Ok(key),
        None => SignerKey::read(Path::new(named)).map_err(|e| unusable(&e)),
    }
}

/// Who signs, and what becomes of earlier signatures.
pub struct Signing<'a> {
    /// The file with the private key.
    pub key: &'a Path,
    /// What the signer calls itself, for readers.
    pub name: Option<&'a str>,
    /// What becomes of signatures that do not fit.
    pub unfit: UnfitSignatures,
}

/// A release that was signed.
pub struct SignedRelease {
    /// The document.
    pub answer: SignAnswer,
    /// What should be known about it.
    pub notes: Vec<&'static str>,
}

/// Signs a release.
pub fn sign(release: &Path, signing: &Signing<'_>, run: &Run) -> Result<SignedRelease, Problem> {
    if let Some(name) = signing.name.filter(|name| !is_signer_name(name)) {
        let length = name.chars().count();
        let text = format!("--name: a text of {length} characters that cannot be a name");
        let hint =
            format!("one line of 1 to {LONGEST_SIGNER_NAME} characters, without spaces around it");
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    let key = ReleaseKey::read(signing.key).map_err(|e| unusable(&e))?;
    run.step("verifying what is to be signed");
    let mut notes = Vec::new();
    let outcome = verify::unsigned_release(release, run)?;
    if let Some(problem) = outcome.problem() {
        if outcome.verdict() == Judgement::Fails {
            return Err(problem);
        }
        notes.push(
            "not everything could be verified here; the signature is over what is handed out",
        );
    }
    run.check()?;
    let written = sign_release(release, &key, signing.name, signing.unfit)
        .map_err(|error| not_signed(&error))?;
    let is_named = name_signers(release)?;
    if !is_named {
        notes.push("another version wrote the reports, which do not name who signed");
    }
    Ok(SignedRelease {
        answer: SignAnswer {
            schema: SignSchema,
            release: Some(release.display().to_string()),
            key: key.public().to_string(),
            written: shown(&written),
            signatures: signatures_shown(&signatures_of(release).public),
        },
        notes,
    })
}

fn shown(files: &[PathBuf]) -> Vec<String> {
    files
        .iter()
        .map(|file| file.display().to_string())
        .collect()
}

fn unusable(error: &KeyError) -> Problem {
    let hint = match error {
        KeyError::Open { .. } => "chmod 600 it; if others may have read it, make a new key",
        KeyError::NotPrivate { .. } => "make one with `mingle sign --new-key FILE`",
        KeyError::NotPublic { .. } => "give the FILE.pub of a key, or its 64 hexadecimal digits",
        KeyError::Io { .. } => "is the path right? paths are relative to the current folder",
        KeyError::NoRandomness => "try again later, or on another machine",
    };
    Problem::new(ProblemCode::SigningKeyUnusable, error.to_string(), hint)
}

fn not_signed(error: &SigningError) -> Problem {
    match error {
        SigningError::Unwritable(error) => failure::release(error),
        SigningError::Unfit { first } => {
            let hint = "find out who changed the release and why; --drop-stale signs it without this signature";
            Problem::new(ProblemCode::UnfitSignature, first.to_string(), hint)
        }
        SigningError::Io { path, source } => {
            let text = format!(
                "cannot read {}: {}",
                path.display(),
                failure::reason(source)
            );
            let hint = "name the folder that `mingle publish --out` has written";
            Problem::new(ProblemCode::NotARelease, text, hint)
        }
    }
}
