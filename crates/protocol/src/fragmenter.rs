//! The fragmenter: from agreed groups to the published tables.
//!
//! Both sites know everybody's group, so no rows are joined: each sends its labels and, per group,
//! how often each of its sensitive values occurs, which is what will be public. Both then put the
//! same two messages together, number the groups by what is published about them and verify every
//! promise, the other's too.
//!
//! Missing values travel and are published as the empty text, whatever each site's files call them.

use crate::anonymizer::Anonymizer;
use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::hello::{MOST_LEVELS, Offer, OfferedColumn};
use crate::output::JointColumn;
use crate::synchronizer::Agreement;
use mingle_model::hierarchy::HierarchyRows;
use mingle_model::{
    Code, Column, ColumnSpec, FragmentColumn, FragmentGroup, Fragments, HierarchySource,
    Kind as ColumnKind, Missing, Role, Table,
};
use mingle_privacy::{Attribute, Distance, K, Promise, Rule, VerifiedFragments, verify_fragments};
use serde::{Deserialize, Serialize};

/// One site's part of the published tables. Groups are in the order of their first person, which
/// both sites know.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part {
    columns: Vec<JointColumn>,
    /// Per group a label of every quasi-identifier.
    labels: Vec<Vec<String>>,
    /// Per sensitive column its values.
    values: Vec<Values>,
}

/// The values of a sensitive column.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    /// The distinct texts, ascending.
    texts: Vec<String>,
    /// Per group how often each of them occurs, by place, ascending.
    groups: Vec<Vec<(u32, u64)>>,
}

/// Tables in the right shape that mean nothing.
const UNREADABLE: Violation = Violation::Inconsistent {
    what: "published tables that cannot be read",
};

/// What is published for "no value".
pub(crate) fn published_missing() -> Missing {
    Missing::new(vec![String::new()])
}

impl Part {
    /// This site's part.
    pub(crate) fn new(
        site: &Anonymizer<'_>,
        table: &Table,
        offer: &Offer,
        agreement: &Agreement,
        missing: &Missing,
    ) -> Result<Part, Error> {
        let members = agreement.groups.members();
        let label = |text: String| {
            if text == missing.canonical() {
                String::new()
            } else {
                text
            }
        };
        let labels = |(people, &round): (&Vec<u32>, &u32)| {
            site.labels(people, round).into_iter().map(label).collect()
        };
        let rules = offer
            .sensitive()
            .ok_or(Error::Defect("our own promises are understood"))?;
        let columns = offer.columns.iter().map(|offered| {
            let column = table.columns.iter().find(|c| c.spec.name == offered.name);
            let rules = rules
                .iter()
                .find(|(name, _)| *name == offered.name)
                .map_or(&[][..], |(_, rules)| rules);
            Ok(joint_column(
                offered,
                column.ok_or(Error::Defect("an offered column is in the table"))?,
                rules,
            ))
        });
        Ok(Part {
            columns: columns.collect::<Result<_, Error>>()?,
            labels: members
                .iter()
                .zip(&agreement.round_of)
                .map(labels)
                .collect(),
            values: table
                .with_role(Role::Sensitive)
                .map(|column| Values::new(column, &members))
                .collect(),
        })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("parts have string keys only")
    }

    /// Reads a part. Whether it fits the offer and the groups is found out when it is put together.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Part, Violation> {
        serde_json::from_slice(bytes).map_err(|_| Violation::Malformed {
            kind: Kind::Fragments.name(),
        })
    }

    /// Whether the other site's part can be put together with ours: what is wrong with it must not
    /// be taken for ours.
    pub(crate) fn check_received(
        &self,
        offer: &Offer,
        agreement: &Agreement,
    ) -> Result<(), Violation> {
        let sizes = agreement.groups.sizes();
        self.check(offer, sizes.len())?;
        let mut joint = self
            .columns
            .iter()
            .filter(|c| c.role == "sensitive")
            .zip(&self.values);
        if joint.all(|(joint, values)| {
            values.add_up(sizes) && values.describe(joint) && values.column(joint).is_ok()
        }) {
            Ok(())
        } else {
            Err(UNREADABLE)
        }
    }

    /// The columns must be those that were offered, and every list as long as the groups need it.
    fn check(&self, offer: &Offer, groups: usize) -> Result<(), Violation> {
        let same = |(column, offered): (&JointColumn, &OfferedColumn)| {
            (&column.name, &column.role, &column.hierarchy)
                == (&offered.name, &offered.role, &offered.hierarchy)
        };
        let of_role = |role: &str| offer.columns.iter().filter(|c| c.role == role).count();
        let fits = self.columns.len() == offer.columns.len()
            && self.columns.iter().zip(&offer.columns).all(same)
            && self.columns.iter().all(|column| kind(column).is_some())
            && self
                .columns
                .iter()
                .zip(&offer.columns)
                .all(|(column, offered)| needs_what_it_has(column, offered))
            && self
                .labels
                .iter()
                .flatten()
                .all(|label| !label.contains(char::is_control))
            && self.labels.len() == groups
            && self
                .labels
                .iter()
                .all(|labels| labels.len() == of_role("quasi-identifier"))
            && self.values.len() == of_role("sensitive")
            && self.values.iter().all(|values| values.fits(groups));
        if fits {
            Ok(())
        } else {
            Err(Violation::Inconsistent {
                what: "published tables of another shape",
            })
        }
    }
}

