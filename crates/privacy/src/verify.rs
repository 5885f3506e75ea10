//! Verification: does what is promised hold for every published group?
//!
//! The verifier sees only [`Published`], whose groups were formed from the published texts, and compares with the
//! distribution of the published rows themselves; what an anonymizer planned plays no part. It decides for the
//! outsider, who holds no rows of the table (m = 0). Not protected here: against providers who take out their own
//! records, and against readers who lay several releases side by side.
//!
//! Cost O(entries + groups) checks; memory is used again from group to group.

use crate::constraint::{Check, Limit};
use crate::error::Error;
use crate::requirement::Requirement;
use crate::rule::Promise;
use crate::tally::Tally;
use mingle_model::{ProviderId, Published};
use std::fmt;

/// Decides every promise for every group.
pub fn verify(published: Published, promises: &[Promise]) -> Result<Verification, Error> {
    if promises.is_empty() {
        return Err(Error::NothingPromised);
    }
    let requirement = Requirement::bind(promises, published.sensitive(), &distribution(&published)?)?;
    let mut verdicts = vec![Verdict::Holds; promises.len()];
    let mut tally = Tally::default();
    for group in 0..published.groups() {
        let entries = published.entries(group).iter().map(|entry| (entry.sensitive, entry.count));
        requirement.tally_into(entries, &mut tally);
        verdicts.iter_mut().enumerate().for_each(|(c, verdict)| verdict.add(&requirement, c, group, &tally));
    }
    let records = published.rows();
    Ok(Verification { published: Box::new(published), promises: promises.to_vec(), verdicts, records })
}

/// How often each combination of sensitive values is published.
fn distribution(published: &Published) -> Result<Vec<u64>, Error> {
    // without sensitive columns there is one combination, the empty one
    let combinations = published.sensitive().first().map_or(1, |column| column.codes.len());
    let mut counts = vec![0u64; combinations];
    for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
        let count = &mut counts[entry.sensitive as usize];
        *count = count.checked_add(entry.count).ok_or(Error::TooManyRows)?;
    }
    Ok(counts)
}

/// What verification found out about a constraint, or about all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds for every group.
    Holds,
    /// It fails for some group.
    Fails(Witness),
    /// It fails for no group, but could not be decided for some. Publishing treats this as a failure.
    Undecided(Limit),
}

/// A group for which a constraint fails, and who could make use of it. Never a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The constraint's place in the policy.
    pub constraint: usize,
    /// Its name.
    pub name: &'static str,
    /// The group's place in published order.
    pub group: usize,
    /// The providers who take out their own records; nobody for the outsider.
    pub coalition: Vec<ProviderId>,
    /// How many records of the group are then left.
    pub records_left: u64,
}

impl Verdict {
    /// The word used in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails(_) => "fails",
            Verdict::Undecided(_) => "undecided",
        }
    }

    /// Adds a group. The first failure stays: later groups cannot make a better witness.
    #[inline]
    fn add(&mut self, requirement: &Requirement, constraint: usize, group: usize, tally: &Tally) {
        if matches!(self, Verdict::Fails(_)) {
            return;
        }
        match requirement.check(constraint, tally) {
            Check::Holds => {}
            Check::Undecided(limit) => *self = Verdict::Undecided(limit),
            Check::Fails => {
                let name = requirement.promises()[constraint].name();
                let records_left = tally.size();
                *self = Verdict::Fails(Witness { constraint, name, group, coalition: Vec::new(), records_left });
            }
        }
    }
}

/// What is published, what is promised about it, and what is true.
pub struct Verification {
    published: Box<Published>,
    promises: Vec<Promise>,
    verdicts: Vec<Verdict>,
    records: u64,
}

impl Verification {
    /// A verdict for each constraint, in the policy's order.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// All constraints together: a failure of the first that fails, else undecided if any is, else holds.
    pub fn verdict(&self) -> &Verdict {
        let find = |test: fn(&&Verdict) -> bool| self.verdicts.iter().find(test);
        find(|v| matches!(v, Verdict::Fails(_)))
            .or_else(|| find(|v| matches!(v, Verdict::Undecided(_))))
            .unwrap_or(&Verdict::Holds)
    }

    /// The first failure: by order of constraints in the policy, then of groups as published.
    pub fn witness(&self) -> Option<&Witness> {
        if let Verdict::Fails(witness) = self.verdict() { Some(witness) } else { None }
    }

    /// What was verified.
    pub fn published(&self) -> &Published {
        &self.published
    }

    /// What was promised, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// How many groups were verified.
    pub fn groups(&self) -> usize {
        self.published.groups()
    }

    /// How many rows they have.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many providers took part.
    pub fn providers(&self) -> usize {
        self.published.providers().len()
    }

    /// The licence to release, if everything holds; the verification itself otherwise. Undecided is no.
    pub fn into_verified(self) -> Result<Verified, Verification> {
        if *self.verdict() == Verdict::Holds { Ok(Verified { verification: self }) } else { Err(self) }
    }
}

impl fmt::Debug for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verification")
            .field("promises", &self.promises)
            .field("verdicts", &self.verdicts)
            .finish_non_exhaustive()
    }
}

/// A published table of which everything that was promised holds: the only thing that can be released.
///
/// Only [`Verification::into_verified`] makes one.
///
/// ```compile_fail,E0451
/// fn forge(verification: mingle_privacy::Verification) -> mingle_privacy::Verified {
///     mingle_privacy::Verified { verification }
/// }
/// ```
pub struct Verified {
    verification: Verification,
}

impl Verified {
    /// The table.
    pub fn published(&self) -> &Published {
        self.verification.published()
    }

    /// What holds of it, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        self.verification.promises()
    }

    /// How it was verified.
    pub fn verification(&self) -> &Verification {
        &self.verification
    }
}

impl fmt::Debug for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified").field("promises", &self.promises()).finish_non_exhaustive()
    }
}
