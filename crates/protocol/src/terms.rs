//! What two sites must agree on before a byte that depends on data is sent.

use crate::error::Error;
use crate::hello::Offer;
use crate::synchronizer::{Leak, Synchronizer};
use mingle_privacy::{L, K, Distance, Ratio, Rule};
use serde::{Deserialize, Serialize};

/// The version of the protocol spoken here.
pub const VERSION: u16 = 1;

/// Lists of more people need another protocol: a message holds a whole list.
pub const MOST_PEOPLE: u32 = 1 << 24;

/// Which of the two sites this is. Site 1 evaluates where a synchronizer needs an evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Seat {
    /// Site 0.
    #[serde(rename = "0")]
    Zero,
    /// Site 1.
    #[serde(rename = "1")]
    One,
}

impl Seat {
    /// The other one.
    pub fn other(self) -> Seat {
        match self {
            Seat::Zero => Seat::One,
            Seat::One => Seat::Zero,
        }
    }

    /// 0 or 1.
    pub fn number(self) -> usize {
        match self {
            Seat::Zero => 0,
            Seat::One => 1,
        }
    }
}

/// The parameters of a joint release. Both sites state them; they must be equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// How the sites' partitions become one.
    pub synchronizer: Synchronizer,
    /// The most that may be revealed on the way.
    pub accept_leak: Leak,
    /// How long the lists of identifiers look.
    pub padded_size: u32,
    /// What is promised in general, k first; how far apart values are is each site's own choice per
    /// column.
    pub promises: Vec<Rule>,
}

impl Terms {
    /// Whether they make sense by themselves.
    pub fn check(&self) -> Result<(), Error> {
        let leak = self.synchronizer.leak();
        if leak > self.accept_leak {
            return Err(Error::LeakNotAccepted {
                synchronizer: self.synchronizer.name(),
                leak: leak.name(),
                accepted: self.accept_leak.name(),
            });
        }
        self.k().ok_or(Error::NoK)?;
        if self.padded_size > MOST_PEOPLE {
            return Err(Error::PaddedSizeTooLarge { most: MOST_PEOPLE });
        }
        self.promises
            .iter()
            .try_for_each(|rule| self.synchronizer.check(rule))
    }

    /// The agreed k.
    pub fn k(&self) -> Option<u64> {
        self.promises.iter().find_map(|rule| match rule {
            Rule::KAnonymity { k } => Some(*k),
            _ => None,
        })
    }

    pub(crate) fn stated(&self) -> StatedTerms {
        StatedTerms {
            synchronizer: self.synchronizer.name().to_owned(),
            accept_leak: self.accept_leak.name().to_owned(),
            padded_size: self.padded_size,
            promises: self
                .promises
                .iter()
                .map(|rule| without_distance(&to_text(rule)).to_owned())
                .collect(),
        }
    }
}

/// Terms as they travel and as they are bound into the session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatedTerms {
    synchronizer: String,
    accept_leak: String,
    padded_size: u32,
    promises: Vec<String>,
}

impl StatedTerms {
    /// Whether every sensitive column is promised at least what was agreed on in general: a site
    /// may promise more about a column of its own, not less.
    pub(crate) fn kept_by(&self, offer: &Offer) -> Result<(), Error> {
        // how far apart values are is the column's own
        let agreed = |text: &String| {
            from_text(text).or_else(|| from_text(&format!("{text} {}", Distance::Equal.name())))
        };
        for (column, rules) in offer.sensitive().unwrap_or_default() {
            let kept = |text: &&String| {
                agreed(text).is_some_and(|a| {
                    matches!(a, Rule::KAnonymity { .. }) || rules.iter().any(|r| implies(r, &a))
                })
            };
            if let Some(missing) = self.promises.iter().find(|text| !kept(text)) {
                let what = format!("what is promised about column {}", printable(column));
                let there = rules.iter().map(to_text).collect::<Vec<_>>().join(", ");
                return Err(Error::TermsDiffer {
                    what,
                    here: missing.clone(),
                    there,
                });
            }
        }
        Ok(())
    }

