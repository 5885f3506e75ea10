//! The durable side of a provider: the run's journal, a staged release, n signatures.
//!
//! As for two sites: ready means that the whole release lies flushed next to its place, signed, and
//! that the journal says so; publishing writes all signatures down first. What is published is
//! verified here once more, from the tables as they will be written.
//!
//! Beside the key lies a list of the runs that have opened exact totals. Another run with other rows
//! or other providers would tell by the difference, so it is refused unless the policy accepts that.

use super::invitation::Invitation;
use super::run_journal::{RunJournal, RunState};
use super::verdict;
use super::work::Product;
use crate::error::Error;
use crate::hex;
use crate::identity::Identity;
use crate::vault::{Deposit, remove_abandoned};
use mingle_disk::{LockFile, folder_of, hidden_beside};
use mingle_dp::ledger::Ledger;
use mingle_io::Format;
use mingle_model::Fragments;
use mingle_privacy::verify_fragments;
use mingle_protocol::horizontal::{
    HorizontalOutput, KeptRecord, NoisyOutput, RunResult, RunVault, Signer, release_message,
};
use mingle_protocol::{OutputRecord, Standing};
use mingle_record::policy_document::{PolicyDocument, PolicyTable};
use mingle_release::manifest::{
    ManifestColumn, ProtocolEntry, ProvidersEntry, SiteEntry, column_kind, column_role,
};
use mingle_release::{
    Joint, NoisyFacts, PrivateFacts, SiteSignature, Staged, Target, committed, stage, stage_noisy,
};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A run that has opened exact totals, by digests.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenedRun {
    run: String,
    rows: String,
    providers: String,
}

/// Which runs have opened exact totals.
pub(super) struct OpenedRuns {
    pub(super) path: PathBuf,
    pub(super) rows: [u8; 32],
    pub(super) providers: [u8; 32],
    pub(super) accepted: bool,
}

impl OpenedRuns {
    fn read(&self) -> Result<Vec<OpenedRun>, Error> {
        match fs::read(&self.path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(Error::io(&self.path)(e)),
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| Error::Journal {
                path: self.path.clone(),
            }),
        }
    }

    fn this(&self, run: &[u8; 32]) -> OpenedRun {
        OpenedRun {
            run: hex::encode(run),
            rows: hex::encode(&self.rows),
            providers: hex::encode(&self.providers),
        }
    }

    /// Refuses a run that would tell by the difference.
    fn check(&self, run: &[u8; 32]) -> Result<(), Error> {
        let this = self.this(run);
        let differs = |earlier: &OpenedRun| {
            earlier.run != this.run
                && (earlier.rows != this.rows || earlier.providers != this.providers)
        };
        if !self.accepted && self.read()?.iter().any(differs) {
            return Err(Error::RepeatedTotals {
                path: self.path.clone(),
            });
        }
        Ok(())
    }

    fn note(&self, run: &[u8; 32]) -> Result<(), Error> {
        let mut all = self.read()?;
        let this = self.this(run);
        if all.contains(&this) {
            return Ok(());
        }
        all.push(this);
        let mut text = serde_json::to_vec_pretty(&all).map_err(|_| Error::Defect)?;
        text.push(b'\n');
        Ok(mingle_disk::replace(&self.path, &text)?)
    }
}

/// Signs messages and releases with the site's key.
#[derive(Clone)]
pub(super) struct SiteSigner(pub(super) Arc<Identity>);

impl Signer for SiteSigner {
    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message)
    }
}

/// Who a provider is in a run, and what the run is for.
pub(super) struct ProviderPlace {
    pub(super) signer: SiteSigner,
    pub(super) invitation: Invitation,
    pub(super) opened: OpenedRuns,
    pub(super) product: Product,
}

/// A provider's vault.
pub(super) struct ProviderVault {
    journal: RunJournal,
    deposit: Deposit,
    signer: SiteSigner,
    invitation: Invitation,
    opened: OpenedRuns,
    product: Product,
    /// Last, so that it is dropped last.
    _lock: LockFile,
}

