//! A table that was verified in parts, in several processes.
//!
//! [`verify_part`](crate::verify_part) decides the groups of a part where they are; what comes back
//! is a [`PartSummary`]. The licence for the whole rests on three things that its maker has to see
//! to: each summary comes from `verify_part` of the same version, no group is spread over parts, and
//! the parts are those of what is published. The first two cannot be seen here; the third is
//! checked by counting rows here, and again by whoever writes them.

use crate::insiders::Insiders;
use crate::rule::Promise;

/// What was found in one part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PartSummary {
    /// How many groups it has.
    pub groups: u64,
    /// How many rows.
    pub rows: u64,
    /// Whether every promise holds for each of them; undecided is no.
    pub holds: bool,
}

/// A published table of which everything that was promised holds, verified in parts. Like
/// [`Verified`](crate::Verified) it is a licence to release.
#[derive(Clone, Debug)]
pub struct VerifiedParts {
    promises: Vec<Promise>,
    insiders: Insiders,
    groups: u64,
    rows: u64,
}

impl VerifiedParts {
    /// The licence, if everything holds in all parts and they have as many rows as are published.
    pub fn of(
        promises: &[Promise],
        insiders: Insiders,
        parts: &[PartSummary],
        published_rows: u64,
    ) -> Option<VerifiedParts> {
        if promises.is_empty() || published_rows == 0 {
            return None;
        }
        let mut groups = 0u64;
        let mut rows = 0u64;
        for part in parts {
            if !part.holds {
                return None;
            }
            groups = groups.checked_add(part.groups)?;
            rows = rows.checked_add(part.rows)?;
        }
        (rows == published_rows).then(|| VerifiedParts {
            promises: promises.to_vec(),
            insiders,
            groups,
            rows,
        })
    }

    /// What holds, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// Against whom.
    pub fn insiders(&self) -> Insiders {
        self.insiders
    }

    /// How many groups are published.
    pub fn groups(&self) -> u64 {
        self.groups
    }

    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}
