//! The running site around the protocol: sockets, TLS, journal.
//!
//! Two sites that hold different columns about the same people publish one release together. What
//! they say to each other is [`mingle_protocol`]'s business; here is what lets it be said: an
//! [`Identity`] and a pinned [`Fingerprint`], TLS 1.3 with both sides authenticated, connections
//! that come back when they break, and a journal beside the output folder, so that a crash at any
//! moment ends in the same release at both sites or in none.
//!
//! [`run`] is one site's run, from a [`Setup`](mingle_protocol::Setup) to a [`RunOutcome`]; it
//! blocks until that is there. A [`Watcher`] sees what happens meanwhile.
//!
//! ```no_run
//! use mingle_site::{Address, Blind, Deposit, Identity, RunEnd, Site, WaitingTimes};
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! fn publish(setup: mingle_protocol::Setup) -> Result<bool, Box<dyn std::error::Error>> {
//!     let site = Site {
//!         identity: Identity::load("site.key".as_ref(), "site.crt".as_ref())?,
//!         peer: "sha256:2f88bc911a14af61e93d3453a7120929a9dffd06d44a1a23b0571ad046572801".parse()?,
//!         address: Address::Connect("insurer.example:7447".to_owned()),
//!         limits: WaitingTimes::default(),
//!         deposit: Deposit {
//!             out: "release".into(),
//!             force: false,
//!             tool_version: "0.1.0".to_owned(),
//!             policy: None,
//!             inputs: Vec::new(),
//!             reports: None,
//!         },
//!     };
//!     let outcome = mingle_site::run(site, setup, Arc::new(Blind), &AtomicBool::new(false))?;
//!     Ok(matches!(outcome.end, RunEnd::Published { .. }))
//! }
//! ```
//!
//! Assumed: the partner's fingerprint came on a way that nobody could change, and the file system
//! keeps what it has flushed. Not protected: who talks to whom, when and how much.
#![forbid(unsafe_code)]

mod address;
mod clock;
mod door;
mod engine;
mod error;
mod fingerprint;
pub mod hazmat;
mod hex;
mod identity;
mod journal;
mod link;
mod machine;
mod period;
mod pin;
mod providers;
mod record;
mod run;
mod tls;
mod vault;
mod watcher;

pub use address::{Address, WaitingTimes};
pub use error::{Error, LinkError};
pub use fingerprint::Fingerprint;
pub use identity::{Identity, read_certificate};
pub use period::Invalid;
pub use providers::{
    BoardEvent, BoardSite, BoardWatcher, Invitation, InvitedProvider, NoisyWork, ProviderDeposit,
    ProviderSite, ProviderWork, VerificationWork, run_board, run_provider,
};
pub use run::{RunEnd, RunOutcome, Site, run};
pub use vault::Deposit;
pub use watcher::{Blind, Event, Watcher};
