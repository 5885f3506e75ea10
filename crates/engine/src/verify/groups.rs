//! What was found about groups: verdicts, constraints, the witness and the attack number.

use super::people::KnownPeople;
use super::{VerifyRemarks, damaged, strict_problem};
use crate::promises::{
    judgement, promise_entry, rows_together_verdict, sensitive_names, site_diversity_verdict,
};
use mingle_privacy::{
    AttackNumber, FragmentsVerification, Insiders, Promise, Semantics, Verification, Witness,
};
use mingle_record::answer::{GroupsVerified, VerifyWitness};
use mingle_record::manifest::ProtocolEntry;
use mingle_record::schema::VerifySchema;
use mingle_record::{ConstraintVerdict, GroupLabels, Judgement, Problem, ProblemCode};

/// What was found.
pub struct GroupsOutcome {
    /// The document.
    pub answer: GroupsVerified,
    /// What is said about how it was looked at.
    pub remarks: VerifyRemarks,
    /// What withstanding insiders means.
    pub semantics: Semantics,
    /// Whether it is known who contributed each row. Otherwise only the outsider was checked.
    pub knows_providers: bool,
    /// Of a release that n providers made together: who, and what they showed each other.
    pub made_by: Option<ProtocolEntry>,
    /// Whether insiders should have been checked and could not be.
    lacks_providers: bool,
    /// Whether a promise about columns together should have been checked and could not be.
    lacks_links: bool,
    /// Whether people should have been counted and could not be.
    pub lacks_people: bool,
    /// With strict and a warning: that, where nothing else is wrong.
    strict: Option<String>,
    subject: String,
    hint: &'static str,
}

/// What a verification found, and what is known about the providers.
pub(super) struct Checked<'a> {
    /// The verdicts; `None` when the table could not be read, and for fragments that nothing links.
    pub verification: Option<&'a Verification>,
    /// The verdicts for the reader of a fragmented release.
    pub fragments: Option<&'a FragmentsVerification>,
    /// What is promised about sensitive columns together and cannot be decided here, because
    /// nothing links them.
    pub unlinked: &'a [Promise],
    /// What else is wrong, in words.
    pub problems: Vec<String>,
    /// How many providers there are, where that is known.
    pub providers: Option<u64>,
    /// Against whom it should hold.
    pub stated: Insiders,
    /// Whether it is known who contributed each row. Otherwise only the outsider was checked.
    pub knows_providers: bool,
    /// What is known about whose each row is.
    pub people: KnownPeople,
}

impl Checked<'_> {
    /// Whether insiders should have been checked and could not be.
    pub fn lacks_providers(&self) -> bool {
        self.stated.need_providers() && !self.knows_providers
    }

    /// Whether a promise about columns together should have been checked and could not be.
    fn lacks_links(&self) -> bool {
        !self.unlinked.is_empty()
    }

    /// The answer, with what a person is told beside it.
    pub fn into_outcome(
        self,
        subject: String,
        remarks: VerifyRemarks,
        hint: &'static str,
    ) -> GroupsOutcome {
        GroupsOutcome {
            semantics: self.stated.semantics,
            knows_providers: self.knows_providers,
            made_by: None,
            lacks_providers: self.lacks_providers(),
            lacks_links: self.lacks_links(),
            lacks_people: self.people.is_lacking(),
            answer: GroupsVerified {
                warnings: Some(remarks.warnings.clone()),
                warnings_recorded: Some(remarks.recorded),
                ..self.answer()
            },
            remarks,
            strict: None,
            subject,
            hint,
        }
    }

    fn answer(self) -> GroupsVerified {
        let attack = self.attack_number();
        let (groups, records) = match (self.verification, self.fragments) {
            (Some(linked), _) => (Some(linked.groups()), Some(linked.records())),
            (None, Some(apart)) => (Some(apart.groups()), Some(apart.records())),
            (None, None) => (None, None),
        };
        GroupsVerified {
            schema: VerifySchema,
            verdict: self.verdict(),
            groups: groups.map(|groups| groups as u64),
            records,
            people: self.people.counted(self.verification),
            providers: self.providers,
            m: self.stated.m.0,
            attack_number: attack.found,
            attack_number_undecided: attack.open,
            fragmented: self.fragments.is_some(),
            constraints: self.constraints(),
            witness: self.witness(),
            problems: self.problems,
            warnings: None,
            warnings_recorded: None,
        }
    }

    /// For the stated m.
    fn verdict(&self) -> Judgement {
        let linked = self.verification.map(|found| {
            let found = judgement(found.verdict());
            self.people.judged(found)
        });
        let apart = self.fragments.map(|found| judgement(found.verdict()));
        let found = [linked, apart];
        if !self.problems.is_empty() || found.contains(&Some(Judgement::Fails)) {
            return Judgement::Fails;
        }
        let looked_at = found != [None, None];
        let undecided = found.contains(&Some(Judgement::Undecided));
        if looked_at && !undecided && !self.lacks_providers() && !self.lacks_links() {
            Judgement::Holds
        } else {
            Judgement::Undecided
        }
    }

    /// Every constraint with its verdict, in the policy's order; those that cannot be decided here
    /// come last.
    fn constraints(&self) -> Vec<ConstraintVerdict> {
        if let Some(verification) = self.verification {
            return constraint_verdicts(
                verification,
                self.stated,
                self.knows_providers,
                &self.people,
            );
        }
        let Some(fragments) = self.fragments else {
            return Vec::new();
        };
        let columns = fragments.fragments().sensitive();
        let sensitive: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        let mut all = Vec::new();
        for (promise, verdict) in fragments.promises().iter().zip(fragments.verdicts()) {
            all.push(ConstraintVerdict {
                promise: promise_entry(promise, &sensitive),
                verdict: judgement(verdict),
            });
        }
        for promise in self.unlinked {
            all.push(ConstraintVerdict {
                promise: promise_entry(promise, &sensitive),
                verdict: Judgement::Undecided,
            });
        }
        if let Some(number) = self.stated.semantics.site_diversity() {
            let verdict = undecided_unless(self.stated.fewest_providers() < 2);
            all.push(site_diversity_verdict(number, verdict));
        }
        all
    }

    /// The failure that the verdict is about.
    fn witness(&self) -> Option<VerifyWitness> {
        let linked = self.verification.and_then(Verification::witness);
        let witness = linked.or_else(|| self.fragments.and_then(|found| found.witness()))?;
        Some(VerifyWitness {
            constraint: witness.name.to_owned(),
            group: self.describe(witness.group),
            coalition: self.coalition(witness),
            records_left: witness.records_left,
            people_left: witness.people_left,
        })
    }

    /// A group as its reader sees it, with the gid where there is one.
    fn describe(&self, group: usize) -> GroupLabels {
        match (self.fragments, self.verification) {
            (Some(fragments), _) => fragments
                .describe(group)
                .map(|(name, label)| (name.to_owned(), label.to_string()))
                .collect(),
            (None, Some(verification)) => verification
                .published()
                .describe(group)
                .map(|(name, label)| (name.to_owned(), label.to_owned()))
                .collect(),
            (None, None) => GroupLabels::from_iter([]),
        }
    }

    /// Who takes part in a witness.
    fn coalition(&self, witness: &Witness) -> Vec<String> {
        let Some(verification) = self.verification else {
            return Vec::new();
        };
        let providers = verification.published().providers();
        let members = witness.coalition.iter();
        members.map(|&id| providers.name(id).to_owned()).collect()
    }

    /// The smallest coalition that succeeds, and whether a smaller one may have been missed.
    fn attack_number(&self) -> AttackNumber {
        let unknown = AttackNumber {
            found: None,
            open: true,
        };
        let attack = self
            .verification
            .map_or(unknown, Verification::attack_number);
        AttackNumber {
            open: attack.found != Some(0) && (attack.open || !self.knows_providers),
            ..attack
        }
    }
}

