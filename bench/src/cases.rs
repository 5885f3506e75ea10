//! The settings in which methods are compared: a table and promises each.
//!
//! Public tables are projected to the columns that a setting uses, so that every method and every
//! tool reads the same plain CSV file. With `TableShare::Quick` every tenth row is kept, and made-up
//! tables have a tenth of their rows.

use crate::made::{self, LatentShape, MadeTable};
use crate::program;
use crate::settings::{ENCOUNTERS, IPUMS, NINE};
use flate2::read::GzDecoder;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How much of every table is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TableShare {
    /// All of it.
    Full,
    /// A tenth.
    Quick,
}

impl TableShare {
    /// Every so many rows one is kept.
    pub fn every(self) -> usize {
        match self {
            TableShare::Full => 1,
            TableShare::Quick => 10,
        }
    }
}

/// A column that somebody may know.
#[derive(Clone)]
pub struct CaseColumn {
    /// Its name.
    pub name: String,
    /// The kind that the policy declares.
    pub kind: Option<&'static str>,
    /// A hierarchy file.
    pub hierarchy: Option<PathBuf>,
}

/// A table and promises.
#[derive(Clone)]
pub struct MethodCase {
    /// Short, for `--only`.
    pub name: &'static str,
    /// The table, a CSV file.
    pub table: PathBuf,
    /// What somebody may know.
    pub columns: Vec<CaseColumn>,
    /// What nobody may learn.
    pub sensitive: Vec<&'static str>,
    /// The column that says who contributed a row.
    pub provider: Option<&'static str>,
    /// What is promised.
    pub promises: CasePromises,
}

/// What is promised in a setting.
#[derive(Clone, Copy, Default)]
pub struct CasePromises {
    /// k-anonymity.
    pub k: u32,
    /// Distinct l-diversity; 0 for none.
    pub distinct: u32,
    /// t-closeness with the equal distance.
    pub t: Option<f64>,
    /// How many providers may collude.
    pub m: u32,
}

impl MethodCase {
    /// Whether all columns have hierarchies, which other tools need.
    pub fn has_hierarchies(&self) -> bool {
        self.columns.iter().all(|column| column.hierarchy.is_some())
    }

    /// What is promised, in a few words.
    pub fn promise_words(&self) -> String {
        let promises = &self.promises;
        let mut words = format!("k = {}", promises.k);
        if promises.distinct > 0 {
            let _ = write!(words, ", {} distinct", promises.distinct);
        }
        if let Some(t) = promises.t {
            let _ = write!(words, ", t = {t}");
        }
        if self.provider.is_some() {
            let _ = write!(words, ", m = {}", promises.m);
        }
        if self.sensitive.len() > 1 {
            let _ = write!(words, ", {} sensitive columns", self.sensitive.len());
        }
        words
    }

    /// The policy file for a method.
    pub fn policy(&self, method: &str) -> String {
        let mut text = format!("[data]\npath = {:?}\nundeclared = \"drop\"\n", self.table);
        if let Some(provider) = self.provider {
            let _ = writeln!(text, "provider_column = \"{provider}\"");
        }
        for column in &self.columns {
            let _ = writeln!(
                text,
                "[columns.{}]\nrole = \"quasi-identifier\"",
                column.name
            );
            if let Some(kind) = column.kind {
                let _ = writeln!(text, "kind = \"{kind}\"");
            }
            if let Some(hierarchy) = &column.hierarchy {
                let _ = writeln!(text, "hierarchy = {hierarchy:?}");
            }
        }
        for column in &self.sensitive {
            let _ = writeln!(text, "[columns.{column}]\nrole = \"sensitive\"");
        }
        let promises = &self.promises;
        let _ = writeln!(text, "[privacy]\nm = {}\nk = {}", promises.m, promises.k);
        if promises.distinct > 0 {
            let _ = writeln!(text, "l = {{ distinct = {} }}", promises.distinct);
        }
        if let Some(t) = promises.t {
            let _ = writeln!(text, "t = {{ max = {t}, distance = \"equal\" }}");
        }
        let _ = writeln!(text, "[method]\nname = \"{method}\"");
        text
    }
}

/// What all settings are made from.
pub struct CaseSource<'a> {
    /// The folder with adult/, ipums/, diabetes/ and hierarchies/.
    pub data: &'a Path,
    /// Where tables are written.
    pub scratch: &'a Path,
    /// How much of them.
    pub scale: TableShare,
}

/// A setting that is made when its turn comes: its name, and how.
pub type LazyCase = (
    &'static str,
    fn(&CaseSource<'_>, &'static str) -> MethodCase,
);

