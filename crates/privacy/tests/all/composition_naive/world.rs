//! Random people, and random releases about some of them.

use super::labels::{Sort, covers, is_missing, number};
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Codes, Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Providers, Published, Role,
    Table,
};
use rand::{Rng, RngExt, seq::IndexedRandom};
use std::cell::RefCell;
use std::collections::HashMap;

/// People with texts in every column, and a sensitive value.
pub struct World {
    pub columns: Vec<(&'static str, Sort)>,
    pub people: Vec<(Vec<String>, String)>,
    /// Distances that were asked for before.
    pub distances: RefCell<HashMap<(usize, String, String), f64>>,
}

/// Rows of labels and a sensitive value.
pub struct Release {
    /// Which of the world's columns it has.
    pub columns: Vec<usize>,
    pub rows: Vec<(Vec<String>, String)>,
    pub centroids: bool,
}

pub const VALUES: [&str; 6] = ["flu", "gout", "AIDS", "cold", "?", "none"];
const TREE: [(&str, &str); 7] = [
    ("clerk", "office"),
    ("typist", "office"),
    ("nurse", "health"),
    ("doctor", "health"),
    ("pilot", "travel"),
    ("driver", "travel"),
    ("guide", "travel"),
];
const WORDS: [&str; 5] = ["red", "green", "blue", "grey", "pink"];

impl World {
    /// A few columns of different sorts; with many numbers the engine keeps ranges and not bits.
    pub fn random(random: &mut impl Rng) -> World {
        let sorts = [
            ("age", Sort::Number),
            ("score", Sort::Number),
            ("day", Sort::Day),
            ("zip", Sort::Code),
            ("job", Sort::Tree(TREE.to_vec())),
            ("colour", Sort::Word),
        ];
        let mut columns: Vec<(&'static str, Sort)> = Vec::new();
        for sort in sorts {
            if random.random_bool(0.5) {
                columns.push(sort);
            }
        }
        if columns.is_empty() {
            columns.push(("age", Sort::Number));
        }
        let many = random.random_bool(0.05);
        let n = if many {
            random.random_range(70..120)
        } else {
            random.random_range(1..20)
        };
        let person = |random: &mut _| {
            let cells = columns
                .iter()
                .map(|(name, sort)| value(random, name, sort, many))
                .collect();
            (cells, sensitive(random))
        };
        let people = (0..n).map(|_| person(random)).collect();
        World {
            columns,
            people,
            distances: RefCell::default(),
        }
    }

    /// A column's specification as a policy would have it.
    fn spec(&self, c: usize) -> ColumnSpec {
        let (name, sort) = &self.columns[c];
        let hierarchy = match sort {
            Sort::Code => Some(HierarchySource::Mask(2)),
            Sort::Tree(leaves) => {
                let row = |(leaf, up): &(&str, &str)| {
                    vec![(*leaf).to_owned(), (*up).to_owned(), "*".to_owned()]
                };
                let rows = leaves
                    .iter()
                    .map(row)
                    .enumerate()
                    .map(|(at, row)| (at as u64 + 1, row))
                    .collect();
                Some(HierarchySource::Rows(HierarchyRows {
                    file: "tree".to_owned(),
                    rows,
                }))
            }
            _ => None,
        };
        let kind = match sort {
            Sort::Number if *name == "age" => Kind::Integer,
            Sort::Number => Kind::Decimal,
            Sort::Day => Kind::Date,
            _ => Kind::Category,
        };
        ColumnSpec {
            kind: Some(kind),
            hierarchy,
            ..ColumnSpec::new(*name, Role::QuasiIdentifier)
        }
    }

    /// Hierarchies by column, as the engine takes them.
    pub fn hierarchies(&self) -> Vec<(&'static str, HierarchySource)> {
        (0..self.columns.len())
            .filter_map(|c| Some((self.columns[c].0, self.spec(c).hierarchy?)))
            .collect()
    }

    /// The people as the engine takes them.
    pub fn cube(&self) -> Cube {
        let mut columns: Vec<Column> = Vec::new();
        for c in 0..self.columns.len() {
            let texts = self.people.iter().map(|p| p.0[c].as_str());
            columns.push(
                Column::from_texts(self.spec(c), texts, &Missing::default())
                    .ok()
                    .unwrap(),
            );
        }
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("disease", Role::Sensitive)
        };
        let texts = self.people.iter().map(|p| p.1.as_str());
        columns.push(
            Column::from_texts(spec, texts, &Missing::default())
                .ok()
                .unwrap(),
        );
        Cube::new(table(columns, self.people.len()))
    }

