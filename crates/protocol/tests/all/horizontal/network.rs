//! Parties, a board, and wires that never fail.

use super::disk::Disk;
use super::wire::WireFrame;
use super::world::World;
use mingle_protocol::horizontal::{BoardLimits, ProviderParty, RelayBoard};
use mingle_protocol::{Error, Status};
use std::collections::VecDeque;

/// What a board may do to a frame.
pub type Tamper<'a> = dyn FnMut(usize, WireFrame) -> Vec<WireFrame> + 'a;

/// Everybody connected to one board.
pub struct Network {
    pub parties: Vec<ProviderParty>,
    pub disks: Vec<Disk>,
    pub board: RelayBoard,
}

impl Network {
    pub fn new(world: &World) -> Network {
        let mut network = Network {
            parties: Vec::new(),
            disks: Vec::new(),
            board: RelayBoard::new(BoardLimits::default()),
        };
        for seat in 0..world.providers() {
            let disk = Disk::default();
            network
                .parties
                .push(world.party(seat, &disk).expect("a party"));
            network.disks.push(disk);
        }
        network
    }

    /// Connects everybody and delivers until nothing is left to deliver.
    pub fn run(&mut self) {
        self.run_tampered(&mut |_, frame| vec![frame]);
    }

    /// The same over a board that delivers what it likes: given the receiver and a frame for it,
    /// the frames that it gets.
    pub fn run_tampered(&mut self, tamper: &mut Tamper<'_>) {
        let mut wires: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
        for seat in 0..self.parties.len() {
            self.board.disconnect(seat as u64);
            assert!(self.board.connect(seat as u64));
            wires.push_back((seat, self.parties[seat].connect()));
        }
        while let Some((seat, bytes)) = wires.pop_front() {
            for (to, bytes) in self.board.receive(seat as u64, &bytes) {
                for frame in WireFrame::all(&bytes) {
                    for frame in tamper(to as usize, frame) {
                        let answer = self.parties[to as usize].receive(&frame.bytes());
                        if !answer.is_empty() {
                            wires.push_back((to as usize, answer));
                        }
                    }
                }
            }
            assert_eq!(self.board.is_refused(seat as u64), None);
        }
    }

    pub fn statuses(&self) -> Vec<Status> {
        self.parties.iter().map(ProviderParty::status).collect()
    }

    /// What everybody came to, the same everywhere.
    pub fn outcome(&self) -> Result<Vec<u8>, Error> {
        let statuses = self.statuses();
        if statuses.iter().all(|status| *status == Status::Published) {
            let output = |disk: &Disk| {
                let disk = disk.lock().expect("a disk");
                assert_eq!(disk.signatures.len(), self.parties.len());
                disk.output.clone().expect("an output").0
            };
            let first = output(&self.disks[0]);
            assert!(self.disks.iter().all(|disk| output(disk) == first));
            return Ok(first);
        }
        let mut own = None;
        for (status, disk) in statuses.iter().zip(&self.disks) {
            assert!(
                disk.lock().expect("a disk").published.is_empty(),
                "{statuses:?}"
            );
            match status {
                Status::Aborted(Error::ProviderAborted { .. }) => {}
                Status::Aborted(error) => own = Some(error.clone()),
                other => panic!("{other:?} among {statuses:?}"),
            }
        }
        Err(own.expect("somebody knows why"))
    }
}
