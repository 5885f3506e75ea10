//! Promises in words that need no textbook.

use mingle_privacy::catalogue::{ConstraintKind, KindWords, fill};
use mingle_privacy::{Catalogue, ParameterValue, Ratio, Rule};
use mingle_record::answer::{ShownFinding, ShownPromise};
use mingle_record::manifest::{ParameterEntry, PromiseEntry, PublicManifest};
use mingle_release::promise_entry::rule_among;

/// All promises of a manifest with what was found.
pub(super) fn of(manifest: &PublicManifest, verdicts: &[ShownFinding]) -> Vec<ShownPromise> {
    let fact = |(entry, verdict): (&PromiseEntry, &ShownFinding)| ShownPromise {
        name: name(entry),
        column: entry.column.clone(),
        words: words(entry, manifest),
        verdict: *verdict,
    };
    manifest.promises.iter().zip(verdicts).map(fact).collect()
}

/// `k-anonymity, k = 3`; parameters by the letters that the literature has for them.
fn name(entry: &PromiseEntry) -> String {
    let kind = Catalogue::standard().kind(&entry.name);
    let specs = kind.map_or(&[][..], |kind| kind.parameters());
    let mut text = entry.name.clone();
    for (name, value) in &entry.parameters {
        let spec = specs.iter().find(|spec| spec.name == name);
        let symbol = spec.map_or(name.as_str(), |spec| spec.symbol);
        match value {
            ParameterEntry::Number(number) => {
                let ratio = Ratio::new(number.numerator(), number.denominator());
                let shown = ratio.map_or(String::new(), |ratio| ratio.to_string());
                text.push_str(&format!(", {symbol} = {shown}"));
            }
            ParameterEntry::Word(word) => text.push_str(&format!(", {word} {symbol}")),
        }
    }
    text
}

/// What a promise means for the rows, or the people, that look alike.
fn words(entry: &PromiseEntry, manifest: &PublicManifest) -> String {
    let counts = Counts::of(manifest);
    words_among(
        Catalogue::standard(),
        entry,
        counts,
        &about(entry, manifest),
    )
}

/// What the promises count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counts {
    /// Rows, each of which is one person.
    Rows,
    /// People, who may have several rows.
    People,
}

impl Counts {
    /// What those of a release count.
    pub(super) fn of(manifest: &PublicManifest) -> Counts {
        if manifest.people.is_some() {
            Counts::People
        } else {
            Counts::Rows
        }
    }

    /// What a constraint then says.
    pub(super) fn words(self, kind: &dyn ConstraintKind) -> KindWords {
        match self {
            Counts::Rows => kind.words(),
            Counts::People => kind.words_of_people(),
        }
    }
}

fn words_among(catalogue: Catalogue, entry: &PromiseEntry, counts: Counts, about: &str) -> String {
    if catalogue.kind(&entry.name).is_none() {
        return "a promise that this program does not know".to_owned();
    }
    match rule_among(catalogue, entry) {
        Some(rule) if rule.kind().protection(&rule).says_something => {
            said(counts.words(rule.kind()).meaning, &rule, about, "")
        }
        _ => "nothing: every table keeps it".to_owned(),
    }
}

/// A sentence of the catalogue about a rule.
pub(super) fn said(template: &str, rule: &Rule, about: &str, reader: &str) -> String {
    let words = |place: &str| match place {
        "about" => Some(about.to_owned()),
        "reader" => Some(reader.to_owned()),
        _ => shown(rule, place),
    };
    fill(template, rule, &words)
}

/// A parameter in another form than its own: `k:grouped`, `max:percent`.
fn shown(rule: &Rule, place: &str) -> Option<String> {
    let (name, form) = place.split_once(':')?;
    let (_, value) = rule.parameters().find(|(spec, _)| spec.name == name)?;
    match (form, value) {
        ("grouped", ParameterValue::Whole(number)) => Some(crate::number::whole(number)),
        ("percent", ParameterValue::Ratio(share)) => Some(crate::number::at_most(share.to_f64())),
        _ => None,
    }
}

/// The column a promise is about.
pub(super) fn about(entry: &PromiseEntry, manifest: &PublicManifest) -> String {
    match &entry.column {
        Some(column) => column.clone(),
        None => format!(
            "{} together",
            super::words::listed(manifest.sensitive().into_iter(), "and")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_privacy::catalogue::CONSTRAINTS;
    use mingle_privacy::toy;
    use serde_json::json;

    fn entry(value: serde_json::Value) -> PromiseEntry {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn names_have_the_letters_of_the_literature() {
        for (promise, expected) in [
            (
                json!({ "name": "k-anonymity", "k": 3 }),
                "k-anonymity, k = 3",
            ),
            (
                json!({ "name": "recursive-l-diversity", "column": "d", "c": 2.5, "l": 3 }),
                "recursive-l-diversity, c = 2.5, l = 3",
            ),
            (
                json!({ "name": "max-frequency", "column": "d", "max": "1/3" }),
                "max-frequency, max = 1/3",
            ),
            (
                json!({ "name": "t-closeness", "column": "d", "max": 0.2, "distance": "equal" }),
                "t-closeness, t = 0.2, equal distance",
            ),
        ] {
            assert_eq!(name(&entry(promise)), expected);
        }
    }

    #[test]
    fn a_toy_constraint_is_put_in_words() {
        let rows = |rows| {
            entry(json!({ "name": toy::NAME, "column": "disease", "rows": rows, "factor": 1 }))
        };
        let said = |rows_asked, catalogue| {
            words_among(catalogue, &rows(rows_asked), Counts::Rows, "disease")
        };
        assert_eq!(said(3, toy::CATALOGUE), "disease has 1 times 3 rows");
        let of_people = words_among(toy::CATALOGUE, &rows(3), Counts::People, "disease");
        assert_eq!(of_people, "disease has 1 times 3 people");
        assert_eq!(said(1, toy::CATALOGUE), "nothing: every table keeps it");
        let unknown = "a promise that this program does not know";
        assert_eq!(said(3, Catalogue::standard()), unknown);
    }

    /// No template may name a parameter that its constraint does not have.
    #[test]
    fn every_constraint_has_its_words() {
        for kind in CONSTRAINTS {
            let mut parameters = serde_json::Map::new();
            parameters.insert("name".to_owned(), kind.name().into());
            for parameter in kind.parameters() {
                let value = serde_json::from_str(parameter.example).unwrap();
                parameters.insert(parameter.name.to_owned(), value);
            }
            let entry = entry(parameters.into());
            let rule = rule_among(Catalogue::standard(), &entry).unwrap();
            for counts in [Counts::Rows, Counts::People] {
                let words = counts.words(*kind);
                for template in [words.meaning, words.heading, words.promise] {
                    let text = said(template, &rule, "disease", "Somebody");
                    assert!(!text.is_empty() && !text.contains(['{', '}']), "{text}");
                }
            }
            // rows that look alike promise nothing to somebody who has several of them
            let of_people = kind.words_of_people();
            let named = format!("{} {}", of_people.meaning, of_people.promise);
            let of_rows_alone = kind.name() == "max-share-of-rows";
            assert!(
                of_rows_alone || !named.contains("rows that look alike"),
                "{named}"
            );
        }
    }
}
