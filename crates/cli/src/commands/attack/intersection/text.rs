//! The result for people: at most 80 columns.

use super::noise::noise_text;
use crate::commands::dp::words::promise;
use crate::message::wrap;
use mingle::attack::intersection::{AttributePlays, IntersectionOutcome};
use mingle_assess::attack::intersection::{IntersectionChoice, IntersectionPlay};
use mingle_dp::Guarantee;
use mingle_model::counted;
use mingle_record::answer::{IntersectedRelease, IntersectionInference, PersonLocation};

/// More releases are in the other formats only.
const RELEASES: usize = 8;
/// Confidence is shown down to one in so many.
const SHOWN: [u32; 8] = [1, 2, 3, 4, 5, 10, 20, 50];
/// Places of a line's name, and of each reader's figure.
const NAME: usize = 32;
const CELL: usize = 16;

/// What is shown of an attack.
pub struct IntersectionText<'a>(pub &'a IntersectionOutcome);

impl IntersectionText<'_> {
    pub fn to_text(&self) -> String {
        let mut parts = vec![self.heading()];
        for (attribute, answer) in self.0.plays.iter().zip(&self.0.answer.attributes) {
            parts.push(self.attribute(attribute, answer.inference.as_ref()));
        }
        if self.0.guarantees.iter().any(Option::is_some) {
            parts.push(noise_text(self.0));
        }
        parts.push(legend(&self.0.plays, self.0.answer.rows.is_some()));
        parts.join("\n")
    }

    fn heading(&self) -> String {
        let count = self.0.answer.releases.len();
        let known = match self.0.answer.without.as_slice() {
            [] => String::new(),
            without => format!(", not knowing {}", without.join(", ")),
        };
        let people = self.0.answer.people;
        let rows = match self.0.answer.rows {
            Some(rows) => format!(" with {rows} rows"),
            None => String::new(),
        };
        let mut text = wrap(&format!(
            "intersection of {count} releases over {}{rows} of {}{known}: {}",
            people_of(people),
            self.0.population,
            self.0.answer.verdict
        ));
        if let incomplete @ 1.. = self.0.answer.incomplete {
            text.push_str(&wrap(&format!(
                "{} without a value of some quasi-identifier: a group fits only if its label is * or says so",
                people_of(incomplete)
            )));
        }
        let releases = self.0.answer.releases.iter().zip(&self.0.guarantees);
        for (release, guarantee) in releases.take(RELEASES) {
            text.push_str(&wrap(&said(release, *guarantee)));
        }
        if count > RELEASES {
            text.push_str(&format!("and {} more\n", count - RELEASES));
        }
        text
    }

    fn attribute(
        &self,
        attribute: &AttributePlays,
        inference: Option<&IntersectionInference>,
    ) -> String {
        let plays = &attribute.plays;
        let mut text = line(&attribute.name, plays, |play| {
            play.reader.name().replace('-', " ")
        });
        text.push_str(&self.whom(plays));
        text.push_str(&self.anonymity(plays));
        text.push_str(&breaches(plays));
        text.push_str(&truth(plays));
        text.push_str(&likely(plays));
        if let Some(plain) = plainly(attribute.worst()) {
            text.push_str(&wrap(plain));
        }
        if let Some(inference) = inference {
            text.push_str(&wrap(&format!("for example, {}", inference.text)));
        }
        text
    }

    /// Who can be intersected at all.
    fn whom(&self, plays: &[IntersectionPlay]) -> String {
        let mut text = line("people in the population", plays, |play| {
            play.people.to_string()
        });
        text.push_str(&line("  who fit all releases", plays, |play| {
            play.everywhere().to_string()
        }));
        text.push_str(&line("  who fit fewer than two", plays, |play| {
            play.alone().to_string()
        }));
        text.push_str(&line("  who fit several groups of one", plays, |play| {
            play.several.to_string()
        }));
        text.push_str(&line("  apart: nothing in common", plays, |play| {
            play.apart.to_string()
        }));
        text.push_str(&line("intersected", plays, |play| {
            play.intersected().to_string()
        }));
        text
    }

    fn anonymity(&self, plays: &[IntersectionPlay]) -> String {
        let mut text = String::new();
        for (j, release) in self.0.answer.releases.iter().enumerate().take(RELEASES) {
            let name = format!("  values in {}", tail(&release.name, NAME - 13));
            text.push_str(&line(&name, plays, |play| {
                mean(play.releases[j].prior.mean())
            }));
        }
        text.push_str(&line("  smallest of these", plays, |play| {
            mean(play.prior.mean())
        }));
        text.push_str(&line("  left in common", plays, |play| {
            mean(play.posterior.mean())
        }));
        text.push_str(&line("  drop", plays, |play| mean(play.drop.mean())));
        text
    }
}

fn breaches(plays: &[IntersectionPlay]) -> String {
    let mut text = line("vulnerable", plays, |play| people(play, play.vulnerable()));
    text.push_str(&line("perfect breach", plays, |play| {
        people(play, play.perfect())
    }));
    text.push_str(&line("  by one release alone", plays, |play| {
        people(play, play.perfect_already)
    }));
    let most = plays
        .iter()
        .filter_map(|play| play.posterior.most())
        .max()
        .unwrap_or(0);
    for values in SHOWN
        .into_iter()
        .filter(|&values| 1 < values && values <= most)
    {
        let name = format!("confidence at least {} %", 100 / values);
        text.push_str(&line(&name, plays, |play| {
            people(play, play.at_most(values))
        }));
    }
    text
}

