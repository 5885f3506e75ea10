//! The result for people: at most 80 columns.

use crate::message::wrap;
use mingle::attack::background_join::BackgroundJoinOutcome;
use mingle::attack::list;
use mingle_assess::attack::background_join::reconstruction::{
    DETERMINED, Estimate, Inferred, Reconstruction,
};
use mingle_assess::attack::background_join::{KnowledgePlay, LearntView, ReleaseForm};

/// More plays are in the other formats only.
const PLAYS: usize = 6;

/// What is shown of an attack.
pub struct BackgroundJoinText<'a>(pub &'a BackgroundJoinOutcome);

impl BackgroundJoinText<'_> {
    pub fn to_text(&self) -> String {
        let mut parts = vec![self.heading()];
        parts.extend(self.shown().into_iter().map(|play| self.play(play)));
        parts.extend([self.legend(), self.inference(), self.reconstruction()]);
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn heading(&self) -> String {
        let found = &self.0.found;
        let known = self.0.options.quasi_identifiers.as_deref();
        let known = known.map_or("all quasi-identifiers".to_owned(), |names| match names {
            [] => "no quasi-identifier".to_owned(),
            names => list(&names.iter().map(String::as_str).collect::<Vec<_>>()),
        });
        let mut text = wrap(&format!(
            "background join against a {} release, knowing {known}: {}",
            self.0.form.name(),
            self.0.answer.verdict
        ));
        let overlapping = match found.overlapping {
            0 => String::new(),
            n => format!(", in several groups' labels {n}"),
        };
        let left_out = if found.left_out == 0 {
            String::new()
        } else {
            format!(", left out {}", found.left_out)
        };
        let groups = self.0.answer.groups;
        text.push_str(&wrap(&format!(
            "groups {groups}, people {}{left_out}{overlapping}, k = {}",
            found.people, self.0.options.k
        )));
        text
    }

    /// In their order, those that expose most where there are too many.
    fn shown(&self) -> Vec<&KnowledgePlay> {
        let mut places: Vec<usize> = (0..self.0.found.plays.len()).collect();
        places.sort_by_key(|&at| std::cmp::Reverse(self.0.found.plays[at].newly(self.0.form)));
        places.truncate(PLAYS);
        places.sort_unstable();
        places
            .into_iter()
            .map(|at| &self.0.found.plays[at])
            .collect()
    }

    fn play(&self, play: &KnowledgePlay) -> String {
        let (known, target) = (self.0.names(&play.known), self.0.name(play.target));
        let mut text = wrap(&format!(
            "who knows {known} about {target} ({} people)",
            play.people
        ));
        text.push_str(&line(
            "reader",
            ["certain", "newly", "below k", "alone", "mean", "largest"].map(str::to_owned),
        ));
        text.push_str(&view("outsider", &play.outsider));
        for form in [ReleaseForm::Linked, ReleaseForm::Fragmented] {
            let Some(found) = play.view(form) else {
                continue;
            };
            let this = if form == self.0.form { " *" } else { "" };
            text.push_str(&view(&format!("{}{this}", form.name()), found));
        }
        if let Some(by_rows) = &play.by_rows {
            text.push_str("  who cannot link a person's rows\n");
            text.push_str(&view("outsider", &by_rows.outsider));
            text.push_str(&view("linked *", &by_rows.linked));
        }
        text
    }

    fn legend(&self) -> String {
        let other = match self.0.form {
            ReleaseForm::Linked => {
                "fragmented: the same groups with every sensitive column in a table of its own"
            }
            ReleaseForm::Fragmented => {
                "linked: the same groups with the sensitive columns side by side"
            }
        };
        if self.counts_people() {
            return self.with_more(wrap(
                "*: this release; outsider: knows no sensitive value. Candidates are people who can be her, and rows that \
                 can be hers to who cannot tell which rows are one person's. Of somebody with several values the one is \
                 taken to be known that gives most away. certain: people of whom a value is known; newly: and is not to the \
                 outsider; below k, alone: people with fewer than k candidates, or one; mean, largest: how likely a true \
                 value is",
            ));
        }
        let text = wrap(&format!(
            "*: this release; {other}; outsider: knows no sensitive value. certain: people whose value is known; newly: \
             and is not to the outsider; below k, alone: people with fewer than k rows, or one, that can be theirs; \
             mean, largest: how likely the true value is"
        ));
        self.with_more(text)
    }

    /// Whether people may have several rows.
    fn counts_people(&self) -> bool {
        self.0.found.plays.iter().any(|play| play.by_rows.is_some())
    }

    /// How many plays are not shown.
    fn with_more(&self, mut text: String) -> String {
        if self.0.found.plays.len() > PLAYS {
            let more = self.0.found.plays.len() - PLAYS;
            text.push_str(&format!(
                "{more} more with --json or --csv, none of which exposes further people\n"
            ));
        }
        text
    }

    fn inference(&self) -> String {
        match &self.0.answer.inference {
            None => "nobody is exposed who is not exposed to everybody\n".to_owned(),
            Some(inference) => wrap(&format!("for example, {}", inference.text)),
        }
    }

    /// What fragmented tables still say about what goes together.
    fn reconstruction(&self) -> String {
        let mut text = String::new();
        if !self.0.found.reconstructions.is_empty() {
            let heads = ["rounds", "right", "blind", "plain", "chance"].map(str::to_owned);
            let [rounds, cells @ ..] = heads;
            text.push_str(&format!(
                "{:<31}{rounds:>8}{}\n",
                "re-linked from fragments alone",
                in_columns(cells, 9)
            ));
        }
        for found in &self.0.found.reconstructions {
            text.push_str(&self.re_linked(found));
        }
        for &[a, b] in &self.0.found.not_reconstructed {
            let names = format!("{} and {}", self.0.name(a), self.0.name(b));
            text.push_str(&wrap(&format!(
                "{names}: too many pairs of values within groups to be re-linked here"
            )));
        }
        if !self.0.found.reconstructions.is_empty() {
            text.push_str(&self.inferred());
            text.push_str(&wrap(
                "t-closeness does not help here: it bounds what a group's counts say about each column, and re-linking \
                 changes no count",
            ));
        }
        text
    }

    fn re_linked(&self, found: &Reconstruction) -> String {
        let share = |people: f64| format!("{:.1} %", 100.0 * people / found.people.max(1) as f64);
        let names = format!(
            "{} and {}",
            self.0.name(found.columns[0]),
            self.0.name(found.columns[1])
        );
        let line = |estimate: &Estimate| {
            let people = [
                estimate.right as f64,
                estimate.blind,
                found.plain as f64,
                found.chance,
            ];
            pairs(&names, estimate.rounds, people.map(share))
        };
        shown(found).map(line).collect()
    }

    fn inferred(&self) -> String {
        let heads = ["mean", "without", "at 95 %", "newly", "misled"].map(str::to_owned);
        let mut text = format!(
            "{:<35}{}\n",
            "known, inferred, rounds",
            in_columns(heads, 8)
        );
        for estimate in self.0.found.reconstructions.iter().flat_map(shown) {
            estimate
                .inferences
                .iter()
                .for_each(|one| text.push_str(&self.inference_line(one, estimate.rounds)));
        }
        text.push_str(&wrap(&format!(
            "right: people whose pair of values is guessed, group by group; blind: what this guess gets where values are \
             paired at random; plain: a guess without an estimate; chance: a random pairing. mean: how likely the estimate \
             holds the true value, without: the group's share; at 95 %: people whose true value it holds at least that \
             likely ({DETERMINED}); newly: and the group alone does not; misled: people of whom it holds another value that \
             likely"
        )));
        text
    }

    fn inference_line(&self, one: &Inferred, rounds: usize) -> String {
        let cells = [
            format!("{:.4}", one.mean_posterior),
            format!("{:.4}", one.mean_without),
            one.determined.to_string(),
            one.newly.to_string(),
            one.misled.to_string(),
        ];
        let names = cut(
            &format!("{}, {}", self.0.name(one.known), self.0.name(one.target)),
            29,
        );
        format!("{names:<30}{rounds:>5}{}\n", in_columns(cells, 8))
    }
}

