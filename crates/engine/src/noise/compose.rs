//! What several releases about the same people amount to: their promises, added up.

use super::recorded;
use crate::failure;
use crate::guarantees::semantics_statement;
use crate::publish::Failed;
use crate::whole::refuse_damaged;
use mingle_dp::compose::{AccountingRule, Composed, Part, usual_delta};
use mingle_dp::ledger::{Ledger, LedgerEntry};
use mingle_dp::semantics::{BayesianSemantics, posterior_bound};
use mingle_dp::{Amount, Epsilon};
use mingle_record::answer::{
    DpComposeAnswer, DpComposeByRule, DpComposePosterior, DpComposeRelease,
};
use mingle_record::noise::RhoBesideDelta;
use mingle_record::schema::DpComposeSchema;
use mingle_record::{Problem, ProblemCode, WarningNotice};
use mingle_release::noisy::{LedgerCheck, NoisyMeaning, NoisyRelease, Opened, open_any};
use std::path::{Path, PathBuf};

/// One release that is added up.
pub struct ReleasePart {
    /// Where it was found.
    pub name: String,
    /// The kind of release.
    pub kind: String,
    /// What it promises; `None` for a release without differential privacy.
    pub part: Option<Part>,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier keeps the bound.
    pub identified: bool,
    /// The hash of its public manifest, and of its entry in a ledger, as far as they are known.
    hashes: Vec<String>,
}

/// What releases amount to together.
pub struct Together {
    /// What was added up, each release once.
    pub releases: Vec<ReleasePart>,
    /// What the promises amount to.
    pub composed: Composed,
    /// ε of everything together; `None` where there is no bound.
    pub bound: Option<Epsilon>,
}

/// Adds up releases, and the entries of ledgers. Returns also what deserves attention.
pub fn compose(
    parts: &[PathBuf],
    delta: Option<Amount>,
) -> Result<(Together, Vec<Problem>), Failed> {
    let mut warnings = Vec::new();
    let releases = match collect(parts, &mut warnings) {
        Ok(releases) => releases,
        Err(problem) => {
            return Err(Failed {
                problem: Box::new(problem),
                warnings,
            });
        }
    };
    let promised: Vec<Part> = releases.iter().filter_map(|release| release.part).collect();
    let delta = delta.unwrap_or_else(|| usual_delta(&promised));
    let composed = mingle_dp::compose::compose(&promised, delta);
    // a release that promises nothing leaves nothing to be promised about all of them
    let best = composed.best.filter(|_| promised.len() == releases.len());
    let together = Together {
        bound: best.map(|(epsilon, _)| epsilon),
        releases,
        composed,
    };
    warnings.extend(together.different_units());
    Ok((together, warnings))
}

fn collect(parts: &[PathBuf], warnings: &mut Vec<Problem>) -> Result<Vec<ReleasePart>, Problem> {
    let mut releases: Vec<ReleasePart> = Vec::new();
    // ledgers first: a release that is found in one of them is named after it
    for path in parts.iter().filter(|path| !path.is_dir()) {
        let ledger = Ledger::read(path).map_err(|e| failure::dp(&e))?;
        for entry in ledger.entries() {
            let part = ReleasePart::of_entry(path, entry, &ledger);
            warnings.extend(add_once(&mut releases, part));
        }
    }
    for path in parts.iter().filter(|path| path.is_dir()) {
        let part = ReleasePart::of_release(path)?;
        warnings.extend(add_once(&mut releases, part));
    }
    Ok(releases)
}

/// Counts a release once, however often it is named.
fn add_once(releases: &mut Vec<ReleasePart>, part: ReleasePart) -> Option<Problem> {
    for known in releases.iter_mut() {
        if part.hashes.iter().any(|hash| known.hashes.contains(hash)) {
            let text = format!("{} is {}: counted once", part.name, known.name);
            known.hashes.extend(part.hashes);
            return Some(Problem::new(
                ProblemCode::SameRelease,
                text,
                "list each release once",
            ));
        }
    }
    releases.push(part);
    None
}

impl ReleasePart {
    fn of_entry(path: &Path, entry: &LedgerEntry, ledger: &Ledger) -> ReleasePart {
        ReleasePart {
            name: format!("{}, entry {}", path.display(), entry.entry),
            kind: entry.release.clone(),
            part: Some(Part::made_here(entry.guarantee, entry.leaves_cells_out)),
            records_per_person: entry.records_per_person,
            identified: entry.identified,
            hashes: Vec::from_iter(ledger.sha256(entry.entry).map(str::to_owned)),
        }
    }

    fn of_release(path: &Path) -> Result<ReleasePart, Problem> {
        let name = path.display().to_string();
        match open_any(path).map_err(|e| failure::release(&e))? {
            Opened::Noisy(release) => ReleasePart::of_noisy(name, &release),
            Opened::Grouped(_) => Ok(ReleasePart {
                name,
                kind: "groups".to_owned(),
                part: None,
                records_per_person: 1,
                identified: false,
                hashes: Vec::new(),
            }),
        }
    }

