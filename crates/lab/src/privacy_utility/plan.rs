//! Which releases are made.

use crate::Extent;
use mingle_privacy::{Insiders, M};

/// One setting of one draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemeJob {
    /// Which draw.
    pub draw: u64,
    /// How both organisations publish.
    pub scheme: PublicationScheme,
}

/// How a table is published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PublicationScheme {
    /// In groups.
    Grouped(Grouped),
    /// With noise.
    Noisy(Noisy),
}

/// Groups and what they promise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grouped {
    /// How groups are made.
    pub method: &'static str,
    /// The smallest group.
    pub k: u64,
    /// The largest distance of occupations from the table's, in hundredths.
    pub t: Option<u64>,
    /// Against whom.
    pub insiders: Insiders,
}

/// Noise and what it promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noisy {
    /// What is released.
    pub kind: NoisyReleaseKind,
    /// ε.
    pub epsilon: &'static str,
    /// Whether δ is zero, and not [`DELTA`].
    pub pure: bool,
}

/// What is released with noise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoisyReleaseKind {
    /// All tables of two columns.
    Pairs,
    /// The tables of two columns that noisy scores say are worth their noise.
    Selected,
    /// The full table, sparse.
    Histogram,
    /// Made-up records.
    Synthetic,
}

/// δ, where it is not zero.
pub const DELTA: &str = "1e-9";

/// The promise of a scheme; results of one family make a curve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// k-anonymity by a method.
    KAnonymity(&'static str),
    /// The same against one insider.
    MPrivacy(&'static str),
    /// t-closeness by a method.
    TCloseness(&'static str),
    /// Noise, and whether δ is zero.
    Noise(NoisyReleaseKind, bool),
}

impl NoisyReleaseKind {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            NoisyReleaseKind::Pairs => "pairs",
            NoisyReleaseKind::Selected => "selected pairs",
            NoisyReleaseKind::Histogram => "histogram",
            NoisyReleaseKind::Synthetic => "synthetic",
        }
    }
}

impl PublicationScheme {
    /// The curve that it belongs to.
    pub fn family(self) -> Family {
        match self {
            PublicationScheme::Noisy(how) => Family::Noise(how.kind, how.pure),
            PublicationScheme::Grouped(Grouped {
                method, t: Some(_), ..
            }) => Family::TCloseness(method),
            PublicationScheme::Grouped(how) if how.insiders.m.0 > 0 => Family::MPrivacy(how.method),
            PublicationScheme::Grouped(how) => Family::KAnonymity(how.method),
        }
    }

    /// The setting as text: `k = 5`, `t = 0.2`, `ε = 1`.
    pub fn setting(self) -> String {
        match self {
            PublicationScheme::Noisy(how) => format!("ε = {}", how.epsilon),
            PublicationScheme::Grouped(Grouped { t: Some(t), .. }) => {
                format!("t = {}", t as f64 / 100.0)
            }
            PublicationScheme::Grouped(how) => format!("k = {}", how.k),
        }
    }

    /// The number that is varied within the family: k, t or ε.
    pub fn varied(self) -> f64 {
        match self {
            PublicationScheme::Noisy(how) => how.epsilon.parse().expect("ε is a number"),
            PublicationScheme::Grouped(Grouped { t: Some(t), .. }) => t as f64 / 100.0,
            PublicationScheme::Grouped(how) => how.k as f64,
        }
    }
}

impl Family {
    /// How tables and legends call it.
    pub fn name(self) -> String {
        match self {
            Family::KAnonymity(method) => format!("k-anonymity, {method}"),
            Family::MPrivacy(method) => format!("m = 1, {method}"),
            Family::TCloseness(method) => format!("t-closeness, {method}"),
            Family::Noise(kind, true) => format!("{}, pure ε", kind.name()),
            Family::Noise(kind, false) => kind.name().to_owned(),
        }
    }

    /// The word in results.
    pub fn promise(self) -> &'static str {
        match self {
            Family::KAnonymity(_) => "k-anonymity",
            Family::MPrivacy(_) => "m-privacy",
            Family::TCloseness(_) => "t-closeness",
            Family::Noise(_, true) => "pure ε",
            Family::Noise(_, false) => "ε and δ",
        }
    }
}

