//! What two sites must come to, computed by somebody who sees everything: the yardstick for the
//! protocol.

use crate::anonymizer::{Anonymizer, restrict};
use crate::error::Error;
use crate::fragmenter::{Part, assemble};
use crate::session::check_enough;
use crate::setup::{Checked, Setup};
use crate::synchronizer::{Agreement, synchronize};
use mingle_privacy::VerifiedFragments;
use std::collections::BTreeMap;

/// The joint release as a trusted third party would make it.
pub struct Reference {
    /// The published tables.
    pub verified: VerifiedFragments,
    /// Who is in which group: people by ascending canonical identifier.
    pub agreement: Agreement,
    /// How many people both sites have.
    pub people: usize,
}

/// Runs everything in one place. Site 0 first.
pub fn reference(sites: [Setup; 2]) -> Result<Reference, Error> {
    let [first, second] = sites;
    let sites = [first.check()?, second.check()?];
    let by_id = |site: &Checked| -> BTreeMap<String, u32> {
        site.identifiers.iter().cloned().zip(0..).collect()
    };
    let [first, second] = [by_id(&sites[0]), by_id(&sites[1])];
    let common = first
        .iter()
        .filter_map(|(id, &row)| Some((row, *second.get(id)?)));
    let rows: (Vec<u32>, Vec<u32>) = common.unzip();
    let people = rows.0.len();
    check_enough(people as u64, sites[0].least().max(sites[1].least()))?;
    let tables = [
        restrict(&sites[0].setup.table, &rows.0, &sites[0].setup.missing)?,
        restrict(&sites[1].setup.table, &rows.1, &sites[1].setup.missing)?,
    ];
    let mut first = Anonymizer::new(&tables[0], &sites[0].setup.promises)?;
    let mut second = Anonymizer::new(&tables[1], &sites[1].setup.promises)?;
    let k = sites[0].k;
    let agreement = synchronize(
        sites[0].setup.terms.synchronizer,
        [&mut first, &mut second],
        k,
    );
    let part = |site: usize, anonymizer: &Anonymizer| {
        let Checked { setup, offer, .. } = &sites[site];
        Part::new(anonymizer, &tables[site], offer, &agreement, &setup.missing)
    };
    let parts = [part(0, &first)?, part(1, &second)?];
    let (verified, _) = assemble(parts, [&sites[0].offer, &sites[1].offer], &agreement, k)?;
    Ok(Reference {
        verified,
        agreement,
        people,
    })
}
