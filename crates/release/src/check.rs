//! Checking a release: is it whole, does it keep what it promises, and does the audit agree?
//!
//! Works with `public/` alone: promises are then verified for the outsider, on groups formed anew
//! from the published texts. Where there is an audit that adds up to the public rows, they are
//! verified against the stated number of insiders, and the smallest coalition of any size that
//! succeeds is looked for. What the manifests claim to hold plays no part in the verdict.
//! Permissions are not checked: a copy of a release is still one.

use crate::audit::{self, AuditTable};
use crate::error::Error;
use crate::finding::Finding;
use crate::fragmented;
use crate::joint::{self, SignatureProblem};
use crate::manifest::{FileEntry, Found, ManifestMeaning, ManifestProblem, PublicManifest};
use crate::open::{Private, Release};
use crate::reports::REPORT_FILE;
use crate::vocabulary;
use crate::warnings;
use mingle_io::HashingWriter;
use mingle_model::{Fragments, Published, Table};
use mingle_privacy::{
    Attribute, FragmentsVerification, Insiders, Promise, Reach, Verdict, Verification, verify,
    verify_fragments,
};
use mingle_record::WarningNotice;
use mingle_record::manifest::ProtocolEntry;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// All that a check found.
#[derive(Debug)]
pub struct Findings {
    /// What is wrong with the folder, in the order in which it was looked at.
    pub problems: Vec<Finding>,
    /// What holds of the published rows: against the stated insiders where an audit adds up to
    /// them, else for the outsider. `None` when they could not be read; of a fragmented release
    /// also without an audit, because nothing else says which values belong together.
    pub verification: Option<Verification>,
    /// What holds of a fragmented release, table by table, for the outsider.
    pub fragments: Option<FragmentsVerification>,
    /// Promises about several attributes together, which a fragmented release alone cannot show to
    /// hold.
    pub unlinked: Vec<Promise>,
    /// Whether there was an audit to compare with.
    pub audited: bool,
    /// Whether it adds up to the public rows, so that the verification knew who contributed what.
    pub knows_providers: bool,
    /// Whether promises about people could not be decided, because only an audit that adds up says whose
    /// rows belong together. The verification then took each row for one person: what fails there fails
    /// for people as well, and what holds is undecided.
    pub lacks_people: bool,
    /// What deserves attention and follows from what is public; `None` where the rows could not be
    /// read.
    pub warnings: Option<Vec<WarningNotice>>,
}

impl Findings {
    /// Nothing is wrong and everything that is promised holds, as far as was verified.
    pub fn is_clean(&self) -> bool {
        let linked = self.verification.as_ref().map(Verification::verdict);
        let fragments = self.fragments.as_ref().map(FragmentsVerification::verdict);
        let mut verdicts = linked.into_iter().chain(fragments).peekable();
        self.problems.is_empty()
            && verdicts.peek().is_some()
            && !self.lacks_people
            && verdicts.all(|v| *v == Verdict::Holds)
    }
}

impl Release {
    /// Checks everything that can be checked with what is there.
    pub fn check(&self) -> Findings {
        let mut findings = self.whole();
        // the manifest's own problem was found above
        let Ok(manifest) = &self.public.manifest else {
            return findings;
        };
        match self.fragments() {
            Ok(Some(fragments)) => {
                findings.warnings = Some(warnings::of_groups(manifest, &[]));
                findings.tables(self, manifest, fragments);
            }
            Ok(None) => match self.table() {
                Ok(table) => {
                    let shown = warnings::shown_in(manifest, &table);
                    findings.warnings = Some(warnings::of_groups(manifest, &shown));
                    findings.data(self, manifest, Published::from_table(&table));
                }
                Err(error) => findings.error(error),
            },
            Err(error) => findings.error(error),
        }
        findings
    }

    /// What is wrong with its files, without a look at what they promise: whether they are those
    /// that were written.
    pub fn damage(&self) -> Vec<Finding> {
        self.whole().problems
    }

    fn whole(&self) -> Findings {
        let mut findings = Findings {
            problems: Vec::new(),
            verification: None,
            fragments: None,
            unlinked: Vec::new(),
            audited: false,
            knows_providers: false,
            lacks_people: false,
            warnings: None,
        };
        findings.manifest("manifest.json", &self.public);
        if is_link(&self.public_folder.join("manifest.json")) {
            let file = "manifest.json".to_owned();
            findings.problems.push(Finding::Link { file });
        }
        if let Ok(manifest) = &self.public.manifest {
            findings.files(&self.public_folder, manifest);
            findings.signatures(&self.public_folder, manifest, &self.public.sha256);
        }
        if let Some(private) = &self.private {
            findings.private(private, &self.public.sha256);
        }
        findings
    }
}

