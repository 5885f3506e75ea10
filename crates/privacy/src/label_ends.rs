//! Ends of published ranges: none may be a value that few providers have.
//!
//! The range `[22-29]` says that somebody in the group has exactly 22. Where at most m of the
//! group's providers have a row with that value, a coalition of m may know that none of its own
//! rows has it, or all but one of those that have it may be in the coalition: the value is a
//! victim's. Such an end must lie where it would lie whoever has which value, on the column's
//! [`Grid`](mingle_model::Grid): a lower end at the largest boundary that is not above it, an upper
//! end just before the next one. An end that more than m providers attain stays true whatever m of
//! them take out: it may be anybody's among several victims, but it is some victim's, and that is
//! told. Only [public labels](crate::LabelPromise::Public) tell nothing of the kind.
//!
//! Where people have several rows, an end stays only if no m providers know everyone who attains it: one
//! person's rows at two providers attain it twice, and either of them knows her. Insiders who know rows take
//! out their own, so that for them it is providers who attain it.
//!
//! A label that is a single value says the same of everybody in the group, whoever contributed, and
//! is no end. Nodes of a hierarchy and elements of sets are not looked at either, see
//! `docs/threat-model.md`. Nothing here is shared with the code that widens ends: the ends are read
//! from the published texts, and who attains them was counted in the table that they were made
//! from. Where that is not known, as for a release that is read back, there is nothing to find.
//! Cost O(groups × columns that are published in ranges).

use crate::insiders::{Insiders, Knows, M};
use crate::people::providers_know_everyone;
use mingle_model::Published;

/// An end of a range that is off the grid although few providers attain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NarrowEnd {
    /// The group's place in published order.
    pub group: usize,
    /// The quasi-identifier's place.
    pub column: usize,
    /// Whether it is the upper end.
    pub upper: bool,
    /// How many of the group's providers have a row with exactly this value.
    pub attained_by: u64,
}

/// The first end off the grid that at most m of its group's providers attain; where people have several
/// rows, of which at most m providers know everyone who attains it.
pub(crate) fn first_narrow_end(published: &Published, insiders: Insiders) -> Option<NarrowEnd> {
    let m = insiders.m;
    // to the outsider an end may be anybody's
    if m == M(0) {
        return None;
    }
    for ranges in published.ranges() {
        let (column, grid) = (ranges.column(), ranges.grid());
        for group in 0..published.groups() {
            let Some((low, high)) = ranges.ends(published.labels(group)[column]) else {
                continue;
            };
            let on_grid = [grid.floor(low) == low, grid.ceil(high) == high];
            let attained_by = ranges.attained_by(group).map(u64::from);
            for (upper, end) in [(false, 0), (true, 1)] {
                let few = match ranges.attaining_people(group) {
                    Some(people) if insiders.knows == Knows::People => {
                        providers_know_everyone(&people[end], m)
                    }
                    // who knows rows takes out its own, whosever they are
                    _ => attained_by[end] <= m.0,
                };
                if !on_grid[end] && few {
                    return Some(NarrowEnd {
                        group,
                        column,
                        upper,
                        attained_by: attained_by[end],
                    });
                }
            }
        }
    }
    None
}
