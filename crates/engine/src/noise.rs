//! Releases with noise: tables and a policy with `[dp]` in, a differentially private release out.
//!
//! The order is what keeps the promise: whatever can fail without noise is checked first, by
//! [`plan`]; then the budget is spent, on disk; then noise is drawn; then the release is written,
//! by [`NoisePlan::publish`]. Whatever happens after spending, it stays spent, and is said so. What
//! an outcome says depends on the data: it is for the steward, `public/` is all that a reader gets.

mod answer;
pub mod budget;
pub mod compose;
mod limits;
mod people;
pub mod recorded;
mod shared;
mod terms;
mod warnings;

use crate::failure;
use crate::inputs::Inputs;
use crate::measure::distributions;
use crate::publish::{Failed, ReleaseFolder};
use crate::report;
use crate::run::Run;
use crate::strict;
use crate::tables::Original;
use mingle_dp::ledger::Receipt;
use mingle_dp::{Encoded, Output, Records};
use mingle_io::RepeatedIdentifier;
use mingle_model::Table;
use mingle_policy::Policy;
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{Bundle, InputFile, NoisyFacts};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use shared::{SharedNoise, shared};
pub use terms::NoiseTerms;

/// Checks whatever can fail without noise, and reads the tables. Nothing is spent. Without a target
/// the plan is one to look at.
pub fn plan<'a>(
    policy: &'a Policy,
    inputs: &Inputs,
    target: Option<&'a ReleaseFolder>,
    run: &Run,
) -> Result<NoisePlan<'a>, Failed> {
    let started = Instant::now();
    if let Some(target) = target {
        target.check(run)?;
    }
    let terms = NoiseTerms::new(policy, target.map(ReleaseFolder::path), run)?;
    let looked = run.install(|| look(policy, inputs, &terms, run))?;
    let warnings = warnings::of(&terms, &looked);
    if let Some(problem) = refused(policy, &warnings) {
        return Err(Failed {
            problem: Box::new(problem),
            warnings,
        });
    }
    Ok(NoisePlan {
        policy,
        target,
        terms,
        looked,
        warnings,
        started,
    })
}

/// With `strict`, why nothing is released. Whether a release with noise is made must not depend on
/// anybody's row, so warnings about rows stay warnings: only what follows from the policy and the
/// ledger counts.
fn refused(policy: &Policy, warnings: &[Problem]) -> Option<Problem> {
    let mut counted = Vec::new();
    for warning in warnings {
        if matches!(
            warning.code(),
            ProblemCode::LargeEpsilon | ProblemCode::DifferentUnits
        ) {
            counted.push(warning.clone());
        }
    }
    strict::refused(policy.release.strict, &counted)
}

/// A release that can be made and paid for, with the tables that it is made from.
pub struct NoisePlan<'a> {
    policy: &'a Policy,
    target: Option<&'a ReleaseFolder>,
    terms: NoiseTerms<'a>,
    looked: Looked,
    warnings: Vec<Problem>,
    started: Instant,
}

/// What was made, or would be.
pub struct NoiseOutcome<'a> {
    /// What was agreed on before any table was read.
    pub terms: NoiseTerms<'a>,
    /// What happened to the records.
    pub encoded: Encoded,
    /// What was paid for and written; `None` for a dry run.
    pub made: Option<MadeWithNoise>,
    /// Where it is; `None` for a dry run.
    pub out: Option<&'a Path>,
    /// How long it took.
    pub elapsed: Duration,
    /// What the steward should know.
    pub warnings: Vec<Problem>,
    /// Why the release has no reports.
    pub without_reports: Option<Problem>,
}

/// What was paid for and written.
pub struct MadeWithNoise {
    /// The entry in the ledger.
    pub entry: u64,
    /// What was written.
    pub output: Box<Output>,
}

