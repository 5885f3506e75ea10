//! The tree of cuts: which questions are asked, and what follows from the answers.
//!
//! Everybody grows the same tree, because it depends on nothing but the declared domains, the terms
//! and the answers, which everybody has. The root is tested first; where it fails there is no
//! release. Then, level by level, each open cell takes the attribute that is widest, cuts it near
//! the median of a histogram or in the middle, and both sides are tested before the cut is made.
//! After a cut that fails the other attributes are tried in their middles; then the cell is a leaf.
//!
//! **Order of tests.** Sides that would fail for sure are not asked about: a side passes k only with
//! at least k + m b rows, and one whose noisy count is clearly below that (by three deviations) is
//! refused unasked. The smaller side comes first, and l after k.
//!
//! No answer here is about a single provider, and no row is ever seen.

use super::buckets::BucketDealing;
use super::capping::capped_threshold;
use super::cell::{CellBox, Cut, middle, places};
use super::shared::SharedSchema;
use super::terms::{Histograms, Rules};
use crate::error::Error;
use std::collections::VecDeque;
use std::sync::Arc;

/// Deviations of noise by which a count must be off before it is trusted to be.
const CLEARLY: i128 = 3;

/// A part of the tree that a question is about: a node, or one side of a cut of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    pub(crate) node: usize,
    /// The cut, and whether this is its right side.
    pub(crate) side: Option<(Cut, bool)>,
}

/// What a test measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Measure {
    /// Rows, capped per provider.
    Rest { cap: u64 },
    /// Providers with rows.
    Holders,
    /// Per bucket, providers with a value of it; by place among the promised l.
    Buckets(usize),
    /// Providers with at least l values.
    Rich(usize),
}

/// A test: how many of some secret sums are below their thresholds?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Test {
    pub(crate) region: Region,
    pub(crate) measure: Measure,
}

impl Test {
    /// How many sums it has, and what each must reach.
    pub(crate) fn thresholds(&self, rules: &Rules) -> (usize, u64) {
        match self.measure {
            Measure::Rest { cap } => (1, capped_threshold(rules.k, rules.m, cap)),
            Measure::Holders => (1, rules.holders.unwrap_or(0)),
            Measure::Buckets(at) => {
                let buckets = rules.diversity[at].dealing.buckets() as usize;
                (buckets, BucketDealing::holders_needed(rules.m))
            }
            Measure::Rich(_) => (1, BucketDealing::holders_needed(rules.m)),
        }
    }
}

/// What is asked of all providers together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// Counts of a node's rows by bins of an attribute, with noise.
    Histograms(Vec<HistogramQuestion>),
    /// Per test, how many of its sums are below their thresholds.
    Tests(Vec<Test>),
    /// Per leaf, how many rows have each combination of sensitive values.
    Totals(Vec<usize>),
}

/// One histogram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct HistogramQuestion {
    pub(crate) node: usize,
    pub(crate) attribute: usize,
    pub(crate) places: Vec<u32>,
}

/// A cell of the tree.
pub(crate) struct Node {
    pub(crate) cell: CellBox,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Option<[usize; 2]>,
    pub(crate) cut: Option<Cut>,
    estimate: Option<Estimate>,
}

/// A noisy count, with its variance.
#[derive(Clone, Copy)]
struct Estimate {
    count: i128,
    variance: i128,
}

impl Estimate {
    fn is_clearly_below(self, least: u64) -> bool {
        // a provider that lies can make a sum as large as it likes: squares must not overflow
        let short = i128::from(least) - self.count;
        short > 0 && short.saturating_mul(short) > CLEARLY * CLEARLY * self.variance
    }

    fn is_mostly_noise(self) -> bool {
        let square = self.count.saturating_mul(self.count);
        self.count <= 0 || square <= CLEARLY * CLEARLY * self.variance
    }
}

/// A cut that is being tested, or the root.
struct Trial {
    cut: Option<Cut>,
    /// What must pass, the smaller first.
    regions: Vec<Region>,
    estimates: [Option<Estimate>; 2],
    stage: TrialStage,
}

#[derive(Clone, PartialEq, Eq)]
enum TrialStage {
    /// k, of this region.
    Rest(usize),
    /// Contributors, of all regions.
    Holders,
    /// Each l of each region.
    Buckets,
    /// What buckets did not show.
    Rich(Vec<(usize, usize)>),
}

enum Verdict {
    Accepted,
    Rejected,
    Open,
}

