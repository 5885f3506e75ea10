//! How a piece of work is done: who is told about its progress, who may stop it, and on how many
//! threads it runs.

use crate::clock::{self, Clock, SystemClock};
use mingle_io::Scan;
use mingle_record::{Problem, ProblemCode};
use mingle_sources::Databases;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Everything that is wanted of a piece of work beside its result. It has a thread pool of its own,
/// so that two runs in one process do not share a setting. Clones are the same run.
#[derive(Clone)]
pub struct Run {
    progress: Arc<dyn Progress>,
    cancel: Cancel,
    clock: Arc<dyn Clock>,
    threads: usize,
    pool: Option<Arc<rayon::ThreadPool>>,
    databases: Databases,
}

impl Default for Run {
    /// On all processors, seen by nobody, stopped by nobody.
    fn default() -> Run {
        Run::new(Arc::new(Unwatched), Cancel::default())
    }
}

impl Run {
    /// Work on all processors.
    pub fn new(progress: Arc<dyn Progress>, cancel: Cancel) -> Run {
        Run {
            progress,
            databases: Databases::new(cancel.0.clone()),
            cancel,
            clock: Arc::new(SystemClock),
            threads: 0,
            pool: None,
        }
    }

    /// The same work on this many threads. The result does not depend on their number.
    pub fn with_threads(mut self, threads: usize) -> Result<Run, Problem> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|_| {
            let text = format!("cannot start {threads} threads");
            Problem::new(ProblemCode::Usage, text, "ask for fewer threads")
        })?;
        self.threads = threads;
        self.pool = Some(Arc::new(pool));
        Ok(self)
    }

    /// The same work by another clock.
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Run {
        self.clock = clock;
        self
    }

    /// The time that is written down now, in UTC.
    pub fn timestamp(&self) -> String {
        clock::utc(self.clock.now())
    }

    /// Does a piece of work on the run's own threads.
    pub fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// How many threads may read; 0 for all processors.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The databases that are read, each as it was at one moment of this run.
    pub fn databases(&self) -> &Databases {
        &self.databases
    }

    /// Raised by someone else to give up.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// An error as soon as somebody has asked to stop.
    pub fn check(&self) -> Result<(), Problem> {
        self.cancel.check()
    }

    /// Says that a step begins whose length is not known.
    pub fn step(&self, name: &'static str) {
        self.begin(name, Length::Unknown);
    }

    /// Says that a step begins, and how long it is.
    pub fn begin(&self, name: &'static str, length: Length) {
        self.progress.begin(name, length);
    }

    /// Says that reading begins, and how many bytes there are as far as the tables know.
    pub fn begin_reading<S: Scan>(&self, tables: &[S]) {
        let mut bytes = 0;
        for table in tables {
            bytes += table.size().unwrap_or(0);
        }
        self.begin("reading", Length::Bytes(bytes));
    }

    /// Says that the work is over: what follows is its result.
    pub fn end(&self) {
        self.progress.end();
    }

    /// Takes how many bytes or rows of the step are done, from any thread.
    pub fn counter(&self) -> impl Fn(u64) + Send + Sync + use<> {
        let progress = self.progress.clone();
        move |so_far| progress.advance(so_far)
    }

    /// Says something that only a closer look needs.
    pub fn detail(&self, text: &str) {
        self.progress.detail(text);
    }
}

/// Told what is being done. Everything has a default, so that a listener needs to know only what it
/// is interested in.
pub trait Progress: Send + Sync {
    /// A step begins; the one before it has ended.
    fn begin(&self, _step: &'static str, _length: Length) {}

    /// So much of the step is done; called from any thread.
    fn advance(&self, _so_far: u64) {}

    /// Something that only a closer look needs.
    fn detail(&self, _text: &str) {}

    /// The last step has ended.
    fn end(&self) {}
}

/// How long a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Nobody knows.
    Unknown,
    /// So many bytes are read.
    Bytes(u64),
    /// So many rows are written.
    Rows(u64),
    /// So many settings are measured.
    Settings(u64),
}

impl Length {
    /// The number, where there is one.
    pub fn number(self) -> Option<u64> {
        match self {
            Length::Unknown => None,
            Length::Bytes(number) | Length::Rows(number) | Length::Settings(number) => Some(number),
        }
    }
}

/// Nobody is told.
struct Unwatched;

impl Progress for Unwatched {}

/// A wish to stop, which every long step looks at. Clones share the wish.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks to stop; what is being written is removed by its owner.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag as the rooms below take it.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// An error as soon as somebody has asked to stop.
    pub fn check(&self) -> Result<(), Problem> {
        if self.is_asked() {
            Err(crate::failure::interrupted())
        } else {
            Ok(())
        }
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    /// Another owner's flag.
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}
