//! One provider's part of a release with noise that n providers make together: what all agree on, its
//! records read through the declared domains, and what pays for it.
//!
//! The order is that of a release of one's own: whatever can fail without noise is checked first. The
//! ledger is charged by the run, before the first noisy count leaves this provider.

use super::terms::NoiseTerms;
use super::{Looked, look, refused, warnings};
use crate::domains::check_confirmed;
use crate::inputs::Inputs;
use crate::report;
use crate::run::Run;
use mingle_dp::ledger::Spending;
use mingle_policy::{Policy, Protocol};
use mingle_privacy::M;
use mingle_protocol::horizontal::NoisyTask;
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::{NoisyFacts, public_policy};
use sha2::{Digest, Sha256};
use std::path::Path;

/// What one provider brings. No `Debug`: it has the data.
pub struct SharedNoise {
    /// A digest of what all must have alike.
    pub policy: [u8; 32],
    /// The largest coalition that the promise must withstand.
    pub m: M,
    /// What is released, and this provider's records.
    pub task: NoisyTask,
    /// What is written beside the output.
    pub facts: NoisyFacts,
    /// What the ledger will be charged.
    pub spending: Spending,
    /// What the steward should know.
    pub warnings: Vec<Problem>,
    /// Rows of this provider's table.
    pub rows: u64,
}

/// Reads the table of this provider, and checks what can be checked before anything is said.
pub fn shared(policy: &Policy, out: &Path, run: &Run) -> Result<SharedNoise, Problem> {
    let m = check(policy)?;
    check_confirmed(policy)?;
    let mut terms = NoiseTerms::new(policy, Some(out), run)?;
    // every cell of a joint histogram has noise: which ones hold somebody is nobody's to tell
    terms.spending.leaves_cells_out = false;
    let looked = run.install(|| look(policy, &Inputs::of(policy), &terms, run))?;
    let warnings = warnings::of(&terms, &looked);
    if let Some(problem) = refused(policy, &warnings) {
        return Err(problem);
    }
    let Looked {
        records,
        encoded,
        files,
        ..
    } = looked;
    let rows = encoded.rows;
    let facts = NoisyFacts {
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        format: terms.format,
        person_known: terms.spending.identified,
        policy: policy.document.clone(),
        ledger: terms.ledger.path().to_owned(),
        inputs: files,
        encoded,
        utility: None,
        distributions: None,
        warnings: warnings.iter().map(RecordedWarning::from).collect(),
        time: terms.spending.at.clone(),
        reports: Some(report::render),
        protocol: None,
    };
    Ok(SharedNoise {
        policy: digest(policy, &terms),
        m,
        task: NoisyTask {
            attributes: terms.attributes,
            request: terms.request,
            guarantee: terms.guarantee,
            records,
        },
        facts,
        spending: terms.spending,
        warnings,
        rows,
    })
}

/// The public part of the policy is published, and whether an identifier bounds records: both must
/// be the same everywhere, or everybody would pay for a release that nobody can sign.
fn digest(policy: &Policy, terms: &NoiseTerms<'_>) -> [u8; 32] {
    let public = public_policy(&policy.document);
    let text = serde_json::to_string(&public).expect("text, numbers and nothing else");
    Sha256::new_with_prefix(b"mingle policy of providers with noise\0")
        .chain_update([u8::from(terms.spending.identified)])
        .chain_update(text)
        .finalize()
        .into()
}

/// Refuses what a release of n providers does not know.
fn check(policy: &Policy) -> Result<M, Problem> {
    let place = policy.path.display();
    let agreed = match &policy.protocol {
        Some(Protocol::Noise(agreed)) => agreed,
        Some(_) => {
            let text =
                format!("{place}: beside [dp] the section [protocol] names m and nothing else");
            let hint = "write m = 1, the largest number of providers who may collude";
            return Err(Problem::new(ProblemCode::Contradiction, text, hint));
        }
        None => {
            let text = format!("{place}: there is no [protocol] section");
            let hint =
                "add [protocol] and in it m = 1, the largest number of providers who may collude";
            return Err(Problem::new(ProblemCode::MissingKey, text, hint));
        }
    };
    let alone = if policy.data.provider_column.is_some() {
        Some("names a provider column")
    } else if policy.data.listed_providers() > 1 {
        Some("lists several providers")
    } else {
        None
    };
    if let Some(what) = alone {
        let text =
            format!("{place}: [data] {what}, and each provider runs with its own table only");
        let hint = "name this provider's table as `path`";
        return Err(Problem::new(ProblemCode::Contradiction, text, hint));
    }
    Ok(agreed.m)
}
