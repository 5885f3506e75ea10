//! Publishing with other providers who hold rows of the same table: from a policy to what this
//! provider brings to a run, and from an error to what is said about it.
//!
//! A table of n providers knows fewer things than one of one's own: declared domains, since nobody
//! may look at the others' values; quasi-identifiers and sensitive columns; rows and not people. What
//! the policy says beyond that is refused: it would be a promise that nobody keeps.
//!
//! [`setup`] is for a table, [`verification`] for one that exists, and [`crate::noise::shared`] for a
//! release with noise. How a run goes is `mingle_site`'s to say:
//!
//! ```no_run
//! use mingle::{Policy, Run, providers};
//! use mingle_site::{
//!     Blind, Deposit, Identity, Invitation, ProviderDeposit, ProviderSite, ProviderWork, RunEnd,
//!     WaitingTimes, run_provider,
//! };
//! use std::path::Path;
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! fn publish(invitation: Invitation) -> Result<bool, Box<dyn std::error::Error>> {
//!     let policy = Policy::read("policy.toml").map_err(|e| e.to_string())?;
//!     let part = providers::setup(&policy, &Run::default()).map_err(|e| e.to_string())?;
//!     let site = ProviderSite {
//!         identity: Identity::load(Path::new("site.key"), Path::new("site.crt"))?,
//!         invitation,
//!         limits: WaitingTimes::default(),
//!         deposit: ProviderDeposit {
//!             release: Deposit {
//!                 out: "release".into(),
//!                 force: false,
//!                 tool_version: "mine 1.0".to_owned(),
//!                 policy: Some(policy.document.clone()),
//!                 inputs: part.files,
//!                 reports: Some(mingle::report::render),
//!             },
//!             opened_runs: "runs.json".into(),
//!             accept_repeated_totals: part.accept_repeated_totals,
//!         },
//!     };
//!     let work = ProviderWork::Table {
//!         terms: part.terms,
//!         schema: part.schema,
//!         rows: part.rows,
//!     };
//!     let outcome = run_provider(site, work, Arc::new(Blind), &AtomicBool::new(false))?;
//!     Ok(matches!(outcome.end, RunEnd::Published { .. }))
//! }
//! ```

mod verification;

pub use verification::{VerificationPart, verification};

use crate::domains::check_confirmed;
use crate::run::Run;
use crate::tables::{Original, read_original, with_hierarchy};
use mingle_dp::{Bins, DeclaredValues};
use mingle_model::{ColumnSpec, HierarchySource, Kind, Number, Role, date};
use mingle_policy::{DeclaredColumn, Form, Policy, Protocol, SummingProviders};
use mingle_privacy::{Attribute, M, Ratio, Semantics};
use mingle_protocol::horizontal::{HorizontalTerms, OwnRows, SharedColumn, SharedSchema};
use mingle_protocol::{Error, Reason};
use mingle_record::{Problem, ProblemCode};
use mingle_release::InputFile;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// More declared values of a column than this are a mistake in its bounds.
const MOST_VALUES: i128 = 100_000;

/// What one provider brings to a run, but for who takes part.
pub struct ProviderPart {
    /// What all must agree on.
    pub terms: HorizontalTerms,
    /// The declared columns.
    pub schema: Arc<SharedSchema>,
    /// This provider's rows.
    pub rows: Arc<OwnRows>,
    /// The files that were read.
    pub files: Vec<InputFile>,
    /// Whether another run with other rows or providers is accepted.
    pub accept_repeated_totals: bool,
}

/// Reads the table of this provider.
pub fn setup(policy: &Policy, run: &Run) -> Result<ProviderPart, Problem> {
    let agreed = check(policy)?;
    check_confirmed(policy)?;
    let terms = agreed_terms(policy)?;
    let mut columns = Vec::new();
    for column in &policy.columns {
        if column.spec.role.is_published() {
            columns.push(declared(policy, column)?);
        }
    }
    let schema = SharedSchema::new(columns, policy.data.missing.clone());
    let schema = Arc::new(schema.map_err(|e| problem(&e))?);
    let Original { table, files, .. } = read_original(policy, run)?;
    let rows = OwnRows::encode(&schema, &table).map_err(|e| problem(&e))?;
    Ok(ProviderPart {
        terms,
        schema,
        rows: Arc::new(rows),
        files,
        accept_repeated_totals: agreed.accept_repeated_totals,
    })
}

/// What the policy says that all agree on.
fn agreed_terms(policy: &Policy) -> Result<HorizontalTerms, Problem> {
    let agreed = check(policy)?;
    let privacy = policy.privacy()?;
    Ok(HorizontalTerms {
        policy: digest(policy),
        promises: privacy.promises.clone(),
        m: privacy.m.unwrap_or(M(1)),
        site_diversity: privacy.semantics.site_diversity().unwrap_or(1),
        level: agreed.level,
        caps: agreed.caps,
        cuts: agreed.cuts,
        depth: agreed.depth,
    })
}

/// What all providers must have written alike: columns are compared one by one.
fn digest(policy: &Policy) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"mingle policy of providers\0");
    for section in ["privacy", "protocol"] {
        let text = match policy.document.sections.get(section) {
            Some(value) => serde_json::to_string(value).unwrap_or_default(),
            None => String::new(),
        };
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().into()
}

