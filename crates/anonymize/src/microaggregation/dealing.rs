//! In which order equal rows are dealt to groups.
//!
//! Rows that agree in all quasi-identifiers are the same to MDAV, but some order must decide which
//! of them fills up a group. It follows from the rows alone: by sensitive values, then by whatever
//! else is published with them. Only where a requirement looks at providers do these come in
//! between, and then not by name: the provider with more rows first, among equals the one whose
//! rows come first in the table's own order. Providers that are still equal then hold the same
//! rows, so that changing their places changes nothing. Cost: a sort of the records where providers
//! count.

use mingle_model::{Cube, ProviderId, Record};
use mingle_privacy::Requirement;
use std::cmp::Reverse;

/// Records tuple by tuple, in the order they are dealt.
pub struct Dealing(Vec<u32>);

impl Dealing {
    /// The order for a table.
    pub fn new(cube: &Cube, requirement: &Requirement) -> Self {
        let mut order: Vec<u32> = (0..cube.records().len() as u32).collect();
        if requirement.insiders().need_providers() {
            let rank = ranks(cube);
            let key = |&r: &u32| {
                let Record {
                    sensitive,
                    provider,
                    ..
                } = cube.records()[r as usize];
                (sensitive, rank[provider.0 as usize], r)
            };
            (0..cube.tuples())
                .for_each(|tuple| order[cube.records_of(tuple)].sort_unstable_by_key(key));
        }
        Dealing(order)
    }

    /// A tuple's records.
    pub fn records_of(&self, cube: &Cube, tuple: u32) -> &[u32] {
        &self.0[cube.records_of(tuple as usize)]
    }
}

/// The providers' places: by number of rows, then by the rows themselves.
fn ranks(cube: &Cube) -> Vec<u32> {
    let mut rows = vec![0u64; cube.providers().len()];
    let mut held: Vec<Vec<(u32, u32, u64)>> = vec![Vec::new(); rows.len()];
    for tuple in 0..cube.tuples() {
        for &Record {
            sensitive,
            provider: ProviderId(provider),
            count,
        } in &cube.records()[cube.records_of(tuple)]
        {
            rows[provider as usize] += count;
            held[provider as usize].push((tuple as u32, sensitive, count));
        }
    }
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| (Reverse(rows[a]), &held[a]).cmp(&(Reverse(rows[b]), &held[b])));
    let mut rank = vec![0; rows.len()];
    order
        .iter()
        .zip(0..)
        .for_each(|(&provider, place)| rank[provider] = place);
    rank
}
