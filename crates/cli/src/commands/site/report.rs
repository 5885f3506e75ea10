//! What was published together, for people and for programs.

use crate::message::{Problem, beside};
use mingle::failure;
use mingle::promises;
use mingle::reports;
use mingle_release::manifest::{ProtocolEntry, PublicManifest};
use mingle_release::{Release, ReportPlaces};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// A joint release, read back from its folder.
pub struct Report<'a> {
    out: &'a Path,
    before: bool,
    elapsed: Duration,
    moved: u64,
    manifest: PublicManifest,
    protocol: ProtocolEntry,
}

impl<'a> Report<'a> {
    /// Reads what is there now.
    pub fn new(
        out: &'a Path,
        before: bool,
        elapsed: Duration,
        moved: u64,
    ) -> Result<Report<'a>, Problem> {
        let release = Release::open(out).map_err(|e| failure::release(&e))?;
        let manifest = release
            .manifest()
            .map_err(|e| failure::release(&e))?
            .clone();
        let protocol = manifest
            .protocol
            .clone()
            .ok_or_else(|| failure::defect("a joint release of one site"))?;
        Ok(Report {
            out,
            before,
            elapsed,
            moved,
            manifest,
            protocol,
        })
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let promises: Vec<String> = self
            .manifest
            .promises
            .iter()
            .map(promises::entry_text)
            .collect();
        let [first, second] = &self.protocol.sites;
        let out = self.out.display();
        let place = match self.before {
            true => format!("{out}, published already"),
            false => reports::release_line(self.out),
        };
        let report = if self.has_report() {
            reports::report_line(self.out)
        } else {
            String::new()
        };
        [
            (
                "published by",
                format!("{} and {}, signed by both", first.name, second.name),
            ),
            ("protected against", "outsiders; m = 0".to_owned()),
            ("promises", promises.join("\n")),
            (
                "rows",
                format!("{}, the people that both sites have", self.manifest.rows),
            ),
            ("groups", self.manifest.groups.to_string()),
            (
                "synchronizer",
                format!(
                    "{}, {} round(s)",
                    self.protocol.synchronizer, self.protocol.rounds
                ),
            ),
            ("leak level", self.protocol.leak_level.clone()),
            ("moved", format!("{} bytes, both ways", self.moved)),
            ("time", format!("{:.2} s", self.elapsed.as_secs_f64())),
            ("release", place),
            ("report", report),
        ]
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| beside(name, &value, 19))
        .collect::<Vec<_>>()
        .join("\n")
    }

    /// A release of an older version that was published already may have none.
    fn has_report(&self) -> bool {
        ReportPlaces::of(self.out).public().is_file()
    }

    /// The document `mingle.site/1`.
    pub fn to_json(&self) -> Value {
        json!({
            "schema": "mingle.site/1",
            "release": self.out.display().to_string(),
            "reports": self.has_report().then(|| reports::to_json(self.out)),
            "already_published": self.before,
            "rows": self.manifest.rows,
            "groups": self.manifest.groups,
            "synchronizer": self.protocol.synchronizer,
            "leak_level": self.protocol.leak_level,
            "rounds": self.protocol.rounds,
            "session": self.protocol.session,
            "sites": self.protocol.sites.iter().map(|site| &site.name).collect::<Vec<_>>(),
            "constraints": self.manifest.promises,
            "bytes": self.moved,
            "seconds": (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        })
    }
}
