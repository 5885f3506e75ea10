//! Relative error of random COUNT queries, the workload of LeFevre et al. (ICDE 2006) and of Xiao
//! and Tao, *Anatomy* (VLDB 2006), as far as both agree.
//!
//! With q quasi-identifiers a query has min(2, q) to min(q, max(2, ⌊q/2⌋)) predicates, a number
//! drawn uniformly, on distinct quasi-identifiers drawn uniformly. A predicate is the range between
//! two uniformly drawn ranks among the values that occur in the original, in code order. The
//! release answers assuming uniform spread inside a cell: a row whose label covers c values of the
//! original, i of them inside the predicate, counts as i/c, and as the product over the predicates.
//! The error is |estimate − true| / max(true, 0.1 % of n); reported are mean and median. Releases
//! of noisy counts are asked the same queries, see [`QueryLines`] and [`Marginals`].
//!
//! Queries follow from the seed alone. They are grouped by the columns they touch; per set of
//! columns, original and release are each brought to distinct tuples with counts (`Histogram`) and
//! every query is one pass over those, or, for the original, a few look-ups in sums of counts where
//! the columns have few values (`RangeCounts`). Column sets run in parallel, each query is summed in a fixed
//! order, so the result does not depend on the number of threads. Cost: O(sets × (tuples + groups))
//! for the sets and O(distinct tuples of its set) for a query, whatever the number of its
//! predicates: few rows are left after two of them.

mod answering;
mod histogram;
mod lines;
mod marginals;

pub use answering::Stands;
pub use lines::QueryLines;
pub use marginals::Marginals;

use super::UtilityOptions;
use super::comparison::Comparison;
use answering::{Answering, Estimate};
use histogram::{Histogram, RangeCounts};
use mingle_model::{Code, Cube, Reading};
pub use mingle_record::utility::QueryError;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many queries are asked unless the caller wants another number.
pub const QUERIES: usize = 2_500;

/// Asks the release and the original the same random questions.
pub fn error(comparison: &Comparison<'_>, options: UtilityOptions) -> QueryError {
    ask(comparison.original(), &Groups::new(comparison), options)
}

/// Asks made-up records, or the cells of a histogram, what the original is asked.
pub fn error_of_lines(
    original: &Cube,
    release: &QueryLines,
    options: UtilityOptions,
) -> QueryError {
    ask(original, release, options)
}

/// Asks marginals what the original is asked.
pub fn error_of_marginals(
    original: &Cube,
    release: &Marginals<'_>,
    options: UtilityOptions,
) -> QueryError {
    ask(original, release, options)
}

fn ask(original: &Cube, release: &dyn Answering, options: UtilityOptions) -> QueryError {
    let values: Vec<u64> = original
        .quasi_identifiers()
        .iter()
        .map(|qi| qi.domain.len() as u64)
        .collect();
    // a table without rows has no values to draw from, and nothing to answer
    let asked = if original.rows() == 0 {
        0
    } else {
        options.queries
    };
    let queries = draw(&values, asked, options.seed);
    let mut errors = answer(original, release, &queries);
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    QueryError {
        mean,
        median: median(&mut errors),
        queries: asked,
        seed: options.seed,
    }
}

/// A conjunction of ranges, by ascending column.
pub(crate) struct Query {
    predicates: Vec<Predicate>,
}

pub(crate) struct Predicate {
    column: usize,
    lo: Code,
    hi: Code,
}

fn draw(values: &[u64], queries: usize, seed: u64) -> Vec<Query> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let q = values.len();
    let (fewest, most) = (q.min(2), q.min((q / 2).max(2)));
    let one = |_| {
        let width = fewest + below(&mut rng, (most - fewest + 1) as u64) as usize;
        let mut columns: Vec<usize> = (0..q).collect();
        for i in 0..width {
            let other = i + below(&mut rng, (q - i) as u64) as usize;
            columns.swap(i, other);
        }
        columns.truncate(width);
        columns.sort_unstable();
        let predicate = |column: usize| {
            let (a, b) = (
                below(&mut rng, values[column]) as Code,
                below(&mut rng, values[column]) as Code,
            );
            Predicate {
                column,
                lo: a.min(b),
                hi: a.max(b),
            }
        };
        Query {
            predicates: columns.into_iter().map(predicate).collect(),
        }
    };
    (0..queries).map(one).collect()
}

/// A uniform number below `n`, written out here so that queries do not change with a version of
/// `rand`.
fn below(rng: &mut ChaCha8Rng, n: u64) -> u64 {
    let unbiased = u64::MAX - u64::MAX % n;
    loop {
        let drawn = rng.next_u64();
        if drawn < unbiased {
            return drawn % n;
        }
    }
}

