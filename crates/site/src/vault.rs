//! The durable side of a site: a staged release, a journal, and two signatures.
//!
//! Ready means that the whole release lies flushed next to its place, that this site has signed its
//! digest, and that the journal says so. Publishing writes the partner's signature into the journal
//! first, then puts the release in its place, then notes that: after a crash at any point the next
//! run finds enough to finish the job or to stay in doubt, never to forget.
//!
//! What is published is verified here once more, from the tables as they will be written.

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::hex;
use crate::identity::{Identity, public_key};
use crate::journal::{Entry, Journal, State};
use mingle_disk::{LockFile, folder_of, hidden_beside};
use mingle_io::Format;
use mingle_model::{Kind, Role};
use mingle_privacy::verify_fragments;
use mingle_protocol::{JointColumn, JointOutput, OutputRecord, Seat, Standing, Vault};
use mingle_record::policy_document::{PolicyDocument, PolicyTable};
use mingle_release::manifest::{
    ManifestColumn, ProtocolEntry, SiteEntry, column_kind, column_role,
};
use mingle_release::{
    InputFile, Joint, PrivateFacts, Render, SiteSignature, Staged, Target, committed, is_signed,
    signed_bytes, stage,
};
use rustls::pki_types::CertificateDer;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Where a joint release goes, and what this site notes about it for itself.
pub struct Deposit {
    /// The release folder; its parent must exist.
    pub out: PathBuf,
    /// Whether a release that is there already is replaced.
    pub force: bool,
    /// The program's version, the same at both sites.
    pub tool_version: String,
    /// This site's whole policy, where it has one. Private.
    pub policy: Option<PolicyDocument>,
    /// The files that were read. Private.
    pub inputs: Vec<InputFile>,
    /// What makes the reports, the same at both sites; without, there are none.
    pub reports: Option<Render>,
}

/// The partner's public key, known from the first handshake on. The certificate is pinned, so it
/// never changes.
#[derive(Clone, Default)]
pub(crate) struct PeerKey(Arc<OnceLock<[u8; 32]>>);

impl PeerKey {
    /// Takes the key from the certificate that the partner has shown.
    pub(crate) fn learn(&self, certificate: &CertificateDer<'_>) {
        if let Some(key) = public_key(certificate) {
            let _ = self.0.set(key);
        }
    }

    fn get(&self) -> Option<[u8; 32]> {
        self.0.get().copied()
    }
}

/// A site's vault.
pub(crate) struct SiteVault {
    journal: Journal,
    deposit: Deposit,
    identity: Identity,
    seat: Seat,
    peer: Fingerprint,
    peer_key: PeerKey,
    /// Last, so that it is dropped last.
    _lock: LockFile,
}

impl SiteVault {
    /// Takes the lock, reads the journal and finishes what a crash has interrupted.
    pub(crate) fn open(
        deposit: Deposit,
        identity: Identity,
        seat: Seat,
        peer: Fingerprint,
    ) -> Result<SiteVault, Error> {
        let target = Target {
            folder: &deposit.out,
            force: deposit.force,
            cancelled: &AtomicBool::new(false),
        };
        if deposit.out.file_name().is_none() || !folder_of(&deposit.out).is_dir() {
            target.check()?;
        }
        let lock = match LockFile::take_and_remove(&hidden_beside(&deposit.out, "mingle-lock")) {
            Err(mingle_disk::Error::Busy { .. }) => {
                return Err(Error::Busy {
                    path: deposit.out.clone(),
                });
            }
            other => other?,
        };
        let mut journal = Journal::open(hidden_beside(&deposit.out, "mingle-journal.json"))?;
        match journal.entry().map(|entry| entry.state) {
            Some(State::Confirmed(_)) if deposit.force => journal.clear()?,
            // the partner may be in doubt, and only this journal can tell it
            Some(State::Published(_)) if deposit.force => {
                return Err(Error::Unconfirmed {
                    path: journal.path().to_owned(),
                });
            }
            _ => {}
        }
        if journal.entry().is_none() {
            // hours of work should not end at a folder that is in the way
            target.check()?;
            remove_abandoned(&deposit.out)?;
        }
        let mut vault = SiteVault {
            journal,
            deposit,
            identity,
            seat,
            peer,
            peer_key: PeerKey::default(),
            _lock: lock,
        };
        vault.recover()?;
        Ok(vault)
    }

    /// Where the partner's key is to be left once it is known.
    pub(crate) fn peer_key(&self) -> PeerKey {
        self.peer_key.clone()
    }

    /// Whether the partner is known to have published the same.
    pub(crate) fn is_confirmed(&self) -> bool {
        matches!(
            self.journal.entry(),
            Some(Entry {
                state: State::Confirmed(_),
                ..
            })
        )
    }

    /// Whether the release is in its place.
    pub(crate) fn has_published(&self) -> bool {
        matches!(self.standing(), Standing::Published(_))
    }

