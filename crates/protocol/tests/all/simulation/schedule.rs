//! Schedules: complete accounts of a simulation.

use super::case::CASES;
use super::dice::Dice;
use super::fault::Fault;
use std::fmt;

/// A fault at a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Whose message.
    pub site: usize,
    /// Which of all it ever sends, from 0.
    pub message: u32,
    pub fault: Fault,
}

/// Everything that decides a simulation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub seed: u64,
    /// The name of one of [`CASES`].
    pub case: &'static str,
    pub operations: Vec<Operation>,
}

/// Most faults of a drawn schedule.
const MOST: u64 = 7;

impl Schedule {
    /// A schedule drawn from a seed.
    pub fn draw(seed: u64) -> Schedule {
        let mut dice = Dice::new(seed);
        // half of them are the smallest case: the finish is the same for all, and there is time for
        // more of it
        let case = if dice.once_in(2) {
            &CASES[0]
        } else {
            &CASES[dice.below(CASES.len() as u64) as usize]
        };
        let faults = 1 + dice.below(MOST);
        let mut near = [0; 2].map(|_: u32| start(&mut dice, case.messages));
        let kinds: Vec<Fault> = if dice.once_in(2) {
            Fault::EACH
                .into_iter()
                .filter(|fault| fault.is_ordinary())
                .collect()
        } else {
            Fault::EACH.to_vec()
        };
        let operations = (0..faults)
            .map(|_| draw_operation(&mut dice, &kinds, &mut near))
            .collect();
        Schedule {
            seed,
            case: case.name,
            operations,
        }
    }
}

/// Where the trouble begins: anywhere, or in the last messages, where it matters most.
fn start(dice: &mut Dice, messages: u32) -> u32 {
    let early = if dice.once_in(2) {
        messages.saturating_sub(5)
    } else {
        0
    };
    early + dice.below(u64::from(messages - early) + 1) as u32
}

/// Trouble comes in clusters: a fault during the recovery from another finds more than two far
/// apart.
fn draw_operation(dice: &mut Dice, kinds: &[Fault], near: &mut [u32; 2]) -> Operation {
    let site = dice.below(2) as usize;
    let message = near[site];
    near[site] += if dice.once_in(6) {
        10
    } else {
        dice.below(3) as u32
    };
    let fault = dice.one_of(kinds);
    Operation {
        site,
        message,
        fault: vary(dice, fault),
    }
}

/// The same kind of fault, with another number where it has one.
fn vary(dice: &mut Dice, fault: Fault) -> Fault {
    match fault {
        Fault::Delay(_) => Fault::Delay(dice.below(30) as u8),
        Fault::Truncate(_) => Fault::Truncate(dice.below(400) as u16),
        Fault::Corrupt(_) => Fault::Corrupt(dice.below(400) as u16),
        Fault::Replay(_) => Fault::Replay(dice.below(60) as u16),
        Fault::Reflect(_) => Fault::Reflect(dice.below(60) as u16),
        Fault::Disconnect(_) => Fault::Disconnect(dice.below(20) as u8),
        other => other,
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, case {:?}", self.seed, self.case)?;
        self.operations
            .iter()
            .try_for_each(|o| writeln!(f, "  ({}, {}, {:?})", o.site, o.message, o.fault))
    }
}