impl Values {
    fn new(column: &Column, members: &[Vec<u32>]) -> Values {
        let text = |code: Code| {
            if column.domain.missing() == Some(code) {
                String::new()
            } else {
                column.domain.text(code).to_owned()
            }
        };
        let mut texts: Vec<(String, Code)> = (0..column.domain.len() as Code)
            .map(|code| (text(code), code))
            .collect();
        texts.sort_unstable();
        let mut place = vec![0; texts.len()];
        texts
            .iter()
            .zip(0..)
            .for_each(|((_, code), rank)| place[*code as usize] = rank);
        let count = |people: &Vec<u32>| {
            let mut places: Vec<u32> = people
                .iter()
                .map(|&p| place[column.codes.get(p as usize) as usize])
                .collect();
            // sorted by value: the order of people would link the attributes again
            places.sort_unstable();
            places
                .chunk_by(|a, b| a == b)
                .map(|run| (run[0], run.len() as u64))
                .collect()
        };
        Values {
            groups: members.iter().map(count).collect(),
            texts: texts.into_iter().map(|(text, _)| text).collect(),
        }
    }

    fn fits(&self, groups: usize) -> bool {
        let ascending =
            |values: &Vec<(u32, u64)>| values.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let mut used = vec![false; self.texts.len()];
        let counted = |&(place, n): &(u32, u64)| match used.get_mut(place as usize) {
            Some(used) if n > 0 => {
                *used = true;
                true
            }
            _ => false,
        };
        self.groups.iter().flatten().all(counted)
            && used.iter().all(|&used| used)
            && self.texts.windows(2).all(|pair| pair[0] < pair[1])
            && self.groups.len() == groups
            && self.groups.iter().all(ascending)
    }

    /// Whether what describes the column is about its values and no longer than a site's own could
    /// be.
    fn describe(&self, joint: &JointColumn) -> bool {
        let rows = joint.hierarchy_rows.as_deref().unwrap_or_default();
        let order = joint.order.as_deref().unwrap_or_default();
        rows.len() <= self.texts.len()
            && order.len() <= self.texts.len()
            && rows.iter().all(|row| row.len() <= MOST_LEVELS + 1)
    }

    /// Whether every group has as many values as people.
    fn add_up(&self, sizes: &[u32]) -> bool {
        let sum = |values: &Vec<(u32, u64)>| {
            values
                .iter()
                .try_fold(0u64, |sum, &(_, n)| sum.checked_add(n))
        };
        self.groups
            .iter()
            .zip(sizes)
            .all(|(values, &size)| sum(values) == Some(size.into()))
    }

    /// The column's meaning, and per place of `texts` its code.
    fn column(&self, joint: &JointColumn) -> Result<Column, Error> {
        let rows = |rows: &Vec<Vec<String>>| {
            let rows = (1..).zip(rows.iter().cloned()).collect();
            HierarchySource::Rows(HierarchyRows {
                file: "the other site's hierarchy".to_owned(),
                rows,
            })
        };
        let spec = ColumnSpec {
            kind: Some(kind(joint).ok_or(Violation::Malformed {
                kind: Kind::Fragments.name(),
            })?),
            order: joint.order.clone(),
            hierarchy: joint.hierarchy_rows.as_ref().map(rows),
            ..ColumnSpec::new(&joint.name, Role::Sensitive)
        };
        Ok(Column::from_texts(
            spec,
            self.texts.iter().map(String::as_str),
            &published_missing(),
        )?)
    }
}

