//! A release as a value, before it has a folder: named parts, public and private.
//!
//! Parts are rendered when they are wanted, straight into a file or into memory, so that a large
//! table is never there twice. Manifests are made last, because they hold the hashes of the other
//! parts: the public one of all tables, the private one of the public manifest and of the audit.
//!
//! A bundle is made from what was verified and from nothing else: [`Bundle::grouped`],
//! [`Bundle::fragmented`] and [`Bundle::joint`] take the licence that only the verifier gives out,
//! [`Bundle::noisy`] an output that a ledger was charged for.

use crate::error::Error;
use crate::manifest::{
    self, AuditFile, AuditPeople, FileEntry, Manifest, PrivateManifest, PublicManifest, checksum,
    file_entry,
};
use crate::reports::Render;
use mingle_io::{FileHash, HashingWriter};
use mingle_record::manifest::{NoisyManifest, NoisyPrivateManifest};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A release in parts, with what its manifests say but for files and hashes.
pub struct Bundle<'a, M> {
    /// The files of `public/`, in the manifest's order.
    pub(crate) tables: Vec<Part<'a>>,
    /// The file of `private/` that says who contributed what, where anybody knows.
    pub(crate) audit: Option<Part<'a>>,
    pub(crate) manifests: M,
    pub(crate) reports: Option<Render>,
    /// Whether nothing is published when the reports cannot be made.
    pub(crate) needs_reports: bool,
}

/// A release of groups, in one table or in fragments.
pub type GroupedBundle<'a> = Bundle<'a, GroupedManifests>;

/// A release of noisy counts.
pub type NoisyBundle<'a> = Bundle<'a, NoisyManifests>;

/// Both manifests of a release of groups.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupedManifests {
    /// `public/manifest.json`.
    pub public: PublicManifest,
    /// `private/manifest.json`.
    pub private: PrivateManifest,
    /// How the audit's columns are called, until its file is known.
    pub(crate) audit: Option<AuditColumns>,
}

/// What the private manifest says of the audit beside its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditColumns {
    pub(crate) gid: Option<String>,
    pub(crate) provider: String,
    pub(crate) count: String,
    pub(crate) people: Option<AuditPeople>,
}

/// Both manifests of a release of noisy counts.
#[derive(Clone, PartialEq, Debug)]
pub struct NoisyManifests {
    /// `public/manifest.json`.
    pub public: NoisyManifest,
    /// `private/manifest.json`.
    pub private: NoisyPrivateManifest,
}

/// The manifests of one kind of release: what is known of them only once the parts are rendered.
pub trait ReleaseManifests: Clone + sealed::Sealed {
    /// The bytes of the public manifest, which lists these files.
    fn seal_public(&mut self, files: Vec<FileEntry>) -> Vec<u8>;

    /// The bytes of the private manifest, which names the public one by its hash.
    fn seal_private(&mut self, public_sha256: &str, audit: Option<FileEntry>) -> Vec<u8>;

    /// Whether the public manifest can be read back.
    fn check_public(&self) -> Result<(), Error>;
}

mod sealed {
    /// Nobody else makes manifests.
    pub trait Sealed {}
    impl Sealed for super::GroupedManifests {}
    impl Sealed for super::NoisyManifests {}
}

impl ReleaseManifests for GroupedManifests {
    fn seal_public(&mut self, files: Vec<FileEntry>) -> Vec<u8> {
        self.public.files = files;
        manifest::seal(&mut self.public)
    }

    fn seal_private(&mut self, public_sha256: &str, audit: Option<FileEntry>) -> Vec<u8> {
        public_sha256.clone_into(&mut self.private.public_manifest);
        if let (Some(file), Some(columns)) = (audit, self.audit.clone()) {
            self.private.audit = Some(AuditFile {
                file,
                gid_column: columns.gid,
                provider_column: columns.provider,
                count_column: columns.count,
                people: columns.people,
            });
        }
        manifest::seal(&mut self.private)
    }

    fn check_public(&self) -> Result<(), Error> {
        check_readable(&self.public)
    }
}

impl ReleaseManifests for NoisyManifests {
    fn seal_public(&mut self, files: Vec<FileEntry>) -> Vec<u8> {
        self.public.files = files;
        manifest::seal(&mut self.public)
    }

    fn seal_private(&mut self, public_sha256: &str, _audit: Option<FileEntry>) -> Vec<u8> {
        public_sha256.clone_into(&mut self.private.public_manifest);
        manifest::seal(&mut self.private)
    }

    fn check_public(&self) -> Result<(), Error> {
        check_readable(&self.public)
    }
}

/// A file of a release that is rendered when it is wanted.
pub(crate) struct Part<'a> {
    pub(crate) name: String,
    render: RenderPart<'a>,
}

/// Writes a part's bytes, and hands the writer back.
type RenderPart<'a> = Box<dyn Fn(PartWriter, &Rendering<'_>) -> Result<PartWriter, Error> + 'a>;

/// Where the bytes of a part go; they are hashed on the way.
pub(crate) type PartWriter = HashingWriter<PartSink>;

/// A file or memory.
pub(crate) enum PartSink {
    File(File),
    Memory(Vec<u8>),
}

