//! Ctrl-C and termination: a flag that every long step looks at.

use crate::failure;
use crate::message::Problem;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Listens from now on; what is being written is then removed by its owner before the program ends.
pub fn listen() -> &'static AtomicBool {
    let ask = || ASKED.store(true, Ordering::Relaxed);
    // who starts a program in the background of a script has it ignore Ctrl-C, which makes the
    // first attempt fail; being asked to end must not leave half-written files all the same. A
    // second call, or a system without signals, leaves the default: the program is ended at once
    if ctrlc::try_set_handler(ask).is_err() {
        let _ = ctrlc::set_handler(ask);
    }
    &ASKED
}

/// An error as soon as somebody has asked to stop.
pub fn check() -> Result<(), Problem> {
    if ASKED.load(Ordering::Relaxed) {
        Err(failure::interrupted())
    } else {
        Ok(())
    }
}
