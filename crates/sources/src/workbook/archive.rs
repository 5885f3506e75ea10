//! The ZIP archive that a workbook is: its directory, and its parts as they are unpacked.
//!
//! What the directory says is believed only as far as it can be checked: a part that unpacks to
//! more than it declares, to more than the limit, or to other bytes than its checksum says is
//! damaged. A part is unpacked as it is read and never kept, so that a sheet of gigabytes costs no
//! memory, and a bomb costs the time until the limit.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use mingle_io::{Limits, SheetFlaw};
use std::fmt;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::Arc;

/// More parts than any workbook of one table has.
const MAX_PARTS: usize = 100_000;

const END_OF_DIRECTORY: &[u8] = b"PK\x05\x06";
const DIRECTORY_ENTRY: &[u8] = b"PK\x01\x02";
const LOCAL_HEADER: &[u8] = b"PK\x03\x04";
/// In the directory these stand for a number in the extra field of large archives.
const SEE_EXTRA: u64 = 0xffff_ffff;

/// An archive in memory.
#[derive(Clone)]
pub(super) struct Archive {
    bytes: Arc<[u8]>,
    entries: Arc<[Entry]>,
    limits: Limits,
}

struct Entry {
    name: String,
    encrypted: bool,
    /// 0: stored, 8: deflated.
    method: u16,
    checksum: u32,
    packed: u64,
    unpacked: u64,
    /// Where its local header starts.
    offset: u64,
}

impl Archive {
    /// Reads the directory.
    pub(super) fn new(bytes: Arc<[u8]>, limits: &Limits) -> Result<Archive, SheetFlaw> {
        let entries = directory(&bytes)?;
        Ok(Archive {
            bytes,
            entries: entries.into(),
            limits: *limits,
        })
    }

    /// Whether a part is encrypted by the archive itself.
    pub(super) fn has_encrypted_parts(&self) -> bool {
        self.entries.iter().any(|entry| entry.encrypted)
    }

    /// Starts to unpack a part; `None` if there is none of this name.
    pub(super) fn open(&self, name: &str) -> Result<Option<Part>, SheetFlaw> {
        let Some(entry) = self.entry(name) else {
            return Ok(None);
        };
        if entry.encrypted {
            return Err(SheetFlaw::Encrypted);
        }
        if entry.unpacked > self.limits.unpacked {
            let limit = self.limits.unpacked;
            return Err(SheetFlaw::Unpacked { limit });
        }
        let start = self.data_start(entry).ok_or(SheetFlaw::Damaged)?;
        let mut packed = Cursor::new(self.bytes.clone());
        packed.set_position(start);
        let packed = packed.take(entry.packed);
        let content = match entry.method {
            0 => Unpacking::Stored(packed),
            8 => Unpacking::Deflated(Box::new(DeflateDecoder::new(packed))),
            _ => return Err(SheetFlaw::Damaged),
        };
        Ok(Some(Part {
            content,
            checksum: Crc::new(),
            expected_checksum: entry.checksum,
            left: entry.unpacked,
            allowance: u64::MAX,
        }))
    }

    /// Names are compared as the formats say: without regard to case. An exact one comes first.
    fn entry(&self, name: &str) -> Option<&Entry> {
        let exact = self.entries.iter().find(|entry| entry.name == name);
        exact.or_else(|| {
            let mut all = self.entries.iter();
            all.find(|entry| entry.name.eq_ignore_ascii_case(name))
        })
    }

    /// Where a part's data start; the local header repeats the name and may have another extra
    /// field than the directory.
    fn data_start(&self, entry: &Entry) -> Option<u64> {
        let at = usize::try_from(entry.offset).ok()?;
        let header = self.bytes.get(at..at.checked_add(30)?)?;
        if !header.starts_with(LOCAL_HEADER) {
            return None;
        }
        let skipped = number(header, 26, 2)? + number(header, 28, 2)?;
        let start = entry.offset.checked_add(30 + skipped)?;
        let end = start.checked_add(entry.packed)?;
        (end <= self.bytes.len() as u64).then_some(start)
    }
}

/// A little-endian number of some bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let slice = bytes.get(at..at.checked_add(length)?)?;
    let mut value = 0;
    for &byte in slice.iter().rev() {
        value = value << 8 | u64::from(byte);
    }
    Some(value)
}

fn directory(bytes: &[u8]) -> Result<Vec<Entry>, SheetFlaw> {
    let (count, mut at) = end_of_directory(bytes).ok_or(SheetFlaw::Damaged)?;
    if count > MAX_PARTS {
        return Err(SheetFlaw::Parts { limit: MAX_PARTS });
    }
    let mut entries: Vec<Entry> = Vec::with_capacity(count);
    for _ in 0..count {
        let (entry, next) = directory_entry(bytes, at).ok_or(SheetFlaw::Damaged)?;
        entries.push(entry);
        at = next;
    }
    // with two parts of one name, programs differ in which they show
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(SheetFlaw::Damaged);
    }
    Ok(entries)
}

