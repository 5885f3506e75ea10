//! The combinations of sensitive values of a table, from which constraints are bound.
//!
//! A combination's id is its place in every sensitive column's codes. All attributes taken together
//! have the ids themselves as codes.

use crate::constraint::{Absent, Attribute, Constraint, Equal, Ground, Hierarchical, Ordered};
use crate::error::Error;
use crate::people::scaled_counts;
use crate::rule::{Distance, Promise};
use mingle_model::{Alike, Code, Kinds, SensitiveColumn};

/// Sensitive columns and how often each combination of their values occurs in the whole table.
pub struct Combinations<'a> {
    sensitive: &'a [SensitiveColumn],
    table: &'a [u64],
    /// Everybody in the table, where people may have several rows.
    people: Option<&'a Kinds>,
}

impl<'a> Combinations<'a> {
    pub(crate) fn new(sensitive: &'a [SensitiveColumn], table: &'a [u64]) -> Result<Self, Error> {
        let misfit = sensitive
            .iter()
            .map(|column| column.codes.len())
            .find(|&codes| codes != table.len());
        if let Some(expected) = misfit {
            return Err(Error::Shape {
                expected,
                found: table.len(),
            });
        }
        match table
            .iter()
            .try_fold(0u64, |rows, &count| rows.checked_add(count))
        {
            None => Err(Error::TooManyRows),
            Some(0) => Err(Error::Empty),
            Some(_) => Ok(Combinations {
                sensitive,
                table,
                people: None,
            }),
        }
    }

    /// The same with everybody in the table.
    pub(crate) fn of_people(self, people: &'a Kinds) -> Self {
        Combinations {
            people: Some(people),
            ..self
        }
    }

    /// Checks a promise's parameters and attribute, and prepares its constraint.
    pub(crate) fn constraint(&self, promise: &Promise) -> Result<Box<dyn Constraint>, Error> {
        let rule = &promise.rule;
        rule.kind().bind(rule, promise.attribute, self)
    }

    /// The code of each combination.
    pub(crate) fn codes(&self, attribute: Attribute) -> Vec<Code> {
        match attribute {
            Attribute::Column(column) => self.sensitive[column].codes.iter().collect(),
            Attribute::Joint => (0..self.table.len() as Code).collect(),
        }
    }

    /// The attribute that a constraint is about, if the table has it.
    pub(crate) fn attribute(
        &self,
        constraint: &'static str,
        attribute: Option<Attribute>,
    ) -> Result<Attribute, Error> {
        let attributes = self.sensitive.len();
        let attribute = attribute.ok_or(Error::NoAttribute { constraint })?;
        let known = match attribute {
            Attribute::Column(column) => column < attributes,
            Attribute::Joint => attributes > 0,
        };
        if known {
            Ok(attribute)
        } else {
            Err(Error::UnknownAttribute {
                constraint,
                attributes,
            })
        }
    }

    /// Which codes of an attribute stand for a missing value.
    pub(crate) fn absent(&self, attribute: Attribute) -> Absent {
        match attribute {
            Attribute::Column(column) => self.sensitive[column]
                .domain
                .missing()
                .map_or(Absent::Never, Absent::Code),
            Attribute::Joint if self.sensitive.iter().all(|c| c.domain.missing().is_none()) => {
                Absent::Never
            }
            Attribute::Joint => {
                let missing = |id| {
                    self.sensitive
                        .iter()
                        .any(|c| c.domain.missing() == Some(c.codes.get(id)))
                };
                Absent::Marked((0..self.table.len()).map(missing).collect())
            }
        }
    }

    /// How far apart the values of an attribute are, prepared for the table.
    pub(crate) fn ground(&self, attribute: Attribute, distance: Distance) -> Result<Ground, Error> {
        let column = match (attribute, distance) {
            (Attribute::Column(column), _) => &self.sensitive[column],
            (Attribute::Joint, Distance::Equal) => {
                return Ok(Ground::Equal(Equal::new(self.table.to_vec())));
            }
            (Attribute::Joint, _) => {
                return Err(Error::JointDistance {
                    distance: distance.name(),
                });
            }
        };
        ground_of(column, distance, self.counts(column))
    }

    /// The same for the weights of people; `None` where each row is one person, or where weights are
    /// too wide.
    pub(crate) fn people_ground(
        &self,
        attribute: Attribute,
        distance: Distance,
    ) -> Result<Option<Ground>, Error> {
        let Some(people) = self.people else {
            return Ok(None);
        };
        let (codes, absent) = (self.codes(attribute), self.absent(attribute));
        let named = |alike: &Alike<'_>| {
            let own = alike
                .entries
                .iter()
                .map(|entry| codes[entry.sensitive as usize]);
            let mut own: Vec<Code> = own.filter(|&code| !absent.is(code)).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        let values = match attribute {
            Attribute::Column(column) => self.sensitive[column].domain.len(),
            Attribute::Joint => self.table.len(),
        };
        let Some(counts) = scaled_counts(people.iter(), named, values) else {
            return Ok(None);
        };
        match attribute {
            Attribute::Joint => Ok(Some(Ground::Equal(Equal::new(counts)))),
            Attribute::Column(column) => {
                ground_of(&self.sensitive[column], distance, counts).map(Some)
            }
        }
    }

    /// The table's counts by code of one column.
    fn counts(&self, column: &SensitiveColumn) -> Vec<u64> {
        let mut counts = vec![0; column.domain.len()];
        column
            .codes
            .iter()
            .zip(self.table)
            .for_each(|(code, count)| counts[code as usize] += count);
        counts
    }
}

/// How far apart the values of a column are, for a table with these counts.
fn ground_of(
    column: &SensitiveColumn,
    distance: Distance,
    counts: Vec<u64>,
) -> Result<Ground, Error> {
    let name = || column.name.clone();
    match distance {
        Distance::Equal => Ok(Ground::Equal(Equal::new(counts))),
        Distance::Ordered if !column.domain.is_ordered() => {
            Err(Error::Unordered { column: name() })
        }
        Distance::Ordered => Ok(Ground::Ordered(Ordered::new(&column.domain, &counts))),
        Distance::Hierarchical => {
            let hierarchy = column
                .domain
                .hierarchy()
                .ok_or_else(|| Error::NoHierarchy { column: name() })?;
            Ok(Ground::Hierarchical(Hierarchical::new(hierarchy, &counts)))
        }
    }
}
