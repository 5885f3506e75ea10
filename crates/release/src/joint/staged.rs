//! A release that waits for the other site's word, under a name that a crash does not forget.
//!
//! The folder is `.NAME.joint-…` next to the release's place, the dots standing for digits that
//! follow from the session. It gets that name only when it is complete and flushed, so what is
//! found under it is a whole release without its signatures. It is removed by [`Staged::discard`]
//! and used up by [`Staged::commit`], by nothing else: dropping a [`Staged`] leaves it where it is.

use super::signatures::{SiteSignature, check_one, encode, from_hex, message_of};
use super::{SIGNATURES_FILE, SignatureProblem};
use crate::check::hash;
use crate::error::Error;
use crate::manifest::{self, FileEntry, Found, Manifest, ProtocolEntry, PublicManifest, checksum};
use crate::staging::{self, Staging};
use mingle_disk::{flush_folder, folder_of, hidden_beside, replace_by_only_writer, unwatched};
use mingle_record::manifest::NoisyManifest;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A whole release but for its signatures, on the disk.
#[derive(Debug)]
pub struct Staged {
    folder: PathBuf,
    target: PathBuf,
    digest: [u8; 32],
    protocol: ProtocolEntry,
}

/// What is asked of a public manifest here, whether it is of groups or of noisy counts.
struct JointManifest {
    files: Vec<FileEntry>,
    protocol: Option<ProtocolEntry>,
}

impl Staged {
    /// Gives a staging folder its lasting name; a release that has it already must be the same.
    pub(super) fn keep(
        staging: Staging,
        target: &Path,
        session: &str,
        sha256: String,
    ) -> Result<Staged, Error> {
        let folder = folder(target, session)?;
        let kept = staging.keep_as(&folder)?;
        let damaged = || Error::StagedDamaged {
            path: folder.clone(),
        };
        let staged = Staged::reopen(target, session)?.ok_or_else(damaged)?;
        if from_hex(&sha256) == Some(staged.digest) {
            Ok(staged)
        } else if kept {
            Err(damaged())
        } else {
            Err(Error::StagedDiffers { path: folder })
        }
    }

    /// Finds what a session has staged for this place; `None` when there is nothing.
    ///
    /// Every file is compared with its hash: what was damaged meanwhile is an error, never
    /// published.
    pub fn reopen(target: &Path, session: &str) -> Result<Option<Staged>, Error> {
        let folder = folder(target, session)?;
        if !folder.exists() {
            return Ok(None);
        }
        let found = manifest_of(&folder)?.filter(|found| of_session(found, session));
        let Some(Found {
            manifest:
                Ok(JointManifest {
                    files,
                    protocol: Some(protocol),
                }),
            intact: true,
            sha256,
        }) = found
        else {
            return forget_old(&folder, target, session);
        };
        let damaged = || Error::StagedDamaged {
            path: folder.clone(),
        };
        let whole = |entry: &FileEntry| {
            let path = folder.join("public").join(&entry.name);
            hash(&path).is_ok_and(|found| found == (entry.sha256.clone(), entry.bytes))
        };
        if !files.iter().all(whole) || !folder.join("private/manifest.json").is_file() {
            return Err(damaged());
        }
        let digest = from_hex(&sha256).ok_or_else(damaged)?;
        Ok(Some(Staged {
            folder,
            target: target.to_owned(),
            digest,
            protocol,
        }))
    }

    /// SHA-256 of `public/manifest.json`, which both sites must agree on and sign.
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// Who made it together, as it will be public.
    pub fn protocol(&self) -> &ProtocolEntry {
        &self.protocol
    }

    /// Adds the signatures and puts the release in its place at once; one that is there already is
    /// replaced only with `force`.
    ///
    /// Nothing is published without every site's signature. On any error what was staged stays
    /// so.
    pub fn commit(self, signatures: &[SiteSignature], force: bool) -> Result<(), Error> {
        let bytes = encode(self.signed_by(signatures)?);
        let destination = staging::destination(&self.target, force)?;
        self.write_signatures(&bytes)?;
        if staging::put(&self.folder, &destination)? {
            // the old release, which was to be replaced; what is left of it is found by the next
            // run
            let _ = fs::remove_dir_all(&self.folder);
        }
        Ok(())
    }

