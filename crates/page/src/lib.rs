//! The local page: a guarded server on loopback, the page itself, and what the two say to each
//! other.
//!
//! The page's state is the text of a policy: whatever is done with the mouse becomes an edit of
//! that text, and every answer is computed from it by the code that `mingle publish` runs. Two tabs
//! hold two texts and cannot disturb each other, and what was tried by hand can be repeated in a
//! script. [`protocol`] is the conversation, [`Workbench`] is what answers it; the program
//! implements it, since it knows policies.
#![forbid(unsafe_code)]

mod answer;
mod assets;
mod body;
mod cancel;
mod error;
mod guard;
mod jobs;
mod name;
mod patience;
pub mod protocol;
mod routes;
mod secret;
mod server;
mod session;
mod site;
mod stream;
mod ticket;
mod upload;
mod workbench;

pub use error::Error;
pub use name::PlainName;
pub use server::{Handle, Server, ServerOptions};
pub use workbench::{Refusal, Sink, Stopped, Workbench};