    /// After a crash the journal may be behind what has happened, never ahead of it.
    fn recover(&mut self) -> Result<(), Error> {
        let Some(entry) = self.journal.entry().cloned() else {
            return Ok(());
        };
        let _ = self.peer_key.0.set(entry.peer);
        match entry.state {
            State::Publishing(signature) => self.put_in_place(&entry, &signature),
            State::Ready => {
                self.same_partner(&self.staged(&entry.record)?.ok_or_else(|| self.lost())?)
            }
            State::Published(_) | State::Confirmed(_) if self.is_in_place(&entry.record)? => Ok(()),
            State::Published(_) | State::Confirmed(_) => Err(self.lost()),
        }
    }

    /// What is ready was promised to one partner; another knows nothing of it and must not make it
    /// void.
    fn same_partner(&self, staged: &Staged) -> Result<(), Error> {
        let protocol = staged.protocol();
        if protocol.sites[self.seat.other().number()].fingerprint == self.peer.to_string() {
            Ok(())
        } else {
            Err(Error::OtherPartner {
                path: self.journal.path().to_owned(),
            })
        }
    }

    fn staged(&self, record: &OutputRecord) -> Result<Option<Staged>, Error> {
        let staged = Staged::reopen(&self.deposit.out, &hex::encode(&record.session))?;
        Ok(staged.filter(|staged| staged.digest() == record.digest))
    }

    fn is_in_place(&self, record: &OutputRecord) -> Result<bool, Error> {
        Ok(committed(&self.deposit.out, &hex::encode(&record.session))? == Some(record.digest))
    }

    fn lost(&self) -> Error {
        Error::Lost {
            path: self.journal.path().to_owned(),
        }
    }

    /// Commits what is staged, unless that has happened already, and notes it.
    fn put_in_place(&mut self, entry: &Entry, signature: &[u8; 64]) -> Result<(), Error> {
        if !self.is_in_place(&entry.record)? {
            let staged = self.staged(&entry.record)?.ok_or_else(|| self.lost())?;
            let signatures = self.signatures(&staged, entry, signature)?;
            staged.commit(&signatures, self.deposit.force)?;
        }
        // the release is there: a disk that is full by now must not make this a failure, and the
        // next run notes it
        let published = Entry {
            state: State::Published(*signature),
            ..entry.clone()
        };
        if self.journal.write(published.clone()).is_err() {
            self.journal.assume(published);
        }
        Ok(())
    }

    /// Both sites' signatures, site 0's first.
    fn signatures(
        &self,
        staged: &Staged,
        entry: &Entry,
        theirs: &[u8; 64],
    ) -> Result<Vec<SiteSignature>, Error> {
        let protocol = staged.protocol();
        let signed = |seat: Seat| {
            let (key, signature) = if seat == self.seat {
                (self.identity.public_key(), entry.record.signature)
            } else {
                (entry.peer, *theirs)
            };
            SiteSignature {
                site: protocol.sites[seat.number()].name.clone(),
                key,
                signature,
            }
        };
        Ok(vec![signed(Seat::Zero), signed(Seat::One)])
    }

    fn joint(&self, output: &JointOutput, peer: [u8; 32]) -> Result<Joint, Error> {
        let promises = output.verified.promises();
        let checked = verify_fragments(output.verified.fragments().clone(), promises)
            .map_err(|_| Error::NotVerified)?;
        let fragments = checked.into_verified().map_err(|_| Error::NotVerified)?;
        let terms = &output.terms;
        let protocol = ProtocolEntry {
            synchronizer: terms.synchronizer.name().to_owned(),
            leak_level: terms.synchronizer.leak().name().to_owned(),
            reveals: terms.synchronizer.reveals().to_owned(),
            rounds: u64::from(output.rounds),
            session: hex::encode(&output.session),
            sites: self.sites(output, peer).into(),
            providers: None,
        };
        let agreed: PolicyTable = [
            ("synchronizer", terms.synchronizer.name().into()),
            ("accept_leak", terms.accept_leak.name().into()),
            ("padded_size", u64::from(terms.padded_size).into()),
        ]
        .into_iter()
        .collect();
        let sections = [("protocol", agreed.into())].into_iter().collect();
        Ok(Joint {
            fragments,
            protocol,
            columns: output
                .columns
                .iter()
                .map(column)
                .collect::<Option<_>>()
                .ok_or(Error::Defect)?,
            missing: Some(String::new()),
            policy: PolicyDocument { sections },
            method: "datafly".to_owned(),
            ranges: "cell".to_owned(),
            format: Format::Csv,
            tool_version: self.deposit.tool_version.clone(),
            reports: self.deposit.reports,
            private: PrivateFacts {
                site: output.sites[self.seat.number()].clone(),
                inputs: self.deposit.inputs.clone(),
                warnings: Vec::new(),
                policy: self.deposit.policy.clone(),
            },
        })
    }

