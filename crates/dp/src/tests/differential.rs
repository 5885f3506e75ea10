//! Whole releases of neighbouring tables, made many times: how often something is seen in the one
//! and in the other.
//!
//! A promise bounds P(seen | D) by what P(seen | D′) allows: e^ε P under pure ε, and under ρ the
//! least over ε of e^ε P + δ(ε). Both probabilities are known only from runs, so the smallest
//! P(seen | D) that the runs leave possible is held against the largest P(seen | D′): a correct
//! program is called wrong with [`ALARM`] at most, whatever is looked for. Half of the noise must
//! be found out by the same comparison.

use super::{ALARM, amount, approximate, concentrated, interval, pure, unlikely};
use crate::bins::{self, find};
use crate::guarantee::{Guarantee, delta_of};
use crate::histogram;
use crate::ledger::Receipt;
use crate::marginals::{self, MarginalsChoice};
use crate::noise::{Tampered, tests_only};
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::release::{Content, Request, release};
use crate::synthetic;
use crate::threshold::{tail, threshold};
use crate::universe::{Bins, CellId, DeclaredAttribute, DeclaredValues};
use mingle_model::{Kind, Role};
use std::sync::atomic::AtomicBool;

/// The most that a promise allows P(seen | D) to be where P(seen | D′) is p.
fn allowed(guarantee: Guarantee, p: f64) -> f64 {
    match guarantee {
        Guarantee::Pure { epsilon } => epsilon.0.to_f64().exp() * p,
        other => {
            let rho = other.rho().to_f64();
            let at = |epsilon: f64| epsilon.exp() * p + delta_of(rho, epsilon);
            let best = (1..200).map(|i| at(f64::from(i) * 0.1)).fold(1.0, f64::min);
            best + other.direct_delta().to_f64()
        }
    }
}

/// Whether runs contradict a promise, in either direction, by what was seen or by what was not.
fn broken(runs: u64, hits: [u64; 2], allowed: &impl Fn(f64) -> f64) -> bool {
    let [here, there] = hits.map(|hits| interval(hits, runs, ALARM / 2.0));
    let more = |one: (f64, f64), other: (f64, f64)| {
        one.0 > allowed(other.1) || 1.0 - one.1 > allowed(1.0 - other.0)
    };
    more(here, there) || more(there, here)
}

/// Runs something on both tables and asks whether the promise is broken: not with the noise as it
/// is, but with half.
fn test(
    what: &str,
    runs: u64,
    tables: &[Records; 2],
    allowed: impl Fn(f64) -> f64,
    seen: impl Fn(&Records) -> bool,
) {
    let hits = |how| {
        let hits = |table: &Records| (0..runs).filter(|_| seen(table)).count() as u64;
        tests_only::with(how, || [hits(&tables[0]), hits(&tables[1])])
    };
    let whole = hits(Tampered::No);
    assert!(
        !broken(runs, whole, &allowed),
        "{what}: {whole:?} of {runs}"
    );
    // runs are chosen so that half the noise is missed less than once in a hundred times; thrice in
    // a row, hardly ever
    let caught = (0..3).any(|_| broken(runs, hits(Tampered::Half), &allowed));
    assert!(
        caught,
        "{what}: half the noise goes unnoticed in {runs} runs"
    );
}

/// Records of two columns with so many in each cell.
fn records(sizes: [usize; 2], counts: &[u64], per_person: u64) -> Records {
    let mut columns = vec![Vec::new(), Vec::new()];
    for (cell, &count) in counts.iter().enumerate() {
        columns[0].extend(std::iter::repeat_n(
            (cell / sizes[1]) as CellId,
            count as usize,
        ));
        columns[1].extend(std::iter::repeat_n(
            (cell % sizes[1]) as CellId,
            count as usize,
        ));
    }
    Records::from_columns(columns, sizes.to_vec(), per_person)
}

fn attribute(name: &str, domain: DeclaredValues) -> DeclaredAttribute {
    DeclaredAttribute {
        name: name.into(),
        role: Role::Sensitive,
        kind: Kind::Integer,
        domain,
        other: None,
        missing: None,
    }
}

fn words(sizes: [usize; 2]) -> Vec<DeclaredAttribute> {
    let words = |count: usize| {
        DeclaredValues::categories((0..count).map(|i| format!("w{i}")).collect()).expect("words")
    };
    sizes
        .iter()
        .map(|&size| attribute(&format!("of {size}"), words(size)))
        .collect()
}

