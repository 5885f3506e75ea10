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
    fn a_payload_is_never_shown() {
        let args = [
            "--ignored",
            "--exact",
            "defect::tests::panics_with_a_cell",
            "--nocapture",
        ];
        let run = std::process::Command::new(std::env::current_exe().unwrap())
            .args(args)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&run.stderr);
        assert_eq!(err.matches("error[MG0603]: ").count(), 1, "{err}");
        assert!(
            err.contains("defect.rs:") && err.contains("hint: ") && !err.contains("zqxcanary"),
            "{err}"
        );
    }
}