/// What rendering a part has to know beside its bytes' way.
pub(crate) struct Rendering<'a> {
    /// For messages.
    pub(crate) path: &'a Path,
    /// Raised by someone else to give up.
    pub(crate) cancelled: &'a AtomicBool,
}

impl<'a> Part<'a> {
    pub(crate) fn new(
        name: impl Into<String>,
        render: impl Fn(PartWriter, &Rendering<'_>) -> Result<PartWriter, Error> + 'a,
    ) -> Part<'a> {
        Part {
            name: name.into(),
            render: Box::new(render),
        }
    }

    /// Renders all of it.
    pub(crate) fn render(
        &self,
        sink: PartSink,
        rendering: &Rendering<'_>,
    ) -> Result<(PartSink, FileHash), Error> {
        let written = (self.render)(HashingWriter::new(sink), rendering)?;
        Ok(written.finish())
    }
}

impl Write for PartSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            PartSink::File(file) => file.write(bytes),
            PartSink::Memory(memory) => memory.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            PartSink::File(file) => file.flush(),
            PartSink::Memory(_) => Ok(()),
        }
    }
}

/// Where parts are put while a release is filled, one after the other.
pub(crate) trait PartStore {
    /// Takes a part that has to be rendered.
    fn render(
        &mut self,
        side: Side,
        part: &Part<'_>,
        cancelled: &AtomicBool,
    ) -> Result<FileHash, Error>;

    /// Takes a part whose bytes are there.
    fn put(&mut self, side: Side, name: &str, bytes: Vec<u8>) -> Result<(), Error>;
}

/// Which of the two folders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Public,
    Private,
}

/// The manifests of a release whose parts were all rendered.
pub(crate) struct Filled<M> {
    pub(crate) manifests: M,
    /// SHA-256 of `public/manifest.json`.
    pub(crate) sha256: String,
}

/// The name of a manifest, in both folders.
pub(crate) const MANIFEST: &str = "manifest.json";

impl<M: ReleaseManifests> Bundle<'_, M> {
    /// Renders every part, and makes the manifests that list them. The order matters: a manifest
    /// holds the hashes of what comes before it.
    pub(crate) fn fill(
        &self,
        store: &mut dyn PartStore,
        cancelled: &AtomicBool,
    ) -> Result<Filled<M>, Error> {
        let mut manifests = self.manifests.clone();
        let mut files = Vec::with_capacity(self.tables.len());
        for table in &self.tables {
            let hash = store.render(Side::Public, table, cancelled)?;
            files.push(file_entry(&table.name, hash));
        }
        let bytes = manifests.seal_public(files);
        let sha256 = checksum::sha256(&bytes);
        store.put(Side::Public, MANIFEST, bytes)?;
        let audit = match &self.audit {
            None => None,
            Some(audit) => {
                let hash = store.render(Side::Private, audit, cancelled)?;
                Some(file_entry(&audit.name, hash))
            }
        };
        let bytes = manifests.seal_private(&sha256, audit);
        store.put(Side::Private, MANIFEST, bytes)?;
        Ok(Filled { manifests, sha256 })
    }

    /// All parts with their bytes, for whoever does not want a folder. Reports are left out: they
    /// are made from a release that can be read back.
    pub fn to_memory(&self) -> Result<MemoryRelease<M>, Error> {
        let mut parts = MemoryParts::default();
        let filled = self.fill(&mut parts, &AtomicBool::new(false))?;
        Ok(MemoryRelease {
            public: parts.public,
            private: parts.private,
            manifests: filled.manifests,
        })
    }
}

/// A whole release in memory, but for its reports.
pub struct MemoryRelease<M> {
    /// The files of `public/` by name.
    pub public: Vec<(String, Vec<u8>)>,
    /// The files of `private/` by name.
    pub private: Vec<(String, Vec<u8>)>,
    /// What the manifests among them say.
    pub manifests: M,
}

#[derive(Default)]
struct MemoryParts {
    public: Vec<(String, Vec<u8>)>,
    private: Vec<(String, Vec<u8>)>,
}

impl MemoryParts {
    fn side(&mut self, side: Side) -> &mut Vec<(String, Vec<u8>)> {
        match side {
            Side::Public => &mut self.public,
            Side::Private => &mut self.private,
        }
    }
}

impl PartStore for MemoryParts {
    fn render(
        &mut self,
        side: Side,
        part: &Part<'_>,
        cancelled: &AtomicBool,
    ) -> Result<FileHash, Error> {
        let rendering = Rendering {
            path: Path::new(&part.name),
            cancelled,
        };
        let (sink, hash) = part.render(PartSink::Memory(Vec::new()), &rendering)?;
        if let PartSink::Memory(bytes) = sink {
            self.put(side, &part.name, bytes)?;
        }
        Ok(hash)
    }

    fn put(&mut self, side: Side, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        self.side(side).push((name.to_owned(), bytes));
        Ok(())
    }
}

impl Side {
    /// Where a file stands within the release.
    pub(crate) fn place(self, name: &str) -> String {
        match self {
            Side::Public => format!("public/{name}"),
            Side::Private => format!("private/{name}"),
        }
    }
}

/// A manifest that could be written but not read back would be a release that nobody can open.
pub(crate) fn check_readable(manifest: &impl Manifest) -> Result<(), Error> {
    manifest.validate().map_err(|problem| Error::Manifest {
        file: MANIFEST.to_owned(),
        problem,
    })
}
