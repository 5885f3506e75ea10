//! One numbering of all workers' texts, by where they were first seen.

use super::dictionary::{Dictionary, Place};
use super::worker::Worker;
use mingle_model::{Code, Codes, Position, RawColumn, RawValue};
use std::sync::Arc;

/// A column as the workers left it.
pub(super) struct Parts {
    /// Per worker the texts it met.
    dictionaries: Vec<Dictionary>,
    /// The worker and its codes of each unit, in the order of the input.
    codes: Vec<(usize, Codes)>,
}

/// Which rows a unit gave: the file's number and how many.
pub(super) type Runs = Vec<(usize, usize)>;

/// Takes the workers' results apart by slot.
pub(super) fn split(workers: &mut [Worker<'_>], slots: usize) -> (Vec<Parts>, Runs) {
    let mut chunks: Vec<_> = workers
        .iter_mut()
        .enumerate()
        .flat_map(|(w, worker)| worker.chunks.drain(..).map(move |c| (w, c)))
        .collect();
    chunks.sort_unstable_by_key(|(_, chunk)| chunk.unit);
    let runs = chunks
        .iter()
        .map(|(_, chunk)| (chunk.file, chunk.rows))
        .collect();
    let mut parts: Vec<Parts> = (0..slots)
        .map(|_| Parts {
            dictionaries: Vec::new(),
            codes: Vec::new(),
        })
        .collect();
    for (worker, chunk) in chunks {
        parts
            .iter_mut()
            .zip(chunk.codes)
            .for_each(|(part, codes)| part.codes.push((worker, codes)));
    }
    for worker in workers {
        parts
            .iter_mut()
            .zip(worker.dictionaries.drain(..))
            .for_each(|(part, d)| part.dictionaries.push(d));
    }
    (parts, runs)
}

impl Parts {
    /// Joins the workers' codes into one column; texts are in the order of their first places.
    pub(super) fn merge(mut self, files: &[Arc<str>], rows: usize) -> RawColumn {
        let (all, mut maps) = self.join();
        let mut order: Vec<Code> = (0..all.len() as Code).collect();
        order.sort_unstable_by_key(|&id| all.first(id));
        let mut rank = vec![0; order.len()];
        order
            .iter()
            .zip(0..)
            .for_each(|(&id, place)| rank[id as usize] = place);
        maps.iter_mut()
            .flatten()
            .for_each(|id| *id = rank[*id as usize]);

        let mut ids = Codes::with_capacity(order.len(), rows);
        for (worker, codes) in self.codes {
            ids.extend_mapped(&codes, &maps[worker]);
        }
        let mut names = Names::new(files);
        let mut values = Vec::with_capacity(order.len());
        for &id in &order {
            values.push(RawValue {
                text: all.text(id).into(),
                position: names.position(all.first(id)),
            });
        }
        RawColumn { values, ids }
    }

    /// All texts in one dictionary, and per worker each text's number in it.
    fn join(&mut self) -> (Dictionary, Vec<Vec<Code>>) {
        let mut rest = std::mem::take(&mut self.dictionaries).into_iter();
        let mut all = rest.next().expect("there is at least one worker");
        let mut maps = vec![(0..all.len() as Code).collect::<Vec<_>>()];
        for dictionary in rest {
            let add = |id: Code| {
                let place = dictionary.first(id);
                let number = all
                    .intern(dictionary.bytes(id), place)
                    .expect("the other dictionary checked the text");
                all.seen_at(number, place);
                number
            };
            maps.push((0..dictionary.len() as Code).map(add).collect());
        }
        (all, maps)
    }
}

/// What messages call sources and their batches.
struct Names<'a> {
    files: &'a [Arc<str>],
    /// The last batch that was named: values come in the order of their places, so it is mostly the
    /// next one's, too.
    last: Option<(u32, u32, Arc<str>)>,
}

impl<'a> Names<'a> {
    fn new(files: &'a [Arc<str>]) -> Self {
        Names { files, last: None }
    }

    fn position(&mut self, place: Place) -> Position {
        Position {
            file: self.name(place),
            line: place.line,
        }
    }

    fn name(&mut self, place: Place) -> Arc<str> {
        let source = &self.files[place.file as usize];
        if place.batch == 0 {
            return source.clone();
        }
        if let Some((file, batch, name)) = &self.last
            && (*file, *batch) == (place.file, place.batch)
        {
            return name.clone();
        }
        let name: Arc<str> = batch_name(source, place.batch).into();
        self.last = Some((place.file, place.batch, name.clone()));
        name
    }
}

/// What messages call a batch of a source.
pub(super) fn batch_name(source: &str, batch: u32) -> String {
    format!("{source}, batch {batch}")
}
