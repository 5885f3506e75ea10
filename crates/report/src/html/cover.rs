//! What people say about a release, and what they sign: the cover, the reasons, the checklist, the
//! words that are used, and the block for signatures.
//!
//! What the policy does not say is a blank in the steward's report, to be filled in by hand; the
//! report that is handed out shows what is handed out and no blanks.

use super::{Section, table};
use crate::facts::{PublicFacts, StewardFacts};
use crate::text::{cut, label};
use maud::{Markup, html};
use mingle_record::about::AboutRelease;

/// What is said in `[about]`, by key, with its name on the page.
fn entries(about: &AboutRelease) -> Vec<(&'static str, String)> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    vec![
        ("Title", text(&about.title)),
        ("Controller", text(&about.controller)),
        ("Processors", about.processors.join("; ")),
        ("Purpose", text(&about.purpose)),
        ("Recipients", about.recipients.join("; ")),
        ("Legal basis", text(&about.legal_basis)),
        ("Date of the decision", text(&about.date)),
        ("Reviewers", about.reviewers.join("; ")),
        ("Contact", text(&about.contact)),
    ]
}

/// A line to write on.
fn blank() -> Markup {
    html! { span.blank { span.unseen { "to be filled in" } } }
}

/// The cover of the report that is handed out; nothing where the policy hands out nothing.
pub fn handed_out(facts: &PublicFacts) -> Option<Section> {
    let said: Vec<(&str, String)> = entries(&facts.about)
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .collect();
    if said.is_empty() && facts.about.why.is_empty() {
        return None;
    }
    let content = html! {
        dl.cover { @for (name, text) in &said { div { dt { (name) } dd { (cut(text, 2_000)) } } } }
        @if !facts.about.why.is_empty() {
            h3 { "Why it is made as it is" }
            dl.cover { @for reason in &facts.about.why {
                div { dt { (label(&reason.choice.replace('_', " "))) } dd { (cut(&reason.text, 2_000)) } }
            } }
        }
        p.quiet { "In the words of whoever published it; the program cannot check them." }
    };
    Some(Section("about", "About this release".into(), content))
}

/// The cover that the steward keeps.
pub fn kept(facts: &StewardFacts) -> Section {
    let content = html! {
        dl.cover { @for (name, text) in entries(&facts.about) {
            div { dt { (name) } dd { @if text.is_empty() { (blank()) } @else { (cut(&text, 2_000)) } } }
        } }
        p.quiet { "From [about] in the policy, in the steward's words; the program cannot check them. Lines are blanks to fill in. \
                   Of these, public/ has what the policy lists as public: title, date and contact unless it says otherwise." }
    };
    Section("about", "About this release".into(), content)
}

/// What was chosen, and why.
pub fn choices(facts: &StewardFacts) -> Section {
    let content = html! {
        p { "What the policy chooses, and the reasons that it gives in [about.why]. A line is a reason that is still to be given." }
        div.scroll.words tabindex="0" role="region" aria-label="Choices and reasons" {
            table {
                caption { "Choices and reasons" }
                thead { tr { th scope="col" { "choice" } th scope="col" { "chosen" } th scope="col" { "why" } } }
                tbody { @for choice in &facts.choices {
                    tr {
                        th scope="row" { (choice.about) }
                        td { (cut(&choice.chosen, 600)) }
                        td.why { @match &choice.why { Some(why) => (cut(why, 2_000)), None => (blank()) } }
                    }
                } }
            }
        }
    };
    Section("choices", "Choices and their justification".into(), content)
}

/// What authorities ask. Only sections that are on this page are named.
pub fn checklist(facts: &StewardFacts, sections: &[Section]) -> Section {
    let title = |id: &str| {
        sections
            .iter()
            .find(|section| section.0 == id)
            .map(|section| section.1.as_str())
    };
    let content = html! {
        p { "Which section answers which question, what this release shows, and what no program can answer. The questions are \
             in our words. This is a help for whoever signs, and not legal advice." }
        div.scroll.words tabindex="0" role="region" aria-label="Questions and answers" {
            table.checklist {
                caption { "Questions and answers" }
                thead { tr {
                    th scope="col" { "who asks" } th scope="col" { "question" } th scope="col" { "this release" }
                    th scope="col" { "left to people" } th scope="col" { "done" }
                } }
                tbody { @for asked in &facts.checklist {
                    tr {
                        th scope="row" { (asked.source) br; span.quiet { (asked.place) } }
                        td { (asked.question) }
                        td { (asked.answer)
                            @let places: Vec<(&String, &str)> =
                                asked.sections.iter().filter_map(|id| title(id).map(|title| (id, title))).collect();
                            @if !places.is_empty() {
                                span.see { "See " @for (at, (id, title)) in places.iter().enumerate() {
                                    @if at > 0 { ", " } a href={ "#" (id) } { (title) }
                                } "." }
                            } }
                        td { (asked.left_to_people) }
                        td.box { "☐" }
                    }
                } }
            }
        }
    };
    Section("checklist", "What authorities ask".into(), content)
}

