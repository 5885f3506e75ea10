//! A piece of work, seen from Python: on a thread of its own, without Python's lock.
//!
//! The calling thread waits. It looks for signals a few times a second, so that Ctrl-C asks the
//! work to stop and is raised once it has, and tells a listener about progress: a function of the
//! step's name, how much of it is done, and how much there is to do.

use crate::failure::{self, raised};
use mingle::{Cancel, Length, Problem, Progress, Run};
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Who is told about progress; nobody where it is `None`.
pub type Listener = Option<Py<PyAny>>;

/// A run that can be waited for.
pub struct Job {
    run: Run,
    seen: Arc<Seen>,
}

impl Job {
    /// Work on so many threads, or on all processors.
    pub fn new(threads: Option<usize>) -> PyResult<Job> {
        let seen = Arc::new(Seen::default());
        let run = Run::new(seen.clone(), Cancel::default());
        let run = match threads {
            None => run,
            Some(threads) => run.with_threads(threads).map_err(|e| raised(&e))?,
        };
        Ok(Job { run, seen })
    }

    /// Does it, and waits for it.
    pub fn wait<T: Send>(
        &self,
        py: Python<'_>,
        listener: &Listener,
        work: impl FnOnce(&Run) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            std::thread::scope(|scope| {
                let (done, finished) = channel();
                let worker = scope.spawn(move || {
                    // sent when it is dropped as well, as after a panic
                    let _done = SendWhenDropped(done);
                    work(&self.run)
                });
                let mut interrupted = None;
                let mut told = Step::default();
                while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(BETWEEN_LOOKS) {
                    if interrupted.is_none()
                        && let Err(error) = self.look(listener, &mut told)
                    {
                        self.run.cancel().ask();
                        interrupted = Some(error);
                    }
                }
                let result = worker.join();
                match interrupted {
                    Some(error) => Err(error),
                    None => result.map_err(|_| failure::defect("the work ended by a panic")),
                }
            })
        })
    }

    /// Handles signals, and tells what is new.
    fn look(&self, listener: &Listener, told: &mut Step) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(listener) = listener else {
                return Ok(());
            };
            let step = *self
                .seen
                .step
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if step != *told {
                *told = step;
                listener.call1(py, (step.name, step.so_far, step.of))?;
            }
            Ok(())
        })
    }
}

/// Does a piece of work that ends in a value or a problem.
pub fn wait_for<T: Send>(
    py: Python<'_>,
    listener: &Listener,
    work: impl FnOnce(&Run) -> Result<T, Problem> + Send,
) -> PyResult<T> {
    Job::new(None)?
        .wait(py, listener, work)?
        .map_err(|problem| raised(&problem))
}

struct SendWhenDropped(std::sync::mpsc::Sender<()>);

impl Drop for SendWhenDropped {
    fn drop(&mut self) {
        // whoever waits is there until this was sent
        let _ = self.0.send(());
    }
}

/// What the work said last.
#[derive(Default)]
struct Seen {
    step: Mutex<Step>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Step {
    name: &'static str,
    so_far: u64,
    of: Option<u64>,
}

impl Progress for Seen {
    fn begin(&self, step: &'static str, length: Length) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = Step {
            name: step,
            so_far: 0,
            of: length.number().filter(|&number| number > 0),
        };
    }

    fn advance(&self, so_far: u64) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        step.so_far = step.so_far.max(so_far);
    }
}
