//! The budget of one protected data set, in a file: every release spends first and looks
//! afterwards.
//!
//! A ledger says how much all releases about a data set may spend together, and has a line for each
//! of them. A [`Receipt`] with an entry is made by [`Ledger::spend`] alone, after the entry is on
//! the disk. Whatever becomes of the release, the entry stays: a program that dies between spending
//! and writing has lost budget, never a person's protection.
//!
//! # Why adding up is enough
//!
//! A release is chosen, and its parameters are chosen, by somebody who has seen the earlier ones. A
//! rule that stops before a sum passes a limit is called a filter, and is valid if everything seen
//! until then keeps the limit however the parts were chosen. Both rules here are filters:
//!
//! * [`Accounting::Epsilon`]: Σε ≤ E and Σδ ≤ D keep (E, D). Basic composition; as a filter in
//!   Rogers, Roth, Ullman and Vadhan 2016 (*Privacy odometers and filters*). For pure ε: the
//!   likelihood ratio of everything seen is the product of the ratios of each part given the
//!   earlier ones, each at most exp(ε of that part), and the rule bounds the product on every path.
//! * [`Accounting::Concentrated`] and [`Accounting::Rho`]: Σρ ≤ R and Σδ₀ ≤ D₀ keep D₀-approximate
//!   R-zCDP. For parameters fixed beforehand Bun and Steinke 2016 (Lemmas 1.7 and 8.2); as a filter
//!   Feldman and Zrnic 2021 for Rényi divergences, Whitehouse, Ramdas, Rogers and Wu 2023
//!   (*Fully-adaptive composition in differential privacy*) for approximate zCDP. That holds for
//!   each order α by itself: with L the privacy loss so far, exp((α−1)L − (α−1)α Σρ) is a
//!   supermartingale, and the rule bounds Σρ by R on every path. R is chosen so that R-zCDP keeps
//!   (E, D − D₀) by the conversion of [`guarantee`](crate::guarantee), and D₀ is the part that pays
//!   for cells that were left out: together (E, D).
//!
//! All sums are of exact decimals. What is rounded on the way to ρ is rounded up for what is
//! charged and down for what may be spent.
//!
//! # What the file can and cannot show
//!
//! JSON lines; each ends with the SHA-256 over the line before and its own text, so that a line
//! that was changed, taken out, put in or moved is found. Lines that were taken off the end cannot
//! be seen in the file alone. Two things help: the lock beside the ledger remembers the last entry
//! that was written, which finds an old copy that was put back by mistake; and [`Receipt::sha256`],
//! kept with a release, proves that its entry was there. Neither stops somebody who may write to
//! the folder and means it. Nor does a ledger know of releases that were made without it.
//!
//! Cost: the file is read, checked and written whole for each entry, about 500 bytes each.

mod accounting;
mod chain;
mod file;
mod line;
mod lock;
mod possible;
mod problem;
#[cfg(test)]
mod tests;

pub use accounting::{Accounting, Charge, Unit};
pub use line::{Header, LedgerEntry};
pub use possible::Possible;
pub use problem::LedgerProblem;

use crate::Error;
use crate::guarantee::Guarantee;
use chain::Chain;
use file::{Disk, Real, Step};
use lock::{Lock, Mark};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Proof that a release was paid for: made by spending alone, or openly for an experiment. One
/// receipt is for one release, so it cannot be copied.
#[derive(PartialEq, Eq, Debug)]
pub struct Receipt {
    guarantee: Guarantee,
    paid: Option<Paid>,
}

#[derive(PartialEq, Eq, Debug)]
struct Paid {
    spending: Spending,
    entry: u64,
    sha256: String,
}

impl Receipt {
    /// For experiments on public or made-up data, which no ledger protects. Nothing can be
    /// published with it.
    pub fn for_experiment(guarantee: Guarantee) -> Receipt {
        Receipt {
            guarantee,
            paid: None,
        }
    }

    /// What was paid for.
    pub fn guarantee(&self) -> Guarantee {
        self.guarantee
    }

