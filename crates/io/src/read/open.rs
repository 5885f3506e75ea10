//! Opening a file: what it is by its first bytes, and hashing what is read of it.

use super::recognize::{Ending, Recognized, START, ending, other_text, recognize};
use super::standard_input;
use super::{FileStamp, ReadOptions, Source};
use crate::error::Error;
use crate::format::{Decoder, InputFormat};
use crate::guard::FormulaGuard;
use crate::hash::Hasher;
use crate::limits::Limits;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

/// The bytes of a source, wherever they are.
pub(super) enum RawBytes {
    File(File),
    /// What standard input gave, which can be read once only.
    Memory(Cursor<Arc<[u8]>>),
}

impl Read for RawBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            RawBytes::File(file) => file.read(buffer),
            RawBytes::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for RawBytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            RawBytes::File(file) => file.seek(to),
            RawBytes::Memory(bytes) => bytes.seek(to),
        }
    }
}

impl RawBytes {
    /// Opens a source whose kind nobody has to know.
    pub(super) fn of(source: &Source) -> Result<RawBytes, Error> {
        if source.is_standard_input() {
            let bytes = standard_input::bytes(&source.display, Limits::default().in_memory)?;
            return Ok(RawBytes::Memory(Cursor::new(bytes)));
        }
        // opening a pipe that nobody writes to would wait for ever
        let kind = std::fs::metadata(&source.path)
            .map_err(|e| unreadable(source, e))?
            .file_type();
        if kind.is_dir() {
            return Err(unreadable(source, io::ErrorKind::IsADirectory.into()));
        }
        if !kind.is_file() {
            return Err(unreadable(source, io::Error::other("not a regular file")));
        }
        let file = File::open(&source.path).map_err(|e| unreadable(source, e))?;
        Ok(RawBytes::File(file))
    }

    /// What the file looks like; `None` for what is kept in memory.
    pub(super) fn stamp(&self, source: &Source) -> Result<Option<FileStamp>, Error> {
        let RawBytes::File(file) = self else {
            return Ok(None);
        };
        let metadata = file.metadata().map_err(|e| unreadable(source, e))?;
        Ok(Some(FileStamp::new(&source.path, &metadata)))
    }
}

/// What a file is, whatever its name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Text,
    Gzip,
    Parquet,
}

/// Opens a file and looks at its first bytes.
pub(super) fn open(source: &Source) -> Result<(RawBytes, Content, Option<FileStamp>), Error> {
    let mut file = RawBytes::of(source)?;
    let stamp = file.stamp(source)?;
    let mut start = Vec::new();
    (&mut file)
        .take(START as u64)
        .read_to_end(&mut start)
        .map_err(|e| unreadable(source, e))?;
    let content = match recognize(&start) {
        Recognized::Gzip => Content::Gzip,
        Recognized::Parquet => Content::Parquet,
        Recognized::Text => Content::Text,
        Recognized::Other(found) => return Err(unsupported(source, found)),
    };
    // a pipe cannot go back, and Parquet could not be read from one: refused here rather than read
    // without its start
    file.rewind().map_err(|e| unreadable(source, e))?;
    Ok((file, content, stamp))
}

pub(super) fn unsupported(source: &Source, found: &'static str) -> Error {
    Error::UnsupportedFile {
        file: source.display.clone(),
        found,
    }
}

impl Source {
    /// Refuses a file that is something else than its policy or its ending says: one of the two is
    /// a mistake, perhaps the file itself.
    pub fn check_format(&self, found: InputFormat) -> Result<(), Error> {
        let said = match self.format.file {
            Some(declared) => Some(Ending::Format(declared)),
            None => self.path.to_str().and_then(ending),
        };
        let said = match said {
            Some(Ending::Format(said)) if said != found => said.name(),
            Some(Ending::Other(said)) => said,
            _ => return Ok(()),
        };
        Err(Error::OtherFormat {
            file: self.display.clone(),
            found: found.name(),
            said,
        })
    }
}

