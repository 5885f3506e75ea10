//! `[dp]` releases of n providers against one place with the same noise, and what protects them.

use super::disk::{Disk, MemoryVault};
use super::network::Network;
use super::wire::SUMS;
use super::world::{KnownNoise, KnownSigner};
use crate::common::Seeded;
use crate::simulation::Dice;
use mingle_dp::histogram::HistogramOptions;
use mingle_dp::marginals::{MarginalsChoice, MarginalsOptions};
use mingle_dp::share::NoiseShare;
use mingle_dp::synthetic::SyntheticOptions;
use mingle_dp::{
    Amount, Bins, Content, DeclaredAttribute, DeclaredValues, Epsilon, Guarantee, Records, Request,
};
use mingle_model::{Kind, Role};
use mingle_privacy::M;
use mingle_protocol::hazmat::{self, KnownSources};
use mingle_protocol::horizontal::{
    BoardLimits, HorizontalSetup, KeptRecord, NoiseSource, NoisyOutput, NoisyTask, ProviderParty,
    RelayBoard, RunMember, Signer, noisy_reference,
};
use mingle_protocol::{Error, Nobody, Status};
use std::sync::Arc;

fn amount(text: &str) -> Amount {
    Amount::parse(text).expect("an amount")
}

fn approximate(epsilon: &str) -> Guarantee {
    Guarantee::Approximate {
        epsilon: Epsilon(amount(epsilon)),
        delta: amount("1e-9"),
    }
}

fn words(name: &str, n: u64) -> DeclaredAttribute {
    let labels = (0..n).map(|i| format!("word {i}")).collect();
    DeclaredAttribute {
        name: name.into(),
        role: Role::QuasiIdentifier,
        kind: Kind::Category,
        domain: DeclaredValues::categories(labels).expect("words"),
        other: None,
        missing: None,
    }
}

fn ages() -> DeclaredAttribute {
    DeclaredAttribute {
        name: "age".into(),
        role: Role::QuasiIdentifier,
        kind: Kind::Integer,
        domain: DeclaredValues::Bins(Bins::to_be_found(0, 1, 0, 39, 4).expect("bounds")),
        other: Some("other".into()),
        missing: None,
    }
}

/// A run with everybody's records.
struct NoisyWorld {
    attributes: Vec<DeclaredAttribute>,
    request: Request,
    guarantee: Guarantee,
    records: Vec<Records>,
    m: u64,
    seed: u64,
}

impl NoisyWorld {
    fn generated(seed: u64) -> NoisyWorld {
        let mut dice = Dice::new(seed);
        let dice = &mut dice;
        let attributes = vec![
            words("a", 2 + dice.below(10)),
            ages(),
            words("b", 2 + dice.below(3)),
        ];
        let cells: Vec<usize> = attributes.iter().map(DeclaredAttribute::len).collect();
        let providers = 3 + dice.below(6) as usize;
        let per_person = 1 + dice.below(2);
        let mut records = Vec::new();
        for _ in 0..providers {
            let rows = if dice.once_in(4) { 0 } else { dice.below(400) };
            let mut columns: Vec<Vec<u16>> = vec![Vec::new(); 3];
            for _ in 0..rows {
                let first = dice.below(cells[0] as u64);
                columns[0].push(first as u16);
                columns[1].push(dice.below(cells[1] as u64) as u16);
                columns[2].push((first % cells[2] as u64) as u16);
            }
            records.push(Records::from_columns(columns, cells.clone(), per_person));
        }
        let marginals = |choice| {
            Request::Marginals(MarginalsOptions {
                choice,
                most_cells: 1000,
            })
        };
        let request = match seed % 5 {
            0 => marginals(MarginalsChoice::Named(vec![vec![0, 2], vec![1]])),
            1 => marginals(MarginalsChoice::All(2)),
            2 => marginals(MarginalsChoice::Selected(2)),
            3 => Request::Histogram(HistogramOptions::default()),
            _ => Request::Synthetic(SyntheticOptions::default()),
        };
        let guarantee = match dice.below(2) {
            0 => approximate(dice.one_of(&["1", "5"])),
            _ => Guarantee::Concentrated { rho: amount("0.2") },
        };
        NoisyWorld {
            attributes,
            request,
            guarantee,
            m: dice.below(providers as u64 - 1),
            records,
            seed,
        }
    }

    fn task(&self, seat: usize) -> NoisyTask {
        NoisyTask {
            attributes: self.attributes.clone(),
            request: self.request.clone(),
            guarantee: self.guarantee,
            records: self.records[seat].clone(),
        }
    }

