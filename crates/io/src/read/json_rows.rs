//! Lines of JSON objects into codes.

use super::dictionary::Place;
use super::header::Layout;
use super::json_lines::{JsonBlock, JsonKeys, Lines, SAMPLE_LINES};
use super::json_object::{JsonCell, Refusal, TakeFields, read_object};
use super::worker::{Chunk, Worker};
use crate::error::{Error, JsonFlaw};

impl Worker<'_> {
    pub(super) fn read_json(
        &mut self,
        block: &JsonBlock,
        layout: &Layout,
        chunk: &mut Chunk,
    ) -> Result<(), Error> {
        let mut row = JsonRow {
            worker: self,
            keys: &block.keys,
            layout,
            chunk,
            place: Place {
                file: 0,
                batch: 0,
                line: 0,
            },
            met_in: vec![0; block.keys.names.len()],
            last: None,
        };
        row.place.file = row.chunk.file as u32;
        for (line, bytes) in Lines::new(&block.bytes, block.line) {
            row.place.line = line;
            row.last = None;
            let Ok(text) = std::str::from_utf8(bytes) else {
                return Err(row.flaw(JsonFlaw::NotUtf8));
            };
            match read_object(text, &mut row) {
                Ok(()) => row.end()?,
                Err(Refusal::NotAnObject) => return Err(row.flaw(JsonFlaw::NotAnObject)),
                Err(Refusal::ByTaker(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

/// A line that becomes a row.
struct JsonRow<'r, 'w> {
    worker: &'r mut Worker<'w>,
    keys: &'r JsonKeys,
    layout: &'r Layout,
    chunk: &'r mut Chunk,
    place: Place,
    /// Per key the last line that has it.
    met_in: Vec<u64>,
    /// The key that was met last.
    last: Option<usize>,
}

impl JsonRow<'_, '_> {
    fn push(&mut self, key: usize, text: &str) -> Result<(), Error> {
        let Some(slot) = self.layout.fields[key] else {
            return Ok(());
        };
        if let Some(id) = self.worker.cell(slot, text.as_bytes(), self.place)? {
            self.chunk.codes[slot].push(id);
        }
        Ok(())
    }

    /// Keys that are not there are missing values.
    fn end(&mut self) -> Result<(), Error> {
        for key in 0..self.met_in.len() {
            if self.met_in[key] != self.place.line {
                self.push(key, self.worker.missing_text())?;
            }
        }
        self.chunk.rows += 1;
        Ok(())
    }

    /// The name of a key is shown where it is a column that somebody asked for.
    fn name(&self, key: usize) -> String {
        match self.layout.fields[key] {
            Some(_) => self.keys.names[key].clone(),
            None => "(not read)".to_owned(),
        }
    }

    #[cold]
    fn flaw(&self, flaw: JsonFlaw) -> Error {
        Error::JsonLine {
            file: self.worker.file_name(self.place),
            line: self.place.line,
            flaw,
        }
    }
}

impl TakeFields for JsonRow<'_, '_> {
    type Flaw = Error;

    fn key(&mut self, key: &str) -> Result<bool, Error> {
        let guess = self.last.map_or(0, |last| last + 1);
        let Some(key) = self.keys.place(key, guess) else {
            let lines = SAMPLE_LINES;
            return Err(self.flaw(JsonFlaw::LateKey { lines }));
        };
        if self.met_in[key] == self.place.line {
            let column = self.name(key);
            return Err(self.flaw(JsonFlaw::RepeatedKey { column }));
        }
        self.met_in[key] = self.place.line;
        self.last = Some(key);
        Ok(self.layout.fields[key].is_some())
    }

    fn value(&mut self, value: JsonCell<'_>) -> Result<(), Error> {
        let key = self.last.expect("a value follows its key");
        match value {
            JsonCell::Text(text) => self.push(key, &text),
            JsonCell::Null => self.push(key, self.worker.missing_text()),
            JsonCell::Nested => {
                let column = self.name(key);
                Err(self.flaw(JsonFlaw::Nested { column }))
            }
        }
    }
}