pub(super) fn unreadable(source: &Source, error: io::Error) -> Error {
    Error::Unreadable {
        file: source.display.clone(),
        source: error,
    }
}

/// The bytes of a text file, unpacked if need be; what is read from disk is hashed.
pub(super) enum Bytes {
    Plain(HashingReader),
    Gzip(Box<MultiGzDecoder<HashingReader>>, Unpacked),
}

/// How much of a packed file was unpacked, and how much may be.
pub(super) struct Unpacked {
    bytes: u64,
    most: u64,
}

impl Bytes {
    /// The bytes of a file that may be `most` bytes long when it is unpacked.
    pub(super) fn new(file: RawBytes, content: Content, most: u64) -> Self {
        let raw = HashingReader {
            file,
            hasher: Hasher::default(),
        };
        match content {
            Content::Gzip => Bytes::Gzip(
                Box::new(MultiGzDecoder::new(raw)),
                Unpacked { bytes: 0, most },
            ),
            _ => Bytes::Plain(raw),
        }
    }

    /// Appends up to `count` bytes; returns whether the end was reached.
    pub(super) fn append(
        &mut self,
        to: &mut Vec<u8>,
        count: usize,
        source: &Source,
    ) -> Result<bool, Error> {
        let result = match self {
            Bytes::Plain(raw) => raw.take(count as u64).read_to_end(to),
            Bytes::Gzip(gzip, _) => gzip.take(count as u64).read_to_end(to),
        };
        match (result, self) {
            (Ok(read), Bytes::Gzip(_, unpacked)) => {
                unpacked.bytes = unpacked.bytes.saturating_add(read as u64);
                // a small file may unpack to a thousand times its size, for hours
                if unpacked.bytes > unpacked.most {
                    return Err(Error::UnpackedTooLong {
                        file: source.display.clone(),
                        limit: unpacked.most,
                    });
                }
                Ok(read < count)
            }
            (Ok(read), Bytes::Plain(_)) => Ok(read < count),
            (Err(error), Bytes::Gzip(..)) if is_damage(error.kind()) => Err(Error::GzipCorrupt {
                file: source.display.clone(),
            }),
            (Err(error), _) => Err(unreadable(source, error)),
        }
    }

    fn raw(&mut self) -> &mut HashingReader {
        match self {
            Bytes::Plain(raw) => raw,
            Bytes::Gzip(gzip, _) => gzip.get_mut(),
        }
    }

    /// Bytes read from disk so far.
    pub(super) fn read(&mut self) -> u64 {
        self.raw().hasher.bytes()
    }

    /// Takes the hash, once the end was reached.
    pub(super) fn take_hasher(&mut self) -> Hasher {
        std::mem::take(&mut self.raw().hasher)
    }
}

/// Characters of a text file as UTF-8, and how far it was read.
pub(super) struct TextBytes {
    bytes: Bytes,
    /// `None` for UTF-8.
    decoder: Option<Decoder>,
    /// Bytes before they are decoded.
    encoded: Vec<u8>,
    /// Line feeds of what was decoded.
    lines: u64,
}

impl TextBytes {
    pub(super) fn new(bytes: Bytes, source: &Source) -> Self {
        TextBytes {
            bytes,
            decoder: Decoder::new(source.format.encoding),
            encoded: Vec::new(),
            lines: 0,
        }
    }

    /// Appends about `count` bytes; returns whether the end was reached.
    pub(super) fn append(
        &mut self,
        to: &mut Vec<u8>,
        count: usize,
        source: &Source,
    ) -> Result<bool, Error> {
        let Some(decoder) = &mut self.decoder else {
            return self.bytes.append(to, count, source);
        };
        self.encoded.clear();
        let at_end = self.bytes.append(&mut self.encoded, count, source)?;
        let before = to.len();
        let decoded = decoder.decode(&self.encoded, at_end, to);
        self.lines += memchr::memchr_iter(b'\n', &to[before..]).count() as u64;
        match decoded {
            Ok(()) => Ok(at_end),
            Err(_) => Err(Error::NotInEncoding {
                file: source.display.clone(),
                line: self.lines + 1,
                encoding: source.format.encoding.name(),
            }),
        }
    }

