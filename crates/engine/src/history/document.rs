//! What a reader of all versions finds out, as text and as a record.

use mingle_privacy::composition::Exposure;
use mingle_privacy::composition::versions::Replay;
use mingle_record::composition::{ReplayExposure, VersionReplay};

/// For programs, and for the private manifest.
pub fn replay_record(column: &str, found: &Replay) -> VersionReplay {
    VersionReplay {
        column: column.to_owned(),
        holds: found.holds,
        people: found.together.targets,
        intersection: exposure_record(&found.intersection),
        difference: exposure_record(&found.difference),
        together: exposure_record(&found.together),
        changed: found.changed,
        changed_perfect: found.changed_perfect,
    }
}

fn exposure_record(exposure: &Exposure) -> ReplayExposure {
    ReplayExposure {
        targets: exposure.targets - exposure.alone,
        perfect: exposure.perfect,
        perfect_already: exposure.perfect_already,
        below: exposure.below,
        below_already: exposure.below_already,
        vulnerable: exposure.vulnerable,
        least: exposure.least,
    }
}

/// For people: what is left by each inference, and by both.
pub fn replay_lines(column: &str, found: &Replay) -> Vec<String> {
    let people = found.together.targets;
    let line = |name: &str, e: &Exposure| {
        let least = e
            .least
            .map_or(String::new(), |least| format!(", the fewest {least}"));
        format!(
            "  {name:<13} of {}: {} with one value left{least}",
            e.targets - e.alone,
            e.perfect
        )
    };
    let mut lines = vec![
        format!(
            "{column}: a single value is left for {} of {people} people",
            found.together.perfect
        ),
        line("intersection", &found.intersection),
        line("difference", &found.difference),
        line("both", &found.together),
    ];
    if found.together.below > found.together.perfect {
        lines.push(format!(
            "  fewer values than asked for are left for {} people",
            found.together.below
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
