//! One site as a machine that takes bytes and returns bytes.
//!
//! Whoever owns the socket tells a [`Party`] when a connection is up, what arrived and when it is
//! gone, and sends what it returns. It keeps no clock: how long to wait for whom is the owner's to
//! say ([`Party::give_up`]).
//!
//! - A connection that breaks is nothing: on the next one both greet again, and if both still have
//!   the session, each sends what the other has not received. A site that crashed has lost its
//!   session (secrets are never written down) and both start a new one.
//! - A message that no honest site sends ends the session on both sides, before either is ready.
//! - A site that is *ready* cannot end the session by itself any more, since the other may have
//!   published: whatever happens then is a broken connection, and the next greeting settles it. See
//!   [`Vault`]. Where that shows that the other has lost the session, the output is discarded with
//!   the first message of the new one, which no old greeting can fake.

use crate::conversation::{Conversation, Mail};
use crate::entropy::{Entropy, OperatingSystem};
use crate::error::{Error, Reason, Violation};
use crate::frame::{self, Frame, Kind, Reader, short};
use crate::hello::{Hello, Live, Meeting, StatedRecord, StatedStanding, meet};
use crate::observer::Observer;
use crate::output::JointOutput;
use crate::session;
use crate::session_id::SessionId;
use crate::setup::{Checked, Setup};
use crate::terms::VERSION;
use crate::vault::{OutputRecord, Standing, Vault};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// How a site stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// No session has started.
    Waiting,
    /// A session is under way.
    Working,
    /// This site is ready and does not know whether the other is. Nothing is public here.
    InDoubt,
    /// The release is public.
    Published,
    /// There will be no release.
    Aborted(Error),
}

/// One site of the two.
pub struct Party {
    site: Arc<Checked>,
    vault: Box<dyn Vault>,
    entropy: Shared,
    observer: Arc<dyn Observer>,
    reader: Reader,
    /// What we said on this connection, until the other has greeted.
    greeting: Option<Hello>,
    session: Option<Session>,
    aborted: Option<(Error, [u8; 16])>,
    /// Why the last connection was given up, or the output could not be published.
    trouble: Option<Error>,
    published: bool,
    other_done: bool,
    broken: bool,
    sessions: u32,
    /// The last session that this party knows of, as an abort names it.
    last: Option<SessionId>,
}

/// A session in memory.
struct Session {
    id: SessionId,
    mail: Mail,
    /// Gone once it has come to an output.
    steps: Option<Steps>,
    /// The last frames sent: the other can lack no more, since both speak in turns.
    sent: VecDeque<Vec<u8>>,
    sent_count: u64,
    received: u64,
}

type Steps = Pin<Box<dyn Future<Output = Result<JointOutput, Error>> + Send>>;

/// One generator for all sessions.
#[derive(Clone)]
struct Shared(Arc<Mutex<Box<dyn Entropy>>>);

impl Entropy for Shared {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .fill(bytes);
    }
}

/// Sessions in one run: every one lets the other site ask again.
const MOST_SESSIONS: u32 = 32;

/// Frames kept to be sent again.
const KEPT: usize = 2;

impl Party {
    /// A site with its data. Errors are this site's own: nothing has been sent.
    pub fn new(
        setup: Setup,
        vault: Box<dyn Vault>,
        observer: Arc<dyn Observer>,
    ) -> Result<Party, Error> {
        Party::with_entropy(setup, vault, observer, Box::new(OperatingSystem))
    }

    pub(crate) fn with_entropy(
        setup: Setup,
        vault: Box<dyn Vault>,
        observer: Arc<dyn Observer>,
        entropy: Box<dyn Entropy>,
    ) -> Result<Party, Error> {
        let published = matches!(vault.standing(), Standing::Published(_));
        Ok(Party {
            site: Arc::new(setup.check()?),
            vault,
            entropy: Shared(Arc::new(Mutex::new(entropy))),
            observer,
            reader: Reader::default(),
            greeting: None,
            session: None,
            aborted: None,
            trouble: None,
            published,
            other_done: false,
            broken: false,
            sessions: 0,
            last: None,
        })
    }

