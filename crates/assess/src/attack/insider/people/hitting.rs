//! The smallest coalition that knows certain people: a smallest hitting set.
//!
//! Each person is given by who knows her, and one of these must be in the coalition; some providers
//! must not, since they know the victim. The person with fewest providers left is branched on, so
//! people of one provider cost nothing. People with nobody in common need a member each, which is
//! the bound. NP-hard in general: a search that visits more than [`STEPS`] sets is cut short.

use super::contains;
use mingle_model::ProviderId;

/// How many sets are looked at in one search.
const STEPS: u64 = 1 << 16;

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SmallestCoalition {
    /// The smallest found, ascending.
    pub(super) members: Option<Vec<ProviderId>>,
    /// Whether a smaller one, or one at all, may exist.
    pub(super) open: bool,
}

/// The smallest coalition of at most `most` that has a member in each of these sets and none of the
/// avoided providers. Sets and `avoided` are ascending.
pub(super) fn smallest_coalition_that_hits(
    sets: &[&[ProviderId]],
    avoided: &[ProviderId],
    most: usize,
) -> SmallestCoalition {
    let mut useful: Vec<Vec<ProviderId>> = Vec::new();
    for set in sets {
        let allowed: Vec<ProviderId> = set
            .iter()
            .copied()
            .filter(|p| !contains(avoided, *p))
            .collect();
        if allowed.is_empty() {
            return SmallestCoalition {
                members: None,
                open: false,
            };
        }
        useful.push(allowed);
    }
    useful.sort_unstable();
    useful.dedup();
    let mut search = HittingSearch {
        sets: useful,
        chosen: Vec::new(),
        excluded: Vec::new(),
        best: None,
        most,
        steps: 0,
    };
    search.branch();
    let members = search.best.map(|mut members| {
        members.sort_unstable();
        members
    });
    SmallestCoalition {
        members,
        open: search.steps > STEPS,
    }
}

struct HittingSearch {
    sets: Vec<Vec<ProviderId>>,
    chosen: Vec<ProviderId>,
    excluded: Vec<ProviderId>,
    best: Option<Vec<ProviderId>>,
    /// The largest coalition that is worth finding.
    most: usize,
    steps: u64,
}

impl HittingSearch {
    fn branch(&mut self) {
        self.steps += self.sets.len() as u64 + 1;
        if self.steps > STEPS || self.nothing_smaller_is_left() {
            return;
        }
        let mut next: Option<Vec<ProviderId>> = None;
        let mut apart: Vec<ProviderId> = Vec::new();
        let mut needed = 0;
        for set in &self.sets {
            if set.iter().any(|p| self.chosen.contains(p)) {
                continue;
            }
            let mut open: Vec<ProviderId> = set.clone();
            open.retain(|p| !self.excluded.contains(p));
            if !open.iter().any(|p| apart.contains(p)) {
                needed += 1;
                apart.extend_from_slice(&open);
            }
            if next.as_ref().is_none_or(|other| open.len() < other.len()) {
                next = Some(open);
            }
        }
        if self.chosen.len() + needed > self.most {
            return;
        }
        let Some(next) = next else {
            // everybody is known
            self.best = Some(self.chosen.clone());
            self.most = self.chosen.len().saturating_sub(1);
            return;
        };
        let before = self.excluded.len();
        for provider in next {
            self.chosen.push(provider);
            self.branch();
            self.chosen.pop();
            // coalitions with this one were looked at
            self.excluded.push(provider);
        }
        self.excluded.truncate(before);
    }

    fn nothing_smaller_is_left(&self) -> bool {
        self.best.as_ref().is_some_and(Vec::is_empty)
    }
}
