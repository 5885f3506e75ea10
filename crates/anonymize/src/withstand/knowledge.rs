//! What the other releases leave of each person, in the codes of our own sensitive attributes.

use mingle_model::{Code, Cube, Partition};
use mingle_privacy::composition::{Choice, CompositionLimits, Overlay, Scratch};
use rayon::prelude::*;
use std::collections::HashMap;

/// What is left, by attribute.
pub struct Knowledge {
    pub attributes: Vec<AttributeKnowledge>,
    /// So many people may have too few, for each attribute.
    pub allowed: u64,
}

/// What is left of one attribute.
pub struct AttributeKnowledge {
    /// Per record what is left by the groups that hold its value, a set of codes or [`NOTHING`].
    pub set_of: Vec<u32>,
    /// Per tuple what is left by the most specific groups.
    pub specific_of: Vec<u32>,
    /// Per combination of sensitive values the attribute's code.
    pub code_of: Vec<Code>,
    /// Per tuple how many values a reader who takes all groups that fit must be left with; 0 for
    /// any number.
    pub union_needs: Vec<u32>,
    words: usize,
    sets: Vec<u64>,
    /// Per set how many of its values must be left.
    needs: Vec<u32>,
}

/// Stands for people about whom the other releases say nothing, or nothing that we could mend.
pub const NOTHING: u32 = u32::MAX;

impl Knowledge {
    /// About the people whom the partition does not leave out.
    pub fn new(
        cube: &Cube,
        partition: &Partition,
        overlays: &[Overlay<'_>],
        limits: &CompositionLimits,
    ) -> Knowledge {
        let attributes: Vec<AttributeKnowledge> = overlays
            .iter()
            .map(|overlay| AttributeKnowledge::new(cube, overlay, limits))
            .collect();
        Knowledge {
            attributes,
            allowed: tolerated(cube, partition, limits),
        }
    }

    /// People of whom the other releases leave too few values: their own is among them, and in
    /// whatever group they are, that one is left. The most for any attribute.
    pub fn hopeless(&self, cube: &Cube, partition: &Partition) -> u64 {
        let published = published(cube, partition);
        let of_record = |attribute: &AttributeKnowledge, record: usize| -> u64 {
            match attribute.set_of[record] {
                set if set != NOTHING && attribute.size(set) < attribute.need(set) => {
                    cube.records()[record].count
                }
                _ => 0,
            }
        };
        self.attributes
            .iter()
            .map(|a| published.iter().map(|&r| of_record(a, r)).sum())
            .max()
            .unwrap_or(0)
    }
}

/// How many people of a partition may have too few values left.
pub fn tolerated(cube: &Cube, partition: &Partition, limits: &CompositionLimits) -> u64 {
    let targets = published(cube, partition)
        .iter()
        .map(|&record| cube.records()[record].count)
        .sum();
    match limits.min_posterior {
        Some(min) if min >= 2 => 0,
        _ => limits.most_perfect(targets),
    }
}

/// The records that a partition does not leave out.
fn published(cube: &Cube, partition: &Partition) -> Vec<usize> {
    let is_published = |&record: &usize| partition.group_of[record] != Partition::SUPPRESSED;
    (0..cube.records().len()).filter(is_published).collect()
}

/// What was found about a tuple.
struct OfTuple {
    union_need: u32,
    specific: Option<Known>,
    /// Per record of the tuple.
    holding: Vec<Option<Known>>,
}

/// What is left, and how much of it must be.
type Known = (Vec<u64>, u32);

impl AttributeKnowledge {
    fn new(cube: &Cube, overlay: &Overlay<'_>, limits: &CompositionLimits) -> AttributeKnowledge {
        let column = cube
            .sensitive()
            .iter()
            .find(|s| s.name == overlay.attribute());
        let column = column.expect("an overlay is about an attribute of the cube");
        let words = column.domain.len().div_ceil(64);
        let values = overlay.own_values();
        let mut code_of_value: HashMap<u32, Code> = HashMap::new();
        for (code, value) in values.iter().enumerate() {
            code_of_value.extend(value.map(|value| (value, code as Code)));
        }
        let need = |already: u32| {
            if limits.except_already_exposed {
                limits.fewest().min(already)
            } else {
                limits.fewest()
            }
        };
        let left = |scratch: &mut Scratch, tuple: usize, choice: Choice<'_>| {
            let found = overlay.person(tuple, choice, scratch);
            let mut set = vec![0u64; words];
            for code in scratch
                .candidates()
                .iter()
                .filter_map(|value| code_of_value.get(value))
            {
                set[*code as usize / 64] |= 1 << (code % 64);
            }
            (found.releases > 0).then(|| (set, need(found.posterior)))
        };
        let of_tuple = |scratch: &mut Scratch, tuple: usize| {
            let union = overlay.person(tuple, Choice::Union, scratch);
            let value =
                |r: usize| values[column.codes.get(cube.records()[r].sensitive as usize) as usize];
            OfTuple {
                union_need: if union.releases == 0 {
                    0
                } else {
                    need(union.posterior)
                },
                specific: left(scratch, tuple, Choice::MostSpecific),
                holding: cube
                    .records_of(tuple)
                    .map(|r| left(scratch, tuple, Choice::Holding(value(r))))
                    .collect(),
            }
        };
        let tuples: Vec<OfTuple> = (0..cube.tuples())
            .into_par_iter()
            .map_init(Scratch::default, of_tuple)
            .collect();
        let mut attribute = AttributeKnowledge {
            set_of: Vec::with_capacity(cube.records().len()),
            specific_of: Vec::with_capacity(tuples.len()),
            code_of: column.codes.iter().collect(),
            union_needs: Vec::with_capacity(tuples.len()),
            words,
            sets: Vec::new(),
            needs: Vec::new(),
        };
        let mut numbers: HashMap<Known, u32> = HashMap::new();
        for OfTuple {
            union_need,
            specific,
            holding,
        } in tuples
        {
            attribute.union_needs.push(union_need);
            let specific = attribute.number(&mut numbers, specific);
            attribute.specific_of.push(specific);
            for known in holding {
                let number = attribute.number(&mut numbers, known);
                attribute.set_of.push(number);
            }
        }
        attribute
    }

    /// The number of a set; equal ones have the same.
    fn number(&mut self, numbers: &mut HashMap<Known, u32>, known: Option<Known>) -> u32 {
        let next = numbers.len() as u32;
        known.map_or(NOTHING, |known| {
            *numbers.entry(known).or_insert_with_key(|(set, need)| {
                self.sets.extend_from_slice(set);
                self.needs.push(*need);
                next
            })
        })
    }

    /// How many of a set's values must be left, if any is.
    pub fn need(&self, set: u32) -> u32 {
        self.needs[set as usize]
    }

    /// The set's values.
    pub fn set(&self, set: u32) -> &[u64] {
        &self.sets[set as usize * self.words..][..self.words]
    }

    /// How many values a set has.
    pub fn size(&self, set: u32) -> u32 {
        self.set(set).iter().map(|word| word.count_ones()).sum()
    }

    /// How many 64-bit words a set of values has.
    pub fn words(&self) -> usize {
        self.words
    }
}
