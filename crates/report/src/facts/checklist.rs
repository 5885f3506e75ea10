//! What authorities ask of a release, and where a report answers.
//!
//! The questions are in our words; each names the text and the place that asks. An answer says what
//! this release shows and nothing else, and beside it stands what no program can know. The list is
//! a help for whoever signs, and no legal advice: that a question is answered is not to say that
//! the answer suffices.

use super::PublicFacts;
use crate::number::{counted, figure, percent, whole};
use mingle_record::answer::{ShownFinding, ShownPrivate, ShownQuestion};
use mingle_record::manifest::{ColumnKind, ColumnRole};

const WP216: &str = "Article 29 Working Party, Opinion 05/2014 (WP216)";
const GDPR: &str = "GDPR, recital 26";
const HIPAA: &str = "HIPAA, 45 CFR 164.514(b)";
const EHDS: &str = "EHDS, Regulation (EU) 2025/327, article 66";
const TEHDAS2: &str = "TEHDAS2, guideline D7.2";
const NIST: &str = "NIST SP 800-188";
const ISO: &str = "ISO/IEC 27559:2022";

/// The questions with the answers of a release. `private` is what else the steward knows.
pub(super) fn of(facts: &PublicFacts, private: &ShownPrivate) -> Vec<ShownQuestion> {
    let said = Answers { facts, private };
    vec![
        question(
            (WP216, "2.2, singling out"),
            "Can somebody isolate the records of one person?",
            (
                &["promises", "sizes", "risk", "people"],
                said.singling_out(),
            ),
            "Whether the quasi-identifiers are all that a reader may know.",
        ),
        question(
            (WP216, "2.2, linkability"),
            "Can records about one person be linked, within this release or with another?",
            (&["composition", "risk", "people"], said.linkability()),
            "Which other data about these people exist, now or later.",
        ),
        question(
            (WP216, "2.2, inference"),
            "Can a value about a person be deduced with significant probability?",
            (
                &["promises", "balance", "exposure-by-coalition"],
                said.inference(),
            ),
            "Which values harm whom, and what readers already believe.",
        ),
        question(
            (GDPR, "means reasonably likely to be used"),
            "Who could identify somebody, at what cost, with which means?",
            (
                &["protection", "risk", "exposure-by-coalition"],
                said.readers(),
            ),
            "Cost, time and technology of an attempt, today and as long as the release is out.",
        ),
        question(
            (HIPAA, "(1), expert determination"),
            "Is the risk very small that an anticipated recipient identifies somebody, and is that documented?",
            (&["risk", "choices", "policy"], said.risk()),
            "An expert must hold the risk for very small, for this recipient, and sign.",
        ),
        question(
            (HIPAA, "(2), safe harbor"),
            "Are the 18 kinds of identifiers gone, and nothing known that identifies what is left?",
            (&["columns"], said.safe_harbor()),
            "Free text, rare codes and what the publisher itself knows. Names and kinds of columns are only hints.",
        ),
        question(
            (EHDS, "(1), minimisation"),
            "Is only published what the purpose needs?",
            (&["about", "choices", "columns"], said.columns()),
            "Whether the purpose needs each column, in this detail.",
        ),
        question(
            (EHDS, "(2) and (3), format"),
            "Can the purpose be reached with anonymized data?",
            (&["cost", "distributions"], said.cost()),
            "Whether the analysis of the recipient can bear this loss.",
        ),
        question(
            (TEHDAS2, "minimisation and anonymization"),
            "Which method was chosen, with which parameters, and which risk is left?",
            (&["choices", "promises", "risk"], said.method()),
            "Whether a data access body accepts these thresholds for this use.",
        ),
        question(
            (NIST, "governance and review"),
            "Who reviewed the release, against which standard, and who decides on the next one?",
            (&["about", "sign-off"], said.review()),
            "The review board's own procedure, and how long the decision holds.",
        ),
        question(
            (NIST, "testing"),
            "Was re-identification attempted, and by whom?",
            (
                &["exposure-by-coalition", "risk", "composition"],
                said.attempts(),
            ),
            "Attempts with data that this program does not have.",
        ),
        question(
            (ISO, "clause 6, context"),
            "Who receives the release, with which motives, means and safeguards?",
            (&["about", "protection"], said.recipients()),
            "Contracts, access controls and motives of recipients.",
        ),
        question(
            (ISO, "clause 7, data"),
            "Which attributes identify, which are sensitive, and is the risk taken as maximum or average?",
            (&["columns", "risk", "choices"], said.measures()),
            "Whether the table is a sample, and of whom.",
        ),
        question(
            (ISO, "clause 8, identifiability"),
            "How identifiable is the release, and what was done about it?",
            (&["risk", "columns", "cost"], said.risk()),
            "Safeguards around the data instead of within them.",
        ),
        question(
            (ISO, "clause 9, governance"),
            "Who is responsible before and after publication, and what happens if it goes wrong?",
            (&["about", "sign-off", "files"], said.responsible()),
            "Monitoring, withdrawal and what to do after an incident.",
        ),
    ]
}

