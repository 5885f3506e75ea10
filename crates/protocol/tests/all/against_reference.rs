//! Two sites that see only their own columns come to what somebody who sees everything comes to.

use crate::common::{parties, show, talk};
use crate::generated::Case;
use mingle_privacy::{K, Promise, Rule, Verdict, verify_fragments};
use mingle_protocol::{Error, Status, Synchronizer, reference, volume};
use rayon::prelude::*;

/// Per synchronizer.
const CASES: u64 = 450;

/// What a case came to, to see that the cases are not all of one kind.
#[derive(PartialEq, Eq, Debug)]
enum End {
    Groups(usize),
    TooFew,
    Unsatisfiable,
}

fn check(seed: u64, synchronizer: Synchronizer) -> End {
    let case = Case::new(seed, synchronizer);
    let (mut sites, disks) = parties(case.setups(), seed);
    let status = talk(&mut sites);
    let at = format!("{} seed {seed}", synchronizer.name());
    let public = |site: usize| disks[site].lock().expect("a disk").public.clone();
    match reference(case.setups()) {
        Ok(reference) => {
            assert_eq!(status, [Status::Published, Status::Published], "{at}");
            let expected = show(reference.verified.fragments());
            assert_eq!(public(0).as_ref(), Some(&expected), "{at}");
            assert_eq!(public(1), Some(expected), "{at}");
            let predicted = volume(
                synchronizer,
                case.ask.padded_size,
                case.ask.k,
                &reference.agreement,
            );
            let moved = disks[0].lock().expect("a disk").traffic;
            assert_eq!(
                (moved.intersection, moved.synchronization),
                (predicted.intersection, predicted.synchronization),
                "{at}"
            );
            assert_eq!(disks[1].lock().expect("a disk").traffic, moved, "{at}");
            holds(&reference.verified, case.ask.k, &at);
            End::Groups(reference.agreement.groups.len())
        }
        Err(error) => {
            assert!(public(0).is_none() && public(1).is_none(), "{at}");
            let both = |status: &Status| matches!(status, Status::Aborted(found) if found.reason() == error.reason());
            assert!(status.iter().all(both), "{at}: {error:?} {status:?}");
            match error {
                Error::TooFewCommon { .. } => End::TooFew,
                Error::Unsatisfiable => End::Unsatisfiable,
                other => panic!("{at}: {other:?}"),
            }
        }
    }
}

/// Verified once more, with the promises as they were stated.
fn holds(verified: &mingle_privacy::VerifiedFragments, k: u64, at: &str) {
    let again =
        verify_fragments(verified.fragments().clone(), verified.promises()).expect("decidable");
    assert_eq!(*again.verdict(), Verdict::Holds, "{at}");
    assert!(
        verified
            .fragments()
            .groups()
            .iter()
            .all(|group| group.size >= k),
        "{at}"
    );
    let stated = |p: &Promise| p.rule == Rule::k_anonymity(K(k));
    assert!(verified.promises().iter().any(stated), "{at}");
}

fn many(synchronizer: Synchronizer) {
    let ends: Vec<End> = (0..CASES)
        .into_par_iter()
        .map(|seed| check(seed, synchronizer))
        .collect();
    let count = |wanted: &dyn Fn(&End) -> bool| ends.iter().filter(|end| wanted(end)).count();
    let several = count(&|end| matches!(end, End::Groups(2..)));
    assert!(several > 25, "{} cases with several groups", several);
    assert!(count(&|end| *end == End::TooFew) > 10);
    assert!(synchronizer == Synchronizer::Dpp2ga || count(&|end| *end == End::Unsatisfiable) > 5);
}

#[test]
fn dpp2ga() {
    many(Synchronizer::Dpp2ga);
}

#[test]
fn identity() {
    many(Synchronizer::Identity);
}

#[test]
fn fork() {
    many(Synchronizer::Fork);
}

#[test]
fn merge() {
    many(Synchronizer::Merge);
}

#[test]
fn repair() {
    many(Synchronizer::Repair);
}
