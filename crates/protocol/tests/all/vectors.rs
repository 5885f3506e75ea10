//! The worked example round by round, and golden transcripts.
//!
//! `vectors/worked_example.json` says what both sites' labels and classes are in every round of
//! every synchronizer; here they are replayed with the anonymizers alone, by the synchronizers'
//! definitions, and with the reference.
//!
//! `vectors/transcripts.json` has the SHA-256 of everything that is sent in a session with a known
//! seed. A change there means that versions no longer understand each other, or that the same seed
//! draws differently; where that is meant, raise the protocol's version and write the file anew
//! with `MINGLE_WRITE_VECTORS=1 cargo test -p mingle-protocol --test all vectors`.
//!
//! `vectors/bad/` has messages that must be refused: see the tests of hostile peers.

use crate::common::{Ask, parties, patients, ratio, show, talk, watched};
use mingle_model::Table;
use mingle_protocol::{
    Anonymizer, Classes, Local, Observer, Seat, Setup, Status, Synchronizer, reference, synchronize,
};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Sets of patients, by their ids.
type Sets = Vec<BTreeSet<u32>>;

#[derive(Deserialize)]
struct Example {
    k: u64,
    t: String,
    patients: Vec<Patient>,
    zip_levels: Vec<String>,
    age_levels: Vec<String>,
    runs: Vec<Run>,
    other_t: Vec<OtherT>,
    slips: Slips,
}

#[derive(Deserialize)]
struct Patient {
    id: u32,
    zip: String,
    age: String,
    disease: String,
    treatment: String,
}

#[derive(Deserialize)]
struct Run {
    synchronizer: String,
    rounds: Vec<Round>,
    /// REPAIR: which block was united with which, in order.
    #[serde(default)]
    unions: Vec<[BTreeSet<u32>; 2]>,
    groups: Sets,
    published: Labels,
}

#[derive(Deserialize)]
struct Round {
    labels: Labels,
    classes: [Sets; 2],
    frozen: Option<Sets>,
    meet: Option<Sets>,
    join: Option<Sets>,
}

/// By patient.
#[derive(Deserialize)]
struct Labels {
    zip: Vec<String>,
    age: Vec<String>,
}

#[derive(Deserialize)]
struct OtherT {
    t: String,
    groups: Sets,
}

#[derive(Deserialize)]
struct Slips {
    central_datafly: Sets,
    distinct_zips: usize,
    distinct_ages: usize,
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors")
        .join(name)
}

fn example() -> Example {
    let text = std::fs::read_to_string(file("worked_example.json")).expect("vectors");
    serde_json::from_str(&text).expect("vectors in their form")
}

fn ratio_of(text: &str) -> mingle_privacy::Ratio {
    let (over, under) = text.split_once('/').expect("a ratio");
    ratio(
        over.parse().expect("a number"),
        under.parse().expect("a number"),
    )
}

fn ask(synchronizer: Synchronizer, t: &str) -> Ask {
    // DPP2GA cannot keep t
    let t = (synchronizer != Synchronizer::Dpp2ga).then(|| ratio_of(t));
    Ask {
        t,
        ..Ask::new(synchronizer, 2)
    }
}

fn setups(ask: &Ask) -> [Setup; 2] {
    let (ids, first, second) = patients();
    [
        ask.setup(Seat::Zero, &ids, &first),
        ask.setup(Seat::One, &ids, &second),
    ]
}

/// Places, from 0, as ids, from 1.
fn sets<'a>(classes: impl IntoIterator<Item = &'a Vec<u32>>) -> BTreeSet<BTreeSet<u32>> {
    classes
        .into_iter()
        .map(|class| class.iter().map(|place| place + 1).collect())
        .collect()
}

fn as_set(sets: &Sets) -> BTreeSet<BTreeSet<u32>> {
    sets.iter().cloned().collect()
}

/// The classes of these people, as sets of places.
fn classes(site: &Anonymizer, people: &[u32]) -> Vec<Vec<u32>> {
    let members = Classes::new(site.classes(people)).members();
    members
        .iter()
        .map(|class| class.iter().map(|&at| people[at as usize]).collect())
        .collect()
}

fn partition(sets: &Sets) -> Classes {
    let class = |id: u32| {
        sets.iter()
            .position(|set| set.contains(&id))
            .expect("everybody is in a class") as u32
    };
    Classes::new((1..=7).map(class))
}

#[test]
fn the_data_is_the_files() {
    let example = example();
    let (_, first, second) = patients();
    for (row, patient) in example.patients.iter().enumerate() {
        assert_eq!(patient.id as usize, row + 1);
        let cells = [
            &first[0].values[row],
            &second[0].values[row],
            &first[1].values[row],
            &second[1].values[row],
        ];
        assert_eq!(
            cells,
            [
                &patient.zip,
                &patient.age,
                &patient.disease,
                &patient.treatment
            ]
        );
    }
    let levels = |field: &crate::common::Field, value: &str| {
        field
            .hierarchy
            .iter()
            .flatten()
            .find(|path| path[0] == value)
            .expect("a path")
            .clone()
    };
    assert_eq!(levels(&first[0], "12345"), example.zip_levels);
    assert_eq!(levels(&second[0], "23"), example.age_levels);
    let distinct = |cell: fn(&Patient) -> &String| {
        example
            .patients
            .iter()
            .map(cell)
            .collect::<BTreeSet<_>>()
            .len()
    };
    assert_eq!(distinct(|p| &p.zip), example.slips.distinct_zips);
    assert_eq!(distinct(|p| &p.age), example.slips.distinct_ages);
}

