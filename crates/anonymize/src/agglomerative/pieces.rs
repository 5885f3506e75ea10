//! Pieces of large tables: each is searched by itself.
//!
//! What a search costs for each unit grows with the table, in time (neighbours are far apart in
//! memory) and in memory (about a kilobyte a unit). So a large table is cut in two, again and again.
//! Who stands on different sides of a cut cannot share a group any more, so a cut goes where few
//! want to: between women and men, or between two decades. Who wants to is asked of a sample: its
//! units' nearest ones, found once before cutting, are the company that they would
//! have. Of two cuts the one is better that parts fewer of these pairs for as even a division, the
//! pairs parted per bit of information about a unit that the cut gives.
//!
//! Pieces have at most [`largest`](PieceSizes) units, since a search must fit into memory, and are cut
//! further, down to [`wanted`](PieceSizes), as long as hardly a pair is parted. Where groups are large,
//! a piece holds many of them. Where cuts go follows from quasi-identifiers and the number of rows,
//! and a cut is not made where a side would fail the requirement as a whole: every piece is a table of
//! its own that can be published. Cost: a search tree over the units and neighbours of one in
//! [`ONE_IN`] of them, then O(units × columns) for each time all are cut.

use super::clusters::{Parts, smallest_rows};
use crate::index::{Index, Query, TOLERANCE};
use crate::loss::{Extents, GeneralizationCosts};
use crate::{Error, MethodOptions, plan};
use mingle_model::Code;
use mingle_privacy::Requirement;
use rayon::prelude::*;

/// Which of several ways is best is looked at in so many places of a large table.
const PLACES: usize = 4;
/// The smaller side of a cut has at least one in so many units.
const SMALLEST_SIDE: usize = 8;
/// One in so many units says who its nearest are.
const ONE_IN: usize = 32;
/// It names so many for each unit that a group has, but not more than [`MOST_NEAREST`].
const NEAREST_EACH: f64 = 3.0;
const MOST_NEAREST: usize = 16;
/// In a table of more units than this, a part of them stands for all when neighbours are looked for.
const MOST_LOOKED_AT: usize = 1 << 18;
/// Counted beside the pairs that a cut parts, over what crossing it costs: where hardly any is parted,
/// the cut is better that fewer would like to cross.
const PRIOR: f64 = 1.0;
/// So much is added to what crossing a cut costs.
const SMALL_COST: f64 = 0.01;

/// From where on a table is large.
#[derive(Clone, Copy)]
pub(super) struct PieceSizes {
    /// Tables of at most so many units are not cut at all.
    pub whole: usize,
    /// No piece has more units, unless a cut would leave a side that fails.
    pub largest: usize,
    /// Pieces of at most so many units are not cut further.
    pub wanted: usize,
    /// A piece has room for at least so many groups, unless it would be too large: its borders must
    /// not be all there is.
    pub groups: usize,
    /// The largest share of near pairs that a cut may part where no memory is at stake.
    pub parted: f64,
    /// A place where several ways are compared has at most so many.
    pub place: usize,
}

