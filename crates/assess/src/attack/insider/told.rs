//! What labels tell insiders for certain, although more than a few have it.
//!
//! **The adversary** is a coalition of m contributors of a group who know how labels are made. The
//! label `{a|b}` says that somebody has `a`; if no row of the coalition's own that fits the group has
//! it, somebody else, a victim, has `a`. That needs one contributor without an explanation, so m does
//! not matter beyond 1. An end of a range that lies off the column's [`Grid`](mingle_model::Grid) is
//! attained by more than m providers, or it would have been widened: at least one of them is outside
//! any coalition of m, and a victim attains it. Which victim is not told; where few are left, that
//! makes little difference.
//!
//! Counted are elements of sets and ends of ranges of which some coalition is certain. Sets of a
//! column whose values have an order are filled up to a run, so that only the first and the last
//! element are certain. Not counted: single values, which say the same of everybody in the group;
//! nodes of hierarchies, of which only the parts are fixed; ends on the grid.
//!
//! Cost: for each group, the original tuples that its most telling label covers.

use super::ends::Witnesses;
use crate::utility::{ComparedColumn, Comparison};
use mingle_model::{Code, Grid, ProviderId, Published, Reading};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What labels tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ToldLabels {
    /// Groups with at least two contributors: in others there is no insider and a victim.
    pub groups_of_several: u64,
    /// Those in which some coalition knows that a victim has a certain element of a set.
    pub groups_by_elements: u64,
    /// How many elements.
    pub elements: u64,
    /// Groups in which some coalition knows that a victim attains a certain end of a range.
    pub groups_by_ends: u64,
    /// How many ends.
    pub ends: u64,
    /// Groups in which a victim's element or end is known.
    pub groups: u64,
    /// By column with such labels, in the policy's order: how many elements or ends.
    pub columns: Vec<(String, u64)>,
}

/// Original tuples that fit the groups, and what follows from them.
pub(super) struct Fitting<'a> {
    witnesses: &'a Witnesses<'a>,
    /// Per column and code the original tuples.
    tuples: Vec<Vec<Vec<u32>>>,
}