/// Refuses what a table of n providers does not know.
fn check(policy: &Policy) -> Result<&SummingProviders, Problem> {
    let place = policy.path.display();
    let agreed = match &policy.protocol {
        Some(Protocol::Rows(agreed)) => agreed,
        Some(Protocol::Columns(_)) => {
            let text = format!(
                "{place}: [protocol] names a synchronizer, which is for two sites with other columns"
            );
            let hint = "providers with rows of one table name level and epsilon_cuts";
            return Err(Problem::new(ProblemCode::Contradiction, text, hint));
        }
        Some(Protocol::Noise(_)) => {
            let text =
                format!("{place}: [protocol] names m alone, which is for releases with noise");
            let hint = "beside [privacy] name level and epsilon_cuts; m belongs into [privacy]";
            return Err(Problem::new(ProblemCode::Contradiction, text, hint));
        }
        None => {
            let text = format!("{place}: there is no [protocol] section");
            let hint = "add level and epsilon_cuts, as agreed with the other providers";
            return Err(Problem::new(ProblemCode::MissingKey, text, hint));
        }
    };
    let privacy = policy.privacy()?;
    let k = privacy
        .general
        .iter()
        .any(|rule| rule.as_k_anonymity().is_some());
    let joint = privacy
        .promises
        .iter()
        .any(|promise| promise.attribute == Some(Attribute::Joint));
    let insensitive = policy.with_role(Role::Insensitive).next();
    let rides = insensitive.map_or(String::new(), |column| {
        format!("column {} is insensitive", column.spec.name)
    });
    let refused = [
        (
            !k,
            "[privacy] names no k",
            "add k, as agreed with the other providers",
        ),
        (
            privacy.semantics != Semantics::Victim && privacy.semantics.site_diversity().is_none(),
            "semantics is strict",
            "k and l are shown with more than m contributors in any case; take it out",
        ),
        (
            joint,
            "[privacy] joint = true",
            "sensitive columns are published in tables of their own; take `joint` out",
        ),
        (
            policy.data.people.column().is_some(),
            "[data] names a person",
            "what is added up are rows: merge the rows of a person first, and take `person` out",
        ),
        (
            policy
                .columns
                .iter()
                .any(|column| column.separator.is_some()),
            "a column holds several values in a cell",
            "what is added up are rows with one value each",
        ),
        (
            policy.data.provider_column.is_some(),
            "[data] names a provider column",
            "each provider runs with its own table only",
        ),
        (
            policy.data.listed_providers() > 1,
            "[data] lists several providers",
            "each provider runs with its own table only",
        ),
        (
            policy.composition.is_some(),
            "there is a [composition] section",
            "remove it; run `mingle attack intersection` on the joint release before handing it out",
        ),
        (
            policy.method.max_suppressed > Ratio::from(0),
            "max_suppressed is above 0",
            "nobody is left out; set it to 0",
        ),
        (
            !rides.is_empty(),
            rides.as_str(),
            "what rides along by row cannot be published as a sum of counts; take it out of the table, or give it another role",
        ),
    ];
    match refused.into_iter().find(|(wrong, ..)| *wrong) {
        None => Ok(agreed),
        Some((_, what, hint)) => Err(Problem::new(
            ProblemCode::Contradiction,
            format!("{place}: {what}, which a table of n providers cannot have"),
            hint,
        )),
    }
}

/// A published column with its declared values, which nobody may read off the data.
fn declared(policy: &Policy, column: &DeclaredColumn) -> Result<SharedColumn, Problem> {
    let name = &column.spec.name;
    let mut spec = with_hierarchy(policy, column)?;
    let missing = &policy.data.missing;
    let mut values = match &column.domain {
        None => leaves(&spec).ok_or_else(|| undeclared(policy, name))?,
        Some(domain) => {
            if domain.other.is_some() {
                let text = format!("column {name}: `other` stands for values that nobody declares");
                let hint = "list all values for a table of n providers, and take `other` out";
                return Err(domain
                    .place
                    .problem(ProblemCode::DomainUnusable, text, hint));
            }
            spec.kind = Some(domain.kind());
            match &domain.form {
                Form::Words(DeclaredValues::Categories { labels, .. }) => labels.clone(),
                Form::Words(DeclaredValues::Bins(bins)) => grid(policy, name, Kind::Integer, bins)?,
                Form::Bins(kind, bins) => grid(policy, name, *kind, bins)?,
                Form::Level(0) => leaves(&spec).ok_or_else(|| undeclared(policy, name))?,
                Form::Level(_) => {
                    let text = format!("column {name}: the domain is a level above the leaves");
                    let hint = "write domain = \"hierarchy\": cells are cut between leaves";
                    return Err(domain
                        .place
                        .problem(ProblemCode::DomainUnusable, text, hint));
                }
            }
        }
    };
    let may_be_missing = column.domain.as_ref().is_some_and(|domain| domain.missing);
    if may_be_missing && !values.iter().any(|value| missing.contains(value)) {
        values.push(missing.canonical().to_owned());
    }
    SharedColumn::declare(spec, &values, missing).map_err(|e| problem(&e))
}

