//! What n providers without a third party cost, in one process: seconds, bytes, rounds, loss.
//!
//! ```text
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 sums exact
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 bits 8
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 sums exact 1000000
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 loss
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 20 count 10000
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 synthetic 1
//! ```
//! The file is Adult as CSV without quotes; rows are dealt to the providers in turn, over and over
//! where more rows are asked for than there are. k = 30, l = 4, m = 3 (less for few providers).
//! `loss` compares the central reference under all ways to cut; `count` adds up so many numbers with
//! shares of noise; `synthetic` makes up records at an epsilon, jointly and in one place.

use ed25519_dalek::{Signer as _, SigningKey};
use mingle_dp::count as table;
use mingle_dp::ledger::Receipt;
use mingle_dp::share::{ShareBudget, ShareHolders, SharePlan};
use mingle_dp::synthetic::SyntheticOptions;
use mingle_dp::{
    Amount, Bins, Content, DeclaredAttribute, DeclaredValues, Epsilon, Guarantee, Records, Request,
};
use mingle_model::{ColumnSpec, Missing, Role};
use mingle_privacy::{Attribute, K, L, M, Promise, Rule};
use mingle_protocol::horizontal::{
    BoardLimits, Caps, CountedTables, CutRule, HorizontalSetup, HorizontalTable, HorizontalTerms,
    KeptRecord, NoisyTask, OwnRows, ProviderParty, RelayBoard, RevealLevel, RunMember, RunResult,
    RunTask, RunTraffic, RunVault, SharedColumn, SharedSchema, Signer, horizontal_reference,
    release_message,
};
use mingle_protocol::{Nobody, OutputRecord, Standing, Status};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

const QUASI_IDENTIFIERS: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "marital_status",
    "race",
    "sex",
    "native_country",
];
const SENSITIVE: &str = "occupation";
const LEVELS: u32 = 12;

struct Data {
    schema: Arc<SharedSchema>,
    rows: Vec<Vec<u32>>,
}

fn read(path: &str) -> Result<Data, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let rows: Vec<Vec<&str>> = lines
        .map(|line| line.split(',').map(str::trim).collect())
        .collect();
    let mut columns = Vec::new();
    let mut codes: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for name in QUASI_IDENTIFIERS.into_iter().chain([SENSITIVE]) {
        let at = names
            .iter()
            .position(|n| *n == name)
            .ok_or("a column is missing")?;
        let mut values: BTreeSet<String> = rows.iter().map(|row| row[at].to_owned()).collect();
        if name == "age" {
            values = (17..=90).map(|age| age.to_string()).collect();
        }
        let role = if name == SENSITIVE {
            Role::Sensitive
        } else {
            Role::QuasiIdentifier
        };
        let values: Vec<String> = values.into_iter().collect();
        let spec = ColumnSpec::new(name, role);
        let column = SharedColumn::declare(spec, &values, &Missing::default())?;
        let by_text: HashMap<&str, u32> = (0..column.domain.len() as u32)
            .map(|c| (column.domain.text(c), c))
            .collect();
        for (row, codes) in rows.iter().zip(&mut codes) {
            codes.push(*by_text.get(row[at]).ok_or("a value is not declared")?);
        }
        columns.push(column);
    }
    let schema = Arc::new(SharedSchema::new(columns, Missing::default())?);
    Ok(Data {
        schema,
        rows: codes,
    })
}

fn deal(data: &Data, providers: usize) -> Result<Vec<Arc<OwnRows>>, Box<dyn Error>> {
    let mut all = Vec::new();
    for seat in 0..providers {
        let own: Vec<Vec<u32>> = data
            .rows
            .iter()
            .skip(seat)
            .step_by(providers)
            .cloned()
            .collect();
        all.push(Arc::new(OwnRows::from_codes(&data.schema, &own)?));
    }
    Ok(all)
}

fn cuts(word: &str) -> Result<CutRule, Box<dyn Error>> {
    Ok(match word {
        "exact" => CutRule::Exact,
        "0" => CutRule::Middles,
        epsilon => CutRule::Noisy {
            epsilon: Epsilon(Amount::parse(epsilon).ok_or("no epsilon")?),
            delta: Amount::BILLIONTH,
            levels: LEVELS,
        },
    })
}

