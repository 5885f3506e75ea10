//! A release on disk, read without trust.

use crate::audit::{self, AuditTable};
use crate::error::Error;
use crate::fragmented::{self, read};
use crate::manifest::{
    self, ColumnRole, Found, ManifestColumn, ManifestMeaning, PrivateManifest, PublicManifest,
    column,
};
use crate::people;
use mingle_io::{FormulaGuard, ReadOptions, Source, Undeclared, read_header, read_table};
use mingle_model::{ColumnSpec, FragmentColumn, Fragments, Kind, Published, Role, Table};
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
    /// A damaged manifest is not an error here but a finding of [`check`](Release::check); a
    /// release of noisy counts is an error, see [`open_any`](crate::open_any).
    pub fn open(folder: &Path) -> Result<Release, Error> {
        let (public_folder, private_folder) = parts(folder);
        let path = public_folder.join("manifest.json");
        if manifest::is_noisy(&path) {
            return Err(Error::Noisy {
                path: folder.to_owned(),
            });
        }
        let public: Found<PublicManifest> = match manifest::read(&path) {
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Err(Error::NotARelease {
                    path: folder.to_owned(),
                });
            }
            other => other.map_err(Error::io(&path))?,
        };
        let private = private_folder
            .filter(|f| f.is_dir())
            .map(Private::open)
            .transpose()?;
        Ok(Release {
            public_folder,
            public,
            private,
        })
    }

    /// The public manifest, unless it is beyond use.
    pub fn manifest(&self) -> Result<&PublicManifest, Error> {
        let problem = |p: &manifest::ManifestProblem| Error::Manifest {
            file: "manifest.json".to_owned(),
            problem: p.clone(),
        };
        self.public.manifest.as_ref().map_err(problem)
    }

    /// The SHA-256 of the public manifest's bytes.
    pub fn manifest_sha256(&self) -> &str {
        &self.public.sha256
    }

    /// The private manifest, where there is one that can be used.
    pub fn private_manifest(&self) -> Option<&PrivateManifest> {
        self.private
            .as_ref()?
            .manifest
            .as_ref()?
            .manifest
            .as_ref()
            .ok()
    }

    /// The published table: quasi-identifiers as opaque texts, sensitive values with the meaning
    /// the manifest gives them. Its roles are in [`PublicManifest::columns`]. Of a fragmented
    /// release only the quasi-identifiers, because nothing says which values go with them.
    pub fn table(&self) -> Result<Table, Error> {
        let manifest = self.manifest()?;
        let shown =
            |c: &&ManifestColumn| !manifest.fragmented || c.role == ColumnRole::QuasiIdentifier;
        let specs: Vec<ColumnSpec> = manifest
            .columns
            .iter()
            .filter(shown)
            .map(column::spec)
            .collect();
        if manifest.fragmented {
            let specs: Vec<ColumnSpec> = [fragmented::audit::gid_spec()]
                .into_iter()
                .chain(specs)
                .collect();
            let mut table = self.read(manifest, &manifest.data_file(), &specs)?;
            table.columns.remove(0);
            Ok(table)
        } else {
            self.read(manifest, &manifest.data_file(), &specs)
        }
    }

    /// The published table as groups of equal labels, to be verified at m = 0 or measured against
    /// its original. Of a fragmented release only the quasi-identifiers; what is to be verified
    /// there are its [`fragments`](Release::fragments).
    pub fn published(&self) -> Result<Published, Error> {
        Ok(Published::from_table(&self.table()?))
    }

    /// The tables of a fragmented release, put together by gid; `None` where there is one table.
    ///
    /// What does not fit together, or is in another order than what is published demands, is an
    /// error.
    pub fn fragments(&self) -> Result<Option<Fragments>, Error> {
        let manifest = self.manifest()?;
        let Some((qi, others)) = manifest
            .tables
            .split_first()
            .filter(|_| manifest.fragmented)
        else {
            return Ok(None);
        };
        let of_role = |role| manifest.columns.iter().filter(move |c| c.role == role);
        let with_gid = |specs: Vec<ColumnSpec>| {
            [fragmented::audit::gid_spec()]
                .into_iter()
                .chain(specs)
                .collect()
        };
        let specs: Vec<ColumnSpec> = with_gid(
            of_role(ColumnRole::QuasiIdentifier)
                .map(column::spec)
                .collect(),
        );
        let wrong = |file: &str| {
            let file = file.to_owned();
            move |problem| Error::Fragmented { file, problem }
        };
        let table = self.read(manifest, &qi.file, &specs)?;
        let mut groups = read::quasi_identifiers(&table).map_err(wrong(&qi.file))?;
        let mut columns = Vec::new();
        for (entry, column) in others.iter().zip(of_role(ColumnRole::Sensitive)) {
            let specs: Vec<ColumnSpec> = with_gid(vec![column::spec(column)]);
            let mut table = self.read(manifest, &entry.file, &specs)?;
            read::sensitive(&table, &mut groups).map_err(wrong(&entry.file))?;
            let domain = table.columns.remove(1).domain;
            columns.push(FragmentColumn {
                name: column.name.clone(),
                domain,
            });
        }
        let names = of_role(ColumnRole::QuasiIdentifier)
            .map(|c| c.name.clone())
            .collect();
        read::fragments(names, columns, groups, &qi.file).map(Some)
    }

    /// The names of a file's columns, in its order.
    pub(crate) fn header(&self, file: &str) -> Result<Vec<String>, Error> {
        let manifest = self.manifest()?;
        let unreadable = |source| Error::Unreadable {
            file: file.to_owned(),
            source,
        };
        read_header(&self.source(file)?, &read_options(manifest)).map_err(unreadable)
    }

    fn read(
        &self,
        manifest: &PublicManifest,
        file: &str,
        specs: &[ColumnSpec],
    ) -> Result<Table, Error> {
        let unreadable = |source| Error::Unreadable {
            file: file.to_owned(),
            source,
        };
        let options = read_options(manifest);
        let read = read_table(
            &[self.source(file)?],
            None,
            specs,
            Undeclared::Error,
            &options,
        );
        Ok(read.map_err(unreadable)?.table)
    }

    /// The published groups with who contributed what to them, as the audit says: what insiders are
    /// to be checked against. `None` when the private part is not here.
    ///
    /// Whether the audit adds up to the public rows is not looked at here:
    /// [`check`](Release::check) does that.
    pub fn audited(&self) -> Result<Option<Published>, Error> {
        let Some(audit) = self.audit()? else {
            return Ok(None);
        };
        let Some(fragments) = self.fragments()? else {
            return self.groups_of(&audit).map(Some);
        };
        let missing = self.manifest()?.missing();
        let labelled = fragmented::audit::labelled(&audit.table, &fragments, &missing);
        fragmented::audit::by_labels(&labelled.ok_or(Error::AuditCounts)?)
            .map(Some)
            .ok_or(Error::AuditCounts)
    }

    /// The groups of an audit in one table, with their people. What it says of people must be what
    /// the manifests say: a promise about people follows from nothing else.
    pub(crate) fn groups_of(&self, audit: &AuditTable) -> Result<Published, Error> {
        let Some(published) = audit.published() else {
            return Err(match audit.people {
                None => Error::AuditCounts,
                Some(_) => Error::AuditPeople,
            });
        };
        let declared = self.private_manifest().and_then(|private| private.people);
        let agree = match (&self.manifest()?.people, &declared) {
            (None, None) => published.people().is_none(),
            (Some(entry), Some(declared)) => people::agree(&published, entry, declared),
            _ => false,
        };
        if agree {
            Ok(published)
        } else {
            Err(Error::AuditPeople)
        }
    }

    /// The groups of the audit as they are verified, with who contributed what; `None` when the
    /// private part is not here. `published` are those of the public rows: an audit that does not
    /// add up to them, or to what the private manifest says of providers, is an error, because
    /// nothing would follow from it.
    pub fn audited_groups(&self, published: &Published) -> Result<Option<Published>, Error> {
        let Some(audit) = self.audit()? else {
            return Ok(None);
        };
        self.adds_up(&audit.table, audit::differences(published, &audit.table))?;
        self.groups_of(&audit).map(Some)
    }

    /// The same of a fragmented release, whose groups are told apart by their gid, which is then
    /// the first quasi-identifier.
    pub fn audited_fragments(&self, fragments: &Fragments) -> Result<Option<Published>, Error> {
        let Some(audit) = self.audit()? else {
            return Ok(None);
        };
        let missing = self.manifest()?.missing();
        let labelled = fragmented::audit::labelled(&audit.table, fragments, &missing);
        let labelled = labelled.ok_or(Error::AuditCounts)?;
        self.adds_up(
            &audit.table,
            fragmented::audit::differences(fragments, &labelled),
        )?;
        fragmented::audit::by_gid(&labelled)
            .map(Some)
            .ok_or(Error::AuditCounts)
    }

    fn adds_up(&self, audit: &Table, tuples: Option<u64>) -> Result<(), Error> {
        let tuples = tuples.ok_or(Error::AuditCounts)?;
        match (tuples, self.provider_differences(audit)) {
            (0, 0) => Ok(()),
            (tuples, providers) => Err(Error::AuditDiffers { tuples, providers }),
        }
    }

    /// How many providers have other numbers of rows in the audit than the private manifest says.
    pub(crate) fn provider_differences(&self, audit: &Table) -> u64 {
        let providers = self
            .private_manifest()
            .map_or(&[][..], |manifest| &manifest.providers);
        let declared = providers.iter().filter(|p| p.published_rows > 0);
        let declared = declared
            .map(|p| (p.name.clone(), u128::from(p.published_rows)))
            .collect();
        audit::provider_differences(audit, declared)
    }

    /// The audit: quasi-identifiers as opaque texts, or the gid in their place, sensitive columns
    /// with their meaning, what is said about people, and the counts last.
    pub(crate) fn audit(&self) -> Result<Option<AuditTable>, Error> {
        let manifest = self.manifest()?;
        let (Some(private), Some(found)) = (&self.private, self.private_manifest()) else {
            return Ok(None);
        };
        let Some(audit) = &found.audit else {
            return Ok(None);
        };
        let of_role = |role| {
            manifest
                .columns
                .iter()
                .filter(move |c| c.role == role)
                .map(column::spec)
        };
        let number = |name: &str| ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(name, Role::Insensitive)
        };
        let count = number(&audit.count_column);
        let mut people = Vec::new();
        if let Some(columns) = &audit.people {
            people.push(number(&columns.kind_column));
            people.push(number(&columns.people_column));
            people.push(number(&columns.rows_each_column));
        }
        // an audit with people and a manifest without cannot both be right
        let stated = manifest.people.as_ref();
        let rows = match (&audit.people, stated) {
            (None, _) => None,
            (Some(_), Some(entry)) => Some(people::person_rows(entry.rows)),
            (Some(_), None) => return Err(Error::AuditPeople),
        };
        let specs: Vec<ColumnSpec> = if manifest.fragmented {
            fragmented::audit::specs(manifest, count)
        } else {
            of_role(ColumnRole::QuasiIdentifier)
                .chain(of_role(ColumnRole::Sensitive))
                .chain(people)
                .chain([count])
                .collect()
        };
        let file = format!("private/{}", audit.file.name);
        let path = private.folder.join(&audit.file.name);
        let source = Source::of_release(path, &file);
        let provider = Some(audit.provider_column.as_str());
        let read = read_table(
            &[source],
            provider,
            &specs,
            Undeclared::Error,
            &read_options(manifest),
        );
        let read = read.map_err(|source| Error::Unreadable { file, source })?;
        Ok(Some(AuditTable {
            table: read.table,
            people: rows,
        }))
    }

    fn source(&self, file: &str) -> Result<Source, Error> {
        let path = self.public_folder.join(file);
        if path.is_file() {
            Ok(Source::of_release(path, file))
        } else {
            Err(Error::MissingFile {
                file: file.to_owned(),
            })
        }
    }
}

/// Where the public part is, and where the private one would be; only the former of a folder that
/// was handed out.
pub(crate) fn parts(folder: &Path) -> (PathBuf, Option<PathBuf>) {
    let nested = folder.join("public");
    if nested.join("manifest.json").exists() {
        (nested, Some(folder.join("private")))
    } else {
        (folder.to_owned(), None)
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

/// How the cells of a release were guarded against spreadsheets, by the note in its manifest.
pub fn formula_guard(note: Option<&str>) -> FormulaGuard {
    match note {
        None => FormulaGuard::None,
        Some(PublicManifest::FIRST_FORMULA_GUARD) => FormulaGuard::Start,
        Some(_) => FormulaGuard::Parts,
    }
}

fn read_options(manifest: &PublicManifest) -> ReadOptions<'static> {
    ReadOptions {
        missing: manifest.missing(),
        unguard: formula_guard(manifest.formula_guard.as_deref()),
        ..ReadOptions::default()
    }
}