    fn setup(&self, seat: usize, task: NoisyTask) -> HorizontalSetup {
        let member = |seat: usize| RunMember {
            name: format!("hospital {seat}"),
            key: KnownSigner::of_seat(seat).public(),
        };
        let members = (0..self.records.len()).map(member).collect();
        let run = [self.seed as u8; 32];
        HorizontalSetup::noisy(run, seat, members, ([4; 32], M(self.m)), task)
    }

    fn party(&self, seat: usize, disk: &Disk) -> ProviderParty {
        let setup = self.setup(seat, self.task(seat));
        self.made(setup, disk, Box::new(KnownNoise(seat)))
    }

    fn made(
        &self,
        setup: HorizontalSetup,
        disk: &Disk,
        noise: Box<dyn NoiseSource>,
    ) -> ProviderParty {
        let seat = setup.seat;
        let sources = KnownSources {
            entropy: Seeded::boxed(self.seed * 1000 + seat as u64),
            noise,
        };
        let vault = Box::new(MemoryVault::new(disk.clone(), seat));
        let signer = Box::new(KnownSigner::of_seat(seat));
        hazmat::provider(setup, vault, signer, Arc::new(Nobody), sources).expect("a party")
    }

    fn network(&self) -> Network {
        self.network_of(|seat, disk| self.party(seat, disk))
    }

    fn network_of(&self, party: impl Fn(usize, &Disk) -> ProviderParty) -> Network {
        let disks: Vec<Disk> = self.records.iter().map(|_| Disk::default()).collect();
        let parties = disks
            .iter()
            .enumerate()
            .map(|(seat, disk)| party(seat, disk));
        Network {
            parties: parties.collect(),
            board: RelayBoard::new(BoardLimits::default()),
            disks,
        }
    }
}

fn outputs(network: &Network) -> Vec<NoisyOutput> {
    let output = |disk: &Disk| {
        disk.lock()
            .expect("a disk")
            .noisy
            .clone()
            .expect("an output")
    };
    network.disks.iter().map(output).collect()
}

fn all_published(network: &Network) -> bool {
    network.statuses().iter().all(|s| *s == Status::Published)
}

/// n providers come to what one place comes to with everybody's records and noise, bit for bit.
#[test]
fn the_same_as_in_one_place_with_the_same_noise() {
    for seed in 0..50 {
        let world = NoisyWorld::generated(seed);
        let mut network = world.network();
        network.run();
        assert!(
            all_published(&network),
            "seed {seed}: {:?}",
            network.statuses()
        );
        let outputs = outputs(&network);
        assert!(outputs.iter().all(|output| *output == outputs[0]));
        let records: Vec<&Records> = world.records.iter().collect();
        let providers = records.len();
        let mut noise = |look: u64, table: usize, cells: usize| {
            let mut sum = vec![0; cells];
            for seat in 0..providers {
                let draws = KnownNoise::draws(seat, look + ((table as u64) << 32), cells);
                sum.iter_mut()
                    .zip(draws)
                    .for_each(|(sum, draw)| *sum += draw);
            }
            sum
        };
        let asked = world.task(0).asked(M(world.m), providers);
        let session = &outputs[0].session;
        let reference = noisy_reference(asked, &records, session, &mut noise).expect("a release");
        assert!(outputs[0].release == reference, "seed {seed}");
        let expected = NoisyOutput {
            release: reference,
            ..outputs[0].clone()
        };
        assert_eq!(outputs[0].digest(), expected.digest());
        assert_eq!(outputs[0].colluding, world.m.max(1));
        for disk in &network.disks {
            let disk = disk.lock().expect("a disk");
            let place = |wanted: fn(&KeptRecord) -> bool| {
                let places = disk.kept.iter().enumerate().filter(|(_, r)| wanted(r));
                places.map(|(at, _)| at).collect::<Vec<usize>>()
            };
            let spent = place(|r| matches!(r, KeptRecord::NoiseSpent));
            let draws = place(|r| matches!(r, KeptRecord::Noise { .. }));
            assert_eq!(spent.len(), 1, "charged once");
            assert!(!draws.is_empty() && draws.iter().all(|&at| at > spent[0]));
        }
    }
}

/// Two releases that differ in a count or in one made-up record have different digests.
#[test]
fn digests_tell_releases_apart() {
    for seed in 0..10 {
        let world = NoisyWorld::generated(seed);
        let mut network = world.network();
        network.run();
        let output = outputs(&network).remove(0);
        let mut other = output.clone();
        match &mut other.release.content {
            Content::Marginals(tables) => tables[0].counts[0] += 0.5,
            Content::Histogram(histogram) if histogram.cells.is_empty() => continue,
            Content::Histogram(histogram) => histogram.cells[0].1 += 1,
            Content::Synthetic(made) if made.rows() == 0 => continue,
            Content::Synthetic(made) => made.columns[0][0] ^= 1,
        }
        assert_ne!(output.digest(), other.digest());
        let mut other = output.clone();
        other.release.attributes[0] = words("a", 40);
        assert_ne!(output.digest(), other.digest());
    }
}

