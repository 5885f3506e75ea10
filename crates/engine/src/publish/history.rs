//! `[composition] history`: a new version is laid beside the earlier ones before it is written, and
//! added to them after.
//!
//! The history is locked from the beginning, so that two runs cannot miss each other. Who is in
//! which group is written down before the release is in its place: whatever happens in between,
//! nothing is lost. What an earlier run left behind is settled first.

use crate::clock::utc;
use crate::failure;
use crate::history::{PendingPaths, many_changed, new_people, people, versions};
use crate::words::counted_people;
use mingle_model::{Column, Published, Role, Table, plural};
use mingle_policy::{OwnHistory, Policy};
use mingle_privacy::composition::CompositionLimits;
use mingle_privacy::composition::versions::{Replay, Version, replay};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::history::{
    History, HistoryProblem, HistoryWriter, Pending, PeopleColumn, PeopleTable, groups_of_rows,
    is_of, people_of, people_of_table, timeline,
};
use mingle_release::{Error as ReleaseError, Release};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::SystemTime;

/// The earlier versions of the table that is published.
pub struct Past<'a> {
    policy: &'a Policy,
    own: &'a OwnHistory,
    limits: CompositionLimits,
    access: Access,
    earlier: Vec<PeopleTable>,
    /// The person of each row.
    people: Vec<u128>,
    /// The version that is about to be written.
    next: Option<PeopleTable>,
    warnings: Vec<Problem>,
}

/// A dry run looks and locks nothing.
enum Access {
    Reading(History),
    Writing(HistoryWriter),
}

impl<'a> Past<'a> {
    /// Opens the history that the policy names.
    pub fn open(
        policy: &'a Policy,
        own: &'a OwnHistory,
        limits: CompositionLimits,
        writes: bool,
    ) -> Result<Past<'a>, Problem> {
        let failed = |e: ReleaseError| match e {
            ReleaseError::History {
                problem: HistoryProblem::NotAHistory,
                ..
            } => {
                let text = format!("{}: not a history of mingle", own.name);
                let hint = format!("make one: mingle history init {}", own.path.display());
                own.place.problem(ProblemCode::HistoryUnusable, text, hint)
            }
            e => failure::release(&e),
        };
        let access = if writes {
            Access::Writing(HistoryWriter::open(&own.path).map_err(failed)?)
        } else {
            Access::Reading(History::open(&own.path).map_err(failed)?)
        };
        let (earlier, people, next, warnings) = (Vec::new(), Vec::new(), None, Vec::new());
        let mut past = Past {
            policy,
            own,
            limits,
            access,
            earlier,
            people,
            next,
            warnings,
        };
        let unrecorded = past.settle_pending()?;
        past.identify_by(&own.person)
            .map_err(|e| failure::release(&e))?;
        past.history()
            .check_releases()
            .map_err(|e| failure::release(&e))?;
        past.earlier = versions(past.history())?;
        past.earlier.extend(unrecorded);
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

