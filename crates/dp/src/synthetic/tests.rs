use super::*;
use crate::amount::Amount;
use crate::count::count;
use crate::noise::{Tampered, tests_only};
use crate::{Epsilon, Guarantee};
use mingle_model::{Kind, Role};
use proptest::prelude::*;

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

fn purse(epsilon: &str, delta: Option<&str>) -> Purse {
    let amount = |text| Amount::parse(text).expect("an amount");
    let epsilon = Epsilon(amount(epsilon));
    Purse::new(match delta {
        Some(delta) => Guarantee::Approximate {
            epsilon,
            delta: amount(delta),
        },
        None => Guarantee::Pure { epsilon },
    })
}

fn words(name: &str, n: usize) -> DeclaredAttribute {
    let labels = (0..n).map(|i| format!("v{i}")).collect();
    let domain = DeclaredValues::categories(labels).expect("words");
    let (role, kind) = (Role::QuasiIdentifier, Kind::Category);
    DeclaredAttribute {
        name: name.into(),
        role,
        kind,
        domain,
        other: None,
        missing: None,
    }
}

/// A chain of dependent attributes: each mostly repeats the one before.
fn chain(cells: &[usize], rows: usize) -> Records {
    let mut state = 12345u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    let mut columns: Vec<Vec<CellId>> = cells.iter().map(|_| Vec::new()).collect();
    for _ in 0..rows {
        let mut value = next();
        for (column, &n) in columns.iter_mut().zip(cells) {
            if next() % 4 == 0 {
                value = next();
            }
            column.push((value % n) as CellId);
        }
    }
    Records::from_columns(columns, cells.to_vec(), 1)
}

fn distance(a: &[u64], b: &[u64]) -> f64 {
    let (all_a, all_b) = (a.iter().sum::<u64>() as f64, b.iter().sum::<u64>() as f64);
    a.iter()
        .zip(b)
        .map(|(&x, &y)| (x as f64 / all_a - y as f64 / all_b).abs())
        .sum::<f64>()
        / 2.0
}

fn pairs(d: usize) -> Vec<Vec<usize>> {
    (0..d)
        .flat_map(|a| (a + 1..d).map(move |b| vec![a, b]))
        .collect()
}

#[test]
fn without_noise_every_pair_of_a_small_table_comes_out() {
    let cells = [3, 4, 2, 5];
    let records = chain(&cells, 20_000);
    let attributes: Vec<DeclaredAttribute> = cells.iter().map(|&n| words("a", n)).collect();
    let make = || {
        make(
            &attributes,
            &records,
            &SyntheticOptions::default(),
            &mut purse("1", Some("1e-9")),
            &never(),
        )
    };
    let made = tests_only::with(Tampered::Off, make).expect("a table");
    assert_eq!(made.rows(), 20_000);
    let drawn = Records::from_columns(made.columns, cells.to_vec(), 1);
    for (truth, drawn) in count(&records, &pairs(4))
        .iter()
        .zip(&count(&drawn, &pairs(4)))
    {
        assert!(distance(truth, drawn) < 0.01, "{}", distance(truth, drawn));
    }
}

#[test]
fn with_noise_dependent_attributes_stay_dependent() {
    let cells = [6, 6, 6];
    let records = chain(&cells, 20_000);
    let attributes: Vec<DeclaredAttribute> = cells.iter().map(|&n| words("a", n)).collect();
    for mut purse in [purse("1", Some("1e-9")), purse("1", None)] {
        let made = make(
            &attributes,
            &records,
            &SyntheticOptions::default(),
            &mut purse,
            &never(),
        )
        .expect("a table");
        assert!(purse.left() < 1e-3, "the budget is used");
        let drawn = Records::from_columns(made.columns, cells.to_vec(), 1);
        let (truth, drawn) = (count(&records, &pairs(3)), count(&drawn, &pairs(3)));
        // independence would be 0.5 away
        assert!(
            distance(&truth[0], &drawn[0]) < 0.1,
            "{}",
            distance(&truth[0], &drawn[0])
        );
    }
}

#[test]
fn one_attribute_and_the_smallest_model() {
    let records = chain(&[7], 5_000);
    let one = make(
        &[words("a", 7)],
        &records,
        &SyntheticOptions::default(),
        &mut purse("1", None),
        &never(),
    )
    .expect("a table");
    assert_eq!(one.measured, [vec![0]]);
    let cells = [7, 8, 9];
    let attributes: Vec<DeclaredAttribute> = cells.iter().map(|&n| words("a", n)).collect();
    let options = SyntheticOptions {
        rows: Some(1_234),
        model_cells: 1,
    };
    let small = make(
        &attributes,
        &chain(&cells, 5_000),
        &options,
        &mut purse("1", None),
        &never(),
    )
    .expect("a table");
    assert_eq!(small.measured, [vec![0], vec![1], vec![2]]);
    assert_eq!(small.rows(), 1_234);
}