    /// A release as the engine takes it: labels as opaque texts.
    pub fn published(&self, release: &Release) -> Published {
        let opaque = |at: usize, c: usize| {
            let spec = ColumnSpec::new(self.columns[c].0, Role::QuasiIdentifier);
            let spec = ColumnSpec {
                kind: Some(Kind::Category),
                ..spec
            };
            let texts = release.rows.iter().map(|r| r.0[at].as_str());
            Column::from_texts(spec, texts, &Missing::new(Vec::new()))
                .ok()
                .unwrap()
        };
        let mut columns: Vec<Column> = release
            .columns
            .iter()
            .enumerate()
            .map(|(at, &c)| opaque(at, c))
            .collect();
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new("disease", Role::Sensitive)
        };
        let texts = release.rows.iter().map(|r| r.1.as_str());
        columns.push(
            Column::from_texts(spec, texts, &Missing::default())
                .ok()
                .unwrap(),
        );
        Published::from_table(&table(columns, release.rows.len()))
    }

    /// The standard deviation of the people's numbers, 1 where they do not differ.
    pub fn deviation(&self, c: usize, exact: impl Fn(&str) -> Option<f64>) -> f64 {
        let numbers: Vec<f64> = self.people.iter().filter_map(|p| exact(&p.0[c])).collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance =
            numbers.iter().map(|n| (n - mean) * (n - mean)).sum::<f64>() / numbers.len() as f64;
        // equal numbers may leave a rounding error
        if variance > 1e-18 {
            variance.sqrt()
        } else {
            1.0
        }
    }

    /// A release of random groups, or one that was really made from some of the people, with some
    /// rows left out.
    pub fn release(&self, random: &mut impl Rng, centroids: bool) -> Release {
        let mut columns: Vec<usize> = (0..self.columns.len())
            .filter(|_| random.random_bool(0.8))
            .collect();
        if columns.is_empty() {
            columns.push(0);
        }
        let rows = if random.random_bool(0.5) {
            self.made(random, &columns, centroids)
        } else {
            self.arbitrary(random, &columns, centroids)
        };
        Release {
            columns,
            rows,
            centroids,
        }
    }

    fn arbitrary(
        &self,
        random: &mut impl Rng,
        columns: &[usize],
        centroids: bool,
    ) -> Vec<(Vec<String>, String)> {
        let mut rows = Vec::new();
        for _ in 0..random.random_range(1..20) {
            let label = |random: &mut _, c: usize| {
                if centroids {
                    self.centroid(random, c, &[])
                } else {
                    self.label(random, c)
                }
            };
            let labels: Vec<String> = columns.iter().map(|&c| label(random, c)).collect();
            for _ in 0..random.random_range(1..4) {
                rows.push((labels.clone(), sensitive(random)));
            }
        }
        rows
    }

