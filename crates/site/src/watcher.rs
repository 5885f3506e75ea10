//! What happens around the protocol, for whoever wants to show it.

use crate::error::LinkError;
use mingle_protocol::Observer;
use std::net::SocketAddr;
use std::time::Duration;

/// Something that happened to the connection.
#[derive(Debug)]
pub enum Event<'a> {
    /// Waiting to be called.
    Listening(SocketAddr),
    /// About to call.
    Calling(&'a str),
    /// Calling failed; the next try is after this time.
    NoAnswer(&'a LinkError, Duration),
    /// The partner is there and has shown that it is the partner.
    Connected,
    /// The connection ended before the work was done.
    Lost(&'a LinkError),
    /// Somebody who is not the partner was turned away.
    Stranger(SocketAddr, &'a LinkError),
}

/// Sees what the protocol does, and what happens around it. Called from several threads.
pub trait Watcher: Observer {
    /// Something happened to the connection.
    fn event(&self, _event: Event<'_>) {}
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl Observer for Blind {}
impl Watcher for Blind {}
