//! A panic is a defect of this program. Its payload may hold a cell, so it is never shown.

use mingle_record::{Problem, ProblemCode};
use std::io::Write;
use std::sync::Once;

const TEXT: &str = "something happened that should be impossible";
const HINT: &str = "nothing was published; please report this, without data";

/// The same as a problem; where it happened is said by the hook.
pub fn problem() -> Problem {
    Problem::new(ProblemCode::Defect, TEXT, HINT)
}

/// Replaces the default hook, which prints payloads. The stack still unwinds, so that half-written
/// files are removed.
pub fn install_hook() {
    static ONCE: Once = Once::new();
    std::panic::set_hook(Box::new(|info| {
        if mingle_io::panic_is_expected() {
            // a damaged file, which is said where it is caught
            return;
        }
        let place = info.location().map_or(String::new(), |at| {
            let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
            format!(" ({file}:{})", at.line())
        });
        // other threads may fail in the wake of the first
        ONCE.call_once(|| {
            let text = format!(
                "error[{}]: {TEXT}{place}\nhint: {HINT}\n",
                ProblemCode::Defect
            );
            let _ = std::io::stderr().lock().write_all(text.as_bytes());
        });
    }));
}

#[cfg(test)]
mod tests {
    #[test]
    #[ignore = "run by the test below, in a process of its own"]
    fn panics_with_a_cell() {
        super::install_hook();
        let _ = std::panic::catch_unwind(|| panic!("a payload with zqxcanary"));
        panic!("another with zqxcanary");
    }

    #[test]
    #[ignore = "run by the test below, in a process of its own"]
    fn panics_over_a_damaged_file() {
        super::install_hook();
        let read: Option<u32> = mingle_io::caught_if_it_panics(|| panic!("zqxcanary in a file"));
        assert_eq!(read, None);
    }

    /// Standard error of a test in a process of its own.
    fn said_by(test: &str) -> String {
        let name = format!("defect::tests::{test}");
        let run = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", &name, "--nocapture"])
            .output()
            .unwrap();
        String::from_utf8_lossy(&run.stderr).into_owned()
    }

    #[test]
    fn a_payload_is_never_shown() {
        let err = said_by("panics_with_a_cell");
        assert_eq!(err.matches("error[MG0603]: ").count(), 1, "{err}");
        assert!(
            err.contains("defect.rs:") && err.contains("hint: ") && !err.contains("zqxcanary"),
            "{err}"
        );
    }

    #[test]
    fn a_damaged_file_is_no_defect() {
        let err = said_by("panics_over_a_damaged_file");
        assert!(
            !err.contains("MG0603") && !err.contains("zqxcanary"),
            "{err}"
        );
    }
}
