//! One provider as a machine that takes bytes and returns bytes.
//!
//! Whoever owns the socket to the board tells a [`ProviderParty`] when the connection is up, what
//! arrived and when it is gone, and sends what it returns. It keeps no clock: how long to wait for
//! whom is the owner's to say ([`waiting_for`](ProviderParty::waiting_for),
//! [`give_up`](ProviderParty::give_up)).
//!
//! - Every message is signed, numbered per sender and kept: a connection that breaks is nothing. On
//!   the next one a provider says how much of everybody it has, and everybody sends it the rest,
//!   the same bytes.
//! - A provider that crashed comes to the same bytes again (see [`RunVault`]); the digest of each
//!   message was kept before it was sent, and one that would differ ends the run.
//! - What no honest provider or board sends ends the run, before this provider is ready.
//! - A provider that is *ready* cannot end the run by itself any more, since others may have
//!   published. It publishes when all n signatures are there, from whomever they come.

use super::assembly::{Assembly, Post};
use super::envelope::{EVERYBODY, Envelope, Resume, short_run};
use super::journal::{KeptRecord, RunVault, Signer};
use super::output::RunResult;
use super::run::{ExactNoise, NoiseSource, RunParts, SharedVault, run};
use super::setup::{CheckedRun, HorizontalSetup};
use crate::entropy::{Entropy, OperatingSystem};
use crate::error::{Error, Reason, Violation};
use crate::frame::{self, Frame, Kind, Reader};
use crate::observer::Observer;
use crate::party::Status;
use crate::vault::{OutputRecord, Standing};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest, Sha256, Sha512};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use zeroize::Zeroize;

type Steps = Pin<Box<dyn Future<Output = Result<RunResult, Error>> + Send>>;

/// The number of a message that stands outside of the order: the last word.
const LAST_WORD: u64 = u64::MAX;

/// Others can be ahead by a round and a hop, and the first provider says one thing more than the
/// others; nobody can be further.
const MOST_AHEAD: u64 = 4;

/// One of n providers.
pub struct ProviderParty {
    checked: Arc<CheckedRun>,
    vault: SharedVault,
    signer: Box<dyn Signer>,
    observer: Arc<dyn Observer>,
    reader: Reader,
    post: Post,
    /// Gone once they have come to an output.
    steps: Option<Steps>,
    /// All own messages.
    sent: Vec<Envelope>,
    /// Digests of what was sent before a restart, by number.
    kept: Vec<(u64, [u8; 32])>,
    /// By seat, the fingerprints of what arrived.
    received: Vec<Vec<[u8; 32]>>,
    /// By seat, the number that was asked for again.
    asked_for: Vec<Option<u64>>,
    /// By seat, its signature of our digest.
    signatures: Vec<Option<[u8; 64]>>,
    /// By seat, whether it is known to have all signatures.
    done: Vec<bool>,
    aborted: Option<Error>,
    last_word: Option<Vec<u8>>,
    trouble: Option<Error>,
    connected: bool,
}

/// What a party is made from besides its data; tests may bring their own.
pub(crate) struct PartySources {
    pub(crate) entropy: Box<dyn Entropy>,
    pub(crate) noise: Box<dyn NoiseSource>,
}

impl ProviderParty {
    /// A provider with its data. Errors are this provider's own: nothing has been sent.
    pub fn new(
        setup: HorizontalSetup,
        vault: Box<dyn RunVault>,
        signer: Box<dyn Signer>,
        observer: Arc<dyn Observer>,
    ) -> Result<ProviderParty, Error> {
        let sources = PartySources {
            entropy: Box::new(OperatingSystem),
            noise: Box::new(ExactNoise),
        };
        ProviderParty::with_sources(setup, vault, signer, observer, sources)
    }