/// A ledger that does not pay: the run ends, and that provider's counts never leave the house.
#[test]
fn nothing_noisy_is_sent_where_the_ledger_does_not_pay() {
    let world = NoisyWorld::generated(3);
    let vectors_of = |network: &mut Network| {
        let mut sent = vec![0u32; world.records.len()];
        network.run_tampered(&mut |_, frame| {
            if frame.kind == SUMS {
                sent[frame.seat()] += 1;
            }
            vec![frame]
        });
        sent
    };
    assert!(vectors_of(&mut world.network())[1] > 0, "if it pays");
    let mut network = world.network();
    network.disks[1].lock().expect("a disk").is_overdrawn = true;
    let sums_of = vectors_of(&mut network);
    let refused = Status::Aborted(Error::Storage("the ledger does not pay".to_owned()));
    assert_eq!(network.statuses()[1], refused);
    assert!(!network.statuses().contains(&Status::Published));
    assert_eq!(sums_of[1], 0);
    assert!(
        network
            .disks
            .iter()
            .all(|d| d.lock().expect("a disk").published.is_empty())
    );
}

/// Noise that must not be drawn again.
struct NeverAgain;

impl NoiseSource for NeverAgain {
    fn draw(&mut self, _: &NoiseShare, _: u64, _: usize) -> Result<Vec<i64>, String> {
        Err("drawn again".to_owned())
    }
}

/// A provider that was killed after its first noisy vector says the same again, from kept draws and
/// without another charge; with other records it says nothing.
#[test]
fn a_restart_says_the_same_and_pays_once() {
    for seed in [3, 8, 13] {
        let world = NoisyWorld::generated(seed);
        let mut first = world.network();
        // everything up to the moment at which everybody has sent its vectors, except to seat 0
        first.run_tampered(&mut |to, frame| {
            if to == 0 && frame.kind == SUMS {
                vec![]
            } else {
                vec![frame]
            }
        });
        assert!(!first.statuses().contains(&Status::Published));
        let setup = world.setup(0, world.task(0));
        first.parties[0] = world.made(setup, &first.disks[0], Box::new(NeverAgain));
        for party in &mut first.parties {
            party.disconnect();
        }
        first.run();
        // a histogram has bins to find first: its second look draws for the first time
        let drawn_again = Status::Aborted(Error::Storage("drawn again".to_owned()));
        assert_eq!(
            first.statuses()[0],
            drawn_again,
            "the kept look was reproduced"
        );
        let mut second = world.network();
        second.run_tampered(&mut |to, frame| {
            if to == 0 && frame.kind == SUMS {
                vec![]
            } else {
                vec![frame]
            }
        });
        second.parties[0] = world.party(0, &second.disks[0]);
        for party in &mut second.parties {
            party.disconnect();
        }
        second.run();
        assert!(all_published(&second), "{:?}", second.statuses());
        let mut whole = world.network();
        whole.run();
        assert!(outputs(&second) == outputs(&whole));
        let kept = &second.disks[0].lock().expect("a disk").kept;
        let spent = kept.iter().filter(|r| matches!(r, KeptRecord::NoiseSpent));
        assert_eq!(spent.count(), 1);
    }
}

#[test]
fn other_records_after_a_restart_end_the_run() {
    let world = NoisyWorld::generated(8);
    let mut network = world.network();
    network.run_tampered(&mut |to, frame| {
        if to == 0 && frame.kind == SUMS {
            vec![]
        } else {
            vec![frame]
        }
    });
    let mut changed = world.task(0);
    let cells = changed.records.cells().to_vec();
    changed.records = Records::from_columns(vec![vec![1]; 3], cells, changed.records.per_person());
    let noise = Box::new(KnownNoise(0));
    network.parties[0] = world.made(world.setup(0, changed), &network.disks[0], noise);
    for party in &mut network.parties {
        party.disconnect();
    }
    network.run();
    let status = &network.statuses()[0];
    assert!(
        matches!(status, Status::Aborted(Error::NotReproducible { .. })),
        "{status:?}"
    );
    assert!(
        network
            .disks
            .iter()
            .all(|d| d.lock().expect("a disk").published.is_empty())
    );
}

/// Exact noise, or none.
struct Share {
    is_forgotten: bool,
}

impl NoiseSource for Share {
    fn draw(&mut self, share: &NoiseShare, _: u64, counts: usize) -> Result<Vec<i64>, String> {
        if self.is_forgotten {
            return Ok(vec![0; counts]);
        }
        share.draw(counts).map_err(|error| error.to_string())
    }
}

