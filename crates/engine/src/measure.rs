//! What a release has lost, against its original.

mod cells;
pub mod distributions;
mod marginals;
mod model;
pub mod noisy;
mod singling_out;

use crate::failure;
use crate::inputs::Inputs;
use crate::run::Run;
use crate::tables::taken_apart::refuse_without_column;
use crate::tables::{ForeignTable, read_anonymized};
use mingle_anonymize::GroupRepresentative;
use mingle_assess::utility::{self, CentroidUtility, Loss, QueryError, Utility};
use mingle_io::ReadOptions;
use mingle_model::{Cube, Fragments, Published, PublishedPeople, Role, Table};
use mingle_policy::{PersonColumn, PersonScope, Policy};
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
    Table(ForeignTable<'a>),
}

/// Measures a release or a table against its original: the tables that the policy names, or those
/// at hand.
pub fn measure(
    policy: &Policy,
    subject: &Subject<'_>,
    original: &Inputs,
    run: &Run,
) -> Result<MeasureAnswer, Problem> {
    measure_in(policy, subject, original, (&MeasureWishes::default(), run))
}

/// What else is to be measured.
#[derive(Clone, Default, Debug)]
pub struct MeasureWishes {
    /// How many people there are of whom the tables are a sample.
    pub population: Option<u64>,
    /// The sensitive column that models are to foretell.
    pub target: Option<String>,
}

/// The same, with more figures.
pub fn measure_in(
    policy: &Policy,
    subject: &Subject<'_>,
    original: &Inputs,
    (wishes, run): (&MeasureWishes, &Run),
) -> Result<MeasureAnswer, Problem> {
    let opened = OpenedSubject::open(policy, subject)?;
    let original = original.read(policy, run)?.table;
    run.step("measuring");
    let cube = Cube::new(original.clone());
    let measured = match opened {
        OpenedSubject::Noisy(release) => {
            if wishes.target.is_some() {
                return Err(model::refused("a release with noise has no groups"));
            }
            if wishes.population.is_some() {
                let text = "--population: a release with noise has no rows that are alone";
                let hint = "leave --population out";
                return Err(Problem::new(ProblemCode::Usage, text, hint));
            }
            let measured = noisy::measure(policy, &original, &cube, &release)?;
            MeasureAnswer::Noise(measured)
        }
        OpenedSubject::Grouped(grouped) => {
            let figures = Figures::take(policy, &cube, &grouped.published, grouped.output)?;
            let distances = marginals::of_groups(policy, &original, &grouped)?;
            let singling_out = singling_out::subsets(&cube, &grouped.published);
            let population = match wishes.population {
                None => None,
                Some(people) => {
                    let found = singling_out::in_population(&cube, &grouped.published, people);
                    Some(found?)
                }
            };
            let is_fragmented = grouped.fragments.is_some();
            let is_range = grouped.output == GroupRepresentative::Range;
            let models = match &wishes.target {
                None => None,
                Some(_) if is_fragmented || !is_range => {
                    let what = "values and quasi-identifiers stand in one table of ranges only";
                    return Err(model::refused(what));
                }
                Some(target) => {
                    let published = &grouped.published;
                    Some(model::compared(policy, &cube, published, target)?)
                }
            };
            match figures {
                Figures::Ranges(utility) => MeasureAnswer::Ranges(MeasuredRanges {
                    singling_out,
                    population,
                    models,
                    ..MeasuredRanges::new(utility, distances)
                }),
                Figures::Centroids(utility) => MeasureAnswer::Centroids(MeasuredCentroids {
                    singling_out,
                    population,
                    ..MeasuredCentroids::new(utility, distances)
                }),
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
                let table = Grouped::of_table(policy, *file)?;
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
    fn of_table(policy: &Policy, file: ForeignTable<'_>) -> Result<Grouped, Problem> {
        let header = header(policy, file)?;
        let mut roles = Vec::new();
        // a table that was handed out without sensitive columns is measured without
        let mut sensitive = policy.with_role(Role::Sensitive);
        if sensitive.all(|column| header.contains(&column.spec.name)) {
            roles.push(Role::Sensitive);
        } else if policy.separated().is_some() {
            return Err(refuse_without_column(policy, &file.name()));
        }
        // and one without identifiers over rows alone
        let person = policy.data.people.column();
        if person.is_some_and(|person| header.contains(&person.name)) {
            roles.push(Role::Identifier);
        }
        let mut read = read_anonymized(policy, file, &roles)?;
        let is_local = |person: &PersonColumn| person.scope == PersonScope::Provider;
        let lacks_identifiers = person.is_some() && !roles.contains(&Role::Identifier);
        if lacks_identifiers || (person.is_some_and(is_local) && !read.knows_providers) {
            // whose the rows are is not known
            read.table.person_of = None;
        }
        let table = read.table;
        let mut published = Published::from_table(&table);
        // somebody who is in several groups counts in each, and not once in all
        let is_split = |people: &PublishedPeople| people.split() != Some(0);
        if published.people().is_some_and(is_split) {
            published = published.with_rows_apart();
        }
        Ok(Grouped {
            published,
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

/// The names of a table's columns.
fn header(policy: &Policy, file: ForeignTable<'_>) -> Result<Vec<String>, Problem> {
    let source = file.scan(policy);
    let header = mingle_io::read_header(&source, &ReadOptions::default());
    header.map_err(|e| failure::io(&e))
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
