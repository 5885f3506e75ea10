//! What all requests share.

use crate::Error;
use crate::guard::Hosts;
use crate::jobs::Jobs;
use crate::server::ServerOptions;
use crate::session::Sessions;
use crate::ticket::Tickets;
use crate::workbench::Workbench;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Short questions at a time: one whose asker is gone still runs to its end, so connections do not
/// bound them.
const QUESTIONS: usize = 16;

/// What all requests share.
pub(crate) struct Site {
    pub(crate) workbench: Arc<dyn Workbench>,
    pub(crate) options: ServerOptions,
    pub(crate) hosts: Hosts,
    pub(crate) sessions: Sessions,
    pub(crate) tickets: Tickets,
    pub(crate) jobs: Arc<Jobs>,
    questions: Arc<Semaphore>,
}

impl Site {
    /// On a port.
    pub(crate) fn new(workbench: Arc<dyn Workbench>, options: ServerOptions, port: u16) -> Self {
        Self {
            workbench,
            hosts: Hosts::new(port),
            sessions: Sessions::new(),
            tickets: Tickets::new(),
            jobs: Arc::new(Jobs::new(options.jobs)),
            questions: Arc::new(Semaphore::new(QUESTIONS)),
            options,
        }
    }

    /// Asks the workbench on a thread that may block. A panic is an answer, not the end.
    pub(crate) async fn ask<T, E>(
        self: &Arc<Self>,
        question: impl FnOnce(&dyn Workbench) -> Result<T, E> + Send + 'static,
    ) -> Result<T, Error>
    where
        T: Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        let seat = Arc::clone(&self.questions)
            .acquire_owned()
            .await
            .map_err(|_| Error::Stopping)?;
        let workbench = Arc::clone(&self.workbench);
        let answer = spawn_blocking(move || {
            let _seat = seat;
            question(&*workbench)
        });
        answer.await.map_err(|_| Error::Defect)?.map_err(Into::into)
    }
}