/// What is wrong with the signatures of a joint release: nothing, where it is none.
pub(crate) fn signature_problems(
    folder: &Path,
    protocol: Option<&ProtocolEntry>,
    sha256: &str,
) -> Vec<Finding> {
    let (Some(protocol), Some(digest)) = (protocol, joint::digest(sha256)) else {
        return Vec::new();
    };
    let file = || joint::SIGNATURES_FILE.to_owned();
    let checked = match joint::check_signatures(folder, protocol, &digest) {
        Ok(Some(checked)) => checked,
        Ok(None) => return vec![Finding::Signatures],
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return vec![Finding::MissingFile { file: file() }];
        }
        Err(e) => {
            return vec![Finding::Unreadable {
                reason: format!("cannot read {}: {e}", file()),
                file: file(),
            }];
        }
    };
    let mut problems = Vec::with_capacity(checked.len());
    for (site, problem) in checked {
        problems.push(match problem {
            SignatureProblem::Missing => Finding::Unsigned { site },
            SignatureProblem::Key => Finding::OtherKey { site },
            SignatureProblem::Wrong => Finding::WrongSignature { site },
        });
    }
    problems
}

impl Findings {
    fn manifest<M>(&mut self, file: &str, found: &Found<M>) {
        self.problems.extend(manifest_problem(file, found));
    }

    fn files(&mut self, folder: &Path, manifest: &PublicManifest) {
        manifest
            .files
            .iter()
            .for_each(|entry| self.file(folder, "", entry));
        let signed = |name: &str| manifest.protocol.is_some() && name == joint::SIGNATURES_FILE;
        let listed = |name: &str| manifest.files.iter().any(|f| f.name == name);
        self.problems
            .extend(unexpected(folder, |name| signed(name) || listed(name)));
    }

    /// All sites of a joint release have signed this manifest.
    fn signatures(&mut self, folder: &Path, manifest: &PublicManifest, sha256: &str) {
        let found = signature_problems(folder, manifest.protocol.as_ref(), sha256);
        self.problems.extend(found);
    }

    fn file(&mut self, folder: &Path, prefix: &str, entry: &FileEntry) {
        self.problems.extend(file_problem(folder, prefix, entry));
    }

    fn private(&mut self, private: &Private, public_sha256: &str) {
        let file = "private/manifest.json";
        let Some(found) = &private.manifest else {
            return self.problems.push(Finding::MissingFile {
                file: file.to_owned(),
            });
        };
        self.manifest(file, found);
        let Ok(manifest) = &found.manifest else {
            return;
        };
        if manifest.public_manifest != public_sha256 {
            self.problems.push(Finding::OtherRelease);
        }
        manifest
            .audit
            .iter()
            .for_each(|audit| self.file(&private.folder, "private/", &audit.file));
    }

    fn data(&mut self, release: &Release, manifest: &PublicManifest, published: Published) {
        let names: Vec<String> = manifest.columns.iter().map(|c| c.name.clone()).collect();
        self.header(release, &manifest.data_file(), &names);
        self.counts(manifest, published.rows(), published.groups());
        self.problems
            .extend(vocabulary::foreign_labels(manifest, &published));
        let audited = self.audited(release).and_then(|audit| {
            let differences = audit::differences(&published, &audit.table);
            if !self.audit(release, &audit.table, differences) {
                return None;
            }
            match release.groups_of(&audit) {
                Ok(published) => Some(published),
                Err(error) => {
                    self.error(error);
                    None
                }
            }
        });
        self.knows_providers = audited.is_some();
        self.lacks_people = manifest.people.is_some() && audited.is_none();
        let insiders = manifest.insiders().filter(|_| audited.is_some());
        let (insiders, reach) = insiders.map_or((Insiders::NONE, Reach::Stated), |stated| {
            (stated, Reach::Everyone)
        });
        let published = audited.unwrap_or(published);
        self.verification = self.decided(verify(published, &promises(manifest), insiders, reach));
    }

    /// The same for a fragmented release: its tables for the outsider, the linked audit for
    /// everything else.
    fn tables(&mut self, release: &Release, manifest: &PublicManifest, fragments: Fragments) {
        manifest
            .tables
            .iter()
            .for_each(|table| self.header(release, &table.file, &table.columns));
        self.counts(manifest, fragments.rows(), fragments.groups().len());
        let audited = self.audited(release).and_then(|audit| {
            let labelled =
                fragmented::audit::labelled(&audit.table, &fragments, &manifest.missing());
            let differences = labelled
                .as_ref()
                .and_then(|l| fragmented::audit::differences(&fragments, l));
            let agrees = self.audit(release, &audit.table, differences);
            labelled
                .filter(|_| agrees)
                .and_then(|l| fragmented::audit::by_gid(&l))
        });
        self.knows_providers = audited.is_some();
        let (joint, single) = promises(manifest)
            .into_iter()
            .partition(|p| p.attribute == Some(Attribute::Joint));
        self.unlinked = if audited.is_some() { Vec::new() } else { joint };
        let single: Vec<Promise> = single;
        self.fragments = self.decided(verify_fragments(fragments, &single));
        if let Some((published, insiders)) = audited.zip(manifest.insiders()) {
            self.verification = self.decided(verify(
                published,
                &promises(manifest),
                insiders,
                Reach::Everyone,
            ));
        }
    }

