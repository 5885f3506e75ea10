//! One release: what is asked for, what comes out, and the receipt that joins them.

use crate::Error;
use crate::guarantee::Guarantee;
use crate::histogram::{self, Histogram};
use crate::ledger::Receipt;
use crate::marginals::{self, Marginal};
use crate::noise::Shape;
use crate::purse::{Purse, Sensitivity};
use crate::records::Records;
use crate::synthetic::{self, Synthetic};
use crate::universe::DeclaredAttribute;
use std::sync::atomic::AtomicBool;

/// What is to be released.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Tables of counts over one, two or three attributes.
    Marginals(marginals::MarginalsOptions),
    /// The full table of counts.
    Histogram(histogram::HistogramOptions),
    /// Made-up records.
    Synthetic(synthetic::SyntheticOptions),
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

    /// Whether small cells will be left out, which takes a part of δ.
    pub fn leaves_cells_out(&self, cells: &[usize]) -> bool {
        matches!(self, Request::Histogram(options) if !histogram::is_dense(cells, options))
    }
}

/// What is published, and nothing else that depends on the data.
#[derive(PartialEq)]
pub struct Output {
    /// The domains; bins that were found privately are in place.
    pub attributes: Vec<DeclaredAttribute>,
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

/// Whether a release could be made, known from what is public alone: tables fit into memory, and
/// noise does not drown any number of records. To be asked before anything is spent.
pub fn check(
    cells: &[usize],
    request: &Request,
    guarantee: Guarantee,
    records_per_person: u64,
) -> Result<(), Error> {
    let purse = Purse::new(guarantee);
    let deviation = purse.deviation(1.0, Sensitivity::of_counts(records_per_person));
    if deviation.is_nan() || deviation > MOST_DEVIATION {
        return Err(Error::AllNoise { deviation });
    }
    match request {
        Request::Marginals(options) => marginals::check(cells, options),
        Request::Histogram(options) => histogram::check(cells, options, guarantee),
        Request::Synthetic(options) => synthetic::check(cells, options),
    }
}

/// Noise beyond which a release says nothing about any table: had every count all of the budget, it
/// would be off by so many records.
pub(crate) const MOST_DEVIATION: f64 = 1e6;

/// Makes a release. The receipt says what was spent; whatever happens now, it stays spent.
pub fn release(
    attributes: &[DeclaredAttribute],
    mut records: Records,
    request: &Request,
    receipt: Receipt,
    cancel: &AtomicBool,
) -> Result<Output, Error> {
    let guarantee = receipt.guarantee();
    let mut purse = Purse::new(guarantee);
    let mut attributes = attributes.to_vec();
    let records_per_person = records.per_person();
    let cells = crate::planned_cells(&attributes);
    if !receipt.covers(
        request.name(),
        records_per_person,
        request.leaves_cells_out(&cells),
    ) {
        return Err(Error::NotPaidFor);
    }
    check(&cells, request, guarantee, records_per_person)?;
    crate::bins::find(&mut attributes, &mut records, &mut purse)?;
    let content = match request {
        Request::Marginals(options) => {
            Content::Marginals(marginals::make(&records, options, &mut purse, cancel)?)
        }
        Request::Histogram(options) => {
            let direct_delta = guarantee.direct_delta();
            Content::Histogram(histogram::make(
                &records,
                options,
                &mut purse,
                direct_delta,
                cancel,
            )?)
        }
        Request::Synthetic(options) => Content::Synthetic(synthetic::make(
            &attributes,
            &records,
            options,
            &mut purse,
            cancel,
        )?),
    };
    Ok(Output {
        attributes,
        guarantee,
        records_per_person,
        shape: purse.shape(),
        content,
        receipt,
    })
}
