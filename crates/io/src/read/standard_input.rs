//! Standard input as a file: read once, kept, and the same bytes for every reading.
//!
//! A table is read more than once (names first, then rows; a history, a measure), and a pipe is
//! not. What a process was given is one thing for the whole process, so it is kept in one place.

use crate::error::Error;
use std::io::{self, IsTerminal, Read};
use std::sync::{Arc, Mutex, PoisonError};

static READ: Mutex<Option<Arc<[u8]>>> = Mutex::new(None);

/// All that standard input gave or will give. `file` is what messages call it.
pub(super) fn bytes(file: &str, limit: usize) -> Result<Arc<[u8]>, Error> {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = &*read {
        return Ok(bytes.clone());
    }
    let input = io::stdin();
    // waiting for somebody to type a table would look like work
    if input.is_terminal() {
        return Err(Error::Terminal);
    }
    let bytes: Arc<[u8]> = all(input.lock(), file, limit)?.into();
    *read = Some(bytes.clone());
    Ok(bytes)
}

/// All bytes that something gives, if they are not too many to be kept.
pub(super) fn all(input: impl Read, file: &str, limit: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let most = (limit as u64).saturating_add(1);
    let read = input.take(most).read_to_end(&mut bytes);
    read.map_err(|source| Error::Unreadable {
        file: file.to_owned(),
        source,
    })?;
    if bytes.len() > limit {
        return Err(Error::FileTooLong {
            file: file.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::all;
    use crate::error::Error;

    #[test]
    fn no_more_than_the_limit_is_kept() {
        assert_eq!(all(&b"abc"[..], "-", 3).unwrap(), b"abc");
        let too_long = all(&b"abcd"[..], "-", 3).unwrap_err();
        assert!(matches!(too_long, Error::FileTooLong { limit: 3, .. }));
        // an input without an end is not read to its end
        let endless = all(std::io::repeat(0), "-", 1 << 16).unwrap_err();
        assert!(matches!(endless, Error::FileTooLong { .. }));
    }
}
