//! `mingle site demo`: both sites in one process, over real TLS on the loopback, with the seven
//! patients of the D2Pt paper's Table 1. Keys and folders are made for the occasion and thrown
//! away.

mod patients;

use super::problem;
use crate::args::{SiteDemo, SynchronizerName};
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, wrap};
use mingle::failure;
use mingle_protocol::{Leak, Observer, Seat, Synchronizer};
use mingle_record::answer::{SiteDemoAnswer, SiteDemoPlay, SiteDemoSite};
use mingle_record::schema::SiteDemoSchema;
use mingle_release::Release;
use mingle_site::{
    Address, Deposit, Fingerprint, Identity, RunEnd, RunOutcome, Site, WaitingTimes, Watcher,
};
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

const NAMES: [&str; 2] = ["hospital", "insurer"];

pub fn run(args: &SiteDemo, screen: Screen) -> Result<Exit, Problem> {
    let chosen = args.synchronizer.map(synchronizer);
    let cancel = interrupt::listen();
    let mut plays = Vec::new();
    if !args.json {
        print(&patients::story())?;
    }
    for synchronizer in Synchronizer::ALL
        .into_iter()
        .filter(|s| chosen.is_none_or(|c| c == *s))
    {
        screen.detail(&format!("playing {}", synchronizer.name()));
        let (play, text) = play(synchronizer, cancel.flag())?;
        if !args.json {
            print(&text)?;
        }
        plays.push(play);
    }
    if args.json {
        print_json(&SiteDemoAnswer {
            schema: SiteDemoSchema,
            plays,
        })?;
    }
    Ok(Exit::Fine)
}

fn synchronizer(name: SynchronizerName) -> Synchronizer {
    match name {
        SynchronizerName::Dpp2ga => Synchronizer::Dpp2ga,
        SynchronizerName::Identity => Synchronizer::Identity,
        SynchronizerName::Fork => Synchronizer::Fork,
        SynchronizerName::Merge => Synchronizer::Merge,
        SynchronizerName::Repair => Synchronizer::Repair,
    }
}

/// Runs both sites and tells what each saw and what they published.
fn play(
    synchronizer: Synchronizer,
    cancel: &AtomicBool,
) -> Result<(SiteDemoPlay, String), Problem> {
    let home = tempfile::tempdir().map_err(|e| failure::write("a temporary folder", &e))?;
    let seen = [Arc::new(Notebook::default()), Arc::new(Notebook::default())];
    let [first, second] = sites(home.path())?;
    let part = |seat: Seat, site: Site| {
        let notebook = seen[seat.number()].clone();
        move || mingle_site::run(site, patients::setup(seat, synchronizer), notebook, cancel)
    };
    let ended = std::thread::scope(|scope| {
        [(Seat::Zero, first), (Seat::One, second)]
            .map(|(seat, site)| scope.spawn(part(seat, site)))
            .map(std::thread::ScopedJoinHandle::join)
    });
    for outcome in ended {
        let outcome = outcome.map_err(|_| failure::defect("a site did not end"))?;
        check(outcome.map_err(|e| problem(&e))?)?;
    }
    tell(synchronizer, home.path(), &seen)
}

/// Two sites that know each other; the first is called by the second.
fn sites(home: &Path) -> Result<[Site; 2], Problem> {
    let [first, second] = [identity(home, NAMES[0])?, identity(home, NAMES[1])?];
    let prints = [first.fingerprint(), second.fingerprint()];
    let listener =
        TcpListener::bind("127.0.0.1:0").map_err(|e| failure::write("to a socket", &e))?;
    let port = listener
        .local_addr()
        .map_err(|e| failure::write("to a socket", &e))?
        .to_string();
    Ok([
        site(home, Seat::Zero, first, prints[1], Address::Bound(listener)),
        site(home, Seat::One, second, prints[0], Address::Connect(port)),
    ])
}

fn check(outcome: RunOutcome) -> Result<(), Problem> {
    match outcome.end {
        RunEnd::Published { .. } => Ok(()),
        RunEnd::Aborted(error) => {
            interrupt::check()?;
            Err(mingle::joint::problem(&error))
        }
        RunEnd::InDoubt => Err(failure::defect("a demonstration in doubt")),
    }
}

fn identity(home: &Path, name: &str) -> Result<Identity, Problem> {
    let path = |end: &str| home.join(format!("{name}.{end}"));
    let day = Duration::from_secs(24 * 60 * 60);
    Identity::create(name, SystemTime::now(), day, &path("key"), &path("crt"))
        .map_err(|e| problem(&e))
}

fn site(home: &Path, seat: Seat, identity: Identity, peer: Fingerprint, address: Address) -> Site {
    let deposit = Deposit {
        out: home.join(NAMES[seat.number()]),
        force: false,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        policy: None,
        inputs: Vec::new(),
        reports: None,
    };
    let limits = WaitingTimes {
        silence: Duration::from_secs(10),
        deadline: Duration::from_secs(60),
    };
    Site {
        identity,
        peer,
        address,
        limits,
        deposit,
    }
}