impl ProviderVault {
    /// Takes the lock, reads the journal and finishes what a crash has interrupted.
    pub(super) fn open(deposit: Deposit, part: ProviderPlace) -> Result<ProviderVault, Error> {
        let ProviderPlace {
            signer,
            invitation,
            opened,
            product,
        } = part;
        if deposit.out.file_name().is_none() || !folder_of(&deposit.out).is_dir() {
            check_place(&deposit, &product)?;
        }
        let lock = match LockFile::take_and_remove(&hidden_beside(&deposit.out, "mingle-lock")) {
            Err(mingle_disk::Error::Busy { .. }) => {
                return Err(Error::Busy {
                    path: deposit.out.clone(),
                });
            }
            other => other?,
        };
        let path = journal_of(&deposit);
        let journal = match RunJournal::read(&path)? {
            Some(journal) if journal.run() == invitation.run() => journal,
            other => {
                if let Some(journal) = &other {
                    may_be_replaced(journal, deposit.force)?;
                }
                // minutes of work should not end at a folder that is in the way
                check_place(&deposit, &product)?;
                remove_abandoned(&deposit.out)?;
                RunJournal::begin(&path, invitation.run())?
            }
        };
        if matches!(journal.state(), RunState::Open) {
            // noise hides what another run with other rows would tell, and a table to verify is public
            if matches!(product, Product::Table) {
                opened.check(&invitation.run())?;
            }
            check_place(&deposit, &product)?;
        }
        let mut vault = ProviderVault {
            journal,
            deposit,
            signer,
            invitation,
            opened,
            product,
            _lock: lock,
        };
        vault.recover()?;
        Ok(vault)
    }

    pub(super) fn has_published(&self) -> bool {
        matches!(self.standing(), Standing::Published(_))
    }

    pub(super) fn is_confirmed(&self) -> bool {
        matches!(self.journal.state(), RunState::Confirmed(..))
    }

    /// After a crash the journal may be behind what has happened, never ahead of it.
    fn recover(&mut self) -> Result<(), Error> {
        match self.journal.state().clone() {
            RunState::Open => Ok(()),
            RunState::Ready(record) => {
                if self.is_staged(&record)? {
                    Ok(())
                } else {
                    Err(self.lost())
                }
            }
            RunState::Publishing(record, all) => self.put_in_place(&record, &all),
            RunState::Published(record, _) | RunState::Confirmed(record, _) => {
                if self.is_in_place(&record)? {
                    Ok(())
                } else {
                    Err(self.lost())
                }
            }
        }
    }

    fn lost(&self) -> Error {
        Error::Lost {
            path: self.journal.path().to_owned(),
        }
    }

    fn staged(&self, record: &OutputRecord) -> Result<Option<Staged>, Error> {
        let staged = Staged::reopen(&self.deposit.out, &hex::encode(&record.session))?;
        Ok(staged.filter(|staged| staged.digest() == record.digest))
    }

    fn is_staged(&self, record: &OutputRecord) -> Result<bool, Error> {
        match &self.product {
            Product::Table | Product::Noise(_) => Ok(self.staged(record)?.is_some()),
            Product::Verification(_) => verdict::is_staged(&self.deposit.out, &record.digest),
        }
    }

    fn is_in_place(&self, record: &OutputRecord) -> Result<bool, Error> {
        if let Product::Verification(_) = &self.product {
            return verdict::is_in_place(&self.deposit.out, &record.digest);
        }
        Ok(committed(&self.deposit.out, &hex::encode(&record.session))? == Some(record.digest))
    }

    fn put_in_place(&mut self, record: &OutputRecord, all: &[[u8; 64]]) -> Result<(), Error> {
        if !self.is_in_place(record)? {
            self.commit(record, all)?;
        }
        // the release is there: a disk that is full by now must not make this a failure
        if self.journal.published().is_err() {
            self.journal.assume_published();
        }
        Ok(())
    }