/// How many entries the directory has and where it starts: said by the last record of the archive,
/// behind which at most a comment stands.
fn end_of_directory(bytes: &[u8]) -> Option<(usize, usize)> {
    let earliest = bytes.len().saturating_sub(22 + 0xffff);
    let tail = &bytes[earliest..];
    let mut found = None;
    for at in (0..tail.len().saturating_sub(21)).rev() {
        if tail[at..].starts_with(END_OF_DIRECTORY) {
            found = Some(&tail[at..]);
            break;
        }
    }
    let record = found?;
    let count = usize::try_from(number(record, 10, 2)?).ok()?;
    let offset = usize::try_from(number(record, 16, 4)?).ok()?;
    Some((count, offset))
}

/// An entry of the directory, and where the next one starts.
fn directory_entry(bytes: &[u8], at: usize) -> Option<(Entry, usize)> {
    let header = bytes.get(at..at.checked_add(46)?)?;
    if !header.starts_with(DIRECTORY_ENTRY) {
        return None;
    }
    let name_end = 46 + number(header, 28, 2)? as usize;
    let extra_end = name_end + number(header, 30, 2)? as usize;
    let end = extra_end + number(header, 32, 2)? as usize;
    let record = bytes.get(at..at.checked_add(end)?)?;
    let name = std::str::from_utf8(&record[46..name_end]).ok()?;
    let mut entry = Entry {
        // some programs write the separator of another system
        name: name.replace('\\', "/"),
        encrypted: number(header, 8, 2)? & 1 == 1,
        method: number(header, 10, 2)? as u16,
        checksum: number(header, 16, 4)? as u32,
        packed: number(header, 20, 4)?,
        unpacked: number(header, 24, 4)?,
        offset: number(header, 42, 4)?,
    };
    read_large_sizes(&mut entry, &record[name_end..extra_end])?;
    Some((entry, at + end))
}

/// Sizes that do not fit into 32 bits, or that a writer did not know beforehand, stand in an extra
/// field, in this order.
fn read_large_sizes(entry: &mut Entry, extra: &[u8]) -> Option<()> {
    let mut at = 0;
    while at + 4 <= extra.len() {
        let (kind, length) = (number(extra, at, 2)?, number(extra, at + 2, 2)? as usize);
        let field = extra.get(at + 4..at + 4 + length)?;
        if kind == 1 {
            let mut next = 0;
            for size in [&mut entry.unpacked, &mut entry.packed, &mut entry.offset] {
                if *size == SEE_EXTRA {
                    *size = number(field, next, 8)?;
                    next += 8;
                }
            }
        }
        at += 4 + length;
    }
    Some(())
}

/// A part that is being unpacked.
pub(super) struct Part {
    content: Unpacking,
    checksum: Crc,
    expected_checksum: u32,
    /// Bytes that are still to come.
    left: u64,
    /// Bytes that may be read before somebody allows more.
    allowance: u64,
}

/// The bytes of a part as they lie in the archive.
type PackedBytes = io::Take<Cursor<Arc<[u8]>>>;

enum Unpacking {
    Stored(PackedBytes),
    Deflated(Box<DeflateDecoder<PackedBytes>>),
}

/// More was read than was allowed at once.
#[derive(Debug)]
pub(super) struct AllowanceSpent;

impl fmt::Display for AllowanceSpent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too much at once")
    }
}

impl std::error::Error for AllowanceSpent {}

impl Part {
    /// Says how many bytes may be read from now on.
    pub(super) fn allow(&mut self, bytes: u64) {
        self.allowance = bytes;
    }

    /// As something that XML is read from.
    pub(super) fn buffered(self) -> BufReader<Part> {
        BufReader::with_capacity(1 << 16, self)
    }
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.allowance == 0 {
            return Err(io::Error::other(AllowanceSpent));
        }
        let wanted = buffer
            .len()
            .min(usize::try_from(self.allowance).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..wanted];
        let read = match &mut self.content {
            Unpacking::Stored(stored) => stored.read(buffer)?,
            Unpacking::Deflated(deflated) => deflated.read(buffer)?,
        };
        let Some(left) = self.left.checked_sub(read as u64) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        self.left = left;
        self.allowance -= read as u64;
        self.checksum.update(&buffer[..read]);
        let at_end = read == 0 && !buffer.is_empty();
        if at_end && (left > 0 || self.checksum.sum() != self.expected_checksum) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(read)
    }
}
