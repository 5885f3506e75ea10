//! What was published together, for people.

use crate::message::beside;
use mingle::joint::JointRelease;
use mingle::promises;
use mingle::report;
use mingle_model::counted;
use mingle_record::manifest::ProtocolEntry;

/// Where values start.
const INDENT: usize = 19;

/// Who has signed.
fn signed_by(protocol: &ProtocolEntry) -> String {
    match &protocol.providers {
        None => format!("{}, signed by both", protocol.names()),
        Some(_) => format!(
            "{}, signed by all {}",
            protocol.names(),
            protocol.sites.len()
        ),
    }
}

/// Against whom.
fn protected_against(protocol: &ProtocolEntry) -> String {
    match &protocol.providers {
        None => "outsiders; m = 0".to_owned(),
        Some(agreed) => format!(
            "outsiders; k and distinct l against any {} of the {} providers as well, shown in the run: nobody can check that alone",
            agreed.m,
            protocol.sites.len()
        ),
    }
}

/// Everything that is said at the end.
pub fn text(release: &JointRelease) -> String {
    let (manifest, protocol) = (&release.manifest, &release.protocol);
    let mut promised = Vec::new();
    for promise in &manifest.promises {
        promised.push(promises::promise_entry_text(promise));
    }
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
        ("published by", signed_by(protocol)),
        ("protected against", protected_against(protocol)),
        ("promises", promised.join("\n")),
        (
            "rows",
            match &protocol.providers {
                None => format!("{}, the people that both sites have", manifest.rows),
                Some(_) => format!("{}, those of all providers", manifest.rows),
            },
        ),
        ("groups", manifest.groups.to_string()),
        (
            "synchronizer",
            match &protocol.providers {
                None => format!(
                    "{}, {}",
                    protocol.synchronizer,
                    counted(protocol.rounds, "round")
                ),
                Some(agreed) => format!(
                    "{}, {}, cuts: {}",
                    protocol.synchronizer,
                    counted(protocol.rounds, "cut"),
                    agreed.cuts
                ),
            },
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
