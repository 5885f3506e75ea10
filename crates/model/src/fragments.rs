//! A fragmented publication: quasi-identifiers and sensitive attributes in tables of their own.
//!
//! `QI(gid, labels…)` and, per sensitive attribute, `SA(gid, value)` (Nielsen et al., D2Pt, section
//! 3.6; after Xiao and Tao's Anatomy). The group number, gid, is all that joins them: which of a
//! group's values belong together, and to which of its people, is published nowhere. For that, rows
//! of a table say nothing by their order: values are counts in the order of their codes, and groups
//! are numbered by what is published about them, never by the people in them.
//!
//! Groups are told apart by their gid, so two that carry the same labels stay two: each is checked
//! by itself.

use crate::codes::{Code, Codes};
use crate::domain::Domain;
use crate::provider::{ProviderId, Providers};
use crate::published::{Entry, Published, PublishedColumn, SensitiveColumn};
use std::collections::BTreeMap;
use thiserror::Error;

/// The name of the column that joins the tables.
pub const GID: &str = "gid";

/// A sensitive attribute of a fragmented publication.
#[derive(Clone)]
pub struct FragmentColumn {
    /// The column's name.
    pub name: String,
    /// Its values.
    pub domain: Domain,
}

/// A group before it is numbered. No `Debug`: it has cells.
#[derive(Clone)]
pub struct FragmentGroup {
    /// Its label in every quasi-identifier.
    pub labels: Vec<String>,
    /// How many people.
    pub size: u64,
    /// Per sensitive attribute the values that occur with their counts, in any order; repeated
    /// codes are added up.
    pub values: Vec<Vec<(Code, u64)>>,
}

/// Why groups are no fragmented publication. Columns and groups, never values.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum FragmentsError {
    /// Not one label per quasi-identifier or not one list of values per sensitive attribute.
    #[error("a group does not fit the columns")]
    Shape,
    /// A group's values are not as many as its people.
    #[error("column {column}: a group has not as many values as people")]
    Count {
        /// The sensitive attribute.
        column: String,
    },
    /// A code that the column does not have.
    #[error("column {column}: a group has a value that the column does not know")]
    Code {
        /// The sensitive attribute.
        column: String,
    },
    /// Somebody has several rows: fragments would not say which values are one person's.
    #[error("people have several rows, and fragments do not say which values are one person's")]
    People,
    /// Two columns of the same name, or one named as the group number.
    #[error("column {column} is there twice, or its name is taken by the group number")]
    Name {
        /// The column.
        column: String,
    },
}

/// Groups with their labels, their sizes and, attribute by attribute, their values. No `Debug`: it
/// has cells.
#[derive(Clone)]
pub struct Fragments {
    quasi_identifiers: Vec<String>,
    sensitive: Vec<FragmentColumn>,
    /// In the order of their numbers.
    groups: Vec<FragmentGroup>,
    suppressed: u64,
}

impl Fragments {
    /// Checks the groups and numbers them by what is published about them: labels, then size, then
    /// values.
    pub fn new(
        quasi_identifiers: Vec<String>,
        sensitive: Vec<FragmentColumn>,
        mut groups: Vec<FragmentGroup>,
    ) -> Result<Fragments, FragmentsError> {
        check_names(&quasi_identifiers, &sensitive)?;
        for group in &mut groups {
            if group.labels.len() != quasi_identifiers.len()
                || group.values.len() != sensitive.len()
            {
                return Err(FragmentsError::Shape);
            }
            for (values, column) in group.values.iter_mut().zip(&sensitive) {
                *values = add_up(values, column, group.size)?;
            }
        }
        groups.sort_unstable_by(|a, b| {
            let by_text =
                || text_order(&a.values, &sensitive).cmp(text_order(&b.values, &sensitive));
            a.labels
                .cmp(&b.labels)
                .then(a.size.cmp(&b.size))
                .then_with(by_text)
        });
        Ok(Fragments {
            quasi_identifiers,
            sensitive,
            groups,
            suppressed: 0,
        })
    }

