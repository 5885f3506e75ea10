//! What a steward says about a release in `[about]`: what nobody can find in rows, and who answers
//! for a release must say.
//!
//! None of it is checked: it is the steward's word, and a report shows it as such. Which of it may
//! be handed out, the policy says; see [`AboutRelease::PUBLIC`].

use crate::policy_document::{PolicyDocument, PolicyTable, PolicyValue};
use serde::{Deserialize, Serialize};

/// Who answers for a release, what it is for, and why it is made as it is. What is not said is
/// `None`, or an empty list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AboutRelease {
    /// What the release is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Who decides about the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<String>,
    /// Who handles the data on the controller's behalf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<String>,
    /// What the release is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// Who gets it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recipients: Vec<String>,
    /// On which ground the data are anonymized and handed out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_basis: Option<String>,
    /// The day of the decision, such as `2026-11-18`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Who looked at it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reviewers: Vec<String>,
    /// Whom to ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// Why choices were made, in the order written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<AboutReason>,
}

/// Why one choice was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AboutReason {
    /// The choice, one of [`AboutRelease::CHOICES`].
    pub choice: String,
    /// The steward's words.
    pub text: String,
}

impl AboutRelease {
    /// The section's name.
    pub const SECTION: &str = "about";
    /// Its keys that hold one text.
    pub const TEXTS: &[&str] = &[
        "title",
        "controller",
        "purpose",
        "legal_basis",
        "date",
        "contact",
    ];
    /// Its keys that hold a list of texts.
    pub const LISTS: &[&str] = &["processors", "recipients", "reviewers"];
    /// The key of the choices and their reasons.
    pub const WHY: &str = "why";
    /// The key that says which of the others may be handed out.
    pub const PUBLIC_KEY: &str = "public";
    /// What is handed out unless the policy says otherwise: what names the release and whom to ask.
    /// A controller or a processor may be a provider, and who the providers are is not published.
    pub const PUBLIC: &[&str] = &["title", "date", "contact"];
    /// The choices that can be justified.
    pub const CHOICES: &[&str] = &[
        "quasi_identifiers",
        "sensitive",
        "insensitive",
        "people",
        "k",
        "m",
        "l",
        "t",
        "max_frequency",
        "hierarchies",
        "suppression",
        "risk",
        "noise",
    ];

    /// What a policy says; what is empty there is not said.
    pub fn of(policy: &PolicyDocument) -> AboutRelease {
        let section = policy.section(AboutRelease::SECTION);
        let Some(said) = section.and_then(PolicyValue::as_table) else {
            return AboutRelease::default();
        };
        let mut why = Vec::new();
        if let Some(reasons) = said.get(AboutRelease::WHY).and_then(PolicyValue::as_table) {
            for (choice, text) in reasons.iter() {
                if let Some(text) = filled(text.as_text()) {
                    let choice = choice.to_owned();
                    why.push(AboutReason { choice, text });
                }
            }
        }
        let text = |key: &str| filled(said.get(key).and_then(PolicyValue::as_text));
        AboutRelease {
            title: text("title"),
            controller: text("controller"),
            processors: texts(said, "processors"),
            purpose: text("purpose"),
            recipients: texts(said, "recipients"),
            legal_basis: text("legal_basis"),
            date: text("date"),
            reviewers: texts(said, "reviewers"),
            contact: text("contact"),
            why,
        }
    }

    /// The keys of a policy's section that may be handed out.
    pub fn public_keys(section: &PolicyTable) -> Vec<String> {
        match section
            .get(AboutRelease::PUBLIC_KEY)
            .and_then(PolicyValue::as_list)
        {
            Some(keys) => keys
                .iter()
                .filter_map(PolicyValue::as_text)
                .map(str::to_owned)
                .collect(),
            None => AboutRelease::PUBLIC
                .iter()
                .map(|key| (*key).to_owned())
                .collect(),
        }
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == AboutRelease::default()
    }

    /// Why a choice was made, where that is said.
    pub fn reason(&self, choice: &str) -> Option<&str> {
        let reason = self.why.iter().find(|reason| reason.choice == choice)?;
        Some(&reason.text)
    }
}

fn filled(text: Option<&str>) -> Option<String> {
    let text = text?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn texts(said: &PolicyTable, key: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for item in said
        .get(key)
        .and_then(PolicyValue::as_list)
        .unwrap_or_default()
    {
        texts.extend(filled(item.as_text()));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn about(section: serde_json::Value) -> AboutRelease {
        AboutRelease::of(&serde_json::from_value(json!({ "about": section })).unwrap())
    }

    #[test]
    fn what_is_said_is_found_and_what_is_empty_is_not() {
        let said = about(json!({
            "title": " Stays of 2025 ", "purpose": "", "processors": ["IT", " "],
            "why": { "k": "guideline", "m": "" },
        }));
        assert_eq!(said.title.as_deref(), Some("Stays of 2025"));
        assert_eq!(said.purpose, None);
        assert_eq!(said.processors, ["IT"]);
        assert_eq!(
            (said.reason("k"), said.reason("m")),
            (Some("guideline"), None)
        );
        assert!(about(json!({})).is_empty() && about(json!(7)).is_empty());
        let back: AboutRelease =
            serde_json::from_str(&serde_json::to_string(&said).unwrap()).unwrap();
        assert_eq!(back, said);
    }
}
