//! From the text of a policy to a candidate, with what was read and made before at hand.
//!
//! A search that is worth waiting for answers a slider with a delay that can be felt. So a quick
//! look may come first: the same method at effort `quick`, which is then refined in place. A slow
//! method that knows no efforts is looked at through a quick one instead. Either look is another
//! release than the policy would publish, but one that is verified and measured in the same way, and
//! labelled as what it is.

use super::candidate::{self, Made};
use super::roles;
use super::seen::stamp;
use super::{Bench, End, lock};
use mingle::failure;
use mingle::insiders;
use mingle::tables::{Original, read_original};
use mingle::{Cancel, Length, Progress, Run};
use mingle_anonymize::{METHODS, SearchEffort};
use mingle_model::Cube;
use mingle_page::protocol::{PlanEvent, PlanRequest, Stage};
use mingle_page::{Sink, Stopped};
use mingle_policy::{DeclaredHierarchy, Policy};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::PolicyValue;
use mingle_release::manifest::checksum::sha256;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Below this many rows nobody waits.
const FEW: u64 = 2_000;

/// Beyond this many rows few candidates are kept: each holds its groups.
const MANY: u64 = 200_000;
const FEW_KEPT: usize = 4;

/// How often the page hears that something is going on.
const TICK: Duration = Duration::from_millis(100);

/// Tables as a policy reads them.
pub struct Loaded {
    /// What changes with them.
    pub key: String,
    /// The rows.
    pub original: Original,
    /// The rows as distinct ones.
    pub cube: Arc<Cube>,
    /// How many providers have rows.
    pub contributors: u64,
}

/// Makes a candidate, a quick look first where that helps.
pub fn answer(bench: &Bench, request: &PlanRequest, sink: &dyn Sink<PlanEvent>) -> Result<(), End> {
    let policy = grouped(bench.read(&request.text, &[])?)?;
    roles::check_confirmed(&policy, request.confirmed)?;
    let event = |now: &Now| PlanEvent::Progress {
        step: now.step.to_owned(),
        method: now.method.to_owned(),
        done: now.done,
        elapsed: now.elapsed(),
    };
    ticking(sink, &event, |board| {
        let loaded = load(bench, &policy, board, sink.cancelled())?;
        let send = |made: &Made| {
            sink.send(PlanEvent::Answer {
                candidate: Box::new(made.view.clone()),
            })
        };
        if let Some(made) = bench.made.get(&id(&policy, &loaded, Stage::Final)) {
            return Ok(send(&made)?);
        }
        if request.quick
            && loaded.cube.rows() > FEW
            && let Some(flag) = quicker(&policy)
            && let Ok(quick) = bench.read(&request.text, &[flag])
        {
            // where a quick look finds nothing, the whole search may
            let wanted = Wanted {
                policy: &quick,
                loaded: &loaded,
                stage: Stage::Quick,
            };
            if let Ok(made) = make(bench, &wanted, board, sink.cancelled()) {
                send(&made)?;
            }
        }
        let wanted = Wanted {
            policy: &policy,
            loaded: &loaded,
            stage: Stage::Final,
        };
        let made = make(bench, &wanted, board, sink.cancelled())?;
        Ok(send(&made)?)
    })
}

/// The flag that makes a policy one that is answered quickly and resembles it most; none where it
/// is answered quickly as it is.
fn quicker(policy: &Policy) -> Option<String> {
    let capabilities = policy.method.capabilities();
    if capabilities.quick {
        return None;
    }
    if capabilities.efforts {
        let searches_on = policy.method.settings.effort > SearchEffort::Quick;
        return searches_on.then(|| "method.effort=\"quick\"".to_owned());
    }
    let stand_in = METHODS.iter().find(|entry| entry.capabilities.quick)?;
    Some(format!("method.name={:?}", stand_in.name))
}

/// The page is about groups.
pub fn grouped(policy: Policy) -> Result<Policy, Problem> {
    match policy.noise() {
        None => Ok(policy),
        Some(dp) => {
            let text = "the page plans releases of groups, and this policy asks for noise";
            Err(dp.place.problem(
                ProblemCode::OtherPromise,
                text,
                "use `mingle dp synthetic`, `marginals` or `histogram`",
            ))
        }
    }
}

/// The tables of a policy, read if they are not at hand or have changed.
pub fn load(
    bench: &Bench,
    policy: &Policy,
    board: &Board,
    cancel: &Arc<AtomicBool>,
) -> Result<Arc<Loaded>, Problem> {
    let key = key(policy);
    if let Some(loaded) = bench.loaded.get(&key) {
        return Ok(loaded);
    }
    let original = read_original(policy, &board.run(cancel))?;
    board.run(cancel).step("counting");
    let cube = Arc::new(Cube::new(original.table.clone()));
    stop_if(cancel)?;
    let contributors = insiders::contributors(&original.table);
    let loaded = Arc::new(Loaded {
        key: key.clone(),
        original,
        cube,
        contributors,
    });
    bench.loaded.put(&key, loaded.clone());
    Ok(loaded)
}

/// What reading depends on.
fn key(policy: &Policy) -> String {
    let document = &policy.document;
    let mut key = written(document.section("data")) + &written(document.section("columns"));
    policy.data.inputs().for_each(|path| key += &stamp(path));
    for column in &policy.columns {
        if let Some(DeclaredHierarchy::File(name, _)) = &column.hierarchy {
            key += &stamp(&policy.data.folders.find(name));
        }
    }
    sha256(key.as_bytes())
}

