//! What is promised and whether it holds, from outside: constraints, coalitions and compositions
//! against oracles.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod against_oracle;
mod bind;
mod breach_proportions;
mod coalitions;
mod common;
mod composition;
mod composition_audit;
mod composition_audit_people;
mod composition_naive;
mod fragments;
mod insiders;
mod people;
mod people_verify;
mod properties;
mod strategies;
mod verify;
