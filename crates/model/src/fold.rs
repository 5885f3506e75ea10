//! Several columns of codes as one ordered number per row.
//!
//! Columns are packed in mixed radix. When the next column no longer fits into 64 bits, the numbers
//! so far are replaced by their ranks, which keeps their order, so any number of columns fits.
//! Equal rows get equal keys, and keys compare like the rows do, column by column. Cost: one pass
//! per column, one sort per rank step.

use crate::codes::{Code, Codes};

/// The keys of all rows, and what is needed to take a key apart again.
pub struct Folded {
    /// One key per row.
    pub keys: Vec<u64>,
    layers: Vec<Layer>,
}

struct Layer {
    /// Sorted distinct keys of the layer before; this layer's first digit is a rank among them.
    ranks: Vec<u64>,
    radices: Vec<u64>,
}

impl Folded {
    /// Folds columns given with the number of values each may have.
    pub fn new<'a>(rows: usize, columns: impl IntoIterator<Item = (&'a Codes, usize)>) -> Folded {
        let mut folded = Folded {
            keys: vec![0; rows],
            layers: vec![Layer {
                ranks: Vec::new(),
                radices: Vec::new(),
            }],
        };
        let mut range: u64 = 1;
        for (codes, values) in columns {
            let radix = values.max(1) as u64;
            range = match range.checked_mul(radix) {
                Some(range) => range,
                None => folded.rank().saturating_mul(radix),
            };
            folded.append(codes, radix);
        }
        folded
    }

    fn append(&mut self, codes: &Codes, radix: u64) {
        fn mix<T: Copy + Into<u64>>(keys: &mut [u64], codes: &[T], radix: u64) {
            keys.iter_mut()
                .zip(codes)
                .for_each(|(k, &c)| *k = *k * radix + c.into());
        }
        match codes {
            Codes::U8(codes) => mix(&mut self.keys, codes, radix),
            Codes::U16(codes) => mix(&mut self.keys, codes, radix),
            Codes::U32(codes) => mix(&mut self.keys, codes, radix),
        }
        self.layers
            .last_mut()
            .expect("there is always a layer")
            .radices
            .push(radix);
    }

    /// Replaces keys by ranks and returns how many there are.
    fn rank(&mut self) -> u64 {
        let mut ranks = self.keys.clone();
        ranks.sort_unstable();
        ranks.dedup();
        for key in &mut self.keys {
            *key = ranks.partition_point(|r| r < key) as u64;
        }
        let distinct = ranks.len() as u64;
        self.layers.push(Layer {
            ranks,
            radices: Vec::new(),
        });
        distinct
    }

    /// Takes a key apart into the codes it was made of, in column order.
    pub fn unfold(&self, mut key: u64, codes: &mut Vec<Code>) {
        codes.clear();
        for (depth, layer) in self.layers.iter().enumerate().rev() {
            for radix in layer.radices.iter().rev() {
                codes.push((key % radix) as Code);
                key /= radix;
            }
            if depth > 0 {
                key = layer.ranks[key as usize];
            }
        }
        codes.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_compare_like_rows_and_come_apart_again(
            rows in prop::collection::vec(prop::collection::vec(0u32..70_000, 7), 1..40),
        ) {
            let columns: Vec<Codes> = (0..7).map(|c| rows.iter().map(|r| r[c]).collect()).collect();
            let folded = Folded::new(rows.len(), columns.iter().map(|c| (c, 70_000)));
            let mut codes = Vec::new();
            for (i, a) in rows.iter().enumerate() {
                folded.unfold(folded.keys[i], &mut codes);
                prop_assert_eq!(&codes, a);
                for (j, b) in rows.iter().enumerate() {
                    prop_assert_eq!(folded.keys[i].cmp(&folded.keys[j]), a.cmp(b));
                }
            }
        }
    }
}
