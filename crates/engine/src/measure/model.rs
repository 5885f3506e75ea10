//! What a model learns from a release, beside what it learns from the original.

use super::not_comparable;
use mingle_assess::utility::{Comparison, classifier};
use mingle_model::{Cube, Published};
use mingle_policy::Policy;
use mingle_record::answer::ComparedModels;
use mingle_record::{Problem, ProblemCode};

/// Trains on both and asks about the same rows of the original.
pub fn compared(
    policy: &Policy,
    cube: &Cube,
    published: &Published,
    target: &str,
) -> Result<ComparedModels, Problem> {
    let missing = &policy.data.missing;
    let comparison = Comparison::new(cube, missing, published).map_err(|e| not_comparable(&e))?;
    let found = classifier::compare(&comparison, target, policy.method.seed).map_err(|error| {
        let hint = "name a sensitive column of a release in groups";
        Problem::new(
            ProblemCode::Usage,
            format!("--target {target}: {error}"),
            hint,
        )
    })?;
    Ok(ComparedModels {
        target: target.to_owned(),
        classes: found.classes,
        original_rows: found.original_rows,
        released_rows: found.released_rows,
        asked: found.asked,
        baseline: found.baseline,
        original: found.original,
        released: found.released,
    })
}

/// Why a release has no such model.
pub fn refused(what: &str) -> Problem {
    let text = format!("--target: {what}");
    let hint = "leave --target out, or measure a release in one table of groups";
    Problem::new(ProblemCode::Usage, text, hint)
}
