//! Verification of a fragmented publication: does what is promised hold for every group, table by
//! table?
//!
//! A reader of fragments sees each sensitive attribute by itself, joined to the quasi-identifiers
//! by the group number alone. So a promise about an attribute is decided on the table of that
//! attribute, and k on the quasi-identifiers. Groups are those of the gid: two that carry equal
//! labels are two to the reader, and each is checked by itself.
//!
//! The adversary here is the outsider (m = 0): fragments do not say who contributed what. Nor do
//! they say which values belong together, so a promise about several attributes together is refused
//! as undecidable, never taken as kept. Cost: that of [`verify`](crate::verify()) on one table per
//! attribute that something is promised about.

use crate::constraint::Attribute;
use crate::error::Error;
use crate::insiders::Insiders;
use crate::rule::Promise;
use crate::verify::{Reach, Verdict, Witness, verify};
use mingle_model::{Fragments, GID};
use std::fmt;

/// Decides every promise for every group of the fragments, for the outsider.
pub fn verify_fragments(
    fragments: Fragments,
    promises: &[Promise],
) -> Result<FragmentsVerification, Error> {
    if promises.is_empty() {
        return Err(Error::NothingPromised);
    }
    let mut verdicts = vec![Verdict::Holds; promises.len()];
    let mut attributes: Vec<Option<Attribute>> = promises.iter().map(|p| p.attribute).collect();
    attributes.sort_unstable();
    attributes.dedup();
    for attribute in attributes {
        let places: Vec<usize> = (0..promises.len())
            .filter(|&p| promises[p].attribute == attribute)
            .collect();
        let about: Vec<Promise> = places.iter().map(|&p| promises[p]).collect();
        for (place, verdict) in places
            .into_iter()
            .zip(verdicts_about(&fragments, attribute, &about)?)
        {
            verdicts[place] = at(verdict, place);
        }
    }
    Ok(FragmentsVerification {
        fragments,
        promises: promises.to_vec(),
        verdicts,
    })
}

/// Decides promises that are all about the same attribute, or about none.
fn verdicts_about(
    fragments: &Fragments,
    attribute: Option<Attribute>,
    promises: &[Promise],
) -> Result<Vec<Verdict>, Error> {
    let constraint = promises[0].name();
    let attributes = fragments.sensitive().len();
    let (view, place) = match attribute {
        None => (fragments.published(None), None),
        Some(Attribute::Joint) => return Err(Error::Unlinked { constraint }),
        Some(Attribute::Column(place)) if place < attributes => {
            // the table of one attribute has that one only
            (fragments.published(Some(place)), Some(Attribute::Column(0)))
        }
        Some(Attribute::Column(_)) => {
            return Err(Error::UnknownAttribute {
                constraint,
                attributes,
            });
        }
    };
    let promises: Vec<Promise> = promises
        .iter()
        .map(|&p| Promise {
            attribute: place,
            ..p
        })
        .collect();
    Ok(verify(view, &promises, Insiders::NONE, Reach::Stated)?
        .verdicts()
        .to_vec())
}

/// The verdict with the constraint's place in the whole policy.
fn at(verdict: Verdict, constraint: usize) -> Verdict {
    match verdict {
        Verdict::Fails(witness) => Verdict::Fails(Witness {
            constraint,
            ..witness
        }),
        other => other,
    }
}

/// What is published in fragments, what is promised about it, and what is true.
pub struct FragmentsVerification {
    fragments: Fragments,
    promises: Vec<Promise>,
    verdicts: Vec<Verdict>,
}

impl FragmentsVerification {
    /// A verdict for each constraint, in the policy's order. A witness's group is one less than its
    /// gid.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// All promises together: the first failure, else undecided if any is, else holds.
    pub fn verdict(&self) -> &Verdict {
        let first = |is: fn(&Verdict) -> bool| self.verdicts.iter().find(|v| is(v));
        let fails = first(|v| matches!(v, Verdict::Fails(_)));
        fails
            .or_else(|| first(|v| matches!(v, Verdict::Undecided(_))))
            .unwrap_or(&Verdict::Holds)
    }

    /// The failure that [`verdict`](FragmentsVerification::verdict) is about.
    pub fn witness(&self) -> Option<&Witness> {
        if let Verdict::Fails(witness) = self.verdict() {
            Some(witness)
        } else {
            None
        }
    }

    /// A group's gid and labels, with their columns' names.
    pub fn describe(&self, group: usize) -> impl Iterator<Item = (&str, String)> {
        let names = self
            .fragments
            .quasi_identifiers()
            .iter()
            .map(String::as_str);
        let labels = self.fragments.groups()[group].labels.iter().cloned();
        [(GID, (group + 1).to_string())]
            .into_iter()
            .chain(names.zip(labels))
    }

    /// What was verified.
    pub fn fragments(&self) -> &Fragments {
        &self.fragments
    }

    /// What was promised, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// How many groups were verified.
    pub fn groups(&self) -> usize {
        self.fragments.groups().len()
    }

    /// How many people they have.
    pub fn records(&self) -> u64 {
        self.fragments.rows()
    }

    /// The licence to release, if everything holds; the verification itself otherwise. Undecided is
    /// no.
    pub fn into_verified(self) -> Result<VerifiedFragments, Box<FragmentsVerification>> {
        match self.verdict() {
            Verdict::Holds => Ok(VerifiedFragments { verification: self }),
            _ => Err(Box::new(self)),
        }
    }
}

impl fmt::Debug for FragmentsVerification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FragmentsVerification")
            .field("promises", &self.promises)
            .field("verdicts", &self.verdicts)
            .finish_non_exhaustive()
    }
}

/// Fragments of which everything that was promised holds for the outsider.
///
/// Only [`FragmentsVerification::into_verified`] makes one.
///
/// ```compile_fail,E0451
/// fn forge(verification: mingle_privacy::FragmentsVerification) -> mingle_privacy::VerifiedFragments {
///     mingle_privacy::VerifiedFragments { verification }
/// }
/// ```
pub struct VerifiedFragments {
    verification: FragmentsVerification,
}

impl VerifiedFragments {
    /// What may be published.
    pub fn fragments(&self) -> &Fragments {
        self.verification.fragments()
    }

    /// What holds of it, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        self.verification.promises()
    }

    /// How it was verified.
    pub fn verification(&self) -> &FragmentsVerification {
        &self.verification
    }
}

impl fmt::Debug for VerifiedFragments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifiedFragments")
            .field("promises", &self.promises())
            .finish_non_exhaustive()
    }
}
