//! Datafly: full-domain generalization until the requirement holds (Sweeney 1997), and the rest
//! left out.
//!
//! All columns start at level 0. While some class fails the requirement, the column with the most
//! distinct current values rises by one level ([`FullDomain::step`]); at the latest, everything is
//! `*` and one class. Every state is checked anew, because against insiders a union of classes that
//! hold may fail. Labels are those of the levels: they are not made tight, and none of their ends
//! follows from the rows of a class, so that against insiders nothing needs to be widened.
//!
//! With [`MethodOptions::max_suppressed`], the search stops as soon as the failing classes have no
//! more rows than that, and leaves these classes out. t-closeness compares with the rows that are
//! published, so the classes that stay are checked once more against these; where one fails, the
//! search goes on.
//!
//! Assumes hierarchies: a column without one goes from its values to `*` in a single step. Cost:
//! O(tuples × columns) and a check of all classes per step, and at most as many steps as the
//! hierarchies have levels together.

use crate::full_domain::FullDomain;
use crate::{
    Capabilities, CataloguedMethod, Error, GroupRepresentative, Method, MethodOptions, Ranges, plan,
};
use mingle_model::{Cube, Partition};
use mingle_privacy::Requirement;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Full-domain generalization, the column with the most values first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Datafly;

impl CataloguedMethod for Datafly {
    const NAME: &'static str = "datafly";

    const CAPABILITIES: Capabilities = Capabilities {
        cells: false,
        centroids: false,
        suppresses: true,
        full_domain: true,
        decoys: false,
        efforts: false,
        aims: false,
        sets: false,
        quick: true,
    };

    fn with_output(_: GroupRepresentative) -> Self {
        Datafly
    }
}

impl Method for Datafly {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn partition(
        &self,
        cube: &Cube,
        requirement: &Requirement,
        options: &MethodOptions,
    ) -> Result<Partition, Error> {
        if options.ranges == Ranges::Cell {
            return Err(Error::NoCells);
        }
        let mut full = FullDomain::new(
            cube.quasi_identifiers()
                .iter()
                .map(|qi| (&qi.domain, &qi.codes))
                .collect(),
        );
        let tuples: Vec<u32> = (0..cube.tuples() as u32).collect();
        loop {
            options.check_cancelled()?;
            let classes = Classes::new(cube, &full.classes(&tuples));
            if let Some(kept) = classes.kept(requirement, options.max_suppressed) {
                return Ok(classes.partition(&full, &kept));
            }
            full.step(&tuples).ok_or(Error::Unsatisfiable)?;
        }
    }
}

/// Tuples that look alike.
struct Classes<'a> {
    cube: &'a Cube,
    members: Vec<Vec<u32>>,
    rows: Vec<u64>,
}

impl<'a> Classes<'a> {
    /// From the class of each tuple.
    fn new(cube: &'a Cube, class_of: &[u32]) -> Self {
        let count = class_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut classes = Classes {
            cube,
            members: vec![Vec::new(); count],
            rows: vec![0; count],
        };
        for (tuple, &class) in class_of.iter().enumerate() {
            classes.members[class as usize].push(tuple as u32);
            classes.rows[class as usize] += cube.weight(tuple);
        }
        classes
    }

    /// Per class whether it is published, if that is possible with at most `most` rows left out.
    fn kept(&self, requirement: &Requirement, most: u64) -> Option<Vec<bool>> {
        let kept = self.holding(requirement, vec![true; self.members.len()], most)?;
        if kept.iter().all(|&kept| kept) {
            return Some(kept);
        }
        // nothing to publish is no release, and cannot be bound
        let counts = self.combinations(&kept);
        let rest = requirement
            .bind_again(requirement.promises(), self.cube.sensitive(), &counts)
            .ok()?;
        self.holding(&rest, kept, 0)
    }

    /// Which of these classes hold; `None` if the others have more than `most` rows.
    fn holding(&self, requirement: &Requirement, among: Vec<bool>, most: u64) -> Option<Vec<bool>> {
        let smallest = requirement.smallest_group();
        let too_small = |class: &usize| among[*class] && self.rows[*class] < smallest;
        // adding up sizes rules most states out before anything else is counted
        let small: u64 = (0..among.len())
            .filter(too_small)
            .map(|class| self.rows[class])
            .sum();
        let failed = AtomicU64::new(small);
        let within = |more: u64| failed.fetch_add(more, Ordering::Relaxed) + more <= most;
        let holds = |class: usize| {
            if among[class] && self.rows[class] >= smallest {
                let tally =
                    within(0).then(|| plan::tally(self.cube, requirement, self.tuples(class)))?;
                let holds = requirement.holds(&tally);
                (holds || within(self.rows[class])).then_some(holds)
            } else {
                within(0).then_some(false)
            }
        };
        (0..among.len()).into_par_iter().map(holds).collect()
    }

    fn tuples(&self, class: usize) -> impl Iterator<Item = u32> + Clone {
        self.members[class].iter().copied()
    }

    /// How many rows have each combination of sensitive values in the classes that are kept.
    fn combinations(&self, kept: &[bool]) -> Vec<u64> {
        let mut counts = vec![
            0;
            self.cube
                .sensitive()
                .first()
                .map_or(1, |column| column.codes.len())
        ];
        let tuples = self
            .members
            .iter()
            .zip(kept)
            .filter(|(_, kept)| **kept)
            .flat_map(|(members, _)| members);
        for record in
            tuples.flat_map(|&tuple| &self.cube.records()[self.cube.records_of(tuple as usize)])
        {
            counts[record.sensitive as usize] += record.count;
        }
        counts
    }

    fn partition(&self, full: &FullDomain, kept: &[bool]) -> Partition {
        let mut group_of = vec![Partition::SUPPRESSED; self.cube.records().len()];
        let mut cells = Vec::new();
        for (group, class) in (0..kept.len()).filter(|&class| kept[class]).enumerate() {
            let records = self
                .tuples(class)
                .flat_map(|tuple| self.cube.records_of(tuple as usize));
            records.for_each(|record| group_of[record] = group as u32);
            cells.extend(
                (0..full.levels().len()).map(|column| full.cover(column, self.tuples(class))),
            );
        }
        Partition { group_of, cells }
    }
}
