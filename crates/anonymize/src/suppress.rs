//! Leaving out the last few outliers.
//!
//! A suppressed row costs as much as one generalized to `*` in every column, so leaving a record
//! out pays only where it alone keeps its group wide. In rounds, each group offers its worst
//! records, and those are left out that save most per row, while their group still satisfies the
//! requirement and the policy's share of rows is not used up. t-closeness compares with the
//! published table, which suppression changes: the caller verifies the result and falls back to the
//! original if it fails.
//!
//! Where people are counted, everybody with the same profile is left out together, with all of their
//! rows. Where rows of a person may be apart nothing is left out: how many people a group has is
//! not known here.

use crate::loss::GeneralizationCosts;
use crate::profiles::counted;
use crate::{MethodOptions, plan};
use mingle_model::{Cube, Partition, PersonRows};
use mingle_privacy::Requirement;

/// Leaves out at most [`MethodOptions::max_suppressed`] rows; returns how many.
///
/// Cells are made tight again, so this is for partitions with tight ranges: the bounds of a
/// Mondrian cell do not follow from its rows, and nothing is gained by leaving some of them out.
pub fn suppress(
    cube: &Cube,
    requirement: &Requirement,
    partition: &mut Partition,
    options: &MethodOptions,
) -> u64 {
    let q = cube.quasi_identifiers().len();
    if q == 0 || requirement.person_rows() == Some(PersonRows::Apart) {
        // nothing is generalized, so nobody's absence saves anything
        return 0;
    }
    let loss = GeneralizationCosts::new(cube);
    let tuple_of = plan::tuple_of_record(cube);
    let groups = partition.cells.len() / q;
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); groups];
    for (record, &group) in partition.group_of.iter().enumerate() {
        if group != Partition::SUPPRESSED {
            members[group as usize].push(record as u32);
        }
    }
    let unit_of = match counted(cube, requirement) {
        None => tuple_of.clone(),
        Some(people) => {
            let profile = |r: usize| people.profile_of(people.kind_of(r)) as u32;
            (0..cube.records().len()).map(profile).collect()
        }
    };
    let pass = Pass {
        cube,
        requirement,
        loss: &loss,
        tuple_of: &tuple_of,
        unit_of: &unit_of,
    };
    let most = options.max_suppressed;
    let mut left = most;
    let mut asking: Vec<usize> = (0..groups).collect();
    while left > 0 && !asking.is_empty() {
        let mut offers: Vec<Offer> = asking
            .iter()
            .filter_map(|&group| pass.best(group, &members[group]))
            .collect();
        offers.sort_by(|a, b| b.saved.total_cmp(&a.saved).then(a.group.cmp(&b.group)));
        asking.clear();
        for Offer {
            group, out, rows, ..
        } in offers
        {
            if rows > left {
                continue;
            }
            left -= rows;
            out.iter()
                .for_each(|&r| partition.group_of[r as usize] = Partition::SUPPRESSED);
            members[group].retain(|r| !out.contains(r));
            asking.push(group);
        }
    }
    if left < most {
        // all labels, not only those of the groups that have fewer rows now: what only the people left
        // out have must not show in anybody's
        members.retain(|records| !records.is_empty());
        *partition = plan::of_records(cube, requirement, options, &members, &tuple_of);
    }
    most - left
}

/// Records that a group would best do without.
struct Offer {
    /// What leaving them out saves per row.
    saved: f32,
    group: usize,
    out: Vec<u32>,
    rows: u64,
}

struct Pass<'a> {
    cube: &'a Cube,
    requirement: &'a Requirement,
    loss: &'a GeneralizationCosts<'a>,
    tuple_of: &'a [u32],
    /// Per record what is left out as a whole: its tuple, or its people's profile.
    unit_of: &'a [u32],
}

impl Pass<'_> {
    /// The tuple, or profile, whose records the group would best do without.
    fn best(&self, group: usize, members: &[u32]) -> Option<Offer> {
        let mut units: Vec<u32> = members.iter().map(|&r| self.unit_of[r as usize]).collect();
        units.sort_unstable();
        units.dedup();
        // a tuple left alone would be known to pass, and with it that others failed: see the
        // agglomerative decoys
        let fewest = if self.requirement.attributes().is_empty() {
            2
        } else {
            3
        };
        // large groups are wide for many reasons, and looking at each would cost their square
        if units.len() < fewest || units.len() > 256 {
            return None;
        }
        let before = self.cost(members.iter().copied());
        let saving = |&unit: &u32| {
            let (out, kept): (Vec<u32>, Vec<u32>) = members
                .iter()
                .partition(|&&r| self.unit_of[r as usize] == unit);
            let rows = self.rows(&out);
            let saved =
                before - self.cost(kept.iter().copied()) - (rows * self.loss.slots() as u64) as f32;
            let records = kept.iter().copied();
            let holds = || {
                let tally = plan::tally_records(self.cube, self.requirement, records.clone());
                self.requirement.holds(&tally)
            };
            (saved > 0.0 && holds()).then_some(Offer {
                saved: saved / rows as f32,
                group,
                out,
                rows,
            })
        };
        units
            .iter()
            .filter_map(saving)
            .max_by(|a, b| a.saved.total_cmp(&b.saved))
    }

    fn rows(&self, records: &[u32]) -> u64 {
        records
            .iter()
            .map(|&r| self.cube.records()[r as usize].count)
            .sum()
    }

    fn cost(&self, records: impl Iterator<Item = u32>) -> f32 {
        let mut extents = self.loss.extents();
        let mut one = self.loss.extents();
        let mut rows = 0.0;
        for r in records {
            one.clear();
            self.loss
                .push_tuple(&mut one, self.tuple_of[r as usize] as usize);
            if extents.is_empty() {
                extents.push_from(&one, 0)
            } else {
                extents.join_from(0, &one, 0)
            }
            rows += self.cube.records()[r as usize].count as f32;
        }
        if extents.is_empty() {
            0.0
        } else {
            rows * self.loss.of(&extents, 0)
        }
    }
}
