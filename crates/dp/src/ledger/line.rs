//! What the lines of a ledger say: what may be spent, then what was.

use super::chain::Chain;
use super::{Accounting, Charge, LedgerProblem, Spending};
use crate::guarantee::Guarantee;
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "mingle.ledger/1";
const FAMILY: &str = "mingle.ledger/";
/// Free text is cut to this many characters.
const FREE_TEXT: usize = 200;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    schema: String,
    /// What the data set is called.
    pub name: String,
    /// When the ledger was made.
    pub created: String,
    /// What may be spent.
    pub accounting: Accounting,
}

impl Header {
    pub(super) fn new(name: &str, accounting: Accounting, at: &str) -> Header {
        Header {
            schema: SCHEMA.to_owned(),
            name: cut(name),
            created: cut(at),
            accounting,
        }
    }
}

/// One release.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// Counted from 1.
    pub entry: u64,
    /// When it was spent.
    pub at: String,
    /// The kind of release.
    pub release: String,
    /// What the release promises.
    pub guarantee: Guarantee,
    /// Whether it leaves cells out.
    pub leaves_cells_out: bool,
    /// What was taken from the budget.
    pub charged: Charge,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier enforces that bound; otherwise it is the steward's word.
    pub identified: bool,
    /// Free text.
    pub label: String,
}

impl LedgerEntry {
    pub(super) fn new(entry: u64, spending: &Spending, charged: Charge) -> LedgerEntry {
        LedgerEntry {
            entry,
            at: cut(&spending.at),
            release: cut(&spending.release),
            guarantee: spending.guarantee,
            leaves_cells_out: spending.leaves_cells_out,
            charged,
            records_per_person: spending.records_per_person,
            identified: spending.identified,
            label: cut(&spending.label),
        }
    }

    /// What was charged is what the rule asks for. ρ may differ in its last digits: it was computed
    /// elsewhere.
    fn is_charged_by(&self, accounting: Accounting) -> bool {
        let Ok(asked) = accounting.charge(self.guarantee, self.leaves_cells_out) else {
            return false;
        };
        let enough = self.charged.amount.to_f64() >= asked.amount.to_f64() * (1.0 - 1e-9);
        self.charged.unit == asked.unit && self.charged.delta >= asked.delta && enough
    }
}

fn cut(text: &str) -> String {
    text.chars().take(FREE_TEXT).collect()
}

/// Reads the lines of a chain.
pub(super) fn parse(chain: &Chain) -> Result<(Header, Vec<LedgerEntry>), LedgerProblem> {
    let mut objects = chain.objects();
    let header: Header = read(1, &objects.next().ok_or(LedgerProblem::Empty)?)?;
    header
        .accounting
        .check()
        .map_err(|_| LedgerProblem::Unreadable { line: 1 })?;
    let entry = |(at, object): (usize, String)| {
        let line = at + 2;
        let entry: LedgerEntry = read(line, &object)?;
        let fits = entry.entry == at as u64 + 1 && entry.is_charged_by(header.accounting);
        fits.then_some(entry)
            .ok_or(LedgerProblem::Unreadable { line })
    };
    let entries = objects.enumerate().map(entry).collect::<Result<_, _>>()?;
    Ok((header, entries))
}

/// The parser's own words may quote the line: they are dropped.
fn read<T: serde::de::DeserializeOwned>(line: usize, object: &str) -> Result<T, LedgerProblem> {
    serde_json::from_str(object).map_err(|_| LedgerProblem::Unreadable { line })
}

/// Tells a ledger from other files, and from ledgers of other versions, by how the first line
/// begins.
pub(super) fn check_schema(text: &str) -> Result<(), LedgerProblem> {
    let schema = text
        .strip_prefix("{\"schema\":\"")
        .and_then(|rest| rest.split('"').next());
    match schema {
        Some(SCHEMA) => Ok(()),
        Some(other) if other.starts_with(FAMILY) => Err(LedgerProblem::OtherVersion),
        _ => Err(LedgerProblem::NotALedger),
    }
}
