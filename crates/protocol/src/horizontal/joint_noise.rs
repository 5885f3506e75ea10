//! `[dp]` releases without a third party: marginals, histograms and made-up records from sums with
//! shares of noise.
//!
//! Every look that the release takes at the data (`mingle_dp::joint`) is one masked sum: each
//! provider counts its own records and adds its share of noise, and only the sum of all is
//! readable. Which tables are looked at next follows from earlier sums, so that all providers ask
//! the same. The promise is against any coalition of at most max(m, 1) providers.
//!
//! [`KeptRecord::NoiseSpent`](super::KeptRecord::NoiseSpent) is kept before anything noisy is
//! sent: a site charges its ledger then, once per run, and never refunds it. Draws are kept before
//! they are sent, look by look, and never drawn again.

use super::run::Running;
use super::setup::CheckedRun;
use super::terms::HorizontalTerms;
use crate::error::Error;
use mingle_dp::joint::{SummedLook, SummedOutput, SummedRelease, SummedRequest, SummedStep};
use mingle_dp::share::ShareHolders;
use mingle_dp::{Content, DeclaredAttribute, DeclaredValues, Guarantee, Records, Request};
use mingle_privacy::M;
use sha2::{Digest, Sha256};
use std::sync::atomic::AtomicBool;

/// What is released with noise, and one provider's records. No `Debug`: they are its data.
pub struct NoisyTask {
    /// The declared domains, the same everywhere.
    pub attributes: Vec<DeclaredAttribute>,
    /// What is released.
    pub request: Request,
    /// What is promised against the largest coalition: with a δ, or as ρ.
    pub guarantee: Guarantee,
    /// This provider's records, read through the declared domains. At most
    /// [`Records::per_person`] of them are one person's.
    pub records: Records,
}

impl NoisyTask {
    pub(crate) fn check(&self, terms: &HorizontalTerms, providers: usize) -> Result<(), Error> {
        let sizes = self.attributes.iter().map(DeclaredAttribute::len);
        if !self.records.cells().iter().copied().eq(sizes) {
            return Err(Error::Defect("records of other attributes"));
        }
        self.asked(terms.m, providers)
            .check()
            .map_err(|error| Error::Promise(error.to_string()))
    }

    /// What is asked for, as everybody has it.
    pub fn asked(&self, m: M, providers: usize) -> SummedRequest {
        SummedRequest {
            attributes: self.attributes.clone(),
            request: self.request.clone(),
            guarantee: self.guarantee,
            records_per_person: self.records.per_person(),
            holders: ShareHolders {
                parties: providers,
                colluding: usize::try_from(m.0).unwrap_or(usize::MAX),
            },
        }
    }

    /// What is stated and compared, each with a name for whoever has to find the difference.
    pub(crate) fn stated(&self) -> Vec<(String, String)> {
        let mut stated = vec![
            ("the release".to_owned(), format!("{:?}", self.request)),
            ("what is promised".to_owned(), promised(self.guarantee)),
            (
                "records_per_person".to_owned(),
                self.records.per_person().to_string(),
            ),
            // computed with logarithms, whose last digit may depend on the machine: better known
            // before anything is spent
            ("rho".to_owned(), self.guarantee.rho().units().to_string()),
        ];
        for attribute in &self.attributes {
            let name = format!("the declared values of {}", attribute.name);
            let values = format!("{} cells, {}", attribute.len(), short(&declared(attribute)));
            stated.push((name, values));
        }
        stated
    }

    /// Hides the records behind a nonce, in no order of theirs.
    pub(crate) fn commitment(&self, nonce: &[u8; 32]) -> [u8; 32] {
        let mut rows: Vec<Vec<u16>> = Vec::with_capacity(self.records.len());
        for row in 0..self.records.len() {
            let cells = 0..self.attributes.len();
            rows.push(cells.map(|a| self.records.column(a)[row]).collect());
        }
        rows.sort_unstable();
        let mut hash = Sha256::new_with_prefix(b"mingle committed records\0").chain_update(nonce);
        hash.update((rows.len() as u64).to_le_bytes());
        for cell in rows.iter().flatten() {
            hash.update(cell.to_le_bytes());
        }
        hash.finalize().into()
    }

