//! Between a declared domain and how a manifest states it, read back exactly.

use crate::manifest::{column_kind, column_role, kind_of, role_of};
use mingle_dp::universe::CellId;
use mingle_dp::{Bins, DeclaredAttribute, DeclaredValues};
use mingle_model::{Kind, Number, date};
use mingle_record::manifest::{BinsEntry, DomainColumn};
use std::collections::HashMap;

/// How a manifest states a declaration.
pub fn domain_entry(attribute: &DeclaredAttribute) -> DomainColumn {
    let (labels, leaves, bins) = match &attribute.domain {
        DeclaredValues::Categories { labels, leaves } => {
            (Some(labels.clone()), pairs(labels, leaves), None)
        }
        DeclaredValues::Bins(bins) => (None, Vec::new(), Some(bins_entry(attribute, bins))),
    };
    DomainColumn {
        name: attribute.name.clone(),
        role: column_role(attribute.role),
        kind: column_kind(attribute.kind),
        labels,
        leaves,
        bins,
        other: attribute.other.clone(),
        missing: attribute.missing.clone(),
    }
}

/// The declaration; `None` if it is none that could have been made.
pub fn attribute_of(entry: &DomainColumn) -> Option<DeclaredAttribute> {
    let kind = kind_of(entry.kind);
    let domain = match (&entry.labels, &entry.bins) {
        (Some(labels), None) => categories(labels, &entry.leaves)?,
        (None, Some(bins)) if entry.leaves.is_empty() => DeclaredValues::Bins(bins_of(bins, kind)?),
        _ => return None,
    };
    Some(DeclaredAttribute {
        name: entry.name.clone(),
        role: role_of(entry.role),
        kind,
        domain,
        other: entry.other.clone(),
        missing: entry.missing.clone(),
    })
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

fn categories(labels: &[String], pairs: &[(String, String)]) -> Option<DeclaredValues> {
    let plain = DeclaredValues::categories(labels.to_vec()).ok()?;
    let DeclaredValues::Categories {
        labels,
        leaves: cells,
    } = plain
    else {
        return None;
    };
    if pairs.is_empty() {
        return Some(DeclaredValues::Categories {
            labels,
            leaves: cells,
        });
    }
    let leaf = |(leaf, label): &(String, String)| Some((leaf.clone(), *cells.get(label)?));
    let leaves: HashMap<String, CellId> = pairs.iter().map(leaf).collect::<Option<_>>()?;
    (leaves.len() == pairs.len()).then_some(DeclaredValues::Categories { labels, leaves })
}

fn bins_entry(attribute: &DeclaredAttribute, bins: &Bins) -> BinsEntry {
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

fn bins_of(entry: &BinsEntry, kind: Kind) -> Option<Bins> {
    if entry.decimals > Number::MAX_SCALE {
        return None;
    }
    let number = |text: &String| Number::parse(text)?.at_scale(entry.decimals);
    let value = |text: &String| match kind {
        Kind::Date => date::parse(text).map(i128::from),
        _ => number(text),
    };
    let starts = entry
        .starts
        .iter()
        .map(value)
        .collect::<Option<Vec<i128>>>()?;
    let bins = Bins::new(
        entry.decimals,
        number(&entry.step)?,
        starts,
        value(&entry.last)?,
    )
    .ok()?;
    Some(Bins {
        found: entry.private,
        ..bins
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::Role;

    fn attribute(kind: Kind, domain: DeclaredValues) -> DeclaredAttribute {
        let (other, missing) = (Some("other".into()), Some("?".into()));
        DeclaredAttribute {
            name: "c".into(),
            role: Role::Sensitive,
            kind,
            domain,
            other,
            missing,
        }
    }

    fn again(attribute: &DeclaredAttribute) -> Option<DeclaredAttribute> {
        let json = serde_json::to_string(&domain_entry(attribute)).unwrap();
        attribute_of(&serde_json::from_str::<DomainColumn>(&json).unwrap())
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
            (Kind::Date, DeclaredValues::Bins(days)),
            (Kind::Decimal, DeclaredValues::Bins(decimals)),
            (Kind::Integer, DeclaredValues::Bins(whole)),
            (Kind::Category, DeclaredValues::of_level(level).unwrap()),
            (
                Kind::Category,
                DeclaredValues::categories(vec!["=x".into(), "".into(), "ü".into()]).unwrap(),
            ),
        ] {
            let attribute = attribute(kind, domain);
            assert!(again(&attribute) == Some(attribute));
        }
    }

    #[test]
    fn what_nobody_could_declare_is_refused() {
        let good = domain_entry(&attribute(
            Kind::Integer,
            DeclaredValues::Bins(Bins::of_width(0, 1, 0, 9, 3).unwrap()),
        ));
        let with = |change: &dyn Fn(&mut DomainColumn)| {
            let mut column = good.clone();
            change(&mut column);
            attribute_of(&column).is_none()
        };
        assert!(attribute_of(&good).is_some());
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
            let column = DomainColumn {
                bins: None,
                labels,
                leaves,
                ..good.clone()
            };
            attribute_of(&column).is_none()
        };
        assert!(words(&[], &[]));
        assert!(words(&["a", "a"], &[]));
        assert!(words(&["a"], &[("x", "b")]));
        assert!(words(&["a"], &[("x", "a"), ("x", "a")]));
    }
}
