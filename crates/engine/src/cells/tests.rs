//! Parts against the whole: what is decided by parts is what is decided at once, and cells have every
//! row once.

use super::{CellTree, PartCounts, TablePart, TreeGrowth, check_published};
use crate::run::Run;
use mingle_io::{ReadOptions, TextTable, Undeclared};
use mingle_model::{ColumnSpec, Kind, Missing, Published, Role};
use mingle_policy::Policy;
use mingle_privacy::{Reach, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

const PROMISED: [&str; 6] = [
    "k = 3\nm = 0",
    "k = 2\nm = 1",
    "k = 2\nm = 1\nl = { distinct = 2 }",
    "k = 2\nm = 0\nt = { max = 0.4, distance = \"equal\" }",
    "k = 2\nm = 1\nmax_frequency = 0.75",
    "k = 1\nm = 1\nsemantics = \"strict\"\nsite_diversity = 1",
];

fn policy(promised: &str) -> Policy {
    let text = format!(
        "[data]\nprovider_column = \"site\"\nperson = \"row\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         [columns.zip]\nrole = \"quasi-identifier\"\nkind = \"category\"\n[columns.disease]\nrole = \"sensitive\"\n\
         [privacy]\n{promised}\n"
    );
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    Policy::load(file.path(), &[]).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Age, zip, site, disease and how often.
type Line = ([String; 4], u64);

fn lines(numbers: &mut Numbers, ages: u64) -> Vec<Line> {
    let mut counted: BTreeMap<[String; 4], u64> = BTreeMap::new();
    for _ in 0..4 + numbers.below(40) {
        let line = [
            (20 + numbers.below(ages)).to_string(),
            format!("z{}", numbers.below(2)),
            format!("P{}", numbers.below(3)),
            format!("d{}", numbers.below(3)),
        ];
        *counted.entry(line).or_default() += 1 + numbers.below(2);
    }
    counted.into_iter().collect()
}

fn table(lines: &[Line]) -> TextTable {
    let column = |place: usize| -> Vec<String> {
        lines
            .iter()
            .map(|(cells, _)| cells[place].clone())
            .collect()
    };
    let columns = [
        ("age", column(0)),
        ("zip", column(1)),
        ("site", column(2)),
        ("disease", column(3)),
    ];
    TextTable::new("part", columns).ok().unwrap()
}

/// Rows that stand for all lines: each of them once, the first of a disease with its count.
fn standing(lines: &[Line]) -> Vec<Line> {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (cells, count) in lines {
        *counts.entry(&cells[3]).or_default() += count;
    }
    let mut standing = Vec::new();
    for (cells, _) in lines {
        let count = counts.remove(cells[3].as_str()).unwrap_or(0);
        standing.push((cells.clone(), count));
    }
    standing
}

/// What stands for the whole, then a part of it.
fn part(all: &[Line], some: &[Line]) -> (TextTable, PartCounts) {
    let mut joined = standing(all);
    let standing = joined.len();
    joined.extend_from_slice(some);
    let counts = joined.iter().map(|(_, count)| *count).collect();
    (table(&joined), PartCounts { standing, counts })
}

fn whole_verdict(policy: &Policy, lines: &[Line]) -> bool {
    let specs: Vec<ColumnSpec> = [
        ("age", Role::QuasiIdentifier),
        ("zip", Role::QuasiIdentifier),
        ("disease", Role::Sensitive),
    ]
    .map(|(name, role)| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(name, role)
    })
    .to_vec();
    let options = ReadOptions {
        missing: Missing::new(Vec::new()),
        ..ReadOptions::default()
    };
    let source = [table(lines)];
    let read = mingle_io::read_table(&source, Some("site"), &specs, Undeclared::Drop, &options);
    let read = read.ok().unwrap().table;
    let counts: Vec<u64> = lines.iter().map(|(_, count)| *count).collect();
    let published = Published::from_counts(&read, &counts).unwrap();
    let insiders = policy.insiders(3).ok().unwrap();
    let promises = &policy.privacy().ok().unwrap().promises;
    let verification =
        mingle_privacy::verify(published, promises, insiders, Reach::Stated).unwrap();
    *verification.verdict() == Verdict::Holds
}

#[test]
fn parts_are_decided_as_the_whole_is() {
    let mut numbers = Numbers(7);
    let mut seen = BTreeSet::new();
    for round in 0..400 {
        let promised = PROMISED[round % PROMISED.len()];
        let policy = policy(promised);
        let all = lines(&mut numbers, 2);
        let expected = whole_verdict(&policy, &all);
        let insiders = policy.insiders(3).ok().unwrap();
        let mut groups: BTreeMap<[String; 2], Vec<Line>> = BTreeMap::new();
        for line in &all {
            let label = [line.0[0].clone(), line.0[1].clone()];
            groups.entry(label).or_default().push(line.clone());
        }
        let mut parts: [Vec<Line>; 2] = [Vec::new(), Vec::new()];
        for group in groups.values() {
            parts[numbers.below(2) as usize].extend_from_slice(group);
        }
        let mut holds = true;
        let mut found = 0;
        for some in parts.iter().filter(|some| !some.is_empty()) {
            let (table, counts) = part(&all, some);
            let check = check_published(&policy, &table, counts, insiders)
                .ok()
                .unwrap();
            holds &= check.holds();
            found += check.groups;
        }
        assert_eq!((holds, found), (expected, groups.len() as u64), "{round}");
        seen.insert((promised, holds));
    }
    // a comparison that always comes out one way would show nothing
    assert_eq!(seen.len(), 2 * PROMISED.len());
}

fn read<'p>(policy: &'p Policy, all: &[Line], some: &[Line]) -> TablePart<'p> {
    let (table, counts) = part(all, some);
    TablePart::read(policy, table, counts, &Run::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn cells_have_every_row_once_and_keep_what_is_promised() {
    let mut numbers = Numbers(3);
    let mut cuts = 0;
    for round in 0..120 {
        let policy = policy(PROMISED[round % PROMISED.len()]);
        let all = lines(&mut numbers, 12);
        let cell_rows = 3 + numbers.below(6);
        let mut growth = TreeGrowth::new(&read(&policy, &all, &[]), cell_rows)
            .ok()
            .unwrap();
        loop {
            let open = growth.open_cells();
            let mut counted = read(&policy, &all, &all)
                .histogram(growth.tree())
                .ok()
                .unwrap();
            counted.retain(|line| open.contains(&line.cell));
            if !growth.grow(&counted).ok().unwrap() {
                break;
            }
        }
        let cells = read(&policy, &all, &all).cells(growth.tree()).ok().unwrap();
        let grown = growth.grown();
        let mut of_cell: BTreeMap<u32, Vec<Line>> = BTreeMap::new();
        for (line, cell) in all.iter().zip(cells) {
            of_cell.entry(cell).or_default().push(line.clone());
        }
        let expected: Vec<(u32, u64, u64)> = of_cell
            .iter()
            .map(|(cell, lines)| {
                let rows = lines.iter().map(|(_, count)| count).sum();
                (*cell, rows, lines.len() as u64)
            })
            .collect();
        let found: Vec<_> = grown.iter().map(|c| (c.cell, c.rows, c.distinct)).collect();
        assert_eq!(found, expected, "{round}");
        if grown.len() < 2 {
            continue;
        }
        cuts += grown.len() - 1;
        let insiders = policy.insiders(3).ok().unwrap();
        for lines in of_cell.values() {
            // as one group, with one label
            let mut alike = lines.clone();
            for (cells, _) in &mut alike {
                cells[0] = "*".to_owned();
                cells[1] = "*".to_owned();
            }
            let (table, counts) = part(&all, &alike);
            let check = check_published(&policy, &table, counts, insiders)
                .ok()
                .unwrap();
            assert!(check.holds() && check.groups == 1, "{round}");
            // so the method finds something, and it is verified
            let cell = read(&policy, &all, lines).anonymize(&Run::default());
            let cell = cell.unwrap_or_else(|e| panic!("{round}: {e:?}"));
            let published: u64 = cell
                .lines()
                .ok()
                .unwrap()
                .iter()
                .map(|line| line.count)
                .sum();
            assert_eq!(published, lines.iter().map(|(_, count)| count).sum::<u64>());
        }
    }
    assert!(cuts > 60, "{cuts}");
}

/// Every end of a range that only one provider attains in its group is a boundary of the whole
/// table's grid, though a cell has some of its values only.
#[test]
fn ends_are_moved_to_the_grid_of_the_whole_table() {
    let policy = policy("k = 4\nm = 1");
    let mut numbers = Numbers(7);
    let mut moved = 0;
    for round in 0..20 {
        let mut all: Vec<Line> = Vec::new();
        for age in 0..200 {
            // ages are far apart below 4,000 and close above it
            let age = if age < 100 { 40 * age } else { 4_000 + age };
            let cells = [
                age.to_string(),
                "z0".to_owned(),
                format!("P{}", numbers.below(3)),
                format!("d{}", numbers.below(3)),
            ];
            all.push((cells, 1));
        }
        let whole = read(&policy, &all, &all);
        let grid = whole.quasi_identifiers()[0].domain.grid().unwrap();
        for lines in all.chunks(100) {
            let own = read(&policy, lines, lines);
            assert_ne!(own.quasi_identifiers()[0].domain.grid(), Some(grid));
            let cell = read(&policy, &all, lines).anonymize(&Run::default());
            let cell = cell.unwrap_or_else(|e| panic!("{round}: {e:?}"));
            for line in cell.lines().ok().unwrap() {
                let Some(range) = line.labels[0].strip_prefix('[') else {
                    continue;
                };
                let (low, high) = range.trim_end_matches(']').split_once('-').unwrap();
                let (low, high): (i128, i128) = (low.parse().unwrap(), high.parse().unwrap());
                // each age is one row, so nobody else attains it
                assert_eq!((grid.floor(low), grid.ceil(high)), (low, high), "{round}");
                moved += 1;
            }
        }
    }
    assert!(moved > 1_000, "{moved}");
}

/// Who is left out must not show in labels, so a cell of a table that may leave rows out keeps to its
/// own values.
#[test]
fn where_rows_may_be_left_out_a_cell_has_its_own_grid() {
    let mut strict = policy("k = 4\nm = 1");
    let mut numbers = Numbers(3);
    let all = lines(&mut numbers, 60);
    assert!(read(&strict, &all, &all).has_common_grid());
    strict.method.max_suppressed = mingle_privacy::Ratio::new(1, 10).unwrap();
    assert!(!read(&strict, &all, &all).has_common_grid());
}

#[test]
fn rows_of_another_table_are_noticed() {
    let policy = policy("k = 2\nm = 0");
    let mut numbers = Numbers(1);
    let all = lines(&mut numbers, 3);
    let mut other = all[0].clone();
    other.0[3] = "unheard of".to_owned();
    let part = read(&policy, &all, &[other]);
    assert!(part.histogram(&CellTree::whole()).is_err());
    assert!(part.anonymize(&Run::default()).is_err());
}

#[test]
fn a_tree_that_leads_nowhere_is_refused() {
    let policy = policy("k = 2\nm = 0");
    let mut numbers = Numbers(1);
    let all = lines(&mut numbers, 3);
    let part = read(&policy, &all, &all);
    for text in [
        r#"{"nodes":[]}"#,
        r#"{"nodes":[{"cut":{"column":0,"last":0,"below":0,"above":0}}]}"#,
        r#"{"nodes":[{"cut":{"column":9,"last":0,"below":1,"above":2}},"cell","cell"]}"#,
        r#"{"nodes":[{"cut":{"column":0,"last":0,"below":1,"above":7}},"cell"]}"#,
    ] {
        let tree: CellTree = serde_json::from_str(text).unwrap();
        assert!(part.cells(&tree).is_err(), "{text}");
    }
}
