//! Long work: what it is, who asked for it, and how much of it runs at a time.
//!
//! A job belongs to a tab of a session. A newer job of the same kind and tab stops the older one,
//! whose answer nobody wants any more. A few run at a time, the others wait in the order they came;
//! a seat is free only when its thread is done, also where nobody listens any more.

use crate::Error;
use crate::cancel::Cancel;
use crate::name::PlainName;
use crate::protocol::{
    AttackEvent, AttackRequest, FrontierEvent, FrontierRequest, PlanEvent, PlanRequest,
    ProblemView, PublishEvent, PublishRequest,
};
use crate::session::SessionId;
use crate::workbench::{Sink, Stopped, Workbench};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;

/// A request that is answered by a stream of events.
pub(crate) trait Job: DeserializeOwned + Send + 'static {
    /// What it sends.
    type Event: Serialize + Send + 'static;
    /// Which of a tab's jobs it replaces.
    const KIND: &'static str;

    /// Who asks.
    fn tab(&self) -> &str;

    /// Does it.
    fn run(&self, workbench: &dyn Workbench, sink: &dyn Sink<Self::Event>) -> Result<(), Stopped>;

    /// What it sends when it cannot go on.
    fn failed(problem: ProblemView) -> Self::Event;
}

macro_rules! job {
    ($request:ty, $event:ident, $kind:literal, |$self:ident, $workbench:ident, $sink:ident| $run:expr) => {
        impl Job for $request {
            type Event = $event;
            const KIND: &'static str = $kind;

            fn tab(&self) -> &str {
                &self.tab
            }

            fn run(&$self, $workbench: &dyn Workbench, $sink: &dyn Sink<$event>) -> Result<(), Stopped> {
                $run
            }

            fn failed(problem: ProblemView) -> $event {
                $event::Problem { problem }
            }
        }
    };
}

job!(PlanRequest, PlanEvent, "plan", |self, workbench, sink| {
    workbench.plan(self, sink)
});
job!(
    FrontierRequest,
    FrontierEvent,
    "frontier",
    |self, workbench, sink| workbench.frontier(self, sink)
);
job!(
    AttackRequest,
    AttackEvent,
    "attack",
    |self, workbench, sink| workbench.attack(self, sink)
);
job!(
    PublishRequest,
    PublishEvent,
    "publish",
    |self, workbench, sink| match PlainName::single(&self.name) {
        Ok(_) => workbench.publish(self, sink),
        Err(error) => sink.send(Self::failed(error.problem())),
    }
);

/// The jobs that run or wait.
pub(crate) struct Jobs {
    seats: Arc<Semaphore>,
    running: Mutex<Running>,
}

type Owner = (SessionId, &'static str, String);

#[derive(Default)]
struct Running {
    stopped: bool,
    by_owner: HashMap<Owner, Arc<Cancel>>,
}

/// A job's place; left when dropped.
pub(crate) struct Entry {
    jobs: Arc<Jobs>,
    owner: Owner,
    /// Raised when the job is to give up.
    pub(crate) cancel: Arc<Cancel>,
}

impl Jobs {
    /// With so many seats.
    pub(crate) fn new(seats: usize) -> Self {
        Self {
            seats: Arc::new(Semaphore::new(seats.max(1))),
            running: Mutex::default(),
        }
    }

    /// Takes the place of the tab's older job of the same kind, which is told to give up.
    pub(crate) fn enter<J: Job>(
        self: &Arc<Self>,
        session: SessionId,
        job: &J,
    ) -> Result<Entry, Error> {
        let owner = (session, J::KIND, job.tab().to_owned());
        let cancel = Arc::new(Cancel::new());
        let mut running = self.running();
        if running.stopped {
            return Err(Error::Stopping);
        }
        if let Some(older) = running.by_owner.insert(owner.clone(), Arc::clone(&cancel)) {
            older.raise();
        }
        drop(running);
        Ok(Entry {
            jobs: Arc::clone(self),
            owner,
            cancel,
        })
    }

    /// Where jobs wait in order.
    pub(crate) fn seats(&self) -> Arc<Semaphore> {
        Arc::clone(&self.seats)
    }

    /// Takes no more and tells all to give up.
    pub(crate) fn stop(&self) {
        let mut running = self.running();
        running.stopped = true;
        running.by_owner.values().for_each(|cancel| cancel.raise());
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut running = self.jobs.running();
        if running
            .by_owner
            .get(&self.owner)
            .is_some_and(|cancel| Arc::ptr_eq(cancel, &self.cancel))
        {
            running.by_owner.remove(&self.owner);
        }
    }
}
