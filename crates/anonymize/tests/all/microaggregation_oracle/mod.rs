//! MDAV row by row, straight from its description: nothing is kept between steps, every distance is
//! taken when it is asked for. Works on the texts of a table; only the order of rows and of values
//! is the cube's.

use mingle_model::{Cube, Domain};

/// What may be wrong with it, to see that the comparison would notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    None,
    SecondSeedFromAverage,
    OneRoundMore,
    LastOfEquals,
    NotStandardized,
    MissingIsZero,
    HierarchyIgnored,
    DenseSplit,
    AverageOfAll,
    MergeWithFirst,
    NeverAnew,
}

/// How a column is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Number,
    Date,
    /// The last 1, 2, … characters are masked.
    Masked(usize),
    Flat,
}

/// A table of texts.
pub struct Oracle<'a> {
    cube: &'a Cube,
    kinds: &'a [Kind],
    /// Row by row, in the cube's order.
    rows: Vec<Vec<Value>>,
    sensitive: Vec<u32>,
    tuples: Vec<usize>,
    /// Per column of numbers the standard deviation in steps.
    deviations: Vec<f64>,
    bug: Bug,
}

#[derive(Clone, PartialEq, Debug)]
enum Value {
    Missing,
    /// A fraction: whole steps above the smallest, and of how many rows together.
    Number(i128, i128),
    /// With its place in the column's order.
    Text(u32, String),
}

pub type Groups = Vec<Vec<usize>>;

impl<'a> Oracle<'a> {
    /// From a cube of single rows.
    pub fn new(cube: &'a Cube, kinds: &'a [Kind], bug: Bug) -> Self {
        let tuples: Vec<usize> = (0..cube.tuples())
            .flat_map(|t| cube.records_of(t).map(move |_| t))
            .collect();
        let mut rows = vec![Vec::new(); tuples.len()];
        for (c, kind) in kinds.iter().enumerate() {
            let qi = &cube.quasi_identifiers()[c];
            let codes: Vec<u32> = tuples.iter().map(|&t| qi.codes.get(t)).collect();
            for (row, value) in rows.iter_mut().zip(values(&qi.domain, &codes, *kind, bug)) {
                row.push(value);
            }
        }
        let sensitive = cube
            .records()
            .iter()
            .map(|record| record.sensitive)
            .collect();
        let deviation = |c: usize| match bug {
            Bug::NotStandardized => 1.0,
            _ => deviation(rows.iter().map(|row: &Vec<Value>| &row[c])),
        };
        let deviations = (0..kinds.len()).map(deviation).collect();
        Oracle {
            cube,
            kinds,
            rows,
            sensitive,
            tuples,
            deviations,
            bug,
        }
    }

    /// Groups of at least k rows with at least l sensitive values, if that is possible.
    pub fn groups(&self, k: usize, l: usize) -> Option<Groups> {
        let smallest = k.max(l);
        let weight = |row: usize| self.cube.weight(self.tuples[row]) as usize;
        let is_dense = |row: &usize| self.bug != Bug::DenseSplit && weight(*row) >= smallest;
        let (dense, rest): (Vec<usize>, Vec<usize>) = (0..self.rows.len()).partition(is_dense);
        let mut groups: Groups = dense
            .chunk_by(|&a, &b| self.tuples[a] == self.tuples[b])
            .map(<[usize]>::to_vec)
            .collect();
        groups.extend(self.mdav(rest, smallest));
        self.merge(&mut groups, &|group| {
            let mut seen: Vec<u32> = group.iter().map(|&row| self.sensitive[row]).collect();
            seen.sort_unstable();
            seen.dedup();
            group.len() >= k && seen.len() >= l
        });
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let mut seen: Vec<u32> = self.sensitive.clone();
        seen.sort_unstable();
        seen.dedup();
        (all.len() >= k && seen.len() >= l).then_some(groups)
    }