    /// Gives up what was staged.
    pub fn discard(self) -> Result<(), Error> {
        fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))?;
        Ok(flush_folder(folder_of(&self.folder))?)
    }

    /// The signatures in the order of the manifest's sites, if all of them hold.
    fn signed_by<'a>(
        &self,
        signatures: &'a [SiteSignature],
    ) -> Result<Vec<&'a SiteSignature>, Error> {
        let protocol = &self.protocol;
        let message = message_of(protocol, &self.digest);
        protocol
            .sites
            .iter()
            .map(|site| {
                let found = signatures.iter().find(|s| s.site == site.name);
                let problem: Option<SignatureProblem> = check_one(site, found, &message);
                found
                    .filter(|_| problem.is_none())
                    .ok_or_else(|| Error::Signature {
                        site: site.name.clone(),
                    })
            })
            .collect()
    }

    /// Written beside `public/` first, so that a crash leaves no half of it there; an earlier
    /// attempt is overwritten.
    fn write_signatures(&self, bytes: &[u8]) -> Result<(), Error> {
        let scratch = self.folder.join("signatures.new");
        let place = self.folder.join("public").join(SIGNATURES_FILE);
        replace_by_only_writer(&scratch, &place, bytes, &unwatched)
            .map_err(|e| Error::io(&scratch)(e.into_source()))
    }
}

/// The digest of the release that is in its place already, if it is of this session: a site may
/// have crashed between publishing and writing that down.
pub fn committed(target: &Path, session: &str) -> Result<Option<[u8; 32]>, Error> {
    let found = manifest_of(target)?.filter(|found| of_session(found, session));
    Ok(found.and_then(|found| from_hex(&found.sha256)))
}

/// Where a session's release waits.
fn folder(target: &Path, session: &str) -> Result<PathBuf, Error> {
    if target.file_name().is_none() {
        return Err(Error::BadName {
            path: target.to_owned(),
        });
    }
    // a session's own text may be no file name
    let digits = &checksum::sha256(session.as_bytes())[..32];
    Ok(hidden_beside(target, &format!("joint-{digits}")))
}

fn manifest_of(folder: &Path) -> Result<Option<Found<JointManifest>>, Error> {
    let path = folder.join("public/manifest.json");
    let read = if manifest::is_noisy(&path) {
        read_as(&path, |noisy: NoisyManifest| JointManifest {
            files: noisy.files,
            protocol: noisy.protocol,
        })
    } else {
        read_as(&path, |groups: PublicManifest| JointManifest {
            files: groups.files,
            protocol: groups.protocol,
        })
    };
    match read {
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        other => other.map(Some).map_err(Error::io(&path)),
    }
}

fn read_as<M: Manifest>(
    path: &Path,
    taken: impl FnOnce(M) -> JointManifest,
) -> io::Result<Found<JointManifest>> {
    let found: Found<M> = manifest::read(path)?;
    Ok(Found {
        manifest: found.manifest.map(taken),
        intact: found.intact,
        sha256: found.sha256,
    })
}

fn of_session(found: &Found<JointManifest>, session: &str) -> bool {
    let protocol = found
        .manifest
        .as_ref()
        .ok()
        .and_then(|manifest| manifest.protocol.as_ref());
    protocol.is_some_and(|protocol| protocol.session == session)
}

/// What is under the session's name but not its release: where that one is in its place, the old
/// release which it was exchanged for, to be removed; else damage.
fn forget_old(folder: &Path, target: &Path, session: &str) -> Result<Option<Staged>, Error> {
    if committed(target, session)?.is_none() {
        return Err(Error::StagedDamaged {
            path: folder.to_owned(),
        });
    }
    fs::remove_dir_all(folder).map_err(Error::io(folder))?;
    Ok(None)
}
