//! The server: one listener on loopback, and how long it waits for whom.
//!
//! It is bound to 127.0.0.1 and speaks HTTP/1.1 without encryption, since nothing leaves the
//! machine. Threads that answer are apart from threads that talk, so that a long answer never keeps
//! another tab waiting. What it takes is bounded: connections, jobs at a time, bytes of a body,
//! seconds without progress.

use crate::Workbench;
use crate::patience::Patient;
use crate::routes::router;
use crate::secret::Secret;
use crate::site::Site;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How often the server looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long connections may take to end their answers.
const CONNECTIONS_END: Duration = Duration::from_secs(1);
/// How long threads may take to give up.
const THREADS_END: Duration = Duration::from_millis(500);
/// Bytes of a head, and of what is read or written at a time.
const BUFFER: usize = 64 << 10;

/// What a server takes and how long it waits.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// The largest file that may be dropped, in bytes.
    pub largest_upload: u64,
    /// Connections at a time; more wait.
    pub connections: usize,
    /// Plans, frontiers, attacks and publications at a time; more wait in order.
    pub jobs: usize,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head_timeout: Duration,
    /// How long a body or an answer may go without a byte's progress.
    pub stall_timeout: Duration,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            port: 0,
            largest_upload: 1 << 30,
            connections: 64,
            jobs: 4,
            head_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(30),
        }
    }
}

/// A server that is bound and not yet running.
pub struct Server {
    listener: std::net::TcpListener,
    handle: Handle,
}

/// What can be asked of a server while it runs.
#[derive(Clone)]
pub struct Handle {
    address: SocketAddr,
    site: Arc<Site>,
}

impl Server {
    /// Takes a port of 127.0.0.1. Fails where the port is taken, or the system has no random
    /// generator.
    pub fn bind(workbench: Arc<dyn Workbench>, options: ServerOptions) -> io::Result<Self> {
        Secret::new()?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let site = Arc::new(Site::new(workbench, options, address.port()));
        Ok(Self {
            listener,
            handle: Handle { address, site },
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.handle.address
    }

    /// An address that opens the page, once.
    pub fn link(&self) -> String {
        self.handle.link()
    }

    /// For another thread, while the server runs.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Answers until `stop` is raised; then refuses new work, tells running work to give up and
    /// returns within two seconds. Work that does not give up is left behind on its thread.
    pub fn run(self, stop: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let served = runtime.block_on(serve(self.listener, self.handle.site, stop));
        runtime.shutdown_timeout(THREADS_END);
        served
    }
}

impl Handle {
    /// An address that opens the page, once. Up to 8 wait to be used, then the oldest goes.
    pub fn link(&self) -> String {
        let token = self
            .site
            .sessions
            .token()
            .expect("the generator worked when the server was bound");
        format!("http://{}/#{token}", self.address)
    }
}

async fn serve(
    listener: std::net::TcpListener,
    site: Arc<Site>,
    stop: &AtomicBool,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let room = Arc::new(Semaphore::new(site.options.connections.max(1)));
    let service = TowerToHyperService::new(router(Arc::clone(&site)));
    let (ending, end) = watch::channel(false);
    let mut connections = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    loop {
        tokio::select! {
            _ = look.tick() => {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                site.tickets.sweep(std::time::Instant::now());
                while connections.try_join_next().is_some() {}
            }
            (stream, place) = accept(&listener, &room) => {
                connections.spawn(converse(stream, place, service.clone(), Arc::clone(&site), end.clone()));
            }
        }
    }
    drop(listener);
    site.jobs.stop();
    ending.send_replace(true);
    let _ = timeout(CONNECTIONS_END, async {
        while connections.join_next().await.is_some() {}
    })
    .await;
    Ok(())
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, OwnedSemaphorePermit) {
    let place = Arc::clone(room)
        .acquire_owned()
        .await
        .expect("the room is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) if peer.ip().is_loopback() => return (stream, place),
            Ok(_) => {}
            // out of descriptors, or gone before we looked: the next one may be better
            Err(_) => tokio::time::sleep(LOOK).await,
        }
    }
}

async fn converse(
    stream: TcpStream,
    place: OwnedSemaphorePermit,
    service: TowerToHyperService<Router>,
    site: Arc<Site>,
    mut end: watch::Receiver<bool>,
) {
    let _place = place;
    // lines are short and wanted at once; without it they come a little later
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(Patient::new(stream, site.options.stall_timeout));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(site.options.head_timeout)
        .max_buf_size(BUFFER)
        .serve_connection(io, service);
    let mut connection = pin!(connection);
    // a connection that fails is the reader's affair
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = end.wait_for(|ended| *ended) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
