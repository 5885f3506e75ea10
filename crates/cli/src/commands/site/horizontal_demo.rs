//! `mingle site demo --horizontal`: the m-privacy paper's four hospitals and a board in one process,
//! over real TLS on the loopback. Keys and folders are made for the occasion and thrown away.

use super::problem;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, wrap};
use crate::progress::terminal_run;
use mingle::failure;
use mingle::providers;
use mingle::results;
use mingle_policy::Policy;
use mingle_protocol::Observer;
use mingle_protocol::horizontal::{BoardLimits, statements};
use mingle_site::{
    Address, BoardEvent, BoardSite, BoardWatcher, Deposit, Identity, Invitation, InvitedProvider,
    ProviderDeposit, ProviderSite, ProviderWork, RunEnd, WaitingTimes, Watcher, run_board,
    run_provider,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The paper's ten patients, and more of them: with ten rows nothing but one group withstands m = 1.
const HOSPITALS: [(&str, &str); 4] = [
    (
        "P1",
        "24,98745,Cancer\n35,12367,Asthma\n22,98712,Asthma\n27,12337,Flu\n38,98745,Epilepsy\n31,98701,Flu\n",
    ),
    (
        "P2",
        "38,98701,Cancer\n37,12389,Flu\n23,98708,Flu\n29,98745,Cancer\n25,12300,Cancer\n34,12399,Asthma\n",
    ),
    (
        "P3",
        "20,12300,Epilepsy\n39,98708,Flu\n26,12367,Asthma\n28,98701,Asthma\n36,12389,Cancer\n32,98712,Asthma\n",
    ),
    (
        "P4",
        "32,12337,Cancer\n33,12388,Asthma\n31,12399,Flu\n21,98712,Epilepsy\n23,12388,Flu\n35,98708,Cancer\n",
    ),
];

const ZIPS: [&str; 10] = [
    "12300", "12337", "12367", "12388", "12389", "12399", "98701", "98708", "98712", "98745",
];

const POLICY: &str = "\
[data]
path = \"rows.csv\"
[columns.age]
role = \"quasi-identifier\"
domain = { from = 20, to = 39, width = 1 }
[columns.zip]
role = \"quasi-identifier\"
hierarchy = \"zip.csv\"
[columns.disease]
role = \"sensitive\"
domain = [\"Asthma\", \"Cancer\", \"Epilepsy\", \"Flu\"]
[privacy]
m = 1
k = 3
l = { distinct = 2 }
[protocol]
level = \"bits\"
epsilon_cuts = 0
caps = \"exact\"
";

/// Five digits, the first three, and everything.
fn hierarchy() -> String {
    let mut text = String::new();
    for zip in ZIPS {
        let _ = writeln!(text, "{zip},{}**,*", &zip[..3]);
    }
    text
}

pub fn run(screen: Screen) -> Result<Exit, Problem> {
    let cancel = interrupt::listen();
    let home = tempfile::tempdir().map_err(|e| failure::write("a temporary folder", &e))?;
    let text = play(home.path(), cancel.flag(), screen)?;
    print(&text)?;
    Ok(Exit::Fine)
}

fn identity(home: &Path, name: &str) -> Result<Identity, Problem> {
    let path = |end: &str| home.join(format!("{name}.{end}"));
    let day = Duration::from_secs(24 * 60 * 60);
    Identity::create(name, SystemTime::now(), day, &path("key"), &path("crt"))
        .map_err(|e| problem(&e))
}

fn play(home: &Path, cancel: &AtomicBool, screen: Screen) -> Result<String, Problem> {
    let socket = |e| failure::write("to a socket", &e);
    let listener = TcpListener::bind("127.0.0.1:0").map_err(socket)?;
    let address = listener.local_addr().map_err(socket)?.to_string();
    let board = identity(home, "board")?;
    let board_fingerprint = board.fingerprint();
    let (mut identities, mut invited) = (Vec::new(), Vec::new());
    for (name, _) in HOSPITALS {
        let own = identity(home, name)?;
        let provider = InvitedProvider::of(name, own.certificate());
        invited.push(provider.ok_or_else(|| failure::defect("a certificate without a key"))?);
        identities.push(own);
    }
    let invitation =
        Invitation::new(&address, board_fingerprint, invited).map_err(|e| problem(&e))?;
    let (mut sites, mut notebooks, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for ((name, rows), own) in HOSPITALS.iter().zip(identities) {
        let folder = home.join(name);
        std::fs::create_dir(&folder).map_err(|e| failure::write("a temporary folder", &e))?;
        let write =
            |file: &str, text: &str| results::write(&folder.join(file), text.as_bytes(), false);
        write("rows.csv", &format!("age,zip,disease\n{rows}"))?;
        write("zip.csv", &hierarchy())?;
        write("policy.toml", POLICY)?;
        let policy = Policy::load(&folder.join("policy.toml"), &[])?;
        let run = terminal_run(screen);
        let part = providers::setup(&policy, &run);
        run.end();
        let part = part?;
        said = statements(&part.terms, HOSPITALS.len());
        let site = ProviderSite {
            identity: own,
            invitation: invitation.clone(),
            limits: WaitingTimes {
                silence: Duration::from_secs(10),
                deadline: Duration::from_secs(120),
            },
            deposit: ProviderDeposit {
                release: Deposit {
                    out: folder.join("release"),
                    force: false,
                    tool_version: env!("CARGO_PKG_VERSION").to_owned(),
                    policy: None,
                    inputs: part.files,
                    reports: None,
                },
                opened_runs: folder.join("runs.json"),
                accept_repeated_totals: false,
            },
        };
        let notebook = Arc::new(Notebook::default());
        notebooks.push(notebook.clone());
        let work = ProviderWork::Table {
            terms: part.terms,
            schema: part.schema,
            rows: part.rows,
        };
        sites.push((site, work, notebook));
    }
    let seen = Arc::new(BoardNotebook::default());
    let over = AtomicBool::new(false);
    let board = BoardSite {
        identity: board,
        address: Address::Bound(listener),
        silence: Duration::from_secs(10),
        limits: BoardLimits::default(),
    };
    let ended = std::thread::scope(|scope| {
        let relay = scope.spawn(|| run_board(board, seen.clone(), &over));
        let mut threads = Vec::new();
        for (site, work, notebook) in sites {
            threads.push(scope.spawn(move || run_provider(site, work, notebook, cancel)));
        }
        let mut ended = Vec::new();
        for thread in threads {
            ended.push(thread.join());
        }
        over.store(true, Ordering::Relaxed);
        (ended, relay.join())
    });
    let (providers_ended, relay) = ended;
    for outcome in providers_ended {
        let outcome = outcome.map_err(|_| failure::defect("a provider did not end"))?;
        match outcome.map_err(|e| problem(&e))?.end {
            RunEnd::Published { .. } => {}
            RunEnd::Aborted(error) => {
                interrupt::check()?;
                return Err(providers::problem(&error));
            }
            RunEnd::InDoubt => return Err(failure::defect("a demonstration in doubt")),
        }
    }
    relay
        .map_err(|_| failure::defect("the board did not end"))?
        .map_err(|e| problem(&e))?;
    tell(home, &said, &notebooks, &seen)
}

/// What a provider saw: frames by kind, and their bytes.
#[derive(Default)]
struct Notebook(Mutex<BTreeMap<&'static str, (usize, usize)>>);

impl Observer for Notebook {
    fn frame(&self, sent: bool, kind: &'static str, bytes: &[u8]) {
        if !sent {
            let mut kinds = self.0.lock().unwrap_or_else(|p| p.into_inner());
            let (frames, total) = kinds.entry(kind).or_default();
            *frames += 1;
            *total += bytes.len();
        }
    }
}

impl Watcher for Notebook {}

/// What the board saw.
#[derive(Default)]
struct BoardNotebook {
    received: AtomicUsize,
    sent: AtomicUsize,
    seats: AtomicUsize,
}

impl BoardWatcher for BoardNotebook {
    fn event(&self, event: BoardEvent) {
        match event {
            BoardEvent::Relayed { received, sent } => {
                self.received.fetch_add(received, Ordering::Relaxed);
                self.sent.fetch_add(sent, Ordering::Relaxed);
            }
            BoardEvent::Seats(seats) => {
                let most = seats.iter().copied().max().unwrap_or(0);
                self.seats.fetch_max(most, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

fn tell(
    home: &Path,
    said: &[String],
    notebooks: &[Arc<Notebook>],
    board: &BoardNotebook,
) -> Result<String, Problem> {
    let mut text =
        "Four hospitals publish one table. Each keeps its rows; a board relays.\n".to_owned();
    for (name, rows) in HOSPITALS {
        let _ = writeln!(text, "\n{name} has, and shows nobody:");
        for row in rows.lines() {
            let _ = writeln!(text, "  {}", row.replace(',', "  "));
        }
    }
    text.push('\n');
    for sentence in said {
        text += &wrap(sentence);
    }
    for ((name, _), notebook) in HOSPITALS.iter().zip(notebooks) {
        let kinds = notebook.0.lock().unwrap_or_else(|p| p.into_inner());
        let _ = writeln!(text, "\n{name} received:");
        for (kind, (frames, bytes)) in kinds.iter() {
            let _ = writeln!(text, "  {kind:<20} {frames:>4} messages {bytes:>8} bytes");
        }
    }
    let seen = format!(
        "the board saw {} seats taken, {} bytes come and {} go: signed, and after the first round covered by a key that it does not have",
        board.seats.load(Ordering::Relaxed),
        board.received.load(Ordering::Relaxed),
        board.sent.load(Ordering::Relaxed)
    );
    text.push('\n');
    text += &wrap(&seen);
    let mut files = Vec::new();
    for file in [
        "qi.csv",
        "sa_disease.csv",
        "signatures.json",
        "manifest.json",
    ] {
        let mut all = Vec::new();
        for (name, _) in HOSPITALS {
            let path = home.join(name).join("release/public").join(file);
            let read = std::fs::read_to_string(path);
            all.push(read.map_err(|_| failure::defect("a published table is missing"))?);
        }
        if all.iter().any(|other| *other != all[0]) {
            return Err(failure::defect(
                "the hospitals published different releases",
            ));
        }
        files.push(all.swap_remove(0));
    }
    text += "\nall four published the same:\n";
    text += &groups(&files[0], &files[1]);
    text += "\nsigned by all four, over everything in public/; nobody saw another one's rows\n";
    Ok(text)
}

/// The two published tables side by side: what each group is called, and which diseases it has.
fn groups(labels: &str, diseases: &str) -> String {
    let mut by_group: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
    for line in labels.lines().skip(1) {
        if let Some((group, label)) = line.split_once(',') {
            by_group.entry(group).or_default().0 = label;
        }
    }
    for line in diseases.lines().skip(1) {
        if let Some((group, disease)) = line.split_once(',') {
            by_group.entry(group).or_default().1.push(disease);
        }
    }
    let mut text = String::new();
    for (label, diseases) in by_group.values() {
        let label = label.replace(',', "  ");
        let _ = writeln!(text, "  {label}  {} rows", diseases.len());
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for disease in diseases {
            *counts.entry(disease).or_default() += 1;
        }
        let mut listed = Vec::new();
        for (disease, count) in counts {
            listed.push(format!("{disease} {count}"));
        }
        let _ = writeln!(text, "    {}", listed.join(", "));
    }
    text
}