/// The error of each query, in the order of the queries.
fn answer(original: &Cube, release: &dyn Answering, queries: &[Query]) -> Vec<f64> {
    let mut by_columns: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (index, query) in queries.iter().enumerate() {
        by_columns
            .entry(query.predicates.iter().map(|p| p.column).collect())
            .or_default()
            .push(index);
    }
    let sets: Vec<(Vec<usize>, Vec<usize>)> = by_columns.into_iter().collect();
    let original = Original::new(original);
    let answered: Vec<Vec<f64>> = sets
        .par_iter()
        .map(|(columns, asked)| {
            let (truth, estimate) = (original.reduced(columns), release.reduced(columns));
            let error = |query: &Query| original.error(query, &truth, &*estimate);
            asked.iter().map(|&query| error(&queries[query])).collect()
        })
        .collect();
    let mut errors = vec![0.0; queries.len()];
    let all = sets
        .iter()
        .flat_map(|(_, asked)| asked)
        .zip(answered.iter().flatten());
    all.for_each(|(&query, &error)| errors[query] = error);
    errors
}

/// The original as plain columns with counts, laid out once for all sets.
struct Original<'a> {
    cube: &'a Cube,
    codes: Vec<Vec<Code>>,
    weights: Vec<u64>,
}

impl<'a> Original<'a> {
    fn new(cube: &'a Cube) -> Self {
        let codes = cube
            .quasi_identifiers()
            .iter()
            .map(|qi| qi.codes.iter().collect())
            .collect();
        Original {
            cube,
            codes,
            weights: (0..cube.tuples()).map(|tuple| cube.weight(tuple)).collect(),
        }
    }

    fn reduced(&self, columns: &[usize]) -> RangeCounts<'_> {
        let widths: Vec<usize> = columns
            .iter()
            .map(|&c| self.cube.quasi_identifiers()[c].domain.len())
            .collect();
        let codes: Vec<&[Code]> = columns.iter().map(|&c| self.codes[c].as_slice()).collect();
        RangeCounts::new(&widths, &codes, &self.weights)
    }

    fn error(&self, query: &Query, truth: &RangeCounts<'_>, estimate: &Estimate<'_>) -> f64 {
        let ranges: Vec<(Code, Code)> = query.predicates.iter().map(|p| (p.lo, p.hi)).collect();
        let truth = truth.within(&ranges) as f64;
        (estimate(query) - truth).abs() / truth.max(self.cube.rows() as f64 / 1000.0)
    }
}

/// Groups as a reader takes them: uniform spread inside of a cell.
struct Groups<'a> {
    comparison: &'a Comparison<'a>,
    columns: Vec<LabelColumn>,
}

impl<'a> Groups<'a> {
    fn new(comparison: &'a Comparison<'a>) -> Self {
        let published = comparison.published();
        let mut columns = Vec::with_capacity(comparison.columns().len());
        for column in comparison.columns() {
            let labels =
                (0..published.groups()).map(|group| published.labels(group)[column.place()]);
            columns.push(LabelColumn::new(column.readings(), labels.collect()));
        }
        Groups {
            comparison,
            columns,
        }
    }
}

impl Answering for Groups<'_> {
    fn reduced<'s>(&'s self, columns: &[usize]) -> Box<Estimate<'s>> {
        let mut asked = Vec::with_capacity(columns.len());
        for &column in columns {
            asked.push(&self.columns[column]);
        }
        let widths: Vec<usize> = asked.iter().map(|column| column.covered.len()).collect();
        let codes: Vec<&[Code]> = asked.iter().map(|column| &column.of_group[..]).collect();
        let lines = Histogram::new(&widths, &codes, self.comparison.sizes());
        if !lines.is_as_given() {
            return Box::new(move |query| {
                lines.weighted_by(|at, label| asked[at].share_within(label, &query.predicates[at]))
            });
        }
        let mut spans: Vec<(&[Code], &[Code])> = Vec::with_capacity(LOOKED_AT_FIRST);
        for column in asked.iter().take(LOOKED_AT_FIRST) {
            spans.push((&column.lowest_of_group, &column.highest_of_group));
        }
        Box::new(move |query| {
            let ranges: Vec<(Code, Code)> = query.predicates.iter().map(|p| (p.lo, p.hi)).collect();
            lines.weighted_where(&spans, &ranges, |at, label| {
                asked[at].share_within(label, &query.predicates[at])
            })
        })
    }
}

