//! A release that several parties make together, none of whom sees another one's records.
//!
//! The release is the one that [`release`](crate::release()) makes, from the same code, with every
//! noisy count replaced by a sum: each party counts its own records, adds its
//! [share](crate::share) of noise, and only the sum of all is ever seen. [`SummedRelease::step`]
//! either names the next look, which everybody answers and adds up, or gives what is published; it
//! is a function of the sums, the declared domains and a seed that all have, so that all come to
//! the same.
//!
//! **Promise.** Against any coalition of at most max(colluding, 1) parties, who take out their own
//! counts and shares, all looks together keep the [`Guarantee`] for the records that a person has
//! at parties outside of it, of which there are at most [`Records::per_person`]; a bound that each
//! party enforces alone bounds a person at one party. Looks are chosen by earlier sums alone and
//! paid for from one [`Purse`] (ρ adds up under such choices).
//!
//! Three things differ from one place. Noise is Gaussian, so that pure ε is refused. Cells that
//! hold somebody are nobody's to tell, so that a histogram has noise in all of its cells or is
//! refused. And the distance of a pair from independence is not a sum: pairs are chosen by sums of
//! coarse tables, in which each attribute has at most `MOST_GROUPS` groups of cells that are
//! about equally frequent by the 1-way tables seen before. The score is Σ|sum − product| less what
//! noise alone would make of it and two of its deviations: in expectation it is below the pair's
//! distance, and an independent pair is seldom above zero. It is noisier than a distance of its own would be, for
//! which it takes a fifth of the budget instead of a tenth.
//!
//! Cost: a step is made anew from all sums, which is nothing until the last one.

use crate::Error;
use crate::amount::Amount;
use crate::bins::{even, find_by};
use crate::count::{cells_of, count};
use crate::guarantee::{Epsilon, Guarantee, epsilon_of};
use crate::histogram;
use crate::ledger::Receipt;
use crate::looks::{Looks, NoisyTable};
use crate::marginals;
use crate::noise::Shape;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::release::{self, Content, Output, Request};
use crate::selection::{Scores, scored_pairs};
use crate::share::{NoiseShare, ShareHolders};
use crate::synthetic;
use crate::universe::{CellId, DeclaredAttribute, DeclaredValues};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::sync::atomic::AtomicBool;

/// The most groups of an attribute's cells when pairs are scored.
const MOST_GROUPS: usize = 8;

/// The share of the budget for the scores of pairs.
const SCORES: f64 = 0.2;

/// The expected absolute value of Gaussian noise of deviation 1, where it is wide.
const ABSOLUTE: f64 = 0.798;

/// Two standard deviations of that value: the best of many pairs by noise alone is not believed.
const MARGIN: f64 = 2.0 * 0.603;

/// What is to be released together: public, and the same at every party.
#[derive(Clone, Debug)]
pub struct SummedRequest {
    /// The declared domains.
    pub attributes: Vec<DeclaredAttribute>,
    /// What is released.
    pub request: Request,
    /// What is promised, against any coalition of the holders.
    pub guarantee: Guarantee,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Who adds noise.
    pub holders: ShareHolders,
}

/// A joint release on its way.
pub struct SummedRelease {
    asked: SummedRequest,
    seed: [u8; 32],
    answers: Vec<Vec<Vec<i64>>>,
}

/// What a joint release needs next, or what it came to.
pub enum SummedStep {
    /// Everybody counts, adds its noise, and all add up.
    Look(SummedLook),
    /// What is published.
    Done(Box<SummedOutput>),
}

/// Tables that are counted at one time.
#[derive(Clone, PartialEq, Debug)]
pub struct SummedLook {
    sets: Vec<Vec<usize>>,
    shares: Vec<NoiseShare>,
    sizes: Vec<usize>,
    united: Vec<Option<United>>,
}

/// Cells of an attribute that are counted as one.
#[derive(Clone, PartialEq, Debug)]
struct United {
    into: Vec<CellId>,
    cells: usize,
}

