//! Attacks: what somebody who reads a release can find out about people in it.
//!
//! An attack does what its adversary would do, with what that adversary knows, and counts whom it
//! exposes. It decides nothing about what may be published, which is [`mingle_privacy::verify`]'s
//! part; it shows what a promise is worth, and what lies beyond it.

pub mod background_join;
pub mod insider;
pub mod intersection;
pub mod minimality;