/// A cell of the current level.
struct Work {
    node: usize,
    attempts: VecDeque<(Cut, [Option<Estimate>; 2])>,
    trial: Option<Trial>,
}

enum Stage {
    Root,
    Histograms(Vec<HistogramQuestion>),
    Tests,
    Totals,
}

/// How many cuts were made and how many were refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CutCounts {
    /// Both sides passed.
    pub accepted: u64,
    /// A side failed its test.
    pub rejected: u64,
    /// Refused without a test.
    pub skipped: u64,
    /// Tests asked.
    pub tests: u64,
}

/// The tree as far as it has grown.
pub(crate) struct CutTree {
    schema: Arc<SharedSchema>,
    rules: Rules,
    nodes: Vec<Node>,
    level: u32,
    works: Vec<Work>,
    stage: Stage,
    counts: CutCounts,
}

impl CutTree {
    pub(crate) fn new(schema: Arc<SharedSchema>, rules: Rules) -> CutTree {
        let root = Node {
            cell: CellBox::whole(schema.quasi_identifiers()),
            parent: None,
            children: None,
            cut: None,
            estimate: None,
        };
        let region = Region {
            node: 0,
            side: None,
        };
        let trial = Trial {
            cut: None,
            regions: vec![region],
            estimates: [None; 2],
            stage: TrialStage::Rest(0),
        };
        let work = Work {
            node: 0,
            attempts: VecDeque::new(),
            trial: Some(trial),
        };
        CutTree {
            schema,
            rules,
            nodes: vec![root],
            level: 0,
            works: vec![work],
            stage: Stage::Root,
            counts: CutCounts::default(),
        }
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    pub(crate) fn counts(&self) -> CutCounts {
        self.counts
    }

    /// The cells that are not cut, in the order in which they came to be.
    pub(crate) fn leaves(&self) -> Vec<usize> {
        let is_leaf = |node: &usize| self.nodes[*node].children.is_none();
        (0..self.nodes.len()).filter(is_leaf).collect()
    }

    /// What to ask now.
    pub(crate) fn question(&self) -> Question {
        match &self.stage {
            Stage::Root | Stage::Tests => {
                let mut tests = Vec::new();
                for work in &self.works {
                    if let Some(trial) = &work.trial {
                        tests.extend(trial.tests(&self.rules));
                    }
                }
                Question::Tests(tests)
            }
            Stage::Histograms(questions) => Question::Histograms(questions.clone()),
            Stage::Totals => Question::Totals(self.leaves()),
        }
    }

    /// Per test, how many of its sums are below their thresholds.
    pub(crate) fn answer_tests(&mut self, below: &[u64]) -> Result<(), Error> {
        let is_root = matches!(self.stage, Stage::Root);
        if !is_root && !matches!(self.stage, Stage::Tests) {
            return Err(Error::Defect("answers to no test"));
        }
        self.counts.tests += below.len() as u64;
        let mut rest = below;
        let mut works = std::mem::take(&mut self.works);
        for work in &mut works {
            let Some(trial) = &mut work.trial else {
                continue;
            };
            let asked = trial.tests(&self.rules).len();
            let Some((own, others)) = rest.split_at_checked(asked) else {
                return Err(Error::Defect("not one answer per test"));
            };
            rest = others;
            match trial.advance(own, &self.rules) {
                Verdict::Open => {}
                Verdict::Rejected if is_root => return Err(Error::Unsatisfiable),
                Verdict::Rejected => {
                    self.counts.rejected += 1;
                    work.trial = None;
                    self.next_attempt(work);
                }
                Verdict::Accepted => {
                    if let Some(trial) = work.trial.take() {
                        self.make(work.node, &trial);
                    }
                    work.attempts.clear();
                }
            }
        }
        works.retain(|work| work.trial.is_some());
        self.works = works;
        if self.works.is_empty() {
            self.next_level(is_root);
        }
        Ok(())
    }

    /// The sums of everybody's counts and noise, bin by bin.
    pub(crate) fn answer_histograms(&mut self, sums: &[Vec<i64>]) -> Result<(), Error> {
        let Stage::Histograms(questions) = std::mem::replace(&mut self.stage, Stage::Tests) else {
            return Err(Error::Defect("answers to no histogram"));
        };
        let fits = |(question, sum): (&HistogramQuestion, &Vec<i64>)| {
            sum.len() == question.places.len() + 1
        };
        if sums.len() != questions.len() || !questions.iter().zip(sums).all(fits) {
            return Err(Error::Defect("not one bin per count"));
        }
        let variance = i128::from(self.variance_of_bin());
        for (question, bins) in questions.iter().zip(sums) {
            self.plan_with(question, bins, variance);
        }
        self.start_trials();
        Ok(())
    }

    /// Of everybody's noise together.
    fn variance_of_bin(&self) -> u64 {
        match &self.rules.histograms {
            Histograms::Noisy(plan) => plan.shares().get(self.level as usize).map_or(0, |share| {
                share.variance().saturating_mul(self.rules.providers as u64)
            }),
            Histograms::None | Histograms::Exact => 0,
        }
    }

    fn has_histograms(&self) -> bool {
        match &self.rules.histograms {
            Histograms::None => false,
            Histograms::Exact => true,
            Histograms::Noisy(plan) => (self.level as usize) < plan.shares().len(),
        }
    }

    fn make(&mut self, node: usize, trial: &Trial) {
        let Some(cut) = trial.cut else {
            return;
        };
        self.counts.accepted += 1;
        let first = self.nodes.len();
        let sides = self.nodes[node].cell.sides(cut);
        for (cell, estimate) in sides.into_iter().zip(trial.estimates) {
            self.nodes.push(Node {
                cell,
                parent: Some(node),
                children: None,
                cut: None,
                estimate,
            });
        }
        self.nodes[node].children = Some([first, first + 1]);
        self.nodes[node].cut = Some(cut);
    }

    /// Opens the cells that the last level made; after the root, the root.
    fn next_level(&mut self, is_root: bool) {
        let mut open: Vec<usize> = Vec::new();
        if is_root {
            open.push(0);
        } else {
            self.level += 1;
            for node in 0..self.nodes.len() {
                if self.depth_of(node) == self.level {
                    open.push(node);
                }
            }
        }
        let mut questions = Vec::new();
        self.works = Vec::new();
        if self.level < self.rules.depth {
            for node in open {
                self.open(node, &mut questions);
            }
        }
        if !questions.is_empty() {
            self.stage = Stage::Histograms(questions);
            return;
        }
        self.stage = Stage::Tests;
        self.start_trials();
    }

    fn depth_of(&self, node: usize) -> u32 {
        let (mut depth, mut at) = (0, node);
        while let Some(parent) = self.nodes[at].parent {
            depth += 1;
            at = parent;
        }
        depth
    }

    fn open(&mut self, node: usize, questions: &mut Vec<HistogramQuestion>) {
        let columns = self.schema.quasi_identifiers();
        let cell = &self.nodes[node].cell;
        let by_width = cell.by_width(columns);
        let Some(&widest) = by_width.first() else {
            return;
        };
        let twice = self.rules.least_total.saturating_mul(2);
        if self.nodes[node]
            .estimate
            .is_some_and(|e| e.is_clearly_below(twice))
        {
            self.counts.skipped += 1;
            return;
        }
        let mut attempts = VecDeque::new();
        for attribute in by_width {
            if let Some(last) = middle(&columns[attribute], cell.ranges()[attribute]) {
                attempts.push_back((Cut { attribute, last }, [None; 2]));
            }
        }
        if self.has_histograms() {
            questions.push(HistogramQuestion {
                node,
                attribute: widest,
                places: places(&columns[widest], cell.ranges()[widest]),
            });
        }
        self.works.push(Work {
            node,
            attempts,
            trial: None,
        });
    }

    /// Replaces the first attempt of a cell by the cut that its histogram asks for.
    fn plan_with(&mut self, question: &HistogramQuestion, bins: &[i64], variance: i128) {
        let Some(work) = self
            .works
            .iter_mut()
            .find(|work| work.node == question.node)
        else {
            return;
        };
        let count: i128 = bins.iter().map(|&n| i128::from(n)).sum();
        let whole = Estimate {
            count,
            variance: variance * bins.len() as i128,
        };
        let twice = self.rules.least_total.saturating_mul(2);
        if whole.is_clearly_below(twice) {
            self.counts.skipped += 1;
            work.attempts.clear();
            return;
        }
        if whole.is_mostly_noise() {
            return;
        }
        let mut best: Option<(i128, usize, i128)> = None;
        let mut before = 0i128;
        for (place, &bin) in bins[..bins.len() - 1].iter().enumerate() {
            before += i128::from(bin);
            let unevenness = (2 * before - count).abs();
            if best.is_none_or(|(least, ..)| unevenness < least) {
                best = Some((unevenness, place, before));
            }
        }
        let Some((_, place, left)) = best else {
            return;
        };
        let cut = Cut {
            attribute: question.attribute,
            last: question.places[place],
        };
        let side = |count: i128, bins: usize| {
            Some(Estimate {
                count,
                variance: variance * bins as i128,
            })
        };
        let estimates = [
            side(left, place + 1),
            side(count - left, bins.len() - place - 1),
        ];
        if let Some(first) = work.attempts.front_mut() {
            *first = (cut, estimates);
        }
    }

    fn start_trials(&mut self) {
        let mut works = std::mem::take(&mut self.works);
        for work in &mut works {
            self.next_attempt(work);
        }
        works.retain(|work| work.trial.is_some());
        self.works = works;
        if self.works.is_empty() {
            // nothing to try on this level: the next one has no cells either
            if self
                .nodes
                .iter()
                .enumerate()
                .any(|(at, _)| self.depth_of(at) > self.level)
            {
                self.next_level(false);
            } else {
                self.stage = Stage::Totals;
            }
        }
    }

    fn next_attempt(&mut self, work: &mut Work) {
        while let Some((cut, estimates)) = work.attempts.pop_front() {
            let hopeless = |e: &Option<Estimate>| {
                e.is_some_and(|e| e.is_clearly_below(self.rules.least_total))
            };
            if estimates.iter().any(hopeless) {
                self.counts.skipped += 1;
                continue;
            }
            let right_first = match estimates {
                [Some(left), Some(right)] => right.count < left.count,
                _ => {
                    let (lo, hi) = self.nodes[work.node].cell.ranges()[cut.attribute];
                    hi - cut.last < cut.last - lo + 1
                }
            };
            let region = |right: bool| Region {
                node: work.node,
                side: Some((cut, right)),
            };
            work.trial = Some(Trial {
                cut: Some(cut),
                regions: vec![region(right_first), region(!right_first)],
                estimates,
                stage: TrialStage::Rest(0),
            });
            return;
        }
    }
}

impl Trial {
    fn tests(&self, rules: &Rules) -> Vec<Test> {
        let mut tests = Vec::new();
        match &self.stage {
            TrialStage::Rest(at) => {
                for &cap in &rules.caps {
                    tests.push(Test {
                        region: self.regions[*at],
                        measure: Measure::Rest { cap },
                    });
                }
            }
            TrialStage::Holders => {
                for &region in &self.regions {
                    tests.push(Test {
                        region,
                        measure: Measure::Holders,
                    });
                }
            }
            TrialStage::Buckets => {
                for &region in &self.regions {
                    for at in 0..rules.diversity.len() {
                        tests.push(Test {
                            region,
                            measure: Measure::Buckets(at),
                        });
                    }
                }
            }
            TrialStage::Rich(open) => {
                for &(region, at) in open {
                    tests.push(Test {
                        region: self.regions[region],
                        measure: Measure::Rich(at),
                    });
                }
            }
        }
        tests
    }