    /// The number of the entry in its ledger, counted from 1; `None` for an experiment.
    pub fn entry(&self) -> Option<u64> {
        self.paid.as_ref().map(|paid| paid.entry)
    }

    /// The hash at the end of the entry's line, which stands for all lines up to it; `None` for an
    /// experiment.
    pub fn sha256(&self) -> Option<&str> {
        self.paid.as_ref().map(|paid| paid.sha256.as_str())
    }

    /// Whether such a release is what was paid for. Experiments may be of any kind.
    pub fn covers(&self, release: &str, records_per_person: u64, leaves_cells_out: bool) -> bool {
        self.paid.as_ref().is_none_or(|Paid { spending, .. }| {
            spending.release == release
                && spending.records_per_person == records_per_person
                && (spending.leaves_cells_out || !leaves_cells_out)
        })
    }
}

/// What a release is about to spend, and what shall be written down about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spending {
    /// The kind of release: [`Request::name`](crate::Request::name).
    pub release: String,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Whether it leaves cells out by a threshold, which costs [`Guarantee::direct_delta`].
    pub leaves_cells_out: bool,
    /// The most records of one person that it counts.
    pub records_per_person: u64,
    /// Whether an identifier enforces that bound; otherwise it is the steward's word.
    pub identified: bool,
    /// Free text, such as the name of the release's folder.
    pub label: String,
    /// When, as text.
    pub at: String,
}

/// A ledger as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ledger {
    path: PathBuf,
    header: Header,
    entries: Vec<LedgerEntry>,
    chain: Chain,
}

impl Ledger {
    /// How long a run waits for another one that is writing.
    pub const WAIT: Duration = Duration::from_secs(30);

    /// Makes an empty ledger. Whatever has the name already stays.
    pub fn create(
        path: &Path,
        name: &str,
        accounting: Accounting,
        at: &str,
        wait: Duration,
    ) -> Result<Ledger, Error> {
        let failed = |problem| Error::Ledger {
            path: path.to_owned(),
            problem,
        };
        create(path, name, accounting, at, wait, &Real).map_err(failed)
    }

    /// Reads and checks a ledger.
    pub fn read(path: &Path) -> Result<Ledger, Error> {
        let checked = || {
            let mark = Mark::of(&file::place(path)?);
            let ledger = read(path, &Real)?;
            mark.map_or(Ok(()), |mark| mark.check(&ledger))?;
            Ok(ledger)
        };
        checked().map_err(|problem| Error::Ledger {
            path: path.to_owned(),
            problem,
        })
    }

    /// Writes an entry and gives the receipt, once the entry is on the disk. Without a receipt
    /// nothing was spent, except after [`LedgerProblem::Unflushed`], when it may have been.
    pub fn spend(path: &Path, spending: &Spending, wait: Duration) -> Result<Receipt, Error> {
        let failed = |problem| Error::Ledger {
            path: path.to_owned(),
            problem,
        };
        spend(path, spending, wait, &Real).map_err(failed)
    }

    /// The receipt of an entry that is there already, for a release that was paid for and then
    /// interrupted: the entry of exactly this label, if it paid for all of this. Whoever asks sees to
    /// it that a label stands for one release.
    pub fn receipt_again(&self, spending: &Spending) -> Option<Receipt> {
        let found = self.entries.iter().rev().find(|entry| {
            let at = Spending {
                at: entry.at.clone(),
                ..spending.clone()
            };
            LedgerEntry::new(entry.entry, &at, entry.charged) == **entry
        })?;
        Some(Receipt {
            guarantee: found.guarantee,
            paid: Some(Paid {
                spending: spending.clone(),
                entry: found.entry,
                sha256: self.sha256(found.entry)?.to_owned(),
            }),
        })
    }

    /// What a spending would be charged, or why it would be refused.
    pub fn quote(&self, spending: &Spending) -> Result<Charge, Error> {
        self.afford(spending).map_err(|problem| Error::Ledger {
            path: self.path.clone(),
            problem,
        })
    }