/// All settings, in the order of the table.
pub const CASES: &[LazyCase] = &[
    ("adult7-k5", |s, n| adult(s, n, &NINE[..7], promise(5, 0))),
    ("adult7-k10-l3", |s, n| {
        with(adult(s, n, &NINE[..7], promise(10, 3)), &["occupation"])
    }),
    ("adult7-t0.2", |s, n| {
        let promises = CasePromises {
            t: Some(0.2),
            ..promise(5, 0)
        };
        with(adult(s, n, &NINE[..7], promises), &["occupation"])
    }),
    ("adult7-two-sensitive", |s, n| {
        with(
            adult(s, n, &NINE[..7], promise(5, 2)),
            &["occupation", "income"],
        )
    }),
    ("adult9-k5", |s, n| adult(s, n, &NINE, promise(5, 0))),
    ("adult7-m1", |s, n| {
        adult_of_providers(
            s,
            n,
            CasePromises {
                m: 1,
                ..promise(5, 2)
            },
        )
    }),
    ("adult7-m3", |s, n| {
        adult_of_providers(
            s,
            n,
            CasePromises {
                m: 3,
                ..promise(10, 3)
            },
        )
    }),
    ("adult7-m3-t0.4", |s, n| {
        adult_of_providers(
            s,
            n,
            CasePromises {
                m: 3,
                t: Some(0.4),
                ..promise(5, 0)
            },
        )
    }),
    ("ipums-k5", |s, n| {
        ipums(s, n, "ipums_la_97_98_99_small_qi.csv", promise(5, 0))
    }),
    ("ipums97-k5", |s, n| {
        ipums(s, n, "ipums_la_97_small_qi.csv", promise(5, 0))
    }),
    ("encounters-k5", |s, n| {
        encounters(s, n, true, promise(5, 0))
    }),
    ("encounters-k10-l2", |s, n| {
        with(encounters(s, n, true, promise(10, 2)), &["diag_1"])
    }),
    ("encounters-plain", |s, n| {
        encounters(s, n, false, promise(5, 0))
    }),
    ("dominant-k5", |s, n| dominant(s, n, true, promise(5, 0))),
    ("dominant-l2", |s, n| {
        with(dominant(s, n, true, promise(5, 2)), &["benefit"])
    }),
    ("dominant-plain-l2", |s, n| {
        with(dominant(s, n, false, promise(5, 2)), &["benefit"])
    }),
    ("codes-k5", |s, n| codes(s, n, true)),
    ("codes-plain", |s, n| codes(s, n, false)),
    ("survey-k5", |s, n| survey(s, n, true)),
    ("survey-plain", |s, n| survey(s, n, false)),
    ("hospital-k5", |s, n| hospital(s, n, true, promise(5, 0))),
    ("hospital-plain", |s, n| {
        hospital(s, n, false, promise(5, 0))
    }),
    ("hospital-m1-l2", |s, n| {
        let promises = CasePromises {
            m: 1,
            ..promise(5, 2)
        };
        with(hospital(s, n, true, promises), &["diagnosis"])
    }),
    ("skewed-l2", |s, n| with(skewed(s, n, true), &["disease"])),
    ("skewed-plain-l2", |s, n| {
        with(skewed(s, n, false), &["disease"])
    }),
    ("wide-k5", wide),
];

fn promise(k: u32, distinct: u32) -> CasePromises {
    CasePromises {
        k,
        distinct,
        ..CasePromises::default()
    }
}