    fn mdav(&self, mut rest: Vec<usize>, k: usize) -> Groups {
        let mut groups = Vec::new();
        let everything = rest.clone();
        let bound = if self.bug == Bug::OneRoundMore {
            2 * k
        } else {
            3 * k
        };
        while rest.len() >= bound {
            let of = if self.bug == Bug::AverageOfAll {
                &everything
            } else {
                &rest
            };
            let average = self.average(of);
            let first = self.farthest(&rest, &average);
            groups.push(self.take_nearest(&mut rest, first, k));
            let from = if self.bug == Bug::SecondSeedFromAverage {
                average
            } else {
                self.rows[first].clone()
            };
            let second = self.farthest(&rest, &from);
            groups.push(self.take_nearest(&mut rest, second, k));
        }
        if rest.len() >= 2 * k {
            let first = self.farthest(&rest, &self.average(&rest));
            groups.push(self.take_nearest(&mut rest, first, k));
        }
        if !rest.is_empty() {
            groups.push(rest);
        }
        groups
    }

    fn farthest(&self, rows: &[usize], from: &[Value]) -> usize {
        let mut best = rows[0];
        for &row in &rows[1..] {
            let (new, old) = (
                self.distance(&self.rows[row], from),
                self.distance(&self.rows[best], from),
            );
            if new > old || (self.bug == Bug::LastOfEquals && new == old) {
                best = row;
            }
        }
        best
    }

    fn take_nearest(&self, rest: &mut Vec<usize>, seed: usize, k: usize) -> Vec<usize> {
        let mut nearest: Vec<usize> = rest.iter().copied().filter(|&row| row != seed).collect();
        let key = |&row: &usize| self.distance(&self.rows[row], &self.rows[seed]);
        nearest.sort_by(|a, b| key(a).total_cmp(&key(b)));
        let mut group = vec![seed];
        group.extend(nearest.into_iter().take(k - 1));
        rest.retain(|row| !group.contains(row));
        group
    }

    fn merge(&self, groups: &mut Groups, holds: &dyn Fn(&[usize]) -> bool) {
        let mut at = 0;
        while at < groups.len() {
            while !holds(&groups[at]) && groups.len() > 1 {
                let doubled = if self.bug == Bug::NeverAnew {
                    usize::MAX
                } else {
                    2 * groups[at].len()
                };
                let average = self.average(&groups[at]);
                let mut others: Vec<(f64, Vec<usize>)> = groups
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != at)
                    .map(|(_, group)| {
                        (self.distance(&average, &self.average(group)), group.clone())
                    })
                    .collect();
                if self.bug != Bug::MergeWithFirst {
                    others.sort_by(|a, b| a.0.total_cmp(&b.0));
                }
                for (_, other) in others {
                    if holds(&groups[at]) || groups[at].len() >= doubled {
                        break;
                    }
                    let place = groups
                        .iter()
                        .position(|group| *group == other)
                        .expect("it is there");
                    groups[at].extend(other);
                    groups.remove(place);
                    at -= usize::from(place < at);
                }
            }
            at += 1;
        }
    }

    fn average(&self, rows: &[usize]) -> Vec<Value> {
        (0..self.kinds.len())
            .map(|c| average(rows.iter().map(|&row| &self.rows[row][c])))
            .collect()
    }

    fn distance(&self, one: &[Value], other: &[Value]) -> f64 {
        (0..self.kinds.len())
            .map(|c| self.squared(c, &one[c], &other[c]))
            .sum()
    }

    fn squared(&self, column: usize, one: &Value, other: &Value) -> f64 {
        match (one, other, self.kinds[column]) {
            (Value::Number(a, m), Value::Number(b, n), _) => {
                let deviations =
                    (a * n - b * m).abs() as f64 / (m * n) as f64 / self.deviations[column];
                deviations * deviations
            }
            (Value::Missing, Value::Missing, _) => 0.0,
            (Value::Text(_, a), Value::Text(_, b), _) if a == b => 0.0,
            (Value::Text(_, a), Value::Text(_, b), Kind::Masked(levels))
                if self.bug != Bug::HierarchyIgnored =>
            {
                let common = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
                // the last level is the root
                let level = (a.len() - common).min(levels + 1) as f64 / (levels + 1) as f64;
                level * level
            }
            (_, _, Kind::Number | Kind::Date) => {
                let numbers = self.rows.iter().filter_map(|row| match row[column] {
                    Value::Number(steps, _) => Some(steps),
                    _ => None,
                });
                let widest = numbers.max().unwrap_or(0) as f64 / self.deviations[column];
                (widest * widest).max(1.0)
            }
            _ => 1.0,
        }
    }
}

