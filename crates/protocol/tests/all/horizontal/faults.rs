//! n providers, a board, wires and disks that fail as a seed says, and what must be true all the
//! same.
//!
//! Frames are dropped, delayed, duplicated, overtaken, damaged and replayed; connections break or
//! swallow everything; providers die and start again from their disks; the board dies and forgets
//! everything; disks are full. In the end everybody is started again over a network without faults,
//! as people do; whoever hears nothing for long gives up.
//!
//! Always: never two different releases, published everywhere or nowhere, nothing that ends in a
//! wait, and a message that is sent again is the same message.

use super::against_central::reference;
use super::disk::Disk;
use super::wire::WireFrame;
use super::world::World;
use crate::simulation::Dice;
use mingle_protocol::horizontal::{
    BoardLimits, KeptRecord, ProviderParty, RelayBoard, RevealLevel,
};
use mingle_protocol::{Reason, Standing, Status};
use std::collections::{BTreeMap, VecDeque};

/// A bug of the program around the machine that must be found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Planted {
    None,
    /// The disk loses the seed.
    ForgetsSeed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Drop,
    Duplicate,
    Overtake,
    Damage,
    Replay,
    Break,
    Swallow,
    Crash,
    BoardDies,
    DiskFull,
}

const FAULTS: [Fault; 10] = [
    Fault::Drop,
    Fault::Duplicate,
    Fault::Overtake,
    Fault::Damage,
    Fault::Replay,
    Fault::Break,
    Fault::Swallow,
    Fault::Crash,
    Fault::BoardDies,
    Fault::DiskFull,
];

/// What went wrong that must not.
#[derive(Debug)]
enum Broken {
    TwoReleases,
    NotEverywhere,
    OtherThanReference,
    Hangs,
    SaidSomethingElse,
}

struct Wire {
    frames: VecDeque<Vec<u8>>,
    passed: Vec<Vec<u8>>,
}

struct Simulation<'a> {
    world: &'a World,
    dice: Dice,
    planted: Planted,
    parties: Vec<ProviderParty>,
    disks: Vec<Disk>,
    board: RelayBoard,
    /// By seat, its connection.
    links: Vec<Option<u64>>,
    swallowed: Vec<u64>,
    next_link: u64,
    /// By connection, towards the board and from it.
    wires: BTreeMap<(u64, bool), Wire>,
    faults: u32,
    /// Whether faults wait for the end, where it matters who knows what.
    late: bool,
    said: BTreeMap<(usize, u64), Vec<u8>>,
    said_something_else: bool,
}

