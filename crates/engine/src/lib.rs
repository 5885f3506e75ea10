//! The product as a library: what the program, the page, the lab and other languages call.
//!
//! Tables and a policy go in, a verified release comes out. Every piece of work is a function of a
//! [`Policy`], its inputs and a [`Run`], and returns a typed outcome; nothing here prints, ends the
//! process or keeps global state.
#![forbid(unsafe_code)]

mod clock;
pub mod document;
pub mod domains;
pub mod failure;
pub mod history;
mod inputs;
pub mod insiders;
pub mod joint;
pub mod measure;
pub mod noise;
pub mod propose;
pub mod publish;
pub mod released;
pub mod report;
pub mod results;
mod run;
pub mod tables;
pub mod words;

pub use clock::{Clock, SystemClock};
pub use inputs::Inputs;
pub use mingle_policy::Policy;
pub use mingle_record::{Code, Problem};
pub use publish::{NewRelease, Plan, Preview, Target, plan, preview, publish};
pub use report as reports;
pub use run::{Cancel, Length, Progress, Run};
