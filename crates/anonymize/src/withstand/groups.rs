//! Groups in a state of change: who is in them, which values they hold, and whom these do not
//! serve.

use super::claims::Claims;
use super::knowledge::{AttributeKnowledge, Knowledge, NOTHING};
use crate::index::{Index, Query, TOLERANCE};
use crate::loss::{Extents, GeneralizationCosts};
use crate::plan;
use mingle_model::{Code, Cube, Partition, Published};
use mingle_privacy::{Requirement, Tally};
use rayon::prelude::*;
use std::sync::Arc;

/// So many nearest groups are considered as company.
const NEIGHBOURS: usize = 24;

/// All groups.
pub struct Groups<'a> {
    pub cube: &'a Arc<Cube>,
    pub requirement: &'a Requirement,
    pub knowledge: &'a Knowledge,
    pub loss: GeneralizationCosts<'a>,
    pub tuple_of: Vec<u32>,
    pub all: Vec<Group>,
    pub extents: Extents,
    /// Where a group went that is no more.
    pub into: Vec<u32>,
    pub neighbours: Vec<Vec<u32>>,
    /// Whether records may go from group to group.
    pub may_move: bool,
}

/// One group.
#[derive(Clone, Default)]
pub struct Group {
    pub members: Vec<u32>,
    pub tally: Tally,
    pub rows: u64,
    /// Per attribute the codes of its values with how many rows have them, ascending.
    pub values: Vec<Vec<(Code, u64)>>,
    /// Per attribute what is left of its people and claimants by the other releases, and how many
    /// they are, ascending.
    pub wants: Vec<Vec<(u32, u64)>>,
    /// The same for claimants alone.
    claims: Vec<Vec<(u32, u64)>>,
    /// People and claimants who are not served.
    pub bad: u64,
    /// Whether it must be united with another, whomever that serves.
    pub forced: bool,
    /// Rows times loss per row.
    pub cost: f32,
    /// Grows with every change.
    pub version: u32,
}

