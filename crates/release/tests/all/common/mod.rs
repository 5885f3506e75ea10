//! Tables made in memory, partitions by hand, releases in temporary folders.

use mingle_io::{FileHash, Format};
use mingle_model::{
    Cell, Code, Codes, Column, ColumnSpec, Cube, Missing, Partition, PartitionError, Providers,
    Published, Role, Table,
};
use mingle_privacy::{Attribute, Insiders, K, L, Promise, Reach, Rule, Verified, verify};
use mingle_record::utility::UtilityRecord;
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Bundle, Error, Facts, GroupedManifests, InputFile, Target};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const HOSPITALS: [[&str; 4]; 10] = [
    ["24", "98745", "Cancer", "P1"],
    ["35", "12367", "Asthma", "P1"],
    ["22", "98712", "Asthma", "P1"],
    ["38", "98701", "Cancer", "P2"],
    ["37", "12389", "Flu", "P2"],
    ["31", "12399", "Flu", "P2"],
    ["20", "12300", "Epilepsy", "P3"],
    ["39", "98708", "Flu", "P3"],
    ["32", "12337", "Cancer", "P4"],
    ["33", "12388", "Asthma", "P4"],
];

pub fn spec(name: &str, role: Role) -> ColumnSpec {
    ColumnSpec::new(name, role)
}

pub fn hospital_specs() -> Vec<ColumnSpec> {
    vec![
        spec("age", Role::QuasiIdentifier),
        spec("zip", Role::QuasiIdentifier),
        spec("disease", Role::Sensitive),
    ]
}

/// A cell per column, then the provider's name.
pub fn table<S: AsRef<str>>(specs: &[ColumnSpec], rows: &[Vec<S>]) -> Table {
    let missing = Missing::default();
    let column = |(c, spec): (usize, &ColumnSpec)| {
        Column::from_texts(spec.clone(), rows.iter().map(|r| r[c].as_ref()), &missing)
            .ok()
            .unwrap()
    };
    let name = |row: &Vec<S>| row[specs.len()].as_ref().to_owned();
    let providers = Providers::new(rows.iter().map(name).collect());
    let provider_of = rows
        .iter()
        .map(|r| providers.id(&name(r)).unwrap().0)
        .collect::<Codes>();
    Table {
        columns: specs.iter().enumerate().map(column).collect(),
        providers,
        provider_of,
        person_of: None,
    }
}

pub fn hospitals() -> Table {
    table(&hospital_specs(), &HOSPITALS.map(|r| r.to_vec()))
}

/// A table on its way to a release.
pub struct Made {
    pub cube: Arc<Cube>,
}

impl Made {
    pub fn new(table: Table) -> Made {
        Made {
            cube: Arc::new(Cube::new(table)),
        }
    }

    /// Groups by the text of the first quasi-identifier, each labelled with its smallest spans.
    pub fn partition(&self, assign: impl Fn(&str) -> u32) -> Partition {
        let first = &self.cube.quasi_identifiers()[0];
        let mut group_of = Vec::new();
        for tuple in 0..self.cube.tuples() {
            let group = assign(first.domain.text(first.codes.get(tuple)));
            group_of.extend(self.cube.records_of(tuple).map(|_| group));
        }
        self.spans(group_of)
    }

    /// Labels groups with their smallest spans.
    pub fn spans(&self, group_of: Vec<u32>) -> Partition {
        let groups = group_of
            .iter()
            .filter(|g| **g != Partition::SUPPRESSED)
            .max()
            .map_or(0, |g| g + 1);
        let mut cells = Vec::new();
        for group in 0..groups {
            for qi in self.cube.quasi_identifiers() {
                let here = (0..self.cube.tuples())
                    .filter(|&t| self.cube.records_of(t).any(|r| group_of[r] == group));
                let codes: Vec<Code> = here.map(|t| qi.codes.get(t)).collect();
                cells.push(match (codes.iter().min(), codes.iter().max()) {
                    (Some(&lo), Some(&hi)) => Cell::Span { lo, hi },
                    _ => Cell::All,
                });
            }
        }
        Partition { group_of, cells }
    }

    pub fn published(&self, partition: &Partition) -> Result<Published, PartitionError> {
        Published::from_partition(&self.cube, partition, &Missing::default())
    }

    pub fn verified(&self, partition: &Partition, promises: &[Promise]) -> Verified {
        self.verified_against(partition, promises, Insiders::NONE)
    }

