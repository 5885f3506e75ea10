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
//! Assumptions: each row is one person; a missing sensitive value is a value of its own; nothing is
//! assumed about who is in the other releases, so everybody is taken to be. Releases that are not
//! known cannot be laid over anything.

mod audit;
mod boxes;
mod centroids;
mod error;
mod known;
mod limits;
mod overlay;
mod places;
mod values;
pub mod versions;

pub use audit::{Audit, Exposure, audit};
pub use error::Error;
pub use known::{Location, People, Reader};
pub use limits::CompositionLimits;
pub use overlay::{Choice, Found, Overlay, Scratch};
pub use places::GroupsOfPerson;
