//! Blocks of rows from several threads into one file.
//!
//! Thread t of n makes the blocks t, t + n, t + 2n, … and the writer takes them in turn. Each
//! thread is at most a block ahead.

use crate::alias::Alias;
use crate::{
    Error, Recipe, TableTopic,
    census::Census,
    hospital::Hospital,
    ipums_like,
    ipums_like::IpumsLike,
    provider,
    visits::{self, Visits},
};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::io::Write;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Rows of a block. Part of the format of a seed: another number gives other tables.
const BLOCK: u64 = 1 << 15;

/// A population to draw rows from.
pub(crate) trait Population: Sync {
    /// Names and dictionaries of the columns.
    fn columns(&self) -> Vec<OutColumn>;

    /// Appends the codes of a row; `number` counts rows from 0.
    fn push_row(&self, number: u32, rng: &mut ChaCha8Rng, codes: &mut Vec<u32>);
}

/// A column without missing values.
pub(crate) fn column(name: &str, kind: OutKind, texts: Vec<String>) -> OutColumn {
    OutColumn {
        name: name.to_owned(),
        kind,
        texts,
        missing: None,
    }
}

/// A column of these texts, none of them missing.
pub(crate) fn text(name: &str, texts: &[&str]) -> OutColumn {
    column(
        name,
        OutKind::Text,
        texts.iter().map(|t| (*t).to_owned()).collect(),
    )
}

pub(crate) fn write<W: Write + Send>(
    recipe: &Recipe,
    format: Format,
    out: W,
    progress: Option<&dyn Fn(u64)>,
    threads: usize,
) -> Result<W, Error> {
    let limit = if recipe.kind == TableTopic::IpumsLike {
        ipums_like::LIMIT
    } else {
        u32::MAX.into()
    };
    if recipe.rows > limit {
        return Err(Error::TooManyRows {
            rows: recipe.rows,
            limit,
        });
    }
    if let Some((providers, _)) = recipe
        .providers
        .filter(|(n, _)| !(1..=provider::LIMIT).contains(n))
    {
        return Err(Error::Providers {
            providers,
            limit: provider::LIMIT,
        });
    }
    let has_patients = recipe.kind == TableTopic::Hospital;
    if let Some(visits) = recipe.visits
        && !(has_patients && (1..=visits::LIMIT).contains(&visits))
    {
        return Err(Error::Visits {
            limit: visits::LIMIT,
        });
    }
    let population: Box<dyn Population> = match recipe.kind {
        TableTopic::Census => Box::new(Census::new()),
        TableTopic::Hospital => Box::new(Hospital::new()),
        TableTopic::IpumsLike => Box::new(IpumsLike::new(recipe.rows, recipe.seed)),
    };
    let mut columns = population.columns();
    columns.extend(recipe.providers.map(|(n, _)| provider::column(n)));
    let width = columns.len();
    let mut writer = RowWriter::new(format, out, columns)?;
    let providers = recipe
        .providers
        .map(|(n, distribution)| distribution.alias(n));
    let blocks = Blocks {
        recipe,
        population: population.as_ref(),
        providers,
        visits: recipe.visits.map(Visits::new),
    };
    std::thread::scope(|scope| {
        let channels: Vec<Receiver<Vec<u32>>> = (0..threads.max(1) as u64)
            .map(|thread| {
                let (sender, receiver) = sync_channel(1);
                let blocks = &blocks;
                scope.spawn(move || blocks.make(thread, threads.max(1) as u64, sender));
                receiver
            })
            .collect();
        let mut written = 0;
        for channel in channels.iter().cycle() {
            // a thread that has nothing left hangs up, and then it is the last block's turn no more
            let Ok(codes) = channel.recv() else {
                return Ok(());
            };
            codes
                .chunks_exact(width)
                .try_for_each(|row| writer.row(row, 1))?;
            written += (codes.len() / width) as u64;
            progress.iter().for_each(|report| report(written));
        }
        Ok::<(), Error>(())
    })?;
    Ok(writer.finish()?)
}

struct Blocks<'a> {
    recipe: &'a Recipe,
    population: &'a dyn Population,
    providers: Option<Alias>,
    visits: Option<Visits>,
}

impl Blocks<'_> {
    /// Makes every `step`-th block from `first` on, until all are made or nobody listens.
    fn make(&self, first: u64, step: u64, to: SyncSender<Vec<u32>>) {
        let blocks = self.recipe.rows.div_ceil(BLOCK);
        for block in (first..blocks).step_by(step as usize) {
            if to.send(self.block(block)).is_err() {
                return;
            }
        }
    }

    fn block(&self, block: u64) -> Vec<u32> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.recipe.seed);
        rng.set_stream(block);
        let rows = block * BLOCK..self.recipe.rows.min((block + 1) * BLOCK);
        if let Some(visits) = &self.visits {
            return visits.block(rows, self.providers.as_ref(), &mut rng);
        }
        let mut codes = Vec::with_capacity(10 * BLOCK as usize);
        for row in rows {
            self.population.push_row(row as u32, &mut rng, &mut codes);
            codes.extend(self.providers.as_ref().map(|p| p.draw(&mut rng)));
        }
        codes
    }
}
