//! One release: what is asked for, what comes out, and the receipt that joins them.

use crate::Error;
use crate::guarantee::Guarantee;
use crate::histogram::{self, Histogram};
use crate::ledger::Receipt;
use crate::marginals::{self, Marginal};
use crate::noise::Shape;
use crate::purse::Purse;
use crate::records::Records;
use crate::synthetic::{self, Synthetic};
use crate::universe::Attribute;
use std::sync::atomic::AtomicBool;

/// What is to be released.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Tables of counts over one, two or three attributes.
    Marginals(marginals::Options),
    /// The full table of counts.
    Histogram(histogram::Options),
    /// Made-up records.
    Synthetic(synthetic::Options),
}

impl Request {
    /// The word used in the policy, on the command line and in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Marginals(_) => "marginals",
            Request::Histogram(_) => "histogram",
            Request::Synthetic(_) => "synthetic",
        }
    }
}

/// What is published, and nothing else that depends on the data.
#[derive(Clone, PartialEq)]
pub struct Output {
    /// The domains; bins that were found privately are in place.
    pub attributes: Vec<Attribute>,
    /// What is promised.
    pub guarantee: Guarantee,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Which noise it is made with.
    pub shape: Shape,
    /// The tables.
    pub content: Content,
    /// What was spent for it.
    pub receipt: Receipt,
}

/// The published tables.
#[derive(Clone, PartialEq)]
pub enum Content {
    /// Consistent tables of counts.
    Marginals(Vec<Marginal>),
    /// The full table of counts.
    Histogram(Histogram),
    /// Made-up records.
    Synthetic(Synthetic),
}

/// Makes a release. The receipt says what was spent; whatever happens now, it stays spent.
pub fn release(
    attributes: &[Attribute],
    mut records: Records,
    request: &Request,
    receipt: Receipt,
    cancel: &AtomicBool,
) -> Result<Output, Error> {
    let guarantee = receipt.guarantee();
    let mut purse = Purse::new(guarantee);
    let mut attributes = attributes.to_vec();
    let records_per_person = records.per_person();
    crate::bins::find(&mut attributes, &mut records, &mut purse)?;
    let content = match request {
        Request::Marginals(options) => Content::Marginals(marginals::make(&records, options, &mut purse, cancel)?),
        Request::Histogram(options) => {
            let direct_delta = guarantee.direct_delta();
            Content::Histogram(histogram::make(&records, options, &mut purse, direct_delta, cancel)?)
        }
        Request::Synthetic(options) => {
            Content::Synthetic(synthetic::make(&attributes, &records, options, &mut purse, cancel)?)
        }
    };
    Ok(Output { attributes, guarantee, records_per_person, shape: purse.shape(), content, receipt })
}
