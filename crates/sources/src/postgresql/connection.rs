//! One connection in a thread of its own, with one transaction that only reads.
//!
//! The transaction is `REPEATABLE READ READ ONLY`: whatever is read through it, however often, is
//! one snapshot. If it breaks off, it is never silently begun anew.
//!
//! Rows come in pieces of about a mebibyte through a short channel, so that a slow reader holds the
//! server back and memory stays bounded. Whoever reads looks at the cancel flag while it waits, and
//! one who stops early has the server stop as well.

use super::failure::{not_connected, refused};
use super::settings::ConnectionSettings;
use super::tls::CheckedTls;
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt;
use mingle_io::DatabaseFlaw;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc as commands, oneshot};
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Connection, NoTls};

/// How much is handed on at once.
const PIECE: usize = 1 << 20;
/// How many pieces wait for a reader.
const WAITING: usize = 4;
/// How often the cancel flag is looked at while the server is waited for.
const LOOK: Duration = Duration::from_millis(50);
/// How long the server is asked to stop what nobody waits for any more.
const STOP: Duration = Duration::from_secs(2);

/// The transaction, and how values are written in it, whatever the server's defaults are.
const BEGIN: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; \
     SET LOCAL client_encoding = 'UTF8'; \
     SET LOCAL DateStyle = 'ISO, YMD'; \
     SET LOCAL TimeZone = 'UTC'; \
     SET LOCAL extra_float_digits = 1; \
     SET LOCAL standard_conforming_strings = on; \
     SET LOCAL idle_in_transaction_session_timeout = 0";

/// What nobody waits for any more, or what the database says.
#[derive(Debug)]
pub(super) enum Stopped {
    Cancelled,
    Flaw(DatabaseFlaw),
}

impl From<DatabaseFlaw> for Stopped {
    fn from(flaw: DatabaseFlaw) -> Stopped {
        Stopped::Flaw(flaw)
    }
}

/// A column of a query's answer.
#[derive(Clone)]
pub(super) struct QueryColumn {
    pub(super) name: String,
    pub(super) column_type: Type,
}

enum Command {
    Describe {
        query: String,
        answer: SyncSender<Result<Vec<QueryColumn>, DatabaseFlaw>>,
    },
    Copy {
        query: String,
        pieces: SyncSender<Result<Bytes, DatabaseFlaw>>,
        abandoned: oneshot::Receiver<()>,
    },
}

/// A connection with its snapshot.
pub(super) struct ReadingConnection {
    commands: Option<commands::UnboundedSender<Command>>,
    thread: Option<JoinHandle<()>>,
    cancel: Arc<AtomicBool>,
    /// Set as soon as the transaction cannot be read from any more.
    lost: Arc<AtomicBool>,
}

impl ReadingConnection {
    /// Connects and takes the snapshot.
    pub(super) fn open(
        settings: ConnectionSettings,
        cancel: Arc<AtomicBool>,
    ) -> Result<ReadingConnection, Stopped> {
        let (sender, receiver) = commands::unbounded_channel();
        let (answer, opened) = mpsc::sync_channel(1);
        let lost = Arc::new(AtomicBool::new(false));
        let lost_in_thread = lost.clone();
        let thread = std::thread::Builder::new()
            .name("postgresql".to_owned())
            .spawn(move || {
                run_thread(answer, async |answer| {
                    serve(settings, receiver, &lost_in_thread, answer).await;
                });
            });
        let thread = thread.map_err(|_| DatabaseFlaw::Gone)?;
        let connection = ReadingConnection {
            commands: Some(sender),
            thread: Some(thread),
            cancel,
            lost,
        };
        wait(&opened, &connection.cancel)??;
        Ok(connection)
    }

    /// The columns that a query would give.
    pub(super) fn describe(&self, query: String) -> Result<Vec<QueryColumn>, Stopped> {
        let (answer, answered) = mpsc::sync_channel(1);
        self.send(Command::Describe { query, answer })?;
        Ok(wait(&answered, &self.cancel)??)
    }

    /// Starts to read what a query gives, in the text format of `COPY`.
    pub(super) fn copy(&self, query: String) -> Result<CopiedRows, Stopped> {
        let (pieces, received) = mpsc::sync_channel(WAITING);
        let (abandon, abandoned) = oneshot::channel();
        self.send(Command::Copy {
            query,
            pieces,
            abandoned,
        })?;
        Ok(CopiedRows {
            received: Mutex::new(received),
            cancel: self.cancel.clone(),
            _abandon: abandon,
        })
    }

    fn send(&self, command: Command) -> Result<(), DatabaseFlaw> {
        if self.lost.load(Ordering::Acquire) {
            return Err(DatabaseFlaw::SnapshotLost);
        }
        let commands = self.commands.as_ref().ok_or(DatabaseFlaw::Gone)?;
        commands
            .send(command)
            .map_err(|_| DatabaseFlaw::SnapshotLost)
    }
}

impl Drop for ReadingConnection {
    /// Ends the transaction and the connection before the program ends.
    fn drop(&mut self) {
        self.commands = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        let began = Instant::now();
        while !thread.is_finished() && began.elapsed() < 2 * STOP {
            std::thread::sleep(LOOK / 10);
        }
    }
}

/// Pieces of complete rows.
pub(super) struct CopiedRows {
    received: Mutex<Receiver<Result<Bytes, DatabaseFlaw>>>,
    cancel: Arc<AtomicBool>,
    /// Dropped with this: the server then stops.
    _abandon: oneshot::Sender<()>,
}

impl CopiedRows {
    /// The next piece; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Bytes>, Stopped> {
        let received = self
            .received
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let piece = wait(received, &self.cancel)??;
        // the end is said, because a connection that breaks off also says nothing more
        Ok((!piece.is_empty()).then_some(piece))
    }
}

