//! How sensitive values are spread over groups: what a reader who finds a person's group learns
//! about the person.
//!
//! For every group and sensitive column: how many different values there are (missing ones not
//! counted), e to the power of their entropy, which is the number of equally frequent values that
//! would be as uncertain, the share of the commonest value, and the distance from the whole table
//! as t-closeness takes it. The first is distinct l-diversity, the second entropy l-diversity
//! (Machanavajjhala et al. 2007), the third maximum frequency, the last Li et al. (2007). As with
//! the constraints, missing values count as a value of their own for all but the first.
//!
//! These figures are rounded and for looking; whether a promise holds is decided by
//! [`mingle_privacy::verify`] alone. Cost: O(entries log entries) per column.

use crate::group_sizes;
use mingle_model::{Code, Published, SensitiveColumn};
use mingle_privacy::constraint::{Equal, Ground, Hierarchical, Ordered};
use mingle_privacy::{Attribute, Distance, GroupCounts, Promise, Ratio};
use mingle_record::answer::{ShownBalance, ShownShareBin};

/// How many bins a share or a distance is counted in.
const SHARE_BINS: usize = 20;

/// The balance of every sensitive column of a published table.
///
/// `promises` say which distance is promised about a column.
pub fn balance(published: &Published, promises: &[Promise]) -> Vec<ShownBalance> {
    (0..published.sensitive().len())
        .map(|column| of_column(published, column, promises))
        .collect()
}

/// The balance of one sensitive column, by its place, where `promises` are about column
/// `attribute`.
pub fn of_attribute(
    published: &Published,
    column: usize,
    promises: &[Promise],
    attribute: usize,
) -> ShownBalance {
    let own: Vec<Promise> = promises
        .iter()
        .filter(|p| p.attribute == Some(Attribute::Column(attribute)))
        .copied()
        .collect();
    let moved = own
        .into_iter()
        .map(|p| Promise {
            attribute: Some(Attribute::Column(column)),
            ..p
        })
        .collect::<Vec<_>>();
    of_column(published, column, &moved)
}

/// The figures of one group.
struct Figures {
    rows: u64,
    distinct: u64,
    entropy_l: f64,
    share: f64,
    distance: f64,
}

fn of_column(published: &Published, place: usize, promises: &[Promise]) -> ShownBalance {
    let column = &published.sensitive()[place];
    let promised = promises
        .iter()
        .filter(|promise| promise.attribute == Some(Attribute::Column(place)))
        .find_map(|promise| promise.rule.as_t_closeness());
    let distance = promised.map_or_else(|| usual(column), |(_, distance)| distance);
    let ground = ground(published, column, distance);
    let figures: Vec<Figures> = (0..published.groups())
        .map(|g| figures(published, column, &ground, g))
        .collect();
    let largest = |figure: fn(&Figures) -> f64| figures.iter().map(figure).fold(0.0, f64::max);
    let smallest =
        |figure: fn(&Figures) -> f64| figures.iter().map(figure).reduce(f64::min).unwrap_or(0.0);
    let top = largest(|f| f.entropy_l).ceil().max(2.0);
    let spread = |figure: fn(&Figures) -> f64, low: f64, high: f64, bins: usize| {
        spread(figures.iter().map(|f| (figure(f), f.rows)), low, high, bins)
    };
    ShownBalance {
        column: column.name.clone(),
        fewest_distinct: figures.iter().map(|f| f.distinct).min().unwrap_or(0),
        smallest_entropy_l: smallest(|f| f.entropy_l),
        largest_share: largest(|f| f.share),
        largest_distance: largest(|f| f.distance),
        distance: distance.name().to_owned(),
        promised_distance: promised.map(|(max, _): (Ratio, _)| max.to_f64()),
        distinct: group_sizes::binned(figures.iter().map(|f| (f.distinct, f.rows))),
        entropy: spread(|f| f.entropy_l, 1.0, top, entropy_bins(top)),
        shares: spread(|f| f.share, 0.0, 1.0, SHARE_BINS),
        distances: spread(|f| f.distance, 0.0, 1.0, SHARE_BINS),
    }
}

/// Halves, as long as there are few enough of them.
fn entropy_bins(top: f64) -> usize {
    let halves = ((top - 1.0) * 2.0) as usize;
    if halves <= group_sizes::MOST_BINS {
        halves
    } else {
        SHARE_BINS
    }
}

fn usual(column: &SensitiveColumn) -> Distance {
    if column.domain.kind().is_numeric() {
        Distance::Ordered
    } else {
        Distance::Equal
    }
}

/// How far values are apart; without a hierarchy all are equally far.
fn ground(published: &Published, column: &SensitiveColumn, distance: Distance) -> Ground {
    let mut table = vec![0u64; column.domain.len()];
    for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
        table[column.codes.get(entry.sensitive as usize) as usize] += entry.count;
    }
    match (distance, column.domain.hierarchy()) {
        (Distance::Ordered, _) => Ground::Ordered(Ordered::new(&column.domain, &table)),
        (Distance::Hierarchical, Some(hierarchy)) => {
            Ground::Hierarchical(Hierarchical::new(hierarchy, &table))
        }
        _ => Ground::Equal(Equal::new(table)),
    }
}

fn figures(
    published: &Published,
    column: &SensitiveColumn,
    ground: &Ground,
    group: usize,
) -> Figures {
    let values = values(published, column, group);
    let size: u64 = values.iter().map(|(_, count)| count).sum();
    let missing = column.domain.missing();
    let shares = || values.iter().map(|&(_, count)| count as f64 / size as f64);
    Figures {
        rows: size,
        distinct: values
            .iter()
            .filter(|(code, _)| missing != Some(*code))
            .count() as u64,
        // rounding must not make one value look like more, or less, than one
        entropy_l: shares()
            .map(|p| -p * p.ln())
            .sum::<f64>()
            .exp()
            .clamp(1.0, values.len().max(1) as f64),
        share: shares().fold(0.0, f64::max),
        distance: ground
            .measured(GroupCounts {
                size,
                values: &values,
            })
            .unwrap_or(1.0)
            .clamp(0.0, 1.0),
    }
}

/// The values of a group with their counts, ascending.
fn values(published: &Published, column: &SensitiveColumn, group: usize) -> Vec<(Code, u64)> {
    let entries = published.entries(group).iter();
    let mut values: Vec<(Code, u64)> = entries
        .map(|e| (column.codes.get(e.sensitive as usize), e.count))
        .collect();
    values.sort_unstable();
    values.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    values
}

fn spread(
    figures: impl Iterator<Item = (f64, u64)>,
    low: f64,
    high: f64,
    bins: usize,
) -> Vec<ShownShareBin> {
    let edge = |at: usize| low + (high - low) * at as f64 / bins as f64;
    let mut shares: Vec<ShownShareBin> = (0..bins)
        .map(|at| ShownShareBin {
            from: edge(at),
            to: edge(at + 1),
            ..ShownShareBin::default()
        })
        .collect();
    for (figure, rows) in figures {
        let at = shares
            .partition_point(|share| share.to <= figure)
            .min(bins - 1);
        shares[at].groups += 1;
        shares[at].rows += rows;
    }
    shares
}

#[cfg(test)]
mod tests;
