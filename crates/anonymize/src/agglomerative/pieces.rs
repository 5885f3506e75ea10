//! Pieces of large tables: each is searched by itself, one after the other.
//!
//! A search keeps about a kilobyte for each unit: extents, counts, neighbours. So a table of millions
//! is cut in two first, until no piece has more than [`largest`](PieceSizes) units. What lies on both sides of a
//! cut cannot share a group any more, so it goes where sharing would cost most and both sides are
//! large: between women and men, or between two decades. Where cuts go follows from
//! quasi-identifiers alone, and a cut is not made where a side would fail the requirement as a
//! whole: every piece is a table of its own that can be published. Cost: O(units × columns) for
//! each time all are cut.

use super::clusters::Parts;
use crate::loss::{Extents, GeneralizationCosts};
use crate::{Error, MethodOptions, plan};
use mingle_model::Code;
use mingle_privacy::Requirement;

/// Which of several ways is best is looked at in so many places of a large table.
const PLACES: usize = 4;
/// The smaller side of a cut has at least one in so many units.
const SMALLEST_SIDE: usize = 8;

/// From where on a table is large.
#[derive(Clone, Copy)]
pub(super) struct PieceSizes {
    /// No piece has more units, unless a cut would leave a side that fails.
    pub largest: usize,
    /// A place where several ways are compared has at most so many.
    pub place: usize,
}

impl PieceSizes {
    /// What fits into memory; tests have smaller ones.
    pub const USUAL: PieceSizes = PieceSizes {
        largest: 1 << 18,
        place: 1 << 14,
    };
}

/// What is cut, and what every piece must satisfy.
pub(super) struct Cutting<'a> {
    pub loss: &'a GeneralizationCosts<'a>,
    pub requirement: &'a Requirement,
    pub options: &'a MethodOptions<'a>,
    pub sizes: PieceSizes,
}

