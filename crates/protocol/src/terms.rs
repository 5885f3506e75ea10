//! What two sites must agree on before a byte that depends on data is sent.

use crate::error::Error;
use crate::hello::Offer;
use crate::synchronizer::{Leak, Synchronizer};
use mingle_privacy::catalogue::ParameterForm;
use mingle_privacy::{Catalogue, Distance, ParameterValue, Ratio, Rule};
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
        let k = self.promises.iter().find_map(Rule::as_k_anonymity)?;
        Some(k.0)
    }

    pub(crate) fn stated(&self) -> StatedTerms {
        StatedTerms {
            synchronizer: self.synchronizer.name().to_owned(),
            accept_leak: self.accept_leak.name().to_owned(),
            padded_size: self.padded_size,
            promises: self.promises.iter().map(without_distance).collect(),
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
        for (column, rules) in offer.sensitive().unwrap_or_default() {
            // how far apart values are is the column's own
            let kept = |text: &&String| match from_terms(text) {
                None => false,
                Some(agreed) => {
                    !agreed.needs_attribute() || rules.iter().any(|rule| implies(rule, &agreed))
                }
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
    rule.is(agreed.kind()) && agreed.kind().implies(rule, agreed)
}

/// What a stranger wrote, fit to be shown.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .take(200)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

/// A rule in words that [`from_text`] reads back: its name and its parameters.
pub(crate) fn to_text(rule: &Rule) -> String {
    let mut text = rule.name().to_owned();
    for (_, value) in rule.parameters() {
        text.push(' ');
        text.push_str(&parameter_text(value));
    }
    text
}

/// The same for the terms, which leave out how far apart values are: that belongs to a column.
fn without_distance(rule: &Rule) -> String {
    let mut text = rule.name().to_owned();
    for (_, value) in rule.parameters() {
        if !matches!(value, ParameterValue::Distance(_)) {
            text.push(' ');
            text.push_str(&parameter_text(value));
        }
    }
    text
}

/// Fractions are written as such, so that nothing is rounded.
fn parameter_text(value: ParameterValue) -> String {
    match value {
        ParameterValue::Whole(number) => number.to_string(),
        ParameterValue::Ratio(ratio) => format!("{}/{}", ratio.numerator(), ratio.denominator()),
        ParameterValue::Distance(distance) => distance.name().to_owned(),
    }
}

/// Reads a rule; `None` if it is not one.
pub(crate) fn from_text(text: &str) -> Option<Rule> {
    let rule = read(Catalogue::standard(), text, None)?;
    (to_text(&rule) == text).then_some(rule)
}

/// Reads a rule of the terms, which does not say how far apart values are; any distance stands for
/// all of them.
fn from_terms(text: &str) -> Option<Rule> {
    let rule = read(Catalogue::standard(), text, Some(Distance::Equal))?;
    (without_distance(&rule) == text || to_text(&rule) == text).then_some(rule)
}

/// Reads name and parameters, with this distance where none is written.
fn read(catalogue: Catalogue, text: &str, distance: Option<Distance>) -> Option<Rule> {
    let mut words = text.split(' ');
    let kind = catalogue.kind(words.next()?)?;
    let mut values = Vec::new();
    for parameter in kind.parameters() {
        let word = words.next();
        values.push(match parameter.form {
            ParameterForm::Whole { .. } => ParameterValue::Whole(word?.parse().ok()?),
            ParameterForm::Ratio => {
                let (numerator, denominator) = word?.split_once('/')?;
                let ratio = Ratio::new(numerator.parse().ok()?, denominator.parse().ok()?)?;
                ParameterValue::Ratio(ratio)
            }
            ParameterForm::Distance => ParameterValue::Distance(match word {
                Some(word) => Distance::parse(word)?,
                None => distance?,
            }),
        });
    }
    if words.next().is_some() {
        return None;
    }
    Rule::new(kind, &values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_privacy::{K, L, toy};

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
    fn a_toy_constraint_travels() {
        let rule = toy::rule(3, ratio(3, 2));
        assert_eq!(to_text(&rule), "toy-rows 3 3/2");
        assert_eq!(read(toy::CATALOGUE, "toy-rows 3 3/2", None), Some(rule));
        assert_eq!(from_text("toy-rows 3 3/2"), None);
        let (more, less) = (toy::rule(4, ratio(3, 2)), toy::rule(3, ratio(1, 1)));
        assert!(implies(&more, &rule) && implies(&rule, &less) && !implies(&less, &rule));
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