fn terms(providers: usize, level: RevealLevel, caps: Caps, cuts: CutRule) -> HorizontalTerms {
    let rule = |rule, attribute| Promise { rule, attribute };
    HorizontalTerms {
        policy: [0; 32],
        promises: vec![
            rule(Rule::k_anonymity(K(30)), None),
            rule(Rule::distinct_diversity(L(4)), Some(Attribute::Column(0))),
        ],
        m: M(3.min(providers as u64 - 2)),
        site_diversity: 1,
        level,
        caps,
        cuts,
        depth: 40,
    }
}

/// Mean over rows and columns of the share of declared values that a cell covers.
fn loss(data: &Data, table: &HorizontalTable) -> f64 {
    let mut sum = 0.0;
    for row in &data.rows {
        let covers = |ranges: &[(u32, u32)]| {
            ranges
                .iter()
                .zip(row)
                .all(|(&(lo, hi), &code)| lo <= code && code <= hi)
        };
        let cell = table.cells.iter().find(|cell| covers(cell.ranges()));
        let Some(cell) = cell else { continue };
        for (column, &(lo, hi)) in data.schema.quasi_identifiers().iter().zip(cell.ranges()) {
            let all = column.domain.len() as f64;
            sum += match (hi - lo, column.domain.kind().is_numeric()) {
                (0, _) => 0.0,
                (span, true) => f64::from(span) / (all - 1.0),
                (span, false) => f64::from(span + 1) / all,
            };
        }
    }
    sum / (data.rows.len() * QUASI_IDENTIFIERS.len()) as f64
}

fn compare_loss(data: &Data, providers: usize) -> Result<(), Box<dyn Error>> {
    let rows = deal(data, providers)?;
    println!("cuts, caps: groups, accepted, rejected, skipped, tests, levels, NCP, seconds");
    for (word, caps) in [
        ("exact", Caps::Exact),
        ("exact", Caps::Single),
        ("8", Caps::Single),
        ("1", Caps::Single),
        ("0", Caps::Single),
    ] {
        let terms = terms(providers, RevealLevel::Sums, caps, cuts(word)?);
        let mut draw = noise(providers, &terms)?;
        let start = Instant::now();
        let reference = horizontal_reference(&data.schema, &rows, &terms, &mut draw)?;
        let seconds = start.elapsed().as_secs_f64();
        let table = &reference.table;
        println!(
            "{word}, {}: {}, {}, {}, {}, {}, {}, {:.4}, {seconds:.1}",
            caps.describe(),
            table.verified.published().groups(),
            reference.cuts.accepted,
            reference.cuts.rejected,
            reference.cuts.skipped,
            reference.cuts.tests,
            reference.levels,
            loss(data, table),
        );
    }
    Ok(())
}

type Draw = Box<dyn FnMut(u64, usize) -> Vec<i64>>;

/// The noise of all providers together, drawn as they would.
fn noise(providers: usize, terms: &HorizontalTerms) -> Result<Draw, Box<dyn Error>> {
    let CutRule::Noisy {
        epsilon,
        delta,
        levels,
    } = terms.cuts
    else {
        return Ok(Box::new(|_, counts| vec![0; counts]));
    };
    let mut weights = Vec::new();
    let mut weight = 1000u64;
    for _ in 0..levels {
        weights.push(weight);
        weight = weight * 3 / 2;
    }
    let budget = ShareBudget {
        epsilon,
        delta,
        weights,
        coordinates: 16,
    };
    let holders = ShareHolders {
        parties: providers,
        colluding: terms.m.0 as usize,
    };
    let plan = SharePlan::new(&budget, holders)?;
    Ok(Box::new(move |look, counts| {
        let mut sum = vec![0; counts];
        for _ in 0..providers {
            let share = &plan.shares()[look as usize];
            for (sum, draw) in sum.iter_mut().zip(share.draw(counts).unwrap_or_default()) {
                *sum += draw;
            }
        }
        sum
    }))
}

struct Key(SigningKey);