impl Cutting<'_> {
    /// The pieces of a part of the table.
    pub fn pieces(&self, part: Parts) -> Result<Vec<Parts>, Error> {
        if part.len() <= self.sizes.largest {
            return Ok(vec![part]);
        }
        let mut pieces = Vec::new();
        for units in self.cut(&part, self.sizes.largest)? {
            pieces.push(part.only(&units));
        }
        Ok(pieces)
    }

    /// The tuples, or profiles, of a few places of a large table, or `None` where it is too small to be worth it.
    pub fn sample(&self, whole: &Parts) -> Result<Option<Vec<u32>>, Error> {
        if whole.len() <= 2 * PLACES * self.sizes.place {
            return Ok(None);
        }
        let pieces = self.cut(whole, self.sizes.place)?;
        let mut tuples = Vec::new();
        for units in pieces.iter().step_by(pieces.len().div_ceil(PLACES)) {
            for &unit in units {
                tuples.push(whole.numbers[unit as usize]);
            }
        }
        tuples.sort_unstable();
        Ok(Some(tuples))
    }

    /// Whether a part of the table could be published by itself.
    pub fn holds(&self, part: &Parts) -> bool {
        self.hold(part, 0..part.len() as u32)
    }

    fn hold(&self, part: &Parts, units: impl Iterator<Item = u32> + Clone) -> bool {
        let cube = self.loss.cube();
        let records = units.flat_map(|unit| part.records(unit as usize));
        let tally = plan::tally_records(cube, self.requirement, records.copied());
        self.requirement.holds(&tally)
    }

    /// Units that stay together, each piece in ascending order.
    fn cut(&self, part: &Parts, most: usize) -> Result<Vec<Vec<u32>>, Error> {
        let extents: Extents = part.extents(self.loss, self.requirement);
        let mut done = Vec::new();
        let mut waiting = vec![(0..part.len() as u32).collect::<Vec<u32>>()];
        while let Some(units) = waiting.pop() {
            self.options.check_cancelled()?;
            let place = if units.len() > most {
                self.best_place(&extents, &units)
            } else {
                None
            };
            let Some((slot, code)) = place else {
                done.push(units);
                continue;
            };
            let is_left = |&unit: &u32| self.loss.top(&extents, unit as usize, slot) < code;
            let (left, right): (Vec<u32>, Vec<u32>) = units.iter().partition(|unit| is_left(unit));
            let both_hold = [&left, &right]
                .iter()
                .all(|side| self.hold(part, side.iter().copied()));
            if both_hold {
                waiting.push(right);
                waiting.push(left);
            } else {
                done.push(units);
            }
        }
        Ok(done)
    }

    /// The slot and the code before which to cut: where sharing a group across costs most, times the
    /// share of the smaller side.
    fn best_place(&self, extents: &Extents, units: &[u32]) -> Option<(usize, Code)> {
        let mut best: Option<(f32, usize, Code)> = None;
        for slot in 0..self.loss.slots() {
            let mut units_of = vec![0usize; self.loss.domain(slot).len()];
            for &unit in units {
                units_of[self.loss.top(extents, unit as usize, slot) as usize] += 1;
            }
            let mut below = 0;
            let mut last = None;
            for (code, &count) in (0..).zip(&units_of) {
                if count == 0 {
                    continue;
                }
                let smaller = below.min(units.len() - below);
                if let Some(last) = last
                    && smaller * SMALLEST_SIDE >= units.len()
                {
                    let score = self.loss.pair(slot, last, code) * smaller as f32;
                    if best.is_none_or(|(most, ..)| score > most) {
                        best = Some((score, slot, code));
                    }
                }
                below += count;
                last = Some(code);
            }
        }
        best.map(|(_, slot, code)| (slot, code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::LabelRules;
    use mingle_model::{
        Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Providers, Role, Table,
    };
    use mingle_privacy::{K, Promise, Rule};

    fn column(name: &str, hierarchy: Option<HierarchySource>, texts: &[String]) -> Column {
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            hierarchy,
            ..ColumnSpec::new(name, Role::QuasiIdentifier)
        };
        let texts = texts.iter().map(String::as_str);
        Column::from_texts(spec, texts, &Missing::default()).expect("texts fit the kind")
    }

    /// 400 places below four first digits, three eighths of them in the first two, and one column
    /// of codes.
    fn cube() -> Cube {
        let mut zips = Vec::new();
        let mut codes = Vec::new();
        for row in 0..400 {
            let first = [1, 2, 2, 3, 3, 3, 4, 4][row % 8];
            zips.push(format!("{first}{:03}", row));
            codes.push(format!("code{:02}", row % 50));
        }
        Cube::new(Table {
            columns: vec![
                column("zip", Some(HierarchySource::Mask(3)), &zips),
                column("code", None, &codes),
            ],
            providers: Providers::new(vec!["A".into()]),
            provider_of: std::iter::repeat_n(0, 400).collect(),
            person_of: None,
        })
    }

    fn sizes(k: u64, most: usize) -> Vec<usize> {
        let cube = cube();
        let promise = Promise {
            rule: Rule::k_anonymity(K(k)),
            attribute: None,
        };
        let requirement = Requirement::bind(&[promise], &[], &[400]).expect("k is in range");
        let loss = GeneralizationCosts::weighted(&cube, &[1.0, 1.0], LabelRules::unlimited());
        let cutting = Cutting {
            loss: &loss,
            requirement: &requirement,
            options: &MethodOptions::default(),
            sizes: PieceSizes::USUAL,
        };
        let whole = Parts::of(&cube, &requirement, &vec![0]).remove(0);
        let pieces = cutting.cut(&whole, most).expect("nobody cancels");
        let mut all: Vec<u32> = pieces.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..400), "every unit is in one piece");
        pieces.iter().map(Vec::len).collect()
    }

    #[test]
    fn cuts_fall_between_the_highest_nodes_and_never_leave_a_side_that_fails() {
        assert_eq!(sizes(5, 400), [400]);
        // before 3, where both sides are large; then before 2 and before 4
        assert_eq!(sizes(5, 250), [150, 250]);
        assert_eq!(sizes(5, 150), [150, 150, 100]);
        // fewer than 160 cannot be published
        assert_eq!(sizes(160, 150), [400]);
    }
}