    /// The file, with links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the first line says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What was spent, the oldest first.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// The hash at the end of an entry's line, counted from 1.
    pub fn sha256(&self, entry: u64) -> Option<&str> {
        self.chain
            .hash(usize::try_from(entry).ok().filter(|&n| n > 0)?)
    }

    /// The sum of what was charged.
    pub fn spent(&self) -> Charge {
        let nothing = Charge::nothing(self.header.accounting.unit());
        self.entries
            .iter()
            .fold(nothing, |sum, entry| sum.plus(entry.charged))
    }

    /// What is left.
    pub fn remaining(&self) -> Charge {
        self.header.accounting.limit().less(self.spent())
    }

    /// The largest releases that what is left would pay for.
    pub fn possible(&self) -> Possible {
        possible::possible(self.header.accounting, self.remaining())
    }

    fn afford(&self, spending: &Spending) -> Result<Charge, LedgerProblem> {
        spending.check()?;
        let charge = self
            .header
            .accounting
            .charge(spending.guarantee, spending.leaves_cells_out)?;
        let (limit, spent) = (self.header.accounting.limit(), self.spent());
        if spent.plus(charge).within(limit) {
            Ok(charge)
        } else {
            Err(LedgerProblem::Exhausted {
                asked: charge.into(),
                left: limit.less(spent).into(),
            })
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            entries: self.entries.len() as u64,
            sha256: self.chain.last().to_owned(),
        }
    }
}

impl Spending {
    fn check(&self) -> Result<(), LedgerProblem> {
        match self.records_per_person {
            0 => Err(LedgerProblem::NoRecords),
            _ => Ok(()),
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
fn create(
    path: &Path,
    name: &str,
    accounting: Accounting,
    at: &str,
    wait: Duration,
    disk: &dyn Disk,
) -> Result<Ledger, LedgerProblem> {
    accounting.check()?;
    let path = file::new_place(path)?;
    let lock = Lock::take(&path, wait)?;
    disk.done(Step::Locked)?;
    // a link that leads nowhere is something, too
    if path.symlink_metadata().is_ok() {
        return Err(LedgerProblem::Exists);
    }
    if let Some(mark) = lock.mark() {
        return Err(LedgerProblem::Gone {
            entries: mark.entries,
        });
    }
    let header = Header::new(name, accounting, at);
    let mut chain = Chain::default();
    chain.push(&header)?;
    file::replace(&path, chain.text(), disk)?;
    Ok(Ledger {
        path,
        header,
        entries: Vec::new(),
        chain,
    })
}

fn read(path: &Path, disk: &dyn Disk) -> Result<Ledger, LedgerProblem> {
    let path = file::place(path)?;
    let text = file::read(&path)?;
    disk.done(Step::Read)?;
    let chain = Chain::parse(text)?;
    let (header, entries) = line::parse(&chain)?;
    Ok(Ledger {
        path,
        header,
        entries,
        chain,
    })
}

fn spend(
    path: &Path,
    spending: &Spending,
    wait: Duration,
    disk: &dyn Disk,
) -> Result<Receipt, LedgerProblem> {
    let place = file::place(path)?;
    let mut lock = Lock::take(&place, wait)?;
    disk.done(Step::Locked)?;
    let mut ledger = read(&place, disk)?;
    lock.mark().map_or(Ok(()), |mark| mark.check(&ledger))?;
    let charged = ledger.afford(spending)?;
    let entry = LedgerEntry::new(ledger.entries.len() as u64 + 1, spending, charged);
    ledger.chain.push(&entry)?;
    file::replace(&ledger.path, ledger.chain.text(), disk)?;
    ledger.entries.push(entry);
    // a mark that stays behind weakens a warning, nothing else
    let _ = lock.remember(&ledger.mark());
    disk.done(Step::Marked)?;
    let (entry, sha256) = (ledger.entries.len() as u64, ledger.chain.last().to_owned());
    let paid = Some(Paid {
        spending: spending.clone(),
        entry,
        sha256,
    });
    Ok(Receipt {
        guarantee: spending.guarantee,
        paid,
    })
}
