//! One numbering of all workers' texts, by where they were first seen.

use super::dictionary::{Dictionary, Place};
use super::translate::{Classes, Meaning, NotAsExpected};
use super::worker::Worker;
use mingle_model::{Code, Codes, Missing, Position, RawColumn, RawValue};
use std::sync::Arc;

/// A column as the workers left it.
pub(super) struct Parts {
    /// Per worker the texts it met, those of each class apart.
    dictionaries: Vec<Dictionary>,
    /// How many of them a worker has.
    classes: usize,
    /// The dictionary and the codes of each unit, in the order of the input.
    codes: Vec<(usize, Codes)>,
}

/// How the texts of a column become values.
pub(super) struct Translation<'a> {
    pub(super) classes: &'a Classes,
    pub(super) meaning: Meaning,
    pub(super) missing: &'a Missing,
}

/// A column of all workers.
pub(super) struct Merged {
    pub(super) column: RawColumn,
    /// The first text that is not written as its source says, and what was expected.
    pub(super) not_as_expected: Option<(Position, String)>,
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
    let classes = 1 + workers
        .first()
        .map_or(0, |worker| worker.untranslated.len());
    let mut parts: Vec<Parts> = (0..slots)
        .map(|_| Parts {
            dictionaries: Vec::new(),
            classes,
            codes: Vec::new(),
        })
        .collect();
    for (worker, chunk) in chunks {
        for (slot, (part, codes)) in parts.iter_mut().zip(chunk.codes).enumerate() {
            let dictionary = worker * part.classes + chunk.layout.class(slot);
            part.codes.push((dictionary, codes));
        }
    }
    for worker in workers {
        let plain = std::mem::take(&mut worker.dictionaries);
        for (part, dictionary) in parts.iter_mut().zip(plain) {
            part.dictionaries.push(dictionary);
        }
        for class in worker.untranslated.drain(..) {
            for (part, dictionary) in parts.iter_mut().zip(class) {
                part.dictionaries.push(dictionary);
            }
        }
    }
    (parts, runs)
}

impl Parts {
    /// Joins the workers' codes into one column; texts are in the order of their first places.
    pub(super) fn merge(
        mut self,
        files: &[Arc<str>],
        rows: usize,
        translation: &Translation<'_>,
    ) -> Merged {
        let Joined {
            all,
            mut maps,
            not_as_expected,
        } = self.join(translation);
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
        for (dictionary, codes) in self.codes {
            ids.extend_mapped(&codes, &maps[dictionary]);
        }
        let mut names = Names::new(files);
        let mut values = Vec::with_capacity(order.len());
        for &id in &order {
            values.push(RawValue {
                text: all.text(id).into(),
                position: names.position(all.first(id)),
            });
        }
        let not_as_expected =
            not_as_expected.map(|(place, expected)| (names.position(place), expected));
        Merged {
            column: RawColumn { values, ids },
            not_as_expected,
        }
    }

    /// All texts in one dictionary, each in its canonical form.
    fn join(&mut self, translation: &Translation<'_>) -> Joined {
        let mut dictionaries = std::mem::take(&mut self.dictionaries).into_iter();
        let all = dictionaries.next().expect("there is at least one worker");
        let mut joined = Joined {
            maps: vec![(0..all.len() as Code).collect()],
            all,
            not_as_expected: None,
        };
        for (number, dictionary) in (1..).zip(dictionaries) {
            joined.add(&dictionary, number % self.classes, translation);
        }
        joined
    }
}

/// Dictionaries on their way into one.
struct Joined {
    all: Dictionary,
    /// Per dictionary each text's number in `all`.
    maps: Vec<Vec<Code>>,
    /// The first text that is not written as its source says.
    not_as_expected: Option<(Place, String)>,
}

impl Joined {
    fn add(&mut self, dictionary: &Dictionary, class: usize, translation: &Translation<'_>) {
        let mut map = Vec::with_capacity(dictionary.len());
        for id in 0..dictionary.len() as Code {
            let place = dictionary.first(id);
            let translated = self.translated(dictionary.text(id), place, class, translation);
            let bytes = match &translated {
                Some(text) => text.as_bytes(),
                None => dictionary.bytes(id),
            };
            let number = self.all.intern(bytes, place);
            let number = number.expect("the other dictionary checked the text");
            self.all.seen_at(number, place);
            map.push(number);
        }
        self.maps.push(map);
    }

    fn translated(
        &mut self,
        text: &str,
        place: Place,
        class: usize,
        translation: &Translation<'_>,
    ) -> Option<String> {
        let Translation {
            classes,
            meaning,
            missing,
        } = translation;
        match classes.translate(class, *meaning, text, missing) {
            Ok(translated) => translated,
            Err(NotAsExpected(expected)) => {
                let first = self.not_as_expected.as_ref();
                if first.is_none_or(|(earlier, _)| place < *earlier) {
                    self.not_as_expected = Some((place, expected));
                }
                None
            }
        }
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