/// Groups that do not meet a query's ranges in the first columns are passed over at once.
const LOOKED_AT_FIRST: usize = 2;

/// Columns of fewer labels stay in the caches, in whatever order they stand.
const FEW_LABELS: usize = 1 << 12;

/// The labels of a column, laid out as queries look at them: group after group. With many distinct
/// labels most of the time would go into fetching them from all over the memory.
struct LabelColumn {
    /// Per group its label.
    of_group: Vec<Code>,
    /// Per group the lowest and the highest value that its label covers.
    lowest_of_group: Vec<Code>,
    highest_of_group: Vec<Code>,
    /// Per label what it covers.
    covered: Vec<Covered>,
    /// The ranges of all labels, one label's after the other's.
    ranges: Vec<(Code, Code)>,
}

impl LabelColumn {
    fn new(readings: &[Reading], mut of_group: Vec<Code>) -> LabelColumn {
        let mut order: Vec<Code> = (0..readings.len() as Code).collect();
        // few labels are added up in the order of their numbers: these stay as they are
        if readings.len() > FEW_LABELS && readings.len() > of_group.len() / 2 {
            order = number_by_appearance(readings.len(), &mut of_group);
        }
        let mut column = LabelColumn {
            lowest_of_group: Vec::with_capacity(of_group.len()),
            highest_of_group: Vec::with_capacity(of_group.len()),
            of_group,
            covered: Vec::with_capacity(order.len()),
            ranges: Vec::new(),
        };
        for label in order {
            let reading = &readings[label as usize];
            column.covered.push(Covered {
                values: reading.count(),
                lowest: reading.ranges.first().map_or(0, |range| range.0),
                highest: reading.ranges.last().map_or(0, |range| range.1),
                first_range: column.ranges.len(),
                ranges: reading.ranges.len(),
            });
            column.ranges.extend_from_slice(&reading.ranges);
        }
        for &label in &column.of_group {
            let covered = &column.covered[label as usize];
            column.lowest_of_group.push(covered.lowest);
            column.highest_of_group.push(covered.highest);
        }
        column
    }

    /// Which share of a label's values a predicate takes in.
    fn share_within(&self, label: Code, predicate: &Predicate) -> f64 {
        let covered = &self.covered[label as usize];
        let (lowest, highest) = (covered.lowest, covered.highest);
        if covered.values == 0 || highest < predicate.lo || predicate.hi < lowest {
            return 0.0;
        }
        if predicate.lo <= lowest && highest <= predicate.hi {
            return 1.0;
        }
        let span = u64::from(highest - lowest) + 1;
        // the ranges are looked at only where a predicate ends between them
        let within = if span == covered.values {
            count_within(&[(lowest, highest)], predicate)
        } else {
            let ranges = &self.ranges[covered.first_range..][..covered.ranges];
            count_within(ranges, predicate)
        };
        within as f64 / covered.values as f64
    }
}

/// Numbers labels anew in the order in which groups have them; says per new number the old one, those
/// that no group has at the end.
fn number_by_appearance(labels: usize, of_group: &mut [Code]) -> Vec<Code> {
    let mut new_of = vec![None; labels];
    let mut order = Vec::with_capacity(labels);
    for label in of_group {
        let old = *label;
        *label = *new_of[old as usize].get_or_insert_with(|| {
            order.push(old);
            order.len() as Code - 1
        });
    }
    for (old, new) in new_of.iter().enumerate() {
        if new.is_none() {
            order.push(old as Code);
        }
    }
    order
}

/// What a label covers.
struct Covered {
    values: u64,
    lowest: Code,
    highest: Code,
    /// Where its ranges stand.
    first_range: usize,
    ranges: usize,
}

/// How many of the values in some ranges a predicate takes in.
fn count_within(ranges: &[(Code, Code)], predicate: &Predicate) -> u64 {
    let mut within = 0;
    for &(lo, hi) in ranges {
        let end = u64::from(hi.min(predicate.hi)) + 1;
        within += end.saturating_sub(lo.max(predicate.lo).into());
    }
    within
}

