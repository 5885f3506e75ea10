//! n providers come to what somebody who sees everything comes to, and `privacy`, who knows nothing
//! of cuts, agrees that it holds.

use super::network::Network;
use super::world::{KnownNoise, World};
use mingle_model::{Codes, Column, ColumnSpec, Kind, Missing, Providers, Published, Role, Table};
use mingle_privacy::{Insiders, Promise, Reach, Verdict, verify};
use mingle_protocol::Error;
use mingle_protocol::horizontal::{
    HorizontalReference, HorizontalTable, RevealLevel, horizontal_reference,
};

/// How many generated runs, per level.
fn cases(usual: u64) -> u64 {
    let asked = std::env::var("MINGLE_HORIZONTAL_CASES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

pub fn reference(world: &World) -> Result<HorizontalReference, Error> {
    let rows: Vec<_> = (0..world.providers())
        .map(|seat| world.own_rows(seat))
        .collect();
    let is_noisy = matches!(
        world.terms.cuts,
        mingle_protocol::horizontal::CutRule::Noisy { .. }
    );
    let mut noise = |look: u64, counts: usize| {
        let mut sum = vec![0; counts];
        if is_noisy {
            for seat in 0..world.providers() {
                for (sum, draw) in sum.iter_mut().zip(KnownNoise::draws(seat, look, counts)) {
                    *sum += draw;
                }
            }
        }
        sum
    };
    horizontal_reference(&world.schema, &rows, &world.terms, &mut noise)
}

/// Everybody's rows with their labels, as an auditor with all of them would see it.
fn put_together(world: &World, table: &HorizontalTable) -> Table {
    let quasi_identifiers = world.schema.quasi_identifiers();
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut provider_of = Codes::with_capacity(world.providers(), 0);
    for (seat, rows) in world.rows.iter().enumerate() {
        for row in rows {
            let covers = |cell: &&mingle_protocol::horizontal::CellBox| {
                let mut ranges = cell.ranges().iter().zip(row);
                ranges.all(|(&(lo, hi), &code)| lo <= code && code <= hi)
            };
            let mut cells = table.cells.iter().filter(covers);
            let cell = cells.next().expect("every row has a cell");
            assert!(cells.next().is_none(), "and only one");
            let mut labels = cell.labels(quasi_identifiers);
            for (column, &code) in world
                .schema
                .sensitive()
                .iter()
                .zip(&row[quasi_identifiers.len()..])
            {
                labels.push(column.domain.text(code).to_owned());
            }
            texts.push(labels);
            provider_of.push(seat as u32);
        }
    }
    let names = (0..world.providers())
        .map(|seat| format!("hospital {seat}"))
        .collect();
    let mut columns = Vec::new();
    for (at, shared) in quasi_identifiers
        .iter()
        .chain(world.schema.sensitive())
        .enumerate()
    {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(shared.spec.name.clone(), shared.spec.role)
        };
        let column = texts.iter().map(|row| row[at].as_str());
        columns.push(Column::from_texts(spec, column, &Missing::default()).expect("a column"));
    }
    Table {
        columns,
        providers: Providers::new(names),
        provider_of,
        person_of: None,
    }
}

/// k and distinct l against m, everything for outsiders.
fn assert_private(world: &World, table: &HorizontalTable) {
    let together = put_together(world, table);
    let against = |promises: &[Promise], insiders: Insiders| {
        let published = Published::from_table(&together);
        let verification = verify(published, promises, insiders, Reach::Stated).expect("promises");
        assert_eq!(
            *verification.verdict(),
            Verdict::Holds,
            "seed {}",
            world.seed
        );
    };
    let tested = |promise: &&Promise| {
        promise.rule.as_k_anonymity().is_some() || promise.rule.as_distinct_diversity().is_some()
    };
    let promises: Vec<Promise> = world
        .terms
        .promises
        .iter()
        .filter(tested)
        .copied()
        .collect();
    let strict = Insiders::strict(world.terms.m, world.terms.site_diversity);
    against(&promises, strict);
    against(&world.terms.promises, Insiders::NONE);
    let rows: u64 = world.rows.iter().map(|rows| rows.len() as u64).sum();
    assert_eq!(
        table.counts.iter().sum::<u64>(),
        rows,
        "every row is published once"
    );
    assert_eq!(
        together.with_role(Role::QuasiIdentifier).count(),
        world.schema.quasi_identifiers().len()
    );
}

fn compare(level: RevealLevel, usual: u64) {
    let (mut released, mut cut, mut merged) = (0, 0, 0);
    for seed in 0..cases(usual) {
        let world = World::generated(seed, level);
        let mut network = Network::new(&world);
        network.run();
        match (network.outcome(), reference(&world)) {
            (Ok(found), Ok(expected)) => {
                assert!(
                    found == expected.table.canonical(),
                    "seed {seed}: another table"
                );
                let disk = network.disks[0].lock().expect("a disk");
                let cuts = disk.output.as_ref().map(|(_, cuts)| *cuts);
                assert_eq!(cuts, Some(expected.cuts), "seed {seed}");
                assert_private(&world, &expected.table);
                released += 1;
                cut += u64::from(expected.cuts.accepted > 0);
                merged += u64::from(expected.table.merged > 0);
            }
            (Err(found), Err(expected)) => assert_eq!(found, expected, "seed {seed}"),
            (Ok(_), Err(error)) => panic!("seed {seed}: released although {error}"),
            (Err(error), Ok(_)) => panic!("seed {seed}: {error}"),
        }
    }
    // a test of nothing but refusals would prove little
    let all = cases(usual);
    let merges = all < 100 || merged > 0;
    assert!(
        released * 3 > all && cut * 10 > all && merges,
        "{released} {cut} {merged} of {all}"
    );
}

#[test]
fn sums_are_what_the_reference_has() {
    compare(RevealLevel::Sums, 120);
}

#[test]
fn bits_are_what_the_reference_has() {
    compare(RevealLevel::Bits, 40);
}

/// The reference alone, on many more tables.
#[test]
fn every_reference_release_is_private() {
    let mut released = 0;
    for seed in 0..cases(300) * 10 {
        let level = RevealLevel::ALL[seed as usize % 2];
        let world = World::generated(1_000_000 + seed, level);
        if let Ok(reference) = reference(&world) {
            assert_private(&world, &reference.table);
            released += 1;
        }
    }
    assert!(released > cases(300) * 3, "{released}");
}