impl Signer for Key {
    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

fn key(seat: usize) -> SigningKey {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&(seat as u64).to_le_bytes());
    SigningKey::from_bytes(&bytes)
}

/// What is left when everybody is done.
#[derive(Default)]
struct Finished {
    traffic: RunTraffic,
    groups: usize,
    loss: Option<Loss>,
    content: Option<Content>,
}

/// NCP.
struct Loss(f64);

struct Memory {
    seat: usize,
    kept: Vec<KeptRecord>,
    standing: Standing,
    signatures: Vec<[u8; 64]>,
    finished: Arc<Mutex<Finished>>,
    data: Arc<Data>,
}

impl RunVault for Memory {
    fn kept(&self) -> Vec<KeptRecord> {
        self.kept.clone()
    }

    fn keep(&mut self, record: &KeptRecord) -> Result<(), String> {
        self.kept.push(record.clone());
        Ok(())
    }

    fn standing(&self) -> Standing {
        self.standing
    }

    fn prepare(&mut self, result: &RunResult) -> Result<OutputRecord, String> {
        if let (0, RunResult::Table(output)) = (self.seat, result) {
            let mut finished = self.finished.lock().map_err(|e| e.to_string())?;
            finished.traffic = output.traffic;
            finished.groups = output.table.verified.published().groups();
            // looked for row by row, which would be part of the time of large tables
            if self.data.rows.len() <= 100_000 {
                finished.loss = Some(Loss(loss(&self.data, &output.table)));
            }
        }
        if let (0, RunResult::Noisy(output)) = (self.seat, result) {
            let mut finished = self.finished.lock().map_err(|e| e.to_string())?;
            finished.content = Some(output.release.content.clone());
        }
        let digest = result.digest();
        let signature = Key(key(self.seat)).sign(&release_message(&digest));
        let record = OutputRecord {
            session: result.session(),
            digest,
            signature,
        };
        self.standing = Standing::Ready(record);
        Ok(record)
    }

    fn publish(&mut self, record: &OutputRecord, signatures: &[[u8; 64]]) -> Result<(), String> {
        self.standing = Standing::Published(*record);
        self.signatures = signatures.to_vec();
        Ok(())
    }

    fn signatures(&self) -> Vec<[u8; 64]> {
        self.signatures.clone()
    }

    fn discard(&mut self, _: &OutputRecord) -> Result<(), String> {
        self.standing = Standing::Nothing;
        Ok(())
    }
}

/// User CPU-seconds of this process so far, where the system tells.
fn cpu() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let ticks = stat.rsplit(')').next()?.split_whitespace().nth(11)?;
    Some(ticks.parse::<f64>().ok()? / 100.0)
}

/// What a run took.
struct Taken {
    status: Status,
    seconds: f64,
    cpu: f64,
    up: u64,
    down: u64,
    finished: Finished,
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:?}, {:.1} s by the clock and {:.1} CPU-s for all, {:.1} MB to the board, {:.1} MB from it",
            self.status,
            self.seconds,
            self.cpu,
            self.up as f64 / 1e6,
            self.down as f64 / 1e6,
        )
    }
}

