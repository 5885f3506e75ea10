//! The server over real sockets.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod files;
mod guard;
mod jobs;
mod patience;
mod reports;
mod sessions;