impl<'a> Groups<'a> {
    pub fn new(
        cube: &'a Arc<Cube>,
        requirement: &'a Requirement,
        knowledge: &'a Knowledge,
        partition: &Partition,
    ) -> Groups<'a> {
        let loss = GeneralizationCosts::new(cube);
        let extents = loss.extents();
        let tuple_of = plan::tuple_of_record(cube);
        let mut members: Vec<Vec<u32>> = Vec::new();
        for (record, &group) in partition.group_of.iter().enumerate() {
            if group != Partition::SUPPRESSED {
                members.resize_with(members.len().max(group as usize + 1), Vec::new);
                members[group as usize].push(record as u32);
            }
        }
        members.retain(|m| !m.is_empty());
        let into = (0..members.len() as u32).collect();
        let mut groups = Groups {
            cube,
            requirement,
            knowledge,
            loss,
            tuple_of,
            all: Vec::new(),
            extents,
            into,
            neighbours: Vec::new(),
            may_move: true,
        };
        groups.all = members
            .into_par_iter()
            .map(|m| groups.make(m, groups.no_claims()))
            .collect();
        for group in 0..groups.all.len() {
            groups.push_extent(group);
        }
        groups.find_neighbours();
        groups
    }

    fn no_claims(&self) -> Vec<Vec<(u32, u64)>> {
        vec![Vec::new(); self.knowledge.attributes.len()]
    }

    /// A group of these records.
    pub fn make(&self, members: Vec<u32>, claims: Vec<Vec<(u32, u64)>>) -> Group {
        let records = || members.iter().copied();
        let mut group = Group {
            tally: plan::tally_records(self.cube, self.requirement, records()),
            rows: records()
                .map(|r| self.cube.records()[r as usize].count)
                .sum(),
            claims,
            ..Group::default()
        };
        for (attribute, claims) in self.knowledge.attributes.iter().zip(&group.claims) {
            let value = |r: &u32| {
                let record = &self.cube.records()[*r as usize];
                (attribute.code_of[record.sensitive as usize], record.count)
            };
            group
                .values
                .push(added_up(members.iter().map(value).collect()));
            let want = |r: &u32| {
                (
                    self.want(attribute, *r),
                    self.cube.records()[*r as usize].count,
                )
            };
            let wants = members.iter().map(want).chain(claims.iter().copied());
            group
                .wants
                .push(added_up(wants.filter(|&(set, _)| set != NOTHING).collect()));
        }
        group.members = members;
        group.bad = self.bad(&group.values, &group.wants);
        group
    }

    fn want(&self, attribute: &AttributeKnowledge, record: u32) -> u32 {
        attribute.set_of[record as usize]
    }

    /// How many of those who want something the values do not serve, over all attributes.
    pub fn bad(&self, values: &[Vec<(Code, u64)>], wants: &[Vec<(u32, u64)>]) -> u64 {
        let attributes = self.knowledge.attributes.iter();
        attributes
            .zip(values)
            .zip(wants)
            .map(|((attribute, values), wants)| self.bad_of(attribute, values, wants))
            .sum()
    }

    fn bad_of(
        &self,
        attribute: &AttributeKnowledge,
        values: &[(Code, u64)],
        wants: &[(u32, u64)],
    ) -> u64 {
        let mut bits = vec![0u64; attribute.words()];
        values
            .iter()
            .for_each(|&(code, _)| bits[code as usize / 64] |= 1 << (code % 64));
        let left = |set: u32| -> u32 {
            attribute
                .set(set)
                .iter()
                .zip(&bits)
                .map(|(a, b)| (a & b).count_ones())
                .sum()
        };
        let unserved = |&&(set, _): &&(u32, u64)| (1..attribute.need(set)).contains(&left(set));
        wants
            .iter()
            .filter(unserved)
            .map(|&(_, people)| people)
            .sum()
    }

    /// Whether a person of the group, or claimant, is not served.
    pub fn is_bad(&self, group: &Group, record: u32) -> bool {
        let one = |attribute: &AttributeKnowledge| match self.want(attribute, record) {
            NOTHING => Vec::new(),
            set => vec![(set, 1)],
        };
        self.bad(
            &group.values,
            &self
                .knowledge
                .attributes
                .iter()
                .map(one)
                .collect::<Vec<_>>(),
        ) > 0
    }

    /// What two groups would be as one, without members.
    pub fn union(&self, a: usize, b: usize) -> Union {
        let (one, two) = (&self.all[a], &self.all[b]);
        let values: Vec<_> = one
            .values
            .iter()
            .zip(&two.values)
            .map(|(x, y)| together(x, y))
            .collect();
        let wants: Vec<_> = one
            .wants
            .iter()
            .zip(&two.wants)
            .map(|(x, y)| together(x, y))
            .collect();
        let per_row = self
            .loss
            .union((&self.extents, a), (&self.extents, b), f32::INFINITY);
        let cost = (one.rows + two.rows) as f32 * per_row;
        Union {
            bad: self.bad(&values, &wants),
            cost,
        }
    }

    /// The people of a group without one record, or with one more; the extent goes to the end of
    /// `scratch`.
    pub fn changed(
        &self,
        group: usize,
        without: Option<u32>,
        with: Option<u32>,
        scratch: &mut Extents,
    ) -> Group {
        let old = &self.all[group];
        let kept = old.members.iter().copied().filter(|&r| Some(r) != without);
        let mut new = self.make(kept.chain(with).collect(), old.claims.clone());
        scratch.clear();
        self.extend(&new.members, scratch);
        new.cost = if new.members.is_empty() {
            0.0
        } else {
            new.rows as f32 * self.loss.of(scratch, 0)
        };
        new.forced = old.forced;
        new
    }

    fn extend(&self, members: &[u32], extents: &mut Extents) {
        let mut tuples: Vec<u32> = members.iter().map(|&r| self.tuple_of[r as usize]).collect();
        tuples.dedup();
        for (place, &tuple) in tuples.iter().enumerate() {
            match place {
                0 => self.loss.push_tuple(extents, tuple as usize),
                _ => {
                    let mut one = self.loss.extents();
                    self.loss.push_tuple(&mut one, tuple as usize);
                    extents.join_from(0, &one, 0);
                }
            }
        }
    }

    fn push_extent(&mut self, group: usize) {
        let mut one = self.loss.extents();
        self.extend(&self.all[group].members, &mut one);
        self.all[group].cost = self.all[group].rows as f32 * self.loss.of(&one, 0);
        self.extents.push_from(&one, 0);
    }

    /// Puts a changed group into the place of the old.
    pub fn replace(&mut self, group: usize, mut new: Group) {
        let mut one = self.loss.extents();
        self.extend(&new.members, &mut one);
        self.extents.set_from(group, &one, 0);
        new.cost = new.rows as f32 * self.loss.of(&one, 0);
        new.version = self.all[group].version + 1;
        self.all[group] = new;
    }

    /// Unites a group with another, which is no more.
    pub fn unite(&mut self, group: usize, gone: usize) {
        let other = std::mem::take(&mut self.all[gone]);
        self.all[gone].version = other.version + 1;
        self.into[gone] = group as u32;
        let mine = std::mem::take(&mut self.all[group]);
        let claims = mine
            .claims
            .iter()
            .zip(&other.claims)
            .map(|(x, y)| together(x, y))
            .collect();
        let mut members = mine.members;
        members.extend(other.members);
        self.extents.join(group, gone);
        let mut united = self.make(members, claims);
        united.cost = united.rows as f32 * self.loss.of(&self.extents, group);
        united.version = mine.version + 1;
        self.all[group] = united;
        let theirs = std::mem::take(&mut self.neighbours[gone]);
        self.neighbours[group].extend(theirs);
        self.tidy(group);
    }

    /// Neighbours under their present numbers, each once.
    fn tidy(&mut self, group: usize) {
        let mut list = std::mem::take(&mut self.neighbours[group]);
        list.iter_mut().for_each(|n| *n = self.find(*n));
        list.sort_unstable();
        list.dedup();
        list.retain(|&n| n as usize != group);
        self.neighbours[group] = list;
    }

    /// The present number of a group.
    pub fn find(&self, group: u32) -> u32 {
        let mut at = group;
        while self.into[at as usize] != at {
            at = self.into[at as usize];
        }
        at
    }

    /// Looks for each group's nearest groups anew.
    pub fn find_neighbours(&mut self) {
        let alive: Vec<u32> = (0..self.all.len() as u32)
            .filter(|&g| self.into[g as usize] == g)
            .collect();
        let rows: Vec<f32> = self.all.iter().map(|group| group.rows as f32).collect();
        let index = Index::new(&self.loss, &self.extents, &rows, alive.clone());
        let nearest = |&g: &u32| {
            let mut found = Vec::with_capacity(NEIGHBOURS + 1);
            let query = Query {
                extent: (&self.extents, g as usize),
                rows: rows[g as usize],
                tolerance: TOLERANCE,
            };
            index.nearest(query, NEIGHBOURS, |other| other != g, &mut found);
            found.into_iter().map(|(_, n)| n).collect::<Vec<u32>>()
        };
        let lists: Vec<Vec<u32>> = alive.par_iter().map(nearest).collect();
        self.neighbours = vec![Vec::new(); self.all.len()];
        alive
            .iter()
            .zip(lists)
            .for_each(|(&g, list)| self.neighbours[g as usize] = list);
    }

    /// How many groups there are.
    pub fn len(&self) -> usize {
        self.alive().count()
    }

    /// The last resort: everybody in one group, if the requirement allows it. Returns whether it
    /// does.
    pub fn unite_all(&mut self) -> bool {
        let whole = Tally::sum(self.alive().map(|g| &self.all[g].tally));
        if !self.requirement.holds(&whole) {
            return false;
        }
        self.join_all();
        true
    }

    /// Everybody in one group, whatever is asked of it.
    pub fn join_all(&mut self) {
        let alive: Vec<usize> = self.alive().collect();
        let mut claims = self.no_claims();
        let mut members = Vec::new();
        for &group in &alive {
            let old = std::mem::take(&mut self.all[group]);
            members.extend(old.members);
            claims
                .iter_mut()
                .zip(&old.claims)
                .for_each(|(all, own)| all.extend(own));
            self.into[group] = alive[0] as u32;
        }
        let whole = self.make(members, claims.into_iter().map(added_up).collect());
        self.replace(alive[0], whole);
    }

    /// People and claimants who are not served by their groups.
    pub fn unserved(&self) -> u64 {
        self.alive().map(|g| self.all[g].bad).sum()
    }

    /// People who are not served by their groups; for each attribute, the most of any.
    pub fn unserved_members(&self) -> u64 {
        let of_attribute = |place: usize| -> u64 {
            let attribute = &self.knowledge.attributes[place];
            let of_group = |g: usize| -> u64 {
                let want = |&r: &u32| {
                    (
                        self.want(attribute, r),
                        self.cube.records()[r as usize].count,
                    )
                };
                let wants = self.all[g]
                    .members
                    .iter()
                    .map(want)
                    .filter(|&(set, _)| set != NOTHING)
                    .collect();
                self.bad_of(attribute, &self.all[g].values[place], &added_up(wants))
            };
            self.alive().map(of_group).sum()
        };
        (0..self.knowledge.attributes.len())
            .map(of_attribute)
            .max()
            .unwrap_or(0)
    }

    /// The numbers of the groups that there are.
    pub fn alive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.all.len()).filter(|&g| self.into[g] as usize == g)
    }

    /// Who is in each group.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let sorted = |g: usize| {
            let mut members = self.all[g].members.clone();
            members.sort_unstable();
            members
        };
        self.alive().map(sorted).collect()
    }

    /// Takes up claims on groups as they would be published.
    pub fn claim(&mut self, partition: &Partition, published: &Published, claims: &Claims) {
        let alive: Vec<usize> = self.alive().collect();
        let mut group_of_published = vec![0; published.groups()];
        for (&planned, &shown) in partition.group_of.iter().zip(published.group_of()) {
            if planned != Partition::SUPPRESSED {
                group_of_published[shown as usize] = alive[planned as usize];
            }
        }
        for &(attribute, group, set, people) in &claims.unserved {
            self.all[group_of_published[group as usize]].claims[attribute].push((set, people));
        }
        for &group in &claims.forced {
            self.all[group_of_published[group as usize]].forced = true;
        }
        for group in alive {
            let old = std::mem::take(&mut self.all[group]);
            let mut new = self.make(old.members, old.claims.into_iter().map(added_up).collect());
            (new.forced, new.cost, new.version) = (old.forced, old.cost, old.version + 1);
            self.all[group] = new;
        }
        self.find_neighbours();
    }
}

/// What two groups would be as one.
pub struct Union {
    pub bad: u64,
    pub cost: f32,
}

/// Adds up what is alike in two lists.
fn together(one: &[(u32, u64)], two: &[(u32, u64)]) -> Vec<(u32, u64)> {
    added_up(one.iter().chain(two).copied().collect())
}

/// Sorts by key and adds up what is alike.
fn added_up(mut items: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    items.sort_unstable_by_key(|&(key, _)| key);
    items.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    items
}