    /// Some people in groups of at least two; a group's label covers everybody in it.
    fn made(
        &self,
        random: &mut impl Rng,
        columns: &[usize],
        centroids: bool,
    ) -> Vec<(Vec<String>, String)> {
        let mut members: Vec<usize> = (0..self.people.len())
            .filter(|_| random.random_bool(0.7))
            .collect();
        if members.is_empty() {
            members.push(0);
        }
        let by = *columns.choose(random).unwrap();
        members.sort_by_key(|&p| (number(&self.people[p].0[by]), self.people[p].0[by].clone()));
        let size = random.random_range(2..5);
        let mut rows = Vec::new();
        for group in members.chunks(size) {
            let texts = |c: usize| {
                group
                    .iter()
                    .map(|&p| self.people[p].0[c].as_str())
                    .collect::<Vec<_>>()
            };
            let label = |random: &mut _, c: usize| {
                if centroids {
                    self.centroid(random, c, &texts(c))
                } else {
                    covering(random, &self.columns[c].1, &texts(c))
                }
            };
            let labels: Vec<String> = columns.iter().map(|&c| label(random, c)).collect();
            rows.extend(
                group
                    .iter()
                    .map(|&p| (labels.clone(), self.people[p].1.clone())),
            );
        }
        rows
    }

    /// A label of any form, whether or not it covers anybody.
    fn label(&self, random: &mut impl Rng, c: usize) -> String {
        let (name, sort) = &self.columns[c];
        // values that people have, or others
        let one = |random: &mut _| {
            if RngExt::random_bool(random, 0.5) {
                self.people.choose(random).unwrap().0[c].clone()
            } else {
                value(random, name, sort, random_many(name))
            }
        };
        if random.random_bool(0.12) {
            return "*".to_owned();
        }
        if random.random_bool(0.2) {
            return one(random);
        }
        match sort {
            Sort::Number => {
                let (a, b) = (one(random), one(random));
                match (number(&a), number(&b)) {
                    (Some(low), Some(high)) => {
                        range(random, if low <= high { (&a, &b) } else { (&b, &a) })
                    }
                    _ => "*".to_owned(),
                }
            }
            Sort::Day => {
                let days = [one(random), one(random)];
                covering(random, sort, &[&days[0], &days[1]])
            }
            Sort::Code => {
                let mut code: Vec<char> = one(random).chars().collect();
                let hidden = random.random_range(0..4).min(code.len());
                let from = code.len() - hidden;
                code[from..].iter_mut().for_each(|c| *c = '*');
                code.into_iter().collect()
            }
            Sort::Tree(leaves) => {
                if random.random_bool(0.5) {
                    leaves.choose(random).unwrap().1.to_owned()
                } else {
                    set(&[one(random), one(random)])
                }
            }
            Sort::Word => set(&[one(random), one(random), one(random)]),
        }
    }

    /// A centroid of some values, or of none: a mean, or a value.
    fn centroid(&self, random: &mut impl Rng, c: usize, texts: &[&str]) -> String {
        let (name, sort) = &self.columns[c];
        let numbers: Vec<i64> = texts.iter().filter_map(|t| number(t)).collect();
        match sort {
            Sort::Number if !numbers.is_empty() => {
                let mean = numbers.iter().sum::<i64>() / numbers.len() as i64;
                let sign = if mean < 0 { "-" } else { "" };
                format!("{sign}{}.{:03}", mean.abs() / 1000, mean.abs() % 1000)
            }
            Sort::Tree(leaves) if random.random_bool(0.4) => {
                leaves.choose(random).unwrap().1.to_owned()
            }
            _ => match texts.first() {
                Some(text) => (*text).to_owned(),
                None if random.random_bool(0.1) => "*".to_owned(),
                None => value(random, name, sort, false),
            },
        }
    }
}

fn table(columns: Vec<Column>, rows: usize) -> Table {
    let providers = Providers::new(vec!["P".to_owned()]);
    let mut provider_of = Codes::with_capacity(1, rows);
    (0..rows).for_each(|_| provider_of.push(0));
    Table {
        columns,
        providers,
        provider_of,
        person_of: None,
    }
}

pub fn sensitive(random: &mut impl Rng) -> String {
    (*VALUES.choose(random).unwrap()).to_owned()
}

