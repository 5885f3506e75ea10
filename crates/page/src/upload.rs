//! Dropped files: from a request to the disk, never through memory as a whole.
//!
//! A file is written beside its place under a hidden name that no plain name can be, and renamed
//! when it is complete: it appears whole or not at all. Whatever ends a request early (a limit, a
//! full disk, a closed browser) removes the file, and the folders that were made for it. Files are
//! for their owner alone.

use crate::Error;
use crate::body;
use crate::name::PlainName;
use crate::protocol::FileList;
use crate::site::Site;
use axum::body::Body;
use hyper::body::Body as _;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

/// How often a folder may vanish under a file.
const TRIES: usize = 100;

/// Keeps a file under a name.
pub(crate) async fn receive(
    site: &Arc<Site>,
    name: PlainName,
    body: &mut Body,
) -> Result<FileList, Error> {
    let limit = site.options.largest_upload;
    if body.size_hint().lower() > limit {
        return Err(Error::Upload { limit });
    }
    let wanted = name.clone();
    let place = site
        .ask(move |workbench| workbench.file_place(wanted.as_str()))
        .await?;
    let incoming = on_disk(move || Incoming::new(place)).await?;
    let file = incoming.file.reopen()?;
    copy(body, file, limit, site.options.stall_timeout).await?;
    // in one go: a browser that closes in between must not leave a file that nobody knows of
    site.ask(move |workbench| {
        incoming.arrive()?;
        Ok::<_, Error>(workbench.file_arrived(name.as_str())?)
    })
    .await
}

async fn copy(
    body: &mut Body,
    mut file: File,
    limit: u64,
    patience: Duration,
) -> Result<(), Error> {
    let mut written = 0u64;
    while let Some(data) = body::piece(body, patience).await? {
        written += data.len() as u64;
        if written > limit {
            return Err(Error::Upload { limit });
        }
        file = on_disk(move || file.write_all(&data).map(|()| file)).await?;
    }
    Ok(())
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    Ok(spawn_blocking(work).await.map_err(|_| Error::Defect)??)
}

/// A file that is not complete.
struct Incoming {
    // dropped before the folders, which can go only when they are empty
    file: NamedTempFile,
    folders: Folders,
    place: PathBuf,
}

impl Incoming {
    fn new(place: PathBuf) -> io::Result<Self> {
        let parent = place.parent().unwrap_or(Path::new(".")).to_path_buf();
        let mut tries = 0;
        loop {
            match begin(&parent) {
                Ok((file, folders)) => {
                    return Ok(Self {
                        file,
                        folders,
                        place,
                    });
                }
                // another upload that ended early took a folder away before our file was in it
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < TRIES => {
                    tries += 1
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn arrive(mut self) -> io::Result<()> {
        let kept = self.file.persist(&self.place).map_err(|error| error.error);
        if kept.is_ok() {
            self.folders.0.clear();
        }
        kept.map(|_| ())
    }
}

fn begin(folder: &Path) -> io::Result<(NamedTempFile, Folders)> {
    let folders = Folders::make(folder)?;
    let file = tempfile::Builder::new()
        .prefix(".incoming-")
        .suffix(".part")
        .tempfile_in(folder)?;
    Ok((file, folders))
}

/// Folders that were made, outermost first; removed when dropped, where they are empty.
struct Folders(Vec<PathBuf>);

impl Folders {
    fn make(folder: &Path) -> io::Result<Self> {
        let missing: Vec<PathBuf> = folder
            .ancestors()
            .take_while(|f| !f.as_os_str().is_empty() && !f.exists())
            .map(PathBuf::from)
            .collect();
        let mut made = Self(Vec::new());
        for folder in missing.into_iter().rev() {
            match private_folder(&folder) {
                Ok(()) => made.0.push(folder),
                // by another upload; if it is no folder, what comes next says so
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(made)
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(1);

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said() {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let copied = runtime().block_on(copy(&mut Body::from("data"), full, 100, PATIENCE));
        assert!(matches!(copied, Err(Error::Full)), "{copied:?}");
    }

    #[test]
    fn one_byte_too_many() {
        let file = || tempfile::tempfile().unwrap();
        let copied =
            |limit| runtime().block_on(copy(&mut Body::from("data"), file(), limit, PATIENCE));
        assert!(copied(4).is_ok());
        assert!(matches!(copied(3), Err(Error::Upload { limit: 3 })));
    }

    #[test]
    fn what_does_not_arrive_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("there")).unwrap();
        drop(Incoming::new(folder.path().join("there/new/er/a.csv")).unwrap());
        assert!(
            folder
                .path()
                .join("there")
                .read_dir()
                .unwrap()
                .next()
                .is_none(),
            "what was there stays, empty"
        );

        Incoming::new(folder.path().join("there/new/er/a.csv"))
            .unwrap()
            .arrive()
            .unwrap();
        assert!(folder.path().join("there/new/er/a.csv").is_file());
        assert!(
            Incoming::new(folder.path().join("there/new"))
                .unwrap()
                .arrive()
                .is_err(),
            "a folder is not replaced"
        );
        assert_eq!(folder.path().join("there").read_dir().unwrap().count(), 1);
    }
}
