//! What is to be said when differentially private releases are among those that are intersected.
//!
//! A reader who takes made-up records for people is "certain" of somebody where only one value is
//! left. How often that is true is compared with what everybody knows without any release about
//! this person: guessing the commonest value, or any.

use crate::commands::dp::words::promise;
use crate::message::wrap;
use mingle::attack::intersection::{AttributePlays, IntersectionOutcome};
use mingle_assess::attack::intersection::IntersectionPlay;
use mingle_record::answer::BaseRates;

/// What a reader of a differentially private release found, and why it is not about anybody.
pub fn noise_text(outcome: &IntersectionOutcome) -> String {
    let mut found = Vec::new();
    for (attribute, answer) in outcome.plays.iter().zip(&outcome.answer.attributes) {
        found.push(certain(attribute, answer.base_rate));
    }
    let noisy = outcome.guarantees.iter().flatten();
    let promises: Vec<String> = noisy.map(|guarantee| promise(*guarantee)).collect();
    let rest = if promises.len() == outcome.guarantees.len() {
        ""
    } else {
        " Releases of groups beside it have no such bound"
    };
    let text = format!(
        "{}. No row of a differentially private release is a person's: a reader who takes its rows for people learns \
         what is true of most, and about one person no more than the promise allows, whatever other releases say: {} ({}).{rest}",
        found.join("; "),
        if promises.len() == 1 {
            "it is"
        } else {
            "together they add up, see `mingle dp compose`"
        },
        promises.join("; ")
    );
    wrap(text.trim_end_matches('.'))
}

fn certain(attribute: &AttributePlays, base: Option<BaseRates>) -> String {
    let (name, play) = (&attribute.name, attribute.worst());
    let certain = match play.perfect() {
        0 => format!("{name}: a careless reader is certain of nobody"),
        n => format!(
            "{name}: a careless reader is certain of {n} of {} people",
            play.people
        ),
    };
    let Some(base) = base else {
        return format!("{certain}; whether that is true is not known here");
    };
    let right = right(play).map_or(String::new(), |(right, of)| {
        format!(
            ", and right about {} of the {of} whose value is known",
            percent(right)
        )
    });
    format!(
        "{certain}{right}; always guessing the commonest value is right about {}, any value {}",
        percent(base.commonest),
        percent(base.any)
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn right(play: &IntersectionPlay) -> Option<(f64, u64)> {
    let score = play.score.filter(|score| score.perfect > 0)?;
    let share = score.perfect_right as f64 / score.perfect as f64;
    Some((share, score.perfect))
}
