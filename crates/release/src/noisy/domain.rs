//! A declared domain as a manifest states it, read back exactly.

use crate::manifest::column::{kind, role};
use mingle_dp::universe::CellId;
use mingle_dp::{Attribute, Bins, Values};
use mingle_model::{Kind, Number, Role, date};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A column with its public domain: words, or bins of numbers or days.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainColumn {
    /// The column's name.
    pub name: String,
    /// Its role.
    #[serde(with = "role")]
    pub role: Role,
    /// Its kind, as declared.
    #[serde(with = "kind")]
    pub kind: Kind,
    /// The words, in their declared order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// Where words stand for other ones, as a level of a hierarchy does: each of those with its
    /// word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<(String, String)>,
    /// The bins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bins: Option<BinsEntry>,
    /// What stands for every value that is not declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// How a missing value is written in CSV; in Parquet it is null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Bins, each from its start to before the next one's. Numbers as texts, because readers of JSON
/// round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinsEntry {
    /// Where each bin starts.
    pub starts: Vec<String>,
    /// The largest value of the last bin.
    pub last: String,
    /// The distance between two values, in days where they are dates.
    pub step: String,
    /// Decimal places.
    pub decimals: u8,
    /// Whether the starts were found by a noisy look at the data, between declared bounds.
    pub private: bool,
}

impl DomainColumn {
    /// As a release states it.
    pub fn new(attribute: &Attribute) -> DomainColumn {
        let (labels, leaves, bins) = match &attribute.domain {
            Values::Categories { labels, leaves } => {
                (Some(labels.clone()), pairs(labels, leaves), None)
            }
            Values::Bins(bins) => (None, Vec::new(), Some(BinsEntry::new(attribute, bins))),
        };
        DomainColumn {
            name: attribute.name.clone(),
            role: attribute.role,
            kind: attribute.kind,
            labels,
            leaves,
            bins,
            other: attribute.other.clone(),
            missing: attribute.missing.clone(),
        }
    }

    /// The declaration; `None` if it is none that could have been made.
    pub fn attribute(&self) -> Option<Attribute> {
        let domain = match (&self.labels, &self.bins) {
            (Some(labels), None) => categories(labels, &self.leaves)?,
            (None, Some(bins)) if self.leaves.is_empty() => Values::Bins(bins.bins(self.kind)?),
            _ => return None,
        };
        Some(Attribute {
            name: self.name.clone(),
            role: self.role,
            kind: self.kind,
            domain,
            other: self.other.clone(),
            missing: self.missing.clone(),
        })
    }
}

/// Values that stand for something else than themselves, in the order of words and then of values.
fn pairs(labels: &[String], leaves: &HashMap<String, CellId>) -> Vec<(String, String)> {
    let mut all: Vec<(CellId, &String)> = leaves.iter().map(|(leaf, &cell)| (cell, leaf)).collect();
    if all
        .iter()
        .all(|&(cell, leaf)| labels[usize::from(cell)] == *leaf)
    {
        return Vec::new();
    }
    all.sort_unstable();
    all.into_iter()
        .map(|(cell, leaf)| (leaf.clone(), labels[usize::from(cell)].clone()))
        .collect()
}

fn categories(labels: &[String], pairs: &[(String, String)]) -> Option<Values> {
    let plain = Values::categories(labels.to_vec()).ok()?;
    let Values::Categories {
        labels,
        leaves: cells,
    } = plain
    else {
        return None;
    };
    if pairs.is_empty() {
        return Some(Values::Categories {
            labels,
            leaves: cells,
        });
    }
    let leaf = |(leaf, label): &(String, String)| Some((leaf.clone(), *cells.get(label)?));
    let leaves: HashMap<String, CellId> = pairs.iter().map(leaf).collect::<Option<_>>()?;
    (leaves.len() == pairs.len()).then_some(Values::Categories { labels, leaves })
}

impl BinsEntry {
    fn new(attribute: &Attribute, bins: &Bins) -> BinsEntry {
        BinsEntry {
            starts: bins
                .starts
                .iter()
                .map(|&start| attribute.text(start))
                .collect(),
            last: attribute.text(bins.last),
            step: Number::text(bins.step, bins.scale),
            decimals: bins.scale,
            private: bins.found || bins.private.is_some(),
        }
    }

