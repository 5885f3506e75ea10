//! Between promises and how documents state them.
//!
//! The catalogue says which parameters a constraint has and of which form; nothing here knows a
//! constraint by name. What a document states is a promise only if it says exactly what the
//! constraint asks for: a parameter that the constraint does not have would look like a promise and
//! be none.

use crate::manifest::{ExactNumber, ParameterEntry, PromiseEntry};
use mingle_privacy::catalogue::{About, ParameterForm, ParameterSpec};
use mingle_privacy::{Attribute, Catalogue, Distance, ParameterValue, Promise, Ratio, Rule};

/// A promise about these sensitive columns, as documents state it.
pub fn entry_of(promise: &Promise, sensitive: &[&str]) -> PromiseEntry {
    let column = match promise.attribute {
        Some(Attribute::Column(place)) => sensitive.get(place).map(|name| (*name).to_owned()),
        _ => None,
    };
    let mut parameters = Vec::new();
    for (parameter, value) in promise.rule.parameters() {
        parameters.push((parameter.name.to_owned(), parameter_entry(value)));
    }
    PromiseEntry {
        name: promise.name().to_owned(),
        column,
        joint: promise.attribute == Some(Attribute::Joint),
        parameters,
    }
}

fn parameter_entry(value: ParameterValue) -> ParameterEntry {
    match value {
        ParameterValue::Whole(number) => number_entry(number.into()),
        ParameterValue::Ratio(ratio) => number_entry(ratio),
        ParameterValue::Distance(distance) => ParameterEntry::Word(distance.name().to_owned()),
    }
}

fn number_entry(ratio: Ratio) -> ParameterEntry {
    let number = ExactNumber::new(ratio.numerator(), ratio.denominator());
    ParameterEntry::Number(number.expect("a ratio's denominator is not zero"))
}

/// The promise that a document states, if it is one about these sensitive columns.
pub fn promise_of(entry: &PromiseEntry, sensitive: &[&str]) -> Option<Promise> {
    promise_among(Catalogue::standard(), entry, sensitive)
}

/// What a document's promise asks for, whatever it is about; `None` if it is no promise.
pub fn rule_of(entry: &PromiseEntry) -> Option<Rule> {
    rule_among(Catalogue::standard(), entry)
}

/// Like [`promise_of`], with the constraints of another catalogue.
pub fn promise_among(
    catalogue: Catalogue,
    entry: &PromiseEntry,
    sensitive: &[&str],
) -> Option<Promise> {
    let rule = rule_among(catalogue, entry)?;
    let attribute = match (&entry.column, entry.joint) {
        (None, false) => None,
        (None, true) => Some(Attribute::Joint),
        (Some(name), false) => {
            let place = sensitive.iter().position(|column| column == name)?;
            Some(Attribute::Column(place))
        }
        (Some(_), true) => return None,
    };
    if (rule.kind().about() == About::Rows) != attribute.is_none() {
        return None;
    }
    Some(Promise { rule, attribute })
}

/// Like [`rule_of`], with the constraints of another catalogue.
pub fn rule_among(catalogue: Catalogue, entry: &PromiseEntry) -> Option<Rule> {
    let kind = catalogue.kind(&entry.name)?;
    let parameters = kind.parameters();
    if entry.parameters.len() != parameters.len() {
        return None;
    }
    let mut values = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        values.push(parameter_value(
            parameter,
            entry.parameter(parameter.name)?,
        )?);
    }
    Rule::new(kind, &values)
}

