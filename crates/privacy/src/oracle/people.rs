//! The slow truth about people: every coalition, every set of people it may leave out, every set of
//! values, word by word from the definitions.
//!
//! A person is a list of rows. Values are those of an attribute that are not missing. Where a
//! definition spreads a person's weight over her values, she is written out as that many equal rows,
//! and the definition over rows is asked. Nothing is shared with the code that is tested. Cost: fit
//! for half a dozen people.

use super::{Row, Value, at_most, fraction, has_missing, holds, project};
use crate::constraint::Attribute;
use crate::insiders::Knows;
use crate::ratio::Ratio;
use crate::rule::{L, Promise};
use mingle_model::{Code, Published, SensitiveColumn};
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// One row of a person: a code for each sensitive attribute, and who contributed it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OracleRow {
    /// The codes.
    pub values: Row,
    /// The provider's number.
    pub provider: u32,
}

/// A person of a group.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OraclePerson {
    /// Her rows in the group.
    pub rows: Vec<OracleRow>,
    /// Who else knows her, by rows in other groups.
    pub elsewhere: Vec<u32>,
}

impl OraclePerson {
    fn providers(&self) -> BTreeSet<u32> {
        let own = self.rows.iter().map(|row| row.provider);
        own.chain(self.elsewhere.iter().copied()).collect()
    }
}

/// The people of a published group, one by one; each row is one person where nobody said otherwise.
pub fn people(published: &Published, group: usize) -> Vec<OraclePerson> {
    let codes = |combination: u32| -> Row {
        let column = |column: &SensitiveColumn| -> Code { column.codes.get(combination as usize) };
        published.sensitive().iter().map(column).collect()
    };
    let mut people = Vec::new();
    let Some(published_people) = published.people() else {
        for entry in published.entries(group) {
            for _ in 0..entry.count {
                let row = OracleRow {
                    values: codes(entry.sensitive),
                    provider: entry.provider.0,
                };
                people.push(OraclePerson {
                    rows: vec![row],
                    elsewhere: Vec::new(),
                });
            }
        }
        return people;
    };
    for alike in published_people.of(group) {
        for _ in 0..alike.people {
            let mut rows = Vec::new();
            for entry in alike.entries {
                for _ in 0..entry.count {
                    rows.push(OracleRow {
                        values: codes(entry.sensitive),
                        provider: entry.provider.0,
                    });
                }
            }
            let elsewhere = alike.providers.iter().map(|provider| provider.0).collect();
            people.push(OraclePerson { rows, elsewhere });
        }
    }
    people
}

/// What is asked about a table, apart from a group of it.
#[derive(Clone, Copy)]
pub struct OracleQuestion<'a> {
    /// What is promised.
    pub promise: &'a Promise,
    /// The sensitive columns.
    pub sensitive: &'a [SensitiveColumn],
    /// Everybody in the published table.
    pub table: &'a [OraclePerson],
    /// What insiders know.
    pub knows: Knows,
}

