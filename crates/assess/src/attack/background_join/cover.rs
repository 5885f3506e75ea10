//! Which groups a person may be in: those whose labels cover the quasi-identifiers that are known
//! about them.
//!
//! With full-domain generalization every person is in one group; with local recoding labels
//! overlap, and a reader cannot tell in which of several groups a person is. Groups are kept as a
//! tree, one level per column, and the original's tuples descend it together as long as they agree.
//! Cost: the labels that are looked at for each distinct prefix of values, far below groups times
//! tuples where labels are selective.

use super::error::Error;
use crate::utility;
use mingle_model::{Code, Cube, LabelReader, Missing, QuasiIdentifier, Reading};
use std::collections::HashMap;

/// The labels of all groups, and what they stand for. No `Debug`: labels may be cells.
pub struct Labels {
    /// In the original's order of quasi-identifiers.
    columns: Vec<LabelColumn>,
    /// Per group and column a label, group by group.
    of_group: Vec<u32>,
    groups: usize,
}

struct LabelColumn {
    texts: Vec<String>,
    readings: Vec<Reading>,
}

/// Tuples of the original that are alike in what is known, and the groups that cover them,
/// ascending.
pub struct Covered {
    pub tuples: Vec<u32>,
    pub groups: Vec<u32>,
}

impl Labels {
    /// Reads the labels; `groups` has one text per quasi-identifier, in the order of `names`.
    pub fn new(
        original: &Cube,
        missing: &Missing,
        names: &[&str],
        groups: &[Vec<&str>],
    ) -> Result<Labels, Error> {
        let own = |name: &str| {
            original
                .quasi_identifiers()
                .iter()
                .any(|qi| qi.name == name)
        };
        if let Some(extra) = names.iter().find(|name| !own(name)) {
            return Err(utility::Error::Column {
                column: (*extra).to_owned(),
            }
            .into());
        }
        let width = original.quasi_identifiers().len();
        let mut of_group = vec![0; width * groups.len()];
        let mut columns = Vec::with_capacity(width);
        for (c, qi) in original.quasi_identifiers().iter().enumerate() {
            let place = names.iter().position(|name| *name == qi.name);
            let place = place.ok_or_else(|| utility::Error::Column {
                column: qi.name.clone(),
            })?;
            let (column, labels) =
                LabelColumn::new(qi, missing, groups.iter().map(|texts| texts[place]))?;
            labels
                .into_iter()
                .enumerate()
                .for_each(|(group, label)| of_group[group * width + c] = label);
            columns.push(column);
        }
        Ok(Labels {
            columns,
            of_group,
            groups: groups.len(),
        })
    }

    /// A group's labels.
    pub fn texts(&self, group: usize) -> impl Iterator<Item = &str> {
        self.columns
            .iter()
            .enumerate()
            .map(move |(c, column)| column.texts[self.label(group, c)].as_str())
    }

    /// Whether a group's labels stand for one tuple of values only.
    pub fn is_exact(&self, group: usize) -> bool {
        self.columns
            .iter()
            .enumerate()
            .all(|(c, column)| column.readings[self.label(group, c)].count() == 1)
    }

    fn label(&self, group: usize, column: usize) -> usize {
        self.of_group[group * self.columns.len() + column] as usize
    }

    /// The tuples of the original that some group covers in the `known` columns.
    pub fn cover(&self, original: &Cube, known: &[usize]) -> Vec<Covered> {
        let code = |tuple: u32, column: usize| {
            original.quasi_identifiers()[column]
                .codes
                .get(tuple as usize)
        };
        let mut tuples: Vec<u32> = (0..original.tuples() as u32).collect();
        tuples.sort_by(|&a, &b| {
            known
                .iter()
                .map(|&c| code(a, c))
                .cmp(known.iter().map(|&c| code(b, c)))
        });
        let mut groups: Vec<u32> = (0..self.groups as u32).collect();
        groups.sort_by_key(|&g| {
            known
                .iter()
                .map(|&c| self.label(g as usize, c))
                .collect::<Vec<_>>()
        });
        let root = self.tree(&groups, known);
        let mut found = Vec::new();
        Descent {
            labels: self,
            code: &code,
            known,
        }
        .descend(&tuples, &[&root], 0, &mut found);
        found
    }

    /// A tree of groups that are sorted by their labels.
    fn tree(&self, groups: &[u32], known: &[usize]) -> Node {
        let Some((&column, rest)) = known.split_first() else {
            return Node {
                groups: groups.to_vec(),
                below: Vec::new(),
            };
        };
        let label = |g: u32| self.label(g as usize, column);
        let alike = groups.chunk_by(|&a, &b| label(a) == label(b));
        Node {
            groups: Vec::new(),
            below: alike.map(|g| (label(g[0]), self.tree(g, rest))).collect(),
        }
    }
}

/// Groups that agree in the labels of the levels above.
struct Node {
    /// At the last level.
    groups: Vec<u32>,
    /// By label of the next column.
    below: Vec<(usize, Node)>,
}

struct Descent<'a, C> {
    labels: &'a Labels,
    code: &'a C,
    known: &'a [usize],
}

impl<C: Fn(u32, usize) -> Code> Descent<'_, C> {
    fn descend(&self, tuples: &[u32], nodes: &[&Node], depth: usize, found: &mut Vec<Covered>) {
        if nodes.is_empty() || tuples.is_empty() {
            return;
        }
        let Some(&column) = self.known.get(depth) else {
            let mut groups: Vec<u32> = nodes
                .iter()
                .flat_map(|node| node.groups.iter().copied())
                .collect();
            groups.sort_unstable();
            found.push(Covered {
                tuples: tuples.to_vec(),
                groups,
            });
            return;
        };
        let readings = &self.labels.columns[column].readings;
        for alike in tuples.chunk_by(|&a, &b| (self.code)(a, column) == (self.code)(b, column)) {
            let code = (self.code)(alike[0], column);
            let below = nodes.iter().flat_map(|node| &node.below);
            let below: Vec<&Node> = below
                .filter(|(label, _)| readings[*label].covers(code))
                .map(|(_, node)| node)
                .collect();
            self.descend(alike, &below, depth + 1, found);
        }
    }
}

impl LabelColumn {
    fn new<'t>(
        qi: &QuasiIdentifier,
        missing: &Missing,
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<(LabelColumn, Vec<u32>), Error> {
        let reader = LabelReader::new(&qi.domain, missing);
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut column = LabelColumn {
            texts: Vec::new(),
            readings: Vec::new(),
        };
        let mut labels = Vec::new();
        for (group, text) in texts.enumerate() {
            let next = column.texts.len() as u32;
            let number = *numbers.entry(text).or_insert(next);
            labels.push(number);
            if number < next {
                continue;
            }
            let at = |covers_nothing: bool| {
                let (column, group) = (qi.name.clone(), group + 1);
                if covers_nothing {
                    utility::Error::CoversNothing { column, group }
                } else {
                    utility::Error::Unreadable { column, group }
                }
            };
            let reading = reader.read(text).ok_or_else(|| at(false))?;
            if reading.count() == 0 {
                return Err(at(true).into());
            }
            column.texts.push(text.to_owned());
            column.readings.push(reading);
        }
        Ok((column, labels))
    }
}