/// What is published, before a receipt joins it.
#[derive(Clone, PartialEq)]
pub struct SummedOutput {
    /// The domains; bins that were found privately are in place.
    pub attributes: Vec<DeclaredAttribute>,
    /// What is promised against the largest coalition.
    pub guarantee: Guarantee,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Who added noise.
    pub holders: ShareHolders,
    /// ρ as it was spent; less than was promised where shares are as small as they may be.
    pub spent: Amount,
    /// The tables.
    pub content: Content,
}

impl SummedOutput {
    /// The release as one that was paid for.
    pub fn paid(self, receipt: Receipt) -> Result<Output, Error> {
        let release = match &self.content {
            Content::Marginals(_) => "marginals",
            Content::Histogram(_) => "histogram",
            Content::Synthetic(_) => "synthetic",
        };
        let is_covered = receipt.covers(release, self.records_per_person, false);
        if !is_covered || receipt.guarantee() != self.guarantee {
            return Err(Error::NotPaidFor);
        }
        Ok(Output {
            attributes: self.attributes,
            guarantee: self.guarantee,
            records_per_person: self.records_per_person,
            shape: Shape::Gaussian,
            content: self.content,
            receipt,
        })
    }

    /// ε and δ that were reached.
    pub fn reached(&self) -> (Epsilon, Amount) {
        let delta = match self.guarantee.delta() {
            none if none.is_zero() => Amount::BILLIONTH,
            delta => delta,
        };
        (epsilon_of(self.spent, delta), delta)
    }
}

impl SummedRequest {
    /// Whether it can be made at all, known from what is public: to be asked before anything is
    /// spent.
    pub fn check(&self) -> Result<(), Error> {
        let cells = crate::planned_cells(&self.attributes);
        let purse = Purse::of_shares(self.guarantee, self.holders)?;
        if self.records_per_person == 0 || cells.is_empty() {
            return Err(Error::OtherTable);
        }
        let sensitivity = Sensitivity::of_counts(self.records_per_person);
        let deviation = purse.deviation(1.0, sensitivity);
        if deviation.is_nan() || deviation > release::MOST_DEVIATION {
            return Err(Error::AllNoise { deviation });
        }
        match &self.request {
            Request::Marginals(options) => marginals::check(&cells, options),
            Request::Histogram(options) => histogram::check_dense(&cells, options),
            Request::Synthetic(options) => synthetic::check(&cells, options),
        }
    }
}

impl SummedRelease {
    /// Begins a release. The seed is what made-up records are drawn by: all parties have the same,
    /// and nobody needs to keep it secret.
    pub fn new(asked: SummedRequest, seed: [u8; 32]) -> Result<SummedRelease, Error> {
        asked.check()?;
        Ok(SummedRelease {
            asked,
            seed,
            answers: Vec::new(),
        })
    }

    /// The next look, or the end.
    pub fn step(&self, cancel: &AtomicBool) -> Result<SummedStep, Error> {
        let mut looks = SummedLooks::new(&self.asked, &self.answers)?;
        match self.make(&mut looks, cancel) {
            Ok(output) => Ok(SummedStep::Done(Box::new(output))),
            Err(Error::Unanswered) => match looks.asked {
                Some(look) => Ok(SummedStep::Look(look)),
                None => Err(Error::Unanswered),
            },
            Err(error) => Err(error),
        }
    }

    /// The sums of the last look, table by table.
    pub fn answer(&mut self, sums: Vec<Vec<i64>>) {
        self.answers.push(sums);
    }

    fn make(
        &self,
        looks: &mut SummedLooks<'_>,
        cancel: &AtomicBool,
    ) -> Result<SummedOutput, Error> {
        let mut attributes = self.asked.attributes.clone();
        find_by(&mut attributes, looks)?;
        let content = match &self.asked.request {
            Request::Marginals(options) => {
                Content::Marginals(marginals::make_by(looks, options, cancel)?)
            }
            Request::Histogram(options) => {
                Content::Histogram(histogram::make_dense_by(looks, options)?)
            }
            Request::Synthetic(options) => {
                let generator = || Ok(ChaCha8Rng::from_seed(self.seed));
                let made = synthetic::make_by(&attributes, looks, options, generator, cancel)?;
                Content::Synthetic(made)
            }
        };
        Ok(SummedOutput {
            attributes,
            guarantee: self.asked.guarantee,
            records_per_person: self.asked.records_per_person,
            holders: self.asked.holders,
            spent: looks.purse.spent(),
            content,
        })
    }
}

