//! What a reader of all versions finds out, as a record and as text.

use mingle_privacy::composition::Exposure;
use mingle_privacy::composition::versions::Replay;
use mingle_record::composition::{ReplayExposure, VersionReplay};

/// What was found about one sensitive column.
pub fn replay_record(column: &str, found: &Replay) -> VersionReplay {
    VersionReplay {
        column: column.to_owned(),
        holds: found.holds,
        people: found.together.targets,
        intersection: exposure(&found.intersection),
        difference: exposure(&found.difference),
        together: exposure(&found.together),
        changed: found.changed,
        changed_perfect: found.changed_perfect,
    }
}

fn exposure(found: &Exposure) -> ReplayExposure {
    ReplayExposure {
        targets: found.targets - found.alone,
        perfect: found.perfect,
        perfect_already: found.perfect_already,
        below: found.below,
        below_already: found.below_already,
        vulnerable: found.vulnerable,
        least: found.least.map(u64::from),
    }
}

/// For people: what is left by each inference, and by both.
pub fn replay_lines(column: &str, found: &VersionReplay) -> Vec<String> {
    let (people, together) = (found.people, &found.together);
    let mut lines = vec![
        format!(
            "{column}: only one value remains for {} of {people} people",
            together.perfect
        ),
        inference_line("intersection", &found.intersection),
        inference_line("difference", &found.difference),
        inference_line("both", together),
    ];
    if together.below > together.perfect {
        lines.push(format!(
            "  fewer values than asked for are left for {} people",
            together.below
        ));
    }
    if found.changed > 0 {
        lines.push(format!(
            "  the value of {} changed and is not counted; knowing that tells {}",
            found.changed, found.changed_perfect
        ));
    }
    lines
}

fn inference_line(name: &str, found: &ReplayExposure) -> String {
    let least = match found.least {
        Some(least) => format!(", the fewest {least}"),
        None => String::new(),
    };
    format!(
        "  {name:<13} of {}: {} with one value left{least}",
        found.targets, found.perfect
    )
}