    fn bins(&self, kind: Kind) -> Option<Bins> {
        if self.decimals > Number::MAX_SCALE {
            return None;
        }
        let number = |text: &String| Number::parse(text)?.at_scale(self.decimals);
        let value = |text: &String| match kind {
            Kind::Date => date::parse(text).map(i128::from),
            _ => number(text),
        };
        let starts = self
            .starts
            .iter()
            .map(value)
            .collect::<Option<Vec<i128>>>()?;
        let bins = Bins::new(
            self.decimals,
            number(&self.step)?,
            starts,
            value(&self.last)?,
        )
        .ok()?;
        Some(Bins {
            found: self.private,
            ..bins
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(kind: Kind, domain: Values) -> Attribute {
        let (other, missing) = (Some("other".into()), Some("?".into()));
        Attribute {
            name: "c".into(),
            role: Role::Sensitive,
            kind,
            domain,
            other,
            missing,
        }
    }

    fn again(attribute: &Attribute) -> Option<Attribute> {
        let json = serde_json::to_string(&DomainColumn::new(attribute)).unwrap();
        serde_json::from_str::<DomainColumn>(&json)
            .unwrap()
            .attribute()
    }

    #[test]
    fn declarations_come_back_as_they_were() {
        let days = Bins::of_width(0, 1, 11_000, 11_365, 30).unwrap();
        let decimals = Bins {
            found: true,
            ..Bins::of_count(2, 25, -150, 3_000, 7).unwrap()
        };
        let whole =
            Bins::of_width(0, 1, -9_007_199_254_740_993, 9_007_199_254_740_993, 1 << 50).unwrap();
        let level =
            [("a1", "a"), ("a2", "a"), ("b", "b")].map(|(l, w)| (l.to_owned(), w.to_owned()));
        for (kind, domain) in [
            (Kind::Date, Values::Bins(days)),
            (Kind::Decimal, Values::Bins(decimals)),
            (Kind::Integer, Values::Bins(whole)),
            (Kind::Category, Values::of_level(level).unwrap()),
            (
                Kind::Category,
                Values::categories(vec!["=x".into(), "".into(), "ü".into()]).unwrap(),
            ),
        ] {
            let attribute = attribute(kind, domain);
            assert!(again(&attribute) == Some(attribute));
        }
    }

    #[test]
    fn what_nobody_could_declare_is_refused() {
        let good = DomainColumn::new(&attribute(
            Kind::Integer,
            Values::Bins(Bins::of_width(0, 1, 0, 9, 3).unwrap()),
        ));
        let with = |change: &dyn Fn(&mut DomainColumn)| {
            let mut column = good.clone();
            change(&mut column);
            column.attribute().is_none()
        };
        assert!(good.attribute().is_some());
        let bins = |change: fn(&mut BinsEntry)| with(&|c| change(c.bins.as_mut().unwrap()));
        assert!(bins(|b| b.starts.clear()));
        assert!(bins(|b| b.starts.reverse()));
        assert!(bins(|b| b.starts[1] = "x".into()));
        assert!(bins(|b| b.last = "-1".into()));
        assert!(bins(|b| b.step = "0".into()));
        assert!(bins(|b| b.decimals = 200));
        assert!(with(&|c| c.bins = None));
        assert!(with(&|c| c.labels = Some(vec!["a".into()])));
        assert!(with(&|c| c.leaves = vec![("a".into(), "b".into())]));
        let words = |labels: &[&str], leaves: &[(&str, &str)]| {
            let leaves = leaves
                .iter()
                .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
                .collect();
            let labels = Some(labels.iter().map(|l| (*l).to_owned()).collect());
            DomainColumn {
                bins: None,
                labels,
                leaves,
                ..good.clone()
            }
            .attribute()
            .is_none()
        };
        assert!(words(&[], &[]));
        assert!(words(&["a", "a"], &[]));
        assert!(words(&["a"], &[("x", "b")]));
        assert!(words(&["a"], &[("x", "a"), ("x", "a")]));
    }
}
