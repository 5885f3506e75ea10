//! What a reader of all versions finds out, as text and as JSON.

use mingle_privacy::composition::Exposure;
use mingle_privacy::composition::versions::Replay;
use serde_json::{Value, json};

/// For programs.
pub fn replay_json(column: &str, found: &Replay) -> Value {
    json!({
        "column": column,
        "holds": found.holds,
        "people": found.together.targets,
        "intersection": exposure_json(&found.intersection),
        "difference": exposure_json(&found.difference),
        "together": exposure_json(&found.together),
        "changed": found.changed,
        "changed_perfect": found.changed_perfect,
    })
}

fn exposure_json(e: &Exposure) -> Value {
    json!({
        "targets": e.targets - e.alone, "perfect": e.perfect, "perfect_already": e.perfect_already,
        "below": e.below, "below_already": e.below_already, "vulnerable": e.vulnerable, "least": e.least,
    })
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
