//! What became of the new rows, as a compact summary and as the document `mingle.apply/1`.

use super::AppliedRelease;
use crate::insiders;
use crate::promises::promise_text;
use crate::publish::CompositionFindings;
use crate::report;
use crate::verify::{KnownPeople, constraint_verdicts};
use crate::words::beside;
use mingle_model::counted;
use mingle_record::answer::{ApplyAnswer, WarningNotice};
use mingle_record::schema::ApplySchema;
use mingle_record::{Judgement, Problem};
use mingle_release::manifest::{format_entry, semantics_stated};
use std::path::Path;

/// Everything that is said at the end.
pub struct ApplySummary<'a> {
    of: &'a AppliedRelease<'a>,
}

impl<'a> ApplySummary<'a> {
    pub(super) fn of(of: &'a AppliedRelease<'a>) -> ApplySummary<'a> {
        ApplySummary { of }
    }

    fn folder(&self) -> Option<&Path> {
        self.of.written.as_ref().map(|(folder, _)| folder.as_path())
    }

    fn suppressed(&self) -> u64 {
        self.of.facts.left_out_before.values().sum()
    }

    fn smallest_group(&self) -> u64 {
        let published = self.of.verified.published();
        let sizes = (0..published.groups()).map(|group| published.size(group));
        sizes.min().unwrap_or(0)
    }

    /// For people.
    pub fn to_text(&self) -> String {
        let published = self.of.verified.published();
        let counts = &self.of.counts;
        let insiders = self.of.verified.verification().insiders();
        let mut promises = Vec::new();
        for promise in self.of.verified.promises() {
            promises.push(promise_text(promise, published));
        }
        let (place, report) = match self.folder() {
            Some(folder) => (report::release_line(folder), report::report_line(folder)),
            None => ("dry run: nothing was written".to_owned(), String::new()),
        };
        let rows = format!(
            "{} of {} placed beside {}, {} left out",
            counts.placed_rows,
            counted(counts.new_rows, "new row"),
            counted(counts.earlier_rows, "published row"),
            self.suppressed()
        );
        let groups = format!(
            "{}, the smallest of {}; {} got rows",
            published.groups(),
            counted(self.smallest_group(), "row"),
            counts.grown_groups
        );
        let composed = self.of.composed.as_ref();
        let lines = [
            ("goes on from", self.of.earlier.display().to_string()),
            (
                "protected against",
                insiders::in_words(insiders, counts.contributors),
            ),
            ("promises", promises.join("\n")),
            ("rows", rows),
            ("groups", groups),
            ("beside the earlier", self.difference()),
            (
                "beside others",
                composed.map_or(String::new(), CompositionFindings::to_text),
            ),
            ("release", place),
            ("report", report),
        ];
        let mut text = Vec::new();
        for (name, value) in lines {
            if !value.is_empty() {
                text.push(beside(name, &value, 19));
            }
        }
        text.join("\n")
    }

    fn difference(&self) -> String {
        if self.of.past.is_some() {
            return String::new();
        }
        let Some(difference) = &self.of.difference else {
            return "not looked at: it was never handed out".to_owned();
        };
        let mut text = format!(
            "a reader of both sees at least {} by themselves in a group",
            counted(difference.fewest_rows, "new row")
        );
        if let Some(values) = difference.fewest_values {
            text += &format!(", with at least {}", counted(values, "sensitive value"));
        }
        text
    }

    /// For programs: the document `mingle.apply/1`.
    pub fn answer(&self, warnings: &[Problem]) -> ApplyAnswer {
        let verification = self.of.verified.verification();
        let published = self.of.verified.published();
        let insiders = verification.insiders();
        let counts = &self.of.counts;
        let elapsed = match &self.of.written {
            Some((_, elapsed)) => *elapsed,
            None => self.of.started.elapsed(),
        };
        let whose = KnownPeople::EachRow;
        ApplyAnswer {
            schema: ApplySchema,
            earlier: self.of.earlier.display().to_string(),
            release: self.folder().map(|folder| folder.display().to_string()),
            reports: self.folder().map(report::files),
            verdict: Judgement::Holds,
            m: insiders.m.0,
            semantics: semantics_stated(insiders.semantics),
            earlier_rows: counts.earlier_rows,
            new_rows: counts.new_rows,
            placed_rows: counts.placed_rows,
            published_rows: published.rows(),
            suppressed_rows: self.suppressed(),
            groups: published.groups() as u64,
            grown_groups: counts.grown_groups,
            smallest_group: self.smallest_group(),
            providers: published.providers().len() as u64,
            new_providers: counts.new_providers,
            format: format_entry(self.of.policy.release.format),
            constraints: constraint_verdicts(verification, insiders, true, &whose),
            difference: self.of.difference.as_ref().map(|d| d.to_record(insiders)),
            composition: self
                .of
                .composed
                .as_ref()
                .map(CompositionFindings::to_record),
            warnings: warnings.iter().map(WarningNotice::from).collect(),
            seconds: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        }
    }
}
