//! What leaves the house, from outside: what is written, what is refused, what a check finds.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    missing_docs,
    reason = "a test fails by panicking and writes scratch files"
)]

mod check;
mod common;
mod fragmented;
mod history;
mod joint;
mod noisy;
mod older;
mod people;
mod publish;
mod reports;
