//! The run of one provider, from the first statement to the finished table.
//!
//! One `async` function that drives the [tree](super::tree) with the answers of everybody together;
//! its only waiting points are the rounds and hops of the [`Assembly`].

use super::agreement::Statement;
use super::assembly::Assembly;
use super::counts::OwnCounts;
use super::elgamal::{self, CIPHERTEXT, Ciphertext, JointKey, KEY, KeyShare};
use super::journal::{KeptRecord, RunVault};
use super::masks::{MaskSecret, MaskedQuery, PairSecrets};
use super::output::{HorizontalOutput, RunResult};
use super::publish::publish;
use super::setup::{CheckedRun, RunTask};
use super::terms::{Histograms, MOST_CIPHERTEXTS, RevealLevel};
use super::tree::{CutTree, HistogramQuestion, Question, Test};
use crate::error::{Error, Violation};
use crate::frame::{Kind, MOST_BODY};
use curve25519_dalek::scalar::Scalar;
use mingle_dp::share::NoiseShare;
use std::sync::{Arc, Mutex, MutexGuard};
use zeroize::{Zeroize, Zeroizing};

/// Numbers in one masked vector.
const MOST_NUMBERS: usize = MOST_BODY / 8;

/// More rows than anybody has; all sums of counts up to here can be added up.
const MOST_ROWS: u64 = 1 << 50;

/// Where noise comes from: [`NoiseShare::draw`], but in tests.
pub trait NoiseSource: Send {
    /// A draw for each of so many counts. A look's first table has the look's number, its later
    /// ones have numbers of their own.
    fn draw(&mut self, share: &NoiseShare, look: u64, counts: usize) -> Result<Vec<i64>, String>;
}

/// Exact draws from the operating system's randomness.
pub(crate) struct ExactNoise;

impl NoiseSource for ExactNoise {
    fn draw(&mut self, share: &NoiseShare, _: u64, counts: usize) -> Result<Vec<i64>, String> {
        share.draw(counts).map_err(|error| error.to_string())
    }
}

/// The number of a table of a look.
fn table_number(look: u64, table: usize) -> u64 {
    look + ((table as u64) << 32)
}

/// The vault as a run and its machine share it.
#[derive(Clone)]
pub(crate) struct SharedVault(Arc<Mutex<Box<dyn RunVault>>>);

