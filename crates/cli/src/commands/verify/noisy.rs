//! What was found about a differentially private release, for people.

use crate::commands::dp::words::{meaning, promise, statement};
use crate::message::wrap;
use mingle::verify::DpOutcome;
use mingle_dp::semantics::BayesianSemantics;
use mingle_record::manifest::ProtocolEntry;
use mingle_release::noisy::{LedgerCheck, NoisyMeaning};

const OUTSIDER: &str = "the outsider, whatever else is known";
const COALITION: &str = "any coalition of providers, up to all but one: what it learns about one person of another \
                         provider is bounded by ε whatever it knows, so the release is (n−1)-private by ε";
const OTHERS: &str = "readers of other releases: what they promise adds up (`mingle dp compose`)";
const NOT_SHOWN: &str = "differential privacy is a property of the program that made the release, not of its tables: \
                         verify cannot prove it. Checked is that the files are those that were written, that every \
                         cell is in its declared domain, that counts are such as the program publishes and, where it \
                         can be reached, that the ledger has the entry";

/// Verdict, promise, meaning, against whom, and what is not shown.
pub fn of_noise(outcome: &DpOutcome) -> String {
    let verdict = outcome.answer.verdict;
    let mut problems = String::new();
    for problem in &outcome.answer.problems {
        problems.push_str(&format!("  {problem}\n"));
    }
    let Some(manifest) = &outcome.manifest else {
        return format!("verdict: {verdict}\n{problems}");
    };
    let promised = promise(manifest.guarantee());
    let mut text = format!(
        "verdict: {verdict} ({}, {promised})\n",
        manifest.kind.name()
    );
    text.push_str(&problems);
    let (epsilon, delta) = manifest.said();
    let stated = statement(BayesianSemantics::of(epsilon, delta, None));
    let said = [
        format!("promised: {}", meaning(epsilon, delta)),
        format!("for: {}", manifest.neighbouring.words),
        format!("in the words of Ganta et al. 2008, {stated}"),
        format!(
            "against: {OUTSIDER}; {}; {OTHERS}",
            coalition(manifest.protocol.as_ref())
        ),
        format!("paid: {}", paid(outcome.ledger.as_ref())),
        format!("not shown: {NOT_SHOWN}"),
    ];
    for part in &said {
        text.push_str(&wrap(part));
    }
    let tables = manifest.tables.len();
    let rows: u64 = manifest.tables.iter().map(|table| table.rows).sum();
    let columns = manifest.columns.len();
    text.push_str(&format!(
        "tables {tables}, lines {rows}, columns {columns}\n"
    ));
    text
}

/// Of a release that providers made together, part of the noise is a coalition's own, and its promise
/// is against so many of them.
fn coalition(protocol: Option<&ProtocolEntry>) -> String {
    let agreed = protocol.and_then(|protocol| Some((protocol, protocol.providers.as_ref()?)));
    match agreed {
        None => COALITION.to_owned(),
        Some((protocol, agreed)) => format!(
            "any {} of the {} providers who made it together ({}) and signed it: their own noise is not counted, and \
             more of them who collude may learn more",
            agreed.m,
            protocol.sites.len(),
            protocol.names()
        ),
    }
}

fn paid(ledger: Option<&LedgerCheck>) -> String {
    match ledger {
        None => "not looked at, because the private part is not here".to_owned(),
        Some(LedgerCheck::Paid) => "the ledger has the entry, as it was written".to_owned(),
        Some(LedgerCheck::OutOfReach { reason }) => {
            format!("the ledger was not looked at: {reason}")
        }
        Some(LedgerCheck::Differs { reason }) => format!("the ledger differs: {reason}"),
    }
}
