//! The naive reference: merge whatever costs least, over all pairs, until every group has k rows.
//!
//! Quadratic in distinct tuples, so it runs on samples. It knows nothing of the program's search:
//! own cost function, own loops. Growing a group that already has k rows is discouraged by a
//! penalty, without which it does much worse.

use crate::settings::TableSetting;
use mingle_io::{ReadOptions, Source, Undeclared, read_hierarchy, read_table};
use mingle_model::{Code, ColumnSpec, Cube, Domain, HierarchySource, Number, Role, date};
use std::path::Path;

/// The normalized certainty penalty that the reference reaches on the setting's table.
pub fn ncp(setting: &TableSetting, k: u64) -> f64 {
    let cube = read(setting);
    let mut groups: Vec<ReferenceGroup> = (0..cube.tuples())
        .map(|t| ReferenceGroup::of(&cube, t))
        .collect();
    let mut best: Vec<Option<(f64, usize)>> = (0..groups.len())
        .map(|g| partner(&cube, &groups, g, k))
        .collect();
    loop {
        let open = (0..groups.len()).filter(|&g| groups[g].rows > 0 && groups[g].rows < k);
        let Some((_, a, b)) = open
            .filter_map(|g| best[g].map(|(cost, other)| (cost, g, other)))
            .min_by(|x, y| x.0.total_cmp(&y.0))
        else {
            break;
        };
        let other = std::mem::replace(
            &mut groups[b],
            ReferenceGroup {
                rows: 0,
                spans: Vec::new(),
                sets: Vec::new(),
            },
        );
        groups[a].join(&other);
        for g in 0..groups.len() {
            let stale = g == a || best[g].is_some_and(|(_, other)| other == a || other == b);
            if groups[g].rows > 0 && groups[g].rows < k && stale {
                best[g] = partner(&cube, &groups, g, k);
            }
        }
    }
    let total: f64 = groups
        .iter()
        .filter(|g| g.rows > 0)
        .map(|g| g.rows as f64 * g.loss(&cube))
        .sum();
    total / cube.rows() as f64 / cube.quasi_identifiers().len() as f64
}

/// Reads the quasi-identifiers of a setting.
pub fn read(setting: &TableSetting) -> Cube {
    let spec = |(name, hierarchy): &(&'static str, Option<String>)| ColumnSpec {
        hierarchy: hierarchy.as_deref().map(source),
        ..ColumnSpec::new(*name, Role::QuasiIdentifier)
    };
    let columns: Vec<ColumnSpec> = setting.quasi_identifiers.iter().map(spec).collect();
    let table = Source::new(&setting.table, setting.name);
    let input = read_table(
        &[table],
        None,
        &columns,
        Undeclared::Drop,
        &ReadOptions::default(),
    );
    Cube::new(input.unwrap_or_else(|e| panic!("{e}")).table)
}

/// The few forms of hierarchies that the settings use.
fn source(text: &str) -> HierarchySource {
    let digits = |t: &str| t.chars().filter(char::is_ascii_digit).collect::<String>();
    if text.contains("mask") {
        return HierarchySource::Mask(digits(text).parse().expect("a number of characters"));
    }
    if text.contains("dates") {
        return HierarchySource::Dates(date::Level::ALL.into());
    }
    if text.contains("intervals") {
        return HierarchySource::Intervals(vec![Number::parse(&digits(text)).expect("a width")]);
    }
    let path = text.trim_matches('"');
    HierarchySource::Rows(read_hierarchy(Path::new(path), path).unwrap_or_else(|e| panic!("{e}")))
}

/// Rows that are published alike.
pub struct ReferenceGroup {
    rows: u64,
    spans: Vec<(Code, Code)>,
    sets: Vec<Vec<Code>>,
}

impl ReferenceGroup {
    /// The rows of one tuple.
    pub fn of(cube: &Cube, tuple: usize) -> ReferenceGroup {
        let codes = || {
            cube.quasi_identifiers()
                .iter()
                .map(|qi| qi.codes.get(tuple))
        };
        ReferenceGroup {
            rows: cube.weight(tuple),
            spans: codes().map(|c| (c, c)).collect(),
            sets: codes().map(|c| vec![c]).collect(),
        }
    }

    /// Takes in another group's rows.
    pub fn join(&mut self, other: &ReferenceGroup) {
        self.rows += other.rows;
        for (a, b) in self.spans.iter_mut().zip(&other.spans) {
            *a = (a.0.min(b.0), a.1.max(b.1));
        }
        for (a, b) in self.sets.iter_mut().zip(&other.sets) {
            *a = union(a, b);
        }
    }

    /// What each row loses: the penalties of all columns together.
    pub fn loss(&self, cube: &Cube) -> f64 {
        let columns = cube
            .quasi_identifiers()
            .iter()
            .zip(self.spans.iter().zip(&self.sets));
        columns
            .map(|(qi, (&span, set))| cost(&qi.domain, span, set.len()))
            .sum()
    }

    fn loss_with(&self, other: &ReferenceGroup, cube: &Cube) -> f64 {
        let mut sum = 0.0;
        for (c, qi) in cube.quasi_identifiers().iter().enumerate() {
            let (a, b) = (self.spans[c], other.spans[c]);
            let values = if qi.domain.is_flat() {
                union(&self.sets[c], &other.sets[c]).len()
            } else {
                0
            };
            sum += cost(&qi.domain, (a.0.min(b.0), a.1.max(b.1)), values);
        }
        sum
    }
}

fn union(a: &[Code], b: &[Code]) -> Vec<Code> {
    let mut all: Vec<Code> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn cost(domain: &Domain, (lo, hi): (Code, Code), values: usize) -> f64 {
    if lo == hi {
        return 0.0;
    }
    if let Some(tree) = domain.hierarchy() {
        let (level, node) = tree.lowest_common_ancestor(lo, hi);
        let (first, last) = tree.leaves(level, node);
        return f64::from(last - first + 1) / domain.len() as f64;
    }
    if !domain.kind().is_numeric() {
        return values as f64 / domain.len() as f64;
    }
    let (low, high) = domain
        .extent()
        .expect("a column with two values has numbers");
    match (domain.number(lo), domain.number(hi)) {
        (Some(a), Some(b)) => (b - a) as f64 / (high - low) as f64,
        _ => 1.0,
    }
}

fn partner(cube: &Cube, groups: &[ReferenceGroup], g: usize, k: u64) -> Option<(f64, usize)> {
    let own = &groups[g];
    if own.rows >= k {
        return None;
    }
    let before = own.rows as f64 * own.loss(cube);
    let score = |other: &ReferenceGroup| {
        let both = (own.rows + other.rows) as f64;
        let growth =
            both * own.loss_with(other, cube) - before - other.rows as f64 * other.loss(cube);
        let penalty = if other.rows >= k {
            0.2 * (own.rows * other.rows) as f64
        } else {
            0.0
        };
        growth + penalty
    };
    let others = groups
        .iter()
        .enumerate()
        .filter(|(o, other)| *o != g && other.rows > 0);
    others
        .map(|(o, other)| (score(other), o))
        .min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)))
}