fn question(
    (source, place): (&str, &str),
    asked: &str,
    (sections, answer): (&[&str], String),
    left_to_people: &str,
) -> ShownQuestion {
    ShownQuestion {
        source: source.to_owned(),
        place: place.to_owned(),
        question: asked.to_owned(),
        sections: sections.iter().map(|id| (*id).to_owned()).collect(),
        answer,
        left_to_people: left_to_people.to_owned(),
    }
}

struct Answers<'a> {
    facts: &'a PublicFacts,
    private: &'a ShownPrivate,
}

impl Answers<'_> {
    fn singling_out(&self) -> String {
        if let Some(noise) = &self.facts.noise {
            return format!("Bounded by noise: {}.", noise.promise);
        }
        match (&self.private.people, &self.facts.groups) {
            (Some(people), _) => format!(
                "No group has fewer than {}.",
                people_words(people.counts.smallest_group)
            ),
            (None, Some(groups)) => format!(
                "No group has fewer than {}. Each row is taken for one person.",
                counted(groups.sizes.smallest, "row")
            ),
            (None, None) => String::new(),
        }
    }

    fn linkability(&self) -> String {
        match &self.private.composition {
            Some(composition) if composition.holds() => {
                "Laid beside the releases that the policy names; its limits hold.".to_owned()
            }
            Some(_) => {
                "Laid beside the releases that the policy names; its limits do not hold.".to_owned()
            }
            None => "The policy names no other release, so none was looked at.".to_owned(),
        }
    }

    fn inference(&self) -> String {
        if self.facts.noise.is_some() {
            return "Bounded by noise; see the promise.".to_owned();
        }
        let Some(groups) = &self.facts.groups else {
            return String::new();
        };
        let mut largest: Option<(f64, &str)> = None;
        for balance in &groups.balance {
            if largest.is_none_or(|(share, _)| balance.largest_share > share) {
                largest = Some((balance.largest_share, &balance.column));
            }
        }
        match largest {
            None => "No column is sensitive.".to_owned(),
            Some((share, column)) => format!(
                "The largest share of one value in a group is {}, of {}.",
                percent(share),
                crate::text::cut(column, 40)
            ),
        }
    }

    fn readers(&self) -> String {
        let verdict = &self.facts.verdict;
        if self.facts.noise.is_some() {
            return "Any reader, whatever is known: that is what noise promises.".to_owned();
        }
        let found = match verdict.insiders {
            ShownFinding::Holds => "holds",
            ShownFinding::Fails => "does not hold",
            ShownFinding::Undecided => "is undecided",
            ShownFinding::Stated => "was stated at publishing",
        };
        match verdict.m.unwrap_or(0) {
            0 => format!("Outsiders who know the quasi-identifiers: protection {found}."),
            1 => format!("Outsiders, and any single provider: protection {found}."),
            m => format!(
                "Outsiders, and {} together: protection {found}.",
                counted(m, "colluding provider")
            ),
        }
    }

    fn risk(&self) -> String {
        let of_people = self.private.people.as_ref().and_then(|p| p.risk.as_ref());
        let of_rows = self.facts.groups.as_ref().and_then(|g| g.risk.as_ref());
        let Some(risk) = of_people.or(of_rows) else {
            return match &self.facts.noise {
                Some(noise) => format!("Bounded by noise: {}.", noise.promise),
                None => String::new(),
            };
        };
        let limits = &self.facts.risk_limits;
        let judged = if limits.is_empty() {
            "The policy sets no limit."
        } else if limits
            .iter()
            .all(|limit| limit.finding == ShownFinding::Holds)
        {
            "All limits of the policy are kept."
        } else {
            "A limit of the policy is not kept."
        };
        format!(
            "Highest chance {}, average {}. {judged}",
            percent(risk.prosecutor.highest),
            percent(risk.prosecutor.average)
        )
    }

    /// Columns whose name or kind says that one of the 18 kinds may be in them.
    fn safe_harbor(&self) -> String {
        let mut hints = Vec::new();
        for column in &self.facts.columns {
            if let Some(kind) = safe_harbor_hint(&column.name, column.kind) {
                hints.push(format!("{} ({kind})", crate::text::cut(&column.name, 40)));
            }
        }
        if hints.is_empty() {
            return "No published column has a name or kind that points to one of them.".to_owned();
        }
        let more = hints.len().saturating_sub(8);
        hints.truncate(8);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("To be looked at: {}{more}.", hints.join(", "))
    }

    fn columns(&self) -> String {
        let count = |role| {
            let columns = self.facts.columns.iter().filter(|c| c.role == role);
            whole(columns.count() as u64)
        };
        format!(
            "{} published: {} quasi-identifying, {} sensitive, {} unchanged.",
            counted(self.facts.columns.len() as u64, "column"),
            count(ColumnRole::QuasiIdentifier),
            count(ColumnRole::Sensitive),
            count(ColumnRole::Insensitive)
        )
    }

    fn cost(&self) -> String {
        let Some(utility) = &self.private.utility else {
            return "No figure against the original is recorded.".to_owned();
        };
        let mut parts = Vec::new();
        if let Some(loss) = utility.loss {
            parts.push(format!("{} {}", utility.loss_name.name(), figure(loss)));
        }
        if let Some(error) = utility.query_error {
            parts.push(format!("median error of counts {}", percent(error.median)));
        }
        if parts.is_empty() {
            return "No figure against the original is recorded.".to_owned();
        }
        format!("{}.", parts.join(", "))
    }

    fn method(&self) -> String {
        let names: Vec<&str> = self
            .facts
            .promises
            .iter()
            .map(|p| p.name.as_str())
            .collect();
        match &self.facts.noise {
            Some(noise) => format!("{}, {}.", noise.noise, noise.promise),
            None => format!(
                "{}: {}.",
                self.facts.method,
                crate::text::cut(&names.join("; "), 300)
            ),
        }
    }

    fn review(&self) -> String {
        match self.private.about.reviewers.as_slice() {
            [] => "The policy names no reviewer.".to_owned(),
            names => format!("Named: {}.", crate::text::cut(&names.join(", "), 200)),
        }
    }

    fn attempts(&self) -> String {
        if self.facts.noise.is_some() {
            return "No attack was played: noise bounds every one of them.".to_owned();
        }
        match &self.private.exposure {
            Some(exposure) if exposure.providers > 1 => format!(
                "Coalitions of all sizes among {} were played.",
                counted(exposure.providers, "provider")
            ),
            _ => "The chance to be named was computed; coalitions were not played.".to_owned(),
        }
    }

    fn recipients(&self) -> String {
        match self.private.about.recipients.as_slice() {
            [] => "The policy names no recipient.".to_owned(),
            names => format!("Named: {}.", crate::text::cut(&names.join(", "), 200)),
        }
    }

    fn measures(&self) -> String {
        if self.facts.noise.is_some() {
            return self.columns();
        }
        format!(
            "{} Maximum and average risk are both shown.",
            self.columns()
        )
    }

    fn responsible(&self) -> String {
        let about = &self.private.about;
        match (&about.controller, &about.contact) {
            (None, None) => "The policy names neither a controller nor a contact.".to_owned(),
            (Some(controller), None) => {
                format!("Controller: {}.", crate::text::cut(controller, 100))
            }
            (None, Some(contact)) => format!("Contact: {}.", crate::text::cut(contact, 100)),
            (Some(controller), Some(contact)) => format!(
                "Controller: {}. Contact: {}.",
                crate::text::cut(controller, 100),
                crate::text::cut(contact, 100)
            ),
        }
    }
}

