//! Datafly word by word: rows of texts, a label per row and column, classes by equal labels.
//! Nothing is shared with the code that is tested but the judge of a single promise, which is the
//! slow truth of `mingle-privacy`.

use crate::common::EncodeTexts;
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Column, ColumnSpec, HierarchySource, Kind, Number, Providers, Role, SensitiveColumn, Table,
};
use mingle_privacy::oracle::{self, Row};
use mingle_privacy::{Attribute, Distance, Insiders, K, L, M, Promise, Ratio, Rule};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// What could be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// Nothing.
    None,
    /// Ties go to the last column.
    LastOfTies,
    /// Counts original values where current ones count.
    OriginalValues,
    /// Publishes the lowest label that covers a class, not the level's.
    TightLabels,
    /// Compares who is left with the whole table.
    StaleTable,
    /// Leaves out one row more than allowed.
    OneTooMany,
    /// Forgets the insiders.
    OutsiderOnly,
    /// Raises every column at once.
    AllAtOnce,
    /// Looks at the first sensitive attribute only.
    FirstAttributeOnly,
}

impl Bug {
    pub const ALL: [Bug; 8] = [
        Bug::LastOfTies,
        Bug::OriginalValues,
        Bug::TightLabels,
        Bug::StaleTable,
        Bug::OneTooMany,
        Bug::OutsiderOnly,
        Bug::AllAtOnce,
        Bug::FirstAttributeOnly,
    ];
}

/// A table with what is asked of it.
pub struct Made {
    pub table: Table,
    pub promises: Vec<Promise>,
    pub insiders: Insiders,
    pub max_suppressed: u64,
    /// Per quasi-identifier and row the labels from the value up to `*`.
    paths: Vec<Vec<Vec<String>>>,
}

impl Made {
    /// For tables whose outcome is known without the oracle.
    pub fn of(
        table: Table,
        promises: Vec<Promise>,
        insiders: Insiders,
        max_suppressed: u64,
    ) -> Made {
        Made {
            table,
            promises,
            insiders,
            max_suppressed,
            paths: Vec::new(),
        }
    }

    /// The same people in the opposite order.
    pub fn reversed(&self) -> Made {
        let column = |c: &Column| {
            let codes: Vec<u32> = c.codes.iter().collect();
            Column {
                spec: c.spec.clone(),
                domain: c.domain.clone(),
                codes: codes.into_iter().rev().collect(),
            }
        };
        let providers: Vec<u32> = self.table.provider_of.iter().collect();
        let table = Table {
            columns: self.table.columns.iter().map(column).collect(),
            providers: self.table.providers.clone(),
            provider_of: providers.into_iter().rev().collect(),
            person_of: None,
        };
        Made::of(
            table,
            self.promises.clone(),
            self.insiders,
            self.max_suppressed,
        )
    }
}

/// How a column generalizes, in texts.
enum Tree {
    None,
    Mask(usize),
    Intervals(Vec<i128>),
    File(Vec<Vec<String>>),
}

impl Tree {
    fn random(rng: &mut ChaCha8Rng) -> Tree {
        match rng.random_range(0..4) {
            0 => Tree::None,
            1 => Tree::Mask(rng.random_range(1..3)),
            2 => Tree::Intervals([2, 4, 8][..rng.random_range(1..4)].to_vec()),
            _ => Tree::File(file(rng)),
        }
    }

    fn value(&self, rng: &mut ChaCha8Rng) -> String {
        match self {
            Tree::Mask(_) => ["abc", "abd", "ace", "bcf", "bcg"][rng.random_range(0..5)].to_owned(),
            Tree::Intervals(_) => rng.random_range(-4..10).to_string(),
            Tree::None | Tree::File(_) => format!("v{}", rng.random_range(0..6)),
        }
    }

    fn source(&self) -> Option<HierarchySource> {
        match self {
            Tree::None => None,
            Tree::Mask(hidden) => Some(HierarchySource::Mask(*hidden)),
            Tree::Intervals(widths) => {
                let width = |w: &i128| Number::parse(&w.to_string()).expect("a number");
                Some(HierarchySource::Intervals(
                    widths.iter().map(width).collect(),
                ))
            }
            Tree::File(rows) => {
                let rows = rows
                    .iter()
                    .enumerate()
                    .map(|(at, row)| (at as u64 + 1, row.clone()))
                    .collect();
                Some(HierarchySource::Rows(HierarchyRows {
                    file: "made.csv".into(),
                    rows,
                }))
            }
        }
    }