impl GroupsOutcome {
    /// A warning is a finding. A failure that was there before is the one that is told.
    pub(super) fn be_strict(&mut self, finding: String) {
        if self.answer.verdict != Judgement::Fails {
            self.strict = Some(finding.clone());
        }
        self.answer.verdict = Judgement::Fails;
        self.answer.problems.push(finding);
    }

    /// Why it should not be handed out, or is not known to be fine; `None` where it holds.
    pub(super) fn problem(&self) -> Option<Problem> {
        if self.answer.verdict == Judgement::Holds {
            return None;
        }
        let subject = &self.subject;
        if let Some(finding) = &self.strict {
            return Some(strict_problem(subject, finding));
        }
        let problem = damaged(subject, &self.answer.problems, self.hint);
        if problem.is_some() {
            return problem;
        }
        let (code, text, hint) = if let Some(witness) = &self.answer.witness {
            let who = match witness.coalition.len() {
                0 => String::new(),
                n => format!(" for a coalition of {n}"),
            };
            (
                ProblemCode::ConstraintFails,
                format!("{subject}: {} fails{who}", witness.constraint),
                "do not hand the table out; the witness above names a group",
            )
        } else if self.lacks_people {
            (
                ProblemCode::Undecided,
                format!(
                    "{subject}: undecided for people: nothing here says whose rows belong together"
                ),
                "verify the whole release folder with its private part",
            )
        } else if self.lacks_providers {
            (
                ProblemCode::Undecided,
                format!(
                    "{subject}: undecided for insiders: nothing here says who contributed which row"
                ),
                "verify the whole release folder with its private part, or a table with its provider column",
            )
        } else if self.lacks_links {
            (
                ProblemCode::Undecided,
                format!(
                    "{subject}: undecided for sensitive columns together: fragments do not say which values belong together"
                ),
                "verify the whole release folder with its private part",
            )
        } else {
            (
                ProblemCode::Undecided,
                format!("{subject}: undecided"),
                "undecided counts as not satisfied",
            )
        };
        Some(Problem::new(code, text, hint))
    }
}

/// Every constraint with its parameters and its verdict; the last is what strict semantics asks
/// for.
pub fn constraint_verdicts(
    verification: &Verification,
    stated: Insiders,
    knows_providers: bool,
    people: &KnownPeople,
) -> Vec<ConstraintVerdict> {
    let sensitive = sensitive_names(verification.published());
    let mut all = Vec::new();
    for (promise, verdict) in verification.promises().iter().zip(verification.verdicts()) {
        all.push(ConstraintVerdict {
            promise: promise_entry(promise, &sensitive),
            verdict: people.judged(judgement(verdict)),
        });
    }
    // an audit counts people within each group, and cannot show who is in two of them
    if let (Some(verdict), KnownPeople::Identified(_)) = (verification.rows_together(), people) {
        all.push(rows_together_verdict(judgement(verdict)));
    }
    // how many contributors a group needs beyond m, and whether every group has them
    if let Some(number) = stated.semantics.site_diversity() {
        let verdict = match verification.site_diversity() {
            Some(verdict) => judgement(verdict),
            None => undecided_unless(knows_providers || stated.fewest_providers() < 2),
        };
        all.push(site_diversity_verdict(number, verdict));
    }
    all
}

fn undecided_unless(holds: bool) -> Judgement {
    if holds {
        Judgement::Holds
    } else {
        Judgement::Undecided
    }
}