/// Everybody and the board, in this process.
fn together(
    data: &Arc<Data>,
    providers: usize,
    setup: impl Fn(usize, Vec<RunMember>) -> Result<HorizontalSetup, Box<dyn Error>>,
) -> Result<Taken, Box<dyn Error>> {
    let member = |seat: usize| RunMember {
        name: format!("hospital {seat}"),
        key: key(seat).verifying_key().to_bytes(),
    };
    let members: Vec<RunMember> = (0..providers).map(member).collect();
    let finished = Arc::new(Mutex::new(Finished::default()));
    let mut parties = Vec::new();
    for seat in 0..providers {
        let vault = Memory {
            seat,
            kept: Vec::new(),
            standing: Standing::Nothing,
            signatures: Vec::new(),
            finished: finished.clone(),
            data: data.clone(),
        };
        let signer = Box::new(Key(key(seat)));
        let setup = setup(seat, members.clone())?;
        let observer = Arc::new(Nobody);
        parties.push(ProviderParty::new(
            setup,
            Box::new(vault),
            signer,
            observer,
        )?);
    }
    let mut board = RelayBoard::new(BoardLimits::default());
    let mut wires: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
    let (mut up, mut down) = (0u64, 0u64);
    let (start, before) = (Instant::now(), cpu().unwrap_or(f64::NAN));
    for (seat, party) in parties.iter_mut().enumerate() {
        if !board.connect(seat as u64) {
            return Err("the board takes no more connections".into());
        }
        wires.push_back((seat, party.connect()));
    }
    while let Some((seat, bytes)) = wires.pop_front() {
        up += bytes.len() as u64;
        for (to, bytes) in board.receive(seat as u64, &bytes) {
            down += bytes.len() as u64;
            let answer = parties[to as usize].receive(&bytes);
            if !answer.is_empty() {
                wires.push_back((to as usize, answer));
            }
        }
    }
    let finished = std::mem::take(&mut *finished.lock().map_err(|e| e.to_string())?);
    Ok(Taken {
        status: parties[0].status(),
        seconds: start.elapsed().as_secs_f64(),
        cpu: cpu().unwrap_or(f64::NAN) - before,
        up,
        down,
        finished,
    })
}

fn run(
    data: Arc<Data>,
    providers: usize,
    level: RevealLevel,
    word: &str,
) -> Result<(), Box<dyn Error>> {
    let rows = deal(&data, providers)?;
    let caps = match level {
        RevealLevel::Sums => Caps::Exact,
        RevealLevel::Bits => Caps::Single,
    };
    let terms = terms(providers, level, caps, cuts(word)?);
    let taken = together(&data, providers, |seat, members| {
        Ok(HorizontalSetup {
            run: [5; 32],
            seat,
            members,
            terms: terms.clone(),
            schema: data.schema.clone(),
            rows: rows[seat].clone(),
            task: RunTask::Publish,
        })
    })?;
    let finished = &taken.finished;
    println!(
        "{} rows, {providers} providers, {}, cuts {word}: {taken}, {} rounds, {} ciphertexts, {} sums, \
         {} groups, NCP {}",
        data.rows.len(),
        level.name(),
        finished.traffic.rounds,
        finished.traffic.ciphertexts,
        finished.traffic.sums,
        finished.groups,
        finished
            .loss
            .as_ref()
            .map_or("not measured".to_owned(), |Loss(loss)| format!("{loss:.4}")),
    );
    Ok(())
}

/// So many numbers of each provider, added up with shares of noise.
fn count(data: Arc<Data>, providers: usize, numbers: usize) -> Result<(), Box<dyn Error>> {
    let terms = terms(providers, RevealLevel::Sums, Caps::Single, CutRule::Middles);
    let rows = Arc::new(OwnRows::from_codes(&data.schema, &[])?);
    let taken = together(&data, providers, |seat, members| {
        let tables = CountedTables {
            names: vec!["numbers".to_owned()],
            own: vec![
                (0..numbers as u64)
                    .map(|n| n * (seat as u64 + 1) % 1000)
                    .collect(),
            ],
            epsilon: Epsilon(Amount::parse("1").ok_or("no epsilon")?),
            delta: Amount::BILLIONTH,
            weights: vec![1],
        };
        Ok(HorizontalSetup {
            run: [6; 32],
            seat,
            members,
            terms: terms.clone(),
            schema: data.schema.clone(),
            rows: rows.clone(),
            task: RunTask::Count(tables),
        })
    })?;
    println!("{numbers} sums among {providers} providers: {taken}");
    Ok(())
}

