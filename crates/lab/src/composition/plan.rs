//! What is published, and which releases are laid side by side.

use super::overlap::{Overlap, Rest};
use super::people::{Census, CensusPeople};
use crate::Extent;
use std::fmt;

/// How a table is anonymized.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnonymizationScheme {
    /// Cuts at medians; labels are ranges and sets of the values that occur.
    Mondrian,
    /// The same cuts along the hierarchies' order; labels are nodes of the hierarchies.
    Hierarchies,
    /// Nodes of the hierarchies are divided into all their children or not at all: see
    /// [`Trees`](super::trees::Trees).
    Trees,
    /// MDAV, labels as with Mondrian.
    Microaggregation,
    /// MDAV, every group by its centroid.
    Centroids,
    /// Mondrian, changed until its intersection with the first release leaves so many values of
    /// everybody, or as many as the first leaves by itself: see
    /// [`withstand`](mingle_anonymize::withstand).
    Withstanding(u64),
}

impl AnonymizationScheme {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            AnonymizationScheme::Mondrian => "mondrian",
            AnonymizationScheme::Hierarchies => "hierarchies",
            AnonymizationScheme::Trees => "trees",
            AnonymizationScheme::Microaggregation => "microaggregation",
            AnonymizationScheme::Centroids => "centroids",
            AnonymizationScheme::Withstanding(2) => "withstands-2",
            AnonymizationScheme::Withstanding(3) => "withstands-3",
            AnonymizationScheme::Withstanding(5) => "withstands-5",
            AnonymizationScheme::Withstanding(_) => "withstands",
        }
    }

    /// Whether the table's quasi-identifiers must have hierarchies.
    pub fn needs_hierarchies(self) -> bool {
        matches!(
            self,
            AnonymizationScheme::Hierarchies | AnonymizationScheme::Trees
        )
    }
}

/// What every release promises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ReleasePromises {
    /// The smallest group.
    pub k: u64,
    /// Entropy of the sensitive values at least that of so many.
    pub l: Option<u64>,
    /// The largest distance from the table's distribution, in hundredths, all values being equally
    /// far apart.
    pub t: Option<u64>,
}

impl ReleasePromises {
    /// k-anonymity alone.
    pub fn k(k: u64) -> ReleasePromises {
        ReleasePromises {
            k,
            l: None,
            t: None,
        }
    }

    /// Nothing else is promised.
    pub fn is_plain(self) -> bool {
        self.l.is_none() && self.t.is_none()
    }
}

impl fmt::Display for ReleasePromises {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "k = {}", self.k)?;
        self.l.map_or(Ok(()), |l| write!(f, ", l = {l}"))?;
        self.t
            .map_or(Ok(()), |t| write!(f, ", t = {}", t as f64 / 100.0))
    }
}

/// Releases that are laid side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompositionCell {
    /// How the first is made, and how the others are.
    pub schemes: [AnonymizationScheme; 2],
    /// What each promises.
    pub promised: ReleasePromises,
    /// How many there are.
    pub releases: usize,
}

impl CompositionCell {
    /// How a release is made.
    pub fn scheme(&self, release: usize) -> AnonymizationScheme {
        self.schemes[release.min(1)]
    }
}

/// One draw of subsets and all that is published about them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SubsetsJob {
    /// Which people, by their place among all tables.
    pub people: usize,
    /// Which sensitive column.
    pub sensitive: usize,
    /// How the subsets are drawn.
    pub overlap: Overlap,
    /// Which draw.
    pub draw: u64,
    /// Whether readers are measured too who do not know the right groups.
    pub located: bool,
    /// What is laid side by side.
    pub cells: Vec<CompositionCell>,
}

/// The k of Figure 5 and 6, the paper's.
pub const K_WITH_OTHERS: u64 = 10;

/// The k at which the paper's text gives its figures.
pub const K_OF_TEXT: u64 = 5;

/// The pairs that other promises than k are measured with.
const OF_MONDRIAN: [[AnonymizationScheme; 2]; 2] = [
    [AnonymizationScheme::Mondrian; 2],
    [AnonymizationScheme::Trees; 2],
];

struct Ranges {
    draws: u64,
    ks: Vec<u64>,
    /// So large that breaches become rare.
    large_ks: Vec<u64>,
    ls: Vec<u64>,
    ts: Vec<u64>,
    /// Sizes of subsets, in shares of the largest.
    sizes: Vec<f64>,
    /// Values that must be left.
    fewest: Vec<u64>,
}

fn ranges(extent: Extent) -> Ranges {
    match extent {
        Extent::Full => Ranges {
            draws: 5,
            ks: vec![2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 50],
            large_ks: vec![100, 200, 400, 800],
            ls: (2..=8).collect(),
            ts: vec![20, 30, 40, 50, 60, 70, 80],
            sizes: vec![0.0, 0.1, 0.25, 0.5, 0.75],
            fewest: vec![2, 3, 5],
        },
        Extent::Quick => Ranges {
            draws: 1,
            ks: vec![2, 5, 10, 50],
            large_ks: vec![200],
            ls: vec![2, 4, 6],
            ts: vec![20, 40, 60],
            sizes: vec![0.0, 0.5],
            fewest: vec![2, 5],
        },
        Extent::Smoke => Ranges {
            draws: 2,
            ks: vec![2, 5],
            large_ks: vec![20],
            ls: vec![2],
            ts: vec![40],
            sizes: vec![0.5],
            fewest: vec![2],
        },
    }
}

/// How many people are in all subsets: the paper's 5,000, or the same share of a smaller table as
/// of its larger one.
pub fn common(people: usize) -> usize {
    if people >= 14_000 { 5_000 } else { people / 14 }
}