    /// Takes a linked publication apart. Who contributed what is left behind.
    pub fn from_published(published: &Published) -> Result<Fragments, FragmentsError> {
        if published.people().is_some() {
            return Err(FragmentsError::People);
        }
        let group = |g: usize| FragmentGroup {
            labels: published
                .describe(g)
                .map(|(_, label)| label.to_owned())
                .collect(),
            size: published.size(g),
            values: published
                .sensitive()
                .iter()
                .map(|s| {
                    published
                        .entries(g)
                        .iter()
                        .map(|e| (s.codes.get(e.sensitive as usize), e.count))
                        .collect()
                })
                .collect(),
        };
        let column = |s: &SensitiveColumn| FragmentColumn {
            name: s.name.clone(),
            domain: s.domain.clone(),
        };
        let names = published.columns().iter().map(|c| c.name.clone()).collect();
        let columns = published.sensitive().iter().map(column).collect();
        let fragments =
            Fragments::new(names, columns, (0..published.groups()).map(group).collect())?;
        Ok(Fragments {
            suppressed: published.suppressed(),
            ..fragments
        })
    }

    /// The names of the quasi-identifiers.
    pub fn quasi_identifiers(&self) -> &[String] {
        &self.quasi_identifiers
    }

    /// The sensitive attributes.
    pub fn sensitive(&self) -> &[FragmentColumn] {
        &self.sensitive
    }

    /// The groups in the order of their numbers; the first has gid 1. Values are ascending by code,
    /// one entry each.
    pub fn groups(&self) -> &[FragmentGroup] {
        &self.groups
    }

    /// How many people are published.
    pub fn rows(&self) -> u64 {
        self.groups.iter().map(|g| g.size).sum()
    }

    /// How many people were left out.
    pub fn suppressed(&self) -> u64 {
        self.suppressed
    }

    /// What a reader of one sensitive attribute sees (of none: the quasi-identifiers alone), to be
    /// verified: the gid is the first quasi-identifier, so that groups that look alike otherwise
    /// stay apart.
    pub fn published(&self, attribute: Option<usize>) -> Published {
        let sensitive = attribute.map(|a| {
            let FragmentColumn { name, domain } = self.sensitive[a].clone();
            let codes: Codes = (0..domain.len() as Code).collect();
            SensitiveColumn {
                name,
                domain,
                codes,
            }
        });
        let entries = |group: &FragmentGroup| match attribute {
            Some(a) => group.values[a]
                .iter()
                .map(|&(code, count)| entry(code, count))
                .collect(),
            None => vec![entry(0, group.size)],
        };
        let (columns, labels) = self.label_columns();
        let mut starts = vec![0];
        let mut all = Vec::new();
        for group in &self.groups {
            all.extend(entries(group));
            starts.push(all.len());
        }
        let providers = Providers::new(vec![String::new()]);
        Published::from_parts(
            columns,
            labels,
            starts,
            all,
            sensitive.into_iter().collect(),
            providers,
            self.suppressed,
        )
    }

    /// The gid and the quasi-identifiers with their distinct labels, and per group a label of each.
    fn label_columns(&self) -> (Vec<PublishedColumn>, Vec<u32>) {
        let width = self.groups.len().to_string().len();
        // padded, so that the order of the texts is the order of the groups
        let gids = (1..=self.groups.len())
            .map(|gid| format!("{gid:0width$}"))
            .collect();
        let mut columns = vec![PublishedColumn {
            name: GID.to_owned(),
            labels: gids,
        }];
        let mut codes: Vec<Vec<u32>> = vec![(0..self.groups.len() as u32).collect()];
        for (c, name) in self.quasi_identifiers.iter().enumerate() {
            let mut rank: BTreeMap<&str, u32> = self
                .groups
                .iter()
                .map(|g| (g.labels[c].as_str(), 0))
                .collect();
            rank.values_mut().zip(0..).for_each(|(place, r)| *place = r);
            codes.push(
                self.groups
                    .iter()
                    .map(|g| rank[g.labels[c].as_str()])
                    .collect(),
            );
            let labels = rank.into_keys().map(str::to_owned).collect();
            columns.push(PublishedColumn {
                name: name.clone(),
                labels,
            });
        }
        let labels = (0..self.groups.len())
            .flat_map(|g| codes.iter().map(move |column| column[g]))
            .collect();
        (columns, labels)
    }
}

fn entry(sensitive: Code, count: u64) -> Entry {
    Entry {
        sensitive,
        provider: ProviderId(0),
        count,
    }
}

fn check_names(
    quasi_identifiers: &[String],
    sensitive: &[FragmentColumn],
) -> Result<(), FragmentsError> {
    let mut names = std::collections::HashSet::from([GID]);
    let all = quasi_identifiers
        .iter()
        .chain(sensitive.iter().map(|s| &s.name));
    match all.into_iter().find(|name| !names.insert(name.as_str())) {
        Some(column) => Err(FragmentsError::Name {
            column: column.clone(),
        }),
        None => Ok(()),
    }
}