#[test]
fn an_empty_table_gives_some_table() {
    let cells = [3, 2];
    let attributes: Vec<DeclaredAttribute> = cells.iter().map(|&n| words("a", n)).collect();
    let empty = Records::from_columns(vec![vec![], vec![]], cells.to_vec(), 1);
    for _ in 0..20 {
        assert!(
            make(
                &attributes,
                &empty,
                &SyntheticOptions::default(),
                &mut purse("1", None),
                &never()
            )
            .is_ok()
        );
    }
}

#[test]
fn numbers_lie_in_their_bins_and_fill_them() {
    let bins = crate::Bins::of_width(1, 5, -20, 30, 10).expect("tenths by halves");
    let attribute = DeclaredAttribute {
        domain: DeclaredValues::Bins(bins.clone()),
        kind: Kind::Decimal,
        other: Some("none".into()),
        ..words("x", 1)
    };
    let cells = [attribute.len()];
    let column: Vec<CellId> = (0..6_000).map(|row| (row % 6) as CellId).collect();
    let records = Records::from_columns(vec![column], cells.to_vec(), 1);
    let attributes = [attribute];
    let made = make(
        &attributes,
        &records,
        &SyntheticOptions::default(),
        &mut purse("10", None),
        &never(),
    )
    .expect("a table");
    let mut seen = std::collections::BTreeSet::new();
    for row in 0..made.rows() {
        let (cell, text) = (made.columns[0][row], made.text(&attributes, 0, row));
        seen.insert(text.clone());
        match attributes[0].place(&text, false) {
            crate::universe::Place::Cell(at) => assert_eq!(at, cell),
            other => assert!(
                text == "none" && other == crate::universe::Place::Other(5),
                "{other:?}"
            ),
        }
    }
    // two values a bin, three in the last, and the word
    assert_eq!(seen.len(), 12, "{seen:?}");
}

#[test]
fn what_cannot_be_made_is_said_before() {
    let options = SyntheticOptions::default();
    let check = |options: &SyntheticOptions, epsilon: &str, per_person| {
        let guarantee = Guarantee::Pure {
            epsilon: Epsilon(Amount::parse(epsilon).expect("an amount")),
        };
        crate::check(
            &[10, 10],
            &crate::Request::Synthetic(options.clone()),
            guarantee,
            per_person,
        )
    };
    assert!(check(&options, "1", 1).is_ok());
    let rows = SyntheticOptions {
        rows: Some(u64::MAX),
        ..options.clone()
    };
    assert!(matches!(
        check(&rows, "1", 1),
        Err(Error::TooManyRows { .. })
    ));
    let large = SyntheticOptions {
        model_cells: u64::MAX,
        ..options.clone()
    };
    assert!(matches!(
        check(&large, "1", 1),
        Err(Error::TooManyCells { .. })
    ));
    for (epsilon, per_person) in [("1e-9", 1), ("1e-30", 1), ("1", 1 << 40), ("1", u64::MAX)] {
        assert!(
            matches!(
                check(&options, epsilon, per_person),
                Err(Error::AllNoise { .. })
            ),
            "{epsilon} {per_person}"
        );
    }
}

#[test]
fn stopping_stops() {
    let cells = [3, 2];
    let attributes: Vec<DeclaredAttribute> = cells.iter().map(|&n| words("a", n)).collect();
    let made = make(
        &attributes,
        &chain(&cells, 10),
        &SyntheticOptions::default(),
        &mut purse("1", None),
        &AtomicBool::new(true),
    );
    assert!(matches!(made, Err(Error::Cancelled)));
}

/// A joint distribution over all attributes, and its tables by summing.
fn joint(cells: &[usize], weights: &[f64]) -> Vec<f64> {
    let all = cells.iter().product();
    (0..all)
        .map(|i| 0.05 + weights[i % weights.len()] * (1.0 + (i % 7) as f64))
        .collect()
}