    pub(crate) fn with_sources(
        setup: HorizontalSetup,
        mut vault: Box<dyn RunVault>,
        signer: Box<dyn Signer>,
        observer: Arc<dyn Observer>,
        mut sources: PartySources,
    ) -> Result<ProviderParty, Error> {
        let checked = Arc::new(setup.check()?);
        let seats = checked.members.all.len();
        let is_over = matches!(vault.standing(), Standing::Published(_));
        let (mut seed, mut kept) = (None, Vec::new());
        let (mut aborted, mut last_word) = (None, None);
        for record in vault.kept() {
            match record {
                KeptRecord::Seed(bytes) => seed = Some(bytes),
                KeptRecord::Sent { sequence, digest } => kept.push((sequence, digest)),
                KeptRecord::Aborted { reason, word } => {
                    let reason = Reason::from_byte(reason).unwrap_or(Reason::Defect);
                    aborted = Some(Error::GaveUp(reason));
                    last_word = Some(word);
                }
                _ => {}
            }
        }
        let seed = match seed {
            Some(seed) => seed,
            None => {
                let mut seed = [0; 32];
                sources.entropy.fill(&mut seed);
                if !is_over {
                    vault
                        .keep(&KeptRecord::Seed(seed))
                        .map_err(Error::Storage)?;
                }
                seed
            }
        };
        let vault = SharedVault::new(vault);
        let post = Post::new(seats);
        let assembly = Assembly::new(
            checked.members.clone(),
            checked.setup.seat,
            Box::new(SeededStream::new(seed)),
            observer.clone(),
            post.clone(),
        );
        let parts = RunParts {
            run: checked.clone(),
            vault: vault.clone(),
            noise: sources.noise,
        };
        let steps: Steps = Box::pin(run(assembly, parts));
        Ok(ProviderParty {
            checked,
            vault,
            signer,
            observer,
            reader: Reader::default(),
            post,
            steps: (!is_over && aborted.is_none()).then_some(steps),
            sent: Vec::new(),
            kept,
            received: vec![Vec::new(); seats],
            asked_for: vec![None; seats],
            signatures: vec![None; seats],
            done: vec![false; seats],
            aborted,
            last_word,
            trouble: None,
            connected: false,
        })
    }

    /// A fresh connection to the board is up. Returns what to send first.
    pub fn connect(&mut self) -> Vec<u8> {
        self.disconnect();
        self.connected = true;
        let mut out = Vec::new();
        self.send(Kind::Join, self.join(), &mut out);
        if self.aborted.is_some() {
            if let Some(word) = self.last_word.clone() {
                self.send(Kind::Abort, word, &mut out);
            }
            return out;
        }
        let first = self.sent.is_empty();
        let resume = self.resume(EVERYBODY, true);
        self.send(Kind::Resume, resume, &mut out);
        if first && self.steps.is_some() {
            let step = self.advance(&mut out);
            self.conclude(step, &mut out);
        }
        // what could not be stored when the last signature came may be stored now
        let step = self.read_signatures(&mut out);
        self.conclude(step, &mut out);
        if self.is_published() {
            self.say_certificate(EVERYBODY, &mut out);
        }
        out
    }