    /// What a steward should know about the history.
    pub fn warnings(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.warnings)
    }

    /// A run that did not end may have written its release: it is added first. Returns one that a
    /// dry run cannot add.
    fn settle_pending(&mut self) -> Result<Option<PeopleTable>, Problem> {
        match self
            .history()
            .unsettled()
            .map_err(|e| failure::release(&e))?
        {
            Pending::Nothing => Ok(None),
            Pending::Lost { release, occupied } => Err(self.places().lost(&release, occupied)),
            Pending::Recorded => match &mut self.access {
                Access::Writing(writer) => writer
                    .withdraw()
                    .map(|()| None)
                    .map_err(|e| failure::release(&e)),
                Access::Reading(_) => Ok(None),
            },
            Pending::Written(people) => match &mut self.access {
                Access::Writing(_) => self.add_late(&people).map(|()| None),
                Access::Reading(_) => Ok(Some(people)),
            },
        }
    }

    fn add_late(&mut self, people: &PeopleTable) -> Result<(), Problem> {
        let label = self.record_as_version(people, Path::new(people.release()))?;
        let text = format!(
            "the release in {} was not recorded; it is version {label} now",
            people.release()
        );
        self.warnings.push(Problem::new(
            ProblemCode::RecordedLate,
            text,
            "an earlier run ended before it could do so",
        ));
        Ok(())
    }

    fn identify_by(&mut self, column: &str) -> Result<(), ReleaseError> {
        match &mut self.access {
            Access::Reading(history) => history.check_person(column),
            Access::Writing(writer) => writer.identify_by(column),
        }
    }

    fn places(&self) -> PendingPaths<'_> {
        PendingPaths {
            history: &self.own.path,
            policy: Some(&self.policy.path),
        }
    }

    /// Says who the rows are. They must be recognizable: a comparison with people or values that
    /// are coded otherwise would find nothing.
    pub fn identify(&mut self, table: &Table, identifiers: &[String]) -> Result<(), Problem> {
        self.people = people(
            self.policy,
            &self.own.person,
            table,
            identifiers,
            self.history().key(),
        )?;
        let new = people_of_table(table, &self.people).ok_or_else(twice)?;
        let recoded = self
            .history()
            .check_continuity(&self.earlier, &new)
            .map_err(|e| failure::release(&e))?;
        self.warnings.extend(many_changed(recoded));
        Ok(())
    }

    /// Whether a release is the last version: only from that one is known who is in it.
    pub fn check_last(&self, release: &Release, name: &str) -> Result<(), Problem> {
        if let Some(last) = self.earlier.last()
            && is_of(last, release)
        {
            return Ok(());
        }
        let text = format!(
            "{name} is not the last version in {}: who is in it is not known",
            self.own.name
        );
        let hint = "go on from the last version (`mingle history list`), or add the release: mingle history add";
        let place = &self.own.place;
        Err(place.problem(ProblemCode::HistoryUnusable, text, hint))
    }

    /// Says who the rows of a union are: the first ones are the people of the last version, the
    /// others are those new rows that have a group, each row with its identifier. Nobody may be
    /// among both.
    pub fn identify_more(
        &mut self,
        union: &Table,
        earlier_rows: usize,
        (identifiers, groups): (&[String], &[Option<u32>]),
    ) -> Result<(), Problem> {
        let lost = || failure::defect("the people of the last version are not those of its rows");
        let last = self.earlier.last().ok_or_else(lost)?;
        let mut people = people_of_rows(last, union, earlier_rows).ok_or_else(lost)?;
        let new = new_people(
            self.policy,
            &self.own.person,
            identifiers,
            self.history().key(),
        )?;
        let known: HashSet<u128> = people.iter().copied().collect();
        let again = new.iter().filter(|person| known.contains(person)).count();
        if again > 0 {
            let text = format!(
                "{} of the new rows {} in the release already",
                counted_people(again as u64),
                plural(again, "is", "are")
            );
            let hint = "add new people only; to change what is published about somebody, publish all rows again";
            return Err(Problem::new(ProblemCode::IdentifierUnusable, text, hint));
        }
        for (person, group) in new.into_iter().zip(groups) {
            if group.is_some() {
                people.push(person);
            }
        }
        self.people = people;
        let new = people_of_table(union, &self.people).ok_or_else(twice)?;
        let recoded = self
            .history()
            .check_continuity(&self.earlier, &new)
            .map_err(|e| failure::release(&e))?;
        self.warnings.extend(many_changed(recoded));
        Ok(())
    }

    /// What a reader of all versions finds out once this one is published, by sensitive column.
    pub fn replay(&self, published: &Published) -> Result<Vec<(String, Replay)>, Problem> {
        let new = self.record("", published)?;
        let all: Vec<&PeopleTable> = self.earlier.iter().chain([&new]).collect();
        let play = |column: &str| {
            let versions = timeline(&all, column);
            let versions: Vec<&Version> = versions.iter().map(|(_, version)| version).collect();
            (column.to_owned(), replay(&versions, &self.limits))
        };
        Ok(new
            .columns()
            .iter()
            .map(|column| play(&column.name))
            .collect())
    }

    /// The groups of a plan by which somebody would be exposed.
    pub fn exposed(&self, published: &Published) -> Result<Vec<u32>, Problem> {
        let replays = self.replay(published)?;
        let fails = replays.into_iter().filter(|(_, found)| !found.holds);
        let mut groups: Vec<u32> = fails.flat_map(|(_, found)| found.groups).collect();
        groups.sort_unstable();
        groups.dedup();
        Ok(groups)
    }

    /// Finds out who is in which group of the release that is about to be written.
    pub fn prepare(&mut self, folder: &Path, published: &Published) -> Result<(), Problem> {
        let unusable =
            || failure::defect("the release's folder has no name that can be written down");
        let place = std::path::absolute(folder)
            .ok()
            .and_then(|path| path.to_str().map(str::to_owned));
        self.next = Some(self.record(&place.ok_or_else(unusable)?, published)?);
        Ok(())
    }

    /// Writes that down, just before the release is put in its place. From here on only
    /// [`append`](Past::append) may drop it: an error does not mean that the release is not there.
    pub fn announce(&mut self, manifest_sha256: &str) -> Result<(), ReleaseError> {
        let next = self
            .next
            .take()
            .map(|next| next.with_manifest(manifest_sha256));
        if let (Access::Writing(writer), Some(next)) = (&mut self.access, &next) {
            writer.announce(next)?;
        }
        self.next = next;
        Ok(())
    }

    /// Adds the release that was written; returns the version's label.
    pub fn append(&mut self, folder: &Path) -> Result<String, Problem> {
        let next = self
            .next
            .take()
            .ok_or_else(|| failure::defect("a version that was not announced"))?;
        self.record_as_version(&next, folder)
    }

    fn record_as_version(
        &mut self,
        people: &PeopleTable,
        folder: &Path,
    ) -> Result<String, Problem> {
        let Access::Writing(writer) = &mut self.access else {
            return Err(failure::defect("a history that is only read"));
        };
        match writer.append(people, folder, None, &utc(SystemTime::now())) {
            Ok(version) => Ok(version.label),
            Err(ReleaseError::History {
                problem: HistoryProblem::AlreadyThere { label },
                ..
            }) => {
                writer.withdraw().map_err(|e| failure::release(&e))?;
                Ok(label)
            }
            Err(error) => Err(self.places().not_recorded(folder, &error.to_string())),
        }
    }

    fn record(&self, release: &str, published: &Published) -> Result<PeopleTable, Problem> {
        let groups = groups_of_rows(published, &self.people).map_err(|e| failure::release(&e))?;
        let record = people_of(release, published, &groups, &self.people);
        record.ok_or_else(twice)
    }
}