fn content(records: &Records, request: &Request, guarantee: Guarantee) -> Content {
    let attributes = words([records.cells()[0], records.cells()[1]]);
    let receipt = Receipt::for_experiment(guarantee);
    release(
        &attributes,
        records.clone(),
        request,
        receipt,
        &AtomicBool::new(false),
    )
    .expect("a release")
    .content
}

#[test]
fn marginals_keep_their_promise() {
    let choice = MarginalsChoice::Named(vec![vec![0, 1]]);
    let request = Request::Marginals(marginals::MarginalsOptions {
        choice,
        ..Default::default()
    });
    let tables = [
        records([2, 2], &[40, 40, 40, 40], 1),
        records([2, 2], &[41, 40, 40, 40], 1),
    ];
    for guarantee in [pure("1"), concentrated("2")] {
        let seen = |table: &Records| match content(table, &request, guarantee) {
            Content::Marginals(tables) => tables[0].counts[0] >= 40.5,
            _ => unreachable!("marginals were asked for"),
        };
        test("marginals", 1200, &tables, |p| allowed(guarantee, p), seen);
    }
}

fn count_of(made: Content, cell: &[CellId]) -> u64 {
    let Content::Histogram(made) = made else {
        unreachable!("a histogram was asked for")
    };
    made.cells
        .iter()
        .find(|(here, _)| here == cell)
        .map_or(0, |(_, count)| *count)
}

#[test]
fn dense_histograms_keep_their_promise() {
    let request = Request::Histogram(histogram::HistogramOptions::default());
    // three records of one person, in the same cell
    let tables = [
        records([2, 2], &[0, 9, 9, 9], 3),
        records([2, 2], &[3, 9, 9, 9], 3),
    ];
    for guarantee in [pure("1"), approximate("6", "0.01")] {
        let seen = |table: &Records| count_of(content(table, &request, guarantee), &[0, 0]) >= 2;
        test("dense", 2500, &tables, |p| allowed(guarantee, p), seen);
    }
}

#[test]
fn sparse_histograms_keep_their_promise() {
    let request = Request::Histogram(histogram::HistogramOptions {
        most_cells: 1,
        ..Default::default()
    });
    let tables = [
        records([2, 2], &[200, 0, 0, 0], 1),
        records([2, 2], &[201, 0, 0, 0], 1),
    ];
    let guarantee = approximate("6", "0.01");
    let seen = |table: &Records| count_of(content(table, &request, guarantee), &[0, 0]) >= 201;
    test("sparse", 800, &tables, |p| allowed(guarantee, p), seen);
}

/// A cell that one person is alone in is published as rarely as the threshold was computed for, and
/// that is at most δ₀.
#[test]
fn a_person_alone_is_hardly_ever_published() {
    let (delta, runs, purse) = (amount("0.02"), 5_000, Purse::new(concentrated("0.3")));
    let options = histogram::HistogramOptions {
        most_cells: 1,
        ..Default::default()
    };
    let table = records([2, 2], &[0, 2, 0, 0], 2);
    let made = || {
        histogram::make(
            &table,
            &options,
            &mut purse.clone(),
            delta,
            &AtomicBool::new(false),
        )
    };
    let published = (0..runs)
        .filter(|_| !made().expect("a histogram").cells.is_empty())
        .count() as u64;
    let noise = purse
        .clone()
        .buy(1.0, Sensitivity::of_counts(2))
        .expect("all of it");
    let least = threshold(&noise, 2, 0.02).expect("one");
    // the threshold reckons with two such cells; here is one
    let exact = tail(&noise, least - 2);
    assert!(exact <= 0.01 && exact > 0.003, "{exact}");
    assert!(
        !unlikely(published, runs, exact, ALARM),
        "{published} of {runs}, not {exact}"
    );
    // a threshold that forgot that a person has two records would be seen
    assert!(unlikely(
        (tail(&noise, least - 4) * runs as f64) as u64,
        runs,
        exact,
        ALARM
    ));
}

