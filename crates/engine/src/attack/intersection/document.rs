//! The document `mingle.attack-intersection/1`; see `docs/reference/attack-intersection.md`.

use super::noise::base_rates;
use super::{Attribute, Given, Played};
use crate::attack::rounded;
use crate::guarantees::guarantee_amounts;
use mingle_assess::attack::intersection::{
    InRelease, IntersectionPlay, Likely, STEPS, Score, Sizes,
};
use mingle_privacy::composition::Location;
use mingle_record::Judgement;
use mingle_record::answer::{
    ConfidenceLevel, IntersectedAttribute, IntersectedRelease, IntersectionAnswer,
    IntersectionInference, IntersectionLimits, IntersectionReader, LikeliestLevel, LikeliestValue,
    PeopleByValues, PersonLocation, ReaderInRelease, ReaderTruth,
};
use mingle_record::schema::AttackIntersectionSchema;

/// Hundredths from one likelihood to the next.
const STRIDE: usize = 5;

impl Played<'_> {
    pub fn answer(&self) -> IntersectionAnswer {
        let limits = &self.limits;
        IntersectionAnswer {
            schema: AttackIntersectionSchema,
            verdict: self.verdict(),
            limits: IntersectionLimits {
                max_perfect_breach: limits.max_perfect_breach.map(|share| share.to_f64()),
                min_posterior: limits.min_posterior,
            },
            people: self.population.people(),
            rows: self.population.rows_of_people(),
            incomplete: self.population.incomplete(),
            without: self.without.to_vec(),
            releases: self.releases.iter().map(release).collect(),
            attributes: self
                .attributes
                .iter()
                .map(|attribute| self.attribute(attribute))
                .collect(),
            warnings: Vec::new(),
        }
    }

    fn attribute(&self, attribute: &Attribute<'_>) -> IntersectedAttribute {
        let verdict = if self.are_all_noisy() {
            Judgement::Holds
        } else {
            attribute.verdict(&self.limits)
        };
        let plays = attribute.plays.iter();
        IntersectedAttribute {
            column: attribute.name().to_owned(),
            values: attribute.overlay.values() as u64,
            verdict,
            base_rate: base_rates(&self.population.cube, attribute.name()),
            worst: attribute.worst().reader,
            readers: plays.map(|play| self.reader(play)).collect(),
            inference: self.inference(attribute),
        }
    }

    fn reader(&self, play: &IntersectionPlay) -> IntersectionReader {
        let releases = self.releases.iter().zip(&play.releases);
        IntersectionReader {
            choice: play.reader,
            verdict: Judgement::holds_if(play.is_within(&self.limits)),
            people: play.people,
            by_releases: play.by_releases.clone(),
            releases: releases.map(|(r, said)| in_release(r, said)).collect(),
            several: play.several,
            alone: play.alone(),
            apart: play.apart,
            intersected: play.intersected(),
            mean_prior: play.prior.mean().map(rounded),
            mean_posterior: play.posterior.mean().map(rounded),
            mean_drop: play.drop.mean().map(rounded),
            vulnerable: play.vulnerable(),
            vulnerable_share: rounded(play.share(play.vulnerable())),
            perfect: play.perfect(),
            perfect_share: rounded(play.share(play.perfect())),
            perfect_already: play.perfect_already,
            partial: play.partial,
            prior: sizes(&play.prior),
            posterior: sizes(&play.posterior),
            drop: sizes(&play.drop),
            confidence: confidence(play),
            truth: play.score.as_ref().map(truth),
            likeliest: play.likely.as_ref().map(likeliest),
        }
    }

    fn inference(&self, attribute: &Attribute<'_>) -> Option<IntersectionInference> {
        let example = attribute.example.as_ref()?;
        let person = &example.person;
        Some(IntersectionInference {
            row: example.row(self).map(|row| row as u64),
            groups: person.fits.iter().map(|&n| u64::from(n)).collect(),
            priors: person.priors.iter().map(|&n| u64::from(n)).collect(),
            value: self
                .show_values
                .then(|| example.value(attribute).to_owned()),
            text: example.sentence(self, attribute),
        })
    }
}

fn release(given: &Given) -> IntersectedRelease {
    let (groups, rows) = given.released.size();
    let noise = given.released.noise();
    IntersectedRelease {
        name: given.name().to_owned(),
        groups,
        rows,
        fragmented: given.released.is_fragmented(),
        location: match given.released.location {
            Location::Containment => PersonLocation::Containment,
            Location::Nearest => PersonLocation::NearestCentroid,
        },
        kind: noise
            .map_or("groups", |noise| noise.kind.as_str())
            .to_owned(),
        guarantee: noise.map(|noise| guarantee_amounts(noise.guarantee)),
    }
}

fn in_release(release: &Given, said: &InRelease) -> ReaderInRelease {
    ReaderInRelease {
        name: release.name().to_owned(),
        fitting: said.fitting,
        several: said.several,
        mean_prior: said.prior.mean().map(rounded),
    }
}

/// The whole distribution.
fn sizes(sizes: &Sizes) -> Vec<PeopleByValues> {
    let mut all = Vec::new();
    for (values, people) in sizes.iter() {
        all.push(PeopleByValues {
            values: values.into(),
            people,
        });
    }
    all
}

/// The vulnerable population at every confidence that anybody reaches, from certainty down.
fn confidence(play: &IntersectionPlay) -> Vec<ConfidenceLevel> {
    let mut levels = Vec::new();
    for (values, _) in play.posterior.iter() {
        let people = play.at_most(values);
        levels.push(ConfidenceLevel {
            confidence: rounded(1.0 / f64::from(values)),
            people,
            share: rounded(play.share(people)),
        });
    }
    levels
}

fn truth(score: &Score) -> ReaderTruth {
    ReaderTruth {
        known: score.known,
        among: score.among,
        perfect: score.perfect,
        perfect_right: score.perfect_right,
    }
}

fn likeliest(likely: &Likely) -> LikeliestValue {
    let mut confident = Vec::new();
    for at in (0..=STEPS).rev().step_by(STRIDE) {
        confident.push(LikeliestLevel {
            confidence: at as f64 / STEPS as f64,
            people: likely.confident[at],
        });
    }
    LikeliestValue {
        people: likely.people,
        mean_confidence: likely.mean_confidence().map(rounded),
        known: likely.known,
        accuracy: likely.accuracy().map(rounded),
        confident,
    }
}
