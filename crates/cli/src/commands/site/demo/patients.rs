//! The seven patients of Nielsen et al., D2Pt, Table 1: the hospital has their ZIP codes and
//! diseases, the insurer their ages and treatments. k = 2; t = 3/4 with the equal distance, except
//! for dpp2ga, which keeps k only.

use crate::message::wrap;
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Codes, Column, ColumnSpec, HierarchySource, Kind, Missing, Providers, Role, Table,
};
use mingle_privacy::{Attribute, Distance, K, Promise, Ratio, Rule};
use mingle_protocol::{Seat, Setup, Synchronizer, Terms};

/// Identifier, ZIP code, disease, age, treatment.
const PATIENTS: [[&str; 5]; 7] = [
    ["1", "12345", "Gastric ulcer", "23", "Antacid"],
    ["2", "12345", "Gastritis", "29", "Acid-reducing drug"],
    ["3", "12363", "Flu", "41", "Antipyretic drug"],
    ["4", "12361", "Stomach cancer", "43", "Cytostatic drug"],
    ["5", "12362", "Pneumonia", "59", "Antibiotics"],
    ["6", "12471", "Bronchitis", "52", "Antibiotics"],
    ["7", "12473", "Flu", "55", "Antipyretic drug"],
];

/// How many identifiers each list looks like it has: the paper pads nothing, a real pair of sites
/// should.
const PADDED: u32 = 8;

/// What is shown first.
pub fn story() -> String {
    let text = "Seven patients. The hospital knows their ZIP codes and diseases, the insurer their ages and \
                treatments; neither sees the other's columns. They publish groups of at least 2 people whose \
                diseases and treatments are distributed as everybody's, up to a distance of 3/4.";
    let mut story = wrap(text);
    story.push_str("\n  hospital                       insurer\n");
    story.push_str("  id  zip    disease             id  age  treatment\n");
    for [id, zip, disease, age, treatment] in PATIENTS {
        story.push_str(&format!(
            "  {id}   {zip}  {disease:<18}  {id}   {age}   {treatment}\n"
        ));
    }
    story
}

/// What a site brings.
pub fn setup(seat: Seat, synchronizer: Synchronizer) -> Setup {
    let (places, names) = match seat {
        Seat::Zero => ([1, 2], ["zip", "disease"]),
        Seat::One => ([3, 4], ["age", "treatment"]),
    };
    let rules = rules(synchronizer);
    let about = |rule: &Rule| Promise {
        rule: *rule,
        attribute: rule.needs_attribute().then_some(Attribute::Column(0)),
    };
    Setup {
        seat,
        site: super::NAMES[seat.number()].to_owned(),
        terms: Terms {
            synchronizer,
            accept_leak: synchronizer.leak(),
            padded_size: PADDED,
            promises: rules.clone(),
        },
        identifiers: PATIENTS
            .iter()
            .map(|patient| patient[0].to_owned())
            .collect(),
        table: table(seat, places, names),
        promises: rules.iter().map(about).collect(),
        missing: Missing::default(),
        keys: [[0; 32]; 2],
    }
}

fn rules(synchronizer: Synchronizer) -> Vec<Rule> {
    let k = Rule::k_anonymity(K(2));
    let max = Ratio::new(3, 4).expect("three quarters");
    match synchronizer {
        Synchronizer::Dpp2ga => vec![k],
        _ => vec![k, Rule::t_closeness(max, Distance::Equal)],
    }
}

fn table(seat: Seat, places: [usize; 2], names: [&str; 2]) -> Table {
    let quasi = ColumnSpec {
        kind: Some(Kind::Category),
        hierarchy: Some(HierarchySource::Rows(hierarchy(seat, places[0]))),
        ..ColumnSpec::new(names[0], Role::QuasiIdentifier)
    };
    let sensitive = ColumnSpec::new(names[1], Role::Sensitive);
    let column = |spec, place: usize| {
        let texts = PATIENTS.iter().map(|patient| patient[place]);
        Column::from_texts(spec, texts, &Missing::default())
            .expect("the paper's values fit its hierarchies")
    };
    let columns = vec![column(quasi, places[0]), column(sensitive, places[1])];
    let provider_of: Codes = PATIENTS.iter().map(|_| 0).collect();
    Table {
        columns,
        providers: Providers::new(vec![super::NAMES[seat.number()].to_owned()]),
        provider_of,
        person_of: None,
    }
}

/// 12345, 1234*, 123**, *; and 23, [20-29], [20-39], *.
fn ancestors(seat: Seat, value: &str) -> Vec<String> {
    let [low, high] = match seat {
        Seat::Zero => [format!("{}*", &value[..4]), format!("{}**", &value[..3])],
        Seat::One => {
            let age: u32 = value.parse().expect("an age");
            let range = |width: u32| {
                format!(
                    "[{}-{}]",
                    age / width * width,
                    age / width * width + width - 1
                )
            };
            [range(10), range(20)]
        }
    };
    vec![value.to_owned(), low, high, "*".to_owned()]
}

fn hierarchy(seat: Seat, place: usize) -> HierarchyRows {
    let mut rows: Vec<Vec<String>> = PATIENTS
        .iter()
        .map(|patient| ancestors(seat, patient[place]))
        .collect();
    rows.sort();
    rows.dedup();
    HierarchyRows {
        file: "the paper".to_owned(),
        rows: (1..).zip(rows).collect(),
    }
}