    /// Bytes read from disk so far.
    pub(super) fn read(&mut self) -> u64 {
        self.bytes.read()
    }

    /// Takes the hash, once the end was reached.
    pub(super) fn take_hasher(&mut self) -> Hasher {
        self.bytes.take_hasher()
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Refuses what no text holds: NUL bytes, which mean UTF-16 or no text at all, and byte-order marks
/// at the start of a line, which mean that files were glued together. Within a line the same
/// character is an invisible space, and belongs to its cell. Our own releases are left alone: their cells may come
/// from sources that are no text.
#[inline]
pub(super) fn check_characters(
    block: &[u8],
    first_line: u64,
    file: &str,
    options: &ReadOptions<'_>,
) -> Result<(), Error> {
    if options.unguard != FormulaGuard::None {
        return Ok(());
    }
    for at in memchr::memchr2_iter(0, BYTE_ORDER_MARK[0], block) {
        let is_nul = block[at] == 0;
        let starts_line = at == 0 || block[at - 1] == b'\n';
        let is_stray_mark = starts_line && block[at..].starts_with(BYTE_ORDER_MARK);
        if !is_nul && !is_stray_mark {
            continue;
        }
        let file = file.to_owned();
        let line = first_line + memchr::memchr_iter(b'\n', &block[..at]).count() as u64;
        return Err(if is_nul {
            Error::NulByte { file, line }
        } else {
            Error::StrayMark { file, line }
        });
    }
    Ok(())
}

/// The first block of a text file and what follows it.
pub(super) struct TextStart {
    pub(super) bytes: TextBytes,
    pub(super) buffer: Vec<u8>,
    /// Whether nothing follows.
    pub(super) at_end: bool,
}

impl TextStart {
    /// Reads the first block; a byte-order mark is not part of it.
    pub(super) fn read(
        bytes: Bytes,
        source: &Source,
        options: &ReadOptions<'_>,
    ) -> Result<Self, Error> {
        let mut bytes = TextBytes::new(bytes, source);
        let mut buffer = Vec::with_capacity(options.block + 1);
        let wanted = options.block.max(BYTE_ORDER_MARK.len());
        let at_end = bytes.append(&mut buffer, wanted, source)?;
        if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = buffer[..] {
            return Err(unsupported(source, "UTF-16 text"));
        }
        if buffer.starts_with(BYTE_ORDER_MARK) {
            buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(TextStart {
            bytes,
            buffer,
            at_end,
        })
    }

    /// Refuses text that is known to be no CSV, before anything of it is taken for a name.
    pub(super) fn refuse_other(
        &self,
        source: &Source,
        options: &ReadOptions<'_>,
    ) -> Result<(), Error> {
        if let Some(found) = other_text(&self.buffer) {
            return Err(unsupported(source, found));
        }
        check_characters(&self.buffer, 1, &source.display, options)
    }
}

fn is_damage(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof
    )
}

/// Hashes a file as it is read.
pub(super) struct HashingReader {
    file: RawBytes,
    hasher: Hasher,
}

impl Read for HashingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

/// Hashes a whole file.
pub(super) fn hash_file(source: &Source) -> Result<crate::hash::FileHash, Error> {
    let file = RawBytes::of(source)?;
    let mut bytes = Bytes::new(file, Content::Text, u64::MAX);
    let mut buffer = Vec::new();
    while !bytes.append(&mut buffer, 1 << 18, source)? {
        buffer.clear();
    }
    Ok(bytes.take_hasher().finish())
}