/// Made-up records at an ε, jointly and in one place: the mean distance of pairs of columns from
/// those of the table, as total variation.
fn synthetic(data: Arc<Data>, providers: usize, epsilon: &str) -> Result<(), Box<dyn Error>> {
    let mut attributes = Vec::new();
    for column in data
        .schema
        .quasi_identifiers()
        .iter()
        .chain(data.schema.sensitive())
    {
        let domain = if column.spec.name == "age" {
            DeclaredValues::Bins(Bins::of_width(0, 1, 17, 90, 5)?)
        } else {
            let texts = (0..column.domain.len() as u32).map(|c| column.domain.text(c).to_owned());
            DeclaredValues::categories(texts.collect())?
        };
        attributes.push(DeclaredAttribute {
            name: column.spec.name.clone(),
            role: column.spec.role,
            kind: column.domain.kind(),
            domain,
            other: None,
            missing: None,
        });
    }
    let cells: Vec<usize> = attributes.iter().map(DeclaredAttribute::len).collect();
    let records = |rows: &mut dyn Iterator<Item = &Vec<u32>>| {
        let mut columns: Vec<Vec<u16>> = vec![Vec::new(); cells.len()];
        for row in rows {
            for (at, column) in columns.iter_mut().enumerate() {
                // ages are declared from 17 in steps of one, and bins are five wide
                column.push(if at == 0 { row[at] / 5 } else { row[at] } as u16);
            }
        }
        Records::from_columns(columns, cells.clone(), 1)
    };
    let all = records(&mut data.rows.iter());
    let guarantee = Guarantee::Approximate {
        epsilon: Epsilon(Amount::parse(epsilon).ok_or("no epsilon")?),
        delta: Amount::BILLIONTH,
    };
    let request = Request::Synthetic(SyntheticOptions::default());
    let m = M(3.min(providers as u64 - 2));
    for _ in 0..3 {
        let taken = together(&data, providers, |seat, members| {
            let task = NoisyTask {
                attributes: attributes.clone(),
                request: request.clone(),
                guarantee,
                records: records(&mut data.rows.iter().skip(seat).step_by(providers)),
            };
            Ok(HorizontalSetup::noisy(
                [7; 32],
                seat,
                members,
                ([0; 32], m),
                task,
            ))
        })?;
        let joint = taken.finished.content.as_ref().ok_or("no release")?;
        println!(
            "{providers} providers, m = {}, epsilon {epsilon}: error {:.4}, {taken}",
            m.0,
            error_of_pairs(&all, joint)
        );
        let (start, receipt) = (Instant::now(), Receipt::for_experiment(guarantee));
        let never = AtomicBool::new(false);
        let central = mingle_dp::release(&attributes, all.clone(), &request, receipt, &never)?;
        println!(
            "one place, epsilon {epsilon}: error {:.4}, {:.1} s",
            error_of_pairs(&all, &central.content),
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn error_of_pairs(all: &Records, content: &Content) -> f64 {
    let Content::Synthetic(made) = content else {
        return f64::NAN;
    };
    let made = Records::from_columns(made.columns.clone(), all.cells().to_vec(), 1);
    let columns = all.cells().len();
    let pairs = (0..columns).flat_map(|a| (a + 1..columns).map(move |b| vec![a, b]));
    let pairs: Vec<Vec<usize>> = pairs.collect();
    let (true_tables, made_tables) = (table::count(all, &pairs), table::count(&made, &pairs));
    let mut sum = 0.0;
    for (one, other) in true_tables.iter().zip(&made_tables) {
        for (x, y) in one.iter().zip(other) {
            let (x, y) = (*x as f64 / all.len() as f64, *y as f64 / made.len() as f64);
            sum += (x - y).abs() / 2.0;
        }
    }
    sum / pairs.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    const USAGE: &str = "usage: horizontal_cost FILE PROVIDERS loss | (bits|sums) EPSILON [ROWS] | count NUMBERS | synthetic EPSILON";
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, providers, how, rest @ ..] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let mut data = read(path)?;
    let providers: usize = providers.parse()?;
    match (how.as_str(), rest) {
        ("loss", []) => compare_loss(&data, providers),
        ("count", [numbers]) => count(Arc::new(data), providers, numbers.parse()?),
        ("synthetic", [epsilon]) => synthetic(Arc::new(data), providers, epsilon),
        (level, [word, rows @ ..]) if rows.len() < 2 => {
            let level = RevealLevel::parse(level).ok_or(USAGE)?;
            if let [rows] = rows {
                let rows = rows.parse()?;
                data.rows = data.rows.iter().cycle().take(rows).cloned().collect();
            }
            run(Arc::new(data), providers, level, word)
        }
        _ => Err(USAGE.into()),
    }
}