impl<'a> NoisePlan<'a> {
    /// What the steward should know before the budget is spent.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Publishes where there is a target; otherwise says what would be.
    pub fn carry_out(self, run: &Run) -> Result<NoiseOutcome<'a>, Problem> {
        run.check()?;
        if self.target.is_some() {
            self.publish(run)
        } else {
            Ok(self.dry_run())
        }
    }

    /// What would be: nothing is spent, drawn or written.
    pub fn dry_run(self) -> NoiseOutcome<'a> {
        NoiseOutcome {
            terms: self.terms,
            encoded: self.looked.encoded,
            made: None,
            out: None,
            elapsed: self.started.elapsed(),
            warnings: self.warnings,
            without_reports: None,
        }
    }

    /// Spends, draws and writes, in this order.
    pub fn publish(self, run: &Run) -> Result<NoiseOutcome<'a>, Problem> {
        let Some(target) = self.target else {
            return Err(failure::defect("a release without a place"));
        };
        let facts = self.facts();
        let Looked {
            table,
            records,
            encoded,
            ..
        } = self.looked;
        let receipt = self.terms.spend()?;
        let entry = receipt.entry().unwrap_or_default();
        let drawing = Drawing {
            terms: &self.terms,
            table: &table,
            facts,
            target: target.place(run),
        };
        let drawn = run.install(|| drawing.draw(records, receipt, run));
        // from here on the budget is spent: an error says so
        let (output, no_report) = drawn.map_err(|problem| self.terms.lost(entry, problem))?;
        Ok(NoiseOutcome {
            encoded,
            made: Some(MadeWithNoise {
                entry,
                output: Box::new(output),
            }),
            out: Some(target.path()),
            elapsed: self.started.elapsed(),
            warnings: self.warnings,
            without_reports: no_report.map(|reason| without_reports(&reason)),
            terms: self.terms,
        })
    }

    fn facts(&self) -> NoisyFacts {
        NoisyFacts {
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            format: self.terms.format,
            person_known: self.terms.spending.identified,
            policy: self.policy.document.clone(),
            ledger: self.terms.ledger.path().to_owned(),
            inputs: self.looked.files.clone(),
            encoded: self.looked.encoded.clone(),
            utility: None,
            distributions: None,
            warnings: self.warnings.iter().map(RecordedWarning::from).collect(),
            time: self.terms.spending.at.clone(),
            reports: Some(report::render),
            protocol: None,
        }
    }
}

fn without_reports(reason: &str) -> Problem {
    let text = format!("published without reports, which could not be made: {reason}");
    let hint = "`mingle report` can make them later";
    Problem::new(ProblemCode::NoReport, text, hint)
}

/// What noise is drawn for, once it is paid.
struct Drawing<'d> {
    terms: &'d NoiseTerms<'d>,
    table: &'d Table,
    facts: NoisyFacts,
    target: mingle_release::Target<'d>,
}

impl Drawing<'_> {
    /// Returns what was written, and why it has no reports if so.
    fn draw(
        self,
        records: Records,
        receipt: Receipt,
        run: &Run,
    ) -> Result<(Output, Option<String>), Problem> {
        run.step("drawing noise");
        let output = mingle_dp::release(
            &self.terms.attributes,
            records,
            &self.terms.request,
            receipt,
            self.target.cancelled,
        )
        .map_err(|e| failure::dp(&e))?;
        run.step("measuring");
        let distributions = distributions::of_noise(self.table, &output);
        run.step("writing");
        let facts = NoisyFacts {
            distributions,
            ..self.facts
        };
        let target = self.target;
        let written = Bundle::noisy(&output, &facts).and_then(|bundle| bundle.write(target));
        let written = written.map_err(|e| failure::release(&e))?;
        Ok((output, written.no_report))
    }
}

/// The tables as they are looked at through the declared domains, and what the steward should know
/// of them.
struct Looked {
    /// What was read, to compare the release with.
    table: Arc<Table>,
    records: Records,
    encoded: Encoded,
    files: Vec<InputFile>,
    /// Whose rows they are, where an identifier says it.
    people: Option<people::PeopleTally>,
    /// Identifier columns with repeated values, and how many rows repeat one.
    repeated_identifiers: Vec<RepeatedIdentifier>,
}

fn look(
    policy: &Policy,
    inputs: &Inputs,
    terms: &NoiseTerms<'_>,
    run: &Run,
) -> Result<Looked, Problem> {
    let (original, person) = inputs.read_texts(policy, terms.dp.person.as_deref(), run)?;
    run.step("looking up cells");
    let people = match person {
        Some(column) => Some(people::PeopleOfRows::read(&column)?),
        None => None,
    };
    let bound = terms.bound(people.as_ref());
    let (records, encoded) =
        Records::encode(&terms.attributes, &original.table, bound).map_err(|e| failure::dp(&e))?;
    let people = people.map(|people| people.tally);
    // where nothing tells people apart they are taken to be as many as rows, and never are more
    terms.check_delta(people.map_or(encoded.rows, |tally| tally.people))?;
    run.check()?;
    let Original {
        table,
        files,
        repeated_identifiers,
        people: _,
        absent: _,
    } = original;
    Ok(Looked {
        table,
        records,
        encoded,
        files,
        people,
        repeated_identifiers,
    })
}