    fn header(&mut self, release: &Release, file: &str, names: &[String]) {
        match release.header(file) {
            Ok(header) if header == names => {}
            Ok(_) => self.problems.push(Finding::Header {
                file: file.to_owned(),
            }),
            Err(error) => self.error(error),
        }
    }

    fn counts(&mut self, manifest: &PublicManifest, rows: u64, groups: usize) {
        for (what, declared, found) in [
            ("rows", manifest.rows, rows),
            ("groups", manifest.groups, groups as u64),
        ] {
            if declared != found {
                self.problems.push(Finding::Count {
                    what,
                    declared,
                    found,
                });
            }
        }
    }

    /// What was decided; promises that cannot be are a finding.
    fn decided<T>(&mut self, verification: Result<T, mingle_privacy::Error>) -> Option<T> {
        let problem = |error: mingle_privacy::Error| Finding::Unverifiable {
            reason: error.to_string(),
        };
        verification
            .map_err(|error| self.problems.push(problem(error)))
            .ok()
    }

    fn audited(&mut self, release: &Release) -> Option<AuditTable> {
        release.audit().unwrap_or_else(|error| {
            self.error(error);
            None
        })
    }

    /// Compares the audit with the public rows and with the private manifest; says whether it adds
    /// up to the former.
    fn audit(&mut self, release: &Release, audit: &Table, differences: Option<u64>) -> bool {
        self.audited = true;
        if differences != Some(0) {
            self.problems.push(Finding::AuditDiffers {
                tuples: differences.unwrap_or(0),
            });
        }
        let providers = release.provider_differences(audit);
        if providers > 0 {
            self.problems.push(Finding::ProvidersDiffer { providers });
        }
        differences == Some(0)
    }

    fn error(&mut self, error: Error) {
        let missing =
            |f: &Finding, file: &String| *f == Finding::MissingFile { file: file.clone() };
        match error {
            Error::MissingFile { file } if self.problems.iter().any(|f| missing(f, &file)) => {}
            Error::MissingFile { file } => self.problems.push(Finding::MissingFile { file }),
            Error::Unreadable { file, source } => {
                let reason = source.to_string();
                self.problems.push(Finding::Unreadable { file, reason });
            }
            Error::AuditPeople => self.problems.push(Finding::PeopleDiffer),
            Error::Fragmented { file, problem } => {
                self.problems.push(Finding::Fragmented { file, problem })
            }
            other => {
                self.problems.push(Finding::Unreadable {
                    file: "manifest.json".to_owned(),
                    reason: other.to_string(),
                });
            }
        }
    }
}

/// What is wrong with a manifest by itself.
pub(crate) fn manifest_problem<M>(file: &str, found: &Found<M>) -> Option<Finding> {
    let problem = match &found.manifest {
        Err(problem) => problem.clone(),
        Ok(_) if !found.intact => ManifestProblem::Checksum,
        Ok(_) => return None,
    };
    Some(Finding::Manifest {
        file: file.to_owned(),
        problem,
    })
}

/// What is in a folder besides its manifest, its report and the files that belong there.
pub(crate) fn unexpected(folder: &Path, expected: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut others: Vec<String> = match fs::read_dir(folder) {
        Ok(entries) => entries
            .flatten()
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect(),
        Err(_) => Vec::new(),
    };
    others.retain(|name| name != "manifest.json" && name != REPORT_FILE && !expected(name));
    others.sort();
    others
        .into_iter()
        .map(|file| Finding::UnexpectedFile { file })
        .collect()
}

/// A file that does not hold what was written.
pub(crate) fn file_problem(folder: &Path, prefix: &str, entry: &FileEntry) -> Option<Finding> {
    let file = format!("{prefix}{}", entry.name);
    if is_link(&folder.join(&entry.name)) {
        return Some(Finding::Link { file });
    }
    match hash(&folder.join(&entry.name)) {
        Ok(found) if found == (entry.sha256.clone(), entry.bytes) => None,
        Ok(_) => Some(Finding::ChangedFile { file }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Some(Finding::MissingFile { file }),
        Err(e) => Some(Finding::Unreadable {
            reason: format!("cannot read {file}: {e}"),
            file,
        }),
    }
}

pub(crate) fn is_link(path: &Path) -> bool {
    path.symlink_metadata()
        .is_ok_and(|found| found.is_symlink())
}

/// None, where they are not understood; that was found in the manifest.
fn promises(manifest: &PublicManifest) -> Vec<Promise> {
    manifest.promises().unwrap_or_default()
}

pub(crate) fn hash(path: &Path) -> io::Result<(String, u64)> {
    let mut writer = HashingWriter::new(io::sink());
    io::copy(&mut File::open(path)?, &mut writer)?;
    let (_, hash) = writer.finish();
    Ok((hash.sha256, hash.bytes))
}
