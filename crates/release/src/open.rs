//! A release on disk, read without trust.

use crate::audit;
use crate::error::Error;
use crate::manifest::{self, Found, ManifestColumn, PrivateManifest, PublicManifest};
use mingle_io::{ReadOptions, Source, Undeclared, read_header, read_table};
use mingle_model::{ColumnSpec, Kind, Published, Role, Table};
use std::io;
use std::path::{Path, PathBuf};

/// A release folder, or only its `public/` part as it was handed out.
pub struct Release {
    pub(crate) public_folder: PathBuf,
    pub(crate) public: Found<PublicManifest>,
    /// `None` when there is no private part.
    pub(crate) private: Option<Private>,
}

/// The private part of a release.
pub(crate) struct Private {
    pub(crate) folder: PathBuf,
    /// `None` when the folder has no manifest.
    pub(crate) manifest: Option<Found<PrivateManifest>>,
}

impl Release {
    /// Opens a release folder, or the `public/` folder of one.
    ///
    /// A damaged manifest is not an error here but a finding of [`check`](Release::check).
    pub fn open(folder: &Path) -> Result<Release, Error> {
        let nested = folder.join("public");
        let (public_folder, private_folder) = match nested.join("manifest.json").exists() {
            true => (nested, Some(folder.join("private"))),
            false => (folder.to_owned(), None),
        };
        let path = public_folder.join("manifest.json");
        let public: Found<PublicManifest> = match manifest::read(&path) {
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Error::NotARelease { path: folder.to_owned() });
            }
            other => other.map_err(Error::io(&path))?,
        };
        let private = private_folder.filter(|f| f.is_dir()).map(Private::open).transpose()?;
        Ok(Release { public_folder, public, private })
    }

    /// The public manifest, unless it is beyond use.
    pub fn manifest(&self) -> Result<&PublicManifest, Error> {
        let problem = |p: &manifest::Problem| Error::Manifest { file: "manifest.json".to_owned(), problem: p.clone() };
        self.public.manifest.as_ref().map_err(problem)
    }

    /// The private manifest, where there is one that can be used.
    pub fn private_manifest(&self) -> Option<&PrivateManifest> {
        self.private.as_ref()?.manifest.as_ref()?.manifest.as_ref().ok()
    }

    /// The published table: quasi-identifiers as opaque texts, sensitive values with the meaning the manifest gives
    /// them. Its roles are in [`PublicManifest::columns`].
    pub fn table(&self) -> Result<Table, Error> {
        let manifest = self.manifest()?;
        let specs: Vec<ColumnSpec> = manifest.columns.iter().map(ManifestColumn::spec).collect();
        let source = self.source(manifest)?;
        let unreadable = |source| Error::Unreadable { file: manifest.data_file(), source };
        let options = read_options(manifest);
        let input = read_table(&[source], None, &specs, Undeclared::Error, &options).map_err(unreadable)?;
        Ok(input.table)
    }

    /// The published table as groups, to be verified at m = 0 or measured against its original.
    pub fn published(&self) -> Result<Published, Error> {
        Ok(Published::from_table(&self.table()?))
    }

    /// The names of the data file's columns, in its order.
    pub(crate) fn header(&self) -> Result<Vec<String>, Error> {
        let manifest = self.manifest()?;
        let unreadable = |source| Error::Unreadable { file: manifest.data_file(), source };
        read_header(&self.source(manifest)?, &read_options(manifest)).map_err(unreadable)
    }

    /// The published groups with who contributed what to them, as the audit says: what insiders are to be checked
    /// against. `None` when the private part is not here.
    ///
    /// Whether the audit adds up to the public rows is not looked at here: [`check`](Release::check) does that.
    pub fn audited(&self) -> Result<Option<Published>, Error> {
        let Some(audit) = self.audit()? else { return Ok(None) };
        audit::published(&audit).map(Some).ok_or(Error::AuditCounts)
    }

    /// The audit: quasi-identifiers as opaque texts, sensitive columns with their meaning, and the counts last.
    pub(crate) fn audit(&self) -> Result<Option<Table>, Error> {
        let manifest = self.manifest()?;
        let (Some(private), Some(found)) = (&self.private, self.private_manifest()) else { return Ok(None) };
        let of_role = |role| manifest.columns.iter().filter(move |c| c.role == role).map(ManifestColumn::spec);
        let count = ColumnSpec::new(&found.audit.count_column, Role::Insensitive);
        let count = ColumnSpec { kind: Some(Kind::Category), ..count };
        let data = of_role(Role::QuasiIdentifier).chain(of_role(Role::Sensitive));
        let specs: Vec<ColumnSpec> = data.chain([count]).collect();
        let file = format!("private/{}", found.audit.file.name);
        let path = private.folder.join(&found.audit.file.name);
        let source = Source { path, display: file.clone(), provider: None };
        let provider = Some(found.audit.provider_column.as_str());
        let read = read_table(&[source], provider, &specs, Undeclared::Error, &read_options(manifest));
        Ok(Some(read.map_err(|source| Error::Unreadable { file, source })?.table))
    }

    fn source(&self, manifest: &PublicManifest) -> Result<Source, Error> {
        let file = manifest.data_file();
        let path = self.public_folder.join(&file);
        if !path.is_file() {
            return Err(Error::MissingFile { file });
        }
        Ok(Source { path, display: file, provider: None })
    }
}

impl Private {
    fn open(folder: PathBuf) -> Result<Private, Error> {
        let path = folder.join("manifest.json");
        let manifest = match manifest::read(&path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            other => Some(other.map_err(Error::io(&path))?),
        };
        Ok(Private { folder, manifest })
    }
}

fn read_options(manifest: &PublicManifest) -> ReadOptions<'static> {
    ReadOptions {
        delimiter: Some(b','),
        missing: manifest.missing(),
        unguard: manifest.formula_guard.is_some(),
        ..ReadOptions::default()
    }
}
