//! The product as a library: what the program, the page, the lab and other languages call.
//!
//! Tables and a policy go in, a verified release comes out. Every piece of work is a function of a
//! [`Policy`], its [`Inputs`] and a [`Run`], and returns a typed outcome; nothing here prints, ends
//! the process or keeps global state.
//!
//! A policy is read from a file ([`Policy::read`]) or built in code ([`Policy::builder`]). Tables
//! are the files that it names ([`Inputs::of`]) or whatever can be scanned ([`Inputs::tables`]):
//! texts or Arrow batches in memory, or a source of your own behind the [`Scan`] trait.
//!
//! ```
//! use mingle::{Inputs, Policy, Role, TextTable};
//!
//! // what two hospitals hold: nothing of it has to be in a file
//! let first = TextTable::new(
//!     "first hospital",
//!     [
//!         ("age", ["21", "24", "29", "36"]),
//!         ("disease", ["flu", "asthma", "flu", "asthma"]),
//!     ],
//! )?;
//! let second = TextTable::new(
//!     "second hospital",
//!     [
//!         ("age", ["23", "25", "31", "38"]),
//!         ("disease", ["asthma", "flu", "asthma", "flu"]),
//!     ],
//! )?;
//!
//! // what is promised: two people a group and two diseases, whichever hospital takes out its own
//! let policy = Policy::builder()
//!     .column("age", Role::QuasiIdentifier)
//!     .column("disease", Role::Sensitive)
//!     .k(2)
//!     .set("privacy.l.distinct", 2)
//!     .m(1)
//!     .build()?;
//!
//! let folder = tempfile::tempdir()?;
//! let place = folder.path().join("release");
//! let inputs = Inputs::tables([("First", first), ("Second", second)]);
//! mingle::publish(&policy, inputs)?.write(place.as_path())?;
//! assert!(place.join("public/data.csv").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`plan`] is the same in steps: it says what a release would protect and cost before there is
//! one, shows its progress and can be stopped.
//!
//! ```no_run
//! use mingle::{Inputs, Policy, ReleaseFolder, Run};
//!
//! let run = Run::default();
//! let policy = Policy::read("policy.toml")?;
//! let plan = mingle::plan(&policy, Inputs::of(&policy), &run)?;
//! println!("{}", plan.summary().to_text());
//! let mut release = plan.publish()?;
//! release.write(ReleaseFolder::at("release").replacing(true))?;
//! # Ok::<(), mingle::publish::Failed>(())
//! ```
#![forbid(unsafe_code)]

pub mod apply;
pub mod attack;
pub mod cells;
mod clock;
pub mod domains;
pub mod failure;
pub mod guarantees;
pub mod hierarchy;
pub mod history;
mod inputs;
pub mod insiders;
pub mod joint;
pub mod measure;
pub mod noise;
mod people;
pub mod promises;
pub mod propose;
pub mod providers;
pub mod publish;
pub mod released;
pub mod report;
pub mod results;
mod rows_only;
mod run;
pub mod sequence;
pub mod sign;
pub mod strict;
pub mod tables;
pub mod verify;
pub mod whole;
pub mod words;

pub use clock::{Clock, SystemClock};
pub use inputs::Inputs;
pub use mingle_io::{ArrowStream, ArrowTable, Scan, TextTable};
pub use mingle_model::Role;
pub use mingle_policy::{Policy, PolicyBuilder};
pub use mingle_record::{Problem, ProblemCode};
pub use publish::{NewRelease, Plan, Preview, ReleaseFolder, plan, preview, publish};
pub use run::{Cancel, Length, Progress, Run};
