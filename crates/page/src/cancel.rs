//! A flag that says "give up", for threads that look at it and for tasks that wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// Raised once, never lowered.
pub(crate) struct Cancel {
    flag: Arc<AtomicBool>,
    bell: watch::Sender<bool>,
}

impl Cancel {
    /// Not raised.
    pub(crate) fn new() -> Self {
        Self {
            flag: Arc::new(AtomicBool::new(false)),
            bell: watch::Sender::new(false),
        }
    }

    /// Says it.
    pub(crate) fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.bell.send_replace(true);
    }

    /// For a loop that looks.
    pub(crate) fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Whether it is raised.
    pub(crate) fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// For a task that waits.
    pub(crate) async fn raised(&self) {
        // fails only when the sender is gone, and we hold it
        let _ = self.bell.subscribe().wait_for(|raised| *raised).await;
    }
}