/// Waits for an answer, or until somebody asks to stop.
fn wait<T>(receiver: &Receiver<T>, cancel: &AtomicBool) -> Result<T, Stopped> {
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Disconnected) => return Err(DatabaseFlaw::Gone.into()),
            Err(RecvTimeoutError::Timeout) => {
                if cancel.load(Ordering::Relaxed) {
                    return Err(Stopped::Cancelled);
                }
            }
        }
    }
}

/// Runs work that waits for a server on this thread.
fn run_thread<A>(
    answer: SyncSender<Result<A, DatabaseFlaw>>,
    work: impl AsyncFnOnce(SyncSender<Result<A, DatabaseFlaw>>),
) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(work(answer)),
        Err(_) => drop(answer.send(Err(DatabaseFlaw::Gone))),
    }
}

/// A connection whose messages a task of the current runtime carries.
pub(super) async fn connect(settings: &ConnectionSettings) -> Result<Client, DatabaseFlaw> {
    let failed = |error: tokio_postgres::Error| not_connected(&settings.place, &error);
    match &settings.tls {
        None => {
            let (client, connection) = settings.config.connect(NoTls).await.map_err(failed)?;
            carry(connection);
            Ok(client)
        }
        Some(trusted) => {
            let tls = CheckedTls::new(trusted)?;
            let (client, connection) = settings.config.connect(tls).await.map_err(failed)?;
            carry(connection);
            Ok(client)
        }
    }
}

/// Does some work, or gives up as soon as somebody asks to stop: `Err(None)`.
pub(super) async fn interruptible<T>(
    cancel: &AtomicBool,
    work: impl Future<Output = Result<T, DatabaseFlaw>>,
) -> Result<T, Option<DatabaseFlaw>> {
    let asked = async {
        while !cancel.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
    };
    tokio::select! {
        done = work => done.map_err(Some),
        () = asked => Err(None),
    }
}

fn carry<S, T>(connection: Connection<S, T>)
where
    Connection<S, T>: Future<Output = Result<(), tokio_postgres::Error>> + Send + 'static,
{
    tokio::spawn(async move {
        // whoever waits for an answer is told by its own error
        _ = connection.await;
    });
}

/// Asks the server to stop what it is doing for a client.
async fn stop(client: &Client, settings: &ConnectionSettings) {
    let token = client.cancel_token();
    let asked = async {
        match &settings.tls {
            None => token.cancel_query(NoTls).await.is_ok(),
            Some(trusted) => match CheckedTls::new(trusted) {
                Ok(tls) => token.cancel_query(tls).await.is_ok(),
                Err(_) => false,
            },
        }
    };
    // one that does not answer is left alone
    _ = tokio::time::timeout(STOP, asked).await;
}

/// The life of a connection.
async fn serve(
    settings: ConnectionSettings,
    mut receiver: commands::UnboundedReceiver<Command>,
    lost: &AtomicBool,
    opened: SyncSender<Result<(), DatabaseFlaw>>,
) {
    let begun = async {
        let client = connect(&settings).await?;
        let begun = client.batch_execute(BEGIN).await;
        begun.map_err(|error| refused("a transaction that only reads", &error))?;
        Ok(client)
    };
    let client = match begun.await {
        Ok(client) => client,
        Err(flaw) => {
            _ = opened.send(Err(flaw));
            return;
        }
    };
    if opened.send(Ok(())).is_err() {
        return;
    }
    while let Some(command) = receiver.recv().await {
        match command {
            Command::Describe { query, answer } => {
                let described = describe(&client, &query).await;
                if described.is_err() {
                    lost.store(true, Ordering::Release);
                }
                _ = answer.send(described);
            }
            Command::Copy {
                query,
                pieces,
                abandoned,
            } => {
                let copied = tokio::select! {
                    copied = copy(&client, &query, &pieces) => copied,
                    _ = abandoned => Err(None),
                };
                let Err(reason) = copied else {
                    continue;
                };
                // nothing more can be read in a transaction that has failed
                lost.store(true, Ordering::Release);
                match reason {
                    Some(flaw) => drop(pieces.send(Err(flaw))),
                    None => stop(&client, &settings).await,
                }
            }
        }
    }
}

async fn describe(client: &Client, query: &str) -> Result<Vec<QueryColumn>, DatabaseFlaw> {
    let statement = client.prepare(query).await;
    let statement = statement.map_err(|error| refused("the query", &error))?;
    let mut columns = Vec::with_capacity(statement.columns().len());
    for column in statement.columns() {
        columns.push(QueryColumn {
            name: column.name().to_owned(),
            column_type: column.type_().clone(),
        });
    }
    if columns.is_empty() || !statement.params().is_empty() {
        return Err(DatabaseFlaw::NotRows);
    }
    Ok(columns)
}

/// Hands rows on in pieces; `Err(None)` when nobody wants them any more.
async fn copy(
    client: &Client,
    query: &str,
    pieces: &SyncSender<Result<Bytes, DatabaseFlaw>>,
) -> Result<(), Option<DatabaseFlaw>> {
    let failed = |error| Some(refused("reading", &error));
    let hand_on = |piece: Bytes| pieces.send(Ok(piece)).map_err(|_| None);
    let rows = client.copy_out(query).await.map_err(failed)?;
    let mut rows = pin!(rows);
    let mut piece = BytesMut::with_capacity(PIECE + PIECE / 8);
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        piece.extend_from_slice(&row);
        if piece.len() >= PIECE {
            hand_on(piece.split().freeze())?;
            piece.reserve(PIECE + PIECE / 8);
        }
    }
    if !piece.is_empty() {
        hand_on(piece.freeze())?;
    }
    hand_on(Bytes::new())
}
