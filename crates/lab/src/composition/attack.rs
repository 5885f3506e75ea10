//! The intersection attack on the common people, and what is counted about it.
//!
//! Definitions 7 to 9 of the paper, found by the program's own engine ([`Overlay`]) and counted as
//! by `mingle attack intersection`. The effective prior anonymity of a person in a release is the
//! number of different sensitive values of their group, the posterior one the number of values that
//! are in all of their groups; the drop is the smallest prior less the posterior one. Confidence is
//! one over the posterior anonymity. A reader who knows the right groups finds everybody's true
//! value in all of them, so a posterior anonymity of 1 is a perfect breach and never a wrong one;
//! readers who must find the groups may err, and then it is counted how often they are right.

use super::people::CensusPeople;
use super::release::AttackedRelease;
use crate::error::Error;
use mingle_assess::attack::intersection::{
    self, IntersectionOptions, IntersectionPlay, Sizes, play,
};
use mingle_model::{Code, Cube, HierarchySource, Missing};
use mingle_privacy::composition::{self, Choice, Location, Overlay, Scratch};

/// The confidence levels that are counted, as numbers of values left: 100, 50, 33, 25, 20 and 10
/// per cent.
pub const LEFT: [u32; 6] = [1, 2, 3, 4, 5, 10];

/// What the reader knows about where people are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompositionReader {
    /// The right group in each release: the paper's assumption.
    Told,
    /// The labels: takes all groups that fit.
    Union,
    /// The labels: takes the most specific of the groups that fit.
    MostSpecific,
    /// The labels: takes the group with the nearest centroid.
    Nearest,
}

impl CompositionReader {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            CompositionReader::Told => "told",
            CompositionReader::Union => "union",
            CompositionReader::MostSpecific => "most-specific",
            CompositionReader::Nearest => "nearest",
        }
    }

    fn location(self) -> Location {
        if self == CompositionReader::Nearest {
            Location::Nearest
        } else {
            Location::Containment
        }
    }
}

/// What an attack comes to, over all targets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TargetExposure {
    /// Share of the targets with at least one and at most as many values left as [`LEFT`] says.
    pub exposed: [f64; LEFT.len()],
    /// Share of the targets of whom one of the releases by itself leaves a single value.
    pub already: f64,
    /// Share of the targets with a single value left that is theirs.
    pub right: f64,
    /// Share of the targets with none left: the reader has looked in a wrong group. They do not
    /// count in the means.
    pub apart: f64,
    /// Share of the targets with a drop.
    pub vulnerable: f64,
    /// How often a group is the right one that is picked at random among those that fit, or are
    /// nearest: mean over targets and releases; 1 for who is told.
    pub located: f64,
    /// Mean number of people in a target's group, over targets and releases.
    pub partition: f64,
    /// Mean number of values in a target's group, over targets and releases.
    pub prior: f64,
    /// Mean number of values left.
    pub posterior: f64,
    /// Mean of the smallest prior anonymity less the posterior one.
    pub drop: f64,
    /// Loss of the last release, where it can be told.
    pub ncp: Option<f64>,
}

/// The people who are in all releases.
pub struct Targets<'a> {
    attribute: &'a str,
    /// Those that the releases' labels are from.
    hierarchies: Vec<(&'a str, &'a HierarchySource)>,
    missing: Missing,
    cube: Cube,
    /// Per target the tuple and the code of the sensitive value.
    known: Vec<(u32, Code)>,
}

impl<'a> Targets<'a> {
    /// These people.
    pub fn new(
        people: &'a CensusPeople,
        rows: &[u32],
        sensitive: usize,
        along_hierarchies: bool,
    ) -> Result<Self, Error> {
        let cube = Cube::new(people.table(rows, sensitive, along_hierarchies)?);
        let tuples = (0..cube.tuples())
            .flat_map(|t| std::iter::repeat_n(t as u32, cube.records_of(t).len()));
        let tuple_of: Vec<u32> = tuples.collect();
        let column = &cube.sensitive()[0].codes;
        let of = |&record: &u32| {
            let value = column.get(cube.records()[record as usize].sensitive as usize);
            (tuple_of[record as usize], value)
        };
        let known = cube
            .record_of_row()
            .expect("the table has a column to keep rows for")
            .iter()
            .map(of)
            .collect();
        let hierarchies = people.hierarchies().filter(|_| along_hierarchies).collect();
        let attribute = people.sensitive()[sensitive].spec.name.as_str();
        Ok(Targets {
            attribute,
            hierarchies,
            missing: Missing::default(),
            cube,
            known,
        })
    }

