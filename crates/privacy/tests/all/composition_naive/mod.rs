//! The intersection attack as the paper defines it, on texts and sets: its own reading of labels,
//! every group looked at for every person, nothing shared with the engine.

pub mod labels;
pub mod world;

use labels::{Sort, covers, distance, is_missing};
use std::collections::{BTreeMap, BTreeSet};
use world::{Release, World};

/// A group: its labels, and its values with their counts.
pub type Group = (Vec<String>, BTreeMap<String, u64>);

/// Rows of equal labels, in the order of their texts.
pub fn groups(release: &Release) -> Vec<Group> {
    let mut groups: BTreeMap<Vec<String>, BTreeMap<String, u64>> = BTreeMap::new();
    for (labels, value) in &release.rows {
        *groups
            .entry(labels.clone())
            .or_default()
            .entry(value.clone())
            .or_default() += 1;
    }
    groups.into_iter().collect()
}

/// Whether a person can be in a group.
pub fn fits(world: &World, release: &Release, group: &Group, person: &[String]) -> bool {
    release
        .columns
        .iter()
        .zip(&group.0)
        .all(|(&c, label)| covers(&world.columns[c].1, label, &person[c]))
}

/// The groups at the smallest distance from a person, and those that are nearer than rounding can
/// tell.
pub fn nearest(
    world: &World,
    release: &Release,
    groups: &[Group],
    person: &[String],
) -> Vec<usize> {
    let away = |group: &Group| -> f64 {
        let one = |(&c, label): (&usize, &String)| {
            let key = (c, label.clone(), person[c].clone());
            *world
                .distances
                .borrow_mut()
                .entry(key)
                .or_insert_with(|| distance(world, c, label, &person[c]))
        };
        release
            .columns
            .iter()
            .zip(&group.0)
            .map(one)
            .map(|d| d * d)
            .sum()
    };
    let all: Vec<f64> = groups.iter().map(away).collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    (0..groups.len())
        .filter(|&g| all[g] <= least + 1e-9)
        .collect()
}

/// How many combinations of values that people have each group covers.
pub fn volumes(world: &World, release: &Release, groups: &[Group]) -> Vec<u128> {
    let distinct = |&c: &usize| {
        world
            .people
            .iter()
            .map(|p| canonical(&p.0[c]))
            .collect::<BTreeSet<&str>>()
    };
    let values: Vec<BTreeSet<&str>> = release.columns.iter().map(distinct).collect();
    let covered = |group: &Group, at: usize| {
        let sort = world.sort(release.columns[at]);
        values[at]
            .iter()
            .filter(|value| covers(sort, &group.0[at], value))
            .count() as u128
    };
    groups
        .iter()
        .map(|group| (0..values.len()).map(|at| covered(group, at)).product())
        .collect()
}

/// All spellings of "no value" are one value.
pub fn canonical(text: &str) -> &str {
    if is_missing(text) { "" } else { text }
}

/// Those of the groups that cover least.
pub fn most_specific(volumes: &[u128], fitting: &[usize]) -> Vec<usize> {
    let least = fitting.iter().map(|&g| volumes[g]).min();
    fitting
        .iter()
        .copied()
        .filter(|&g| Some(volumes[g]) == least)
        .collect()
}

/// What a reader has of a person who takes these groups of each release.
#[derive(Debug, PartialEq)]
pub struct Learnt {
    pub releases: u32,
    pub priors: Vec<u32>,
    pub fits: Vec<u32>,
    pub candidates: BTreeSet<String>,
}

impl Learnt {
    pub fn prior(&self) -> u32 {
        self.priors
            .iter()
            .copied()
            .filter(|&p| p > 0)
            .min()
            .unwrap_or(0)
    }
}

/// Intersects what the groups taken of each release hold; a release of which none is taken says
/// nothing.
pub fn intersect(releases: &[Vec<Group>], taken: &[Vec<usize>]) -> Learnt {
    let held = |(groups, taken): (&Vec<Group>, &Vec<usize>)| -> BTreeSet<String> {
        taken
            .iter()
            .flat_map(|&g| groups[g].1.keys().cloned())
            .collect()
    };
    let sets: Vec<BTreeSet<String>> = releases.iter().zip(taken).map(held).collect();
    let spoken: Vec<&BTreeSet<String>> = sets
        .iter()
        .zip(taken)
        .filter(|(_, t)| !t.is_empty())
        .map(|(s, _)| s)
        .collect();
    let common = |value: &&String| spoken.iter().all(|set| set.contains(*value));
    Learnt {
        releases: spoken.len() as u32,
        priors: sets.iter().map(|s| s.len() as u32).collect(),
        fits: taken.iter().map(|t| t.len() as u32).collect(),
        candidates: spoken.first().map_or(BTreeSet::new(), |first| {
            first.iter().filter(common).cloned().collect()
        }),
    }
}

/// The shares of rows with each candidate, multiplied over the releases that say something, and
/// normed.
pub fn likelihoods(releases: &[Vec<Group>], taken: &[Vec<usize>]) -> BTreeMap<String, f64> {
    let mut product: BTreeMap<String, f64> = intersect(releases, taken)
        .candidates
        .into_iter()
        .map(|value| (value, 1.0))
        .collect();
    for (groups, taken) in releases
        .iter()
        .zip(taken)
        .filter(|(_, taken)| !taken.is_empty())
    {
        let rows: u64 = taken.iter().flat_map(|&g| groups[g].1.values()).sum();
        for (value, p) in &mut product {
            let with: u64 = taken.iter().filter_map(|&g| groups[g].1.get(value)).sum();
            *p *= with as f64 / rows as f64;
        }
    }
    let total: f64 = product.values().sum();
    product.values_mut().for_each(|p| *p /= total);
    product
}

impl World {
    /// The names of a release's columns.
    pub fn names(&self, release: &Release) -> Vec<&'static str> {
        release.columns.iter().map(|&c| self.columns[c].0).collect()
    }

    pub fn sort(&self, c: usize) -> &Sort {
        &self.columns[c].1
    }
}
