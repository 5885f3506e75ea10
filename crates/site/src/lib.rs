//! The running site around the protocol: sockets, TLS, journal.
#![forbid(unsafe_code)]

mod address;
mod door;
pub mod durable;
mod engine;
mod error;
mod fingerprint;
mod hex;
mod identity;
mod journal;
mod lock;
mod period;
mod pin;
mod record;
mod run;
mod tls;
mod vault;
mod watcher;

pub use address::{Address, Limits};
pub use error::{Error, LinkError};
pub use fingerprint::Fingerprint;
pub use identity::{Identity, read_certificate};
pub use period::Invalid;
pub use run::{End, Outcome, Site, run};
pub use vault::Deposit;
pub use watcher::{Blind, Event, Watcher};
