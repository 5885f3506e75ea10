//! Checking a release: is it whole, does it keep what it promises, and does the audit agree?
//!
//! Works with `public/` alone: promises are then verified for the outsider, on groups formed anew from the published
//! texts. Where there is an audit that adds up to the public rows, they are verified against the stated number of
//! insiders, and the smallest coalition of any size that succeeds is looked for. What the manifests claim to hold plays
//! no part in the verdict. Permissions are not checked: a copy of a release is still one.

use crate::audit;
use crate::error::Error;
use crate::manifest::{FileEntry, Found, Problem, PublicManifest};
use crate::open::{Private, Release};
use mingle_io::HashingWriter;
use mingle_model::{Published, Table};
use mingle_privacy::{Insiders, Reach, Verdict, Verification, verify};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Something about a release that is not as it should be. Files and columns, never cells.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Finding {
    /// A file that the manifest lists is not there.
    #[error("{file} is missing")]
    MissingFile {
        /// Relative to the release.
        file: String,
    },
    /// A file does not hold what was written.
    #[error("{file} was changed")]
    ChangedFile {
        /// Relative to the release.
        file: String,
    },
    /// A file that does not belong to what is handed out.
    #[error("{file} does not belong to the release")]
    UnexpectedFile {
        /// Relative to the release.
        file: String,
    },
    /// A manifest is damaged.
    #[error("{file}: {problem}")]
    Manifest {
        /// Relative to the release.
        file: String,
        /// What is wrong.
        problem: Problem,
    },
    /// `private/` belongs to another `public/`.
    #[error("the private part belongs to another release")]
    OtherRelease,
    /// A table cannot be read.
    #[error("{reason}")]
    Unreadable {
        /// Relative to the release.
        file: String,
        /// Why, with the place and without cells.
        reason: String,
    },
    /// The data has other columns than the manifest says.
    #[error("{file} has other columns than the manifest says")]
    Header {
        /// Relative to the release.
        file: String,
    },
    /// The data has another number of rows or groups than the manifest says.
    #[error("the manifest says {declared} {what}, the data has {found}")]
    Count {
        /// `rows` or `groups`.
        what: &'static str,
        /// What the manifest says.
        declared: u64,
        /// What is there.
        found: u64,
    },
    /// The promises cannot be decided for this data at all.
    #[error("the promises cannot be verified: {reason}")]
    Unverifiable {
        /// Why.
        reason: String,
    },
    /// The audit does not add up to the public rows.
    #[error("the audit differs from the public rows in {tuples} tuple(s)")]
    AuditDiffers {
        /// How many tuples of quasi-identifiers and sensitive values occur another number of times.
        tuples: u64,
    },
    /// The audit has other rows of some providers than the private manifest says.
    #[error("the audit differs from the private manifest for {providers} provider(s)")]
    ProvidersDiffer {
        /// How many providers.
        providers: u64,
    },
}

/// All that a check found.
#[derive(Debug)]
pub struct Findings {
    /// What is wrong with the folder, in the order in which it was looked at.
    pub problems: Vec<Finding>,
    /// What holds of the published rows: against the stated insiders where an audit adds up to them, else for the
    /// outsider. `None` when they could not be read.
    pub verification: Option<Verification>,
    /// Whether there was an audit to compare with.
    pub audited: bool,
    /// Whether it adds up to the public rows, so that the verification knew who contributed what.
    pub knows_providers: bool,
}

impl Findings {
    /// Nothing is wrong and everything that is promised holds, as far as was verified.
    pub fn is_clean(&self) -> bool {
        let holds = self.verification.as_ref().is_some_and(|v| *v.verdict() == Verdict::Holds);
        self.problems.is_empty() && holds
    }
}

impl Release {
    /// Checks everything that can be checked with what is there.
    pub fn check(&self) -> Findings {
        let mut findings =
            Findings { problems: Vec::new(), verification: None, audited: false, knows_providers: false };
        findings.manifest("manifest.json", &self.public);
        if let Ok(manifest) = &self.public.manifest {
            findings.files(&self.public_folder, manifest);
        }
        if let Some(private) = &self.private {
            findings.private(private, &self.public.sha256);
        }
        match (self.published(), &self.public.manifest) {
            (Ok(published), Ok(manifest)) => findings.data(self, manifest, published),
            // the manifest's own problem was found above
            (Err(error), Ok(_)) => findings.error(error),
            _ => {}
        }
        findings
    }
}

impl Findings {
    fn manifest<M>(&mut self, file: &str, found: &Found<M>) {
        let problem = match &found.manifest {
            Err(problem) => problem.clone(),
            Ok(_) if !found.intact => Problem::Checksum,
            Ok(_) => return,
        };
        self.problems.push(Finding::Manifest { file: file.to_owned(), problem });
    }

