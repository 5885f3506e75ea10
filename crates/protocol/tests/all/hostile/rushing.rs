//! The rushing peer: it waits for our answers and returns copies of them, so that all our people
//! look common.
//!
//! First without commitments, in a model of that protocol, where the attack works; then against the
//! real one.

use super::peer::refused;
use super::scripted::Scripted;
use crate::common::patients;
use crate::wire::{commitment, decode, encode, hash_to_group, scalar, stray};
use curve25519_dalek::scalar::Scalar;
use mingle_protocol::{Error, Seat, Violation};
use std::collections::HashSet;

/// The honest half of an intersection without commitments, as papers describe it.
struct Uncommitted {
    secret: Scalar,
    sent: Vec<[u8; 32]>,
}

impl Uncommitted {
    fn new(items: &[&str]) -> Uncommitted {
        let secret = scalar(&[3; 64]);
        let hide = |item: &&str| {
            encode(&(hash_to_group(&[0; 32], "identifiers", 0, item.as_bytes()) * secret))
        };
        Uncommitted {
            secret,
            sent: items.iter().map(hide).collect(),
        }
    }

    fn answers(&self, theirs: &[[u8; 32]]) -> Vec<[u8; 32]> {
        theirs
            .iter()
            .map(|point| encode(&(decode(point) * self.secret)))
            .collect()
    }

    /// How many of our items look common, given our answers and theirs.
    fn common(ours: &[[u8; 32]], theirs: &[[u8; 32]]) -> usize {
        let ours: HashSet<&[u8; 32]> = ours.iter().collect();
        theirs.iter().filter(|answer| ours.contains(answer)).count()
    }
}

#[test]
fn without_commitments_everybody_looks_common() {
    let site = Uncommitted::new(&["anna", "bert", "carla", "dora"]);
    let strays: Vec<[u8; 32]> = (1..=4).map(stray).collect();
    let answers = site.answers(&strays);
    // the control: a peer that knows nobody and answers first finds nobody
    let secret = scalar(&[9; 64]);
    let honest: Vec<[u8; 32]> = site
        .sent
        .iter()
        .map(|point| encode(&(decode(point) * secret)))
        .collect();
    assert_eq!(Uncommitted::common(&answers, &honest), 0);
    // the same peer, answering second
    let mut rushed = answers.clone();
    rushed.rotate_left(1);
    assert_eq!(Uncommitted::common(&answers, &rushed), site.sent.len());
}

/// Knows nobody: sends random points and waits for our answers, which it returns as its own.
#[test]
fn with_commitments_copies_are_refused() {
    let mut peer = Scripted::greet(|_| ());
    let strays: Vec<u8> = (1..=16).flat_map(stray).collect();
    peer.turn("points", strays);
    let blind_guess = [vec![7; 32], (17..=32).flat_map(stray).collect::<Vec<u8>>()].concat();
    peer.turn(
        "commitment",
        commitment(&peer.session, Seat::One, "answers", &blind_guess),
    );
    let copies = [vec![7; 32], peer.peek().payload[32..].to_vec()].concat();
    peer.turn("answers", copies);
    refused(
        "copies",
        peer.outcome(),
        &Violation::BrokenCommitment.into(),
    );
}

/// The same peer keeps to what it committed to, which it had to choose without our answers: nobody
/// looks common.
#[test]
fn with_commitments_guesses_match_nobody() {
    let mut peer = Scripted::greet(|_| ());
    peer.turn("points", (1..=16).flat_map(stray).collect());
    peer.open("answers", &(17..=32).flat_map(stray).collect::<Vec<u8>>());
    peer.conclude(&0u64.to_le_bytes());
    peer.checkpoint();
    refused(
        "guesses",
        peer.outcome(),
        &Error::TooFewCommon {
            common: 0,
            least: 2,
        }
        .into(),
    );
}

/// Re-blinded copies of our own points, instead of points of its own, do not help it either.
#[test]
fn reblinded_copies_of_our_points_match_nobody() {
    let mut peer = Scripted::greet(|_| ());
    let secret = scalar(&[9; 64]);
    let again = |list: &[u8]| {
        list.chunks(32)
            .flat_map(|p| encode(&(decode(p) * secret)))
            .collect::<Vec<u8>>()
    };
    let copies = again(&peer.peek().payload);
    peer.turn("points", copies.clone());
    peer.open("answers", &again(&copies));
    peer.conclude(&0u64.to_le_bytes());
    peer.checkpoint();
    refused(
        "reblinded",
        peer.outcome(),
        &Error::TooFewCommon {
            common: 0,
            least: 2,
        }
        .into(),
    );
}

/// Whoever could make padding look common knows our secret: here by its seed.
#[test]
fn padding_in_common_is_refused() {
    use rand_chacha::rand_core::{Rng, SeedableRng};
    let mut generator = rand_chacha::ChaCha20Rng::seed_from_u64(2 * super::peer::SEED);
    let (mut nonce, mut wide) = ([0; 32], [0; 64]);
    generator.fill_bytes(&mut nonce);
    generator.fill_bytes(&mut wide);
    let secret = scalar(&wide);

    let mut peer = Scripted::greet(|_| ());
    let list = peer.peek().payload.clone();
    let people: HashSet<[u8; 32]> = patients()
        .0
        .iter()
        .map(|id| encode(&(hash_to_group(&peer.session, "identifiers", 0, id.as_bytes()) * secret)))
        .collect();
    let place = list
        .chunks(32)
        .position(|point| !people.contains(point))
        .expect("padding");
    assert_eq!(
        list.chunks(32)
            .filter(|&point| people.contains(point))
            .count(),
        7,
        "the seed is the honest site's"
    );
    peer.turn("points", (1..=16).flat_map(stray).collect());
    let mut answers: Vec<[u8; 32]> = (17..=32).map(stray).collect();
    answers[place] = encode(&(decode(&stray(1)) * secret));
    peer.open("answers", &answers.concat());
    refused(
        "padding",
        peer.outcome(),
        &Violation::Inconsistent {
            what: "padding in common",
        }
        .into(),
    );
}