impl SharedVault {
    pub(crate) fn new(vault: Box<dyn RunVault>) -> SharedVault {
        SharedVault(Arc::new(Mutex::new(vault)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Box<dyn RunVault>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn keep(&self, record: &KeptRecord) -> Result<(), Error> {
        self.lock().keep(record).map_err(Error::Storage)
    }
}

/// What a run needs besides its conversation.
pub(crate) struct RunParts {
    pub(crate) run: Arc<CheckedRun>,
    pub(crate) vault: SharedVault,
    pub(crate) noise: Box<dyn NoiseSource>,
}

/// A provider in the middle of a run.
pub(super) struct Running {
    pub(super) assembly: Assembly,
    pub(super) parts: RunParts,
    pairs: PairSecrets,
    pub(super) keys: Option<Keys>,
    own: OwnCounts,
    queries: u64,
    pub(super) looks: u64,
}

pub(super) struct Keys {
    share: KeyShare,
    joint: JointKey,
}

pub(crate) async fn run(assembly: Assembly, parts: RunParts) -> Result<RunResult, Error> {
    let mut running = begin(assembly, parts).await?;
    let session = running.assembly.transcript();
    let run = running.parts.run.clone();
    match &run.setup.task {
        RunTask::Publish => Ok(RunResult::Table(Box::new(running.publish(session).await?))),
        RunTask::Verify(existing) => {
            let verdict = running.verify(existing, session).await?;
            Ok(RunResult::Verification(verdict))
        }
        RunTask::Count(tables) => Ok(RunResult::Counts(running.count(tables, session).await?)),
        RunTask::Noisy(task) => {
            let output = running.release_with_noise(task, session).await?;
            Ok(RunResult::Noisy(Box::new(output)))
        }
    }
}
/// Statements, masks and keys.
async fn begin(mut assembly: Assembly, parts: RunParts) -> Result<Running, Error> {
    let secret = MaskSecret::random(assembly.entropy.as_mut());
    let mut nonce = [0; 32];
    assembly.entropy.fill(&mut nonce);
    let mine = Statement::new(&parts.run, secret.public(), &nonce);
    let all = assembly.round(Kind::Hello, mine.to_bytes()).await?;
    let mut publics = Vec::with_capacity(all.len());
    for (seat, bytes) in all.iter().enumerate() {
        let theirs = Statement::from_bytes(bytes).map_err(|fault| assembly.blame(seat, fault))?;
        mine.compare(seat, &theirs, &assembly.members.name(seat))?;
        publics.push(theirs.mask_key);
    }
    let pairs = PairSecrets::agree(&secret, assembly.seat, &publics)
        .map_err(|(seat, fault)| assembly.blame(seat, fault))?;
    let transcript = assembly.checkpoint().await?;
    agree_on_cover(&mut assembly, &pairs, &transcript).await?;
    let keys = match parts.run.setup.terms.level {
        RevealLevel::Sums => None,
        RevealLevel::Bits => Some(agree_on_key(&mut assembly, &transcript).await?),
    };
    let setup = &parts.run.setup;
    let own = OwnCounts::new(setup.schema.clone(), setup.rows.clone());
    Ok(Running {
        assembly,
        parts,
        pairs,
        keys,
        own,
        queries: 0,
        looks: 0,
    })
}

/// The first provider draws a key that hides what is said from the board, and wraps it for each of
/// the others.
async fn agree_on_cover(
    assembly: &mut Assembly,
    pairs: &PairSecrets,
    transcript: &[u8; 32],
) -> Result<(), Error> {
    let mut key = Zeroizing::new([0; 32]);
    let mut body = Vec::new();
    if assembly.seat == 0 {
        assembly.entropy.fill(&mut key[..]);
        body = pairs.wrap(transcript, &key);
    }
    let wrapped = assembly.hop(0, None, Kind::Keys, body).await?;
    if assembly.seat != 0 {
        let wrapped = wrapped.unwrap_or_default();
        key = pairs
            .unwrap(transcript, 0, &wrapped)
            .map_err(|fault| assembly.blame(0, fault))?;
    }
    assembly.cover_with(&key);
    Ok(())
}

async fn agree_on_key(assembly: &mut Assembly, transcript: &[u8; 32]) -> Result<Keys, Error> {
    let share = KeyShare::random(assembly.entropy.as_mut());
    let seat = assembly.seat;
    let public = share.public(transcript, seat, assembly.entropy.as_mut());
    let all = assembly.round(Kind::Keys, public.to_vec()).await?;
    let mut shares = Vec::with_capacity(all.len());
    for (seat, bytes) in all.iter().enumerate() {
        let malformed = Violation::Malformed {
            kind: Kind::Keys.name(),
        };
        let share: [u8; KEY] = bytes
            .as_slice()
            .try_into()
            .map_err(|_| assembly.blame(seat, malformed))?;
        shares.push(share);
    }
    let joint =
        JointKey::new(transcript, &shares).map_err(|(seat, fault)| assembly.blame(seat, fault))?;
    Ok(Keys { share, joint })
}

impl Running {
    /// Cuts, tests, totals, the table.
    async fn publish(&mut self, session: [u8; 32]) -> Result<HorizontalOutput, Error> {
        let schema = self.parts.run.setup.schema.clone();
        let mut tree = CutTree::new(schema.clone(), self.parts.run.rules()?.clone());
        let totals = loop {
            match tree.question() {
                Question::Histograms(questions) => {
                    let sums = self.histograms(&tree, &questions).await?;
                    tree.answer_histograms(&sums)?;
                }
                Question::Tests(tests) => {
                    let below = self.tests(&tree, &tests).await?;
                    tree.answer_tests(&below)?;
                }
                Question::Totals(leaves) => break self.totals(&tree, &leaves).await?,
            }
            let observer = &self.assembly.observer;
            observer.progress(
                "cutting",
                u64::from(tree.level()),
                u64::from(tree.rules().depth),
            );
        };
        let terms = self.parts.run.setup.terms.clone();
        let table = publish(&schema, &tree, totals, &terms.promises)?;
        self.assembly.conclude(&table.canonical());
        self.assembly.checkpoint().await?;
        let reached = match &tree.rules().histograms {
            Histograms::Noisy(plan) => Some((plan.reached(), plan.delta())),
            Histograms::None | Histograms::Exact => None,
        };
        let members = &self.parts.run.members;
        Ok(HorizontalOutput {
            session,
            seat: self.assembly.seat,
            members: members
                .all
                .iter()
                .map(|member| member.name.clone())
                .collect(),
            terms,
            schema,
            table,
            cuts: tree.counts(),
            reached,
            traffic: self.assembly.traffic,
        })
    }

    /// The sum of everybody's vectors, modulo 2^64; nobody sees another one's.
    pub(super) async fn masked_sum(&mut self, values: Vec<u64>) -> Result<Vec<u64>, Error> {
        let mut sums = Vec::with_capacity(values.len());
        for chunk in values.chunks(MOST_NUMBERS) {
            let transcript = self.assembly.checkpoint().await?;
            let query = MaskedQuery {
                transcript: &transcript,
                number: self.queries,
            };
            self.queries += 1;
            let mut masked = chunk.to_vec();
            self.pairs.mask(query, &mut masked);
            let mut body = Vec::with_capacity(masked.len() * 8);
            for value in &masked {
                body.extend_from_slice(&value.to_le_bytes());
            }
            masked.zeroize();
            let all = self.assembly.round(Kind::Sums, body).await?;
            let mut sum = vec![0u64; chunk.len()];
            for (seat, body) in all.iter().enumerate() {
                if body.len() != chunk.len() * 8 {
                    let (expected, found) = (chunk.len() * 8, body.len());
                    let fault = Violation::WrongCount { expected, found };
                    return Err(self.assembly.blame(seat, fault));
                }
                for (sum, value) in sum.iter_mut().zip(body.as_chunks::<8>().0) {
                    *sum = sum.wrapping_add(u64::from_le_bytes(*value));
                }
            }
            self.assembly.traffic.sums += sum.len() as u64;
            sums.extend(sum);
        }
        Ok(sums)
    }

    async fn histograms(
        &mut self,
        tree: &CutTree,
        questions: &[HistogramQuestion],
    ) -> Result<Vec<Vec<i64>>, Error> {
        let mut counts: Vec<u64> = Vec::new();
        for question in questions {
            counts.extend(self.own.histogram(tree, question));
        }
        let rules = tree.rules().clone();
        if let Histograms::Noisy(plan) = &rules.histograms {
            let share = plan
                .shares()
                .get(tree.level() as usize)
                .ok_or(Error::Defect("a histogram without noise"))?;
            let draws = self.noise(&[(share, counts.len())])?;
            for (count, draw) in counts.iter_mut().zip(draws) {
                *count = count.wrapping_add(draw as u64);
            }
        }
        self.looks += 1;
        let mut sums = self.masked_sum(counts).await?.into_iter();
        let mut histograms = Vec::with_capacity(questions.len());
        for question in questions {
            let bins = sums.by_ref().take(question.places.len() + 1);
            histograms.push(bins.map(|sum| sum as i64).collect());
        }
        Ok(histograms)
    }

    /// Noise for the tables of the current look, one after the other: what was kept of it, or fresh
    /// and kept first.
    pub(super) fn noise(&mut self, tables: &[(&NoiseShare, usize)]) -> Result<Vec<i64>, Error> {
        let look = self.looks;
        let counts: usize = tables.iter().map(|(_, counts)| counts).sum();
        let mut is_spent = false;
        for record in self.parts.vault.lock().kept() {
            match record {
                KeptRecord::NoiseSpent => is_spent = true,
                KeptRecord::Noise { look: of, draws } if of == look => {
                    if draws.len() != counts {
                        return Err(Error::NotReproducible { sequence: look });
                    }
                    return Ok(draws);
                }
                _ => {}
            }
        }
        let mut draws = Vec::with_capacity(counts);
        for (table, &(share, counts)) in tables.iter().enumerate() {
            let number = table_number(look, table);
            let drawn = self.parts.noise.draw(share, number, counts);
            let drawn = drawn.map_err(Error::Storage)?;
            if drawn.len() != counts {
                return Err(Error::Defect("not one draw per count"));
            }
            draws.extend(drawn);
        }
        if !is_spent {
            self.parts.vault.keep(&KeptRecord::NoiseSpent)?;
        }
        self.parts.vault.keep(&KeptRecord::Noise {
            look,
            draws: draws.clone(),
        })?;
        Ok(draws)
    }

    /// Per test, how many of its sums are below their thresholds.
    async fn tests(&mut self, tree: &CutTree, tests: &[Test]) -> Result<Vec<u64>, Error> {
        let mut lists = Vec::with_capacity(tests.len());
        for test in tests {
            let (_, threshold) = test.thresholds(tree.rules());
            lists.push(SecretSums {
                summands: self.own.summands(tree, test),
                threshold,
            });
        }
        self.below(&lists).await
    }

    /// Per list, how many of its sums are below the threshold: by secret sums, or by sums that
    /// everybody sees.
    pub(super) async fn below(&mut self, lists: &[SecretSums]) -> Result<Vec<u64>, Error> {
        let mut below = Vec::with_capacity(lists.len());
        if self.keys.is_some() {
            let ciphertexts = |list: &SecretSums| list.summands.len() * list.threshold as usize;
            for batch in batches(lists, ciphertexts) {
                below.extend(self.sums_below(batch).await?);
            }
            return Ok(below);
        }
        let summands = lists.iter().flat_map(|list| list.summands.iter().copied());
        let mut sums = self.masked_sum(summands.collect()).await?.into_iter();
        for list in lists {
            let own = sums.by_ref().take(list.summands.len());
            below.push(own.filter(|&sum| sum < list.threshold).count() as u64);
        }
        Ok(below)
    }

    /// Per list, how many of its secret sums are below the threshold, and nothing else.
    async fn sums_below(&mut self, lists: &[SecretSums]) -> Result<Vec<u64>, Error> {
        let totals = self.encrypted_sums(lists).await?;
        let mut bags = Vec::with_capacity(lists.len());
        let mut rest = totals.into_iter();
        for list in lists {
            let mut bag = Vec::new();
            for total in rest.by_ref().take(list.summands.len()) {
                total.below(list.threshold, &mut bag);
            }
            bags.push(bag);
        }
        self.zeros(bags).await
    }

    /// Everybody's encrypted summands, added up. They are masked so that no single ciphertext can
    /// be singled out, and committed to before anybody opens, so that none is made from another.
    pub(super) async fn encrypted_sums(
        &mut self,
        lists: &[SecretSums],
    ) -> Result<Vec<Ciphertext>, Error> {
        let transcript = self.assembly.checkpoint().await?;
        let query = MaskedQuery {
            transcript: &transcript,
            number: self.queries,
        };
        self.queries += 1;
        let keys = self
            .keys
            .as_ref()
            .ok_or(Error::Defect("no key for tests"))?;
        let count: usize = lists.iter().map(|list| list.summands.len()).sum();
        let mut plaintexts = self.pairs.scalars(query, count);
        let summands = lists.iter().flat_map(|list| &list.summands);
        for (plaintext, &summand) in plaintexts.iter_mut().zip(summands) {
            *plaintext += Scalar::from(summand);
        }
        let body = keys
            .joint
            .encrypt(&plaintexts, self.assembly.entropy.as_mut());
        plaintexts.zeroize();
        let all = self
            .assembly
            .committed_round(Kind::Ciphertexts, body)
            .await?;
        let mut decoded = Vec::with_capacity(all.len());
        for (seat, body) in all.iter().enumerate() {
            let own =
                elgamal::decode(body, count).map_err(|fault| self.assembly.blame(seat, fault))?;
            for other in &all[..seat] {
                let same = |(a, b): (&[u8; CIPHERTEXT], &[u8; CIPHERTEXT])| a == b;
                let pairs = body.as_chunks().0.iter().zip(other.as_chunks().0);
                if pairs.into_iter().any(same) {
                    return Err(self.assembly.blame(seat, Violation::Copied));
                }
            }
            decoded.push(own);
        }
        let mut sums = Vec::with_capacity(count);
        for at in 0..count {
            sums.push(Ciphertext::sum(decoded.iter().map(|own| &own[at])));
        }
        Ok(sums)
    }

    /// How many encryptions of zero are in each bag: passed through everybody's hands, then
    /// decrypted together, once.
    pub(super) async fn zeros(&mut self, bags: Vec<Vec<Ciphertext>>) -> Result<Vec<u64>, Error> {
        let sizes: Vec<usize> = bags.iter().map(Vec::len).collect();
        let count: usize = sizes.iter().sum();
        self.assembly.traffic.ciphertexts += count as u64;
        let (seats, seat) = (self.assembly.seats(), self.assembly.seat);
        let mut bags = Some(bags);
        for speaker in 0..seats {
            let mut body = Vec::new();
            if speaker == seat {
                let keys = self
                    .keys
                    .as_ref()
                    .ok_or(Error::Defect("no key for tests"))?;
                let own = bags.take().ok_or(Error::Defect("a bag to pass on"))?;
                body = keys.joint.pass_on(&own, self.assembly.entropy.as_mut());
            }
            let reader = (speaker + 1 < seats).then_some(speaker + 1);
            let passed = self.assembly.hop(speaker, reader, Kind::Bag, body).await?;
            let Some(passed) = passed else {
                continue;
            };
            if speaker == seat && speaker + 1 < seats {
                continue;
            }
            let all = elgamal::decode(&passed, count)
                .map_err(|fault| self.assembly.blame(speaker, fault))?;
            let mut rest = all.into_iter();
            let parts = sizes.iter().map(|&size| rest.by_ref().take(size).collect());
            bags = Some(parts.collect());
        }
        let bags = bags.ok_or(Error::Defect("a bag to decrypt"))?;
        self.assembly.checkpoint().await?;
        let keys = self
            .keys
            .as_ref()
            .ok_or(Error::Defect("no key for tests"))?;
        let part = keys.share.decrypt(&bags.concat());
        let parts = self.assembly.committed_round(Kind::Partials, part).await?;
        elgamal::zeros(&bags, &parts).map_err(|(seat, fault)| self.assembly.blame(seat, fault))
    }

    /// The leaves' counts per combination of sensitive values.
    async fn totals(&mut self, tree: &CutTree, leaves: &[usize]) -> Result<Vec<Vec<u64>>, Error> {
        let mut counts = Vec::new();
        for &leaf in leaves {
            counts.extend(self.own.totals(tree, leaf));
        }
        if !self
            .parts
            .vault
            .lock()
            .kept()
            .contains(&KeptRecord::TotalsOpened)
        {
            self.parts.vault.keep(&KeptRecord::TotalsOpened)?;
        }
        let sums = self.masked_sum(counts.clone()).await?;
        let mut rows = 0u64;
        for (sum, own) in sums.iter().zip(&counts) {
            // what a lie takes below zero comes out near 2^64
            if sum < own || *sum > MOST_ROWS {
                return Err(Error::Violation(Violation::TotalsBelowOwn));
            }
            rows = rows.saturating_add(*sum);
        }
        if rows > MOST_ROWS {
            return Err(Error::Violation(Violation::Inconsistent {
                what: "more rows than there can be",
            }));
        }
        let combinations = self.parts.run.setup.schema.combinations();
        Ok(sums.chunks(combinations).map(<[u64]>::to_vec).collect())
    }
}

/// Numbers of which only sums are compared with a threshold.
pub(super) struct SecretSums {
    pub(super) summands: Vec<u64>,
    pub(super) threshold: u64,
}

/// Cuts a list so that no part has more ciphertexts than a message takes, but at least one test.
pub(super) fn batches<T>(tests: &[T], ciphertexts: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut batches = Vec::new();
    let (mut start, mut held) = (0, 0);
    for (at, test) in tests.iter().enumerate() {
        let own = ciphertexts(test);
        if at > start && held + own > MOST_CIPHERTEXTS {
            batches.push(&tests[start..at]);
            (start, held) = (at, 0);
        }
        held += own;
    }
    if start < tests.len() {
        batches.push(&tests[start..]);
    }
    batches
}
