//! The methods, from outside: against their definitions, and what must hold for whatever they make.

mod common;
mod datafly;
mod datafly_oracle;
mod decoys;
mod insiders;
mod label_promise;
mod labels;
mod methods;
mod microaggregation;
mod microaggregation_oracle;
mod people;
mod withstand;
