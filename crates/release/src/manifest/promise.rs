//! Promises as a manifest states them: name, column and parameters, read back exactly.

use mingle_privacy::{L, K, Attribute, Distance, Promise, Ratio, Rule};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// One promise. Which parameters are there depends on the name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromiseEntry {
    /// The constraint's stable name.
    pub name: String,
    /// The sensitive column it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Whether it is about all sensitive columns together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub joint: bool,
    /// The smallest size of a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The factor of recursive l-diversity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<Parameter>,
    /// The l of l-diversity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l: Option<Parameter>,
    /// The largest frequency, or t.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Parameter>,
    /// The distance of t-closeness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<String>,
}

impl PromiseEntry {
    /// A promise about these sensitive columns.
    pub fn new(promise: &Promise, sensitive: &[&str]) -> PromiseEntry {
        let column = match promise.attribute {
            Some(Attribute::Column(place)) => sensitive.get(place).map(|name| (*name).to_owned()),
            _ => None,
        };
        let joint = promise.attribute == Some(Attribute::Joint);
        let entry = PromiseEntry {
            name: promise.name().to_owned(),
            column,
            joint,
            ..PromiseEntry::default()
        };
        let whole = |n: u64| Some(Parameter(n.into()));
        match promise.rule {
            Rule::KAnonymity { k } => PromiseEntry {
                k: Some(k),
                ..entry
            },
            Rule::DistinctDiversity { l } => PromiseEntry {
                l: whole(l),
                ..entry
            },
            Rule::EntropyDiversity { l } => PromiseEntry {
                l: Some(Parameter(l)),
                ..entry
            },
            Rule::RecursiveDiversity { c, l } => PromiseEntry {
                c: Some(Parameter(c)),
                l: whole(l),
                ..entry
            },
            Rule::MaxFrequency { max } => PromiseEntry {
                max: Some(Parameter(max)),
                ..entry
            },
            Rule::TCloseness { max, distance } => PromiseEntry {
                max: Some(Parameter(max)),
                distance: Some(distance.name().to_owned()),
                ..entry
            },
        }
    }

    /// The promise, if it is one about these sensitive columns: exactly what
    /// [`new`](PromiseEntry::new) made.
    pub fn promise(&self, sensitive: &[&str]) -> Option<Promise> {
        let whole = |p: Option<Parameter>| {
            p.filter(|p| p.0.denominator() == 1)
                .map(|p| p.0.numerator())
        };
        let ratio = |p: Option<Parameter>| p.map(|p| p.0);
        let distance = |name: &String| Distance::ALL.into_iter().find(|d| d.name() == name);
        let rule = match self.name.as_str() {
            "k-anonymity" => Rule::k_anonymity(K(self.k?)),
            "distinct-l-diversity" => Rule::distinct_diversity(L(whole(self.l)?)),
            "entropy-l-diversity" => Rule::entropy_diversity(ratio(self.l)?),
            "recursive-l-diversity" => Rule::recursive_diversity(ratio(self.c)?, L(whole(self.l)?)),
            "max-frequency" => Rule::max_frequency(ratio(self.max)?),
            "t-closeness" => Rule::t_closeness(ratio(self.max)?, distance(self.distance.as_ref()?)?),
            _ => return None,
        };
        let attribute = match &self.column {
            Some(name) => Some(Attribute::Column(sensitive.iter().position(|s| s == name)?)),
            None => self.joint.then_some(Attribute::Joint),
        };
        let promise = Promise { rule, attribute };
        // a parameter that the constraint does not have would look like a promise and be none
        (PromiseEntry::new(&promise, sensitive) == *self).then_some(promise)
    }
}