    fn of_noisy(name: String, release: &NoisyRelease) -> Result<ReleasePart, Problem> {
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let findings = release.check();
        let hint = "add up what was published; this is something else";
        refuse_damaged(Some(&name), &findings.problems, hint)?;
        let mut hashes = vec![release.sha256().to_owned()];
        // the private part's word that this is an entry of some ledger counts where that ledger
        // says so
        if let Some(private) = release.private_manifest()
            && findings.ledger == Some(LedgerCheck::Paid)
        {
            hashes.push(private.entry_hash.clone());
        }
        let leaves_cells_out = manifest
            .tables
            .iter()
            .any(|table| table.threshold.is_some());
        Ok(ReleasePart {
            name,
            kind: manifest.kind.name().to_owned(),
            part: Some(Part::made_here(manifest.guarantee(), leaves_cells_out)),
            records_per_person: manifest.neighbouring.records_per_person,
            identified: manifest.neighbouring.enforced,
            hashes,
        })
    }

    /// How its people are counted.
    fn unit(&self) -> (u64, bool) {
        (self.records_per_person, self.identified)
    }
}

impl Together {
    /// Sums over releases hold for the weakest of their units.
    fn different_units(&self) -> Option<Problem> {
        let first = self.releases.first()?.unit();
        if self.releases.iter().all(|release| release.unit() == first) {
            return None;
        }
        let hint = "what holds for all of them is the weakest; see `mingle explain MG0711`";
        Some(Problem::new(
            ProblemCode::DifferentUnits,
            self.covers(),
            hint,
        ))
    }

    /// Whom the bound covers.
    pub fn covers(&self) -> String {
        let by_word = self.releases.iter().filter(|release| !release.identified);
        match by_word.map(|release| release.records_per_person).min() {
            None => {
                "everybody is covered: identifiers keep the number of records per person".to_owned()
            }
            Some(1) => {
                "covered is who has one record in each release, by the stewards' word".to_owned()
            }
            Some(n) => format!(
                "covered is who has at most {n} records in each release, by the stewards' word"
            ),
        }
    }

    /// Why there is no bound, where there is none.
    pub fn no_bound(&self) -> Option<Problem> {
        if self.bound.is_some() {
            return None;
        }
        let mut without_promise: Vec<&str> = Vec::new();
        for release in &self.releases {
            if release.part.is_none() {
                without_promise.push(&release.name);
            }
        }
        if without_promise.is_empty() {
            let text = format!(
                "at δ = {} nothing is promised by these releases together",
                self.composed.delta
            );
            let hint = "give another --delta below 1, or none";
            return Some(Problem::new(ProblemCode::NoCommonBound, text, hint));
        }
        let text = format!(
            "no bound: not differentially private: {}",
            without_promise.join(", ")
        );
        let hint = "`mingle attack intersection` simulates a reader who has all of them";
        Some(Problem::new(ProblemCode::NoCommonBound, text, hint))
    }

    /// The ε that a rule gives.
    pub fn by_rule(&self, rule: AccountingRule) -> Option<Epsilon> {
        for (known, epsilon) in &self.composed.by_rule {
            if *known == rule {
                return Some(*epsilon);
            }
        }
        None
    }

    /// The document `mingle.dp-compose/1`.
    pub fn answer(&self, warnings: &[Problem]) -> DpComposeAnswer {
        let composed = &self.composed;
        let best_rule = composed.best.map(|(_, rule)| recorded::rule(rule));
        let of_rule = |rule| {
            self.by_rule(rule)
                .map(|Epsilon(epsilon)| recorded::amount(epsilon))
        };
        DpComposeAnswer {
            schema: DpComposeSchema,
            releases: self.releases.iter().map(release_answer).collect(),
            delta: recorded::amount(composed.delta),
            epsilon: self.bound.map(|Epsilon(epsilon)| recorded::amount(epsilon)),
            rule: self.bound.and(best_rule),
            by_rule: DpComposeByRule {
                basic: of_rule(AccountingRule::Basic),
                concentrated: of_rule(AccountingRule::Concentrated),
                mixed: of_rule(AccountingRule::Mixed),
            },
            basic: composed.basic.map(recorded::epsilon_at_delta),
            concentrated: composed.concentrated.map(|(rho, delta)| RhoBesideDelta {
                rho: recorded::amount(rho),
                delta: recorded::amount(delta),
            }),
            semantics: self.bound.map(|epsilon| {
                semantics_statement(BayesianSemantics::of(epsilon, composed.delta, None))
            }),
            posterior: self.bound.map(posterior),
            covers: self.covers(),
            warnings: warnings.iter().map(WarningNotice::from).collect(),
        }
    }
}

fn release_answer(release: &ReleasePart) -> DpComposeRelease {
    DpComposeRelease {
        name: release.name.clone(),
        kind: release.kind.clone(),
        guarantee: release.part.map(Part::guarantee).map(recorded::guarantee),
        rho: release.part.map(Part::rho).map(recorded::amount),
        records_per_person: release.records_per_person,
        identified: release.identified,
    }
}

/// What becomes of a suspicion of one half. About a value there are two steps.
fn posterior(Epsilon(epsilon): Epsilon) -> DpComposePosterior {
    let prior = 0.5;
    DpComposePosterior {
        prior,
        presence: posterior_bound(prior, epsilon.to_f64()),
        value: posterior_bound(prior, 2.0 * epsilon.to_f64()),
    }
}