    /// The first difference, with both values.
    pub(crate) fn compare(&self, theirs: &StatedTerms) -> Result<(), Error> {
        let promises = |terms: &StatedTerms| terms.promises.join(", ");
        let size = |terms: &StatedTerms| terms.padded_size.to_string();
        let fields = [
            (
                "synchronizer",
                self.synchronizer.clone(),
                theirs.synchronizer.clone(),
            ),
            (
                "accept_leak",
                self.accept_leak.clone(),
                theirs.accept_leak.clone(),
            ),
            ("padded_size", size(self), size(theirs)),
            ("what is promised", promises(self), promises(theirs)),
        ];
        match fields.into_iter().find(|(_, here, there)| here != there) {
            None => Ok(()),
            Some((what, here, there)) => Err(Error::TermsDiffer {
                what: what.to_owned(),
                here,
                there: printable(&there),
            }),
        }
    }
}

/// Whether whoever satisfies the first rule satisfies the second, whatever the distance.
fn implies(rule: &Rule, agreed: &Rule) -> bool {
    match (rule, agreed) {
        (Rule::distinct_diversity(L(l)), Rule::distinct_diversity(L(least))) => l >= least,
        (Rule::entropy_diversity(l), Rule::entropy_diversity(least)) => l >= least,
        (Rule::max_frequency(max), Rule::max_frequency(most)) => max <= most,
        (Rule::TCloseness { max, .. }, Rule::TCloseness { max: most, .. }) => max <= most,
        (rule, agreed) => rule == agreed,
    }
}

/// What a stranger wrote, fit to be shown.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .take(200)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// A rule in words that [`from_text`] reads back.
pub(crate) fn to_text(rule: &Rule) -> String {
    let ratio = |r: &Ratio| format!("{}/{}", r.numerator(), r.denominator());
    let parameters = match rule {
        Rule::KAnonymity { k } => format!("{k}"),
        Rule::DistinctDiversity { l } => format!("{l}"),
        Rule::EntropyDiversity { l } => ratio(l),
        Rule::RecursiveDiversity { c, l } => format!("{} {l}", ratio(c)),
        Rule::MaxFrequency { max } => ratio(max),
        Rule::TCloseness { max, distance } => format!("{} {}", ratio(max), distance.name()),
    };
    format!("{} {parameters}", rule.name())
}

/// The distance belongs to a column, not to the terms.
fn without_distance(text: &str) -> &str {
    Distance::ALL
        .iter()
        .find_map(|d| text.strip_suffix(d.name()))
        .map_or(text, str::trim_end)
}