    fn commit(&self, record: &OutputRecord, all: &[[u8; 64]]) -> Result<(), Error> {
        if !self.is_staged(record)? {
            return Err(self.lost());
        }
        if let Product::Verification(_) = &self.product {
            return verdict::commit(&self.deposit.out, &self.invitation, all);
        }
        let staged = self.staged(record)?.ok_or_else(|| self.lost())?;
        let mut signatures = Vec::with_capacity(all.len());
        for (provider, signature) in self.invitation.providers().iter().zip(all) {
            signatures.push(SiteSignature {
                site: provider.name.clone(),
                key: provider.key,
                signature: *signature,
            });
        }
        Ok(staged.commit(&signatures, self.deposit.force)?)
    }

    fn try_prepare(&mut self, result: &RunResult) -> Result<OutputRecord, Error> {
        let digest = self.stage(result)?;
        let record = OutputRecord {
            session: result.session(),
            digest,
            signature: self.signer.sign(&release_message(&digest)),
        };
        if let Err(error) = self.journal.ready(&record) {
            // nobody was told, so nobody relies on it
            let _ = self.discard_staged(&record);
            return Err(error);
        }
        Ok(record)
    }

    /// Makes the result safe, next to its place; returns the digest that all sign.
    fn stage(&self, result: &RunResult) -> Result<[u8; 32], Error> {
        let (out, session) = (&self.deposit.out, hex::encode(&result.session()));
        match (&self.product, result) {
            (Product::Table, RunResult::Table(output)) => {
                Ok(stage(&self.joint(output)?, out, &session)?.digest())
            }
            (Product::Noise(noise), RunResult::Noisy(output)) => {
                let ledger = Ledger::read(&noise.facts.ledger)?;
                let receipt = ledger.receipt_again(&noise.spending);
                let receipt = receipt.ok_or(mingle_dp::Error::NotPaidFor)?;
                let paid = output.release.clone().paid(receipt)?;
                let facts = NoisyFacts {
                    protocol: Some(self.noisy_protocol(output)),
                    ..noise.facts.clone()
                };
                Ok(stage_noisy(&paid, &facts, out, &session)?.digest())
            }
            (Product::Verification(about), RunResult::Verification(found)) => {
                let document = verdict::document(found, about, &self.invitation);
                verdict::stage(out, &document)
            }
            _ => Err(Error::Defect),
        }
    }

    fn discard_staged(&self, record: &OutputRecord) -> Result<(), Error> {
        if let Product::Verification(_) = &self.product {
            return verdict::discard(&self.deposit.out);
        }
        self.staged(record)?
            .map_or(Ok(()), Staged::discard)
            .map_err(Error::from)
    }

    /// Charges the ledger, once for a run: a crash may have come between the charge and its note in
    /// the journal.
    fn pay(&self) -> Result<(), Error> {
        let Product::Noise(noise) = &self.product else {
            return Ok(());
        };
        let ledger = Ledger::read(&noise.facts.ledger)?;
        if ledger.receipt_again(&noise.spending).is_none() {
            Ledger::spend(&noise.facts.ledger, &noise.spending, Ledger::WAIT)?;
        }
        Ok(())
    }

    fn sites(&self) -> Vec<SiteEntry> {
        let mut sites = Vec::new();
        for provider in self.invitation.providers() {
            sites.push(SiteEntry {
                name: provider.name.clone(),
                key: hex::encode(&provider.key),
                fingerprint: provider.fingerprint.to_string(),
            });
        }
        sites
    }

