//! People whose every cell is a canary, and a session about them that is overheard.

use crate::common::{Ask, Disk, Field, MemoryVault, ratio};
use crate::wire::{Frame, session_id};
use mingle_model::Role;
use mingle_privacy::Distance;
use mingle_protocol::hazmat::{self, Entropy};
use mingle_protocol::{
    Anonymizer, Classes, Local, Observer, Party, Seat, Setup, Status, Synchronizer, canonical,
    restrict,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex};

/// Site 0 has people 0 to 23, site 1 people 4 to 27.
pub fn everybody() -> std::ops::Range<usize> {
    0..28
}

pub fn in_common() -> std::ops::Range<usize> {
    4..24
}

pub const PADDED: u32 = 32;

pub fn identifier(person: usize) -> String {
    format!("Zanzibar Canary-{person:04}")
}

pub fn zip(person: usize) -> String {
    format!("zipcanary{person:03}")
}

pub fn job(person: usize) -> String {
    format!("jobcanary{person:03}")
}

pub fn age(person: usize) -> String {
    format!("agecanary{person:03}")
}

/// Shared by several people in common; others have their own.
pub fn disease(person: usize) -> String {
    let shared = in_common().contains(&person);
    if shared {
        format!("sickcanary{}", person % 5)
    } else {
        format!("sickcanaryonly{person}")
    }
}

pub fn drug(person: usize) -> String {
    let shared = in_common().contains(&person);
    if shared {
        format!("drugcanary{}", person % 4)
    } else {
        format!("drugcanaryonly{person}")
    }
}

fn number(value: &str) -> usize {
    value
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .expect("a number")
}

fn field(
    name: &'static str,
    role: Role,
    cell: fn(usize) -> String,
    people: std::ops::Range<usize>,
) -> Field {
    let values: Vec<String> = people.map(cell).collect();
    Field::new(
        name,
        role,
        &values.iter().map(String::as_str).collect::<Vec<_>>(),
    )
}

/// Names of blocks of people, of growing size.
fn paths(name: &'static str, widths: [usize; 2]) -> impl Fn(&str) -> Vec<String> {
    move |value| {
        let block = |width: usize| format!("{name} {width}/{}", number(value) / width);
        vec![block(widths[0]), block(widths[1]), "*".to_owned()]
    }
}

fn kinds(value: &str) -> Vec<String> {
    vec![format!("family {}", number(value) % 2), "*".to_owned()]
}

pub fn ask(synchronizer: Synchronizer) -> Ask {
    let t = (synchronizer != Synchronizer::Dpp2ga).then(|| ratio(19, 20));
    Ask {
        t,
        distance: Distance::Hierarchical,
        padded_size: PADDED,
        ..Ask::new(synchronizer, 2)
    }
}

pub fn setups(ask: &Ask) -> [Setup; 2] {
    let (first, second) = (0..24, 4..28);
    let ids = |people: std::ops::Range<usize>| people.map(identifier).collect::<Vec<_>>();
    let fields = [
        vec![
            field("ZIP", Role::QuasiIdentifier, zip, first.clone())
                .with_paths(paths("area", [4, 8])),
            field("JOB", Role::QuasiIdentifier, job, first.clone())
                .with_paths(paths("trade", [4, 12])),
            field("DISEASE", Role::Sensitive, disease, first.clone()).with_paths(kinds),
        ],
        vec![
            field("AGE", Role::QuasiIdentifier, age, second.clone())
                .with_paths(paths("span", [5, 10])),
            field("DRUG", Role::Sensitive, drug, second.clone()).with_paths(kinds),
        ],
    ];
    [
        ask.setup(Seat::Zero, &ids(first), &fields[0]),
        ask.setup(Seat::One, &ids(second), &fields[1]),
    ]
}

/// Hands on a seeded generator's bytes and remembers them.
pub struct Recorder {
    generator: ChaCha20Rng,
    draws: Arc<Mutex<Vec<Vec<u8>>>>,
}

impl Entropy for Recorder {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.generator.fill_bytes(bytes);
        self.draws.lock().expect("draws").push(bytes.to_vec());
    }
}

/// Keeps every frame that is sent, and what is said to be learnt.
#[derive(Default)]
pub struct Ear {
    frames: Mutex<Vec<(String, Vec<u8>)>>,
    learned: Mutex<Vec<String>>,
}

impl Observer for Ear {
    fn frame(&self, sent: bool, kind: &'static str, bytes: &[u8]) {
        if sent {
            self.frames
                .lock()
                .expect("frames")
                .push((kind.to_owned(), bytes.to_vec()));
        }
    }

