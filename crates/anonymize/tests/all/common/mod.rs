//! Small random tables of three providers, and promises about them.

use mingle_anonymize::MethodOptions;
use mingle_model::{
    Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Partition, Providers, Published,
    Role, Table,
};
use mingle_privacy::{Attribute, Distance, K, L, Promise, Ratio, Requirement, Rule};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

pub fn table(rng: &mut ChaCha8Rng, rows: usize) -> Table {
    let spec = |name: &str, role, hierarchy, kind| ColumnSpec {
        hierarchy,
        kind,
        ..ColumnSpec::new(name, role)
    };
    let specs = [
        (
            spec("age", Role::QuasiIdentifier, None, Some(Kind::Integer)),
            60,
            3,
        ),
        (
            spec(
                "zip",
                Role::QuasiIdentifier,
                Some(HierarchySource::Mask(3)),
                Some(Kind::Category),
            ),
            300,
            0,
        ),
        (
            spec("job", Role::QuasiIdentifier, None, Some(Kind::Category)),
            5,
            4,
        ),
        (
            spec("ill", Role::Sensitive, None, Some(Kind::Category)),
            4,
            6,
        ),
    ];
    let columns = specs.map(|(spec, values, missing)| {
        let texts: Vec<String> = (0..rows)
            .map(|_| {
                if rng.random_range(0..100) < missing {
                    return "?".to_owned();
                }
                // a product of two draws is skewed: common and rare values, dense and empty places
                let skewed = rng.random_range(0..=values) * rng.random_range(0..=values);
                (skewed / values.max(1) + 100).to_string()
            })
            .collect();
        Column::encode_texts(spec, &texts)
    });
    let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
    let provider_of = (0..rows).map(|_| rng.random_range(0..3)).collect();
    Table {
        columns: columns.into(),
        providers,
        provider_of,
        person_of: None,
    }
}

pub trait EncodeTexts {
    fn encode_texts(spec: ColumnSpec, texts: &[String]) -> Column;
}

impl EncodeTexts for Column {
    fn encode_texts(spec: ColumnSpec, texts: &[String]) -> Column {
        Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
            .expect("texts fit the kind")
    }
}

pub fn promises(rng: &mut ChaCha8Rng) -> Vec<Promise> {
    let ratio = |n, d| Ratio::new(n, d).expect("the denominator is not zero");
    let about = |rule| Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    };
    let k = Promise {
        rule: Rule::k_anonymity(K(rng.random_range(1..6))),
        attribute: None,
    };
    let other = match rng.random_range(0..6) {
        0 => about(Rule::distinct_diversity(L(rng.random_range(1..4)))),
        1 => about(Rule::entropy_diversity(ratio(rng.random_range(10..25), 10))),
        2 => about(Rule::recursive_diversity(
            ratio(rng.random_range(1..6), 2),
            L(rng.random_range(1..4)),
        )),
        3 => about(Rule::max_frequency(ratio(rng.random_range(3..11), 10))),
        4 => about(Rule::t_closeness(
            ratio(rng.random_range(1..11), 10),
            Distance::Equal,
        )),
        _ => return vec![k],
    };
    vec![k, other]
}

pub fn bind(cube: &Cube, promises: &[Promise]) -> Requirement {
    let mut counts = vec![0; cube.sensitive()[0].codes.len()];
    cube.records()
        .iter()
        .for_each(|r| counts[r.sensitive as usize] += r.count);
    Requirement::bind(promises, cube.sensitive(), &counts).expect("parameters are in range")
}

pub fn publish(cube: &Cube, partition: &Partition) -> Published {
    Published::from_partition(&Arc::new(cube.clone()), partition, &Missing::default())
        .expect("labels cover their groups")
}

/// Settings that allow so many rows to be left out.
pub fn leaving_out(rows: u64) -> MethodOptions<'static> {
    MethodOptions {
        max_suppressed: rows,
        ..MethodOptions::default()
    }
}