/// The methods that make groups.
pub const METHODS: [&str; 2] = ["mondrian", "agglomerative"];

/// The smallest groups of t-close releases.
pub const K_OF_T: u64 = 10;

/// All families, in the order of tables and figures.
pub fn families() -> Vec<Family> {
    let mut families: Vec<Family> = METHODS.map(Family::KAnonymity).to_vec();
    families.extend(METHODS.map(Family::MPrivacy));
    families.extend(METHODS.map(Family::TCloseness));
    families.extend(NOISE.map(|(kind, pure)| Family::Noise(kind, pure)));
    families
}

/// What is released with noise. A pure promise cannot leave cells out, and 46 million of them are
/// too many to publish.
const NOISE: [(NoisyReleaseKind, bool); 7] = [
    (NoisyReleaseKind::Pairs, false),
    (NoisyReleaseKind::Selected, false),
    (NoisyReleaseKind::Histogram, false),
    (NoisyReleaseKind::Synthetic, false),
    (NoisyReleaseKind::Pairs, true),
    (NoisyReleaseKind::Selected, true),
    (NoisyReleaseKind::Synthetic, true),
];

struct Ranges {
    draws: u64,
    k: &'static [u64],
    k_of_m: &'static [u64],
    t: &'static [u64],
    epsilon: &'static [&'static str],
}

fn ranges(extent: Extent) -> Ranges {
    match extent {
        Extent::Full => Ranges {
            draws: 5,
            k: &[2, 5, 10, 20, 50, 200],
            k_of_m: &[5, 10, 50],
            t: &[10, 20, 30, 40],
            epsilon: &["0.1", "0.3", "1", "3", "10"],
        },
        Extent::Quick => Ranges {
            draws: 1,
            k: &[2, 10, 50],
            k_of_m: &[10],
            t: &[20, 40],
            epsilon: &["0.1", "1", "10"],
        },
        Extent::Smoke => Ranges {
            draws: 2,
            k: &[2, 10],
            k_of_m: &[5],
            t: &[40],
            epsilon: &["1", "10"],
        },
    }
}

/// All jobs, draw by draw.
pub fn plan(extent: Extent) -> Vec<SchemeJob> {
    let ranges = ranges(extent);
    let schemes = schemes(&ranges);
    (0..ranges.draws)
        .flat_map(|draw| {
            schemes
                .iter()
                .map(move |&scheme| SchemeJob { draw, scheme })
        })
        .collect()
}

fn schemes(ranges: &Ranges) -> Vec<PublicationScheme> {
    let outsider = Insiders::victim(M(0));
    let mut schemes = Vec::new();
    for method in METHODS {
        let of = |k: u64, t: Option<u64>, insiders| {
            PublicationScheme::Grouped(Grouped {
                method,
                k,
                t,
                insiders,
            })
        };
        schemes.extend(ranges.k.iter().map(|&k| of(k, None, outsider)));
        schemes.extend(
            ranges
                .k_of_m
                .iter()
                .map(|&k| of(k, None, Insiders::victim(M(1)))),
        );
        schemes.extend(ranges.t.iter().map(|&t| of(K_OF_T, Some(t), outsider)));
    }
    for (kind, pure) in NOISE {
        schemes.extend(ranges.epsilon.iter().map(|&epsilon| {
            PublicationScheme::Noisy(Noisy {
                kind,
                epsilon,
                pure,
            })
        }));
    }
    schemes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_job_is_of_a_family_and_stands_there_once() {
        for extent in [Extent::Full, Extent::Quick, Extent::Smoke] {
            let plan = plan(extent);
            assert!(
                plan.iter()
                    .all(|job| families().contains(&job.scheme.family()))
            );
            let all: Vec<String> = plan.iter().map(|job| format!("{job:?}")).collect();
            let once: std::collections::BTreeSet<&String> = all.iter().collect();
            assert_eq!(once.len(), all.len());
            let of_first_draw = plan.iter().filter(|job| job.draw == 0);
            for family in families() {
                assert!(
                    of_first_draw
                        .clone()
                        .any(|job| job.scheme.family() == family),
                    "{}",
                    family.name()
                );
            }
        }
    }
}
