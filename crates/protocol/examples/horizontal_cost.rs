//! What n providers without a third party cost, in one process: seconds, bytes, rounds, loss.
//!
//! ```text
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 sums exact
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 bits 8
//! cargo run --release -p mingle-protocol --example horizontal_cost -- adult_all_clean.csv 10 loss
//! ```
//! The file is Adult as CSV without quotes; rows are dealt to the providers in turn. k = 30, l = 4,
//! m = 3 (less for few providers). `loss` compares the central reference under all ways to cut.

use ed25519_dalek::{Signer as _, SigningKey};
use mingle_dp::share::{ShareBudget, ShareHolders, SharePlan};
use mingle_dp::{Amount, Epsilon};
use mingle_model::{ColumnSpec, Missing, Role};
use mingle_privacy::{Attribute, K, L, M, Promise, Rule};
use mingle_protocol::horizontal::{
    BoardLimits, Caps, CutRule, HorizontalSetup, HorizontalTable, HorizontalTerms, KeptRecord,
    OwnRows, ProviderParty, RelayBoard, RevealLevel, RunMember, RunResult, RunTask, RunTraffic,
    RunVault, SharedColumn, SharedSchema, Signer, horizontal_reference, release_message,
};
use mingle_protocol::{Nobody, OutputRecord, Standing};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::error::Error;
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
    loss: f64,
}

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
            finished.loss = loss(&self.data, &output.table);
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

fn run(
    data: Arc<Data>,
    providers: usize,
    level: RevealLevel,
    word: &str,
) -> Result<(), Box<dyn Error>> {
    let rows = deal(&data, providers)?;
    let caps = if level == RevealLevel::Sums {
        Caps::Exact
    } else {
        Caps::Single
    };
    let terms = terms(providers, level, caps, cuts(word)?);
    let member = |seat: usize| RunMember {
        name: format!("hospital {seat}"),
        key: key(seat).verifying_key().to_bytes(),
    };
    let members: Vec<RunMember> = (0..providers).map(member).collect();
    let finished = Arc::new(Mutex::new(Finished::default()));
    let mut parties = Vec::new();
    for (seat, rows) in rows.into_iter().enumerate() {
        let setup = HorizontalSetup {
            run: [5; 32],
            seat,
            members: members.clone(),
            terms: terms.clone(),
            schema: data.schema.clone(),
            rows,
            task: RunTask::Publish,
        };
        let vault = Memory {
            seat,
            kept: Vec::new(),
            standing: Standing::Nothing,
            signatures: Vec::new(),
            finished: finished.clone(),
            data: data.clone(),
        };
        let signer = Box::new(Key(key(seat)));
        parties.push(ProviderParty::new(
            setup,
            Box::new(vault),
            signer,
            Arc::new(Nobody),
        )?);
    }
    let mut board = RelayBoard::new(BoardLimits::default());
    let mut wires: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
    let (mut up, mut down) = (0u64, 0u64);
    let start = Instant::now();
    for (seat, party) in parties.iter_mut().enumerate() {
        board.connect(seat as u64);
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
    let seconds = start.elapsed().as_secs_f64();
    let finished = finished.lock().map_err(|e| e.to_string())?;
    println!(
        "{providers} providers, {}, cuts {word}: {:?}, {} groups, NCP {:.4}, {seconds:.1} s for all, {} rounds, \
         {} ciphertexts, {} sums, {:.1} MB to the board, {:.1} MB from it",
        level.name(),
        parties[0].status(),
        finished.groups,
        finished.loss,
        finished.traffic.rounds,
        finished.traffic.ciphertexts,
        finished.traffic.sums,
        up as f64 / 1e6,
        down as f64 / 1e6,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, providers, how, rest @ ..] = arguments.as_slice() else {
        return Err("usage: horizontal_cost FILE PROVIDERS loss | (bits|sums) EPSILON".into());
    };
    let data = read(path)?;
    let providers: usize = providers.parse()?;
    match (RevealLevel::parse(how), rest) {
        (Some(level), [word]) => run(Arc::new(data), providers, level, word),
        (None, []) if how == "loss" => compare_loss(&data, providers),
        _ => Err("usage: horizontal_cost FILE PROVIDERS loss | (bits|sums) EPSILON".into()),
    }
}
