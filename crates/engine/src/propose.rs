//! Looks at tables and proposes a policy, with a reason on every line.
//!
//! What is written holds names of columns and counts, never a cell: a policy is passed around, the
//! tables are not. The proposal can be published as it is, but it is a proposal: names of columns
//! are hints, not knowledge.
//!
//! With domains it is a policy for releases with noise, which need the values that each column
//! can have. Those are proposed from the tables, hold cells, and are refused until the steward
//! vouches for them.

mod domain;
mod dry_run;
mod formats;
mod hierarchy;
mod people;
mod profile;
mod proposal;
mod recognise;
mod relative;
mod render;
mod sample;
mod single_out;

use crate::failure::{self, printable};
use crate::run::Run;
use crate::tables::table;
use dry_run::DryRun;
pub(crate) use formats::SeenFormat;
use hierarchy::FoundHierarchy;
use mingle_io::{HeaderLine, RawTable, ReadOptions, Scan, Source};
use mingle_model::{Codes, Missing, Role};
use mingle_record::answer::{
    InitAnswer, InitColumn, InitDryRun, InitPeople, InitSinglingOut, InitSinglingStep,
};
use mingle_record::schema::InitSchema;
use mingle_record::{Problem, ProblemCode};
use proposal::Proposal;
use render::LookedTables;
use single_out::SinglingOut;

pub use profile::Profile;
pub use recognise::Meaning;
pub(crate) use recognise::cannot_change;
pub use sample::Sample;
pub use single_out::alone_in_all;
use std::path::{Path, PathBuf};

/// A policy for tables, and what was seen on the way to it.
pub struct ProposedPolicy {
    /// Everything, as it is written down; the policy's text is in it.
    pub answer: InitAnswer,
    /// What deserves attention.
    pub warnings: Vec<Problem>,
}

/// The role that is proposed for a column.
pub struct ProposedRole {
    /// The role.
    pub role: Role,
    /// Whether it is left out only until somebody decides.
    pub decide: bool,
    /// The kind as which it is read, as a policy says it.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
}

/// What is asked for, and what is known about the tables beforehand.
#[derive(Default)]
pub struct ProposalRequest {
    /// What the first line of every table is.
    pub header: HeaderLine,
    /// Whether it is to be a policy for releases with noise.
    pub domains: bool,
}

/// A policy for tables, as it would stand in a file of `folder`.
pub fn policy(
    data: &[PathBuf],
    folder: &Path,
    request: &ProposalRequest,
    run: &Run,
) -> Result<ProposedPolicy, Problem> {
    refuse_repeated(data)?;
    let mut files = Vec::with_capacity(data.len());
    for path in data {
        files.push(Source::new(path, path.display().to_string()));
    }
    let looked = look_at(data, files, request, run)?;
    let place = ProposalPlace {
        data,
        folder,
        tables: data.len(),
        domains: request.domains,
    };
    propose(&looked, &place, run)
}

/// A policy for tables that are in no file, one for each provider; it names none.
pub fn policy_of_tables(
    tables: Vec<Box<dyn Scan>>,
    domains: bool,
    run: &Run,
) -> Result<ProposedPolicy, Problem> {
    let looked = look_at_tables(&tables, &[], domains, run)?;
    let place = ProposalPlace {
        data: &[],
        folder: Path::new(""),
        tables: tables.len(),
        domains,
    };
    propose(&looked, &place, run)
}

/// Where tables are and where their policy would stand.
struct ProposalPlace<'a> {
    /// The files; none where tables are in memory.
    data: &'a [PathBuf],
    folder: &'a Path,
    tables: usize,
    domains: bool,
}

