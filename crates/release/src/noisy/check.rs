//! Checking a release of noisy counts: is it whole, and could a mechanism have put it out?
//!
//! Works with `public/` alone: every file is what was written, every cell is in its declared
//! domain, counts are not negative, a thresholded histogram has none below its threshold, and
//! marginals agree on all they have in common. With the private part, the two belong together, and
//! the ledger, where it can be reached, has the entry. What cannot be checked is the promise
//! itself: differential privacy is a property of the program, not of a table.

use super::agreement;
use super::ledger::{self, LedgerCheck};
use super::read::{CellCounts, NoisyRelease};
use super::{NoisyKind, NoisyManifest, NoisyMeaning, NoisyPrivateManifest, NoisyTable};
use crate::check::{file_problem, manifest_problem, signature_problems, unexpected};
use crate::error::Error;
use crate::finding::Finding;
use crate::joint::SIGNATURES_FILE;
use mingle_dp::DeclaredAttribute;
use mingle_dp::universe::CellId;

/// All that a check found.
#[derive(Debug)]
pub struct NoisyFindings {
    /// What is wrong, in the order in which it was looked at.
    pub problems: Vec<Finding>,
    /// What the ledger says; `None` without a private part.
    pub ledger: Option<LedgerCheck>,
}

impl NoisyFindings {
    /// Nothing is wrong, as far as was looked.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}

impl NoisyRelease {
    /// Checks everything that can be checked with what is there.
    pub fn check(&self) -> NoisyFindings {
        let mut problems: Vec<Finding> = manifest_problem("manifest.json", &self.public)
            .into_iter()
            .collect();
        if let Ok(manifest) = &self.public.manifest {
            problems.extend(
                manifest
                    .files
                    .iter()
                    .filter_map(|entry| file_problem(&self.public_folder, "", entry)),
            );
            let is_signed = manifest.protocol.is_some();
            problems.extend(unexpected(&self.public_folder, |name| {
                is_signed && name == SIGNATURES_FILE
                    || manifest.files.iter().any(|f| f.name == name)
            }));
            problems.extend(signature_problems(
                &self.public_folder,
                manifest.protocol.as_ref(),
                &self.public.sha256,
            ));
        }
        let ledger = self.private(&mut problems);
        if let Ok(manifest) = &self.public.manifest {
            self.content(manifest, &mut problems);
        }
        NoisyFindings { problems, ledger }
    }

    fn private(&self, problems: &mut Vec<Finding>) -> Option<LedgerCheck> {
        let file = "private/manifest.json";
        let Some(found) = self.private.as_ref()? else {
            problems.push(Finding::MissingFile {
                file: file.to_owned(),
            });
            return None;
        };
        problems.extend(manifest_problem(file, found));
        let private: &NoisyPrivateManifest = found.manifest.as_ref().ok()?;
        if private.public_manifest != self.public.sha256 {
            problems.push(Finding::OtherRelease);
        }
        let manifest = self.public.manifest.as_ref().ok()?;
        let ledger = ledger::check(private, manifest);
        if let LedgerCheck::Differs { reason } = &ledger {
            problems.push(Finding::Ledger {
                reason: reason.clone(),
            });
        }
        Some(ledger)
    }

    /// The tables, each and together.
    fn content(&self, manifest: &NoisyManifest, problems: &mut Vec<Finding>) {
        let attributes = manifest.attributes();
        let mut whole = Vec::new();
        for table in &manifest.tables {
            match self.checked(manifest, &attributes, table, problems) {
                Ok(counts) => whole.push((table, counts)),
                // a file that is not there was found above
                Err(Error::MissingFile { .. }) => {}
                Err(error) => problems.push(finding(&table.file, &error)),
            }
        }
        // tables of unequal shape were found above
        if manifest.kind == NoisyKind::Marginals && problems.is_empty() {
            problems.extend(agreement::disagreements(&attributes, &whole));
        }
    }

    fn checked(
        &self,
        manifest: &NoisyManifest,
        attributes: &[DeclaredAttribute],
        table: &NoisyTable,
        found: &mut Vec<Finding>,
    ) -> Result<CellCounts, Error> {
        let file = || table.file.clone();
        if !self
            .header(manifest, &table.file)?
            .iter()
            .eq(table.columns.iter().chain(&table.count_column))
        {
            found.push(Finding::Header { file: file() });
        }
        let counts = self.table(manifest, attributes, table)?;
        let rows = counts.counts.len() as u64;
        if rows != table.rows {
            found.push(Finding::Count {
                what: "rows",
                declared: table.rows,
                found: rows,
            });
        }
        let fits = match manifest.kind {
            NoisyKind::Marginals => every_cell(&counts, attributes),
            NoisyKind::Histogram => ascending(&counts),
            NoisyKind::Synthetic => true,
        };
        if !fits {
            found.push(Finding::Cells { file: file() });
        }
        let least = table.threshold.unwrap_or(1) as f64;
        let below = counts
            .counts
            .iter()
            .filter(|&&count| count < least || count.fract() != 0.0)
            .count() as u64;
        if manifest.kind == NoisyKind::Histogram && below > 0 {
            found.push(Finding::BelowThreshold {
                file: file(),
                rows: below,
            });
        }
        Ok(counts)
    }
}

/// Every declared cell once, in the domain's order.
fn every_cell(counts: &CellCounts, attributes: &[DeclaredAttribute]) -> bool {
    let sizes = counts.attributes.iter().map(|&a| attributes[a].len());
    let expected = sizes.clone().try_fold(1usize, |all, n| all.checked_mul(n));
    let sizes: Vec<usize> = sizes.collect();
    let at = |row: usize| {
        let cell = |(cells, size): (&Vec<CellId>, &usize)| (usize::from(cells[row]), *size);
        counts
            .cells
            .iter()
            .zip(&sizes)
            .map(cell)
            .fold(0, |at, (cell, size)| at * size + cell)
    };
    expected == Some(counts.counts.len()) && (0..counts.counts.len()).all(|row| at(row) == row)
}

/// No cell twice, in the domain's order.
fn ascending(counts: &CellCounts) -> bool {
    let row = |row: usize| counts.cells.iter().map(move |cells| cells[row]);
    (1..counts.counts.len()).all(|later| row(later - 1).lt(row(later)))
}

fn finding(file: &str, error: &Error) -> Finding {
    match error {
        Error::Counts { file, problem } => Finding::Noisy {
            file: file.clone(),
            problem: problem.clone(),
        },
        other => Finding::Unreadable {
            file: file.to_owned(),
            reason: other.to_string(),
        },
    }
}