    /// What such a run reveals and promises: to be said before the first byte, in the manifest and
    /// in the report.
    pub fn statements(&self, m: M, providers: usize) -> Vec<String> {
        let coalition = m.0.max(1);
        let most = self.records.per_person();
        vec![
            format!(
                "the promise, {}, holds against any {coalition} of the {providers} providers \
                 together, who take out their own counts and noise, and against everybody outside",
                promised(self.guarantee)
            ),
            format!(
                "it is about the records that one person has at one provider, at most {most}; \
                 somebody with records at r providers counts r times: r times epsilon, r times r \
                 times rho"
            ),
            "every provider learns the noisy sums that the release is made from and nothing else \
             of the others' records; which tables are looked at follows from earlier sums"
                .to_owned(),
            "every provider charges its own ledger before its first noisy count is sent, once per \
             run, and nothing is refunded if the run then ends without a release"
                .to_owned(),
            format!(
                "providers are assumed to follow the protocol, and at least two not to collude; \
                 noise that providers leave out is covered for at most {coalition} of them, \
                 colluding ones included; a provider that lies about its counts can spoil the \
                 release, but not the promise to people at others"
            ),
        ]
    }
}

/// The promise in words.
fn promised(guarantee: Guarantee) -> String {
    match guarantee {
        Guarantee::Pure { epsilon } => format!("epsilon {epsilon}"),
        Guarantee::Approximate { epsilon, delta } => format!("epsilon {epsilon}, delta {delta}"),
        Guarantee::Concentrated { rho } => format!("rho {rho}"),
    }
}

fn declared(attribute: &DeclaredAttribute) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"mingle declared cells\0");
    let mut text = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    text(attribute.role.name());
    text(attribute.kind.name());
    if let DeclaredValues::Bins(bins) = &attribute.domain {
        text(&format!("{bins:?}"));
    }
    for cell in 0..attribute.len() {
        text(&attribute.label(cell as u16));
    }
    let special = [attribute.other_cell(), attribute.missing_cell()];
    text(&format!("{special:?}"));
    hash.finalize().into()
}

fn short(digest: &[u8; 32]) -> String {
    let start: String = digest[..8].iter().map(|b| format!("{b:02x}")).collect();
    format!("digest {start}…")
}

/// The noisy release as all providers have it.
#[derive(Clone, PartialEq)]
pub struct NoisyOutput {
    /// The session's name.
    pub session: [u8; 32],
    /// The providers' names in seat order.
    pub members: Vec<String>,
    /// The largest coalition that the promise is kept against.
    pub colluding: u64,
    /// What is published; [`SummedOutput::paid`] with the ledger's receipt makes it a release.
    pub release: SummedOutput,
    /// What must be said about it.
    pub statements: Vec<String>,
}

impl NoisyOutput {
    /// A digest of what must be equal everywhere.
    pub fn digest(&self) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(b"mingle joint noise\0").chain_update(self.session);
        let mut number = |number: u64| hash.update(number.to_le_bytes());
        number(self.colluding);
        match &self.release.content {
            Content::Marginals(tables) => {
                number(0);
                for table in tables {
                    set(&table.attributes, &mut number);
                    number(table.deviation.to_bits());
                    number(table.counts.len() as u64);
                    table
                        .counts
                        .iter()
                        .for_each(|count| number(count.to_bits()));
                }
            }
            Content::Histogram(histogram) => {
                number(1);
                set(&histogram.attributes, &mut number);
                number(histogram.deviation.to_bits());
                number(histogram.threshold.map_or(0, |least| least + 1));
                for (cell, count) in &histogram.cells {
                    cell.iter().for_each(|&value| number(u64::from(value)));
                    number(*count);
                }
            }
            Content::Synthetic(made) => {
                number(2);
                for (column, numbers) in made.columns.iter().zip(&made.numbers) {
                    number(column.len() as u64);
                    column.iter().for_each(|&cell| number(u64::from(cell)));
                    let numbers = numbers.iter().flatten();
                    numbers.for_each(|&value| number(value as u64));
                }
                made.measured.iter().for_each(|s| set(s, &mut number));
            }
        }
        for attribute in &self.release.attributes {
            hash.update(declared(attribute));
        }
        hash.finalize().into()
    }
}