/// An order or a hierarchy is sent only where a promised distance is about it.
fn needs_what_it_has(column: &JointColumn, offered: &OfferedColumn) -> bool {
    let promised = |distance: Distance| {
        offered
            .promises
            .iter()
            .any(|text| text.ends_with(distance.name()))
    };
    (column.order.is_none() || promised(Distance::Ordered))
        && (column.hierarchy_rows.is_none() || promised(Distance::Hierarchical))
}

fn kind(column: &JointColumn) -> Option<ColumnKind> {
    ColumnKind::ALL
        .into_iter()
        .find(|kind| kind.name() == column.kind)
}

fn joint_column(offered: &OfferedColumn, column: &Column, rules: &[Rule]) -> JointColumn {
    let needs = |wanted| rules.iter().any(|rule| rule.distance() == Some(wanted));
    let domain = &column.domain;
    let listed = |&code: &Code| domain.missing() != Some(code);
    let codes = || (0..domain.len() as Code).filter(listed);
    let order = || codes().map(|code| domain.text(code).to_owned()).collect();
    let path = |code: Code| {
        let mut path = domain.path(code)?;
        if domain.missing() == Some(code) {
            path[0].clear();
        }
        Some(path)
    };
    let sensitive = column.spec.role == Role::Sensitive;
    let paths = || {
        (0..domain.len() as Code)
            .map(path)
            .collect::<Option<Vec<_>>>()
    };
    JointColumn {
        name: offered.name.clone(),
        role: offered.role.clone(),
        kind: domain.kind().name().to_owned(),
        hierarchy: offered.hierarchy.clone(),
        order: (sensitive && needs(Distance::Ordered) && !domain.kind().is_numeric()).then(order),
        hierarchy_rows: (sensitive && needs(Distance::Hierarchical))
            .then(paths)
            .flatten(),
    }
}

/// Puts both parts together and verifies every promise of both sites.
pub(crate) fn assemble(
    parts: [Part; 2],
    offers: [&Offer; 2],
    agreement: &Agreement,
    k: u64,
) -> Result<(VerifiedFragments, Vec<JointColumn>), Error> {
    let sizes = agreement.groups.sizes();
    let mut groups: Vec<FragmentGroup> = sizes
        .iter()
        .map(|&size| FragmentGroup {
            labels: Vec::new(),
            size: size.into(),
            values: Vec::new(),
        })
        .collect();
    let mut promises = vec![Promise {
        rule: Rule::k_anonymity(K(k)),
        attribute: None,
    }];
    let (mut names, mut sensitive, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (part, offer) in parts.into_iter().zip(offers) {
        part.check(offer, sizes.len())?;
        let rules = offer
            .sensitive()
            .ok_or(Error::Defect("offers were checked"))?;
        let joint = part.columns.iter().filter(|c| c.role == "sensitive");
        for ((joint, values), (_, rules)) in joint.zip(&part.values).zip(rules) {
            let attribute = Some(Attribute::Column(sensitive.len()));
            promises.extend(rules.into_iter().map(|rule| Promise { rule, attribute }));
            let column = values.column(joint)?;
            for (group, counts) in groups.iter_mut().zip(&values.groups) {
                group.values.push(
                    counts
                        .iter()
                        .map(|&(place, n)| (column.codes.get(place as usize), n))
                        .collect(),
                );
            }
            sensitive.push(FragmentColumn {
                name: column.spec.name.clone(),
                domain: column.domain,
            });
        }
        names.extend(
            part.columns
                .iter()
                .filter(|c| c.role == "quasi-identifier")
                .map(|c| c.name.clone()),
        );
        groups
            .iter_mut()
            .zip(part.labels)
            .for_each(|(group, labels)| group.labels.extend(labels));
        columns.extend(part.columns);
    }
    let fragments = Fragments::new(names, sensitive, groups)?;
    let verified = verify_fragments(fragments, &promises)?.into_verified();
    let failed = |v: Box<mingle_privacy::FragmentsVerification>| Error::NotVerified {
        constraint: v
            .witness()
            .map_or("a constraint that cannot be decided", |w| w.name)
            .to_owned(),
    };
    Ok((verified.map_err(failed)?, columns))
}