    /// Plays several readers, those who find people in the same way one after the other. The first
    /// people of every release are these.
    pub fn attack(
        &self,
        releases: &[&AttackedRelease],
        readers: &[CompositionReader],
    ) -> Result<Vec<TargetExposure>, Error> {
        let mut exposures = Vec::new();
        for readers in readers.chunk_by(|a, b| a.location() == b.location()) {
            let location = readers[0].location();
            let overlay = self.overlay(releases, location)?;
            let must_find = readers
                .iter()
                .any(|&reader| reader != CompositionReader::Told);
            let located = if must_find {
                self.located(&overlay, releases)
            } else {
                1.0
            };
            exposures.extend(readers.iter().map(|&reader| TargetExposure {
                located: if reader == CompositionReader::Told {
                    1.0
                } else {
                    located
                },
                ..self.play(&overlay, releases, reader)
            }));
        }
        Ok(exposures)
    }

    fn overlay(
        &self,
        releases: &[&AttackedRelease],
        location: Location,
    ) -> Result<Overlay<'_>, Error> {
        let (cube, missing, hierarchies) = (&self.cube, &self.missing, self.hierarchies.clone());
        let mut overlay = Overlay::new(
            composition::People {
                cube,
                missing,
                hierarchies,
            },
            self.attribute,
        );
        let reader = composition::Reader {
            location,
            ..composition::Reader::new("a release")
        };
        for release in releases {
            overlay.add(&reader, release.published())?;
        }
        Ok(overlay)
    }

    /// Plays a reader, and adds what follows from knowing the right groups.
    fn play(
        &self,
        overlay: &Overlay,
        releases: &[&AttackedRelease],
        reader: CompositionReader,
    ) -> TargetExposure {
        let mut exposure = match reader {
            CompositionReader::Told => self.told(overlay, releases),
            CompositionReader::Union | CompositionReader::Nearest => self.read(&play(
                overlay,
                intersection::IntersectionChoice::Union,
                IntersectionOptions::default(),
            )),
            CompositionReader::MostSpecific => self.read(&play(
                overlay,
                intersection::IntersectionChoice::MostSpecific,
                IntersectionOptions::default(),
            )),
        };
        let targets = 0..self.known.len();
        let sizes =
            targets.flat_map(|target| releases.iter().map(move |r| r.size(r.group_of[target])));
        exposure.partition =
            sizes.sum::<u64>() as f64 / (self.known.len() * releases.len()).max(1) as f64;
        exposure.ncp = releases.last().and_then(|release| release.ncp);
        exposure
    }

    fn located(&self, overlay: &Overlay, releases: &[&AttackedRelease]) -> f64 {
        let (mut located, mut scratch) = (0.0, Scratch::default());
        for (at, release) in releases.iter().enumerate() {
            for (&(tuple, _), group) in self.known.iter().zip(&release.group_of) {
                let fitting = overlay.fitting(at, tuple as usize, &mut scratch);
                located += if fitting.contains(group) {
                    1.0 / fitting.len() as f64
                } else {
                    0.0
                };
            }
        }
        located / (self.known.len() * releases.len()).max(1) as f64
    }

    /// The measures as `mingle attack intersection` takes them.
    fn read(&self, play: &IntersectionPlay) -> TargetExposure {
        let priors = play
            .releases
            .iter()
            .map(|release| release.prior.mean().unwrap_or(0.0));
        TargetExposure {
            exposed: LEFT.map(|most| play.share(play.at_most(most))),
            already: play.share(play.perfect_already),
            right: play.share(play.score.map_or(0, |score| score.perfect_right)),
            apart: play.share(play.apart),
            vulnerable: play.share(play.vulnerable()),
            prior: priors.sum::<f64>() / play.releases.len() as f64,
            posterior: play.posterior.mean().unwrap_or(0.0),
            drop: play.drop.mean().unwrap_or(0.0),
            ..TargetExposure::default()
        }
    }

    /// The same measures for a reader who knows everybody's groups, whom only the lab can play.
    fn told(&self, overlay: &Overlay, releases: &[&AttackedRelease]) -> TargetExposure {
        let (mut scratch, own) = (Scratch::default(), overlay.own_values());
        let [mut priors, mut posterior, mut drop] = [(); 3].map(|()| Sizes::default());
        let (mut already, mut right, mut apart) = (0, 0, 0);
        for (target, &(tuple, value)) in self.known.iter().enumerate() {
            let groups: Vec<Option<u32>> = releases
                .iter()
                .map(|release| Some(release.group_of[target]))
                .collect();
            let found = overlay.person(tuple as usize, Choice::Told(&groups), &mut scratch);
            scratch
                .priors()
                .iter()
                .for_each(|&prior| priors.count(prior, 1));
            posterior.count(found.posterior, 1);
            drop.count(found.prior - found.posterior, 1);
            already += u64::from(found.prior == 1);
            right += u64::from(
                found.posterior == 1 && own[value as usize] == Some(scratch.candidates()[0]),
            );
            apart += u64::from(found.is_apart());
        }
        let share = |people: u64| people as f64 / self.known.len().max(1) as f64;
        TargetExposure {
            exposed: LEFT.map(|most| share(posterior.at_most(most))),
            already: share(already),
            right: share(right),
            apart: share(apart),
            vulnerable: share(drop.people() - drop.exactly(0)),
            prior: priors.mean().unwrap_or(0.0),
            posterior: posterior.mean().unwrap_or(0.0),
            drop: drop.mean().unwrap_or(0.0),
            ..TargetExposure::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::overlap::{Overlap, Rest};
    use super::super::plan::{AnonymizationScheme, ReleasePromises};
    use super::super::release::Publisher;
    use super::*;
    use std::collections::BTreeSet;

    struct Played {
        people: CensusPeople,
        subsets: Vec<Vec<u32>>,
        releases: Vec<AttackedRelease>,
        common: usize,
    }

    fn played(scheme: AnonymizationScheme, k: u64, subsets: usize) -> Played {
        played_on(
            CensusPeople::ipums_like(2_000, 4).unwrap(),
            scheme,
            k,
            subsets,
        )
    }

    fn played_on(
        people: CensusPeople,
        scheme: AnonymizationScheme,
        k: u64,
        subsets: usize,
    ) -> Played {
        let overlap = Overlap {
            common: 150,
            size: 600,
            subsets,
            rest: Rest::Apart,
        };
        let subsets = overlap.draw(people.count(), 0, 0).unwrap();
        let publish = |rows: &Vec<u32>| {
            let publisher = Publisher::new(&people, rows, 0).unwrap();
            publisher
                .publish(scheme, ReleasePromises::k(k), None, None)
                .unwrap()
                .unwrap()
        };
        let releases = subsets.iter().map(publish).collect();
        Played {
            people,
            subsets,
            releases,
            common: 150,
        }
    }

    impl Played {
        fn exposures(&self, readers: &[CompositionReader], along: bool) -> Vec<TargetExposure> {
            let targets =
                Targets::new(&self.people, &self.subsets[0][..self.common], 0, along).unwrap();
            targets
                .attack(&self.releases.iter().collect::<Vec<_>>(), readers)
                .unwrap()
        }

        /// The values of a target's group, from the rows.
        fn set(&self, release: usize, target: usize) -> BTreeSet<Code> {
            let groups = &self.releases[release].group_of;
            let members = groups
                .iter()
                .zip(&self.subsets[release])
                .filter(|(group, _)| **group == groups[target]);
            members
                .map(|(_, &row)| self.people.sensitive()[0].codes.get(row as usize))
                .collect()
        }
    }

    #[test]
    fn told_readers_find_what_sets_of_rows_say() {
        for (scheme, n) in [
            (AnonymizationScheme::Mondrian, 2),
            (AnonymizationScheme::Mondrian, 3),
            (AnonymizationScheme::Trees, 2),
            (AnonymizationScheme::Microaggregation, 2),
        ] {
            let played = played(scheme, 4, n);
            let found =
                &played.exposures(&[CompositionReader::Told], scheme.needs_hierarchies())[0];
            let (mut perfect, mut posterior, mut prior, mut drop, mut vulnerable) = (0, 0, 0, 0, 0);
            for target in 0..played.common {
                let sets: Vec<BTreeSet<Code>> =
                    (0..n).map(|release| played.set(release, target)).collect();
                let left = sets[0]
                    .iter()
                    .filter(|value| sets.iter().all(|set| set.contains(value)))
                    .count();
                let smallest = sets.iter().map(BTreeSet::len).min().unwrap();
                perfect += usize::from(left == 1);
                posterior += left;
                prior += sets.iter().map(BTreeSet::len).sum::<usize>();
                drop += smallest - left;
                vulnerable += usize::from(left < smallest);
            }
            let share = |count: usize| count as f64 / 150.0;
            let same = |found: f64, expected: f64| (found - expected).abs() < 1e-9;
            assert_eq!(found.exposed[0], share(perfect), "{}", scheme.name());
            assert!(
                same(found.posterior, share(posterior)) && same(found.drop, share(drop)),
                "{}",
                scheme.name()
            );
            assert!(
                same(found.prior, share(prior) / n as f64)
                    && same(found.vulnerable, share(vulnerable))
            );
            assert!(perfect > 10 && found.right == found.exposed[0] && found.apart == 0.0);
            assert!(found.already < found.exposed[0], "it takes both releases");
        }
    }

    #[test]
    fn equal_releases_tell_nothing_new() {
        let mut played = played(AnonymizationScheme::Mondrian, 4, 1);
        played.subsets.push(played.subsets[0].clone());
        let publisher = Publisher::new(&played.people, &played.subsets[0], 0).unwrap();
        played.releases.extend(
            publisher
                .publish(
                    AnonymizationScheme::Mondrian,
                    ReleasePromises::k(4),
                    None,
                    None,
                )
                .unwrap(),
        );
        let found = &played.exposures(&[CompositionReader::Told], false)[0];
        assert_eq!((found.vulnerable, found.drop), (0.0, 0.0));
        assert_eq!(found.prior, found.posterior);
    }

    #[test]
    fn the_nearest_centroid_is_often_but_not_always_the_right_one() {
        let played = played(AnonymizationScheme::Centroids, 4, 2);
        let found = &played.exposures(
            &[CompositionReader::Told, CompositionReader::Nearest],
            false,
        );
        assert!(
            (0.2..0.95).contains(&found[1].located),
            "{}",
            found[1].located
        );
        assert!(found[1].right < found[0].right && found[1].apart > 0.0);
    }

    #[test]
    fn a_release_that_withstands_leaves_what_was_asked_for() {
        // few values, so that both tables have all of them
        let mut played = played_on(
            CensusPeople::adult(None, 2_000, 4).unwrap(),
            AnonymizationScheme::Mondrian,
            4,
            2,
        );
        let before = played
            .exposures(&[CompositionReader::Told], false)
            .remove(0);
        let publisher = Publisher::new(&played.people, &played.subsets[1], 0).unwrap();
        let first = Some(&played.releases[0]);
        let second = publisher
            .publish(
                AnonymizationScheme::Withstanding(2),
                ReleasePromises::k(4),
                first,
                None,
            )
            .unwrap()
            .unwrap();
        played.releases[1] = second;
        let after = played
            .exposures(&[CompositionReader::Told], false)
            .remove(0);
        assert!(before.exposed[0] > after.exposed[0]);
        let alone: usize = (0..played.common)
            .filter(|&target| played.set(0, target).len() == 1)
            .count();
        assert_eq!(
            after.exposed[0],
            alone as f64 / 150.0,
            "only those whom the first release exposes by itself"
        );
        assert!(after.ncp > before.ncp);
    }

    #[test]
    fn readers_of_labels_know_no_more_than_the_told() {
        let played = played(AnonymizationScheme::Mondrian, 4, 2);
        let found = played.exposures(
            &[
                CompositionReader::Told,
                CompositionReader::Union,
                CompositionReader::MostSpecific,
            ],
            false,
        );
        let [told, union, specific] = &found[..] else {
            panic!("three readers")
        };
        assert!(union.exposed[0] <= told.exposed[0] && union.posterior >= told.posterior);
        assert!(
            union.apart == 0.0 && union.right == union.exposed[0],
            "all groups include the right one"
        );
        assert!(specific.located <= 1.0 && specific.right <= specific.exposed[0]);
        // along trees the labels say exactly who is where
        let found = self::played(AnonymizationScheme::Trees, 4, 2)
            .exposures(&[CompositionReader::Told, CompositionReader::Union], true);
        assert_eq!(
            (&found[0].exposed, found[1].located),
            (&found[1].exposed, 1.0)
        );
    }
}