    fn kind(&self) -> Kind {
        if matches!(self, Tree::Intervals(_)) {
            Kind::Integer
        } else {
            Kind::Category
        }
    }

    /// The labels of a value from itself up to `*`. A missing value is published as the empty text.
    fn path(&self, text: &str) -> Vec<String> {
        let inner: Vec<String> = match self {
            Tree::None => Vec::new(),
            Tree::Mask(hidden) => (1..=*hidden)
                .map(|n| format!("{}{}", &text[..text.len().saturating_sub(n)], "*".repeat(n)))
                .collect(),
            Tree::Intervals(widths) => widths.iter().map(|width| interval(text, *width)).collect(),
            Tree::File(rows) => match rows.iter().find(|row| row[0] == text) {
                Some(row) => row[1..row.len() - 1].to_vec(),
                None => vec![String::new(); rows[0].len() - 2],
            },
        };
        let placed = matches!(self, Tree::File(_)) || text != "?";
        let inner = inner
            .into_iter()
            .map(|label| if placed { label } else { String::new() });
        let own = if text == "?" {
            String::new()
        } else {
            text.to_owned()
        };
        [own]
            .into_iter()
            .chain(inner)
            .chain(["*".to_owned()])
            .collect()
    }
}

fn interval(text: &str, width: i128) -> String {
    let Ok(number) = text.parse::<i128>() else {
        return String::new();
    };
    let low = (-100..100)
        .map(|n| n * width)
        .rfind(|low| *low <= number)
        .expect("numbers are small");
    format!("[{low}-{}]", low + width - 1)
}

/// Six values, and perhaps a place for the missing one.
fn file(rng: &mut ChaCha8Rng) -> Vec<Vec<String>> {
    let height = rng.random_range(1..4);
    let spread = rng.random_range(2..4);
    let path = |leaf: String, at: usize| {
        let inner = [format!("n{}", at / spread), format!("m{}", at / spread / 2)];
        [leaf]
            .into_iter()
            .chain(inner.into_iter().take(height - 1))
            .chain(["all".to_owned()])
            .collect()
    };
    let mut rows: Vec<Vec<String>> = (0..6).map(|at| path(format!("v{at}"), at)).collect();
    if rng.random_bool(0.5) {
        rows.push(path("?".to_owned(), rng.random_range(0..8)));
    }
    rows
}

/// A small random table, promises, insiders, and how many rows may be left out.
pub fn made(rng: &mut ChaCha8Rng) -> Made {
    let insiders = if rng.random_bool(0.3) {
        Insiders::victim(M(1))
    } else {
        Insiders::NONE
    };
    let rows = if insiders.m.0 > 0 {
        rng.random_range(1..9)
    } else {
        rng.random_range(1..15)
    };
    let mut columns = Vec::new();
    let mut paths = Vec::new();
    for at in 0..rng.random_range(1..4) {
        let tree = Tree::random(rng);
        // where nothing is there, a hierarchy has no levels to speak of
        let missing = |rng: &mut ChaCha8Rng, row: usize| row > 0 && rng.random_bool(0.12);
        let texts: Vec<String> = (0..rows)
            .map(|row| {
                if missing(rng, row) {
                    "?".to_owned()
                } else {
                    tree.value(rng)
                }
            })
            .collect();
        paths.push(texts.iter().map(|text| tree.path(text)).collect());
        let spec = ColumnSpec::new(format!("q{at}"), Role::QuasiIdentifier);
        let spec = ColumnSpec {
            hierarchy: tree.source(),
            kind: Some(tree.kind()),
            ..spec
        };
        columns.push(Column::encode_texts(spec, &texts));
    }
    let attributes = rng.random_range(1..3);
    columns.extend((0..attributes).map(|at| sensitive(rng, at, rows)));
    let numbers: Vec<String> = (0..rows).map(|row| row.to_string()).collect();
    columns.push(Column::encode_texts(
        ColumnSpec::new("row", Role::Insensitive),
        &numbers,
    ));
    let providers = Providers::new(vec!["A".into(), "B".into(), "C".into()]);
    let provider_of = (0..rows).map(|_| rng.random_range(0..3)).collect();
    let table = Table {
        columns,
        providers,
        provider_of,
        person_of: None,
    };
    let max_suppressed = if rng.random_bool(0.5) {
        0
    } else {
        rng.random_range(0..=rows as u64)
    };
    Made {
        table,
        promises: promises(rng, attributes),
        insiders,
        max_suppressed,
        paths,
    }
}