    pub fn verified_against(
        &self,
        partition: &Partition,
        promises: &[Promise],
        insiders: Insiders,
    ) -> Verified {
        let published = match insiders.m.0 {
            0 => self.published(partition),
            _ => self.published(&self.widened(partition)),
        };
        verify(published.unwrap(), promises, insiders, Reach::Stated)
            .unwrap()
            .into_verified()
            .unwrap()
    }

    /// All ranges on the grid, where no insider can pin an end on anybody.
    fn widened(&self, partition: &Partition) -> Partition {
        let columns = self.cube.quasi_identifiers();
        let mut cells = partition.cells.clone();
        for (cell, qi) in cells.iter_mut().zip(columns.iter().cycle()) {
            let (Some(grid), &mut Cell::Span { lo, hi }) = (qi.domain.grid(), &mut *cell) else {
                continue;
            };
            if let (Some(low), Some(high)) = (qi.domain.number(lo), qi.domain.number(hi)) {
                *cell = Cell::Between {
                    lo: grid.floor(low),
                    hi: grid.ceil(high),
                };
            }
        }
        Partition {
            group_of: partition.group_of.clone(),
            cells,
        }
    }

    pub fn publish(
        &self,
        verified: &Verified,
        facts: &Facts,
        folder: &Path,
    ) -> Result<GroupedManifests, Error> {
        let bundle = Bundle::grouped(verified, facts)?;
        Ok(bundle.write(Target::folder(folder))?.manifests)
    }
}

/// Three groups of the four hospitals: ages to 31, to 35, above.
pub fn by_age(age: &str) -> u32 {
    match age.parse::<u32>().unwrap() {
        0..=31 => 0,
        32..=35 => 1,
        _ => 2,
    }
}

pub fn k(k: u64) -> Promise {
    Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }
}

pub fn about_first(rule: Rule) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(0)),
    }
}

pub fn distinct(l: u64) -> Promise {
    about_first(Rule::distinct_diversity(L(l)))
}

/// Figures that no public file may hold.
pub fn utility() -> UtilityRecord {
    let figures = json!({
        "rows": 10, "published_rows": 10, "suppressed_rows": 0, "groups": 3,
        "ncp": { "overall": 0.123_456, "columns": [] },
        "discernibility": 34, "average_group_size": 1.25,
        "non_uniform_entropy": { "overall": 0.234_567, "columns": [] },
        "query_error": { "mean": 0.5, "median": 0.25, "queries": 2500, "seed": 4711 },
    });
    serde_json::from_value(figures).unwrap()
}

pub fn facts(format: Format) -> Facts {
    Facts {
        tool_version: "0.1.0".into(),
        format,
        method: "by-hand".into(),
        ranges: "tight".into(),
        missing: Missing::default(),
        people: None,
        policy: serde_json::from_value(json!({
            "data": { "providers": [{ "name": "P1", "path": "p1.csv" }] },
            "privacy": { "k": 3, "l": { "distinct": 2 } },
            "method": { "name": "by-hand", "seed": 4711 },
        }))
        .unwrap(),
        inputs: vec![InputFile {
            name: "p1.csv".into(),
            hash: FileHash {
                sha256: "ab".repeat(32),
                bytes: 17,
            },
        }],
        left_out_before: Default::default(),
        seed: 4711,
        utility: Some(utility()),
        distributions: None,
        composition: None,
        publish_utility: false,
        warnings: vec![RecordedWarning::from(&Problem::new(
            ProblemCode::RepeatedIdentifier,
            "each row is taken for a person",
            "",
        ))],
        reports: None,
    }
}

/// The four hospitals published into a new folder.
pub fn hospital_release(format: Format) -> (tempfile::TempDir, PathBuf) {
    let made = Made::new(hospitals());
    let verified = made.verified(&made.partition(by_age), &[k(3), distinct(2)]);
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    made.publish(&verified, &facts(format), &folder).unwrap();
    (home, folder)
}

/// All files below a folder with their bytes, sorted by relative path.
pub fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
                all.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

pub fn overwrite(path: &Path, bytes: &[u8]) {
    use std::io::Write;
    fs::File::create(path).unwrap().write_all(bytes).unwrap();
}

pub fn holds(bytes: &[u8], token: &str) -> bool {
    bytes.windows(token.len()).any(|w| w == token.as_bytes())
}