fn value(random: &mut impl Rng, name: &str, sort: &Sort, many: bool) -> String {
    if random.random_bool(0.06) {
        return ["", "?"][random.random_range(0..2)].to_owned();
    }
    match sort {
        Sort::Number if name == "age" => random
            .random_range(if many { -150..150 } else { -3..40 })
            .to_string(),
        Sort::Number => {
            format!(
                "{}.{}",
                random.random_range(0..if many { 300 } else { 4 }),
                random.random_range(0..10)
            )
        }
        Sort::Day => format!("2001-03-{:02}", random.random_range(1..29)),
        Sort::Code => format!(
            "13{}{}{}",
            [0, 4][random.random_range(0..2)],
            digit(random),
            digit(random)
        ),
        Sort::Tree(leaves) => leaves.choose(random).unwrap().0.to_owned(),
        Sort::Word => (*WORDS.choose(random).unwrap()).to_owned(),
    }
}

fn digit(random: &mut impl Rng) -> u8 {
    random.random_range(0..3)
}

/// Wide columns have wide labels.
fn random_many(name: &str) -> bool {
    name == "score"
}

fn range(random: &mut impl Rng, (low, high): (&str, &str)) -> String {
    let wide = |text: &str| {
        if text.contains('.') {
            text.to_owned()
        } else {
            format!("{text}.5")
        }
    };
    match random.random_range(0..12) {
        0 => format!("[{low}, {high})"),
        1 => format!("({low}, {high}]"),
        2 => format!("[{low}, {high}]"),
        3 => format!("<{high}"),
        4 => format!("<={high}"),
        5 => format!(">{low}"),
        6 => format!("≥{low}"),
        7 => format!("{low}-{high}"),
        8 => set(&[low.to_owned(), high.to_owned()]),
        9 => match low.parse::<u32>() {
            Ok(_) => format!("{}*", &low[..low.len() - 1]),
            Err(_) => format!("≤{high}"),
        },
        10 => format!("[{}-{}]", wide(low), wide(high)),
        _ => format!("[{low}-{high}]"),
    }
}

fn set(elements: &[String]) -> String {
    format!("{{{}}}", elements.join("|"))
}

/// A label that covers all of the texts.
pub fn covering(random: &mut impl Rng, sort: &Sort, texts: &[&str]) -> String {
    if texts.iter().any(|t| is_missing(t)) {
        return if texts.iter().all(|t| is_missing(t)) {
            texts[0].to_owned()
        } else {
            "*".to_owned()
        };
    }
    let label = match sort {
        Sort::Number => {
            let low = texts.iter().min_by_key(|t| number(t)).unwrap();
            let high = texts.iter().max_by_key(|t| number(t)).unwrap();
            let forms = [
                format!("[{low}-{high}]"),
                format!("<={high}"),
                format!("≥{low}"),
                format!("[{low}, {high}]"),
            ];
            forms.choose(random).unwrap().clone()
        }
        Sort::Day => {
            let (first, last) = (texts.iter().min().unwrap(), texts.iter().max().unwrap());
            if random.random_bool(0.2) {
                "2001-03".to_owned()
            } else {
                format!("[{first}/{last}]")
            }
        }
        Sort::Code => {
            let same = (0..texts[0].len())
                .take_while(|&at| texts.iter().all(|t| t[..=at] == texts[0][..=at]))
                .count();
            format!("{}{}", &texts[0][..same], "*".repeat(texts[0].len() - same))
        }
        Sort::Tree(leaves) => {
            let up = |t: &str| leaves.iter().find(|(leaf, _)| *leaf == t).unwrap().1;
            if texts.iter().all(|t| up(t) == up(texts[0])) {
                up(texts[0]).to_owned()
            } else {
                "*".to_owned()
            }
        }
        Sort::Word => {
            let elements: std::collections::BTreeSet<&str> = texts.iter().copied().collect();
            set(&elements.into_iter().map(str::to_owned).collect::<Vec<_>>())
        }
    };
    assert!(
        texts.iter().all(|t| covers(sort, &label, t)),
        "{label} does not cover {texts:?}"
    );
    label
}