#[test]
fn synthetic_records_keep_their_promise() {
    let request = Request::Synthetic(synthetic::SyntheticOptions::default());
    // a thousand records of one person, so that drawing records adds little to the noise
    let tables = [
        records([2, 2], &[1000; 4], 1000),
        records([2, 2], &[2000, 1000, 1000, 1000], 1000),
    ];
    let seen = |table: &Records| {
        let Content::Synthetic(made) = content(table, &request, concentrated("2")) else {
            unreachable!("records")
        };
        let here = |row: &usize| made.columns[0][*row] == 0 && made.columns[1][*row] == 0;
        (0..made.rows()).filter(here).count() >= 1500
    };
    test("synthetic", 700, &tables, |p| gaussian(2.0, p), seen);
}

/// The same as [`allowed`] where all looks are Gaussian and wide: they tell together what one
/// Gaussian of deviation 1 tells about a shift of √(2ρ) (Dong, Roth and Su 2022, Corollary 3.3),
/// which is sharper than what ρ says of any mechanism.
fn gaussian(rho: f64, p: f64) -> f64 {
    normal(normal_at(p) + (2.0 * rho).sqrt())
}

/// P(N ≤ x), by a sum of slices.
fn normal(x: f64) -> f64 {
    let slices = 20_000;
    let width = (x + 12.0).max(0.0) / f64::from(slices);
    let slice = |i: i32| (-(-12.0 + (f64::from(i) + 0.5) * width).powi(2) / 2.0).exp();
    (0..slices).map(slice).sum::<f64>() * width / (2.0 * std::f64::consts::PI).sqrt()
}

/// The x with P(N ≤ x) = p.
fn normal_at(p: f64) -> f64 {
    let (mut low, mut high) = (-12.0, 12.0);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if normal(middle) < p {
            low = middle
        } else {
            high = middle
        }
    }
    high
}

#[test]
fn the_normal_distribution_is_the_one_of_the_tables() {
    for (x, p) in [
        (0.0, 0.5),
        (1.0, 0.841_344_746),
        (-2.0, 0.022_750_132),
        (-4.0, 3.167_124e-5),
    ] {
        assert!(
            (normal(x) - p).abs() < 1e-8 && (normal_at(p) - x).abs() < 1e-4,
            "{x}"
        );
    }
}

/// Two bins of three cells: the cut is before the last cell if the first one seems to hold less
/// than the last.
#[test]
fn private_bins_keep_their_promise() {
    let fine = Bins {
        private: Some(2),
        ..Bins::new(0, 1, vec![0, 1, 2], 2).expect("three")
    };
    let attributes = vec![attribute("number", DeclaredValues::Bins(fine))];
    let table = |first: usize| {
        let cells = [vec![0; first], vec![1; 300], vec![2; 300]].concat();
        Records::from_columns(vec![cells], vec![3], 30)
    };
    let seen = |table: &Records, whole: Guarantee| {
        let (mut attributes, mut table) = (attributes.clone(), table.clone());
        find(&mut attributes, &mut table, &mut Purse::new(whole)).expect("bins");
        matches!(&attributes[0].domain, DeclaredValues::Bins(bins) if bins.starts == [0, 2])
    };
    // one attribute takes a twentieth of the budget, and no more than that may be seen
    assert_eq!(bins::SHARE, 0.05);
    let (whole, part) = (pure("60"), pure("3"));
    test(
        "bins",
        6000,
        &[table(300), table(270)],
        |p| allowed(part, p),
        |table| seen(table, whole),
    );
    let whole = concentrated("80");
    test(
        "bins",
        1500,
        &[table(315), table(285)],
        |p| gaussian(4.0, p),
        |table| seen(table, whole),
    );
}

/// How many of something a campaign asks for.
fn asked(variable: &str, usual: u64) -> u64 {
    let said = std::env::var(variable).ok();
    said.map_or(usual, |text| text.parse().expect("a number"))
}

/// A generated pair of tables that differ by one person, and the cell whose count is looked at.
struct NeighbouringTables {
    tables: [Records; 2],
    cell: [CellId; 2],
    count: u64,
}

/// Tables of up to nine cells with up to `most` records each; the person's records are all in one
/// cell, which is where a count moves most.
fn generated_neighbours(seed: u64, most: u64, per_person: u64) -> NeighbouringTables {
    // one step of the generator a number (Steele, Lea and Flood 2014)
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut below = |n: u64| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    };
    let sizes = [2 + below(2) as usize, 2 + below(2) as usize];
    let cells = sizes[0] * sizes[1];
    let mut counts: Vec<u64> = (0..cells).map(|_| most / 2 + below(most / 2 + 1)).collect();
    let place = below(cells as u64) as usize;
    let without = records(sizes, &counts, per_person);
    counts[place] += per_person;
    NeighbouringTables {
        tables: [without, records(sizes, &counts, per_person)],
        cell: [(place / sizes[1]) as CellId, (place % sizes[1]) as CellId],
        count: counts[place],
    }
}