/// The leaves of a hierarchy file.
fn leaves(spec: &ColumnSpec) -> Option<Vec<String>> {
    let Some(HierarchySource::Rows(rows)) = &spec.hierarchy else {
        return None;
    };
    let mut leaves: Vec<String> = Vec::new();
    for (_, row) in &rows.rows {
        if let Some(leaf) = row.first()
            && leaf != mingle_model::hierarchy::ROOT
        {
            leaves.push(leaf.clone());
        }
    }
    Some(leaves)
}

/// Every number or day between the bounds of a grid.
fn grid(policy: &Policy, name: &str, kind: Kind, bins: &Bins) -> Result<Vec<String>, Problem> {
    let first = bins.starts.first().copied().unwrap_or(bins.last);
    let step = bins.step.max(1);
    if (bins.last - first) / step >= MOST_VALUES {
        let text = format!(
            "{}: column {name} declares more than {MOST_VALUES} values",
            policy.path.display()
        );
        let hint = "narrow its bounds, or name a larger step";
        return Err(Problem::new(ProblemCode::DomainUnusable, text, hint));
    }
    let mut values = Vec::new();
    let mut at = first;
    while at <= bins.last {
        let text = if kind == Kind::Date {
            date::text(at as date::Day)
        } else {
            Number::text(at, bins.scale)
        };
        values.push(text);
        at += step;
    }
    Ok(values)
}

fn undeclared(policy: &Policy, name: &str) -> Problem {
    let text = format!(
        "{}: column {name} declares no values, and nobody may look at the other providers'",
        policy.path.display()
    );
    let hint = format!(
        "add to [columns.{name}] what is publicly known and the same everywhere: domain = [\"a\", \"b\"], \
         domain = {{ from = 0, to = 120, width = 1 }}, or a hierarchy file, whose leaves are the values"
    );
    Problem::new(ProblemCode::DomainUnusable, text, hint)
}

/// Why there is no table of n providers, as a message.
pub fn problem(error: &Error) -> Problem {
    use Error as E;
    let (code, hint) = match error {
        E::TooFewProviders { .. } | E::TooManyProviders { .. } => (
            ProblemCode::ProvidersUnfit,
            "with two, the sum without one's own rows would be the other's: find a third provider",
        ),
        E::CoalitionTooLarge { .. } => (
            ProblemCode::ProvidersUnfit,
            "lower m in [privacy], at every provider, or find more providers",
        ),
        E::Column(_) => (
            ProblemCode::DomainUnusable,
            "declare the same columns and values at every provider",
        ),
        E::ProviderDiffers { .. } => (
            ProblemCode::TermsDiffer,
            "nothing that depends on data was sent; agree on one policy and the same hierarchies, and run again",
        ),
        E::Provider { .. } | E::Board(_) => (
            ProblemCode::ProviderViolation,
            "talk to each other before you try again; nothing was published",
        ),
        E::NotReproducible { .. } => (
            ProblemCode::RunNotResumed,
            "make a new invitation and run again with the same rows",
        ),
        E::Promise(_) => (ProblemCode::Misfit, "change the policy, at every provider"),
        E::DoesNotAddUp { .. } => (
            ProblemCode::ContributionsDiffer,
            "check that every provider names exactly the rows that it contributed",
        ),
        E::Silent { .. } => (
            ProblemCode::PartnerAbsent,
            "nothing was published; ask those named, or raise `deadline` in [limits]",
        ),
        E::Unsatisfiable => (
            ProblemCode::NoRelease,
            "weaken a constraint at every provider, or find more rows",
        ),
        E::Same { .. } => (
            ProblemCode::ProvidersUnfit,
            "every provider has a name and a key of its own",
        ),
        E::ProviderAborted { reason, .. } => match reason {
            Reason::TermsDiffer => (
                ProblemCode::TermsDiffer,
                "that provider's program says what differs",
            ),
            Reason::Unsatisfiable | Reason::NotVerified => {
                (ProblemCode::NoRelease, "that provider's program says why")
            }
            _ => (
                ProblemCode::PartnerAborted,
                "nothing was published anywhere; that provider's program says why. Another run needs a new invitation",
            ),
        },
        E::GaveUp(Reason::Stopped) => {
            let text = "stopped; nothing was written, and the run is over for all";
            let hint = "another run needs a new invitation: `mingle site invite`";
            return Problem::new(ProblemCode::Interrupted, text, hint);
        }
        E::GaveUp(_) => (
            ProblemCode::RunEnded,
            "nothing was published anywhere; make a new invitation for another run",
        ),
        _ => return crate::joint::problem(error),
    };
    Problem::new(code, error.to_string(), hint)
}
