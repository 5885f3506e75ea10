//! What partners, providers and the board between them send.
//!
//! Frames end with a hash and envelopes are signed, so that random bytes get no further than the
//! first check. Here the input is a list of changes to what honest parties say: each is made to a
//! frame's payload or head, then length, hash and signature are put right again, with keys that
//! everybody knows. A party that hears the changed frames must not panic, and publishes nothing but
//! what the honest ones came to.

#[allow(dead_code, reason = "tests of the protocol use more of it")]
#[path = "../../crates/protocol/tests/all/common/mod.rs"]
mod common;

use common::{Ask, Seeded, parties, patients};
use ed25519_dalek::{Signer as _, SigningKey};
use mingle_dp::share::NoiseShare;
use mingle_model::{ColumnSpec, Missing, Role};
use mingle_privacy::{Attribute, K, L, M, Promise, Rule};
use mingle_protocol::hazmat::{self, KnownSources};
use mingle_protocol::horizontal::{
    BoardLimits, Caps, CutRule, HorizontalSetup, HorizontalTerms, KeptRecord, NoiseSource, OwnRows,
    ProviderParty, RelayBoard, RevealLevel, RunMember, RunResult, RunTask, RunVault, SharedColumn,
    SharedSchema, Signer, release_message,
};
use mingle_protocol::{Nobody, OutputRecord, Party, Seat, Setup, Standing, Synchronizer};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};

/// Bytes before a payload: length, kind, session, sequence.
const HEAD: usize = 4 + 1 + 16 + 8;
/// Bytes after it.
const CHECK: usize = 8;

/// The complete frames at the start of some bytes.
fn frames_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut frames) = (bytes, Vec::new());
    while let Some(length) = rest.first_chunk::<4>() {
        let end = 4 + u32::from_le_bytes(*length) as usize;
        if rest.len() < end {
            break;
        }
        frames.push(rest[..end].to_vec());
        rest = &rest[end..];
    }
    frames
}

/// A frame around a head and a payload, with the right length and hash.
fn sealed(head: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = ((HEAD - 4 + payload.len() + CHECK) as u32)
        .to_le_bytes()
        .to_vec();
    frame.extend(head);
    frame.extend(payload);
    let check = Sha256::digest(&frame);
    frame.extend(&check[..CHECK]);
    frame
}

/// One change: which frame, what to do to it, where, and with which bytes.
struct Change<'b> {
    frame: usize,
    what: u8,
    at: usize,
    bytes: &'b [u8],
}

/// Six bytes say frame, deed, place (two bytes) and how many bytes follow.
fn changes(mut input: &[u8]) -> Vec<Change<'_>> {
    let mut changes = Vec::new();
    while let Some((&[frame, what, low, high, length], rest)) = input.split_first_chunk::<5>() {
        let (bytes, rest) = rest.split_at(rest.len().min(length.into()));
        let at = usize::from(u16::from_le_bytes([low, high]));
        changes.push(Change {
            frame: frame.into(),
            what,
            at,
            bytes,
        });
        input = rest;
        if changes.len() == 8 {
            break;
        }
    }
    changes
}

