//! The document `mingle.attack-intersection/1`; see `docs/reference/attack-intersection.md`.

use super::noise::BaseRate;
use super::{Attribute, Given, Played};
use crate::commands::attack::background_join::rounded;
use mingle_assess::attack::intersection::{InRelease, Likely, Play, STEPS, Score, Sizes};
use mingle_privacy::composition::Location;
use mingle_release::noisy::guarantee_entry;
use serde_json::{Value, json};

impl Played<'_> {
    pub fn to_json(&self) -> Value {
        json!({
            "schema": "mingle.attack-intersection/1",
            "verdict": self.verdict(),
            "limits": {
                "max_perfect_breach": self.limits.max_perfect_breach.map(|share| share.to_f64()),
                "min_posterior": self.limits.min_posterior,
            },
            "people": self.population.cube.rows(),
            "incomplete": self.population.incomplete(),
            "without": self.without,
            "releases": self.releases.iter().map(release).collect::<Vec<_>>(),
            "attributes": self.attributes.iter().map(|attribute| self.attribute_document(attribute)).collect::<Vec<_>>(),
        })
    }

    fn attribute_document(&self, attribute: &Attribute<'_>) -> Value {
        json!({
            "column": attribute.name(),
            "values": attribute.overlay.values(),
            "verdict": if self.noisy().1 { "holds" } else { attribute.verdict(&self.limits) },
            "base_rate": BaseRate::of(&self.population.cube, attribute.name()).map(BaseRate::to_json),
            "worst": attribute.worst().reader.name(),
            "readers": attribute.plays.iter().map(|play| self.play_document(play)).collect::<Vec<_>>(),
            "inference": self.inference(attribute),
        })
    }

    fn play_document(&self, play: &Play) -> Value {
        let in_release = |(release, said): (&Given, &InRelease)| {
            json!({
                "name": release.name(),
                "fitting": said.fitting,
                "several": said.several,
                "mean_prior": said.prior.mean().map(rounded),
            })
        };
        json!({
            "choice": play.reader.name(),
            "verdict": if play.is_within(&self.limits) { "holds" } else { "fails" },
            "people": play.people,
            "by_releases": play.by_releases,
            "releases": self.releases.iter().zip(&play.releases).map(in_release).collect::<Vec<_>>(),
            "several": play.several,
            "alone": play.alone(),
            "apart": play.apart,
            "intersected": play.intersected(),
            "mean_prior": play.prior.mean().map(rounded),
            "mean_posterior": play.posterior.mean().map(rounded),
            "mean_drop": play.drop.mean().map(rounded),
            "vulnerable": play.vulnerable(),
            "vulnerable_share": rounded(play.share(play.vulnerable())),
            "perfect": play.perfect(),
            "perfect_share": rounded(play.share(play.perfect())),
            "perfect_already": play.perfect_already,
            "partial": play.partial,
            "prior": sizes(&play.prior),
            "posterior": sizes(&play.posterior),
            "drop": sizes(&play.drop),
            "confidence": confidence(play),
            "truth": play.score.as_ref().map(truth),
            "likeliest": play.likely.as_ref().map(likeliest),
        })
    }

    fn inference(&self, attribute: &Attribute<'_>) -> Option<Value> {
        let example = attribute.example.as_ref()?;
        let mut document = json!({
            "row": example.row(self),
            "groups": example.person.fits,
            "priors": example.person.priors,
        });
        if self.show_values {
            document["value"] = example.value(attribute).into();
        }
        document["text"] = example.sentence(self, attribute).into();
        Some(document)
    }
}

fn release(given: &Given) -> Value {
    let (groups, rows) = given.released.size();
    let location = match given.released.location {
        Location::Containment => "containment",
        Location::Nearest => "nearest-centroid",
    };
    json!({
        "name": given.name(),
        "groups": groups,
        "rows": rows,
        "fragmented": given.released.is_fragmented(),
        "location": location,
        "kind": given.released.noise().map_or("groups", |noise| noise.kind.as_str()),
        "guarantee": given.released.noise().map(|noise| guarantee_entry(noise.guarantee)),
    })
}

/// The whole distribution.
fn sizes(sizes: &Sizes) -> Vec<Value> {
    sizes
        .iter()
        .map(|(values, people)| json!({ "values": values, "people": people }))
        .collect()
}

/// The vulnerable population at every confidence that anybody reaches, from certainty down.
fn confidence(play: &Play) -> Vec<Value> {
    let level = |(values, _): (u32, u64)| {
        let people = play.at_most(values);
        let confidence = rounded(1.0 / f64::from(values));
        json!({ "confidence": confidence, "people": people, "share": rounded(play.share(people)) })
    };
    play.posterior.iter().map(level).collect()
}

fn truth(score: &Score) -> Value {
    json!({
        "known": score.known,
        "among": score.among,
        "perfect": score.perfect,
        "perfect_right": score.perfect_right,
    })
}

fn likeliest(likely: &Likely) -> Value {
    let level = |at: usize| json!({ "confidence": at as f64 / STEPS as f64, "people": likely.confident[at] });
    json!({
        "people": likely.people,
        "mean_confidence": likely.mean_confidence().map(rounded),
        "known": likely.known,
        "accuracy": likely.accuracy().map(rounded),
        "confident": (0..=STEPS).rev().step_by(5).map(level).collect::<Vec<_>>(),
    })
}