impl OracleQuestion<'_> {
    /// The size of the smallest coalition of at most `m` providers that breaches the promise in a
    /// group; `None` where all are withstood.
    pub fn smallest_breach(&self, group: &[OraclePerson], m: usize) -> Option<usize> {
        let providers: BTreeSet<u32> = group.iter().flat_map(OraclePerson::providers).collect();
        let providers: Vec<u32> = providers.into_iter().collect();
        for size in 0..=m.min(providers.len()) {
            for coalition in subsets(&providers) {
                if coalition.len() == size && self.breached_by(group, &coalition) {
                    return Some(size);
                }
            }
        }
        None
    }

    /// Whether this coalition breaches the promise: it does not know everybody, and something that it
    /// can make of the group fails.
    pub fn breached_by(&self, group: &[OraclePerson], coalition: &[u32]) -> bool {
        let is_known = |person: &OraclePerson| match self.knows {
            Knows::People => person.providers().iter().any(|p| coalition.contains(p)),
            Knows::Rows => person
                .rows
                .iter()
                .all(|row| coalition.contains(&row.provider)),
        };
        let known: Vec<bool> = group.iter().map(is_known).collect();
        if known.iter().all(|&known| known) {
            return false;
        }
        match self.knows {
            Knows::People => {
                let candidates: Vec<usize> = (0..group.len()).filter(|&at| known[at]).collect();
                subsets(&candidates).into_iter().any(|left_out| {
                    let kept: Vec<usize> = (0..group.len())
                        .filter(|at| !left_out.contains(at))
                        .collect();
                    let rest: Vec<OraclePerson> =
                        kept.iter().map(|&at| group[at].clone()).collect();
                    let known: Vec<bool> = kept.iter().map(|&at| known[at]).collect();
                    !self.holds(&rest, &known)
                })
            }
            Knows::Rows => {
                let mut own = Vec::new();
                for (person, of_person) in group.iter().enumerate() {
                    for (row, of_row) in of_person.rows.iter().enumerate() {
                        if coalition.contains(&of_row.provider) {
                            own.push((person, row));
                        }
                    }
                }
                subsets(&own).into_iter().any(|taken| {
                    let (mut rest, mut still_known) = (Vec::new(), Vec::new());
                    for (person, of_person) in group.iter().enumerate() {
                        let mut left = of_person.clone();
                        let mut row = 0;
                        left.rows.retain(|_| {
                            row += 1;
                            !taken.contains(&(person, row - 1))
                        });
                        if !left.rows.is_empty() {
                            rest.push(left);
                            still_known.push(known[person]);
                        }
                    }
                    !self.holds(&rest, &still_known)
                })
            }
        }
    }

    /// Whether people satisfy the promise, to a reader who knows some of them.
    pub fn holds(&self, group: &[OraclePerson], known: &[bool]) -> bool {
        let rule = self.promise.rule;
        let people = BigUint::from(group.len());
        if let Some(k) = rule.as_k_anonymity() {
            return group.len() as u64 >= k.0;
        }
        let all_rows: Vec<Row> = rows(group);
        if let Some(max) = rule.as_max_share_of_rows() {
            let share = |person: &OraclePerson| (person.rows.len().into(), all_rows.len().into());
            let victims = group.iter().zip(known).filter(|(_, known)| !**known);
            return victims
                .map(|(person, _)| share(person))
                .all(|share| at_most(share, fraction(max)));
        }
        if let Some(L(l)) = rule.as_distinct_diversity() {
            return self.hitting_number_at_least(group, l) && self.uncounted(group, known, l);
        }
        if let Some(max) = rule.as_max_frequency() {
            let everything: BTreeSet<Value> = group.iter().flat_map(|p| self.values(p)).collect();
            let share = |value: &Value| {
                let with = group
                    .iter()
                    .filter(|p| self.values(p).contains(value))
                    .count();
                (BigUint::from(with), people.clone())
            };
            return everything
                .iter()
                .all(|value| at_most(share(value), fraction(max)))
                && self.holds_over_rows(group);
        }
        let spread = |people: &[OraclePerson]| self.spread(people);
        let (weights, table) = (spread(group), spread(self.table));
        let over_people = holds(self.promise, self.sensitive, &weights, &table);
        let l = rule
            .as_entropy_diversity()
            .map(ceiling)
            .or(rule.as_recursive_diversity().map(|(_, L(l))| l));
        let hit = l.is_none_or(|l| self.hitting_number_at_least(group, l));
        over_people && hit && self.holds_over_rows(group)
    }

    fn holds_over_rows(&self, group: &[OraclePerson]) -> bool {
        let table = rows(self.table);
        holds(self.promise, self.sensitive, &rows(group), &table)
    }

    /// The values of a person that are not missing: S_v.
    fn values(&self, person: &OraclePerson) -> BTreeSet<Value> {
        let attribute = self.attribute();
        let own: Vec<Row> = person.rows.iter().map(|row| row.values.clone()).collect();
        let mut values: BTreeSet<Value> = project(attribute, &own).into_iter().collect();
        values.retain(|value| !has_missing(attribute, self.sensitive, value));
        values
    }

    fn attribute(&self) -> Attribute {
        let attribute = self.promise.attribute;
        attribute.expect("the constraint is about an attribute")
    }

    /// No l - 1 values touch everybody who has any, and somebody has.
    fn hitting_number_at_least(&self, group: &[OraclePerson], l: u64) -> bool {
        let sets: Vec<BTreeSet<Value>> = group.iter().map(|person| self.values(person)).collect();
        let sets: Vec<&BTreeSet<Value>> = sets.iter().filter(|set| !set.is_empty()).collect();
        let everything: BTreeSet<&Value> = sets.iter().flat_map(|set| set.iter()).collect();
        let everything: Vec<&Value> = everything.into_iter().collect();
        let touches_all = |named: &Vec<&Value>| {
            let touched = |set: &&BTreeSet<Value>| named.iter().any(|value| set.contains(*value));
            sets.iter().all(touched)
        };
        let few = |named: &Vec<&Value>| (named.len() as u64) < l;
        !subsets(&everything)
            .iter()
            .filter(|named| few(named))
            .any(touches_all)
    }

    /// The counting reader: for nobody who is not known do her rows outnumber those that have none of
    /// l - 1 values.
    fn uncounted(&self, group: &[OraclePerson], known: &[bool], l: u64) -> bool {
        let attribute = self.attribute();
        let all = project(attribute, &rows(group));
        let named: BTreeSet<&Value> = all
            .iter()
            .filter(|value| !has_missing(attribute, self.sensitive, value))
            .collect();
        let named: Vec<&Value> = named.into_iter().collect();
        for set in subsets(&named) {
            if set.len() as u64 >= l {
                continue;
            }
            let outside = all.iter().filter(|value| !set.contains(value)).count();
            let counted =
                |(person, known): (&OraclePerson, &bool)| !known && person.rows.len() > outside;
            if group.iter().zip(known).any(counted) {
                return false;
            }
        }
        true
    }

    /// Each person as equally many rows, spread evenly over her values.
    fn spread(&self, people: &[OraclePerson]) -> Vec<Row> {
        let sets: Vec<BTreeSet<Value>> = people.iter().map(|person| self.values(person)).collect();
        let mut common = 1;
        while !sets
            .iter()
            .all(|set| set.is_empty() || common % set.len() == 0)
        {
            common += 1;
        }
        let mut spread = Vec::new();
        for set in &sets {
            for value in set {
                let row = match self.attribute() {
                    Attribute::Joint => value.clone(),
                    Attribute::Column(column) => {
                        let mut row = vec![0; self.sensitive.len()];
                        row[column] = value[0];
                        row
                    }
                };
                spread.extend(std::iter::repeat_n(row, common / set.len()));
            }
        }
        spread
    }
}

/// The counting reader as a question about worlds: whether every choice of `count` of these rows has
/// one that is marked.
pub fn surely_marked(marked: &[bool], count: usize) -> bool {
    let places: Vec<usize> = (0..marked.len()).collect();
    subsets(&places)
        .into_iter()
        .filter(|world| world.len() == count)
        .all(|world| world.iter().any(|&row| marked[row]))
}

fn rows(people: &[OraclePerson]) -> Vec<Row> {
    let of_person = |person: &OraclePerson| person.rows.clone();
    people
        .iter()
        .flat_map(of_person)
        .map(|row| row.values)
        .collect()
}

fn ceiling(ratio: Ratio) -> u64 {
    ratio.numerator().div_ceil(ratio.denominator())
}

/// All subsets of a list.
fn subsets<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for item in items {
        for at in 0..all.len() {
            let mut with = all[at].clone();
            with.push(item.clone());
            all.push(with);
        }
    }
    all
}