impl PieceSizes {
    /// What fits into memory and into caches; tests have smaller ones.
    pub const USUAL: PieceSizes = PieceSizes {
        whole: 1 << 16,
        largest: 1 << 18,
        wanted: 12_000,
        groups: 1024,
        parted: 0.05,
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

/// Some units of a part of the table, in ascending order, and pairs among them that would like to share
/// a group.
struct Piece {
    units: Vec<u32>,
    pairs: Vec<(u32, u32)>,
}

/// A cut: units with smaller codes go to the left.
struct Place {
    slot: usize,
    code: Code,
    /// How many near pairs it parts, for each bit that it tells about a unit.
    price: f64,
    /// Of all near pairs.
    parted: f64,
}

/// How far a part of the table is cut.
#[derive(Clone, Copy)]
struct HowFar {
    /// Pieces of at most so many units are left as they are.
    most: usize,
    /// Pieces of more are cut whatever that parts.
    largest: usize,
}

impl Cutting<'_> {
    /// The pieces of a part of the table.
    pub fn pieces(&self, part: Parts) -> Result<Vec<Parts>, Error> {
        if part.len() <= self.sizes.whole {
            return Ok(vec![part]);
        }
        let all: Vec<u32> = (0..part.len() as u32).collect();
        let room = (self.sizes.groups as f64 * self.units_of_a_group(&part)) as usize;
        let largest = self.sizes.largest;
        let fine = HowFar {
            most: self.sizes.wanted.max(room),
            largest,
        };
        // the first cuts of a very large table follow from some of its units, the others from all
        let coarse = HowFar {
            most: largest,
            largest,
        };
        let mut pieces = Vec::new();
        for units in self.cut(&part, all, coarse)? {
            for units in self.cut(&part, units, fine)? {
                pieces.push(part.only(&units));
            }
        }
        Ok(pieces)
    }

    /// The tuples, or profiles, of a few places of a large table, or `None` where it is too small to be worth it.
    pub fn sample(&self, whole: &Parts) -> Result<Option<Vec<u32>>, Error> {
        if whole.len() <= 2 * PLACES * self.sizes.place {
            return Ok(None);
        }
        let all: Vec<u32> = (0..whole.len() as u32).collect();
        let most = self.sizes.place;
        let how_far = HowFar {
            most,
            largest: most,
        };
        let pieces = self.cut(whole, all, how_far)?;
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

    /// How many units the smallest group has in the mean, the rows of a coalition left out.
    fn units_of_a_group(&self, part: &Parts) -> f64 {
        let cube = self.loss.cube();
        let mut of_provider = vec![0.0; cube.providers().len()];
        for unit in 0..part.len() {
            for &record in part.records(unit) {
                let record = &cube.records()[record as usize];
                of_provider[record.provider.0 as usize] += record.count as f64;
            }
        }
        let rows: f64 = of_provider.iter().sum();
        of_provider.sort_by(|a, b| b.total_cmp(a));
        let m = usize::try_from(self.requirement.insiders().m.0).unwrap_or(usize::MAX);
        let taken: f64 = of_provider.iter().take(m).sum();
        let smallest = f64::from(smallest_rows(cube, self.requirement));
        let left = (rows - taken).max(smallest);
        smallest * part.len() as f64 / left
    }

    /// Units that stay together, each piece in ascending order.
    fn cut(&self, part: &Parts, units: Vec<u32>, how_far: HowFar) -> Result<Vec<Vec<u32>>, Error> {
        if units.len() <= how_far.most {
            return Ok(vec![units]);
        }
        let pairs = self.near_pairs(part, &units)?;
        let mut done = Vec::new();
        let mut waiting = vec![Piece { units, pairs }];
        while let Some(piece) = waiting.pop() {
            self.options.check_cancelled()?;
            let place = if piece.units.len() > how_far.most {
                self.best_place(part, &piece)
            } else {
                None
            };
            let must = piece.units.len() > how_far.largest;
            let place = place.filter(|place| must || place.parted <= self.sizes.parted);
            let Some(place) = place else {
                done.push(piece.units);
                continue;
            };
            let [left, right] = self.sides(part, &piece, &place);
            let both_hold = [&left, &right]
                .iter()
                .all(|side| self.hold(part, side.units.iter().copied()));
            if both_hold {
                waiting.push(right);
                waiting.push(left);
            } else {
                done.push(piece.units);
            }
        }
        Ok(done)
    }

    /// Both sides of a cut, with the pairs that it does not part.
    fn sides(&self, part: &Parts, piece: &Piece, place: &Place) -> [Piece; 2] {
        let is_left = |unit: u32| self.code(part, unit, place.slot) < place.code;
        let (left, right) = piece.units.iter().partition(|&&unit| is_left(unit));
        let mut sides = [left, right].map(|units| Piece {
            units,
            pairs: Vec::new(),
        });
        for &(one, other) in &piece.pairs {
            if is_left(one) == is_left(other) {
                sides[usize::from(!is_left(one))].pairs.push((one, other));
            }
        }
        sides
    }

    /// The largest code of a unit in a slot.
    #[inline]
    fn code(&self, part: &Parts, unit: u32, slot: usize) -> Code {
        part.top(self.loss, self.requirement, unit as usize, slot)
    }

    /// Units with their nearest ones: a sample of what would be parted.
    fn near_pairs(&self, part: &Parts, units: &[u32]) -> Result<Vec<(u32, u32)>, Error> {
        let every = units.len().div_ceil(MOST_LOOKED_AT);
        let looked_at: Vec<u32> = units.iter().copied().step_by(every).collect();
        let some = part.only(&looked_at);
        let extents: Extents = some.extents(self.loss, self.requirement);
        let cube = self.loss.cube();
        let mut rows = Vec::with_capacity(some.len());
        for unit in 0..some.len() {
            let counts = some.records(unit).iter();
            let counts = counts.map(|&record| cube.records()[record as usize].count as f32);
            rows.push(counts.sum::<f32>());
        }
        let items = (0..some.len() as u32).collect();
        let index = Index::new(self.loss, &extents, &rows, items);
        let wanted = (NEAREST_EACH * self.units_of_a_group(part)).ceil() as usize;
        let nearest = wanted.clamp(1, MOST_NEAREST);
        let lists: Result<Vec<Vec<(u32, u32)>>, Error> = index
            .items()
            .par_iter()
            .step_by(ONE_IN)
            .map(|&item| {
                self.options.check_cancelled()?;
                let query = Query {
                    extent: (&extents, item as usize),
                    rows: rows[item as usize],
                    tolerance: TOLERANCE,
                };
                let mut found = Vec::with_capacity(nearest + 1);
                index.nearest(query, nearest, |other| other != item, &mut found);
                let mut pairs = Vec::with_capacity(found.len());
                for (_, other) in found {
                    pairs.push((looked_at[item as usize], looked_at[other as usize]));
                }
                Ok(pairs)
            })
            .collect();
        Ok(lists?.concat())
    }

    /// The cut that parts the fewest near pairs for what it tells.
    fn best_place(&self, part: &Parts, piece: &Piece) -> Option<Place> {
        let all = piece.units.len();
        let mut best: Option<Place> = None;
        for slot in 0..self.loss.slots() {
            let values = self.loss.domain(slot).len();
            let mut units_of = vec![0usize; values];
            for &unit in &piece.units {
                units_of[self.code(part, unit, slot) as usize] += 1;
            }
            // where a pair begins to be parted and where it ends to be
            let mut parted_from = vec![0i64; values + 1];
            for &(one, other) in &piece.pairs {
                let codes = (self.code(part, one, slot), self.code(part, other, slot));
                parted_from[codes.0.min(codes.1) as usize + 1] += 1;
                parted_from[codes.0.max(codes.1) as usize + 1] -= 1;
            }
            let mut below = 0;
            let mut parted = 0;
            let mut last: Option<Code> = None;
            for (code, &count) in units_of.iter().enumerate() {
                parted += parted_from[code];
                let smaller = below.min(all - below);
                if let Some(last) = last
                    && count > 0
                    && smaller * SMALLEST_SIDE >= all
                {
                    let step = f64::from(self.loss.pair(slot, last, code as Code));
                    let tempting = PRIOR / (step + SMALL_COST);
                    let price = (parted as f64 + tempting) / entropy(below as f64 / all as f64);
                    if best.as_ref().is_none_or(|best| price < best.price) {
                        best = Some(Place {
                            slot,
                            code: code as Code,
                            price,
                            parted: parted as f64 / piece.pairs.len().max(1) as f64,
                        });
                    }
                }
                if count > 0 {
                    last = Some(code as Code);
                }
                below += count;
            }
        }
        best
    }
}

/// What it tells, in bits, on which side of a cut a unit stands.
fn entropy(share: f64) -> f64 {
    let other = 1.0 - share;
    -(share * share.log2() + other * other.log2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::LabelRules;
    use mingle_model::{
        Column, ColumnSpec, Cube, HierarchySource, Kind, Missing, Providers, Role, Table,
    };
    use mingle_privacy::{K, Promise, Rule};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

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
        let all = (0..whole.len() as u32).collect();
        let how_far = HowFar {
            most,
            largest: most,
        };
        let pieces = cutting.cut(&whole, all, how_far);
        let pieces = pieces.expect("nobody cancels");
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

    /// Sex, a year of birth and one of 60 codes, which go with nothing: whoever is near to somebody
    /// has the same sex and about the same age, and any code.
    #[test]
    fn cuts_do_not_part_those_who_are_near() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut texts: [Vec<String>; 3] = Default::default();
        for _ in 0..2_000 {
            texts[0].push(["female", "male"][rng.random_range(0..2)].to_owned());
            texts[1].push((1900 + rng.random_range(0..100)).to_string());
            texts[2].push(format!("code{:02}", rng.random_range(0..60)));
        }
        let mut year = column("year", None, &texts[1]);
        year.spec.kind = Some(Kind::Integer);
        let year_texts = texts[1].iter().map(String::as_str);
        let year = Column::from_texts(year.spec, year_texts, &Missing::default());
        let cube = Cube::new(Table {
            columns: vec![
                column("sex", None, &texts[0]),
                year.expect("years are numbers"),
                column("code", None, &texts[2]),
            ],
            providers: Providers::new(vec!["A".into()]),
            provider_of: std::iter::repeat_n(0, 2_000).collect(),
            person_of: None,
        });
        let promise = Promise {
            rule: Rule::k_anonymity(K(5)),
            attribute: None,
        };
        let requirement = Requirement::bind(&[promise], &[], &[2_000]).expect("k is in range");
        let loss = GeneralizationCosts::weighted(&cube, &[1.0; 3], LabelRules::unlimited());
        let cutting = Cutting {
            loss: &loss,
            requirement: &requirement,
            options: &MethodOptions::default(),
            sizes: PieceSizes::USUAL,
        };
        let whole = Parts::of(&cube, &requirement, &vec![0]).remove(0);
        let units: Vec<u32> = (0..whole.len() as u32).collect();
        let pairs = cutting.near_pairs(&whole, &units).expect("nobody cancels");
        let mut piece = Piece { units, pairs };
        let mut cut_columns = Vec::new();
        for _ in 0..3 {
            let place = cutting.best_place(&whole, &piece).expect("there are cuts");
            assert!(place.parted < 0.2, "{}", place.parted);
            cut_columns.push(loss.domain(place.slot).len());
            [piece, _] = cutting.sides(&whole, &piece, &place);
        }
        assert_eq!(cut_columns[0], 2, "first between women and men");
        assert!(!cut_columns.contains(&60), "codes are never cut");
    }

    /// What a cut is said to part, counted one by one.
    #[test]
    fn parted_pairs_are_those_on_different_sides() {
        let cube = cube();
        let promise = Promise {
            rule: Rule::k_anonymity(K(5)),
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
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for _ in 0..50 {
            let mut pairs = Vec::new();
            for _ in 0..rng.random_range(0..60) {
                pairs.push((rng.random_range(0..400), rng.random_range(0..400)));
            }
            let piece = Piece {
                units: (0..400).collect(),
                pairs,
            };
            let place = cutting.best_place(&whole, &piece).expect("there are cuts");
            let [left, right] = cutting.sides(&whole, &piece, &place);
            let parted = piece.pairs.len() - left.pairs.len() - right.pairs.len();
            let said = place.parted * piece.pairs.len() as f64;
            assert!((said - parted as f64).abs() < 1e-6, "{said} of {parted}");
            for (side, other) in [(&left, &right), (&right, &left)] {
                let is_here = |unit: &u32| side.units.contains(unit) && !other.units.contains(unit);
                assert!(side.pairs.iter().all(|(a, b)| is_here(a) && is_here(b)));
            }
        }
    }
}