impl<'a> Simulation<'a> {
    fn new(world: &'a World, seed: u64, planted: Planted) -> Simulation<'a> {
        let disks: Vec<Disk> = (0..world.providers()).map(|_| Disk::default()).collect();
        let party = |(seat, disk): (usize, &Disk)| world.party(seat, disk).expect("a party");
        let mut dice = Dice::new(seed);
        let faults = 1 + dice.below(6) as u32;
        Simulation {
            world,
            dice,
            planted,
            parties: disks.iter().enumerate().map(party).collect(),
            links: vec![None; disks.len()],
            disks,
            board: RelayBoard::new(BoardLimits::default()),
            swallowed: Vec::new(),
            next_link: 0,
            wires: BTreeMap::new(),
            faults,
            late: seed % 2 == 1,
            said: BTreeMap::new(),
            said_something_else: false,
        }
    }

    fn connect(&mut self, seat: usize) {
        self.cut(seat);
        let link = self.next_link;
        self.next_link += 1;
        assert!(self.board.connect(link));
        self.links[seat] = Some(link);
        for to_board in [true, false] {
            let wire = Wire {
                frames: VecDeque::new(),
                passed: Vec::new(),
            };
            self.wires.insert((link, to_board), wire);
        }
        let bytes = self.parties[seat].connect();
        self.leave(seat, &bytes);
    }

    fn cut(&mut self, seat: usize) {
        if let Some(link) = self.links[seat].take() {
            self.board.disconnect(link);
            self.wires.remove(&(link, true));
            self.wires.remove(&(link, false));
        }
        self.parties[seat].disconnect();
    }

    /// Bytes leave a provider.
    fn leave(&mut self, seat: usize, bytes: &[u8]) {
        for frame in WireFrame::all(bytes) {
            // a last word may be somebody else's, passed on
            if frame.is_message() && frame.kind != 1 {
                let said = self.said.entry((frame.seat(), frame.sequence));
                let before = said.or_insert_with(|| frame.fingerprint());
                self.said_something_else |= *before != frame.fingerprint();
            }
            let wire = self.links[seat].and_then(|link| self.wires.get_mut(&(link, true)));
            if let Some(wire) = wire {
                wire.frames.push_back(frame.bytes());
            }
        }
    }

    fn restart(&mut self, seat: usize) {
        self.cut(seat);
        {
            let mut disk = self.disks[seat].lock().expect("a disk");
            disk.failures = 0;
            if self.planted == Planted::ForgetsSeed {
                disk.kept
                    .retain(|r| matches!(r, KeptRecord::Aborted { .. }));
            }
        }
        let seed = self.dice.below(1 << 40);
        let party = self.world.party_with(seat, &self.disks[seat], seed);
        self.parties[seat] = party.expect("a party");
    }

    fn seat_of(&self, link: u64) -> Option<usize> {
        self.links.iter().position(|own| *own == Some(link))
    }

    /// Moves one frame, with or without a fault. `false` where nothing is on its way.
    fn step(&mut self) -> bool {
        let waiting: Vec<(u64, bool)> = self
            .wires
            .iter()
            .filter(|(key, wire)| !wire.frames.is_empty() && !self.swallowed.contains(&key.0))
            .map(|(key, _)| *key)
            .collect();
        if waiting.is_empty() {
            return false;
        }
        let key = waiting[self.dice.below(waiting.len() as u64) as usize];
        let now = if self.late {
            self.is_late() && self.dice.once_in(4)
        } else {
            self.dice.once_in(12)
        };
        if self.faults > 0 && now {
            self.faults -= 1;
            let fault = self.dice.one_of(&FAULTS);
            self.fault(fault, key);
            return true;
        }
        self.deliver(key);
        true
    }

    fn is_late(&self) -> bool {
        let opened = |disk: &Disk| {
            let disk = disk.lock().expect("a disk");
            disk.kept
                .iter()
                .any(|record| matches!(record, KeptRecord::TotalsOpened))
        };
        self.disks.iter().any(opened)
    }

    fn deliver(&mut self, key: (u64, bool)) {
        let Some(wire) = self.wires.get_mut(&key) else {
            return;
        };
        let Some(bytes) = wire.frames.pop_front() else {
            return;
        };
        wire.passed.push(bytes.clone());
        self.arrive(key, &bytes);
    }

    fn arrive(&mut self, (link, to_board): (u64, bool), bytes: &[u8]) {
        if to_board {
            for (to, bytes) in self.board.receive(link, bytes) {
                if let Some(wire) = self.wires.get_mut(&(to, false)) {
                    wire.frames.push_back(bytes);
                }
            }
            let refused = self.board.is_refused(link).and_then(|_| self.seat_of(link));
            if let Some(seat) = refused {
                self.cut(seat);
            }
            return;
        }
        let Some(seat) = self.seat_of(link) else {
            return;
        };
        let answer = self.parties[seat].receive(bytes);
        self.leave(seat, &answer);
        let status = self.parties[seat].status();
        if self.parties[seat].is_broken()
            && !matches!(status, Status::Published | Status::Aborted(_))
        {
            self.cut(seat);
        }
    }

    fn fault(&mut self, fault: Fault, key: (u64, bool)) {
        let Some(seat) = self.seat_of(key.0) else {
            return;
        };
        let Some(wire) = self.wires.get_mut(&key) else {
            return;
        };
        match fault {
            Fault::Drop => {
                wire.frames.pop_front();
            }
            Fault::Duplicate => {
                let first = wire.frames[0].clone();
                wire.frames.push_front(first);
            }
            Fault::Overtake => {
                let first = wire.frames.pop_front().expect("a frame");
                let at = wire.frames.len().min(2);
                wire.frames.insert(at, first);
            }
            Fault::Damage => {
                let at = self.dice.below(wire.frames[0].len() as u64) as usize;
                wire.frames[0][at] ^= 0x20;
            }
            Fault::Replay => {
                if !wire.passed.is_empty() {
                    let at = self.dice.below(wire.passed.len() as u64) as usize;
                    let old = wire.passed[at].clone();
                    wire.frames.push_front(old);
                }
            }
            Fault::Break => self.cut(seat),
            Fault::Swallow => self.swallowed.push(key.0),
            Fault::Crash => self.restart(seat),
            Fault::BoardDies => {
                for seat in 0..self.parties.len() {
                    self.cut(seat);
                }
                self.board = RelayBoard::new(BoardLimits::default());
            }
            Fault::DiskFull => self.disks[seat].lock().expect("a disk").failures = 1,
        }
    }

    fn is_settled(&self) -> bool {
        let over = |p: &ProviderParty| matches!(p.status(), Status::Published | Status::Aborted(_));
        self.parties.iter().all(over)
    }

    fn run(mut self) -> Result<bool, Broken> {
        for seat in 0..self.parties.len() {
            self.connect(seat);
        }
        for attempt in 0..12 {
            let mut steps = 0;
            while self.step() {
                steps += 1;
                if steps > 200_000 {
                    return Err(Broken::Hangs);
                }
                if self.said_something_else {
                    return Err(Broken::SaidSomethingElse);
                }
            }
            if self.is_settled() && attempt > 0 {
                break;
            }
            // nothing moves: whoever owns a provider connects again, later starts it again, and in
            // the end loses patience
            self.swallowed.clear();
            if attempt >= 4 {
                self.faults = 0;
            }
            for seat in 0..self.parties.len() {
                if attempt == 5 || attempt == 8 {
                    self.restart(seat);
                }
                if attempt == 7 {
                    let word = self.parties[seat].give_up(Reason::Silence);
                    self.leave(seat, &word);
                }
            }
            for seat in 0..self.parties.len() {
                self.connect(seat);
            }
        }
        self.verdict()
    }

    fn verdict(&self) -> Result<bool, Broken> {
        if !self.is_settled() {
            return Err(Broken::Hangs);
        }
        let mut digests = Vec::new();
        let mut published = 0;
        for disk in &self.disks {
            let disk = disk.lock().expect("a disk");
            digests.extend_from_slice(&disk.published);
            published += usize::from(matches!(disk.standing, Standing::Published(_)));
        }
        digests.sort_unstable();
        digests.dedup();
        if digests.len() > 1 {
            return Err(Broken::TwoReleases);
        }
        if !digests.is_empty() && published < self.disks.len() {
            return Err(Broken::NotEverywhere);
        }
        if published > 0 {
            let expected = reference(self.world).map(|r| r.table.canonical()).ok();
            let disk = self.disks[0].lock().expect("a disk");
            if disk.output.as_ref().map(|(table, _)| table.clone()) != expected {
                return Err(Broken::OtherThanReference);
            }
        }
        Ok(published > 0)
    }
}

/// Small runs that come to a release.
fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for (level, wanted) in [(RevealLevel::Sums, 4), (RevealLevel::Bits, 1)] {
        let mut found = 0;
        for seed in 0.. {
            let world = World::generated(seed, level);
            let small = world.providers() <= 4;
            let cut =
                small && reference(&world).is_ok_and(|r| r.cuts.accepted > 0 && r.cuts.tests < 30);
            if cut {
                worlds.push(world);
                found += 1;
            }
            if found == wanted {
                break;
            }
        }
    }
    worlds
}

fn schedules() -> u64 {
    let asked = std::env::var("MINGLE_HORIZONTAL_SCHEDULES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(250)
}

#[test]
fn random_schedules_never_split_a_release() {
    let worlds = worlds();
    let (mut published, all) = (0, schedules());
    for seed in 0..all {
        // runs with tests of secret sums take longer: one in five of the worlds, every tenth seed
        let places = worlds.len() as u64 - u64::from(seed % 10 != 0);
        let world = &worlds[(seed % places) as usize];
        match Simulation::new(world, seed, Planted::None).run() {
            Ok(released) => published += u64::from(released),
            Err(broken) => panic!("seed {seed}: {broken:?}"),
        }
    }
    assert!(
        published * 10 > all && published < all,
        "{published} of {all}"
    );
}

#[test]
fn a_disk_that_loses_the_seed_is_found() {
    let worlds = worlds();
    let found = (0..400).any(|seed| {
        let world = &worlds[seed as usize % (worlds.len() - 1)];
        Simulation::new(world, seed, Planted::ForgetsSeed)
            .run()
            .is_err()
    });
    assert!(found);
}