/// Where people sign.
pub fn sign_off(facts: &StewardFacts) -> Section {
    let mut rows = vec!["Steward", "Data-protection officer", "Controller"];
    rows.extend(facts.about.reviewers.iter().map(|_| "Reviewer"));
    let mut names = vec![
        String::new(),
        String::new(),
        facts.about.controller.clone().unwrap_or_default(),
    ];
    names.extend(facts.about.reviewers.iter().cloned());
    let content = html! {
        p { "I have read this report. I accept the risks that are left, for the purpose and the recipients named above." }
        div.scroll.words tabindex="0" role="region" aria-label="Signatures" {
            table.signatures {
                caption { "Signatures" }
                thead { tr { th scope="col" { "role" } th scope="col" { "name" } th scope="col" { "date" } th scope="col" { "signature" } } }
                tbody { @for (role, name) in rows.iter().zip(&names).take(12) {
                    tr { th scope="row" { (role) } td { @if name.is_empty() { (blank()) } @else { (cut(name, 200)) } } td { (blank()) } td { (blank()) } }
                } }
            }
        }
        h3 { "Conditions and remarks" }
        p.lines aria-hidden="true" {}
        p.quiet { "The hashes below say which files this is about. A signature on paper covers them only if they are compared." }
    };
    Section("sign-off", "Sign-off".into(), content)
}

/// The words of the field that the report uses; those of figures that are the steward's, in the
/// steward's report alone.
pub fn glossary(with_private: bool) -> Section {
    let own = if with_private { STEWARDS_GLOSSARY } else { &[] };
    let mut known: Vec<&(&str, &str)> = GLOSSARY.iter().chain(own).collect();
    known.sort_by_key(|(word, _)| word.to_lowercase());
    let words: Vec<Vec<String>> = known
        .into_iter()
        .map(|(word, meaning)| vec![(*word).to_owned(), (*meaning).to_owned()])
        .collect();
    let content = html! { div.words { (table("Words", &["word", "meaning"], &words, 0)) } };
    Section("glossary", "Glossary".into(), content)
}

const GLOSSARY: &[(&str, &str)] = &[
    ("coalition", "Providers who put together what they know."),
    (
        "group",
        "The rows that look alike: those with the same published values in all quasi-identifiers.",
    ),
    (
        "journalist",
        "A reader who wants to name anybody, and does not know who is in the table.",
    ),
    ("k-anonymity", "At least k look alike in every group."),
    (
        "l-diversity",
        "Every group has at least l different sensitive values, or values that are spread as if there were l.",
    ),
    (
        "m-privacy",
        "Promises hold for everybody else, even if up to m providers put together what they know.",
    ),
    (
        "marketer",
        "A reader who links everybody with some register, and does not mind mistakes.",
    ),
    (
        "outsider",
        "A reader who contributed nothing, and knows people's quasi-identifiers.",
    ),
    (
        "prosecutor",
        "A reader who looks for one person who is known to be in the table.",
    ),
    ("provider", "Who contributed rows."),
    (
        "quasi-identifier",
        "A column that others may know about a person, such as age or postal code.",
    ),
    (
        "sensitive column",
        "A column that nobody may learn about a person, such as a diagnosis.",
    ),
    ("suppressed", "Left out of the release."),
    (
        "t-closeness",
        "The sensitive values of every group are distributed about as in the whole table.",
    ),
];

const STEWARDS_GLOSSARY: &[(&str, &str)] = &[
    (
        "attack number",
        "The size of the smallest coalition of providers that can break a promise somewhere.",
    ),
    (
        "NCP",
        "Normalized certainty penalty: the share of detail that generalization takes away, 0 for none and 1 for all.",
    ),
    (
        "total variation",
        "Half of the sum of the differences of shares: 0 for the same distribution, 1 for nothing in common.",
    ),
];
