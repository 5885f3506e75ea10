//! A disk that fails at every step, processes that end at every step, and names that are taken.

mod crash;
mod dead;
mod files;
mod folders;
mod locks;

use std::fs;
use std::path::Path;

/// What is in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        names.push(entry.unwrap().file_name().into_string().unwrap());
    }
    names.sort();
    names
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The permission bits; those asked for where the system has none.
#[cfg(all(unix, not(mingle_portable)))]
fn mode(path: &Path, _asked: u32) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[cfg(any(not(unix), mingle_portable))]
fn mode(_path: &Path, asked: u32) -> u32 {
    asked
}