    fn noisy_protocol(&self, output: &NoisyOutput) -> ProtocolEntry {
        ProtocolEntry {
            synchronizer: "sums-with-noise".to_owned(),
            leak_level: "noise".to_owned(),
            reveals: "the noisy sums that the release is made from".to_owned(),
            rounds: 0,
            session: hex::encode(&output.session),
            sites: self.sites(),
            providers: Some(ProvidersEntry {
                m: output.colluding,
                caps: "none".to_owned(),
                cuts: "none".to_owned(),
                depth: 0,
                statements: output.statements.clone(),
            }),
        }
    }

    fn try_publish(&mut self, record: &OutputRecord, all: &[[u8; 64]]) -> Result<(), Error> {
        match self.journal.state() {
            RunState::Published(..) | RunState::Confirmed(..) => return Ok(()),
            RunState::Ready(ready) | RunState::Publishing(ready, _) if ready == record => {}
            _ => return Err(self.lost()),
        }
        self.journal.publishing(all)?;
        self.put_in_place(record, all)
    }

    fn try_discard(&mut self, record: &OutputRecord) -> Result<(), Error> {
        // the journal first: a staged release that nothing speaks of does no harm
        self.journal.discarded()?;
        self.discard_staged(record)
    }

    fn joint(&self, output: &HorizontalOutput) -> Result<Joint, Error> {
        let fragments = Fragments::from_published(output.table.verified.published())
            .map_err(|_| Error::NotVerified)?;
        let checked =
            verify_fragments(fragments, &output.terms.promises).map_err(|_| Error::NotVerified)?;
        let fragments = checked.into_verified().map_err(|_| Error::NotVerified)?;
        let terms = &output.terms;
        let statements = output.statements();
        let protocol = ProtocolEntry {
            synchronizer: "sums-of-counts".to_owned(),
            leak_level: terms.level.name().to_owned(),
            reveals: statements.first().cloned().unwrap_or_default(),
            rounds: output.cuts.accepted,
            session: hex::encode(&output.session),
            sites: self.sites(),
            providers: Some(ProvidersEntry {
                m: terms.m.0,
                caps: terms.caps.describe(),
                cuts: terms.cuts.describe(),
                depth: u64::from(terms.depth),
                statements,
            }),
        };
        let agreed: PolicyTable = [
            ("level", terms.level.name().into()),
            ("caps", terms.caps.describe().as_str().into()),
            ("cuts", terms.cuts.describe().as_str().into()),
            ("depth", u64::from(terms.depth).into()),
        ]
        .into_iter()
        .collect();
        let sections = [("protocol", agreed.into())].into_iter().collect();
        let mut columns = Vec::new();
        let schema = &output.schema;
        for column in schema.quasi_identifiers().iter().chain(schema.sensitive()) {
            columns.push(ManifestColumn {
                name: column.spec.name.clone(),
                role: column_role(column.spec.role),
                kind: column_kind(column.domain.kind()),
                // files have other names elsewhere
                hierarchy: None,
                order: None,
                hierarchy_rows: None,
            });
        }
        Ok(Joint {
            fragments,
            protocol,
            columns,
            missing: Some(String::new()),
            policy: PolicyDocument { sections },
            method: "sums-of-counts".to_owned(),
            ranges: "cell".to_owned(),
            format: Format::Csv,
            tool_version: self.deposit.tool_version.clone(),
            reports: self.deposit.reports,
            private: PrivateFacts {
                site: output
                    .members
                    .get(output.seat)
                    .cloned()
                    .ok_or(Error::Defect)?,
                inputs: self.deposit.inputs.clone(),
                warnings: Vec::new(),
                policy: self.deposit.policy.clone(),
            },
        })
    }
}

/// Where the journal of a run is.
pub(super) fn journal_of(deposit: &Deposit) -> PathBuf {
    hidden_beside(&deposit.out, "mingle-run.jsonl")
}

