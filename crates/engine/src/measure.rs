//! What a release has lost, against the original that the policy names.

mod cells;
pub mod distributions;
mod marginals;
pub mod noisy;

use crate::failure;
use crate::run::Run;
use crate::tables::{read_anonymized, read_original, table};
use mingle_anonymize::GroupRepresentative;
use mingle_assess::utility::{self, CentroidUtility, Loss, QueryError, Utility};
use mingle_io::{ReadOptions, Source};
use mingle_model::{Cube, Fragments, Published, Role, Table};
use mingle_policy::Policy;
use mingle_record::answer::{MeasureAnswer, MeasuredCentroids, MeasuredRanges, ShownLossName};
use mingle_record::policy_document::PublishedOutput;
use mingle_record::utility::UtilityRecord;
use mingle_record::{Problem, ProblemCode};
use mingle_release::{NoisyRelease, Opened, Release, open_any};
use std::path::Path;

/// What is measured.
pub enum Subject<'a> {
    /// A release folder, which says by itself what stands for its groups.
    Release(&'a Path),
    /// A table that any tool has anonymized; the policy says what stands for its groups.
    Table(&'a Path),
}

/// Measures a release or a table against the original that the policy names.
pub fn measure(
    policy: &Policy,
    subject: &Subject<'_>,
    run: &Run,
) -> Result<MeasureAnswer, Problem> {
    let opened = OpenedSubject::open(policy, subject)?;
    let original = read_original(policy, run)?.table;
    run.step("measuring");
    let cube = Cube::new(original.clone());
    let measured = match opened {
        OpenedSubject::Noisy(release) => {
            let measured = noisy::measure(policy, &original, &cube, &release)?;
            MeasureAnswer::Noise(measured)
        }
        OpenedSubject::Grouped(grouped) => {
            let figures = Figures::take(policy, &cube, &grouped.published, grouped.output)?;
            let distances = marginals::of_groups(policy, &original, &grouped)?;
            match figures {
                Figures::Ranges(utility) => {
                    MeasureAnswer::Ranges(MeasuredRanges::new(utility, distances))
                }
                Figures::Centroids(utility) => {
                    MeasureAnswer::Centroids(MeasuredCentroids::new(utility, distances))
                }
            }
        }
    };
    run.check()?;
    Ok(measured)
}

/// What is measured, read.
enum OpenedSubject {
    Grouped(Box<Grouped>),
    Noisy(Box<NoisyRelease>),
}

/// A table of groups: what is published, what stands for its groups, and its rows or fragments.
struct Grouped {
    published: Published,
    output: GroupRepresentative,
    table: Table,
    fragments: Option<Fragments>,
}

impl OpenedSubject {
    fn open(policy: &Policy, subject: &Subject<'_>) -> Result<OpenedSubject, Problem> {
        let folder = match subject {
            Subject::Table(file) => {
                let table = Grouped::of_table(policy, file)?;
                return Ok(OpenedSubject::Grouped(Box::new(table)));
            }
            Subject::Release(folder) => folder,
        };
        match open_any(folder).map_err(|e| failure::release(&e))? {
            Opened::Noisy(release) => Ok(OpenedSubject::Noisy(release)),
            Opened::Grouped(release) => {
                let grouped = Grouped::of_release(&release)?;
                Ok(OpenedSubject::Grouped(Box::new(grouped)))
            }
        }
    }
}

impl Grouped {
    fn of_table(policy: &Policy, file: &Path) -> Result<Grouped, Problem> {
        let roles: &[Role] = if has_sensitive(policy, file)? {
            &[Role::Sensitive]
        } else {
            &[]
        };
        let table = read_anonymized(policy, file, roles)?.table;
        Ok(Grouped {
            published: Published::from_table(&table),
            output: policy.method.output,
            table,
            fragments: None,
        })
    }

    fn of_release(release: &Release) -> Result<Grouped, Problem> {
        let failed = |e| failure::release(&e);
        let output = match release.manifest().map_err(failed)?.policy.output() {
            PublishedOutput::Centroid => GroupRepresentative::Centroid,
            PublishedOutput::Range => GroupRepresentative::Range,
        };
        let table = release.table().map_err(failed)?;
        let fragments = release.fragments().map_err(failed)?;
        let mut published = Published::from_table(&table);
        // only the audit says how many people a group has
        if release.manifest().map_err(failed)?.people.is_some() {
            let audited = release.audited_groups(&published).map_err(failed)?;
            published = audited.unwrap_or(published);
        }
        Ok(Grouped {
            published,
            output,
            table,
            fragments,
        })
    }
}

/// Whether a table has all sensitive columns: one that was handed out without them is measured
/// without.
fn has_sensitive(policy: &Policy, file: &Path) -> Result<bool, Problem> {
    let source = Source::new(file, file.display().to_string());
    let source = table(source.written_as(policy.data.foreign_format()));
    let header = mingle_io::read_header(&source, &ReadOptions::default());
    let header = header.map_err(|e| failure::io(&e))?;
    Ok(policy
        .with_role(Role::Sensitive)
        .all(|column| header.contains(&column.spec.name)))
}

/// What a release costs, in the measures that it has.
pub enum Figures {
    /// Groups are published by what covers them.
    Ranges(Utility),
    /// Groups are published by their centroids.
    Centroids(CentroidUtility),
}

impl Figures {
    /// Measures a release against its original.
    pub fn take(
        policy: &Policy,
        cube: &Cube,
        published: &Published,
        output: GroupRepresentative,
    ) -> Result<Figures, Problem> {
        let options = utility::UtilityOptions {
            seed: policy.method.seed,
            ..utility::UtilityOptions::default()
        };
        let (missing, k) = (&policy.data.missing, policy.k());
        let figures = match output {
            GroupRepresentative::Range => {
                utility::measure(cube, missing, published, k, options).map(Figures::Ranges)
            }
            GroupRepresentative::Centroid => {
                utility::measure_centroids(cube, missing, published, k, options)
                    .map(Figures::Centroids)
            }
        };
        figures.map_err(|e| not_comparable(&e))
    }

    /// The main figures in a line.
    pub fn cost(&self) -> String {
        match self {
            Figures::Ranges(u) => {
                let people = match u.ncp_of_people {
                    Some(loss) => format!(" on rows, {loss:.4} on people"),
                    None => String::new(),
                };
                format!(
                    "NCP {:.4}{people}, discernibility {}",
                    u.ncp.overall, u.discernibility
                )
            }
            Figures::Centroids(u) => {
                format!(
                    "information loss {:.4}, discernibility {}",
                    u.information_loss.overall, u.discernibility
                )
            }
        }
    }

    /// The share of detail that is lost, and what it is called.
    pub fn loss(&self) -> (ShownLossName, &Loss) {
        match self {
            Figures::Ranges(u) => (ShownLossName::Ncp, &u.ncp),
            Figures::Centroids(u) => (ShownLossName::InformationLoss, &u.information_loss),
        }
    }

    /// The sum of squared group sizes, and what rows that are left out add to it.
    pub fn discernibility(&self) -> u128 {
        match self {
            Figures::Ranges(u) => u.discernibility,
            Figures::Centroids(u) => u.discernibility,
        }
    }

    /// The error of queries.
    pub fn query_error(&self) -> &QueryError {
        match self {
            Figures::Ranges(u) => &u.query_error,
            Figures::Centroids(u) => &u.query_error,
        }
    }

    /// All of them, as manifests and answers keep them.
    pub fn to_record(&self) -> UtilityRecord {
        match self {
            Figures::Ranges(utility) => UtilityRecord::Ranges(utility.clone()),
            Figures::Centroids(utility) => UtilityRecord::Centroids(utility.clone()),
        }
    }
}

/// The release is of other data, or its labels mean nothing here.
pub fn not_comparable(error: &utility::Error) -> Problem {
    let hint = "give the policy and the tables that the release was made from";
    Problem::new(ProblemCode::NotComparable, error.to_string(), hint)
}
