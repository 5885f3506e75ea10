//! XML as the formats of workbooks use it: elements, attributes and texts, nothing else.
//!
//! Document types are refused, and with them entities that a file declares. An event takes no more
//! memory than a record of a CSV file may.

use super::archive::{AllowanceSpent, Part};
use mingle_io::{Limits, SheetFlaw};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesEnd, BytesStart, Event};
use std::borrow::Cow;
use std::io::BufReader;

/// A part's XML, event by event.
pub(super) struct Xml {
    reader: Reader<BufReader<Part>>,
    buffer: Vec<u8>,
    limit: usize,
}

impl Xml {
    pub(super) fn new(part: Part, limits: &Limits) -> Xml {
        let mut reader = Reader::from_reader(part.buffered());
        reader.config_mut().expand_empty_elements = true;
        Xml {
            reader,
            buffer: Vec::with_capacity(1 << 12),
            limit: limits.record,
        }
    }

    /// The next start or end of an element, piece of text, or the end of the document.
    pub(super) fn next(&mut self) -> Result<Mark<'_>, SheetFlaw> {
        self.buffer.clear();
        let limit = self.limit;
        self.reader.get_mut().get_mut().allow(limit as u64);
        let event = self.reader.read_event_into(&mut self.buffer);
        let event = event.map_err(|error| flaw(&error, limit))?;
        Ok(match event {
            Event::Start(start) => Mark::Start(Element(start)),
            Event::End(end) => Mark::End(End(end)),
            Event::Text(text) => Mark::Text(text.xml10_content()),
            Event::CData(text) => Mark::Text(text.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference
                    .resolve_char_ref()
                    .map_err(|_| SheetFlaw::Damaged)?;
                let text = match character {
                    Some(character) => Cow::Owned(character.to_string()),
                    None => Cow::Borrowed(predefined(&reference).ok_or(SheetFlaw::Damaged)?),
                };
                Mark::Text(text)
            }
            Event::DocType(_) => return Err(SheetFlaw::Damaged),
            Event::Eof => Mark::Eof,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => Mark::Other,
        })
    }

    /// Reads on to the end of the element that has just started.
    pub(super) fn skip(&mut self) -> Result<(), SheetFlaw> {
        let mut depth = 1u64;
        while depth > 0 {
            match self.next()? {
                Mark::Start(_) => depth += 1,
                Mark::End(_) => depth -= 1,
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Text(_) | Mark::Other => {}
            }
        }
        Ok(())
    }

    /// Appends the text up to the end of the element that has just started, elements inside of it
    /// left out.
    pub(super) fn text_into(&mut self, text: &mut String) -> Result<(), SheetFlaw> {
        loop {
            match self.next()? {
                Mark::Text(more) => text.push_str(&more),
                Mark::Start(_) => self.skip()?,
                Mark::End(_) => return Ok(()),
                Mark::Eof => return Err(SheetFlaw::Damaged),
                Mark::Other => {}
            }
        }
    }
}

/// What stands in the XML.
pub(super) enum Mark<'x> {
    Start(Element<'x>),
    End(End<'x>),
    Text(Cow<'x, str>),
    /// A comment or the like.
    Other,
    Eof,
}

/// The start of an element.
pub(super) struct Element<'x>(BytesStart<'x>);

/// The end of an element.
pub(super) struct End<'x>(BytesEnd<'x>);

impl End<'_> {
    /// Its name without the prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().0)
    }
}

impl Element<'_> {
    /// Its name without the prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// The value of an attribute, named with its prefix if it has one.
    pub(super) fn attribute(&self, name: &str) -> Result<Option<Cow<'_, str>>, SheetFlaw> {
        self.find_attribute(|found| found == name)
    }

    /// The value of an attribute that has a prefix, whichever it is.
    pub(super) fn prefixed(&self, name: &str) -> Result<Option<Cow<'_, str>>, SheetFlaw> {
        self.find_attribute(|found| found != name && local(found) == name)
    }

    fn find_attribute(
        &self,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<Cow<'_, str>>, SheetFlaw> {
        for attribute in self.0.attributes().with_checks(false) {
            let attribute = attribute.map_err(|_| SheetFlaw::Damaged)?;
            if is_wanted(attribute.key.0) {
                let value = match attribute.value {
                    Cow::Borrowed(raw) => unescape(raw),
                    Cow::Owned(raw) => unescape(&raw).map(|value| Cow::Owned(value.into_owned())),
                };
                return value.map(Some).map_err(|_| SheetFlaw::Damaged);
            }
        }
        Ok(None)
    }

    /// An attribute that is a number.
    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, SheetFlaw> {
        let Some(text) = self.attribute(name)? else {
            return Ok(None);
        };
        text.parse().map(Some).map_err(|_| SheetFlaw::Damaged)
    }

    /// An attribute that is true or false; false if it is not there.
    pub(super) fn flag(&self, name: &str) -> Result<bool, SheetFlaw> {
        let value = self.attribute(name)?;
        Ok(matches!(value.as_deref(), Some("1" | "true" | "on")))
    }
}

fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

fn predefined(name: &str) -> Option<&'static str> {
    match name {
        "amp" => Some("&"),
        "lt" => Some("<"),
        "gt" => Some(">"),
        "apos" => Some("'"),
        "quot" => Some("\""),
        _ => None,
    }
}

fn flaw(error: &quick_xml::Error, limit: usize) -> SheetFlaw {
    if let quick_xml::Error::Io(io) = error
        && io
            .get_ref()
            .is_some_and(|inner| inner.is::<AllowanceSpent>())
    {
        return SheetFlaw::TooLong { limit };
    }
    SheetFlaw::Damaged
}
