//! A panic is a defect of this program. Its payload may hold a cell, so it is never shown.

use crate::explain::Code;
use std::io::Write;
use std::sync::Once;

/// Replaces the default hook, which prints payloads. The stack still unwinds, so that half-written files are removed.
pub fn install_hook() {
    static ONCE: Once = Once::new();
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |at| {
            let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
            format!(" ({file}:{})", at.line())
        });
        // other threads may fail in the wake of the first
        ONCE.call_once(|| {
            let text = format!(
                "error[{}]: something happened that should be impossible{place}\nhint: nothing was published; please report this, without data\n",
                Code::Defect
            );
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        });
    }));
}