/// Sorts in place; the mean of the two middle ones for an even number, 0 for none.
fn median(errors: &mut [f64]) -> f64 {
    errors.sort_unstable_by(f64::total_cmp);
    match errors.len() {
        0 => 0.0,
        n if n % 2 == 1 => errors[n / 2],
        n => (errors[n / 2 - 1] + errors[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod noisy_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::utility::example::{self, Made};
    use proptest::prelude::*;

    proptest! {
        /// Labels with holes and without, predicates that end anywhere.
        #[test]
        fn a_share_is_what_counting_the_ranges_gives(
            codes in proptest::collection::btree_set(0u32..40, 1..12),
            ends in (0u32..40, 0u32..40),
        ) {
            let mut label = Reading { ranges: Vec::new(), bounds: None };
            for &code in &codes {
                match label.ranges.last_mut() {
                    Some((_, hi)) if *hi + 1 == code => *hi = code,
                    _ => label.ranges.push((code, code)),
                }
            }
            let (lo, hi) = (ends.0.min(ends.1), ends.0.max(ends.1));
            let inside = codes.iter().filter(|&&code| lo <= code && code <= hi).count();
            let predicate = Predicate { column: 0, lo, hi };
            // among others, whose ranges stand before and behind its own
            let readings = [label.clone(), label.clone(), label];
            let column = LabelColumn::new(&readings, vec![1, 0, 2]);
            for number in 0..3 {
                let share = column.share_within(number, &predicate);
                prop_assert_eq!(share, inside as f64 / codes.len() as f64);
            }
        }

        /// However labels are numbered, a group keeps its own.
        #[test]
        fn labels_in_order_of_appearance_are_the_groups_own(
            old in proptest::collection::vec(0u32..30, 0..60),
        ) {
            let mut new = old.clone();
            let order = number_by_appearance(30, &mut new);
            for (&old, &new) in old.iter().zip(&new) {
                prop_assert_eq!(order[new as usize], old);
            }
            let mut next = 0;
            for &label in &new {
                prop_assert!(label <= next);
                next = next.max(label + 1);
            }
            let mut all = order;
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(0..30));
        }
    }

    /// Row by row: every original row is inside or not, every published row counts with its share.
    fn brute_force(made: &Made, query: &Query) -> f64 {
        let original = made.table.rows();
        let columns: Vec<_> = made.table.columns.iter().take(made.q()).collect();
        let truth = (0..original).filter(|&row| {
            query
                .predicates
                .iter()
                .all(|p| (p.lo..=p.hi).contains(&columns[p.column].codes.get(row)))
        });
        let truth = truth.count() as f64;
        let mut estimate = 0.0;
        for row in made.published_rows() {
            let share = query.predicates.iter().map(|p| {
                let covered: Vec<Code> = row[p.column].clone();
                let inside = covered
                    .iter()
                    .filter(|code| (p.lo..=p.hi).contains(code))
                    .count();
                inside as f64 / covered.len() as f64
            });
            estimate += share.product::<f64>();
        }
        (estimate - truth).abs() / truth.max(original as f64 / 1000.0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn queries_are_answered_as_row_by_row(made in example::any_release(), seed in 0u64..1000) {
            let comparison = made.comparison();
            let values: Vec<u64> = comparison.columns().iter().map(|c| c.domain().len() as u64).collect();
            let queries = draw(&values, 40, seed);
            let errors = answer(&made.cube, &Groups::new(&comparison), &queries);
            for (query, error) in queries.iter().zip(errors) {
                prop_assert!((error - brute_force(&made, query)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn queries_have_the_promised_shape() {
        for (q, widths) in [
            (0, 0..=0),
            (1, 1..=1),
            (2, 2..=2),
            (3, 2..=2),
            (5, 2..=2),
            (6, 2..=3),
            (9, 2..=4),
        ] {
            let queries = draw(&vec![7; q], 500, 1);
            assert!(
                queries
                    .iter()
                    .all(|query| widths.contains(&query.predicates.len())),
                "{q}"
            );
            for width in widths {
                assert!(
                    queries.iter().any(|query| query.predicates.len() == width),
                    "{q}: {width}"
                );
            }
            for query in &queries {
                assert!(
                    query
                        .predicates
                        .windows(2)
                        .all(|w| w[0].column < w[1].column)
                );
                assert!(query.predicates.iter().all(|p| p.lo <= p.hi && p.hi < 7));
            }
        }
    }

    #[test]
    fn draws_are_uniform_and_depend_on_the_seed() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut counts = [0; 5];
        (0..50_000).for_each(|_| counts[below(&mut rng, 5) as usize] += 1);
        assert!(
            counts.iter().all(|c| (9_600..10_400).contains(c)),
            "{counts:?}"
        );
        let los = |seed| -> Vec<Code> {
            draw(&[1000, 1000], 20, seed)
                .iter()
                .flat_map(|q| q.predicates.iter().map(|p| p.lo))
                .collect()
        };
        assert_eq!(los(1), los(1));
        assert_ne!(los(1), los(2));
    }

    #[test]
    fn medians() {
        assert_eq!(median(&mut []), 0.0);
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