impl<'a> Fitting<'a> {
    pub(super) fn new(comparison: &Comparison<'_>, witnesses: &'a Witnesses<'a>) -> Fitting<'a> {
        let mut tuples = Vec::with_capacity(comparison.columns().len());
        for column in comparison.columns() {
            let mut by_code = vec![Vec::new(); column.domain().len()];
            for (code, tuple) in column.original().codes.iter().zip(0u32..) {
                by_code[code as usize].push(tuple);
            }
            tuples.push(by_code);
        }
        Fitting { witnesses, tuples }
    }

    /// The tuples that fit a group, looked for among those that its most telling label covers.
    fn tuples(&self, comparison: &Comparison<'_>, group: usize) -> Vec<u32> {
        let labels = comparison.published().labels(group);
        let mut fewest: Option<(usize, usize)> = None;
        for (at, column) in comparison.columns().iter().enumerate() {
            let reading = &column.readings()[labels[column.place()] as usize];
            let codes = reading.ranges.iter().flat_map(|&(lo, hi)| lo..=hi);
            let covered = codes.map(|code| self.tuples[at][code as usize].len()).sum();
            if fewest.is_none_or(|(least, _)| covered < least) {
                fewest = Some((covered, at));
            }
        }
        let mut fitting = Vec::new();
        let Some((_, at)) = fewest else {
            return fitting;
        };
        let column = &comparison.columns()[at];
        let reading = &column.readings()[labels[column.place()] as usize];
        for code in reading.ranges.iter().flat_map(|&(lo, hi)| lo..=hi) {
            for &tuple in &self.tuples[at][code as usize] {
                if self.witnesses.fits(group, tuple as usize) {
                    fitting.push(tuple);
                }
            }
        }
        fitting
    }

    /// Per column which values some tuple has that fits a group: at least those of the published rows.
    pub(super) fn values(&self, comparison: &Comparison<'_>) -> Vec<Vec<bool>> {
        let mut values: Vec<Vec<bool>> = Vec::new();
        for column in comparison.columns() {
            values.push(vec![false; column.domain().len()]);
        }
        let groups = 0..comparison.published().groups();
        let fitting: Vec<Vec<u32>> = groups
            .into_par_iter()
            .map(|group| self.tuples(comparison, group))
            .collect();
        for tuple in fitting.into_iter().flatten() {
            for (column, values) in comparison.columns().iter().zip(&mut values) {
                values[column.original().codes.get(tuple as usize) as usize] = true;
            }
        }
        values
    }

    /// Counts what labels tell, given each column's grid where it is published in ranges.
    pub(super) fn told(&self, comparison: &Comparison<'_>, grids: &[Option<Grid>]) -> ToldLabels {
        let groups = 0..comparison.published().groups();
        let of_groups: Vec<Option<Vec<Told>>> = groups
            .into_par_iter()
            .map(|group| self.of_group(comparison, grids, group))
            .collect();
        let mut all = ToldLabels::default();
        let mut by_column = vec![0; comparison.columns().len()];
        for told in of_groups.into_iter().flatten() {
            all.groups_of_several += 1;
            let (mut elements, mut ends) = (0, 0);
            for (told, of_column) in told.iter().zip(&mut by_column) {
                elements += told.elements;
                ends += told.ends;
                *of_column += told.elements + told.ends;
            }
            all.elements += elements;
            all.ends += ends;
            all.groups_by_elements += u64::from(elements > 0);
            all.groups_by_ends += u64::from(ends > 0);
            all.groups += u64::from(elements + ends > 0);
        }
        for (column, told) in comparison.columns().iter().zip(by_column) {
            if grids[column.place()].is_some() || column.domain().hierarchy().is_none() {
                all.columns.push((column.name().to_owned(), told));
            }
        }
        all
    }

    /// What the labels of a group tell, by column; `None` where there is one contributor.
    fn of_group(
        &self,
        comparison: &Comparison<'_>,
        grids: &[Option<Grid>],
        group: usize,
    ) -> Option<Vec<Told>> {
        let published = comparison.published();
        let entries = published.entries(group).iter();
        let contributors: BTreeSet<ProviderId> = entries.map(|entry| entry.provider).collect();
        if contributors.len() < 2 {
            return None;
        }
        let mut certain = Vec::with_capacity(comparison.columns().len());
        for column in comparison.columns() {
            certain.push(certain_codes(
                column,
                grids[column.place()],
                published,
                group,
            ));
        }
        // per column and value that somebody has for certain, who may be the one
        let mut explained: BTreeMap<(usize, Code), BTreeSet<ProviderId>> = BTreeMap::new();
        for tuple in self.tuples(comparison, group) {
            let holders = self.witnesses.holders(group, tuple as usize);
            for (at, column) in comparison.columns().iter().enumerate() {
                let code = column.original().codes.get(tuple as usize);
                if certain[at].codes().contains(&code) {
                    explained.entry((at, code)).or_default().extend(&holders);
                }
            }
        }
        let mut told = vec![Told::default(); comparison.columns().len()];
        for ((at, _), holders) in explained {
            match &certain[at] {
                // somebody without it knows that it is another's
                Certain::Elements(_) if (1..contributors.len()).contains(&holders.len()) => {
                    told[at].elements += 1;
                }
                Certain::Ends(_) if !holders.is_empty() => told[at].ends += 1,
                Certain::Elements(_) | Certain::Ends(_) => {}
            }
        }
        Some(told)
    }
}

#[derive(Clone, Copy, Default)]
struct Told {
    elements: u64,
    ends: u64,
}

/// Values of which a label says that somebody in the group has them.
enum Certain {
    Elements(Vec<Code>),
    Ends(Vec<Code>),
}

impl Certain {
    fn codes(&self) -> &[Code] {
        match self {
            Certain::Elements(codes) | Certain::Ends(codes) => codes,
        }
    }
}

fn certain_codes(
    column: &ComparedColumn<'_>,
    grid: Option<Grid>,
    published: &Published,
    group: usize,
) -> Certain {
    let label = published.labels(group)[column.place()] as usize;
    let text = &published.columns()[column.place()].labels[label];
    let reading: &Reading = &column.readings()[label];
    let domain = column.domain();
    if let Some(grid) = grid {
        let mut ends = Vec::new();
        if let Some((low, high)) = reading.bounds.filter(|(low, high)| low < high)
            && text.starts_with('[')
        {
            let off_grid = [(low, grid.floor(low)), (high, grid.ceil(high))];
            for (end, widened) in off_grid {
                let codes = (0..domain.len() as Code).filter(|&c| domain.number(c) == Some(end));
                if end != widened {
                    ends.extend(codes);
                }
            }
        }
        return Certain::Ends(ends);
    }
    let is_set = text.starts_with('{') && reading.count() > 1;
    let is_node = domain
        .hierarchy()
        .is_some_and(|tree| tree.find(text).is_some());
    let has_merged_bands = domain.has_bands() && reading.count() > 1 && text != "*";
    if is_node || !(is_set || has_merged_bands) {
        return Certain::Elements(Vec::new());
    }
    let codes: Vec<Code> = reading
        .ranges
        .iter()
        .flat_map(|&(lo, hi)| lo..=hi)
        .collect();
    match codes.as_slice() {
        [first, .., last] if domain.is_ordered() => Certain::Elements(vec![*first, *last]),
        _ => Certain::Elements(codes),
    }
}
