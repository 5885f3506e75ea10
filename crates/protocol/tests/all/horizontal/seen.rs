//! What everybody and the board see: no value, no count, and noise where noise was promised.

use super::network::Network;
use super::wire::{SUMS, WireFrame};
use super::world::World;
use mingle_protocol::horizontal::RevealLevel;

/// What would give something away in a frame.
fn betrays(world: &World, frame: &WireFrame) -> Option<String> {
    for column in world
        .schema
        .sensitive()
        .iter()
        .chain(world.schema.quasi_identifiers())
    {
        for code in 0..column.domain.len() as u32 {
            let text = column.domain.text(code).as_bytes();
            if text.len() > 3
                && frame
                    .payload
                    .windows(text.len())
                    .any(|window| window == text)
            {
                return Some(format!("a value of column {}", column.spec.name));
            }
        }
    }
    if frame.kind == SUMS {
        // a masked number below 2^32 comes once in four billion
        for number in frame.body().as_chunks::<8>().0 {
            let number = u64::from_le_bytes(*number) as i64;
            if number.unsigned_abs() < 1 << 32 {
                return Some("a number that is not masked".to_owned());
            }
        }
    }
    None
}

#[test]
fn frames_hold_no_value_and_no_count() {
    for level in RevealLevel::ALL {
        for seed in 0..12 {
            let world = World::generated(seed, level);
            let mut network = Network::new(&world);
            let mut frames = Vec::new();
            network.run_tampered(&mut |_, frame| {
                frames.push(frame.clone());
                vec![frame]
            });
            let found = frames.iter().find_map(|frame| betrays(&world, frame));
            assert_eq!(found, None, "seed {seed}");
        }
    }
}

/// The search finds what it looks for.
#[test]
fn planted_values_and_counts_are_found() {
    let mut world = World::generated(0, RevealLevel::Sums);
    while world
        .schema
        .quasi_identifiers()
        .iter()
        .all(|c| c.domain.text(0).len() <= 3)
    {
        world = World::generated(world.seed + 1, RevealLevel::Sums);
    }
    let long = |c: &&mingle_protocol::horizontal::SharedColumn| c.domain.text(0).len() > 3;
    let text = world
        .schema
        .quasi_identifiers()
        .iter()
        .find(long)
        .expect("a word")
        .domain
        .text(0);
    let mut payload = vec![0xab; 111];
    payload.extend_from_slice(text.as_bytes());
    let frame = WireFrame {
        kind: 0,
        session: [0; 16],
        sequence: 0,
        payload,
    };
    assert!(betrays(&world, &frame).is_some());
    let mut payload = vec![0xab; 111];
    payload.extend_from_slice(&41u64.to_le_bytes());
    let frame = WireFrame {
        kind: SUMS,
        session: [0; 16],
        sequence: 0,
        payload,
    };
    assert!(betrays(&world, &frame).is_some());
}

/// Bags pass from one to the next; nobody else and not the board's other readers get their bodies.
#[test]
fn bags_are_read_by_the_next_provider_only() {
    let world = World::generated(3, RevealLevel::Bits);
    let mut network = Network::new(&world);
    let seats = world.providers();
    let mut whole = 0;
    network.run_tampered(&mut |to, frame| {
        if frame.kind == super::wire::BAG {
            let is_stripped = frame.payload[6] == 1;
            let last = frame.seat() + 1 == seats;
            assert_eq!(is_stripped, !last && to != frame.seat() + 1);
            whole += u32::from(!is_stripped);
        }
        vec![frame]
    });
    assert!(whole > 0);
}

/// The board has all vectors of a round, but adding them up tells it nothing: they are covered.
#[test]
fn the_board_cannot_add_up() {
    let world = World::generated(5, RevealLevel::Sums);
    let mut network = Network::new(&world);
    let mut rounds: std::collections::BTreeMap<u64, std::collections::BTreeMap<usize, Vec<u8>>> =
        std::collections::BTreeMap::new();
    network.run_tampered(&mut |_, frame| {
        if frame.kind == SUMS {
            // the first provider has said one thing more by then: the key
            let number = frame.sequence - u64::from(frame.seat() == 0);
            let round = rounds.entry(number).or_default();
            round.insert(frame.seat(), frame.body().to_vec());
        }
        vec![frame]
    });
    let mut vectors = 0;
    for round in rounds
        .values()
        .filter(|round| round.len() == world.providers())
    {
        let numbers = round.values().next().map_or(0, |body| body.len() / 8);
        for at in 0..numbers {
            let number = |body: &Vec<u8>| u64::from_le_bytes(body.as_chunks::<8>().0[at]);
            let sum = round.values().map(number).fold(0u64, u64::wrapping_add) as i64;
            assert!(
                sum.unsigned_abs() > 1 << 32,
                "a sum that the board can read"
            );
        }
        vectors += 1;
    }
    assert!(vectors > 0);
}
