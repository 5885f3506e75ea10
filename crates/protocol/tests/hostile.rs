//! Every rejection of the protocol, with a peer that deserves it.
//!
//! Each case is a session of the worked example in which one site does one thing that no honest
//! site does. The other must end with exactly the named error, tell it, publish nothing, keep
//! nothing and stop listening.

mod common;
#[path = "hostile/limits.rs"]
mod limits;
#[path = "hostile/lists.rs"]
mod lists;
#[path = "hostile/messages.rs"]
mod messages;
#[path = "hostile/order.rs"]
mod order;
#[path = "hostile/peer.rs"]
mod peer;
#[path = "hostile/rounds.rs"]
mod rounds;
#[path = "hostile/rushing.rs"]
mod rushing;
#[path = "hostile/scripted.rs"]
mod scripted;
#[path = "hostile/tables.rs"]
mod tables;
#[path = "hostile/wire.rs"]
mod wire;
