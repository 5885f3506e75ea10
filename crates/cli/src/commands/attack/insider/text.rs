//! The result for people: at most 80 columns.

use crate::message::wrap;
use mingle::attack::insider::{InsiderOutcome, names};
use mingle::insiders;
use mingle::promises::promise_text;
use mingle_assess::attack::insider::ExposureToCoalitions;
use mingle_assess::attack::insider::worst::Worst;
use mingle_model::counted;
use mingle_privacy::Knows;
use mingle_record::answer::InsiderAnswer;

/// Sensitive columns beyond these are in the other formats only.
const COLUMNS: usize = 2;
/// Longer tables leave out sizes at which nothing changes.
const ROWS: usize = 16;

/// What is shown of an attack.
pub struct InsiderText<'a> {
    outcome: &'a InsiderOutcome,
    answer: &'a InsiderAnswer,
}

impl<'a> InsiderText<'a> {
    pub fn new(outcome: &'a InsiderOutcome, answer: &'a InsiderAnswer) -> InsiderText<'a> {
        InsiderText { outcome, answer }
    }

    pub fn to_text(&self) -> String {
        [
            self.heading(),
            self.exposure(),
            self.beside(),
            self.worst(),
            self.shared(),
            self.inference(),
            self.origin(),
            self.label_ends(),
        ]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
    }

    fn heading(&self) -> String {
        let published = &self.outcome.published;
        let providers = published.providers().len() as u64;
        let mut text = wrap(&format!(
            "against {}: {}",
            insiders::in_words(self.outcome.insiders, providers),
            self.answer.verdict
        ));
        for promise in &self.outcome.promises {
            text.push_str(&format!("  {}\n", promise_text(promise, published)));
        }
        let (groups, records) = (published.groups(), published.rows());
        let people = match self.outcome.people() {
            Some(people) => format!(", people {people}"),
            None => String::new(),
        };
        text.push_str(&format!(
            "groups {groups}, records {records}{people}, providers {providers}\n"
        ));
        text
    }

    fn exposure(&self) -> String {
        let names = self.columns().map(|name| cut(name, 8));
        let heads = ["groups", "share", self.whom(), "identity"]
            .map(str::to_owned)
            .into_iter();
        let mut text = line("coalition", heads.chain(names).chain(["either".to_owned()]));
        let all = &self.outcome.insider.exposure;
        let m = self.outcome.promised_size();
        for (at, exposure) in all.iter().enumerate() {
            let changes = at > 0
                && ExposureToCoalitions {
                    size: all[at - 1].size,
                    ..exposure.clone()
                } != all[at - 1];
            if all.len() <= ROWS || changes || [0, m, all.len() as u64 - 1].contains(&exposure.size)
            {
                text.push_str(&self.row(exposure, m));
            }
        }
        text.push_str(&self.legend());
        text
    }

    /// What is counted: people who may have several records, or records.
    fn whom(&self) -> &'static str {
        if self.outcome.people().is_some() {
            "people"
        } else {
            "records"
        }
    }

    /// The same for insiders who know of people what the policy does not say.
    fn beside(&self) -> String {
        let Some(beside) = &self.outcome.beside else {
            return String::new();
        };
        let said = match self.outcome.known_beside() {
            Knows::Rows => "the same if a provider knows only people all of whose records it has",
            Knows::People => "the same if a provider that has one record of a person knows her",
        };
        let known = self.outcome.known_beside().name();
        let mut text = wrap(&format!("{said} (knows = {known:?}):"));
        let m = self.outcome.promised_size();
        for exposure in &beside.exposure {
            let last = beside.exposure.len() as u64 - 1;
            if beside.exposure.len() <= ROWS || [0, m, last].contains(&exposure.size) {
                text.push_str(&self.row(exposure, m));
            }
        }
        text
    }

    /// What coalitions learn about people they share.
    fn shared(&self) -> String {
        let Some(shared) = &self.outcome.shared else {
            return String::new();
        };
        if shared.people == 0 {
            return "shared people: nobody has records of several providers\n".to_owned();
        }
        let mut text = format!(
            "{:<44}{:>12}{:>12}{:>12}\n",
            "shared people", "shared", "learnt", "certain"
        );
        for of_size in &shared.sizes {
            let bound = if of_size.exact { "" } else { "≥ " };
            for coalition in &of_size.coalitions {
                let who = cut(&names(&self.outcome.published, &coalition.members), 42);
                text.push_str(&format!(
                    "{who:<44}{:>12}{:>12}{:>12}\n",
                    coalition.people,
                    format!("{bound}{}", coalition.learnt),
                    format!("{bound}{}", coalition.certain)
                ));
            }
        }
        text.push_str(&wrap(
            "shared: people about whom they and others have records; learnt: those about whom they learn a \
             new value from others' records if they recognise these; certain: those of whose value they are sure even if they do not",
        ));
        text
    }

    fn row(&self, exposure: &ExposureToCoalitions, m: u64) -> String {
        let who = match exposure.size {
            0 => "outsider".to_owned(),
            1 => "1 provider".to_owned(),
            n => format!("{n} providers"),
        };
        let promised = if exposure.size == m { " (m)" } else { "" };
        let share = format!(
            "{:.0} %",
            100.0 * exposure.groups as f64 / self.outcome.published.groups().max(1) as f64
        );
        let numbers = [exposure.records, exposure.identity].into_iter();
        let numbers = numbers
            .chain(exposure.attribute.iter().copied().take(COLUMNS))
            .chain([exposure.exposed]);
        let open = if exposure.undecided > 0 { "+?" } else { "" };
        let cells = [format!("{}{open}", exposure.groups), share]
            .into_iter()
            .chain(numbers.map(|n| n.to_string()));
        line(&format!("{who}{promised}"), cells)
    }

    fn legend(&self) -> String {
        let names: Vec<&str> = self.columns().collect();
        let whom = self.whom();
        let known = match self.outcome.people() {
            Some(_) => "people whose records are known to be theirs",
            None => "records known to be a certain person's",
        };
        let values = match names.as_slice() {
            [] => String::new(),
            names => format!(
                "; {}: {whom} whose value is known for certain",
                names.join(", ")
            ),
        };
        let mut text = wrap(&format!(
            "groups: those in which a promise breaks, and the {whom} in them; identity: {known}{values}; \
             either: people exposed"
        ));
        let open = self
            .outcome
            .insider
            .exposure
            .iter()
            .map(|e| e.undecided)
            .max()
            .unwrap_or(0);
        if open > 0 {
            text.push_str(&wrap(&format!(
                "+?: up to {} may fall; a search was cut short",
                counted(open, "more group")
            )));
        }
        text
    }

    fn worst(&self) -> String {
        let of_size = |worst: &Worst| -> String {
            let bound = if worst.exact { "" } else { "≥ " };
            let one = |c: &mingle_assess::attack::insider::worst::CoalitionGain| {
                let who = cut(&names(&self.outcome.published, &c.members), 52);
                format!(
                    "{who:<54}{:>12}{:>12}\n",
                    format!("{bound}{}", c.exposed),
                    format!("{bound}{}", c.groups)
                )
            };
            worst.coalitions.iter().map(one).collect()
        };
        let rows: String = self.outcome.insider.worst.iter().map(of_size).collect();
        let Some(largest) = self.outcome.insider.worst.last().map(|worst| worst.size) else {
            return String::new();
        };
        if rows.is_empty() {
            return format!(
                "worst coalitions: none of up to {} found anything\n",
                counted(largest, "provider")
            );
        }
        let mut text = format!(
            "{:<54}{:>12}{:>12}\n{rows}",
            "worst coalitions", "exposed", "groups"
        );
        if self
            .outcome
            .insider
            .worst
            .iter()
            .any(|worst| !worst.exact && !worst.coalitions.is_empty())
        {
            text.push_str(
                "≥: at least so many; not everything that these or others could do was tried\n",
            );
        }
        text
    }

    fn inference(&self) -> String {
        let Some(inference) = &self.answer.inference else {
            return "nobody up to this size learns anything\n".to_owned();
        };
        let beyond = inference.coalition.len() as u64 > self.outcome.insiders.m.0;
        let opening = if beyond {
            "beyond m, for example"
        } else {
            "for example"
        };
        wrap(&format!("{opening}, {}", inference.text))
    }

    /// Groups that tell where they come from.
    fn origin(&self) -> String {
        let insiders = self.outcome.insiders;
        let single = self
            .outcome
            .insider
            .groups
            .iter()
            .filter(|group| group.providers == 1)
            .count();
        let several = self.outcome.published.providers().len() > 1;
        match (
            insiders.semantics.site_diversity(),
            self.outcome.short_of_providers(),
        ) {
            (Some(_), 0) => String::new(),
            (Some(_), short) => {
                let fewest = insiders.fewest_providers();
                format!(
                    "origin: {} with fewer than {}, which strict semantics asks for\n",
                    counted(short, "group"),
                    counted(fewest, "contributor")
                )
            }
            (None, _) if single > 0 && several => wrap(&format!(
                "origin: {} from one provider alone, which all others together can tell",
                counted(single, "group")
            )),
            _ => String::new(),
        }
    }

    fn label_ends(&self) -> String {
        let Some(ends) = &self.outcome.ends else {
            return String::new();
        };
        let mut text = wrap(&format!(
            "ends of ranges: {} of {}, in {}, give away that one of at most {} has somebody with exactly this value",
            ends.given_away,
            ends.checked,
            counted(ends.groups, "group"),
            counted(self.outcome.explained_by_at_most(), "provider")
        ));
        let example = self.answer.label_ends.as_ref();
        if let Some(end) = example.and_then(|ends| ends.example.as_ref()) {
            text.push_str(&wrap(&format!("for example, {}", end.text)));
        }
        let told = &ends.told;
        text.push_str(&wrap(&format!(
            "labels: in {} of {} with several contributors, up to {} know for certain that somebody of the others \
             has a certain element of a set ({} groups) or attains a certain end of a range ({} groups)",
            told.groups,
            counted(told.groups_of_several, "group"),
            counted(self.outcome.explained_by_at_most(), "provider"),
            told.groups_by_elements,
            told.groups_by_ends
        )));
        text
    }

    fn columns(&self) -> impl Iterator<Item = &str> {
        self.outcome
            .published
            .sensitive()
            .iter()
            .take(COLUMNS)
            .map(|column| column.name.as_str())
    }
}

fn line(first: &str, rest: impl Iterator<Item = String>) -> String {
    let rest: String = rest.map(|cell| format!("{cell:>9}")).collect();
    format!("{first:<17}{rest}\n")
}

/// A name that fits.
fn cut(name: &str, width: usize) -> String {
    if name.chars().count() > width {
        name.chars().take(width - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}
