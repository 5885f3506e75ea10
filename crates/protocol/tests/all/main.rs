//! Sites and providers from outside: worked examples, vectors, faults, hostile partners.

mod against_reference;
mod canaries;
mod common;
mod faults;
mod generated;
mod horizontal;
mod hostile;
mod repeated;
mod simulation;
mod synchronizers;
mod vectors;
mod wire;
mod worked_example;