fn truth(plays: &[IntersectionPlay]) -> String {
    if plays.iter().all(|play| play.score.is_none()) {
        return String::new();
    }
    let of = |part: u64, whole: u64| {
        if whole == 0 {
            "-".to_owned()
        } else {
            share(part as f64 / whole as f64)
        }
    };
    let right = |play: &IntersectionPlay| {
        play.score
            .map_or("-".to_owned(), |s| of(s.perfect_right, s.perfect))
    };
    let among =
        |play: &IntersectionPlay| play.score.map_or("-".to_owned(), |s| of(s.among, s.known));
    line("perfect breaches that are true", plays, right)
        + &line("truth among what is left", plays, among)
}

fn likely(plays: &[IntersectionPlay]) -> String {
    let likelies: Vec<_> = plays
        .iter()
        .filter_map(|play| play.likely.as_ref())
        .collect();
    if likelies.len() < plays.len() {
        return String::new();
    }
    let figure = |part: Option<f64>| part.map_or("-".to_owned(), share);
    let confident = |at: usize| {
        move |play: &IntersectionPlay| {
            play.likely
                .as_ref()
                .map_or(0, |likely| likely.confident[at])
        }
    };
    let mut text = line("likeliest value: confidence", plays, |play| {
        figure(
            play.likely
                .as_ref()
                .and_then(|likely| likely.mean_confidence()),
        )
    });
    text.push_str(&line("  is the true one", plays, |play| {
        figure(play.likely.as_ref().and_then(|l| l.accuracy()))
    }));
    for at in [90, 50] {
        text.push_str(&line(&format!("  at least {at} % likely"), plays, |play| {
            people(play, confident(at)(play))
        }));
    }
    text
}

/// What a table of zeros would hide.
fn plainly(worst: &IntersectionPlay) -> Option<&'static str> {
    match () {
        () if worst.intersected() > 0 => None,
        () if worst.alone() == worst.people => {
            Some("nobody fits groups of two releases: there is nothing to intersect")
        }
        () => Some(
            "nothing remains for anybody: people who fit two releases have no value in common in them, so these are \
             not the people of both",
        ),
    }
}

fn legend(attributes: &[AttributePlays], several_rows: bool) -> String {
    let readers: Vec<IntersectionChoice> = attributes
        .iter()
        .flat_map(|a| a.plays.iter().map(|play| play.reader))
        .collect();
    let words = |reader: IntersectionChoice| match reader {
        IntersectionChoice::Union => "union: takes all groups that fit a person",
        IntersectionChoice::MostSpecific => "most specific: takes the narrowest of them",
        IntersectionChoice::True => {
            "true: knows the value, and takes the narrowest group that holds it"
        }
    };
    let said: Vec<&str> = IntersectionChoice::ALL
        .into_iter()
        .filter(|r| readers.contains(r))
        .map(words)
        .collect();
    let assumed = if several_rows {
        ". Somebody with several rows fits a group that covers one of them, and is taken to have a value that all \
         releases she is in publish; her other values need not be among those left"
    } else {
        ""
    };
    wrap(&format!(
        "{}. Figures are averages over people who were intersected, or people with their share of all; confidence is one \
         over the values left{assumed}",
        said.join("; ")
    ))
}

fn said(release: &IntersectedRelease, guarantee: Option<Guarantee>) -> String {
    let IntersectedRelease {
        name, groups, rows, ..
    } = release;
    if let Some(guarantee) = guarantee {
        let (kind, promise) = (&release.kind, promise(guarantee));
        return format!("{name}: {kind} with {promise}, {rows} in {groups} combinations of cells");
    }
    let found = match release.location {
        PersonLocation::Containment => "",
        PersonLocation::NearestCentroid => ", people found by the nearest centroid",
    };
    let form = if release.fragmented {
        ", fragmented"
    } else {
        ""
    };
    format!(
        "{name}: {}, {}{form}{found}",
        counted(groups, "group"),
        counted(rows, "row")
    )
}

fn people_of(people: u64) -> String {
    if people == 1 {
        "1 person".to_owned()
    } else {
        format!("{people} people")
    }
}

fn line(
    name: &str,
    plays: &[IntersectionPlay],
    cell: impl Fn(&IntersectionPlay) -> String,
) -> String {
    let cells: String = plays
        .iter()
        .map(|play| format!("{:>CELL$}", cell(play)))
        .collect();
    format!("{:<NAME$}{cells}\n", tail(name, NAME))
}

fn mean(mean: Option<f64>) -> String {
    mean.map_or("-".to_owned(), |mean| format!("{mean:.2}"))
}

fn people(play: &IntersectionPlay, people: u64) -> String {
    format!("{people} {:>7}", share(play.share(people)))
}

/// Nobody is lost by rounding, and nobody is everybody.
fn share(share: f64) -> String {
    let percent = 100.0 * share;
    match () {
        () if share > 0.0 && percent < 0.1 => "< 0.1 %".to_owned(),
        () if share < 1.0 && percent > 99.9 => "> 99.9 %".to_owned(),
        () => format!("{percent:.1} %"),
    }
}

/// The end of a name that is too long: paths differ there.
fn tail(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length > width {
        ['…']
            .into_iter()
            .chain(name.chars().skip(length + 1 - width))
            .collect()
    } else {
        name.to_owned()
    }
}
