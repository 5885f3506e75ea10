//! The difference of two versions: linked groups, and what is left of their values when those who
//! stayed cancel out.

use super::{Fate, Version, fates};

/// Groups of two versions that share people, put together.
pub struct Components {
    /// Per group of the earlier version, then of the later one, its component.
    of: Vec<u32>,
    /// How many groups the earlier version has.
    earlier: usize,
}

/// What two versions say about those who are in one of them only.
pub struct Difference {
    /// The linked groups.
    pub components: Components,
    inserted: Vec<Learnt>,
    deleted: Vec<Learnt>,
}

/// The values that the rows which came, or went, of a component can have, and how many of them at
/// most; beyond the own group's, this says nothing.
#[derive(Default)]
struct Learnt {
    /// How many rows; after [`settle`] those that cancelled and cannot be seen.
    rows: u64,
    values: Vec<(u32, u64)>,
}

impl Difference {
    /// Compares two versions.
    pub fn new(before: &Version, after: &Version) -> Difference {
        let components = Components::new(before, after);
        let (mut inserted, mut deleted) = (components.nobody(), components.nobody());
        // the groups that somebody came into or went from
        let (mut came, mut went) = (vec![false; after.groups()], vec![false; before.groups()]);
        let mut come = |group: u32, rows: usize| {
            inserted[components.after(group)].rows += rows as u64;
            came[group as usize] |= rows > 0;
        };
        let mut go = |group: u32, rows: usize| {
            deleted[components.before(group)].rows += rows as u64;
            went[group as usize] = true;
        };
        fates(before, after).for_each(|fate| match fate {
            Fate::Stayed(was, is) => come(is.group, is.rows.len() - was.rows.len()),
            Fate::Inserted(is) => come(is.group, is.rows.len()),
            Fate::Deleted(was) => go(was.group, was.rows.len()),
            Fate::Changed(was, is) => {
                go(was.group, was.rows.len());
                come(is.group, is.rows.len());
            }
        });
        settle(&components, before, after, &mut inserted, &mut deleted);
        hide(&components, &came, after, &mut deleted, Components::after);
        hide(
            &components,
            &went,
            before,
            &mut inserted,
            Components::before,
        );
        for learnt in inserted.iter_mut().chain(&mut deleted) {
            learnt.values.sort_unstable();
            learnt.values.dedup_by(|later, first| {
                let same = later.0 == first.0;
                first.1 += if same { later.1 } else { 0 };
                same
            });
        }
        Difference {
            components,
            inserted,
            deleted,
        }
    }

    /// The values that rows which came into a group of the later version can have, ascending, and
    /// how many of the component's at most.
    pub fn inserted(&self, group: u32) -> &[(u32, u64)] {
        &self.inserted[self.components.after(group)].values
    }

    /// The same for rows that went from a group of the earlier version.
    pub fn deleted(&self, group: u32) -> &[(u32, u64)] {
        &self.deleted[self.components.before(group)].values
    }
}

/// Puts P and N into what came and what went; their rows are counted down to those whose values are
/// not in there.
fn settle(
    components: &Components,
    before: &Version,
    after: &Version,
    inserted: &mut [Learnt],
    deleted: &mut [Learnt],
) {
    let of_group = |component: usize, held: &[(u32, u64)], sign: i64| {
        held.iter()
            .map(|&(value, count)| (component as u32, value, sign * count as i64))
            .collect::<Vec<_>>()
    };
    let gained =
        (0..after.groups() as u32).flat_map(|g| of_group(components.after(g), after.held(g), 1));
    let lost = (0..before.groups() as u32)
        .flat_map(|g| of_group(components.before(g), before.held(g), -1));
    let mut changes: Vec<(u32, u32, i64)> = gained.chain(lost).collect();
    changes.sort_unstable();
    for alike in changes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (component, value, _) = alike[0];
        let difference: i64 = alike.iter().map(|change| change.2).sum();
        let side = if difference > 0 {
            &mut *inserted
        } else {
            &mut *deleted
        };
        if difference != 0 {
            let learnt = &mut side[component as usize];
            learnt.rows -= difference.unsigned_abs();
            learnt.values.push((value, difference.unsigned_abs()));
        }
    }
}

/// Where the values of some rows cancelled, they can be any that a group of the other side holds.
fn hide(
    components: &Components,
    touched: &[bool],
    version: &Version,
    side: &mut [Learnt],
    component: impl Fn(&Components, u32) -> usize,
) {
    let mut hidden: Vec<(usize, u32)> = Vec::new();
    for group in (0..version.groups() as u32).filter(|&g| touched[g as usize]) {
        let component = component(components, group);
        if side[component].rows > 0 {
            hidden.extend(
                version
                    .held(group)
                    .iter()
                    .map(|&(value, _)| (component, value)),
            );
        }
    }
    // several groups of a component may hold a value, which is no reason to count it twice
    hidden.sort_unstable();
    hidden.dedup();
    for (component, value) in hidden {
        let learnt = &mut side[component];
        learnt.values.push((value, learnt.rows));
    }
}

impl Components {
    fn new(before: &Version, after: &Version) -> Components {
        let earlier = before.groups();
        let mut parent: Vec<u32> = (0..(earlier + after.groups()) as u32).collect();
        for fate in fates(before, after) {
            if let Fate::Stayed(was, is) = fate {
                let (one, other) = (
                    root(&mut parent, was.group),
                    root(&mut parent, is.group + earlier as u32),
                );
                parent[one.max(other) as usize] = one.min(other);
            }
        }
        let of = (0..parent.len() as u32)
            .map(|group| root(&mut parent, group))
            .collect();
        Components { of, earlier }
    }

    fn before(&self, group: u32) -> usize {
        self.of[group as usize] as usize
    }

    fn after(&self, group: u32) -> usize {
        self.of[self.earlier + group as usize] as usize
    }

    fn nobody(&self) -> Vec<Learnt> {
        std::iter::repeat_with(Learnt::default)
            .take(self.of.len())
            .collect()
    }

    /// Marks the later version's groups that are linked with these groups of the earlier one.
    pub fn mark(&self, groups: impl Iterator<Item = u32>, marks: &mut [bool]) {
        let mut linked = vec![false; self.of.len()];
        groups.for_each(|group| linked[self.before(group)] = true);
        for (group, mark) in marks.iter_mut().enumerate() {
            *mark |= linked[self.after(group as u32)];
        }
    }
}

/// The representative of a group's component, with the way there halved.
fn root(parent: &mut [u32], mut group: u32) -> u32 {
    while parent[group as usize] != group {
        let above = parent[parent[group as usize] as usize];
        parent[group as usize] = above;
        group = above;
    }
    group
}
