//! What was published together, for people.

use crate::message::beside;
use mingle::joint::JointRelease;
use mingle::promises;
use mingle::report;
use mingle_model::counted;

/// Where values start.
const INDENT: usize = 19;

/// Everything that is said at the end.
pub fn text(release: &JointRelease) -> String {
    let (manifest, protocol) = (&release.manifest, &release.protocol);
    let mut promised = Vec::new();
    for promise in &manifest.promises {
        promised.push(promises::promise_entry_text(promise));
    }
    let [first, second] = &protocol.sites;
    let place = if release.already_published {
        format!("{}, published already", release.out.display())
    } else {
        report::release_line(&release.out)
    };
    let reports = if release.has_report() {
        report::report_line(&release.out)
    } else {
        String::new()
    };
    let lines = [
        (
            "published by",
            format!("{} and {}, signed by both", first.name, second.name),
        ),
        ("protected against", "outsiders; m = 0".to_owned()),
        ("promises", promised.join("\n")),
        (
            "rows",
            format!("{}, the people that both sites have", manifest.rows),
        ),
        ("groups", manifest.groups.to_string()),
        (
            "synchronizer",
            format!(
                "{}, {}",
                protocol.synchronizer,
                counted(protocol.rounds, "round")
            ),
        ),
        ("leak level", protocol.leak_level.clone()),
        ("moved", format!("{} bytes, both ways", release.moved)),
        ("time", format!("{:.2} s", release.elapsed.as_secs_f64())),
        ("release", place),
        ("report", reports),
    ];
    let mut shown = Vec::new();
    for (name, value) in &lines {
        if !value.is_empty() {
            shown.push(beside(name, value, INDENT));
        }
    }
    shown.join("\n")
}