fn propose(
    looked: &Looked,
    place: &ProposalPlace<'_>,
    run: &Run,
) -> Result<ProposedPolicy, Problem> {
    let ProposalPlace {
        data,
        folder,
        domains,
        ..
    } = *place;
    run.check()?;
    let Looked {
        profiles,
        sample,
        formats,
        people,
    } = looked;
    let proposal = Proposal::new(profiles, place.tables, Some(sample));
    let singling_out = singling_out(&proposal, looked);
    // noise has other costs than groups
    let dry_run = if domains {
        None
    } else {
        run.step("trying");
        let dry_run = DryRun {
            proposal: &proposal,
            profiles,
            sample,
        };
        dry_run.answer(run)?
    };
    let people = people
        .as_ref()
        .map(|people| of_quasi_identifiers(people, &proposal, profiles));
    let mut warnings = Vec::new();
    warnings.extend(people.as_ref().map(people::several_rows));
    if !domains {
        warnings.extend(nothing_sensitive(&proposal));
        warnings.extend(written_differently(profiles));
        warnings.extend(dry_run.as_ref().and_then(little_is_left));
    }
    let mut columns = Vec::new();
    for (column, profile) in proposal.columns.iter().zip(profiles) {
        columns.push(InitColumn {
            name: profile.name.clone(),
            recognised: profile.recognition.meaning.name().to_owned(),
            kind: column.kind_name().to_owned(),
            role: column.role.name().to_owned(),
            decide: column.decide,
            reason: column.reason.clone(),
            distinct: profile.distinct as u64,
            missing: profile.missing as u64,
            unique: profile.unique as u64,
            rare: profile.rare as u64,
            commonest: profile.commonest as u64,
        });
    }
    let mut to_decide = Vec::new();
    for column in &columns {
        if column.decide {
            to_decide.push(column.name.clone());
        }
    }
    let tables = LookedTables {
        data,
        tables: place.tables,
        formats,
        folder,
        people: people.as_ref(),
    };
    let text = render::policy(&proposal, profiles, &tables, domains);
    let mut seen_formats = Vec::new();
    for (path, format) in data.iter().zip(formats) {
        seen_formats.push(format.to_record(&path.display().to_string()));
    }
    let provider_column = proposal.provider_column;
    let answer = InitAnswer {
        schema: InitSchema,
        written_to: None,
        policy: text,
        rows: sample.of as u64,
        tables: place.tables as u64,
        providers: proposal.providers as u64,
        provider_column: provider_column.map(|place| profiles[place].name.clone()),
        formats: seen_formats,
        columns,
        to_decide,
        people,
        singling_out,
        dry_run,
        warnings: warnings.iter().map(Into::into).collect(),
    };
    Ok(ProposedPolicy { answer, warnings })
}

/// The text of a policy for tables below `folder`, which it names from there: where the folder is
/// on this machine is nobody's business.
pub fn proposed(data: &[PathBuf], folder: &Path) -> Result<String, Problem> {
    let mut files = Vec::with_capacity(data.len());
    for path in data {
        files.push(Source::new(path, below(path, folder).display().to_string()));
    }
    let mut looked = look_at(data, files, &ProposalRequest::default(), &Run::default())?;
    for profile in &mut looked.profiles {
        if let Some(FoundHierarchy::Fits(path) | FoundHierarchy::Misfit(path, _)) =
            &mut profile.hierarchy
        {
            *path = below(path, folder);
        }
    }
    let Looked {
        profiles,
        sample,
        formats,
        people,
    } = &looked;
    let proposal = Proposal::new(profiles, data.len(), Some(sample));
    let people = people
        .as_ref()
        .map(|people| of_quasi_identifiers(people, &proposal, profiles));
    let data: Vec<PathBuf> = data.iter().map(|path| below(path, folder)).collect();
    let tables = LookedTables {
        data: &data,
        tables: data.len(),
        formats,
        folder: Path::new(""),
        people: people.as_ref(),
    };
    Ok(render::policy(&proposal, profiles, &tables, false))
}

