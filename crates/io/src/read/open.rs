//! Opening a file: what it is by its first bytes, and hashing what is read of it.

use super::standard_input;
use super::{ReadOptions, Source};
use crate::error::Error;
use crate::hash::Hasher;
use crate::limits::Limits;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::Arc;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
}

/// What a file is, whatever its name says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Text,
    Gzip,
    Parquet,
}

/// Opens a file and looks at its first bytes.
pub(super) fn open(source: &Source) -> Result<(RawBytes, Content), Error> {
    let mut file = RawBytes::of(source)?;
    let mut start = Vec::new();
    (&mut file)
        .take(4)
        .read_to_end(&mut start)
        .map_err(|e| unreadable(source, e))?;
    let content = match start.as_slice() {
        [0x1f, 0x8b, ..] => Content::Gzip,
        b"PAR1" => Content::Parquet,
        other => {
            refuse(source, other)?;
            Content::Text
        }
    };
    // a pipe cannot go back, and Parquet could not be read from one: refused here rather than read
    // without its start
    file.rewind().map_err(|e| unreadable(source, e))?;
    Ok((file, content))
}

/// Says what a file is that cannot be read as a table.
fn refuse(source: &Source, start: &[u8]) -> Result<(), Error> {
    let found = match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text",
        b"PK\x03\x04" => "a ZIP archive or a workbook",
        [0x28, 0xb5, 0x2f, 0xfd] => "Zstandard data",
        [0xd0, 0xcf, 0x11, 0xe0] => "an old workbook",
        _ => return Ok(()),
    };
    Err(Error::UnsupportedFile {
        file: source.display.clone(),
        found,
    })
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
    Gzip(Box<MultiGzDecoder<HashingReader>>),
}

impl Bytes {
    pub(super) fn new(file: RawBytes, content: Content) -> Self {
        let raw = HashingReader {
            file,
            hasher: Hasher::default(),
        };
        match content {
            Content::Gzip => Bytes::Gzip(Box::new(MultiGzDecoder::new(raw))),
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
            Bytes::Gzip(gzip) => gzip.take(count as u64).read_to_end(to),
        };
        match (result, self) {
            (Ok(read), _) => Ok(read < count),
            (Err(error), Bytes::Gzip(_)) if is_damage(error.kind()) => Err(Error::GzipCorrupt {
                file: source.display.clone(),
            }),
            (Err(error), _) => Err(unreadable(source, error)),
        }
    }

    fn raw(&mut self) -> &mut HashingReader {
        match self {
            Bytes::Plain(raw) => raw,
            Bytes::Gzip(gzip) => gzip.get_mut(),
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

/// The first block of a text file and what follows it.
pub(super) struct TextStart {
    pub(super) bytes: Bytes,
    pub(super) buffer: Vec<u8>,
    /// Whether nothing follows.
    pub(super) at_end: bool,
}

impl TextStart {
    /// Reads the first block; a byte-order mark is not part of it.
    pub(super) fn read(
        mut bytes: Bytes,
        source: &Source,
        options: &ReadOptions<'_>,
    ) -> Result<Self, Error> {
        let mut buffer = Vec::with_capacity(options.block + 1);
        let wanted = options.block.max(BYTE_ORDER_MARK.len());
        let at_end = bytes.append(&mut buffer, wanted, source)?;
        if buffer.starts_with(BYTE_ORDER_MARK) {
            buffer.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(TextStart {
            bytes,
            buffer,
            at_end,
        })
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
    let mut bytes = Bytes::new(file, Content::Text);
    let mut buffer = Vec::new();
    while !bytes.append(&mut buffer, 1 << 18, source)? {
        buffer.clear();
    }
    Ok(bytes.take_hasher().finish())
}
