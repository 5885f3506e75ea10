//! What the tests of the server share: a workbench that plays, a client that can be rude, and
//! hostile names.
#![allow(dead_code, reason = "each test binary uses its own part")]

pub mod client;
pub mod demo;
pub mod hostile;

use demo::Demo;
use mingle_page::{Handle, Server, ServerOptions};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A server that runs on a thread of its own until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    pub demo: Arc<Demo>,
    pub handle: Handle,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Running {
    /// With the demonstration workbench.
    pub fn new(options: ServerOptions) -> Self {
        let (demo, stop) = (Arc::new(Demo::new()), Arc::new(AtomicBool::new(false)));
        let server = Server::bind(demo.clone(), options).unwrap();
        let (address, handle, raised) = (server.address(), server.handle(), stop.clone());
        let thread = std::thread::spawn(move || server.run(&raised));
        Self {
            address,
            demo,
            handle,
            stop,
            thread: Some(thread),
        }
    }

    /// With the usual limits.
    pub fn usual() -> Self {
        Self::new(ServerOptions::default())
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The token of a new link.
    pub fn token(&self) -> String {
        self.handle.link().split_once('#').unwrap().1.to_owned()
    }

    /// A new session's key.
    pub fn key(&self) -> String {
        let answer = client::Client::new(self.address).post(
            "/api/session",
            None,
            &format!(r#"{{"token":"{}"}}"#, self.token()),
        );
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.json()["key"].as_str().unwrap().to_owned()
    }

    /// Stops it; how long that took.
    pub fn end(&mut self) -> Duration {
        let start = Instant::now();
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic").unwrap();
        }
        start.elapsed()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until something is so.
pub fn soon(what: &str, within: Duration, so: impl Fn() -> bool) -> Duration {
    let start = Instant::now();
    while !so() {
        assert!(
            start.elapsed() < within,
            "{what} did not happen within {within:?}"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    start.elapsed()
}