/// Reads a rule; `None` if it is not one.
pub(crate) fn from_text(text: &str) -> Option<Rule> {
    let mut words = text.split(' ');
    let name = words.next()?;
    let mut next = || words.next();
    let whole = |word: &str| word.parse::<u64>().ok();
    let ratio = |word: &str| {
        let (over, under) = word.split_once('/')?;
        Ratio::new(over.parse().ok()?, under.parse().ok()?)
    };
    let rule = match name {
        "k-anonymity" => Rule::k_anonymity(K(whole(next()?)?)),
        "distinct-l-diversity" => Rule::distinct_diversity(L(whole(next()?)?)),
        "entropy-l-diversity" => Rule::entropy_diversity(ratio(next()?)?),
        "recursive-l-diversity" => Rule::recursive_diversity(ratio(next()?)?, L(whole(next()?)?)),
        "max-frequency" => Rule::max_frequency(ratio(next()?)?),
        "t-closeness" => {
            let max = ratio(next()?)?;
            let distance = next()?;
            Rule::t_closeness(max, Distance::ALL.into_iter().find(|d| d.name() == distance)?)
        }
        _ => return None,
    };
    (next().is_none() && to_text(&rule) == text).then_some(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(over: u64, under: u64) -> Ratio {
        Ratio::new(over, under).expect("a ratio")
    }

    fn rules() -> Vec<Rule> {
        vec![
            Rule::k_anonymity(K(5)),
            Rule::distinct_diversity(L(2)),
            Rule::entropy_diversity(ratio(5, 2)),
            Rule::recursive_diversity(ratio(3, 1), L(2)),
            Rule::max_frequency(ratio(1, 2)),
            Rule::t_closeness(ratio(1, 5), Distance::Hierarchical),
        ]
    }

    #[test]
    fn rules_survive_as_words() {
        for rule in rules() {
            assert_eq!(from_text(&to_text(&rule)), Some(rule), "{}", to_text(&rule));
        }
        for bad in [
            "",
            "k-anonymity",
            "k-anonymity 05",
            "k-anonymity 5 6",
            "max-frequency 1/0",
            "t-closeness 1/5",
            "x 1",
        ] {
            assert_eq!(from_text(bad), None, "{bad}");
        }
    }

    #[test]
    fn differing_terms_are_named() {
        let terms = |k, distance| Terms {
            synchronizer: Synchronizer::Merge,
            accept_leak: Leak::L1,
            padded_size: 10,
            promises: vec![
                Rule::k_anonymity(K(k)),
                Rule::t_closeness(ratio(1, 5), distance),
            ],
        };
        let here = terms(2, Distance::Equal).stated();
        assert_eq!(
            here.compare(&terms(2, Distance::Hierarchical).stated()),
            Ok(())
        );
        let error = here
            .compare(&terms(3, Distance::Equal).stated())
            .expect_err("another k")
            .to_string();
        assert_eq!(
            error,
            "the sites differ in what is promised: k-anonymity 2, t-closeness 1/5 here, k-anonymity 3, t-closeness 1/5 there"
        );
    }

    #[test]
    fn a_column_may_be_promised_more_and_not_less() {
        let terms = Terms {
            synchronizer: Synchronizer::Merge,
            accept_leak: Leak::L1,
            padded_size: 10,
            promises: rules(),
        };
        let kept = |promises: &[&str]| {
            let promises = promises.iter().map(|p| (*p).to_owned()).collect();
            let column = crate::hello::OfferedColumn {
                name: "disease".into(),
                role: "sensitive".into(),
                hierarchy: None,
                promises,
            };
            let offer = Offer {
                site: "x".into(),
                columns: vec![column],
                steps: 0,
            };
            terms.stated().kept_by(&offer).is_ok()
        };
        let all = [
            "distinct-l-diversity 3",
            "entropy-l-diversity 5/2",
            "recursive-l-diversity 3/1 2",
            "max-frequency 1/3",
        ];
        let with = |t: &'static str| [&all[..], &[t]].concat();
        assert!(
            kept(&with("t-closeness 1/5 equal")) && kept(&with("t-closeness 1/6 hierarchical"))
        );
        assert!(!kept(&with("t-closeness 1/4 equal")) && !kept(&all) && !kept(&[]));
        let fewer = [
            "distinct-l-diversity 1",
            "entropy-l-diversity 5/2",
            "recursive-l-diversity 3/1 2",
            "max-frequency 1/3",
        ];
        assert!(!kept(&[&fewer[..], &["t-closeness 1/5 equal"]].concat()));
    }

    #[test]
    fn a_leak_must_be_accepted_and_dpp2ga_keeps_only_k() {
        let mut terms = Terms {
            synchronizer: Synchronizer::Repair,
            accept_leak: Leak::L1,
            padded_size: 10,
            promises: vec![Rule::k_anonymity(K(2))],
        };
        assert!(matches!(terms.check(), Err(Error::LeakNotAccepted { .. })));
        terms.accept_leak = Leak::L2;
        assert_eq!(terms.check(), Ok(()));
        terms.synchronizer = Synchronizer::Dpp2ga;
        terms.promises.push(Rule::distinct_diversity(L(2)));
        assert!(matches!(terms.check(), Err(Error::NotKept { .. })));
        terms.promises.clear();
        assert_eq!(terms.check(), Err(Error::NoK));
    }
}