    fn advance(&mut self, below: &[u64], rules: &Rules) -> Verdict {
        match &self.stage {
            TrialStage::Rest(at) => {
                // any cap that is reached shows it
                if !below.contains(&0) {
                    return Verdict::Rejected;
                }
                if at + 1 < self.regions.len() {
                    self.stage = TrialStage::Rest(at + 1);
                    return Verdict::Open;
                }
                if rules.holders.is_some() {
                    self.stage = TrialStage::Holders;
                    return Verdict::Open;
                }
                self.ask_about_values(rules)
            }
            TrialStage::Holders => {
                if below.iter().any(|&below| below > 0) {
                    return Verdict::Rejected;
                }
                self.ask_about_values(rules)
            }
            TrialStage::Buckets => {
                let promised = rules.diversity.len();
                let mut open = Vec::new();
                for (asked, &thin) in below.iter().enumerate() {
                    let (region, at) = (asked / promised, asked % promised);
                    if !rules.diversity[at].dealing.suffices(thin) {
                        open.push((region, at));
                    }
                }
                if open.is_empty() {
                    return Verdict::Accepted;
                }
                self.stage = TrialStage::Rich(open);
                Verdict::Open
            }
            TrialStage::Rich(_) => {
                if below.iter().all(|&below| below == 0) {
                    Verdict::Accepted
                } else {
                    Verdict::Rejected
                }
            }
        }
    }

    fn ask_about_values(&mut self, rules: &Rules) -> Verdict {
        if rules.diversity.is_empty() {
            return Verdict::Accepted;
        }
        self.stage = TrialStage::Buckets;
        Verdict::Open
    }
}