/// All draws.
pub fn plan(extent: Extent, all: &[CensusPeople]) -> Vec<SubsetsJob> {
    let ranges = ranges(extent);
    let draws = 0..ranges.draws;
    all.iter()
        .enumerate()
        .flat_map(|(at, people)| {
            draws
                .clone()
                .flat_map(|draw| jobs(&ranges, at, people, draw))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn jobs(ranges: &Ranges, at: usize, people: &CensusPeople, draw: u64) -> Vec<SubsetsJob> {
    let common = common(people.count());
    let overlap = Overlap::of_all(people.count(), common, 2);
    let main = SubsetsJob {
        people: at,
        sensitive: 0,
        overlap,
        draw,
        located: true,
        cells: pairs(ranges, people),
    };
    let by_k = |releases: usize| {
        ranges
            .ks
            .iter()
            .map(move |&k| plain(AnonymizationScheme::Mondrian, k, releases))
    };
    let mut jobs = vec![main.clone()];
    let others = 1..people.sensitive().len();
    jobs.extend(others.map(|sensitive| SubsetsJob {
        sensitive,
        located: false,
        cells: by_k(2).collect(),
        ..main.clone()
    }));
    if matches!(people.census, Census::Ipums97 | Census::Ipums979899) {
        return jobs;
    }
    let sizes = ranges
        .sizes
        .iter()
        .map(|share| common + (share * (overlap.size - common) as f64) as usize);
    for size in sizes {
        let cells = [K_OF_TEXT, K_WITH_OTHERS]
            .map(|k| plain(AnonymizationScheme::Mondrian, k, 2))
            .to_vec();
        jobs.push(SubsetsJob {
            overlap: Overlap { size, ..overlap },
            located: false,
            cells,
            ..main.clone()
        });
    }
    let apart = Overlap::of_all(people.count(), common, 4);
    for overlap in [
        apart,
        Overlap {
            size: overlap.size,
            rest: Rest::Free,
            ..apart
        },
    ] {
        let cells = (2..=4).flat_map(by_k).collect();
        jobs.push(SubsetsJob {
            overlap,
            located: false,
            cells,
            ..main.clone()
        });
    }
    jobs
}

fn plain(scheme: AnonymizationScheme, k: u64, releases: usize) -> CompositionCell {
    CompositionCell {
        schemes: [scheme; 2],
        promised: ReleasePromises::k(k),
        releases,
    }
}

/// Two releases about everybody: every scheme, every promise.
fn pairs(ranges: &Ranges, people: &CensusPeople) -> Vec<CompositionCell> {
    let mut pairs = vec![
        [AnonymizationScheme::Mondrian; 2],
        [AnonymizationScheme::Microaggregation; 2],
        [
            AnonymizationScheme::Mondrian,
            AnonymizationScheme::Microaggregation,
        ],
    ];
    if people.have_hierarchies() {
        pairs.extend([
            [AnonymizationScheme::Hierarchies; 2],
            [AnonymizationScheme::Trees; 2],
        ]);
    }
    let of = |schemes: [AnonymizationScheme; 2], promised| CompositionCell {
        schemes,
        promised,
        releases: 2,
    };
    let mut cells: Vec<CompositionCell> = pairs
        .iter()
        .flat_map(|&schemes| {
            ranges
                .ks
                .iter()
                .map(move |&k| of(schemes, ReleasePromises::k(k)))
        })
        .collect();
    for schemes in pairs.into_iter().filter(|pair| OF_MONDRIAN.contains(pair)) {
        let usual = ReleasePromises::k(K_WITH_OTHERS);
        cells.extend(ranges.ls.iter().map(|&l| {
            of(
                schemes,
                ReleasePromises {
                    l: Some(l),
                    ..usual
                },
            )
        }));
        cells.extend(ranges.ts.iter().map(|&t| {
            of(
                schemes,
                ReleasePromises {
                    t: Some(t),
                    ..usual
                },
            )
        }));
        cells.extend(
            ranges
                .large_ks
                .iter()
                .map(|&k| of(schemes, ReleasePromises::k(k))),
        );
    }
    if matches!(people.census, Census::Adult | Census::IpumsLike) {
        let centroids = |k: u64| of([AnonymizationScheme::Centroids; 2], ReleasePromises::k(k));
        cells.extend([K_OF_TEXT, K_WITH_OTHERS].map(centroids));
        cells.extend(withstanding(ranges));
    }
    cells
}

/// A second release that withstands the first: no perfect breach for some k, and more for groups
/// that are larger or more diverse.
fn withstanding(ranges: &Ranges) -> Vec<CompositionCell> {
    let of = |promised: ReleasePromises, fewest: u64| CompositionCell {
        schemes: [
            AnonymizationScheme::Mondrian,
            AnonymizationScheme::Withstanding(fewest),
        ],
        promised,
        releases: 2,
    };
    let usual = ReleasePromises::k(K_WITH_OTHERS);
    let small = ranges
        .ks
        .iter()
        .filter(|&&k| (K_OF_TEXT..=2 * K_WITH_OTHERS).contains(&k));
    let mut cells: Vec<CompositionCell> = small.map(|&k| of(ReleasePromises::k(k), 2)).collect();
    let diverse = ranges
        .ls
        .iter()
        .filter(|&&l| l <= 4)
        .map(|&l| ReleasePromises {
            l: Some(l),
            ..usual
        });
    let more = std::iter::once(usual).chain(diverse);
    cells.extend(more.flat_map(|promised| {
        ranges
            .fewest
            .iter()
            .map(move |&fewest| of(promised, fewest))
    }));
    let mut once = Vec::new();
    cells.into_iter().for_each(|cell| {
        if !once.contains(&cell) {
            once.push(cell)
        }
    });
    once
}
