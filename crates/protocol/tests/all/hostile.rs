//! Every rejection of the protocol, with a peer that deserves it.
//!
//! Each case is a session of the worked example in which one site does one thing that no honest
//! site does. The other must end with exactly the named error, tell it, publish nothing, keep
//! nothing and stop listening.

mod limits;
mod lists;
mod messages;
mod order;
mod peer;
mod rounds;
mod rushing;
mod scripted;
mod tables;