/// Whether the promise is broken by any of the events that the count is at least t, for t around
/// what the tables hold.
fn any_threshold_broken(
    pair: &NeighbouringTables,
    runs: u64,
    step: u64,
    allowed: &impl Fn(f64) -> f64,
    count: &impl Fn(&Records, &[CellId; 2]) -> f64,
) -> bool {
    let mut seen = [Vec::new(), Vec::new()];
    for (seen, table) in seen.iter_mut().zip(&pair.tables) {
        for _ in 0..runs {
            seen.push(count(table, &pair.cell));
        }
    }
    let highest = (pair.count + 3 * step) as f64;
    for at in 0..12 {
        let least = highest - f64::from(at) * step as f64 / 2.0;
        let hits = |seen: &Vec<f64>| seen.iter().filter(|&&count| count >= least).count() as u64;
        if broken(runs, [hits(&seen[0]), hits(&seen[1])], allowed) {
            return true;
        }
    }
    false
}

/// Every kind of release over generated neighbouring tables: no event contradicts the promise, and of
/// half the noise some do. `MINGLE_DP_PAIRS` and `MINGLE_DP_RUNS` say how many pairs of each kind and
/// how many releases of each table; Google's tester has 50 pairs and 10,000.
#[test]
fn generated_neighbours_keep_their_promise() {
    let (pairs, runs) = (asked("MINGLE_DP_PAIRS", 2), asked("MINGLE_DP_RUNS", 1200));
    let marginals = Request::Marginals(marginals::MarginalsOptions {
        choice: MarginalsChoice::Named(vec![vec![0, 1]]),
        ..Default::default()
    });
    let dense = Request::Histogram(histogram::HistogramOptions::default());
    let sparse = Request::Histogram(histogram::HistogramOptions {
        most_cells: 1,
        ..Default::default()
    });
    let synthetic = Request::Synthetic(synthetic::SyntheticOptions::default());
    let approximately = approximate("6", "0.01");
    let kinds = [
        ("marginals, pure", &marginals, pure("1"), 60, 1),
        ("marginals, zCDP", &marginals, concentrated("2"), 60, 1),
        ("dense histogram, pure", &dense, pure("1"), 40, 3),
        ("dense histogram, (ε, δ)", &dense, approximately, 40, 3),
        ("sparse histogram", &sparse, approximately, 300, 1),
        (
            "synthetic records",
            &synthetic,
            concentrated("2"),
            2000,
            1000,
        ),
    ];
    for (name, request, guarantee, most, per_person) in kinds {
        let count = |table: &Records, cell: &[CellId; 2]| match content(table, request, guarantee) {
            Content::Marginals(tables) => {
                let place = cell[0] as usize * table.cells()[1] + cell[1] as usize;
                tables[0].counts[place]
            }
            Content::Synthetic(made) => {
                let here = |row: &usize| {
                    made.columns[0][*row] == cell[0] && made.columns[1][*row] == cell[1]
                };
                (0..made.rows()).filter(here).count() as f64
            }
            made => count_of(made, cell) as f64,
        };
        let is_synthetic = name == "synthetic records";
        let most_allowed = |p: f64| {
            if is_synthetic {
                gaussian(2.0, p)
            } else {
                allowed(guarantee, p)
            }
        };
        // made-up records cost a thousand times as much as a count
        let (pairs, runs) = if is_synthetic {
            (pairs.div_ceil(2), runs.min(700))
        } else {
            (pairs, runs)
        };
        let mut found_half = false;
        for seed in 0..pairs {
            let pair = generated_neighbours(seed + 1, most, per_person);
            let look = |how| {
                tests_only::with(how, || {
                    any_threshold_broken(&pair, runs, per_person, &most_allowed, &count)
                })
            };
            assert!(!look(Tampered::No), "{name}: pair {seed}");
            found_half = found_half || look(Tampered::Half);
        }
        assert!(
            found_half,
            "{name}: half the noise goes unnoticed in {pairs} pairs"
        );
    }
}
