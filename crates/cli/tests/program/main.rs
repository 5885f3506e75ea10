//! The program as a user meets it: run in a folder, read by its exit code, its texts and its files.
//!
//! One binary with a module per command, because thirty of them would link thirty times.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking and writes scratch files"
)]

mod apply;
mod attack_background_join;
mod attack_insider;
mod attack_intersection;
mod attack_minimality;
mod bad_input;
mod careless;
mod common;
mod corpora;
mod crate_graph;
mod dp;
mod dp_budget;
mod dp_edges;
mod dp_joined;
mod formats;
mod fragmented;
mod help;
mod hierarchy;
mod history;
mod init;
mod init_domains;
mod kinds_of_files;
mod lab;
mod label_promise;
mod library;
mod measure;
#[cfg(unix)]
mod on_cluster;
mod partners;
mod people;
mod people_attacks;
mod publish;
mod publish_composition;
mod publish_datafly;
mod publish_microaggregation;
mod reading;
mod report;
mod several_hospitals;
mod show;
mod site;
mod synth;
mod verdict;
mod verify;
