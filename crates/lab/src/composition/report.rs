//! What is told about the results, and which of them belong together.

use super::attack::{CompositionReader, TargetExposure};
use super::overlap::{Overlap, Rest};
use super::people::{Census, CensusPeople};
use super::plan::{AnonymizationScheme, ReleasePromises, common};
use super::results::{AttackResults, MeasuredAttack};
use super::{pictures, sheet};
use crate::outcome::Outcome;

/// The schemes of two releases, in the order of tables and figures.
pub const PAIRS: [[AnonymizationScheme; 2]; 5] = [
    [AnonymizationScheme::Mondrian, AnonymizationScheme::Mondrian],
    [
        AnonymizationScheme::Microaggregation,
        AnonymizationScheme::Microaggregation,
    ],
    [
        AnonymizationScheme::Mondrian,
        AnonymizationScheme::Microaggregation,
    ],
    [
        AnonymizationScheme::Hierarchies,
        AnonymizationScheme::Hierarchies,
    ],
    [AnonymizationScheme::Trees, AnonymizationScheme::Trees],
];

/// How tables and figures call them.
pub fn pair_name(schemes: [AnonymizationScheme; 2]) -> &'static str {
    match schemes {
        [
            AnonymizationScheme::Mondrian,
            AnonymizationScheme::Microaggregation,
        ] => "one of each",
        [scheme, _] => scheme.name(),
    }
}

/// The results of all draws.
pub fn outcome(all: &[CensusPeople], measured: &[MeasuredAttack]) -> Outcome {
    let report = CompositionReport {
        all,
        results: AttackResults::new(measured),
    };
    let names: Vec<String> = all
        .iter()
        .map(|people| format!("{} ({} people)", people.name, people.count()))
        .collect();
    Outcome {
        title: format!("Releases side by side: {}", names.join(", ")),
        notes: report.notes(),
        sheet: sheet::sheet(all, measured),
        views: report.tables(),
        figures: pictures::figures(&report),
    }
}

/// Everything.
pub struct CompositionReport<'a> {
    /// The tables.
    pub all: &'a [CensusPeople],
    /// All attacks on them.
    pub results: AttackResults<'a>,
}

/// What is looked at.
pub type ExposureMeasure = fn(&TargetExposure) -> f64;

/// In per cent of the targets.
pub const PERFECT: ExposureMeasure = |e| 100.0 * e.exposed[0];
/// Those of whom one release leaves a single value by itself.
pub const ALONE: ExposureMeasure = |e| 100.0 * e.already;
/// The same as [`PERFECT`] at a confidence of 25 %.
pub const QUARTER: ExposureMeasure = |e| 100.0 * e.exposed[3];

/// Loss of the second release.
pub const NCP: ExposureMeasure = |e| e.ncp.unwrap_or(f64::NAN);

/// What is varied.
pub type VariedPromise = fn(&MeasuredAttack) -> Option<u64>;

/// What is promised besides k, by the name of the axis.
pub const VARIED: [(&str, VariedPromise); 2] = [
    ("entropy l", |r| r.cell.promised.l),
    ("t in %", |r| r.cell.promised.t),
];

impl<'a> CompositionReport<'a> {
    /// Those of the two tables of the paper.
    pub fn papers(&self) -> impl Iterator<Item = usize> {
        let of_paper =
            |&at: &usize| matches!(self.all[at].census, Census::Adult | Census::IpumsLike);
        (0..self.all.len()).filter(of_paper)
    }

    /// Two subsets that are everybody, read by somebody who knows the groups.
    pub fn told(&self, people: usize, sensitive: usize) -> AttackResults<'a> {
        self.pairs(people, sensitive)
            .read_by(CompositionReader::Told)
    }

    /// The same for all readers.
    pub fn pairs(&self, people: usize, sensitive: usize) -> AttackResults<'a> {
        let count = self.all[people].count();
        let size = Overlap::of_all(count, common(count), 2).size;
        self.results.about(people, sensitive).main(size)
    }

    /// Schemes that were measured on a table.
    pub fn schemes(&self, people: usize) -> Vec<[AnonymizationScheme; 2]> {
        let told = self.told(people, 0);
        PAIRS
            .into_iter()
            .filter(|&pair| !told.by(pair).is_empty())
            .collect()
    }

    /// Several releases, by who else is in the subsets.
    pub fn several(&self, people: usize, rest: Rest, releases: usize) -> AttackResults<'a> {
        let some = self
            .results
            .about(people, 0)
            .read_by(CompositionReader::Told);
        some.only(|r| {
            r.job.overlap.subsets == 4 && r.job.overlap.rest == rest && r.cell.releases == releases
        })
    }

    /// Two subsets of whatever size.
    pub fn subsets_of_any_size(&self, people: usize) -> AttackResults<'a> {
        let some = self
            .results
            .about(people, 0)
            .read_by(CompositionReader::Told)
            .by([AnonymizationScheme::Mondrian; 2]);
        some.only(|r| r.job.overlap.subsets == 2)
    }

    fn notes(&self) -> Vec<String> {
        let overlaps: Vec<String> = self
            .all
            .iter()
            .map(|people| {
                let common = common(people.count());
                let size = Overlap::of_all(people.count(), common, 2).size;
                format!("{common} in two subsets of {size} ({})", people.name)
            })
            .collect();
        vec![
            format!("people in common: {}; nobody else is in both", overlaps.join(", ")),
            "figures in the paper's text: Adult and IPUMS, both subsets by Mondrian along hierarchies, k = 5"
                .to_owned(),
            "at 25%: share of targets at a confidence of at least 25 %, that is with at most 4 values left".to_owned(),
            "partition, prior, posterior: means over the people in common, as in the paper".to_owned(),
            "alone: a single value is left by one of the releases without the other".to_owned(),
            "withstands-n: with the first release at least n values are left, unless that one leaves fewer".to_owned(),
            "hierarchies: cuts at medians, labels from hierarchies; trees: a node is divided into all its children"
                .to_owned(),
            "centroids: microaggregation, every group by its centroid; located by the nearest one".to_owned(),
            "told: the reader knows the right groups, as in the paper; the others have the labels".to_owned(),
            "every release was verified from its published values".to_owned(),
        ]
    }
}

/// What was promised, in order of k, l and t.
pub fn promises(some: &AttackResults) -> Vec<ReleasePromises> {
    let mut promises: Vec<ReleasePromises> = some.iter().map(|r| r.cell.promised).collect();
    promises.sort_by_key(|p| {
        (
            p.l.is_some(),
            p.t.is_some(),
            p.l,
            std::cmp::Reverse(p.t),
            p.k,
        )
    });
    promises.dedup();
    promises
}
