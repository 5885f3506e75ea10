//! What the other releases leave of each person, in the codes of our own sensitive attributes.

use crate::Error;
use mingle_model::{Code, Cube};
use mingle_privacy::composition::{Choice, Limits, Overlay, Scratch};
use rayon::prelude::*;
use std::collections::HashMap;

/// What is left, by attribute.
pub struct Knowledge {
    pub attributes: Vec<Attribute>,
    /// So many people may have too few, for each attribute.
    pub allowed: u64,
}

/// What is left of one attribute.
pub struct Attribute {
    /// Per tuple a set of codes, or [`NOTHING`].
    pub set_of: Vec<u32>,
    /// Per combination of sensitive values the attribute's code.
    pub code_of: Vec<Code>,
    /// Per tuple how many values a reader who takes all groups that fit must be left with; 0 for any number.
    pub union_needs: Vec<u32>,
    words: usize,
    sets: Vec<u64>,
    /// Per set how many of its values must be left.
    needs: Vec<u32>,
}

/// Stands for people about whom the other releases say nothing, or nothing that we could mend.
pub const NOTHING: u32 = u32::MAX;

impl Knowledge {
    pub fn new(cube: &Cube, overlays: &[Overlay<'_>], limits: &Limits) -> Result<Knowledge, Error> {
        let allowed = match limits.min_posterior {
            Some(min) if min >= 2 => 0,
            _ => limits.most_perfect(cube.rows()),
        };
        let attributes: Vec<Attribute> = overlays.iter().map(|overlay| Attribute::new(cube, overlay, limits)).collect();
        let knowledge = Knowledge { attributes, allowed };
        match knowledge.hopeless(cube).filter(|&people| people > allowed) {
            Some(people) => Err(Error::Exposed { people }),
            None => Ok(knowledge),
        }
    }

    /// People of whom the other releases leave too few values, their own among them: whatever group they are in, that
    /// one is left. The most for any attribute.
    fn hopeless(&self, cube: &Cube) -> Option<u64> {
        let of_tuple = |attribute: &Attribute, tuple: usize| -> u64 {
            let set = attribute.set_of[tuple];
            if set == NOTHING || attribute.size(set) >= attribute.need(set) {
                return 0;
            }
            let own = cube.records()[cube.records_of(tuple)].iter();
            let own = own.filter(|r| attribute.has(set, attribute.code_of[r.sensitive as usize]));
            own.map(|r| u64::from(r.count)).sum()
        };
        self.attributes.iter().map(|a| (0..cube.tuples()).map(|t| of_tuple(a, t)).sum()).max()
    }
}

impl Attribute {
    fn new(cube: &Cube, overlay: &Overlay<'_>, limits: &Limits) -> Attribute {
        let column = cube.sensitive().iter().find(|s| s.name == overlay.attribute());
        let column = column.expect("an overlay is about an attribute of the cube");
        let words = column.domain.len().div_ceil(64);
        let mut code_of_value: HashMap<u32, Code> = HashMap::new();
        for (code, value) in overlay.own_values().into_iter().enumerate() {
            code_of_value.extend(value.map(|value| (value, code as Code)));
        }
        let need = |already: u32| match limits.except_already_exposed {
            true => limits.fewest().min(already),
            false => limits.fewest(),
        };
        let left = |scratch: &mut Scratch, tuple: usize| {
            let union = overlay.person(tuple, Choice::Union, scratch);
            let found = overlay.person(tuple, Choice::MostSpecific, scratch);
            if found.releases == 0 {
                return (0, None);
            }
            let mut set = vec![0u64; words];
            for code in scratch.candidates().iter().filter_map(|value| code_of_value.get(value)) {
                set[*code as usize / 64] |= 1 << (code % 64);
            }
            (need(union.posterior), Some((set, need(found.posterior))))
        };
        let sets: Vec<_> = (0..cube.tuples()).into_par_iter().map_init(Scratch::default, left).collect();
        let mut attribute = Attribute {
            set_of: Vec::with_capacity(sets.len()),
            code_of: column.codes.iter().collect(),
            union_needs: Vec::with_capacity(sets.len()),
            words,
            sets: Vec::new(),
            needs: Vec::new(),
        };
        let mut numbers: HashMap<(Vec<u64>, u32), u32> = HashMap::new();
        for (union_need, set) in sets {
            attribute.union_needs.push(union_need);
            let number = set.map_or(NOTHING, |set| {
                let next = numbers.len() as u32;
                *numbers.entry(set).or_insert_with_key(|(set, need)| {
                    attribute.sets.extend_from_slice(set);
                    attribute.needs.push(*need);
                    next
                })
            });
            attribute.set_of.push(number);
        }
        attribute
    }

    /// How many of a set's values must be left, if any is.
    pub fn need(&self, set: u32) -> u32 {
        self.needs[set as usize]
    }

    /// The set's values.
    pub fn set(&self, set: u32) -> &[u64] {
        &self.sets[set as usize * self.words..][..self.words]
    }

    fn size(&self, set: u32) -> u32 {
        self.set(set).iter().map(|word| word.count_ones()).sum()
    }

    fn has(&self, set: u32, code: Code) -> bool {
        self.set(set)[code as usize / 64] >> (code % 64) & 1 == 1
    }

    /// How many 64-bit words a set of values has.
    pub fn words(&self) -> usize {
        self.words
    }
}
