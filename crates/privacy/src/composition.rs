//! Composition: what several releases say together about people who are in more than one of them.
//!
//! A reader who knows a person's quasi-identifiers finds the groups that the person can be in, in
//! each release, reads off the sensitive values of these groups, and keeps the values that all
//! releases have in common (the intersection attack of Ganta, Kasiviswanathan and Smith 2008). With
//! `s_ij` the values of person i's groups in release j:
//!
//! * effective prior anonymity in j: `|s_ij|`;
//! * effective posterior anonymity: `|∩ s_ij|`; a reader's confidence is one over it; at 1 the
//!   breach is *perfect*;
//! * an empty intersection means that the person is not in all of them, or not with the same value:
//!   counted apart.
//!
//! An [`Overlay`] lays releases over people; [`Overlay::person`] plays the reader on one of them.
//! The reader may take all groups that fit, the most specific of them, or be told the right one
//! ([`Choice`]). A release that the person cannot be in, because no group fits, says nothing and is
//! left out of the intersection.
//!
//! [`audit`] asks the same about a table that is to be published next to releases that are out
//! already, and decides [`CompositionLimits`]. As everywhere, what is looked at is what would be
//! published, not what was planned.
//!
//! **Somebody with several rows** has a set of values, and what each release publishes of her is some
//! of it. Nothing follows from two releases unless she has a value that both publish, as somebody
//! with a chronic disease has; that is assumed, as with one row a person it is assumed that the value
//! is the same. This value is in a group of every release that she fits, so it is among what they
//! have in common; her other values need not be. She fits a group that covers one of her rows, since
//! a release need not have them all. What is left is counted as before: a single value left is one
//! that she has. Who links rows within a release is not played here.
//!
//! Assumptions: each row of a release is somebody's; a missing sensitive value is a value of its own; nothing is
//! assumed about who is in the other releases, so everybody is taken to be. Releases that are not
//! known cannot be laid over anything.

mod audit;
mod boxes;
mod centroids;
mod covering;
mod crowd;
mod error;
mod known;
mod limits;
mod overlay;
mod values;
pub mod versions;

pub use audit::{Audit, Exposure, audit};
pub use covering::CoveringGroups;
pub use crowd::OverlaidPeople;
pub use error::Error;
pub use known::{Location, People, Reader};
pub use limits::CompositionLimits;
pub use overlay::{Choice, Found, Overlay, Scratch};