/// The people of a version, in the order of the rows of its release. Rows with the same labels and
/// values are interchangeable: nobody can tell which of them is whose. `None` where they do not fit.
fn people_of_rows(version: &PeopleTable, table: &Table, rows: usize) -> Option<Vec<u128>> {
    let mut waiting: HashMap<Vec<Option<&str>>, Vec<u128>> = HashMap::new();
    for member in version.members() {
        let labels = version.groups().get(member.group as usize)?;
        let mut key: Vec<Option<&str>> = labels.iter().map(|text| Some(text.as_str())).collect();
        for (column, &value) in version.columns().iter().zip(&member.values) {
            key.push(column.values.get(value as usize)?.as_deref());
        }
        waiting.entry(key).or_default().push(member.person);
    }
    let labels: Vec<&Column> = table.with_role(Role::QuasiIdentifier).collect();
    let mut values = Vec::new();
    for column in table.with_role(Role::Sensitive) {
        values.push((column, PeopleColumn::new(&column.spec.name, &column.domain)));
    }
    let mut people = Vec::with_capacity(table.rows());
    for row in 0..rows {
        let mut key: Vec<Option<&str>> = Vec::with_capacity(labels.len() + values.len());
        for column in &labels {
            key.push(Some(column.domain.text(column.codes.get(row))));
        }
        for (column, texts) in &values {
            key.push(texts.values[column.codes.get(row) as usize].as_deref());
        }
        people.push(waiting.get_mut(&key)?.pop()?);
    }
    Some(people)
}

fn twice() -> Problem {
    failure::defect("a person is in two groups")
}