/// Whether the result could be put there now, found out by trying.
fn check_place(deposit: &Deposit, product: &Product) -> Result<(), Error> {
    let (out, force) = (&deposit.out, deposit.force);
    if let Product::Verification(_) = product {
        if out.exists() && !force {
            let path = out.clone();
            return Err(mingle_release::Error::Exists { path }.into());
        }
        if out.file_name().is_none() || !folder_of(out).is_dir() {
            let path = out.clone();
            return Err(mingle_release::Error::NoParent { path }.into());
        }
        return Ok(());
    }
    Ok(Target::folder(out).replacing(force).check()?)
}

/// Whether another run's journal may go.
fn may_be_replaced(journal: &RunJournal, force: bool) -> Result<(), Error> {
    let path = journal.path().to_owned();
    match journal.state() {
        // others may have published by our signature
        RunState::Ready(_) | RunState::Publishing(..) => Err(Error::OtherPartner { path }),
        // others may be in doubt, and only this journal can tell them
        RunState::Published(..) if force => Err(Error::Unconfirmed { path }),
        _ => Ok(()),
    }
}

impl RunVault for ProviderVault {
    fn kept(&self) -> Vec<KeptRecord> {
        self.journal.kept().to_vec()
    }

    fn keep(&mut self, record: &KeptRecord) -> Result<(), String> {
        if matches!(record, KeptRecord::TotalsOpened) {
            let run = self.invitation.run();
            self.opened.note(&run).map_err(|e| e.to_string())?;
        }
        if matches!(record, KeptRecord::NoiseSpent) {
            self.pay().map_err(|e| e.to_string())?;
        }
        self.journal.keep(record).map_err(|e| e.to_string())
    }

    fn standing(&self) -> Standing {
        match self.journal.state() {
            RunState::Open => Standing::Nothing,
            RunState::Ready(record) | RunState::Publishing(record, _) => Standing::Ready(*record),
            RunState::Published(record, _) | RunState::Confirmed(record, _) => {
                Standing::Published(*record)
            }
        }
    }

    fn prepare(&mut self, result: &RunResult) -> Result<OutputRecord, String> {
        self.try_prepare(result).map_err(|e| e.to_string())
    }

    fn publish(&mut self, record: &OutputRecord, signatures: &[[u8; 64]]) -> Result<(), String> {
        self.try_publish(record, signatures)
            .map_err(|e| e.to_string())
    }

    fn signatures(&self) -> Vec<[u8; 64]> {
        match self.journal.state() {
            RunState::Published(_, all) | RunState::Confirmed(_, all) => all.clone(),
            _ => Vec::new(),
        }
    }

    fn discard(&mut self, record: &OutputRecord) -> Result<(), String> {
        self.try_discard(record).map_err(|e| e.to_string())
    }

    fn forget_secrets(&mut self) {
        // what stays behind is found by the next run
        let _ = self.journal.forget_secrets();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_protocol_and_the_release_sign_the_same_bytes() {
        assert_eq!(
            release_message(&[5; 32]),
            mingle_release::provider_signed_bytes(&[5; 32])
        );
    }

    #[test]
    fn totals_of_other_rows_are_opened_once_unless_that_is_accepted() {
        let home = tempfile::tempdir().expect("a folder");
        let of = |rows: u8, providers: u8, accepted: bool| OpenedRuns {
            path: home.path().join("runs"),
            rows: [rows; 32],
            providers: [providers; 32],
            accepted,
        };
        of(1, 1, false).check(&[1; 32]).expect("the first");
        of(1, 1, false).note(&[1; 32]).expect("noted");
        of(1, 1, false)
            .check(&[2; 32])
            .expect("the same rows and providers");
        of(2, 1, false)
            .check(&[1; 32])
            .expect("the protocol itself refuses other rows in a run");
        for (rows, providers) in [(2, 1), (1, 2)] {
            let refused = of(rows, providers, false).check(&[2; 32]);
            assert!(matches!(refused, Err(Error::RepeatedTotals { .. })));
            of(rows, providers, true).check(&[2; 32]).expect("accepted");
        }
    }
}
