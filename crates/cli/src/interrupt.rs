//! Ctrl-C and termination: a flag that every long step looks at.

use crate::failure;
use crate::message::Problem;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on; what is being written is then removed by its owner before the program ends.
pub fn listen() -> &'static AtomicBool {
    // a second call, or a system without signals, leaves the default: the program is ended at once
    let _ = ctrlc::try_set_handler(|| ASKED.store(true, Ordering::Relaxed));
    &ASKED
}

/// An error as soon as somebody has asked to stop.
pub fn check() -> Result<(), Problem> {
    if ASKED.load(Ordering::Relaxed) { Err(failure::interrupted()) } else { Ok(()) }
}