fn table_of(joint: &[f64], cells: &[usize], set: &[usize]) -> Vec<f64> {
    let everything: Vec<usize> = (0..cells.len()).collect();
    let size = set.iter().map(|&a| cells[a]).product();
    fit::sums(joint, &fit::projection(&everything, set, cells), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// On a tree of pairs the distribution of largest entropy is known: the product of pairs over
    /// separators.
    #[test]
    fn a_chain_is_fitted_to_its_closed_form(weights in prop::collection::vec(0.0..1.0f64, 11)) {
        let cells = [3, 2, 4];
        let joint = joint(&cells, &weights);
        let one_way: Vec<Vec<f64>> = (0..3).map(|a| table_of(&joint, &cells, &[a])).collect();
        let (ab, bc) = (table_of(&joint, &cells, &[0, 1]), table_of(&joint, &cells, &[1, 2]));
        let targets = [(vec![0, 1], &ab), (vec![1, 2], &bc)].map(|(attributes, counts)| Target { attributes, counts: counts.clone() });
        let tree = Tree::new(&cells, &[(0, 1), (1, 2), (0, 2)], 1 << 20).expect("small");
        let model = fit::fit(tree, &cells, &one_way, &targets, 500, &never()).expect("a model");
        prop_assert_eq!(model.tables.len(), 1);
        for (i, value) in model.tables[0].iter().enumerate() {
            let (a, b, c) = (i / 8, i / 4 % 2, i % 4);
            let closed = ab[a * 2 + b] * bc[b * 4 + c] / one_way[1][b];
            prop_assert!((value - closed).abs() < 1e-3 * closed.max(1e-3), "{} {}", value, closed);
        }
    }

    /// Tables that come from one distribution are all met, cycles included, and cliques agree on
    /// what they share.
    #[test]
    fn tables_of_one_distribution_are_met(weights in prop::collection::vec(0.0..1.0f64, 13), edges in 1..63u32) {
        let cells = [3, 2, 4, 2];
        let joint = joint(&cells, &weights);
        let total: f64 = joint.iter().sum();
        let one_way: Vec<Vec<f64>> = (0..4).map(|a| table_of(&joint, &cells, &[a])).collect();
        let chosen: Vec<Vec<usize>> = pairs(4).into_iter().enumerate().filter(|(i, _)| edges >> i & 1 == 1).map(|(_, p)| p).collect();
        let targets: Vec<Target> =
            chosen.iter().map(|set| Target { attributes: set.clone(), counts: table_of(&joint, &cells, set) }).collect();
        let graph: Vec<(usize, usize)> = chosen.iter().map(|p| (p[0], p[1])).collect();
        let model = fit::fit(Tree::new(&cells, &graph, 1 << 20).expect("small"), &cells, &one_way, &targets, 1000, &never()).expect("a model");
        for (c, clique) in model.tree.cliques.iter().enumerate() {
            prop_assert!((model.tables[c].iter().sum::<f64>() - total).abs() < 1e-6 * total);
            for target in targets.iter().filter(|t| t.attributes.iter().all(|a| clique.contains(a))) {
                let sums = fit::sums(&model.tables[c], &fit::projection(clique, &target.attributes, &cells), target.counts.len());
                let off: f64 = sums.iter().zip(&target.counts).map(|(a, b)| (a - b).abs()).sum();
                prop_assert!(off < 1e-3 * total, "{}", off / total);
            }
            let separator = model.tree.separator(c);
            let size = separator.iter().map(|&a| cells[a]).product();
            let own = fit::sums(&model.tables[c], &fit::projection(clique, &separator, &cells), size);
            let above = &model.tree.cliques[model.tree.parent[c]];
            let parent = fit::sums(&model.tables[model.tree.parent[c]], &fit::projection(above, &separator, &cells), size);
            prop_assert!(own.iter().zip(&parent).all(|(a, b)| (a - b).abs() < 1e-6 * total));
        }
    }

    /// Totals of every attribute to within a record per value, and nothing that the model says
    /// cannot be.
    #[test]
    fn draws_follow_the_model(weights in prop::collection::vec(0.0..1.0f64, 9), rows in 1..3000usize) {
        let cells = [4, 3, 5];
        let mut joint = joint(&cells, &weights);
        joint.iter_mut().skip(2).step_by(5).for_each(|value| *value = 0.0);
        let total: f64 = joint.iter().sum();
        let tree = Tree::new(&cells, &[(0, 1), (1, 2), (0, 2)], 1 << 20).expect("small");
        let model = fit::Model { tree, tables: vec![joint.clone()] };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let drawn = Records::from_columns(draw::records(&model, &cells, rows, &mut rng), cells.to_vec(), 1);
        prop_assert_eq!(drawn.len(), rows);
        let full = &count(&drawn, &[vec![0, 1, 2]])[0];
        for (count, weight) in full.iter().zip(&joint) {
            prop_assert!(*weight > 0.0 || *count == 0, "drawn although it cannot be");
            // whole records carried over: never further off than the groups that were open
            prop_assert!((*count as f64 - weight / total * rows as f64).abs() <= 3.0);
        }
        for a in 0..3 {
            let (counts, due) = (&count(&drawn, &[vec![a]])[0], table_of(&joint, &cells, &[a]));
            for (count, due) in counts.iter().zip(&due) {
                prop_assert!((*count as f64 - due / total * rows as f64).abs() <= 2.0, "attribute {}", a);
            }
        }
    }
}
