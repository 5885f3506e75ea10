//! When a run ends: because somebody asks, at the deadline, or a little after its outcome is
//! decided.

use mingle_protocol::Reason;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long a side that knows the outcome waits for the other to learn of it.
pub(crate) const LINGER: Duration = Duration::from_secs(5);

/// When to stop.
pub(crate) struct Clock<'a> {
    pub(crate) cancel: &'a AtomicBool,
    pub(crate) deadline: Cell<Instant>,
    /// The outcome was decided before this run.
    pub(crate) before: bool,
}

impl Clock<'_> {
    /// Returns when somebody has asked to stop, or at the deadline.
    pub(crate) async fn stop(&self) -> Reason {
        const LOOK: Duration = Duration::from_millis(50);
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Reason::Stopped;
            }
            if Instant::now() >= self.deadline.get() {
                return Reason::Silence;
            }
            sleep(LOOK).await;
        }
    }

    /// The same, and this much later.
    pub(crate) async fn stop_after(&self, pause: Duration) -> Reason {
        let reason = self.stop().await;
        sleep(pause).await;
        reason
    }

    /// The outcome is decided: only a little longer.
    pub(crate) fn decided(&self) {
        if !self.before {
            self.deadline
                .set(self.deadline.get().min(Instant::now() + LINGER));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime")
            .block_on(work)
    }

    #[test]
    fn a_decided_run_ends_soon_unless_it_was_decided_before() {
        let cancel = AtomicBool::new(false);
        let far = Duration::from_secs(3600);
        wait(async {
            let clock = |before| Clock {
                cancel: &cancel,
                deadline: Cell::new(Instant::now() + far),
                before,
            };
            let (new, old) = (clock(false), clock(true));
            new.decided();
            old.decided();
            let soon = new.deadline.get();
            new.decided();
            assert!(soon <= Instant::now() + LINGER && new.deadline.get() == soon);
            assert!(old.deadline.get() > Instant::now() + LINGER);
            cancel.store(true, Ordering::Relaxed);
            assert_eq!(old.stop().await, Reason::Stopped);
        });
    }
}
