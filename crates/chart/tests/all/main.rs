//! Figures as their readers get them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod figures;
mod inline;
