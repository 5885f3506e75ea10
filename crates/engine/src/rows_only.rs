//! What counts rows, and therefore refuses people who have several.
//!
//! An attack or an audit that took each row for one person would say that nobody is exposed where
//! one person with ten rows is: it is refused until it counts people. With one row a person nothing
//! is refused.

use mingle_record::{Problem, ProblemCode};
use mingle_release::Release;

/// Refuses a release in which somebody may have several rows; only its private part can tell.
pub(crate) fn refuse_release(what: &str, name: &str, release: &Release) -> Result<(), Problem> {
    let Ok(manifest) = release.manifest() else {
        return Ok(());
    };
    if manifest.people.is_none() {
        return Ok(());
    }
    let counts = release
        .private_manifest()
        .and_then(|private| private.people);
    if counts.is_some_and(|counts| counts.most_rows <= 1) {
        return Ok(());
    }
    Err(refused(what, name))
}

/// Why something is refused.
pub(crate) fn refused(what: &str, whose: &str) -> Problem {
    let text =
        format!("{what} counts rows, and people may have several rows in {whose}: not looked at");
    let hint = "`mingle verify` counts people; for this, bring one row a person";
    Problem::new(ProblemCode::PersonRefused, text, hint)
}
