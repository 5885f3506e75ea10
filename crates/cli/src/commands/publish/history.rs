//! `[composition] history`: a new version is laid beside the earlier ones before it is written, and added to them after.
//!
//! The history is locked from the beginning, so that two runs cannot miss each other. Who is in which group is written
//! down before the release is: whatever happens in between, nothing is lost.

use crate::commands::history::{now, people, versions};
use crate::explain::Code;
use crate::failure;
use crate::message::Problem;
use crate::policy::{OwnHistory, Policy};
use mingle_model::{Cube, Published, Table};
use mingle_privacy::composition::Limits;
use mingle_privacy::composition::versions::{Replay, Version, replay};
use mingle_release::history::{
    History, HistoryProblem, HistoryWriter, PeopleTable, check_people, groups_of_rows, people_of, timeline,
};
use mingle_release::{Error as ReleaseError, Release};
use std::path::Path;

/// The earlier versions of the table that is published.
pub struct Past<'a> {
    policy: &'a Policy,
    own: &'a OwnHistory,
    limits: Limits,
    access: Access,
    earlier: Vec<PeopleTable>,
    /// The person of each row.
    people: Vec<u128>,
}

/// A dry run looks and locks nothing.
enum Access {
    Reading(History),
    Writing(HistoryWriter),
}

impl<'a> Past<'a> {
    /// Opens the history that the policy names.
    pub fn open(policy: &'a Policy, own: &'a OwnHistory, limits: Limits, writes: bool) -> Result<Past<'a>, Problem> {
        let failed = |e: ReleaseError| match e {
            ReleaseError::History { problem: HistoryProblem::NotAHistory, .. } => {
                let text = format!("{}: not a history of mingle", own.name);
                let hint = format!("make one: mingle history init {}", own.path.display());
                own.place.problem(Code::HistoryUnusable, text, hint)
            }
            e => failure::release(&e),
        };
        let access = match writes {
            true => Access::Writing(HistoryWriter::open(&own.path).map_err(failed)?),
            false => Access::Reading(History::open(&own.path).map_err(failed)?),
        };
        let mut past = Past { policy, own, limits, access, earlier: Vec::new(), people: Vec::new() };
        past.settle_pending()?;
        past.history().check_releases().map_err(|e| failure::release(&e))?;
        past.earlier = versions(past.history())?;
        Ok(past)
    }

    fn history(&self) -> &History {
        match &self.access {
            Access::Reading(history) => history,
            Access::Writing(writer) => writer,
        }
    }

    /// The identifier that tells people apart.
    pub fn person(&self) -> &'a str {
        &self.own.person
    }

    /// What the policy calls the history, and how many versions it has.
    pub fn name(&self) -> (&str, usize) {
        (&self.own.name, self.earlier.len())
    }

    /// A run that did not end has written its release, which must be added first, or it has not.
    fn settle_pending(&self) -> Result<(), Problem> {
        let Some(pending) = self.history().pending().map_err(|e| failure::release(&e))? else { return Ok(()) };
        let folder = Path::new(pending.release());
        let is_there = Release::open(folder).is_ok_and(|release| check_people(&pending, &release).is_ok());
        let recorded = || self.history().versions().iter().rev().map(|version| self.history().people(version));
        let is_recorded = || recorded().any(|people| people.is_ok_and(|people| people.has_same_people(&pending)));
        if is_there && !is_recorded() {
            return Err(self.not_recorded(folder, "a run ended between the two"));
        }
        match &self.access {
            Access::Writing(writer) => writer.withdraw().map_err(|e| failure::release(&e)),
            Access::Reading(_) => Ok(()),
        }
    }

    fn not_recorded(&self, folder: &Path, why: &str) -> Problem {
        let (release, history) = (folder.display(), self.own.path.display());
        let text = format!("the release in {release} was written, but {} does not have it: {why}", self.own.name);
        let policy = self.policy.path.display();
        Problem::new(Code::NotRecorded, text, format!("mingle history add {history} {release} --policy {policy}"))
    }

    /// Says who the rows are.
    pub fn identify(&mut self, table: &Table, identifiers: &[String]) -> Result<(), Problem> {
        self.people = people(self.policy, &self.own.person, table, identifiers, self.history().key())?;
        Ok(())
    }

    /// What a reader of all versions finds out once this one is published, by sensitive column.
    pub fn replay(&self, table: &Table, cube: &Cube, published: &Published) -> Result<Vec<(String, Replay)>, Problem> {
        let new = self.record("", table, cube, published)?;
        let all: Vec<&PeopleTable> = self.earlier.iter().chain([&new]).collect();
        let play = |column: &str| {
            let versions = timeline(&all, column);
            let versions: Vec<&Version> = versions.iter().map(|(_, version)| version).collect();
            (column.to_owned(), replay(&versions, &self.limits))
        };
        Ok(new.columns().iter().map(|column| play(&column.name)).collect())
    }

    /// The groups of a plan by which somebody would be exposed.
    pub fn exposed(&self, table: &Table, cube: &Cube, published: &Published) -> Result<Vec<u32>, Problem> {
        let replays = self.replay(table, cube, published)?;
        let fails = replays.into_iter().filter(|(_, found)| !found.holds);
        let mut groups: Vec<u32> = fails.flat_map(|(_, found)| found.groups).collect();
        groups.sort_unstable();
        groups.dedup();
        Ok(groups)
    }

    /// Writes down who is in which group of the release that is about to be written.
    pub fn announce(
        &self,
        folder: &Path,
        table: &Table,
        cube: &Cube,
        published: &Published,
    ) -> Result<PeopleTable, Problem> {
        let unusable = || failure::defect("the release's folder has no name that can be written down");
        let place = std::path::absolute(folder).ok().and_then(|path| path.to_str().map(str::to_owned));
        let record = self.record(&place.ok_or_else(unusable)?, table, cube, published)?;
        if let Access::Writing(writer) = &self.access {
            writer.announce(&record).map_err(|e| failure::release(&e))?;
        }
        Ok(record)
    }

    /// The release was not written.
    pub fn withdraw(&self) {
        if let Access::Writing(writer) = &self.access {
            // what stays behind is found to be without a release by the next run
            let _ = writer.withdraw();
        }
    }

    /// Adds the release that was written; returns the version's label.
    pub fn append(&mut self, record: &PeopleTable, folder: &Path) -> Result<String, Problem> {
        let Access::Writing(writer) = &mut self.access else {
            return Err(failure::defect("a history that is only read"));
        };
        match writer.append(record, folder, None, &now()) {
            Ok(version) => Ok(version.label),
            Err(ReleaseError::History { problem: HistoryProblem::AlreadyThere { label }, .. }) => {
                self.withdraw();
                Ok(label)
            }
            Err(error) => Err(self.not_recorded(folder, &error.to_string())),
        }
    }

    fn record(&self, release: &str, table: &Table, cube: &Cube, published: &Published) -> Result<PeopleTable, Problem> {
        let groups = groups_of_rows(table, cube, published, &self.people).map_err(|e| failure::release(&e))?;
        let record = people_of(release, table, published, &groups, &self.people);
        record.ok_or_else(|| failure::defect("a person is there twice"))
    }
}
