//! Publishing together without a trusted third party, as state machines that never touch a socket.
//!
//! Two sites hold different columns about the same people and publish one k-anonymous, t-close,
//! fragmented table (Nielsen et al., D2Pt). The steps, each in a module of its own: private
//! intersection of identifiers, an [`Anonymizer`] at each site, a [`Synchronizer`] that makes their
//! partitions one, the fragmenter, and a finish in two phases.
//!
//! Claimed is security against semi-honest sites, that follow the protocol and try to learn from
//! what they see. What is done beyond that (commitments, rejected lists, transcripts) is hardening
//! and no proof. Each synchronizer states what it reveals: [`Synchronizer::reveals`].
#![forbid(unsafe_code)]

mod anonymizer;
mod classes;
mod conversation;
mod entropy;
mod error;
mod fragmenter;
mod frame;
mod group;
pub mod hazmat;
mod hello;
pub mod horizontal;
mod identifiers;
mod intersection;
mod observer;
mod output;
mod party;
mod reference;
mod session;
mod session_id;
mod setup;
mod synchronizer;
mod terms;
mod vault;
mod volume;

pub use anonymizer::{Anonymizer, Local, restrict};
pub use classes::Classes;
pub use conversation::Traffic;
pub use error::{Error, Reason, Violation};
pub use hello::{Offer, OfferedColumn};
pub use identifiers::canonical;
pub use observer::{Nobody, Observer};
pub use output::{JointColumn, JointOutput};
pub use party::{Party, Status};
pub use reference::{Reference, reference};
pub use session_id::SessionId;
pub use setup::Setup;
pub use synchronizer::{Agreement, Leak, Round, Synchronizer, synchronize};
pub use terms::{Seat, Terms, VERSION};
pub use vault::{OutputRecord, Standing, Vault};
pub use volume::volume;