    /// A fresh connection to the authenticated other site is up. Returns what to send first.
    pub fn connect(&mut self) -> Vec<u8> {
        self.disconnect();
        self.broken = false;
        let mut out = Vec::new();
        if let Some((error, session)) = &self.aborted {
            let bytes = frame::encode(Kind::Abort, *session, 0, &[error.reason().to_byte()]);
            self.send(Kind::Abort, bytes, &mut out);
            return out;
        }
        let mut nonce = [0; 32];
        self.entropy.fill(&mut nonce);
        let live = |s: &Session| Live {
            session: *s.id.bytes(),
            received: s.received,
        };
        let hello = Hello {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            seat: self.site.setup.seat,
            terms: self.site.setup.terms.stated(),
            offer: self.site.offer.clone(),
            nonce,
            standing: StatedStanding::from(&self.vault.standing()),
            live: self.session.as_ref().map(live),
        };
        self.send(
            Kind::Hello,
            frame::encode(Kind::Hello, short(None), 0, &hello.to_bytes()),
            &mut out,
        );
        self.greeting = Some(hello);
        out
    }

    /// Bytes arrived, cut anywhere. Returns what to send; hang up afterwards where
    /// [`is_broken`](Party::is_broken).
    pub fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_deaf() {
            self.reader.push(bytes);
        }
        while !self.is_deaf() {
            let step = match self
                .reader
                .next(self.site.setup.terms.padded_size, self.greeting.is_some())
            {
                Ok(None) => break,
                Ok(Some(frame)) => self.frame(frame, &mut out),
                Err(violation) => Err(violation.into()),
            };
            step.unwrap_or_else(|error| self.fail(error, &mut out));
        }
        if self.is_deaf() {
            // a peer that goes on talking must not fill our memory with what nobody will read
            self.reader.clear();
        }
        out
    }

    /// The connection is gone.
    pub fn disconnect(&mut self) {
        self.reader.clear();
        self.greeting = None;
        self.broken = true;
    }

    /// Nobody will wait any longer. Returns a last word for the other site, if one may still be
    /// said: a site that is ready stays in doubt.
    pub fn give_up(&mut self, reason: Reason) -> Vec<u8> {
        let mut out = Vec::new();
        self.fail(Error::GaveUp(reason), &mut out);
        out
    }

    /// How this site stands.
    pub fn status(&self) -> Status {
        match (&self.aborted, &self.session) {
            _ if self.published => Status::Published,
            (Some((error, _)), _) => Status::Aborted(error.clone()),
            _ if self.is_ready() => Status::InDoubt,
            (None, Some(_)) => Status::Working,
            (None, None) => Status::Waiting,
        }
    }

    /// Why the last connection was given up, or why a finished output could not be made public.
    pub fn trouble(&self) -> Option<&Error> {
        self.trouble.as_ref()
    }

    /// Nothing more to be said on this connection: hang up.
    pub fn is_broken(&self) -> bool {
        self.broken || self.finished()
    }

    /// Nothing left to do at all.
    pub fn finished(&self) -> bool {
        self.aborted.is_some() || self.published && self.other_done
    }

    pub(crate) fn held(&self) -> usize {
        let sent = self
            .session
            .as_ref()
            .map_or(0, |session| session.sent.iter().map(Vec::len).sum());
        self.reader.held() + sent
    }

    /// Nothing is read on this connection any more.
    fn is_deaf(&self) -> bool {
        self.broken || self.aborted.is_some()
    }

    fn is_ready(&self) -> bool {
        matches!(self.vault.standing(), Standing::Ready(_))
    }

    fn frame(&mut self, frame: Frame, out: &mut Vec<u8>) -> Result<(), Error> {
        self.observer
            .frame(false, frame.kind.name(), &frame.payload);
        match (frame.kind, self.greeting.take()) {
            (Kind::Abort, _) => self.aborted_by_other(&frame),
            (Kind::Hello, Some(mine)) => {
                self.greeted(mine, &Hello::from_bytes(&frame.payload)?, out)
            }
            (_, Some(_)) => Err(Violation::Unexpected {
                expected: Kind::Hello.name(),
            }
            .into()),
            (Kind::Hello, None) => Err(Violation::Unexpected {
                expected: "no second greeting",
            }
            .into()),
            (Kind::Done, None) => self.done(&frame),
            (_, None) => self.message(frame, out),
        }
    }

    /// Both have greeted: first settle what was finished, then agree on what to do.
    fn greeted(&mut self, mine: Hello, theirs: &Hello, out: &mut Vec<u8>) -> Result<(), Error> {
        let standing = self.vault.standing();
        match (meet(&mine, theirs), standing, theirs.standing.record()) {
            (Meeting::Publish, Standing::Ready(record), Some(other)) => {
                self.publish_if_genuine(&record, other, out)
            }
            (Meeting::Published, Standing::Published(record), _) => {
                if matches!(theirs.standing, StatedStanding::Published(_)) {
                    self.confirmed(&record);
                }
                self.say_done(&record, out);
                Ok(())
            }
            (Meeting::Differ, Standing::Ready(record), _) => {
                self.discard(&record)?;
                Err(Error::OutputsDiffer)
            }
            (Meeting::AlreadyPublished, Standing::Ready(record), _) => {
                self.discard(&record)?;
                Err(Error::AlreadyPublished)
            }
            (Meeting::AlreadyPublished, ..) => Err(Error::AlreadyPublished),
            (Meeting::Resume, ..) => self.resume(theirs.live.map_or(0, |live| live.received), out),
            // what is void is discarded by the first message of the new session
            (Meeting::Void | Meeting::Fresh, ..) => self.start(&mine, theirs, out),
            _ => Err(Error::Defect("a meeting that does not fit the journal")),
        }
    }

    fn start(&mut self, mine: &Hello, theirs: &Hello, out: &mut Vec<u8>) -> Result<(), Error> {
        self.session = None;
        let id = mine.session(theirs, self.site.setup.keys);
        self.last = Some(id);
        if let Err(error) = mine.compare(theirs) {
            return self.cannot_start(error);
        }
        if self.sessions == MOST_SESSIONS {
            return Err(Error::TooManySessions {
                sessions: MOST_SESSIONS,
            });
        }
        self.sessions += 1;
        let setup = &self.site.setup;
        let mail = Mail::default();
        let entropy = Box::new(self.entropy.clone());
        let conversation =
            Conversation::new(id, setup.seat, entropy, self.observer.clone(), mail.clone());
        let steps = Box::pin(session::run(
            conversation,
            self.site.clone(),
            theirs.offer.clone(),
        ));
        let sent = VecDeque::with_capacity(KEPT);
        self.session = Some(Session {
            id,
            mail,
            steps: Some(steps),
            sent,
            sent_count: 0,
            received: 0,
        });
        self.advance(out)
    }

    /// A site that is ready waits for the other to end the session that they cannot have: its name
    /// is bound to our fresh greeting, so that proves, as a message of it would, that the other is
    /// not ready with what we are ready with.
    fn cannot_start(&mut self, error: Error) -> Result<(), Error> {
        if self.is_ready() {
            self.trouble = Some(error);
            return Ok(());
        }
        Err(error)
    }

    /// The other has received this many of our frames: send it the rest.
    fn resume(&mut self, received: u64, out: &mut Vec<u8>) -> Result<(), Error> {
        let session = self
            .session
            .as_ref()
            .ok_or(Error::Defect("a session to resume"))?;
        let oldest = session.sent_count - session.sent.len() as u64;
        if received < oldest || received > session.sent_count {
            return Err(Violation::SequenceGap {
                expected: oldest,
                found: received,
            }
            .into());
        }
        let again: Vec<Vec<u8>> = session
            .sent
            .iter()
            .skip((received - oldest) as usize)
            .cloned()
            .collect();
        again.into_iter().for_each(|bytes| out.extend(bytes));
        Ok(())
    }

    /// A message of the session.
    fn message(&mut self, frame: Frame, out: &mut Vec<u8>) -> Result<(), Error> {
        let session = self.session.as_mut().ok_or(Violation::UnknownSession)?;
        if frame.session != short(Some(&session.id)) {
            return Err(Violation::UnknownSession.into());
        }
        if frame.sequence != session.received {
            return Err(Violation::SequenceGap {
                expected: session.received,
                found: frame.sequence,
            }
            .into());
        }
        // not received where this fails: it will come again
        self.discard_void().map_err(Error::Storage)?;
        let session = self.session.as_mut().ok_or(Violation::UnknownSession)?;
        session.received += 1;
        match (frame.kind, self.vault.standing()) {
            (Kind::Ready, Standing::Ready(record)) => {
                self.other_ready(&record, &frame.payload, out)
            }
            (Kind::Ready, _) => Err(Violation::Unexpected {
                expected: "a message of the session",
            }
            .into()),
            _ => {
                session.mail.deliver(frame.kind, frame.payload)?;
                self.advance(out)
            }
        }
    }

    /// The other is in this session with us, so it is not in another one that we were ready with.
    /// Its greeting alone does not prove that, since it could be an old one; the session's name is
    /// bound to our own fresh greeting.
    fn discard_void(&mut self) -> Result<(), String> {
        match (self.vault.standing(), &self.session) {
            (Standing::Ready(record), Some(session)) if record.session != *session.id.bytes() => {
                self.vault.discard(&record)
            }
            _ => Ok(()),
        }
    }

    /// Lets the session go on as far as it can.
    fn advance(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        let session = self
            .session
            .as_mut()
            .ok_or(Error::Defect("a session to advance"))?;
        let steps = session.steps.as_mut().ok_or(Violation::Unexpected {
            expected: Kind::Ready.name(),
        })?;
        let polled = steps.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        for (kind, payload) in session.mail.outgoing() {
            self.say(kind, &payload, out);
        }
        match polled {
            Poll::Pending => Ok(()),
            Poll::Ready(output) => self.ready(&output?, out),
        }
    }

    /// Journals first and speaks then.
    fn ready(&mut self, output: &JointOutput, out: &mut Vec<u8>) -> Result<(), Error> {
        if let Some(session) = &mut self.session {
            session.steps = None;
        }
        let record = self.vault.prepare(output).map_err(Error::Storage)?;
        self.say(
            Kind::Ready,
            &[&record.digest[..], &record.signature[..]].concat(),
            out,
        );
        Ok(())
    }

    fn other_ready(
        &mut self,
        record: &OutputRecord,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let parts = payload
            .split_first_chunk::<32>()
            .and_then(|(d, s)| Some((*d, <[u8; 64]>::try_from(s).ok()?)));
        let (digest, signature) = parts.ok_or(Violation::Malformed {
            kind: Kind::Ready.name(),
        })?;
        if digest != record.digest {
            self.discard(record)?;
            return Err(Error::OutputsDiffer);
        }
        let other = StatedRecord {
            session: record.session,
            digest,
            signature,
        };
        self.publish_if_genuine(record, &other, out)
    }

    fn publish_if_genuine(
        &mut self,
        record: &OutputRecord,
        other: &StatedRecord,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        if !self.vault.genuine(&record.digest, &other.signature) {
            return Err(Violation::Inconsistent {
                what: "a signature that is not the other site's",
            }
            .into());
        }
        self.vault
            .publish(record, &other.signature)
            .map_err(Error::Storage)?;
        self.published = true;
        self.session = None;
        self.say_done(record, out);
        Ok(())
    }

    fn say_done(&mut self, record: &OutputRecord, out: &mut Vec<u8>) {
        let session = short(Some(&SessionId::from(record.session)));
        self.send(Kind::Done, frame::encode(Kind::Done, session, 0, &[]), out);
    }

    fn done(&mut self, frame: &Frame) -> Result<(), Error> {
        match self.vault.standing() {
            Standing::Published(record)
                if frame.session == short(Some(&SessionId::from(record.session))) =>
            {
                self.confirmed(&record);
                Ok(())
            }
            _ => Err(Violation::Unexpected {
                expected: Kind::Ready.name(),
            }
            .into()),
        }
    }

    /// The other has published too.
    fn confirmed(&mut self, record: &OutputRecord) {
        self.other_done = true;
        self.vault.confirmed(record);
    }

    /// An output that will never be public. Where even that fails, this site stays in doubt.
    fn discard(&mut self, record: &OutputRecord) -> Result<(), Error> {
        self.vault.discard(record).map_err(Error::Storage)?;
        self.session = None;
        self.last = Some(SessionId::from(record.session));
        Ok(())
    }

    /// The other site has ended a session: it is not ready with it and never will be.
    fn aborted_by_other(&mut self, frame: &Frame) -> Result<(), Error> {
        let reason = match frame.payload[..] {
            [byte] => Reason::from_byte(byte),
            _ => None,
        };
        let reason = reason.ok_or(Violation::Malformed {
            kind: Kind::Abort.name(),
        })?;
        match self.vault.standing() {
            Standing::Published(_) => self.broken = true,
            Standing::Ready(record) if self.concerns(frame, &record) => {
                self.discard(&record)?;
                self.abort(Error::PeerAborted(reason));
            }
            Standing::Ready(_) => self.broken = true,
            Standing::Nothing => self.abort(Error::PeerAborted(reason)),
        }
        Ok(())
    }

    /// Whether a frame is of the session that we are ready with, or of a later one that made it
    /// void.
    fn concerns(&self, frame: &Frame, record: &OutputRecord) -> bool {
        let names = |session: &SessionId| frame.session == short(Some(session));
        // an abort that names no session says nothing about one: it may be of a greeting that was
        // not understood
        names(&SessionId::from(record.session)) || self.last.as_ref().is_some_and(names)
    }

    fn abort(&mut self, error: Error) {
        self.session = None;
        self.aborted = Some((error, short(self.last.as_ref())));
    }

    /// Ends the session and tells the other, unless that is no longer ours to decide.
    fn fail(&mut self, error: Error, out: &mut Vec<u8>) {
        if self.published || self.is_ready() {
            if self.published && error == Error::AlreadyPublished {
                let bytes = frame::encode(Kind::Abort, short(None), 0, &[error.reason().to_byte()]);
                self.send(Kind::Abort, bytes, out);
            }
            self.trouble = Some(error);
            self.broken = true;
            return;
        }
        if self.aborted.is_none() {
            let reason = error.reason().to_byte();
            self.abort(error);
            let session = self
                .aborted
                .as_ref()
                .map_or([0; 16], |(_, session)| *session);
            self.send(
                Kind::Abort,
                frame::encode(Kind::Abort, session, 0, &[reason]),
                out,
            );
        }
    }

    /// A message of the session, kept until the other must have it.
    fn say(&mut self, kind: Kind, payload: &[u8], out: &mut Vec<u8>) {
        let Some(session) = &mut self.session else {
            return;
        };
        let bytes = frame::encode(kind, short(Some(&session.id)), session.sent_count, payload);
        session.sent_count += 1;
        if session.sent.len() == KEPT {
            session.sent.pop_front();
        }
        session.sent.push_back(bytes.clone());
        self.send(kind, bytes, out);
    }

    fn send(&self, kind: Kind, bytes: Vec<u8>, out: &mut Vec<u8>) {
        self.observer.frame(true, kind.name(), &bytes);
        out.extend(bytes);
    }
}
