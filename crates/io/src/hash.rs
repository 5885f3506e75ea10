//! SHA-256 of a file as it stands on disk, taken from the bytes as they pass.

use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// What a file held: its SHA-256 in hexadecimal and its size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileHash {
    /// 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
}

impl FileHash {
    /// The hash of a file that is in memory.
    pub fn of(bytes: &[u8]) -> FileHash {
        let mut hasher = Hasher::default();
        hasher.update(bytes);
        hasher.finish()
    }
}

/// A SHA-256 in the making.
#[derive(Clone, Default)]
pub(crate) struct Hasher {
    sha256: Sha256,
    bytes: u64,
}

impl Hasher {
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.bytes += bytes.len() as u64;
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn finish(self) -> FileHash {
        let hex = |byte: &u8| {
            [byte >> 4, byte & 15].map(|n| char::from(b"0123456789abcdef"[usize::from(n)]))
        };
        FileHash {
            sha256: self.sha256.finalize().iter().flat_map(hex).collect(),
            bytes: self.bytes,
        }
    }
}

/// Passes bytes on and hashes what the inner writer took.
pub struct HashingWriter<W> {
    inner: W,
    hasher: Hasher,
}

impl<W: Write> HashingWriter<W> {
    /// Nothing written yet.
    pub fn new(inner: W) -> Self {
        HashingWriter {
            inner,
            hasher: Hasher::default(),
        }
    }

    /// The inner writer and the hash of everything it took.
    pub fn finish(self) -> (W, FileHash) {
        (self.inner, self.hasher.finish())
    }
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes at most two bytes at a time.
    struct Sip(Vec<u8>);

    impl Write for Sip {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let n = bytes.len().min(2);
            self.0.extend_from_slice(&bytes[..n]);
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn hashes_what_was_taken_not_what_was_offered() {
        let mut writer = HashingWriter::new(Sip(Vec::new()));
        writer.write_all(b"abc").unwrap();
        let (inner, hash) = writer.finish();
        assert_eq!(inner.0, b"abc");
        assert_eq!(hash.bytes, 3);
        assert_eq!(
            hash.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
