//! What is left of the data after anonymization, and what could go wrong.
//!
//! [`utility`] compares a release with the table it was made from, one file per measure. It reads
//! label texts back with [`mingle_model::LabelReader`], so the table of any tool can be measured
//! and nothing is taken from the plan of an anonymizer, which this crate must not know. [`attack`]
//! plays the readers of a release, one file per attack. [`risk`](mod@risk),
//! [`balance`](mod@balance) and [`group_sizes`](mod@group_sizes) say what anybody can see in it.
#![forbid(unsafe_code)]

pub mod attack;
pub mod balance;
pub mod group_sizes;
pub mod risk;
pub mod utility;
