//! A differentially private release: whether it is what was published, what it guarantees, and
//! against whom.
//!
//! The guarantee itself is no property of a table, so that no check of one can show it; that is
//! said, too.

use super::{VerifyRemarks, damaged, report_hint, strict_problem};
use crate::guarantees::{guarantee_amounts, semantics_statement};
use crate::report;
use mingle_dp::semantics::BayesianSemantics;
use mingle_record::answer::{DpKind, DpLedger, DpReader, DpVerified, DpVerifiedGuarantee};
use mingle_record::schema::VerifySchema;
use mingle_record::{Judgement, NeighbouringStatement, Problem, ProblemCode};
use mingle_release::NoisyRelease;
use mingle_release::noisy::{LedgerCheck, NoisyManifest, NoisyMeaning};
use mingle_release::warnings;
use std::path::Path;

/// What was found.
pub struct DpOutcome {
    /// The document.
    pub answer: DpVerified,
    /// What is said about how it was looked at.
    pub remarks: VerifyRemarks,
    /// What the release says; `None` where it is beyond use.
    pub manifest: Option<NoisyManifest>,
    /// What the ledger says; `None` where the private part is not here.
    pub ledger: Option<LedgerCheck>,
    /// With strict and a warning: that, where nothing else is wrong.
    strict: Option<String>,
    subject: String,
    hint: &'static str,
}

/// Looks at a release.
pub(super) fn verified(release: &NoisyRelease, folder: &Path) -> DpOutcome {
    let manifest = release.manifest().ok();
    let mut findings = release.check();
    // what records no warnings is of an earlier program, whose reports do not show any
    let recording = manifest.filter(|manifest| manifest.warnings.is_some());
    let compared = report::compare(folder, recording.map_or("", |manifest| &manifest.tool));
    let mut remarks = VerifyRemarks::default();
    let hint = report_hint(compared, &mut findings.problems, &mut remarks);
    let found = manifest.map(warnings::of_noise);
    let public = manifest.and_then(|manifest| manifest.warnings.as_deref());
    let private = release
        .private_manifest()
        .map(|private| &private.warnings[..]);
    remarks.warn(found.as_deref(), public, private);
    // whatever the tables look like, only the ledger says that they were made with noise
    let is_paid = findings.ledger == Some(LedgerCheck::Paid);
    let verdict = if !findings.is_clean() {
        Judgement::Fails
    } else if is_paid {
        Judgement::Holds
    } else {
        Judgement::Undecided
    };
    let problems = findings.problems.iter().map(ToString::to_string);
    let answer = DpVerified {
        schema: VerifySchema,
        verdict,
        kind: DpKind::Dp,
        groups: (),
        records: (),
        providers: (),
        m: (),
        attack_number: (),
        constraints: [],
        release: manifest.map(|manifest| manifest.kind.name().to_owned()),
        guarantee: manifest.map(guarantee),
        ledger: findings.ledger.as_ref().map(|ledger| match ledger {
            LedgerCheck::Paid => DpLedger::Paid,
            LedgerCheck::OutOfReach { .. } => DpLedger::OutOfReach,
            LedgerCheck::Differs { .. } => DpLedger::Differs,
        }),
        problems: problems.collect(),
        warnings: Some(remarks.warnings.clone()),
        warnings_recorded: Some(remarks.recorded),
    };
    DpOutcome {
        answer,
        remarks,
        manifest: manifest.cloned(),
        ledger: findings.ledger,
        strict: None,
        subject: folder.display().to_string(),
        hint: hint.unwrap_or("do not hand it out; what was spent for it stays spent"),
    }
}

impl DpOutcome {
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
        if let Some(finding) = &self.strict {
            return Some(strict_problem(&self.subject, finding));
        }
        let problem = damaged(&self.subject, &self.answer.problems, self.hint);
        problem.or_else(|| {
            let text = format!(
                "{}: undecided: the files are in order, and nothing here shows that noise was drawn and paid for",
                self.subject
            );
            let hint = "verify the whole release folder with its private part, where its ledger is";
            Some(Problem::new(ProblemCode::Undecided, text, hint))
        })
    }
}

/// What is promised, as the manifest says it, and against whom.
fn guarantee(manifest: &NoisyManifest) -> DpVerifiedGuarantee {
    let amounts = guarantee_amounts(manifest.guarantee());
    let neighbouring = &manifest.neighbouring;
    let (epsilon, delta) = manifest.said();
    let semantics = BayesianSemantics::of(epsilon, delta, None);
    DpVerifiedGuarantee {
        epsilon: amounts.epsilon,
        delta: amounts.delta,
        rho: amounts.rho,
        neighbouring: NeighbouringStatement {
            unit: neighbouring.unit.clone(),
            records_per_person: neighbouring.records_per_person,
            enforced: neighbouring.enforced,
            words: neighbouring.words.clone(),
        },
        semantics: semantics_statement(semantics),
        against: vec![
            DpReader::Outsider,
            // of a release that providers made together, some of the noise is a coalition's own
            match manifest.protocol {
                None => DpReader::AllProvidersButOne,
                Some(_) => DpReader::AgreedCoalitions,
            },
            DpReader::OtherReleases,
        ],
        proven_by_verify: false,
    }
}