/// A part of a policy as text; a part that is not there has one as well.
fn written(part: Option<&PolicyValue>) -> String {
    part.map_or_else(|| "null".to_owned(), mingle_policy::written)
}

/// The same policy on the same tables has the same candidate. A quick look is never taken for what
/// a policy of that method and effort would publish.
pub fn id(policy: &Policy, loaded: &Loaded, stage: Stage) -> String {
    let document = &policy.document;
    let mut asked = format!(
        "{}{stage:?}{}",
        loaded.key,
        written(
            document
                .section("release")
                .and_then(|release| release.as_table()?.get("fragmented"))
        )
    );
    for section in ["privacy", "method", "composition", "protocol"] {
        asked += &written(document.section(section));
    }
    for other in policy
        .composition
        .iter()
        .flat_map(|composition| &composition.against)
    {
        asked += &stamp(&other.path.join("public").join("manifest.json"));
        asked += &stamp(&other.path.join("manifest.json"));
        asked += &stamp(&other.path);
        asked += &other.policy.as_deref().map(stamp).unwrap_or_default();
    }
    sha256(asked.as_bytes())[..24].to_owned()
}

/// A candidate that is asked for.
struct Wanted<'a> {
    policy: &'a Policy,
    loaded: &'a Arc<Loaded>,
    stage: Stage,
}

/// Makes a candidate and keeps it.
fn make(
    bench: &Bench,
    wanted: &Wanted<'_>,
    board: &Board,
    cancel: &Arc<AtomicBool>,
) -> Result<Arc<Made>, Problem> {
    let Wanted {
        policy,
        loaded,
        stage,
    } = *wanted;
    let id = id(policy, loaded, stage);
    if let Some(made) = bench.made.get(&id) {
        return Ok(made);
    }
    let made = Arc::new(candidate::make(
        policy,
        loaded,
        (&id, stage),
        board,
        cancel,
    )?);
    bench.made.put(&id, made.clone());
    if loaded.cube.rows() > MANY {
        bench.made.trim(FEW_KEPT);
    }
    Ok(made)
}

/// An error as soon as nobody listens any more.
pub fn stop_if(cancel: &AtomicBool) -> Result<(), Problem> {
    if cancel.load(Ordering::Relaxed) {
        Err(failure::interrupted())
    } else {
        Ok(())
    }
}

/// What is being done.
#[derive(Clone)]
pub struct Now {
    /// In a word.
    pub step: &'static str,
    /// By which method.
    pub method: &'static str,
    /// The share that is done, where it is known.
    pub done: Option<f64>,
    started: Instant,
}

impl Now {
    /// Milliseconds since the beginning.
    pub fn elapsed(&self) -> f64 {
        milliseconds(self.started)
    }
}

/// Milliseconds, to a tenth.
pub fn milliseconds(since: Instant) -> f64 {
    (since.elapsed().as_secs_f64() * 10_000.0).round() / 10.0
}

/// Where work says what it is doing.
#[derive(Clone)]
pub struct Board(Arc<Mutex<Now>>);

impl Board {
    /// Nothing is being done yet.
    pub fn new() -> Board {
        Board(Arc::new(Mutex::new(Now {
            step: "reading",
            method: "",
            done: None,
            started: Instant::now(),
        })))
    }

    /// Begins a step.
    pub fn step(&self, step: &'static str, method: &'static str) {
        let mut now = lock(&self.0);
        *now = Now {
            step,
            method,
            done: None,
            started: now.started,
        };
    }

    /// A run that tells the board, for those who do not know it.
    pub fn run(&self, cancel: &Arc<AtomicBool>) -> Run {
        let told = Told {
            board: self.clone(),
            length: Mutex::new(None),
        };
        Run::new(Arc::new(told), Cancel::from(cancel.clone()))
    }
}

/// Passes the progress of a run on to a board.
struct Told {
    board: Board,
    /// How long the step is, where that is known.
    length: Mutex<Option<u64>>,
}

impl Progress for Told {
    fn begin(&self, step: &'static str, length: Length) {
        *lock(&self.length) = length.number().filter(|&all| all > 0);
        let mut now = lock(&self.board.0);
        (now.step, now.done) = (step, None);
    }

    fn advance(&self, so_far: u64) {
        let length = *lock(&self.length);
        lock(&self.board.0).done = length.map(|all| so_far as f64 / all as f64);
    }
}

/// Works, and says what is being done while it lasts.
pub fn ticking<T>(
    sink: &dyn Sink<T>,
    event: &(dyn Fn(&Now) -> T + Sync),
    work: impl FnOnce(&Board) -> Result<(), End>,
) -> Result<(), End> {
    let board = Board::new();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ticker = scope.spawn(|| tick(&board, sink, event, &over));
        // also where the work panics: a scope waits for its threads
        let _end = Ending {
            over: &over,
            ticker: ticker.thread(),
        };
        work(&board)
    })
}

/// Ends the ticker when it goes.
struct Ending<'a> {
    over: &'a AtomicBool,
    ticker: &'a std::thread::Thread,
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.ticker.unpark();
    }
}

fn tick<T>(board: &Board, sink: &dyn Sink<T>, event: &dyn Fn(&Now) -> T, over: &AtomicBool) {
    loop {
        std::thread::park_timeout(TICK);
        if over.load(Ordering::Relaxed) {
            return;
        }
        let now = lock(&board.0).clone();
        if let Err(Stopped) = sink.send(event(&now)) {
            return;
        }
    }
}