impl SummedLook {
    /// Per table its number of cells and the noise that each party adds to each of them.
    pub fn tables(&self) -> impl Iterator<Item = (usize, &NoiseShare)> {
        self.sizes.iter().copied().zip(&self.shares)
    }

    /// One party's counts, table by table, without noise: never to be sent as they are.
    pub fn own_counts(&self, records: &Records) -> Result<Vec<Vec<u64>>, Error> {
        if records.cells().len() != self.united.len() {
            return Err(Error::OtherTable);
        }
        let mut records = records.clone();
        for (attribute, united) in self.united.iter().enumerate() {
            let Some(united) = united else { continue };
            if united.into.len() != records.cells()[attribute] {
                return Err(Error::OtherTable);
            }
            records.united(attribute, &united.into, united.cells);
        }
        let tables = count(&records, &self.sets);
        if tables.iter().map(Vec::len).ne(self.sizes.iter().copied()) {
            return Err(Error::OtherTable);
        }
        Ok(tables)
    }
}

/// Looks that are answered by sums, as far as there are any.
struct SummedLooks<'a> {
    cells: Vec<usize>,
    is_ordered: Vec<bool>,
    per_person: u64,
    purse: Purse,
    united: Vec<Option<United>>,
    answers: std::slice::Iter<'a, Vec<Vec<i64>>>,
    asked: Option<SummedLook>,
}

impl SummedLooks<'_> {
    fn new<'a>(
        asked: &SummedRequest,
        answers: &'a [Vec<Vec<i64>>],
    ) -> Result<SummedLooks<'a>, Error> {
        let attributes = &asked.attributes;
        let is_ordered = |a: &DeclaredAttribute| matches!(a.domain, DeclaredValues::Bins(_));
        Ok(SummedLooks {
            cells: attributes.iter().map(DeclaredAttribute::len).collect(),
            is_ordered: attributes.iter().map(is_ordered).collect(),
            per_person: asked.records_per_person,
            purse: Purse::of_shares(asked.guarantee, asked.holders)?,
            united: vec![None; attributes.len()],
            answers: answers.iter(),
            asked: None,
        })
    }

    /// The sums of a look, if they are there.
    fn ask(&mut self, look: SummedLook) -> Result<Vec<Vec<i64>>, Error> {
        match self.answers.next() {
            Some(sums) if sums.iter().map(Vec::len).eq(look.sizes.iter().copied()) => {
                Ok(sums.clone())
            }
            Some(_) => Err(Error::OtherTable),
            None => {
                self.asked = Some(look);
                Err(Error::Unanswered)
            }
        }
    }
}