/// One entry per value, ascending.
fn add_up(
    values: &[(Code, u64)],
    column: &FragmentColumn,
    size: u64,
) -> Result<Vec<(Code, u64)>, FragmentsError> {
    let mut counts: BTreeMap<Code, u64> = BTreeMap::new();
    let mut sum = 0u64;
    for &(code, count) in values {
        if code as usize >= column.domain.len() {
            return Err(FragmentsError::Code {
                column: column.name.clone(),
            });
        }
        sum = sum.saturating_add(count);
        let counted = counts.entry(code).or_default();
        *counted = counted.saturating_add(count);
    }
    if sum != size {
        return Err(FragmentsError::Count {
            column: column.name.clone(),
        });
    }
    Ok(counts.into_iter().filter(|&(_, count)| count > 0).collect())
}

/// Values by their texts: codes may differ between two readers of the same publication, texts do
/// not.
fn text_order<'a>(
    values: &'a [Vec<(Code, u64)>],
    columns: &'a [FragmentColumn],
) -> impl Iterator<Item = Vec<(&'a str, u64)>> {
    values.iter().zip(columns).map(|(values, column)| {
        let mut texts: Vec<(&str, u64)> = values
            .iter()
            .map(|&(code, n)| (column.domain.text(code), n))
            .collect();
        texts.sort_unstable();
        texts
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, ColumnSpec, Missing, Role};

    fn column(name: &str, values: &[&str]) -> FragmentColumn {
        let spec = ColumnSpec::new(name, Role::Sensitive);
        let column = Column::from_texts(spec, values.iter().copied(), &Missing::default())
            .expect("plain categories");
        FragmentColumn {
            name: name.to_owned(),
            domain: column.domain,
        }
    }

    fn group(label: &str, values: &[(Code, u64)]) -> FragmentGroup {
        let size = values.iter().map(|&(_, n)| n).sum();
        FragmentGroup {
            labels: vec![label.to_owned()],
            size,
            values: vec![values.to_vec()],
        }
    }

    fn fragments(groups: Vec<FragmentGroup>) -> Result<Fragments, FragmentsError> {
        Fragments::new(
            vec!["zip".into()],
            vec![column("disease", &["flu", "gout"])],
            groups,
        )
    }

    #[test]
    fn the_order_of_people_leaves_no_trace() {
        let groups = vec![
            group("*", &[(1, 2), (0, 1), (1, 1)]),
            group("*", &[(0, 2)]),
            group("1234*", &[(1, 2)]),
        ];
        let reversed = groups.iter().rev().cloned().collect();
        let [a, b] = [groups, reversed].map(|g| fragments(g).expect("sound"));
        let view = |f: &Fragments| {
            f.groups()
                .iter()
                .map(|g| (g.labels.clone(), g.size, g.values.clone()))
                .collect()
        };
        let (a, b): (Vec<_>, Vec<_>) = (view(&a), view(&b));
        assert_eq!(a, b);
        assert_eq!(a[1], (vec!["*".to_owned()], 4, vec![vec![(0, 1), (1, 3)]]));
    }

    #[test]
    fn groups_that_look_alike_stay_apart() {
        let published = fragments(vec![group("*", &[(0, 2)]), group("*", &[(0, 2)])])
            .expect("sound")
            .published(Some(0));
        assert_eq!((published.groups(), published.rows()), (2, 4));
        assert_eq!(
            published.describe(1).collect::<Vec<_>>(),
            [("gid", "2"), ("zip", "*")]
        );
    }

    #[test]
    fn groups_that_do_not_add_up_are_refused() {
        let column_name = || "disease".to_owned();
        let short = FragmentGroup {
            size: 3,
            ..group("*", &[(0, 2)])
        };
        assert_eq!(
            fragments(vec![short]).err(),
            Some(FragmentsError::Count {
                column: column_name()
            })
        );
        assert_eq!(
            fragments(vec![group("*", &[(7, 2)])]).err(),
            Some(FragmentsError::Code {
                column: column_name()
            })
        );
        let wide = FragmentGroup {
            labels: vec![],
            ..group("*", &[(0, 2)])
        };
        assert_eq!(fragments(vec![wide]).err(), Some(FragmentsError::Shape));
        let taken = Fragments::new(vec![GID.to_owned()], vec![], vec![]);
        assert_eq!(
            taken.err(),
            Some(FragmentsError::Name {
                column: GID.to_owned()
            })
        );
    }
}
