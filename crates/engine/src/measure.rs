//! What a release has lost, against the original that the policy names.

mod cells;
pub mod distributions;
mod marginals;
pub mod noisy;

use crate::failure;
use crate::run::Run;
use crate::tables::{read_anonymized, read_original};
use mingle_anonymize::Output;
use mingle_assess::utility::marginals::Distances;
use mingle_assess::utility::{self, CentroidUtility, Loss, QueryError, Utility};
use mingle_io::{ReadOptions, Source};
use mingle_model::{Cube, Fragments, Published, Role, Table};
use mingle_policy::Policy;
use mingle_record::Code;
use mingle_record::Problem;
use mingle_record::policy_document::PublishedOutput;
use mingle_record::utility::UtilityRecord;
use mingle_release::{NoisyRelease, Opened, Release, open_any};
use serde_json::{Value, json};
use std::path::Path;

/// What is measured.
pub enum Subject<'a> {
    /// A release folder, which says by itself what stands for its groups.
    Release(&'a Path),
    /// A table that any tool has anonymized; the policy says what stands for its groups.
    Table(&'a Path),
}

/// Measures a release or a table against the original that the policy names.
pub fn measure(policy: &Policy, subject: &Subject<'_>, run: &Run) -> Result<Measured, Problem> {
    let opened = OpenedSubject::open(policy, subject)?;
    let original = read_original(policy, run)?.table;
    run.step("measuring");
    let cube = Cube::new(original.clone());
    let measured = match opened {
        OpenedSubject::Noisy(release) => {
            let figures = noisy::Figures::take(policy, &original, &cube, &release)?;
            Measured::Noisy(figures)
        }
        OpenedSubject::Grouped(grouped) => {
            let figures = Figures::take(policy, &cube, &grouped.published, grouped.output)?;
            let distances = marginals::of_groups(policy, &original, &grouped)?;
            Measured::Grouped { figures, distances }
        }
    };
    run.check()?;
    Ok(measured)
}

/// What was measured.
pub enum Measured {
    /// A release with noise.
    Noisy(noisy::Figures),
    /// A table of groups.
    Grouped {
        /// What it costs.
        figures: Figures,
        /// How far its distributions are from the original's.
        distances: Distances,
    },
}

impl Measured {
    /// The document `mingle.measure/1`.
    pub fn to_json(&self) -> Value {
        match self {
            Measured::Noisy(figures) => figures.to_json(),
            Measured::Grouped { figures, distances } => {
                let mut document = document(figures);
                document["marginals"] = json!(distances);
                document
            }
        }
    }

    /// The same for people.
    pub fn to_text(&self) -> String {
        match self {
            Measured::Noisy(figures) => figures.to_text(),
            Measured::Grouped { figures, distances } => {
                figures.to_text() + &marginals::text(distances)
            }
        }
    }
}

/// What is measured, read.
enum OpenedSubject {
    Grouped(Box<Grouped>),
    Noisy(Box<NoisyRelease>),
}

/// A table of groups: what is published, what stands for its groups, and its rows or fragments.
struct Grouped {
    published: Published,
    output: Output,
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
            PublishedOutput::Centroid => Output::Centroid,
            PublishedOutput::Range => Output::Range,
        };
        let table = release.table().map_err(failed)?;
        let fragments = release.fragments().map_err(failed)?;
        Ok(Grouped {
            published: Published::from_table(&table),
            output,
            table,
            fragments,
        })
    }
}

/// Whether a table has all sensitive columns: one that was handed out without them is measured
/// without.
fn has_sensitive(policy: &Policy, file: &Path) -> Result<bool, Problem> {
    let source = Source {
        path: file.to_owned(),
        display: file.display().to_string(),
        provider: None,
    };
    let options = ReadOptions {
        delimiter: policy.data.delimiter,
        ..ReadOptions::default()
    };
    let header = mingle_io::read_header(&source, &options).map_err(|e| failure::io(&e))?;
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
        output: Output,
    ) -> Result<Figures, Problem> {
        let options = utility::Options {
            seed: policy.method.seed,
            ..utility::Options::default()
        };
        let (missing, k) = (&policy.data.missing, policy.k());
        let figures = match output {
            Output::Range => {
                utility::measure(cube, missing, published, k, options).map(Figures::Ranges)
            }
            Output::Centroid => utility::measure_centroids(cube, missing, published, k, options)
                .map(Figures::Centroids),
        };
        figures.map_err(|e| not_comparable(&e))
    }

    /// The main figures in a line.
    pub fn cost(&self) -> String {
        match self {
            Figures::Ranges(u) => format!(
                "NCP {:.4}, discernibility {}",
                u.ncp.overall, u.discernibility
            ),
            Figures::Centroids(u) => {
                format!(
                    "information loss {:.4}, discernibility {}",
                    u.information_loss.overall, u.discernibility
                )
            }
        }
    }

    /// The share of detail that is lost, and what it is called.
    pub fn loss(&self) -> (&'static str, &Loss) {
        match self {
            Figures::Ranges(u) => ("NCP", &u.ncp),
            Figures::Centroids(u) => ("information loss", &u.information_loss),
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

    fn to_text(&self) -> String {
        match self {
            Figures::Ranges(u) => {
                let losses =
                    loss("NCP", &u.ncp) + &loss("non-uniform entropy", &u.non_uniform_entropy);
                let rows = [u.published_rows, u.rows, u.suppressed_rows];
                text(
                    rows,
                    u.groups,
                    &losses,
                    (u.discernibility, u.average_group_size),
                    &u.query_error,
                )
            }
            Figures::Centroids(u) => {
                let losses = loss("information loss", &u.information_loss);
                let rows = [u.published_rows, u.rows, u.suppressed_rows];
                text(
                    rows,
                    u.groups,
                    &losses,
                    (u.discernibility, u.average_group_size),
                    &u.query_error,
                )
            }
        }
    }
}

/// The release is of other data, or its labels mean nothing here.
pub fn not_comparable(error: &utility::Error) -> Problem {
    let hint = "give the policy and the tables that the release was made from";
    Problem::new(Code::NotComparable, error.to_string(), hint)
}

fn document(figures: &Figures) -> Value {
    let mut document = json!({ "schema": "mingle.measure/1" });
    if let (Some(all), Value::Object(figures)) =
        (document.as_object_mut(), json!(figures.to_record()))
    {
        all.extend(figures);
    }
    document
}

fn text(
    [published, rows, left_out]: [u64; 3],
    groups: usize,
    losses: &str,
    (discernibility, size): (u128, f64),
    error: &QueryError,
) -> String {
    format!(
        "rows                 {published} of {rows}, {left_out} left out\n\
         groups               {groups}\n\
         {losses}\
         discernibility       {discernibility}\n\
         group size over k    {size:.3}\n\
         query error          mean {:.4}, median {:.4} ({} queries)\n",
        error.mean, error.median, error.queries
    )
}

fn loss(name: &str, loss: &Loss) -> String {
    let column = |c: &utility::ColumnLoss| format!("  {:<18} {:.4}\n", c.column, c.loss);
    format!(
        "{name:<20} {:.4}\n{}",
        loss.overall,
        loss.columns.iter().map(column).collect::<String>()
    )
}