impl Looks for SummedLooks<'_> {
    fn cells(&self) -> &[usize] {
        &self.cells
    }

    fn per_person(&self) -> u64 {
        self.per_person
    }

    fn shape(&self) -> Shape {
        self.purse.shape()
    }

    fn left(&self) -> f64 {
        self.purse.left()
    }

    fn deviation(&self, share: f64, sensitivity: Sensitivity) -> f64 {
        self.purse.deviation(share, sensitivity)
    }

    fn tables(&mut self, sets: &[Vec<usize>], shares: &[f64]) -> Result<Vec<NoisyTable>, Error> {
        let sensitivity = Sensitivity::of_counts(self.per_person);
        let (mut bought, mut sizes, mut deviations) = (Vec::new(), Vec::new(), Vec::new());
        for (set, &share) in sets.iter().zip(shares) {
            let noise = self.purse.buy(share, sensitivity)?;
            deviations.push(self.purse.deviation_of(&noise));
            bought.push(NoiseShare::new(noise));
            sizes.push(cells_of(&self.cells, set).ok_or(Error::OtherTable)?);
        }
        let look = SummedLook {
            sets: sets.to_vec(),
            shares: bought,
            sizes,
            united: self.united.clone(),
        };
        let noisy = self.ask(look)?.into_iter().zip(deviations);
        Ok(noisy
            .map(|(counts, deviation)| NoisyTable { counts, deviation })
            .collect())
    }

    fn scores_share(&self) -> f64 {
        SCORES
    }

    fn pair_scores(&mut self, one_way: &[Vec<f64>], share: f64) -> Result<Scores, Error> {
        let pairs = scored_pairs(&self.cells);
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let sensitivity = Sensitivity::of_counts(self.per_person).times(pairs.len() as u64);
        let noise = self.purse.buy(share, sensitivity)?;
        let deviation = self.purse.deviation_of(&noise);
        let mut coarse = Vec::with_capacity(one_way.len());
        for (counts, &is_ordered) in one_way.iter().zip(&self.is_ordered) {
            coarse.push(groups(counts, is_ordered));
        }
        let sizes = pairs
            .iter()
            .map(|pair| coarse[pair[0]].cells * coarse[pair[1]].cells);
        let look = SummedLook {
            shares: vec![NoiseShare::new(noise); pairs.len()],
            sizes: sizes.collect(),
            united: self
                .united
                .iter()
                .zip(&coarse)
                .map(|(found, coarse)| Some(coarse.after(found.as_ref())))
                .collect(),
            sets: pairs.clone(),
        };
        let sums = self.ask(look)?;
        let one_way: Vec<Vec<f64>> = one_way
            .iter()
            .zip(&coarse)
            .map(|(counts, coarse)| coarse.sums(counts))
            .collect();
        let mut scores = Vec::with_capacity(pairs.len());
        for (pair, table) in pairs.iter().zip(&sums) {
            let apart = distance(table, &one_way[pair[0]], &one_way[pair[1]]);
            let cells = table.len() as f64;
            let by_noise = deviation * (ABSOLUTE * cells + MARGIN * cells.sqrt());
            scores.push(((pair[0], pair[1]), apart - by_noise));
        }
        Ok(scores)
    }

    fn unite(&mut self, attribute: usize, into: Vec<CellId>, cells: usize) {
        let united = United { into, cells };
        self.united[attribute] = Some(united.after(self.united[attribute].as_ref()));
        self.cells[attribute] = cells;
    }
}

impl United {
    /// This after another.
    fn after(&self, first: Option<&United>) -> United {
        let Some(first) = first else {
            return self.clone();
        };
        let into = first.into.iter().map(|&cell| self.into[usize::from(cell)]);
        United {
            into: into.collect(),
            cells: self.cells,
        }
    }

    fn sums(&self, counts: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.cells];
        for (&cell, count) in self.into.iter().zip(counts) {
            sums[usize::from(cell)] += count;
        }
        sums
    }
}

/// Cells in at most [`MOST_GROUPS`] groups that hold about equally many: neighbours where cells
/// have an order, otherwise each cell, frequent ones first, in the group that holds least.
fn groups(counts: &[f64], is_ordered: bool) -> United {
    let cells = counts.len().min(MOST_GROUPS);
    let mut into: Vec<CellId> = vec![0; counts.len()];
    if is_ordered {
        let rounded: Vec<i64> = counts.iter().map(|count| count.round() as i64).collect();
        let first = even(&rounded, cells);
        for (cell, group) in into.iter_mut().enumerate() {
            *group = (first.partition_point(|&start| start <= cell) - 1) as CellId;
        }
        return United { into, cells };
    }
    let mut falling: Vec<usize> = (0..counts.len()).collect();
    falling.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]).then(a.cmp(&b)));
    let mut held = vec![0.0f64; cells];
    for (place, cell) in falling.into_iter().enumerate() {
        let mut least = place.min(cells - 1);
        if place >= cells {
            for group in 0..cells {
                if held[group] < held[least] {
                    least = group;
                }
            }
        }
        into[cell] = least as CellId;
        held[least] += counts[cell];
    }
    United { into, cells }
}

/// The L1 distance of a noisy table from the product of two others, in records.
fn distance(table: &[i64], rows: &[f64], columns: &[f64]) -> f64 {
    let total = rows.iter().sum::<f64>().max(1.0);
    let mut sum = 0.0;
    for (row, counts) in rows.iter().zip(table.chunks(columns.len())) {
        for (column, &count) in columns.iter().zip(counts) {
            sum += (count as f64 - row * column / total).abs();
        }
    }
    sum
}

#[cfg(test)]
mod tests;
