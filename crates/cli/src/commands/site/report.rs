//! What was published together, for people.

use crate::message::beside;
use mingle::joint::{JointNoise, JointRelease};
use mingle::promises;
use mingle::report;
use mingle_model::counted;
use mingle_record::manifest::{NoisyKind, ProtocolEntry};
use mingle_release::noisy::NoisyMeaning;

/// Where values start.
const INDENT: usize = 19;

/// The same for what was verified.
pub const VERDICT_INDENT: usize = 12;

/// Who has signed.
pub fn signed_by(protocol: &ProtocolEntry) -> String {
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
    listed(&lines, INDENT)
}

/// Names and values beside each other; what has no value is left out.
pub fn listed(lines: &[(&str, String)], indent: usize) -> String {
    let mut shown = Vec::new();
    for (name, value) in lines {
        if !value.is_empty() {
            shown.push(beside(name, value, indent));
        }
    }
    shown.join("\n")
}

/// Everything that is said at the end of a release with noise.
pub fn noise_text(release: &JointNoise) -> String {
    let (manifest, protocol) = (&release.manifest, &release.protocol);
    let m = protocol.providers.as_ref().map_or(0, |agreed| agreed.m);
    let promised = crate::commands::dp::words::promise(manifest.guarantee());
    let place = if release.already_published {
        format!("{}, published already", release.out.display())
    } else {
        report::release_line(&release.out)
    };
    let entry = release.entry.map_or(String::new(), |entry| {
        format!("entry {entry} of {}", release.ledger)
    });
    let lines = [
        ("published by", signed_by(protocol)),
        (
            "promised",
            format!("{promised}; for {}", manifest.neighbouring.words),
        ),
        (
            "against",
            format!(
                "every reader, and any {m} of the {} providers together, who know their own rows and noise",
                protocol.sites.len()
            ),
        ),
        ("ledger", entry),
        (
            "made",
            format!("{}: {}", manifest.kind.name(), made(release)),
        ),
        ("moved", format!("{} bytes, both ways", release.moved)),
        ("time", format!("{:.2} s", release.elapsed.as_secs_f64())),
        ("release", place),
        (
            "report",
            if release.has_report() {
                report::report_line(&release.out)
            } else {
                String::new()
            },
        ),
    ];
    listed(&lines, INDENT)
}

fn made(release: &JointNoise) -> String {
    let tables = &release.manifest.tables;
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    match release.manifest.kind {
        NoisyKind::Synthetic => counted(rows, "record"),
        NoisyKind::Marginals | NoisyKind::Histogram => {
            format!(
                "{} with {}",
                counted(tables.len(), "table"),
                counted(rows, "line")
            )
        }
    }
}
