//! Ctrl-C and termination: a wish to stop that every long step looks at.

use mingle::{Cancel, Problem};
use std::sync::OnceLock;

static ASKED: OnceLock<Cancel> = OnceLock::new();

/// Listens from now on; what is being written is then removed by its owner before the program ends.
pub fn listen() -> Cancel {
    let cancel = ASKED.get_or_init(|| {
        let cancel = Cancel::default();
        let asked = cancel.clone();
        let ask = move || asked.ask();
        // who starts a program in the background of a script has it ignore Ctrl-C, which makes the
        // first attempt fail; being asked to end must not leave half-written files all the same. A
        // system without signals leaves the default: the program is ended at once
        if ctrlc::try_set_handler(ask.clone()).is_err() {
            let _ = ctrlc::set_handler(ask);
        }
        cancel
    });
    cancel.clone()
}

/// An error as soon as somebody has asked to stop.
pub fn check() -> Result<(), Problem> {
    match ASKED.get() {
        Some(cancel) => cancel.check(),
        None => Ok(()),
    }
}
