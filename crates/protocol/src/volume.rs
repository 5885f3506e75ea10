//! How many bytes a session moves, without running it: from what each round compares.
//!
//! Both directions, frames included, greetings and the published tables left out. A test holds this
//! against the bytes that sessions really move.

use crate::conversation::{NONCE, Traffic};
use crate::frame::OVERHEAD;
use crate::group::POINT;
use crate::synchronizer::fork::most_classes;
use crate::synchronizer::{Agreement, ENTRY, Synchronizer};

/// The bytes of a session that pads identifiers to `padded_size` and comes to this agreement.
pub fn volume(
    synchronizer: Synchronizer,
    padded_size: u32,
    k: u64,
    agreement: &Agreement,
) -> Traffic {
    let rounds = &agreement.rounds;
    let synchronization: usize = match synchronizer {
        Synchronizer::Identity => rounds.len() * intersection(1),
        Synchronizer::Fork => rounds
            .iter()
            .map(|round| intersection(most_classes(round.people, k)))
            .sum(),
        Synchronizer::Merge => rounds
            .iter()
            .map(|round| tagged(round.people) + turn(0, 4 * round.classes[0]))
            .sum(),
        Synchronizer::Dpp2ga => {
            let people = rounds.first().map_or(0, |round| round.people);
            let refused = (rounds.len() - 1) * (tagged(people) + turn(0, 0));
            refused + tagged(people) + turn(0, 4 * people) + turn(4 * people, 0)
        }
        Synchronizer::Repair => rounds.iter().map(|r| repair(r.people, &r.verdicts)).sum(),
    };
    Traffic {
        intersection: (intersection(padded_size as usize) + checkpoint()) as u64,
        synchronization: (synchronization + checkpoint()) as u64,
        fragments: 0,
    }
}

/// One message from each site, with payloads of these lengths.
fn turn(first: usize, second: usize) -> usize {
    first + second + 2 * OVERHEAD
}

fn checkpoint() -> usize {
    turn(32, 32)
}

/// Both commit to payloads of this length and open them.
fn committed(length: usize) -> usize {
    turn(32, 32) + turn(NONCE + length, NONCE + length)
}

fn intersection(padded: usize) -> usize {
    turn(POINT * padded, POINT * padded) + committed(POINT * padded)
}

fn tagged(people: usize) -> usize {
    turn(ENTRY * people, ENTRY * people) + turn(ENTRY * people, 0)
}

fn repair(people: usize, verdicts: &[usize]) -> usize {
    committed(4 * people)
        + verdicts
            .iter()
            .map(|&blocks| turn(blocks, blocks))
            .sum::<usize>()
}