fn below(path: &Path, folder: &Path) -> PathBuf {
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

/// The role that is proposed for each column, and why; some rows say which columns repeat each
/// other.
pub fn roles(profiles: &[Profile], sample: &Sample) -> Vec<ProposedRole> {
    // as if there were several files: a column that names the provider gets a role as well
    let proposal = Proposal::new(profiles, 2, Some(sample));
    let mut roles = Vec::new();
    for column in proposal.columns {
        roles.push(ProposedRole {
            role: column.role,
            decide: column.decide,
            kind: column.kind_name(),
            reason: column.reason,
        });
    }
    roles
}

/// The people of tables, with the changes of what is proposed as a quasi-identifier.
fn of_quasi_identifiers(
    people: &InitPeople,
    proposal: &Proposal,
    profiles: &[Profile],
) -> InitPeople {
    let mut people = people.clone();
    let mut names = Vec::new();
    for place in proposal.with_role(Role::QuasiIdentifier) {
        names.push(profiles[place].name.as_str());
    }
    people
        .changes
        .retain(|change| names.contains(&change.column.as_str()));
    people
}

/// What singles out: searched among all columns that somebody may know, left out or not.
fn singling_out(proposal: &Proposal, looked: &Looked) -> InitSinglingOut {
    let Looked {
        profiles, sample, ..
    } = looked;
    let mut among = Vec::new();
    for (place, profile) in profiles.iter().enumerate() {
        let known = profile.recognition.meaning.treatment() >= recognise::Treatment::MostPeopleKnow;
        if known && proposal.provider_column != Some(place) {
            among.push(place);
        }
    }
    let mut steps = Vec::new();
    for (place, alone) in SinglingOut::search(sample, &among).steps {
        steps.push(InitSinglingStep {
            column: profiles[place].name.clone(),
            alone: alone as u64,
        });
    }
    let quasi_identifiers = proposal.with_role(Role::QuasiIdentifier);
    InitSinglingOut {
        sample_rows: sample.rows() as u64,
        steps,
        quasi_identifiers: single_out::alone_in_all(sample, &quasi_identifiers) as u64,
    }
}

/// Columns that tell the provider by the way they are written.
fn written_differently(profiles: &[Profile]) -> Vec<Problem> {
    let mut warnings = Vec::new();
    for profile in profiles {
        if profile.recognition.meaning == Meaning::WrittenDifferently {
            let hint = "set date_format or decimal for each provider and the column's kind, or kind = \"category\" for codes; \
                        until then it is left out";
            let text = format!("column {:?}: {}", profile.name, profile.recognition.why);
            warnings.push(Problem::new(ProblemCode::FormatTells, text, hint));
        }
    }
    warnings
}

fn nothing_sensitive(proposal: &Proposal) -> Option<Problem> {
    if !proposal.with_role(Role::Sensitive).is_empty() {
        return None;
    }
    let text = "no column is proposed as sensitive, so only k-anonymity is promised";
    let hint = "set role = \"sensitive\" for what nobody may learn; see MG0542";
    Some(Problem::new(ProblemCode::NothingSensitive, text, hint))
}

fn little_is_left(dry_run: &InitDryRun) -> Option<Problem> {
    if !dry_run.useless {
        return None;
    }
    let text = match (dry_run.ncp, dry_run.says_nothing) {
        (Some(ncp), Some(says_nothing)) => format!(
            "a release by this policy would say little: NCP {ncp:.2}, and {:.0} % of the generalized cells say nothing",
            says_nothing * 100.0
        ),
        _ => "a dry run found no release by this policy".to_owned(),
    };
    let names: Vec<String> = dry_run
        .costliest
        .iter()
        .map(|cost| format!("`{}`", cost.column))
        .collect();
    let hint = if names.is_empty() {
        "add rows, or promise less; see MG0540".to_owned()
    } else {
        format!("dropping {} helps most; see MG0540", names.join(", "))
    };
    Some(Problem::new(ProblemCode::LittleIsLeft, text, hint))
}

/// A table given twice would count everybody in it twice.
pub fn refuse_repeated(data: &[PathBuf]) -> Result<(), Problem> {
    let resolved: Vec<PathBuf> = data
        .iter()
        .map(|d| d.canonicalize().unwrap_or_else(|_| d.clone()))
        .collect();
    match (1..data.len()).find(|&i| resolved[..i].contains(&resolved[i])) {
        Some(i) => {
            let text = format!("{} is given twice", data[i].display());
            Err(Problem::new(
                ProblemCode::ListedTwice,
                text,
                "list every table once",
            ))
        }
        None => Ok(()),
    }
}

/// All columns of all tables, some rows, and how each table is written.
struct Looked {
    profiles: Vec<Profile>,
    sample: Sample,
    formats: Vec<SeenFormat>,
    /// Whose rows belong together.
    people: Option<InitPeople>,
}

/// Marks columns that providers do not write alike: as categories they would tell who contributed
/// a row, so they are left out until somebody says how they are written.
fn leave_differing_to_decide(profiles: &mut [Profile], raw: &RawTable, missing: &Missing) {
    let Some((providers, provider_of)) = providers_of(profiles, raw) else {
        return;
    };
    for (profile, (_, column)) in profiles.iter_mut().zip(&raw.columns) {
        let differ = mingle_io::written_differently(column, &provider_of, providers, missing);
        if let Some(why) = differ {
            profile.recognition.leave_to_decide(printable(&why));
        }
    }
}

/// How many providers there are, and who contributed each row: a table each, or what a column of
/// the only table says.
fn providers_of(profiles: &[Profile], raw: &RawTable) -> Option<(usize, Codes)> {
    let tables = raw.rows_of.len();
    if tables > 1 {
        let mut provider_of = Codes::with_capacity(tables, raw.rows as usize);
        for (table, &rows) in raw.rows_of.iter().enumerate() {
            for _ in 0..rows {
                provider_of.push(table as u32);
            }
        }
        return Some((tables, provider_of));
    }
    let place = proposal::provider_column(profiles, tables)?;
    let column = &raw.columns[place].1;
    Some((column.values.len(), column.ids.clone()))
}

/// Reads the tables at `data`, which messages call as `files` says.
fn look_at(
    data: &[PathBuf],
    mut files: Vec<Source>,
    request: &ProposalRequest,
    run: &Run,
) -> Result<Looked, Problem> {
    for file in &mut files {
        file.format.header = request.header.clone();
    }
    let options = ReadOptions {
        cancel: Some(run.cancel().flag()),
        ..ReadOptions::default()
    };
    let mut formats = Vec::new();
    let mut sources = Vec::new();
    for mut file in files {
        formats.push(SeenFormat::of(&mut file, &options)?);
        sources.push(table(file));
    }
    let mut looked = look_at_tables(&sources, data, request.domains, run)?;
    looked.formats = formats;
    Ok(looked)
}

/// Reads tables of which nothing needs to be said about how they are written; hierarchies are
/// looked for beside `data`.
fn look_at_tables(
    sources: &[Box<dyn Scan>],
    data: &[PathBuf],
    domains: bool,
    run: &Run,
) -> Result<Looked, Problem> {
    run.begin_reading(sources);
    let bytes = run.counter();
    let options = ReadOptions {
        progress: Some(&bytes),
        cancel: Some(run.cancel().flag()),
        ..ReadOptions::default()
    };
    let raw = mingle_io::read_raw(sources, &options).map_err(|e| failure::io(&e))?;
    run.step("looking at columns");
    let sample = Sample::of(&raw);
    let missing = Missing::default();
    let mut profiles = Vec::new();
    for (name, column) in &raw.columns {
        run.check()?;
        let profile = Profile::new(name.clone(), column, &missing, data, domains);
        profiles.push(profile);
    }
    leave_differing_to_decide(&mut profiles, &raw, &missing);
    let people = people::look_for(&profiles, &raw, &missing);
    Ok(Looked {
        profiles,
        sample,
        formats: Vec::new(),
        people,
    })
}