    fn learned(&self, what: &str) {
        self.learned.lock().expect("texts").push(what.to_owned());
    }
}

/// A session that is over, and what an omniscient listener knows about it.
pub struct Session {
    pub id: [u8; 32],
    pub statuses: [Status; 2],
    /// Kind and bytes, site 0's before site 1's.
    pub frames: Vec<(String, Vec<u8>)>,
    pub by_site: [Vec<(String, Vec<u8>)>; 2],
    pub learned: Vec<String>,
    /// Per site every 64 bytes it drew: among them its secret exponents.
    pub secrets: [Vec<Vec<u8>>; 2],
    /// Digests of the sites' partitions and classes at every level that they may reach.
    pub partitions: Vec<Vec<u8>>,
    pub classes: Vec<Vec<u8>>,
}

impl Session {
    pub fn run(synchronizer: Synchronizer, seed: u64) -> Session {
        let ask = ask(synchronizer);
        let (partitions, classes) = digests(&ask);
        Session {
            partitions,
            classes,
            ..Session::of(setups(&ask), seed)
        }
    }

    /// A session of any two sites; digests are left out.
    pub fn of(setups: [Setup; 2], seed: u64) -> Session {
        let ears = [(); 2].map(|()| Arc::new(Ear::default()));
        let draws = [(); 2].map(|()| Arc::new(Mutex::new(Vec::new())));
        let party = |(setup, n): (Setup, usize)| -> Party {
            let disk = Arc::new(Mutex::new(Disk::default()));
            let vault = MemoryVault {
                seat: setup.seat,
                disk,
            };
            let generator = ChaCha20Rng::seed_from_u64(2 * seed + n as u64);
            let recorder = Recorder {
                generator,
                draws: draws[n].clone(),
            };
            hazmat::party(setup, Box::new(vault), ears[n].clone(), Box::new(recorder))
                .expect("a sound setup")
        };
        let [first, second] = setups;
        let mut parties = [party((first, 0)), party((second, 1))];
        let statuses = crate::common::talk(&mut parties);
        let by_site = [0, 1].map(|site: usize| ears[site].frames.lock().expect("frames").clone());
        let greeting = |site: usize| Frame::cut(&by_site[site][0].1).remove(0).payload;
        let wide = |site: usize| {
            let draws = draws[site].lock().expect("draws");
            draws
                .iter()
                .filter(|draw| draw.len() == 64)
                .cloned()
                .collect::<Vec<_>>()
        };
        Session {
            id: session_id([&greeting(0), &greeting(1)], [[1; 32], [2; 32]]),
            statuses,
            frames: by_site.concat(),
            learned: ears
                .iter()
                .flat_map(|ear| ear.learned.lock().expect("texts").clone())
                .collect(),
            secrets: [wide(0), wide(1)],
            by_site,
            partitions: Vec::new(),
            classes: Vec::new(),
        }
    }

    /// The payloads of a site's messages of a kind.
    pub fn payloads(&self, site: usize, kind: &str) -> Vec<Vec<u8>> {
        let frames = self.by_site[site].iter().filter(|(found, _)| found == kind);
        frames
            .map(|(_, bytes)| Frame::cut(bytes).remove(0).payload)
            .collect()
    }
}

/// What IDENTITY and FORK compare, from their descriptions: people are numbered by canonical
/// identifier.
fn digests(ask: &Ask) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let (mut partitions, mut classes) = (Vec::new(), Vec::new());
    for setup in setups(ask) {
        let first = if setup.seat == Seat::Zero { 0 } else { 4 };
        let mut people: Vec<usize> = in_common().collect();
        people.sort_by_key(|&person| canonical(&identifier(person)));
        let rows: Vec<u32> = people
            .iter()
            .map(|person| (person - first) as u32)
            .collect();
        let table = restrict(&setup.table, &rows, &setup.missing).expect("a table");
        let mut site = Anonymizer::new(&table, &setup.promises).expect("a site");
        let everybody: Vec<u32> = (0..rows.len() as u32).collect();
        for _ in 0..8 {
            let current = Classes::new(site.classes(&everybody));
            partitions.push(digest(b"mingle partition\0", current.class_of()));
            classes.extend(
                current
                    .members()
                    .iter()
                    .map(|class| digest(b"mingle class\0", class)),
            );
            site.step(&everybody);
        }
    }
    (partitions, classes)
}

fn digest(prefix: &[u8], numbers: &[u32]) -> Vec<u8> {
    let numbers: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    Sha256::digest([prefix, &numbers].concat()).to_vec()
}
