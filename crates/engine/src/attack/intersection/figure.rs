//! Figures: at which confidence how many people's values are known, and how many values there are
//! before and after.

use super::{Attribute, Played};
use mingle_assess::attack::intersection::{IntersectionPlay, Sizes};
use mingle_chart::{Axis, Chart, Panels, Series};

/// More columns are not drawn.
const ATTRIBUTES: usize = 2;

/// Two panels per sensitive column.
pub fn draw(played: &Played<'_>) -> Panels {
    let both = |attribute: &Attribute<'_>| [confidence(attribute), before_and_after(attribute)];
    Panels(
        played
            .attributes
            .iter()
            .take(ATTRIBUTES)
            .flat_map(both)
            .collect(),
    )
}

/// The vulnerable population over the reader's confidence, one line per reader.
fn confidence(attribute: &Attribute<'_>) -> Chart {
    let series = |play: &IntersectionPlay| {
        let point = |values: u32| {
            (
                100.0 / f64::from(values),
                100.0 * play.share(play.at_most(values)),
            )
        };
        Series::new(
            play.reader.name().replace('-', " "),
            (1..=most(play)).rev().map(point),
        )
    };
    Chart {
        title: format!("{}: people whose value is known", attribute.name()),
        x: Axis::log("confidence of at least, %"),
        y: Axis::linear("people, %").range(0.0, 100.0),
        series: attribute.plays.iter().map(series).collect(),
    }
}

/// A curve of a thousand values is drawn as well with the first hundred.
fn most(play: &IntersectionPlay) -> u32 {
    play.posterior.most().unwrap_or(0).min(100)
}

/// How many values the worst reader has of how many people.
fn before_and_after(attribute: &Attribute<'_>) -> Chart {
    let worst = attribute.worst();
    let series = |name: &str, sizes: &Sizes| {
        let share = |(values, people): (u32, u64)| (f64::from(values), 100.0 * worst.share(people));
        Series::new(name, sizes.iter().map(share))
    };
    let reader = worst.reader.name().replace('-', " ");
    Chart {
        title: format!("{}: values left ({reader})", attribute.name()),
        x: Axis::linear("values"),
        y: Axis::linear("people, %"),
        series: vec![
            series("one release", &worst.prior),
            series("in common", &worst.posterior),
        ],
    }
}
