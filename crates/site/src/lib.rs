//! The running site around the protocol: sockets, TLS, journal.
#![forbid(unsafe_code)]

mod address;
mod door;
mod durable;
mod error;
mod fingerprint;
mod hex;
mod identity;
mod period;
mod pin;
mod record;
mod tls;
mod watcher;

pub use address::{Address, Limits};
pub use error::{Error, LinkError};
pub use fingerprint::Fingerprint;
pub use identity::{Identity, read_certificate};
pub use period::Invalid;
pub use watcher::{Blind, Event, Watcher};
