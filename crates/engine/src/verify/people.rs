//! What is known about whose each row is, where something is verified.

use mingle_privacy::Verification;
use mingle_record::Judgement;
use mingle_record::answer::PeopleVerified;
use mingle_record::manifest::{PeopleEntry, PublicManifest};
use mingle_release::people_counts;

/// What is known about whose each row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownPeople {
    /// Nobody says otherwise: each row is one person.
    EachRow,
    /// Identifiers are at hand.
    Identified(PeopleEntry),
    /// An audit says how many people each group has, not who is in two groups.
    Audited(PeopleEntry),
    /// People may have several rows, and nothing at hand says who has which.
    Unknown(PeopleEntry),
}

impl KnownPeople {
    /// What is known from a release; `lacking` where no audit says whose rows belong together.
    pub(super) fn of_release(manifest: Option<&PublicManifest>, lacking: bool) -> KnownPeople {
        match manifest.and_then(|manifest| manifest.people) {
            None => KnownPeople::EachRow,
            Some(entry) if lacking => KnownPeople::Unknown(entry),
            Some(entry) => KnownPeople::Audited(entry),
        }
    }

    /// Whether people should be counted and cannot be.
    pub(super) fn is_lacking(&self) -> bool {
        matches!(self, KnownPeople::Unknown(_))
    }

    /// A verdict about rows as one about people. There are no more people than rows, and what is
    /// promised about people is promised about rows as well: what fails there fails.
    pub(super) fn judged(&self, found: Judgement) -> Judgement {
        if self.is_lacking() && found == Judgement::Holds {
            Judgement::Undecided
        } else {
            found
        }
    }

    /// How many people there are.
    pub(super) fn counted(&self, verification: Option<&Verification>) -> Option<PeopleVerified> {
        let (stated, is_known) = match *self {
            KnownPeople::EachRow => return None,
            KnownPeople::Identified(entry) | KnownPeople::Audited(entry) => (entry, true),
            KnownPeople::Unknown(entry) => (entry, false),
        };
        let verification = verification.filter(|_| is_known);
        let counts = verification.map(|found| people_counts(found.published(), &stated));
        Some(PeopleVerified {
            stated,
            people: counts.map(|counts| counts.people_in_groups),
            smallest_group: counts.map(|counts| counts.smallest_group),
            guaranteed_smallest_group: counts.and_then(|counts| counts.guaranteed_smallest_group),
        })
    }
}
