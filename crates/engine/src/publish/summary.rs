//! What was published, as a compact summary and as the document `mingle.publish/1`.

use super::composition::CompositionFindings;
use super::{accepted, assumption};
use crate::insiders;
use crate::measure::Figures;
use crate::promises;
use crate::report;
use crate::verify::{KnownPeople, constraint_verdicts};
use crate::words::{beside, counted_people};
use mingle_anonymize::Ranges;
use mingle_model::Cube;
use mingle_model::counted;
use mingle_policy::Policy;
use mingle_privacy::{Promise, Verified};
use mingle_record::answer::{PublishAnswer, PublishedPeopleRecord, WarningNotice};
use mingle_record::manifest::{PeopleCounts, PeopleEntry};
use mingle_record::schema::PublishSchema;
use mingle_record::{Judgement, Problem};
use mingle_release::manifest::{format_entry, semantics_stated};
use mingle_release::people_counts;
use mingle_release::promise_entry::entry_of;
use std::path::Path;
use std::time::Duration;

/// Everything that is said at the end.
pub struct PublishSummary<'a> {
    /// What was asked.
    pub policy: &'a Policy,
    /// What was published.
    pub verified: &'a Verified,
    /// How many providers have rows.
    pub contributors: u64,
    /// What it costs.
    pub utility: &'a Figures,
    /// What it says together with releases that are out already, where the policy names any.
    pub composed: Option<&'a CompositionFindings>,
    /// Where it is; `None` for a dry run.
    pub out: Option<&'a Path>,
    /// How long it took.
    pub elapsed: Duration,
}

impl PublishSummary<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let published = self.verified.published();
        let promises: Vec<String> = self
            .verified
            .promises()
            .iter()
            .map(|p| promises::promise_text(p, published))
            .collect();
        let error = self.utility.query_error();
        let (place, report) = match self.out {
            Some(folder) => (report::release_line(folder), report::report_line(folder)),
            None => ("dry run: nothing was written".to_owned(), String::new()),
        };
        let lines = [
            ("protected against", self.against()),
            ("assumed", self.assumed()),
            ("promises", promises.join("\n")),
            ("rows", self.rows()),
            ("groups", self.groups()),
            ("risk", accepted::summary(self.policy, published)),
            ("cost", self.utility.cost()),
            (
                "query error",
                format!("mean {:.4}, median {:.4}", error.mean, error.median),
            ),
            (
                "beside others",
                self.composed
                    .map_or(String::new(), CompositionFindings::to_text),
            ),
            ("time", format!("{:.2} s", self.elapsed.as_secs_f64())),
            ("release", place),
            ("report", report),
        ];
        let line = |(name, value): (&str, String)| beside(name, &value, 19);
        lines
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(line)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// How many rows there are, and of how many people.
    fn rows(&self) -> String {
        let published = self.verified.published();
        let (rows, suppressed) = (published.rows(), published.suppressed());
        let providers = counted(published.providers().len(), "provider");
        let Some((_, counts)) = self.people() else {
            return format!("{rows} published, {suppressed} suppressed, of {providers}");
        };
        let published = counted_people(counts.published_people);
        // with rows apart somebody may lose a row and be there all the same
        let of_people = match counts.suppressed_people {
            0 => String::new(),
            people => format!(" of {}", counted_people(people)),
        };
        format!(
            "{rows} published of {published}, {suppressed} suppressed{of_people}, of {providers}"
        )
    }

    /// How many groups there are, and how many people the smallest has.
    fn groups(&self) -> String {
        let groups = self.verified.published().groups();
        let smallest = match self.people() {
            None => counted(self.smallest_group(), "row"),
            Some((_, counts)) => counted_people(counts.smallest_group),
        };
        format!("{groups}, the smallest of {smallest}") + &self.tables()
    }

    /// Whose rows they are, where the policy says that.
    fn people(&self) -> Option<(PeopleEntry, PeopleCounts)> {
        let entry = self.policy.people_entry()?;
        Some((entry, people_counts(self.verified.published(), &entry)))
    }

    /// How many tables they are in, where that is more than one.
    fn tables(&self) -> String {
        let sensitive = self.verified.published().sensitive().len();
        if self.policy.release.fragmented {
            format!(
                ", in {} tables that only the group number joins",
                sensitive + 1
            )
        } else {
            String::new()
        }
    }

    fn assumed(&self) -> String {
        let m = self.verified.verification().insiders().m;
        let guaranteed = self
            .people()
            .and_then(|(_, counts)| counts.guaranteed_smallest_group);
        assumption::of(self.policy, m, guaranteed)
    }

    /// Against whom, and whether somebody chose that.
    fn against(&self) -> String {
        let insiders = self.verified.verification().insiders();
        let words = insiders::in_words(insiders, self.contributors);
        match (
            self.policy.privacy().ok().and_then(|privacy| privacy.m),
            self.contributors,
        ) {
            (Some(_), _) => words,
            (None, 0 | 1) => format!("{words}; m = 0 is the default with one provider"),
            (None, _) => format!("{words}; m = 1 is the default with several providers"),
        }
    }

    /// For programs: the document `mingle.publish/1`.
    pub fn answer(&self, warnings: &[Problem]) -> PublishAnswer {
        let published = self.verified.published();
        let verification = self.verified.verification();
        let insiders = verification.insiders();
        let whose = match self.policy.people_entry() {
            None => KnownPeople::EachRow,
            Some(entry) => KnownPeople::Identified(entry),
        };
        PublishAnswer {
            schema: PublishSchema,
            release: self.out.map(|folder| folder.display().to_string()),
            reports: self.out.map(report::files),
            verdict: Judgement::Holds,
            m: insiders.m.0,
            semantics: semantics_stated(insiders.semantics),
            rows: published.rows() + published.suppressed(),
            published_rows: published.rows(),
            suppressed_rows: published.suppressed(),
            groups: published.groups() as u64,
            smallest_group: self.smallest_group(),
            people: self
                .people()
                .map(|(stated, counts)| PublishedPeopleRecord { stated, counts }),
            providers: published.providers().len() as u64,
            method: self.policy.method.name.to_owned(),
            ranges: ranges(self.policy).to_owned(),
            format: format_entry(self.policy.release.format),
            constraints: constraint_verdicts(verification, insiders, true, &whose),
            utility: self.utility.to_record(),
            warnings: warnings.iter().map(WarningNotice::from).collect(),
            seconds: (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            fragmented: self.policy.release.fragmented,
            composition: self.composed.map(CompositionFindings::to_record),
        }
    }

    fn smallest_group(&self) -> u64 {
        let published = self.verified.published();
        (0..published.groups())
            .map(|group| published.size(group))
            .min()
            .unwrap_or(0)
    }
}

/// The policy's word for how tightly cells are published.
pub fn ranges(policy: &Policy) -> &'static str {
    match policy.method.ranges {
        Ranges::Tight => "tight",
        Ranges::Cell => "cell",
    }
}

/// A promise in words, before anything is published.
pub fn promise_of_cube(promise: &Promise, cube: &Cube) -> String {
    let sensitive: Vec<&str> = cube
        .sensitive()
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    promises::promise_entry_text(&entry_of(promise, &sensitive))
}
