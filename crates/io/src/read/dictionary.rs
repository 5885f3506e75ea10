//! The distinct texts of a column, numbered as they are first seen.
//!
//! One arena for all bytes and one open-addressing table of 8 bytes a slot: a lookup touches the
//! slot and the text, and a million distinct values cost no allocation each. The hash is keyed at
//! random because an input may be hostile; nothing that leaves this crate depends on it.

use ahash::RandomState;

/// Where something stands: the source's number and the line or row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) file: u32,
    /// The batch whose row it is, counted from 1; 0 where lines or rows are numbered through.
    pub(super) batch: u32,
    pub(super) line: u64,
}

/// Distinct texts. No `Debug`: they are cells.
pub(super) struct Dictionary {
    hasher: RandomState,
    bytes: Vec<u8>,
    /// Text `id` ends here in `bytes`, and starts where the one before it ends.
    ends: Vec<usize>,
    first: Vec<Place>,
    /// The upper half of the hash above `id + 1`; zero is empty. A power of two, at most three
    /// quarters full.
    slots: Vec<u64>,
}

/// A text that is not valid UTF-8.
#[derive(Debug)]
pub(super) struct NotUtf8;

impl Dictionary {
    pub(super) fn new(hasher: RandomState) -> Self {
        Dictionary {
            hasher,
            bytes: Vec::new(),
            ends: Vec::new(),
            first: Vec::new(),
            slots: vec![0; 64],
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn bytes(&self, id: u32) -> &[u8] {
        let id = id as usize;
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.bytes[start..self.ends[id]]
    }

    /// How many bytes all texts and what is known of them take.
    pub(super) fn size(&self) -> u64 {
        let of_each = size_of::<usize>() + size_of::<Place>();
        let texts = self.bytes.len() + self.ends.len() * of_each;
        (texts + self.slots.len() * size_of::<u64>()) as u64
    }

    /// Where the text was seen first.
    pub(super) fn first(&self, id: u32) -> Place {
        self.first[id as usize]
    }

    /// The text's number; a new one if it was not seen before. UTF-8 is checked once, when a text
    /// is new.
    #[inline]
    pub(super) fn intern(&mut self, text: &[u8], place: Place) -> Result<u32, NotUtf8> {
        let hash = self.hasher.hash_one(text);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return self.add(text, place, hash, slot);
            }
            if entry >> 32 == hash >> 32 {
                let id = entry as u32 - 1;
                if self.bytes(id) == text {
                    return Ok(id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn add(&mut self, text: &[u8], place: Place, hash: u64, slot: usize) -> Result<u32, NotUtf8> {
        std::str::from_utf8(text).map_err(|_| NotUtf8)?;
        let id = self.len() as u32;
        self.bytes.extend_from_slice(text);
        self.ends.push(self.bytes.len());
        self.first.push(place);
        self.slots[slot] = entry(hash, id);
        if self.len() * 4 > self.slots.len() * 3 {
            self.grow();
        }
        Ok(id)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for id in 0..self.len() as u32 {
            let hash = self.hasher.hash_one(self.bytes(id));
            let mut slot = hash as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = entry(hash, id);
        }
        self.slots = slots;
    }

    /// Remembers an earlier place of a text.
    pub(super) fn seen_at(&mut self, id: u32, place: Place) {
        let first = &mut self.first[id as usize];
        *first = place.min(*first);
    }

    /// The text itself.
    pub(super) fn text(&self, id: u32) -> &str {
        std::str::from_utf8(self.bytes(id)).expect("texts are checked when they are added")
    }
}

fn entry(hash: u64, id: u32) -> u64 {
    (hash >> 32) << 32 | u64::from(id + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_texts_as_they_come_and_keeps_the_first_place() {
        let mut dictionary = Dictionary::new(RandomState::new());
        for round in 0..2 {
            for n in 0..5_000u32 {
                let place = Place {
                    file: round,
                    batch: 0,
                    line: n.into(),
                };
                assert_eq!(
                    dictionary.intern(n.to_string().as_bytes(), place).unwrap(),
                    n
                );
            }
        }
        assert_eq!(dictionary.len(), 5_000);
        assert_eq!(
            (dictionary.text(4_321), dictionary.first(17)),
            (
                "4321",
                Place {
                    file: 0,
                    batch: 0,
                    line: 17
                }
            )
        );
        assert_eq!(
            dictionary
                .intern(
                    b"",
                    Place {
                        file: 0,
                        batch: 0,
                        line: 0
                    }
                )
                .unwrap(),
            5_000
        );
        assert!(
            dictionary
                .intern(
                    b"\xff",
                    Place {
                        file: 0,
                        batch: 0,
                        line: 0
                    }
                )
                .is_err()
        );
        assert_eq!(dictionary.len(), 5_001);
    }
}