    /// Bytes arrived from the board, cut anywhere. Returns what to send.
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        if self.connected {
            self.reader.push(bytes);
        }
        while self.connected {
            let limit = |kind: Kind| kind.most_between_providers().ok_or(Violation::Damaged);
            let step = match self.reader.next_within(limit) {
                Ok(None) => break,
                Ok(Some(frame)) => self.frame(frame, &mut out),
                Err(violation) => Err(Error::Board(violation)),
            };
            self.conclude(step, &mut out);
        }
        out
    }

    /// The connection is gone.
    pub fn disconnect(&mut self) {
        self.reader.clear();
        self.connected = false;
        self.asked_for.fill(None);
    }

    /// Nobody will wait any longer. Returns a last word for the others, if one may still be said: a
    /// provider that is ready stays in doubt.
    pub fn give_up(&mut self, reason: Reason) -> Vec<u8> {
        let mut out = Vec::new();
        let waiting = self.waiting_for();
        let error = match reason {
            Reason::Silence if !waiting.is_empty() => Error::Silent { providers: waiting },
            reason => Error::GaveUp(reason),
        };
        self.fail(error, &mut out);
        out
    }

    /// How this provider stands.
    pub fn status(&self) -> Status {
        if self.is_published() {
            return Status::Published;
        }
        if let Some(error) = &self.aborted {
            return Status::Aborted(error.clone());
        }
        if self.ready().is_some() {
            return Status::InDoubt;
        }
        if self.sent.is_empty() {
            Status::Waiting
        } else {
            Status::Working
        }
    }

    /// The names of the providers whose messages are due.
    pub fn waiting_for(&self) -> Vec<String> {
        let mut seats = self.post.awaited();
        if self.steps.is_none() && self.aborted.is_none() {
            let seat = self.checked.setup.seat;
            let lacking = |&other: &usize| other != seat && self.signatures[other].is_none();
            seats = (0..self.signatures.len()).filter(lacking).collect();
        }
        let name = |seat: usize| self.checked.members.name(seat);
        seats.into_iter().map(name).collect()
    }

    /// Why the connection was given up, or why a finished output could not be made public.
    pub fn trouble(&self) -> Option<&Error> {
        self.trouble.as_ref()
    }

    /// Nothing left to do at all: aborted, or published and everybody else has published as well.
    pub fn is_finished(&self) -> bool {
        self.aborted.is_some() || self.is_published() && self.done.iter().all(|&done| done)
    }

    /// The connection is of no use any more: hang up.
    pub fn is_broken(&self) -> bool {
        !self.connected || self.is_finished()
    }

    fn is_published(&self) -> bool {
        matches!(self.vault.lock().standing(), Standing::Published(_))
    }

    fn ready(&self) -> Option<OutputRecord> {
        match self.vault.lock().standing() {
            Standing::Ready(record) => Some(record),
            _ => None,
        }
    }

    fn run(&self) -> &[u8; 32] {
        &self.checked.members.run
    }

    fn join(&self) -> Vec<u8> {
        let seats = self.checked.members.all.len() as u16;
        let seat = self.checked.setup.seat as u16;
        let payload = [seat.to_le_bytes(), seats.to_le_bytes()].concat();
        frame::encode(Kind::Join, short_run(self.run()), 0, &payload)
    }

    fn resume(&self, route: u16, reply: bool) -> Vec<u8> {
        let resume = Resume {
            route,
            seat: self.checked.setup.seat as u16,
            reply,
            received: self.received.iter().map(|own| own.len() as u64).collect(),
        };
        resume.to_frame(self.run())
    }

    fn frame(&mut self, frame: Frame, out: &mut Vec<u8>) -> Result<(), Error> {
        if frame.session != short_run(self.run()) {
            return Err(Error::Board(Violation::UnknownSession));
        }
        self.observer
            .frame(false, frame.kind.name(), &frame.payload);
        if self.aborted.is_some() {
            // whoever asks is told how it ended; nothing else is read
            if let (Kind::Resume, Some(word)) = (frame.kind, self.last_word.clone()) {
                self.send(Kind::Abort, word, out);
            }
            return Ok(());
        }
        match frame.kind {
            Kind::Resume => self.resumed(&frame.payload, out),
            Kind::Certificate => self.certified(&frame.payload, out),
            Kind::Join => Err(Error::Board(Violation::Unexpected {
                expected: "a provider's message",
            })),
            _ => {
                let envelope = Envelope::from_frame(frame).map_err(Error::Board)?;
                self.envelope(envelope, out)
            }
        }
    }

    /// Somebody is there and says what it has.
    fn resumed(&mut self, payload: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let malformed = Error::Board(Violation::Malformed {
            kind: Kind::Resume.name(),
        });
        let Some(resume) = Resume::from_payload(payload) else {
            return Err(malformed);
        };
        let (seat, seats) = (usize::from(resume.seat), self.checked.members.all.len());
        let own = self.checked.setup.seat;
        if resume.received.len() != seats || seat >= seats || seat == own {
            return Err(Error::Board(Violation::WrongSeat));
        }
        if self.is_published() {
            self.say_certificate(resume.seat, out);
        }
        let has = resume.received[own] as usize;
        let lacking: Vec<Envelope> = self.sent.iter().skip(has).cloned().collect();
        for envelope in lacking {
            let bytes = envelope.routed_to(resume.seat).to_frame(self.run());
            self.send(envelope.kind, bytes, out);
        }
        if resume.reply {
            let answer = self.resume(resume.seat, false);
            self.send(Kind::Resume, answer, out);
        }
        Ok(())
    }

    /// A signed message of a provider.
    fn envelope(&mut self, envelope: Envelope, out: &mut Vec<u8>) -> Result<(), Error> {
        let seat = usize::from(envelope.seat);
        let Some(member) = self.checked.members.all.get(seat) else {
            return Err(Error::Board(Violation::WrongSeat));
        };
        if seat == self.checked.setup.seat {
            return Err(Error::Board(Violation::WrongSeat));
        }
        if !envelope.is_genuine(self.run(), &member.key) {
            return Err(Error::Board(Violation::Forged));
        }
        if envelope.kind == Kind::Abort {
            return self.aborted_by(seat, &envelope);
        }
        let fingerprint = envelope.fingerprint(self.run());
        let due = self.received[seat].len() as u64;
        if envelope.sequence < due {
            let before = self.received[seat][envelope.sequence as usize];
            if before == fingerprint {
                return Ok(());
            }
            return Err(self.blame(seat, Violation::Equivocation));
        }
        if envelope.sequence > due {
            return self.ask_again(seat, due, out);
        }
        if self.steps.is_none() && self.ready().is_none() {
            return Ok(());
        }
        // a provider that was restarted is behind by all that it had said before
        let reached = self.sent.len().max(self.kept.len()) as u64;
        if envelope.sequence > reached + MOST_AHEAD {
            let expected = "our turn";
            return Err(self.blame(seat, Violation::Unexpected { expected }));
        }
        self.received[seat].push(fingerprint);
        self.asked_for[seat] = None;
        self.post.deliver(envelope);
        self.advance(out)
    }

    fn blame(&self, seat: usize, violation: Violation) -> Error {
        Error::Provider {
            provider: self.checked.members.name(seat),
            violation,
        }
    }

    /// Something is missing: say once what we have.
    fn ask_again(&mut self, seat: usize, due: u64, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.asked_for[seat] != Some(due) {
            self.asked_for[seat] = Some(due);
            let resume = self.resume(seat as u16, false);
            self.send(Kind::Resume, resume, out);
        }
        Ok(())
    }

    /// Lets the run go on as far as it can.
    fn advance(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        if let Some(steps) = &mut self.steps {
            let polled = steps.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            for (kind, reader, body) in self.post.outgoing() {
                self.say(kind, reader, body, out)?;
            }
            match polled {
                Poll::Pending => return Ok(()),
                Poll::Ready(output) => {
                    self.steps = None;
                    self.finish(&output?, out)?;
                }
            }
        }
        self.read_signatures(out)
    }

    /// Journals first and speaks then.
    fn finish(&mut self, output: &RunResult, out: &mut Vec<u8>) -> Result<(), Error> {
        let standing = self.vault.lock().standing();
        let record = match standing {
            Standing::Ready(record) => record,
            _ => {
                let prepared = self.vault.lock().prepare(output);
                prepared.map_err(Error::Storage)?
            }
        };
        self.signatures[self.checked.setup.seat] = Some(record.signature);
        let body = [&record.digest[..], &record.signature[..]].concat();
        self.say(Kind::Ready, EVERYBODY, body, out)
    }

    /// Who else is ready, and with the same?
    fn read_signatures(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let Some(record) = self.ready() else {
            return Ok(());
        };
        if self.steps.is_some() {
            return Ok(());
        }
        for seat in 0..self.signatures.len() {
            while let Some(envelope) = self.post.take(seat) {
                let body = envelope.body.unwrap_or_default();
                let parts = body
                    .split_first_chunk::<32>()
                    .and_then(|(digest, rest)| Some((*digest, <[u8; 64]>::try_from(rest).ok()?)));
                let (Kind::Ready, Some((digest, signature))) = (envelope.kind, parts) else {
                    let expected = Kind::Ready.name();
                    return Err(self.blame(seat, Violation::Unexpected { expected }));
                };
                if digest != record.digest {
                    self.discard(&record)?;
                    return Err(Error::OutputsDiffer);
                }
                if !self.signed(seat, &record.digest, &signature) {
                    return Err(self.blame(seat, Violation::Forged));
                }
                self.signatures[seat] = Some(signature);
            }
        }
        let all: Option<Vec<[u8; 64]>> = self.signatures.iter().copied().collect();
        match all {
            Some(signatures) => self.publish(&record, &signatures, out),
            None => Ok(()),
        }
    }

    /// The digest of a release is signed as it is, by the same key as messages.
    fn signed(&self, seat: usize, digest: &[u8; 32], signature: &[u8; 64]) -> bool {
        let Some(member) = self.checked.members.all.get(seat) else {
            return false;
        };
        let Ok(key) = VerifyingKey::from_bytes(&member.key) else {
            return false;
        };
        let message = release_message(digest);
        key.verify_strict(&message, &Signature::from_bytes(signature))
            .is_ok()
    }

    fn publish(
        &mut self,
        record: &OutputRecord,
        signatures: &[[u8; 64]],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let published = self.vault.lock().publish(record, signatures);
        published.map_err(Error::Storage)?;
        self.steps = None;
        self.done[self.checked.setup.seat] = true;
        self.vault.lock().forget_secrets();
        self.say_certificate(EVERYBODY, out);
        Ok(())
    }

    /// All signatures, for whoever lacks some.
    fn say_certificate(&mut self, route: u16, out: &mut Vec<u8>) {
        let Standing::Published(record) = self.vault.lock().standing() else {
            return;
        };
        self.done[self.checked.setup.seat] = true;
        let mut payload = route.to_le_bytes().to_vec();
        payload.extend_from_slice(&(self.checked.setup.seat as u16).to_le_bytes());
        payload.extend_from_slice(&record.digest);
        for signature in self.vault.lock().signatures() {
            payload.extend_from_slice(&signature);
        }
        let bytes = frame::encode(Kind::Certificate, short_run(self.run()), 0, &payload);
        self.send(Kind::Certificate, bytes, out);
    }

    /// Somebody has all signatures: whoever is ready with the same has them now as well.
    fn certified(&mut self, payload: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let seats = self.checked.members.all.len();
        if payload.len() != 4 + 32 + 64 * seats {
            return Err(Error::Board(Violation::Malformed {
                kind: Kind::Certificate.name(),
            }));
        }
        let seat = usize::from(u16::from_le_bytes([payload[2], payload[3]]));
        let mut digest = [0; 32];
        digest.copy_from_slice(&payload[4..36]);
        let signatures: Vec<[u8; 64]> = payload[36..].as_chunks::<64>().0.to_vec();
        let standing = self.vault.lock().standing();
        let is_ours = match standing {
            Standing::Ready(record) | Standing::Published(record) => record.digest == digest,
            Standing::Nothing => false,
        };
        for (signer, signature) in signatures.iter().enumerate() {
            // everybody sends everybody all signatures: what was checked before is not checked again
            let is_known = is_ours && self.signatures[signer].as_ref() == Some(signature);
            if !is_known && !self.signed(signer, &digest, signature) {
                return Err(Error::Board(Violation::Forged));
            }
        }
        match standing {
            Standing::Ready(record) if record.digest == digest => {
                if let Some(done) = self.done.get_mut(seat) {
                    *done = true;
                }
                self.publish(&record, &signatures, out)
            }
            Standing::Published(record) if record.digest == digest => {
                if let Some(done) = self.done.get_mut(seat) {
                    *done = true;
                }
                Ok(())
            }
            // with our own signature among them this cannot be ours to answer yet
            _ => Ok(()),
        }
    }

    /// A provider has ended the run. One that was ready cannot.
    fn aborted_by(&mut self, seat: usize, envelope: &Envelope) -> Result<(), Error> {
        let reason = match envelope.body.as_deref() {
            Some([byte]) => Reason::from_byte(*byte),
            _ => None,
        };
        let malformed = Violation::Malformed {
            kind: Kind::Abort.name(),
        };
        let reason = reason.ok_or_else(|| self.blame(seat, malformed))?;
        if self.is_published() || self.signatures[seat].is_some() {
            return Ok(());
        }
        let error = Error::ProviderAborted {
            provider: self.checked.members.name(seat),
            reason,
        };
        if let Some(record) = self.ready() {
            self.discard(&record)?;
        }
        // the word of one who was not ready is proof for everybody who is
        let mut word = envelope.clone();
        word.route = EVERYBODY;
        let word = word.to_frame(self.run());
        self.abort(error, word);
        Ok(())
    }

    /// An output that will never be public. Where even that fails, this provider stays in doubt.
    fn discard(&mut self, record: &OutputRecord) -> Result<(), Error> {
        let discarded = self.vault.lock().discard(record);
        discarded.map_err(Error::Storage)
    }

    fn conclude(&mut self, step: Result<(), Error>, out: &mut Vec<u8>) {
        if let Err(error) = step {
            self.fail(error, out);
        }
    }

    /// Ends the run and tells the others, unless that is no longer ours to decide.
    fn fail(&mut self, error: Error, out: &mut Vec<u8>) {
        if self.is_published() || self.ready().is_some() {
            self.trouble = Some(error);
            self.connected = false;
            return;
        }
        if self.aborted.is_some() {
            // what cannot be read now cannot be read later
            self.connected = false;
            return;
        }
        let reason = error.reason().to_byte();
        let seat = self.checked.setup.seat as u16;
        let mut word = Envelope::new(Kind::Abort, LAST_WORD, seat, EVERYBODY, vec![reason]);
        word.signature = self.signer.sign(&word.signed(self.run()));
        let bytes = word.to_frame(self.run());
        self.abort(error, bytes);
        if let Some(word) = self.last_word.clone() {
            self.send(Kind::Abort, word, out);
        }
    }

    /// A word that could not be kept is not said: after a restart it would not be known.
    fn abort(&mut self, error: Error, word: Vec<u8>) {
        self.steps = None;
        let record = KeptRecord::Aborted {
            reason: error.reason().to_byte(),
            word: word.clone(),
        };
        self.aborted = Some(error);
        let mut vault = self.vault.lock();
        if vault.keep(&record).is_ok() {
            self.last_word = Some(word);
            vault.forget_secrets();
        }
    }

    /// A message of the run: its digest is kept first, and a restarted run says nothing else.
    fn say(
        &mut self,
        kind: Kind,
        reader: u16,
        body: Vec<u8>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let sequence = self.sent.len() as u64;
        let seat = self.checked.setup.seat as u16;
        let mut envelope = Envelope::new(kind, sequence, seat, reader, body);
        envelope.signature = self.signer.sign(&envelope.signed(self.run()));
        let digest: [u8; 32] = Sha256::digest(envelope.signed(self.run())).into();
        let before = self.kept.iter().find(|(number, _)| *number == sequence);
        match before {
            Some((_, before)) if *before != digest => {
                return Err(Error::NotReproducible { sequence });
            }
            Some(_) => {}
            None => {
                let kept = self
                    .vault
                    .lock()
                    .keep(&KeptRecord::Sent { sequence, digest });
                kept.map_err(Error::Storage)?;
            }
        }
        let bytes = envelope.to_frame(self.run());
        self.sent.push(envelope);
        self.send(kind, bytes, out);
        Ok(())
    }

    fn send(&self, kind: Kind, bytes: Vec<u8>, out: &mut Vec<u8>) {
        self.observer.frame(true, kind.name(), &bytes);
        if self.connected {
            out.extend(bytes);
        }
    }
}

/// What a provider signs to say that it publishes this: [`RunVault::prepare`] must sign it.
pub fn release_message(digest: &[u8; 32]) -> Vec<u8> {
    [&b"mingle joint release of providers\0"[..], &digest[..]].concat()
}

/// All randomness of a run, from one seed: SHA-512 of seed and counter.
struct SeededStream {
    seed: [u8; 32],
    counter: u64,
}

impl SeededStream {
    fn new(seed: [u8; 32]) -> SeededStream {
        SeededStream { seed, counter: 0 }
    }
}

impl Drop for SeededStream {
    fn drop(&mut self) {
        self.seed.zeroize();
    }
}

impl Entropy for SeededStream {
    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(64) {
            let block = Sha512::new_with_prefix(b"mingle randomness of a run\0")
                .chain_update(self.seed)
                .chain_update(self.counter.to_le_bytes())
                .finalize();
            self.counter += 1;
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}