/// An estimate that the first round settles is shown once.
fn shown(found: &Reconstruction) -> impl Iterator<Item = &Estimate> {
    let [first, last] = &found.estimates;
    [first]
        .into_iter()
        .chain(Some(last).filter(|last| last.rounds > first.rounds))
}

fn view(name: &str, view: &LearntView) -> String {
    let counts = [view.certain, view.newly, view.below_k, view.alone].map(|n| n.to_string());
    let [certain, newly, below_k, alone] = counts;
    let posteriors = [view.mean_posterior, view.largest_posterior].map(|p| format!("{p:.4}"));
    let [mean, largest] = posteriors;
    line(name, [certain, newly, below_k, alone, mean, largest])
}

fn line(first: &str, cells: [String; 6]) -> String {
    format!(
        "  {first:<15}{}\n",
        cells.map(|cell| format!("{cell:>10}")).concat()
    )
}

fn pairs(names: &str, rounds: usize, cells: [String; 4]) -> String {
    format!(
        "{:<31}{rounds:>8}{}\n",
        cut(names, 30),
        in_columns(cells, 9)
    )
}

fn in_columns<const N: usize>(cells: [String; N], width: usize) -> String {
    cells.map(|cell| format!("{cell:>width$}")).concat()
}

/// A name that fits.
fn cut(name: &str, width: usize) -> String {
    if name.chars().count() > width {
        name.chars().take(width - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}