/// Replays the rounds with the two anonymizers and the definitions of the synchronizers alone.
#[test]
fn every_round_is_as_the_file_says() {
    let example = example();
    for run in &example.runs {
        let synchronizer = Synchronizer::named(&run.synchronizer).expect("a synchronizer");
        let setups = setups(&ask(synchronizer, &example.t));
        let tables: [&Table; 2] = [&setups[0].table, &setups[1].table];
        let mut sites = [0, 1]
            .map(|at: usize| Anonymizer::new(tables[at], &setups[at].promises).expect("a site"));
        let mut remaining: Vec<u32> = (0..7).collect();
        let mut frozen_in: BTreeMap<u32, u32> = BTreeMap::new();
        for (number, round) in (0u32..).zip(&run.rounds) {
            let name = format!("{}, round {}", run.synchronizer, number + 1);
            let here = [0, 1].map(|at: usize| classes(&sites[at], &remaining));
            assert_eq!(
                here.each_ref().map(sets),
                round.classes.each_ref().map(as_set),
                "{name}"
            );
            assert!(
                here.iter()
                    .flatten()
                    .all(|class| class.len() as u64 >= example.k),
                "{name}"
            );
            for person in 0..7 {
                let shown = *frozen_in.get(&person).unwrap_or(&number);
                let label = |at: usize| sites[at].labels(&[person], shown).remove(0);
                let expected = [
                    &round.labels.zip[person as usize],
                    &round.labels.age[person as usize],
                ];
                assert_eq!(
                    [&label(0), &label(1)],
                    expected,
                    "{name}, patient {}",
                    person + 1
                );
            }
            let last = number as usize + 1 == run.rounds.len();
            let [first, second] = round.classes.each_ref();
            if let (Some(meet), None) = (&round.meet, &round.frozen) {
                let found = partition(first).meet(&partition(second));
                assert_eq!(found, partition(meet), "{name}");
                let settled = found.smallest() >= example.k;
                assert!(
                    synchronizer != Synchronizer::Dpp2ga || settled == last,
                    "{name}"
                );
            }
            if let Some(join) = &round.join {
                assert_eq!(
                    partition(first).join(&partition(second)),
                    partition(join),
                    "{name}"
                );
            }
            if synchronizer == Synchronizer::Identity {
                assert_eq!(as_set(first) == as_set(second), last, "{name}");
            }
            if let Some(frozen) = &round.frozen {
                let equal: BTreeSet<_> = as_set(first)
                    .intersection(&as_set(second))
                    .cloned()
                    .collect();
                assert_eq!(equal, as_set(frozen), "{name}");
                frozen_in.extend(frozen.iter().flatten().map(|id| (id - 1, number)));
                remaining.retain(|person| !frozen_in.contains_key(person));
                assert_eq!(remaining.is_empty(), last, "{name}");
            }
            sites.iter_mut().for_each(|site| site.step(&remaining));
        }
    }
}

/// REPAIR from its meet, union by union: the failing block, and the neighbour that it joins.
#[test]
fn repairs_are_as_the_file_says() {
    let example = example();
    let run = example
        .runs
        .iter()
        .find(|run| run.synchronizer == "repair")
        .expect("repair");
    let mut blocks = as_set(run.rounds[0].meet.as_ref().expect("the meet"));
    for [failing, neighbour] in &run.unions {
        assert!(
            (failing.len() as u64) < example.k
                && blocks.remove(failing)
                && blocks.remove(neighbour)
        );
        let together =
            |class: &&BTreeSet<u32>| !class.is_disjoint(failing) && !class.is_disjoint(neighbour);
        assert!(
            run.rounds[0]
                .classes
                .iter()
                .flatten()
                .any(|class| together(&class)),
            "adjacent"
        );
        blocks.insert(failing | neighbour);
    }
    assert_eq!(blocks, as_set(&run.groups));
}

#[test]
fn references_end_as_the_file_says() {
    let example = example();
    for run in &example.runs {
        let synchronizer = Synchronizer::named(&run.synchronizer).expect("a synchronizer");
        let ask = ask(synchronizer, &example.t);
        let both = setups(&ask);
        let mut first = Anonymizer::new(&both[0].table, &both[0].promises).expect("a site");
        let mut second = Anonymizer::new(&both[1].table, &both[1].promises).expect("a site");
        let agreement = synchronize(synchronizer, [&mut first, &mut second], example.k);
        assert_eq!(
            agreement.groups,
            partition(&run.groups),
            "{}",
            run.synchronizer
        );
        assert_eq!(
            agreement.rounds.len(),
            run.rounds.len(),
            "{}",
            run.synchronizer
        );
        for (round, expected) in agreement.rounds.iter().zip(&run.rounds) {
            assert_eq!(
                round.classes,
                expected.classes.each_ref().map(Vec::len),
                "{}",
                run.synchronizer
            );
        }
        for (people, round) in agreement.groups.members().iter().zip(&agreement.round_of) {
            let labels = [
                first.labels(people, *round).remove(0),
                second.labels(people, *round).remove(0),
            ];
            for &person in people {
                let published = [
                    &run.published.zip[person as usize],
                    &run.published.age[person as usize],
                ];
                assert_eq!(
                    [&labels[0], &labels[1]],
                    published,
                    "{}, patient {}",
                    run.synchronizer,
                    person + 1
                );
            }
        }
    }
}