/// An exact parameter: a JSON number where its decimal form reads back exactly, else the text
/// `a/b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter(pub Ratio);

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let decimal = serde_json::from_str::<Value>(&self.0.to_string()).ok();
        match decimal.filter(|value| read(value) == Some(*self)) {
            Some(value) => value.serialize(serializer),
            None => serializer.collect_str(&format_args!(
                "{}/{}",
                self.0.numerator(),
                self.0.denominator()
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Parameter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(&Value::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("no parameter"))
    }
}

fn read(value: &Value) -> Option<Parameter> {
    match value {
        Value::Number(number) => Ratio::parse(&number.to_string()).map(Parameter),
        Value::String(text) => {
            let (numerator, denominator) = text.split_once('/')?;
            Ratio::new(numerator.parse().ok()?, denominator.parse().ok()?).map(Parameter)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn round_trip(promise: Promise) -> Option<Promise> {
        let text = serde_json::to_string(&PromiseEntry::new(&promise, &["a", "b"])).unwrap();
        serde_json::from_str::<PromiseEntry>(&text)
            .unwrap()
            .promise(&["a", "b"])
    }

    fn rules() -> impl Strategy<Value = Rule> {
        let ratio = || (any::<u64>(), 1..=u64::MAX).prop_map(|(n, d)| Ratio::new(n, d).unwrap());
        prop_oneof![
            any::<u64>().prop_map(|k| Rule::k_anonymity(K(k))),
            any::<u64>().prop_map(|l| Rule::distinct_diversity(L(l))),
            ratio().prop_map(|l| Rule::entropy_diversity(l)),
            (ratio(), any::<u64>()).prop_map(|(c, l)| Rule::recursive_diversity(c, L(l))),
            ratio().prop_map(|max| Rule::max_frequency(max)),
            (ratio(), prop::sample::select(Distance::ALL.to_vec()))
                .prop_map(|(max, distance)| Rule::t_closeness(max, distance)),
        ]
    }

    proptest! {
        #[test]
        fn promises_are_read_back_exactly(rule in rules(), place in 0usize..2, joint: bool) {
            let attribute = match rule {
                Rule::KAnonymity { .. } => None,
                _ if joint => Some(Attribute::Joint),
                _ => Some(Attribute::Column(place)),
            };
            let promise = Promise { rule, attribute };
            prop_assert_eq!(round_trip(promise), Some(promise));
        }

        #[test]
        fn decimals_are_read_back_exactly(mantissa in 0u64..1_000_000_000_000_000_000, scale in 0u32..19) {
            let max = Ratio::new(mantissa, 10u64.pow(scale)).unwrap();
            let promise = Promise { rule: Rule::max_frequency(max), attribute: Some(Attribute::Joint) };
            prop_assert_eq!(round_trip(promise), Some(promise));
        }
    }

    #[test]
    fn written_as_the_policy_writes_them() {
        let t = Rule::t_closeness(Ratio::parse("0.2").unwrap(), Distance::Ordered);
        let entry = PromiseEntry::new(
            &Promise {
                rule: t,
                attribute: Some(Attribute::Column(1)),
            },
            &["a", "b"],
        );
        let expected =
            json!({ "name": "t-closeness", "column": "b", "max": 0.2, "distance": "ordered" });
        assert_eq!(serde_json::to_value(entry).unwrap(), expected);
        let third = serde_json::to_value(Parameter(Ratio::new(1, 3).unwrap())).unwrap();
        assert_eq!(third, json!("1/3"));
    }

    #[test]
    fn what_is_no_promise() {
        for entry in [
            json!({ "name": "k-anonymity" }),
            json!({ "name": "k-anonymity", "k": 3, "l": 2 }),
            json!({ "name": "k-anonymity", "k": 3, "column": "c" }),
            json!({ "name": "distinct-l-diversity", "column": "a", "l": 2.5 }),
            json!({ "name": "distinct-l-diversity", "column": "c", "l": 2 }),
            json!({ "name": "t-closeness", "column": "a", "max": 0.2, "distance": "far" }),
            json!({ "name": "no-such-thing", "column": "a" }),
        ] {
            let entry: PromiseEntry = serde_json::from_value(entry).unwrap();
            assert_eq!(entry.promise(&["a", "b"]), None, "{}", entry.name);
        }
        for text in [json!("1/0"), json!("x"), json!(-1), json!([1]), json!("1")] {
            assert!(serde_json::from_value::<Parameter>(text).is_err());
        }
    }
}