fn with(case: MethodCase, sensitive: &[&'static str]) -> MethodCase {
    MethodCase {
        sensitive: sensitive.to_vec(),
        ..case
    }
}

fn adult(
    source: &CaseSource<'_>,
    name: &'static str,
    columns: &[&str],
    promises: CasePromises,
) -> MethodCase {
    let folder = source.data.join("hierarchies/adult_arx");
    MethodCase {
        name,
        table: projected(source, "adult/adult_train_clean.csv", &NINE, None),
        columns: from_files(columns, &folder),
        sensitive: Vec::new(),
        provider: None,
        promises,
    }
}

fn adult_of_providers(
    source: &CaseSource<'_>,
    name: &'static str,
    promises: CasePromises,
) -> MethodCase {
    let table = projected(source, "adult/adult_all_clean.csv", &NINE, Some(10));
    MethodCase {
        table,
        provider: Some("provider"),
        sensitive: vec!["occupation"],
        ..adult(source, name, &NINE[..7], promises)
    }
}

fn ipums(
    source: &CaseSource<'_>,
    name: &'static str,
    file: &str,
    promises: CasePromises,
) -> MethodCase {
    MethodCase {
        name,
        table: projected(source, &format!("ipums/{file}"), &IPUMS, None),
        columns: plain(&IPUMS),
        sensitive: Vec::new(),
        provider: None,
        promises,
    }
}

fn encounters(
    source: &CaseSource<'_>,
    name: &'static str,
    with_hierarchies: bool,
    promises: CasePromises,
) -> MethodCase {
    let mut all = ENCOUNTERS.to_vec();
    all.push("diag_1");
    let mut columns = plain(&ENCOUNTERS);
    if with_hierarchies {
        columns = from_files(&ENCOUNTERS, &source.data.join("hierarchies/diabetes_flat"));
    }
    for column in &mut columns {
        // numbers of a code book: 3 is not between 2 and 4
        if column.name.ends_with("_id") {
            column.kind = Some("category");
        }
    }
    let mut case = MethodCase {
        name,
        table: projected(source, "diabetes/diabetic_data.csv.gz", &all, None),
        columns,
        sensitive: Vec::new(),
        provider: None,
        promises,
    };
    if promises.distinct == 0 {
        case.table = projected(source, "diabetes/diabetic_data.csv.gz", &ENCOUNTERS, None);
    }
    case
}

fn dominant(
    source: &CaseSource<'_>,
    name: &'static str,
    with_hierarchies: bool,
    promises: CasePromises,
) -> MethodCase {
    let made = made::dominant(200_000 / source.scale.every());
    let mut case = of_made(source, name, &made, &made::DOMINANT);
    case.promises = promises;
    if with_hierarchies {
        add_hierarchies(source, &mut case, &made);
    }
    case
}

fn codes(source: &CaseSource<'_>, name: &'static str, with_hierarchies: bool) -> MethodCase {
    let made = made::codes(100_000 / source.scale.every());
    let mut case = of_made(source, name, &made, &made::CODES);
    if with_hierarchies {
        add_hierarchies(source, &mut case, &made);
    }
    case
}

fn survey(source: &CaseSource<'_>, name: &'static str, with_hierarchies: bool) -> MethodCase {
    let made = made::survey(100_000 / source.scale.every());
    let mut case = of_made(source, name, &made, &made::SURVEY);
    if with_hierarchies {
        add_hierarchies(source, &mut case, &made);
    }
    case
}

fn skewed(source: &CaseSource<'_>, name: &'static str, with_hierarchies: bool) -> MethodCase {
    let made = made::skewed(100_000 / source.scale.every());
    let mut case = of_made(source, name, &made, &made::SKEWED);
    case.promises = promise(5, 2);
    if with_hierarchies {
        add_hierarchies(source, &mut case, &made);
    }
    case
}

const HOSPITAL: [&str; 4] = ["date_of_birth", "sex", "zip", "admission_date"];

fn hospital(
    source: &CaseSource<'_>,
    name: &'static str,
    with_hierarchies: bool,
    promises: CasePromises,
) -> MethodCase {
    let providers = (promises.m > 0).then_some(10);
    let table = source.scratch.join(format!("{name}.csv"));
    let rows = 100_000 / source.scale.every() as u64;
    program::synth_of("hospital", rows, 17_005, providers, &table);
    let mut all = HOSPITAL.to_vec();
    all.push("diagnosis");
    if providers.is_some() {
        all.push("provider");
    }
    let made = read_columns(&table, &all, 1);
    let mut case = of_made(source, name, &made, &HOSPITAL);
    case.promises = promises;
    case.provider = providers.map(|_| "provider");
    for column in &mut case.columns {
        let above: fn(&str) -> Vec<String> = match column.name.as_str() {
            "zip" => {
                column.kind = Some("category");
                zip_levels
            }
            "sex" => |_| Vec::new(),
            _ => date_levels,
        };
        if with_hierarchies {
            let folder = hierarchy_folder(source, name);
            column.hierarchy = Some(made::write_hierarchy(&made, &column.name, &folder, above));
        }
    }
    case
}

/// Nothing stands above a missing value but the root.
fn zip_levels(zip: &str) -> Vec<String> {
    if zip.len() < 5 {
        return vec!["none".to_owned(); 4];
    }
    let mut labels = Vec::new();
    for kept in (1..5).rev() {
        labels.push(format!("{}{}", &zip[..kept], "*".repeat(5 - kept)));
    }
    labels
}

fn date_levels(day: &str) -> Vec<String> {
    if day.len() < 10 {
        return vec!["none".to_owned(); 3];
    }
    vec![
        day[..7].to_owned(),
        day[..4].to_owned(),
        format!("{}0s", &day[..3]),
    ]
}

/// 38 columns of 2 to 30 words, three of them numbers.
fn wide(source: &CaseSource<'_>, name: &'static str) -> MethodCase {
    let mut cardinalities = Vec::new();
    for column in 0..38 {
        cardinalities.push([2, 3, 5, 8, 12, 30, 2, 4][column % 8]);
    }
    for column in [7, 20, 33] {
        cardinalities[column] = 90;
    }
    let shape = LatentShape {
        rows: 20_000 / source.scale.every(),
        cardinalities,
        seed: 17_006,
    };
    let made = made::latent(&shape);
    let names: Vec<&str> = made.names.iter().map(String::as_str).collect();
    of_made(source, name, &made, &names)
}

/// A setting over a made-up table, without hierarchies: k = 5.
fn of_made(
    source: &CaseSource<'_>,
    name: &'static str,
    made: &MadeTable,
    columns: &[&str],
) -> MethodCase {
    let table = source.scratch.join(format!("{name}.csv"));
    made.write(&table);
    MethodCase {
        name,
        table,
        columns: plain(columns),
        sensitive: Vec::new(),
        provider: None,
        promises: promise(5, 0),
    }
}

/// Hierarchies for a made-up table: intervals for numbers, bands of twenty years over those of
/// five, tens for numbered words, chapters over codes, `*` over everything else.
fn add_hierarchies(source: &CaseSource<'_>, case: &mut MethodCase, made: &MadeTable) {
    let folder = hierarchy_folder(source, case.name);
    for column in &mut case.columns {
        let name = column.name.as_str();
        let path = match name {
            "age" => {
                made::write_hierarchy(made, name, &folder, made::intervals(&[5.0, 10.0, 20.0]))
            }
            "bmi" => made::write_hierarchy(made, name, &folder, made::intervals(&[0.5, 2.5, 5.0])),
            "sleep" => made::write_hierarchy(made, name, &folder, made::intervals(&[1.0, 2.0])),
            "sick_days" | "low_days" => {
                made::write_hierarchy(made, name, &folder, made::intervals(&[5.0, 15.0]))
            }
            "diagnosis" | "procedure" => made::write_hierarchy(made, name, &folder, |code| {
                vec![format!("{}x", &code[..3]), code[..2].to_owned()]
            }),
            _ => made::write_hierarchy(made, name, &folder, made::tens),
        };
        column.hierarchy = Some(path);
    }
}

fn hierarchy_folder(source: &CaseSource<'_>, name: &str) -> PathBuf {
    let folder = source.scratch.join(format!("{name}-hierarchies"));
    std::fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    folder
}

fn plain(columns: &[&str]) -> Vec<CaseColumn> {
    let mut all = Vec::new();
    for column in columns {
        all.push(CaseColumn {
            name: (*column).to_owned(),
            kind: None,
            hierarchy: None,
        });
    }
    all
}

fn from_files(columns: &[&str], folder: &Path) -> Vec<CaseColumn> {
    let mut all = plain(columns);
    for column in &mut all {
        column.hierarchy = Some(folder.join(format!("{}.csv", column.name)));
    }
    all
}

/// A public table with some of its columns, and perhaps a provider for every row, each as likely
/// as the others.
fn projected(
    source: &CaseSource<'_>,
    file: &str,
    columns: &[&str],
    providers: Option<u64>,
) -> PathBuf {
    let mut table = read_columns(&source.data.join(file), columns, source.scale.every());
    if let Some(providers) = providers {
        table.names.push("provider".to_owned());
        for (number, row) in table.rows.iter_mut().enumerate() {
            // a multiplicative hash: rows that follow one another go to different providers
            let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            row.push(format!("P{:02}", (mixed >> 33) % providers));
        }
    }
    let stem = file.replace(['/', '.'], "-");
    let path = source.scratch.join(format!(
        "{stem}-{}-{}.csv",
        columns.len(),
        providers.unwrap_or(1)
    ));
    table.write(&path);
    path
}

/// Some columns of a CSV file, gzipped or not; every n-th row.
pub fn read_columns(path: &Path, columns: &[&str], every: usize) -> MadeTable {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = Vec::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let unpacked = GzDecoder::new(bytes.as_slice()).read_to_end(&mut text);
        unpacked.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    } else {
        text = bytes;
    }
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let header = reader
        .headers()
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .clone();
    let mut places = Vec::new();
    for column in columns {
        let place = header.iter().position(|name| name == *column);
        places.push(place.unwrap_or_else(|| panic!("{}: no column {column}", path.display())));
    }
    let mut table = MadeTable {
        names: columns.iter().map(|column| (*column).to_owned()).collect(),
        rows: Vec::new(),
    };
    for record in reader.records().step_by(every) {
        let record = record.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut row = Vec::new();
        for &place in &places {
            assert!(
                !record[place].contains([',', '"', '\n']),
                "{}: a cell that needs quotes",
                path.display()
            );
            row.push(record[place].to_owned());
        }
        table.rows.push(row);
    }
    table
}
