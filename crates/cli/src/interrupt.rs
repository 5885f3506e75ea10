//! Ctrl-C and termination: a wish to stop that every long step looks at.

use crate::document;
use mingle::{Cancel, Problem, failure};
use mingle_record::Exit;
use std::sync::{Once, OnceLock};

static ASKED: OnceLock<Cancel> = OnceLock::new();
static HANDLER: Once = Once::new();

/// Listens from now on; what is being written is then removed by its owner before the program ends.
pub fn listen() -> Cancel {
    let cancel = ASKED.get_or_init(Cancel::default).clone();
    watch();
    cancel
}

/// Answers signals from now on, though nothing may look at the wish to stop: whoever reads JSON is
/// owed a document.
pub fn watch() {
    HANDLER.call_once(|| {
        // who starts a program in the background of a script has it ignore Ctrl-C, which makes the
        // first attempt fail; being asked to end must not leave half-written files all the same. A
        // system without signals leaves the default: the program is ended at once
        if ctrlc::try_set_handler(signalled).is_err() {
            let _ = ctrlc::set_handler(signalled);
        }
    });
}

fn signalled() {
    match ASKED.get() {
        Some(cancel) => cancel.ask(),
        None => {
            // a command that does not listen writes no files, so there is nothing to clean up
            document::print_error(&failure::interrupted());
            std::process::exit(Exit::Interrupted as i32);
        }
    }
}

/// An error as soon as somebody has asked to stop.
pub fn check() -> Result<(), Problem> {
    match ASKED.get() {
        Some(cancel) => cancel.check(),
        None => Ok(()),
    }
}