fn people_words(people: u64) -> String {
    if people == 1 {
        "one person".to_owned()
    } else {
        format!("{} people", whole(people))
    }
}

/// Which of the 18 kinds a column may be of, by whole words of its name and by its kind.
fn safe_harbor_hint(name: &str, kind: ColumnKind) -> Option<&'static str> {
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    if has(&[
        "zip", "zipcode", "postcode", "postal", "plz", "city", "county", "address", "street",
        "district",
    ]) {
        return Some("geography below a state");
    }
    if has(&["age", "alter"]) {
        return Some("ages over 89");
    }
    if kind == ColumnKind::Date
        || has(&[
            "date",
            "birth",
            "dob",
            "birthdate",
            "admission",
            "discharge",
            "death",
        ])
    {
        return Some("dates finer than a year");
    }
    if has(&[
        "name",
        "phone",
        "telephone",
        "fax",
        "email",
        "mail",
        "ssn",
        "mrn",
        "ip",
        "url",
        "account",
        "licence",
        "license",
        "plate",
        "photo",
    ]) {
        return Some("direct identifier");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_whole_words() {
        let hint = |name| safe_harbor_hint(name, ColumnKind::Category);
        assert_eq!(hint("zip"), Some("geography below a state"));
        assert_eq!(hint("Birth_Date"), Some("dates finer than a year"));
        assert_eq!(hint("marriage"), None);
        assert_eq!(hint("language"), None);
        assert_eq!(
            safe_harbor_hint("seen", ColumnKind::Date),
            Some("dates finer than a year")
        );
    }
}