/// Small numbers with an order and a hierarchy, so that every distance is defined.
fn sensitive(rng: &mut ChaCha8Rng, at: usize, rows: usize) -> Column {
    let hierarchy = Tree::Intervals(vec![2]).source();
    let spec = ColumnSpec::new(format!("s{at}"), Role::Sensitive);
    let spec = ColumnSpec {
        hierarchy,
        kind: Some(Kind::Integer),
        ..spec
    };
    let texts: Vec<String> = (0..rows)
        .map(|row| {
            if row > 0 && rng.random_bool(0.08) {
                "?".to_owned()
            } else {
                rng.random_range(0..4).to_string()
            }
        })
        .collect();
    Column::encode_texts(spec, &texts)
}

fn promises(rng: &mut ChaCha8Rng, attributes: usize) -> Vec<Promise> {
    let ratio = |n, d| Ratio::new(n, d).expect("the denominator is not zero");
    let mut promises = vec![Promise {
        rule: Rule::k_anonymity(K(rng.random_range(1..4))),
        attribute: None,
    }];
    for column in 0..attributes {
        let distance =
            [Distance::Equal, Distance::Ordered, Distance::Hierarchical][rng.random_range(0..3)];
        let rule = match rng.random_range(0..10) {
            0 => Rule::distinct_diversity(L(rng.random_range(1..4))),
            1 => Rule::entropy_diversity(ratio(rng.random_range(10..25), 10)),
            2 => Rule::recursive_diversity(
                ratio(rng.random_range(1..6), 2),
                L(rng.random_range(1..4)),
            ),
            3 => Rule::max_frequency(ratio(rng.random_range(3..11), 10)),
            4..8 => Rule::t_closeness(ratio(rng.random_range(1..9), 10), distance),
            _ => continue,
        };
        promises.push(Promise {
            rule,
            attribute: Some(Attribute::Column(column)),
        });
    }
    promises
}

/// What the definition publishes, or that nothing can be.
pub fn outcome(made: &Made, bug: Bug) -> Option<Vec<Option<Vec<String>>>> {
    let oracle = Oracle::new(made, bug);
    let mut levels = vec![0; made.paths.len()];
    loop {
        let classes = oracle.classes(&levels);
        if let Some(kept) = oracle.kept(&classes) {
            let labels = |row: usize| {
                kept.contains(&row)
                    .then(|| oracle.labels(&classes, &levels, row))
            };
            return Some((0..made.table.rows()).map(labels).collect());
        }
        oracle.step(&mut levels)?;
    }
}

struct Oracle<'a> {
    made: &'a Made,
    bug: Bug,
    sensitive: Vec<SensitiveColumn>,
    people: Vec<Row>,
}

/// The rows of each class.
type Classes = Vec<Vec<usize>>;

impl<'a> Oracle<'a> {
    fn new(made: &'a Made, bug: Bug) -> Self {
        let columns: Vec<&Column> = made.table.with_role(Role::Sensitive).collect();
        let column = |c: &&Column| SensitiveColumn {
            name: c.spec.name.clone(),
            domain: c.domain.clone(),
            codes: c.codes.clone(),
        };
        let person = |row: usize| columns.iter().map(|c| c.codes.get(row)).collect();
        let people = (0..made.table.rows()).map(person).collect();
        Oracle {
            made,
            bug,
            sensitive: columns.iter().map(column).collect(),
            people,
        }
    }

    fn label(&self, column: usize, level: usize, row: usize) -> &str {
        &self.made.paths[column][row][level]
    }

    fn classes(&self, levels: &[usize]) -> Classes {
        let mut classes: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
        for row in 0..self.people.len() {
            let labels = levels
                .iter()
                .enumerate()
                .map(|(column, &level)| self.label(column, level, row))
                .collect();
            classes.entry(labels).or_default().push(row);
        }
        classes.into_values().collect()
    }