    fn sites(&self, output: &JointOutput, peer: [u8; 32]) -> [SiteEntry; 2] {
        [Seat::Zero, Seat::One].map(|seat| {
            let (key, fingerprint) = if seat == self.seat {
                (self.identity.public_key(), self.identity.fingerprint())
            } else {
                (peer, self.peer)
            };
            let name = output.sites[seat.number()].clone();
            SiteEntry {
                name,
                key: hex::encode(&key),
                fingerprint: fingerprint.to_string(),
            }
        })
    }

    fn try_prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, Error> {
        let peer = self.peer_key.get().ok_or(Error::Defect)?;
        let staged = stage(
            &self.joint(output, peer)?,
            &self.deposit.out,
            &hex::encode(&output.session),
        )?;
        let digest = staged.digest();
        let record = OutputRecord {
            session: output.session,
            digest,
            signature: self.identity.sign(&signed_bytes(&digest)),
        };
        let entry = Entry {
            state: State::Ready,
            record,
            peer,
        };
        if let Err(error) = self.journal.write(entry) {
            // nobody was told, so nobody relies on it; the journal may have been replaced before
            // the error
            let _ = self.journal.clear();
            let _ = staged.discard();
            return Err(error);
        }
        Ok(record)
    }

    fn try_publish(&mut self, record: &OutputRecord, signature: &[u8; 64]) -> Result<(), Error> {
        if !self.genuine(&record.digest, signature) {
            return Err(Error::NotThePartners);
        }
        let entry = self
            .journal
            .entry()
            .filter(|entry| entry.record == *record)
            .cloned();
        let entry = entry.ok_or_else(|| self.lost())?;
        if !matches!(entry.state, State::Published(_) | State::Confirmed(_)) {
            self.journal.write(Entry {
                state: State::Publishing(*signature),
                ..entry.clone()
            })?;
        }
        self.put_in_place(&entry, signature)
    }

    fn try_discard(&mut self, record: &OutputRecord) -> Result<(), Error> {
        // the journal first: a staged release that nothing speaks of does no harm
        self.journal.clear()?;
        self.staged(record)?
            .map_or(Ok(()), Staged::discard)
            .map_err(Error::from)
    }
}

impl Vault for SiteVault {
    fn standing(&self) -> Standing {
        match self.journal.entry() {
            None => Standing::Nothing,
            Some(Entry {
                state: State::Published(_) | State::Confirmed(_),
                record,
                ..
            }) => Standing::Published(*record),
            Some(Entry { record, .. }) => Standing::Ready(*record),
        }
    }

    fn prepare(&mut self, output: &JointOutput) -> Result<OutputRecord, String> {
        self.try_prepare(output).map_err(|e| e.to_string())
    }

    fn genuine(&self, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        self.peer_key
            .get()
            .is_some_and(|key| is_signed(&key, digest, signature))
    }

    fn publish(&mut self, record: &OutputRecord, other_signature: &[u8; 64]) -> Result<(), String> {
        self.try_publish(record, other_signature)
            .map_err(|e| e.to_string())
    }

    fn confirmed(&mut self, record: &OutputRecord) {
        let entry = self
            .journal
            .entry()
            .filter(|entry| entry.record == *record)
            .cloned();
        if let Some(
            entry @ Entry {
                state: State::Published(signature),
                ..
            },
        ) = entry
        {
            // where this is lost, a later run asks the partner again
            let _ = self.journal.write(Entry {
                state: State::Confirmed(signature),
                ..entry
            });
        }
    }

    fn discard(&mut self, record: &OutputRecord) -> Result<(), String> {
        self.try_discard(record).map_err(|e| e.to_string())
    }
}

/// Removes releases that a crash left staged before the journal spoke of them: nobody was told, so
/// nobody relies on them.
pub(crate) fn remove_abandoned(out: &Path) -> Result<(), Error> {
    let prefix = |what| {
        hidden_beside(out, what)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let (joint, staging) = (prefix("joint-"), prefix("staging-"));
    let folder = folder_of(out);
    for entry in fs::read_dir(folder).map_err(Error::io(folder))? {
        let entry = entry.map_err(Error::io(folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let digits = name
            .strip_prefix(&joint)
            .is_some_and(|rest| hex::decode::<16>(rest).is_some());
        if (digits || name.starts_with(&staging))
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
        {
            fs::remove_dir_all(entry.path()).map_err(Error::io(&entry.path()))?;
        }
    }
    Ok(())
}

fn column(column: &JointColumn) -> Option<ManifestColumn> {
    Some(ManifestColumn {
        name: column.name.clone(),
        role: Role::ALL
            .into_iter()
            .find(|role| role.name() == column.role)
            .map(column_role)?,
        kind: Kind::ALL
            .into_iter()
            .find(|kind| kind.name() == column.kind)
            .map(column_kind)?,
        hierarchy: column.hierarchy.clone(),
        order: column.order.clone(),
        hierarchy_rows: column.hierarchy_rows.clone(),
    })
}
