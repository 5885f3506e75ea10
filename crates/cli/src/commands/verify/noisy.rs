//! A differentially private release: whether it is what was published, what it guarantees, and
//! against whom.
//!
//! The guarantee itself is no property of a table, so that no check of one can show it; that is
//! said, too.

use super::report_hint;
use crate::commands::dp::words::{meaning, promise, statement, statement_json};
use crate::message::{Exit, Problem, Screen, print, print_json, visible, wrap};
use mingle::reports;
use mingle_dp::semantics::Semantics;
use mingle_record::Code;
use mingle_release::NoisyRelease;
use mingle_release::noisy::NoisyMeaning;
use mingle_release::noisy::{LedgerCheck, NoisyFindings, NoisyManifest};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(
    release: &NoisyRelease,
    folder: &Path,
    json: bool,
    screen: Screen,
) -> Result<Exit, Problem> {
    let (subject, manifest) = (folder.display().to_string(), release.manifest().ok());
    let mut findings = release.check();
    let compared = reports::compare(folder, manifest.map_or("", |manifest| &manifest.tool));
    let hint = report_hint(compared, &mut findings.problems, screen);
    let hint = hint.unwrap_or("do not hand it out; what was spent for it stays spent");
    let checked = Checked { manifest, findings };
    match json {
        true => print_json(&checked.to_json())?,
        false => print(&visible(&checked.to_text()))?,
    }
    let problem = match &checked.findings.problems[..] {
        [] if checked.is_paid() => return Ok(Exit::Fine),
        [] => undecided(&subject),
        [first, rest @ ..] => {
            let more = if rest.is_empty() {
                String::new()
            } else {
                format!(" (and {} more)", rest.len())
            };
            Problem::new(
                Code::ReleaseDamaged,
                format!("{subject}: {first}{more}"),
                hint,
            )
        }
    };
    screen.problem(&problem);
    Ok(problem.code().exit())
}

fn undecided(subject: &str) -> Problem {
    let text = format!(
        "{subject}: undecided: the files are in order, and nothing here shows that noise was drawn and paid for"
    );
    Problem::new(
        Code::Undecided,
        text,
        "verify the whole release folder with its private part, where its ledger is",
    )
}

struct Checked<'a> {
    /// `None` where it is beyond use.
    manifest: Option<&'a NoisyManifest>,
    findings: NoisyFindings,
}

const OUTSIDER: &str = "the outsider, whatever else is known";
const COALITION: &str = "any coalition of providers, up to all but one: what it learns about one person of another \
                         provider is bounded by ε whatever it knows, so the release is (n−1)-private by ε";
const OTHERS: &str = "readers of other releases: what they promise adds up (`mingle dp compose`)";
const NOT_SHOWN: &str = "differential privacy is a property of the program that made the release, not of its tables: \
                         verify cannot prove it. Checked is that the files are those that were written, that every \
                         cell is in its declared domain, that counts are such as the program publishes and, where it \
                         can be reached, that the ledger has the entry";

impl Checked<'_> {
    /// Whatever the tables look like, only the ledger says that they were made with noise.
    fn verdict(&self) -> &'static str {
        match self.findings.is_clean() {
            false => "fails",
            true if self.is_paid() => "holds",
            true => "undecided",
        }
    }

    fn is_paid(&self) -> bool {
        self.findings.ledger == Some(LedgerCheck::Paid)
    }

    fn to_text(&self) -> String {
        let Some(manifest) = self.manifest else {
            return format!("verdict: {}\n{}", self.verdict(), self.problems());
        };
        let promised = promise(manifest.guarantee());
        let mut text = format!(
            "verdict: {} ({}, {promised})\n",
            self.verdict(),
            manifest.kind.name()
        );
        text.push_str(&self.problems());
        let (epsilon, delta) = manifest.said();
        let said = [
            format!("promised: {}", meaning(epsilon, delta)),
            format!("for: {}", manifest.neighbouring.words),
            format!(
                "in the words of Ganta et al. 2008, {}",
                self.statement(manifest)
            ),
            format!("against: {OUTSIDER}; {COALITION}; {OTHERS}"),
            self.paid(),
            format!("not shown: {NOT_SHOWN}"),
        ];
        said.iter().for_each(|part| text.push_str(&wrap(part)));
        let tables = manifest.tables.len();
        let rows: u64 = manifest.tables.iter().map(|table| table.rows).sum();
        text.push_str(&format!(
            "tables {tables}, lines {rows}, columns {}\n",
            manifest.columns.len()
        ));
        text
    }

    fn problems(&self) -> String {
        self.findings
            .problems
            .iter()
            .map(|problem| format!("  {problem}\n"))
            .collect()
    }

    fn statement(&self, manifest: &NoisyManifest) -> String {
        let (epsilon, delta) = manifest.said();
        statement(Semantics::of(epsilon, delta, None))
    }

    fn paid(&self) -> String {
        match &self.findings.ledger {
            None => "paid: not looked at, because the private part is not here".to_owned(),
            Some(LedgerCheck::Paid) => {
                "paid: the ledger has the entry, as it was written".to_owned()
            }
            Some(LedgerCheck::OutOfReach { reason }) => {
                format!("paid: the ledger was not looked at: {reason}")
            }
            Some(LedgerCheck::Differs { reason }) => format!("paid: the ledger differs: {reason}"),
        }
    }

    fn to_json(&self) -> Value {
        let mut document = json!({
            "schema": "mingle.verify/1",
            "verdict": self.verdict(),
            "kind": "dp",
            "groups": null,
            "records": null,
            "providers": null,
            "m": null,
            "attack_number": null,
            "constraints": [],
        });
        if let Some(manifest) = self.manifest {
            document["release"] = json!(manifest.kind);
            document["guarantee"] = guarantee(manifest);
        }
        let ledger = self.findings.ledger.as_ref().map(|ledger| match ledger {
            LedgerCheck::Paid => "paid",
            LedgerCheck::OutOfReach { .. } => "out-of-reach",
            LedgerCheck::Differs { .. } => "differs",
        });
        document["ledger"] = json!(ledger);
        if !self.findings.is_clean() {
            document["problems"] = self
                .findings
                .problems
                .iter()
                .map(ToString::to_string)
                .collect();
        }
        document
    }
}

/// What is promised, as the manifest says it, and against whom.
fn guarantee(manifest: &NoisyManifest) -> Value {
    let mut guarantee = json!(manifest.guarantee);
    guarantee["neighbouring"] = json!(manifest.neighbouring);
    let (epsilon, delta) = manifest.said();
    guarantee["semantics"] = statement_json(Semantics::of(epsilon, delta, None));
    guarantee["against"] = json!(["outsider", "all-providers-but-one", "other-releases"]);
    guarantee["proven_by_verify"] = false.into();
    guarantee
}