/// What is delivered after the changes; `seal` puts a payload right where it has a signature.
fn changed(
    honest: &[Vec<u8>],
    changes: &[Change<'_>],
    seal: impl Fn(&[u8], Vec<u8>) -> Vec<u8>,
) -> Vec<Vec<u8>> {
    let mut delivered: Vec<Vec<u8>> = honest.to_vec();
    for change in changes {
        if delivered.is_empty() {
            break;
        }
        let place = change.frame % delivered.len();
        let frame = delivered[place].clone();
        let Some(end) = frame.len().checked_sub(CHECK).filter(|&end| end >= HEAD) else {
            continue;
        };
        let (mut head, mut payload) = (frame[4..HEAD].to_vec(), frame[HEAD..end].to_vec());
        let at = change.at % (payload.len() + 1);
        match change.what % 8 {
            0 => {
                for (old, new) in payload[at..].iter_mut().zip(change.bytes) {
                    *old = *new;
                }
            }
            1 => drop(payload.splice(at..at, change.bytes.iter().copied())),
            2 => payload.truncate(at),
            3 => head[0] = change.bytes.first().copied().unwrap_or(0),
            4 => {
                for (old, new) in head[1..].iter_mut().zip(change.bytes) {
                    *old ^= *new;
                }
            }
            5 => {
                delivered.remove(place);
                continue;
            }
            6 => {
                let other = change.at % delivered.len();
                delivered.swap(place, other);
                continue;
            }
            // as it is: neither length nor hash is put right
            _ => {
                let raw = &mut delivered[place];
                let at = change.at % (raw.len() + 1);
                for (old, new) in raw[at..].iter_mut().zip(change.bytes) {
                    *old = *new;
                }
                continue;
            }
        }
        let payload = seal(&head, payload);
        delivered[place] = sealed(&head, &payload);
    }
    delivered
}

fn setups() -> [Setup; 2] {
    let (ids, zero, one) = patients();
    let ask = Ask::new(Synchronizer::Dpp2ga, 2);
    [
        ask.setup(Seat::Zero, &ids, &zero),
        ask.setup(Seat::One, &ids, &one),
    ]
}

/// What the insurer hears in a session without faults.
fn heard_by_insurer() -> &'static [Vec<u8>] {
    static HEARD: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    HEARD.get_or_init(|| {
        let (mut both, disks) = parties(setups(), 1);
        let mut heard = Vec::new();
        let mut inbox = [both[1].connect(), both[0].connect()];
        while inbox.iter().any(|bytes| !bytes.is_empty()) {
            for at in 0..2 {
                let bytes = std::mem::take(&mut inbox[at]);
                if at == 1 {
                    heard.extend(frames_of(&bytes));
                }
                let answer = both[at].receive(&bytes);
                inbox[1 - at].extend(answer);
            }
        }
        assert!(
            disks[1].lock().expect("a disk").public.is_some(),
            "an honest session publishes"
        );
        heard
    })
}

/// Two sites: changes to what one of them hears.
pub fn frames(bytes: &[u8]) {
    let heard = heard_by_insurer();
    let delivered = changed(heard, &changes(bytes), |_, payload| payload);
    let ([_, mut insurer], disks): ([Party; 2], _) = parties(setups(), 1);
    insurer.connect();
    for frame in &delivered {
        insurer.receive(frame);
        if insurer.finished() {
            break;
        }
    }
    let held = hazmat::held(&insurer);
    assert!(
        held < 1 << 20,
        "{held} bytes are kept for a partner that does not answer"
    );
    let disk = disks[1].lock().expect("a disk");
    if let Some(public) = &disk.public {
        let people: u64 = public.iter().map(|(_, size, _)| size).sum();
        assert!(
            public.iter().all(|(_, size, _)| *size >= 2),
            "a group below k is public"
        );
        assert!(people <= 7, "more people than there are");
    }
}

const RUN: [u8; 32] = [9; 32];
const PROVIDERS: usize = 3;

fn key(seat: usize) -> SigningKey {
    SigningKey::from_bytes(&[seat as u8 + 1; 32])
}

struct KnownSigner(usize);

impl Signer for KnownSigner {
    fn sign(&self, message: &[u8]) -> [u8; 64] {
        key(self.0).sign(message).to_bytes()
    }
}

struct NoNoise;

impl NoiseSource for NoNoise {
    fn draw(&mut self, _: &NoiseShare, _: u64, counts: usize) -> Result<Vec<i64>, String> {
        Ok(vec![0; counts])
    }
}

#[derive(Default)]
struct MemoryDisk {
    kept: Vec<KeptRecord>,
    standing: Standing,
    signatures: Vec<[u8; 64]>,
    published: Vec<[u8; 32]>,
}