/// What a site saw: the frames that came from the other, and what the protocol says it learnt.
#[derive(Default)]
struct Notebook {
    frames: Mutex<Vec<(&'static str, usize)>>,
    learned: Mutex<Vec<String>>,
}

impl Notebook {
    /// The same for programs.
    fn answer(&self, name: &str) -> SiteDemoSite {
        let frames = self.frames.lock().unwrap_or_else(|p| p.into_inner());
        let learned = self.learned.lock().unwrap_or_else(|p| p.into_inner());
        let received: usize = frames.iter().map(|(_, bytes)| bytes).sum();
        SiteDemoSite {
            name: name.to_owned(),
            received: received as u64,
            learned: learned.clone(),
        }
    }
}

impl Observer for Notebook {
    fn frame(&self, sent: bool, kind: &'static str, bytes: &[u8]) {
        if !sent {
            self.frames
                .lock()
                .unwrap_or_else(|p| p.into_inner())
                .push((kind, bytes.len()));
        }
    }

    fn learned(&self, what: &str) {
        self.learned
            .lock()
            .unwrap_or_else(|p| p.into_inner())
            .push(what.to_owned());
    }
}

impl Watcher for Notebook {}

fn tell(
    synchronizer: Synchronizer,
    home: &Path,
    seen: &[Arc<Notebook>; 2],
) -> Result<(SiteDemoPlay, String), Problem> {
    let [first, second] = NAMES.map(|name| home.join(name));
    let release = Release::open(&first).map_err(|e| failure::release(&e))?;
    let manifest = release.manifest().map_err(|e| failure::release(&e))?;
    let rounds = manifest
        .protocol
        .as_ref()
        .map_or(0, |protocol| protocol.rounds);
    let leak = match synchronizer.leak() {
        Leak::L0 => "output only",
        Leak::L1 => "contingency table to the evaluator",
        Leak::L2 => "partitions by person",
    };
    let mut text = format!("\n== {} ==\n", synchronizer.name());
    let level = synchronizer.leak().name();
    text += &wrap(&format!(
        "reveals ({level}, {leak}): {}",
        synchronizer.reveals()
    ));
    if synchronizer == Synchronizer::Dpp2ga {
        text += "dpp2ga keeps k only, so the distance is not promised here\n";
    }
    text += &frames(seen);
    let _ = writeln!(text, "rounds: {rounds}; groups: {}", manifest.groups);
    let mut tables = Vec::new();
    for table in &manifest.tables {
        let files = [&first, &second]
            .map(|folder| std::fs::read_to_string(folder.join("public").join(&table.file)));
        let [Ok(here), Ok(there)] = files else {
            return Err(failure::defect("a published table is missing"));
        };
        if here != there {
            return Err(failure::defect("the two sites published different tables"));
        }
        let _ = writeln!(text, "\npublic/{}, the same at both sites", table.file);
        text += &columns(&here);
        tables.push(here);
    }
    let mut sites = Vec::new();
    for (name, notebook) in NAMES.iter().zip(seen) {
        sites.push(notebook.answer(name));
    }
    let play = SiteDemoPlay {
        synchronizer: synchronizer.name().to_owned(),
        leak_level: level.to_owned(),
        rounds,
        groups: manifest.groups,
        sites,
        tables,
    };
    Ok((play, text))
}

/// What each site received, frame by frame.
fn frames(seen: &[Arc<Notebook>; 2]) -> String {
    let of = |site: &Arc<Notebook>| {
        site.frames
            .lock()
            .unwrap_or_else(|p| p.into_inner())
            .clone()
    };
    let sites = [of(&seen[0]), of(&seen[1])];
    let mut text = format!(
        "\n{:<22}{:>12}{:>12}\n",
        "bytes received by", NAMES[0], NAMES[1]
    );
    for turn in 0..sites[0].len().max(sites[1].len()) {
        let kinds = [0, 1].map(|s: usize| sites[s].get(turn).map(|(kind, _)| *kind));
        let size = |s: usize| {
            sites[s]
                .get(turn)
                .map_or(String::new(), |(_, bytes)| bytes.to_string())
        };
        let _ = writeln!(
            text,
            "  {:<20}{:>12}{:>12}",
            kinds[0].or(kinds[1]).unwrap_or_default(),
            size(0),
            size(1)
        );
    }
    let total = |site: &[(&str, usize)]| site.iter().map(|(_, bytes)| bytes).sum::<usize>();
    let _ = writeln!(
        text,
        "  {:<20}{:>12}{:>12}",
        "together",
        total(&sites[0]),
        total(&sites[1])
    );
    for (name, notebook) in NAMES.iter().zip(seen) {
        let learned = notebook
            .learned
            .lock()
            .unwrap_or_else(|p| p.into_inner())
            .join("; ");
        text += &wrap(&format!("{name} learnt: {learned}"));
    }
    text
}

/// A small CSV file in columns. Cells are the example's own and hold no quotes.
fn columns(csv: &str) -> String {
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let width = |c: usize| {
        rows.iter()
            .filter_map(|row| row.get(c))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let line = |row: &Vec<&str>| {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(c, cell)| format!("{cell:<w$}", w = width(c)))
            .collect();
        format!("  {}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}
