//! What only one kind of system has: permission bits, identity of files, flushing of folders, and
//! renaming that takes no name away.

#[cfg(all(unix, not(mingle_portable)))]
mod unix;
#[cfg(all(unix, not(mingle_portable)))]
pub(crate) use unix::*;

#[cfg(any(not(unix), mingle_portable))]
mod portable;
#[cfg(any(not(unix), mingle_portable))]
pub(crate) use portable::*;

mod rename;
pub(crate) use rename::{exchange, rename_to_free_name, unsupported};