struct KnownVault {
    disk: Arc<Mutex<MemoryDisk>>,
    seat: usize,
}

impl RunVault for KnownVault {
    fn kept(&self) -> Vec<KeptRecord> {
        self.disk.lock().expect("a disk").kept.clone()
    }

    fn keep(&mut self, record: &KeptRecord) -> Result<(), String> {
        self.disk.lock().expect("a disk").kept.push(record.clone());
        Ok(())
    }

    fn standing(&self) -> Standing {
        self.disk.lock().expect("a disk").standing
    }

    fn prepare(&mut self, result: &RunResult) -> Result<OutputRecord, String> {
        let digest = result.digest();
        let signature = KnownSigner(self.seat).sign(&release_message(&digest));
        let record = OutputRecord {
            session: result.session(),
            digest,
            signature,
        };
        self.disk.lock().expect("a disk").standing = Standing::Ready(record);
        Ok(record)
    }

    fn publish(&mut self, record: &OutputRecord, signatures: &[[u8; 64]]) -> Result<(), String> {
        let mut disk = self.disk.lock().expect("a disk");
        disk.standing = Standing::Published(*record);
        disk.signatures = signatures.to_vec();
        disk.published.push(record.digest);
        Ok(())
    }

    fn signatures(&self) -> Vec<[u8; 64]> {
        self.disk.lock().expect("a disk").signatures.clone()
    }

    fn discard(&mut self, _: &OutputRecord) -> Result<(), String> {
        self.disk.lock().expect("a disk").standing = Standing::Nothing;
        Ok(())
    }
}

fn provider(seat: usize) -> (ProviderParty, Arc<Mutex<MemoryDisk>>) {
    let missing = Missing::default();
    let declare = |name: &str, role, values: &[&str]| {
        let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
        SharedColumn::declare(ColumnSpec::new(name, role), &values, &missing).expect("a column")
    };
    let columns = vec![
        declare("age", Role::QuasiIdentifier, &["20", "30", "40", "50"]),
        declare("disease", Role::Sensitive, &["asthma", "flu"]),
    ];
    let schema = Arc::new(SharedSchema::new(columns, missing.clone()).expect("a schema"));
    let rows: Vec<Vec<u32>> = (0..4)
        .map(|row| vec![row, (row + seat as u32) % 2])
        .collect();
    let member = |seat: usize| RunMember {
        name: format!("hospital {seat}"),
        key: key(seat).verifying_key().to_bytes(),
    };
    let promise = |rule, attribute| Promise { rule, attribute };
    let setup = HorizontalSetup {
        run: RUN,
        seat,
        members: (0..PROVIDERS).map(member).collect(),
        terms: HorizontalTerms {
            policy: [3; 32],
            promises: vec![
                promise(Rule::k_anonymity(K(3)), None),
                promise(Rule::distinct_diversity(L(2)), Some(Attribute::Column(0))),
            ],
            m: M(0),
            site_diversity: 1,
            level: RevealLevel::Sums,
            caps: Caps::Single,
            cuts: CutRule::Middles,
            depth: 1,
        },
        rows: Arc::new(OwnRows::from_codes(&schema, &rows).expect("rows")),
        schema,
        task: RunTask::Publish,
    };
    let disk = Arc::new(Mutex::new(MemoryDisk::default()));
    let vault = KnownVault {
        disk: disk.clone(),
        seat,
    };
    let sources = KnownSources {
        entropy: Seeded::boxed(seat as u64),
        noise: Box::new(NoNoise),
    };
    let signer = Box::new(KnownSigner(seat));
    let party = hazmat::provider(setup, Box::new(vault), signer, Arc::new(Nobody), sources);
    (party.expect("a sound setup"), disk)
}

/// What the first provider hears in a run without faults, what it comes to, and what it says.
struct HonestRun {
    heard: Vec<Vec<u8>>,
    said: Vec<Vec<u8>>,
    digest: [u8; 32],
}

