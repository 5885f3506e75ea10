//! Small files of a site, in its own words for what goes wrong; see [`mingle_disk`].

use crate::error::Error;
use std::path::Path;

/// Writes a file that must not be there yet; only the owner may read it.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Ok(mingle_disk::create(path, bytes)?)
}

/// Writes a file or replaces what it held, at once; only the owner may read it.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Ok(mingle_disk::replace(path, bytes)?)
}