/// What two sites publish has the file's groups, labels and values.
#[test]
fn sessions_end_as_the_file_says() {
    let example = example();
    for run in &example.runs {
        let synchronizer = Synchronizer::named(&run.synchronizer).expect("a synchronizer");
        let (mut sites, disks) = parties(setups(&ask(synchronizer, &example.t)), 3);
        assert_eq!(talk(&mut sites), [Status::Published, Status::Published]);
        let group = |ids: &BTreeSet<u32>| {
            let people: Vec<&Patient> = ids
                .iter()
                .map(|&id| &example.patients[id as usize - 1])
                .collect();
            let values = |cell: fn(&Patient) -> &String| {
                let mut values: Vec<String> = people.iter().map(|p| cell(p).clone()).collect();
                values.sort();
                values
            };
            let at = people[0].id as usize - 1;
            let labels = vec![run.published.zip[at].clone(), run.published.age[at].clone()];
            (
                labels,
                ids.len() as u64,
                vec![values(|p| &p.disease), values(|p| &p.treatment)],
            )
        };
        let mut expected: Vec<crate::common::Shown> = run.groups.iter().map(group).collect();
        expected.sort();
        for disk in &disks {
            assert_eq!(
                disk.lock().expect("a disk").public.as_ref(),
                Some(&expected),
                "{}",
                run.synchronizer
            );
        }
    }
}

#[test]
fn other_t_end_as_the_file_says() {
    for case in example().other_t {
        let release = reference(setups(&ask(Synchronizer::Merge, &case.t))).expect("a release");
        assert_eq!(
            release.agreement.groups,
            partition(&case.groups),
            "t = {}",
            case.t
        );
        assert_eq!(show(release.verified.fragments()).len(), case.groups.len());
    }
}

/// Central Datafly over both columns, which the paper says its Table 1b is.
#[test]
fn central_datafly_ends_as_the_file_says() {
    let ask = Ask::new(Synchronizer::Merge, 2);
    let (ids, first, second) = patients();
    let together = ask.setup(Seat::Zero, &ids, &[first, second].concat());
    let site = Anonymizer::new(&together.table, &together.promises).expect("a site");
    let found = Classes::new(site.classes(&(0..7).collect::<Vec<u32>>()));
    assert_eq!(found, partition(&example().slips.central_datafly));
}

/// Everything that a site sends, hashed.
#[derive(Default)]
struct Hasher(Mutex<Sha256>);

impl Observer for Hasher {
    fn frame(&self, sent: bool, _: &'static str, bytes: &[u8]) {
        if sent {
            self.0.lock().expect("a hash").update(bytes);
        }
    }
}

/// SHA-256 over everything that site 0 sends, then everything that site 1 does.
fn transcript(ask: &Ask, threads: usize) -> String {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads");
    pool.install(|| {
        let hashers = [(); 2].map(|()| Arc::new(Hasher::default()));
        let observers = hashers
            .each_ref()
            .map(|hasher| hasher.clone() as Arc<dyn Observer>);
        let (mut sites, _) = watched(setups(ask), 2026, observers);
        assert_eq!(talk(&mut sites), [Status::Published, Status::Published]);
        let mut both = Sha256::new();
        hashers
            .iter()
            .for_each(|hasher| both.update(hasher.0.lock().expect("a hash").clone().finalize()));
        both.finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    })
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a vectors file in the repository, written by its developer"
)]
fn transcripts_are_golden() {
    let golden = |s: Synchronizer| (s.name(), transcript(&ask(s, "3/4"), 1));
    let found: BTreeMap<&str, String> = Synchronizer::ALL.into_iter().map(golden).collect();
    if std::env::var_os("MINGLE_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&found).expect("JSON") + "\n";
        std::fs::write(file("transcripts.json"), text).expect("a file");
    }
    let text = std::fs::read_to_string(file("transcripts.json")).expect("vectors");
    let golden: BTreeMap<&str, String> =
        serde_json::from_str(&text).expect("vectors in their form");
    assert_eq!(found, golden);
    let distinct: BTreeSet<&String> = golden.values().collect();
    assert_eq!(distinct.len(), 5, "each its own");
}

/// Lists long enough to be cut into parts for several threads.
#[test]
fn transcripts_do_not_depend_on_threads() {
    let ask = Ask {
        padded_size: 1300,
        ..ask(Synchronizer::Merge, "3/4")
    };
    assert_eq!(transcript(&ask, 1), transcript(&ask, 16));
}
