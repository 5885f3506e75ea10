//! One provider's run: a connection out to the board, again whenever it breaks, until there is a
//! release, an abort, or doubt.
//!
//! The conversation is that of two sites, with the board in the partner's place; what it carries is
//! signed by providers, so that nothing rests on the board.

use super::invitation::Invitation;
use super::run_journal::RunJournal;
use super::run_vault::{OpenedRuns, ProviderPlace, ProviderVault, SiteSigner, journal_of};
use super::work::{Place, ProviderWork};
use crate::address::{Address, WaitingTimes};
use crate::error::Error;
use crate::identity::Identity;
use crate::run::{COURTESY, Conversation, RunEnd, RunOutcome};
use crate::tls::Tls;
use crate::vault::Deposit;
use crate::watcher::Watcher;
use mingle_protocol::Status;
use mingle_protocol::horizontal::ProviderParty;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

/// A provider and its invitation.
pub struct ProviderSite {
    /// Who this provider is.
    pub identity: Identity,
    /// Who else, where, and in which run.
    pub invitation: Invitation,
    /// How long to wait.
    pub limits: WaitingTimes,
    /// Where the release goes.
    pub deposit: ProviderDeposit,
}

/// Where the release of n providers goes, and what this one notes about its runs.
pub struct ProviderDeposit {
    /// As for two sites.
    pub release: Deposit,
    /// The list of runs that have opened exact totals.
    pub opened_runs: PathBuf,
    /// Whether another run with other rows or providers is accepted.
    pub accept_repeated_totals: bool,
}

/// Runs a provider to its end. `cancel` is raised by somebody else to stop: the others are told, and
/// nothing is written unless the release was in doubt already.
pub fn run_provider(
    site: ProviderSite,
    work: ProviderWork,
    watcher: Arc<dyn Watcher>,
    cancel: &AtomicBool,
) -> Result<RunOutcome, Error> {
    site.identity.check_valid(SystemTime::now())?;
    let invitation = site.invitation;
    let seat = invitation
        .seat_of(&site.identity.public_key())
        .ok_or(Error::NotInvited)?;
    let tls = Tls::new(&site.identity, Some(invitation.board_fingerprint()))?;
    let signer = SiteSigner(Arc::new(site.identity));
    let opened = OpenedRuns {
        path: site.deposit.opened_runs,
        rows: digest_of_rows(&site.deposit.release),
        providers: digest_of_providers(&invitation),
        accepted: site.deposit.accept_repeated_totals,
    };
    let journal = journal_of(&site.deposit.release);
    let place = Place {
        run: invitation.run(),
        seat,
        members: invitation.members(),
    };
    let (setup, product) = work.divided(place);
    let address = Address::Connect(invitation.board().to_owned());
    let part = ProviderPlace {
        signer: signer.clone(),
        invitation,
        opened,
        product,
    };
    let vault = ProviderVault::open(site.deposit.release, part)?;
    let (before, confirmed) = (vault.has_published(), vault.is_confirmed());
    let deadline = if confirmed {
        COURTESY
    } else {
        site.limits.deadline
    };
    let party = ProviderParty::new(setup, Box::new(vault), Box::new(signer), watcher.clone())?;
    let deadline = match party.status() {
        Status::Aborted(_) => COURTESY,
        _ => deadline,
    };
    let conversation = Conversation {
        party: Box::new(party),
        address,
        tls,
        limits: WaitingTimes {
            deadline: deadline.min(site.limits.deadline),
            ..site.limits
        },
        before,
        peer_key: None,
    };
    let outcome = conversation.hold(watcher, cancel)?;
    if matches!(outcome.end, RunEnd::Published { .. }) && outcome.confirmed && !confirmed {
        // only a note: where it is lost, a later run asks the others again
        if let Ok(Some(mut journal)) = RunJournal::read(&journal) {
            let _ = journal.confirmed();
        }
    }
    Ok(outcome)
}

/// The files that were read, whatever they are called.
fn digest_of_rows(deposit: &Deposit) -> [u8; 32] {
    let mut hashes = Vec::new();
    for input in &deposit.inputs {
        hashes.push(format!("{:?}", input.hash));
    }
    hashes.sort();
    Sha256::digest(hashes.join("\n")).into()
}

fn digest_of_providers(invitation: &Invitation) -> [u8; 32] {
    let mut keys: Vec<[u8; 32]> = Vec::new();
    for provider in invitation.providers() {
        keys.push(provider.key);
    }
    keys.sort_unstable();
    Sha256::digest(keys.concat()).into()
}