fn honest_run() -> &'static HonestRun {
    static HEARD: OnceLock<HonestRun> = OnceLock::new();
    HEARD.get_or_init(|| {
        let mut board = RelayBoard::new(BoardLimits::default());
        let (mut parties, disks): (Vec<_>, Vec<_>) = (0..PROVIDERS).map(provider).unzip();
        let (mut wires, mut heard, mut said) = (VecDeque::new(), Vec::new(), Vec::new());
        for (seat, party) in parties.iter_mut().enumerate() {
            assert!(board.connect(seat as u64));
            wires.push_back((seat, party.connect()));
        }
        while let Some((seat, bytes)) = wires.pop_front() {
            if seat == 0 {
                said.extend(frames_of(&bytes));
            }
            for (to, bytes) in board.receive(seat as u64, &bytes) {
                let to = to as usize;
                if to == 0 {
                    heard.extend(frames_of(&bytes));
                }
                wires.push_back((to, parties[to].receive(&bytes)));
            }
        }
        let published = disks[0].lock().expect("a disk").published.clone();
        let digest = *published.first().expect("an honest run publishes");
        HonestRun {
            heard,
            said,
            digest,
        }
    })
}

/// Where an envelope's parts are in a payload.
const SEAT: usize = 2;
const LENGTH: usize = 7;
const DIGEST: usize = 15;
const SIGNATURE: usize = 47;
const BODY: usize = 111;

/// Puts length, digest and signature of an envelope right: the sender itself is the attacker.
fn signed(head: &[u8], mut payload: Vec<u8>) -> Vec<u8> {
    if payload.len() < BODY {
        return payload;
    }
    if payload[6] == 0 {
        let body = payload[BODY..].to_vec();
        payload[LENGTH..DIGEST].copy_from_slice(&(body.len() as u64).to_le_bytes());
        payload[DIGEST..SIGNATURE].copy_from_slice(&Sha256::digest(&body));
    }
    let seat = usize::from(payload[SEAT]) % PROVIDERS;
    let mut message = b"mingle message between providers\0".to_vec();
    message.extend(RUN);
    message.push(head[0]);
    message.extend(&head[17..25]);
    message.extend(&payload[SEAT..6]);
    message.extend(&payload[LENGTH..SIGNATURE]);
    let signature = key(seat).sign(&message).to_bytes();
    payload[SIGNATURE..BODY].copy_from_slice(&signature);
    payload
}

/// n providers: changes to what one of them hears, signed by whoever is said to have said it.
pub fn envelopes(bytes: &[u8]) {
    let honest = honest_run();
    let delivered = changed(&honest.heard, &changes(bytes), signed);
    let (mut party, disk) = provider(0);
    party.connect();
    for frame in &delivered {
        party.receive(frame);
        if party.is_finished() {
            break;
        }
    }
    let disk = disk.lock().expect("a disk");
    for digest in &disk.published {
        assert!(
            *digest == honest.digest,
            "another table than the honest one is public"
        );
    }
}

/// The board: several connections say what an honest provider says, changed.
pub fn board(bytes: &[u8]) {
    let honest = honest_run();
    let delivered = changed(&honest.said, &changes(bytes), |_, payload| payload);
    let mut board = RelayBoard::new(BoardLimits {
        runs: 2,
        connections: 4,
    });
    for connection in 0..6 {
        assert_eq!(board.connect(connection), connection < 4);
    }
    for (number, frame) in delivered.iter().enumerate() {
        for connection in 0..4 {
            let (first, rest) = frame.split_at(frame.len().min(number));
            for piece in [first, rest] {
                for (to, _) in board.receive(connection, piece) {
                    assert!(
                        to < 4 && to != connection,
                        "sent to somebody who is not there"
                    );
                }
            }
        }
    }
    assert!(board.runs() <= 2, "more runs than the limit");
}
