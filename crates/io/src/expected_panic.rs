//! Panics of libraries that read bytes nobody has checked: a damaged file, and no defect of this program.
//!
//! Such a panic is caught where the library is called and becomes an error with its file. A panic hook runs before
//! anybody can catch: it asks [`panic_is_expected`], and then has nothing to say.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// How many calls on this thread expect one.
    static EXPECTING: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic on this thread would be caught and become an error.
pub fn panic_is_expected() -> bool {
    EXPECTING.try_with(Cell::get).unwrap_or(0) > 0
}

/// Runs code that may panic on bytes nobody has checked; `None` if it did.
pub fn caught_if_it_panics<R>(run: impl FnOnce() -> R) -> Option<R> {
    EXPECTING.set(EXPECTING.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(run));
    EXPECTING.set(EXPECTING.get() - 1);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_expected_inside_and_nowhere_else() {
        assert!(!panic_is_expected());
        let inner = || {
            assert_eq!(caught_if_it_panics(panic_is_expected), Some(true));
            panic_is_expected()
        };
        assert_eq!(caught_if_it_panics(inner), Some(true));
        let panics = || -> u32 { std::panic::resume_unwind(Box::new("damaged")) };
        assert_eq!(caught_if_it_panics(panics), None);
        assert!(!panic_is_expected());
    }
}