/// The noise in the published counts is everybody's, and a provider that forgets its share is
/// noticed by the same test.
#[test]
fn a_forgotten_share_is_noticed() {
    let mut world = NoisyWorld::generated(3);
    world.attributes = vec![words("a", 100), words("b", 100)];
    world.guarantee = approximate("1");
    world.m = 1;
    let empty = Records::from_columns(vec![vec![]; 2], vec![100, 100], 1);
    world.records = vec![empty; 4];
    let ratio = |forgetful: Option<usize>| {
        let mut network = world.network_of(|seat, disk| {
            let is_forgotten = forgetful == Some(seat);
            let setup = world.setup(seat, world.task(seat));
            world.made(setup, disk, Box::new(Share { is_forgotten }))
        });
        network.run();
        let Content::Histogram(histogram) = &outputs(&network)[0].release.content else {
            panic!("a histogram")
        };
        // nobody has a row: what is above zero is half of the noise
        let squares: f64 = histogram.cells.iter().map(|(_, n)| (n * n) as f64).sum();
        squares / 5_000.0 / histogram.deviation.powi(2)
    };
    // the estimate deviates by 0.022, and a quarter of the variance is a share
    assert!((ratio(None) - 1.0).abs() < 0.12);
    assert!(ratio(Some(2)) < 0.88);
}

#[test]
fn differences_are_named() {
    let world = NoisyWorld::generated(4);
    type Change = fn(&mut NoisyTask);
    let changes: [(&str, Change); 4] = [
        ("what is promised", |task| task.guarantee = approximate("2")),
        ("the release", |task| {
            task.request = Request::Synthetic(SyntheticOptions {
                rows: Some(5),
                model_cells: 1000,
            })
        }),
        ("the declared values of b", |task| {
            let cells = task.records.cells().to_vec();
            let labels = (0..cells[2]).map(|i| format!("other {i}")).collect();
            task.attributes[2].domain = DeclaredValues::categories(labels).expect("words");
        }),
        ("records_per_person", |task| {
            let cells = task.records.cells().to_vec();
            task.records = Records::from_columns(vec![vec![]; 3], cells, 9);
        }),
    ];
    for (what, change) in changes {
        let mut network = world.network_of(|seat, disk| {
            let mut task = world.task(seat);
            if seat == 2 {
                change(&mut task);
            }
            world.made(world.setup(seat, task), disk, Box::new(KnownNoise(seat)))
        });
        network.run();
        let is_named = |status: &Status| {
            let Status::Aborted(Error::ProviderDiffers { what: named, .. }) = status else {
                return false;
            };
            named == what
        };
        assert!(
            network.statuses().iter().any(is_named),
            "{what}: {:?}",
            network.statuses()
        );
        for disk in &network.disks {
            let disk = disk.lock().expect("a disk");
            assert!(
                !disk.kept.contains(&KeptRecord::NoiseSpent),
                "nothing is charged"
            );
        }
    }
}

#[test]
fn what_cannot_be_kept_is_refused_at_home() {
    let world = NoisyWorld::generated(3);
    let refused = |change: &dyn Fn(&mut HorizontalSetup)| {
        let mut setup = world.setup(0, world.task(0));
        change(&mut setup);
        let vault = Box::new(MemoryVault::new(Disk::default(), 0));
        let signer: Box<dyn Signer> = Box::new(KnownSigner::of_seat(0));
        ProviderParty::new(setup, vault, signer, Arc::new(Nobody)).err()
    };
    assert_eq!(refused(&|_| {}), None);
    let pure = Guarantee::Pure {
        epsilon: Epsilon(amount("1")),
    };
    let with = |guarantee: Guarantee, most_cells: u64| NoisyTask {
        guarantee,
        request: Request::Histogram(HistogramOptions {
            attributes: Vec::new(),
            most_cells,
        }),
        ..world.task(0)
    };
    for (guarantee, cells) in [(pure, 1 << 20), (world.guarantee, 3)] {
        let error = refused(&|setup| *setup = world.setup(0, with(guarantee, cells)));
        assert!(matches!(error, Some(Error::Promise(_))), "{error:?}");
    }
    let n = world.records.len();
    let few = refused(&|setup| setup.members.truncate(2));
    assert_eq!(few, Some(Error::TooFewProviders { providers: 2 }));
    for m in [n as u64 - 1, u64::MAX] {
        let error = refused(&|setup| setup.terms.m = M(m));
        assert_eq!(error, Some(Error::CoalitionTooLarge { m, providers: n }));
    }
}

#[test]
fn the_promise_is_said_with_the_coalition_in_it() {
    let world = NoisyWorld::generated(0);
    let said = world.setup(0, world.task(0)).statements();
    let n = world.records.len();
    assert!(said[0].contains(&format!("any {} of the {n} providers", world.m.max(1))));
    assert!(
        said.iter()
            .any(|s| s.contains("records at r providers counts r times"))
    );
}
