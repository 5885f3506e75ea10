//! Danger: parts of a site without the whole, for whoever attacks them.

use crate::journal;

/// Whether a text would be taken for a site's journal.
pub fn is_journal(text: &str) -> bool {
    journal::parse(text).is_some()
}