    fn files(&mut self, folder: &Path, manifest: &PublicManifest) {
        manifest.files.iter().for_each(|entry| self.file(folder, "", entry));
        let expected = |name: &str| name == "manifest.json" || manifest.files.iter().any(|f| f.name == name);
        let mut others: Vec<String> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect(),
            Err(_) => Vec::new(),
        };
        others.retain(|name| !expected(name));
        others.sort();
        self.problems.extend(others.into_iter().map(|file| Finding::UnexpectedFile { file }));
    }

    fn file(&mut self, folder: &Path, prefix: &str, entry: &FileEntry) {
        let file = format!("{prefix}{}", entry.name);
        match hash(&folder.join(&entry.name)) {
            Ok(found) if found == (entry.sha256.clone(), entry.bytes) => {}
            Ok(_) => self.problems.push(Finding::ChangedFile { file }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => self.problems.push(Finding::MissingFile { file }),
            Err(e) => {
                let reason = format!("cannot read {file}: {e}");
                self.problems.push(Finding::Unreadable { file, reason });
            }
        }
    }

    fn private(&mut self, private: &Private, public_sha256: &str) {
        let file = "private/manifest.json";
        let Some(found) = &private.manifest else {
            return self.problems.push(Finding::MissingFile { file: file.to_owned() });
        };
        self.manifest(file, found);
        let Ok(manifest) = &found.manifest else { return };
        if manifest.public_manifest != public_sha256 {
            self.problems.push(Finding::OtherRelease);
        }
        self.file(&private.folder, "private/", &manifest.audit.file);
    }

    fn data(&mut self, release: &Release, manifest: &PublicManifest, published: Published) {
        let names = manifest.columns.iter().map(|c| &c.name);
        match release.header() {
            Ok(header) if header.iter().eq(names) => {}
            Ok(_) => self.problems.push(Finding::Header { file: manifest.data_file() }),
            Err(error) => self.error(error),
        }
        for (what, declared, found) in
            [("rows", manifest.rows, published.rows()), ("groups", manifest.groups, published.groups() as u64)]
        {
            if declared != found {
                self.problems.push(Finding::Count { what, declared, found });
            }
        }
        let audited = match release.audit() {
            Ok(audit) => audit.and_then(|audit| self.audit(release, &published, &audit)),
            Err(error) => {
                self.error(error);
                None
            }
        };
        self.knows_providers = audited.is_some();
        let insiders = manifest.insiders().filter(|_| audited.is_some());
        let (insiders, reach) = insiders.map_or((Insiders::NONE, Reach::Stated), |stated| (stated, Reach::Everyone));
        let published = audited.unwrap_or(published);
        match verify(published, &manifest.promises().unwrap_or_default(), insiders, reach) {
            Ok(verification) => self.verification = Some(verification),
            Err(error) => self.problems.push(Finding::Unverifiable { reason: error.to_string() }),
        }
    }

    /// Compares the audit; returns the same publication with its providers if it adds up to the public one.
    fn audit(&mut self, release: &Release, published: &Published, audit: &Table) -> Option<Published> {
        self.audited = true;
        let with_providers = match audit::differences(published, audit) {
            Some(0) => audit::published(audit),
            tuples => {
                self.problems.push(Finding::AuditDiffers { tuples: tuples.unwrap_or(0) });
                None
            }
        };
        let manifest = release.private_manifest()?;
        let declared = manifest.providers.iter().filter(|p| p.published_rows > 0);
        let declared = declared.map(|p| (p.name.clone(), u128::from(p.published_rows))).collect();
        let providers = audit::provider_differences(audit, declared);
        if providers > 0 {
            self.problems.push(Finding::ProvidersDiffer { providers });
        }
        with_providers
    }

    fn error(&mut self, error: Error) {
        let missing = |f: &Finding, file: &String| *f == Finding::MissingFile { file: file.clone() };
        match error {
            Error::MissingFile { file } if self.problems.iter().any(|f| missing(f, &file)) => {}
            Error::MissingFile { file } => self.problems.push(Finding::MissingFile { file }),
            Error::Unreadable { file, source } => {
                let reason = source.to_string();
                self.problems.push(Finding::Unreadable { file, reason });
            }
            other => {
                self.problems.push(Finding::Unreadable { file: "manifest.json".to_owned(), reason: other.to_string() });
            }
        }
    }
}

fn hash(path: &Path) -> io::Result<(String, u64)> {
    let mut writer = HashingWriter::new(io::sink());
    io::copy(&mut File::open(path)?, &mut writer)?;
    let (_, hash) = writer.finish();
    Ok((hash.sha256, hash.bytes))
}