fn set(attributes: &[usize], number: &mut dyn FnMut(u64)) {
    number(attributes.len() as u64);
    attributes.iter().for_each(|&a| number(a as u64));
}

/// What made-up records are drawn by: everybody has it, and it may be known.
pub(crate) fn drawing_seed(session: &[u8; 32]) -> [u8; 32] {
    let hash = Sha256::new_with_prefix(b"mingle made-up records\0");
    hash.chain_update(session).finalize().into()
}

/// The sum of all providers' noise for one table: the look's number, the table's place in it and
/// how many counts it has.
pub type TotalTableNoise<'a> = dyn FnMut(u64, usize, usize) -> Vec<i64> + 'a;

/// What n providers must come to, by somebody who has everybody's records and noise.
pub fn noisy_reference(
    asked: SummedRequest,
    providers: &[&Records],
    session: &[u8; 32],
    noise: &mut TotalTableNoise<'_>,
) -> Result<SummedOutput, Error> {
    let never = AtomicBool::new(false);
    let mut release = SummedRelease::new(asked, drawing_seed(session)).map_err(refused)?;
    let mut number = 0;
    loop {
        let look = match release.step(&never).map_err(refused)? {
            SummedStep::Done(output) => return Ok(*output),
            SummedStep::Look(look) => look,
        };
        let mut sums: Vec<Vec<i64>> = Vec::new();
        for (at, (cells, _)) in look.tables().enumerate() {
            sums.push(noise(number, at, cells));
        }
        for records in providers {
            let own = look.own_counts(records).map_err(refused)?;
            for (sum, count) in sums.iter_mut().flatten().zip(own.iter().flatten()) {
                *sum += *count as i64;
            }
        }
        release.answer(sums);
        number += 1;
    }
}

fn refused(error: mingle_dp::Error) -> Error {
    Error::Promise(error.to_string())
}

impl Running {
    pub(super) async fn release_with_noise(
        &mut self,
        task: &NoisyTask,
        session: [u8; 32],
    ) -> Result<NoisyOutput, Error> {
        let run = self.parts.run.clone();
        let (m, providers) = (run.setup.terms.m, self.assembly.seats());
        let never = AtomicBool::new(false);
        let asked = task.asked(m, providers);
        let mut joint = SummedRelease::new(asked, drawing_seed(&session)).map_err(refused)?;
        let release = loop {
            self.assembly.observer.progress("looking", self.looks, 4);
            match joint.step(&never).map_err(refused)? {
                SummedStep::Done(output) => break *output,
                SummedStep::Look(look) => {
                    let sums = self.look(task, &look).await?;
                    joint.answer(sums);
                }
            }
        };
        let output = noisy_output(&run, task, session, release);
        self.assembly.conclude(&output.digest());
        self.assembly.checkpoint().await?;
        Ok(output)
    }

    /// Everybody's counts and noise, added up.
    async fn look(&mut self, task: &NoisyTask, look: &SummedLook) -> Result<Vec<Vec<i64>>, Error> {
        let own = look.own_counts(&task.records).map_err(refused)?;
        let tables: Vec<_> = look.tables().map(|(cells, share)| (share, cells)).collect();
        let draws = self.noise(&tables)?;
        self.looks += 1;
        let mut vector = own.concat();
        for (count, draw) in vector.iter_mut().zip(draws) {
            *count = count.wrapping_add(draw as u64);
        }
        let mut sums = self.masked_sum(vector).await?.into_iter();
        let mut noisy = Vec::with_capacity(tables.len());
        for (_, cells) in tables {
            noisy.push(sums.by_ref().take(cells).map(|sum| sum as i64).collect());
        }
        Ok(noisy)
    }
}

fn noisy_output(
    run: &CheckedRun,
    task: &NoisyTask,
    session: [u8; 32],
    release: SummedOutput,
) -> NoisyOutput {
    let m = run.setup.terms.m;
    let names = run.members.all.iter().map(|member| member.name.clone());
    NoisyOutput {
        session,
        members: names.collect(),
        colluding: m.0.max(1),
        release,
        statements: task.statements(m, run.members.all.len()),
    }
}