    fn labels(&self, classes: &Classes, levels: &[usize], row: usize) -> Vec<String> {
        let class = classes
            .iter()
            .find(|class| class.contains(&row))
            .expect("every row has a class");
        let label = |(column, &level): (usize, &usize)| {
            let agree = |level: &usize| {
                class.iter().all(|&other| {
                    self.label(column, *level, other) == self.label(column, *level, row)
                })
            };
            let level = if self.bug == Bug::TightLabels {
                (0..=level).find(agree).unwrap_or(level)
            } else {
                level
            };
            self.label(column, level, row).to_owned()
        };
        levels.iter().enumerate().map(label).collect()
    }

    /// The rows that are published, if this state may be.
    fn kept(&self, classes: &Classes) -> Option<BTreeSet<usize>> {
        let everybody: Vec<usize> = (0..self.people.len()).collect();
        let (kept, failing): (Vec<_>, Vec<_>) = classes
            .iter()
            .partition(|class| self.holds(class, &everybody));
        let most = self.made.max_suppressed as usize + usize::from(self.bug == Bug::OneTooMany);
        let left: Vec<usize> = kept
            .iter()
            .flat_map(|class| class.iter().copied())
            .collect();
        let table = if self.bug == Bug::StaleTable {
            &everybody
        } else {
            &left
        };
        let fine = failing.iter().map(|class| class.len()).sum::<usize>() <= most
            && !left.is_empty()
            && kept.iter().all(|class| self.holds(class, table));
        fine.then(|| left.into_iter().collect())
    }

    fn step(&self, levels: &mut [usize]) -> Option<()> {
        let open: Vec<usize> = (0..levels.len())
            .filter(|&c| levels[c] + 1 < self.made.paths[c][0].len())
            .collect();
        let values = |column: usize| {
            let level = if self.bug == Bug::OriginalValues {
                0
            } else {
                levels[column]
            };
            (0..self.people.len())
                .map(|row| self.label(column, level, row))
                .collect::<BTreeSet<_>>()
                .len()
        };
        let most = open.iter().map(|&column| values(column)).max()?;
        let mut best = open
            .iter()
            .copied()
            .filter(|&column| values(column) == most);
        let chosen = if self.bug == Bug::LastOfTies {
            best.next_back()
        } else {
            best.next()
        };
        match self.bug {
            Bug::AllAtOnce => open.iter().for_each(|&column| levels[column] += 1),
            _ => levels[chosen.expect("some column has the most values")] += 1,
        }
        Some(())
    }

    /// Every promise, for the outsider and for whatever a coalition may leave.
    fn holds(&self, class: &[usize], table: &[usize]) -> bool {
        let provider = |row: usize| self.made.table.provider_of.get(row);
        let contributors: BTreeSet<u32> = class.iter().map(|&row| provider(row)).collect();
        let one_insider =
            self.made.insiders.m.0 == 1 && contributors.len() > 1 && self.bug != Bug::OutsiderOnly;
        let insiders: Vec<u32> = if one_insider {
            contributors.into_iter().collect()
        } else {
            Vec::new()
        };
        self.judge(class, table)
            && insiders.iter().all(|&insider| {
                let (own, others): (Vec<usize>, Vec<usize>) =
                    class.iter().partition(|&&row| provider(row) == insider);
                let staying = |set: u32| {
                    own.iter()
                        .enumerate()
                        .filter(move |(at, _)| set >> at & 1 == 1)
                };
                let left = |set: u32| {
                    others
                        .iter()
                        .chain(staying(set).map(|(_, row)| row))
                        .copied()
                };
                (0..1u32 << own.len()).all(|set| self.judge(&left(set).collect::<Vec<_>>(), table))
            })
    }

    fn judge(&self, rows: &[usize], table: &[usize]) -> bool {
        let people = |rows: &[usize]| -> Vec<Row> {
            rows.iter().map(|&row| self.people[row].clone()).collect()
        };
        let (group, table) = (people(rows), people(table));
        let asked = self.made.promises.iter();
        let seen = |p: &&Promise| {
            self.bug != Bug::FirstAttributeOnly || p.attribute != Some(Attribute::Column(1))
        };
        asked
            .filter(seen)
            .all(|promise| oracle::holds(promise, &self.sensitive, &group, &table))
    }
}