fn parameter_value(parameter: &ParameterSpec, entry: &ParameterEntry) -> Option<ParameterValue> {
    match (parameter.form, entry) {
        (ParameterForm::Whole { .. }, ParameterEntry::Number(number)) => {
            (number.denominator() == 1).then(|| ParameterValue::Whole(number.numerator()))
        }
        (ParameterForm::Ratio, ParameterEntry::Number(number)) => {
            Ratio::new(number.numerator(), number.denominator()).map(ParameterValue::Ratio)
        }
        (ParameterForm::Distance, ParameterEntry::Word(word)) => {
            Distance::parse(word).map(ParameterValue::Distance)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_privacy::toy;
    use mingle_privacy::{K, L};
    use proptest::prelude::*;
    use serde_json::json;

    fn round_trip(catalogue: Catalogue, promise: Promise) -> Option<Promise> {
        let text = serde_json::to_string(&entry_of(&promise, &["a", "b"])).unwrap();
        let entry: PromiseEntry = serde_json::from_str(&text).unwrap();
        promise_among(catalogue, &entry, &["a", "b"])
    }

    fn ratios() -> impl Strategy<Value = Ratio> {
        (any::<u64>(), 1..=u64::MAX).prop_map(|(n, d)| Ratio::new(n, d).unwrap())
    }

    /// Any parameters at all for each constraint of a catalogue: nothing here knows them by name.
    fn rules(catalogue: Catalogue) -> impl Strategy<Value = Rule> {
        let kinds: Vec<_> = catalogue.kinds().collect();
        let numbers = prop::collection::vec((any::<u64>(), ratios(), 0usize..3), 4);
        (prop::sample::select(kinds), numbers).prop_map(|(kind, numbers)| {
            let mut values = Vec::new();
            for (parameter, (whole, ratio, distance)) in kind.parameters().iter().zip(numbers) {
                values.push(match parameter.form {
                    ParameterForm::Whole { .. } => ParameterValue::Whole(whole),
                    ParameterForm::Ratio => ParameterValue::Ratio(ratio),
                    ParameterForm::Distance => ParameterValue::Distance(Distance::ALL[distance]),
                });
            }
            Rule::new(kind, &values).unwrap()
        })
    }

    proptest! {
        #[test]
        fn promises_are_read_back_exactly(
            rule in rules(toy::CATALOGUE), place in 0usize..2, joint: bool,
        ) {
            let attribute = if !rule.needs_attribute() {
                None
            } else if joint {
                Some(Attribute::Joint)
            } else {
                Some(Attribute::Column(place))
            };
            let promise = Promise { rule, attribute };
            prop_assert_eq!(round_trip(toy::CATALOGUE, promise), Some(promise));
        }

        #[test]
        fn decimals_are_read_back_exactly(
            mantissa in 0u64..1_000_000_000_000_000_000, scale in 0u32..19,
        ) {
            let rule = Rule::max_frequency(Ratio::new(mantissa, 10u64.pow(scale)).unwrap());
            let promise = Promise { rule, attribute: Some(Attribute::Joint) };
            prop_assert_eq!(round_trip(Catalogue::standard(), promise), Some(promise));
        }
    }

    /// What version 0.1.0 wrote, byte for byte.
    #[test]
    fn written_as_ever() {
        let fifth = Ratio::parse("0.2").unwrap();
        let about = |rule| Promise {
            rule,
            attribute: Some(Attribute::Column(1)),
        };
        for (promise, expected) in [
            (
                Promise {
                    rule: Rule::k_anonymity(K(3)),
                    attribute: None,
                },
                r#"{"name":"k-anonymity","k":3}"#,
            ),
            (
                about(Rule::distinct_diversity(L(2))),
                r#"{"name":"distinct-l-diversity","column":"b","l":2}"#,
            ),
            (
                about(Rule::entropy_diversity(Ratio::new(5, 2).unwrap())),
                r#"{"name":"entropy-l-diversity","column":"b","l":2.5}"#,
            ),
            (
                Promise {
                    rule: Rule::recursive_diversity(Ratio::from(3), L(2)),
                    attribute: Some(Attribute::Joint),
                },
                r#"{"name":"recursive-l-diversity","joint":true,"c":3,"l":2}"#,
            ),
            (
                about(Rule::max_frequency(Ratio::new(1, 3).unwrap())),
                r#"{"name":"max-frequency","column":"b","max":"1/3"}"#,
            ),
            (
                about(Rule::t_closeness(fifth, Distance::Ordered)),
                r#"{"name":"t-closeness","column":"b","max":0.2,"distance":"ordered"}"#,
            ),
        ] {
            let entry = entry_of(&promise, &["a", "b"]);
            assert_eq!(serde_json::to_string(&entry).unwrap(), expected);
            assert_eq!(promise_of(&entry, &["a", "b"]), Some(promise));
        }
    }

    #[test]
    fn what_is_no_promise() {
        for entry in [
            json!({ "name": "k-anonymity" }),
            json!({ "name": "k-anonymity", "k": 3, "l": 2 }),
            json!({ "name": "k-anonymity", "k": 3, "column": "a" }),
            json!({ "name": "k-anonymity", "k": 3, "joint": true }),
            json!({ "name": "distinct-l-diversity", "l": 2 }),
            json!({ "name": "distinct-l-diversity", "column": "a", "joint": true, "l": 2 }),
            json!({ "name": "distinct-l-diversity", "column": "a", "l": 2.5 }),
            json!({ "name": "distinct-l-diversity", "column": "a", "l": "2" }),
            json!({ "name": "distinct-l-diversity", "column": "c", "l": 2 }),
            json!({ "name": "t-closeness", "column": "a", "max": 0.2, "distance": "far" }),
            json!({ "name": "no-such-thing", "column": "a" }),
        ] {
            let entry: PromiseEntry = serde_json::from_value(entry).unwrap();
            assert_eq!(promise_of(&entry, &["a", "b"]), None, "{entry:?}");
        }
    }

    #[test]
    fn a_toy_constraint_is_written_and_read() {
        let promise = Promise {
            rule: toy::rule(3, Ratio::new(3, 2).unwrap()),
            attribute: Some(Attribute::Column(0)),
        };
        let entry = entry_of(&promise, &["a"]);
        let expected = json!({ "name": toy::NAME, "column": "a", "rows": 3, "factor": 1.5 });
        assert_eq!(serde_json::to_value(&entry).unwrap(), expected);
        assert_eq!(round_trip(toy::CATALOGUE, promise), Some(promise));
        // to the program it is a name that nobody knows
        assert_eq!(promise_of(&entry, &["a"]), None);
    }
}