fn average<'v>(values: impl Iterator<Item = &'v Value> + Clone) -> Value {
    let missing = values.clone().filter(|v| **v == Value::Missing).count();
    let number = |v: &Value| {
        if let Value::Number(steps, _) = v {
            Some(*steps)
        } else {
            None
        }
    };
    let numbers: Vec<i128> = values.clone().filter_map(number).collect();
    if missing > numbers.len() && values.clone().all(|v| !matches!(v, Value::Text(..))) {
        return Value::Missing;
    }
    if !numbers.is_empty() {
        return Value::Number(numbers.iter().sum(), numbers.len() as i128);
    }
    let count = |value: &Value| values.clone().filter(|v| *v == value).count();
    let order = |value: &Value| {
        if let Value::Text(place, _) = value {
            i64::from(*place)
        } else {
            -1
        }
    };
    let best =
        |a: &'v Value, b: &'v Value| match count(a).cmp(&count(b)).then(order(b).cmp(&order(a))) {
            std::cmp::Ordering::Less => b,
            _ => a,
        };
    values.clone().reduce(best).expect("some rows").clone()
}

fn values(domain: &Domain, codes: &[u32], kind: Kind, bug: Bug) -> Vec<Value> {
    let texts: Vec<&str> = codes.iter().map(|&code| domain.text(code)).collect();
    if !matches!(kind, Kind::Number | Kind::Date) {
        return texts
            .iter()
            .zip(codes)
            .map(|(text, &code)| {
                // without a place in a hierarchy or an order, it comes first
                if text.is_empty() {
                    Value::Missing
                } else {
                    Value::Text(code, (*text).to_owned())
                }
            })
            .collect();
    }
    let number = |text: &&str| -> Option<i128> {
        match kind {
            Kind::Date => days(text),
            // at most one decimal place
            _ => text
                .parse::<f64>()
                .ok()
                .map(|number| (number * 10.0).round() as i128),
        }
    };
    let zero = bug == Bug::MissingIsZero;
    let numbers: Vec<Option<i128>> = texts
        .iter()
        .map(|t| number(t).or(zero.then_some(0)))
        .collect();
    let low = numbers.iter().flatten().copied().min().unwrap_or(0);
    numbers
        .iter()
        .map(|n| n.map_or(Value::Missing, |n| Value::Number(n - low, 1)))
        .collect()
}

fn deviation<'v>(values: impl Iterator<Item = &'v Value>) -> f64 {
    let steps = values.filter_map(|v| {
        if let Value::Number(steps, _) = v {
            Some(*steps as f64)
        } else {
            None
        }
    });
    let steps: Vec<f64> = steps.collect();
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    let variance = steps.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / steps.len() as f64;
    if variance > 0.0 { variance.sqrt() } else { 1.0 }
}

/// Days since some day, for dates of the years 2000 to 2003.
fn days(text: &str) -> Option<i128> {
    let mut parts = text.split('-').map(|part| part.parse::<u32>());
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    let lengths = [
        31,
        if year == 2000 { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let years: u32 = (2000..year)
        .map(|y| if y == 2000 { 366 } else { 365 })
        .sum();
    Some((years + lengths[..month as usize - 1].iter().sum::<u32>() + day).into())
}
